"""Option ``--plan``, which prints the cost of a command without running it, and the plan before a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer

from confmat._display import Told
from confmat._limits import Plan, choose, plan, question_of
from confmat.cli.output import Failure, spinner, tell

OnlyPlan = Annotated[
    bool,
    typer.Option("--plan", help="Print method, time and memory that it would take here; compute nothing."),
]


def print_plan(
    function: Callable[..., Any], *args: Any, json: bool, command: str | None = None, **kwargs: Any
) -> NoReturn:
    """Print the plan of the call ``function(*args, **kwargs)`` of the library, and exit.

    ``json`` selects the format. ``command`` is the text of a command that runs the same call on a cluster.
    """
    with spinner("Planning"):
        expected = plan(function, *args, **kwargs)
    spread = command is not None and expected.in_parts and expected.limit is None
    cluster = f"{command} --scheduler tcp://HOST:8786 --checkpoint DIR" if spread else None
    facts = expected.to_json() | ({} if command is None else {"on a cluster": cluster})
    more = [f"On a cluster: {cluster}"] if spread else []
    tell(Told([*expected._parts(), *more], facts), json=json)
    raise typer.Exit


def planned(
    function: Callable[..., Any],
    *args: Any,
    instead: Callable[[Plan], str] | None = None,
    **kwargs: Any,
) -> Plan:
    """Return the plan of the call ``function(*args, **kwargs)``. Raise Failure if it exceeds the limits.

    ``instead`` is a function of the plan that returns a remedy for the message.
    """
    with spinner("Planning"):
        expected = choose(question_of(function, *args, **kwargs))
    if expected.excess is not None:
        raise Failure(f"{expected.refusal}{f'; {instead(expected)}' if instead else ''}")
    return expected
