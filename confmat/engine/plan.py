"""What an enumeration will cost, before it starts: tables to visit, time and memory on this machine.

The number of tables is exact in sum and estimated by margin class; the time is that of a small sample of the very
class, timed now, scaled by a linear cost model: so much a state of a half, a visited table, a histogram cell.
Sparse classes cost so much a visited table, and a sum of moments (a distance in a margin class) or a cell held.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import islice
from math import comb, factorial

import numpy as np
from numpy.polynomial import Polynomial

from confmat.classes import MatrixClass
from confmat.engine import reduce
from confmat.engine.halves import number_of_states, split_rows
from confmat.engine.jobs import (
    MOST_MARGIN_CLASSES,
    RowJob,
    expected_tables,
    number_of_margin_classes,
    row_jobs,
    tables_to_visit,
)
from confmat.engine.memory import check_memory, memory_of_job, memory_of_moments, memory_of_sums
from confmat.engine.run import cores
from confmat.engine.signatures import bytes_to_hold, can_hold
from confmat.engine.sizes import cells_to_hold
from confmat.engine.summary import streams
from confmat.engine.tablewise import pair_sums
from confmat.engine.work import (
    Pass,
    is_sparse,
    is_weighted,
    lines_of_job,
    number_of_distances,
    prepared,
    primes_of_pass,
    sum_job,
    walk_job,
)
from confmat.shown import html_table

_SAMPLED_JOBS = 8

# What a distinct (m, A, B, P) takes where all are held, by the number of primes, the length of its weight: a
# polynomial of the time on one thread, to be merged and described, and of the memory.
_SECONDS_PER_CELL = Polynomial([1.7e-6, 2.4e-7, 5e-9])
_MEMORY_OF_CELL = Polynomial([200, 28])
_INTERPRETER = 150 * 2**20

# What a packed signature costs to be described, by the bytes that it takes.
_SECONDS_PER_BYTE = 1e-7

# What a moment of a margin class at one distance takes, modulo one prime, where there are hardly more tables.
_SECONDS_PER_MOMENT = 4.2e-7

_SAMPLED_TABLES = 3e7
_WALKED_TABLES = 3e5


# Ways to the law: what the plan prints.
PASSES = "passes over the margin classes"
MEMBERS = "member by member, as margins do not tell what is a member"

_TIMED_MEMBERS = 2000


@dataclass(frozen=True)
class Plan:
    """Estimated cost of the law of (MED, RD, ARD).

    ``matrices``: exact number; ``tables``: visited once a pass, after symmetry; ``seconds``: wall clock on
    ``threads`` threads; ``memory``: peak bytes; ``cells``: bound on the points of the joint law; ``passes``: one
    over the class where its signatures are held, else two; ``method``: which way it goes.  ``seconds`` is None when
    the class is out of reach by far.
    """

    matrices: int
    margin_classes: int
    tables: int
    threads: int
    seconds: float | None
    memory: int
    cells: int = 0
    passes: int = 2
    method: str = PASSES

    def _repr_html_(self) -> str:
        return html_table("Estimated cost of the law of (MED, RD, ARD)", ["", ""], vars(self).items())


def plan(matrices: MatrixClass, weight: str = "tables", threads: int | None = None) -> Plan:
    """Estimate the cost of the law of (MED, RD, ARD) over a class; takes a second or so, some ten with 7 columns.

    Within 25 % of the run for runs over 5 s on an otherwise idle machine.

    >>> from confmat.classes import Tables
    >>> estimate = plan(Tables(12, 3, 3))
    >>> estimate.matrices, estimate.seconds < 10
    (93258, True)
    """
    threads = threads or cores()
    count = matrices.count()
    if not matrices.has_margins:
        return _plan_of_members(matrices, count)
    if number_of_margin_classes(matrices) > MOST_MARGIN_CLASSES:
        r, s = matrices.shape
        symmetries = factorial(r) * factorial(s) * (2 if r == s else 1)
        return Plan(count, number_of_margin_classes(matrices), count // symmetries, threads, None, 0)
    jobs = row_jobs(matrices)
    if not jobs or count == 0:
        return Plan(count, 0, 0, threads, 0.0, 0)
    tables, margins = tables_to_visit(matrices), sum(len(job.cols) for job in jobs)
    task = Pass(matrices, weight, primes_of_pass(matrices, weight))
    held = can_hold(matrices, weight)
    passes = 1 if held else 2
    busy = min(threads, len(jobs))
    if is_sparse(matrices):
        seconds = tables * _seconds_per_walked_table(task, jobs) / busy
        if streams(matrices, weight):
            seconds += _SECONDS_PER_MOMENT * margins * number_of_distances(matrices) * len(task.primes)
    else:
        check_memory(task)
        costs = np.array([_costs(job) for job in jobs])
        costs[:, 1] *= tables / costs[:, 1].sum()
        seconds = float(costs.sum(axis=0) @ _rates(task, jobs, costs)) / busy * passes
    if not streams(matrices, weight):
        seconds += float(_SECONDS_PER_CELL(len(task.primes))) * cells_to_hold(matrices)
    elif held:
        seconds += _SECONDS_PER_BYTE * bytes_to_hold(matrices, weight)
    return Plan(
        matrices=count,
        margin_classes=margins,
        tables=tables,
        passes=passes,
        threads=threads,
        seconds=seconds,
        memory=_memory(task, jobs, busy),
        cells=cells_to_hold(matrices),
    )


def _plan_of_members(matrices: MatrixClass, count: int) -> Plan:
    """The cost of visiting all members in one thread, from the first of them."""
    pair_sums(np.zeros((1, *matrices.shape), np.int64))  # compiles, or loads what was compiled
    start = time.perf_counter()
    some = list(islice(matrices, _TIMED_MEMBERS))
    if some:
        pair_sums(np.array(some, np.int64))
    seconds = (time.perf_counter() - start) / max(1, len(some)) * count
    values = min(count, (matrices.n + 1) * (comb(matrices.n, 2) + 1) ** 2)
    memory = _INTERPRETER + int(_MEMORY_OF_CELL(1)) * values
    return Plan(count, 0, count, 1, seconds, memory, cells=values, passes=1, method=MEMBERS)


def _costs(job: RowJob) -> tuple[float, float, float]:
    """States of the halves, tables, and histogram cells to look at."""
    s = job.cols.shape[1]
    states = sum(number_of_states(half, s) for half in split_rows(job.rows, s))
    return states, float(expected_tables(job).sum()), float(_cells(job).sum())


def _cells(job: RowJob) -> np.ndarray:
    """Histogram cells (P, k) of every margin class of a job."""
    return reduce.window_cells(np.array(job.rows, np.int64), job.cols)


def _rates(task: Pass, jobs: tuple[RowJob, ...], costs: np.ndarray) -> np.ndarray:
    """Seconds per state, per table and per cell, from timing parts of some jobs (dear and cheap ones)."""
    from scipy.optimize import nnls

    by_cost = np.argsort(costs[:, 1])
    # Positions at even shares of the total cost, so that the jobs that matter are the ones timed.
    shares = np.cumsum(costs[by_cost, 1]) / costs[:, 1].sum()
    chosen = sorted(
        {int(by_cost[np.searchsorted(shares, x)]) for x in np.linspace(0.05, 0.95, _SAMPLED_JOBS)}
    )
    _time_part(task, jobs[chosen[0]], 1)  # compiles, or loads what was compiled
    states_seconds, states = 0.0, 0.0
    measured, seconds = [], []
    for i in chosen:
        for share in (1, 8):
            listing, enumerating, tables, cells = _time_part(task, jobs[i], _SAMPLED_TABLES / share)
            states_seconds += listing
            states += costs[i, 0]
            measured.append((tables, cells))
            seconds.append(enumerating)
    per_table, per_cell = nnls(np.array(measured), np.array(seconds))[0]
    return np.array([states_seconds / states, per_table, per_cell])


def _seconds_per_walked_table(task: Pass, jobs: tuple[RowJob, ...]) -> float:
    """Processor time of a table in all passes, from some margin classes of the dearest and of a middling row margin."""
    by_cost = sorted(jobs, key=lambda job: float(expected_tables(job).sum()))
    every = replace(task, wanted=np.zeros((0, reduce.BINS), bool))
    stop = np.zeros(1, np.uint8)
    sums = _empty_sums(task, jobs[0]) if streams(task.matrices, task.weight) else None
    measured = []
    # The first visit compiles, or loads what was compiled.
    for job in (by_cost[0], by_cost[-1], by_cost[len(jobs) // 2]):
        sample = _sample(expected_tables(job), _WALKED_TABLES)
        part = RowJob(job.rows, job.cols[sample], job.weights[sample])
        start = time.thread_time()
        visited = sum(len(cells) for _, cells, _ in lines_of_job(every, part, stop))
        if sums is not None:
            walk_job(task, part, *sums, stop)
        measured.append((time.thread_time() - start, visited))
    seconds, tables = np.sum(measured[1:], axis=0)
    return float(seconds / tables)


def _empty_sums(task: Pass, job: RowJob) -> tuple[np.ndarray, np.ndarray]:
    lanes, distances = len(task.primes) if is_weighted(task, job) else 1, number_of_distances(task.matrices)
    law, bins = (np.zeros((lanes, width, distances), np.int64) for width in (comb(job.n, 2) + 1, reduce.BINS))
    return law, bins


def _sample(costs: np.ndarray, most: float) -> np.ndarray:
    """Positions of margin classes, evenly spread over those that are not too dear, that cost about so much."""
    small = np.flatnonzero(costs <= max(most / 4, costs.min()))
    wanted = max(1, int(len(small) * min(1.0, most / costs[small].sum())))
    return small[np.linspace(0, len(small) - 1, wanted).astype(int)]


def _time_part(task: Pass, job: RowJob, most: float) -> tuple[float, float, int, int]:
    """Time margin classes of a job with so many tables: seconds to list halves, to enumerate; tables, cells."""
    sample = _sample(expected_tables(job) + _cells(job) / 10, most)
    start = time.thread_time()
    stop = np.zeros(1, np.uint8)
    ready = prepared(task, job, stop)
    listed = time.thread_time()
    part = RowJob(job.rows, job.cols[sample], job.weights[sample])
    visited = sum_job(part, ready, *_empty_sums(task, job), stop)[-1]
    done = time.thread_time()
    return listed - start, done - listed, int(visited.sum()), int(_cells(part).sum())


def _memory(task: Pass, jobs: tuple[RowJob, ...], threads: int) -> int:
    if not streams(task.matrices, task.weight):
        return _INTERPRETER + int(_MEMORY_OF_CELL(len(task.primes))) * cells_to_hold(task.matrices)
    if can_hold(task.matrices, task.weight):
        # A third of it again while the shards are put together, and blocks of signatures with what is computed of them.
        working = max(memory_of_job(task, job) for job in jobs)
        return _INTERPRETER + threads * working + bytes_to_hold(task.matrices, task.weight) * 4 // 3 + 2**28
    working = 2**26 if is_sparse(task.matrices) else max(memory_of_job(task, job) for job in jobs)
    # The sums of each thread, their total, and that as Python integers.
    sums = (threads + 2) * memory_of_sums(task.matrices, task.weight)
    return _INTERPRETER + threads * working + sums + memory_of_moments(task.matrices, task.weight)
