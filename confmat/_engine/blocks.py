"""Chunks of distinct sufficient statistics (m, A, B, P) of a class with their weights.

m is n MED, the number of objects outside the best matching. A, B and P are the numbers of pairs of objects in a
common row, column and cell. A chunk has the sufficient statistics of some margins. It is usually made from pairs of
half tables (``halves``, ``kernels``). Tables are enumerated one by one (``tables``) if they are few, or if the
histogram would be nearly empty. A chunk stores one bit for each possible (m, A, B, P), or the numbers of those that
occur. The weights of each m are stored in the smallest type of integers that contains them.

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

# Sufficient statistics (m, A, B, P), an int64 array N x 4, and their weights: int64 if the sum over the class fits,
# otherwise Python integers.
WeightedSignatures = tuple[np.ndarray, np.ndarray]

# Sums of weights below this limit are computed in 64 bits.
PLAIN = 2**62

# Cells of histograms have 32 bits if no count exceeds this limit, otherwise 64.
LARGEST_COUNT = 2**31 - 1


class BlocksStopped(Exception):
    """Error that ends an enumeration when another thread stopped the kernels."""


@dataclass(frozen=True)
class Moduli:
    """Representation of the weights of a class: 64-bit integers, or residues modulo ``primes`` if there are any.

    The product of the primes exceeds the sum of the weights. ``plain`` is True if this sum fits into 64 bits, so
    that weights are returned as int64. ``lanes`` is the number of integers that represent a weight.
    """

    primes: tuple[int, ...]
    plain: bool
    lanes: int = 1

    def whole(self, weights: np.ndarray) -> np.ndarray:
        """Return weights as integers: int64 arrays unchanged, or residues combined to int64 or Python integers."""
        if not self.primes:
            return weights
        return from_residues(np.ascontiguousarray(weights.T), self.primes, self.plain)


@lru_cache(maxsize=16)
def moduli_of(matrices: MatrixClass, weight: str) -> Moduli:
    """Return the representation of the weights of a class: counts if these fit into 64 bits, otherwise residues.

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
    """Chunk of sufficient statistics (m, A, B, P) of some margins with their weights.

    m is n MED. A, B and P are the numbers of pairs of objects in a common row, column and cell. All triples (A, B,
    P) that may occur are numbered: a pair (A, B) has consecutive numbers for its values of P.

    Attributes
    ----------
    a, b : array of int
        A and B of each pair.
    bottoms : array of int
        Smallest P of each pair.
    starts : array of int
        Number of the first triple of each pair.
    places : array of int
        Two-dimensional: ``places[m]`` has one bit for each triple, which tells whether (m, A, B, P) occurs.
        One-dimensional, if this is smaller: the numbers of the triples that occur, first those with m = 0.
    ends : array of int
        ``ends[m]`` is the number of sufficient statistics with a smaller n MED than m.
    widths : array of int
        Bytes of one weight at each m.
    weights : array of uint8
        Bytes of the weights. With primes a weight is one residue for each prime.
    primes : array of int
        Moduli of the residues. Empty if weights are integers.
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
        """Positions in ``weights`` at which the bytes of each m = n MED begin and end."""
        return ends_after(np.diff(self.ends) * self.widths * max(1, len(self.primes)))

    def weights_at(self, m: int) -> np.ndarray:
        """Return the stored weights of the sufficient statistics with n MED = m.

        A weight is one number, or a row of residues.
        """
        first, end = self._weight_ends[m : m + 2].tolist()
        weights = self.weights[first:end].view(f"u{self.widths[m]}")
        if len(self.primes):
            return weights.reshape(-1, len(self.primes))
        return weights

    def unpack(self, m: int, cells: np.ndarray, weights: np.ndarray) -> None:
        """Write the sufficient statistics with n MED = m into ``cells`` (4 x N).

        Their stored weights are written into ``weights``.
        """
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
        """Return the fields by name, as they are stored in files."""
        arrays = {}
        for field in fields(self):
            arrays[field.name] = getattr(self, field.name)
        return arrays


# --- how a block is made ----------------------------------------------------------------------------


def block_of(matrices: MatrixClass, weight: str, piece: Piece, stop: np.ndarray | None = None) -> Block:
    """Compute the chunk of sufficient statistics of a task.

    The function runs in a thread, a process or on a machine of a cluster. ``stop`` is an array of one uint8. If
    another thread sets it, the kernels return early and BlocksStopped is raised.
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
    """Return one row for each prime: the prime, then the factors of cells with 0, 1, ..., n objects modulo the prime.

    The weight of a table is proportional to the product of the factors of its cells x. They are 1/x! for the weight
    "labelings", otherwise 1.

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


# The sufficient statistics at one m: the numbers of their triples (A, B, P), in order, and their weights (N x lanes).
_Level = tuple[np.ndarray, np.ndarray]


def _paired(
    jobs: list[PlacedJob],
    lines: Lines,
    distances: int,
    primes: tuple[int, ...],
    factors: np.ndarray | None,
    stop: np.ndarray,
) -> Iterator[_Level]:
    """Yield the sufficient statistics for each value of m = n MED, counted from pairs of half tables.

    Parameters
    ----------
    jobs : list of PlacedJob
        Row margins with their column margins.
    lines : Lines
        The possible triples (A, B, P).
    distances : int
        Number of values of m.
    primes : tuple of int
        Moduli of the weights. If there are none, tables are counted.
    factors : array of int, optional
        ``factors[p, 1 + x]`` is the factor of an entry x modulo prime p.
    stop : array
        Another thread sets it to stop the kernels.
    """
    # reads: a compiled loop is handed each array by itself
    shape = distances, lines.number, max(1, len(primes))
    numbers = _zeros(prod(shape))
    dense = numbers[: prod(shape)].reshape(shape)
    first_lines = (
        lines.starts[:-1] - lines.bottoms
    )  # numbers of (A, B, P) with P = 0, whether or not P = 0 is possible
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


# The array that a thread used last, all zeros again: allocating new memory takes longer than computing a chunk.
_of_thread = local()


def _zeros(size: int) -> np.ndarray:
    """Return an array of at least ``size`` zeros, if possible the one that this thread used last."""
    zeros = getattr(_of_thread, "zeros", np.zeros(0, np.int64))
    _of_thread.zeros = np.zeros(0, np.int64)
    if len(zeros) >= size:
        return zeros
    return np.zeros(size, np.int64)


def _prepared(job: RowJob, halves: Halves, primes: tuple[int, ...]) -> tuple[tuple, tuple, tuple | None]:
    """Return the arguments of the kernels for a row margin: half tables, zeroed memory, and the primes."""
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
        # All rows but the largest determine a table, so that no cell has a larger count.
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
    """Yield the sufficient statistics for each value of m = n MED, counted from tables that NumPy enumerates.

    The arguments are those of ``_paired``.
    """
    moduli = np.array(primes or (PLAIN,), np.int64)
    # Fewer than 2^31 tables are enumerated, so that 64 bits suffice for the sums of residues.
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
    """Return an array of ``number`` bits, packed into bytes. The bits at the indices ``present`` are set.

    >>> _bits(np.array([0, 7]), 8).tolist()
    [129]
    """
    occurs = np.zeros(number, bool)
    occurs[present] = True
    return np.packbits(occurs)


def _packed(lines: Lines, primes: tuple[int, ...], scale: int, levels: Iterator[_Level]) -> Block:
    """Return a chunk with the sufficient statistics (m, A, B, P) of some margins and their weights.

    ``lines`` has the possible triples (A, B, P). ``levels`` yields, for each m = n MED, the triples that occur and
    their weights. If ``primes`` are given, weights are residues modulo these, and are multiplied by ``scale`` here.
    Otherwise they are numbers of tables, and ``scale`` is 1.
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
