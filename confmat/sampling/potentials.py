"""Tables with the largest MED, or nearly, drawn through the dual of the assignment problem.

Let n_ij be the cells of an r x s table with r <= s and total n. By Egervary's theorem its best matching of rows to
columns has weight k if and only if there are *potentials*. These are integers u_i, v_j >= 0 with sum k and u_i +
v_j >= n_ij. Their *differences* d_ij = u_i + v_j - n_ij are 0 along a matching of all rows, and v_j = 0 in the
other columns.

With s - r additional rows, whose cells and u_i are 0, the table is square, and d is 0 along a matching of all rows.
Let U be the sum of the u_i. The differences in the r x s table have the sum s U + r (k - U) - n. It is small when k
is near its least value n/s. The misclassification error distance (MED) is then near its largest value, and
proposals of matchings are inefficient.
"""

from itertools import accumulate

import numpy as np

from confmat._integers.compositions import compositions_count
from confmat._numba import njit
from confmat.sampling.kernels import full, propose_composition
from confmat.sampling.random_bits import below


def running_proposals(n: int, r: int, s: int, points_matched: int) -> list[int]:
    """Return, for U = 0, ..., ``points_matched``, the numbers of proposals with a sum of the u_i of at most U.

    A proposal of `propose_potentials` consists of integers u_i, v_j >= 0 with the sum ``points_matched``, and of
    differences d_ij >= 0. It gives the r x s table n_ij = u_i + v_j - d_ij with total n. Requires r <= s. In a
    square table all u_i can be lowered and all v_j raised by 1. Only proposals with a u_i = 0 are counted then.

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
    """Add row i of a square table to a matching of rows to columns, and return whether this is possible.

    Rows are matched along cells with ``slack`` 0. Rows that already have a column may get another one. ``row_of``
    is the row of each column, negative if it has none. ``columns_seen`` marks the columns that were checked.
    """
    for j in range(len(slack)):
        if slack[i, j] == 0 and not columns_seen[j]:
            columns_seen[j] = True
            if row_of[j] < 0 or _augment(slack, row_of[j], row_of, columns_seen):
                row_of[j] = i
                return True
    return False


@njit
def tight_matching(slack: np.ndarray, column_of: np.ndarray) -> bool:
    """Write a matching of all rows of a square table along cells with ``slack`` 0 into ``column_of``.

    Return False if there is no such matching.

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
    """Return the number of potentials (u, v) of a square table, with all (u + t, v - t) for integers t counted as one.

    Potentials u and v of a table n_ij have u_i + v_j >= n_ij, with equality along a best matching. ``slack`` has
    the differences u_i + v_j - n_ij of one pair of potentials, and ``column_of`` the matching. Let c_ij be the
    difference in row i and the column that is matched with row j. Every other pair results from shifts of the u_i
    with shift_j - shift_i <= c_ij. The shifts with shift_0 = 0 are counted row by row.

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
    """Return the number of ways to choose integers shift_i for the rows i >= ``level``, given those of other rows.

    The rows before have the given ``shifts``. Any rows i and j must satisfy shift_j - shift_i <= c_ij. ``c``
    satisfies the triangle inequality, so that every partial solution can be completed.
    """
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
    """Decide at random whether a proposed table is accepted, given its differences ``slack``.

    The probability is one over the number of potentials of the table, or 0 if the differences are not those of
    potentials. ``column_of`` is working memory.
    """
    if not tight_matching(slack, column_of):
        return False
    ways = number_of_potentials(slack, column_of)
    return ways == 1 or below(state, ways) == 0


@njit
def propose_potentials(
    state: np.ndarray, running: np.ndarray, total: int, keep_empty: bool, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """Fill ``tables`` with uniform tables of ``total`` objects whose best matching has len(``running``) - 1 objects.

    Requires r <= s. A proposal consists of integers u_i, v_j >= 0 and d_ij >= 0 and gives the table n_ij = u_i +
    v_j - d_ij. If u and v are potentials of the table (see the module), it is accepted with probability one over
    the number of its potentials. Each table is therefore equally likely.

    ``running`` is the result of ``running_proposals``, by which the sum of the u_i is drawn. For square tables only
    its length is used. Tables with empty rows or columns are accepted only if ``keep_empty``. At most ``limit``
    proposals are made. Return the numbers of proposals and of accepted tables.

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
            propose_composition(state, points_matched, potentials)
            while potentials[:r].min() > 0:
                propose_composition(state, points_matched, potentials)
        else:
            place = below(state, running[-1])
            of_rows = int(np.searchsorted(running, place, side="right"))
            propose_composition(state, of_rows, potentials[:r])
            propose_composition(
                state,
                points_matched - of_rows,
                potentials[r:],
            )
        of_rows = potentials[:r].sum()
        propose_composition(state, s * of_rows + r * (points_matched - of_rows) - total, cells)
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
