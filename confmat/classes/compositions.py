"""Sequences of non-negative integers with a given sum: the rows of matrices."""

from collections import Counter
from collections.abc import Iterator
from math import comb

Row = tuple[int, ...]


def compositions_count(total: int, parts: int) -> int:
    """Number of sequences of ``parts`` non-negative integers with sum ``total``; 0 when ``total`` < 0.

    >>> compositions_count(20, 9)
    3108105
    >>> compositions_count(0, 0)
    1
    """
    if total < 0:
        return 0
    return comb(total + parts - 1, parts - 1) if parts else int(total == 0)


def bounded_compositions(total: int, caps: Row) -> Iterator[Row]:
    """Yield the sequences x with 0 <= x_j <= caps_j and sum ``total``, in lexicographic order.

    >>> list(bounded_compositions(2, (1, 2)))
    [(0, 2), (1, 1)]
    """
    if len(caps) <= 1:
        if 0 <= total <= sum(caps):
            yield (total,) * len(caps)
        return
    for first in range(max(0, total - sum(caps[1:])), min(total, caps[0]) + 1):
        for rest in bounded_compositions(total - first, caps[1:]):
            yield (first, *rest)


def bounded_compositions_count(total: int, caps: Row) -> int:
    """Number of sequences that ``bounded_compositions`` yields; 0 when ``total`` or a cap is negative.

    Inclusion-exclusion over the exceeded caps, equal excesses merged: at most min(2^s, total + 1) terms.

    >>> bounded_compositions_count(2, (1, 2))
    2
    >>> bounded_compositions_count(10**9, (10**9, 10**9, 10**9))
    500000001500000001
    """
    if any(cap < 0 for cap in caps):
        return 0
    signs = Counter({0: 1})  # the polynomial prod(1 - z^(cap + 1)), up to z^total
    for cap in caps:
        exceeded = {excess + cap + 1: sign for excess, sign in signs.items() if excess + cap < total}
        signs.subtract(exceeded)
    return sum(sign * compositions_count(total - excess, len(caps)) for excess, sign in signs.items())
