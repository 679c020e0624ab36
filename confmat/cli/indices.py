"""Every index of a contingency matrix as text tables."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

import confmat as cm
from confmat.cli.inputs import Compared
from confmat.cli.output import Page, number_of, plain_table
from confmat.plans.amounts import whole

if TYPE_CHECKING:
    from confmat.statistics.comparison import Comparison, Value

_MOST_PAIRS = 20
_EXACT_WIDTH = 27


def print_comparison(compared: Compared, comparison: Comparison) -> None:
    """Indices, largest values, null moments and matching as text tables."""
    page = Page()
    n, (r, s) = comparison.n, comparison.clusters
    objects, clusters = number_of(n, "object", "objects"), number_of(r, "cluster", "clusters")
    page.line(f"{objects}, {clusters} in a (rows), {whole(s)} in b (columns).\n")

    table = plain_table("index", "name", "value", "exact", left=("index", "name", "exact"))
    for name, value in comparison.items():
        table.add_row(cm.statistics.STATISTICS[name].title, name, *_texts(value))
    page.table(table)

    page.line("Largest over all tables with as many objects and clusters:")
    page.line("".join(f"  {name:<3}  {_with_value(value)}\n" for name, value in comparison.largest))
    mean, variance = comparison.null
    page.line("The ari of random labels with these cluster sizes:")
    page.line(f"  mean {mean}\n  sd   {_decimal(sqrt(variance))}, the square root of")
    page.line(f"       {_over_two_lines(variance, 70, ' ' * 7)}\n")

    matching = cm.matrices.best_matching(compared.matrix)
    table = plain_table("a", "b", "objects", left=("a", "b"))
    for i, j in matching.pairs[:_MOST_PAIRS]:
        table.add_row(str(compared.rows[i]), str(compared.cols[j]), whole(int(compared.matrix[i, j])))
    page.table(
        table, f"Best matching: {whole(int(matching.total))} of {whole(n)} objects in matched clusters"
    )
    if len(matching.pairs) > _MOST_PAIRS:
        page.line(f"and {whole(len(matching.pairs) - _MOST_PAIRS)} more pairs")


def _texts(value: Value) -> tuple[str, str]:
    """Value and exact value of an index."""
    from confmat.statistics.comparison import exact_text

    decimal = "undefined" if value is None else _decimal(float(value))
    return decimal, _over_two_lines(exact_text(value), _EXACT_WIDTH)


def _over_two_lines(exact: object, width: int, indent: str = "") -> str:
    """A fraction as it is, or with its denominator on the next line where it is too long."""
    return str(exact) if len(str(exact)) <= width else str(exact).replace("/", f"/\n{indent}")


def _with_value(x: Fraction) -> str:
    return f"{x} = {_decimal(float(x))}" if x.denominator > 1 else str(x)


def _decimal(x: float) -> str:
    return f"{x:.7f}" if x == 0 or abs(x) >= 1e-4 else f"{x:.3e}"
