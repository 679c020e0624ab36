"""Bounds of p-values and ties of exact tests, from sums over cells that are rounded cell by cell.

Statement `row-tail-bracket`: let a sum over c <= 2^28 cells have values that are multiplied by a scale and rounded to
    the nearest integer, or to one farther away by at most 2^-30. If the sum over a table is at least the observed
    one, its rounded sum is at least the observed rounded sum minus c. If the rounded sum exceeds the observed one by
    c + 1 or more, the sum exceeds the observed one.

Proof.  Let a cell's value times the scale be v and its rounded value w, |v - w| <= 1/2 + e, e = 2^-30.
(1) Between the observed table and another one the sum of the v changes by D, that of the w by d, an integer.
    Each of the c cells is rounded twice, so |D - d| <= 2 c (1/2 + e) = c + 2 c e, and 2 c e <= 2^-1 < 1.
(2) D >= 0: d >= -c - 2 c e > -c - 1, so d >= -c.
(3) d >= c + 1: D >= c + 1 - c - 2 c e > 0.
(4) Hence P(rounded sum > observed + c) <= P(sum > observed) <= P(sum >= observed) <= P(rounded sum >= observed - c)
    at any scale.  These are bounds of the p-value, each with the relative error of `row-tail-error`.
(5) Logarithms are multiples of 2^-100, off by less than 2^-80; times a scale of at most 2^50 they are off by 2^-30.
(6) Ties.  A sum of log x! is that of another table if and only if the products of the x! are equal, that is, the
    exponents of each prime in them; the same of x log x and x^x.  Exponents are digits of one number.  None
    overflows: over tables of n objects the product of the x! divides n!, and the exponent of a prime in the product
    of the x^x is a sum of x times its exponent in x, at most n times the largest of these.  Equal tables lie within c
    of each other by (2), both ways; so where as many tables lie within c of the observed one as have its exponents,
    these are its ties.  QED
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np

from confmat.classes import FixedMargins
from confmat.fixed_margins.sums import CellSums, of_logarithms
from confmat.fixed_margins.tails import tail
from proofs import Margin, require, small_margins
from proofs.pair_tail_bound import probability

LARGEST = 7
SCALES = (1.0, 4.0, 2.0**8)


def whole(kind: str, table: np.ndarray) -> int:
    """Return the integer whose logarithm is the sum of logarithms over the cells.

    >>> whole("factorials", np.array([[2, 3]])), whole("powers", np.array([[2, 3]]))
    (12, 108)
    """
    cells = table.ravel().tolist()
    return prod(factorial(x) for x in cells) if kind == "factorials" else prod(x**x for x in cells)


def check_scale(sums: CellSums, tables: list[np.ndarray], wholes: list[int], chances: list[Fraction]) -> None:
    """Check (2), (3) of every pair of tables, and (4) at the middle one."""
    where = f"{sums.margins}, scale {sums.scale}"
    cells = tables[0].size
    require(sums.slack == cells, "the slack is the number of cells")
    rounded = [sums.of(table) for table in tables]
    for (one, at_one), (other, at_other) in product(zip(wholes, rounded), repeat=2):
        require(other < one or at_other - at_one >= -cells, f"(2) at {where}")
        require(other > one or at_other - at_one <= cells, f"(3) at {where}")
    middle = len(tables) // 2
    found = tail(sums.margins, [rounded[middle] - cells, rounded[middle] + cells + 1])
    p = sum((chance for value, chance in zip(wholes, chances) if value >= wholes[middle]), Fraction(0))
    high, low = map(Fraction, found.chances)
    error = Fraction(found.error)
    require(low * (1 - error) <= p <= high * (1 + error), f"(4) at {where}")


def check_margins(rows: Margin, cols: Margin, kind: str) -> int:
    """Check (2) to (4) at coarse scales, and (6): packed exponents are equal if and only if the products are."""
    tables = [np.array(table) for table in FixedMargins(rows, cols)]
    wholes = [whole(kind, table) for table in tables]
    chances = [probability(table.tolist(), rows, cols) for table in tables]
    for scale in SCALES:
        sums = of_logarithms(rows, cols, kind, scale)
        check_scale(sums, tables, wholes, chances)
    exponents = sums.exact
    assert exponents is not None
    packed = [exponents.of(table) for table in tables]
    pairs = set(zip(packed, wholes))
    require(len(pairs) == len(set(packed)) == len(set(wholes)), f"(6) at {rows}, {cols}")
    return len(tables) ** 2


def verify() -> str:
    """Check (2) to (4) and (6) at every pair of tables of small margins."""
    compared = 0
    for (rows, cols), kind in product(small_margins(range(2, LARGEST + 1), (2, 3)), ("factorials", "powers")):
        compared += check_margins(rows, cols, kind)
    return f"{compared:,} pairs of tables compared at {len(SCALES)} scales"
