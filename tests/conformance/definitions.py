"""Textbook definitions of metrics, as they are printed.

A definition takes a contingency table (of a classifier: rows are true classes). It returns a Fraction, or a float if it
has roots or logarithms. It raises ZeroDivisionError if it is 0/0. The printed formula is what is evaluated. Definitions
share hardly any code with ``confmat.indices`` and are tested against it.

>>> rand = DEFINITIONS["Rand"]
>>> rand.formula, rand([[2, 1], [0, 2]])
('(a + d) / (a + b + c + d)', Fraction(3, 5))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from math import comb, exp, fsum, lcm, lgamma, log, prod, sqrt
from typing import Any

import numpy as np

from confmat.contingency import best_matching

__all__ = ["DEFINITIONS", "Definition"]

Table = Sequence[Sequence[Any]]
DefinedValue = Fraction | float


@dataclass(frozen=True)
class Definition:
    """A formula, its value, and what follows from it (arguments of `confmat.contract`).

    >>> DEFINITIONS["kappa"]([[1, 0], [0, 1]]), DEFINITIONS["kappa"].claims["identity"]
    (Fraction(1, 1), 1)
    """

    name: str
    formula: str
    value: Callable[..., DefinedValue]
    claims: dict[str, Any] = field(default_factory=dict)

    def __call__(self, *case: Any) -> DefinedValue:
        return self.value(*case)


def _rows_of(table: Table) -> list[list[int]]:
    """The table in whole numbers of Python, which do not overflow."""
    return [list(map(int, row)) for row in table]


def _columns_of(rows: list[list[int]]) -> list[tuple[int, ...]]:
    return list(zip(*rows))


def _cells_of(rows: list[list[int]]) -> list[int]:
    return [x for row in rows for x in row]


# --- what formulas speak of ---


def _of_clusterings(table: Table) -> dict[str, Any]:
    """Of two clusterings: pairs of objects, a in both together, b only in the first, c only in the second, d in none;
    entropies in nats, H(A), H(B), H(A, B), and I(A, B), what both share; n objects, rows, columns, K lines of the
    longer side, and the best sum of cells, one a row and column.

    >>> names = _of_clusterings([[2, 1], [0, 2]])
    >>> [int(names[name]) for name in "abcdn"], names["best"](names["rows"])
    ([2, 2, 2, 4, 5], 4)
    """
    rows = _rows_of(table)
    columns = _columns_of(rows)
    sides = {"A": list(map(sum, rows)), "B": list(map(sum, columns))}
    n = sum(sides["A"])
    in_cells, in_rows, in_columns, all_pairs = (
        sum(Fraction(comb(x, 2)) for x in sizes) for sizes in (_cells_of(rows), *sides.values(), [n])
    )

    def entropy(*sizes_of_sides: list[int]) -> float:
        is_joint = len(sizes_of_sides) == 2
        return _entropy_of_sizes(_cells_of(rows) if is_joint else sizes_of_sides[0])

    def information(first_sizes: list[int], second_sizes: list[int]) -> float:
        return entropy(first_sizes) + entropy(second_sizes) - entropy(first_sizes, second_sizes)

    return {
        "a": in_cells,
        "b": in_rows - in_cells,
        "c": in_columns - in_cells,
        "d": all_pairs - in_rows - in_columns + in_cells,
        "n": Fraction(n),
        "rows": rows,
        "columns": columns,
        "K": Fraction(max(len(rows), len(columns))),
        "best": _best_sum,
        "H": entropy,
        "I": information,
        **sides,
    }


def _of_classifier(table: Table) -> dict[str, Any]:
    """Of true classes in rows and predicted ones in columns: n objects, how many are right, the sums r of rows and c of
    columns, and tp, fn, fp, tn, a number for each class.

    >>> names = _of_classifier([[2, 1], [0, 3]])
    >>> [[int(x) for x in names[name]] for name in ("tp", "fn", "fp", "tn")], int(names["right"])
    ([[2, 3], [1, 0], [0, 1], [3, 2]], 5)
    """
    rows = _rows_of(table)
    columns = _columns_of(rows)
    diagonal = [rows[k][k] for k in range(max(len(rows), len(columns)))]
    r = _exact_array(map(sum, rows))
    c = _exact_array(map(sum, columns))
    tp = _exact_array(diagonal)
    n = sum(r)
    return {
        "n": n,
        "right": sum(tp),
        "r": r,
        "c": c,
        "tp": tp,
        "fn": r - tp,
        "fp": c - tp,
        "tn": n - r - c + tp,
        "classes": len(diagonal),
    }


def _exact_array(numbers: Iterable[int]) -> np.ndarray:
    """An array of exact numbers, for formulas entry by entry."""
    return np.array(list(map(Fraction, numbers)))


def _mean(values: Sequence[Any]) -> Any:
    return sum(values) / len(values)


# What formulas call.
_FUNCTIONS = {
    "__builtins__": {},
    "log": log,
    "map": map,
    "max": max,
    "mean": _mean,
    "min": min,
    "prod": prod,
    "sqrt": sqrt,
    "sum": sum,
}


def _value_of_formula(
    formula: str, names_of: Callable[[Table], dict[str, Any]]
) -> Callable[[Table], DefinedValue]:
    """The value of a formula at a table; what stands after a semicolon is said to people.

    >>> _value_of_formula("a / (b + c); in pairs", _of_clusterings)([[2, 1], [0, 2]])
    Fraction(1, 2)
    """
    expression, _, _ = formula.partition(";")
    code = compile(expression, "<formula>", "eval")
    return lambda table: eval(code, _FUNCTIONS, names_of(table))


# --- what no formula says ---


def _entropy_of_sizes(sizes: list[int]) -> float:
    n = sum(sizes)
    return fsum(-x / n * log(x / n) for x in sizes if x)


def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _adjusted_mutual_information(table: Table) -> float:
    rows = _rows_of(table)
    row_sums = list(map(sum, rows))
    column_sums = list(map(sum, _columns_of(rows)))
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
    return (sum(entropies) - _entropy_of_sizes(_cells_of(rows)) - mean) / spread


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


# --- all of them ---

_SHARE = {"bounds": (0, 1)}
_INDEX = {"bounds": (0, 1), "identity": 1}
_UNBOUNDED = {"bounds": (0, None)}
_DISTANCE = {"bounds": (0, None), "metric": True}
_METRIC_SHARE = {"bounds": (0, 1), "metric": True}
_CORRELATION = {"bounds": (-1, 1), "identity": 1}
_ADJUSTED = {"bounds": (None, 1), "identity": 1}
_ONE_SIDED = {"bounds": (0, 1), "symmetric": False}
_OPTIONS_OF_CLASSES = {"classifier": True, "bounds": (0, 1)}
_SAME_OF_CLASSES = {**_OPTIONS_OF_CLASSES, "identity": 1, "symmetric": True}
_BOTH_WAYS = {"classifier": True, "bounds": (-1, 1), "identity": 1, "symmetric": True}

_TEXTBOOK: dict[str, tuple[Any, ...]] = {
    "Rand": ("(a + d) / (a + b + c + d)", _INDEX),
    "adjusted Rand": ("2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))", _ADJUSTED),
    "Jaccard": ("a / (a + b + c)", _INDEX),
    "Fowlkes-Mallows": ("a / sqrt((a + b) * (a + c))", _INDEX),
    "adjusted Fowlkes-Mallows": (
        "(a - (a + b) * (a + c) / (a + b + c + d))"
        " / (sqrt((a + b) * (a + c)) - (a + b) * (a + c) / (a + b + c + d))",
        _ADJUSTED,
    ),
    "Dice": ("2 * a / (2 * a + b + c)", _INDEX),
    "Kulczynski": ("(a / (a + b) + a / (a + c)) / 2", _INDEX),
    "Rogers-Tanimoto": ("(a + d) / (a + 2 * (b + c) + d)", _INDEX),
    "Russell-Rao": ("a / (a + b + c + d)", _SHARE),
    "Sokal-Sneath 1": ("a / (a + 2 * (b + c))", _INDEX),
    "Sokal-Sneath 2": ("(a + d) / (a + d + (b + c) / 2)", _INDEX),
    "Southwood": ("a / (b + c)", _UNBOUNDED),
    "correlation of pairs": ("(a * d - b * c) / sqrt((a + b) * (a + c) * (d + b) * (d + c))", _CORRELATION),
    "Hubert's gamma": ("(a + d - b - c) / (a + b + c + d)", _CORRELATION),
    "discordance": ("(b + c) / (a + b + c + d)", _METRIC_SHARE),
    "precision of pairs": ("a / (a + c)", _ONE_SIDED),
    "recall of pairs": ("a / (a + b)", _ONE_SIDED),
    "mutual information": ("I(A, B); in nats", _UNBOUNDED),
    "mutual information in bits": ("I(A, B) / log(2)", _UNBOUNDED),
    "normalised mutual information": ("2 * I(A, B) / (H(A) + H(B))", _INDEX),
    "NMI by the geometric mean": ("I(A, B) / sqrt(H(A) * H(B))", _INDEX),
    "NMI by the larger entropy": ("I(A, B) / max(H(A), H(B))", _INDEX),
    "NMI by the smaller entropy": ("I(A, B) / min(H(A), H(B))", _SHARE),
    "homogeneity": ("I(A, B) / H(A)", _ONE_SIDED),
    "completeness": ("I(A, B) / H(B)", _ONE_SIDED),
    "conditional entropy in bits": ("(H(A, B) - H(B)) / log(2)", {**_UNBOUNDED, "symmetric": False}),
    "variation of information": ("2 * H(A, B) - H(A) - H(B); in nats", _DISTANCE),
    "variation of information in bits": ("(2 * H(A, B) - H(A) - H(B)) / log(2)", _DISTANCE),
    "adjusted mutual information": (
        "(I - E I) / ((H(A) + H(B)) / 2 - E I)",
        _ADJUSTED,
        _adjusted_mutual_information,
    ),
    "purity": ("sum(map(max, columns)) / n", _ONE_SIDED),
    "larger projection distance": ("1 - min(sum(map(max, columns)), sum(map(max, rows))) / n", _METRIC_SHARE),
    "split-join": ("2 * n - sum(map(max, rows)) - sum(map(max, columns))", _DISTANCE),
    "pivoted accuracy": (
        "(best(rows) / n - 1 / K) / (1 - 1 / K); best: the largest sum of cells, one a row and column",
        _INDEX,
    ),
    "normalised clustering accuracy": (
        "largest mean over rows of (cell / row - 1/K) / (1 - 1/K), one a row and column",
        _ONE_SIDED,
        _clustering_accuracy,
    ),
    "accuracy": ("right / n", _SAME_OF_CLASSES),
    "error rate": ("1 - right / n", {**_OPTIONS_OF_CLASSES, "identity": 0, "symmetric": True}),
    "kappa": ("(n * right - sum(r * c)) / (n**2 - sum(r * c))", _BOTH_WAYS),
    "Scott's pi": ("(4 * n * right - sum((r + c) ** 2)) / (4 * n**2 - sum((r + c) ** 2))", _BOTH_WAYS),
    "Krippendorff's alpha": (
        "1 - 2 * (2 * n - 1) * (n - right) / (4 * n**2 - sum((r + c) ** 2)); nominal, of two raters",
        {**_BOTH_WAYS, "bounds": (None, 1)},
    ),
    "Matthews": ("(n * right - sum(r * c)) / sqrt((n**2 - sum(r**2)) * (n**2 - sum(c**2)))", _BOTH_WAYS),
    "macro recall": ("mean(tp / (tp + fn))", _OPTIONS_OF_CLASSES),
    "macro precision": ("mean(tp / (tp + fp))", _OPTIONS_OF_CLASSES),
    "macro F": ("mean(2 * tp / (2 * tp + fn + fp))", _SAME_OF_CLASSES),
    "macro Jaccard": ("mean(tp / (tp + fn + fp))", _SAME_OF_CLASSES),
    "macro specificity": ("mean(tn / (tn + fp))", _OPTIONS_OF_CLASSES),
    "macro negative predictive value": ("mean(tn / (tn + fn))", _OPTIONS_OF_CLASSES),
    "G-mean": ("prod(tp / (tp + fn)) ** (1 / classes)", _OPTIONS_OF_CLASSES),
}


def _definition(
    name: str,
    formula: str,
    claims: dict[str, Any],
    function: Callable[..., DefinedValue] | None = None,
) -> Definition:
    # reads: the fields of a definition, one after the other
    names_of = _of_classifier if "classifier" in claims else _of_clusterings
    value = function or _value_of_formula(formula, names_of)
    return Definition(name, formula, value, claims)


DEFINITIONS = {name: _definition(name, *fields) for name, fields in _TEXTBOOK.items()}
"""By name."""

INDICES = {
    "Rand": "ri",
    "adjusted Rand": "ari",
    "Jaccard": "jaccard",
    "Fowlkes-Mallows": "fm",
    "discordance": "rd",
    "recall of pairs": "wallace_ab",
    "precision of pairs": "wallace_ba",
    "mutual information": "mi",
    "normalised mutual information": "nmi",
    "NMI by the geometric mean": "nmi_geometric",
    "NMI by the larger entropy": "nmi_max",
    "NMI by the smaller entropy": "nmi_min",
    "homogeneity": "homogeneity",
    "completeness": "completeness",
    "variation of information": "vi",
    "adjusted mutual information": "ami",
    "purity": "purity",
    "accuracy": "accuracy",
    "kappa": "kappa",
    "Matthews": "mcc",
}
"""Names of indices of the package with these definitions."""
