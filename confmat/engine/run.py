"""A run over a class: its pieces on threads, processes or a cluster, watched, with progress and a checkpoint.

>>> from confmat.classes import Tables
>>> [block.counts.tolist() for block in run(Tables(4, 2, 2), "tables", Resources(threads=1))]
[[2, 1, 2]]
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from functools import lru_cache
from math import comb
from pathlib import Path

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.blocks import Block, Moduli, block_of, moduli_of
from confmat.engine.checkpoint import SECONDS_AGAIN, Checkpoint, file_of, some_of
from confmat.engine.halves import lanes_of, number_of_sets, split_rows
from confmat.engine.margins import row_jobs
from confmat.engine.pieces import Piece, pieces_of
from confmat.errors import TooLarge, WorkersLost
from confmat.plans import Resources, Watch, size

# Best matchings are kept in 16 bits.
MOST_POINTS = 2**15 - 1

# Bytes that visiting tables takes.
_WALK = 2**26

# As ``Piece.cost`` counts them.
TABLES_PER_SECOND = 1.2e9

# Pieces that wait for a thread that comes free, for each thread.
_QUEUED = 2


def run(matrices: MatrixClass, weight: str, resources: Resources) -> Iterator[Block]:
    """Every block of a class as it is finished.

    Of the blocks that another process left in the checkpoint some are computed again: CheckpointError where one has
    other numbers.

    No block is laid out that the memory has no room for (TooLarge, before any work).  On an exception, at the end of
    the time that a budget gives (TooLarge), and on Ctrl-C the kernels are told to stop; what is finished stays in the
    checkpoint.  WorkersLost where the workers of the executor were killed.

    >>> from confmat.classes import Tables
    >>> sum(int(block.ends[-1]) for block in run(Tables(4, 2, 2), "tables", Resources()))
    5
    """
    if not matrices:
        return
    check_memory(matrices, weight, resources)
    moduli = moduli_of(matrices, weight)
    pieces = pieces_of(matrices, moduli.lanes)
    store = None
    if resources.checkpoint is not None:
        store = Checkpoint(resources.checkpoint, matrices, weight, moduli.primes)
    kept = "nothing was kept" if store is None else f"finished parts are in {resources.checkpoint}"
    watch = Watch("enumerating", resources, sum(piece.cost for piece in pieces), len(pieces), kept)
    waiting: deque[int] = deque()
    again: list[int] = []
    if store is not None:
        costs = {i: piece.cost for i, piece in enumerate(pieces) if store.is_from_elsewhere(i)}
        again = some_of(costs, SECONDS_AGAIN * TABLES_PER_SECOND)
    for number, piece in enumerate(pieces):
        arrays = None if store is None or number in again else store.load(number)
        if arrays is None:
            waiting.append(number)
        else:
            watch.step(piece.cost, found=True)
            yield Block(**arrays)
    if waiting:
        yield from _computed(matrices, weight, resources, waiting, again, store, watch)


def _computed(
    matrices: MatrixClass,
    weight: str,
    resources: Resources,
    waiting: deque[int],
    again: list[int],
    store: Checkpoint | None,
    watch: Watch,
) -> Iterator[Block]:
    """The blocks of the pieces that wait; those computed ``again`` are compared with what the checkpoint has."""
    moduli = moduli_of(matrices, weight)
    pieces = pieces_of(matrices, moduli.lanes)
    executor = resources.executor or ThreadPoolExecutor(resources.cores)
    stop = np.zeros(1, np.uint8)
    flag = (stop,) if resources.executor is None else ()  # reaches the threads of this process only
    room = _Room(resources)
    futures: dict[Future[Block], tuple[int, float]] = {}
    try:
        while waiting or futures:
            while waiting and room.has(
                octets := memory_of(pieces[waiting[0]], matrices, moduli), len(futures)
            ):
                number = waiting.popleft()
                room.taken += octets
                task = executor.submit(block_of, matrices, weight, pieces[number], *flag)
                futures[task] = number, octets
            finished, _ = wait(futures, watch.seconds_left, FIRST_COMPLETED)
            watch.look()
            for future in finished:
                number, octets = futures.pop(future)
                block = future.result()
                room.taken -= octets
                if store is not None:
                    kept = store.load(number) if number in again else None
                    if kept is None:
                        store.save(number, block.arrays())
                    else:
                        store.compare(number, kept, block.arrays())
                watch.step(pieces[number].cost)
                yield block
    except BaseException as error:
        stop[0] = 1
        for future in futures:
            future.cancel()
        if _is_loss(error):
            raise WorkersLost(
                f"executor lost its workers ({type(error).__name__}); {watch.kept}"
                f"{': run the same again to resume' if store else '; with a checkpoint a run can be resumed'}"
            ) from error
        raise
    finally:
        if resources.executor is None:
            executor.shutdown(wait=True, cancel_futures=True)


class _Room:
    """Whether a further piece may be laid out: bytes of those that are, against half of the memory."""

    def __init__(self, resources: Resources) -> None:
        self.taken = 0.0
        self._ours = resources.executor is None
        self._limit, self._queue = resources.limits()[1] / 2, _QUEUED * resources.cores

    def has(self, octets: float, laid_out: int) -> bool:
        """Whether there is room for so many bytes; what is on other machines is not ours to watch."""
        if not self._ours or not laid_out:
            return True
        return laid_out < self._queue and self.taken + octets <= self._limit


def left(matrices: MatrixClass, weight: str, folder: str | os.PathLike[str] | None) -> float:
    """Share of a run, by its cost, that a checkpoint does not have; its files are not looked into.

    >>> from confmat.classes import Tables
    >>> left(Tables(4, 2, 2), "tables", "no such folder")
    1.0
    """
    if folder is None or not (Path(folder) / "manifest.json").exists():
        return 1.0
    costs = [piece.cost for piece in pieces_of(matrices, moduli_of(matrices, weight).lanes)]
    missing = [cost for number, cost in enumerate(costs) if not file_of(folder, number).exists()]
    return sum(missing) / (sum(costs) or 1.0)


def _is_loss(error: BaseException) -> bool:
    """Whether workers are gone: processes that were killed, a scheduler or workers of Dask, as its errors say."""
    import asyncio  # slow to load

    lost = isinstance(error, (CancelledError, asyncio.CancelledError, BrokenExecutor))
    return lost or type(error).__module__.partition(".")[0] == "distributed"


# --- memory -----------------------------------------------------------------------------------------


def memory_of(piece: Piece, matrices: MatrixClass, moduli: Moduli) -> float:
    """Bytes that making a block takes: the places laid out, and the states and histograms of a row margin."""
    if piece.walked:
        return _WALK
    of_rows = _memory_of_rows(matrices, moduli)
    most = max(of_rows[job.rows] for job in piece.row_margins(matrices))
    return 8.0 * piece.places * moduli.lanes + most


@lru_cache(maxsize=4)
def _memory_of_rows(matrices: MatrixClass, moduli: Moduli) -> dict[tuple[int, ...], float]:
    """Row margin -> bytes, whichever columns: the states of its halves, where their buckets begin, its histograms."""
    lanes = lanes_of(len(moduli.primes))
    of_rows = {}
    for job in row_jobs(matrices):
        r, s = len(job.rows), job.cols.shape[1]
        # A state: best, pairs, weights, and while it is listed up to (r + 1) // 2 rows of cells.
        state = 2 * number_of_sets(r, s) + 8 + 4 * lanes + (r + 1) * s
        buckets = sum(comb(sum(half) + s - 1, s - 1) for half in split_rows(job.rows, s))
        octets = job.states * state + 8 * buckets + job.histogram_cells * (12 + 8 * lanes)
        of_rows[job.rows] = float(min(10**300, octets))
    return of_rows


def memory_of_run(matrices: MatrixClass, weight: str) -> float:
    """Bytes of the largest block while it is made.

    >>> from confmat.classes import Tables
    >>> memory_of_run(Tables(20, 3, 3), "tables") < memory_of_run(Tables(30, 6, 6), "tables")
    True
    """
    moduli = moduli_of(matrices, weight)
    pieces = pieces_of(matrices, moduli.lanes)
    return max((memory_of(piece, matrices, moduli) for piece in pieces), default=0.0)


def refusal_of_memory(matrices: MatrixClass, weight: str, resources: Resources) -> str | None:
    """Why there is no room for a run, None if there is."""
    if matrices.n > MOST_POINTS:
        return f"more points than an enumeration can take ({MOST_POINTS})"
    needed, limit = memory_of_run(matrices, weight), resources.limits()[1]
    if needed > limit:
        return f"about {size(needed)} of memory for one part of it (limit {size(limit)})"
    return None


def check_memory(matrices: MatrixClass, weight: str, resources: Resources) -> None:
    """Raise TooLarge, before any work, where there is no room for a run."""
    if (refusal := refusal_of_memory(matrices, weight, resources)) is not None:
        raise TooLarge(f"the enumeration of {matrices!r} would take {refusal}; sample the class instead")
