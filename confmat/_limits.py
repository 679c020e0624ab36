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
from math import inf
from time import monotonic
from types import MethodType
from typing import Any, TypeVar

from confmat._arguments import as_count
from confmat._display import Answer, Part, Verbatim, details
from confmat._display.sheets import whole
from confmat.errors import TooLarge, Unsupported

__all__ = ["Limits", "Method", "Plan", "Progress", "Run", "limits", "method", "plan", "register"]

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
    if amount < 1e6:
        return f"{amount:,.0f} {unit}"
    return f"{amount:.0e} {unit}"


def in_words(seconds: float) -> str:
    """A time that is a limit, or compared with one: also below a second.

    >>> in_words(90), in_words(0.25)
    ('1.5 minutes', '0.25 seconds')
    """
    if seconds >= 1:
        return duration(seconds)
    return f"{seconds:.2g} seconds"


def size(octets: float | Decimal) -> str:
    """A number of bytes.

    >>> size(162788820), size(2527747340), size(10**18)
    ('155 MiB', '2.4 GiB', '931,322,575 GiB')
    """
    gib = Decimal(octets) / 2**30
    if gib < 1:
        return f"{1024 * gib:.0f} MiB"
    if gib < 10:
        return f"{gib:.1f} GiB"
    if gib < 1e9:
        return f"{gib:,.0f} GiB"
    return f"{gib:.0e} GiB"


# Of one process: room is made for each.
MOST_THREADS = 4096

# Seconds that a call may take without limits; ``--yes`` lifts it.
HOUR = 3600.0

# Seconds that are spent on methods in their order before the quickest is taken, where no limits say any.
PATIENCE = 600.0

# What is forecast so many times beyond a limit is refused before any work: the forecast is right within 2.5.
BEYOND = 4

# The same of bytes, which are forecast within 1.5: twice the memory of a machine is not tried.
_BEYOND_MEMORY = 1.5

# Seconds of a step that is never refused.
AT_ONCE = 0.01

# Bytes of memory of this machine; a guess where the system does not say what it has.
_SAYS_MEMORY = {"SC_PAGE_SIZE", "SC_PHYS_PAGES"} <= set(getattr(os, "sysconf_names", ()))
_MEMORY = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) if _SAYS_MEMORY else 8.0 * 2**30


@dataclass(frozen=True)
class Progress:
    """How far a run has come: parts done, of how many, and the share of the work.

    In a run over a class (stage "enumerating") ``done`` and ``total`` are its parts.  Where a law is computed table by
    table (stage "tables"), they are members of the class.  ``seconds_left``: by the rate so far, None where it is not
    known.
    """

    stage: str
    done: int
    total: int
    fraction: float
    seconds_left: float | None = None


@dataclass(frozen=True)
class Limits:
    """What a call may use.

    Every function that may run long takes ``limits=``. `limits` sets them for a block.

    Parameters
    ----------
    seconds : float, optional
        Wall time. What takes longer is refused before it starts, and stopped when the time is over. Default: what is
        expected to take more than an hour is refused, and nothing is stopped. ``inf`` lifts that.
    memory : float, optional
        Bytes. Default: the memory of this machine.
    threads : int, optional
        Number of threads, at most 4096. Default: all cores.
    executor : concurrent.futures.Executor, optional
        Runs the chunks of an enumeration, such as Dask's ``client.get_executor()``. Default: threads of this process.
    checkpoint : path, optional
        Directory that stores finished chunks, and from which they are used again.
    progress : callable, optional
        Called with a `Progress` after every chunk.

    Raises
    ------
    TypeError or ValueError
        If a field has a wrong type or value.

    Examples
    --------
    >>> Limits(threads=-3)
    Traceback (most recent call last):
    ...
    ValueError: threads must be at least 1, got -3
    """

    seconds: float | None = None
    memory: float | None = None
    threads: int | None = None
    executor: Executor | None = None
    checkpoint: str | os.PathLike[str] | None = None
    progress: Callable[[Progress], None] | None = None

    def __post_init__(self) -> None:
        if self.threads is not None:
            object.__setattr__(self, "threads", as_threads(self.threads))
        if not isinstance(self.executor, Executor | None):
            of_dask = (
                "; did you mean client.get_executor()?" if hasattr(self.executor, "get_executor") else ""
            )
            raise TypeError(f"executor must be a concurrent.futures.Executor, got {self.executor!r}{of_dask}")
        if not isinstance(self.checkpoint, str | os.PathLike | None):
            raise TypeError(f"checkpoint must be the path of a directory, got {self.checkpoint!r}")
        if self.progress is not None and not callable(self.progress):
            raise TypeError(f"progress must be a function, got {self.progress!r}")
        for name in ("seconds", "memory"):
            check_amount(name, getattr(self, name))

    def in_force(self) -> Limits:
        """Return these limits, those that are None replaced by the limits of the enclosing block.

        >>> with limits(seconds=5, threads=2):
        ...     Limits(threads=1).in_force()
        Limits(seconds=5, memory=None, threads=1, executor=None, checkpoint=None, progress=None)
        """
        outer = _OF_BLOCK.get()
        if self == outer or outer == _NONE:
            return self
        return replace(outer, **{name: x for name, x in vars(self).items() if x is not None})

    @property
    def cores(self) -> int:
        """The number of threads that a call uses.

        >>> Limits().cores >= 1
        True
        """
        threads = self.in_force().threads
        if threads is not None:
            return threads
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1

    @property
    def given_seconds(self) -> float | None:
        """The seconds of these limits or of the enclosing block, None if neither has any."""
        return self.in_force().seconds

    def most(self, usual: float = HOUR) -> tuple[float, float]:
        """Return the most seconds and bytes; ``usual``: the seconds if none are given.

        >>> Limits(memory=10**9).most()
        (3600.0, 1000000000)
        """
        limits = self.in_force()
        return limits.seconds or usual, limits.memory or _MEMORY


class Stopped(TooLarge):
    """The time that the limits give is over: no other method is tried."""


class Watch:
    """How far a run has come: tells progress, and stops it (TooLarge) at the end of the time that the limits give.

    ``work``: how much there is to do, in any unit, in so many ``parts``; ``kept``: what stays of a run that is stopped.

    >>> watch = Watch("counting", Limits(progress=lambda progress: print(progress.done, progress.fraction)), 8, 2)
    >>> watch.step(6)
    1 0.75
    """

    def __init__(
        self, stage: str, limits: Limits, work: float, parts: int, kept: str = "nothing was kept"
    ) -> None:
        self.kept = kept
        self._stage, self._limits, self._work, self._parts = stage, limits.in_force(), work or 1.0, parts
        self._started, self._seconds = monotonic(), limits.most(inf)[0]
        self._parts_done, self._done, self._found = 0, 0.0, 0.0

    def step(self, amount: float, parts: int = 1, *, found: bool = False) -> None:
        """So much more is done; or was ``found`` done, which says nothing about the rate.

        >>> Watch("counting", Limits(), 8, 2).step(4)
        """
        self._parts_done += parts
        self._done += amount
        if found:
            self._found += amount
        if self._limits.progress is not None:
            share = min(1.0, round(self._done / self._work, 9))
            progress = Progress(self._stage, self._parts_done, self._parts, share, self._left())
            self._limits.progress(progress)

    def _left(self) -> float | None:
        """Seconds that the rest takes at the rate so far."""
        computed = self._done - self._found
        if not computed:
            return None
        return max(0.0, self._work - self._done) / computed * (monotonic() - self._started)

    def look(self) -> float | None:
        """Seconds until it is stopped, None if it is not; TooLarge where the time is up.

        >>> watch = Watch("counting", Limits(seconds=1e-9), 8, 2)
        >>> watch.look()
        Traceback (most recent call last):
        ...
        confmat._limits.Stopped: counting was stopped after 1e-09 seconds, the limit, with 0% of the work done; \
nothing was kept
        """
        if self._seconds == inf:
            return None
        seconds_left = self._started + self._seconds - monotonic()
        if seconds_left > 0:
            return seconds_left
        share_done = min(1.0, self._done / self._work)
        raise Stopped(
            f"{self._stage} was stopped after {in_words(self._seconds)}, the limit, with {share_done:.0%} of the "
            f"work done; {self.kept}"
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


# The limits of a call that gives none.
_NONE = Limits()


def as_limits(limits: Limits | None) -> Limits:
    """Limits as they are given, the usual ones for None; TypeError for anything else.

    >>> as_limits(4)
    Traceback (most recent call last):
    ...
    TypeError: limits must be cm.Limits, such as cm.Limits(threads=2), got 4
    """
    if not isinstance(limits, Limits | None):
        raise TypeError(f"limits must be cm.Limits, such as cm.Limits(threads=2), got {limits!r}")
    return limits or _NONE


def as_threads(threads: int | None) -> int:
    """A number of threads from 1 to ``MOST_THREADS``, all cores for None.

    >>> as_threads(10**9)
    Traceback (most recent call last):
    ...
    ValueError: threads must be at most 4096, got 1000000000
    """
    if threads is None:
        return _NONE.cores
    return as_count("threads", threads, 1, MOST_THREADS)


_OF_BLOCK: ContextVar[Limits] = ContextVar("limits", default=_NONE)


@contextmanager
def limits(
    *,
    seconds: float | None = None,
    memory: float | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[None]:
    """Set the limits of every call inside a block; the fields of `Limits`.

    A field that is not given stays as it is outside. ``limits=`` of a call has priority. ``seconds`` are those of each
    call. What is stopped leaves finished chunks in the checkpoint, and says how much was done.

    Raises
    ------
    TooLarge
        In the block, if a call needs more than the limits.

    Examples
    --------
    >>> import confmat as cm
    >>> with cm.limits(seconds=60):
    ...     cm.joint(cm.Tables(60, 5, 5), "rd")["rd"].mean  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLarge: ... would take about ... (limit 1.0 minutes)...
    """
    inner = Limits(seconds, memory, threads, executor, checkpoint, progress)
    token = _OF_BLOCK.set(inner.in_force())
    try:
        yield
    finally:
        _OF_BLOCK.reset(token)


def excess(
    seconds: float = 0,
    memory: float = 0,
    limits: Limits | None = None,
    *,
    usual: float = HOUR,
    times: float = BEYOND,
    times_memory: float = _BEYOND_MEMORY,
) -> str | None:
    """What is so many ``times`` more than the limits that it is refused, in words; None where nothing is.

    ``usual``: the seconds where no limits say any.  Those on an executor, whose speed is not known, are not limited.

    >>> excess(seconds=7200), excess(seconds=18000), excess(memory=2**40, limits=Limits(memory=2**30))
    (None, 'about 5.0 hours (limit 1.0 hours)', 'about 1,024 GiB of memory (limit 1.0 GiB)')
    """
    where = as_limits(limits)
    much = no_room(memory, where, times_memory)
    most, _ = where.most(usual)
    if much is not None or seconds <= times * most or where.executor is not None:
        return much
    return f"about {in_words(seconds)} (limit {in_words(most)})"


def no_room(memory: float, limits: Limits | None = None, times: float = 1) -> str | None:
    """Why so many bytes are not laid out, None where there is room; or so many ``times`` as many.

    >>> no_room(2**40, Limits(memory=2**30)), no_room(2**20, Limits(memory=2**30))
    ('about 1,024 GiB of memory (limit 1.0 GiB)', None)
    """
    _, most = as_limits(limits).most()
    if memory > times * most:
        return f"about {size(memory)} of memory (limit {size(most)})"
    return None


def admit(what: str, seconds: float = 0, memory: float = 0, *, limits: Limits | None = None) -> None:
    """Raise TooLarge if something, said in words, would take four times the seconds, or more bytes than there are.

    ``memory`` is of what is about to be laid out, so that it is known.

    >>> admit("a matrix of 10^12 cells", memory=2**43)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLarge: a matrix of 10^12 cells would take about 8,192 GiB of memory (limit ... GiB)
    """
    much = no_room(memory, limits) or excess(seconds if seconds > AT_ONCE else 0, limits=limits)
    if much is not None:
        raise TooLarge(f"{what} would take {much}")


class Question:
    """What is asked: frozen dataclasses, hashable; ``str`` says it in a few words.

    ``limits``: what the answer may use; ``asked``: the name of the method that was asked for, None for the first.
    """

    limits: Limits = _NONE
    asked: str | None = None


@dataclass(frozen=True)
class Run:
    """How a method answers a question, and by the rule about what that takes.

    ``cpu_seconds`` of one core, shared by ``threads``; ``bytes`` of memory; ``facts``: numbers that these come from.
    ``limit``: why it is out of reach whatever the limits, None if it is not.
    """

    answer: Callable[[], Any] = lambda: None
    cpu_seconds: float = 0.0
    bytes: float = 0.0
    threads: int = 1
    facts: Mapping[str, Any] = field(default_factory=dict)
    limit: str | None = None

    @property
    def seconds(self) -> float:
        """About how long it takes by the clock."""
        return self.cpu_seconds / self.threads


def out_of_reach(limit: str) -> Run:
    """What a method says that answers such questions, but not so large a one.

    >>> out_of_reach("more than 7 states").limit
    'more than 7 states'
    """
    return Run(cpu_seconds=inf, limit=limit)


Applies = Callable[[Any], Run | str]


@dataclass(frozen=True)
class Method:
    """One way to answer a type of question.

    ``applies(question)``: a ``Run``, or the reason why there is none.  ``why``: what speaks for the method; ``gives``:
    what its answer is; ``in_parts``: finished parts of its work are kept in a checkpoint, and spread over an executor.
    """

    name: str
    applies: Applies = field(repr=False)
    why: str = ""
    gives: str = ""
    in_parts: bool = False


def method(name: str, why: str, gives: str = "", *, in_parts: bool = False) -> Callable[[Applies], Method]:
    """Make a method of the function that says whether it applies.

    >>> @method("halving", why="it is even", gives="one half")
    ... def halving(number):
    ...     return "is for even numbers" if number % 2 else Run(lambda: number // 2)
    >>> halving.name, halving.applies(3), halving.applies(4).answer()
    ('halving', 'is for even numbers', 2)
    """
    return lambda applies: Method(name, applies, why, gives, in_parts)


_METHODS: dict[type, list[Method]] = {}


def register(question: type, *methods: Method) -> None:
    """Let methods answer a type of question: in this order, after those that it has.

    One that has the name of a method that it has takes its place.

    >>> register(bool, Method("guess", lambda asked: Run(lambda: True), why="it is quick", gives="a guess"))
    >>> [method.name for method in methods_for(bool)]
    ['guess']
    """
    known = list(methods_for(question))
    for new in methods:
        if not isinstance(new, Method):
            raise TypeError(f"methods must be Methods, got {new!r:.60}")
    replaced = {new.name: new for new in methods if new.name in {old.name for old in known}}
    kept = [replaced.get(old.name, old) for old in known]
    _METHODS[question] = kept + [new for new in methods if new.name not in replaced]


def methods_for(question: type) -> tuple[Method, ...]:
    """The methods registered for a type of question, in the order in which they are tried.

    >>> methods_for(complex)
    ()
    """
    return tuple(_METHODS.get(question, ()))


@dataclass(frozen=True, repr=False, kw_only=True)
class Plan(Answer, Run):
    """Which method answers a question, about what that takes and why; what was rejected and why.

    ``seconds``: wall clock, ``cpu_seconds`` on all ``threads`` together, by the rule, which is right within a factor
    of 2.5; ``bytes``: of memory; ``facts``: numbers that these come from.  ``excess``: what is so much more than the
    limits allow that it is refused, None if nothing is.  ``gives``: what the answer is, ``why``: what speaks for the
    method; ``in_parts`` as of a ``Method``.  ``run()`` answers.
    """

    question: Any
    method: str
    why: str
    gives: str
    in_parts: bool = False
    rejected: Mapping[str, str]

    @property
    def excess(self) -> str | None:
        """What is so much more than the limits allow that it is refused, in words."""
        return self.limit or excess(self.seconds, self.bytes, self.question.limits)

    def admitted(self) -> Plan:
        """The plan itself; TooLarge where it takes so much more than the limits that it is refused.

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
        if matrices is None:
            many = ""
        else:
            many = f"; there are {whole(matrices)} matrices"
        return f"{self.question} by {self.method} would take {self.excess}{many}"

    def run(self) -> Any:
        """The answer; TooLarge, before any work, where that is refused.

        >>> import confmat as cm
        >>> plan(cm.Tables(50, 4, 4).count).run()
        204063621701016
        """
        return self.told().admitted().answer()

    def told(self) -> Plan:
        """The plan itself, after whoever listens heard that it is about to run.

        >>> import confmat as cm
        >>> with listening(lambda plan: print(plan.method)):
        ...     _ = plan(cm.Tables(50, 4, 4).count).told()
        closed form
        """
        listener = _LISTENER.get()
        if listener is not None:
            listener(self)
        return self

    def as_dict(self) -> dict[str, Any]:
        """Question, method, what it gives and why; the facts, time and memory; what was rejected.

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
            "seconds": float(self.seconds),
            "cpu_seconds": float(self.cpu_seconds),
            "memory": self.bytes,
            "excess": self.excess,
            "rejected": self.rejected,
        }

    def lines(self) -> list[tuple[str, str]]:
        """The plan as (name, text): what is printed of it.

        >>> import confmat as cm
        >>> plan(cm.Tables(50, 4, 4).count).lines()[1]
        ('gives', 'the exact number')
        """
        facts = [(name, whole(x) if isinstance(x, int) else str(x)) for name, x in self.facts.items()]
        if self.threads == 1:
            threads = ""
        else:
            threads = f" on {self.threads} threads"
        if self.excess is None:
            much = []
        else:
            much = [("too much", self.excess)]
        needs = [
            ("time", f"{duration(self.seconds)}{threads}"),
            ("memory", size(self.bytes)),
        ]
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

    def __reduce__(self) -> tuple[Any, ...]:
        """By its question: what answers are closures, and laws that hold a plan go to other processes."""
        return choose, (self.question,)

    def brief(self) -> Iterator[Part]:
        """What would be done, in a line."""
        line = f"{self.question} by {self.method}"
        if self.seconds < inf:
            line += f", {duration(self.seconds)}, {size(self.bytes)}"
        if self.excess is not None:
            line += f"; too much: {self.excess}"
        yield Verbatim(f"<plan: {line}>")

    def parts(self) -> Iterator[Part]:
        """What would be done, how, why, and for how long."""
        yield f"{self.question}."
        yield details(self.lines())


def choose(question: Question, passed: Mapping[str, str] | None = None) -> Plan:
    """The plan of a question: by the first method that answers within the limits, else by the quickest.

    ``passed``: methods that were tried, and what came of it.  Where none is asked for and no limits say more, the
    methods have ``PATIENCE`` before the quickest is taken.
    ValueError for an unknown method or one that does not apply, Unsupported where none does.

    >>> import confmat as cm
    >>> choose(question_of(cm.Tables(50, 4, 4).count)).method
    'closed form'
    """
    passed = passed or {}
    # What is spent on a method while there may be a quicker one.
    usual = PATIENCE if question.asked is None else HOUR
    rejected = dict(passed)
    slow: list[Plan] = []
    chosen: Plan | None = None
    for method in _METHODS.get(type(question), ()):
        if method.name in passed or question.asked not in (None, method.name):
            continue
        if chosen is not None:
            if method.name != chosen.method:
                rejected[method.name] = "is not needed"
            continue
        try:
            way = method.applies(question)
        except TooLarge as error:  # not even the cost can be told
            way = out_of_reach(f"more than can be told: {error}")
        if isinstance(way, str):
            rejected[method.name] = way
            continue
        made_of = {
            "bytes": int(way.bytes),
            "question": question,
            "method": method.name,
            "why": method.why,
            "gives": method.gives,
            "in_parts": method.in_parts,
            "rejected": rejected,
        }
        plan = Plan(**vars(way) | made_of)
        much = plan.limit or excess(
            plan.seconds,
            plan.bytes,
            question.limits,
            usual=usual,
            times=1,
            times_memory=1,
        )
        if much is None:
            rejected.pop(method.name, None)
            chosen = plan
        else:
            rejected[method.name] = f"would take {much}"
            slow.append(plan)
    if chosen is not None:
        return chosen
    if not slow:
        raise _unanswered(question, rejected)
    quickest = min(slow, key=lambda plan: (plan.limit is not None, plan.excess is not None, plan.seconds))
    del rejected[quickest.method]
    return quickest


def _unanswered(question: Question, rejected: Mapping[str, str]) -> Exception:
    names = dict.fromkeys(method.name for method in methods_for(type(question)))
    if question.asked not in (None, *names):
        return ValueError(f"method must be one of {', '.join(names)}, got {question.asked!r}")
    if question.asked is not None:
        return ValueError(f'method "{question.asked}" {rejected[question.asked]}; it cannot {question}')
    reasons = "; ".join(f"{name} {reason}" for name, reason in rejected.items())
    return Unsupported(f"no method is known for {question}: {reasons}")


def answered(question: Question) -> tuple[Plan, Any]:
    """The plan of the method that answers, and its answer.

    One that finds only while it works that it is out of reach (TooLarge) gives way to the next.

    >>> import confmat as cm
    >>> answered(question_of(cm.Tables(50, 4, 4).count))[1]
    204063621701016
    """
    passed: dict[str, str] = {}
    while True:
        plan = choose(question, passed)
        try:
            return plan, plan.run()
        except TooLarge as error:
            if plan.excess is not None or isinstance(error, Stopped):
                raise
            passed[plan.method] = f"gives none: {error}"


_QUESTIONS: dict[Any, Callable[..., Question]] = {}
_LISTENER: ContextVar[Callable[[Plan], None] | None] = ContextVar("listener", default=None)
Called = TypeVar("Called", bound=Callable[..., Any])


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


@dataclass(frozen=True)
class Task(Question):
    """Something that is done in one way, in words."""

    what: str
    limits: Limits = field(default_factory=Limits)

    def __str__(self) -> str:
        return self.what


def begin(
    what: str, method: str, why: str, gives: str, seconds: float, memory: float = 0, **facts: Any
) -> None:
    """Tell whoever listens what is about to be done, in one way; TooLarge where it is refused.

    >>> with listening(lambda plan: print(plan)):
    ...     begin("7 questions", "one by one", "each is short", "7 answers", 0.5, questions=7)
    7 questions.
    <BLANKLINE>
    method     one by one: each is short
    gives      7 answers
    questions  7
    time       less than a second
    memory     0 MiB
    """
    memory = int(memory)
    plan = Plan(
        cpu_seconds=seconds,
        bytes=memory,
        facts=facts,
        question=Task(what),
        method=method,
        why=why,
        gives=gives,
        rejected={},
    )
    plan.told()
    admit(what, seconds, memory)


_TELLING: set[Any] = set()


def telling(function: Called) -> Called:
    """Let ``plan`` plan a function that tells its plan by itself, before it works: by calling it until then.

    >>> @telling
    ... def work() -> None:
    ...     "A function that calls ``answered`` or the like first."
    >>> work in _TELLING
    True
    """
    _TELLING.add(function)
    return function


class _Told(Exception):
    """A plan, as it was told."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(str(plan.question))
        self.plan = plan


def _leave(plan: Plan) -> None:
    raise _Told(plan)


def _first_told(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Plan:
    """The plan that a call tells, where it is left."""
    try:
        with listening(_leave):
            function(*args, **kwargs)
    except _Told as told:
        return replace(
            told.plan,
            answer=lambda: function(*args, **kwargs),
        )
    raise TypeError(f"{function.__name__} is done at once, without a plan")


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
    """Which method a call would take and about what it would cost, before it is made: takes the call that it plans.

    Nothing is timed: ``seconds`` come from counts by one rule, which is right within a factor of 2.5 on an ordinary
    core for laws, and rougher elsewhere.

    Raises TypeError for a function that has no plan, and what the call itself raises for its arguments.

    >>> import confmat as cm
    >>> plan = cm.plan(cm.maximize, cm.Tables(100, 4, 4), "rd")
    >>> plan.method, plan.seconds < 60, plan.rejected["theorem"]
    ('bound-and-prune', True, 'is not needed')
    """
    if isinstance(function, Hashable) and function in _TELLING:
        return _first_told(function, *args, **kwargs)
    return choose(question_of(function, *args, **kwargs))
