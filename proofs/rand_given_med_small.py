"""The sharp lower bound of the Rand distance at given MED for s = r, r + 1: 2 x 2, 2 x 3, 3 x 3, 3 x 4; and near 1/s.

Statement `rd-given-med-variance`: with total 1 and k the weight of a best matching, r <= s, 2F >= (r+s-2)/(rs) - 2(s-1)
    V, V = (j k^2 + (1 - jk)^2)/s - 1/s^2, j = floor(1/k).
Statement `rd-given-med-lower-small`: for 2 x 2, 2 x 3, 3 x 3 and 3 x 4 tables 2F >= s(r+s-2)/(r(s-1)^2) m^2, m = n MED.

Entries are real numbers >= 0, lines may be empty; 2F = A + B - 2P in sums of squares of row sums, column sums and
cells, k the weight of a best matching, m the total less k, c = s(r+s-2)/(r(s-1)^2).

VARIANCE.  Split x_ij = 1/(rs) + R_i/s + C_j/r + X_ij, row and column sums of X zero.  Then A = 1/r + |R|^2, B = 1/s +
|C|^2, P = 1/(rs) + |R|^2/s + |C|^2/r + |X|^2.  A random injection f of rows into columns has weight x_f of mean 1/s,
and of variance (|X|^2 + (1/r - 1/s) |C|^2)/(s-1) (Hoeffding, with s - r empty rows).  The s cyclic shifts of f cover
all cells once: s numbers from 0 to k with sum 1, whose mean square is at most (j k^2 + (1 - jk)^2)/s.  So |X|^2 +
(1/r - 1/s) |C|^2 <= (s-1) V, and what is left of 2F is (1 - 2/s)(|R|^2 + |C|^2) >= 0.  QED

2 x 2: 2F = 2km and k >= m.
2 x 3, total 1, c = 9/8.  For k <= 1/2, V = 2 (k - 1/3)^2 <= (k - 1/3)/3, so 2F >= 1/2 - 4 (k - 1/3)/3, and less
(9/8)(1-k)^2 that is (9/8)(k - 1/3)(13/27 - k): done for k <= 13/27.  Else put a best matching at (1,1), (2,2), rows a
and b, say a_3 >= b_3. Then a_1 >= a_3, and
    2F = 2k (m - a_3) + 2 a_3^2 + 2 [(a_1 - a_3)(a_3 - b_3) + a_2 a_3 + b_1 b_3].
It is at least 2km - k^2/2, which is >= (9/8) m^2 for 2 - sqrt(7)/2 <= k/m <= 2; 13/14, where k = 13/27, is above
that.  If k >= 2m, a_3 <= m <= k/2 and 2F >= 2k (m - m) + 2m^2.
3 x 3 and 3 x 4.  By the first part 2F >= c m^2 for k <= 13/27 and for k <= 11/36, that is k <= (13/14) m and (11/25) m.
For larger k/m, on each of some intervals [lo, hi], the form 2F - c m^2 is a sum of terms mu g h, mu >= 0, and a form
that is positive definite; g and h, linear, are not negative: the cells; k less any injection, the identity a best
one; m - x_ii (lower x_ii while the identity stays best: m stays, F falls; at the end x_ii = 0, or another best
matching avoids (i,i), and x_ii is at most the weight off the diagonal, m); x_11 - x_22, x_22 - x_33, by order, and
for 3 x 3 x_12 + x_23 + x_31 - x_21 - x_32 - x_13, by transposition; k - lo m and hi m - k.  At k = m there is a
second table with equality, two stars [[1,0,0],[0,1,1],[1,0,0]], 3 x 3: there mu is used only where gh = 0 at this
table, which the form that is left annihilates, positive definite on a complement.  The numbers mu, found by
semidefinite programming, are in rand_given_med_small.json.  QED
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

from proofs import best_matching_weight, require, require_equal, twice_disagreements
from proofs.rand_given_med_lower import constant

STORED = Path(__file__).with_suffix(".json")
STARS = [[1, 0, 0], [0, 1, 1], [1, 0, 0]]
FIRST = {(3, 3): Fraction(13, 14), (3, 4): Fraction(11, 25)}  # k/m up to which the variance does
Form = np.ndarray  # a linear form in the cells, row by row


def variance(k: Any, s: Any, j: int) -> Any:
    """V."""
    return (j * k**2 + (1 - j * k) ** 2) / s - 1 / s**2


def bound(k: Fraction, r: int, s: int, j: int) -> Fraction:
    """What `rd-given-med-variance` says of 2F."""
    return Fraction(r + s - 2, r * s) - 2 * (s - 1) * variance(k, Fraction(s), j)


def target(k: Fraction, r: int, s: int) -> Fraction:
    """c m^2, with total 1."""
    return constant(Fraction(r), Fraction(s)) * (1 - k) ** 2


# --- by hand --------------------------------------------------------------------------------------


def check_algebra() -> None:
    """The first part's coefficients, 2 x 3, and how far the variance reaches for 3 x 3 and 3 x 4."""
    r, s, k, m, R, C, X = sp.symbols("r s k m R C X")
    A, B = 1 / r + R, 1 / s + C
    P = 1 / (r * s) + R / s + C / r + X
    left = (A + B - 2 * P) - (r + s - 2) / (r * s) + 2 * (X + (1 / r - 1 / s) * C)
    require_equal(left, (1 - 2 / s) * (R + C), "the variance: what is left")
    squares = P - A / s - B / s + 1 / s**2
    require_equal(squares, X + (1 / r - 1 / s) * C, "the variance: Hoeffding")
    require_equal(variance(k, sp.Integer(3), 2), 2 * (k - sp.Rational(1, 3)) ** 2, "2 x 3: V")
    third, c = sp.Rational(1, 3), sp.Rational(9, 8)
    near = sp.Rational(1, 2) - 4 * (k - third) / 3 - c * (1 - k) ** 2
    require_equal(near, c * (k - third) * (sp.Rational(13, 27) - k), "2 x 3: k <= 13/27")
    a1, a2, a3, b1, b2, b3 = a = sp.symbols("a1 a2 a3 b1 b2 b3")
    rows = (a1 + a2 + a3) ** 2 + (b1 + b2 + b3) ** 2
    cols = (a1 + b1) ** 2 + (a2 + b2) ** 2 + (a3 + b3) ** 2
    twice = rows + cols - 2 * sum(z**2 for z in a)
    k, m = a1 + b2, a2 + a3 + b1 + b3
    rest = (a1 - a3) * (a3 - b3) + a2 * a3 + b1 * b3
    require_equal(twice, 2 * k * (m - a3) + 2 * a3**2 + 2 * rest, "2 x 3: the best matching")
    q = sp.Rational(13, 14)
    require(2 * q - q**2 / 2 >= c, "2 x 3: k/m = 13/14")
    require(c <= 2 * 2 - 2, "2 x 3: k/m = 2, and a parabola between")
    for (rows_, cols_), ratio in FIRST.items():
        check_first(rows_, cols_, ratio)


def check_first(r: int, s: int, ratio: Fraction) -> None:
    """2F >= c m^2 by the variance for k up to ratio times m: concave in k on each piece of V, so at the ends only."""
    last = ratio / (1 + ratio)
    kinks = {Fraction(1, s), last} | {Fraction(1, j) for j in range(1, s) if Fraction(1, j) < last}
    for low, high in pairwise(sorted(kinks)):
        j = int(1 / high)
        for k in (low, high):
            require(bound(k, r, s, j) >= target(k, r, s), f"{r} x {s}: the variance at k = {k}")
        middle = (low + high) / 2
        ends = bound(low, r, s, j) + bound(high, r, s, j) - target(low, r, s) - target(high, r, s)
        require(2 * (bound(middle, r, s, j) - target(middle, r, s)) > ends, f"{r} x {s}: concave")


def check_variance(r: int, s: int, most: int) -> int:
    """`rd-given-med-variance` and the bound on all tables with entries up to ``most``; their number."""
    seen = 0
    for cells in product(range(most + 1), repeat=r * s):
        if n := sum(cells):
            table = [list(cells[i * s : (i + 1) * s]) for i in range(r)]
            k = Fraction(best_matching_weight(table), n)
            twice = Fraction(twice_disagreements(table), n * n)
            require(twice >= max(bound(k, r, s, int(1 / k)), target(k, r, s)), f"2F at {table}")
            seen += 1
    return seen


# --- certificates ---------------------------------------------------------------------------------


def generators(r: int, s: int, low: Fraction, high: Fraction | None) -> list[Form]:
    """The linear forms that are not negative, for low <= k/m <= high."""

    def cells(*places: tuple[int, int]) -> Form:
        return np.array([Fraction(places.count(place)) for place in product(range(r), range(s))])

    matched = cells(*((i, i) for i in range(r)))
    others = 1 - matched
    forms = [cells(place) for place in product(range(r), range(s))]
    forms += [matched - cells(*enumerate(columns)) for columns in list(permutations(range(s), r))[1:]]
    forms += [others - cells((i, i)) for i in range(r)]
    forms += [cells((i, i)) - cells((i + 1, i + 1)) for i in range(r - 1)]
    if r == s == 3:
        forms.append(cells((0, 1), (1, 2), (2, 0)) - cells((1, 0), (2, 1), (0, 2)))
    forms.append(matched - low * others)
    if high is not None:
        forms.append(high * others - matched)
    return forms


def remainder(r: int, s: int, forms: list[Form], terms: list[tuple[int, int, str]]) -> np.ndarray:
    """2F - c m^2 less the sum of mu g h, as a symmetric matrix."""
    places = list(product(range(r), range(s)))
    off = np.array([Fraction(i != j) for i, j in places])
    left = np.array([[Fraction((u[0] == w[0]) != (u[1] == w[1])) for w in places] for u in places])
    left -= constant(Fraction(r), Fraction(s)) * np.outer(off, off)
    for a, b, text in terms:
        mu = Fraction(text)
        require(mu >= 0, "a multiplier is not negative")
        product_of_forms = np.outer(forms[a], forms[b])
        left -= mu * (product_of_forms + product_of_forms.T) / 2
    return left


def check_interval(r: int, s: int, low: Fraction, high: Fraction | None, terms: list[Any]) -> None:
    """One certificate; the one around k = m, 3 x 3, holds with equality at the two stars."""
    left = remainder(r, s, generators(r, s, low, high), terms)
    if (r, s) == (3, 3) and high is not None and low < 1 < high:
        stars = np.ravel(STARS)
        require(not (left @ stars).any(), "3 x 3: R x = 0 at the stars")
        support = np.flatnonzero(stars)
        unit = np.eye(9, dtype=int)
        basis = [*np.delete(unit, support, axis=0), *(unit[a] - unit[b] for a, b in pairwise(support))]
        left = np.array(basis) @ left @ np.transpose(basis)
    is_positive = sp.Matrix(left).is_positive_definite
    require(is_positive, f"{r} x {s}: what is left is positive definite, k/m from {low} to {high}")


def stored() -> Iterator[tuple[int, int, Fraction, Fraction | None, list[Any]]]:
    """Shape, interval of k/m and terms (positions of g and h, mu) of every certificate."""
    for shape, certificates in json.loads(STORED.read_text(encoding="utf-8")).items():
        r, s = map(int, shape.split("x"))
        for low, high, terms in certificates:
            yield r, s, Fraction(low), None if high is None else Fraction(high), terms


def verify() -> str:
    """The algebra, all small tables, and the certificates, which leave no k/m out."""
    check_algebra()
    tables = sum(check_variance(*shape) for shape in [(2, 2, 6), (2, 3, 3), (3, 3, 1), (2, 4, 2), (3, 4, 1)])
    reached: dict[tuple[int, int], Fraction | None] = dict(FIRST)
    certificates = 0
    for r, s, low, high, terms in stored():
        require(reached[r, s] == low, f"{r} x {s}: no gap at k/m = {low}")
        check_interval(r, s, low, high, terms)
        reached[r, s] = high
        certificates += 1
    require(all(end is None for end in reached.values()), "certificates without end")
    return f"algebra; {tables} tables; {certificates} certificates"
