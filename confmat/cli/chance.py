"""The commands about chance: ``sample`` draws matrices, ``test`` says how surprising an agreement is."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

import confmat as cm
from confmat.cli.draws import say_how, scalars
from confmat.cli.files import check_file, writing
from confmat.cli.inputs import (
    ColumnNames,
    File,
    Header,
    Matrix,
    Missing,
    OnMissing,
    Separator,
    Source,
    read_table,
)
from confmat.cli.numbers import at_least
from confmat.cli.output import Failure, Page, checked, number_of, plain_table, print_json
from confmat.cli.planning import only_planned
from confmat.cli.progress import bars, spinner
from confmat.cli.spec import Cells, Cols, Empty, Rows, Size, matrices_from
from confmat.cli.table import Threads
from confmat.indices.numbers import number_json
from confmat.plans.amounts import whole
from confmat.plans.resources import Progress, Resources

_SUFFIXES = (".csv", ".npy", ".parquet")


class Method(StrEnum):
    """How to draw."""

    auto = "auto"
    rejection = "rejection"
    counting = "counting"
    unranking = "unranking"
    chain = "chain"
    splitting = "splitting"


Seeded = Annotated[
    int | None,
    typer.Option(
        parser=at_least("--seed", 0), metavar="K", help="Seed: the same seed draws the same matrices."
    ),
]


def sample(
    size: Size = None,
    rows: Rows = None,
    cols: Cols = None,
    empty: Empty = None,
    cells: Cells = None,
    draws: Annotated[
        int, typer.Option("--size", parser=at_least("--size", 0), metavar="K", help="How many matrices.")
    ] = 10,
    given: Annotated[
        str | None, typer.Option(metavar="med=P/Q", help="Only matrices with this MED, such as med=4/20.")
    ] = None,
    method: Annotated[
        Method,
        typer.Option(help="How to draw; auto takes the fastest exact way and says when there is none."),
    ] = Method.auto,
    seed: Seeded = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write .csv, .npy or .parquet instead of printing CSV."),
    ] = None,
    threads: Threads = None,
) -> None:
    """Draw matrices from a class, each equally likely; prints CSV, a matrix a line, cells row by row.

    \b
    Ten 4 x 4 tables with total 50, none of whose rows and columns is empty:
      confmat sample 50 4 4
    A million of them to a file, the same ones every time:
      confmat sample 50 4 4 --size 1000000 --seed 1 --out draws.parquet
    Only tables at a given distance, however rare:
      confmat sample 50 4 4 --given med=37/50 --size 1000
    Tables with given margins:
      confmat sample --rows 220,215,93,64 --cols 108,286,71,127
    """
    from confmat.sampling import stream
    from confmat.sampling.files import write_csv, write_draws

    matrices = matrices_from(size, rows, cols, empty, cells)
    check_file("--out", out, _SUFFIXES)
    with checked():
        condition = None if given is None else cm.statistics.as_condition(given, "--given")
    check_given(condition, matrices)
    only_planned(
        stream, matrices, draws, given=condition, method=method.value, resources=Resources(threads=threads)
    )
    shown_elsewhere = out is None and sys.stdout.isatty()  # the matrices themselves show how far it has come
    with checked(), nullcontext() if shown_elsewhere else _progress(draws) as progress:
        stream_of_draws = stream(
            matrices,
            draws,
            rng=seed,
            given=condition,
            method=method.value,
            resources=Resources(threads=threads, progress=progress),
        )
        watched: list[Any] = []
        if not stream_of_draws.method.exact:
            stream_of_draws.watch = lambda tables: watched.append(scalars(tables))
        if out is None:
            write_csv(stream_of_draws, sys.stdout)
        else:
            with writing("--out", out):
                try:
                    write_draws(stream_of_draws, out)
                except KeyboardInterrupt:
                    raise Failure(f"interrupted; {out} was not written", code=130) from None
    say_how(stream_of_draws, watched)


def check_given(condition: cm.statistics.Condition | None, matrices: cm.classes.MatrixClass) -> None:
    """Failure for a MED that no matrix of n points can have, whatever its shape."""
    med, n = None if condition is None else condition.value_of("med", matrices), matrices.n
    if med is not None and ((med * n).denominator > 1 or not 0 <= med <= 1):
        raise Failure(f"--given med must be a multiple of 1/{n} between 0 and 1, got {med}")


@contextmanager
def _progress(total: int) -> Iterator[Callable[[Progress], None] | None]:
    """A bar on standard error, where that is a terminal."""
    with bars("{task.completed:,}/{task.total:,} matrices") as shown:
        if shown is None:
            yield None
            return
        task = shown.add_task("Drawing", total=total)
        yield lambda at: shown.update(task, completed=at.done)


def assess(
    file: File = None,
    columns: ColumnNames = None,
    matrix: Matrix = None,
    sep: Separator = None,
    header: Header = None,
    na: Missing = OnMissing.refuse,
    exact: Annotated[
        bool | None,
        typer.Option("--exact/--draw", help="Enumerate or draw; by default what the size allows."),
    ] = None,
    draws: Annotated[
        int, typer.Option(parser=at_least("--draws", 1), metavar="K", help="Number of draws.")
    ] = 99_999,
    seed: Seeded = None,
    mid: Annotated[bool, typer.Option("--mid", help="Mid-p: count equal results one half.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON with exact fractions.")] = False,
) -> None:
    """Is the agreement of two labelings more than chance?  P(ARI >= observed), P(MED <= observed).

    Chance: both labelings keep their cluster sizes, the labels of one are permuted at random.

    \b
      confmat test labels.csv --columns truth,cluster
      confmat test --matrix "50,0,0;0,48,2;0,14,36"
    """
    table = read_table(Source(file, columns, matrix, sep, header, na))
    with checked(), spinner("Law under chance"):
        result = cm.significance(table.matrix, exact=exact, draws=draws, rng=seed)
    if json:
        print_json(_significance_json(result))
    else:
        _print_significance(result, mid)


def _print_significance(result: cm.chance.Significance, mid: bool) -> None:
    page = Page()
    n, r, s = sum(result.rows), len(result.rows), len(result.cols)
    objects, clusters = number_of(n, "object", "objects"), number_of(r, "cluster", "clusters")
    page.line(f"{objects}, {clusters} in a, {whole(s)} in b; labels permuted at random.")
    how = "exact, from all tables with these margins"
    if result.draws is not None:
        how = f"Monte Carlo, {whole(result.draws)} draws; 99 % intervals (Clopper-Pearson)"
    page.line(f"Law under chance: {how}.\n")
    table = plain_table("", "observed", "p", "interval" if result.draws is not None else "", left=("",))
    for name, observed, p in (
        ("ARI or more", result.ari, result.p_ari),
        ("MED or less", result.med, result.p_med),
    ):
        interval = "" if p.interval is None else f"{p.interval[0]:.3g} to {p.interval[1]:.3g}"
        table.add_row(name, f"{float(observed):.6f}", f"{float(p.mid if mid else p.value):.4g}", interval)
    page.table(table, "Mid-p values" if mid else "p-values")
    if result.z is not None:
        sd = float(result.variance) ** 0.5
        page.line(f"ARI under chance: mean {result.mean}, sd {sd:.5g}; z = {result.z:.4f}.")
        page.line(
            f"Normal approximation: p = {result.normal_p:.4g}; its distribution function is off by up to"
        )
        page.line(f"{result.normal_error:.4f}.\n")
    critical = plain_table("level", "ARI at least", "MED at most")
    for row in result.critical:
        critical.add_row(
            str(float(row.level)), *("-" if x is None else f"{float(x):.5f}" for x in (row.ari, row.med))
        )
    page.table(critical, "Critical values")


def _significance_json(result: cm.chance.Significance) -> dict[str, Any]:
    def p_json(p: cm.chance.PValue) -> dict[str, Any]:
        interval = None if p.interval is None else list(p.interval)
        return {"p": number_json(p.value), "mid": number_json(p.mid), "interval": interval}

    def or_null(x: Fraction | None) -> Any:
        return None if x is None else number_json(x)

    return {
        "model": "sizes",
        "method": result.method,
        "draws": result.draws,
        "rows": list(result.rows),
        "cols": list(result.cols),
        "ari": {"observed": number_json(result.ari), **p_json(result.p_ari)},
        "med": {"observed": number_json(result.med), **p_json(result.p_med)},
        "mean": number_json(result.mean),
        "variance": number_json(result.variance),
        "z": result.z,
        "normal": {"p": result.normal_p, "error": result.normal_error},
        "critical": [
            {"level": number_json(c.level), "ari": or_null(c.ari), "med": or_null(c.med)}
            for c in result.critical
        ],
    }
