"""How many distinct values the statistics of a class may have, from its margins alone."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine import reduce
from confmat.engine.jobs import row_jobs, tables_to_visit
from confmat.engine.packing import alike, lines_of
from confmat.engine.work import pairs_of_margin


def window_cells(matrices: MatrixClass) -> int:
    """Histogram cells (P, k) of all margin classes to visit: as many distinct (m, A, B, P) at most.

    >>> from confmat.classes import Tables
    >>> window_cells(Tables(20, 3, 3)), window_cells(Tables(300, 2, 2))
    (291499, 12289374420)
    """
    return sum(
        int(reduce.window_cells(np.array(job.rows, np.int64), job.cols).sum()) for job in row_jobs(matrices)
    )


def cells_to_hold(matrices: MatrixClass) -> int:
    """About how many distinct (m, A, B, P) the class has at most.

    >>> from confmat.classes import Tables
    >>> cells_to_hold(Tables(300, 2, 2))
    583971
    """
    return min(window_cells(matrices), tables_to_visit(matrices))


@lru_cache(maxsize=16)
def support_bound(matrices: MatrixClass) -> int:
    """An upper bound on the number of points of a joint law of indices: places of signatures, or matrices if fewer.

    >>> from confmat.classes import Tables
    >>> support_bound(Tables(20, 3, 3)), Tables(20, 3, 3).count()
    (291499, 2806281)
    """
    cells = window_cells(matrices)
    if cells < tables_to_visit(matrices):
        cells = min(cells, _places(matrices))
    return min(cells, matrices.count())


def _places(matrices: MatrixClass) -> int:
    """The (m, P) of all pairs (A, B): within the windows of their margins, and such that n - m and P go together."""
    n, (r, s) = matrices.n, sorted(matrices.shape)
    # k = n - m points in r cells make at least the pairs of equal cells; some cell has 1 + 2P/n points, and so has k.
    points, p = np.arange(n + 1), np.arange(comb(n, 2) + 1)
    most = np.searchsorted((points // r) * (points + points % r - r) // 2, p, side="right") - 1
    least = np.maximum(-(-n // s), 1 + -(-2 * p // n))
    # Column k + 1, row P: how many (k', P') there are with k' <= k, P' < P.
    ways = np.stack([np.maximum(0, np.minimum(most, k) - least + 1) for k in points])
    before = np.concatenate([np.zeros((n + 1, 1), np.int64), np.cumsum(ways, axis=1)], axis=1)
    total = 0
    for jobs in alike(list(row_jobs(matrices))):
        lines = lines_of(jobs)
        matched = np.zeros(len(lines.bs), np.int64)
        for job in jobs:
            windows = reduce.class_windows(np.array(job.rows, np.int64), job.cols)
            np.maximum.at(matched, np.searchsorted(lines.bs, pairs_of_margin(job.cols)), windows[2])
        tops = lines.bottoms + np.diff(lines.starts)
        total += int((before[matched, tops] - before[matched, lines.bottoms]).sum())
    return total
