"""Textbook definitions of metrics, as plain as they are printed: what an index is compared with.

A definition takes a contingency table (of a classifier: rows true classes; of scores: classes and scores) and returns
a Fraction, or a float where it has roots or logarithms; it raises ZeroDivisionError where it is 0/0.  They share hardly
any code with ``confmat.indices``, and are tested against it.

>>> rand = DEFINITIONS["Rand"]
>>> rand.formula, rand([[2, 1], [0, 2]])
('(a + d) / (a + b + c + d)', Fraction(3, 5))
>>> from confmat.testing import contract
>>> contract(lambda table: 1.0, reference="Rand", n=3, every=3, examples=5)["reference"].beyond.n
3
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from math import comb, exp, fsum, lcm, lgamma, log, prod, sqrt
from typing import Any

from confmat.matrices import best_matching

__all__ = ["DEFINITIONS", "Definition"]

Table = Sequence[Sequence[Any]]
DefinedValue = Fraction | float


@dataclass(frozen=True)
class Definition:
    """A formula, its value, what follows from it (arguments of `confmat.contract`), and up to how many objects.

    >>> DEFINITIONS["kappa"]([[1, 0], [0, 1]]), DEFINITIONS["kappa"].claims["identity"]
    (Fraction(1, 1), 1)
    """

    name: str
    formula: str
    value: Callable[..., DefinedValue]
    claims: dict[str, Any] = field(default_factory=dict)
    takes: str = "table"
    largest: int | None = None

    def __call__(self, *case: Any) -> DefinedValue:
        return self.value(*case)


def _rows_of(table: Table) -> list[list[int]]:
    """The table in whole numbers of Python, which do not overflow."""
    return [list(map(int, row)) for row in table]


def _line_sums(rows: list[list[int]]) -> tuple[list[int], list[int]]:
    """Sums of rows and of columns.

    >>> _line_sums([[2, 1], [0, 2]])
    ([3, 2], [2, 3])
    """
    return [sum(row) for row in rows], [sum(column) for column in zip(*rows)]


def _cells(rows: list[list[int]]) -> list[int]:
    return [x for row in rows for x in row]


# --- pairs of objects: a in both clusterings together, b only in the first, c only in the second, d in none ---


def _formula_of_pairs(
    formula: Callable[[int, int, int, int], DefinedValue],
) -> Callable[[Table], DefinedValue]:
    """A formula in the four numbers of pairs."""

    def value(table: Table) -> DefinedValue:
        rows = _rows_of(table)
        row_sums, column_sums = _line_sums(rows)
        pairs_in_cells, pairs_in_rows, pairs_in_columns = (
            sum(comb(x, 2) for x in xs) for xs in (_cells(rows), row_sums, column_sums)
        )
        b = pairs_in_rows - pairs_in_cells
        c = pairs_in_columns - pairs_in_cells
        return formula(pairs_in_cells, b, c, comb(sum(row_sums), 2) - pairs_in_cells - b - c)

    return value


def _adjusted_fowlkes_mallows(a: int, b: int, c: int, d: int) -> float:
    mean = Fraction((a + b) * (a + c), a + b + c + d)
    return (a - mean) / (sqrt((a + b) * (a + c)) - mean)


def _correlation(a: int, b: int, c: int, d: int) -> float:
    return (a * d - b * c) / sqrt((a + b) * (a + c) * (d + b) * (d + c))


# --- logarithms ---


def _entropy_of_sizes(sizes: list[int]) -> float:
    n = sum(sizes)
    return fsum(-x / n * log(x / n) for x in sizes if x)


def _of_entropies(formula: Callable[[float, float, float], float]) -> Callable[[Table], float]:
    """A formula in the entropies of both clusterings and their joint one, in nats."""

    def value(table: Table) -> float:
        rows = _rows_of(table)
        row_sums, column_sums = _line_sums(rows)
        return formula(
            _entropy_of_sizes(row_sums),
            _entropy_of_sizes(column_sums),
            _entropy_of_sizes(_cells(rows)),
        )

    return value


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _adjusted_mutual_information(table: Table) -> float:
    rows = _rows_of(table)
    row_sums, column_sums = _line_sums(rows)
    n = sum(row_sums)
    terms = []
    for a in row_sums:
        for b in column_sums:
            for x in range(max(1, a + b - n), min(a, b) + 1):
                log_chance = _log_comb(a, x) + _log_comb(n - a, b - x) - _log_comb(n, b)
                terms.append(x / n * log(n * x / (a * b)) * exp(log_chance))
    mean = fsum(terms)
    entropies = _entropy_of_sizes(row_sums), _entropy_of_sizes(column_sums)
    spread = sum(entropies) / 2 - mean
    if abs(spread) < 1e-12:  # one cluster on both sides, or single objects
        raise ZeroDivisionError
    return (sum(entropies) - _entropy_of_sizes(_cells(rows)) - mean) / spread


# --- overlaps ---


def _purity(table: Table) -> Fraction:
    """The largest class of each found cluster: of each column."""
    return Fraction(
        sum(map(max, zip(*_rows_of(table)))),
        sum(map(sum, _rows_of(table))),
    )


def _larger_projection_distance(table: Table) -> Fraction:
    return 1 - min(
        _purity(table),
        _purity(list(zip(*_rows_of(table)))),
    )


def _best_sum(rows: Sequence[Sequence[int]]) -> int:
    """The largest sum of cells, one in a row and column each: of all choices, or, of many lines, by an algorithm.

    >>> _best_sum([[2, 1], [0, 2]]), _best_sum([[int(i != j) for i in range(9)] for j in range(9)])
    (4, 9)
    """
    short_side: Sequence[Sequence[int]] = rows
    long_side: Sequence[Sequence[int]] = list(zip(*rows))
    if len(short_side) > len(long_side):
        short_side, long_side = long_side, short_side
    if len(long_side) > _MOST_PERMUTED:
        return int(best_matching(rows).total)
    orders = permutations(range(len(long_side)), len(short_side))
    return max(sum(row[j] for row, j in zip(short_side, order)) for order in orders)


_MOST_PERMUTED = 7


def _pivoted_accuracy(table: Table) -> Fraction:
    n = sum(map(sum, _rows_of(table)))
    k = max(len(table), len(table[0]))
    return (Fraction(_best_sum(_rows_of(table)), n) - Fraction(1, k)) / (1 - Fraction(1, k))


def _clustering_accuracy(table: Table) -> Fraction:
    """Missing rows and columns are filled with 0, and 0/0 is 0, as its author says."""
    rows = _rows_of(table)
    k = max(len(rows), len(rows[0]))
    square = [[0] * k for _ in range(k)]
    for i, row in enumerate(rows):
        square[i][: len(row)] = row
    # In units of 1 / (k - 1) / the least common multiple: whole numbers, moved by k - 1 so that none is negative.
    common = lcm(*[sum(row) for row in square if any(row)])
    gains = []
    for row in square:
        size = sum(row)
        gains.append([k * x * common // size for x in row] if size else [common] * k)
    return (Fraction(_best_sum(gains), common) - k) / (k * (k - 1))


def _split_join(table: Table) -> Fraction:
    rows = _rows_of(table)
    return Fraction(2 * sum(map(sum, rows)) - sum(map(max, rows)) - sum(map(max, zip(*rows))))


# --- classifiers: true classes in rows ---


def _mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _of_classes(
    formula: Callable[[int, int, int, int], Fraction],
    average: Callable[[list[Fraction]], DefinedValue] = _mean,
) -> Callable[[Table], DefinedValue]:
    """The average over classes of a formula in tp, fn, fp, tn."""

    def value(table: Table) -> DefinedValue:
        rows = _rows_of(table)
        row_sums, column_sums = _line_sums(rows)
        n = sum(row_sums)
        values = []
        for k, (r, c) in enumerate(zip(row_sums, column_sums)):
            hits = rows[k][k]
            values.append(
                formula(
                    hits,
                    r - hits,
                    c - hits,
                    n - r - c + hits,
                )
            )
        return average(values)

    return value


def _of_agreement(
    formula: Callable[[int, int, list[int], list[int]], DefinedValue],
) -> Callable[[Table], DefinedValue]:
    """A formula in the number of objects, of right ones, and the margins."""

    def value(table: Table) -> DefinedValue:
        rows = _rows_of(table)
        row_sums, column_sums = _line_sums(rows)
        return formula(
            sum(row_sums),
            sum(row[k] for k, row in enumerate(rows)),
            row_sums,
            column_sums,
        )

    return value


def _kappa(n: int, hits: int, rows: list[int], columns: list[int]) -> Fraction:
    chance = sum(x * y for x, y in zip(rows, columns))
    return Fraction(n * hits - chance, n * n - chance)


def _pi(n: int, hits: int, rows: list[int], columns: list[int], values: int = 0) -> Fraction:
    """Disagreement beyond that of ``values`` values in a random order, the 2 n of both raters unless said."""
    squares = sum((x + y) ** 2 for x, y in zip(rows, columns))
    return 1 - (values or 2 * n) * Fraction(
        2 * (n - hits),
        4 * n * n - squares,
    )


def _matthews(n: int, hits: int, rows: list[int], columns: list[int]) -> float:
    chance = sum(x * y for x, y in zip(rows, columns))
    row_squares = sum(x * x for x in rows)
    column_squares = sum(y * y for y in columns)
    row_spread = n * n - row_squares
    column_spread = n * n - column_squares
    covariance = n * hits - chance
    return covariance / sqrt(row_spread * column_spread)


def _geometric_mean(values: list[Fraction]) -> float:
    return float(prod(values)) ** (1 / len(values))


def _curve_area(truth: Sequence[int], scores: Sequence[float]) -> Fraction:
    positives, negatives = ([x for y, x in zip(truth, scores) if y == kind] for kind in (1, 0))
    return Fraction(
        sum(2 * (x > y) + (x == y) for x in positives for y in negatives),
        2 * len(positives) * len(negatives),
    )


# --- all of them ---

_SHARE = {"bounds": (0, 1)}
_INDEX = {"bounds": (0, 1), "identity": 1}
_DISTANCE = {"bounds": (0, None), "metric": True}
_ADJUSTED = {"bounds": (None, 1), "identity": 1}
_ONE_SIDED = {"bounds": (0, 1), "symmetric": False}
_OPTIONS_OF_CLASSES = {"classifier": True, "bounds": (0, 1)}
_BOTH_WAYS = {"classifier": True, "bounds": (-1, 1), "identity": 1, "symmetric": True}

_TEXTBOOK: dict[str, tuple[Any, ...]] = {
    "Rand": (
        "(a + d) / (a + b + c + d)",
        _formula_of_pairs(lambda a, b, c, d: Fraction(a + d, a + b + c + d)),
        _INDEX,
    ),
    "adjusted Rand": (
        "2 (ad - bc) / ((a + b)(b + d) + (a + c)(c + d))",
        _formula_of_pairs(
            lambda a, b, c, d: Fraction(2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d))
        ),
        _ADJUSTED,
    ),
    "Jaccard": ("a / (a + b + c)", _formula_of_pairs(lambda a, b, c, d: Fraction(a, a + b + c)), _INDEX),
    "Fowlkes-Mallows": (
        "a / sqrt((a + b)(a + c))",
        _formula_of_pairs(lambda a, b, c, d: a / sqrt((a + b) * (a + c))),
        _INDEX,
    ),
    "adjusted Fowlkes-Mallows": (
        "(a - e) / (sqrt((a + b)(a + c)) - e), e = (a + b)(a + c) / (a + b + c + d)",
        _formula_of_pairs(_adjusted_fowlkes_mallows),
        _ADJUSTED,
    ),
    "Dice": (
        "2a / (2a + b + c)",
        _formula_of_pairs(lambda a, b, c, d: Fraction(2 * a, 2 * a + b + c)),
        _INDEX,
    ),
    "Kulczynski": (
        "(a / (a + b) + a / (a + c)) / 2",
        _formula_of_pairs(lambda a, b, c, d: (Fraction(a, a + b) + Fraction(a, a + c)) / 2),
        _INDEX,
    ),
    "Rogers-Tanimoto": (
        "(a + d) / (a + 2 (b + c) + d)",
        _formula_of_pairs(lambda a, b, c, d: Fraction(a + d, a + 2 * (b + c) + d)),
        _INDEX,
    ),
    "Russell-Rao": (
        "a / (a + b + c + d)",
        _formula_of_pairs(lambda a, b, c, d: Fraction(a, a + b + c + d)),
        _SHARE,
    ),
    "Sokal-Sneath 1": (
        "a / (a + 2 (b + c))",
        _formula_of_pairs(lambda a, b, c, d: Fraction(a, a + 2 * (b + c))),
        _INDEX,
    ),
    "Sokal-Sneath 2": (
        "(a + d) / (a + d + (b + c) / 2)",
        _formula_of_pairs(lambda a, b, c, d: (a + d) / (a + d + Fraction(b + c, 2))),
        _INDEX,
    ),
    "Southwood": (
        "a / (b + c)",
        _formula_of_pairs(lambda a, b, c, d: Fraction(a, b + c)),
        {"bounds": (0, None)},
    ),
    "correlation of pairs": (
        "(ad - bc) / sqrt((a + b)(a + c)(d + b)(d + c))",
        _formula_of_pairs(_correlation),
        {"bounds": (-1, 1), "identity": 1},
    ),
    "Hubert's gamma": (
        "(a + d - b - c) / (a + b + c + d)",
        _formula_of_pairs(lambda a, b, c, d: Fraction(a + d - b - c, a + b + c + d)),
        {"bounds": (-1, 1), "identity": 1},
    ),
    "discordance": (
        "(b + c) / (a + b + c + d)",
        _formula_of_pairs(lambda a, b, c, d: Fraction(b + c, a + b + c + d)),
        {"bounds": (0, 1), "metric": True},
    ),
    "precision of pairs": (
        "a / (a + c)",
        _formula_of_pairs(lambda a, b, c, d: Fraction(a, a + c)),
        _ONE_SIDED,
    ),
    "recall of pairs": ("a / (a + b)", _formula_of_pairs(lambda a, b, c, d: Fraction(a, a + b)), _ONE_SIDED),
    "mutual information": (
        "H(A) + H(B) - H(A, B), in nats",
        _of_entropies(lambda x, y, z: x + y - z),
        {"bounds": (0, None)},
    ),
    "mutual information in bits": (
        "H(A) + H(B) - H(A, B), in bits",
        _of_entropies(lambda x, y, z: (x + y - z) / log(2)),
        {"bounds": (0, None)},
    ),
    "normalised mutual information": (
        "2 I / (H(A) + H(B))",
        _of_entropies(lambda x, y, z: 2 * (x + y - z) / (x + y)),
        _INDEX,
    ),
    "NMI by the geometric mean": (
        "I / sqrt(H(A) H(B))",
        _of_entropies(lambda x, y, z: (x + y - z) / sqrt(x * y)),
        _INDEX,
    ),
    "NMI by the larger entropy": (
        "I / max(H(A), H(B))",
        _of_entropies(lambda x, y, z: (x + y - z) / max(x, y)),
        _INDEX,
    ),
    "NMI by the smaller entropy": (
        "I / min(H(A), H(B))",
        _of_entropies(lambda x, y, z: (x + y - z) / min(x, y)),
        _SHARE,
    ),
    "homogeneity": ("I / H(A)", _of_entropies(lambda x, y, z: (x + y - z) / x), _ONE_SIDED),
    "completeness": ("I / H(B)", _of_entropies(lambda x, y, z: (x + y - z) / y), _ONE_SIDED),
    "conditional entropy in bits": (
        "H(A | B), in bits",
        _of_entropies(lambda x, y, z: (z - y) / log(2)),
        {"bounds": (0, None), "symmetric": False},
    ),
    "variation of information": (
        "2 H(A, B) - H(A) - H(B), in nats",
        _of_entropies(lambda x, y, z: 2 * z - x - y),
        _DISTANCE,
    ),
    "variation of information in bits": (
        "2 H(A, B) - H(A) - H(B), in bits",
        _of_entropies(lambda x, y, z: (2 * z - x - y) / log(2)),
        _DISTANCE,
    ),
    "adjusted mutual information": (
        "(I - E I) / ((H(A) + H(B)) / 2 - E I)",
        _adjusted_mutual_information,
        _ADJUSTED,
        "table",
        1000,
    ),
    "purity": ("sum over columns of the largest cell, over n", _purity, _ONE_SIDED),
    "larger projection distance": (
        "1 - (smaller of the sums of row maxima and of column maxima) / n",
        _larger_projection_distance,
        {"bounds": (0, 1), "metric": True},
    ),
    "split-join": ("2n - sum of row maxima - sum of column maxima", _split_join, _DISTANCE),
    "pivoted accuracy": (
        "(largest sum of matched cells / n - 1/K) / (1 - 1/K), K = max(r, s)",
        _pivoted_accuracy,
        _INDEX,
    ),
    "normalised clustering accuracy": (
        "largest mean over rows of (cell / row - 1/K) / (1 - 1/K), one a row and column",
        _clustering_accuracy,
        _ONE_SIDED,
    ),
    "accuracy": (
        "right / n",
        _of_agreement(lambda n, right, *_: Fraction(right, n)),
        {**_OPTIONS_OF_CLASSES, "identity": 1, "symmetric": True},
    ),
    "error rate": (
        "1 - right / n",
        _of_agreement(lambda n, right, *_: 1 - Fraction(right, n)),
        {**_OPTIONS_OF_CLASSES, "identity": 0, "symmetric": True},
    ),
    "kappa": ("(n right - sum r c) / (n^2 - sum r c)", _of_agreement(_kappa), _BOTH_WAYS),
    "Scott's pi": (
        "(4 n right - sum (r + c)^2) / (4 n^2 - sum (r + c)^2)",
        _of_agreement(_pi),
        _BOTH_WAYS,
    ),
    "Krippendorff's alpha": (
        "1 - 2 (2 n - 1) (n - right) / (4 n^2 - sum (r + c)^2), nominal, of two raters",
        _of_agreement(lambda n, right, rows, columns: _pi(n, right, rows, columns, 2 * n - 1)),
        {**_BOTH_WAYS, "bounds": (None, 1)},
    ),
    "Matthews": (
        "(n right - sum r c) / sqrt((n^2 - sum r^2)(n^2 - sum c^2))",
        _of_agreement(_matthews),
        _BOTH_WAYS,
    ),
    "macro recall": (
        "mean tp / (tp + fn)",
        _of_classes(lambda tp, fn, fp, tn: Fraction(tp, tp + fn)),
        _OPTIONS_OF_CLASSES,
    ),
    "macro precision": (
        "mean tp / (tp + fp)",
        _of_classes(lambda tp, fn, fp, tn: Fraction(tp, tp + fp)),
        _OPTIONS_OF_CLASSES,
    ),
    "macro F": (
        "mean 2 tp / (2 tp + fn + fp)",
        _of_classes(lambda tp, fn, fp, tn: Fraction(2 * tp, 2 * tp + fn + fp)),
        {**_OPTIONS_OF_CLASSES, "identity": 1, "symmetric": True},
    ),
    "macro Jaccard": (
        "mean tp / (tp + fn + fp)",
        _of_classes(lambda tp, fn, fp, tn: Fraction(tp, tp + fn + fp)),
        {**_OPTIONS_OF_CLASSES, "identity": 1, "symmetric": True},
    ),
    "macro specificity": (
        "mean tn / (tn + fp)",
        _of_classes(lambda tp, fn, fp, tn: Fraction(tn, tn + fp)),
        _OPTIONS_OF_CLASSES,
    ),
    "macro negative predictive value": (
        "mean tn / (tn + fn)",
        _of_classes(lambda tp, fn, fp, tn: Fraction(tn, tn + fn)),
        _OPTIONS_OF_CLASSES,
    ),
    "G-mean": (
        "(product of tp / (tp + fn))^(1 / classes)",
        _of_classes(
            lambda tp, fn, fp, tn: Fraction(tp, tp + fn),
            _geometric_mean,
        ),
        _OPTIONS_OF_CLASSES,
    ),
    "area under the curve": (
        "share of pairs of classes in the order of their scores, ties half",
        _curve_area,
        {"bounds": (0, 1), "identity": 1},
        "scores",
    ),
}

DEFINITIONS = {name: Definition(name, *fields) for name, fields in _TEXTBOOK.items()}
"""By name; `confmat contract module:function --reference "macro F"` compares with one of them."""
