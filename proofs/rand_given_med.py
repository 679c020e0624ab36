"""The largest Rand distance at given MED.

Statement `rd-given-med-upper`: 2F <= 2km + m^2 - bal(m, s - 1), m = n MED, k = n - m.
Statement `rd-given-med-upper-attained`: for m >= r + s - 2, a = m - r + 1 and k >= ceil(a/(s-1)) + 1 the largest 2F
    is 2km + a^2 - bal(a, s - 1) + (r-1)(r-2).

k = k(N) is the weight of a best matching, m = n - k = n MED, 2F = n(n-1) RD = sum x_ij d_ij with
d_ij = R_i + C_j - 2 x_ij, bal(m, t) the least sum of t squares of integers with sum m; 2 <= r <= s.

2 x 2: RD = (n/(n-1)) 2 MED (1 - MED), one value.

Upper bound (proved).  2F <= 2 k m + m^2 - bal(m, s-1).  Write N = y + z with y on the cells of a best matching, z
off it, and G for the rook's graph, 2F = N'GN.  Matched cells share no line: y'Gy = 0.  A cell of z shares lines with
at most two matched cells, which together weigh at most k: y'Gz <= k m.  The m points of z lie on cells off a
matching of all rows; a set of such cells in one row has at most s - 1 cells, in one column at most s - 1 (r if r <
s, r - 1 if r = s), so the graph of these points has no clique of s points, and Turan's theorem gives
z'Gz <= m^2 - bal(m, s-1).  Divided by n^2, with mu = MED: H <= 2 mu - mu^2 s/(s-1), the supremum over all n,
approached by a hook with corner k, a balanced arm, and a leg of ones.

Upper bound with margins (verified for r, s <= 6, n <= 15, not proved).  For m >= r+s-2, a = m-r+1 and
k >= ceil(a/(s-1)) + 1 the largest 2F is 2 k m + a^2 - bal(a, s-1) + (r-1)(r-2): that hook attains it.

"""

from __future__ import annotations

from confmat.classes import Tables
from proofs import balanced_squares, best_matching_weight, require, require_equal, twice_disagreements


def check_algebra() -> None:
    """The 2 x 2 case, the hook and the population bound."""
    import sympy as sp

    n, d, k, a, r, s, q, mu, e = sp.symbols("n d k a r s q mu e", positive=True)
    require_equal(d * (n - d) * 2 / (n * (n - 1)), n / (n - 1) * 2 * (d / n) * (1 - d / n), "2 x 2")
    # hook: corner k, arm of total a with sum of squares q, leg of r - 1 ones
    twice = (k + a) ** 2 + (r - 1) + (k + r - 1) ** 2 + q - 2 * (k**2 + q + (r - 1))
    m = a + r - 1
    require_equal(twice, 2 * k * m + a**2 - q + (r - 1) * (r - 2), "the hook")
    require_equal(2 * (1 - mu) * mu + mu**2 - mu**2 / (s - 1), 2 * mu - mu**2 * s / (s - 1), "population")
    # in the limit of many points the hook has 2F/n^2 -> 2(1-mu)mu + mu^2 - mu^2/(s-1): e = 1/n, leg of ones
    scaled = (
        2 * (1 - mu) * mu + (mu - e * (r - 1)) ** 2 * (1 - 1 / (s - 1)) + e**2 * (r - 1) * (r - 2)
    ).subs(e, 0)
    require_equal(scaled, 2 * mu - mu**2 * s / (s - 1), "the supremum")


def verify() -> str:
    """The algebra; the bound on every small table."""
    check_algebra()
    tables = 0
    for r, s, top in [(2, 2, 9), (2, 3, 7), (2, 4, 6), (3, 3, 6), (3, 4, 5)]:
        for n in range(s, top + 1):
            for table in Tables(n, r, s):
                k = best_matching_weight(table)
                most = 2 * k * (n - k) + (n - k) ** 2 - balanced_squares(n - k, s - 1)
                require(twice_disagreements(table) <= most, f"the bound for {table.tolist()}")
                tables += 1
    return f"algebra; the bound on {tables} tables; every step of it formally: rocq/RandGivenMed.v"
