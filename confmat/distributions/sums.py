"""Distributions given the MED from sums over a class that is too large for the memory, and a digest of the sums.

m is n MED (the misclassification error distance times the number of objects). A, B and P are the numbers of pairs
of objects in a common row, column and cell, and F = A + B - 2P.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from math import comb
from operator import sub

import numpy as np

from confmat._engine.blocks import WeightedSignatures
from confmat._engine.fold import PLACES, Sums, ard_bins, disagreements
from confmat._engine.signatures import Signatures, joined
from confmat._integers.arrays import MergedChunks, summed
from confmat._limits import size
from confmat.distributions.lines import (
    Fraction,
    Known,
    Line,
    Listed,
    Moments,
    Number,
    five_positions,
    rounded_moments,
)
from confmat.distributions.signed import Signed
from confmat.distributions.sources import Pass
from confmat.errors import TooLargeError
from confmat.statistics.clusterings import ARD

_REFUSAL = (
    "distribution must fit in memory for numbers other than mean, standard deviation, quartiles and extremes. "
    'Use joint_distribution(...).probability("ard>1", ...), which enumerates the class again.'
)

# Largest number of bytes of the sums of F by margins and MED, and bytes of one of them.
_MOST_BYTES_OF_F = 2**32
_BYTES_OF_SUM = 96


@dataclass(frozen=True)
class LawsGivenMed:
    """Distributions of MED, RD and ARD given each m = n MED, from sums over a class.

    The sums have the weights of intervals of ARD values, the *bins*. A second enumeration finds the sufficient
    statistics in the bins of the extremes and quartiles.

    >>> from confmat.classes import Tables
    >>> from confmat._engine.signatures import summed_up
    >>> from confmat._limits import Limits
    >>> source = Pass(Tables(4, 2, 2), "tables", Limits())
    >>> source.__dict__["found"] = summed_up(source)
    >>> laws = LawsGivenMed(source)
    >>> [(m, laws.sums.weights[m], str(laws.line("rd", m).moments(True)[0])) for m in laws.levels]
    [(0, 6, '0'), (1, 8, '1/2'), (2, 5, '2/3')]
    """

    source: Pass

    @property
    def sums(self) -> Sums:
        """Sums over the class, from the first enumeration."""
        sums: Sums = self.source.found
        return sums

    @cached_property
    def levels(self) -> list[int]:
        """Values of m = n MED that occur in the class."""
        return [m for m, total in enumerate(self.sums.weights) if total]

    def line(self, name: str, m: int) -> Line:
        """Return the distribution of "med", "rd" or "ard" given n MED = m."""
        if name == "ard":
            return self._ard(m)
        if name == "med":
            return Listed({Fraction(m, max(1, self.sums.matrices.n)): self.sums.weights[m]})
        weights: dict[Number, int] = {}
        for disagreeing_pairs, weight in enumerate(self.sums.law[m].tolist()):
            if weight:  # RD = F/C(n, 2)
                weights[Fraction(disagreeing_pairs, max(1, self.sums.pairs))] = weight
        return Listed(weights)

    def _ard(self, m: int) -> Known:
        """Return the moments, quartiles and extremes of the ARD given n MED = m.

        Moments come from the sums. Quartiles and extremes come from the sufficient statistics in the bins that
        contain them.
        """
        total = self.sums.weights[m]
        cells, weights = self._found
        at_m = cells[:, 0] == m
        blocks = partial(iter, [(cells[at_m], weights[at_m])])
        signed = Signed(self.sums.matrices, ARD, blocks, int(at_m.sum()))
        of_bins = self.sums.bins[m]
        weight_before = np.cumsum(np.where(self._bins_wanted[m], 0, of_bins))
        positions = five_positions(total)
        before = weight_before[self._bins_of_positions(m)].tolist()
        least, *quartiles, largest = signed.at([*map(sub, positions, before)])
        moments: Moments = (least, Fraction(0), 0.0)
        if least < largest:
            moments = self._ard_moments(m)
        values = dict(zip(positions, [least, *quartiles, largest]))
        return Known(total, moments, values, _REFUSAL, signed.cells_at_end)

    def _bins_of_positions(self, m: int) -> list[int]:
        """Return the bins of the ARD that contain its five numbers given n MED = m.

        The five numbers are the smallest value, the quartiles and the largest value.
        """
        positions = np.array(five_positions(self.sums.weights[m]), object)
        places: list[int] = np.searchsorted(np.cumsum(self.sums.bins[m]), positions).tolist()
        return places

    @cached_property
    def _bins_wanted(self) -> np.ndarray:
        """Mask of the bins with an extreme value or a quartile: n MED (rows) x bins of the ARD (columns)."""
        wanted = np.zeros(self.sums.bins.shape, bool)
        for m in self.levels:
            wanted[m, self._bins_of_positions(m)] = True
        return wanted

    @cached_property
    def _found(self) -> WeightedSignatures:
        """Sufficient statistics in the bins of ``_bins_wanted`` with their weights, from a second enumeration."""
        moduli = self.source.moduli
        parts = []
        for block in self.source.chunks():
            for cells, weights in Signatures((block,), moduli).as_kept():
                wanted = self._bins_wanted[cells[:, 0], ard_bins(cells, self.sums.pairs)]
                parts.append((cells[wanted], moduli.whole(weights[wanted])))
        return joined(parts)

    def _ard_moments(self, m: int) -> Moments:
        """Return the moments of the ARD given n MED = m as the nearest floats.

        They follow from sums of quotients that were rounded down.
        """

        def bounds(power: int, _: int) -> tuple[Fraction, Fraction]:
            floor, error = self.sums.quotient(m, power)
            unit = Fraction(self.sums.pairs**power, self.sums.weights[m] << PLACES)
            return floor * unit, (floor + error) * unit

        return rounded_moments(bounds)


def digest_of_sums(found: Pass) -> str:
    """Return a SHA-256 digest of sums over a class, for distributions that are too large to be listed.

    The sums are the weights of (MED, RD), and for each n MED and margins the sums of F = C(n, 2) RD and of F^2.
    """
    sha = hashlib.sha256(f"{found.matrices!r} {found.weight}\n".replace("allow_empty", "empty").encode())
    for line in _sums_by_margins(found):
        sha.update(f"{' '.join(map(str, line))}\n".encode())
    return sha.hexdigest()


def _sums_by_margins(found: Pass) -> Iterator[tuple[int, ...]]:
    """Yield (m, F, weight), then (A, B, m, sum of weight * F, sum of weight * F^2) with A <= B, in order.

    m is n MED, and F is C(n, 2) RD. A and B are the numbers of pairs of objects in a common row and column.
    """
    if found.stored is None:
        found.plan.admitted()
    work = found.work
    octets = _BYTES_OF_SUM * work.distances * len(work.lines.b)
    if octets > _MOST_BYTES_OF_F:
        raise TooLargeError(
            f"the digest of {found.matrices!r} needs {size(octets)} to add up counts by margins "
            f"(limit {size(_MOST_BYTES_OF_F)})"
        )
    width = comb(found.matrices.n, 2) + 1
    counts: Counter[tuple[int, int]] = Counter()
    moments_of_f = MergedChunks(2, (2,))
    for cells, weights in found.blocks():
        levels, a, b, _ = cells.T
        f = disagreements(cells)
        for key, count in zip(*summed(np.stack([levels, f], axis=1), weights)):
            counts[tuple(key.tolist())] += int(count)
        codes = np.minimum(a, b) * width + np.maximum(a, b)
        exact = weights.astype(object)
        moments_of_f.add(np.stack([codes, levels], axis=1), np.stack([exact * f, exact * f * f], axis=1))
    keys, moments = moments_of_f.together()
    for m_and_f, count in sorted(counts.items()):
        yield *m_and_f, count
    for (code, m), (sum_of_f, sum_of_squares) in zip(keys.tolist(), moments.tolist()):
        if sum_of_f:
            yield *divmod(code, width), m, sum_of_f, sum_of_squares
