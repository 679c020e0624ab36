"""The largest Rand distance at given MED.

Statement `rd-given-med-upper`: 2F <= 2km + m^2 - bal(m, s - 1), m = n MED, k = n - m.
Statement `rd-given-med-upper-attained`: for m >= r + s - 2, a = m - r + 1 and k >= ceil(a/(s-1)) + 1 the largest 2F
    is 2km + a^2 - bal(a, s - 1) + (r-1)(r-2).

k is the weight of a best matching, 2F = n(n-1) RD, bal(m, t) the least sum of t squares of integers with sum m; 2 <= r
<= s.  Upper bound (proved): an object off the matching sees at most the k objects on it, and the m objects off it
have no clique of more than s - 1 in the rook's graph, so that Turan's theorem applies; in words and formally in
`rocq/RandGivenMed.v`.  Divided by n^2, with mu = MED: 2F/n^2 <= 2 mu - mu^2 s/(s-1), the supremum over all n,
approached by a hook with corner k, a balanced arm, and a leg of ones.

The second statement, with margins, is verified, not proved: that hook attains the value.
"""

from __future__ import annotations

import sympy as sp

from proofs import (
    balanced_squares,
    best_matching_weight,
    require,
    require_equal,
    small_classes,
    twice_disagreements,
)


def check_algebra() -> None:
    """Check the value of the hook with corner k, arm total a with sum of squares q and a leg of ones, and its limit."""
    k, a, r, s, q, mu = sp.symbols("k a r s q mu", positive=True)
    twice = (k + a) ** 2 + (r - 1) + (k + r - 1) ** 2 + q - 2 * (k**2 + q + (r - 1))
    m = a + r - 1
    require_equal(twice, 2 * k * m + a**2 - q + (r - 1) * (r - 2), "the hook")
    limit = twice.subs({q: a**2 / (s - 1), r: 1}).subs({k: 1 - mu, a: mu})
    require_equal(limit, 2 * mu - mu**2 * s / (s - 1), "the supremum")


def verify() -> str:
    """Check the algebra, and the bound for every small table."""
    check_algebra()
    seen = 0
    for n, _, s, tables in small_classes((2, 2, 9), (2, 3, 7), (2, 4, 6), (3, 3, 6), (3, 4, 5)):
        for table in tables:
            k = best_matching_weight(table)
            most = 2 * k * (n - k) + (n - k) ** 2 - balanced_squares(n - k, s - 1)
            require(twice_disagreements(table) <= most, f"the bound for {table}")
        seen += len(tables)
    return f"algebra; the bound on {seen} tables; every step of it formally: rocq/RandGivenMed.v"
