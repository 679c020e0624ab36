"""The check of a ``Conjecture`` (see ``confmat.conjectures.stated``): the smallest counterexample, or a certificate.

``check`` walks classes in increasing size.  What it covered is counted and
compared with the closed-form count of each class, so that nothing is missed silently; ``verify`` does the
counting, and the walk, again.

A check is a question that plans answer.  Its cost is the forecast of its classes, scaled while it runs by what the
classes before took.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import factorial
from typing import Any

import numpy as np

from confmat._display import counted
from confmat._engine.checkpoint import Chunks
from confmat._engine.pieces import fact_of_members
from confmat._engine.run import left, run_of
from confmat._engine.witnesses import handed_out
from confmat._limits import (
    Limits,
    Progress,
    Question,
    Run,
    Watch,
    as_limits,
    choose,
    method,
    plannable,
    register,
)
from confmat.certificates.seals import digest
from confmat.classes import MatrixClass
from confmat.classes.orbits import as_symmetry
from confmat.conjectures.certificates import Certificate, Counterexample, read
from confmat.conjectures.functions import warn_not_kept
from confmat.conjectures.outcomes import Finding, OutcomeEntry, Violation, explained
from confmat.conjectures.predicates import counterexamples, finding_of, usable
from confmat.conjectures.registry import refuse_uncheckable
from confmat.conjectures.stated import (
    Conjecture,
    decided_on_signatures,
    domain,
    in_order,
)
from confmat.errors import CertificateError, CheckpointError, SymmetryError

# Seconds of a signature asked and counted, and of a table visited.
_SECONDS_PER_SIGNATURE, _SECONDS_PER_TABLE = 1.5e-7, 3e-6


def seconds_of(conjecture: Conjecture, matrices: Any, where: Limits | None = None) -> float:
    """About how long one class takes.

    >>> from confmat.classes import Tables
    >>> near = Conjecture("near", "med<=1/10 -> ari>=0")
    >>> seconds_of(near, Tables(10, 3, 3)) < seconds_of(near, Tables(40, 3, 3)) < 60
    True
    """
    if conjecture.on == "laws" or decided_on_signatures(conjecture, matrices):
        run = run_of(matrices, "tables")
        where = (where or Limits()).in_force()
        share = left(matrices, "tables", where.checkpoint) if run.cpu_seconds < _LONGEST_LOOKED_INTO else 1.0
        return share * run.cpu_seconds / where.cores + _SECONDS_PER_SIGNATURE * run.facts.get("signatures", 0)
    lines = as_symmetry(usable(conjecture.symmetry, matrices))
    number_of_orders = 1
    for name, length in zip(("rows", "columns"), matrices.shape):
        if name in lines:
            number_of_orders *= factorial(length)
    # Of more than a double can say as much as it can.
    return _SECONDS_PER_TABLE * min(_number_of_members(matrices) // number_of_orders, 1e300)


# A checkpoint of a longer run is not looked into before it goes on.
_LONGEST_LOOKED_INTO = 1e6


def _number_of_members(matrices: MatrixClass) -> int:
    return sum(fact_of_members(matrices).values())


def _fact(classes: Iterable[Any]) -> dict[str, int]:
    """How many members there are, as a fact of a plan."""
    are_counted = all(x.count_at_once() is not None for x in classes)
    return {"members" if are_counted else "members, about": sum(map(_number_of_members, classes))}


def steps_left(expected: list[float], done: int, spent: float) -> float:
    """Seconds left, from the estimates of all classes, how many are done, and what these took together.

    >>> steps_left([1.0, 1.0, 2.0], 2, 4.0), steps_left([0.001, 2.0], 1, 0.5)
    (4.0, 2.0)
    """
    expected_before = sum(expected[:done])
    # Short classes say little: most of their time is spent on what large ones spread over many members.
    if expected_before > 1:
        scale = spent / expected_before
    else:
        scale = 1.0
    return scale * sum(expected[done:])


@dataclass(frozen=True)
class CheckQuestion(Question):
    """Whether a conjecture holds for all members of some classes."""

    conjecture: Conjecture
    classes: tuple[Any, ...]
    limits: Limits = field(default_factory=Limits)

    def __str__(self) -> str:
        return f"check {self.conjecture.name} over {counted(len(self.classes), 'class', 'classes')}"


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


def _check_question(
    conjecture: Conjecture | str,
    classes: Iterable[MatrixClass] | MatrixClass,
    *,
    limits: Limits | None = None,
) -> CheckQuestion:
    """What a call of ``check`` asks."""
    if isinstance(conjecture, str):
        refuse_uncheckable(conjecture)
        conjecture = Conjecture(conjecture, conjecture)
    return CheckQuestion(conjecture, tuple(in_order(conjecture, classes)), as_limits(limits))


@plannable(_check_question)
def check(
    conjecture: Conjecture | str,
    classes: Iterable[MatrixClass] | MatrixClass,
    *,
    limits: Limits | None = None,
) -> Certificate | Counterexample:
    """Test a conjecture on every member of some classes, in increasing size.

    Returns the smallest counterexample, or a certificate.  A text is the conjecture that it states, "med<=1/10 ->
    ari>=0".  ``classes``: some, or one.  Classes outside the conjecture's
    range are an error, as are classes that have no member among them all.
    With ``limits=cm.Limits(checkpoint=...)`` every finished class is stored there. A check that was stopped, or a check
    of more classes, goes on from there. It also uses the chunks that a distribution of the class stored. A conjecture
    with functions of Python is not resumed, and a warning says so.
    ``progress`` of the limits is called before every class.  On Ctrl-C, the answer
    is a certificate for the classes that were covered, whose ``left`` counts the others.  SymmetryError when the
    declared symmetry turns out false; TooLarge, before any work, for what takes longer than the limits.

    >>> from confmat.classes import Tables
    >>> small = Conjecture("small", "no entry exceeds 2", predicate=lambda m: m.max() <= 2, symmetry="permutations")
    >>> answer = check(small, [Tables(n, 2, 2) for n in range(2, 6)])
    >>> answer.matrices.n, answer.matrix.tolist()
    (4, [[0, 1], [3, 0]])
    >>> check("ari<1", Tables(4, 2, 2)).matrix.tolist()
    [[0, 1], [3, 0]]
    """
    question = _check_question(conjecture, classes, limits=limits)
    choose(question).admitted()
    conjecture = question.conjecture
    classes_in_order = list(question.classes)
    identity = conjecture.identity
    in_force = question.limits.in_force()
    checkpoint, progress = in_force.checkpoint, in_force.progress
    if checkpoint is not None and identity is None:
        warn_not_kept(checkpoint, f"{conjecture.name!r} has functions of Python")
        checkpoint = None
    chunks = None if checkpoint is None else Chunks(checkpoint)
    number_resumed = 0
    entries: list[OutcomeEntry] = []
    start = time.perf_counter()
    expected_seconds = []
    if progress is not None:
        expected_seconds = [seconds_of(conjecture, matrices) for matrices in classes_in_order]
    if checkpoint is None:
        what_is_kept = "nothing was kept"
    else:
        what_is_kept = f"finished classes are in {checkpoint}"
    limit = Watch(
        f"checking {conjecture.name}",
        replace(in_force, progress=None),
        len(classes_in_order),
        len(classes_in_order),
        what_is_kept,
    )
    was_interrupted = False

    def look(_: object) -> None:
        limit.look()

    try:
        for position, matrices in enumerate(classes_in_order):
            entry = None if chunks is None else _stored_entry(chunks, identity, matrices)
            if entry is not None:
                number_resumed += 1
            else:
                limit.look()
                if progress is not None:
                    seconds_left = steps_left(
                        expected_seconds, position, sum(entry.seconds for entry in entries)
                    )
                    done = sum(expected_seconds[:position]) / sum(expected_seconds)
                    number = len(classes_in_order)
                    progress(Progress(str(matrices), position, number, round(done, 9), seconds_left))
                begun = time.perf_counter()
                finding = examine(conjecture, matrices, Limits(progress=look, checkpoint=checkpoint))
                if (violation := finding.violation) is not None:
                    return Counterexample(
                        conjecture.about, matrices, violation.detail, violation.witness, tuple(entries)
                    )
                spent = time.perf_counter() - begun
                entry = OutcomeEntry(matrices, finding.covered, finding.digest, finding.cases, spent)
                entry.compare_count()
                if chunks is not None:
                    _store_entry(chunks, identity, entry)
            entries.append(entry)
            limit.step(1)
    except KeyboardInterrupt:  # what is covered is covered
        was_interrupted = True
    seconds = time.perf_counter() - start
    return Certificate(
        conjecture.about,
        tuple(entries),
        seconds,
        len(classes_in_order) - len(entries),
        was_interrupted,
        number_resumed,
    )


def _entry_question(identity: Any, matrices: MatrixClass) -> str:
    return f"check {json.dumps(identity)} over {matrices!r} {matrices.to_json()}"


def _stored_entry(chunks: Chunks, identity: Any, matrices: MatrixClass) -> OutcomeEntry | None:
    """Return the entry of a class that was finished before, None if there is none."""
    arrays = chunks.load(_entry_question(identity, matrices), 0)
    if arrays is None:
        return None
    content = json.loads(arrays["entry"].tobytes())
    return OutcomeEntry(matrices, content["members"], content["digest"], content.get("cases"))


def _store_entry(chunks: Chunks, identity: Any, entry: OutcomeEntry) -> None:
    text = json.dumps(entry.to_json())
    question = _entry_question(identity, entry.matrices)
    chunks.save(question, 0, {"entry": np.frombuffer(text.encode(), np.uint8)})


def examine(conjecture: Conjecture, matrices: MatrixClass, where: Limits | None = None) -> Finding:
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
        finding = _of_answer(conjecture.predicate(matrices), matrices)
        if finding.violation is not None:
            witness = finding.violation.witness.get("matrix")
            handed_out("a claim showed", matrices, np.array([witness] if witness is not None else []))
        return finding
    symmetry = usable(conjecture.symmetry, matrices)
    by_signatures = decided_on_signatures(conjecture, matrices)
    finding = finding_of(conjecture.predicate, matrices, symmetry, by_signatures, where)
    if finding.violation is not None:
        counterexamples(conjecture.predicate, matrices, np.array([finding.violation.witness["matrix"]]))
    return finding


def _of_answer(answer: Any, matrices: MatrixClass) -> Finding:
    """What a function said of a whole class: a finding, True, False, or (False, reason)."""
    if isinstance(answer, Finding):
        return answer
    holds, reason = explained(answer, repr(matrices))
    if holds:
        violation = None
    else:
        violation = Violation(reason or "the statement is False here")
    return Finding(
        matrices.count(),
        digest("answer", {"class": matrices.to_json(), "holds": holds}),
        violation,
    )


@method(
    "every class",
    "class by class in increasing size, each member, one of each orbit, or each signature",
    "the smallest counterexample, or a certificate",
)
def _every_class(question: CheckQuestion) -> Run:
    conjecture = question.conjecture
    classes = question.classes
    seconds = 0.0
    for matrices in classes:
        seconds += seconds_of(conjecture, matrices, question.limits)
    facts = {"classes": len(classes), **_fact(classes)}
    return Run(
        lambda: check(conjecture, classes, limits=question.limits),
        seconds,
        2**28,
        facts=facts,
    )


register(CheckQuestion, _every_class)
