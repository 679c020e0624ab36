"""The law of one statistic over a class: ``confmat table ... --only NAME``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confmat.cli.output import Page, number_of, plain_table, whole
from confmat.cli.report import amount

if TYPE_CHECKING:
    from confmat.laws.description import Number
    from confmat.laws.law import Joint

# Longer laws are described, not listed.
_MOST_LINES = 100


def print_marginal(joint: Joint, law: dict[Number, int]) -> None:
    """The law of the one statistic of ``joint``: its description, and every value when there are few."""
    from confmat.laws.description import describe

    page = Page()
    page.line(f"All {joint.matrices.words()}.")
    if not law:
        page.line("There is no such table.")
        return
    total = sum(law.values())
    name = joint.names[0]
    page.line(f"{amount(total, joint.weight)}.\n")
    if len(law) <= _MOST_LINES:
        table = plain_table(name, "count", "probability")
        for value, weight in law.items():
            table.add_row(_text(value) or f"{float(value):.6g}", whole(weight), f"{weight / total:.4g}")
        page.table(table, f"Law of {name}")
    description = describe(law)
    table = plain_table("", "value", "exact", left=("", "exact"))
    for key, number in description.numbers().items():
        table.add_row(key, f"{float(number):.9g}", _text(number))
    page.table(table, f"{name}, {number_of(len(law), 'value', 'values')}")
    if description.undefined:
        page.line(f"Undefined (0/0) in {whole(description.undefined)} of them.")
    if len(law) > _MOST_LINES:
        page.line("--joint FILE writes every value with its count; --json prints them.")


def marginal_json(joint: Joint, law: dict[Number, int]) -> dict[str, Any]:
    """Class, weight, total, and every value with its count."""
    from confmat.indices.numbers import number_json

    # A value that is 0/0 (nan) is null in JSON.
    rows = [
        {"value": None if value != value else number_json(value), "total": weight}
        for value, weight in law.items()
    ]
    return {
        "class": joint.matrices.to_json(),
        "weight": joint.weight,
        "total": sum(law.values()),
        "statistic": joint.names[0],
        "law": rows,
    }


def _text(number: Any) -> str:
    """Exact text, where there is one and it is not too long for a line."""
    text = "" if isinstance(number, float) else str(number)
    return text if len(text) <= 40 else ""
