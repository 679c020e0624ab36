"""What a search is asked: an extreme of a statistic over a class, under conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.symmetry import Symmetry
from confmat.engine.reference import best_matching_weight
from confmat.indices.pairs import pairs_within
from confmat.matrices.matrix import best_matching
from confmat.statistics.record import Number, Statistic, as_number, shared_symmetry
from confmat.statistics.table import STATISTICS, as_statistic

Given = Mapping[Any, Any] | str | None
Conditions = tuple[tuple[str, Fraction], ...]


def sums_of(table: np.ndarray) -> tuple[int, int, int, int]:
    """m = n MED and the pair sums A, B and P of a table.

    >>> sums_of(np.array([[2, 1], [0, 1]]))
    (1, 3, 2, 1)
    """
    n, rows, cols = int(table.sum()), table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    return n - matched(table), pairs_within(rows), pairs_within(cols), pairs_within(table.ravel().tolist())


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

    Any exact statistic of the table, by its short name or the function that it names.  Values are ints, Fractions, or
    texts p/q.  Raises ValueError or TypeError naming ``given``.

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
    return tuple((_condition_on(statistic), _exact(statistic, value)) for statistic, value in given.items())


def _condition_on(statistic: Any) -> str:
    name = statistic if isinstance(statistic, str) else as_statistic(statistic).name
    known = STATISTICS.get(name)
    if known is None or not known.exact or (name != statistic and as_statistic(statistic) != known):
        allowed = ", ".join(name for name, known in STATISTICS.items() if known.exact)
        raise ValueError(f"given must condition on one of {allowed}, got {statistic!r}")
    return name


def _exact(statistic: Any, value: Any) -> Fraction:
    if isinstance(value, float):
        raise TypeError(f"given must have exact values (a Fraction or a text p/q), got {statistic}={value!r}")
    try:
        return Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError):
        raise ValueError(f"given must have values such as 4/20, got {statistic}={value!r}") from None


@dataclass(frozen=True)
class Problem:
    """Find the largest (``sign`` 1) or smallest (-1) value of a statistic over the members that meet conditions."""

    matrices: MatrixClass
    statistic: Statistic
    conditions: Conditions
    sign: int

    @cached_property
    def members(self) -> tuple[Statistic, ...]:
        """The statistic, and those that the conditions are on."""
        return self.statistic, *(STATISTICS[name] for name, _ in self.conditions)

    @property
    def counted(self) -> bool:
        """Whether the fast kernels count all that it looks at, over a class that they enumerate."""
        return self.matrices.has_margins and all(statistic.counted for statistic in self.members)

    @cached_property
    def symmetry(self) -> Symmetry:
        """What leaves the statistic and the conditions unchanged."""
        return shared_symmetry(self.members)

    @property
    def direction(self) -> int:
        """1 if the largest value of the statistic's ``base`` is wanted, -1 if the smallest."""
        return self.sign * self.statistic.direction

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
        return self._values[0](table)

    def admits(self, table: np.ndarray) -> bool:
        """Whether a member meets the conditions.

        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_statistic
        >>> problem = Problem(Tables(4, 2, 2), as_statistic("rd"), as_conditions("med=1/4"), 1)
        >>> problem.admits(np.array([[2, 1], [0, 1]])), problem.admits(np.array([[3, 0], [0, 1]]))
        (True, False)
        """
        return all(of(table) == wanted for of, (_, wanted) in zip(self._values[1:], self.conditions))

    @cached_property
    def _values(self) -> list[Callable[[np.ndarray], Number]]:
        """The members as functions of a table."""
        return [_of_table(statistic, self.matrices) for statistic in self.members]

    def __str__(self) -> str:
        given = "".join(f" given {name}={value}" for name, value in self.conditions)
        return f"{'maximize' if self.sign > 0 else 'minimize'} {self.statistic.name} over {self.matrices!r}{given}"


def _of_table(statistic: Statistic, matrices: MatrixClass) -> Callable[[np.ndarray], Number]:
    if statistic.counted:
        over = statistic.over(matrices)
        return lambda table: over(*sums_of(table))
    assert statistic.function is not None
    function = statistic.function
    return lambda table: as_number(statistic, function(table))
