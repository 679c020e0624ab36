"""Folders that say in a manifest what their files belong to; each file is written aside, sealed, and renamed."""

import hashlib
import json
import os
import platform
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from confmat.errors import CheckpointError
from confmat.matrices.arguments import as_path

_ASIDE = re.compile(r"\.(\d+)(@.*)?\.tmp$")


class ManifestFolder:
    """A folder with a manifest.json, made where there is none.

    Raises CheckpointError, before anything is written, when the folder holds something else: another manifest,
    which ``other`` puts into words, or files without one.  What a run that was killed left half written is removed.

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
        self.folder = as_path("checkpoint", folder)
        path, text = self.folder / "manifest.json", _text(manifest)
        self.owner = _sha256(text.encode())
        if path.exists():
            self._compare(path, manifest, other)
        else:
            self._make()
            write_whole(path, text.encode())
        for leftover in self._leftovers():
            leftover.unlink(missing_ok=True)

    def _compare(self, path: Path, manifest: dict[str, object], other: Callable[[Any], str]) -> None:
        found = read_json(path)
        if found != manifest:
            try:
                named = other(found)
            except (KeyError, TypeError, AttributeError):
                named = "run: its manifest is not complete"
            raise CheckpointError(f"checkpoint {self.folder} belongs to another {named}")
        if path.read_bytes() != _text(manifest).encode():
            raise CheckpointError(f"checkpoint file {path} was altered")

    def _make(self) -> None:
        try:
            if self.folder.exists() and set(self.folder.iterdir()) - set(self._leftovers()):
                raise CheckpointError(
                    f"checkpoint {self.folder} is not empty and has no manifest.json: left as it is"
                )
            self.folder.mkdir(parents=True, exist_ok=True)
            _to_disk(self.folder.parent)
        except OSError as error:
            raise CheckpointError(f"checkpoint {self.folder} cannot be written: {error}") from error

    def _leftovers(self) -> Iterator[Path]:
        """Files that processes of this machine were writing, which are no more."""
        for path in sorted(self.folder.glob("*.tmp")):
            found = _ASIDE.search(path.name)
            if found and found[2] in (None, f"@{platform.node()}") and not _is_alive(int(found[1])):
                yield path

    def seal(self, name: str, body: bytes) -> str:
        """A digest of the content of a file that tells of what run and which file it is."""
        return _sha256(f"{self.owner} {name}\n".encode(), body)

    def read_sealed_json(self, path: Path) -> Any:
        """What ``write_sealed_json`` wrote, None if nothing; CheckpointError where a byte is another one."""
        if not path.exists():
            return None
        content = read_json(path)
        body = {key: x for key, x in content.items() if key != "seal"} if isinstance(content, dict) else {}
        if path.read_bytes() != self._sealed(path, body):
            raise damaged(path, "it does not have the digest that was written with it")
        return body

    def write_sealed_json(self, path: Path, content: dict[str, object]) -> None:
        """Content as a file with its digest, whole or not at all."""
        write_whole(path, self._sealed(path, content))

    def _sealed(self, path: Path, content: dict[str, object]) -> bytes:
        return _text(content | {"seal": self.seal(path.name, _text(content).encode())}).encode()


def damaged(path: Path, why: object) -> CheckpointError:
    """The error for a file whose content is not what was written."""
    return CheckpointError(f"checkpoint file {path} is damaged ({why}); remove it to redo its part")


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
    aside = target.with_name(f".{target.name}.{os.getpid()}@{platform.node()}.tmp")
    try:
        yield aside
        _to_disk(aside)
        aside.replace(target)
        _to_disk(target.parent)
    finally:
        aside.unlink(missing_ok=True)


def _to_disk(path: Path) -> None:
    """A file, or the names in a folder, where the system can do that."""
    if os.name == "posix":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _is_alive(process: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _text(content: dict[str, object]) -> str:
    return json.dumps(content, indent=1)


def _sha256(*parts: bytes) -> str:
    sha = hashlib.sha256()
    for part in parts:
        sha.update(part)
    return sha.hexdigest()
