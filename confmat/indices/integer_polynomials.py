"""Where a polynomial with integer coefficients is not negative, among the integers: exactly, by bisection.

Private.  A polynomial is the list of its coefficients, the constant first: 2 + 3x is [2, 3].
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from math import comb

Polynomial = Sequence[int]
Intervals = list[tuple[int, int]]  # with both ends


def evaluate(p: Polynomial, x: int) -> int:
    """The value at x.

    >>> evaluate([2, 3], 10)
    32
    """
    value = 0
    for coefficient in reversed(p):
        value = value * x + coefficient
    return value


def add(*polynomials: Polynomial) -> list[int]:
    """The sum.

    >>> add([1, 2], [3], [0, 0, 5])
    [4, 2, 5]
    """
    return [sum(terms) for terms in zip_longest(*polynomials, fillvalue=0)]


def multiply(p: Polynomial, q: Polynomial) -> list[int]:
    """The product.

    >>> multiply([1, 1], [1, 1])
    [1, 2, 1]
    """
    product = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            product[i + j] += a * b
    return product


def scale(factor: int, p: Polynomial) -> list[int]:
    """The polynomial times a number.

    >>> scale(3, [1, 2])
    [3, 6]
    """
    return [factor * coefficient for coefficient in p]


def difference(p: Polynomial) -> list[int]:
    """p(x + 1) - p(x), one degree less.

    >>> difference([0, 0, 1])
    [1, 2]
    """
    steps = [0] * (len(p) - 1)
    for power, coefficient in enumerate(p):
        for lower in range(power):
            steps[lower] += coefficient * comb(power, lower)
    return steps


def nonnegative(p: Polynomial, low: int, high: int) -> Intervals:
    """The integers x from ``low`` to ``high`` with p(x) >= 0, as intervals, which may share an end.

    Between neighbouring corners, where p(x + 1) - p(x) changes its sign, p rises or falls: there one bisection finds
    where it changes its own.

    >>> nonnegative([-10, 0, 1], -100, 100)
    [(-100, -4), (4, 100)]
    """
    if low > high:
        return []
    if len(p) == 1:
        return [(low, high)] if p[0] >= 0 else []
    rising = nonnegative(difference(p), low, high - 1)
    corners = sorted({low, high, *(x for first, last in rising for x in (first, last + 1))})
    if low == high:
        corners = [low, low]
    intervals = []
    for first, last in pairwise(corners):
        begins, ends = evaluate(p, first) >= 0, evaluate(p, last) >= 0
        if begins and ends:
            intervals.append((first, last))
        elif begins:
            intervals.append((first, _change(p, first, last)))
        elif ends:
            intervals.append((_change(p, last, first), last))
    return intervals


def _change(p: Polynomial, inside: int, outside: int) -> int:
    """The integer next to the change of sign between one with p >= 0 and one with p < 0, on the side of the former."""
    while abs(inside - outside) > 1:
        middle = (inside + outside) // 2
        if evaluate(p, middle) >= 0:
            inside = middle
        else:
            outside = middle
    return inside


def shared(*families: Intervals) -> Intervals:
    """The integers that are in one interval of each family.

    >>> shared([(0, 10)], [(2, 3), (9, 20)])
    [(2, 3), (9, 10)]
    """
    common, *others = families
    for intervals in others:
        pieces = [(max(a, c), min(b, d)) for a, b in common for c, d in intervals]
        common = [(first, last) for first, last in pieces if first <= last]
    return common


def elements(intervals: Intervals) -> Iterator[int]:
    """All integers in the intervals, each once, in order.

    >>> list(elements([(1, 3), (3, 4)]))
    [1, 2, 3, 4]
    """
    last = None
    for first, end in sorted(intervals):
        start = first if last is None else max(first, last + 1)
        yield from range(start, end + 1)
        last = end if last is None else max(last, end)
