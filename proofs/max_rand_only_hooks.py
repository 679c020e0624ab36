"""Only hooks have the largest Rand distance.

Statement `rd-max-hooks-only`: for n >= r + s - 1 all tables with the largest RD are hooks, except when r = s = 2.

A hook is a table whose positive cells lie in one row and one column, its cross.  Notation as in `max_rand_distance`.

Theorem.  Let r, s >= 2, not r = s = 2, and n >= r+s-1.  Every table of Tables(n,r,s) with the largest 2F is a hook.

At r = s = 2 it fails for every n >= 4: 2F = 2 d1 d2 depends on the sums of the two diagonals only, so
[[p-1, 1], [q-1, 1]] and the hook [[p, 1], [q-1, 0]], p = ceil(n/2), q = floor(n/2), both have the largest 2F.

Proof by induction on n; let r <= s.  By L2 and L4 a table x with the largest 2F at n has a removable cell u of degree
at most D, and max(n) = max(n-1) + 2D.  Put y = x - u, which is in the class of n-1 points.  2F(y) = 2F(x) - 2 d(u)
>= max(n-1), so y has the largest 2F there and d(u) = D.
S1. D is the largest degree in y: a point more in a cell w gives a table of the class with 2F = max(n-1) + 2 d_y(w),
    at most max(n-1) + 2D.  (The degree of a cell does not depend on its own entry: d_y(u) = d_x(u).)
S2. n = r+s-1.  Then D = r+s-2 = n-1: all n-1 points of y share a line with u, so x is a hook with its cross at u.
S3. n >= r+s.  By induction y is a hook, say with corner (1,1).  If u = (i,j) lay off its cross, d_y(u) = y_i1 + y_1j,
    while the corner sees these points and at least one more in each of the other r-2 rows and s-2 columns, as no line
    is empty: d_y(1,1) >= d_y(u) + r+s-4 > D, against S1.  So u lies on the cross, and x is a hook.  QED
Formally: `rocq/OnlyHooks.v`.
"""

from __future__ import annotations

from confmat.classes import Tables
from proofs import require, twice_disagreements
from proofs.max_rand_distance import largest

Table = list[list[int]]


def crosses(table: Table) -> list[tuple[int, int]]:
    """The cells (i, j) such that row i and column j contain all points: none if the table is no hook."""
    positive = [(i, j) for i, row in enumerate(table) for j, x in enumerate(row) if x]
    return [
        (i, j)
        for i in range(len(table))
        for j in range(len(table[0]))
        if all(k == i or m == j for k, m in positive)
    ]


def verify() -> str:
    """All tables with the largest 2F of small classes; the ties at 2 x 2."""
    attained = 0
    for rows, cols, most in [(2, 3, 11), (2, 4, 9), (2, 5, 8), (3, 3, 8), (3, 4, 8)]:
        for n in range(rows + cols - 1, most + 1):
            for member in Tables(n, rows, cols):
                table = member.tolist()
                if twice_disagreements(table) == largest(n, rows, cols):
                    require(crosses(table), f"{table} has the largest 2F and is no hook")
                    attained += 1
    for n in range(4, 30):
        p, q = n - n // 2, n // 2
        full, hook = [[p - 1, 1], [q - 1, 1]], [[p, 1], [q - 1, 0]]
        require(crosses(hook) and not crosses(full), "2 x 2: a hook and a full table")
        require(
            twice_disagreements(full) == twice_disagreements(hook) == largest(n, 2, 2) == 2 * p * q,
            f"2 x 2: both have the largest 2F at n = {n}",
        )
    return f"{attained} tables with the largest 2F are hooks; every step formally: rocq/OnlyHooks.v"
