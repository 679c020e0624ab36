"""Check of a `Conjecture`, which gives the smallest counterexample or a certificate.

`check` enumerates classes in increasing size. It compares the number of enumerated matrices of each class with the
closed form, so that no matrix is missed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import factorial
from typing import Any

import numpy as np

from confmat._display import counted
from confmat._engine.checkpoint import Chunks
from confmat._engine.pieces import STEP, members_of
from confmat._engine.run import Enumeration
from confmat._limits import (
    Limits,
    Question,
    Run,
    Watch,
    as_limits,
    choose,
    deadline,
    look,
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
from confmat.conjectures.predicates import confirm, finding_of, usable
from confmat.conjectures.registry import refuse_uncheckable
from confmat.conjectures.stated import (
    Conjecture,
    decided_on_signatures,
    domain,
    in_order,
)
from confmat.errors import CertificateError, CheckpointError, ConsistencyError, SymmetryError
from confmat.statistics.conditions import Condition

# Steps of a table enumerated and tested.
_STEPS_OF_TABLE = 4000


def steps_of_check(conjecture: Conjecture, matrices: Any, limits: Limits) -> int:
    """Return the forecast cost of checking one class, in steps of an enumeration.

    >>> from confmat.classes import Tables
    >>> near = Conjecture("near", "med<=1/10 -> ari>=0")
    >>> steps_of_check(near, Tables(10, 3, 3), Limits()) < steps_of_check(near, Tables(40, 3, 3), Limits())
    True
    """
    look()
    if conjecture.on == "distributions" or decided_on_signatures(conjecture, matrices):
        return Enumeration(matrices, "tables", limits).steps
    lines = as_symmetry(usable(conjecture.symmetry, matrices))
    number_of_orders = 1
    for name, length in zip(("rows", "columns"), matrices.shape):
        if name in lines:
            number_of_orders *= factorial(length)
    return _STEPS_OF_TABLE * members_of(matrices) // number_of_orders


@dataclass(frozen=True)
class CheckQuestion(Question):
    """Arguments of `check`: a conjecture and classes of matrices in increasing size."""

    conjecture: Conjecture
    classes: tuple[Any, ...]
    limits: Limits = field(default_factory=Limits)

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Return a list of the number of steps that each class takes."""
        limits = (
            self.limits if self.conjecture.identity is not None else replace(self.limits, checkpoint=None)
        )
        return tuple(steps_of_check(self.conjecture, matrices, limits) for matrices in self.classes)

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
    classes: Iterable[MatrixClass] | MatrixClass | str,
    *,
    limits: Limits | None = None,
) -> CheckQuestion:
    """Check the arguments of ``check`` and return them as a `CheckQuestion`."""
    if isinstance(conjecture, str):
        refuse_uncheckable(conjecture)
        conjecture = Conjecture(conjecture, conjecture)
    return CheckQuestion(conjecture, tuple(in_order(conjecture, classes)), as_limits(limits))


@plannable(_check_question)
@deadline(Limits())
def check(
    conjecture: Conjecture | str,
    classes: Iterable[MatrixClass] | MatrixClass | str,
    *,
    limits: Limits | None = None,
) -> Certificate | Counterexample:
    """Check a conjecture for every matrix of some classes, in increasing size.

    Parameters
    ----------
    conjecture : Conjecture or str
        A conjecture, its name in the registry, or a formula such as "med <= 1/10 -> ari >= 0".
    classes : MatrixClass, iterable of MatrixClass or str
        Classes of matrices, or a string such as "3x3 n=..12".
    limits : Limits, optional
        Time, memory, threads, progress and checkpoint. Every finished class is stored in the checkpoint. A later
        call continues from it, also with more classes. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Certificate or Counterexample
        The truth value of a certificate is True, that of a counterexample False. After Ctrl-C the result is a
        certificate for the finished classes, and its ``left`` is the number of the other classes.

    Raises
    ------
    TypeError, ValueError
        If a class is outside the range of the conjecture, or no class has a matrix.
    SymmetryError
        If the declared symmetry is false.
    TooLargeError
        If the check would exceed the limits, before any work.

    Warns
    -----
    UserWarning
        If a checkpoint is given and the conjecture has Python functions. The check is then not resumed.

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> small = Conjecture("small", "no entry exceeds 2", predicate=lambda m: m.max() <= 2, symmetry="permutations")
    >>> answer = check(small, [Tables(n, 2, 2) for n in range(2, 6)])
    >>> answer.matrices.n, answer.counterexample.tolist()
    (4, [[0, 1], [3, 0]])
    >>> check("ari<1", Tables(4, 2, 2)).counterexample.tolist()
    [[0, 1], [3, 0]]
    >>> bool(check("MED <= 50 %", "2x2 n=4"))
    True
    """
    question = _check_question(conjecture, classes, limits=limits)
    choose(question).admitted()
    conjecture = question.conjecture
    classes_in_order = list(question.classes)
    identity = conjecture.identity
    in_force = question.limits.in_force()
    checkpoint = in_force.checkpoint
    if checkpoint is not None and identity is None:
        warn_not_kept(checkpoint, f"{conjecture.name!r} has functions of Python")
        checkpoint = None
        in_force = replace(in_force, checkpoint=None)
    chunks = None if checkpoint is None else Chunks(checkpoint)
    number_resumed = 0
    entries: list[OutcomeEntry] = []
    start = time.perf_counter()
    if checkpoint is None:
        what_is_kept = "nothing was kept"
    else:
        what_is_kept = f"finished classes are in {checkpoint}"
    watch = Watch(
        f"checking {conjecture.name}",
        in_force,
        sum(question.steps),
        len(classes_in_order),
        what_is_kept,
    )
    finished = 0, 0  # steps and classes since the last report
    was_interrupted = False

    try:
        with deadline(in_force):
            for matrices, steps in zip(classes_in_order, question.steps):
                entry = None if chunks is None else _stored_entry(chunks, identity, matrices)
                if entry is not None:
                    number_resumed += 1
                    watch.step(steps, found=True)
                    entries.append(entry)
                    continue
                watch.look()
                watch.step(*finished)
                begun = time.perf_counter()
                finding = examine(conjecture, matrices, replace(in_force, progress=None))
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
                finished = steps, 1
    except KeyboardInterrupt:  # the finished classes are reported
        if not entries:
            raise
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
    """Return the text under which a checkpoint stores the outcome of a class.

    ``identity`` is the attribute of that name of the conjecture.
    """
    return f"check {json.dumps(identity)} over {matrices!r} {matrices.to_json()}"


def _stored_entry(chunks: Chunks, identity: Any, matrices: MatrixClass) -> OutcomeEntry | None:
    """Return the outcome of a class from the checkpoint, or None if it is not stored."""
    arrays = chunks.load(_entry_question(identity, matrices), 0)
    if arrays is None:
        return None
    content = json.loads(arrays["entry"].tobytes())
    return OutcomeEntry(matrices, content["members"], content["digest"], content.get("cases"))


def _store_entry(chunks: Chunks, identity: Any, entry: OutcomeEntry) -> None:
    """Save the outcome of a class to the checkpoint."""
    text = json.dumps(entry.to_json())
    question = _entry_question(identity, entry.matrices)
    chunks.save(question, 0, {"entry": np.frombuffer(text.encode(), np.uint8)})


def examine(conjecture: Conjecture, matrices: MatrixClass, where: Limits | None = None) -> Finding:
    """Check a conjecture for every matrix of one class, and return the smallest violation, if any.

    Parameters
    ----------
    conjecture : Conjecture
        The conjecture.
    matrices : MatrixClass
        The class.
    where : Limits, optional
        ``progress`` is called during the enumeration and may raise an exception to stop it. ``checkpoint`` stores
        finished chunks of the enumeration.

    Returns
    -------
    Finding

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> claim = Conjecture("flat", "no cell holds three points", predicate=lambda table: table.max() < 3)
    >>> finding = examine(claim, Tables(4, 2, 2))
    >>> finding.covered, finding.violation.witness["matrix"]
    (19, ((0, 1), (3, 0)))
    """
    assert conjecture.predicate is not None
    if conjecture.on == "distributions":
        finding = _of_answer(conjecture.predicate(matrices), matrices)
        shown = {} if finding.violation is None else finding.violation.witness
        if "matrix" in shown and np.array(shown["matrix"]) not in matrices:
            raise ConsistencyError(
                f"predicate returned the counterexample {shown['matrix']}, which is not a member of {matrices!r}"
            )
        return finding
    symmetry = usable(conjecture.symmetry, matrices)
    by_signatures = decided_on_signatures(conjecture, matrices)
    finding = finding_of(conjecture.predicate, matrices, symmetry, by_signatures, where)
    if finding.violation is not None and not isinstance(conjecture.predicate, Condition):
        confirm(conjecture.predicate, np.array(finding.violation.witness["matrix"]))
    return finding


def _of_answer(answer: Any, matrices: MatrixClass) -> Finding:
    """Convert the return value of a predicate of classes to a `Finding`.

    The value is a `Finding`, a bool, or a pair (False, reason).
    """
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
    "class by class in increasing size: all members, one of each orbit, or all sufficient statistics",
    STEP,
)
def _every_class(question: CheckQuestion) -> Run:
    """Return the `Run` of a call of `check`: the call, its number of steps, and its number of cores."""
    conjecture, classes, limits = question.conjecture, question.classes, question.limits
    answer = partial(check, conjecture, classes, limits=limits)
    return Run(answer, sum(question.steps), limits.cores)


register(CheckQuestion, _every_class)
