"""Where a run takes place (threads, a Dask cluster, a checkpoint) and how far it has come."""

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
    threads: int | None,
    scheduler: str | None,
    matrices: int,
    *,
    resumable: bool,
) -> Iterator[Limits]:
    """The Limits of a run over so many matrices; errors and Ctrl-C become Failures that say what to do.

    ``scheduler``: of a Dask cluster; how it is talked to, by TLS too, is Dask's own configuration.
    ``resumable``: it visits the class part by part, and a checkpoint keeps finished ones.
    """
    if threads is not None and scheduler is not None:
        raise Failure("give --threads or --scheduler, not both")
    kept = "; nothing was kept"
    if resumable:
        if folder:
            kept = resumed("parts", folder)
        else:
            kept = f"{kept}: with --checkpoint DIR a run can be resumed"
    with (
        interrupted(kept),
        _cluster(scheduler) as executor,
        bars("{task.fields[detail]}", partial(_passes, matrices)) as progress,
    ):
        yield Limits(executor=executor, threads=threads, checkpoint=folder, progress=progress)


@contextmanager
def _cluster(scheduler: str | None) -> Iterator[Executor | None]:
    if scheduler is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise Failure("--scheduler needs Dask: python -m pip install 'confmat[dask]'") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # a line of ours says what matters
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
    """Workers run the same sources of this package, or their numbers would not be ours."""
    try:
        found = client.run(package_digest)
    except Exception as error:  # whatever its workers raise
        raise Failure(f"--scheduler {scheduler} has workers that cannot run confmat: {error}") from error
    if others := [worker for worker, digest in found.items() if digest != package_digest()]:
        raise Failure(
            f"--scheduler {scheduler} has workers with another confmat than here: {', '.join(others)}"
        )


def _passes(matrices: int, shown: Any) -> Callable[[Progress], None]:
    """A bar for each pass over a class with so many matrices."""
    passes: dict[str, Any] = {}
    # It moves from the first second on, before the first part is done.
    starting = shown.add_task("Starting", total=None, detail="")

    def show(progress: Progress) -> None:
        shown.update(starting, visible=False)
        if progress.stage not in passes:
            text = _STAGES.get(progress.stage, progress.stage)
            passes[progress.stage] = shown.add_task(text, total=1.0, detail="")
        if progress.seconds_left is None:
            left = ""
        else:
            left = f", {duration(progress.seconds_left)} left"
        detail = f"{progress.fraction * matrices:.3g} matrices{left}"
        shown.update(passes[progress.stage], completed=progress.fraction, detail=detail)

    return show
