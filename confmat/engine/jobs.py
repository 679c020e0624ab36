"""The work of an enumeration: margin classes, grouped by row margin, then into shards of similar cost.

The kernel wants r <= s and margins in decreasing order; a class with r > s is enumerated transposed, and
witnesses are turned back at the end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from math import ceil, comb

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.sides import Side
from confmat.classes.symmetry import ALL
from confmat.engine.halves import number_of_states, split_rows
from confmat.errors import TooLarge

# Classes whose margin classes alone are too many to list are refused on the count.
MOST_MARGIN_CLASSES = 2 * 10**7


@dataclass(frozen=True)
class RowJob:
    """All margin classes with one row margin: ``cols`` (classes x s, int64) and how often each counts."""

    rows: tuple[int, ...]
    cols: np.ndarray
    weights: np.ndarray

    @property
    def n(self) -> int:
        """Number of points."""
        return sum(self.rows)


def is_transposed(matrices: MatrixClass) -> bool:
    """Whether the engine enumerates the transposed matrices (r > s)."""
    r, s = matrices.shape
    return r > s


def number_of_margin_classes(matrices: MatrixClass) -> int:
    """Upper estimate of the number of margin classes: pairs of partitions, without listing them.

    >>> from confmat.classes import Tables
    >>> len(row_jobs(Tables(20, 3, 3))), number_of_margin_classes(Tables(20, 3, 3))
    (33, 1250)
    """
    if matrices.sides is None:
        return sum(1 for _ in matrices.margins("transposition"))
    rows, cols = matrices.sides
    return ceil(rows.bound() * cols.bound() / (2 if _alike(rows, cols) else 1))


def _alike(rows: Side, cols: Side) -> bool:
    """Whether a pair of margins and the same the other way round are one."""
    return rows.sums is None and rows == cols


@lru_cache(maxsize=4)
def row_jobs(matrices: MatrixClass) -> tuple[RowJob, ...]:
    """Margin classes of ``matrices`` (transposed if r > s), grouped by row margin.

    Raises TooLarge where they are too many to be listed, Unsupported for a class that is not known by its margins.

    >>> from confmat.classes import Tables
    >>> [(job.rows, job.cols.tolist(), job.weights.tolist()) for job in row_jobs(Tables(4, 2, 2))]
    [((3, 1), [[3, 1], [2, 2]], [4, 4]), ((2, 2), [[2, 2]], [1])]
    """
    if not matrices:
        return ()
    if number_of_margin_classes(matrices) > MOST_MARGIN_CLASSES:
        raise TooLarge(
            f"matrices must have few enough margins to be listed: {matrices!r} may have more than "
            f"{MOST_MARGIN_CLASSES} pairs of them, up to order"
        )
    if matrices.sides is not None:
        first, second = matrices.sides if not is_transposed(matrices) else matrices.sides[::-1]
        return _jobs_of_sides(first, second)
    # Margins and their transposes are put together, so that what stands for both has an even weight.
    mirrored = "transposition" in matrices.symmetry
    found: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for margins in matrices.margins(ALL):
        rows, cols = (tuple(sorted(x, reverse=True)) for x in margins[:2])
        swapped = is_transposed(matrices) or (mirrored and cols > rows)
        found[(cols, rows) if swapped else (rows, cols)] += margins.weight
    jobs = []
    for rows, group in groupby(sorted(found, reverse=True), key=lambda pair: pair[0]):
        of_rows = [cols for _, cols in group]
        weights = [found[rows, cols] for cols in of_rows]
        jobs.append(RowJob(rows, np.array(of_rows, np.int64), np.array(weights, np.int64)))
    return tuple(jobs)


def _jobs_of_sides(rows: Side, cols: Side) -> tuple[RowJob, ...]:
    """The same without an object per margin class: all row margins share one array of column margins."""
    row_margins, col_margins = (list(side.sorted()) for side in (rows, cols))
    margins = np.array([margin for margin, _ in col_margins], np.int64).reshape(-1, cols.lines)
    orders = np.array([orders for _, orders in col_margins], np.int64)
    if not _alike(rows, cols):
        return tuple(RowJob(margin, margins, own * orders) for margin, own in row_margins)
    jobs = []
    for i, (margin, own) in enumerate(row_margins):
        # Columns from the row margin on; any later one also stands for the transposed class.
        weights = 2 * own * orders[i:]
        weights[0] //= 2
        jobs.append(RowJob(margin, margins[i:], weights))
    return tuple(jobs)


_LARGEST_EXPONENT = 700  # of a double, nearly


def expected_tables(job: RowJob) -> np.ndarray:
    """Approximate number of tables in each margin class of a job (Good 1976, assuming the margins independent).

    Right in sum over all column margins; single classes are a few percent to a few tens of percent off.
    """
    from scipy.special import gammaln

    r, s = len(job.rows), job.cols.shape[1]

    def log_choose(total: np.ndarray | int, parts: int) -> np.ndarray:
        total = np.asarray(total)
        return gammaln(total + parts) - gammaln(total + 1) - gammaln(parts)

    rows = log_choose(np.array(job.rows), s).sum()
    cols = log_choose(job.cols, r).sum(axis=1)
    return np.exp(np.minimum(rows + cols - log_choose(job.n, r * s), _LARGEST_EXPONENT))


@lru_cache(maxsize=16)
def tables_to_visit(matrices: MatrixClass) -> int:
    """About how many tables a pass visits: those of one margin class for each set of equivalent ones.

    >>> from confmat.classes import Tables
    >>> tables_to_visit(Tables(20, 3, 3)), Tables(20, 3, 3).count()
    (57602, 2806281)
    """
    expected = [expected_tables(job) for job in row_jobs(matrices)]
    weighted = sum(float(part @ job.weights) for part, job in zip(expected, row_jobs(matrices)))
    share = sum(float(part.sum()) for part in expected) / weighted if weighted else 0
    return int(matrices.count() * Fraction(share))  # counts may be beyond doubles


# A shard is about this many tables (under a second), unless that makes more than so many shards.
_TABLES_PER_SHARD = 10**9
_MOST_SHARDS = 128


def shards(matrices: MatrixClass) -> list[tuple[int, ...]]:
    """Positions in ``row_jobs(matrices)``, grouped into shards of similar cost, the dearest shard first.

    Deterministic: the same class gives the same shards on every machine (a checkpoint depends on it).
    """
    jobs = row_jobs(matrices)
    s = max(matrices.shape)
    costs = [
        expected_tables(job).sum() + sum(number_of_states(half, s) for half in split_rows(job.rows, s))
        for job in jobs
    ]
    # Row margins with as many pairs within rows stay together: their laws of (m, A, B, P) are added up.
    together: dict[int, list[int]] = {}
    for i, job in enumerate(jobs):
        together.setdefault(sum(comb(x, 2) for x in job.rows), []).append(i)
    dear = {a: sum(costs[i] for i in members) for a, members in together.items()}
    # Longest processing time first: each group goes to the shard that has least so far.
    order = sorted(together, key=lambda a: (-dear[a], a))
    wanted = min(_MOST_SHARDS, max(4, int(sum(costs) / _TABLES_PER_SHARD)))
    groups: list[list[int]] = [[] for _ in range(min(wanted, len(order)))]
    loads = [(0.0, g) for g in range(len(groups))]
    for a in order:
        load, g = min(loads)
        groups[g] += together[a]
        loads[g] = (load + dear[a], g)
    return [tuple(group) for group in sorted(groups, key=lambda group: -sum(costs[i] for i in group))]
