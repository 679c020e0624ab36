"""What users of SciPy, pandas, scikit-learn and Python type first works, before they have read a page."""

from fractions import Fraction
from math import isnan, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import confmat as cm
from confmat.testing import tables

TABLES = cm.Tables(9, 3, 3)

# Calls on the distribution d of one statistic.
ONE = """
d.pmf("1/3") | d.pmf(1 / 3) | d.pmf([0, 0.5]) | d.cdf(0.5) | d.cdf([0, 0.5]) | d.cdf(np.array([[0, 0.5]])) | d.sf(0.5)
d.sf([0, 0.5]) | d.ppf(0.9) | d.ppf([0.1, 0.9]) | d.isf(0.05) | d.quantile(0.9) | d.quantile([0.1, 0.9]) | d.mean()
d.mean(exact=True) | d.var() | d.std() | d.median() | d.mode() | d.moment(3) | d.entropy() | d.interval(0.9)
d.expect(lambda x: x**2) | d.support() | d.min() | d.max() | d.argmin() | d.argmax() | d.rvs() | d.rvs(5, rng=1)
d.rvs(size=5, rng=np.random.default_rng(1)) | d.rvs((2, 3), rng=1) | d.values.astype(float) | d.probabilities | d.counts
len(d) | list(d) | dict(d) | bool(d) | d.to_frame() | d.plot() | d.describe() | d.pvalue("1/2") | pd.DataFrame(d)
"""

# Calls on the joint distribution j of two.
JOINT = """
j["ari"] | j["ARI"] | j["adjusted_rand_score"] | j.marginal("ari") | j[["med", "ari"]] | j["med", "ari"] | j.names
j.given("med <= 1/5") | j.given(med="1/5") | j.given(med=0.2) | j.given("med <= 1/5", ari="0")
[g["ari"].mean() for _, g in j.groupby("med")] | j.describe() | j.describe(by="med") | j.probability("ari < 0")
j.cov() | j.corr() | j.mean() | j.to_frame() | j.to_csv(path) | j.to_parquet(path) | j.to_latex() | len(j) | list(j)[:2]
bool(j) | j.total | j.plot() | j.save(path) | cm.joint_distribution(TABLES, ["med", "ari"])
cm.distribution("3x3 n=9", "ARI") | cm.sample(TABLES, 10, rng=1).distribution("ari")
"""

ELSEWHERE = """
cm.Tables(9, (3, 3)) | TABLES[0] | TABLES[-1] | TABLES[:2] | len(TABLES) | [[3, 0, 0], [0, 3, 0], [0, 0, 3]] in TABLES
cm.check("ari <= 1", "3x3 n=9").holds | cm.minimize("3x3 n=9", "ari").tables | cm.sample("3x3 n=9", 5, rng=1)
cm.exact_test([[5, 0], [1, 4]]).statistic | cm.permutation_test([[5, 0], [1, 4]]).pvalue
cm.permutation_test([[5, 0], [1, 4]]).statistic | cm.permutation_test([[5, 0], [1, 4]], statistic="F1").method
cm.f1_score | cm.fbeta_score | cm.precision_score | cm.recall_score | cm.balanced_accuracy_score | cm.accuracy_score
cm.roc_auc_score | cm.cohen_kappa_score | cm.matthews_corrcoef | cm.adjusted_rand_score | cm.rand_score
cm.fowlkes_mallows_score | cm.adjusted_mutual_info_score | cm.mutual_info_score | cm.normalized_mutual_info_score
cm.v_measure_score | cm.homogeneity_score | cm.completeness_score | cm.fisher_exact | cm.ARI
"""


def calls(text):
    return [call.strip() for line in text.strip().splitlines() for call in line.split("|")]


@pytest.mark.parametrize("call", [*calls(ONE), *calls(JOINT), *calls(ELSEWHERE)])
def test_a_first_attempt_works(call, tmp_path):
    j = cm.joint_distribution(TABLES, "med", "ari")
    eval(call, globals() | {"pd": pd, "j": j, "d": j["ari"], "path": tmp_path / "file"})


def test_there_are_seventy_five_of_distributions():
    assert (len(calls(ONE)), len(calls(JOINT))) == (44, 31)


def test_the_tables_of_conditional_summaries_are_those_of_each_condition():
    joint = cm.joint_distribution(TABLES, "med", "ari", "rd")
    frame = joint.describe(by="med")
    assert [*frame.columns.levels[0]] == ["ari", "rd"]
    for med, row in frame.iterrows():
        ari = joint.given(med=med)["ari"]
        assert row["ari"].to_dict() == ari.describe()
        assert (row["ari"]["count"], row["ari"]["mean"], row["ari"]["50%"]) == (
            ari.total,
            ari.mean(),
            float(ari.median()),
        )


def test_covariances_are_over_the_tables_where_both_are_defined():
    tables = cm.Tables(3, 2, 2, allow_empty=True)  # GSP is 0/0 at six of twenty
    joint = cm.joint_distribution(tables, "gsp", "rd")
    pairs = np.array([(cm.indices.classification.gsp(t, undefined="nan"), cm.rd(t)) for t in tables])
    both = pairs[~np.isnan(pairs).any(axis=1)]
    assert 0 < len(both) < len(pairs)
    assert joint.cov().loc["gsp", "rd"] == pytest.approx(np.cov(both.T, ddof=0)[0, 1])
    assert joint.corr().loc["rd", "gsp"] == pytest.approx(np.corrcoef(both.T)[0, 1])
    assert joint.cov().loc["rd", "rd"] == pytest.approx(np.var(pairs[:, 1]))
    assert isnan(cm.joint_distribution(cm.Tables(2, 2, 2), "med", "rd").corr().loc["med", "rd"])


@pytest.mark.parametrize("own", [False, True])
def test_a_joint_distribution_of_some_statistics(own):
    corner = cm.Statistic("corner", lambda table: int(table[0, 0]))
    names = ("med", corner if own else "rd", "ari")
    joint = cm.joint_distribution(TABLES, *names).given("med <= 4/9")
    part = joint[["ari", "med"]]
    assert part.names == ("ari", "med")
    assert list(part) == list(cm.joint_distribution(TABLES, "ari", "med").given("med <= 4/9"))
    assert part.total == joint.total


def test_a_verdict_is_a_truth():
    false, true = cm.check("ari >= 0", TABLES), cm.check("ari <= 1", TABLES)
    assert (bool(false), false.holds, bool(true), true.holds, true.counterexample) == (
        False,
        False,
        True,
        True,
        None,
    )
    assert cm.ari(false.counterexample) < 0
    assert "ari = -9/35 = -0.257" in str(false)
    assert not cm.minimize(TABLES, "ari", given="med > 2")
    assert cm.minimize(TABLES, "ari", given="med > 0")


def test_a_class_is_a_sequence():
    tables = cm.Tables(4, 2, 2)
    listed = [table.tolist() for table in tables]
    assert [tables[i].tolist() for i in range(-19, 19)] == listed + listed
    assert [table.tolist() for table in tables[3:-2:4]] == listed[3:-2:4]
    for beyond in (19, -20):
        with pytest.raises((IndexError, ValueError)):
            tables[beyond]
    assert cm.Tables(60, 9, 9)
    with pytest.raises(OverflowError, match=r"Use count\(\)"):
        len(cm.Tables(60, 9, 9))


SAME = [
    ("MED <= 0.1 => ARI >= 0.6", "med <= 1/10 -> ari >= 3/5"),
    ("med <= 10% implies ari >= 60 %", "med <= 1/10 -> ari >= 3/5"),
    ("ari > .5 & ari < .8 | med == 0", "ari > 1/2 and ari < 4/5 or med = 0"),
    ("NOT ari > 1/2 Or med ≤ 1", "not ari > 1/2 or med <= 1"),
    ("ard**2 <= 9*med^2", "ard * ard <= 9 * (med * med)"),
    ("-ard**2 <= ard^0", "-(ard * ard) <= 1"),
    ("Adjusted_Rand_Score >= 0 or F1_SCORE > 0", "ari >= 0 or f1_score > 0"),
]


@pytest.mark.parametrize(("text", "plain"), SAME)
def test_statements_are_read_as_people_write_them(text, plain):
    from confmat.statistics import as_condition

    assert str(as_condition(text)) == plain
    assert as_condition(text) == as_condition(plain)


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "=", "!="])
@pytest.mark.parametrize(
    ("left", "right"), [("{}", "sqrt({})"), ("sqrt({})", "{}"), ("sqrt({})", "sqrt({})")]
)
def test_square_roots_are_compared_as_their_values(sign, left, right):
    from confmat.statistics import as_condition

    condition = as_condition(f"{left.format('ari')} {sign} {right.format('ard')}")
    numbers = [Fraction(x, 4) for x in (-9, -4, -2, -1, 0, 1, 2, 4, 9)]
    for x in numbers:
        for y in numbers:
            roots = [(text, value) for text, value in ((left, x), (right, y)) if "sqrt" in text]
            expected = all(value >= 0 for _, value in roots)
            if expected:
                a, b = (sqrt(v) if "sqrt" in text else float(v) for text, v in ((left, x), (right, y)))
                expected = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a == b, "!=": a != b}[
                    sign
                ]
            assert condition.holds({"ari": x, "ard": y}) == expected, (x, y)


def test_all_mistakes_are_named_at_once():
    with pytest.raises(ValueError, match='like "med <= 1/10 -> ari >= 0"') as error:
        cm.check("med < foo & $ > brr", TABLES)
    for mistake in (
        "position 6 has the unknown name 'foo'",
        "position 12 has '$'",
        "'brr'",
    ):
        assert mistake in str(error.value)


@pytest.mark.parametrize("name", ["jaccard_score", "log_loss", "silhouette_score"])
def test_scores_of_other_things_are_not_suggested(name):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'$"):
        getattr(cm, name)


def test_a_suggestion_never_takes_a_distance_for_an_agreement():
    for name in ("arj", "adjusted_rnd"):
        with pytest.raises(AttributeError) as error:
            getattr(cm, name)
        assert ("ari" in str(error.value)) >= ("ard" in str(error.value))


@settings(max_examples=50)
@given(tables(given="med <= 1/5"))
def test_tables_are_drawn_given_a_condition(table):
    assert cm.med(table, exact=True) <= Fraction(1, 5)


def test_a_class_without_members_names_the_order_of_its_sizes():
    empty = cm.Tables(3, 3, 20)
    for answer in (cm.minimize(empty, "ari"), cm.joint_distribution(empty, "ari")):
        assert "the order is n, r, s" in " ".join(str(answer).split())


def test_a_shape_is_a_pair():
    for arguments in ((9, (3, 3, 3)), (9, (3, 3), 3)):
        with pytest.raises(ValueError, match=r"shape must be a pair \(r, s\)"):
            cm.Tables(*arguments)


def test_the_beginning_of_a_name_is_enough_for_a_suggestion():
    with pytest.raises(AttributeError, match=r"did you mean joint_distribution\?"):
        _ = cm.joint
