"""The command ``shards``: a law that several machines compute, also those of others."""

from pathlib import Path
from typing import Annotated

import typer

import confmat as cm
from confmat.cli.output import (
    Failure,
    Page,
    at_least,
    checked,
    print_json,
    resumed,
    spinner,
    whole,
    whole_number,
)
from confmat.cli.spec import Cells, Cols, Empty, Rows, Size, matrices_from
from confmat.cli.table import Threads, Weighted
from confmat.plans.methods import Resources


def shards(
    folder: Annotated[Path, typer.Option(metavar="DIR", help="Where its files are, or are to be.")],
    size: Size = None,
    rows: Rows = None,
    cols: Cols = None,
    empty: Empty = None,
    cells: Cells = None,
    weight: Weighted = "tables",
    part: Annotated[
        str | None, typer.Option(metavar="I/K", help="Compute the I-th of K parts; without it, check all.")
    ] = None,
    recompute: Annotated[
        int | None,
        typer.Option(
            parser=at_least("--recompute", 0),
            metavar="K",
            help="Compute K groups of margins, drawn at random, again (100).",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            parser=at_least("--seed", 0), metavar="K", help="Seed of the draw; none: it cannot be guessed."
        ),
    ] = None,
    threads: Threads = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: verdict, problems, ...")] = False,
) -> None:
    """Split a large law into files that anybody computes, and check them; table --checkpoint puts them together.

    Checked are seals, packing, sums against closed forms, and a random sample against a computation of one's own.
    Exit code 1 when something is wrong or missing.

    \b
    On eight machines, I = 1, .., 8:
      confmat shards 50 4 4 --folder law50 --part I/8
    All files in one folder, from people that you need not trust:
      confmat shards 50 4 4 --folder law50 --recompute 1000
      confmat table 50 4 4 --checkpoint law50 --check
    """
    matrices = matrices_from(size, rows, cols, empty, cells)
    if part is not None:
        if (recompute, seed, json) != (None, None, False):
            raise Failure("--part must be left out with --recompute, --seed and --json")
        resources = Resources(threads=threads)
        with checked(resumed("shards", folder)), spinner("Computing shards"):
            cm.laws.compute_shards(matrices, folder, weight=weight, part=_part(part), resources=resources)
        Page().line(f"Part {part} is in {folder}.")
        return
    with checked(), spinner("Checking shards"):
        found = cm.laws.verify_shards(
            matrices,
            folder,
            weight=weight,
            recompute=100 if recompute is None else recompute,
            seed=seed,
        )
    if json:
        verdict = "wrong" if found.problems else "right"
        print_json({"verdict": verdict} | vars(found) | {"problems": list(found.problems)})
        raise typer.Exit(1 if found.problems else 0)
    page = Page()
    for problem in found.problems:
        page.line(problem)
    if found.problems:
        raise Failure(f"{folder} is rejected: {len(found.problems)} of {found.shards} shards", 1)
    again = f"{whole(found.recomputed)} of {whole(found.groups)} groups of margins computed again"
    page.line(f"{folder}: {found.shards} shards are all right, {again}.")


def _part(text: str) -> tuple[int, int]:
    i, slash, k = text.partition("/")
    if not slash:
        raise Failure(f"--part must read like 3/8, got {text!r}")
    return whole_number("I in --part", i), whole_number("K in --part", k)
