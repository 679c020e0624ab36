"""Indices of tables and of labelings for `check_metric`: of two clusterings, or of true and predicted classes."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from math import inf
from string import ascii_lowercase
from time import process_time
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat.contingency.labels import contingency_matrix
from confmat.contingency.matrix import dense
from confmat.contingency.texts import matrix_text
from confmat.indices.classification import confusion_matrix
from confmat.testing.arguments import MOST_CLUSTERS
from confmat.testing.claims import (
    FEWEST,
    WITHOUT_ONE_SIDE,
    Subject,
    Wishes,
    are_equal,
    exchange,
    shown,
)
from confmat.testing.corners import corner_tables
from confmat.testing.draws import draw_partition, draw_table
from confmat.testing.findings import Claim, Fault
from confmat.testing.small import (
    all_tables,
    by_appearance,
    classifier_matrices,
    classifier_orbits,
    orbits,
    set_partitions,
    spelled_out,
)
from confmat.testing.strategies import labeling_pairs, worst_tables

# Largest number of classes of enumerated confusion matrices.  Random ones have more.
_MOST_CLASSES = 3
_FEW = 24

# Longer labelings are displayed as their table.
_MOST_SHOWN = 60

# Numbers of labels for a comparison with a reference, at which narrow integer types can overflow. Labelings that are
# longer than _ALWAYS_TRIED are left out if they would take more than _PATIENCE seconds.
_LONG_LABELS = (300, 1_000, 3_000, 10_000, 30_000, 70_000)
_ALWAYS_TRIED = 1_000
_PATIENCE = 10.0

PairOfLabelings = tuple[list[Any], list[Any]]

LABELS = ("any", "ints")  # any: also texts and negative numbers


def small_tables(wishes: Wishes, classifier: bool, representatives: bool = False) -> Iterator[np.ndarray]:
    """Yield all tables of up to ``wishes.every`` objects, then one table of each orbit of up to ``wishes.n`` objects.

    With ``representatives`` only one table of each orbit is yielded for every number of objects. Tables of a
    classifier are confusion matrices.
    """
    for n in range(1, wishes.n + 1):
        yield from tables_of_total(n, classifier, representatives or n > wishes.every)


def tables_of_total(n: int, classifier: bool, representatives: bool) -> Iterator[np.ndarray]:
    """Yield all tables of n objects, or one table of each orbit if ``representatives``.

    Tables have at most ``MOST_CLUSTERS`` rows and columns. For a classifier they are confusion matrices with at
    most 3 classes.
    """
    if classifier:
        matrices_of_classes = classifier_orbits if representatives else classifier_matrices
        for k in range(1, _MOST_CLASSES + 1):
            yield from matrices_of_classes(n, k)
        return
    for table in orbits(n) if representatives else all_tables(n):
        if max(table.shape) <= MOST_CLUSTERS:
            yield table


@lru_cache(64)
def random_tables(classifier: bool, largest: int) -> SearchStrategy[Any]:
    """Return a strategy for tables with a total of up to ``largest``.

    In a table of a classifier each class has objects, in its row or in its column.
    """

    def completed(table: np.ndarray) -> np.ndarray:
        table = table.copy()
        for k in range(len(table)):
            if not table[k].any() and not table[:, k].any():
                table[k, k] = 1
        return table

    side = min(MOST_CLUSTERS, largest)
    if classifier:
        return draw_table(largest=largest, max_side=side, nonempty=False, square=True).map(completed)
    return draw_table(largest=largest, max_side=side).map(np.ascontiguousarray)


@dataclass(frozen=True)
class OfCrisp(Subject):
    """Index of two labelings or their table, or of true and predicted classes if ``classifier``."""

    classifier: bool = False

    def other_input(self, other_index: Callable[..., Any]) -> Claim:
        """Return the `Claim` that the index equals ``other_index``, a function of the other input.

        The other input is labels for an index of tables, and tables for an index of labels.
        """

        def judge(pair: Any) -> Fault | None:
            a, b = map(list, pair)
            words = f"that of the labels {a} and {b}"
            return self.expect(
                self.of_labels(a, b),
                other_index(a, b),
                words,
            )

        return self.claim(
            "other input",
            self.pairs,
            [self.random_pairs()],
            judge,
            lambda x: [self.of_labels(*x)],
        )

    @property
    def kinds_alike(self) -> Collection[str]:
        """Kinds of degenerate inputs at which another order of objects or other labels may change the value."""
        return FEWEST if self.classifier else WITHOUT_ONE_SIDE

    @property
    def worst(self) -> Sequence[SearchStrategy[Any]]:
        """Strategies for inputs close to those with the largest distances."""
        max_n = self.wishes.max_n
        if self.classifier or max_n < 8:
            return []
        sides = st.tuples(*[st.integers(1, 3)] * 2)
        tables = worst_tables(n=st.integers(4, min(max_n, 1 + _FEW)), shape=sides)
        return [tables.map(lambda table: self.of_labels(*spelled_out(table)))]

    def pairs(self) -> Iterator[Any]:
        """Yield two labelings for each orbit of small tables."""
        return map(spelled_out, small_tables(self.wishes, self.classifier, representatives=True))

    def random_pairs(self) -> SearchStrategy[Any]:
        """Return a strategy for two labelings."""
        return random_pairs(self.classifier, 1 + _FEW)

    def corner_tables(self, max_n: int, most_clusters: int) -> Iterator[np.ndarray]:
        """Yield the edge cases with at most ``max_n`` objects and ``most_clusters`` clusters."""
        for table in corner_tables():
            square = table.shape[0] == table.shape[1]
            is_small = max(table.shape) <= most_clusters and table.sum() <= max_n
            if is_small and (square or not self.classifier):
                yield table


@dataclass(frozen=True)
class OfTables(OfCrisp):
    """Index of a contingency table, or of a confusion matrix if ``classifier``."""

    takes = "table"
    most_objects = 10**6
    may_be_large = True

    def small(self) -> Iterator[Any]:
        """Yield all small tables."""
        return small_tables(self.wishes, self.classifier)

    def corners(self, max_n: int, most_clusters: int) -> Iterator[Any]:
        """Yield the edge cases."""
        return self.corner_tables(max_n, most_clusters)

    @property
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        """Strategies for random tables."""
        return [random_tables(self.classifier, self.wishes.max_n)]

    @property
    def equal(self) -> Sequence[SearchStrategy[Any]]:
        """Strategies for tables of two equal clusterings."""
        parts = st.integers(1, min(4, self.wishes.max_n))
        return [draw_partition(parts=parts, largest=self.wishes.max_n).map(np.diag)]

    def given(self, case: Any) -> tuple[Any, ...]:
        """Return a copy of the table with the same memory layout."""
        return (case.copy("K"),)

    def table(self, case: Any) -> np.ndarray:
        """Return the table."""
        return case

    def size(self, case: Any) -> int:
        """Return the total of the table."""
        return int(case.sum())

    def of_labels(self, a: Sequence[int], b: Sequence[int]) -> Any:
        """Return the table of two labelings."""
        return _known_table(tuple(a), tuple(b), self.classifier)

    def exchanged(self, case: Any) -> Any:
        """Return the transpose."""
        return np.ascontiguousarray(case.T)

    def coincide(self, case: Any) -> bool:
        """Return whether the two clusterings are equal, or all predictions are right."""
        return is_diagonal(case) if self.classifier else are_equal(case)

    def held_otherwise(self, case: Any) -> Iterator[tuple[str, Any]]:
        """Yield the table in Fortran order and, for two clusterings, with an empty row or column."""
        yield "held by columns", np.asfortranarray(case)
        if not self.classifier and max(case.shape) < MOST_CLUSTERS:
            yield "with an empty row", np.vstack([case, np.zeros_like(case[:1])])
            yield "with an empty column", np.hstack([case, np.zeros_like(case[:, :1])])
            yield "with an empty row and column", np.pad(case, (0, 1))

    def unchanged(self) -> Iterator[Claim]:
        """Yield the `Claim` that the order of rows and columns does not change the value."""

        def small() -> Iterator[tuple[np.ndarray, np.ndarray]]:
            for table in self.small():
                for orders in exchanges(table.shape, self.classifier):
                    yield table, table[np.ix_(*orders)]

        yield self.alike("order", small, OfTables.reordered)

    def reordered(self, case: np.ndarray) -> SearchStrategy[Any]:
        """Return a strategy for pairs of a table and the same table in another order of rows and columns."""
        rows, cols = (st.permutations(range(k)) for k in case.shape)
        if self.classifier:
            orders = rows.map(lambda order: (order, order))
        else:
            orders = st.tuples(rows, cols)
        return orders.map(lambda both: (case, case[np.ix_(*both)]))


@dataclass(frozen=True)
class OfLabels(OfCrisp):
    """Index of two labelings, or of true and predicted classes if ``classifier``.

    ``words`` is "ints" if all labels are integers, "any" if they may have any type.
    """

    takes = "labels"
    most_objects = 300

    words: str = "any"

    def small(self) -> Iterator[Any]:
        """Yield all small pairs of labelings, in order of size."""
        for n in range(1, self.wishes.n + 1):
            if n > self.wishes.every or self.classifier:
                for table in tables_of_total(n, self.classifier, n > self.wishes.every):
                    yield self.of_labels(*spelled_out(table))
                continue
            for a in set_partitions(n):
                for b in set_partitions(n):
                    if max(*a, *b) < MOST_CLUSTERS:
                        yield self.of_labels(a, b)

    @property
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        """Strategies for random pairs of labelings."""
        few_labels = min(self.wishes.max_n, 1 + _FEW)
        # One in four pairs may be long: these take most of the time.
        pairs = random_pairs(self.classifier, few_labels, few_labels, few_labels, self.wishes.max_n)
        return [pairs.map(lambda pair: self.of_labels(*pair))]

    def corners(self, max_n: int, most_clusters: int) -> Iterator[Any]:
        """Yield the labels of the edge cases, also with negative labels if these are accepted."""
        for table in self.corner_tables(min(max_n, self.wishes.max_n), most_clusters):
            pair = spelled_out(table)
            yield self.of_labels(*pair)
            if self.words == "any" and most_clusters > MOST_CLUSTERS:
                yield tuple([label - 1 for label in side] for side in pair)

    def long(self, max_n: int) -> Iterator[Any]:
        """Yield labelings of increasing length, until the next one would take too long if time grows quadratically.

        The forecast is from the fastest one. A pause in one of them, such as a compilation, does not end the list.
        """
        rate = inf  # seconds divided by the square of the length
        for n in _LONG_LABELS:
            if n > max_n or (n > _ALWAYS_TRIED and rate * n**2 > _PATIENCE):
                return
            begun = process_time()
            yield self.of_length(n)
            rate = min(rate, (process_time() - begun) / n**2)

    def of_length(self, n: int) -> Any:
        """Return two labelings of n objects, half of which are in the first cluster of both."""
        cells = [(0, 0)] * (n // 2)
        cells += [(0, 1)] * (n // 4)
        cells += [(1, 0)] * (n // 8)
        cells += [(1, 1)] * (n - len(cells))
        return self.of_labels(*zip(*cells))

    def given(self, case: Any) -> tuple[Any, ...]:
        """Return copies of the two labelings."""
        return tuple(map(list, case))

    def text(self, case: Any) -> str:
        """Return an input as text: the labels, or their table if they are many."""
        if self.size(case) <= _MOST_SHOWN:
            return shown(case)
        return f"labels of {len(case[0])} objects with the table {matrix_text(self.table(case))}"

    def table(self, case: Any) -> np.ndarray:
        """Return the table of the two labelings."""
        return table_of_labelings(case[0], case[1], self.classifier)

    def of_labels(self, a: Sequence[int], b: Sequence[int]) -> Any:
        """Return two labelings as lists."""
        return list(a), list(b)

    def coincide(self, case: Any) -> bool:
        """Return whether the two partitions are equal, or all predictions are right."""
        if self.classifier:
            return case[0] == case[1]
        return are_equal(self.table(case))

    def unchanged(self) -> Iterator[Claim]:
        """Yield two `Claim` objects: the order of the objects, and the names of the labels, do not change the value."""
        yield self.any_order()
        yield self.alike("names", self.small_names, OfLabels.renamed)

    def small_names(self) -> Iterator[tuple[PairOfLabelings, PairOfLabelings]]:
        """Yield examples of renamed clusters: a small pair of labelings, and the same pair with other labels."""
        for n in range(1, self.wishes.n + 1):
            for table in tables_of_total(n, self.classifier, True):
                pair = self.of_labels(*spelled_out(table))
                yield from ((pair, renamed(pair, names)) for names in self.renamings(table.shape))
            if n > self.wishes.every or self.classifier:
                continue
            for table in tables_of_total(n, False, False):
                a, b = spelled_out(table)
                # The clusters of b in order of their first objects are a small input.
                if (numbered_anew := by_appearance(b)) != b:
                    yield self.of_labels(a, numbered_anew), self.of_labels(a, b)

    def _new_names(self, names_before: list[Any]) -> SearchStrategy[dict[Any, Any]]:
        """Return a strategy for dictionaries from old to new labels: permutations of the old ones, or strings."""
        names_anew = st.permutations(names_before)
        if self.words == "any":
            names_anew |= st.permutations(letters(range(len(names_before))))
        return names_anew.map(lambda names: dict(zip(names_before, names)))

    def renamed(self, pair: PairOfLabelings) -> SearchStrategy[Any]:
        """Return a strategy for a pair of labelings together with the same pair under other names."""
        a, b = pair
        if self.classifier:
            names = self._new_names(sorted({*a, *b})).map(lambda both: (both, both))
        else:
            names = st.tuples(*(self._new_names(sorted(set(side))) for side in pair))
        return names.map(lambda both: (pair, renamed(pair, both)))

    def renamings(self, shape: tuple[int, int]) -> Iterator[tuple[dict[Any, Any], dict[Any, Any]]]:
        """Yield pairs of dictionaries from old to new labels, one for each partition.

        First the order of the labels changes: all permutations for the classes of a classifier, the reverse order
        for clusters. Then the labels become other integers and, if labels may have any type, strings. If they may
        be negative, the first cluster becomes -1, as for noise. Finally labels become integers of mixed sign and
        size (1, -20, 400, ...).
        """
        names_before = [list(range(k)) for k in shape]
        if self.classifier:
            name_maps = (
                dict(zip(names_before[0], names_anew)) for names_anew in permutations(names_before[0])
            )
            yield from ((names, names) for names in name_maps)
        else:
            yield tuple(dict(zip(side, reversed(side))) for side in names_before)  # type: ignore[misc]
        yield tuple({x: 10 * x + 3 for x in side} for side in names_before)  # type: ignore[misc]
        if self.words == "any":
            yield tuple(dict(zip(side, letters(side))) for side in names_before)  # type: ignore[misc]
            yield tuple({x: x - 1 for x in side} for side in names_before)  # type: ignore[misc]
            yield tuple({x: (-20) ** x for x in side} for side in names_before)  # type: ignore[misc]

    def other_input(self, other_index: Callable[..., Any]) -> Claim:
        """Return the `Claim` that the index equals ``other_index``, a function of the table of the two labelings."""

        def judge(pair: Any) -> Fault | None:
            table = self.table(pair)
            return self.expect(
                pair,
                other_index(table),
                f"that of the table {matrix_text(table)}",
            )

        return self.claim("other input", self.small, self.drawn[:1], judge)


# --- cases ----------------------------------------------------------------------------------------


def renamed(pair: PairOfLabelings, names: Sequence[dict[Any, Any]]) -> PairOfLabelings:
    """Return two labelings with new labels. ``names`` has a dictionary from old to new labels for each labeling.

    >>> renamed(([0, 1], [0, 0]), ({0: "b", 1: "a"}, {0: 5}))
    (['b', 'a'], [5, 5])
    """
    a, b = ([name[label] for label in labels] for labels, name in zip(pair, names))
    return a, b


def table_of_labelings(a: Sequence[Any], b: Sequence[Any], classifier: bool) -> np.ndarray:
    """Return the contingency table of two labelings, or for a classifier the confusion matrix of all labels of both.

    >>> table_of_labelings([0, 0, 1], [1, 1, 1], True).tolist()
    [[0, 2], [0, 1]]
    """
    if not classifier:
        return np.asarray(contingency_matrix(a, b, sparse=False))
    return dense(confusion_matrix(a, b))


# Cached, because every pair occurs in many triples and chains of small clusterings.
_known_table = lru_cache(10**4)(table_of_labelings)


def is_diagonal(table: np.ndarray) -> bool:
    """Return whether all cells off the diagonal are 0."""
    return bool(np.count_nonzero(table) == np.count_nonzero(table.diagonal()))


def exchanges(shape: tuple[int, int], simultaneous: bool) -> Iterator[tuple[list[int], list[int]]]:
    """Yield orders of rows and of columns that exchange two adjacent rows or two adjacent columns.

    These exchanges generate all permutations. If ``simultaneous``, the rows i and i + 1 and the columns i and i + 1
    are exchanged together.

    >>> list(exchanges((1, 3), simultaneous=False))
    [([0], [1, 0, 2]), ([0], [0, 2, 1])]
    """
    rows, cols = (list(range(k)) for k in shape)
    for i in range(shape[0] - 1):
        order = exchange(shape[0], i)
        yield order, order if simultaneous else cols
    if not simultaneous:
        yield from ((rows, exchange(shape[1], j)) for j in range(shape[1] - 1))


def letters(labels: Sequence[Any]) -> list[str]:
    """Return a list of strings, one for each small integer: a, b, ..., z, then za, zb, ...

    >>> letters([0, 1, 26])
    ['a', 'b', 'za']
    """
    return ["z" * (k // 26) + ascii_lowercase[k % 26] for k in labels]


@lru_cache(64)
def random_pairs(classifier: bool, *bounds: int) -> SearchStrategy[Any]:
    """Return a strategy for two labelings of at most ``bounds[i]`` objects, where i is drawn uniformly.

    Each cluster has objects. For a classifier, both labelings have the same set of labels, of which some may not
    occur.
    """
    length_bound = st.sampled_from(bounds)

    @st.composite
    def draw_pair(draw: Callable[[SearchStrategy[Any]], Any]) -> PairOfLabelings:
        n = draw(st.integers(1, draw(length_bound)))
        clusters = st.integers(1, min(n, MOST_CLUSTERS))
        k = draw(clusters)
        l = k if classifier else draw(clusters)
        return draw(labeling_pairs(n=n, clusters=(k, l), nonempty=not classifier))

    return draw_pair()
