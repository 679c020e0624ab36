"""Chains of refinements: three clusterings, each finer than the next, up to names of the points.

A chain up to names is a list of lists of sizes: of the clusters of a, within those of b, within those of c.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.classes.pair_kinds import table_of
from confmat.classes.triples import Kinds, Three, clusterings_count


@dataclass(frozen=True, repr=False)
class Chains(Three):
    """All chains of refinements of n points: a refines b, b refines c, with r >= s >= t clusters (None: any number).

    >>> Chains(4).count(), Chains(4).orbits_count(), Chains(4, 4, 2, 1).count()
    (154, 30, 7)
    """

    KIND = "chains"

    def count(self) -> int:
        """How many chains there are: clusters of a are put together to b, and those of b to c.

        >>> [Chains(n).count() for n in (0, 1, 2, 3)]
        [1, 1, 4, 22]
        """
        every = range(self.n + 1)
        return sum(
            clusterings_count(self.n, r) * clusterings_count(r, s) * clusterings_count(s, t)
            for r in (every if self.r is None else [self.r])
            for s in (every if self.s is None else [self.s])
            for t in (every if self.t is None else [self.t])
        )

    def orbits_count(self) -> int:
        """How many there are up to names of the points.

        >>> [Chains(n).orbits_count() for n in range(1, 6)]
        [1, 4, 10, 30, 75]
        """
        return sum(1 for _ in self._forests())

    def _forests(self) -> Iterator[Any]:
        """Sizes of the clusters of a within those of b within those of c, each list in order."""
        for forest in _multisets(self.n, 3):
            counts = (sum(len(b) for c in forest for b in c), sum(map(len, forest)), len(forest))
            if all(k in (None, found) for k, found in zip(self.numbers, counts)):
                yield forest

    def kinds(self) -> Kinds:
        """Every chain up to names of the points, as kinds of pairs.

        >>> Chains(3).kinds().weights.tolist()
        [1, 3, 3, 1, 3, 1, 3, 3, 3, 1]
        """
        tables: dict[bytes, int] = {}
        held: list[np.ndarray] = []
        rows, weights, triples = [], [], []
        for forest in self._forests():
            labels = _labels(forest)
            kinds = []
            for x, y in ((0, 1), (1, 2), (0, 2)):
                table = table_of(labels[x], labels[y])
                key = bytes(table.shape) + table.tobytes()
                if key not in tables:
                    tables[key] = len(held)
                    held.append(table)
                kinds.append(tables[key])
            rows.append(kinds)
            weights.append(factorial(self.n) // _automorphisms(forest))
            triples.append(labels)
        self._all_visited(sum(weights))
        return Kinds(
            held,
            np.array(rows, np.int64).reshape(-1, 3),
            np.array(weights),
            np.array(triples, np.int64).reshape(-1, 3, self.n),
        )


@lru_cache(maxsize=256)
def _multisets(total: int, depth: int) -> list[Any]:
    """Lists within lists, ``depth`` deep, whose numbers add up to a total, in order so that no two are alike."""
    if depth == 0:
        return [total] if total else []

    def lists(left: int, most: tuple[int, int] | None) -> Iterator[tuple[Any, ...]]:
        if left == 0:
            yield ()
        for size in range(min(left, most[0]) if most else left, 0, -1):
            members = _multisets(size, depth - 1)
            last = most[1] if most and size == most[0] else len(members) - 1
            for place in range(last, -1, -1):
                for rest in lists(left - size, (size, place)):
                    yield (members[place], *rest)

    return list(lists(total, None))


def _automorphisms(forest: Any) -> int:
    """How many orders of the points leave lists within lists of sizes as they are.

    >>> _automorphisms(((2, 2), (1,)))
    8
    """
    if isinstance(forest, int):
        return factorial(forest)
    alike = [forest.count(part) for part in set(forest)]
    return prod(map(factorial, alike)) * prod(map(_automorphisms, forest))


def _labels(forest: Any) -> list[list[int]]:
    """Labels of a, b and c for a chain given by sizes within clusters within clusters."""
    labels: list[list[int]] = [[], [], []]
    used = [0, 0]
    for c, clusters in enumerate(forest):
        for sizes in clusters:
            for size in sizes:
                for names, label in zip(labels, (used[0], used[1], c)):
                    names += [label] * size
                used[0] += 1
            used[1] += 1
    return labels
