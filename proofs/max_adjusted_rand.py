"""The largest adjusted Rand distance (smallest ARI): its value, the best hooks, and tables of equal cells.

Statement `ard-balanced-hooks`: among the hooks with the same corner, the same arm total and the same leg total the
    one with balanced arm and leg has the largest ARD.
Statement `ard-best-hook`: every hook with ARD >= v satisfies M(A + B - 2P) >= v (M(A + B) - 2AB), with the A, B and P
    of a hook of the same totals whose arm and leg are spread evenly in real numbers. This is a polynomial inequality
    of degree 2 in the arm total and in the leg total.
Statement `ard-max`: let n > s, and r = 2 or s <= 10 or n >= 16(r + s). The largest ARD of r x s tables is that of the
    best hook, with two kinds of exceptions. The first are n = s + 2 and (s, n) = (3, 6), (4, 7), (5, 8), (6, 9), (2,
    6), (4, 8), (5, 9) for 2 x s, n = 7, 8, 9, 10 for 3 x 3 and n = 10, 11, 12 for 3 x 4. There it is the larger ARD
    of two tables with cells that differ by at most one, the larger cells first row by row or column by column. The
    second are n <= r + s - 3. There it is that of a row of n - r + 1 ones, a column of n - s + 1 ones that meets it
    in one of them, and isolated ones.
Statement `ard-form-late`: the largest ARD of r x s tables, n >= r + s - 2, r >= 3, is attained by a hook, except at n =
    7, 8, 9, 10 for 3 x 3 and n = 10, 11, 12 for 3 x 4.
Statement `ard-independent-exceptions`: the table of independent clusterings, all cells n/(rs), does not have the
    largest ARD, except at (n,r,s) = (4,2,2), (8,2,2), (6,2,3), (8,2,4), (10,2,5), (9,3,3), (12,3,4).

A hook has a corner c >= 0, an arm (the rest of the first row) and a leg (the rest of the first column).

Best hook.  A change that adds the same y > 0 to B and to P and keeps A lowers the ARD, so that balanced arms and legs
are best: in words and formally in `rocq/BestHook.v`.  What its lemma `same_addition_cross` says of A, B, P, M and y is
homogeneous, so it holds for fractions.  An arm with total T spread evenly over s - 1 columns has the sum of squares
T^2/(s-1), at most that of the balanced arm, so B and P are smaller by the same y >= 0 and A is the same: its ARD is at
least that of the balanced arm.  Likewise the leg.  Then A is quadratic in the leg, B in the arm, P in both.

`ard-max` (proved) puts together `ard-hooks-two-rows`, `ard-hooks-small-shapes`, `ard-hooks-from` and `ard-best-hook`.
`ard-form-late` is so proved for s <= 10 and for n >= 16 (r + s); for other classes `confmat.indices.only_hooks` finds
in milliseconds that only hooks have the largest ARD, from about n = 2 (r + s) on if r and s do not differ much.

Equal cells (proved).  n = rst.  For r = 2, s <= 10 and n >= 16 (r + s) see these statements: from n = r + s - 1 on
only the tables named can be best.  Else r >= 3, s >= 11, k = rt <= 31.  Equal cells have, with lambda = ARD - 1,
    lambda = 2(r-1)(s-1)/(n (r+s-2) - (2rs-r-s)) < 2/(r+s-4) <= 2/(s-1).
For s <= 60 the best hook has more, by comparison of all cases.  For s > 60 and k >= 6 the hook with arm = leg =
floor(n/6) >= s - 1 has lambda > 1/20 even if neither is split, and splitting raises it.  For k = 3, 4, 5 the hook
with an arm of ones and half of the first column as leg has lambda > 2/(s-1): a polynomial in s, s even or odd.

The smallest ARI of two clusterings of given sizes: Chacon & Rastrojo (2023, ADAC 17, doi 10.1007/s11634-022-00491-w)
announce an explicit formula for it.  Their text was not available to us; our proofs stand by themselves.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from confmat.indices.hooks import best_hook
from proofs import pairs, require, require_equal, require_nonnegative
from proofs.ard_identities import excess


def equal_cells(n: int, r: int, s: int) -> Fraction:
    """Return ARD - 1 of the table of equal cells."""
    return Fraction(2 * (r - 1) * (s - 1), n * (r + s - 2) - (2 * r * s - r - s))


def check_equal_cells() -> int:
    """Check equal cells against hooks for all sizes, and return the number of sizes that were compared."""
    m, n, r, s = sp.symbols("m n r s", positive=True)
    numerator, denominator = excess(pairs(n), r * pairs(n / r), s * pairs(n / s), r * s * pairs(n / (r * s)))
    require_equal(
        numerator / denominator,
        2 * (r - 1) * (s - 1) / (n * (r + s - 2) - (2 * r * s - r - s)),
        "equal cells",
    )
    for residue in range(6):
        total = 6 * m + residue
        A = pairs(total - m, m)
        numerator, denominator = excess(pairs(total), A, A, pairs(total - 2 * m, m, m))
        require_nonnegative(20 * numerator - denominator, {m: 60}, f"arm = leg, n = {residue} mod 6")
    for k in (3, 4, 5):
        for odd in (0, 1):
            s = 2 * m + odd
            column = (k - 1) * s + 1
            leg = (column - (column.subs(m, 0) % 2)) / 2
            parts = pairs(k * s - leg, leg), pairs(column), pairs(column - leg, leg)
            numerator, denominator = excess(pairs(k * s), *parts)
            difference = (s - 1) * numerator - 2 * denominator
            require_nonnegative(difference, {m: 30}, f"an arm of ones, k = {k}, s = {odd} mod 2")
    tried = 0
    for s in range(11, 61):
        for r in range(3, s + 1):
            for t in range(1, 16 * (r + s) // (r * s) + 1):
                more = best_hook(r * s * t, r, s).ard - 1 > equal_cells(r * s * t, r, s)
                require(more, f"a hook against equal cells at {(r * s * t, r, s)}")
                tried += 1
    return tried


def verify() -> str:
    """Check the statement about tables of equal cells."""
    return f"equal cells against hooks, {check_equal_cells()} sizes; balanced hooks formally: rocq/BestHook.v"
