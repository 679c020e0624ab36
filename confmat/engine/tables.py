"""Tables visited themselves: all with given margins, their best matchings, members at random.

In NumPy, many at once, in lexicographically decreasing order: for classes of few tables, where nothing is compiled or
loaded, for classes whose histograms would be nearly empty, and wherever a table itself is wanted.  The kernels are
tested against them.

>>> [(lines.tolist(), cells.T.tolist()) for lines, cells in tables_with((2, 1), np.array([[2, 1], [3, 0]]))]
[([0, 0, 1], [[[2, 0], [0, 1]], [[1, 1], [1, 0]], [[2, 1], [0, 0]]])]
>>> matched_points(np.array([[[2, 1], [0, 1]], [[1, 2], [1, 0]]]))
array([3, 3])
"""

from __future__ import annotations  # np.random is loaded when it is used

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import combinations

import numpy as np

from confmat.classes import MatrixClass
from confmat.compiled import njit
from confmat.engine.margins import pair_windows
from confmat.integers.arrays import ends_after, portions
from confmat.integers.compositions import Composition, Side
from confmat.matrices.matching import heaviest_total

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


def best_matchings(tables: np.ndarray) -> np.ndarray:
    """Total of the best matching of every table (r x s x N), by the sets of columns that its first rows may take.

    >>> best_matchings(np.array([[[2, 1], [0, 1]], [[1, 2], [1, 0]]]).transpose(1, 2, 0)).tolist()
    [3, 3]
    """
    if len(tables) > tables.shape[1]:
        tables = tables.swapaxes(0, 1)
    none: tuple[int, ...] = ()
    best = {none: np.zeros(tables.shape[2], np.int64)}  # of the rows so far, into each set of columns
    for size, row in enumerate(tables, 1):
        of_fewer = best
        best = {}
        for columns in combinations(range(len(row)), size):
            totals = []
            for i, j in enumerate(columns):
                others = columns[:i] + columns[i + 1 :]
                totals.append(of_fewer[others] + row[j])
            best[columns] = reduce(np.maximum, totals)
    return reduce(np.maximum, best.values())


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
        hits = np.flatnonzero(best_matchings(tables) == matched)
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
        np.minimum(down, right)
        - np.maximum(
            down - rows[:, None],
            right - cols,
        ),
    )


# Best matchings by sets of columns, O(r 2^s) a table, up to here.
MOST_LINES = 12

# Tables side by side in ``pair_sums_and_matching``.
_LANES_OF_TABLES = 256


@njit(nogil=True, cache=True)
def matching_steps(r: int, s: int) -> tuple[np.ndarray, np.ndarray]:
    """Steps (set of columns, one of them) by which row i extends a matching to i + 1 columns, and where rows start.

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


@njit(nogil=True, cache=True)
def matched(table: np.ndarray, steps: np.ndarray, starts: np.ndarray, best: np.ndarray) -> int:
    """Total of the best matching (r <= s); ``steps`` from ``matching_steps``, ``best`` room for sets of columns.

    >>> matched(np.array([[2, 1], [0, 1]]), *matching_steps(2, 2), np.zeros(4, np.int64))
    3
    """
    r = len(table)
    best[1:] = 0
    for i in range(r):
        for step in range(starts[i], starts[i + 1]):
            columns, j = steps[step]
            best[columns] = max(
                best[columns],
                best[columns ^ (1 << j)] + table[i, j],
            )
    total = 0
    for step in range(starts[r - 1], starts[r]):
        total = max(total, best[steps[step, 0]])
    return total


@njit(nogil=True, cache=True)
def pair_sums_and_matching(tables: np.ndarray) -> np.ndarray:
    """For each table (r <= s): the best matching's total, then A, B and P (pairs within rows, columns, cells).

    Tables lie in lanes, side by side, so that an instruction works on several of them.  Every row can be matched, so
    only sets of as many columns as rows so far are looked at.

    >>> pair_sums_and_matching(np.array([[[2, 1], [0, 1]], [[1, 0], [0, 3]]]))
    array([[3, 3, 2, 1],
           [4, 3, 3, 3]])
    """
    size, r, s = tables.shape
    lanes = min(max(size, 1), _LANES_OF_TABLES)
    steps, starts = matching_steps(r, s)
    sums = np.empty((size, 4), np.int64)
    cells = np.zeros((r, s, lanes), np.int64)
    lines = np.zeros((r + s, lanes), np.int64)
    best = np.zeros((1 << s, lanes), np.int64)
    found = np.zeros((4, lanes), np.int64)
    for first in range(0, size, lanes):
        some = tables[first : first + lanes]
        lines[:], best[1:], found[:] = 0, 0, 0
        for i in range(r):
            for j in range(s):
                for k in range(len(some)):
                    cells[i, j, k] = some[k, i, j]
                for k in range(lanes):
                    x = cells[i, j, k]
                    lines[i, k] += x
                    lines[r + j, k] += x
                    found[3, k] += x * (x - 1)
            for step in range(starts[i], starts[i + 1]):
                columns, j = steps[step]
                fewer = columns ^ (1 << j)
                for k in range(lanes):
                    best[columns, k] = max(
                        best[columns, k],
                        best[fewer, k] + cells[i, j, k],
                    )
        for i in range(r + s):
            for k in range(lanes):
                found[1 if i < r else 2, k] += lines[i, k] * (lines[i, k] - 1)
        for columns in steps[starts[r - 1] :, 0]:
            for k in range(lanes):
                found[0, k] = max(
                    found[0, k],
                    best[columns, k],
                )
        for k in range(len(some)):
            for i in range(4):
                sums[first + k, i] = found[i, k] >> (i > 0)  # each pair was counted twice
    return sums


def matched_points(tables: np.ndarray) -> np.ndarray:
    """Total of the best matching of every table (size x r x s).

    Sets of columns up to ``MOST_LINES``; an assignment problem for each table beyond, or of Python's integers.

    >>> matched_points(np.array([[[2, 1], [0, 1]], [[1, 2], [1, 0]]]))
    array([3, 3])
    """
    _, r, s = tables.shape
    if max(r, s) > MOST_LINES or tables.dtype == object:
        totals = [heaviest_total(table) for table in tables]
        return np.array(totals, tables.dtype)
    if r <= s:
        narrow = tables
    else:
        narrow = tables.transpose(0, 2, 1)
    sums = pair_sums_and_matching(np.ascontiguousarray(narrow))
    return sums[:, 0]


def random_table(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    """A member of a class with sides: nearly uniform, or a vertex of the fixed margins (lines in random order).

    >>> from confmat.classes import FixedRows
    >>> random_table(FixedRows([3, 2], 2), np.random.default_rng(0)).sum(axis=1).tolist()
    [3, 2]
    """
    assert matrices.sides is not None
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
