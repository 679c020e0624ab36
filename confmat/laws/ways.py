"""Ways to the law of some statistics over a class: the records from which ``confmat.plans`` chooses.

A generating function or a recursion where one is known, states merged, signatures or sums of an enumeration; table by
table where no fast kernel counts the statistics.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import comb, factorial, inf, prod
from operator import gt, lt
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.compositions import partitions_count
from confmat.engine.integers import primes_for
from confmat.engine.merging import MEMORY_LIMIT, expected_seconds, med_rd_law_by_merging, merging_groups
from confmat.engine.merging_kernels import LARGEST_SIDE
from confmat.engine.pieces import fact_of_members
from confmat.engine.rule import INTERPRETER, bytes_of_run, run_of, why_not_kept
from confmat.engine.run import MOST_POINTS, left, refusal_of_memory
from confmat.engine.signatures import enumerated, summed_up
from confmat.engine.walks import seconds_a_table, walk
from confmat.errors import Unsupported
from confmat.laws.given_margins import GivenMargins, given_margins
from confmat.laws.supports import Points, depend_on_distances, gathered, points_of_sums, values_at
from confmat.plans import Cost, Method, Progress, Question, Resources, excess, register
from confmat.statistics.record import Statistic, shared_symmetry

# Processor seconds of an ordinary core, of a byte of the recursion at each n and prime, of a table walked in arrays and
# by a function in Python; bytes of a value with its weight; groups of merging that are listed to tell its cost.
_SECONDS_OF_RECURSION = 9e-11
_SECONDS_OF_TABLE = {True: 3e-6, False: 5e-5}
_BYTES_OF_VALUE = 350
_MOST_GROUPS = 10**6


@dataclass(frozen=True)
class LawQuestion(Question):
    """The law of some statistics over a class; of all that have formulas where none is named."""

    matrices: MatrixClass
    statistics: tuple[Statistic, ...] = ()
    weight: str = "tables"
    resources: Resources = field(default_factory=Resources)

    @property
    def counted(self) -> bool:
        """Whether the kernels count what the statistics depend on."""
        return self.matrices.has_margins and all(s.counted for s in self.statistics)

    @property
    def needed(self) -> set[str]:
        """What the statistics depend on, of "m", "A", "B", "P" and "F"; nothing said is everything."""
        return set("".join(s.base.depends for s in self.statistics))

    @property
    def in_one_piece(self) -> str | None:
        """What of the resources is for finished parts alone, so that no method without such is taken."""
        given = [name for name in ("checkpoint", "executor") if getattr(self.resources, name) is not None]
        return f"{given[0]} does nothing for {self}, computed in one piece" if given else None

    def __str__(self) -> str:
        names = ", ".join(s.name for s in self.statistics) or "statistics with formulas"
        pairs = "" if self.weight == "tables" else ", by labelings"
        return f"the law of {names} over {self.matrices!r}{pairs}"


# --- laws of the MED or the RD alone ----------------------------------------------------------------


def has_med_law(matrices: MatrixClass) -> bool:
    """Whether the law of the MED over the class is known for every n, see ``confmat.laws.medlaw``.

    >>> from confmat.classes import FixedRows, Tables
    >>> has_med_law(Tables(10**9, 2, 3)), has_med_law(FixedRows([2, 3], 2))
    (True, False)
    """
    from confmat.laws.medlaw import LARGEST_COLUMNS

    few, many = sorted(matrices.shape)
    return matrices.unrestricted and many <= LARGEST_COLUMNS.get(few, 0)


def _by_generating_function(question: LawQuestion) -> Points:
    """Statistics of the MED alone, without enumeration."""
    from confmat.laws.medlaw import med_counts

    matrices = question.matrices
    counts = med_counts(matrices.n, *matrices.shape, empty=matrices.may_be_empty) if matrices else []
    values = values_at(matrices, question.statistics)
    return _in_order([(values(m, 0, 0, 0), amount) for m, amount in enumerate(counts) if amount])


def _no_generating_function(question: LawQuestion) -> str | None:
    if not question.counted or question.needed != {"m"} or question.weight != "tables":
        return "knows statistics of the MED, each table once"
    return None if has_med_law(question.matrices) else "knows Tables of few rows and columns"


def _cost_of_generating_function(question: LawQuestion) -> Cost:
    values = question.matrices.n
    return Cost(1 + 6e-6 * values, INTERPRETER + _BYTES_OF_VALUE * values, facts={"values": values})


def has_rd_law(matrices: MatrixClass) -> bool:
    """Whether the law of the RD over the class comes from the recursion of ``confmat.laws.rdlaw``.

    >>> from confmat.classes import Tables
    >>> has_rd_law(Tables(100, 3, 3)), has_rd_law(Tables(100, 9, 9))
    (True, False)
    """
    from confmat.laws.rdlaw import MOST_MEMORY, has_recursion, memory_of

    if not matrices.unrestricted or not has_recursion(*matrices.shape):
        return False
    return memory_of(matrices.n, *matrices.shape) <= MOST_MEMORY


def _by_recursion(question: LawQuestion) -> Points:
    """Statistics of F alone, without visiting tables."""
    from confmat.laws.rdlaw import rand_distance_counts

    matrices = question.matrices
    counts = rand_distance_counts(
        matrices.n, *matrices.shape, empty=matrices.may_be_empty, threads=question.resources.threads
    )
    values = values_at(matrices, question.statistics)
    return _in_order([(values(0, f, 0, 0), amount) for f, amount in enumerate(counts) if amount])


def _no_recursion(question: LawQuestion) -> str | None:
    if not question.counted or question.needed != {"F"} or question.weight != "tables":
        return "knows statistics of the RD, each table once"
    return (
        None if has_rd_law(question.matrices) else "knows Tables of few rows and columns that fit its memory"
    )


def _cost_of_recursion(question: LawQuestion) -> Cost:
    from confmat.laws.rdlaw import memory_of

    matrices, threads = question.matrices, question.resources.cores
    memory, values = memory_of(matrices.n, *matrices.shape), comb(matrices.n, 2)
    primes = len(primes_for(matrices.count()))
    seconds = _SECONDS_OF_RECURSION * memory * matrices.n * primes
    octets = INTERPRETER + memory + _BYTES_OF_VALUE * values
    return Cost(seconds, octets, threads, 6e-6 * values, {"values": values})


def _in_order(support: Points) -> Points:
    """Of functions of one number, listed by it: where they are strictly monotone, nothing is to merge or to sort."""
    values = [value for value, _ in support]
    if all(map(lt, values, values[1:])):
        return support
    return support[::-1] if all(map(gt, values, values[1:])) else gathered(support)


# --- laws at given margins --------------------------------------------------------------------------

# What the recursion takes: mostly less; with more than some seconds of terms it gives way to the next method.
_SECONDS_OF_ROWS, _BYTES_OF_ROWS = 1.0, 2**31


def _by_rows(question: LawQuestion) -> Points:
    """Statistics that one sum over cells decides at given margins, row by row; TooLarge for too many terms."""
    given = given_margins(question.matrices, question.statistics)
    assert isinstance(given, GivenMargins)
    found = given.counted(question.weight)
    scale = 1
    if question.weight == "labelings":
        # The recursion counts labelings of one side: the other's stand in any order.
        scale = question.matrices.labelings_count() // sum(found.law.values())
    return gathered((values, scale * found.law[key]) for key, values in given.values(found))


def _no_rows(question: LawQuestion) -> str | None:
    given = given_margins(question.matrices, question.statistics)
    return given if isinstance(given, str) else question.in_one_piece


# --- laws of MED and RD -----------------------------------------------------------------------------


def _of_distances(question: LawQuestion) -> bool:
    """Whether m and F tell the statistics."""
    return question.counted and depend_on_distances(question.statistics)


def _by_merging(question: LawQuestion) -> Points:
    """Statistics of m and F alone, where equal states of all rows but the largest are merged; TooLarge for too many."""
    matrices, resources = question.matrices, question.resources

    def report(share: float) -> None:
        if resources.progress is not None:
            resources.progress(Progress("merging", round(100 * share), 100, share))

    law = med_rd_law_by_merging(
        matrices.n, *matrices.shape, empty=matrices.may_be_empty, threads=resources.cores, progress=report
    )
    values = values_at(matrices, question.statistics)
    return gathered((values(m, f, 0, 0), int(law[m, f])) for m, f in np.argwhere(law).tolist())


def _no_merging(question: LawQuestion) -> str | None:
    matrices = question.matrices
    if not _of_distances(question) or question.weight != "tables":
        return "knows statistics of MED and RD, each table once"
    if not (matrices.unrestricted and 4 <= max(matrices.shape) <= LARGEST_SIDE and matrices):
        return f"knows Tables of 4 to {LARGEST_SIDE} columns"
    return question.in_one_piece


def _cost_of_merging(question: LawQuestion) -> Cost:
    matrices, (few, many) = question.matrices, sorted(question.matrices.shape)
    groups = matrices.n * partitions_count(matrices.n, many)
    if groups > _MOST_GROUPS:  # as many states, if every group had the largest number of them
        seconds = 1e-9 * groups * (matrices.n / many + 1) ** many * (matrices.n / few + 1) ** (many - 1)
    else:
        seconds = expected_seconds(merging_groups(matrices.n, few, many, empty=matrices.may_be_empty))
    return Cost(seconds, INTERPRETER + MEMORY_LIMIT / 2, question.resources.cores)


def _by_sums(question: LawQuestion) -> Points:
    """Statistics of m and F alone, from sums over the class."""
    sums = summed_up(question.matrices, question.weight, question.resources)
    return points_of_sums(question.matrices, question.statistics, sums)


def _no_sums(question: LawQuestion) -> str | None:
    return None if _of_distances(question) else "knows statistics of MED and RD"


# --- every statistic with a formula -----------------------------------------------------------------


def _no_pass(question: LawQuestion) -> str | None:
    return None if question.counted else "counts statistics with formulas over classes known by their margins"


def _has_endless_weights(question: LawQuestion) -> bool:
    """Whether numbers of labelings have too many digits even for the sizes of a pass to be told."""
    return question.weight == "labelings" and question.matrices.n > MOST_POINTS


def _beyond(question: LawQuestion, kept: bool) -> str | None:
    """Why a run that keeps signatures, or adds them up, is not possible."""
    matrices, weight, resources = question.matrices, question.weight, question.resources
    if not matrices:
        return None
    if _has_endless_weights(question):
        return f"more points than an enumeration can take ({MOST_POINTS})"
    run = run_of(matrices, weight)
    much = None if run.seconds == inf else excess(run.seconds / resources.cores, run.bytes, resources)
    if run.refusal is not None:
        return run.refusal if much is None else f"{much}, and {run.refusal}"
    if much is not None:
        return None  # the cost says so
    if kept and (reason := why_not_kept(matrices, weight, resources)) is not None:
        return reason
    return refusal_of_memory(matrices, weight, resources)


def _cost_of_run(question: LawQuestion, passes: int = 1) -> Cost:
    """By the rule; of what a checkpoint has not."""
    matrices, weight, resources = question.matrices, question.weight, question.resources
    if _has_endless_weights(question):
        return Cost(inf)
    run = run_of(matrices, weight)
    seconds = passes * run.seconds
    if resources.checkpoint is not None and excess(run.seconds, resources=Resources(seconds=1e6)) is None:
        seconds *= left(matrices, weight, resources.checkpoint)
    octets = bytes_of_run(matrices, weight, resources)
    facts = {**run.facts, "passes": passes} if run.facts else {}
    return Cost(seconds, octets, resources.cores, facts=facts)


def _run(question: LawQuestion) -> Any:
    return enumerated(question.matrices, question.weight, question.resources)


# --- any statistic ----------------------------------------------------------------------------------


def _by_table(question: LawQuestion) -> Points:
    return walk(question.matrices, question.statistics, question.weight, question.resources)


def _not_by_table(question: LawQuestion) -> str | None:
    if question.counted or not question.statistics:
        return "is for functions, and for classes not known by their margins, and lists values, no signatures"
    if (useless := question.in_one_piece) is not None:
        raise Unsupported(useless)  # no other method answers
    return None


def _cost_by_table(question: LawQuestion) -> Cost:
    matrices = question.matrices
    members, symmetry = fact_of_members(matrices), shared_symmetry(question.statistics)
    orders = prod(
        factorial(side.lines)
        for side, generator in zip(matrices.sides or (), ("rows", "columns"))
        if side.sums is None and generator in symmetry
    )
    seconds = _SECONDS_OF_TABLE[all(s.function is None or s.batch is not None for s in question.statistics)]
    tables = sum(members.values()) // orders
    return Cost(seconds * tables, INTERPRETER, facts={**members, "tables": tables})


def _measure_by_table(question: LawQuestion) -> Cost:
    cost = _cost_by_table(question)
    each = seconds_a_table(question.matrices, question.statistics, question.weight)
    return replace(cost, seconds=each * cost.facts["tables"])


register(
    Method(
        "generating function",
        LawQuestion,
        _by_generating_function,
        _cost_of_generating_function,
        why="closed forms of the law of the MED for every n",
        gives="values",
        refusal=_no_generating_function,
    ),
    Method(
        "recursion",
        LawQuestion,
        _by_recursion,
        _cost_of_recursion,
        why="a recursion over sets of cells, without visiting tables",
        gives="values",
        refusal=_no_recursion,
    ),
    Method(
        "rows",
        LawQuestion,
        _by_rows,
        lambda question: Cost(_SECONDS_OF_ROWS, _BYTES_OF_ROWS),
        why="a sum over cells decides the statistics: equal states of the columns are one, row by row",
        gives="values",
        # Signatures answer more, where there are not too many of them.
        grade=lambda question: 5 if question.counted else 1,
        refusal=_no_rows,
    ),
    Method(
        "merging",
        LawQuestion,
        _by_merging,
        _cost_of_merging,
        why="there are far fewer states of rows than tables",
        gives="values",
        grade=1,
        refusal=_no_merging,
    ),
    Method(
        "table by table",
        LawQuestion,
        _by_table,
        _cost_by_table,
        why="member by member where margins do not tell what is a member, or a function must see each",
        gives="values",
        grade=1,
        refusal=_not_by_table,
        measure=_measure_by_table,
    ),
    Method(
        "one pass",
        LawQuestion,
        _run,
        _cost_of_run,
        why="its signatures can be held: they answer every question",
        gives="signatures",
        grade=2,
        refusal=_no_pass,
        limit=lambda question: _beyond(question, kept=True),
        in_parts=True,
    ),
    Method(
        "sums of one pass",
        LawQuestion,
        _by_sums,
        _cost_of_run,
        why="MED and RD alone are answered by sums over the class",
        gives="values",
        grade=3,
        refusal=_no_sums,
        limit=lambda question: _beyond(question, kept=False),
        in_parts=True,
    ),
    Method(
        "two passes",
        LawQuestion,
        lambda question: summed_up(question.matrices, question.weight, question.resources),
        lambda question: _cost_of_run(question, passes=2),
        why="signatures are too many to be held; sums over the class, then a pass for quartiles",
        gives="sums",
        grade=4,
        refusal=_no_pass,
        limit=lambda question: _beyond(question, kept=False),
        in_parts=True,
    ),
)
