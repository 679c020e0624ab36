"""Distributions of one variable: all distinct values, values from sufficient statistics, or a few summary numbers.

All three have the methods of ``Line``. Positions count the weights in increasing order of the values, from 1: if
the smallest value has the weight 3, it has the positions 1 to 3. Undefined values (0/0) have a separate weight.
Mean, variance and standard deviation are exact, or the nearest floats.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import ceil, floor, isqrt
from typing import Any, Protocol

import numpy as np

from confmat.errors import TooLargeError
from confmat.indices.pairs import rounded_root
from confmat.statistics.ratios import COMPARISONS
from confmat.statistics.record import Number, sort_key

Moments = tuple[Number, Number, float]

# (power, bits) -> bounds of the mean of quotients (power 1) or of their squares (2) with about this number of bits.
Bounds = Callable[[int, int], tuple[Fraction, Fraction]]

# Numbers of bits of bounds, which become closer until both have the same nearest float.
_BITS = (128, 256, 512, 1024, 2048, 4096, 8192)


def _too_close() -> ArithmeticError:
    """Return the error for a moment whose nearest float cannot be decided."""
    return ArithmeticError(
        "a moment is too close to the midpoint of two floats to be rounded. Pass exact=True."
    )


@dataclass(frozen=True)
class RatioSums:
    """Sums over fractions x with integer weights, from which moments of x are computed.

    For each of the ``denominators`` they are the sums of weight * numerator (``first``) and of weight *
    numerator**2 (``second``), as Python integers.

    >>> halves_and_thirds = (np.array(x, object) for x in ([2, 3], [1, 4], [1, 8]))
    >>> RatioSums(*halves_and_thirds, total=3).moments(True)[0]
    Fraction(11, 18)
    """

    denominators: np.ndarray
    first: np.ndarray
    second: np.ndarray
    total: int

    def moments(self, exact: bool, offset: Fraction = Fraction(0), factor: Fraction = Fraction(1)) -> Moments:
        """Return mean, variance and standard deviation of ``offset + factor x``.

        They are Fractions if ``exact``, otherwise the nearest floats.
        """
        if exact:
            mean = self._sum(self.first, 1)
            variance = self._sum(self.second, 2) - mean**2
            variance *= factor**2
            return offset + factor * mean, variance, rounded_root(variance)
        return rounded_moments(self._bounds, offset, factor)

    def _sum(self, numerators: np.ndarray, power: int) -> Fraction:
        """Return the sum of numerator / denominator**power over the denominators, divided by the total weight.

        ``numerators`` are ``first`` or ``second``, which are sums with weights.
        """
        parts = (Fraction(x, y**power) for x, y in zip(numerators.tolist(), self.denominators.tolist()))
        return sum(parts, Fraction(0)) / self.total

    def _bounds(self, power: int, bits: int) -> tuple[Fraction, Fraction]:
        """Return bounds of the mean of x**power: sums of terms rounded down to ``bits`` binary digits, and up."""
        numerators = (self.first, self.second)[power - 1]
        floor = int(((numerators << bits) // self.denominators**power).sum())
        scale = self.total << bits
        return Fraction(floor, scale), Fraction(floor + len(numerators), scale)


def rounded_moments(
    bounds: Bounds, offset: Fraction = Fraction(0), factor: Fraction = Fraction(1)
) -> Moments:
    """Return mean, variance and standard deviation of ``offset + factor x`` as the nearest floats.

    x is a random variable of which only bounds are known: ``bounds(power, bits)`` returns a lower and an upper
    bound of the mean of x**power with about ``bits`` binary digits. Bounds are made closer until both have the same
    nearest float.

    >>> rounded_moments(lambda power, bits: (Fraction(1, 3**power) - Fraction(1, 2**bits), Fraction(1, 3**power)))
    (0.3333333333333333, 0.0, 0.0)
    """
    for bits in _BITS:
        (low, high), (low_square, high_square) = bounds(1, bits), bounds(2, bits)
        means = sorted(
            (
                offset + factor * low,
                offset + factor * high,
            )
        )
        low_squared, high_squared = sorted((low**2, high**2))
        least = factor**2 * max(Fraction(0), low_square - high_squared)
        most = factor**2 * (high_square - low_squared)
        least_root = _root_bounds(least, bits // 2)[0]
        most_root = _root_bounds(most, bits // 2)[1]
        rounded = float(means[0]), float(least), float(least_root)
        if rounded == (float(means[1]), float(most), float(most_root)):
            return rounded
    raise _too_close()


def _root_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound of sqrt(x), which are multiples of 2^-bits."""
    scaled = (x.numerator << 2 * bits) // x.denominator
    floor = isqrt(scaled)
    lower = Fraction(floor, 1 << bits)
    is_exact = lower * lower == x
    return lower, lower if is_exact else Fraction(floor + 1, 1 << bits)


QUARTILES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


def rank(total: int, p: Fraction, reached: bool = True) -> int:
    """Return the position (from 1) of the p-quantile among ``total`` sorted values: the least k with k/total >= p.

    With ``reached=False`` it is the least k with k/total > p.

    >>> rank(10, Fraction(1, 4)), rank(10, Fraction(1, 2)), rank(10, Fraction(1, 2), reached=False)
    (3, 5, 6)
    """
    position = ceil(total * p) if reached else floor(total * p) + 1
    return max(1, position)


def five_positions(total: int) -> list[int]:
    """Return the positions of the smallest value, the quartiles and the largest value.

    >>> five_positions(10)
    [1, 3, 5, 8, 10]
    """
    return [1, *map(partial(rank, total), QUARTILES), total]


class Line(Protocol):
    """Protocol of the distribution of one variable."""

    @property
    def total(self) -> int:
        """Weight of the defined values."""

    @property
    def undefined(self) -> int:
        """Weight of the undefined values."""

    def moments(self, exact: bool) -> Moments | None:
        """Return mean, variance and standard deviation, None if there are no values.

        A single value has variance 0.
        """

    def at(self, positions: Sequence[int]) -> list[Number]:
        """Return the k-th smallest value for each k >= 1 in ``positions``. A value of weight w counts w times."""

    def up_to(self, x: Any, relation: str = "<=") -> int:
        """Return the weight of the values <= x, or < x if ``relation`` is "<"."""

    def points(self) -> Iterator[tuple[Number, int]]:
        """Yield every value, in increasing order, with its weight."""


class Listed:
    """Distribution as a sorted list of values with positive integer weights.

    If ``rounded``, moments are floats by default, because their fractions are long.
    """

    def __init__(self, law: Mapping[Number, int], rounded: bool = False) -> None:
        self.rounded = rounded
        self.undefined = sum(w for x, w in law.items() if x != x)
        self.values = sorted((x for x in law if x == x), key=sort_key)
        self.weights = [int(law[x]) for x in self.values]
        self.cumulative = [0, *accumulate(self.weights)]
        self.total = self.cumulative[-1]

    def moments(self, exact: bool) -> Moments | None:
        """Return mean, variance and standard deviation.

        They are Fractions if all values are Fractions, and ``exact`` is True or ``rounded`` is False. Otherwise
        they are floats.
        """
        if not self.values:
            return None
        if len(self.values) == 1:
            value = self.values[0]
            return value, Fraction(0) if isinstance(value, Fraction) else 0.0, 0.0
        if all(isinstance(x, Fraction) for x in self.values):
            return self._sums().moments(exact or not self.rounded)
        doubles = np.array([*map(float, self.values)])
        shares = np.array([weight / self.total for weight in self.weights])
        mean = math.fsum(doubles * shares)
        variance = math.fsum((doubles - mean) ** 2 * shares)
        return mean, variance, rounded_root(variance)

    def _sums(self) -> RatioSums:
        """Return the sums of weight * x and of weight * x^2 over all values x, by denominator of x.

        The values must be Fractions.
        """
        sums: dict[int, list[int]] = {}
        for x, weight in self.points():
            p, q = x.as_integer_ratio()
            of_q = sums.setdefault(q, [0, 0])
            of_q[0] += weight * p
            of_q[1] += weight * p * p
        first, second = np.array([*sums.values()], object).T
        return RatioSums(np.array([*sums], object), first, second, self.total)

    def at(self, positions: Sequence[int]) -> list[Number]:
        """Return the k-th smallest value for each k >= 1 in ``positions``. A value of weight w counts w times."""
        return [self.values[bisect_left(self.cumulative, k) - 1] for k in positions]

    def up_to(self, x: Any, relation: str = "<=") -> int:
        """Return the weight of the values <= x, or < x if ``relation`` is "<"."""
        place = bisect_right if relation == "<=" else bisect_left
        return self.cumulative[place(self.values, x)]

    def points(self) -> Iterator[tuple[Number, int]]:
        """Yield every value, in increasing order, with its weight."""
        yield from zip(self.values, self.weights)


@dataclass(frozen=True)
class Known:
    """Distribution of which only a few numbers are known: its moments and the values at some positions.

    ``values`` maps a position to its value. ``refusal`` is the message of the error for other numbers.
    """

    total: int
    rounded: Moments
    values: Mapping[int, Number]
    refusal: str
    cells_at_end: Callable[[bool], np.ndarray]
    undefined: int = 0

    def moments(self, exact: bool) -> Moments:
        """Return mean, variance and standard deviation.

        Raise TooLargeError if they are ``exact`` but known as floats only.
        """
        if exact and isinstance(self.rounded[0], float):
            raise TooLargeError(self.refusal)
        return self.rounded

    def at(self, positions: Sequence[int]) -> list[Number]:
        """Return the values at some positions. Raise TooLargeError if they are not known."""
        if set(positions) <= set(self.values):
            return [self.values[k] for k in positions]
        raise TooLargeError(self.refusal)

    def up_to(self, x: Any, relation: str = "<=") -> int:
        """Return the weight of the values <= x, or < x if ``relation`` is "<".

        It is 0 or the total if x is outside the range of the values. Raise TooLargeError for an x within the range.
        """
        is_below = COMPARISONS[relation]
        if not is_below(self.values[1], x):
            return 0
        if is_below(self.values[self.total], x):
            return self.total
        raise TooLargeError(self.refusal)

    def points(self) -> Iterator[tuple[Number, int]]:
        """Raise TooLargeError, because the values are not known."""
        raise TooLargeError(self.refusal)
