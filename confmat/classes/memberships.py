"""Class of all pairs of fuzzy partitions with memberships on a grid, counted and enumerated up to symmetry.

Memberships are multiples of 1/d. The order of the objects does not matter, as for tables. For d = 1 the members are
the tables of n objects. Symmetries permute the clusters of either partition.

>>> grids = MembershipGrids(3, 2, 2, 2)
>>> grids.count(), grids.orbits_count(), sum(weight for *_, weight in grids.representatives())
(165, 52, 165)
>>> MembershipGrids(5, 2, 3, 1).count()  # the 2 x 3 tables of 5 objects
252
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations_with_replacement, islice, permutations, product
from math import factorial, gcd, prod
from operator import mul

import numpy as np

from confmat._arguments import as_count
from confmat._integers.arrays import compositions
from confmat._integers.compositions import (
    compositions_count,
    cycle_types,
    ways_to_add_up,
)
from confmat.errors import TooLargeError

PAIRS_OF_CHUNK = 1 << 15

# Largest number of rows of memberships that are listed.
MOST_MEMBERSHIP_ROWS = 10**5

MembershipRows = tuple[tuple[Fraction, ...], ...]


def multisets_of_kinds(kinds: int, n: int) -> Iterator[np.ndarray]:
    """Yield all multisets of n integers from 0 to ``kinds`` - 1, in arrays whose rows are sorted multisets.

    >>> [chunk.tolist() for chunk in multisets_of_kinds(2, 2)]
    [[[0, 0], [0, 1], [1, 1]]]
    """
    all_multisets = combinations_with_replacement(range(kinds), n)
    while chunk := list(islice(all_multisets, PAIRS_OF_CHUNK)):
        one_after_another = chain.from_iterable(chunk)
        numbers = np.fromiter(one_after_another, dtype=np.int64)
        yield numbers.reshape(len(chunk), n)


@dataclass(frozen=True)
class MembershipGrids:
    """All pairs (U, V) of an n x r and an n x s membership matrix with entries 0, 1/d, ..., 1 and rows that sum to 1.

    Pairs that differ only by the order of the n objects count once.

    Parameters
    ----------
    n : int
        Number of objects, at least 1.
    r, s : int
        Numbers of clusters of U and of V, at least 1.
    d : int
        Denominator of the entries, at least 1.

    Raises
    ------
    TypeError or ValueError
        If an argument is not a positive integer.

    Examples
    --------
    >>> MembershipGrids(2, 2, 2, 2).count()
    45
    """

    n: int
    r: int
    s: int
    d: int

    def __post_init__(self) -> None:
        """Check that all fields are positive integers."""
        for name in ("n", "r", "s", "d"):
            object.__setattr__(self, name, as_count(name, getattr(self, name), 1))

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of clusters of U and of V."""
        return self.r, self.s

    @property
    def kinds(self) -> tuple[int, int]:
        """Numbers of different rows of memberships in U and in V.

        >>> MembershipGrids(9, 2, 3, 4).kinds
        (5, 15)
        """
        return compositions_count(self.d, self.r), compositions_count(self.d, self.s)

    def count(self) -> int:
        """Return the number of members, which is the number of multisets of n joint rows (row of U, row of V).

        Returns
        -------
        int

        Examples
        --------
        >>> MembershipGrids(4, 2, 2, 4).count()
        20475
        """
        return compositions_count(self.n, prod(self.kinds))

    def orbits_count(self) -> int:
        """Return the number of orbits under permutations of the clusters of either partition, by Burnside's lemma.

        Returns
        -------
        int

        Examples
        --------
        >>> MembershipGrids(4, 2, 2, 4).orbits_count()
        5279
        """
        sides = []
        for clusters in self.shape:
            side = []
            for cycles, permutations_alike in cycle_types(clusters):
                # Numbers of membership rows that the powers 1, ..., n of such a permutation leave unchanged.
                rows_fixed = [_rows_fixed(cycles, k, self.d) for k in range(1, self.n + 1)]
                side.append((rows_fixed, permutations_alike))
            sides.append(side)
        total = 0
        # A grid is a multiset of n pairs of rows, one of U and one of V.
        for (rows_u, ways_u), (rows_v, ways_v) in product(*sides):
            total += ways_u * ways_v * multisets_fixed([*map(mul, rows_u, rows_v)])
        return total // (factorial(self.r) * factorial(self.s))

    @cached_property
    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        """All rows of memberships of U and of V, times d.

        Raise TooLargeError beyond ``MOST_MEMBERSHIP_ROWS`` rows.
        """
        if max(self.kinds) > MOST_MEMBERSHIP_ROWS:
            raise TooLargeError(
                f"{self} is too large: an object has up to {max(self.kinds):,} possible rows of memberships "
                f"(limit {MOST_MEMBERSHIP_ROWS:,})"
            )
        return compositions(self.d, self.r), compositions(self.d, self.s)

    @cached_property
    def _images(self) -> np.ndarray:
        """Image of every joint row (row of U, row of V) under each permutation of clusters. Joint rows are numbered."""
        sides = []
        for rows in self._rows:
            exponents = np.arange(rows.shape[1])[::-1]
            digits = (self.d + 1) ** exponents
            numerals = rows @ digits  # in increasing order
            sides.append([np.searchsorted(numerals, rows @ order) for order in permutations(digits)])
        of_u, of_v = (np.array(side) for side in sides)
        joint = of_u[:, None, :, None] * self.kinds[1] + of_v[None, :, None, :]
        return joint.reshape(len(of_u) * len(of_v), -1)

    def _of_numbers(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return U and V, times d, given the index of the joint row of each object.

        A joint row is a row of U and a row of V. ``numbers`` has shape (size, n). The result has arrays of the
        shapes (size, n, r) and (size, n, s).
        """
        u, v = self._rows
        of_u, of_v = np.divmod(numbers, self.kinds[1])
        return u[of_u], v[of_v]

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield one pair of each orbit, times d, and the size of the orbit, in chunks.

        Yields
        ------
        u : array of int, shape (size, n, r)
        v : array of int, shape (size, n, s)
        sizes : array of int, shape (size,)

        Examples
        --------
        >>> U, V, weights = next(MembershipGrids(1, 2, 2, 1).blocks())
        >>> U.tolist(), V.tolist(), weights.tolist()
        ([[[0, 1]]], [[[0, 1]]], [4])
        """
        images = self._images
        base = prod(self.kinds)
        if base**self.n >= 2**62:
            raise TooLargeError(
                f"the orbits of {self} cannot be listed: it has {self.count():,} members (limit 2^62)"
            )
        exponents = np.arange(self.n - 1, -1, -1, dtype=np.int64)
        places = base**exponents
        for numbers in multisets_of_kinds(base, self.n):
            own_codes = numbers @ places
            least_codes = own_codes.copy()
            stabilizer = np.zeros(len(own_codes), np.int64)
            for image in images:
                moved_codes = np.sort(image[numbers], axis=1) @ places
                least_codes = np.minimum(least_codes, moved_codes)
                stabilizer += moved_codes == own_codes
            is_least = least_codes == own_codes
            weights = len(images) // stabilizer[is_least]
            yield *self._of_numbers(numbers[is_least]), weights

    def representatives(self) -> Iterator[tuple[MembershipRows, MembershipRows, int]]:
        """Yield one pair of each orbit as Fractions, and the size of the orbit.

        Yields
        ------
        u : tuple of tuples of Fraction, shape (n, r)
        v : tuple of tuples of Fraction, shape (n, s)
        size : int

        Examples
        --------
        >>> next(MembershipGrids(1, 2, 2, 2).representatives())
        (((Fraction(0, 1), Fraction(1, 1)),), ((Fraction(0, 1), Fraction(1, 1)),), 4)
        """
        for U, V, weights in self.blocks():
            for u, v, weight in zip(U, V, weights.tolist()):
                yield self.rational(u), self.rational(v), weight

    def rational(self, side: np.ndarray) -> MembershipRows:
        """Return memberships as Fractions.

        Parameters
        ----------
        side : array of int
            Memberships times d.

        Returns
        -------
        tuple of tuples of Fraction

        Examples
        --------
        >>> MembershipGrids(1, 2, 2, 2).rational(np.array([[1, 1]]))
        ((Fraction(1, 2), Fraction(1, 2)),)
        """
        return tuple(tuple(Fraction(x, self.d) for x in row) for row in side.tolist())


def multisets_fixed(fixed_by_powers: Sequence[int]) -> int:
    """Return the number of multisets of n elements of a set that a permutation of the set leaves unchanged.

    ``fixed_by_powers[k - 1]`` is the number f_k of elements that the k-th power of the permutation fixes, for k =
    1, ..., n. Let w_m be the number of unchanged multisets of m elements. Its generating function is exp(sum of f_k
    z^k / k), so that m w_m = sum of f_k w_(m - k).

    >>> multisets_fixed([0, 2]), multisets_fixed([2, 2])  # of two things that are exchanged, or not
    (1, 3)
    """
    ways = [1]
    for m in range(1, len(fixed_by_powers) + 1):
        ways.append(sum(map(mul, fixed_by_powers, reversed(ways))) // m)
    return ways[-1]


def _rows_fixed(cycles: tuple[int, ...], power: int, d: int) -> int:
    """Return the number of rows of memberships that a power of a permutation of clusters leaves unchanged.

    Memberships are multiples of 1/``d`` with sum 1. ``cycles`` are the lengths of the cycles of the permutation. A
    row is unchanged if its memberships are equal within each cycle of the power.

    >>> _rows_fixed((2,), 1, 4), _rows_fixed((2,), 2, 4)
    (1, 5)
    """
    lengths = [length // gcd(length, power) for length in cycles for _ in range(gcd(length, power))]
    return ways_to_add_up(d, tuple(lengths))
