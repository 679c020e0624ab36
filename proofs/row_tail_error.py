"""The relative error of tail probabilities and distributions that the recursion over rows computes in floats.

Statement `row-tail-error`: sums above 10^-290 of the probabilities that the recursion over rows computes in floats
    have a relative error of at most 1.01 E u, u = 2^-53, if E u <= 0.01. E is the sum of 3 l + 5 s + 4 over all rows,
    with l objects left before the row and s columns, plus the numbers of terms of the sums on the way. These are the
    most terms of an edge to the state certain and of a distribution on each level, and of the sums in which the two
    directions meet.

Proof.  Call a number off by e if it is the exact one times a product of at most e factors 1 + d or 1/(1 + d), |d| <= u.
(1) All numbers are positive, and none that counts underflows.  A product or a quotient of numbers that are off by e and
    f is off by e + f + 1; a sum of numbers that are off by at most e is off by e + 1 (Higham, Accuracy and Stability of
    Numerical Algorithms, 2002, Section 3.1), and c additions to a sum add c at most.
(2) A binomial probability is that of the mode, rounded once, times ratios: x steps off the mode it is off by 3 x + 1.
(3) The probability of a row, given the remaining column sums, is a product of binomial ones (1 for the product), for
    orders of equal columns of place times 1/run (3: a reciprocal and two products), divided by the norm, itself rounded
    once.  The steps off the mode of all columns are at most l: with the roundings of (2) 3 l + s, for products and
    orders 4 s, for the norm, its division and the product with the probability before 3: 3 l + 5 s + 3, and one to
    spare.
(4) Sums: of rows after which a path is certain, of the terms of one key of a distribution, of the keys of a
    distribution from above, of the paths over a state, of the states: each adds the number of its terms at most.
(5) Cutting keys changes no sum: what is dropped never reaches the tail, and what is merged always does (see
    `confmat.fixed_margins.tails`).  Powers of 2 are exact.
(6) (1 + u)^E - 1 <= 1.01 E u while E u <= 0.01, and the same for 1 - (1 + u)^-E.
(7) Probabilities below 10^-308 are 0.  A row with one has at most its probability times the norm's reciprocal, at most
    10^4 + 1 at 10^4 objects; over the cells and their values this loses less than 10^-296, nothing beside 10^-290.  QED

`verify` counts: the loops that are compiled otherwise run as plain Python on numbers that carry how far they are off.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Any

import numpy as np

from confmat.classes import FixedMargins
from confmat.fixed_margins import graph, kernels, tails
from confmat.fixed_margins.cell_sums import PAIRS
from confmat.fixed_margins.sums import of_cells
from proofs import Margin, require, small_margins
from proofs.pair_tail_bound import pairs, probability

UNIT = Fraction(1, 2**53)
LARGEST = 6
LARGER = (((3, 4, 5), (2, 4, 6)), ((2, 2, 2, 4), (2, 2, 3, 3)), ((9, 9), (6, 6, 6)))


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
        # Whole powers of two are exact factors.
        exact = x.off == 0 and x.value.denominator == 1 and x.value.numerator.bit_count() == 1
        return Rounded(self.value * x.value, self.off + x.off + (not exact))

    def __truediv__(self, other: Any) -> Rounded:
        x = as_rounded(other)
        return Rounded(self.value / x.value, self.off + x.off + 1)

    def __add__(self, other: Any) -> Rounded:
        x = as_rounded(other)
        return Rounded(self.value + x.value, max(self.off, x.off) + 1)

    def __sub__(self, other: Any) -> Rounded:
        require(as_rounded(other) == self, "the loops subtract nothing but a number from itself")
        return Rounded(Fraction(0), 0)

    def __float__(self) -> float:
        return float(self.value)

    __rmul__, __radd__ = __mul__, __add__


def as_rounded(x: Any) -> Rounded:
    """Return a number of the loops as `Rounded`. Integers and powers of two are exact."""
    return x if isinstance(x, Rounded) else Rounded(Fraction(x), 0)


def counted(x: float) -> np.ndarray:
    """Return an array of one counted number."""
    array = np.empty(1, object)
    array[0] = as_rounded(x)
    return array


@dataclass(frozen=True)
class Counting(graph.Arithmetic):
    """Floats that count their roundings."""

    @property
    def one(self) -> np.ndarray:
        return counted(1)

    def shares(self, most: int, row: int, left: int) -> np.ndarray:
        return exact_shares(most, row, left)

    def inverses(self, most: int) -> np.ndarray:
        found = np.empty(most + 1, object)
        for k in range(1, most + 1):
            found[k] = Rounded(Fraction(1, k), 1 if k > 1 else 0)
        return found

    def whole(self, row: int, left: int) -> Any:
        return as_rounded(1)


@contextmanager
def counting() -> Iterator[None]:
    """Run the loops of ``rows`` as plain Python on counted numbers, for the duration of a ``with`` statement."""
    kept: list[tuple[Any, str, Any]] = []

    def put(module: Any, name: str, value: Any) -> None:
        kept.append((module, name, getattr(module, name)))
        setattr(module, name, value)

    plain = {name: x.py_func for name, x in vars(kernels).items() if hasattr(x, "py_func")}
    for name, function in plain.items():
        put(kernels, name, function)
        for module in (graph, tails):
            if hasattr(module, name):
                put(module, name, function)
    put(graph, "comb_chance", lambda row, left: Rounded(binomial(left, row, Fraction(row, left)), 1))
    try:
        with np.errstate(over="ignore"):  # of the hash of a state
            yield
    finally:
        for module, name, value in kept:
            setattr(module, name, value)


def exact_shares(most: int, r: int, m: int) -> np.ndarray:
    """Return the exact result of ``binomial_shares``, with the number of roundings that (2) allows."""
    shares = np.empty((most + 1, most + 1), object)
    chance = Fraction(r, m)
    for c, x in product(range(most + 1), repeat=2):
        mode = min(c, (c + 1) * r // m)
        shares[c, x] = Rounded(binomial(c, x, chance), 3 * abs(x - mode) + 1)
    return shares


def binomial(c: int, x: int, chance: Fraction) -> Fraction:
    """Return the probability of x successes in c trials.

    >>> binomial(2, 1, Fraction(1, 2))
    Fraction(1, 2)
    """
    if x > c:
        return Fraction(0)
    return comb(c, x) * chance**x * (1 - chance) ** (c - x)


def check_shares() -> int:
    """Check step (2) for every probability of up to 25 objects."""
    compared = 0
    for r, m in combinations(range(1, 26), 2):
        computed, exact = graph.binomial_shares(m, r, m), exact_shares(m, r, m)
        for x, c in combinations_with_replacement(range(m + 1), 2):
            allowed = Fraction(101, 100) * exact[c, x].off * UNIT
            off = abs(Fraction(float(computed[c, x])) / exact[c, x].value - 1)
            require(off <= allowed, f"(2): the share {x} of {c} at {r}/{m}")
            compared += 1
    return compared


def exact_tails(rows: Margin, cols: Margin) -> dict[int, Fraction]:
    """Return P(P >= t) for every t, by all tables."""
    chances: defaultdict[int, Fraction] = defaultdict(Fraction)
    for matrix in FixedMargins(rows, cols):
        table = matrix.tolist()
        chances[pairs(table)] += probability(table, rows, cols)
    return {t: sum((p for v, p in chances.items() if v >= t), Fraction(0)) for t in range(max(chances) + 1)}


def check_margins(rows: Margin, cols: Margin) -> int:
    """Check floats against fractions, and the roundings that the loops count. Return the number of tails."""
    margins, exact = of_cells(PAIRS, rows, cols).margins, exact_tails(rows, cols)
    for t, chance in exact.items():
        found = tails.tail(margins, [t])
        off = abs(Fraction(found.chances[0]) - chance)
        require(off <= Fraction(found.error) * chance, f"the tail from {t} at {rows}, {cols}")
    t = max(exact) // 2
    with counting():
        (value,), allowed = tails.met(graph.lay(margins, Counting(), t, t), [t])
    is_exact = value.value / Fraction(tails.LIFT) ** 2 == exact[t]
    require(is_exact, f"the tail from {t} at {rows}, {cols} is exact")
    require(value.off <= allowed, f"(3), (4): roundings at {rows}, {cols}")
    return len(exact)


def verify() -> str:
    """Check (2) against exact probabilities, (3) and (4) by counts in the loops, and the floats against fractions."""
    shares = check_shares()
    both = [*small_margins(range(2, LARGEST + 1), (2, 3, 4)), *LARGER]
    compared = sum(check_margins(rows, cols) for rows, cols in both)
    return f"{shares:,} shares; {compared:,} tails compared with fractions, roundings counted"
