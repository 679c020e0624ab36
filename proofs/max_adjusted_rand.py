"""The largest adjusted Rand distance (smallest ARI): what is proved, and what is only computed.

Statement `ard-balanced-hooks`: among the hooks with one corner, one arm total and one leg total the one with
    balanced arm and leg has the largest ARD.
Statement `ard-best-hook`: a hook with leg total L and ARD >= v satisfies M(A + B - 2P) >= v (M(A + B) - 2AB) with
    the A and P of a leg spread evenly in real numbers, which at given n, arm and v is a quadratic inequality in L.
Statement `ard-form-late`: the largest ARD is attained by a hook for n > 6, 6, 8, 9, 9 at 2x2, 2x3, 2x4, 2x5, 2x6,
    for n > 10, 12 at 3x3, 3x4, and from n = r + s - 2 on at 3x5, 3x6, 4x4, 4x5, 4x6, 5x5, 5x6, 6x6.
Statement `ard-independent-exceptions`: the table of independent clusterings, all cells n/(rs), does not have the
    largest ARD, except at (n,r,s) = (4,2,2), (8,2,2), (6,2,3), (8,2,4), (10,2,5), (9,3,3), (12,3,4).

A hook has a corner c >= 0, an arm (the rest of the first row) and a leg (the rest of the first column).

Lemma (proved).  If a change of the table adds the same y > 0 to B and to P and keeps A, and A < M, the ARD
strictly decreases.  With N = A + B - 2P and D = A(M-B) + B(M-A), ARD = M N/D, and along the change dN/dy = -1,
dD/dy = M - 2A; N' D - N D' = -[M A + (M - 2A)(A + 2B - 2P)].  If M >= 2A the bracket is >= 0, and 0 only if A = 0,
where P <= A cannot grow.  If M < 2A, use B - P <= M - A (pairs together in a column
only are apart in the rows): the bracket is at least 2 (M - A)^2 > 0.  So at fixed corner, arm total and leg total
the best hook has a balanced arm and, by transposition, a balanced leg.

Best hook (proved).  In real numbers a leg with total L spread evenly over r - 1 rows has the sum of squares L^2/(r-1),
at most that of the balanced leg, so A and P are smaller by the same y >= 0 and B is the same: by the lemma, transposed,
its ARD is at least that of the balanced leg.  At a given arm A and P are quadratic in L, M and B constant, so ARD >= v
is a quadratic inequality in L.

2 x 2, n >= 9 (proved).  The largest ARD is the largest value of `max_ard_2x2` over 2 <= d <= n/2: for d = 1 the
tables are [[x, 1], [0, y]] up to symmetry, and D - M F >= 0 for F = A + B - 2P, x, y >= 1 except x = y = 1 (n = 3, ARD
3/2), so ARD <= 1 from n = 4 on; d = 2 already has the hook [[n-2, 1], [1, 0]] with ARD n/(n-1) > 1.

Other shapes: 2 x s, 3 x 3 and 3 x 4 are proved in `max_ard_two_rows` and `max_ard_three_rows`, the rest is computed.
The largest n at which no hook attains the largest ARD, and the range of n searched with certified maxima
(`without_hook`): 2x2: 6 (400), 2x3: 6 (200), 2x4: 8 (110), 2x5: 9 (75), 2x6: 9 (50), 3x3: 10 (130), 3x4: 12 (80),
3x5: 5 (55), 3x6: 6 (40), 4x4: 5 (65), 4x5: 6 (45), 4x6: 7 (35), 5x5: 7 (50), 5x6: 8 (30), 6x6: 9 (30).  From 3x5 on
these are the n below r + s - 2, where no hook exists.  "Some table with the largest ARD is no hook" ends later where
the two kinds tie: 8, 7, 8, 10, 9 for 2x2..2x6.  `verify` repeats it as far as a few seconds allow, by enumeration.
At (6,2,2) the maximizer is [[2,2],[1,1]] with 45/37, at (9,3,3) the table of ones with 4/3.

The smallest ARI of two clusterings of given sizes: Chacon & Rastrojo (2023, ADAC 17, doi 10.1007/s11634-022-00491-w)
announce an explicit formula for it.  Their text was not available to us; our proofs stand by themselves.

The limits for n -> infinity are those of populations: `max_ard_populations`.
"""

from __future__ import annotations

from fractions import Fraction

from confmat.classes.compositions import partitions
from confmat.conjectures import LITERATURE
from confmat.conjectures.checking import domain
from confmat.conjectures.claims.hooks import LAST_WITHOUT_HOOK, largest_hook_ard
from confmat.indices.pairs import PairSums, pairs_within
from proofs import require, require_equal, require_nonnegative


def check_lemma() -> None:
    """The derivative, its two bounds, and the balanced hook against all hooks."""
    import sympy as sp

    A, B, P, M, y = sp.symbols("A B P M y")
    N = A + B + y - 2 * (P + y)
    D = A * (M - B - y) + (B + y) * (M - A)
    slope = (sp.diff(N, y) * D - N * sp.diff(D, y)).subs(y, 0)
    bracket = M * A + (M - 2 * A) * (A + 2 * B - 2 * P)
    require_equal(slope, -bracket, "sign of the derivative")
    require_equal(
        bracket.subs(B, P + M - A), 2 * (M - A) ** 2, "bracket at B - P = M - A, its least for M < 2A"
    )
    for n, r, s in [(9, 2, 4), (10, 3, 3), (12, 3, 4), (14, 4, 4)]:
        best: Fraction = max(
            _hook(corner, arm, leg)
            for corner in range(n - (r + s - 2) + 1)
            for total in range(s - 1, n - corner - (r - 1) + 1)
            for arm in partitions(total, s - 1, minimum=1)
            for leg in partitions(n - corner - total, r - 1, minimum=1)
        )
        require(best == largest_hook_ard(n, r, s), f"balanced hooks are best at {(n, r, s)}")


def _hook(corner: int, arm: tuple[int, ...], leg: tuple[int, ...]) -> Fraction:
    n = corner + sum(arm) + sum(leg)
    A, B = pairs_within([corner + sum(arm), *leg]), pairs_within([corner + sum(leg), *arm])
    return PairSums(n, A, B, pairs_within([corner, *arm, *leg])).adjusted_rand_distance


def check_2x2() -> None:
    """d = 1 gives ARD <= 1, the hook of d = 2 more."""
    import sympy as sp

    def parts(n11, n12, n21, n22):  # type: ignore[no-untyped-def]
        def pairs(*sizes):  # type: ignore[no-untyped-def]
            return sum(x * (x - 1) / 2 for x in sizes)

        M = pairs(n11 + n12 + n21 + n22)
        A, B = pairs(n11 + n12, n21 + n22), pairs(n11 + n21, n12 + n22)
        return M, A + B - 2 * pairs(n11, n12, n21, n22), A * (M - B) + B * (M - A)

    x, y, n = sp.symbols("x y n")
    M, F, D = parts(x, sp.Integer(1), sp.Integer(0), y)
    excess = sp.expand(D - M * F)
    require_equal(excess.subs({x: y, y: x}, simultaneous=True), excess, "d = 1: x and y play one role")
    require_nonnegative(
        excess.subs({x: 2 + x, y: 1 + y}, simultaneous=True), [x, y], "d = 1, n >= 4: ARD <= 1"
    )
    require((M * F / D).subs({x: 1, y: 1}) == sp.Rational(3, 2), "d = 1, n = 3")
    M, F, D = parts(n - 2, sp.Integer(1), sp.Integer(1), sp.Integer(0))
    require_equal(M * F / D, n / (n - 1), "the hook of d = 2")


def without_hook(shape: tuple[int, int], most: int) -> list[int]:
    """The n up to ``most`` at which no hook attains the largest ARD, by certified bound and prune."""
    from confmat.classes import Tables
    from confmat.search import maximize

    found = []
    for n in range(max(shape), most + 1):
        result = maximize(Tables(n, *shape), "ard")
        require(result.complete, f"the largest ARD of {result.matrices} is certified")
        if result.value != largest_hook_ard(n, *shape):
            found.append(n)
    return found


def verify(most: int = 14) -> str:
    """The lemma, the 2 x 2 case; the largest n without a hook, up to ``most`` (2 x s further)."""
    check_lemma()
    check_2x2()
    form = LITERATURE["ard-form"]
    assert form.predicate is not None
    for (r, s), last in LAST_WITHOUT_HOOK.items():
        reach = {2: 40, 3: 30}.get(s, 20) if r == 2 else min(most, 66 // s)
        failing = [m.n for m in domain(form, [(r, s)], range(1, reach + 1)) if form.predicate(m).violation]
        require(failing and max(failing) == last, f"{r} x {s}: no hook is best at n = {failing}")
    return (
        f"lemma, 2 x 2; hooks against all tables up to n = 40 (2x2), 30 (2x3), 20 (2xs), 11..{most} (others)"
    )
