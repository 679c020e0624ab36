"""Where a run takes place (threads, a Dask cluster, a checkpoint) and how far it has come."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from confmat.cli.output import Failure, bars, checked, resumed
from confmat.engine.folders import package_digest
from confmat.plans.methods import Progress, Resources

_PASSES = {"summary": "Enumerating", "signatures": "Enumerating", "refine": "Quartiles", "cells": "Joint law"}
_STAGES = _PASSES | {"tables": "Table by table", "merging": "Merging states"}


@contextmanager
def resources(
    folder: Path | None,
    threads: int | None,
    cluster: tuple[str | None, str | None],
    matrices: int,
    *,
    resumable: bool,
) -> Iterator[Resources]:
    """The Resources of a run over so many matrices; errors and Ctrl-C become Failures that say what to do.

    ``cluster``: its scheduler and the files of --tls.
    ``resumable``: it visits the class shard by shard, and a checkpoint keeps finished ones.
    """
    checkpoint = None if folder is None else str(folder)
    if threads is not None and cluster[0] is not None:
        raise Failure("give --threads or --scheduler, not both")
    kept = "; nothing was kept"
    if resumable:
        kept = resumed("shards", folder) if folder else f"{kept}: with --checkpoint DIR a run can be resumed"
    try:
        with (
            checked(kept),
            _cluster(*cluster) as executor,
            bars("{task.fields[detail]}", partial(_passes, matrices)) as progress,
        ):
            yield Resources(executor=executor, threads=threads, checkpoint=checkpoint, progress=progress)
    except MemoryError as error:
        raise Failure(f"out of memory; take a smaller class or fewer threads {error}") from error


@contextmanager
def _cluster(scheduler: str | None, tls: str | None) -> Iterator[Executor | None]:
    if scheduler is None:
        if tls is not None:
            raise Failure("--tls belongs to --scheduler")
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise Failure("--scheduler needs Dask: python -m pip install 'confmat[dask]'") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # a line of ours says what matters
    try:
        client = Client(scheduler, timeout="10s", security=_security(tls))
    except (OSError, ValueError, TypeError) as error:  # TypeError: tls:// without its files
        raise Failure(f"--scheduler {scheduler} cannot be reached: {error}") from error
    with client:
        _compare_versions(scheduler, client)
        yield client.get_executor()


def _security(tls: str | None) -> Any:
    """Files of --tls as Dask takes them, which then talks over encrypted connections only."""
    if tls is None:
        return None
    from distributed.security import Security

    files = tls.split(",")
    if len(files) != 3 or not all(Path(file).is_file() for file in files):
        raise Failure(f"--tls must be three files, such as ca.pem,cert.pem,key.pem, got {tls}")
    ca, certificate, key = files
    return Security(tls_ca_file=ca, tls_client_cert=certificate, tls_client_key=key, require_encryption=True)


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

    def show(progress: Progress) -> None:
        if progress.stage not in passes:
            text = _STAGES.get(progress.stage, progress.stage)
            passes[progress.stage] = shown.add_task(text, total=1.0, detail="")
        margins = f"{progress.done}/{progress.total} margins, " if progress.stage in _PASSES else ""
        detail = f"{margins}{progress.fraction * matrices:.3g} matrices"
        shown.update(passes[progress.stage], completed=progress.fraction, detail=detail)

    return show
