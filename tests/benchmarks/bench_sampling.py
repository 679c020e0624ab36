"""Draws from (50, 4, 4) with MED, RD and ARD evaluated: vectorised NumPy against this package, in one run.

Then what the test of every draw for a member costs, and draws at fixed margins, 4 x 4 and n = 50, against SciPy's
``random_table``, which follows another law.

python tests/benchmarks/bench_sampling.py
"""

import time
from itertools import permutations
from math import comb

import numpy as np
from scipy.stats import random_table

from confmat import Limits
from confmat._engine.walks import pair_sums
from confmat.classes import FixedMargins, Tables
from confmat.sampling import stream

N, R = 50, 4


def numpy_draws(rng, size):
    """Bars among 65 places, proposals with a collision or an empty line dropped."""
    places = N + R * R - 1
    bars = np.sort(rng.integers(0, places, (size, R * R - 1), dtype=np.int8), axis=1)
    bars = bars[(np.diff(bars, axis=1) > 0).all(axis=1)]
    edge = np.full((len(bars), 1), -1, np.int8)
    tables = np.diff(np.hstack([edge, bars, edge + places + 1]), axis=1) - 1
    tables = tables.reshape(-1, R, R)
    return tables[tables.any(axis=2).all(axis=1) & tables.any(axis=1).all(axis=1)]


def numpy_argpartition(rng, size):
    """Bars at the smallest of 65 random keys: no collisions."""
    places = N + R * R - 1
    keys = rng.random((size, places), dtype=np.float32)
    bars = np.sort(np.argpartition(keys, R * R - 2, axis=1)[:, : R * R - 1], axis=1).astype(np.int8)
    edge = np.full((len(bars), 1), -1, np.int8)
    tables = (np.diff(np.hstack([edge, bars, edge + places + 1]), axis=1) - 1).reshape(-1, R, R)
    return tables[tables.any(axis=2).all(axis=1) & tables.any(axis=1).all(axis=1)]


def distances(matched, a, b, p):
    pairs = comb(N, 2)
    f = a + b - 2 * p
    return 1 - matched / N, f / pairs, pairs * f / (a * (pairs - b) + b * (pairs - a))


def numpy_values(tables):
    cells = np.ascontiguousarray(tables.reshape(-1, R * R).T)
    matched = np.zeros(cells.shape[1], np.int8)
    for columns in permutations(range(R)):
        np.maximum(matched, sum(cells[R * i + j] for i, j in enumerate(columns)), out=matched)
    wide = cells.astype(np.int32).reshape(R, R, -1)
    a, b, p = (
        (x * (x - 1) // 2).sum(axis=0) for x in (wide.sum(axis=1), wide.sum(axis=0), cells.astype(np.int32))
    )
    return distances(matched, a, b, p)


def timed(work):
    """Best of three: matrices per second of wall clock, and per second of processor time."""
    rates = []
    for _ in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        total = work()
        rates.append((total / (time.perf_counter() - wall), total / (time.process_time() - cpu)))
    return max(rates)


def by_numpy(draw):
    def work():
        rng = np.random.default_rng(1)
        total = 0
        for _ in range(30):
            tables = draw(rng, 50_000)
            numpy_values(tables)
            total += len(tables)
        return total

    return work


def by_package():
    from concurrent.futures import ThreadPoolExecutor

    size = 4_000_000
    with ThreadPoolExecutor(2) as executor:
        chunks = stream(Tables(N, R, R), size, rng=1, limits=Limits(threads=2))
        for _ in executor.map(lambda tables: distances(*pair_sums(tables).T), chunks):
            pass
    return size


def guarded():
    """Nanoseconds of a draw in bytes, on one thread, and of its test."""
    matrices = Tables(N, R, R)
    method = stream(matrices, 1, rng=1).method
    tables = method.draw(np.random.SeedSequence(1), method.block).tables

    def draw():
        return len(method.draw(np.random.SeedSequence(1), method.block).tables)

    def check():
        for _ in range(100):
            assert matrices.contains_each(tables).all()
        return 100 * len(tables)

    return 1e9 / timed(draw)[1], 1e9 / timed(check)[1]


def at_fixed_margins():
    """Draws per second by SciPy and by this package, each one thread."""
    margins, size = FixedMargins([13, 13, 12, 12], [14, 12, 12, 12]), 200_000
    other = random_table(margins.rows, margins.cols)

    def by_scipy():
        return len(other.rvs(size, random_state=1))

    def by_package():
        return len(stream(margins, size, rng=1, limits=Limits(threads=1)).array())

    by_package()  # compiled
    return timed(by_scipy)[1], timed(by_package)[1]


if __name__ == "__main__":
    stream(Tables(N, R, R), 10, rng=1).array()
    pair_sums(np.ones((1, R, R), np.int64))
    baseline = max(timed(by_numpy(draw)) for draw in (numpy_draws, numpy_argpartition))
    ours = timed(by_package)
    for what, slow, fast in zip(("wall clock, two threads", "processor time, one core"), baseline, ours):
        print(f"{what}: numpy {slow / 1e6:.2f} M/s, confmat {fast / 1e6:.2f} M/s, ratio {fast / slow:.1f}")
    print("a draw takes {:.1f} ns, its test for a member {:.2f} ns".format(*guarded()))
    slow, fast = at_fixed_margins()
    print(f"fixed margins: SciPy {slow / 1e6:.2f} M/s, confmat {fast / 1e6:.2f} M/s, ratio {fast / slow:.2f}")
