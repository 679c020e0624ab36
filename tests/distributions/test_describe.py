"""Descriptions of a law on the line, against the sample spelled out."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat._display import as_json
from confmat.classes import FixedMargins, Tables
from confmat.distributions import Distribution, joint_distribution
from confmat.errors import TooLargeError
from confmat.indices import partition
from confmat.statistics import STATISTICS, Statistic


def exact_root(x):
    """The double nearest to the square root of a Fraction."""
    import mpmath

    with mpmath.workdps(700):
        return float(mpmath.sqrt(mpmath.mpf(x.numerator) / x.denominator))


def planted(formula):
    """A statistic of the tables behind one signature each."""
    return Statistic("planted", formula=formula, depends="ABP", symmetry="permutations")


@settings(max_examples=40)
@given(st.dictionaries(st.fractions(0, 2, max_denominator=50), st.integers(1, 12), min_size=1, max_size=8))
def test_describe_against_the_spelled_out_sample(law):
    sample = sorted(x for x, w in law.items() for _ in range(w))
    got = Distribution.from_counts(law)
    mean = got.mean(exact=True)
    assert mean == sum(sample) / len(sample)
    assert got.var(exact=True) == sum((x - mean) ** 2 for x in sample) / len(sample)
    for value, p in (
        (got.quantile("1/4"), Fraction(1, 4)),
        (got.median(), Fraction(1, 2)),
        (got.quantile("3/4"), Fraction(3, 4)),
    ):
        assert value == min(x for x in sample if Fraction(sum(y <= x for y in sample), len(sample)) >= p)
    assert (got.min(), got.max()) == (sample[0], sample[-1])
    assert got.std() == exact_root(got.var(exact=True))


LAWS = {
    "fractions": {Fraction(1, 3): 2, Fraction(5, 6): 1, Fraction(3): 4, Fraction(-1, 2): 3},
    "doubles": {0.5: 2, 1.25: 1, -3.0: 5},
    "one": {Fraction(2, 7): 3},
}


@pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
def test_a_listed_law_is_its_sample(law):
    sample = sorted(x for x, weight in law.items() for _ in range(weight))
    line = Distribution.from_counts(law | {float("nan"): 9})
    assert (line.total, line.undefined) == (len(sample), 9)
    assert [x for x, weight in line for _ in range(weight)] == sample
    assert [line.quantile(Fraction(k, len(sample))) for k in range(1, len(sample) + 1)] == sample
    mean = sum(sample) / line.total
    variance = sum((x - mean) ** 2 for x in sample) / line.total
    for exact in (True, False):
        assert (line.mean(exact=exact), line.var(exact=exact)) == pytest.approx((mean, variance), rel=1e-14)
    for x in {Fraction(x) for x in law} | {Fraction(-4), Fraction(1), Fraction(4)}:
        assert line.cdf(x) == Fraction(sum(y <= x for y in sample), len(sample))


def test_moments_of_long_fractions_are_doubles_unless_they_are_asked_for():
    for matrices in (Tables(6, 3, 3),):
        line = joint_distribution(matrices, "ard")["ard"]
        assert {type(x) for x in (line.mean(), line.var(), line.std())} == {float}
        assert [type(x) for x in (line.mean(exact=True), line.var(exact=True), line.std())] == [
            Fraction,
            Fraction,
            float,
        ]
    assert isinstance(joint_distribution(Tables(6, 3, 3), "med")["med"].mean(), float)


def test_a_law_of_which_some_numbers_are_known_answers_no_other(fold):
    held = joint_distribution(Tables(9, 3, 3), "med", "ard").given("med=4/9")["ard"]
    fold()
    line = dict(joint_distribution(Tables(9, 3, 3), "med", "ard").groupby("med"))[Fraction(4, 9)]["ard"]
    assert (line.total, (line.mean(), line.var(), line.std())) == (
        held.total,
        (held.mean(), held.var(), held.std()),
    )
    assert line.describe() == held.describe()
    assert [line.cdf(x) for x in (line.min() - 1, line.max(), line.max() + 1)] == [0, 1, 1]
    inside = (lambda: line.cdf(line.min()), lambda: line.cdf(line.median()))
    for question in (
        lambda: [*line],
        lambda: line.quantile(0.1),
        lambda: (line.mean(exact=True), line.var(exact=True), line.std()),
        *inside,
    ):
        with pytest.raises(TooLargeError):
            question()


@given(st.integers(1, 10**30), st.fractions(0, 1).filter(bool), st.integers(-1, 1))
def test_a_quantile_is_the_smallest_value_that_reaches_p(total, p, more):
    """Of two values, of which the smaller one has about the share p."""
    weight = total * p.numerator // p.denominator + more
    if 0 < weight < total:
        found = Distribution.from_counts({Fraction(0): weight, Fraction(1): total - weight}).quantile(p)
        assert found == (0 if Fraction(weight, total) >= p else 1)


def test_undefined_mass_is_counted_apart():
    """Tables(3, 3, 3): permutation matrices and others; Wallace is 0/0 exactly where all rows are singletons."""
    matrices = Tables(4, 3, 3, allow_empty=True)
    undefined = sum(partition.pair_counts(x)[0] + partition.pair_counts(x)[1] == 0 for x in matrices)
    assert undefined == 0  # four points in three rows always share one
    matrices = Tables(3, 3, 3, allow_empty=True)
    law = joint_distribution(matrices, "med", "wallace_ab", "fm")
    singletons = [x for x in matrices if max(x.sum(axis=1)) <= 1]
    rows = list(law.groupby("med"))
    assert sum(each["wallace_ab"].undefined for _, each in rows) == len(singletons) > 0
    assert sum(each.total for _, each in rows) == matrices.count()
    assert (
        Distribution.from_counts({0.5: 3}).mean(),
        Distribution.from_counts({0.5: 3}).var(),
        Distribution.from_counts({0.5: 3}).std(),
    ) == (0.5, 0.0, 0.0)
    alone = Distribution.from_counts({float("nan"): 3})
    assert alone.undefined == 3
    assert np.isnan(alone.mean())


def test_json_shape_of_numbers():
    values = as_json(Distribution.from_counts({Fraction(1, 10**70): 1, Fraction(2, 3): 2}))
    assert values["max"] == {"exact": "2/3", "value": 2 / 3}
    assert values["min"] == {"exact": None, "value": 1e-70}
    assert json.loads(json.dumps(as_json(Distribution.from_counts({1.5: 1}))))["min"] == {
        "exact": None,
        "value": 1.5,
    }


SCALED = [
    "ard",
    Statistic("left", of=STATISTICS["ard"], complement=True, symmetry="transposition"),
    Statistic("scaled", of=STATISTICS["ard"], factor=lambda _: Fraction(1, 5), symmetry="transposition"),
    Statistic(
        "both", of=STATISTICS["ard"], factor=lambda _: Fraction(7), complement=True, symmetry="transposition"
    ),
]


@pytest.mark.parametrize("statistic", SCALED, ids=str)
@pytest.mark.parametrize(
    "matrices", [Tables(9, 3, 3), Tables(7, 2, 4), FixedMargins((5, 4), (6, 3))], ids=repr
)
def test_moments_of_quotients_are_those_of_the_sample(statistic, matrices):
    law = joint_distribution(matrices, statistic)
    points = [(value, weight) for (value,), weight in list(law)]
    mean = sum(weight * x for x, weight in points) / Fraction(law.total)
    variance = sum(weight * (x - mean) ** 2 for x, weight in points) / Fraction(law.total)
    line = law[law.names[0]]
    assert (line.mean(exact=True), line.var(exact=True), line.std()) == (mean, variance, exact_root(variance))
    assert (line.mean(), line.var(), line.std()) == (float(mean), float(variance), exact_root(variance))


def with_variance(variance):
    """A law of three values."""
    n, d = variance.as_integer_ratio()
    return Distribution.from_counts({Fraction(-2): n, Fraction(2): n, Fraction(0): 8 * d - 2 * n})


def test_moments_beside_the_middle_of_two_doubles_and_near_0():
    middle, little = 1 + Fraction(1, 2**53), Fraction(1, 2**300)
    assert with_variance(middle**2 + little).std() == 1 + 2.0**-52
    assert with_variance(Fraction(1, 4**500)).std() == 2.0**-500
    assert with_variance(Fraction(2, 4**500)).std() == 2.0**-500 * 2**0.5
    two_tables = FixedMargins((2, 1), (2, 1))  # with 0 pairs and with 1
    side = int((1 + Fraction(3, 2**53)) * 2**100) - 1  # sd just below the middle that is rounded up
    beside = planted(lambda n, m, a, b, p: ((2 * p - 1) * side, 2**100))
    assert joint_distribution(two_tables, beside)["planted"].std() == 1 + 2.0**-52
    above = int((middle + little) * 2**300)
    nearly_one = planted(lambda n, m, a, b, p: (above + p, 2**300))
    assert joint_distribution(two_tables, nearly_one)["planted"].mean() == 1 + 2.0**-52


@pytest.mark.parametrize("large", [2**52, 2**60])
def test_quotients_that_doubles_do_not_tell_apart_are_put_into_order(large):
    """(k - 1)/k and k/(k + 1) differ by 1/k^2; 1/2 is written twice."""

    def formula(n, m, a, b, p):
        top = 1 * (p == 30) + (large // 2) * (p == 20) + (large - 1) * (p == 14) + large * (p == 12)
        low = 2 * (p == 30) + large * (p == 20) + large * (p == 14) + (large + 1) * (p == 12)
        return top, low

    assert (large - 1) / large == large / (large + 1)
    found = joint_distribution(FixedMargins((6, 6), (6, 6)), planted(formula))["planted"]
    assert [*found] == [
        (Fraction(1, 2), 4),
        (Fraction(large - 1, large), 2),
        (Fraction(large, large + 1), 1),
    ]


def test_numerators_far_apart_are_not_laid_out_side_by_side():
    far = planted(lambda n, m, a, b, p: (p * 10**13 + 1, 1))
    found = joint_distribution(FixedMargins((6, 6), (6, 6)), far)["planted"]
    assert [*found] == [(p * 10**13 + 1, weight) for p, weight in ((12, 1), (14, 2), (20, 2), (30, 2))]


# Weights grow fourfold from one n to the next, times squares of numerators by some four more: whatever limit of 64 bits
# a sum is meant to keep, some of these lie just beyond it.
@pytest.mark.parametrize("name", ["rd", "ard", "ari", "wallace_ab", "jaccard"])
def test_moments_are_those_of_the_values_at_every_size_of_weights(name):
    for n in range(12, 34):
        law = joint_distribution(Tables(n, 2, 2), name, weight="labelings")
        points = [(value, weight) for (value,), weight in list(law) if value == value]
        total = sum(weight for _, weight in points)
        first, second = (sum(x**k * w for x, w in points) / Fraction(total) for k in (1, 2))
        assert (law[name].mean(exact=True), law[name].var(exact=True)) == (first, second - first**2), n
