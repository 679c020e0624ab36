"""What the commands share: failures, consoles, numbers as text, progress, files for output, numbers from options.

Progress is on standard error: nothing unless that is a terminal, and nothing is left there.  Files and folders that
the user names are checked before any work.  Errors name the option and what was given.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from confmat.engine.folders import written_whole
from confmat.errors import ArchiveError, CheckpointError, ConsistencyError, NotKeptWarning, WorkersLost
from confmat.matrices.arguments import as_count
from confmat.plans import Plan, duration, listening
from confmat.plans import whole as whole
from confmat.sheets import FORMATS, Sheet

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


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


@contextmanager
def said_apart() -> Iterator[None]:
    """Warnings as lines like those of errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", NotKeptWarning)
        warnings.showwarning = lambda message, *_: say(str(message))
        yield


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


def print_json(value: Any) -> None:
    """JSON on standard output: indented, numbers never rounded."""
    print(json.dumps(value, indent=2, allow_nan=False))


_SHORT = 2  # seconds, of work that needs no estimate


@contextmanager
def _shown(columns: Callable[[Any], tuple[Any, ...]]) -> Iterator[Progress | None]:
    """What Rich shows in the columns made from its module while a block runs, or None."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    made = columns(progress)
    with progress.Progress(*made, console=console, transient=True, redirect_stdout=False) as shown:
        yield shown


@contextmanager
def bars(
    detail: str, follow: Callable[[Progress], Callable[[Any], None]]
) -> Iterator[Callable[[Any], None] | None]:
    """What ``follow`` makes of bars with the time they still take: it is told how far a run has come.

    ``detail``: what stands after each bar, in the notation of Rich.
    """
    with _shown(
        lambda rich: ("{task.description}", rich.BarColumn(bar_width=16), detail, rich.TimeRemainingColumn())
    ) as shown:
        yield None if shown is None else follow(shown)


@contextmanager
def spinner(text: str) -> Iterator[Callable[[str], None] | None]:
    """The time that has passed, beside what the plan says that it takes; yields a function that changes the text."""
    with _shown(lambda rich: (rich.SpinnerColumn(), "{task.description}", rich.TimeElapsedColumn())) as shown:
        if shown is None:
            yield None
            return
        from rich.markup import escape

        task = shown.add_task(escape(text), total=None)

        def change(changed: str) -> None:
            shown.update(task, description=escape(changed))

        def tell(plan: Plan) -> None:
            if plan.seconds > _SHORT:
                change(f"{text}, about {duration(plan.seconds)} ({plan.method})")

        with listening(tell):
            yield change


_FIGURES = (".png", ".svg", ".pdf")


def check_file(option: str, path: Path | None, suffixes: tuple[str, ...] = ()) -> None:
    """Before any work: a suffix that is known (any, if none is named), in a folder that exists, with room."""
    if path is None:
        return
    if suffixes and path.suffix.lower() not in suffixes:
        raise Failure(f"{option} must end in {' or '.join(suffixes)}, got {path}")
    if not path.parent.is_dir():
        raise Failure(f"{option} must lie in a folder that exists, got {path}")
    if path.is_dir():
        raise Failure(f"{option} must be a file, {path} is a folder")
    with _refused(option, path), suppress(_Tried), written_whole(path) as aside:
        if aside != path:
            aside.write_bytes(bytes(2**16))
        raise _Tried


def check_apart(named: Mapping[str, Path | None]) -> None:
    """Before any work: no two options name one file or folder."""
    given = [(option, path) for option, path in named.items() if path is not None]
    for (first, path), (second, other) in combinations(given, 2):
        if path.resolve() == other.resolve():
            raise Failure(f"{first} and {second} must be different files, got {path}")


def make_folder(option: str, path: Path) -> None:
    """Before any work: the folder is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{option} {path} cannot be a folder: {error.strerror or error}") from error


class _Tried(Exception):
    """A file can be written, and is not to be."""


@contextmanager
def _refused(option: str, path: Path) -> Iterator[None]:
    """Why a file cannot be written, as a Failure."""
    try:
        yield
    except OSError as error:
        raise Failure(f"{option} {path} cannot be written: {error.strerror or error}") from error


@contextmanager
def writing(option: str, path: Path) -> Iterator[None]:
    """Say that the file was written, or why it was not."""
    import duckdb

    with _refused(option, path):
        try:
            yield
        except duckdb.IOException as error:
            raise OSError(str(error)) from error
    say(f"wrote {path}")


def write_text(option: str, path: Path | None, text: Callable[[], str]) -> None:
    """A text as the file of an option, if it was given; whole or not at all."""
    if path is not None:
        with writing(option, path), written_whole(path) as aside:
            aside.write_text(text())


def _figure(text: str) -> Path:
    path = Path(text)
    check_file("--plot", path, _FIGURES)
    return path


Plot = Annotated[
    Path | None,
    typer.Option(parser=_figure, metavar="FILE", help="Draw the answer; .png, .svg or .pdf."),
]


@contextmanager
def followed(step: Callable[[], None]) -> Iterator[None]:
    """What prints an answer, even one with exit code 1, and then a step: a full disk swallows no answer."""
    try:
        yield
    except typer.Exit:
        step()
        raise
    step()


def pictured(path: Path | None, draw: Callable[[], Any]) -> AbstractContextManager[None]:
    """What prints an answer; then its picture is drawn to the file of --plot, if any."""
    return followed(lambda: _save_figure(path, draw))


def _save_figure(path: Path | None, draw: Callable[[], Any]) -> None:
    """Whole or not at all; an answer that has no picture is no failure."""
    if path is None:
        return
    from matplotlib import rc_context

    try:
        figure = draw().get_figure()
    except ValueError as error:
        say(f"--plot {path} was not drawn: {error}")
        return
    # Text that remains text in PDF; SVG that is the same in every run.
    with (
        writing("--plot", path),
        written_whole(path) as aside,
        rc_context({"pdf.fonttype": 42, "svg.hashsalt": "confmat"}),
    ):
        kind = path.suffix[1:].lower()
        figure.savefig(aside, format=kind, dpi=220, metadata={"Date": None} if kind == "svg" else None)


def whole_number(name: str, text: str) -> int:
    """A whole number of any size from text; Failure naming it otherwise."""
    try:
        return int(text)
    except ValueError:
        raise Failure(f"{name} must be a whole number, got {text!r}") from None


def at_least(option: str, minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    """A parser of the values of an option.

    >>> at_least("--size", 0)("12")
    12
    """

    def parse(text: str) -> int:
        with checked():
            return as_count(option, whole_number(option, text), minimum, maximum)

    return parse
