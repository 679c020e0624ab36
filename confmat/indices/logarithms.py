"""Exact numbers with logarithms: entropies, mutual information and their quotients.

The logarithm of a positive integer is a sum of logarithms of primes. These logarithms and 1 are linearly
independent over the rationals. For the logarithms this is unique factorization. For 1 it holds because e^q is
irrational for each rational q except 0. Two sums of logarithms are therefore equal only if they are equal term by
term.

Products are polynomials in logarithms. Two different values are distinguished by bounds with more and more digits.
It is not proved that different polynomials have different values. If two of them agree to 4,096 binary digits,
`UndecidedError` is raised.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain
from numbers import Rational
from operator import index

from confmat._arguments import fraction
from confmat.errors import UndecidedError
from confmat.indices.classification.roots import RootSum
from confmat.indices.numbers import MOST_BITS, Exact, of_kind, sum_in_words

# A polynomial with whole coefficients in logarithms of primes: products of primes' logarithms, () for 1, in order.
LogTerms = tuple[tuple[tuple[int, ...], int], ...]

LARGEST = 10**12
"""Largest integer that is factored, by trial division."""


@dataclass(frozen=True, eq=False, repr=False)
class LogRatio(Exact):
    """Quotient of two polynomials in logarithms of primes, or the square root of such a quotient.

    Sums, products, quotients, comparisons and equality are exact, also with integers, Fractions, finite floats and
    `RootSum` values. Roots have exact products and quotients. ``float`` is the nearest float. If the floats of two
    numbers differ, a comparison takes microseconds. `UndecidedError` is raised for numbers that agree to 4,096
    binary digits without a proof that they are equal.

    Attributes
    ----------
    numerator, denominator : tuple
        Polynomials with integer coefficients, their terms in order and none of them zero. The denominator is
        positive. Use `of` to make a number.
    root : bool
        True if the number is the square root of the quotient, with the sign of the quotient.

    Examples
    --------
    >>> entropy = LogRatio.of({4: 4, 2: -2, 1: -2}, 4)  # of clusters of sizes 2, 1, 1
    >>> entropy, entropy == LogRatio.of({8: 1}, 2), entropy > 1, float(entropy)
    (3*log(2)/2, True, True, 1.0397207708399179)
    >>> LogRatio.of({3: 1}) / LogRatio.of({9: 1}), (LogRatio.of({3: 1}) / LogRatio.of({2: 1})).rational
    (1/2, None)
    """

    numerator: LogTerms
    denominator: LogTerms
    root: bool = False

    @classmethod
    def of(cls, weights: Mapping[int, int], divisor: int = 1) -> LogRatio:
        """Return a sum of logarithms divided by an integer.

        Parameters
        ----------
        weights : dict of int to int
            The weight w of each log(k), with 1 <= k <= 10^12.
        divisor : int
            Divisor of the sum. Default: 1.

        Returns
        -------
        LogRatio

        Examples
        --------
        >>> LogRatio.of({6: 1, 2: -1})
        log(3)
        """
        logarithms: Counter[tuple[int, ...]] = Counter()
        for number, weight in weights.items():
            for prime, power in factors(index(number)):
                logarithms[(prime,)] += index(weight) * power
        return cls._lowest(logarithms, {(): index(divisor)})

    @classmethod
    def _lowest(cls, numerator: Mapping, denominator: Mapping, root: bool = False) -> LogRatio:
        """Return the quotient of two polynomials in lowest terms, or its square root if ``root`` is True.

        A quotient of proportional polynomials is a rational number.
        """
        numerator_terms = _terms(numerator)
        denominator_terms = _terms(denominator)
        if not numerator_terms:
            denominator_terms = _ONE
        if [primes for primes, _ in numerator_terms] == [primes for primes, _ in denominator_terms]:
            quotients = {Fraction(x, y) for (_, x), (_, y) in zip(numerator_terms, denominator_terms)}
            if len(quotients) == 1:
                p, q = quotients.pop().as_integer_ratio()
                numerator_terms = (((), p),)
                denominator_terms = (((), q),)
        common = math.gcd(
            *(x for _, x in numerator_terms),
            *(x for _, x in denominator_terms),
        )
        if common > 1:
            numerator_terms = tuple((primes, x // common) for primes, x in numerator_terms)
            denominator_terms = tuple((primes, x // common) for primes, x in denominator_terms)
        return cls(numerator_terms, denominator_terms, root and bool(numerator_terms))

    @cached_property
    def rational(self) -> Fraction | None:
        """Return the value as a Fraction, or None if it is irrational or not known to be rational.

        >>> LogRatio.of({1: 5}).rational
        Fraction(0, 1)
        """
        if not self.numerator:
            return Fraction(0)
        if self.numerator[-1][0] or self.denominator[-1][0]:
            return None
        quotient = Fraction(
            self.numerator[0][1],
            self.denominator[0][1],
        )
        if not self.root:
            return quotient
        root = RootSum.sqrt(abs(quotient)).rational
        if root is not None and quotient < 0:
            return -root
        return root

    def sqrt(self) -> LogRatio:
        """Return the square root of a number that is at least 0 and not a root itself.

        Returns
        -------
        LogRatio

        Examples
        --------
        >>> LogRatio.of({4: 1}).sqrt() == LogRatio.of({2: 2}).sqrt() < 2
        True
        """
        return LogRatio(self.numerator, self.denominator, root=bool(self.numerator))

    def _squared(self) -> LogRatio:
        """Return x |x| for this number x: its square, with the sign of the number. The result has no square root."""
        if self.root:
            return LogRatio(self.numerator, self.denominator)
        numerator = _product_of_polynomials(self.numerator, self.numerator)
        if sign(self.numerator) < 0:
            numerator = _product_of_polynomials(numerator, _NEGATIVE)
        return LogRatio._lowest(numerator, _product_of_polynomials(self.denominator, self.denominator))

    @classmethod
    def _of_number(cls, number: object) -> LogRatio | None:
        """Convert an exact finite number to a LogRatio.

        Return None for another object, and for a sum of several square roots.
        """
        if isinstance(number, LogRatio):
            return number
        if isinstance(number, RootSum) and number.rational is not None:
            number = number.rational
        is_root = isinstance(number, RootSum)
        if isinstance(number, RootSum):
            if len(number.terms) > 1:
                return None
            number = sum(
                (w * abs(w) * q for w, q in number.terms),
                Fraction(0),
            )
        is_finite_float = isinstance(number, float) and math.isfinite(number)
        if isinstance(number, Rational) or is_finite_float:
            p, q = fraction(number).as_integer_ratio()
            return cls._lowest({(): p}, {(): q}, is_root)
        return None

    @of_kind
    def __add__(self, x: LogRatio) -> LogRatio:
        if not self.numerator or not x.numerator:
            return self if self.numerator else x
        if self.root or x.root:
            return NotImplemented
        numerator = _plus(
            _product_of_polynomials(self.numerator, x.denominator),
            _product_of_polynomials(x.numerator, self.denominator),
        )
        return LogRatio._lowest(numerator, _product_of_polynomials(self.denominator, x.denominator))

    @of_kind
    def __mul__(self, x: LogRatio) -> LogRatio:
        a, b, is_root = self._alike(x)
        return LogRatio._lowest(
            _product_of_polynomials(a.numerator, b.numerator),
            _product_of_polynomials(a.denominator, b.denominator),
            is_root,
        )

    def _alike(self, x: LogRatio) -> tuple[LogRatio, LogRatio, bool]:
        """Return ``self`` and ``x`` in a form in which they can be compared, and whether they were squared.

        If one of them is a root, both are squared, and keep their signs.
        """
        if self.root or x.root:
            return self._squared(), x._squared(), True
        return self, x, False

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> LogRatio:
        return LogRatio(
            _terms(_product_of_polynomials(self.numerator, _NEGATIVE)), self.denominator, self.root
        )

    @of_kind
    def __truediv__(self, x: LogRatio) -> LogRatio:
        if not x.numerator:
            raise ZeroDivisionError(f"division of {self} by 0")
        if sign(x.numerator) < 0:
            sign_of_x = _NEGATIVE
        else:
            sign_of_x = _ONE
        # The reciprocal of sqrt(a/b) is sqrt(b/a). The denominator must be positive.
        numerator = _terms(_product_of_polynomials(x.denominator, sign_of_x))
        denominator = _terms(_product_of_polynomials(x.numerator, sign_of_x))
        return self * LogRatio(numerator, denominator, x.root)

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def _compared(self, relation: Callable[[float, float], bool], x: LogRatio) -> bool:
        """Return whether ``relation(self, x)`` is true.

        The floats of both numbers are compared first. If they are equal, the exact numbers are compared.
        """
        if (self.numerator, self.denominator, self.root) == (x.numerator, x.denominator, x.root):
            return relation(0, 0)
        doubles = float(self), float(x)
        if doubles[0] != doubles[1]:  # rounding is monotone
            return relation(*doubles)
        a, b, _ = self._alike(x)
        return relation((a - b).sign(), 0)

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return rational bounds of the value, from intervals of the logarithms.

        Parameters
        ----------
        bits : int
            Number of binary digits of the logarithms.

        Returns
        -------
        (Fraction, Fraction)
            Lower and upper bound.

        Examples
        --------
        >>> [round(float(x), 3) for x in LogRatio.of({2: 1}).bounds(8)]
        [0.691, 0.695]
        """
        degree = max(len(primes) for primes, _ in chain(self.numerator, self.denominator))
        lower, upper = bounds(self.numerator, bits, degree)
        least, largest = bounds(self.denominator, bits, degree)
        if least <= 0:
            if bits > MOST_BITS:
                raise UndecidedError(f"{self} cannot be computed precisely enough: its denominator is near 0")
            return self.bounds(2 * bits)
        ends = (
            Fraction(lower, largest if lower > 0 else least),
            Fraction(upper, least if upper > 0 else largest),
        )
        if self.root:
            return _root_bound(ends[0], bits, False), _root_bound(ends[1], bits, True)
        return ends

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __str__(self) -> str:
        numerator = _polynomial_text(self.numerator)
        denominator = _polynomial_text(self.denominator)
        if denominator != "1":
            if len(self.numerator) > 1:
                numerator = f"({numerator})"
            if re.search(r"[*+]| - ", denominator):
                denominator = f"({denominator})"
            numerator += f"/{denominator}"
        return f"sqrt({numerator})" if self.root else numerator

    __repr__ = __str__


_ONE: LogTerms = (((), 1),)
_NEGATIVE: LogTerms = (((), -1),)


def sign(terms: LogTerms) -> int:
    """Return the sign -1, 0 or 1 of a polynomial in logarithms.

    Raise UndecidedError if 4,096 binary digits do not separate it from 0.

    >>> sign((((2,), 3), ((3,), -2))), sign(())  # log 8 and log 9
    (-1, 0)
    """
    return LogRatio(terms, _ONE).sign()


def bounds(terms: LogTerms, bits: int, degree: int) -> tuple[int, int]:
    """Return integer bounds of 2^(``bits`` ``degree``) times a polynomial whose degree is at most ``degree``.

    >>> bounds((((2,), 1),), 4, 1)  # 16 log 2 = 11.09
    (11, 12)
    """
    lower = upper = 0
    for primes, weight in terms:
        product = [1, 1]
        for prime in primes:
            product = [x * y for x, y in zip(product, _logarithm(prime, bits))]
        missing_bits = bits * (degree - len(primes))
        ends = [weight * end << missing_bits for end in product]
        lower += min(ends)
        upper += max(ends)
    return lower, upper


@lru_cache(maxsize=4096)
def _logarithm(prime: int, bits: int) -> tuple[int, int]:
    """Return integer bounds of 2^bits log(prime), from an interval of mpmath that is rounded outwards."""
    from mpmath.libmp import from_int, mpi_log, to_fixed

    lower, upper = mpi_log(
        (from_int(prime), from_int(prime)),
        bits + 32,
    )
    return to_fixed(lower, bits), to_fixed(upper, bits) + 1


@lru_cache(maxsize=2**16)
def factors(number: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors of an integer with their exponents, by trial division.

    SymPy would need 0.3 s to import, which is longer than an index of a matrix takes.

    Raise ValueError for integers above `LARGEST`.

    >>> factors(360), factors(1)
    (((2, 3), (3, 2), (5, 1)), ())
    """
    if not 1 <= number <= LARGEST:
        raise ValueError(f"number must be from 1 to {LARGEST} for an exact logarithm, got {number}")
    powers: Counter[int] = Counter()
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor:
            divisor += 1
        else:
            number //= divisor
            powers[divisor] += 1
    if number > 1:
        powers[number] += 1
    return tuple(powers.items())


def _terms(polynomial: Mapping[tuple[int, ...], int] | LogTerms) -> LogTerms:
    """Return the terms of a polynomial in order, without zeros."""
    if isinstance(polynomial, tuple):
        return polynomial
    return tuple(sorted((primes, weight) for primes, weight in polynomial.items() if weight))


def _plus(x: Mapping, y: Mapping) -> dict[tuple[int, ...], int]:
    """Return the sum of two polynomials."""
    total = dict(x)
    for primes, weight in y.items():
        total[primes] = total.get(primes, 0) + weight
    return total


def _product_of_polynomials(x: LogTerms | Mapping, y: LogTerms | Mapping) -> dict[tuple[int, ...], int]:
    """Return the product of two polynomials."""
    product: dict[tuple[int, ...], int] = {}
    for (primes_of_x, v), (primes_of_y, w) in itertools.product(_terms(x), _terms(y)):
        primes = tuple(sorted(primes_of_x + primes_of_y))
        product[primes] = product.get(primes, 0) + v * w
    return product


def _root_bound(square: Fraction, bits: int, up: bool) -> Fraction:
    """Return a lower bound of sign(x) sqrt(|x|) for x = ``square``, or an upper bound if ``up``.

    The bound is a multiple of 2^(-2 ``bits``), and differs from the root by at most this number.
    """
    scaled_square = (abs(square.numerator) << 4 * bits) // square.denominator
    root = math.isqrt(scaled_square)
    if up == (square > 0):
        root += 1
    return Fraction(root if square > 0 else -root, 1 << 2 * bits)


def _polynomial_text(terms: LogTerms) -> str:
    """Return the text of a polynomial in logarithms.

    >>> _polynomial_text((((), 2), ((2,), -1), ((2, 3), 3)))
    '2 - log(2) + 3*log(2)*log(3)'
    """
    products = []
    for primes, weight in terms:
        factors_in_words = [f"log({p})" for p in primes]
        size = abs(weight)
        if size > 1 or not primes:
            factors_in_words.insert(0, str(size))
        products.append(("*".join(factors_in_words), weight < 0))
    return sum_in_words(products)


def sum_of_logarithms(counts: Iterable[int]) -> Counter[int]:
    """Return the sum of x log x over ``counts`` as a dictionary {x: w} of the weights of log x.

    >>> LogRatio.of(sum_of_logarithms([2, 0, 4]))
    10*log(2)
    """
    weights: Counter[int] = Counter()
    for x in counts:
        if x:
            weights[x] += x
    return weights
