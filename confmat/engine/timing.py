"""What an enumeration costs, from timing a small part of it: margin classes of the very class, on the thread that asks.

What listing a state, making a table, looking at a cell and filling a place take there tells what all of them take.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from confmat.engine.costs import Enumeration, Found, cost_of, expected, rough
from confmat.engine.jobs import (
    MOST_MARGIN_CLASSES,
    RowJob,
    expected_tables,
    number_of_margin_classes,
    row_jobs,
    shares_paired,
)
from confmat.engine.numbers import number_of_bins, number_of_distances, places_by_a
from confmat.engine.packing import pack_jobs, parts_of
from confmat.engine.sizes import is_walked, sizes_of, tables_to_visit
from confmat.engine.work import (
    EVERY,
    Prepared,
    collect_jobs,
    is_weighted,
    lines_of_job,
    prepared,
    sum_job,
    walk_job,
    walked,
)
from confmat.plans.methods import Cost

# How much is timed: so many jobs at most; tables in one of them, fewer if these take long (seconds); states listed for
# one, and for all.
_SAMPLES = 8
_SAMPLED_TABLES = 2e7
_LONG = 0.3
_WALKED_TABLES = 3e5
_SAMPLED_STATES = 2 * 10**6


def measured(asked: Enumeration, described: int, threads: int) -> Cost:
    """The cost of an enumeration, with ``described`` statistics described, from timing parts of the class.

    >>> from confmat.classes import Tables
    >>> 0 < measured(Enumeration(Tables(25, 3, 3), "tables", True), 2, 1).seconds < 60
    True
    """
    if not asked.matrices or number_of_margin_classes(asked.matrices) > MOST_MARGIN_CLASSES:
        return rough(asked, described, threads)
    found = (_walked if is_walked(asked.matrices) else _enumerated)(asked)
    return cost_of(asked, found, described, threads)


def _enumerated(asked: Enumeration) -> Found:
    """Time parts of some jobs, dear and cheap ones; what each thing costs there tells the whole."""
    from scipy.optimize import nnls

    jobs, sizes = row_jobs(asked.matrices), sizes_of(asked.matrices)
    lanes = asked.lanes
    few = np.flatnonzero(sizes.states <= max(_SAMPLED_STATES / lanes, sizes.states.min()))
    by_cost = few[np.argsort(sizes.pairings[few])]
    # Positions at even shares of the total cost, so that the jobs that matter are the ones timed.
    shares = np.cumsum(sizes.pairings[by_cost]) / sizes.pairings[by_cost].sum()
    samples = int(np.clip(_SAMPLED_STATES / lanes / np.median(sizes.states[few]), 2, _SAMPLES))
    chosen = sorted({int(by_cost[np.searchsorted(shares, x)]) for x in np.linspace(0.05, 0.95, samples)})
    _timed(asked, jobs[chosen[0]], prepared, 1)  # compiles, or loads what was compiled
    halves, pairs = zip(*(_sampled(asked, jobs[i], _SAMPLED_TABLES / lanes) for i in chosen))
    listing, parts = sum(halves) / sizes.states[chosen].sum(), [part for both in pairs for part in both]
    rates = nnls(np.array([part.work for part in parts]), np.array([part.enumerating for part in parts]))[0]
    seconds = float(asked.work() @ [listing, *rates])
    places, signatures, octets = np.sum([part.held for part in parts], axis=0)
    found = expected(asked, seconds)
    if not asked.task.packed:
        return found
    share = sum(places_by_a(asked.matrices)) / places
    return replace(found, signatures=signatures * share, bytes=octets * share)


@dataclass(frozen=True)
class _Timed:
    """Seconds of enumerating tables, cells and places (``work``); places, signatures, bytes."""

    enumerating: float
    work: tuple[float, float, float]
    held: tuple[int, int, int]


def _sampled(asked: Enumeration, job: RowJob, most: float) -> tuple[float, list[_Timed]]:
    """Seconds that listing the halves of a job takes, and samples of its tables that are made of these."""
    start = time.thread_time()
    listed = prepared(asked.task, job, np.zeros(1, np.uint8))
    took = time.thread_time() - start
    few = _timed(asked, job, lambda *_: listed, most / 64)
    most *= _LONG / max(_LONG, 64 * few.enumerating)
    # Margin classes with few tables for a cell, and with many: what each of them takes is told apart.
    order = np.argsort(expected_tables(job) / job.cells(job.windows), kind="stable")
    sides = (
        RowJob(job.rows, job.cols[half], job.weights[half])
        for half in np.array_split(order, min(2, len(order)))
    )
    return took, [few, *(_timed(asked, side, lambda *_: listed, most) for side in sides)]


def _timed(asked: Enumeration, job: RowJob, prepare: Callable[..., Prepared], most: float) -> _Timed:
    """Time margin classes of a job with so many tables, on this thread, its halves as they are prepared."""
    task, stop = asked.task, np.zeros(1, np.uint8)
    sample = _sample(expected_tables(job) * shares_paired(job) + job.cells(job.windows) / 10, most)
    part = RowJob(job.rows, job.cols[sample], job.weights[sample])
    start = time.thread_time()
    held = (0, 0, 0)
    if task.packed:
        (found,) = parts_of(pack_jobs(task, [part], stop, prepare))
        held = len(found.present) * int(found.starts[-1]), int(found.before[-1].sum()), found.bytes
    elif task.wanted is not None:
        for _ in lines_of_job(task, part, stop, prepare):
            pass
    else:
        sum_job(part, prepare(task, job, stop), *_empty_sums(asked, job), stop)
    done = time.thread_time() - start
    tables, cells = float(expected_tables(part) @ shares_paired(part)), float(part.cells(part.windows).sum())
    return _Timed(done, (tables, cells, held[0]), held)


def _walked(asked: Enumeration) -> Found:
    """Time some margin classes of the dearest row margin and of a middling one, table by table."""
    task, stop, jobs = asked.task, np.zeros(1, np.uint8), row_jobs(asked.matrices)
    by_cost = [jobs[i] for i in np.argsort(sizes_of(asked.matrices).tables, kind="stable")]
    every = replace(task, wanted=EVERY)
    measured = []
    # The first visit compiles, or loads what was compiled.
    for job in (by_cost[0], by_cost[-1], by_cost[len(jobs) // 2]):
        sample = _sample(expected_tables(job), _WALKED_TABLES)
        part = RowJob(job.rows, job.cols[sample], job.weights[sample])
        start = time.thread_time()
        collect_jobs(every, [part], stop)
        if not asked.held:
            walk_job(task, part, *_empty_sums(asked, job), stop)
        took = time.thread_time() - start
        measured.append((took, sum(len(values) for _, values in walked(every, part, False, stop))))
    seconds, tables = np.sum(measured[1:], axis=0)
    return replace(expected(asked, 0.0), seconds=float(seconds / tables) * tables_to_visit(asked.matrices))


def _empty_sums(asked: Enumeration, job: RowJob) -> tuple[np.ndarray, np.ndarray]:
    task, distances = asked.task, number_of_distances(asked.matrices)
    lanes = len(task.primes) if is_weighted(task, job) else 1
    widths = comb(job.n, 2) + 1, number_of_bins(asked.matrices, asked.weight)
    law, bins = (np.zeros((lanes, width, distances), np.int64) for width in widths)
    return law, bins


def _sample(costs: np.ndarray, most: float) -> np.ndarray:
    """Positions of margin classes, evenly spread over those that are not too dear, that cost about so much."""
    small = np.flatnonzero(costs <= max(most / 4, costs.min()))
    wanted = max(1, int(len(small) * min(1.0, most / costs[small].sum())))
    return small[np.linspace(0, len(small) - 1, wanted).astype(int)]
