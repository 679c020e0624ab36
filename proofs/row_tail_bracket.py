"""What a sum over cells that is rounded cell by cell proves: brackets of exact tests, and which tables are ties.

Statement `row-tail-bracket`: of a sum over c cells whose values, times a scale, are rounded to the nearest whole
    number, or to one off by at most 2^-30 more, c at most 2^28: tables at which it is at least its observed value
    have a rounded sum of at least the observed one less c, and it is larger at tables whose rounded sum is larger by
    c + 1 or more.

Proof.  Let a cell's value times the scale be v and its rounded value w, |v - w| <= 1/2 + e, e = 2^-30.
(1) Between the observed table and another one the sum of the v changes by D, that of the w by d, a whole number.
    Each of the c cells is rounded twice, so |D - d| <= 2 c (1/2 + e) = c + 2 c e, and 2 c e <= 2^-1 < 1.
(2) D >= 0: d >= -c - 2 c e > -c - 1, so d >= -c.
(3) d >= c + 1: D >= c + 1 - c - 2 c e > 0.
(4) Hence P(rounded sum > observed + c) <= P(sum > observed) <= P(sum >= observed) <= P(rounded sum >= observed - c),
    at any scale: a bracket of the p-value, each end with the relative error of `row-tail-error`.
(5) Logarithms are multiples of 2^-100, off by less than 2^-80; times a scale of at most 2^50 they are off by 2^-30.
(6) Ties.  A sum of log x! is that of another table if and only if the products of the x! are equal, that is, the
    exponents of each prime in them; the same of x log x and x^x.  Exponents are digits of one number.  None
    overflows: over tables of n objects the product of the x! divides n!, and the exponent of a prime in the product
    of the x^x is a sum of x times its exponent in x, at most n times the largest of these.  Equal tables lie within c
    of each other by (2), both ways; so where as many tables lie within c of the observed one as have its exponents,
    these are its ties.  QED
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import factorial, prod

import numpy as np

from confmat.classes import FixedMargins
from confmat.classes.compositions import partitions
from confmat.rows.sums import CellSums, of_logarithms
from confmat.rows.tails import tail
from proofs import require
from proofs.pair_tail_bound import probability

LARGEST = 7
SCALES = (1.0, 4.0, 2.0**8)


def whole(kind: str, table: np.ndarray) -> int:
    """What the sum of logarithms is the logarithm of.

    >>> whole("factorials", np.array([[2, 3]])), whole("powers", np.array([[2, 3]]))
    (12, 108)
    """
    cells = table.ravel().tolist()
    return prod(factorial(x) for x in cells) if kind == "factorials" else prod(x**x for x in cells)


def margins() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of margins of up to ``LARGEST`` objects in two or three clusters."""
    for n in range(2, LARGEST + 1):
        sides = [tuple(side) for r in (2, 3) for side in partitions(n, r, minimum=1)]
        yield from product(sides, sides)


@dataclass(frozen=True)
class Tables:
    """All tables with some margins, and what the sum of their logarithms is the logarithm of."""

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    kind: str

    @cached_property
    def tables(self) -> list[np.ndarray]:
        return [np.array(table) for table in FixedMargins(self.rows, self.cols)]

    @cached_property
    def wholes(self) -> list[int]:
        return [whole(self.kind, table) for table in self.tables]

    def check_differences(self, sums: CellSums) -> None:
        """(2), (3) of every pair of tables."""
        cells = len(self.rows) * len(self.cols)
        rounded = [sums.of(table) for table in self.tables]
        for (one, at_one), (other, at_other) in product(zip(self.wholes, rounded), repeat=2):
            require(other < one or at_other - at_one >= -cells, f"(2) at {self}, scale {sums.scale}")
            require(other > one or at_other - at_one <= cells, f"(3) at {self}, scale {sums.scale}")

    def check_bracket(self, sums: CellSums) -> None:
        """(4) at the middle one of the tables."""
        middle = len(self.tables) // 2
        at = sums.of(self.tables[middle])
        found = tail(sums.margins, [at - sums.slack, at + sums.slack + 1])
        p = Fraction(0)
        for table, value in zip(self.tables, self.wholes):
            if value >= self.wholes[middle]:
                p += probability(table.tolist(), self.rows, self.cols)
        high, low = (Fraction(chance) for chance in found.chances)
        off = Fraction(found.error)
        require(low * (1 - off) <= p <= high * (1 + off), f"(4) at {self}, scale {sums.scale}")

    def check_ties(self, sums: CellSums) -> None:
        """(6): exponents in one number are equal where the products are."""
        exponents = sums.exact
        assert exponents is not None
        packed = [exponents.of(table) for table in self.tables]
        pairs = set(zip(packed, self.wholes))
        require(len(pairs) == len(set(packed)) == len(set(self.wholes)), f"(6) at {self}")


def verify() -> str:
    """(2) to (4) and (6) at every pair of tables of small margins, at coarse scales."""
    compared = 0
    for (rows, cols), kind in product(margins(), ("factorials", "powers")):
        tables = Tables(rows, cols, kind)
        for scale in SCALES:
            sums = of_logarithms(rows, cols, kind, scale)
            require(sums.slack == len(rows) * len(cols), "the slack is the number of cells")
            tables.check_differences(sums)
            tables.check_bracket(sums)
        tables.check_ties(sums)
        compared += len(tables.tables) ** 2
    return f"{compared:,} pairs of tables compared at {len(SCALES)} scales"
