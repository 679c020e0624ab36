"""Metrics of many square confusion matrices at once (rows = truth), exact: the fast side of ``measures``.

Every metric is a weighted sum of terms, one for each 2 x 2 table that its strategy looks at: class i against the
rest, weighted by its frequency (``auc``, ``f``, ``gsp``, ``gss``), or every ordered pair of classes, all alike
(``auc_pairs``, ...).  A term is a fraction, or the square root of one, of the four counts of that table.
"""

from collections.abc import Callable
from functools import lru_cache
from math import isqrt, nan

import numpy as np

from confmat.indices.classification.roots import RootSum
from confmat.indices.numbers import lowest_terms
from confmat.matrices.arguments import as_choice

# Numerators and denominators of fractions; a denominator 0 marks 0/0.
Ratios = tuple[np.ndarray, np.ndarray]

# A product of four counts, or a common denominator, below this is safe in 64 bits.
_WORD = 2**61

# Two counts whose fourth power is below a word, and numbers of beta below this, have a product below 2^62.
_MOST_OF_BETA = 2**30

# Squarefree parts are listed up to the largest total.
_MOST_OBJECTS = 10**7


def ratios(name: str, tables: np.ndarray) -> Ratios:
    """Numerators and denominators, in lowest terms, of a rational metric of every table.

    ``name``: "cor", "bcr", "auc", "f", "auc_pairs" or "f_pairs" (F with beta = 1); ``tables``: N x K x K whole
    numbers.  Undefined values are 0/0.  Arrays of int64, or of Python ints where 64 bits do not suffice;
    O(N K^2).

    >>> ratios("bcr", np.array([[[3, 1], [0, 2]], [[5, 0], [0, 0]]]))
    (array([7, 1]), array([8, 1]))
    """
    tables = _square(as_choice("name", name, RATIONAL), tables)
    hits, rows = _diagonal(tables), tables.sum(axis=2)
    if name == "cor":
        return lowest_terms(hits.sum(axis=1), rows.sum(axis=1))
    if name == "bcr":
        return sum_of_ratios(hits, (rows > 0).sum(axis=1, keepdims=True) * rows, rows > 0)
    measure, counts, (weights, whole) = _terms(name, tables)
    numerators, denominators = measure(*counts)
    return sum_of_ratios(weights * numerators, whole * denominators, weights > 0)


def macro_means(name: str, tables: np.ndarray) -> Ratios:
    """Numerators and denominators of the mean over all classes of "recall", "precision" or "f1" of each.

    >>> macro_means("f1", np.array([[[8, 2], [1, 4]], [[5, 0], [0, 0]]]))
    (array([164,   0]), array([209,   0]))
    """
    tables = _square(as_choice("name", name, ("recall", "precision", "f1")), tables)
    hits, rows, cols = _diagonal(tables), tables.sum(axis=2), tables.sum(axis=1)
    above, below = {"recall": (hits, rows), "precision": (hits, cols), "f1": (2 * hits, rows + cols)}[name]
    return sum_of_ratios(above, below * tables.shape[1], np.ones_like(above, bool))


def root_means(name: str, tables: np.ndarray) -> np.ndarray:
    """A mean of geometric means of every table, as doubles: "gsp", "gss", "gsp_pairs" or "gss_pairs".

    Correctly rounded, as those of one table are.  The roots are first brought to the form sum a_d sqrt(d) with rational
    a_d and distinct squarefree d, which is unique.  Undefined values are nan.

    >>> root_means("gss", np.array([[[1, 1], [0, 2]], [[2, 2], [0, 4]]]))
    array([0.70710678, 0.70710678])
    """
    tables = _square(as_choice("name", name, ROOTS), tables)
    measure, counts, (weights, whole) = _terms(name, tables)
    outside, denominators, factors = measure(*counts)
    roots, radicands = _root_of_product(factors)
    return _sum_of_roots(weights * outside * roots, whole * denominators, radicands, weights > 0)


def one_against_one_auc(tables: np.ndarray) -> Ratios:
    """Numerators and denominators of the mean AUC over pairs of classes with all their objects (Hand & Till 2001).

    >>> one_against_one_auc(np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 4]]]))
    (array([71]), array([80]))
    """
    counts, (weights, whole) = one_against_one(_square("auc3", tables))
    numerators, denominators = _auc(*counts)
    return sum_of_ratios(weights * numerators, whole * denominators, weights > 0)


def f_means(p: int, q: int, tables: np.ndarray) -> Ratios:
    """Numerators and denominators of the mean F-measure against the rest, the square of whose beta is p/q.

    >>> f_means(4, 1, np.array([[[3, 1], [0, 2]]]))
    (array([520]), array([627]))
    """
    tables = _square("F", tables)
    if p + q >= _MOST_OF_BETA:
        tables = tables.astype(object)
    (tp, fn, fp, _), (weights, whole) = against_the_rest(tables)
    numerators = (p + q) * tp
    denominators = numerators + p * fn + q * fp
    return sum_of_ratios(weights * numerators, whole * denominators, weights > 0)


def _square(name: str, tables: np.ndarray) -> np.ndarray:
    if tables.ndim != 3 or tables.shape[1] != tables.shape[2]:
        shape = " x ".join(map(str, tables.shape[1:]))
        raise ValueError(f"{name!r} needs square confusion matrices (truth x prediction), got {shape}")
    # An entry too, since a sum of huge ones may overflow.
    largest = max(int(x.max(initial=0)) for x in (tables, tables.sum(axis=(1, 2))))
    wide = tables.dtype == object or largest**4 >= _WORD
    return tables.astype(object if wide else np.int64, casting="same_kind", copy=False)


def _diagonal(tables: np.ndarray) -> np.ndarray:
    return np.diagonal(tables, axis1=1, axis2=2)


# --- terms: the four counts of the 2 x 2 tables, and their weights ----------------------------------

Counts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def against_the_rest(tables: np.ndarray) -> tuple[Counts, Ratios]:
    """True positives, false negatives, false positives, true negatives of every class (N x K each); its share.

    >>> (tp, fn, fp, tn), (sizes, n) = against_the_rest(np.array([[[3, 1], [0, 2]]]))
    >>> tp.tolist(), fn.tolist(), fp.tolist(), tn.tolist(), sizes.tolist(), n.tolist()
    ([[3, 2]], [[1, 0]], [[0, 1]], [[2, 3]], [[4, 2]], [[6]])
    """
    hits, rows, cols = _diagonal(tables), tables.sum(axis=2), tables.sum(axis=1)
    n = rows.sum(axis=1, keepdims=True)
    return (hits, rows - hits, cols - hits, n - rows - cols + hits), (rows, n)


def over_pairs(tables: np.ndarray) -> tuple[Counts, Ratios]:
    """The same for every ordered pair of classes, the first positive (N x K(K - 1) each); weights all alike.

    >>> (tp, fn, fp, tn), (ones, pairs) = over_pairs(np.array([[[3, 1], [0, 2]]]))
    >>> tp.tolist(), fn.tolist(), fp.tolist(), tn.tolist(), pairs.tolist()
    ([[3, 2]], [[1, 0]], [[0, 1]], [[2, 3]], [[2, 2]])
    """
    i, j = _pairs(tables)
    weights = np.ones_like(tables[:, i, j])
    return (tables[:, i, i], tables[:, i, j], tables[:, j, i], tables[:, j, j]), (weights, len(i) * weights)


def one_against_one(tables: np.ndarray) -> tuple[Counts, Ratios]:
    """The same with all objects of the two classes, predicted in the first or not.

    >>> (tp, fn, fp, tn), _ = one_against_one(np.array([[[3, 1, 0], [0, 2, 0], [1, 0, 4]]]))
    >>> [counts[0, 1].item() for counts in (tp, fn, fp, tn)]  # class 0 against class 2
    [3, 1, 1, 4]
    """
    i, j = _pairs(tables)
    (tp, _, fp, _), weights = over_pairs(tables)
    sizes = tables.sum(axis=2)
    return (tp, sizes[:, i] - tp, fp, sizes[:, j] - fp), weights


def _pairs(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of both classes in every ordered pair."""
    k = tables.shape[1]
    if k < 2:
        raise ValueError("pairs of classes need at least two classes, got 1 x 1 tables")
    first, second = np.nonzero(~np.eye(k, dtype=bool))
    return first, second


def _auc(tp: np.ndarray, fn: np.ndarray, fp: np.ndarray, tn: np.ndarray) -> Ratios:
    """(tp/(tp + fn) + tn/(tn + fp))/2."""
    return tp * (fp + tn) + tn * (tp + fn), 2 * (tp + fn) * (fp + tn)


def _f(tp: np.ndarray, fn: np.ndarray, fp: np.ndarray, tn: np.ndarray) -> Ratios:
    """2 tp/(2 tp + fn + fp)."""
    return 2 * tp, 2 * tp + fn + fp


# c, q and factors: the term is c/q times the square root of the product of the factors.
RootTerms = tuple[np.ndarray, np.ndarray, tuple[np.ndarray, ...]]


def _gsp(tp: np.ndarray, fn: np.ndarray, fp: np.ndarray, tn: np.ndarray) -> RootTerms:
    """sqrt(tp/(tp + fn) tp/(tp + fp))."""
    positive, predicted = tp + fn, tp + fp
    return tp, positive * predicted, (positive, predicted)


def _gss(tp: np.ndarray, fn: np.ndarray, fp: np.ndarray, tn: np.ndarray) -> RootTerms:
    """sqrt(tp/(tp + fn) tn/(tn + fp))."""
    positive, negative = tp + fn, tn + fp
    return np.ones_like(tp), positive * negative, (tp, tn, positive, negative)


_RATIOS: dict[str, Callable[..., tuple]] = {"auc": _auc, "f": _f}
_ROOTS: dict[str, Callable[..., tuple]] = {"gsp": _gsp, "gss": _gss}
_MEASURES = _RATIOS | _ROOTS
RATIONAL = ("cor", "bcr", *_RATIOS, *(f"{name}_pairs" for name in _RATIOS))
ROOTS = (*_ROOTS, *(f"{name}_pairs" for name in _ROOTS))


def _terms(name: str, tables: np.ndarray) -> tuple[Callable[..., tuple], Counts, Ratios]:
    measure = _MEASURES[name.removesuffix("_pairs")]
    return measure, *(over_pairs if name.endswith("_pairs") else against_the_rest)(tables)


# --- exact sums along the second axis ---------------------------------------------------------------


def _over_common(numerators: np.ndarray, denominators: np.ndarray) -> Ratios:
    """Fractions (N x T) over a common denominator (N); none is negative, and no sum exceeds 1."""
    numerators, denominators = lowest_terms(numerators, denominators)
    common = np.ones(len(denominators), denominators.dtype)
    for term in denominators.T:
        if int(common.max(initial=1)) * int(term.max(initial=1)) >= _WORD:
            common, numerators, denominators = (x.astype(object) for x in (common, numerators, denominators))
        common = np.lcm(common, term)
    return numerators * (common[:, None] // denominators), common


def sum_of_ratios(numerators: np.ndarray, denominators: np.ndarray, counted: np.ndarray) -> Ratios:
    """Row sums in lowest terms; 0/0 where a counted term is 0/0, or none counts."""
    numerators, denominators, defined = _defined(numerators, denominators, counted)
    parts, common = _over_common(numerators, denominators)
    return lowest_terms(parts.sum(axis=1) * defined, common * defined)


def _defined(
    numerators: np.ndarray, denominators: np.ndarray, counted: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Terms with 0/1 where they are 0/0; whether a table has counted terms, all of them defined."""
    empty = denominators == 0
    defined = counted.any(axis=1) & ~(empty & counted).any(axis=1)
    return np.where(empty, 0, numerators), np.where(empty, 1, denominators), defined


@lru_cache(maxsize=2)
def _square_parts(largest: int) -> tuple[np.ndarray, np.ndarray]:
    """f and d with k = f^2 d, d squarefree, for k = 0..largest; 0 = 0^2 1."""
    roots = np.ones(largest + 1, np.int64)
    for f in range(2, isqrt(largest) + 1):
        roots[f * f :: f * f] = f
    free = np.arange(largest + 1) // roots**2
    roots[0], free[0] = 0, 1
    return roots, free


def _root_of_product(factors: tuple[np.ndarray, ...]) -> Ratios:
    """f and d with product = f^2 d, d squarefree."""
    largest = max(int(factor.max(initial=0)) for factor in factors)
    if largest > _MOST_OBJECTS:
        raise ValueError(f"tables must have classes of at most {_MOST_OBJECTS} objects, got {largest}")
    roots, free = _square_parts(largest)
    root = radicand = np.ones_like(factors[0])
    for factor in factors:
        index = factor.astype(np.int64)
        shared = np.gcd(radicand, free[index])
        root = root * roots[index] * shared
        radicand = (radicand // shared) * (free[index] // shared)
    return root, radicand


def _sum_of_roots(
    numerators: np.ndarray, denominators: np.ndarray, radicands: np.ndarray, counted: np.ndarray
) -> np.ndarray:
    """Row sums of numerator/denominator sqrt(radicand), correctly rounded: equal sums are the same double."""
    numerators, denominators, defined = _defined(numerators, denominators, counted)
    parts, common = _over_common(numerators, denominators)
    divisor = np.gcd(np.gcd.reduce(parts, axis=1), common)
    parts, common = parts // divisor[:, None], common // divisor
    # In long doubles first; where their error leaves two doubles open, as in a percent of the cases, exactly.
    terms = parts.astype(np.longdouble) * np.sqrt(radicands.astype(np.longdouble))
    rough = terms.sum(axis=1) / common.astype(np.longdouble)
    kind = (
        np.longdouble if parts.dtype != object else float
    )  # whole numbers of Python's become doubles on the way
    error = rough * (parts.shape[1] + 8) * np.finfo(kind).eps
    total = (rough - error).astype(float)
    for row in np.flatnonzero(defined & (total != (rough + error).astype(float))):
        total[row] = _rounded(tuple(zip(parts[row].tolist(), radicands[row].tolist())), int(common[row]))
    return np.where(defined, total, nan)


@lru_cache(maxsize=2**16)
def _rounded(terms: tuple[tuple[int, int], ...], denominator: int) -> float:
    return float(sum((part * RootSum.sqrt(radicand) for part, radicand in terms), RootSum(())) / denominator)
