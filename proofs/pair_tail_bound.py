"""A bound of the chance that at least t pairs of objects lie in common cells, labels permuted at random.

Statement `pair-tail-bound`: over all relabelings P(P >= t) <= prod r_i! prod c_j!/n! exp(-theta t - u.r - v.c) times
    the product over cells of the sum over x <= min(r_i, c_j) of exp((u_i + v_j) x + theta C(x, 2))/x!, for any
    theta >= 0, u and v.

Proof.
(1) A table x with the margins r and c has probability prod r_i! prod c_j!/(n! prod x_ij!).
(2) Chernoff: the indicator of P >= t is at most exp(theta (P - t)), as theta >= 0.
(3) exp(sum_ij (u_i + v_j) x_ij - u.r - v.c) = 1 at every table with these margins.
(4) So P(P >= t) is at most prod r_i! prod c_j!/n! exp(-theta t - u.r - v.c) times the sum over the tables x with these
    margins of prod_ij exp((u_i + v_j) x_ij + theta C(x_ij, 2))/x_ij!, as P = sum C(x_ij, 2).
(5) All terms are positive, and every such table has x_ij <= min(r_i, c_j): the sum over all matrices with
    0 <= x_ij <= min(r_i, c_j) is at least as large, and it is a product of sums over single cells.  QED

`verify` takes exp(theta), exp(u_i) and exp(v_j) as rational numbers, so that every step is compared in fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

from confmat.classes import FixedMargins
from confmat.classes.compositions import partitions
from proofs import require

LARGEST = 7
WEIGHTS = (Fraction(1), Fraction(1, 2), Fraction(3))
TILTS = (Fraction(1), Fraction(3, 2), Fraction(4))


def probability(table: Sequence[Sequence[int]], rows: Sequence[int], cols: Sequence[int]) -> Fraction:
    """Step (1).

    >>> probability([[2, 0], [0, 1]], [2, 1], [2, 1])
    Fraction(1, 3)
    """
    ways = prod(map(factorial, (*rows, *cols)))
    return Fraction(ways, factorial(sum(rows)) * prod(factorial(x) for row in table for x in row))


def pairs(table: Sequence[Sequence[int]]) -> int:
    """P."""
    return sum(comb(x, 2) for row in table for x in row)


def margin_factor(
    row_weights: Sequence[Fraction], col_weights: Sequence[Fraction], table, rows, cols
) -> Fraction:
    """The left side of (3), with exp(u_i) and exp(v_j) as ``row_weights`` and ``col_weights``."""
    of_cells = Fraction(1)
    for i, row in enumerate(table):
        for j, x in enumerate(row):
            of_cells *= (row_weights[i] * col_weights[j]) ** x
    of_rows = prod(weight**a for weight, a in zip(row_weights, rows))
    of_cols = prod(weight**b for weight, b in zip(col_weights, cols))
    return of_cells / (of_rows * of_cols)


def cell_sum(weight: Fraction, tilt: Fraction, most: int) -> Fraction:
    """The sum over one cell: of weight^x tilt^C(x, 2)/x! for x up to ``most``.

    >>> cell_sum(Fraction(1), Fraction(2), 2)
    Fraction(3, 1)
    """
    terms = (weight**x * tilt ** comb(x, 2) / factorial(x) for x in range(most + 1))
    return sum(terms, Fraction(0))


def bound(t: int, tilt: Fraction, row_weights, col_weights, rows, cols) -> Fraction:
    """The right side of the statement."""
    value = Fraction(prod(map(factorial, (*rows, *cols))), factorial(sum(rows))) / tilt**t
    for weight, a in zip(row_weights, rows):
        value /= weight**a
    for weight, b in zip(col_weights, cols):
        value /= weight**b
    for (w, a), (v, b) in product(zip(row_weights, rows), zip(col_weights, cols)):
        value *= cell_sum(w * v, tilt, min(a, b))
    return value


def all_margins() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All pairs of margins, in increasing order, of up to ``LARGEST`` objects in up to three clusters."""
    for n in range(1, LARGEST + 1):
        sides = [tuple(side) for r in range(1, 4) for side in partitions(n, r, minimum=1)]
        yield from product(sides, sides)


def verify() -> str:
    """Steps (1), (3) and the statement itself, in fractions, at all small margins and several multipliers."""
    compared = 0
    for rows, cols in all_margins():
        tables = [matrix.tolist() for matrix in FixedMargins(rows, cols)]
        chances = [probability(table, rows, cols) for table in tables]
        require(sum(chances) == 1, f"(1): the probabilities at {rows}, {cols} have the sum 1")
        u, v = WEIGHTS[: len(rows)], WEIGHTS[::-1][: len(cols)]
        for table in tables:
            require(margin_factor(u, v, table, rows, cols) == 1, f"(3): at {table}")
        for tilt in TILTS:
            for t in range(max(map(pairs, tables)) + 2):
                tail = sum((p for table, p in zip(tables, chances) if pairs(table) >= t), Fraction(0))
                require(tail <= bound(t, tilt, u, v, rows, cols), f"the bound at {rows}, {cols}, t = {t}")
                compared += 1
    return f"{compared:,} tails in fractions: up to {LARGEST} objects in up to three clusters a side"
