"""First check of an index: it can be called and returns the same value again.

Other properties are checked only then.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from confmat._display import counted
from confmat.testing.claims import Subject
from confmat.testing.findings import Claim, ClaimCounterexample, ClaimFinding, NotDeterministic, Trial

# Number of small cases that decide whether a function can be called: at least all tables of up to 4 objects.
_PROBED = 320
# The argument ``takes`` for a function with this number of arguments.
_TAKES = {1: "one argument: use takes='table'", 2: "two arguments: use takes='labels'"}


def try_all(subject: Subject, claims: Sequence[Claim], examples: int, seed: int) -> Iterator[ClaimFinding]:
    """Yield the finding of each property.

    If the index cannot be called or is not deterministic, yield only this finding. Stop when no input has a value.
    """
    zero = subject.deterministic()
    if (refusal := cannot_be_called(subject)) is not None:
        yield _broken(zero.name, refusal)
        return
    findings = []
    try:
        findings.append(Trial(zero).run(examples, seed))
        for claim in claims if findings[0].counterexample is None else ():
            findings.append(Trial(claim).run(examples, seed))
            if not subject.has_some_value():
                break
    except NotDeterministic as error:
        findings[:1] = [_broken(zero.name, str(error), error)]
    yield from findings


def _broken(claim: str, words: str, error: BaseException | None = None) -> ClaimFinding:
    """Return the finding that the property ``claim`` is broken, without an example. ``words`` is the reason."""
    counterexample = ClaimCounterexample(claim, None, words, 0, None, error, False)
    return ClaimFinding(claim, 0, 0, {}, counterexample, counterexample)


def cannot_be_called(subject: Subject) -> str | None:
    """Return the reason why an index cannot be called with any small input, None if it can."""
    cases = list(islice(subject.small(), _PROBED))
    if not cases:
        return None
    arguments = subject.given(cases[0])
    if not accepts(subject.index, len(arguments)):
        hints = (f". It accepts {words}" for count, words in _TAKES.items() if accepts(subject.index, count))
        return f"cannot be called with {counted(len(arguments), 'argument')}{next(hints, '')}"
    for case in cases:
        findings = subject.outcome(case)
        if findings.error is None or findings.declared:
            return None
    return f"{subject.text(cases[-1])} {findings.missing}, as do all {len(cases)} cases that were tried: wrong takes=?"


def accepts(function: Any, count: int) -> bool:
    """Return whether a function can be called with ``count`` arguments. Return True if its parameters are unknown.

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
