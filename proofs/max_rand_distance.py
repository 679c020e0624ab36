"""The largest Rand distance (conjectured by Chacon 2019, for the part (c)).

Statement `rd-max`: with e = n - (r + s - 2) the largest n(n - 1) RD is (n - r)(n - r + 1) + (n - s)(n - s + 1) if e
    <= 0, (r - 1)(r - 2) + (s - 1)(s - 2) + 2e(r + s - 2) if 0 <= e <= r, and (n - r + 1)^2 + (r - 1)(2r - 3) -
    bal(n - 2(r - 1), s), the value (8), if e >= r.
Statement `rd-max-empty`: with empty lines allowed the largest n(n - 1) RD is n^2 - bal(n, s), r <= s.
Statement `rd-max-form-late`: the largest RD is attained by a table of the form (7), a hook whose leg consists of
    ones, for n >= r + s - 2.

F is the number of pairs of points on which the clusterings disagree, RD = F/C(n,2), so that
2F = sum R_i^2 + sum C_j^2 - 2 sum x_ij^2 = n (n-1) RD.  Let 1 <= r <= s <= n, e = n - (r+s-2),
C = (r-1)(r-2) + (s-1)(s-2).  The largest 2F over Tables(n,r,s) is
  (a) n <= r+s-2:              (n-r)(n-r+1) + (n-s)(n-s+1)
  (b) r+s-2 <= n <= s+2(r-1):  C + 2e(r+s-2)
  (c) n >= s+2(r-1):           (n-r+1)^2 + (r-1)(2r-3) - (s q^2 + k(2q+1)),  n-2(r-1) = q s + k, 0 <= k < s
and for r >= 2, n >= r+s-2 it is attained by a hook: first row (x_1, 1+x_2, ..., 1+x_s), ones below its corner.

The graph behind it.  Join two cells when they share a line: the rook's graph, the line graph of K_{r,s}.  With G its
adjacency matrix 2F = x'Gx.  Blow every cell up to x_ij points: F is the number of edges, and
d(i,j) = R_i + C_j - 2 x_ij the degree of a point.  Without margin conditions F is largest on a largest clique, one
line of s cells (Motzkin & Straus 1965); the margins force the rest.

Proof for r >= 2 (for r = 1, 2F = n^2 - sum x_j^2 is largest for balanced x, which is (c)).  a = r-1, b = s-1.
Taking a point from a positive cell lowers 2F by 2 d(i,j).  A cell is removable if x_ij >= 1, R_i >= 2, C_j >= 2:
without one of its points the table stays in the class.
L1. 2F <= (n-r)(n-r+1) + (n-s)(n-s+1): sum x^2 >= n, so 2F <= sum R(R-1) + sum C(C-1); R_i <= n-r+1 and
    sum (R_i - 1) = n-r; likewise for columns.  With equality for a star of n-r+1 ones in a row, one of n-s+1
    ones in a column and r+s-2-n isolated ones.  This settles (a).
L2. For n >= r+s-1 a removable cell exists.  Else each point is alone in its row or in its column, so
    n <= #{R_i = 1} + #{C_j = 1} <= r+s-2 unless one count is full; but then n = r or n = s, below r+s-1.
L3. A row with t >= 2 removable cells, in the columns T: sum_T d(i,j) <= (t-2)(n-a) + n + s - t.  For j outside T a
    positive x_ij has C_j = 1, so x_ij <= 1 and sum_T x_ij >= R_i - (s-t); sum_T C_j <= n - (s-t); R_i <= n-a.
    For a column, with r and s, a and b exchanged: (t-2)(n-b) + n + r - t.
L4. For n >= r+s-1 some removable cell has d <= D, with D = a+b in (b), and D = n-1-a-q, where n-1 = 2a + q s + k
    and q >= 1, in (c) beyond its first n.  A removable cell alone (among the removable ones) in its row and
    its column has d <= a+b <= D: the other cells of its lines are at most 1.  Otherwise some line has t >= 2 of
    them; if all had d >= D+1, then t(D+1) would be at most the bound of L3, but the difference is
        (b) (t-1)(r+s-1-w) + t with w = n-a or n-b, both <= r+s-1,
        (c) row: (q-1)(s-t) + k + 1;  column: (t-2)(s-r) + q(s-t) - (r-t) + k + 1,
    all positive.
Induction from n = r+s-2, where (a) and (b) agree: 2F(x) = 2F(x-u) + 2 d(u) <= max(n-1) + 2D = max(n).
Attained.  The hook has 2F = C + e^2 + 2e(s-2) + 2r x_1 - sum x_j^2 = const + r^2 - (x_1 - r)^2 - sum_{j>1} x_j^2.
With y = (x_1 - r, x_2, ..., x_s), of sum e - r = (q-1)s + k, this is largest for balanced y, which is allowed
(x >= 0) from q = 1 on: (c), and all roundings tie.  In (b) x_1 = e.  QED

With empty lines allowed the largest 2F is n^2 - (least sum of s squares with sum n): the blow-up has no clique of more
than s points, as cliques of the rook's graph lie in lines, and Turan's theorem applies; one balanced row attains it.

Every step for tables without empty lines is formal: `rocq/MaxRandDistance.v`; here the result meets all small tables.
"""

from __future__ import annotations

from confmat.classes import Tables
from confmat.indices.extremes import max_rand_distance, max_rand_matrix
from proofs import balanced_squares, require, twice_disagreements


def largest(n: int, r: int, s: int) -> int:
    """The largest 2F, 1 <= r <= s <= n."""
    e = n - (r + s - 2)
    if e <= 0:
        return (n - r) * (n - r + 1) + (n - s) * (n - s + 1)
    if e <= r:
        return (r - 1) * (r - 2) + (s - 1) * (s - 2) + 2 * e * (r + s - 2)
    return (n - r + 1) ** 2 + (r - 1) * (2 * r - 3) - balanced_squares(n - 2 * (r - 1), s)


def verify() -> str:
    """The largest 2F of all small tables, with empty lines too; what attains it far beyond."""
    tables = 0
    for r, s, most in [(2, 2, 12), (2, 3, 9), (2, 4, 8), (3, 3, 8), (3, 4, 7)]:
        for n in range(s, most + 1):
            found = [twice_disagreements(table) for table in Tables(n, r, s)]
            require(max(found) == largest(n, r, s), f"the theorem at {(n, r, s)}")
            tables += len(found)
    for r, s, most in [(1, 3, 6), (2, 2, 8), (2, 4, 6), (3, 3, 6), (3, 4, 5)]:
        for n in range(2, most + 1):
            twice = max(twice_disagreements(table) for table in Tables(n, r, s, empty=True))
            function = max_rand_distance(n, r, s, empty=True) * n * (n - 1)
            require(n * n - balanced_squares(n, s) == twice == function, f"empty lines at {(n, r, s)}")
    built = 0
    for r in range(1, 8):
        for s in range(r, 9):
            for n in range(s, 61):
                twice, table = largest(n, r, s), max_rand_matrix(n, r, s)
                attained = table in Tables(n, r, s) and twice_disagreements(table) == twice
                require(attained, f"attained at {(n, r, s)}")
                function = max_rand_distance(n, r, s) * n * (n - 1) if n > 1 else 0
                require(function == twice, f"max_rand_distance{(n, r, s)}")
                built += 1
    return f"{tables} tables; {built} tables attain the value; every step formally: rocq/MaxRandDistance.v"
