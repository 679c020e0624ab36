"""Signatures packed: the weights of all distinct (m, A, B, P) of a class, one bit a place and few bytes a weight.

Row margins with equal A are added up together.  Their *lines* are the pairs (B, P) that may occur; at each m a bit
says for every line whether it does, and the weights of those that do follow each other in 1, 2, 4 or 8 bytes each
(residues: 4 bytes for each prime).  All of (50,4,4), 10^8 signatures, takes 0.4 GB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields

import numpy as np

from confmat.engine import reduce
from confmat.engine.jobs import RowJob, alike
from confmat.engine.lines import Lines, lines_of
from confmat.engine.numbers import number_of_distances
from confmat.engine.reduce import pairs_of_margin
from confmat.engine.sizes import is_walked
from confmat.engine.work import Arrays, Pass, Prepared, is_weighted, prepared, scale, walked

_SIZES = (np.uint8, np.uint16, np.uint32, np.int64)

# The four sizes that a byte of ``sizes`` stands for, a byte each.
_CODES = (np.arange(256)[:, None] >> np.array([6, 4, 2, 0]) & 3).astype(np.uint8).view(np.uint32).ravel()


@dataclass(frozen=True)
class Part:
    """The signatures with one A, and all or some of the B.

    ``present``: a row of bits for each m, over the lines; ``before[m]``: how many weights of each size come before
    those of m; ``sizes``: two bits for each weight, an index to ``_SIZES``, and the weights ``of_1`` to ``of_8`` bytes;
    ``residues`` (weights x primes) where they are residues, then all of size 0.
    """

    a: np.ndarray
    bs: np.ndarray
    bottoms: np.ndarray
    starts: np.ndarray
    present: np.ndarray
    before: np.ndarray
    sizes: np.ndarray
    of_1: np.ndarray
    of_2: np.ndarray
    of_4: np.ndarray
    of_8: np.ndarray
    residues: np.ndarray

    @property
    def bytes(self) -> int:
        """Memory that it takes."""
        return sum(getattr(self, field.name).nbytes for field in fields(self))

    @property
    def counts(self) -> np.ndarray:
        """How many signatures it has at each m."""
        return np.diff(self.before.sum(axis=1))

    @property
    def weights(self) -> np.ndarray:
        """Sum of the weights at each m (a row); of residues, one for each prime."""
        plain = [kept[:, None] for kept in (self.of_1, self.of_2, self.of_4, self.of_8)]
        found = np.zeros((len(self.before) - 1, 1), np.int64)
        for code, kept in enumerate([self.residues] if self.residues.shape[1] else plain):
            sums = np.cumsum(np.pad(kept, ((1, 0), (0, 0))), axis=0, dtype=np.int64)
            found = found + np.diff(sums[self.before[:, code]], axis=0)
        return found

    def unpack(self, m: int, cells: np.ndarray, weights: np.ndarray) -> None:
        """Write A, B and P of the signatures at m into ``cells[1:]``, and their weights (of residues a row each)."""
        (lines,) = np.unpackbits(self.present[m], count=self.starts[-1]).view(bool).nonzero()
        ends = lines.searchsorted(self.starts)
        counts = ends[1:] - ends[:-1]
        cells[1] = self.a[0]
        cells[2] = self.bs.repeat(counts)
        np.add(lines, (self.bottoms - self.starts[:-1]).repeat(counts), out=cells[3])
        before, after = self.before[m : m + 2]
        first, last = before.sum(), after.sum()
        if self.residues.shape[1]:
            weights[:] = self.residues[first:last]
            return
        size = _CODES[self.sizes[first // 4 : -(-last // 4)]].view(np.uint8)[first % 4 :][: last - first]
        for code, kept in enumerate((self.of_1, self.of_2, self.of_4, self.of_8)):
            if before[code] < after[code]:
                weights[size == code] = kept[before[code] : after[code]]


def pack_jobs(
    task: Pass, jobs: list[RowJob], stop: np.ndarray, prepare: Callable[..., Prepared] = prepared
) -> Arrays:
    """The signatures of margin classes, for each A, as arrays; ``prepare`` lists the halves of a row margin."""
    return arrays_of(_pack(task, group, stop, prepare) for group in alike(jobs))


def arrays_of(parts: Iterable[Part]) -> Arrays:
    """The fields of parts, under the names "number.field"."""
    return {f"{i}.{x.name}": getattr(part, x.name) for i, part in enumerate(parts) for x in fields(Part)}


def parts_of(shard: Arrays) -> list[Part]:
    """The parts of ``arrays_of``."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for name, array in shard.items():
        number, field = name.split(".")
        found.setdefault(number, {})[field] = array
    return [Part(**arrays) for arrays in found.values()]


def _pack(task: Pass, jobs: list[RowJob], stop: np.ndarray, prepare: Callable[..., Prepared]) -> Part:
    """Enumerate the row margins with one A and pack their signatures."""
    windows = [job.windows for job in jobs]
    lines = lines_of(jobs, windows)
    weighted = is_weighted(task, jobs[0])
    lanes = len(task.primes) if weighted else 1
    dense = np.zeros((number_of_distances(task.matrices), lines.number, lanes), np.int64)
    first = lines.starts[:-1] - lines.bottoms
    for job, window in zip(jobs, windows):
        first_lines = first[np.searchsorted(lines.bs, pairs_of_margin(job.cols))]
        if is_walked(task.matrices):
            for cells, values in walked(task, job, weighted, stop):
                c, m, p = cells.T
                place = m, first_lines[c] + p
                np.add.at(dense, place, values)
                dense[place] %= task.primes if weighted else 2**62
            continue
        ready = prepare(task, job, stop)
        machine = (ready.halves, ready.scratch, ready.weighing, stop)
        rows = np.array(job.rows, np.int64)
        reduce.gather(rows, job.cols, window, job.weights, first_lines, *machine, dense)
    present = np.asarray(dense.any(axis=2))
    weights = dense[present]
    residues = np.zeros((0, 0), np.uint32)
    if weighted:
        residues = scale(weights.T, task).T.astype(np.uint32)
        weights = np.zeros((len(weights), 1), np.int64)
    return packed(jobs[0].a, lines, present, weights[:, 0], residues)


def packed(a: int, lines: Lines, present: np.ndarray, weights: np.ndarray, residues: np.ndarray) -> Part:
    """The one packing of signatures: where they are (m x lines), and their weights, or residues and zeros.

    >>> lines = Lines(np.array([3, 6]), np.array([2, 5]), np.array([0, 2, 3]))
    >>> present, none = np.array([[True, False, True]]), np.zeros((0, 0), np.uint32)
    >>> part = packed(3, lines, present, np.array([7, 300]), none)
    >>> part.of_1.tolist(), part.of_2.tolist(), part.before.tolist()
    ([7], [300], [[0, 0, 0, 0], [1, 1, 0, 0]])
    """
    size = np.searchsorted(np.array([2**8, 2**16, 2**32]), weights, side="right")
    level = np.repeat(np.arange(len(present)), present.sum(axis=1))
    before = np.zeros((len(present) + 1, 4), np.int64)
    np.add.at(before[1:], (level, size), 1)
    kept = {f"of_{2**code}": weights[size == code].astype(kind) for code, kind in enumerate(_SIZES)}
    if residues.size:
        kept["of_1"] = np.zeros(0, np.uint8)
    return Part(
        np.array([a]),
        lines.bs,
        lines.bottoms,
        lines.starts,
        np.packbits(present, axis=1),
        np.cumsum(before, axis=0),
        np.packbits(np.stack([size >> 1, size & 1], axis=1).astype(bool)),
        residues=residues,
        **kept,
    )
