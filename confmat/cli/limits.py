"""Limits and progress of a run: threads, a Dask cluster, a checkpoint."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from confmat._engine.checkpoint import package_digest
from confmat._limits import Limits, Progress, duration
from confmat.cli.output import Failure, bars, interrupted, resumed

_STAGES = {"enumerating": "Enumerating", "tables": "Table by table"}


@contextmanager
def run_limits(
    folder: Path | None,
    scheduler: str | None,
    matrices: int,
    *,
    resumable: bool,
) -> Iterator[Limits]:
    """Yield the limits of a run for a ``with`` statement. Errors and Ctrl-C become Failures with a remedy.

    ``folder`` is the directory of checkpoints, if there is one. ``scheduler`` is the address of a Dask cluster. TLS
    is set in the configuration of Dask. ``matrices`` is the number of members of the class, for the progress bar.
    ``resumable`` is True if the run stores finished chunks in a checkpoint.
    """
    kept = "; nothing was kept"
    if resumable:
        if folder:
            kept = resumed("parts", folder)
        else:
            kept = f"{kept}: with --checkpoint DIR a run can be resumed"
    with (
        interrupted(kept),
        _cluster(scheduler) as executor,
        bars("{task.fields[detail]}", partial(_bar_of_run, matrices)) as progress,
    ):
        yield Limits(executor=executor, checkpoint=folder, progress=progress)


@contextmanager
def _cluster(scheduler: str | None) -> Iterator[Executor | None]:
    """Yield the executor of a Dask cluster, None without a scheduler."""
    if scheduler is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise Failure("--scheduler needs Dask: python -m pip install 'confmat[dask]'") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # our own message suffices
    try:
        client = Client(scheduler, timeout="10s")
    except (
        OSError,
        ValueError,
        TypeError,
    ) as error:  # TypeError: tls:// without files in Dask's configuration
        raise Failure(f"--scheduler {scheduler} cannot be reached: {error}") from error
    with client:
        _compare_versions(scheduler, client)
        yield client.get_executor()


def _compare_versions(scheduler: str, client: Any) -> None:
    """Raise Failure if a worker of a cluster has other sources of this package, because its numbers may differ.

    ``client`` is the Dask client of the cluster, and ``scheduler`` its address in messages.
    """
    try:
        found = client.run(package_digest)
    except Exception as error:  # any exception of its workers
        raise Failure(f"--scheduler {scheduler} has workers that cannot run confmat: {error}") from error
    if others := [worker for worker, digest in found.items() if digest != package_digest()]:
        raise Failure(
            f"--scheduler {scheduler} has workers with another version of confmat: {', '.join(others)}"
        )


def _bar_of_run(matrices: int, display: Any) -> Callable[[Progress], None]:
    """Return a function that shows the progress of a run in a bar of ``display``, a progress display of Rich.

    ``matrices`` is the number of members of the class.
    """
    bar = display.add_task("Starting", total=None, detail="")  # it moves until the first chunk is finished

    def show(progress: Progress) -> None:
        time_left = ""
        if progress.seconds_left is not None:
            time_left = f", {duration(progress.seconds_left)} left"
        display.update(
            bar,
            description=_STAGES.get(progress.stage, progress.stage),
            total=1.0,
            completed=progress.fraction,
            detail=f"{progress.fraction * matrices:.3g} matrices{time_left}",
        )

    return show
