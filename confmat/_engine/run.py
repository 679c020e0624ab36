"""A run over a class: its chunks on threads, processes or a cluster, under the limits of the call.

>>> from confmat.classes import Tables
>>> [block.ends.tolist() for block in run(Tables(4, 2, 2), "tables", Limits(threads=1))]
[[0, 2, 3, 5]]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Future,
    ThreadPoolExecutor,
    wait,
)
from functools import lru_cache
from itertools import chain
from math import comb, inf
from operator import attrgetter
from typing import Any

import numpy as np

from confmat._display.sheets import whole
from confmat._engine.blocks import Block, Moduli, block_of, moduli_of
from confmat._engine.checkpoint import Chunks, path_of
from confmat._engine.fold import bytes_of_sums
from confmat._engine.halves import lanes_of, number_of_sets, split_rows, states_listed
from confmat._engine.margins import MOST_MARGIN_CLASSES, number_of_margin_classes
from confmat._engine.pieces import (
    LARGEST_DOUBLE,
    Piece,
    about_members,
    members_of,
    pieces_of,
    work_of,
)
from confmat._engine.walks import orders_alike
from confmat._integers.arrays import read_only
from confmat._limits import Limits, Run, Watch, excess
from confmat.classes import MatrixClass
from confmat.errors import TooLargeError, UnsupportedError, WorkersLostError
from confmat.statistics.record import Statistic, shared_symmetry

# Best matchings are kept in 16 bits.
MOST_POINTS_OF_RUN = 2**15 - 1
_TOO_MANY_POINTS = f"more points than an enumeration can take ({MOST_POINTS_OF_RUN})"

# Bytes that visiting tables takes.
_WALK = 2**26

# Blocks are kept up to so many bytes, and a quarter of the memory.
MOST_KEPT = 2**30

# Sums by m and F, and by m and bin of ARD, take so many bytes at most; classes with more have few tables.
_MOST_SUMS = 2**30

# Classes with more margin classes are not listed to count steps, nor counted, where that takes long, if they have more.
_LISTED = 2 * 10**6
_MOST_MEMBERS_COUNTED = 10**15
_STEPS_OF_MARGINS = 10**4

# Nor of more points and lines than this, whose orders alone are too many to be told.
_MOST_LINES_OF_RUN = 10**4

# Seconds in which a statistic is computed at a table: many tables at once in integers, a call of a function for each
# table, and fractions, roots or logarithms of each.
SECONDS_OF_TABLE = 7e-7
_SECONDS_OF_CALL = 2e-6
_SECONDS_OF_FRACTIONS = 3e-5

# Pieces that wait for a thread that comes free, for each thread.
_QUEUED = 2


# --- steps ------------------------------------------------------------------------------------------


def enumeration(
    matrices: MatrixClass, weight: str, limits: Limits, answer: Callable[[], Any], passes: int = 1
) -> Run:
    """Return how some runs over a class answer a question, in steps of ``STEP`` seconds.

    >>> from confmat.classes import Tables
    >>> enumeration(Tables(20, 3, 3), "tables", Limits(), list).steps > 10**7
    True
    """
    return Run(answer, passes * steps_of(matrices, weight, limits), limits.cores)


def visit(question: Any, answer: Callable[[], Any], statistics: Iterable[Statistic]) -> Run:
    """Return how statistics that are computed of the tables up to symmetry answer: a step for each table.

    Raises UnsupportedError if the limits have a checkpoint or an executor.

    >>> from types import SimpleNamespace
    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> question = SimpleNamespace(matrices=Tables(4, 2, 2), in_one_piece=None)
    >>> visit(question, list, [as_statistic("recall")]).steps
    9
    """
    if question.in_one_piece is not None:
        raise UnsupportedError(question.in_one_piece)
    matrices = question.matrices
    statistics = tuple(statistics)
    steps = members_of(matrices) // orders_alike(matrices, shared_symmetry(statistics))
    return Run(answer, steps, rate=sum(map(_seconds_of_table, statistics)))


def _seconds_of_table(statistic: Statistic) -> float:
    """Return about how long a statistic takes to compute at a table."""
    if statistic.counted:
        return SECONDS_OF_TABLE
    if statistic.batch is None:  # one of the package's calculates with fractions
        return _SECONDS_OF_FRACTIONS if statistic.tested else _SECONDS_OF_CALL
    # A user's function may not be called with a table of another shape than the class's.
    in_fractions = statistic.tested and isinstance(statistic.batch(np.ones((1, 2, 2), np.int64))[0], list)
    return _SECONDS_OF_FRACTIONS if in_fractions else SECONDS_OF_TABLE


def steps_of(matrices: MatrixClass, weight: str, limits: Limits) -> int:
    """Return the number of steps of a run, without the chunks that the checkpoint has.

    Raises TooLargeError for a class with too many points or margins.

    >>> from confmat.classes import Tables
    >>> steps_of(Tables(60, 5, 5), "tables", Limits()) > 10**15
    True
    """
    if not matrices:
        return 0
    if matrices.n > MOST_POINTS_OF_RUN and (
        weight == "labelings" or max(matrices.shape) > _MOST_LINES_OF_RUN
    ):
        raise TooLargeError(_TOO_MANY_POINTS)
    margins = number_of_margin_classes(matrices)
    if margins > MOST_MARGIN_CLASSES:
        many = whole(MOST_MARGIN_CLASSES)
        raise TooLargeError(
            f"more than the {many} pairs of margins listed, of which there may be {whole(margins)}"
        )
    if matrices.n > MOST_POINTS_OF_RUN:
        raise TooLargeError(_TOO_MANY_POINTS)
    if margins > _LISTED or (
        matrices.count_at_once() is None and about_members(matrices) > _MOST_MEMBERS_COUNTED
    ):
        # Lines that may be exchanged are taken for distinct ones.
        orders = orders_alike(matrices, matrices.symmetry) * (1 + ("transposition" in matrices.symmetry))
        return members_of(matrices) // orders + _STEPS_OF_MARGINS * margins
    pieces, _ = _pieces_with_memory(matrices, weight, limits)
    folder = limits.in_force().checkpoint
    question = "" if folder is None else _chunk_question(matrices, weight)
    lanes = moduli_of(matrices, weight).lanes
    steps = 0
    for number, piece in enumerate(pieces):
        if folder is None or not path_of(folder, question, number).exists():
            steps += piece.steps if piece.walked else lanes * piece.steps
    return steps


def _pieces_with_memory(
    matrices: MatrixClass, weight: str, limits: Limits
) -> tuple[tuple[Piece, ...], list[float]]:
    """Return the pieces of a run, and the bytes that each takes.

    Raises TooLargeError if the memory does not hold a piece and as much again for finished blocks.
    """
    moduli = moduli_of(matrices, weight)
    pieces = pieces_of(matrices, moduli.lanes)
    octets = [memory_of(piece, matrices, moduli) for piece in pieces]
    much = excess(memory=2 * max(octets), limits=limits)
    if much is not None:
        raise TooLargeError(f"{much} for one part of it")
    return pieces, octets


def limit_of_kept(limits: Limits) -> float:
    """Return the largest number of bytes of stored blocks."""
    return min(MOST_KEPT, limits.most()[1] / 4)


def fits(matrices: MatrixClass, weight: str, limits: Limits) -> bool | None:
    """Return whether all blocks fit in memory, from counts alone; None if only a run decides it.

    >>> from confmat.classes import Tables
    >>> [fits(Tables(*size), "tables", Limits(memory=2**34)) for size in ((40, 4, 4), (60, 3, 3), (100, 3, 3))]
    [True, True, False]
    """
    if not matrices:
        return True
    work = work_of(matrices)
    lanes = moduli_of(matrices, weight).lanes
    limit = limit_of_kept(limits)
    if lanes > 1:
        bytes_of_weight = 4 * lanes
    else:
        bytes_of_weight = min(8, -(-matrices.count().bit_length() // 8))
    if work.octets_of_places + work.signatures * bytes_of_weight <= limit or not is_foldable(matrices, lanes):
        return True
    many_bits = limit < work.places / 8 < 4 * work.visited
    return False if many_bits else None


def is_foldable(matrices: MatrixClass, lanes: int) -> bool:
    """Return whether sums fit in memory. With few rows and columns and many objects there are more sums than tables.

    >>> from confmat.classes import Tables
    >>> is_foldable(Tables(100, 3, 3), lanes=1), is_foldable(Tables(2000, 2, 2), lanes=1)
    (True, False)
    """
    return bytes_of_sums(matrices, lanes) <= _MOST_SUMS


def memory_of(piece: Piece, matrices: MatrixClass, moduli: Moduli) -> float:
    """Return the bytes that making a block takes: its places, and the states and histograms of a row margin."""
    if piece.walked:
        return _WALK
    octets_of_rows = _memory_of_rows(matrices, moduli)[piece.first : piece.end].max()
    return 8.0 * piece.places * moduli.lanes + float(octets_of_rows)


@lru_cache(maxsize=4)
def _memory_of_rows(matrices: MatrixClass, moduli: Moduli) -> np.ndarray:
    """Return the bytes of a row margin for each pair (A, B): the states of its halves, and its histograms."""
    lanes = lanes_of(len(moduli.primes))
    work = work_of(matrices)
    of_pairs = np.zeros(len(work.lines.a))
    for job, places in chain.from_iterable(work.jobs.values()):
        r = len(job.rows)
        s = job.cols.shape[1]
        # A state: its key, line, pairs, best and weights, twice while they are put in order.
        sets = number_of_sets(r // 2, r - r // 2, s)
        state = 4 * sets + 48 + 16 * lanes
        buckets = 0
        for half in split_rows(job.rows, s):
            buckets += comb(sum(half) + s - 1, s - 1)
        octets = states_listed(job.rows, s) * state + 8 * buckets
        octets += work.distances * job.a * (12 + 8 * lanes)
        of_pairs[places] = np.maximum(of_pairs[places], float(min(LARGEST_DOUBLE, octets)))
    return read_only(of_pairs)


# --- running ------------------------------------------------------------------------------------------


def run(matrices: MatrixClass, weight: str, limits: Limits) -> Iterator[Block]:
    """Yield every block of a class when it is finished.

    A block for which there is not enough memory raises TooLargeError before any work. An exception, the end of the
    time limit (TooLargeError) and Ctrl-C stop the kernels; finished chunks stay in the checkpoint. WorkersLostError
    is raised if the workers of the executor were killed.

    >>> from confmat.classes import Tables
    >>> sum(int(block.ends[-1]) for block in run(Tables(4, 2, 2), "tables", Limits()))
    5
    """
    if not matrices:
        return
    limits = limits.in_force()
    try:
        if matrices.n > MOST_POINTS_OF_RUN:
            raise TooLargeError(_TOO_MANY_POINTS)
        pieces, memory_of_pieces = _pieces_with_memory(matrices, weight, limits)
    except TooLargeError as refusal:
        text = f"the enumeration of {matrices!r} would take {refusal}; sample the class instead"
        raise TooLargeError(text) from None
    chunks = None
    kept = "nothing was kept"
    question = ""
    if limits.checkpoint is not None:
        question = _chunk_question(matrices, weight)
        chunks = Chunks(limits.checkpoint)
        kept = f"finished parts are in {limits.checkpoint}"
    watch = Watch(
        "enumerating",
        limits,
        sum(map(attrgetter("steps"), pieces)),
        len(pieces),
        kept,
    )
    waiting: deque[int] = deque()
    for number, piece in enumerate(pieces):
        arrays = None if chunks is None else chunks.load(question, number)
        if arrays is None:
            waiting.append(number)
        else:
            watch.step(piece.steps, found=True)
            yield Block(**arrays)
    if not waiting:
        return
    executor = limits.executor or ThreadPoolExecutor(limits.cores)
    stop = np.zeros(1, np.uint8)
    flag = (stop,) if limits.executor is None else ()  # reaches the threads of this process only
    # Bytes laid out at once, in this process; what is on other machines is not ours to watch.
    laid_out = 0.0
    room = limits.most()[1] / 2 if limits.executor is None else inf
    futures: dict[Future[Block], tuple[int, float]] = {}
    try:
        while waiting or futures:
            while waiting and (limits.executor is not None or len(futures) < _QUEUED * limits.cores):
                number = waiting[0]
                octets = memory_of_pieces[number]
                if futures and laid_out + octets > room:
                    break
                waiting.popleft()
                laid_out += octets
                task = executor.submit(block_of, matrices, weight, pieces[number], *flag)
                futures[task] = number, octets
            finished, _ = wait(futures, watch.look(), FIRST_COMPLETED)
            for future in finished:
                number, octets = futures.pop(future)
                block = future.result()
                laid_out -= octets
                if chunks is not None:
                    chunks.save(question, number, block.arrays())
                watch.step(pieces[number].steps)
                yield block
    except BaseException as error:
        stop[0] = 1
        for future in futures:
            future.cancel()
        if _is_loss(error):
            raise WorkersLostError(
                f"executor lost its workers ({type(error).__name__}); {watch.kept}"
                f"{': run the same again to resume' if chunks else '; with a checkpoint a run can be resumed'}"
            ) from error
        raise
    finally:
        if limits.executor is None:
            executor.shutdown(wait=True, cancel_futures=True)


def _chunk_question(matrices: MatrixClass, weight: str) -> str:
    """Return the text that identifies the chunks of a class."""
    return f"signatures of {matrices!r} {matrices.to_json()} by {weight}"


def _is_loss(error: BaseException) -> bool:
    """Whether workers are gone: processes that were killed, a scheduler or workers of Dask, as its errors say."""
    import asyncio  # slow to load

    lost = isinstance(error, (CancelledError, asyncio.CancelledError, BrokenExecutor))
    return lost or type(error).__module__.partition(".")[0] == "distributed"
