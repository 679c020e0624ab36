"""Null distributions of statistics over pairs of labelings or tables.

They are exact if this takes seconds, otherwise they come from draws.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from confmat._limits import Limits, Question, Run, choose, method, question_of, register
from confmat.classes import MatrixClass
from confmat.distributions import JointDistribution, joint_distribution
from confmat.errors import TooLargeError
from confmat.sampling import stream
from confmat.sampling.streams import Seed
from confmat.sampling.ways import RATE

# Largest number of forecast seconds of an exact distribution before draws are used, and of objects: beyond these its
# weights have thousands of digits.
PATIENCE_WITH_LAW = 5.0
LARGEST_EXACT = 2000


@dataclass(frozen=True)
class NullQuestion(Question):
    """Arguments of a null distribution: some statistics over a class, exact or from ``draws`` draws.

    Attributes
    ----------
    rng : int, Generator, SeedSequence or None
    asked : str or None
        Name of the requested method. None chooses one.
    patience : float
        Seconds that the exact distribution may take if no method is requested and there are no limits.
    """

    matrices: MatrixClass
    statistics: tuple[Any, ...]
    draws: int
    rng: Seed = field(default=None, compare=False)
    asked: str | None = None
    limits: Limits = field(default_factory=Limits)
    patience: float = PATIENCE_WITH_LAW

    def __str__(self) -> str:
        """Return the question as text."""
        names = ", ".join(map(str, self.statistics))
        return f"the distribution of {names} over {self.matrices!r}, by labelings"


@method("enumeration", "the exact distribution takes seconds")
def _exact_law(question: NullQuestion) -> Run | str:
    """Return the `Run` that computes the exact distribution. Raise TooLargeError if it exceeds a limit."""
    matrices = question.matrices

    def law() -> JointDistribution:
        return joint_distribution(matrices, *question.statistics, weight="labelings")

    if matrices.n > LARGEST_EXACT:
        raise TooLargeError(f"an exact distribution is limited to {LARGEST_EXACT} objects, got {matrices.n}")
    plan = choose(question_of(joint_distribution, matrices, *question.statistics, weight="labelings"))
    if plan.limit is not None:
        raise TooLargeError(plan.limit)
    return Run(law, plan.steps, plan.threads, rate=plan.seconds * plan.threads / max(1, plan.steps))


@method("draws", "the exact distribution would take too long")
def _draws(question: NullQuestion) -> Run:
    """Return the `Run` that draws members of the class, for the empirical distribution."""
    matrices = question.matrices

    def law() -> JointDistribution:
        drawing = stream(matrices, question.draws, rng=question.rng, weight="labelings")
        return drawing.distribution(*question.statistics)

    plan = choose(question_of(stream, matrices, question.draws, weight="labelings"))
    return Run(law, plan.steps, plan.threads, rate=RATE)


register(NullQuestion, _exact_law, _draws)
