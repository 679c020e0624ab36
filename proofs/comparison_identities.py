"""The identities of the comparison of MED and ARD (Chacon 2019, Sections 2.2, 3 and Appendix B).

Statement `two-by-two`: for 2 x 2 tables with diagonal sums d1, d2, MED = min(d1, d2)/n and RD = d1 d2/C(n,2).
Statement `comparison-identities`: RD = (A + B - 2P)/M = 2F/(n(n-1)), H = RD (n-1)/n; RD and MED of close
    clusterings, RD and ARD of independent ones, and the roundings of Appendix B.

Pairs of objects.  RD = (A + B - 2P)/M is the share of pairs together in one clustering only, F of them, and
2F = sum a^2 + sum b^2 - 2 sum x^2, so H = 2F/n^2 = RD (n-1)/n.  E = (A(M-B) + B(M-A))/M^2 is the mean of RD at fixed
margins: a pair is together in the columns with chance B/M whatever its rows, so P has mean AB/M (`null_moments`).

Two clusters.  d1 = n11 + n22, d2 = n12 + n21: the only matchings are the diagonals, MED = min(d1, d2)/n; the pairs of
objects that are treated differently are those of one object on each diagonal, so M RD = d1 d2.  Both are largest at
d1 = floor(n/2): MED 1/2 or (n-1)/(2n), RD n/(2(n-1)) or (n+1)/(2n), for n even or odd.  For even d the table
[[n-d, d/2], [d/2, 0]] has A = B = C(n - d/2, 2) + C(d/2, 2) and
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
from itertools import product
from math import comb

from confmat.classes import Tables
from confmat.indices import extremes, partition
from confmat.indices.pairs import PairSums
from proofs import (
    best_matching_weight,
    pairs,
    require,
    require_equal,
    require_nonnegative,
    twice_disagreements,
)


def ard_at(n: int, d: int) -> Fraction:
    """ARD of [[n - d, d/2], [d/2, 0]], d even."""
    return Fraction(4 * n * (n - 1) * (n - d), (2 * n - d) * (2 * n * (n - 1) - d * (2 * n - d)))


def check_pairs() -> int:
    """RD, H and MED of every small table from labels, object by object."""
    tables = 0
    for n, r, s in [(4, 2, 2), (5, 2, 2), (5, 2, 3), (6, 3, 3)]:
        for table in Tables(n, r, s):
            objects = [(i, j) for i, j in product(range(r), range(s)) for _ in range(int(table[i, j]))]
            apart = sum((u[0] == v[0]) != (u[1] == v[1]) for i, u in enumerate(objects) for v in objects[:i])
            twice = twice_disagreements(table)
            require(2 * apart == twice, f"2F = 2 M RD for {table.tolist()}")
            require(partition.rand_distance(table, exact=True) == Fraction(apart, comb(n, 2)), "RD")
            require(partition.mirkin_distance(table, exact=True) == Fraction(twice, n * n), "H")
            require(partition.med(table, exact=True) == 1 - Fraction(best_matching_weight(table), n), "MED")
            if (r, s) == (2, 2):
                d = int(table[0, 1] + table[1, 0])
                require(best_matching_weight(table) == max(d, n - d) and apart == d * (n - d), "2 x 2")
            tables += 1
    return tables


def check_two_by_two() -> None:
    """Largest values, the ARD of the balanced form, and the remainder of the linear approximation."""
    import sympy as sp

    n, d = sp.symbols("n d", positive=True)
    M = n * (n - 1) / 2
    require_equal((n / 2) ** 2 / M, n / (2 * (n - 1)), "largest RD, n even")
    require_equal((n - 1) / 2 * (n + 1) / 2 / M, (n + 1) / (2 * n), "largest RD, n odd")
    for size in range(4, 41):
        largest = Fraction(size // 2, size)
        require(max(extremes.med_2x2(size, k) for k in range(size + 1)) == largest, "largest MED")
        top = max(extremes.rand_distance_2x2(size, k) for k in range(size + 1))
        value = Fraction(size, 2 * (size - 1)) if size % 2 == 0 else Fraction(size + 1, 2 * size)
        require(top == value == extremes.max_rand_distance(size, 2, 2), f"largest RD at n = {size}")
    a = n - d / 2
    A = (a * (a - 1) + (d / 2) * (d / 2 - 1)) / 2
    ard = M * d * (n - d) / (2 * A * (M - A))
    closed = 4 * n * (n - 1) * (n - d) / ((2 * n - d) * (2 * n * (n - 1) - d * (2 * n - d)))
    require_equal(ard, closed, "ARD of the balanced form")
    for size in range(4, 31):
        for even in range(2, size // 2 + 1, 2):
            table = [[size - even, even // 2], [even // 2, 0]]
            found = PairSums.of(table).adjusted_rand_distance
            require(ard_at(size, even) == found, f"closed form for {table}")
    best = max(range(2, 11, 2), key=lambda k: ard_at(20, k))
    require((best, ard_at(20, best)) == (8, Fraction(95, 84)), "n = 20: largest at d = 8, 95/84")
    require_equal(d * (n - d) / M, 2 * d / (n - 1) - d**2 / M, "linear approximation and its remainder")
    require_equal(2 * d / (n - 1), 2 * (d / n) * n / (n - 1), "twice the MED")


def check_independent() -> None:
    """Tables with all cells equal."""
    import sympy as sp

    r, s, t, x, y, z = sp.symbols("r s t x y z", positive=True)
    n = r * s * t
    A, B, P, M = r * pairs(s * t), s * pairs(r * t), r * s * pairs(t), pairs(n)
    require_equal((A + B - 2 * P) / M, n * (r + s - 2) / (r * s * (n - 1)), "RD of the independent table")
    E = (A * (M - B) + B * (M - A)) / M**2
    below = n * (r + s - 2) - (2 * r * s - r - s)
    excess = 2 * (r - 1) * (s - 1) / below
    require_equal((A + B - 2 * P) / M / E - 1, excess, "ARD of the independent table")
    shifted = {r: 2 + x, s: 2 + y, t: 1 + z}
    require_nonnegative(below.subs(shifted, simultaneous=True) - 1, [x, y, z], "the denominator is positive")
    require(sp.limit(excess.subs({r: 3, s: 4}), t, sp.oo) == 0, "ARD tends to 1")
    for rows, cols, cell in product(range(2, 5), range(2, 6), range(1, 4)):
        table = [[cell] * cols] * rows
        value = PairSums.of(table).adjusted_rand_distance - 1
        require(value == Fraction(str(excess.subs({r: rows, s: cols, t: cell}))) and value > 0, "ARD > 1")
        size = cell * rows * cols
        largest = extremes.max_med(size, rows, cols)
        require(
            partition.med(table, exact=True) == 1 - Fraction(1, max(rows, cols)) == largest, "MED is largest"
        )


def check_appendix() -> None:
    """The real maximiser by Lagrange, and the integer ones by trying them all."""
    import sympy as sp

    r, s, e, lam, x1, x = sp.symbols("r s e lam x1 x")
    # stationary points of 2 r x1 - x1^2 - sum x_j^2 - 2 lam (sum x - e): x_j = x for j > 1
    solution = sp.solve([r - x1 - lam, -x - lam, x1 + (s - 1) * x - e], [x1, x, lam], dict=True)[0]
    require_equal(solution[x1], r + (e - r) / s, "real-valued corner")
    require_equal(solution[x], (e - r) / s, "real-valued arm")
    for rows, cols, excess in [(2, 3, 6), (3, 3, 8), (3, 4, 9), (4, 4, 11)]:
        values: dict[int, list[tuple[int, ...]]] = {}
        for first in product(range(excess + 1), repeat=cols):
            if sum(first) == excess:
                value = 2 * rows * first[0] - sum(part * part for part in first)
                values.setdefault(value, []).append(first)
        best = values[max(values)]
        q, k = divmod(excess - rows, cols)
        rounded = [
            first
            for first in product(*([rows + q, rows + q + 1], *[[q, q + 1]] * (cols - 1)))
            if sum(first) == excess
        ]
        require(
            sorted(best) == sorted(rounded) and len(best) == comb(cols, k), "all roundings tie, nothing else"
        )


def verify() -> str:
    """Every identity by SymPy, every formula on small tables."""
    tables = check_pairs()
    check_two_by_two()
    check_independent()
    check_appendix()
    import sympy as sp

    n, F = sp.symbols("n F")
    require_equal(2 * F / n**2, 2 * F / (n * (n - 1)) * (n - 1) / n, "H = RD (n-1)/n")
    return (
        f"identities; {tables} tables object by object; all even d for n <= 30; all first rows of four hooks"
    )
