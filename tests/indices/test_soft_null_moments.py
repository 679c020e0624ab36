"""Soft indices by chance: the laws of all relabelings of the objects, by the plain functions one after another."""

from collections import Counter
from fractions import Fraction as F
from itertools import permutations
from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soft_cases import rows

from confmat.errors import UndefinedIndexError
from confmat.indices import soft
from confmat.indices.partition import adjusted_rand_index_null_moments

IRRATIONAL = {name for name in soft.INDICES if name.startswith("brouwer") or name.endswith("fm")}
OF_PAIRS = {"fm": "fowlkes_mallows"}


def plain(name, U, V):
    """The index by the function that is there for two memberships, nan where it is 0/0."""
    if name in ("ndc", "aci"):
        return getattr(soft, name)(U, V, exact=True)
    if name == "sari":
        return soft.sari(U, V, exact=True, undefined="nan")
    family, _, function = name.partition("_")
    exact = {} if family == "brouwer" else {"exact": True}
    pairs = getattr(soft, f"{family}_pairs")(U, V, **exact)
    return getattr(pairs, OF_PAIRS.get(function, function))("nan")


def frobenius(U, V):
    """The Rand index of Andrews et al. from their definition: bonding matrices scaled in the Frobenius norm."""
    n = len(U)
    scaled = []
    for W in (U, V):
        bonds = [[sum(F(x) * y for x, y in zip(p, q)) for q in W] for p in W]
        total, squares = sum(map(sum, bonds)), sum(x * x for row in bonds for x in row)
        scaled.append([[total * x / squares for x in row] for row in bonds])
    together = sum(x * y for p, q in zip(*scaled) for x, y in zip(p, q))
    apart = sum((1 - x) * (1 - y) for p, q in zip(*scaled) for x, y in zip(p, q))
    return (together + apart - n) / (n * (n - 1))


@st.composite
def small(draw):
    n = draw(st.integers(2, 5))
    sides = [(draw(st.integers(1, 3)), draw(st.integers(1, 4))) for _ in range(2)]
    return [draw(st.lists(rows(k, q), min_size=n, max_size=n)) for k, q in sides]


@pytest.mark.parametrize("name", [x for x in soft.INDICES if x not in ("fari", "frobenius_rand")])
@settings(max_examples=6)
@given(UV=small())
def test_moments_are_those_of_all_relabelings(name, UV):
    U, V = UV
    values = [plain(name, U, [V[i] for i in order]) for order in permutations(range(len(V)))]
    if any(x != x for x in values):
        with pytest.raises(UndefinedIndexError, match=name):
            soft.null_moments(U, V, name)
        return
    mean = sum(values) / len(values)
    variance = sum(x * x for x in values) / len(values) - mean**2
    found = soft.null_moments(U, V, name)
    if name in IRRATIONAL:
        assert isclose(found.mean, mean, abs_tol=1e-11)
        assert isclose(found.variance, variance, abs_tol=1e-11)
    else:
        assert found == (mean, variance)
        assert {type(x) for x in found} == {F}
    as_floats = soft.null_moments(np.array(U, float), np.array(V, float), name)
    assert np.allclose(as_floats, [float(mean), float(variance)], atol=1e-9)


@settings(max_examples=20)
@given(UV=small())
def test_frobenius_indices_follow_their_definition(UV):
    U, V = UV
    values = [frobenius(U, [V[i] for i in order]) for order in permutations(range(len(V)))]
    mean = sum(values) / len(values)
    assert soft.null_moments(U, V, "frobenius_rand").mean == mean
    assert soft.fari(U, V) == (1 if mean == 1 else (values[0] - mean) / (1 - mean))
    assert soft.fari(U, U) == 1


@given(labels=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=9))
def test_on_labels_they_are_those_of_the_adjusted_rand_index(labels):
    a, b = zip(*labels)
    table = np.zeros((3, 3), int)
    for cell in labels:
        table[cell] += 1
    expected = adjusted_rand_index_null_moments(table)
    for name in ("sari", "aci", "fari", "anderson_adjusted_rand", "frigui_adjusted_rand"):
        found = soft.null_moments(a, b, name)
        assert found == expected
        assert found.method == "closed form"
    if expected.mean == 0:
        assert soft.adjusted(a, b, "ndc") == soft.adjusted(a, b, "sari") == soft.sari(a, b, exact=True)


def test_the_sari_is_below_zero_by_chance_and_adjusted_it_is_not():
    U, V = [[1, 0], [F(1, 2), F(1, 2)], [0, 1]], [0, 1, 1]
    orders = list(permutations(range(3)))
    assert soft.null_moments(U, V, "sari") == (F(-4, 15), F(32, 225))
    assert sum(soft.adjusted(U, [V[i] for i in order], "sari") for order in orders) == 0


def test_draws_have_errors_and_agree_with_the_closed_form():
    rng = np.random.default_rng(5)
    U, V = (rng.multinomial(6, [0.4, 0.3, 0.3], 30) for _ in range(2))
    U, V = ([[F(int(x), 6) for x in row] for row in side] for side in (U, V))
    drawn = soft.null_moments(U, V, "anderson_jaccard", draws=400, rng=1)
    assert drawn.method == "draws"
    values = [soft.anderson_pairs(U, [V[i] for i in rng.permutation(30)]).jaccard() for _ in range(400)]
    assert abs(float(drawn.mean) - np.mean(values)) < 6 * drawn.errors[0]
    again = soft.null_moments(U, V, "anderson_jaccard", draws=400, rng=1)
    assert again == drawn


def test_beyond_200_objects_the_mean_of_the_ndc_is_exact_and_its_variance_drawn():
    rng = np.random.default_rng(6)
    U, V = rng.dirichlet([1, 1], 201), rng.dirichlet([1, 1, 1], 201)
    found = soft.null_moments(U, V, "ndc", draws=300, rng=1)
    fewer = soft.null_moments(U[:-1], V[:-1], "ndc")
    assert found.mean == pytest.approx(soft.expected_ndc(U, V))
    assert fewer.method == "closed form"
    assert found.errors[0] == 0
    assert abs(found.variance - fewer.variance) < 6 * found.errors[1] + 0.1 * fewer.variance
    assert soft.null_moments(U, V, "aci", draws=9).mean == pytest.approx(0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0, 1], "sary"), "index must be .*sari"),
        (([0, 1], [0, 1, 1], "sari"), "must describe the same objects"),
        (([0, 1], [[1, 1], [0, 1]], "sari"), r"V\[0\]: the memberships must have the sum 1, got 2"),
    ],
)
def test_invalid_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        soft.null_moments(*arguments)


def test_more_objects_than_fit_are_refused():
    many = [[1.0, 0.0]] * 5001
    with pytest.raises(ValueError, match="at most 5000 objects, got 5001"):
        soft.null_moments(many, many, "campello_rand")


def test_law_counts_every_order():
    U, V = [[1, 0], [F(1, 2), F(1, 2)], [0, 1], [0, 1]], [0, 1, 1, 1]
    values = Counter(
        soft.campello_rand(U, [V[i] for i in order], exact=True) for order in permutations(range(4))
    )
    mean = sum(value * often for value, often in values.items()) / 24
    assert soft.null_moments(U, V, "campello_rand").mean == mean
