"""The triangle inequality of the adjusted Rand distance with a factor: d(X,Z) <= (3/2) (d(X,Y) + d(Y,Z)).

Statement `ard-triangle`: ARD(X,Z) <= K (ARD(X,Y) + ARD(Y,Z)) with K = 3/2 - 1/((n-2)(n+1)) for clusterings X, Y, Z of
    n >= 4 objects, and K is the least such constant. The same is true of any three subsets of M >= 3 pairs, with K =
    3/2 - 1/(2(M-1)).

Equality holds for X = {1,2}, Z = {3,4}, Y = {1,2},{3,4}, with all other objects single; so K is the least constant
for each n, and 3/2 for all n together.

The ARD depends only on the sets of pairs of objects that the clusterings hold together.  Let X, Y, Z be any subsets
of a set of M >= 3 elements, of sizes Mx, My, Mz (as fractions of M: 0 <= x, y, z <= 1), h = 1/M, e(x,y) = x + y - 2xy,
    d(X,Y) = (|X - Y| + |Y - X|) / (M e(x,y)),   and 0 for X = Y.
M = C(n,2) gives the ARD.  We prove d(X,Z) <= K (d(X,Y) + d(Y,Z)), K = 3/2 - h/(2(1-h)) = (3-4h)/(2(1-h)), 1 < K < 3/2.

Proof.  Complementing all three sets changes neither d nor e.  If X is empty or everything, d(X,Y) is 1 or X = Y:
trivial; the same with Z, and if two of the sets are equal.  So by complement and exchange of X and Z
    h <= x, z;  x + z <= 1;  a <= b,  for a = e(x,y), b = e(y,z);  c = e(x,z), all positive.
Let Mp, Mq, Mw be the sizes of the symmetric differences of (X,Y), (Y,Z), (X,Z).  To show: K (p/a + q/b) >= w/c.
(1) w <= p + q.  So it holds if b <= K c.  Let b > K c, that is (y - K x)(1 - 2z) > (K - 1) z.
(2) z < 1/2.  For z = 1/2 this is false; for z > 1/2 it says (K x - y)(2z - 1) > (K - 1) z, where x <= 1 - z, y >= 0,
    but (3-4h)(1-z)(2z-1) - (1-2h) z has discriminant -8 + 32h - 28h^2 < 0 in z.
    So y > Y0 = K x + (K - 1) z/(1 - 2z) >= x.
(3) p >= y - x, q >= |y - z|, w <= x + z, 1/a >= 1/b and K/b < 1/c.  Trading p for q, then raising w (one unit of w
    costs at most one of q, K/b < 1/c), the worst case has p = y - x, w = x + z, q = max(|y - z|, 2x + z - y).
(4) If y >= x + z, then q = y - z.  (y-x)/a and (y-z)/b do not decrease in y: y = x + z is the worst case, (5).
(5) y = x + z.  With s = x + z <= 1, t = xz, G(t) = K (z b + x a) c - s a b >= 0 is to show, for 0 <= t <= s^2/4.
    At t = 0 it is (K - 1) 2 s^3 (1 - s) >= 0, at t = s^2/4, x = z, it is s a x (x - h)/(1 - h) >= 0, as s = 2x >= 2h.
    The coefficient of t^2 is 4K (1 - 2s).  For s > 1/2 G is concave; for s <= 1/2 it decreases, as
        G' = -2K [s^2 + (s^2 - 2t)(1 - 2s) + (1 - 2s)(s - 2t)] - s (1 - 2s)^2.
(6) Let Y0 < y < x + z.  Then x <= z: 2(1-h)(1-2z) (Y0 - x - z), at x = z + h + v, is
        2z^2 - 4h(1-h) z + h(1-2h) + (1-2h)(1-2z) v,
    positive, as its discriminant in z is negative: 2h(1-h)^2 < 1 - 2h; and x is a multiple of h, as z is.  q is
    2x + z - y, and
        H(y) = K [(y-x) b + (2x+z-y) a] c - (x+z) a b
    has the y^2-coefficient 2K (x-z) c - (x+z)(1-2x)(1-2z) <= 0.  At y = x + z it is G >= 0.  At y = Y0, where
    b = Kc, it is b (y-x)(b-a), and a <= b there too: b - a = (z-x)(1-2y) does not increase in y, and Y0 < y.  QED
Up to M = 8 equality holds only for X, Z single and different, Y their union, and for the complements of these.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import comb
from typing import Any

import sympy as sp

from confmat._integers.compositions import bounded_compositions
from confmat.contingency.matrix import contingency_matrix
from confmat.testing.small import set_partitions
from proofs import ard, require, require_equal, require_nonnegative


def constant(M: Any) -> Any:
    """Return K for sets of M pairs."""
    return (3 * M - 4) / (2 * (M - Fraction(1)))


def chance(x: Any, y: Any) -> Any:
    """Return e(x,y), the expected symmetric difference as a fraction of all pairs."""
    return x + y - 2 * x * y


def check_first_steps() -> None:
    """Check the constant K and steps (2), (3) and (4)."""
    x, y, z, h, K, m, n = sp.symbols("x y z h K m n")
    K_h = (3 - 4 * h) / (2 * (1 - h))
    require_equal(constant(1 / h), K_h, "K in h")
    require_equal(constant(n * (n - 1) / 2), sp.Rational(3, 2) - 1 / ((n - 2) * (n + 1)), "K in n")
    require_equal(K_h - 1, (1 - 2 * h) / (2 * (1 - h)), "K > 1")
    require_equal(chance(1 - x, 1 - y), chance(x, y), "complements")
    a, b, c = chance(x, y), chance(y, z), chance(x, z)
    require_equal(b - K * c, (y - K * x) * (1 - 2 * z) - (K - 1) * z, "(1): b > K c")
    quadratic = sp.Poly((3 - 4 * h) * (1 - z) * (2 * z - 1) - (1 - 2 * h) * z, z)
    require_equal(quadratic.discriminant(), -8 + 32 * h - 28 * h**2, "(2): the discriminant")
    require_equal(quadratic.LC(), -2 * (3 - 4 * h), "(2): the leading coefficient")
    require_nonnegative((8 - 32 * h + 28 * h**2).subs(h, 1 / m), {m: 3}, "(2): negative", strict=True)
    require_equal(sp.diff((y - x) / a, y), 2 * x * (1 - x) / a**2, "(4): the slope of (y-x)/a")
    require_equal(sp.diff((y - z) / b, y), 2 * z * (1 - z) / b**2, "(4): the slope of (y-z)/b")


def check_last_steps() -> None:
    """Check steps (5) and (6)."""
    x, y, z, h, K, s, t, v, m = sp.symbols("x y z h K s t v m")
    K_h = (3 - 4 * h) / (2 * (1 - h))
    a, b, c = chance(x, x + z), chance(x + z, z), chance(x, z)
    end = K * (z * b + x * a) * c - (x + z) * a * b
    G = K * (s**2 + (s**2 - 2 * t) * (1 - 2 * s)) * (s - 2 * t) - s * (
        s**2 + s**2 * (1 - 2 * s) + t * (1 - 2 * s) ** 2
    )
    require_equal(end, G.subs({s: x + z, t: x * z}), "(5): G in s and t")
    require_equal(G.subs(t, 0), (K - 1) * 2 * s**3 * (1 - s), "(5): t = 0")
    require_equal(
        end.subs({z: x, K: K_h}), 2 * x * a.subs(z, x) * x * (x - h) / (1 - h), "(5): x = z, where s = 2x"
    )
    slope = -2 * K * (s**2 + (s**2 - 2 * t) * (1 - 2 * s) + (1 - 2 * s) * (s - 2 * t)) - s * (1 - 2 * s) ** 2
    require_equal(sp.diff(G, t), slope, "(5): G'")
    require_equal(sp.diff(G, t, 2), 8 * K * (1 - 2 * s), "(5): the coefficient of t^2")

    low = K_h * x + (K_h - 1) * z / (1 - 2 * z)
    above = 2 * (1 - h) * (1 - 2 * z) * (low - x - z)
    quadratic = 2 * z**2 - 4 * h * (1 - h) * z + h * (1 - 2 * h)
    require_equal(above.subs(x, z + h + v), quadratic + (1 - 2 * h) * (1 - 2 * z) * v, "(6): x > z")
    discriminant = sp.discriminant(quadratic, z)
    require_equal(discriminant, 8 * h * (2 * h * (1 - h) ** 2 - (1 - 2 * h)), "(6): the discriminant")
    require_nonnegative(-discriminant.subs(h, 1 / m), {m: 3}, "(6): negative", strict=True)
    a, b = chance(x, y), chance(y, z)
    H = K * ((y - x) * b + (2 * x + z - y) * a) * c - (x + z) * a * b
    curvature = 2 * (2 * K * (x - z) * c - (x + z) * (1 - 2 * x) * (1 - 2 * z))
    require_equal(sp.diff(H, y, 2), curvature, "(6): the coefficient of y^2")
    require_equal(H.subs(y, x + z), end, "(6): y = x + z")
    require_equal(H.subs(K, b / c), b * (y - x) * (b - a), "(6): b = K c")
    require_equal(b - a, (z - x) * (1 - 2 * y), "(6): a <= b")


def check_sets(M: int) -> int:
    """Check the theorem for all triples of subsets of M elements, and return their number."""
    K, cases = constant(M), 0
    inside = list(product((0, 1), repeat=3))
    for sizes in bounded_compositions(M, (M,) * 8):
        x, y, z = (sum(size * bits[k] for size, bits in zip(sizes, inside)) for k in range(3))
        p, q, w = (
            sum(size for size, bits in zip(sizes, inside) if bits[i] != bits[j])
            for i, j in ((0, 1), (1, 2), (0, 2))
        )
        # M times the denominators e(., .): integers
        a, b, c = (M * (i + j) - 2 * i * j for i, j in ((x, y), (y, z), (x, z)))
        if p and q and w:
            left, right = w * a * b * K.denominator, K.numerator * (p * b + q * a) * c
            require(left <= right, f"the theorem at M = {M}, {(p, q, w), (x, y, z)}")
            tight = sorted([(x, y, z), (M - x, M - y, M - z)])[0] == (1, 2, 1) and w == 2 and p == q == 1
            require((left == right) == tight, f"equality at M = {M}, {(p, q, w), (x, y, z)}")
            cases += 1
    return cases


def check_clusterings(n: int) -> Fraction:
    """Return the largest ARD(X,Z) / (ARD(X,Y) + ARD(Y,Z)) over all triples of clusterings of n objects."""
    every = set_partitions(n)
    d = {
        (f, g): ard(contingency_matrix(f, g)) if f != g else Fraction(0) for f, g in product(every, repeat=2)
    }
    return max(d[x, z] / (d[x, y] + d[y, z]) for x, y, z in permutations(every, 3))


def verify() -> str:
    """Check the algebra, all triples of sets of up to 8 elements, and of clusterings of 4 and 5 objects."""
    check_first_steps()
    check_last_steps()
    triples = sum(check_sets(M) for M in range(3, 9))
    for n in (4, 5):
        require(check_clusterings(n) == constant(comb(n, 2)), f"the least constant for n = {n}")
    require(check_clusterings(3) == Fraction(3, 4), "three objects: the triangle inequality holds")
    return (
        f"algebra; {triples} triples of sets of up to 8 pairs; all triples of clusterings of 4 and 5 objects"
    )
