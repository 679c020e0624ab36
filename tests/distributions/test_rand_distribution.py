"""The law of the RD by recursion: against definition, enumeration, closed-form maximum, moments and totals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, perm, prod

import pytest

from confmat import Limits
from confmat._engine.run import Enumeration
from confmat._engine.signatures import summed_up
from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.distributions.rand_distribution import (
    LARGEST_COLUMNS_OF_RD,
    MOST_MEMORY,
    memory_of_columns,
    rand_distance_counts,
)
from confmat.distributions.rand_distribution.counts import rectangle, recursion
from confmat.indices.extremes import max_rand_distance
from proofs.rand_distance_recursion import require_relation

SHAPES = [(r, s) for r, largest in LARGEST_COLUMNS_OF_RD.items() for s in range(r, largest + 1)]


def twice_disagreements(table):
    squares = sum(x * x for line in (*table, *zip(*table)) for x in [sum(line)])
    return squares - 2 * sum(x * x for row in table for x in row)


def assert_enumerated(n, r, s):
    law = summed_up(Enumeration(Tables(n, r, s), "tables", Limits())).law.sum(axis=0).tolist()
    counts = rand_distance_counts(n, r, s)
    assert counts == law[: len(counts)]
    assert not any(law[len(counts) :])


@pytest.mark.parametrize("allow_empty", [False, True])
@pytest.mark.parametrize(
    ("r", "s", "largest"),
    [
        (1, 1, 4),
        (1, 3, 6),
        (1, 8, 3),
        (2, 2, 8),
        (2, 3, 6),
        (2, 6, 4),
        (3, 3, 5),
        (4, 2, 5),
        (3, 4, 4),
        (4, 4, 4),
    ],
)
def test_by_definition(r, s, largest, allow_empty):
    for n in range(largest + 1):
        law = Counter(twice_disagreements(t.tolist()) // 2 for t in Tables(n, r, s, allow_empty))
        assert Counter(dict(enumerate(rand_distance_counts(n, r, s, allow_empty=allow_empty)))) == law


@pytest.mark.parametrize(
    ("n", "r", "s"),
    [
        (20, 3, 3),
        (12, 4, 4),
        (16, 3, 4),
        (40, 2, 3),
        (12, 2, 5),
        pytest.param(12, 2, 8, marks=pytest.mark.slow),
    ],
)
def test_against_the_engine(n, r, s):
    assert_enumerated(n, r, s)
    assert rand_distance_counts(n, r, s) == rand_distance_counts(n, s, r, threads=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("r", "s", "largest"), [(3, 3, 40), (4, 4, 24), (3, 4, 26), (2, 3, 60), (2, 4, 50), (2, 5, 36)]
)
def test_against_the_engine_for_all_n(r, s, largest):
    for n in range(s, largest + 1):
        assert_enumerated(n, r, s)


@cache
def moments(n, r, s):
    """Means of F and F^2 over tables with empty lines: n_(K) prod k! / (rs (rs + 1) ...) for falling powers."""
    cells = list(product(range(r), range(s)))
    in_line = [(u, v) for u, v in product(cells, cells) if u < v and (u[0] == v[0]) != (u[1] == v[1])]
    squares = Counter(tuple(sorted(Counter(a + b).values())) for a, b in product(in_line, in_line))

    def mean(powers):  # of a product of powers 1 and 2 of different cells; x^2 = x(x - 1) + x
        total = Fraction(0)
        for falling in product(*([1, 2] if power == 2 else [1] for power in powers)):
            k = sum(falling)
            weight = prod(map(factorial, falling))
            total += Fraction(perm(n, k) * weight, perm(r * s + k - 1, k))
        return total

    return len(in_line) * mean((1, 1)), sum(times * mean(powers) for powers, times in squares.items())


def assert_moments(n, r, s):
    counts = rand_distance_counts(n, r, s, allow_empty=True)
    total = Tables(n, r, s, allow_empty=True).count()
    assert sum(counts) == total
    first, second = moments(n, r, s)
    assert Fraction(sum(f * count for f, count in enumerate(counts)), total) == first
    assert Fraction(sum(f * f * count for f, count in enumerate(counts)), total) == second


@pytest.mark.parametrize(
    ("n", "r", "s"), [(60, 3, 3), (260, 3, 3), (28, 4, 4), (50, 3, 4), (100, 2, 5), (30, 2, 8)]
)
def test_totals_moments_and_extremes(n, r, s):
    counts = rand_distance_counts(n, r, s)
    assert min(counts) >= 0
    assert sum(counts) == Tables(n, r, s).count()
    assert len(counts) - 1 == comb(n, 2) * max_rand_distance(n, r, s)
    assert counts[0] == (factorial(s) * comb(n - 1, s - 1) if r == s else 0)
    assert_moments(n, r, s)
    assert moments(n, r, s)[0] / comb(n, 2) == Fraction(r + s - 2, r * s + 1)


@pytest.mark.slow
def test_larger():
    for n, r, s in [(100, 4, 4), (600, 3, 3)]:
        assert_moments(n, r, s)
    assert_enumerated(30, 4, 4)


def test_a_wrong_relation_is_noticed():
    relations = recursion(2, 3)
    state = rectangle(2, 2, 2, 3)
    for term in relations[state]:
        wrong = relations[state] | {term: relations[state][term] + 1}
        with pytest.raises(AssertionError, match="the relation of"):
            require_relation(state, wrong, 2, 4)
    require_relation(state, relations[state], 2, 4)


@pytest.mark.parametrize(("r", "s"), SHAPES)
def test_sums_of_residues_are_exact_as_doubles(r, s):
    assert max(sum(map(abs, relation.values())) for relation in recursion(r, s).values()) < 2**22


@pytest.mark.parametrize("names", [("rd",), ("ri", "nrd"), ("mirkin", "ri")])
@pytest.mark.parametrize("matrices", [Tables(12, 3, 3), Tables(7, 2, 4, allow_empty=True), Tables(3, 1, 1)])
def test_joint_laws_are_the_enumerated_ones(matrices, names):
    enumerated = Counter()
    for (*values, _), count in list(joint_distribution(matrices, *names, "ard")):
        enumerated[tuple(values)] += count
    assert list(joint_distribution(matrices, *names)) == sorted(enumerated.items())


def test_no_members_and_one():
    assert rand_distance_counts(2, 3, 3) == []
    assert rand_distance_counts(0, 2, 2) == []
    assert rand_distance_counts(0, 2, 2, allow_empty=True) == [1]
    assert rand_distance_counts(1, 1, 1) == [1]


def test_errors():
    with pytest.raises(ValueError, match=r"the recursion is for shapes .*, got r = 5 and s = 3"):
        rand_distance_counts(20, 5, 3)
    with pytest.raises(
        ValueError, match="n must be smaller, got n=5000 for r=3, s=4: the recursion would take"
    ):
        rand_distance_counts(5000, 3, 4)
    for r, s in [(1, 1), (4, 4)]:
        with pytest.raises(ValueError, match="n must be smaller"):
            rand_distance_counts(10**30, r, s)
    with pytest.raises(ValueError, match="n must be at least 0, got -1"):
        rand_distance_counts(-1, 2, 2)
    with pytest.raises(ValueError, match="threads must be at least 1, got 0"):
        rand_distance_counts(10, 2, 2, threads=0)
    assert memory_of_columns(300, 4, 4) <= MOST_MEMORY < memory_of_columns(600, 4, 4)
