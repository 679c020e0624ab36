"""Descriptions of a law on the line, against the sample spelled out."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.answers import number_json
from confmat.classes import Tables
from confmat.errors import ConsistencyError, TooLarge
from confmat.indices import partition
from confmat.laws import joint, marginal_of, signed
from confmat.laws.lines import Known, Listed, RatioSums, rank, root


@settings(max_examples=40)
@given(st.dictionaries(st.fractions(0, 2, max_denominator=50), st.integers(1, 50), min_size=1, max_size=8))
def test_describe_against_the_spelled_out_sample(law):
    sample = sorted(x for x, w in law.items() for _ in range(w))
    got = marginal_of(law)
    assert got.mean == sum(sample) / len(sample)
    assert got.var == sum((x - got.mean) ** 2 for x in sample) / len(sample)
    for value, p in ((got.q1, Fraction(1, 4)), (got.median, Fraction(1, 2)), (got.q3, Fraction(3, 4))):
        assert value == min(x for x in sample if Fraction(sum(y <= x for y in sample), len(sample)) >= p)
    assert (got.min, got.max) == (sample[0], sample[-1])


LAWS = {
    "fractions": {Fraction(1, 3): 2, Fraction(5, 6): 1, Fraction(3): 4, Fraction(-1, 2): 3},
    "doubles": {0.5: 2, 1.25: 1, -3.0: 5},
    "one": {Fraction(2, 7): 3},
}


@pytest.mark.parametrize("law", LAWS.values(), ids=list(LAWS))
def test_a_listed_law_is_its_sample(law):
    sample = sorted(x for x, weight in law.items() for _ in range(weight))
    line = Listed(law | {float("nan"): 9})
    assert (line.total, line.undefined) == (len(sample), 9)
    assert [x for x, weight in line.points() for _ in range(weight)] == sample
    assert line.at(range(1, line.total + 1)) == sample
    mean = sum(sample) / line.total
    variance = sum((x - mean) ** 2 for x in sample) / line.total
    for exact in (True, False):
        assert line.moments(exact)[:2] == pytest.approx((mean, variance), rel=1e-14)
        assert isinstance(Listed(law, rounded=True).moments(exact)[0], Fraction) == (
            exact and isinstance(mean, Fraction)
        )
    for x in {Fraction(x) for x in law} | {Fraction(-4), Fraction(1), Fraction(4)}:
        assert line.up_to(x) == sum(y <= x for y in sample)


def test_a_law_of_which_some_numbers_are_known_answers_no_other():
    line = Known(10, (0.5, 1.0, 1.0), {1: Fraction(1), 5: Fraction(2), 10: Fraction(3)}, "it is too long")
    assert (line.at([5, 1]), line.moments(False)) == ([2, 1], (0.5, 1.0, 1.0))
    assert [line.up_to(Fraction(x)) for x in (0, 3, 4)] == [0, 10, 10]
    inside = (lambda: line.up_to(Fraction(1)), lambda: line.up_to(Fraction(2)))
    for question in (line.points, lambda: line.at([2]), lambda: line.moments(True), *inside):
        with pytest.raises(TooLarge, match="it is too long"):
            question()


@given(st.fractions(0, 10**6))
def test_root_is_correctly_rounded(x):
    import mpmath

    with mpmath.workdps(60):
        assert root(x) == float(mpmath.sqrt(mpmath.mpf(x.numerator) / x.denominator))


@given(st.integers(1, 10**30), st.fractions(0, 1).filter(bool))
def test_rank_is_the_smallest_position_that_reaches_p(total, p):
    k = rank(total, p)
    assert Fraction(k, total) >= p
    assert k == 1 or Fraction(k - 1, total) < p


def test_undefined_mass_is_counted_apart():
    """Tables(3, 3, 3): permutation matrices and others; Wallace is 0/0 exactly where all rows are singletons."""
    matrices = Tables(4, 3, 3, empty=True)
    undefined = sum(partition.pair_counts(x)[0] + partition.pair_counts(x)[1] == 0 for x in matrices)
    assert undefined == 0  # four points in three rows always share one
    matrices = Tables(3, 3, 3, empty=True)
    law = joint(matrices, "med", "wallace_ab", "fm")
    singletons = [x for x in matrices if max(x.sum(axis=1)) <= 1]
    rows = law.given_each("med").rows
    assert sum(row.law["wallace_ab"].undefined for row in rows) == len(singletons) > 0
    assert sum(row.weight for row in rows) == matrices.count()
    assert marginal_of({0.5: 3}).moments() == (0.5, 0.0, 0.0)
    alone = marginal_of({float("nan"): 3})
    assert alone.undefined == 3
    assert np.isnan(alone.mean)


def test_json_shape_of_numbers():
    assert number_json(Fraction(2, 3)) == {"exact": "2/3", "value": 2 / 3}
    assert number_json(Fraction(1, 10**70)) == {"exact": None, "value": 1e-70}
    assert json.loads(json.dumps(number_json(1.5))) == {"exact": None, "value": 1.5}


def ratio_sums(parts):
    """Quotients by denominator: {denominator: [(numerator, weight), ...]}."""
    sums = [[sum(w * x**k for x, w in pairs) for pairs in parts.values()] for k in (0, 1, 2)]
    return RatioSums(*(np.array(x, object) for x in (list(parts), *sums[1:])), total=sum(sums[0]))


@pytest.mark.parametrize("offset", [Fraction(0), Fraction(1, 3)])
@pytest.mark.parametrize("factor", [Fraction(1), Fraction(-2), Fraction(1, 5)])
def test_moments_of_quotients_are_those_of_the_sample(offset, factor):
    parts = {3: [(2, 1), (5, 4)], 7: [(1, 2)], 10: [(9, 3)]}
    sample = [
        offset + factor * Fraction(x, d) for d, pairs in parts.items() for x, w in pairs for _ in range(w)
    ]
    mean = sum(sample) / len(sample)
    variance = sum((x - mean) ** 2 for x in sample) / len(sample)
    sums = ratio_sums(parts)
    assert sums.moments(True, offset, factor) == (mean, variance, root(variance))
    assert sums.moments(False, offset, factor) == (float(mean), float(variance), root(variance))


def test_moments_beside_the_middle_of_two_doubles_and_near_0():
    middle, little = 1 + Fraction(1, 2**53), Fraction(1, 2**300)
    assert root(middle**2 + little) == 1 + 2.0**-52
    assert root(Fraction(1, 4**500)) == 2.0**-500
    assert root(Fraction(2, 4**500)) == 2.0**-500 * 2**0.5
    side = int((1 + Fraction(3, 2**53)) * 2**100) - 1  # sd just below the middle that is rounded up
    assert ratio_sums({2**100: [(-side, 1), (side, 1)]}).moments(False)[2] == 1 + 2.0**-52
    assert ratio_sums({2**300: [(int((middle + little) * 2**300), 1)]}).moments(False)[0] == 1 + 2.0**-52


@pytest.mark.parametrize("large", [2**52, 2**60])
def test_quotients_that_doubles_do_not_tell_apart_are_put_into_order(large):
    """(k - 1)/k and k/(k + 1) differ by 1/k^2; 1/2 is written twice."""
    from confmat.laws.signed import Quotients

    p, q = np.array([large, 1, large - 1, large // 2]), np.array([large + 1, 2, large, large])
    assert p[0] / q[0] == p[2] / q[2]
    found = Quotients(p, q, np.array([3, 5, 7, 11]), 0).merged()
    assert [Fraction(*x) for x in zip(found.numerators.tolist(), found.denominators.tolist())] == [
        Fraction(1, 2),
        Fraction(large - 1, large),
        Fraction(large, large + 1),
    ]
    assert found.weights.tolist() == [16, 7, 3]


# Weights grow fourfold from one n to the next, times squares of numerators by some four more: whatever limit of 64 bits
# a sum is meant to keep, some of these lie just beyond it.
@pytest.mark.parametrize("name", ["rd", "ard", "ari", "wallace_ab", "jaccard"])
def test_moments_are_those_of_the_values_at_every_size_of_weights(name):
    for n in range(12, 34):
        law = joint(Tables(n, 2, 2), name, weight="labelings")
        points = [(value, weight) for (value,), weight in law.support if value == value]
        total = sum(weight for _, weight in points)
        first, second = (sum(x**k * w for x, w in points) / Fraction(total) for k in (1, 2))
        assert law[name].moments(exact=True)[:2] == (first, second - first**2), n


def test_no_variance_is_negative():
    """Sums of squares that overflowed, as fractions and as doubles."""
    sums = RatioSums(*(np.array([x], object) for x in (3, 5, -(2**40))), total=7)
    for exact in (True, False):
        with pytest.raises(ConsistencyError, match="the mean of squares is below the square of the mean, by"):
            sums.moments(exact)


def test_values_of_another_weight_than_their_law(monkeypatch):
    """Those of a class, and those under a condition."""
    law = joint(Tables(12, 3, 3), "rd", "ard")

    right = signed.Signed._parts

    def some(line):
        (kept,) = right(line)
        return [kept.chosen(np.arange(1, len(kept)))]

    monkeypatch.setattr(signed.Signed, "_parts", some)
    for one in (law, law.given("med<=1/3")):
        with pytest.raises(ConsistencyError, match=r"the values of ard have weight \d+, their law"):
            _ = one["ard"].mean
