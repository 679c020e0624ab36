"""The relative error of the law of P that is computed in doubles, row after row.

Statement `pair-law-error`: sums above 10^-260 of the chances P(P = t) that the recursion over the lines of one side
    computes in doubles have a relative error of at most 1.01 E u, u = 2^-53, where E u <= 0.01 and E = the largest P +
    the sum over all lines but the last of 3 l + 4 s + 4 + c, with l objects left before the line, s lines on the other
    side, c terms added for it.

Proof.  Call a number off by e if it is the exact one times a product of at most e factors 1 + d or 1/(1 + d), |d| <= u.
(1) All numbers are positive, and none that counts underflows.  A product or a quotient of numbers that are off by e and
    f is off by e + f + 1; a sum of numbers that are off by at most e is off by e + 1 (Higham, Accuracy and Stability of
    Numerical Algorithms, 2002, Section 3.1), and c additions to a sum add c at most.
(2) A binomial share is that of the mode, rounded once, times ratios: x steps off the mode it is off by 3 x + 1.
(3) The chance of a row given what the columns have left is a product over columns of a share (1 for the product), and
    of place/run for the orders of equal columns (2), divided by the norm, itself rounded once.  The steps off the mode
    of all columns are at most l: with the shares' own roundings 3 l + s, for the products s, for the orders 2 s, for
    the norm and its division 2, for the product with the chance before 1: 3 l + 4 s + 3, and one to spare.
(4) The c terms that are added for a line add c; a sum of chances has at most as many terms as P has values: the
    largest P.
(5) (1 + u)^E - 1 <= 1.01 E u while E u <= 0.01, and the same for 1 - (1 + u)^-E.  QED

`verify` counts: the loops that are compiled otherwise run as plain Python on numbers that carry how far they are off.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np

from confmat.chance import row_kernels, tails
from confmat.classes import FixedMargins
from confmat.classes.compositions import partitions
from proofs import require
from proofs.pair_tail_bound import pairs, probability

UNIT = Fraction(1, 2**53)
LARGEST = 7
LARGER = (
    ((3, 4, 5), (2, 4, 6)),
    ((2, 2, 2, 4), (2, 2, 3, 3)),
    ((1, 3, 3, 5), (4, 4, 4)),
    ((9, 9), (6, 6, 6)),
)


@dataclass(frozen=True)
class Rounded:
    """A positive number or zero, and by how many roundings it is off.

    >>> Rounded(Fraction(1, 2), 3) * Rounded(Fraction(1, 3), 1)
    Rounded(value=Fraction(1, 6), off=5)
    """

    value: Fraction
    off: int

    def __mul__(self, other: Any) -> Rounded:
        x = as_rounded(other)
        return Rounded(self.value * x.value, self.off + x.off + 1)

    def __truediv__(self, other: Any) -> Rounded:
        x = as_rounded(other)
        return Rounded(self.value / x.value, self.off + x.off + 1)

    def __add__(self, other: Any) -> Rounded:
        x = as_rounded(other)
        return Rounded(self.value + x.value, max(self.off, x.off) + 1)

    __rmul__, __radd__ = __mul__, __add__


def as_rounded(x: Any) -> Rounded:
    """A number that the loops hold; whole numbers and ones are exact."""
    return x if isinstance(x, Rounded) else Rounded(Fraction(x), 0)


def counted(shape: Any, dtype: Any, fill: int) -> np.ndarray:
    """An array as the loops make it: integers as they are, doubles as ``Rounded``."""
    if dtype is not float:
        return np.full(shape, fill, dtype)
    array = np.empty(shape, object)
    array[...] = Rounded(Fraction(fill), 0)
    return array


# What the loops ask of NumPy, with counted numbers in place of doubles.
_COUNTING = SimpleNamespace(
    zeros=lambda shape, dtype=float: counted(shape, dtype, 0),
    ones=lambda shape, dtype=float: counted(shape, dtype, 1),
    int64=np.int64,
    sort=np.sort,
    concatenate=np.concatenate,
    zeros_like=np.zeros_like,
)


@contextmanager
def counting() -> Iterator[None]:
    """The loops of ``row_kernels`` as plain Python, on counted numbers, while this lasts."""
    loops = {
        name: getattr(row_kernels, name).py_func
        for name in ("_next_choice", "_start", "add_row", "last_rows")
    }
    changed = loops | {
        "np": _COUNTING,
        "copy": lambda source, target: target.__setitem__(slice(None), source),
    }
    kept = {name: getattr(row_kernels, name) for name in changed}
    vars(row_kernels).update(changed)
    try:
        yield
    finally:
        vars(row_kernels).update(kept)


def exact_shares(most: int, r: int, m: int) -> tuple[np.ndarray, Rounded]:
    """What ``tails.binomials`` gives, exactly, with the roundings that (2) allows it."""
    shares = np.empty((most + 1, most + 1), object)
    chance = Fraction(r, m)
    for c, x in product(range(most + 1), repeat=2):
        mode = min(c, (c + 1) * r // m)
        roundings = 3 * abs(x - mode) + 1
        shares[c, x] = Rounded(binomial(c, x, chance), roundings)
    return shares, Rounded(binomial(m, r, chance), 1)


def binomial(c: int, x: int, chance: Fraction) -> Fraction:
    """The chance that x of c happen.

    >>> binomial(2, 1, Fraction(1, 2))
    Fraction(1, 2)
    """
    return comb(c, x) * chance**x * (1 - chance) ** (c - x)


def law(rows: tuple[int, ...], cols: tuple[int, ...]) -> tuple[list[Rounded], int]:
    """The law of P in counted numbers, by the loops, and E less the roundings of the sums of chances."""
    caps, lines = sorted((tuple(sorted(rows)), tuple(sorted(cols))), key=len)
    columns, bounds = np.array([caps]), np.array([0, 1])
    states = row_kernels.States(columns, bounds, np.zeros(1, np.int64), counted(1, float, 1))
    chances = counted(largest_pairs(rows, cols) + 1, float, 0)
    left, allowed = sum(lines), 0
    for k, line in enumerate(lines[:-1]):
        share, norm = exact_shares(caps[-1], line, left)
        if k < len(lines) - 2:
            states, added = row_kernels.add_row(states, line, share, norm, 2**30)
        else:
            added = row_kernels.last_rows(states, line, share, norm, chances)
        allowed += 3 * left + 4 * len(caps) + 4 + added
        left -= line
    return list(chances), allowed


def largest_pairs(rows: tuple[int, ...], cols: tuple[int, ...]) -> int:
    """The largest P that the recursion allows for."""
    return min(sum(a * (a - 1) // 2 for a in side) for side in (rows, cols))


def small_margins() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Pairs of margins of up to ``LARGEST`` objects in two to four clusters, and ``LARGER`` ones."""
    for n in range(2, LARGEST + 1):
        sides = [tuple(side) for r in range(2, 5) for side in partitions(n, r, minimum=1)]
        yield from product(sides, sides)
    yield from LARGER


def verify() -> str:
    """(2) against exact shares; (3) and (4) counted; and the doubles themselves against fractions."""
    shares = 0
    for m in range(2, 26):
        for r in range(1, m):
            computed, _ = tails.binomials(m, r, m)
            exact, _ = exact_shares(m, r, m)
            for c in range(m + 1):
                for x in range(c + 1):
                    allowed = Fraction(101, 100) * exact[c, x].off * UNIT
                    off = abs(Fraction(float(computed[c, x])) / exact[c, x].value - 1)
                    require(off <= allowed, f"(2): the share {x} of {c} at {r}/{m}")
                    shares += 1
    compared = 0
    for rows, cols in small_margins():
        with counting():
            chances, allowed = law(rows, cols)
        exact = [Fraction(0)] * len(chances)
        for matrix in FixedMargins(rows, cols):
            table = matrix.tolist()
            exact[pairs(table)] += probability(table, rows, cols)
        require([x.value for x in chances] == exact, f"the law at {rows}, {cols} is the exact one")
        require(max(x.off for x in chances) <= allowed, f"(3), (4): roundings at {rows}, {cols}")
        found = tails.pair_law(rows, cols)
        for computed, chance in zip(found.chances.tolist(), exact):
            off = abs(Fraction(computed) - chance)
            require(off <= Fraction(found.error) * chance, f"the doubles at {rows}, {cols}")
        stated = Fraction(101, 100) * UNIT * (allowed + largest_pairs(rows, cols))
        require(
            abs(Fraction(found.error) / stated - 1) < Fraction(1, 10**9),
            f"the error stated at {rows}, {cols}",
        )
        compared += 1
    return f"{shares:,} shares; roundings counted and doubles compared with fractions at {compared:,} pairs of margins"
