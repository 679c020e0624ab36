"""The largest ARD of 2 x 2 tables at given MED (conjectured by Chacon 2019, true with two exceptions), and the least.

Statement `ard-2x2-exceptions`: at given d1 >= d2 >= 2 the largest ARD of 2 x 2 tables is that of [[d1, ceil(d2/2)],
    [floor(d2/2), 0]], except for (n, d1, d2) = (4, 2, 2) and (6, 3, 3).
Statement `ard-2x2-one`: at d2 = 1, n >= 3, the largest ARD of 2 x 2 tables is that of [[n - 2, 1], [0, 1]], and at
    d2 = 0 all have ARD 0.
Statement `ard-2x2-least`: at given d1 >= d2 >= 1, n = d1 + d2 >= 3, the least ARD of 2 x 2 tables is that of
    [[(d1 + p)/2, d2], [0, (d1 - p)/2]], p the largest integer of the parity of d1 with p <= d1 - 2 and p <= 1 +
    floor(sqrt(n + d2^2 - 2)), and is 4n(n-1)d1 d2/(n^2 (n-1)^2 - ((d2 + p)^2 - n)((d2 - p)^2 - n)).

d1 = n11 + n22 >= d2 = n12 + n21 >= 2.  For n = d1 + d2 >= 9 the largest ARD over the 2 x 2 tables without empty
lines with these d1, d2 is that of [[d1, ceil(d2/2)], [floor(d2/2), 0]].  For n <= 8 it is too, except at
(n, d1, d2) = (4, 2, 2) and (6, 3, 3); other tables, outside its orbit, tie at (5,3,2), (7,4,3) and (8,4,4).

Proof.  M RD = d1 d2 is fixed, so the ARD is largest where D = M^2 E is least.  With p = n11 - n22, q = n12 - n21,
u = p^2, v = q^2,
    D = const(n) + g(u, v),   g = (n/4)(u + v) - (u - v)^2/8. u lies in {a, ..., d1^2} and v in {b, ..., d2^2}, where
a, b in {0, 1} are the parities of d1 and d2.  On the whole rectangle g is concave in u and concave in v, so its least
value is at a corner.  Compare the corner (d1^2, b) with the others, among them (d1^2, d2^2), the tables with an empty
line, which need not be left out.
(i)   dg/dv = (n + u - v)/4 >= 0 for v <= u:  g(d1^2, d2^2) >= g(d1^2, b).
(ii)  8 (g(a, b) - g(d1^2, b)) = (d1^2 - a)(d1^2 + a - 2b - 2n).  n >= 9 gives d1^2 >= n^2/4 > 2n.  If d1 is even
      then d1^2 is an even number above 2n, so d1^2 >= 2n + 2; if d1 is odd, a = 1 and d1^2 + 1 >= 2n + 2.  Both
      ways the second factor is >= 0.
(iii) With delta = d1^2 - d2^2 = n (d1 - d2) and eta = b - a,
      8 (g(a, d2^2) - g(d1^2, b)) = (delta - eta)(d1^2 + d2^2 - a - b) - 2n (delta + eta),
      and d1^2 + d2^2 = (n^2 + (d1 - d2)^2)/2.  eta is 0 exactly when d1 - d2 is even, and then (a + b <= 2) the
      right side is at least delta (n^2/2 - 2 - 2n) >= 0.  Otherwise delta >= n, a + b = 1, and it is at least
      (delta - 1)(n^2/2 - 1) - 2n (delta + 1), which is positive for n >= 9.
The table of the statement has p = d1 and q in {0, 1}, hence (u, v) = (d1^2, b), and no empty line as d2 >= 2.
n <= 8: enumeration.  QED

For d2 = 1 the form has an empty row.  The tables are [[x, 1], [0, y]] up to symmetry, x, y >= 1, v = 1, and
u = (x - y)^2 runs from a (0 or 1) to U = (n - 3)^2.  g is concave in u, and
    8 (g(a, 1) - g(U, 1)) = (U - a)(U + a - 2 - 2n) >= 0 for n >= 7:
the largest ARD is that of [[n - 2, 1], [0, 1]].  For d2 = 0 all tables have ARD 0.

Least.  Again M RD is fixed, so the ARD is least where h(p, q) = 8g = 2n (p^2 + q^2) - (p^2 - q^2)^2 is largest, 0 <=
p <= d1 and 0 <= q <= d2 of the parities of d1 and d2, but for (d1, d2), the tables with an empty line.
(1) h(p, q+2) >= h(p, q) if and only if p^2 >= (q+1)^2 + 1 - n;  (2) h(p+2, q) >= h(p, q) if and only if (p+1)^2 + 1 <=
    q^2 + n.
(3) If q <= d2 - 2 and (1) fails, then p^2 <= (q+1)^2 - n, so p <= q <= d1 - 2, and (p+1)^2 + 1 <= q^2 + 4q + 3 - n <=
    q^2 + n, as q <= n/2 - 2: (2) holds.  So from every (p, q) steps on which h does not fall lead to q = d2.
(4) On q = d2 the step from p - 2 to p raises h if and only if (p-1)^2 + 1 < n + d2^2: this gives p, at most d1 - 2.
(5) Steps may end in (d1, d2), after (d1, d2 - 2).  For d1 = d2 that is the mirror image of (d1 - 2, d2).  For d1 = d2
    + 1 = k + 1, k >= 2, h(d1 - 2, d2) - h(d1, d2 - 2) = 16k (2k - 3) > 0.  For d1 = d2 + m, m >= 2, by (1) h(d1, d2)
    >= h(d1, d2 - 2), and h(d1 - 2, d2) >= h(d1, d2), as (d1-1)^2 + 1 - d2^2 - n = (m-2)(n-1) >= 0.  QED
For 2 x 3 nested tables, one row empty only where the other is, are not the least ones: at n = 5, d = 2 the least ARD is
5/7, at [[2, 2, 0], [0, 0, 1]], and that of nested tables 15/14.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from confmat.classes import Tables, canonical
from confmat.indices.extremes import ard_range_given_med_2x2, max_adjusted_rand_distance_2x2
from confmat.indices.pairs import PairSums
from proofs import best_matching_weight, pairs, require, require_equal, require_nonnegative

EXCEPTIONS = {(4, 2), (6, 3)}
TIES = {(5, 2), (7, 3), (8, 4)}


def check_algebra() -> None:
    """D in u and v, and the comparisons (i) to (iii)."""
    import sympy as sp

    n, d1, d2, p, q, u, v, a, b = sp.symbols("n d1 d2 p q u v a b")
    cells = {"11": (d1 + p) / 2, "22": (d1 - p) / 2, "12": (d2 + q) / 2, "21": (d2 - q) / 2}
    M = n * (n - 1) / 2
    A = pairs(cells["11"] + cells["12"], cells["21"] + cells["22"])
    B = pairs(cells["11"] + cells["21"], cells["12"] + cells["22"])
    total = {d2: n - d1}
    D = sp.expand((A * (M - B) + B * (M - A)).subs(total))
    g = n * (u + v) / 4 - (u - v) ** 2 / 8
    const = sp.expand(D - g.subs({u: p**2, v: q**2}))
    require(const.free_symbols == {n}, f"D - g depends on n only: {const}")
    F = A + B - 2 * pairs(*cells.values())
    require_equal(F.subs(total), (d1 * d2).subs(total), "M RD = d1 d2")

    require(sp.diff(g, u, 2) == sp.diff(g, v, 2) == sp.Rational(-1, 4), "concave in u and in v")
    require_equal(sp.diff(g, v), (n + u - v) / 4, "(i)")
    at = lambda x, y: g.subs({u: x, v: y}, simultaneous=True)  # noqa: E731
    corner = at(d1**2, b)
    require_equal(8 * (at(a, b) - corner), (d1**2 - a) * (d1**2 + a - 2 * b - 2 * n), "(ii)")
    delta, eta = d1**2 - d2**2, b - a
    right = (delta - eta) * (d1**2 + d2**2 - a - b) - 2 * n * (delta + eta)
    require_equal(8 * (at(a, d2**2) - corner), right, "(iii)")
    require_equal(delta.subs(n, d1 + d2), ((d1 + d2) * (d1 - d2)), "delta = n (d1 - d2)")
    require_equal(d1**2 + d2**2, ((d1 + d2) ** 2 + (d1 - d2) ** 2) / 2, "sum of squares")
    U = (n - 3) ** 2
    require_equal(8 * (at(a, 1) - at(U, 1)), (U - a) * (U + a - 2 - 2 * n), "d2 = 1")
    check_least(d1, d2, p, q, sp.expand(8 * g.subs({u: p**2, v: q**2})), n)
    D_at = D.subs(total).subs(d1, n - d2)
    E = (n**2 * (n - 1) ** 2 - ((q + p) ** 2 - n) * ((q - p) ** 2 - n)) / 8
    require_equal(D_at, E, "D, as the least ARD has it")
    x, y = sp.symbols("x y")  # n = 9 + x, delta = n + y
    require_nonnegative(((n**2) / 2 - 2 - 2 * n).subs(n, 9 + x), [x], "(iii), eta = 0")
    worst = ((n + y - 1) * (n**2 / 2 - 1) - 2 * n * (n + y + 1)).subs(n, 9 + x)
    require_nonnegative(worst, [x, y], "(iii), eta = +-1")
    require_nonnegative((U - 2 - 2 * n).subs(n, 7 + x), [x], "d2 = 1, n >= 7")
    require_nonnegative((n**2 / 4 - 2 * n - 1).subs(n, 9 + x), [x], "d1^2 > 2n")


def check_least(d1: Any, d2: Any, p: Any, q: Any, h: Any, n: Any) -> None:
    """(1) to (5) of the least ARD."""
    import sympy as sp

    at = lambda x, y: h.subs({p: x, q: y}, simultaneous=True)  # noqa: E731
    k, m, z = sp.symbols("k m z")
    require_equal(at(p, q + 2) - h, 8 * (q + 1) * (p**2 - (q + 1) ** 2 - 1 + n), "least (1)")
    require_equal(at(p + 2, q) - h, 8 * (p + 1) * (q**2 - (p + 1) ** 2 - 1 + n), "least (2)")
    require_equal((q + 1) ** 2 - n + 2 * q + 2, q**2 + 4 * q + 3 - n, "least (3): p <= q")
    require_nonnegative((2 * n - 4 * q - 3).subs(q, n / 2 - 2 - z), [z], "least (3): q <= n/2 - 2")
    near = (at(k - 1, k) - at(k + 1, k - 2)).subs(n, 2 * k + 1)
    require_equal(near, 16 * k * (2 * k - 3), "least (5): d1 = d2 + 1")
    far = ((d1 - 1) ** 2 + 1 - d2**2 - n).subs(n, d1 + d2).subs(d1, d2 + m)
    require_equal(far, (m - 2) * (2 * d2 + m - 1), "least (5): d1 = d2 + m")


def check_all_least(most: int) -> None:
    """The least ARD against all tables, for every n and d2."""
    for n in range(3, most + 1):
        for d2 in range(1, n // 2 + 1):
            d1 = n - d2
            tables = ([[x, y], [d2 - y, d1 - x]] for x in range(d1 + 1) for y in range(d2 + 1))
            least = min(_ard(t) for t in tables if all(map(any, t)) and all(map(any, zip(*t))))
            require(ard_range_given_med_2x2(n, d2)[0] == least, f"the least ARD at n = {n}, d = {d2}")


def check_wider() -> None:
    """2 x 3, n = 5, d = 2."""
    tables = [t.tolist() for t in Tables(5, 2, 3) if best_matching_weight(t) == 3]
    nested = [rows for rows in tables if any(map(all, rows))]  # no column is empty: one row has no zero
    found = min(map(_ard, tables)), min(map(_ard, nested)), _ard([[2, 2, 0], [0, 0, 1]])
    require(found == (Fraction(5, 7), Fraction(15, 14), Fraction(5, 7)), f"2 x 3: {found}")


def least_expectations_2x2(n: int) -> tuple[int, list[tuple[int, int, int]]]:
    """All 2 x 2 tables with total n without empty lines: their number, and per d = 2..n/2 two values of D.

    D = A(M - B) + B(M - A) = M^2 E[RD]: at given d1 = n - d, d2 = d the RD is fixed, so the ARD is largest
    where D is least.  Each triple is (d, least D, D of [[n - d, ceil(d/2)], [floor(d/2), 0]]).  NumPy integers,
    exact for n up to 10^4.

    >>> least_expectations_2x2(4)
    (19, [(2, 16, 18)])
    """
    M = comb(n, 2)

    def expectation(a: Any, b: Any) -> Any:
        A = (a * (a - 1) + (n - a) * (n - a - 1)) // 2
        B = (b * (b - 1) + (n - b) * (n - b - 1)) // 2
        return A * (M - B) + B * (M - A)

    covered, least = 0, []
    for d in range(n + 1):  # d = n12 + n21; rows n11 = x, columns n12 = y
        x, y = np.arange(n - d + 1)[:, None], np.arange(d + 1)[None, :]
        a, b = x + y, x + d - y
        full = (a > 0) & (a < n) & (b > 0) & (b < n)
        covered += int(full.sum())
        if 2 <= d <= n // 2:
            form = expectation(n - d + d - d // 2, n - d + d // 2)
            least.append((d, int(expectation(a, b)[full].min()), int(form)))
    return covered, least


def verify(most: int = 120) -> str:
    """The algebra; enumeration of every table up to ``most``, with ties and exceptions."""
    check_algebra()
    check_all_least(26)
    check_wider()
    tables = 0
    for n in range(2, most + 1):
        covered, least = least_expectations_2x2(n)
        tables += covered
        for d, smallest, form in least:
            require((smallest < form) == ((n, d) in EXCEPTIONS), f"the form at {(n, n - d, d)}")
            value = Fraction(comb(n, 2) * d * (n - d), smallest)
            require(value == max_adjusted_rand_distance_2x2(n, d), f"max_adjusted_rand_distance_2x2{(n, d)}")
    for n in range(3, 40):
        most_at_one = max(_ard([[n - 1 - y, 1], [0, y]]) for y in range(1, n - 1))
        require(most_at_one == max_adjusted_rand_distance_2x2(n, 1), f"d2 = 1, n = {n}")
        require(max_adjusted_rand_distance_2x2(n, 0) == 0, f"d2 = 0, n = {n}")
    require((found := _ties(20)) == TIES, f"ties up to n = 20: {found}")
    return (
        f"algebra; {tables} tables, n <= {most}: exceptions (4,2,2), (6,3,3) only; formally: rocq/TwoByTwo.v"
    )


def _ard(table: list[list[int]]) -> Fraction:
    return PairSums.of(table).adjusted_rand_distance


def _ties(most: int) -> set[tuple[int, int]]:
    """(n, d2) where the form is best and a table outside its orbit is as good."""
    found = set()
    for n in range(4, most + 1):
        forms = {}
        for d in range(2, n // 2 + 1):
            form = [[n - d, d - d // 2], [d // 2, 0]]
            forms[d] = _ard(form), canonical(form).tolist()
        for table in Tables(n, 2, 2):
            d = min(int(table[0, 1] + table[1, 0]), int(table[0, 0] + table[1, 1]))
            if d < 2 or (n, d) in EXCEPTIONS:
                continue
            value, orbit = forms[d]
            if _ard(table) == value and canonical(table).tolist() != orbit:
                found.add((n, d))
    return found
