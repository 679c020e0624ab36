"""The distinct (m, A, B, P) of a class with their weights, in blocks: every law is a fold over them.

A *block* holds the signatures of some margins.  It is made of half tables paired up (``confmat._engine.halves``,
``kernels``), or, where tables are few or its histogram would be nearly empty, of tables visited one after another
(``tables``).  It is kept packed: a bit for each place (m, A, B, P), the weights of each m in the smallest integers that
hold them.

>>> from confmat.classes import Tables
>>> from confmat._engine.pieces import pieces_of
>>> matrices = Tables(4, 2, 2)
>>> block = block_of(matrices, "tables", pieces_of(matrices, lanes=1)[0])
>>> block.ends.tolist(), [block.weights_at(m).tolist() for m in range(3)]
([0, 2, 3, 5], [[2, 4], [8], [1, 4]])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from itertools import pairwise
from math import factorial, prod
from threading import local
from typing import Any

import numpy as np

from confmat._engine.halves import (
    PRIMES_TOGETHER,
    Halves,
    binomials,
    lanes_of,
    list_halves,
    number_of_states,
)
from confmat._engine.kernels import MOST_IN_REGISTERS, gather
from confmat._engine.margins import RowJob
from confmat._engine.pieces import Lines, Piece, PlacedJob, work_of
from confmat._engine.tables import pairs_within_cells, tables_with
from confmat._integers.arrays import MergedChunks, ends_after, from_residues, primes_for
from confmat.classes import MatrixClass
from confmat.contingency.matching import totals_by_sets

BlockArrays = dict[str, np.ndarray]

WEIGHTS = ("tables", "labelings")

# Signatures (N x 4: m, A, B, P; int64) and their weights: int64 where the sum over the class fits, else Python ints.
WeightedSignatures = tuple[np.ndarray, np.ndarray]

# Sums below this are added up in 64 bits.
PLAIN = 2**62

# Cells of histograms have 32 bits if no count can be larger, else 64.
LARGEST_COUNT = 2**31 - 1


class BlocksStopped(Exception):
    """Another thread told the kernels to stop."""


@dataclass(frozen=True)
class Moduli:
    """How weights are added up: modulo primes whose product exceeds their sum, or in 64 bits, which needs none.

    ``plain``: whether 64 bits hold the sum, so that weights are given as int64.  ``lanes``: numbers that each takes.
    """

    primes: tuple[int, ...]
    plain: bool
    lanes: int = 1

    def whole(self, weights: np.ndarray) -> np.ndarray:
        """Weights from what is kept of them: int64, or Python ints of residues unless ``plain``."""
        if not self.primes:
            return weights
        return from_residues(np.ascontiguousarray(weights.T), self.primes, self.plain)


@lru_cache(maxsize=16)
def moduli_of(matrices: MatrixClass, weight: str) -> Moduli:
    """Weights of tables are plain counts where these fit; labelings are products of inverses, always residues.

    >>> from confmat.classes import Tables
    >>> moduli_of(Tables(40, 4, 4), "tables"), len(moduli_of(Tables(40, 4, 4), "labelings").primes)
    (Moduli(primes=(), plain=True, lanes=1), 6)
    """
    total = matrices.count() if weight == "tables" else prod(matrices.shape) ** matrices.n
    if weight == "tables" and total < PLAIN:
        return Moduli((), True)
    primes = primes_for(total)
    return Moduli(primes, total < PLAIN, len(primes))


@dataclass(frozen=True)
class Block:
    """The signatures of some margins: those with a pair (A, B) of ``a`` and ``b`` stand on a line for each P.

    ``starts``: where the lines of each pair begin, ``bottoms``: the least P of each.  ``places``: a row of bits over
    the lines for each m; or, where these would be larger, the numbers of the lines that occur, one m after the other.
    ``ends``: how many signatures there are up to each m.  ``widths``: the bytes of each weight at an m, ``weights``:
    these bytes; of residues, a weight for each prime.
    """

    a: np.ndarray
    b: np.ndarray
    bottoms: np.ndarray
    starts: np.ndarray
    places: np.ndarray
    ends: np.ndarray
    widths: np.ndarray
    weights: np.ndarray
    primes: np.ndarray

    @cached_property
    def _weight_ends(self) -> np.ndarray:
        """Where the weights of each m end, in bytes."""
        return ends_after(np.diff(self.ends) * self.widths * max(1, len(self.primes)))

    def weights_at(self, m: int) -> np.ndarray:
        """Weights at m as they are kept: one number each, or a row of residues."""
        first, end = self._weight_ends[m : m + 2].tolist()
        weights = self.weights[first:end].view(f"u{self.widths[m]}")
        if len(self.primes):
            return weights.reshape(-1, len(self.primes))
        return weights

    def unpack(self, m: int, cells: np.ndarray, weights: np.ndarray) -> None:
        """Write the signatures at m into ``cells`` (4 x N), and their weights as they are kept."""
        if self.places.ndim == 1:
            first, end = self.ends[m : m + 2]
            lines = self.places[first:end].astype(np.int64)
        else:
            occurs = np.unpackbits(self.places[m], count=self.starts[-1])
            lines = np.flatnonzero(occurs.view(bool))
        ends = lines.searchsorted(self.starts)
        counts = ends[1:] - ends[:-1]
        cells[0] = m
        cells[1] = self.a.repeat(counts)
        cells[2] = self.b.repeat(counts)
        np.add(
            lines,
            (self.bottoms - self.starts[:-1]).repeat(counts),
            out=cells[3],
        )
        weights[:] = self.weights_at(m)

    def arrays(self) -> BlockArrays:
        """The fields, as they are kept in files."""
        arrays = {}
        for field in fields(self):
            arrays[field.name] = getattr(self, field.name)
        return arrays


# --- how a block is made ----------------------------------------------------------------------------


def block_of(matrices: MatrixClass, weight: str, piece: Piece, stop: np.ndarray | None = None) -> Block:
    """The block of a piece of work, as a thread, a process or a machine of a cluster makes it.

    ``stop``: an array of one uint8; once another thread sets it, the kernels return early and Stopped is raised.
    """
    if stop is None:
        stop = np.zeros(1, np.uint8)
    work = work_of(matrices)
    lines, jobs = piece.part_of(work)
    primes = moduli_of(matrices, weight).primes
    factors = _factors(weight, matrices.n, primes) if primes else None
    make = _walked if piece.walked else _paired
    found = make(jobs, lines, work.distances, primes, factors, stop)
    block = _packed(lines, primes, factorial(matrices.n) if weight == "labelings" else 1, found)
    if stop[0]:
        raise BlocksStopped
    return block


def _factors(weight: str, n: int, primes: tuple[int, ...]) -> np.ndarray:
    """A row per prime: the prime, then the factor of a cell with 0, 1, ..., n points modulo it.

    >>> _factors("labelings", 2, (7,)).tolist()  # 1/0!, 1/1!, 1/2!
    [[7, 1, 1, 4]]
    """
    rows = []
    for p in primes:
        row = [p, 1]
        for x in range(1, n + 1):
            if weight == "labelings":
                factor = pow(x, -1, p)
            else:
                factor = 1
            row.append(row[-1] * factor % p)
        rows.append(row)
    return np.array(rows, np.uint64)


# The signatures of an m as they are found: the numbers of their lines, in order, and their weights (N x lanes).
_Level = tuple[np.ndarray, np.ndarray]


def _paired(
    jobs: list[PlacedJob],
    lines: Lines,
    distances: int,
    primes: tuple[int, ...],
    factors: np.ndarray | None,
    stop: np.ndarray,
) -> Iterator[_Level]:
    """The signatures of every m: half tables are listed and paired up, and counted by place."""
    # reads: a compiled loop is handed each array by itself
    shape = distances, lines.number, max(1, len(primes))
    numbers = _zeros(prod(shape))
    dense = numbers[: prod(shape)].reshape(shape)
    first_lines = lines.starts[:-1] - lines.bottoms  # with P = 0, or where these would be
    for job, places in jobs:
        halves = list_halves(job.rows, job.cols, factors, stop)
        machine, scratch, weighing = _prepared(job, halves, primes)
        rows = np.array(job.rows, np.int64)
        gather(
            rows,
            job.cols,
            job.windows,
            job.weights,
            first_lines[places],
            machine,
            scratch,
            weighing,
            stop,
            dense,
        )
    for at_m in dense:
        present = np.flatnonzero(at_m.any(axis=1))
        yield present, at_m[present]
        at_m[present] = 0
    _of_thread.zeros = numbers


# The numbers that a thread laid out last, all zero again: new memory takes longer than to make a block.
_of_thread = local()


def _zeros(size: int) -> np.ndarray:
    """So many zeros, or more: those of this thread, until they are given back."""
    zeros = getattr(_of_thread, "zeros", np.zeros(0, np.int64))
    _of_thread.zeros = np.zeros(0, np.int64)
    if len(zeros) >= size:
        return zeros
    return np.zeros(size, np.int64)


def _prepared(job: RowJob, halves: Halves, primes: tuple[int, ...]) -> tuple[tuple, tuple, tuple | None]:
    """What the compiled loops take for a row margin: its halves, space that is all zero, and how weights are added."""
    s = job.cols.shape[1]
    size = halves.stride * int(job.windows[1].max() + 1) + sum(job.rows) + 1
    width = halves.longest + PRIMES_TOGETHER
    index = np.uint16 if size <= 2**16 else np.uint32
    space = np.zeros(width, index), np.zeros(width, np.int16)
    histogram: np.ndarray = np.zeros(0, np.int32)
    weighing = None
    if primes:
        lanes = lanes_of(len(primes))
        multiples = [2**63 - 2**63 % p for p in primes] + [2**63] * (lanes - len(primes))
        sums = np.zeros((size, lanes), np.uint64)
        weighing = np.array(primes, np.uint64), sums, np.array(multiples, np.uint64)
    else:
        # All rows but the largest tell a table: no cell counts more.
        fits = number_of_states(job.rows[1:], s) <= LARGEST_COUNT
        histogram = np.zeros(size, np.int32 if fits else np.int64)
    sets: Any = (np.int16(0),) * halves.sets
    if halves.sets > MOST_IN_REGISTERS:
        sets = np.array(sets)
    shape = halves.stride, binomials(sum(job.rows), s)
    both = (tuple(half._replace(pairs=half.pairs.astype(index))) for half in halves[:2])
    return (*both, sets, shape), (histogram, space), weighing


def _walked(
    jobs: list[PlacedJob],
    lines: Lines,
    distances: int,
    primes: tuple[int, ...],
    factors: np.ndarray | None,
    stop: np.ndarray,
) -> Iterator[_Level]:
    """The same from tables that are visited themselves, by NumPy."""
    moduli = np.array(primes or (PLAIN,), np.int64)
    # Fewer than 2^31 tables are visited: 64 bits hold the sums of residues.
    visited = MergedChunks(2, (len(moduli),))
    for job, places_of_job in jobs:
        first_lines = (lines.starts[:-1] - lines.bottoms)[places_of_job]
        for c, tables in tables_with(job.rows, job.cols):
            if stop[0]:
                raise BlocksStopped
            places_of_tables = [
                sum(job.rows) - totals_by_sets(tables),
                first_lines[c] + pairs_within_cells(tables),
            ]
            weights = job.weights[c][:, None] % moduli
            for q, prime in enumerate(primes):
                assert factors is not None
                of_cell = factors[q, 1:].astype(np.int64)
                for x in tables.reshape(-1, len(c)):
                    weights[:, q] = weights[:, q] * of_cell[x] % prime
            visited.add(np.stack(places_of_tables, axis=1), weights)
    places, weights = visited.together()
    weights %= moduli
    ends = np.searchsorted(
        places[:, 0],
        np.arange(distances + 1),
    ).tolist()
    for first, end in pairwise(ends):
        yield places[first:end, 1], weights[first:end]


def _bits(present: np.ndarray, number: int) -> np.ndarray:
    """A bit for each of so many lines, set for those present.

    >>> _bits(np.array([0, 7]), 8).tolist()
    [129]
    """
    occurs = np.zeros(number, bool)
    occurs[present] = True
    return np.packbits(occurs)


def _packed(lines: Lines, primes: tuple[int, ...], scale: int, levels: Iterator[_Level]) -> Block:
    """Pack the signatures of every m; residues are multiplied by ``scale``, which the factors of cells leave out."""
    moduli = np.array(primes, np.int64)
    scales = (scale % moduli.astype(object)).astype(np.int64)
    present = []
    widths = []
    weights = []
    for lines_at_m, of_m in levels:
        kind = np.dtype(np.uint32 if primes else np.min_scalar_type(of_m.max(initial=0)))
        if primes:
            residues = of_m * scales % moduli
        else:
            residues = of_m
        weights.append(residues.astype(kind).ravel().view(np.uint8))
        widths.append(kind.itemsize)
        present.append(lines_at_m.astype(np.min_scalar_type(lines.number)))
    places = np.concatenate(present)
    if places.nbytes > len(present) * lines.number / 8:
        places = np.stack([_bits(lines_at_m, lines.number) for lines_at_m in present])
    return Block(
        lines.a,
        lines.b,
        lines.bottoms,
        lines.starts,
        places,
        ends_after(np.array([*map(len, present)])),
        np.array(widths),
        np.concatenate(weights),
        np.array(primes, np.int64),
    )
