"""The law of one statistic over a class: ``confmat table ... --only NAME``."""

from __future__ import annotations

from typing import Any

import confmat as cm
from confmat.cli.output import Format, Page, number_of, plain_table, whole
from confmat.cli.report import amount

# Longer laws are described, not listed.
_MOST_LINES = 100


def print_marginal(joint: cm.laws.Law, form: Format | None = None) -> None:
    """The law of the one statistic of ``joint``: its description, and every value when there are few."""
    page, digits = Page(form), whole if form is None else str
    page.line(f"All {joint.matrices.words()}.")
    name, total = joint.names[0], joint.total
    if not total:
        page.line("There is no such table.")
        return
    points = _points(joint)
    page.line(f"{amount(total, joint.weight)}.\n")
    if points is not None and (len(points) <= _MOST_LINES or form is not None):
        table = plain_table(name, "count", "probability")
        for (value,), weight in points:
            table.add_row(_text(value) or f"{float(value):.6g}", digits(weight), f"{weight / total:.4g}")
        page.table(table, f"Law of {name}")
    if form is not None and points is not None:
        return
    law = joint[name]
    table = plain_table("", "value", "exact", left=("", "exact"))
    for key, number in law.numbers().items():
        table.add_row(key, f"{float(number):.9g}", _text(number))
    page.table(table, name if points is None else f"{name}, {number_of(len(points), 'value', 'values')}")
    if law.undefined:
        page.line(f"Undefined (0/0) in {whole(law.undefined)} of them.")
    if points is not None and len(points) > _MOST_LINES:
        page.line("--joint FILE writes every value with its count; --json prints them.")


def _points(joint: cm.laws.Law) -> list[Any] | None:
    """Every value with its weight; None where they are too many to be listed."""
    from confmat.errors import TooLarge

    try:
        return joint.support if joint.held else None
    except TooLarge:
        return None


def marginal_json(joint: cm.laws.Law) -> dict[str, Any]:
    """Class, weight, total, every value with its count; mean, sd, quartiles, extremes where these are too many."""
    from confmat.indices.numbers import number_json

    points = _points(joint)
    # A value that is 0/0 (nan) is null in JSON.
    rows = [
        {"value": None if value != value else number_json(value), "total": weight}
        for (value,), weight in points or ()
    ]
    numbers = joint[joint.names[0]].numbers().items() if points is None else ()
    known = {key: number_json(x) for key, x in numbers}
    return {
        "class": joint.matrices.to_json(),
        "weight": joint.weight,
        "total": joint.total,
        "statistic": joint.names[0],
    } | ({"law": rows} if points is not None else {"numbers": known})


def _text(number: Any) -> str:
    """Exact text, where there is one and it is not too long for a line."""
    text = "" if isinstance(number, float) else str(number)
    return text if len(text) <= 40 else ""
