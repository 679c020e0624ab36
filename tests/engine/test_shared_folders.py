"""Checkpoints that other processes write: at the same time, before, and in an older version."""

import os
import socket

import elsewhere
import pytest

import confmat as cm
from confmat._engine import run
from confmat.classes import Tables
from confmat.errors import CheckpointError

CLASS = Tables(16, 3, 3)
CHECK = "ard <= 2"


def law(folder):
    return cm.joint_distribution(CLASS, "med", "ard", limits=cm.Limits(threads=1, checkpoint=folder))


OF_LAW = (
    f"import sys, confmat as cm\n"
    f"where = cm.Limits(threads=1, checkpoint=sys.argv[1])\n"
    f"print(cm.joint_distribution(cm.classes.{CLASS!r}, 'med', 'ard', limits=where).digest)\n"
)
OF_CHECK = (
    "import sys, confmat as cm\n"
    "classes = [cm.Tables(n, 2, 3) for n in range(4, 9)]\n"
    f"print(cm.check({CHECK!r}, classes, limits=cm.Limits(checkpoint=sys.argv[1])).digest)\n"
)


# --- at the same time -------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [OF_LAW, OF_CHECK], ids=["law", "check"])
def test_processes_that_begin_together_all_go_on(program, tmp_path):
    """They wait for one another, and then all make the folder."""
    together = (
        "import sys, os, time, pathlib, confmat.conjectures\n"
        "(pathlib.Path(sys.argv[2]) / str(os.getpid())).touch()\n"
        "while len(os.listdir(sys.argv[2])) < 4: time.sleep(0.001)\n"
    )
    (tmp_path / "ready").mkdir()
    running = [elsewhere.begin(together + program, tmp_path / "kept", tmp_path / "ready") for _ in range(4)]
    said = [each.ended() for each in running]
    assert len({out for _, out, _ in said}) == 1, said
    assert [code for code, _, _ in said] == [0] * 4
    assert not list((tmp_path / "kept").glob("*.tmp"))


def test_a_file_that_another_process_is_writing_is_no_foreign_file(tmp_path):
    neighbour = tmp_path / f".part.npz.7.{os.getppid()}@{socket.gethostname()}.tmp"
    neighbour.write_text("PK")
    assert law(tmp_path).digest == law(tmp_path / "alone").digest
    assert neighbour.exists()


# --- before -----------------------------------------------------------------------------------------


def test_chunks_of_another_process_are_used(tmp_path, monkeypatch):
    said = elsewhere.run(OF_LAW, tmp_path).strip()
    monkeypatch.setattr(run, "block_of", None)
    here = law(tmp_path)
    assert here.digest == said
    assert here.assumptions == ()


# --- long before ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["manifest.json", "signatures-0000.npz", "class-00000.json"])
def test_a_folder_of_an_older_version_is_refused_by_name(name, tmp_path):
    (tmp_path / name).write_text("{}")
    for call in (
        lambda: law(tmp_path).digest,
        lambda: cm.check(CHECK, CLASS, limits=cm.Limits(checkpoint=tmp_path)),
    ):
        with pytest.raises(CheckpointError, match=f"contains {name}, which is not a chunk"):
            call()
    assert len(list(tmp_path.iterdir())) == 1
