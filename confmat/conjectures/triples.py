"""Three clusterings of the same points at once: all triples, up to names of the points.

A statistic of two clusterings is the same for all pairs that differ by names of points, so a statement about a triple
needs to know no more than which *kind of pair* each two of its clusterings are: ``Kinds``.  Triples are counted by
Stirling numbers, and what is visited is compared with that.

Chains of refinements: three clusterings, each finer than the next, up to names of the points.

A chain up to names is a list of lists of sizes: of the clusters of a, within those of b, within those of c.

The margins of tables, without the tables.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import comb, factorial, prod
from typing import Any, ClassVar, NamedTuple

import numpy as np

from confmat.classes.matrix_class import Margins
from confmat.classes.of_sizes import OfSizes
from confmat.classes.orbits import Generators
from confmat.classes.tables import Tables
from confmat.conjectures.pair_kinds import pair_kinds, table_of
from confmat.errors import ConsistencyError
from confmat.integers.compositions import partitions

PAIRS_OF_THREE = ("ab", "bc", "ac")
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
    """The clusters of the points 1, 2, ..., between commas where a point has two digits.

    >>> _clusters((0,) * 8 + (1,)), _clusters((0,) * 9 + (1,))
    ('12345678|9', '1,2,3,4,5,6,7,8,9|10')
    """
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
                fixed_points = _fixed_clusterings(cycles)
                repeats = [cycles.count(length) for length in set(cycles)]
                permutations = factorial(self.n) // (prod(cycles) * prod(map(factorial, repeats)))
                for k in self.numbers:
                    permutations *= sum(fixed_points if k is None else fixed_points[k : k + 1])
                total += permutations
        return total // factorial(self.n)

    def kinds(self) -> Kinds:
        """Every combination of kinds of pairs that a triple of the class has: seconds for n = 7, minutes for 8.

        >>> int(Triples(3).kinds().weights.sum())
        125
        """
        pairs = pair_kinds(self.n)
        a, b, c = (pairs.with_clusters(k) for k in self.numbers)
        kinds = len(pairs.tables)
        keys = [np.zeros(0, np.int64)]
        places = [np.zeros((0, 3), np.int64)]
        weights = [np.zeros(0, np.int64)]
        # Of the clusterings b one of each list of sizes is enough.
        firsts, repeats = np.unique(pairs.first_alike[b], return_counts=True)
        for first_kind, times in zip(firsts, repeats):
            ab = pairs.kind[a, first_kind].astype(np.int64)
            ab_and_bc = ab[:, None] * kinds + pairs.kind[first_kind, c]
            every_key = ab_and_bc * kinds + pairs.kind[np.ix_(a, c)]
            of_first, indices, counts = np.unique(every_key, return_index=True, return_counts=True)
            rows, columns = np.divmod(indices, len(c))
            keys.append(of_first)
            places.append(
                np.column_stack(
                    [
                        a[rows],
                        np.full(len(rows), first_kind),
                        c[columns],
                    ]
                )
            )
            weights.append(counts * times)
        triples = pairs.labels[np.concatenate(places)]
        numbers = np.concatenate(weights)
        self._all_visited(int(numbers.sum()))
        kinds_of_pairs = np.column_stack(
            np.unravel_index(
                np.concatenate(keys),
                [kinds] * 3,
            )
        )
        return Kinds(pairs.tables, kinds_of_pairs, numbers, triples)


@lru_cache(maxsize=4096)
def clusterings_count(n: int, k: int | None = None) -> int:
    """Number of clusterings of n points into k clusters, or into any number: Stirling and Bell numbers.

    >>> clusterings_count(5, 2), clusterings_count(5), clusterings_count(0)
    (15, 52, 1)
    """
    if k is None:
        return sum(clusterings_count(n, clusters) for clusters in range(n + 1))
    surjections = 0
    for j in range(k + 1):
        surjections += (-1) ** (k - j) * comb(k, j) * j**n
    return surjections // factorial(k)


@lru_cache(maxsize=1024)
def _fixed_clusterings(cycles: tuple[int, ...]) -> list[int]:
    """How many clusterings with 0, 1, ... clusters a permutation with such cycles leaves as they are.

    Clusters that one cycle carries into each other are d in number, and d divides it; several cycles share them.

    >>> _fixed_clusterings((2, 1))
    [0, 1, 1, 1]
    """
    ways_by_number = [0] * (sum(cycles) + 1)
    if not cycles:
        return [1]
    length = cycles[0]
    rest = cycles[1:]
    for d in (d for d in range(1, length + 1) if length % d == 0):
        # Cycles that join it have lengths that d divides, each in d ways.
        able = [i for i, cycle in enumerate(rest) if cycle % d == 0]
        for chosen_bits in range(2 ** len(able)):
            joined_cycles = {i for bit, i in enumerate(able) if chosen_bits >> bit & 1}
            other_cycles = tuple(cycle for i, cycle in enumerate(rest) if i not in joined_cycles)
            for k, ways in enumerate(_fixed_clusterings(other_cycles)):
                ways_by_number[k + d] += ways * d ** len(joined_cycles)
    return ways_by_number


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
        numbers = [range(self.n + 1) if k is None else [k] for k in self.numbers]
        total = 0
        for r, s, t in product(*numbers):
            total += clusterings_count(self.n, r) * clusterings_count(r, s) * clusterings_count(s, t)
        return total

    def orbits_count(self) -> int:
        """How many there are up to names of the points.

        >>> [Chains(n).orbits_count() for n in range(1, 6)]
        [1, 4, 10, 30, 75]
        """
        return sum(1 for _ in self._forests())

    def _forests(self) -> Iterator[Any]:
        """Sizes of the clusters of a within those of b within those of c, each list in order."""
        for forest in _multisets(self.n, 3):
            clusters_of_b = [b for c in forest for b in c]
            numbers = sum(map(len, clusters_of_b)), len(clusters_of_b), len(forest)
            if all(k in (None, number) for k, number in zip(self.numbers, numbers)):
                yield forest

    def kinds(self) -> Kinds:
        """Every chain up to names of the points, as kinds of pairs.

        >>> Chains(3).kinds().weights.tolist()
        [1, 3, 3, 1, 3, 1, 3, 3, 3, 1]
        """
        tables: dict[bytes, int] = {}
        distinct_tables: list[np.ndarray] = []
        rows = []
        weights = []
        triples = []
        for forest in self._forests():
            labels = _labels(forest)
            kinds = []
            for x, y in ((0, 1), (1, 2), (0, 2)):
                table = table_of(labels[x], labels[y])
                key = bytes(table.shape) + table.tobytes()
                if key not in tables:
                    tables[key] = len(distinct_tables)
                    distinct_tables.append(table)
                kinds.append(tables[key])
            rows.append(kinds)
            weights.append(factorial(self.n) // _automorphisms(forest))
            triples.append(labels)
        self._all_visited(sum(weights))
        return Kinds(
            distinct_tables,
            np.array(rows, np.int64).reshape(len(rows), 3),
            np.array(weights),
            np.array(triples, np.int64).reshape(len(rows), 3, self.n),
        )


@lru_cache(maxsize=256)
def _multisets(total: int, depth: int) -> list[Any]:
    """Lists within lists, ``depth`` deep, whose numbers add up to a total, in order so that no two are alike."""
    if depth == 0:
        return [total] if total else []

    def lists(remainder: int, largest_part: tuple[int, int] | None) -> Iterator[tuple[Any, ...]]:
        if remainder == 0:
            yield ()
        for size in range(min(remainder, largest_part[0]) if largest_part else remainder, 0, -1):
            members = _multisets(size, depth - 1)
            if largest_part and size == largest_part[0]:
                last_place = largest_part[1]
            else:
                last_place = len(members) - 1
            for place in range(last_place, -1, -1):
                for rest in lists(remainder - size, (size, place)):
                    yield (members[place], *rest)

    return list(lists(total, None))


def _automorphisms(forest: Any) -> int:
    """How many orders of the points leave lists within lists of sizes as they are.

    >>> _automorphisms(((2, 2), (1,)))
    8
    """
    if isinstance(forest, int):
        return factorial(forest)
    multiplicities = [forest.count(part) for part in set(forest)]
    return prod(map(factorial, multiplicities)) * prod(map(_automorphisms, forest))


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


@dataclass(frozen=True)
class MarginPairs(OfSizes):
    """All pairs of row sums and column sums of r x s tables of n points without empty lines, in every order.

    >>> MarginPairs(6, 2, 3).count(), len(list(MarginPairs(6, 2, 3).pairs("none")))
    (50, 50)
    """

    n: int
    r: int
    s: int

    KIND = "margins"

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
        return self.r, self.s

    @property
    def symmetry(self) -> Generators:
        """What maps the margins to margins of the same kind: that of the tables."""
        return Tables(self.n, self.r, self.s).symmetry

    def count(self) -> int:
        """How many pairs there are: a composition of n into r parts and one into s.

        >>> MarginPairs(4, 2, 2).count()
        9
        """
        return comb(self.n - 1, self.r - 1) * comb(self.n - 1, self.s - 1)

    def pairs(self, symmetry: str = "none") -> Iterator[Margins]:
        """Pairs that stand for all under a symmetry of tables, and for how many each.

        >>> [tuple(pair) for pair in MarginPairs(4, 2, 2).pairs("permutations")][:2]
        [((3, 1), (3, 1), 4), ((3, 1), (2, 2), 2)]
        """
        return Tables(self.n, self.r, self.s).margins(symmetry)
