"""Commands ``archive ..``: exact distributions over many small classes as Parquet files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import confmat as cm
from confmat._display import Told, Verbatim, counted
from confmat._display.sheets import Sheet, whole
from confmat.cli.output import (
    Failure,
    Published,
    at_least,
    bars,
    interrupted,
    resumed,
    say,
    tell,
)
from confmat.cli.spec import Classes, sizes_of_spec

if TYPE_CHECKING:
    import pandas as pd
    from rich.progress import Progress

archive = typer.Typer(
    no_args_is_help=True,
    help="Exact distributions over many small classes as Parquet files: build, query with SQL, verify.",
)

_DONE = "{task.completed}/{task.total}"
_MOST_PRINTED = 50  # rows of an answer, problems of an archive

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="An archive, see confmat archive build.")]


@archive.command()
def build(
    out: Annotated[Path, typer.Option(metavar="PATH", help="New, empty, or an archive to extend.")],
    sizes: Classes = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: digest, distributions, new.")] = False,
) -> None:
    """Write the exact distributions of (MED, RD, ARD) over all r x s tables with total n, for several classes.

    Finished files stay: the same command continues a build that was stopped, another one extends the archive.

    \b
    Half a minute, 6 MB:
      confmat archive build 2x2..4x4 n=2..20 --out tables20
    """
    request = sizes_of_spec(" ".join(sizes or ["2x2..3x3 n=2..10"]))
    missing = cm.archive.missing(out, *request)
    with interrupted(resumed("files", out)), bars(_DONE, _bar_of_files) as progress:
        entries = cm.archive.build(out, *request, progress=progress)
    digest = cm.archive.digest(entries)
    facts = {"digest": digest, "distributions": len(entries), "new": len(missing)}
    text = f"{out}: {counted(len(entries), 'file')}, {len(missing)} of them new.\nDigest {digest}"
    tell(Told([Verbatim(text)], facts), json=json)


@archive.command()
def query(
    folder: Folder,
    sql: Annotated[str, typer.Argument(metavar="SQL", help="Over the views distributions and classes.")],
    json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
    form: Published = None,
) -> None:
    """Run a query in the SQL of DuckDB over the archive, which is not changed.

    \b
    distributions : n r s weight med med_text med_num med_den .. ard_den count
    classes : n r s weight matrices total points digest sha256
    \b
    ard is a float, ard_text an exact text such as 10/7. Do not sort by texts.
    Exact, for a numerator and a denominator: exact_max(ard_num, ard_den),
    exact_min(ard_num, ard_den), ORDER BY exact_order(ard_num, ard_den), and
    exact_compare(ard_num, ard_den, '10/7'), which is -1, 0 or 1.
    \b
    The number of tables with a Rand distance above 1/2:
      confmat archive query tables20 "SELECT n, weight, sum(count)
        FROM distributions WHERE rd > 0.5 GROUP BY n, weight"
    The largest adjusted Rand distances:
      confmat archive query tables20 "SELECT n, exact_max(ard_num, ard_den)
        FROM distributions GROUP BY n ORDER BY n"
    """
    answer = cm.archive.query(folder, sql)
    rows_printed = answer if json or form else answer.head(_MOST_PRINTED)
    rows = [dict(zip(answer.columns, row)) for row in answer.itertuples(index=False, name=None)]
    tell(Told([] if answer.empty else [_sheet_of(rows_printed)], rows), form=form, json=json)
    if answer.empty and not json:
        say("no rows")
    if len(answer) > len(rows_printed):
        say(f"these are {_MOST_PRINTED} of {whole(len(answer))} rows: --json or --format csv has all")


@archive.command()
def verify(
    folder: Folder,
    recompute: Annotated[
        int,
        typer.Option(
            parser=at_least("--recompute", 0), metavar="K", help="Compute K files again, drawn at random."
        ),
    ] = 3,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON: verdict, problems, digest, distributions.")
    ] = False,
) -> None:
    """Check the digests and totals of an archive, compute a few files again, and print its classes and its digest.

    Exit code 1 if something is wrong.

    \b
      confmat archive verify tables20 --recompute 10
    """
    with bars(_DONE, _bar_of_files) as progress:
        problems = cm.archive.verify(folder, recompute=recompute, progress=progress)
        entries = cm.archive.read_entries(folder)
    facts = {
        "verdict": "wrong" if problems else "right",
        "problems": problems,
        "digest": cm.archive.digest(entries),
        "distributions": [asdict(entry) for entry in entries],
    }
    parts: list[Any] = [Verbatim(problem) for problem in problems[:_MOST_PRINTED]]
    if not problems:
        again = min(recompute, len(entries))
        parts.append(_sheet_of(cm.archive.query(folder, _SUMMARY)))
        parts.append(
            Verbatim(f"{folder}: {counted(len(entries), 'file')}, {again} of them computed again: all right.")
        )
        parts.append(Verbatim(f"Digest {facts['digest']}"))
    tell(Told(parts, facts), json=json)
    if problems:
        raise Failure(f"{folder} is rejected: {counted(len(problems), 'problem')}", 1)


_SUMMARY = """
    SELECT r || 'x' || s AS shape, weight, min(n) || '..' || max(n) AS n, count(*) AS files, sum(points) AS rows
    FROM classes GROUP BY r, s, weight ORDER BY r, s, weight
"""


def _bar_of_files(display: Progress) -> Callable[[cm.archive.Step], None]:
    """Return a function that shows the progress of a build or a verification in ``display``."""
    bar = display.add_task("Files", visible=False)

    def show(step: cm.archive.Step) -> None:
        at = "" if step.key is None else " {}x{} n={} {}".format(*step.key)
        display.update(bar, total=step.total, completed=step.done, description=f"Files{at}", visible=True)

    return show


def _sheet_of(answer: pd.DataFrame) -> Sheet:
    """Return the DataFrame ``answer``, the result of a query, as a printed table."""
    names = tuple(map(str, answer.columns))
    words = tuple(str(name) for name in answer.select_dtypes(exclude="number"))
    rows: list[tuple[str | int, ...]] = [
        tuple(map(_cell_text_of, row)) for row in answer.itertuples(index=False, name=None)
    ]
    return Sheet(names, words, rows=rows, records=True)


def _cell_text_of(value: Any) -> str:
    """Return a value of DuckDB as text."""
    return "null" if value is None or value != value else str(value)
