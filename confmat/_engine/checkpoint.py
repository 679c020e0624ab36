"""Folders that say in a manifest what their files belong to, and the finished blocks of a run kept in one.

Each file is written aside, sealed, and renamed.  A run that was killed finds its finished blocks again.  A folder made
by other parameters, another version of the package or another program is refused and left as it is; so is a block that
is not byte by byte what was written.  What another process wrote is looked at again: some of it is computed here and
compared.

>>> from tempfile import TemporaryDirectory
>>> from confmat.classes import Tables
>>> with TemporaryDirectory() as folder:
...     store = Checkpoint(folder, Tables(4, 2, 2))
...     store.save(0, {"counts": np.array([6, 8, 5])})
...     store.load(0), store.load(1)
({'counts': array([6, 8, 5])}, None)
"""

import json
import os
import platform
import random
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from hashlib import sha256
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar
from zipfile import BadZipFile

import numpy as np

from confmat._arguments import as_path
from confmat.classes import MatrixClass
from confmat.errors import CheckpointError

# Rooms that make no numbers of a checkpoint.
_SHOWING = ("archive", "cli", "plots", "studies", "testing")


# What evaluating finished parts again may take; laws are enumerated by 10^9 tables in about a second.
SECONDS_AGAIN = 2.0

_Part = TypeVar("_Part")

_ASIDE = re.compile(r"\.(\d+)(@.*)?\.tmp$")


class ManifestFolder:
    """A folder with a manifest.json, made where there is none: what it is ``of``, and by which sources it was made.

    Raises CheckpointError, before anything is written, when the folder holds something else: another manifest,
    which ``other`` puts into words, an older ``form``, or files without a manifest.  What a run that was killed left
    half written is removed.  Several processes may use one folder at the same time.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     _ = ManifestFolder(name, "thing 2", {"name": "this"}, str)
    ...     ManifestFolder(name, "thing 2", {"name": "that"}, lambda found: f"thing, {found['of']['name']}")
    Traceback (most recent call last):
    ...
    confmat.errors.CheckpointError: checkpoint ... belongs to another thing, this
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        form: str,
        of: dict[str, object],
        other: Callable[[Any], str],
    ) -> None:
        self.folder = as_path("checkpoint", folder)
        manifest: dict[str, object] = {
            "format": form,
            "version": version("confmat"),
            "sources": package_digest(),
            "of": of,
        }
        path = self.folder / "manifest.json"
        text = _json_text(manifest)
        manifest = json.loads(text)  # as it is read again, without tuples
        self.owner = sha256(text.encode()).hexdigest()
        if not path.exists():
            self._make(path, text.encode())
        # Also where it was made just now: another process may have been first.
        self._compare(path, manifest, other)
        for leftover in self._leftovers():
            leftover.unlink(missing_ok=True)

    def _compare(self, path: Path, manifest: dict[str, object], other: Callable[[Any], str]) -> None:
        found = read_json(path)
        if is_older(found, str(manifest["format"])):
            raise older(self.folder, found, str(manifest["format"]))
        if found != manifest:
            try:
                named = other(found)
            except (KeyError, TypeError, AttributeError):
                named = "run: its manifest is not complete"
            raise CheckpointError(f"checkpoint {self.folder} belongs to another {named}")
        if path.read_bytes() != _json_text(manifest).encode():
            raise CheckpointError(f"checkpoint file {path} was altered")

    def _make(self, path: Path, content: bytes) -> None:
        """The folder and its manifest, unless another process makes them at the same time and is first."""
        try:
            foreign = [x for x in self.folder.glob("*") if not _ASIDE.search(x.name)]
            if foreign and not path.exists():
                raise CheckpointError(
                    f"checkpoint {self.folder} is not empty and has no manifest.json: left as it is"
                )
            self.folder.mkdir(parents=True, exist_ok=True)
            _to_disk(self.folder.parent)
            aside = _aside(path)
            try:
                aside.write_bytes(content)
                _to_disk(aside)
                _name_once(aside, path)
            finally:
                aside.unlink(missing_ok=True)
        except OSError as error:
            raise CheckpointError(f"checkpoint {self.folder} cannot be written: {error}") from error

    def _leftovers(self) -> Iterator[Path]:
        """Files that processes of this machine were writing, which are no more."""
        for path in sorted(self.folder.glob("*.tmp")):
            written_aside = _ASIDE.search(path.name)
            if written_aside is None:
                continue
            is_of_here = written_aside[2] in (None, f"@{platform.node()}")
            if is_of_here and not _is_alive(int(written_aside[1])):
                yield path

    def seal(self, name: str, body: bytes) -> str:
        """A digest of the content of a file that tells of what run and which file it is."""
        return sha256(f"{self.owner} {name}\n".encode() + body).hexdigest()

    def read_sealed_json(self, path: Path) -> Any:
        """What ``write_sealed_json`` wrote, None if nothing; CheckpointError where a byte is another one."""
        if not path.exists():
            return None
        content = read_json(path)
        if isinstance(content, dict):
            body = {key: x for key, x in content.items() if key != "seal"}
        else:
            body = {}
        if path.read_bytes() != self._sealed(path, body):
            raise damaged(path, "it does not have the digest that was written with it")
        return body

    def write_sealed_json(self, path: Path, content: dict[str, object]) -> None:
        """Content as a file with its digest, whole or not at all."""
        write_whole(path, self._sealed(path, content))

    def _sealed(self, path: Path, content: dict[str, object]) -> bytes:
        return _json_text(content | {"seal": self.seal(path.name, _json_text(content).encode())}).encode()


def damaged(path: Path, why: object) -> CheckpointError:
    """The error for a file whose content is not what was written."""
    return CheckpointError(f"checkpoint file {path} is damaged ({why}); remove it to redo its part")


def disagrees(path: Path, found: str) -> CheckpointError:
    """The error for a part that was computed again with another result."""
    return CheckpointError(
        f"checkpoint file {path} is not of what was asked: computed again it has {found}; the checkpoint is left as it "
        "is: give another folder, or another version of what it is of"
    )


def some_of(costs: Mapping[_Part, float], most: float) -> list[_Part]:
    """Some parts, at random, that cost together no more than ``most``; one where each costs more.

    >>> sorted(some_of({"a": 1, "b": 2}, most=3)), some_of({"a": 9}, most=3), some_of({}, most=3)
    (['a', 'b'], ['a'], [])
    """
    order = random.sample(list(costs), len(costs))
    chosen: list[_Part] = []
    left = most
    for part in order:
        if costs[part] <= left:
            chosen.append(part)
            left -= costs[part]
    return chosen or order[:1]


def is_older(manifest: Any, wanted: str) -> bool:
    """Whether a manifest has the format of an earlier version: the same words and a smaller number, or none.

    >>> is_older({"format": "confmat check"}, "confmat check 2"), is_older({"format": "letters"}, "confmat check 2")
    (True, False)
    """
    if isinstance(manifest, dict):
        found = str(manifest.get("format"))
    else:
        found = ""
    return found.startswith(wanted.rpartition(" ")[0]) and (len(found), found) < (len(wanted), wanted)


def older(folder: Path, manifest: Any, wanted: str) -> CheckpointError:
    """The error for a folder of an earlier version."""
    return CheckpointError(
        f"checkpoint {folder} is older than this confmat: its format is {manifest['format']!r}, not {wanted!r}; "
        "give another folder"
    )


def read_json(path: Path) -> Any:
    """The content of a file, or a CheckpointError that names it."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"checkpoint file {path} cannot be read: {error}") from error


def write_whole(path: Path, content: bytes) -> None:
    """A file of a checkpoint, whole or not at all."""
    try:
        with written_whole(path) as aside:
            aside.write_bytes(content)
    except OSError as error:
        raise CheckpointError(f"checkpoint file {path} cannot be written: {error}") from error


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path beside ``path`` that replaces it when the block ends without an error.

    What was written is on the disk before it has its name: after a power cut, or on a full disk, it is there whole or
    not at all.  A pipe or a terminal is no file that could be replaced: it is written to as it is.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with written_whole(f"{folder}/law.csv") as aside:
    ...         _ = aside.write_text("med,count")
    ...     Path(folder, "law.csv").read_text(), aside.exists()
    ('med,count', False)
    """
    target = as_path("path", path)
    if target.exists() and not target.is_file():
        yield target
        return
    target = target.resolve()
    aside = _aside(target)
    try:
        yield aside
        _to_disk(aside)
        aside.replace(target)
        _to_disk(target.parent)
    finally:
        aside.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def package_digest() -> str:
    """SHA-256 of the sources of the package by which numbers come about: a kernel that was changed is another one.

    >>> len(package_digest())
    64
    """
    sha = sha256()
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if place.parts[0] not in _SHOWING:
            sha.update(f"{place.as_posix()}\n".encode() + path.read_bytes())
    return sha.hexdigest()


def _aside(target: Path) -> Path:
    """Where this process, and this thread, writes what is to have another name: see ``_ASIDE``."""
    return target.with_name(f".{target.name}.{get_ident()}.{os.getpid()}@{platform.node()}.tmp")


def _name_once(aside: Path, path: Path) -> None:
    """Give a file its name, unless there is one of that name: a manifest is never replaced."""
    try:
        path.hardlink_to(aside)
    except FileExistsError:
        return
    except OSError:  # a file system without links
        if not path.exists():
            aside.replace(path)
    _to_disk(path.parent)


def _to_disk(path: Path) -> None:
    """A file, or the names in a folder, where the system can do that."""
    if os.name == "posix":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_alive(process: int) -> bool:
    if os.name == "posix":
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (PermissionError, OverflowError):
            pass
    return True


def _json_text(content: dict[str, object]) -> str:
    return json.dumps(content, indent=1)


FORMAT = "confmat checkpoint 2"

Arrays = dict[str, np.ndarray]

# The seal of a block is the comment of its zip file: its length in two bytes, then so many digits.
_SEAL_DIGITS = 64
LENGTH_OF_SEAL = _SEAL_DIGITS.to_bytes(2, "little")


# Files that this process wrote, or computed again and found right, and when they were written.
_KNOWN_HERE: set[tuple[Path, int]] = set()


def _manifest(matrices: MatrixClass, weight: str) -> dict[str, object]:
    return {
        "class": repr(matrices),
        "json": matrices.to_json(),
        "weight": weight,
    }


def file_of(folder: str | os.PathLike[str], block: int) -> Path:
    """Where a finished block is kept."""
    return Path(folder) / f"signatures-{block:04d}.npz"


def is_of_pass(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has the blocks of a run over one class.

    >>> is_of_pass("no such folder")
    False
    """
    path = Path(folder) / "manifest.json"
    found = read_json(path) if path.exists() else None
    return isinstance(found, dict) and (found.get("format") == FORMAT or is_older(found, FORMAT))


def from_elsewhere(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has blocks that this process neither wrote nor computed again.

    >>> from_elsewhere("no such folder")
    False
    """
    return any(_written(path) not in _KNOWN_HERE for path in Path(folder).glob("*.npz"))


def _written(path: Path) -> tuple[Path, int]:
    return path.absolute(), path.stat().st_mtime_ns


# What is no zip file of arrays, or another one than it says, raises on being read.
UNREADABLE = ValueError, OSError, EOFError, BadZipFile, zlib.error


def sealed_zip(arrays: Arrays, seal: Callable[[bytes], str]) -> bytes:
    """Arrays as an .npz file whose comment is the seal, 64 digits, of all that stands before the comment's length."""
    file = BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    body = file.getvalue()[:-2]  # without the length of a comment that is not there
    return body + LENGTH_OF_SEAL + seal(body).encode()


def sealed_arrays(path: Path, seal: Callable[[bytes], str]) -> Arrays:
    """The arrays of a file from ``sealed_zip``; one of ``UNREADABLE`` for another file."""
    content = path.read_bytes()
    body = content[: -_SEAL_DIGITS - 2]
    if content != body + LENGTH_OF_SEAL + seal(body).encode():
        raise ValueError("it does not have the digest that was written with it")
    with np.load(BytesIO(content), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


class Checkpoint(ManifestFolder):
    """Finished blocks of a run over one class with one weight, kept in a folder.

    Raises CheckpointError, before anything is written, when the folder holds something else.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        matrices: MatrixClass,
        weight: str = "tables",
        primes: tuple[int, ...] = (),
    ) -> None:
        of = _manifest(matrices, weight)
        super().__init__(folder, FORMAT, of, lambda found: f"run: {_describe(found)}")
        name = f"moduli {primes}"
        self.of_run = self.seal(name, b"")

    def _digest(self, path: Path, body: bytes) -> str:
        return self.seal(f"{path.name} {self.of_run}", body)

    def load(self, block: int) -> Arrays | None:
        """The arrays of a finished block, or None; CheckpointError when its file is not what ``save`` wrote.

        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     print(Checkpoint(folder, Tables(4, 2, 2)).load(0))  # not yet done
        None
        """
        path = file_of(self.folder, block)
        if not path.exists():
            return None
        try:
            return sealed_arrays(path, partial(self._digest, path))
        except UNREADABLE as error:
            raise damaged(path, error) from error

    def save(self, block: int, arrays: Arrays) -> None:
        """Keep a block; the file appears whole or not at all.

        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     store = Checkpoint(folder, Tables(4, 2, 2))
        ...     store.save(0, {"counts": np.array([6, 8, 5])})
        ...     store.load(0)
        {'counts': array([6, 8, 5])}
        """
        path = file_of(self.folder, block)
        write_whole(path, sealed_zip(arrays, partial(self._digest, path)))
        _KNOWN_HERE.add(_written(path))

    def is_from_elsewhere(self, block: int) -> bool:
        """Whether there is a file of a block, and another process wrote it."""
        path = file_of(self.folder, block)
        return path.exists() and _written(path) not in _KNOWN_HERE

    def compare(self, block: int, kept: Arrays, computed: Arrays) -> None:
        """CheckpointError where a block was kept with other numbers than those computed again.

        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     store = Checkpoint(folder, Tables(4, 2, 2))
        ...     store.compare(0, {"counts": np.array([6, 8])}, {"counts": np.array([6, 9])})
        Traceback (most recent call last):
        ...
        confmat.errors.CheckpointError: checkpoint file ... is not of what was asked: ...
        """
        path = file_of(self.folder, block)
        same = kept.keys() == computed.keys()
        if not same or not all(np.array_equal(kept[name], computed[name]) for name in kept):
            raise disagrees(path, "other numbers")
        _KNOWN_HERE.add(_written(path))


def _describe(manifest: object) -> str:
    """A manifest in words, for error messages."""
    if isinstance(manifest, dict) and manifest.get("format") == FORMAT:
        made = f"confmat {manifest['version']}, sources {str(manifest['sources'])[:8]}"
        of = manifest["of"]
        return f"{of['class']}, weight {of['weight']!r}, made by {made}"
    return "not written by this program"
