"""Running the shards of a pass: on threads, processes or a cluster, with progress, checkpoints and a clean stop."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from confmat.engine.checkpoint import Checkpoint
from confmat.engine.jobs import expected_tables, row_jobs, shards
from confmat.engine.memory import check_memory
from confmat.engine.shard import run_shard
from confmat.engine.work import Arrays, Pass

__all__ = ["Progress", "Resources", "cores"]


@dataclass(frozen=True)
class Progress:
    """How far a pass has come: row margins done, of how many, and the share of the tables they hold.

    Where a law is computed table by table (stage "tables"), ``done`` and ``total`` are members of the class; where
    states are merged (stage "merging"), percent of the work.
    """

    stage: str
    done: int
    total: int
    fraction: float


@dataclass(frozen=True)
class Resources:
    """Where and how a pass runs.

    ``executor``: anything with ``concurrent.futures.Executor.submit``; None for threads of this process (the
    kernels release the GIL).  ``threads``: how many, None for all cores.  ``checkpoint``: a folder to keep
    finished shards in and to resume from.  ``progress``: called after every shard.
    """

    executor: Executor | None = None
    threads: int | None = None
    checkpoint: str | os.PathLike[str] | None = None
    progress: Callable[[Progress], None] | None = None


def cores() -> int:
    """Number of cores this process may use.

    >>> cores() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results(task: Pass, stage: str, resources: Resources) -> Iterator[Arrays]:
    """Yield the result of every shard of a pass, in the order in which they finish.

    On an exception, and on Ctrl-C, the kernels are told to stop (they look at every column partition), the shards
    in flight are dropped, and what is finished stays in the checkpoint.

    >>> from confmat.classes import Tables
    >>> from confmat.engine.work import primes_of_pass
    >>> task = Pass(Tables(4, 2, 2), "tables", primes_of_pass(Tables(4, 2, 2), "tables"))
    >>> sum(int(part["tables"]) for part in results(task, "summary", Resources()))
    7
    """
    check_memory(task)
    plan = shards(task.matrices)
    share = _shares(task, plan)
    store = Checkpoint(resources.checkpoint, task) if resources.checkpoint is not None else None
    done = 0
    fraction = 0.0

    def report(shard: int) -> None:
        nonlocal done, fraction
        done += len(plan[shard])
        fraction += share[shard]
        if resources.progress is not None:
            resources.progress(Progress(stage, done, sum(map(len, plan)), min(1.0, fraction)))

    waiting = []
    for shard in range(len(plan)):
        kept = store.load(stage, shard) if store is not None else None
        if kept is None:
            waiting.append(shard)
        else:
            report(shard)
            yield kept
    if not waiting:
        return
    executor = resources.executor or ThreadPoolExecutor(resources.threads or cores())
    stop = np.zeros(1, np.uint8)
    flag = (stop,) if resources.executor is None else ()  # reaches the threads of this process only
    futures: dict[Future[Arrays], int] = {}
    try:
        for shard in waiting:
            futures[executor.submit(run_shard, task, plan[shard], *flag)] = shard
        pending = set(futures)
        while pending:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                shard = futures.pop(future)
                result = future.result()
                if store is not None:
                    store.save(stage, shard, result)
                report(shard)
                yield result
    except BaseException:
        stop[0] = 1
        for future in futures:
            future.cancel()
        raise
    finally:
        if resources.executor is None:
            executor.shutdown(wait=True, cancel_futures=True)


def _shares(task: Pass, plan: list[tuple[int, ...]]) -> list[float]:
    jobs = row_jobs(task.matrices)
    sizes = [sum(float(expected_tables(jobs[i]).sum()) for i in shard) for shard in plan]
    total = sum(sizes) or 1.0
    return [size / total for size in sizes]
