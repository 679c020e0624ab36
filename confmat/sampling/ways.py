"""Questions of draws, and the result of a method that applies.

    @method("counting", "row by row, each as often as it can be completed", RATE)
    def _counting(question):
        if as_fixed_margins(question.matrices) is None:
            return "is for FixedMargins"
        return drawing(question, lambda: by_rows(...))

``confmat.sampling.choice`` has the methods for a whole class, ``confmat.sampling.given`` those under a condition.
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
    """Question how to draw ``size`` members of a class uniformly. ``asked``: name of the requested method.

    ``held``: all draws are in memory. A stream stores none.
    """

    matrices: MatrixClass
    asked: str | None = None
    size: int = 1
    limits: Limits = field(default_factory=Limits)
    held: bool = True

    def __str__(self) -> str:
        return f"draw {self.size} members of {self.matrices!r}"

    def why(self, otherwise: str) -> str:
        """Return the reason for a method."""
        return otherwise if self.asked is None else "asked for"


@dataclass(frozen=True, kw_only=True)
class GivenQuestion(DrawQuestion):
    """Question how to draw ``wanted`` members. ``base``: method for the whole class, if draws from it are filtered.

    "auto" is the best method.
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
    """Return the run of a method: a step for each cell, ``seconds_each`` for each draw, ``seconds_once`` for all.

    It uses all cores, or one if ``in_one_thread``. Raises TooLargeError if the memory is too small for draws in
    memory.

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
