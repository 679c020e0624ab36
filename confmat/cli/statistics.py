"""The command ``statistics``: the table of statistics by their short names."""

from typing import Annotated, Any

import typer

import confmat as cm
from confmat.answers import Told, number_json
from confmat.cli.output import Published, tell
from confmat.sheets import Sheet


def statistics(
    form: Published = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON: name, title, bounds, symmetry, ...")
    ] = False,
) -> None:
    """The statistics of a matrix: short name, range, exact or not, what leaves them unchanged.

    The names stand in table --only, in search, in --given (exact ones), and in the library's functions.
    """
    head = ("name", "statistic", "range", "values", "unchanged by")
    sheet = Sheet(head, ("name", "statistic", "values", "unchanged by"))
    for name, statistic in cm.statistics.STATISTICS.items():
        low, high = ("" if end is None else str(end) for end in statistic.bounds)
        values = "exact" if statistic.exact else "double"
        sheet.add_row(name, statistic.title, f"{low}..{high}", values, _unchanged_by(statistic))
    facts = {name: _facts(statistic) for name, statistic in cm.statistics.STATISTICS.items()}
    tell(Told([sheet], facts), form=form, json=json)


def _unchanged_by(statistic: cm.Statistic) -> str:
    symmetry = statistic.generators
    both = "permuting both alike" if "simultaneous" in symmetry else ""
    lines = [f"permuting {side}" for side in ("rows", "columns") if side in symmetry]
    permuting = "permuting" if len(lines) == 2 else "".join(lines) or both
    return ", ".join(filter(None, (permuting, "transposing" * ("transposition" in symmetry)))) or "nothing"


def _facts(statistic: cm.Statistic) -> dict[str, Any]:
    theorem = statistic.base.largest
    return {
        "title": statistic.title,
        "label": statistic.label,
        "bounds": [None if end is None else number_json(end) for end in statistic.bounds],
        "symmetry": sorted(statistic.generators),
        "exact": statistic.exact,
        "depends": statistic.base.depends if statistic.counted else None,
        "theorem": None if theorem is None else theorem.name,
    }
