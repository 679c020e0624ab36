"""Pairs of membership matrices on a rational grid: the rows, the pairs, and a class of pairs that can be counted.

Entries are in {0, 1/q, .., 1}, kept as whole numbers times q.  The order of the objects changes no index, so a
pair is a multiset of joint rows (u_i, v_i).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import ClassVar

import numpy as np

from confmat.classes.memberships import grid_rows, multisets
from confmat.conjectures.of_sizes import OfSizes
from confmat.matrices.arguments import as_count


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

    >>> rows = grid_rows(2, 1)
    >>> [(u.shape, v.shape) for u, v in pairs_of_memberships(rows, rows, 2)]
    [((10, 2, 2), (10, 2, 2))]
    """
    joint = [(i, j) for i in range(len(rows_u)) for j in range(len(rows_v))]
    left, right = np.array(joint).T
    for index in multisets(len(joint), as_count("n", n, 1)):
        yield rows_u[left[index]], rows_v[right[index]]


@dataclass(frozen=True)
class MembershipPairs(OfSizes):
    """Pairs (U, V) of n objects: U soft with entries in {0, 1/q, ..., 1} and no tied row, V hard.

    A row is tied when its largest membership is not unique: it has no hard label.  The order of the objects
    does not matter, so a pair is a multiset of n joint rows.

    >>> pairs = MembershipPairs(3, 3, 2, 2)
    >>> pairs.count(), sum(len(U) for U, V in pairs.blocks())
    (120, 120)
    """

    KIND: ClassVar[str] = "membership_pairs"

    n: int
    q: int
    clusters: int = 2
    classes: int = 2

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of clusters and of classes."""
        return self.clusters, self.classes

    def count(self) -> int:
        """C(R + n - 1, n), R the number of joint rows.

        >>> MembershipPairs(2, 3).count()
        36
        """
        rows = sum(
            self.clusters * _bounded(self.q - top, self.clusters - 1, top - 1) for top in range(1, self.q + 1)
        )
        return comb(rows * self.classes + self.n - 1, self.n)

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """All pairs, times q, in blocks of shapes (size, n, clusters) and (size, n, classes).

        >>> U, V = next(MembershipPairs(1, 3).blocks())
        >>> len(U), U[-1].tolist(), V[-1].tolist()
        (8, [[3, 0]], [[0, 3]])
        """
        untied = without_ties(grid_rows(self.clusters, self.q))
        yield from pairs_of_memberships(untied, self.q * np.eye(self.classes, dtype=np.int64), self.n)


def _bounded(total: int, parts: int, cap: int) -> int:
    """Number of compositions of a total into parts between 0 and a cap, by inclusion-exclusion."""
    if parts == 0:
        return int(total == 0)
    return sum(
        (-1) ** t * comb(parts, t) * comb(total - t * (cap + 1) + parts - 1, parts - 1)
        for t in range(parts + 1)
        if total >= t * (cap + 1)
    )
