"""Checkpoints belong to what made them: whatever is altered, an error names the file, and no number comes out."""

import os
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import confmat as cm
from confmat import Limits
from confmat._engine import checkpoint
from confmat.classes import FixedMargins, Tables
from confmat.errors import CheckpointError

SMALL = Tables(5, 2, 3)


# Every kind of run that keeps blocks or classes.
KINDS = {
    "table": lambda folder: list(
        cm.joint_distribution(SMALL, "med", "ard", limits=Limits(threads=1, checkpoint=folder))
    ),
    "labelings": lambda folder: (
        cm.joint_distribution(
            SMALL, "rd", "med", weight="labelings", limits=Limits(threads=1, checkpoint=folder)
        ).digest
    ),
    "search": lambda folder: cm.maximize(
        SMALL, "ard", method="exhaustive", limits=Limits(threads=1, checkpoint=folder)
    ).to_json(),
    "check": lambda folder: (
        cm.check(
            cm.Conjecture("small", "med < 1"),
            [Tables(n, 2, 2) for n in (3, 4)],
            limits=Limits(checkpoint=folder),
        ).digest
    ),
}


def refused(kind, folder, path):
    """The one line that names the file."""
    with pytest.raises(CheckpointError) as caught:
        KINDS[kind](folder)
    message = str(caught.value)
    assert path.name in message
    assert "\n" not in message


@pytest.mark.usefixtures("many_pieces")
@pytest.mark.parametrize("kind", KINDS)
def test_each_altered_checkpoint_is_refused(kind, tmp_path):
    answer = KINDS[kind](tmp_path)
    assert KINDS[kind](tmp_path) == answer  # resumed
    files = sorted(tmp_path.iterdir())
    assert len(files) > 2
    for path in files:
        try:
            content = path.read_bytes()
            path.write_bytes(b"")
            refused(kind, tmp_path, path)
        except pytest.fail.Exception:  # a finished class does not need its chunks
            assert kind == "check"
            path.write_bytes(content)
            continue
        some = np.random.default_rng(1).integers(len(content), size=6).tolist()
        for at in [0, len(content) // 2, len(content) - 1, *some]:
            path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
            refused(kind, tmp_path, path)
        for shorter in (content[:10], content[:-1], content[: len(content) // 2], content + b"\n"):
            path.write_bytes(shorter)
            refused(kind, tmp_path, path)
        for other in files:
            if other != path:
                path.write_bytes(other.read_bytes())
                refused(kind, tmp_path, path)
        path.write_bytes(content)
    assert KINDS[kind](tmp_path) == answer


# --- what a run is made of ------------------------------------------------------------------------


@dataclass(frozen=True)
class Own(FixedMargins):
    """A class whose name does not tell all of it."""

    def __repr__(self):
        return "Own()"


def test_the_chunks_of_another_class_are_not_used(tmp_path):
    def run(matrices, **where):
        return list(cm.joint_distribution(matrices, "med", "ard", limits=Limits(threads=1, **where)))

    for matrices in (Own((3, 2), (4, 1)), Own((3, 2), (3, 2))):
        assert run(matrices, checkpoint=tmp_path) == run(matrices)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_chunks_of_other_sources_are_refused(kind, tmp_path, monkeypatch):
    answer = KINDS[kind](tmp_path)
    assert KINDS[kind](tmp_path) == answer
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(checkpoint, "package_digest", lambda: "0" * 64)
    with pytest.raises(CheckpointError, match=rf"{before[0].name}, a chunk of another version of confmat"):
        KINDS[kind](tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_a_check_of_more_classes_goes_on(tmp_path):
    def check(largest, **where):
        return cm.check("med < 1", [Tables(n, 2, 2) for n in range(2, largest)], **where)

    assert check(6, limits=Limits(checkpoint=tmp_path)).resumed == 0
    more = check(9, limits=Limits(checkpoint=tmp_path))
    assert (more.resumed, more.digest) == (4, check(9).digest)


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


def test_temporary_files_of_ended_processes_are_removed_and_those_of_others_are_not(tmp_path):
    folder, dead, host = tmp_path / "run", dead_process(), socket.gethostname()
    answer = KINDS["table"](folder)
    mine, others = f".part.npz.7.{os.getpid()}@{host}.tmp", f".part.npz.7.{dead}@elsewhere.tmp"
    for name in (mine, others, f".part.npz.7.{dead}@{host}.tmp"):
        (folder / name).write_bytes(b"PK\x03\x04 half a file")
    assert KINDS["table"](folder) == answer
    assert {path.name for path in folder.iterdir() if path.suffix == ".tmp"} == {mine, others}


def test_a_folder_with_other_temporary_files_is_left_alone(tmp_path):
    (tmp_path / "letter.tmp").write_text("important")
    with pytest.raises(CheckpointError, match=r"contains letter\.tmp, which is not a chunk"):
        KINDS["table"](tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.tmp"]


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CheckpointError, match=r"file .*npz cannot be written: .*No space left"):
        checkpoint.Chunks(tmp_path).save("q", 0, {})
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_on_the_disk_before_its_name_is_and_then_its_folder(tmp_path, monkeypatch):
    done = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(
        os, "fsync", lambda file: (done.append(os.path.realpath(f"/proc/self/fd/{file}")), sync(file))
    )
    monkeypatch.setattr(Path, "replace", lambda self, to: (done.append("renamed"), replace(self, to))[1])
    checkpoint.Chunks(tmp_path).save("q", 0, {})
    aside, renamed, folder = done
    assert (Path(aside).suffix, renamed, folder) == (".tmp", "renamed", str(tmp_path))
