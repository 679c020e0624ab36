"""Laws under random models: exact where the classes are small, of draws elsewhere, and they say which."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from confmat.classes import MatrixClass, RandomModel
from confmat.laws import Law, joint
from confmat.matrices.arguments import as_instance
from confmat.plans.choice import Plan, choose, plannable, question_of
from confmat.plans.methods import Cost, Method, Resources, admit, excess, register
from confmat.sampling import stream
from confmat.sampling.streams import Seed
from confmat.statistics.record import Statistic

DISTANCES = ("med", "rd", "ard", "nmed", "nrd")
"""The statistics of a null law unless others are named."""

# Seconds that an exact law may take before it is drawn instead; beyond so many points its weights have thousands of
# digits.
PATIENCE = 5.0
LARGEST_EXACT = 2000

# Draws unless their number is given: a share of one half is then known to 0.3 %.
DRAWS = 100_000


@dataclass(frozen=True)
class NullQuestion:
    """The law of some statistics under a random model, or over a class, exact or of ``draws`` draws by ``rng``.

    ``patience``: seconds that the exact law may take where no budget says any and it is not asked for.
    """

    model: RandomModel | MatrixClass
    statistics: tuple[Any, ...] = DISTANCES
    draws: int = DRAWS
    rng: Seed = field(default=None, compare=False)
    asked: str | None = None
    resources: Resources = field(default_factory=Resources)
    patience: float = PATIENCE

    def __str__(self) -> str:
        return f"the law of {', '.join(map(str, self.statistics))} under {self.model!r}"


def _question(
    model: RandomModel,
    *statistics: str | Statistic | Any,
    exact: bool | None = None,
    draws: int = DRAWS,
    rng: Seed = None,
) -> NullQuestion:
    asked = None if exact is None else ("enumeration" if exact else "draws")
    return NullQuestion(model, statistics or DISTANCES, draws, rng, asked)


@plannable(_question)
def null_law(
    model: RandomModel,
    *statistics: str | Statistic | Any,
    exact: bool | None = None,
    draws: int = DRAWS,
    rng: Seed = None,
) -> Law:
    """The law of statistics (of the distances of ``DISTANCES`` if none is named) under a random model.

    ``exact``: None takes ``joint`` where its plan says at most some seconds, and else ``draws`` draws by ``rng``; True
    and False insist.  ``law.exact`` tells which it is.

    >>> from confmat.classes import random_model
    >>> law = null_law(random_model("partitions", 3), "rd")
    >>> [(str(value), weight) for (value,), weight in law.support]  # 5 x 5 pairs of partitions of 3 points
    [('0', 5), ('1/3', 6), ('2/3', 12), ('1', 2)]
    """
    as_instance("model", model, RandomModel, "a random model, such as random_model('labels', n=5, r=2)")
    question = _question(model, *statistics, exact=exact, draws=draws, rng=rng)
    law: Law = choose(question).chosen.run(question)
    return law


def _enumeration(question: NullQuestion) -> Plan:
    """The plan of the exact law; measuring would take longer than drawing does."""
    return choose(question_of(joint, question.model, *question.statistics), closely=None)


def seconds_of_law(question: NullQuestion) -> float:
    """About how long the exact law takes, inf where it is out of reach.

    >>> from confmat.classes import random_model
    >>> [seconds_of_law(NullQuestion(random_model("labels", n, 3, 3), ("ari",))) < 1 for n in (20, 200)]
    [True, False]
    """
    plan = _enumeration(question)
    return plan.seconds if plan.excess is None else inf


def _beyond(question: NullQuestion) -> str | None:
    if question.model.n > LARGEST_EXACT:
        return f"weights of more digits than those of {LARGEST_EXACT} points"
    return None if question.asked else excess(seconds_of_law(question), patience=question.patience)


def _cost_of_draws(question: NullQuestion) -> Cost:
    return choose(question_of(stream, question.model, question.draws)).cost


def _of_draws(question: NullQuestion) -> Law:
    """The law of all draws, none of which is kept; TooLarge, before the first, where they take too long."""
    admit(f"{question.draws} draws", _cost_of_draws(question).wall)
    return stream(question.model, question.draws, rng=question.rng).law(*question.statistics)


register(
    Method(
        "enumeration",
        NullQuestion,
        lambda question: joint(question.model, *question.statistics),
        lambda question: Cost(inf if question.model.n > LARGEST_EXACT else seconds_of_law(question)),
        why="the exact law takes seconds",
        gives="the exact law",
        limit=_beyond,
    ),
    Method(
        "draws",
        NullQuestion,
        _of_draws,
        _cost_of_draws,
        why="the exact law would take too long",
        gives="the law of draws",
        grade=1,
    ),
)
