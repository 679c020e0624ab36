"""Metrics of many square confusion matrices at once, exactly.

Rows are true classes. Every metric is a weighted sum of terms. A strategy has a term for each class against the
rest, weighted by its frequency, or for each ordered pair of classes with equal weights. A term is a fraction of the
four counts of a 2 x 2 table, or the square root of one.
"""

from fractions import Fraction
from functools import lru_cache
from math import nan, prod
from operator import itemgetter
from typing import Any

import numpy as np

from confmat.indices.classification.measures import CLASS_WEIGHTS, Measure
from confmat.indices.classification.roots import RootSum, Term
from confmat.indices.numbers import lowest_terms

# Numerators and denominators of fractions; a denominator 0 marks 0/0.
Ratios = tuple[np.ndarray, np.ndarray]

# A product of four counts, or a common denominator, below this is safe in 64 bits.
_WORD = 2**61

# If the fourth power of counts is below _WORD, products of two counts and factors of beta below this are below 2^62.
_MOST_OF_BETA = 2**30


def class_means(measure: Measure, strategy: str, tables: np.ndarray) -> Ratios | tuple[list[Any], np.ndarray]:
    """Return, for each table, the mean of a measure over classes or pairs of classes by a strategy.

    For a rational measure the result is numerators and denominators in lowest terms, 0/0 if undefined. They are
    int64 arrays, or arrays of Python ints if 64 bits are too few. For a geometric mean the result is a list of
    values and the index of each table's value. The values are `RootSum` numbers, nan if undefined.

    Parameters
    ----------
    measure : Measure
    strategy : {"balanced", "macro", "rest", "pairs", "ovo"}
        See `confmat.indices.classification`. "macro" has equal weights for all classes, "balanced" for nonempty
        classes.
    tables : array of int, shape (N, K, K)

    Returns
    -------
    (array, array) or (list, array)

    Notes
    -----
    Time O(N K^2).

    Examples
    --------
    >>> from confmat.indices.classification.metrics import MEASURES_OF_CLASS
    >>> class_means(MEASURES_OF_CLASS["sensitivity"], "balanced", np.array([[[3, 1], [0, 2]], [[5, 0], [0, 0]]]))
    (array([7, 1]), array([8, 1]))
    >>> class_means(MEASURES_OF_CLASS["g_mean_ss"], "rest", np.array([[[1, 1], [0, 2]], [[2, 0], [1, 1]]]))
    ([RootSum(terms=((Fraction(1, 2), 2),))], array([0, 0]))
    """
    tables = _square(measure.name, tables)
    if measure.factor >= _MOST_OF_BETA:
        tables = tables.astype(object)
    counts, (weights, whole_weights) = _cases_of_strategy(strategy, tables)
    numerators, denominators, *factors = measure.formula(*counts)
    parts = weights * numerators
    denominators = whole_weights * denominators
    is_counted = weights > 0
    if not factors:
        return _sum_of_ratios(parts, denominators, is_counted)
    radicands: Any = prod(factors)
    return _sums_of_roots(parts, denominators, radicands, is_counted)


def accuracies(tables: np.ndarray) -> Ratios:
    """Return numerators and denominators of the accuracy of each table, in lowest terms.

    >>> accuracies(np.array([[[3, 1], [0, 2]]]))
    (array([5]), array([6]))
    """
    tables = _square("accuracy", tables)
    return lowest_terms(
        _diagonal(tables).sum(axis=1),
        tables.sum(axis=(1, 2)),
    )


def _square(name: str, tables: np.ndarray) -> np.ndarray:
    """Return tables as int64, or as Python ints if products of four counts may exceed 64 bits.

    Raise ValueError if the tables are not square.
    """
    if tables.ndim != 3 or tables.shape[1] != tables.shape[2]:
        shape = " x ".join(map(str, tables.shape[1:]))
        raise ValueError(f"{name!r} needs square confusion matrices (truth x prediction), got {shape}")
    # The largest cell is compared too, since a sum of huge cells may overflow.
    totals = tables.sum(axis=(1, 2))
    largest_count = max(
        int(tables.max(initial=0)),
        int(totals.max(initial=0)),
    )
    wide = tables.dtype == object or largest_count**4 >= _WORD
    return tables.astype(object if wide else np.int64, casting="same_kind", copy=False)


def _diagonal(tables: np.ndarray) -> np.ndarray:
    """Return the diagonals of tables (N x K)."""
    return np.diagonal(tables, axis1=1, axis2=2)


# --- terms: the four counts of the 2 x 2 tables, and their weights ----------------------------------

Counts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _cases_of_strategy(strategy: str, tables: np.ndarray) -> tuple[Counts, Ratios]:
    """Return the two-class tables that a strategy compares, for each of N tables, and their weights.

    "pairs" and "ovo" compare one class with another, all other strategies one class with the rest.

    Returns
    -------
    tuple
        Arrays tp, fn, fp and tn of shape (N, number of two-class tables). Then a pair: the weights of the two-class
        tables, and the sums of the weights for each table.
    """
    if strategy == "pairs":
        return over_pairs(tables)
    if strategy == "ovo":
        return one_against_one(tables)
    counts, (sizes, _) = against_the_rest(tables)
    weights = CLASS_WEIGHTS[strategy](sizes)
    return counts, (weights, weights.sum(axis=1, keepdims=True))


def against_the_rest(tables: np.ndarray) -> tuple[Counts, Ratios]:
    """Return tp, fn, fp and tn of each class against the rest (N x K each), the class sizes, and the totals.

    >>> (tp, fn, fp, tn), (sizes, n) = against_the_rest(np.array([[[3, 1], [0, 2]]]))
    >>> tp.tolist(), fn.tolist(), fp.tolist(), tn.tolist(), sizes.tolist(), n.tolist()
    ([[3, 2]], [[1, 0]], [[0, 1]], [[2, 3]], [[4, 2]], [[6]])
    """
    tp = _diagonal(tables)
    sizes = tables.sum(axis=2)
    fn = sizes - tp
    fp = tables.sum(axis=1) - tp
    n = sizes.sum(axis=1, keepdims=True)
    return (tp, fn, fp, n - sizes - fp), (sizes, n)


def over_pairs(tables: np.ndarray) -> tuple[Counts, Ratios]:
    """Return tp, fn, fp and tn of each ordered pair of classes (N x K(K - 1) each), and weights for their mean.

    In the pair (i, j), class i is positive. Only objects count whose true and predicted classes are both i or j.
    The weights are all 1, and their sum is K(K - 1).

    >>> (tp, fn, fp, tn), (ones, pairs) = over_pairs(np.array([[[3, 1], [0, 2]]]))
    >>> tp.tolist(), fn.tolist(), fp.tolist(), tn.tolist(), pairs.tolist()
    ([[3, 2]], [[1, 0]], [[0, 1]], [[2, 3]], [[2, 2]])
    """
    i, j = _pairs_of_classes(tables)
    fn = tables[:, i, j]
    weights = np.ones_like(fn)
    counts = tables[:, i, i], fn, tables[:, j, i], tables[:, j, j]
    return counts, (weights, len(i) * weights)


def one_against_one(tables: np.ndarray) -> tuple[Counts, Ratios]:
    """Return tp, fn, fp and tn as `over_pairs`, but of all objects of both classes.

    An object that is not predicted in the first class counts as predicted in the second.

    >>> (tp, fn, fp, tn), _ = one_against_one(np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 4]]]))
    >>> [counts[0, 1].item() for counts in (tp, fn, fp, tn)]  # class 0 against class 2
    [3, 1, 1, 4]
    """
    i, j = _pairs_of_classes(tables)
    (tp, _, fp, _), weights = over_pairs(tables)
    sizes = tables.sum(axis=2)
    return (
        tp,
        sizes[:, i] - tp,
        fp,
        sizes[:, j] - fp,
    ), weights


def _pairs_of_classes(tables: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the class indices i and j of all ordered pairs of different classes."""
    classes = tables.shape[1]
    if classes < 2:
        raise ValueError("pairs of classes need at least two classes, got 1 x 1 tables")
    return np.nonzero(~np.eye(classes, dtype=bool))


# --- exact sums along the second axis ---------------------------------------------------------------


def _over_common(numerators: np.ndarray, denominators: np.ndarray) -> Ratios:
    """Return fractions (N x T) as numerators (N x T) over a common denominator of each row (N).

    The fractions are not negative, and the sum of a row is at most 1.
    """
    numerators, denominators = lowest_terms(numerators, denominators)
    common = np.ones(len(denominators), denominators.dtype)
    for term in denominators.T:
        if int(common.max(initial=1)) * int(term.max(initial=1)) >= _WORD:
            common, numerators, denominators = (x.astype(object) for x in (common, numerators, denominators))
        common = np.lcm(common, term)
    return numerators * (common[:, None] // denominators), common


def _sum_of_ratios(numerators: np.ndarray, denominators: np.ndarray, is_counted: np.ndarray) -> Ratios:
    """Return the sum of the fractions of each row, as numerators and denominators in lowest terms.

    ``is_counted`` marks fractions with a positive weight. A sum is 0/0 if a counted fraction is 0/0, or none is
    counted.
    """
    empty = denominators == 0
    is_defined = is_counted.any(axis=1) & ~(empty & is_counted).any(axis=1)
    parts, common = _over_common(
        np.where(empty, 0, numerators),
        np.where(empty, 1, denominators),
    )
    return lowest_terms(
        parts.sum(axis=1) * is_defined,
        common * is_defined,
    )


def _sums_of_roots(
    numerators: np.ndarray, denominators: np.ndarray, radicands: np.ndarray, is_counted: np.ndarray
) -> tuple[list[Any], np.ndarray]:
    """Return the values of the sums of the rows, and for each row the index of its value.

    A row has the terms numerator/denominator sqrt(radicand). ``is_counted`` marks terms with a positive weight. Rows
    with the same terms in any order have the same value. A sum is nan if a counted term is 0/0, or none is counted.
    """
    table = np.stack([numerators, denominators, radicands], axis=2)
    numbers: dict[Any, int] = {}
    places = []
    for row, counted in zip(table, is_counted):
        terms = sorted(row[counted].tolist())
        key = tuple(map(tuple, terms))
        place = numbers.setdefault(key, len(numbers))
        places.append(place)
    values = list(map(_root_sum, numbers))
    return values, np.array(places, np.int64)


def _root_sum(terms: tuple[tuple[int, int, int], ...]) -> RootSum | float:
    """Return the sum of p/q sqrt(radicand) over ``terms`` (p, q, radicand), nan if there is no term or a q is 0."""
    if not terms or any(q == 0 for _, q, _ in terms):
        return nan
    parts: list[Term] = []
    for p, q, radicand in terms:
        parts += [(Fraction(p, q) * weight, rest) for weight, rest in _square_root(radicand).terms]
    return _number(RootSum.of(sorted(parts, key=itemgetter(1))).terms)


_square_root = lru_cache(2**16)(RootSum.sqrt)
_number = lru_cache(2**16)(RootSum)  # equal sums are one object
