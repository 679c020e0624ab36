"""Three clusterings of the same points at once: all triples, up to names of the points.

A statistic of two clusterings is the same for all pairs that differ by names of points, so a statement about a triple
needs to know no more than which *kind of pair* each two of its clusterings are: ``Kinds``.  Triples are counted by
Stirling numbers, and what is visited is compared with that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial, prod
from typing import ClassVar, NamedTuple

import numpy as np

from confmat.classes.of_sizes import OfSizes
from confmat.classes.pair_kinds import pair_kinds
from confmat.classes.partitions import partitions
from confmat.errors import ConsistencyError

PAIRS = ("ab", "bc", "ac")
"""The pairs of a triple, in the order in which kinds are given."""


class Triple(NamedTuple):
    """Three clusterings a, b and c of the points 1, 2, ..., as labels.

    >>> print(Triple((0, 0, 1), (0, 1, 1), (0, 1, 2)))
    a = 12|3, b = 1|23, c = 1|2|3
    """

    a: tuple[int, ...]
    b: tuple[int, ...]
    c: tuple[int, ...]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {_clusters(labels)}" for name, labels in zip("abc", self))


def _clusters(labels: tuple[int, ...]) -> str:
    clusters: dict[int, list[str]] = {}
    for point, label in enumerate(labels, start=1):
        clusters.setdefault(label, []).append(str(point))
    return "|".join(("," if len(labels) > 9 else "").join(cluster) for cluster in clusters.values())


@dataclass(frozen=True)
class Kinds:
    """The distinct triples of kinds of pairs: rows of ``kinds`` (ab, bc, ac) name contingency tables in ``tables``.

    ``weights``: how many triples of clusterings are of these kinds; ``triples``: the first of them, labels of a, b, c.
    """

    tables: list[np.ndarray]
    kinds: np.ndarray
    weights: np.ndarray
    triples: np.ndarray

    def triple(self, row: int) -> Triple:
        """The triple of a row."""
        return Triple(*(tuple(labels) for labels in self.triples[row].tolist()))


@dataclass(frozen=True)
class Three(OfSizes, ABC):
    """Triples of clusterings of n points into r, s and t clusters, None for any number."""

    n: int
    r: int | None = None
    s: int | None = None
    t: int | None = None

    LEAST_N: ClassVar[int] = 0

    @property
    def numbers(self) -> tuple[int | None, ...]:
        """Numbers of clusters of a, b and c, None for any."""
        return self.r, self.s, self.t

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of clusters, 0 for any."""
        return tuple(k or 0 for k in self.numbers)

    def __repr__(self) -> str:
        numbers = "".join(f", {name}={k}" for name, k in zip("rst", self.numbers) if k is not None)
        return f"{type(self).__name__}(n={self.n}{numbers})"

    @abstractmethod
    def orbits_count(self) -> int:
        """How many there are up to names of the points.

        >>> Triples(3).orbits_count()
        37
        """

    @abstractmethod
    def kinds(self) -> Kinds:
        """The distinct kinds of pairs of its triples.

        >>> Triples(3).kinds().triple(0)
        Triple(a=(0, 0, 0), b=(0, 0, 0), c=(0, 0, 0))
        """

    def _all_visited(self, found: int) -> None:
        if found != self.count():
            raise ConsistencyError(f"the visit of {self} finds {found} triples, not {self.count()}")

    @abstractmethod
    def count(self) -> int:
        """How many there are, by a closed form.

        >>> Triples(3).count()
        125
        """


@dataclass(frozen=True, repr=False)
class Triples(Three):
    """All triples of clusterings of n points into r, s and t clusters (None: any number): n up to 9.

    Orders of clusters do not count, names of points do: ``count`` is a product of Stirling numbers of the second kind.

    >>> Triples(4).count(), Triples(4).orbits_count(), Triples(4, 2, 2, 2).count()
    (3375, 285, 343)
    """

    KIND = "triples"

    def count(self) -> int:
        """How many triples there are.

        >>> [Triples(n).count() for n in (0, 1, 2, 3)]
        [1, 1, 8, 125]
        """
        return prod(clusterings_count(self.n, k) for k in self.numbers)

    def orbits_count(self) -> int:
        """How many there are up to names of the points, by Burnside's lemma.

        >>> [Triples(n).orbits_count() for n in range(1, 7)]
        [1, 8, 37, 285, 2150, 21205]
        """
        total = 0
        for parts in range(self.n + 1):
            for cycles in partitions(self.n, parts):
                fixed = _fixed_clusterings(cycles)
                alike = [cycles.count(length) for length in set(cycles)]
                permutations = factorial(self.n) // (prod(cycles) * prod(map(factorial, alike)))
                total += permutations * prod(
                    sum(fixed) if k is None else fixed[k] if k < len(fixed) else 0 for k in self.numbers
                )
        return total // factorial(self.n)

    def kinds(self) -> Kinds:
        """Every combination of kinds of pairs that a triple of the class has: seconds for n = 7, minutes for 8.

        >>> int(Triples(3).kinds().weights.sum())
        125
        """
        pairs = pair_kinds(self.n)
        # Of the clusterings b one of each list of sizes is enough.
        a, b, c = (pairs.with_clusters(k) for k in self.numbers)
        parts = []
        for first in sorted({int(pairs.first_alike[i]) for i in b}):
            times = int((pairs.first_alike[b] == first).sum())
            ab, bc = pairs.kind[a, first].astype(np.int64), pairs.kind[first, c]
            keys = (ab[:, None] * len(pairs.tables) + bc) * len(pairs.tables) + pairs.kind[np.ix_(a, c)]
            found, where, counts = np.unique(keys, return_index=True, return_counts=True)
            places = np.column_stack([a[where // len(c)], np.full(len(found), first), c[where % len(c)]])
            parts.append((found, places, counts * times))
        parts = parts or [(np.zeros(0, np.int64), np.zeros((0, 3), np.int64), np.zeros(0, np.int64))]
        keys, places, weights = (np.concatenate(arrays) for arrays in zip(*parts))
        self._all_visited(int(weights.sum()))
        kinds = np.column_stack(np.unravel_index(keys, [len(pairs.tables)] * 3))
        return Kinds(pairs.tables, kinds, weights, pairs.labels[places])


@lru_cache(maxsize=4096)
def clusterings_count(n: int, k: int | None = None) -> int:
    """Number of clusterings of n points into k clusters, or into any number: Stirling and Bell numbers.

    >>> clusterings_count(5, 2), clusterings_count(5), clusterings_count(0)
    (15, 52, 1)
    """
    if k is None:
        return sum(clusterings_count(n, k) for k in range(n + 1))
    return sum((-1) ** (k - j) * comb(k, j) * j**n for j in range(k + 1)) // factorial(k)


@lru_cache(maxsize=1024)
def _fixed_clusterings(cycles: tuple[int, ...]) -> list[int]:
    """How many clusterings with 0, 1, ... clusters a permutation with such cycles leaves as they are.

    Clusters that one cycle carries into each other are d in number, and d divides it; several cycles share them.

    >>> _fixed_clusterings((2, 1))
    [0, 1, 1, 1]
    """
    found = [0] * (sum(cycles) + 1)
    if not cycles:
        return [1]
    length, rest = cycles[0], cycles[1:]
    for d in (d for d in range(1, length + 1) if length % d == 0):
        # Cycles that join it have lengths that d divides, each in d ways.
        able = [i for i, other in enumerate(rest) if other % d == 0]
        for chosen in range(2 ** len(able)):
            joined = {i for bit, i in enumerate(able) if chosen >> bit & 1}
            others = tuple(other for i, other in enumerate(rest) if i not in joined)
            for k, ways in enumerate(_fixed_clusterings(others)):
                found[k + d] += ways * d ** len(joined)
    return found
