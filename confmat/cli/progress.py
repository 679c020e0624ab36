"""How far a command has come, on standard error: nothing unless that is a terminal, and nothing is left there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def bars(detail: str) -> Iterator[Progress | None]:
    """Bars with the time they still take; ``detail``: what stands after each, in the notation of Rich."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TimeRemainingColumn

    columns = ("{task.description}", BarColumn(bar_width=16), detail, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as shown:
        yield shown


@contextmanager
def spinner(text: str) -> Iterator[Callable[[str], None] | None]:
    """The time that has passed, for work whose end is not known; yields a function that changes the text."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), "{task.description}", TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as shown:
        task = shown.add_task(escape(text), total=None)
        yield lambda changed: shown.update(task, description=escape(changed))
