"""What is known of laws whose signatures are too many to be kept: sums over the blocks of a class as they come.

With F = A + B - 2P disagreeing pairs of M = C(n, 2), and D = A (M - B) + B (M - A), at each m = n MED:

    RD = F / M,    ARD = F M / D    (0 when D = 0: both partitions are then the same).

The law of F is added up whole.  Of the ARD there are its moments, rounded down at a far place; its least and its
largest value; and how much lies in each of many bins, so that a second run over the class finds quartiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb, prod

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.blocks import Block, Moduli, whole_weights
from confmat.engine.jobs import ard_denominator
from confmat.engine.residues import from_residues
from confmat.errors import ConsistencyError

# Bins of the ARD in [0, 2], what is above in the last one: those of quartiles hold few signatures.
BINS = 2**14

# Sums of F / D, and of its square, are exact to so many binary places, but for one unit of the last for each term.
PLACES = 200

LEAST_RD, MOST_RD, LEAST_ARD, MOST_ARD = range(4)


def ard_bins(f: np.ndarray, d: np.ndarray, pairs: int) -> np.ndarray:
    """Bin of each ARD in integers, so that bins respect the order of the values.

    >>> ard_bins(np.array([0, 3, 9]), np.array([0, 18, 18]), 6).tolist()
    [0, 8192, 16383]
    """
    return np.minimum(f * pairs * (BINS // 2) // np.maximum(d, 1), BINS - 1)


@dataclass
class _Level:
    """What is known at one m: ends as signatures by kind, sums of quotients by power (units of 2^-PLACES), of F."""

    ends: dict[int, np.ndarray] = field(default_factory=dict)
    quotients: list[int] = field(default_factory=lambda: [0, 0])
    terms: int = 0
    disagreements: int = 0


class Sums:
    """Sums over the blocks of a class; ``law[m, F]`` and ``bins[m, i]`` are weights (int64 or Python ints).

    >>> from confmat.classes import Tables
    >>> from confmat.engine.blocks import block_of, moduli_of
    >>> from confmat.engine.pieces import pieces_of
    >>> matrices, moduli = Tables(4, 2, 2), moduli_of(Tables(4, 2, 2), "tables")
    >>> sums = Sums(matrices, moduli)
    >>> for piece in pieces_of(matrices, moduli.lanes):
    ...     sums.add(block_of(matrices, "tables", piece))
    >>> sums.totals[:3], sums.law[1].tolist(), sums.ends(1, MOST_RD).tolist()
    ([6, 8, 5], [0, 0, 0, 8, 0, 0, 0], [[1, 3, 2, 1]])
    """

    def __init__(self, matrices: MatrixClass, moduli: Moduli) -> None:
        n = matrices.n
        self.matrices, self.moduli, self.pairs = matrices, moduli, comb(n, 2)
        # Whether sums of F^2 are below the product of the primes.
        self._roomy = prod(moduli.primes) > prod(matrices.shape) ** matrices.n * self.pairs**2
        self._law = np.zeros((moduli.lanes, n + 1, self.pairs + 1), np.int64)
        self._bins = np.zeros((moduli.lanes, n + 1, BINS), np.int64)
        self._levels = [_Level() for _ in range(n + 1)]

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
        return self._levels[m].ends[kind]

    def quotient(self, m: int, power: int) -> tuple[int, int]:
        """The sum of weight times (F / D)^power at m is p to p + e, in units of 2^-PLACES: p, e."""
        level = self._levels[m]
        return level.quotients[power - 1], level.terms + 1

    def add(self, block: Block) -> None:
        """Add the signatures of a block."""
        for m in np.flatnonzero(block.counts).tolist():
            cells = np.empty((4, int(block.counts[m])), np.int64)
            cells[0] = m
            weights = np.empty((cells.shape[1], block.lanes), np.int64)
            block.unpack(m, cells, weights if len(block.primes) else weights[:, 0])
            self._add(m, cells, weights)

    def _add(self, m: int, cells: np.ndarray, weights: np.ndarray) -> None:
        _, a, b, p = cells
        primes = self.moduli.primes
        f, d = a + b - 2 * p, ard_denominator(a, b, self.pairs)
        bins = ard_bins(f, d, self.pairs)
        firsts = np.flatnonzero((np.diff(a, prepend=-1) != 0) | (np.diff(b, prepend=-1) != 0))
        sums = np.empty((2, len(firsts), self.moduli.lanes), np.int64)
        for q in range(self.moduli.lanes):
            np.add.at(self._law[q, m], f, weights[:, q])
            np.add.at(self._bins[q, m], bins, weights[:, q])
            if primes:
                first = weights[:, q] * (f % primes[q]) % primes[q]
                second = first * (f % primes[q]) % primes[q]
                sums[0, :, q] = np.add.reduceat(first, firsts) % primes[q]
                sums[1, :, q] = np.add.reduceat(second, firsts) % primes[q]
                self._law[q, m] %= primes[q]
                self._bins[q, m] %= primes[q]
        if primes and self._roomy:
            of_f, of_squares = (whole_weights(x, primes) for x in sums)
        elif primes:
            of_f, of_squares = _sums_of_runs(whole_weights(weights, primes), f, firsts)
        else:
            of_f, of_squares = _sums_of_runs(weights[:, 0], f, firsts)
        level = self._levels[m]
        quotients = _quotients(of_f, of_squares, np.maximum(d[firsts], 1))
        level.quotients = [x + y for x, y in zip(level.quotients, quotients)]
        level.terms += len(firsts)
        level.disagreements += sum(of_f.tolist())
        self._keep_ends(level, cells, f, d)

    def _keep_ends(self, level: _Level, cells: np.ndarray, f: np.ndarray, d: np.ndarray) -> None:
        ratio = f / np.maximum(d, 1)
        for kind in (LEAST_RD, MOST_RD, LEAST_ARD, MOST_ARD):
            values = f if kind in (LEAST_RD, MOST_RD) else ratio
            # Doubles only narrow the choice down; candidates that they cannot tell apart are compared exactly.
            if kind in (LEAST_RD, LEAST_ARD):
                chosen = values <= values.min() * (1 + 1e-12)
            else:
                chosen = values >= values.max() * (1 - 1e-12)
            found = cells[:, chosen].T
            if kind in level.ends:
                found = np.concatenate([level.ends[kind], found])
            level.ends[kind] = self._best(found, kind)

    def _best(self, cells: np.ndarray, kind: int) -> np.ndarray:
        """Those of some signatures whose value is the least, or the largest."""
        values = np.array([self.value(kind, *cell) for cell in cells.tolist()], object)
        best = values.min() if kind in (LEAST_RD, LEAST_ARD) else values.max()
        return cells[values == best]

    def value(self, kind: int, m: int, a: int, b: int, p: int) -> Fraction:
        """The RD or ARD of a signature."""
        f = a + b - 2 * p
        if kind in (LEAST_RD, MOST_RD):
            return Fraction(f, max(1, self.pairs))
        d = ard_denominator(a, b, self.pairs)
        return Fraction(f * self.pairs, d) if d else Fraction(0)

    def compare(self) -> None:
        """Three sums of the same matrices agree at each m: their weights, these by bins, and times F."""
        f = np.arange(self.pairs + 1).astype(object)
        for m, level in enumerate(self._levels):
            of_bins, of_f = sum(self.bins[m].tolist()), int((self.law[m] * f).sum())
            if self.totals[m] != of_bins or of_f != level.disagreements:
                raise ConsistencyError(
                    f"sums of one pass over {self.matrices!r} do not agree at MED = {m}/{self.matrices.n}"
                )

    def wanted(self, wanted: np.ndarray, blocks: Iterable[Block]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The signatures of some bins of ARD (n + 1 x bins), with their weights: from another run over the blocks."""
        for block in blocks:
            for m in np.flatnonzero(block.counts).tolist():
                cells, weights = block.at(m)
                _, a, b, p = cells.T
                bins = ard_bins(a + b - 2 * p, ard_denominator(a, b, self.pairs), self.pairs)
                chosen = wanted[m, bins]
                if chosen.any():
                    yield cells[chosen], weights[chosen]


def _sums_of_runs(weights: np.ndarray, f: np.ndarray, firsts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of weight times F, and times its square, from each of ``firsts`` on; in 64 bits where they fit."""
    if int(np.add.reduceat(weights, firsts).max()) * int(f.max()) ** 2 >= 2**62:
        weights = weights.astype(object)
    of_f = weights * f
    return np.add.reduceat(of_f, firsts), np.add.reduceat(of_f * f, firsts)


def _quotients(first: np.ndarray, second: np.ndarray, d: np.ndarray) -> tuple[int, int]:
    """Sums of ``first / d`` and ``second / d^2``, each quotient rounded down, in units of 2^-PLACES.

    >>> [x / 2**PLACES for x in _quotients(np.array([1, 5]), np.array([1, 3]), np.array([2, 4]))]
    [1.75, 0.4375]
    """
    bits = 62 - int(d.max()).bit_length()
    if first.dtype == object or bits < 8:
        d = d.astype(object)
        quotients = (first.astype(object) << PLACES) // d, (second.astype(object) << PLACES) // d**2
        return sum(quotients[0].tolist()), sum(quotients[1].tolist())
    number = -(-PLACES // bits)
    digits = _divided([first, *[np.zeros_like(first)] * number], d, bits)
    once_more = _divided([second, *[np.zeros_like(second)] * number], d, bits)
    return _added(digits, bits), _added(_divided(once_more, d, bits), bits)


def _divided(digits: list[np.ndarray], d: np.ndarray, bits: int) -> list[np.ndarray]:
    """Numbers with digits of so many bits after the point, divided: the digits of the quotients, rounded down."""
    found, rest = [], np.zeros_like(d)
    for digit in digits:
        value = (rest << bits) + digit
        found.append(value // d)
        rest = value - found[-1] * d
    return found


def _added(digits: list[np.ndarray], bits: int) -> int:
    """The sum of some numbers, in units of 2^-PLACES; rounded down, if PLACES is no multiple of ``bits``."""
    total = 0
    for digit in digits:
        # Halves of 31 bits: sums of any number of digits fit 64.
        total = (total << bits) + (int((digit >> 31).sum()) << 31) + int((digit & (2**31 - 1)).sum())
    return total >> (bits * (len(digits) - 1) - PLACES)
