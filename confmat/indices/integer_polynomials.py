"""Polynomials with integer coefficients, and the integers at which they are not negative.

A polynomial is the list of its coefficients, the constant first: 2 + 3x is [2, 3].
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import comb

Polynomial = Sequence[int]
Intervals = list[tuple[int, int]]  # with both ends


def evaluate(p: Polynomial, x: int) -> int:
    """Return p(x).

    >>> evaluate([2, 3], 10)
    32
    """
    value = 0
    for coefficient in reversed(p):
        value = value * x + coefficient
    return value


def difference(p: Polynomial) -> list[int]:
    """Return the polynomial p(x + 1) - p(x).

    >>> difference([0, 0, 1])
    [1, 2]
    """
    steps = [0] * (len(p) - 1)
    for power, coefficient in enumerate(p):
        for lower in range(power):
            steps[lower] += coefficient * comb(power, lower)
    return steps


def nonnegative(p: Polynomial, start: int, stop: int) -> Intervals:
    """Return the integers x from ``start`` to ``stop`` with p(x) >= 0, as a list of intervals.

    Intervals may have an end in common. Between neighbouring sign changes of p(x + 1) - p(x), p is monotone, and
    bisection finds a sign change of p.

    >>> nonnegative([-10, 0, 1], -100, 100)
    [(-100, -4), (4, 100)]
    """
    if start > stop:
        return []
    if len(p) == 1:
        if p[0] >= 0:
            return [(start, stop)]
        return []
    if start == stop:
        if evaluate(p, start) >= 0:
            return [(start, start)]
        return []
    corners = {start, stop}
    for begin, end in nonnegative(difference(p), start, stop - 1):
        corners |= {begin, end + 1}
    intervals = []
    for begin, end in pairwise(sorted(corners)):
        if evaluate(p, begin) >= 0:
            intervals.append((begin, _last_before_change(p, begin, end)))
        elif evaluate(p, end) >= 0:
            intervals.append((_last_before_change(p, end, begin), end))
    return intervals


def _last_before_change(p: Polynomial, place: int, end: int) -> int:
    """Return the integer nearest to ``end`` with p >= 0, among the integers from ``place`` to ``end``.

    p must be >= 0 at ``place`` and change its sign at most once between both. ``end`` may be smaller than
    ``place``.

    >>> _last_before_change([10, 0, -1], 0, 100), _last_before_change([10, 0, -1], 0, 2)
    (3, 2)
    """
    if evaluate(p, end) >= 0:
        return end
    place_outside = end
    while abs(place - place_outside) > 1:
        middle = (place + place_outside) // 2
        if evaluate(p, middle) >= 0:
            place = middle
        else:
            place_outside = middle
    return place


def shared(*families: Intervals) -> Intervals:
    """Return the integers that lie in at least one interval of each list of intervals, as intervals.

    >>> shared([(0, 10)], [(2, 3), (9, 20)])
    [(2, 3), (9, 10)]
    """
    common, *more_families = families
    for intervals in more_families:
        pieces = [(max(a, c), min(b, d)) for (a, b), (c, d) in product(common, intervals)]
        common = [(begin, end) for begin, end in pieces if begin <= end]
    return common


def elements(intervals: Intervals) -> Iterator[int]:
    """Yield all integers in the intervals once, in increasing order.

    >>> list(elements([(1, 3), (3, 4)]))
    [1, 2, 3, 4]
    """
    following = None  # the integer after those that were given
    for begin, end in sorted(intervals):
        if following is None:
            start = begin
        else:
            start = max(begin, following)
        yield from range(start, end + 1)
        following = max(start, end + 1)
