"""Indices of two clusterings that look at the largest overlap of every cluster, and kappa of their pairs."""

from fractions import Fraction
from typing import Any

import numpy as np

from confmat.indices.numbers import lowest_terms
from confmat.indices.pairs import PairSums, answer
from confmat.matrices.matrix import Cells, nonzero_cells, one_matrix


def purity(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Share of objects in the most frequent class (row) of their cluster (column): 1 for clusters within classes.

    With the classes first and the clusters second, from 1/(number of classes) on; no objects have purity 1.

    >>> purity([[2, 1, 0], [0, 2, 1]], exact=True)
    Fraction(5, 6)
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    n = sum(cells.values)
    return answer(Fraction(_covered(cells, cells.cols), n) if n else Fraction(1), exact)


def van_dongen(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Van Dongen's (2000) distance over 2n: 1 - (largest cells of all rows and of all columns)/(2n), 0 to 1.

    A metric; 0 for coinciding clusterings (and for no objects), below 1 always.

    >>> van_dongen([[2, 1, 0], [0, 2, 1]], exact=True)
    Fraction(1, 4)
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    n = sum(cells.values)
    covered = _covered(cells, cells.rows) + _covered(cells, cells.cols)
    return answer(1 - Fraction(covered, 2 * n) if n else Fraction(0), exact)


def pair_kappa(matrix_or_labels_a: Any, labels_b: Any = None, /, *, exact: bool = False) -> Fraction | float:
    """Cohen's kappa of the 2 x 2 table of pairs: together or apart in one clustering, and in the other.

    It is the adjusted Rand index (Warrens 2008), and 1 where it is 0/0.

    >>> pair_kappa([[42, 8], [9, 41]], exact=True)
    Fraction(35104, 81667)
    """
    sums = PairSums.of(matrix_or_labels_a, labels_b)
    numerator, denominator = kappa_of_pairs(sums.n, 0, sums.A, sums.B, sums.P)
    return answer(Fraction(numerator, denominator) if denominator else Fraction(1), exact)


def kappa_of_pairs(n: Any, m: Any, a: Any, b: Any, p: Any) -> tuple[Any, Any]:
    """Numerator and denominator of `pair_kappa`, for whole numbers and arrays.

    >>> kappa_of_pairs(3, 1, 3, 1, 1)
    (0, 6)
    """
    pairs = n * (n - 1) // 2
    agreed = pairs - a - b + 2 * p
    chance = a * b + (pairs - a) * (pairs - b)
    return pairs * agreed - chance, pairs * pairs - chance


def _covered(cells: Cells, lines: np.ndarray) -> int:
    """Sum of the largest cells of the lines."""
    largest: dict[int, int] = {}
    for line, value in zip(lines.tolist(), cells.values):
        largest[line] = max(value, largest.get(line, 0))
    return sum(largest.values())


def purities(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators of `purity` of tables (N x r x s), in lowest terms.

    >>> purities(np.array([[[2, 1], [0, 1]]]))
    (array([3]), array([4]))
    """
    n = tables.sum(axis=(1, 2))
    return lowest_terms(np.where(n > 0, tables.max(axis=1).sum(axis=1), 1), np.maximum(n, 1))


def van_dongens(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators of `van_dongen` of tables (N x r x s), in lowest terms.

    >>> van_dongens(np.array([[[2, 1], [0, 1]]]))
    (array([1]), array([4]))
    """
    n = tables.sum(axis=(1, 2))
    covered = tables.max(axis=1).sum(axis=1) + tables.max(axis=2).sum(axis=1)
    return lowest_terms(2 * n - covered, np.maximum(2 * n, 1))
