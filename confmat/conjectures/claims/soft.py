"""Claims about soft memberships: sARI against ARI on rational grids, and indices on crisp input."""

import hashlib
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np

from confmat import indices
from confmat.conjectures.checking import Finding, Violation
from confmat.conjectures.claims.membership_grids import MembershipPairs
from confmat.conjectures.claims.soft_grids import largest_excess
from confmat.indices.pairs import PairSums

Rows = list[list[Fraction]]


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


def every_pair(
    broken: Callable[[Rows, Rows], str | None],
) -> Callable[[MembershipPairs], Finding]:
    """A claim about each pair of membership matrices, given as rows of Fractions; ``broken`` says why one fails.

    >>> every_pair(lambda U, V: None)(MembershipPairs(2, 3)).covered
    36
    """

    def claim(pairs: MembershipPairs) -> Finding:
        visit, covered = hashlib.sha256(), 0
        for blocks in pairs.blocks():
            for u, v in zip(*blocks):
                visit.update(u.astype("<i8").tobytes() + v.astype("<i8").tobytes())
                covered += 1
                U, V = ([[Fraction(x, sum(row)) for x in row] for row in w.tolist()] for w in (u, v))
                if reason := broken(U, V):
                    text = {
                        name: tuple(tuple(map(str, row)) for row in w) for name, w in (("U", U), ("V", V))
                    }
                    return Finding(covered, visit.hexdigest(), Violation(reason, text))
        return Finding(covered, visit.hexdigest(), None)

    return claim


def ndc_triangle_fails(U: Rows, V: Rows) -> str | None:
    """Says where 1 - NDC of two of U, V, and hard labels or U in reverse, exceeds the sum of the two others.

    >>> U = [[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]]
    >>> ndc_triangle_fails(U, [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]) is None
    True
    """
    hard_rows = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    thirds = [list(rows) for rows in product(hard_rows, repeat=len(U))]
    for W in [*thirds, U[::-1]]:
        pairs = ((U, V), (V, W), (U, W))
        distances = [1 - indices.soft.ndc(*pair, exact=True) for pair in pairs]
        if 2 * max(distances) > sum(distances):
            return f"1 - NDC is {', '.join(map(str, distances))} between three memberships"
    return None


def sari_mean_is_not_zero(U: Rows, V: Rows) -> str | None:
    """Says where the sARI of U and V is not 0 on the average over all orders of the objects.

    >>> hard = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)], [Fraction(0), Fraction(1)]]
    >>> sari_mean_is_not_zero(hard, hard) is None
    True
    """
    n = len(U)
    values = [indices.soft.sari(U, [V[i] for i in order], exact=True, undefined="nan") for order in orders(n)]
    mean = sum(values, Fraction(0)) / len(values)
    if mean != mean or set(values) == {1}:  # 0/0; always in agreement
        return None
    return f"the mean sARI over all {n}! orders of the objects is {mean}" if mean else None


def orders(n: int) -> list[tuple[int, ...]]:
    """All orders of so many objects.

    >>> orders(2)
    [(0, 1), (1, 0)]
    """
    return list(permutations(range(n)))


def not_reflexive(index: str) -> Callable[[Rows, Rows], str | None]:
    """Says where U is more like V than like itself, by the Rand index of Campello, Frigui or Anderson, or the NDC.

    >>> half = [[Fraction(1, 2)] * 2]
    >>> not_reflexive("frigui_rand")([[Fraction(1), Fraction(0)], *half], [[Fraction(1), Fraction(0)]] * 2) is None
    True
    """

    def broken(U: Rows, V: Rows) -> str | None:
        function = getattr(indices.soft, index)
        own, other = function(U, U, exact=True), function(U, V, exact=True)
        return f"I(U, U) = {own} is below I(U, V) = {other}" if own < other else None

    return broken


def frigui_is_not_campello(U: Rows, V: Rows) -> str | None:
    """Says where Frigui's pairs are not Campello's with product and sum in place of minimum and maximum.

    >>> half = [[Fraction(1, 2)] * 2] * 2
    >>> frigui_is_not_campello(half, half) is None
    True
    """
    ours: tuple[Fraction, ...] = (Fraction(0),) * 4
    for i, j in combinations(range(len(U)), 2):
        degrees = []
        for W in (U, V):
            together = sum((x * y for x, y in zip(W[i], W[j])), Fraction(0))
            apart = sum(
                (x * y for k, x in enumerate(W[i]) for m, y in enumerate(W[j]) if k != m), Fraction(0)
            )
            degrees.append((together, apart))
        (s, d), (t, e) = degrees
        ours = tuple(x + y for x, y in zip(ours, (s * t, s * e, d * t, d * e)))
    found = indices.soft.frigui_pairs(U, V, exact=True)
    theirs = (found.a, found.b, found.c, found.d)
    return None if ours == theirs else f"Campello's pairs are {ours}, Frigui's {theirs}"


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
    return indices.soft.ndc(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).rand_distance


def sari_is_adjusted_rand(matrix: np.ndarray) -> bool:
    """sARI = ARI, exactly.

    >>> sari_is_adjusted_rand(np.array([[3, 1], [0, 2]]))
    True
    """
    return indices.soft.sari(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).adjusted_rand_distance


def aci_is_adjusted_rand(matrix: np.ndarray) -> bool:
    """ACI = ARI, exactly.

    >>> aci_is_adjusted_rand(np.array([[3, 1], [0, 2]]))
    True
    """
    return indices.soft.aci(*_labels(matrix), exact=True) == 1 - PairSums.of(matrix).adjusted_rand_distance
