"""``confmat plan COMMAND ...``: a command as far as the call that takes long, which is planned instead of made."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Annotated, Any

import typer

from confmat.answers import Told
from confmat.cli.app import application
from confmat.cli.output import Failure, checked, spinner, tell
from confmat.matrices.arguments import as_choice
from confmat.plans import Plan, choose, question_of

COMMANDS = ("table", "count", "search", "check", "sample", "audit")

# Whether a command is only planned, and then whether as JSON.
_PLANNING: ContextVar[bool | None] = ContextVar("planning", default=None)


def plan(
    context: typer.Context,
    arguments: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND ...", help="A command with its arguments; N R S is a table."),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What a command would cost here: which method, how long, how much memory, and why; nothing is computed.

    \b
      confmat plan 50 4 4
      confmat plan table --rows 60,40,20 --cols 50,40,30
      confmat plan search ard 100 3 3
      confmat plan check rd-max 2x2..3x3 n=..20
      confmat plan sample 50 4 4 --given med=37/50 --size 1000
      confmat plan count 1000000 50 70
    """
    first = arguments[0]
    with checked():
        name = as_choice("COMMAND", first, COMMANDS) if first.isalpha() else "table"
    rest = arguments[first.isalpha() :]
    command: Any = typer.main.get_command(application([name]))
    token = _PLANNING.set(json)
    try:
        with command.commands[name].make_context(name, rest, parent=context) as inner:
            inner.command.invoke(inner)
    finally:
        _PLANNING.reset(token)


def planned(
    function: Callable[..., Any],
    *args: Any,
    instead: Callable[[Plan], str] | None = None,
    command: str | None = None,
    **kwargs: Any,
) -> Plan:
    """The plan of a call of the library; Failure where it is more than the budget, with what to do ``instead`` of it.

    Under ``confmat plan`` it is printed, with the ``command`` that spreads it over a cluster, and the command ends.
    """
    as_json = _PLANNING.get()
    with checked(), spinner("Estimating the time"):
        expected = choose(
            question_of(function, *args, **kwargs),
            measured="near a limit" if as_json is None else "unless short",
        )
        chosen = expected.chosen
        spread = (
            None not in (as_json, command) and chosen.in_parts and chosen.limit(expected.question) is None
        )
    if as_json is not None:
        options = "--scheduler tcp://HOST:8786 --checkpoint DIR"
        cluster = f"{command} {options}" if spread else None
        facts = expected.to_json() | ({} if command is None else {"on a cluster": cluster})
        more = [f"On a cluster: {command} {options}"] if spread else []
        tell(Told([*expected.parts(), *more], facts), json=as_json)
        raise typer.Exit
    if expected.excess is not None:
        raise Failure(f"{expected.refusal}{f'; {instead(expected)}' if instead else ''}")
    return expected


def only_planned(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Under ``confmat plan``, the plan of a call is printed and the command ends; else nothing."""
    if _PLANNING.get() is not None:
        planned(function, *args, **kwargs)


def never_planned(what: str) -> None:
    """Under ``confmat plan``, Failure: what cannot be planned is not computed."""
    if _PLANNING.get() is not None:
        raise Failure(f"plan knows no {what}: give the command without it, or run it")
