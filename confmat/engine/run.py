"""Running the shards of a pass: on threads, processes or a cluster, with progress, checkpoints and a clean stop."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import numpy as np

from confmat.engine.checkpoint import Checkpoint
from confmat.engine.memory import check_memory
from confmat.engine.shard import run_shard
from confmat.engine.sizes import shards, sizes_of
from confmat.engine.work import Arrays, Pass
from confmat.plans.resources import Progress, Resources


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
    executor = resources.executor or ThreadPoolExecutor(resources.cores)
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
    tables = sizes_of(task.matrices).tables
    sizes = [float(tables[list(shard)].sum()) for shard in plan]
    total = sum(sizes) or 1.0
    return [size / total for size in sizes]
