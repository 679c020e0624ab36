"""Files and folders that the user names for output: checked before any work, and what went wrong with them after."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from confmat.cli.output import Failure, say
from confmat.engine.folders import written_whole

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
