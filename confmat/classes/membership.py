"""Which of many matrices have cells and margins within bounds, compiled."""

import numpy as np

from confmat.compiled import njit

# Below, no sum over a table that has wrong cells wraps around unnoticed.
LARGEST_SUM = 2**62
_SIGN = -(2**63)


@njit(nogil=True, cache=True)
def within_bounds(
    tables: np.ndarray, n: int, cells: np.ndarray, rows: np.ndarray, cols: np.ndarray
) -> np.ndarray:
    """Whether each table (k x r x s) has total n, and each cell, row sum and column sum between its two bounds.

    ``cells`` (2 x r x s), ``rows`` (2 x r) and ``cols`` (2 x s) hold the least and the largest ones, from 0 to n.

    >>> cells, lines = np.array([[[0, 0]] * 2, [[4, 4]] * 2]), np.array([[1, 1], [4, 4]])
    >>> within_bounds(np.array([[[2, 1], [0, 1]], [[2, 0], [2, 0]]]), 4, cells, lines, lines)
    array([ True, False])
    """
    count, r, s = tables.shape
    columns = np.empty(s, np.int64)
    inside = np.empty(count, np.bool_)
    for k in range(count):
        total = wrong = 0  # a difference below 0 leaves its sign in ``wrong``
        columns[:] = 0
        for i in range(r):
            row = 0
            for j in range(s):
                x = tables[k, i, j]
                wrong |= x | (x - cells[0, i, j]) | (cells[1, i, j] - x)
                row += x
                columns[j] += x
            wrong |= (row - rows[0, i]) | (rows[1, i] - row)
            total += row
        for j in range(s):
            wrong |= (columns[j] - cols[0, j]) | (cols[1, j] - columns[j])
        inside[k] = wrong >= 0 and total == n
    return inside


@njit(nogil=True, cache=True)
def have_total(tables: np.ndarray, n: int) -> bool:
    """Whether all tables (their cells in rows: k x r s) have no cell below 0 and total n: a nanosecond or two for each.

    >>> have_total(np.array([[2, 1, 0, 1], [4, 0, 0, 0]]), 4), have_total(np.array([[2, 1, 0, 1], [5, 0, 0, -1]]), 4)
    (True, False)
    """
    wrong = 0  # other totals leave bits in it, cells below 0 their sign
    for k in range(len(tables)):
        total = signs = 0
        for j in range(tables.shape[1]):
            total += tables[k, j]
            signs |= tables[k, j]
        wrong |= (total ^ n) | (signs & _SIGN)
    return bool(wrong == 0)
