"""Claims about a pair of memberships U and V, rows of Fractions: each says why it fails there, or None where it holds.

>>> hard, soft = [Fraction(0), Fraction(1)], [Fraction(1, 3), Fraction(2, 3)]
>>> not_reflexive("campello_rand")([hard, soft], [hard, hard])
'I(U, U) = 3/5 is below I(U, V) = 2/3'
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

from confmat import indices
from confmat.classes.memberships import MembershipRows

SoftClaim = Callable[[MembershipRows, MembershipRows], str | None]


def of_hard_classes(fault: SoftClaim) -> SoftClaim:
    """The same claim about those pairs only whose V is hard.

    >>> half, whole = [Fraction(1, 2)] * 2, [Fraction(1), Fraction(0)]
    >>> never = of_hard_classes(lambda U, V: "never")
    >>> never([half], [half]), never([half], [whole])
    (None, 'never')
    """

    def fault_at_hard_v(U: MembershipRows, V: MembershipRows) -> str | None:
        is_hard = all(max(row) == 1 for row in V)
        return fault(U, V) if is_hard else None

    return fault_at_hard_v


def sari_exceeds_ari(U: MembershipRows, V: MembershipRows) -> str | None:
    """Says by how much the sARI exceeds the ARI of the modal clusters, where neither side has a tie.

    >>> U = [[Fraction(0), Fraction(1)], [Fraction(1, 3), Fraction(2, 3)], [Fraction(1), Fraction(0)]]
    >>> V = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)], [Fraction(0), Fraction(1)]]
    >>> sari_exceeds_ari(U, V)
    'sARI exceeds the ARI by 9/34'
    """
    modal = []
    for side in (U, V):
        if any(row.count(max(row)) > 1 for row in side):
            return None
        modal.append([row.index(max(row)) for row in side])
    sari = indices.soft.sari(U, V, exact=True, undefined="nan")
    ari = indices.soft.sari(*modal, exact=True, undefined="nan")
    if sari > ari:
        return f"sARI exceeds the ARI by {sari - ari}"
    return None


def ndc_triangle_fails(U: MembershipRows, V: MembershipRows) -> str | None:
    """Says where 1 - NDC of two of U, V, and hard labels or U in reverse, exceeds the sum of the two others.

    >>> U = [[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]]
    >>> ndc_triangle_fails(U, [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]) is None
    True
    """
    hard_rows = [
        [Fraction(1), Fraction(0)],
        [Fraction(0), Fraction(1)],
    ]
    for W in [*product(hard_rows, repeat=len(U)), U[::-1]]:
        distances = []
        for pair in ((U, V), (V, W), (U, W)):
            distances.append(1 - indices.soft.ndc(*pair, exact=True))
        if 2 * max(distances) > sum(distances):
            return f"1 - NDC is {', '.join(map(str, distances))} between three memberships"
    return None


def sari_mean_is_not_zero(U: MembershipRows, V: MembershipRows) -> str | None:
    """Says where the sARI of U and V is not 0 on the average over all orders of the objects.

    >>> hard = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)], [Fraction(0), Fraction(1)]]
    >>> sari_mean_is_not_zero(hard, hard) is None
    True
    """
    values = []
    for order in permutations(V):
        values.append(indices.soft.sari(U, order, exact=True, undefined="nan"))
    mean = sum(values, Fraction(0)) / len(values)
    if mean != mean or set(values) == {1}:  # 0/0; always in agreement
        return None
    if mean:
        return f"the mean sARI over all {len(U)}! orders of the objects is {mean}"
    return None


def not_reflexive(index: str) -> SoftClaim:
    """Says where U is more like V than like itself, by the Rand index of Campello, Frigui or Anderson, or the NDC.

    >>> half = [[Fraction(1, 2)] * 2]
    >>> not_reflexive("frigui_rand")([[Fraction(1), Fraction(0)], *half], [[Fraction(1), Fraction(0)]] * 2) is None
    True
    """

    def fault(U: MembershipRows, V: MembershipRows) -> str | None:
        function = getattr(indices.soft, index)
        of_u = function(U, U, exact=True)
        of_both = function(U, V, exact=True)
        if of_u < of_both:
            return f"I(U, U) = {of_u} is below I(U, V) = {of_both}"
        return None

    return fault


def frigui_is_not_campello(U: MembershipRows, V: MembershipRows) -> str | None:
    """Says where Frigui's pairs are not Campello's with product and sum in place of minimum and maximum.

    >>> half = [[Fraction(1, 2)] * 2] * 2
    >>> frigui_is_not_campello(half, half) is None
    True
    """
    totals = [Fraction(0)] * 4
    for i, j in combinations(range(len(U)), 2):
        in_u = _together_and_apart(U[i], U[j])
        in_v = _together_and_apart(V[i], V[j])
        for k, (degree_in_u, degree_in_v) in enumerate(product(in_u, in_v)):
            totals[k] += degree_in_u * degree_in_v
    pairs = indices.soft.frigui_pairs(U, V, exact=True)
    of_frigui = [pairs.a, pairs.b, pairs.c, pairs.d]
    if totals == of_frigui:
        return None
    return f"Campello's pairs are {totals}, Frigui's {of_frigui}"


def _together_and_apart(u: Sequence[Fraction], v: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """To which degree two objects are in one cluster, and in two."""
    clusters = range(len(u))
    degree_together = sum(u[k] * v[k] for k in clusters)
    degree_apart = sum(u[k] * v[m] for k, m in permutations(clusters, 2))
    return Fraction(degree_together), Fraction(degree_apart)
