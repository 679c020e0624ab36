"""The largest ARD of 2 x s tables without empty rows and columns: that of hooks, with a list of exceptions.

Statement `ard-hooks-two-rows`: for n > s only hooks have the largest ARD of 2 x s tables, except at n = s + 2 for s
    >= 7 and at 17 pairs (s, n) with s <= 6. At 5 of these pairs hooks have it as well.

For n = s the ARD of all tables is 1 (B = P = 0; s > 2).  Let n > s >= 2, a_1 >= a_2 the row sums, d = a_1 - a_2, d_j
= x_1j - x_2j, S = sum d_j^2, theta = B/M; the rest of the notation, (I3) and (I4) are in `ard_identities`, t = n - s.
A 2 x s table is a hook if one of its rows has at most one positive cell.

Theorem A.  If the largest ARD exceeds 1 + 2/(n-1), every table that attains it is a hook: in words and formally in
`rocq/LargestHooks.v`.
Theorem B.  It does for n >= s + sqrt(2s) + 3 if s >= 13, and for n >= FROM[s] if s <= 12.
Theorem C.  Tables with the largest ARD that are no hooks exist exactly for these (s, n): s = 2, n = 4..8; s = 3, n =
5..7; s = 4, n = 6..8; s = 5, n = 7..10; s = 6, n = 8, 9; s >= 7, n = s + 2.  Hooks have the largest ARD as well at
(2,5), (2,7), (2,8), (3,7) and (5,10) only: there the two kinds tie.  For s >= 7, n = s + 2 the largest table has two
columns (1,1) and else (1,0).

Proof of B.  A = M/2 + (d^2-n)/4 and P = B/2 + (S-n)/4, so that
    lambda = [theta (d^2-n) + n - S] / [M + (d^2-n)(1-2theta)/2],
and a table has lambda > 2/(n-1) if and only if
    (H)   (d^2-n)((n+1) theta - 1) > (n-1) S.
(1) n >= 6s, n >= 18: the 2 x 2 hook with arm = leg = m = floor(n/6) has it: for each residue of n the difference is a
    polynomial with positive coefficients in m - 3.  Splitting its arm into s - 1 <= m parts raises the ARD
    (lemma of `max_adjusted_rand`).
(2) s >= 13, sqrt(2s) + 3 <= t <= 6s: the hook with first column (ceil((t+1)/2), floor((t+1)/2)) and an arm of ones
    has theta = t(t+1)/(n(n-1)), S = d, and d = s-1 or s.  (H) is G(d) = (d^2-n) X - n(n-1)^2 d > 0, X = (n+1)t(t+1) -
    n(n-1). With s = w^2/2, w = 5 + z > 5, and t = (w + 3 + 3 w^2 y)/(1 + y), which for y >= 0 runs from w + 3 to 6s,
    (1+y)^4 G(s-1) has positive coefficients in y, z.  As (s-1)^2 > 7s >= n, X > 0; so G is convex in d, and from G(0)
    < 0 < G(s-1) follows G(s) > 0.
(3) s <= 12, FROM[s] <= n < max(18, 6s): the best hook is computed.

Proof of C.  By A and B only n < FROM[s] (s <= 12) and t < sqrt(2s) + 3 (s >= 13) remain.  For s <= 214 all these
classes are searched, every tie included (`_two_rows`).  Let s >= 215; then n - 1 > 10 t.  Let x be a maximizer, no
hook. The hook with first column (t, 1) and ones has lambda > 0, so lambda > 0 at x, and Q = B - P > 0 by (I4).
(1) A column of sum 1 has its object in row 1: else move it there; row 2 keeps an object (x is no hook), Q and B stay,
    and A' = a_1 a_2 drops, against (I4).  Let k >= 2 columns have q_j = x_2j >= 1; p_j = x_1j, a = a_2 = sum q_j.
    Moving an object (2,j) to (1,j): x_1j - x_2j + 1 >= beta (d+1) > 0, so p_j >= q_j.  Put u_j = p_j - 1 >= q_j - 1 >=
    0; then b_j - 1 = u_j + q_j, so a <= sum (u_j + q_j) <= t, A' <= an <= tn, and A >= M/2. P is least for the
    margins, so d_k <= d_j + 2 where x_2j, x_1k >= 1 ("balance").
(2) Merge two of the k columns: (p,q), (p',q') -> (p+p'-1, q+q'), (1,0).  A stays, Q rises by uq' + qu', P by
    uu' + qq'.  In lambda/2 = (AB - PM)/D the denominator does not grow, as A >= M/2, and the numerator changes by
    A (uq' + qu') - A' (uu' + qq').  So, if (u,u') is not (0,0), A <= A' rho, rho = (uu' + qq')/(uq' + qu').
    If a rho <= 4t this is impossible: M <= A' + A' rho <= 5tn, n - 1 <= 10t.
(3) Let q >= q' be the two largest q_j and (u,u') not (0,0).  qq'/(uq' + qu') = 1/(u/q + u'/q') <= 2, as u >= q-1,
    u' >= q'-1; and uu'/(uq' + qu') <= min(u/q, u'/q').  If u' <= 2q', a rho <= 4a <= 4t.  Else by balance
    u_j + q_j >= u' - q' - 2 + 2q_j > u'/2 for the other k-2 columns, so (k-2) u' <= 2(t - u - u'), and
    a min(u/q, u'/q') <= u + (k-1) u' <= 2t: a rho <= 2a + 2t <= 4t.
(4) So u = u' = 0, and all q_j = 1.  If some u_j > 0, its column and one with u = 0 have rho = 1/u_j <= 1, a rho <= t.
    Otherwise the k columns are (1,1) and the others (p,0), p <= 2 by balance: B = t, Q = k <= t.
    - t = 1: k <= 1.
    - t >= 3: the hook with first column (t-1, 2) and ones has A' = 2(n-2) <= k(n-k), which is the A' of x.  By (I4)
      lambda(x)/2 is at most (AB - PM)/D <= At/D at this A' and B = t.  At the hook AB - PM is
      2A(t-1) - A'(t^2-3t+4)/2 > At, as (t^2-3t+4)/2 < t(t-2) and A >= tA'; and D is no larger, as B is larger.
    - t = 2: k = 2, the table of the theorem.  It beats the hooks (L is the entry of row 2, b_1 the sum of its column):
      b_1 = 3, L = 1 by n^3 - 8n^2 + 19n - 4 > 0; b_1 = 3, L = 2 has a larger A' at the same Q and B; b_1 = 2, L = 1 has
      Q = 1, A' = n-1, B = 2, less than half the numerator and a larger denominator; in the others Q = 0, lambda <= 0.
QED
"""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import Any

import sympy as sp

from confmat.conjectures.claims.hooks import largest_hook_ard
from proofs import ard, is_hook, pairs, require, require_equal, require_nonnegative, small_classes
from proofs._two_rows import Largest, largest_ard
from proofs.ard_identities import excess

# Theorem B: from this n on some hook has ARD > 1 + 2/(n-1)
FROM = {2: 16, 3: 13, 4: 11, 5: 11, 6: 12, 7: 13, 8: 14, 9: 15, 10: 16, 11: 17, 12: 19}

# Theorem C for s <= 6: the n at which tables that are no hooks have the largest ARD, and those where hooks tie
OTHERS = {2: [4, 5, 6, 7, 8], 3: [5, 6, 7], 4: [6, 7, 8], 5: [7, 8, 9, 10], 6: [8, 9]}
TIES = {(2, 5), (2, 7), (2, 8), (3, 7), (5, 10)}
LONG = 215  # the proof of C starts here; shorter tables are searched


def check_hooks() -> None:
    """Check the algebra of theorem B."""
    n, d, B, S, c, m, y, s, t, w = sp.symbols("n d B S c m y s t w", positive=True)
    M = n * (n - 1) / 2
    A, P, theta = M / 2 + (d**2 - n) / 4, B / 2 + (S - n) / 4, B / M
    p, q = (c + d) / 2, (c - d) / 2  # a column or a pair of rows with sum c and difference d
    require_equal(pairs(p, q), c * (c - 1) / 4 + (d**2 - c) / 4, "B: pairs in two groups")
    numerator, denominator = excess(M, A, B, P)
    short = (theta * (d**2 - n) + n - S) / (M + (d**2 - n) * (1 - 2 * theta) / 2)
    require_equal(numerator / denominator, short, "B: lambda")

    # (H): both sides over the positive denominator of lambda
    bound = (theta * (d**2 - n) + n - S) * (n - 1) - 2 * (M + (d**2 - n) * (1 - 2 * theta) / 2)
    require_equal(bound, (d**2 - n) * ((n + 1) * theta - 1) - (n - 1) * S, "(H)")
    for residue in range(6):
        total, corner = 6 * m + residue, 4 * m + residue
        A = pairs(corner + m, m)
        numerator, denominator = excess(pairs(total), A, A, pairs(corner, m, m))
        difference = numerator * (total - 1) - 2 * denominator
        require_nonnegative(difference, {m: 3}, f"B (1), n = {residue} mod 6", strict=True)

    def G(d: Any) -> Any:
        X = (n + 1) * t * (t + 1) - n * (n - 1)
        return (d**2 - n) * X - n * (n - 1) ** 2 * d

    theta = t * (t + 1) / (n * (n - 1))
    scaled = ((d**2 - n) * ((n + 1) * theta - 1) - (n - 1) * d) * n * (n - 1)
    require_equal(scaled, G(d), "B (2): (H) times n (n-1)")
    inside = G(s - 1).subs(n, s + t).subs(s, w**2 / 2).subs(t, (w + 3 + 3 * w**2 * y) / (1 + y))
    require_nonnegative(inside, {w: 5, y: 0}, "B (2): G(s-1) > 0", strict=True)
    require_nonnegative((s - 1) ** 2 - 7 * s, {s: 13}, "B (2): (s-1)^2 > 7s", strict=True)


def check_others() -> None:
    """Check the algebra of theorem C: merging two columns, and the tables of (4)."""
    n, t, v, A, M = sp.symbols("n t v A M", positive=True)
    p, q, p2, q2 = sp.symbols("p q p2 q2", positive=True)
    u, u2 = p - 1, p2 - 1
    before, after = (p, q, p2, q2), (p + p2 - 1, q + q2, 1, 0)
    P_rise = pairs(*after) - pairs(*before)
    B_rise = pairs(p + q + p2 + q2 - 1, 1) - pairs(p + q, p2 + q2)
    require_equal(P_rise, u * u2 + q * q2, "C (2): P")
    require_equal(B_rise - P_rise, u * q2 + q * u2, "C (2): Q")
    rise = A * (u * q2 + q * u2) - (M - A) * (u * u2 + q * q2)
    require_equal(A * B_rise - M * P_rise, rise, "C (2): AB - PM")
    x, y = sp.symbols("x y")
    swapped = pairs(x - 1, y + 1) - pairs(x, y)  # a point down in a column of difference x - y
    require_equal(swapped, 1 - (x - y), "C (1): balance, the column k; the column j has 1 + d_j")

    rows = n * (n - 1) / 2
    Ac = 2 * (n - 2)
    A = rows - Ac
    of_hook = A * pairs(t + 1) - pairs(t - 1, 2) * rows
    require_equal(of_hook, 2 * A * (t - 1) - Ac * (t**2 - 3 * t + 4) / 2, "C (4): the hook")
    require_nonnegative(2 * t * (t - 2) - (t**2 - 3 * t + 4), {t: 3}, "C (4): t >= 3", strict=True)
    require_nonnegative((A - t * Ac).subs(n, 10 * t + 2 + v), {t: 1, v: 0}, "C (4): A >= tA', n - 1 > 10t")
    first = t * rows - (n - 1) * t * (t + 1) / 2
    require_equal(first, t * (n - 1) * (n - t - 1) / 2, "C: QM - A'B > 0 at the hook (t, 1)")
    # t = 2: Q M - A' B and M^2 - M (A' + B) + 2 A' B
    table, long, short = (
        (Q * rows - a * b, rows**2 - rows * (a + b) + 2 * a * b)
        for Q, a, b in ((2, Ac, 2), (2, n - 1, 3), (1, n - 1, 2))
    )
    difference = sp.factor(table[0] * long[1] - long[0] * table[1])
    cubic = n**3 - 8 * n**2 + 19 * n - 4
    positive = sp.cancel(difference / cubic)
    require(sp.denom(sp.together(positive)).is_number, "C (4): the cubic")
    require_nonnegative(positive, {n: 4}, "C (4): the other factor")
    require_nonnegative(cubic, {n: 4}, "C (4): n^3 - 8n^2 + 19n - 4 > 0 for n >= 4", strict=True)
    require_equal(table[0] - 2 * short[0], 4, "C (4): b_1 = 2, numerator")
    require_nonnegative(short[1] - table[1], {n: 6}, "C (4): b_1 = 2, denominator")


def check_start() -> None:
    """Check step (3) of B, and n - 1 > 10 t for s >= 215, that is w^2/2 - 1 > 9 (w + 3) with w = sqrt(2s)."""
    for s, start in FROM.items():
        for n in range(start, max(18, 6 * s)):
            require(largest_hook_ard(n, 2, s) > 1 + Fraction(2, n - 1), f"B (3) at n = {n}, s = {s}")
    w, least = sp.symbols("w"), sp.Rational(2073, 100)
    require(least**2 < 2 * LONG, "w > 20.73 for s >= LONG")
    require_nonnegative(w**2 / 2 - 1 - 9 * (w + 3), {w: least}, "n - 1 > 10t", strict=True)


def remaining(s: int) -> range:
    """Return the t = n - s >= 1 that theorems A and B do not cover: t < sqrt(2s) + 3, or n < FROM[s]."""
    if s in FROM:
        return range(1, FROM[s] - s)
    return range(1, next(t for t in count(4) if (t - 3) ** 2 >= 2 * s))


def check_searched(most: int) -> int:
    """Check theorem C for s < ``most`` by search, and return the number of classes."""
    classes = 0
    for s in range(2, most):
        expected = OTHERS.get(s, [s + 2])
        found = {s + t: largest_ard(s + t, s) for t in remaining(s)}
        require([n for n, best in found.items() if best.other] == expected, f"Theorem C at s = {s}")
        ties = {(s, n) for n, best in found.items() if best.other and best.hook}
        require(ties == {tie for tie in TIES if tie[0] == s}, f"the ties at s = {s}: {ties}")
        for n, best in found.items():
            is_best = largest_hook_ard(n, 2, s) == best.value
            require(is_best == best.hook, f"the best hook at n = {n}, s = {s}")
        classes += len(found)
    return classes


def check_search() -> int:
    """Check the search against all tables of small classes."""
    classes = 0
    for n, _, s, tables in small_classes((2, 2, 14), (2, 3, 10), (2, 4, 9), (2, 5, 8)):
        if n > s:
            value = max(map(ard, tables))
            kinds = {is_hook(table) for table in tables if ard(table) == value}
            found = Largest(value, True in kinds, False in kinds)
            require(largest_ard(n, s) == found, f"the search at n = {n}, s = {s}")
            classes += 1
    return classes


def verify() -> str:
    """Check the algebra and the finite parts of theorems B and C, and the search against enumeration."""
    check_hooks()
    check_others()
    check_start()
    compared = check_search()
    classes = check_searched(LONG)
    return f"algebra; {classes} classes searched, s < {LONG}; the search equals enumeration on {compared} classes"
