"""Indices from information theory: floats, natural logarithms.

A logarithm of a quotient x/y is that of 1 + (x - y)/y with whole x - y: clusterings that differ in a few of many
objects have quotients so close to 1 that rounding them would leave no digit of their logarithms.
"""

from collections.abc import Iterable
from math import fsum, log1p
from typing import Any

from confmat.matrices.matrix import cell_margins, nonzero_cells, one_matrix


def variation_of_information(matrix_or_labels_a: Any, labels_b: Any = None, /) -> float:
    """Variation of information H(a|b) + H(b|a) in nats: from 0 (same clustering) to ln n.  Meila (2007).

    Never negative, and exactly 0.0 for coinciding clusterings; a table with n <= 1 has 0.

    >>> variation_of_information([[1, 1], [1, 1]])  # 2 ln 2
    1.3862943611198906
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    rows, cols = cell_margins(cells)
    n = sum(rows)
    terms = zip(cells.rows.tolist(), cells.cols.tolist(), cells.values)
    return fsum(
        value / n * (_log_ratio(rows[i], value) + _log_ratio(cols[j], value)) for i, j, value in terms
    )


def normalized_mutual_information(matrix_or_labels_a: Any, labels_b: Any = None, /) -> float:
    """Mutual information over the arithmetic mean of the two entropies: from 0 (independent) to 1.

    The normalisation that scikit-learn uses by default.  Where both entropies are 0 (one cluster on both
    sides, n <= 1) the clusterings coincide and it is 1.

    >>> normalized_mutual_information([[1, 1], [1, 1]]), normalized_mutual_information([[3, 0], [0, 5]])
    (0.0, 1.0)
    """
    cells = nonzero_cells(one_matrix(matrix_or_labels_a, labels_b))
    rows, cols = cell_margins(cells)
    n = sum(rows)
    entropies = _entropy(rows, n) + _entropy(cols, n)
    if entropies == 0:
        return 1.0
    terms = zip(cells.rows.tolist(), cells.cols.tolist(), cells.values)
    # Products of Python ints: exactly log 1 = 0 in every cell of an independent table.
    information = fsum(value / n * _log_ratio(value * n, rows[i] * cols[j]) for i, j, value in terms)
    return min(1.0, max(0.0, 2 * information / entropies))


def _entropy(sizes: Iterable[int], n: int) -> float:
    return fsum(size / n * _log_ratio(n, size) for size in sizes if size)


def _log_ratio(x: int, y: int) -> float:
    """log(x/y) of whole numbers, with a small relative error also where x/y rounds to 1."""
    return log1p((x - y) / y) if x >= y else -log1p((y - x) / x)


# Their short names.
vi = variation_of_information
nmi = normalized_mutual_information
