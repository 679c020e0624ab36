"""Checkpoints: a folder with a manifest and one file per finished shard, each sealed, written aside and renamed.

A run that was killed finds its finished shards again.  A folder made by other parameters, another version of the
package or another program is refused and left as it is; so is a shard that is not byte by byte what was written.
"""

import os
import zlib
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from confmat.engine.folders import ManifestFolder, damaged, read_json, write_whole
from confmat.engine.sources import fingerprint, package_digest
from confmat.engine.work import Arrays, Pass

FORMAT = "confmat checkpoint"

# The seal of a shard is the comment of its zip file: its length in two bytes, then so many digits.
_DIGITS = 64
_LENGTH = _DIGITS.to_bytes(2, "little")


def _manifest(task: Pass) -> dict[str, object]:
    return {
        "format": FORMAT,
        "version": version("confmat"),
        "sources": package_digest(),
        "class": repr(task.matrices),
        "json": task.matrices.to_json(),
        "fingerprint": fingerprint(task.matrices),
        "weight": task.weight,
    }


def file_of(folder: str | os.PathLike[str], stage: str, shard: int) -> Path:
    """Where a finished shard is kept."""
    return Path(folder) / f"{stage}-{shard:04d}.npz"


def is_of_pass(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder has the shards of passes over one class.

    >>> is_of_pass("no such folder")
    False
    """
    path = Path(folder) / "manifest.json"
    found = read_json(path) if path.exists() else None
    return isinstance(found, dict) and found.get("format") == FORMAT


class Checkpoint(ManifestFolder):
    """Finished shards of the passes over one class with one weight, kept in a folder.

    Raises CheckpointError, before anything is written, when the folder holds something else.
    """

    def __init__(self, folder: str | os.PathLike[str], task: Pass) -> None:
        super().__init__(folder, _manifest(task), lambda found: f"run: {_describe(found)}")
        wanted = b"" if task.wanted is None else np.packbits(task.wanted).tobytes()
        self.of_pass = self.seal(f"moduli {task.primes}", wanted)

    def _digest(self, path: Path, body: bytes) -> bytes:
        return self.seal(f"{path.name} {self.of_pass}", body).encode()

    def load(self, stage: str, shard: int) -> Arrays | None:
        """The result of a finished shard, or None; CheckpointError when its file is not what ``save`` wrote.

        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     print(Checkpoint(folder, Pass(Tables(4, 2, 2), "tables", (97,))).load("cells", 0))  # not yet done
        None
        """
        path = file_of(self.folder, stage, shard)
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

    def save(self, stage: str, shard: int, result: Arrays) -> None:
        """Keep the result of a shard; the file appears whole or not at all.

        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     store = Checkpoint(folder, Pass(Tables(4, 2, 2), "tables", (97,)))
        ...     store.save("cells", 0, {"counts": np.array([6, 8, 5])})
        ...     store.load("cells", 0)
        {'counts': array([6, 8, 5])}
        """
        path, file = file_of(self.folder, stage, shard), BytesIO()
        np.savez_compressed(file, allow_pickle=False, **result)
        body = file.getvalue()[:-2]  # without the length of a comment that is not there
        write_whole(path, body + _LENGTH + self._digest(path, body))


def _describe(manifest: object) -> str:
    """A manifest in words, for error messages."""
    if isinstance(manifest, dict) and manifest.get("format") == FORMAT:
        made = f"confmat {manifest['version']}, sources {str(manifest['sources'])[:8]}"
        return f"{manifest['class']}, weight {manifest['weight']!r}, made by {made}"
    return "not written by this program"
