"""Treatment of indices that are 0/0.

If a normalised distance is 0/0, the two partitions are equal, the distance is 0 and its index is 1. These cases are
handled elsewhere. For every other 0/0 the argument ``undefined`` specifies the result: "raise", "nan", a number, or
"warn". The last is the convention of scikit-learn: 0 with an `UndefinedIndexWarning`.
"""

import inspect
import math
import warnings
from fractions import Fraction
from numbers import Real
from typing import Any

from confmat._arguments import as_fraction
from confmat.errors import UndefinedIndexError, UndefinedIndexWarning

Undefined = str | float | Fraction


def check_undefined(undefined: Undefined) -> Undefined:
    """Validate the ``undefined`` argument: "raise", "warn", "nan" or a real number.

    >>> check_undefined("nan")
    'nan'
    >>> check_undefined("zero")
    Traceback (most recent call last):
    ...
    ValueError: undefined must be "raise", "warn", "nan" or a number, got 'zero'
    """
    if undefined in ("raise", "warn", "nan") or (
        isinstance(undefined, Real) and not isinstance(undefined, bool)
    ):
        return undefined
    raise ValueError(f'undefined must be "raise", "warn", "nan" or a number, got {undefined!r}')


def undefined_value(undefined: Undefined, index: str, reason: str) -> Fraction | float:
    """Return the value of an index that is 0/0: nan, 0 with a warning, or the number ``undefined``.

    A finite number is returned as a Fraction. Raise UndefinedIndexError if ``undefined`` is "raise".

    >>> undefined_value(0, "wallace", "no pair lies together")
    Fraction(0, 1)
    """
    undefined = check_undefined(undefined)
    if undefined == "raise":
        raise UndefinedIndexError(f"{index} is 0/0 here: {reason}")
    if undefined == "nan":
        return math.nan
    if undefined == "warn":
        warnings.warn(
            f"{index} is 0/0 here, 0 is returned: {reason}",
            UndefinedIndexWarning,
            stacklevel=1 + _frames_inside(),
        )
    number: Any = 0 if undefined == "warn" else undefined
    if math.isfinite(number):
        return as_fraction("undefined", number)
    return float(number)


def _frames_inside() -> int:
    """Return the number of innermost stack frames inside the package. A warning then refers to a line of the user."""
    frame = inspect.currentframe()
    count = -1
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "confmat":
        frame = frame.f_back
        count = count + 1
    return count
