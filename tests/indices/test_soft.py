"""The soft indices against their definitions, their stated properties, and printed values."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import soft_by_definition as slow
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from confmat.indices import soft
from confmat.indices.partition import adjusted_rand_index, rand_index
from confmat.indices.undefined import UndefinedIndexError
from confmat.labels import contingency
from confmat.studies.flynt2019 import _partitions
from confmat.studies.fuzzy_clustering import pd_of_classes

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "soft_indices.json").read_text())
T_NORMS = {"min": min, "product": lambda x, y: x * y, "lukasiewicz": lambda x, y: max(x + y - 1, 0)}
RANDS = {
    "ndc": soft.ndc,
    "campello": soft.campello_rand,
    "brouwer": soft.brouwer_rand,
    "frigui": soft.frigui_rand,
    "anderson": soft.anderson_rand,
}
ADJUSTED = {
    "aci": soft.aci,
    "sari": soft.sari,
    "campello": soft.campello_adjusted_rand,
    "brouwer": soft.brouwer_adjusted_rand,
    "frigui": soft.frigui_adjusted_rand,
    "anderson": soft.anderson_adjusted_rand,
}
EVERY = settings(derandomize=True, max_examples=60, deadline=None)


@st.composite
def rows(draw, clusters, q):
    cuts = sorted(draw(st.lists(st.integers(0, q), min_size=clusters - 1, max_size=clusters - 1)))
    return [Fraction(high - low, q) for low, high in zip([0, *cuts], [*cuts, q])]


@st.composite
def membership_pairs(draw, sides=2, min_n=2):
    """Matrices of one number of objects, rational, with their own numbers of clusters and denominators."""
    n = draw(st.integers(min_n, 6))
    shapes = [(draw(st.integers(1, 4)), draw(st.integers(1, 7))) for _ in range(sides)]
    return [draw(st.lists(rows(k, q), min_size=n, max_size=n)) for k, q in shapes]


label_pairs = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
)


# Against the definitions.


def counts(pairs):
    return [pairs.a, pairs.b, pairs.c, pairs.d]


@EVERY
@given(membership_pairs())
def test_pair_counts_follow_their_definitions_exactly(UV):
    U, V = UV
    for name, t in T_NORMS.items():
        assert counts(soft.campello_pairs(U, V, t_norm=name, exact=True)) == slow.campello(U, V, t)
    assert counts(soft.frigui_pairs(U, V, exact=True)) == slow.bonding(U, V, slow.inner)
    assert counts(soft.huellermeier_pairs(U, V, exact=True)) == slow.huellermeier(U, V)
    assert soft.ndc(U, V, exact=True) == slow.concordance(slow.equivalences(U), slow.equivalences(V))


@EVERY
@given(membership_pairs())
def test_floats_agree_with_fractions(UV):
    U, V = UV
    for name in T_NORMS:
        exact = soft.campello_pairs(U, V, t_norm=name, exact=True)
        assert counts(soft.campello_pairs(U, V, t_norm=name)) == pytest.approx(counts(exact), abs=1e-12)
    for function in (soft.frigui_pairs, soft.anderson_pairs, soft.huellermeier_pairs):
        assert counts(function(U, V)) == pytest.approx(counts(function(U, V, exact=True)), abs=1e-12)
    assert counts(soft.brouwer_pairs(U, V)) == pytest.approx(slow.bonding(U, V, slow.cosine), abs=1e-12)
    for function in (soft.ndc, soft.aci, soft.expected_ndc):
        assert function(U, V) == pytest.approx(float(function(U, V, exact=True)), abs=1e-9)


@EVERY
@given(membership_pairs())
def test_sari_is_equation_5_and_the_adjusted_index_of_anderson(UV):
    U, V = UV
    pairs = soft.anderson_pairs(U, V, exact=True)
    assert pairs.a + pairs.b + pairs.c + pairs.d == pairs.pairs == math.comb(len(U), 2)
    try:
        expected = slow.flynt_equation_5(U, V)
    except ZeroDivisionError:
        assume(False)
    assert soft.sari(U, V, exact=True) == soft.anderson_adjusted_rand(U, V, exact=True) == expected
    assert slow.adjusted(counts(pairs)) == expected
    assert soft.sari(U, V) == pytest.approx(float(expected), rel=1e-9, abs=1e-9)


def test_large_denominators_leave_64_bits():
    q = 10**6 + 3
    U = [[Fraction(k * 1000, q), 1 - Fraction(k * 1000, q)] for k in range(40)]
    V = [[Fraction(k * k, q), 1 - Fraction(k * k, q)] for k in range(40)]
    assert counts(soft.frigui_pairs(U, V, exact=True)) == slow.bonding(U, V, slow.inner)
    assert soft.sari(U, V, exact=True) == slow.flynt_equation_5(U, V)
    assert soft.aci(U, V, exact=True) == pytest.approx(soft.aci(U, V))


def test_blocks_do_not_change_the_result(monkeypatch):
    rng = np.random.default_rng(8)
    U, V = rng.dirichlet(np.ones(3), 53), rng.dirichlet(np.ones(4), 53)
    whole = soft.all_indices(U, V)
    for block in (1, 60, 500):
        monkeypatch.setattr("confmat.indices.soft.pairs.BLOCK", block)
        assert soft.all_indices(U, V) == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 10])
@pytest.mark.parametrize("block", [1, 7, 30, 10**6])
def test_pair_blocks_cover_each_pair_once(monkeypatch, n, block):
    monkeypatch.setattr("confmat.indices.soft.pairs.BLOCK", block)
    monkeypatch.setattr("rich.progress.track", None)  # not asked for
    blocks = [list(np.broadcast(i, j)) for i, j in soft.pairs.pair_blocks(n)]
    assert all(0 < len(found) <= max(block, n) for found in blocks)
    pairs = [(int(a), int(b)) for found in blocks for a, b in found]
    assert sorted(pairs) == [(i, j) for i in range(n) for j in range(i + 1, n)]


# Properties.


@EVERY
@given(label_pairs)
def test_hard_labels_give_the_rand_and_the_adjusted_rand_index(labels):
    U, V = labels
    table = contingency(U, V)
    ri, ari = rand_index(table, exact=True), adjusted_rand_index(table, exact=True)
    for name, function in RANDS.items():
        assert function(U, V) == pytest.approx(float(ri)), name
    for name, function in ADJUSTED.items():
        assert function(U, V) == pytest.approx(float(ari)), name
    for function in (soft.ndc, soft.campello_rand, soft.frigui_rand, soft.anderson_rand):
        assert function(U, V, exact=True) == ri
    for function in (soft.aci, soft.sari, soft.campello_adjusted_rand, soft.frigui_adjusted_rand):
        assert function(U, V, exact=True) == ari
    for t_norm in T_NORMS:
        assert soft.campello_adjusted_rand(U, V, t_norm=t_norm, exact=True) == ari
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


def test_possibilistic_scaling():
    rng = np.random.default_rng(3)
    U, V = rng.dirichlet(np.ones(3), 20), rng.dirichlet(np.ones(2), 20)
    plain = soft.anderson_pairs(U, V)
    # A common factor of the memberships is what the scaling removes.
    scaled = soft.anderson_pairs(0.5 * U, 0.7 * V, possibilistic=True)
    assert counts(scaled) == pytest.approx(counts(plain))
    U = [[1, 0], [0.5, 0.5]]
    V = [[0.3, 0.1], [0.4, 0.0]]
    N = np.array(U).T @ np.array(V)
    assert soft.anderson_pairs(U, V, possibilistic=True) == soft.table_pairs(N * (2 / N.sum()))
    exact = soft.anderson_adjusted_rand(
        [[Fraction(1, 2), 1], [1, 0], [1, 1]], [[1, 0], [0, 1], [0, 1]], possibilistic=True, exact=True
    )
    assert isinstance(exact, Fraction)
    with pytest.raises(ValueError, match="no object belongs to a cluster of both"):
        soft.anderson_pairs([[0, 0]], [[0.5, 0]], possibilistic=True)


# Degenerate cases.


@pytest.mark.parametrize("labels", [[0], [0, 0, 0], [0, 1, 2]])
def test_where_hard_partitions_coincide_trivially_every_index_is_one(labels):
    for function in (RANDS | ADJUSTED).values():
        assert function(labels, labels) == 1


def test_one_object_without_pairs():
    for function in (RANDS | ADJUSTED).values():
        assert function([[0.3, 0.7]], [[0.5, 0.5]]) == 1
    assert soft.expected_ndc([0], [0]) == 1
    assert soft.expected_ndc_bounds([0], [0]) == (1, 1)
    assert soft.expected_ndc_monte_carlo([0], [0]) == (1, 0)
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
    U = [[Fraction(1, 2), Fraction(1, 2)]] * 3
    pairs = soft.campello_pairs(U, U, t_norm="lukasiewicz", exact=True)
    assert counts(pairs) == [0, 0, 0, 0]
    with pytest.raises(UndefinedIndexError, match="Rand index is 0/0"):
        pairs.rand()
    assert math.isnan(soft.campello_rand(U, U, t_norm="lukasiewicz", undefined="nan"))
    assert soft.campello_adjusted_rand(U, U, t_norm="lukasiewicz", undefined=0, exact=True) == 0
    singletons = soft.frigui_pairs([0, 1, 2], [0, 1, 2])
    assert math.isnan(singletons.jaccard("nan"))
    assert math.isnan(singletons.fowlkes_mallows("nan"))
    assert singletons.dice(1) == 1


def test_indices_of_four_pair_counts():
    pairs = soft.FuzzyPairCounts(*map(Fraction, (3, 1, 2, 4)), pairs=10)
    assert (pairs.rand(), pairs.jaccard(), pairs.dice()) == (Fraction(7, 10), Fraction(1, 2), Fraction(2, 3))
    assert pairs.adjusted_rand() == Fraction(2, 5)
    assert pairs.fowlkes_mallows() == pytest.approx(3 / math.sqrt(20), rel=1e-15)
    assert soft.FuzzyPairCounts(0.25, 0.25, 0.25, 0.25, 1).fowlkes_mallows() == 0.5
    assert soft.FuzzyPairCounts(0.0, 1.0, 0.0, 0.0, 1).rand() == 0
    with pytest.raises(AttributeError):
        pairs.a = 1


def test_floats_in_a_table_are_taken_as_they_are():
    p = [[Fraction(x) for x in row] for row in ((1.1, 2.2), (3.3, 0.4))]  # none is a binary fraction
    squares, n = sum(x**2 for row in p for x in row), sum(map(sum, p))
    pairs = soft.table_pairs([[1.1, 2.2], [3.3, 0.4]], exact=True)
    assert (pairs.a, pairs.b) == ((squares - n) / 2, (sum(sum(row) ** 2 for row in p) - squares) / 2)
    assert (pairs.c, pairs.pairs) == ((sum(sum(column) ** 2 for column in zip(*p)) - squares) / 2, 21)


def test_indices_of_four_pair_counts_at_the_edge():
    for zero in (0.0, Fraction(0)):
        nothing = soft.FuzzyPairCounts(zero, zero, zero, zero, pairs=0)
        assert nothing.rand() == nothing.adjusted_rand() == 1
        assert type(nothing.rand()) is type(nothing.adjusted_rand()) is type(zero)
    for a, d in ((1.0, 0.0), (0.0, 1.0), (-0.25, 0.0)):
        assert soft.FuzzyPairCounts(a, 0.0, 0.0, d, 1).adjusted_rand() == 1
    for b, c in ((1.0, 0.0), (0.0, 1.0)):  # a < 0 where masses are thin
        with pytest.raises(UndefinedIndexError, match="adjusted Rand index"):
            soft.FuzzyPairCounts(-1.0, b, c, 0.0, 1).adjusted_rand()
        for a in (0.0, -0.25):
            with pytest.raises(UndefinedIndexError, match="a clustering puts no pair together"):
                soft.FuzzyPairCounts(a, b, c, 1.0, 2).fowlkes_mallows()


def test_thin_masses_leave_the_range_of_the_adjusted_rand_index():
    """With sums of memberships below 1 the pair count a of Anderson is negative; sARI then falls below -1."""
    U = [[Fraction(1, 3), Fraction(2, 3)]] * 2
    V = [0, 1]
    assert soft.anderson_pairs(U, V, exact=True).a < 0
    assert soft.sari(U, V, exact=True) == slow.flynt_equation_5([*U], [[1, 0], [0, 1]]) == -8


@pytest.mark.parametrize("denominators", [(3, 7), (10**4 + 7, 10**4 + 9), (10**15 + 37, 3)])
def test_exact_values_with_denominators_of_any_size(denominators):
    """Small ones are counted in 64-bit integers; the fourth powers of the others do not fit."""
    p, q = (Fraction(1, d) for d in denominators)
    U = [[p, 1 - p], [1 - p, p], [Fraction(1, 2)] * 2, [1 - q, q]]
    V = [[q, 1 - 2 * q, q], [0, 1, 0], [1 - p, 0, p], [0, p, 1 - p]]
    for t_norm, t in T_NORMS.items():
        assert counts(soft.campello_pairs(U, V, t_norm=t_norm, exact=True)) == slow.campello(U, V, t)
    assert counts(soft.frigui_pairs(U, V, exact=True)) == slow.bonding(U, V, slow.inner)
    assert counts(soft.huellermeier_pairs(U, V, exact=True)) == slow.huellermeier(U, V)
    assert soft.sari(U, V, exact=True) == slow.flynt_equation_5(U, V)


# Printed values.


def test_toy_example():
    toy = ORACLES["toy"]
    for name in ("ndc", "expected_ndc", "aci"):
        assert getattr(soft, name)(toy["U"], toy["V"]) == pytest.approx(toy[name], abs=5e-5), name


def test_crisp_example():
    case = ORACLES["crisp_example"]
    pairs = soft.huellermeier_pairs(case["U"], case["V"], exact=True)
    assert counts(pairs) == case["counts"]
    assert pairs.rand() == case["rand"]
    assert soft.aci(case["U"], case["V"], exact=True) == case["adjusted_rand"]


@pytest.mark.parametrize("case", ORACLES["tables"], ids=lambda case: case["source"])
def test_printed_tables(case):
    pairs = soft.table_pairs(case["table"])
    for name in {"rand", "adjusted_rand"} & case.keys():
        assert getattr(pairs, name)() == pytest.approx(case[name], abs=5e-4)


def test_iris_against_itself():
    X, y = load_iris(return_X_y=True)
    U = pd_of_classes(X, y)
    values = soft.all_indices(U, U)
    for name, value in ORACLES["iris_against_itself"].items():
        if name != "source":
            assert values[name] == pytest.approx(value, abs=5e-5), name


@pytest.mark.parametrize("case", ORACLES["diabetes"]["sari"], ids=lambda case: f"{case[0]}, {case[1]}")
def test_diabetes(case):
    first, second, value = case
    partitions = _partitions()
    assert soft.sari(partitions[first], partitions[second]) == pytest.approx(value, abs=5e-7)


def test_equation_3_of_flynt_is_a_misprint():
    """Read literally (a sum of the margin terms), it gives 0.647 for Table 5, which prints 0.301."""
    table = np.array(ORACLES["tables"][1]["table"])
    n = table.sum()
    falling = lambda x: (x * (x - 1)).sum()  # noqa: E731
    margins = falling(table.sum(axis=0)) + falling(table.sum(axis=1))
    literal = (falling(table) - margins / (n * (n - 1))) / (margins / 2 - margins / (n * (n - 1)))
    assert literal == pytest.approx(0.647, abs=5e-4)


def test_all_indices_are_those_of_the_functions():
    toy = ORACLES["toy"]
    U, V = toy["U"], toy["V"]
    values = soft.all_indices(U, V)
    assert values["aci"] == soft.aci(U, V)
    assert soft.all_indices(U, V, buckets=64)["aci"] == soft.aci(U, V, buckets=64) != values["aci"]
    assert values["anderson_adjusted_rand"] == values["sari"] == soft.sari(U, V)
    assert values["campello_fm"] == soft.campello_pairs(U, V).fowlkes_mallows()
    assert values["huellermeier_jaccard"] == soft.huellermeier_pairs(U, V).jaccard()
    assert all(type(value) is float for value in values.values())


def test_progress_is_shown_on_request_only(monkeypatch):
    import rich.progress

    shown = []

    def track(items, description, **options):
        shown.append((description, options["console"].stderr))
        return items

    monkeypatch.setattr(rich.progress, "track", track)
    toy = ORACLES["toy"]
    value = soft.ndc(toy["U"], toy["V"], progress=True)
    assert shown == [("pairs of objects", True)]
    assert soft.ndc(toy["U"], toy["V"]) == value
    for function in (
        soft.campello_pairs,
        soft.campello_rand,
        soft.campello_adjusted_rand,
        soft.huellermeier_pairs,
        soft.expected_ndc,
        soft.expected_ndc_bounds,
        soft.aci,
        soft.all_indices,
    ):
        function(toy["U"], toy["V"])
    assert len(shown) == 1
