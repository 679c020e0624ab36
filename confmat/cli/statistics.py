"""Command ``statistics``: the table of statistics by their short names."""

from typing import Annotated, Any

import typer

import confmat as cm
from confmat._display import Told, number_json
from confmat._display.sheets import Sheet
from confmat.cli.output import Published, tell


def statistics(
    form: Published = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print JSON: name, title, bounds, symmetry, ...")
    ] = False,
) -> None:
    """List the statistics of a matrix: short name, title, range, and symmetries.

    The names are used in table --only, in search, in --given (exact ones), and in the functions of the library.

    \b
      confmat statistics
    """
    head = ("name", "statistic", "range", "unchanged by")
    sheet = Sheet(head, ("name", "statistic", "unchanged by"))
    for name, statistic in cm.statistics.STATISTICS.items():
        sheet.add_row(
            name,
            statistic.title,
            _range_text(statistic),
            _unchanged_by(statistic),
        )
    facts = {name: _facts_of_statistic(statistic) for name, statistic in cm.statistics.STATISTICS.items()}
    tell(Told([sheet], facts), form=form, json=json)


def _range_text(statistic: cm.Statistic) -> str:
    """Return the bounds of a statistic as text."""
    lower_end, upper_end = ("" if end is None else str(end) for end in statistic.bounds)
    return f"{lower_end}..{upper_end}"


def _unchanged_by(statistic: cm.Statistic) -> str:
    """Return the symmetries of a statistic as text."""
    symmetry = statistic.generators
    both = "permuting both alike" if "simultaneous" in symmetry else ""
    lines = [f"permuting {side}" for side in ("rows", "columns") if side in symmetry]
    if len(lines) == 2:
        permuting = "permuting"
    else:
        permuting = "".join(lines) or both
    return ", ".join(filter(None, (permuting, "transposing" * ("transposition" in symmetry)))) or "nothing"


def _facts_of_statistic(statistic: cm.Statistic) -> dict[str, Any]:
    """Return the properties of a statistic by name, for JSON."""
    theorem = statistic.base.largest
    return {
        "title": statistic.title,
        "label": statistic.label,
        "bounds": [None if end is None else number_json(end) for end in statistic.bounds],
        "symmetry": sorted(statistic.generators),
        "depends": statistic.base.depends if statistic.counted else None,
        "theorem": None if theorem is None else theorem.name,
    }
