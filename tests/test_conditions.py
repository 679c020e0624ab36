"""The one grammar of conditions: against Python's own evaluation, on numbers, on arrays, and what it refuses."""

import pickle
import re
from fractions import Fraction
from math import nan

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat.engine.walks import pair_sums
from confmat.statistics import STATISTICS, Condition, Statistic, as_condition, register, unregister
from confmat.statistics.grammar import parse, write
from confmat.statistics.ratios import Whole

NAMES = ("med", "rd", "n")

# --- against Python -------------------------------------------------------------------------------

numbers = st.recursive(
    st.sampled_from(NAMES) | st.integers(0, 9).map(lambda k: f"Fraction({k})"),
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda x: f"({x[0]} {x[1]} {x[2]})")
        | inner.map(lambda x: f"(-{x})")
    ),
    max_leaves=6,
)
relations = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
comparisons = st.tuples(numbers, relations, numbers).map(" ".join) | st.tuples(
    numbers, relations, numbers, relations, numbers
).map(" ".join)
truths = st.recursive(
    comparisons.map(lambda x: f"({x})"),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda x: f"({' '.join(x)})")
        | inner.map(lambda x: f"(not {x})")
    ),
    max_leaves=6,
)
fractions = st.fractions(-2, 2, max_denominator=6)


def ours(text):
    return re.sub(r"Fraction\((\d+)\)", r"\1", text)


def parsed_or_none(text):
    try:
        return parse(text, NAMES)
    except ValueError as error:
        if "is a division by 0" not in str(error):
            raise
        return None


@settings(max_examples=400)
@given(truths, st.tuples(fractions, fractions, fractions))
def test_truths_are_those_of_python(text, values):
    named = dict(zip(NAMES, values))
    assume(parsed_or_none(ours(text)) is not None)
    try:
        expected = eval(text, {"Fraction": Fraction}, named)
    except ZeroDivisionError:
        assume(False)
    assert as_condition(ours(text)).holds(named) is expected


@settings(max_examples=400)
@given(truths)
def test_what_is_written_reads_the_same(text):
    formula = parsed_or_none(ours(text))
    assume(formula is not None)
    assert parse(write(formula), NAMES) == formula
    assert (
        parsed_or_none(
            write(formula)
            .replace(" ", "")
            .replace("and", " and ")
            .replace("or", " or ")
            .replace("not", " not ")
        )
        == formula
    )


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
def test_what_binds_tighter(text, same):
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


# --- undefined, rounded, irrational ---------------------------------------------------------------


@pytest.mark.parametrize("relation", ["=", "!=", "<", "<=", ">", ">="])
def test_undefined_satisfies_no_comparison(relation):
    assert not as_condition(f"jaccard {relation} 1/2").holds({"jaccard": nan})
    assert not as_condition(f"1/(med-med) {relation} 1/2").holds({"med": 1})
    assert not as_condition(f"med/(r-s) {relation} 1/2").mask(cm.Tables(4, 2, 2), 1, 3, 2, 1)
    identity = np.array([[1, 0], [0, 1]])
    assert not as_condition(f"jaccard {relation} 1/2")(identity)
    assert as_condition(f"not jaccard {relation} 1/2")(identity)


def test_doubles_have_no_equation():
    for text in ("gsp = 1", "1 != gss", "med = 1 or 2 < 1 + gsp = 3"):
        with pytest.raises(ValueError, match=r"condition must compare (gsp|gss), known in doubles only"):
            as_condition(text)
    rough = as_condition("gsp > 1/2")
    assert not rough.exact
    assert rough([[2, 1], [1, 2]])
    with pytest.raises(ValueError, match="condition must compare doubles by an inequality, got med = 1/5"):
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
    "rd / (ard - 1) > n/r - s",
    "n = 6",
    "n/s > 7",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "matrices",
    [cm.Tables(6, 2, 3), cm.Tables(4, 2, 2, empty=True), cm.FixedMargins([4, 3, 2], [5, 2, 2])],
    ids=repr,
)
def test_arrays_and_single_tables_agree(text, matrices, monkeypatch):
    condition = as_condition(text)
    members = np.array(list(matrices))
    sums = pair_sums(members)
    expected = []
    for row in sums.tolist():
        values = {x.name: x.over(matrices, exact=True)(*row) for x in condition.statistics}
        expected.append(condition.at(matrices).holds(values))
    for at_once in (2**16, 7):
        monkeypatch.setattr("confmat.statistics.conditions._AT_ONCE", at_once)
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
    values = {x.name: x.over(matrices, exact=True)(m, a, b, p) for x in condition.statistics}
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


@given(st.lists(st.integers(-(2**63) + 1, 2**63 - 1), min_size=1), st.integers(-(2**70), 2**70))
def test_whole_numbers_never_overflow(values, other):
    x = Whole(np.array(values, np.int64))
    for y in (other, Whole(np.array([other] * len(values), object))):
        assert (x + y).values.tolist() == [v + other for v in values]
        assert (y - x).values.tolist() == [other - v for v in values]
        assert (x * y).values.tolist() == [v * other for v in values]
    assert (x // 3 - x).values.tolist() == [v // 3 - v for v in values]
    with pytest.raises(TypeError):
        np.sqrt(x)
    with pytest.raises(TypeError, match="whole numbers"):
        Whole(np.array([0.5]))


def test_whole_numbers_at_the_edge_of_64_bits():
    half, huge = Whole(np.array([2**62])), Whole(np.array([2**70], object))
    assert (half + half).values.tolist() == [2**63]
    assert (huge * 0).values.tolist() == [0]
    assert (Whole(np.array([0])) * huge).values.tolist() == [0]


def test_division_by_what_is_negative_or_zero():
    table = [[2, 1], [1, 2]]
    assert as_condition("rd / (med - 1) < 0")(table)
    assert not as_condition("rd / (med - 1/3) < 0 or rd / (med - 1/3) >= 0")(table)


def test_how_operators_bind_and_constants_are_computed():
    names = ["med", "rd"]
    assert write(parse("rd < 1, med < 1/5 or rd > 2*3/7", names)) == "rd < 1 and (med < 1/5 or rd > 6/7)"
    assert write(parse("med < 2 - -.5*4, rd < 1", names)) == "med < 4 and rd < 1"


def test_how_deep_a_formula_may_be():
    def sums(k):
        return f"med{' + med' * k} < 1"

    def groups(k):
        return f"{'(med) + ' * 40}{'(' * k}med{')' * k} < 1"

    for text, most in ((sums, 59), (groups, 58)):
        assert parse(text(most), ["med"])
        with pytest.raises(ValueError, match="is nested more than 60 deep"):
            parse(text(most + 1), ["med"])


# --- other ways to say it -------------------------------------------------------------------------


def test_an_index_does_not_say_which_values():
    for statistic in STATISTICS.values():
        if statistic.index is not None:
            with pytest.raises(ValueError, match="condition must say which values are meant, such as"):
                as_condition(statistic.index)


def test_mappings_functions_and_conditions():
    fifth = as_condition("med=1/5")
    for same in ({"med": "4/20"}, {cm.med: 0.2}, {"med": Fraction(1, 5)}, {"med": np.float64(0.2)}, fifth):
        assert as_condition(same) == fifth
        assert hash(as_condition(same)) == hash(fifth)
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
        assert as_condition(same).value_of("med", tables) == Fraction(1, 5)
    for other in ("med<=1/5", "med=1/5, rd<1", "rd=1/5", "not med=1/5", "med=rd"):
        assert as_condition(other).value_of("med", tables) is None


@pytest.mark.parametrize(
    ("given_", "error", "words"),
    [
        ("med", ValueError, "the end asks for a comparison"),
        ("mad=1", ValueError, r"position 0 has the unknown name 'mad'; did you mean med\?"),
        ("MED=1", ValueError, "did you mean med"),
        ("med=1 rd=2", ValueError, "position 6 has 'rd'"),
        ("med=1/0", ValueError, "position 6 is a division by 0"),
        ("med=$1", ValueError, r"position 4 has '\$'"),
        ("med + (rd>1) > 0", ValueError, r"position 6 has a comparison, but '\+' is for numbers"),
        ("med and rd>1", ValueError, "position 0 has a number, but 'and' is for comparisons"),
        ("(med=1", ValueError, r"the end asks for \)"),
        ("", ValueError, "the end asks for a number"),
        ("(" * 2000, ValueError, "nested more than 60 deep"),
        ("med" + "+med" * 900 + "=1", ValueError, "nested more than 60 deep"),
        ("1" * 5000, ValueError, "at most 4000 characters, got 5000"),
        ("1/fm > 2", ValueError, "must not divide by fm"),
        ("__import__('os')=1", ValueError, "unknown name '__import__'"),
        ({}, ValueError, "must not be empty"),
        ({"med": 0.2, "mad": 1}, ValueError, "'mad'"),
        ({3: 1}, TypeError, "keys, got 3"),
        ({"med": None}, TypeError, r"\['med'\] must be a number or a text such as"),
        ({"med": nan}, TypeError, r"\['med'\] must be a number .* got nan"),
        ({"med": "<1/5"}, ValueError, r"\['med'\] .* position 0 asks for a number"),
        ({"med": "rd<1/5"}, ValueError, r"asks for a number, not for a comparison"),
        ({Statistic("med", lambda table: 1): 1}, ValueError, "names of their own, got 'med'"),
        (cm.med, ValueError, 'which values are meant, such as "med=1/5"'),
        (3, TypeError, "got 3"),
        (None, TypeError, "got None"),
    ],
)
def test_errors_name_the_condition(given_, error, words):
    with pytest.raises(error, match=f"condition.*{words}"):
        as_condition(given_)


def test_errors_of_values_and_functions():
    with pytest.raises(ValueError, match="values must have rd, n, got med"):
        as_condition("med=1, rd=1, n=2").holds({"med": 1})
    with pytest.raises(TypeError, match="condition must answer True or False, got 3"):
        as_condition(lambda table: 3)([[1, 0], [0, 1]])
    with pytest.raises(ValueError, match="with formulas, got vi > 1: vi has none"):
        as_condition("vi>1").mask(cm.Tables(4, 2, 2), 1, 2, 3, 1)
    for name in ("n", "and"):
        with pytest.raises(ValueError, match=f"name that is free, got '{name}'"):
            register(Statistic(name, np.max))
    assert isinstance(as_condition("med=1"), Condition)


def test_what_a_condition_says_of_itself():
    shaped = {"med<1": False, "r>=2 -> med<1": True, "s=3": True, "n>4, rd<1": False}
    assert {text: as_condition(text).of_shape for text in shaped} == shaped
    rough = Statistic("rough", lambda table: 0.5, exact=False)
    exact = {"med<1": True, "fm<1": True, "rough<1": False, "med<1, rough<1": False, "med<1, fm<1": True}
    assert {text: as_condition(text, known=[rough]).exact for text in exact} == exact


@pytest.mark.parametrize("wanted", [float("inf"), float("-inf"), float("nan"), True, None, 1j])
def test_what_no_value_of_a_mapping_can_be(wanted):
    with pytest.raises(TypeError, match=r"given\['med'\] must be a number or a text"):
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
def test_what_binds_closer(text, value):
    condition = as_condition(f"{text} = {value}")
    assert condition.holds({"med": Fraction(3)})
    assert not condition.holds({"med": Fraction(2)})
