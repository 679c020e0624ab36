"""The largest ARD of 2 x 2 tables at given MED (conjectured by Chacon 2019, true with two exceptions), and the least.

Statement `ard-2x2-exceptions`: at given d1 >= d2 >= 2 the largest ARD of 2 x 2 tables is that of [[d1, ceil(d2/2)],
    [floor(d2/2), 0]], except for (n, d1, d2) = (4, 2, 2) and (6, 3, 3).
Statement `ard-2x2-one`: at d2 = 1, n >= 3, the largest ARD of 2 x 2 tables is that of [[n - 2, 1], [0, 1]], except at
    n = 5 and 6, where it is that of [[n - 3, 1], [0, 2]], and at d2 = 0 all have ARD 0.
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
the largest ARD is that of [[n - 2, 1], [0, 1]].  n <= 6: enumeration.  For d2 = 0 all tables have ARD 0.

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
Formally: `rocq/TwoByTwo.v` has the largest ARD for n >= 9 and the table of the least one.
For 2 x 3 nested tables, one row empty only where the other is, are not the least ones: at n = 5, d = 2 the least ARD is
5/7, at [[2, 2, 0], [0, 0, 1]], and that of nested tables 15/14.
"""

from __future__ import annotations

import json
from fractions import Fraction

from confmat.classes import Tables, canonical
from confmat.indices.extremes import ard_range_given_med_2x2, max_adjusted_rand_distance_2x2
from confmat.indices.pairs import PairSums
from proofs import best_matching_weight, pairs, require, require_equal, require_nonnegative

EXCEPTIONS = {(4, 2), (6, 3)}
AT_ONE = {5: [[2, 1], [0, 2]], 6: [[3, 1], [0, 2]]}
TIES = {(5, 2), (7, 3), (8, 4)}


def check_algebra() -> None:
    """What Rocq does not have: D in u and v, the case d2 = 1, the value of the least ARD."""
    import sympy as sp

    n, d1, d2, p, q, u, v, a = sp.symbols("n d1 d2 p q u v a")
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

    require(sp.diff(g, u, 2) == sp.Rational(-1, 4), "concave in u")
    at = lambda x, y: g.subs({u: x, v: y}, simultaneous=True)  # noqa: E731
    U = (n - 3) ** 2
    require_equal(8 * (at(a, 1) - at(U, 1)), (U - a) * (U + a - 2 - 2 * n), "d2 = 1")
    D_at = D.subs(total).subs(d1, n - d2)
    E = (n**2 * (n - 1) ** 2 - ((q + p) ** 2 - n) * ((q - p) ** 2 - n)) / 8
    require_equal(D_at, E, "D, as the least ARD has it")
    x = sp.symbols("x")
    require_nonnegative((U - 2 - 2 * n).subs(n, 7 + x), [x], "d2 = 1, n >= 7")


def check_wider() -> None:
    """2 x 3, n = 5, d = 2."""
    tables = [t.tolist() for t in Tables(5, 2, 3) if best_matching_weight(t) == 3]
    nested = [rows for rows in tables if any(map(all, rows))]  # no column is empty: one row has no zero
    found = min(map(_ard, tables)), min(map(_ard, nested)), _ard([[2, 2, 0], [0, 0, 1]])
    require(found == (Fraction(5, 7), Fraction(15, 14), Fraction(5, 7)), f"2 x 3: {found}")


def tables_of_diagonals(n: int, d: int) -> list[list[list[int]]]:
    """All 2 x 2 tables without empty lines with d1 = n - d and d2 = d.

    >>> tables_of_diagonals(3, 1)
    [[[1, 0], [1, 1]], [[1, 1], [0, 1]]]
    """
    tables = [[[x, y], [d - y, n - d - x]] for x in range(n - d + 1) for y in range(d + 1)]
    return [table for table in tables if all(map(any, table)) and all(map(any, zip(*table)))]


def verify(most: int = 40) -> str:
    """The algebra; every table up to ``most`` points: both ends, exceptions and ties."""
    check_algebra()
    check_wider()
    checked = 0
    ties: set[tuple[int, int]] = set()
    for n in range(3, most + 1):
        for d in range(1, n // 2 + 1):
            values = {json.dumps(table): _ard(table) for table in tables_of_diagonals(n, d)}
            ends = min(values.values()), max(values.values())
            require(ard_range_given_med_2x2(n, d) == ends, f"the range of the ARD at n = {n}, d = {d}")
            require(max_adjusted_rand_distance_2x2(n, d) == ends[1], f"the largest ARD at n = {n}, d = {d}")
            form = [[n - d, d - d // 2], [d // 2, 0]] if d > 1 else AT_ONE.get(n, [[n - 2, 1], [0, 1]])
            is_best = values[json.dumps(form)] == ends[1]
            require(is_best != ((n, d) in EXCEPTIONS), f"the form at {(n, n - d, d)}")
            best = [canonical(json.loads(text)).tolist() for text, x in values.items() if x == ends[1]]
            if is_best and d > 1 and any(orbit != canonical(form).tolist() for orbit in best):
                ties.add((n, d))
            checked += len(values)
        require(max_adjusted_rand_distance_2x2(n, 0) == 0, f"d2 = 0, n = {n}")
    require(ties == TIES, f"ties up to n = {most}: {ties}")
    return (
        f"algebra; {checked} tables, n <= {most}: exceptions (4,2,2), (6,3,3) only; formally: rocq/TwoByTwo.v"
    )


def _ard(table: list[list[int]]) -> Fraction:
    return PairSums.of(table).adjusted_rand_distance
