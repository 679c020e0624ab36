"""On a terminal there are colours, unless NO_COLOR asks for none."""

import os
import pty
import re
import subprocess
import sys

COMMANDS = "run(['table', '5', '2', '2']); print('=====', flush=True); run(['table', '--help'])"
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")


def on_a_terminal(**variables):
    """What two commands write to a pseudo-terminal, which is their standard output and error: a table, then help."""
    environment = {name: x for name, x in os.environ.items() if name not in ("NO_COLOR", "CI")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "80"} | variables
    ours, its = pty.openpty()
    command = [sys.executable, "-c", f"from confmat.cli.app import run; {COMMANDS}"]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment) as process:
        os.close(its)
        parts = []
        try:
            while part := os.read(ours, 4096):
                parts.append(part)
        except OSError:  # how the end of a pseudo-terminal looks on Linux
            pass
    os.close(ours)
    assert process.returncode == 0
    return b"".join(parts).decode().split("=====")


def test_no_color():
    assert all(map(COLOUR.search, on_a_terminal()))
    table, shown = on_a_terminal(NO_COLOR="1")
    assert not COLOUR.search(table + shown)
    assert "All 2 x 2 tables" in table
    assert "Options" in shown
