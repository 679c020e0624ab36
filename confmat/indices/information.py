"""Indices from information theory: floats, natural logarithms."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum, log
from typing import Any

from confmat.matrix import cell_margins, nonzero_cells


def variation_of_information(matrix: Any) -> float:
    """Variation of information H(a|b) + H(b|a) in nats: from 0 (same clustering) to ln n.  Meila (2007).

    Never negative, and exactly 0.0 for coinciding clusterings; a table with n <= 1 has 0.

    >>> variation_of_information([[1, 1], [1, 1]])  # 2 ln 2
    1.3862943611198906
    """
    cells = nonzero_cells(matrix)
    rows, cols = cell_margins(cells)
    n = sum(rows)
    terms = zip(cells.rows.tolist(), cells.cols.tolist(), cells.values)
    return fsum(value / n * (log(rows[i] / value) + log(cols[j] / value)) for i, j, value in terms)


def normalized_mutual_information(matrix: Any) -> float:
    """Mutual information over the arithmetic mean of the two entropies: from 0 (independent) to 1.

    The normalisation that scikit-learn uses by default.  Where both entropies are 0 (one cluster on both
    sides, n <= 1) the clusterings coincide and it is 1.

    >>> normalized_mutual_information([[1, 1], [1, 1]]), normalized_mutual_information([[3, 0], [0, 5]])
    (0.0, 1.0)
    """
    cells = nonzero_cells(matrix)
    rows, cols = cell_margins(cells)
    n = sum(rows)
    entropies = _entropy(rows, n) + _entropy(cols, n)
    if entropies == 0:
        return 1.0
    terms = zip(cells.rows.tolist(), cells.cols.tolist(), cells.values)
    # Products of Python ints, divided once: exactly log 1 = 0 in every cell of an independent table.
    information = fsum(value / n * log(value * n / (rows[i] * cols[j])) for i, j, value in terms)
    return min(1.0, max(0.0, 2 * information / entropies))


def _entropy(sizes: Iterable[int], n: int) -> float:
    return fsum(size / n * log(n / size) for size in sizes if size)
