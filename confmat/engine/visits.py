"""Tables visited themselves, many at once, by NumPy alone: for classes of few tables nothing is compiled or loaded.

Also for classes whose histograms would be nearly empty.  What the kernels count is tested against it, and it against
one table after another.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import combinations

import numpy as np

from confmat.engine.jobs import pair_windows

# Tables at once: what is computed of them stays in the processor's cache.
AT_ONCE = 2**15


def tables_with(
    rows: tuple[int, ...],
    cols: np.ndarray,
    promising: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Every table with these row sums and the column sums of a line of ``cols`` (K x s): its line, its cells.

    Some ``AT_ONCE`` at a time, as int64 arrays (N) and (r x s x N); lexicographically decreasing for each line.  Cell
    after cell takes every value that its row and its column leave room for, so that each beginning ends in a table.
    Of the beginnings, whole rows (i x s x N) and what each column still takes (s x N), only those go on that
    ``promising`` says yes to (N).

    >>> [(lines.tolist(), cells.T.tolist()) for lines, cells in tables_with((2, 1), np.array([[2, 1], [3, 0]]))]
    [([0, 0, 1], [[[2, 0], [0, 1]], [[1, 1], [1, 0]], [[2, 1], [0, 0]]])]
    """
    r, s = len(rows), cols.shape[1]

    def filled(
        lines: np.ndarray, left: np.ndarray, cells: np.ndarray
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The tables that begin with ``cells`` (a row each); ``left``: what each column still takes."""
        i, j = divmod(len(cells), s)
        if i == r - 1:
            yield lines, np.concatenate([cells, left]).reshape(r, s, -1)
            return
        if promising is not None and j == 0 < i:
            on = np.flatnonzero(promising(cells.reshape(i, s, -1), left))
            lines, left, cells = lines[on], left.take(on, axis=1), cells.take(on, axis=1)
        rest = rows[i] - cells[i * s :].sum(axis=0)
        most = np.minimum(rest, left[j])
        choices = most - np.maximum(0, rest - left[j + 1 :].sum(axis=0)) + 1
        for some in np.split(
            np.arange(len(lines)), np.flatnonzero(np.diff(np.cumsum(choices) // AT_ONCE)) + 1
        ):
            of = np.repeat(some, choices[some])
            firsts = np.cumsum(choices[some]) - choices[some]
            x = most[of] + np.repeat(firsts, choices[some]) - np.arange(len(of))
            after = left.take(of, axis=1)
            after[j] -= x
            yield from filled(lines[of], after, np.concatenate([cells.take(of, axis=1), x[None]]))

    yield from filled(np.arange(len(cols)), cols.T, np.zeros((0, len(cols)), np.int64))


def best_matchings(tables: np.ndarray) -> np.ndarray:
    """Total of the best matching of every table (r x s x N), by the sets of columns that its first rows may take.

    >>> best_matchings(np.array([[[2, 1], [0, 1]], [[1, 2], [1, 0]]]).transpose(1, 2, 0)).tolist()
    [3, 3]
    """
    if len(tables) > tables.shape[1]:
        tables = tables.swapaxes(0, 1)
    best: dict[tuple[int, ...], np.ndarray] = {(): np.zeros(tables.shape[2], np.int64)}
    for size, row in enumerate(tables, 1):
        best = {
            columns: reduce(
                np.maximum, (best[columns[:i] + columns[i + 1 :]] + row[j] for i, j in enumerate(columns))
            )
            for columns in combinations(range(len(row)), size)
        }
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
