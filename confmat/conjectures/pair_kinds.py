"""All clusterings of some points, and which kind each pair of them is: pairs that differ by names are alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from confmat.errors import TooLarge
from confmat.integers.compositions import set_partitions
from confmat.matrices.labels import contingency

MOST_POINTS_OF_PAIRS = 9
"""Points of which all pairs of clusterings are looked at: 21 147 clusterings."""


def clusterings(n: int) -> np.ndarray:
    """All clusterings of n points as labels, each row in order of first appearance, rows in lexicographic order.

    >>> clusterings(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    return np.array(set_partitions(n), np.int8)


@dataclass(frozen=True)
class PairKinds:
    """All clusterings of n points, and of every pair of them which kind it is."""

    n: int

    @cached_property
    def labels(self) -> np.ndarray:
        return clusterings(self.n)

    @cached_property
    def codes(self) -> np.ndarray:
        return self._code(self.labels)

    def _code(self, labels: np.ndarray) -> np.ndarray:
        """A number for every row of labels, in lexicographic order."""
        return labels.astype(np.int64) @ (self.n + 1) ** np.arange(self.n)[::-1]

    def places(self, labels: np.ndarray) -> np.ndarray:
        """Which clustering rows of labels of any names are."""
        named_labels = np.empty_like(labels)
        names = np.full((len(labels), self.n + 1), -1, np.int8)
        fresh = np.zeros(len(labels), np.int8)
        rows = np.arange(len(labels))
        for point in range(self.n):
            labels_here = labels[:, point]
            is_new = names[rows, labels_here] < 0
            names[rows[is_new], labels_here[is_new]] = fresh[is_new]
            fresh += is_new
            named_labels[:, point] = names[rows, labels_here]
        return np.searchsorted(self.codes, self._code(named_labels))

    def with_clusters(self, k: int | None) -> np.ndarray:
        """Places of the clusterings with k clusters."""
        number = self.labels.max(axis=1, initial=-1) + 1
        if k is not None:
            return np.flatnonzero(number == k)
        return np.arange(len(number))

    @cached_property
    def orders(self) -> np.ndarray:
        """For each clustering the points by the sizes of their clusters, largest first, cluster by cluster."""
        labels = self.labels.astype(np.int64)
        sizes = (labels[:, :, None] == np.arange(self.n)).sum(axis=1)
        sizes_of_own = np.take_along_axis(sizes, labels, axis=1)
        return np.argsort(-sizes_of_own * self.n + labels, axis=1, kind="stable")

    @cached_property
    def first_alike(self) -> np.ndarray:
        """For each clustering the place of the one with the same sizes whose points are in that order."""
        return self.places(np.take_along_axis(self.labels, self.orders, axis=1))

    @cached_property
    def _known(self) -> tuple[np.ndarray, list[np.ndarray]]:
        """The kind of every pair, and a table of each kind."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        number_of_clusterings = len(self.labels)
        tables: list[np.ndarray] = []
        of_first: dict[int, np.ndarray] = {}
        for clustering in np.unique(self.first_alike).tolist():
            swaps = [self.places(self.labels[:, order]) for order in _generators(self.labels[clustering])]
            edges = np.concatenate([np.arange(number_of_clusterings)] * len(swaps)), np.concatenate(swaps)
            graph = coo_array(
                (np.ones(len(edges[0]), bool), edges),
                shape=(number_of_clusterings, number_of_clusterings),
            )
            number, kind = connected_components(graph, directed=False)
            of_first[clustering] = kind + len(tables)
            for component in range(number):
                tables.append(
                    table_of(
                        self.labels[clustering],
                        self.labels[(kind == component).argmax()],
                    )
                )
        kinds = np.empty((number_of_clusterings, number_of_clusterings), np.int16)
        for place, (clustering, order) in enumerate(zip(self.first_alike.tolist(), self.orders)):
            kinds[place] = of_first[clustering][self.places(self.labels[:, order])]
        return kinds, tables

    @property
    def kind(self) -> np.ndarray:
        return self._known[0]

    @property
    def tables(self) -> list[np.ndarray]:
        return self._known[1]


@lru_cache(maxsize=2)
def pair_kinds(n: int) -> PairKinds:
    if n > MOST_POINTS_OF_PAIRS:
        raise TooLarge(
            f"n must be at most {MOST_POINTS_OF_PAIRS} for all triples of clusterings to be visited, got {n}"
        )
    return PairKinds(n)


def _generators(labels: np.ndarray) -> list[np.ndarray]:
    """Orders of the points, the identity among them, that generate all that leave a sorted clustering as it is."""
    identity = np.arange(len(labels))
    members = [np.flatnonzero(labels == k) for k in range(max(labels, default=-1) + 1)]
    swaps = [pair for cluster in members for pair in pairwise(cluster[:, None])]
    swaps += [(x, y) for x, y in pairwise(members) if len(x) == len(y)]
    orders = [identity]
    for x, y in swaps:
        orders.append(identity.copy())
        orders[-1][np.concatenate([x, y])] = np.concatenate([y, x])
    return orders


def table_of(x: Any, y: Any) -> np.ndarray:
    """The contingency table of two clusterings with labels 0, 1, ...; of no points one empty cell.

    >>> table_of([0, 0, 1], [0, 1, 1]).tolist(), table_of([], []).tolist()
    ([[1, 1], [0, 1]], [[0]])
    """
    if not len(x):
        return np.zeros((1, 1), np.int64)
    return np.asarray(contingency(x, y, sparse=False))
