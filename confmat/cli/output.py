"""What the commands share: failures, consoles, numbers as text."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from confmat.errors import ArchiveError, CheckpointError, ConsistencyError, WorkersLost
from confmat.plans.methods import whole as whole
from confmat.sheets import FORMATS, Sheet

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 80


# Formats that people publish tables in.
Format = Literal["tex", "md", "csv", "bfile"]
Published = Annotated[
    Format | None,
    typer.Option("--format", help="Tables in LaTeX, Markdown, CSV, or a b-file of a sequence (OEIS)."),
]


class Failure(Exception):
    """Ends the program with one line on standard error."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code


@contextmanager
def checked(interrupted: str = "") -> Iterator[None]:
    """What is wrong with what the user gave, with a folder that was named, or with an answer, as a Failure."""
    try:
        yield
    except (ValueError, TypeError, ArchiveError, CheckpointError, ConsistencyError, WorkersLost) as error:
        raise Failure(str(error)) from error
    except KeyboardInterrupt:
        if not interrupted:
            raise
        raise Failure(f"interrupted{interrupted}", code=130) from None


def resumed(what: str, folder: Any) -> str:
    """What Ctrl-C leaves of a run whose finished parts are kept."""
    return f"; finished {what} are in {folder}: run the same command again to resume"


def one_form(form: Format | None, json: bool) -> None:
    """An answer is printed in one form."""
    if form is not None and json:
        raise Failure(f"give --json or --format {form}, not both")


def say(message: str) -> None:
    """One line on standard error."""
    print(f"confmat: {message}", file=sys.stderr)


def console() -> Console:
    """Standard output: coloured on a terminal, plain text 80 columns wide elsewhere; minds NO_COLOR."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _WIDTH
    return Console(width=width, highlight=False, emoji=False, markup=False, soft_wrap=True)


class Page:
    """Lines and tables on standard output; in a ``form`` that people publish, tables alone."""

    def __init__(self, form: Format | None = None) -> None:
        self._console, self._form = console(), form

    def line(self, text: str, style: str | None = None, end: str = "\n") -> None:
        """Text as it is; not beside tables in a form that has no place for it."""
        if self._form not in (None, "md"):
            return
        self._console.print(text, style=style, end=end)

    def paragraph(self, text: str, indent: str = "", rest: str | None = None) -> None:
        """Prose, its lines at most 80 characters long; ``rest``: the indent of all lines but the first."""
        width, others = min(_WIDTH, self._console.width), indent if rest is None else rest
        self.line(fill(text, width, initial_indent=indent, subsequent_indent=others, break_long_words=False))

    def named(self, lines: Sequence[tuple[str, str]]) -> int:
        """Names with prose beside each; the width of the column of names."""
        width = max(len(name) for name, _ in lines) + 2
        for name, text in lines:
            self.paragraph(f"{name.ljust(width)}{text}", rest=" " * width)
        return width

    def parts(self, parts: Iterable[Sheet | str]) -> None:
        """Tables under their titles, and prose."""
        after_prose = False
        for part in parts:
            if isinstance(part, str):
                self.paragraph(part)
            else:
                self.line("\n" * after_prose, end="")
                self.table(part, part.title)
            after_prose = isinstance(part, str)

    def fits(self, table: Sheet) -> bool:
        """Whether a table is no wider than the page."""
        return table.fits(self._console.width)

    def table(self, table: Sheet, title: str = "") -> None:
        """A table under its title, as wide as the page at most, and an empty line."""
        if self._form is not None:
            with checked():
                self._console.print(FORMATS[self._form](replace(table, title=title)))
            return
        if title:
            self.line(title, style="bold")
        self.line(table.text(self._console.width))
        self.line("")


def plain_table(*headings: str, left: tuple[str, ...] = ()) -> Sheet:
    """An empty table: numbers to the right, the columns in ``left`` to the left."""
    return Sheet(headings, left)


def number_of(count: int, one: str, many: str) -> str:
    """A count with its noun.

    >>> number_of(1, "matrix", "matrices"), number_of(1026, "matrix", "matrices")
    ('1 matrix', '1,026 matrices')
    """
    return f"{whole(count)} {one if count == 1 else many}"


def over(value: Any, n: int) -> str:
    """A multiple of 1/n with n below the line, as in the literature.

    >>> over(Fraction(1, 5), 20)
    '4/20'
    """
    return f"{Fraction(value) * n}/{n}" if n else "0"


def matrix_text(matrix: Any, between: str = ",", rows: str = ";") -> str:
    """A matrix as ``compare --matrix`` reads it.

    >>> matrix_text([[1, 2], [3, 4]])
    '1,2;3,4'
    """
    return rows.join(between.join(str(x) for x in row) for row in matrix)


def print_json(value: Any) -> None:
    """JSON on standard output: indented, numbers never rounded."""
    print(json.dumps(value, indent=2, allow_nan=False))
