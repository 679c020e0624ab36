"""Commands over a class of matrices: ``table`` and ``count``."""

import shlex
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

import confmat as cm
from confmat._display import Told, Verbatim
from confmat._display.sheets import Sheet, whole
from confmat._limits import Limits, Plan
from confmat.cli.given_med import GivenMed
from confmat.cli.output import (
    Failure,
    Plot,
    Published,
    check_apart,
    check_file,
    make_folder,
    spinner,
    tell,
    write_file,
    write_text,
)
from confmat.cli.planning import OnlyPlan, planned, print_plan
from confmat.cli.spec import (
    SaidClass,
    statistic_names,
    statistics_named,
)
from confmat.contingency.texts import matrix_text
from confmat.errors import TooLargeError, UnsupportedError
from confmat.statistics.conditions import as_condition

_JOINT_SUFFIXES = (".csv", ".parquet")
_SMALLER = "take a smaller total or fix the margins (rows=, cols=)"


# Objects that are equally likely.
Weight = Literal["tables", "labelings"]
Weighted = Annotated[
    Weight,
    typer.Option(
        metavar="WEIGHT",
        help="What is equally likely: tables, or labelings (pairs of them, n!/prod x! a matrix).",
    ),
]


def table(
    said: SaidClass,
    weight: Weighted = "tables",
    joint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the joint distribution: med,rd,ard,count; .csv or .parquet."
        ),
    ] = None,
    plot: Plot = None,
    explore: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the distribution as one page for a browser: heat map, conditions, tables.",
        ),
    ] = None,
    only: Annotated[
        Any,
        typer.Option(
            help="The distribution of these statistics alone (med of few clusters: up to millions of objects).",
            metavar="NAME,..",
            parser=statistics_named,
            autocompletion=statistic_names,
        ),
    ] = None,
    given: Annotated[
        str | None,
        typer.Option(metavar="CONDITION", help='Only matrices that satisfy it: "med <= 1/5, ard > 1".'),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the digest of the distribution, for confmat verify."),
    ] = None,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON with exact fractions.")] = False,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep finished parts here, and resume from them.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="tcp://..", help="Run on the Dask cluster with this scheduler.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Start even a run of more than an hour.")] = False,
    plan: OnlyPlan = False,
) -> None:
    """Compute the exact distributions of RD and ARD given the MED, over every matrix of a class.

    \b
    All 3 x 3 tables with total 20 and no empty row or column:
      confmat table 3x3 n=20
    Also as a figure, and every value of (MED, RD, ARD) with its count as a file:
      confmat table 3x3 n=20 --plot tables.png --joint tables.csv
    The same as a page for a browser, with an example table for each value:
      confmat table 3x3 n=20 --explore tables.html
    Each pair of labelings equally likely, clusters may stay empty:
      confmat table 3x3 n=20 empty --weight labelings
    All tables with these row and column sums, as JSON:
      confmat table rows=10,6,4 cols=9,7,4 --json
    The distribution of the MED alone, for a million objects:
      confmat table 3x3 n=1000000 --only med
    Kappa and F1 of a classifier (rows = truth), given its accuracy:
      confmat table 2x2 n=30 --only kappa,f1 --given "accuracy >= 0.9"
    Half an hour of work that can be resumed after an interruption:
      confmat table 4x4 n=60 --checkpoint run60
    """
    # reads: a parameter for each option of the command
    from confmat.cli.limits import run_limits

    matrices = said.matrices()
    check_file("--joint", joint, _JOINT_SUFFIXES)
    check_file("--certificate", certificate)
    check_file("--explore", explore, (".html",))
    named = {"--joint": joint, "--certificate": certificate, "--plot": plot, "--checkpoint": checkpoint}
    check_apart({**named, "--explore": explore})
    shown = list(dict.fromkeys(cm.statistics.STATISTICS[name].name for name in only or ("med", "rd", "ard")))
    names = shown
    if given is not None:
        condition = as_condition(given, "--given")
        names = shown + [x.name for x in condition.statistics if not x.counted and x.name not in shown]
    limits = Limits(seconds=inf if yes or scheduler else None)
    options = {"weight": weight, "limits": limits}
    weighed = "" if weight == "tables" else f" --weight {weight}"
    command = f"confmat table {shlex.join(matrices.text().split())}{weighed}"
    if plan:
        print_plan(cm.joint_distribution, matrices, *names, json=json, command=command, **options)
    expected = planned(cm.joint_distribution, matrices, *names, instead=_instead, **options)
    for option, path in (("--checkpoint", checkpoint), ("--scheduler", scheduler)):
        if path is not None and not expected.in_parts:
            raise Failure(
                f"{option} must be left out for --only {','.join(only)}, which is not computed in chunks, "
                f"got the method {expected.method!r}"
            )
    if checkpoint is not None:
        make_folder("--checkpoint", checkpoint)
    resumable = expected.in_parts
    with (
        run_limits(checkpoint, scheduler, matrices.count(), resumable=resumable) as where,
        nullcontext() if resumable else spinner(f"Distribution of {', '.join(names)}"),
    ):
        law = cm.joint_distribution(
            matrices, *names, weight=weight, limits=replace(where, seconds=limits.seconds)
        )
        if given is not None:
            law = law.given(condition)[shown]
        if only is None:
            report = GivenMed(law)
            _ = report.rows
        elif law.total:
            for name in shown:
                law[name].mean()
        if certificate is None:
            proof = None
        else:
            proof = law.certificate()
    if only is None:
        answer: Any = report
    elif resumable and given is None and form is None:
        answer = _with_examples(law)
    else:
        answer = law
    is_csv = joint is not None and joint.suffix.lower() == ".csv"
    files = [
        partial(write_file, "--joint", joint, law.to_csv if is_csv else law.to_parquet),
        partial(write_file, "--explore", explore, law.explore),
        partial(write_text, "--certificate", certificate, lambda: f"{proof}\n"),
    ]
    draw = law.plot if only else (lambda: cm.plots.overview(law))
    tell(answer, form=form, json=json, files=files, plot=plot, draw=draw)


def _with_examples(law: cm.JointDistribution) -> Told:
    """Return the answer of ``table --only``: a distribution, and example tables of its smallest and largest values.

    There are two tables for each statistic of ``law``.
    """
    sheet = Sheet(("", "min at", "max at"), ("min at", "max at"), "Example tables")
    examples = {}
    for name in law.names:
        ends = law[name].argmin(), law[name].argmax()
        if ends[0] is not None:
            sheet.add_row(name, *map(matrix_text, ends))
            examples[name] = dict(zip(("argmin", "argmax"), ends))
    return Told([*law._parts(), *[sheet] * bool(examples)], {**law._facts(), "examples": examples})


def _instead(refused: Plan) -> str:
    """Return a text with remedies for a distribution whose plan ``refused`` exceeds the limits."""
    question: Any = refused.question
    more = ""
    if question.limits.seconds != inf:
        more = ", or run it on a cluster (--scheduler), or start it with --yes and --checkpoint DIR if memory suffices"
    many = counted = ""
    with suppress(TooLargeError):
        count = question.matrices.count_at_once()
        if count is not None:
            many = f"there are {whole(count)} matrices; "
            counted = "; confmat count still counts it"
    return f"{many}{_SMALLER}{more}{counted}"


def count(
    said: SaidClass,
    yes: Annotated[bool, typer.Option("--yes", help="Count even for more than a minute.")] = False,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: class, count.")] = False,
) -> None:
    """Count the matrices of a class, exactly, without enumeration.

    \b
      confmat count 4x4 n=50
      confmat count 4x4 n=1..50 --format bfile
      confmat count 5x7 n=1000000 empty
      confmat count rows=220,215,93,64 cols=108,286,71,127
    """
    found = said.classes()
    several = isinstance(found, list)
    classes = found if isinstance(found, list) else [found]
    try:
        with spinner("Counting"), cm.limits(seconds=inf if yes else None):
            counts = [matrices.count() for matrices in classes]
    except (TooLargeError, UnsupportedError) as error:
        raise error if yes else Failure(f"{error}. Start it with --yes.") from None
    known = [{"class": x.to_json(), "count": count} for x, count in zip(classes, counts)]
    one_shape = len({matrices.shape for matrices in classes}) == 1
    counted: list[Any] = [(str(x.n) if one_shape else x.text(), count) for x, count in zip(classes, counts)]
    sheet = Sheet(("n" if one_shape else "class", "count"), rows=counted)
    parts = [sheet] if several or form is not None else [Verbatim(counts[0])]
    tell(Told(parts, known if several else known[0]), form=form, json=json)
