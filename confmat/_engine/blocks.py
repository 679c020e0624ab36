"""Distinct sufficient statistics (m, A, B, P) of a class with their weights, in blocks; distributions are sums over
them.

A *block* has the sufficient statistics of some margins. It is made of pairs of half tables
(``confmat._engine.halves``, ``kernels``), or of tables that are visited one after another (``tables``) if they are
few or the histogram would be nearly empty. It is stored with one bit for each place (m, A, B, P), and the weights
of each m in the smallest integers that contain them.

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
    """Raised if another thread stopped the kernels."""


@dataclass(frozen=True)
class Moduli:
    """How weights are added up: modulo primes whose product exceeds their sum, or in 64 bits.

    ``plain``: True if 64 bits contain the sum, so that weights are int64. ``lanes``: integers of each weight.
    """

    primes: tuple[int, ...]
    plain: bool
    lanes: int = 1

    def whole(self, weights: np.ndarray) -> np.ndarray:
        """Return stored weights as int64, or as Python integers if they are residues."""
        if not self.primes:
            return weights
        return from_residues(np.ascontiguousarray(weights.T), self.primes, self.plain)


@lru_cache(maxsize=16)
def moduli_of(matrices: MatrixClass, weight: str) -> Moduli:
    """Return how the weights of a class are added up: as counts if these fit in 64 bits, otherwise as residues.

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
    """Sufficient statistics of some margins: those with a pair (A, B) of ``a`` and ``b`` are on a line with one place
    for each P.

    ``starts``: first line of each pair. ``bottoms``: smallest P of each pair. ``places``: a row of bits over the
    lines for each m, or, if these would be larger, the numbers of the lines that occur, by m. ``ends``: number of
    sufficient statistics up to each m. ``widths``: bytes of each weight at an m. ``weights``: these bytes, with one
    residue for each prime.
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
        """Return the ends of the weights of each m, in bytes."""
        return ends_after(np.diff(self.ends) * self.widths * max(1, len(self.primes)))

    def weights_at(self, m: int) -> np.ndarray:
        """Return the stored weights at m: one number each, or a row of residues."""
        first, end = self._weight_ends[m : m + 2].tolist()
        weights = self.weights[first:end].view(f"u{self.widths[m]}")
        if len(self.primes):
            return weights.reshape(-1, len(self.primes))
        return weights

    def unpack(self, m: int, cells: np.ndarray, weights: np.ndarray) -> None:
        """Write the sufficient statistics at m into ``cells`` (4 x N), and return their stored weights."""
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
        """Return the fields as they are stored in files."""
        arrays = {}
        for field in fields(self):
            arrays[field.name] = getattr(self, field.name)
        return arrays


# --- how a block is made ----------------------------------------------------------------------------


def block_of(matrices: MatrixClass, weight: str, piece: Piece, stop: np.ndarray | None = None) -> Block:
    """Return the block of a chunk of work. It runs in a thread, a process or a machine of a cluster.

    ``stop``: array of one uint8. If another thread sets it, the kernels return early and Stopped is raised.
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
    """Return one row for each prime: the prime, then the factor of a cell with 0, 1, ..., n objects modulo it.

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
    """Yield the sufficient statistics of every m: half tables are listed, paired, and counted by place."""
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
    """Return an array of at least ``size`` zeros that belongs to this thread."""
    zeros = getattr(_of_thread, "zeros", np.zeros(0, np.int64))
    _of_thread.zeros = np.zeros(0, np.int64)
    if len(zeros) >= size:
        return zeros
    return np.zeros(size, np.int64)


def _prepared(job: RowJob, halves: Halves, primes: tuple[int, ...]) -> tuple[tuple, tuple, tuple | None]:
    """Return the arguments of the kernels for a row margin: its half tables, zeroed memory, and the factors."""
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
    """Yield the sufficient statistics of every m from tables that NumPy visits one after another."""
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
    """Return one bit for each of ``number`` lines, set for those that are present.

    >>> _bits(np.array([0, 7]), 8).tolist()
    [129]
    """
    occurs = np.zeros(number, bool)
    occurs[present] = True
    return np.packbits(occurs)


def _packed(lines: Lines, primes: tuple[int, ...], scale: int, levels: Iterator[_Level]) -> Block:
    """Return the packed sufficient statistics of every m. Residues are multiplied by ``scale``, which the cells leave
    out.
    """
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
