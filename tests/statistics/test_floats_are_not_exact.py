"""What is computed from the floats of a user-defined function never calls itself exact or proved."""

from fractions import Fraction

import numpy as np
import pytest

import confmat as cm
from confmat.fixed_margins import additive
from confmat.statistics import register, unregister

TABLE = [[3, 1], [1, 3]]
TABLES = cm.Tables(6, 2, 2)


def third(table):
    return 0.1 * table[0, 0] + 0.2 * table[0, 0]


@pytest.fixture
def score():
    yield register(cm.Statistic("score", third))
    unregister("score")


@pytest.mark.parametrize(
    "function",
    [
        lambda t: 1e-13 * float(t[0, 0]),
        lambda t: 1e13 + float(t[0, 0]),
        lambda t: np.float32(t[0, 0]) / 3,
        lambda t: 1e200 * float(t[0, 0]),
        additive(lambda x, i, j: 1e-13 * x * (i == j == 0)),
        additive(lambda x, i, j: 1e13 * x * (i == j == 0)),
    ],
)
def test_ties_are_relative_to_the_range_of_the_values(function):
    found = cm.exact_test(TABLE, function)
    assert found.pvalue == pytest.approx(17 / 70, rel=1e-12)
    assert isinstance(found.pvalue, float)
    assert not found.exact
    assert 0 < found.ties < 1e-2 * abs(found.statistic)
    with pytest.raises((TypeError, ValueError), match="exact"):
        cm.exact_test(TABLE, function, exact=True)


def test_values_that_differ_by_rounding_are_ties():
    noisy = lambda t: 0.3 if t[0, 0] % 2 else 0.1 + 0.2  # noqa: E731
    assert cm.exact_test(TABLE, noisy).pvalue == 1


@pytest.mark.parametrize("n", [8, 3000])
def test_ties_of_floats_are_stated(n):
    found = cm.exact_test([[n - 5, 1], [1, 3]], lambda t: 0.1 * t[0, 0])
    assert f"within {found.ties:.1e} are equal" in str(found)
    assert "ties" not in str(cm.exact_test([[n - 5, 1], [1, 3]], lambda t: Fraction(int(t[0, 0]), 10)))


def test_an_extreme_of_floats_is_not_proved():
    found = cm.maximize(TABLES, third)
    assert (found.value, found.proved, found.complete) == (third(np.array([[5, 0], [0, 1]])), False, False)
    assert "assumes the floating-point values of third" in " ".join(str(found).split())
    exact = cm.maximize(TABLES, lambda t: Fraction(3 * int(t[0, 0]), 10))
    assert (exact.value, exact.proved, exact.complete) == (Fraction(3, 2), True, True)


def test_an_extreme_given_floats_is_not_proved(score):
    found = cm.maximize(TABLES, "ari", given="score <= 3/10")
    assert not found.proved
    assert not found.complete
    with pytest.raises(ValueError, match="condition must compare floats by <, <=, > or >=, got"):
        cm.maximize(TABLES, "ari", given="score = 3/10")


def test_a_distribution_of_floats_is_not_exact():
    law = cm.joint_distribution(TABLES, third)
    assert law.assumptions == ("floating-point values of third",)
    assert "floating-point values of third" in repr(law)
    with pytest.raises(ValueError, match="digest must be of an exact distribution"):
        _ = law.digest
    assert cm.joint_distribution(TABLES, "gsp").assumptions == ()


def test_a_statement_on_floats_says_so_and_shows_the_values(score):
    false = cm.check("score <= 1", TABLES)
    assert str(false.detail) == "score = 1.2000000000000002 (evaluated in floating point)"
    true = cm.check("score <= 3", TABLES)
    assert not true.proved
    assert "floating-point values" in true.assumptions
    assert str(true).startswith("score <= 3 (evaluated in floating point) is true for all 60")
