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

from confmat._engine.halves import lanes_of, number_of_sets, share_merged, split_rows, states_listed
from confmat._engine.margins import (
    RowJob,
    expected_tables,
    pair_windows,
    pairs_of_margin,
    row_jobs,
    shares_paired,
)
from confmat._integers.arrays import distinct, ends_after, read_only
from confmat._integers.compositions import compositions_count
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

# Bytes of an enumeration table by table.
_WALK = 2**26

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
        All pairs (A, B), and the values of P that are possible for each.
    of_pairs : array of float
        Approximate number of tables for each pair (A, B) of ``lines``.
    jobs : dict
        For each A the row margins with this A, each with its column margins.
    visited : int
        Approximate number of tables to enumerate. Of equivalent margins only one pair is enumerated.
    distances : int
        Upper bound of the number of values of m = n MED.
    places : int
        Upper bound of the number of (m, A, B, P), including those that do not occur.
    signatures : int
        Upper bound of the number of (m, A, B, P) that occur.
    octets_of_places : float
        Bytes that record the (m, A, B, P) that occur: one bit for each possible one, or 4 bytes for each table.
    """

    lines: Lines
    of_pairs: np.ndarray
    jobs: dict[int, list[PlacedJob]]
    visited: int
    distances: int
    places: int
    signatures: int
    octets_of_places: float

    @cached_property
    def pairing(self) -> np.ndarray:
        """Amounts of work for each pair (A, B), an array of four rows.

        A and B are the numbers of pairs of objects in a common row and column. The first three rows count pairs of
        half tables, splits of the column sums, and states. The last row has the bytes of the states of one row
        margin, without weights. The states are those of all halves with this A, because all of them are listed if
        one is needed.
        """
        numbers = np.zeros((4, len(self.lines.a)))
        for together in self.jobs.values():
            states = 0.0
            for job, places in together:
                s = job.cols.shape[1]
                upper, lower = split_rows(job.rows, s)
                listed = float(min(states_listed(job.rows, s), LARGEST_DOUBLE))
                number = number_of_sets(len(upper), len(lower), s)
                sets = float(min(number, LARGEST_DOUBLE))
                shares = shares_paired(job)
                pairs = expected_tables(job) * shares * share_merged(job.rows, s)
                # Tables of two rows, the sums of the upper and of the lower half, with the same column sums.
                halved = RowJob((sum(upper), sum(lower)), job.cols, job.weights)
                np.add.at(numbers[0], places, pairs * max(1, sets / _SETS_OF_PAIR))
                np.add.at(numbers[1], places, expected_tables(halved) * shares)
                states += listed
                # A state has a key, bucket, pairs and best, which are in memory twice while they are sorted.
                octets = listed * (4 * sets + 48) + 12 * self.distances * job.a
                for half in (upper, lower):
                    octets += 8 * float(min(compositions_count(sum(half), s), LARGEST_DOUBLE))
                numbers[3, places] = np.maximum(numbers[3, places], octets)
            for _, places in together:
                numbers[2, places] = states
        return read_only(numbers)


@lru_cache(maxsize=16)
def work_of(matrices: MatrixClass) -> Work:
    """Return the amount of work of a class whose margins can be listed.

    >>> from confmat.classes import Tables
    >>> work = work_of(Tables(4, 2, 2))
    >>> work.visited, work.places, work.pairing[2].tolist()
    (7, 24, [4.0, 3.0, 3.0])
    """
    all_jobs = row_jobs(matrices)
    columns = [np.zeros((4, 0), np.int64)]
    tables = [np.zeros(0)]
    members = 0.0
    for job in all_jobs:
        b = pairs_of_margin(job.cols)
        window = pair_windows(np.array(job.rows), job.cols)
        columns.append(np.stack([np.full(len(b), job.a), b, *window]))
        tables.append(expected_tables(job))
        members += float(tables[-1] @ job.weights)
    *margins, least, most = np.concatenate(columns, axis=1)
    pairs_in_order, places_of_pairs = distinct(np.stack(margins, axis=1))
    ends_of_jobs = np.cumsum([*map(len, tables)])[:-1]
    jobs: dict[int, list[PlacedJob]] = {}
    for job, places_of_job in zip(all_jobs, np.split(places_of_pairs, ends_of_jobs)[1:]):
        jobs.setdefault(job.a, []).append((job, read_only(places_of_job)))
    a, b = pairs_in_order.T
    bottoms = pairs_of_margin(np.full((len(a), 1), matrices.n))
    tops = np.zeros_like(a)
    np.minimum.at(bottoms, places_of_pairs, least)
    np.maximum.at(tops, places_of_pairs, most)
    all_lines = Lines(*map(read_only, (a, b, bottoms, ends_after(tops - bottoms + 1))))
    of_pairs = read_only(np.bincount(places_of_pairs, np.concatenate(tables), len(a)))
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
        octets_of_places=min(places / 8, 4 * visited),
    )


@dataclass(frozen=True)
class Piece:
    """Task of an enumeration: all tables whose pair (A, B) has a number from ``first`` to ``end`` (exclusive).

    A and B are the numbers of pairs of objects in a common row and column. Pairs are numbered in increasing order.
    The result is one chunk of sufficient statistics. If ``walked``, tables are enumerated one by one, otherwise
    they are pairs of half tables. ``steps`` is the work of the task, and ``octets`` the bytes that it needs.
    """

    first: int
    end: int
    walked: bool
    steps: int
    octets: float

    def part_of(self, work: Work) -> tuple[Lines, list[PlacedJob]]:
        """Return the pairs (A, B) and the row margins of an enumeration that belong to this task.

        Each row margin comes with an array: for each of its column margins the index of its pair (A, B). A and B
        are the numbers of pairs of objects in a common row and column.

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

    ``lanes`` is the number of integers of each weight. A and B are the numbers of pairs of objects in a common row
    and column. Margins with the same A and B are in one task, so that no sufficient statistic is in two chunks. If
    the pairs (A, B) with one A are too much work for a task, they are split. If they are little work, they are
    combined with those of the next A. A class has the same tasks on every machine, as checkpoints require.

    >>> from confmat.classes import Tables
    >>> [len(pieces_of(Tables(n, 4, 4), lanes=1)) for n in (12, 30, 40)]
    [1, 40, 210]
    """
    work = work_of(matrices)
    walked = _is_walked(matrices, work)
    tables = work.of_pairs if walked else work.pairing[0]
    if walked:
        most_tables = max(_TABLES_PER_WALK, work.visited / _MOST_PIECES**2)
    else:
        most_tables = max(_TABLES_PER_PIECE, float(tables.sum()) / _MOST_PIECES)
    places = lanes * work.distances * np.diff(work.lines.starts)
    ranges: list[tuple[int, int]] = []
    filled = inf
    ends = np.flatnonzero(np.diff(work.lines.a, append=-1)) + 1
    for first, end in pairwise([0, *ends.tolist()]):
        part = slice(first, end)
        size = float(tables[part].sum()) / most_tables
        laid_out = 0 if walked else int(places[part].sum())
        small = size <= 1 / 4 and laid_out <= _TOGETHER / 2
        filled += max(size, laid_out / _TOGETHER)
        if small and filled <= 1:
            ranges[-1] = ranges[-1][0], end
            continue
        filled = max(size, laid_out / _TOGETHER) if small else inf
        # Consecutive pairs (A, B) with equal shares of the tables, or of the histograms.
        parts = size
        shares = tables[part] / tables[part].sum()
        if not walked:
            parts = min(parts, float(tables[part].sum()) / work.pairing[2, first] / _TABLES_PER_STATE)
            parts = max(parts, laid_out / MOST_PLACES)
            shares = np.maximum(shares, places[part] / laid_out)
        number = np.floor(np.cumsum(shares) * (parts / shares.sum()))
        cuts = first + 1 + np.flatnonzero(np.diff(number))
        ranges += pairwise([first, *cuts.tolist(), end])
    pieces = []
    for first, end in ranges:
        pieces.append(_piece(work, first, end, walked, lanes))
    return tuple(sorted(pieces, key=attrgetter("steps"), reverse=True))


def _is_walked(matrices: MatrixClass, work: Work) -> bool:
    """Return whether tables are enumerated one by one, and not counted as pairs of half tables.

    This is the case for few tables, for which nothing is compiled. It is also the case for tables with one row or
    column, which have no halves. The third case is many more possible (m, A, B, P) than tables.
    """
    if work.places > _PLACES_PER_TABLE * work.visited:
        return True
    lines, columns = sorted(matrices.shape)
    if lines == 1:
        return True
    sets_of_columns = sum(map(partial(comb, columns), range(lines + 1)))
    return (work.visited + _OVERHEAD) * sets_of_columns <= FEW_STEPS


def _piece(work: Work, first: int, end: int, walked: bool, lanes: int) -> Piece:
    """Return the task of the pairs (A, B) numbered from ``first`` to ``end`` (exclusive).

    A and B are the numbers of pairs of objects in a common row and column.
    """
    if walked:
        tables = work.of_pairs[first:end].sum()
        return Piece(first, end, walked, int(VISITED * tables), _WALK)
    paired, splits, states, octets = work.pairing[:, first:end]
    a = work.lines.a[first:end]
    starts = work.lines.starts
    places = work.distances * int(starts[end] - starts[first])
    steps = PAIRED * paired.sum() + PLACE * places
    steps += SPLIT * splits.sum()
    rows_listed, firsts = np.unique(a, return_index=True)
    steps += STATE * states[firsts].sum()
    for a_of_rows in rows_listed.tolist():
        steps += LISTING * len(work.jobs[a_of_rows])
    # Residues of the weights are stored with the states and in the histogram.
    residues = lanes_of(lanes) if lanes > 1 else 0
    octets_of_residues = residues * (16 * states + 8 * work.distances * a)
    octets_of_rows = (octets + octets_of_residues).max()
    result = 8.0 * places * lanes
    return Piece(first, end, walked, lanes * int(steps), result + float(octets_of_rows))


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
