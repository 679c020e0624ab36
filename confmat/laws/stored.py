"""Laws on disk: one sealed file, or the finished checkpoint of a pass; both are refused where a byte was changed."""

from __future__ import annotations

import hashlib
import json
import os
from importlib.metadata import version
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from confmat.classes import class_from_json
from confmat.engine.checkpoint import is_of_pass
from confmat.engine.folders import read_json, written_whole
from confmat.engine.signatures import hold, left, read
from confmat.errors import CheckpointError
from confmat.laws.sources import Pass
from confmat.plans.methods import Resources

_FORMAT = "confmat law 1"
_DIGITS = 64  # of the seal, the comment of the zip file: the digest of all that comes before it


def save(path: str | os.PathLike[str], of: Pass) -> None:
    """The signatures of a pass as a sealed file, whole or not at all; see ``Law.save``."""
    head = {
        "format": _FORMAT,
        "version": version("confmat"),
        "class": of.matrices.to_json(),
        "weight": of.weight,
    }
    with written_whole(path) as aside:
        with aside.open("wb") as file:
            law = np.frombuffer(json.dumps(head).encode(), np.uint8)
            np.savez_compressed(file, allow_pickle=False, law=law, **of.signatures.arrays())
        with aside.open("r+b") as file:
            file.seek(-2, os.SEEK_END)
            file.write(_DIGITS.to_bytes(2, "little"))
        seal = _digest(aside.read_bytes())
        with aside.open("ab") as file:
            file.write(seal)


def _digest(content: bytes | memoryview) -> bytes:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest().encode()


def load(path: Path) -> Pass:
    """The pass of a file, or of a folder; CheckpointError for what is damaged, not finished, or something else."""
    return _of_folder(path) if path.is_dir() else _of_file(path)


def _of_folder(folder: Path) -> Pass:
    """The law of a checkpoint that has all of its shards."""
    if not is_of_pass(folder):
        raise CheckpointError(f"checkpoint {folder} is not one of a law")
    manifest = read_json(folder / "manifest.json")
    try:
        matrices, weight = class_from_json(manifest["json"]), manifest["weight"]
    except (KeyError, TypeError, ValueError) as error:
        raise CheckpointError(f"checkpoint {folder} is of a class that cannot be read: {error}") from error
    where = Resources(checkpoint=folder)
    if missing := left(matrices, weight, where):
        raise CheckpointError(
            f"checkpoint {folder} has no finished law: {missing:.1%} of the signatures of {matrices!r} are missing"
        )
    return Pass(matrices, weight, where, hold(matrices, weight, where))


def _of_file(path: Path) -> Pass:
    content = memoryview(path.read_bytes())
    if content[-_DIGITS:] != _digest(content[:-_DIGITS]):
        raise CheckpointError(f"{path} is damaged, or no file of law.save: it does not end with its digest")
    del content
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = json.loads(arrays.pop("law").tobytes())
        if head["format"] != _FORMAT:
            raise ValueError(f"its format is {head['format']!r}, not {_FORMAT!r}")
        matrices = class_from_json(head["class"])
        return Pass(matrices, head["weight"], Resources(), read(matrices, head["weight"], arrays))
    except (ValueError, KeyError, TypeError, BadZipFile) as error:
        raise CheckpointError(f"{path} is no file of law.save: {error}") from error
