"""Checkpoints: a folder with a manifest and one file per finished shard, each written aside and renamed.

A run that was killed finds its finished shards again.  A folder made by other parameters, another version of the
kernels, or another program is refused and left as it is.
"""

import os
import zipfile
from pathlib import Path

import numpy as np

from confmat.engine.folders import ManifestFolder, write_whole
from confmat.engine.work import Arrays, Pass
from confmat.errors import CheckpointError

# Raise when a kernel, a reduction or the layout of a shard's result changes: older checkpoints then do not mix.
KERNEL_VERSION = 3


def _manifest(task: Pass) -> dict[str, object]:
    return {
        "format": "confmat checkpoint",
        "kernel": KERNEL_VERSION,
        "class": repr(task.matrices),
        "weight": task.weight,
        "primes": list(task.primes),
    }


class Checkpoint(ManifestFolder):
    """Finished shards of the passes over one class with one weight, kept in a folder.

    Raises CheckpointError, before anything is written, when the folder holds something else.
    """

    def __init__(self, folder: str | os.PathLike[str], task: Pass) -> None:
        super().__init__(folder, _manifest(task), lambda found: f"run: {_describe(found)}")

    def _path(self, stage: str, shard: int) -> Path:
        return self.folder / f"{stage}-{shard:04d}.npz"

    def load(self, stage: str, shard: int) -> Arrays | None:
        """The result of a finished shard, or None; CheckpointError when its file is damaged.

        >>> from tempfile import TemporaryDirectory
        >>> from confmat.classes import Tables
        >>> with TemporaryDirectory() as folder:
        ...     print(Checkpoint(folder, Pass(Tables(4, 2, 2), "tables", (97,))).load("cells", 0))  # not yet done
        None
        """
        path = self._path(stage, shard)
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as file:
                return {name: file[name] for name in file.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            raise CheckpointError(
                f"checkpoint file {path} is damaged ({error}); remove it to redo the shard"
            ) from error

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
        path = self._path(stage, shard)
        write_whole(path, lambda file: np.savez_compressed(file, allow_pickle=False, **result))


def _describe(manifest: object) -> str:
    """A manifest in words, for error messages."""
    if isinstance(manifest, dict) and manifest.get("format") == "confmat checkpoint":
        return f"{manifest['class']}, weight {manifest['weight']!r}, kernel version {manifest['kernel']}"
    return "not written by this program"
