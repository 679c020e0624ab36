"""Tables whose best matching is as small as it can be, drawn through the dual of the assignment problem.

By Egervary's theorem an r x s table N, r <= s, has best matching k exactly when integers u_i, v_j >= 0 with sum k
exist such that n_ij <= u_i + v_j, and the *slack* u_i + v_j - n_ij vanishes along a matching of all rows whose
other columns have v_j = 0.  In words of square tables: s - r empty rows below, with potential and entries 0, and
slack 0 along a matching of all rows.  With U the sum of the u_i the slack of the table adds up to
s U + r (k - U) - n, which is small when k is near its least value n/s: the far end of the MED, where matchings make
poor proposals.
"""

from itertools import accumulate

import numpy as np

from confmat._integers.compositions import compositions_count
from confmat._numba import njit
from confmat.sampling.kernels import full, propose_compositions
from confmat.sampling.random_bits import below


def running_proposals(n: int, r: int, s: int, points_matched: int) -> list[int]:
    """Running numbers of pairs (potentials with total ``points_matched``, slack) by the sum of the u_i; r <= s.

    In a square table potentials may shift from rows to columns: those with least u_i = 0 are taken.

    >>> running_proposals(4, 2, 2, 2), running_proposals(4, 1, 2, 2)
    ([3, 7, 9], [0, 0, 1])
    """
    ways = []
    for total in range(points_matched + 1):
        slack = s * total + r * (points_matched - total) - n
        of_rows = compositions_count(total, r)
        if r == s:
            of_rows -= compositions_count(total - r, r)
        of_cols = compositions_count(points_matched - total, s)
        ways.append(of_rows * of_cols * compositions_count(slack, r * s) if slack >= 0 else 0)
    return list(accumulate(ways))


@njit
def _augment(slack: np.ndarray, i: int, row_of: np.ndarray, columns_seen: np.ndarray) -> bool:
    """Give row i a column without slack, moving rows along an alternating path."""
    for j in range(len(slack)):
        if slack[i, j] == 0 and not columns_seen[j]:
            columns_seen[j] = True
            if row_of[j] < 0 or _augment(slack, row_of[j], row_of, columns_seen):
                row_of[j] = i
                return True
    return False


@njit
def tight_matching(slack: np.ndarray, column_of: np.ndarray) -> bool:
    """Find a matching of all rows of a square table along cells without slack; False if there is none.

    >>> column_of = np.zeros(2, np.int64)
    >>> tight_matching(np.array([[1, 0], [0, 0]]), column_of), column_of.tolist()
    (True, [1, 0])
    """
    s = len(slack)
    row_of = np.full(s, -1)
    columns_seen = np.zeros(s, np.bool_)
    for i in range(s):
        columns_seen[:] = False
        if not _augment(slack, i, row_of, columns_seen):
            return False
    for j in range(s):
        column_of[row_of[j]] = j
    return True


@njit
def number_of_potentials(slack: np.ndarray, column_of: np.ndarray) -> int:
    """Number of potentials (up to a constant) for the table behind ``slack``, one matching of it being tight.

    Along the matching all potentials are tight, so others differ by row shifts d with d_j - d_i <= c_ij, the slack
    between row i and row j's column.  Solutions with d_0 = 0 are counted row by row; after closing c under
    shortest paths every partial solution can be completed.

    >>> print(number_of_potentials(np.array([[1, 0], [0, 2]]), np.array([1, 0])))
    4
    """
    s = len(slack)
    c = np.empty((s, s), np.int64)
    for i in range(s):
        for j in range(s):
            c[i, j] = slack[i, column_of[j]]
    for k in range(s):
        for i in range(s):
            for j in range(s):
                through_k = c[i, k] + c[k, j]
                c[i, j] = min(c[i, j], through_k)
    return _number_of_shifts(c, np.zeros(s, np.int64), 1)


@njit
def _number_of_shifts(c: np.ndarray, shifts: np.ndarray, level: int) -> int:
    """Number of ways to choose the row shifts from a row on, those of the rows before being given."""
    if level == len(c):
        return 1
    least_shift = -c[level, 0]
    largest_shift = c[0, level]
    for i in range(1, level):
        least_shift = max(least_shift, shifts[i] - c[level, i])
        largest_shift = min(largest_shift, shifts[i] + c[i, level])
    if level == len(c) - 1:
        return largest_shift - least_shift + 1
    number = 0
    for shift in range(least_shift, largest_shift + 1):
        shifts[level] = shift
        number += _number_of_shifts(c, shifts, level + 1)
    return number


@njit
def _is_kept(state: np.ndarray, slack: np.ndarray, column_of: np.ndarray) -> bool:
    """True with probability one over the number of potentials of the table behind ``slack``, if it has some."""
    if not tight_matching(slack, column_of):
        return False
    ways = number_of_potentials(slack, column_of)
    return ways == 1 or below(state, ways) == 0


@njit
def _composition(state: np.ndarray, total: int, cells: np.ndarray) -> None:
    """One uniform composition: compiled once, where ``compositions`` itself would be inlined at each of five places."""
    propose_compositions(state, total, cells.reshape(1, -1))


@njit
def propose_potentials(
    state: np.ndarray, running: np.ndarray, total: int, keep_empty: bool, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """Uniform r x s tables, r <= s, with this total whose best matching covers len(running) - 1 points.

    ``running``: see ``running_proposals``; all zero for square tables, whose slack does not depend on the split.
    Other arguments and result as in ``kernels``.  A table is proposed once for each of its potentials, and kept
    with probability one over their number.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((3, 2, 2), np.int64)
    >>> proposals, kept = propose_potentials(state, np.zeros(3, np.int64), 4, False, 1000, out)
    >>> kept, out.sum(axis=(1, 2)).tolist()
    (3, [4, 4, 4])
    """
    r, s = tables.shape[1:]
    points_matched = len(running) - 1
    potentials = np.zeros(r + s, np.int64)
    cells = np.zeros(r * s, np.int64)
    slack = np.zeros((s, s), np.int64)
    column_of = np.zeros(s, np.int64)
    proposals = number_kept = 0
    while number_kept < len(tables) and proposals < limit:
        proposals += 1
        if r == s:
            _composition(state, points_matched, potentials)
            while potentials[:r].min() > 0:
                _composition(state, points_matched, potentials)
        else:
            place = below(state, running[-1])
            of_rows = int(np.searchsorted(running, place, side="right"))
            _composition(state, of_rows, potentials[:r])
            _composition(
                state,
                points_matched - of_rows,
                potentials[r:],
            )
        of_rows = potentials[:r].sum()
        _composition(state, s * of_rows + r * (points_matched - of_rows) - total, cells)
        table = tables[number_kept]
        least_cell = 0
        for j in range(s):
            for i in range(r):
                slack[i, j] = cells[i * s + j]
                bound = potentials[i] + potentials[r + j]
                table[i, j] = bound - slack[i, j]
                least_cell = min(least_cell, table[i, j])
            slack[r:, j] = potentials[r + j]
        if least_cell >= 0 and (keep_empty or full(table)) and _is_kept(state, slack, column_of):
            number_kept += 1
    return proposals, number_kept
