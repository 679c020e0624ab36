"""Where a run takes place (threads, a Dask cluster, a checkpoint) and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from confmat.cli.output import Failure
from confmat.cli.progress import bars

if TYPE_CHECKING:
    from confmat.plans.resources import Progress, Resources

_PASSES = {"summary": "Enumerating", "signatures": "Enumerating", "refine": "Quartiles", "cells": "Joint law"}
_STAGES = _PASSES | {"tables": "Table by table", "merging": "Merging states"}


@contextmanager
def resources(
    folder: Path | None, threads: int | None, scheduler: str | None, matrices: int, *, resumable: bool
) -> Iterator[Resources]:
    """The Resources of a run over so many matrices; errors and Ctrl-C become Failures that say what to do.

    ``resumable``: it visits the class shard by shard, and a checkpoint keeps finished ones.
    """
    from confmat.engine.run import Resources

    checkpoint = None if folder is None else str(folder)
    if threads is not None and scheduler is not None:
        raise Failure("give --threads or --scheduler, not both")
    try:
        with _cluster(scheduler) as executor, _progress(matrices) as progress:
            yield Resources(executor=executor, threads=threads, checkpoint=checkpoint, progress=progress)
    except MemoryError as error:
        raise Failure(f"out of memory; take a smaller class or fewer threads {error}") from error
    except KeyboardInterrupt:
        kept = "nothing was kept"
        if resumable and checkpoint is None:
            kept += ": with --checkpoint DIR a run can be resumed"
        elif resumable:
            kept = f"finished shards are in {checkpoint}: run the same command again to resume"
        raise Failure(f"interrupted; {kept}", code=130) from None


@contextmanager
def _cluster(scheduler: str | None) -> Iterator[Executor | None]:
    if scheduler is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise Failure("--scheduler needs Dask: python -m pip install 'confmat[dask]'") from None
    try:
        client = Client(scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        raise Failure(f"--scheduler {scheduler} cannot be reached: {error}") from error
    with client:
        yield client.get_executor()


@contextmanager
def _progress(matrices: int) -> Iterator[Callable[[Progress], None] | None]:
    """A callback that draws a bar for each pass on standard error; None unless that is a terminal."""
    with bars("{task.fields[detail]}") as shown:
        if shown is None:
            yield None
            return
        passes: dict[str, Any] = {}

        def show(progress: Progress) -> None:
            if progress.stage not in passes:
                text = _STAGES.get(progress.stage, progress.stage)
                passes[progress.stage] = shown.add_task(text, total=1.0, detail="")
            margins = f"{progress.done}/{progress.total} margins, " if progress.stage in _PASSES else ""
            detail = f"{margins}{progress.fraction * matrices:.3g} matrices"
            shown.update(passes[progress.stage], completed=progress.fraction, detail=detail)

        yield show
