"""The misclassification error distance of members of a class: what is asked for, what is possible, what they have."""

from __future__ import annotations

from confmat.classes import MatrixClass
from confmat.statistics.conditions import AnyCondition, as_condition


def unmatched(matrices: MatrixClass, given: AnyCondition) -> int:
    """The number of unmatched points m that ``given``, "med=m/n", asks for.

    Raises ValueError for any other condition, or a value that is not a multiple of 1/n in [0, 1].

    >>> from confmat.classes import Tables
    >>> unmatched(Tables(20, 3, 3), "med=4/20")
    4
    """
    condition = as_condition(given, "given")
    value, n = condition.value_of("med", matrices), matrices.n
    if value is None:
        raise ValueError(f"given must be a value of the MED, such as med=4/20, to draw from, got {condition}")
    if (value * max(n, 1)).denominator != 1 or not 0 <= value <= 1:
        raise ValueError(
            f"given must have a MED that is a multiple of 1/{n} between 0 and 1, got {condition}"
        )
    return int(value * n)


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
