"""Which of many matrices have cells and margins within bounds, compiled."""

import numpy as np
from numba import njit

# Below, no sum over a table that has wrong cells wraps around unnoticed.
LARGEST_SUM = 2**62


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
