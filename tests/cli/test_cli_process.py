"""The program as a process: terminals, pipes, help, start."""

import os
import pty
import signal
import subprocess
import sys
from functools import partial

import pytest
from command_line import succeed


def on_a_terminal(command, folder):
    """What a command writes to a terminal as standard error; its standard output goes to a file."""
    control, terminal = pty.openpty()
    with open(folder / "out", "wb") as out:
        arguments = [sys.executable, "-m", "confmat", *command.split()]
        process = subprocess.Popen(arguments, stdin=terminal, stdout=out, stderr=terminal)
    os.close(terminal)
    shown = b""
    try:
        while part := os.read(control, 65536):
            shown += part
    except OSError:  # the end of a terminal, on Linux
        pass
    os.close(control)
    assert process.wait() == 0, shown
    return shown.decode(), (folder / "out").read_text()


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("sample 20 3 3 --size 3 --seed 1", "Drawing"),
        ("table 8 3 3 --only ari --json", "matrices"),
    ],
)
def test_progress_never_takes_the_output_along(tmp_path, command, says):
    shown, out = on_a_terminal(command, tmp_path)
    assert says in shown
    assert out.startswith(("{", "n_1_1,"))
    assert "\x1b" not in out


def test_labels_that_the_terminal_cannot_show(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("a,b\n\u00e9,1\n\u20ac,2\n", encoding="utf-8")
    command = [sys.executable, "-m", "confmat", "compare", str(path)]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert all(letter in result.stdout for letter in (r"\xe9", r"\u20ac"))


@pytest.mark.parametrize(
    "command",
    [
        "table",
        "count",
        "compare",
        "classification-report",
        "search",
        "check",
        "conjectures",
        "verify",
        "sample",
    ]
    + ["test"]
    + [f"archive {name}" for name in ("build", "query", "verify")],
)
def test_help_shows_examples(confmat, command):
    shown = succeed(confmat(*command.split(), "--help"))
    assert shown.count(f"confmat {command} ") > 1  # the usage, and an example


@pytest.mark.parametrize("arguments", [["table", "8", "2", "2"], ["--version"]])
def test_starts_without_the_heavy_libraries_and_other_commands(arguments):
    heavy = {"numba", "scipy", "pandas", "matplotlib", "sympy", "sklearn", "duckdb", "networkx", "hypothesis"}
    heavy |= {"confmat.cli.warmup"}
    code = (
        f"import sys; from confmat.cli.app import run; run({arguments!r});"
        f"print(sorted({heavy!r} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr == "[]\n"


def test_an_interrupted_process_ends_at_once():
    arguments = [sys.executable, "-m", "confmat", "sample", "5000", "4", "4", "--size", "100000000"]
    # A parent that ignores Ctrl-C (a background job) would leave it ignored here.
    listening = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(arguments, **pipes, preexec_fn=listening) as process:
        assert process.stdout.readline().startswith(b"n_1_1,")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()  # an hour, if it did not end
    assert (process.returncode, err) == (
        130,
        b"confmat: interrupted; nothing was kept but what was printed\n",
    )
