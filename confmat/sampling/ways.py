"""What a way to draw is: one function of a question, which answers with an offer or with the reason why it has none.

    @way(DrawQuestion, "chain", "margins are too large to count", gives="approximate, dependent draws")
    def _chain(question):
        if as_fixed_margins(question.matrices) is None:
            return "is for FixedMargins"
        return Offer(lambda: markov_chain(...), lambda: 4e-7 * ...)

``confmat.sampling.choice`` has the ways to draw from a whole class, ``confmat.sampling.given`` those under a condition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeVar

from confmat.classes import MatrixClass
from confmat.plans import PATIENCE, Cost, Method, Question, Resources, methods_for, register
from confmat.sampling.methods import Sampler, Wanted

EXACT_DRAWS = "exact, independent draws"

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
    resources: Resources = field(default_factory=Resources)
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


def _no_limit() -> str | None:
    return None


@dataclass(frozen=True)
class Offer:
    """A way that answers a question: it draws by the sampler that ``make`` makes.

    ``seconds``: about what all draws take, on all cores, or on one where they are made ``alone``.  ``limit``: what puts
    the way out of reach, which takes some work to see, None if nothing does.
    """

    make: Callable[[], Sampler]
    seconds: Callable[[], float]
    limit: Callable[[], str | None] = _no_limit
    alone: bool = False

    def cost(self, question: DrawQuestion) -> Cost:
        """What the draws that are asked for take.

        >>> from confmat.classes import Tables
        >>> from confmat.sampling.methods import unranking
        >>> matrices = Tables(4, 2, 2)
        >>> offer = Offer(lambda: unranking(matrices, "asked for"), lambda: 3.0, alone=True)
        >>> offer.cost(DrawQuestion(matrices)).wall
        3.0
        """
        kept = question.size if question.held else 0
        octets = _BYTES_OF_PROCESS + 8 * prod(question.matrices.shape) * kept
        return Cost(self.seconds(), octets, 1 if self.alone else question.resources.cores)


# How a question is answered: an offer, or why there is none ("is for FixedMargins").
Answer = Offer | str
AsWay = TypeVar("AsWay", bound=Callable[[Any], Answer])


def way(
    question: type[DrawQuestion],
    name: str,
    why: str,
    *,
    gives: str = EXACT_DRAWS,
    patience: float = PATIENCE,
) -> Callable[[AsWay], AsWay]:
    """Let a function of a question be the next of the ways to answer it, taken where none before it applies.

    ``why`` and the rest as for ``plans.Method``.
    """

    def registered(answer: AsWay) -> AsWay:
        def offer_for(asked: DrawQuestion) -> Offer:
            offer = answer(asked)
            assert isinstance(offer, Offer)
            return offer

        def reason(asked: DrawQuestion) -> str | None:
            offer = answer(asked)
            return offer if isinstance(offer, str) else None

        register(
            Method(
                name,
                question,
                lambda asked: offer_for(asked).make(),
                lambda asked: offer_for(asked).cost(asked),
                why=why,
                gives=gives,
                grade=len(methods_for(question)),
                refusal=reason,
                limit=lambda asked: offer_for(asked).limit(),
                patience=patience,
            )
        )
        return answer

    return registered
