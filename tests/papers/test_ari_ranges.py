"""Bounds of the ARI at a correct rate, against enumeration, linear programming and simulation."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from late import optimize, stats

import ari_ranges as ranges
from confmat.classes import FixedRows
from confmat.indices.classification import accuracy, balanced_accuracy
from confmat.indices.partition import adjusted_rand_index


def attainable(sizes):
    """(COR, ARI) of every matrix with these class sizes."""
    for matrix in FixedRows(sizes, 2):
        yield accuracy(matrix, exact=True), adjusted_rand_index(matrix, exact=True)


@pytest.mark.parametrize("sizes", [(1, 1), (4, 1), (3, 5), (6, 6)])
def test_extremes_by_enumeration(sizes):
    values = {}
    for cor, ari in attainable(sizes):
        values.setdefault((1 - cor) * sum(sizes), []).append(ari)
    extremes = ranges.ari_extremes(sizes)
    assert len(extremes) == len(values) == sum(sizes) + 1
    for errors, ari in values.items():
        assert extremes[int(errors)] == (min(ari), max(ari))
    # No error and nothing but errors: the same partition.
    assert extremes[0] == extremes[-1] == (1, 1)


def test_extremes_are_symmetric():
    extremes = ranges.ari_extremes((9, 4))
    assert extremes == extremes[::-1] == ranges.ari_extremes((4, 9))


def test_wdbc():
    # 18 errors of 569: COR 96.84.
    low, high = ranges.ari_extremes((357, 212))[18]
    assert round(float(low), 3) == 0.876
    assert round(float(high), 3) == 0.877
    exactly = ranges.range_of_one((357, 212), Fraction(551, 569))
    assert exactly == (low, high)
    between = ranges.range_of_one((357, 212), Fraction("0.9679"))
    assert between == (ranges.ari_extremes((357, 212))[19][0], high)


@pytest.mark.parametrize("shapes", [[(3, 5)], [(6, 6)], [(7, 2)], [(4, 3), (3, 4), (3, 3)]])
def test_least_mean_by_linear_programming(shapes):
    points = [point for sizes in shapes for point in attainable(sizes)]
    cor, ari = np.array(points, dtype=float).T
    for wanted in np.linspace(0, 1, 14):
        margin = 0.02
        answer = optimize.linprog(
            ari,
            A_ub=[cor, -cor],
            b_ub=[wanted + margin, -(wanted - margin)],
            A_eq=[np.ones(len(cor))],
            b_eq=[1],
        )
        ours = ranges.least_mean(shapes, Fraction(wanted), Fraction(margin))
        assert float(ours) == pytest.approx(answer.fun, abs=1e-9)


def test_upper_side_of_the_hull_is_one():
    # Runs without an error and runs with nothing but errors have mean ARI 1 at any mean COR.
    for sizes in ((4, 4), (9, 2)):
        points = dict.fromkeys(attainable(sizes))
        assert (0, 1) in points
        assert (1, 1) in points
        assert max(ari for _, ari in points) == 1


def test_lower_hull():
    rng = np.random.default_rng(0)
    points = [(Fraction(int(x)), Fraction(int(y))) for x, y in rng.integers(20, size=(60, 2))]
    hull = ranges.lower_hull(points)
    assert set(hull) <= set(points)
    slopes = [(q[1] - p[1]) / (q[0] - p[0]) for p, q in pairwise(hull)]
    assert slopes == sorted(set(slopes))
    assert all(ranges._height(hull, x) <= y for x, y in points)


def test_matrices_by_enumeration():
    cor, bcr, margin = Fraction("0.75"), Fraction("0.70"), Fraction(1, 12)
    found = ranges.matrices_at((7, 6), cor, bcr, margin)
    expected = [
        tuple(map(tuple, matrix.tolist()))
        for a, b in product(range(1, 8), range(1, 7))
        for matrix in FixedRows((a, b), 2)
        if abs(accuracy(matrix, exact=True) - cor) <= margin
        and abs(balanced_accuracy(matrix, exact=True) - bcr) <= margin
    ]
    assert len(expected) > 3
    assert sorted(found) == sorted(expected)


# Random halves.


@pytest.mark.parametrize(("sizes", "runs"), [((3, 2), 1), ((4, 5), 2), ((5, 5), 3)])
@pytest.mark.parametrize("probability", [0.5, 0.1, 0.01, 1e-6])
def test_usual_spread_by_enumeration(sizes, runs, probability):
    a, n = sizes[0], sum(sizes)
    law = stats.hypergeom(n, a, n // 2)
    largest, mean = ranges.usual_spread(sizes, runs, probability)
    tail = sum(law.pmf(x) for x in range(a + 1) if abs(x - Fraction(a, 2)) > largest)
    assert tail * runs <= probability + 1e-12
    outcomes = list(product(range(a + 1), repeat=runs))

    def exceeds(bound):
        return sum(
            np.prod(law.pmf(list(xs)))
            for xs in outcomes
            if sum(abs(x - Fraction(a, 2)) for x in xs) / runs > bound
        )

    assert exceeds(mean) <= probability + 1e-12
    if mean >= Fraction(1, runs):
        assert exceeds(mean - Fraction(1, runs)) > probability


@pytest.mark.parametrize("sizes", [(20, 20), (30, 12)])
@pytest.mark.parametrize("cor", ["0.9", "0.72"])
def test_even_halves_are_stratified_halves(sizes, cor):
    cor = Fraction(cor)
    even = ranges.least_mean_random(sizes, cor, (Fraction(0), Fraction(0)))
    assert ranges.stratified_halves(sizes) == [(sizes[0] // 2, sizes[1] // 2)]
    exact = ranges.least_mean(ranges.stratified_halves(sizes), cor)
    assert even <= exact
    assert float(even) == pytest.approx(float(exact), abs=1e-5)


@pytest.mark.parametrize("sizes", [(12, 5), (9, 9), (3, 20)])
def test_random_halves_obey_the_bound(sizes):
    rng = np.random.default_rng(sum(sizes))
    y = np.repeat([0, 1], sizes)
    spread = ranges.usual_spread(sizes)
    for _ in range(30):
        accurate = rng.uniform(0.5, 1, size=2)
        cor, ari = [], []
        for _ in range(20):
            order = rng.permutation(len(y))
            for half in np.array_split(order, 2):
                kept = rng.random(len(half)) < accurate[y[half]]
                matrix = np.zeros((2, 2), dtype=int)
                np.add.at(matrix, (y[half], np.where(kept, y[half], 1 - y[half])), 1)
                cor.append(accuracy(matrix, exact=True))
                ari.append(adjusted_rand_index(matrix, exact=True))
        bound = ranges.least_mean_random(sizes, sum(cor) / len(cor), spread, Fraction(0))
        assert sum(ari) / len(ari) >= bound


def test_errors():
    with pytest.raises(ValueError, match=r"sizes must be at least 1, got 0"):
        ranges.ari_extremes((0, 3))
    with pytest.raises(ValueError, match="cor must be between 0 and 1, got 96"):
        ranges.least_mean([(5, 5)], 96)
    with pytest.raises(ValueError, match="spread must be at least 1/2 with 5 objects"):
        ranges.least_mean_random((5, 4), Fraction(9, 10), (Fraction(3), Fraction(0)))


@pytest.mark.parametrize("sizes", [(1, 1), (13, 4), (60, 41)])
def test_floats_are_close(sizes):
    a, b = sizes
    u, v = np.meshgrid(np.arange(a + 1), np.arange(b + 1))
    exact = [float(ranges.two_class_ari(a, b, *pair)) for pair in zip(u.ravel().tolist(), v.ravel().tolist())]
    assert np.abs(ranges._float_ari(a, b, u, v).ravel() - exact).max() < 1e-14
