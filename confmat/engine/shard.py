"""One shard of a pass, as a thread, a process or a machine of a cluster does it."""

from __future__ import annotations

import numpy as np

from confmat.engine.packing import pack_jobs
from confmat.engine.sizes import Piece, jobs_of
from confmat.engine.work import Arrays, Pass, Stopped, collect_jobs, summarize_jobs


def run_shard(task: Pass, pieces: tuple[Piece, ...], stop: np.ndarray | None = None) -> Arrays:
    """Do the pieces of one shard of a pass.

    ``stop``: an array of one uint8; once another thread sets it, the kernels return early and Stopped is raised.
    """
    stop = np.zeros(1, np.uint8) if stop is None else stop
    jobs = jobs_of(task.matrices, pieces)
    if task.packed:
        result = pack_jobs(task, jobs, stop)
    else:
        result = (summarize_jobs if task.wanted is None else collect_jobs)(task, jobs, stop)
    if stop[0]:
        raise Stopped
    return result
