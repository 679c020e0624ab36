"""What an enumeration will cost, before it starts: tables to visit, time and memory on this machine.

The number of tables is exact in sum and estimated by margin class; the time is that of a small sample of the very
class, timed now, scaled by a linear cost model: so much a state of a half, a visited table, a histogram cell.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine import reduce
from confmat.engine.halves import number_of_states, split_rows
from confmat.engine.jobs import RowJob, expected_tables, row_jobs
from confmat.engine.run import cores
from confmat.engine.work import (
    Pass,
    check_memory,
    is_sparse,
    memory_of_job,
    memory_of_sums,
    prepared,
    primes_of_pass,
    sum_job,
)

_SAMPLED_JOBS = 8

# Sparse classes are walked table by table: about a microsecond each with what follows, in little memory.
_SECONDS_PER_WALKED_TABLE = 1e-6
_MEMORY_OF_SPARSE = 2**30

_SAMPLED_TABLES = 3e7

# Classes whose margin classes alone are too many to list are refused on the count.
MOST_MARGIN_CLASSES = 2 * 10**7


@dataclass(frozen=True)
class Plan:
    """Estimated cost of the law of (MED, RD, ARD): two passes over the class.

    ``matrices``: exact number; ``tables``: visited once a pass, after symmetry; ``seconds``: wall clock on
    ``threads`` threads; ``memory``: peak bytes; ``cells``: bound on the points of the joint law.  ``seconds`` is
    None when the class is out of reach by far.
    """

    matrices: int
    margin_classes: int
    tables: int
    threads: int
    seconds: float | None
    memory: int
    cells: int = 0


def number_of_margin_classes(matrices: MatrixClass) -> int:
    """Upper estimate of the number of margin classes: pairs of partitions, without listing them.

    >>> from confmat.classes import Tables
    >>> from confmat.classes import margin_classes
    >>> len(list(margin_classes(Tables(20, 3, 3)))), number_of_margin_classes(Tables(20, 3, 3))
    (561, 1251)
    """
    n = matrices.n

    def partitions_into(parts: int) -> Fraction:
        # Partitions of n into at most k parts: close to C(n + k(k+1)/2 - 1, k - 1)/k! (an upper bound).
        return Fraction(comb(n + parts * (parts + 1) // 2 - 1, parts - 1), factorial(parts))

    r, s = matrices.shape
    return int(partitions_into(r) * partitions_into(s) / (2 if r == s else 1)) + 1


def plan(matrices: MatrixClass, weight: str = "tables", threads: int | None = None) -> Plan:
    """Estimate the cost of the law of (MED, RD, ARD) over a class; takes about a second once warm.

    Within 25 % of the run for runs over 5 s on an otherwise idle machine.

    >>> from confmat.classes import Tables
    >>> estimate = plan(Tables(12, 3, 3))
    >>> estimate.matrices, estimate.seconds < 10
    (93258, True)
    """
    threads = threads or cores()
    count = matrices.count()
    several = getattr(matrices, "rows", None) is None or getattr(matrices, "cols", None) is None
    if several and number_of_margin_classes(matrices) > MOST_MARGIN_CLASSES:
        r, s = matrices.shape
        symmetries = factorial(r) * factorial(s) * (2 if r == s else 1)
        return Plan(count, number_of_margin_classes(matrices), count // symmetries, threads, None, 0)
    jobs = row_jobs(matrices)
    if not jobs or count == 0:
        return Plan(count, 0, 0, threads, 0.0, 0)
    costs = np.array([_costs(job) for job in jobs])
    weighted = sum(float(expected_tables(job) @ job.weights) for job in jobs)
    tables = int(count * (costs[:, 1].sum() / weighted))
    costs[:, 1] *= count / weighted
    task = Pass(matrices, weight, primes_of_pass(matrices, weight))
    if is_sparse(matrices):
        seconds = tables * _SECONDS_PER_WALKED_TABLE * (len(task.primes) if weight == "labelings" else 1)
    else:
        check_memory(task)
        seconds = 2 * float(costs.sum(axis=0) @ _rates(task, jobs, costs)) / min(threads, len(jobs))
    return Plan(
        matrices=count,
        margin_classes=sum(len(job.cols) for job in jobs),
        tables=tables,
        threads=threads,
        seconds=seconds,
        memory=_MEMORY_OF_SPARSE if is_sparse(matrices) else _memory(task, jobs, min(threads, len(jobs))),
        cells=int(costs[:, 2].sum()),
    )


def _costs(job: RowJob) -> tuple[float, float, float]:
    """States of the halves, tables, and histogram cells to look at."""
    s = job.cols.shape[1]
    states = sum(number_of_states(half, s) for half in split_rows(job.rows, s))
    return states, float(expected_tables(job).sum()), float(_cells(job).sum())


def _cells(job: RowJob) -> np.ndarray:
    """Histogram cells (P, k) of every margin class of a job."""
    return reduce.window_cells(np.array(job.rows, np.int64), job.cols)


def support_bound(matrices: MatrixClass) -> int:
    """An upper bound on the number of points of a joint law of indices: histogram cells, or matrices if fewer.

    >>> from confmat.classes import Tables
    >>> support_bound(Tables(20, 3, 3)), Tables(20, 3, 3).count()
    (291499, 2806281)
    """
    return min(sum(int(_cells(job).sum()) for job in row_jobs(matrices)), matrices.count())


def _rates(task: Pass, jobs: tuple[RowJob, ...], costs: np.ndarray) -> np.ndarray:
    """Seconds per state, per table and per cell, from timing parts of some jobs (dear and cheap ones)."""
    from scipy.optimize import nnls

    by_cost = np.argsort(costs[:, 1])
    # Positions at even shares of the total cost, so that the jobs that matter are the ones timed.
    shares = np.cumsum(costs[by_cost, 1]) / costs[:, 1].sum()
    chosen = sorted(
        {int(by_cost[np.searchsorted(shares, x)]) for x in np.linspace(0.05, 0.95, _SAMPLED_JOBS)}
    )
    _time_part(task, jobs[chosen[0]], _sample(jobs[chosen[0]], 1))  # compiles, or loads what was compiled
    states_seconds, states = 0.0, 0.0
    measured, seconds = [], []
    for i in chosen:
        for share in (1, 8):
            sample = _sample(jobs[i], _SAMPLED_TABLES / share)
            listing, enumerating, tables, cells = _time_part(task, jobs[i], sample)
            states_seconds += listing
            states += costs[i, 0]
            measured.append((tables, cells))
            seconds.append(enumerating)
    per_table, per_cell = nnls(np.array(measured), np.array(seconds))[0]
    return np.array([states_seconds / states, per_table, per_cell])


def _sample(job: RowJob, tables: float) -> np.ndarray:
    """Positions of margin classes, evenly spread over those that are not too large, with about so many tables."""
    expected = expected_tables(job) + _cells(job) / 10
    small = np.flatnonzero(expected <= max(tables / 4, expected.min()))
    wanted = max(1, int(len(small) * min(1.0, tables / expected[small].sum())))
    return small[np.linspace(0, len(small) - 1, wanted).astype(int)]


def _time_part(task: Pass, job: RowJob, sample: np.ndarray) -> tuple[float, float, int, int]:
    """Time some margin classes of a job: seconds to list halves, to enumerate; tables, cells."""
    start = time.thread_time()
    stop = np.zeros(1, np.uint8)
    ready = prepared(task, job, stop)
    listed = time.thread_time()
    part = RowJob(job.rows, job.cols[sample], job.weights[sample])
    n, s = job.n, job.cols.shape[1]
    distances, lanes = n - -(-n // s) + 1, len(task.primes) if ready.weighing else 1
    law, bins = (np.zeros((lanes, width, distances), np.int64) for width in (comb(n, 2) + 1, reduce.BINS))
    visited = sum_job(part, ready, law, bins, stop)[-1]
    done = time.thread_time()
    return listed - start, done - listed, int(visited.sum()), int(_cells(part).sum())


def _memory(task: Pass, jobs: tuple[RowJob, ...], threads: int) -> int:
    n, s = task.matrices.n, max(task.matrices.shape)
    distances = n - -(-n // s) + 1
    working = max(memory_of_job(task, job) for job in jobs)
    sums = memory_of_sums(task.matrices, task.weight)
    a = {sum(comb(x, 2) for x in job.rows) for job in jobs}
    b = {int(x) for job in jobs for x in np.unique((job.cols * (job.cols - 1) // 2).sum(axis=1))}
    keys = len(a) * len(b) // (2 if a == b else 1)
    interpreter = 150 * 2**20
    return interpreter + threads * (working + sums) + 3 * 8 * keys * 2 * distances * len(task.primes)
