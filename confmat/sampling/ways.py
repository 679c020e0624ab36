"""What the ways to draw have in common: the questions, and what a way says that applies.

    @method("counting", "row by row, each as often as it can be completed", EXACT_DRAWS)
    def _counting(question):
        if as_fixed_margins(question.matrices) is None:
            return "is for FixedMargins"
        return drawing(question, lambda: counting_sampler(...))

``confmat.sampling.choice`` has the ways to draw from a whole class, ``confmat.sampling.given`` those under a condition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

from confmat._limits import Limits, Question, Run
from confmat.classes import MatrixClass
from confmat.sampling.methods import Sampler, Wanted

EXACT_DRAWS = "exact, independent draws"

# Seconds of a core that a cell of a draw takes a kernel.
SECONDS_OF_CELL = 2e-8

# Bytes that a process takes whatever it draws.
_BYTES_OF_PROCESS = 2**28


@dataclass(frozen=True)
class DrawQuestion(Question):
    """How to draw ``size`` members of a class uniformly; ``asked``: the way asked for by name.

    ``held``: all draws are kept in memory, where a stream keeps none.
    """

    matrices: MatrixClass
    asked: str | None = None
    size: int = 1
    limits: Limits = field(default_factory=Limits)
    held: bool = True

    def __str__(self) -> str:
        return f"draw {self.size} members of {self.matrices!r}"

    def why(self, otherwise: str) -> str:
        """Why a way is taken."""
        return otherwise if self.asked is None else "asked for"


@dataclass(frozen=True, kw_only=True)
class GivenQuestion(DrawQuestion):
    """How to draw members that are as ``wanted``; ``base``: how the whole class is drawn from on the way there.

    "auto" is the best way.
    """

    wanted: Wanted
    base: str = "auto"

    def __str__(self) -> str:
        return f"{super().__str__()} given {self.wanted}"


def drawing(
    question: DrawQuestion,
    sampler: Callable[[], Sampler],
    seconds_each: float = 0.0,
    *,
    seconds_once: float = 0.0,
    limit: str | None = None,
    in_one_thread: bool = False,
) -> Run:
    """A way that draws: a kernel's seconds for a cell, ``seconds_each`` for a draw, ``seconds_once`` for all.

    On all cores, or on one where draws are made ``in_one_thread``.  ``limit``: what puts the way out of reach.

    >>> from confmat.classes import Tables
    >>> from confmat.sampling.methods import unranking
    >>> question = DrawQuestion(Tables(4, 2, 2), size=10)
    >>> way = drawing(question, lambda: unranking(question.matrices, "asked for"), 0.3, in_one_thread=True)
    >>> way.seconds > 3
    True
    """
    # reads: a parameter for each thing that a way may say of itself
    cells = prod(question.matrices.shape)
    seconds = seconds_once + question.size * (seconds_each + SECONDS_OF_CELL * cells)
    octets = _BYTES_OF_PROCESS + 8 * cells * question.size * question.held
    return Run(sampler, seconds, octets, 1 if in_one_thread else question.limits.cores, limit=limit)
