"""Equal rows of an array of integers, found by sorting."""

import numpy as np


def groups(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distinct rows of an integer array (N x c), the order that sorts all rows, and where each begins in it.

    The distinct rows increase (first column first); ``np.add.reduceat(weights[order], starts)`` are the sums of
    their weights.  O(N c log N).

    >>> rows, order, starts = groups(np.array([[2, 1], [1, 3], [2, 1]]))
    >>> rows.tolist(), order.tolist(), starts.tolist()
    ([[1, 3], [2, 1]], [1, 0, 2], [0, 1])
    """
    order = np.lexsort(keys.T[::-1])
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    return ordered[starts], order, starts
