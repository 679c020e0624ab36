"""How long counting the members of a class takes, and finding one by its position: told before, from its sizes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log2, prod
from typing import TYPE_CHECKING

from confmat.classes.fibers import FiberQuestion
from confmat.plans import Cost, Method, Question, Resources, admit, choose, register

if TYPE_CHECKING:
    from confmat.classes.matrix_class import MatrixClass

# Binomials C(m, k) of B bits take Python about 1.5e-12 k B seconds each (its division is quadratic).
_SECONDS_PER_BIT_PAIR = 1.5e-12
_SECONDS_PER_TERM = 2e-6
_SECONDS_PER_STATE = 1e-5
_SECONDS_PER_MEMBER = 1e-5
_MOST_STATES = 2_000_000
MOST_ITERATED = 10**7  # members, where a class does not say how many it has

# Seconds that counting, and finding a member, may take unless a budget says more.
COUNTING = 60.0
UNRANKING = 10.0


@dataclass(frozen=True)
class CountQuestion(Question):
    """How many members a class has."""

    matrices: MatrixClass
    resources: Resources = field(default_factory=Resources)

    def __str__(self) -> str:
        return f"count the members of {self.matrices!r}"


def seconds_of_binomial(n: int, cells: int) -> float:
    """About how long C(n + cells - 1, cells - 1) takes.

    >>> seconds_of_binomial(50, 16) < 1e-5 < seconds_of_binomial(10**6, 10**4)
    True
    """
    k = max(1, min(n, cells))
    bits = k * ((max(n, cells) // k).bit_length() + 2)
    return _SECONDS_PER_TERM + _SECONDS_PER_BIT_PAIR * min(k * bits, 10**300)


def seconds_to_count(matrices: MatrixClass) -> float:
    """About how long a closed form takes, within a factor of 5: r s binomials (one, with empty lines).

    >>> from confmat.classes import Tables
    >>> seconds_to_count(Tables(10**8, 2000, 2000)) > 1e8 > 1 > seconds_to_count(Tables(50, 4, 4))
    True
    """
    if not matrices.unrestricted or not matrices:
        return 0.0
    cells = prod(matrices.shape)
    return (1 if matrices.may_be_empty else min(cells, 10**100)) * seconds_of_binomial(matrices.n, cells)


def seconds_to_unrank(matrices: MatrixClass) -> float:
    """About how long the member at a position takes where lines must not be empty: inclusion-exclusion at each cell.

    >>> from confmat.classes import Tables
    >>> seconds_to_unrank(Tables(10**5, 30, 30)) > 10 > 0.1 > seconds_to_unrank(Tables(1000, 10, 10))
    True
    """
    if not matrices.unrestricted:
        return 0.0
    r, s = matrices.shape
    terms = 1.0 if matrices.may_be_empty else 1 + r * s * s / 150
    return r * s * log2(matrices.n + 2) * terms * seconds_of_binomial(matrices.n, r * s)


def admit_count(matrices: MatrixClass) -> None:
    """Raise TooLarge where counting takes more than a minute, or what a budget allows."""
    admit(f"counting {matrices!r}", seconds_to_count(matrices), patience=COUNTING)


def _cost_of_count(question: CountQuestion) -> Cost:
    return Cost(seconds_to_count(question.matrices))


def _count(question: CountQuestion) -> int:
    return question.matrices.count()


def _cost_of_recursion(question: CountQuestion) -> Cost:
    sides = question.matrices.sides
    if sides is None or sides[0].sums is None or sides[1].sums is None:
        return Cost(_SECONDS_PER_STATE * _MOST_STATES, facts={"states at most": _MOST_STATES})
    plan = choose(FiberQuestion.of(sides[0].sums, sides[1].sums))
    return replace(plan.cost, facts={"by": plan.method})


def _by_members(question: CountQuestion) -> bool:
    return not question.matrices.counts_itself


def _by_states(question: CountQuestion) -> bool:
    sides = question.matrices.sides
    return not _by_members(question) and (sides is None or all(side.sums is not None for side in sides))


register(
    Method(
        "closed form",
        CountQuestion,
        _count,
        _cost_of_count,
        why="binomials, by inclusion and exclusion of empty lines",
        gives="the exact number",
        refusal=lambda asked: "is of free sums" if _by_members(asked) or _by_states(asked) else None,
        patience=COUNTING,
    ),
    Method(
        "recursion",
        CountQuestion,
        _count,
        _cost_of_recursion,
        why="row by row, or cell by cell within bounds, equal states once",
        gives="the exact number",
        refusal=lambda asked: None if _by_states(asked) else "is of fixed sums, or bounds on cells",
    ),
    Method(
        "iteration",
        CountQuestion,
        _count,
        lambda asked: Cost(_SECONDS_PER_MEMBER * MOST_ITERATED, facts={"members at most": MOST_ITERATED}),
        why="the class says no number of its own",
        gives="the exact number",
        refusal=lambda asked: None if _by_members(asked) else "is for classes that do not count themselves",
    ),
)
