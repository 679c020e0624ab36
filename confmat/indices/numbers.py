"""The one JSON shape of a number."""

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
