"""Indices of tables and of labels: of two clusterings, or of a classifier."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from string import ascii_lowercase
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat.matrices.labels import contingency
from confmat.testing.claims import Subject, Wishes, are_equal
from confmat.testing.draws import draw_partition, draw_table
from confmat.testing.findings import Claim, Fault
from confmat.testing.moves import Symmetry, symmetries
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

# Tables of small cells, then large ones: sought apart, small examples first.
_SIZES = ("small", "small sparse", "ones sparse"), ("large",)

# All confusion matrices of so many classes are looked at; more classes are drawn.
_MOST_CLASSES = 3
_FEW = 24

# Kept, because Hypothesis checks every new strategy before it draws from it.
_exchanges_of = lru_cache(64)(symmetries)

Pair = tuple[list[Any], list[Any]]


def small_tables(wishes: Wishes, classifier: bool, representatives: bool = False) -> Iterator[np.ndarray]:
    """The tables of up to n objects; above ``every``, or if only ``representatives`` are wanted, one of each orbit."""
    for n in range(wishes.min_objects, wishes.n + 1):
        one_each = representatives or n > wishes.every
        if not classifier:
            found = orbits(n) if one_each else all_tables(n)
        else:
            listed = classifier_orbits if one_each else classifier_matrices
            found = (x for k in range(1, _MOST_CLASSES + 1) for x in listed(n, k))
        yield from filter(wishes.admits, found)


def random_tables(
    wishes: Wishes, classifier: bool, sizes: tuple[str, ...], largest: int
) -> SearchStrategy[Any]:
    """Tables as they are admitted, with a total of up to ``largest``."""

    def completed(table: np.ndarray) -> np.ndarray:
        table = table.copy()
        for k in range(len(table)):
            if classifier and not table[k].any() and not table[:, k].any():
                table[k, k] = 1  # a class is true or predicted somewhere
        table.flat[0] += max(0, wishes.min_objects - int(table.sum()))
        return table

    square = wishes.square or classifier
    options: dict[str, Any] = {"square": True} if square else {}
    side = min(wishes.max_clusters, largest)
    return draw_table(largest=largest, sizes=sizes, max_side=side, nonempty=not classifier, **options).map(
        completed
    )


@dataclass(frozen=True)
class OfCrisp(Subject):
    """An index of what two labelings can be made into; of true and predicted classes if ``classifier``."""

    classifier: bool = False

    def other_input(self, other: Callable[..., Any]) -> Claim:
        def judge(pair: Any) -> Fault | None:
            a, b = map(list, pair)
            said = f"that of the labels {a} and {b}"
            return self.expect(self.of_labels(a, b), other(a, b), said, self.tolerance)

        return self.claim(
            "other input", self.pairs, [self.random_pairs()], judge, lambda x: [self.of_labels(*x)]
        )

    def pairs(self) -> Iterator[Any]:
        """Two labelings for each orbit."""
        return map(spelled_out, small_tables(self.wishes, self.classifier, representatives=True))

    def random_pairs(self) -> SearchStrategy[Any]:
        return random_pairs(self.wishes, self.classifier, self.wishes.min_objects + _FEW)


@dataclass(frozen=True)
class OfTables(OfCrisp):
    """An index of a contingency table, or of a confusion matrix if ``classifier``."""

    def small(self) -> Iterator[Any]:
        return small_tables(self.wishes, self.classifier)

    @property
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        return [
            random_tables(self.wishes, self.classifier, sizes, self.wishes.max_objects) for sizes in _SIZES
        ]

    @property
    def equal(self) -> Sequence[SearchStrategy[Any]]:
        least = self.wishes.min_objects
        parts = st.integers(1, min(4, self.wishes.max_clusters, self.wishes.max_objects))

        def diagonal(sizes: tuple[int, ...]) -> np.ndarray:
            return np.diag([sizes[0] + max(0, least - sum(sizes)), *sizes[1:]])

        return [
            draw_partition(parts=parts, largest=self.wishes.max_objects, sizes=x).map(diagonal)
            for x in _SIZES
        ]

    @property
    def worst(self) -> Sequence[SearchStrategy[Any]]:
        w = self.wishes
        most = min(3, w.max_clusters)
        if self.classifier or w.square or w.max_objects < max(8, w.min_objects):
            return []
        sides = st.tuples(st.integers(1, most), st.integers(1, most))
        return [
            worst_tables(
                n=st.integers(max(4, w.min_objects), min(w.max_objects, w.min_objects + 24)), shape=sides
            )
        ]

    def call(self, function: Callable[..., Any], case: Any) -> Any:
        return function(case)

    def table(self, case: Any) -> np.ndarray:
        return case

    def size(self, case: Any) -> int:
        return int(case.sum())

    def of_labels(self, a: Sequence[int], b: Sequence[int]) -> Any:
        return _known_table(tuple(a), tuple(b), self.classifier)

    def exchanged(self, case: Any) -> Any:
        return np.ascontiguousarray(case.T)

    def coincide(self, case: Any) -> bool:
        return is_diagonal(case) if self.classifier else are_equal(case)

    def unchanged(self) -> Iterator[Claim]:
        def small() -> Iterator[tuple[np.ndarray, Symmetry]]:
            for table in self.small():
                yield from ((table, move) for move in exchanges(table.shape, self.classifier))

        def moved(table: np.ndarray) -> SearchStrategy[Any]:
            options = {"simultaneous": True} if self.classifier else {"transpose": False}
            return st.tuples(st.just(table), _exchanges_of(table.shape, **options))

        drawn = [cases.flatmap(moved) for cases in self.drawn]
        yield self.claim(
            "order",
            small,
            drawn,
            lambda x: self.compare(x[0], np.ascontiguousarray(x[1](x[0]))),
            lambda x: [x[0]],
            equal=not self.classifier,
        )


@dataclass(frozen=True)
class OfLabels(OfTables):
    """An index of two labelings, true and predicted classes if ``classifier``; ``words``: what labels it takes."""

    words: str = "any"

    def small(self) -> Iterator[Any]:
        for n in range(self.wishes.min_objects, self.wishes.n + 1):
            if n > self.wishes.every or self.classifier:
                only = replace(self.wishes, n=n, min_objects=n)
                yield from (
                    self.of_labels(*spelled_out(table)) for table in small_tables(only, self.classifier)
                )
            else:
                pairs = ((a, b) for a in set_partitions(n) for b in set_partitions(n))
                yield from (
                    self.of_labels(a, b) for a, b in pairs if self.wishes.admits(table_of(a, b, False))
                )

    @property
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        few = min(self.wishes.max_objects, self.wishes.min_objects + _FEW)
        sizes = dict.fromkeys([few, self.wishes.max_objects])
        return [
            random_pairs(self.wishes, self.classifier, most).map(lambda x: self.of_labels(*x))
            for most in sizes
        ]

    @property
    def equal(self) -> Sequence[SearchStrategy[Any]]:
        return [cases.map(lambda pair: (pair[0], list(pair[0]))) for cases in self.drawn]

    @property
    def worst(self) -> Sequence[SearchStrategy[Any]]:
        return [cases.map(lambda t: self.of_labels(*spelled_out(t))) for cases in super().worst]

    call, size, exchanged = Subject.call, Subject.size, Subject.exchanged

    def table(self, case: Any) -> np.ndarray:
        return table_of(case[0], case[1], self.classifier)

    def of_labels(self, a: Sequence[int], b: Sequence[int]) -> Any:
        return (named(a), named(b)) if self.words == "strings" else (list(a), list(b))

    def coincide(self, case: Any) -> bool:
        return case[0] == case[1] if self.classifier else are_equal(self.table(case))

    def unchanged(self) -> Iterator[Claim]:
        def small_orders() -> Iterator[Any]:
            for pair in self.small():
                n = len(pair[0])
                yield from ((pair, exchange(n, i)) for i in range(n - 1))

        def reordered(pair: Pair) -> SearchStrategy[Any]:
            return st.tuples(st.just(pair), st.permutations(range(len(pair[0]))))

        def judge_order(example: Any) -> Fault | None:
            pair, order = example
            other = tuple([labels[i] for i in order] for labels in pair)
            if not self.classifier:
                # With the labels numbered anew it is a small case, too: if it has the same value, so had this.
                usual = self.of_labels(*(by_appearance(labels) for labels in other))
                if self.outcome(usual).value == self.outcome(pair).value is not None:
                    return None
            return self.compare(pair, other)

        def small_names() -> Iterator[Any]:
            for n in range(self.wishes.min_objects, self.wishes.n + 1):
                only = replace(self.wishes, n=n, min_objects=n)
                for table in small_tables(only, self.classifier, representatives=True):
                    pair = self.of_labels(*spelled_out(table))
                    yield from ((pair, *names) for names in self.renamings(table.shape))
                if n <= self.wishes.every and not self.classifier:
                    yield from all_names(only)

        def all_names(only: Wishes) -> Iterator[Any]:
            """Every way to number the clusters, beside that by first appearance, which is a small case."""
            for table in small_tables(only, False):
                a, b = spelled_out(table)
                if (first := by_appearance(b)) != b:
                    one, two = self.of_labels(a, first), self.of_labels(a, b)
                    yield one, *(dict(zip(old, new)) for old, new in zip(one, two))

        def renamed(pair: Pair) -> SearchStrategy[Any]:
            old = [sorted(set(pair[0]) | set(pair[1] if self.classifier else [])), sorted(set(pair[1]))]
            kinds = [st.permutations(x) for x in old] + [st.permutations(named(range(len(x)))) for x in old]
            one, two = (st.one_of(kinds[k::2] if self.words == "any" else kinds[k : k + 1]) for k in (0, 1))
            both = one.map(lambda names: (names, names)) if self.classifier else st.tuples(one, two)
            return both.map(
                lambda names: (
                    pair,
                    *(dict(zip(x, y)) for x, y in zip([old[0], old[not self.classifier]], names)),
                )
            )

        def judge_names(example: Any) -> Fault | None:
            pair, *names = example
            return self.compare(pair, tuple([name[x] for x in labels] for labels, name in zip(pair, names)))

        drawn, degenerate_if = self.drawn, {"equal": not self.classifier}
        first = [cases.flatmap(reordered) for cases in drawn]
        yield self.claim("order", small_orders, first, judge_order, lambda x: [x[0]], **degenerate_if)
        second = [cases.flatmap(renamed) for cases in drawn]
        yield self.claim("names", small_names, second, judge_names, lambda x: [x[0]], **degenerate_if)

    def renamings(self, shape: tuple[int, int]) -> Iterator[tuple[dict[Any, Any], dict[Any, Any]]]:
        """New names for both sides: of classes in all orders, else reversed; others, unless refused.

        Of "any" kind: text, a first cluster -1 as of noise, and numbers of mixed sign and magnitude (1, -20, 400, ..).
        """
        old = [self.of_labels(range(k), range(k))[0] for k in shape]
        if self.classifier:
            alike = (dict(zip(old[0], new)) for new in permutations(old[0]))
            yield from ((names, names) for names in alike)
        else:
            yield tuple(dict(zip(side, reversed(side))) for side in old)  # type: ignore[misc]
        if self.words != "strings":
            yield tuple({x: 10 * x + 3 for x in side} for side in old)  # type: ignore[misc]
        if self.words == "any":
            yield tuple(dict(zip(side, named(side))) for side in old)  # type: ignore[misc]
            yield tuple({x: x - 1 for x in side} for side in old)  # type: ignore[misc]
            yield tuple({x: (-20) ** x for x in side} for side in old)  # type: ignore[misc]

    def other_input(self, other: Callable[..., Any]) -> Claim:
        def judge(pair: Any) -> Fault | None:
            table = self.table(pair)
            return self.expect(pair, other(table), f"that of the table {table.tolist()}", self.tolerance)

        return self.claim("other input", self.small, self.drawn[:1], judge)


# --- cases ----------------------------------------------------------------------------------------


def table_of(a: Sequence[Any], b: Sequence[Any], classifier: bool) -> np.ndarray:
    """The table of two labelings; if ``classifier`` a square one, of all labels of both.

    >>> table_of([0, 0, 1], [1, 1, 1], True).tolist()
    [[0, 2], [0, 1]]
    """
    if not classifier:
        return np.asarray(contingency(a, b, sparse=False))
    number = {label: k for k, label in enumerate(sorted({*a, *b}))}
    table = np.zeros((len(number), len(number)), np.int64)
    np.add.at(table, ([number[x] for x in a], [number[x] for x in b]), 1)
    return table


# Of the triples and chains of small clusterings every pair comes many times.
_known_table = lru_cache(10**4)(table_of)


def is_diagonal(table: np.ndarray) -> bool:
    return bool(np.count_nonzero(table) == np.count_nonzero(table.diagonal()))


def exchange(lines: int, i: int) -> list[int]:
    """The order with i and i + 1 exchanged.

    >>> exchange(3, 1)
    [0, 2, 1]
    """
    order = list(range(lines))
    order[i : i + 2] = order[i + 1], order[i]
    return order


def exchanges(shape: tuple[int, int], simultaneous: bool) -> Iterator[Symmetry]:
    """Exchanges of neighbouring lines, which make all permutations.

    >>> [move.cols for move in exchanges((1, 3), simultaneous=False)]
    [(1, 0, 2), (0, 2, 1)]
    """
    rows, cols = (tuple(range(k)) for k in shape)
    for i in range(shape[0] - 1):
        swapped = tuple(exchange(shape[0], i))
        yield Symmetry(swapped, swapped if simultaneous else cols)
    if not simultaneous:
        yield from (Symmetry(rows, tuple(exchange(shape[1], j))) for j in range(shape[1] - 1))


def named(labels: Sequence[Any]) -> list[str]:
    """Text for small whole numbers: a, b, ..., z, then za, zb, ...

    >>> named([0, 1, 26])
    ['a', 'b', 'za']
    """
    return ["z" * (k // 26) + ascii_lowercase[k % 26] for k in labels]


def random_pairs(wishes: Wishes, classifier: bool, most: int) -> SearchStrategy[Any]:
    """Two labelings of up to ``most`` objects, each cluster used; of a classifier labels of one set, used or not."""

    @st.composite
    def draw_pair(draw: Callable[[SearchStrategy[Any]], Any]) -> Pair:
        n = draw(st.integers(wishes.min_objects, max(most, wishes.min_objects)))
        clusters = st.integers(1, min(n, wishes.max_clusters))
        k = draw(clusters)
        l = k if wishes.square or classifier else draw(clusters)
        return draw(labeling_pairs(n=n, clusters=(k, l), nonempty=not classifier))

    return draw_pair()
