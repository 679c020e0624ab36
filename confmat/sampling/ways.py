"""What the ways to draw have in common: the questions, and what a way says that applies.

    @method("counting", "row by row, each as often as it can be completed", RATE)
    def _counting(question):
        if as_fixed_margins(question.matrices) is None:
            return "is for FixedMargins"
        return drawing(question, lambda: by_rows(...))

``confmat.sampling.choice`` has the ways to draw from a whole class, ``confmat.sampling.given`` those under a condition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

from confmat._limits import Limits, Question, Run, excess
from confmat.classes import MatrixClass
from confmat.errors import TooLargeError
from confmat.sampling.methods import Sampler, Wanted

# Seconds of a core that a cell of a draw takes a kernel: a step.
RATE = 2e-8


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
    in_one_thread: bool = False,
) -> Run:
    """Return a way that draws: a step for each cell, ``seconds_each`` for each draw, ``seconds_once`` for all.

    On all cores, or on one if draws are made ``in_one_thread``. Raises TooLargeError if the memory has no room for
    draws that are held.

    >>> from confmat.classes import Tables
    >>> from confmat.sampling.methods import unranking
    >>> question = DrawQuestion(Tables(4, 2, 2), size=10)
    >>> drawing(question, lambda: unranking(question.matrices, "asked for"), in_one_thread=True).steps
    40
    """
    cells = prod(question.matrices.shape)
    much = excess(memory=8 * cells * question.size * question.held, limits=question.limits)
    if much is not None:
        raise TooLargeError(much)
    seconds = min(seconds_once + question.size * seconds_each, 1e300)
    steps = question.size * cells + int(seconds / RATE)
    return Run(sampler, steps, 1 if in_one_thread else question.limits.cores)
