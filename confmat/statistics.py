"""Statistics of a matrix by name or of one's own, and their values over a whole class.

The named ones are functions of the MED and of the pair sums A, B, P, which the fast kernels count.  A function of
one's own is called on every table of every margin class that its declared symmetry leaves to visit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import factorial, prod, sqrt
from typing import Any

import numpy as np

from confmat.classes import FixedMargins, FixedRows, MatrixClass, Tables, margin_classes
from confmat.classes.partitions import distinct_orderings
from confmat.engine.jobs import is_transposed
from confmat.engine.reference import best_matching_weight, pairs_within_cells, tables_of_margins
from confmat.engine.run import Resources
from confmat.engine.summary import collect
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.indices.pairs import PairSums, pairs_within

Number = Fraction | float

# Their conditional laws given the MED are streamed, see confmat.engine.summary.
SUMMARIZED = frozenset({"med", "rd", "ard"})

SYMMETRIES = ("transposition", "permutations", "simultaneous", "none")


@dataclass(frozen=True)
class Statistic:
    """A statistic of a matrix and what leaves it unchanged.

    ``function`` takes an r x s int64 array and returns an int, a Fraction, a pair (numerator, denominator), or a
    float (then inexact); None for the statistics that are known by name.  ``symmetry``: "transposition" (row
    and column permutations and, where r = s, transposition), "permutations" (of rows and of columns),
    "simultaneous" (the same permutation of rows and columns), "none".
    """

    name: str
    function: Callable[[np.ndarray], Any] | None = None
    symmetry: str = "none"

    def __post_init__(self) -> None:
        if self.symmetry not in SYMMETRIES:
            raise ValueError(f"symmetry must be one of {', '.join(SYMMETRIES)}, got {self.symmetry!r}")


# name -> (value from the shape's class, the MED's numerator m and the pair sums); None marks a value with no meaning.
NAMED: dict[str, Callable[[MatrixClass, int, PairSums], Number]] = {
    "med": lambda cls, m, sums: Fraction(m, sums.n) if sums.n else Fraction(0),
    "nmed": lambda cls, m, sums: _share(Fraction(m, max(1, sums.n)), max_med, cls),
    "rd": lambda cls, m, sums: sums.rand_distance,
    "ri": lambda cls, m, sums: 1 - sums.rand_distance,
    "nrd": lambda cls, m, sums: _share(sums.rand_distance, max_rand_distance, cls),
    "ard": lambda cls, m, sums: sums.adjusted_rand_distance,
    "ari": lambda cls, m, sums: 1 - sums.adjusted_rand_distance,
    "mirkin": lambda cls, m, sums: sums.mirkin_distance,
    "fm": lambda cls, m, sums: sqrt(sums.fowlkes_mallows_squared("nan")),
    "jaccard": lambda cls, m, sums: sums.jaccard("nan"),
    "wallace_ab": lambda cls, m, sums: sums.wallace("ab", "nan"),
    "wallace_ba": lambda cls, m, sums: sums.wallace("ba", "nan"),
}

# Swapping rows and columns changes these; the others are the same for a matrix and its transpose.
DIRECTED = frozenset({"wallace_ab", "wallace_ba"})


def _share(distance: Fraction, largest: Callable[..., Fraction], cls: MatrixClass) -> Fraction:
    """A distance over its largest value at this n, r and s (lines may be empty where the class allows it)."""
    if isinstance(cls, FixedMargins):
        r, s, empty = sum(x > 0 for x in cls.rows), sum(x > 0 for x in cls.cols), False
    else:
        r, s = cls.shape
        empty = isinstance(cls, FixedRows) or getattr(cls, "empty", False)
    most = largest(cls.n, r, s, empty=empty) if cls.n else Fraction(0)
    return distance / most if most else Fraction(0)


def as_statistic(statistic: str | Statistic | Callable[[np.ndarray], Any]) -> Statistic:
    """A ``Statistic`` from a short name, a function (no symmetry assumed), or itself.

    >>> as_statistic("med").name
    'med'
    """
    if isinstance(statistic, Statistic):
        return statistic
    if isinstance(statistic, str):
        if statistic not in NAMED:
            raise ValueError(f"statistic must be one of {', '.join(NAMED)}, got {statistic!r}")
        return Statistic(statistic, None, "permutations" if statistic in DIRECTED else "transposition")
    if callable(statistic):
        return Statistic(getattr(statistic, "__name__", "statistic"), statistic)
    raise TypeError(f"statistic must be a short name or a function of a matrix, got {statistic!r}")


def evaluate(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources
) -> list[tuple[tuple[Number, ...], int]]:
    """All values of the statistics over the class with their weights, in increasing order."""
    law: dict[tuple[Number, ...], int] = {}
    walk = _from_tables if any(s.function is not None for s in statistics) else _from_cells
    for values, amount in walk(matrices, statistics, weight, resources):
        law[values] = law.get(values, 0) + amount
    return sorted(law.items(), key=lambda item: tuple(_order(x) for x in item[0]))


def _order(x: Number) -> tuple[bool, Number]:
    """Undefined values (nan) come last."""
    return (True, 0) if x != x else (False, x)


def _from_cells(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources
) -> Iterator[tuple[tuple[Number, ...], int]]:
    """The named statistics, from the distinct (m, A, B, P) of the class."""
    cells, counts = collect(matrices, weight, resources)
    # For r = s, a class Tables was enumerated for rows >= cols only: half of each cell is the transposed half.
    mirrored = (
        isinstance(matrices, Tables)
        and matrices.r == matrices.s
        and any(s.name in DIRECTED for s in statistics)
    )
    for (m, a, b, p), count in zip(cells.tolist(), counts.tolist()):
        if is_transposed(matrices):
            a, b = b, a
        orientations = [(a, b, count)]
        if mirrored and a != b:
            orientations = [(a, b, count // 2), (b, a, count // 2)]
        for rows, cols, amount in orientations:
            sums = PairSums(matrices.n, rows, cols, p)
            yield tuple(NAMED[s.name](matrices, m, sums) for s in statistics), amount


def _from_tables(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources
) -> Iterator[tuple[tuple[Number, ...], int]]:
    """Any statistics, table by table."""
    weakest = max(SYMMETRIES.index(s.symmetry) for s in statistics)
    n = matrices.n
    for rows, cols, copies in visited_margins(matrices, SYMMETRIES[weakest]):
        a, b = pairs_within(rows), pairs_within(cols)
        for batch in tables_of_margins(rows, cols):
            for table in batch:
                narrow = table if len(rows) <= len(cols) else np.ascontiguousarray(table.T)
                m = n - int(best_matching_weight(narrow))
                sums = PairSums(n, a, b, int(pairs_within_cells(table)))
                values = tuple(
                    NAMED[s.name](matrices, m, sums)
                    if s.function is None
                    else as_number(s, s.function(table))
                    for s in statistics
                )
                yield values, copies if weight == "tables" else copies * labelings(table)


def labelings(table: np.ndarray) -> int:
    """Number of pairs of labelings with this contingency matrix, n!/prod x!."""
    cells = table.ravel().tolist()
    return factorial(sum(cells)) // prod(map(factorial, cells))


def as_number(statistic: Statistic, value: Any) -> Number:
    """What a function of the user's returned, as a Fraction (int, Fraction, pair) or a float.

    Raises TypeError naming the statistic for anything else.
    """
    if isinstance(value, tuple) and len(value) == 2:
        return Fraction(int(value[0]), int(value[1]))
    if isinstance(value, (float, np.floating)):
        return float(value)
    if isinstance(value, (int, np.integer, Fraction)):
        return Fraction(value if isinstance(value, Fraction) else int(value))
    raise TypeError(
        f"statistic {statistic.name!r} must return an int, a Fraction, a pair of ints or a float, got {value!r}"
    )


def visited_margins(
    matrices: MatrixClass, symmetry: str
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Margins whose tables stand for the class under a symmetry: (rows, cols, how often each table counts).

    >>> list(visited_margins(Tables(3, 2, 2), "permutations"))
    [((2, 1), (2, 1), 4)]
    >>> list(visited_margins(Tables(3, 2, 2), "simultaneous"))
    [((2, 1), (2, 1), 2), ((2, 1), (1, 2), 2)]
    """
    if isinstance(matrices, FixedMargins):
        yield matrices.rows, matrices.cols, 1
        return
    for margins in margin_classes(matrices):
        swapped = isinstance(matrices, Tables) and matrices.r == matrices.s and margins.rows != margins.cols
        if symmetry == "transposition":
            yield margins.rows, margins.cols, margins.weight
        elif isinstance(matrices, FixedRows):
            if symmetry == "permutations":
                yield margins.rows, margins.cols, margins.weight
            else:
                for cols in _orderings(margins.cols):
                    yield matrices.rows, cols, 1
        else:
            for rows, cols in [(margins.rows, margins.cols), (margins.cols, margins.rows)][: 1 + swapped]:
                if symmetry == "permutations":
                    yield rows, cols, distinct_orderings(rows) * distinct_orderings(cols)
                elif symmetry == "simultaneous":
                    for ordered in _orderings(cols):
                        yield rows, ordered, distinct_orderings(rows)
                else:
                    for above in _orderings(rows):
                        for ordered in _orderings(cols):
                            yield above, ordered, 1


def _orderings(margin: tuple[int, ...]) -> list[tuple[int, ...]]:
    return sorted(set(permutations(margin)), reverse=True)
