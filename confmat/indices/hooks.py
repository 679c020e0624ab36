"""Hooks with the largest ARD. A hook is a table with objects in the first row and the first column only.

`confmat.indices.extremes.max_adjusted_rand_distance` documents when a hook has the largest ARD.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

from confmat.indices.integer_polynomials import Intervals, elements, evaluate, nonnegative, shared
from confmat.indices.pairs import PairSums


def balanced(total: int, parts: int) -> list[int]:
    """Return ``parts`` integers with sum ``total`` that differ by at most 1, in decreasing order.

    >>> balanced(7, 3)
    [3, 2, 2]
    """
    if not parts:
        return []
    q, k = divmod(total, parts)
    return [q + 1] * k + [q] * (parts - k)


def squares(total: int, parts: int) -> int:
    """Return the least sum of squares of ``parts`` integers with sum ``total``.

    >>> squares(7, 3)
    17
    """
    q, k = divmod(total, parts)
    return parts * q * q + k * (2 * q + 1)


@dataclass(frozen=True, order=True)
class Hook:
    """Hook with r rows, s columns and total n.

    The s - 1 cells of the first row after the corner have the sum ``arm``. The r - 1 cells of the first column
    below the corner have the sum ``leg``. Both sums are divided as evenly as possible, which gives the largest ARD
    (statement `ard-balanced-hooks`).

    >>> Hook(20, 3, 3, 5, 5).matrix()
    [[10, 3, 2], [3, 0, 0], [2, 0, 0]]
    """

    n: int
    r: int
    s: int
    arm: int
    leg: int

    def matrix(self) -> list[list[int]]:
        """Return the table."""
        first_row = [
            self.n - self.arm - self.leg,
            *balanced(self.arm, self.s - 1),
        ]
        return [first_row, *([x] + [0] * (self.s - 1) for x in balanced(self.leg, self.r - 1))]

    @property
    def exists(self) -> bool:
        """Return whether no row or column is empty and no cell negative."""
        return self.arm >= self.s - 1 and self.leg >= self.r - 1 and self.arm + self.leg <= self.n

    @cached_property
    def ard(self) -> Fraction:
        """Return the adjusted Rand distance, in a number of operations that does not depend on r and s."""
        in_arm = squares(self.arm, self.s - 1)
        in_leg = squares(self.leg, self.r - 1)
        first_row = self.n - self.leg
        first_column = self.n - self.arm
        corner = first_row - self.arm
        sums_of_squares = first_row**2 + in_leg, first_column**2 + in_arm, corner**2 + in_arm + in_leg
        pairs = [(squares_of_sizes - self.n) // 2 for squares_of_sizes in sums_of_squares]
        return PairSums(self.n, *pairs).adjusted_rand_distance


@lru_cache(maxsize=1024, typed=True)  # NumPy's integers would overflow later
def best_hooks(n: int, r: int, s: int, most: int | None = None) -> tuple[Hook, ...]:
    """Return all hooks with the largest ARD, for r, s >= 2 and n >= r + s - 2, in increasing order of (arm, leg).

    ``most`` is the largest allowed value of arm + leg. Default: n.

    If the arm is divided evenly among its s - 1 cells and the leg among its r - 1 cells, also in fractions, the ARD
    does not decrease. For each pair (arm, leg) this gives an upper bound of the ARD. "The bound is at least v" is a
    polynomial inequality of degree 2 in arm and in leg (statement `ard-best-hook`). Let v be the largest ARD that a
    local search found. Few pairs satisfy the inequality, and the hooks of these are compared. The pairs are found
    by bisection between the extrema of polynomials of one variable.

    >>> best_hooks(20, 2, 2)
    (Hook(n=20, r=2, s=2, arm=4, leg=4),)
    >>> [hook.matrix() for hook in best_hooks(10**9, 2, 3)]
    [[[595357266, 109437336, 109437335], [185768063, 0, 0]]]
    """
    if min(r, s) < 2 or n < r + s - 2:
        raise ValueError(f"a hook needs r, s >= 2 and n >= r + s - 2, got n = {n}, r = {r}, s = {s}")
    limit = n if most is None else most
    good_hook = _climb(n, r, s, limit)
    best_so_far = {good_hook}
    value = good_hook.ard
    reaching = _reaching(n, r, s, value)
    for arm in elements(_possible_arms(reaching, limit, r, s)):
        legs = [evaluate(p.coef.tolist(), arm) for p in reaching]
        for leg in elements(nonnegative(legs, r - 1, limit - arm)):
            hook = Hook(n, r, s, arm, leg)
            ard = hook.ard
            if ard > value:
                best_so_far = {hook}
                value = ard
            elif ard == value:
                best_so_far.add(hook)
    return tuple(sorted(best_so_far))


def best_hook(n: int, r: int, s: int) -> Hook:
    """Return a hook with the largest ARD. Of several, it has the smallest arm.

    >>> best_hook(20, 2, 2).matrix(), best_hook(20, 2, 2).ard
    ([[12, 4], [4, 0]], Fraction(95, 84))
    """
    return best_hooks(n, r, s)[0]


def _climb(n: int, r: int, s: int, most: int) -> Hook:
    """Return a hook with a large ARD and arm + leg <= ``most``, by hill climbing in arm and leg.

    The step length is halved if no step increases the ARD.
    """
    best = Hook(n, r, s, s - 1, r - 1)
    step = max(1, n // 4)
    while step:
        better = best
        for arm_step, leg_step in product((-step, 0, step), repeat=2):
            hook = Hook(
                n,
                r,
                s,
                best.arm + arm_step,
                best.leg + leg_step,
            )
            fits = hook.exists and hook.arm + hook.leg <= most
            if fits and (hook.ard, hook) > (better.ard, better):
                better = hook
        if better.ard == best.ard:
            step //= 2
        else:
            best = better
    return best


def _reaching(n: int, r: int, s: int, value: Fraction) -> list[Polynomial]:
    """Return polynomials c_0, c_1, c_2 of the arm that characterize hooks with at least the ARD ``value``.

    For these hooks c_0 + c_1 leg + c_2 leg^2 >= 0. The arm is the sum of the first row of a hook without its first
    cell, the leg that of the first column. The first cell is n - arm - leg. The row sums are therefore n - leg and
    leg/(r - 1), the column sums n - arm and arm/(s - 1).

    Let A, B and P be sums of squares minus n (twice the numbers of pairs), M = n(n - 1) and v = ``value``. ARD >= v
    means M (A + B - 2P) - v (M (A + B) - 2AB) >= 0. Arm and leg are divided evenly into real numbers. The
    inequality is multiplied by r - 1, by s - 1 and by the denominator of v.
    """
    M = n * (n - 1)
    rows = r - 1
    cols = s - 1
    v_numerator = value.numerator
    v_denominator = value.denominator
    A = [rows * M, -2 * n * rows, r]  # times r - 1, by powers of the leg
    B = _polynomial(cols * M, -2 * n * cols, s)  # times s - 1, of the arm
    sums: list[Any] = [rows * B + cols * A[0], cols * A[1], cols * A[2]]  # A + B, by powers of the leg
    P: list[Any] = [rows * B, 2 * rows * cols * _polynomial(-n, 1), r * cols]  # by powers of the leg
    inequality = []
    for a, a_plus_b, p in zip(A, sums, P):
        of_sum = (v_denominator - v_numerator) * M * a_plus_b
        of_cells = 2 * v_denominator * M * p
        of_product = 2 * v_numerator * a * B
        inequality.append(of_sum - of_cells + of_product)
    return inequality


def _polynomial(*coefficients: int) -> Polynomial:
    """Return the polynomial with given coefficients, the constant first. They remain Python integers."""
    return Polynomial(np.array(coefficients, object))


def _possible_arms(reaching: list[Polynomial], most: int, r: int, s: int) -> Intervals:
    """Return the arms for which some real leg satisfies the inequality of `_reaching` and arm + leg <= ``most``.

    A polynomial of degree 2 is >= 0 somewhere in an interval if it is >= 0 at an end. Otherwise it must increase at
    the first end, decrease at the last end, and have a discriminant >= 0.
    """
    constant, linear, quadratic = reaching
    shortest_leg = _polynomial(r - 1)
    longest_leg = _polynomial(most, -1)  # of the arm

    def arms(p: Polynomial) -> Intervals:
        return nonnegative(p.coef.tolist(), s - 1, most - (r - 1))

    def at(leg: Polynomial) -> Polynomial:
        return constant + linear * leg + quadratic * leg**2

    def slope(leg: Polynomial) -> Polynomial:
        return linear + 2 * quadratic * leg

    discriminant = linear**2 - 4 * constant * quadratic
    between_ends = shared(arms(slope(shortest_leg)), arms(-slope(longest_leg)), arms(discriminant))
    return arms(at(shortest_leg)) + arms(at(longest_leg)) + between_ends
