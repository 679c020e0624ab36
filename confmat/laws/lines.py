"""Laws on the line, as they are held: distinct values in a list, signatures, or a few numbers of them.

All three answer the same questions, ``Line``.  Positions count the weights in increasing order of the values, from 1.
Undefined values (0/0) are a weight apart.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Protocol

import numpy as np

from confmat.errors import TooLarge
from confmat.laws.moments import Moments, Number, RatioSums, root
from confmat.statistics.record import sort_key

QUARTILES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


def rank(total: int, p: Fraction) -> int:
    """Position (from 1) of the p-quantile among ``total`` ordered values: the least k with k/total >= p.

    >>> rank(10, Fraction(1, 4)), rank(10, Fraction(1, 2))
    (3, 5)
    """
    return max(1, -(-total * p.numerator // p.denominator))


def five_positions(total: int) -> list[int]:
    """The positions of the least value, the quartiles and the largest value.

    >>> five_positions(10)
    [1, 3, 5, 8, 10]
    """
    return [1, *(rank(total, p) for p in QUARTILES), total]


@dataclass(frozen=True)
class Drawn:
    """What is known of draws: how many, how many independent ones a unit of weight is worth, by what they depend."""

    draws: int
    worth: float = 1.0
    dependent: str = ""


class Line(Protocol):
    """What a law on the line must know."""

    @property
    def total(self) -> int:
        """Weight of the defined values."""

    @property
    def undefined(self) -> int:
        """Weight of the undefined ones."""

    def moments(self, exact: bool) -> Moments:
        """Mean, variance, sd."""

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions."""

    def up_to(self, x: Fraction) -> int:
        """Weight of the values that are at most x."""

    def points(self) -> Iterator[tuple[Number, int]]:
        """Every value, in increasing order, with its weight."""


class Listed:
    """A law given as value -> weight (> 0); ``rounded``: its moments are doubles, as their fractions are long."""

    def __init__(self, law: Mapping[Number, int], rounded: bool = False) -> None:
        self.rounded = rounded
        self.undefined = sum(w for x, w in law.items() if x != x)
        self.values = sorted((x for x in law if x == x), key=sort_key)
        self.cumulative = list(accumulate(law[x] for x in self.values))

    @property
    def total(self) -> int:
        """Weight of the defined values."""
        return self.cumulative[-1] if self.cumulative else 0

    def moments(self, exact: bool) -> Moments:
        """Mean, variance, sd: exact if the values are, unless they are to be rounded."""
        weights = [w for _, w in self.points()]
        if all(isinstance(x, Fraction) for x in self.values):
            parts = np.array([Fraction(x).as_integer_ratio() for x in self.values], object)
            _, groups = np.unique(parts[:, 1], return_inverse=True)
            d = np.array(sorted(set(parts[:, 1].tolist())), object)
            exact_weights = np.array(weights, object)
            sums = [np.zeros(len(d), object) for _ in range(2)]
            for power, found in enumerate(sums, start=1):
                np.add.at(found, groups, exact_weights * parts[:, 0] ** power)
            return RatioSums(d, sums[0], sums[1], self.total).moments(exact or not self.rounded)
        shares = [w / self.total for w in weights]
        doubles = list(map(float, self.values))
        mean = math.fsum(x * w for x, w in zip(doubles, shares))
        variance = math.fsum((x - mean) ** 2 * w for x, w in zip(doubles, shares))
        return mean, variance, root(variance)

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions."""
        return [self.values[bisect_left(self.cumulative, k)] for k in positions]

    def up_to(self, x: Fraction) -> int:
        """Weight of the values that are at most x."""
        end = bisect_right(self.values, x)
        return self.cumulative[end - 1] if end else 0

    def points(self) -> Iterator[tuple[Number, int]]:
        """Every value, in increasing order, with its weight."""
        yield from zip(self.values, map(int, np.diff(np.array([0, *self.cumulative], object))))


@dataclass(frozen=True)
class Known:
    """A law of which some numbers are known: its moments, rounded or not, and the values at some positions."""

    total: int
    rounded: Moments
    values: Mapping[int, Number]
    refusal: str
    undefined: int = 0

    def moments(self, exact: bool) -> Moments:
        """Mean, variance, sd."""
        if exact and isinstance(self.rounded[0], float):
            raise TooLarge(self.refusal)
        return self.rounded

    def at(self, positions: Sequence[int]) -> list[Number]:
        """The values at some positions, if they are known."""
        if set(positions) <= set(self.values):
            return [self.values[k] for k in positions]
        raise TooLarge(self.refusal)

    def up_to(self, x: Fraction) -> int:
        """Weight of the values that are at most x: known beyond the ends alone."""
        if x < self.values[1]:
            return 0
        if x >= self.values[self.total]:
            return self.total
        raise TooLarge(self.refusal)

    def points(self) -> Iterator[tuple[Number, int]]:
        """Not known."""
        raise TooLarge(self.refusal)
