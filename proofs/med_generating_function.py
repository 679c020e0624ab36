"""The generating function of r x s tables by total n and weight k of a best matching, and the distribution of the MED.

Statement `med-generating-function`: the sum of x^n y^k over all r x s tables is a rational function of x and y. Its
    denominator is a product of factors 1 - x^d y, for 3 x 3 tables (1 - x y)^3 (1 - x^2 y)^5 (1 - x^3 y)^5. The
    numbers of tables with given n and k are therefore quasi-polynomials.

Let r <= s, t_d = x^d y, and G(x, y) = sum of x^n y^k(N) over all matrices N >= 0 (empty rows and columns allowed).

1. The polytope.  Q = {N >= 0, every matching of the rows has total at most 1}; k(N) <= k iff N is in k Q.
   By Egervary (1931), k(N) = sum u_i + sum v_j for some integers u, v >= 0 with n_ij <= u_i + v_j; so N is a sum of
   k(N) indicators of sets of rows and columns (u_i of row i, v_j of column j).  Hence the vertices of Q are 0 and the
   indicators of the non-empty sets.

2. Two values.  On a vertex n_ij is 0 or 1, and so is the total of a matching: it meets a row or column once at most.

3. Peeling (a pulling triangulation, unimodular by 2; Ohsugi & Hibi 2001, Sullivant 2006).  Let F be a face of Q, v
   its first vertex in some order, 0 being the first of all.  Take a lattice point of the cone over F and subtract
   v as often as it stays in the cone: every facet of F without v has value 1 at v, by 2, so the number of times
   is the least value on these facets, and the rest is a lattice point over a face A of F without v.
   With z_d = t_d/(1 - t_d), E(F) and I(F) the sums of x^n y^k over the lattice points over F and over its
   relative interior:

       E(F) = (1 + z_v) sum of I(A) over the faces A of F without v,     E(F) = sum of I(A) over all faces A of F.

   This computes every I(F), a polynomial in z_1, ..., z_s, and G is the sum of I(A) over the faces A without
   0 (the points with k = k(N)).  No enumeration of matrices enters.

4. Degrees.  A term of I(A) is a product of the z of linearly independent vertices of A (each v is off the span of
   what is left), and if 0 is not in A, all lie on one facet "this matching is 1".  So z_d occurs at most e_d times,
   e_d the rank of the d-subsets of rows and columns that meet the matching, and G prod (1 - t_d)^e_d is a polynomial
   in x, y whose degree in y is at most D = sum e_d.

5. Symmetry.  (N, k) is interior over Q iff (N - 1, k - r - 1) is over Q.  Stanley's reciprocity, E(Q)(1/x, 1/y) =
   (-1)^(rs + 1) x^rs y^(r + 1) E(Q), with E(Q) = G/(1 - y) gives G(1/x, 1/y) = (-1)^rs x^rs y^r G: the numerator is
   palindromic of y-degree D - r, and its coefficients up to y^((D - r)/2) determine it.  They follow from counting
   the matrices with k(N) <= (D - r)/2, as confmat.distributions.med_distribution does.  Without this step k(N) <= D
   does.

6. Quasi-polynomials: the docstring of confmat.distributions.med_distribution.counts.

Normaliz's half-open cones give the same fractions for every shape
(tests/distributions/test_med_distribution_normaliz.py).

Consequences, each a finite check by 6.  2 x 2, no empty rows or columns: 2(n-1) tables at m = 0, 2((n-m+1)(m+1)-4) for
1 <= m < n/2, (m+1)^2 - 4 at m = n/2.  3 x 3: the numerator below over (1-t_1)^3 (1-t_2)^5 (1-t_3)^5; without
empty rows and columns, for n > 2m >= 2 the count is quadratic in n with leading coefficient 3 C(m+5,5).  QED
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import comb, prod
from typing import Any

import numpy as np
import sympy as sp

from confmat.distributions.med_distribution.counts import (
    LARGEST_COLUMNS,
    ShapeOfCounts,
    generating_function,
    inside_differences,
    line_subsets,
    matched_count,
    matched_counts,
    ranks,
)
from proofs import best_matching_weight, require

# Rows: powers of y; pairs (power of x: coefficient).  The second half by the palindrome (n, k) -> (19 - n, 10 - k).
NUMERATOR_3X3 = {
    0: {0: 1},
    1: {1: 6, 2: 13, 3: 1},
    2: {2: 3, 3: 24, 4: 34, 5: 4, 6: 1},
    3: {3: -4, 4: -33, 5: -54, 6: -61, 7: -47, 8: -5},
    4: {5: 2, 6: -28, 7: -39, 8: -34, 9: -25, 10: 1},
    5: {7: 23, 8: 71, 9: 146, 10: 146, 11: 71, 12: 23},
}
# For n > 2m: the number of 3 x 3 tables without empty lines and n MED = m is a n^2 + b n + c.
QUADRATICS_3X3 = {0: (3, -9, 6), 1: (18, -90, 108), 2: (63, -369, 423), 3: (168, -1152, 1020)}


def faces_without_zero(r: int, s: int) -> tuple[Any, Any, list[int]]:
    """Return the faces of Q without 0, by increasing number of vertices, and the sizes of the vertices.

    ``member[f, v]``: vertex v is on face f; ``facets[f]``: the inequalities that are tight on f, as a bit set.
    Step 2 is asserted on the way.
    """
    vertices = line_subsets(r, s)
    matchings = [set(enumerate(columns)) for columns in permutations(range(s), r)]
    require(all(len(v & m) <= 1 for v in vertices for m in matchings), "a matching meets a line at most once")
    tight = [[cell not in v for v in vertices] for cell in product(range(r), range(s))]
    at_one = [[bool(v & m) for v in vertices] for m in matchings]
    sets = [sum(1 << i for i, on in enumerate(row) if on) for row in at_one + tight]
    found = new = set(sets[: len(at_one)])
    while new:
        new = {face & facet for face in new for facet in sets} - found - {0}
        found = found | new
    faces = sorted(found, key=int.bit_count)
    member = np.array([[face >> v & 1 for v in range(len(vertices))] for face in faces], bool)
    facets = np.zeros(len(faces), np.uint64)
    for f, row in enumerate(at_one + tight):
        facets |= np.uint64(1 << f) * (~member[:, ~np.array(row)].any(axis=1)).astype(np.uint64)
    return member, facets, [len(v) for v in vertices]


def triangulation_polynomial(r: int, s: int) -> Any:
    """Return G as a polynomial in z_1, ..., z_s by step 3: array of its coefficients, indexed by the exponents.

    A coefficient is the number of simplices without 0 that have so many vertices of each size.
    """
    member, facets, sizes = faces_without_zero(r, s)
    exponents = [e + 2 for e in ranks(r, s)]  # room to see a degree too high
    interior = np.zeros((len(member), *exponents), np.int64)
    empty = np.zeros(interior.shape[1:], np.int64)
    empty[(0,) * s] = 1  # the point N = 0, k = 0: the empty face
    for f in range(len(member)):
        below = np.flatnonzero(facets[:f] & facets[f] == facets[f])
        first = int(member[f].argmax())
        through = member[below, first]
        without = empty + interior[below[~through]].sum(axis=0)
        interior[f] = np.roll(without, 1, axis=sizes[first] - 1) - interior[below[through]].sum(axis=0)
    return empty + interior.sum(axis=0)


def require_triangulation(r: int, s: int) -> int:
    """Return the number of maximal simplices, after step 3 gave exactly the fraction of the package."""
    x, y = sp.symbols("x y")
    t = [sp.Poly(x**d * y, x, y) for d in range(1, s + 1)]
    counts, bounds = triangulation_polynomial(r, s), ranks(r, s)
    terms = np.argwhere(counts).tolist()
    require(all(a <= e for term in terms for a, e in zip(term, bounds)), f"degree bounds for {(r, s)}")
    left = sp.Poly(0, x, y)
    for term in terms:
        factors = (t[d] ** a * (1 - t[d]) ** (bounds[d] - a) for d, a in enumerate(term))
        left += prod(factors, start=int(counts[tuple(term)]))
    fraction = generating_function(r, s)
    numerator = sp.Poly({(n, k): c for (k, n), c in np.ndenumerate(fraction.numerator) if c}, x, y)
    right = prod((1 - t[d]) ** (bounds[d] - fraction.exponents[d]) for d in range(s)) * numerator
    require(left == right, f"triangulation and fraction for {(r, s)}")
    return sum(int(counts[tuple(term)]) for term in terms if sum(term) == r * s)


def require_counts(r: int, s: int, largest: int) -> None:
    """Check the compiled enumeration behind the numerators, against every table with entries up to ``largest``."""
    seen: Counter[tuple[int, int]] = Counter()
    for cells in product(range(largest + 1), repeat=r * s):
        seen[best_matching_weight([cells[i * s : (i + 1) * s] for i in range(r)]), sum(cells)] += 1
    counts = matched_counts(r, s, largest)
    for k, row in enumerate(counts.tolist()):
        for n, count in enumerate(row):
            require(count == seen[k, n], f"matrices {r} x {s} with total {n} and best matching {k}")


def require_fraction(r: int, s: int, largest: int) -> None:
    """Check that the fraction has the right coefficients up to y^largest."""
    series = generating_function(r, s).series(largest)
    require((series == matched_counts(r, s, largest)).all(), f"coefficients for {(r, s)} up to y^{largest}")


def require_quasi_polynomials(r: int, s: int) -> None:
    """Check step 6 beyond the grids that determine the polynomials: against the series, up to two more periods in k."""
    shape = ShapeOfCounts(r, s, True)
    largest = (shape.values + 3) * shape.period
    series = generating_function(r, s).series(largest)
    for k in range(1, largest + 1):
        for n in {k, s * k, *range(k, s * k + 1, 5)}:
            require(matched_count(shape, n, k) == series[k, n], f"{r} x {s}, n = {n}, k = {k}")


def require_leading_forms(r: int, s: int) -> None:
    """Check that the terms of degree r s - 2 agree in all classes modulo L, so that there is a limit density."""
    shape = ShapeOfCounts(r, s, True)
    residues = range(1, shape.period + 1)
    for d in range(1, s):
        tables = (inside_differences(shape, d, a, b) for a, b in product(residues, repeat=2))
        forms = {tuple(row[-1] for row in table) for table in tables}
        require(len(forms) == 1, f"leading form of {(r, s)} in sector {d}")


def verify_consequences() -> None:
    """Check the formulas for 2 x 2 and 3 x 3, each for enough n to imply it for every n."""
    # 2 x 2: three pieces, of degree <= 2 in (alpha, beta) = (n - 2m, m) with period 1.
    two = ShapeOfCounts(2, 2, False)
    for n in range(1, 13):
        for m in range(n // 2 + 1):
            count = 2 * ((n - m + 1) * (m + 1) - 4) if m else 2 * (n - 1)
            count = (m + 1) ** 2 - 4 if 2 * m == n else count
            require(matched_count(two, n, n - m) == count, f"2 x 2, n = {n}, m = {m}")
    # 3 x 3: in n > 2m of degree <= 7 with period 2, so 16 values in a row decide.
    three = ShapeOfCounts(3, 3, False)
    for m, (a, b, c) in QUADRATICS_3X3.items():
        for n in range(2 * m + 1, 2 * m + 17):
            require(matched_count(three, n, n - m) == a * n * n + b * n + c, f"3 x 3, n = {n}, m = {m}")
    # Steps of L = 2 in alpha: the second difference is 8 times the leading coefficient, of degree <= 5 in m.
    for i, j in product((1, 2), repeat=2):
        delta = inside_differences(three, 1, i, j)
        require(not any(map(any, delta[3:])), "for fixed m the count is quadratic in n")
        for step in range(6):
            second = sum(d * comb(step, q) for q, d in enumerate(delta[2]))
            require(second == 8 * 3 * comb(j + 2 * step + 5, 5), f"leading coefficient at m = {j + 2 * step}")
    g = generating_function(3, 3)
    half = {(k, n): c for k, row in NUMERATOR_3X3.items() for n, c in row.items()}
    printed = half | {(10 - k, 19 - n): c for (k, n), c in half.items()}
    derived = {(k, n): c for k, row in enumerate(g.numerator.tolist()) for n, c in enumerate(row) if c}
    require(g.exponents == (3, 5, 5) and derived == printed, "the 3 x 3 generating function")


def verify() -> str:
    """Check every step. Shapes beyond 3 x 3 and 2 x 4 rest on steps 4 and 5 and on an enumeration."""
    for r, s, largest in [(1, 4, 3), (2, 2, 6), (2, 3, 3), (2, 4, 2), (3, 3, 2), (3, 4, 1)]:
        require_counts(r, s, largest)
    simplices = {(r, s): require_triangulation(r, s) for r, s in [(1, 3), (2, 2), (2, 3), (2, 4), (3, 3)]}
    for r, largest in LARGEST_COLUMNS.items():
        for s in range(r, largest + 1):
            require(r * s == 1 or max(ranks(r, s)) < r * s, f"{(r, s)}: no size has r s independent vertices")
            # All that step 4 asks for; for 3 x 4 that is too far, and step 5 halves it.
            degree = sum(ranks(r, s))
            require_fraction(r, s, degree if (r, s) != (3, 4) else (degree - r) // 2 + 2)
            require_leading_forms(r, s)
            require_quasi_polynomials(r, s)
    verify_consequences()
    return (
        f"triangulations up to 2 x 4 and 3 x 3 ({simplices[3, 3]} simplices) equal the fractions from enumeration; "
        "coefficients up to the degree bound for 2 x 5 and 3 x 3, by symmetry for 3 x 4; 2 x 2 and 3 x 3 formulas"
    )
