"""Questions of drawing from a class, and the ``Run`` of a method that answers one.

    @method("counting", "row by row, each as often as it can be completed", RATE)
    def _counting(question):
        if as_fixed_margins(question.matrices) is None:
            return "is for FixedMargins"
        return drawing(question, lambda: by_rows(...))

``confmat.sampling.choice`` has the methods for a whole class. ``confmat.sampling.given`` has the methods under a
condition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod

from confmat._limits import Limits, Question, Run, excess
from confmat.classes import MatrixClass
from confmat.errors import TooLargeError
from confmat.sampling.methods import Sampler, Wanted

# CPU seconds of a step: a kernel draws one cell.
RATE = 2e-8


@dataclass(frozen=True)
class DrawQuestion(Question):
    """Request for ``size`` uniform draws from a class.

    ``asked`` is the name of the requested method, None for the best one. ``held`` is True if all draws are stored
    in memory, and False if they are yielded in chunks.
    """

    matrices: MatrixClass
    asked: str | None = None
    size: int = 1
    limits: Limits = field(default_factory=Limits)
    held: bool = True

    def __str__(self) -> str:
        """Return the question as text."""
        return f"draw {self.size} members of {self.matrices!r}"

    def why(self, otherwise: str) -> str:
        """Return the reason to choose a method: that it was requested, or ``otherwise``."""
        return otherwise if self.asked is None else "asked for"


@dataclass(frozen=True, kw_only=True)
class GivenQuestion(DrawQuestion):
    """Request for draws of members that satisfy the condition ``wanted``.

    ``base`` names the method that draws from the whole class, if draws that do not satisfy the condition are
    dropped. "auto" is the best method.
    """

    wanted: Wanted
    base: str = "auto"

    def __str__(self) -> str:
        """Return the question as text."""
        return f"{super().__str__()} given {self.wanted}"


def drawing(
    question: DrawQuestion,
    sampler: Callable[[], Sampler],
    seconds_each: float = 0.0,
    *,
    seconds_once: float = 0.0,
    in_one_thread: bool = False,
) -> Run:
    """Return the ``Run`` of a method that draws. ``sampler()`` returns its `Sampler`.

    The number of steps of the ``Run`` is one for each cell of each draw. ``seconds_each`` (for each draw) and
    ``seconds_once`` (for all draws) are converted to further steps. The method uses all cores, or one if
    ``in_one_thread``. Raise TooLargeError if draws in memory exceed the memory limit.

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
