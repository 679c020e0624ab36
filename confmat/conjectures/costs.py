"""A check as a question that plans answer: the forecast of its classes is its cost."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from confmat.conjectures.forecast import forecast, seconds_of
from confmat.conjectures.stated import Conjecture
from confmat.plans.methods import Cost, Resources
from confmat.shown import counted


@dataclass(frozen=True)
class CheckQuestion:
    """Whether a conjecture holds for all members of some classes; ``options`` of ``check``."""

    asked: ClassVar[None] = None
    conjecture: Conjecture
    classes: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    resources: Resources = field(default_factory=Resources)

    def __str__(self) -> str:
        return f"check {self.conjecture.name} over {counted(len(self.classes), 'class', 'classes')}"


def rough(question: CheckQuestion) -> Cost:
    """The cost by counts alone.

    >>> from confmat.classes import Tables
    >>> rough(CheckQuestion(Conjecture("near", "med<=1/10 -> ari>=0"), (Tables(20, 3, 3),))).facts["members"]
    2806281
    """
    seconds = sum(seconds_of(question.conjecture, x, where=question.resources) for x in question.classes)
    members = sum(matrices.count() for matrices in question.classes)
    return Cost(seconds, 2**28, facts={"classes": len(question.classes), "members": members})


def measured(question: CheckQuestion) -> Cost:
    """The same with the test timed on some members."""
    expected = forecast(question.conjecture, question.classes, question.resources)
    return Cost(expected.seconds, 2**28, facts={"classes": expected.classes, "members": expected.members})
