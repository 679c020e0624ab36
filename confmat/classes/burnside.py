"""Number of orbits of a class without listing them, by Burnside's lemma over types of permutations."""

from __future__ import annotations

from math import factorial

from confmat._integers.compositions import cycle_types
from confmat.classes.matrix_class import MatrixClass
from confmat.classes.memberships import MembershipGrids, multisets_fixed

# Largest number of rows or columns k: the types of their permutations are the partitions of k.
MOST_LINES_COUNTED = 12


def orbits_count(matrices: MatrixClass) -> int | None:
    """Return the number of members up to permutations of rows and of columns and, if r = s, transposition.

    Return None if rows or columns are restricted, and for more than ``MOST_LINES_COUNTED`` rows or columns.

    >>> from confmat.classes import Tables
    >>> orbits_count(Tables(8, 3, 3)), len(list(Tables(8, 3, 3).orbits()))
    (128, 128)
    """
    if not matrices.unrestricted or max(matrices.shape) > MOST_LINES_COUNTED:
        return None
    n, (r, s) = matrices.n, sorted(matrices.shape)
    if not n:
        return int(bool(matrices))
    if matrices.may_be_empty:
        return _up_to_all(n, r, s)
    # Tables without empty rows and columns are all tables minus those with fewer rows or columns.
    fewer_of_both = _up_to_orders(n, r - 1, s - 1)
    fewer_rows = _up_to_orders(n, r - 1, s) - fewer_of_both
    if r < s:
        return _up_to_orders(n, r, s) - fewer_rows - _up_to_orders(n, r, s - 1)
    return _up_to_all(n, r, r) - _up_to_all(n, r - 1, r - 1) - fewer_rows


def _up_to_orders(n: int, r: int, s: int) -> int:
    """Return the number of r x s tables with total n up to permutations of rows and columns, which may be empty.

    It is 0 for r = 0 or s = 0, because n > 0.
    """
    if r and s:
        return MembershipGrids(n, r, s, 1).orbits_count()
    return 0


def _up_to_all(n: int, r: int, s: int) -> int:
    """Return the number of r x s tables with total n up to permutations and, if r = s, transposition.

    Rows and columns may be empty.
    """
    up_to_orders = _up_to_orders(n, r, s)
    if r < s or not r:
        return up_to_orders
    fixed = 0
    for cycles, permutations_alike in cycle_types(r):
        fixed_lines = [sum(a for a in cycles if k % a == 0) for k in range(n + 1)]
        # The square of a permutation with transposition permutes rows and columns by the same type, as do even powers.
        fixed_cells = []
        for k in range(1, n + 1):
            fixed_cells.append(fixed_lines[k] if k % 2 else fixed_lines[k // 2] ** 2)
        fixed += permutations_alike * multisets_fixed(fixed_cells)
    return (up_to_orders + fixed // factorial(r)) // 2
