"""The work of an enumeration in pieces, and how much there is, told from the margins of a class alone.

>>> from confmat.classes import Tables
>>> work = work_of(Tables(20, 3, 3))
>>> work.visited, work.places
(57603, 331254)
>>> [piece.walked for piece in pieces_of(Tables(20, 3, 3), lanes=1)]
[True]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import ceil, comb

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.jobs import (
    RowJob,
    alike,
    expected_tables,
    pairs_of_margin,
    row_jobs,
    shares_paired,
)

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
_TABLES_PER_STATE = 2000

# Of the places such a share is filled: 0.17 at (25,5,5), 0.13 at (40,4,4), 0.05 at (60,3,3), 0.02 at (60,2,4).
_FILLED = 0.13

# What is larger is no double.
_LARGEST = 10**300


@dataclass(frozen=True)
class Lines:
    """The pairs (A, B) of some margins, in order, and the P that each may have: the least, where its lines begin."""

    a: np.ndarray
    b: np.ndarray
    bottoms: np.ndarray
    starts: np.ndarray

    @property
    def number(self) -> int:
        """How many lines there are: triples (A, B, P)."""
        return int(self.starts[-1])

    @property
    def sizes(self) -> np.ndarray:
        """How many lines each pair has."""
        return np.diff(self.starts)

    def firsts(self, job: RowJob) -> np.ndarray:
        """Where the line with P = 0 of each margin class of a job is, or would be."""
        width = comb(job.n, 2) + 1
        places = np.searchsorted(self.a * width + self.b, job.a * width + pairs_of_margin(job.cols))
        return (self.starts[:-1] - self.bottoms)[places]


def lines_of(jobs: list[RowJob]) -> Lines:
    """The lines of some row margins.

    >>> lines = lines_of([RowJob((2, 1), np.array([[2, 1, 0], [1, 1, 1]]), np.array([1, 1]))])
    >>> lines.a.tolist(), lines.b.tolist(), lines.bottoms.tolist(), lines.sizes.tolist()
    ([1, 1], [0, 1], [0, 0], [1, 2])
    """
    width = comb(jobs[0].n, 2) + 1
    codes = np.concatenate([job.a * width + pairs_of_margin(job.cols) for job in jobs])
    pairs, which = np.unique(codes, return_inverse=True)
    least, most, _ = np.concatenate([job.windows for job in jobs], axis=1)
    bottoms, tops = np.full(len(pairs), 2**62), np.full(len(pairs), -1)
    real = most >= least
    np.minimum.at(bottoms, which[real], least[real])
    np.maximum.at(tops, which[real], most[real])
    sizes = np.maximum(0, tops - bottoms + 1)
    a, b = np.divmod(pairs, width)
    return Lines(a, b, np.where(sizes > 0, bottoms, 0), np.concatenate([[0], np.cumsum(sizes)]))


@dataclass(frozen=True)
class _Group:
    """Row margins with one A, by position in ``row_jobs``; for each B of theirs lines, and tables about.

    ``visited``: those of one margin class for each set of equivalent ones; ``paired``: those made of half tables, from
    so many ``splits`` of column margins between the halves, which have so many ``states``.
    """

    jobs: tuple[int, ...]
    lines: Lines
    visited: np.ndarray
    paired: np.ndarray
    splits: np.ndarray
    states: float


@dataclass(frozen=True)
class Work:
    """How much there is to enumerate, from the margins alone; ``members``: each table as often as it counts.

    ``visited`` tables, those of one margin class for each set of equivalent ones, ``paired`` of them made of half
    tables, ``states`` of which are listed; ``places`` of signatures (m, A, B, P), a bound on their number.
    """

    matrices: MatrixClass
    groups: tuple[_Group, ...]
    members: float
    distances: int

    @cached_property
    def visited(self) -> int:
        """About how many tables a pass visits, from the count of the class."""
        tables = sum(float(group.visited.sum()) for group in self.groups)
        # Counts may be beyond doubles.
        return ceil(count_or_about(self.matrices) * Fraction(tables / self.members)) if self.members else 0

    @cached_property
    def paired(self) -> float:
        """About how many tables are made of half tables."""
        return sum(float(group.paired.sum()) for group in self.groups)

    @cached_property
    def states(self) -> float:
        """Of half tables, all listed."""
        return sum(group.states for group in self.groups)

    @cached_property
    def places(self) -> int:
        """Places (m, A, B, P) that signatures may have."""
        return self.distances * sum(group.lines.number for group in self.groups)

    @property
    def steps(self) -> int:
        """Sets of columns of all tables to visit, NumPy's overhead among them: what a walk takes."""
        few, many = sorted(self.matrices.shape)
        return (self.visited + _OVERHEAD) * sum(comb(many, k) for k in range(few + 1))

    @property
    def signatures(self) -> int:
        """How many distinct (m, A, B, P) there are at most."""
        return min(self.places, self.visited)

    @property
    def expected(self) -> int:
        """How many distinct (m, A, B, P) there are, about."""
        return min(int(_FILLED * self.places), self.visited)


@lru_cache(maxsize=16)
def work_of(matrices: MatrixClass) -> Work:
    """How much there is to enumerate of a class whose margins can be listed.

    >>> from confmat.classes import Tables
    >>> work = work_of(Tables(4, 2, 2))
    >>> work.visited, work.states, work.places, work.steps
    (7, 12.0, 24, 4028)
    """
    jobs = row_jobs(matrices)
    place = {job.rows: i for i, job in enumerate(jobs)}
    groups, members = [], 0.0
    for together in alike(jobs):
        lines = lines_of(together)
        visited, paired, splits = np.zeros((3, len(lines.b)))
        for job in together:
            expected, at = expected_tables(job), np.searchsorted(lines.b, pairs_of_margin(job.cols))
            shares = shares_paired(job)
            np.add.at(visited, at, expected)
            np.add.at(paired, at, expected * shares)
            np.add.at(splits, at, expected_tables(job.halved) * shares)
            members += float(expected @ job.weights)
        states = sum(float(min(job.states, _LARGEST)) for job in together)
        jobs_of_group = tuple(place[job.rows] for job in together)
        groups.append(_Group(jobs_of_group, lines, visited, paired, splits, states))
    return Work(matrices, tuple(groups), members, jobs[0].distances if jobs else 0)


@dataclass(frozen=True)
class Piece:
    """Work of one block: row margins by position in ``row_jobs``, each with the column margins of first <= B < end.

    It is ``walked``, table by table; or ``places`` are laid out, and ``tables`` made of half tables, see ``Work``.
    """

    margins: tuple[tuple[int, int, int], ...]
    tables: float
    places: int
    splits: float
    states: float
    walked: bool

    @property
    def listed(self) -> bool:
        """Whether its block lists the lines of its signatures: bits for all places would take more."""
        return self.walked and self.places > 64 * self.tables

    @property
    def cost(self) -> float:
        """What it takes, in tables made of half tables; see ``confmat.engine.rule``."""
        if self.walked:
            return 600 * self.tables
        return self.tables + 5 * self.places + 75 * self.splits + 100 * self.states

    def jobs(self, jobs: tuple[RowJob, ...]) -> list[RowJob]:
        """Its margin classes, of all row margins of the class.

        >>> from confmat.classes import Tables
        >>> (piece,) = pieces_of(Tables(4, 2, 2), lanes=1)
        >>> [job.rows for job in piece.jobs(row_jobs(Tables(4, 2, 2)))]
        [(2, 2), (3, 1)]
        """
        parts = [jobs[i].between(first, end) for i, first, end in self.margins]
        return [job for job in parts if len(job.cols)]


def is_walked(work: Work) -> bool:
    """Whether all tables are visited themselves: they are few, so that nothing is compiled; or have one line.

    >>> from confmat.classes import Tables
    >>> [is_walked(work_of(Tables(*size))) for size in ((20, 3, 3), (40, 4, 4), (2000, 1, 2))]
    [True, False, True]
    """
    return min(work.matrices.shape) == 1 or work.steps <= FEW_STEPS


@lru_cache(maxsize=16)
def pieces_of(matrices: MatrixClass, lanes: int) -> tuple[Piece, ...]:
    """The work of a pass, the dearest first; ``lanes``: numbers that each weight takes.

    Margin classes with the same A and B stay together: no signature is in two blocks.  Deterministic: the same class
    gives the same pieces on every machine (a checkpoint depends on it).

    >>> from confmat.classes import Tables
    >>> [len(pieces_of(Tables(n, 4, 4), lanes=1)) for n in (12, 30, 40)]
    [1, 40, 206]
    """
    work = work_of(matrices)
    pieces: list[Piece] = []
    for group in work.groups:
        pieces += _pieces_of_group(work, group, lanes)
    small = [piece for piece in pieces if _is_small(piece, work, lanes)]
    large = [piece for piece in pieces if not _is_small(piece, work, lanes)]
    merged = large + _together(small, work, lanes)
    return tuple(sorted(merged, key=lambda piece: (-piece.cost, piece.margins)))


def _pieces_of_group(work: Work, group: _Group, lanes: int) -> list[Piece]:
    """The work of row margins with one A, cut by B where it is too much."""
    places = work.distances * group.lines.sizes
    walked = is_walked(work) or float(places.sum()) > _PLACES_PER_TABLE * float(group.visited.sum())
    tables = group.visited if walked else group.paired
    parts = float(tables.sum()) / _tables_per_piece(work, walked)
    if not walked:
        parts = min(parts, float(tables.sum()) / group.states / _TABLES_PER_STATE)
        parts = max(parts, lanes * float(places.sum()) / MOST_PLACES)
    share = np.maximum(tables / tables.sum(), 0 if walked else places / places.sum())
    number = np.cumsum(share) * (parts / share.sum())
    cuts = group.lines.b[1:][np.diff(np.floor(number)) > 0].tolist()
    pieces = []
    for first, end in pairwise([0, *cuts, comb(work.matrices.n, 2) + 1]):
        inside = (first <= group.lines.b) & (group.lines.b < end)
        margins = tuple((i, first, end) for i in group.jobs)
        of_part = float(tables[inside].sum()), int(places[inside].sum()), float(group.splits[inside].sum())
        pieces.append(Piece(margins, *of_part, group.states, walked))
    return pieces


def _tables_per_piece(work: Work, walked: bool) -> float:
    if walked:
        return max(_TABLES_PER_WALK, work.visited / _MOST_PIECES**2)
    return max(_TABLES_PER_PIECE, work.paired / _MOST_PIECES)


def _is_small(piece: Piece, work: Work, lanes: int) -> bool:
    few = piece.tables <= _tables_per_piece(work, piece.walked) / 4
    return few and (piece.walked or piece.places * lanes <= _TOGETHER / 2)


def _together(small: list[Piece], work: Work, lanes: int) -> list[Piece]:
    """Small pieces of neighbouring A put together: walked ones, and the others."""
    found = []
    for walked in (True, False):
        some: list[Piece] = []
        for piece in [piece for piece in small if piece.walked == walked]:
            tables, places = sum(x.tables for x in (*some, piece)), sum(x.places for x in (*some, piece))
            full = tables > _tables_per_piece(work, walked) or (not walked and places * lanes > _TOGETHER)
            if some and full:
                found.append(_merged(some))
                some = []
            some.append(piece)
        if some:
            found.append(_merged(some))
    return found


def _merged(pieces: list[Piece]) -> Piece:
    margins = tuple(margin for piece in pieces for margin in piece.margins)
    return Piece(
        margins,
        sum(piece.tables for piece in pieces),
        sum(piece.places for piece in pieces),
        sum(piece.splits for piece in pieces),
        sum(piece.states for piece in pieces),
        pieces[0].walked,
    )


# --- counts that forecasts show ---------------------------------------------------------------------


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


@lru_cache(maxsize=16)
def support_bound(matrices: MatrixClass) -> int:
    """About how many points a joint law of indices may have at most: places of signatures, or tables if fewer.

    >>> from confmat.classes import Tables
    >>> support_bound(Tables(4, 2, 2)), Tables(4, 2, 2).count()
    (7, 19)
    """
    bound = work_of(matrices).signatures
    count = matrices.count_at_once()
    return bound if count is None else min(bound, count)
