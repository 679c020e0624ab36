"""Commands on null models: ``sample`` draws matrices, ``test`` tests the agreement of two labelings."""

import secrets
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

import confmat as cm
from confmat._limits import Limits, Progress
from confmat.cli.inputs import Other, TableSource, read_matrix
from confmat.cli.output import (
    Failure,
    Plot,
    Published,
    at_least,
    bars,
    check_file,
    interrupted,
    print_json,
    say,
    spinner,
    tell,
    writing,
)
from confmat.cli.planning import OnlyPlan, print_plan
from confmat.cli.spec import SaidClass
from confmat.errors import TooLargeError

_DRAWN = "{task.completed:,}/{task.total:,} matrices"


Seeded = Annotated[
    int | None,
    typer.Option(
        parser=at_least("--seed", 0),
        metavar="K",
        help="Seed: the same seed draws the same matrices; rng in Python.",
    ),
]


def sample(
    said: SaidClass,
    draws: Annotated[
        int, typer.Option("--size", parser=at_least("--size", 0), metavar="K", help="How many matrices.")
    ] = 10,
    given: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION", help="Only matrices that satisfy this condition: med=4/20, ard>1, rd=1/3."
        ),
    ] = None,
    seed: Seeded = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write .csv, .npy or .parquet instead of printing CSV."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Write even a file that takes more than an hour.")
    ] = False,
    plan: OnlyPlan = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: class, seed, method, matrices.")] = False,
) -> None:
    """Draw matrices from a class, each equally likely, and print CSV: one matrix per line, cells row by row.

    \b
    Ten 4 x 4 tables with total 50 and no empty row or column:
      confmat sample 50 4 4
    A million of them to a file, the same ones every time:
      confmat sample 50 4 4 --size 1000000 --seed 1 --out draws.parquet
    Only tables at a given distance, however rare:
      confmat sample 50 4 4 --given med=37/50 --size 1000
      confmat sample 50 4 4 --given "ard>1" --size 1000
    Tables with given margins:
      confmat sample rows=220,215,93,64 cols=108,286,71,127
    """
    # reads: a parameter for each option of the command
    from confmat.sampling import stream
    from confmat.sampling.files import TYPES_OF_FILES, write_csv, write_draws

    matrices = said.matrices()
    check_file("--out", out, TYPES_OF_FILES)
    if json and out is not None:
        raise Failure("give --json or --out, not both")
    condition = condition_of(given, matrices)
    # Printing can be ended at any time.
    seconds = inf if yes or (out is None and not json) else None
    limits = Limits(seconds=seconds)
    call = cm.sample if json else stream
    asked: dict[str, Any] = {"given": condition, "limits": limits}
    if plan:
        print_plan(call, matrices, draws, json=json, **asked)
    shown_elsewhere = (
        out is None and not json and sys.stdout.isatty()
    )  # the matrices themselves show how far it has come
    seed, told = _seeded(seed)
    with nullcontext() if shown_elsewhere else bars(_DRAWN, partial(_drawing, draws)) as progress:
        stream_of_draws = stream(
            matrices,
            draws,
            rng=seed,
            given=condition,
            limits=replace(limits, progress=progress),
        )
        if json:
            method_used = stream_of_draws.method.name
            about = {"class": matrices.to_json(), "given": given, "seed": seed, "method": method_used}
            print_json(about | {"matrices": stream_of_draws.array().tolist()})
        elif out is None:
            write_csv(stream_of_draws, sys.stdout)
        else:
            with interrupted(f"; {out} was not written"), writing("--out", out):
                try:
                    write_draws(stream_of_draws, out)
                except TooLargeError as error:
                    raise Failure(f"{error}. Start it with --yes.") from None
    say(f"drawn by {stream_of_draws.method.name} ({stream_of_draws.method.why})")
    told()


def _seeded(seed: int | None) -> tuple[int, Callable[[], None]]:
    """Return ``seed``, or a random seed if it is None, and a function that prints the seed if it is random."""
    if seed is not None:
        return seed, lambda: None
    chosen = secrets.randbits(32)
    return chosen, lambda: say(f"--seed {chosen} draws the same again")


def condition_of(given: str | None, matrices: cm.classes.MatrixClass) -> cm.statistics.Condition | None:
    """Return the condition of --given. Raise Failure for a MED that is not a multiple of 1/n in [0, 1]."""
    if given is None:
        condition = None
    else:
        condition = cm.statistics.as_condition(given, "--given")
    med = None if condition is None else condition.med(matrices)
    n = matrices.n
    if med is not None and ((med * n).denominator > 1 or not 0 <= med <= 1):
        raise Failure(f"--given med must be a multiple of 1/{n} between 0 and 1, got {med}")
    return condition


def _drawing(total: int, display: Any) -> Callable[[Progress], None]:
    """Return a function that shows a progress bar of the drawn matrices."""
    task = display.add_task("Drawing", total=total)
    return lambda at: display.update(task, completed=at.done)


def assess(
    source: TableSource,
    other: Other = None,
    seed: Seeded = None,
    statistic: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Another statistic: chi2, g2, kappa, any of `confmat statistics`; sari, ndc, .. of memberships.",
        ),
    ] = None,
    alternative: Annotated[
        Literal["greater", "less", "two-sided"],
        typer.Option(help="More agreement than by chance, less, or either."),
    ] = "greater",
    plot: Plot = None,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON with exact fractions.")] = False,
) -> None:
    """Test if two labelings agree more than by chance: P(ARI >= observed), P(MED <= observed).

    The null model: both labelings have fixed cluster sizes, and the labels of one are permuted at random.

    \b
    Two labelings:
      confmat test labels.csv --columns truth,cluster
    Their matrix:
      confmat test --matrix "50,0,0;0,48,2;0,14,36"
    The test of Fisher, Freeman and Halton, of any shape, as R's fisher.test:
      confmat test --matrix "3,1,0;0,2,5;1,1,4" --statistic fisher_probability
    Pearson's chi-squared:
      confmat test labels.csv --statistic chi2
    Two soft clusterings by the sARI, from two files of memberships:
      confmat test U.csv V.csv
    """
    from confmat.indices.soft import read_memberships
    from confmat.significance.exact_tests import record_named

    seed, told = _seeded(seed)
    options: dict[str, Any] = {"rng": seed, "alternative": alternative}
    result: Any
    with spinner("Distribution under chance"):
        if other is not None:
            if source.matrix is not None or source.columns is not None or source.na != "refuse":
                raise Failure("OTHER must be used with FILE alone, without --matrix, --columns and --na")
            U, V = map(read_memberships, (str(source.file), other))
            result = cm.significance.soft_test(U, V, statistic or "sari", **options)
        else:
            record = record_named(statistic)
            table = read_matrix(source, record is not None and not record.of_clusterings)
            if statistic is None:
                result = cm.permutation_test(table, **options)
            else:
                result = cm.exact_test(table, statistic, exact=False, **options)
    if result.draws is not None:
        told()
    tell(result, form=form, json=json, plot=plot, draw=getattr(result, "plot", None))
