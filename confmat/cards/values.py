"""Values of indices and probabilities in writing."""

from fractions import Fraction
from math import floor, log10
from typing import Any

from confmat.indices.classification.roots import RootSum
from confmat.indices.logarithms import LogRatio
from confmat.indices.numbers import number_json

Value = Fraction | RootSum | LogRatio | float | None

LONGEST_SHOWN = 40

# Beyond these there is no place among other tables: a draw would take too long, or too much room.
MOST_CELLS = 2500
LARGEST_N = 10**8


def exact_text(value: Value) -> str:
    """The exact value in writing: a fraction, a root of one; nothing for a float.

    >>> exact_text(Fraction(1, 4)), exact_text(RootSum.sqrt(Fraction(1, 8))), exact_text(0.25), exact_text(None)
    ('1/4', 'sqrt(1/8)', '', '0/0')
    """
    if value is None:
        return "0/0"
    if isinstance(value, RootSum):
        return f"sqrt({(value**2).rational})"
    return "" if isinstance(value, float) else str(value)


def shown(value: Value) -> str:
    """The exact value, where it is short, and the decimal one.

    >>> shown(Fraction(1, 4)), shown(Fraction(2)), shown(None)
    ('1/4 = 0.25', '2', '0/0')
    """
    if value is None:
        return "0/0"
    exact, decimal = exact_text(value), f"{float(value):.7g}"
    if not exact or len(exact) > LONGEST_SHOWN:
        return decimal
    return exact if exact == decimal else f"{exact} = {decimal}"


def value_json(value: Value) -> dict[str, Any]:
    """``{"exact": "p/q" or None, "value": float or None}``.

    >>> value_json(Fraction(1, 4)), value_json(None)
    ({'exact': '1/4', 'value': 0.25}, {'exact': None, 'value': None})
    """
    if value is None:
        return {"exact": None, "value": None}
    return number_json(float(value) if isinstance(value, RootSum | LogRatio) else value)


def probability_text(p: Fraction | float) -> str:
    """A probability in three digits; below 1/1000 as a power of ten, however small a fraction it is.

    >>> probability_text(Fraction(1, 3)), probability_text(0.0), probability_text(Fraction(1, 2**2000))
    ('0.333', '0', '8.71·10^-603')
    """
    if not p or p >= Fraction(1, 1000):
        return f"{float(p):.3g}"
    exact = Fraction(p)
    exponent = len(str(exact.numerator)) - len(str(exact.denominator))
    # The quotient of the leading digits is between 1/10 and 10.
    scaled = float(exact / Fraction(10) ** exponent)
    return power_text(exponent + log10(scaled))


def power_text(exponent: float) -> str:
    """10 to a power, in three digits.

    >>> power_text(-1324.98)
    '1.05·10^-1325'
    """
    whole = floor(exponent)
    digits = f"{10 ** (exponent - whole):.2f}"
    return f"1.00·10^{whole + 1}" if digits == "10.00" else f"{digits}·10^{whole}"
