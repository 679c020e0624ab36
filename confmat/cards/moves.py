"""The tables one moved object away: the next lower and the next higher ARI, which say how fine its values are here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from confmat.indices.pairs import PairSums
from confmat.matrices.matrix import as_matrix

# Moves that are compared at most: a second.
MOST_MOVES = 2 * 10**5

Cell = tuple[int, int]


@dataclass(frozen=True)
class Neighbour:
    """An object moved from the cell ``start`` to the cell ``end``, and the ARI that the table then has."""

    ari: Fraction
    start: Cell
    end: Cell


def neighbours(matrix: Any) -> tuple[Neighbour | None, Neighbour | None]:
    """Of all tables with one object in another cluster of one labeling, those of the next lower and next higher ARI.

    No cluster is emptied or added.  None where no move leads down, or up.  Of several, the first in row-major order.
    O(r s (r + s)); ValueError beyond 2 * 10^5 moves.

    >>> lower, higher = neighbours([[3, 1], [0, 4]])
    >>> lower
    Neighbour(ari=Fraction(4, 25), start=(0, 0), end=(0, 1))
    >>> higher
    Neighbour(ari=Fraction(1, 1), start=(0, 1), end=(0, 0))
    """
    table = as_matrix(matrix)
    r, s = table.shape
    if r * s * (r + s - 2) > MOST_MOVES:
        raise ValueError(f"matrix must have at most {MOST_MOVES} moves of an object, got shape {r} x {s}")
    cells = (table if isinstance(table, np.ndarray) else table.toarray()).tolist()
    found = list(_moved(cells))
    ari = 1 - PairSums.of(table).adjusted_rand_distance
    return (
        max((x for x in found if x.ari < ari), key=lambda x: x.ari, default=None),
        min((x for x in found if x.ari > ari), key=lambda x: x.ari, default=None),
    )


def _moved(cells: list[list[int]]) -> Iterator[Neighbour]:
    rows, cols = [sum(row) for row in cells], [sum(col) for col in zip(*cells)]
    sums = PairSums.of(cells)
    for i, row in enumerate(cells):
        for j, x in enumerate(row):
            if not x:
                continue
            # Of a cell with x objects in a line of y: x - 1 and y - 1 pairs are lost, those with the new ones won.
            for k, y in enumerate(row):
                if k != j and cols[j] > 1 and cols[k]:
                    B, P = sums.B + cols[k] - cols[j] + 1, sums.P + y - x + 1
                    yield Neighbour(_ari(sums.n, sums.A, B, P), (i, j), (i, k))
            for k, other in enumerate(cells):
                if k != i and rows[i] > 1 and rows[k]:
                    A, P = sums.A + rows[k] - rows[i] + 1, sums.P + other[j] - x + 1
                    yield Neighbour(_ari(sums.n, A, sums.B, P), (i, j), (k, j))


def _ari(n: int, A: int, B: int, P: int) -> Fraction:
    return 1 - PairSums(n, A, B, P).adjusted_rand_distance
