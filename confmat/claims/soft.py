"""Claims about soft memberships: sARI against ARI on rational grids, and indices on crisp input."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from confmat.conjectures import Finding, Violation
from confmat.indices.pairs import PairSums
from confmat.validation import as_count


@dataclass(frozen=True)
class MembershipPairs:
    """Pairs (U, V) of n objects: U soft with entries in {0, 1/q, ..., 1} and no tied row, V hard.

    A row is tied when its largest membership is not unique: it has no hard label.  The order of the objects
    does not matter, so a pair is a multiset of n joint rows.

    >>> pairs = MembershipPairs(3, 3, 2, 2)
    >>> pairs.count(), sum(len(U) for U, V in pairs.blocks())
    (120, 120)
    """

    n: int
    q: int
    clusters: int = 2
    classes: int = 2

    def __post_init__(self) -> None:
        for name in ("n", "q", "clusters", "classes"):
            object.__setattr__(self, name, as_count(name, getattr(self, name), 1))

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of clusters and of classes."""
        return self.clusters, self.classes

    def count(self) -> int:
        """C(R + n - 1, n), R the number of joint rows."""
        rows = sum(
            self.clusters * _bounded(self.q - top, self.clusters - 1, top - 1) for top in range(1, self.q + 1)
        )
        return comb(rows * self.classes + self.n - 1, self.n)

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """All pairs, times q, in blocks of shapes (size, n, clusters) and (size, n, classes)."""
        from confmat.studies.soft_grids import grid_rows, pairs_of_memberships

        rows = grid_rows(self.clusters, self.q)
        untied = rows[(rows == rows.max(axis=1, keepdims=True)).sum(axis=1) == 1]
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


def sari_at_most_ari(pairs: MembershipPairs) -> Finding:
    """sARI(U, V) <= ARI(hard U, V) for every pair; the violation shows the pair with the largest excess."""
    from confmat.studies.soft_grids import largest_excess

    visit, covered = hashlib.sha256(), 0
    for U, V in pairs.blocks():
        visit.update(U.astype("<i8").tobytes() + V.astype("<i8").tobytes())
        covered += len(U)
    worst = largest_excess(pairs.n, pairs.q, pairs.clusters, pairs.classes)
    violation = None
    if worst is not None and worst.value > 0:
        text = {name: tuple(tuple(map(str, row)) for row in getattr(worst, name)) for name in ("U", "V")}
        violation = Violation(f"sARI exceeds the ARI by {worst.value}", text)
    return Finding(covered, visit.hexdigest(), violation)


def grids(n: int, shape: tuple[int, int]) -> Iterable[MembershipPairs]:
    """The grids of n objects with denominators 2, 3 and 4."""
    return [MembershipPairs(n, q, *shape) for q in range(2, 5)]


def _labels(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, cols = np.indices(matrix.shape).reshape(2, -1)
    return np.repeat(rows, matrix.ravel()), np.repeat(cols, matrix.ravel())


def ndc_is_rand(matrix: np.ndarray) -> bool:
    """NDC = RI, exactly."""
    from confmat.indices.soft import ndc

    return ndc(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).rand_distance


def aci_is_adjusted_rand(matrix: np.ndarray) -> bool:
    """ACI = ARI, exactly."""
    from confmat.indices.soft import aci

    return aci(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).adjusted_rand_distance
