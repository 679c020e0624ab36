"""Sums over the cells of a table which determine statistics at given margins.

At given margins kappa increases with the diagonal, the mutual information with the sum of x log x, and the adjusted
Rand index with the pairs in common cells. The record of a statistic names such a sum (``Statistic.rises_with``,
``falls_with``). `confmat.fixed_margins` computes its distribution by a recursion over rows, and therefore that of
the statistic, its tails, and draws with a given value.
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
    """Sum over cells: ``cell`` returns the exact number that x adds, or the sum is one of logarithms.

    ``logarithm`` is "factorials" for the sum of log x!, "powers" for that of x log x, and "" for exact numbers.
    ``alike``: x adds the same number in each cell.
    """

    name: str
    cell: Cell | None = None
    logarithm: str = ""
    alike: bool = False


def _on_the_diagonal(x: int, i: int, j: int, rows: Sequence[int], cols: Sequence[int]) -> int:
    return x if i == j else 0


def _share_of_the_row(x: int, i: int, j: int, rows: Sequence[int], cols: Sequence[int]) -> Fraction | int:
    if x and i == j:
        return Fraction(x, rows[i])
    return 0


def _pairs(x: int, i: int, j: int, rows: Sequence[int], cols: Sequence[int]) -> int:
    return comb(x, 2)


def _square_over_margins(x: int, i: int, j: int, rows: Sequence[int], cols: Sequence[int]) -> Fraction | int:
    if x:
        return Fraction(x * x, rows[i] * cols[j])
    return 0


DIAGONAL = CellSum("objects on the diagonal", _on_the_diagonal)
SHARES = CellSum("shares of the rows on the diagonal", _share_of_the_row)
PAIRS = CellSum("pairs in common cells", _pairs, alike=True)
SQUARES = CellSum("squares over the product of the margins", _square_over_margins)
FACTORIALS = CellSum("log x!", logarithm="factorials")
POWERS = CellSum("x log x", logarithm="powers")
