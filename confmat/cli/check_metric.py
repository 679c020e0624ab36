"""Command ``check_metric``: properties of a user-defined function, checked for all small inputs."""

from inspect import signature
from typing import Annotated, Any

import typer

from confmat.cli.output import Failure, spinner, tell


def check_metric(
    function: Annotated[
        str, typer.Argument(metavar="MODULE:FUNCTION", help="Or the short name of a statistic.")
    ],
    takes: Annotated[str, typer.Option(help="table, labels or memberships.")] = "table",
    reference: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The same values as a statistic or MODULE:FUNCTION."),
    ] = None,
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
        str,
        typer.Option(
            "--no-value",
            metavar="NAMES",
            help='What means no value: ZeroDivisionError,nan; or where: "one cluster".',
        ),
    ] = "",
    n: Annotated[
        int, typer.Option("--n", metavar="N", help="Objects: everything of up to so many, up to order.")
    ] = 6,
    examples: Annotated[
        int | None, typer.Option(help="Random examples for each claim, 100 unless said.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="K", help="Seed of the random examples; rng in Python.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check properties of an index for all small inputs, then for random ones. Exit code 1 if a property is broken.

    The function confmat.check_metric has more options.

    \b
      confmat check-metric mine:my_ari --reference ari
      confmat check-metric sklearn.metrics:rand_score --takes labels --identity 1
      confmat check-metric mine:distance --metric --bounds 0,1
    """
    # reads: a parameter for each option of the command
    import confmat as cm

    # Arguments that differ from the defaults of the function.
    claimed: dict[str, Any] = {
        "reference": reference,
        "classifier": classifier or None,
        "symmetric": symmetric,
        "metric": metric,
        "bounds": None if bounds is None else parse_bounds(bounds),
        "identity": identity,
        "refinement": refinement,
        "undefined": parse_undefined(undefined),
        "examples": examples,
        "rng": seed,
    }
    usual = {key: parameter.default for key, parameter in signature(cm.check_metric).parameters.items()}
    claims = {key: x for key, x in claimed.items() if x is not None and x != usual[key]}
    if reference is not None and ":" in reference:
        claims["reference"] = cm.testing.imported(reference)
    with spinner("Checking the claims"):
        answer = cm.check_metric(function, takes=takes, n=n, **claims)
    tell(answer, json=json)
    if not answer:
        raise typer.Exit(1)


def parse_bounds(text: str) -> tuple[float | None, float | None]:
    """Return two bounds from a text. A missing one is None.

    >>> parse_bounds("0,1"), parse_bounds("0,")
    ((0.0, 1.0), (0.0, None))
    """
    try:
        low, high = (float(side) if side.strip() else None for side in text.split(","))
    except ValueError:
        raise Failure(f"--bounds must look like 0,1 or 0, got {text!r}") from None
    return low, high


def parse_undefined(text: str) -> tuple[Any, ...]:
    """Return built-in exceptions, numbers and kinds of degenerate cases from a text of names.

    >>> parse_undefined("ZeroDivisionError,nan,one cluster")
    (<class 'ZeroDivisionError'>, nan, 'one cluster')
    """
    import builtins

    from confmat.testing.claims import DEGENERATE

    found: list[Any] = []
    for name in filter(None, map(str.strip, text.split(","))):
        known = getattr(builtins, name, None)
        if name in DEGENERATE:
            found.append(name)
            continue
        try:
            found.append(known if isinstance(known, type) and issubclass(known, Exception) else float(name))
        except ValueError:
            kinds = ", ".join(DEGENERATE)
            said = (
                f"--no-value must be exceptions of Python, numbers or kinds of cases ({kinds}), got {name!r}"
            )
            raise Failure(said) from None
    return tuple(found)
