"""Mean, variance and standard deviation: exact, or the doubles nearest to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isqrt, sqrt

import numpy as np

from confmat.statistics.record import Number

Moments = tuple[Number, Number, float]

# Bounds of the mean of some quotients, or of their squares (1, 2), to about so many binary places.
Bounds = Callable[[int, int], tuple[Fraction, Fraction]]


def root(x: Number) -> float:
    """Square root: correctly rounded from a Fraction.

    >>> root(Fraction(1, 4))
    0.5
    """
    return sqrt(x) if isinstance(x, float) else _rounded(lambda bits: _root_bounds(x, bits))


@dataclass(frozen=True)
class RatioSums:
    """Sums over a law of quotients, by denominator: of weight times numerator, and times its square (Python ints).

    >>> halves_and_thirds = (np.array(x, object) for x in ([2, 3], [1, 4], [1, 8]))
    >>> RatioSums(*halves_and_thirds, total=3).moments(True)[0]
    Fraction(11, 18)
    """

    denominators: np.ndarray
    first: np.ndarray
    second: np.ndarray
    total: int

    def moments(self, exact: bool, offset: Fraction = Fraction(0), factor: Fraction = Fraction(1)) -> Moments:
        """Mean, variance and sd of ``offset + factor x``: Fractions, or without ``exact`` doubles correctly rounded."""
        if exact:
            mean = self._sum(self.first, 1)
            variance = (self._sum(self.second, 2) - mean**2) * factor**2
            return offset + factor * mean, variance, root(variance)
        return rounded_moments(self._bounds, offset, factor)

    def _sum(self, numerators: np.ndarray, power: int) -> Fraction:
        parts = (Fraction(x, y**power) for x, y in zip(numerators.tolist(), self.denominators.tolist()))
        return sum(parts, Fraction(0)) / self.total

    def _bounds(self, power: int, bits: int) -> tuple[Fraction, Fraction]:
        """Bounds by floor divisions."""
        numerators = (self.first, self.second)[power - 1]
        floor = int(((numerators << bits) // self.denominators**power).sum())
        scale = self.total << bits
        return Fraction(floor, scale), Fraction(floor + len(numerators), scale)


def rounded_moments(
    bounds: Bounds, offset: Fraction = Fraction(0), factor: Fraction = Fraction(1)
) -> Moments:
    """Mean, variance and sd of ``offset + factor x``, x the quotients with these bounds, as doubles correctly rounded.

    >>> rounded_moments(lambda power, bits: (Fraction(1, 3**power) - Fraction(1, 2**bits), Fraction(1, 3**power)))
    (0.3333333333333333, 0.0, 0.0)
    """

    bounds = cache(bounds)  # what takes the time

    def mean_bounds(bits: int) -> tuple[Fraction, Fraction]:
        low, high = sorted(factor * x for x in bounds(1, bits))
        return offset + low, offset + high

    def variance_bounds(bits: int) -> tuple[Fraction, Fraction]:
        square_low, square_high = bounds(2, bits)
        low, high = sorted(x**2 for x in bounds(1, bits))
        return factor**2 * max(Fraction(0), square_low - high), factor**2 * (square_high - low)

    def sd_bounds(bits: int) -> tuple[Fraction, Fraction]:
        low, high = variance_bounds(bits)
        return _root_bounds(low, bits // 2)[0], _root_bounds(high, bits // 2)[1]

    return _rounded(mean_bounds), _rounded(variance_bounds), _rounded(sd_bounds)


def _root_bounds(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    floor = isqrt((x.numerator << 2 * bits) // x.denominator)
    low = Fraction(floor, 1 << bits)
    return (low, low) if low * low == x else (low, Fraction(floor + 1, 1 << bits))


def _rounded(bounds: Callable[[int], tuple[Fraction, Fraction]]) -> float:
    """The double nearest to a number given by ever closer bounds (``bounds(bits)``)."""
    for bits in (256, 512, 1024, 2048, 4096, 8192):
        low, high = bounds(bits)
        if float(low) == float(high):
            return float(low)
    raise ArithmeticError("a moment lies too close to the middle between two doubles to be rounded")


def weighted_sums(weights: np.ndarray, factors: np.ndarray, groups: np.ndarray, size: int) -> np.ndarray:
    """Sums of weights times factors (not negative) in each of ``size`` groups, exact: Python ints.

    64-bit weights are cut into pieces whose sums cannot overflow.

    >>> weighted_sums(np.array([2**61, 2**61, 5]), np.array([3, 3, 1]), np.array([0, 0, 1]), 2).tolist()
    [13835058055282163712, 5]
    """
    total = np.zeros(size, object)
    largest = int(factors.max(initial=0))
    bits = 62 - largest.bit_length() - len(weights).bit_length()
    if weights.dtype == object or factors.dtype == object or bits < 8:
        np.add.at(total, groups, weights.astype(object) * factors.astype(object))
        return total
    for shift in range(0, int(weights.max(initial=0)).bit_length(), bits):
        piece = np.zeros(size, np.int64)
        np.add.at(piece, groups, (weights >> shift & (2**bits - 1)) * factors)
        total += piece.astype(object) << shift
    return total


def total_of(weights: np.ndarray) -> int:
    """Sum of weights whose sum fits their type (Python ints always do)."""
    return int(weights.sum()) if len(weights) else 0
