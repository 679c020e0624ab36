"""Exact sums of square roots: what the G-means and their averages are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import isqrt
from numbers import Rational

Term = tuple[Fraction, Fraction]

_FIRST_BITS = 64


@total_ordering
@dataclass(frozen=True, eq=False)
class RootSum:
    """The real number sum w sqrt(q) over ``terms`` (w, q), w != 0 and q > 0 rational; zero has no terms.

    Sums, products, comparisons and equality are exact, also with whole numbers and Fractions; ``float`` rounds
    correctly.  Terms whose roots have a rational quotient are one term, and the rational part has q = 1, so a
    sum is 0 only when it has no terms: roots with irrational quotients are linearly independent over the
    rationals (Besicovitch 1940).  The sign of any other sum follows from integer roots of enough digits.
    Comparing m with m' terms takes O(m m') integer roots.

    >>> half = RootSum.sqrt(Fraction(1, 2))
    >>> half + half == RootSum.sqrt(2), half > Fraction(7, 10), float(half)
    (True, True, 0.7071067811865476)
    >>> print(half * half, "and", RootSum.sqrt(8) - 1)
    1/2 and sqrt(8) - 1
    """

    terms: tuple[Term, ...]

    @classmethod
    def of(cls, terms: Iterable[tuple[Rational | int, Rational | int]]) -> RootSum:
        """The sum of w sqrt(q) over pairs (w, q) of rationals; ValueError for q < 0."""
        return cls(_collected((Fraction(w), Fraction(q)) for w, q in terms))

    @classmethod
    def sqrt(cls, radicand: Rational | int) -> RootSum:
        """The square root of a rational number; ValueError if it is negative."""
        return cls.of([(1, radicand)])

    @property
    def rational(self) -> Fraction | None:
        """The value as a Fraction, None where it is irrational."""
        if not self.terms:
            return Fraction(0)
        (weight, radicand), *others = self.terms
        return weight if radicand == 1 and not others else None

    def __add__(self, other: object) -> RootSum:
        summand = _root_sum(other)
        return NotImplemented if summand is None else RootSum(_collected([*self.terms, *summand.terms]))

    def __mul__(self, other: object) -> RootSum:
        factor = _root_sum(other)
        if factor is None:
            return NotImplemented
        return RootSum(_collected((v * w, p * q) for v, p in self.terms for w, q in factor.terms))

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> RootSum:
        return RootSum(tuple((-w, q) for w, q in self.terms))

    def __sub__(self, other: object) -> RootSum:
        summand = _root_sum(other)
        return NotImplemented if summand is None else self + -summand

    def __rsub__(self, other: object) -> RootSum:
        return -self + other

    def __eq__(self, other: object) -> bool:
        summand = _root_sum(other)
        return NotImplemented if summand is None else not (self - summand).terms

    def __lt__(self, other: object) -> bool:
        summand = _root_sum(other)
        return NotImplemented if summand is None else (self - summand).sign() < 0

    def __hash__(self) -> int:
        return hash(float(self) if self.rational is None else self.rational)

    def sign(self) -> int:
        """-1, 0 or 1, exactly."""
        if not self.terms:
            return 0
        bits = _FIRST_BITS
        while True:
            low, high = self.bounds(bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            bits *= 2

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals around the value: every irrational root known to ``bits`` binary places."""
        low = high = Fraction(0)
        for weight, radicand in self.terms:
            if radicand == 1:
                ends = [weight, weight]
            else:
                floor = isqrt((radicand.numerator << 2 * bits) // radicand.denominator)
                ends = sorted(weight * Fraction(end, 1 << bits) for end in (floor, floor + 1))
            low, high = low + ends[0], high + ends[1]
        return low, high

    def __float__(self) -> float:
        if self.rational is not None:
            return float(self.rational)
        bits = _FIRST_BITS
        while True:  # ends: an irrational number is not in the middle between two doubles
            low, high = map(float, self.bounds(bits))
            if low == high:
                return low
            bits *= 2

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        text = ""
        for weight, radicand in self.terms:
            size = abs(weight)
            root = "" if radicand == 1 else f"sqrt({radicand})"
            joined = str(size) if not root else root if size == 1 else f"{size}*{root}"
            sign = "-" if weight < 0 else "+"
            text += f" {sign} {joined}" if text else ("-" if weight < 0 else "") + joined
        return text


def _root_sum(value: object) -> RootSum | None:
    """A number as a RootSum; None for what is not an exact finite number."""
    if isinstance(value, RootSum):
        return value
    if isinstance(value, Rational) or (isinstance(value, float) and math.isfinite(value)):
        return RootSum.of([(Fraction(value), 1)])
    return None


def _collected(terms: Iterable[Term]) -> tuple[Term, ...]:
    """The same sum with one term for all roots whose quotients are rational, and none that vanishes."""
    weights: dict[Fraction, Fraction] = {}
    for weight, radicand in terms:
        if radicand < 0:
            raise ValueError(f"the number under a root must be at least 0, got {radicand}")
        if not weight or not radicand:
            continue
        for known in (Fraction(1), *weights):
            quotient = _rational_root(radicand / known)
            if quotient is not None:
                weights[known] = weights.get(known, Fraction(0)) + weight * quotient
                break
        else:
            weights[radicand] = weight
    return tuple((w, q) for q, w in weights.items() if w)


def _rational_root(x: Fraction) -> Fraction | None:
    root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
    return root if root * root == x else None
