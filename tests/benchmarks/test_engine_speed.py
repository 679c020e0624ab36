"""One class, all of MED, RD and ARD: the engine beside the usual ways.

Run with: python -m pytest tests/benchmarks --benchmark-only --benchmark-columns=min,median,rounds
Compare ratios within one run.  The slow ways see a small class: compare nanoseconds a matrix, in the extra
information of a run (--benchmark-json FILE, or --benchmark-verbose), where tables are those left by symmetry.
"""

import shutil
import subprocess
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from confmat.classes import Tables
from confmat.distributions import joint_distribution

pytest.importorskip("pytest_benchmark")

SMALL = Tables(9, 3, 3)  # 14 437 matrices: what the slow ways can do in a second


def per_unit(benchmark, matrices):
    """Record nanoseconds a matrix of the fastest round."""
    if benchmark.stats is not None:  # None with --benchmark-disable
        benchmark.extra_info["ns per matrix"] = float(f"{1e9 * benchmark.stats.stats.min / matrices:.3g}")


@pytest.mark.parametrize(
    "shape", [(20, 3, 3), (50, 3, 3), (20, 4, 4), (30, 4, 4), (20, 5, 5), (25, 5, 5), (20, 6, 6)], ids=str
)
def test_engine_one_pass(benchmark, shape):
    """Cost as n grows at fixed shape, and as the shape grows."""

    def moments():
        return joint_distribution(Tables(*shape), "med", "rd", "ard")["ard"].mean()

    benchmark.pedantic(moments, rounds=3, warmup_rounds=1)
    per_unit(benchmark, Tables(*shape).count())


@pytest.mark.parametrize("shape", [(20, 3, 3), (50, 3, 3), (30, 4, 4)], ids=str)
def test_conditional_laws(benchmark, shape):
    """Both passes: means, quartiles, extremes of RD and ARD given MED."""
    benchmark.pedantic(
        lambda: joint_distribution(Tables(*shape), "med", "rd", "ard").groupby("med").__next__(),
        rounds=3,
        warmup_rounds=1,
    )
    per_unit(benchmark, Tables(*shape).count())


@pytest.mark.parametrize("matrices", [SMALL, Tables(20, 3, 3)], ids=repr)
def test_numpy_one_vector_per_cell(benchmark, matrices):
    """All compositions as columns, a loop over the r! matchings."""
    n, (r, s) = matrices.n, matrices.shape

    def run():
        compositions.cache_clear()
        cells = compositions(n, r * s).T.reshape(r, s, -1)
        rows, cols = cells.sum(axis=1), cells.sum(axis=0)
        keep = (rows > 0).all(axis=0) & (cols > 0).all(axis=0)
        cells, rows, cols = cells[:, :, keep], rows[:, keep], cols[:, keep]
        best = np.max([sum(cells[i, p[i]] for i in range(r)) for p in permutations(range(s), r)], axis=0)
        a, b, p = (
            (x.astype(np.int64) ** 2 - x).sum(axis=axis) / 2
            for x, axis in ((rows, 0), (cols, 0), (cells, (0, 1)))
        )
        pairs = n * (n - 1) / 2
        rd = (a + b - 2 * p) / pairs
        return 1 - best / n, rd, rd * pairs**2 / (a * (pairs - b) + b * (pairs - a))

    med, _, _ = benchmark.pedantic(run, rounds=2)
    assert len(med) == matrices.count()
    per_unit(benchmark, matrices.count())


@cache
def compositions(n, parts):
    """All compositions of n into so many parts, as an array of rows."""
    if parts == 1:
        return np.full((1, 1), n, np.int16)
    blocks = []
    for first in range(n + 1):
        rest = compositions(n - first, parts - 1)
        blocks.append(np.column_stack([np.full(len(rest), first, np.int16), rest]))
    return np.concatenate(blocks)


def test_scipy_and_scikit_learn(benchmark):
    """A matrix at a time: linear_sum_assignment, rand_score and adjusted_rand_score on label vectors."""
    from scipy.optimize import linear_sum_assignment
    from sklearn.metrics import adjusted_rand_score, rand_score

    matrices = [SMALL.unrank(i) for i in range(0, SMALL.count(), 100)]

    def run():
        for matrix in matrices:
            i, j = np.indices(matrix.shape)
            labels = np.repeat(i.ravel(), matrix.ravel()), np.repeat(j.ravel(), matrix.ravel())
            row, col = linear_sum_assignment(matrix, maximize=True)
            _ = matrix[row, col].sum(), rand_score(*labels), adjusted_rand_score(*labels)

    benchmark.pedantic(run, rounds=2)
    per_unit(benchmark, len(matrices))


def has_r_packages():
    if shutil.which("Rscript") is None:
        return False
    return (
        subprocess.run(
            ["Rscript", "-e", "library(partitions); library(clue)"], capture_output=True
        ).returncode
        == 0
    )


@pytest.mark.skipif(not has_r_packages(), reason="R with the packages partitions and clue is not installed")
def test_r_partitions_and_clue(benchmark):
    """As in the appendix of Chacon (2019): partitions::compositions, clue::solve_LSAP, matrix by matrix."""
    program = """
    suppressMessages({library(partitions); library(clue)})
    cells <- as.matrix(compositions(9, 9))
    pairs <- choose(9, 2); count <- 0
    for (k in seq_len(ncol(cells))) {
      N <- matrix(cells[, k], 3); a <- rowSums(N); b <- colSums(N)
      if (min(a) > 0 && min(b) > 0) {
        med <- 1 - sum(N[cbind(1:3, solve_LSAP(N, maximum = TRUE))]) / 9
        A <- sum(choose(a, 2)); B <- sum(choose(b, 2)); f <- A + B - 2 * sum(choose(N, 2))
        ard <- f * pairs / (A * (pairs - B) + B * (pairs - A))
        count <- count + 1
      }
    }
    stopifnot(count == 14437)
    """
    benchmark.pedantic(lambda: subprocess.run(["Rscript", "-e", program], check=True), rounds=1)
    per_unit(benchmark, SMALL.count())
