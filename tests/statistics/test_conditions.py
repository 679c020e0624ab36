"""The one grammar of conditions: against Python's own evaluation, other ways to say it, and what it refuses."""

import pickle
from fractions import Fraction
from math import nan

import numpy as np
import pytest
from condition_texts import NAMES, fractions, ours, truths
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat.statistics import STATISTICS, Condition, Statistic, as_condition, register, unregister


def read_or_none(text):
    """The condition; None of one that divides by 0."""
    try:
        return as_condition(text)
    except ValueError as error:
        if "is a division by 0" not in str(error):
            raise
        return None


@settings(max_examples=70)
@given(truths, st.tuples(fractions, fractions, fractions))
def test_truths_are_those_of_python(text, values):
    named = dict(zip(NAMES, values))
    assume(read_or_none(ours(text)) is not None)
    try:
        expected = eval(text, {"Fraction": Fraction}, named)
    except ZeroDivisionError:
        assume(False)
    assert as_condition(ours(text)).holds(named) is expected


@settings(max_examples=80)
@given(truths)
def test_the_text_of_a_condition_is_parsed_to_the_same_condition(text):
    condition = read_or_none(ours(text))
    assume(condition is not None)
    written = str(condition)
    assert as_condition(written) == condition
    without_spaces = written.replace(" ", "")
    for word in ("and", "or", "not"):
        without_spaces = without_spaces.replace(word, f" {word} ")
    assert as_condition(without_spaces) == condition


@given(st.text(alphabet="med rn=<>!+-*/(),.0123notadr", max_size=30))
def test_no_text_but_a_condition_gets_through(text):
    try:
        condition = as_condition(text)
    except ValueError as error:
        refusal = str(error)
    else:
        assert as_condition(str(condition)) == condition
        return
    assert refusal.startswith("condition must ")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("not med=1 or rd=1", "(not (med=1)) or rd=1"),
        ("med=1 or rd=1 and n=1", "med=1 or (rd=1 and n=1)"),
        ("med=1 or rd=1, n=1", "(med=1 or rd=1) and n=1"),
        ("med=1, rd=1 -> n=1", "(med=1 and rd=1) -> n=1"),
        ("med=1 -> rd=1 -> n=1", "med=1 -> (rd=1 -> n=1)"),
        ("med - rd - 1 > 0", "(med-rd)-1 > 0"),
        ("1 - -med*2 < +rd", "1 - ((-med)*2) < rd"),
        ("2 * +med + rd > 0", "(2*med) + rd > 0"),
        ("med = 0.2", "med == 4/20"),
        ("0.1 + 0.2 = .3", "0 = 0"),
    ],
)
def test_precedence_of_operators(text, same):
    condition, other = as_condition(text), as_condition(same)
    for values in ((0, 0, 1), (1, 0, 1), (0, 1, 0), (1, 1, 0), (Fraction(1, 5), 1, 1)):
        named = dict(zip(NAMES, values))
        assert condition.holds(named) == other.holds(named)


def test_implication_and_chain():
    for p in (0, 1):
        for q in (0, 1):
            assert as_condition("med=1 -> rd=1").holds({"med": p, "rd": q}) == (not p or q == 1)
    chain = as_condition("1/5<med<=2/5")
    assert [chain.holds({"med": Fraction(k, 10)}) for k in (2, 3, 4, 5)] == [False, True, True, False]
    assert str(chain) == "1/5 < med <= 2/5"


def test_how_operators_bind_and_constants_are_computed():
    assert str(as_condition("rd < 1, med < 1/5 or rd > 2*3/7")) == "rd < 1 and (med < 1/5 or rd > 6/7)"
    assert str(as_condition("med < 2 - -.5*4, rd < 1")) == "med < 4 and rd < 1"


def test_how_deep_a_formula_may_be():
    def sums(k):
        return f"med{' + med' * k} < 1"

    def groups(k):
        return f"{'(med) + ' * 40}{'(' * k}med{')' * k} < 1"

    for text, most in ((sums, 59), (groups, 58)):
        assert as_condition(text(most))
        with pytest.raises(ValueError, match="is nested more than 60 deep"):
            as_condition(text(most + 1))


def test_an_index_does_not_say_which_values():
    for statistic in STATISTICS.values():
        if statistic.index is not None:
            with pytest.raises(
                ValueError, match="condition must compare the statistic with a value, such as"
            ):
                as_condition(statistic.index)


def test_mappings_functions_and_conditions():
    fifth = as_condition("med=1/5")
    for same in ({"med": "4/20"}, {cm.med: "0.2"}, {"med": Fraction(1, 5)}, fifth):
        assert as_condition(same) == fifth
        assert hash(as_condition(same)) == hash(fifth)
    assert as_condition({"med": np.float64(0.2)}) == as_condition({cm.med: 0.2})
    assert as_condition({"med": 0.2}).med(cm.Tables(20, 3, 3)) == Fraction(1, 5)
    assert as_condition({"rd": np.int64(1)}) == as_condition("rd=1")
    assert str(as_condition({"med": 0, "rd": "1/3"})) == "med = 0 and rd = 1/3"
    diagonal = as_condition(lambda table: table[0, 1] == 0)
    assert diagonal([[1, 0], [1, 1]])
    assert not diagonal([[1, 1], [1, 1]])
    assert diagonal.symmetry == frozenset()
    largest = Statistic("largest", lambda table: int(table.max()), symmetry="transposition")
    assert as_condition({largest: 2})([[2, 0], [0, 1]])
    assert as_condition("largest > 1, med < 1", known=[largest]).names == ("largest", "med")
    register(largest)
    try:
        assert as_condition("largest=2") == as_condition({"largest": 2})
    finally:
        unregister("largest")


def test_pickles_are_equal():
    for text in ("nmed=1/5", "cor > 1/2 or 2*med<=n/40", "gss < 0.1"):
        condition = as_condition(text)
        again = pickle.loads(pickle.dumps(condition))
        assert again == condition
        assert hash(again) == hash(condition)
    assert pickle.loads(pickle.dumps(STATISTICS["nmed"])) is STATISTICS["nmed"]


def test_value_of():
    tables = cm.Tables(20, 3, 3)
    for same in ("med=4/20", "4/n=med", "(med) == 0.2"):
        assert as_condition(same).med(tables) == Fraction(1, 5)
    for other in ("med<=1/5", "med=1/5, rd<1", "rd=1/5", "not med=1/5", "med=rd"):
        assert as_condition(other).med(tables) is None


@pytest.mark.parametrize(
    ("given_", "error", "words"),
    [
        ("med", ValueError, "the end needs a comparison"),
        ("mad=1", ValueError, r"position 0 has the unknown name 'mad'; did you mean med\?"),
        ("med=1 rd=2", ValueError, "position 6 has 'rd'"),
        ("med=1/0", ValueError, "position 6 is a division by 0"),
        ("med=$1", ValueError, r"position 4 has '\$'"),
        ("med + (rd>1) > 0", ValueError, r"position 6 has a comparison, but '\+' is for numbers"),
        ("med and rd>1", ValueError, "position 0 has a number, but 'and' is for comparisons"),
        ("(med=1", ValueError, r"the end needs \)"),
        ("", ValueError, "the end needs a number"),
        ("(" * 2000, ValueError, "nested more than 60 deep"),
        ("med" + "+med" * 900 + "=1", ValueError, "nested more than 60 deep"),
        ("1" * 5000, ValueError, "at most 4000 characters, got 5000"),
        (
            "__import__('os')=1",
            ValueError,
            "unknown name '__import__'. Run `confmat statistics` for the list",
        ),
        ({}, ValueError, "must not be empty"),
        ({"med": 0.2, "mad": 1}, ValueError, "'mad'"),
        ({3: 1}, TypeError, "keys, got 3"),
        ({"med": None}, TypeError, r"\['med'\] must be a number or a string such as"),
        ({"med": nan}, ValueError, r"\['med'\] must be a number, .* got nan"),
        ({"med": "<1/5"}, ValueError, r"\['med'\] .* position 0 needs a number"),
        ({"med": "rd<1/5"}, ValueError, r"needs a number, not a comparison"),
        ({Statistic("med", lambda table: 1): 1}, ValueError, "different statistics, got 'med' twice"),
        (cm.med, ValueError, 'compare the statistic with a value, such as "med=1/5"'),
        (3, TypeError, "got 3"),
        (None, TypeError, "got None"),
    ],
)
def test_errors_name_the_condition(given_, error, words):
    with pytest.raises(error, match=f"condition.*{words}"):
        as_condition(given_)


def test_errors_of_values_and_functions():
    with pytest.raises(ValueError, match="values must include rd, n, got med"):
        as_condition("med=1, rd=1, n=2").holds({"med": 1})
    with pytest.raises(TypeError, match="condition must return True or False, got 3"):
        as_condition(lambda table: 3)([[1, 0], [0, 1]])
    with pytest.raises(ValueError, match="formula in n, m, A, B and P, got vi > 1 with vi"):
        as_condition("vi>1").mask(cm.Tables(4, 2, 2), 1, 2, 3, 1)
    with pytest.raises(ValueError, match="an unused name, got 'and'"):
        register(Statistic("and", np.max))
    for name in ("n", "r", "s"):
        with pytest.raises(ValueError, match=f"name must not be n, r or s, .* got '{name}'"):
            Statistic(name, np.max)
    assert isinstance(as_condition("med=1"), Condition)


def test_attributes_of_a_condition():
    rough = Statistic("rough", lambda table: 0.5, exact=False)
    exact = {"med<1": True, "fm<1": True, "rough<1": False, "med<1, rough<1": False, "med<1, fm<1": True}
    assert {text: as_condition(text, known=[rough]).exact for text in exact} == exact


@pytest.mark.parametrize("wanted", [float("inf"), float("-inf"), float("nan"), True, None, 1j])
def test_values_of_a_mapping_are_validated(wanted):
    with pytest.raises((TypeError, ValueError), match=r"given\['med'\] must be a number,? or a string"):
        as_condition({"med": wanted}, "given")


@pytest.mark.parametrize(
    "text",
    [
        "(med + rd) * ard < 1",
        "med + rd * ard < 1",
        "med - (rd - ard) < 1",
        "med - rd - ard < 1",
        "med / (rd * ard) < 1",
        "med / rd * ard < 1",
        "med * (1/2) < rd",
        "rd < (1/2) / med",
        "-(med + rd) < ard",
        "-med + rd < ard",
        "(med + rd) / n < 2 * (n - r)",
        "not (med < 1 and rd < 1)",
        "not med < 1 and rd < 1",
        "(med < 1 or rd < 1) and ard < 1",
        "(med < 1 -> rd < 1) -> ard < 1",
        "med < 1 -> rd < 1 -> ard < 1",
    ],
)
def test_parentheses_that_are_needed_are_written(text):
    condition = as_condition(text)
    assert as_condition(str(condition)) == condition


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * med", 7),
        ("med * 2 + 1", 7),
        ("1 - med * 2", -5),
        ("med - 2 / 4", Fraction(5, 2)),
        ("9 - med - 1", 5),
        ("8 / med / 2", Fraction(4, 3)),
        ("8 / med * 2", Fraction(16, 3)),
        ("-med + 5", 2),
        ("-(med + 5)", -8),
        ("2 * -med", -6),
        ("(1 + med) * 2", 8),
    ],
)
def test_precedence_of_logical_operators(text, value):
    condition = as_condition(f"{text} = {value}")
    assert condition.holds({"med": Fraction(3)})
    assert not condition.holds({"med": Fraction(2)})


@pytest.mark.parametrize("text", ["2 * med < 3", "rd / 2 < med / n", "1/2 * med < -1", "med / (1/2) < n"])
def test_numbers_are_written_in_parentheses_only_where_they_need_them(text):
    assert str(as_condition(text)) == text
