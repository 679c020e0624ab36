"""The one policy for indices that are 0/0.

A normalised *distance* that is 0/0 has the two partitions equal, and is 0 (its index is 1); those cases never
reach this module.  Every other 0/0 follows ``undefined=``: "raise", "nan", or a number that is returned.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Real

Undefined = str | Real


class UndefinedIndexError(ZeroDivisionError):
    """The index is 0/0 for this matrix, and the caller asked for an error."""


def check_undefined(undefined: Undefined) -> Undefined:
    """Validate the ``undefined`` argument: "raise", "nan" or a real number.

    >>> check_undefined("nan")
    'nan'
    >>> check_undefined("zero")
    Traceback (most recent call last):
    ...
    ValueError: undefined must be "raise", "nan" or a number, got 'zero'
    """
    if undefined in ("raise", "nan") or (isinstance(undefined, Real) and not isinstance(undefined, bool)):
        return undefined
    raise ValueError(f'undefined must be "raise", "nan" or a number, got {undefined!r}')


def undefined_value(undefined: Undefined, index: str, reason: str, exact: bool = False) -> Fraction | float:
    """What an index answers when it is 0/0: raise, a NaN, or the caller's number (a Fraction if ``exact``).

    >>> undefined_value(0, "wallace", "no pair lies together", exact=True)
    Fraction(0, 1)
    """
    undefined = check_undefined(undefined)
    if undefined == "raise":
        raise UndefinedIndexError(f"{index} is 0/0 here: {reason}")
    if undefined == "nan":
        return math.nan
    if exact:
        return Fraction(undefined)  # type: ignore[arg-type]
    return float(undefined)
