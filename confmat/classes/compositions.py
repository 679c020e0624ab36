"""Sequences of non-negative integers with a given sum: the rows of matrices.

Partitions of an integer: the sorted margins that index margin classes.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import comb, factorial, prod

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


def partitions(n: int, parts: int, *, minimum: int = 1) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of ``n`` into exactly ``parts`` parts of size >= ``minimum`` (0 or 1).

    Parts decrease inside a partition; partitions come in lexicographically decreasing order.

    >>> list(partitions(5, 3))
    [(3, 1, 1), (2, 2, 1)]
    >>> list(partitions(2, 2, minimum=0))
    [(2, 0), (1, 1)]
    """
    yield from _bounded_partitions(n, parts, minimum, n)


def _bounded_partitions(n: int, parts: int, minimum: int, largest: int) -> Iterator[tuple[int, ...]]:
    if parts == 0:
        if n == 0:
            yield ()
        return
    smallest = max(minimum, -(-n // parts))  # the first part is at least the mean
    for first in range(min(largest, n - minimum * (parts - 1)), smallest - 1, -1):
        for rest in _bounded_partitions(n - first, parts - 1, minimum, first):
            yield (first, *rest)


@lru_cache(maxsize=256)
def partitions_count(n: int, parts: int, *, minimum: int = 1) -> int:
    """Number of partitions of ``n`` into exactly ``parts`` parts of size >= ``minimum`` (0 or 1).

    Taking one point from every part leaves at most ``parts`` parts; by conjugation, parts of size <= ``parts``.
    O(n parts) additions.

    >>> partitions_count(5, 3), partitions_count(100, 4)
    (2, 7153)
    """
    left = n - minimum * parts
    if left < 0:
        return 0
    ways = [1] + [0] * left
    for size in range(1, parts + 1):
        for total in range(size, left + 1):
            ways[total] += ways[total - size]
    return ways[left]


def distinct_orderings(parts: tuple[int, ...]) -> int:
    """Number of different sequences that sort to ``parts`` (a multinomial coefficient).

    >>> distinct_orderings((2, 2, 1))
    3
    """
    return factorial(len(parts)) // prod(map(factorial, Counter(parts).values()))
