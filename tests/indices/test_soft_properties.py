"""What the soft indices share and what they do not: crisp input, symmetry, U = V, degenerate cases."""

import math
from fractions import Fraction

import numpy as np
import pytest
import soft_by_definition as slow
from hypothesis import given
from hypothesis import strategies as st
from soft_cases import ADJUSTED, EVERY, RANDS, counts, label_pairs, membership_pairs

from confmat.contingency import contingency_matrix
from confmat.errors import UndefinedIndexError
from confmat.indices import soft
from confmat.indices.partition import adjusted_rand_index, rand_index


@EVERY
@given(label_pairs)
def test_hard_labels_give_the_rand_and_the_adjusted_rand_index(labels):
    U, V = labels
    table = contingency_matrix(U, V)
    ri, ari = rand_index(table, exact=True), adjusted_rand_index(table, exact=True)
    for name, function in RANDS.items():
        assert function(U, V) == pytest.approx(float(ri)), name
    for name, function in ADJUSTED.items():
        assert function(U, V) == pytest.approx(float(ari)), name
    for function in (soft.ndc, soft.campello_rand, soft.frigui_rand, soft.anderson_rand):
        assert function(U, V, exact=True) == ri
    for function in (soft.aci, soft.sari, soft.campello_adjusted_rand, soft.frigui_adjusted_rand):
        assert function(U, V, exact=True) == ari
    ordinary = soft.table_pairs(table, exact=True)
    for function in (soft.campello_pairs, soft.frigui_pairs, soft.anderson_pairs, soft.huellermeier_pairs):
        assert function(U, V, exact=True) == ordinary
    assert counts(soft.brouwer_pairs(U, V)) == pytest.approx(counts(ordinary), abs=1e-12)


def approx(value):
    return pytest.approx(value, rel=1e-7, abs=1e-9, nan_ok=True)


@EVERY
@given(membership_pairs(), st.randoms(use_true_random=False))
def test_symmetry_and_invariance_under_relabeling(UV, random):
    U, V = (np.array(W, dtype=float) for W in UV)
    objects = random.sample(range(len(U)), len(U))
    clusters = random.sample(range(U.shape[1]), U.shape[1])
    for function in (RANDS | ADJUSTED).values():
        # Some soft pairs are 0/0 for some indices; close to it, roundoff would decide.
        options = {} if function in (soft.ndc, soft.aci) else {"undefined": "nan"}
        value = function(U, V, **options)
        if abs(value) > 1e6:
            continue
        assert function(V, U, **options) == approx(value)
        assert function(U[objects][:, clusters], V[objects], **options) == approx(value)
        padded = np.column_stack([V, np.zeros(len(V))])
        assert function(U, padded, **options) == approx(value)


@EVERY
@given(membership_pairs(sides=1))
def test_every_clustering_agrees_with_itself_for_ndc_and_aci(U):
    (U,) = U
    assert soft.ndc(U, U, exact=True) == soft.aci(U, U, exact=True) == 1
    assert soft.ndc(U, U) == soft.aci(U, U) == 1
    renamed = [row[::-1] for row in U]
    assert soft.ndc(U, renamed, exact=True) == soft.aci(U, renamed, exact=True) == 1


def test_other_indices_are_not_reflexive_recorded_examples():
    half = Fraction(1, 2)
    U = [[1, 0], [half, half], [0, 1]]
    # By hand: U'U = [[5/4, 1/4], [1/4, 5/4]]; similarities 1/2, 1/2, 0.
    assert soft.campello_rand(U, U, exact=True) == Fraction(3, 5)
    assert soft.campello_adjusted_rand(U, U, exact=True) == Fraction(1, 6)
    assert soft.frigui_rand(U, U, exact=True) == Fraction(2, 3)
    assert soft.frigui_adjusted_rand(U, U, exact=True) == Fraction(1, 4)
    assert soft.anderson_rand(U, U, exact=True) == Fraction(7, 12)
    assert soft.sari(U, U, exact=True) == Fraction(-1, 9)
    cosine = 0.5**0.5
    assert soft.brouwer_rand(U, U) == pytest.approx((2 * (cosine**2 + (1 - cosine) ** 2) + 1) / 3)


@EVERY
@given(membership_pairs(sides=3))
def test_one_minus_ndc_is_a_pseudo_metric(UVW):
    U, V, W = UVW
    d = lambda A, B: 1 - soft.ndc(A, B, exact=True)  # noqa: E731
    assert d(U, V) >= 0
    assert d(U, W) <= d(U, V) + d(V, W)


def test_ndc_is_no_metric_two_different_clusterings_at_distance_zero():
    third = Fraction(1, 3)
    U = [[1, 0], [third, 2 * third]]
    V = [[2 * third, third], [0, 1]]
    assert soft.ndc(U, V, exact=True) == 1


# Degenerate cases.


@pytest.mark.parametrize("labels", [[0], [0, 0, 0], [0, 1, 2]])
def test_where_hard_partitions_coincide_trivially_every_index_is_one(labels):
    for function in (RANDS | ADJUSTED).values():
        assert function(labels, labels) == 1


def test_one_object_without_pairs():
    for function in (RANDS | ADJUSTED).values():
        assert function([[0.3, 0.7]], [[0.5, 0.5]]) == 1
    assert soft.expected_ndc([0], [0]) == 1
    with pytest.raises(UndefinedIndexError):
        soft.campello_pairs([0], [0]).jaccard()


def test_constant_soft_rows():
    U = [[0.3, 0.7]] * 5
    V = [[0.1, 0.9]] * 5
    assert soft.ndc(U, V) == soft.aci(U, V) == 1
    assert soft.brouwer_adjusted_rand(U, V) == 1
    W = np.eye(5)
    assert soft.ndc(U, W) == 0
    assert soft.aci(U, W) == 0


def test_zero_over_zero_follows_undefined():
    pairs = soft.FuzzyPairCounts(*[Fraction(0)] * 4, pairs=3)
    with pytest.raises(UndefinedIndexError, match="Rand index is 0/0"):
        pairs.rand()
    assert math.isnan(pairs.rand("nan"))
    assert pairs.adjusted_rand(0) == 0
    singletons = soft.frigui_pairs([0, 1, 2], [0, 1, 2])
    assert math.isnan(singletons.jaccard("nan"))
    assert math.isnan(singletons.fowlkes_mallows("nan"))
    assert singletons.dice(1) == 1


def test_thin_masses_leave_the_range_of_the_adjusted_rand_index():
    """With sums of memberships below 1 the pair count a of Anderson is negative; sARI then falls below -1."""
    U = [[Fraction(1, 3), Fraction(2, 3)]] * 2
    V = [0, 1]
    assert soft.anderson_pairs(U, V, exact=True).a < 0
    assert soft.sari(U, V, exact=True) == slow.flynt_equation_5([*U], [[1, 0], [0, 1]]) == -8
