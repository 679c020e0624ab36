"""Sums over the cells of a table that determine statistics at given margins.

At given margins kappa increases with the diagonal sum. The mutual information increases with the sum of x log x,
and the adjusted Rand index with the number of pairs in common cells. The record of a statistic names such a sum
(``Statistic.rises_with``, ``falls_with``). `confmat.fixed_margins` computes the distribution of the sum by a
recursion over rows. This gives the distribution of the statistic, its tails, and random tables with a given value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

# x objects in row i and column j of a table with these row and column sums.
Cell = Callable[[int, int, int, Sequence[int], Sequence[int]], Any]


@dataclass(frozen=True)
class CellSum:
    """Sum over the cells of a table: of exact numbers or of logarithms.

    Attributes
    ----------
    name : str
        Description in texts, such as "pairs in common cells".
    cell : callable or None
        ``cell(x, i, j, rows, cols)`` returns the exact number that x objects in cell (i, j) add.
    logarithm : str
        "factorials" for the sum of log x!, "powers" for the sum of x log x, "" for a sum of exact numbers.
    alike : bool
        True if x objects add the same number in each cell.
    """

    name: str
    cell: Cell | None = None
    logarithm: str = ""
    alike: bool = False


def _on_the_diagonal(x: int, i: int, j: int, rows: Sequence[int], cols: Sequence[int]) -> int:
    """Return x in a diagonal cell, 0 in another cell."""
    return x if i == j else 0


def _share_of_the_row(x: int, i: int, j: int, rows: Sequence[int], cols: Sequence[int]) -> Fraction | int:
    """Return x divided by its row sum in a diagonal cell, 0 in another cell."""
    if x and i == j:
        return Fraction(x, rows[i])
    return 0


def _pairs(x: int, i: int, j: int, rows: Sequence[int], cols: Sequence[int]) -> int:
    """Return the number of pairs of objects in the cell, C(x, 2)."""
    return comb(x, 2)


def _square_over_margins(x: int, i: int, j: int, rows: Sequence[int], cols: Sequence[int]) -> Fraction | int:
    """Return x^2 / (row sum * column sum)."""
    if x:
        return Fraction(x * x, rows[i] * cols[j])
    return 0


DIAGONAL = CellSum("objects on the diagonal", _on_the_diagonal)
SHARES = CellSum("shares of the rows on the diagonal", _share_of_the_row)
PAIRS = CellSum("pairs in common cells", _pairs, alike=True)
SQUARES = CellSum("squares over the product of the margins", _square_over_margins)
FACTORIALS = CellSum("log x!", logarithm="factorials")
POWERS = CellSum("x log x", logarithm="powers")
