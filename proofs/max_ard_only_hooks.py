"""Hooks alone have the largest ARD: for every shape if n >= 16 (r + s), and for small shapes for every n.

Statement `ard-stability`: let A = sum a^2/n^2 = (1 + (r-1) X^2)/r, B = sum b^2/n^2 = (1 + (s-1) Y^2)/s, Z = X + Y - 1
    > 0, u = (1 - Y)/s > 0 and v = (1 - X)/r > 0. Let eps be the excess of sum x^2/n^2 over its least value, R =
    sqrt(2) - 1, k = (1 + Z/u)/sqrt(s-1) and l = (1 + Z/v)/sqrt(r-1). An r x s table is a hook if eps < (s-1) u min(u,
    R Z) Z^2/(u + Z)^2, eps < (r-1) v min(v, R Z) Z^2/(v + Z)^2, (k + l) sqrt(eps) <= Z and sqrt((k^2 + l^2) eps) + n
    eps/2 < Z.
Statement `ard-hooks-from`: for all r, s >= 2 and n >= 16(r + s) only hooks have the largest ARD.
Statement `ard-hooks-small-shapes`: let 3 <= r <= s <= 10. For n >= r + s - 1 only hooks have the largest ARD, except
    at n = 7, 8, 9, 10 for 3 x 3 and n = 10, 11, 12 for 3 x 4, where no hook has it. At n = r + s - 2 hooks and other
    tables have it. For s < n <= r + s - 3 no hook exists, and a row of n - r + 1 ones, a column of n - s + 1 ones
    that meets it in one of them, and isolated ones have it.

Notation and the least P at given A and B: `least_pairs`; x_ij are the cells over n, a*, b*, u, v, w = u + v + Z the
margins and entries of the hook, c = (u + Z)/X, d = (v + Z)/Y, e = c a* + d b* - w, l_ij = c a_i + d b_j - e, H = w^2 +
(s-1) u^2 + (r-1) v^2 the least P.  Lines are in order, the largest first.

Proof of `ard-stability`.
(1) As x^2 = (x - l+)^2 + 2xl + 2xl- - (l+)^2 and cA + dB - e = H, exactly
        eps = P - H = [H - sum (l+)^2] + sum (x - l+)^2 + 2 sum x l-, with three terms >= 0.
(2) Let A_i = c (a_i - v), B_j = d (b_j - u); then l_ij = A_i + B_j - Z.  As sum (a_i - v)^2 = X^2 and a_1 is largest,
    a_i <= v + X/sqrt 2 for i >= 2.  In (2) of `least_pairs` replace first b, then a: the first term of eps is at least
    (s-1) c^2 sum_i [q - f](a_i), f(t) = ((t - T)+)^2, q(t) = m^2 (t - v)^2, c (T - v) = Z, c (a* - T) = u, m = u/(u +
    Z). If A_i <= Z, f(a_i) = 0 and c^2 [q - f] = m^2 A_i^2.  If A_i > Z, it is A_i^2 (m^2 - g^2), where
    g = (a_i - T)/(a_i - v) rises with a_i and is (u - R Z)/(u + Z) at v + X/sqrt 2; so it is at least
    A_i^2 u min(u, R Z)/(u + Z)^2, more than the first condition allows.  So A_i <= Z and |A_i| <= k sqrt(eps), i >= 2;
    likewise B_j <= Z and |B_j| <= l sqrt(eps), j >= 2, and by the third condition A_i + B_j <= Z.
(3) Replace b first, at the table's own a.  For i >= 2 and v + A_i > 0 the row's threshold is where B_j = Z - A_i, which
    no b_j, j >= 2, passes: the row's deficit is (v + A_i)^2/(v + Z)^2 sum_j B_j^2.  As sum_(i>=2) A_i = c (a* - a_1)
    >= 0 and (t+)^2 is convex, sum_(i>=2) ((v + A_i)+)^2 >= (r-1) v^2.  So for i, j >= 2
        A_i^2/k^2 + B_j^2/l^2 + 2 x_ij l_ij- <= eps.
(4) If x is no hook, some x_ij >= 1/n with i, j >= 2, so 2 (Z - A_i - B_j) <= n eps; but
    A_i + B_j <= sqrt((k^2 + l^2) eps), which the last condition forbids.  QED

Use.  Let sigma = 1/(r-1), tau = 1/(s-1), h = 1/n, W = X^2 Y^2 - max(0, Z)^2.  Times (1 + sigma)(1 + tau), exactly,
    ARD - 1 = [2 ((1-h) W + h (1-X^2)(1-Y^2)) - 2 (1-h)(1+sigma)(1+tau) eps]/Den,
    Den = (1-Y^2)(sigma - h (1+sigma)) + (1-X^2)(tau - h (1+tau)) + X^2 (1-Y^2) + Y^2 (1-X^2).
So a table with ARD >= 1 + level has eps <= (Num - level Den)/(2 (1-h)(1+sigma)(1+tau)).  If X, Y >= 63/64, n >= 3, its
ARD is at most 1 + 1/20 by (I2) of `ard_identities`.  `confmat.indices.only_hooks` cuts the square of all (X, Y) into
boxes on which Num < level Den, by Bernstein coefficients, or `ard-stability` applies, for level the best hook's.

Proof of `ard-hooks-small-shapes`.  Below n = 16 (r + s) such covers are stored in max_ard_only_hooks.json, each with
the range of n for which it is valid. All boxes are checked again for each n.  Where they end, certified searches list
all tables with the largest ARD.

Proof of `ard-hooks-from`, for all n >= N = C (r + s), C = 16, at once.
(5) Num <= 2 (W + (sigma+tau)/(4C) (1-X^2)(1-Y^2)), as (r+s)(sigma+tau) > 4, and Den is at least Den with sigma and tau
    times 1 - 1/C and h = 0.  Call F the quotient of these, F_n = Num/Den <= F.  F falls in sigma and in tau where it
    exceeds 1/(2C - 2), so for a range of shapes its least sigma and tau serve.  For X, Y <= 1/64, F is at most the
    larger one of 1/(2C - 2) and 2 X^2 Y^2/(X^2 + Y^2 - 2 X^2 Y^2), less than 1/20.
(6) Let L_n be the largest F_n, at (X, Y).  It is at least L, the value for h = 0 at any point, as a population's ARD
    rises with h (`ari-replicated`).  Take the real hook there and round its arm and leg totals: X moves by at most h
    (1+sigma)/2, Y by h (1+tau)/2, and Q = L_n Den - Num, which is 0 and least at the start, becomes at most half its
    second derivatives times these squares.  Then balance arm and leg: r - 1 leg entries raise A and P by at most
    (r-1) h^2/4, if r > 2, and Q over (1+sigma)(1+tau) by at most that times 1 + (1 + L_n)(1 - 2B + h)+; likewise the
    arm.  In all the hook's ARD - 1 is at least L_n - E h^2 (1+sigma)(1+tau)/min Den.  On the way F_n stays above the
    level for which the second derivatives are bounded as long as the bound itself does.
(7) So a table with at least the ARD of the best hook has eps <= K h^2, K = E max Den/(2 (1-h) min Den), on the set
    where F >= level; there `ard-stability` applies, for N and so for all n >= N.
For r, s > 30 ranges of shapes are taken at once, the last one without end; with K <= k (r+s), n eps <= k/C,
    k^2 eps <= (1+tau)(1/s + Z/p)^2 k/C^2 s/(r+s), p = 1 - Y, and so on: the conditions no longer name r and s.  QED
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

import sympy as sp

from confmat.classes import Tables
from confmat.indices.extremes import max_adjusted_rand_matrix
from confmat.indices.hooks import best_hook
from confmat.indices.only_hooks import (
    LEAST_EXCESS,
    WHOLE,
    Bounded,
    Box,
    certificate,
    cover,
    ends,
    excluding,
    in_the_corner,
    quarters,
)
from confmat.search import maximize
from proofs import ard, is_hook, require, require_equal
from proofs.least_pairs import least

STORED = Path(__file__).with_suffix(".json")
SMALL = [(r, s) for s in range(3, 11) for r in range(3, s + 1)]
NO_HOOK = {(3, 3): [7, 8, 9, 10], (3, 4): [10, 11, 12]}  # from n = r + s - 1 on
C = 16
ROOT_2_LESS_1 = Fraction(41421, 100000)


# --- one shape and n ------------------------------------------------------------------------------


def boxes(tree: str) -> Iterator[Box]:
    """Yield the boxes of a cover as `confmat.indices.only_hooks.cover` writes it.

    >>> list(boxes("+...."))
    [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)]
    """
    waiting = [WHOLE]
    for sign in tree:
        box = waiting.pop()
        if sign == "+":
            waiting += reversed(list(quarters(box)))
        else:
            yield box
    require(not waiting, "a stored cover is complete")


def find_covers(r: int, s: int) -> list[tuple[int, int, str]]:
    """Return triples (first n, last n, cover valid for all n between), from n = 16 (r + s) - 1 down."""
    served: list[tuple[int, int, str]] = []
    for n in range(C * (r + s) - 1, s, -1):
        excluded = excluding(n, r, s) if n >= r + s - 2 else None
        if excluded is None:
            break
        if served and all(map(excluded, boxes(served[-1][2]))):
            served[-1] = (n, *served[-1][1:])
            continue
        tree = certificate(n, r, s)
        if tree is None:
            break
        served.append((n, n, tree))
    return served


def check_covers(r: int, s: int, served: list[tuple[int, int, str]]) -> int:
    """Check all boxes for every n, and return the first n from which on covers are stored, up to 16 (r + s)."""
    first = C * (r + s)
    for low, high, tree in served:
        require(high == first - 1, f"covers of {r} x {s} for every n")
        for n in range(low, high + 1):
            excluded = excluding(n, r, s)
            require(excluded and all(map(excluded, boxes(tree))), f"only hooks are largest at {(n, r, s)}")
        first = low
    return first


def check_searched(r: int, s: int, before: int) -> int:
    """Check all tables with the largest ARD by certified search, s < n < ``before``. Return the number of classes."""
    for n in range(s + 1, before):
        found = maximize(Tables(n, r, s), "ard", method="bound-and-prune", restarts=3)
        hooks = [is_hook(table.tolist()) for table in found.tables]
        exists = n > r + s - 3 and n not in NO_HOOK.get((r, s), [])
        alone = exists and n > r + s - 2
        require((all(hooks), any(hooks)) == (alone, exists), f"hooks among the largest at {(n, r, s)}")
        require(ard(max_adjusted_rand_matrix(n, r, s)) == found.value, f"the table at {(n, r, s)}")
    return max(0, before - s - 1)


# --- all n from 16 (r + s) on ---------------------------------------------------------------------


@dataclass(frozen=True)
class Lines:
    """Numbers of rows, or of columns: from ``least`` to ``most``, None for without end."""

    least: int
    most: int | None

    @property
    def reciprocals(self) -> tuple[Fraction, Fraction]:
        """Return the least and the largest 1/(r-1)."""
        return Fraction(self.most is not None, (self.most or 2) - 1), Fraction(1, self.least - 1)

    def part(self, others: Lines) -> Fraction:
        """Return an upper bound of the numbers as fractions of r + s."""
        return Fraction(1) if self.most is None else Fraction(self.most, self.most + others.least)


SHAPES = [Lines(r, r) for r in range(2, 31)]
SHAPES += [Lines(31, 40), Lines(41, 60), Lines(61, 120), Lines(121, None)]


class FromOn:
    """Whether for all shapes of some ranges, n >= C (r + s), only hooks are largest: (5) to (7)."""

    def __init__(self, rows: Lines, cols: Lines):
        self.rows, self.cols = rows, cols
        self.sigma, self.tau = rows.reciprocals, cols.reciprocals
        self.lines = rows.least + cols.least
        self.single = rows.least == rows.most and cols.least == cols.most
        self.h = Fraction(1, C * self.lines)
        self.deep = Fraction(C - 1, C)

    def bounded(self, level: Fraction) -> Bounded:
        """Return the polynomial level Den - Num that bounds F."""
        sigma, tau = self.deep * self.sigma[0], self.deep * self.tau[0]
        rest = (self.sigma[0] + self.tau[0]) / (4 * C)
        return Bounded(level, (sigma + tau, 1 - tau, 1 - sigma), rest, Fraction(1))

    def largest(self) -> Fraction:
        """Return L, a lower bound of the largest F_n of all these shapes, from a good hook."""
        r, s, many = self.rows.least, self.cols.least, 10**4
        hook = best_hook(many, r, s)
        X, Y = 1 - Fraction(r * hook.leg, many * (r - 1)), 1 - Fraction(s * hook.arm, many * (s - 1))
        excess = 2 * (X**2 * Y**2 - (X + Y - 1) ** 2) / den(X, Y, self.sigma[1], self.tau[1])
        return Fraction(int(excess * 10**5), 10**5)

    def where(self, level: Fraction, deepest: int) -> list[Box]:
        """Return the boxes that contain all (X, Y) with F >= level."""
        bounded, left = self.bounded(level), [WHOLE]
        for _ in range(deepest):
            parts = [part for box in left for part in quarters(box)]
            left = [part for part in parts if not negligible(part) and bounded.most(part) >= 0]
        return left

    def holds(self, start: Fraction, deepest: int) -> bool:
        """Return whether the argument is valid from the level ``start`` times L on."""
        L = self.largest()
        top = Fraction(103, 100) * L * (1 + Fraction(1, C)) + Fraction(1, 50)  # at least every L_n
        above = self.bounded(top)
        if cover(lambda box: negligible(box) or above.most(box) < 0, 8) is None:
            return False
        level = start * L
        if level < LEAST_EXCESS:
            return False
        for _ in range(4):
            left = self.where(level, deepest)
            spread = self.excess(left, top)
            if spread is None:
                return False
            eps, loss = spread
            reached = L - loss
            if reached < level:
                return False
            if reached - level < L / 100:
                break
            level = Fraction(int(reached * 10**5) - 1, 10**5)
        bounded, forced = self.bounded(level), self.forced(eps)
        return cover(lambda box: negligible(box) or bounded.most(box) < 0 or forced(box), 10) is not None

    def excess(self, left: list[Box], top: Fraction) -> tuple[Fraction, Fraction] | None:
        """Return K h^2 and the largest difference of L_n and the ARD of the hook, None if the set is too large.

        For many shapes h is that of the smallest, and K h^2 times its r + s is as much as for any other.
        """
        sides = [ends(box) for box in left]
        x, y = min(side[0] for side in sides), min(side[2] for side in sides)
        x_most, y_most = max(side[1] for side in sides), max(side[3] for side in sides)
        in_arm, in_leg = self.cols.part(self.rows), self.rows.part(self.cols)
        smallest = C * min((1 - y_most) / in_arm, (1 - x_most) / in_leg)
        if min(side[0] + side[2] for side in sides) <= 1 or smallest < Fraction(3, 2):
            return None
        corners = [(X, Y) for side in sides for X in side[:2] for Y in side[2:]]
        least = min(den(X, Y, self.deep * self.sigma[0], self.deep * self.tau[0]) for X, Y in corners)
        most = max(den(X, Y, self.sigma[1], self.tau[1]) for X, Y in corners)
        second = self.second(x, y, sides, top)
        entries = 1 + (1 + top) * max(Fraction(0), 1 - 2 * min(x, y) ** 2 + self.h)
        per_point = second * self.h + entries / 4 * self.split()
        low = (1 + self.sigma[1]) * (1 + self.tau[1])
        return most / (2 * (1 - self.h) * least) * per_point * self.h, per_point * self.h * low / least

    def split(self) -> Fraction:
        """Return an upper bound of h times the number of entries of arm and leg that are split."""
        if not self.single:
            return Fraction(1, C)
        return self.h * sum(lines - 1 for lines in (self.rows.least, self.cols.least) if lines > 2)

    def second(self, x: Fraction, y: Fraction, sides: list[tuple[Fraction, ...]], top: Fraction) -> Fraction:
        """Return the factor of (1+sigma)(1+tau) h^2 in the bound of the effect of rounding both totals on Q."""
        (sigma, sigma_most), (tau, tau_most) = self.sigma, self.tau
        zero = Fraction(0)
        xx = top * max(zero, 2 * (1 - tau) - 4 * y**2 + 2 * self.h * (1 + tau_most)) + 4 * (1 - y**2)
        yy = top * max(zero, 2 * (1 - sigma) - 4 * x**2 + 2 * self.h * (1 + sigma_most)) + 4 * (1 - x**2)
        low, high = min(a[0] * a[2] for a in sides), max(a[1] * a[3] for a in sides)
        xy = max(4 - 8 * low, 8 * (1 + top) * high - 4 * (1 - self.h), zero)
        row, col = 1 + sigma_most, 1 + tau_most
        return ((xx * row**2 + yy * col**2) / 8 + xy * row * col / 4) / ((1 + sigma) * (1 + tau))

    def forced(self, eps: Fraction) -> Callable[[Box], bool]:
        """Return whether `ard-stability` applies on a box; n eps is at most that of the smallest shape."""
        most = eps * C * self.lines
        return lambda box: self.forces_a_hook(box, most)

    def forces_a_hook(self, box: Box, k: Fraction) -> bool:
        """Return whether the conditions are true with n eps <= k, given r and s as fractions of r + s."""
        x, x_most, y, y_most = ends(box)
        Z, Z_most = x + y - 1, x_most + y_most - 1
        if min(Z, 1 - x_most, 1 - y_most) <= 0:
            return False
        squares = []
        for share, share_most, more, lines, part in (
            (1 - y_most, 1 - y, 1 + self.tau[1], self.cols.least, self.cols.part(self.rows)),
            (1 - x_most, 1 - x, 1 + self.sigma[1], self.rows.least, self.rows.part(self.cols)),
        ):
            common = Z**2 / (share_most / lines + Z_most) ** 2 * share / more
            if k / C * part >= min(share, ROOT_2_LESS_1 * Z * lines) * common:
                return False
            squares.append((more * (Fraction(1, lines) + Z_most / share) ** 2 * k / C, part))
        both = min(
            max(square for square, _ in squares),
            sum((square * part for square, part in squares), Fraction(0)),
        )
        left = Z - k / 2
        return left > 0 and both < left**2 and 2 * both <= Z**2


def negligible(box: Box) -> bool:
    """Return whether (5) and (I2) imply F <= 1/20 on a box."""
    level, i, j = box
    return in_the_corner(box) or 64 * max(i + 1, j + 1) <= 2**level


def den(X: Fraction, Y: Fraction, sigma: Fraction, tau: Fraction) -> Fraction:
    """Return the coefficients of Den, without the terms with h."""
    return sigma * (1 - Y**2) + tau * (1 - X**2) + X**2 + Y**2 - 2 * X**2 * Y**2


def check_all_shapes() -> int:
    """Check (5) to (7) for every shape, and return the number of cases. A range of shapes is one case."""
    tried = 0
    for rows, cols in product(SHAPES, SHAPES):
        if rows.least <= cols.least:
            argument = FromOn(rows, cols)
            goes_through = argument.holds(Fraction(9, 10), 6) or argument.holds(Fraction(97, 100), 8)
            require(goes_through, f"only hooks from {C} (r + s) on, {rows}, {cols}")
            tried += 1
    return tried


# --- all ------------------------------------------------------------------------------------------


def check_algebra() -> None:
    """Check (1), the form of ARD - 1, the derivatives of (6), and the claims about the corner."""
    X, Y, h, eps, sigma, tau, L, l, x = sp.symbols("X Y h eps sigma tau L l x", positive=True)
    pos, neg = (l + sp.Abs(l)) / 2, (sp.Abs(l) - l) / 2
    split = (x - pos) ** 2 + 2 * x * l + 2 * x * neg - pos**2
    for sign in (1, -1):
        require_equal(split.subs(sp.Abs(l), sign * l), x**2, "(1)")

    r, s = 1 + 1 / sigma, 1 + 1 / tau
    Z = X + Y - 1
    A, B = (1 + (r - 1) * X**2) / r, (1 + (s - 1) * Y**2) / s
    a, b, p = ((y - h) / (1 - h) for y in (A, B, least(X, Y, Z, r, s) + eps))
    Den = (1 - Y**2) * (sigma - h * (1 + sigma)) + (1 - X**2) * (tau - h * (1 + tau))
    Den += X**2 * (1 - Y**2) + Y**2 * (1 - X**2)
    Num = 2 * ((1 - h) * (X**2 * Y**2 - Z**2) + h * (1 - X**2) * (1 - Y**2))
    both = (1 + sigma) * (1 + tau)
    require_equal((a + b - 2 * a * b) * both * (1 - h) ** 2, Den, "Den")
    require_equal(2 * (a * b - p) * both * (1 - h) ** 2, Num - 2 * (1 - h) * both * eps, "Num")

    Q = L * Den - Num
    in_x = 2 * L * (1 - tau + h * (1 + tau) - 2 * Y**2) + 4 * (1 - Y**2)
    require_equal(sp.diff(Q, X, 2), in_x, "(6): the second derivative")
    require_equal(sp.diff(Q, X, Y), 4 * (1 - h) - 8 * (1 + L) * X * Y, "(6): the mixed one")
    A, B, P, y = sp.symbols("A B P y")
    risen = L * (A + B + y - 2 * A * (B + y) - h * (2 - A - B - y))
    risen -= 2 * ((1 - h) * (A * (B + y) - P - y) + h * (1 - A) * (1 - B - y))
    require_equal(sp.diff(risen, y), 1 + (1 + L) * (1 - 2 * A) + L * h, "(6): balancing")
    corner = Fraction(63, 64) ** 2  # A, B >= X^2, Y^2; 1 - A <= 1 - X^2; 1/a - 1 = (1 - A)/(A - h)
    require((1 - corner) / (corner - Fraction(1, 3)) < LEAST_EXCESS, "X, Y >= 63/64, n >= 3")
    require(Fraction(1, 2 * C - 2) < LEAST_EXCESS, "(5)")


def stored() -> dict[str, list[tuple[int, int, str]]]:
    """Return the stored covers by shape such as "3x3", each as (first n, last n, cover)."""
    return json.loads(STORED.read_text(encoding="utf-8"))


def write() -> None:
    """Find all covers again and store them: ``python -c "from proofs import max_ard_only_hooks as m; m.write()"``."""
    lines = (f'"{r}x{s}": {json.dumps(find_covers(r, s))}' for r, s in SMALL)
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def verify() -> str:
    """Check the algebra, all shapes for n >= 16 (r + s), the stored covers, and the searches of small shapes."""
    check_algebra()
    covers, searched = stored(), 0
    require(sorted(covers) == sorted(f"{r}x{s}" for r, s in SMALL), "a cover for every small shape")
    for r, s in SMALL:
        searched += check_searched(r, s, check_covers(r, s, covers[f"{r}x{s}"]))
    shapes = check_all_shapes()
    small = f"{len(SMALL)} shapes for every n, {searched} classes searched"
    return f"algebra; {shapes} shapes and ranges of shapes from {C}(r + s) on; {small}"
