"""What plans are made of: methods, the records of how a question is answered and at what cost, and the budget.

What a call may use is said by ``Resources`` and ``budget``; what would take more is refused before any work, with
times, bytes and counts in words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from math import inf
from time import monotonic
from typing import Any

from confmat.errors import TooLarge
from confmat.matrices.arguments import as_count

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


def whole(count: int) -> str:
    """A count with its digits grouped, or rounded beyond 20 digits.

    >>> whole(204063621701016), whole(10**40)
    ('204,063,621,701,016', '1.000e+40')
    """
    return f"{count:,}" if count < 10**20 else f"{Decimal(count):.3e}"


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
        """So much more is done; or was ``found`` done, which says nothing about the rate."""
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
        """Raise TooLarge where the time is up."""
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
    """The methods registered for a type of question, by name."""
    return _METHODS.get(question, {})
