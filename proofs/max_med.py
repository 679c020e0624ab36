"""The largest misclassification error distance.

Statement `med-max`: the largest n MED is 2n - r - s for n <= r + s - 2, n - ceil((n + s - r)/s) up to (r - 1)s,
    then n - ceil(n/s), r <= s.
Statement `med-max-empty`: with empty lines allowed the largest n MED is n - ceil(n/s) for every n, r <= s.

Let 2 <= r <= s <= n, N in Tables(n,r,s), and k(N) the largest weight of a matching, so that n MED = n - k(N).
The least k(N) is the least k >= max(1, r+s-n) with n <= cap(k), where cap(1) = 0, cap(k) = s(k-1) + r for
2 <= k < r, and cap(k) = s k for k >= r.  Written out, the largest n MED is
    2n - r - s                  if n <= r + s - 2,
    n - ceil((n + s - r)/s)     if r + s - 1 <= n <= (r-1) s,
    n - ceil(n/s)               if n > (r-1) s   (and n >= r + s - 1).

Proof.  A matching of all rows is an injection f of the rows into the columns; its weight is f's sum of entries.
(1) n <= s k.  The s diagonals {(i, i+d mod s)} partition the cells, and each is a matching.
(2) If k < r, some column is used by every best matching.  A best f of weight k < r meets a zero in some row i0.
    Row i0 is not empty: take j0 with N(i0,j0) > 0, and suppose a best g avoids j0.  Let S be i0 and all rows
    reached by i -> i' whenever g(i) = f(i').  Define f' as j0 at i0, f on S minus i0, g elsewhere; and g' as g
    on S, f elsewhere.  f' is injective: on S minus i0, f takes only values that g takes on S; j0 is not a
    value of g.  g' is injective: if f(i') = g(i) with i in S then i' is in S.  Together they weigh
    2k - N(i0, f(i0)) + N(i0, j0) = 2k + N(i0, j0) > 2k, a contradiction.
(3) If k < r, then n <= s(k-1) + r.  Let j0 be the column of (2).  Exactly r of the s diagonals use j0; the
    other s - r avoid it, are not best, and weigh at most k - 1: n <= r k + (s-r)(k-1).  Here k >= 2: k = 1 would
    mean n <= r, hence n = r = s, where (4) gives k >= r.
(4) k >= r + s - n.  Let f be best, with c positive cells; I0 the rows without one, J0 the columns without
    one.  Cells of I0 x J0 are zero, or the matching could grow.  So each row of I0 and each column of J0 holds a
    point outside the matching, all different: n >= k + (r-c) + (s-c), and c <= k.
(5) Attained.  If N(i,j) <= u_i + v_j then k(N) <= sum u + sum v.  For k >= r: u >= 1 on all rows with sum k, v
    = 0; the envelope holds s k points and some s cells cover all lines.  For 2 <= k < r: u = 1 on k - 1 rows, v = 1
    on one column; the envelope holds s(k-1) + r points, and r + s - k cells inside it cover all lines.
    Every total between the two occurs.  QED

With empty lines allowed the largest n MED is n - ceil(n/s) for every n: (1) does not need (2) to (4), and one row with
balanced cells attains it.

The bound n - ceil(n/s) of Charon et al. (2006) is therefore not attained at (2,2,2) and, for n >= r + s - 1,
not at (8,3,4) first.
"""

from __future__ import annotations

from confmat.classes import Tables
from confmat.indices.extremes import max_med, max_med_matrix
from confmat.matrices import best_matching
from proofs import best_matching_weight, require


def cap(k: int, r: int, s: int) -> int:
    """Most points of a table whose best matching weighs k."""
    return 0 if k == 1 else s * (k - 1) + r if k < r else s * k


def least_matching(n: int, r: int, s: int) -> int:
    """The least k of the theorem, by its definition."""
    k = max(1, r + s - n)
    while n > cap(k, r, s):
        k += 1
    return k


def written_out(n: int, r: int, s: int) -> int:
    """The largest n MED in three cases."""
    if n <= r + s - 2:
        return 2 * n - r - s
    return n - -(-(n + s - r) // s) if n <= (r - 1) * s else n - -(-n // s)


def verify() -> str:
    """The two forms of the result against each other, (5) by construction, all small tables."""
    built = 0
    for r in range(2, 7):
        for s in range(r, 8):
            for n in range(s, 61):
                k = least_matching(n, r, s)
                require(n - k == written_out(n, r, s), f"three cases at {(n, r, s)}")
                require(max_med(n, r, s) * n == n - k, f"confmat.indices.extremes.max_med at {(n, r, s)}")
                table = max_med_matrix(n, r, s)
                require(table in Tables(n, r, s), f"(5) is a member at {(n, r, s)}")
                found = best_matching(table).total
                require(found == k, f"(5) at {(n, r, s)}: {found}, not {k}")
                built += 1
    tables = 0
    for r, s, most in [(2, 2, 9), (2, 3, 8), (2, 4, 7), (3, 3, 7), (3, 4, 6), (4, 4, 5)]:
        for n in range(s, most + 1):
            found = [best_matching_weight(table) for table in Tables(n, r, s)]
            require(min(found) == least_matching(n, r, s), f"the theorem at {(n, r, s)}")
            tables += len(found)
    for r, s, most in [(1, 3, 6), (2, 2, 8), (2, 4, 6), (3, 3, 6), (3, 4, 5)]:
        for n in range(most + 1):
            found = n - min(best_matching_weight(table) for table in Tables(n, r, s, empty=True))
            require(
                found == n - -(-n // s) == max_med(n, r, s, empty=True) * n, f"empty lines at {(n, r, s)}"
            )
    require(best_matching_weight(max_med_matrix(8, 3, 4)) == 3, "(8,3,4): the largest n MED is 5, not 6")
    return f"{tables} tables; {built} constructed tables; every step formally: rocq/MaxMed.v"
