"""Enumeration of a class: its chunks are computed by threads, processes or a cluster, under the limits of the call."""

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
from dataclasses import dataclass
from functools import cached_property
from math import comb
from operator import attrgetter
from typing import Any

import numpy as np

from confmat._display.sheets import whole
from confmat._engine.blocks import Block, Moduli, block_of, moduli_of
from confmat._engine.checkpoint import Chunks, path_of
from confmat._engine.fold import BINS
from confmat._engine.margins import MOST_MARGIN_CLASSES, number_of_margin_classes
from confmat._engine.pieces import (
    Piece,
    Work,
    about_members,
    members_of,
    pieces_of,
    work_of,
)
from confmat._engine.walks import orders_alike
from confmat._limits import Limits, Run, Watch, excess
from confmat.classes import MatrixClass
from confmat.errors import TooLargeError, UnsupportedError, WorkersLostError
from confmat.statistics.record import Statistic, shared_symmetry

# The weight of a best matching is stored in 16 bits.
MOST_POINTS_OF_RUN = 2**15 - 1
_TOO_MANY_POINTS = f"more than {MOST_POINTS_OF_RUN} objects, the limit of an enumeration"

# Largest number of bytes of the sufficient statistics in memory. They also use at most a quarter of the memory limit.
MOST_KEPT = 2**30

# Largest number of bytes of the sums by m and F, and by m and bin of ARD. Classes with larger sums have few tables.
_MOST_SUMS = 2**30

# The steps of a class with more pairs of margins are estimated, and those of a class with more members if counting is
# slow.
_LISTED = 2 * 10**6
_MOST_MEMBERS_COUNTED = 10**15
_STEPS_OF_MARGINS = 10**4

# Largest number of rows or columns of an enumeration with more objects than the limit.
_MOST_LINES_OF_RUN = 10**4

# Seconds of a statistic at one table: many tables at once in integers, a call of a function for each table, and
# fractions, roots or logarithms for each table.
SECONDS_OF_TABLE = 7e-7
_SECONDS_OF_CALL = 2e-6
_SECONDS_OF_FRACTIONS = 3e-5

# Number of tasks in the queue per thread.
_QUEUED = 2


# --- steps ------------------------------------------------------------------------------------------


def visit(question: Any, answer: Callable[[], Any], statistics: Iterable[Statistic]) -> Run:
    """Return a ``Run`` that calls ``answer``, a computation that evaluates statistics at each table up to symmetry.

    A step is a table. The shared symmetry of ``statistics`` determines the number of steps, and their kinds the
    seconds of a step. ``question.matrices`` is the class. ``question.in_one_piece`` is None, or the reason why this
    computation does not use a limit (checkpoint or executor). Raise UnsupportedError with this reason.

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
    """Estimate the CPU seconds of a statistic at one table."""
    if statistic.counted:
        return SECONDS_OF_TABLE
    if statistic.batch is None:  # one of the package's calculates with fractions
        return _SECONDS_OF_FRACTIONS if statistic.tested else _SECONDS_OF_CALL
    # A user's function may not be called with a table of another shape than the class's.
    in_fractions = statistic.tested and isinstance(statistic.batch(np.ones((1, 2, 2), np.int64))[0], list)
    return _SECONDS_OF_FRACTIONS if in_fractions else SECONDS_OF_TABLE


@dataclass(frozen=True, eq=False)
class Enumeration:
    """Enumeration of a class: the forecast of its work, its tasks, and its chunks of sufficient statistics.

    ``weight`` is "tables" or "labelings".

    >>> from confmat.classes import Tables
    >>> enumeration = Enumeration(Tables(4, 2, 2), "tables", Limits())
    >>> [block.ends.tolist() for block in enumeration.chunks()]
    [[0, 2, 3, 5]]
    """

    matrices: MatrixClass
    weight: str
    limits: Limits

    @property
    def moduli(self) -> Moduli:
        """Representation of the weights."""
        return moduli_of(self.matrices, self.weight)

    @property
    def work(self) -> Work:
        """Amount of work. The margins of the class must be few enough to list."""
        return work_of(self.matrices)

    def planned(self, answer: Callable[[], Any]) -> Run:
        """Return a ``Run`` that calls ``answer``, a computation that enumerates the class once."""
        return Run(answer, self.steps, self.limits.cores)

    @property
    def steps(self) -> int:
        """Number of steps of about ``STEP`` seconds, without the chunks that are stored in the checkpoint.

        Raise TooLargeError for a class with too many objects or margins.

        >>> from confmat.classes import Tables
        >>> Enumeration(Tables(60, 5, 5), "tables", Limits()).steps > 10**15
        True
        """
        matrices = self.matrices
        if not matrices:
            return 0
        if matrices.n > MOST_POINTS_OF_RUN and (
            self.weight == "labelings" or max(matrices.shape) > _MOST_LINES_OF_RUN
        ):
            raise TooLargeError(_TOO_MANY_POINTS)
        margins = number_of_margin_classes(matrices)
        if margins > MOST_MARGIN_CLASSES:
            many = whole(MOST_MARGIN_CLASSES)
            raise TooLargeError(
                f"an enumeration of up to {whole(margins)} pairs of margins, the limit is {many}"
            )
        if matrices.n > MOST_POINTS_OF_RUN:
            raise TooLargeError(_TOO_MANY_POINTS)
        if margins > _LISTED or (
            matrices.count_at_once() is None and about_members(matrices) > _MOST_MEMBERS_COUNTED
        ):
            # Rows and columns that can be permuted are assumed to have distinct sums.
            orders = orders_alike(matrices, matrices.symmetry) * (1 + ("transposition" in matrices.symmetry))
            return members_of(matrices) // orders + _STEPS_OF_MARGINS * margins
        folder = self.limits.in_force().checkpoint
        steps = 0
        for number, piece in enumerate(self._pieces()):
            if folder is None or not path_of(folder, self._chunk_question, number).exists():
                steps += piece.steps
        return steps

    def _pieces(self) -> tuple[Piece, ...]:
        """Return the tasks.

        Raise TooLargeError if the memory is smaller than twice the bytes of the largest task.
        """
        pieces = pieces_of(self.matrices, self.moduli.lanes)
        much = excess(memory=2 * max(map(attrgetter("octets"), pieces)), limits=self.limits)
        if much is not None:
            raise TooLargeError(f"{much} for one chunk")
        return pieces

    @cached_property
    def _chunk_question(self) -> str:
        """Text that identifies the chunks in a checkpoint."""
        return f"signatures of {self.matrices!r} {self.matrices.to_json()} by {self.weight}"

    @property
    def limit_of_kept(self) -> float:
        """Limit, in bytes, of the sufficient statistics in memory."""
        return min(MOST_KEPT, self.limits.most()[1] / 4)

    def fits(self) -> bool | None:
        """Return whether the sufficient statistics fit in memory, from counts alone.

        The result is None if only the enumeration can decide this.

        >>> from confmat.classes import Tables
        >>> limits = Limits(memory=2**34)
        >>> [Enumeration(Tables(n, 3, 3), "tables", limits).fits() for n in (60, 100)]
        [True, False]
        """
        matrices = self.matrices
        if not matrices:
            return True
        work = self.work
        limit = self.limit_of_kept
        lanes = self.moduli.lanes
        if lanes > 1:
            bytes_of_weight = 4 * lanes
        else:
            bytes_of_weight = min(8, -(-matrices.count().bit_length() // 8))
        if work.octets_of_places + work.signatures * bytes_of_weight <= limit or not self.is_foldable:
            return True
        many_bits = limit < work.places / 8 < 4 * work.visited
        return False if many_bits else None

    @property
    def is_foldable(self) -> bool:
        """True if `Sums` over the sufficient statistics fit in memory.

        These are the weights of each (m, A + B - 2P), and of each m and interval ("bin") of the ARD. They are about
        (n + 1) (n(n - 1)/2 + bins) numbers, each of one or several integers. For classes of large n and few rows
        and columns they can be larger than the sufficient statistics themselves.

        >>> from confmat.classes import Tables
        >>> sizes = Tables(100, 3, 3), Tables(2000, 2, 2)
        >>> [Enumeration(matrices, "tables", Limits()).is_foldable for matrices in sizes]
        [True, False]
        """
        places = comb(self.matrices.n, 2) + 1 + BINS
        return 8 * self.moduli.lanes * (self.matrices.n + 1) * places <= _MOST_SUMS

    def chunks(self) -> Iterator[Block]:
        """Enumerate the class and yield chunks of its sufficient statistics in the order in which they are finished.

        An exception, the end of the time limit and Ctrl-C stop the kernels. Finished chunks remain in the checkpoint.

        Raises
        ------
        TooLargeError
            Before any work if a chunk does not fit in memory, or at the end of the time limit.
        WorkersLostError
            If the workers of the executor were killed.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> sum(int(block.ends[-1]) for block in Enumeration(Tables(4, 2, 2), "tables", Limits()).chunks())
        5
        """
        matrices = self.matrices
        if not matrices:
            return
        limits = self.limits.in_force()
        try:
            if matrices.n > MOST_POINTS_OF_RUN:
                raise TooLargeError(_TOO_MANY_POINTS)
            pieces = self._pieces()
        except TooLargeError as refusal:
            text = f"the enumeration of {matrices!r} would take {refusal}. Sample the class instead."
            raise TooLargeError(text) from None
        chunks = None
        kept = "nothing was kept"
        if limits.checkpoint is not None:
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
            arrays = None if chunks is None else chunks.load(self._chunk_question, number)
            if arrays is None:
                waiting.append(number)
            else:
                watch.step(piece.steps, found=True)
                yield Block(**arrays)
        if not waiting:
            return
        # The memory of other machines is not checked.
        most_at_once = len(pieces)
        executor = limits.executor
        if executor is None:
            room = limits.most()[1] / 2
            threads = max(
                1, min(limits.cores, int(min(len(pieces), room / max(map(attrgetter("octets"), pieces)))))
            )
            most_at_once = _QUEUED * threads
            executor = ThreadPoolExecutor(threads)
        stop = np.zeros(1, np.uint8)
        flag = (stop,) if limits.executor is None else ()  # only threads of this process see the flag
        futures: dict[Future[Block], int] = {}
        try:
            while waiting or futures:
                while waiting and len(futures) < most_at_once:
                    number = waiting.popleft()
                    futures[executor.submit(block_of, matrices, self.weight, pieces[number], *flag)] = number
                finished, _ = wait(futures, watch.look(), FIRST_COMPLETED)
                for future in finished:
                    number = futures.pop(future)
                    block = future.result()
                    if chunks is not None:
                        chunks.save(self._chunk_question, number, block.arrays())
                    watch.step(pieces[number].steps)
                    yield block
        except BaseException as error:
            stop[0] = 1
            for future in futures:
                future.cancel()
            if _is_loss(error):
                raise WorkersLostError(
                    f"executor lost its workers ({type(error).__name__}), {watch.kept}"
                    f"{': run the same again to resume' if chunks else '. Pass a checkpoint to resume such a run.'}"
                ) from error
            raise
        finally:
            if limits.executor is None:
                executor.shutdown(wait=True, cancel_futures=True)


def _is_loss(error: BaseException) -> bool:
    """Return whether an error means that workers are lost: killed processes, or errors of a Dask scheduler."""
    import asyncio  # slow to load

    lost = isinstance(error, (CancelledError, asyncio.CancelledError, BrokenExecutor))
    return lost or type(error).__module__.partition(".")[0] == "distributed"
