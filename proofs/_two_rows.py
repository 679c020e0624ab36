"""All 2 x s tables with the largest ARD, by an exact search over column sums: the finite part of `max_ard_two_rows`.

With d = a_1 - a_2 >= 0 and d_j = x_1j - x_2j the ARD depends on the column sums b_j, on d, and on S = sum d_j^2; at
given b and d it is largest for the least S.  As d_j has the parity of b_j and |d_j| <= b_j, start from |d_j| = 0 or
1: any d up to the number o of odd columns has S = o.  To reach a larger d, raise some d_j by 2, which adds 4 d_j + 4
to S; these steps become dearer within a column, so the cheapest ones of all columns together give the least S.

With n = s + t and b_j = 1 + e_j the e_j > 0 are a partition of t, so there are few column sums if t is small.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import accumulate
from math import comb
from typing import Any

import numpy as np

from confmat.classes.compositions import partitions


@dataclass(frozen=True)
class Columns:
    """The columns of sum b_j = 1 + e_j above one; all others have sum one."""

    excess: tuple[int, ...]

    @cached_property
    def pairs(self) -> int:
        """B."""
        return sum(comb(1 + e, 2) for e in self.excess)

    @cached_property
    def odd(self) -> int:
        """How many of these columns have an odd sum."""
        return sum(e % 2 == 0 for e in self.excess)

    @cached_property
    def steps(self) -> list[list[int]]:
        """For each column the costs 4 d_j + 4 of its steps from the least d_j >= 0 to b_j."""
        return [[4 * d + 4 for d in range((1 + e) % 2, 1 + e, 2)] for e in self.excess]

    @cached_property
    def cheapest(self) -> list[int]:
        """All steps, cheapest first."""
        return sorted(cost for steps in self.steps for cost in steps)

    def shared(self, taken: int) -> tuple[int, int]:
        """The least and the largest number of columns with points in row 2 after the cheapest steps."""
        if not taken:
            return len(self.excess), len(self.excess)
        dearest = self.cheapest[taken - 1]
        chosen = taken - sum(cost < dearest for cost in self.cheapest)  # of the steps that cost the same
        open_still = sum(steps[-1] > dearest for steps in self.steps)
        closing = sum(steps[-1] == dearest for steps in self.steps)
        others = sum(dearest in steps[:-1] for steps in self.steps)
        return open_still + closing - min(closing, chosen), open_still + closing - max(0, chosen - others)

    def kinds(self, s: int, d: int) -> tuple[bool, bool]:
        """Whether a hook, and whether another table, has these columns, difference d of the rows, and the least S.

        A 2 x s table is a hook if some row has at most one positive cell.
        """
        ones, both = s - len(self.excess), len(self.excess)
        flips, rest = divmod(ones + self.odd - d, 2)  # how many odd columns have d_j = -1
        assert rest == 0
        if flips <= 0:
            least, most = self.shared(-flips)
            return least <= 1, most >= 2
        smaller = [min(both + j, s - j) for j in range(max(0, flips - self.odd), min(flips, ones) + 1)]
        return min(smaller) <= 1, max(smaller) >= 2


@cache
def columns(t: int, s: int) -> tuple[Columns, ...]:
    """All column sums of s columns with total s + t, up to order."""
    return tuple(Columns(e) for parts in range(1, min(s, t) + 1) for e in partitions(t, parts))


@cache
def _costs(t: int, s: int) -> Any:
    """S - o after 0, 1, 2, ... of the cheapest steps, a row for each element of ``columns``."""
    rows = [[0, *accumulate(sums.cheapest)] for sums in columns(t, s)]
    width = max(map(len, rows))
    return np.array([row + row[-1:] * (width - len(row)) for row in rows])


@dataclass(frozen=True)
class Largest:
    """The largest ARD over Tables(n, 2, s), and whether hooks, and whether other tables, have it."""

    value: Fraction
    hook: bool
    other: bool


def largest_ard(n: int, s: int) -> Largest:
    """Every table with the largest ARD, n > s >= 2; exact in 64 bits for n <= 300.

    >>> largest_ard(6, 2)
    Largest(value=Fraction(45, 37), hook=False, other=True)
    """
    assert s < n <= 300
    sums = columns(n - s, min(s, n - s))
    odd = np.array([s - len(c.excess) + c.odd for c in sums])[:, None]
    d = np.arange(n % 2, n - 1, 2)[None, :]
    taken = np.clip((d - odd) // 2, 0, None)
    S = odd + np.take_along_axis(_costs(n - s, min(s, n - s)), taken, axis=1)
    M, B = comb(n, 2), np.array([c.pairs for c in sums])[:, None]
    A, P = (n * n + d * d - 2 * n) // 4, (2 * B + S - n) // 4
    numerator, denominator = M * (A + B - 2 * P), M * (A + B) - 2 * A * B
    # the quotient in doubles finds a candidate, products of integers below 2^63 decide
    value = Fraction(0)
    better = np.ones_like(numerator, dtype=bool)
    while better.any():
        at = np.unravel_index(np.where(better, numerator / denominator, -1).argmax(), better.shape)
        value = Fraction(int(numerator[at]), int(denominator[at]))
        better = numerator * value.denominator > value.numerator * denominator
    ties = np.argwhere(numerator * value.denominator == value.numerator * denominator)
    kinds = [sums[i].kinds(s, int(d[0, j])) for i, j in ties]
    return Largest(value, any(hook for hook, _ in kinds), any(other for _, other in kinds))
