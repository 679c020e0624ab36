"""The hook with the largest ARD: a first row and a first column, and nothing else.

Private: `confmat.indices.extremes.max_adjusted_rand_distance` says where the largest ARD is that of a hook.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product

from confmat.indices.integer_polynomials import (
    Intervals,
    add,
    elements,
    evaluate,
    multiply,
    nonnegative,
    scale,
    shared,
)
from confmat.indices.pairs import PairSums


def balanced(total: int, parts: int) -> list[int]:
    """Integers with the given sum that differ by at most one, largest first; none of no parts.

    >>> balanced(7, 3)
    [3, 2, 2]
    """
    if not parts:
        return []
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
        first_row = [
            self.n - self.arm - self.leg,
            *balanced(self.arm, self.s - 1),
        ]
        return [first_row, *([x] + [0] * (self.s - 1) for x in balanced(self.leg, self.r - 1))]

    @property
    def exists(self) -> bool:
        """Whether no line is empty and no entry negative."""
        return self.arm >= self.s - 1 and self.leg >= self.r - 1 and self.arm + self.leg <= self.n

    @cached_property
    def ard(self) -> Fraction:
        """The adjusted Rand distance, in a few operations whatever r and s are."""
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
    """All balanced hooks with the largest ARD, r, s >= 2, n >= r + s - 2; the shortest arm, then leg, first.

    Arm and leg have at most ``most`` points together (default: n).

    Spread evenly *in real numbers*, arm and leg have at least the ARD of the balanced ones, and "its ARD is at least v"
    is a polynomial inequality in their totals, of degree 2 in each (statement `ard-best-hook`).  With v the value of a
    good hook few totals satisfy it.  They are found by bisection between the corners of polynomials of one variable.

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
        legs = [evaluate(coefficient, arm) for coefficient in reaching]
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
    """The first of ``best_hooks``.

    >>> best_hook(20, 2, 2).matrix(), best_hook(20, 2, 2).ard
    ([[12, 4], [4, 0]], Fraction(95, 84))
    """
    return best_hooks(n, r, s)[0]


def _climb(n: int, r: int, s: int, most: int) -> Hook:
    """Return a hook of large ARD by hill climbing in the totals of arm and leg, with steps that are halved."""
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


def _reaching(n: int, r: int, s: int, value: Fraction) -> list[list[int]]:
    """c_0, c_1, c_2, polynomials of the arm: a hook reaches the value only if c_0 + c_1 leg + c_2 leg^2 >= 0.

    With A, B, P as sums of squares less n, i.e. twice the pairs, and M = n (n - 1), ARD >= v says that
    M (A + B - 2P) - v (M (A + B) - 2AB) >= 0; here arm and leg are spread evenly in real numbers, and all is multiplied
    by r - 1, by s - 1 and by the denominator of v.
    """
    M = n * (n - 1)
    rows = r - 1
    cols = s - 1
    v_numerator = value.numerator
    v_denominator = value.denominator
    A = [rows * M, -2 * n * rows, r]  # times r - 1, by powers of the leg
    B = [cols * M, -2 * n * cols, s]  # times s - 1, by powers of the arm
    P = [  # times (r - 1) (s - 1), by powers of the leg
        scale(rows, B),
        scale(2 * rows * cols, [-n, 1]),
        [r * cols],
    ]
    inequality = []
    for power in range(3):
        A_plus_B = [cols * A[power]]
        if power == 0:
            A_plus_B = add(A_plus_B, scale(rows, B))
        of_sum = scale((v_denominator - v_numerator) * M, A_plus_B)
        inequality.append(
            add(
                of_sum,
                scale(
                    -2 * v_denominator * M,
                    P[power],
                ),
                scale(2 * v_numerator * A[power], B),
            )
        )
    return inequality


def _possible_arms(reaching: list[list[int]], most: int, r: int, s: int) -> Intervals:
    """The arms for which some leg in real numbers satisfies the inequality; arm and leg together at most ``most``.

    A polynomial of degree 2 is >= 0 somewhere between two ends only if it is so at an end; or if it rises at the first
    end, falls at the last one, and its discriminant is >= 0.
    """
    constant, linear, quadratic = reaching
    shortest_leg = [r - 1]
    longest_leg = [most, -1]  # a polynomial of the arm
    arms = s - 1, most - (r - 1)

    def at(leg: list[int]) -> list[int]:
        return add(
            constant,
            multiply(linear, leg),
            multiply(quadratic, multiply(leg, leg)),
        )

    def slope(leg: list[int]) -> list[int]:
        return add(linear, scale(2, multiply(quadratic, leg)))

    discriminant = add(
        multiply(linear, linear),
        scale(-4, multiply(constant, quadratic)),
    )
    between_ends = shared(
        nonnegative(slope(shortest_leg), *arms),
        nonnegative(scale(-1, slope(longest_leg)), *arms),
        nonnegative(discriminant, *arms),
    )
    at_ends = nonnegative(at(shortest_leg), *arms) + nonnegative(at(longest_leg), *arms)
    return at_ends + between_ends
