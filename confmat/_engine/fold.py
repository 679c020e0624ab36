"""Sums over the sufficient statistics of a class, for distributions that do not fit in memory.

m is n MED, the number of objects outside the best matching. A, B and P are the numbers of pairs of objects in a
common row, column and cell. With M = C(n, 2), F = A + B - 2P disagreeing pairs and D = A (M - B) + B (M - A):

    RD = F / M,    ARD = F M / D    (0 when D = 0: both partitions are then equal).

The distribution of F at each m is stored completely. For the ARD the sums are moments in fixed point, and the
weights of many bins. A second run over the class then finds extremes and quartiles.

>>> from confmat.classes import Tables
>>> from confmat._engine.run import Enumeration
>>> from confmat._engine.signatures import summed_up
>>> from confmat._limits import Limits
>>> sums = summed_up(Enumeration(Tables(4, 2, 2), "tables", Limits()))
>>> sums.weights[:3], sums.law[1].tolist()
([6, 8, 5], [0, 0, 0, 8, 0, 0, 0])
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import comb

import numpy as np

from confmat._engine.blocks import Moduli, WeightedSignatures
from confmat._engine.margins import ard_denominator
from confmat._integers.arrays import from_residues
from confmat.classes import MatrixClass

# Bins of the ARD in [0, 2].  The last one also has the larger values.  Bins are small, so that few sufficient
# statistics are in the bins of the quartiles.
BINS = 2**14

# Binary digits after the point in the sums of F / D and its square.  Each term has an error of at most one last digit.
PLACES = 200


def disagreements(cells: np.ndarray) -> np.ndarray:
    """Return F = C(n, 2) RD = A + B - 2P for an array (N x 4) of sufficient statistics (m, A, B, P).

    F is the number of pairs of objects that are together in only one of two clusterings.

    >>> disagreements(np.array([[1, 3, 2, 1]])).tolist()
    [3]
    """
    _, a, b, p = cells.T
    return np.asarray(a + b - 2 * p)


def ard_bins(cells: np.ndarray, pairs: int) -> np.ndarray:
    """Return the bin of the adjusted Rand distance for an array (N x 4) of sufficient statistics (m, A, B, P).

    There are ``BINS`` bins of equal width from 0 to 2, and the last one also has all larger values. The computation
    is in integers. ``pairs`` is C(n, 2).

    >>> ard_bins(np.array([[0, 3, 3, 3], [1, 3, 3, 0]]), 6).tolist()
    [0, 16383]
    """
    d = ard_denominator(cells[:, 1], cells[:, 2], pairs)
    numerators = disagreements(cells) * pairs * (BINS // 2)
    bins = numerators // np.maximum(d, 1)
    return np.minimum(bins, BINS - 1)


class Sums:
    """Sums over the sufficient statistics of a class, as int64 or Python integers.

    m is n MED, and F is C(n, 2) times the Rand distance. ``law[m, F]`` is the weight of the matrices with this m
    and F. ``bins[m, i]`` is the weight with this m and the adjusted Rand distance in bin i.
    """

    def __init__(self, matrices: MatrixClass, moduli: Moduli) -> None:
        self.matrices, self.moduli = matrices, moduli
        self.pairs = comb(matrices.n, 2)
        distances = matrices.n + 1
        self._law = np.zeros((moduli.lanes, distances, self.pairs + 1), np.int64)
        self._bins = np.zeros((moduli.lanes, distances, BINS), np.int64)
        # At each m: the sums of F / D and of its square in units of 2^-PLACES, and the number of their terms.
        self._moments = np.zeros((2, distances), object)
        self._terms = np.zeros(distances, np.int64)

    @cached_property
    def law(self) -> np.ndarray:
        """Weight of the matrices with each m = n MED (row) and each F = C(n, 2) RD (column)."""
        return self._whole(self._law)

    @cached_property
    def bins(self) -> np.ndarray:
        """Weight of the matrices with each m = n MED (row) and the ARD in each bin (column)."""
        return self._whole(self._bins)

    @cached_property
    def weights(self) -> list[int]:
        """Weight of the matrices with each m = n MED."""
        return [sum(row) for row in self.law.tolist()]

    def _whole(self, residues: np.ndarray) -> np.ndarray:
        """Combine residues to integers."""
        primes = self.moduli.primes
        return from_residues(residues, primes) if primes else residues[0]

    def quotient(self, m: int, power: int) -> tuple[int, int]:
        """Return bounds of the sum of weight * (F / D)^power over the sufficient statistics with n MED = m.

        The bounds are integers p and e: the sum times 2^PLACES is from p to p + e. The adjusted Rand distance is F
        M / D, with M = C(n, 2).
        """
        return self._moments[power - 1, m], int(self._terms[m]) + 1

    def add(self, parts: Iterable[WeightedSignatures]) -> None:
        """Add sufficient statistics (m, A, B, P) with weights as they are stored in chunks.

        Sufficient statistics with equal m, A and B must be adjacent, because `_add_moments` adds them up before a
        division.
        """
        for cells, weights in parts:
            # A weight is one number, or a residue for each prime.
            lanes = weights.reshape(len(cells), -1)
            f = disagreements(cells)
            self._add_weights(self._law, cells[:, 0], f, lanes)
            self._add_weights(self._bins, cells[:, 0], ard_bins(cells, self.pairs), lanes)
            self._add_moments(cells, f, self.moduli.whole(weights))

    def _add_weights(self, sums: np.ndarray, m: np.ndarray, places: np.ndarray, lanes: np.ndarray) -> None:
        """Add weights to ``sums[q, m, index]``, for arrays ``m`` and ``places`` (the indices) of length N.

        The array of weights has shape (N, q). They are numbers, or residues modulo the primes.
        """
        touched = slice(m.min(), m.max() + 1)
        for q, sums_of_lane in enumerate(sums):
            cells = m * sums.shape[2] + places
            np.add.at(sums_of_lane.reshape(-1), cells, lanes[:, q])
            if self.moduli.primes:
                sums_of_lane[touched] %= self.moduli.primes[q]

    def _add_moments(self, cells: np.ndarray, f: np.ndarray, weights: np.ndarray) -> None:
        """Add to the moments at each m = n MED the sums of (weight * F/D) and of (weight * (F/D)^2).

        The rows of ``cells`` are sufficient statistics (m, A, B, P), and ``f`` and ``weights`` have an entry for
        each. F = A + B - 2P is the number of disagreeing pairs, and D the denominator of the ARD, which is F M/D.
        Sufficient statistics with equal m, A and B have the same D. Their numerators are added up before the
        division. The quotients are rounded down to multiples of 2^-PLACES.
        """
        steps = np.diff(cells[:, :3], axis=0, prepend=-1)
        firsts = np.flatnonzero(steps.any(axis=1))
        m, a, b, _ = cells[firsts].T
        denominators = ard_denominator(a, b, self.pairs)
        d = np.maximum(denominators, 1).astype(object)
        heaviest_run = int(np.add.reduceat(weights, firsts).max())
        if heaviest_run * int(f.max()) ** 2 >= 2**62:
            weights = weights.astype(object)
        products = weights * f
        sums = np.add.reduceat(products, firsts).astype(object)
        squares = np.add.reduceat(products * f, firsts).astype(object)
        np.add.at(self._moments[0], m, (sums << PLACES) // d)
        np.add.at(self._moments[1], m, (squares << PLACES) // d // d)
        np.add.at(self._terms, m, 1)
