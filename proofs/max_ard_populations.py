"""The largest ARD of populations, for every shape.

Statement `ard-populations`: for r, s >= 2 the largest ARD of r x s populations is 1 plus the largest value over p, q
    >= 0, p + q <= 1 of 2(r-1)(s-1)pq(2 - 2p - 2q + pq)/(r + s - 2 + (s-2)(r-1)(1-q)^2 + (r-2)(s-1)(1-p)^2 -
    2(r-1)(s-1)(1-p)^2(1-q)^2). The hook with arm entries p/s and leg entries q/r has this ARD, with p = q if r = s.
    It is the limit of the largest ARD of tables of n objects, and its supremum over all shapes is 6 sqrt(3) - 9.

A population is an r x s table of real entries >= 0 with total 1; rows and columns may be empty; A, B, P are the sums
of squares of its row sums, column sums and cells, not A = B = 1.  X, Y, Z and (*) as in `least_pairs`.

Proof.  (1) ARD - 1 = 2 (AB - P)/(A + B - 2AB).  With the least P this is at most
        L = 2 (r-1)(s-1) (X^2 Y^2 - Z^2)/(r + s - 2 + (s-2)(r-1) X^2 + (r-2)(s-1) Y^2 - 2 (r-1)(s-1) X^2 Y^2).
    For X + Y <= 1, Z = 0 and L rises in X and in Y, as the denominator without X^2 is r + s - 2 + (r-2)(s-1) Y^2 > 0.
     So X + Y >= 1, where a hook attains it: X = 1 - q, Y = 1 - p, and X^2 Y^2 - Z^2 = pq (2 - 2p - 2q + pq).  Near X
    = Y = 1 the ARD is at most 1 + o(1) by (I2) of `ard_identities`, so the largest value is attained.
(2) Tables.  With h = 1/n a table's ARD is (1-h) N/(D - h (2-A-B)), N/D that of its population, by (R) of
    `ard_identities`.  Where it is 1 + 1/20 or more (I2) keeps D away from 0, so the two differ by O(h); and so do the
    largest population and its rounding.
(3) All shapes.  By (*) with x = sqrt A, y = sqrt B, ARD <= (x^2 + y^2 - 2 (x+y-1)^2)/(x^2 + y^2 - 2 x^2 y^2).  At a
    given x + y and l > 1, N - l D rises in xy: its slope is -2 + 2l + 4lxy.  So x = y, where this is (3x-1)/(x^2
    (1+x)), largest at x = 1/sqrt(3); if x + y < 1 it is at most 1/(1 - xy) with xy < 1/4, less.  Hooks with many
    equal entries approach it.  QED

(4) r = s.  With k = r/(r-1), arm and leg totals t, y <= 1/k and l > 1, at a given t + y the slope of N - l D in ty is
    2 (l-1)(2-k) + 4l (1-kt)(1-ky) >= 0: arm and leg of the best hook are alike.

The values of 45 shapes, `limit`, are certain to 10^-6: a hook attains them, and boxes of (X, Y) with positive
Bernstein coefficients of (value + 10^-6) D - N, in fractions, show that nothing exceeds them.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from confmat.indices.hooks import best_hook
from confmat.indices.only_hooks import Bounded, cover, in_the_corner
from proofs import require, require_equal
from proofs.least_pairs import least

SHAPES = [(r, s) for s in range(2, 11) for r in range(2, s + 1)]
MANY = 10**9


def parts(t: Any, y: Any, r: Any, s: Any) -> tuple[Any, Any, Any]:
    """Return A, B, P of a hook with arm total t over s - 1 cells and leg total y over r - 1 cells."""
    leg, arm = y**2 / (r - 1), t**2 / (s - 1)
    return (1 - y) ** 2 + leg, (1 - t) ** 2 + arm, (1 - t - y) ** 2 + leg + arm


def ard(A: Any, B: Any, P: Any) -> Any:
    """Return the ARD of a population."""
    return (A + B - 2 * P) / (A + B - 2 * A * B)


def check_algebra() -> None:
    """Check (1) to (3)."""
    X, Y, Z, r, s, p, q, x, l, k, t = sp.symbols("X Y Z r s p q x l k t", positive=True)
    A, B = (1 + (r - 1) * X**2) / r, (1 + (s - 1) * Y**2) / s
    D = r + s - 2 + (s - 2) * (r - 1) * X**2 + (r - 2) * (s - 1) * Y**2
    D -= 2 * (r - 1) * (s - 1) * X**2 * Y**2
    N = 2 * (r - 1) * (s - 1) * (X**2 * Y**2 - Z**2)
    require_equal(ard(A, B, least(X, Y, Z, r, s)) - 1, N / D, "(1)")
    short = (X**2 * Y**2 - (X + Y - 1) ** 2).subs({X: 1 - q, Y: 1 - p})
    require_equal(short, p * q * (2 - 2 * p - 2 * q + p * q), "(1): in p and q")
    hook = parts(p * (s - 1) / s, q * (r - 1) / r, r, s)
    require_equal(ard(*hook) - 1, (N / D).subs({Z: X + Y - 1}).subs({X: 1 - q, Y: 1 - p}), "(1): the hook")
    total, product = sp.symbols("total product")
    squares = total**2 - 2 * product
    difference = squares - 2 * (total - 1) ** 2 - l * (squares - 2 * product**2)
    require_equal(sp.diff(difference, product), -2 + 2 * l + 4 * l * product, "(3): the slope in xy")
    y, r = total - t, k / (k - 1)
    A, B, P = parts(t, y, r, r)
    rise = 2 * (l - 1) * (2 - k) + 4 * l * (1 - k * t) * (1 - k * y)
    slope = sp.diff(A + B - 2 * P - l * (A + B - 2 * A * B), t)
    require_equal(slope, rise * sp.diff(t * y, t), "(4): the slope in ty")
    same = ard(x**2, x**2, (2 * x - 1) ** 2)
    require_equal(same, (3 * x - 1) / (x**2 * (1 + x)), "(3): x = y")
    require_equal(sp.diff(same, x), 2 * (1 - 3 * x**2) / (x**3 * (1 + x) ** 2), "(3): largest at 1/sqrt(3)")
    top = same.subs(x, 1 / sp.sqrt(3))
    require(sp.simplify(top - (6 * sp.sqrt(3) - 9)) == 0, "(3): 6 sqrt(3) - 9")
    require(top > sp.Rational(4, 3), "(3): 1/(1 - xy) < 4/3")


def limit(r: int, s: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the largest ARD to six digits, and arm and leg total of the best hook of 10^9
    objects.

    >>> [float(x) for x in limit(2, 2)]
    [1.107813, 0.171350947, 0.171350947]
    """
    hook = best_hook(MANY, r, s)
    arm, leg = Fraction(hook.arm, MANY), Fraction(hook.leg, MANY)
    value = ard(*parts(arm, leg, Fraction(r), Fraction(s)))
    return round(value, 6), arm, leg


def check_limit(r: int, s: int) -> None:
    """Check that the value of a shape is attained, is an upper bound, and is approached by tables."""
    value, arm, leg = limit(r, s)
    attained = ard(*parts(arm, leg, Fraction(r), Fraction(s)))
    require(abs(attained - value) < Fraction(1, 10**6), f"the value at {(r, s)}: {float(attained)}")
    sigma, tau = Fraction(1, r - 1), Fraction(1, s - 1)
    level = value - 1 + Fraction(1, 10**6)
    bounded = Bounded(level, (sigma + tau, 1 - tau, 1 - sigma), Fraction(0), Fraction(1))
    found = cover(lambda box: in_the_corner(box) or bounded.most(box) < 0, 16)
    require(found is not None, f"no population has more at {(r, s)}")
    require(0 < best_hook(10**6, r, s).ard - attained < Fraction(1, 10**4), f"many points at {(r, s)}")


def verify() -> str:
    """Check the algebra, and the value of every shape."""
    check_algebra()
    for r, s in SHAPES:
        check_limit(r, s)
    return f"algebra; the values of {len(SHAPES)} shapes"
