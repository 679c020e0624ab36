"""How long counting the members of a class takes, and finding one by its position: told before, from its sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log2, prod
from typing import TYPE_CHECKING

from confmat._limits import Limits, Question, Run, method, register
from confmat.classes.fibers import sorted_margins, way_to_count

if TYPE_CHECKING:
    from confmat.classes.matrix_class import MatrixClass

# Binomials C(m, k) of B bits take Python about 1.5e-12 k B seconds each (its division is quadratic).
_SECONDS_PER_BIT_PAIR = 1.5e-12
_SECONDS_PER_TERM = 2e-6


@dataclass(frozen=True)
class CountQuestion(Question):
    """How many members a class has."""

    matrices: MatrixClass
    limits: Limits = field(default_factory=Limits)

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
    binomials = 1 if matrices.may_be_empty else min(cells, 10**100)
    return binomials * seconds_of_binomial(matrices.n, cells)


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


def _counts_states(matrices: MatrixClass) -> bool:
    """Whether all sums are fixed: counted by a recursion."""
    return all(side.sums is not None for side in matrices.sides)


@method("closed form", "binomials, by inclusion and exclusion of empty lines", "the exact number")
def _closed_form(question: CountQuestion) -> Run | str:
    matrices = question.matrices
    if _counts_states(matrices):
        return "is of free sums"
    return Run(matrices.count, seconds_to_count(matrices))


@method("recursion", "row by row, equal states once", "the exact number")
def _count_by_recursion(question: CountQuestion) -> Run | str:
    matrices = question.matrices
    if not _counts_states(matrices):
        return "is of fixed sums"
    rows, cols = (side.sums or () for side in matrices.sides)
    way, name = way_to_count(*sorted_margins(rows, cols))
    return Run(matrices.count, way.cpu_seconds, facts={"by": name}, limit=way.limit)


register(CountQuestion, _closed_form, _count_by_recursion)
