"""Indices of two clusterings that are functions of n, A, B and P.

n is the number of objects. A, B and P are the numbers of pairs of objects together in the first clustering, in the
second, and in both. `confmat.indices.partition` applies the indices to matrices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, isqrt
from typing import Any, NamedTuple

from confmat.contingency.matrix import Cells, cell_margins, nonzero_cells, one_matrix


class PairCounts(NamedTuple):
    """Numbers of unordered pairs of objects that are together in both clusterings, in one, or in neither."""

    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True)
class PairSums:
    """Sums n, A, B and P of a matrix, from which every index of pairs is computed.

    There are n objects. A pairs of them are together in the first clustering (in one row). B pairs are together in
    the second (in one column), and P pairs in both (in one cell). All values are exact. If a distance is 0/0, the
    clusterings coincide: distances are 0, and indices 1.

    >>> PairSums.of([[12, 4], [4, 0]]).adjusted_rand_distance
    Fraction(95, 84)
    """

    n: int
    A: int
    B: int
    P: int

    @classmethod
    def of(cls, matrix_or_labels_a: Any, labels_b: Any = None, /) -> PairSums:
        """Return n, A, B and P of a matrix or of two labelings.

        Parameters
        ----------
        matrix_or_labels_a : array_like
            Matrix that `as_matrix` accepts, or the labels of the first clustering.
        labels_b : array_like, optional
            Labels of the second clustering.

        Returns
        -------
        PairSums

        Examples
        --------
        >>> PairSums.of([[2, 1], [0, 2]])
        PairSums(n=5, A=4, B=4, P=2)
        >>> PairSums.of(["x", "x", "x", "y", "y"], [0, 0, 1, 1, 1])
        PairSums(n=5, A=4, B=4, P=2)
        """
        return cls.of_cells(nonzero_cells(one_matrix(matrix_or_labels_a, labels_b)))

    @classmethod
    def of_cells(cls, cells: Cells) -> PairSums:
        """Return the sums n, A, B and P of a matrix from its non-zero cells.

        Parameters
        ----------
        cells : Cells
            Non-zero cells, as from `nonzero_cells`.

        Returns
        -------
        PairSums

        Examples
        --------
        >>> PairSums.of_cells(nonzero_cells([[2, 1], [0, 2]])) == PairSums.of([[2, 1], [0, 2]])
        True
        """
        rows, cols = cell_margins(cells)
        return cls(
            sum(rows),
            pairs_within(rows),
            pairs_within(cols),
            pairs_within(cells.values),
        )

    @property
    def pairs(self) -> int:
        """Return the number of unordered pairs of objects, M = C(n, 2)."""
        return comb(self.n, 2)

    @property
    def disagreements(self) -> int:
        """Return the number of pairs that are together in exactly one clustering, A + B - 2P."""
        return self.A + self.B - 2 * self.P

    @property
    def counts(self) -> PairCounts:
        """Return the numbers of pairs that are together in both, only the first, only the second, and in neither."""
        union = self.A + self.B - self.P
        return PairCounts(
            self.P,
            self.A - self.P,
            self.B - self.P,
            self.pairs - union,
        )

    @property
    def mirkin_distance(self) -> Fraction:
        """Return the Mirkin distance 2 (A + B - 2P)/n^2."""
        return _ratio(2 * self.disagreements, self.n**2)

    @property
    def rand_distance(self) -> Fraction:
        """Return the Rand distance (A + B - 2P)/M, with M = C(n, 2)."""
        return _ratio(self.disagreements, self.pairs)

    @property
    def expected_rand_distance(self) -> Fraction:
        """Return the mean E = (A(M - B) + B(M - A))/M^2 of the Rand distance over all labelings with these margins."""
        M = self.pairs
        return _ratio(
            self.A * (M - self.B) + self.B * (M - self.A),
            M**2,
        )

    @property
    def adjusted_rand_distance(self) -> Fraction:
        """Return the adjusted Rand distance RD/E = M (A + B - 2P)/(A(M - B) + B(M - A)), with M = C(n, 2)."""
        M = self.pairs
        return _ratio(
            M * self.disagreements,
            self.A * (M - self.B) + self.B * (M - self.A),
        )


def pairs_within(sizes: Iterable[int]) -> int:
    """Return the number of unordered pairs of objects inside groups of the given sizes, sum C(size, 2).

    >>> pairs_within([3, 2, 1])
    4
    """
    return sum(size * (size - 1) for size in sizes) // 2


def answer(value: Fraction | float, exact: bool) -> Fraction | float:
    """Return ``value`` if ``exact`` is True, otherwise the nearest float.

    >>> answer(Fraction(1, 8), exact=True), answer(Fraction(1, 8), exact=False)
    (Fraction(1, 8), 0.125)
    """
    return value if exact else float(value)


def rounded_root(square: Fraction | float) -> float:
    """Return the float nearest to the square root of a rational number >= 0.

    `math.sqrt` would round twice: the quotient, then its root.

    >>> import math
    >>> rounded_root(Fraction(1, 7)), math.sqrt(1 / 7)
    (0.37796447300922725, 0.3779644730092272)
    """
    numerator, denominator = square.as_integer_ratio()
    places = max(0, 64 - (numerator.bit_length() - denominator.bit_length()) // 2)
    scaled_square, rest = divmod(numerator << 2 * places, denominator)
    root = isqrt(scaled_square)
    # At least 64 binary digits, and one more that says whether anything was cut off: division rounds once.
    return (2 * root + (rest > 0 or root * root < scaled_square)) / (2 << places)


def _ratio(numerator: int, denominator: int) -> Fraction:
    """Return numerator/denominator of a distance as a Fraction, 0 for 0/0, because clusterings are then equal."""
    return Fraction(numerator, denominator) if denominator else Fraction(0)
