"""What exact numbers have in common that are not rational."""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partialmethod, wraps
from typing import Any, Self

import numpy as np


def of_kind(operation: Callable[[Any, Any], Any]) -> Callable[[Any, object], Any]:
    """An operation on two numbers of a kind, on one of them and any number; NotImplemented for what is no number."""

    @wraps(operation)
    def with_any(self: Exact, other: object) -> Any:
        number = self._of_number(other)
        if number is None:
            return NotImplemented
        return operation(self, number)

    return with_any


def precisions(largest_number: float = math.inf) -> Iterator[int]:
    """Numbers of binary digits, more and more, at most so many: where bounds decide a question, it ends.

    >>> [*precisions(256)]
    [64, 128, 256]
    """
    bits = 64
    while bits <= largest_number:
        yield bits
        bits *= 2


class Exact(ABC):
    """A real number that is known exactly, rational or not: what follows from its sum, its negative and its order."""

    @property
    @abstractmethod
    def rational(self) -> Fraction | None:
        """The value as a Fraction, None where it is irrational, or not known to be rational."""

    @classmethod
    @abstractmethod
    def _of_number(cls, number: object) -> Self | None:
        """A number as one of this kind; None for what is not an exact finite number."""

    @abstractmethod
    def __add__(self, operand: object) -> Self:
        """The sum with any exact number."""

    @abstractmethod
    def __neg__(self) -> Self:
        """The number of the other sign."""

    @property
    @abstractmethod
    def _nearest(self) -> float:
        """The nearest double."""

    def __float__(self) -> float:
        return self._nearest

    @abstractmethod
    def _compared(self, relation: Callable[[float, float], bool], x: Self) -> bool:
        """Whether a relation of order holds of two numbers of this kind."""

    def _is(self, relation: Callable[[float, float], bool], operand: object) -> bool:
        if operand is self:  # asked of each value, whether it is nan
            return relation(0.0, 0.0)
        if isinstance(operand, float) and not math.isfinite(operand):
            return relation(0.0, operand)  # as of any number
        number = self._of_number(operand)
        if number is None:
            return NotImplemented
        return self._compared(relation, number)

    __eq__ = partialmethod(_is, operator.eq)
    __lt__ = partialmethod(_is, operator.lt)
    __le__ = partialmethod(_is, operator.le)
    __gt__ = partialmethod(_is, operator.gt)
    __ge__ = partialmethod(_is, operator.ge)

    @of_kind
    def __sub__(self, x: Self) -> Self:
        return self + -x

    def __rsub__(self, operand: object) -> Self:
        return -self + operand

    def __abs__(self) -> Self:
        return -self if self < 0 else self

    def __hash__(self) -> int:
        return hash(float(self) if self.rational is None else self.rational)

    def __format__(self, spec: str) -> str:
        if spec:
            return format(float(self), spec)
        return str(self)


def lowest_terms(numerators: np.ndarray, denominators: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both divided by their greatest common divisor: 0 becomes 0/1, 0/0 stays.

    >>> lowest_terms(np.array([0, 2, 3, 0]), np.array([4, 4, 5, 0]))
    (array([0, 1, 3, 0]), array([1, 2, 5, 0]))
    """
    common = np.maximum(np.gcd(numerators, denominators), 1)
    return numerators // common, denominators // common


def sum_in_words(products: Iterable[tuple[str, bool]]) -> str:
    """A sum of products in writing, each with whether it is subtracted.

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
