"""Pairs of membership matrices on a rational grid, with rows of certain kinds.

Entries are in {0, 1/q, .., 1}, kept as whole numbers times q.  The order of the objects changes no index, so a
pair is a multiset of joint rows (u_i, v_i).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from confmat._arguments import as_count
from confmat.classes.memberships import multisets_of_kinds


def without_ties(rows: np.ndarray) -> np.ndarray:
    """The rows with a single largest entry: those that have a hard label.

    >>> without_ties(np.array([[2, 1], [1, 1]]))
    array([[2, 1]])
    """
    largest = rows.max(axis=1, keepdims=True)
    return rows[(rows == largest).sum(axis=1) == 1]


def pairs_of_memberships(
    rows_u: np.ndarray, rows_v: np.ndarray, n: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All pairs (U, V) of n objects with the given rows, in chunks of shapes (size, n, K) and (size, n, L).

    Each pair once up to the order of objects.

    >>> rows = np.eye(2, dtype=np.int64)
    >>> [(u.shape, v.shape) for u, v in pairs_of_memberships(rows, rows, 2)]
    [((10, 2, 2), (10, 2, 2))]
    """
    joint = [(i, j) for i in range(len(rows_u)) for j in range(len(rows_v))]
    left, right = np.array(joint).T
    for index in multisets_of_kinds(len(joint), as_count("n", n, 1)):
        yield rows_u[left[index]], rows_v[right[index]]
