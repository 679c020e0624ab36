"""How far a command has come, on standard error: nothing unless that is a terminal, and nothing is left there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from confmat.plans.choice import Plan, listening
from confmat.plans.methods import duration

if TYPE_CHECKING:
    from rich.progress import Progress

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
