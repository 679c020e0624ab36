"""Conjectures about matrices, and their check: the smallest counterexample, or a certificate.

A ``Conjecture`` is a statement with a test: a predicate of one matrix, or a claim about a whole class of
matrices (an extremal value, say).  ``check`` walks classes in increasing size.  What it covered is counted and
compared with the closed-form count of each class, so that nothing is missed silently; ``verify`` does the
counting, and the walk, again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Any

from confmat.certificates.seals import digest
from confmat.conjectures.certificates import Certificate, Counterexample, read
from confmat.conjectures.changes import Changed
from confmat.conjectures.costs import CheckQuestion, measured, rough
from confmat.conjectures.entries import Counted, Entry
from confmat.conjectures.finished import Folder
from confmat.conjectures.forecast import Step, seconds_of, steps_left
from confmat.conjectures.of_margins import finding_of_margins
from confmat.conjectures.of_three import finding_of_three
from confmat.conjectures.on_signatures import finding_of
from confmat.conjectures.outcomes import Finding, Violation, explained
from confmat.conjectures.predicates import try_symmetry, usable
from confmat.conjectures.stated import (
    Conjecture,
    decided_on_signatures,
    domain,
    in_order,
)
from confmat.engine.checkpoint import is_of_pass
from confmat.engine.walks import chunks
from confmat.errors import CertificateError, CheckpointError, SymmetryError
from confmat.plans.choice import choose, plannable
from confmat.plans.methods import Method, Resources, register

__all__ = [
    "Certificate",
    "CertificateError",
    "CheckpointError",
    "Conjecture",
    "Counterexample",
    "Finding",
    "SymmetryError",
    "Violation",
    "check",
    "domain",
    "examine",
    "read",
]


def _question(
    conjecture: Conjecture | str, classes: Iterable[Counted] | Counted, **options: Any
) -> CheckQuestion:
    """What a call of ``check`` asks; one that stops by itself is not limited."""
    seconds = None if options.get("stop_after") is None else inf
    where = Resources(seconds=seconds, checkpoint=options.get("checkpoint"))
    if isinstance(conjecture, str):
        conjecture = Conjecture(conjecture, conjecture)
    return CheckQuestion(conjecture, tuple(in_order(conjecture, classes)), options, where)


@plannable(_question)
def check(
    conjecture: Conjecture | str,
    classes: Iterable[Counted] | Counted,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[Step], None] | None = None,
    stop_after: float | None = None,
) -> Certificate | Counterexample:
    """Test a conjecture on every member of some classes, in increasing size.

    Returns the smallest counterexample, or a certificate.  A text is the conjecture that it states, "med<=1/10 ->
    ari>=0".  ``classes``: some, or one.  Classes outside the conjecture's
    range are an error, as are classes that have no member among them all, or none that ``related_by`` can change.
    With ``checkpoint``, a folder, every finished class is kept there and a check that was killed resumes; where it is
    the checkpoint of the law of the one class, a statement on signatures is decided on those that it has;
    ``progress`` is called before every class, with a forecast.  After ``stop_after`` seconds, and on Ctrl-C, the answer
    is a certificate for the classes that were covered, whose ``left`` counts the others.  SymmetryError when the
    declared symmetry turns out false; TooLarge, before any work, for what takes longer than the budget, unless
    ``stop_after`` is given.

    >>> from confmat.classes import Tables
    >>> small = Conjecture("small", "no entry exceeds 2", predicate=lambda m: m.max() <= 2, symmetry="permutations")
    >>> answer = check(small, [Tables(n, 2, 2) for n in range(2, 6)])
    >>> answer.matrices.n, answer.matrix.tolist()
    (4, [[0, 1], [3, 0]])
    >>> check("ari<1", Tables(4, 2, 2)).matrix.tolist()
    [[0, 1], [3, 0]]
    """
    asked = _question(conjecture, classes, checkpoint=checkpoint, stop_after=stop_after)
    choose(asked).admitted()
    conjecture, chosen = asked.conjecture, list(asked.classes)
    _refuse_no_change(conjecture, chosen)
    of_law = (
        checkpoint is not None and is_of_pass(checkpoint) and decided_on_signatures(conjecture, chosen[0])
    )
    law, folder = (checkpoint, None) if of_law else (None, checkpoint)
    kept = None if folder is None else Folder(folder, conjecture.name, conjecture.fingerprint(), chosen)
    entries: list[Entry] = []
    started = time.perf_counter()
    expected = [] if progress is None else [seconds_of(conjecture, matrices) for matrices in chosen]
    watch = _Watch(None if stop_after is None else started + as_seconds(stop_after))
    interrupted = False
    try:
        for position, matrices in enumerate(chosen):
            entry = None if kept is None else kept.load(position, matrices)
            if entry is None:
                watch.look()
                if progress is not None:
                    left = steps_left(expected, position, sum(entry.seconds for entry in entries))
                    progress(Step(matrices, position, len(chosen), left))
                begun = time.perf_counter()
                finding = examine(conjecture, matrices, Resources(progress=watch.look, checkpoint=law))
                if (found := finding.violation) is not None:
                    return Counterexample(
                        conjecture.about, matrices, found.detail, found.witness, tuple(entries)
                    )
                spent = time.perf_counter() - begun
                entry = Entry(matrices, finding.covered, finding.digest, finding.cases, spent)
                entry.compare_count()
                if kept is not None:
                    kept.save(position, entry)
            entries.append(entry)
    except (_TimeIsUp, KeyboardInterrupt) as stop:  # what is covered is covered
        interrupted = isinstance(stop, KeyboardInterrupt)
    seconds = time.perf_counter() - started
    return Certificate(conjecture.about, tuple(entries), seconds, len(chosen) - len(entries), interrupted)


def _refuse_no_change(conjecture: Conjecture, classes: list[Any]) -> None:
    """ValueError where a statement about changes finds none: it would be true of nothing."""
    test = conjecture.predicate
    if isinstance(test, Changed) and not any(
        test.changes_any(tables) for c in classes for tables, _ in chunks(c, usable(conjecture.symmetry, c))
    ):
        raise ValueError(
            f"related_by must change some member of the classes, got {conjecture.related_by!r} for "
            f"{classes[0]}{' and larger ones' if classes[1:] else ''}: {conjecture.name!r} says nothing there"
        )


def as_seconds(stop_after: float) -> float:
    """A number of seconds, more than 0; ValueError or TypeError for anything else.

    >>> as_seconds(0)
    Traceback (most recent call last):
    ...
    ValueError: stop_after must be more than 0 seconds, got 0
    """
    if isinstance(stop_after, bool) or not isinstance(stop_after, int | float):
        raise TypeError(f"stop_after must be a number of seconds, got {stop_after!r}")
    if not stop_after > 0:
        raise ValueError(f"stop_after must be more than 0 seconds, got {stop_after!r}")
    return float(stop_after)


class _TimeIsUp(Exception):
    """The time that a check was given is over."""


@dataclass(frozen=True)
class _Watch:
    """When to stop, None for never."""

    end: float | None

    def look(self, *_: Any) -> None:
        """Raise when the time is up."""
        if self.end is not None and time.perf_counter() >= self.end:
            raise _TimeIsUp


def examine(conjecture: Conjecture, matrices: Counted, where: Resources | None = None) -> Finding:
    """Test a conjecture on every member of one class; the violation is that of the first member that fails.

    ``where``: ``progress`` is called now and then, and may raise to stop it; a ``checkpoint`` of the class's law.

    >>> from confmat.classes import Tables
    >>> claim = Conjecture("flat", "no cell holds three points", predicate=lambda table: table.max() < 3)
    >>> finding = examine(claim, Tables(4, 2, 2))
    >>> finding.covered, finding.violation.witness["matrix"]
    (19, ((0, 1), (3, 0)))
    """
    assert conjecture.predicate is not None
    if conjecture.on == "laws":
        return _of_answer(conjecture.predicate(matrices), matrices)
    if conjecture.on in ("triples", "chains"):
        return finding_of_three(conjecture.predicate, matrices)  # type: ignore[arg-type]
    if conjecture.on == "margins":
        return finding_of_margins(conjecture.predicate, matrices, conjecture.symmetry)  # type: ignore[arg-type]
    symmetry = usable(conjecture.symmetry, matrices)
    try_symmetry(conjecture.predicate, symmetry, matrices)
    by_signatures = decided_on_signatures(conjecture, matrices)
    return finding_of(conjecture.predicate, matrices, symmetry, by_signatures, where)  # type: ignore[arg-type]


def _of_answer(answer: Any, matrices: Counted) -> Finding:
    """What a function said of a whole class: a finding, True, False, or (False, reason)."""
    if isinstance(answer, Finding):
        return answer
    holds, reason = explained(answer, repr(matrices))
    violation = None if holds else Violation(reason or "the statement is False here")
    return Finding(
        matrices.count(), digest("answer", {"class": matrices.to_json(), "holds": holds}), violation
    )


register(
    Method(
        "every class",
        CheckQuestion,
        lambda question: check(question.conjecture, question.classes, **question.options),
        rough,
        why="class by class in increasing size, each member, one of each orbit, or each signature",
        gives="the smallest counterexample, or a certificate",
        measure=measured,
    )
)
