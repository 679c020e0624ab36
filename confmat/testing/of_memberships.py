"""Indices of two membership matrices, for `check_metric`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat.indices.soft import one_hot
from confmat.testing.claims import FEWEST, exchange
from confmat.testing.findings import Claim, Fault
from confmat.testing.kinds import (
    OfCrisp,
    small_tables,
    table_of_labelings,
)
from confmat.testing.small import spelled_out
from confmat.testing.strategies import memberships


@dataclass(frozen=True)
class OfMemberships(OfCrisp):
    """Index of two membership matrices.

    The table of an input counts each different row of memberships as a cluster. For crisp memberships it is the
    contingency table.
    """

    takes = "memberships"
    most_objects = 12

    def small(self) -> Iterator[Any]:
        """Yield a pair of crisp clusterings for each orbit of small tables.

        Then yield all pairs of membership matrices of one or two objects and two clusters, with memberships 0, 1/2
        and 1.
        """
        for table in small_tables(self.wishes, classifier=False, representatives=True):
            yield self.of_labels(*spelled_out(table))
        rows = np.array([[1.0, 0], [0.5, 0.5], [0, 1.0]])
        for n in (1, 2):
            sides = [rows[list(index)] for index in np.ndindex(*[3] * n)]
            yield from ((U, V) for U in sides for V in sides)

    @property
    def drawn(self) -> Sequence[SearchStrategy[Any]]:
        """Strategies for random pairs of membership matrices."""
        n = st.integers(1, self.wishes.max_n)
        clusters = st.integers(1, 4)

        def two(size: tuple[int, int, int]) -> SearchStrategy[Any]:
            total, k, l = size
            return st.tuples(
                memberships(n=total, clusters=k),
                memberships(n=total, clusters=l),
            )

        return [st.tuples(n, clusters, clusters).flatmap(two)]

    def table(self, case: Any) -> np.ndarray:
        """Return a contingency table of the objects, in which each different row of memberships counts as a cluster."""
        a, b = ([repr(row) for row in U.tolist()] for U in case)
        return table_of_labelings(a, b, False)

    def of_labels(self, a: Sequence[int], b: Sequence[int]) -> Any:
        """Return two labelings as one-hot matrices."""
        return one_hot("labels", list(a)), one_hot("labels", list(b))

    def unchanged(self) -> Iterator[Claim]:
        """Yield two `Claim` objects: the orders of the objects and of the clusters do not change the value."""

        def small_names() -> Iterator[Any]:
            for case in self.small():
                for side in (0, 1):
                    k = case[side].shape[1]
                    yield from ((case, renamed_side(case, side, exchange(k, i))) for i in range(k - 1))

        yield self.any_order()
        yield self.alike("names", small_names, OfMemberships.renamed)

    def renamed(self, case: Any) -> SearchStrategy[Any]:
        """Return a strategy for examples of renamed clusters.

        An example is a pair of membership matrices, and the same pair with the columns of one matrix in another
        order.
        """
        changes = []
        for side, U in enumerate(case):
            orders = st.permutations(range(U.shape[1]))
            changes.append(orders.map(partial(renamed_side, case, side)))
        return st.one_of(changes).map(lambda image: (case, image))

    def identity(self, identity: Any) -> Claim:
        """Return the `Claim` that equal memberships have the value ``identity``. Other memberships may also have it."""

        def judge(case: Any) -> Fault | None:
            U = case[0]
            return self.expect((U, U.copy()), identity, "that of equal memberships")

        return self.claim(
            "identity", self.small, self.equal, judge, lambda case: [(case[0], case[0])], kinds=FEWEST
        )


def renamed_side(case: Any, side: int, order: Sequence[int]) -> tuple[np.ndarray, ...]:
    """Return a pair of membership matrices with the columns of one matrix in another order.

    ``side`` is the index of this matrix, 0 or 1.
    """
    image = list(case)
    image[side] = case[side][:, order]
    return tuple(image)
