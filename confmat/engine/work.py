"""One shard of work: lists the halves of each row margin, runs a compiled loop, returns plain arrays.

The results of a shard are residues modulo the primes of the pass, so they merge in any order without overflow,
and a dictionary of NumPy arrays, so they travel to files and to other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine import numbers, reduce
from confmat.engine.equal_rows import groups
from confmat.engine.halves import AT_ONCE, Halves, binomials, lanes_of, list_halves
from confmat.engine.jobs import RowJob
from confmat.engine.numbers import digits_of_quotients, is_rounded, number_of_bins, number_of_distances
from confmat.engine.reduce import pairs_of_margin
from confmat.engine.residues import to_residues
from confmat.engine.sizes import is_walked
from confmat.engine.visits import best_matchings, pairs_within_cells, tables_with

Arrays = dict[str, np.ndarray]

WEIGHTS = ("tables", "labelings")

# Signatures in every bin of ARD, see ``Pass.wanted``.
EVERY = np.zeros((0, 1), bool)

# Cells collected before they are merged.
_ROOM = 2**20


class Stopped(Exception):
    """The kernels were told to stop before the shard was complete."""


@dataclass(frozen=True)
class Pass:
    """What one pass over a class computes: everything a worker needs besides its shard.

    ``wanted``: None for the sums of ``summarize``; else the ARD bins to collect (n + 1 x bins), empty for all.
    ``packed``: all signatures instead, see ``confmat.engine.packing``.
    """

    matrices: MatrixClass
    weight: str
    primes: tuple[int, ...]
    wanted: np.ndarray | None = None
    packed: bool = False


def is_weighted(task: Pass, job: RowJob) -> bool:
    """Whether the kernels must add up residues."""
    if task.weight == "labelings":
        return True
    if task.packed:
        return not numbers.counts_fit(task.matrices)
    return not numbers.fits_64_bits(task.matrices, job)


def _factors(weight: str, n: int, primes: tuple[int, ...]) -> np.ndarray:
    """A row per prime: the prime, then the factor of a cell with 0, 1, ..., n points modulo it."""
    rows = []
    for p in primes:
        factor, row = 1, [p, 1]
        for x in range(1, n + 1):
            factor = factor * pow(x, -1, p) % p if weight == "labelings" else 1
            row.append(factor)
        rows.append(row)
    return np.array(rows, np.uint64)


@dataclass(frozen=True)
class Prepared:
    """The arguments of the compiled loops for one row margin."""

    halves: tuple
    scratch: tuple
    weighing: tuple | None


def _prepare(job: RowJob, halves: Halves, primes: tuple[int, ...], weighted: bool) -> Prepared:
    s = job.cols.shape[1]
    size = halves.histogram_size
    scratch = (
        np.zeros(size, np.int32),
        np.zeros(halves.longest + AT_ONCE, halves.upper.pairs.dtype),
        np.zeros(size, np.int64),
    )
    weighing = None
    if weighted:
        lanes = lanes_of(len(primes))
        multiples = np.array([2**63 - 2**63 % p for p in primes] + [2**63] * (lanes - len(primes)), np.uint64)
        weighing = (np.array(primes, np.uint64), np.zeros((size, lanes), np.uint64), multiples)
    shape = (halves.stride, binomials(job.n, s))
    fields = tuple(
        (half.best, half.pairs, half.offsets, half.total, half.weights)
        for half in (halves.upper, halves.lower)
    )
    return Prepared((*fields, (np.int16(0),) * halves.sets, shape), scratch, weighing)


def prepared(task: Pass, job: RowJob, stop: np.ndarray) -> Prepared:
    """List the halves of a row margin and lay out the scratch space of the compiled loops."""
    weighted = is_weighted(task, job)
    factors = _factors(task.weight, job.n, task.primes) if weighted else None
    return _prepare(job, list_halves(job.rows, job.cols.shape[1], factors, stop), task.primes, weighted)


def scale(values: np.ndarray, task: Pass) -> np.ndarray:
    """Multiply residues (primes first) by the n! that the cell factors leave out."""
    if task.weight == "tables":
        return values
    n = task.matrices.n
    factor = np.array([factorial(n) % p for p in task.primes], np.int64)
    moduli = np.array(task.primes, np.int64)
    shape = (-1,) + (1,) * (values.ndim - 1)
    return values * factor.reshape(shape) % moduli.reshape(shape)


def summarize_jobs(task: Pass, jobs: list[RowJob], stop: np.ndarray) -> Arrays:
    primes = task.primes
    n, distances = task.matrices.n, number_of_distances(task.matrices)
    widths = comb(n, 2) + 1, number_of_bins(task.matrices, task.weight)
    # What fits 64 bits is added up plainly (lane 0 alone) and split into residues once, at the end.
    plain, modular = (
        [np.zeros((lanes, width, distances), np.int64) for width in widths] for lanes in (1, len(primes))
    )
    moduli = np.array(primes, np.int64).reshape(-1, 1, 1)
    rounded, (digits, bits) = is_rounded(task.matrices, task.weight), digits_of_quotients(task.matrices)
    quotients = np.zeros((2, digits + 1, distances), np.int64)
    moments, extremes, tables = [], [], 0
    for job in jobs:
        weighted = is_weighted(task, job)
        law, bins = modular if weighted else plain
        if is_walked(task.matrices):
            part, found, visited = walk_job(task, job, law, bins, stop)
        else:
            part, found, visited = sum_job(job, prepared(task, job, stop), law, bins, stop)
        if rounded:
            d = reduce.ard_denominator(job.a, pairs_of_margin(job.cols), comb(n, 2))
            reduce.add_quotients(part[:, 0], job.weights, d, bits, quotients)
        if not weighted:
            part = np.moveaxis(to_residues(part[:, 0], primes), 0, 1)
        moments.append((part * job.weights[:, None, None, None] % moduli)[..., ::-1])
        if rounded:
            moments[-1] = moments[-1].sum(axis=0, keepdims=True)
        extremes.append(found[..., ::-1].astype(np.int32))
        tables += int(visited.sum())
    # The compiled loops index by k - ceil(n/s); from here on m = n - k comes first.
    law, bins = (
        ((to_residues(p[0], primes) + m) % moduli).swapaxes(1, 2)[:, ::-1] for p, m in zip(plain, modular)
    )
    a = np.concatenate([np.full(len(job.cols), pairs_of_margin(np.array(job.rows))) for job in jobs])
    b = pairs_of_margin(np.concatenate([job.cols for job in jobs]))
    pairs_of_margins = np.stack([np.minimum(a, b), np.maximum(a, b)], axis=1)
    if rounded:  # moments of all margins together
        pairs_of_margins = np.zeros((len(moments), 2), np.int64)
    keys, sums = merge_cells(pairs_of_margins, np.moveaxis(np.concatenate(moments), 1, 0), primes)
    best = _extremes(jobs, np.concatenate(extremes), a, b)
    return {
        "law": scale(law, task),
        "bins": scale(bins, task),
        "keys": keys,
        "moments": scale(sums, task),
        "quotients": quotients[..., ::-1],
        "tables": np.array(tables),
        "extremes": best,
    }


def sum_job(
    job: RowJob, ready: Prepared, law: np.ndarray, bins: np.ndarray, stop: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Add one row margin to ``law`` and ``bins``; its moments, extremes and tables by margin class.

    The arrays are those of ``reduce.summarize``.
    """
    sums = _sums_by_class(job, law)
    rows = np.array(job.rows, np.int64)
    margins = (rows, job.cols, reduce.class_windows(rows, job.cols), job.weights)
    machine = (ready.halves, ready.scratch, ready.weighing, stop)
    reduce.summarize(*margins, *machine, law, bins, *sums)
    return sums


def walk_job(
    task: Pass, job: RowJob, law: np.ndarray, bins: np.ndarray, stop: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What ``sum_job`` does, for classes that are walked."""
    sums = moments, extremes, tables = _sums_by_class(job, law)
    primes = task.primes if is_weighted(task, job) else (2**62,)
    plain = RowJob(job.rows, job.cols, np.ones_like(job.weights))
    for cells, values in walked(task, plain, is_weighted(task, job), stop):
        line, m, p = cells.T
        f, bin = _disagreements(job, line, p, bins.shape[1])
        i = job.distances - 1 - m
        np.add.at(tables, line, 1)
        # Unsigned, -1 for "none" is the largest of all.
        np.minimum.at(extremes[:, 0].view(np.uint64), (line, i), f.astype(np.uint64))
        np.maximum.at(extremes[:, 1], (line, i), f)
        for q, prime in enumerate(primes):
            value = values[:, q]
            for sum_of, place in ((law, f), (bins, bin)):
                np.add.at(sum_of[q], (place, i), value * (job.weights[line] % prime) % prime)
                sum_of[q][place, i] %= prime
            for moment in range(2):
                value = value * (f % prime) % prime
                np.add.at(moments[:, q, moment], (line, i), value)
                moments[:, q, moment][line, i] %= prime
    return sums


def _disagreements(job: RowJob, line: np.ndarray, p: np.ndarray, bins: int) -> tuple[np.ndarray, np.ndarray]:
    """F of tables in the margin classes ``line`` with P pairs within cells, and the bins of their ARDs."""
    a, b, pairs = job.a, pairs_of_margin(job.cols)[line], comb(job.n, 2)
    f, d = a + b - 2 * p, reduce.ard_denominator(a, b, pairs)
    # F = 0 where D = 0.
    return f, np.minimum(f * pairs * (bins // 2) // np.maximum(d, 1), bins - 1)


def _sums_by_class(job: RowJob, law: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Moments, extremes and tables by margin class, as ``reduce.summarize`` expects them."""
    lanes, _, distances = law.shape
    moments = np.zeros((len(job.cols), lanes, 2, distances), np.int64)
    extremes = np.full((len(job.cols), 2, distances), -1, np.int64)
    return moments, extremes, np.zeros(len(job.cols), np.int64)


def _extremes(jobs: list[RowJob], found: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where each distance has its least RD, largest RD, least ARD and largest ARD.

    Shape (4, distances, 2 + r + s): F and D of the margin class (-1: no such table), its row and column margins.
    """
    pairs = comb(jobs[0].n, 2)
    d = reduce.ard_denominator(a, b, pairs)
    rows = np.concatenate([np.tile(job.rows, (len(job.cols), 1)) for job in jobs])
    cols = np.concatenate([job.cols for job in jobs])
    best = []
    for kind in range(4):
        f = found[:, kind % 2]
        entries = []
        for m in range(f.shape[1]):
            present = np.flatnonzero(f[:, m] >= 0)
            # Doubles only narrow the choice down; candidates that they cannot tell apart are compared exactly.
            value = f[present, m] / np.where(kind < 2, 1, np.maximum(d[present], 1))
            if kind % 2 == 0:
                value = -value
            chosen = present[value >= value.max() - 1e-12 * abs(value.max())] if len(present) else present
            candidates = np.column_stack([f[chosen, m], d[chosen], rows[chosen], cols[chosen]])
            entries.append(best_entry(kind, candidates))
        best.append(entries)
    return np.array(best, np.int64)


def best_entry(kind: int, candidates: np.ndarray) -> np.ndarray:
    """The entry that wins: extreme value first, then the lexicographically largest margins; -1s if there is none.

    ``kind``: 0 least RD, 1 largest RD, 2 least ARD, 3 largest ARD.
    """

    def key(entry: np.ndarray) -> tuple[Fraction, list[int]]:
        f, d = int(entry[0]), int(entry[1])
        value = Fraction(f, max(d, 1)) if kind >= 2 else Fraction(f)
        return (value if kind % 2 else -value), entry[2:].tolist()

    candidates = candidates[candidates[:, 0] >= 0]
    return max(candidates, key=key) if len(candidates) else np.full(candidates.shape[1], -1)


def collect_jobs(task: Pass, jobs: list[RowJob], stop: np.ndarray) -> Arrays:
    """Distinct (m, A, B, P) of the shard, and their weighted counts as residues (primes x cells)."""
    assert task.wanted is not None
    found: list[np.ndarray] = []
    counts: list[np.ndarray] = []
    for job in jobs:
        rows = np.array(job.rows, np.int64)
        pairs_in_cols = pairs_of_margin(job.cols)
        for first, cells, values in lines_of_job(task, job, stop):
            c, m, p = cells.T
            residues = to_residues(values[:, 0], task.primes) if values.shape[1] == 1 else values.T
            key = np.stack([m, np.full(len(m), pairs_of_margin(rows)), pairs_in_cols[first:][c], p], axis=1)
            merged, sums = merge_cells(key, residues, task.primes)
            found.append(merged)
            counts.append(sums)
    cells, residues = merge_cells(np.concatenate(found), np.concatenate(counts, axis=1), task.primes)
    return {"cells": cells, "counts": scale(residues, task)}


def lines_of_job(
    task: Pass, job: RowJob, stop: np.ndarray, prepare: Callable[..., Prepared] = prepared
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Lines (class after the first, m, P) and their values, some margin classes at a time."""
    if is_walked(task.matrices):
        for lines in walked(task, job, task.weight == "labelings", stop):
            yield 0, *lines
        return
    ready = prepare(task, job, stop)
    rows, room = np.array(job.rows, np.int64), max(_ROOM, len(ready.scratch[0]))
    cells = np.empty((room, 3), np.int64)
    values = np.empty((room, len(task.primes) if ready.weighing else 1), np.int64)
    machine = (ready.halves, ready.scratch, ready.weighing, stop, task.wanted, cells, values, room)
    first = 0
    while first < len(job.cols) and not stop[0]:
        cols = job.cols[first:]
        windows = reduce.class_windows(rows, cols)
        done, written = reduce.collect(rows, cols, windows, job.weights[first:], *machine)
        yield first, cells[:written], values[:written]
        first += done


def walked(
    task: Pass, job: RowJob, weighted: bool, stop: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Lines (class, m, P) and their values, one for each table; all tables unless ``task.wanted`` says which."""
    factors = _factors(task.weight, job.n, task.primes if weighted else ()).astype(np.int64)
    for line, tables in tables_with(job.rows, job.cols):
        if stop[0]:
            return
        m, p, weights = job.n - best_matchings(tables), pairs_within_cells(tables), job.weights[line]
        residues = []
        for prime, *of_cell in factors:
            residue, factor = weights % prime, np.array(of_cell)
            for x in tables.reshape(-1, len(line)):
                residue = residue * factor[x] % prime
            residues.append(residue)
        cells, values = np.stack([line, m, p], axis=1), np.stack(residues or [weights], axis=1)
        if task.wanted is not None and len(task.wanted):
            kept = task.wanted[m, _disagreements(job, line, p, task.wanted.shape[1])[1]]
            cells, values = cells[kept], values[kept]
        yield cells, values


def merge_cells(
    cells: np.ndarray, counts: np.ndarray, primes: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Sort the rows of ``cells`` and add up the counts (residues, primes x cells x ...) of equal ones."""
    rows, order, starts = groups(cells)
    moduli = np.array(primes, np.int64).reshape(-1, *(1,) * (counts.ndim - 1))
    return rows, np.add.reduceat(counts[:, order], starts, axis=1) % moduli
