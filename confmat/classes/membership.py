"""Which of many matrices have cells and margins within bounds, compiled."""

import numpy as np

from confmat.compiled import njit

_SIGN = -(2**63)


@njit(nogil=True, cache=True)
def within_bounds(tables: np.ndarray, high: int, total: int, cells: np.ndarray, lines: np.ndarray) -> bool:
    """Whether all tables (r x s x k, uint64) have this total, and cells and sums of lines between their bounds.

    ``cells`` (2 x r x s, or 2 x 0 x s for none) and ``lines`` (2 x (r + s), rows first) hold the least and the largest.
    A word may be cells of eight tables side by side; bounds and total are then repeated as often.  ``high`` has the
    highest bit of each, which is for signs: a sum of two numbers without it has it where it is too large for them, and
    a difference has it, where it is set before, unless it is below 0.

    >>> tables = np.array([[[2, 2], [1, 0]], [[0, 2], [1, 0]]], np.uint64)
    >>> high, four, lines = np.uint64(2**63), np.uint64(4), np.array([[1] * 4, [4] * 4], np.uint64)
    >>> [within_bounds(tables[:, :, :k].copy(), high, four, np.zeros((2, 0, 2), np.uint64), lines) for k in (1, 2)]
    [True, False]
    """
    r, s, count = tables.shape
    whole, line = np.zeros(count, np.uint64), np.empty(count, np.uint64)
    too_high = other = np.uint64(0)
    kept = high
    for i in range(r + s):
        for j in range(s if i < r else r):
            cell = tables[i, j] if i < r else tables[j, i - r]
            for k in range(count):
                line[k] = cell[k] + (line[k] if j else np.uint64(0))
                too_high |= cell[k] | line[k]
        least, most = lines[0, i], lines[1, i] | high
        for k in range(count):
            kept &= ((line[k] | high) - least) & (most - line[k])
            whole[k] += line[k] if i < r else np.uint64(0)
            too_high |= whole[k]
    for i in range(cells.shape[1]):
        for j in range(s):
            least, most = cells[0, i, j], cells[1, i, j] | high
            for k in range(count):
                kept &= ((tables[i, j, k] | high) - least) & (most - tables[i, j, k])
    for k in range(count):
        other |= whole[k] ^ total
    return bool((too_high & high) | (kept ^ high) & high | other == 0)


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
