"""Claim zero: an index can be called, and gives the same again; only then the other claims are tried."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from confmat.testing.claims import Subject
from confmat.testing.findings import Claim, ClaimCounterexample, ClaimFinding, NotDeterministic, Trial, Words

# So many small cases tell whether a function can be called at all: all tables of up to 4 objects, or more.
_PROBED = 320
# What a function of so many arguments may take.
_TAKES = {1: "takes='table'", 2: "takes='labels'"}
_NUMBERS = ("no", "one", "two", "three")


def try_all(
    subject: Subject, claims: Sequence[Claim], examples: int, seed: int, words: Words
) -> Iterator[ClaimFinding]:
    """What is found of each claim; where claim zero fails it alone, and where there is no value, that alone."""
    zero = subject.deterministic()
    if (refusal := cannot_be_called(subject)) is not None:
        yield _broken(zero.name, refusal)
        return
    findings = []
    try:
        findings.append(Trial(zero, words.tell).run(examples, seed))
        for claim in claims if findings[0].counterexample is None else ():
            findings.append(Trial(claim, words.tell).run(examples, seed))
            if not subject.has_some_value():
                break
    except NotDeterministic as error:
        findings[:1] = [_broken(zero.name, str(error), error)]
    yield from findings


def _broken(claim: str, words: str, error: BaseException | None = None) -> ClaimFinding:
    counterexample = ClaimCounterexample(claim, None, words, 0, None, error, False)
    return ClaimFinding(claim, 0, 0, {}, counterexample, counterexample)


def cannot_be_called(subject: Subject) -> str | None:
    """Why the index cannot be called with any small case, and what it may take instead; None if it can."""
    cases = list(islice(subject.small(), _PROBED))
    if not cases:
        return None
    arguments = subject.given(cases[0])
    if not accepts(subject.index, len(arguments)):
        return f"cannot be called with {_counted(len(arguments))}{_guess(subject, len(arguments))}"
    for case in cases:
        findings = subject.outcome(case)
        if findings.error is None or findings.declared:
            return None
    return f"{subject.text(cases[-1])} {findings.missing}, as do all {len(cases)} cases that were tried: wrong takes=?"


def _guess(subject: Subject, arguments_given: int) -> str:
    """What the function may take in place of so many arguments; nothing where it takes none of what there is."""
    for count, takes in _TAKES.items():
        if count != arguments_given and accepts(subject.index, count):
            return f": it takes {_counted(count)}: say {takes}"
    return ""


def _counted(arguments: int) -> str:
    return f"{_NUMBERS[arguments]} argument{'s' * (arguments != 1)}"


def accepts(function: Any, count: int) -> bool:
    """Whether a function may be called with so many arguments; of a function of C that does not say it may.

    >>> accepts(lambda a, b: 0, 1), accepts(lambda a, b=None: 0, 1), accepts(print, 2)
    (False, True, True)
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    try:
        signature.bind(*[None] * count)
    except TypeError:
        return False
    return True
