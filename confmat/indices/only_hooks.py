"""Proof that only hooks have the largest ARD of a class, by a short exact computation.

A hook is a table with objects in the first row and the first column only. Let A, B, P be the sums of squares of the
row sums, column sums and cells of a table over n^2. X and Y are defined by A = (1 + (r-1) X^2)/r and B = (1 + (s-1)
Y^2)/s, and Z = X + Y - 1. Let eps be the excess of P over that of a hook with the same X and Y, which is at least 0
(statement `least-pairs`).

If a table has at least the ARD of the best hook, eps is small. If eps is small, the table is a hook (statement
`ard-stability`). The square of all (X, Y) is divided into boxes. On each box it is shown that no table reaches the
ARD of the best hook, or that only hooks do.

>>> only_hooks(30, 8, 8), only_hooks(15, 8, 8)
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import isqrt, lcm
from typing import Any

import numpy as np

from confmat.indices.hooks import best_hook

Box = tuple[int, int, int]  # (level, i, j): i <= 2^level X <= i + 1, j <= 2^level Y <= j + 1

WHOLE: Box = (0, 0, 0)
LEAST_EXCESS = Fraction(1, 20)  # smaller is the ARD - 1 of every table with X, Y >= 1 - 1/64, by (I2), n >= 3
_CORNER = 64
_DEEPEST = 11
_ROOT_2_LESS_1 = Fraction(41421, 100000)  # a little less
_Z_SQUARED = np.array([[1, -2, 1], [-2, 2, 0], [1, 0, 0]], object)  # by powers of X and Y


def quarters(box: Box) -> Iterator[Box]:
    """Yield the four quarters of a box (level, i, j): i/2^level <= X <= (i + 1)/2^level, and the same for Y and j.

    >>> list(quarters((0, 0, 0)))
    [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]
    """
    level, i, j = box
    for x in (2 * i, 2 * i + 1):
        for y in (2 * j, 2 * j + 1):
            yield level + 1, x, y


def ends(box: Box) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return the ends of the intervals of X and of Y that form a box (level, i, j).

    The box is i/2^level <= X <= (i + 1)/2^level and j/2^level <= Y <= (j + 1)/2^level.

    >>> ends((1, 0, 1))
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 2), Fraction(1, 1))
    """
    level, i, j = box
    parts = 2**level
    return Fraction(i, parts), Fraction(i + 1, parts), Fraction(j, parts), Fraction(j + 1, parts)


def in_the_corner(box: Box) -> bool:
    """Return whether X >= 1 - 1/64 and Y >= 1 - 1/64 for all pairs (X, Y) of a box (level, i, j).

    >>> in_the_corner((6, 63, 63)), in_the_corner((6, 63, 62))
    (True, False)
    """
    level, i, j = box
    return _CORNER * min(i, j) >= (_CORNER - 1) * 2**level


class Bounded:
    """Quotient Num/Den of polynomials in X and Y that is an upper bound of ARD - 1, and a number ``level``.

    If ``level`` Den - Num is positive at (X, Y), the tables with these X and Y have an ARD below 1 + ``level``.
    With Z = X + Y - 1 the polynomials are

        Num = 2 (weight (X^2 Y^2 - max(0, Z)^2) + h (1 - X^2)(1 - Y^2))

        Den = d_0 + d_X X^2 + d_Y Y^2 - 2 X^2 Y^2

    Num is 2 (AB - P) with the least P, and Den is A + B - 2AB, of pairs of objects. Both are multiplied by (1 +
    1/(r-1)) (1 + 1/(s-1)). ``den`` is (d_0, d_X, d_Y). For tables of n objects h = 1/n and weight = 1 - 1/n.
    """

    def __init__(
        self,
        level: Fraction,
        den: tuple[Fraction, Fraction, Fraction],
        h: Fraction,
        weight: Fraction,
    ):
        constant, in_x, in_y = den
        without_z = np.zeros((3, 3), object)
        without_z[0, 0] = level * constant - 2 * h
        without_z[2, 0] = level * in_x + 2 * h
        without_z[0, 2] = level * in_y + 2 * h
        without_z[2, 2] = -2 * (level + weight + h)
        with_z = without_z + 2 * weight * _Z_SQUARED
        self._scale = lcm(*(x.denominator for x in (*without_z.flat, *with_z.flat)))
        as_integers = np.vectorize(int, otypes=[object])
        self._beyond = as_integers(self._scale * without_z)
        self._within = as_integers(self._scale * with_z)

    def most(self, box: Box) -> Fraction:
        """Return an upper bound of the values of Num - ``level`` Den (see the class) on a box of pairs (X, Y).

        Num has the term max(0, Z) for Z = X + Y - 1, which is not a polynomial. If 0 replaces it, Num becomes a
        polynomial and not smaller. The bound is the largest Bernstein coefficient of this polynomial minus
        ``level`` Den. If Z >= 0 on the whole box, the smaller bound of the polynomial with Z itself is used if
        there is one.
        """
        level, i, j = box
        least_value = least_coefficient(self._beyond, box)
        if i + j >= 2**level:
            least_value = max(least_value, least_coefficient(self._within, box))
        return Fraction(
            -least_value,
            4 * 16**level * self._scale,
        )


def least_coefficient(p: Any, box: Box) -> int:
    """Return the least Bernstein coefficient of a polynomial on a box, times 4 * 16^level.

    The polynomial is the sum of p[a][b] X^a Y^b over a, b <= 2.

    The box (level, i, j) is i/2^level <= X <= (i + 1)/2^level and j/2^level <= Y <= (j + 1)/2^level.

    >>> least_coefficient([[0, 0, 0], [0, 1, 0], [0, 0, 0]], (1, 1, 1))  # XY >= 1/4 there
    16
    """
    level, i, j = box
    parts = 2**level
    coefficients = _powers(i, parts) @ p @ _powers(j, parts).T
    return coefficients.min()


def _powers(i: int, parts: int) -> np.ndarray:
    """Return the Bernstein coefficients of 1, X and X^2 on [i/parts, (i + 1)/parts], times 2 parts^2, in columns."""
    of_one = 2 * parts * parts
    rows = [
        (
            of_one,
            2 * i * parts,
            2 * i * i,
        ),
        (
            of_one,
            (2 * i + 1) * parts,
            2 * i * (i + 1),
        ),
        (
            of_one,
            (2 * i + 2) * parts,
            2 * (i + 1) * (i + 1),
        ),
    ]
    return np.array(rows, object)


def forces_a_hook(box: Box, eps: Fraction, r: int, s: int, n: int) -> bool:
    """Return whether every table whose (X, Y) is on a box is a hook, if its excess is at most ``eps``.

    The tables are r x s with total n. X and Y measure how unequal the row sums and the column sums are. A box is a
    square of points (X, Y), see the module. Let S be the sum of squares of the cells over n^2. The excess of a
    table is its S minus the least S of any table with these X and Y. The proof is statement `ard-stability`.

    >>> forces_a_hook((3, 5, 5), Fraction(1, 10**6), 3, 3, 50), forces_a_hook((3, 5, 5), Fraction(1, 10), 3, 3, 50)
    (True, False)
    """
    x, x_most, y, y_most = ends(box)
    Z = x + y - 1
    Z_most = x_most + y_most - 1
    u = (1 - y_most) / s
    v = (1 - x_most) / r
    if min(u, v, Z) <= 0:
        return False
    u_most = (1 - y) / s
    v_most = (1 - x) / r
    for lines, of_line, most_of_line in ((s, u, u_most), (r, v, v_most)):
        room = (lines - 1) * of_line * min(of_line, _ROOT_2_LESS_1 * Z)
        if eps * (most_of_line + Z_most) ** 2 >= room * Z**2:
            return False
    arm = 1 + Z_most / u
    leg = 1 + Z_most / v
    of_arm = arm**2 / (s - 1)
    squares = of_arm + leg**2 / (r - 1)  # k_1^2 + k_2^2
    thousandths = isqrt(10**6 * (r - 1) * (s - 1))
    root = Fraction(thousandths, 1000)  # at most
    product = arm * leg / root  # at least k_1 k_2
    rest = Z - n * eps / 2
    is_isolated = rest > 0 and squares * eps < rest**2
    return is_isolated and (squares + 2 * product) * eps <= Z**2


def cover(is_accepted: Callable[[Box], bool], deepest: int = _DEEPEST, box: Box = WHOLE) -> str | None:
    """Return a string that encodes a division of ``box`` into boxes for which ``is_accepted`` is true.

    The string has "." for an accepted box, and "+" before the strings of the four quarters of a divided box. Return
    None if there is no such division with at most ``deepest`` levels.

    >>> cover(lambda box: box[0] > 0)
    '+....'
    """
    if is_accepted(box):
        return "."
    if not deepest:
        return None
    tree = "+"
    for quarter in quarters(box):
        part = cover(is_accepted, deepest - 1, quarter)
        if part is None:
            return None
        tree += part
    return tree


def excluding(n: int, r: int, s: int) -> Callable[[Box], bool] | None:
    """Return a predicate of boxes that is true if only hooks can have the largest ARD on a box.

    Return None if this method cannot prove it, because the ARD of the best hook exceeds 1 by at most
    ``LEAST_EXCESS``.
    """
    level = best_hook(n, r, s).ard - 1
    if level <= LEAST_EXCESS or n < 3:
        return None
    row = Fraction(1, r - 1)
    col = Fraction(1, s - 1)
    h = Fraction(1, n)
    constant = row + col - h * (2 + row + col)
    in_x = 1 - col + h * (1 + col)
    in_y = 1 - row + h * (1 + row)
    bounds = Bounded(
        level,
        (constant, in_x, in_y),
        h,
        1 - h,
    )
    both_lines = (1 + row) * (1 + col)
    per_excess = 2 * (1 - h) * both_lines

    def excluded(box: Box) -> bool:
        if in_the_corner(box):
            return True
        most_in_box = bounds.most(box)
        return most_in_box < 0 or forces_a_hook(box, most_in_box / per_excess, r, s, n)

    return excluded


@lru_cache(maxsize=1024)
def certificate(n: int, r: int, s: int) -> str | None:
    """Return a string that proves that only hooks have the largest ARD for n, r and s, or None if no proof is found.

    A hook has positive cells in one row and one column only. The proof divides the unit square of the parameters
    (X, Y) of the margins into boxes, as `cover` describes. The string encodes the division.
    """
    if min(r, s) < 2 or n < r + s - 2:
        return None
    excludes = excluding(n, r, s)
    return None if excludes is None else cover(excludes)


def only_hooks(n: int, r: int, s: int) -> bool:
    """Return whether it is proved that only hooks have the largest ARD among r x s tables with total n.

    A hook has objects in one row and one column only. For n >= 16 (r + s) this is a theorem. For smaller n the
    function searches for a proof, which is a computation (see the module). False means that it found none.

    >>> only_hooks(10**9, 40, 50), only_hooks(40, 8, 9)
    (True, True)
    """
    return min(r, s) > 1 and (n >= 16 * (r + s) or certificate(n, r, s) is not None)
