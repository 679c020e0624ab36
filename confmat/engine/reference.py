"""The slow, obvious way: one table after another.

Every table of a margin class, in lexicographically decreasing order.  The fast kernels are tested against this module,
and the engine uses it wherever a table itself is wanted: witnesses, statistics of the user's own.
"""

from collections.abc import Iterator

import numpy as np

from confmat.compiled import njit


@njit(nogil=True, cache=True)
def _fill_largest(table, row, column, room):
    """Fill the cells after (row, column) with the lexicographically largest completion.

    ``room[j]`` is what column j still takes from ``row`` downwards; the row sums are those of ``table``.
    """
    r, s = table.shape
    for i in range(row, r):
        start = column + 1 if i == row else 0
        rest = 0
        for j in range(start, s):
            rest += table[i, j]
        for j in range(start, s):
            taken = min(rest, room[j])
            table[i, j] = taken
            rest -= taken
            room[j] -= taken


@njit(nogil=True, cache=True)
def next_table(table):
    """Replace ``table`` by the next smaller one with the same margins; False if it was the smallest.

    A cell can give up a unit exactly when something stands below it and to its right: that unit moves there
    along a rectangle, and nothing before the cell changes.
    """
    r, s = table.shape
    for i in range(r - 2, -1, -1):
        below = np.zeros(s, np.int64)
        for k in range(i + 1, r):
            for j in range(s):
                below[j] += table[k, j]
        to_the_right = 0
        for j in range(s - 2, -1, -1):
            to_the_right += below[j + 1]
            if table[i, j] > 0 and to_the_right > 0:
                room = below.copy()
                for q in range(j + 1, s):
                    room[q] += table[i, q]
                room[j] += 1
                table[i, j] -= 1
                table[i, s - 1] += 1
                _fill_largest(table, i, j, room)
                return True
    return False


def largest_table(rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    """The lexicographically largest table with these margins (the north-west corner rule).

    >>> largest_table(np.array([3, 2]), np.array([2, 2, 1])).tolist()
    [[2, 1, 0], [0, 1, 1]]
    """
    down, right = np.cumsum(rows)[:, None], np.cumsum(cols)
    # Rows and columns laid out one after the other: a cell has what its row and its column share.
    return np.maximum(0, np.minimum(down, right) - np.maximum(down - rows[:, None], right - cols))


@njit(nogil=True, cache=True)
def _fill_batch(table, batch):
    """Copy successive tables into ``batch``, starting with ``table``, which moves on; number copied, more?"""
    for i in range(len(batch)):
        for j in range(table.shape[0]):
            for k in range(table.shape[1]):
                batch[i, j, k] = table[j, k]
        if not next_table(table):
            return i + 1, False
    return len(batch), True


def tables_of_margins(
    rows: tuple[int, ...], cols: tuple[int, ...], batch_size: int = 4096
) -> Iterator[np.ndarray]:
    """Yield every table with these margins in batches: int64 arrays of shape (<= batch_size, r, s).

    Lexicographically decreasing order.  Margins of equal total, entries >= 0; time O(r s) a table.

    >>> [table.tolist() for batch in tables_of_margins((2, 1), (2, 1)) for table in batch]
    [[[2, 0], [0, 1]], [[1, 1], [1, 0]]]
    """
    table = largest_table(np.array(rows, np.int64), np.array(cols, np.int64))
    more = True
    while more:
        batch = np.empty((batch_size, *table.shape), np.int64)
        size, more = _fill_batch(table, batch)
        yield batch[:size]
