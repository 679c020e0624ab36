"""Which method answers a question, what that takes and why; what a call may use, and what stops it.  Imports no users.

A question is asked of the methods that are registered for its type, in order.  The first that answers within the limits
is taken; ``plan`` tells which that is, and about what it takes, before anything is computed.

>>> import confmat as cm
>>> plan(cm.Tables(50, 4, 4).count)
<plan: count the members of Tables(n=50, r=4, s=4, empty=False) by closed form, less than a second, 0 MiB>
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from math import inf
from time import monotonic
from types import MethodType
from typing import Any, Literal, TypeVar

from confmat.answers import Answer, Part, Verbatim, details
from confmat.errors import TooLarge, Unsupported
from confmat.matrices.arguments import as_count
from confmat.sheets import whole

_UNITS = (("years", 31_557_600), ("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


def duration(seconds: float | Decimal) -> str:
    """A time in the largest unit that it fills.

    >>> duration(0.2), duration(195), duration(4e9), duration(1e30)
    ('less than a second', '3.2 minutes', '127 years', '3e+22 years')
    """
    if seconds < 1:
        return "less than a second"
    unit, length = next((unit, length) for unit, length in _UNITS if seconds >= length)
    amount = Decimal(seconds) / length
    if amount < 10:
        return f"{amount:.1f} {unit}"
    return f"{amount:,.0f} {unit}" if amount < 1e6 else f"{amount:.0e} {unit}"


def in_words(seconds: float) -> str:
    """A time that is a limit, or compared with one: also below a second.

    >>> in_words(90), in_words(0.25)
    ('1.5 minutes', '0.25 seconds')
    """
    return duration(seconds) if seconds >= 1 else f"{seconds:.2g} seconds"


def size(octets: float | Decimal) -> str:
    """A number of bytes.

    >>> size(162788820), size(2527747340), size(10**18)
    ('155 MiB', '2.4 GiB', '931,322,575 GiB')
    """
    gib = Decimal(octets) / 2**30
    if gib >= 10:
        return f"{gib:,.0f} GiB" if gib < 1e9 else f"{gib:.0e} GiB"
    return f"{gib:.1f} GiB" if gib >= 1 else f"{Decimal(octets) / 2**20:.0f} MiB"


MOST_THREADS = 4096  # of one process: room is made for each
PATIENCE = 3600.0  # seconds: what takes longer must be asked for
_AT_ONCE = 0.01  # seconds: a step that takes less is never refused
_MEMORY = 8 * 2**30  # bytes, where the system does not say what it has


@dataclass(frozen=True)
class Progress:
    """How far a run has come: parts done, of how many, and the share of the work.

    In a run over a class (stage "enumerating") ``done`` and ``total`` are its parts.  Where a law is computed table by
    table (stage "tables"), they are members of the class; where states are merged (stage "merging"), percent of the
    work.  ``seconds_left``: by the rate so far, None where it is not known.
    """

    stage: str
    done: int
    total: int
    fraction: float
    seconds_left: float | None = None


@dataclass(frozen=True)
class Resources:
    """Where and how a call runs, and what it may take: the same for every function that may run long.

    ``threads``: how many, 4096 at most, None for all cores.  ``executor``: a ``concurrent.futures.Executor`` in place
    of threads of this process, such as Dask's ``client.get_executor()``.  ``checkpoint``: a folder to keep finished
    parts in and to resume from.  ``progress``: called with a ``Progress`` after every part.  ``seconds`` and
    ``memory`` (bytes): what is estimated to take more is refused before any work (TooLarge); None for what ``budget``
    says, ``inf`` for no limit.

    Raises TypeError or ValueError naming the field.

    >>> Resources(threads=-3)
    Traceback (most recent call last):
    ...
    ValueError: threads must be at least 1, got -3
    """

    threads: int | None = None
    executor: Executor | None = None
    checkpoint: str | os.PathLike[str] | None = None
    progress: Callable[[Progress], None] | None = None
    seconds: float | None = None
    memory: float | None = None

    def __post_init__(self) -> None:
        if self.threads is not None:
            object.__setattr__(self, "threads", as_threads(self.threads))
        if not isinstance(self.executor, Executor | None):
            of_dask = (
                "; did you mean client.get_executor()?" if hasattr(self.executor, "get_executor") else ""
            )
            raise TypeError(f"executor must be a concurrent.futures.Executor, got {self.executor!r}{of_dask}")
        if not isinstance(self.checkpoint, str | os.PathLike | None):
            raise TypeError(f"checkpoint must be the path of a folder, got {self.checkpoint!r}")
        if self.progress is not None and not callable(self.progress):
            raise TypeError(f"progress must be a function, got {self.progress!r}")
        for name in ("seconds", "memory"):
            check_amount(name, getattr(self, name))

    @property
    def cores(self) -> int:
        """How many threads a call uses."""
        return self.threads or cores()

    @property
    def deadline(self) -> float | None:
        """Seconds after which a run is stopped: those that a budget gives, None without one."""
        seconds = self.seconds or _BUDGET.get()[0]
        return None if seconds == inf else seconds

    def limits(self, patience: float = PATIENCE) -> tuple[float, float]:
        """Most seconds and bytes that a call may take; ``patience``: the seconds where nobody said any.

        >>> Resources(memory=10**9).limits(patience=60)
        (60, 1000000000)
        """
        seconds, memory = _BUDGET.get()
        return self.seconds or seconds or patience, self.memory or memory or _memory_here()


class Watch:
    """How far a run has come: tells progress, and stops it (TooLarge) at the end of the time that a budget gives.

    ``work``: how much there is to do, in any unit, in so many ``parts``; ``kept``: what stays of a run that is stopped.

    >>> watch = Watch("counting", Resources(progress=lambda progress: print(progress.done, progress.fraction)), 8, 2)
    >>> watch.step(6)
    1 0.75
    """

    def __init__(
        self, stage: str, resources: Resources, work: float, parts: int, kept: str = "nothing was kept"
    ) -> None:
        self.kept = kept
        self._stage, self._resources, self._work, self._parts = stage, resources, work or 1.0, parts
        self._started, self._budget = monotonic(), resources.deadline
        self._parts_done, self._done, self._found = 0, 0.0, 0.0

    def step(self, amount: float, parts: int = 1, *, found: bool = False) -> None:
        """So much more is done; or was ``found`` done, which says nothing about the rate.

        >>> Watch("counting", Resources(), 8, 2).step(4)
        """
        self._parts_done += parts
        self._done += amount
        if found:
            self._found += amount
        if self._resources.progress is not None:
            share = min(1.0, self._done / self._work)
            progress = Progress(self._stage, self._parts_done, self._parts, share, self._left())
            self._resources.progress(progress)

    def _left(self) -> float | None:
        """Seconds that the rest takes at the rate so far."""
        computed = self._done - self._found
        if not computed:
            return None
        return max(0.0, self._work - self._done) / computed * (monotonic() - self._started)

    @property
    def seconds_left(self) -> float | None:
        """Until it is stopped, None if it is not."""
        return None if self._budget is None else max(0.0, self._started + self._budget - monotonic())

    def look(self) -> None:
        """Raise TooLarge where the time is up.

        >>> Watch("counting", Resources(), 8, 2).look()
        """
        if self.seconds_left == 0.0:
            assert self._budget is not None
            raise TooLarge(
                f"{self._stage} was stopped after {in_words(self._budget)}, the limit, with "
                f"{min(1.0, self._done / self._work):.0%} of the work done; {self.kept}"
            )


def check_amount(name: str, amount: float | None) -> None:
    """ValueError or TypeError for what is no number of seconds or bytes, more than 0; None is nobody's limit.

    >>> check_amount("seconds", 0)
    Traceback (most recent call last):
    ...
    ValueError: seconds must be positive, got 0
    """
    if amount is None:
        return
    if isinstance(amount, bool | str) or not hasattr(amount, "__float__"):
        raise TypeError(f"{name} must be a number, got {amount!r}")
    if not amount > 0:
        raise ValueError(f"{name} must be positive, got {amount}")
    if 10**300 < amount < inf:
        raise ValueError(f"{name} must be at most 10^300, or inf, got {amount}")


def as_resources(resources: Resources | None) -> Resources:
    """Resources as they are given, the usual ones for None; TypeError for anything else.

    >>> as_resources(4)
    Traceback (most recent call last):
    ...
    TypeError: resources must be Resources, such as cm.Resources(threads=2), got 4
    """
    if not isinstance(resources, Resources | None):
        raise TypeError(f"resources must be Resources, such as cm.Resources(threads=2), got {resources!r}")
    return resources or Resources()


def as_threads(threads: int | None) -> int:
    """A number of threads from 1 to ``MOST_THREADS``, all cores for None.

    >>> as_threads(10**9)
    Traceback (most recent call last):
    ...
    ValueError: threads must be at most 4096, got 1000000000
    """
    return cores() if threads is None else as_count("threads", threads, 1, MOST_THREADS)


def cores() -> int:
    """Number of cores this process may use.

    >>> cores() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _memory_here() -> float:
    """Bytes of memory of this machine."""
    names = {"SC_PAGE_SIZE", "SC_PHYS_PAGES"}
    if not names <= set(getattr(os, "sysconf_names", ())):
        return float(_MEMORY)
    return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


_BUDGET: ContextVar[tuple[float | None, float | None]] = ContextVar("budget", default=(None, None))


@contextmanager
def budget(*, seconds: float | None = None, memory: float | None = None) -> Iterator[None]:
    """What a call inside the block may take, in seconds and bytes: what would take more is refused before it starts.

    Without a budget the limits are an hour and the memory of this machine; ``inf`` lifts one.  What is not said stays
    as it is outside.  ``Resources(seconds=, memory=)`` does the same for one call.  TooLarge names the estimate.

    >>> import confmat as cm
    >>> with cm.budget(seconds=60):
    ...     cm.joint(cm.Tables(60, 5, 5), "rd")["rd"].mean  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLarge: ... would take about ... (limit 1.0 minutes)...
    """
    check_amount("seconds", seconds)
    check_amount("memory", memory)
    outer = _BUDGET.get()
    token = _BUDGET.set((seconds or outer[0], memory or outer[1]))
    try:
        yield
    finally:
        _BUDGET.reset(token)


def excess(
    seconds: float = 0, memory: float = 0, resources: Resources | None = None, patience: float = PATIENCE
) -> str | None:
    """What is too much of an estimate, in words; None where it is within the limits.

    The time on an executor, whose speed is not known, is not limited.

    >>> excess(seconds=7200), excess(memory=2**40, resources=Resources(memory=2**30)), excess()
    ('about 2.0 hours (limit 1.0 hours)', 'about 1,024 GiB of memory (limit 1.0 GiB)', None)
    >>> excess(seconds=0.25, resources=Resources(seconds=0.01))
    'about 0.25 seconds (limit 0.01 seconds)'
    """
    resources = as_resources(resources)
    most_seconds, most_memory = resources.limits(patience)
    if memory > most_memory:
        return f"about {size(memory)} of memory (limit {size(most_memory)})"
    if seconds > most_seconds and resources.executor is None:
        return f"about {in_words(seconds)} (limit {in_words(most_seconds)})"
    return None


def admit(
    what: str,
    seconds: float = 0,
    memory: float = 0,
    *,
    resources: Resources | None = None,
    patience: float = PATIENCE,
) -> None:
    """Raise TooLarge if something, said in words, would take more than the budget, or without one than ``patience``.

    >>> admit("a matrix of 10^12 cells", memory=2**43)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLarge: a matrix of 10^12 cells would take about 8,192 GiB of memory (limit ... GiB)
    """
    much = excess(seconds if seconds > _AT_ONCE else 0, memory, resources, patience)
    if much is not None:
        raise TooLarge(f"{what} would take {much}")


class Question:
    """What is asked of a class of matrices: frozen dataclasses, hashable; ``str`` says it in a few words.

    ``resources``: what the answer may use; ``asked``: the name of the method that was asked for, whatever its patience,
    None for the best.
    """

    resources: Resources = Resources()
    asked: str | None = None


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
    methods of the least grade come first, the quickest of equals; it may depend on the question.
    ``refusal(question)``: why it does not answer such a question, None if it does; ``limit(question)``: why this one
    is out of its reach, whatever the budget. ``patience``: seconds that it may take where no budget says any and it
    is not asked for by name.  ``in_parts``: finished parts of its work are kept in a checkpoint, and spread over an
    executor.
    """

    name: str
    question: type
    run: Callable[[Any], Any] = field(repr=False)
    cost: Callable[[Any], Cost] = field(repr=False)
    why: str
    gives: str
    grade: int | Callable[[Any], int] = 0
    refusal: Callable[[Any], str | None] = field(default=_always, repr=False)
    limit: Callable[[Any], str | None] = field(default=_always, repr=False)
    measure: Callable[[Any], Cost] | None = field(default=None, repr=False)
    patience: float = PATIENCE
    in_parts: bool = False

    def grade_for(self, question: Any) -> int:
        """How good its answer to this question is.

        >>> method = Method("root", int, lambda x: x**0.5, lambda x: Cost(0), why="", gives="", grade=lambda x: x % 2)
        >>> method.grade_for(4), method.grade_for(5)
        (0, 1)
        """
        return self.grade(question) if callable(self.grade) else self.grade

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
    """The methods registered for a type of question, by name.

    >>> methods_for(complex)
    {}
    """
    return _METHODS.get(question, {})


# A cost that is nearer to a limit than this factor, or longer than so many seconds, is measured.
_ROUGH = 20
_SHORT = 1.0

Measured = Literal["never", "near a limit", "unless short"]

Called = TypeVar("Called", bound=Callable[..., Any])
_QUESTIONS: dict[Any, Callable[..., Question]] = {}
_LISTENER: ContextVar[Callable[[Plan], None]] = ContextVar("listener", default=lambda plan: None)


@dataclass(frozen=True, repr=False)
class Plan(Answer):
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

    def brief(self) -> Iterator[Part]:
        """What would be done, in a line."""
        much = f"; too much: {self.excess}" if self.excess is not None else ""
        needs = f", {duration(self.seconds)}, {size(self.bytes)}" if self.seconds < inf else ""
        yield Verbatim(f"<plan: {self.question} by {self.method}{needs}{much}>")

    def parts(self) -> Iterator[Part]:
        """What would be done, how, why, and for how long."""
        yield f"{self.question}."
        yield details(self.lines())


def choose(
    question: Question, *, measured: Measured = "near a limit", passed: Mapping[str, str] | None = None
) -> Plan:
    """The plan of a question: the best method that applies within the limits of its resources.

    ``measured``: when a sample is timed rather than the cost be estimated roughly.  ``passed``: methods that were
    tried, and what came of it.  A plan beyond the limits says so in ``excess``;
    ValueError for an unknown method or one that does not apply, Unsupported where none does.

    >>> import confmat as cm
    >>> choose(question_of(cm.Tables(50, 4, 4).count)).method
    'closed form'
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

    >>> import confmat as cm
    >>> answered(question_of(cm.Tables(50, 4, 4).count))[1]
    204063621701016
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
    """Let ``plan`` plan a function: ``question`` takes its arguments and makes of them what it asks.

    >>> import confmat as cm
    >>> @plannable(lambda matrices: question_of(matrices.count))
    ... def number(matrices):
    ...     return matrices.count()
    >>> plan(number, cm.Tables(50, 4, 4)).method
    'closed form'
    """

    def remember(function: Called) -> Called:
        _QUESTIONS[function] = question
        return function

    return remember


def question_of(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Question:
    """What a call asks; TypeError for a function that cannot be planned.

    >>> import confmat as cm
    >>> print(question_of(cm.joint, cm.Tables(20, 3, 3), "ard"))
    the law of ard over Tables(n=20, r=3, s=3, empty=False)
    """
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
