"""How much there is to enumerate, and how many distinct values statistics may have, from the margins of a class alone.

Every forecast comes from these numbers, so they are found once for a class.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import heapreplace
from itertools import pairwise
from math import comb

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.jobs import RowJob, alike, expected_tables, row_jobs, shares_paired
from confmat.engine.lines import lines_of
from confmat.engine.reduce import pairs_of_margin

# What is larger is no double.
_LARGEST = 10**300


@dataclass(frozen=True)
class Sizes:
    """Arrays with an entry for each row margin, in the order of ``row_jobs``; of ``lines`` for each A.

    ``states`` of the halves, ``tables`` expected (``pairings``: those made of half tables, ``members``: each table as
    often as it counts), ``cells`` (P, k) that they may lie in, ``histograms``: cells laid out.  ``b``: the values of B.
    """

    states: np.ndarray
    tables: np.ndarray
    pairings: np.ndarray
    members: np.ndarray
    cells: np.ndarray
    histograms: np.ndarray
    lines: np.ndarray
    b: np.ndarray


@lru_cache(maxsize=16)
def sizes_of(matrices: MatrixClass) -> Sizes:
    """The sizes of a class.

    >>> from confmat.classes import Tables
    >>> sizes = sizes_of(Tables(4, 2, 2))
    >>> sizes.states.tolist(), sizes.cells.tolist(), sizes.histograms.tolist(), sizes.lines.tolist()
    ([6.0, 6.0], [13.0, 9.0], [9.0, 6.0], [3, 5])
    """
    jobs = row_jobs(matrices)
    place = {job.rows: i for i, job in enumerate(jobs)}
    states, tables, pairings, members, cells, histograms = np.zeros((6, len(jobs)))
    lines = []
    for group in alike(jobs):
        windows = [job.windows for job in group]
        lines.append(lines_of(group, windows))
        for job, window in zip(group, windows):
            i, expected = place[job.rows], expected_tables(job)
            states[i] = min(job.states, _LARGEST)
            tables[i], members[i] = expected.sum(), expected @ job.weights
            pairings[i] = expected @ shares_paired(job)
            cells[i], histograms[i] = job.cells(window).sum(), min(job.histogram_cells, _LARGEST)
    numbers = np.array([one.number for one in lines], np.int64)
    b = np.unique(np.concatenate([np.zeros(0, np.int64), *(one.bs for one in lines)]))
    return Sizes(states, tables, pairings, members, cells, histograms, numbers, b)


def tables_to_visit(matrices: MatrixClass) -> int:
    """About how many tables a pass visits: those of one margin class for each set of equivalent ones.

    >>> from confmat.classes import Tables
    >>> tables_to_visit(Tables(20, 3, 3)), Tables(20, 3, 3).count()
    (57602, 2806281)
    """
    sizes = sizes_of(matrices)
    members = float(sizes.members.sum())
    # Counts may be beyond doubles.
    return int(count_or_about(matrices) * Fraction(float(sizes.tables.sum()) / members)) if members else 0


def about_members(matrices: MatrixClass) -> int:
    """About how many members a class has, from its margins.

    >>> from confmat.classes import FixedMargins
    >>> about_members(FixedMargins([9, 6, 5], [8, 8, 4])), FixedMargins([9, 6, 5], [8, 8, 4]).count()
    (316, 355)
    """
    return int(sum(expected_tables(job) @ job.weights for job in row_jobs(matrices)))


def fact_of_members(matrices: MatrixClass) -> dict[str, int]:
    """How many members a class has, as a fact of a plan; about how many where counting them would take long.

    >>> from confmat.classes import FixedMargins
    >>> fact_of_members(FixedMargins([2, 1], [1, 1, 1])), *fact_of_members(FixedMargins([99] * 9, [99] * 9))
    ({'matrices': 3}, 'matrices, about')
    """
    count = matrices.count_at_once()
    return {"matrices, about": about_members(matrices)} if count is None else {"matrices": count}


def count_or_about(matrices: MatrixClass) -> int:
    """How many members a class has; about how many where counting them would take long.

    >>> from confmat.classes import FixedMargins
    >>> count_or_about(FixedMargins([2, 1], [1, 1, 1])), count_or_about(FixedMargins([99] * 9, [99] * 9)) > 10**60
    (3, True)
    """
    return sum(fact_of_members(matrices).values())


# Tables are few if all of them have so many sets of columns; what NumPy takes for a step is that of so many tables.
FEW_STEPS = 10**7
_OVERHEAD = 1000


def is_sparse(matrices: MatrixClass) -> bool:
    """Whether the histograms of the class would be nearly empty: few rows and columns, many points."""
    if min(matrices.shape) == 1:
        return True
    sizes = sizes_of(matrices)
    # Emptied for each margin class, and laid out once for the row margin.
    cells = float(sizes.cells.sum() + sizes.histograms.sum())
    return cells > 10**8 and cells > 30 * float(sizes.tables.sum())


def is_walked(matrices: MatrixClass) -> bool:
    """Whether its tables are visited themselves, without histograms: it is sparse, or they are few.

    >>> from confmat.classes import Tables
    >>> [is_walked(Tables(*size)) for size in ((20, 3, 3), (40, 4, 4), (400, 2, 2), (2000, 1, 2))]
    [True, False, True, True]
    """
    return is_sparse(matrices) or steps_of_walk(matrices) <= FEW_STEPS


def steps_of_walk(matrices: MatrixClass) -> int:
    """Sets of columns of all tables to visit, NumPy's overhead among them: what a walk takes.

    >>> from confmat.classes import Tables
    >>> steps_of_walk(Tables(20, 3, 3))
    468816
    """
    few, many = sorted(matrices.shape)
    return (tables_to_visit(matrices) + _OVERHEAD) * sum(comb(many, k) for k in range(few + 1))


def window_cells(matrices: MatrixClass) -> int:
    """Histogram cells (P, k) of all margin classes to visit: as many distinct (m, A, B, P) at most.

    >>> from confmat.classes import Tables
    >>> window_cells(Tables(20, 3, 3)), window_cells(Tables(300, 2, 2))
    (291499, 12289374420)
    """
    return int(sizes_of(matrices).cells.sum())


def cells_to_hold(matrices: MatrixClass) -> int:
    """About how many distinct (m, A, B, P) the class has at most.

    >>> from confmat.classes import Tables
    >>> cells_to_hold(Tables(300, 2, 2))
    583971
    """
    return min(window_cells(matrices), tables_to_visit(matrices))


_MOST_PLACES = 2 * 10**7


@lru_cache(maxsize=16)
def support_bound(matrices: MatrixClass) -> int:
    """An upper bound on the number of points of a joint law of indices: places of signatures, or matrices if fewer.

    >>> from confmat.classes import Tables
    >>> support_bound(Tables(20, 3, 3)), Tables(20, 3, 3).count()
    (291499, 2806281)
    """
    cells = window_cells(matrices)
    # A better bound takes a table of all (m, P): 12 GiB at n = 1000.
    if cells < tables_to_visit(matrices) and (matrices.n + 1) * comb(matrices.n, 2) < min(
        cells, _MOST_PLACES
    ):
        cells = min(cells, _places(matrices))
    count = matrices.count_at_once()
    return cells if count is None else min(cells, count)


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
    for jobs in alike(row_jobs(matrices)):
        windows = [job.windows for job in jobs]
        lines = lines_of(jobs, windows)
        matched = np.zeros(len(lines.bs), np.int64)
        for job, (_, _, most_matched) in zip(jobs, windows):
            np.maximum.at(matched, np.searchsorted(lines.bs, pairs_of_margin(job.cols)), most_matched)
        tops = lines.bottoms + np.diff(lines.starts)
        total += int((before[matched, tops] - before[matched, lines.bottoms]).sum())
    return total


# A shard makes about this many tables of half tables: under a second, some minutes where shards would be too many.
_TABLES_PER_SHARD = (10**9, 6 * 10**10)
_MOST_SHARDS = (128, 2**16)

# Each part of a row margin that is cut lists all its states: a tenth of its time if it holds so many tables a state.
_TABLES_PER_STATE = 2000

# A row margin, by its position in ``row_jobs``, with column margins of ``first`` <= B < ``end``.
Piece = tuple[int, int, int]


@dataclass(frozen=True)
class Shard:
    """Pieces of work, about how many tables are made of half tables, and what they cost, in tables."""

    pieces: tuple[Piece, ...]
    tables: float
    cost: float


def jobs_of(matrices: MatrixClass, pieces: tuple[Piece, ...]) -> list[RowJob]:
    """The margin classes of some pieces."""
    jobs = row_jobs(matrices)
    return [job for i, first, end in pieces if len((job := jobs[i].between(first, end)).cols)]


@lru_cache(maxsize=16)
def shards(matrices: MatrixClass) -> tuple[Shard, ...]:
    """The work of a pass in shards of similar cost, the dearest first.

    Margin classes with as many pairs in rows and in columns stay together: their laws of (m, A, B, P) are added up.
    Deterministic: the same class gives the same shards on every machine (a checkpoint depends on it).

    >>> from confmat.classes import Tables
    >>> [shard.pieces for shard in shards(Tables(4, 2, 2))]
    [((0, 0, 7),), ((1, 0, 7),)]
    """
    jobs, sizes = row_jobs(matrices), sizes_of(matrices)
    costs = sizes.pairings + sizes.states
    few, many = (int(costs.sum() / tables) for tables in _TABLES_PER_SHARD)
    wanted = max(4, min(few, _MOST_SHARDS[0]), min(many, _MOST_SHARDS[1]))
    most = max(costs.sum() / wanted, _TABLES_PER_SHARD[0])
    place = {job.rows: i for i, job in enumerate(jobs)}
    blocks = []
    for group in alike(jobs):
        those = [place[job.rows] for job in group]
        states, tables, cost = (float(x[those].sum()) for x in (sizes.states, sizes.pairings, costs))
        parts = int(min(cost / most + 1, tables / states / _TABLES_PER_STATE))
        ends = [0, *_cuts(group, parts), comb(matrices.n, 2) + 1]
        share = len(ends) - 1
        blocks += [Shard(tuple((i, *b) for i in those), tables / share, cost / share) for b in pairwise(ends)]
    # Longest processing time first: each block goes to the shard that has least so far.
    blocks.sort(key=lambda block: (-block.cost, block.pieces))
    groups: list[list[Shard]] = [[] for _ in blocks[:wanted]]
    loads = [(0.0, g) for g in range(len(groups))]
    for block in blocks:
        load, g = loads[0]
        heapreplace(loads, (load + block.cost, g))
        groups[g].append(block)
    return tuple(sorted(map(_together, groups), key=lambda shard: -shard.cost))


def _together(blocks: list[Shard]) -> Shard:
    tables, cost = (sum(x) for x in zip(*((block.tables, block.cost) for block in blocks)))
    return Shard(tuple(piece for block in blocks for piece in block.pieces), tables, cost)


def _cuts(group: list[RowJob], parts: int) -> list[int]:
    """The B that cut row margins with one A into so many parts with as many tables, or fewer parts."""
    if parts <= 1:
        return []
    b = np.concatenate([pairs_of_margin(job.cols) for job in group])
    values, which = np.unique(b, return_inverse=True)
    tables = np.bincount(which, np.concatenate([expected_tables(job) * shares_paired(job) for job in group]))
    cuts = np.unique(np.searchsorted(np.cumsum(tables), np.arange(1, parts) / parts * tables.sum()) + 1)
    return values[cuts[cuts < len(values)]].tolist()
