"""Division of an enumeration into tasks, and its amount of work, computed from the margins of a class alone.

A, B and P are the numbers of pairs of objects in a common row, column and cell. All tables with the same A and B
are in one task.

>>> from confmat.classes import Tables
>>> work = work_of(Tables(20, 3, 3))
>>> work.visited, work.places
(57603, 331254)
>>> [(piece.walked, piece.end) for piece in pieces_of(Tables(20, 3, 3), lanes=1)]
[(True, 502)]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from math import ceil, comb, inf
from operator import attrgetter

import numpy as np

from confmat._engine.halves import number_of_sets, share_merged, split_rows, states_listed
from confmat._engine.margins import (
    RowJob,
    expected_tables,
    pair_windows,
    pairs_of_margin,
    row_jobs,
    shares_paired,
)
from confmat._integers.arrays import ends_after, groups, read_only
from confmat.classes import MatrixClass

# Tables are few if NumPy enumerates them within about a second: at most FEW_STEPS tables times sets of columns.  A call
# of NumPy costs as much as _OVERHEAD tables.  A table costs as much as _PLACES_PER_TABLE cells of a histogram.
FEW_STEPS = 10**7
_OVERHEAD = 1000
_PLACES_PER_TABLE = 30

# Largest number of integers (8 bytes each) in the histogram of a task that can be split.  Small tasks are combined up
# to _TOGETHER integers.
MOST_PLACES = 2**26
_TOGETHER = 2**21

# Number of tables of a task: as pairs of half tables, and one by one.  It is larger if a run would have too many tasks.
_TABLES_PER_PIECE = 2 * 10**7
_TABLES_PER_WALK = 2 * 10**6
_MOST_PIECES = 256

# Each part of a split row margin lists all its states: a tenth of its time with this number of tables per state.
_TABLES_PER_STATE = 20000

# Fraction of the possible (m, A, B, P) that occur: 0.17 for Tables(25, 5, 5), 0.13 for (40, 4, 4), 0.05 for (60, 3, 3),
# 0.02 for (60, 2, 4).
_FILLED = 0.13

# Cost in steps of ``STEP`` seconds: a pair of half tables, a cell of a histogram, a split of column sums between
# halves, a state of a half, a row margin whose halves are listed, a table that is enumerated itself.
PAIRED, PLACE, SPLIT, STATE, LISTING, VISITED = 1, 5, 75, 500, 1_500_000, 625
STEP = 8e-10

# A pair of half tables with more sets of columns counts as several pairs.
_SETS_OF_PAIR = 6

# Larger integers are not converted to float.
LARGEST_DOUBLE = 10**300


@dataclass(frozen=True)
class Lines:
    """Pairs (A, B) of some margins, in order, and the values of P that are possible for each.

    A, B and P are the numbers of pairs of objects in a common row, column and cell. The values of P of pair i begin
    with ``bottoms[i]``. Triples (A, B, P) are numbered: those of pair i begin with ``starts[i]``.
    """

    a: np.ndarray
    b: np.ndarray
    bottoms: np.ndarray
    starts: np.ndarray

    @property
    def number(self) -> int:
        """Number of triples (A, B, P)."""
        return int(self.starts[-1])


# A row margin with its column margins, and the index of each column margin among the pairs (A, B) of the class.
PlacedJob = tuple[RowJob, np.ndarray]


@dataclass(frozen=True)
class Work:
    """Amount of work of an enumeration, from the margins alone.

    Attributes
    ----------
    lines : Lines
    of_pairs : array of float
        Approximate number of tables for each pair (A, B) of ``lines``.
    jobs : dict
        Row margins with each A.
    visited : int
        Approximate number of tables in all, for one of each set of equivalent margins.
    distances : int
        Upper bound of the number of values of m = n MED.
    places : int
        Upper bound of the number of (m, A, B, P), including those that do not occur.
    signatures, expected : int
        Upper bound and estimate of the number of (m, A, B, P) that occur.
    octets_of_places : float
        Bytes that record which occur: one bit each, or 4 bytes for each that occurs.
    """

    lines: Lines
    of_pairs: np.ndarray
    jobs: dict[int, list[PlacedJob]]
    visited: int
    distances: int
    places: int
    signatures: int
    expected: int
    octets_of_places: float

    @cached_property
    def pairing(self) -> np.ndarray:
        """Amounts of work for each pair (A, B).

        They are the numbers of pairs of half tables, of splits of the column sums, and of states.

        The array has these three rows. A and B are the numbers of pairs of objects in a common row and column. The
        states are those of all halves with this A, because all of them are listed if one is needed.
        """
        numbers = np.zeros((3, len(self.lines.a)))
        for together in self.jobs.values():
            states = 0.0
            for job, _ in together:
                states += float(min(states_listed(job.rows, job.cols.shape[1]), LARGEST_DOUBLE))
            for job, places in together:
                # Tables of two rows, the sums of the upper and of the lower half, with the same column sums.
                points_of_halves = map(sum, split_rows(job.rows, job.cols.shape[1]))
                halved = RowJob(tuple(points_of_halves), job.cols, job.weights)
                numbers[2, places] = states
                shares = shares_paired(job)
                merged = share_merged(job.rows, job.cols.shape[1])
                r = len(job.rows)
                upper_rows = r // 2
                number = number_of_sets(upper_rows, r - upper_rows, job.cols.shape[1])
                sets = min(number, LARGEST_DOUBLE)
                pairs = expected_tables(job) * shares * merged
                np.add.at(numbers[0], places, pairs * max(1, sets / _SETS_OF_PAIR))
                np.add.at(numbers[1], places, expected_tables(halved) * shares)
        return numbers


@lru_cache(maxsize=16)
def work_of(matrices: MatrixClass) -> Work:
    """Return the amount of work of a class whose margins can be listed.

    >>> from confmat.classes import Tables
    >>> work = work_of(Tables(4, 2, 2))
    >>> work.visited, work.places, work.pairing[2].tolist()
    (7, 24, [4.0, 3.0, 3.0])
    """
    columns = [np.zeros((4, 0), np.int64)]
    tables = [np.zeros(0)]
    members = 0.0
    all_jobs = sorted(row_jobs(matrices), key=attrgetter("a"))
    for job in all_jobs:
        b = pairs_of_margin(job.cols)
        window = pair_windows(np.array(job.rows), job.cols)
        columns.append(np.stack([np.full(len(b), job.a), b, *window]))
        tables.append(expected_tables(job))
        members += float(tables[-1] @ job.weights)
    all_columns = np.concatenate(columns, axis=1)
    pairs_in_order, order, starts = groups(all_columns[:2].T)
    places_of_pairs = np.empty(len(order), np.int64)
    sizes_of_groups = np.diff(starts, append=len(order))
    places_of_pairs[order] = np.arange(len(starts)).repeat(sizes_of_groups)
    ends_of_jobs = np.cumsum([*map(len, tables)])[:-1]
    jobs: dict[int, list[PlacedJob]] = {}
    for job, places_of_job in zip(all_jobs, np.split(places_of_pairs, ends_of_jobs)[1:]):
        jobs.setdefault(job.a, []).append((job, read_only(places_of_job)))
    least, most = all_columns[2:, order]
    bottoms = np.minimum.reduceat(np.where(least > most, 2**62, least), starts)
    tops = np.maximum.reduceat(np.where(least > most, -1, most), starts)
    sizes = np.maximum(0, tops - bottoms + 1)
    a, b = pairs_in_order.T
    fields = a, b, np.where(sizes > 0, bottoms, 0), ends_after(sizes)
    all_lines = Lines(*map(read_only, fields))
    of_pairs = read_only(np.add.reduceat(np.concatenate(tables)[order], starts))
    # Counts may exceed the range of float.
    share = Fraction(float(of_pairs.sum()) / members) if members else 0
    visited = ceil(members_of(matrices) * share)
    # A best matching has at least n / max(r, s) objects.
    fewest_matched = -(-matrices.n // max(matrices.shape))
    distances = matrices.n - fewest_matched + 1
    places = distances * all_lines.number
    return Work(
        all_lines,
        of_pairs,
        jobs,
        visited,
        distances,
        places,
        signatures=min(places, visited),
        expected=min(int(_FILLED * places), visited),
        octets_of_places=min(places / 8, 4 * visited),
    )


@dataclass(frozen=True)
class Piece:
    """Task of an enumeration: all tables whose pair (A, B) has a number from ``first`` to ``end`` (exclusive).

    A and B are the numbers of pairs of objects in a common row and column. The result is one chunk of sufficient
    statistics. If ``walked``, tables are enumerated one by one, otherwise they are pairs of half tables. ``steps``
    is the work of one pass. Half tables need one pass for each prime.
    """

    first: int
    end: int
    tables: float
    places: int
    steps: int
    walked: bool

    def part_of(self, work: Work) -> tuple[Lines, list[PlacedJob]]:
        """Return the pairs (A, B) and the row margins of an enumeration that belong to this task.

        Each row margin has the index of each of its column margins among the pairs. A and B are the numbers of
        pairs of objects in a common row and column.

        >>> from confmat.classes import Tables
        >>> (piece,) = pieces_of(Tables(4, 2, 2), lanes=1)
        >>> lines, jobs = piece.part_of(work_of(Tables(4, 2, 2)))
        >>> lines.starts.tolist(), [(job.rows, places.tolist()) for job, places in jobs]
        ([0, 3, 5, 8], [((2, 2), [0]), ((3, 1), [2, 1])])
        """
        pairs = slice(self.first, self.end)
        starts = work.lines.starts[self.first : self.end + 1]
        a = work.lines.a[pairs]
        bottoms = work.lines.bottoms[pairs]
        lines = Lines(a, work.lines.b[pairs], bottoms, starts - starts[0])
        jobs = []
        for a_of_jobs in np.unique(a).tolist():
            for job, places in work.jobs[a_of_jobs]:
                those = (self.first <= places) & (places < self.end)
                if those.any():
                    part = RowJob(job.rows, job.cols[those], job.weights[those])
                    jobs.append((part, places[those] - self.first))
        return lines, jobs


@lru_cache(maxsize=16)
def pieces_of(matrices: MatrixClass, lanes: int) -> tuple[Piece, ...]:
    """Return the tasks of an enumeration, the most expensive first.

    ``lanes`` is the number of integers of each weight.

    A and B are the numbers of pairs of objects in a common row and column. Margins with the same A and B are in one
    task, so that no sufficient statistic is in two chunks. A class has the same tasks on every machine, as
    checkpoints require. The pairs (A, B) of one A are split if they are too much for a task. If they are few, they
    are combined with the pairs of the next A.

    >>> from confmat.classes import Tables
    >>> [len(pieces_of(Tables(n, 4, 4), lanes=1)) for n in (12, 30, 40)]
    [1, 40, 210]
    """
    work = work_of(matrices)
    a = work.lines.a
    ends = np.flatnonzero(np.diff(a, append=-1)) + 1
    pieces: list[Piece] = []
    filled = inf
    # Tables are enumerated one by one if they are few, so that nothing is compiled, or if they have one row or column.
    lines, columns = sorted(matrices.shape)
    sets_of_columns = sum(map(partial(comb, columns), range(lines + 1)))
    visits = (work.visited + _OVERHEAD) * sets_of_columns
    are_few = lines == 1 or visits <= FEW_STEPS
    for first, end in pairwise([0, *ends.tolist()]):
        piece = _piece(work, first, end, are_few or None)
        if piece.walked:
            most_tables = max(_TABLES_PER_WALK, work.visited / _MOST_PIECES**2)
        else:
            most_tables = max(_TABLES_PER_PIECE, float(work.pairing[0].sum()) / _MOST_PIECES)
        size = piece.tables / most_tables
        laid_out = 0 if piece.walked else lanes * piece.places / _TOGETHER
        small = size <= 1 / 4 and laid_out <= 1 / 2
        filled += max(size, laid_out)
        if small and filled <= 1 and piece.walked == pieces[-1].walked:
            before = pieces[-1]
            pieces[-1] = Piece(
                before.first,
                piece.end,
                before.tables + piece.tables,
                before.places + piece.places,
                before.steps + piece.steps,
                piece.walked,
            )
            continue
        pieces += [piece] if small else _cut(work, piece, size, lanes)
        filled = max(size, laid_out) if small else inf
    return tuple(sorted(pieces, key=attrgetter("steps"), reverse=True))


def _piece(work: Work, first: int, end: int, walked: bool | None) -> Piece:
    """Return the task of the pairs (A, B) numbered from ``first`` to ``end`` (exclusive), which must have the same A.

    A and B are the numbers of pairs of objects in a common row and column. ``walked=None`` chooses the method:
    tables are enumerated one by one if most entries of the histogram would be 0.
    """
    tables = float(work.of_pairs[first:end].sum())
    starts = work.lines.starts
    places = work.distances * int(starts[end] - starts[first])
    if walked is None:
        walked = places > _PLACES_PER_TABLE * tables
    if walked:
        return Piece(first, end, tables, places, int(VISITED * tables), True)
    paired, splits, states = work.pairing[:, first:end]
    tables = float(paired.sum())
    steps = PAIRED * tables + PLACE * places
    steps += SPLIT * splits.sum() + STATE * states[0]
    row_margins = work.jobs[int(work.lines.a[first])]
    steps += LISTING * len(row_margins)
    return Piece(first, end, tables, places, int(steps), False)


def _cut(work: Work, piece: Piece, parts: float, lanes: int) -> list[Piece]:
    """Split a task into about ``parts`` tasks of consecutive margins, or more if its arrays are too large."""
    pairs = slice(piece.first, piece.end)
    if piece.walked:
        tables = work.of_pairs[pairs]
    else:
        tables = work.pairing[0, pairs]
    share = tables / tables.sum()
    if not piece.walked:
        parts = min(parts, piece.tables / work.pairing[2, piece.first] / _TABLES_PER_STATE)
        parts = max(parts, lanes * piece.places / MOST_PLACES)
        sizes = np.diff(work.lines.starts[piece.first : piece.end + 1])
        share = np.maximum(share, sizes / sizes.sum())
    number = np.floor(np.cumsum(share) * (parts / share.sum()))
    (last_of_parts,) = np.diff(number).nonzero()
    cuts = piece.first + 1 + last_of_parts
    pieces = []
    for first, end in pairwise([piece.first, *cuts.tolist(), piece.end]):
        pieces.append(_piece(work, first, end, piece.walked))
    return pieces


# --- numbers of members -----------------------------------------------------------------------------


def about_members(matrices: MatrixClass) -> int:
    """Estimate the number of members of a class from its margins.

    >>> from confmat.classes import FixedMargins
    >>> about_members(FixedMargins([9, 6, 5], [8, 8, 4])), FixedMargins([9, 6, 5], [8, 8, 4]).count()
    (316, 355)
    """
    return int(sum(expected_tables(job) @ job.weights for job in row_jobs(matrices)))


def members_of(matrices: MatrixClass) -> int:
    """Return the number of members of a class, or an estimate if counting them would take long.

    >>> from confmat.classes import FixedMargins
    >>> members_of(FixedMargins([2, 1], [1, 1, 1]))
    3
    """
    count = matrices.count_at_once()
    return about_members(matrices) if count is None else count
