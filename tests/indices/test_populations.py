import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from confmat.indices.partition import distance_in_measure, hamming_distance, med, mirkin_distance

tables = arrays(int, array_shapes(min_dims=2, max_dims=2, max_side=4), elements=st.integers(0, 5))


@given(tables.filter(np.any))
def test_population_distances_of_the_empirical_masses(table):
    n = int(table.sum())
    masses = [[Fraction(x, n) for x in row] for row in table.tolist()]
    assert distance_in_measure(masses, exact=True) == med(table, exact=True)
    assert hamming_distance(masses, exact=True) == mirkin_distance(table, exact=True)
    floats = table / n
    assert distance_in_measure(floats) == pytest.approx(med(table), abs=1e-12)
    assert hamming_distance(floats) == pytest.approx(mirkin_distance(table), abs=1e-12)


def test_distance_in_measure_by_its_definition():
    masses = np.array([[0.2, 0.05, 0.1], [0.05, 0.3, 0.3]])
    square = np.vstack([masses, np.zeros(3)])
    rows, cols = square.sum(axis=1), square.sum(axis=0)
    least = min(
        sum(rows[i] + cols[j] - 2 * square[i, j] for i, j in enumerate(order)) / 2
        for order in itertools.permutations(range(3))
    )
    assert distance_in_measure(masses) == pytest.approx(least, abs=1e-15)


def test_masses_must_be_probabilities():
    with pytest.raises(ValueError, match=r"masses must add up to 1, got 3\.0"):
        distance_in_measure([[1, 2]])
    for excess in (Fraction(1, 10**9), Fraction(-1, 10**9)):
        distance_in_measure([[Fraction(1, 2), Fraction(1, 2) + excess]])
        with pytest.raises(ValueError, match="masses must add up to 1"):
            distance_in_measure([[Fraction(1, 2), Fraction(1, 2) + excess * Fraction(101, 100)]])


def test_floats_of_a_population_are_taken_as_they_are():
    masses = [[0.1, 0.2, 0.3], [0.05, 0.15, 0.2]]  # none is a binary fraction
    p = [[Fraction(x) for x in row] for row in masses]
    squares = sum(sum(row) ** 2 for row in p) + sum(sum(column) ** 2 for column in zip(*p))
    expected = squares - 2 * sum(x**2 for row in p for x in row)
    assert hamming_distance(masses, exact=True) == expected
    assert distance_in_measure(masses, exact=True) == p[0][0] + p[0][1] + p[1][0] + p[1][2]
