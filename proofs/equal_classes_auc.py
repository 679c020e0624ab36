"""The AUC of each class against the rest is at most the AUC over pairs of classes, if classes have equal sizes.

Statement `equal-classes-auc`: with at least two classes, every class present and all of equal size, and every
    sensitivity at least 1/K auc1 is at most auc2.

K classes of m objects; s_i is the sensitivity of class i, x_ij the fraction of class i that is predicted as j, so that
the x_ij, j != i, add up to 1 - s_i.

auc1 is the mean over i of (s_i + t_i)/2, with specificity t_i = 1 - sum_{j != i} x_ji/(K - 1).  Summed over i each x_ji
counts once, so that the t_i add up to K - sum_j (1 - s_j)/(K - 1), and auc1 is the mean over i of
    h(s_i),  h(s) = 1 - (1 - s) K/(2(K - 1)).

auc2 is the mean over ordered pairs (i, j) of the sensitivity s_i/(s_i + x_ij) of i and the specificity
s_j/(s_j + x_ji), halved; both have one sum over all pairs, so it is the mean over i, and over j != i, of
s_i/(s_i + x_ij).  Nothing is 0/0, as s_i >= 1/K > 0.  In x this is convex, its second derivative is
2s/(s + x)^3 > 0, and the mean of x_ij over j is (1 - s_i)/(K - 1); so by Jensen's inequality the mean over j is at
least
    g(s_i),  g(s) = s/(s + (1 - s)/(K - 1)) = s(K - 1)/(1 + s(K - 2)).

g(s) - h(s) = (K - 2)(Ks - 1)(1 - s)/(2(K - 1)(1 + s(K - 2))), which is not negative for 1/K <= s <= 1.  QED
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

import confmat as cm
from proofs import require, require_equal

SIZES = {2: 6, 3: 3}
"""Number of classes -> the most objects of a class that is tried."""


def against_the_rest(s: Any, K: Any) -> Any:
    """Return h(s), whose mean over the classes is auc1."""
    return 1 - (1 - s) * K / (2 * (K - 1))


def over_pairs(s: Any, x: Any) -> Any:
    """Return the value of a pair of classes, given the sensitivity of the first and its fraction lost to the second."""
    return s / (s + x)


def check_algebra() -> None:
    """Check convexity in x, and the difference of g and h as a product."""
    s, x, K = sp.symbols("s x K")
    require_equal(sp.diff(over_pairs(s, x), x, 2), 2 * s / (s + x) ** 3, "the second derivative")
    g = over_pairs(s, (1 - s) / (K - 1))
    require_equal(g, s * (K - 1) / (1 + s * (K - 2)), "the mean of the shares put in")
    difference = (K - 2) * (K * s - 1) * (1 - s) / (2 * (K - 1) * (1 + s * (K - 2)))
    require_equal(g - against_the_rest(s, K), difference, "the difference is a product")


def check_small() -> int:
    """Check both means and the statement at every matrix of some sizes with sensitivities from 1/K on."""
    tried = 0
    for K, most in SIZES.items():
        for m in range(1, most + 1):
            for matrix in cm.FixedRows((m,) * K, K):
                rows = matrix.tolist()
                if any(K * rows[i][i] < m for i in range(K)):
                    continue
                sensitivities = [Fraction(rows[i][i], m) for i in range(K)]
                first = sum(against_the_rest(s, K) for s in sensitivities) / K
                pairs = [(i, j) for i, j in product(range(K), repeat=2) if i != j]
                shares = [over_pairs(sensitivities[i], Fraction(rows[i][j], m)) for i, j in pairs]
                second = sum(shares) / len(pairs)
                require(first == cm.auc(matrix, exact=True), f"auc1 of {rows}")
                require(second == cm.indices.classification.auc_pairs(matrix, exact=True), f"auc2 of {rows}")
                require(first <= second, f"auc1 and auc2 of {rows}")
                tried += 1
    return tried


def verify() -> str:
    """Check the algebra, and both means at every small matrix."""
    check_algebra()
    return f"the algebra of both means; {check_small()} matrices of 2 and 3 classes of one size"
