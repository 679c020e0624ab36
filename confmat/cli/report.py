"""The laws of RD and ARD given the MED, for people (text tables) and for programs (JSON)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from confmat.cli.output import Page, matrix_text, number_of, over, plain_table, whole

if TYPE_CHECKING:
    from rich.table import Table

    from confmat.laws.law import Conditional, Description

_STATISTICS = ("mean", "sd", "min", "q1", "median", "q3", "max")
_UNITS = {"tables": ("matrix", "matrices"), "labelings": ("pair of labelings", "pairs of labelings")}
_MATRIX_WIDTH = 80 - len("12/34   probability   largest ARD   ")


def amount(total: int, weight: str) -> str:
    """So many of what is equally likely.

    >>> amount(1, "tables"), amount(36, "labelings")
    ('1 matrix', '36 pairs of labelings')
    """
    return number_of(total, *_UNITS[weight])


def print_conditional(conditional: Conditional) -> None:
    """Three tables: the law of the MED with the matrices of largest ARD, then RD and ARD given the MED."""
    joint = conditional.joint
    page = Page()
    page.line(f"All {joint.matrices.words()}.")
    if not conditional.rows:
        page.line("There is no such table.")
        return
    page.line(f"{amount(joint.total, joint.weight)}, each equally likely.\n")
    page.table(_law_of_med(conditional), "Misclassification error distance (MED)")
    for name, title in (("rd", "Rand distance (RD)"), ("ard", "Adjusted Rand distance (ARD)")):
        page.table(_law_given_med(conditional, name), f"{title} given the MED")
    page.line("Computed exactly, rounded here; --json and --joint keep the fractions.")
    page.line("q1, median, q3: the least value with 1/4, 1/2, 3/4 of the mass up to it.")


def _law_of_med(conditional: Conditional) -> Table:
    unit = "matrices" if conditional.joint.weight == "tables" else "labelings"
    table = plain_table(
        "MED",
        unit,
        "probability",
        "largest ARD",
        "at",
        left=("at",),
    )
    counts = [whole(row.total) for row in conditional.rows]
    witnesses = [row.laws["ard"].argmax() for row in conditional.rows]
    room = _MATRIX_WIDTH - max(map(len, (unit, *counts)))
    one_line = all(len(matrix_text(witness)) <= room for witness in witnesses)
    for row, count, witness in zip(conditional.rows, counts, witnesses):
        matrix = matrix_text(witness) if one_line else matrix_text(witness, rows="\n")
        med = over(row.value, conditional.joint.matrices.n)
        table.add_row(
            med, count, f"{float(row.probability):.4g}", f"{float(row.laws['ard'].max):.5f}", matrix
        )
    return table


def _law_given_med(conditional: Conditional, name: str) -> Table:
    table = plain_table("MED", *_STATISTICS)
    for row in conditional.rows:
        numbers = row.laws[name].numbers()
        table.add_row(
            over(row.value, conditional.joint.matrices.n),
            *(f"{float(numbers[statistic]):.5f}" for statistic in _STATISTICS),
        )
    return table


def conditional_json(conditional: Conditional) -> dict[str, Any]:
    """The laws as JSON: MED and the numbers in "rd" and "ard" as {"exact", "value"}, totals as integers."""
    from confmat.indices.numbers import number_json

    def law(description: Description) -> dict[str, Any]:
        return {name: number_json(number) for name, number in description.numbers().items()}

    rows = []
    for row in conditional.rows:
        witness = row.laws["ard"].argmax()
        rows.append(
            {
                "med": number_json(row.value),
                "total": row.total,
                "probability": float(row.probability),
                "rd": law(row.laws["rd"]),
                "ard": law(row.laws["ard"]) | {"argmax": None if witness is None else witness.tolist()},
            }
        )
    joint = conditional.joint
    return {
        "class": joint.matrices.to_json(),
        "weight": joint.weight,
        "total": joint.total,
        "given_med": rows,
    }
