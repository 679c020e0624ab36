"""Arguments of a search: the extreme of a statistic over a class of matrices, under conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
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
    """Result of a search method.

    ``tables`` attain the extreme value. ``examined`` maps a kind of objects, such as tables or margins, to the
    number that was compared. ``complete`` is True if every orbit with the extreme value is represented. ``proved``
    is True if the value is certain. ``assumptions`` are properties of user-defined statistics that were not proved.
    """

    tables: list[np.ndarray]
    examined: dict[str, int]
    complete: bool
    proved: bool = True
    assumptions: tuple[str, ...] = ()


@dataclass
class Best:
    """Accumulator of the largest value, and of all objects with this value (``holders``).

    The value nan is ignored.

    >>> best = Best()
    >>> for value, name in ((1, "a"), (2, "b"), (float("nan"), "c"), (2, "d")):
    ...     best.offer(value, [name])
    >>> best.value, best.holders
    (2, ['b', 'd'])
    """

    value: Any = None
    holders: list[Any] = field(default_factory=list)

    def offer(self, value: Any, holders: Iterable[Any]) -> None:
        """Add objects that all have ``value``.

        If it is larger than the known value, they replace the known objects. If it is smaller, they are ignored.

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
    """Return (m, A, B, P) of a table.

    m = n MED is the number of objects outside the best matching. A, B and P are the numbers of pairs of objects in
    a common row, in a common column and in a common cell.

    >>> sums_of(np.array([[2, 1], [0, 1]]))
    (1, 3, 2, 1)
    """
    m, a, b, p = pair_sums(table[None])[0].tolist()
    return m, a, b, p


@dataclass(frozen=True)
class Problem(Question):
    """Search for the largest (``sign`` 1) or smallest (-1) value of a statistic over a class, under a condition.

    ``restarts``, ``rng`` (a seed) and ``start`` (a matrix) are used by the local search. ``asked`` is the name of
    the requested method, None for the default.
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
    def statistics(self) -> tuple[Statistic, ...]:
        """Return the statistic and the statistics of the condition."""
        of_condition = () if self.condition is None else self.condition.statistics
        return self.statistic, *of_condition

    @property
    def counted(self) -> bool:
        """Return whether all statistics have formulas, so that compiled functions can enumerate them."""
        return all(statistic.counted for statistic in self.statistics)

    @cached_property
    def symmetry(self) -> Generators:
        """Return the generators of the symmetry that leaves the statistic and the condition unchanged."""
        return shared_symmetry(self.statistics)

    @cached_property
    def direction(self) -> int:
        """Return 1 if the extreme is where ``statistic.base`` is largest, -1 if it is where it is smallest.

        Return 0 if the statistic is constant on the class.
        """
        factor = self.statistic.factor
        if factor is not None and self.matrices and not factor(self.matrices):
            return 0
        return self.sign * self.statistic.direction

    @cached_property
    def value(self) -> Callable[[np.ndarray], Number]:
        """Return the function that computes the statistic of a table of the class.

        Its values are exact, or floats if the statistic is not exact, or nan if undefined.

        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_statistic
        >>> Problem(Tables(4, 2, 2), as_statistic("rd"), None, 1).value(np.array([[2, 1], [0, 1]]))
        Fraction(1, 2)
        """
        return _of_table(self.statistic, self.matrices)

    def admits(self, table: np.ndarray) -> bool:
        """Return whether a table of the class satisfies the condition.

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
    """Return a statistic as a function of a table of the class."""
    if statistic.counted:
        of_sums = statistic.over(matrices)
        return lambda table: of_sums(*sums_of(table))
    assert statistic.function is not None
    function = statistic.function
    return lambda table: as_number(statistic, function(table))


def largest_of(is_chosen: Callable[[Statistic], bool]) -> str:
    """Return the text "largest NAMES or the smallest NAMES", for a message about the extremes that a method can find.

    A method finds the largest value of some basic statistics (those for which ``is_chosen`` is true), and of their
    multiples. These are the first names. At the same tables the complements, such as 1 - RD, are smallest. These
    are the last names.

    >>> largest_of(lambda base: base is STATISTICS["med"])
    'largest med, nmed or the smallest '
    """
    names = names_of(lambda x: is_chosen(x.base) and x.direction > 0)
    return f"largest {names} or the smallest {names_of(lambda x: is_chosen(x.base) and x.direction < 0)}"


def names_of(is_chosen: Callable[[Statistic], bool]) -> str:
    """Return the names of the registered statistics for which ``is_chosen`` is true, separated by commas.

    >>> names_of(lambda statistic: statistic.base is STATISTICS["med"])
    'med, nmed'
    """
    return ", ".join(name for name, statistic in STATISTICS.items() if is_chosen(statistic))
