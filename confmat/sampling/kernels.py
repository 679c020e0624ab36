"""Compiled proposals: uniform compositions by stars and bars, and what is kept of them.

Every kernel fills ``out`` (size x r x s, int64) from the generator state ``state`` and returns the number of
proposals that it took.  ``limit`` bounds the proposals: fewer than len(out) matrices may come back (the second
number returned), never biased ones.
"""

import numpy as np
from numba import uint64

from confmat.compiled import njit
from confmat.engine.matchings import matched, matching_steps
from confmat.sampling.random_bits import below, next_word

# A draw takes some 80 ns, so what it calls is inlined: a third of the time of calls.
# Up to this many positions, bars are marked in a bitset; beyond, they are kept sorted.
_BITSET = 4096
_16_BITS = uint64(2**16 - 1)


@njit(nogil=True, cache=True)
def _trailing_zeros(bit: np.uint64) -> np.int64:
    """Position of the only bit set: the number of bits below it."""
    v = bit - uint64(1)
    v = v - ((v >> uint64(1)) & uint64(0x5555555555555555))
    v = (v & uint64(0x3333333333333333)) + ((v >> uint64(2)) & uint64(0x3333333333333333))
    v = (v + (v >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((v * uint64(0x0101010101010101)) >> uint64(56))


@njit(nogil=True, cache=True)
def scratch() -> np.ndarray:
    """Room for the bars of ``composition``: all zero between calls.

    >>> bool(scratch().any())
    False
    """
    return np.zeros((_BITSET >> 6) + 1, np.uint64)


@njit(nogil=True, cache=True, inline="always")
def composition(state: np.ndarray, total: int, out: np.ndarray, marks: np.ndarray) -> None:
    """Fill ``out`` with a uniform composition of ``total``: gaps between bars among total + parts - 1 places.

    ``marks``: from ``scratch``.

    >>> state, cells = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros(3, np.int64)
    >>> composition(state, 5, cells, scratch())
    >>> int(cells.sum())
    5
    """
    places = total + len(out) - 1
    if len(out) == 1:
        out[0] = total  # without bars, even if there is no place
    elif places <= _BITSET:
        _gaps_from_bits(state, places, out, marks)
    else:
        _gaps_from_sorted(state, places, out)


@njit(nogil=True, cache=True)
def _mark_few(state: np.ndarray, places: int, bars: int, marks: np.ndarray) -> None:
    """Mark so many of at most 128 places: in two registers, which takes half the time of marks in memory.

    Four places come from a word (multiply and shift with rejection, as in ``below``, by 16 bits); one that is marked
    already is passed over, so that the set of bars is uniform.
    """
    bound, uneven = uint64(places), uint64(2**16 % places)
    low = high = uint64(0)
    found = 0
    while found < bars:
        word = next_word(state)
        for _ in range(4):
            product = (word & _16_BITS) * bound
            word >>= uint64(16)
            place = product >> uint64(16)
            bit = uint64(1) << (place & uint64(63))
            above = bit * (place >> uint64(6))
            below = bit ^ above
            if (low & below) | (high & above) == 0 and (product & _16_BITS) >= uneven and found < bars:
                low |= below
                high |= above
                found += 1
    marks[0], marks[1] = low, high


@njit(nogil=True, cache=True)
def _mark(state: np.ndarray, places: int, bars: int, marks: np.ndarray) -> None:
    """The same of at most ``_BITSET`` places."""
    bound, uneven = uint64(places), uint64(2**16 % places)
    found = 0
    while found < bars:
        word = next_word(state)
        for _ in range(4):
            product = (word & _16_BITS) * bound
            word >>= uint64(16)
            place = np.int64(product >> uint64(16))
            bit = uint64(1) << uint64(place & 63)
            if marks[place >> 6] & bit == 0 and (product & _16_BITS) >= uneven and found < bars:
                marks[place >> 6] |= bit
                found += 1


@njit(nogil=True, cache=True, inline="always")
def _gaps_from_bits(state: np.ndarray, places: int, out: np.ndarray, marks: np.ndarray) -> None:
    if places <= 128:
        _mark_few(state, places, len(out) - 1, marks)
    else:
        _mark(state, places, len(out) - 1, marks)
    k, last = 0, np.int64(-1)
    for w in range((places >> 6) + 1):
        word = marks[w]
        marks[w] = uint64(0)
        while word:
            place = (w << 6) + _trailing_zeros(word & (~word + uint64(1)))
            out[k] = place - last - 1
            last = place
            k += 1
            word &= word - uint64(1)
    out[k] = places - last - 1


@njit(nogil=True, cache=True)
def _gaps_from_sorted(state: np.ndarray, places: int, out: np.ndarray) -> None:
    parts = len(out)
    for k in range(parts - 1):  # out holds the sorted bars until they become gaps
        while True:
            place = below(state, places)
            i = k
            while i > 0 and out[i - 1] > place:
                i -= 1
            if i == 0 or out[i - 1] != place:
                break
        for j in range(k, i, -1):
            out[j] = out[j - 1]
        out[i] = place
    last = np.int64(-1)
    for k in range(parts - 1):
        place = out[k]
        out[k] = place - last - 1
        last = place
    out[parts - 1] = places - last - 1


@njit(nogil=True, cache=True)
def has_points(table: np.ndarray, wanted: tuple[bool, bool]) -> bool:
    """Whether no row (where the first is wanted) and no column (where the second is) is empty.

    >>> has_points(np.array([[1, 0], [1, 0]]), (True, False)), has_points(np.array([[1, 0], [1, 0]]), (True, True))
    (True, False)
    """
    if wanted[0] and wanted[1]:
        return full(table)
    if wanted[1]:
        return _no_empty_column(table)
    return not wanted[0] or _no_empty_column(table.T)


@njit(nogil=True, cache=True, inline="always")
def full(table: np.ndarray) -> bool:
    """Whether no row and no column is empty.

    >>> full(np.array([[1, 0], [0, 1]])), full(np.array([[1, 0], [1, 0]]))
    (True, False)
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


@njit(nogil=True, cache=True)
def _has_columns(table: np.ndarray, cols: np.ndarray) -> bool:
    """Whether the column sums are ``cols``."""
    for j in range(len(cols)):
        points = 0
        for i in range(len(table)):
            points += table[i, j]
        if points != cols[j]:
            return False
    return True


@njit(nogil=True, cache=True)
def _no_empty_column(table: np.ndarray) -> bool:
    for column in table.T:
        points = 0
        for x in column:
            points += x
        if points == 0:
            return False
    return True


@njit(nogil=True, cache=True)
def reject_tables(
    state: np.ndarray, total: int, keep_empty: bool, limit: int, out: np.ndarray
) -> tuple[int, int]:
    """Uniform tables with this total (Chacon 2019, Appendix C): compositions of n into r s parts, kept when full.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((3, 2, 2), np.int64)
    >>> reject_tables(state, 4, True, 10, out), out.sum(axis=(1, 2)).tolist()
    ((3, 3), [4, 4, 4])
    """
    marks = scratch()
    proposals = kept = 0
    while kept < len(out) and proposals < limit:
        composition(state, total, out[kept].reshape(-1), marks)
        proposals += 1
        if keep_empty or full(out[kept]):
            kept += 1
    return proposals, kept


@njit(nogil=True, cache=True)
def reject_rows(
    state: np.ndarray, rows: np.ndarray, cols: np.ndarray, keep_empty: bool, limit: int, out: np.ndarray
) -> tuple[int, int]:
    """Uniform tables with these row sums, kept when the column sums are ``cols``; if it is empty, any.

    ``keep_empty`` False: without empty columns.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 2), np.int64)
    >>> proposals, kept = reject_rows(state, np.array([2, 1]), np.array([1, 2]), True, 1000, out)
    >>> out.sum(axis=2).tolist(), out.sum(axis=1).tolist()
    ([[2, 1], [2, 1]], [[1, 2], [1, 2]])
    """
    marks = scratch()
    proposals = kept = 0
    while kept < len(out) and proposals < limit:
        for i in range(len(rows)):
            composition(state, rows[i], out[kept, i], marks)
        proposals += 1
        if (len(cols) == 0 or _has_columns(out[kept], cols)) and (keep_empty or _no_empty_column(out[kept])):
            kept += 1
    return proposals, kept


@njit(nogil=True, cache=True)
def matchings_of_weight(table: np.ndarray, wanted: int) -> int:
    """Number of ways to match every row to a column of its own with total ``wanted``; 0 if some total is larger.

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
            value, count = -1, 0
            for j in range(s):
                if columns >> j & 1 and best[columns ^ (1 << j)] >= 0:
                    candidate = best[columns ^ (1 << j)] + table[i, j]
                    if candidate > value:
                        value, count = candidate, ways[columns ^ (1 << j)]
                    elif candidate == value:
                        count += ways[columns ^ (1 << j)]
            best[columns] = value
            ways[columns] = count
            if value > wanted:
                return 0
    total = 0
    for columns in range(1 << s):
        if best[columns] == wanted:
            total += ways[columns]
    return total


@njit(nogil=True, cache=True)
def propose_matched(
    state: np.ndarray, matched: int, unmatched: int, keep_empty: bool, limit: int, out: np.ndarray
) -> tuple[int, int]:
    """Uniform tables whose best matching covers ``matched`` of matched + unmatched points; r <= s.

    Proposal: a uniform matching of rows to columns, a uniform composition of ``matched`` on it and one of
    ``unmatched`` off it.  A table whose best matching has this total is proposed once for every best matching
    it has, so it is kept with probability one over their number.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 2), np.int64)
    >>> from confmat.engine.matchings import pair_sums_and_matching
    >>> proposals, kept = propose_matched(state, 3, 1, False, 1000, out)
    >>> pair_sums_and_matching(out)[:, 0].tolist()
    [3, 3]
    """
    r, s = out.shape[1:]
    partner = np.arange(s)  # a permutation
    on = np.zeros(r, np.int64)
    off = np.zeros(r * (s - 1), np.int64)
    marks = scratch()
    proposals = kept = 0
    while kept < len(out) and proposals < limit:
        proposals += 1
        for i in range(min(r, s - 1)):  # the first r places of a random permutation
            k = i + below(state, s - i)
            partner[i], partner[k] = partner[k], partner[i]
        composition(state, matched, on, marks)
        if len(off):
            composition(state, unmatched, off, marks)
        table = out[kept]
        cell = 0
        for i in range(r):
            for j in range(s):
                if partner[i] == j:
                    table[i, j] = on[i]
                else:
                    table[i, j] = off[cell]
                    cell += 1
        if keep_empty or full(table):
            ways = matchings_of_weight(table, matched)
            if ways == 1 or (ways > 1 and below(state, ways) == 0):
                kept += 1
    return proposals, kept


@njit(nogil=True, cache=True)
def propose_whole(
    state: np.ndarray, total: int, wanted: int, keep_empty: bool, limit: int, out: np.ndarray
) -> tuple[int, int]:
    """Uniform tables with this total, kept when their best matching covers ``wanted`` points; r <= s.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 2, 2), np.int64)
    >>> from confmat.engine.matchings import pair_sums_and_matching
    >>> proposals, kept = propose_whole(state, 4, 3, False, 1000, out)
    >>> pair_sums_and_matching(out)[:, 0].tolist()
    [3, 3]
    """
    r, s = out.shape[1:]
    steps, starts = matching_steps(r, s)
    best = np.zeros(1 << s, np.int64)
    marks = scratch()
    proposals = kept = 0
    while kept < len(out) and proposals < limit:
        composition(state, total, out[kept].reshape(-1), marks)
        proposals += 1
        if (keep_empty or full(out[kept])) and matched(out[kept], steps, starts, best) == wanted:
            kept += 1
    return proposals, kept


@njit(nogil=True, cache=True)
def diagonal(state: np.ndarray, total: int, limit: int, out: np.ndarray) -> tuple[int, int]:
    """Uniform s x s tables that are a matching alone: positive cells, one in each row and column.

    >>> state, out = np.random.SeedSequence(1).generate_state(4, np.uint64), np.zeros((2, 3, 3), np.int64)
    >>> diagonal(state, 7, 10, out), (out > 0).sum(axis=1).tolist()
    ((2, 2), [[1, 1, 1], [1, 1, 1]])
    """
    size, s, _ = out.shape
    cells = np.zeros(s, np.int64)
    partner = np.arange(s)
    marks = scratch()
    for table in out:
        table[:] = 0
        composition(state, total - s, cells, marks)
        for i in range(s):
            k = i + below(state, s - i)
            partner[i], partner[k] = partner[k], partner[i]
            table[i, partner[i]] = cells[i] + 1
    return size, size
