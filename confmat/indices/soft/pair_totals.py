"""Two sums over pairs of objects of soft clusterings U and V, and their mean and variance under permutations.

The objects of V are permuted. Mean and variance are exact. Each soft index with known null moments is an affine
function of one of the sums. The soft ARI (sARI) and the indices of Anderson, Frigui and Brouwer depend on a sum of
products of degrees. The normalised degree of concordance (NDC) and the adjusted concordance index (ACI) depend on a
sum of absolute differences.

>>> total = ProductTotal.of(np.array([[2, 1], [0, 1]]), np.array([[2, 0], [0, 2]]), 2, diagonal=True)
>>> total.moments()  # of the sum of squares of U'V, which is 3/2 at both relabelings
(Fraction(3, 2), Fraction(0, 1))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, perm
from typing import Any

import numpy as np

from confmat.errors import TooLargeError
from confmat.indices.soft.concordance import distances_to_all, equivalence, mean_distances

# Floats are rounded to integer multiples of 2^-52, so that sums are exact.
SCALE = 2**52

# The variance of a sum of absolute differences takes time n^3 log n: 2 s here.
MOST_FOR_VARIANCE = 200

# The degrees of all pairs are in memory for draws: 200 MB for this number of objects.
MOST_FOR_DRAWS = 5000

# Largest number of numbers in a chunk.
OBJECTS_OF_BLOCK = 1 << 20


@dataclass(frozen=True)
class SideSums:
    """Sums over objects of one membership matrix W, from which the moments are computed.

    The matrix X = W W' has the inner products of the rows of W.

    - ``squares`` is the sum of X_ii, and ``squared_squares`` of X_ii^2, over i.
    - ``products`` is the sum of X_ij, ``weighted`` of X_ii X_ij, and ``squared_products`` of X_ij^2, over i != j.
    - ``squared_rows`` is the sum over i of (sum over j != i of X_ij)^2.

    >>> SideSums.of([[1, 0], [0, 1]])
    SideSums(n=2, squares=2, squared_squares=2, products=0, weighted=0, squared_products=0, squared_rows=0)
    """

    n: int
    squares: int
    squared_squares: int
    products: int
    weighted: int
    squared_products: int
    squared_rows: int

    @classmethod
    def of(cls, clusters: Iterable[Iterable[int]]) -> SideSums:
        """Return the sums for integer memberships, a list for each cluster, in O(n K^2) operations on Python ints."""
        w = np.array([list(cluster) for cluster in clusters], dtype=object)
        norms = (w * w).sum(axis=0)
        with_all = (w * w.sum(axis=1)[:, None]).sum(axis=0)
        rows = with_all - norms
        gram = w @ w.T
        return cls(
            n=w.shape[1],
            squares=norms.sum(),
            squared_squares=(norms**2).sum(),
            products=rows.sum(),
            weighted=(norms * rows).sum(),
            squared_products=(gram**2).sum() - (norms**2).sum(),
            squared_rows=(rows**2).sum(),
        )

    @property
    def in_two_pairs(self) -> int:
        """Return the sum of X_ij X_kl over four different objects, where X = W W' for the membership matrix W."""
        one_common = 4 * (self.squared_rows - self.squared_products)
        return self.products**2 - 2 * self.squared_products - one_common

    @property
    def beside_a_pair(self) -> int:
        """Return the sum of X_ii X_jk over three different objects, where X = W W' for the membership matrix W."""
        return self.squares * self.products - 2 * self.weighted

    @property
    def of_two_objects(self) -> int:
        """Return the sum of X_ii X_jj over two different objects, where X = W W' for the membership matrix W."""
        return self.squares**2 - self.squared_squares


def _in_units(side: np.ndarray) -> list[list[int]]:
    """Return a matrix of floats (``side``) as lists of integers, in units of 1/``SCALE``."""
    return [[round(x * SCALE) for x in cluster] for cluster in side.tolist()]


def _shared(numerator: int, n: int, objects: int) -> Fraction:
    """Return the mean over relabelings of a sum of products, each of a term of U and a term of V.

    Each term belongs to a tuple of ``objects`` different objects. ``n`` is the number of all objects. ``numerator``
    is the sum of the terms of U times the sum of the terms of V. The mean is 0 if n < ``objects``.
    """
    if n >= objects:
        return Fraction(numerator, perm(n, objects))
    return Fraction(0)


@dataclass(frozen=True)
class ProductTotal:
    """Sum T of X_ij Y_ij over ordered pairs i != j of objects, or over all (i, j) if ``diagonal``.

    X and Y are the inner products of the rows of U and of V. With ``diagonal``, T is the sum of squares of U'V. The
    moments are those of statement `soft-product-moments`.
    """

    u: np.ndarray
    v: np.ndarray
    diagonal: bool
    first: SideSums
    second: SideSums
    unit: int

    @classmethod
    def of(cls, u: np.ndarray, v: np.ndarray, one: Any, diagonal: bool) -> ProductTotal:
        """Return the `ProductTotal` for memberships u of shape (K, n) and v of shape (L, n).

        The arrays have the memberships times ``one``: a common denominator if they are integers, 1.0 if they are
        floats. With ``diagonal`` the sum includes the pairs of an object with itself.
        """
        unit = one**2
        sides = [u.tolist(), v.tolist()]
        if isinstance(one, float):
            unit = SCALE**2
            sides = [_in_units(u), _in_units(v)]
        first, second = map(SideSums.of, sides)
        return cls(u, v, diagonal, first, second, unit)

    def of_side(self, sums: SideSums) -> Fraction:
        """Return the sum of the inner products of rows i and j of one membership matrix, over pairs of objects (i, j).

        ``sums`` are the `SideSums` of the matrix, U or V. The pairs are all ordered pairs if ``self.diagonal`` is
        True, otherwise those with different i and j.
        """
        diagonal_sum = sums.squares if self.diagonal else 0
        return Fraction(sums.products + diagonal_sum, self.unit)

    def norm(self, sums: SideSums) -> Fraction:
        """Return the sum of squares of all inner products of rows of U, or of V, given its `SideSums`."""
        return Fraction(
            sums.squared_products + sums.squared_squares,
            self.unit**2,
        )

    def at(self, orders: np.ndarray) -> np.ndarray:
        """Return the sum for each relabeling. Relabeling k pairs object i of U with object ``orders[k, i]`` of V."""
        v_in_order = self.v[:, orders]
        table = np.matmul(
            v_in_order.transpose(1, 0, 2),
            self.u.T,
        )
        total: Any = (table**2).sum(axis=(1, 2))
        if self.diagonal:
            return total
        diagonal_sum = (self.u**2).sum(axis=0) * (self.v**2).sum(axis=0)[orders]
        return total - diagonal_sum.sum(axis=1)

    @property
    def mean(self) -> Fraction:
        """Return the mean over all n! relabelings."""
        return self.moments()[0]

    def moments(self) -> tuple[Fraction, Fraction]:
        """Return mean and variance over all n! relabelings."""
        n = self.first.n
        x = self.first
        y = self.second
        mean_total = _shared(x.products * y.products, n, 2)
        # Products of two pairs with two objects in common, one, none.
        one_common = (x.squared_rows - x.squared_products) * (y.squared_rows - y.squared_products)
        mean_square = 2 * _shared(x.squared_products * y.squared_products, n, 2)
        mean_square += 4 * _shared(one_common, n, 3)
        mean_square += _shared(x.in_two_pairs * y.in_two_pairs, n, 4)
        if self.diagonal:
            mean_total += _shared(x.squares * y.squares, n, 1)
            mean_square += 4 * _shared(x.weighted * y.weighted, n, 2)
            mean_square += 2 * _shared(x.beside_a_pair * y.beside_a_pair, n, 3)
            mean_square += _shared(x.squared_squares * y.squared_squares, n, 1)
            mean_square += _shared(x.of_two_objects * y.of_two_objects, n, 2)
        scale = self.unit**2
        return mean_total / scale, (mean_square - mean_total**2) / scale**2


@dataclass(frozen=True)
class DistanceTotal:
    """Sum of |e_ij - f_ij| over pairs i < j of objects, as a function of a relabeling of V.

    e and f are the equivalences of the pairs in U and in V, in units of ``one``. The moments are those of statement
    `soft-distance-moments`.

    >>> u, v = np.array([[2, 0, 1], [0, 2, 1]]), np.array([[2, 2, 0], [0, 0, 2]])
    >>> DistanceTotal(u, v, 2).moments()
    (Fraction(4, 3), Fraction(2, 9))
    """

    u: np.ndarray
    v: np.ndarray
    one: Any

    @cached_property
    def degrees(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the equivalences of all pairs of objects in U and in V, two arrays (n x n).

        Raise TooLargeError for more than ``MOST_FOR_DRAWS`` objects.
        """
        return matrix_of(self.u, self.one), matrix_of(self.v, self.one)

    @cached_property
    def distances(self) -> tuple[Any, Any]:
        """Return the mean of |e - f| over pairs of objects, and the mean of this number over all relabelings.

        e and f are the equivalences of a pair in U and in V.
        """
        return mean_distances(self.u, self.v, self.one)

    @property
    def pairs(self) -> int:
        """Return the number of pairs of objects, at least 1."""
        return max(1, comb(self.u.shape[1], 2))

    def at(self, orders: np.ndarray) -> np.ndarray:
        """Return the sum for each relabeling. Relabeling k pairs object i of U with object ``orders[k, i]`` of V."""
        e, f = self.degrees
        i, j = np.triu_indices(len(e), 1)
        degrees_of_u = e[i, j]
        distances = [abs(degrees_of_u - f[order[i], order[j]]).sum() for order in orders]
        return np.array(distances, dtype=e.dtype)

    @property
    def mean(self) -> Any:
        """Return the mean over all n! relabelings."""
        return self.distances[1] * self.pairs

    def moments(self) -> tuple[Any, Any]:
        """Return mean and variance over all n! relabelings. Raise TooLargeError if the variance takes too long."""
        n = self.u.shape[1]
        if n > MOST_FOR_VARIANCE:
            raise TooLargeError(
                f"the exact variance of this index is computed for at most {MOST_FOR_VARIANCE} objects, got {n}"
            )
        if n < 2:
            return self.mean, self.mean * 0
        sums = _DistanceSums.of(*self.degrees)
        number: Any = float if isinstance(self.one, float) else Fraction
        mean_square = 2 * number(sums.same_pair) / perm(n, 2)
        if n >= 3:
            mean_square += 4 * number(sums.one_common) / perm(n, 3)
        if n >= 4:
            mean_square += number(sums.two_pairs) / perm(n, 4)
        mean_less_centre = self.mean - number(sums.centre) * self.pairs / self.one
        return self.mean, mean_square / (4 * self.one**2) - mean_less_centre**2


def matrix_of(side: np.ndarray, one: Any) -> np.ndarray:
    """Return the degrees to which all pairs of objects are together, as an array (n x n).

    ``side`` has the transposed memberships. The degrees are multiples of 1/``one``. Raise TooLargeError for more
    than ``MOST_FOR_DRAWS`` objects.

    >>> matrix_of(np.array([[2, 0], [0, 2]]), 2)
    array([[2, 0],
           [0, 2]])
    """
    return equivalence(side, *every_pair(side.shape[1]), one)


def every_pair(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return index arrays of shapes (n, 1) and (1, n), which broadcast to all ordered pairs of n objects.

    Raise TooLargeError for more than ``MOST_FOR_DRAWS`` objects.

    >>> [x.shape for x in every_pair(3)]
    [(3, 1), (1, 3)]
    """
    if n > MOST_FOR_DRAWS:
        raise TooLargeError(
            f"permutations of the objects are drawn for at most {MOST_FOR_DRAWS} objects, got {n}. Sample "
            f"{MOST_FOR_DRAWS} "
            "objects, or use the sari or fari, which have no limit"
        )
    return np.arange(n)[:, None], np.arange(n)[None, :]


@dataclass(frozen=True)
class _DistanceSums:
    """Sums of products of two distances, over pairs of objects of U and of V.

    A pair (i, j) of U and a pair (k, l) of V have the distance g = |e_ij - f_kl| - ``centre``. Another pair of U
    and another pair of V have the distance g'. All pairs are ordered. ``same_pair`` is the sum of g g' if both
    pairs of U are equal, and both pairs of V are equal. In ``one_common`` the two pairs of U have the same first
    and different second objects, and so have the two pairs of V. In ``two_pairs`` they have no object in common.
    """

    same_pair: Any
    one_common: Any
    two_pairs: Any
    centre: Any

    @classmethod
    def of(cls, e: np.ndarray, f: np.ndarray) -> _DistanceSums:
        """Return the three sums of this class (n x n arrays e and f), in time O(n^3 log n).

        e and f are the degrees to which two objects are together in U and in V.
        """
        centre = _mean_of_floats(e, f)
        by_row = _from_every_pair(e, f, centre)
        by_column = _from_every_pair(f, e, centre)
        to_all = by_row.sum(axis=2)
        from_all = by_column.sum(axis=2)
        # Two pairs of U are arbitrary (a), have the same first object (q), or are equal (f). The second letter means V.
        aa = _total(to_all) ** 2
        aq = _exact_sum_of_squares(from_all.sum(axis=1))
        af = _exact_sum_of_squares(from_all)
        qa = _exact_sum_of_squares(to_all.sum(axis=1))
        qq = _exact_sum_of_squares(by_row.sum(axis=1))
        qf = _exact_sum_of_squares(by_column)
        fa = _exact_sum_of_squares(to_all)
        fq = _exact_sum_of_squares(by_row)
        ff = _total(
            _squares(
                _off_diagonal(e).ravel(),
                _off_diagonal(f).ravel(),
                centre,
            )
        )
        # Sums over four different objects of V, for each of the three kinds of pairs of U. Then the same for U.
        any_two = aa - 4 * aq + 2 * af
        common = qa - 4 * qq + 2 * qf
        same_pair = fa - 4 * fq + 2 * ff
        return cls(
            same_pair=ff,
            one_common=qq - fq - qf + ff,
            two_pairs=any_two - 4 * common + 2 * same_pair,
            centre=centre,
        )


def _off_diagonal(degrees: np.ndarray) -> np.ndarray:
    """Return a square matrix of degrees without its diagonal, as an array (n, n - 1)."""
    n = len(degrees)
    return degrees[~np.eye(n, dtype=bool)].reshape(n, n - 1)


def _mean_of_floats(e: np.ndarray, f: np.ndarray) -> Any:
    """Return the mean of |e_ij - f_kl| over all pairs of objects of U and of V for floats, and 0 for integers.

    It is subtracted from distances to avoid cancellation. Integers are exact and need no subtraction.
    """
    if e.dtype != np.float64:
        return 0
    other_degrees = _off_diagonal(f).ravel()
    return float(distances_to_all(_off_diagonal(e).ravel(), other_degrees).mean()) / len(other_degrees)


def _from_every_pair(e: np.ndarray, f: np.ndarray, centre: Any) -> np.ndarray:
    """Return the sums over l != k of (|e_ij - f_kl| - centre), for all i, j != i, and k, as an array (n, n - 1, n).

    e and f are the degrees to which two objects are together in U and in V.
    """
    n = len(e)
    values = _off_diagonal(e).ravel()
    columns = [distances_to_all(values, row) for row in _off_diagonal(f)]
    return np.column_stack(columns).reshape(n, n - 1, n) - (n - 1) * centre


def _total(x: np.ndarray) -> Any:
    """Return the sum of an array as a float, or exactly as an int."""
    if x.dtype == np.float64:
        return float(x.sum())
    return int(x.sum(dtype=object))


def _exact_sum_of_squares(x: np.ndarray) -> Any:
    """Return the sum of squares, exact for integers of any size.

    >>> _exact_sum_of_squares(np.array([2**40, 1]))
    1208925819614629174706177
    """
    if x.dtype == np.int64 and abs(x).max(initial=0) >= 2**31:
        x = x.astype(object)
    return _total(x**2)


def _squares(values: np.ndarray, other_values: np.ndarray, centre: Any) -> np.ndarray:
    """Return, for each x of ``values``, the sum of (|x - y| - centre)^2 over all y of ``other_values``.

    >>> _squares(np.array([0, 3]), np.array([1, 2]), 0)
    array([5, 5])
    """
    count = len(other_values)
    crossed = 2 * other_values.sum() * values
    squares = count * values**2 - crossed + (other_values**2).sum()
    of_centre = 2 * centre * distances_to_all(values, other_values)
    return squares - of_centre + count * centre**2
