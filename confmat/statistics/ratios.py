"""Exact arithmetic on arrays: integers that never overflow, and ratios of them that compare exactly."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partialmethod
from math import gcd
from typing import Any

import numpy as np

_LARGEST = 2**63 - 1


class IrrationalSum(ArithmeticError):
    """Error for a formula with square roots or logarithms that `Ratio` cannot represent, such as sqrt(2) + 1."""


class Whole:
    """Array of integers that never overflow: int64 if all possible results fit, otherwise Python ints.

    ``bound`` is an upper bound of the absolute values, ``divisor`` a common divisor. The operators +, -, *,
    comparisons (also with ints) and // by a positive int are supported. Formulas in n, m, A, B and P can therefore
    be evaluated for such arrays. NumPy functions are not supported.

    >>> large = Whole(np.array([2**40, 3])) * 2**40
    >>> large.values, large.values.dtype
    (array([1208925819614629174706176, 3298534883328], dtype=object), dtype('O'))
    >>> ((Whole(np.array([3, 5])) - 1) * 6 + 4).divisor
    2
    """

    __array_ufunc__ = None

    def __init__(self, values: Any, bound: int | None = None, divisor: int = 1) -> None:
        self.values = np.asarray(values, object if isinstance(values, int) else None)
        if isinstance(values, int):
            self.divisor = abs(values)
        else:
            self.divisor = divisor
        if self.values.dtype.kind not in "iubO":
            raise TypeError(f"values must be integers, got {self.values.dtype}")
        if bound is None:
            self.bound = largest_size(self.values)
        else:
            self.bound = bound
        fits = self.bound <= _LARGEST
        if (self.values.dtype != np.int64) if fits else (self.values.dtype != object):
            self.values = self.values.astype(np.int64 if fits else object)

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise TypeError(
            "a formula must use only +, -, * and // on its arguments m, A, B and P, got another operation"
        )

    def _computed(
        self, compute: Callable[[Any, Any], Any], bound: Callable[[int, int], int], other: Any
    ) -> Whole:
        """Return the result of an operator ``compute`` on this array and ``other``.

        ``bound`` is a function of the bounds of both operands that returns a bound of the result.
        """
        other = as_whole(other)
        most = bound(self.bound, other.bound)
        if most > _LARGEST:  # by a bound that may be far too large
            most = bound(largest_size(self.values), largest_size(other.values))
        kind = np.int64 if max(most, self.bound, other.bound) <= _LARGEST else object
        if bound is operator.mul:
            common = operator.mul
        else:
            common = gcd
        own = self.values.astype(kind, copy=False)
        others = other.values.astype(kind, copy=False)
        return Whole(
            compute(own, others),
            most,
            common(self.divisor, other.divisor),
        )

    __add__ = __radd__ = partialmethod(_computed, operator.add, operator.add)
    __sub__ = partialmethod(_computed, operator.sub, operator.add)
    __mul__ = __rmul__ = partialmethod(_computed, operator.mul, operator.mul)

    def __rsub__(self, other: Any) -> Whole:
        return as_whole(other) - self

    def __floordiv__(self, other: int) -> Whole:
        return Whole(self.values // operator.index(other), self.bound)

    def __neg__(self) -> Whole:
        return Whole(-self.values, self.bound, self.divisor)

    def __abs__(self) -> Whole:
        return Whole(abs(self.values), self.bound, self.divisor)

    def compared(self, relation: str, other: Whole | int) -> Any:
        """Return the elementwise truth values of the comparison of this with ``other``.

        ``relation`` is "=", "!=", "<", "<=", ">" or ">=".

        >>> Whole(np.array([1, 2])).compared("<", 2), Whole(np.array([1, 2])) * 2**70 >= 2**71
        (array([ True, False]), array([False,  True]))
        """
        other = as_whole(other)
        kind = np.int64 if max(self.bound, other.bound) <= _LARGEST else object
        own = self.values.astype(kind, copy=False)
        others = other.values.astype(kind, copy=False)
        return COMPARISONS[relation](own, others)

    __lt__ = partialmethod(compared, "<")
    __le__ = partialmethod(compared, "<=")
    __gt__ = partialmethod(compared, ">")
    __ge__ = partialmethod(compared, ">=")
    __eq__ = partialmethod(compared, "=")
    __ne__ = partialmethod(compared, "!=")
    __hash__ = None  # type: ignore[assignment]

    def where(self, condition: Any, other: int) -> Whole:
        """Return the array with ``other`` at the positions at which ``condition`` is False.

        >>> Whole(np.array([1, 2])).where(np.array([True, False]), 7).values
        array([1, 7])
        """
        values = np.where(condition, self.values, other)
        return Whole(
            values,
            max(self.bound, abs(other)),
            gcd(self.divisor, other),
        )


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def as_whole(numbers: Any) -> Whole:
    """Return ``numbers`` unchanged if it is a `Whole`, or the `Whole` of one integer. Raise TypeError otherwise.

    >>> as_whole(np.int64(3)).values
    array(3)
    """
    return numbers if isinstance(numbers, Whole) else Whole(operator.index(numbers))


def _sign(numbers: Whole) -> Whole:
    """Return the signs -1, 0, 1 of the numbers."""
    return Whole(np.sign(numbers.values), 1)


def largest_size(values: np.ndarray) -> int:
    """Return the largest absolute value in an array, 0 if it is empty."""
    return max(abs(int(values.max())), abs(int(values.min()))) if values.size else 0


@dataclass(frozen=True)
class Ratio:
    """Array of exact numbers: numerator/denominator, or signed square roots of such ratios if ``root`` is True.

    With ``root`` the ratio x represents the number sign(x) sqrt(|x|), so that products and comparisons of square
    roots are exact. Denominators are positive. At positions at which ``defined`` is False there is no number, and
    every comparison is false.
    """

    numerator: Whole
    denominator: Whole
    defined: Any = np.True_
    root: bool = False

    @classmethod
    def of(
        cls, numerator: Any, denominator: Any, undefined: Fraction | None = None, root: bool = False
    ) -> Ratio:
        """Return quotients of integers, or of arrays of integers, or their square roots if ``root`` is True.

        A quotient 0/0 is ``undefined``, or not a number if that is None. Raise ValueError for another division by
        0.

        >>> half = Ratio.of(Whole(np.array([1, 0])), Whole(np.array([2, 0])))
        >>> half.defined
        array([ True, False])
        """
        x = as_whole(numerator)
        y = as_whole(denominator)
        if np.all(y.values > 0):  # mostly
            return cls(x, y, root=root)
        nothing = y.values == 0
        if np.any(nothing & (x.values != 0)):
            raise ValueError("formula of a statistic must not divide by 0, except 0 by 0, which is undefined")
        x = x * _sign(y)
        y = abs(y).where(~nothing, 1)
        if undefined is None:
            return cls(x, y, ~nothing, root)
        p, q = undefined.as_integer_ratio()
        return cls(
            x.where(~nothing, p),
            y.where(~nothing, q),
            root=root,
        )

    def _rooted(self) -> Ratio:
        """Return the same numbers as signed square roots of quotients (``root`` is True)."""
        if self.root:
            return self
        p = self.numerator
        q = self.denominator
        return Ratio(
            p * abs(p),
            q * q,
            self.defined,
            root=True,
        )

    def _alike(self, other: Ratio) -> tuple[Ratio, Ratio]:
        """Return ``self`` and ``other`` in the same representation: both with ``root`` if one of them has it."""
        if self.root == other.root:
            return self, other
        return self._rooted(), other._rooted()

    def __add__(self, other: Ratio) -> Ratio:
        if self.root or other.root:
            raise IrrationalSum
        p = self.numerator
        q = self.denominator
        x = other.numerator
        y = other.denominator
        return Ratio(
            p * y + x * q,
            q * y,
            self.defined & other.defined,
        )

    def __neg__(self) -> Ratio:
        return Ratio(-self.numerator, self.denominator, self.defined, self.root)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + -other

    def __mul__(self, other: Ratio) -> Ratio:
        x, y = self._alike(other)
        return Ratio(
            x.numerator * y.numerator,
            x.denominator * y.denominator,
            x.defined & y.defined,
            x.root,
        )

    def __truediv__(self, other: Ratio) -> Ratio:
        p = other.numerator
        q = other.denominator
        divides = p.values != 0
        inverse = Ratio(
            q * _sign(p),
            abs(p).where(divides, 1),
            other.defined & divides,
            other.root,
        )
        return self * inverse

    def compared(self, relation: str, other: Ratio) -> Any:
        """Return the elementwise truth values of a comparison with ``other``, False for undefined numbers.

        ``relation`` is "=", "!=", "<", "<=", ">" or ">=".

        >>> root = Ratio.of(Whole(np.array([1, 2])), 2, root=True)
        >>> root.compared(">", Ratio.of(7, 10))  # sqrt(1/2) and 1
        array([ True,  True])
        """
        x, y = self._alike(other)
        true = (x.numerator * y.denominator).compared(relation, y.numerator * x.denominator)
        return true & x.defined & y.defined
