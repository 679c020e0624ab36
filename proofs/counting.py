"""The number of r x s matrices of non-negative integers with total n and no empty row or column.

Statement `count-tables`: the number of r x s tables with total n >= 1 and no empty row or column is the sum of
    (-1)^(i+j) C(r,i) C(s,j) C(n + (r-i)(s-j) - 1, n) over 0 <= i < r, 0 <= j < s.

Proof.  Choose i rows and j columns that stay empty.  Others may be empty, too.  The (r-i)(s-j) remaining cells
contain a composition of n into this number of parts >= 0.  There are C(n + (r-i)(s-j) - 1, n) of them, which is 0
if no cell remains and n >= 1.  Inclusion-exclusion over the r + s events "this row (or column) is empty", with C(r,i)
C(s,j) choices of sign (-1)^(i+j), gives the sum.  QED

For r = s = 2 it is C(n+3, 3) - 4n, for n >= 1.

At fixed margins there is no such formula.  `confmat.classes.fibers` counts by dynamic programming, and the sum over
all margins is compared here with the formula.
"""

from __future__ import annotations

from itertools import product
from math import comb

import sympy as sp

from confmat._integers.compositions import distinct_orderings, partitions
from confmat.classes import FixedMargins, Tables
from proofs import require, require_equal, small_classes

# Chacon (2019), Section 4.2 and Appendix C; the others by this formula, recorded.
KNOWN = {(20, 2, 2): 1691, (20, 3, 3): 2_806_281, (50, 3, 3): 1_896_142_626, (50, 4, 4): 204_063_621_701_016}
# Diaconis & Gangolli (1995): hair by eyes; the 5 x 3 table.
FIBERS = {
    ((220, 215, 93, 64), (108, 286, 71, 127)): 1_225_914_276_768_514,
    ((10, 62, 13, 11, 39), (65, 25, 45)): 239_382_173,
}


def compositions(n: int, parts: int) -> int:
    """Return the number of compositions of n >= 1 into parts >= 0."""
    return comb(n + parts - 1, n) if parts else 0


def tables(n: int, r: int, s: int) -> int:
    """Return the number of tables by the formula, for n >= 1."""
    return sum(
        (-1) ** (i + j) * comb(r, i) * comb(s, j) * compositions(n, (r - i) * (s - j))
        for i in range(r + 1)
        for j in range(s + 1)
    )


def verify() -> str:
    """Check the formula against enumeration, against the sum over sets of empty rows and columns, and known values."""
    for n, r, s, members in small_classes(*product(range(1, 4), range(1, 4), [6])):
        require(tables(n, r, s) == len(members), f"enumeration of {(n, r, s)}")
    # Every matrix has some non-empty rows and columns; this does not use inclusion-exclusion.
    for r, s, n in product(range(1, 7), range(1, 7), range(1, 31)):
        used = product(range(1, r + 1), range(1, s + 1))
        by_used = sum(comb(r, i) * comb(s, j) * tables(n, i, j) for i, j in used)
        require(by_used == compositions(n, r * s), f"sum over used lines at {(n, r, s)}")
        require(tables(n, r, s) == Tables(n, r, s).count(), f"Tables.count at {(n, r, s)}")
    for size, count in KNOWN.items():
        require(tables(*size) == count, f"the known count {size}")
    n = sp.symbols("n", positive=True)
    closed = (n + 3) * (n + 2) * (n + 1) / 6 - 4 * (n + 1) + 4  # C(n+3,3) - 4 C(n+1,1) + 4 C(n,0)
    require_equal(closed, (n + 3) * (n + 2) * (n + 1) / 6 - 4 * n, "2 x 2")
    for (rows, cols), count in FIBERS.items():
        require(FixedMargins(rows, cols).count() == count, f"tables with margins {rows}, {cols}")
    for size, r, s in [(12, 3, 4), (15, 4, 4)]:
        by_margins = sum(
            distinct_orderings(a) * distinct_orderings(b) * FixedMargins(a, b).count()
            for a in partitions(size, r, minimum=1)
            for b in partitions(size, s, minimum=1)
        )
        require(by_margins == tables(size, r, s), f"sum over margins at {(size, r, s)}")
    return "enumerated up to (6,3,3); identity up to (30,6,6); six known values; fibers summed over margins"
