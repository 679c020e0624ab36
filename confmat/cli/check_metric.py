"""Command ``check_metric``: properties of a user-defined function, checked for all small inputs."""

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
    metric: Annotated[
        bool, typer.Option("--metric", help="0 for equal clusterings only; triangle inequality.")
    ] = False,
    bounds: Annotated[
        str | None,
        typer.Option(metavar="LOW,HIGH", help="Lower and upper bound of all values; one may be left out."),
    ] = None,
    identity: Annotated[float | None, typer.Option(help="The value of equal clusterings.")] = None,
    n: Annotated[
        int,
        typer.Option("--n", metavar="N", help="Largest number of objects for which all inputs are checked."),
    ] = 6,
    examples: Annotated[int, typer.Option(help="Random examples for each claim.")] = 100,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check properties of an index for all small inputs, then for random ones. Exit code 1 if a property is broken.

    The function confmat.check_metric has more options.

    \b
      confmat check-metric mine:my_ari --reference ari
      confmat check-metric sklearn.metrics:rand_score --takes labels --identity 1
      confmat check-metric mine:distance --metric --bounds 0,1
    """
    import confmat as cm

    compared: Any = reference
    if reference is not None and ":" in reference:
        compared = cm.testing.imported(reference)
    with spinner("Checking the claims"):
        answer = cm.check_metric(
            function,
            takes=takes,
            reference=compared,
            metric=metric,
            bounds=None if bounds is None else parse_bounds(bounds),
            identity=identity,
            n=n,
            examples=examples,
        )
    tell(answer, json=json)
    if not answer:
        raise typer.Exit(1)


def parse_bounds(text: str) -> tuple[float | None, float | None]:
    """Return the two bounds in a text such as "0,1". A missing bound is None.

    >>> parse_bounds("0,1"), parse_bounds("0,")
    ((0.0, 1.0), (0.0, None))
    """
    try:
        low, high = (float(side) if side.strip() else None for side in text.split(","))
    except ValueError:
        raise Failure(
            f"--bounds must be two numbers with a comma, such as '0,1', '0,' or ',1', got {text!r}"
        ) from None
    return low, high
