"""What a check will take: an estimate for every class, scaled while it runs by what the classes before took."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.classes import RandomModel
from confmat.classes.orbits import as_symmetry
from confmat.conjectures.entries import Counted
from confmat.conjectures.predicates import holds_at, usable
from confmat.conjectures.stated import Conjecture, decided_on_signatures, in_order
from confmat.engine.costs import Enumeration, rough
from confmat.engine.numbers import expected_signatures
from confmat.engine.signatures import left
from confmat.plans.methods import Resources, as_resources, cores

# Measured: a signature asked and counted, a table visited, a pair of clusterings looked at.
_SECONDS_PER_SIGNATURE = 1.5e-7
_SECONDS_PER_TABLE = 1e-6
_SECONDS_PER_PAIR = 2e-6

_TIMED = 20  # members on which a function is timed


@dataclass(frozen=True)
class Forecast:
    """About how many seconds a check takes if it finds no counterexample, over how many classes and members."""

    seconds: float
    classes: int
    members: int


def forecast(conjecture: Conjecture, classes: Iterable[Counted], where: Resources | None = None) -> Forecast:
    """What ``check`` would take, without doing it: within a factor of two or so where classes are large.

    A function is timed on a few members of the largest class; what the checkpoint ``where`` has of the law of a class
    is not enumerated again.  Errors as of ``check``.

    >>> from confmat.classes import Tables
    >>> near = Conjecture("near", "med<=1/10 -> ari>=0")
    >>> expected = forecast(near, [Tables(n, 3, 3) for n in range(4, 61)])
    >>> expected.classes, expected.members, 5 < expected.seconds < 500
    (57, 56132845434, True)
    """
    chosen, where = in_order(conjecture, classes), as_resources(where)
    rate = seconds_per_table(conjecture, chosen[-1])
    seconds = sum(seconds_of(conjecture, matrices, rate, where) for matrices in chosen)
    return Forecast(seconds, len(chosen), sum(matrices.count() for matrices in chosen))


def seconds_of(
    conjecture: Conjecture,
    matrices: Any,
    rate: float = _SECONDS_PER_TABLE,
    where: Resources | None = None,
) -> float:
    """About how long one class takes, at ``rate`` seconds a table where tables are visited one by one.

    >>> from confmat.classes import Tables
    >>> near = Conjecture("near", "med<=1/10 -> ari>=0")
    >>> seconds_of(near, Tables(10, 3, 3)) < seconds_of(near, Tables(40, 3, 3)) < 60
    True
    """
    if isinstance(matrices, RandomModel):
        return sum(seconds_of(conjecture, part.matrices, rate) for part in matrices.parts)
    if conjecture.on in ("triples", "chains"):
        return _SECONDS_PER_PAIR * matrices.count() ** (2 / 3)
    if conjecture.on == "margins":
        return _SECONDS_PER_PAIR * matrices.count()
    if conjecture.on == "laws" or decided_on_signatures(conjecture, matrices):
        if not getattr(matrices, "has_margins", False):
            return _SECONDS_PER_TABLE * matrices.count()
        pass_over_class = rough(Enumeration(matrices, "tables", held=True), 0, cores()).wall
        pass_over_class *= left(matrices, "tables", where or Resources())
        return pass_over_class + _SECONDS_PER_SIGNATURE * expected_signatures(matrices)
    lines = as_symmetry(usable(conjecture.symmetry, matrices))
    exchanged = prod(factorial(k) for k, name in zip(matrices.shape, ("rows", "columns")) if name in lines)
    return rate * matrices.count() / exchanged


def seconds_per_table(conjecture: Conjecture, matrices: Any) -> float:
    """How long a predicate takes for one member of a class, with what is done beside.

    >>> from confmat.classes import Tables
    >>> slow = Conjecture("slow", "takes a while", predicate=lambda table: len([*range(10**5)]) > 0)
    >>> seconds_per_table(slow, Tables(9, 3, 3)) > 1e-4
    True
    """
    if conjecture.on != "tables" or not matrices.count():
        return _SECONDS_PER_TABLE
    assert conjecture.predicate is not None
    step = max(1, matrices.count() // _TIMED)
    some = np.array([matrices.unrank(rank) for rank in range(0, matrices.count(), step)][:_TIMED], np.int64)
    holds_at(conjecture.predicate, matrices, some)  # once to compile and import
    begun = time.perf_counter()
    holds_at(conjecture.predicate, matrices, some)
    return _SECONDS_PER_TABLE + (time.perf_counter() - begun) / len(some)


@dataclass(frozen=True)
class Step:
    """Where a check is: the class that comes now, the share of the work done, and about how many seconds are left.

    >>> from confmat.classes import Tables
    >>> print(Step(Tables(20, 3, 3), 3, 10, 65.2))
    Tables(n=20, r=3, s=3, empty=False), 3 of 10 classes done, about 65 s left
    """

    matrices: Counted
    done: int
    classes: int
    seconds_left: float

    def __str__(self) -> str:
        left = f"about {self.seconds_left:.0f} s left"
        return f"{self.matrices}, {self.done} of {self.classes} classes done, {left}"


def steps_left(expected: list[float], done: int, spent: float) -> float:
    """Seconds left, from the estimates of all classes, how many are done, and what these took together.

    >>> steps_left([1.0, 1.0, 2.0], 2, 4.0), steps_left([0.001, 2.0], 1, 0.5)
    (4.0, 2.0)
    """
    before = sum(expected[:done])
    # Short classes say little: most of their time is spent on what large ones spread over many members.
    scale = spent / before if before > 1 else 1.0
    return scale * sum(expected[done:])
