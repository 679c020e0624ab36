"""Exact search over column sums for all 2 x s tables with the largest ARD, the finite part of `max_ard_two_rows`.

With d = a_1 - a_2 >= 0 and d_j = x_1j - x_2j the ARD depends on the column sums b_j, on d, and on S = sum d_j^2; at
given b and d it is largest for the least S.  As d_j has the parity of b_j and |d_j| <= b_j, start from |d_j| = 0 or
1: any d up to the number o of odd columns has S = o.  To reach a larger d, raise some d_j by 2, which adds 4 d_j + 4
to S; these steps become dearer within a column, so the cheapest ones of all columns together give the least S.

With n = s + t and b_j = 1 + e_j the e_j > 0 are a partition of t, so there are few column sums if t is small.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain
from math import comb
from typing import Any

import numpy as np

from confmat._integers.compositions import partitions
from confmat.search.transport import least_squares_tables
from proofs import Margin, is_hook


@cache
def columns(t: int, s: int) -> list[Margin]:
    """Return the possible column sums above 1 of s columns with total s + t, up to order.

    >>> columns(2, 3)
    [(3,), (2, 2)]
    """
    excesses = chain.from_iterable(partitions(t, parts) for parts in range(1, min(s, t) + 1))
    return [tuple(1 + e for e in excess) for excess in excesses]


@cache
def costs(t: int, s: int) -> Any:
    """Return S - o after 0, 1, 2, ... of the cheapest steps (see the module), a row for each element of ``columns``."""
    rows = []
    for sums in columns(t, s):
        steps = chain.from_iterable(range(4 * (b % 2) + 4, 4 * b, 8) for b in sums)
        rows.append([0, *accumulate(sorted(steps))])
    width = max(map(len, rows))
    return np.array([row + row[-1:] * (width - len(row)) for row in rows])


@dataclass(frozen=True)
class Largest:
    """The largest ARD over Tables(n, 2, s), and whether hooks, and whether other tables, have it."""

    value: Fraction
    hook: bool
    other: bool


def largest_ard(n: int, s: int) -> Largest:
    """Return the largest ARD over Tables(n, 2, s), exactly, for s < n <= 300 and s >= 2.

    >>> largest_ard(6, 2)
    Largest(value=Fraction(45, 37), hook=False, other=True)
    """
    assert s < n <= 300
    sums = columns(n - s, min(s, n - s))
    odd = np.array([s - len(c) + sum(b % 2 for b in c) for c in sums])[:, None]
    d = np.arange(n % 2, n - 1, 2)[None, :]
    taken = np.clip((d - odd) // 2, 0, None)
    S = odd + np.take_along_axis(costs(n - s, min(s, n - s)), taken, axis=1)
    M, B = comb(n, 2), np.array([sum(comb(b, 2) for b in c) for c in sums])[:, None]
    A, P = (n * n + d * d - 2 * n) // 4, (2 * B + S - n) // 4
    numerator, denominator = M * (A + B - 2 * P), M * (A + B) - 2 * A * B
    # the quotient in doubles finds a candidate, products of integers below 2^63 decide
    value = Fraction(0)
    better = np.ones_like(numerator, dtype=bool)
    while better.any():
        at = np.unravel_index(np.where(better, numerator / denominator, -1).argmax(), better.shape)
        value = Fraction(int(numerator[at]), int(denominator[at]))
        better = numerator * value.denominator > value.numerator * denominator
    kinds = set()
    for i, j in np.argwhere(numerator * value.denominator == value.numerator * denominator):
        longer = (n + int(d[0, j])) // 2
        cols = sums[i] + (1,) * (s - len(sums[i]))
        kinds |= {is_hook(table.tolist()) for table in least_squares_tables((longer, n - longer), cols)}
    return Largest(value, True in kinds, False in kinds)
