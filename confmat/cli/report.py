"""The laws of RD and ARD given the MED, for people (text tables) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import confmat as cm
from confmat.cli.output import Format, Page, matrix_text, number_of, over, plain_table, whole
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
    witnesses = [row.law["ard"].argmax() for row in family.rows]
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
