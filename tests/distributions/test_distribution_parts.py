"""Small parts of laws: signatures with A and B as in the class, another pass, which recursion knows what, constants."""

from __future__ import annotations

import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from brute import labelings

import confmat as cm
from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables
from confmat.errors import TooLargeError
from confmat.indices import PairSums
from confmat.statistics import STATISTICS, Statistic, as_condition


@pytest.mark.parametrize("held", [True, False])
@pytest.mark.parametrize(
    "matrices", [Tables(5, 2, 2), Tables(5, 2, 3), Tables(6, 3, 2), FixedRows((3, 2), 2)]
)
def test_values_that_tell_rows_from_columns_are_those_of_the_members(matrices, held, fold, many_pieces):
    """Of signatures that are kept, and that are given again by another pass."""
    names = ("wallace_ab", "wallace_ba", "med")
    expected = Counter(tuple(STATISTICS[name](table) for name in names) for table in matrices)
    if not held:
        fold()
    law = cm.joint_distribution(matrices, *names)
    for name, values in zip(names, zip(*expected)):
        weights = Counter()
        for value, weight in zip(values, expected.values()):
            weights[value] += weight
        assert {x: law.probability(f"{name}={x}") * law.total for x in weights if x == x} == {
            x: weight for x, weight in weights.items() if x == x
        }
    if held:
        assert Counter(dict(list(law))) == expected


def test_a_witness_is_looked_for_where_one_of_the_signatures_is():
    """Rows (7, 3, 3) come before (6, 6, 1), which have more pairs."""

    def formula(n, m, a, b, p):
        return (m == 0) * (a == b) * (a == p) * ((p == 27) + (p == 30)), 1

    chosen = Statistic("chosen", formula=formula, symmetry="transposition")
    found = cm.joint_distribution(Tables(13, 3, 3), chosen)["chosen"].argmax()
    assert found.tolist() == [[7, 0, 0], [0, 3, 0], [0, 0, 3]]


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize(
    "matrices",
    [
        *(Tables(9, 3, 3), Tables(13, 3, 3), Tables(12, 2, 4), FixedRows([5, 3, 2], 3)),
        *(FixedRows([58, 2, 2], 3), FixedColumns([4, 3, 2], 3), FixedMargins([4, 3, 2], [5, 2, 2])),
    ],
    ids=repr,
)
def test_weights_add_up_to_the_count_in_closed_form(matrices, weight):
    joint = cm.joint_distribution(matrices, "med", "rd", "ard", weight=weight)
    count = matrices.count() if weight == "tables" else matrices.labelings_count()
    assert sum(amount for _, amount in list(joint)) == count
    assert sum(amount for _, amount in joint["ard"]) == count


def test_recursions_know_whole_classes_of_tables():
    def is_by(method, name, matrices):
        return cm.plan(cm.joint_distribution, matrices, name).method == method

    assert is_by("generating function", "med", Tables(9, 2, 3))
    assert is_by("recursion", "rd", Tables(9, 2, 3))
    assert not is_by("generating function", "med", FixedRows((2, 3), 2))
    assert not is_by("recursion", "rd", FixedRows((2, 3), 2))
    assert not is_by("recursion", "rd", Tables(9, 9, 9))
    for shape in ((1, 5), (2, 5), (5, 2), (3, 4)):
        assert is_by("generating function", "med", Tables(9, *shape))
        assert not is_by("generating function", "med", Tables(9, shape[0], shape[1] + 4))


def test_a_question_says_whether_it_is_by_labelings():
    asked = [
        str(cm.plan(cm.joint_distribution, Tables(4, 2, 2), "med", weight=weight).question)
        for weight in ("tables", "labelings")
    ]
    assert asked[1] == f"{asked[0]}, by labelings"


@pytest.mark.parametrize("name", ["med", "rd"])
def test_laws_of_labelings_are_not_those_of_tables(name):
    members = np.array([*Tables(5, 2, 2)])
    expected = Counter()
    for table, weight in zip(members, map(labelings, members)):
        expected[getattr(cm, name)(table, exact=True)] += weight
    law = cm.joint_distribution(Tables(5, 2, 2), name, weight="labelings")
    assert dict(law[name]) == expected


def test_cdf_of_a_constant():
    law = cm.joint_distribution(Tables(4, 1, 1), "nmed", "ard")["nmed"]
    assert [*law] == [(0, 1)]
    assert [law.cdf(x) for x in (-1, 0, 1)] == [0, 1, 1]
    assert [law.sf(x) for x in (-1, 0, 1)] == [1, 0, 0]


@pytest.mark.parametrize("condition", ["med=1/3", "ard>1", "med=1/3, ard>1", "wallace_ab>1/2"])
def test_the_total_of_a_part_is_its_own(condition):
    law = cm.joint_distribution(Tables(6, 2, 3), "med", "ard").given(condition)
    assert law.total == sum(as_condition(condition)(table) for table in Tables(6, 2, 3))


def test_the_total_of_a_slice_is_its_weight():
    law = cm.joint_distribution(Tables(6, 2, 3), "med", "ard")
    assert [part.total for _, part in law.groupby("med")] == [weight for _, weight in law["med"]]


def test_slices_of_slices_are_those_of_the_support():
    law = cm.joint_distribution(Tables(6, 2, 3), "med", "ard", "rd")
    for ard, part in law.groupby("ard"):
        rows = [(m, x, w) for m, inside in part.groupby("med") for x, w in inside["rd"]]
        assert rows == [(m, x, w) for (m, y, x), w in list(law) if y == ard]


def test_a_law_of_no_members_is_empty():
    for law in (
        cm.joint_distribution(Tables(2, 3, 3), "ard"),
        cm.joint_distribution(Tables(6, 2, 2), "ard").given("ard>5"),
    ):
        assert (law["ard"].total, law["ard"].undefined, [*law["ard"]]) == (0, 0, [])


def test_arrays_of_small_laws():
    for matrices in (Tables(2, 3, 3), Tables(0, 2, 2, allow_empty=True)):
        law = cm.joint_distribution(matrices, "med", "rd", "ard")
        arrays = law._arrays()
        parts = [[*map(Fraction, *pair)] for pair in arrays.columns.values()]
        assert [*zip(zip(*parts), arrays.weights.tolist())] == list(law)
        assert arrays.weights.sum() == matrices.count()


def test_laws_and_their_parts_can_be_pickled():
    law = cm.joint_distribution(Tables(9, 3, 3), "med", "ard")
    assert law["ard"].max() == Fraction(4, 3)
    for part in (law, law["ard"], law.given("med=0")):
        assert repr(pickle.loads(pickle.dumps(part))) == repr(part)


def test_roots_are_asked_for_as_their_squares():
    law = cm.joint_distribution(Tables(7, 2, 3), "fm")["fm"]
    sums = [PairSums.of(table) for table in Tables(7, 2, 3)]
    for x in (Fraction(-1, 4), Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1)):
        below = sum(x >= 0 and x**2 * of.A * of.B >= of.P**2 for of in sums)
        assert law.cdf(x) == Fraction(below, len(sums))


def test_conditional_laws_that_were_not_listed_are_not_written(fold, tmp_path):
    fold()
    for _, law in cm.joint_distribution(Tables(8, 3, 3), "med", "ard").groupby("med"):
        for write in (law.to_csv, law.to_parquet):
            with pytest.raises(TooLargeError, match="is too large for its"):
                write(tmp_path / "law")
    assert not [*tmp_path.iterdir()]


def test_the_repr_names_class_and_statistic():
    said = "<distribution of med over Tables(n=4, r=2, s=2, allow_empty=False), each matrix equally likely>"
    assert repr(cm.joint_distribution(Tables(4, 2, 2), "med")) == said


@pytest.mark.parametrize("names", [("med", "ard"), ("med", "rd", "wallace_ab")])
def test_the_laws_given_each_value_of_a_law_given_one_are_that_law(names):
    """Of a law at one MED, and of one at some value of another statistic."""
    for name in names:
        for value, each in cm.joint_distribution(Tables(6, 2, 3), *names).groupby(name):
            ((same_value, again),) = each.groupby(name)
            assert (same_value, again.total) == (value, each.total)
            assert list(again) == list(each)
            assert sum(part.total for _, part in each.groupby(names[0])) == each.total


def test_conditions_hold_before_and_after_a_run_that_decides_whether_all_is_kept():
    """With this memory counts do not decide it: the first question lists values, and those after it are in memory."""
    law = cm.joint_distribution(Tables(24, 4, 4), "med", limits=cm.Limits(memory=64_000_000))
    totals = [law.given(med=Fraction(m, 24)).total for m in range(24)]
    assert [law.given(med=Fraction(m, 24)).total for m in range(24)] == totals
    assert sum(totals) == law.total == Tables(24, 4, 4).count()
    assert law.given("med <= 1/4").given("rd < 1/8").total == sum(
        part.given("rd < 1/8").total for med, part in law.groupby("med") if med <= Fraction(1, 4)
    )
