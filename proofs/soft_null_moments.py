"""Mean and variance of soft indices over random permutations of the objects, and the mean of the sARI.

Statement `soft-product-moments`: let X and Y be symmetric n x n matrices, and T = sum over i != j of X_ij
    Y_pi(i)pi(j) for a permutation pi. Without the diagonal let x_i be the row sums of X, z = sum x_i, f = sum X_ij^2
    and q = sum x_i^2, and z', f', q' those of Y. Over all n! relabelings pi T has the mean z z'/(n)_2 and E T^2 = 2 f
    f'/(n)_2 + 4 (q - f)(q' - f')/(n)_3 + (z^2 + 2f - 4q)(z'^2 + 2f' - 4q')/(n)_4. If T has the terms i = j as well,
    with d = sum X_ii, e = sum X_ii^2, w = sum X_ii x_i, the mean is greater by d d'/n and E T^2 by 4 w w'/(n)_2 + 2
    (d z - 2w)(d' z' - 2w')/(n)_3 + e e'/n + (d^2 - e)(d'^2 - e')/(n)_2. Terms over (n)_k = 0 are 0.
Statement `soft-distance-moments`: let T = sum over i < j of g(ij, pi(i)pi(j)) for a permutation pi. Over all n!
    relabelings pi T has the mean G/(2 (n)_2) and E T^2 = (2 H_ff/(n)_2 + 4 (H_qq - H_qf - H_fq + H_ff)/(n)_3 +
    D/(n)_4)/4. G is the sum of g(ij, kl) over i != j and k != l. D is the sum of c_s c_t H_st over s, t of a, q, f
    with c_a = 1, c_q = -4, c_f = 2. H_st is the sum of g(ij, kl) g(i'j', k'l') over ordered pairs. The pairs ij, i'j'
    are any pairs if s = a, have i = i' if s = q, and are the same if s = f, and kl, k'l' likewise by t.
Statement `sari-mean`: the mean of the sARI over relabelings is -2(x (m - z') + y (m - z) - (n-2) x y)/(A(m - B) + B(m
    - A)). Here m = n(n-1), x = n - sum |u_i|^2, z = sum over i != j of u_i.u_j and A = z - x for the rows u_i of U,
    and y, z', B likewise of V. If the denominator is positive, the mean is at most 0, and 0 only if both are hard or
    one is a single cluster. The denominator is never negative for n >= K, L.
Statement `sari-least`: for n = 3, ..., 7 objects, 2 x 2 clusters and memberships in multiples of 1/d the sARI is at
    least -1/(n-2). For even d it has this value if all memberships are 1/2, so that the least sARI tends to it as d
    grows.
Statement `adjusted-mean`: the means of the ACI, of the Frobenius adjusted Rand index and of the indices of Frigui and
    Brouwer over relabelings of the objects are 0 if the index is defined at all of them and not always 1.
Statement `sari-range`: for n >= K, L, the numbers of clusters, the sARI is at most 1. For two objects and 2 x 2
    clusters with memberships in multiples of 1/d the least sARI is 1 - d^2, so that the sARI has no lower bound.

Moments.  Under a random permutation k different objects become every k different objects, in every order, with equal
probability.  E T^2 is a sum over two pairs of objects of U, by which of the objects are the same: the same two (2
orders of the second pair), one in common (2 x 2 positions), none.  Each kind is the sum for U times the sum for V
over the number (n)_k of choices of k objects, where the sums factor; else the double sum over both sides.  The sum
over four different objects is all, z^2, less those with a common object: 4 positions, q each, of which the 2 ways to
have both in common, f each, are counted twice: z^2 - 4q + 2f.  q - f is the sum over three different objects.  For T of
distances the same is done on either side apart, hence the products c_s c_t.  With the diagonal, D = sum X_ii
Y_pi(i)pi(i): E D = d d'/n, E D^2 = e e'/n + (d^2 - e)(d'^2 - e')/(n)_2, and E D T: the object is one of the pair (2
positions, w w'/(n)_2) or none of it ((dz - 2w)(d'z' - 2w')/(n)_3).  QED

sARI.  2a = T - n with T over all i, j, and 2(a+b) = A, 2(a+c) = B are fixed, m = n(n-1) in all.  sARI = 2(2a m - AB)/
(A(m - B) + B(m - A)), so its mean has the numerator 2(m(dd'/n + zz'/m - n) - AB) with d = n - x, d' = n - y, A = z -
x, B = z' - y, which is -2(x(m - z') + y(m - z) - (n-2)xy).  u_i.u_j <= (|u_i|^2 + |u_j|^2)/2 gives z <= (n-1)(n - x),
so m - z >= (n-1)x, m - z' >= (n-1)y and x(m - z') + y(m - z) >= 2(n-1)xy >= (n-2)xy + nxy.  It is 0 only if xy = 0,
and x(m - z') = 0 = y(m - z): both hard, or x > 0, y = 0 and z' = m, V a single cluster, or the reverse.  QED

Adjusted indices.  The ACI and the Frobenius index are (x - E x)/(1 - E x).  Those of Frigui and Brouwer are those of a
= the sum of X_ij Y_ij over i < j without i = j, so that E a = (a+b)(a+c)/M and E (a M - (a+b)(a+c)) = 0, which is the
numerator.  QED

The denominator.  A + n = |sum u_i|^2 >= n^2/K, so A >= 0 for n >= K, and A <= m.  A(m-B) + B(m-A) is 0 there only if
A = B = 0, A = B = m, or m = 0.  1 - sARI = m(2b + 2c)/denominator >= 0 as b, c >= 0: the sARI is at most 1.

Two objects, 2 x 2.  Let x, 2 - x and y, 2 - y be the sums of the columns.  Then A/2 = (x-1)^2 =: s, B/2 = (y-1)^2 =:
t, M = 1, the table is the product of the sums over 2 plus h (+ - / - +), and b + c = s + t - 2a = 1 - (2h +
(x-1)(y-1))^2 <= 1.  So sARI = 1 - (b + c)/(s + t - 2st) >= 1 - 1/(s + t - 2st).  s and t are squares of multiples of
1/d in [0, 1], s + t - 2st = s(1-t) + t(1-s) is bilinear, and its least positive value is 1/d^2, at s = 1/d^2, t = 0:
this gives 1 - d^2. It is attained: for even d with V = (1/2, 1/2) twice and U = (0, 1), (1 - 1/d, 1/d); for odd d
with both rows of U ((d+1)/(2d), (d-1)/(2d)) and V = (1, 0), (0, 1).  QED

More objects, 2 x 2. Let u, w be the differences of the sums of the columns of U and of V, d1 = p11 + p22 and d2 = n -
d1 = p12 + p21 for the table p. Then b + c = d1 d2, and 1 - sARI = 4n(n-1) d1 d2/(n^2 (n-1)^2 - (u^2 - n)(w^2 - n)),
where |u + w| = 2|p11 - p22| <= 2 d1 and |u - w| <= 2 d2. With d1 = n/2 + t, or d2, t >= 0, and m = n/2 + t, 1 - sARI
<= (n-1)/(n-2) says that u^2 w^2 - n(u^2 + w^2) <= 4n(n-2) t^2 = n(n-2)(2m - n)^2. The left side is at most k(k - 2n),
k = |u w| <= m^2, so at most 0 where k <= 2n, else at most m^2 (m^2 - 2n); and n(n-2)(2m - n)^2 - m^2 (m^2 - 2n),
which is 0 at m = n, has no zero in between and is positive there for n = 3, ..., 7. All memberships 1/2 give u = w =
t = 0 and equality. QED
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product
from math import perm
from typing import Any

import numpy as np
import sympy as sp

from confmat.indices import soft
from confmat.indices.soft.pair_totals import ProductTotal, SideSums
from confmat.indices.soft.relabelings import relabelled
from proofs import require, require_equal

Rows = list[list[Fraction]]
Matrix = list[list[int]]


def random_rows(rng: random.Random, n: int, clusters: int, d: int) -> Rows:
    """Return n rows of multiples of 1/d that sum to 1."""
    rows = []
    for _ in range(n):
        cuts = sorted(rng.randrange(d + 1) for _ in range(clusters - 1))
        rows.append([Fraction(b - a, d) for a, b in zip([0, *cuts], [*cuts, d])])
    return rows


def symmetric(rng: random.Random, n: int) -> Matrix:
    """Return a symmetric matrix of small integers."""
    values = {frozenset(pair): rng.randrange(-5, 6) for pair in product(range(n), repeat=2)}
    return [[values[frozenset((i, j))] for j in range(n)] for i in range(n)]


def over(numerator: int, n: int, objects: int) -> Fraction:
    """Return numerator/(n)_objects, or 0 if there are fewer objects."""
    return Fraction(numerator, perm(n, objects)) if n >= objects else Fraction(0)


def side_sums(X: Matrix) -> SideSums:
    """Return d, e, z, w, f, q of the statement for a symmetric matrix, the arguments of the formula of the package."""
    own = [row[i] for i, row in enumerate(X)]
    rows = [sum(row) - x for row, x in zip(X, own)]
    return SideSums(
        n=len(X),
        squares=sum(own),
        squared_squares=sum(x * x for x in own),
        products=sum(rows),
        weighted=sum(x * y for x, y in zip(own, rows)),
        squared_products=sum(x * x for row in X for x in row) - sum(x * x for x in own),
        squared_rows=sum(x * x for x in rows),
    )


def product_moments(X: Matrix, Y: Matrix, diagonal: bool) -> tuple[Fraction, Fraction]:
    """Return mean and variance by the formula of the package."""
    nothing = np.empty((0, 0))
    return ProductTotal(nothing, nothing, diagonal, side_sums(X), side_sums(Y), unit=1).moments()


def distance_moments(g: dict[tuple[int, ...], int], n: int) -> tuple[Fraction, Fraction]:
    """Return mean and mean square of a sum of g(ij, kl) over i < j, by sums over all pairs of pairs."""
    pairs = list(permutations(range(n), 2))
    H = dict.fromkeys(product("aqf", repeat=2), 0)
    kinds = {(x, y): ["a", *("q" * (x[0] == y[0])), *("f" * (x == y))] for x in pairs for y in pairs}
    for (x, y), (k, m) in product(kinds, repeat=2):
        value = g[(*x, *k)] * g[(*y, *m)]
        for kind in product(kinds[x, y], kinds[k, m]):
            H[kind] += value
    c = {"a": 1, "q": -4, "f": 2}
    apart = sum(c[s] * c[t] * value for (s, t), value in H.items())
    common = H["q", "q"] - H["q", "f"] - H["f", "q"] + H["f", "f"]
    second = 2 * over(H["f", "f"], n, 2) + 4 * over(common, n, 3) + over(apart, n, 4)
    return Fraction(sum(g.values()), 2 * perm(n, 2)), second / 4


def moments_of(values: list[Any]) -> tuple[Fraction, Fraction]:
    """Return mean and mean square of values that are equally likely."""
    return sum(values, Fraction(0)) / len(values), sum((x * x for x in values), Fraction(0)) / len(values)


def check_totals(rng: random.Random) -> int:
    """Check both formulas against all relabelings, for random symmetric matrices and random g."""
    checked = 0
    for n, _ in product(range(2, 7), range(4)):
        X, Y = symmetric(rng, n), symmetric(rng, n)
        everywhere = list(product(range(n), repeat=2))
        for diagonal in (True, False):
            places = [(i, j) for i, j in everywhere if diagonal or i != j]
            totals = [sum(X[i][j] * Y[o[i]][o[j]] for i, j in places) for o in permutations(range(n))]
            mean, square = moments_of(totals)
            found = product_moments(X, Y, diagonal)
            require(found == (mean, square - mean**2), f"moments of T for {X}, {Y}")
            checked += 1
    for n in (2, 3, 4):
        off = list(permutations(range(n), 2))
        of_pairs = {(frozenset(x), frozenset(k)): rng.randrange(-5, 6) for x in off for k in off}
        g = {(*x, *k): of_pairs[frozenset(x), frozenset(k)] for x in off for k in off}
        totals = [sum(g[i, j, o[i], o[j]] for i, j in off if i < j) for o in permutations(range(n))]
        require(moments_of(totals) == distance_moments(g, n), f"moments of a sum of g, n = {n}")
        checked += 1
    return checked


def check_adjusted(rng: random.Random) -> int:
    """Check that the means of adjusted indices over all relabelings are 0, or 1 if the index is always 1."""
    checked = 0
    for n, d, name in product(range(1, 7), (1, 2, 5), ("fari", "aci", "frigui_adjusted_rand")):
        U, V = (random_rows(rng, n, rng.randrange(1, 4), d) for _ in range(2))
        values = [relabelled(name, U, [V[i] for i in order]).observed for order in permutations(range(n))]
        if all(x == x for x in values):
            mean, _ = moments_of(values)
            require(mean == (1 if set(values) == {1} else 0), f"{name} has mean {mean} for {U}, {V}")
            checked += 1
    return checked


def sari_mean(U: Rows, V: Rows) -> tuple[Fraction, Fraction]:
    """Return numerator and denominator of the mean of the sARI by the formula of the statement."""
    n, sides = len(U), []
    for W in (U, V):
        inner = [[sum(p * q for p, q in zip(x, y)) for y in W] for x in W]
        own = sum((inner[i][i] for i in range(n)), Fraction(0))
        sides.append((n - own, sum(map(sum, inner)) - own))
    (x, z), (y, z2) = sides
    m, A, B = n * (n - 1), z - x, z2 - y
    return -2 * (x * (m - z2) + y * (m - z) - (n - 2) * x * y), A * (m - B) + B * (m - A)


def check_sari(rng: random.Random) -> int:
    """Check the mean of the sARI, its sign, when it is 0, and that the sARI is at most 1."""
    n, x, y, z, t = sp.symbols("n x y z t")
    m = n * (n - 1)
    expected = (n - x) * (n - y) / n + z * t / m
    numerator = -(x * (m - t) + y * (m - z) - (n - 2) * x * y)
    require_equal(m * (expected - n) - (z - x) * (t - y), numerator, "the numerator of the mean of the sARI")
    a, b, c, d = sp.symbols("a b c d")
    A, B, M = a + b, a + c, a + b + c + d
    bottom = A * (M - B) + B * (M - A)
    require_equal(1 - 2 * (a * d - b * c) / bottom, M * (b + c) / bottom, "1 - sARI")
    checked = 0
    for size, denominator, _ in product(range(2, 6), (1, 2, 3), range(30)):
        U, V = (random_rows(rng, size, rng.randrange(1, 3), denominator) for _ in range(2))
        top, below = sari_mean(U, V)
        if below == 0:
            continue
        mean = soft.null_moments(U, V, "sari").mean
        require(mean == top / below, f"mean of the sARI for {U}, {V}")
        require(below > 0 and mean <= 0, f"its sign for {U}, {V}")
        hard = all(max(row) == 1 for row in U + V)
        single = any(len(set(map(tuple, W))) == 1 and max(W[0]) == 1 for W in (U, V))
        require((mean == 0) == (hard or single), f"where it is 0: {U}, {V}")
        require(soft.sari(U, V, exact=True) <= 1, f"sARI of {U}, {V}")
        checked += 1
    return checked


def check_two_objects() -> None:
    """Check the least sARI of two objects: the identity, and all pairs on grids."""
    x, y, h = sp.symbols("x y h")
    table = [[x * y / 2 + h, x * (2 - y) / 2 - h], [(2 - x) * y / 2 - h, (2 - x) * (2 - y) / 2 + h]]
    squares = sum(cell**2 for row in table for cell in row)
    s, t = (x - 1) ** 2, (y - 1) ** 2
    require_equal((x**2 + (2 - x) ** 2 - 2) / 2, s, "A of two objects")
    require_equal(s + t - (squares - 2), 1 - (2 * h + (x - 1) * (y - 1)) ** 2, "b + c of two objects")
    for d in range(1, 6):
        rows = [[Fraction(k, d), 1 - Fraction(k, d)] for k in range(d + 1)]
        sides = list(product(rows, repeat=2))
        values = [soft.sari(U, V, exact=True, undefined="nan") for U in sides for V in sides]
        least = min(value for value in values if value == value)
        require(least == 1 - d * d, f"the least sARI of two objects, memberships in 1/{d}: {least}")


def check_least() -> None:
    """Check the least sARI of 3 to 7 objects in 2 x 2 clusters: the identity, the polynomial, and equality."""
    n, m, x, y, p = sp.symbols("n m x y p")
    cells = [[p, x - p], [y - p, n - x - y + p]]
    squares = sum(cell**2 for row in cells for cell in row)
    A, B = (side**2 + (n - side) ** 2 - n for side in (x, y))
    M = n * (n - 1)
    d1 = cells[0][0] + cells[1][1]
    u, w = 2 * x - n, 2 * y - n
    require_equal((A + B) / 2 - (squares - n), d1 * (n - d1), "b + c of n objects")
    apart = M * (A + B - 2 * (squares - n)) / (A * (M - B) + B * (M - A))
    closed = 4 * M * d1 * (n - d1) / (M**2 - (u**2 - n) * (w**2 - n))
    require_equal(apart, closed, "1 - sARI of n objects")
    for size in range(3, 8):
        gap = size * (size - 2) * (2 * m - size) ** 2 - m**2 * (m**2 - 2 * size)
        quotient, rest = sp.div(gap, size - m, m)
        require(rest == 0, f"the gap is 0 at m = n = {size}")
        # Where m^2 > 2n, from a rational number below the root on, m >= n/2.
        start = max(sp.Rational(size, 2), sp.floor(100 * sp.sqrt(2 * size)) / 100)
        roots = sp.Poly(quotient, m).count_roots(start, size)
        require(roots == 0 and quotient.subs(m, size) > 0, f"the gap is positive for n = {size}")
        half = [[Fraction(1, 2)] * 2] * size
        require(soft.sari(half, half, exact=True) == Fraction(-1, size - 2), f"equality for n = {size}")


def verify() -> str:
    """Check identities, formulas against all relabelings of up to 6 objects, and grids of memberships."""
    rng = random.Random(46)
    totals, adjusted, means = check_totals(rng), check_adjusted(rng), check_sari(rng)
    check_two_objects()
    check_least()
    return f"{totals} totals and {adjusted} adjusted indices of up to 6 objects, {means} means of the sARI"
