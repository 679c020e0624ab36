"""Compiled rejection samplers: proposals are uniform compositions by stars and bars.

Every sampler fills an array of tables (size x r x s, int64) from a generator state. It returns its numbers of
proposals and of accepted tables. ``limit`` is the largest number of proposals. If fewer tables than requested are
accepted, they are still unbiased.
"""

import numpy as np

from confmat._numba import njit
from confmat.sampling.lanes import bound_lines
from confmat.sampling.random_bits import below, next_word, ones

# A draw takes about 80 ns.  Inlined functions take a third of the time of calls.
# Up to this number of positions, bars are marked in a bitset.  Beyond, they are inserted into a sorted array.
_BITSET = 4096

# Number of compositions that are drawn together.
_AT_ONCE = 64
_16_BITS = np.uint64(2**16 - 1)


@njit(inline="always")
def propose_compositions(state: np.ndarray, total: int, rows: np.ndarray) -> None:
    """Fill each row of ``rows`` with a uniform composition of ``total``: the gaps between random bars.

    >>> state, cells = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 3), np.int64)
    >>> propose_compositions(state, 5, cells)
    >>> cells.sum(axis=1).tolist()
    [5, 5]
    """
    places = total + rows.shape[1] - 1
    if rows.shape[1] == 1:
        rows[:] = total  # one part has no bars
    elif places <= _BITSET:
        _gaps_from_bits(state, places, rows)
    else:
        _gaps_from_sorted(state, places, rows)


@njit(inline="always")
def _mark(state: np.ndarray, places: int, bars: int, marks: np.ndarray) -> None:
    """Set random bits of ``marks``, ``bars`` of the first ``places`` bits, uniformly among all subsets.

    A random word gives four positions (multiplication and shift with rejection, as in ``below``, with 16 bits). A
    position that is rejected, or set already, is drawn again.
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


@njit(inline="always")
def _gaps(word: np.uint64, places_before: int, last_place: int, k: int, gaps: np.ndarray) -> tuple[int, int]:
    """Write the gaps before the bars (stars and bars) in a 64-bit word to ``gaps[k]``, ``gaps[k + 1]``, ...

    Bars are the set bits of ``word``, and ``places_before`` positions precede the word. ``last_place`` is the
    position of the bar before, counted from 1. Return the position of the last bar and the next k.
    """
    while word:
        place = places_before + ones(word ^ (word - np.uint64(1)))
        gaps[k] = place - last_place - 1
        last_place = place
        k += 1
        word &= word - np.uint64(1)
    return last_place, k


@njit(inline="always")
def _gaps_from_bits(state: np.ndarray, places: int, rows: np.ndarray) -> None:
    """Fill ``rows`` with uniform compositions by stars and bars with ``places`` positions. Bars are marked as bits."""
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


@njit
def _gaps_from_sorted(state: np.ndarray, places: int, rows: np.ndarray) -> None:
    """Fill ``rows`` with uniform compositions by stars and bars with ``places`` positions.

    Bars are inserted into a sorted array.
    """
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


@njit(inline="always")
def full(table: np.ndarray) -> bool:
    """Return True if no row and no column is empty.

    >>> full(np.array([[1, 0], [1, 0]])), full(np.array([[1, 0], [0, 1]]))
    (False, True)
    """
    r, s = table.shape
    for i in range(r):
        points = 0
        for j in range(s):
            points |= table[i, j]
        if points == 0:
            return False
    for j in range(s):
        points = 0
        for i in range(r):
            points |= table[i, j]
        if points == 0:
            return False
    return True


@njit
def reject(
    state: np.ndarray, totals: np.ndarray, lines: np.ndarray, limit: int, tables: np.ndarray
) -> tuple[int, int]:
    """Fill ``tables`` with uniform members by rejection (Chacon 2019, Appendix C).

    A proposal is a uniform composition of each row sum (several ``totals``), or of the total into all cells (one
    total). It is accepted if all row and column sums are within their bounds. ``lines`` has the smallest and the
    largest sums, an array 2 x (rows, then columns).

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
                propose_compositions(state, totals[g], groups[g].T)
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


# Largest number of rows or columns for best matchings by sets of columns in compiled loops, O(r 2^s) per table.
MOST_LINES = 12


@njit
def matching_steps(r: int, s: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the steps of the dynamic programming that extends matchings row by row, and the first step of each row.

    A step of row i is a pair (set of i + 1 columns, one column of the set). It extends a matching of i rows to the
    other columns of the set by row i and this column.

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


@njit
def matched(table: np.ndarray, steps: np.ndarray, starts: np.ndarray, best: np.ndarray) -> int:
    """Return the weight of the best matching of rows to columns. Requires r <= s.

    ``steps`` and ``starts`` are from ``matching_steps``. ``best`` is working memory of 2^s entries.

    >>> print(matched(np.array([[2, 1], [0, 1]]), *matching_steps(2, 2), np.zeros(4, np.int64)))
    3
    """
    r = len(table)
    best[1:] = 0
    for i in range(r):
        for step in range(starts[i], starts[i + 1]):
            columns, j = steps[step]
            with_j = best[columns ^ (1 << j)] + table[i, j]
            best[columns] = max(best[columns], with_j)
    total = 0
    for step in range(starts[r - 1], starts[r]):
        total = max(total, best[steps[step, 0]])
    return total


@njit
def matchings_of_weight(
    table: np.ndarray,
    weight: int,
    steps: np.ndarray,
    starts: np.ndarray,
    best: np.ndarray,
    ways: np.ndarray,
) -> int:
    """Return the number of best matchings if their weight is ``weight``, otherwise 0.

    Arguments are those of ``matched``. ``ways`` is working memory of 2^s entries.

    >>> room = np.zeros(8, np.int64), np.zeros(8, np.int64)
    >>> print(matchings_of_weight(np.ones((3, 3), np.int64), 3, *matching_steps(3, 3), *room))
    6
    """
    r = len(table)
    if matched(table, steps, starts, best) != weight:
        return 0
    ways[0] = 1
    ways[1:] = 0
    for i in range(r):
        for step in range(starts[i], starts[i + 1]):
            columns, j = steps[step]
            fewer = columns ^ (1 << j)
            if best[columns] == best[fewer] + table[i, j]:
                ways[columns] += ways[fewer]
    number = 0
    for step in range(starts[r - 1], starts[r]):
        columns, j = steps[step]
        if best[columns] == weight and columns >> j == 1:  # each set once, at its last column
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
    steps, starts = matching_steps(r, s)
    best = np.zeros(1 << s, np.int64)
    ways = np.zeros(1 << s, np.int64)
    cells_on = np.zeros((_AT_ONCE, r), np.int64)
    cells_off = np.zeros((_AT_ONCE, r * (s - 1)), np.int64)
    proposals = number_kept = 0
    while number_kept < len(tables) and proposals < limit:
        lane = proposals % _AT_ONCE
        if lane == 0:
            propose_compositions(state, points_matched, cells_on)
            if s > 1:
                propose_compositions(state, points_unmatched, cells_off)
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
            number = matchings_of_weight(table, points_matched, steps, starts, best, ways)
            if number == 1 or (number > 1 and below(state, number) == 0):
                number_kept += 1
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
    r, s = tables.shape[1:]
    steps, starts = matching_steps(r, s)
    best = np.zeros(1 << s, np.int64)
    proposals = number_kept = 0
    while number_kept < len(tables) and proposals < limit:
        propose_compositions(state, total, tables[number_kept].reshape(1, -1))
        proposals += 1
        if (keep_empty or full(tables[number_kept])) and matched(
            tables[number_kept], steps, starts, best
        ) == points_matched:
            number_kept += 1
    return proposals, number_kept


@njit
def diagonal(state: np.ndarray, total: int, limit: int, tables: np.ndarray) -> tuple[int, int]:
    """Fill ``tables`` with uniform s x s tables of ``total`` objects with one positive cell in each row and column.

    Return the numbers of proposals and of accepted tables.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 3, 3), np.int64)
    >>> diagonal(state, 7, 10, out), (out > 0).sum(axis=1).tolist()
    ((2, 2), [[1, 1, 1], [1, 1, 1]])
    """
    size, s, _ = tables.shape
    cells = np.zeros((1, s), np.int64)
    partner = np.arange(s)
    for table in tables:
        table[:] = 0
        propose_compositions(state, total - s, cells)
        _shuffle_first(state, partner, s)
        for i in range(s):
            table[i, partner[i]] = cells[0, i] + 1
    return size, size
