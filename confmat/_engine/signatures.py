"""Sufficient statistics (m, A, B, P) of a class with weights in memory, or sums over them if they do not fit.

m is n MED, the number of objects outside the best matching. A, B and P are the numbers of pairs of objects in a
common row, column and cell.

>>> from confmat._limits import Limits
>>> from confmat.classes import Tables
>>> kept = enumerated(Enumeration(Tables(4, 2, 2), "tables", Limits()))
>>> [(cells.tolist(), weights.tolist()) for cells, weights in kept.blocks()]
[([[0, 2, 2, 2], [0, 3, 3, 3], [1, 3, 2, 1], [2, 2, 2, 0], [2, 3, 3, 1]], [2, 4, 8, 1, 4])]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from operator import attrgetter
from typing import Any

import numpy as np

from confmat._engine.blocks import (
    Block,
    BlockArrays,
    Moduli,
    WeightedSignatures,
    moduli_of,
)
from confmat._engine.fold import Sums
from confmat._engine.run import Enumeration
from confmat._integers.arrays import ends_after, portions
from confmat._limits import size
from confmat.classes import MatrixClass
from confmat.errors import TooLargeError

# Number of sufficient statistics that are unpacked at a time, so that computations stay in the processor's cache.  The
# second is the number in a result that is concatenated from such parts.
SIGNATURES_OF_BLOCK = 2**16
SIGNATURES_READ_AT_ONCE = 2**23


@dataclass(frozen=True)
class Signatures:
    """Sufficient statistics (m, A, B, P) of a class with their weights, in chunks.

    m is n MED. A, B and P are the numbers of pairs of objects in a common row, column and cell of the enumerated
    table. It is the transpose of a table of the class if `is_transposed`. If the class contains the transposes of
    its tables, only one of a table and its transpose is enumerated.
    """

    kept: tuple[Block, ...]
    moduli: Moduli

    @cached_property
    def _counts(self) -> np.ndarray:
        """Number of sufficient statistics in each chunk (row) with each m = n MED (column)."""
        if not self.kept:
            return np.zeros((0, 0), np.int64)
        return np.diff(list(map(attrgetter("ends"), self.kept)))

    @cached_property
    def weights(self) -> list[int]:
        """Sum of the weights for each m = n MED."""
        primes = self.moduli.primes
        sums = []
        for m in range(self._counts.shape[1]):
            # With primes a weight is a row of residues, otherwise one number.
            at_m: Any = 0
            for block in self.kept:
                at_m += block.weights_at(m).sum(axis=0, dtype=np.int64)
            if primes:
                at_m = self.moduli.whole((at_m % np.array(primes))[None])[0]
            sums.append(int(at_m))
        return sums

    def __len__(self) -> int:
        """Return the number of sufficient statistics."""
        return int(self._counts.sum())

    def count(self, m: int) -> int:
        """Return the number of sufficient statistics with n MED = m."""
        return int(self._counts[:, m].sum())

    def blocks(self, m: int | None = None) -> Iterator[WeightedSignatures]:
        """Yield arrays of sufficient statistics (N x 4) and of their weights, with increasing n MED.

        ``m`` selects one value of n MED. Default: all.
        """
        for cells, weights in self.as_kept(m):
            yield cells, self.moduli.whole(weights)

    def as_kept(self, m: int | None = None) -> Iterator[WeightedSignatures]:
        """Yield the same as ``blocks``, but with the weights as they are stored.

        A stored weight is one number, or a row of residues if there are primes. Columns are contiguous in memory.
        """
        counts = self._counts
        if m is not None:
            counts = np.zeros_like(counts)
            counts[:, m] = self._counts[:, m]
        lanes = (self.moduli.lanes,) if self.moduli.primes else ()
        levels, blocks = counts.T.nonzero()
        sizes = counts[blocks, levels]
        for places in portions(sizes, SIGNATURES_OF_BLOCK):
            ends = ends_after(sizes[places]).tolist()
            cells = np.empty((4, ends[-1]), np.int64)
            weights = np.empty((ends[-1], *lanes), np.int64)
            for level, i, (first, end) in zip(levels[places].tolist(), blocks[places], pairwise(ends)):
                self.kept[i].unpack(level, cells[:, first:end], weights[first:end])
            yield cells.T, weights

    def arrays(self) -> BlockArrays:
        """Return the fields of all chunks by name, as ``read`` takes them.

        The fields of chunk 0 are named "0.a", "0.b", ...
        """
        named: BlockArrays = {}
        for i, block in enumerate(self.kept):
            named |= {f"{i}.{name}": array for name, array in block.arrays().items()}
        return named


def joined(parts: Iterable[WeightedSignatures]) -> WeightedSignatures:
    """Return two arrays: all sufficient statistics of the chunks ``parts``, and all weights.

    >>> cells, weights = joined([(np.array([[1, 3, 2, 1]]), np.array([8])), (np.array([[0, 2, 2, 2]]), np.array([2]))])
    >>> cells.tolist(), weights.tolist()
    ([[1, 3, 2, 1], [0, 2, 2, 2]], [8, 2])
    """
    columns = [np.zeros((4, 0), np.int64)]
    weights = [np.zeros(0, np.int64)]
    for cells, of_cells in parts:
        columns.append(cells.T)
        weights.append(of_cells)
    return np.concatenate(columns, axis=1).T, np.concatenate(weights)


def read(matrices: MatrixClass, weight: str, arrays: BlockArrays) -> Signatures:
    """Return the sufficient statistics of a class from the result of ``Signatures.arrays``.

    >>> from confmat._limits import Limits
    >>> from confmat.classes import Tables
    >>> kept = enumerated(Enumeration(Tables(4, 2, 2), "tables", Limits()))
    >>> sum(read(Tables(4, 2, 2), "tables", kept.arrays()).weights)
    19
    """
    fields: dict[int, BlockArrays] = {}
    for name, array in arrays.items():
        number, _, field_name = name.partition(".")
        fields.setdefault(int(number), {})[field_name] = array
    blocks = []
    for number_of_block in sorted(fields):
        blocks.append(Block(**fields[number_of_block]))
    return Signatures(tuple(blocks), moduli_of(matrices, weight))


def enumerated(enumeration: Enumeration) -> Signatures | Sums:
    """Enumerate a class and return its sufficient statistics, or sums over them if they do not fit in memory.

    >>> from confmat._limits import Limits
    >>> from confmat.classes import Tables
    >>> type(enumerated(Enumeration(Tables(20, 3, 3), "tables", Limits()))).__name__
    'Signatures'
    """
    if enumeration.fits() is False:
        return summed_up(enumeration)
    kept: list[Block] = []
    octets = 0
    memory = enumeration.limits.most()[1]
    blocks = enumeration.chunks()
    for block in blocks:
        kept.append(block)
        octets += sum(map(attrgetter("nbytes"), block.arrays().values()))
        if octets > memory:
            statistics = f"the sufficient statistics of {enumeration.matrices!r}"
            raise TooLargeError(f"{statistics} need more memory than the limit of {size(memory)}")
        if octets > enumeration.limit_of_kept and enumeration.is_foldable:
            # Each chunk is released when it is added.
            kept_before = (kept.pop() for _ in range(len(kept)))
            return _added_up(enumeration, chain(kept_before, blocks))
    kept.sort(key=lambda block: (int(block.a[0]), int(block.b[0])))
    return Signatures(tuple(kept), enumeration.moduli)


def summed_up(enumeration: Enumeration) -> Sums:
    """Enumerate a class and return sums over its sufficient statistics, without storing them.

    >>> from confmat._limits import Limits
    >>> from confmat.classes import Tables
    >>> sum(summed_up(Enumeration(Tables(20, 3, 3), "tables", Limits())).weights)
    2806281
    """
    return _added_up(enumeration, enumeration.chunks())


def _added_up(enumeration: Enumeration, blocks: Iterable[Block]) -> Sums:
    """Return sums over the sufficient statistics of some chunks."""
    sums = Sums(enumeration.matrices, enumeration.moduli)
    for block in blocks:
        sums.add(Signatures((block,), enumeration.moduli).as_kept())
    return sums
