"""Edge cases: tables that are rarely drawn, at which functions that were tested on small tables often fail.

>>> [table.tolist() for table in corner_tables()][0]
[[4, 1], [1, 1]]
"""

import numpy as np

LARGEST_TOTAL = 3 * 10**9
"""Largest total of edge cases: more than 2^31, and its square fits into 64 bits."""

MANY_CLUSTERS = (9, 10, 13, 17, 24, 33, 40)
"""Numbers of clusters beyond those that are drawn.  An index that drops clusters beyond k fails at each larger one."""

_EVERY_TOTAL = range(7, 65)
_BLOCKS = ((2, 2), (2, 3), (3, 3), (2, 2, 2))
# Limits of 8, 15 and 16 bits, of products in 32 bits, of float32, of drawn totals by default, and of 32 bits.
_CORNER_TOTALS = (2**8, 2**15, 46341, 2**16, 2**24, 10**6 - 1, 2**31, LARGEST_TOTAL - 1)


def corner_tables() -> list[np.ndarray]:
    """Return the edge cases in order of size.

    They are tables with every total from 7 to 64, with many clusters, or with large totals. In others the positive
    cells form squares of 2 x 2 or 3 x 3 cells along the diagonal.

    >>> found = corner_tables()
    >>> len(found), found[0].tolist(), max(map(len, found)), int(found[-1].sum())
    (170, [[4, 1], [1, 1]], 40, 3000000000)
    """
    tables = [_of_total(n) for n in _EVERY_TOTAL]
    for k in MANY_CLUSTERS:
        sizes = 1 + np.arange(k) % 2
        chain_table = np.eye(k, dtype=np.int64) + np.eye(k, k=1, dtype=np.int64)
        hook = np.zeros((k, k), np.int64)
        hook[0], hook[:, 0] = 1, 1
        tables += [
            np.diag(sizes),
            chain_table,
            hook,
            sizes[None, :],
            sizes[:, None],
        ]
    for k in (3, 4, 5, *(k - 1 for k in MANY_CLUSTERS)):
        tables += [
            _with_a_split(k),
            _with_a_split(k).T.copy(),
        ]
    for blocks in _BLOCKS:
        tables += [
            _block_diagonal(blocks, of_ones=True),
            _block_diagonal(blocks, of_ones=False),
        ]
    for total in _CORNER_TOTALS:
        for n in (total, total + 1):
            near_one_cluster = np.array([[n - 2, 1], [1, 0]])
            tables += [
                near_one_cluster,
                np.array([[n - 1, 0], [0, 1]]),
                _of_total(n),
            ]
    tables.append(np.array([[2**24 + 1, 1], [1, 2]]))  # float32 represents integers up to 2^24
    return sorted(tables, key=lambda table: int(table.sum()))


def _with_a_split(k: int) -> np.ndarray:
    """Return the matrix of two clusterings that agree on k clusters, except that the rows split the last one in two.

    >>> _with_a_split(2).tolist()
    [[2, 0], [0, 2], [0, 1]]
    """
    last_row = np.zeros((1, k), np.int64)
    last_row[0, -1] = 1
    return np.vstack([2 * np.eye(k, dtype=np.int64), last_row])


def _of_total(n: int) -> np.ndarray:
    """Return a 2 x 2 table of n objects with unequal cells.

    >>> _of_total(17).tolist()
    [[8, 4], [1, 4]]
    """
    quarter = n // 4
    return np.array([[n - 2 * quarter - 1, quarter], [1, quarter]])


def _block_diagonal(sides: tuple[int, ...], of_ones: bool) -> np.ndarray:
    """Return a matrix whose positive cells form squares along the diagonal. ``sides`` has their numbers of rows.

    The positive cells are 1 if ``of_ones``, otherwise 1, 2, 3, ... row by row.

    >>> _block_diagonal((2, 1), of_ones=False).tolist()
    [[1, 2, 0], [3, 4, 0], [0, 0, 5]]
    """
    block_of_line = np.repeat(range(len(sides)), sides)
    table = np.equal.outer(block_of_line, block_of_line).astype(np.int64)
    if not of_ones:
        table[table > 0] = range(1, table.sum() + 1)
    return table
