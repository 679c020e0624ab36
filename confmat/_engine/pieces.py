"""Chunks of an enumeration, and its amount of work, computed from the margins of a class alone.

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

# Tables are few where NumPy visits them within a second or so, in so many sets of columns; a step of NumPy takes as
# long as those of so many tables.  So many places take as long to be laid out as a table to be visited.
FEW_STEPS = 10**7
_OVERHEAD = 1000
_PLACES_PER_TABLE = 30

# Numbers that a block lays out at most (8 bytes each), where it can be cut; small ones are put together up to so many.
MOST_PLACES = 2**26
_TOGETHER = 2**21

# A piece makes so many tables of half tables, or visits so many; more of a run that would have too many pieces.
_TABLES_PER_PIECE = 2 * 10**7
_TABLES_PER_WALK = 2 * 10**6
_MOST_PIECES = 256

# Each part of a row margin that is cut lists all its states: a tenth of its time if it holds so many tables a state.
_TABLES_PER_STATE = 20000

# Of the places such a share is filled: 0.17 at (25,5,5), 0.13 at (40,4,4), 0.05 at (60,3,3), 0.02 at (60,2,4).
_FILLED = 0.13

# Steps of ``STEP`` seconds: of a table made of half tables, a place laid out, a split of column margins between halves,
# a state of a half, a row margin whose halves are listed, a table that is visited itself.
PAIRED, PLACE, SPLIT, STATE, LISTING, VISITED = 1, 5, 75, 500, 1_500_000, 625
STEP = 8e-10

# A pair with more sets of columns that compete counts as several.
_SETS_OF_PAIR = 6

# What is larger is no double.
LARGEST_DOUBLE = 10**300


@dataclass(frozen=True)
class Lines:
    """Pairs (A, B) of some margins, in order, and the values of P that each may have: the smallest one and the first
    place.
    """

    a: np.ndarray
    b: np.ndarray
    bottoms: np.ndarray
    starts: np.ndarray

    @property
    def number(self) -> int:
        """Return the number of triples (A, B, P)."""
        return int(self.starts[-1])


# Margin classes with one row margin, and the place of each among the pairs (A, B) of the class.
PlacedJob = tuple[RowJob, np.ndarray]


@dataclass(frozen=True)
class Work:
    """Amount of work of an enumeration, from the margins alone.

    ``visited``: about how many tables a pass visits, those of one margin class for each set of equivalent ones.
    ``of_pairs``: the same for each pair (A, B) of ``lines``. ``jobs``: row margins with each A. ``distances``:
    largest number of values of m. ``places``: largest number of (m, A, B, P). ``signatures``: upper bound of their
    number, ``expected``: estimate. ``octets_of_places``: bytes that store which occur, a bit for each, or 4 bytes
    for each that occurs.
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
        """Return numbers of pairs of half tables, of splits of column margins between the halves, and of states, by
        pair (A, B).

        ``states`` are those of all halves with this A, because all are listed if one is required.
        """
        numbers = np.zeros((3, len(self.lines.a)))
        for together in self.jobs.values():
            states = 0.0
            for job, _ in together:
                states += float(min(states_listed(job.rows, job.cols.shape[1]), LARGEST_DOUBLE))
            for job, places in together:
                # The same columns over two rows: the points of the upper half of its rows, and of the lower half.
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
    # Counts may be beyond doubles.
    share = Fraction(float(of_pairs.sum()) / members) if members else 0
    visited = ceil(members_of(matrices) * share)
    # A best matching covers n/s points at least.
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
    """Chunk of work that makes one block: the pairs (A, B) from ``first`` to ``end`` of all of the class.

    It is ``walked``, table by table, or made of half tables, with ``places`` and ``tables`` as in ``Work``.
    ``steps`` are those of one pass; half tables need one pass for each prime.
    """

    first: int
    end: int
    tables: float
    places: int
    steps: int
    walked: bool

    def part_of(self, work: Work) -> tuple[Lines, list[PlacedJob]]:
        """Return its lines, its margin classes, and the place of each of these among its own pairs.

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
    """Return the chunks of a pass, the most expensive first; ``lanes``: integers of each weight.

    Margin classes with the same A and B are in one chunk, so that no sufficient statistic is in two blocks. The
    same class gives the same chunks on every machine, which checkpoints require. Pairs with one A are split if they
    are too much for a chunk, and combined with those of the next A if they are few.

    >>> from confmat.classes import Tables
    >>> [len(pieces_of(Tables(n, 4, 4), lanes=1)) for n in (12, 30, 40)]
    [1, 40, 210]
    """
    work = work_of(matrices)
    a = work.lines.a
    ends = np.flatnonzero(np.diff(a, append=-1)) + 1
    pieces: list[Piece] = []
    filled = inf
    # All tables are visited themselves where they are few, so that nothing is compiled; or have one line.
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
    """Return the chunk of work of the margins ``first`` to ``end``, which share one A.

    Tables are visited one by one if they are few compared with the places of the histogram.
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
    """Yield the chunks of one A, split by B into about ``parts`` parts, or more if there are too many places."""
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
    """Return about how many members a class has, from its margins.

    >>> from confmat.classes import FixedMargins
    >>> about_members(FixedMargins([9, 6, 5], [8, 8, 4])), FixedMargins([9, 6, 5], [8, 8, 4]).count()
    (316, 355)
    """
    return int(sum(expected_tables(job) @ job.weights for job in row_jobs(matrices)))


def members_of(matrices: MatrixClass) -> int:
    """Return how many members a class has, or about how many if counting them would take long.

    >>> from confmat.classes import FixedMargins
    >>> members_of(FixedMargins([2, 1], [1, 1, 1]))
    3
    """
    count = matrices.count_at_once()
    return about_members(matrices) if count is None else count
