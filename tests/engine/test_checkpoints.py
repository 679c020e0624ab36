"""Checkpoints belong to what made them: whatever is altered, an error names the file, and no number comes out."""

import json
import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import confmat as cm
from confmat._engine import checkpoint
from confmat.classes import FixedMargins, Tables
from confmat.errors import CheckpointError
from confmat.plans import Resources

SMALL = Tables(5, 2, 3)


# Every kind of run that keeps blocks or classes.
KINDS = {
    "table": lambda folder: (
        cm.joint(SMALL, "med", "ard", resources=Resources(threads=1, checkpoint=folder)).support
    ),
    "labelings": lambda folder: (
        cm.joint(
            SMALL, "rd", "med", weight="labelings", resources=Resources(threads=1, checkpoint=folder)
        ).digest
    ),
    "search": lambda folder: cm.maximize(
        SMALL, "ard", method="exhaustive", resources=Resources(threads=1, checkpoint=folder)
    ).to_json(),
    "check": lambda folder: (
        cm.check(
            cm.Conjecture("small", "med < 1"), [Tables(n, 2, 2) for n in (3, 4)], checkpoint=folder
        ).digest
    ),
}


def refused(kind, folder, path):
    """The one line that names the file."""
    with pytest.raises(CheckpointError) as caught:
        KINDS[kind](folder)
    message = str(caught.value)
    assert str(path) in message or str(path.parent) in message
    assert "\n" not in message


def altered(arrays):
    """The arrays with one entry of one of them changed, with one missing, with one more."""
    for name, array in arrays.items():
        for at in {0, array.size // 2, array.size - 1} if array.size else ():
            changed = array.copy()
            changed.flat[at] += 1
            yield arrays | {name: changed}
        yield {other: x for other, x in arrays.items() if other != name}
    yield arrays | {"more": np.arange(3)}


@pytest.mark.usefixtures("many_pieces")
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_altered_is_refused(kind, tmp_path):
    answer = KINDS[kind](tmp_path)
    assert KINDS[kind](tmp_path) == answer  # resumed
    files = sorted(tmp_path.iterdir())
    assert len(files) > 2
    for path in files[:3]:
        content = path.read_bytes()
        some = np.random.default_rng(1).integers(len(content), size=6).tolist()
        for at in [0, len(content) // 2, len(content) - 1, *some]:
            path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
            refused(kind, tmp_path, path)
        for shorter in (b"", content[:10], content[:-1], content[: len(content) // 2], content + b"\n"):
            path.write_bytes(shorter)
            refused(kind, tmp_path, path)
        if path.suffix == ".json":
            for changed in altered_json(json.loads(content)):
                path.write_text(json.dumps(changed, indent=1))
                refused(kind, tmp_path, path)
        else:
            for arrays in altered(dict(np.load(BytesIO(content)))):
                np.savez_compressed(path, **arrays)
                refused(kind, tmp_path, path)
        path.write_bytes(content)
    first, second = [path for path in files if path.name != "manifest.json"][:2]
    first.write_bytes(second.read_bytes())  # whole, and another one
    refused(kind, tmp_path, first)


def altered_json(content):
    """Every value changed or missing, and a key more."""
    for key, value in content.items():
        yield content | {key: value + 1 if isinstance(value, int) else [value]}
        yield {other: x for other, x in content.items() if other != key}
    yield content | {"more": 1}
    yield [content]


def test_parts_that_are_sealed_again_are_caught_by_the_total(tmp_path):
    """Who can write seals can write anything; a total that is not the class's is an error even then."""
    where = Resources(threads=1, checkpoint=tmp_path)
    assert cm.joint(SMALL, "med", "ard", resources=where).support
    store = checkpoint.Checkpoint(tmp_path, SMALL)
    arrays = store.load(0)
    arrays["weights"][0] += 1
    store.save(0, arrays)
    with pytest.raises(cm.errors.ConsistencyError, match="finds tables of weight"):
        _ = cm.joint(SMALL, "med", "ard", resources=where).support


# --- what a run is made of ------------------------------------------------------------------------


@dataclass(frozen=True)
class Own(FixedMargins):
    """A class whose name does not tell all of it."""

    def __repr__(self):
        return "Own()"


def test_a_pass_of_another_class_or_package_is_refused(tmp_path, monkeypatch):
    def run(matrices):
        return cm.joint(matrices, "med", "ard", resources=Resources(threads=1, checkpoint=tmp_path)).support

    law = run(Own((3, 2), (4, 1)))
    assert run(Own((3, 2), (4, 1))) == law
    with pytest.raises(CheckpointError, match="belongs to another run"):
        run(Own((3, 2), (3, 2)))
    monkeypatch.setattr(checkpoint, "package_digest", lambda: "f" * 64)
    with pytest.raises(CheckpointError, match=r"belongs to another run: Own.*sources "):
        run(Own((3, 2), (4, 1)))


def test_a_check_by_another_package_is_refused(tmp_path, monkeypatch):
    answer = KINDS["check"](tmp_path)
    assert KINDS["check"](tmp_path) == answer
    monkeypatch.setattr("confmat._engine.checkpoint.package_digest", lambda: "0" * 64)
    with pytest.raises(CheckpointError, match="belongs to another check"):
        KINDS["check"](tmp_path)


def test_the_digest_of_the_package_sees_a_kernel(tmp_path, monkeypatch):
    here = checkpoint.package_digest()
    copied = tmp_path / "confmat" / "engine"
    copied.mkdir(parents=True)
    (copied / "checkpoint.py").write_text("")
    (copied / "kernels.py").write_text("x = 1")
    monkeypatch.setattr(checkpoint, "__file__", str(copied / "checkpoint.py"))
    one = checkpoint.package_digest.__wrapped__()
    (copied / "kernels.py").write_text("x = 2")
    assert len({here, one, checkpoint.package_digest.__wrapped__()}) == 3
    (copied.parent / "cli").mkdir()
    two = checkpoint.package_digest.__wrapped__()
    (copied.parent / "cli" / "app.py").write_text("shown = True")
    assert checkpoint.package_digest.__wrapped__() == two


# --- killed while writing -------------------------------------------------------------------------


def dead_process():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_leftovers_are_removed_and_those_of_others_are_not(tmp_path):
    folder, dead, host = tmp_path / "run", dead_process(), socket.gethostname()
    folder.mkdir()
    (folder / f"manifest.{dead}@{host}.tmp").write_text("{")  # killed before its manifest
    answer = KINDS["table"](folder)
    assert not list(folder.glob("*.tmp"))
    mine, others = f"cells-0001.{os.getpid()}@{host}.tmp", f"cells-0001.{dead}@elsewhere.tmp"
    for name in (mine, others, f"cells-0000.{dead}@{host}.tmp", f"cells-0002.{dead}.tmp"):
        (folder / name).write_bytes(b"PK\x03\x04 half a file")
    assert KINDS["table"](folder) == answer
    assert {path.name for path in folder.glob("*.tmp")} == {mine, others}


def test_a_folder_with_other_temporary_files_is_left_alone(tmp_path):
    (tmp_path / "letter.tmp").write_text("important")
    with pytest.raises(CheckpointError, match="not empty"):
        KINDS["table"](tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.tmp"]


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CheckpointError, match=r"file .*part.npz cannot be written: .*No space left"):
        checkpoint.write_whole(tmp_path / "part.npz", b"content")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_on_the_disk_before_its_name_is_and_then_its_folder(tmp_path, monkeypatch):
    done = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(
        os, "fsync", lambda file: (done.append(os.path.realpath(f"/proc/self/fd/{file}")), sync(file))
    )
    monkeypatch.setattr(Path, "replace", lambda self, to: (done.append("renamed"), replace(self, to))[1])
    checkpoint.write_whole(tmp_path / "part.npz", b"content")
    aside, renamed, folder = done
    assert (Path(aside).suffix, renamed, folder) == (".tmp", "renamed", str(tmp_path))
