"""What a check would cost: members up to symmetry, each at the time that the test takes for some of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import islice
from math import factorial, prod
from typing import Any, ClassVar

from confmat.classes import MatrixClass
from confmat.classes.symmetry import as_symmetry
from confmat.engine.tablewise import TIMED, chunks
from confmat.plans.methods import Cost, Method, register
from confmat.plans.resources import Resources

# Processor seconds of a member by the kernels, in arrays, by a function in Python; of a class, whatever its size.
BY_KERNELS, IN_ARRAYS, BY_CALLS = 1e-9, 1e-6, 3e-5
_SECONDS_OF_CLASS = 1e-3


@dataclass(frozen=True)
class CheckQuestion:
    """Whether a statement holds for all members of some classes.

    ``seconds``: what a member takes, roughly; ``holds(class, tables)``: for which tables it holds, None where only
    whole classes are asked.
    """

    asked: ClassVar[None] = None
    name: str
    symmetry: str
    classes: tuple[Any, ...]
    seconds: float
    holds: Callable[[Any, Any], Any] | None
    run: Callable[[], Any] = field(repr=False)
    resources: Resources = field(default_factory=Resources)

    def __str__(self) -> str:
        return f"check {self.name} over {len(self.classes)} classes"

    @property
    def sizes(self) -> list[tuple[int, int]]:
        """Members of each class, and about how many are visited up to symmetry."""
        return [(x.count(), x.count() // orders(x, self.symmetry)) for x in self.classes]


def orders(matrices: Any, symmetry: str) -> int:
    """How many orders of lines a member stands for, that may be exchanged under a symmetry.

    >>> from confmat.classes import Tables
    >>> orders(Tables(9, 2, 3), "permutations"), orders(Tables(9, 3, 3), "transposition")
    (12, 72)
    """
    if not isinstance(matrices, MatrixClass) or matrices.sides is None:
        return 1
    wanted = as_symmetry(symmetry) & matrices.symmetry
    free = (
        side
        for side, line in zip(matrices.sides, ("rows", "columns"))
        if line in wanted and side.sums is None
    )
    lines = prod(factorial(side.lines) for side in free)
    return lines * (2 if "transposition" in wanted else 1)


def rough(question: CheckQuestion) -> Cost:
    """The cost by counts alone.

    >>> from confmat.classes import Tables
    >>> rough(CheckQuestion("small", "none", (Tables(20, 3, 3),), IN_ARRAYS, None, print)).facts["members"]
    2806281
    """
    sizes = question.sizes
    facts = {"classes": len(sizes), "members": sum(m for m, _ in sizes), "tables": sum(t for _, t in sizes)}
    return Cost(question.seconds * facts["tables"] + _SECONDS_OF_CLASS * len(sizes), 2**28, facts=facts)


def measured(question: CheckQuestion) -> Cost:
    """The same from timing the test on some members of the largest class."""
    cost = rough(question)
    if question.holds is None or not question.classes:
        return cost
    largest = max(question.classes, key=lambda matrices: matrices.count())
    for _ in range(2):  # the first time compiles, or loads what was compiled
        start = time.process_time()
        some = [tables for tables, _ in islice(chunks(largest, question.symmetry, TIMED), 1)]
        for tables in some:
            question.holds(largest, tables)
        seconds = time.process_time() - start
    each = seconds / max(1, sum(map(len, some)))
    return replace(cost, seconds=each * cost.facts["tables"] + _SECONDS_OF_CLASS * len(question.classes))


register(
    Method(
        "every class",
        CheckQuestion,
        lambda question: question.run(),
        rough,
        why="class by class in increasing size, each member or one of each orbit",
        gives="the smallest counterexample, or a certificate",
        measure=measured,
        in_parts=True,
    )
)
