"""P(P >= t) with labels permuted at random, simulated where no recursion reaches and plain draws find nothing.

Two ways that have little in common estimate it without bias: tables made row by row under a tilt
exp(theta min(P, t)), with exact weights (without the cap t the tilted law jumps from chance to perfect agreement as
theta grows, and misses what lies between), and splitting, a population of tables that climbs from level to level of P.
The mean of unbiased estimates exceeds 20 p with a chance of at most 1/20 (Markov): p >= mean/20 at 95 %, whatever their
law.  Student's interval holds if no mode of the law given P >= t was missed; a run by rows may miss one again and again
(three clusters of 100, t = 13 000: two modes of three), so only where both ways agree is an estimate reliable.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from math import hypot, inf, isqrt, lgamma, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from confmat.answers import Answer, Part, Verbatim
from confmat.arguments import as_count
from confmat.chance.simulation_kernels import add_rows, move_within
from confmat.classes import FixedMargins, RandomModel, random_model
from confmat.errors import TooLarge
from confmat.indices.null_moments import pair_moments
from confmat.plans import Resources, as_resources
from confmat.sampling.models import drawn_from
from confmat.sampling.random_bits import copies, state_of
from confmat.sampling.streams import Seed, seed_sequence

# Runs of each way, the tables of each as the processor seconds for all of them allow, and those of pilots.
RUNS, SECONDS, SIZES, PILOT = 16, 10.0, (100, 2000), 200

# About so much of the tilted law lies at P >= t.
SHARE = 0.04, 0.25

# Moves of a table for each of its cells at each level of splitting.
SWEEPS = 4

# Seconds of a cell's value, and of a move.
_VALUE, _MOVE = 6e-9, 3e-8


class Estimate(NamedTuple):
    """Independent unbiased estimates of one probability, each by its natural logarithm (-inf for 0)."""

    runs: tuple[float, ...]

    @property
    def log10(self) -> float:
        """Of their mean."""
        return self._mean / log(10)

    @property
    def error(self) -> float:
        """Standard error of the mean over the mean; infinite where all are 0."""
        if self._mean == -inf:
            return inf
        quotients = np.exp(np.array(self.runs) - self._mean)
        return float(quotients.std(ddof=1)) / sqrt(len(self.runs))

    @property
    def interval(self) -> tuple[float, float]:
        """log10 of Student's interval at 95 %, with -inf for a lower end at 0 or below.

        >>> low, high = Estimate((log(1e-9), log(2e-9), log(3e-9))).interval
        >>> low, round(10 ** (high + 9), 3)
        (-inf, 4.484)
        """
        from scipy.stats import t as student

        quantile = float(student.ppf(0.975, len(self.runs) - 1))
        width = quantile * self.error
        high = self.log10 + log(1 + width) / log(10)
        low = -inf
        if width < 1:
            low = self.log10 + log(1 - width) / log(10)
        return low, high

    @property
    def _mean(self) -> float:
        top = max(self.runs)
        if top == -inf:
            return top
        return top + log(np.exp(np.array(self.runs) - top).mean())


@dataclass(frozen=True, repr=False)
class SimulatedTail(Answer):
    """P(P >= t) by two ways; ``by_splitting`` is None where that would have taken too long."""

    by_rows: Estimate
    by_splitting: Estimate | None

    @property
    def value(self) -> Estimate:
        """The larger one where the ways do not agree: what misses a part is too small."""
        if self.by_splitting is None or self.reliable:
            other_estimates = []
        else:
            other_estimates = [self.by_splitting]
        return max(
            [self.by_rows, *other_estimates],
            key=lambda estimate: estimate.log10,
        )

    @property
    def log10(self) -> float:
        """The estimate."""
        return self.value.log10

    @property
    def at_least(self) -> float:
        """log10 of a number below P(P >= t) with a chance of 95 %, whatever was missed (Markov)."""
        return self.by_rows.log10 - log(20) / log(10)

    @property
    def reliable(self) -> bool:
        """Whether the runs of each way agree (a standard error below a half), and both ways (within three)."""
        if self.by_splitting is None or max(self.by_rows.error, self.by_splitting.error) > 1 / 2:
            return False
        difference = abs(self.by_rows.log10 - self.by_splitting.log10) * log(10)
        return (
            difference <= 3 * hypot(self.by_rows.error, self.by_splitting.error) + 1e-9
        )  # of logarithms as doubles

    def as_dict(self) -> dict[str, Any]:
        """Logarithms to base 10; that of 0 is None in JSON.

        >>> SimulatedTail(Estimate((-inf, -inf)), None).to_json()["log10"] is None
        True
        """
        low, high = self.value.interval
        return {
            "by_rows": self.by_rows.log10,
            "by_splitting": None if self.by_splitting is None else self.by_splitting.log10,
            "log10": self.log10,
            "low": low,
            "high": high,
            "at_least": self.at_least,
            "reliable": self.reliable,
        }

    def parts(self) -> Iterator[Part]:
        """A line."""
        yield Verbatim(self._in_words())

    def _in_words(self) -> str:
        if self.log10 == -inf:
            return "not found: no run reached it"
        estimate = f"10^{self.log10:.2f}"
        if self.reliable:
            low, high = self.value.interval
            return f"{estimate} (95 %: 10^{low:.2f} to 10^{high:.2f} if no mode was missed)"
        if self.by_splitting is None:
            return f"{estimate}, unreliable: not checked by splitting, which takes too long"
        by_rows = self.by_rows.log10
        by_splitting = self.by_splitting.log10
        return f"{estimate}, unreliable: 10^{by_rows:.2f} by rows, 10^{by_splitting:.2f} by splitting"


def simulated_tail(
    rows: Sequence[int], cols: Sequence[int], t: int, *, rng: Seed = None, resources: Resources | None = None
) -> SimulatedTail:
    """P(P >= t) for positive margins of one total, from ``RUNS`` runs of each way; some 20 processor seconds at most.

    Raises TooLarge where the fewest tables by rows would take longer, O(sum of min(r_i, c_j)) each.

    >>> found = simulated_tail([20] * 2, [20] * 2, 340, rng=1)
    >>> round(found.log10, 1), found.reliable  # exactly 10^-8.235
    (-8.2, True)
    """
    # reads: a parameter for each thing that may be asked
    margins = FixedMargins(tuple(rows), tuple(cols))
    simulation = _Simulation(
        np.array(sorted(margins.rows, reverse=True)),
        np.array(sorted(margins.cols, reverse=True)),
        as_count(
            "t",
            t,
            -(2**63),
            2**126,
        ),
    )
    return simulation.run(seed_sequence(rng), as_resources(resources))


@dataclass(frozen=True)
class _Simulation:
    """``rows`` and ``cols`` in decreasing order: large clusters decide, so they go first."""

    rows: np.ndarray
    cols: np.ndarray
    t: int

    @cached_property
    def model(self) -> RandomModel:
        return random_model(
            "sizes",
            rows=self.rows.tolist(),
            cols=self.cols.tolist(),
        )

    def run(self, seeds: np.random.SeedSequence, resources: Resources) -> SimulatedTail:
        of_row = _VALUE * float(np.minimum.outer(self.rows, self.cols).sum())
        size = _tables_of_a_run(of_row)
        if size is None:
            raise TooLarge(
                f"{len(self.rows)} x {len(self.cols)} clusters of {self.model.n} objects are too large to simulate"
            )
        pilot, seeds_by_rows, seeds_by_splitting = seeds.spawn(3)
        theta = self.theta(state_of(pilot))

        def runs(run_once: partial[float], seeds: np.random.SeedSequence) -> Estimate:
            with ThreadPoolExecutor(resources.cores) as executor:
                return Estimate(tuple(executor.map(run_once, seeds.spawn(RUNS))))

        by_rows = runs(partial(self.by_rows, theta, size), seeds_by_rows)
        if by_rows.log10 == -inf:
            return SimulatedTail(by_rows, None)
        # Half of a population passes a level.
        size = _tables_of_a_run(max(0.0, -by_rows.log10) / log(2, 10) * self.moves * _MOVE)
        if size is None:
            return SimulatedTail(by_rows, None)
        levels = self.climb([], PILOT, pilot.spawn(1)[0])[1]
        return SimulatedTail(
            by_rows, runs(partial(lambda seeds: self.climb(levels, size, seeds)[0]), seeds_by_splitting)
        )

    @cached_property
    def logs(self) -> np.ndarray:
        """log k!."""
        return np.array([lgamma(k + 1) for k in range(self.model.n + 1)])

    @property
    def moves(self) -> int:
        return SWEEPS * len(self.rows) * len(self.cols)

    def theta(self, state: np.ndarray) -> float:
        """Where a fair share of the tilted law lies at P >= t; from the normal law's on, by bisection."""
        first, second = pair_moments(
            self.rows.tolist(),
            self.cols.tolist(),
            2,
        )
        if second == first**2:
            raise ValueError(f"P is always {first} at these margins: there is nothing to simulate")
        low, high, theta = 0.0, inf, max(0.0, float((self.t - first) / (second - first**2)))
        for _ in range(40):
            share = add_rows(state, self.rows, self.cols, self.t, theta, PILOT, self.logs)[1]
            if share < SHARE[0]:
                low = theta
            elif share > SHARE[1]:
                high = theta
            else:
                break
            if high == inf:
                theta = 2 * low
            else:
                theta = (low + high) / 2
        return theta

    def by_rows(self, theta: float, size: int, seeds: np.random.SeedSequence) -> float:
        return float(add_rows(state_of(seeds), self.rows, self.cols, self.t, theta, size, self.logs)[0])

    def climb(self, levels: list[int], size: int, seeds: np.random.SeedSequence) -> tuple[float, list[int]]:
        """The logarithm of the product of shares that pass the levels; without any, they are medians on the way."""
        start, moves = seeds.spawn(2)
        state = state_of(moves)
        levels_given = iter(levels)
        tables = np.ascontiguousarray(drawn_from(self.model).draw(start, size).tables)
        pairs = (tables * (tables - 1)).sum(axis=(1, 2)) // 2
        # Moves of about the standard deviation of a middling cell, more or less.
        scales = 2 + isqrt(self.model.n // tables[0].size).bit_length()
        log_share = 0.0
        levels_passed = [-1]
        while levels_passed[-1] < self.t:
            # Where all tables lie on a level, the next one that any of them comes across.
            levels_passed.append(
                next(
                    levels_given,
                    min(
                        self.t,
                        max(
                            int(np.median(pairs)),
                            levels_passed[-1] + 1,
                        ),
                    ),
                )
            )
            alive = np.flatnonzero(pairs >= levels_passed[-1])
            if not len(alive):
                if levels:
                    return -inf, levels
                levels_passed.pop()
            else:
                log_share += log(len(alive) / size)
                places = copies(state, alive, size)
                tables = tables[places]
                pairs = pairs[places]
            move_within(state, tables, pairs, levels_passed[-1], self.moves, scales, self.logs)
        return log_share, levels_passed[1:]


def _tables_of_a_run(seconds: float) -> int | None:
    """Tables of a run where each takes so long, None for too few.

    >>> _tables_of_a_run(1e-4), _tables_of_a_run(1.0) is None
    (2000, True)
    """
    if seconds:
        size = min(SIZES[1], int(SECONDS / RUNS / seconds))
    else:
        size = SIZES[1]
    return size if size >= SIZES[0] else None
