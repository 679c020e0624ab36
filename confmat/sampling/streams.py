"""Random draws in chunks: reproducible, computed by threads, yielded in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from confmat._limits import Limits, Progress, Watch, admit, deadline
from confmat.classes import MatrixClass
from confmat.distributions import JointDistribution
from confmat.sampling.methods import DrawnTables, Sampler

Seed = int | np.random.Generator | np.random.SeedSequence | None


# Spawn key of our children: a sequence cannot spawn this number of children, so that no child of a user equals ours.
_OURS = 2**32 - 1


class CountEstimate(NamedTuple):
    """Estimated number of matrices, and its standard error."""

    value: float
    error: float


def check_seed(rng: Seed) -> None:
    """Raise TypeError if ``rng`` is not a seed. A Generator is not advanced."""
    if not isinstance(rng, np.random.Generator):
        seed_sequence(rng)


def seed_sequence(rng: Seed) -> np.random.SeedSequence:
    """Return the seed sequence for draws with the argument ``rng``.

    ``rng`` is an int, a Generator (which is advanced), a SeedSequence, or None for fresh entropy. For a
    SeedSequence the result is a child that differs from all children that the user spawns.

    >>> sequence = np.random.SeedSequence(2)
    >>> seed_sequence(1).entropy, seed_sequence(sequence).entropy, sequence.n_children_spawned
    (1, 2, 0)
    """
    if isinstance(rng, np.random.SeedSequence):
        return np.random.SeedSequence(rng.entropy, spawn_key=(*rng.spawn_key, _OURS))
    if isinstance(rng, np.random.Generator):
        return np.random.SeedSequence(rng.integers(0, 2**32, 8).tolist())
    if rng is None or (isinstance(rng, int | np.integer) and not isinstance(rng, bool) and rng >= 0):
        return np.random.SeedSequence(None if rng is None else int(rng))
    raise TypeError(f"rng must be a non-negative seed, a numpy.random.Generator or None, got {rng!r}")


@dataclass
class Stream:
    """Draws from a class in chunks. Iterate over it for int arrays of shape (k, r, s).

    Chunk i depends on the seed and on i, not on the number of threads. The draws of a chunk are not always
    contiguous in memory.

    Attributes
    ----------
    matrices : MatrixClass
    method : Sampler
    size : int
    seeds : SeedSequence
    limits : Limits
    seconds : float
        Approximate time of all draws.
    weight : str
        Weight in proportion to which members are drawn.
    given : str
        Condition that every draw satisfies.
    proposals, accepted : int
        Numbers of proposals and of accepted ones so far.
    """

    matrices: MatrixClass
    method: Sampler
    size: int
    seeds: np.random.SeedSequence
    limits: Limits = field(default_factory=Limits)
    seconds: float = 0.0
    weight: str = "tables"
    given: str = ""
    proposals: int = field(default=0, init=False)
    accepted: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[np.ndarray]:
        """Yield arrays of shape (k, r, s)."""
        for block in self.blocks():
            yield block.tables

    def blocks(self) -> Iterator[DrawnTables]:
        """Yield the chunks with their numbers of proposals.

        Yields
        ------
        DrawnTables

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.sampling import stream
        >>> [len(block.tables) for block in stream(Tables(4, 2, 2), 3, rng=1).blocks()]
        [3]
        """
        with ThreadPoolExecutor(self.limits.cores) as executor:
            waiting: deque[Future[DrawnTables]] = deque()
            starts = iter(range(0, self.size, self.method.block))
            try:
                for i, start in enumerate(starts):
                    size = min(self.method.block, self.size - start)
                    waiting.append(executor.submit(copy_context().run, self._block, i, size))
                    if len(waiting) > 2 * self.limits.cores:
                        yield self._take(waiting)
                while waiting:
                    yield self._take(waiting)
            finally:
                for future in waiting:
                    future.cancel()

    def _block(self, i: int, size: int) -> DrawnTables:
        """Return chunk ``i`` with ``size`` draws."""
        seeds = np.random.SeedSequence(self.seeds.entropy, spawn_key=(*self.seeds.spawn_key, i))
        return self.method.draw(seeds, size)

    def _take(self, waiting: deque[Future[DrawnTables]]) -> DrawnTables:
        """Wait for the first chunk of ``waiting``, count its proposals, report progress and return it."""
        block = waiting.popleft().result()
        self.proposals += block.proposals
        self.accepted += len(block.tables)
        progress = self.limits.in_force().progress
        if progress is not None:
            progress(Progress("draws", self.accepted, self.size, self.accepted / self.size))
        return block

    def _limited(self) -> Iterator[np.ndarray]:
        """Yield arrays of shape (k, r, s). Raise TooLargeError at the end of the time limit."""
        watch = Watch("drawing", Limits(progress=lambda progress: None), self.size, self.size)
        with deadline(self.limits):
            for tables in self:
                watch.step(len(tables))
                watch.look()
                yield tables

    def array(self) -> np.ndarray:
        """Return all draws in one array.

        Returns
        -------
        array of int, shape (size, r, s)

        Raises
        ------
        TooLargeError
            Before the first draw, if all draws together exceed the limits.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.sampling import stream
        >>> stream(Tables(4, 2, 2), 3, rng=1).array().sum(axis=(1, 2)).tolist()
        [4, 4, 4]
        """
        r, s = self.matrices.shape
        self.admit(memory=8 * self.size * r * s)
        tables = np.empty((self.size, r, s), np.int64 if self.matrices.n < 2**63 else object)
        number_filled = 0
        for drawn_tables in self._limited():
            tables[number_filled : number_filled + len(drawn_tables)] = drawn_tables
            number_filled += len(drawn_tables)
        return tables

    def distribution(self, *statistics: Any) -> JointDistribution:
        """Return the empirical distribution of some statistics over the draws, which are not stored.

        Parameters
        ----------
        *statistics : str, Statistic or callable

        Returns
        -------
        JointDistribution

        Raises
        ------
        TooLargeError
            If it takes longer than the limits.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.sampling import stream
        >>> law = stream(Tables(5, 2, 2), 10_000, rng=1).distribution("rd")
        >>> law.sample_size, abs(law["rd"].mean() - 2 / 5) < 4 * law["rd"].standard_error() < 0.01
        (10000, True)
        """
        from confmat.sampling.draws import empirical, seconds_of_statistics

        self.admit(self.size * seconds_of_statistics(self.matrices, statistics))
        return empirical(self.matrices, statistics, self._limited(), self.weight)

    def admit(self, seconds: float = 0, memory: float = 0) -> None:
        """Check that all draws are within the limits.

        Parameters
        ----------
        seconds, memory : float
            Additional seconds and bytes. Default: 0.

        Raises
        ------
        TooLargeError
            If the draws exceed the limits.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.sampling import stream
        >>> stream(Tables(4, 2, 2), 10**14, rng=1).admit()  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        confmat.errors.TooLargeError: 100000000000000 draws of 2 x 2 cells would take about ... (limit 1.0 hours)
        """
        subject = f"{self.size} draws of {{}} x {{}} cells".format(*self.matrices.shape)
        admit(subject, self.seconds + seconds, memory, limits=self.limits)

    @property
    def rejection_rate(self) -> Fraction:
        """Fraction of the proposals so far that were rejected, 0 before the first."""
        if self.proposals:
            return Fraction(self.proposals - self.accepted, self.proposals)
        return Fraction(0)

    def estimated_count(self) -> CountEstimate:
        """Estimate the number of matrices of the class from the accepted proposals.

        Proposals are uniform over a set of known size. Each chunk continues until it has its draws. With k accepted
        of N proposals, (k - 1)/(N - 1) is therefore an unbiased estimate of the fraction of members (Haldane 1945).

        Returns
        -------
        CountEstimate

        Raises
        ------
        ValueError
            For a method without rejection, and before two draws.

        Examples
        --------
        >>> from confmat.classes import Tables
        >>> from confmat.sampling import stream
        >>> draws = stream(Tables(20, 3, 3), 1000, rng=1, method="rejection")
        >>> found, (value, error) = draws.array(), draws.estimated_count()
        >>> abs(value - Tables(20, 3, 3).count()) < 4 * error < value / 10
        True
        """
        if self.method.proposals is None:
            raise ValueError(
                'only draws with method="rejection" estimate a count (matrices.count() counts without draws), '
                f"got {self.method.name!r}"
            )
        if self.accepted < 2:
            raise ValueError(
                f"a stream must have made at least 2 draws to estimate a count, got {self.accepted}"
            )
        share = (self.accepted - 1) / (self.proposals - 1)
        cautious = (self.accepted + 1) / (
            self.proposals + 2
        )  # a positive error even if nothing was rejected yet
        error = cautious * sqrt((1 - cautious) / self.accepted)
        space = float(self.method.proposals)
        return CountEstimate(space * share, space * error)
