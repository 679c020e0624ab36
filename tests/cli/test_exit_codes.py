"""Exit codes mean one thing each, and what ends a command is one line."""

import os
import subprocess
import sys

import pytest
from command_line import fail, succeed

import confmat as cm

TABLE = ("test", "--matrix", "3,1;0,4", "--statistic", "ffh", "--seed", "1")


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (ValueError("table\nmust be"), 2, "table must be"),
        (cm.errors.UndecidedError("undecided"), 2, "undecided"),
        (cm.errors.WorkersLostError("lost"), 2, "lost"),
        (MemoryError(), 2, "out of memory; take a smaller class or fewer threads"),
        (FileNotFoundError(2, "No such file or directory", "x.csv"), 2, "x.csv cannot be read: No such file"),
        (KeyboardInterrupt(), 130, "interrupted; nothing was kept but what was printed"),
        (RuntimeError("a fault"), 70, "RuntimeError: a fault. confmat --debug prints the traceback"),
        (AssertionError(), 70, "AssertionError: . confmat --debug"),
        (RecursionError("depth"), 70, "RecursionError: depth"),
    ],
)
def test_an_error_is_one_line_and_its_code(confmat, monkeypatch, error, code, says):
    def raises(*_, **__):
        raise error

    monkeypatch.setattr(cm, "exact_test", raises)
    assert says in fail(confmat(*TABLE), code)
    found, _, err = confmat("--debug", *TABLE)
    assert found == code
    assert err.startswith("Traceback (most recent call last):") or code == 130
    assert says in err


def test_zero_is_true_and_one_is_refuted(confmat):
    succeed(confmat("check", "ari >= -1/2", "2x2", "n=..5"))
    assert confmat("check", "ari >= 0", "2x2", "n=..5")[0] == 1
    assert confmat("--help")[0] == confmat("table", "--help")[0] == 0
    assert confmat("no-such-command")[0] == confmat()[0] == 2


def process(*arguments, **streams):
    """Return how a process of the program ends."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run([sys.executable, "-m", "confmat", *arguments], text=True, **streams)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("check", "ari >= -1/2", "2x2", "n=..4"),
        ("sample", "20", "3", "3", "--size", "9999"),
        ("table", "8", "2", "2", "--json"),
    ],
)
def test_a_reader_that_left_is_no_refutation(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    ended = process(*arguments, stdout=writing)
    os.close(writing)
    assert ended.returncode == 141
    assert "Error" not in ended.stderr
    assert "Exception" not in ended.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [("table", "6", "2", "2"), ("statistics", "--json"), ("--version",)])
def test_output_that_cannot_be_written_is_one_line(arguments):
    with open("/dev/full", "w") as full:
        ended = process(*arguments, stdout=full)
    assert (ended.returncode, ended.stderr) == (2, "confmat: [Errno 28] No space left on device\n")


def test_closed_streams_are_said_or_passed_over():
    command = f"{sys.executable} -m confmat table 6 2 2"
    ended = subprocess.run(f"{command} >&-", shell=True, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (2, "confmat: standard output is closed\n")
    ended = subprocess.run(f"{command} 2>&-", shell=True, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout[:7]) == (0, "All 2 x")
    ended = subprocess.run(f"{command} --no-such 2>&-", shell=True, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (2, "")
