"""What a predicate answers over a class, counted by (m, {A, B}, P): evidence that any enumerator can find again.

``m`` = n MED; A and B are the numbers of pairs of points together in a row and in a column, the smaller one first, P
that of pairs in a cell.  How a class is walked, in which order and under which symmetry, leaves these counts unchanged.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from math import factorial, prod
from typing import Any

import numpy as np

from confmat.certificates import standalone
from confmat.classes.symmetry import PERMUTATIONS, as_symmetry
from confmat.engine.grouping import groups
from confmat.engine.tablewise import CHUNK, Chunk, pair_sums
from confmat.errors import TooLarge

# Tables that the second enumerator visits at most: it is plain Python, and takes a microsecond or two for each.
MOST_WALKED = 2 * 10**8


class Outcomes:
    """The number of members by (m, {A, B}, P, outcome), gathered from tables in any order.

    >>> outcomes = Outcomes()
    >>> outcomes.add(np.array([[[2, 0], [0, 1]], [[1, 1], [1, 0]]]), np.array([4, 4]), np.array([1, 1]))
    >>> outcomes.counts
    {(0, 1, 1, 1, 1): 4, (1, 1, 1, 0, 1): 4}
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[int, ...], int] = defaultdict(int)

    def add(self, tables: np.ndarray, copies: np.ndarray, outcomes: np.ndarray) -> None:
        """Tables (N x r x s), the number of members that each stands for, and 0 or 1 for each."""
        m, *pairs, p = pair_sums(tables).T
        keys, order, starts = groups(np.column_stack([m, np.sort(pairs, axis=0).T, p, outcomes]))
        weights = np.add.reduceat(copies.astype(object)[order], starts)
        for key, weight in zip(map(tuple, keys.tolist()), weights.tolist()):
            self._counts[key] += weight

    @property
    def counts(self) -> dict[tuple[int, ...], int]:
        """The members with each (m, smaller of A and B, larger, P, outcome), sorted."""
        return dict(sorted(self._counts.items()))

    @property
    def covered(self) -> int:
        """Number of members."""
        return sum(self._counts.values())

    @property
    def digest(self) -> str:
        """SHA-256 of the lines "m A B P outcome count", sorted."""
        lines = (f"{' '.join(map(str, key))} {count}\n" for key, count in self.counts.items())
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def second_walk(matrices: Any, symmetry: str) -> Iterator[Chunk] | None:
    """Tables that stand for a class (N x r x s) and for how many members, by the enumerator of ``standalone``.

    It shares no code with the engine's.  Free lines are exchanged where ``symmetry`` allows that.  None for a class
    that it does not know; TooLarge, before any work, beyond ``MOST_WALKED`` tables.

    >>> from confmat.classes import Tables
    >>> [(tables.shape, int(copies.sum())) for tables, copies in second_walk(Tables(6, 3, 3), "permutations")]
    [((60, 3, 3), 1038)]
    """
    try:
        other = standalone.Class(_plain(matrices.to_json()))
    except standalone.Unreadable:
        return None
    exchange = as_symmetry(symmetry) >= PERMUTATIONS
    free = [k for k, x in ((other.r, other.rows), (other.s, other.cols)) if exchange and x is None]
    about = matrices.count() // prod(map(factorial, free))
    if about > MOST_WALKED:
        raise TooLarge(f"{matrices!r} has too many members for a second walk: about {about:.2g} tables")
    return _chunks(other.tables(exchange))


def _plain(spec: Any) -> Any:
    return {key: list(x) if isinstance(x, tuple) else x for key, x in spec.items()}


def _chunks(tables: Iterator[tuple[Any, int]]) -> Iterator[Chunk]:
    while some := list(islice(tables, CHUNK)):
        found, weights = zip(*some)
        yield np.array(found, np.int64), np.array(weights, object)
