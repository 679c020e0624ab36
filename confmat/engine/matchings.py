"""Best matchings and pair sums of many tables at once, compiled: dynamic programming over sets of columns."""

import numpy as np

from confmat.compiled import njit
from confmat.matrices.matching import heaviest_total

# Best matchings by sets of columns, O(r 2^s) a table, up to here.
MOST_LINES = 12

# Tables side by side in ``pair_sums_and_matching``.
_LANES = 256


@njit(nogil=True, cache=True)
def matching_steps(r: int, s: int) -> tuple[np.ndarray, np.ndarray]:
    """Steps (set of columns, one of them) by which row i extends a matching to i + 1 columns, and where rows start.

    >>> steps, starts = matching_steps(2, 2)
    >>> steps.tolist(), starts.tolist()
    ([[1, 0], [2, 1], [3, 0], [3, 1]], [0, 2, 4])
    """
    steps = np.zeros((s << s, 2), np.int64)
    starts = np.zeros(r + 1, np.int64)
    k = 0
    for i in range(r):
        for columns in range(1 << s):
            members = 0
            for j in range(s):
                members += columns >> j & 1
            for j in range(s):
                if members == i + 1 and columns >> j & 1:
                    steps[k, 0], steps[k, 1] = columns, j
                    k += 1
        starts[i + 1] = k
    return steps[:k], starts


@njit(nogil=True, cache=True)
def matched(table: np.ndarray, steps: np.ndarray, starts: np.ndarray, best: np.ndarray) -> int:
    """Total of the best matching (r <= s); ``steps`` from ``matching_steps``, ``best`` room for sets of columns.

    >>> matched(np.array([[2, 1], [0, 1]]), *matching_steps(2, 2), np.zeros(4, np.int64))
    3
    """
    r = len(table)
    best[1:] = 0
    for i in range(r):
        for step in range(starts[i], starts[i + 1]):
            columns, j = steps[step]
            best[columns] = max(best[columns], best[columns ^ (1 << j)] + table[i, j])
    total = 0
    for step in range(starts[r - 1], starts[r]):
        total = max(total, best[steps[step, 0]])
    return total


@njit(nogil=True, cache=True)
def pair_sums_and_matching(tables: np.ndarray) -> np.ndarray:
    """For each table (r <= s): the best matching's total, then A, B and P (pairs within rows, columns, cells).

    Tables lie in lanes, side by side, so that an instruction works on several of them.  Every row can be matched, so
    only sets of as many columns as rows so far are looked at.

    >>> pair_sums_and_matching(np.array([[[2, 1], [0, 1]], [[1, 0], [0, 3]]]))
    array([[3, 3, 2, 1],
           [4, 3, 3, 3]])
    """
    size, r, s = tables.shape
    lanes = min(max(size, 1), _LANES)
    steps, starts = matching_steps(r, s)
    sums = np.empty((size, 4), np.int64)
    cells = np.zeros((r, s, lanes), np.int64)
    lines = np.zeros((r + s, lanes), np.int64)
    best = np.zeros((1 << s, lanes), np.int64)
    found = np.zeros((4, lanes), np.int64)
    for first in range(0, size, lanes):
        some = tables[first : first + lanes]
        lines[:], best[1:], found[:] = 0, 0, 0
        for i in range(r):
            for j in range(s):
                for k in range(len(some)):
                    cells[i, j, k] = some[k, i, j]
                for k in range(lanes):
                    x = cells[i, j, k]
                    lines[i, k] += x
                    lines[r + j, k] += x
                    found[3, k] += x * (x - 1)
            for step in range(starts[i], starts[i + 1]):
                columns, j = steps[step]
                fewer = columns ^ (1 << j)
                for k in range(lanes):
                    best[columns, k] = max(best[columns, k], best[fewer, k] + cells[i, j, k])
        for i in range(r + s):
            for k in range(lanes):
                found[1 if i < r else 2, k] += lines[i, k] * (lines[i, k] - 1)
        for columns in steps[starts[r - 1] :, 0]:
            for k in range(lanes):
                found[0, k] = max(found[0, k], best[columns, k])
        for k in range(len(some)):
            for i in range(4):
                sums[first + k, i] = found[i, k] >> (i > 0)  # each pair was counted twice
    return sums


def matched_points(tables: np.ndarray) -> np.ndarray:
    """Total of the best matching of every table (size x r x s).

    Sets of columns up to ``MOST_LINES``; an assignment problem for each table beyond, or of Python's integers.

    >>> matched_points(np.array([[[2, 1], [0, 1]], [[1, 2], [1, 0]]]))
    array([3, 3])
    """
    _, r, s = tables.shape
    if max(r, s) > MOST_LINES or tables.dtype == object:
        totals = [heaviest_total(table) for table in tables]
        return np.array(totals, tables.dtype)
    narrow = tables if r <= s else tables.transpose(0, 2, 1)
    sums = pair_sums_and_matching(np.ascontiguousarray(narrow))
    return sums[:, 0]
