"""Statistics of a matrix by name or of one's own, and what leaves them unchanged.

Those of two clusterings are functions of the MED and of the pair sums A, B, P, which the fast kernels count.
Metrics of a classifier, and functions of one's own, are evaluated at every table that their symmetry leaves to
visit.  The values over a whole class: ``confmat.laws.evaluation``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import permutations
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.classes import FixedMargins, FixedRows, MatrixClass, Tables, margin_classes
from confmat.classes.partitions import distinct_orderings
from confmat.engine.plan import support_bound
from confmat.indices.classification import batch as classification
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.indices.pairs import PairSums, rounded_root

Number = Fraction | float

# Their conditional laws given the MED are streamed, see confmat.engine.summary.
SUMMARIZED = frozenset({"med", "rd", "ard"})

SYMMETRIES = ("transposition", "permutations", "simultaneous", "none")


@dataclass(frozen=True)
class Statistic:
    """A statistic of a matrix and what leaves it unchanged.

    ``function`` takes an r x s int64 array and returns an int, a Fraction, a pair (numerator, denominator), or a
    float (then inexact); None for the statistics of clusterings that are known by name.  ``symmetry``:
    "transposition" (row and column permutations and, where r = s, transposition), "permutations" (of rows and of
    columns), "simultaneous" (the same permutation of rows and columns of a square matrix), "none".
    ``batch``, optional, does for N x r x s arrays what ``function`` does for one: it returns arrays of
    numerators and denominators in lowest terms (0/0: undefined), or of doubles.
    """

    name: str
    function: Callable[[np.ndarray], Any] | None = None
    symmetry: str = "none"
    batch: Callable[[np.ndarray], Any] | None = None

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
    "fm": lambda cls, m, sums: (
        rounded_root(sums.fowlkes_mallows_squared()) if sums.A and sums.B else math.nan
    ),
    "jaccard": lambda cls, m, sums: sums.jaccard("nan"),
    "wallace_ab": lambda cls, m, sums: sums.wallace("ab", "nan"),
    "wallace_ba": lambda cls, m, sums: sums.wallace("ba", "nan"),
}

# Metrics of a classifier's confusion matrix, rows = truth.
CLASSIFICATION: dict[str, Statistic] = {
    name: Statistic(name, partial(classification.value, name), "simultaneous", partial(many, name))
    for names, many in (
        (classification.RATIONAL, classification.ratios),
        (classification.ROOTS, classification.root_means),
    )
    for name in names
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

    >>> as_statistic("med").name, as_statistic("cor").symmetry
    ('med', 'simultaneous')
    """
    if isinstance(statistic, Statistic):
        return statistic
    if isinstance(statistic, str):
        if statistic in CLASSIFICATION:
            return CLASSIFICATION[statistic]
        if statistic not in NAMED:
            names = ", ".join([*NAMED, *CLASSIFICATION])
            raise ValueError(f"statistic must be one of {names}, got {statistic!r}")
        return Statistic(statistic, None, "permutations" if statistic in DIRECTED else "transposition")
    if callable(statistic):
        return Statistic(getattr(statistic, "__name__", "statistic"), statistic)
    raise TypeError(f"statistic must be a short name or a function of a matrix, got {statistic!r}")


def check_square(matrices: MatrixClass, statistics: tuple[Statistic, ...]) -> None:
    """Raise ValueError for a statistic that relabels rows and columns together, over matrices that are not square.

    >>> check_square(Tables(4, 2, 3), (as_statistic("med"),))
    >>> check_square(Tables(4, 2, 3), (as_statistic("cor"),))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: statistic 'cor' needs square matrices (rows and columns are the same classes), got ...
    """
    r, s = matrices.shape
    for statistic in statistics:
        if statistic.symmetry == "simultaneous" and r != s:
            raise ValueError(
                f"statistic {statistic.name!r} needs square matrices (rows and columns are the same classes), "
                f"got {matrices!r}"
            )


# Functions of the MED alone: where a generating function is known, any n will do.
OF_MED = frozenset({"med", "nmed"})

# Functions of the RD alone: a recursion over sets of cells reaches further than enumeration.
OF_RD = frozenset({"rd", "ri", "nrd", "mirkin"})

# Functions of the MED and of F = A + B - 2P alone: the summary's law is enough.
OF_DISAGREEMENTS = frozenset({"med", "nmed", "rd", "ri", "nrd", "mirkin"})

# Bounds on the size of a joint law: as Python objects, and as arrays on the way to a file.
MOST_POINTS = 3 * 10**8
MOST_ROWS = 10**9


def check_size(matrices: MatrixClass, most: int) -> None:
    """Raise ValueError, before any work, when the joint law could have more than ``most`` points.

    >>> check_size(Tables(4, 2, 2), 1000)
    >>> check_size(Tables(20, 3, 3), 1000)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: matrices must have a joint law that can be held: ...
    """
    if matrices.count() and (points := support_bound(matrices)) > most:
        raise ValueError(
            f"matrices must have a joint law that can be held: that of {matrices!r} has up to {points} points "
            f'(limit {most}); joint(...).given("med") needs no support'
        )


def sort_key(x: Number) -> tuple[bool, float, Number]:
    """Increasing order with undefined values (nan) last; most Fractions are told apart by their doubles.

    Rounding is monotone, so the order is exact, and several times faster than that of Fractions.

    >>> sorted([math.nan, Fraction(1, 2), 0.25], key=sort_key)
    [0.25, Fraction(1, 2), nan]
    """
    if x != x:
        return True, 0, 0
    try:
        return False, float(x), x
    except OverflowError:
        return False, math.inf if x > 0 else -math.inf, x


def has_med_law(matrices: MatrixClass) -> bool:
    """Whether the law of the MED over the class is known for every n, see ``confmat.laws.medlaw``.

    >>> has_med_law(Tables(10**9, 2, 3)), has_med_law(FixedRows([2, 3], 2))
    (True, False)
    """
    from confmat.laws.medlaw import LARGEST_COLUMNS

    few, many = sorted(matrices.shape)
    return isinstance(matrices, Tables) and many <= LARGEST_COLUMNS.get(few, 0)


def has_rd_law(matrices: MatrixClass) -> bool:
    """Whether the law of the RD over the class comes from the recursion of ``confmat.laws.rdlaw``.

    >>> has_rd_law(Tables(100, 3, 3)), has_rd_law(Tables(100, 9, 9))
    (True, False)
    """
    from confmat.laws.rdlaw import MOST_MEMORY, has_recursion, memory_of

    if not isinstance(matrices, Tables) or not has_recursion(*matrices.shape):
        return False
    return memory_of(matrices.n, *matrices.shape) <= MOST_MEMORY


def labelings(table: np.ndarray) -> int:
    """Number of pairs of labelings with this contingency matrix, n!/prod x!.

    >>> labelings(np.array([[1, 1], [0, 2]]))
    12
    """
    cells = table.ravel().tolist()
    return factorial(sum(cells)) // prod(map(factorial, cells))


def as_number(statistic: Statistic, value: Any) -> Number:
    """What a function of the user's returned, as a Fraction (int, Fraction, pair) or a float.

    The pair (0, 0) is undefined, nan, which laws count apart.  Raises TypeError naming the statistic for anything
    that is no number, ValueError for x/0.

    >>> as_number(Statistic("half", lambda table: (1, 2)), (1, 2))
    Fraction(1, 2)
    """
    if isinstance(value, tuple) and len(value) == 2:
        numerator, denominator = int(value[0]), int(value[1])
        if denominator == 0 and numerator != 0:
            raise ValueError(
                f"statistic {statistic.name!r} returned {value!r}, a fraction with denominator 0"
            )
        return Fraction(numerator, denominator) if denominator else math.nan
    if isinstance(value, (float, np.floating)):
        return float(value)
    if isinstance(value, (int, np.integer, np.bool_, Fraction)):
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
