"""A name never answers for another: own functions and statistics called n, r, s, med, rd, or with ``index=``."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

import confmat as cm
from confmat.certificates import check as check_alone
from confmat.errors import CertificateError, TooLargeError, UnsupportedError
from confmat.statistics import STATISTICS, Statistic, as_condition, register, unregister

NAMES = ("n", "r", "s", "med", "rd", "ard", "ari", "score")
SMALL = [cm.Tables(n, r, s) for n, r, s in ((5, 2, 2), (4, 2, 3), (5, 3, 2))]


def top_left_is_large(table):
    return bool(table[0, 0] > 1)


def called(name, function=top_left_is_large):
    """The same function under another name."""

    def own(table):
        return function(table)

    own.__name__ = name
    return own


def members_with(matrices, predicate):
    return [table for table in map(np.array, matrices) if predicate(table)]


def ard_of(table):
    return 1 - Fraction(cm.ari(table, exact=True))


@pytest.fixture
def score():
    """A registered statistic of one's own, with ``index=`` as the package's have."""
    statistic = Statistic("score", lambda table: int(table[0, 0]), index=cm.med)
    register(statistic)
    yield statistic
    unregister("score")


# --- functions as conditions --------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("matrices", SMALL)
def test_a_function_is_a_condition_under_any_name(name, matrices):
    right = members_with(matrices, top_left_is_large)
    found = cm.maximize(matrices, "ard", given=called(name))
    assert found.value == max(map(ard_of, right))
    assert found.proved
    assert all(top_left_is_large(table) for table in found.tables)
    draws = cm.sample(matrices, 20, rng=1, given=called(name)).tables
    assert all(map(top_left_is_large, draws))


def test_the_value_that_was_wrong():
    def s(t):
        return bool(t[0, 0] > 1)

    found = cm.maximize(cm.Tables(5, 2, 2), "ard", given=s)
    assert (found.value, found.proved) == (Fraction(5, 4), True)


@pytest.mark.parametrize("name", ["n", "r", "s"])
def test_a_statistic_is_not_called_as_a_size(name):
    with pytest.raises(ValueError, match=f"name must not be n, r or s, .* got '{name}'"):
        Statistic(name, lambda table: int(table[0, 0]))
    with pytest.raises(ValueError, match="name must not be n, r or s"):
        cm.joint_distribution(cm.Tables(5, 2, 2), called(name))


# --- statistics called as the package's -----------------------------------------------------------------


def twice_med():
    return Statistic(
        "med", formula=lambda n, m, a, b, p: (2 * m, n), depends="m", symmetry="transposition", index=cm.med
    )


def test_laws_given_each_value_of_an_own_med():
    law = cm.joint_distribution(cm.Tables(6, 2, 2), twice_med(), "rd")
    values = [value for value, _ in law.groupby("med")]
    right = {2 * Fraction(cm.med(table, exact=True)) for table in cm.Tables(6, 2, 2)}
    assert values == sorted(right)


def test_a_condition_on_another_med_is_not_answered_from_ours():
    own = Statistic("med", lambda table: int(table[0, 0]))
    law = cm.joint_distribution(cm.Tables(6, 2, 2), own)
    with pytest.raises(
        ValueError,
        match=r"statistics of the distribution .med., got 'med = 1/3', with a different statistic named 'med'",
    ):
        law.given({"med": "1/3"})
    assert law.probability("med >= 3") == Fraction(
        len(members_with(cm.Tables(6, 2, 2), lambda t: t[0, 0] >= 3)), cm.Tables(6, 2, 2).count()
    )
    counted = cm.joint_distribution(cm.Tables(6, 2, 2), twice_med())  # both are known from signatures
    assert counted.given({"med": "1/3"}).total == sum(
        cm.med(table, exact=True) == Fraction(1, 3) for table in cm.Tables(6, 2, 2)
    )


def test_draws_given_an_own_med_have_its_value():
    condition = as_condition("med = 2/3", known=[twice_med()])
    draws = cm.sample(cm.Tables(9, 3, 3), 30, rng=1, given=condition).tables
    assert {2 * cm.med(table, exact=True) for table in draws} == {Fraction(2, 3)}
    largest = as_condition("ard > 3", known=[Statistic("ard", np.max)])
    draws = cm.sample(cm.Tables(9, 2, 2), 30, rng=1, given=largest).tables
    assert all(table.max() > 3 for table in draws)


# --- certificates and digests ---------------------------------------------------------------------------


def test_a_digest_by_name_is_of_the_package():
    own, matrices = Statistic("med", lambda table: int(table[0, 0])), cm.Tables(5, 2, 2)
    with pytest.raises(UnsupportedError, match="user-defined statistic 'med'"):
        cm.maximize(matrices, own).certificate()
    with pytest.raises(UnsupportedError, match="user-defined statistic 'med'"):
        cm.joint_distribution(matrices, own).certificate()

    def rd(table):
        return bool(table[0, 0] > 1)

    with pytest.raises(UnsupportedError, match=r"user-defined statistic 'rd\(\)'"):
        cm.maximize(matrices, "ard", given=rd).certificate()
    with pytest.raises(UnsupportedError, match="user-defined statistic 'ard'"):
        cm.maximize(matrices, "med", given=Statistic("ard", rd)).certificate()
    assert "5/4" in check_alone(cm.maximize(matrices, "ard").certificate())


def test_digests_of_laws_tell_names_values_and_records_apart():
    matrices = cm.Tables(4, 2, 2)

    def law(*names):
        return cm.joint_distribution(matrices, *(Statistic(name, np.max) for name in names))

    assert list(law("a,b", "c")) == list(law("a", "b,c"))
    assert law("a,b", "c").digest != law("a", "b,c").digest
    assert law('a", "b').digest != law("a", "b").digest
    same = Statistic("med", lambda table: cm.med(table, exact=True))
    assert list(cm.joint_distribution(matrices, same)) == list(cm.joint_distribution(matrices, "med"))
    assert cm.joint_distribution(matrices, same).digest != cm.joint_distribution(matrices, "med").digest
    assert check_alone(cm.joint_distribution(matrices, "med", "rd").given("ard<1, rd<n").certificate())


@pytest.mark.parametrize("index", [None, cm.med])
def test_a_certificate_on_own_statistics_shows_their_source(index):
    classes = [cm.Tables(n, 2, 2) for n in range(2, 5)]

    def claim(function):
        own = Statistic("med", function, index=index)
        return cm.Conjecture("small", "small", predicate=as_condition("med <= 100", known=[own]))

    def corner(table):
        return int(table[0, 0])

    def other_corner(table):
        return int(table[1, 1])

    first, second = claim(corner), claim(other_corner)
    answer = cm.check(first, classes)
    assert "table[0, 0]" in str(answer.about.test["source"])
    with pytest.raises(TooLargeError, match="checks formulas of one table only"):
        check_alone(answer.to_json())
    assert any("not bound" in text for text in cm.conjectures.verify(answer, first).unchecked)
    with pytest.raises(CertificateError, match="field 'source' of the test in the certificate"):
        cm.conjectures.verify(answer, second)


@pytest.mark.parametrize("statement", ["score <= 100", "exists score > 0", "score_max <= 100"])
def test_every_kind_of_statement_shows_the_source_of_a_registered_statistic(score, statement):
    test = cm.Conjecture("mine", statement).about.test
    assert "lambda table" in str(test["source"])
    assert test["formula"].split()[-3].startswith("score")
    assert "source" not in cm.Conjecture("theirs", statement.replace("score", "med")).about.test


def test_two_records_of_one_name_are_no_condition():
    med, own = STATISTICS["med"], Statistic("med", np.max)
    with pytest.raises(ValueError, match="different statistics"):
        as_condition({med: 0, own: 1})


def test_an_own_statistic_with_an_index_takes_lists():
    corner = Statistic("corner", lambda table: int(table[0, 0]), index=cm.med)
    assert corner([[3, 1], [0, 2]]) == 3


def test_records_are_equal_in_another_process():
    condition = pickle.loads(pickle.dumps(as_condition("med<=4/n, s=2")))
    assert condition == as_condition("med<=4/n, s=2")
    assert condition.at(cm.Tables(20, 3, 2)) == as_condition("med<=1/5, 2=2")
