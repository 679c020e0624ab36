"""The mean of the normalised degree of concordance over all relabelings, without permutations.

Statement `ndc-mean`: let e_i and f_j be the similarities of the m pairs of objects in two soft clusterings. The mean
    NDC over all m! permutations of the pairs is 1 - (1/m^2) sum |e_i - f_j|.
Statement `ndc-crisp`: the normalised degree of concordance of two crisp clusterings is the Rand index.
Statement `aci-crisp`: the adjusted concordance index of two crisp clusterings is the adjusted Rand index.

Two soft clusterings of n objects give m = n(n-1)/2 similarities of pairs each, e_1..e_m and f_1..f_m in [0, 1], and
NDC = 1 - (1/m) sum_i |e_i - f_i|.  The adjusted concordance index divides by the mean of the NDC when e is permuted
uniformly among its m! orders.  That mean is
    1 - (1/m^2) sum_{i,j} |e_i - f_j|.

Proof.  By linearity, the mean of |e_pi(i) - f_i| is (1/m) sum_j |e_j - f_i|, since pi(i) takes every value equally
often, (m-1)! times.  Average over i.  QED

Crisp clusterings (e, f in {0, 1}, A and B of them 1, P common): (1/m) sum |e_i - f_i| = (A + B - 2P)/M = RD, so
NDC = RI; the mean is 1 - (A(M-B) + B(M-A))/M^2 = 1 - E, so ACI = (NDC - (1-E))/(1 - (1-E)) = 1 - RD/E = ARI.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations

import sympy as sp

from confmat.indices.soft import aci, expected_ndc, ndc
from proofs import require, require_equal
from proofs.soft_null_moments import random_rows

# Amodio et al. (2015), the example of four objects: printed 0.6367, 0.6972, -0.200.
U = [["0.29", "0.71"], ["0.79", "0.21"], ["0.41", "0.59"], ["0.88", "0.12"]]
V = [["0.94", "0.06"], ["0.05", "0.95"], ["0.53", "0.47"], ["0.89", "0.11"]]


def equivalences(memberships: list[list[Fraction]]) -> list[Fraction]:
    """Return 1 - (1/2) sum_k |u_ik - u_jk| for all pairs i < j."""
    return [
        1 - sum((abs(x - y) for x, y in zip(u, v)), Fraction(0)) / 2
        for i, v in enumerate(memberships)
        for u in memberships[:i]
    ]


def mean_by_permutations(e: list[Fraction], f: list[Fraction]) -> Fraction:
    """Return the mean of the NDC over every order of e."""
    m = len(e)
    values = [1 - sum(abs(x - y) for x, y in zip(order, f)) / m for order in permutations(e)]
    return sum(values, Fraction(0)) / len(values)


def mean_by_formula(e: list[Fraction], f: list[Fraction]) -> Fraction:
    """Return 1 - (1/m^2) sum |e_i - f_j|."""
    return 1 - sum((abs(x - y) for x in e for y in f), Fraction(0)) / len(e) ** 2


def verify() -> str:
    """Check all orders for small m, the printed example, and the algebra of crisp clusterings."""
    rng = random.Random(1)
    for n, clusters, times in [(2, 2, 20), (3, 2, 20), (3, 3, 20), (4, 2, 8), (4, 3, 8)]:
        for _ in range(times):
            first, second = (random_rows(rng, n, clusters, 12) for _ in range(2))
            e, f = equivalences(first), equivalences(second)
            mean = mean_by_permutations(e, f)
            require(mean == mean_by_formula(e, f), f"the mean for {e}, {f}")
            require(mean == expected_ndc(first, second, exact=True), f"expected_ndc for {first}, {second}")
    first, second = ([[Fraction(x) for x in row] for row in side] for side in (U, V))
    e, f = equivalences(first), equivalences(second)
    mean, observed = mean_by_permutations(e, f), 1 - sum(abs(x - y) for x, y in zip(e, f)) / 6
    example = observed, mean, (observed - mean) / (1 - mean)
    rounded = [round(float(x), 4) for x in example]
    require(rounded == [0.6367, 0.6972, -0.2], f"the printed example: {rounded}")
    computed = tuple(index(first, second, exact=True) for index in (ndc, expected_ndc, aci))
    require(computed == example, "confmat.indices.soft on the example")

    A, B, P, M = sp.symbols("A B P M")
    rd, chance = (A + B - 2 * P) / M, (A * (M - B) + B * (M - A)) / M**2
    require_equal(((1 - rd) - (1 - chance)) / (1 - (1 - chance)), 1 - rd / chance, "ACI = ARI")
    return "all orders of up to 6 similarities; the printed example; crisp clusterings"
