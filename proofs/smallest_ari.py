"""The smallest adjusted Rand index of all: -1/2.

Statement `ari-least`: ARI >= -1/2 for all clusterings of n >= 2 objects, with equality only for n = 3, sizes 2, 1 and
    2, 1 with no pair together in both, and for n = 4, sizes 2, 2 and 2, 2 with no pair together in both.

scikit-learn's documentation states -0.5 as the lower bound of its adjusted_rand_score, citing Chacon & Rastrojo (2023);
their text was not available to us, and this proof stands by itself.

With a, b, p the fractions of the pairs of objects that are together in one clustering, in the other and in both, ARD =
(a + b - 2p)/(a + b - 2ab), and ARD <= 3/2 says that 6ab <= a + b + 4p, with equality alike where the ARD is defined,
that is but for a = b = 0 and a = b = 1.  If ab = 0 there is nothing to show, and equality only for a = b = p = 0.

Proof for n >= 25.  Let g = 1/sqrt n <= 1/5 and x^2, y^2 the sums of squares of the cluster sizes over n^2, so
a = (x^2 - g^2)/(1 - g^2), b likewise, x and y from g to 1.
(1) x + y <= 1 + g.  1/a is convex and decreasing in x, so 1/a + 1/b is at least twice its value at (1+g)/2, which is
    8 (1+g)/(1+3g) >= 6 for g <= 1/5.  So 6ab <= a + b.
(2) x + y >= 1 + g.  By (*) of `least_pairs`, p >= ((x+y-1)^2 - g^2)/(1 - g^2).  With this p, (1-g^2)^2 (a + b + 4p -
    6ab) = (1-g^2)(x^2 + y^2 + 4 (x+y-1)^2 - 6g^2) - 6 (x^2-g^2)(y^2-g^2) falls in xy at a given x + y: its slope is
    -2 (1-g^2) - 12 xy - 12 g^2.  So let x = y, from (1+g)/2 to 1; then half of it is (1-x) k,
        k = 3x^3 + 3x^2 - (6 - 3g^2) x + 2 - 5g^2, which falls in g^2.
    If x <= 3/5: g <= 2x - 1, where k = (x-1)(3x-1)(5x-3) >= 0.   If x >= 3/5: g <= 1/5, where k =
    (3/25)(5x-3)(5x^2+8x-5) >= 0.
For n > 25, g < 1/5 and both are strict but at x = y = 1.  QED
Formally, without roots: rocq/SmallestARI.v.
n <= 25: all pairs of partitions of n.  By p >= 0, p >= a + b - 1, the bound by sums of squares alone, or the exact
least p at the margins.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import sympy as sp

from confmat._integers.compositions import partitions
from confmat.search.transport import least_squares
from proofs import Margin, require, require_equal

EQUAL = {((2, 1), (2, 1)), ((2, 2), (2, 2))}
LARGEST = 25


def need(A: int, B: int, M: int) -> int:
    """Return 4 M times the least number of pairs together in both clusterings for which ARD <= 3/2.

    >>> need(1, 1, 3), need(2, 2, 6)
    (0, 0)
    """
    return 6 * A * B - M * (A + B)


def check_algebra() -> None:
    """Check (1) and (2)."""
    x, y, g, total, product = sp.symbols("x y g total product")
    a, b = ((z**2 - g**2) / (1 - g**2) for z in (x, y))
    slope, bend = -2 * x * (1 - g**2) / (x**2 - g**2) ** 2, 2 * (1 - g**2) * (3 * x**2 + g**2)
    require_equal(sp.diff(1 / a, x), slope, "(1): 1/a falls")
    require_equal(sp.diff(slope, x), bend / (x**2 - g**2) ** 3, "(1): 1/a is convex")
    require_equal((2 / a).subs(x, (1 + g) / 2), 8 * (1 + g) / (1 + 3 * g), "(1): at (1+g)/2")
    require_equal(8 * (1 + g) - 6 * (1 + 3 * g), 2 - 10 * g, "(1): g <= 1/5")
    p = ((x + y - 1) ** 2 - g**2) / (1 - g**2)
    cleared = (1 - g**2) * (x**2 + y**2 + 4 * (x + y - 1) ** 2 - 6 * g**2)
    cleared -= 6 * (x**2 - g**2) * (y**2 - g**2)
    require_equal((a + b + 4 * p - 6 * a * b) * (1 - g**2) ** 2, cleared, "(2): cleared")
    squares = total**2 - 2 * product
    in_product = (1 - g**2) * (squares + 4 * (total - 1) ** 2 - 6 * g**2)
    in_product -= 6 * (product**2 - g**2 * squares + g**4)
    require_equal(in_product.subs({total: x + y, product: x * y}), cleared, "(2): in x + y and xy")
    require_equal(sp.diff(in_product, product), -2 * (1 - g**2) - 12 * product - 12 * g**2, "(2): the slope")
    k = 3 * x**3 + 3 * x**2 - (6 - 3 * g**2) * x + 2 - 5 * g**2
    require_equal(cleared.subs(y, x) / 2, (1 - x) * k, "(2): x = y")
    require_equal(sp.diff(k, g), 2 * g * (3 * x - 5), "(2): k falls in g^2")
    require_equal(k.subs(g, 2 * x - 1), (x - 1) * (3 * x - 1) * (5 * x - 3), "(2): x <= 3/5")
    fifth = sp.Rational(1, 5)
    require_equal(k.subs(g, fifth), 3 * (5 * x - 3) * (5 * x**2 + 8 * x - 5) / 25, "(2): x >= 3/5")
    require((5 * x**2 + 8 * x - 5).subs(x, 3 * fifth) > 0, "(2): 5x^2 + 8x - 5 > 0 from 3/5 on")


def check_small(n: int) -> tuple[int, set[tuple[Margin, Margin]]]:
    """Check ARD <= 3/2 for all cluster sizes of n objects. Return the number of solved P, and the cases of equality."""
    M = comb(n, 2)
    sizes = [part for parts in range(1, n + 1) for part in partitions(n, parts, minimum=1)]
    counted = [(sum(comb(x, 2) for x in part), part) for part in sizes]
    solved, equal = 0, set()
    for (A, rows), (B, cols) in combinations_with_replacement(counted, 2):
        missing = need(A, B, M)
        if missing < 0 or missing < 4 * M * max(0, A + B - M) or A == B == M or A == B == 0:
            continue
        r, s = len(rows), len(cols)
        squares = -(-(r * (2 * A + n) + s * (2 * B + n) - n * n) // (r * s))
        if missing < 2 * M * (squares - n):
            continue
        least = (least_squares(rows, cols) - n) // 2
        solved += 1
        require(missing <= 4 * M * least, f"ARI >= -1/2 at {rows}, {cols}")
        if missing == 4 * M * least:
            equal.add((rows, cols))
    return solved, equal


def verify() -> str:
    """Check the algebra, and all clusterings of few objects."""
    check_algebra()
    solved, equal = 0, set()
    for n in range(2, LARGEST + 1):
        here, found = check_small(n)
        solved, equal = solved + here, equal | found
    require(equal == EQUAL, f"equality at {equal}")
    return f"algebra; all sizes of two clusterings of n <= {LARGEST} objects, {solved} solved; equality at {len(equal)}"
