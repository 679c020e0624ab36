"""The largest Rand distance at given MED.

Statement `rd-given-med-upper`: 2F <= 2km + m^2 - bal(m, s - 1), m = n MED, k = n - m.
Statement `rd-given-med-upper-attained`: for m >= r + s - 2, a = m - r + 1 and k >= ceil(a/(s-1)) + 1 the largest 2F
    is 2km + a^2 - bal(a, s - 1) + (r-1)(r-2).

Let k be the weight of a best matching, 2F = n(n-1) RD, and bal(m, t) the least sum of squares of t integers with sum m,
for 2 <= r <= s.

Upper bound (proved).  Join two objects that are together in exactly one clustering.  An object outside the matching is
joined to at most the k objects in it.  The m objects outside have no clique of more than s - 1, so that Turan's theorem
bounds their edges.  `rocq/RandGivenMed.v` has the proof in words and formally.  Divided by n^2, with mu = MED, the
bound is 2F/n^2 <= 2 mu - mu^2 s/(s-1).  This is the supremum over all n.  Hooks with corner k, a balanced arm, and a
leg of ones approach it.

The second statement is verified, not proved.  The hook attains its value.
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
