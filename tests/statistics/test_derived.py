"""Statistics that a text makes of others: the same as the numbers put together by hand."""

import math
from fractions import Fraction

import pytest

from confmat.classes import FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.search import maximize, minimize
from confmat.statistics import STATISTICS, Statistic, as_statistic, register, unregister

NAMES = ("med", "rd", "ri", "ard", "ari", "jaccard", "wallace_ab")
HAND = {
    "ard/med": lambda x: x["ard"] / x["med"] if x["med"] else math.nan,
    "ri - ari": lambda x: x["ri"] - x["ari"],
    "2*jaccard/(1 + jaccard) - wallace_ab": lambda x: 2 * x["jaccard"] / (1 + x["jaccard"]) - x["wallace_ab"],
    "-rd*rd + 1/2": lambda x: -x["rd"] * x["rd"] + Fraction(1, 2),
    "med/(1 - ari)": lambda x: x["med"] / (1 - x["ari"]) if x["ari"] != 1 else math.nan,
}


@pytest.mark.parametrize("text", HAND)
def test_values_laws_and_extremes(text):
    statistic = as_statistic(text)
    for matrices in (
        Tables(6, 2, 3),
        Tables(5, 3, 3),
        Tables(4, 2, 2, allow_empty=True),
        FixedRows((3, 2), 2),
    ):
        expected = []
        for table in matrices:
            numbers = {name: STATISTICS[name](table) for name in NAMES}
            value = HAND[text](numbers)
            found = statistic(table)
            assert found == value or (found != found and value != value)
            expected += [value] if value == value else []
        law = joint_distribution(matrices, text)
        assert (law[text].min(), law[text].max()) == (min(expected), max(expected))
        assert law[text].total == len(expected)
        assert (maximize(matrices, text).value, minimize(matrices, text).value) == (
            max(expected),
            min(expected),
        )


def test_a_value_of_its_own_where_a_part_is_undefined():
    own = Statistic(
        "own",
        formula=lambda n, m, a, b, p: (p, a),
        depends="ABP",
        symmetry="permutations",
        undefined=Fraction(2, 3),
    )
    register(own)
    try:
        assert as_statistic("3 * own - 1/2")([[1, 0], [0, 1]]) == Fraction(3, 2)
    finally:
        unregister("own")


def test_a_sharp_constant_through_signatures():
    n = 30
    assert maximize(Tables(n, 2, 2), "ard/med").value == Fraction(n * n, 2 * (n - 1))


@pytest.mark.parametrize("text", ["vi/med", "fm - ri", "nmed/med", "1/2 + 1", "ard/", "med/0"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match="statistic must"):
        as_statistic(text)
