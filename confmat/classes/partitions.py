"""Partitions of an integer: the sorted margins that index margin classes."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import factorial, prod


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
