"""The program and its exit codes: 0 done, 1 a statement is refuted, 2 not done, 130 interrupted."""

import gc
import os
import re
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from confmat.cli.output import Failure, one_form, say

# Every command and the module that has it, in the order of the help.
COMMANDS = {
    "table": "table",
    "count": "table",
    "compare": "compare",
    "classify": "classify",
    "search": "search",
    "statistics": "statistics",
    "check": "check",
    "contract": "contract",
    "conjectures": "check",
    "discover": "discover",
    "verify": "check",
    "sample": "chance",
    "formula": "formula",
    "reproduce": "moved",
    "warmup": "warmup",
    "test": "chance",
    "plan": "planning",
    "audit": "audit",
    "archive": "archive",
}


def _without_types(params: list[Any]) -> list[Any]:
    """The options of a command; help says no type for flags, which take no value."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.display_type_rich = lambda ctx: None
    return params


class _Group(TyperGroup):
    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))


class _Command(TyperCommand):
    """A command that takes -5 for a number, whose range it checks, and not for an option."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options |= any(re.match(r"-\d", arg) for arg in args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        one_form(ctx.params.get("form"), ctx.params.get("json", False))
        return super().invoke(ctx)


def _print_version(wanted: bool) -> None:
    if wanted:
        from confmat import __version__

        typer.echo(f"confmat {__version__}")
        raise typer.Exit


def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Exhaustive combinatorics over confusion matrices: exact laws of clustering indices.

    \b
    Examples:
      confmat table 20 3 3         RD and ARD given the MED, over all tables
      confmat count 50 4 4         how many such tables there are
      confmat plan 50 4 4          how long their enumeration takes here
      confmat search ard 20 3 3    the worst case of an index, proved
      confmat compare labels.csv   every index of two labelings
      confmat classify labels.csv  every metric of a classifier
    """


def application(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The program with these commands, or all of them: only their modules are loaded.

    >>> [command.name for command in application(["table", "count"]).registered_commands]
    ['table', 'count']
    """
    app = typer.Typer(
        cls=_Group,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(program)
    for name in names:
        found = getattr(import_module(f"confmat.cli.{COMMANDS[name]}"), "assess" if name == "test" else name)
        if isinstance(found, typer.Typer):
            for command in found.registered_commands:
                command.cls = _Command
            app.add_typer(found, name=name, cls=_Group)
        else:
            settings = {"ignore_unknown_options": name in ("plan", "audit", "reproduce")}
            app.command(name, cls=_Command, context_settings=settings)(found)
    return app


_INTERRUPTED = 130


# Newer versions of Typer carry their own copy of Click: its base class is found from an exported error.
_ClickError: type[Any] = typer.BadParameter.__mro__[2]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    # What a start makes lives to its end: looking for cycles among it took a tenth of its time.
    gc.set_threshold(200_000)
    try:
        code = run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _say_compilation() -> None:
    """Why the first run stands still for a while, before it does."""
    from confmat.compiled import on_first_compilation

    on_first_compilation(lambda: say("compiling kernels, once after installing: some ten seconds"))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, by default that of the process; return the exit code."""
    sys.set_int_max_str_digits(0)  # counts may have any number of digits
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # labels that the terminal cannot show
    if sys.stderr.isatty():
        _say_compilation()
    args = list(sys.argv[1:] if arguments is None else arguments)
    alone = bool(args) and args[0] in ("--version", *COMMANDS)
    command = typer.main.get_command(application([name for name in COMMANDS if not alone or name == args[0]]))
    try:
        result = command.main(args, prog_name="confmat", standalone_mode=False)
    except Failure as failure:
        say(str(failure))
        return failure.code
    except _ClickError as error:
        message = error.format_message()
        message = message.replace(": Value error, ", ": ")  # a prefix of newer versions of Typer
        if message:  # empty when the help was shown instead
            say(message)
        return 2
    except BrokenPipeError:
        raise
    except OSError as error:  # what the commands do not foresee: the output cannot be written
        say(str(error))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        result = _INTERRUPTED
    if result == _INTERRUPTED:
        say("interrupted; nothing was kept but what was printed")
    return result if isinstance(result, int) else 0
