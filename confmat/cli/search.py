"""Command ``search``: the largest or smallest value of a statistic over a class, and the tables that have it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import confmat as cm
from confmat.cli.output import (
    Failure,
    Plot,
    check_file,
    make_folder,
    spinner,
    tell,
    write_text,
)
from confmat.cli.planning import OnlyPlan, print_plan
from confmat.cli.significance import condition_of
from confmat.cli.spec import SaidClass, statistic_names


def search(
    statistic: Annotated[
        str,
        typer.Argument(
            metavar="STATISTIC",
            autocompletion=statistic_names,
            help="Short name: rd, ard, med, jaccard, ..; confmat statistics lists all.",
        ),
    ],
    said: SaidClass,
    given: Annotated[
        str | None,
        typer.Option(
            metavar="CONDITION",
            help='Only matrices that satisfy a condition, such as med=4/20 or "med<=1/5, ard>1".',
        ),
    ] = None,
    minimize: Annotated[
        bool, typer.Option("--minimize/--maximize", help="The smallest value, or the largest.")
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a certificate, which confmat verify checks."),
    ] = None,
    plot: Plot = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep finished chunks here, and resume from here."),
    ] = None,
    plan: OnlyPlan = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON with the exact value.")] = False,
) -> None:
    """Find the largest value of a statistic over every matrix of a class, and all matrices that attain it.

    Matrices are listed up to symmetry: row and column permutations, and transposition if it preserves the class.

    \b
    The largest adjusted Rand distance of 3 x 3 tables with total 20:
      confmat search ard 20 3 3
    The smallest one of the tables with 4 misplaced objects:
      confmat search ard 20 3 3 --given med=4/20 --minimize
    The largest one if MED <= 1/5 and RD > 1/4:
      confmat search ard 20 3 3 --given "med<=1/5, rd>1/4"
    Proved over 2.4 10^18 matrices in seconds:
      confmat search ard 100 4 4
    The same as a file that confmat verify checks without this package:
      confmat search ard 100 4 4 --certificate ard.json
    At fixed margins, for a program:
      confmat search rd rows=10,6,4 cols=9,7,4 --json
    """
    # reads: a parameter for each option of the command
    if statistic.isdigit():
        raise Failure(f"STATISTIC must be the first argument, as in search ard 20 3 3, got {statistic}")
    matrices = said.matrices()
    check_file("--certificate", certificate)
    condition = condition_of(given, matrices)
    search_for = cm.minimize if minimize else cm.maximize
    limits = cm.Limits(checkpoint=checkpoint)
    if plan:
        print_plan(search_for, matrices, statistic, condition, json=json, limits=limits)
    if checkpoint is not None:
        make_folder("--checkpoint", checkpoint)
    with spinner(f"Searching {matrices.text()}"):
        result = search_for(matrices, statistic, condition, limits=limits)
    files = [partial(write_text, "--certificate", certificate, lambda: result.certificate() + "\n")]
    tell(result, json=json, files=files, plot=plot)
