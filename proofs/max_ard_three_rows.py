"""The largest ARD of 3 x 3 and 3 x 4 tables without empty lines: hooks, with a list of exceptions.

Statement `ard-hooks-three-rows`: only hooks have the largest ARD, except at n = 4, 7, 8, 9, 10 for 3 x 3, n > 3,
    and at n = 5, 10, 11, 12 for 3 x 4, n > 4; at n = 4 and n = 5 hooks tie.

Notation, (I1), (I3), (E) in `ard_identities`; row sums a_1 >= a_2 >= .., A2 = sum a_i^2, B2 = sum b_j^2.

Theorem.  For n > 3, tables with the largest ARD that are no hooks exist exactly for n = 4, 7, 8, 9, 10 (3 x 3); for
n > 4, exactly for n = 5, 10, 11, 12 (3 x 4).  At n = r+s-2 = 4, 5 hooks tie with them, at the others no hook has the
largest ARD.

Lemma (any r, s >= 2).  Let n >= r+s-1, x a table with the largest ARD, A > M/2 and beta (a_1 - a_2 + 1) > 1.  Then x
is a hook (so far formally: `rocq/LargestHooks.v`).  The second condition follows from the first if n >= (s+1)^2.
Proof.  alpha > 1/2.
(i) If i >= 2, a_i >= 2, x_ij >= 1: moving a point of (i,j) to (1,j), (I3) gives
    1 < beta (a_1 - a_i + 1) <= x_1j - x_ij + 1, so x_1j > x_ij.
(ii) If row i >= 2 had points in two columns, then x_1j, x_1k >= 2 there by (i), (E) with the rows 1 and i is
    possible, and 2 alpha <= 1.  So row i is one cell (i, j_i) of value a_i.
(iii) Suppose j = j_i and k = j_i' differ, b_k >= b_j.  If b_j >= 2, move a point of (i,j) to (i,k): dA = 0,
    dB = b_k - b_j + 1 > 0, dP = 1 - a_i <= 0.  Else x_1j = 0, so a_i = b_j = 1 by (i).  If some x_1c >= 2,
    a point of (i,j) to (i,c) and one of (1,c) to (1,j) keep the margins, dP = 1 - x_1c < 0.  If all x_1c <= 1, all
    a_i with i >= 2 are 1 by (i), and n <= (r-1) + (s-1).  Each is a contradiction.
Last claim.  Let z = n - a_1 - a_2.  A > M/2 says A2 > (n^2+n)/2, so a_1 > n/2, z < n/2, and with
    A2 <= (n-z)^2/2 + (a_1-a_2)^2/2 + z^2:   (a_1 - a_2)^2 > n + z (2n - 3z) >= n.
The mean of the ARD over the tables with given margins (weighted by labelings) is 1, so lambda >= 0, and beta >= P/A
by (I1); 2P >= (2A + n)/s - n, as the squares of a row are least when it is even.  So beta > (n+1-2s)/(s(n-1)), and
beta (a_1 - a_2 + 1) > (n+1-2s)/(s (sqrt(n) - 1)) >= 1 if n + 1 >= s (sqrt(n) + 1), e.g. for sqrt(n) >= s + 1.  QED
Corollary.  For n >= (max(r,s) + 1)^2 a table with the largest ARD that is no hook has A <= M/2 and B <= M/2.  As sum
(x_ij - a_i/s - b_j/r + n/(rs))^2 >= 0, its ARD is at most
    [A2 (1/2 - 1/s) + B2 (1/2 - 1/r) + n^2/(rs)] / [A + B - 2AB/M],
for fixed B a quotient of linear functions of A2 with a positive denominator, so monotone in A2, and likewise in B2:
at most U(n,r,s), the largest of its values over A2 in {n^2/r, (n^2+n)/2} and B2 in {n^2/s, (n^2+n)/2}.

Proof of the theorem.  From n = LATE on a hook with arm entries floor(n/p), leg entries floor(n/q) exceeds U: for each
residue of n modulo lcm(p, q) the difference is a polynomial with non-negative coefficients.  For n between EARLY and
LATE the best hook is computed and exceeds U.  Below EARLY the maxima are certified by bound and prune
(`certified_search`), all tables that attain them included.  QED

For 3 x 5 and 4 x 4 this U is too weak: its limits, 1.2 and 1.25, exceed those of hooks, 1.1936.. and 1.2042..
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from confmat.classes import Tables
from confmat.indices.hooks import best_hook
from confmat.search import maximize
from proofs import require, require_equal
from proofs.ard_identities import largest_tables
from proofs.max_ard_populations import LIMITS
from proofs.max_rand_only_hooks import crosses

# shape: from EARLY on the best hook exceeds U; from LATE on the hook with entries floor(n/p), floor(n/q)
EARLY = {(3, 3): 20, (3, 4): 69}
LATE = {(3, 3): 31, (3, 4): 175}
ENTRIES = {(3, 3): (8, 8), (3, 4): (11, 8)}

OTHERS = {(3, 3): [4, 7, 8, 9, 10], (3, 4): [5, 10, 11, 12]}
TIES = {(3, 3): [4], (3, 4): [5]}


def corners(n: Any, r: int, s: int) -> list[tuple[Any, Any]]:
    """Numerators and denominators of the bound, over the four corners, each times M."""
    M = n * (n - 1) / 2
    values = []
    for A2 in (n * n / r, (n * n + n) / 2):
        for B2 in (n * n / s, (n * n + n) / 2):
            A, B = (A2 - n) / 2, (B2 - n) / 2
            numerator = (
                A2 * (Fraction(1, 2) - Fraction(1, s))
                + B2 * (Fraction(1, 2) - Fraction(1, r))
                + n * n / (r * s)
            )
            values.append((M * numerator, M * (A + B) - 2 * A * B))
    return values


def hook_parts(n: Any, r: int, s: int, u: Any, v: Any) -> tuple[Any, Any]:
    """Numerator M (A + B - 2P) and denominator of the ARD of the hook with arm entries u and leg entries v."""

    def pairs(*groups: tuple[int, Any]) -> Any:
        return sum(times * x * (x - 1) / 2 for times, x in groups)

    corner = n - (s - 1) * u - (r - 1) * v
    A, B = pairs((1, corner + (s - 1) * u), (r - 1, v)), pairs((1, corner + (r - 1) * v), (s - 1, u))
    P, M = pairs((1, corner), (s - 1, u), (r - 1, v)), pairs((1, n))
    return M * (A + B - 2 * P), M * (A + B) - 2 * A * B


def check_algebra() -> None:
    """The steps of the lemma, and the bound."""
    import sympy as sp

    n, z, gap, A, s, r, x, c, A2, B2, S = sp.symbols("n z gap A s r x c A2 B2 S")
    largest = ((n - z) ** 2 + gap**2) / 2 + z**2
    require_equal(2 * (largest - (n**2 + n) / 2), gap**2 - n - z * (2 * n - 3 * z), "the two largest rows")
    # 2P >= (2A + n)/s - n and 2A > n(n-1)/2
    least = ((2 * A + n) / s - n) / (2 * A)
    require_equal(least.subs(A, n * (n - 1) / 4), (n + 1 - 2 * s) / (s * (n - 1)), "beta")
    require_equal(sp.diff(least, A), n * (s - 1) / (2 * s * A**2), "P/A grows with A")
    q = sp.Symbol("q", positive=True)  # sqrt(n)
    last = ((q + 1) * (q**2 + 1 - 2 * s) / (s * (q**2 - 1)) - 1) * s * (q - 1)
    require_equal(last, q**2 + 1 - s * (q + 1), "n + 1 > s (sqrt(n) + 1)")
    require_equal((q**2 + 1 - s * (q + 1)).subs(s, q - 1), 2, "sqrt(n) = s + 1")

    def pairs(y: Any) -> Any:
        return y * (y - 1) / 2

    side = pairs(c + 1) + pairs(z - 1) - pairs(c) - pairs(z)
    require_equal(side, c - z + 1, "(iii): a point moves to a column, dB")
    require_equal(pairs(x - 1) - pairs(x), 1 - x, "(iii): the point leaves a cell alone in its row, dP")
    # the square sums to S - A2/s - B2/r + n^2/(rs), S = sum x^2, and A + B - 2P = (A2 + B2)/2 - S
    squares = S - 2 * (A2 / s + B2 / r - n**2 / (r * s)) + (A2 / s + B2 / r - n**2 / (r * s))
    bound = A2 * (sp.Rational(1, 2) - 1 / s) + B2 * (sp.Rational(1, 2) - 1 / r) + n**2 / (r * s)
    require_equal(bound - ((A2 + B2) / 2 - S), squares, "the bound: the sum of squares is the slack")


def linear(slope: int, constant: int) -> np.poly1d:
    """slope m + constant, in fractions: arithmetic and composition of these polynomials are exact."""
    return np.poly1d(np.array([Fraction(slope), Fraction(constant)], dtype=object))


def check_late(shape: tuple[int, int]) -> int:
    """The hook of LATE against U, for each residue; returns the number of polynomials."""
    r, s = shape
    p, q = ENTRIES[shape]
    period, checked = lcm(p, q), 0
    for residue in range(period):
        start = -(-(LATE[shape] - residue) // period)  # n = period (m + start) + residue >= LATE for m >= 0
        n, u, v = (linear(period // each, period // each * start + residue // each) for each in (1, p, q))
        numerator, denominator = hook_parts(n, r, s, u, v)
        for top, bottom in corners(n, r, s):
            coefficients = (numerator * bottom - top * denominator).coeffs
            require(
                all(isinstance(c, Fraction) and c >= 0 for c in coefficients) and coefficients[-1] > 0,
                f"{shape}: n = {residue} mod {period}",
            )
            checked += 1
    return checked


def check_early(shape: tuple[int, int]) -> None:
    """The best hook against U from EARLY to LATE; below EARLY all tables with the largest ARD."""
    r, s = shape
    for n in range(EARLY[shape], LATE[shape]):
        value = best_hook(n, r, s).ard
        require(
            all(value * bottom > top for top, bottom in corners(Fraction(n), r, s)),
            f"the hook exceeds U at {n, shape}",
        )
    require(EARLY[shape] >= (s + 1) ** 2, "the corollary applies")
    others, ties = [], []
    for n in range(s + 1, EARLY[shape]):
        found = maximize(Tables(n, r, s), "ard")
        require(found.proved and found.complete, f"the maximum at {n, shape} is certified")
        hooks = [bool(crosses(table.tolist())) for table in found.maximizers]
        require(
            any(hooks) == (n >= r + s - 2 and best_hook(n, r, s).ard == found.value),
            f"the hooks at {n, shape}",
        )
        if not all(hooks):
            others.append(n)
            if any(hooks):
                ties.append(n)
    require(others == OTHERS[shape], f"tables that are no hooks are largest at n = {others}, {shape}")
    require(ties == TIES[shape], f"ties at {shape}: {ties}")


def check_lemma() -> int:
    """The lemma and the bound of the corollary at every small table with the largest ARD."""
    from proofs.ard_identities import multipliers, pair_sums

    cases = 0
    for r, s, most in [(2, 2, 12), (2, 3, 10), (3, 2, 10), (3, 3, 9)]:
        for n in range(r + s - 1, most + 1):
            for table in largest_tables(n, r, s):
                M, A, B, P = pair_sums(table)
                ratio, _, beta = multipliers(M, A, B, P)
                first, second, *_ = sorted((sum(row) for row in table), reverse=True)
                if 2 * A > M and beta * (first - second + 1) > 1:
                    require(crosses(table), f"the lemma at {table}")
                    cases += 1
                elif 2 * A <= M and 2 * B <= M:
                    require(
                        any(ratio * bottom <= top for top, bottom in corners(Fraction(n), r, s)),
                        f"U at {table}",
                    )
    return cases


def verify() -> str:
    """The algebra, the three ranges of n, and the lemma on small tables."""
    check_algebra()
    polynomials = 0
    for shape in EARLY:
        polynomials += check_late(shape)
        check_early(shape)
    for shape, limit in (((3, 5), Fraction(6, 5)), ((4, 4), Fraction(5, 4))):
        require(limit > LIMITS[shape][0], f"the limit of U at {shape} is above that of hooks")
    cases = check_lemma()
    return f"algebra; the lemma at {cases} tables; {polynomials} polynomials; maxima below n = 20 (3x3), 69 (3x4)"
