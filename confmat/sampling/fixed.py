"""Exact draws of a table with fixed margins: row by row, each row with the number of its completions as weight."""

import numpy as np

from confmat._integers.compositions import compositions_count
from confmat._numba import copy, njit
from confmat.classes import FixedMargins
from confmat.classes.fibers import MAX_STATES, column_sum_counts, states, suffix_counts
from confmat.sampling.methods import DrawnTables, Sampler
from confmat.sampling.random_bits import below, state_of

# Two rows with known column sums take this many additions a draw, and as many numbers of scratch: a few milliseconds.
MOST_ADDITIONS = 10**6


def countable(margins: FixedMargins) -> bool:
    """Whether ``counting_sampler`` reaches these margins: arrays that fit, and 64-bit counts.

    >>> countable(FixedMargins([5, 5, 5], [5, 5, 5])), countable(FixedMargins([2] * 30, [2] * 30))
    (True, False)
    >>> countable(FixedMargins([400_000, 400_000, 1, 1], [400_001, 400_001]))  # too long a list for the two large rows
    False
    """
    r, s = margins.shape
    if min(r, s) < 2:
        return False
    columns = tuple(sorted(margins.cols))
    if r > 2 and states(columns) > MAX_STATES:
        return False
    row_order, _ = _orders_of_lines(margins)
    of_two_rows = margins.rows[row_order[0 if r > 3 else -2]]
    if (s + 1) * (of_two_rows + 1) > MOST_ADDITIONS:
        return False
    choices = compositions_count(max(margins.rows), s)
    if choices >= 2**62 or margins.count() >= 2**62:
        return False
    counts, _ = _completions_of_rows(margins)
    return counts.dtype == np.int64


def counting_sampler(margins: FixedMargins, reason: str) -> Sampler:
    """Rows one after another, from the numbers of completions in 64-bit integers.

    Exact: a row is chosen by a uniform integer below the number of tables.  The column sums of the first two rows
    (of three rows: the first) are looked up in a list that all draws share, two rows with known column sums are
    filled cell by cell; time per draw is the number of choices for the rows between the first and the last two.

    >>> tables = counting_sampler(FixedMargins([2, 1], [1, 2]), "asked for").draw(np.random.SeedSequence(1), 4).tables
    >>> tables.sum(axis=1).tolist()
    [[1, 2], [1, 2], [1, 2], [1, 2]]
    """
    row_order, col_order = _orders_of_lines(margins)
    rows = np.array(margins.rows)[row_order]
    cols = np.array(margins.cols)[col_order]
    counts, offsets = _completions_of_rows(margins)
    ahead = _ahead(len(rows))
    first_rows = (np.zeros(0, np.int64),) * 2
    if ahead:
        ways = column_sum_counts(
            tuple(rows[:ahead].tolist()),
            tuple(cols.tolist()),
        )
        first_rows = _list_first(
            rows[:ahead].sum(),
            cols,
            ways.ravel(),
            counts[offsets[-2] :],
        )

    def draw(seeds: np.random.SeedSequence, size: int) -> DrawnTables:
        tables = np.empty((size, *margins.shape), np.int64)
        _draw_tables(
            state_of(seeds), rows, cols, ahead, *first_rows, counts, offsets, row_order, col_order, tables
        )
        return DrawnTables(tables, size)

    return Sampler("counting", reason, draw)


def _ahead(r: int) -> int:
    """So many rows come first, all at once: their column sums are listed."""
    return min(2, r - 2)


def _orders_of_lines(margins: FixedMargins) -> tuple[np.ndarray, np.ndarray]:
    """The rows ahead are the largest, then from the smallest: the choices of those between are walked through.

    Columns increase: the last has no axis.
    """
    by_size = np.argsort(margins.rows, kind="stable")
    return np.roll(by_size, _ahead(len(by_size))), np.argsort(margins.cols, kind="stable")


def _completions_of_rows(margins: FixedMargins) -> tuple[np.ndarray, np.ndarray]:
    """Completions of the last k rows, from 2 up to all but those ahead, flat, and where each array starts."""
    ahead = _ahead(len(margins.rows))
    if not ahead:
        return np.zeros(0, np.int64), np.zeros(1, np.int64)
    row_order, col_order = _orders_of_lines(margins)
    rows, cols = (
        tuple(margin[k] for k in order.tolist())
        for margin, order in ((margins.rows, row_order), (margins.cols, col_order))
    )
    arrays = suffix_counts(rows[ahead - 1 :], cols)[2:]
    offsets = np.cumsum([0] + [array.size for array in arrays])
    return np.concatenate([array.ravel() for array in arrays]), offsets


@njit
def _smallest_row(total: int, room: np.ndarray, row: np.ndarray) -> None:
    """Fill ``row`` with the lexicographically first composition of ``total`` with row <= room."""
    for j in range(len(row) - 1, -1, -1):
        row[j] = min(total, room[j])
        total -= row[j]


@njit
def _next_row(room: np.ndarray, row: np.ndarray) -> bool:
    """Move ``row`` to the next composition with row <= room; False if it was the last."""
    rest = row[-1]
    for j in range(len(row) - 2, -1, -1):
        if rest > 0 and row[j] < room[j]:
            row[j] += 1
            _smallest_row(
                rest - 1,
                room[j + 1 :],
                row[j + 1 :],
            )
            return True
        rest += row[j]
    return False


@njit
def _strides_of(cols: np.ndarray) -> np.ndarray:
    """Steps in a flat array over column sums 0..c_j; none for the last column."""
    strides = np.zeros(len(cols), np.int64)
    step = 1
    for j in range(len(cols) - 2, -1, -1):
        strides[j] = step
        step *= cols[j] + 1
    return strides


@njit
def _position(room: np.ndarray, row: np.ndarray, strides: np.ndarray) -> np.int64:
    """Flat position of the column sums that a row leaves: a loop, as temporary arrays take ten times as long."""
    place = np.int64(0)
    for j in range(len(room)):
        place += (room[j] - row[j]) * strides[j]
    return place


@njit
def _list_first(
    total: int, cols: np.ndarray, ways: np.ndarray, completions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Flat positions of the column sums that the rows ahead, of sum ``total``, can have, and running numbers of tables.

    ``ways``: of the rows ahead, by their column sums; ``completions``: of the others, by the column sums that are left.
    """
    strides = _strides_of(cols)
    sums = np.zeros(len(cols), np.int64)
    zeros = np.zeros(len(cols), np.int64)
    _smallest_row(total, cols, sums)
    size = 1
    while _next_row(cols, sums):
        size += 1
    positions = np.empty(size, np.int64)
    cumulative = np.empty(size, np.int64)
    _smallest_row(total, cols, sums)
    running = 0
    for k in range(size):
        positions[k] = _position(sums, zeros, strides)
        running += ways[positions[k]] * completions[_position(cols, sums, strides)]
        cumulative[k] = running
        _next_row(cols, sums)
    return positions, cumulative


@njit
def _two_rows(state: np.ndarray, total: int, sums: np.ndarray, ways: np.ndarray, pair: np.ndarray) -> None:
    """Fill ``pair`` with uniform rows of these column sums, the first of sum ``total``.

    ``ways[j, t]``: number of compositions of t <= ``sums`` into the cells from j on (scratch, s + 1 x more than total).
    """
    s = len(sums)
    ways[s, : total + 1] = 0
    ways[s, 0] = 1
    for j in range(s - 1, -1, -1):
        window = 0
        for t in range(total + 1):
            window += ways[j + 1, t]
            if t > sums[j]:
                window -= ways[j + 1, t - sums[j] - 1]
            ways[j, t] = window
    for j in range(s):
        rank_left = below(state, ways[j, total])
        x = 0
        while rank_left >= ways[j + 1, total - x]:
            rank_left -= ways[j + 1, total - x]
            x += 1
        pair[0, j] = x
        pair[1, j] = sums[j] - x
        total -= x


@njit
def _draw_tables(
    state: np.ndarray,
    rows: np.ndarray,
    cols: np.ndarray,
    ahead: int,
    positions: np.ndarray,
    cumulative: np.ndarray,
    counts: np.ndarray,
    offsets: np.ndarray,
    row_order: np.ndarray,
    col_order: np.ndarray,
    tables: np.ndarray,
) -> None:
    """Fill ``tables`` with uniform tables of these margins, their lines put back to the places in the orders.

    ``counts[offsets[k - 2]:]``: completions of the last k rows by the column sums they get;
    ``positions`` and ``cumulative`` as from ``_list_first``, of the ``ahead`` first rows; empty for two rows.
    """
    # reads: a compiled loop is handed each array and number by itself
    r = len(rows)
    s = len(cols)
    strides = _strides_of(cols)
    ways = np.zeros(
        (
            s + 1,
            max(rows[0], rows[r - 2]) + 1,
        ),
        np.int64,
    )
    room = np.zeros(s, np.int64)
    sums = np.zeros(s, np.int64)
    zeros = np.zeros(s, np.int64)
    table = np.zeros((r, s), np.int64)
    for table_drawn in tables:
        copy(cols, room)
        if ahead:
            rank_left = below(state, cumulative[-1])
            position = positions[np.searchsorted(cumulative, rank_left, side="right")]
            sums[s - 1] = rows[0] + (rows[1] if ahead == 2 else 0)
            for j in range(s - 1):
                sums[j] = position // strides[j]
                position -= sums[j] * strides[j]
                sums[s - 1] -= sums[j]
            room -= sums
            if ahead == 2:
                _two_rows(
                    state,
                    rows[0],
                    sums,
                    ways,
                    table[:2],
                )
            else:
                copy(sums, table[0])
        for i in range(ahead, r - 2):
            row = table[i]
            counts_after = counts[offsets[r - i - 3] :]
            rank_left = below(state, counts[offsets[r - i - 2] + _position(room, zeros, strides)])
            _smallest_row(rows[i], room, row)
            place = _position(room, row, strides)
            rank_left -= counts_after[place]
            while rank_left >= 0:
                if (
                    row[s - 1] > 0 and row[s - 2] < room[s - 2]
                ):  # most often: a point moves one cell to the left
                    row[s - 2] += 1
                    row[s - 1] -= 1
                    place -= 1
                else:
                    _next_row(room, row)
                    place = _position(room, row, strides)
                rank_left -= counts_after[place]
            room -= row
        _two_rows(
            state,
            rows[r - 2],
            room,
            ways,
            table[r - 2 :],
        )
        for i in range(r):
            for j in range(s):
                table_drawn[row_order[i], col_order[j]] = table[i, j]
