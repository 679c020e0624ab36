"""Signatures packed: the weights of all distinct (m, A, B, P) of a class, one bit a place and few bytes a weight.

Row margins with equal A are added up together.  Their *lines* are the pairs (B, P) that may occur; at each m a bit
says for every line whether it does, and the weights of those that do follow each other in 1, 2, 4 or 8 bytes each
(residues: 4 bytes for each prime).  All of (50,4,4), 10^8 signatures, takes 0.4 GB.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import groupby

import numpy as np

from confmat.engine import reduce
from confmat.engine.jobs import RowJob
from confmat.engine.work import (
    Arrays,
    Pass,
    is_weighted,
    number_of_distances,
    pairs_of_margin,
    prepared,
    scale,
)

_SIZES = (np.uint8, np.uint16, np.uint32, np.int64)


@dataclass(frozen=True)
class Lines:
    """The pairs (B, P) that may occur with one A: ``bs``, and for each the least P and where its lines begin."""

    bs: np.ndarray
    bottoms: np.ndarray
    starts: np.ndarray

    @property
    def number(self) -> int:
        """How many pairs there are."""
        return int(self.starts[-1])

    def sums(self) -> np.ndarray:
        """B and P of every line, shape (2, number).

        >>> Lines(np.array([3, 6]), np.array([2, 5]), np.array([0, 2, 3])).sums().tolist()
        [[3, 3, 6], [2, 3, 5]]
        """
        sizes = np.diff(self.starts)
        return np.stack(
            [
                np.repeat(self.bs, sizes),
                np.arange(self.number) + np.repeat(self.bottoms - self.starts[:-1], sizes),
            ]
        )


@dataclass(frozen=True)
class Part:
    """The signatures with one A.

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

    def count(self, m: int) -> int:
        """How many signatures it has at m."""
        return int((self.before[m + 1] - self.before[m]).sum())

    def level(self, m: int) -> tuple[np.ndarray, np.ndarray]:
        """The signatures at m (rows m, A, B, P) and their weights, or residues of them (weights x primes)."""
        lines = Lines(self.bs, self.bottoms, self.starts)
        places = np.flatnonzero(np.unpackbits(self.present[m], count=lines.number))
        b, p = lines.sums()[:, places]
        return np.stack(
            [np.full(len(places), m), np.full(len(places), self.a[0]), b, p], axis=1
        ), self._weights(m)

    def _weights(self, m: int) -> np.ndarray:
        first, last = (int(x) for x in self.before[m : m + 2].sum(axis=1))
        if self.residues.shape[1]:
            return self.residues[first:last].astype(np.int64)
        bits = np.unpackbits(self.sizes[first // 4 : -(-last // 4)]).reshape(-1, 2)[first % 4 :][
            : last - first
        ]
        size = 2 * bits[:, 0] + bits[:, 1]
        weights = np.empty(last - first, np.int64)
        for code, kept in enumerate((self.of_1, self.of_2, self.of_4, self.of_8)):
            weights[size == code] = kept[self.before[m, code] : self.before[m + 1, code]]
        return weights


def lines_of(jobs: list[RowJob]) -> Lines:
    """The lines of row margins with one A."""
    bs, which = np.unique(np.concatenate([pairs_of_margin(job.cols) for job in jobs]), return_inverse=True)
    least, most, _ = np.concatenate(
        [reduce.class_windows(np.array(job.rows, np.int64), job.cols) for job in jobs], axis=1
    )
    bottoms, tops = np.full(len(bs), 2**62), np.full(len(bs), -1)
    real = most >= least
    np.minimum.at(bottoms, which[real], least[real])
    np.maximum.at(tops, which[real], most[real])
    sizes = np.maximum(0, tops - bottoms + 1)
    return Lines(bs, np.where(sizes > 0, bottoms, 0), np.concatenate([[0], np.cumsum(sizes)]))


def alike(jobs: list[RowJob]) -> list[list[RowJob]]:
    """Row margins in groups with equal A."""

    def pairs(job: RowJob) -> int:
        return int(pairs_of_margin(np.array(job.rows)))

    return [list(group) for _, group in groupby(sorted(jobs, key=pairs), key=pairs)]


def pack_jobs(task: Pass, jobs: list[RowJob], stop: np.ndarray) -> Arrays:
    """The signatures of a shard: the fields of a ``Part`` for each A, under the names "A.field"."""
    parts = [_pack(task, group, stop) for group in alike(jobs)]
    return {
        f"{int(part.a[0])}.{field.name}": getattr(part, field.name)
        for part in parts
        for field in fields(Part)
    }


def parts_of(shard: Arrays) -> list[Part]:
    """The parts that ``pack_jobs`` put into a shard."""
    by_a: dict[str, dict[str, np.ndarray]] = {}
    for name, array in shard.items():
        a, field = name.split(".")
        by_a.setdefault(a, {})[field] = array
    return [Part(**arrays) for arrays in by_a.values()]


def _pack(task: Pass, jobs: list[RowJob], stop: np.ndarray) -> Part:
    """Enumerate the row margins with one A and pack their signatures."""
    lines = lines_of(jobs)
    lanes = len(task.primes) if is_weighted(task, jobs[0]) else 1
    dense = np.zeros((number_of_distances(task.matrices), lines.number, lanes), np.int64)
    first = lines.starts[:-1] - lines.bottoms
    for job in jobs:
        ready = prepared(task, job, stop)
        first_lines = first[np.searchsorted(lines.bs, pairs_of_margin(job.cols))]
        machine = (ready.halves, ready.scratch, ready.weighing, stop)
        rows = np.array(job.rows, np.int64)
        windows = reduce.class_windows(rows, job.cols)
        reduce.gather(rows, job.cols, windows, job.weights, first_lines, *machine, dense)
    present = np.asarray(dense.any(axis=2))
    weights = dense[present]
    residues = np.zeros((0, 0), np.uint32)
    if is_weighted(task, jobs[0]):
        residues = scale(weights.T, task).T.astype(np.uint32)
        weights = np.zeros((len(weights), 1), np.int64)
    a = int(pairs_of_margin(np.array(jobs[0].rows)))
    return packed(a, lines, present, weights[:, 0], residues)


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
