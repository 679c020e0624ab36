"""An upper bound of the probability that t pairs of objects or more lie in common cells after a random permutation.

Statement `pair-tail-bound`: let theta >= 0, and let u and v be any real vectors. Over all relabelings P(P >= t) is at
    most prod r_i! prod c_j!/n! exp(-theta t - u.r - v.c) times the product over cells of the sum over x <= min(r_i,
    c_j) of exp((u_i + v_j) x + theta C(x, 2))/x!.

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

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

from confmat.classes import FixedMargins
from proofs import Margin, Table, require, small_margins

LARGEST = 7
WEIGHTS = (Fraction(1), Fraction(1, 2), Fraction(3))
TILTS = (Fraction(1), Fraction(3, 2), Fraction(4))

Weights = Sequence[Fraction]


def probability(table: Table, rows: Margin, cols: Margin) -> Fraction:
    """Return the probability of a table by step (1).

    >>> probability([[2, 0], [0, 1]], [2, 1], [2, 1])
    Fraction(1, 3)
    """
    ways = prod(map(factorial, (*rows, *cols)))
    return Fraction(ways, factorial(sum(rows)) * prod(factorial(x) for row in table for x in row))


def pairs(table: Table) -> int:
    """Return P, the number of pairs of objects in common cells."""
    return sum(comb(x, 2) for row in table for x in row)


def of_lines(weights: Weights, margin: Margin) -> Fraction:
    """Return exp(u.r) for exp(u_i) as ``weights``."""
    return prod((weight**a for weight, a in zip(weights, margin)), start=Fraction(1))


def cell_sum(weight: Fraction, tilt: Fraction, most: int) -> Fraction:
    """Return the sum over one cell of weight^x tilt^C(x, 2)/x! for x up to ``most``.

    >>> cell_sum(Fraction(1), Fraction(2), 2)
    Fraction(3, 1)
    """
    return sum((weight**x * tilt ** comb(x, 2) / factorial(x) for x in range(most + 1)), Fraction(0))


def bound(t: int, tilt: Fraction, u: Weights, v: Weights, rows: Margin, cols: Margin) -> Fraction:
    """Return the right side of the statement, with exp(theta), exp(u_i) and exp(v_j) as ``tilt``, u and v."""
    ways = Fraction(prod(map(factorial, (*rows, *cols))), factorial(sum(rows)))
    value = ways / tilt**t / (of_lines(u, rows) * of_lines(v, cols))
    for (w, a), (z, b) in product(zip(u, rows), zip(v, cols)):
        value *= cell_sum(w * z, tilt, min(a, b))
    return value


def verify() -> str:
    """Check steps (1), (3) and the statement itself, in fractions, at all small margins and several multipliers."""
    compared = 0
    for rows, cols in small_margins(range(1, LARGEST + 1), range(1, 4)):
        tables = [matrix.tolist() for matrix in FixedMargins(rows, cols)]
        chances = [probability(table, rows, cols) for table in tables]
        require(sum(chances) == 1, f"(1): the probabilities at {rows}, {cols} have the sum 1")
        u, v = WEIGHTS[: len(rows)], WEIGHTS[::-1][: len(cols)]
        for table in tables:
            of_cells = prod((w * z) ** x for w, row in zip(u, table) for z, x in zip(v, row))
            require(of_cells == of_lines(u, rows) * of_lines(v, cols), f"(3): at {table}")
        for tilt, t in product(TILTS, range(max(map(pairs, tables)) + 2)):
            tail = sum((p for table, p in zip(tables, chances) if pairs(table) >= t), Fraction(0))
            require(tail <= bound(t, tilt, u, v, rows, cols), f"the bound at {rows}, {cols}, t = {t}")
            compared += 1
    return f"{compared:,} tails in fractions: up to {LARGEST} objects in up to three clusters a side"
