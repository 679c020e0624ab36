"""Finished chunks of a computation, stored in a directory.

A chunk is one file of arrays. Its name contains a digest of the sources of confmat, a digest of the text that
identifies the computation, and the number of the chunk. A computation uses the chunks that it finds and adds its
own. Several computations and processes can use the same directory.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     Chunks(folder).save("this question", 0, {"counts": np.array([6, 8, 5])})
...     Chunks(folder).load("this question", 0), Chunks(folder).load("another question", 0)
({'counts': array([6, 8, 5])}, None)
"""

import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import get_ident

import numpy as np

from confmat._arguments import as_path
from confmat.errors import CheckpointError

# Subpackages that do not affect the numbers in a checkpoint.
_SHOWING = ("archive", "cli", "plots", "studies", "testing")

Arrays = dict[str, np.ndarray]

_CHUNK = re.compile(r"([0-9a-f]{8})-[0-9a-f]{24}-\d{5}\.npz")
_TEMPORARY = re.compile(r"\..*\.\d+\.(\d+)@(.*)\.tmp(\.duckdb(\.wal)?)?")
_SEAL_BYTES = 32


class Chunks:
    """Chunks of computations in a directory, which is created if it does not exist.

    Temporary files of processes that have ended are removed.

    Raises
    ------
    CheckpointError
        If the directory cannot be written, or contains a file that is not a chunk of this version of confmat.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "letter.txt").write_text("important")
    ...     Chunks(folder)
    Traceback (most recent call last):
    ...
    confmat.errors.CheckpointError: checkpoint ... contains letter.txt, which is not a chunk. Choose an empty directory.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = as_path("checkpoint", folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            remove_abandoned(self.folder)
            for path in sorted(self.folder.iterdir()):
                self._check(path)
            if not os.access(self.folder, os.W_OK):
                raise PermissionError("it is read-only")
        except OSError as error:
            raise CheckpointError(f"checkpoint {self.folder} cannot be written: {error}") from error

    def _check(self, path: Path) -> None:
        """Raise CheckpointError if a file is neither a chunk nor a temporary file of a running process."""
        chunk = _CHUNK.fullmatch(path.name)
        if chunk is None:
            what = "which is not a chunk"
        else:
            what = "a chunk of another version of confmat"
        if _TEMPORARY.fullmatch(path.name) or (chunk and chunk[1] == package_digest()[:8]):
            return
        raise CheckpointError(
            f"checkpoint {self.folder} contains {path.name}, {what}. Choose an empty directory."
        )

    def load(self, question: str, number: int) -> Arrays | None:
        """Return the arrays of chunk ``number`` of the computation ``question``, None if it is not stored.

        Raises
        ------
        CheckpointError
            If the file differs from the one that ``save`` wrote.
        """
        path = path_of(self.folder, question, number)
        if not path.exists():
            return None
        try:
            return unsealed_arrays(path.read_bytes(), path.name)
        except (OSError, ValueError) as error:
            raise CheckpointError(
                f"checkpoint file {path} is damaged ({error}). Remove it to compute its chunk again."
            ) from error

    def save(self, question: str, number: int, arrays: Arrays) -> None:
        """Store the arrays of chunk ``number`` of the computation ``question``.

        The file appears completely or not at all.
        """
        path = path_of(self.folder, question, number)
        try:
            with written_whole(path) as temporary:
                temporary.write_bytes(sealed_arrays(arrays, path.name))
        except OSError as error:
            raise CheckpointError(f"checkpoint file {path} cannot be written: {error}") from error


def path_of(folder: str | os.PathLike[str], question: str, number: int) -> Path:
    """Return the path of chunk ``number`` of the computation ``question``."""
    key = sha256(question.encode()).hexdigest()
    return Path(folder) / f"{package_digest()[:8]}-{key[:24]}-{number:05d}.npz"


def sealed_arrays(arrays: Arrays, name: str) -> bytes:
    """Return the bytes of an .npz file with the arrays, followed by a SHA-256.

    The SHA-256 is that of the file name ``name`` and of the bytes.
    """
    file = BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue() + _seal_of(file.getvalue(), name)


def unsealed_arrays(content: bytes, name: str) -> Arrays:
    """Return the arrays in ``content``, the bytes that ``sealed_arrays`` returned for the file name ``name``.

    Raise ValueError if a byte differs.

    >>> unsealed_arrays(sealed_arrays({"counts": np.array([6, 8])}, "this") + b"0", "this")
    Traceback (most recent call last):
    ...
    ValueError: its content does not match its digest
    """
    body = content[:-_SEAL_BYTES]
    if content != body + _seal_of(body, name):
        raise ValueError("its content does not match its digest")
    with np.load(BytesIO(body), allow_pickle=False) as file:
        return dict(file)


def _seal_of(body: bytes, name: str) -> bytes:
    """Return the SHA-256 of a file name and its content."""
    return sha256(f"{name}\n".encode() + body).digest()


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path, and rename the file there to ``path`` if the ``with`` statement ends without an error.

    The content is synchronized to disk before the renaming. After a power failure, or on a full disk, the file is
    complete or absent. It gets the mode of the file that it replaces. For a pipe or a terminal, ``path`` itself is
    yielded, and nothing is renamed.

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
        if target.exists():
            aside.chmod(target.stat().st_mode)
        _to_disk(aside)
        aside.replace(target)
        _to_disk(target.parent)
    finally:
        aside.unlink(missing_ok=True)


def remove_abandoned(folder: Path) -> None:
    """Remove temporary files whose process on this machine has ended."""
    for path in folder.iterdir():
        temporary = _TEMPORARY.fullmatch(path.name)
        if temporary and temporary[2] == platform.node() and not _is_alive(int(temporary[1])):
            path.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def package_digest() -> str:
    """Return the SHA-256 of the sources of confmat that affect computed numbers.

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
    """Return the temporary path that this thread writes to, in the form of ``_TEMPORARY``."""
    name = re.sub(r"\W", "_", target.name)[:20]
    return target.with_name(f".{name}.{get_ident()}.{os.getpid()}@{platform.node()}.tmp")


def _to_disk(path: Path) -> None:
    """Write a file, or the entries of a directory, to disk (fsync), on POSIX systems."""
    if os.name == "posix":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_alive(process: int) -> bool:
    """Return whether a process with this number runs on this machine. Return True on systems other than POSIX."""
    if os.name == "posix":
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (PermissionError, OverflowError):
            pass
    return True
