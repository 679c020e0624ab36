"""The hook with the largest ARD: a first row and a first column, and nothing else.

Private: `confmat.indices.extremes.max_adjusted_rand_distance` says where the largest ARD is that of a hook.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt

from confmat.errors import TooLarge
from confmat.indices.pairs import PairSums

# A hook is looked for in n steps: 2 s at 10^6 points.
MOST_POINTS = 10**7


def balanced(total: int, parts: int) -> list[int]:
    """Integers with the given sum that differ by at most one, largest first.

    >>> balanced(7, 3)
    [3, 2, 2]
    """
    q, k = divmod(total, parts)
    return [q + 1] * k + [q] * (parts - k)


def squares(total: int, parts: int) -> int:
    """The least sum of squares of integers with the given sum: that of `balanced`.

    >>> squares(7, 3)
    17
    """
    q, k = divmod(total, parts)
    return parts * q * q + k * (2 * q + 1)


@dataclass(frozen=True, order=True)
class Hook:
    """A corner, ``arm`` points spread over the other s - 1 columns, ``leg`` points over the other r - 1 rows.

    Balanced arm and leg are best at given totals (statement `ard-balanced-hooks`).

    >>> Hook(20, 3, 3, 5, 5).matrix()
    [[10, 3, 2], [3, 0, 0], [2, 0, 0]]
    """

    n: int
    r: int
    s: int
    arm: int
    leg: int

    def matrix(self) -> list[list[int]]:
        """The table."""
        first = [self.n - self.arm - self.leg, *balanced(self.arm, self.s - 1)]
        return [first, *([x] + [0] * (self.s - 1) for x in balanced(self.leg, self.r - 1))]

    @property
    def exists(self) -> bool:
        """Whether no line is empty and no entry negative."""
        return self.arm >= self.s - 1 and self.leg >= self.r - 1 and self.arm + self.leg <= self.n

    @property
    def ard(self) -> Fraction:
        """The adjusted Rand distance, in a few operations whatever r and s are."""
        n, in_arm, in_leg = self.n, squares(self.arm, self.s - 1), squares(self.leg, self.r - 1)
        A, B = (n - self.leg) ** 2 + in_leg, (n - self.arm) ** 2 + in_arm
        P = (n - self.arm - self.leg) ** 2 + in_arm + in_leg
        return PairSums(n, (A - n) // 2, (B - n) // 2, (P - n) // 2).adjusted_rand_distance


@lru_cache(maxsize=1024, typed=True)  # NumPy's integers would overflow later
def best_hook(n: int, r: int, s: int) -> Hook:
    """The hook with the largest ARD, r, s >= 2, n >= r + s - 2; the shortest arm, then leg, among equals.

    For each arm, a leg spread evenly over r - 1 rows *in real numbers* has at least the ARD of the balanced one,
    and "its ARD is at least v" is a quadratic inequality for its total (statement `ard-best-hook`).  With v the
    value of a good hook only few totals satisfy it, and these are tried: O(n) exact steps.

    >>> best_hook(20, 2, 2).matrix(), best_hook(20, 2, 2).ard
    ([[12, 4], [4, 0]], Fraction(95, 84))
    >>> best_hook(50_000, 2, 3).matrix()
    [[29767, 5472, 5472], [9289, 0, 0]]
    """
    if min(r, s) < 2 or n < r + s - 2:
        raise ValueError(f"a hook needs r, s >= 2 and n >= r + s - 2, got n = {n}, r = {r}, s = {s}")
    if n > MOST_POINTS:
        raise TooLarge(f"n must be at most {MOST_POINTS} for the best hook, which takes n steps, got {n}")
    best = _climb(n, r, s)
    value = best.ard
    for arm in range(s - 1, n - (r - 1) + 1):
        for leg in _possible_legs(n, r, s, arm, value):
            hook = Hook(n, r, s, arm, leg)
            if (found := hook.ard) > value or (found == value and hook < best):
                best, value = hook, found
    return best


def _climb(n: int, r: int, s: int) -> Hook:
    """A good hook: steps in both totals, halved when none of them improves it."""
    best = Hook(n, r, s, s - 1, r - 1)
    value, step = best.ard, max(1, n // 4)
    while step:
        around = (Hook(n, r, s, best.arm + x, best.leg + y) for x, y in product((-step, 0, step), repeat=2))
        found = max(((hook.ard, hook) for hook in around if hook.exists), default=(value, best))
        if found[0] > value:
            value, best = found
        else:
            step //= 2
    return best


def _possible_legs(n: int, r: int, s: int, arm: int, value: Fraction) -> range:
    """All leg totals for which a leg spread in real numbers reaches the value (and perhaps a few more).

    With A, B, P as sums of squares less n, i.e. twice the pairs, and M = n (n - 1): ARD >= v says that
    M (A + B - 2P) - v (M (A + B) - 2AB) >= 0.  Times r - 1 and the denominator of v it is c2 leg^2 + c1 leg + c0.
    """
    M, parts = n * (n - 1), r - 1
    rest = n - arm
    in_arm = squares(arm, s - 1)
    B = rest * rest + in_arm - n
    # (r - 1) A and (r - 1) P, as coefficients of 1, leg, leg^2
    A = (parts * M, -2 * n * parts, r)
    P = (parts * (rest * rest + in_arm - n), -2 * rest * parts, r)
    num, den = value.numerator, value.denominator
    c0, c1, c2 = (
        den * M * (a - 2 * p) - num * a * (M - 2 * B) + constant
        for a, p, constant in zip(A, P, (parts * M * B * (den - num), 0, 0))
    )
    least, most = r - 1, rest
    if c2 >= 0:  # convex: reached at an end of the range, or nowhere
        ends = (c0 + c1 * leg + c2 * leg * leg for leg in (least, most))
        return range(least, most + 1) if any(end >= 0 for end in ends) else range(0)
    discriminant = c1 * c1 - 4 * c2 * c0
    if discriminant < 0:
        return range(0)
    root = isqrt(discriminant) + 1
    return range(max(least, (c1 - root) // (-2 * c2)), min(most, (c1 + root) // (-2 * c2) + 1) + 1)
