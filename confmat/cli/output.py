"""Functions that several commands use: errors, consoles, numbers as text, progress, output files, options.

Progress is printed to standard error if that is a terminal, and erased at the end. Files and directories of options
are checked before any work. Errors name the option and the value.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from confmat._display import Part, Shown, as_json, page_texts
from confmat._display.sheets import printable
from confmat._engine.checkpoint import remove_abandoned, written_whole
from confmat._limits import Plan, duration, listening
from confmat.errors import NotKeptWarning

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress


# Formats that people publish tables in.
Format = Literal["tex", "md", "csv", "bfile"]
Published = Annotated[
    Format | None,
    typer.Option("--format", help="Tables in LaTeX, Markdown, CSV, or a b-file of a sequence (OEIS)."),
]


class Failure(Exception):
    """Exception that ends the program with one line on standard error."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code


@contextmanager
def interrupted(kept: str) -> Iterator[None]:
    """Raise Failure in place of KeyboardInterrupt (Ctrl-C). ``kept`` says what was stored."""
    try:
        yield
    except KeyboardInterrupt:
        raise Failure(f"interrupted{kept}", code=130) from None


def resumed(task: str, folder: Any) -> str:
    """Return the text that is printed after Ctrl-C if a run has a checkpoint: how to resume it.

    ``task`` names the finished parts, and ``folder`` is the directory of the checkpoint.
    """
    return f"; finished {task} are in {folder}: run the same command again to resume"


def one_form(form: Format | None, json: bool) -> None:
    """Raise Failure if an answer is requested both in a format (``form``) and as JSON (``json``)."""
    if form is not None and json:
        raise Failure(f"give --json or --format {form}, not both")


def say(message: str) -> None:
    """Print ``message`` in one line on standard error, if it is not empty."""
    if message:
        print(f"confmat: {printable(message)}", file=sys.stderr)


@contextmanager
def said_apart() -> Iterator[None]:
    """Print each warning as one line on standard error inside a ``with`` statement."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", NotKeptWarning)
        warnings.showwarning = lambda message, *_: say(str(message))
        yield


def console() -> Console:
    """Return the console of standard output: colored on a terminal, otherwise plain text of the width COLUMNS."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, markup=False, soft_wrap=True)


def show(parts: Iterable[Part]) -> None:
    """Print the parts of an answer on standard output as they arrive: titles in bold, tables between empty lines."""
    page = console()
    for text, is_title in page_texts(parts, page.width):
        page.print(text, style="bold" if is_title else "")


def tell(
    answer: Shown,
    *,
    form: Format | None = None,
    json: bool = False,
    files: Iterable[Callable[[], None]] = (),
    plot: Path | None = None,
    draw: Callable[[], Any] | None = None,
) -> None:
    """Write the files of a command, then print its answer on standard output.

    A reader that stops early (``| head``) does not lose the files. If a file cannot be written, the answer is
    printed and the error follows.

    Parameters
    ----------
    answer : Shown
    form : str, optional
        Format of publication such as "tex". Default: text.
    json : bool
        Print JSON.
    files : iterable of callable
        Functions that write the files of the command.
    plot : path, optional
        File for the figure.
    draw : callable, optional
        Function that draws the figure.
    """
    picture = draw or getattr(answer, "plot", None)
    try:
        for write in files:
            write()
        save_figure(plot, picture)
    finally:
        if json:
            print_json(as_json(answer))
        elif form is not None:
            print(answer._published(form))
        else:
            show(answer._parts())
        sys.stdout.flush()


def print_json(value: Any) -> None:
    """Print JSON on standard output, indented, with exact numbers."""
    print(json.dumps(value, indent=2, allow_nan=False))


_SHORT = 3  # forecasts of at most this number of seconds are not printed


@contextmanager
def _shown(columns: Callable[[Any], tuple[Any, ...]]) -> Iterator[Progress | None]:
    """Yield a Rich progress display, or None if standard error is not a terminal.

    ``columns`` returns the columns of the display, given the module ``rich.progress``.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    made = columns(progress)
    with progress.Progress(*made, console=console, transient=True, redirect_stdout=False) as display:
        yield display


@contextmanager
def bars(
    detail: str, follow: Callable[[Progress], Callable[[Any], None]]
) -> Iterator[Callable[[Any], None] | None]:
    """Yield a function that updates progress bars with the remaining time, or None if there is no terminal.

    ``follow`` returns this function, given the Rich display. ``detail`` is a text after each bar, in the notation
    of Rich.
    """
    with _shown(
        lambda rich: ("{task.description}", rich.BarColumn(bar_width=16), detail, rich.TimeRemainingColumn())
    ) as display:
        yield None if display is None else follow(display)


@contextmanager
def spinner(text: str) -> Iterator[Callable[[str], None] | None]:
    """Show a text with the elapsed and the forecast time inside a ``with`` statement.

    It yields a function that changes the text.
    """
    with _shown(
        lambda rich: (rich.SpinnerColumn(), "{task.description}", rich.TimeElapsedColumn())
    ) as display:
        if display is None:
            yield None
            return
        from rich.markup import escape

        task = display.add_task(escape(text), total=None)

        def change(new_text: str) -> None:
            display.update(task, description=escape(new_text))

        def change_to(plan: Plan) -> None:
            say_plan(plan)
            if plan.seconds > _SHORT:
                change(f"{text}, about {duration(plan.seconds)} ({plan.method})")

        with listening(change_to):
            yield change


def say_plan(plan: Plan) -> None:
    """Print one line before a run with a forecast above three seconds: its time, method and checkpoint."""
    if plan.excess is None and plan.seconds > _SHORT:
        is_kept = plan.in_parts and plan.question.limits.in_force().checkpoint is None
        keeps = "; --checkpoint DIR keeps finished parts" if is_kept else ""
        say(f"about {duration(plan.seconds)}, {plan.method}{keeps}")


_FIGURES = (".png", ".svg", ".pdf")


def check_file(option: str, path: Path | None, suffixes: tuple[str, ...] = ()) -> None:
    """Raise Failure, before any work, if the file of an option cannot be written.

    It must have one of the suffixes, be in an existing directory, and have free space.
    """
    if path is None:
        return
    if suffixes and path.suffix.lower() not in suffixes:
        raise Failure(f"{option} must end in {' or '.join(suffixes)}, got {path}")
    if not path.parent.is_dir():
        raise Failure(f"{option} must be in a directory that exists, got {path}")
    with _refused(option, path):
        is_folder = path.is_dir()
    if is_folder:
        raise Failure(f"{option} must be a file, got the directory {path}")
    with _refused(option, path), suppress(_Tried), written_whole(path) as draft:
        remove_abandoned(path.parent)
        if draft != path:
            draft.write_bytes(bytes(2**16))
        raise _Tried


def check_apart(named: Mapping[str, Path | None]) -> None:
    """Raise Failure, before any work, if two options name the same file or directory.

    ``named`` maps options to their paths, or to None if an option is not used.
    """
    given = [(option, path) for option, path in named.items() if path is not None]
    for (first, path), (second, other) in combinations(given, 2):
        if path.resolve() == other.resolve():
            raise Failure(f"{first} and {second} must be different files, got {path}")


def make_folder(option: str, path: Path) -> None:
    """Create the directory ``path`` of the option ``option``. Raise Failure if this is not possible."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{option} {path} cannot be used as a directory: {error.strerror or error}") from error


class _Tried(Exception):
    """Exception that stops the test writing of an output file, so that the real file is not changed."""


@contextmanager
def _refused(option: str, path: Path) -> Iterator[None]:
    """Raise Failure in place of an OSError inside a ``with`` statement, because the file ``path`` cannot be written.

    The message names ``option`` and the reason.
    """
    try:
        yield
    except OSError as error:
        raise Failure(f"{option} {path} cannot be written: {error.strerror or error}") from error


@contextmanager
def writing(option: str, path: Path) -> Iterator[None]:
    """Report at the end of a ``with`` statement that the file ``path`` of ``option`` was written.

    Raise Failure with the reason if it was not.
    """
    import duckdb

    with _refused(option, path):
        try:
            yield
        except duckdb.Error as error:  # a full disk raises not only IOException
            raise OSError(str(error)) from error
    say(f"wrote {path}")


def write_file(option: str, path: Path | None, write: Callable[[Path], Any]) -> None:
    """Call ``write(path)`` to write the file of ``option``, unless ``path`` is None."""
    if path is not None:
        with writing(option, path):
            write(path)


def write_text(option: str, path: Path | None, text: Callable[[], str]) -> None:
    """Write a text to the file of an option, if it was used, completely or not at all."""

    def write(path: Path) -> None:
        with written_whole(path) as draft:
            draft.write_text(text())

    write_file(option, path, write)


def _figure(text: str) -> Path:
    """Return the path of a figure. Raise Failure if a file with this path cannot be written."""
    path = Path(text)
    check_file("--plot", path, _FIGURES)
    return path


Plot = Annotated[
    Path | None,
    typer.Option(parser=_figure, metavar="FILE", help="Draw the answer; .png, .svg or .pdf."),
]


def save_figure(path: Path | None, draw: Any) -> None:
    """Save the figure that ``draw()`` returns to ``path``, completely or not at all.

    Nothing happens if ``path`` is None. If the answer has no figure, print this in a line.
    """
    if path is None:
        return
    from matplotlib import rc_context

    try:
        if draw is None:
            raise ValueError("this answer has no picture")
        figure = draw().get_figure()
    except ValueError as error:
        say(f"--plot {path} was not drawn: {error}")
        return
    # Text remains text in PDF, and SVG files are equal in every run.
    with (
        writing("--plot", path),
        written_whole(path) as draft,
        rc_context({"pdf.fonttype": 42, "svg.hashsalt": "confmat"}),
    ):
        kind = path.suffix[1:].lower()
        figure.savefig(draft, format=kind, dpi=220, metadata={"Date": None} if kind == "svg" else None)


def at_least(option: str, minimum: int) -> Callable[[str], int]:
    """Return a parser of the integers of an option, which must be at least ``minimum``.

    >>> at_least("--size", 0)("12")
    12
    """

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise Failure(f"{option} must be an integer, got {text!r}") from None
        if number < minimum:
            raise Failure(f"{option} must be at least {minimum}, got {number}")
        return number

    return parse
