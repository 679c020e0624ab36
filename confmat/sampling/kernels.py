"""Compiled rejection samplers: proposals are uniform compositions by stars and bars.

Every sampler fills an array of tables (size x r x s, int64) from a generator state. It returns its numbers of
proposals and of accepted tables. ``limit`` is the largest number of proposals. If fewer tables than requested are
accepted, they are still unbiased.
"""

import numpy as np

from confmat._numba import njit
from confmat.sampling.random_bits import below, ones


@njit
def propose_composition(state: np.ndarray, total: int, cells: np.ndarray) -> None:
    """Fill ``cells`` with a uniform composition of ``total``: the gaps between random bars.

    Each bar is inserted into the sorted bars. A position that is taken is drawn again.

    >>> state, cells = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros(3, np.int64)
    >>> propose_composition(state, 5, cells)
    >>> cells.sum()
    np.int64(5)
    """
    bars = len(cells) - 1
    places = total + bars
    for k in range(bars):
        while True:
            place = below(state, places)
            i = k
            while i > 0 and cells[i - 1] > place:
                i -= 1
            if i == 0 or cells[i - 1] != place:
                break
        for j in range(k, i, -1):
            cells[j] = cells[j - 1]
        cells[i] = place
    cells[bars] = places
    for k in range(bars, 0, -1):
        cells[k] -= cells[k - 1] + 1


@njit(inline="always")
def full(table: np.ndarray) -> bool:
    """Return True if no row and no column is empty.

    >>> full(np.array([[1, 0], [1, 0]])), full(np.array([[1, 0], [0, 1]]))
    (False, True)
    """
    for row in table:
        if not row.any():
            return False
    is_full = True
    for column in table.T:
        is_full = is_full and column.any()
    return is_full


# Largest number of rows or columns for best matchings by sets of columns in compiled loops, O(r 2^s) per table.
MOST_LINES = 12


@njit
def heaviest(table: np.ndarray, best: np.ndarray) -> int:
    """Return the weight of the best matching of rows to columns. Requires r <= s.

    The recursion is over sets of columns, encoded as bits. ``best`` has an entry for each of the 2^s sets. For a
    set of i + 1 columns it becomes the weight of the best matching of the first i + 1 rows to this set.

    >>> print(heaviest(np.array([[2, 1], [0, 1]]), np.zeros(4, np.int64)))
    3
    """
    r, s = table.shape
    weight = 0
    best[:] = 0
    for columns in range(1, 1 << s):
        i = ones(np.uint64(columns)) - 1
        if i < r:
            of_columns = 0
            for j in range(s):
                columns_before = columns & ~(1 << j)
                if columns_before != columns:
                    of_columns = max(of_columns, best[columns_before] + table[i, j])
            best[columns] = of_columns
            weight = max(weight, of_columns)
    return weight


@njit
def number_of_best(table: np.ndarray, weight: int, best: np.ndarray, ways: np.ndarray) -> int:
    """Return the number of best matchings of rows to columns of a table.

    ``weight`` is their weight, the result of ``heaviest``, which also filled ``best``. ``ways`` is working memory
    of 2^s entries.

    >>> ties, best = np.array([[2, 1], [1, 0]]), np.zeros(4, np.int64)
    >>> print(number_of_best(ties, heaviest(ties, best), best, np.zeros(4, np.int64)))
    2
    """
    r, s = table.shape
    number = 0
    ways[:] = 0
    ways[0] = 1
    for columns in range(1, 1 << s):
        i = ones(np.uint64(columns)) - 1
        if i < r:
            for j in range(s):
                columns_before = columns & ~(1 << j)
                if columns_before != columns and best[columns] == best[columns_before] + table[i, j]:
                    ways[columns] += ways[columns_before]
            if i == r - 1 and best[columns] == weight:
                number += ways[columns]
    return number


@njit(inline="always")
def _shuffle_first(state: np.ndarray, order: np.ndarray, places: int) -> None:
    """Exchange entries of ``order`` so that the first ``places`` entries are those of a random permutation."""
    for i in range(places):
        k = i + below(state, len(order) - i)
        order[i], order[k] = order[k], order[i]


@njit
def propose_matched(
    state: np.ndarray,
    points_matched: int,
    points_unmatched: int,
    keep_empty: bool,
    limit: int,
    tables: np.ndarray,
) -> tuple[int, int]:
    """Fill ``tables`` with uniform tables whose best matching has ``points_matched`` objects. Requires r <= s.

    A proposal is a uniform matching of rows to columns. A uniform composition of ``points_matched`` fills its
    cells, and one of ``points_unmatched`` fills the other cells. The proposed table is rejected if it has a heavier
    matching. A table with k best matchings is proposed k times as often as one with a single best matching. It is
    therefore accepted with probability 1/k. Tables with empty rows or columns are accepted only if ``keep_empty``.
    At most ``limit`` proposals are made. Return the numbers of proposals and of accepted tables.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 2), np.int64)
    >>> from confmat.contingency.matching import heaviest_totals
    >>> proposals, kept = propose_matched(state, 3, 1, False, 1000, out)
    >>> heaviest_totals(out).tolist()
    [3, 3]
    """
    r, s = tables.shape[1:]
    partner = np.arange(s)  # a permutation
    best, ways = np.zeros((2, 1 << s), np.int64)
    cells_on = np.zeros(r, np.int64)
    cells_off = np.zeros(r * (s - 1), np.int64)
    proposals = number_kept = 0
    while number_kept < len(tables) and proposals < limit:
        propose_composition(state, points_matched, cells_on)
        if s > 1:
            propose_composition(state, points_unmatched, cells_off)
        proposals += 1
        _shuffle_first(state, partner, min(r, s - 1))
        table = tables[number_kept]
        cell = 0
        for i in range(r):
            for j in range(s):
                if partner[i] == j:
                    table[i, j] = cells_on[i]
                else:
                    table[i, j] = cells_off[cell]
                    cell += 1
        if (keep_empty or full(table)) and heaviest(table, best) == points_matched:
            ties = number_of_best(table, points_matched, best, ways)
            number_kept += ties == 1 or below(state, ties) == 0
    return proposals, number_kept


@njit
def propose_whole(
    state: np.ndarray, total: int, points_matched: int, keep_empty: bool, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """Fill ``tables`` by rejection with uniform tables of ``total`` objects. Requires r <= s.

    Proposals are uniform tables of this total. A table is accepted if its best matching has ``points_matched``
    objects. Tables with empty rows or columns are accepted only if ``keep_empty``. Return the numbers of proposals
    and of accepted tables.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 2), np.int64)
    >>> from confmat.contingency.matching import heaviest_totals
    >>> proposals, kept = propose_whole(state, 4, 3, False, 1000, out)
    >>> heaviest_totals(out).tolist()
    [3, 3]
    """
    best = np.zeros(1 << tables.shape[2], np.int64)
    proposals = number_kept = 0
    while number_kept < len(tables) and proposals < limit:
        table = tables[number_kept]
        propose_composition(state, total, table.reshape(-1))
        proposals += 1
        if keep_empty or full(table):
            number_kept += heaviest(table, best) == points_matched
    return proposals, number_kept
