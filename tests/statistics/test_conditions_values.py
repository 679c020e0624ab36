"""Conditions on values: undefined, rounded and irrational ones, single tables and arrays."""

from fractions import Fraction
from math import nan

import numpy as np
import pytest
from brute import pair_sums
from condition_texts import ours, truths
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat.statistics import Statistic, as_condition

# --- undefined, rounded, irrational ---------------------------------------------------------------


@pytest.mark.parametrize("relation", ["=", "!=", "<", "<=", ">", ">="])
def test_undefined_satisfies_no_comparison(relation):
    assert not as_condition(f"jaccard {relation} 1/2").holds({"jaccard": nan})
    assert not as_condition(f"1/(med-med) {relation} 1/2").holds({"med": 1})
    for numerator in ("med", "1"):
        assert not as_condition(f"{numerator}/(r-s) {relation} 1/2").mask(cm.Tables(4, 2, 2), 1, 3, 2, 1)
    identity = np.array([[1, 0], [0, 1]])
    assert not as_condition(f"jaccard {relation} 1/2")(identity)
    assert as_condition(f"not jaccard {relation} 1/2")(identity)


@pytest.mark.parametrize("numerator", [1, -1])
def test_a_number_over_0_is_an_error(numerator):
    def formula(n, m, a, b, p):
        return numerator * (m == 9), 1 - (p == 10**6)

    rare = as_condition({Statistic("rare", formula=formula, symmetry="permutations"): 0})
    shown = rare.mask(cm.Tables(4, 2, 2), np.array([0, 0, 9]), 1, 1, np.array([1, 10**6, 1]))
    assert shown.tolist() == [True, False, False]  # 0, 0/0, 1
    with pytest.raises(ValueError, match="must not divide by 0"):
        rare.mask(cm.Tables(4, 2, 2), np.array([0, 9]), 1, 1, np.array([1, 10**6]))


def test_doubles_have_no_equation():
    rough = cm.Statistic("rough", lambda table: 0.5 * table[0, 0], exact=False)
    for text in ("rough = 1", "1 != rough", "med = 1 or 2 < 1 + rough = 3"):
        with pytest.raises(ValueError, match=r"condition must compare floats by <, <=, > or >=, got"):
            as_condition(text, known=[rough])([[2, 1], [1, 2]])
    condition = as_condition("rough > 1/2", known=[rough])
    assert not condition.exact
    assert condition([[2, 1], [1, 2]])
    with pytest.raises(ValueError, match="condition must compare floats by <, <=, > or >=, got med = 1/5"):
        as_condition("med=1/5").holds({"med": 0.2})


def test_square_roots_compare_exactly():
    table = [[3, 0], [1, 1]]  # sqrt(3/8)
    assert as_condition("fm*fm = 3/8")(table)
    assert as_condition("fm > 0.612372435695794524")(table)
    assert as_condition("fm < 0.612372435695794525")(table)
    assert as_condition("fm - 1 != fm*fm - 11/8 + fm/2")(table)
    assert as_condition("fm = 1/2")([[2, 1], [0, 2]])


# --- on arrays ------------------------------------------------------------------------------------

TEXTS = (
    "med = 1/5",
    "1/5 < med <= 2/5, ard > 1",
    "med<=1/10 -> ari>=0",
    "nmed + nrd > 1 or mirkin = 1/5",
    "jaccard != 1/2",
    "not wallace_ab >= wallace_ba",
    "fm >= 1/2",
    "fm * fm < jaccard",
    "-fm/2 > -wallace_ba * fm",
    "fm + rd > 1",
    "rd / (ard - 1) + med > n/r - s",
    "n = 6",
    "n/s > 7",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "matrices",
    [cm.Tables(6, 2, 3), cm.Tables(4, 2, 2, allow_empty=True), cm.FixedMargins([4, 3, 2], [5, 2, 2])],
    ids=repr,
)
def test_arrays_and_single_tables_agree(text, matrices, monkeypatch):
    condition = as_condition(text)
    members = np.array(list(matrices))
    sums = pair_sums(members)
    expected = []
    for row in sums.tolist():
        values = {x.name: x.over(matrices)(*row) for x in condition.statistics}
        expected.append(condition.at(matrices).holds(values))
    for at_once in (2**16, 7):
        monkeypatch.setattr("confmat.statistics.conditions._ROWS_AT_ONCE", at_once)
        mask = condition.mask(matrices, *sums.T)
        assert mask.dtype == bool
        assert mask.tolist() == expected
    in_a_square = condition.mask(matrices, *sums[:6].reshape(3, 2, 4).transpose(2, 0, 1))
    assert in_a_square.tolist() == np.reshape(expected[:6], (3, 2)).tolist()
    assert condition.mask(matrices, *sums[:0].T).tolist() == []


@settings(max_examples=200)
@given(
    truths.map(lambda text: ours(text).replace("rd", "ari")),
    st.integers(1, 10**6),
    st.tuples(*[st.integers(0, 10**6)] * 4),
)
def test_arrays_are_exact_at_any_size(text, scale, sums):
    try:
        condition = as_condition(text)
    except ValueError:
        assume(False)
    matrices = cm.Tables(10**6 * scale, 2, 3)
    m, a, b, p = (x * scale for x in (*sums[:3], min(sums[1:])))
    values = {x.name: x.over(matrices)(m, a, b, p) for x in condition.statistics}
    mask = condition.mask(matrices, np.array([m]), a, b, p)
    assert mask.tolist() == [condition.at(matrices).holds(values)]


def test_a_formula_of_numpy_functions_and_a_signed_denominator():
    def formula(n, m, a, b, p):
        return np.minimum(a, b) * -1, np.maximum(a, b) * -1 - 1

    own = Statistic("balance", formula=formula, depends="ABP", symmetry="transposition")
    members = np.array(list(cm.Tables(5, 2, 2)))
    condition = as_condition({own: Fraction(4, 7)})
    mask = condition.mask(cm.Tables(5, 2, 2), *pair_sums(members).T)
    assert mask.tolist() == [own(table) == Fraction(4, 7) for table in members]
    assert 0 < mask.sum() < len(mask)


# A, B -> what a formula makes of them.
FORMULAS = [
    lambda a, b: a + b,
    lambda a, b: b - a,
    lambda a, b: a * b,
    lambda a, b: a // 3 - a,
    lambda a, b: -a,
    lambda a, b: abs(a) * -1,
    lambda a, b: a * 0 + b * 2**70,
]


def assert_exact(first, second, kind=np.int64):
    """Each formula has at arrays the values that it has at Python's integers."""
    for formula in FORMULAS:
        own = Statistic(
            "own",
            formula=lambda n, m, a, b, p, formula=formula: (formula(a, b), 1),
            depends="ABP",
            symmetry="permutations",
        )
        for x, y in zip(first, second):
            asked = as_condition({own: formula(x, y)})
            truths_of = asked.mask(cm.Tables(5, 2, 2), 0, np.array(first, kind), np.array(second, kind), 0)
            assert truths_of.tolist() == [formula(*z) == formula(x, y) for z in zip(first, second)]


@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=4), st.integers(0, 2**63 - 1))
def test_whole_numbers_never_overflow(values, other):
    assert_exact(values, [other] * len(values))


def test_whole_numbers_at_the_edge_of_64_bits():
    assert_exact([2**62, 0, 2**63 - 1, 3], [2**62, 2**63 - 1, 1, 2**62])


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint8, np.uint64])
def test_whole_numbers_of_any_type(kind):
    largest = int(np.iinfo(kind).max)
    assert_exact([0, largest, 3], [largest, largest, 2], kind)


def test_formulas_give_whole_numbers():
    for wrong in (lambda n, m, a, b, p: (np.sqrt(a), 1), lambda n, m, a, b, p: (a / 2, 1)):
        with pytest.raises((TypeError, ValueError), match="two integers"):
            Statistic("wrong", formula=wrong, symmetry="permutations")


def test_division_by_negative_numbers_and_zero():
    table = [[2, 1], [1, 2]]
    assert as_condition("rd / (med - 1) < 0")(table)
    assert not as_condition("rd / (med - 1/3) < 0 or rd / (med - 1/3) >= 0")(table)
