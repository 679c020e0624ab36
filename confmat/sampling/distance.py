"""The misclassification error distance of members of a class: what is asked for, what is possible, what they have."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from confmat.classes import MatrixClass


def as_distance(matrices: MatrixClass, given: Mapping[str, Any]) -> int:
    """The number of unmatched points m that ``given={"med": m/n}`` asks for.

    Raises ValueError for another statistic, or a value that is not a multiple of 1/n in [0, 1].

    >>> from confmat.classes import Tables
    >>> as_distance(Tables(20, 3, 3), {"med": Fraction(1, 5)})
    4
    """
    if set(given) != {"med"}:
        raise ValueError(f'given must be {{"med": value}}, got {dict(given)!r}')
    value = given["med"]
    n = matrices.n
    try:
        m = Fraction(value) * max(n, 1)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f'given["med"] must be a number such as Fraction(4, 20), got {value!r}') from None
    if isinstance(value, float) and abs(m - round(m)) < Fraction(n, 10**12):
        m = Fraction(round(m))
    if m.denominator != 1 or not 0 <= m <= n:
        raise ValueError(f'given["med"] must be a multiple of 1/{n} between 0 and 1, got {value}')
    return int(m)


def check_distance(matrices: MatrixClass, m: int) -> None:
    """Raise ValueError when no member has MED = m/n.

    >>> from confmat.classes import Tables
    >>> check_distance(Tables(4, 2, 2), 2)
    >>> check_distance(Tables(4, 2, 2), 3)
    Traceback (most recent call last):
    ...
    ValueError: no member of Tables(n=4, r=2, s=2, empty=False) has MED = 3/4
    """
    from confmat.indices.extremes import max_med

    n, (r, s) = matrices.n, sorted(matrices.shape)
    least = 0 if matrices.may_be_empty else s - r  # a column without partner holds a point
    if not matrices.count() or not least <= m <= max_med(n, r, s, empty=matrices.may_be_empty) * n:
        raise no_member(matrices, m)


def no_member(matrices: MatrixClass, m: int) -> ValueError:
    """The error of a class in which nothing has MED = m/n.

    >>> from confmat.classes import Tables
    >>> str(no_member(Tables(4, 2, 2), 3))
    'no member of Tables(n=4, r=2, s=2, empty=False) has MED = 3/4'
    """
    return ValueError(f"no member of {matrices!r} has MED = {m}/{matrices.n}")
