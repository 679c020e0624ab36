"""The soft indices against their definitions: exactly, in floats, and at the sizes where arithmetic changes."""

import math
from fractions import Fraction

import pytest
import soft_by_definition as slow
from hypothesis import assume, given
from soft_cases import EVERY, RANDS, TOY, counts, membership_pairs

from confmat.indices import soft


@EVERY
@given(membership_pairs())
def test_pair_counts_follow_their_definitions_exactly(UV):
    U, V = UV
    assert counts(soft.campello_pairs(U, V, exact=True)) == slow.campello(U, V)
    assert counts(soft.frigui_pairs(U, V, exact=True)) == slow.bonding(U, V, slow.inner)
    assert counts(soft.huellermeier_pairs(U, V, exact=True)) == slow.huellermeier(U, V)
    assert soft.ndc(U, V, exact=True) == slow.concordance(slow.equivalences(U), slow.equivalences(V))


@EVERY
@given(membership_pairs())
def test_floats_agree_with_fractions(UV):
    U, V = UV
    for function in (soft.campello_pairs, soft.frigui_pairs, soft.anderson_pairs, soft.huellermeier_pairs):
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


@pytest.mark.parametrize("denominators", [(3, 7), (10**4 + 7, 10**4 + 9), (10**15 + 37, 3)])
def test_exact_values_with_denominators_of_any_size(denominators):
    """Small ones are counted in 64-bit integers; the fourth powers of the others do not fit."""
    p, q = (Fraction(1, d) for d in denominators)
    U = [[p, 1 - p], [1 - p, p], [Fraction(1, 2)] * 2, [1 - q, q]]
    V = [[q, 1 - 2 * q, q], [0, 1, 0], [1 - p, 0, p], [0, p, 1 - p]]
    assert counts(soft.campello_pairs(U, V, exact=True)) == slow.campello(U, V)
    assert counts(soft.frigui_pairs(U, V, exact=True)) == slow.bonding(U, V, slow.inner)
    assert counts(soft.huellermeier_pairs(U, V, exact=True)) == slow.huellermeier(U, V)
    assert soft.sari(U, V, exact=True) == slow.flynt_equation_5(U, V)


@pytest.mark.parametrize("q", [31_800, 31_850])
def test_exact_values_where_64_bits_end(q):
    """The largest sum is near (3 q^2)^2, which is less than 2^63 for one denominator and more for the other."""
    U = [[1, 0], [1, 0], [1 - Fraction(1, q), Fraction(1, q)]]
    assert counts(soft.frigui_pairs(U, U, exact=True)) == slow.bonding(U, U, slow.inner)
    assert counts(soft.campello_pairs(U, U, exact=True)) == slow.campello(U, U)
    assert counts(soft.huellermeier_pairs(U, U, exact=True)) == slow.huellermeier(U, U)


def test_floats_in_a_table_are_taken_as_they_are():
    p = [[Fraction(x) for x in row] for row in ((1.1, 2.2), (3.3, 0.4))]  # none is a binary fraction
    squares, n = sum(x**2 for row in p for x in row), sum(map(sum, p))
    pairs = soft.table_pairs([[1.1, 2.2], [3.3, 0.4]], exact=True)
    assert (pairs.a, pairs.b) == ((squares - n) / 2, (sum(sum(row) ** 2 for row in p) - squares) / 2)
    assert (pairs.c, pairs.pairs) == ((sum(sum(column) ** 2 for column in zip(*p)) - squares) / 2, 21)


def test_all_indices_are_those_of_the_functions():
    U, V = TOY
    values = soft.all_indices(U, V)
    assert values["aci"] == soft.aci(U, V)
    assert values["anderson_adjusted_rand"] == values["sari"] == soft.sari(U, V)
    assert values["campello_fm"] == soft.campello_pairs(U, V).fowlkes_mallows()
    assert values["huellermeier_jaccard"] == soft.huellermeier_pairs(U, V).jaccard()
    assert all(type(value) is float for value in values.values())
    pair_indices = ("jaccard", "dice", "fm")
    names = {
        f"{name}_{index}"
        for name in RANDS.keys() - {"ndc"}
        for index in ("rand", "adjusted_rand", *pair_indices)
    }
    # Huellermeier's Rand index is the NDC, and the ACI its adjustment.
    names |= {"ndc", "aci", "sari", "fari"} | {f"huellermeier_{index}" for index in pair_indices}
    assert values.keys() == names
