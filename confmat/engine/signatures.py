"""All distinct (m, A, B, P) of a class and their weights, held: what every question about them is answered from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.jobs import MOST_MARGIN_CLASSES, number_of_margin_classes
from confmat.engine.memory import MOST_MEMORY
from confmat.engine.numbers import expected_signatures, places_by_a, primes_of_pass, total_weight
from confmat.engine.packing import Part, arrays_of, parts_of
from confmat.engine.residues import from_residues, primes_for, to_residues
from confmat.engine.run import left as shards_left
from confmat.engine.run import results
from confmat.engine.sizes import cells_to_hold, is_sparse, tables_to_visit, window_cells
from confmat.engine.summary import collect, streams
from confmat.engine.work import EVERY, Arrays, Pass
from confmat.errors import TooLarge
from confmat.plans.methods import Resources, size, whole

# A law is held if its packed signatures take about this many bytes at most; so many of them are unpacked at a time,
# for what is computed of them to stay in the processor's cache, and the results put together of so many.
MOST_BYTES = 2**30
BLOCK = 2**16
AT_ONCE = 2**23

# Those at one m are kept unpacked while it is asked about, if they are no more.
_UNPACKED = 2**21

# Bytes of the weight of a signature, about (each prime: 4).
_BYTES = 4

# Classes with more places than tables are held up to so many places.
_SMALL = 2**24

# So many signatures are held as arrays at most where sums of them would do.
_MOST_LISTED = 10**6

# Signatures (rows m, A, B, P; int64) and their weights: int64 where the sum of all fits, else Python ints.
Block = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Signatures:
    """The signatures of a class: packed, by A, or as arrays (``listed``) where they are few.

    A and B are those of the enumerated orientation (r <= s; rows >= cols when r = s).

    >>> from confmat.classes import Tables
    >>> held = hold(Tables(4, 2, 2), "tables", Resources())
    >>> [(cells.tolist(), weights.tolist()) for cells, weights in held.blocks()]
    [([[0, 2, 2, 2], [0, 3, 3, 3], [1, 3, 2, 1], [2, 2, 2, 0], [2, 3, 3, 1]], [2, 4, 8, 1, 4])]
    """

    parts: tuple[Part, ...]
    listed: Block
    primes: tuple[int, ...]
    plain: bool
    _recent: dict[int, list[Block]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _counts(self) -> np.ndarray:
        """How many signatures each part has (a row) at each m."""
        return np.array([part.counts for part in self.parts]).reshape(len(self.parts), -1)

    @cached_property
    def _weights(self) -> np.ndarray:
        """Sums of the weights of all parts at each m (a row), for each prime."""
        return np.sum([part.weights for part in self.parts], axis=0) % np.array(self.primes)

    @cached_property
    def levels(self) -> list[int]:
        """The values of m that occur."""
        found = set(np.unique(self.listed[0][:, 0]).tolist())
        if self.parts:
            found |= set(np.flatnonzero(self._counts.any(axis=0)).tolist())
        return sorted(found)

    def __len__(self) -> int:
        return len(self.listed[0]) + sum(int(part.before[-1].sum()) for part in self.parts)

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(map(self.weight, self.levels))

    def _listed_at(self, m: int) -> slice:
        return slice(*np.searchsorted(self.listed[0][:, 0], [m, m + 1]).tolist())

    def weight(self, m: int) -> int:
        """Sum of the weights at m."""
        if self.parts:
            return int(from_residues(self._weights[m][:, None], self.primes)[0])
        return int(self.listed[1][self._listed_at(m)].sum())

    def count(self, m: int) -> int:
        """How many there are at m."""
        return int(self._counts[:, m].sum()) if self.parts else len(self.listed[1][self._listed_at(m)])

    @property
    def bytes(self) -> int:
        """Memory that the packed ones take."""
        return sum(part.bytes for part in self.parts) + self.listed[0].nbytes

    def blocks(self, m: int | None = None) -> Iterator[Block]:
        """All signatures, or those at one m, some at a time, with increasing m."""
        if m is not None:
            if m not in self._recent and self.count(m) <= _UNPACKED:
                self._recent.clear()
                self._recent[m] = list(self._level(m))
            yield from self._known(m)
            return
        # Of a small class few stand at a level, and much takes as long for few as for many.
        few: list[Block] = []
        size = 0
        for block in chain.from_iterable(map(self._known, self.levels)):
            if few and size + len(block[0]) > BLOCK:
                yield _joined(few)
                few, size = [], 0
            few.append(block)
            size += len(block[0])
        if few:
            yield _joined(few)

    def _known(self, m: int) -> Iterable[Block]:
        return self._recent.get(m) or self._level(m)

    def _level(self, m: int) -> Iterator[Block]:
        if len(listed := self.listed[0][self._listed_at(m)]):
            yield listed, self.listed[1][self._listed_at(m)]
        if self.parts:
            chosen = np.flatnonzero(self._counts[:, m])
            before = np.cumsum(self._counts[chosen, m]) // BLOCK
            for some in np.split(chosen, np.flatnonzero(np.diff(before)) + 1) if len(chosen) else []:
                yield self._block(m, some)

    def _block(self, m: int, some: np.ndarray) -> Block:
        """The signatures of some parts at m.  Columns follow each other in memory, as what is computed takes them."""
        ends = np.cumsum(self._counts[some, m]).tolist()
        cells = np.empty((4, ends[-1]), np.int64)
        cells[0] = m
        lanes = self.parts[0].residues.shape[1]
        weights = np.empty((ends[-1], lanes) if lanes else ends[-1], np.int64)
        for i, first, end in zip(some, [0, *ends], ends):
            self.parts[i].unpack(m, cells[:, first:end], weights[first:end])
        if lanes:
            weights = from_residues(np.ascontiguousarray(weights.T), self.primes, self.plain)
        return cells.T, weights

    def arrays(self) -> Arrays:
        """All of it, for ``read``."""
        cells, weights = self.listed
        listed = {"listed.cells": cells, "listed.weights": to_residues(weights, self.primes)}
        return listed | arrays_of(self.parts)


def _joined(blocks: list[Block]) -> Block:
    if len(blocks) == 1:
        return blocks[0]
    cells, weights = zip(*blocks)
    return np.concatenate(cells), np.concatenate(weights)


def read(matrices: MatrixClass, weight: str, arrays: Arrays) -> Signatures:
    """The signatures of a class from ``Signatures.arrays``.

    >>> from confmat.classes import Tables
    >>> held = hold(Tables(4, 2, 2), "tables", Resources())
    >>> read(Tables(4, 2, 2), "tables", held.arrays()).total
    19
    """
    primes, plain = _moduli(matrices, weight)
    packed = {name: array for name, array in arrays.items() if not name.startswith("listed.")}
    listed = arrays["listed.cells"], from_residues(arrays["listed.weights"], primes, plain)
    return Signatures(tuple(parts_of(packed)), listed, primes, plain)


def left(matrices: MatrixClass, weight: str, resources: Resources) -> float:
    """Share of the pass that ``hold`` has yet to do: what of it is not in the checkpoint."""
    if resources.checkpoint is None:
        return 1.0
    stage = "cells" if by_table(matrices, weight) else "signatures"
    return shards_left(matrices, stage, resources.checkpoint)


@lru_cache(maxsize=16)
def bytes_to_hold(matrices: MatrixClass, weight: str) -> int:
    """About how much memory the signatures of a class take.

    >>> from confmat.classes import Tables
    >>> bytes_to_hold(Tables(30, 4, 4), "tables") < bytes_to_hold(Tables(50, 4, 4), "tables") < 2**30
    True
    """
    lanes = len(_moduli(matrices, weight)[0]) if weight == "labelings" or matrices.count() >= 2**62 else 1
    return int(sum(places_by_a(matrices)) / 8 + expected_signatures(matrices) * _BYTES * lanes)


@lru_cache(maxsize=16)
def why_not_held(matrices: MatrixClass, weight: str) -> str | None:
    """Why the signatures of a class are too many to be held, or dearer to hold than sums of them; None if they are not.

    >>> from confmat.classes import Tables
    >>> [why_not_held(Tables(*size), "tables") for size in ((50, 4, 4), (300, 2, 2), (60, 3, 3))]
    [None, None, '605,953,030 places for signatures, more than the 118,160,641 tables that sums take']
    """
    if not matrices:
        return None
    if number_of_margin_classes(matrices) > MOST_MARGIN_CLASSES:
        return None  # out of reach for any pass
    if by_table(matrices, weight):
        if not streams(matrices, weight) or (cells := cells_to_hold(matrices)) <= _MOST_LISTED:
            return None
        return f"up to {whole(cells)} signatures listed ({whole(_MOST_LISTED)} at most)"
    if (octets := bytes_to_hold(matrices, weight)) > MOST_BYTES:
        return f"signatures of {size(octets)} ({size(MOST_BYTES)} at most)"
    cells, tables = window_cells(matrices), tables_to_visit(matrices)
    if sum(places_by_a(matrices)) > _SMALL and cells > tables:
        return f"{whole(cells)} places for signatures, more than the {whole(tables)} tables that sums take"
    return None


def by_table(matrices: MatrixClass, weight: str) -> bool:
    """Whether signatures come from one table after another, and are held as arrays: there are few tables.

    >>> from confmat.classes import Tables
    >>> by_table(Tables(800, 2, 2), "tables"), by_table(Tables(20, 3, 3), "tables")
    (True, False)
    """
    return is_sparse(matrices) or not (streams(matrices, weight) or _is_large(matrices))


def _is_large(matrices: MatrixClass) -> bool:
    """Whether there are too many tables to be listed in any memory."""
    return tables_to_visit(matrices) > 2**32


def hold(matrices: MatrixClass, weight: str, resources: Resources) -> Signatures:
    """The signatures of a class, from one pass."""
    primes, plain = _moduli(matrices, weight)
    nothing = np.zeros((0, 4), np.int64), np.zeros(0, np.int64)
    if not matrices:
        return Signatures((), nothing, primes, plain)
    if by_table(matrices, weight):
        return Signatures((), collect(matrices, weight, resources), primes, plain)
    parts = [part for held in shards_of(matrices, weight, resources) for part in held.parts]
    return Signatures(
        tuple(sorted(parts, key=lambda part: (int(part.a[0]), int(part.bs[0])))), nothing, primes, plain
    )


def shards_of(matrices: MatrixClass, weight: str, resources: Resources) -> Iterator[Signatures]:
    """The signatures of a class shard after shard, as a pass makes them: nothing is kept."""
    primes, plain = _moduli(matrices, weight)
    nothing = np.zeros((0, 4), np.int64), np.zeros(0, np.int64)
    if is_sparse(matrices):
        yield from _walked(matrices, weight, resources)
        return
    task = packed_pass(matrices, weight)
    for shard in results(task, "signatures", resources):
        yield Signatures(tuple(parts_of(shard)), nothing, primes, plain)


def packed_pass(matrices: MatrixClass, weight: str) -> Pass:
    """The pass that packs the signatures of a class; TooLarge where those of one A do not fit the memory."""
    primes, _ = _moduli(matrices, weight)
    if (needed := 8 * max(places_by_a(matrices), default=0) * len(primes)) > MOST_MEMORY:
        raise TooLarge(
            f"matrices must have fewer signatures: those of {matrices!r} with one number of pairs within rows need "
            f"{needed / 2**30:.0f} GiB (limit {MOST_MEMORY / 2**30:.0f} GiB)"
        )
    return Pass(matrices, weight, primes, packed=True)


def _walked(matrices: MatrixClass, weight: str, resources: Resources) -> Iterator[Signatures]:
    """The same where the class is walked table by table."""
    primes, (_, plain) = primes_of_pass(matrices, weight), _moduli(matrices, weight)
    task = Pass(matrices, weight, primes, EVERY)
    for shard in results(task, "cells", resources):
        yield Signatures((), (shard["cells"], from_residues(shard["counts"], primes, plain)), primes, plain)


def _moduli(matrices: MatrixClass, weight: str) -> tuple[tuple[int, ...], bool]:
    """Moduli beyond every weight (2^62 where no kernel multiplies), and whether 64 bits hold the sum of all."""
    most = total_weight(matrices, weight)
    plain = most < 2**62
    return ((2**62,) if weight == "tables" and plain else primes_for(most)), plain
