"""What a search is asked: an extreme of a statistic over a class, under conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from confmat._engine.walks import pair_sums
from confmat._limits import Limits, Question
from confmat.classes import MatrixClass
from confmat.classes.orbits import Generators
from confmat.statistics.conditions import Condition
from confmat.statistics.record import Number, Statistic, as_number, shared_symmetry
from confmat.statistics.table import STATISTICS


class Found(NamedTuple):
    """What a method found: tables with the extreme, what was looked at, what is assumed of a user's statistic.

    ``complete``: one table or more of each orbit with the extreme; ``proved``: whether the value is certain.
    """

    tables: list[np.ndarray]
    examined: dict[str, int]
    complete: bool
    proved: bool = True
    assumptions: tuple[str, ...] = ()


@dataclass
class Best:
    """The largest value that was offered, and all that have it; what has no value (nan) is passed over.

    >>> best = Best()
    >>> for value, name in ((1, "a"), (2, "b"), (float("nan"), "c"), (2, "d")):
    ...     best.offer(value, [name])
    >>> best.value, best.holders
    (2, ['b', 'd'])
    """

    value: Any = None
    holders: list[Any] = field(default_factory=list)

    def offer(self, value: Any, holders: Iterable[Any]) -> None:
        """Remember what has a value, where none is larger.

        >>> best = Best(3, ["a"])
        >>> best.offer(2, ["b"])
        >>> best.holders
        ['a']
        """
        if value != value or (self.value is not None and value < self.value):
            return
        if self.value is None or value > self.value:
            self.value, self.holders = value, []
        self.holders.extend(holders)


def sums_of(table: np.ndarray) -> tuple[int, int, int, int]:
    """m = n MED and the pair sums A, B and P of a table.

    >>> sums_of(np.array([[2, 1], [0, 1]]))
    (1, 3, 2, 1)
    """
    m, a, b, p = pair_sums(table[None])[0].tolist()
    return m, a, b, p


@dataclass(frozen=True)
class Problem(Question):
    """Find the largest (``sign`` 1) or smallest (-1) value of a statistic over the members that meet a condition.

    ``restarts``, ``rng`` and ``start``, a member, are of the local search; ``asked``: the method asked for by name.
    """

    matrices: MatrixClass
    statistic: Statistic
    condition: Condition | None
    sign: int
    restarts: int = 20
    rng: int = 0
    asked: str | None = None
    limits: Limits = field(default_factory=Limits)
    start: np.ndarray | None = field(default=None, compare=False)

    @cached_property
    def members(self) -> tuple[Statistic, ...]:
        """The statistic, and those that the condition is on."""
        of_condition = () if self.condition is None else self.condition.statistics
        return self.statistic, *of_condition

    @property
    def counted(self) -> bool:
        """Whether the fast kernels count all that it looks at, over a class that they enumerate."""
        return all(statistic.counted for statistic in self.members)

    @cached_property
    def symmetry(self) -> Generators:
        """What leaves the statistic and the condition unchanged."""
        return shared_symmetry(self.members)

    @cached_property
    def direction(self) -> int:
        """1 if the largest value of the statistic's ``base`` is wanted, -1 if the smallest, 0 where all are alike."""
        factor = self.statistic.factor
        if factor is not None and self.matrices and not factor(self.matrices):
            return 0
        return self.sign * self.statistic.direction

    @cached_property
    def given_med(self) -> Fraction | None:
        """The value of the MED if the condition is that it has one."""
        if self.condition is None:
            return None
        return self.condition.med(self.matrices)

    @cached_property
    def value(self) -> Callable[[np.ndarray], Number]:
        """Exact value of the statistic of a table of the class (a float if it is inexact, nan if undefined).

        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_statistic
        >>> Problem(Tables(4, 2, 2), as_statistic("rd"), None, 1).value(np.array([[2, 1], [0, 1]]))
        Fraction(1, 2)
        """
        return _of_table(self.statistic, self.matrices)

    def admits(self, table: np.ndarray) -> bool:
        """Whether a member meets the condition.

        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_condition, as_statistic
        >>> problem = Problem(Tables(4, 2, 2), as_statistic("rd"), as_condition("med=1/4"), 1)
        >>> problem.admits(np.array([[2, 1], [0, 1]])), problem.admits(np.array([[3, 0], [0, 1]]))
        (True, False)
        """
        if self.condition is None:
            return True
        values = {x.name: _of_table(x, self.matrices)(table) for x in self.condition.statistics}
        return self.condition.at(self.matrices).holds(values)

    def __str__(self) -> str:
        if self.condition is None:
            condition = ""
        else:
            condition = f" given {self.condition}"
        return f"{'maximize' if self.sign > 0 else 'minimize'} {self.statistic.name} over {self.matrices!r}{condition}"


def _of_table(statistic: Statistic, matrices: MatrixClass) -> Callable[[np.ndarray], Any]:
    """A statistic as a function of a table."""
    if statistic.counted:
        of_sums = statistic.over(matrices)
        return lambda table: of_sums(*sums_of(table))
    assert statistic.function is not None
    function = statistic.function
    return lambda table: as_number(statistic, function(table))


def largest_of(is_chosen: Callable[[Statistic], bool]) -> str:
    """Names of the statistics that are largest, or smallest, where a chosen base is largest.

    >>> largest_of(lambda base: base is STATISTICS["med"])
    'largest med, nmed or the smallest '
    """
    names = names_of(lambda x: is_chosen(x.base) and x.direction > 0)
    return f"largest {names} or the smallest {names_of(lambda x: is_chosen(x.base) and x.direction < 0)}"


def names_of(is_chosen: Callable[[Statistic], bool]) -> str:
    """Names of the statistics of the table that are chosen.

    >>> names_of(lambda statistic: statistic.base is STATISTICS["med"])
    'med, nmed'
    """
    return ", ".join(name for name, statistic in STATISTICS.items() if is_chosen(statistic))
