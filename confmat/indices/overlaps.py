"""Indices of two clusterings by the largest overlap of each cluster, and kappa of pairs of objects."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat.contingency.matrix import nonzero_cells, one_matrix
from confmat.indices.numbers import lowest_terms
from confmat.indices.pairs import PairSums, answer
from confmat.indices.records import METRIC, SIMILARITY, names_in, recorded


def purities(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return numerators and denominators of `purity` at tables (N x r x s), in lowest terms.

    >>> purities(np.array([[[2, 1], [0, 1]]]))
    (array([3]), array([4]))
    """
    n = tables.sum(axis=(1, 2))
    in_largest = tables.max(axis=1).sum(axis=1)
    return lowest_terms(
        np.where(n > 0, in_largest, 1),
        np.maximum(n, 1),
    )


@recorded(
    "purity",
    names=("purity_score",),
    title="purity of b in a",
    label="purity of the clusters b in the classes a",
    batch=purities,
    symmetry="permutations",
    bounds=(0, 1),
)
def purity(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Return the purity of clusters (columns) in classes (rows).

    The purity is the fraction of objects that are in the most frequent class of their cluster.

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
        From 1/(number of classes) to 1. It is 1 if each cluster is part of a class, or if there is no object.

    Examples
    --------
    >>> purity([[2, 1, 0], [0, 2, 1]], exact=True)
    Fraction(5, 6)
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    objects = sum(cells.values)
    share = Fraction(1)
    if objects:
        share = Fraction(_in_largest_cells(cells.cols, cells.values), objects)
    return answer(share, exact)


def van_dongens(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return numerators and denominators of `van_dongen` at tables (N x r x s), in lowest terms.

    >>> van_dongens(np.array([[[2, 1], [0, 1]]]))
    (array([1]), array([4]))
    """
    doubled_n = 2 * tables.sum(axis=(1, 2))
    in_largest = tables.max(axis=1).sum(axis=1) + tables.max(axis=2).sum(axis=1)
    return lowest_terms(
        doubled_n - in_largest,
        np.maximum(doubled_n, 1),
    )


@recorded(
    "van_dongen",
    names=("van_dongen_distance",),
    title="van Dongen distance",
    label="van Dongen distance over 2n",
    batch=van_dongens,
    symmetry="transposition",
    bounds=(0, 1),
    claims=METRIC,
)
def van_dongen(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Return the van Dongen distance divided by 2n.

    It is 1 - (sum of the largest cells of all rows and of all columns)/(2n). It is a metric.

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
        From 0 to below 1. 0 if the clusterings coincide, or if there is no object.

    References
    ----------
    van Dongen (2000).

    Examples
    --------
    >>> van_dongen([[2, 1, 0], [0, 2, 1]], exact=True)
    Fraction(1, 4)
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    objects = sum(cells.values)
    distance = Fraction(0)
    if objects:
        in_largest = sum(_in_largest_cells(lines, cells.values) for lines in (cells.rows, cells.cols))
        distance = 1 - Fraction(in_largest, 2 * objects)
    return answer(distance, exact)


def kappa_of_pairs(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    """Return the numerator and the denominator of `pair_kappa`, for integers or arrays.

    n is the number of objects. a, b and p are the numbers of pairs of objects in a common row, column and cell. m
    is not used.

    >>> kappa_of_pairs(3, 1, 3, 1, 1)
    (0, 6)
    """
    pairs = n * (n - 1) // 2
    agreed_pairs = pairs - a - b + 2 * p
    apart = (pairs - a) * (pairs - b)
    expected_pairs = a * b + apart  # times pairs
    denominator = pairs * pairs - expected_pairs
    return pairs * agreed_pairs - expected_pairs, denominator


@recorded(
    "pair_kappa",
    title="kappa of pairs",
    label="Cohen's kappa of pairs",
    formula=kappa_of_pairs,
    depends="ABP",
    undefined=1,
    symmetry="transposition",
    bounds=(Fraction(-1, 2), 1),
    claims=SIMILARITY,
)
def pair_kappa(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Return Cohen's kappa of the 2 x 2 table of pairs of objects.

    The rows of this table are the pairs together and the pairs apart in the first clustering. The columns are those
    of the second. The kappa is equal to the adjusted Rand index.

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
        From -1/2 to 1. 1 if it is 0/0.

    References
    ----------
    Warrens (2008).

    Examples
    --------
    >>> pair_kappa([[42, 8], [9, 41]], exact=True)
    Fraction(35104, 81667)
    """
    sums = PairSums.of(matrix_or_labels_a, labels_b)
    numerator, denominator = kappa_of_pairs(n=sums.n, m=0, a=sums.A, b=sums.B, p=sums.P)
    return answer(Fraction(numerator, denominator) if denominator else Fraction(1), exact)


def _in_largest_cells(lines: np.ndarray, values: list[int]) -> int:
    """Return the sum of the largest cells of all rows, or of all columns.

    Cell k has the value ``values[k]`` and is in the row (or column) ``lines[k]``.
    """
    largest_of_line: dict[int, int] = {}
    for line, value in zip(lines.tolist(), values):
        largest_of_line[line] = max(value, largest_of_line.get(line, 0))
    return sum(largest_of_line.values())


if not TYPE_CHECKING:  # a type checker reads all names
    __all__ = names_in(__name__)
