"""Conjectures about matrices, and their check: the smallest counterexample, or a certificate.

A ``Conjecture`` is a statement with a test: a predicate of one matrix, or a claim about a whole class of
matrices (an extremal value, say).  ``check`` walks classes in increasing size.  What it covered is counted and
compared with the closed-form count of each class, so that nothing is missed silently; ``verify`` does the
counting, and the walk, again.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import platform
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.metadata import version
from itertools import permutations
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.classes.orbits import largest_arrangement
from confmat.engine.reference import tables_of_margins
from confmat.statistics import SYMMETRIES, visited_margins
from confmat.validation import as_count

_DRAWS = 64  # random matrices of each class on which a declared symmetry is tried


class SymmetryError(ValueError):
    """The predicate of a conjecture is not invariant under the symmetry that it declares."""


class CheckpointError(RuntimeError):
    """The checkpoint folder belongs to another check, or is damaged."""


class CertificateError(ValueError):
    """A certificate says something that is not so."""


class Counted(Protocol):
    """What is checked at a time: a frozen dataclass with a size ``n``, a ``shape`` and a closed-form count."""

    @property
    def n(self) -> int: ...

    @property
    def shape(self) -> tuple[int, int]: ...

    def count(self) -> int: ...


@dataclass(frozen=True)
class Violation:
    """Why a claim fails at a class: a sentence, and the matrices that show it, by name."""

    detail: str
    witness: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """What one class showed: how many members were covered, a digest of the visit, and a violation if any."""

    covered: int
    digest: str
    violation: Violation | None = None


def _tables(n: int, shape: tuple[int, int]) -> Iterable[Counted]:
    return [Tables(n, *shape)]


@dataclass(frozen=True)
class Conjecture:
    """A statement that can be checked.

    Give either ``predicate``, a function of an r x s int64 array that answers True or False (jitted by Numba
    it is called in a compiled loop), or ``claim``, a function of a whole class that returns a ``Finding``.

    ``symmetry`` says what leaves the predicate unchanged: "transposition" (permutations of rows and of
    columns and, for r = s, transposition), "permutations", "simultaneous" (one permutation of rows and
    columns), "none".  It is tried on random matrices before it is used.
    ``applies``: the classes that the statement speaks about.  ``family``: the classes of one n and shape.
    ``status``: "open", "proved", "refuted" or "verified", in words.  ``sharpened``: name of the conjecture
    that says what is true instead.
    """

    name: str
    statement: str
    source: str = ""
    predicate: Callable[[np.ndarray], bool] | None = None
    claim: Callable[[Any], Finding] | None = None
    symmetry: str = "none"
    applies: Callable[[Any], bool] = lambda matrices: True
    family: Callable[[int, tuple[int, int]], Iterable[Counted]] = _tables
    status: str = "open"
    sharpened: str | None = None

    def __post_init__(self) -> None:
        if (self.predicate is None) == (self.claim is None):
            raise ValueError(f"conjecture {self.name!r} needs either a predicate or a claim")
        if self.symmetry not in SYMMETRIES:
            raise ValueError(f"symmetry must be one of {', '.join(SYMMETRIES)}, got {self.symmetry!r}")

    def fingerprint(self) -> str:
        """Digest of the statement and of the source text of its test: a changed conjecture is another one."""
        test = self.predicate if self.predicate is not None else self.claim
        test = getattr(test, "py_func", test)
        try:
            source = inspect.getsource(test)  # type: ignore[arg-type]
        except (OSError, TypeError):  # typed at the prompt, a partial, a callable object
            source = getattr(test, "__qualname__", repr(test))
        return _sha256(f"{self.name}\n{self.statement}\n{self.symmetry}\n{source}")


@dataclass(frozen=True)
class Counterexample:
    """The smallest counterexample: smallest n, then shape, then entries (row-major).

    ``witness`` names the matrices that show it, as nested tuples; it is empty where the whole class does.
    """

    conjecture: str
    matrices: Counted
    detail: str
    witness: Mapping[str, Any]

    @property
    def matrix(self) -> np.ndarray | None:
        """The witness, where it is one matrix."""
        return np.array(self.witness["matrix"]) if "matrix" in self.witness else None

    def to_json(self) -> str:
        """The counterexample as text."""
        content = {"format": "confmat counterexample", "conjecture": self.conjecture}
        content |= {"class": _class_to_json(self.matrices), "detail": self.detail}
        return json.dumps(content | {"witness": dict(self.witness)}, indent=1)


@dataclass(frozen=True)
class Entry:
    """One class of a certificate: how many members were covered, and the digest of what was visited."""

    matrices: Counted
    covered: int
    digest: str
    seconds: float


@dataclass(frozen=True)
class Certificate:
    """A conjecture holds for every member of these classes.

    ``digest`` seals conjecture, classes, counts and digests; it is the same on every machine.
    """

    conjecture: str
    statement: str
    symmetry: str
    entries: tuple[Entry, ...]
    digest: str
    versions: Mapping[str, str]
    seconds: float

    @property
    def covered(self) -> int:
        """Number of matrices for which the statement was tested, directly or by symmetry."""
        return sum(entry.covered for entry in self.entries)

    def to_json(self) -> str:
        """The certificate as text; ``Certificate.from_json`` reads it back."""
        entries = [{"class": _class_to_json(e.matrices)} | _without_class(e) for e in self.entries]
        head = {"format": "confmat certificate", "conjecture": self.conjecture, "statement": self.statement}
        tail = {"digest": self.digest, "versions": dict(self.versions), "seconds": self.seconds}
        return json.dumps(head | {"symmetry": self.symmetry, "classes": entries} | tail, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Certificate:
        """Read a certificate; CertificateError when the text is not one."""
        try:
            content = json.loads(text)
            if content["format"] != "confmat certificate":
                raise CertificateError(f"not a certificate but {content['format']!r}")
            entries = tuple(_entry_from_json(entry) for entry in content["classes"])
            keys = ("conjecture", "statement", "symmetry", "digest", "versions", "seconds")
            return cls(entries=entries, **{key: content[key] for key in keys})
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, CertificateError):
                raise
            raise CertificateError(f"this is not a certificate: {error!r}") from error


def domain(
    conjecture: Conjecture, shapes: Iterable[tuple[int, int]], sizes: Iterable[int]
) -> tuple[Counted, ...]:
    """The classes with these shapes and sizes that a conjecture speaks about, in increasing size.

    Classes without a member are left out.

    >>> from confmat.literature import LITERATURE
    >>> domain(LITERATURE["med-max"], [(2, 2), (2, 3)], range(1, 4))
    (Tables(n=2, r=2, s=2, empty=False), Tables(n=3, r=2, s=2, empty=False), Tables(n=3, r=2, s=3, empty=False))
    """
    ordered = sorted(set(shapes))
    return tuple(
        matrices
        for n in sorted(set(sizes))
        for shape in ordered
        for matrices in conjecture.family(n, shape)
        if matrices.count() and conjecture.applies(matrices)
    )


def check(
    conjecture: Conjecture,
    classes: Iterable[Counted],
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[Counted], None] | None = None,
) -> Certificate | Counterexample:
    """Test a conjecture on every member of some classes, in increasing size.

    Returns the smallest counterexample, or a certificate.  Classes outside the conjecture's range are an error.
    With ``checkpoint``, a folder, every finished class is kept there and a check that was killed resumes;
    ``progress`` is called before every class.  SymmetryError when the declared symmetry turns out false.

    >>> small = Conjecture("small", "no entry exceeds 2", predicate=lambda m: m.max() <= 2, symmetry="permutations")
    >>> answer = check(small, [Tables(n, 2, 2) for n in range(2, 6)])
    >>> answer.matrices.n, answer.matrix.tolist()
    (4, [[0, 1], [3, 0]])
    """
    chosen = _in_order(conjecture, classes)
    kept = None if checkpoint is None else _Folder(Path(checkpoint), conjecture, chosen)
    entries = []
    started = time.perf_counter()
    for position, matrices in enumerate(chosen):
        entry = None if kept is None else kept.load(position, matrices)
        if entry is None:
            if progress is not None:
                progress(matrices)
            begun = time.perf_counter()
            finding = examine(conjecture, matrices)
            if finding.violation is not None:
                return Counterexample(
                    conjecture.name, matrices, finding.violation.detail, finding.violation.witness
                )
            entry = Entry(matrices, finding.covered, finding.digest, time.perf_counter() - begun)
            _compare_count(entry)
            if kept is not None:
                kept.save(position, entry)
        entries.append(entry)
    return Certificate(
        conjecture.name,
        conjecture.statement,
        conjecture.symmetry,
        tuple(entries),
        _seal(conjecture.name, conjecture.statement, conjecture.symmetry, entries),
        _versions(),
        time.perf_counter() - started,
    )


def verify(certificate: Certificate, conjecture: Conjecture, *, walk: bool = True) -> None:
    """Check a certificate again; CertificateError says what is wrong with it.

    The seal, the count of every class against its closed form, the statement, and with ``walk`` (which takes
    as long as the first time) the visit of every class: same digest, and no violation.
    """
    if (certificate.conjecture, certificate.statement, certificate.symmetry) != (
        conjecture.name,
        conjecture.statement,
        conjecture.symmetry,
    ):
        raise CertificateError(f"the certificate is about another statement: {certificate.statement!r}")
    for entry in certificate.entries:
        _compare_count(entry)
    seal = _seal(conjecture.name, conjecture.statement, conjecture.symmetry, certificate.entries)
    if certificate.digest != seal:
        raise CertificateError(f"the digest should be {seal}, the certificate says {certificate.digest}")
    _in_order(conjecture, [entry.matrices for entry in certificate.entries])
    for entry in certificate.entries if walk else ():
        finding = examine(conjecture, entry.matrices)
        if finding.violation is not None:
            raise CertificateError(f"{entry.matrices} has a counterexample: {finding.violation.detail}")
        if (finding.covered, finding.digest) != (entry.covered, entry.digest):
            raise CertificateError(f"{entry.matrices}: the visit has digest {finding.digest}, not {entry.digest}")


def examine(conjecture: Conjecture, matrices: Counted) -> Finding:
    """Test a conjecture on every member of one class."""
    if conjecture.claim is not None:
        return conjecture.claim(matrices)
    assert conjecture.predicate is not None
    # Only the class of all tables is closed under its symmetries; elsewhere every member is visited.
    symmetry = conjecture.symmetry if isinstance(matrices, Tables) else "none"
    try_symmetry(conjecture.predicate, symmetry, matrices)
    visit = hashlib.sha256()
    covered = 0
    first: tuple[tuple[int, ...], ...] | None = None
    for rows, cols, copies in visited_margins(matrices, symmetry):  # type: ignore[arg-type]
        for batch in tables_of_margins(rows, cols):
            visit.update(batch.astype("<i8").tobytes())
            covered += copies * len(batch)
            for table in batch[~_holds(conjecture.predicate, batch)]:
                if first is None or _least_first_row(table, symmetry) <= first[0]:
                    image = smallest_image(table, symmetry)
                    first = image if first is None else min(first, image)
    violation = None if first is None else Violation("the predicate is False here", {"matrix": first})
    return Finding(covered, visit.hexdigest(), violation)


def try_symmetry(predicate: Callable[[np.ndarray], bool], symmetry: str, matrices: Any) -> None:
    """Compare the predicate on random matrices of a class and their images; SymmetryError if two differ.

    The matrices are the same at every call (a fixed seed), so that a check can be repeated.
    """
    if symmetry == "none":
        return
    rng = random.Random(0)
    count = matrices.count()
    for _ in range(min(_DRAWS, count)):
        table = np.array(matrices.unrank(rng.randrange(count)), np.int64)
        rows, cols = (rng.sample(range(k), k) for k in table.shape)
        image = table[np.ix_(rows, rows if symmetry == "simultaneous" else cols)]
        if symmetry == "transposition" and image.shape[0] == image.shape[1] and rng.random() < 0.5:
            image = image.T
        image = np.ascontiguousarray(image)
        values = _holds(predicate, np.stack([table, image]))
        if values[0] != values[1]:
            raise SymmetryError(
                f"symmetry {symmetry!r} is declared, but the predicate is {values[0]} for {table.tolist()} "
                f"and {values[1]} for {image.tolist()}"
            )


def smallest_image(table: np.ndarray, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """The first matrix, in row-major lexicographic order, among the images of ``table``.

    >>> smallest_image(np.array([[3, 1], [0, 2]]), "permutations")
    ((0, 2), (3, 1))
    """
    if symmetry == "none":
        return _nested(table)
    if symmetry == "simultaneous":
        orders = (list(order) for order in permutations(range(len(table))))
        return min(_nested(table[np.ix_(order, order)]) for order in orders)
    top = int(table.max())  # the smallest arrangement is the largest one of the complement
    images = [top - table]
    if symmetry == "transposition" and table.shape[0] == table.shape[1]:
        images.append(images[0].T)
    lines = (0,) * table.shape[0], (0,) * table.shape[1]
    best = max(largest_arrangement(_nested(image), *lines, *lines)[0] for image in images)
    return tuple(tuple(top - x for x in row) for row in best)


def _least_first_row(table: np.ndarray, symmetry: str) -> tuple[int, ...]:
    """A lower bound of the first row of every image: it spares most calls of ``smallest_image``."""
    if symmetry == "none":
        return tuple(table[0].tolist())
    lines = [*table.tolist(), *(table.T.tolist() if table.shape[0] == table.shape[1] else [])]
    return min(tuple(sorted(line)) for line in lines)


def _nested(table: np.ndarray) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, table.tolist()))


def _holds(predicate: Callable[[np.ndarray], bool], batch: np.ndarray) -> np.ndarray:
    """Values of the predicate on every matrix of a batch."""
    from numba.core.dispatcher import Dispatcher

    if isinstance(predicate, Dispatcher):
        values = np.empty(len(batch), np.bool_)
        _compiled_loop()(predicate, batch, values)
        return values
    answers = []
    for table in batch:
        table = table.view()
        table.flags.writeable = False
        answer = predicate(table)
        if not isinstance(answer, (bool, np.bool_)):
            raise TypeError(f"a predicate must answer True or False, got {answer!r} for {table.tolist()}")
        answers.append(bool(answer))
    return np.array(answers, bool)


@lru_cache
def _compiled_loop() -> Callable[..., None]:
    from numba import njit

    @njit(nogil=True)
    def loop(predicate, batch, values):  # type: ignore[no-untyped-def]
        for i in range(len(batch)):
            values[i] = predicate(batch[i])

    return loop


def _in_order(conjecture: Conjecture, classes: Iterable[Counted]) -> list[Counted]:
    chosen = sorted(classes, key=lambda c: (c.n, c.shape, repr(c)))
    if not chosen:
        raise ValueError(f"classes must not be empty: conjecture {conjecture.name!r} has nothing to be tested on")
    for matrices in chosen:
        if not conjecture.applies(matrices):
            raise ValueError(f"conjecture {conjecture.name!r} says nothing about {matrices}")
    return chosen


def _compare_count(entry: Entry) -> None:
    count = entry.matrices.count()
    if entry.covered != count:
        raise CertificateError(f"{entry.matrices} has {count} members, {entry.covered} were covered")


def _seal(name: str, statement: str, symmetry: str, entries: Iterable[Entry]) -> str:
    lines = [f"{entry.matrices!r} {entry.covered} {entry.digest}" for entry in entries]
    return _sha256("\n".join([name, statement, symmetry, *lines]))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _versions() -> dict[str, str]:
    packages = {name: version(name) for name in ("confmat", "numpy", "numba")}
    return {"python": platform.python_version(), **packages}


# --- files ----------------------------------------------------------------------------------------


def _class_kinds() -> dict[str, Callable[..., Counted]]:
    from confmat.literature import MembershipPairs

    return {kind.__name__: kind for kind in (Tables, FixedMargins, FixedRows, MembershipPairs)}


def _class_to_json(matrices: Counted) -> dict[str, Any]:
    return {"kind": type(matrices).__name__, **asdict(matrices)}  # type: ignore[call-overload]


def _class_from_json(content: Mapping[str, Any]) -> Counted:
    arguments = dict(content)
    return _class_kinds()[arguments.pop("kind")](**arguments)


def _without_class(entry: Entry) -> dict[str, Any]:
    return {"covered": entry.covered, "digest": entry.digest, "seconds": round(entry.seconds, 6)}


def _entry_from_json(content: Mapping[str, Any]) -> Entry:
    covered = as_count("covered", content["covered"])
    return Entry(_class_from_json(content["class"]), covered, content["digest"], float(content["seconds"]))


class _Folder:
    """Finished classes of one check: a manifest and one file per class, written aside and renamed."""

    def __init__(self, folder: Path, conjecture: Conjecture, classes: list[Counted]) -> None:
        self.folder = folder
        manifest = {
            "format": "confmat check",
            "conjecture": conjecture.name,
            "fingerprint": conjecture.fingerprint(),
            "classes": [repr(matrices) for matrices in classes],
        }
        path = folder / "manifest.json"
        if path.exists():
            if _read_json(path) != manifest:
                raise CheckpointError(f"checkpoint {folder} belongs to another check; it is left as it is")
            return
        if folder.exists() and any(folder.iterdir()):
            raise CheckpointError(f"checkpoint {folder} is not empty and has no manifest.json: left as it is")
        folder.mkdir(parents=True, exist_ok=True)
        _write_whole(path, manifest)

    def _path(self, position: int) -> Path:
        return self.folder / f"class-{position:05d}.json"

    def load(self, position: int, matrices: Counted) -> Entry | None:
        path = self._path(position)
        if not path.exists():
            return None
        content = _read_json(path)
        try:
            entry = Entry(matrices, content["covered"], content["digest"], content["seconds"])
            _compare_count(entry)
        except (KeyError, TypeError, CertificateError) as error:
            raise CheckpointError(f"checkpoint file {path} is damaged ({error}); remove it to redo the class") from error
        return entry

    def save(self, position: int, entry: Entry) -> None:
        _write_whole(self._path(position), _without_class(entry))


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise CheckpointError(f"checkpoint file {path} cannot be read: {error}") from error


def _write_whole(path: Path, content: Any) -> None:
    aside = path.with_suffix(f".{os.getpid()}.tmp")
    aside.write_text(json.dumps(content, indent=1))
    aside.replace(path)


def parse_sizes(text: str) -> Iterator[int]:
    """Sizes as the command line has them: "8", "4..14", "..14", "4,6,8..10".

    >>> list(parse_sizes("..3")), list(parse_sizes("2,5..6"))
    ([1, 2, 3], [2, 5, 6])
    """
    for part in text.split(","):
        low, dots, high = part.partition("..")
        try:
            first = int(low) if low else 1
            last = int(high) if dots else first
        except ValueError:
            raise ValueError(f"sizes must look like 8, 4..14 or ..14, got {part!r}") from None
        if first < 1 or last < first or not (low or high):
            raise ValueError(f"sizes must be increasing and at least 1, got {part!r}")
        yield from range(first, last + 1)


def parse_shapes(text: str) -> Iterator[tuple[int, int]]:
    """Shapes as the command line has them: "3x3", "2x3,3x2", and "2x2..5x5" for all r <= s in between.

    >>> list(parse_shapes("2x2..3x3")), list(parse_shapes("4x2"))
    ([(2, 2), (2, 3), (3, 3)], [(4, 2)])
    """
    for part in text.split(","):
        low, dots, high = part.partition("..")
        try:
            (r0, s0), (r1, s1) = (
                tuple(map(int, shape.lower().split("x"))) for shape in (low, high if dots else low)
            )
        except ValueError:
            raise ValueError(f"shapes must look like 3x3, 2x3,3x2 or 2x2..5x5, got {part!r}") from None
        if min(r0, s0) < 1 or r1 < r0 or s1 < s0:
            raise ValueError(f"shapes must be increasing and at least 1x1, got {part!r}")
        if not dots:
            yield r0, s0
        else:
            yield from ((r, s) for r in range(r0, r1 + 1) for s in range(s0, s1 + 1) if r <= s)
