"""The laws of RD and ARD given the MED, for people (text tables) and for programs (JSON).

The law of one statistic over a class: ``confmat table ... --only NAME``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import confmat as cm
from confmat.cli.output import Format, Page, number_of, over, plain_table, whole
from confmat.matrices.texts import matrix_text
from confmat.sheets import Sheet

_STATISTICS = ("mean", "sd", "min", "q1", "median", "q3", "max")
_UNITS = {"tables": ("matrix", "matrices"), "labelings": ("pair of labelings", "pairs of labelings")}
_MATRIX_WIDTH = 80 - len("12/34   probability   largest ARD   ")


def amount(total: int, weight: str) -> str:
    """So many of what is equally likely.

    >>> amount(1, "tables"), amount(36, "labelings")
    ('1 matrix', '36 pairs of labelings')
    """
    return number_of(total, *_UNITS[weight])


def print_family(family: cm.laws.Family, form: Format | None = None) -> None:
    """Three tables: the law of the MED with the matrices of largest ARD, then RD and ARD given the MED."""
    joint_law = family.law
    page = Page(form)
    page.line(f"All {joint_law.matrices.words()}.")
    if not family.rows:
        page.line("There is no such table.")
        return
    page.line(f"{amount(joint_law.total, joint_law.weight)}, each equally likely.\n")
    page.table(_law_of_med(family), "Misclassification error distance (MED)")
    for name, title in (("rd", "Rand distance (RD)"), ("ard", "Adjusted Rand distance (ARD)")):
        page.table(_law_given_med(family, name), f"{title} given the MED")
    page.line("Computed exactly, rounded here; --json and --joint keep the fractions.")
    page.line("q1, median, q3: the least value with 1/4, 1/2, 3/4 of the mass up to it.")


def _law_of_med(family: cm.laws.Family) -> Sheet:
    unit = "matrices" if family.law.weight == "tables" else "labelings"
    table = plain_table(
        "MED",
        unit,
        "probability",
        "largest ARD",
        "at",
        left=("at",),
    )
    counts = [whole(row.weight) for row in family.rows]
    witnesses = []
    for row in family.rows:
        _ = row.law["rd"].mean  # told below: here its signatures are unpacked once for both
        witnesses.append(row.law["ard"].argmax())
    room = _MATRIX_WIDTH - max(map(len, (unit, *counts)))
    one_line = all(len(matrix_text(witness)) <= room for witness in witnesses)
    for row, count, witness in zip(family.rows, counts, witnesses):
        matrix = matrix_text(witness) if one_line else matrix_text(witness, rows="\n")
        med = over(row.value, family.law.matrices.n)
        table.add_row(med, count, f"{float(row.probability):.4g}", f"{float(row.law['ard'].max):.5f}", matrix)
    return table


def _law_given_med(family: cm.laws.Family, name: str) -> Sheet:
    table = plain_table("MED", *_STATISTICS)
    for row in family.rows:
        numbers = row.law[name].numbers()
        table.add_row(
            over(row.value, family.law.matrices.n),
            *(f"{float(numbers[statistic]):.5f}" for statistic in _STATISTICS),
        )
    return table


def print_checks(checks: Sequence[object], form: Format | None = None) -> None:
    """What was compared with what; where nothing was, that there is no second method."""
    page = Page(form)
    for agreement in checks:
        page.line(f"Checked: {agreement}.")
    if not checks:
        page.line("Checked: the sum of the weights alone; there is no second method for this class.")


def family_json(family: cm.laws.Family) -> dict[str, Any]:
    """The laws as JSON: MED and the numbers in "rd" and "ard" as {"exact", "value"}, totals as integers."""
    from confmat.indices.numbers import number_json

    def law(marginal: cm.laws.Marginal) -> dict[str, Any]:
        return {name: number_json(number) for name, number in marginal.numbers().items()}

    rows = []
    for row in family:  # one after another: nothing is kept of them
        witness = row.law["ard"].argmax()
        rows.append(
            {
                "med": number_json(row.value),
                "total": row.weight,
                "probability": float(row.probability),
                "rd": law(row.law["rd"]),
                "ard": law(row.law["ard"]) | {"argmax": None if witness is None else witness.tolist()},
            }
        )
    joint_law = family.law
    return {
        "class": joint_law.matrices.to_json(),
        "weight": joint_law.weight,
        "total": joint_law.total,
        "given_med": rows,
    }


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
