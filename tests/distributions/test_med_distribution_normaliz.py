"""The generating functions of the MED from half-open cones, by Normaliz; skipped without PyPI's pynormaliz.

Normaliz (Bruns, Ichim, Roemer, Sieg, Soeger) triangulates the cone {(N, k): N >= 0, no matching above k} and leaves
out facets of the simplicial cones, so that every point lies in one.  A unimodular cone over (N_1, 1), ..., (N_p, 1)
without the facets opposite to some of them has the series

    prod over those of t_d / prod over all of (1 - t_d),    t_d = x^d y,  d the total of N_i.

Nothing is shared with ``confmat.distributions.med_distribution`` but the definition of the best matching: not
the peeling order, not the degree bound, not the symmetry, not the enumeration.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations, product

import numpy as np
import pytest

from confmat.distributions.med_distribution import LARGEST_COLUMNS, generating_function

SHAPES = [(r, s) for r, largest in LARGEST_COLUMNS.items() for s in range(r, largest + 1)]


def half_open_cones(r, s):
    """How many cones have so many generators, and so many left-out facets, of totals d = 0, 1, ..., s."""
    normaliz = pytest.importorskip("PyNormaliz")
    cells = list(product(range(r), range(s)))
    entries = [[int(u == v) for v in cells] + [0] for u in cells]
    matchings = [[-int(columns[i] == j) for i, j in cells] + [1] for columns in permutations(range(s), r)]
    cones, generators = normaliz.Cone(inequalities=entries + matchings).ConeDecomposition()
    assert all(generator[-1] == 1 for generator in generators)
    assert all(determinant == 1 for _, determinant, _ in cones)
    totals = [sum(generator[:-1]) for generator in generators]
    found = Counter()
    for members, _, left_out in cones:
        sizes = [totals[i] for i in members]
        without = [d for d, out in zip(sizes, left_out) if out]
        found[tuple(map(sizes.count, range(s + 1))), tuple(map(without.count, range(s + 1)))] += 1
    return found


@pytest.mark.parametrize(("r", "s"), SHAPES)
def test_generating_function_from_half_open_cones(r, s):
    cones = half_open_cones(r, s)
    exponents = [max(sizes[d] for sizes, _ in cones) for d in range(s + 1)]
    fraction = generating_function(r, s)
    known = (1, *fraction.exponents)  # of the generating function over 1 - y: points with k >= k(N)
    # Numerators times the other denominator are polynomials: of degree <= last in y, and n <= s k in both.
    last = sum(exponents) + max(sum(known), len(fraction.numerator))
    numerators = defaultdict(lambda: np.zeros((last + 1, s * last + 1), object))
    for (sizes, without), number in cones.items():
        numerators[sizes][sum(without), sum(d * b for d, b in enumerate(without))] += number
    total = np.zeros((last + 1, s * last + 1), object)
    for sizes, numerator in numerators.items():
        total += times(numerator, [most - size for most, size in zip(exponents, sizes)])
    expected = np.zeros_like(total)
    rows, columns = fraction.numerator.shape
    expected[:rows, :columns] = fraction.numerator
    assert (times(total, known) == times(expected, exponents)).all()


def times(polynomial, powers):
    """Product with (1 - x^d y)^powers[d], d = 0, 1, ...; terms beyond the array [k, n] are left out."""
    columns = polynomial.shape[1]
    for d, power in enumerate(powers):
        for _ in range(power):
            shifted = np.zeros_like(polynomial)
            shifted[1:, d:] = polynomial[:-1, : columns - d]
            polynomial = polynomial - shifted
    return polynomial
