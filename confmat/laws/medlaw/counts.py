"""Numbers of tables by MED at any n, as values of piecewise quasi-polynomials.

The pairs (n, k) with d k <= n <= (d + 1) k form sector d = 1, ..., s - 1.  In it n = alpha d + beta (d + 1),
k = alpha + beta with whole alpha, beta >= 0.  Let L = lcm(1, ..., s - 1).  Then the number of r x s matrices with
total n and best matching k is, for alpha, beta >= 1 in given residue classes modulo L, a polynomial in alpha and
beta of total degree at most r s - 2; on the walls n = d k it is one in k >= 1 of the same degree.  So its values
on a small triangular grid, taken from the series of the generating function, give all others by Newton's
formula, in integers.

Why: cut the simplicial cones over the triangulation of confmat.laws.medlaw.series along the walls.  The new rays are
((j - d) v + (d - i) w)/gcd for vertices v, w with i < d < j cells; such a ray ends at a multiple of
(n, k) = (d, 1) by a divisor of L.  A half-open cone of the cut has P rays over one wall of its sector and Q over
the other, P + Q = r s and P, Q < r s (no size has r s independent vertices, save for 1 x 1), so it
contributes p(u, v)/((1 - u^L)^P (1 - v^L)^Q), p of degrees at most P L and Q L: the coefficient of
u^alpha v^beta is of the stated form, with exceptions at alpha = 0 or beta = 0 only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, islice, pairwise, repeat
from math import comb, lcm

import numpy as np

from confmat.classes import Tables
from confmat.laws.medlaw.series import generating_function, oriented_shape
from confmat.matrices.arguments import as_count


@dataclass(frozen=True)
class Shape:
    """r <= s, and whether rows and columns may be empty: all that the quasi-polynomials depend on."""

    r: int
    s: int
    empty: bool

    @property
    def period(self) -> int:
        """L, the period of the quasi-polynomials inside the sectors."""
        return lcm(*range(1, self.s))

    @property
    def values(self) -> int:
        """r s - 1, the number of values in line that determine a polynomial (1 for the shape 1 x 1)."""
        return max(self.r * self.s - 1, 1)


def med_counts(n: int, r: int, s: int, *, empty: bool = False) -> list[int]:
    """Exact law of the MED: element m is the number of tables in ``Tables(n, r, s, empty)`` with n MED = m.

    The list ends with the largest MED; it is empty for a class without members.  Shapes up to 1 x 5, 2 x 5 and
    3 x 4 and their transposes, any n: time and memory grow as n (n = 10^6: about a second).  ValueError for other
    shapes; enumerate those with ``confmat.joint``.  Method: Ehrhart theory (module docstring).

    >>> med_counts(6, 2, 2)
    [10, 16, 22, 12]
    >>> med_counts(2, 3, 3)
    []
    """
    shape, tables = _shape_of(n, r, s, empty)
    n = tables.n
    if n == 0:
        return [1] if shape.empty else []
    counts = [0] * (n + 1)  # by k
    for d in range(1, shape.s + 1):
        if n % d == 0:
            counts[n // d] = matched_count(shape, n, n // d)
        if d < shape.s:
            first, end = n // (d + 1) + 1, -(-n // d)
            counts[first:end] = _inside_sector(shape, n, first, end)
    least = next((k for k, count in enumerate(counts) if count), n + 1)
    return counts[: least - 1 : -1]


def med_count(n: int, r: int, s: int, m: int, *, empty: bool = False) -> int:
    """Number of tables in ``Tables(n, r, s, empty)`` with n MED = m.

    One value of ``med_counts``, in time independent of n (milliseconds at n = 10^9); 0 outside the range of the
    MED.  The same shapes.

    >>> med_count(10**9, 2, 2, 1)
    3999999992
    """
    shape, tables = _shape_of(n, r, s, empty)
    return matched_count(shape, tables.n, tables.n - as_count("m", m))


def _shape_of(n: int, r: int, s: int, empty: bool) -> tuple[Shape, Tables]:
    tables = Tables(n, r, s, empty)
    return Shape(*oriented_shape(r, s), tables.empty), tables


def matched_count(shape: Shape, n: int, k: int) -> int:
    """Number of matrices with total n >= 0 whose best matching is k.

    >>> [matched_count(Shape(2, 2, empty=False), 6, k) for k in (6, 5, 4, 3)]
    [10, 16, 22, 12]
    """
    if n == 0 or k <= 0:
        return int(n == k == 0 and shape.empty)
    d, beta = divmod(n, k)
    if d == 0 or n > shape.s * k:
        return 0
    if beta == 0:
        i, a = divmod(k - 1, shape.period)
        return sum(delta * comb(i, p) for p, delta in enumerate(_on_wall(shape, d, a + 1)))
    i, a = divmod(k - beta - 1, shape.period)
    j, b = divmod(beta - 1, shape.period)
    in_i = [comb(i, p) for p in range(shape.values)]
    in_j = [comb(j, q) for q in range(shape.values)]
    rows = inside_differences(shape, d, a + 1, b + 1)
    return sum(x * sum(delta * y for delta, y in zip(row, in_j)) for x, row in zip(in_i, rows))


def _inside_sector(shape: Shape, n: int, first: int, end: int) -> list[int]:
    """The counts for first <= k < end, strictly inside one sector: along k a polynomial per class modulo L."""
    counts = [0] * (end - first)
    for start in range(min(shape.period, len(counts))):
        places = range(start, len(counts), shape.period)
        known = [matched_count(shape, n, first + place) for place in places[: shape.values]]
        counts[start :: shape.period] = _continued(known, len(places))
    return counts


def _continued(values: list[int], length: int) -> Iterator[int]:
    """Values 0, 1, ..., length - 1 of the polynomial of degree < len(values) with these first values."""
    *lower, top = differences(values)
    line: Iterator[int] = repeat(top)
    for delta in reversed(lower):
        line = accumulate(line, initial=delta)
    return islice(line, length)


def differences(values: Sequence[int]) -> list[int]:
    """Forward differences at 0 of orders 0, 1, ...: f(i) = sum_p delta_p C(i, p).

    >>> differences([1, 4, 9])
    [1, 3, 2]
    """
    found = []
    while values:
        found.append(values[0])
        values = [b - a for a, b in pairwise(values)]
    return found


@cache
def inside_differences(shape: Shape, d: int, a: int, b: int) -> tuple[tuple[int, ...], ...]:
    """delta[p][q], p + q <= r s - 2, of the counts at alpha = a + i L, beta = b + j L in sector d.

    >>> inside_differences(Shape(2, 2, empty=False), 1, 1, 1)
    ((4, 12, 4), (4, 2), (0,))
    """
    series = _series(shape)

    def value(i: int, j: int) -> int:
        alpha, beta = a + i * shape.period, b + j * shape.period
        return series[alpha + beta, d * alpha + (d + 1) * beta]

    size = shape.values
    rows = [differences([value(i, j) for j in range(size - i)]) for i in range(size)]
    columns = [differences([row[q] for row in rows[: size - q]]) for q in range(size)]
    return tuple(tuple(columns[q][p] for q in range(size - p)) for p in range(size))


@cache
def _on_wall(shape: Shape, d: int, a: int) -> tuple[int, ...]:
    """delta[p], p <= r s - 2, of the counts at k = a + i L, n = d k."""
    ks = [a + i * shape.period for i in range(shape.values)]
    return tuple(differences([_series(shape)[k, d * k] for k in ks]))


@cache
def _series(shape: Shape) -> np.ndarray:
    """Number of matrices with best matching k and total n as an array [k, n], as far as the grids reach.

    Without empty lines by inclusion-exclusion over them; then the entry at n = 0 means nothing.
    """
    largest = (shape.values + 1) * shape.period
    total = np.zeros((largest + 1, shape.s * largest + 1), object)
    for i in range(1 if shape.empty else shape.r):
        for j in range(1 if shape.empty else shape.s):
            part = generating_function(shape.r - i, shape.s - j).series(largest)
            total[:, : part.shape[1]] += (-1) ** (i + j) * comb(shape.r, i) * comb(shape.s, j) * part
    return total
