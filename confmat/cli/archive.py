"""The commands ``archive ..``: exact laws of many small classes as a folder of Parquet files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import confmat as cm
from confmat.answers import Told, Verbatim, counted
from confmat.answers.sheets import Sheet, whole
from confmat.cli.output import (
    Failure,
    Published,
    at_least,
    bars,
    check_file,
    checked,
    resumed,
    say,
    tell,
    writing,
)
from confmat.cli.planning import OnlyPlan
from confmat.cli.spec import SaidSizes, sizes_of_spec
from confmat.cli.table import Threads
from confmat.plans import Resources, choose, duration, excess, question_of

if TYPE_CHECKING:
    import pandas as pd
    from rich.progress import Progress

archive = typer.Typer(
    no_args_is_help=True,
    help="Exact laws of many small classes as Parquet files: build, query with SQL, verify.",
)

_DONE = "{task.completed}/{task.total}"
_MOST_PRINTED = 50  # rows of an answer, problems of an archive

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="An archive, see confmat archive build.")]


# Which laws an archive holds.
WeightsOption = Literal["tables", "labelings", "both"]


@archive.command()
def build(
    out: Annotated[Path, typer.Option(metavar="PATH", help="New, empty, or an archive to extend.")],
    sizes: SaidSizes,
    weight: Annotated[
        WeightsOption,
        typer.Option(
            metavar="WEIGHT", help="What is equally likely: tables, labelings (pairs of them), or both laws."
        ),
    ] = "both",
    stored: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="A law computed before: the folder of a finished confmat table --checkpoint, or a file of law.save.",
        ),
    ] = None,
    threads: Threads = None,
    yes: Annotated[bool, typer.Option("--yes", help="Start even a build of more than an hour.")] = False,
    plan: OnlyPlan = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: digest, laws, new.")] = False,
) -> None:
    """Compute the laws of (MED, RD, ARD) over all r x s tables with total n, for a range of classes.

    Finished laws are kept: the same command continues a build that was stopped, another one extends the archive.

    \b
    Half a minute, 6 MB:
      confmat archive build 2x2..4x4 n=2..20 --out tables20
    A law that was computed before, by confmat table 24 4 4 --checkpoint law24:
      confmat archive build 4x4 n=24 --out laws --weight tables --stored law24
    """
    # reads: a parameter for each option of the command
    resources = Resources(threads=threads, seconds=inf if yes else None)
    if weight == "both":
        weights = ["tables", "labelings"]
    else:
        weights = [weight]
    request = (*sizes_of_spec(sizes.text("2x2..3x3 n=2..10")), weights)
    with checked():
        wanted = cm.archive.missing(out, *request)
        laws = [cm.open_law(path) for path in stored or ()]
        known = {(*law.matrices.shape, law.matrices.n, law.weight) for law in laws}
        missing = [key for key in wanted if key not in known]
        if plan:
            seconds = _check_cost(missing, replace(resources, seconds=inf))
            cost: dict[str, float] = {"laws": len(missing), "seconds": seconds}
            tell(Told([f"{len(missing)} laws to compute, {duration(seconds)} in all."], cost), json=json)
            return
        _check_cost(missing, resources)
        with checked(resumed("laws", out)), bars(_DONE, _bar_of_laws) as progress:
            entries = cm.archive.build(out, *request, laws=laws, resources=resources, progress=progress)
    digest = cm.archive.digest(entries)
    told = Verbatim(f"{out}: {_contents(entries)}, {_megabytes(out)}, {len(wanted)} of them new.")
    facts = {"digest": digest, "laws": len(entries), "new": len(wanted)}
    tell(Told([told, Verbatim(f"Digest {digest}")], facts), json=json)


_LEAST = 0.02  # seconds that a law takes, however small: its files


def _check_cost(wanted: Sequence[tuple[int, int, int, str]], resources: Resources) -> float:
    """Seconds of all; Failure where one cannot be had, or all take more than the budget; the dearest come first."""
    seconds = 0.0
    classes = [(cm.Tables(n, r, s), weight) for r, s, n, weight in wanted]
    for matrices, weight in sorted(classes, key=lambda pair: -pair[0].count()):
        asked = question_of(cm.joint, matrices, "med", "rd", "ard", weight=weight, resources=resources)
        expected = choose(asked)
        if expected.limit is not None:
            raise Failure(f"{expected.refusal}; take smaller totals (--n) or shapes")
        seconds += max(expected.seconds, _LEAST)
        if excess(seconds, resources=resources):
            raise Failure(
                f"this build takes more than {duration(seconds)}, for {matrices!r} and larger classes alone; "
                "take smaller totals (--n), or start it with --yes: it can be stopped and continued"
            )
    return seconds


@archive.command("list")
def list_(
    folder: Folder,
    form: Published = None,
    json: Annotated[bool, typer.Option("--json", help="Print every law with its digests as JSON.")] = False,
) -> None:
    """What an archive holds, and the digest by which to cite it.

    \b
      confmat archive list tables20
    """
    with checked():
        entries = cm.archive.read_entries(folder)
    digest = cm.archive.digest(entries)
    sheet = Sheet(
        ("shape", "weight", "n", "laws", "rows"),
        ("shape", "weight", "n"),
    )
    ordered = sorted(entries, key=lambda entry: (entry.r, entry.s, entry.weight, entry.n))
    groups = groupby(ordered, key=lambda entry: (entry.r, entry.s, entry.weight))
    for (r, s, weight), group in groups:
        laws = list(group)
        totals = _ranges([entry.n for entry in laws])
        rows = sum(entry.points for entry in laws)
        sheet.add_row(
            f"{r}x{s}",
            weight,
            totals,
            len(laws),
            rows,
        )
    told = Verbatim(f"{folder}: {_contents(entries)}, {_megabytes(folder)}.")
    facts = {"digest": digest, "laws": [asdict(entry) for entry in entries]}
    tell(Told([sheet, told, Verbatim(f"Digest {digest}")], facts), form=form, json=json)


@archive.command()
def query(
    folder: Folder,
    sql: Annotated[
        str, typer.Argument(metavar="SQL", help="Over the views laws, signatures, extremes and classes.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the rows as CSV.")] = False,
    form: Published = None,
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write the rows to a file; .csv or .parquet.")
    ] = None,
) -> None:
    """Ask an archive, in the SQL of DuckDB: one query, which can read the archive alone and writes no file.

    \b
    laws      n r s weight med med_text med_num med_den .. ard_den count
    extremes  n r s statistic extreme given_med .. value .. matrix
    classes   n r s weight matrices total points digests version method checked
    \b
    ard is a double, ard_text its exact text 10/7: order no texts. Without rounding:
    exact_max(ard_num, ard_den), exact_min, exact_compare(ard_num, ard_den, '10/7'),
    which is -1, 0 or 1, and ORDER BY exact_order(ard_num, ard_den).
    \b
    How often the Rand distance is larger than 1/2 for 20 points, by shape:
      confmat archive query tables20 "SELECT r, s, sum(count) FROM laws
        WHERE n = 20 AND weight = 'tables' AND exact_compare(rd_num, rd_den, '1/2') > 0
        GROUP BY r, s ORDER BY r, s"
    The largest adjusted Rand distances:
      confmat archive query tables20 "SELECT n, value_text, matrix FROM extremes
        WHERE statistic = 'ard' AND extreme = 'max' AND given_med IS NULL
        AND r = 3 AND s = 3"
    """
    if json + csv + (form is not None) + (out is not None) > 1:
        raise Failure("give one of --json, --csv, --format and --out")
    check_file("--out", out, (".csv", ".parquet"))
    with checked():
        if out is not None:
            with writing("--out", out):
                cm.archive.query_to_file(folder, sql, out)
            return
        answer = cm.archive.query(folder, sql)
    if csv:
        answer.to_csv(sys.stdout, index=False, lineterminator="\n")
        return
    if json or form:
        shown = answer
    else:
        shown = answer.head(_MOST_PRINTED)
    rows = [dict(zip(answer.columns, row)) for row in answer.itertuples(index=False, name=None)]
    tell(Told([] if answer.empty else [_sheet_of(shown)], rows), form=form, json=json)
    if answer.empty and not json:
        say("no rows")
    if len(answer) > len(shown):
        say(f"these are {_MOST_PRINTED} of {whole(len(answer))} rows: --csv, --json or --out FILE has all")


@archive.command()
def verify(
    folder: Folder,
    recompute: Annotated[
        int,
        typer.Option(
            parser=at_least("--recompute", 0), metavar="K", help="Compute K laws, drawn at random, again."
        ),
    ] = 0,
    seed: Annotated[
        int, typer.Option(parser=at_least("--seed", 0), metavar="K", help="Seed of the draw; rng in Python.")
    ] = 0,
    digest: Annotated[
        str | None, typer.Option(metavar="SHA256", help="The digest that the archive must have, as cited.")
    ] = None,
    threads: Threads = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: verdict, problems, digest.")] = False,
) -> None:
    """Check every file of an archive: totals against closed forms, digests, extremes and their matrices.

    Exit code 1 when something is wrong.

    \b
      confmat archive verify tables20 --recompute 10
    """
    resources = Resources(threads=threads)
    with checked():
        entries = cm.archive.read_entries(folder, altered=True)
        with bars(_DONE, _bar_of_laws) as progress:
            problems = cm.archive.verify(
                folder, recompute=recompute, rng=seed, resources=resources, progress=progress
            )
    found = cm.archive.digest(entries)
    if digest is not None and digest.lower() != found:
        problems += (f"the digest of the archive is {found}, not {digest}",)
    verdict = "wrong" if problems else "right"
    facts = {"verdict": verdict, "problems": problems, "digest": found, "laws": len(entries)}
    if recompute:
        again = f", {min(recompute, len(entries))} of them computed again"
    else:
        again = ""
    right = [
        Verbatim(f"{folder}: {_contents(entries)}{again}: all right."),
        Verbatim(f"Digest {found}"),
    ]
    tell(Told(map(Verbatim, problems[:_MOST_PRINTED]) if problems else right, facts), json=json)
    if problems and json:
        raise typer.Exit(1)
    if problems:
        raise Failure(f"{folder} is rejected: {counted(len(problems), 'problem')}", 1)


def _bar_of_laws(shown: Progress) -> Callable[[cm.archive.Step], None]:
    """A bar for the laws that are computed or verified."""
    bar = shown.add_task("Laws", visible=False)

    def show(step: cm.archive.Step) -> None:
        if step.key is None:
            at = ""
        else:
            at = " {}x{} n={} {}".format(*step.key)
        shown.update(bar, total=step.total, completed=step.done, description=f"Laws{at}", visible=True)

    return show


def _contents(entries: Sequence[cm.archive.Entry]) -> str:
    rows = sum(entry.points for entry in entries)
    return f"{counted(len(entries), 'law')} with {counted(rows, 'row')}"


def _megabytes(folder: Path) -> str:
    octets = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return f"{octets / 1e6:.1f} MB"


def _ranges(numbers: Sequence[int]) -> str:
    """Increasing whole numbers as ranges.

    >>> _ranges([2, 3, 4, 7])
    '2..4,7'
    """
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] == number - 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ",".join(str(part[0]) if len(part) == 1 else f"{part[0]}..{part[-1]}" for part in parts)


def _sheet_of(answer: pd.DataFrame) -> Sheet:
    """Rows as a table."""
    names = tuple(map(str, answer.columns))
    kinds = [dtype.kind for dtype in answer.dtypes]
    words = tuple(name for name, kind in zip(names, kinds) if kind not in "iuf")
    rows: list[tuple[str | int, ...]] = []
    for row in answer.itertuples(index=False, name=None):
        rows.append(tuple(map(_cell_text_of, row)))
    return Sheet(names, words, rows=rows, records=True)


def _cell_text_of(value: Any) -> str:
    if value is None or value != value:
        return "null"
    return str(value)
