"""Checkpoints that other processes write: at the same time, before, in an older version, and with other numbers."""

import json
import os
import shutil
import socket
from pathlib import Path

import elsewhere
import pytest

import confmat as cm
from confmat._engine import run
from confmat.classes import Tables
from confmat.errors import CheckpointError

CLASS = Tables(16, 3, 3)
CHECK = "ard <= 2"


def law(folder):
    return cm.joint(CLASS, "med", "ard", resources=cm.Resources(threads=1, checkpoint=folder))


OF_LAW = (
    f"import sys, confmat as cm\n"
    f"where = cm.Resources(threads=1, checkpoint=sys.argv[1])\n"
    f"print(cm.joint(cm.classes.{CLASS!r}, 'med', 'ard', resources=where).digest)\n"
)
OF_CHECK = (
    "import sys, confmat as cm\n"
    "classes = [cm.Tables(n, 2, 3) for n in range(4, 9)]\n"
    f"print(cm.check({CHECK!r}, classes, checkpoint=sys.argv[1]).digest)\n"
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


def test_a_manifest_that_another_process_is_writing_is_no_foreign_file(tmp_path):
    """One process died of the temporary file of the other, which is alive."""
    neighbour = tmp_path / f".manifest.json.{os.getppid()}@{socket.gethostname()}.tmp"
    neighbour.write_text('{"format"')
    assert law(tmp_path).digest == law(tmp_path / "alone").digest
    assert neighbour.exists()


@pytest.mark.parametrize("linked", [True, False], ids=["links", "no links"])
def test_of_two_other_runs_the_second_is_refused(linked, tmp_path, monkeypatch):
    """A manifest that comes to be while another one is written stays as it is."""
    other = tmp_path / "other"
    elsewhere.run(OF_CHECK, other)
    manifest = (other / "manifest.json").read_bytes()
    link = Path.hardlink_to

    def too_late(self, target):
        self.write_bytes(manifest)
        if not linked:
            raise PermissionError("no links here")
        link(self, target)

    monkeypatch.setattr(Path, "hardlink_to", too_late)
    with pytest.raises(CheckpointError, match="belongs to another run"):
        _ = law(tmp_path / "kept").digest
    assert {path.name: path.read_bytes() for path in (tmp_path / "kept").iterdir()} == {
        "manifest.json": manifest
    }


# --- before -----------------------------------------------------------------------------------------


def test_a_law_read_from_a_folder_says_so_and_is_computed_again_in_part(tmp_path, monkeypatch):
    computed = []
    block_of = run.block_of
    monkeypatch.setattr(run, "block_of", lambda *given: (computed.append(given), block_of(*given))[1])
    here = law(tmp_path / "here")
    assert here.digest == law(tmp_path / "here").digest
    assert here.basis == "guarded"
    files = len(list((tmp_path / "here").glob("*.npz")))
    assert len(computed) == files
    assert elsewhere.run(OF_LAW, tmp_path / "there").strip() == here.digest
    for read in (law, cm.open_law):
        computed.clear()
        found = read(tmp_path / "there")
        assert found.basis == "guarded, read from a folder"
        assert repr(found).endswith("read from a folder>")
        if read is law:
            assert law(tmp_path / "there").digest == here.digest
            assert computed
    here.save(tmp_path / "file")
    assert cm.open_law(tmp_path / "file").basis == "guarded, read from a file"


FORGED = """
import sys, confmat as cm
from confmat._engine.checkpoint import Checkpoint
matrices = cm.classes.{matrices!r}
store = Checkpoint(sys.argv[1], matrices)
for block in range(len(list(store.folder.glob("*.npz")))):
    arrays = store.load(block)
    arrays["weights"][0] += 1
    arrays["weights"][1] -= 1
    store.save(block, arrays)
"""


@pytest.fixture(scope="module")
def forged(tmp_path_factory):
    """A folder of another process, with other numbers of the same total."""
    folder = tmp_path_factory.mktemp("forged")
    elsewhere.run(OF_LAW, folder)
    elsewhere.run(FORGED.format(matrices=CLASS), folder)
    return folder


@pytest.mark.parametrize("door", ["joint", "open", "check", "search"])
def test_parts_with_other_numbers_and_the_same_total_are_refused(door, forged, tmp_path):
    shutil.copytree(forged, tmp_path, dirs_exist_ok=True)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    doors = {
        "joint": lambda: law(tmp_path).digest,
        "open": lambda: cm.open_law(tmp_path).digest,
        "check": lambda: cm.check(CHECK, CLASS, checkpoint=tmp_path),
        "search": lambda: cm.maximize(
            CLASS, "ard", method="exhaustive", resources=cm.Resources(checkpoint=tmp_path)
        ),
    }
    with pytest.raises(
        CheckpointError, match=r"signatures-.*\.npz is not of what was asked: .* other numbers"
    ):
        doors[door]()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


# --- long before ------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["confmat checkpoint", "confmat checkpoint 1", "confmat check"])
def test_a_folder_of_an_older_version_says_that_it_is_older(form, tmp_path):
    (tmp_path / "manifest.json").write_text(json.dumps({"format": form, "version": "0.9", "json": {}}))
    doors = {
        "confmat check": lambda: cm.check(CHECK, Tables(4, 2, 2), checkpoint=tmp_path),
    }
    of_law = [lambda: law(tmp_path).digest, lambda: cm.open_law(tmp_path)]
    for door in [doors[form]] if form in doors else of_law:
        with pytest.raises(CheckpointError, match=f"is older than this confmat: its format is '{form}', not"):
            door()
    assert len(list(tmp_path.iterdir())) == 1
