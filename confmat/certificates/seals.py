"""Functions that write, read and check certificates, and that return the text of the stand-alone checker."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

from confmat.certificates import standalone
from confmat.errors import CertificateError, InvalidCertificateError, TooLargeError, UnsupportedError

CHECKS = standalone.CHECKS_OF_CLAIMS


def write_certificate(kind: str, content: Mapping[str, Any]) -> str:
    """Return a certificate as text: its kind, its content and the SHA-256 digest of their canonical JSON.

    Parameters
    ----------
    kind : str
        One of "certificate", "counterexample", "extreme" and "distribution".
    content : dict
        Fields of the certificate that JSON can represent.

    Returns
    -------
    str
        JSON with a line for each key.

    Examples
    --------
    >>> read_certificate(write_certificate("distribution", {"weight": "tables"}))["weight"]
    'tables'
    """
    lines = [f"{json.dumps(key)}: {_indented_json(value)}" for key, value in _sealed(kind, content).items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def _indented_json(value: Any) -> str:
    """Return the JSON of a value. The JSON of a list has a line for each item."""
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    items = [f" {json.dumps(item)}" for item in value]
    return "[\n" + ",\n".join(items) + "\n]"


def digest(kind: str, content: Mapping[str, Any]) -> str:
    """Return the SHA-256 digest of a certificate.

    Parameters
    ----------
    kind : str
        Kind of the certificate.
    content : dict
        Fields of the certificate.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> digest("distribution", {"weight": "tables"})[:8]
    '17b78b0b'
    """
    return str(_sealed(kind, content)["digest"])


def _sealed(kind: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return all fields of a certificate: format, version, kind, content and digest."""
    fields = {"format": "confmat certificate", "version": standalone.VERSION, "kind": kind}
    assert not fields.keys() & content.keys(), "a key of the content would take the place of another one"
    fields.update(content)
    return {**fields, "digest": standalone.seal(fields)}


def read_certificate(text: str) -> dict[str, Any]:
    """Return the content of a certificate of any kind, after checking its digest.

    Parameters
    ----------
    text : str
        Text of the certificate.

    Returns
    -------
    dict

    Raises
    ------
    InvalidCertificateError
        If the text is not a certificate.
    CertificateError
        If the digest is wrong.

    Examples
    --------
    >>> read_certificate("{}")
    Traceback (most recent call last):
    ...
    confmat.errors.InvalidCertificateError: this is not a certificate: it does not have the format "confmat certificate"
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be the text of a certificate, got {text!r:.60}")
    try:
        return standalone.read(text)
    except standalone.Unreadable as error:
        raise InvalidCertificateError(f"this is not a certificate: {error}") from error
    except standalone.Wrong as error:
        raise CertificateError(str(error)) from error


def check(text: str) -> str:
    """Check a certificate with the stand-alone checker only, and return its claim in words.

    Parameters
    ----------
    text : str
        Text of the certificate.

    Returns
    -------
    str

    Raises
    ------
    CertificateError
        If the certificate does not prove its claim.
    TooLargeError
        If the checker does not support the statistic or the test, or there are too many tables.

    Examples
    --------
    >>> from confmat.search import maximize
    >>> from confmat.classes import Tables
    >>> check(maximize(Tables(6, 2, 2), "ard").certificate()).partition(" is ")[2]
    '45/37; matrices with it, up to symmetry: 1'
    """
    return _said(text, CHECKS)


def _said(text: str, checks: Mapping[str, Any]) -> str:
    """Return the claim of a certificate in words, after checking it with the functions ``checks`` by kind."""
    read_certificate(text)
    try:
        return standalone.check(text, checks)
    except standalone.Unreadable as error:
        raise TooLargeError(f"the stand-alone checker does not support this certificate: {error}") from error
    except standalone.Wrong as error:
        raise CertificateError(str(error)) from error


def check_known(spec: Mapping[str, Any], names: Iterable[str]) -> None:
    """Raise UnsupportedError if the checker does not support a class (``spec``, its JSON) or one of the statistics.

    >>> check_known({"kind": "tables", "n": 4, "r": 7, "s": 2, "empty": False}, ["med"])
    Traceback (most recent call last):
    ...
    confmat.errors.UnsupportedError: the checker of certificates does not support this class: ...
    """
    if strange := set(names) - set(standalone.FORMULAS):
        known_names = ", ".join(standalone.FORMULAS)
        raise UnsupportedError(
            f"certificates can be made only for the statistics {known_names}, got {', '.join(sorted(strange))}"
        )
    try:
        standalone.Class(spec)
    except standalone.Unreadable as error:
        raise UnsupportedError(f"the checker of certificates does not support this class: {error}") from error


def script_for(text: str) -> str:
    """Return the text of the checker, if it supports a given certificate.

    Parameters
    ----------
    text : str
        Text of the certificate.

    Returns
    -------
    str

    Raises
    ------
    TooLargeError
        If the checker does not support the claim of this certificate.

    Examples
    --------
    >>> import confmat as cm
    >>> script_for(cm.check("med < 1", cm.Tables(4, 2, 2)).to_json()) == script()
    True
    >>> script_for(cm.check("exists ard > 1", cm.Tables(4, 2, 2)).to_json())
    Traceback (most recent call last):
    ...
    confmat.errors.TooLargeError: the stand-alone checker does not support this certificate: this ...
    """
    _said(text, dict.fromkeys(CHECKS, _at_sight))
    return script()


def _at_sight(content: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the kind and a copy of the fields of a certificate, without a check of its claim.

    Raise Unreadable if the checker does not support the formula or a class of the claim.
    """
    if "test" in content:
        standalone.claimed(content)
    return content["kind"], {**content}


def script() -> str:
    """Return the text of the stand-alone checker of certificates, a Python file without dependencies.

    Returns
    -------
    str

    Examples
    --------
    >>> script().splitlines()[2].strip()
    'python3 -I verify.py FILE        exit code 0: right; 1: wrong; 2: unreadable, or beyond this script'
    """
    return files("confmat.certificates").joinpath("standalone.py").read_text()
