"""What is known of laws whose signatures are too many to be kept: sums over the blocks of a class as they come.

With F = A + B - 2P disagreeing pairs of M = C(n, 2), and D = A (M - B) + B (M - A), at each m = n MED:

    RD = F / M,    ARD = F M / D    (0 when D = 0: both partitions are then the same).

The law of F is added up whole.  Of the ARD there are its moments, rounded down at a far place; its least and its
largest value; and how much lies in each of many bins, so that a second run over the class finds quartiles.

>>> from confmat.classes import Tables
>>> from confmat.engine.signatures import summed_up
>>> from confmat.plans import Resources
>>> sums = summed_up(Tables(4, 2, 2), "tables", Resources())
>>> sums.totals[:3], sums.law[1].tolist(), sums.ends(1, MOST_RD).tolist()
([6, 8, 5], [0, 0, 0, 8, 0, 0, 0], [[1, 3, 2, 1]])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb, inf, prod

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.blocks import Block, Moduli, whole_weights
from confmat.engine.margins import ard_denominator
from confmat.errors import ConsistencyError
from confmat.integers.arrays import from_residues, portions

# Bins of the ARD in [0, 2], what is above in the last one: those of quartiles hold few signatures.
BINS = 2**14

# Sums of F / D, and of its square, are exact to so many binary places, but for one unit of the last for each term.
PLACES = 200

# Signatures added up at once: what is computed of them stays in the processor's cache.
_SIGNATURES_AT_ONCE = 2**16

# Doubles that differ by less, relatively, may stand for equal quotients, which are compared exactly.
_RELATIVE_ROUNDING = 1e-12

LEAST_RD, MOST_RD, LEAST_ARD, MOST_ARD = range(4)


def ard_bins(f: np.ndarray, d: np.ndarray, pairs: int) -> np.ndarray:
    """Bin of each ARD in integers, so that bins respect the order of the values.

    >>> ard_bins(np.array([0, 3, 9]), np.array([0, 18, 18]), 6).tolist()
    [0, 8192, 16383]
    """
    return np.minimum(
        f * pairs * (BINS // 2) // np.maximum(d, 1),
        BINS - 1,
    )


@dataclass
class _End:
    """The least or largest value of a kind at one m: its double, times -1 for the largest; signatures that have it."""

    rough: float = inf
    value: Fraction | None = None
    cells: list[list[int]] = field(default_factory=list)


@dataclass
class _LevelSums:
    """What is known at one m: its ends by kind, sums of quotients by power (units of 2^-PLACES), and of F."""

    ends: tuple[_End, ...] = field(default_factory=lambda: tuple(_End() for _ in range(4)))
    quotients: list[int] = field(default_factory=lambda: [0, 0])
    terms: int = 0
    disagreements: int = 0


@dataclass(frozen=True)
class _Runs:
    """Signatures in runs of one m, A and B, in which P grows and F falls.

    Of each run m, A, B, D and ``firsts``, where it begins; of each signature F and weights (N x lanes).  ``levels``:
    the values of m, ``starts``: the first run of each.
    """

    m: np.ndarray
    a: np.ndarray
    b: np.ndarray
    d: np.ndarray
    firsts: np.ndarray
    f: np.ndarray
    weights: np.ndarray
    levels: list[int]
    starts: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """How many signatures each run has."""
        return np.diff(self.firsts, append=len(self.f))

    def each(self, values: np.ndarray) -> np.ndarray:
        """What each signature has of its run."""
        return values.repeat(self.counts)

    def cells(self, some: np.ndarray) -> np.ndarray:
        """Some of the signatures (k x 4), by their places."""
        runs = np.searchsorted(self.firsts, some, "right") - 1
        a = self.a[runs]
        b = self.b[runs]
        p = (a + b - self.f[some]) // 2
        return np.stack([self.m[runs], a, b, p], axis=1)


def runs_of(block: Block, pairs: int) -> Iterator[_Runs]:
    """The signatures of a block, those of some m at once."""
    (levels,) = block.counts.nonzero()
    for places in portions(block.counts[levels], _SIGNATURES_AT_ONCE):
        yield _runs_at(block, levels[places].tolist(), pairs)


def _runs_at(block: Block, levels: list[int], pairs: int) -> _Runs:
    runs_of_level = []
    counts = []
    lines = []
    for m in levels:
        at_m = block.lines_at(m)
        ends = at_m.searchsorted(block.starts)
        of_pairs = ends[1:] - ends[:-1]
        occurs = np.flatnonzero(of_pairs)
        runs_of_level.append(occurs)
        counts.append(of_pairs[occurs])
        lines.append(at_m)
    sizes = np.array([len(runs) for runs in runs_of_level])
    run = np.concatenate(runs_of_level)
    count = np.concatenate(counts)
    a = block.a[run]
    b = block.b[run]
    # F of the line with P = 0, had the pair one.
    f_of_lines = a + b + 2 * (block.starts[:-1] - block.bottoms)[run]
    f = f_of_lines.repeat(count) - 2 * np.concatenate(lines)
    weights = np.concatenate([block.weights_at(m) for m in levels]).astype(np.int64)
    starts = np.cumsum(sizes) - sizes
    m_of_runs = np.array(levels).repeat(sizes)
    d = ard_denominator(a, b, pairs)
    firsts = np.cumsum(count) - count
    return _Runs(m_of_runs, a, b, d, firsts, f, weights.reshape(len(f), -1), levels, starts)


def bytes_of_sums(matrices: MatrixClass, lanes: int) -> int:
    """Memory that sums over a class take, whatever its signatures are.

    >>> from confmat.classes import Tables
    >>> bytes_of_sums(Tables(20, 3, 3), lanes=1)
    2784600
    """
    return 8 * lanes * (matrices.n + 1) * (comb(matrices.n, 2) + 1 + BINS)


class Sums:
    """Sums over the blocks of a class; ``law[m, F]`` and ``bins[m, i]`` are weights (int64 or Python ints)."""

    def __init__(self, matrices: MatrixClass, moduli: Moduli) -> None:
        self.matrices, self.moduli = matrices, moduli
        self.pairs = comb(matrices.n, 2)
        # Whether sums of F^2 are below the product of the primes.
        labelings_at_most = prod(matrices.shape) ** matrices.n
        self._roomy = prod(moduli.primes) > labelings_at_most * self.pairs**2
        distances = matrices.n + 1
        self._law = np.zeros((moduli.lanes, distances, self.pairs + 1), np.int64)
        self._bins = np.zeros((moduli.lanes, distances, BINS), np.int64)
        self._levels = [_LevelSums() for _ in range(distances)]

    @cached_property
    def law(self) -> np.ndarray:
        """Weight of the matrices with each m and F."""
        return self._whole(self._law)

    @cached_property
    def bins(self) -> np.ndarray:
        """Weight of the matrices with each m and bin of ARD."""
        return self._whole(self._bins)

    @cached_property
    def totals(self) -> list[int]:
        """Weight of the matrices at each m."""
        return [sum(row) for row in self.law.tolist()]

    @property
    def total(self) -> int:
        """Weight of the class."""
        return sum(self.totals)

    def _whole(self, residues: np.ndarray) -> np.ndarray:
        primes = self.moduli.primes
        return from_residues(residues, primes) if primes else residues[0]

    def ends(self, m: int, kind: int) -> np.ndarray:
        """The signatures with the least or largest RD or ARD at an m that occurs."""
        return np.array(self._levels[m].ends[kind].cells)

    def quotient(self, m: int, power: int) -> tuple[int, int]:
        """The sum of weight times (F / D)^power at m is p to p + e, in units of 2^-PLACES: p, e."""
        level = self._levels[m]
        return level.quotients[power - 1], level.terms + 1

    def add(self, block: Block) -> None:
        """Add the signatures of a block."""
        for runs in runs_of(block, self.pairs):
            self._add_weights(runs)
            self._add_quotients(runs)
            self._keep_ends(runs)

    def _add_weights(self, runs: _Runs) -> None:
        """The laws of (m, F) and of m and the bin of ARD."""
        of_law = runs.each(runs.m * (self.pairs + 1)) + runs.f
        of_bins = runs.each(runs.m * BINS) + ard_bins(runs.f, runs.each(runs.d), self.pairs)
        touched = slice(runs.levels[0], runs.levels[-1] + 1)
        for places, sums in ((of_law, self._law), (of_bins, self._bins)):
            for q, of_lane in enumerate(sums):
                np.add.at(of_lane.reshape(-1), places, runs.weights[:, q])
                if self.moduli.primes:
                    of_lane[touched] %= self.moduli.primes[q]

    def _add_quotients(self, runs: _Runs) -> None:
        of_f, of_squares = self._sums_of_runs(runs)
        d = np.maximum(runs.d, 1)
        first = _sums_of_quotients(of_f, d, 1, runs.starts)
        second = _sums_of_quotients(of_squares, d, 2, runs.starts)
        disagreements = _sums_from(of_f, runs.starts)
        terms = np.diff(runs.starts, append=len(d)).tolist()
        for m, *sums, of_level, number in zip(runs.levels, first, second, disagreements, terms):
            level = self._levels[m]
            level.quotients = [x + y for x, y in zip(level.quotients, sums)]
            level.disagreements += of_level
            level.terms += number

    def _sums_of_runs(self, runs: _Runs) -> tuple[np.ndarray, np.ndarray]:
        """Sums over each run of weight times F, and times its square."""
        primes = self.moduli.primes
        if not primes:
            return _sums_of_products(runs.weights[:, 0], runs.f, runs.firsts)
        if not self._roomy:
            return _sums_of_products(whole_weights(runs.weights, primes), runs.f, runs.firsts)
        sums = np.empty((2, len(runs.firsts), len(primes)), np.int64)
        for q, prime in enumerate(primes):
            once = runs.weights[:, q] * (runs.f % prime) % prime
            twice = once * (runs.f % prime) % prime
            sums[0, :, q] = np.add.reduceat(once, runs.firsts) % prime
            sums[1, :, q] = np.add.reduceat(twice, runs.firsts) % prime
        return whole_weights(sums[0], primes), whole_weights(sums[1], primes)

    def _keep_ends(self, runs: _Runs) -> None:
        """The least and largest values stand at the ends of runs."""
        lasts = runs.firsts + runs.counts - 1
        d = np.maximum(runs.d, 1)
        least = runs.f[lasts]
        most = -runs.f[runs.firsts]
        for kind, places, rough in (
            (LEAST_RD, lasts, least.astype(float)),
            (MOST_RD, runs.firsts, most.astype(float)),
            (LEAST_ARD, lasts, least / d),
            (MOST_ARD, runs.firsts, most / d),
        ):
            best = np.minimum.reduceat(rough, runs.starts).tolist()
            for m, of_level, first, end in zip(runs.levels, best, runs.starts, [*runs.starts[1:], len(d)]):
                bound = of_level + _RELATIVE_ROUNDING * abs(of_level)
                end_so_far = self._levels[m].ends[kind]
                if of_level - _RELATIVE_ROUNDING * abs(of_level) <= end_so_far.rough:
                    near = first + np.flatnonzero(rough[first:end] <= bound)
                    self._keep(kind, end_so_far, runs.cells(places[near]), of_level)

    def _keep(self, kind: int, end: _End, cells: np.ndarray, rough: float) -> None:
        """Compare an end with further signatures, exactly."""
        if kind in (LEAST_RD, LEAST_ARD):
            sign = 1
        else:
            sign = -1
        end.rough = min(end.rough, rough)
        for signature in cells.tolist():
            value = self.value(kind, *signature)
            if end.value is None or sign * value < sign * end.value:
                end.value, end.cells = value, []
            if value == end.value:
                end.cells.append(signature)

    def value(self, kind: int, m: int, a: int, b: int, p: int) -> Fraction:
        """The RD or ARD of a signature."""
        f = a + b - 2 * p
        if kind in (LEAST_RD, MOST_RD):
            return Fraction(f, max(1, self.pairs))
        d = ard_denominator(a, b, self.pairs)
        if d:
            return Fraction(f * self.pairs, d)
        return Fraction(0)

    def compare(self) -> None:
        """Three sums of the same matrices agree at each m: their weights, these by bins, and times F."""
        f = np.arange(self.pairs + 1).astype(object)
        for m, level in enumerate(self._levels):
            of_bins = sum(self.bins[m].tolist())
            disagreements = int((self.law[m] * f).sum())
            if self.totals[m] != of_bins or disagreements != level.disagreements:
                raise ConsistencyError(
                    f"sums of one pass over {self.matrices!r} do not agree at MED = {m}/{self.matrices.n}"
                )

    def wanted(self, wanted: np.ndarray, blocks: Iterable[Block]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The signatures of some bins of ARD (n + 1 x bins) with their weights, of one m at once: from another run."""
        for block in blocks:
            for runs in runs_of(block, self.pairs):
                bins = ard_bins(runs.f, runs.each(runs.d), self.pairs)
                (chosen,) = wanted[runs.each(runs.m), bins].nonzero()
                cuts = np.flatnonzero(np.diff(runs.each(runs.m)[chosen])) + 1
                for of_level in np.split(chosen, cuts):
                    if len(of_level):
                        if self.moduli.primes:
                            weights = runs.weights[of_level]
                        else:
                            weights = runs.weights[of_level, 0]
                        yield runs.cells(of_level), whole_weights(weights, self.moduli.primes)


def _sums_of_products(
    weights: np.ndarray, f: np.ndarray, firsts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of weight times F, and times its square, from each of ``firsts`` on; in 64 bits where they fit."""
    largest_weight = int(np.add.reduceat(weights, firsts).max())
    if largest_weight * int(f.max()) ** 2 >= 2**62:
        weights = weights.astype(object)
    of_f = weights * f
    return np.add.reduceat(of_f, firsts), np.add.reduceat(of_f * f, firsts)


def _sums_of_quotients(numerators: np.ndarray, d: np.ndarray, power: int, starts: np.ndarray) -> list[int]:
    """Sums from each of ``starts`` on of ``numerators / d^power``, each rounded down, in units of 2^-PLACES.

    >>> sums = _sums_of_quotients(np.array([1, 5, 3]), np.array([2, 4, 2]), 1, np.array([0, 2]))
    >>> [x / 2**PLACES for x in sums]
    [1.75, 1.5]
    """
    bits = 62 - int(d.max()).bit_length()
    if numerators.dtype == object or bits < 8:
        quotients = (numerators.astype(object) << PLACES) // d.astype(object) ** power
        return np.add.reduceat(quotients, starts).tolist()
    number = -(-PLACES // bits)
    digits = [numerators, *[np.zeros_like(numerators)] * number]
    for _ in range(power):
        digits = _divided_digits(digits, d, bits)
    total = np.zeros(len(starts), object)
    for digit in digits:
        total = (total << bits) + _sums_from(digit, starts)
    return (total >> (bits * number - PLACES)).tolist()


def _divided_digits(digits: list[np.ndarray], d: np.ndarray, bits: int) -> list[np.ndarray]:
    """Numbers with digits of so many bits after the point, divided: the digits of the quotients, rounded down."""
    found = []
    rest = np.zeros_like(d)
    for digit in digits:
        value = (rest << bits) + digit
        found.append(value // d)
        rest = value - found[-1] * d
    return found


def _sums_from(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Sums of values (not negative) from each of ``starts`` on, as Python ints.

    >>> _sums_from(np.array([2**62, 2**62, 5]), np.array([0, 2])).tolist()
    [9223372036854775808, 5]
    """
    if values.dtype == object:
        return np.add.reduceat(values, starts)
    # Halves of 31 bits: sums of any number of them fit 64.
    high = np.add.reduceat(values >> 31, starts)
    low = np.add.reduceat(values & (2**31 - 1), starts)
    return (high.astype(object) << 31) + low.astype(object)
