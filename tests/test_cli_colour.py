"""On a terminal there are colours, unless NO_COLOR asks for none."""

import os
import pty
import re
import subprocess
import sys

import pytest

COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")


def on_a_terminal(*arguments, **variables):
    """Everything that the command writes to a pseudo-terminal, which is its standard output and error."""
    environment = {name: x for name, x in os.environ.items() if name not in ("NO_COLOR", "CI")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "80"} | variables
    ours, its = pty.openpty()
    command = [sys.executable, "-m", "confmat", *arguments]
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
    return b"".join(parts).decode()


@pytest.mark.parametrize("arguments", [("reproduce", "flynt2019", "table-2"), ("reproduce", "--help")])
def test_no_color(arguments):
    assert COLOUR.search(on_a_terminal(*arguments))
    plain = on_a_terminal(*arguments, NO_COLOR="1")
    assert not COLOUR.search(plain)
    assert "reproduce" in plain or "table-2" in plain
