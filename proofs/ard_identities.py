"""Identities and inequalities of the adjusted Rand distance, which the proofs about its largest value share.

Statement `ard-identities`: (ARD - 1)^2 <= (M/A - 1)(M/B - 1) for ARD >= 1. Further identities say how the ARD changes
    if A, B and P change, and after an exchange.
Statement `ari-replicated`: the ARI does not fall if every object is replaced by t >= 2 objects in the same clusters.
    It rises unless one clustering is one cluster or both are the same.

A table has total n; M = C(n,2), and A, B, P count the pairs of objects in its rows, columns and cells.  A *population*
is a table of real entries >= 0 with total 1, A, B, P the sums of squares of its rows, columns and cells, and M = 1.
In both cases, for D = M(A + B) - 2AB > 0 (for a population: more than one positive cell):
    l = ARD = M (A + B - 2P)/D,   lambda = l - 1 = 2 (AB - PM)/D,
    beta = 1/2 + l (B/M - 1/2),   alpha = 1/2 + l (A/M - 1/2).
(I1) beta A = P + lambda B/2 and alpha B = P + lambda A/2.  So lambda > 0 and A, B > 0 give alpha, beta > 0.
(I2) If lambda >= 0 and A, B > 0 then lambda^2 <= (M/A - 1)(M/B - 1).  With A' = M - A, B' = M - B, and C' = M-A-B+P
     the pairs apart in both: AB - PM = A'B' - MC' <= A'B', and D = AB' + BA' >= 2 sqrt(ABA'B').
(I3) A change of A, B, P by dA, dB, dP, with D > 0 after it, raises the ARD, keeps it or lowers it according to the
     sign of beta dA + alpha dB - dP + (l/M) dA dB: `ARD_lt_gain` in `rocq/LargestHooks.v`; an exchange: `no_exchange`.
(I4) With Q = B - P: lambda/2 = (QM - A'B)/(M^2 - M(A' + B) + 2A'B).  At fixed Q and B it decreases in A', strictly
     unless P (M - B) = B Q = 0.
(R)  Replication.  With A, B, P of the population and h = 1/n the ARD of a table is (1-h)(A+B-2P)/(A+B-2AB -
     h(2-A-B)).  Its derivative in h is 2 (1-A)(1-B)(A+B-2P) over the square of the denominator; replacing every object
     by t divides h by t.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from proofs import require_equal


def excess(M: Any, A: Any, B: Any, P: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of lambda = ARD - 1."""
    return 2 * (A * B - P * M), M * (A + B) - 2 * A * B


def in_points(n: Any, *squares: Any) -> list[Any]:
    """Return the pairs of n objects, and those within groups, given sums of squares of the fractions of groups."""
    return [(n**2 * x - n) / 2 for x in (1, *squares)]


def verify() -> str:
    """Check all identities, symbolically."""
    M, A, B, P, Q, N, h, n = sp.symbols("M A B P Q N h n")
    numerator, D = excess(M, A, B, P)
    half, ratio = sp.Rational(1, 2), 1 + numerator / D
    require_equal(ratio, M * (A + B - 2 * P) / D, "lambda")
    alpha, beta = half + ratio * (A / M - half), half + ratio * (B / M - half)
    require_equal(beta * A, P + numerator / D * B / 2, "(I1), beta")
    require_equal(alpha * B, P + numerator / D * A / 2, "(I1), alpha")
    Ac, Bc = M - A, M - B
    require_equal(numerator / 2, Ac * Bc - M * (M - A - B + P), "(I2): AB - PM")
    require_equal(D, A * Bc + B * Ac, "(I2): D")
    require_equal(D**2 - 4 * A * B * Ac * Bc, (A * Bc - B * Ac) ** 2, "(I2): the two means")
    top, bottom = Q * M - N * B, M**2 - M * (N + B) + 2 * N * B  # N is A'
    require_equal((numerator / D / 2).subs({P: B - Q, A: M - N}), top / bottom, "(I4)")
    slope = sp.diff(top, N) * bottom - top * sp.diff(bottom, N)
    require_equal(slope.subs(Q, B - P), -M * (P * (M - B) + B * (B - P)), "(I4): the slope")
    of_table = excess(*in_points(n, A, B, P))
    of_h = (1 - h) * (A + B - 2 * P) / (A + B - 2 * A * B - h * (2 - A - B))
    require_equal(1 + of_table[0] / of_table[1], of_h.subs(h, 1 / n), "(R)")
    slope = 2 * (1 - A) * (1 - B) * (A + B - 2 * P) / (A + B - 2 * A * B - h * (2 - A - B)) ** 2
    require_equal(sp.diff(of_h, h), slope, "(R): the derivative")
    return "algebra; what a change and an exchange do formally: rocq/LargestHooks.v"
