"""The largest and the least ARD of 2 x 2 tables at given MED (conjectured by Chacon 2019, with two exceptions).

Statement `ard-2x2-exceptions`: at given d1 >= d2 >= 2 the largest ARD of 2 x 2 tables is that of [[d1, ceil(d2/2)],
    [floor(d2/2), 0]], except for (n, d1, d2) = (4, 2, 2) and (6, 3, 3).
Statement `ard-2x2-one`: for n >= 3 and d2 = 1 the largest ARD of 2 x 2 tables is that of [[n - 2, 1], [0, 1]], except
    at n = 5 and 6. There it is that of [[n - 3, 1], [0, 2]]. For d2 = 0 all tables have ARD 0.
Statement `ard-2x2-least`: for given d1 >= d2 >= 1 with n = d1 + d2 >= 3 the least ARD of 2 x 2 tables is that of
    [[(d1 + p)/2, d2], [0, (d1 - p)/2]]. Here p is the largest integer with d1 - p even, p <= d1 - 2 and p <= 1 +
    floor(sqrt(n + d2^2 - 2)). The least ARD is 4n(n-1)d1 d2/(n^2 (n-1)^2 - ((d2 + p)^2 - n)((d2 - p)^2 - n)).

d1 = n11 + n22 >= d2 = n12 + n21, no empty rows or columns.  With p = n11 - n22 and q = n12 - n21
    ARD = 4n(n-1) d1 d2/(n^2 (n-1)^2 - ((q + p)^2 - n)((q - p)^2 - n)).
That, the largest ARD for n >= 9, for n >= 7 where d2 = 1, and all of the least one are in words and formally in
`rocq/TwoByTwo.v`.  For smaller n all tables are compared. Tables outside the orbit of the form have the same ARD at
(5,3,2), (7,4,3) and (8,4,4).

For 2 x 3 nested tables, one row empty only where the other is, are not the least ones: at n = 5, d = 2 the least ARD is
5/7, at [[2, 2, 0], [0, 0, 1]], and that of nested tables 15/14.
"""

from __future__ import annotations

import json
from fractions import Fraction

from confmat.classes import Tables, canonical
from confmat.indices.extremes import ard_range_given_med_2x2, max_adjusted_rand_distance_2x2
from proofs import Table, ard, best_matching_weight, require

EXCEPTIONS = {(4, 2), (6, 3)}
AT_ONE = {5: [[2, 1], [0, 2]], 6: [[3, 1], [0, 2]]}
TIES = {(5, 2), (7, 3), (8, 4)}
MOST = 12


def check_wider() -> None:
    """Check the example of 2 x 3 tables with n = 5 and d = 2."""
    tables = [t.tolist() for t in Tables(5, 2, 3) if best_matching_weight(t) == 3]
    nested = [rows for rows in tables if any(map(all, rows))]  # no column is empty: one row has no zero
    found = min(map(ard, tables)), min(map(ard, nested)), ard([[2, 2, 0], [0, 0, 1]])
    require(found == (Fraction(5, 7), Fraction(15, 14), Fraction(5, 7)), f"2 x 3: {found}")


def tables_of_diagonals(n: int, d: int) -> list[Table]:
    """Return all 2 x 2 tables without empty rows and columns with d1 = n - d and d2 = d.

    >>> tables_of_diagonals(3, 1)
    [[[1, 0], [1, 1]], [[1, 1], [0, 1]]]
    """
    tables = [[[x, y], [d - y, n - d - x]] for x in range(n - d + 1) for y in range(d + 1)]
    return [table for table in tables if all(map(any, table)) and all(map(any, zip(*table)))]


def verify() -> str:
    """Check the largest and least ARD, exceptions and ties for all tables of up to ``MOST`` objects."""
    check_wider()
    ties: set[tuple[int, int]] = set()
    for n in range(3, MOST + 1):
        for d in range(1, n // 2 + 1):
            values = {json.dumps(table): ard(table) for table in tables_of_diagonals(n, d)}
            ends = min(values.values()), max(values.values())
            require(ard_range_given_med_2x2(n, d) == ends, f"the range of the ARD at n = {n}, d = {d}")
            form = [[n - d, d - d // 2], [d // 2, 0]] if d > 1 else AT_ONE.get(n, [[n - 2, 1], [0, 1]])
            is_best = values[json.dumps(form)] == ends[1]
            require(is_best != ((n, d) in EXCEPTIONS), f"the form at {(n, n - d, d)}")
            best = [canonical(json.loads(text)).tolist() for text, x in values.items() if x == ends[1]]
            if is_best and d > 1 and any(orbit != canonical(form).tolist() for orbit in best):
                ties.add((n, d))
        require(max_adjusted_rand_distance_2x2(n, 0) == 0, f"d2 = 0, n = {n}")
    require(ties == TIES, f"ties up to n = {MOST}: {ties}")
    return f"all tables of n <= {MOST}: exceptions (4,2,2), (6,3,3) only; formally: rocq/TwoByTwo.v"
