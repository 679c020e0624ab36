"""Identities and inequalities of the adjusted Rand distance, which the proofs about its largest value share.

Statement `ard-identities`: (ARD - 1)^2 <= (M/A - 1)(M/B - 1) for ARD >= 1; and what a change of A, B, P, or an
    exchange, does to the ARD.
Statement `ari-replicated`: the ARI does not fall when every point is replaced by t points in the same clusters, t >= 2,
    and it rises unless one clustering is one cluster or both are the same.

A table has total n; M = C(n,2), and A, B, P count the pairs of points in its rows, columns and cells.  A *population*
is a table of real entries >= 0 with total 1, A, B, P the sums of squares of its rows, columns and cells, and M = 1.
In both cases, for D = M(A + B) - 2AB > 0 (for a population: more than one positive cell):
    l = ARD = M (A + B - 2P)/D,   lambda = l - 1 = 2 (AB - PM)/D,
    beta = 1/2 + l (B/M - 1/2),   alpha = 1/2 + l (A/M - 1/2).
(I1) beta A = P + lambda B/2 and alpha B = P + lambda A/2.  So lambda > 0 and A, B > 0 give alpha, beta > 0.
(I2) If lambda >= 0 and A, B > 0 then lambda^2 <= (M/A - 1)(M/B - 1).  With A' = M - A, B' = M - B, and C' = M-A-B+P
     the pairs apart in both: AB - PM = A'B' - MC' <= A'B', and D = AB' + BA' >= 2 sqrt(ABA'B').
(I3) A change of A, B, P by dA, dB, dP, with D > 0 after it, raises the ARD, keeps it or lowers it according to the
     sign of
         beta dA + alpha dB - dP + (l/M) dA dB:
     M (A + B - 2P) - l D, with this l, is 0 before the change, has the sign asked for after it,
     and grows by 2M times this expression.
(I4) With Q = B - P: lambda/2 = (QM - A'B)/(M^2 - M(A' + B) + 2A'B).  At fixed Q and B it decreases in A', strictly
     unless P (M - B) = B Q = 0.
(E)  Exchange.  Let I be a set of m rows, j and k two columns.  Move one point from j to k in each row of I, or one from
     k to j in each.  If both tables are in the class of a table with the largest ARD, then alpha m <= 1: dA = 0, and
     the two values of (I3) add up to 2m (alpha m - 1).  The same for rows, with beta.
(R)  Replication.  With A, B, P of the population and h = 1/n the ARD of a table is (1-h)(A+B-2P)/(A+B-2AB -
     h(2-A-B)).  Its derivative in h is 2 (1-A)(1-B)(A+B-2P) over the square of the denominator; replacing every point
     by t divides h by t.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from confmat.classes import Tables
from confmat.indices.pairs import PairSums
from proofs import margins, pairs, require, require_equal

Table = list[list[int]]


def pair_sums(table: Table) -> tuple[int, int, int, int]:
    """M, A, B, P of a table."""
    sums = PairSums.of(table)
    return sums.pairs, sums.A, sums.B, sums.P


def excess(M: Any, A: Any, B: Any, P: Any) -> tuple[Any, Any]:
    """Numerator and denominator of lambda = ARD - 1."""
    return 2 * (A * B - P * M), M * (A + B) - 2 * A * B


def multipliers(M: Any, A: Any, B: Any, P: Any) -> tuple[Any, Any, Any]:
    """l, alpha, beta; the ARD must be defined."""
    ratio = Fraction(M * (A + B - 2 * P), M * (A + B) - 2 * A * B)
    half = Fraction(1, 2)
    return ratio, half + ratio * (A / Fraction(M) - half), half + ratio * (B / Fraction(M) - half)


def gain(M: int, before: tuple[int, int, int], after: tuple[int, int, int]) -> Fraction:
    """The expression of (I3)."""
    ratio, alpha, beta = multipliers(M, *before)
    dA, dB, dP = (y - x for x, y in zip(before, after))
    return beta * dA + alpha * dB - dP + ratio * dA * dB / M


def check_algebra() -> None:
    """(I1) to (I4) and (E), symbolically."""
    import sympy as sp

    M, A, B, P, dA, dB, dP = sp.symbols("M A B P dA dB dP")
    D = M * (A + B) - 2 * A * B
    ratio = M * (A + B - 2 * P) / D
    excess = ratio - 1
    half = sp.Rational(1, 2)
    alpha, beta = half + ratio * (A / M - half), half + ratio * (B / M - half)
    require_equal(excess, 2 * (A * B - P * M) / D, "lambda")
    require_equal(beta * A, P + excess * B / 2, "(I1), beta")
    require_equal(alpha * B, P + excess * A / 2, "(I1), alpha")
    Ac, Bc, Cc = M - A, M - B, M - A - B + P
    require_equal(A * B - P * M, Ac * Bc - M * Cc, "(I2): AB - PM")
    require_equal(D, A * Bc + B * Ac, "(I2): D")
    require_equal(D**2 - 4 * A * B * Ac * Bc, (A * Bc - B * Ac) ** 2, "(I2): the two means")

    def level(A: Any, B: Any, P: Any) -> Any:
        return M * (A + B - 2 * P) - ratio * (M * (A + B) - 2 * A * B)

    moved = level(A + dA, B + dB, P + dP)
    require_equal(level(A, B, P), 0, "(I3): zero before")
    require_equal(moved, 2 * M * (beta * dA + alpha * dB - dP + ratio / M * dA * dB), "(I3)")

    h, n = sp.symbols("h n")
    a, b, p, m = ((n**2 * z - n) / 2 for z in (A, B, P, 1))
    of_h = (1 - h) * (A + B - 2 * P) / (A + B - 2 * A * B - h * (2 - A - B))
    require_equal(m * (a + b - 2 * p) / (m * (a + b) - 2 * a * b), of_h.subs(h, 1 / n), "(R)")
    slope = 2 * (1 - A) * (1 - B) * (A + B - 2 * P) / (A + B - 2 * A * B - h * (2 - A - B)) ** 2
    require_equal(sp.diff(of_h, h), slope, "(R): the derivative")

    Q, N = sp.symbols("Q N")  # N is A'
    numerator, denominator = Q * M - N * B, M**2 - M * (N + B) + 2 * N * B
    require_equal((excess / 2).subs(P, B - Q).subs(A, M - N), numerator / denominator, "(I4)")
    slope = sp.diff(numerator, N) * denominator - numerator * sp.diff(denominator, N)
    require_equal(slope.subs(Q, B - P), -M * (P * (M - B) + B * (B - P)), "(I4): the slope")

    m, bj, bk, x, l_alpha = sp.symbols("m bj bk x l_alpha")

    def second(function: Any, y: Any, h: Any) -> Any:
        return function(y + h) + function(y - h) - 2 * function(y)

    both = l_alpha * (second(pairs, bj, m) + second(pairs, bk, m)) - 2 * m * second(pairs, x, 1)
    require_equal(both, 2 * m * (l_alpha * m - 1), "(E)")


def check_table(table: Table) -> int:
    """(I1), (I2), and (I3) for every move of one point; returns the number of moves."""
    M, *before = pair_sums(table)
    A, B, P = before
    if M * (A + B) == 2 * A * B:
        return 0
    ratio, alpha, beta = multipliers(M, A, B, P)
    require(beta * A == P + (ratio - 1) * B / 2, f"(I1) for {table}")
    require(alpha * B == P + (ratio - 1) * A / 2, f"(I1) for {table}")
    if ratio >= 1 and A and B:
        require((ratio - 1) ** 2 <= (Fraction(M, A) - 1) * (Fraction(M, B) - 1), f"(I2) for {table}")
    moves = 0
    cells = [(i, j) for i, row in enumerate(table) for j in range(len(row))]
    for i, j in cells:
        for k, m in cells:
            if table[i][j] and (i, j) != (k, m):
                moved = [
                    [x - ((a, b) == (i, j)) + ((a, b) == (k, m)) for b, x in enumerate(row)]
                    for a, row in enumerate(table)
                ]
                _, *after = pair_sums(moved)
                if M * (after[0] + after[1]) > 2 * after[0] * after[1]:
                    difference = multipliers(M, *after)[0] - ratio
                    sign = gain(M, (A, B, P), tuple(after))  # type: ignore[arg-type]
                    require(
                        (difference > 0, difference < 0) == (sign > 0, sign < 0),
                        f"(I3) from {table} to {moved}",
                    )
                    moves += 1
    return moves


def check_exchange(table: Table) -> int:
    """(E) at a table with the largest ARD of its class: all rows I and columns j, k that it allows; their number."""
    _, alpha, _ = multipliers(*pair_sums(table))
    _, cols = margins(table)
    tried = 0
    for j, k in combinations(range(len(cols)), 2):
        shared = [i for i, row in enumerate(table) if row[j] and row[k]]
        for m in range(1, len(shared) + 1):
            if min(cols[j], cols[k]) > m:
                require(alpha * m <= 1, f"(E) for {m} rows of columns {j}, {k} of {table}")
                tried += 1
    return tried


def largest_tables(n: int, r: int, s: int) -> list[Table]:
    """All tables of the class with the largest ARD, one by one: slow and obvious."""
    best = Fraction(0)
    found: list[Table] = []
    for member in Tables(n, r, s):
        table = member.tolist()
        value = PairSums.of(table).adjusted_rand_distance
        if value > best:
            best, found = value, []
        if value == best:
            found.append(table)
    return found


def verify() -> str:
    """The algebra; (I1) to (I3) on all small tables and moves; (E) at all small tables with the largest ARD."""
    check_algebra()
    moves = exchanges = 0
    for r, s, most in [(2, 2, 8), (2, 3, 6), (3, 3, 5)]:
        for n in range(s, most + 1):
            moves += sum(check_table(member.tolist()) for member in Tables(n, r, s))
    for r, s, most in [(2, 2, 12), (2, 3, 9), (3, 3, 8)]:
        for n in range(s + 1, most + 1):
            exchanges += sum(map(check_exchange, largest_tables(n, r, s)))
    require(exchanges > 0, "some table with the largest ARD allows an exchange")
    return f"algebra; {moves} moves of a point, {exchanges} exchanges at tables with the largest ARD"
