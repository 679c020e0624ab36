"""The least MED and the least RD of two clusterings with r and with s clusters.

Statement `med-min`: the least n MED is abs(r - s).
Statement `rd-min`: for r <= s the least F is the least value of sum j_i(j_i + 1)/2 + (n - s) min j_i over all
    integers j_1, ..., j_r >= 0 with sum s - r. Tables with one positive cell in each column attain it. In a best
    choice one of these integers is l <= (s - r)/r and the others differ by at most one from each other, and for r = 1
    the only one is s - 1.

MED.  A matching leaves abs(r - s) rows or columns out, each with an object; a table with s - r single objects added
to a diagonal attains it.

RD.  F = A + B - 2P >= A - P, with equality where each column has one positive cell.  A row with j + 1 positive cells
and sum a has the most pairs together when all but one of them are 1, so it parts at least j (j+1)/2 + j (a - j - 1)
pairs. With t positive cells in all, sum j = t - r and n - t objects in excess of one a cell: A - P is at least
    G = sum j (j+1)/2 + (n - t) min j.
No column is empty, so t >= s >= r.  If t > s lower the largest j by one: the sum falls by j, the least of them does not
rise, and n - t grows by one, so G changes by at most -j + min j <= 0.  So t = s.  With l the least, sum j (j+1)/2 is
least when the other numbers are as equal as can be.  All objects in excess in one cell of the row split l times: A -
P is G.  QED
"""

from __future__ import annotations

from itertools import product
from math import comb

from confmat._integers.compositions import bounded_compositions
from confmat.indices.extremes import min_med, min_rand_distance, nearest_matrices
from proofs import Table, best_matching_weight, require, small_classes, twice_disagreements


def parted(n: int, often: tuple[int, ...]) -> int:
    """Return G, the least number of separated pairs, given how often each row is split."""
    return sum(comb(j + 1, 2) for j in often) + (n - sum(often) - len(often)) * min(often)


def check_class(n: int, r: int, s: int, tables: list[Table]) -> None:
    """Check the least values against all tables of a class."""
    least = min(map(twice_disagreements, tables)) // 2
    splits = bounded_compositions(s - r, (s - r,) * r)
    require(least == min(parted(n, often) for often in splits), f"the least F at {(n, r, s)}")
    require(least == min_rand_distance(n, r, s) * comb(n, 2), f"min_rand_distance{(n, r, s)}")
    for table in nearest_matrices(n, r, s):
        require(twice_disagreements(table) == 2 * least, f"nearest_matrices{(n, r, s)}")
    least_med = n - max(map(best_matching_weight, tables))
    require(least_med == n * min_med(n, r, s) == s - r, f"min_med{(n, r, s)}")


def check_step(n: int, r: int, t: int) -> None:
    """Lowering the largest j does not raise G."""
    for often in bounded_compositions(t - r, (t - r,) * r):
        place = often.index(max(often))
        lower = tuple(j - (i == place) for i, j in enumerate(often))
        require(parted(n, lower) <= parted(n, often), f"a step from {often}, n = {n}")


def verify() -> str:
    """Check the step for small numbers, and all tables of small classes."""
    for r, t, n in product(range(1, 5), range(2, 11), range(2, 14)):
        if r < t <= n:
            check_step(n, r, t)
    seen = 0
    for n, r, s, tables in small_classes((1, 3, 8), (2, 2, 9), (2, 3, 8), (2, 5, 7), (3, 3, 7), (3, 4, 7)):
        check_class(n, r, s, tables)
        seen += len(tables)
    return f"the step up to n = 13; {seen} tables"
