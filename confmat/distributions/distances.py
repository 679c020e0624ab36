"""Numbers of tables with each (m, F) for a total and a shape, without enumeration.

m is n MED, and F is C(n, 2) times the Rand distance (RD). A method that gives the distribution of m alone sets F to
0, and vice versa.

>>> from confmat.classes import Tables
>>> by_generating_function(Tables(4, 2, 2))
{(0, 0): 6, (1, 0): 8, (2, 0): 5}
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from confmat._engine.blocks import WeightedSignatures
from confmat._engine.fold import Sums, disagreements
from confmat._integers.arrays import MergedChunks
from confmat.classes import MatrixClass

Weights = dict[tuple[int, int], int]


def has_med_law(matrices: MatrixClass) -> bool:
    """Return whether the distribution of the MED over the class has a closed form for every n.

    >>> from confmat.classes import FixedRows, Tables
    >>> has_med_law(Tables(10**9, 2, 3)), has_med_law(FixedRows([2, 3], 2))
    (True, False)
    """
    from confmat.distributions.med_distribution import LARGEST_COLUMNS

    shorter, longer = sorted(matrices.shape)
    return matrices.unrestricted and longer <= LARGEST_COLUMNS.get(shorter, 0)


def by_generating_function(matrices: MatrixClass) -> Weights:
    """Return a dictionary from (m, 0) to the number of tables with n MED = m, for a class with ``has_med_law``.

    The second number of a key is C(n, 2) RD in other functions of this module. It is not computed here, and 0.
    """
    from confmat.distributions.med_distribution import med_counts

    counts = med_counts(matrices.n, *matrices.shape, allow_empty=matrices.may_be_empty)
    return {(m, 0): count for m, count in enumerate(counts) if count}


def has_rd_law(matrices: MatrixClass) -> bool:
    """Return whether the recursion of ``rand_distribution`` gives the distribution of the RD over the class.

    >>> from confmat.classes import Tables
    >>> has_rd_law(Tables(100, 3, 3)), has_rd_law(Tables(100, 9, 9))
    (True, False)
    """
    from confmat.distributions.rand_distribution import MOST_MEMORY, has_recursion, memory_of_columns

    if not matrices.unrestricted or not has_recursion(*matrices.shape):
        return False
    return memory_of_columns(matrices.n, *matrices.shape) <= MOST_MEMORY


def by_recursion(matrices: MatrixClass, threads: int | None = None) -> Weights:
    """Return a dictionary from (0, F) to the number of tables with C(n, 2) RD = F, for a class with ``has_rd_law``.

    The first number of a key is n MED in other functions of this module. It is not computed here, and 0.
    """
    from confmat.distributions.rand_distribution import rand_distance_counts

    counts = rand_distance_counts(
        matrices.n, *matrices.shape, allow_empty=matrices.may_be_empty, threads=threads
    )
    return {(0, f): count for f, count in enumerate(counts) if count}


def of_signatures(blocks: Iterable[WeightedSignatures]) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct pairs (n MED, C(n, 2) RD) of sufficient statistics (N x 2), and their weights (N).

    The pairs are in increasing order.

    >>> [part.tolist() for part in of_signatures([(np.array([[1, 3, 2, 1], [1, 2, 3, 1]]), np.array([8, 4]))])]
    [[[1, 3]], [12]]
    """
    distances = MergedChunks(2)
    for cells, weights in blocks:
        distances.add(np.stack([cells[:, 0], disagreements(cells)], axis=1), weights)
    return distances.together()


def of_sums(sums: Sums) -> Weights:
    """Return the weight of each pair (n MED, C(n, 2) RD) from sums over a class."""
    return {(m, f): int(sums.law[m, f]) for m, f in np.argwhere(sums.law).tolist()}
