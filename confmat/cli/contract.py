"""The command ``contract``: what a function of one's own claims, tried on everything small; or what it could claim."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from confmat.cli.output import Failure, Page, check_file, checked, print_json, write_text


def contract(
    function: Annotated[
        str, typer.Argument(metavar="MODULE:FUNCTION", help="Or the short name of a statistic.")
    ],
    takes: Annotated[str, typer.Option(help="table, labels, memberships or scores.")] = "table",
    classifier: Annotated[
        bool, typer.Option("--classifier", help="Classes are renamed on both sides alike.")
    ] = False,
    symmetric: Annotated[
        bool | None, typer.Option("--symmetric/--asymmetric", help="The sides may be exchanged, or not.")
    ] = None,
    metric: Annotated[
        bool, typer.Option("--metric", help="0 for equal clusterings only; triangle inequality.")
    ] = False,
    bounds: Annotated[
        str | None, typer.Option(metavar="LOW,HIGH", help="No value beyond; one may be left out.")
    ] = None,
    identity: Annotated[float | None, typer.Option(help="The value of equal clusterings.")] = None,
    refinement: Annotated[bool, typer.Option("--refinement", help="Finer is farther.")] = False,
    undefined: Annotated[
        str, typer.Option(metavar="NAMES", help="What means no value: ZeroDivisionError,nan")
    ] = "",
    n: Annotated[int, typer.Option("--n", help="Everything of up to so many objects.")] = 6,
    examples: Annotated[
        int | None, typer.Option(help="Random examples for each claim, 100 unless said.")
    ] = None,
    infer: Annotated[bool, typer.Option("--infer", help="Find out what it keeps instead.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.py", help="With --infer: write a test of it.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Try what an index claims on everything small, then at random; exit code 1 if a claim is broken.

    \b
      confmat contract sklearn.metrics:rand_score --takes labels --identity 1
      confmat contract ari --identity 1
      confmat contract mine:distance --metric --bounds 0,1
      confmat contract mine:distance --infer --out test_distance.py
    """
    import confmat as cm

    check_file("--out", out, (".py",))
    claimed = {
        "--classifier": classifier,
        "--symmetric/--asymmetric": symmetric is not None,
        "--metric": metric,
        "--bounds": bounds is not None,
        "--identity": identity is not None,
        "--refinement": refinement,
        "--undefined": undefined != "",
        "--examples": examples is not None,
        "--json": json,
    }
    if infer and (without_use := ", ".join(option for option, given in claimed.items() if given)):
        raise Failure(f"--infer finds out itself, leave {without_use} out")
    index = find(function)
    with checked():
        if infer:
            found = cm.testing.infer(index, takes=takes, n=n)
            module, _, name = function.rpartition(":")
            write_text("--out", out, lambda: found.as_test(module or "confmat", name))
            Page().line(str(found))
            return
        if out is not None:
            raise Failure("--out needs --infer")
        answer = cm.contract(
            index if ":" in function else function,
            takes=takes,
            classifier=classifier or None,
            symmetric=symmetric,
            metric=metric,
            bounds=None if bounds is None else parse_bounds(bounds),
            identity=identity,
            refinement=refinement,
            undefined=parse_undefined(undefined),
            n=n,
            examples=100 if examples is None else examples,
        )
    if json:
        print_json(facts(answer))
    else:
        Page().line(str(answer))
    if not answer:
        raise typer.Exit(1)


def find(name: str) -> Callable[..., Any]:
    """The function of a module, which may be a file here, or the statistic of this name."""
    import confmat as cm

    module, colon, attribute = name.partition(":")
    if not colon:
        if name not in cm.statistics.STATISTICS:
            raise Failure(f"FUNCTION must be MODULE:FUNCTION or a name of confmat statistics, got {name!r}")
        return cm.statistics.STATISTICS[name]
    sys.path.insert(0, "")
    try:
        found = getattr(import_module(module), attribute)
    except Exception as error:  # whatever the user's module raises
        raise Failure(f"{name} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove("")
    if not callable(found):
        raise Failure(f"{name} must be a function, got {found!r}")
    return found


def parse_bounds(text: str) -> tuple[float | None, float | None]:
    """Two numbers, either of which may be left out.

    >>> parse_bounds("0,1"), parse_bounds("0,")
    ((0.0, 1.0), (0.0, None))
    """
    try:
        low, high = (float(side) if side.strip() else None for side in text.split(","))
    except ValueError:
        raise Failure(f"--bounds must look like 0,1 or 0, got {text!r}") from None
    return low, high


def parse_undefined(text: str) -> tuple[Any, ...]:
    """Names of built-in exceptions, and numbers.

    >>> parse_undefined("ZeroDivisionError,nan")
    (<class 'ZeroDivisionError'>, nan)
    """
    import builtins

    found: list[Any] = []
    for name in filter(None, map(str.strip, text.split(","))):
        known = getattr(builtins, name, None)
        try:
            found.append(known if isinstance(known, type) and issubclass(known, Exception) else float(name))
        except ValueError:
            raise Failure(f"--undefined must be exceptions of Python or numbers, got {name!r}") from None
    return tuple(found)


def facts(answer: Any) -> dict[str, Any]:
    claims = {
        finding.claim: {
            "status": finding.status,
            "small": finding.small,
            "drawn": finding.drawn,
            "undefined": finding.undefined,
            "counterexample": None if finding.counterexample is None else finding.counterexample.found,
            "degenerate": None if finding.counterexample is None else finding.counterexample.degenerate,
            "beyond": None if finding.beyond is None else finding.beyond.found,
        }
        for finding in answer.findings
    }
    kept = bool(answer)
    return {
        "name": answer.name,
        "n": answer.n,
        "covered": answer.covered,
        "digest": answer.digest,
        "kept": kept,
        "claims": claims,
    }
