"""Methods that compute the distribution of statistics over a class, in order of preference.

A generating function or a recursion is used if one is known. Otherwise an enumeration returns sufficient statistics
or sums of them. Statistics without a formula are computed table by table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import comb

from confmat._engine.pieces import STEP
from confmat._engine.run import SECONDS_OF_TABLE, Enumeration, visit
from confmat._engine.signatures import enumerated
from confmat._engine.walks import walk
from confmat._integers.arrays import primes_for
from confmat._limits import Limits, Question, Run, excess, method, register
from confmat.classes import MatrixClass
from confmat.distributions.given_margins import GivenMargins, given_margins
from confmat.distributions.supports import PointsOfSupport, distances_of_counts, gathered, points_at
from confmat.errors import TooLargeError
from confmat.statistics.record import Statistic

# The method that returns sufficient statistics, or sums of them.  The other methods list values.
ONE_PASS = "one pass"

# Bytes of a value with its weight, as Python objects.
_BYTES_OF_VALUE = 350


@dataclass(frozen=True)
class LawQuestion(Question):
    """Arguments of a distribution: a class, statistics, a weight and limits.

    An empty tuple of ``statistics`` means all statistics with formulas.
    """

    matrices: MatrixClass
    statistics: tuple[Statistic, ...] = ()
    weight: str = "tables"
    limits: Limits = field(default_factory=Limits)

    @cached_property
    def depends(self) -> frozenset[str] | None:
        """Arguments of the formulas of the statistics, None if a statistic has no formula.

        They are "m" (n MED), "A", "B", "P" (pairs in a common row, column and cell) and "F" (C(n, 2) RD).

        >>> from confmat.classes import Tables
        >>> from confmat.statistics import as_statistic
        >>> sorted(LawQuestion(Tables(4, 2, 2), (as_statistic("med"), as_statistic("rd"))).depends)
        ['F', 'm']
        """
        depends: set[str] = set() if self.statistics else {"m", "A", "B", "P"}
        for statistic in self.statistics:
            base = statistic.base
            if base.formula is None:
                return None
            depends |= set(base.depends)
        return frozenset(depends)

    @property
    def of_distances(self) -> bool:
        """True if MED and RD determine the statistics."""
        return self.depends is not None and self.depends <= {"m", "F"}

    def __str__(self) -> str:
        """Return the question as text."""
        names = ", ".join(s.name for s in self.statistics) or "statistics with formulas"
        pairs = "" if self.weight == "tables" else ", by labelings"
        return f"the distribution of {names} over {self.matrices!r}{pairs}"


# --- distribution of the MED or the RD alone --------------------------------------------------------


@method("generating function", "closed forms of the distribution of the MED for every n", 6e-6)
def _generating_function(question: LawQuestion) -> Run | str:
    """Return the `Run` of the closed forms of the MED, or a string: the reason why they do not apply."""
    from confmat.distributions.med_distribution import LARGEST_COLUMNS, med_counts

    matrices = question.matrices
    if question.depends != {"m"} or question.weight != "tables":
        return 'is for statistics that are functions of the MED, with weight="tables"'
    if not _are_all_tables(matrices, LARGEST_COLUMNS):
        return "is for Tables with few rows and columns"
    _check_memory(question, _BYTES_OF_VALUE * matrices.n)

    def points() -> PointsOfSupport:
        counts = med_counts(matrices.n, *matrices.shape, allow_empty=matrices.may_be_empty)
        return points_at(matrices, question.statistics, [distances_of_counts(counts, 0)])

    return Run(points, matrices.n)


@method("recursion", "a recursion over sets of cells, without an enumeration of tables", 9e-11)
def _recursion(question: LawQuestion) -> Run | str:
    """Return the `Run` of the recursion for the Rand distance, or a string: the reason why it does not apply."""
    from confmat.distributions.rand_distribution import (
        LARGEST_COLUMNS_OF_RD,
        MOST_MEMORY,
        memory_of_columns,
        rand_distance_counts,
    )

    matrices = question.matrices
    size = matrices.n, *matrices.shape
    if question.depends != {"F"} or question.weight != "tables":
        return 'is for statistics that are functions of the RD, with weight="tables"'
    is_known = _are_all_tables(matrices, LARGEST_COLUMNS_OF_RD)
    if not is_known or (memory := memory_of_columns(*size)) > MOST_MEMORY:
        return "is for Tables with few rows and columns, and n small enough for the memory"
    _check_memory(question, memory + _BYTES_OF_VALUE * comb(matrices.n, 2))
    threads = question.limits.cores

    def points() -> PointsOfSupport:
        counts = rand_distance_counts(*size, allow_empty=matrices.may_be_empty, threads=threads)
        return points_at(matrices, question.statistics, [distances_of_counts(counts, 1)])

    return Run(points, int(memory) * matrices.n * len(primes_for(matrices.count())), threads)


def _are_all_tables(matrices: MatrixClass, largest_columns: Mapping[int, int]) -> bool:
    """Return whether a class has all tables of a total, in a supported shape.

    ``largest_columns`` maps the smaller number of rows or columns to the largest supported number of the other.
    """
    shorter, longer = sorted(matrices.shape)
    return matrices.unrestricted and longer <= largest_columns.get(shorter, 0)


def _check_memory(question: LawQuestion, memory: float) -> None:
    """Raise TooLargeError if a method needs more bytes than the limits allow."""
    much = excess(memory=memory, limits=question.limits)
    if much is not None:
        raise TooLargeError(much)


# --- distributions at given margins -----------------------------------------------------------------


@method(
    "rows",
    "a recursion over rows, because the statistics are functions of one sum over cells",
)
def _by_rows(question: LawQuestion) -> Run | str:
    """Return the `Run` of the recursion over rows at fixed margins, or a string: the reason why it does not apply."""
    decided = given_margins(question.matrices, question.statistics)
    if isinstance(decided, str):
        return decided
    if (useless := question.in_one_piece) is not None:
        return useless
    return Run(lambda: _of_rows(question, decided))


def _of_rows(question: LawQuestion, decided: GivenMargins) -> PointsOfSupport:
    """Return the values of the statistics with their weights, from a recursion over rows at fixed margins.

    ``decided`` has the sum over cells that determines the statistics.
    """
    sums = decided.counted(question.weight)
    scale = 1
    if question.weight == "labelings":
        # The recursion counts the labelings of the rows, given the labels of the columns.
        scale = question.matrices.labelings_count() // sum(sums.law.values())
    return gathered((values, scale * sums.law[key]) for key, values in decided.values(sums))


# --- every statistic with a formula -----------------------------------------------------------------


@method(
    ONE_PASS,
    "one enumeration of the sufficient statistics, or of sums over them, answers every question",
    STEP,
    in_parts=True,
)
def _one_pass(question: LawQuestion) -> Run | str:
    """Return the `Run` of an enumeration of the class, or the reason why it does not apply as a string.

    The enumeration returns the sufficient statistics (m, A, B, P) with their weights. If they do not fit in memory,
    it returns the `Sums` over them.
    """
    if question.depends is None:
        return _NOT_COUNTED
    enumeration = Enumeration(question.matrices, question.weight, question.limits)
    run = enumeration.planned(partial(enumerated, enumeration))
    # Results that sums do not determine take another enumeration.
    if question.matrices and run.steps < _COUNTED and not enumeration.is_foldable:
        work = enumeration.work
        _check_memory(question, work.octets_of_places + 16 * work.signatures)
    if run.steps < _COUNTED and not question.of_distances and enumeration.fits() is False:
        return replace(run, steps=2 * run.steps)
    return run


# For longer runs it is not checked whether they need two enumerations.
_COUNTED = 10**15

_NOT_COUNTED = "is for statistics with formulas, over classes that are defined by their margins"


# --- any statistic ----------------------------------------------------------------------------------


@method(
    "table by table",
    "all members are enumerated, for user-defined functions and classes not defined by their margins",
    SECONDS_OF_TABLE,
)
def _table_by_table(question: LawQuestion) -> Run | str:
    """Return the `Run` of an enumeration table by table, or a string: the reason why it does not apply."""
    matrices = question.matrices
    statistics = question.statistics
    if question.depends is not None or not statistics:
        return "is for user-defined functions and for classes not defined by their margins, and lists values only"
    answer = partial(walk, matrices, statistics, question.weight, question.limits)
    return visit(question, answer, statistics)


register(
    LawQuestion,
    _generating_function,
    _recursion,
    _one_pass,
    # An enumeration is preferred, because its sufficient statistics answer more.
    _by_rows,
    _table_by_table,
)
