"""A method is a record beside its code: which question it answers, when, how well, at what cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from confmat.plans.resources import PATIENCE, Resources


class Question(Protocol):
    """What is asked of a class of matrices, frozen and hashable; ``str`` says it in a few words."""

    @property
    def resources(self) -> Resources:
        """What the answer may use."""

    @property
    def asked(self) -> str | None:
        """The name of the method that was asked for, whatever its patience; None for the best."""


@dataclass(frozen=True)
class Cost:
    """``seconds`` of one core spread over ``threads``, then ``serial`` ones; peak ``bytes``; ``facts`` behind it."""

    seconds: float
    bytes: float = 0
    threads: int = 1
    serial: float = 0
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def wall(self) -> float:
        """Seconds from start to end."""
        return self.seconds / self.threads + self.serial


def _always(question: Any) -> str | None:
    return None


@dataclass(frozen=True)
class Method:
    """One way to answer a type of question.

    ``run(question)``: the answer.  ``cost(question)``: at once, and rough; ``measure(question)``: from timing a part of
    the work, in a second or so.  ``why``: what speaks for it.  ``gives``: what its answer is, and ``grade`` how good:
    methods of the least grade come first, the quickest of equals.  ``refusal(question)``: why it does not answer such a
    question, None if it does; ``limit(question)``: why this one is out of its reach, whatever the budget.
    ``patience``: seconds that it may take where no budget says any and it is not asked for by name.  ``in_parts``:
    finished parts of its work are kept in a checkpoint, and spread over an executor.
    """

    name: str
    question: type
    run: Callable[[Any], Any] = field(repr=False)
    cost: Callable[[Any], Cost] = field(repr=False)
    why: str
    gives: str
    grade: int = 0
    refusal: Callable[[Any], str | None] = field(default=_always, repr=False)
    limit: Callable[[Any], str | None] = field(default=_always, repr=False)
    measure: Callable[[Any], Cost] | None = field(default=None, repr=False)
    patience: float = PATIENCE
    in_parts: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name: what it is made of may be lambdas, and laws that hold a plan go to other processes."""
        return _of_name, (self.question, self.name)


_METHODS: dict[type, dict[str, Method]] = {}


def register(*methods: Method) -> None:
    """Let methods be chosen; one of the same name for the same question is replaced.

    >>> register(Method("guess", bool, lambda asked: True, lambda asked: Cost(0), why="it is quick", gives="a guess"))
    >>> list(methods_for(bool))
    ['guess']
    """
    for method in methods:
        if not isinstance(method, Method):
            raise TypeError(f"methods must be Methods, got {method!r:.60}")
        _METHODS.setdefault(method.question, {})[method.name] = method


def _of_name(question: type, name: str) -> Method:
    return _METHODS[question][name]


def methods_for(question: type) -> Mapping[str, Method]:
    """The methods registered for a type of question, by name."""
    return _METHODS.get(question, {})
