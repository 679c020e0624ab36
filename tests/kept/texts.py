"""Text of an answer: the same for every type that holds the number, short, and independent of the package."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral
from typing import Any

LONGEST = 48
"""Characters of an answer that is stored as it is. Of longer ones the digest is stored."""


def text(value: Any) -> str:
    """Return a number, an array or a nested sequence as text; floats have ten digits.

    >>> text(Fraction(2, 4)), text(0.1 + 0.2), text([[1, Fraction(3, 1)], None])
    ('1/2', '~0.3', '[[1,3],none]')
    """
    if value is None or isinstance(value, str):
        return "none" if value is None else value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Fraction | Integral):
        return str(value)
    if isinstance(value, Iterable):
        return f"[{','.join(map(text, value))}]"
    number = float(value)
    if number != number:
        return "nan"
    return f"~{number + 0.0:.10g}" if abs(number) > 1e-13 else "~0"


def stored(value: Any) -> str:
    """Return the text of an answer, or its digest if it is long.

    >>> stored([1, 2]), stored(range(100))
    ('[1,2]', '#9dd50adbd73bc58b')
    """
    answer = text(value)
    if len(answer) > LONGEST:
        answer = f"#{hashlib.sha256(answer.encode()).hexdigest()[:16]}"
    return answer
