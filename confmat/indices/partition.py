"""Distances and indices of two partitions, from their contingency matrix.

Each function takes one matrix or two labelings. A single argument is a matrix: a list of rows, a NumPy array, a
pandas DataFrame or a SciPy sparse matrix of non-negative integers of any size. Two arguments are one-dimensional
labelings of the same objects, paired by position. Memberships are compared by `confmat.indices.soft`.

Empty rows and columns change nothing. Arithmetic is in integers. The result is the nearest float, or a Fraction
with ``exact=True``. For an index with logarithms the exact result is a `LogRatio`, and its float may not be the
nearest. If an argument is not valid, ValueError or TypeError names the argument or the entry. The time is that of
one pass over the non-zero cells, and of an assignment problem for the MED.

In formulas, n is the number of objects, and M = C(n, 2) the number of pairs of objects. A, B and P are the numbers
of pairs together in the first partition, in the second, and in both.

If a normalised distance is 0/0, the two partitions coincide (one cluster each, singletons only, or n <= 1). The
distance is then 0 and the index 1. For every other 0/0, ``undefined`` specifies the result: "raise", "nan" or a
number.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat.contingency.matching import heaviest_matching
from confmat.contingency.matrix import nonzero_cells, one_matrix
from confmat.indices import association, information, null_moments, overlaps
from confmat.indices.association import *  # noqa: F403 what they record
from confmat.indices.classification.roots import RootSum
from confmat.indices.extremes import (
    max_adjusted_rand_matrices,
    max_adjusted_rand_matrix,
    max_ard_matrices_given_med,
    max_med,
    max_med_matrix,
    max_rand_distance,
    max_rand_matrix,
)
from confmat.indices.information import *  # noqa: F403
from confmat.indices.null_moments import *  # noqa: F403
from confmat.indices.overlaps import *  # noqa: F403
from confmat.indices.pairs import PairCounts, PairSums, answer, rounded_root
from confmat.indices.records import METRIC, SIMILARITY, Theorem, names_in, recorded
from confmat.indices.undefined import Undefined, check_undefined, undefined_value

if TYPE_CHECKING:
    from confmat.classes import MatrixClass

PartitionNumber = Fraction | float


# --- matching -------------------------------------------------------------------------------------


@recorded(
    "med",
    names=("misclassification_error", "misclassification_error_distance"),
    title="misclassification error",
    label="MED (misclassification error distance)",
    formula=lambda n, m, a, b, p: (m, n),
    depends="m",
    undefined=0,
    symmetry="transposition",
    bounds=(0, 1),
    largest=Theorem("med-max", max_med_matrix),
    claims=METRIC,
)
def med(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> PartitionNumber:
    """Return the misclassification error distance (MED) of two partitions.

    The MED is the smallest fraction of objects to relabel such that the partitions coincide: (n - k)/n, where k is
    the largest total of a matching of rows to columns. It is also called transfer distance or partition distance.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to below 1. `max_med` is the largest value.

    References
    ----------
    Regnier (1965). Meila (2005).

    Examples
    --------
    >>> med([[50, 0, 0], [0, 48, 2], [0, 1, 49]], exact=True)
    Fraction(1, 50)
    >>> med([0, 0, 1, 1], ["a", "b", "b", "b"])
    0.25
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    objects = sum(cells.values)
    distance = objects
    for cell in heaviest_matching(*cells):
        distance -= cells.values[cell]
    return answer(Fraction(distance, objects or 1), exact)


def _over_largest(largest: Callable[..., Fraction], cls: MatrixClass) -> Fraction:
    """Return 1 divided by the largest value of a distance over a class, or 0 if the largest value is 0."""
    r, s, allow_empty = cls.clusters
    if cls.n:
        largest_value = largest(cls.n, r, s, allow_empty=allow_empty)
    else:
        largest_value = Fraction(0)
    return 1 / largest_value if largest_value else Fraction(0)


@recorded(
    "nmed",
    names=("normalized_med",),
    title="MED over its largest",
    label="NMED (MED over its largest value)",
    of="med",
    factor=partial(_over_largest, max_med),
    symmetry="transposition",
    bounds=(0, 1),
    claims={"identity": 0},
)
def normalized_med(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    exact: bool = False,
) -> PartitionNumber:
    """Return the MED divided by its largest value for these numbers of objects and of clusters.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to 1. 0 if all partitions of this size coincide.

    Examples
    --------
    >>> normalized_med([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 1]], exact=True)
    Fraction(1, 1)
    """
    matrix = one_matrix(matrix_or_labels_a, labels_b)
    distance = Fraction(med(matrix, exact=True))
    share = _normalised(distance, max_med, matrix)
    return answer(share, exact)


# --- pairs of objects -----------------------------------------------------------------------------


def pair_counts(matrix_or_labels_a: Any, labels_b: Any = None, /) -> PairCounts:
    """Count the pairs of objects that are together in both partitions, in one, and in neither.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.

    Returns
    -------
    PairCounts
        Numbers of unordered pairs.

    Examples
    --------
    >>> pair_counts([[2, 1], [0, 2]])
    PairCounts(both=2, only_a=2, only_b=2, neither=4)
    """
    return PairSums.of(matrix_or_labels_a, labels_b).counts


@recorded(
    "rd",
    names=("rand_distance",),
    title="Rand distance",
    label="RD (Rand distance)",
    formula=lambda n, m, a, b, p: (a + b - 2 * p, n * (n - 1) // 2),
    depends="F",
    undefined=0,
    symmetry="transposition",
    bounds=(0, 1),
    largest=Theorem("rd-max", max_rand_matrix),
    claims=METRIC,
)
def rand_distance(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Return the Rand distance RD = (A + B - 2P)/C(n, 2) = 1 - RI.

    The RD is the fraction of pairs of objects that are together in exactly one partition. A, B and P are the numbers of
    pairs together in the first partition, in the second, and in both.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to 1. `max_rand_distance` is the largest value.

    Examples
    --------
    >>> rand_distance([[50, 0, 0], [0, 48, 2], [0, 1, 49]], exact=True)
    Fraction(97, 3725)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).rand_distance, exact)


@recorded(
    "ri",
    names=("rand", "rand_index", "rand_score"),
    title="Rand index",
    label="RI (Rand index)",
    of="rd",
    complement=True,
    symmetry="transposition",
    bounds=(0, 1),
    claims=SIMILARITY,
)
def rand_index(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> PartitionNumber:
    """Return the Rand index RI = 1 - RD.

    The RI is the fraction of pairs of objects on which the partitions agree.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    References
    ----------
    Rand (1971).

    Examples
    --------
    >>> rand_index([[42, 8], [9, 41]], exact=True)
    Fraction(3539, 4950)
    """
    return answer(1 - PairSums.of(matrix_or_labels_a, labels_b).rand_distance, exact)


@recorded(
    "nrd",
    names=("normalized_rand_distance",),
    title="RD over its largest",
    label="NRD (RD over its largest value)",
    of="rd",
    factor=partial(_over_largest, max_rand_distance),
    symmetry="transposition",
    bounds=(0, 1),
    claims={"identity": 0},
)
def normalized_rand_distance(
    matrix_or_labels_a: Any,
    labels_b: Any = None,
    /,
    *,
    exact: bool = False,
) -> PartitionNumber:
    """Return the Rand distance divided by its largest value for these numbers of objects and of clusters.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to 1. 0 if all partitions of this size coincide.

    Examples
    --------
    >>> round(normalized_rand_distance([[4] * 5] * 5), 3)
    0.424
    """
    matrix = one_matrix(matrix_or_labels_a, labels_b)
    distance = PairSums.of(matrix).rand_distance
    share = _normalised(distance, max_rand_distance, matrix)
    return answer(share, exact)


def expected_rand_distance(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Return the mean of the Rand distance over all labelings with the margins of the matrix.

    It is (A(M - B) + B(M - A))/M^2. M = C(n, 2) is the number of pairs of objects. A and B are the numbers of pairs
    together in the first and in the second partition.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    References
    ----------
    Hubert and Arabie (1985).

    Examples
    --------
    >>> expected_rand_distance([[1, 1], [1, 1]], exact=True)
    Fraction(4, 9)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).expected_rand_distance, exact)


def _adjusted(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    """Return the numerator and the denominator of the ARD, for integers or arrays n, A, B and P.

    a, b and p are the numbers of pairs of objects in a common row, column and cell.
    """
    pairs = n * (n - 1) // 2
    return (a + b - 2 * p) * pairs, a * (pairs - b) + b * (pairs - a)


@recorded(
    "ard",
    names=("adjusted_rand_distance",),
    title="adjusted Rand distance",
    label="ARD (adjusted Rand distance)",
    formula=_adjusted,
    depends="ABP",
    undefined=0,
    symmetry="transposition",
    bounds=(0, Fraction(3, 2)),  # statement `ari-least`
    largest=Theorem(
        "ard-max",
        max_adjusted_rand_matrix,
        max_adjusted_rand_matrices,
        Theorem("ard-given-med-tables", matrices=max_ard_matrices_given_med),
    ),
    claims={"identity": 0, "refinement": True},
)
def adjusted_rand_distance(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Return the adjusted Rand distance ARD = RD/E[RD] = 1 - ARI.

    The ARD of equal partitions is 0, and its mean at fixed margins is 1.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to 3/2.

    Notes
    -----
    The ARD is not a metric. For n >= 4 objects, the distance of two partitions is at most 3/2 - 1/((n-2)(n+1))
    times the sum of their distances from a third one. No smaller factor suffices (statement `ard-triangle`).

    References
    ----------
    Chacon (2019), equation (5).

    Examples
    --------
    >>> adjusted_rand_distance([[12, 4], [4, 0]], exact=True)
    Fraction(95, 84)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).adjusted_rand_distance, exact)


@recorded(
    "ari",
    names=("adjusted_rand", "adjusted_rand_index", "adjusted_rand_score"),
    title="adjusted Rand index",
    label="ARI (adjusted Rand index)",
    of="ard",
    complement=True,
    symmetry="transposition",
    bounds=(Fraction(-1, 2), 1),
    claims=SIMILARITY,
)
def adjusted_rand_index(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Return the adjusted Rand index ARI = 1 - RD/E[RD].

    The ARI of equal partitions is 1, and its mean at fixed margins is 0.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From -1/2 to 1.

    References
    ----------
    Hubert and Arabie (1985).

    Examples
    --------
    >>> adjusted_rand_index([[42, 8], [9, 41]], exact=True)
    Fraction(35104, 81667)
    """
    return answer(1 - PairSums.of(matrix_or_labels_a, labels_b).adjusted_rand_distance, exact)


def _mirkin_over_rand(cls: MatrixClass) -> Fraction:
    """Return the ratio (n - 1)/n of Mirkin distance and Rand distance."""
    return Fraction(cls.n - 1, cls.n) if cls.n else Fraction(0)


@recorded(
    "mirkin",
    names=("mirkin_distance",),
    title="Mirkin distance",
    of="rd",
    factor=_mirkin_over_rand,
    symmetry="transposition",
    bounds=(0, 1),
    claims=METRIC,
)
def mirkin_distance(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False
) -> PartitionNumber:
    """Return the Mirkin distance (sum a_i^2 + sum b_j^2 - 2 sum n_ij^2)/n^2 = RD (n - 1)/n.

    It is the fraction of ordered pairs of objects, drawn with replacement, on which the partitions disagree.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.

    Returns
    -------
    float or Fraction
        From 0 to below 1. 0 if there is no object.

    References
    ----------
    Mirkin and Chernyi (1970).

    Examples
    --------
    >>> mirkin_distance([[2, 1], [0, 2]], exact=True)
    Fraction(8, 25)
    """
    return answer(PairSums.of(matrix_or_labels_a, labels_b).mirkin_distance, exact)


@recorded(
    "fm",
    names=("fowlkes_mallows", "fowlkes_mallows_index", "fowlkes_mallows_score"),
    title="Fowlkes-Mallows",
    label="FM (Fowlkes-Mallows index)",
    formula=lambda n, m, a, b, p: (p * p, a * b),
    depends="ABP",
    root=True,
    symmetry="transposition",
    bounds=(0, 1),
    claims=SIMILARITY,
)
def fowlkes_mallows(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Return the Fowlkes-Mallows index P/sqrt(A B).

    It is the geometric mean of the two Wallace coefficients P/A and P/B. A, B and P are the numbers of pairs of objects
    together in the first partition, in the second, and in both.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, or a `RootSum` if the root is irrational. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float, Fraction or RootSum
        From 0 to 1. The index is 0/0 if a partition has singletons only, for which scikit-learn returns 0.

    Raises
    ------
    UndefinedIndexError
        If the index is 0/0 and ``undefined`` is "raise".

    References
    ----------
    Fowlkes and Mallows (1983).

    Examples
    --------
    >>> fowlkes_mallows([[2, 1], [0, 2]], exact=True)
    Fraction(1, 2)
    """
    check_undefined(undefined)
    sums = PairSums.of(matrix_or_labels_a, labels_b)
    if sums.A == 0 or sums.B == 0:
        return _without_pairs("fowlkes_mallows", "b" if sums.A else "a", undefined, exact)
    square = Fraction(sums.P**2, sums.A * sums.B)
    if not exact:
        return rounded_root(square)
    root: Any = RootSum.sqrt(square)
    return root if root.rational is None else root.rational


@recorded(
    "jaccard",
    names=("jaccard_index",),
    title="Jaccard",
    label="Jaccard index",
    formula=lambda n, m, a, b, p: (p, a + b - p),
    depends="ABP",
    symmetry="transposition",
    bounds=(0, 1),
    claims=SIMILARITY,
)
def jaccard(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Return the Jaccard index P/(A + B - P) of pairs of objects.

    A, B and P are the numbers of pairs together in the first partition, in the second, and in both. The index is the
    fraction of the pairs together in both partitions among the pairs together in at least one.

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        From 0 to 1. The index is 0/0 if both partitions have singletons only.

    Raises
    ------
    UndefinedIndexError
        If the index is 0/0 and ``undefined`` is "raise".

    Examples
    --------
    >>> jaccard([[2, 1], [0, 2]], exact=True)
    Fraction(1, 3)
    """
    check_undefined(undefined)
    sums = PairSums.of(matrix_or_labels_a, labels_b)
    if sums.A == sums.B == 0:
        return answer(undefined_value(undefined, "jaccard", "no two objects lie together"), exact)
    return answer(Fraction(sums.P, sums.A + sums.B - sums.P), exact)


@recorded(
    "wallace_ab",
    title="Wallace, a to b",
    label="Wallace coefficient, a to b",
    formula=lambda n, m, a, b, p: (p, a),
    depends="ABP",
    symmetry="permutations",
    bounds=(0, 1),
)
def wallace_ab(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Return the Wallace coefficient from a (rows) to b (columns).

    It is the fraction of the pairs of objects together in a that are also together in b (`wallace`).

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Raises
    ------
    UndefinedIndexError
        If the index is 0/0 and ``undefined`` is "raise".

    Examples
    --------
    >>> wallace_ab([[3, 0], [1, 1]], exact=True)
    Fraction(3, 4)
    """
    check_undefined(undefined)
    sums = PairSums.of(matrix_or_labels_a, labels_b)
    if sums.A == 0:
        return _without_pairs("wallace_ab", "a", undefined, exact)
    return answer(Fraction(sums.P, sums.A), exact)


@recorded(
    "wallace_ba",
    title="Wallace, b to a",
    label="Wallace coefficient, b to a",
    formula=lambda n, m, a, b, p: (p, b),
    depends="ABP",
    symmetry="permutations",
    bounds=(0, 1),
)
def wallace_ba(
    matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False, undefined: Undefined = "raise"
) -> PartitionNumber:
    """Return the Wallace coefficient from b (columns) to a (rows).

    It is the fraction of the pairs of objects together in b that are also together in a (`wallace`).

    Parameters
    ----------
    matrix_or_labels_a : array_like
        Contingency matrix of counts, or the labels of the first partition.
    labels_b : array_like, optional
        Labels of the second partition, paired with the first by position.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    undefined : {"raise", "nan"} or number
        Result if the index is 0/0. Default: "raise".

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Raises
    ------
    UndefinedIndexError
        If the index is 0/0 and ``undefined`` is "raise".

    Examples
    --------
    >>> wallace_ba([[3, 0], [1, 1]], exact=True)
    Fraction(1, 2)
    """
    check_undefined(undefined)
    sums = PairSums.of(matrix_or_labels_a, labels_b)
    if sums.B == 0:
        return _without_pairs("wallace_ba", "b", undefined, exact)
    return answer(Fraction(sums.P, sums.B), exact)


# --- shared ---------------------------------------------------------------------------------------


def _without_pairs(index: str, clustering: str, undefined: Undefined, exact: bool) -> PartitionNumber:
    """Return the value that ``undefined`` specifies for an index that is 0/0, as a float if ``exact`` is False.

    The index is 0/0 because ``clustering`` ("a" or "b") puts no two objects together.
    """
    reason = f"no two objects lie together in clustering {clustering}"
    return answer(undefined_value(undefined, index, reason), exact)


def _normalised(distance: Fraction, largest: Callable[..., Fraction], matrix: Any) -> Fraction:
    """Return a distance divided by its largest value for the numbers of objects and of clusters of ``matrix``.

    Only clusters with objects are counted. ``largest`` computes the largest value from these numbers. A distance of
    0 remains 0.
    """
    if not distance:
        return distance
    cells = nonzero_cells(matrix)
    clusters = len(np.unique(cells.rows)), len(np.unique(cells.cols))
    return distance / largest(sum(cells.values), *clusters)


# Short names, as in files, distributions and on the command line.
nmed = normalized_med
rd = rand_distance
ri = rand_index
nrd = normalized_rand_distance
ard = adjusted_rand_distance
ari = adjusted_rand_index
mirkin = mirkin_distance
fm = fowlkes_mallows

__all__ = names_in(__name__)
for _module in (association, information, null_moments, overlaps):
    __all__ += _module.__all__
__all__ += [
    "PairCounts",
    "PairSums",
    "expected_rand_distance",
    "pair_counts",
]
__all__.sort()
