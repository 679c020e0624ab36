"""Folders that say in a manifest what their files belong to; each file is written aside and renamed."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from confmat.errors import CheckpointError


class ManifestFolder:
    """A folder with a manifest.json, made where there is none.

    Raises CheckpointError, before anything is written, when the folder holds something else: another manifest,
    which ``other`` puts into words, or files without one.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     _ = ManifestFolder(name, {"of": "this"}, str)
    ...     ManifestFolder(name, {"of": "that"}, lambda found: f"thing, {found['of']}").folder.is_dir()
    Traceback (most recent call last):
    ...
    confmat.errors.CheckpointError: checkpoint ... belongs to another thing, this
    """

    def __init__(
        self, folder: str | os.PathLike[str], manifest: dict[str, object], other: Callable[[Any], str]
    ) -> None:
        self.folder = Path(folder)
        path = self.folder / "manifest.json"
        if path.exists():
            found = read_json(path)
            if found != manifest:
                raise CheckpointError(f"checkpoint {self.folder} belongs to another {other(found)}")
            return
        try:
            if self.folder.exists() and any(self.folder.iterdir()):
                raise CheckpointError(
                    f"checkpoint {self.folder} is not empty and has no manifest.json: left as it is"
                )
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CheckpointError(f"checkpoint {self.folder} cannot be written: {error}") from error
        write_json(path, manifest)


def read_json(path: Path) -> Any:
    """The content of a file, or a CheckpointError that names it."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise CheckpointError(f"checkpoint file {path} cannot be read: {error}") from error


def write_json(path: Path, content: Any) -> None:
    """Content as a file, whole or not at all."""
    write_whole(path, lambda file: file.write(json.dumps(content, indent=1).encode()))


def write_whole(path: Path, write: Callable[[IO[bytes]], Any]) -> None:
    """A file that is on the disk before it gets its name."""
    aside = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        with aside.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise CheckpointError(f"checkpoint file {path} cannot be written: {error}") from error
