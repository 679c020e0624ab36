"""Ways to the law of some statistics over a class: the methods that ``confmat._limits`` asks, in order.

A generating function or a recursion where one is known, signatures or sums of an enumeration; table by table where no
fast kernel counts the statistics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from math import comb

from confmat._engine.run import INTERPRETER, enumeration, fits, limit_of_kept, visit
from confmat._engine.signatures import enumerated, summed_up
from confmat._engine.walks import walk
from confmat._integers.arrays import primes_for
from confmat._limits import Limits, Question, Run, method, no_room, register, size
from confmat.classes import MatrixClass
from confmat.distributions.distances import (
    by_generating_function,
    by_recursion,
    has_med_law,
    has_rd_law,
)
from confmat.distributions.given_margins import GivenMargins, given_margins
from confmat.distributions.supports import PointsOfSupport, gathered, points_of_distances
from confmat.errors import Unsupported
from confmat.statistics.record import Statistic, shared_symmetry

# Seconds of an ordinary core: of a byte of the recursion at each n and prime, of a table walked in arrays and by a
# function in Python, of a value with its weight, which takes so many bytes.
_SECONDS_OF_RECURSION = 9e-11
_SECONDS_OF_TABLES = {True: 3e-6, False: 1e-5}
_SECONDS_OF_VALUE, _BYTES_OF_VALUE = 6e-6, 350


@dataclass(frozen=True)
class LawQuestion(Question):
    """The law of some statistics over a class; of all that have formulas where none is named."""

    matrices: MatrixClass
    statistics: tuple[Statistic, ...] = ()
    weight: str = "tables"
    limits: Limits = field(default_factory=Limits)

    @cached_property
    def depends(self) -> frozenset[str] | None:
        """What the statistics depend on, of "m", "A", "B", "P" and "F"; None where the kernels do not count that.

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
        """Whether m and F = A + B - 2P tell the statistics."""
        return self.depends is not None and self.depends <= {"m", "F"}

    @property
    def in_one_piece(self) -> str | None:
        """What of the limits is for finished parts alone, so that no method without such is taken."""
        names_given = [
            name for name in ("checkpoint", "executor") if getattr(self.limits.in_force(), name) is not None
        ]
        if names_given:
            return f"{names_given[0]} does nothing for {self}, computed in one piece"
        return None

    def __str__(self) -> str:
        names = ", ".join(s.name for s in self.statistics) or "statistics with formulas"
        pairs = "" if self.weight == "tables" else ", by labelings"
        return f"the law of {names} over {self.matrices!r}{pairs}"


# --- laws of the MED or the RD alone ----------------------------------------------------------------


@method("generating function", "closed forms of the law of the MED for every n", "values")
def _generating_function(question: LawQuestion) -> Run | str:
    matrices = question.matrices
    if question.depends != {"m"} or question.weight != "tables":
        return "knows statistics of the MED, each table once"
    if not has_med_law(matrices):
        return "knows Tables of few rows and columns"
    values = matrices.n
    octets = INTERPRETER + _BYTES_OF_VALUE * values
    return Run(
        lambda: points_of_distances(matrices, question.statistics, by_generating_function(matrices)),
        cpu_seconds=_SECONDS_OF_VALUE * values,
        bytes=octets,
        facts={"values": values},
        limit=no_room(octets, question.limits),
    )


@method("recursion", "a recursion over sets of cells, without visiting tables", "values")
def _recursion(question: LawQuestion) -> Run | str:
    matrices = question.matrices
    if question.depends != {"F"} or question.weight != "tables":
        return "knows statistics of the RD, each table once"
    if not has_rd_law(matrices):
        return "knows Tables of few rows and columns that fit its memory"

    from confmat.distributions.rand_distribution import memory_of_columns

    memory = memory_of_columns(matrices.n, *matrices.shape)
    values = comb(matrices.n, 2)
    threads = question.limits.cores
    seconds = _SECONDS_OF_RECURSION * memory * matrices.n * len(primes_for(matrices.count()))
    octets = INTERPRETER + memory + _BYTES_OF_VALUE * values
    return Run(
        lambda: points_of_distances(matrices, question.statistics, by_recursion(matrices, threads)),
        cpu_seconds=seconds + _SECONDS_OF_VALUE * values,
        bytes=octets,
        threads=question.limits.cores,
        facts={"values": values},
        limit=no_room(octets, question.limits),
    )


# --- laws at given margins --------------------------------------------------------------------------

# What the recursion takes: mostly less; with more than some seconds of terms it gives way to the next method.
_SECONDS_OF_ROWS, _BYTES_OF_ROWS = 1.0, 2**31


@method(
    "rows",
    "a sum over cells decides the statistics: equal states of the columns are one, row by row",
    "values",
)
def _by_rows(question: LawQuestion) -> Run | str:
    decided = given_margins(question.matrices, question.statistics)
    if isinstance(decided, str):
        return decided
    if (useless := question.in_one_piece) is not None:
        return useless
    return Run(lambda: _of_rows(question, decided), _SECONDS_OF_ROWS, _BYTES_OF_ROWS)


def _of_rows(question: LawQuestion, decided: GivenMargins) -> PointsOfSupport:
    """Statistics that one sum over cells decides at given margins, row by row; TooLarge for too many terms."""
    sums = decided.counted(question.weight)
    scale = 1
    if question.weight == "labelings":
        # The recursion counts labelings of one side: the other's stand in any order.
        scale = question.matrices.labelings_count() // sum(sums.law.values())
    return gathered((values, scale * sums.law[key]) for key, values in decided.values(sums))


# --- every statistic with a formula -----------------------------------------------------------------


@method("one pass", "its signatures can be held: they answer every question", "signatures", in_parts=True)
def _one_pass(question: LawQuestion) -> Run | str:
    if question.depends is None:
        return _NOT_COUNTED
    run_over = question.matrices, question.weight, question.limits
    run = enumeration(*run_over, partial(enumerated, *run_over))
    if run.limit is None and "signatures" in run.facts and fits(*run_over) is False:
        return f"would keep signatures of more than {size(limit_of_kept(question.limits))}"
    return run


@method("sums of one pass", "MED and RD alone are answered by sums over the class", "sums", in_parts=True)
def _sums_of_one_pass(question: LawQuestion) -> Run | str:
    if not question.of_distances:
        return "knows statistics of MED and RD"
    return _summed_up(question, 1)


@method(
    "two passes",
    "signatures are too many to be held; sums over the class, then a pass for quartiles",
    "sums",
    in_parts=True,
)
def _two_passes(question: LawQuestion) -> Run | str:
    if question.depends is None:
        return _NOT_COUNTED
    return _summed_up(question, 2)


def _summed_up(question: LawQuestion, passes: int) -> Run:
    run_over = question.matrices, question.weight, question.limits
    return enumeration(*run_over, partial(summed_up, *run_over), passes)


_NOT_COUNTED = "counts statistics with formulas over classes known by their margins"


# --- any statistic ----------------------------------------------------------------------------------


@method(
    "table by table",
    "member by member where margins do not tell what is a member, or a function must see each",
    "values",
)
def _table_by_table(question: LawQuestion) -> Run | str:
    matrices = question.matrices
    statistics = question.statistics
    if question.depends is not None or not statistics:
        return "is for functions, and for classes not known by their margins, and lists values, no signatures"
    if (useless := question.in_one_piece) is not None:
        raise Unsupported(useless)  # no other method answers
    in_arrays = all(statistic.function is None or statistic.batch is not None for statistic in statistics)
    return visit(
        partial(walk, matrices, statistics, question.weight, question.limits),
        matrices,
        shared_symmetry(statistics),
        _SECONDS_OF_TABLES[in_arrays],
        INTERPRETER,
    )


register(
    LawQuestion,
    _generating_function,
    _recursion,
    _one_pass,
    _sums_of_one_pass,
    _two_passes,
    # Signatures answer more, where there are not too many of them.
    _by_rows,
    _table_by_table,
)
