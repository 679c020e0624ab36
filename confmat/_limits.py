"""Limits of a call, and the choice of the method that answers it.

A question is a computation with its arguments. The methods of a type of question are listed in order. Each method
counts its steps, and has one measured rate: seconds per step. The first method whose steps take no longer than the
limit answers the question.

>>> import confmat as cm
>>> plan(cm.joint_distribution, cm.Tables(10**6, 3, 3), "med").method
'generating function'
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial, wraps
from math import inf
from time import monotonic
from typing import Any, TypeVar, cast

from confmat._arguments import as_count
from confmat._display import Answer, Part, Verbatim, details
from confmat._display.sheets import whole
from confmat._numba import clock
from confmat.errors import TooLargeError, UnsupportedError

__all__ = ["Limits", "Method", "Plan", "Progress", "Run", "limits", "method", "plan", "register"]


_UNITS = (("years", 31_557_600), ("days", 86400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


def duration(seconds: float | Decimal) -> str:
    """Return a number of seconds as text, in the largest unit that does not exceed it.

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
    """Return a time as text, with digits also below a second.

    >>> in_words(90), in_words(0.25)
    ('1.5 minutes', '0.25 seconds')
    """
    if seconds >= 1:
        return duration(seconds)
    return f"{seconds:.2g} seconds"


def size(octets: float | Decimal) -> str:
    """Return a number of bytes (``octets``) as text, in MiB or GiB.

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


# Largest number of threads of a process.
MOST_THREADS = 4096

# Forecast seconds of a call above which it is refused if there are no limits.  The option ``--yes`` removes this limit.
HOUR = 3600.0

# Work that takes at most this number of seconds is never refused.
AT_ONCE = 0.01

# Memory of this machine in bytes, 8 GiB if the system does not report it.
_SAYS_MEMORY = {"SC_PAGE_SIZE", "SC_PHYS_PAGES"} <= set(getattr(os, "sysconf_names", ()))
_MEMORY = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")) if _SAYS_MEMORY else 8.0 * 2**30


@dataclass(frozen=True)
class Progress:
    """Progress of a run: number of parts done, number of parts, and fraction of the work done.

    In an enumeration of a class (stage "enumerating") ``done`` and ``total`` count chunks. If a distribution is
    computed table by table (stage "tables"), they count members of the class. ``seconds_left`` is estimated from
    the last parts, and is None if it is unknown.
    """

    stage: str
    done: int
    total: int
    fraction: float
    seconds_left: float | None = None


@dataclass(frozen=True)
class Limits:
    """Resources that a call may use.

    Every function that may run long has an argument ``limits``. `limits` sets them for a ``with`` statement.

    Parameters
    ----------
    seconds : float, optional
        Wall time. A call with a longer forecast raises TooLargeError before it starts. A running call is stopped at the
        end of this time. Default: calls with a forecast of more than an hour raise TooLargeError, and no call is
        stopped. ``inf`` removes the limit.
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
        """Check the fields."""
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
        """Return these limits, with fields that are None replaced by the limits in force around the call.

        Returns
        -------
        Limits

        Examples
        --------
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
        """Number of threads that a call uses.

        >>> Limits().cores >= 1
        True
        """
        threads = self.in_force().threads
        if threads is not None:
            return threads
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1

    def most(self, usual: float = HOUR) -> tuple[float, float]:
        """Return the time limit in seconds and the memory limit in bytes.

        Parameters
        ----------
        usual : float
            Seconds if there is no time limit. Default: an hour.

        Returns
        -------
        (float, float)

        Examples
        --------
        >>> Limits(memory=10**9).most()
        (3600.0, 1000000000)
        """
        limits = self.in_force()
        return limits.seconds or usual, limits.memory or _MEMORY


Called = TypeVar("Called", bound=Callable[..., Any])


class Stopped(TooLargeError):
    """Error at the end of the time limit. No other method is used afterwards."""


# Time at which the running call is stopped, and the number of seconds of its time limit.
_DEADLINE: ContextVar[tuple[float, float]] = ContextVar("deadline", default=(inf, inf))


@contextmanager
def deadline(limits: Limits) -> Iterator[None]:
    """Stop the calls inside a ``with`` statement at the end of the time limit.

    If an enclosing ``deadline`` ends earlier, they are stopped then.

    >>> with deadline(Limits(seconds=1e-9)):
    ...     look()
    Traceback (most recent call last):
    ...
    confmat._limits.Stopped: the call was stopped after 1e-09 seconds (the limit): nothing was stored
    """
    seconds, _ = limits.most(inf)
    token = _DEADLINE.set(min(_DEADLINE.get(), (monotonic() + seconds, seconds)))
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def look(what: str = "the call", done: str = "", stored: str = "nothing was stored") -> float | None:
    """Raise Stopped if the time limit is over. Return the seconds that are left, None if there is no limit.

    ``what``, ``done`` and ``stored`` are parts of the message: the work, its progress, and its stored results.
    """
    end, seconds = _DEADLINE.get()
    if end == inf:
        return None
    left = end - monotonic()
    if left > 0:
        return left
    raise Stopped(f"{what} was stopped after {in_words(seconds)} (the limit){done}: {stored}")


clock.look = look


@contextmanager
def share_of_time(share: float) -> Iterator[None]:
    """Limit the calls inside a ``with`` statement to the fraction ``share`` of the time until the deadline.

    The rest of the time remains for another method.

    >>> with deadline(Limits(seconds=100)), share_of_time(0.5):
    ...     look() <= 50
    True
    """
    seconds_left = look()
    with deadline(Limits(seconds=seconds_left and share * seconds_left)):
        yield


@contextmanager
def _in_block(inner: Limits) -> Iterator[None]:
    """Set the limits of all calls inside a ``with`` statement."""
    token = _OF_BLOCK.set(inner.in_force())
    try:
        yield
    finally:
        _OF_BLOCK.reset(token)


@contextmanager
def within(given: Limits | None) -> Iterator[None]:
    """Apply the limits of a call to the body of a ``with`` statement. None changes none of the limits in force.

    At the end of the time limit, `look` raises an error in the body. Before that, it returns the seconds that are
    left.

    >>> with within(Limits(seconds=100)):
    ...     look() <= 100
    True
    """
    with _in_block(as_limits(given)), deadline(_NONE):
        yield


def limited(function: Called) -> Called:
    """Wrap a function so that its argument ``limits`` applies to every call that it makes.

    >>> limited(lambda x, limits=None: look() <= x)(5, limits=Limits(seconds=3))
    True
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with within(kwargs.get("limits")):
            return function(*args, **kwargs)

    return cast(Called, call)


# Number of recent chunks from which the remaining time is estimated.
_RECENT = 16


class Watch:
    """Measurement of the progress of a run, which has a number of ``parts`` and an amount of ``work`` in any unit.

    ``stage`` names the work. ``kept`` says in messages which results are stored if the run is stopped.

    >>> watch = Watch("counting", Limits(progress=lambda progress: print(progress.done, progress.fraction)), 8, 2)
    >>> watch.step(6)
    1 0.75
    """

    def __init__(
        self, stage: str, limits: Limits, work: float, parts: int, kept: str = "nothing was kept"
    ) -> None:
        self.kept = kept
        self._stage, self._work, self._parts = stage, work or 1, parts
        self._progress = limits.in_force().progress
        self._parts_done, self._done, self._found = 0, 0.0, 0.0
        self._recent = deque([(monotonic(), 0.0)], maxlen=_RECENT)

    def step(self, amount: float, parts: int = 1, *, found: bool = False) -> None:
        """Report ``amount`` of work and a number of ``parts`` as done.

        With ``found=True`` the results were stored before, so that this work does not count for the speed.

        >>> Watch("counting", Limits(), 8, 2).step(4)
        """
        self._parts_done += parts
        self._done += amount
        if found:
            self._found += amount
        self._recent.append((monotonic(), self._done - self._found))
        if self._progress is not None:
            fraction = min(1.0, round(self._done / self._work, 9))
            self._progress(Progress(self._stage, self._parts_done, self._parts, fraction, self._left()))

    def _left(self) -> float | None:
        """Estimate the remaining seconds from the speed of the last chunks. Return None if the speed is unknown."""
        (first_time, first_work), (last_time, last_work) = self._recent[0], self._recent[-1]
        if last_work == first_work:
            return None
        seconds_of_work = (last_time - first_time) / (last_work - first_work)
        return max(0.0, self._work - self._done) * seconds_of_work

    def look(self) -> float | None:
        """Raise Stopped if the time limit is over. Return the seconds that are left, None if there is no limit.

        >>> with deadline(Limits(seconds=1e-9)):
        ...     Watch("counting", Limits(), 8, 2).look()
        Traceback (most recent call last):
        ...
        confmat._limits.Stopped: counting was stopped after 1e-09 seconds (the limit), with 0% of the work done: \
nothing was kept
        """
        done = min(1.0, self._done / self._work)
        return look(self._stage, f", with {done:.0%} of the work done", self.kept)


def check_amount(name: str, amount: float | None) -> None:
    """Check that the limit ``name``, a number of seconds or bytes, is positive or None.

    Raise TypeError if ``amount`` is not a number, ValueError if it is not positive or above 10^300 (except inf).

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


# Limits of a call without the argument ``limits``.
_NONE = Limits()


def as_limits(limits: Limits | None) -> Limits:
    """Return ``limits``, or the default limits for None. Raise TypeError for another object.

    >>> as_limits(4)
    Traceback (most recent call last):
    ...
    TypeError: limits must be cm.Limits, such as cm.Limits(threads=2), got 4
    """
    if not isinstance(limits, Limits | None):
        raise TypeError(f"limits must be cm.Limits, such as cm.Limits(threads=2), got {limits!r}")
    return limits or _NONE


def as_threads(threads: int | None) -> int:
    """Check that a number of threads is from 1 to ``MOST_THREADS`` and return it. For None return the number of cores.

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
    """Set the limits of every call inside a ``with`` statement.

    Parameters
    ----------
    seconds : float, optional
        Time limit of each call.
    memory : float, optional
        Memory limit in bytes.
    threads : int, optional
        Number of threads.
    executor : Executor, optional
        Computes chunks, for example on a cluster.
    checkpoint : path, optional
        Directory of finished chunks.
    progress : callable, optional
        Called with a `Progress`.

    Yields
    ------
    None

    Raises
    ------
    TooLargeError
        Inside the ``with`` statement, if a call needs more than the limits.

    Notes
    -----
    A missing field has the value of the enclosing ``with`` statement. The argument ``limits`` of a call has priority. A
    call that is stopped leaves finished chunks in the checkpoint, and reports its progress.

    Examples
    --------
    >>> import confmat as cm
    >>> with cm.limits(seconds=60):
    ...     cm.joint_distribution(cm.Tables(60, 5, 5), "rd")["rd"].mean()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLargeError: ... would take about ... (limit 1.0 minutes)...
    """
    inner = Limits(seconds, memory, threads, executor, checkpoint, progress)
    with _in_block(inner):
        yield


def excess(
    seconds: float = 0, memory: float = 0, limits: Limits | None = None, usual: float = HOUR
) -> str | None:
    """Return a string that says by how much ``seconds`` or ``memory`` exceed the limits, None if they do not.

    ``usual`` is the time limit if no limits have one. The time on an executor is not limited, because its speed is
    unknown.

    >>> excess(seconds=1800), excess(seconds=7200), excess(memory=2**40, limits=Limits(memory=2**30))
    (None, 'about 2.0 hours (limit 1.0 hours)', 'about 1,024 GiB of memory (limit 1.0 GiB)')
    """
    where = as_limits(limits).in_force()
    most_seconds, most_memory = where.most(usual)
    if memory > most_memory:
        return f"about {size(memory)} of memory (limit {size(most_memory)})"
    if seconds > most_seconds and where.executor is None:
        return f"about {in_words(seconds)} (limit {in_words(most_seconds)})"
    return None


def admit(what: str, seconds: float = 0, memory: float = 0, limits: Limits | None = None) -> None:
    """Raise TooLargeError if ``seconds`` or ``memory`` exceeds the limits. ``what`` names the work in the message.

    >>> admit("a matrix of 10^12 cells", memory=2**43)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLargeError: a matrix of 10^12 cells would take about 8,192 GiB of memory (limit ... GiB)
    """
    much = excess(seconds if seconds > AT_ONCE else 0, memory, limits)
    if much is not None:
        raise TooLargeError(f"{what} would take {much}")


class Question:
    """Base class of questions (a computation with its arguments), which methods answer.

    Questions are frozen, hashable dataclasses whose ``str`` is a short text.

    Attributes
    ----------
    limits : Limits
    asked : str or None
        Name of the requested method. Default: the first method that applies.
    patience : float
        Seconds that a method may take if there are no limits and a faster method is possible.
    """

    limits: Limits = _NONE
    asked: str | None = None
    patience: float = HOUR

    @property
    def in_one_piece(self) -> str | None:
        """Reason why a method without chunks cannot answer this question, None if it can.

        A checkpoint and an executor need chunks.
        """
        limits = self.limits.in_force()
        for name in ("checkpoint", "executor"):
            if getattr(limits, name) is not None:
                return f"{name} does nothing for {self}, computed in one piece"
        return None


@dataclass(frozen=True)
class Run:
    """Function that computes the answer of a method, and its number of steps.

    ``threads`` is the number of threads of the function. ``rate`` is the number of seconds per step. Default: the
    rate of the method.
    """

    answer: Callable[[], Any]
    steps: int = 0
    threads: int = 1
    rate: float | None = None


# Returns a run, or the reason why the method does not apply.  Raises TooLargeError if the question is too large for it.
Applies = Callable[[Any], Run | str]


@dataclass(frozen=True)
class Method:
    """Method that answers a type of question.

    Attributes
    ----------
    applies : callable
        Takes a question. Returns a ``Run``, or a string with the reason why the method does not apply.
    why : str
        Reason to choose the method.
    rate : float
        CPU seconds of a step.
    in_parts : bool
        True if the work is divided into chunks, which are stored in a checkpoint and can be computed by an
        executor.
    """

    name: str
    applies: Applies = field(repr=False)
    why: str = ""
    rate: float = 0.0
    in_parts: bool = False


def method(name: str, why: str, rate: float = 0.0, *, in_parts: bool = False) -> Callable[[Applies], Method]:
    """Return a decorator that turns a function into a `Method` with this name.

    The function becomes `Method.applies`. It takes a question, and returns a `Run` that answers it, or a string with
    the reason why the method does not apply.

    Parameters
    ----------
    name : str
        Name of the method.
    why : str
        Reason to choose the method, for the printed plan.
    rate : float
        Seconds of a step on one core. Default: 0.
    in_parts : bool
        Finished chunks are stored in a checkpoint. Default: False.

    Returns
    -------
    callable

    Examples
    --------
    >>> @method("halving", "it is even", 1e-9)
    ... def halving(number):
    ...     return "is for even numbers" if number % 2 else Run(lambda: number // 2, steps=1)
    >>> halving.name, halving.applies(3), halving.applies(4).answer()
    ('halving', 'is for even numbers', 2)
    """
    return lambda applies: Method(name, applies, why, rate, in_parts)


_METHODS: dict[type, list[Method]] = {}


def register(question: type, *methods: Method) -> None:
    """Set the methods that answer a type of question, in this order.

    Parameters
    ----------
    question : type
        Type of the question.
    *methods : Method
        Methods in the order of preference.

    Examples
    --------
    >>> register(bool, Method("guess", lambda asked: Run(lambda: True), why="it is quick"))
    >>> [method.name for method in _METHODS[bool]]
    ['guess']
    """
    _METHODS[question] = list(methods)


# Larger numbers of steps are not converted to float.
_MOST_STEPS = 10**300


@dataclass(frozen=True, repr=False, kw_only=True)
class Plan(Answer):
    """Method that answers a question, its forecast steps and seconds, and the rejected methods with reasons.

    ``seconds`` is the wall time on ``threads`` threads. ``limit`` is None, or a string that says why the method is
    impossible for any limits. ``run()`` computes the answer.
    """

    question: Any
    method: str
    why: str
    answer: Callable[[], Any] = field(repr=False)
    steps: int
    seconds: float
    threads: int = 1
    in_parts: bool = False
    limit: str | None = None
    rejected: Mapping[str, str]

    @property
    def excess(self) -> str | None:
        """Text that says which limit would be exceeded, None if there is none."""
        return self.limit or excess(self.seconds, limits=self.question.limits)

    def admitted(self) -> Plan:
        """Return the plan if it stays within the limits.

        Returns
        -------
        Plan

        Raises
        ------
        TooLargeError
            If the plan exceeds a limit.

        Examples
        --------
        >>> import confmat as cm
        >>> plan(cm.joint_distribution, cm.Tables(20, 3, 3), "ard").admitted().method
        'one pass'
        """
        if self.excess is not None:
            raise TooLargeError(self.refusal)
        return self

    @property
    def refusal(self) -> str:
        """Message for a call that would exceed a limit."""
        return f"{self.question} by {self.method} {_exceeding(str(self.excess))}"

    def run(self) -> Any:
        """Compute the answer of the call.

        Returns
        -------
        object

        Raises
        ------
        TooLargeError
            Before any work, if the plan exceeds a limit.

        Examples
        --------
        >>> import confmat as cm
        >>> plan(cm.maximize, cm.Tables(20, 3, 3), "ard").run().tables[0].tolist()
        [[10, 3, 2], [3, 0, 0], [2, 0, 0]]
        """
        self._report().admitted()
        with deadline(self.question.limits):
            return self.answer()

    def _report(self) -> Plan:
        """Report the plan to the function that ``listening`` has set, and return the plan.

        >>> import confmat as cm
        >>> with listening(lambda plan: print(plan.method)):
        ...     _ = plan(cm.joint_distribution, cm.Tables(20, 3, 3), "ard")._report()
        one pass
        """
        listener = _LISTENER.get()
        if listener is not None:
            listener(self)
        return self

    def _facts(self) -> dict[str, Any]:
        """Return question, method, reason, steps, seconds and rejected methods by name.

        >>> import confmat as cm
        >>> plan(cm.joint_distribution, cm.Tables(10**6, 3, 3), "med").to_json()["steps"]
        1000000
        """
        return {
            "question": str(self.question),
            "method": self.method,
            "why": self.why,
            "threads": self.threads,
            "steps": self.steps,
            "seconds": self.seconds,
            "excess": self.excess,
            "rejected": self.rejected,
        }

    def lines(self) -> list[tuple[str, str]]:
        """Return the plan as pairs (name, text).

        Returns
        -------
        list of (str, str)

        Examples
        --------
        >>> import confmat as cm
        >>> plan(cm.joint_distribution, cm.Tables(10**6, 3, 3), "med").lines()[1]
        ('steps', '1,000,000')
        """
        lines = [("method", f"{self.method}: {self.why}")]
        if self.limit is None:
            threads = "" if self.threads == 1 else f" on {self.threads} threads"
            lines += [("steps", whole(self.steps)), ("time", f"{duration(self.seconds)}{threads}")]
        if self.excess is not None:
            lines.append(("too much", self.excess))
        return lines + [(f"not {name}", reason) for name, reason in self.rejected.items()]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return a call that chooses the plan again, because answers contain closures, which cannot be pickled."""
        return choose, (self.question,)

    def _brief(self) -> Iterator[Part]:
        """Yield one line of text with the method, its time and the exceeded limit."""
        line = f"{self.question} by {self.method}"
        if self.limit is None:
            line += f", {duration(self.seconds)}"
        if self.excess is not None:
            line += f"; too much: {self.excess}"
        yield Verbatim(f"<plan: {line}>")

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: question, method, reason and time."""
        yield f"{self.question}."
        yield details(self.lines())


def _exceeding(much: str) -> str:
    """Return the phrase for a method that exceeds a limit, given a forecast ("about 2 hours ...") or a reason.

    >>> _exceeding("about 2 hours (limit 1.0 hours)")
    'would take about 2 hours (limit 1.0 hours)'
    """
    return f"{'would take' if much.startswith('about') else 'exceeds a limit:'} {much}"


def choose(question: Question, passed: Mapping[str, str] | None = None) -> Plan:
    """Return the plan of a question by the first method that answers it within the limits.

    Methods are compared in the order of `register`. If none stays within the limits, the plan of the fastest one is
    returned, which says what it exceeds.

    Parameters
    ----------
    question : Question
        Computation with its arguments. If ``question.asked`` is not None, only this method is considered.
    passed : mapping of str to str, optional
        Methods that are left out, by name, each with the reason.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        If the requested method is unknown or does not apply.
    UnsupportedError
        If no method applies.

    >>> import confmat as cm
    >>> choose(question_of(cm.joint_distribution, cm.Tables(20, 3, 3), "ard")).method
    'one pass'
    """
    passed = passed or {}
    patience = question.patience if question.asked is None else HOUR
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
        candidate = _plan_by(method, question, rejected)
        if isinstance(candidate, str):
            rejected[method.name] = candidate
            continue
        much = candidate.limit or excess(candidate.seconds, limits=question.limits, usual=patience)
        if much is None:
            rejected.pop(method.name, None)
            chosen = candidate
        else:
            rejected[method.name] = _exceeding(much)
            slow.append(candidate)
    if chosen is not None:
        return chosen
    if not slow:
        raise _unanswered(question, rejected)
    quickest = min(slow, key=lambda plan: (plan.limit is not None, plan.seconds))
    del rejected[quickest.method]
    return quickest


def _plan_by(method: Method, question: Question, rejected: Mapping[str, str]) -> Plan | str:
    """Return the plan of a question by one method, or a string: the reason why the method does not apply.

    ``rejected`` maps the names of the methods that were rejected before to the reasons.
    """
    limit = None
    try:
        run = method.applies(question)
    except Stopped:
        raise
    except TooLargeError as error:
        limit = str(error)
        run = Run(partial(_refuse, limit))
    if isinstance(run, str):
        return run
    rate = method.rate if run.rate is None else run.rate
    return Plan(
        question=question,
        method=method.name,
        why=method.why,
        answer=run.answer,
        steps=run.steps,
        seconds=inf if limit else rate * min(run.steps, _MOST_STEPS) / run.threads,
        threads=run.threads,
        in_parts=method.in_parts,
        limit=limit,
        rejected=rejected,
    )


def _refuse(limit: str) -> None:
    """Raise TooLargeError with the message ``limit``."""
    raise TooLargeError(limit)


def _unanswered(question: Question, rejected: Mapping[str, str]) -> Exception:
    """Return the error for a question that no method answers. ``rejected`` maps names of methods to reasons."""
    names = dict.fromkeys(method.name for method in _METHODS.get(type(question), ()))
    if question.asked not in (None, *names):
        return ValueError(f"method must be one of {', '.join(names)}, got {question.asked!r}")
    if question.asked is not None:
        return ValueError(
            f'method "{question.asked}" does not apply to "{question}": it {rejected[question.asked]}'
        )
    reasons = "; ".join(f"{name} {reason}" for name, reason in rejected.items())
    return UnsupportedError(f"no method is known for {question}: {reasons}")


def answered(question: Question) -> tuple[Plan, Any]:
    """Return two values: the plan of the method that answers a question, and its answer.

    If a method finds only during its work that the question is too large for it, the next method is run.

    >>> import confmat as cm
    >>> answered(question_of(cm.joint_distribution, cm.Tables(4, 2, 2), "med"))[0].method
    'generating function'
    """
    passed: dict[str, str] = {}
    while True:
        plan = choose(question, passed)
        try:
            return plan, plan.run()
        except TooLargeError as error:
            if plan.excess is not None or isinstance(error, Stopped):
                raise
            passed[plan.method] = f"gives none: {error}"


_QUESTIONS: dict[Any, Callable[..., Question]] = {}
_LISTENER: ContextVar[Callable[[Plan], None] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[Plan], None]) -> Iterator[None]:
    """Call ``listener`` with every plan before it is run inside a ``with`` statement, in this thread.

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
    """Return a decorator that allows a function as an argument of ``plan``.

    ``question`` takes the arguments of the decorated function, and returns the question that it answers.
    """

    def remember(function: Called) -> Called:
        _QUESTIONS[function] = question
        return function

    return remember


# The functions that take ``plannable``. They are registered when their modules are imported.
PLANNED = (
    "check, distribution, joint_distribution, maximize, minimize, permutation_test, sample, sampling.stream"
)


def question_of(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Question:
    """Return the question of a call. Raise TypeError for a function that ``plan`` does not support.

    >>> import confmat as cm
    >>> print(question_of(cm.joint_distribution, cm.Tables(20, 3, 3), "ard"))
    the distribution of ard over Tables(n=20, r=3, s=3, allow_empty=False)
    """
    if not isinstance(function, Hashable) or function not in _QUESTIONS:
        raise TypeError(f"function must be one of {PLANNED}, got {function!r}")
    return _QUESTIONS[function](*args, **kwargs)


def plan(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Plan:
    """Return the method that a call would use, with its forecast steps and seconds, without running it.

    Parameters
    ----------
    function : callable
        ``check``, ``distribution``, ``joint_distribution``, ``maximize``, ``minimize``, ``permutation_test``,
        ``sample`` or ``sampling.stream``.
    *args, **kwargs
        Arguments of the call.

    Returns
    -------
    Plan

    Raises
    ------
    TypeError
        If ``function`` is another function. Errors of the call itself are raised, too.

    Examples
    --------
    >>> import confmat as cm
    >>> plan = cm.plan(cm.maximize, cm.Tables(100, 4, 4), "rd")
    >>> plan.method, plan.seconds < 60, plan.rejected["theorem"]
    ('bound-and-prune', True, 'is not needed')
    """
    return choose(question_of(function, *args, **kwargs))
