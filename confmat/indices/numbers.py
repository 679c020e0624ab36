"""The one JSON shape of a number, and the order of exact numbers that are not rational."""

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from numbers import Rational

# Exact values longer than this many characters are left out of JSON.
_LONGEST_EXACT = 60


def number_json(x: Fraction | float | int) -> dict[str, str | float | None]:
    """The JSON shape of a number: ``{"exact": "p/q" or null, "value": float}``; null where it is irrational.

    >>> number_json(Fraction(1, 4))
    {'exact': '1/4', 'value': 0.25}
    >>> number_json(0.5)
    {'exact': None, 'value': 0.5}
    """
    exact = str(x) if isinstance(x, Rational) else None
    return {"exact": exact if exact is None or len(exact) <= _LONGEST_EXACT else None, "value": float(x)}


class Ordered(ABC):
    """The four relations of order, by what ``_compared`` says of one of them and another number."""

    @abstractmethod
    def _compared(self, relation: Callable[[float, float], bool], other: object) -> bool:
        """Whether the relation holds of a number and another; NotImplemented for what is no number."""

    def __lt__(self, other: object) -> bool:
        return self._compared(operator.lt, other)

    def __le__(self, other: object) -> bool:
        return self._compared(operator.le, other)

    def __gt__(self, other: object) -> bool:
        return self._compared(operator.gt, other)

    def __ge__(self, other: object) -> bool:
        return self._compared(operator.ge, other)
