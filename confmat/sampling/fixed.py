"""Exact draws of a table with fixed margins: row by row, each row with the number of its completions as weight."""

import numpy as np

from confmat.classes import FixedMargins
from confmat.classes.compositions import compositions_count
from confmat.classes.fibers import MAX_STATES, states, suffix_counts
from confmat.compiled import njit
from confmat.sampling.methods import Block, Method
from confmat.sampling.random_bits import below, state_of

# The last two rows take this many additions a draw, and as many numbers of scratch: a few milliseconds.
MOST_ADDITIONS = 10**6


def countable(margins: FixedMargins) -> bool:
    """Whether ``counted`` reaches these margins: arrays that fit, and 64-bit counts.

    >>> countable(FixedMargins([5, 5, 5], [5, 5, 5])), countable(FixedMargins([2] * 30, [2] * 30))
    (True, False)
    """
    r, s = margins.shape
    if min(r, s) < 2 or (r > 2 and states(tuple(sorted(margins.cols))) > MAX_STATES):
        return False
    row_order, _ = _orders(margins)
    if (s + 1) * (margins.rows[row_order[-2]] + 1) > MOST_ADDITIONS:
        return False
    choices = compositions_count(max(margins.rows), s)
    return choices < 2**62 and margins.count() < 2**62 and _arrays(margins)[0].dtype == np.int64


def counted(margins: FixedMargins, why: str) -> Method:
    """Rows one after another, from the numbers of completions (``suffix_counts``) in 64-bit integers.

    Exact: a row is chosen by a uniform integer below the number of tables.  The first row is looked up in a list
    that all draws share; time per draw is the number of choices for the rows between the first and the last two.

    >>> tables = counted(FixedMargins([2, 1], [1, 2]), "asked for").draw(np.random.SeedSequence(1), 4).tables
    >>> tables.sum(axis=1).tolist()
    [[1, 2], [1, 2], [1, 2], [1, 2]]
    """
    row_order, col_order = _orders(margins)
    rows, cols = np.array(margins.rows)[row_order], np.array(margins.cols)[col_order]
    counts, offsets = _arrays(margins)
    first = (np.zeros(0, np.int64),) * 2
    if len(rows) > 2:
        first = _list_first(rows[0], cols, counts[offsets[-2] :])
    row_back, col_back = np.argsort(row_order), np.argsort(col_order)

    def draw(seeds: np.random.SeedSequence, size: int) -> Block:
        out = np.empty((size, *margins.shape), np.int64)
        _draw_tables(state_of(seeds), rows, cols, *first, counts, offsets, out)
        return Block(out[:, row_back][:, :, col_back], size)

    return Method("counting", why, draw)


def _orders(margins: FixedMargins) -> tuple[np.ndarray, np.ndarray]:
    """Largest row first (its choices are listed once), then from the smallest: the last two have a closed form.

    Columns increase: the last has no axis.
    """
    by_size = np.argsort(margins.rows, kind="stable")
    return np.roll(by_size, 1), np.argsort(margins.cols, kind="stable")


def _arrays(margins: FixedMargins) -> tuple[np.ndarray, np.ndarray]:
    """Completions of the last k rows, k = 2..r - 1, laid out flat one after another, and where each starts."""
    if len(margins.rows) == 2:
        return np.zeros(0, np.int64), np.zeros(1, np.int64)
    row_order, col_order = _orders(margins)
    rows, cols = (
        tuple(margin[k] for k in order.tolist())
        for margin, order in ((margins.rows, row_order), (margins.cols, col_order))
    )
    arrays = suffix_counts(rows, cols)[2:]
    offsets = np.cumsum([0] + [array.size for array in arrays])
    return np.concatenate([array.ravel() for array in arrays]), offsets


@njit(nogil=True, cache=True)
def _smallest_row(total: int, room: np.ndarray, row: np.ndarray) -> None:
    """Fill ``row`` with the lexicographically first composition of ``total`` with row <= room."""
    for j in range(len(row) - 1, -1, -1):
        row[j] = min(total, room[j])
        total -= row[j]


@njit(nogil=True, cache=True)
def _next_row(room: np.ndarray, row: np.ndarray) -> bool:
    """Move ``row`` to the next composition with row <= room; False if it was the last."""
    rest = row[-1]
    for j in range(len(row) - 2, -1, -1):
        if rest > 0 and row[j] < room[j]:
            row[j] += 1
            _smallest_row(rest - 1, room[j + 1 :], row[j + 1 :])
            return True
        rest += row[j]
    return False


@njit(nogil=True, cache=True)
def _strides_of(cols: np.ndarray) -> np.ndarray:
    """Steps in a flat array over column sums 0..c_j; none for the last column."""
    strides = np.zeros(len(cols), np.int64)
    step = 1
    for j in range(len(cols) - 2, -1, -1):
        strides[j] = step
        step *= cols[j] + 1
    return strides


@njit(nogil=True, cache=True)
def _position(room: np.ndarray, row: np.ndarray, strides: np.ndarray) -> np.int64:
    """Flat position of the column sums that a row leaves: a loop, as temporary arrays take ten times as long."""
    at = np.int64(0)
    for j in range(len(room)):
        at += (room[j] - row[j]) * strides[j]
    return at


@njit(nogil=True, cache=True)
def _list_first(total: int, cols: np.ndarray, completions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Flat positions of the column sums that a first row of sum ``total`` can leave, and running completions."""
    strides = _strides_of(cols)
    row = np.zeros(len(cols), np.int64)
    _smallest_row(total, cols, row)
    size = 1
    while _next_row(cols, row):
        size += 1
    positions, cumulative = np.empty(size, np.int64), np.empty(size, np.int64)
    _smallest_row(total, cols, row)
    running = 0
    for k in range(size):
        positions[k] = _position(cols, row, strides)
        running += completions[positions[k]]
        cumulative[k] = running
        _next_row(cols, row)
    return positions, cumulative


@njit(nogil=True, cache=True)
def _bounded_row(state: np.ndarray, total: int, room: np.ndarray, ways: np.ndarray, row: np.ndarray) -> None:
    """Fill ``row`` with a uniform composition of ``total`` with row <= room.

    ``ways[j, t]``: number of such compositions of t into the cells from j on (scratch, s + 1 x more than total).
    """
    s = len(room)
    ways[s, : total + 1] = 0
    ways[s, 0] = 1
    for j in range(s - 1, -1, -1):
        window = 0
        for t in range(total + 1):
            window += ways[j + 1, t]
            if t > room[j]:
                window -= ways[j + 1, t - room[j] - 1]
            ways[j, t] = window
    for j in range(s):
        left = below(state, ways[j, total])
        x = 0
        while left >= ways[j + 1, total - x]:
            left -= ways[j + 1, total - x]
            x += 1
        row[j] = x
        total -= x


@njit(nogil=True, cache=True)
def _draw_tables(
    state: np.ndarray,
    rows: np.ndarray,
    cols: np.ndarray,
    positions: np.ndarray,
    cumulative: np.ndarray,
    counts: np.ndarray,
    offsets: np.ndarray,
    out: np.ndarray,
) -> None:
    """Fill ``out`` with uniform tables of these margins.

    ``counts[offsets[k - 2]:]``: completions of the last k rows by the column sums they get;
    ``positions`` and ``cumulative`` as from ``_list_first``, empty for two rows.
    """
    r, s = len(rows), len(cols)
    strides = _strides_of(cols)
    ways = np.zeros((s + 1, rows[r - 2] + 1), np.int64)
    room, nothing = np.zeros(s, np.int64), np.zeros(s, np.int64)
    for table in out:
        room[:] = cols
        for i in range(r - 2):
            row = table[i]
            if i == 0:
                left = below(state, cumulative[-1])
                position = positions[np.searchsorted(cumulative, left, side="right")]
                row[s - 1] = rows[0]
                for j in range(s - 1):
                    row[j] = room[j] - position // strides[j]
                    position %= strides[j]
                    row[s - 1] -= row[j]
            else:
                after = counts[offsets[r - i - 3] :]
                left = below(state, counts[offsets[r - i - 2] + _position(room, nothing, strides)])
                _smallest_row(rows[i], room, row)
                at = _position(room, row, strides)
                left -= after[at]
                while left >= 0:
                    if (
                        row[s - 1] > 0 and row[s - 2] < room[s - 2]
                    ):  # most often: a point moves one cell to the left
                        row[s - 2] += 1
                        row[s - 1] -= 1
                        at -= 1
                    else:
                        _next_row(room, row)
                        at = _position(room, row, strides)
                    left -= after[at]
            room -= row
        _bounded_row(state, rows[r - 2], room, ways, table[r - 2])
        table[r - 1] = room - table[r - 2]
