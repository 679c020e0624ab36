"""The law of P, the pairs of objects in common cells, at fixed margins with labels permuted at random.

Rows are added one after another; all that matters of the rows so far is what the columns have left, up to their
order, and P so far.  A row's law given what is left is hypergeometric: independent binomials, given their sum.  Only
positive numbers are added and multiplied, so doubles keep a small *relative* error, and ``PairLaw.error`` bounds it:
with u = 2^-53 a product of k factors that are off by e_1 u, ..., e_k u is off by (e_1 + ... + e_k + k) u, a sum of k
positive terms by another k u (Higham 2002, Section 3.1), terms of second order covered by the factor 1.01.  What
falls below the smallest double is lost: at most 10^10 terms of 10^-308, times 24! orders of equal columns and 10^5 for
the given sum, which is nothing beside ``SMALLEST``, and later rows, chances of at most 1, do not make it larger.  (A
row of m objects has chances of at least 2^-m, so only beyond 700 objects, which the keys of states allow in at most
24 columns.)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb

import numpy as np

from confmat.chance.row_kernels import States, add_row, last_rows
from confmat.classes.compositions import bounded_compositions_count
from confmat.errors import TooLarge
from confmat.matrices.arguments import as_counts
from confmat.plans.choice import Plan, choose
from confmat.plans.methods import Cost, Method, Question, Resources, register

SMALLEST = 1e-260
MOST_BYTES = 2**30
MOST_SECONDS = 60.0


@dataclass(frozen=True)
class PairLaw:
    """``chances[t]``: P(P = t); ``error`` bounds the relative error of every sum of them above ``SMALLEST``.

    Statement `pair-law-error`.
    """

    chances: np.ndarray
    error: float

    def at_least(self, t: int) -> float:
        """P(P >= t).

        >>> pair_law([2, 1], [2, 1]).at_least(1)
        0.3333333333333333
        """
        return min(1.0, float(self.chances[max(t, 0) :].sum()))

    def at_most(self, t: int) -> float:
        """P(P <= t).

        >>> pair_law([2, 1], [2, 1]).at_most(1)
        1.0
        """
        return min(1.0, float(self.chances[: max(t + 1, 0)].sum()))


def pair_law(rows: Sequence[int], cols: Sequence[int], seconds: float = MOST_SECONDS) -> PairLaw:
    """The law of P for positive margins of one total; TooLarge where that takes more than about so many ``seconds``,
    TypeError or ValueError for what are no such margins.

    >>> law = pair_law([20, 20, 20], [20, 20, 20])
    >>> f"{law.at_least(340):.6g}, relative error below {law.error:.0e}"
    '9.01219e-11, relative error below 6e-13'
    """
    return recursion_over_rows(rows, cols, seconds).run()


def recursion_over_rows(rows: Sequence[int], cols: Sequence[int], seconds: float = MOST_SECONDS) -> Plan:
    """The plan of ``pair_law``.

    >>> recursion_over_rows([20, 20, 20], [20, 20, 20]).excess is None
    True
    """
    rows, cols = as_counts("rows", rows, minimum=1), as_counts("cols", cols, minimum=1)
    if sum(rows) != sum(cols):
        raise ValueError(f"rows and cols must have the same total, got {sum(rows)} and {sum(cols)}")
    caps, lines = sorted((tuple(sorted(rows)), tuple(sorted(cols))), key=len)
    return choose(_Recursion(lines, caps, Resources(seconds=seconds, memory=MOST_BYTES)))


@dataclass(frozen=True)
class _Recursion(Question):
    """``lines`` are added, in increasing order, to states of what the ``caps`` have left: the shorter side."""

    lines: tuple[int, ...]
    caps: tuple[int, ...]
    resources: Resources = field(default_factory=Resources)

    def __str__(self) -> str:
        return f"the law of P for {len(self.lines)} x {len(self.caps)} clusters of {sum(self.caps)} objects"

    @cached_property
    def left(self) -> list[int]:
        """Objects left before each line."""
        return (sum(self.lines) - np.cumsum([0, *self.lines[:-1]])).tolist()

    @cached_property
    def most(self) -> int:
        """P at most."""
        return min(sum(comb(a, 2) for a in side) for side in (self.lines, self.caps))

    def width(self, k: int) -> int:
        """Values of P that the first k lines can have, at most."""
        return min(self.most, sum(comb(a, 2) for a in self.lines[:k])) + 1

    def forecast(self) -> Cost:
        """About: from the numbers of states and the choices in a middling one; TooLarge where even that is long."""
        n, lines, caps = sum(self.caps), len(self.lines), len(self.caps)
        if caps == 1:
            return Cost(0)
        if (self.caps[-1] + 1) ** -(-caps // 2) >= 2**62 or n * self.caps[-1] * caps * lines > 10**9:
            raise self.beyond
        seconds = held = 0.0
        for k, (line, left) in enumerate(zip(self.lines[:-1], self.left)):
            states = self.states[left]
            middling = tuple(-(-c * left // n) for c in self.caps)
            # The first line fixes P; then P takes about half of its values.
            width = 1 if k < 2 else self.width(k) / 2
            choices = states * bounded_compositions_count(line, middling)
            seconds += 1e-9 * choices * (20 + width)
            held = max(held, 8 * states * width)
        return Cost(seconds, 2 * held)

    @cached_property
    def states(self) -> list[int]:
        """Numbers of increasing sequences below the caps, by their sum: of what columns can have left.

        >>> _Recursion((2, 2, 2), (2, 2, 2)).states
        [1, 1, 2, 2, 2, 1, 1]
        """
        # ways[v, m]: sequences so far whose last term is v and whose sum is m
        ways = np.zeros((self.caps[-1] + 1, sum(self.caps) + 1))
        ways[0, 0] = 1
        for cap in self.caps:
            below = np.zeros(sum(self.caps) + 1)
            for v in range(cap + 1):
                below += ways[v]
                ways[v, v:], ways[v, :v] = below[: len(below) - v], 0
        return [int(x) for x in ways.sum(axis=0)]

    @property
    def beyond(self) -> TooLarge:
        return TooLarge(f"{self} is too large for a recursion over rows")

    def law(self) -> PairLaw:
        if len(self.caps) == 1:
            return PairLaw(np.eye(1, self.most + 1, self.most)[0], 0.0)
        states = States(np.array([self.caps]), np.array([0, 1]), np.zeros(1, np.int64), np.ones(1))
        error = 0.0
        for k, (line, left) in enumerate(zip(self.lines[:-1], self.left)):
            share, norm = binomials(self.caps[-1], line, left)
            # shares are off by 3 u a step from the mode; s products, 2 s for the orders, norm, law, division
            error += 3 * left + 4 * len(self.caps) + 4
            if k < len(self.lines) - 2:
                states, added = add_row(states, line, share, norm, MOST_BYTES)
                if not added:
                    raise self.beyond
            else:
                chances = np.zeros(self.most + 1)
                added = last_rows(states, line, share, norm, chances)
            error += added
        return PairLaw(chances, 1.01 * 2.0**-53 * (error + self.most))


register(
    Method(
        "recursion over rows",
        _Recursion,
        _Recursion.law,
        _Recursion.forecast,
        why="columns with as much left are one state",
        gives="probabilities with a bound on their relative error",
    )
)


def binomials(most: int, r: int, m: int) -> tuple[np.ndarray, float]:
    """Binomial(c, r/m) probabilities for c = 0..most, and the chance that m of them give r.

    From the mode, rounded once, by ratios: x steps off the mode a relative error of (3 x + 1) u.

    >>> binomials(2, 1, 2)
    (array([[1.  , 0.  , 0.  ],
           [0.5 , 0.5 , 0.  ],
           [0.25, 0.5 , 0.25]]), 0.5)
    """

    def chance(c: int, x: int) -> float:
        return comb(c, x) * r**x * (m - r) ** (c - x) / m**c

    share = np.zeros((most + 1, most + 1))
    for c in range(most + 1):
        mode = min(c, (c + 1) * r // m)
        share[c, mode] = chance(c, mode)
        for x in range(mode, c):
            share[c, x + 1] = share[c, x] * ((c - x) * r / ((x + 1) * (m - r)))
        for x in range(mode, 0, -1):
            share[c, x - 1] = share[c, x] * (x * (m - r) / ((c - x + 1) * r))
    return share, chance(m, r)
