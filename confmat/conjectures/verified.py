"""Independent check of certificates of any kind: of a statement, an extreme or a distribution."""

from __future__ import annotations

import os
from pathlib import Path

from confmat import certificates
from confmat._arguments import as_instance, meant
from confmat._limits import Limits, limited
from confmat.conjectures import LITERATURE
from confmat.conjectures.certificates import Certificate, Counterexample, read
from confmat.conjectures.stated import Conjecture
from confmat.conjectures.verification import Verification
from confmat.conjectures.verification import verify as verify_answer

Answered = Certificate | Counterexample


@limited
def verify(
    certificate: str | os.PathLike[str] | Answered,
    conjecture: Conjecture | None = None,
    *,
    limits: Limits | None = None,
) -> Verification:
    """Check a certificate again, and return what was checked and what was not.

    For a statement, counts are compared with closed forms. Every class is enumerated again by an enumerator that
    has no code in common with the first. Certificates of `maximize` and of distributions are checked in plain
    Python by ``confmat.certificates.check``.

    Parameters
    ----------
    certificate : Certificate, Counterexample, str or path
        A result of `check`, the text of a certificate, or the path of its file.
    conjecture : Conjecture, optional
        The conjecture, if it is neither a formula nor a statement of the registry.
    limits : Limits, optional
        Time and memory. Default: those of the enclosing block.

    Returns
    -------
    Verification

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
    if isinstance(certificate, Certificate | Counterexample):
        answer = certificate
    else:
        text = _certificate_text(certificate)
        kind = certificates.read_certificate(text).get("kind")
        if kind not in ("certificate", "counterexample"):
            return _by_checker(text, str(kind), conjecture)
        answer = read(text)
    stated = _said_by(answer)
    if stated is not None and conjecture is not None:
        raise ValueError(f"conjecture must be None for the formula {answer.conjecture!r}, got {conjecture!r}")
    return verify_answer(answer, conjecture or stated or _on_record(answer.conjecture))


def _certificate_text(certificate: str | os.PathLike[str]) -> str:
    """Return the text of a certificate, given as text or as the path of a file."""
    as_instance("certificate", certificate, (str, os.PathLike), "a certificate, its text or its path")
    if isinstance(certificate, str) and certificate.lstrip().startswith("{"):
        return certificate
    return Path(certificate).read_text(errors="replace")


def _by_checker(text: str, kind: str, conjecture: Conjecture | None) -> Verification:
    """Return the result of the plain-Python checker for a certificate that is not of a statement."""
    if conjecture is not None:
        raise ValueError(f"conjecture must be None for a certificate of kind {kind!r}, got {conjecture!r}")
    return Verification((certificates.check(text),))


def _said_by(answer: Answered) -> Conjecture | None:
    """Return the conjecture of a result whose statement is a formula, otherwise None."""
    test = dict(answer.about.test)
    if "formula" not in test or "source" in test:
        return None
    formula = test.pop("formula")
    return Conjecture(formula, formula, **test)


def _on_record(name: str) -> Conjecture:
    """Return the statement of the literature with a name, or raise ValueError."""
    if name not in LITERATURE:
        hint = meant(name, LITERATURE) or ". Run `confmat conjectures` for the list"
        raise ValueError(f"conjecture must be given, {name!r} is not a statement on record{hint}")
    return LITERATURE[name]
