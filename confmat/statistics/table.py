"""Statistics of a matrix by name or of one's own, and what leaves them unchanged.

Those of two clusterings are functions of the MED and of the pair sums A, B, P, which the fast kernels count.
Metrics of a classifier, and functions of one's own, are evaluated at every table that their symmetry leaves to
visit.  The values over a whole class: ``confmat.laws.evaluation``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.symmetry import as_symmetry
from confmat.indices.classification import batch as classification
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.indices.pairs import PairSums, rounded_root

Number = Fraction | float

# Their conditional laws given the MED are streamed, see confmat.engine.summary.
SUMMARIZED = frozenset({"med", "rd", "ard"})


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
        as_symmetry(self.symmetry)


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
    r, s, empty = cls.clusters
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

    >>> from confmat.classes import Tables
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
