"""Margins of a class as they are enumerated: row margins, each with its column margins.

The kernels need r >= s and margins in decreasing order. Other classes are enumerated transposed, and example tables
are transposed at the end. Both halves of a table then have enough rows for large buckets of states.

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

# Largest number of pairs of margins (up to order) of a class that is enumerated.
MOST_MARGIN_CLASSES = 3 * 10**7
_LINES = 10**4


# einsum is faster than NumPy's sum over a short last axis, and every forecast calls this function.
def pairs_of_margin(margin: np.ndarray) -> np.ndarray:
    """Return the number of pairs of objects in a common row, given row sums in the last axis.

    Given column sums, the result is the number of pairs in a common column. The sums must have at most 3 * 10^9
    objects, so that int64 suffices.
    """
    return np.einsum("...i,...i", margin, margin - 1) // 2


def pair_windows(rows: np.ndarray, cols: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper bounds of P, the number of pairs in a common cell, for margins ``rows`` x ``cols[c]``.

    >>> [bounds.tolist() for bounds in pair_windows(np.array([2, 1]), np.array([[2, 1, 0], [1, 1, 1]]))]
    [[0, 0], [1, 0]]
    """
    fewest = []
    for margin, parts in ((rows, cols.shape[1]), (cols, len(rows))):
        # P is smallest if each sum x is distributed evenly: q = x // parts or q + 1 objects in each cell.
        q = margin // parts
        fewest.append(np.einsum("...i,...i", q, 2 * margin - parts * (q + 1)) // 2)
    return np.maximum(*fewest), np.minimum(pairs_of_margin(rows), pairs_of_margin(cols))


def ard_denominator(a: Any, b: Any, pairs: int) -> Any:
    """Return the denominator D of ARD = F M / D, which is M^2 times the expected Rand distance, with ``pairs`` = M."""
    return a * (pairs - b) + b * (pairs - a)


@dataclass(frozen=True)
class RowJob:
    """Row margin with all its column margins, ``cols`` (N x s, int64), and the weight of each.

    The weight is the number of pairs of margins of the class that differ from this pair only by the order of sums.
    """

    rows: tuple[int, ...]
    cols: np.ndarray
    weights: np.ndarray

    @cached_property
    def a(self) -> int:
        """Number of pairs of objects in a common row."""
        return sum(map(comb, self.rows, repeat(2)))

    @property
    def windows(self) -> np.ndarray:
        """Smallest P, largest P and largest k for each column margin (3 x N).

        k is the weight of the best matching, P the number of pairs in a common cell. The method is not compiled, so
        that the first run does not wait for a compilation.

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
    (r, s), sides = matrices.shape, matrices.possible_sums
    return r < s or (r == s and sides[0].bound() > sides[1].bound())


def number_of_margin_classes(matrices: MatrixClass) -> int:
    """Return an upper bound of the number of pairs of margins up to order, without listing them.

    For many rows and columns it is a bound of the memory instead: each pair counts ceil((r + s) / ``_LINES``)
    times.

    >>> from confmat.classes import Tables
    >>> len(row_jobs(Tables(20, 3, 3))), number_of_margin_classes(Tables(20, 3, 3))
    (33, 561)
    """
    return pairs_of_sides(matrices.possible_sums, Side.bound) * -(-sum(matrices.shape) // _LINES)


def pairs_of_sides(sides: tuple[Side, Side], number: Callable[[Side], int]) -> int:
    """Return the number of pairs of a row margin and a column margin, given the function that counts either.

    ``number`` counts the possible row sums, or the possible column sums. If transposition maps the class to itself,
    (a, b) and (b, a) count once.

    >>> pairs_of_sides((Side(4, 2, minimum=1), Side(4, 2, minimum=1)), Side.count)
    3
    """
    rows, cols = map(number, sides)
    if stand_for_both(*sides):
        return comb(rows + 1, 2)
    return rows * cols


def stand_for_both(rows: Side, cols: Side) -> bool:
    """Return whether transposition maps the class to itself.

    Of the margins (a, b) and (b, a), with row sums first, only one is then enumerated and represents both.
    """
    return rows.sums is None and rows == cols


@lru_cache(maxsize=4)
def row_jobs(matrices: MatrixClass) -> tuple[RowJob, ...]:
    """Return the row margins of a class (of its transpose if r < s), each with its column margins.

    Raise TooLargeError if there are too many margins to list.

    >>> from confmat.classes import Tables
    >>> [(job.rows, job.cols.tolist(), job.weights.tolist()) for job in row_jobs(Tables(4, 2, 2))]
    [((3, 1), [[3, 1], [2, 2]], [4, 4]), ((2, 2), [[2, 2]], [1])]
    """
    if not matrices:
        return ()
    if number_of_margin_classes(matrices) > MOST_MARGIN_CLASSES:
        raise TooLargeError(
            f"matrices must have at most {MOST_MARGIN_CLASSES} different pairs of margins, apart from the order "
            f"of the sums, got {matrices!r}, which may have more"
        )
    rows, cols = matrices.possible_sums
    if is_transposed(matrices):
        rows, cols = cols, rows
    # All row margins share one array of column margins.
    all_cols, orders_of_cols = zip(*cols.sorted())
    margins = read_only(np.array(all_cols, np.int64))
    orders = np.array(orders_of_cols, np.int64)
    jobs = []
    mirrored = stand_for_both(rows, cols)
    for i, (margin, own) in enumerate(rows.sorted()):
        if not mirrored:
            jobs.append(RowJob(margin, margins, read_only(own * orders)))
            continue
        # Column margins from the row margin on.  Each later one also represents the transposed pair.
        weights = 2 * own * orders[i:]
        weights[0] //= 2
        jobs.append(RowJob(margin, margins[i:], read_only(weights)))
    return tuple(jobs)


_LARGEST_EXPONENT = 700  # of a double, nearly


def expected_tables(job: RowJob) -> np.ndarray:
    """Estimate the number of tables with each pair of margins of a job (Good 1976, independent margins).

    The sum over all column margins is exact. For single margins the error is some percent to some tens of percent.
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

# An upper bound of every int64 total.
_NO_BOUND = 2**63


def logs_choose(most: int, parts: int, totals: np.ndarray) -> np.ndarray:
    """Return log C(t + p - 1, p - 1) for each t of ``totals``, with p = ``parts``.

    C(t + p - 1, p - 1) is the number of ordered sums of p integers >= 0 with the total t. ``most`` is an upper
    bound of the totals.

    >>> np.exp(logs_choose(4, 2, np.array([0, 1, 4]))).round(9)
    array([1., 2., 5.])
    """
    if most < 64 * totals.size:  # each value once, for all row margins of a class
        return _table_of_logs(most, parts)[totals]
    return (_lgamma(totals + parts) - _lgamma(totals + 1)).astype(float) - lgamma(parts)


@lru_cache(maxsize=16)
def _table_of_logs(most: int, parts: int) -> np.ndarray:
    """Return the result of ``logs_choose`` for the totals 0, ..., ``most``, from a cache."""
    return read_only(logs_choose(_NO_BOUND, parts, np.arange(most + 1)))


def shares_paired(job: RowJob) -> np.ndarray:
    """Estimate the fraction of the tables that are enumerated, for each column margin of the job.

    A table is enumerated as a pair of an upper and a lower half of its rows. Of the tables that differ only by a
    permutation of columns with equal sums, only one is enumerated. The sums c of k equal columns can be divided
    between the halves in (c + 1)^k ways. Up to the order of the columns these are C(c + k, k) ways. The result is
    the product of the quotients C(c + k, k)/(c + 1)^k.

    >>> shares_paired(RowJob((2, 2), np.array([[3, 1], [2, 2]]), np.array([2, 1]))).round(2).tolist()
    [1.0, 0.67]
    """
    orders = np.ones(len(job.cols))
    run = np.ones(len(job.cols))
    for before, column in pairwise(job.cols.T):
        run = np.where(column == before, run + 1, 1)
        orders = np.minimum(orders * run * (column + 1) / (column + run), 1e300)  # below the largest double
    return 1 / orders
