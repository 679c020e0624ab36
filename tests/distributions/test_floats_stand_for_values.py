"""A float stands for all numbers that round to it, and a text is an exact number."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import confmat as cm
from confmat.statistics import STATISTICS, as_condition

CLASSES = [cm.Tables(5, 2, 2), cm.Tables(7, 2, 2), cm.Tables(5, 3, 3), cm.FixedMargins((4, 3), (5, 2))]
NAMES = sorted(STATISTICS)


@cache
def law(matrices, *names):
    return cm.joint_distribution(matrices, *names)


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("name", NAMES)
def test_the_float_of_a_value_means_the_value(name, matrices):
    line = law(matrices, name)[name]
    points = list(line)
    assert len({float(x) for x, _ in points}) == len(points)
    below = 0
    for value, weight in points:
        share = Fraction(below + weight, line.total)
        assert line.cdf(float(value)) == line.cdf(value) == 1 - line.sf(float(value)) == share
        assert line.pvalue(float(value)) == line.pvalue(value) == 1 - Fraction(below, line.total)
        assert line.pvalue(float(value), "less") == share
        assert line.pvalue(value, "two-sided") == min(1, 2 * min(share, line.pvalue(value)))
        assert line.quantile(float(share)) == line.quantile(share) == value
        below += weight


@pytest.mark.parametrize("matrices", [cm.Tables(4, 3, 3)], ids=repr)
@pytest.mark.parametrize("name", NAMES)
def test_a_condition_on_the_float_of_a_value_is_one_on_the_value(name, matrices):
    joint = law(matrices, name, "rd") if name != "rd" else law(matrices, "rd")
    for value, weight in joint[name]:
        by_float, by_value = joint.given({name: float(value)}), joint.given({name: value})
        assert by_float.total == by_value.total == weight
        assert list(by_float["rd"]) == list(by_value["rd"])


def test_the_value_of_an_index_is_found_again():
    tables = cm.Tables(9, 3, 3)
    table = [[2, 1, 0], [1, 2, 0], [0, 1, 2]]
    x = cm.med(table)
    assert (x, str(x)) == (1 / 3, "0.3333333333333333")
    joint = cm.joint_distribution(tables, "med", "rd")
    assert joint["med"].cdf(x) == joint["med"].cdf("1/3") == Fraction(7389, 14437)
    assert joint["med"].cdf("0.3333333333333333") == Fraction(3129, 14437)
    assert joint.given({"med": x}).total == 4260
    assert (
        cm.maximize(tables, "rd", given={"med": x}).value == cm.maximize(tables, "rd", given="med=1/3").value
    )
    drawn = [cm.sample(tables, 20, given=given, rng=1) for given in ({"med": x}, "med=1/3")]
    assert np.array_equal(*drawn)
    assert len(cm.sample(cm.Tables(999, 4, 4), 5, given={"med": 333 / 999}, rng=1)) == 5


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble, float])
@pytest.mark.parametrize("numerator", [-1, 1, 2, 3])
def test_floats_of_every_precision(kind, numerator):
    line = cm.Distribution.from_counts({Fraction(numerator, 3): 1, Fraction(numerator, 3) + 1: 2})
    x = kind(numerator) / kind(3)
    assert line.cdf(x) == line.pvalue(x, "less") == Fraction(1, 3)
    assert (line.sf(x), line.pvalue(x)) == (Fraction(2, 3), 1)


def test_ends_of_the_interval_round_to_even():
    even, odd = Fraction(1) + Fraction(1, 2**53), Fraction(1) + Fraction(3, 2**53)
    assert (float(even), float(odd)) == (1.0, 1 + 2**-51)
    line = cm.Distribution.from_counts({even: 1, odd: 1})
    assert (line.cdf(1.0), line.cdf(1 + 2**-52), line.cdf(1 + 2**-51)) == (Fraction(1, 2), Fraction(1, 2), 1)
    assert [line.pvalue(x) for x in (1.0, 1 + 2**-52, 1 + 2**-51)] == [1, Fraction(1, 2), Fraction(1, 2)]
    tiny = cm.Distribution.from_counts({Fraction(-1, 2**1080): 1, Fraction(1, 2**1080): 1})
    assert (tiny.cdf(0.0), tiny.pvalue(-0.0)) == (1, 1)
    huge = cm.Distribution.from_counts({Fraction(2**1023): 1})
    assert (huge.cdf(1e308), huge.pvalue(-1e308)) == (1, 1)


@pytest.mark.parametrize("x", [float("inf"), np.float32("-inf"), "a", None])
def test_arguments_that_are_not_finite_numbers_are_refused(x):
    line = cm.Distribution.from_counts({Fraction(1): 1})
    for ask in (line.cdf, line.sf, line.pvalue):
        with pytest.raises(ValueError, match='must be a number, or a string such as "1/4", got'):
            ask(x)
    with pytest.raises(ValueError, match=r"alternative must be one of .* got 'both'"):
        line.pvalue(1, "both")


def test_probabilities_and_quantiles_of_nan_are_nan():
    line = cm.Distribution.from_counts({Fraction(1): 1, Fraction(2): 1})
    for ask in (line.pmf, line.cdf, line.sf, line.quantile, line.isf):
        assert np.isnan(ask(float("nan")))
        assert np.isnan(ask([0.5, float("nan")], exact=False)).tolist() == [False, True]
    with pytest.raises(ValueError, match="observed must be a number"):
        line.pvalue(float("nan"))


def test_a_condition_on_a_float_is_read_again_from_its_text():
    condition = as_condition({"rd": 2 / 3})
    assert as_condition(str(condition)) == condition
