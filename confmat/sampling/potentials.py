"""Tables whose best matching is as small as it can be, drawn through the dual of the assignment problem.

By Egervary's theorem a square table N has best matching k exactly when integers u_i, v_j with sum k exist such that
n_ij <= u_i + v_j, and the *slack* u_i + v_j - n_ij vanishes along some matching.  The slack adds up to s k - n,
which is small when k is near its least value n/s: the far end of the MED, where matchings make poor proposals.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from confmat.classes.compositions import compositions_count
from confmat.sampling.kernels import composition, full, scratch
from confmat.sampling.random_bits import below


def potential_proposals(n: int, s: int, matched: int) -> int:
    """Number of pairs (potentials with total ``matched`` and least u_i = 0, slack) to propose from.

    >>> potential_proposals(4, 2, 2)
    9
    """
    every, positive = (compositions_count(total, 2 * s) for total in (matched, matched - s))
    return (every - positive) * compositions_count(s * matched - n, s * s)


@njit(nogil=True, cache=True)
def tight_matching(slack: np.ndarray, column_of: np.ndarray) -> bool:
    """Find a matching of all rows along cells without slack (depth-first search); False if there is none."""
    s = len(slack)
    used = np.zeros(s, np.bool_)
    column_of[:] = -1
    i = 0
    while 0 <= i < s:
        j = column_of[i]
        if j >= 0:
            used[j] = False
        j += 1
        while j < s and (used[j] or slack[i, j] != 0):
            j += 1
        if j == s:
            column_of[i] = -1
            i -= 1
        else:
            column_of[i] = j
            used[j] = True
            i += 1
    return i == s


@njit(nogil=True, cache=True)
def number_of_potentials(slack: np.ndarray, column_of: np.ndarray) -> int:
    """Number of potentials (up to a constant) for the table behind ``slack``, one matching of it being tight.

    Along the matching all potentials are tight, so others differ by row shifts d with d_j - d_i <= c_ij, the slack
    between row i and row j's column.  Solutions with d_0 = 0 are counted row by row; after closing c under
    shortest paths every partial solution can be completed.
    """
    s = len(slack)
    c = np.empty((s, s), np.int64)
    for i in range(s):
        for j in range(s):
            c[i, j] = slack[i, column_of[j]]
    for k in range(s):
        for i in range(s):
            for j in range(s):
                c[i, j] = min(c[i, j], c[i, k] + c[k, j])
    if s == 1:
        return 1
    shift = np.zeros(s, np.int64)
    most = np.zeros(s, np.int64)
    total = 0
    level = 1
    shift[1], most[1] = -c[1, 0], c[0, 1]
    while True:
        if level == s - 1:
            total += most[level] - shift[level] + 1
            level -= 1
            while level > 0 and shift[level] == most[level]:
                level -= 1
            if level == 0:
                return total
            shift[level] += 1
        level += 1
        shift[level], most[level] = -c[level, 0], c[0, level]
        for i in range(1, level):
            shift[level] = max(shift[level], shift[i] - c[level, i])
            most[level] = min(most[level], shift[i] + c[i, level])


@njit(nogil=True, cache=True)
def propose_potentials(
    state: np.ndarray, matched: int, total: int, keep_empty: bool, limit: int, out: np.ndarray
) -> tuple[int, int]:
    """Uniform s x s tables with this total whose best matching covers ``matched`` points.

    Arguments and result as in ``kernels``.  A table is proposed once for each of its potentials, and kept with
    probability one over their number.
    """
    s = out.shape[1]
    potentials = np.zeros(2 * s, np.int64)
    slack = np.zeros((s, s), np.int64)
    column_of = np.zeros(s, np.int64)
    marks = scratch()
    proposals = kept = 0
    while kept < len(out) and proposals < limit:
        proposals += 1
        composition(state, matched, potentials, marks)
        while potentials[:s].min() > 0:
            composition(state, matched, potentials, marks)
        composition(state, s * matched - total, slack.reshape(-1), marks)
        table = out[kept]
        least = 0
        for i in range(s):
            for j in range(s):
                table[i, j] = potentials[i] + potentials[s + j] - slack[i, j]
                least = min(least, table[i, j])
        if least >= 0 and (keep_empty or full(table)) and tight_matching(slack, column_of):
            ways = number_of_potentials(slack, column_of)
            if ways == 1 or below(state, ways) == 0:
                kept += 1
    return proposals, kept
