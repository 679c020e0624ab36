"""What a killed or interrupted run leaves behind: the next run continues, and removes temporary files."""

import os
import platform
import stat
import subprocess
import sys

import duckdb
import pytest
from command_line import succeed

import confmat as cm

BUILD = ("archive", "build", "--out", "tables", "2x2", "n=4")


@pytest.mark.parametrize("step", ["written_whole", "Path.write_text", "duckdb.connect"])
def test_an_archive_that_was_interrupted_at_any_step_can_be_built(confmat, tmp_path, monkeypatch, step):
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(f"confmat.archive.files.{step}", interrupt)
        assert confmat(*BUILD)[0] == 130
    succeed(confmat(*BUILD))
    succeed(confmat("archive", "verify", "tables"))


def interrupt(*_):
    raise KeyboardInterrupt


def ended_process():
    """Return the id of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.parametrize(
    "command",
    [
        "table 4 2 2 --joint {}/law.csv",
        "table 4 2 2 --checkpoint {}",
        "sample 4 2 2 --out {}/draws.parquet",
        "archive build --out {} 2x2 n=4",
    ],
)
def test_temporary_files_of_ended_processes_are_removed(confmat, tmp_path, command):
    killed, running = ended_process(), os.getpid()
    for process, host in ((killed, platform.node()), (running, platform.node()), (killed, "elsewhere")):
        (tmp_path / f".law_csv.1.{process}@{host}.tmp").touch()
    (tmp_path / f".draws_parquet.1.{killed}@{platform.node()}.tmp.duckdb").touch()
    succeed(confmat(*command.format(tmp_path).split()))
    left = {path.name for path in tmp_path.glob(".*")}
    assert left == {
        f".law_csv.1.{running}@{platform.node()}.tmp",
        f".law_csv.1.{killed}@elsewhere.tmp",
    }


def test_a_file_that_is_written_again_keeps_its_mode(tmp_path):
    law = cm.joint_distribution(cm.Tables(4, 2, 2), "ard")
    file = tmp_path / "law.csv"
    for mode in (0o600, 0o664):
        file.touch()
        file.chmod(mode)
        law.to_csv(file)
        assert (stat.S_IMODE(file.stat().st_mode), file.read_text()[:9]) == (mode, "ard,ard_n")


def test_an_interrupt_before_the_first_class_is_no_certificate(tmp_path):
    classes = [cm.Tables(n, 2, 2) for n in range(2, 6)]
    with pytest.raises(KeyboardInterrupt):
        cm.check("ari >= -1/2", classes, limits=cm.Limits(progress=interrupt, checkpoint=tmp_path))
    stored = cm.check("ari >= -1/2", classes[:2], limits=cm.Limits(checkpoint=tmp_path))
    assert len(stored.entries) == 2
    more = cm.check("ari >= -1/2", classes, limits=cm.Limits(checkpoint=tmp_path))
    assert (more.resumed, more.left, len(more.entries)) == (2, 0, 4)


def test_the_time_left_follows_the_last_chunks(monkeypatch):
    seconds = [0.0]
    monkeypatch.setattr("confmat._limits.monotonic", lambda: seconds[0])
    left = []
    watch = cm._limits.Watch(
        "counting", cm.Limits(progress=lambda at: left.append(at.seconds_left)), 1000, 1000
    )
    for chunk in range(500):
        seconds[0] += 1.0 if chunk < 400 else 0.01
        watch.step(1)
    assert left[399] == pytest.approx(600)
    assert left[499] == pytest.approx(5)


def test_functions_are_not_stored_in_a_checkpoint(tmp_path):
    limits = cm.Limits(checkpoint=tmp_path / "run")
    for call in (cm.maximize, cm.minimize, cm.joint_distribution):
        with pytest.raises(ValueError, match=r"checkpoint does nothing for .*, computed in one piece"):
            _ = list(call(cm.Tables(4, 2, 2), lambda table: int(table.max()), limits=limits))
    assert not list(tmp_path.iterdir())


def test_an_interrupt_during_the_imports_is_a_line(tmp_path):
    """A traceback was printed for Ctrl-C in the first moments of a command."""
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-m", "confmat", "table", "4", "2", "2"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (130, "confmat: interrupted\n")


def test_an_interrupt_while_a_command_is_loaded_is_no_traceback(confmat, monkeypatch):
    monkeypatch.setattr("confmat.cli.app.import_module", interrupt)
    code, out, err = confmat("table", "4", "2", "2")
    assert (code, out) == (130, "")
    assert err.startswith("confmat: interrupted")


def test_an_interrupted_query_of_duckdb_is_an_interrupt(confmat, tmp_path, monkeypatch):
    """DuckDB raises RuntimeError on Ctrl-C, which was reported as a fault of the program."""

    def write_draws(*_):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("confmat.sampling.files.write_draws", write_draws)
    code, _, err = confmat("sample", "9", "2", "2", "--out", str(tmp_path / "draws.parquet"))
    assert code == 130
    assert "interrupted" in err.splitlines()[-1]


@pytest.mark.parametrize("error", [duckdb.IOException, duckdb.TransactionException])
def test_a_full_disk_is_a_sentence_for_each_error_of_duckdb(confmat, tmp_path, monkeypatch, error):
    def write_draws(*_):
        raise error("Failed to commit: No space left on device")

    monkeypatch.setattr("confmat.sampling.files.write_draws", write_draws)
    path = tmp_path / "draws.parquet"
    code, _, err = confmat("sample", "9", "2", "2", "--out", str(path))
    assert (code, err.splitlines()[-1]) == (
        2,
        f"confmat: --out {path} cannot be written: Failed to commit: No space left on device",
    )


def test_duckdb_out_of_memory_is_a_sentence(confmat, monkeypatch):
    def build(*_, **__):
        raise duckdb.OutOfMemoryException("Allocation failure")

    monkeypatch.setattr("confmat.archive.build", build)
    code, _, err = confmat(*BUILD)
    assert (code, err.splitlines()[-1]) == (
        2,
        "confmat: out of memory; take a smaller class or fewer threads",
    )
