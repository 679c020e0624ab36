"""Exact arithmetic on arrays: whole numbers that never overflow, and ratios of them that compare exactly."""

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
    """A sum with a square root, which is neither a ratio nor the root of one."""


class Whole:
    """An array of whole numbers, in 64 bits as long as all that could come of them fits, else of Python's ints.

    ``bound``: what no absolute value exceeds; ``divisor``: what divides them all.  Takes +, -, *, // by a number that
    is not 0 and comparisons with its like and with ints, so that a formula of n, m, A, B and P can be computed; NumPy's
    functions refuse it.

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
            raise TypeError(f"values must be whole numbers, got {self.values.dtype}")
        if bound is None:
            self.bound = largest_size(self.values)
        else:
            self.bound = bound
        fits = self.bound <= _LARGEST
        if (self.values.dtype != np.int64) if fits else (self.values.dtype != object):
            self.values = self.values.astype(np.int64 if fits else object)

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise TypeError("exact whole numbers take +, -, * and // only")

    def _computed(
        self, compute: Callable[[Any, Any], Any], bound: Callable[[int, int], int], other: Any
    ) -> Whole:
        """``compute`` of these and other numbers; ``bound``: of their bounds, what bounds the result."""
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
        """Where "=", "!=", "<", "<=", ">" or ">=" is true.

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
        """These numbers where a condition holds, another one elsewhere.

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
    """Whole numbers as they are, one as an array; TypeError for anything else.

    >>> as_whole(np.int64(3)).values
    array(3)
    """
    return numbers if isinstance(numbers, Whole) else Whole(operator.index(numbers))


def _sign(numbers: Whole) -> Whole:
    return Whole(np.sign(numbers.values), 1)


def largest_size(values: np.ndarray) -> int:
    return max(abs(int(values.max())), abs(int(values.min()))) if values.size else 0


@dataclass(frozen=True)
class Ratio:
    """numerator/denominator, or with ``root`` the number of the same sign whose square is its absolute value.

    So sqrt(2) is 2 with ``root``, -sqrt(2) is -2: products and comparisons of square roots stay exact.  Where
    ``defined`` is False there is no number, and no comparison is true.  Denominators are positive.
    """

    numerator: Whole
    denominator: Whole
    defined: Any = np.True_
    root: bool = False

    @classmethod
    def of(
        cls, numerator: Any, denominator: Any, undefined: Fraction | None = None, root: bool = False
    ) -> Ratio:
        """The quotient of whole numbers or arrays of them, ``undefined`` (None: no number) where it is 0/0.

        ValueError for any other number over 0.

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
            raise ValueError("a formula must not divide a number other than 0 by 0")
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
        """The same numbers as signed squares."""
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
        """Where a comparison is true of numbers that are defined.

        >>> root = Ratio.of(Whole(np.array([1, 2])), 2, root=True)
        >>> root.compared(">", Ratio.of(7, 10))  # sqrt(1/2) and 1
        array([ True,  True])
        """
        x, y = self._alike(other)
        true = (x.numerator * y.denominator).compared(relation, y.numerator * x.denominator)
        return true & x.defined & y.defined
