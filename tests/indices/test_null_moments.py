import itertools
from fractions import Fraction
from math import inf, perm

import pytest

from confmat.indices import null_moments
from confmat.indices.partition import (
    adjusted_rand_index,
    adjusted_rand_index_null_moments,
    expected_rand_distance,
    rand_distance,
)
from proofs.null_moments import components


def permutation_model(rows, cols):
    """ARI and RD of every permutation of one labeling against the other."""
    a = [i for i, size in enumerate(rows) for _ in range(size)]
    b = [j for j, size in enumerate(cols) for _ in range(size)]
    for permuted in itertools.permutations(b):
        table = [[0] * len(cols) for _ in rows]
        for i, j in zip(a, permuted):
            table[i][j] += 1
        yield table


def integer_partitions(n, largest):
    if n == 0:
        yield ()
    for first in range(min(n, largest), 0, -1):
        for rest in integer_partitions(n - first, first):
            yield (first, *rest)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_null_moments_over_all_permutations(n):
    sizes = list(integer_partitions(n, n))
    for rows, cols in itertools.combinations_with_replacement(sizes, 2):
        tables_ = list(permutation_model(rows, cols))
        aris = [adjusted_rand_index(t, exact=True) for t in tables_]
        mean = sum(aris) / len(aris)
        variance = sum(x**2 for x in aris) / len(aris) - mean**2
        assert adjusted_rand_index_null_moments(margins=(rows, cols)) == (mean, variance)
        rds = [rand_distance(t, exact=True) for t in tables_]
        assert expected_rand_distance(tables_[0], exact=True) == sum(rds) / len(rds)


@pytest.mark.parametrize(("rows", "cols"), [((3, 2, 1), (4, 2)), ((2, 2, 2), (3, 3)), ((3, 3), (3, 2, 1))])
def test_null_moments_for_six_objects(rows, cols):
    aris = [adjusted_rand_index(t, exact=True) for t in permutation_model(rows, cols)]
    mean, variance = adjusted_rand_index_null_moments(next(permutation_model(rows, cols)))
    assert (mean, variance) == (0, sum(x**2 for x in aris) / len(aris))


def test_null_moments_arguments_and_size():
    assert adjusted_rand_index_null_moments(margins=([0], [0, 0])) == (1, 0)
    big = adjusted_rand_index_null_moments(margins=([10**18] * 3, [10**18] * 3))
    assert big.mean == 0
    assert 0 < big.variance < Fraction(1, 10**17)
    with pytest.raises(ValueError, match="equal sums, got 3 for the rows and 4"):
        adjusted_rand_index_null_moments(margins=([3], [2, 2]))
    with pytest.raises(ValueError, match="equal sums, got 5 for the rows and 4"):
        adjusted_rand_index_null_moments(margins=([3, 2], [2, 2]))
    with pytest.raises(ValueError, match="argument 2 is longer"):
        adjusted_rand_index_null_moments(margins=([3], [2, 1], [3]))
    with pytest.raises(ValueError, match="give either a matrix, or two labelings, or margins"):
        adjusted_rand_index_null_moments()


@pytest.mark.parametrize(
    "margins", [((5, 3, 2), (4, 4, 2)), ((7, 5), (6, 3, 3)), ((9, 1), (5, 5)), ((30, 20), (40, 10))]
)
def test_mean_mutual_information_in_doubles(margins):
    exact = null_moments.mean_mutual_information_exactly(*margins)
    assert null_moments.mean_mutual_information(*margins) == pytest.approx(float(exact), rel=1e-12)


def test_the_series_for_large_cells_continues_the_sum(monkeypatch):
    margins = (3 * 10**5, 10**5), (25 * 10**4, 15 * 10**4)
    found = []
    for limit in (0, 10**6):
        monkeypatch.setattr(null_moments, "_LARGE_CELL", limit)
        found.append(null_moments.mean_mutual_information(*margins))
    assert found[0] == pytest.approx(found[1], rel=1e-8)


@pytest.mark.parametrize("order", range(5))
def test_components_are_those_of_all_sequences_of_pairs(order):
    ways = sum(times * perm(10, sum(sizes)) for sizes, times in components(order).items())
    assert ways == (10 * 9) ** order


@pytest.mark.parametrize("sizes", [(300_000, 400_000, 10**6), (150_000, 900_000, 10**6)])
def test_the_series_of_large_cells_is_their_sum(sizes, monkeypatch):
    a, b, n = sizes
    series = null_moments._mean_of_a_cell(*sizes)
    monkeypatch.setattr(null_moments, "_LARGE_CELL", inf)
    assert series == pytest.approx(null_moments._mean_of_a_cell(*sizes), abs=2 * (n / (a * b)) ** 2, rel=0)
