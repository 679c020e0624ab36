"""Enumeration of tables in NumPy: all tables with given margins, the first one with given (m, P), and random ones.

Many tables are made at once, in lexicographically decreasing order. The functions serve classes of few tables,
without compilation. They also serve classes whose histograms would be nearly empty, and calls that need the tables
themselves. The kernels are tested against them.

>>> [(lines.tolist(), cells.T.tolist()) for lines, cells in tables_with((2, 1), np.array([[2, 1], [3, 0]]))]
[([0, 0, 1], [[[2, 0], [0, 1]], [[1, 1], [1, 0]], [[2, 1], [0, 0]]])]
"""

from __future__ import annotations  # np.random is loaded when it is used

from collections.abc import Callable, Iterator

import numpy as np

from confmat._engine.margins import pair_windows
from confmat._integers.arrays import ends_after, portions
from confmat._integers.compositions import Side
from confmat.classes import MatrixClass
from confmat.contingency.matching import totals_by_sets

# Number of tables that are made at once, so that computations stay in the processor's cache.
TABLES_AT_ONCE = 2**15

# Takes the first rows of tables (i x s x N) and their remaining column sums (s x N), returns a mask of the tables to
# continue.
Promising = Callable[[np.ndarray, np.ndarray], np.ndarray]


def tables_with(
    rows: tuple[int, ...], cols: np.ndarray, promising: Promising | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all tables with the row sums ``rows`` and the column sums of one row of ``cols`` (K x s), in arrays.

    Cells are filled one after another with every value for which a table with these margins exists.

    Parameters
    ----------
    promising : callable, optional
        Takes the first i rows of tables (i x s x N) and their remaining column sums (s x N). Returns a mask (N) of
        the tables to continue. Default: all tables are continued.

    Yields
    ------
    (array, array)
        Index in ``cols`` of each table (N) and the tables (r x s x N), int64, N about ``TABLES_AT_ONCE``. Tables of
        one index are in lexicographically decreasing order.

    >>> [(lines.tolist(), cells.T.tolist()) for lines, cells in tables_with((2, 1), np.array([[2, 1], [3, 0]]))]
    [([0, 0, 1], [[[2, 0], [0, 1]], [[1, 1], [1, 0]], [[2, 1], [0, 0]]])]
    """
    done = (len(rows) - 1) * cols.shape[1]
    # For each number of filled cells, the partial tables that are not extended yet.
    waiting = [
        iter(
            [
                (
                    np.arange(len(cols)),
                    cols.T,
                    np.zeros((0, len(cols)), np.int64),
                )
            ]
        )
    ]
    while waiting:
        beginning = next(waiting[-1], None)
        if beginning is None:
            waiting.pop()
        elif len(beginning[2]) < done:
            waiting.append(_with_one_more(rows, *beginning, promising))
        else:
            lines, left, cells = beginning
            yield (
                lines,
                np.concatenate([cells, left]).reshape(
                    len(rows),
                    len(left),
                    -1,
                ),
            )


def _with_one_more(
    rows: tuple[int, ...], lines: np.ndarray, left: np.ndarray, cells: np.ndarray, promising: Promising | None
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield all extensions by one cell of tables that begin with ``cells`` (a row for each cell).

    A column of ``cells`` is a table. ``left`` has the remaining column sums of each table. ``lines`` has the row of
    ``cols`` in ``tables_with`` that are its column sums. The extended tables are yielded in the same form:
    ``lines``, ``left`` and ``cells``. ``promising`` returns a mask of the tables to continue, as in
    ``tables_with``.
    """
    s = len(left)
    i, j = divmod(len(cells), s)
    if promising is not None and j == 0 < i:
        on = np.flatnonzero(promising(cells.reshape(i, s, -1), left))
        lines = lines[on]
        left = left.take(on, axis=1)
        cells = cells.take(on, axis=1)
    rest = rows[i] - cells[i * s :].sum(axis=0)
    most = np.minimum(rest, left[j])
    room = left[j + 1 :].sum(axis=0)
    choices = most - np.maximum(0, rest - room) + 1
    for some in portions(choices, TABLES_AT_ONCE):
        of = np.repeat(some, choices[some])
        firsts = ends_after(choices[some])[:-1]
        x = most[of] + np.repeat(firsts, choices[some]) - np.arange(len(of))
        after = left.take(of, axis=1)
        after[j] -= x
        yield (
            lines[of],
            after,
            np.concatenate(
                [
                    cells.take(of, axis=1),
                    x[None],
                ]
            ),
        )


def tables_of_margins(rows: tuple[int, ...], cols: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Yield arrays of all tables with these margins (N x r x s), in lexicographically decreasing order.

    >>> [table.tolist() for batch in tables_of_margins((2, 1), (2, 1)) for table in batch]
    [[[2, 0], [0, 1]], [[1, 1], [1, 0]]]
    """
    for _, cells in tables_with(rows, np.array([cols], np.int64)):
        yield np.ascontiguousarray(cells.transpose(2, 0, 1))


def pairs_within_cells(tables: np.ndarray) -> np.ndarray:
    """Return P, the number of pairs of objects in a common cell, of each table (r x s x N)."""
    return (tables * (tables - 1)).sum(axis=(0, 1)) // 2


def with_pairs(rows: tuple[int, ...], fewest_pairs: int, most_pairs: int) -> Promising:
    """Return a function for the argument ``promising`` of ``tables_with``, which leaves out tables with other P.

    P is the number of pairs of objects in a common cell, and must be from ``fewest_pairs`` to ``most_pairs``. The
    function returns a mask of the begun tables for which this is possible. The rows of the tables have the sums
    ``rows``.

    >>> rows = (2, 1, 1)
    >>> [cells.T.tolist() for _, cells in tables_with(rows, np.array([[3, 1]]), with_pairs(rows, 0, 0))]
    [[[[1, 1, 1], [1, 0, 0]]]]
    """

    def promising(begun: np.ndarray, columns_left: np.ndarray) -> np.ndarray:
        fewest_below, most_below = pair_windows(np.array(rows[len(begun) :]), columns_left.T)
        pairs = pairs_within_cells(begun)
        return (pairs + fewest_below <= most_pairs) & (fewest_pairs <= pairs + most_below)

    return promising


def find_table(rows: tuple[int, ...], cols: tuple[int, ...], matched: int, pairs: int) -> np.ndarray | None:
    """Find the lexicographically largest table with given margins, weight of the best matching, and P.

    P (``pairs``) is the number of pairs of objects in a common cell. The best matching has ``matched`` objects.
    Return None if there is no such table.

    >>> find_table((2, 1), (2, 1), matched=2, pairs=0).tolist()
    [[1, 1], [1, 0]]
    """
    promising = with_pairs(rows, pairs, pairs)
    for _, tables in tables_with(rows, np.array([cols], np.int64), promising):
        tables = tables[..., pairs_within_cells(tables) == pairs]
        hits = np.flatnonzero(totals_by_sets(tables) == matched)
        if len(hits):
            return np.ascontiguousarray(tables[..., hits[0]])
    return None


def largest_table(rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    """Return the lexicographically largest table with these margins (north-west corner rule).

    >>> largest_table(np.array([3, 2]), np.array([2, 2, 1])).tolist()
    [[2, 1, 0], [0, 1, 1]]
    """
    down = np.cumsum(rows)[:, None]
    right = np.cumsum(cols)
    # If rows and columns are consecutive intervals of objects, a cell is the intersection of its row and its column.
    return np.maximum(
        0,
        np.minimum(down, right) - np.maximum(down - rows[:, None], right - cols),
    )


def random_table(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    """Draw a member of a class that is defined by margins.

    The distribution is nearly uniform if no sums are fixed. Otherwise free sums are drawn, and the member is a vertex
    of the polytope of the tables with these margins. It comes from the north-west corner rule with rows and columns
    in random order.

    >>> from confmat.classes import FixedRows
    >>> random_table(FixedRows([3, 2], 2), np.random.default_rng(0)).sum(axis=1).tolist()
    [3, 2]
    """
    in_rows, in_cols = matrices.possible_sums
    r, s = matrices.shape
    table = np.zeros((r, s), np.int64)
    if in_rows.sums is None and in_cols.sums is None:
        if in_rows.minimum:  # every row and column gets an object
            lines = np.arange(max(r, s))
            table[rng.permutation(r)[lines % r], rng.permutation(s)[lines % s]] = 1
        return table + _scattered(matrices.n - int(table.sum()), r * s, rng).reshape(r, s)
    rows, cols = (_random_sums(side, rng) for side in matrices.possible_sums)
    by_row = rng.permutation(r)
    by_col = rng.permutation(s)
    table[np.ix_(by_row, by_col)] = largest_table(rows[by_row], cols[by_col])
    return table


def _random_sums(side: Side, rng: np.random.Generator) -> np.ndarray:
    """Draw possible row sums (or column sums) of a class."""
    if side.sums is not None:
        return np.array(side.sums, np.int64)
    return side.minimum + _scattered(side.n - side.minimum * side.lines, side.lines, rng)


def _scattered(objects: int, cells: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the numbers of objects in some cells, nearly uniformly among all vectors with this sum."""
    return rng.multinomial(objects, rng.dirichlet(np.ones(cells)))
