"""The margins of a class: row margins, each with the column margins that it is enumerated with.

The kernels want r >= s and margins in decreasing order; others are enumerated transposed, and example tables are
transposed back at the end.  So both halves of a table have rows enough for their states to fill the buckets.

>>> from confmat.classes import Tables
>>> [(job.rows, job.cols.tolist(), job.weights.tolist()) for job in row_jobs(Tables(4, 2, 2))]
[((3, 1), [[3, 1], [2, 2]], [4, 4]), ((2, 2), [[2, 2]], [1])]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, repeat
from math import comb, lgamma
from typing import Any

import numpy as np

from confmat._integers.arrays import read_only
from confmat._integers.compositions import Side
from confmat.classes import MatrixClass
from confmat.errors import TooLargeError

# Classes whose margin classes alone are too many to list are refused on the count.
MOST_MARGIN_CLASSES = 3 * 10**7
_LINES = 10**4


# By einsum: NumPy's own sum over a short last axis takes longer, and every plan asks for these.
def pairs_of_margin(margin: np.ndarray) -> np.ndarray:
    """Pairs of points within a line: A of row margins, B of column margins, the last axis of an array.

    int64, of three billion points at most (enumerations take no more than 32767).
    """
    return np.einsum("...i,...i", margin, margin - 1) // 2


def pair_windows(rows: np.ndarray, cols: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of P, the pairs within cells, for each margin class ``rows`` x ``cols[c]``, lines in any order.

    >>> [bounds.tolist() for bounds in pair_windows(np.array([2, 1]), np.array([[2, 1, 0], [1, 1, 1]]))]
    [[0, 0], [1, 0]]
    """
    fewest = []
    for margin, parts in ((rows, cols.shape[1]), (cols, len(rows))):
        # There are fewest where each line x spreads evenly, q or q + 1 = x // parts + 1 points in each cell.
        q = margin // parts
        fewest.append(np.einsum("...i,...i", q, 2 * margin - parts * (q + 1)) // 2)
    return np.maximum(*fewest), np.minimum(pairs_of_margin(rows), pairs_of_margin(cols))


def ard_denominator(a: Any, b: Any, pairs: int) -> Any:
    """D with ARD = F M / D: M^2 times the expected Rand distance."""
    return a * (pairs - b) + b * (pairs - a)


@dataclass(frozen=True)
class RowJob:
    """All margin classes with one row margin: ``cols`` (classes x s, int64) and how often each counts."""

    rows: tuple[int, ...]
    cols: np.ndarray
    weights: np.ndarray

    @cached_property
    def a(self) -> int:
        """Pairs of points within rows."""
        return sum(map(comb, self.rows, repeat(2)))

    @property
    def windows(self) -> np.ndarray:
        """Bounds of each margin class: smallest and largest P, largest k (3 x classes).

        NumPy's, not compiled: every first run would wait for it.

        >>> RowJob((2, 1, 0), np.array([[2, 1], [3, 0]]), np.array([1, 1])).windows.tolist()
        [[0, 0], [1, 1], [3, 2]]
        """
        rows = np.array(self.rows, np.int64)
        least, most = pair_windows(rows, self.cols)
        matched = np.minimum(rows[: self.cols.shape[1]], self.cols[:, : len(rows)])
        return np.stack([least, most, np.einsum("ci->c", matched)])


def is_transposed(matrices: MatrixClass) -> bool:
    """Return whether the engine enumerates the transposes: if r < s, or if r = s and there are fewer column margins.

    >>> from confmat.classes import FixedColumns, FixedRows
    >>> is_transposed(FixedRows([2, 2], 2)), is_transposed(FixedColumns([2, 2], 2)), is_transposed(FixedRows([4], 2))
    (False, True, True)
    """
    (r, s), sides = matrices.shape, matrices.sides
    return r < s or (r == s and sides[0].bound() > sides[1].bound())


def number_of_margin_classes(matrices: MatrixClass) -> int:
    """Upper estimate of the number of margin classes: pairs of partitions, without listing them.

    Where margins have more than ``_LINES`` lines, each counts as often as it has so many.

    >>> from confmat.classes import Tables
    >>> len(row_jobs(Tables(20, 3, 3))), number_of_margin_classes(Tables(20, 3, 3))
    (33, 561)
    """
    return pairs_of_sides(matrices.sides, Side.bound) * -(-sum(matrices.shape) // _LINES)


def pairs_of_sides(sides: tuple[Side, Side], number: Callable[[Side], int]) -> int:
    """How many pairs of sorted margins there are, from how many there are of a side.

    >>> pairs_of_sides((Side(4, 2, minimum=1), Side(4, 2, minimum=1)), Side.count)
    3
    """
    rows, cols = map(number, sides)
    if stand_for_both(*sides):
        return comb(rows + 1, 2)
    return rows * cols


def stand_for_both(rows: Side, cols: Side) -> bool:
    """Return whether the margins (a, b) and (b, a) are equivalent, so that only one of them is enumerated."""
    return rows.sums is None and rows == cols


@lru_cache(maxsize=4)
def row_jobs(matrices: MatrixClass) -> tuple[RowJob, ...]:
    """Margin classes of ``matrices`` (transposed if r < s), grouped by row margin.

    Raises TooLargeError where they are too many to be listed.

    >>> from confmat.classes import Tables
    >>> [(job.rows, job.cols.tolist(), job.weights.tolist()) for job in row_jobs(Tables(4, 2, 2))]
    [((3, 1), [[3, 1], [2, 2]], [4, 4]), ((2, 2), [[2, 2]], [1])]
    """
    if not matrices:
        return ()
    if number_of_margin_classes(matrices) > MOST_MARGIN_CLASSES:
        raise TooLargeError(
            f"matrices must have few enough margins to be listed: {matrices!r} may have more than "
            f"{MOST_MARGIN_CLASSES} pairs of them, up to order"
        )
    rows, cols = matrices.sides
    if is_transposed(matrices):
        rows, cols = cols, rows
    # No object per margin class: all row margins share one array of column margins.
    all_cols, orders_of_cols = zip(*cols.sorted())
    margins = read_only(np.array(all_cols, np.int64))
    orders = np.array(orders_of_cols, np.int64)
    jobs = []
    mirrored = stand_for_both(rows, cols)
    for i, (margin, own) in enumerate(rows.sorted()):
        if not mirrored:
            jobs.append(RowJob(margin, margins, read_only(own * orders)))
            continue
        # Columns from the row margin on; any later one also stands for the transposed class.
        weights = 2 * own * orders[i:]
        weights[0] //= 2
        jobs.append(RowJob(margin, margins[i:], read_only(weights)))
    return tuple(jobs)


_LARGEST_EXPONENT = 700  # of a double, nearly


def expected_tables(job: RowJob) -> np.ndarray:
    """Approximate number of tables in each margin class of a job (Good 1976, assuming the margins independent).

    Right in sum over all column margins; single classes are a few percent to a few tens of percent off.
    """
    r = len(job.rows)
    s = job.cols.shape[1]
    n = sum(job.rows)
    rows = logs_choose(n, s, np.array(job.rows)).sum()
    cols = np.einsum("ci->c", logs_choose(n, r, job.cols))
    return np.exp(
        np.minimum(
            rows + cols - logs_choose(n, r * s, np.array([n])),
            _LARGEST_EXPONENT,
        )
    )


_lgamma = np.frompyfunc(lgamma, 1, 1)

# A bound on totals that says nothing of them: int64 holds no more.
_NO_BOUND = 2**63


def logs_choose(most: int, parts: int, totals: np.ndarray) -> np.ndarray:
    """Logarithms of the numbers of ways to write totals, ``most`` at most, in so many parts, which may be 0.

    >>> np.exp(logs_choose(4, 2, np.array([0, 1, 4]))).round(9)
    array([1., 2., 5.])
    """
    if most < 64 * totals.size:  # each value once, for all row margins of a class
        return _table_of_logs(most, parts)[totals]
    return (_lgamma(totals + parts) - _lgamma(totals + 1)).astype(float) - lgamma(parts)


@lru_cache(maxsize=16)
def _table_of_logs(most: int, parts: int) -> np.ndarray:
    """Of all totals up to the largest, each by itself."""
    return read_only(logs_choose(_NO_BOUND, parts, np.arange(most + 1)))


def shares_paired(job: RowJob) -> np.ndarray:
    """About what share of the tables of each margin class is made of half tables.

    With equal columns one of those that permute them is: of k columns of c points, C(c + k, k) of (c + 1)^k ways to
    split them are left.

    >>> shares_paired(RowJob((2, 2), np.array([[3, 1], [2, 2]]), np.array([2, 1]))).round(2).tolist()
    [1.0, 0.67]
    """
    orders = np.ones(len(job.cols))
    run = np.ones(len(job.cols))
    for before, column in pairwise(job.cols.T):
        run = np.where(column == before, run + 1, 1)
        orders = np.minimum(orders * run * (column + 1) / (column + run), 1e300)  # below the largest double
    return 1 / orders
