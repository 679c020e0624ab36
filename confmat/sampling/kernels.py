"""Compiled proposals: uniform compositions by stars and bars, and what is kept of them.

Every kernel fills ``out`` (size x r x s, int64) from the generator state ``state`` and returns the number of
proposals that it took.  ``limit`` bounds the proposals: fewer than len(out) matrices may come back (the second
number returned), never biased ones.
"""

import numpy as np

from confmat.compiled import njit
from confmat.engine.tables import matched, matching_steps
from confmat.sampling.lanes import bound_lines
from confmat.sampling.random_bits import below, next_word, ones

# A draw takes some 80 ns, so what it calls is inlined: a third of the time of calls.
# Up to this many positions, bars are marked in a bitset; beyond, they are kept sorted.
_BITSET = 4096

# Compositions that are drawn together.
_AT_ONCE = 64
_16_BITS = np.uint64(2**16 - 1)


@njit(nogil=True, cache=True, inline="always")
def compositions(state: np.ndarray, total: int, rows: np.ndarray) -> None:
    """Fill each row of ``rows`` with a uniform composition of ``total``: gaps between bars among places.

    >>> state, cells = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 3), np.int64)
    >>> compositions(state, 5, cells)
    >>> cells.sum(axis=1).tolist()
    [5, 5]
    """
    places = total + rows.shape[1] - 1
    if rows.shape[1] == 1:
        rows[:] = total  # without bars, even if there is no place
    elif places <= _BITSET:
        _gaps_from_bits(state, places, rows)
    else:
        _gaps_from_sorted(state, places, rows)


@njit(nogil=True, cache=True, inline="always")
def _mark(state: np.ndarray, places: int, bars: int, marks: np.ndarray) -> None:
    """Mark so many of the places, bits of ``marks``.

    Four places come from a word (multiply and shift with rejection, as in ``below``, by 16 bits).  As many are taken
    as are missing, without a look at each: one that is marked already, or rejected, marks nothing and stays missing,
    so that the set of bars is uniform.
    """
    bound = np.uint64(places)
    uneven = np.uint64(2**16 % places)
    word = np.uint64(0)
    places_taken = 0
    missing = bars
    while missing > 0:
        for k in range(places_taken, places_taken + missing):
            if k & 3 == 0:
                word = next_word(state)
            product = (word & _16_BITS) * bound
            word >>= np.uint64(16)
            place = product >> np.uint64(16)
            bit = np.uint64((product & _16_BITS) >= uneven) << (place & np.uint64(63))
            marks[place >> np.uint64(6)] |= bit
        places_taken += missing
        missing = bars
        for w in range(len(marks)):
            missing -= ones(marks[w])


@njit(nogil=True, cache=True, inline="always")
def _gaps(word: np.uint64, places_before: int, last_place: int, k: int, gaps: np.ndarray) -> tuple[int, int]:
    """Write the gaps before the bars of a word from gaps[k] on; ``places_before`` come before it, counted from 1."""
    while word:
        place = places_before + ones(word ^ (word - np.uint64(1)))
        gaps[k] = place - last_place - 1
        last_place = place
        k += 1
        word &= word - np.uint64(1)
    return last_place, k


@njit(nogil=True, cache=True, inline="always")
def _gaps_from_bits(state: np.ndarray, places: int, rows: np.ndarray) -> None:
    marks = np.zeros((places >> 6) + 1, np.uint64)
    for row in rows:
        _mark(state, places, len(row) - 1, marks)
        last_place = k = 0
        for w in range(len(marks)):
            last_place, k = _gaps(
                marks[w],
                w << 6,
                last_place,
                k,
                row,
            )
            marks[w] = np.uint64(0)
        row[k] = places - last_place


@njit(nogil=True, cache=True)
def _gaps_from_sorted(state: np.ndarray, places: int, rows: np.ndarray) -> None:
    bars = np.empty(rows.shape[1] - 1, np.int64)
    for row in rows:
        for k in range(len(bars)):
            while True:
                place = below(state, places)
                i = k
                while i > 0 and bars[i - 1] > place:
                    i -= 1
                if i == 0 or bars[i - 1] != place:
                    break
            for j in range(k, i, -1):
                bars[j] = bars[j - 1]
            bars[i] = place
        last_place = np.int64(-1)
        for k in range(len(bars)):
            row[k] = bars[k] - last_place - 1
            last_place = bars[k]
        row[-1] = places - last_place - 1


@njit(nogil=True, cache=True, inline="always")
def full(table: np.ndarray, in_rows: bool = True, in_cols: bool = True) -> bool:
    """Whether no row (if ``in_rows``) and no column (if ``in_cols``) is empty.

    >>> full(np.array([[1, 0], [1, 0]])), full(np.array([[1, 0], [1, 0]]), True, False)
    (False, True)
    """
    r, s = table.shape
    for i in range(r if in_rows else 0):
        points = 0
        for j in range(s):
            points |= table[i, j]
        if points == 0:
            return False
    for j in range(s if in_cols else 0):
        points = 0
        for i in range(r):
            points |= table[i, j]
        if points == 0:
            return False
    return True


@njit(nogil=True, cache=True)
def reject(
    state: np.ndarray, totals: np.ndarray, lines: np.ndarray, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """Uniform tables, each row a composition of its total, or all cells of one alone (Chacon 2019, Appendix C).

    Kept where the sums of rows, then columns, are within their bounds (2 x lines: the least, the largest).

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 2), np.int64)
    >>> reject(state, np.array([2, 1]), np.array([[2, 1, 1, 2]] * 2), 1000, out)[1], out.sum(axis=1).tolist()
    (2, [[1, 2], [1, 2]])
    """
    r, s = tables.shape[1:]
    cells = np.empty((r * s, _AT_ONCE), np.int64)
    cells_of_tables = tables.reshape(len(tables), r * s)
    groups = cells.reshape(len(totals), -1, _AT_ONCE)
    are_members = np.empty(_AT_ONCE, np.uint8)
    proposals = number_kept = 0
    while number_kept < len(tables) and proposals < limit:
        lane = proposals % _AT_ONCE
        if lane == 0:
            for g in range(len(totals)):
                compositions(state, totals[g], groups[g].T)
            are_members[:] = 1
            bound_lines(
                cells,
                (r, s),
                (s, 1),
                lines[:, :r],
                are_members,
            )
            bound_lines(
                cells,
                (s, r),
                (1, s),
                lines[:, r:],
                are_members,
            )
        proposals += 1
        if are_members[lane]:
            for k in range(r * s):
                cells_of_tables[number_kept, k] = cells[k, lane]
            number_kept += 1
    return proposals, number_kept


@njit(nogil=True, cache=True)
def matchings_of_weight(table: np.ndarray, weight: int) -> int:
    """Number of ways to match every row to a column of its own with total ``weight``; 0 if some total is larger.

    r <= s.  Dynamic programming over sets of columns, O(r 2^s): the best total of each set and in how many ways.

    >>> matchings_of_weight(np.array([[1, 1], [1, 1]]), 2), matchings_of_weight(np.array([[2, 1], [0, 1]]), 2)
    (2, 0)
    """
    r, s = table.shape
    best = np.full(1 << s, -1, np.int64)
    ways = np.zeros(1 << s, np.int64)
    best[0] = 0
    ways[0] = 1
    for i in range(r):
        for columns in range((1 << s) - 1, -1, -1):
            value = -1
            count = 0
            for j in range(s):
                if columns >> j & 1 and best[columns ^ (1 << j)] >= 0:
                    candidate = best[columns ^ (1 << j)] + table[i, j]
                    if candidate > value:
                        value = candidate
                        count = ways[columns ^ (1 << j)]
                    elif candidate == value:
                        count += ways[columns ^ (1 << j)]
            best[columns] = value
            ways[columns] = count
            if value > weight:
                return 0
    total = 0
    for columns in range(1 << s):
        if best[columns] == weight:
            total += ways[columns]
    return total


@njit(nogil=True, cache=True, inline="always")
def _shuffle_first(state: np.ndarray, order: np.ndarray, places: int) -> None:
    """Give the first places what they have in a random permutation."""
    for i in range(places):
        k = i + below(state, len(order) - i)
        order[i], order[k] = order[k], order[i]


@njit(nogil=True, cache=True)
def propose_matched(
    state: np.ndarray,
    points_matched: int,
    points_unmatched: int,
    keep_empty: bool,
    limit: int,
    tables: np.ndarray,
) -> tuple[int, int]:
    """Uniform tables whose best matching covers ``points_matched`` of all points; r <= s.

    Proposal: a uniform matching of rows to columns, a uniform composition of ``points_matched`` on it and one of
    ``points_unmatched`` off it.  A table whose best matching has this total is proposed once for every best matching
    it has, so it is kept with probability one over their number.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 2), np.int64)
    >>> from confmat.engine.tables import pair_sums_and_matching
    >>> proposals, kept = propose_matched(state, 3, 1, False, 1000, out)
    >>> pair_sums_and_matching(out)[:, 0].tolist()
    [3, 3]
    """
    r, s = tables.shape[1:]
    partner = np.arange(s)  # a permutation
    cells_on = np.zeros((_AT_ONCE, r), np.int64)
    cells_off = np.zeros((_AT_ONCE, r * (s - 1)), np.int64)
    proposals = number_kept = 0
    while number_kept < len(tables) and proposals < limit:
        lane = proposals % _AT_ONCE
        if lane == 0:
            compositions(state, points_matched, cells_on)
            if s > 1:
                compositions(state, points_unmatched, cells_off)
        proposals += 1
        _shuffle_first(state, partner, min(r, s - 1))
        table = tables[number_kept]
        cell = 0
        for i in range(r):
            for j in range(s):
                if partner[i] == j:
                    table[i, j] = cells_on[lane, i]
                else:
                    table[i, j] = cells_off[lane, cell]
                    cell += 1
        if keep_empty or full(table):
            ways = matchings_of_weight(table, points_matched)
            if ways == 1 or (ways > 1 and below(state, ways) == 0):
                number_kept += 1
    return proposals, number_kept


@njit(nogil=True, cache=True)
def propose_whole(
    state: np.ndarray, total: int, points_matched: int, keep_empty: bool, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """Uniform tables with this total, kept when their best matching covers ``points_matched`` points; r <= s.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 2), np.int64)
    >>> from confmat.engine.tables import pair_sums_and_matching
    >>> proposals, kept = propose_whole(state, 4, 3, False, 1000, out)
    >>> pair_sums_and_matching(out)[:, 0].tolist()
    [3, 3]
    """
    r, s = tables.shape[1:]
    steps, starts = matching_steps(r, s)
    best = np.zeros(1 << s, np.int64)
    proposals = number_kept = 0
    while number_kept < len(tables) and proposals < limit:
        compositions(state, total, tables[number_kept].reshape(1, -1))
        proposals += 1
        if (keep_empty or full(tables[number_kept])) and matched(
            tables[number_kept], steps, starts, best
        ) == points_matched:
            number_kept += 1
    return proposals, number_kept


@njit(nogil=True, cache=True)
def diagonal(state: np.ndarray, total: int, limit: int, tables: np.ndarray) -> tuple[int, int]:
    """Uniform s x s tables that are a matching alone: positive cells, one in each row and column.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 3, 3), np.int64)
    >>> diagonal(state, 7, 10, out), (out > 0).sum(axis=1).tolist()
    ((2, 2), [[1, 1, 1], [1, 1, 1]])
    """
    size, s, _ = tables.shape
    cells = np.zeros((1, s), np.int64)
    partner = np.arange(s)
    for table in tables:
        table[:] = 0
        compositions(state, total - s, cells)
        _shuffle_first(state, partner, s)
        for i in range(s):
            table[i, partner[i]] = cells[0, i] + 1
    return size, size
