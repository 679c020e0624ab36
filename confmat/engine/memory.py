"""How much memory a pass over a class takes, told before any work."""

from math import comb

from confmat.classes import MatrixClass
from confmat.engine.halves import lanes_of, number_of_sets, split_rows
from confmat.engine.jobs import RowJob, row_jobs
from confmat.engine.numbers import number_of_bins, number_of_distances, primes_of_pass
from confmat.engine.sizes import is_walked
from confmat.engine.work import Pass, is_weighted
from confmat.errors import TooLarge
from confmat.plans.methods import size

# Best matchings are kept in 16 bits.
MOST_POINTS = 2**15 - 1

# No thread may need more than this for one row margin.
MOST_MEMORY = 6 * 2**30


def memory_of_job(task: Pass, job: RowJob) -> int:
    """Bytes that one row margin needs: the states of its halves, where their buckets begin, and its histograms."""
    r, s = len(job.rows), job.cols.shape[1]
    lanes = lanes_of(len(task.primes)) if is_weighted(task, job) else 0
    # A state: best, pairs, weights, and while it is listed up to (r + 1) // 2 rows of cells.
    state = 2 * number_of_sets(r, s) + 8 + 4 * lanes + (r + 1) * s
    buckets = sum(comb(sum(half) + s - 1, s - 1) for half in split_rows(job.rows, s))
    return job.states * state + 8 * buckets + job.histogram_cells * (12 + 8 * lanes)


def memory_of_sums(matrices: MatrixClass, weight: str) -> int:
    """Bytes of the law of (MED, RD) and the bins of ARD in one shard of ``summarize``."""
    width = comb(matrices.n, 2) + 1 + number_of_bins(matrices, weight)
    return 8 * number_of_distances(matrices) * width * (len(primes_of_pass(matrices, weight)) + 1)


def refusal_of_memory(task: Pass) -> str | None:
    """Why the kernels have no room for a pass, None if they have: one row margin may need ``MOST_MEMORY`` at most."""
    if task.matrices.n > MOST_POINTS:
        return f"more points than an enumeration can take ({MOST_POINTS})"
    if (
        task.wanted is None
        and not task.packed
        and (needed := memory_of_sums(task.matrices, task.weight)) > MOST_MEMORY
    ):
        return f"sums of {size(needed)} ({size(MOST_MEMORY)} at most)"
    if is_walked(task.matrices):
        return None
    for job in row_jobs(task.matrices):
        if (needed := memory_of_job(task, job)) > MOST_MEMORY:
            return (
                f"{size(needed)} of memory for the row margin {job.rows} alone ({size(MOST_MEMORY)} at most)"
            )
    return None


def check_memory(task: Pass) -> None:
    """Raise TooLarge, before any work, where the kernels have no room for a pass."""
    if (refusal := refusal_of_memory(task)) is not None:
        raise TooLarge(f"the enumeration of {task.matrices!r} would take {refusal}; sample the class instead")
