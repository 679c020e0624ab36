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
"""

from __future__ import annotations

from confmat.classes import Tables
from confmat.indices.extremes import max_rand_distance, max_rand_matrix
from proofs import balanced_squares, margins, require, require_equal, twice_disagreements


def largest(n: int, r: int, s: int) -> int:
    """The largest 2F, 1 <= r <= s <= n."""
    e = n - (r + s - 2)
    if e <= 0:
        return (n - r) * (n - r + 1) + (n - s) * (n - s + 1)
    if e <= r:
        return (r - 1) * (r - 2) + (s - 1) * (s - 2) + 2 * e * (r + s - 2)
    return (n - r + 1) ** 2 + (r - 1) * (2 * r - 3) - balanced_squares(n - 2 * (r - 1), s)


def step(n: int, r: int, s: int) -> int:
    """D of L4 at n >= r+s-1."""
    if n <= s + 2 * (r - 1):
        return r + s - 2
    return n - 1 - (r - 1) - (n - 1 - 2 * (r - 1)) // s


def check_graph() -> None:
    """The rook's graph: a line graph with cliques inside lines; 2F as its quadratic form."""
    import networkx as nx
    import numpy as np

    for r, s in [(2, 2), (2, 3), (3, 3), (3, 4)]:
        rook = nx.cartesian_product(nx.complete_graph(r), nx.complete_graph(s))
        bipartite = nx.line_graph(nx.complete_bipartite_graph(r, s))
        require(nx.is_isomorphic(rook, bipartite), f"rook's graph {r} x {s} is the line graph of K_(r,s)")
        for clique in nx.find_cliques(rook):
            require(
                len({i for i, _ in clique}) == 1 or len({j for _, j in clique}) == 1, "cliques lie in lines"
            )
        cells = [(i, j) for i in range(r) for j in range(s)]
        G = nx.to_numpy_array(rook, nodelist=cells, dtype=int)
        for table in Tables(s + 2, r, s):
            x = table.ravel()
            require(int(x @ G @ x) == twice_disagreements(table), f"2F = x'Gx for {table.tolist()}")
        x = np.zeros(r * s, int)
        x[:s] = 3
        require(int(x @ G @ x) == (3 * s) ** 2 - s * 9, "one balanced line is Turan's graph")


def degrees(table: list[list[int]]) -> dict[tuple[int, int], int]:
    """d(i,j), the points of the other cells in row i and column j, for every cell."""
    rows, cols = margins(table)
    return {(i, j): rows[i] + cols[j] - 2 * table[i][j] for i in range(len(rows)) for j in range(len(cols))}


def check_table(table: list[list[int]], n: int, r: int, s: int) -> int:
    """L1 to L4 on one table, 2 <= r <= s; returns 2F."""
    rows, cols = margins(table)
    twice = twice_disagreements(table)
    require((n - r) * (n - r + 1) + (n - s) * (n - s + 1) >= twice, f"L1 for {table}")
    degree = degrees(table)
    removable = [c for c in degree if table[c[0]][c[1]] and rows[c[0]] >= 2 and cols[c[1]] >= 2]
    if n < r + s - 1:
        return twice
    require(removable, f"L2 for {table}")
    for axis, lines, other, width in [(0, r, n - (r - 1), s), (1, s, n - (s - 1), r)]:
        for line in range(lines):
            cells = [c for c in removable if c[axis] == line]
            t = len(cells)
            if t >= 2:
                require(sum(map(degree.get, cells)) <= (t - 2) * other + n + width - t, f"L3 for {table}")  # type: ignore[arg-type]
    i, j = least = min(removable, key=degree.__getitem__)
    require(degree[least] <= step(n, r, s), f"L4 for {table}")
    table[i][j] -= 1
    require(twice - twice_disagreements(table) == 2 * degree[least], f"taking a point from {table}")
    table[i][j] += 1
    return twice


def check_algebra() -> None:
    """Every identity of the proof, for symbolic n, r, s, t, q, k."""
    import sympy as sp

    R, C, x, n, r, s, t, q, k, e, x1, X = sp.symbols("R C x n r s t q k e x1 X")
    a, b = r - 1, s - 1
    drop = R**2 - (R - 1) ** 2 + C**2 - (C - 1) ** 2 - 2 * (x**2 - (x - 1) ** 2)
    require_equal(drop, 2 * (R + C - 2 * x), "taking a point lowers 2F by 2d")
    require_equal(t * R + (n - (s - t)) - 2 * (R - (s - t)), (t - 2) * R + n + s - t, "L3")

    row, col = (t - 2) * (n - a) + n + s - t, (t - 2) * (n - b) + n + r - t
    for bound, w in [(row, n - a), (col, n - b)]:
        require_equal(t * (a + b + 1) - bound, (t - 1) * (r + s - 1 - w) + t, "L4 in range (b)")
    in_c = {n: 1 + 2 * a + q * s + k}
    D = n - 1 - a - q
    require_equal((t * (D + 1) - row).subs(in_c), (q - 1) * (s - t) + k + 1, "L4 in range (c), row")
    column = (t - 2) * (s - r) + q * (s - t) - (r - t) + k + 1
    require_equal((t * (D + 1) - col).subs(in_c), column, "L4 in range (c), column")
    # positive: s - t = (s - r) + (r - t), and q >= 1
    u, v, w = sp.symbols("u v w", nonnegative=True)
    rewritten = column.subs({s: r + u, t: r - v, q: 1 + w})
    require_equal(
        rewritten, (r - v - 2) * u + u + w * (u + v) + k + 1, "L4 in range (c), column > 0 for 2 <= t <= r"
    )
    require_equal(D.subs(in_c) - (a + b), (q - 1) * b + k, "D >= a + b in range (c)")

    # max(n) - max(n-1) = 2D; passing k = s - 1 the quotient grows by one
    value = (n - r + 1) ** 2 + (r - 1) * (2 * r - 3)
    squares = s * q**2 + k * (2 * q + 1)
    grown = [squares.subs(k, k + 1), squares.subs({k: 0, q: q + 1})]
    require_equal(
        (value - value.subs(n, n - 1) - (grown[0] - squares) - 2 * D).subs(in_c), 0, "increment, k < s-1"
    )
    last = {n: 1 + 2 * a + q * s + s - 1}
    full = (value - value.subs(n, n - 1) - (grown[1] - squares.subs(k, s - 1)) - 2 * D).subs(last)
    require_equal(full, 0, "increment, k = s-1")
    const = (r - 1) * (r - 2) + (s - 1) * (s - 2)
    first_c = (value - s).subs(n, s + 2 * (r - 1))
    require_equal(
        const + 2 * e * (r + s - 2), first_c.subs(e, r) + 2 * (e - r) * (r + s - 2), "(b) meets (c) at e = r"
    )
    at_a = ((n - r) * (n - r + 1) + (n - s) * (n - s + 1)).subs(n, r + s - 2)
    require_equal(at_a, const, "(a) meets (b)")

    # hook: X is the sum of x_j^2 over j > 1, and sum x_j = e
    squared_arm = (s - 1) + 2 * (e - x1) + X
    twice = (e + s - 1) ** 2 + (r - 1) + (x1 + r - 1) ** 2 + squared_arm - 2 * (x1**2 + squared_arm + (r - 1))
    require_equal(twice, const + e**2 + 2 * e * (s - 2) + 2 * r * x1 - x1**2 - X, "value of a hook")
    require_equal(2 * r * x1 - x1**2, r**2 - (x1 - r) ** 2, "completing the square")
    require_equal(twice.subs({x1: e, X: 0}), const + 2 * e * (r + s - 2), "x_1 = e gives (b)")
    y = (q - 1) * s + k + r  # = e in range (c)
    least = s * (q - 1) ** 2 + k * (2 * (q - 1) + 1)
    balanced = const + e**2 + 2 * e * (s - 2) + r**2 - least
    target = value.subs(n, e + r + s - 2) - squares
    require_equal((balanced - target).subs(e, y), 0, "balanced y gives (c)")


def verify() -> str:
    """The graph, the algebra, L1-L4 on every small table, and the hooks."""
    check_graph()
    check_algebra()
    tables = 0
    for r, s, most in [(2, 2, 12), (2, 3, 9), (2, 4, 8), (3, 3, 8), (3, 4, 7)]:
        for n in range(s, most + 1):
            found = 0
            for table in Tables(n, r, s):
                found = max(found, check_table(table.tolist(), n, r, s))
                tables += 1
            require(found == largest(n, r, s), f"the theorem at {(n, r, s)}")
    for r, s, most in [(1, 3, 6), (2, 2, 8), (2, 4, 6), (3, 3, 6), (3, 4, 5)]:
        for n in range(2, most + 1):
            twice = max(twice_disagreements(table) for table in Tables(n, r, s, empty=True))
            require(n * n - balanced_squares(n, s) == twice, f"empty lines at {(n, r, s)}")
            require(
                max_rand_distance(n, r, s, empty=True) * n * (n - 1) == twice, f"max_rand_distance{(n, r, s)}"
            )
    built = 0
    for r in range(1, 8):
        for s in range(r, 9):
            for n in range(s, 61):
                twice = largest(n, r, s)
                if n >= r + s - 1 and r >= 2:
                    require(
                        twice - largest(n - 1, r, s) == 2 * step(n, r, s),
                        f"max(n) = max(n-1) + 2D at {(n, r, s)}",
                    )
                table = max_rand_matrix(n, r, s)
                require(
                    table in Tables(n, r, s) and twice_disagreements(table) == twice,
                    f"attained at {(n, r, s)}",
                )
                require(
                    n == 1 or max_rand_distance(n, r, s) * n * (n - 1) == twice,
                    f"max_rand_distance{(n, r, s)}",
                )
                built += 1
    return f"algebra; L1-L4 on {tables} tables; {built} tables attain the value; formally: rocq/MaxRandDistance.v"
