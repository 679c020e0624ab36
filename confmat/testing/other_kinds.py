"""Indices of membership matrices, of true classes and scores, and of points and their labels."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat.indices.soft import one_hot
from confmat.testing.claims import FEWEST, WITHOUT_EQUAL, Subject, degenerate, exchange, in_columns, shown
from confmat.testing.findings import Claim, Fault, UndefinedCase
from confmat.testing.kinds import (
    OfCrisp,
    small_tables,
    table_of_labelings,
)
from confmat.testing.small import score_tables, set_partitions, spelled_out
from confmat.testing.strategies import memberships


@dataclass(frozen=True)
class OfMemberships(OfCrisp):
    """An index of two membership matrices; crisp ones stand for their labelings, others for what they share."""

    takes = "memberships"
    most_objects = 12
    not_for = Subject.not_for

    def small(self) -> Iterator[Any]:
        """Crisp clusterings, one pair of each orbit, and all of up to two objects with memberships 0, 1/2, 1."""
        for table in small_tables(self.wishes, classifier=False, representatives=True):
            yield self.of_labels(*spelled_out(table))
        rows = np.array([[1.0, 0], [0.5, 0.5], [0, 1.0]])
        for n in range(self.wishes.min_n, 3):
            sides = [rows[list(index)] for index in np.ndindex(*[3] * n)]
            yield from ((U, V) for U in sides for V in sides)

    @property
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        n = st.integers(self.wishes.min_n, self.wishes.max_n)
        clusters = st.integers(1, min(4, self.wishes.max_clusters))

        def two(size: tuple[int, int, int]) -> SearchStrategy[Any]:
            total, k, l = size
            return st.tuples(
                memberships(n=total, clusters=k),
                memberships(n=total, clusters=k if self.wishes.square else l),
            )

        return [st.tuples(n, clusters, clusters).flatmap(two)]

    def table(self, case: Any) -> np.ndarray:
        """The objects by their pairs of rows: one cluster for each row that differs."""
        a, b = ([repr(row) for row in U.tolist()] for U in case)
        return table_of_labelings(a, b, False)

    def of_labels(self, a: Sequence[int], b: Sequence[int]) -> Any:
        return one_hot("labels", list(a)), one_hot("labels", list(b))

    def unchanged(self) -> Iterator[Claim]:
        def small_names() -> Iterator[Any]:
            for case in self.small():
                for side in (0, 1):
                    k = case[side].shape[1]
                    yield from ((case, side, exchange(k, i)) for i in range(k - 1))

        def judge_clusters(example: Any) -> Fault | None:
            case, side, order = example
            case_renamed = [*case]
            case_renamed[side] = case[side][:, order]
            return self.compare(case, tuple(case_renamed))

        yield self.any_order()
        yield self.alike("names", small_names, OfMemberships.renamed, judge_clusters)

    def renamed(self, case: Any) -> SearchStrategy[Any]:
        """The case, a side, and an order of its clusters."""
        by_side = [st.permutations(range(U.shape[1])) for U in case]
        sides = [st.tuples(st.just(case), st.just(side), order) for side, order in enumerate(by_side)]
        return st.one_of(sides)

    def identity(self, identity: Any) -> Claim:
        """Reflexivity: soft indices may have the value of equal memberships elsewhere, too."""

        def judge(case: Any) -> Fault | None:
            U = case[0]
            return self.expect((U, U.copy()), identity, "that of equal memberships", self.tolerance)

        return self.claim(
            "identity", self.small, self.equal, judge, lambda case: [(case[0], case[0])], kinds=FEWEST
        )


@dataclass(frozen=True)
class OfScores(Subject):
    """An index of true classes 0 and 1 and of scores: of the table of classes by levels of the score."""

    takes = defined_on = "scores"
    most_objects = 40
    not_for = (*Subject.not_for, "other_input")

    def small(self) -> Iterator[Any]:
        for n in range(self.wishes.min_n, self.wishes.n + 1):
            yield from map(scored, score_tables(n))

    @property
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        score = st.integers(-8, 8).map(lambda k: k / 8)
        pairs = st.tuples(st.integers(0, 1), score)
        lists = st.lists(pairs, min_size=self.wishes.min_n, max_size=self.wishes.max_n)
        return [lists.map(in_columns)]

    @property
    def equal(self) -> Sequence[SearchStrategy[Any]]:
        return [cases.map(lambda case: (case[0], [float(y) for y in case[0]])) for cases in self.drawn]

    def table(self, case: Any) -> np.ndarray:
        return table_of_labelings(case[0], case[1], False)

    def of_definitions(self, case: Any) -> tuple[Any, ...]:
        return case

    def exchanged(self, case: Any) -> Any:
        """The classes exchanged, and so the scores: what was high is low."""
        return [1 - y for y in case[0]], [-x for x in case[1]]

    def coincide(self, case: Any) -> bool:
        """Whether every object of class 1 has a higher score than every one of class 0."""
        by_class = [[x for y, x in zip(*case) if y == kind] for kind in (0, 1)]
        if not all(by_class):
            raise UndefinedCase(shown(case), "has one class")
        return max(by_class[0]) < min(by_class[1])

    def unchanged(self) -> Iterator[Claim]:
        yield self.any_order()
        # A rising function of the scores: only their order matters.
        yield self.claim(
            "monotone",
            self.small,
            self.drawn,
            lambda x: self.compare(x, (x[0], [x * abs(x) * 3 + x for x in x[1]])),
        )


def scored(table: np.ndarray) -> Any:
    """Classes and scores with this table of classes by levels.

    >>> scored(np.array([[1, 0], [1, 1]]))
    ([0, 1, 1], [0.0, 0.0, 0.5])
    """
    truth, levels = spelled_out(table)
    return list(truth), [level / 2 for level in levels]


# Points of the small cases: no three on a line, no two distances alike, so that no index meets a tie.
_PLACES = np.array([[0.0, 0.0], [1.0, 0.3], [0.2, 2.1], [3.4, 1.7], [2.6, 4.5], [5.9, 0.8], [4.1, 6.3]])


@dataclass(frozen=True)
class OfPoints(Subject):
    """An internal index: of points, one in a row, and the labels of their clusters."""

    takes = "points"
    most_objects = 40
    not_for = (*Subject.not_for, "other_input", "symmetric", "identity")

    def small(self) -> Iterator[Any]:
        """All clusterings of a few fixed points."""
        for n in range(self.wishes.min_n, min(self.wishes.n, len(_PLACES)) + 1):
            for labels in set_partitions(n):
                if max(labels) < self.wishes.max_clusters:
                    yield _PLACES[:n].copy(), list(labels)

    @property
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        max_clusters = self.wishes.max_clusters
        coordinate = st.integers(-64, 64).map(lambda k: k / 8)
        rows = st.tuples(coordinate, coordinate, st.integers(0, max_clusters - 1))
        min_n = self.wishes.min_n
        max_n = self.wishes.max_n
        lists = st.lists(rows, min_size=min_n, max_size=max_n, unique_by=lambda row: row[:2])

        def in_columns(rows: list[tuple[float, float, int]]) -> tuple[np.ndarray, list[int]]:
            points = np.array([row[:2] for row in rows])
            labels = [row[2] for row in rows]
            return points, labels

        return [lists.map(in_columns)]

    @property
    def equal(self) -> Sequence[SearchStrategy[Any]]:
        return self.drawn

    def table(self, case: Any) -> np.ndarray:
        """The clusters against one another: their sizes on the diagonal."""
        return table_of_labelings(case[1], case[1], False)

    def kind(self, case: Any) -> str | None:
        return degenerate(self.table(case), WITHOUT_EQUAL)

    @property
    def kinds_alike(self) -> Collection[str]:
        return WITHOUT_EQUAL

    def unchanged(self) -> Iterator[Claim]:
        def small_names() -> Iterator[Any]:
            for case in self.small():
                labels = sorted(set(case[1]))
                yield case, dict(zip(labels, reversed(labels)))
                yield case, {label: 10 * label + 3 for label in labels}

        def judge_names(example: Any) -> Fault | None:
            (points, labels), name = example
            return self.compare(
                (points, labels),
                (points, [name[label] for label in labels]),
            )

        yield self.any_order()
        yield self.alike("names", small_names, OfPoints.renamed, judge_names)

    def renamed(self, case: Any) -> SearchStrategy[Any]:
        """The case, and new names of its labels."""
        labels = sorted(set(case[1]))
        names_anew = st.permutations(labels).map(lambda names: dict(zip(labels, names)))
        return st.tuples(st.just(case), names_anew)
