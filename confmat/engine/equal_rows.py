"""Equal rows of an array of integers, found by sorting."""

import numpy as np


def groups(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distinct rows of an integer array (N x c), the order that sorts all rows, and where each begins in it.

    Python ints do as well.  The distinct rows increase (first column first); the sums of their weights are
    ``np.add.reduceat(weights[order], starts)``.  O(N c log N).

    >>> rows, order, starts = groups(np.array([[2, 1], [1, 3], [2, 1]]))
    >>> rows.tolist(), order.tolist(), starts.tolist()
    ([[1, 3], [2, 1]], [1, 0, 2], [0, 1])
    """
    if keys.dtype == object:  # which lexsort does not sort
        order = np.array(sorted(range(len(keys)), key=keys.tolist().__getitem__), np.int64)
    else:
        order = np.lexsort(keys.T[::-1])
    ordered = keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    return ordered[starts], order, starts


def distinct(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows of an integer array (N x c), sorted, and which of them every row is.

    >>> distinct(np.array([[2, 1], [1, 3], [2, 1]]))
    (array([[1, 3],
           [2, 1]]), array([1, 0, 1]))
    """
    rows, order, starts = groups(keys)
    which = np.empty(len(keys), np.int64)
    which[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(keys)))
    return rows, which


def summed(keys: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows of an integer array, sorted, and the sums of their weights.

    >>> [part.tolist() for part in summed(np.array([[2, 1], [1, 3], [2, 1]]), np.array([5, 1, 2]))]
    [[[1, 3], [2, 1]], [1, 7]]
    """
    rows, order, starts = groups(keys)
    return rows, np.add.reduceat(weights[order], starts)
