"""The smallest data sets on which two measures disagree about which of two classifiers is better.

Two classifiers of the same objects make confusion matrices with the same row sums (the sizes of the true classes).
The search goes through all pairs of such matrices, so where it finds none, there is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from checks import whole
from confmat._engine.walks import chunks, exact_values, pair_sums
from confmat._integers.arrays import distinct
from confmat._integers.compositions import partitions
from confmat.classes import FixedRows
from confmat.classes.orbits import Matrix, nested
from confmat.statistics.record import Number, Statistic, sort_key
from confmat.statistics.table import as_statistic

MEASURES = ("ari", "cor", "bcr", "auc", "f", "auc_pairs", "f_pairs", "gsp", "gss", "gsp_pairs", "gss_pairs")


@dataclass(frozen=True)
class Opposite:
    """Two classifiers of the same objects: ``first`` is larger for matrix ``a``, ``second`` for matrix ``b``.

    Values are (of a, of b).

    >>> found = smallest_opposite("cor", "bcr")
    >>> found.first_values, found.second_values
    ((Fraction(1, 2), Fraction(1, 4)), (Fraction(1, 3), Fraction(1, 2)))
    """

    first: str
    second: str
    n: int
    a: Matrix
    b: Matrix
    first_values: tuple[Number, Number]
    second_values: tuple[Number, Number]


def smallest_opposite(
    first: str, second: str, k: int = 2, *, most: int = 8, best_labels: bool = False
) -> Opposite | None:
    """An example of k classes with the fewest objects, none of the true classes empty; None up to ``most`` objects.

    ``first``, ``second``: names from ``MEASURES``.  ``best_labels``: only classifiers whose labels are those of the
    best matching (COR = 1 - MED), so that no renaming of the predicted classes makes more objects right.
    Matrices where one of the two measures is undefined are left out.  Of the examples with fewest objects the one
    with the largest sum of both differences.  All matrices with fewer objects were visited.

    >>> found = smallest_opposite("cor", "bcr")
    >>> found.n, found.a, found.b
    (4, ((2, 1), (1, 0)), ((0, 3), (0, 1)))
    """
    return opposites([(first, second)], k, most=most, best_labels=best_labels)[first, second]


def opposites(
    pairs: Sequence[tuple[str, str]], k: int = 2, *, most: int = 8, best_labels: bool = False
) -> dict[tuple[str, str], Opposite | None]:
    """``smallest_opposite`` of many pairs of measures in one search: 55 pairs, k = 3, n <= 8 take seconds.

    All matrices of each n are visited, up to relabeling both sides alike, fewer than C(n + k^2 - 1, n).  The G-means
    are compared as doubles, which are equal for equal values; at such n others are much further apart than errors.

    >>> {pair: found and found.n for pair, found in opposites([("cor", "bcr"), ("ari", "cor")]).items()}
    {('cor', 'bcr'): 4, ('ari', 'cor'): 2}
    """
    k, most = whole("k", k, 2), whole("most", most)
    for name in {name for pair in pairs for name in pair}:
        if name not in MEASURES:
            raise ValueError(f"measures must be among {', '.join(MEASURES)}, got {name!r}")
    measures = {name: as_statistic(name) for pair in pairs for name in pair}
    found: dict[tuple[str, str], Opposite | None] = dict.fromkeys(pairs)
    for n in range(k, most + 1):
        examples: dict[tuple[str, str], list[Opposite]] = {pair: [] for pair in pairs if found[pair] is None}
        for rows in partitions(n, k):
            _add_examples(examples, FixedRows(rows, k), measures, best_labels)
        found |= {pair: max(several, key=_clarity) for pair, several in examples.items() if several}
    return found


def opposites_frame(k: int = 2, *, most: int = 8, best_labels: bool = False) -> pd.DataFrame:
    """``opposites`` of all pairs of measures as a frame, in order of n; n is missing where there is no example.

    >>> frame = opposites_frame(2, most=3)
    >>> frame.loc[0, ["first", "second", "a", "b"]].to_list()
    ['ari', 'cor', '0 1; 1 0', '1 0; 1 0']
    """
    pairs = list(combinations(MEASURES, 2))
    records = []
    for (first, second), example in opposites(pairs, k, most=most, best_labels=best_labels).items():
        record: dict[str, Any] = {"first": first, "second": second}
        if example is not None:
            record |= {"n": example.n, "a": _text(example.a), "b": _text(example.b)}
            for which, values in (("first", example.first_values), ("second", example.second_values)):
                record |= {f"{which}_{matrix}": value for matrix, value in zip("ab", values)}
        records.append(record)
    frame = pd.DataFrame(records)
    return frame.astype({"n": "Int64"}).sort_values("n", kind="stable", ignore_index=True)


def _ranked(statistic: Statistic, matrices: FixedRows, tables: np.ndarray) -> tuple[list[Number], np.ndarray]:
    """The distinct values of a statistic in increasing order, NaN last, and the position of the value of each table."""
    values, positions = exact_values(statistic, matrices, tables)
    in_order = sorted(set(values), key=sort_key)
    places = {value: place for place, value in enumerate(in_order)}
    return in_order, np.array([places[value] for value in values])[positions]


def _add_examples(
    examples: dict[tuple[str, str], list[Opposite]],
    matrices: FixedRows,
    measures: dict[str, Statistic],
    best_labels: bool,
) -> None:
    """To every pair of measures the clearest example of a class, if it has one."""
    tables = np.concatenate([tables for tables, _ in chunks(matrices, "none")])
    if best_labels:
        unmatched = pair_sums(tables)[:, 0]
        tables = tables[matrices.n - np.trace(tables, axis1=1, axis2=2) == unmatched]
    needed = {name for pair in examples for name in pair}
    columns = {name: _ranked(measures[name], matrices, tables) for name in needed}
    for (first, second), several in examples.items():
        (x_values, x), (y_values, y) = columns[first], columns[second]
        points, which = distinct(np.column_stack([x, y]))
        defined = [x_values[i] == x_values[i] and y_values[j] == y_values[j] for i, j in points]
        points_defined = np.flatnonzero(defined)
        if not _some_opposite(points[points_defined]):
            continue
        at = np.full(len(points), -1)
        at[which[::-1]] = np.arange(len(tables))[::-1]  # the first table at each point
        several.append(
            max(
                (
                    Opposite(
                        first,
                        second,
                        matrices.n,
                        nested(tables[at[p]]),
                        nested(tables[at[q]]),
                        (x_values[points[p, 0]], x_values[points[q, 0]]),
                        (y_values[points[p, 1]], y_values[points[q, 1]]),
                    )
                    for p in points_defined
                    for q in points_defined
                    if points[p, 0] > points[q, 0] and points[p, 1] < points[q, 1]
                ),
                key=_clarity,
            )
        )


def _some_opposite(points: np.ndarray) -> bool:
    """Whether some point (x, y) has another one with smaller x and larger y; points sorted by x, then y."""
    if len(points) == 0:
        return False
    x, y = points.T
    largest = np.maximum.accumulate(y)
    before = np.searchsorted(x, x)  # points with smaller x
    return bool((largest[before - 1] > y)[before > 0].any())


def _clarity(example: Opposite) -> float:
    """The sum of both differences."""
    (x, lower), (y, higher) = example.first_values, example.second_values
    return float(x) - float(lower) + float(higher) - float(y)


def _text(matrix: Matrix) -> str:
    """A matrix in one line, rows apart by semicolons."""
    return "; ".join(" ".join(map(str, row)) for row in matrix)
