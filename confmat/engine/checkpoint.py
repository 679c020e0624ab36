"""Checkpoints: a folder with a manifest and one file per finished block, each sealed, written aside and renamed.

A run that was killed finds its finished blocks again.  A folder made by other parameters, another version of the
package or another program is refused and left as it is; so is a block that is not byte by byte what was written.
What another process wrote is looked at again: some of it is computed here and compared.
"""

import os
import zlib
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.orbits import ALL
from confmat.engine.folders import ManifestFolder, damaged, disagrees, is_older, read_json, write_whole

FORMAT = "confmat checkpoint 2"

Arrays = dict[str, np.ndarray]

# The seal of a block is the comment of its zip file: its length in two bytes, then so many digits.
_DIGITS = 64
_LENGTH = _DIGITS.to_bytes(2, "little")


# Files that this process wrote, or computed again and found right, and when they were written.
_KNOWN_HERE: set[tuple[Path, int]] = set()


def _manifest(matrices: MatrixClass, weight: str) -> dict[str, object]:
    return {
        "class": repr(matrices),
        "json": matrices.to_json(),
        "margins": None if matrices.of_package else _margins(matrices),
        "weight": weight,
    }


def _margins(matrices: MatrixClass) -> str:
    """Digest of all that a run gets from a class of one's own: what it is by its name is not known."""
    sides = matrices.sides
    margins = sorted(map(tuple, matrices.margins(ALL))) if sides is None else []
    told = matrices.n, matrices.shape, sorted(matrices.symmetry), sides, margins
    return sha256(repr(told).encode()).hexdigest()


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
        self.of_run = self.seal(f"moduli {primes}", b"")

    def _digest(self, path: Path, body: bytes) -> bytes:
        return self.seal(f"{path.name} {self.of_run}", body).encode()

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
            content = path.read_bytes()
        except OSError as error:
            raise damaged(path, error) from error
        body, length, seal = content[: -_DIGITS - 2], content[-_DIGITS - 2 : -_DIGITS], content[-_DIGITS:]
        if length != _LENGTH or seal != self._digest(path, body):
            raise damaged(path, "it does not have the digest that was written with it")
        try:
            with np.load(BytesIO(content), allow_pickle=False) as file:
                return {name: file[name] for name in file.files}
        except (ValueError, OSError, EOFError, BadZipFile, zlib.error) as error:  # sealed by somebody else
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
        path, file = file_of(self.folder, block), BytesIO()
        np.savez_compressed(file, allow_pickle=False, **arrays)
        body = file.getvalue()[:-2]  # without the length of a comment that is not there
        write_whole(path, body + _LENGTH + self._digest(path, body))
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
        made, of = f"confmat {manifest['version']}, sources {str(manifest['sources'])[:8]}", manifest["of"]
        return f"{of['class']}, weight {of['weight']!r}, made by {made}"
    return "not written by this program"
