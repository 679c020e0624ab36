"""What a search is asked: a statistic, compared as a ratio of integers, over a class, under conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.reference import best_matching_weight
from confmat.indices.pairs import PairSums, pairs_within
from confmat.matrices.matrix import best_matching
from confmat.statistics.table import DIRECTED, NAMED, Number, Statistic, as_number

Given = Mapping[str, Any] | str | None
Conditions = tuple[tuple[str, Fraction], ...]
Ratio = Callable[[Any, Any, Any, Any, Any], tuple[Any, Any]]


def _rand(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    return a + b - 2 * p, np.maximum(n * (n - 1) // 2, 1) + 0 * p


def _adjusted(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    pairs = n * (n - 1) // 2
    # D = 0 only where F = 0: the partitions coincide, and the distance is 0.
    return (a + b - 2 * p) * pairs, np.maximum(a * (pairs - b) + b * (pairs - a), 1)


def _similarity(distance: Ratio) -> Ratio:
    def ratio(*sums: Any) -> tuple[Any, Any]:
        numerator, denominator = distance(*sums)
        return denominator - numerator, denominator

    return ratio


def _matching(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    return m, np.maximum(n, 1) + 0 * m


# name -> (n, m, A, B, P) -> numerator and denominator of an increasing function of the statistic, for numbers and
# arrays; constant factors of a class are left out, and 0/0 marks a matrix where the statistic has no value.
RATIOS: dict[str, Ratio] = {
    "med": _matching,
    "nmed": _matching,
    "rd": _rand,
    "nrd": _rand,
    "mirkin": _rand,
    "ri": _similarity(_rand),
    "ard": _adjusted,
    "ari": _similarity(_adjusted),
    "fm": lambda n, m, a, b, p: (p * p, a * b),
    "jaccard": lambda n, m, a, b, p: (p, a + b - p),
    "wallace_ab": lambda n, m, a, b, p: (p, a),
    "wallace_ba": lambda n, m, a, b, p: (p, b),
}


def exact_ratio(name: str, n: int, m: int, a: int, b: int, p: int) -> Fraction:
    """The ratio of a named statistic as a Fraction; ZeroDivisionError where it is 0/0.

    >>> exact_ratio("ard", 20, 8, 126, 126, 78)
    Fraction(95, 84)
    """
    numerator, denominator = RATIOS[name](n, m, a, b, p)
    return Fraction(int(numerator), int(denominator))


def rough_ratios(name: str, n: int, sums: np.ndarray) -> np.ndarray:
    """The ratios in doubles, within 1e-12 of the exact ones; nan for 0/0.  ``sums``: columns m, A, B, P.

    A ratio takes a handful of operations on whole numbers, the differences being of integers below 2^53 or
    of the two ends of a ratio in [-1, 2]: the error stays far below 1e-12 for n up to 10^6.

    >>> rough_ratios("rd", 4, np.array([[1, 3, 2, 1], [0, 3, 3, 3]]))
    array([0.5, 0. ])
    """
    numerator, denominator = RATIOS[name](float(n), *sums.T.astype(float))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(numerator / denominator)


def sums_of(table: np.ndarray) -> tuple[int, PairSums]:
    """m = n MED and the pair sums of a table.

    >>> sums_of(np.array([[2, 1], [0, 1]]))
    (1, PairSums(n=4, A=3, B=2, P=1))
    """
    n, rows, cols = int(table.sum()), table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    sums = PairSums(n, pairs_within(rows), pairs_within(cols), pairs_within(table.ravel().tolist()))
    return n - matched(table), sums


def matched(table: np.ndarray) -> int:
    """Weight of the best matching.

    >>> matched(np.array([[2, 1], [0, 1]]))
    3
    """
    if max(table.shape) > 12 or table.dtype == object:  # too many sets of columns, or points
        return best_matching(table).total
    return int(
        best_matching_weight(table if table.shape[0] <= table.shape[1] else np.ascontiguousarray(table.T))
    )


def as_conditions(given: Given) -> Conditions:
    """Conditions from {"med": Fraction(4, 20)} or the text "med=4/20"; None for none.

    Values are ints, Fractions, or texts p/q.  Raises ValueError or TypeError naming ``given``.

    >>> as_conditions("med=4/20")
    (('med', Fraction(1, 5)),)
    """
    if given is None:
        return ()
    if isinstance(given, str):
        name, equals, text = given.partition("=")
        if not equals:
            raise ValueError(f'given must read like "med=4/20", got {given!r}')
        given = {name.strip(): text.strip()}
    if not isinstance(given, Mapping):
        raise TypeError(f'given must be a mapping such as {{"med": Fraction(4, 20)}}, got {given!r}')
    allowed = [name for name in NAMED if name not in DIRECTED and name != "fm"]
    conditions = []
    for name, value in given.items():
        if name not in allowed:
            raise ValueError(f"given must condition on one of {', '.join(allowed)}, got {name!r}")
        if isinstance(value, float):
            raise TypeError(f"given must have exact values (a Fraction or a text p/q), got {name}={value!r}")
        try:
            conditions.append((name, Fraction(value)))
        except (ValueError, TypeError, ZeroDivisionError):
            raise ValueError(f"given must have values such as 4/20, got {name}={value!r}") from None
    return tuple(conditions)


@dataclass(frozen=True)
class Problem:
    """Find the largest (``sign`` 1) or smallest (-1) value of a statistic over the members that meet conditions."""

    matrices: MatrixClass
    statistic: Statistic
    conditions: Conditions
    sign: int

    @property
    def named(self) -> bool:
        """Whether the statistic is one that is known by name, not a function."""
        return self.statistic.function is None

    @property
    def goal(self) -> tuple[str, bool]:
        """Name of the statistic, and whether its largest value is wanted."""
        return self.statistic.name, self.sign > 0

    @property
    def given_med(self) -> Fraction | None:
        """The value of the MED if that is the one condition."""
        return self.conditions[0][1] if [name for name, _ in self.conditions] == ["med"] else None

    def value(self, table: np.ndarray) -> Number:
        """Exact value of the statistic of a table of the class (a float if it is inexact, nan if undefined).

        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_statistic
        >>> Problem(Tables(4, 2, 2), as_statistic("rd"), (), 1).value(np.array([[2, 1], [0, 1]]))
        Fraction(1, 2)
        """
        if self.statistic.function is not None:
            return as_number(self.statistic, self.statistic.function(table))
        return NAMED[self.statistic.name](self.matrices, *sums_of(table))

    def admits(self, m: int, sums: PairSums) -> bool:
        """Whether a member with these sums meets the conditions.

        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_statistic
        >>> problem = Problem(Tables(4, 2, 2), as_statistic("rd"), as_conditions("med=1/4"), 1)
        >>> problem.admits(*sums_of(np.array([[2, 1], [0, 1]]))), problem.admits(*sums_of(np.array([[3, 0], [0, 1]])))
        (True, False)
        """
        return all(NAMED[name](self.matrices, m, sums) == value for name, value in self.conditions)

    def __str__(self) -> str:
        given = "".join(f" given {name}={value}" for name, value in self.conditions)
        return f"{'maximize' if self.sign > 0 else 'minimize'} {self.statistic.name} over {self.matrices!r}{given}"
