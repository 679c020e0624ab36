"""Claims about soft memberships: sARI against ARI on rational grids, and indices on crisp input."""

import hashlib
from collections.abc import Iterable

import numpy as np

from confmat.conjectures.checking import Finding, Violation
from confmat.conjectures.claims.membership_grids import MembershipPairs
from confmat.conjectures.claims.soft_grids import largest_excess
from confmat.indices.pairs import PairSums


def sari_at_most_ari(pairs: MembershipPairs) -> Finding:
    """sARI(U, V) <= ARI(hard U, V) for every pair; the violation shows the pair with the largest excess.

    >>> sari_at_most_ari(MembershipPairs(3, 2, 2, 2)).violation is None
    True
    >>> sari_at_most_ari(MembershipPairs(3, 3, 2, 2)).violation.detail
    'sARI exceeds the ARI by 9/34'
    """
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
    """The grids of n objects with denominators 2, 3 and 4.

    >>> [(pairs.n, pairs.q) for pairs in grids(3, (2, 2))]
    [(3, 2), (3, 3), (3, 4)]
    """
    return [MembershipPairs(n, q, *shape) for q in range(2, 5)]


def _labels(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, cols = np.indices(matrix.shape).reshape(2, -1)
    return np.repeat(rows, matrix.ravel()), np.repeat(cols, matrix.ravel())


def ndc_is_rand(matrix: np.ndarray) -> bool:
    """NDC = RI, exactly.

    >>> ndc_is_rand(np.array([[3, 1], [0, 2]]))
    True
    """
    from confmat.indices.soft import ndc

    return ndc(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).rand_distance


def aci_is_adjusted_rand(matrix: np.ndarray) -> bool:
    """ACI = ARI, exactly.

    >>> aci_is_adjusted_rand(np.array([[3, 1], [0, 2]]))
    True
    """
    from confmat.indices.soft import aci

    return aci(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).adjusted_rand_distance
