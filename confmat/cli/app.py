"""Program and its exit codes.

0: answered, or true. 1: refuted. 2: invalid input, or refused. 70: an error in the program. 130: interrupted. 141:
the reader of the output has closed it.
"""

import gc
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from confmat import errors
from confmat._limits import check_amount, limits, listening
from confmat.cli.output import Failure, one_form, said_apart, say, say_plan


class CommandPlace(NamedTuple):
    """Module of a command, its panel in the help, and the equivalent in Python.

    ``limited`` is True if the command may run long. It then has the option --seconds.
    """

    module: str
    panel: str
    python: str
    limited: bool = True


_LABELINGS = "Two labelings, or a classifier"
_PANEL_OF_CLASSES = "All matrices of a class"
_STATEMENTS = "Statements and certificates"
_OTHERS = "Other people's numbers and code"
_HERE = "Reference and large tables"

# Every command, in the order of the help.
COMMANDS = {
    "compare": CommandPlace("compare", _LABELINGS, "cm.compare"),
    "test": CommandPlace("significance", _LABELINGS, "cm.permutation_test, cm.exact_test"),
    "classification-report": CommandPlace("classification_report", _LABELINGS, "cm.classification_report"),
    "table": CommandPlace("table", _PANEL_OF_CLASSES, "cm.joint_distribution"),
    "count": CommandPlace("table", _PANEL_OF_CLASSES, "cm.Tables.count"),
    "search": CommandPlace("search", _PANEL_OF_CLASSES, "cm.maximize, cm.minimize"),
    "sample": CommandPlace("significance", _PANEL_OF_CLASSES, "cm.sample"),
    "check": CommandPlace("check", _STATEMENTS, "cm.check"),
    "conjectures": CommandPlace("check", _STATEMENTS, "cm.conjectures.STATEMENTS", False),
    "verify": CommandPlace("check", _STATEMENTS, "cm.verify"),
    "check-metric": CommandPlace("check_metric", _OTHERS, "cm.check_metric"),
    "statistics": CommandPlace("statistics", _HERE, "cm.statistics.STATISTICS", False),
    "archive": CommandPlace("archive", _HERE, "cm.archive"),
    "warmup": CommandPlace("warmup", _HERE, "", False),
}


def _without_types(params: list[Any]) -> list[Any]:
    """Return the parameters of a command, changed such that the help displays no type for flags."""
    for param in params:
        if getattr(param, "is_flag", False):
            param.display_type_rich = lambda ctx: None
    return params


class _Group(TyperGroup):
    """Group of commands whose help does not display types of flags."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))


class _Command(TyperCommand):
    """Command that reads -5 as a number, whose range it then checks, and not as an option."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options |= any(re.match(r"-\d", arg) for arg in args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        one_form(
            ctx.params.get("form"),
            ctx.params.get("json", False),
        )
        return super().invoke(ctx)


def _print_version(wanted: bool) -> None:
    """Print the version and exit if ``wanted``, that is, if the option --version was used."""
    if wanted:
        from confmat import __version__

        typer.echo(f"confmat {__version__}")
        raise typer.Exit


def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Print the traceback of an error.")] = False,
) -> None:
    """Compute exact distributions of clustering indices over all confusion matrices of a size.

    \b
    Every index of two labelings:
      confmat compare labels.csv
    Every metric of a classifier:
      confmat classification-report labels.csv
    RD and ARD given the MED, over all tables, and its forecast time:
      confmat table 3x3 n=20
      confmat table 4x4 n=50 --plan
    The worst case of an index, proved:
      confmat search ard 3x3 n=20
    A statement, with a certificate or a counterexample:
      confmat check "ari >= -1/2"
    \b
    Exit codes: 0 answered or true, 1 refuted, 2 invalid input or refused,
    70 an error in the program, 130 interrupted, 141 output closed.
    """


def application(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the program with the commands ``names``. Only their modules are imported.

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
        place = COMMANDS[name]
        found = getattr(
            import_module(f"confmat.cli.{place.module}"),
            "assess" if name == "test" else name.replace("-", "_"),
        )
        if isinstance(found, typer.Typer):
            for command in found.registered_commands:
                command.cls = _Command
                command.callback = with_groups_unfolded(inspect.unwrap(command.callback))  # type: ignore[arg-type]
            app.add_typer(found, name=name, cls=_Group, rich_help_panel=place.panel)
            continue
        app.command(
            name,
            cls=_Command,
            help=help_of(found, place.python),
            rich_help_panel=place.panel,
        )(with_groups_unfolded(with_limits(found) if place.limited else found))
    return app


Seconds = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", help="Stop after S seconds; refuse a run that would take longer."),
]


def with_limits(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that runs within the limit of its option --seconds.

    >>> from confmat._limits import Limits
    >>> limited = with_limits(lambda n: Limits().most()[0])
    >>> limited(seconds=3, n=2)
    3
    """
    signature = inspect.signature(command, eval_str=True)
    parameters = [*signature.parameters.values()]

    @wraps(command)
    def limited(seconds: float | None, **options: Any) -> Any:
        if seconds is not None and options.get("yes"):
            raise Failure("give --seconds or --yes, not both")
        check_amount("--seconds", seconds)
        with limits(seconds=seconds):
            return command(**options)

    option = inspect.Parameter(
        "seconds",
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Seconds,
        default=None,
    )
    limited.__signature__ = signature.replace(parameters=[*parameters, option])  # type: ignore[attr-defined]
    return limited


def with_groups_unfolded(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command whose NamedTuple parameters, such as `SaidClass`, are replaced by their fields.

    >>> from confmat.cli.spec import SaidClass
    >>> def command(said: SaidClass, again: bool = False):
    ...     return said.text
    >>> unfolded = with_groups_unfolded(command)
    >>> list(inspect.signature(unfolded).parameters), unfolded(size=["3x3", "n=5"], again=True)
    (['size', 'again'], '3x3 n=5')
    """
    groups: dict[str, Any] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        if hasattr(parameter.annotation, "_fields"):
            groups[parameter.name] = parameter.annotation
            parameters += inspect.signature(parameter.annotation).parameters.values()
        else:
            parameters.append(parameter)

    @wraps(command)
    def unfolded(**options: Any) -> Any:
        for name, group in groups.items():
            options[name] = group(*map(options.pop, group._fields))
        return command(**options)

    unfolded.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    unfolded.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return unfolded


def help_of(command: Callable[..., Any], python: str) -> str:
    """Return the help of a command: the docstring of its function, and ``python``, the equivalent in Python.

    >>> help_of(program, "cm.check").splitlines()[-1]
    'In Python: cm.check'
    """
    said = inspect.getdoc(command) or ""
    return f"{said}\n\nIn Python: {python}" if python else said


_REFUSED, _FAULT, _INTERRUPTED, _READER_LEFT = 2, 70, 130, 141

# Newer versions of Typer carry their own copy of Click: its base class is found from an exported error.
_ClickError: type[Any] = typer.BadParameter.__mro__[2]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    # Objects of the start live until the end.  The search for cycles among them took a tenth of the time.
    gc.set_threshold(200_000)
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        say("standard output is closed")
        sys.exit(_REFUSED)
    sys.exit(run(arguments))


def _say_compilation() -> None:
    """Print a line before the first compilation, which takes some seconds."""
    from confmat._numba import on_first_compilation

    on_first_compilation(lambda: say("compiling kernels, once after installing: some ten seconds"))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code. ``arguments`` are by default those of the process."""
    sys.set_int_max_str_digits(0)  # counts may have any number of digits
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # labels that the terminal cannot show
    if sys.stderr.isatty():
        _say_compilation()
    args = list(sys.argv[1:] if arguments is None else arguments)
    alone = bool(args) and args[0] in ("--version", *COMMANDS)
    try:
        command = typer.main.get_command(
            application([name for name in COMMANDS if not alone or name == args[0]])
        )
        with listening(say_plan), said_apart():
            result = command.main(args, prog_name="confmat", standalone_mode=False)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        if "--debug" in args:
            traceback.print_exception(error)
        return _ended_by(error)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # Typer's own way
            return _ended_by(end.__context__)
        raise
    if result == _INTERRUPTED:
        return _ended_by(KeyboardInterrupt())
    return result if isinstance(result, int) else 0


def _lacks_memory(error: BaseException) -> bool:
    """Return whether an error of Python or of DuckDB means that memory is insufficient, also for a thread.

    >>> _lacks_memory(RuntimeError("can't start new thread")), _lacks_memory(RuntimeError())
    (True, False)
    """
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":
        return True
    return isinstance(error, RuntimeError) and str(error) == "can't start new thread"


def _ended_by(error: BaseException) -> int:
    """Print one line about the ``error`` that ended a command, and return the exit code."""
    if isinstance(error, RuntimeError) and str(error) == "Query interrupted":  # DuckDB's error for Ctrl-C
        error = KeyboardInterrupt()
    message, code = str(error), _REFUSED
    if isinstance(error, Failure):
        code = error.code
    elif isinstance(error, _ClickError):
        # Newer versions of Typer add this prefix.  The message is empty if the help was shown instead.
        message = error.format_message().replace(": Value error, ", ": ")
    elif isinstance(error, KeyboardInterrupt | typer.Abort):
        message, code = "interrupted; nothing was kept but what was printed", _INTERRUPTED
    elif _lacks_memory(error):
        message = "out of memory; take a smaller class or fewer threads"
    elif isinstance(error, OSError):
        if error.filename is None:  # standard output
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        else:
            message = f"{error.filename} cannot be read: {error.strerror}"
        if isinstance(error, BrokenPipeError):  # the reader of the output has closed it
            message, code = "", _READER_LEFT
    elif not isinstance(error, ValueError | TypeError) and type(error).__module__ != errors.__name__:
        message, code = f"{type(error).__name__}: {error}. confmat --debug prints the traceback", _FAULT
    say(" ".join(message.split()))
    return code
