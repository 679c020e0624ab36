"""Upper bounds of RD and ARD by Jaccard's distance, of the MED by the RD, and of the ARD by the MED.

Statement `rd-over-jaccard`: RD <= (1 - 2(r - 1)(s - 1)/(n(n - 1))) (1 - J), J Jaccard's index, for n >= r + s - 2,
    n > 2.
Statement `rd-over-jaccard-3x3`: RD <= (n^2 - n - 8)/(n(n-1)) (1 - J), J Jaccard's index, for 3 x 3 tables of n > 4.
Statement `med-over-rd-3x3`: MED <= (n - 1)/4 RD for 3 x 3 tables of n > 6.
Statement `ard-over-jaccard`: ARD <= n(n - 1)(n(n - 1) - 2(r - 1)(s - 1))/(n(n - 1)(a + b) - 2ab) (1 - J), J Jaccard's
    index, a = (n - r)(n - r + 1), b = (n - s)(n - s + 1), for r, s >= 2, n >= r(2r - 1) and n >= s(2s - 1).
Statement `ard-over-jaccard-2x2`: ARD <= n(n + 1)/(4(n - 1)) (1 - J), J Jaccard's index, for 2 x 2 tables of n > 2.
Statement `ard-over-jaccard-3x3`: ARD <= n(n - 1)(n^2 - n - 8)/(4(n - 3)(n - 2)(2n - 3)) (1 - J), J Jaccard's index, for
    3 x 3 tables of n > 3.
Statement `ard-over-med-2x2`: ARD <= n^2/(2(n-1)) MED for 2 x 2 tables of n > 6.

RD AND JACCARD.  Of M pairs of objects A + B - P are together in one clustering at least, D = M - (A + B - P) apart in
both.  A + B - P = 0 means that n = r = s, which n >= r + s - 2 leaves for n <= 2 only; so J = P/(A + B - P) is defined,
and RD = (A + B - 2P)/M = (1 - D/M) (1 - J).  As 1 - J >= 0, it is enough that D >= (r - 1)(s - 1) for n >= r + s - 2;
the second statement is r = s = 3.  Induction over n, for tables without empty rows and columns; r = 1 and s = 1 are
trivial.  Each step leaves such a table, with n' >= r' + s' - 2.
(1) Each row and column has two objects or more: n >= 2 max(r, s) >= r + s.  Remove any object; D does not rise.
(2) An object is alone in its column, and its row holds R >= 2 objects.  Remove the column: n - 1 >= r + (s - 1) - 2.
    The object is apart in both from the objects outside its row, n - R >= r - 1 of them as no row is empty, and
    (r - 1)(s - 2) + r - 1 = (r - 1)(s - 1).
(3) An object is alone in its column and in its row.  Remove both: n - 1 >= (r - 1) + (s - 1) - 2.  D falls by
    n - 1 >= r + s - 3, and (r - 2)(s - 2) + r + s - 3 = (r - 1)(s - 1).
(4) An object is alone in its row: (2) or (3), transposed.

MED AND RD.  The third statement says F >= 2m, m = n MED.  Put a best matching on the diagonal of the table N; m objects
are off it.  Objects of N_ij and N_ii share a row, those of N_ij and N_jj a column, so F is at least the sum of
N_ij (N_ii + N_jj) over i != j, which is 2m and the sum of the surpluses N_ij (N_ii + N_jj - 2).
(5) The matching is best, so N_ii + N_jj >= N_ij + N_ji.  So a surplus is < 0 only for N_ii + N_jj = N_ij = 1, N_ji = 0,
    where it is -1.  Let there be such a cell, and k the third index.
(6) N_kk >= 3: it is the only one, as a pair with k has N_kk + .. >= 3.  One of N_ii, N_jj is 0.  If N_ii is, column i
    is not empty and N_ki >= 1; if N_jj is, row j is not empty and N_jk >= 1.  The surplus there is >= N_kk - 2 >= 1.
(7) N_kk <= 2: the matching weighs at most 3, and three matchings cover the table, so n <= 9.  All of n = 7, 8, 9 have
    F >= 2m, one by one.  QED

ARD AND JACCARD.  With x, y the fractions of pairs A/M, B/M, ARD = (A + B - P)/(M e(x, y)) (1 - J), e(x, y) = x + y -
2xy = 1/2 - 2 (x - 1/2)(y - 1/2), and A + B - P <= M - (r-1)(s-1) as above.  x runs from l, balanced sizes, to h =
C(n-r+1, 2)/M = a/(n(n-1)).  l >= (n/r - 1)/(n - 1) gives h + l >= 1 for n >= r(2r - 1), so that |x - 1/2| <= h - 1/2;
likewise y <= k = b/(n(n-1)).  So e(x, y) >= e(h, k), and (1 - (r-1)(s-1)/M)/e(h, k) is what the first statement says,
attained by the hook of ones with corner n - r - s + 2.  The others are r = s = 2, 3; for smaller n all tables are
compared.
QED

ARD AND MED, 2 x 2, d = n MED, n >= 7.  d >= 3: ARD <= 3/2 (`ari-least`), so ARD/MED <= n/2, less than n^2/(2(n-1)).
d = 2: the largest ARD is n/(n-1) (`ard-2x2-exceptions`), equality.  d = 1: [[x, 1], [0, y]] up to symmetry; with S =
x + y = n - 1 >= 6 and p = xy, n D - 2 (n-1) M F is (S+1)/2 times f = -4p^2 + (2S^2 - 2S - 4) p - S^3 + S^2, concave
in p and >= 0 at its ends, S (S-1)(S-6) at p = S - 1 and S^3 (S-6)/4 at p = S^2/4.  QED
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import sympy as sp

from confmat.classes import Tables
from confmat.indices.pairs import PairSums
from confmat.testing.small import orbits
from proofs import Table, best_matching_weight, pairs, require, require_equal, twice_disagreements
from proofs.ard_identities import excess

MOST_POINTS, MOST_3X3 = 6, 12
FIRST = 7


def constant(n: Any, r: Any, s: Any) -> tuple[Any, Any]:
    """Return numerator and denominator of the ARD over 1 - J of the hook of ones.

    >>> constant(4, 2, 2)
    (120, 72)
    """
    twice, a, b = n * (n - 1), (n - r) * (n - r + 1), (n - s) * (n - s + 1)
    return twice * (twice - 2 * (r - 1) * (s - 1)), twice * (a + b) - 2 * a * b


def check_algebra() -> None:
    """Check RD and ARD as multiples of 1 - J, the decreases of D in (2) and (3), and ARD against MED."""
    A, B, P, M, n, r, s, x, y, S, p = sp.symbols("A B P M n r s x y S p")
    D, apart = M - (A + B - P), 1 - P / (A + B - P)
    require_equal((A + B - 2 * P) / M, (1 - D / M) * apart, "RD and J")
    require_equal((r - 1) * (s - 2) + r - 1, (r - 1) * (s - 1), "(2)")
    require_equal((r - 2) * (s - 2) + r + s - 3, (r - 1) * (s - 1), "(3)")
    numerator, denominator = excess(M, A, B, P)
    e = lambda a, b: a + b - 2 * a * b  # noqa: E731
    require_equal(1 + numerator / denominator, (A + B - P) / (M * e(A / M, B / M)) * apart, "ARD and J")
    half = sp.Rational(1, 2)
    require_equal(e(x, y), half - 2 * (x - half) * (y - half), "ARD and J: e")
    most, least = (n - r) * (n - r + 1) / (n * (n - 1)), (n / r - 1) / (n - 1)
    room = n * (n - r * (2 * r - 1)) / r + r * (r - 1)
    require_equal((most + least - 1) * n * (n - 1), room, "ARD and J: h + l >= 1")
    of_hook = (1 - 2 * (r - 1) * (s - 1) / (n * (n - 1))) / e(most, most.subs(r, s))
    top, bottom = constant(n, r, s)
    require_equal(of_hook, top / bottom, "ARD and J: the constant")
    two = n * (n + 1) / (4 * (n - 1))
    three = n * (n - 1) * (n**2 - n - 8) / (4 * (n - 3) * (n - 2) * (2 * n - 3))
    for lines, words in ((2, two), (3, three)):
        require_equal(of_hook.subs({r: lines, s: lines}), words, f"ARD and J, r = {lines}")

    n = x + y + 1
    numerator, denominator = excess(pairs(n), pairs(x + 1, y), pairs(x, y + 1), pairs(x, y))
    below = n * denominator - 2 * (n - 1) * (denominator + numerator)
    f = -4 * p**2 + (2 * S**2 - 2 * S - 4) * p - S**3 + S**2
    require_equal(below, (n / 2 * f).subs({p: x * y, S: x + y}), "ARD and MED")
    require_equal(f.subs(p, S - 1), S * (S - 1) * (S - 6), "ARD and MED: p = S - 1")
    require_equal(f.subs(p, S**2 / 4), S**3 * (S - 6) / 4, "ARD and MED: p = S^2/4")


def check_few_points() -> int:
    """Check ARD against J for the small n not covered, r = s = 2, 3, and return the number of orbits."""
    seen = 0
    for lines in (2, 3):
        for n in range(lines + 1, lines * (2 * lines - 1)):
            for table, _ in Tables(n, lines, lines).orbits():
                index = PairSums.of(table)
                bound = Fraction(*constant(n, lines, lines)) * (
                    1 - Fraction(index.P, index.A + index.B - index.P)
                )
                require(index.adjusted_rand_distance <= bound, f"ARD and J at {table.tolist()}")
                seen += 1
    return seen


def fall(n: int, row: int) -> int:
    """Return the decrease of D if an object alone in its column is removed, given the size of its row."""
    return n - row


def reduced(table: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the smaller table of (1) to (4), and a lower bound of the decrease of D."""
    rows, cols = table.sum(axis=1), table.sum(axis=0)
    if 1 in cols:
        j = int(np.argmax(cols == 1))
        i = int(np.argmax(table[:, j]))
        smaller = np.delete(table, j, axis=1)
        return np.delete(smaller, i, axis=0) if rows[i] == 1 else smaller, fall(table.sum(), rows[i])
    if 1 in rows:
        smaller, fallen = reduced(table.T)
        return smaller.T, fallen
    smaller = table.copy()
    smaller[tuple(np.argwhere(table)[0])] -= 1
    return smaller, 0


def check_induction() -> int:
    """Check every step of the induction, for one table of each orbit."""

    def apart(table: np.ndarray) -> int:
        return PairSums.of(table).counts.neither

    tried = 0
    for n in range(2, MOST_POINTS + 1):
        for table in orbits(n):
            r, s = table.shape
            if n < r + s - 2:
                continue
            require(n == 2 or apart(table) < n * (n - 1) // 2, f"J of {table.tolist()} is defined")
            require(apart(table) >= (r - 1) * (s - 1), f"D >= (r - 1)(s - 1) of {table.tolist()}")
            if min(r, s) > 1:
                smaller, fallen = reduced(table)
                R, S = smaller.shape
                in_range = (
                    smaller.any(axis=0).all() and smaller.any(axis=1).all() and smaller.sum() >= R + S - 2
                )
                require(in_range, f"the induction reaches {smaller.tolist()}")
                require(apart(table) - apart(smaller) >= fallen, f"D falls by {fallen} from {table.tolist()}")
                needed = (r - 1) * (s - 1) - (R - 1) * (S - 1)
                require(fallen >= needed, f"the fall of D from {table.tolist()}")
                tried += 1
    return tried


def surplus(table: Table, i: int, j: int) -> int:
    """Return the contribution of a cell off the diagonal to the bound of F, minus twice its objects."""
    return table[i][j] * (table[i][i] + table[j][j] - 2)


def check_matched(table: Table) -> None:
    """Check (5) to (7) for a 3 x 3 table with a best matching on its diagonal."""
    n, weight = sum(map(sum, table)), sum(table[i][i] for i in range(3))
    F, m = twice_disagreements(table) // 2, n - weight
    surpluses = {(i, j): surplus(table, i, j) for i, j in permutations(range(3), 2)}
    require(2 * m + sum(surpluses.values()) <= F, f"the bound on F of {table}")
    short = [cell for cell, value in surpluses.items() if value < 0]
    for i, j in short:
        k = 3 - i - j
        held = (table[i][i] + table[j][j], table[i][j], table[j][i], surpluses[i, j])
        require(held == (1, 1, 0, -1), f"(5) of {table}")
        if table[k][k] >= 3:
            found = surpluses[k, i] if table[i][i] == 0 else surpluses[j, k]
            require(len(short) == 1 and found >= 1, f"(6) of {table}")
        else:
            require(n <= 9, f"(7) of {table}")
    require(n < FIRST or 2 * m <= F, f"F >= 2m of {table}")


def check_three_by_three() -> int:
    """Check every 3 x 3 table of few objects, one of each orbit, with each best matching on the diagonal."""
    tried = 0
    for n in range(3, MOST_3X3 + 1):
        for member, _ in Tables(n, 3, 3).orbits():
            for columns in permutations(range(3)):
                table = member[:, columns].tolist()
                if sum(table[i][i] for i in range(3)) == best_matching_weight(member):
                    check_matched(table)
                    tried += 1
    return tried


def verify() -> str:
    """Check the algebra, and the steps on all small tables."""
    check_algebra()
    few, steps, matched = check_few_points(), check_induction(), check_three_by_three()
    return (
        f"{steps} steps of the induction, n <= {MOST_POINTS}; {matched} matched 3 x 3 tables, n <= {MOST_3X3}; "
        f"ARD and J at {few} orbits"
    )
