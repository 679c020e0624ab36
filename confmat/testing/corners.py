"""Corners: tables that few draws meet, where what was tried on small ones alone goes wrong.

>>> [table.tolist() for table in corner_tables()][0]
[[4, 1], [1, 1]]
"""

import numpy as np

LARGEST_TOTAL = 3 * 10**9
"""Objects of the largest corners: more than 2^31, and their square still fits into 64 bits."""

MANY_CLUSTERS = (9, 10, 13, 17, 24, 33, 40)
"""Numbers of clusters beyond those that are drawn; one that drops all beyond k fails at every larger number, too."""

_EVERY_TOTAL = range(7, 65)
_BLOCKS = ((2, 2), (2, 3), (3, 3), (2, 2, 2))
# Where 8, 15 and 16 bits, products in 32 bits, float32, the usual bound of drawn totals, and 32 bits end.
_CORNER_TOTALS = (2**8, 2**15, 46341, 2**16, 2**24, 10**6 - 1, 2**31, LARGEST_TOTAL - 1)


def corner_tables() -> list[np.ndarray]:
    """Every total up to 64, many clusters (the last of them split), blocks, large totals; in order of size.

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
    tables.append(np.array([[2**24 + 1, 1], [1, 2]]))  # float32 holds 2^24
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
    """Four unequal cells.

    >>> _of_total(17).tolist()
    [[8, 4], [1, 4]]
    """
    quarter = n // 4
    return np.array([[n - 2 * quarter - 1, quarter], [1, quarter]])


def _block_diagonal(sides: tuple[int, ...], of_ones: bool) -> np.ndarray:
    """Square blocks along the diagonal, of ones or of unequal cells.

    >>> _block_diagonal((2, 1), of_ones=False).tolist()
    [[1, 2, 0], [3, 4, 0], [0, 0, 5]]
    """
    block_of_line = np.repeat(range(len(sides)), sides)
    table = np.equal.outer(block_of_line, block_of_line).astype(np.int64)
    if not of_ones:
        table[table > 0] = range(1, table.sum() + 1)
    return table
