"""What a check leaves behind: a certificate or a counterexample, as values and as JSON, and its checkpoints."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from confmat.classes import class_from_json
from confmat.conjectures.claims.membership_grids import MembershipPairs
from confmat.engine.folders import ManifestFolder, damaged
from confmat.engine.sources import fingerprint as fingerprint_of
from confmat.engine.sources import package_digest
from confmat.engine.trying import DECLARED
from confmat.errors import CertificateError
from confmat.matrices.arguments import as_count
from confmat.shown import html_table


class Counted(Protocol):
    """What is checked at a time: a frozen dataclass with a size ``n``, a ``shape`` and a closed-form count."""

    @property
    def n(self) -> int: ...

    @property
    def shape(self) -> tuple[int, int]: ...

    def to_json(self) -> dict[str, Any]: ...

    def count(self) -> int:
        """How many members there are.

        >>> from confmat.classes import Tables
        >>> Tables(4, 2, 2).count()
        19
        """
        ...


@dataclass(frozen=True)
class Counterexample:
    """The smallest counterexample: smallest n, then shape, and for a predicate smallest entries (row-major).

    ``witness`` names the matrices that show it, as nested tuples: for a claim about a class one that attains the
    extreme in question, or none where the class as a whole shows it.
    """

    conjecture: str
    matrices: Counted
    detail: str
    witness: Mapping[str, Any]

    def __str__(self) -> str:
        shown = "".join(f"\n{name}: {value}" for name, value in self.witness.items())
        return f"{self.conjecture} is false in {self.matrices}: {self.detail}{shown}"

    @property
    def matrix(self) -> np.ndarray | None:
        """The witness, where it is one matrix."""
        return np.array(self.witness["matrix"]) if "matrix" in self.witness else None

    def to_json(self) -> str:
        """The counterexample as text; ``read`` reads it back.

        >>> from confmat.classes import Tables
        >>> found = Counterexample("flat", Tables(4, 2, 2), "a cell holds 3", {"matrix": ((3, 0), (0, 1))})
        >>> json.loads(found.to_json())["detail"]
        'a cell holds 3'
        """
        head = {"format": "confmat counterexample", "conjecture": self.conjecture, "detail": self.detail}
        members = {"class": self.matrices.to_json(), "witness": dict(self.witness)}
        return json.dumps(head | members, indent=1)


@dataclass(frozen=True)
class Entry:
    """One class of a certificate: how many members were covered, and the digest of what was visited."""

    matrices: Counted
    covered: int
    digest: str
    seconds: float

    def compare_count(self) -> None:
        """CertificateError unless the members covered are all there are.

        >>> from confmat.classes import Tables
        >>> Entry(Tables(4, 2, 2), 18, "5e1f", 0.0).compare_count()
        Traceback (most recent call last):
        ...
        confmat.errors.CertificateError: Tables(n=4, r=2, s=2, empty=False) has 19 members, 18 were covered
        """
        count = self.matrices.count()
        if self.covered != count:
            raise CertificateError(f"{self.matrices} has {count} members, {self.covered} were covered")

    def to_json(self) -> dict[str, Any]:
        """Everything but the class, for JSON.

        >>> from confmat.classes import Tables
        >>> Entry(Tables(4, 2, 2), 19, "5e1f", 0.25).to_json()
        {'covered': 19, 'digest': '5e1f', 'seconds': 0.25}
        """
        return {"covered": self.covered, "digest": self.digest, "seconds": round(self.seconds, 6)}


@dataclass(frozen=True)
class Certificate:
    """A conjecture holds for every member of these classes.

    ``basis``: what that rests on, in words; ``proved``: whether nothing is taken as declared.
    ``digest`` seals statement, classes, counts and digests; it is the same on every machine.
    """

    conjecture: str
    statement: str
    symmetry: str
    basis: str
    entries: tuple[Entry, ...]
    digest: str
    versions: Mapping[str, str]
    seconds: float

    @classmethod
    def of(
        cls, name: str, statement: str, symmetry: str, basis: str, entries: Iterable[Entry], seconds: float
    ) -> Certificate:
        """A certificate with its seal and the versions that run now.

        >>> from confmat.classes import Tables
        >>> held = Certificate.of("flat", "none holds 5", "none", "all", [Entry(Tables(4, 2, 2), 19, "5e1f", 0.0)], 0.0)
        >>> held.digest[:8], sorted(held.versions)
        ('0e789bfa', ['confmat', 'numba', 'numpy', 'python'])
        """
        entries = tuple(entries)
        packages = {package: version(package) for package in ("confmat", "numpy", "numba")}
        versions = {"python": platform.python_version(), **packages}
        seal = _seal(name, statement, symmetry, basis, entries)
        return cls(name, statement, symmetry, basis, entries, seal, versions, seconds)

    def _repr_html_(self) -> str:
        rows = [(entry.matrices, entry.covered) for entry in self.entries]
        return html_table(f"{self}: {self.statement}", ["class", "members"], rows)

    def __str__(self) -> str:
        return f"{self.conjecture} is true for all {self.covered} members of {len(self.entries)} classes"

    @property
    def proved(self) -> bool:
        """Whether nothing is taken as declared."""
        return DECLARED not in self.basis

    @property
    def covered(self) -> int:
        """Number of members for which the statement was tested, directly or by symmetry."""
        return sum(entry.covered for entry in self.entries)

    def check_seal(self) -> None:
        """CertificateError unless all counts are the closed-form ones and the digest is right.

        >>> from confmat.classes import Tables
        >>> from dataclasses import replace
        >>> held = Certificate.of("flat", "none holds 5", "none", "all", [Entry(Tables(4, 2, 2), 19, "5e1f", 0.0)], 0.0)
        >>> held.check_seal()
        >>> replace(held, statement="none holds 3").check_seal()  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        confmat.errors.CertificateError: the digest should be ..., the certificate says ...
        """
        for entry in self.entries:
            entry.compare_count()
        seal = _seal(self.conjecture, self.statement, self.symmetry, self.basis, self.entries)
        if self.digest != seal:
            raise CertificateError(f"the digest should be {seal}, the certificate says {self.digest}")

    def to_json(self) -> str:
        """The certificate as text; ``read`` reads it back.

        >>> from confmat.classes import Tables
        >>> held = Certificate.of("flat", "none holds 5", "none", "all", [Entry(Tables(4, 2, 2), 19, "5e1f", 0.0)], 0.0)
        >>> read(held.to_json()) == held
        True
        """
        head = {"format": "confmat certificate", "conjecture": self.conjecture, "statement": self.statement}
        classes = [{"class": entry.matrices.to_json()} | entry.to_json() for entry in self.entries]
        tail = {"digest": self.digest, "versions": dict(self.versions), "seconds": round(self.seconds, 6)}
        rests = {"symmetry": self.symmetry, "proved": self.proved, "basis": self.basis}
        return json.dumps(head | rests | {"classes": classes} | tail, indent=1)


def read(text: str) -> Certificate | Counterexample:
    """What ``to_json`` wrote; CertificateError when the text is something else.

    >>> from confmat.classes import Tables
    >>> found = Counterexample("flat", Tables(4, 2, 2), "a cell holds 3", {"matrix": ((3, 0), (0, 1))})
    >>> read(found.to_json()) == found
    True
    """
    try:
        content = json.loads(text)
        if content["format"] == "confmat counterexample":
            witness = {name: _tuples(value) for name, value in content["witness"].items()}
            matrices = _class_from_json(content["class"])
            return Counterexample(content["conjecture"], matrices, content["detail"], witness)
        if content["format"] != "confmat certificate":
            raise ValueError(f"format {content['format']!r}")
        entries = tuple(
            Entry(
                _class_from_json(entry["class"]),
                as_count("covered", entry["covered"]),
                entry["digest"],
                float(entry["seconds"]),
            )
            for entry in content["classes"]
        )
        keys = ("conjecture", "statement", "symmetry", "basis", "digest", "versions", "seconds")
        certificate = Certificate(entries=entries, **{key: content[key] for key in keys})
        if certificate.proved is not content["proved"]:
            raise ValueError(f"proved is {content['proved']!r}, the basis {certificate.basis!r}")
        return certificate
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CertificateError(f"this is not a certificate: {error!r}") from error


def _seal(name: str, statement: str, symmetry: str, basis: str, entries: Iterable[Entry]) -> str:
    lines = [f"{entry.matrices!r} {entry.covered} {entry.digest}" for entry in entries]
    declared = [DECLARED] if DECLARED in basis else []
    return sha256("\n".join([name, statement, symmetry, *declared, *lines]))


def sha256(text: str) -> str:
    """Digest of a text, in hexadecimal.

    >>> sha256("confmat")[:8]
    '370ed927'
    """
    return hashlib.sha256(text.encode()).hexdigest()


def _class_from_json(content: Mapping[str, Any]) -> Counted:
    if content["kind"] == MembershipPairs.KIND:
        return MembershipPairs.from_json(content)
    return class_from_json(content)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


class Folder(ManifestFolder):
    """Finished classes of one check: a manifest and one file per class, sealed, written aside and renamed.

    Raises CheckpointError, before anything is written, when the folder holds something else.
    """

    def __init__(
        self, folder: str | os.PathLike[str], name: str, fingerprint: str, classes: list[Counted]
    ) -> None:
        manifest: dict[str, object] = {
            "format": "confmat check",
            "version": version("confmat"),
            "sources": package_digest(),
            "conjecture": name,
            "fingerprint": fingerprint,
            "classes": [[repr(matrices), fingerprint_of(matrices)] for matrices in classes],
        }
        super().__init__(folder, manifest, lambda found: "check; it is left as it is")

    def _path(self, position: int) -> Path:
        return self.folder / f"class-{position:05d}.json"

    def load(self, position: int, matrices: Counted) -> Entry | None:
        """The entry of a finished class, or None; CheckpointError when its file is damaged.

        >>> from confmat.classes import Tables
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     print(Folder(folder, "flat", "5e1f", [Tables(4, 2, 2)]).load(0, Tables(4, 2, 2)))  # not yet done
        None
        """
        path = self._path(position)
        if not path.exists():
            return None
        content = self.read_sealed_json(path)
        try:
            entry = Entry(matrices, content["covered"], content["digest"], content["seconds"])
            entry.compare_count()
        except (KeyError, TypeError, CertificateError) as error:
            raise damaged(path, error) from error
        return entry

    def save(self, position: int, entry: Entry) -> None:
        """Keep the entry of a class; the file appears whole or not at all.

        >>> from confmat.classes import Tables
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as name:
        ...     folder = Folder(name, "flat", "5e1f", [Tables(4, 2, 2)])
        ...     folder.save(0, Entry(Tables(4, 2, 2), 19, "a7", 0.5))
        ...     folder.load(0, Tables(4, 2, 2)).covered
        19
        """
        self.write_sealed_json(self._path(position), entry.to_json())
