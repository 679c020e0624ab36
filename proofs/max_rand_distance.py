"""The largest Rand distance (part (c) was conjectured by Chacon 2019), and the hooks as the only tables with it.

Statement `rd-max`: with e = n - (r + s - 2) the largest n(n - 1) RD is (n - r)(n - r + 1) + (n - s)(n - s + 1) if e
    <= 0, (r - 1)(r - 2) + (s - 1)(s - 2) + 2e(r + s - 2) if 0 <= e <= r, and (n - r + 1)^2 + (r - 1)(2r - 3) -
    bal(n - 2(r - 1), s), the value (8), if e >= r.
Statement `rd-max-empty`: if empty rows and columns are allowed, the largest n(n - 1) RD is n^2 - bal(n, s) for r <=
    s.
Statement `rd-max-form-late`: the largest RD is attained by a table of the form (7), a hook whose leg consists of
    ones, for n >= r + s - 2.
Statement `rd-max-hooks-only`: for n >= r + s - 1 all tables with the largest RD are hooks, except when r = s = 2.

2F = sum R_i^2 + sum C_j^2 - 2 sum x_ij^2 = n (n-1) RD, 1 <= r <= s.  Join two cells when they share a row or column:
the rook's graph, the line graph of K_{r,s}.  With G its adjacency matrix 2F = x'Gx.  Blow every cell up to x_ij
objects: F is the number of edges, R_i + C_j - 2 x_ij the degree of an object.

Without empty rows and columns: induction over n as for Turan's theorem, by an object of least degree that can be
taken away; in words and formally in `rocq/MaxRandDistance.v`, and that only hooks attain it in `rocq/OnlyHooks.v`.

With empty rows and columns allowed the largest 2F is n^2 - (least sum of s squares with sum n): the blow-up has no
clique of more than s objects, as cliques of the rook's graph lie in a row or column, and Turan's theorem applies
(Motzkin & Straus 1965); one balanced row attains it.

At r = s = 2 hooks are not alone for any n >= 4: 2F = 2 d1 d2 depends on the sums of the two diagonals only, so
[[p-1, 1], [q-1, 1]] and the hook [[p, 1], [q-1, 0]], p = ceil(n/2), q = floor(n/2), both have the largest 2F.
"""

from __future__ import annotations

from confmat.indices.extremes import max_rand_distance
from proofs import balanced_squares, is_hook, require, small_classes, twice_disagreements


def largest(n: int, r: int, s: int, allow_empty: bool = False) -> int:
    """Return the largest 2F by the statement."""
    return int(max_rand_distance(n, r, s, allow_empty=allow_empty) * n * (n - 1))


def check_without_empty_lines() -> str:
    """Check the largest 2F against all small tables and that hooks attain it. Return the number of tables with it."""
    seen = attained = 0
    for n, r, s, tables in small_classes((2, 2, 12), (2, 3, 11), (2, 4, 9), (2, 5, 8), (3, 3, 8), (3, 4, 8)):
        best = [table for table in tables if twice_disagreements(table) >= largest(n, r, s)]
        require(best, f"the largest 2F is attained at {(n, r, s)}")
        for table in best:
            require(twice_disagreements(table) == largest(n, r, s), f"the largest 2F at {(n, r, s)}")
            require(n < r + s - 1 or r == s == 2 or is_hook(table), f"{table} is a hook")
        seen, attained = seen + len(tables), attained + len(best)
    return f"{seen} tables, {attained} have the largest 2F"


def check_with_empty_lines() -> None:
    """Check the largest 2F against all small tables that may have empty rows and columns."""
    for n, r, s, tables in small_classes(
        (1, 3, 6), (2, 2, 8), (2, 4, 6), (3, 3, 6), (3, 4, 5), allow_empty=True
    ):
        most = max(map(twice_disagreements, tables))
        require(most == n * n - balanced_squares(n, s) == largest(n, r, s, True), f"empty at {(n, r, s)}")


def check_two_by_two() -> None:
    """Check that a hook and a table without zeros have the largest 2F of 2 x 2 tables."""
    for n in range(4, 30):
        p, q = n - n // 2, n // 2
        full, hook = [[p - 1, 1], [q - 1, 1]], [[p, 1], [q - 1, 0]]
        require(is_hook(hook) and not is_hook(full), "2 x 2: a hook and a full table")
        values = {twice_disagreements(full), twice_disagreements(hook), largest(n, 2, 2)}
        require(values == {2 * p * q}, f"2 x 2: both have the largest 2F at n = {n}")


def verify() -> str:
    """Check the largest 2F against all small tables, also with empty rows and columns, and the tables with it."""
    told = check_without_empty_lines()
    check_with_empty_lines()
    check_two_by_two()
    return f"{told}; every step formally: rocq/MaxRandDistance.v, OnlyHooks.v"
