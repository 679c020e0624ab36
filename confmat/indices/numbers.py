"""Exact numbers that can be irrational, with a common way to compare them."""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partialmethod, wraps
from numbers import Rational
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from confmat._arguments import fraction
from confmat.errors import UndecidedError

MOST_BITS = 4096
"""Largest number of binary digits to which bounds are refined to distinguish a number from 0."""


def of_kind(operation: Callable[[Any, Any], Any]) -> Callable[[Any, object], Any]:
    """Return a method that accepts any number as operand (decorator).

    ``operation`` is a method for two numbers of the same type. The returned method converts an operand of another
    type. If no type can represent the exact result, it returns a `Compound`. If the operand is not a number, it
    returns NotImplemented.
    """

    @wraps(operation)
    def with_any(self: Exact, other: object) -> Any:
        number = self._of_number(other)
        if isinstance(other, Exact) and number is None:
            converted = other._of_number(self)
            if converted is not None:
                return getattr(converted, operation.__name__)(other)
        result = NotImplemented if number is None else operation(self, number)
        if result is NotImplemented and isinstance(other, Exact):
            return Compound(operation.__name__, self, other)
        return result

    return with_any


def precisions(largest_number: float = MOST_BITS) -> Iterator[int]:
    """Yield the numbers of binary digits 64, 128, 256, ..., up to ``largest_number``.

    >>> [*precisions(256)]
    [64, 128, 256]
    """
    bits = 64
    while bits <= largest_number:
        yield bits
        bits *= 2


class Exact(ABC):
    """Real number that is known exactly, rational or irrational.

    Numbers are compared by the sign of their difference. Intervals of the difference are refined until they exclude
    0, unless it is proved to be 0.
    """

    most_bits: ClassVar[float] = MOST_BITS

    @property
    @abstractmethod
    def rational(self) -> Fraction | None:
        """Return the value as a Fraction, or None if it is irrational or not known to be rational."""

    @classmethod
    @abstractmethod
    def _of_number(cls, number: object) -> Self | None:
        """Convert a number to this type. Return None if it is not an exact finite number."""

    @abstractmethod
    def __add__(self, operand: object) -> Self:
        """Return the sum with an exact number."""

    @abstractmethod
    def __mul__(self, operand: object) -> Self:
        """Return the product with an exact number."""

    @abstractmethod
    def __truediv__(self, operand: object) -> Self:
        """Return the quotient by an exact number that is not 0."""

    @abstractmethod
    def __neg__(self) -> Self:
        """Return the number with the other sign."""

    @abstractmethod
    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return a rational lower and a rational upper bound of the value. They are closer for more ``bits``."""

    def sign(self) -> int:
        """Return the sign -1, 0 or 1 of the number.

        Returns
        -------
        int

        Raises
        ------
        UndecidedError
            If the number is 0 to 4,096 binary digits, and it is not proved to be 0.

        Examples
        --------
        >>> from confmat.indices.classification.roots import RootSum
        >>> (RootSum.sqrt(2) + RootSum.sqrt(3) - RootSum.sqrt(10)).sign()
        -1
        """
        if self.rational is not None:
            return (self.rational > 0) - (self.rational < 0)
        for bits in precisions(self.most_bits):
            lower, upper = self.bounds(bits)
            if lower > 0 or upper < 0:
                return 1 if lower > 0 else -1
        raise UndecidedError(
            f"cannot decide whether {self} is 0: its first {self.most_bits} binary digits are 0"
        )

    @cached_property
    def _nearest(self) -> float:
        if self.rational is not None:
            return float(self.rational)
        for bits in precisions(self.most_bits):
            lower, upper = map(float, self.bounds(bits))
            if lower == upper:
                return lower
        raise UndecidedError(
            f"{self} cannot be rounded to the nearest float: it is too close to the middle of two floats"
        )

    def __float__(self) -> float:
        return self._nearest

    def _compared(self, relation: Callable[[float, float], bool], x: Self) -> bool:
        """Return whether ``relation(self, x)`` is true, such as `operator.lt`, from the sign of the difference."""
        return relation((self - x).sign(), 0)

    def _is(self, relation: Callable[[float, float], bool], operand: object) -> bool:
        if operand is self:  # fast, since x == x is tested for each value to find nan
            return relation(0.0, 0.0)
        if isinstance(operand, float) and not math.isfinite(operand):
            return relation(0.0, operand)  # as of any number
        number = self._of_number(operand)
        if number is not None:
            return self._compared(relation, number)
        if not isinstance(operand, Exact):
            return NotImplemented
        return relation((self - operand).sign(), 0)

    __eq__ = partialmethod(_is, operator.eq)
    __lt__ = partialmethod(_is, operator.lt)
    __le__ = partialmethod(_is, operator.le)
    __gt__ = partialmethod(_is, operator.gt)
    __ge__ = partialmethod(_is, operator.ge)

    def __sub__(self, operand: Any) -> Self:
        number = self._of_number(operand)
        return self + -(operand if number is None else number)

    def __rsub__(self, operand: object) -> Self:
        return -self + operand

    def __rtruediv__(self, operand: object) -> Any:
        number = self._of_number(operand)
        return NotImplemented if number is None else number / self

    def __abs__(self) -> Self:
        return -self if self < 0 else self

    def __hash__(self) -> int:
        return hash(float(self) if self.rational is None else self.rational)

    def __format__(self, spec: str) -> str:
        if spec:
            return format(float(self), spec)
        return str(self)


def _product_bounds(*ends: Fraction) -> tuple[Fraction, Fraction]:
    a, b, c, d = ends
    products = a * c, a * d, b * c, b * d
    return min(products), max(products)


@dataclass(frozen=True, eq=False)
class Compound(Exact):
    """Sum, product or quotient of two exact numbers of different types.

    ``operation`` is the name of the method, such as "__add__". The value is known by intervals as small as
    required. A quotient of sums of square roots is 0 if its numerator is 0.

    >>> from confmat.indices.classification.roots import RootSum
    >>> quotient = (RootSum.sqrt(2) + RootSum.sqrt(3)) / (1 + RootSum.sqrt(6))
    >>> quotient < Fraction(92, 100), quotient * (1 + RootSum.sqrt(6)) == RootSum.sqrt(2) + RootSum.sqrt(3)
    (True, True)
    """

    operation: str
    left: Any
    right: Any

    rational = None

    @classmethod
    def _of_number(cls, number: object) -> Any:
        if isinstance(number, Exact):
            return number
        if isinstance(number, Rational) or (isinstance(number, float) and math.isfinite(number)):
            return fraction(number)
        return None

    def __add__(self, operand: object) -> Any:
        return self._with("__add__", operand)

    def __mul__(self, operand: object) -> Any:
        return self._with("__mul__", operand)

    def __truediv__(self, operand: object) -> Any:
        return self._with("__truediv__", operand)

    __radd__ = __add__
    __rmul__ = __mul__

    def _with(self, operation: str, operand: object) -> Any:
        number = self._of_number(operand)
        return NotImplemented if number is None else Compound(operation, self, number)

    def __rtruediv__(self, operand: object) -> Any:
        number = self._of_number(operand)
        return NotImplemented if number is None else Compound("__truediv__", number, self)

    def __neg__(self) -> Any:
        return self * -1

    def sign(self) -> int:
        """Return the sign -1, 0 or 1 of the number, as `Exact.sign`."""
        numerator, _ = self._quotient
        if not isinstance(numerator, Compound) and not numerator:
            return 0
        return super().sign()

    @cached_property
    def _quotient(self) -> tuple[Any, Any]:
        """Return numerator and denominator, which contain no further quotient."""
        parts = [
            x._quotient if isinstance(x, Compound) else (x, Fraction(1)) for x in (self.left, self.right)
        ]
        (p, q), (x, y) = parts
        if self.operation == "__mul__":
            return p * x, q * y
        if self.operation == "__truediv__":
            return p * y, q * x
        return p * y + x * q, q * y

    def bounds(self, bits: int) -> tuple[Fraction, Fraction]:
        """Return rational bounds of the value, from bounds of the parts with ``bits`` binary digits.

        The number of digits is doubled, up to 4,096, until the bounds of a divisor do not contain 0.

        Raises
        ------
        UndecidedError
            If 4,096 binary digits do not separate the divisor from 0.
        """
        a, b, c, d = (x for part in (self.left, self.right) for x in _bounds_of(part, bits))
        if self.operation == "__add__":
            return a + c, b + d
        if self.operation == "__mul__":
            return _product_bounds(a, b, c, d)
        if c <= 0 <= d:
            if bits > MOST_BITS:
                raise UndecidedError(
                    f"cannot decide whether the divisor {self.right} is 0: its first {bits} binary digits are 0"
                )
            return self.bounds(2 * bits)
        return _product_bounds(a, b, 1 / d, 1 / c)

    def __str__(self) -> str:
        sign = {"__add__": "+", "__mul__": "*", "__truediv__": "/"}[self.operation]
        return f"({self.left}) {sign} ({self.right})"


def _bounds_of(x: Any, bits: int) -> tuple[Fraction, Fraction]:
    return x.bounds(bits) if isinstance(x, Exact) else (x, x)


class Rounded(NamedTuple):
    """Interval of the numbers that an argument can stand for, from ``low`` to ``high``, with both ends if ``closed``.

    A float stands for all numbers that round to it, any other number for itself.
    """

    low: Any
    high: Any
    closed: bool = True

    @classmethod
    def of(cls, name: str, x: Any) -> Rounded:
        """Return the interval of the numbers that an argument can stand for. A string is an exact number.

        Parameters
        ----------
        name : str
            Name of the argument in error messages.
        x : number or str

        Returns
        -------
        Rounded

        Raises
        ------
        ValueError
            If ``x`` is not a finite number.

        Examples
        --------
        >>> third, text = Rounded.of("x", 1 / 3), Rounded.of("x", "0.3333333333333333")
        >>> third.low < Fraction(1, 3) < third.high, text.low == text.high < Fraction(1, 3)
        (True, True)
        """
        if isinstance(x, Exact):
            return cls(x, x)
        try:
            if not isinstance(x, float | np.floating):
                return cls(fraction(x), fraction(x))
            size: Any = abs(x)
            numbers = size, np.nextafter(size, -np.inf), np.spacing(size)
            middle, below, unit = (Fraction(*number.as_integer_ratio()) for number in numbers)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(f'{name} must be a number, or a string such as "1/4", got {x!r}') from None
        ends = (middle + below) / 2, middle + unit / 2
        if x < 0:
            ends = -ends[1], -ends[0]
        return cls(*ends, closed=(middle / unit).numerator % 2 == 0)

    @property
    def relation(self) -> str:
        """Return the relation between a number of the interval and its upper end: "<=" or "<"."""
        return "<=" if self.closed else "<"


def lowest_terms(numerators: np.ndarray, denominators: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Divide numerators and denominators by their greatest common divisors. 0 becomes 0/1, and 0/0 stays.

    >>> lowest_terms(np.array([0, 2, 3, 0]), np.array([4, 4, 5, 0]))
    (array([0, 1, 3, 0]), array([1, 2, 5, 0]))
    """
    common = np.maximum(np.gcd(numerators, denominators), 1)
    return numerators // common, denominators // common


def sum_in_words(products: Iterable[tuple[str, bool]]) -> str:
    """Return the text of a sum. ``products`` has the text of each term and whether it is subtracted.

    >>> sum_in_words([("2", True), ("sqrt(3)", False)]), sum_in_words([])
    ('-2 + sqrt(3)', '0')
    """
    words = ""
    for text, is_negative in products:
        if words:
            words += " - " if is_negative else " + "
        elif is_negative:
            words = "-"
        words += text
    return words or "0"
