"""What laws too large to be computed here would cost in shards: the second table of the page on costs.

    python -m tests.benchmarks.large_laws            # the four of the page, a minute
    python -m tests.benchmarks.large_laws 60,4,4

Estimates by the rates of an ordinary core (``confmat.engine.costs``); nothing is enumerated.  A shard is done by one
core, so the largest says how many cores find something to do.
"""

import sys

from confmat.classes import Tables
from confmat.engine.costs import Enumeration, seconds_of_pairing
from confmat.engine.jobs import row_jobs
from confmat.engine.memory import memory_of_job
from confmat.engine.numbers import places_by_a
from confmat.engine.sizes import shards, sizes_of

LAWS = [(60, 4, 4), (100, 4, 4), (60, 5, 5), (30, 8, 8)]


def row(size):
    """Name, pairings, core-hours, shards, GiB of the largest, cores of use, hours on 100 and on 10 000 cores."""
    matrices = Tables(*size)
    asked, plan = Enumeration(matrices, "tables", True), shards(matrices)
    hours = seconds_of_pairing(asked) / 3600
    memory = max(memory_of_job(asked.task, job) for job in row_jobs(matrices)) + 8 * max(
        places_by_a(matrices)
    )
    useful = sum(shard.cost for shard in plan) / max(shard.cost for shard in plan)
    times = [hours / min(cores, useful) for cores in (100, 10_000)]
    return (size, sizes_of(matrices).pairings.sum(), hours, len(plan), memory / 2**30, useful, *times)


if __name__ == "__main__":
    chosen = [tuple(map(int, text.split(","))) for text in sys.argv[1:]] or LAWS
    print("law pairings core-hours shards GiB cores hours-on-100 hours-on-10000")
    for size in chosen:
        name, *numbers = row(size)
        print(",".join(map(str, name)), *(f"{x:.3g}" for x in numbers), flush=True)
