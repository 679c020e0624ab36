"""The commands over a class of matrices: ``table``, ``count`` and ``plan``."""

from contextlib import nullcontext
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import confmat as cm
from confmat.cli.cost import check_cost, check_counting, check_values, cost, duration, seconds_of
from confmat.cli.cost import size as octets
from confmat.cli.files import FIGURES, check_file, make_folder, save_figure, writing
from confmat.cli.names import statistic_names
from confmat.cli.numbers import at_least, whole_number
from confmat.cli.output import Failure, Page, Published, checked, plain_table, print_json, whole
from confmat.cli.progress import spinner
from confmat.cli.spec import Cells, Cols, Empty, Rows, Size, matrices_from
from confmat.matrices.arguments import meant

_JOINT_SUFFIXES = (".csv", ".parquet")


_MOST_TOTALS = 10_000


class Weight(StrEnum):
    """What is equally likely."""

    tables = "tables"
    labelings = "labelings"


Weighted = Annotated[
    Weight,
    typer.Option(
        help="What is equally likely: each matrix, or each pair of labelings (n!/prod x! a matrix)."
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(metavar="K", parser=at_least("--threads", 1), help="Threads to use; all cores by default."),
]


def table(
    size: Size = None,
    rows: Rows = None,
    cols: Cols = None,
    empty: Empty = None,
    cells: Cells = None,
    weight: Weighted = Weight.tables,
    joint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the joint law: med,rd,ard,count; .csv or .parquet."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the laws; .png, .svg or .pdf.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=statistic_names,
            help="The law of this one of confmat statistics alone (med of few clusters: up to millions of points).",
        ),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the digest of the law, for confmat verify.")
    ] = None,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON with exact fractions.")] = False,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Compare the law with the same law by other methods, where there are any."
        ),
    ] = False,
    threads: Threads = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep finished parts here, and resume from them.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://..", help="Run on the Dask cluster with this scheduler.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Start even a run of more than an hour.")] = False,
) -> None:
    """Exact laws of RD and ARD given the MED, over every matrix of a class.

    \b
    All 3 x 3 tables with total 20, none of whose rows and columns is empty:
      confmat table 20 3 3
    Also as a picture, and every value of (MED, RD, ARD) with its count as a file:
      confmat table 20 3 3 --plot law.png --joint law.csv
    Each pair of labelings equally likely, clusters may stay empty:
      confmat table 20 3 3 --weight labelings --empty
    All tables with these row and column sums, as JSON:
      confmat table --rows 10,6,4 --cols 9,7,4 --json
    The same, compared with the laws that other methods find:
      confmat table 20 3 3 --check
    The law of the MED alone, for a million points:
      confmat table 1000000 3 3 --only med
    The balanced rate of a classifier (rows = truth), true classes of 50 and 30 objects, any predictions:
      confmat table --rows 50,30 --cols free --only bcr
    Half an hour of work that survives a power cut:
      confmat table 60 4 4 --checkpoint run60
    """
    from confmat.cli.marginal import marginal_json, print_marginal
    from confmat.cli.report import family_json, print_checks, print_family
    from confmat.cli.resources import resources

    matrices = matrices_from(size, rows, cols, empty, cells)
    check_file("--joint", joint, _JOINT_SUFFIXES)
    check_file("--plot", plot, FIGURES)
    check_file("--certificate", certificate)
    _check_only(only, plot)
    in_shards = _in_shards(matrices, weight, only)
    for option, given in (("--checkpoint", checkpoint), ("--scheduler", scheduler)):
        if given is not None and not in_shards:
            raise Failure(f"{option} does nothing for --only {only}, whose law is computed in one piece")
    with spinner("Estimating the time"):
        enumerated = _is_enumerated(matrices, weight, only)
        if enumerated:
            most = partial(_most_points, matrices, weight, only, joint)
            check_cost(matrices, weight.value, threads, yes=yes, most=most, spread=scheduler is not None)
        elif only is not None and cm.statistics.STATISTICS[only].base.depends == "m":
            check_values(matrices, only, json)
    if checkpoint is not None:
        make_folder("--checkpoint", checkpoint)
    with (
        resources(checkpoint, threads, scheduler, matrices.count(), resumable=in_shards) as where,
        checked(),
        nullcontext() if enumerated else spinner(f"Law of {only}"),
    ):
        from confmat.laws import over_class

        names = ("med", "rd", "ard") if only is None else (only,)
        law = over_class.joint(matrices, *names, weight=weight.value, resources=where)
        if only is None:
            family = law.given_each("med")
            _ = family.rows
        else:
            _ = law.support
        checks = law.check() if check else None
        if joint is not None:
            with writing("--joint", joint):
                (law.to_csv if joint.suffix.lower() == ".csv" else law.to_parquet)(joint)
        if certificate is not None:
            text = law.certificate()
            with writing("--certificate", certificate):
                certificate.write_text(text + "\n")
    if plot is not None:
        from confmat.plots.laws import overview

        save_figure(plot, lambda: overview(family))
    if json:
        found = family_json(family) if only is None else marginal_json(law)
        checked_twice = {} if checks is None else {"checked": [x.to_json() for x in checks]}
        print_json(found | checked_twice)
        return
    print_family(family, form) if only is None else print_marginal(law, form)
    if checks is not None:
        print_checks(checks, form)


def _check_only(only: str | None, plot: Path | None) -> None:
    """The name of a statistic, and no picture of what is not computed."""
    if only is None:
        return
    if only not in cm.statistics.STATISTICS:
        hint = meant(only, cm.statistics.STATISTICS) or "; confmat statistics lists them"
        raise Failure(f"--only must be the name of a statistic, got {only!r}{hint}")
    if plot is not None:
        raise Failure("--plot draws RD and ARD given the MED: leave --only out")


def _is_enumerated(matrices: cm.classes.MatrixClass, weight: Weight, only: str | None) -> bool:
    """Whether the law asked for takes a visit of the class."""
    from confmat.laws.evaluation import has_med_law, has_rd_law

    if weight is not Weight.tables or only is None or not cm.statistics.STATISTICS[only].counted:
        return True
    is_known = {"m": has_med_law, "F": has_rd_law}.get(cm.statistics.STATISTICS[only].base.depends)
    return is_known is None or not is_known(matrices)


def _in_shards(matrices: cm.classes.MatrixClass, weight: Weight, only: str | None) -> bool:
    """Whether the engine visits the class, part by part."""
    counted = matrices.has_margins and (only is None or cm.statistics.STATISTICS[only].counted)
    return counted and _is_enumerated(matrices, weight, only)


def _most_points(
    matrices: cm.classes.MatrixClass, weight: Weight, only: str | None = None, joint: Path | None = None
) -> int | None:
    """How many values of (MED, RD, ARD) can be held on the way to what is asked for; None: none are held."""
    from confmat.classes.matrix_class import MOST_ITERATED
    from confmat.engine.signatures import MOST_LISTED
    from confmat.engine.summary import streams
    from confmat.laws.evaluation import MOST_POINTS, MOST_WRITTEN

    if not matrices.has_margins:
        return MOST_ITERATED
    if only is None and not streams(matrices, weight.value):
        return MOST_LISTED
    if only is None:
        return None if joint is None else MOST_WRITTEN
    statistic = cm.statistics.STATISTICS[only]
    of_disagreements = statistic.counted and set(statistic.base.depends) <= {"m", "F"}
    return None if of_disagreements and streams(matrices, weight.value) else MOST_POINTS


def count(
    size: Size = None,
    rows: Rows = None,
    cols: Cols = None,
    empty: Empty = None,
    cells: Cells = None,
    yes: Annotated[bool, typer.Option("--yes", help="Count even for more than a minute.")] = False,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: class, count.")] = False,
) -> None:
    """Number of matrices in a class, exact, without enumerating it.

    \b
      confmat count 50 4 4
      confmat count 1..50 4 4 --format bfile
      confmat count 1000000 5 7 --empty
      confmat count --rows 220,215,93,64 --cols 108,286,71,127
    """
    several = _range(size)
    classes = [matrices_from([n, *(size or [])[1:]], rows, cols, empty, cells) for n in several]
    classes = classes or [matrices_from(size, rows, cols, empty, cells)]
    if not yes:
        for matrices in classes:
            check_counting(matrices, "start it with --yes")
    with checked():
        counts = [matrices.count() for matrices in classes]
    if json:
        found = [{"class": x.to_json(), "count": count} for x, count in zip(classes, counts)]
        print_json(found if several else found[0])
    elif form is None and not several:
        print(counts[0])
    else:
        sheet = plain_table("n", "count")
        for matrices, count in zip(classes, counts):
            sheet.add_row(str(matrices.n), str(count))
        Page(form).table(sheet)


def _range(size: list[str] | None) -> list[str]:
    """The totals of A..B; none of a single one."""
    low, dots, high = (size or [""])[0].partition("..")
    if not dots:
        return []
    first, last = whole_number("N", low), whole_number("N", high)
    if last < first or last - first >= _MOST_TOTALS:
        raise Failure(f"N must be a range of at most {_MOST_TOTALS} totals such as 1..50, got {low}..{high}")
    return [str(n) for n in range(first, last + 1)]


def plan(
    size: Size = None,
    rows: Rows = None,
    cols: Cols = None,
    empty: Empty = None,
    cells: Cells = None,
    weight: Weighted = Weight.tables,
    threads: Threads = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What `confmat table` would cost here: matrices, tables to visit, time, memory.

    \b
      confmat plan 50 4 4
      confmat plan --rows 60,40,20 --cols 50,40,30
    """
    matrices = matrices_from(size, rows, cols, empty, cells)
    with spinner("Estimating the time"):
        expected = cost(matrices, weight.value, threads)
    option = "" if weight is Weight.tables else f" --weight {weight.value}"
    command = f"confmat table {matrices.arguments()}{option}"
    cluster = "--scheduler tcp://HOST:8786 --checkpoint DIR"
    if json:
        reached = expected.seconds is not None
        print_json(
            {
                "matrices": expected.matrices,
                "tables": expected.tables,
                "passes": expected.passes,
                "method": expected.method,
                "threads": expected.threads,
                "seconds": expected.seconds,
                "memory": expected.memory if reached else None,
                "on a cluster": f"{command} {cluster}" if reached and matrices.has_margins else None,
            }
        )
        return
    print(f"All {matrices.words()}.")
    print(f"matrices         {whole(expected.matrices)}")
    print(f"method           {expected.method}")
    passes = ", in each of two passes" if expected.passes == 2 else ""
    print(f"tables to visit  {whole(expected.tables)} after symmetry{passes}")
    time = f"{duration(seconds_of(expected))} on {expected.threads} threads"
    if expected.seconds is None:
        print(f"time             {time}: out of reach")
        return
    print(f"time             {time}")
    print(f"memory           {octets(expected.memory)}")
    most = _most_points(matrices, weight)
    if most is not None and expected.cells > most:
        values = f"up to {whole(expected.cells)} of (MED, RD, ARD)"
        print(f"values           {values}: too many to hold")
        return
    if matrices.has_margins:
        print(f"on a cluster     {command}")
        print(f"                 {cluster}")
