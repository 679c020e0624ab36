"""The strategies reach the corners, and shrink to the example that a person would give."""

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from drawn import has_no_empty_line, smallest
from hypothesis import Phase
from hypothesis import strategies as st

from confmat.classes import canonical
from confmat.indices.partition import adjusted_rand_distance, med, wallace_ab
from confmat.testing import labeling_pairs, labelings, margins, memberships, near, partitions, tables

# --- corners are reached ---


@pytest.mark.parametrize(
    ("strategy", "corner"),
    [
        (tables(), lambda t: t.shape == (1, 1)),
        (tables(), lambda t: t.shape[0] == 1 and t.shape[1] > 1),
        pytest.param(
            tables(), lambda t: t.shape[0] == t.shape[1] == t.sum() == 3, marks=pytest.mark.slow
        ),  # singletons on both sides: thousands of examples
        (tables(), lambda t: t.shape == (3, 3) and has_no_empty_line(t) and (t > 0).all()),
        (tables(nonempty=False), lambda t: not t.any()),
        (tables(shape=(2, 2), nonempty=False), lambda t: t.any() and not t[0].any() and not t[:, 0].any()),
        (tables(n=2**62, shape=(2, 2)), lambda t: t.min() > 2**20),
        (tables(n=st.integers(1, 2**62)), lambda t: t.max() > 2**61),
        (tables(), lambda t: t.max() >= 2**60),
        (tables(), lambda t: t.max() > 2**32 and (t == 0).any()),
        (tables(), lambda t: t.max() >= 30),
        (tables(shape=(2, 3)), lambda t: t.max() > 2**32),
        (margins(), lambda sides: max(sides[0]) >= 2**40),
        (partitions(), lambda sizes: sizes[0] >= 2**40),
        (labelings(), lambda labels: len(set(labels)) == len(labels) == 4),
        (memberships(), lambda U: set(U.ravel()) == {0, 1} and len(U) <= 4 and U.shape[1] == 3),
        (memberships(), lambda U: U.shape[1] == 3 and not U.any(axis=0).all()),
    ],
)
def test_corners(strategy, corner):
    smallest(strategy, corner, phases=[Phase.generate])


# --- planted bugs: the example that a person would give ---


def test_tables_shrink_to_the_smallest_member():
    assert smallest(tables(), lambda t: True).tolist() == [[1]]
    assert smallest(tables(), lambda t: t.max() >= 10).tolist() == [[10]]
    assert smallest(tables(), lambda t: t.sum() >= 46342).tolist() == [[46342]]
    assert smallest(margins(), lambda sides: sides[0][0] >= 30) == ((30,), (30,))
    assert smallest(tables(shape=(3, 3)), lambda t: True).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert smallest(tables(n=9, shape=(2, 3)), lambda t: True).tolist() == [[7, 1, 0], [0, 0, 1]]


def test_a_distance_that_should_be_zero():
    assert smallest(tables(), lambda t: med(t) > 0).tolist() in ([[1, 1]], [[1], [1]])


def test_a_coefficient_that_is_not_symmetric():
    def asymmetric(table):
        return wallace_ab(table, undefined=0) != wallace_ab(table.T, undefined=0)

    assert smallest(tables(), asymmetric).tolist() in ([[2, 1]], [[2], [1]])


def test_a_distance_above_one():
    found = smallest(tables(), lambda t: adjusted_rand_distance(t) > 1)
    assert canonical(found).tolist() == [[1, 1], [1, 0]]


def test_pair_products_that_wrap_around():
    def wraps(table):
        n = int(table.sum())
        return n * (n - 1) >= 2**63

    n = isqrt(2**63) + 2  # the least total with 2^63 ordered pairs
    assert (n - 1) * (n - 2) < 2**63 <= n * (n - 1)
    assert smallest(tables(n=st.integers(1, 2**62)), wraps).tolist() == [[n]]


def test_a_greedy_matching():
    def greedy_loses(table):
        left, total = table.copy(), 0
        while left.any():
            i, j = np.unravel_index(left.argmax(), left.shape)
            total += left[i, j]
            left[i], left[:, j] = 0, 0
        return total < table.sum() * (1 - med(table, exact=True))

    found = smallest(tables(), greedy_loses, 3000)
    assert found.shape == (2, 2)  # such as [[2, 2], [0, 1]] or [[1, 1], [1, 0]]
    assert found.sum() <= 5


def test_a_bug_at_an_empty_line_or_at_fixed_margins():
    assert smallest(tables(nonempty=False), lambda t: not has_no_empty_line(t)).tolist() == [[0]]
    found = smallest(tables(rows=(5, 4), cols=(3, 3, 3)), lambda t: t[0, 0] == 0)
    assert found.tolist() == [[0, 3, 2], [3, 0, 1]]


def test_labelings_and_moves_shrink():
    assert smallest(labelings(), lambda labels: labels.count(1) == 3) == [1, 1, 1, 0]
    long = smallest(labelings(n=1000, clusters=3), lambda labels: labels.count(1) >= 10)
    assert long == [0] * 989 + [1] * 10 + [2]
    pair = smallest(labeling_pairs(), lambda p: len(set(p[0])) == len(p[0]) == 3 and len(set(p[1])) == 1)
    assert pair == ([0, 1, 2], [0, 0, 0])
    assert smallest(near([[3, 0], [0, 2]], med=1), lambda t: t[1, 0]).tolist() == [[2, 0], [1, 2]]
    assert smallest(partitions(), lambda p: len(p) == 2 and p[0] == p[1]) == (1, 1)
    U = smallest(memberships(exact=True), lambda U: U.shape[1] == 2 and 0 < U[0, 0] < 1)
    assert U.tolist() == [[Fraction(1, 2), Fraction(1, 2)]]
