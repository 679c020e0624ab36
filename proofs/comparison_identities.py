"""The identities of the comparison of MED and ARD (Chacon 2019, Sections 2.2, 3 and Appendix B).

Statement `two-by-two`: for 2 x 2 tables with diagonal sums d1, d2, MED = min(d1, d2)/n and RD = d1 d2/C(n,2).
Statement `comparison-identities`: RD = (A + B - 2P)/M = 2F/(n(n-1)) and H = RD (n-1)/n. Further identities are about
    RD and MED of close clusterings, RD and ARD of independent ones, and the roundings of Appendix B.

Pairs of objects.  RD = (A + B - 2P)/M is the fraction of pairs together in one clustering only, F of them, and
2F = sum a^2 + sum b^2 - 2 sum x^2, so H = 2F/n^2 = RD (n-1)/n.  E = (A(M-B) + B(M-A))/M^2 is the mean of RD at fixed
margins: a pair is together in the columns with probability B/M whatever its rows, so P has mean AB/M (`null_moments`).

Two clusters.  Let d1 = n11 + n22 and d2 = n12 + n21.  The only matchings are the diagonals.  A pair of objects is
together in exactly one clustering if and only if its objects are on different diagonals (`rocq/TwoByTwo.v`).  For
even d the table [[n-d, d/2], [d/2, 0]] has A = B = C(n - d/2, 2) + C(d/2, 2) and
    ARD = 4 n (n-1) (n-d) / [(2n-d) (2n(n-1) - d(2n-d))];
at n = 20 it is largest at d = 8, 95/84.

Close clusterings.  With d = n12 + n21 <= n/2, MED = d/n exactly, and RD = 2d/(n-1) - d^2/M: the linear part is
2 MED n/(n-1), and the remainder is exactly -d^2/M.

Independent clusterings.  All cells t, n = r s t: RD = n(r+s-2)/(r s (n-1)), and
    ARD = 1 + 2(r-1)(s-1)/[n(r+s-2) - (2rs-r-s)],
above 1 for r, s >= 2 and tending to 1.  MED is 1 - 1/s (r <= s), the largest.

Appendix B.  The integer points of a hook's first row: see `max_rand_distance`; the two roundings compared in the
appendix (k fractional parts up among the x_j, or k - 1 and x_1) have one value, because F depends on
y = (x_1 - r, x_2, ..., x_s) through sum y^2 alone.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import sympy as sp

from confmat.indices import extremes, partition
from proofs import (
    ard,
    best_matching_weight,
    pairs,
    require,
    require_equal,
    require_nonnegative,
    small_classes,
    twice_disagreements,
)
from proofs.ard_identities import excess


def balanced_ard(n: Any, d: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of the ARD of [[n - d, d/2], [d/2, 0]], d even."""
    return 4 * n * (n - 1) * (n - d), (2 * n - d) * (2 * n * (n - 1) - d * (2 * n - d))


def check_pairs() -> int:
    """Check RD, H and MED of every small table against definitions by labels of objects."""
    seen = 0
    for n, r, s, tables in small_classes((2, 2, 5), (2, 3, 5), (3, 3, 6)):
        for table in tables:
            objects = [(i, j) for i, j in product(range(r), range(s)) for _ in range(table[i][j])]
            apart = sum((u[0] == v[0]) != (u[1] == v[1]) for u, v in combinations(objects, 2))
            require(2 * apart == twice_disagreements(table), f"2F = 2 M RD for {table}")
            require(partition.rand_distance(table, exact=True) == Fraction(apart, comb(n, 2)), "RD")
            require(partition.mirkin_distance(table, exact=True) == Fraction(2 * apart, n * n), "H")
            require(partition.med(table, exact=True) == 1 - Fraction(best_matching_weight(table), n), "MED")
        seen += len(tables)
    return seen


def check_two_by_two() -> None:
    """Check the ARD of the balanced form, and the remainder of the linear approximation."""
    n, d = sp.symbols("n d", positive=True)
    M, A, P = pairs(n), pairs(n - d / 2, d / 2), pairs(n - d, d / 2, d / 2)
    numerator, denominator = excess(M, A, A, P)
    top, bottom = balanced_ard(n, d)
    require_equal(1 + numerator / denominator, top / bottom, "ARD of the balanced form")
    values = {k: Fraction(*balanced_ard(20, k)) for k in range(2, 11, 2)}
    best = max(values, key=lambda k: values[k])
    require((best, values[best]) == (8, Fraction(95, 84)), "n = 20: largest at d = 8, 95/84")
    require_equal(d * (n - d) / M, 2 * (d / n) * n / (n - 1) - d**2 / M, "the remainder of the linear part")


def check_independent() -> None:
    """Check tables with all cells equal."""
    r, s, t = sp.symbols("r s t", positive=True)
    n = r * s * t
    A, B, P, M = r * pairs(s * t), s * pairs(r * t), r * s * pairs(t), pairs(n)
    require_equal((A + B - 2 * P) / M, n * (r + s - 2) / (r * s * (n - 1)), "RD of the independent table")
    numerator, denominator = excess(M, A, B, P)
    below = n * (r + s - 2) - (2 * r * s - r - s)
    above_one = 2 * (r - 1) * (s - 1) / below
    require_equal(numerator / denominator, above_one, "ARD of the independent table")
    require_nonnegative(below, {r: 2, s: 2, t: 1}, "the denominator is positive", strict=True)
    require(sp.limit(above_one.subs({r: 3, s: 4}), t, sp.oo) == 0, "ARD tends to 1")
    for rows, cols, cell in product(range(2, 5), range(2, 6), range(1, 4)):
        table = [[cell] * cols] * rows
        value = Fraction(str(above_one.subs({r: rows, s: cols, t: cell})))
        require(ard(table) == 1 + value > 1, "ARD > 1")
        largest = extremes.max_med(cell * rows * cols, rows, cols)
        of_table = partition.med(table, exact=True)
        require(of_table == 1 - Fraction(1, max(rows, cols)) == largest, "MED is largest")


def check_appendix() -> None:
    """Check the real maximiser by Lagrange multipliers, and the integer ones by comparing all."""
    r, s, e, lam, x1, x = sp.symbols("r s e lam x1 x")
    # stationary points of 2 r x1 - x1^2 - sum x_j^2 - 2 lam (sum x - e): x_j = x for j > 1
    solution = sp.solve([r - x1 - lam, -x - lam, x1 + (s - 1) * x - e], [x1, x, lam], dict=True)[0]
    require_equal(solution[x1], r + (e - r) / s, "real-valued corner")
    require_equal(solution[x], (e - r) / s, "real-valued arm")
    for rows, cols, total in [(2, 3, 6), (3, 3, 8), (3, 4, 9), (4, 4, 11)]:
        firsts = [row for row in product(range(total + 1), repeat=cols) if sum(row) == total]
        values = {row: 2 * rows * row[0] - sum(part * part for part in row) for row in firsts}
        best = {row for row, value in values.items() if value == max(values.values())}
        q, k = divmod(total - rows, cols)
        rounded = set(product([rows + q, rows + q + 1], *[[q, q + 1]] * (cols - 1))) & set(firsts)
        require(best == rounded and len(best) == comb(cols, k), "all roundings tie, nothing else")


def verify() -> str:
    """Check every identity with SymPy, and every formula for small tables."""
    seen = check_pairs()
    check_two_by_two()
    check_independent()
    check_appendix()
    return f"identities; {seen} tables object by object; all first rows of four hooks; 2 x 2: rocq/TwoByTwo.v"
