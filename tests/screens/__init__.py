"""What every command prints at 60, 80 and 120 columns: ``python -m tests.screens`` writes the files anew.

Each file has a command after a dollar sign, and below it what it prints.
"""

import io
import os
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from pkgutil import resolve_name
from unittest.mock import patch

from tests.command_line import run

WIDTHS = (60, 80, 120)
LONGEST = 90  # lines of a screen that are kept
HERE = Path(__file__).parent
LABELS = {
    "labels.csv": "doctor,cluster\n"
    + "\n".join(map(",".join, zip("aaaaaaaabbbbbcccccc", "1111112122222333313"))),
    "several.csv": "doctor,ward,em\n" + "\n".join(map(",".join, zip("aaabbb", "112222", "121323"))),
    "species.csv": "truth,prediction\n"
    + "setosa,setosa\n" * 50
    + "versicolor,versicolor\n" * 48
    + "versicolor,virginica\n" * 2
    + "virginica,virginica\n" * 47
    + "virginica,versicolor\n" * 3,
}
COMMANDS = (
    "table 20 3 3",
    "table 9 2 2 --only med",
    "table 9 2 2 --format md",
    "count 50 4 4",
    "count 2..5 3 3",
    "compare labels.csv",
    "compare several.csv",
    "compare --matrix '97,1,2,0,1,3,0,4,10000;0,1,2,3,4,5,6,7,8;8,7,6,5,4,3,2,1,0'",
    "classification-report species.csv",
    "search ard 20 3 3",
    "statistics",
    "check 'med<=1/5 -> ard<=1' 3x3 n=3..10 --out cert.json",
    "check 'med<=1/3 -> ari>=0' 2x2 n=..8",
    "verify cert.json",
    "check-metric rd --identity 1 --n 3 --examples 5",
    "sample 20 3 3 --size 2 --seed 1",
    "test labels.csv",
    "test labels.csv --statistic ffh",
    "archive build --out small 2x2 n=4..5",
    "archive verify small",
    "archive query small 'SELECT n, r, s, weight, matrices, total, points FROM classes'",
    "conjectures",
)


def screen(command, width):
    """What a command prints on a page of so many columns; times left out."""
    return screen_at_widths(command, [width])[width]


def screen_at_widths(command, widths):
    """The same for several widths: it answers once, and what it shows is laid out for each."""
    pages = {width: io.StringIO() for width in widths}
    show = resolve_name("confmat.cli.output.show")

    def show_at_widths(parts):
        listed = list(parts)
        for width, page in pages.items():
            with patch.dict(os.environ, COLUMNS=str(width)), redirect_stdout(page):
                show(listed)

    with (
        patch("confmat.cli.output.show", show_at_widths),
        redirect_stdout(OnAll(pages.values())),
        redirect_stderr(io.StringIO()),
    ):
        run(shlex.split(command))
    return {width: _kept(page.getvalue()) for width, page in pages.items()}


class OnAll(io.TextIOBase):
    """What is printed on it stands on all of some pages."""

    def __init__(self, pages):
        self.pages = pages

    def write(self, text):
        for page in self.pages:
            page.write(text)
        return len(text)


def _kept(text):
    """The lines of a screen that are kept, without times, sizes of files and digests."""
    text = re.sub(r"\d+\.\d s\)", "0.0 s)", text)
    text = re.sub(r"[\d.]+ MB", "0.0 MB", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "0" * 64, text)
    return "".join(text.splitlines(keepends=True)[:LONGEST])


def screens():
    """All of them at each width, as its file; the folder in which this runs gets the files that they read."""
    for name, text in LABELS.items():
        Path(name).write_text(text)
    shown = {command: screen_at_widths(command, WIDTHS) for command in COMMANDS}
    return {
        width: "\n".join(f"$ confmat {command}\n{pages[width]}" for command, pages in shown.items())
        for width in WIDTHS
    }


def file_of(width):
    """Where the screens of a width are kept."""
    return HERE / f"{width}.txt"
