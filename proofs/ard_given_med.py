"""The largest ARD at a given MED, for every number of clusters.

Statement `ard-given-med-populations`: a population is a table of finitely or countably many rows and columns with
    entries >= 0 and total 1. If 0 < MED = mu < 1, its ARD is less than phi(mu) = 4(4 - 3 mu)/((2 - mu)^2 (4 - mu)),
    and phi(mu) is the supremum of the ARD over the populations with this MED.
Statement `ard-given-corner`: let a population of at least two positive cells have a largest row and a largest column
    that meet in a cell with the entry c. Its ARD is less than phi(1 - c) = 4(1 + 3c)/((1 + c)^2 (3 + c)), and for 0 <
    c < 1 this is the supremum of the ARD over the populations with this c.
Statement `ard-given-med-tables`: let m = n MED. If m >= 1, n >= (m + 4)^2 and some pair of objects is together in
    both clusterings, then ARD > 1 if and only if all objects lie in one row and one column that meet in a cell of n -
    m objects, with other objects in each of them. If m >= 2 and n >= (m + 4)^2, the largest ARD of all pairs of
    clusterings with this MED is that of the hook of ones, a cell of n - m objects with ceil(m/2) ones in its row and
    floor(m/2) in its column. Only this table has it, up to order, transposition and empty rows and columns. If m = 1
    and n >= 3, the largest ARD is M/(M - 1).
Statement `ard-negative-least-med`: if 2 <= r <= s and n >= (r + s + 2)^2, the least n MED of the r x s tables without
    empty rows or columns and with ARI < 0 is r + s - 2.
Statement `ard-given-med-small`: for n <= 12 and 2 <= m <= n - 2 the largest ARD of all pairs of clusterings with n
    MED = m is that of the hook of ones, except at (n, m) = (4, 2), (5, 2), (5, 3), (6, 3), (7, 3), (7, 4), (7, 5),
    (8, 5) and (9, 7), where it is larger.

The first two statements are not about tables of n objects, whose ARD can exceed phi(MED).  For example, the hook of
ones with n = 11 and n MED = 2 has the ARD 11/10, more than phi(2/11).  By (R) of `ard_identities` the ARD of a table
is at least that of its population.  `table_bound` is a bound for tables.

Populations.  Cells x_ij, row sums a_i, column sums b_j, A, B, P the sums of their squares, k the supremum of the
weights of the matchings, mu = 1 - k, N = A + B - 2P, D = A + B - 2AB, ARD = N/D; D > 0 because more than one cell is
positive. x = sqrt A, y = sqrt B, X = (x + y)/2, h = mu/2, K = 1 - 2h = k, Phi(X) = (3X - 1)/(X^2 (1 + X)), mu* = 2 -
2/sqrt 3, where 1 - h = 1/sqrt 3, the largest point of Phi.
(A0) Phi' = 2(1 - 3X^2)/(X^3 (1 + X)^2), phi(mu) = Phi(1 - mu/2), and phi >= 1 on [0, 1] as 4(4 - 3mu) - (2 - mu)^2 (4
    - mu) = mu (8 - 8mu + mu^2).
(A1) sqrt P >= x + y - 1.  a_1, b_1 the largest sums: A <= a_1 <= x, B <= b_1 <= y.  By (a_1 - a_i)(b_1 - b_j) >= 0,
    sum x_ij a_i b_j >= A b_1 + B a_1 - a_1 b_1 = xy (x + y - 1) + (b_1 - B)(x - a_1) + (x - A)(y - b_1), and by
    Cauchy-Schwarz it is at most sqrt P xy.
(A2) Take any matching, on the diagonal, and now call its weight k; unmatched rows and columns are paired with empty
    ones.  p_i = a_i/x, q_i = b_i/y, t_i = p_i q_i, e_i = (1 - p_i)(1 - q_i), so p_i + q_i - 1 = t_i - e_i.  For 0 < f
    <= 1 let L_ij = p_i q_j off the diagonal and L_ii = max(t_i, t_i - e_i + f).  As L_ij >= p_i + q_j - 1 + f [i =
    j], x + y - 1 + f k <= sum x_ij L_ij <= sqrt P |L|, and |L|^2 = 1 + sum of T_i over J, where e_i < f, with T_i =
    (f - e_i)(2 t_i + f - e_i).  The bound then holds for the supremum k as well.
(A3) f = 1: T_i = (p_i + q_i)^2 - t_i^2, so |L|^2 <= 1 + 1 + 1 + 2 = 5: sqrt 5 sqrt P >= x + y - 1 + k.
(A4) f = 1/4: the sum of T_i is at most 2f + f^2, so (5/4) sqrt P >= x + y - 1 + k/4.  Let j = |J|, finite as e_i ->
    1, S = sum of t_i over J <= 1; by Cauchy-Schwarz sum e_i >= j - 2 sqrt j + S.  j <= 1: T_i <= f (2 + f).  j >= 3:
    T_i <= 2f t_i + f^2 - f e_i, enough if (j - 1) f <= (sqrt j - 1)^2, that is (1 + f)/(1 - f) = 5/3 <= sqrt j.  j =
    2: T_i <= 2f t_i + f^2 - f e_i - 2 e_i t_i leaves f <= 2(1 - S) + e_1 + e_2 + 8 (e_1 t_1 + e_2 t_2), with e_1 +
    e_2 >= S - c, c = 2 sqrt 2 - 2.  True if S <= 0.9215, and above if both t_i >= 0.106, in rational numbers below.
    Else t_2 < 0.106 say, t_1 > 0.8155, p_1, q_1 > 0.8155, p_2, q_2 < 0.58, and e_2 < 1/4 makes p_2, q_2 > 0.4, t_2 >
    0.16.
(A5) For t >= 1 and P >= rho^2, where rho depends on x + y and k only, N - tD <= (1 - t)(x^2 + y^2) - 2 rho^2 + 2t x^2
    y^2 increases in xy at a given x + y, strictly if t > 1: at most 2 (X^2 - rho^2 - t X^2 (1 - X^2)).
(A6) X >= 1 - h, mu <= mu*: rho = 2X - 1 and X^2 - (2X - 1)^2 = Phi(X) X^2 (1 - X^2), where Phi(X) <= Phi(1 - h).
(A7) X < 1 - h, any mu: with t = phi (A5) asks for (E) (1-h)^2 (2-h) rho^2 >= X^2 ((2-3h) X^2 - h(2 - 4h + h^2)). X <=
    h: rho = 0, and the bracket is at most -2h (1-h)(1-2h).  X = h + vK, 0 <= v <= 4/5: rho = 2vK/sqrt 5 by (A3), and
    (E) is K F(h, v) >= 0; F has no negative Bernstein coefficient.  X = 1 - h - s, 0 < s <= K/5: rho = K - 8s/5 by
    (A4), (E) is s G(s) >= 0, and G is at least a linear function of s with positive ends, by Bernstein coefficients.
    Both are strict for 0 < h < 1/2.
(A8) Not attained if mu <= mu*.  Equality needs x = y as t > 1, X >= 1 - h as (A7) is strict, X < 1 as more than one
    cell is positive, and equality in (A1), so b_1 = y as x - A = x (1 - x) > 0: one column, b_1 = 1 = y.
(A9) The corner.  Row 1 and column 1 are the largest, c = x_11, x_0 = (1 + c)/2, z = xy, f = Phi(x_0) >= 1, so c^2 =
    x_0^2 - f x_0^2 (1 - x_0^2) by (A6), and half of N - f D is (z - x_0^2)(f z + c^2/x_0^2) - (f - 1)(x - y)^2/2 - (P
    - c^2).  P > c^2 as more than one cell is positive, so N < f D if z <= x_0^2.  Let z > x_0^2 and a = sqrt(a_1
    b_1).  z <= a as A <= a_1 and B <= b_1, and a <= (a_1 + b_1)/2 <= x_0 as a_1 + b_1 - c <= 1.  By (A1) without the
    corner, sum' x_ij a_i b_j >= A b_1 + B a_1 - (1 + c) a_1 b_1 >= 2a (z - x_0 a) > 0, and by Cauchy-Schwarz it is at
    most the root of (P - c^2)(z^2 - a^4).  As (z - x_0 a)^2 - (z - a^2)(z - x_0^2) = z (a - x_0)^2, and 4a^2/(z +
    a^2) increases in a, P - c^2 >= 4a^2 (z - x_0^2)/(z + a^2) >= 4z (z - x_0^2)/(1 + z).  N < f D follows from 4z >
    (1 + z)(f z + c^2/x_0^2) for x_0^2 <= z <= x_0 < 1, by Bernstein coefficients.
(A10) mu > mu*.  One cell is a matching: c <= 1 - mu, (1 + c)/2 <= 1 - h < 1/sqrt 3, where Phi increases, so ARD <
    Phi(1 - h) by (A9).
(A11) Supremum: corner 1 - mu, a row and a column of l cells mu/(2l) each; the corner is the best matching for large
    l; A, B -> (1-h)^2, P -> (1-2h)^2, the ARD -> Phi(1 - h).  QED

Tables.  Cells x_ij, w the largest; A, B, P, M in pairs.  Doubled pairs are x (x - 1).
(C0) D = A(M - B) + B(M - A) > 0 as m >= 1, and ARD > 1 if and only if AB > MP.  Only if: let P >= 1 and AB > MP.
(C1) Rows have y_i <= w matched objects and r_i others, sum r_i = m: A <= P + wm + C(m,2), likewise B; w(w-1) <= 2P <=
    (w-1) n.
(C2) w >= n - 4m - 2.  n(n-1) p < (p + g)^2 with p = 2P, g = 2mw + m(m-1); the difference is convex in p, so this
    holds at p = w(w-1) or (w-1) n.  Suppose 2 <= w <= n - 4m - 3.  For 1 <= u <= n - 4m - 4 (u+m)^2 <= nu, and
    (w+m)^2 <= (n-1) w; with u = w - 1 they exclude the first, as w(w-1) + g = (w+m)(w+m-1).  At the second, with e =
    n - 4m - 4 >= u, G = n + 2m, c = m^2 + m <= G: ((w-1) n + g)^2 = (uG + c)^2 <= uG ((e+1) G + 2c) <= u n^2 (n-1).
(C3) So 2w > n, and w is in every best matching.  al, be others in its row, its column, S = al + be <= m, d objects off
    both, n = w + S + d, S + d <= 4m + 2, w >= m^2 + 4m + 14.
(C4) d = 0.  Else 2A <= (w+al)(w+al-1) + E1, E1 = (be+d)^2, 2B <= (w+be)(w+be-1) + E2, E2 = (al+d)^2, 2P >= w(w-1).
    With T = wn, U = (w+al)(w+be), q = al be, n(n-1) w(w-1) - (w+al)(w+al-1)(w+be)(w+be-1) = (T-U)(T+U-2w-S+1) - dT >=
    d w ((4w-m^2)(2w-1) - 4(w+4m+2))/4, and E1 + E2 <= (S+d)^2 + d^2 <= d (m+3)^2 and <= 8 (2m+1)^2, so 4AB <=
    (w+al)(w+al-1) (w+be)(w+be-1) + d (m+3)^2 ((w+m)^2 + 2(2m+1)^2); the gain is at least that, so 4AB <= 4MP.
(C5) A hook with corner w = n - m.  Were its row or its column otherwise empty, AB = MP.
(C6) If: cells of the arm add up to al, of the leg to be, al + be = m, q = al be >= 1, pa, pl pairs in these cells.
    The corner is the best matching as m < w, and AB - MP > q (w(w-1) - nm)/2 > 0 for n >= 3m + 1.
(C7) Arm cells cut into ones: B and P fall by y = pa, and the ARD increases if y > 0: the cross difference is 2y
    (A(M-A) + (M-2A)(B-P)), positive as 0 <= B - P <= M - A.  Likewise the leg.
(C8) Hooks of ones: for t >= 1 M(A+B-2P) - tD increases strictly with q: with t the ARD at the smaller q, q =
    floor(m^2/4).
(C9) Tables with P >= 1 that are not such hooks have ARD <= 1.  If P = 0, A, B <= C(m+1,2), so ARD <= M/(M -
    C(m+1,2)), and the hook of ones has more: 4q w(w-1) > m^2 (m+1)(2w+m).
(C10) m = 1: one object is off the matching, in the row of a matched cell y_1 and the column of y_2, A = Q + y_1, B = Q
    + y_2, P = Q, M >= Q + y_1 + y_2 + y_1 y_2, and y_1, y_2 <= 1 if Q = 0: (M-1)(A+B-2P) <= D, with equality at y_1 =
    y_2 = 1, Q = 0.
(C11) r x s: n > rs gives P >= 1.  m <= r + s - 3 gives n >= (m+4)^2, so a hook, but its row and column have s - 1 and
    r - 1 other objects; m = 0 has ARD 0.  The hook of ones with m = r + s - 2 has ARD > 1 by (C6).  QED

Small n: `verify` compares all pairs of clusterings of up to 9 objects with an ARD above 1, and ``largest(n)`` those
of n.  It also compares each with the hook of ones that has the same corner (`ard-given-corner-hooks`).

A bound for tables, `table_bound`: for a bound f >= 1 on the ARD of the population, n objects and t = ARD > 1, (t - (1
    - 1/n) f)(t - 1) <= t^2/n.  By (R) of `ard_identities` t (D - (2-A-B)/n) = (1 - 1/n) N <= (1 - 1/n) f D, so (t -
    (1 - 1/n) f) D <= t (2-A-B)/n.  D is 2 - A - B times the mean of A and B with weights 1 - B and 1 - A, at least (A
    + B)/2, at least the harmonic mean of A and B; that of the fractions of pairs is less, and is at least 1 - 1/t as P
    >= 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import Any, NamedTuple

import sympy as sp

from confmat._integers.compositions import bounded_compositions, partitions
from confmat.indices.extremes import _bound_of_tables as table_bound
from confmat.indices.extremes import ard_bound, max_ard_given_med
from proofs import (
    Table,
    ard,
    is_hook,
    margins,
    pairs,
    require,
    require_equal,
    require_nonnegative,
)

MOST = 9  # objects of the pairs of clusterings that `verify` compares
CORNERS_FROM = 6  # objects in statement `ard-given-corner-hooks`
SPLIT = Fraction(9215, 10_000)  # of S in (A4)
SMALL = Fraction(106, 1000)  # of t_2 in (A4)
HALF = Fraction(1, 2)
ROOT = Fraction(8285, 10_000)  # more than c = 2 sqrt 2 - 2

# n, n MED where some pair of clusterings has a larger ARD than the hook of ones
LARGER = {(4, 2), (5, 2), (5, 3), (6, 3), (7, 3), (7, 4), (7, 5), (8, 5), (9, 7)}

# Bernstein coefficients: of F in (A7) on h from 0 to 1/2 and v from 0 to 4/5, a row for each degree in h.
COEFFICIENTS = [
    "0 0 64/375 64/125 128/625",
    "0 0 38/375 22/125 28/625",
    "0 1/30 67/1125 43/750 2/375",
    "1/16 1/16 323/6000 73/2000 21/2000",
    "1/8 1/10 3/40 1/20 1/40",
]
# of the line below G in (A7), at s = 0 and s = K/5, on h from 0 to 1/4 and from 1/4 to 1/2
QUARTICS = [
    ["162/125 1439/2000 1509/4000 3037/16000 321/3200", "321/3200 173/16000 77/4000 11/160 1/8"],
    ["66/125 533/2000 289/2400 1613/32000 113/4000", "113/4000 39/6400 763/24000 617/8000 1/8"],
]
# of the last step of (A9) on x_0 from 1/2 to 1 and u from 0 to 1, where z = x_0^2 + u (x_0 - x_0^2)
CORNER = ["7/16 5/8 3/4", "15/16 39/32 11/8", "19/12 47/24 17/8", "5/2 23/8 3", "4 4 4"]


# --- populations ----------------------------------------------------------------------------------


def phi(mu: Any) -> Any:
    """Return the bound phi of the ARD at a given MED."""
    return 4 * (4 - 3 * mu) / ((2 - mu) ** 2 * (4 - mu))


def largest_of_form(X: Any) -> Any:
    """Return Phi of (A0): the largest ARD with x = y = X and rho = 2X - 1."""
    return (3 * X - 1) / (X**2 * (1 + X))


def bernstein(polynomial: Any, **ranges: Any) -> list[list[sp.Rational]]:
    """Return the Bernstein coefficients of a polynomial in one or two symbols on a rectangle.

    >>> h = sp.Symbol("h")
    >>> bernstein(h**2, h=(0, 2))
    [[0], [0], [4]]
    """
    names = [sp.Symbol(name) for name in ranges]
    moved = {name: low + (high - low) * name for name, (low, high) in zip(names, ranges.values())}
    terms = sp.Poly(sp.expand(polynomial.subs(moved, simultaneous=True)), *names)
    degrees = (*terms.degree_list(), 0)[:2]
    power = {(*powers, 0)[:2]: value for powers, value in terms.terms()}

    def coefficient(i: int, j: int) -> Any:
        below = product(range(i + 1), range(j + 1))
        ways = {
            (k, l): sp.Rational(comb(i, k) * comb(j, l), comb(degrees[0], k) * comb(degrees[1], l))
            for k, l in below
        }
        return sum(share * power.get(place, 0) for place, share in ways.items())

    return [[coefficient(i, j) for j in range(degrees[1] + 1)] for i in range(degrees[0] + 1)]


def read(rows: list[str]) -> list[list[Fraction]]:
    """Return the coefficients of a stored certificate."""
    return [[Fraction(x) for x in row.split()] for row in rows]


def check_certificate(
    rows: list[str], function: Callable[..., Fraction], *ranges: tuple[Fraction | int, Fraction | int]
) -> None:
    """Read a certificate without SymPy: the function, a polynomial of these degrees, has these coefficients.

    The values at as many points as there are coefficients in each variable determine both.
    """
    coefficients = read(rows)
    degrees = len(coefficients) - 1, len(coefficients[0]) - 1

    def basis(degree: int, i: int, t: Fraction) -> Fraction:
        return comb(degree, i) * t**i * (1 - t) ** (degree - i)

    for point in product(*(range(degree + 1) for degree in degrees)):
        places = [Fraction(i, max(degree, 1)) for i, degree in zip(point, degrees)]
        value = sum(
            x * basis(degrees[0], i, places[0]) * basis(degrees[1], j, places[1])
            for i, row in enumerate(coefficients)
            for j, x in enumerate(row)
        )
        moved = [low + (high - low) * t for (low, high), t in zip(ranges, places[2 - len(ranges) :])]
        require(value == function(*moved), f"the certificate at {moved}")


def check_bounds() -> None:
    """Check (A0) to (A6) and (A11)."""
    mu, X, x, y, f, p, q, t, z = sp.symbols("mu X x y f p q t z", positive=True)
    a, b = sp.symbols("a b", positive=True)
    top = largest_of_form(X)
    require_equal(sp.diff(top, X), 2 * (1 - 3 * X**2) / (X**3 * (1 + X) ** 2), "(A0): the derivative of Phi")
    require_equal(phi(mu), largest_of_form(1 - mu / 2), "(A0): phi and Phi")
    above = 4 * (4 - 3 * mu) - (2 - mu) ** 2 * (4 - mu)
    require_equal(above, mu * (8 - 8 * mu + mu**2), "(A0): phi >= 1")
    least = x**2 * b + y**2 * a - a * b
    parts = x * y * (x + y - 1) + (b - y**2) * (x - a) + (x - x**2) * (y - b)
    require_equal(least, parts, "(A1)")
    e = (1 - p) * (1 - q)
    require_equal(p + q - 1, p * q - e, "(A2): t - e")
    T = (f - e) * (2 * p * q + f - e)
    require_equal((p * q - e + f) ** 2 - (p * q) ** 2, T, "(A2): T")
    require_equal(T.subs(f, 1), (p + q) ** 2 - (p * q) ** 2, "(A3)")
    twice_half = (1 - t) * ((x + y) ** 2 - 2 * z) + 2 * t * z**2
    require_equal(sp.diff(twice_half, z), 2 * (t - 1) + 4 * t * z, "(A5): the slope")
    at_equal = twice_half.subs({x: X, y: X}).subs(z, X**2)
    require_equal(at_equal, 2 * (X**2 - t * X**2 * (1 - X**2)), "(A5): x = y")
    require_equal(X**2 - (2 * X - 1) ** 2, top * X**2 * (1 - X**2), "(A6)")
    h = mu / 2
    limit = (2 * (1 - h) ** 2 - 2 * (1 - 2 * h) ** 2) / (2 * (1 - h) ** 2 - 2 * (1 - h) ** 4)
    require_equal(limit, phi(mu), "(A11): the limit")


def check_quarter() -> None:
    """Check the numbers of (A4), in fractions."""
    f = Fraction(1, 4)
    require(((1 + f) / (1 - f)) ** 2 <= 3, "(A4): j >= 3")
    require((ROOT + 2) ** 2 > 8, "(A4): the root of 8")
    require(f <= 2 - SPLIT - ROOT, "(A4): S <= 0.9215")
    require(f <= 2 - ROOT - 1 + 8 * SMALL * (SPLIT - ROOT), "(A4): both t_i are not small")
    first = SPLIT - SMALL  # t_1, p_1 and q_1 are larger
    most = Fraction(58, 100)  # p_2 and q_2 are smaller
    require(most**2 > 1 - first**2, "(A4): p_2 and q_2")
    least = 1 - f / (1 - most)
    require(least > Fraction(4, 10) and least**2 > SMALL, "(A4): t_2")


def check_below() -> None:
    """Check (A7)."""
    h, v, s, X = sp.symbols("h v s X")
    K, level = 1 - 2 * h, (1 - h) ** 2 * (2 - h)
    low = h * (2 - 4 * h + h**2)
    require_equal(2 - 3 * h - level, low, "(A7): (E)")
    require_equal(phi(2 * h), (2 - 3 * h) / level, "(A7): phi in h")

    def margin(X: Any, rho_squared: Any) -> Any:
        return level * rho_squared - X**2 * ((2 - 3 * h) * X**2 - low)

    rho = sp.Symbol("rho")
    asked = phi(2 * h) * X**2 * (1 - X**2) - X**2 + rho**2
    require_equal(asked * level, margin(X, rho**2), "(A7): (A5) and (E)")
    require_equal((2 - 3 * h) * h**2 - low, -2 * h * (1 - h) * K, "(A7): X <= h")
    F = sp.cancel(margin(h + v * K, sp.Rational(4, 5) * (v * K) ** 2) / K)
    rows = read(COEFFICIENTS)
    require(bernstein(F, h=(0, HALF), v=(0, Fraction(4, 5))) == rows, "(A7): the coefficients of F")
    check_certificate(COEFFICIENTS, below_the_middle, (0, HALF), (0, Fraction(4, 5)))
    require(min(map(min, rows)) >= 0, "(A7): F >= 0")
    at_ends = [(rows[i][j] for i in (1, 2, 3, 4)) for j in (0, 4)]
    require(all(any(column) for column in at_ends), "(A7): F > 0 at v = 0 and v = 4/5")

    G = sp.cancel(margin(1 - h - s, (K - sp.Rational(8, 5) * s) ** 2) / s)
    parts = sp.Poly(G, s)
    cubic, square = parts.coeff_monomial(s**3), parts.coeff_monomial(s**2)
    require_equal(cubic, -(2 - 3 * h), "(A7): s^3")
    require_equal(square, 4 * (2 - 3 * h) * (1 - h), "(A7): s^2")
    c, tangent = sp.Rational(19, 5) * (1 - h) * (2 - 3 * h), K / 5
    # s <= K/5 <= (1 - h)/5, so the last two terms are at least c s^2 >= c (2 tangent s - tangent^2)
    require_equal(square + cubic * (1 - h) / 5, c, "(A7): the last terms")
    G0, G1 = parts.coeff_monomial(1), parts.coeff_monomial(s)
    quarter = Fraction(1, 4)
    for share, quartics in zip((0, 1), QUARTICS):
        value = sp.expand(G0 - c * tangent**2 + (G1 + 2 * c * tangent) * share * tangent)
        for row, half in zip(quartics, ((0, quarter), (quarter, HALF))):
            rows = read([row])
            require(bernstein(value, h=half) == [[x] for x in rows[0]], f"(A7): the quartic {share}")
            check_certificate([row], partial(line_below, share), half)
            require(min(rows[0]) > 0, f"(A7): G > 0, {share}")


def below_the_middle(h: Fraction, v: Fraction) -> Fraction:
    """Return the polynomial F of (A7)."""
    K = 1 - 2 * h
    rest = (2 - 3 * h) * v * (v * K + 2 * h) - 2 * h * (1 - h)
    return Fraction(4, 5) * (1 - h) ** 2 * (2 - h) * K * v**2 - (h + v * K) ** 2 * rest


def line_below(share: int, h: Fraction) -> Fraction:
    """Return the line below G of (A7) at s = ``share`` K/5, with a tangent of c s^2 in place of the last terms."""
    K, level, c = 1 - 2 * h, (1 - h) ** 2 * (2 - h), Fraction(19, 5) * (1 - h) * (2 - 3 * h)
    G0 = 2 * (1 - h) * (2 - h) * K**2 + 2 * (2 - 3 * h) * (1 - h) ** 3 - Fraction(16, 5) * level * K
    G1 = Fraction(64, 25) * level - (2 - h) * K**2 - 5 * (2 - 3 * h) * (1 - h) ** 2
    return G0 - c * (K / 5) ** 2 + (G1 + 2 * c * K / 5) * share * K / 5


def check_corner() -> None:
    """Check (A9)."""
    x, a, z, c, u, d = sp.symbols("x a z c u d")
    f = largest_of_form(x)
    require_equal(phi(1 - c), largest_of_form((1 + c) / 2), "(A9): phi(1 - c)")
    require_equal(phi(1 - c), 4 * (1 + 3 * c) / ((1 + c) ** 2 * (3 + c)), "(A9): the bound")
    corner = 2 * x - 1
    half = (1 - f) * (2 * z + d**2) / 2 + f * z**2 - corner**2
    parts = (z - x**2) * (f * z + corner**2 / x**2) - (f - 1) * d**2 / 2
    require_equal(half, parts, "(A9): half of N - f D")
    require_equal((z - x * a) ** 2 - (z - a**2) * (z - x**2), z * (a - x) ** 2, "(A9): the square")
    require_equal(sp.diff(4 * a**2 / (z + a**2), a), 8 * a * z / (z + a**2) ** 2, "(A9): the slope in a")
    gain = 4 * z - (1 + z) * (f * z + corner**2 / x**2)
    between = {z: x**2 + u * (x - x**2)}
    last = sp.cancel((gain * x**2 * (1 + x)).subs(between) / (1 - x))
    rows = read(CORNER)
    require(bernstein(last, x=(HALF, 1), u=(0, 1)) == rows, "(A9): the coefficients")
    check_certificate(CORNER, gain_over_corner, (HALF, 1), (0, 1))
    require(min(map(min, rows)) > 0, "(A9): the last step")


def gain_over_corner(x: Fraction, u: Fraction) -> Fraction:
    """Return the polynomial of the last step of (A9): the gain times x_0^2 (1 + x_0)/(1 - x_0), without a division."""
    at_the_start = 3 * x**4 - 2 * x**3 + 2 * x**2 + 2 * x - 1
    return at_the_start + 6 * u * x**3 * (1 - x) + u**2 * x**2 * (1 - x) * (1 - 3 * x)


# --- tables ---------------------------------------------------------------------------------------


def check_largest_cell() -> None:
    """Check (C1) and (C2), where n = (m + 4)^2 + more."""
    y, r, n, m, u, w, e = sp.symbols("y r n m u w e")
    require_equal(pairs(y + r), pairs(y) + y * r + pairs(r), "(C1)")
    over = (u - 1) * (n - 4 * m - 4 - u)
    rest = 2 * m * u + 3 * u + n - 4 * m - 4 - m**2
    require_equal(n * u - (u + m) ** 2, over + rest, "(C2): u")
    over = (w - 1) * (n - 4 * m - 3 - w)
    other = 2 * m * w + w + n - 4 * m - 3 - m**2
    require_equal((n - 1) * w - (w + m) ** 2, over + other, "(C2): w")
    more = sp.Symbol("more")
    large = {n: (m + 4) ** 2 + more}
    require_nonnegative(rest.subs(large), {m: 0, u: 1, more: 0}, "(C2): the rest at u", strict=True)
    require_nonnegative(other.subs(large), {m: 0, w: 1, more: 0}, "(C2): the rest at w", strict=True)
    g = 2 * m * w + m * (m - 1)
    require_equal(w * (w - 1) + g, (w + m) * (w + m - 1), "(C2): the first end")
    G, c = n + 2 * m, m**2 + m
    require_equal(u * n + g.subs(w, u + 1), u * G + c, "(C2): the second end")
    require_nonnegative((G - c).subs(large), {m: 0, more: 0}, "(C2): c <= G")
    spare = sp.symbols("spare", nonnegative=True)  # G - c
    lost = u * G * ((e + 1) * G + 2 * c) - (u * G + c) ** 2
    require_equal(lost, (u - 1) * (e - u) * G**2 + e * G**2 - c**2, "(C2): the square")
    require_nonnegative((e * (c + spare) ** 2 - c**2), {e: 1, m: 0, spare: 0}, "(C2): e G^2 >= c^2")
    last = n**2 * (n - 1) - G * ((n - 4 * m - 3) * G + 2 * c)
    require_nonnegative(last.subs(large), {m: 0, more: 0}, "(C2): the last step")
    half = ((m + 4) ** 2 - 2 * (4 * m + 2)).expand()
    require_nonnegative(half, {m: 0}, "(C3): 2w > n", strict=True)
    require_equal((m + 4) ** 2 - (4 * m + 2), m**2 + 4 * m + 14, "(C3): w")


def check_off_the_hook() -> None:
    """Check (C4)."""
    m, w, al, be, d, more = sp.symbols("m w al be d more")
    S, q = al + be, al * be
    n = w + S + d
    T, U = w * n, (w + al) * (w + be)
    product_of_pairs = (w + al) * (w + al - 1) * (w + be) * (w + be - 1)
    gain = n * (n - 1) * w * (w - 1) - product_of_pairs
    require_equal(gain, (T - U) * (T + U - 2 * w - S + 1) - d * T, "(C4): the difference")
    require_equal(T - U, d * w - q, "(C4): T - U")
    require_nonnegative(T + U - 2 * w - S + 1 - (2 * w**2 - w), {w: 1, al: 0, be: 0, d: 1}, "(C4): T + U")
    E1, E2 = (be + d) ** 2, (al + d) ** 2
    require_equal(E1 + E2, (S + d) ** 2 + d**2 - 2 * q, "(C4): E1 + E2")
    s, short = sp.symbols("s short")  # S and 4m + 2 - S - d
    parts = (s + d) * (m - s) + (m + 1) * (m - s) + d * s + 2 * (d - 1) * short + (d - 1) * (m**2 - 3 * m + 3)
    parts += 3 * m + 7 + m - s
    left = (d * (m + 3) ** 2 - (s + d) ** 2 - d**2 - parts).subs(short, 4 * m + 2 - s - d)
    require_equal(left, 0, "(C4): E1 + E2 <= d (m+3)^2")
    need = 4 * (m + 3) ** 2 * ((w + m) ** 2 + 2 * (2 * m + 1) ** 2)
    have = w * ((4 * w - m**2) * (2 * w - 1) - 4 * (w + 4 * m + 2))
    far = {w: m**2 + 4 * m + 14 + more}
    require_nonnegative((have - need).subs(far), {m: 1, more: 0}, "(C4): the gain is more", strict=True)
    require_nonnegative((4 * w - m**2).subs(far), {m: 1, more: 0}, "(C4): 4w - m^2")


def check_hooks() -> None:
    """Check (C0) and (C6) to (C10)."""
    A, B, P, M, y, t = sp.symbols("A B P M y t")
    N, D = A + B - 2 * P, M * (A + B) - 2 * A * B
    require_equal(M * N - D, 2 * (A * B - M * P), "(C0)")
    w, al, be, pa, pl = sp.symbols("w al be pa pl")
    m, q = al + be, al * be
    n = w + m
    rows, cols, cell = pairs(w + al), pairs(w + be), pairs(w)
    bracket = q * (2 * w * (w - 1) + m * (2 * w - 1) + q + 1) / 4
    require_equal(rows * cols - pairs(n) * cell, bracket, "(C6): the bracket")
    lost = pa * (pairs(n) - rows) + pl * (pairs(n) - cols)
    total = (rows + pl) * (cols + pa) - pairs(n) * (cell + pa + pl)
    require_equal(total, bracket - lost + pa * pl, "(C6): the excess")
    require_equal(pairs(n) - rows, be * (2 * n - be - 1) / 2, "(C6): pairs outside the row")
    worst = (pairs(al) * be + pairs(be) * al) * n
    require_equal(worst, q * n * (m - 2) / 2, "(C6): what the cells lose")
    number = sp.Symbol("number")
    require_equal(
        w * (w - 1) - n * m, (number * (number - 3 * m - 1) + m * (m + 1)).subs(number, n), "(C6): large n"
    )
    after = (N + y) * D - N * (D - y * (M - 2 * A))
    require_equal(after, 2 * y * (A * (M - A) + (M - 2 * A) * (B - P)), "(C7): the cross difference")
    require_equal(A * (M - A) - (2 * A - M) * (M - A), (M - A) ** 2, "(C7): 2A > M")
    size, U = sp.symbols("m U")
    corner = {U: w**2 + size * w + q}
    both = ((2 * w + size) * (2 * w + size - 1) - 2 * U) / 2
    four = U * (U - 2 * w - size + 1)
    require_equal(rows + cols, both.subs(corner).subs(size, m), "(C8): A + B")
    require_equal(4 * rows * cols, four.subs(corner).subs(size, m), "(C8): AB")
    slope = sp.diff(M * (both - 2 * P) - t * (M * both - 2 * four / 4), U)
    require_equal(slope, (t - 1) * M + t * (2 * U - 2 * w - size + 1) / 2, "(C8): the slope")
    require_equal(rows + cols - 2 * cell, w * m + (al**2 + be**2 - m) / 2, "(C9): N of the hook")
    more = sp.Symbol("more")
    rest = 3 * w * (w - 1) - 4 * (size + 1) * (2 * w + size)
    require_nonnegative(
        rest.subs(w, size**2 + 7 * size + 16 + more), {size: 2, more: 0}, "(C9): w", strict=True
    )
    require_nonnegative(4 * (size**2 - 1) - 3 * size**2, {size: 2}, "(C9): 16 q >= 3 m^2")
    Q, first, second, spare = sp.symbols("Q y1 y2 spare")
    enough = {A: Q + first, B: Q + second, P: Q, M: Q + first + second + first * second + spare}
    excess = (D - (M - 1) * N).subs(enough, simultaneous=True)
    require_nonnegative(sp.expand(excess), {Q: 1, first: 0, second: 0, spare: 0}, "(C10): Q >= 1")
    excess = sp.expand(excess.subs(Q, 0))
    values = [excess.subs({first: a, second: b}) for a, b in product((0, 1), repeat=2)]
    require(values == [0, 1, 1, 0], "(C10): Q = 0")


def check_table_bound() -> None:
    """Check the bound for tables."""
    A, B = sp.symbols("A B")
    mean = (A * (1 - B) + B * (1 - A)) / (2 - A - B)
    excess = sp.factor(mean - (A + B) / 2)
    require_equal(excess, (A - B) ** 2 / (2 * (2 - A - B)), "the bound for tables: the mean")
    require_equal(
        (A + B) / 2 - 2 * A * B / (A + B), (A - B) ** 2 / (2 * (A + B)), "the bound for tables: harmonic"
    )


# --- all pairs of clusterings ---------------------------------------------------------------------


class Above(NamedTuple):
    """What `largest` finds: for each n MED the largest ARD > 1, and tables with P >= 1 that are not hooks."""

    ard: dict[int, Fraction]
    not_hooks: dict[int, int]


def above_one(n: int) -> Iterator[Table]:
    """Yield all tables of n objects with ARD > 1, at least once up to order and transposition, by (C0).

    Columns decrease in lexicographic order, row sums decrease, and P must be less than A^2/M.

    >>> list(above_one(3))
    [[[1, 1], [1, 0]]]
    """
    M = comb(n, 2)
    two = [comb(x, 2) for x in range(n + 1)]

    def extend(
        left: tuple[int, ...], last: tuple[int, ...], columns: list[tuple[int, ...]], A: int, B: int, P: int
    ) -> Iterator[Table]:
        first = next((i for i, x in enumerate(left) if x), None)
        if first is None:
            if A * B > M * P:
                yield [list(row) for row in zip(*columns)]
            return
        limits = [range(x + 1) for x in left]
        limits[first] = range(1, left[first] + 1)
        for column in product(*limits):
            if column > last:
                continue
            size, cells = two[sum(column)], sum(two[x] for x in column)
            if B + size <= A and M * (P + cells) < A * A:
                rest = tuple(x - y for x, y in zip(left, column))
                yield from extend(rest, column, [*columns, column], A, B + size, P + cells)

    for rows in (x for parts in range(1, n + 1) for x in partitions(n, parts, minimum=1)):
        yield from extend(rows, rows, [], sum(two[x] for x in rows), 0, 0)


def matched(table: Table) -> int:
    """Return the weight of a best matching, row by row over the sets of columns used.

    >>> matched([[2, 1], [1, 0]])
    2
    """
    lines = table if len(table) >= len(table[0]) else [list(column) for column in zip(*table)]
    best = {0: 0}
    for line in lines:
        longer = dict(best)
        for used, weight in best.items():
            for j, x in enumerate(line):
                if x and not used >> j & 1:
                    longer[used | 1 << j] = max(longer.get(used | 1 << j, 0), weight + x)
        best = longer
    return max(best.values())


def largest(n: int) -> Above:
    """Return the largest ARD of all pairs of clusterings of n objects at each n MED where it exceeds 1."""
    found = Above({}, {})
    for table in above_one(n):
        m = n - matched(table)
        found.ard[m] = max(found.ard.get(m, Fraction(1)), ard(table))
        if max(map(max, table)) > 1 and not is_hook(table):
            found.not_hooks[m] = found.not_hooks.get(m, 0) + 1
    return found


def check_small() -> int:
    """Check all pairs of clusterings of few objects with ARD > 1: the values, and the bounds."""
    seen = 0
    for n in range(2, MOST + 1):
        at: dict[int, Fraction] = {}
        for table in above_one(n):
            m, value = n - matched(table), ard(table)
            at[m] = max(at.get(m, Fraction(1)), value)
            share = population_ard(table)
            require(share < ard_bound(Fraction(m, n)), f"the bound for populations: {table}")
            require(share < phi(1 - Fraction(corner(table), n)), f"the bound by the corner: {table}")
            require(value <= table_bound(ard_bound(Fraction(m, n)), n), f"the bound for tables: {table}")
            check_corner_hooks(n, table, value)
            seen += 1
        for m in range(1, n):
            require(max_ard_given_med(n, m)[:2] == (at.get(m, 1), True), f"n = {n}, n MED = {m}")
            if 2 <= m <= n - 2:
                of_ones = ard(hook_of_ones(n, m))
                require(at[m] > of_ones if (n, m) in LARGER else at[m] == of_ones, f"the hook of {n}, {m}")
    return seen


def check_corner_hooks(n: int, table: Table, value: Fraction) -> None:
    """Check that the hook of ones with the same corner has at least this ARD, for each largest row and column.

    This is statement `ard-given-corner-hooks` for one table with ARD > 1.
    """
    rows, columns = margins(table)
    places = product(range(len(rows)), range(len(columns)))
    corners = {table[i][j] for i, j in places if (rows[i], columns[j]) == (max(rows), max(columns))}
    at_most = min(ard(hook_of_ones(n, n - c)) for c in corners)
    require(n < CORNERS_FROM or value <= at_most, f"the hook with the corner of {table}")


def corner(table: Table) -> int:
    """Return the cell where the first largest row meets the first largest column.

    >>> corner([[0, 1], [1, 1]])
    1
    """
    rows, columns = margins(table)
    return table[rows.index(max(rows))][columns.index(max(columns))]


def population_ard(table: Table) -> Fraction:
    """Return the ARD of the population of a table, that is, of its fractions of the total."""
    n = sum(map(sum, table))
    parts = map(sum, table), map(sum, zip(*table)), (x for row in table for x in row)
    A, B, P = (Fraction(sum(x * x for x in part), n * n) for part in parts)
    return (A + B - 2 * P) / (A + B - 2 * A * B)


def hook_of_ones(n: int, m: int) -> Table:
    """Return the hook of ones: a corner of n - m objects, ceil(m/2) ones in its row and floor(m/2) in its column.

    >>> hook_of_ones(9, 3)
    [[6, 1, 1], [1, 0, 0]]
    """
    leg = m // 2
    return [[n - m] + [1] * (m - leg), *([1] + [0] * (m - leg) for _ in range(leg))]


def splits(total: int, parts: int) -> list[tuple[int, ...]]:
    """Return all ways to write ``total`` as a sum of a number of integers >= 0, in order."""
    return list(bounded_compositions(total, (total,) * parts))


def check_large() -> int:
    """Check tables up to 3 x 3 with n >= (m + 4)^2, and hooks of ones."""
    seen = 0
    for m, r in ((1, 2), (2, 2), (3, 2), (1, 3), (2, 3)):
        n = (m + 4) ** 2
        places = [(i, j) for i in range(r) for j in range(r) if i != j]
        for diagonal, others in product(splits(n - m, r), splits(m, len(places))):
            table = [[diagonal[i] if i == j else 0 for j in range(r)] for i in range(r)]
            for (i, j), x in zip(places, others):
                table[i][j] = x
            misplaced = n - matched(table)
            if misplaced:
                corner = is_hook(table) and max(map(max, table)) == n - misplaced
                both = (
                    len([row for row in table if any(row)]) > 1
                    and len([c for c in zip(*table) if any(c)]) > 1
                )
                require((ard(table) > 1) == (corner and both), f"hooks: {table}")
                seen += 1
    for m in range(2, 8):
        n = (m + 4) ** 2
        best = ard(hook_of_ones(n, m))
        require(max_ard_given_med(n, m)[:2] == (best, True), f"the value at {(n, m)}")
        require(best < table_bound(ard_bound(Fraction(m, n)), n), f"the bound at {(n, m)}")
        for leg in range(1, (m - 1) // 2):
            other = [[n - m] + [1] * (m - leg), *([1] + [0] * (m - leg) for _ in range(leg))]
            require(1 < ard(other) < best, f"(C8) at {(n, m, leg)}")
    return seen


def verify() -> str:
    """Check every identity and inequality, and all small tables."""
    check_bounds()
    check_quarter()
    check_below()
    check_corner()
    check_largest_cell()
    check_off_the_hook()
    check_hooks()
    check_table_bound()
    return f"algebra; {check_small()} tables of up to {MOST} points with ARD > 1, {check_large()} larger ones"
