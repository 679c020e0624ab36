"""How many orbits a class has without listing them: Burnside's lemma over types of permutations."""

from __future__ import annotations

from math import factorial

from confmat._integers.compositions import cycle_types
from confmat.classes.matrix_class import MatrixClass
from confmat.classes.memberships import MembershipGrids, multisets_fixed

# The lines of a side: the types of its permutations are the partitions of their number.
MOST_LINES_COUNTED = 12


def orbits_count(matrices: MatrixClass) -> int | None:
    """Number of members up to permutations of rows and of columns and, for r = s, transposition.

    For classes of all matrices with a total and shape; None for others, and beyond ``MOST_LINES_COUNTED`` lines a side.

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
    # A table is one without empty lines and with fewer of them: those that fill all lines are what is new.
    fewer_of_both = _up_to_orders(n, r - 1, s - 1)
    fewer_rows = _up_to_orders(n, r - 1, s) - fewer_of_both
    if r < s:
        return _up_to_orders(n, r, s) - fewer_rows - _up_to_orders(n, r, s - 1)
    return _up_to_all(n, r, r) - _up_to_all(n, r - 1, r - 1) - fewer_rows


def _up_to_orders(n: int, r: int, s: int) -> int:
    """r x s tables with empty lines allowed up to permutations alone; none has no lines, as n > 0."""
    if r and s:
        return MembershipGrids(n, r, s, 1).orbits_count()
    return 0


def _up_to_all(n: int, r: int, s: int) -> int:
    """The same, for r = s up to transposition as well."""
    up_to_orders = _up_to_orders(n, r, s)
    if r < s or not r:
        return up_to_orders
    fixed = 0
    for cycles, permutations_alike in cycle_types(r):
        fixed_lines = [sum(a for a in cycles if k % a == 0) for k in range(n + 1)]
        # Transposed twice, rows and columns are permuted by one type each: that is what even powers do.
        fixed_cells = []
        for k in range(1, n + 1):
            fixed_cells.append(fixed_lines[k] if k % 2 else fixed_lines[k // 2] ** 2)
        fixed += permutations_alike * multisets_fixed(fixed_cells)
    return (up_to_orders + fixed // factorial(r)) // 2
