"""The command ``discover``: what may be true of the tables of some sizes, proposed from exact data."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import confmat as cm
from confmat.cli.output import checked, make_folder, resumed, say, spinner, tell
from confmat.cli.planning import OnlyPlan, print_plan
from confmat.cli.spec import SaidSizes, sizes_of_spec


def discover(
    sizes: SaidSizes,
    statistics: Annotated[
        str, typer.Option(metavar="NAME,..", help="What is compared: short names, or texts made of them.")
    ] = ",".join(cm.discovery.DISTANCE_NAMES),
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="Write report.md with pictures, report.json, certificates; resume from here."
        ),
    ] = None,
    blind: Annotated[bool, typer.Option("--blind", help="As if no statement were on record.")] = False,
    plan: OnlyPlan = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON: the list of report.json.")] = False,
) -> None:
    """Propose what may be true: sharp bounds with closed forms in n, properties of laws, and where these end.

    Every proposal holds on all tables of its range and says what the statements on record, together, do not; none is
    proved beyond.
    With --out each class is kept in DIR/classes, and a run that was stopped goes on there.

    \b
      confmat discover 2x2..3x4 n=..30 --out report
      confmat discover 3x3 n=..24 --statistics "rd,ard,1 - jaccard"
    """
    of_shapes, of_totals = sizes_of_spec(sizes.text("2x2..3x4 n=..16"))
    names = [name.strip() for name in statistics.split(",")]
    if plan:
        print_plan(cm.discover, of_shapes, of_totals, names, json=json)
    kept = "; nothing was kept: with --out DIR a run can be resumed"
    folder = None
    if out is not None:
        make_folder("--out", out)
        kept = resumed("classes", out / "classes")
        folder = out / "classes"
    with checked(kept), spinner("Looking") as show:
        found = cm.discover(
            of_shapes,
            of_totals,
            names,
            known=[] if blind else tuple(cm.conjectures.STATEMENTS),
            checkpoint=folder,
            progress=show,
        )
    tell(found, json=json, files=[] if out is None else [partial(_write, found, out)])


def _write(found: Any, folder: Path) -> None:
    found.write(folder)
    say(f"wrote {folder / 'report.md'}")
