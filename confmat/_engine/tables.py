"""Tables visited themselves: all with given margins, one that has what is sought, members at random.

In NumPy, many at once, in lexicographically decreasing order: for classes of few tables, where nothing is compiled or
loaded, for classes whose histograms would be nearly empty, and wherever a table itself is wanted.  The kernels are
tested against them.

>>> [(lines.tolist(), cells.T.tolist()) for lines, cells in tables_with((2, 1), np.array([[2, 1], [3, 0]]))]
[([0, 0, 1], [[[2, 0], [0, 1]], [[1, 1], [1, 0]], [[2, 1], [0, 0]]])]
"""

from __future__ import annotations  # np.random is loaded when it is used

from collections.abc import Callable, Iterator

import numpy as np

from confmat._engine.margins import pair_windows
from confmat._integers.arrays import ends_after, portions
from confmat._integers.compositions import Composition, Side
from confmat.classes import MatrixClass
from confmat.contingency.matching import totals_by_sets

# Tables at once: what is computed of them stays in the processor's cache.
TABLES_AT_ONCE = 2**15

# Of beginnings, whole rows (i x s x N) and what each column still takes (s x N), those that may become what is sought.
Promising = Callable[[np.ndarray, np.ndarray], np.ndarray]


def tables_with(
    rows: tuple[int, ...], cols: np.ndarray, promising: Promising | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Every table with these row sums and the column sums of a line of ``cols`` (K x s): its line, its cells.

    Some ``TABLES_AT_ONCE`` at a time, as int64 arrays (N) and (r x s x N); lexicographically decreasing for each line.
    Cell after cell takes every value that its row and its column leave room for, so that a beginning ends in a table.
    Of the beginnings, whole rows (i x s x N) and what each column still takes (s x N), only those go on that
    ``promising`` says yes to (N).

    >>> [(lines.tolist(), cells.T.tolist()) for lines, cells in tables_with((2, 1), np.array([[2, 1], [3, 0]]))]
    [([0, 0, 1], [[[2, 0], [0, 1]], [[1, 1], [1, 0]], [[2, 1], [0, 0]]])]
    """
    done = (len(rows) - 1) * cols.shape[1]
    # Of each number of cells the beginnings that are still to be looked at.
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
    """Tables that begin with ``cells`` (a row each), with one cell more; ``left``: what each column still takes."""
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
    """Every table with these margins (N x r x s), some at a time, lexicographically decreasing.

    >>> [table.tolist() for batch in tables_of_margins((2, 1), (2, 1)) for table in batch]
    [[[2, 0], [0, 1]], [[1, 1], [1, 0]]]
    """
    for _, cells in tables_with(rows, np.array([cols], np.int64)):
        yield np.ascontiguousarray(cells.transpose(2, 0, 1))


def pairs_within_cells(tables: np.ndarray) -> np.ndarray:
    """P, the number of pairs of points that share a cell, of every table (r x s x N)."""
    return (tables * (tables - 1)).sum(axis=(0, 1)) // 2


def find_table(rows: tuple[int, ...], cols: tuple[int, ...], matched: int, pairs: int) -> np.ndarray | None:
    """Lexicographically largest table with these margins, best matching weight and pairs within cells.

    None when there is no such table.  Beginnings are left whose pairs cannot become ``pairs`` any more.

    >>> find_table((2, 1), (2, 1), matched=2, pairs=0).tolist()
    [[1, 1], [1, 0]]
    """

    def promising(begun: np.ndarray, left: np.ndarray) -> np.ndarray:
        least, most = pair_windows(np.array(rows[len(begun) :]), left.T)
        missing = pairs - pairs_within_cells(begun)
        return (least <= missing) & (missing <= most)

    for _, tables in tables_with(rows, np.array([cols], np.int64), promising):
        tables = tables[..., pairs_within_cells(tables) == pairs]
        hits = np.flatnonzero(totals_by_sets(tables) == matched)
        if len(hits):
            return np.ascontiguousarray(tables[..., hits[0]])
    return None


def largest_table(rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    """The lexicographically largest table with these margins (the north-west corner rule).

    >>> largest_table(np.array([3, 2]), np.array([2, 2, 1])).tolist()
    [[2, 1, 0], [0, 1, 1]]
    """
    down = np.cumsum(rows)[:, None]
    right = np.cumsum(cols)
    # Rows and columns laid out one after the other: a cell has what its row and its column share.
    return np.maximum(
        0,
        np.minimum(down, right) - np.maximum(down - rows[:, None], right - cols),
    )


def random_table(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    """A member of a class with sides: nearly uniform, or a vertex of the fixed margins (lines in random order).

    >>> from confmat.classes import FixedRows
    >>> random_table(FixedRows([3, 2], 2), np.random.default_rng(0)).sum(axis=1).tolist()
    [3, 2]
    """
    in_rows, in_cols = matrices.sides
    if in_rows.sums is None and in_cols.sums is not None:
        return _random_rows(in_cols.sums, in_rows, rng).T
    if in_rows.sums is not None and in_cols.sums is None:
        return _random_rows(in_rows.sums, in_cols, rng)
    if in_rows.sums is not None and in_cols.sums is not None:
        rows = np.array(in_rows.sums, np.int64)
        cols = np.array(in_cols.sums, np.int64)
        by_row = rng.permutation(len(rows))
        by_col = rng.permutation(len(cols))
        table = np.zeros((len(rows), len(cols)), np.int64)
        table[np.ix_(by_row, by_col)] = largest_table(rows[by_row], cols[by_col])
        return table
    r, s = matrices.shape
    table = np.zeros((r, s), np.int64)
    if in_rows.minimum:  # every line gets a point
        lines = np.arange(max(r, s))
        table[rng.permutation(r)[lines % r], rng.permutation(s)[lines % s]] = 1
    left = matrices.n - int(table.sum())
    return table + rng.multinomial(left, rng.dirichlet(np.ones(r * s))).reshape(r, s)


def _random_rows(sums: Composition, free: Side, rng: np.random.Generator) -> np.ndarray:
    """Rows with these sums and columns that the other side leaves free; points that columns need are dealt first."""
    table = np.zeros((len(sums), free.lines), np.int64)
    left = np.array(sums, np.int64)
    if free.minimum:
        points = np.repeat(
            np.arange(len(sums)),
            np.minimum(left, free.lines),
        )
        table[rng.permutation(points)[: free.lines], rng.permutation(free.lines)] = 1
        left -= table.sum(axis=1)
    return table + np.array([rng.multinomial(a, rng.dirichlet(np.ones(free.lines))) for a in left])
