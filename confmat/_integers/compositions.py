"""Compositions and partitions of an integer, and the possible margins of a class of matrices.

A `Side` is the set of row sums, or of column sums, that a class admits: fixed sums, or any sums with a given total.
A class that is defined by its margins alone has one `Side` for its rows and one for its columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import ceil, comb, factorial, prod

import numpy as np

Composition = tuple[int, ...]


def compositions_count(total: int, parts: int) -> int:
    """Return the number of sequences of ``parts`` non-negative integers with sum ``total``, 0 if ``total`` < 0.

    >>> compositions_count(20, 9)
    3108105
    >>> compositions_count(0, 0), compositions_count(-1, 0), compositions_count(-1, 3)
    (1, 0, 0)
    """
    if total < 0:
        return 0
    return comb(total + parts - 1, parts - 1) if parts else int(total == 0)


def bounded_compositions(total: int, caps: Composition) -> Iterator[Composition]:
    """Yield the integer sequences x with 0 <= x_j <= ``caps[j]`` and sum ``total``, in lexicographic order.

    >>> list(bounded_compositions(2, (1, 2)))
    [(0, 2), (1, 1)]
    """
    if len(caps) <= 1:
        if 0 <= total <= sum(caps):
            yield (total,) * len(caps)
        return
    for first_cell in range(max(0, total - sum(caps[1:])), min(total, caps[0]) + 1):
        for rest in bounded_compositions(total - first_cell, caps[1:]):
            yield (first_cell, *rest)


def bounded_compositions_count(total: int, caps: Composition) -> int:
    """Return the number of sequences that `bounded_compositions` yields, 0 if ``total`` or a cap is negative.

    The method is inclusion and exclusion over the caps that are exceeded. For s caps there are at most min(2^s,
    total + 1) terms, since equal terms are merged.

    >>> bounded_compositions_count(2, (1, 2))
    2
    >>> bounded_compositions_count(10**9, (10**9, 10**9, 10**9))
    500000001500000001
    """
    if any(cap < 0 for cap in caps):
        return 0
    signs = Counter({0: 1})  # the polynomial prod(1 - z^(cap + 1)), up to z^total
    for cap in caps:
        with_cap_exceeded = {excess + cap + 1: sign for excess, sign in signs.items() if excess + cap < total}
        signs.subtract(with_cap_exceeded)
    return sum(sign * compositions_count(total - excess, len(caps)) for excess, sign in signs.items())


def tables_at_most(rows: Composition, cols: Composition) -> int:
    """Return an upper bound of the number of tables with the given row sums and column sums.

    It is the smaller of two products: the ways to fill all rows but one, and the ways to fill all columns but the
    last. Each row or column is filled without regard to the others.

    >>> tables_at_most((1, 2), (2, 1)), tables_at_most((5, 5, 5), (1, 1, 13))
    (2, 9)
    """
    r = len(rows)
    s = len(cols)
    by_rows = [comb(a + s - 1, a) for a in rows]
    by_cols = [comb(c + r - 1, c) for c in cols[:-1]]
    all_rows_but_one = prod(by_rows) // max(by_rows)
    return min(all_rows_but_one, prod(by_cols))


def partitions(
    n: int, parts: int, *, minimum: int = 1, largest: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of ``n`` into exactly ``parts`` integers from ``minimum`` (0 or 1) to ``largest``.

    The integers of a partition decrease. Partitions come in lexicographically decreasing order. Default of
    ``largest``: no upper limit.

    >>> list(partitions(5, 3))
    [(3, 1, 1), (2, 2, 1)]
    >>> list(partitions(2, 2, minimum=0))
    [(2, 0), (1, 1)]
    """
    if n == 0 or parts == 0:
        if n == minimum * parts:
            yield (0,) * parts
        return
    if largest is None:
        largest = n
    smallest = max(minimum, -(-n // parts))  # the first part is at least the mean
    for first_part in range(min(largest, n - minimum * (parts - 1)), smallest - 1, -1):
        for rest in partitions(n - first_part, parts - 1, minimum=minimum, largest=first_part):
            yield (first_part, *rest)


@lru_cache(16)
def set_partitions(n: int) -> tuple[tuple[int, ...], ...]:
    """Return all partitions of n objects into clusters, as labels numbered by first appearance.

    Their numbers are the Bell numbers 1, 2, 5, 15, 52, 203, ...

    >>> set_partitions(3)
    ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))
    >>> [len(set_partitions(n)) for n in range(1, 7)]
    [1, 2, 5, 15, 52, 203]
    """
    labelings: list[tuple[int, ...]] = [()]
    for _ in range(n):
        labelings = [(*labels, k) for labels in labelings for k in range(max(labels, default=-1) + 2)]
    return tuple(labelings)


@lru_cache(maxsize=256)
def ways_to_add_up(total: int, lengths: Sequence[int]) -> int:
    """Return the number of multisets of elements of ``lengths`` whose sum is ``total``.

    Two equal lengths count as two different elements.

    >>> ways_to_add_up(4, (2, 2, 3))
    3
    """
    ways = [1] + [0] * total
    for length in lengths:
        for x in range(length, total + 1):
            ways[x] += ways[x - length]
    return ways[total]


def arrangements(sizes: Iterable[int]) -> int:
    """Return the multinomial coefficient of ``sizes``: the number of sequences with ``sizes[k]`` labels k for each k.

    >>> arrangements((2, 1, 1))
    12
    """
    counts = list(sizes)
    return factorial(sum(counts)) // prod(map(factorial, counts))


def orders_of_equal(labels: Iterable[int]) -> int:
    """Return the number of permutations of positions that leave a sequence of labels unchanged.

    >>> orders_of_equal((5, 3, 5, 5))
    6
    """
    return prod(map(factorial, Counter(labels).values()))


def distinct_orderings(parts: tuple[int, ...]) -> int:
    """Return the number of different orderings of the sequence ``parts``.

    >>> distinct_orderings((2, 2, 1))
    3
    """
    return arrangements(Counter(parts).values())


@lru_cache(maxsize=100_000)
def surjections(n: int, parts: int) -> int:
    """Return the number of labelings of ``n`` objects that use all ``parts`` labels: parts! S(n, parts).

    >>> [surjections(5, k) for k in range(7)], surjections(0, 0)
    ([0, 1, 30, 150, 240, 120, 0], 1)
    """
    return sum((-1) ** k * comb(parts, k) * (parts - k) ** n for k in range(parts + 1))


def cycle_types(lines: int) -> Iterator[tuple[Composition, int]]:
    """Yield each cycle type of permutations of ``lines`` items, with its number of permutations.

    A cycle type is a decreasing tuple of the lengths of the cycles.

    >>> list(cycle_types(3))
    [((3,), 2), ((2, 1), 3), ((1, 1, 1), 1)]
    """
    for parts in range(1, lines + 1):
        for lengths in partitions(lines, parts):
            yield lengths, factorial(lines) // (prod(lengths) * orders_of_equal(lengths))


# The bound on the number of partitions does not grow with more parts than this.
_MOST_PARTS = 100

# Limits of additions and of rows for an exact count of partitions. (12!)^2 orders of two margins fit in 64 bits.
_AT_ONCE, _COUNTED_LINES = 10**5, 12


@dataclass(frozen=True)
class Side:
    """Set of possible row sums of a class of matrices, or of its column sums.

    The class has the total ``n`` and ``lines`` rows (or columns). If ``sums`` is None, all sequences of sums of at
    least ``minimum`` (0 or 1) are possible. Otherwise the only possible row sums are ``sums``. In the docstrings of
    the methods, "rows" stands for rows or columns.
    """

    n: int
    lines: int
    sums: Composition | None = None
    minimum: int = 0

    @property
    def labels(self) -> Composition:
        """Return a label for each row. Rows with equal labels may be exchanged without leaving the class."""
        return self.sums or (0,) * self.lines

    @property
    def exchangeable(self) -> bool:
        """Return whether every permutation of the rows leaves the set of possible sums unchanged."""
        return self.sums is None or len(set(self.sums)) <= 1

    @property
    def asks_for_points(self) -> bool:
        """Return whether the only condition is that each sum is at least 1 (no empty row)."""
        return self.sums is None and self.minimum > 0

    @property
    def may_be_empty(self) -> bool:
        """Return whether some row may have the sum 0.

        >>> Side(3, 2).may_be_empty, Side(3, 1).may_be_empty, Side(3, 2, sums=(3, 0)).may_be_empty
        (True, False, True)
        """
        if self.sums is not None:
            return 0 in self.sums
        return not self.minimum and (self.lines > 1 or not self.n)

    def admits(self, sums: Composition) -> bool:
        """Return whether ``sums`` are possible row sums, in this order.

        >>> Side(3, 2, minimum=1).admits((3, 0)), Side(3, 2, sums=(2, 1)).admits((1, 2))
        (False, False)
        """
        if self.sums is not None:
            return sums == self.sums
        return sum(sums) == self.n and min(sums) >= self.minimum

    def bounds(self) -> np.ndarray:
        """Return the smallest and the largest possible sum of each row, as an array of shape (2, ``lines``).

        >>> Side(3, 2, minimum=1).bounds().tolist()
        [[1, 1], [3, 3]]
        """
        least_sums = self.sums or [self.minimum] * self.lines
        largest_sums = self.sums or [self.n] * self.lines
        return np.array([least_sums, largest_sums], np.int64)

    def sorted(self) -> Iterator[tuple[Composition, int]]:
        """Yield each possible multiset of sums, in decreasing order, with its number of orderings.

        The number is 1 if the sums are fixed.

        >>> list(Side(3, 2).sorted()), list(Side(3, 2, sums=(1, 2)).sorted())
        ([((3, 0), 2), ((2, 1), 2)], [((2, 1), 1)])
        """
        if self.sums is not None:
            yield tuple(sorted(self.sums, reverse=True)), 1
            return
        for sums in partitions(self.n, self.lines, minimum=self.minimum):
            yield sums, distinct_orderings(sums)

    def every(self) -> Iterator[tuple[Composition, int]]:
        """Yield all possible sequences of sums, each with the multiplicity 1.

        >>> list(Side(3, 2, minimum=1).every())
        [((2, 1), 1), ((1, 2), 1)]
        """
        if self.sums is not None:
            yield self.sums, 1
            return
        for sums, _ in self.sorted():
            for ordered_sums in sorted(set(permutations(sums)), reverse=True):
                yield ordered_sums, 1

    def count(self) -> int:
        """Return the number of possible sums up to their order, in O(``n`` ``lines``) additions.

        >>> Side(100, 4, minimum=1).count(), Side(3, 4, minimum=1).count()
        (7153, 0)
        """
        if self.sums is not None:
            return 1
        points_left = self.n - self.minimum * self.lines
        if points_left < 0:
            return 0
        # By conjugation, partitions into at most k parts are as many as partitions into parts of size at most k.
        return ways_to_add_up(points_left, range(1, self.lines + 1))

    def bound(self) -> int:
        """Return an upper bound of `count`, equal to it if counting takes little time.

        Otherwise the bound is C(n + k(k+1)/2 - 1, k - 1)/k! for k rows.

        >>> Side(100, 4).bound(), Side(10**9, 4).bound(), Side(30, 8, minimum=1).bound()
        (8037, 6944444611111112437500004, 638)
        """
        parts = max(1, min(self.lines, self.n, _MOST_PARTS))
        is_soon_counted = self.lines <= _COUNTED_LINES and self.n * parts <= _AT_ONCE
        if self.sums is not None or is_soon_counted:
            return self.count()
        points = self.n + parts * (parts + 1) // 2
        return ceil(
            Fraction(
                comb(points - 1, parts - 1),
                factorial(parts),
            )
        )
