"""The lower bound of the Rand distance at given MED, sharp for s >= r + 2.

Statement `rd-given-med-lower`: 2F >= s/(r(s-1)) m^2, m = n MED.
Statement `rd-given-med-lower-sharp`: 2F >= s(r+s-2)/(r(s-1)^2) m^2, m = n MED.
Statement `rd-given-med-lower-wide`: 2F >= t(r+t-2)/(r(t-1)^2) m^2, m = n MED, t = max(s, r + 2); sharp for s >= r +
    2.

k = k(N) is the weight of a best matching, m = n - k = n MED, 2F = n(n-1) RD = sum x_ij d_ij, d_ij = R_i + C_j - 2 x_ij.

Theorem.  For 2 <= r, s >= r + 2: 2F >= c m^2, c(r,s) = s(r+s-2)/(r(s-1)^2).  The entries may be any real numbers >= 0,
rows and columns may be empty.  Tables with all cells equal attain it, so no larger constant holds for the shape.

Corollary.  For r <= s: 2F >= c(r, max(s, r+2)) m^2, as empty columns change neither F nor m.  For s = r and s = r+1
that is 2(r+2)/(r+1)^2 m^2; the better constant c(r,s) is proved there up to 6 x 6 (`rand_given_med_small`), and open
otherwise. All this is at least s/(r(s-1)) m^2, for c(r,s) = s/(r(s-1)) (1 + (r-1)/(s-1)), and for s = r >= 3 and s =
r + 1; for 2 x 2 that is m^2, and 2F = 2km >= 2m^2.

Proof.  Write rho = x/R_i, kappa = x/C_j (both 0 where x = 0).  p = min(rho, kappa) = x/max(R_i, C_j) has row and
column sums at most 1, so it is a convex combination of partial matchings (Birkhoff, von Neumann): sum x p <= k,
m <= sum x (1-p).  With Cauchy's inequality m^2 <= [sum x d] [sum x (1-p)^2/d] = 2F G (d = 0 only where p = 1), where
    G = sum phi(rho, kappa),   phi = rho kappa (1 - min(rho,kappa))^2 / (rho + kappa - 2 rho kappa).
It remains to show G <= 1/c.  Put t = r+s-2, K = (s-1)/(s t^2), and
    L = K (a rho + b kappa + g),   a = s(s-1) - 2t,  b = r^2 (s-1)/s,  g = 2(r-1)/s,
the tangent plane of phi1 (below) at (1/s, 1/r), where the cells of a constant table lie.  Then a >= b >= 0 (this
needs s >= r+2), and the sum of rho over all cells is at most r, that of kappa at most s, so the sum of L is at most
K(a r + b s + g rs) = 1/c.
For r >= 3 phi <= L at every cell; for r = 2 the sum over a column of phi - L is <= 0.  Either proves the theorem.

Let phi1 = rho kappa (1-rho)^2/(rho + kappa - 2 rho kappa) = (1-rho)^2 kappa/(1 + u kappa), u = 1/rho - 2; this is phi
where rho <= kappa.  Put tau = r(s-1)/(st), so that tau^2 = K b, and rho* = 2(r-1)(s-1)/t^2; tau <= rho* < 1/2.
(1) 0 < rho <= tau, any kappa >= 0: phi1 - K b kappa <= (1-rho-tau)^2/u, as the difference is a square; so
        phi1 - L <= (1-rho-tau)^2/u - K(a rho + g) = -(rho - 1/s)^2 (rho* - rho)/(1 - 2 rho) <= 0.
(2) tau < rho <= 1, 0 <= kappa <= 1: phi1 - L <= max(0, -E(rho)), E(rho) = K(a rho + b + g) - rho (1-rho).
    For rho < 1/2, phi1 - L is concave in kappa and its slope at kappa = 1, rho^2 - tau^2, is positive, so its largest
    value is the one at kappa = 1; for 1/2 <= rho < 1 it is convex, so it is largest at kappa = 1 or 0.  There it is
    -E, and -K(a rho + g) <= 0.  At rho = 1 phi1 = 0 <= L.
(3) kappa < rho: phi(rho, kappa) = phi1(kappa, rho), and L(kappa, rho) = L(rho, kappa) - K(a-b)(rho - kappa).  So a
    bound of phi1 - L at (kappa, rho) holds for phi - L at (rho, kappa), and K(a-b)(rho - kappa) >= 0 may be taken off.
r >= 3: the least value of E, K(b+g) - (1-Ka)^2/4, is >= 0, so phi <= L.
r = 2 (t = s, rho* = tau = 2(s-1)/s^2): E = (rho - tau)(rho - (2s-1)/s^2), so E >= -1/(4 s^4), and E < 0 only for
    tau < rho < (2s-1)/s^2 < 1/2.  For such rho, concavity gives phi1 - L <= -E - (rho^2 - tau^2)(1-kappa), which is
    positive only if 1 - kappa < delta = 1/(4(s-1)).  For kappa < rho such an excess needs kappa < (2s-1)/s^2 and
    rho > 1 - delta, and then K(a-b)(rho - kappa) > 1/(4 s^4).  So phi > L happens only where kappa > 1 - delta, and
    by at most 1/(4 s^4).  The other cell of this column has kappa' < delta, so min(rho',kappa') < delta < tau, and
    by (1), (3) its phi - L <= -(1/s - delta)^2 (tau - delta) <= -1/(4 s^4).  (At x' = 0: phi - L = -K g, which is
    what (1) says for rho = 0.)  Together the column has at most 0.  QED
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from proofs import (
    Table,
    best_matching_weight,
    margins,
    require,
    require_equal,
    require_nonnegative,
    small_classes,
    twice_disagreements,
)

WIDE = [(2, 4, 6), (2, 5, 5), (2, 6, 5), (3, 5, 4), (3, 6, 4)]  # r, s >= r + 2, largest n


def constant(r: Any, s: Any) -> Any:
    """Return c(r,s): the constant of the theorem for s >= r + 2."""
    return s * (r + s - 2) / (r * (s - 1) ** 2)


def plane(r: Any, s: Any) -> tuple[Any, Any, Any, Any]:
    """Return K, a, b, g of the tangent plane K (a rho + b kappa + g)."""
    t = r + s - 2
    return (s - 1) / (s * t**2), s * (s - 1) - 2 * t, r**2 * (s - 1) / s, 2 * (r - 1) / s


def check_plane() -> None:
    """Check the tangency, the sum of L over the cells, a >= b, and tau."""
    r, s, rho, kappa, v = sp.symbols("r s rho kappa v", positive=True)
    K, a, b, g = plane(r, s)
    t, tau, star = r + s - 2, r * (s - 1) / (s * (r + s - 2)), 2 * (r - 1) * (s - 1) / (r + s - 2) ** 2
    phi1 = rho * kappa * (1 - rho) ** 2 / (rho + kappa - 2 * rho * kappa)
    gap = phi1 - K * (a * rho + b * kappa + g)
    for what in (gap, sp.diff(gap, rho), sp.diff(gap, kappa)):
        require_equal(what.subs({rho: 1 / s, kappa: 1 / r}), 0, "L is the tangent plane at (1/s, 1/r)")
    require_equal(K * (a * r + b * s + g * r * s), 1 / constant(r, s), "the sum of L")
    require_nonnegative((a - b).subs(s, r + 2 + v), {r: 0, v: 0}, "a >= b for s >= r + 2")
    require_equal(tau**2, K * b, "tau^2 = K b")
    # divided by (s-1)/(s t^2) > 0
    require_equal((star - tau) * s * t**2 / (s - 1), (r - 2) * (s - r), "tau <= rho*")
    require_equal(sp.Rational(1, 2) - star, (s - r) ** 2 / (2 * t**2), "rho* < 1/2 for r < s")
    require_equal(constant(r, r + 2), 2 * (r + 2) / (r + 1) ** 2, "the corollary's constant")
    require_equal(constant(r, s), s / (r * (s - 1)) * (1 + (r - 1) / (s - 1)), "the weaker bound")
    for columns, least in ((r, 3), (r + 1, 2)):
        surplus = constant(r, r + 2) - columns / (r * (columns - 1))
        require_nonnegative(surplus, {r: least}, f"the weaker bound, s = {columns}, r >= {least}")

    # (1): with w = 1 - rho - tau and y = u kappa
    w, y, T = sp.symbols("w y T")
    require_equal((w**2 + T**2 * y) * (1 + y) - (w + T) ** 2 * y, (w - T * y) ** 2, "(1): a square")
    bound = (1 - rho - tau) ** 2 * rho / (1 - 2 * rho) - K * (a * rho + g)
    require_equal(bound, -((rho - 1 / s) ** 2) * (star - rho) / (1 - 2 * rho), "(1)")

    # (2)
    E = K * (a * rho + b + g) - rho * (1 - rho)
    require_equal(gap.subs(kappa, 1), -E, "(2): kappa = 1")
    require_equal(gap.subs(kappa, 0), -K * (a * rho + g), "(2): kappa = 0")
    slope = sp.diff(gap, kappa)
    require_equal(slope.subs(kappa, 1), rho**2 - K * b, "(2): the slope at kappa = 1")
    curve = sp.diff(gap, kappa, 2)
    bend = 2 * (1 - rho) ** 2 * rho**2 * (1 - 2 * rho) / (rho + kappa * (1 - 2 * rho)) ** 3
    require_equal(curve, -bend, "(2): concave for rho < 1/2, convex above")
    # (3)
    swapped = K * (a * kappa + b * rho + g)
    require_equal(K * (a * rho + b * kappa + g) - swapped, K * (a - b) * (rho - kappa), "(3)")

    # r >= 3: the least value of the parabola E
    least = K * (b + g) - (1 - K * a) ** 2 / 4
    require_equal(E - least, (rho - (1 - K * a) / 2) ** 2, "the least value of E")
    require_nonnegative(least.subs(s, r + v), {r: 3, v: 0}, "E >= 0 for r >= 3")


def check_two_rows() -> None:
    """Check the case r = 2."""
    s, rho, kappa = sp.symbols("s rho kappa", positive=True)
    K, a, b, g = plane(sp.Integer(2), s)
    tau, top, delta = 2 * (s - 1) / s**2, (2 * s - 1) / s**2, 1 / (4 * (s - 1))
    require_equal(tau**2, K * b, "r = 2: tau")
    E = K * (a * rho + b + g) - rho * (1 - rho)
    require_equal(E, (rho - tau) * (rho - top), "r = 2: E")
    require_equal(E + 1 / (4 * s**4), (rho - (tau + top) / 2) ** 2, "r = 2: E >= -1/(4 s^4)")
    chord = (rho - tau) * (top - rho - (rho + tau) * (1 - kappa))  # > 0: (rho + tau)(1 - kappa) < top - rho
    require_equal(-E - (rho**2 - tau**2) * (1 - kappa), chord, "r = 2: by concavity")
    require_equal((top - tau) / (2 * tau), delta, "r = 2: and 1 - kappa < (top - tau)/(2 tau) = delta")

    small = 1 / (4 * s**4)
    positive = {
        "top < 1/2": sp.Rational(1, 2) - top,
        "no excess where kappa < rho": K * (a - b) * (1 - delta - top) - small,
        "delta < 1/s": 1 / s - delta,
        "delta < tau": tau - delta,
        "the other cell of the column": (1 / s - delta) ** 2 * (tau - delta) - small,
    }
    for step, difference in positive.items():
        require_nonnegative(difference, {s: 4}, f"r = 2: {step}", strict=True)
    require_equal(K * g, tau / s**2, "r = 2: an empty cell")


def check_table(table: Table, r: int, s: int) -> None:
    """Check every step on one table, s >= r + 2, in fractions; rows and columns may be empty."""
    rows, cols = margins(table)
    twice, m = twice_disagreements(table), sum(rows) - best_matching_weight(table)
    K, a, b, g = plane(Fraction(r), Fraction(s))
    missed, G = Fraction(0), Fraction(0)
    excess = [[-K * g for _ in cols] for _ in rows]
    for i, R in enumerate(rows):
        for j, C in enumerate(cols):
            x = table[i][j]
            if x:
                rho, kappa, p = Fraction(x, R), Fraction(x, C), Fraction(x, max(R, C))
                phi = x * (1 - p) ** 2 / (R + C - 2 * x) if p < 1 else Fraction(0)
                missed, G = missed + x * (1 - p), G + phi
                excess[i][j] = phi - K * (a * rho + b * kappa + g)
    require(m <= missed, f"m <= sum x(1-p) for {table}")
    require(missed**2 <= twice * G, f"Cauchy for {table}")
    require(max(map(max, excess)) <= (Fraction(1, 4 * s**4) if r == 2 else 0), f"phi - L for {table}")
    require(all(sum(column) <= 0 for column in zip(*excess)), f"phi - L over a column of {table}")
    require(G * constant(Fraction(r), s) <= 1, f"G <= 1/c for {table}")
    require(constant(Fraction(r), s) * m**2 <= twice, f"the bound for {table}")


def verify() -> str:
    """Check the algebra, every step for all small tables, also with empty rows or columns, and equality."""
    check_plane()
    check_two_rows()
    steps = corollary = 0
    for _, r, s, tables in small_classes(*WIDE, allow_empty=True):
        for table in tables:
            check_table(table, r, s)
        steps += len(tables)
    for (r, s, _), entry in product(WIDE, (1, 2, 5)):
        equal = [[entry] * s] * r
        check_table(equal, r, s)
        m = r * s * entry - best_matching_weight(equal)
        attained = twice_disagreements(equal) == constant(Fraction(r), s) * m**2
        require(attained, f"the constant {r} x {s} table attains the bound")
    for n, r, _, tables in small_classes((2, 2, 9), (2, 3, 7), (3, 3, 6), (3, 4, 5)):
        for table in tables:
            least = constant(Fraction(r), r + 2) * (n - best_matching_weight(table)) ** 2
            require(least <= twice_disagreements(table), f"the corollary for {table}")
        corollary += len(tables)
    return f"algebra; every step on {steps} tables, the corollary on {corollary}"
