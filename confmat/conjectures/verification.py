"""Independent check of certificates of any kind: of a statement, an extreme or a distribution."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from confmat import certificates
from confmat._arguments import as_instance, meant
from confmat._display import Answer, Part, counted
from confmat._engine.pieces import STEP
from confmat._limits import Limits, admit, limited
from confmat.classes.burnside import orbits_count
from confmat.classes.orbits import PERMUTATIONS, as_symmetry
from confmat.conjectures.certificates import Certificate, Counterexample, read
from confmat.conjectures.checking import (
    Conjecture,
    Finding,
    domain,
    examine,
    in_order,
    steps_of_check,
)
from confmat.conjectures.functions import NO_SOURCE
from confmat.conjectures.literature import LITERATURE
from confmat.conjectures.outcomes import OutcomeEntry, second_walk
from confmat.conjectures.predicates import of_predicate, usable
from confmat.errors import CertificateError
from confmat.statistics.conditions import Condition

# Time of the second enumerator in plain Python: 20 to 50 microseconds for a table of 3 x 3 to 4 x 4 cells.
_SECONDS_PER_WALKED_TABLE = 3e-5


@dataclass(frozen=True, repr=False)
class Verification(Answer):
    """Result of `verify`: sentences that describe the checked and the unchecked properties."""

    checked: tuple[str, ...]
    unchecked: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Return whether every property was checked. For a false property, `verify` raises CertificateError."""
        return not self.unchecked

    def _parts(self) -> Iterator[Part]:
        """Yield the parts of the printed text: a line for each checked and each unchecked property."""
        yield from (f"checked: {text}" for text in self.checked)
        yield from (f"not checked: {text}" for text in self.unchecked)

    def _facts(self) -> dict[str, Any]:
        """Return the fields of the JSON output: verdict, checked and not_checked."""
        verdict = "right" if self.right else "nothing wrong found"
        return {"verdict": verdict, "checked": self.checked, "not_checked": self.unchecked}


@limited
def verify(
    certificate: str | os.PathLike[str] | Certificate | Counterexample,
    conjecture: Conjecture | None = None,
    *,
    limits: Limits | None = None,
) -> Verification:
    """Check a certificate again, and return what was checked and what was not.

    A certificate of a statement must have the statement and the test of ``conjecture``, and classes in increasing
    size. Functions are compared by their sources if these can be read. The number of matrices of every class is
    compared with its closed form. A second enumerator, which has no code in common with that of `check`, enumerates
    every class in another order. It must find the same outcomes and, if any, the same first counterexample.

    Certificates of `maximize` and of distributions are checked in plain Python by ``confmat.certificates.check``.

    Parameters
    ----------
    certificate : Certificate, Counterexample, str or path
        A result of `check`, the text of a certificate, or the path of its file.
    conjecture : Conjecture, optional
        The conjecture. Default: the formula of the certificate, or the statement of the registry with its name.
    limits : Limits, optional
        Time and memory. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Verification
        The checked properties, and those that could not be checked, such as whether a function is that of the
        certificate.

    Raises
    ------
    CertificateError
        If the certificate is wrong. The message gives the reason.
    TooLargeError
        If the check would exceed the limits.

    Examples
    --------
    >>> import confmat as cm
    >>> print(cm.verify(cm.check("med <= 3/4", cm.Tables(4, 2, 2))))
    checked: the statement is the one that was asked
    checked: 1 class with 19 members: counts against closed forms, orbits, order
    checked: every member again, by another enumerator: the same outcomes
    >>> cm.verify(cm.maximize(cm.Tables(12, 3, 3), "ard").certificate()).right
    True
    """
    if conjecture is not None:
        as_instance("conjecture", conjecture, Conjecture, "a Conjecture")
    if isinstance(certificate, Certificate | Counterexample):
        return _enumerated_again(certificate, conjecture or _stated_by(certificate))
    text = _certificate_text(certificate)
    kind = certificates.read_certificate(text).get("kind")
    if kind in ("certificate", "counterexample"):
        answer = read(text)
        return _enumerated_again(answer, conjecture or _stated_by(answer))
    if conjecture is not None:
        raise ValueError(f"conjecture must be None for a certificate of kind {kind!r}, got {conjecture!r}")
    return Verification((certificates.check(text),))


def _certificate_text(certificate: str | os.PathLike[str]) -> str:
    """Return the text of a certificate, given as text or as the path of a file."""
    as_instance("certificate", certificate, (str, os.PathLike), "a certificate, its text or its path")
    if isinstance(certificate, str) and certificate.lstrip().startswith("{"):
        return certificate
    return Path(certificate).read_text(errors="replace")


def _stated_by(answer: Certificate | Counterexample) -> Conjecture:
    """Return the conjecture whose formula is in a certificate, or the one on record with its name."""
    test = dict(answer.about.test)
    if "formula" in test and "source" not in test:
        formula = test.pop("formula")
        return Conjecture(formula, formula, **test)
    name = answer.conjecture
    if name not in LITERATURE:
        hint = meant(name, LITERATURE) or ". Run `confmat conjectures` for the list"
        raise ValueError(
            f"conjecture must be given, because the certificate is about {name!r}, which is not on record{hint}"
        )
    return LITERATURE[name]


def _enumerated_again(answer: Certificate | Counterexample, conjecture: Conjecture) -> Verification:
    """Return the verification of a result of `check`, whose classes are enumerated again by a second enumerator."""
    _compare_statements(answer, conjecture)
    found = answer if isinstance(answer, Counterexample) else None
    classes = [entry.matrices for entry in answer.entries]
    if found is not None:
        classes.append(found.matrices)
    try:
        ordered = in_order(conjecture, classes)
    except ValueError as error:
        raise CertificateError(str(error)) from error
    if classes != ordered:
        raise CertificateError("the classes of the certificate are repeated or not in increasing size")
    for entry in answer.entries:
        entry.compare_count()
    members = sum(matrices.count() for matrices in classes)
    many = counted(len(classes), "class", "classes")
    checked = [
        "the statement is the one that was asked",
        f"{many} with {counted(members, 'member')}: counts against closed forms, orbits, order",
    ]
    unchecked = []
    if not answer.about.bound:
        unchecked.append("that its functions are those of the certificate, which is not bound to them")
        if conjecture.symmetry != "none":
            unchecked.append(
                f"that the symmetry {conjecture.symmetry!r} holds: it is declared, and was tried"
            )
    if found is not None:
        unchecked += _smaller_ones(conjecture, classes)
    if isinstance(conjecture.predicate, Condition) and not conjecture.predicate.exact:
        unchecked.append("rounding: the statement is compared in doubles")
    admit(
        f"a second enumeration of {many}",
        sum(_seconds_of_second(conjecture, matrices) for matrices in classes),
    )
    alone = []
    for matrices, entry in zip_longest(classes, answer.entries):
        finding, is_other = _second(conjecture, matrices)
        if not is_other:
            alone.append(matrices)
        if entry is not None:
            _compare_outcomes(entry, finding)
    if found is not None:
        _compare_violations(found, finding, witness=conjecture.on != "distributions")
        if conjecture.on == "distributions":  # of several witnesses the enumerators may show different ones
            _compare_violations(found, examine(conjecture, found.matrices), witness=True)
        checked.append("the counterexample is the first one in these classes")
    if len(alone) < len(classes):
        checked.append("every member again, by another enumerator: the same outcomes")
    if alone:
        unchecked.append(
            f"by another enumerator: {', '.join(map(str, alone))}, enumerated again by the first one"
        )
    return Verification(tuple(checked), tuple(unchecked))


def _smaller_ones(conjecture: Conjecture, classes: list[Any]) -> list[str]:
    """Return what is not known about a counterexample: a list with one sentence if it may not be the smallest one.

    ``classes`` are the classes in its file, the last of which contains it. The sentence names classes of the same
    shapes that are smaller than the last one and not in the file. Without such classes the list is empty.
    """
    last_class = classes[-1]
    shapes = {matrices.shape for matrices in classes}
    smaller = []
    for matrices in domain(conjecture, shapes, range(1, last_class.n + 1)):
        if (matrices.n, matrices.shape) < (last_class.n, last_class.shape) and matrices not in classes:
            smaller.append(matrices)
    if not smaller:
        return []
    return [f"that none is smaller: {smaller[0]} and {len(smaller) - 1} more are not listed"]


def _compare_statements(answer: Certificate | Counterexample, conjecture: Conjecture) -> None:
    """Raise CertificateError if a result is about another statement or test than the conjecture."""
    stated = answer.about
    meant = conjecture.about
    if (stated.name, stated.text) != (meant.name, meant.text):
        raise CertificateError(
            f"the certificate is about another statement than conjecture {meant.name!r}: {stated.text!r}"
        )
    for part in sorted(stated.test.keys() | meant.test.keys()):
        stated_part = stated.test.get(part)
        meant_part = meant.test.get(part)
        readable = part != "source" or NO_SOURCE not in f"{stated_part} {meant_part}"
        if stated_part != meant_part and readable:
            raise CertificateError(
                f"the field {part!r} of the test in the certificate is not that of conjecture {meant.name!r}"
            )


def _compare_outcomes(entry: OutcomeEntry, finding: Finding) -> None:
    """Raise CertificateError if a second enumeration of a class has another outcome than its entry."""
    if finding.violation is not None:
        raise CertificateError(
            f"the certificate says that {entry.matrices} has no counterexample, but it has one: "
            f"{finding.violation.detail}"
        )
    for field_name in ("covered", "digest", "cases"):
        again = getattr(finding, field_name)
        stored_value = getattr(entry, field_name)
        if again != stored_value:
            raise CertificateError(
                f"{field_name} of {entry.matrices} is {stored_value} in the certificate, but {again} in a second "
                "enumeration"
            )


def _compare_violations(counterexample: Counterexample, finding: Finding, witness: bool = False) -> None:
    """Raise CertificateError if a finding does not have the same violation as the counterexample.

    The example tables are compared too if ``witness`` is True.
    """
    violation = finding.violation
    is_same = violation is not None and violation.detail == counterexample.detail
    if is_same and witness and violation is not None:
        # As JSON: True is 1, but not in a file.
        is_same = json.dumps(violation.witness) == json.dumps(counterexample.witness)
    if not is_same:
        raise CertificateError(
            f"the counterexample of the certificate is not that of a second enumeration of {counterexample.matrices}, "
            f"which found {violation or 'none'}"
        )


def _seconds_of_second(conjecture: Conjecture, matrices: Any) -> float:
    """Return the approximate time of the second enumeration of a class, in seconds."""
    if conjecture.on not in ("tables", "signatures"):
        return STEP * steps_of_check(conjecture, matrices, Limits())
    orbits = None
    if as_symmetry(usable(conjecture.symmetry, matrices)) >= PERMUTATIONS:
        orbits = orbits_count(matrices)
    return _SECONDS_PER_WALKED_TABLE * (orbits or matrices.count())


def _second(conjecture: Conjecture, matrices: Any) -> tuple[Finding, bool]:
    """Return the finding of a second enumeration of a class, and whether it was by the independent enumerator."""
    if conjecture.on in ("tables", "signatures"):
        symmetry = usable(conjecture.symmetry, matrices)
        walk = second_walk(matrices, symmetry)
        if walk is not None:
            assert conjecture.predicate is not None
            return of_predicate(conjecture.predicate, matrices, walk, symmetry), True
    elif of_walk := getattr(conjecture.predicate, "of_walk", None):
        walk = second_walk(matrices, getattr(conjecture.predicate, "symmetry", PERMUTATIONS))
        if walk is not None:
            return of_walk(matrices, walk), True
    return examine(conjecture, matrices), False
