"""The sharp lower bound of the Rand distance at given MED for s = r and s = r + 1 up to 6 x 6.

Statement `rd-given-med-variance`: for tables with total 1, r <= s and weight k of a best matching, 2F >= (r+s-2)/(rs)
    - 2(s-1) V with V = (j k^2 + (1 - jk)^2)/s - 1/s^2 and j = floor(1/k).
Statement `rd-given-med-lower-small`: if 2 <= r <= s <= 6 and m = n MED, then 2F >= s(r+s-2)/(r(s-1)^2) m^2.

Entries are real numbers >= 0, rows and columns may be empty; 2F = A + B - 2P in sums of squares of row sums, column
sums and cells, k the weight of a best matching, m the total less k, c = s(r+s-2)/(r(s-1)^2).

VARIANCE.  Split x_ij = 1/(rs) + R_i/s + C_j/r + X_ij, row and column sums of X zero.  Then A = 1/r + |R|^2, B = 1/s +
|C|^2, P = 1/(rs) + |R|^2/s + |C|^2/r + |X|^2.  A random injection f of rows into columns has weight x_f of mean 1/s,
and of variance (|X|^2 + (1/r - 1/s) |C|^2)/(s-1) (Hoeffding, with s - r empty rows).  The s cyclic shifts of f cover
all cells once: s numbers from 0 to k with sum 1, whose mean square is at most (j k^2 + (1 - jk)^2)/s.  So |X|^2 +
(1/r - 1/s) |C|^2 <= (s-1) V, and what is left of 2F is (1 - 2/s)(|R|^2 + |C|^2) >= 0.  QED

s >= r + 2: `rand_given_med_lower`.  2 x 2: 2F = 2km and k >= m.  Others: by the first part 2F >= c m^2 for k up to some
times m.  From there on, on each of some intervals lo <= k/m <= hi, the form 2F - c m^2 is a sum of terms mu g h, mu >=
0, and a form that is positive definite; g and h, linear, are not negative:
- the cells, k - lo m and hi m - k;
- x_11 - x_22, x_22 - x_33, ..: put a best matching on the diagonal, and order it;
- m - x_ii: lower x_ii while the identity stays best: m stays, F falls; at the end x_ii = 0, or another best matching
  avoids (i,i), and x_ii is at most the weight off the diagonal, m;
- u_i, v_j and u_i + v_j - x_ij, further variables: by Egervary's theorem (1931) some u, v >= 0 with x_ij <= u_i + v_j
  have the sum k, so that u_i + v_i = x_ii and v_j = 0 for j > r;
For 3 x 3 there are further tables with equality, two stars at k = m: there mu is used only where gh = 0 at these, which
the form that is left annihilates, positive definite on a complement.  Intervals and
numbers mu, found by semidefinite programming, are in rand_given_med_small.json.  QED
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
STARS = [[1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0], [1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0]]  # 3 x 3, cells and u
SHAPES = {(r, s) for s in range(3, 7) for r in (s - 1, s)}
Form = np.ndarray  # a linear form in the cells, row by row


def variance(k: Any, s: Any, j: int) -> Any:
    """Return V of the first statement."""
    return (j * k**2 + (1 - j * k) ** 2) / s - 1 / s**2


def bound(k: Fraction, r: int, s: int, j: int) -> Fraction:
    """Return the lower bound of 2F by `rd-given-med-variance`."""
    return Fraction(r + s - 2, r * s) - 2 * (s - 1) * variance(k, Fraction(s), j)


def target(k: Fraction, r: int, s: int) -> Fraction:
    """Return c m^2, with total 1."""
    return constant(Fraction(r), s) * (1 - k) ** 2


def check_algebra() -> None:
    """Check the coefficients of the first part."""
    r, s, R, C, X = sp.symbols("r s R C X")
    A, B = 1 / r + R, 1 / s + C
    P = 1 / (r * s) + R / s + C / r + X
    left = (A + B - 2 * P) - (r + s - 2) / (r * s) + 2 * (X + (1 / r - 1 / s) * C)
    require_equal(left, (1 - 2 / s) * (R + C), "the variance: what is left")
    squares = P - A / s - B / s + 1 / s**2
    require_equal(squares, X + (1 / r - 1 / s) * C, "the variance: Hoeffding")


def check_first(r: int, s: int, ratio: Fraction) -> None:
    """Check 2F >= c m^2 by the variance for k up to ratio times m, at the ends of the pieces of V only."""
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
    """Check `rd-given-med-variance` and the bound for all tables with entries up to ``most``. Return their number."""
    seen = 0
    for cells in product(range(most + 1), repeat=r * s):
        if n := sum(cells):
            table = [list(cells[i * s : (i + 1) * s]) for i in range(r)]
            k = Fraction(best_matching_weight(table), n)
            twice = Fraction(twice_disagreements(table), n * n)
            require(twice >= max(bound(k, r, s, int(1 / k)), target(k, r, s)), f"2F at {table}")
            seen += 1
    return seen


def generators(r: int, s: int, low: Fraction, high: Fraction | None) -> list[Form]:
    """Return the forms in the cells, row by row, and in u that are not negative, for low <= k/m <= high."""
    places = list(product(range(r), range(s)))

    def form(*variables: Any) -> Form:
        return np.array([variables.count(variable) for variable in (*places, *range(r))], object)

    diagonal = [form((i, i)) for i in range(r)]
    matched = sum(diagonal)
    others = form(*places) - matched
    forms = [form(place) for place in places]
    u = [form(i) for i in range(r)]
    v = [x - y for x, y in zip(diagonal, u)] + [form()] * (s - r)
    forms += [u[i] + v[j] - form((i, j)) for i, j in places if i != j] + u + v[:r]
    forms += [others - x for x in diagonal] + [x - y for x, y in pairwise(diagonal)]
    forms.append(matched - low * others)
    if high is not None:
        forms.append(high * others - matched)
    return forms


def in_order(table: np.ndarray) -> np.ndarray:
    """Return the table with a best matching on the diagonal, lowered as far as it stays one, the largest cell first.

    >>> in_order(np.array([[0, 3, 1], [2, 1, 0]])).tolist()
    [[1, 0, 1], [1, 1, 0]]
    """
    r, s = table.shape
    columns = max(permutations(range(s), r), key=lambda f: table[range(r), f].sum())
    table = table[:, [*columns, *sorted(set(range(s)) - set(columns))]]
    for i in range(r):
        while table[i, i] and best_matching_weight(table) == np.trace(table):
            table[i, i] -= 1
        table[i, i] += best_matching_weight(table) > np.trace(table)
    order = np.argsort(-np.diagonal(table))
    return table[order][:, [*order, *range(r, s)]]


def check_generators(r: int, s: int, most: int) -> None:
    """Check that the forms are not negative for some u, at all tables in order with entries up to ``most``."""
    forms = np.array(generators(r, s, Fraction(0), None))
    for cells in product(range(most + 1), repeat=r * s):
        table = in_order(np.reshape(cells, (r, s)))
        points = ([*table.ravel(), *u] for u in product(range(most + 1), repeat=r))
        require(any((forms @ point >= 0).all() for point in points), f"the forms at {table.tolist()}")


def remainder(r: int, s: int, forms: list[Form], terms: list[tuple[int, int, str]]) -> np.ndarray:
    """Return 2F - c m^2 minus the sum of mu g h, as a symmetric matrix."""
    places, size = list(product(range(r), range(s))), r * s
    off = np.array([int(i != j) for i, j in places])
    left = np.zeros((size + r, size + r), object)
    left[:size, :size] = [[int((u[0] == w[0]) != (u[1] == w[1])) for w in places] for u in places]
    left[:size, :size] -= constant(Fraction(r), s) * np.outer(off, off)
    weights = np.zeros((len(forms), len(forms)), object)
    for a, b, text in terms:
        mu = Fraction(text)
        require(mu >= 0, "a multiplier is not negative")
        weights[a, b] += mu / 2
        weights[b, a] += mu / 2
    return left - np.transpose(forms) @ weights @ np.array(forms)


def positive_definite(matrix: np.ndarray) -> bool:
    """Return whether a matrix is positive definite: all pivots of the elimination are positive."""
    left = matrix + Fraction(0)
    for k, pivot in enumerate(left):
        if pivot[k] <= 0:
            return False
        left[k + 1 :] -= np.outer(left[k + 1 :, k] / pivot[k], pivot)
    return True


def check_interval(r: int, s: int, low: Fraction, high: Fraction | None, terms: list[Any]) -> None:
    """Check one certificate. That of 3 x 3 has equality at the two stars."""
    left = remainder(r, s, generators(r, s, low, high), terms)
    if (r, s) == (3, 3):
        require(not (left @ np.transpose(STARS)).any(), "3 x 3: R x = 0 at the stars")
        left = np.delete(
            np.delete(left, (2, 5), axis=0), (2, 5), axis=1
        )  # a complement: the stars differ there
    where = f"k/m from {low} to {high}"
    require(positive_definite(left), f"{r} x {s}: what is left is positive definite, {where}")


def stored() -> Iterator[tuple[int, int, Fraction, Fraction | None, list[Any]]]:
    """Yield shape, interval of k/m and terms (positions of g and h, mu) of every certificate."""
    for shape, certificates in json.loads(STORED.read_text(encoding="utf-8")).items():
        r, s = map(int, shape.split("x"))
        for low, high, terms in certificates:
            yield r, s, Fraction(low), None if high is None else Fraction(high), terms


def verify() -> str:
    """Check the algebra, all small tables, and the certificates, which cover all k/m."""
    check_algebra()
    tables = sum(check_variance(*shape) for shape in [(2, 2, 6), (2, 3, 3), (3, 3, 1), (2, 4, 2), (3, 4, 1)])
    for shape in [(2, 3, 2), (3, 3, 1), (3, 4, 1)]:
        check_generators(*shape)
    reached: dict[tuple[int, int], Fraction | None] = {}
    certificates = 0
    for r, s, low, high, terms in stored():
        if (r, s) not in reached:
            check_first(r, s, low)
        require(reached.get((r, s), low) == low, f"{r} x {s}: no gap at k/m = {low}")
        check_interval(r, s, low, high, terms)
        reached[r, s] = high
        certificates += 1
    require(reached == dict.fromkeys(SHAPES), "certificates without end for every shape")
    return f"algebra; {tables} tables; {certificates} certificates"
