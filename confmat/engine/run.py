"""Running the shards of a pass: on threads, processes or a cluster, with progress, checkpoints and a clean stop."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from pathlib import Path

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.checkpoint import Checkpoint, file_of
from confmat.engine.folders import SECONDS_AGAIN, some_of
from confmat.engine.memory import check_memory
from confmat.engine.shard import run_shard
from confmat.engine.sizes import Shard, shards
from confmat.engine.work import Arrays, Pass
from confmat.errors import WorkersLost
from confmat.plans.methods import Progress, Resources

# As ``Shard.cost`` counts them; see ``_TABLES_PER_SHARD`` in ``confmat.engine.sizes``.
TABLES_PER_SECOND = 10**9


def results(task: Pass, stage: str, resources: Resources, part: tuple[int, int] = (1, 1)) -> Iterator[Arrays]:
    """Yield the result of every shard of a pass, or of ``part`` (i, k), every k-th, as they finish.

    Of the shards that another process left in the checkpoint some are computed again: CheckpointError where one has
    other numbers.

    On an exception, and on Ctrl-C, the kernels are told to stop (they look at every column partition), the shards
    in flight are dropped, and what is finished stays in the checkpoint.  WorkersLost where the workers of the
    executor were killed.

    >>> from confmat.classes import Tables
    >>> from confmat.engine.numbers import primes_of_pass
    >>> task = Pass(Tables(4, 2, 2), "tables", primes_of_pass(Tables(4, 2, 2), "tables"))
    >>> sum(int(part["tables"]) for part in results(task, "summary", Resources()))
    7
    """
    check_memory(task)
    plan = shards(task.matrices)
    share = _shares(plan)
    store = Checkpoint(resources.checkpoint, task) if resources.checkpoint is not None else None
    chosen = range(part[0] - 1, len(plan), part[1])
    total, whole = sum(len(plan[i].pieces) for i in chosen), sum(share[i] for i in chosen) or 1.0
    done = 0
    fraction = 0.0

    def report(shard: int) -> None:
        nonlocal done, fraction
        done += len(plan[shard].pieces)
        fraction += share[shard] / whole
        if resources.progress is not None:
            resources.progress(Progress(stage, done, total, min(1.0, fraction)))

    waiting = []
    compared: dict[int, Arrays] = {}
    again: list[int] = []
    if store is not None:
        kept_elsewhere = [shard for shard in chosen if store.is_from_elsewhere(stage, shard)]
        again = some_of(
            {shard: plan[shard].cost for shard in kept_elsewhere}, SECONDS_AGAIN * TABLES_PER_SECOND
        )
    for shard in chosen:
        kept = store.load(stage, shard) if store is not None else None
        if kept is None:
            waiting.append(shard)
        elif shard in again:
            waiting.append(shard)
            compared[shard] = kept
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
            futures[executor.submit(run_shard, task, plan[shard].pieces, *flag)] = shard
        pending = set(futures)
        while pending:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                shard = futures.pop(future)
                result = future.result()
                if store is not None and shard in compared:
                    store.compare(stage, shard, compared.pop(shard), result)
                elif store is not None:
                    store.save(stage, shard, result)
                report(shard)
                yield result
    except BaseException as error:
        stop[0] = 1
        for future in futures:
            future.cancel()
        if _is_loss(error):
            saved = (
                "with a checkpoint a run can be resumed"
                if store is None
                else (f"finished shards are in {resources.checkpoint}: run the same again to resume")
            )
            raise WorkersLost(f"executor lost its workers ({type(error).__name__}); {saved}") from error
        raise
    finally:
        if resources.executor is None:
            executor.shutdown(wait=True, cancel_futures=True)


def left(matrices: MatrixClass, stage: str, folder: str | os.PathLike[str]) -> float:
    """Share of a pass, by tables, that a checkpoint does not have; its files are not looked into.

    >>> from confmat.classes import Tables
    >>> left(Tables(4, 2, 2), "summary", "no such folder")
    1.0
    """
    if not (Path(folder) / "manifest.json").exists():
        return 1.0
    shares = enumerate(_shares(shards(matrices)))
    return sum(share for shard, share in shares if not file_of(folder, stage, shard).exists())


def _is_loss(error: BaseException) -> bool:
    """Whether workers are gone: processes that were killed, a scheduler or workers of Dask, as its errors say."""
    import asyncio  # slow to load

    lost = isinstance(error, (CancelledError, asyncio.CancelledError, BrokenExecutor))
    return lost or type(error).__module__.partition(".")[0] == "distributed"


def _shares(plan: tuple[Shard, ...]) -> list[float]:
    total = sum(shard.tables for shard in plan) or 1.0
    return [shard.tables / total for shard in plan]
