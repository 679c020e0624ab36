"""The one place that chooses a method; the plan of a call before it runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import inf
from types import MethodType
from typing import Any, Literal, TypeVar

from confmat.errors import TooLarge, Unsupported
from confmat.plans.methods import PATIENCE, Cost, Method, Question, duration, excess, methods_for, size, whole
from confmat.shown import html_table

# A cost that is nearer to a limit than this factor, or longer than so many seconds, is measured.
_ROUGH = 20
_SHORT = 1.0

Measured = Literal["never", "near a limit", "unless short"]

Called = TypeVar("Called", bound=Callable[..., Any])
_QUESTIONS: dict[Any, Callable[..., Question]] = {}
_LISTENER: ContextVar[Callable[[Plan], None]] = ContextVar("listener", default=lambda plan: None)


@dataclass(frozen=True)
class Plan:
    """Which method answers a question, at what cost and why; what was rejected and why.

    ``seconds``: wall clock, ``cpu_seconds`` on all ``threads`` together; ``bytes``: peak memory; ``facts``: numbers
    that the cost comes from.  ``limit``: why it is out of reach whatever the budget, ``excess``: what is too much of it
    now, None if nothing is.  ``run()`` answers.
    """

    question: Question
    chosen: Method
    cost: Cost
    rejected: Mapping[str, str]
    limit: str | None = None

    @property
    def excess(self) -> str | None:
        """What is more than the budget allows, in words."""
        patience = self.chosen.patience if self.question.asked is None else PATIENCE
        return self.limit or excess(self.seconds, self.bytes, self.question.resources, patience)

    @property
    def method(self) -> str:
        """Name of the method."""
        return self.chosen.name

    @property
    def why(self) -> str:
        """What speaks for the method."""
        return self.chosen.why

    @property
    def gives(self) -> str:
        """What the answer is."""
        return self.chosen.gives

    @property
    def seconds(self) -> float:
        """Estimated wall clock."""
        return self.cost.wall

    @property
    def cpu_seconds(self) -> float:
        """Estimated processor time, all threads together."""
        return self.cost.seconds + self.cost.serial

    @property
    def bytes(self) -> int:
        """Estimated peak memory."""
        return int(self.cost.bytes)

    @property
    def threads(self) -> int:
        """How many threads share the work."""
        return self.cost.threads

    @property
    def facts(self) -> Mapping[str, Any]:
        """Numbers that the cost comes from: matrices, tables visited, ..."""
        return self.cost.facts

    def admitted(self) -> Plan:
        """The plan itself; TooLarge where it takes more than the budget.

        >>> import confmat as cm
        >>> plan(cm.Tables(50, 4, 4).count).admitted().method
        'closed form'
        """
        if self.excess is not None:
            raise TooLarge(self.refusal)
        return self

    @property
    def refusal(self) -> str:
        """What is too much, in a sentence."""
        matrices = self.facts.get("matrices")
        many = "" if matrices is None else f"; there are {whole(matrices)} matrices"
        return f"{self.question} by {self.method} would take {self.excess}{many}"

    def run(self) -> Any:
        """The answer; TooLarge, before any work, where it takes more than the budget.

        >>> import confmat as cm
        >>> plan(cm.Tables(50, 4, 4).count).run()
        204063621701016
        """
        return self.admitted().told().chosen.run(self.question)

    def told(self) -> Plan:
        """The plan itself, after whoever listens heard that it is about to run.

        >>> import confmat as cm
        >>> with listening(lambda plan: print(plan.method)):
        ...     _ = plan(cm.Tables(50, 4, 4).count).told()
        closed form
        """
        _LISTENER.get()(self)
        return self

    def to_json(self) -> dict[str, Any]:
        """The plan for ``json.dumps``.

        >>> import confmat as cm
        >>> plan(cm.Tables(50, 4, 4).count).to_json()["gives"]
        'the exact number'
        """
        return {
            "question": str(self.question),
            "method": self.method,
            "gives": self.gives,
            "why": self.why,
            **self.facts,
            "threads": self.threads,
            "seconds": float(self.seconds) if self.seconds < inf else None,
            "cpu_seconds": float(self.cpu_seconds) if self.seconds < inf else None,
            "memory": self.bytes,
            "excess": self.excess,
            "rejected": dict(self.rejected),
        }

    def lines(self) -> list[tuple[str, str]]:
        """The plan as (name, text): what is printed of it.

        >>> import confmat as cm
        >>> plan(cm.Tables(50, 4, 4).count).lines()[1]
        ('gives', 'the exact number')
        """
        facts = [(name, whole(x) if isinstance(x, int) else str(x)) for name, x in self.facts.items()]
        threads = "" if self.threads == 1 else f" on {self.threads} threads"
        much = [] if self.excess is None else [("too much", self.excess)]
        needs = [("time", f"{duration(self.seconds)}{threads}"), ("memory", size(self.bytes))]
        if f"{size(self.bytes)} of memory" in (self.excess or ""):
            needs.pop()  # said there
        return [
            ("method", f"{self.method}: {self.why}"),
            ("gives", self.gives),
            *facts,
            *(needs if self.seconds < inf else ()),
            *much,
            *((f"not {name}", reason) for name, reason in self.rejected.items()),
        ]

    def __repr__(self) -> str:
        much = f"; too much: {self.excess}" if self.excess is not None else ""
        needs = f", {duration(self.seconds)}, {size(self.bytes)}" if self.seconds < inf else ""
        return f"<plan: {self.question} by {self.method}{needs}{much}>"

    def _repr_html_(self) -> str:
        return html_table(f"Plan: {self.question}", ["", ""], self.lines())


def choose(
    question: Question, *, measured: Measured = "near a limit", passed: Mapping[str, str] | None = None
) -> Plan:
    """The plan of a question: the best method that applies within the limits of its resources.

    ``measured``: when a sample is timed rather than the cost be estimated roughly.  ``passed``: methods that were
    tried, and what came of it.  A plan beyond the limits says so in ``excess``;
    ValueError for an unknown method or one that does not apply, Unsupported where none does.
    """
    methods, asked = methods_for(type(question)), question.asked
    if asked is not None and asked not in methods:
        raise ValueError(f"method must be one of {', '.join(methods)}, got {asked!r}")
    rejected = dict(passed or {})
    able: list[Method] = []
    for name, method in methods.items():
        if asked not in (None, name) or name in rejected:
            continue
        reason = method.refusal(question)
        if reason is None:
            able.append(method)
        else:
            rejected[name] = reason
    if not able:
        if asked is not None:
            raise ValueError(f'method "{asked}" {rejected[asked]}; it cannot {question}')
        reasons = "; ".join(f"{name} {reason}" for name, reason in rejected.items())
        raise Unsupported(f"no method is known for {question}: {reasons}")
    return _best(question, able, rejected, measured)


def answered(question: Question) -> tuple[Plan, Any]:
    """The plan of the best method that answers, and its answer.

    One that finds only while it works that it is out of reach (TooLarge) gives way to the next.
    """
    passed: dict[str, str] = {}
    while True:
        plan = choose(question, passed=passed)
        try:
            return plan, plan.run()
        except TooLarge as error:
            if plan.excess is not None:
                raise
            passed[plan.method] = f"gives none: {error}"


def _best(question: Question, able: list[Method], rejected: dict[str, str], measured: Measured) -> Plan:
    """The first grade with a method within the limits, of equals the quickest; else a plan with its excess."""
    beyond: list[Plan] = []
    grades = {method.name: method.grade_for(question) for method in able}
    for grade in sorted(set(grades.values())):
        of_grade = [_plan_of(question, x, rejected, measured) for x in able if grades[x.name] == grade]
        within = [plan for plan in of_grade if plan.excess is None]
        if within:
            best = min(within, key=lambda plan: plan.seconds)
            others = {
                x.name: "is not needed" if grades[x.name] > grade else "takes longer"
                for x in able
                if grades[x.name] >= grade
            }
            others |= {
                plan.method: f"would take {plan.excess}" for plan in (*beyond, *of_grade) if plan.excess
            }
            del others[best.method]
            return replace(best, rejected=rejected | others)
        beyond += of_grade
    # What a larger budget would allow, rather than what nothing allows.
    best = next((plan for plan in beyond if plan.limit is None), beyond[0])
    others = {plan.method: f"would take {plan.excess}" for plan in beyond if plan is not best}
    return replace(best, rejected=rejected | others)


def _plan_of(question: Question, method: Method, rejected: dict[str, str], measured: Measured) -> Plan:
    """The plan of one method, with what is too much of it."""
    try:
        limit = method.limit(question)
        cost = method.cost(question) if limit is not None else _cost(question, method, measured)
    except TooLarge as error:  # not even the cost can be told
        return Plan(question, method, Cost(inf), rejected, f"more than can be told: {error}")
    return Plan(question, method, cost, rejected, limit)


def _cost(question: Question, method: Method, measured: Measured) -> Cost:
    """Rough, or measured where that matters."""
    cost = method.cost(question)
    most, _ = question.resources.limits()
    near = most / _ROUGH < cost.wall < most * _ROUGH
    if (
        method.measure is None
        or measured == "never"
        or not (near or (measured == "unless short" and _SHORT < cost.wall < most * _ROUGH))
    ):
        return cost
    return method.measure(question)


@contextmanager
def listening(listener: Callable[[Plan], None]) -> Iterator[None]:
    """Call a function with every plan that is about to run within a block, in this thread.

    >>> import confmat as cm
    >>> with listening(lambda plan: print(plan.method)):
    ...     cm.maximize(cm.Tables(6, 2, 2), "jaccard").value
    exhaustive
    Fraction(1, 1)
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def plannable(question: Callable[..., Question]) -> Callable[[Called], Called]:
    """Let ``plan`` plan a function: ``question`` takes its arguments and makes of them what it asks."""

    def remember(function: Called) -> Called:
        _QUESTIONS[function] = question
        return function

    return remember


def question_of(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Question:
    """What a call asks; TypeError for a function that cannot be planned."""
    known: Any = function
    if isinstance(function, MethodType):  # one that overrides a method that can be planned is planned as that
        args = (function.__self__, *args)
        methods = (vars(cls).get(function.__name__) for cls in type(function.__self__).__mro__)
        known = next((method for method in methods if method in _QUESTIONS), function)
    if not isinstance(known, Hashable) or known not in _QUESTIONS:
        raise TypeError(f"function must be one that can be planned, such as confmat.joint, got {function!r}")
    return _QUESTIONS[known](*args, **kwargs)


def plan(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Plan:
    """What a call would cost and how it would be done, before it is made: takes the call that it plans.

    That takes a second or so, as a part of the work is timed.  Beside runs of seven classes on a busy machine the time
    was within a third, the memory within a factor of 1.5 (``tests/benchmarks/bench_plans.py``).  ``seconds`` of long
    runs out of reach are rough.

    Raises TypeError for a function that has no plan, and what the call itself raises for its arguments.

    >>> import confmat as cm
    >>> plan = cm.plan(cm.maximize, cm.Tables(100, 4, 4), "rd")
    >>> plan.method, plan.seconds < 60, plan.rejected["theorem"]
    ('bound-and-prune', True, 'is not needed')
    """
    return choose(question_of(function, *args, **kwargs), measured="unless short")
