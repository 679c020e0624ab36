"""Exact sums of square roots: the values of geometric means and of their averages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from numbers import Rational

from confmat._arguments import as_count, as_fraction, fraction
from confmat.indices.numbers import Exact, of_kind, sum_in_words

Term = tuple[Fraction, int]

_SMALL_PRIMES = (
    2,
    3,
    5,
    7,
    11,
    13,
    17,
    19,
    23,
    29,
    31,
    37,
    41,
    43,
    47,
    53,
    59,
    61,
    67,
    71,
    73,
    79,
    83,
    89,
    97,
)


@dataclass(frozen=True, eq=False)
class RootSum(Exact):
    """Real number sum w sqrt(q) over ``terms`` (w, q), with rational w != 0 and integer q >= 1.

    Sums, products, powers, quotients by rationals, comparisons and equality are exact, also with integers,
    Fractions and finite floats. ``float`` is the nearest float. Infinities and NaN compare as with any number.

    Notes
    -----
    Terms whose roots have a rational quotient are one term, and the rational part has q = 1. A sum is therefore 0
    only if it has no terms: roots with irrational quotients are linearly independent over the rationals
    (Besicovitch 1940). The sign of any other sum follows from integer roots with enough digits. Comparing m with m'
    terms takes O(m m') integer roots.

    Examples
    --------
    >>> half = RootSum.sqrt(Fraction(1, 2))
    >>> half + half == RootSum.sqrt(2), half > Fraction(7, 10), float(half)
    (True, True, 0.7071067811865476)
    >>> (half**2).rational, f"{half:.3f}"
    (Fraction(1, 2), '0.707')
    >>> print(RootSum.sqrt(8) - 1)
    2*sqrt(2) - 1
    """

    terms: tuple[Term, ...]

    most_bits = math.inf  # a sum with terms is not 0

    @classmethod
    def of(cls, terms: Iterable[tuple[Fraction | int, int]]) -> RootSum:
        """Return the sum of w sqrt(q) over pairs (w, q).

        Parameters
        ----------
        terms : iterable of (Fraction or int, int)
            Each q is at least 0.

        Returns
        -------
        RootSum

        Examples
        --------
        >>> RootSum.of([(1, 8), (Fraction(1, 2), 9)]) == 2 * RootSum.sqrt(2) + Fraction(3, 2)
        True
        """
        return cls(_collected((fraction(w), as_count("radicand", q)) for w, q in terms))

    @classmethod
    def sqrt(cls, radicand: Rational | int) -> RootSum:
        """Return the square root of a rational number.

        Parameters
        ----------
        radicand : Rational

        Returns
        -------
        RootSum

        Raises
        ------
        ValueError
            If ``radicand`` is negative.

        Examples
        --------
        >>> RootSum.sqrt(Fraction(9, 4)) == Fraction(3, 2), float(RootSum.sqrt(2))
        (True, 1.4142135623730951)
        """
        p, q = as_fraction("radicand", radicand).as_integer_ratio()
        if p < 0:
            raise ValueError(f"radicand must be at least 0, got {radicand}")
        root, rest = _without_small_squares(p * q)
        return cls(_collected([(Fraction(root, q), rest)]))

    @property
    def rational(self) -> Fraction | None:
        """Return the value as a Fraction, or None if it is irrational."""
        if not self.terms:
            return Fraction(0)
        (weight, radicand), *more_terms = self.terms
        if radicand == 1 and not more_terms:
            return weight
        return None

    @classmethod
    def _of_number(cls, number: object) -> RootSum | None:
        """Convert an exact finite number to a RootSum. Return None for another object."""
        if isinstance(number, RootSum):
            return number
        if isinstance(number, Rational) or (isinstance(number, float) and math.isfinite(number)):
            return cls(_collected([(fraction(number), 1)]))
        return None

    @of_kind
    def __add__(self, x: RootSum) -> RootSum:
        return RootSum(_collected([*self.terms, *x.terms]))

    @of_kind
    def __mul__(self, x: RootSum) -> RootSum:
        return RootSum(_collected((v * w, p * q) for v, p in self.terms for w, q in x.terms))

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> RootSum:
        return RootSum(tuple((-w, q) for w, q in self.terms))

    @of_kind
    def __truediv__(self, x: RootSum) -> RootSum:
        """Return the quotient by a rational number or a single root. A quotient by a sum of roots is a `Compound`."""
        if not x.terms:
            raise ZeroDivisionError(f"division of {self} by 0")
        (weight, radicand), *more_terms = x.terms
        if more_terms:
            return NotImplemented
        return self * RootSum(((1 / (weight * radicand), radicand),))

    def __pow__(self, exponent: int) -> RootSum:
        """Return the power with an integer exponent that is at least 0."""
        return math.prod(
            [self] * as_count("exponent", exponent),
            start=RootSum(((Fraction(1), 1),)),
        )

    def __bool__(self) -> bool:
        return bool(self.terms)

    def _compared(self, relation: Callable[[float, float], bool], x: RootSum) -> bool:
        return relation(0 if self.terms == x.terms else (self - x).sign(), 0)

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return rational bounds of the value.

        Parameters
        ----------
        bits : int
            Number of binary digits of each root.

        Returns
        -------
        (Fraction, Fraction)
            Lower and upper bound.

        Examples
        --------
        >>> RootSum.sqrt(2).bounds(4)
        (Fraction(11, 8), Fraction(23, 16))
        """
        common = math.lcm(*(w.denominator for w, _ in self.terms))
        lower = upper = 0
        for weight, radicand in self.terms:
            scaled = weight.numerator * (common // weight.denominator)
            floor = isqrt(radicand << 2 * bits)
            lower += scaled * (floor + (scaled < 0))
            upper += scaled * (floor + (scaled > 0))
        return Fraction(lower, common << bits), Fraction(upper, common << bits)

    def __str__(self) -> str:
        products = []
        for weight, radicand in self.terms:
            size = abs(weight)
            root = f"sqrt({radicand})"
            if radicand == 1:
                text = str(size)
            else:
                if size == 1:
                    text = root
                else:
                    text = f"{size}*{root}"
            products.append((text, weight < 0))
        return sum_in_words(products)


def _collected(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return terms (weight, radicand) with the same sum of roots as ``terms``, without zeros.

    Terms whose roots have a rational quotient, such as sqrt(2) and sqrt(8), are added to one term.
    """
    weights: dict[int, Fraction] = {}
    for weight, radicand in terms:
        if radicand in weights:
            weights[radicand] += weight
            continue
        if not weight:
            continue
        for candidate in (1, *weights):
            product = radicand * candidate
            root = isqrt(product)
            if root * root == product:
                of_candidate = weights.get(candidate, 0)
                weights[candidate] = of_candidate + weight * Fraction(root, candidate)
                break
        else:
            weights[radicand] = weight
    return tuple((w, q) for q, w in weights.items() if w)


def _without_small_squares(q: int) -> tuple[int, int]:
    """Return a pair (f, q/f^2), where f^2 divides q, so that sqrt(q) = f sqrt(q/f^2). Only small primes divide f."""
    factor = 1
    for prime in _SMALL_PRIMES if q else ():
        while q % prime**2 == 0:
            factor = factor * prime
            q = q // prime**2
    return factor, q
