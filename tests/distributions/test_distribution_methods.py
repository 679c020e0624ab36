"""The methods that a distribution shares with those of scipy.stats, against SciPy and against sums over all tables."""

from bisect import bisect_right
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, rv_discrete

import confmat as cm
from confmat import Distribution

COUNTS = st.dictionaries(
    st.fractions(min_value=-2, max_value=2, max_denominator=60), st.integers(1, 50), min_size=1, max_size=9
)


def in_scipy(d):
    places = np.arange(len(d))
    return rv_discrete(values=(places, d.probabilities.astype(float)))


@given(COUNTS)
def test_probabilities_are_those_of_scipy(counts):
    d = Distribution.from_counts(counts)
    other = in_scipy(d)
    places = np.arange(len(d))
    assert d.pmf(d.values, exact=False) == pytest.approx(other.pmf(places))
    assert d.cdf(d.values, exact=False) == pytest.approx(other.cdf(places))
    assert d.sf(d.values, exact=False) == pytest.approx(other.sf(places), abs=1e-12)
    assert d.entropy() == pytest.approx(float(other.entropy()))


@given(COUNTS, st.fractions(0, 1, max_denominator=500))
def test_quantiles_are_the_smallest_values_that_reach_a_probability(counts, q):
    d = Distribution.from_counts(counts)
    values = sorted(counts)
    assert d.quantile(q) == d.ppf(q) == next(x for x in values if d.cdf(x) >= q)
    assert d.isf(q) == next(x for x in values if d.sf(x) <= q)
    low, high = d.interval(q)
    assert sum(counts[x] for x in values if low <= x <= high) >= q * d.total


@given(COUNTS)
def test_floats_of_probabilities_are_read_as_the_probabilities(counts):
    d = Distribution.from_counts(counts)
    for x in d.values:
        assert d.quantile(float(d.cdf(x))) == x
        assert d.isf(float(d.sf(x))) == x


@given(COUNTS, st.integers(0, 5))
def test_moments_are_sums_over_values(counts, k):
    d = Distribution.from_counts(counts)
    expected = sum(x**k * count for x, count in counts.items()) / Fraction(sum(counts.values()))
    assert d.moment(k, exact=True) == expected
    assert d.moment(k) == float(expected)
    mean = d.moment(1, exact=True)
    assert (d.mean(exact=True), d.mean()) == (mean, float(mean))
    variance = d.expect(lambda x: (x - mean) ** 2, exact=True)
    assert (d.var(exact=True), d.var()) == (variance, float(variance))
    assert d.mode() == min(x for x in counts if counts[x] == max(counts.values()))
    assert d.support() == (min(counts), max(counts))


def test_arrays_keep_their_shape_and_have_exact_items():
    d = cm.distribution(cm.Tables(4, 2, 2), "rd")
    x = np.array([[0, 0.5], [2 / 3, 1]])
    exact, rounded = d.cdf(x), d.cdf(x, exact=False)
    assert exact.tolist() == [[Fraction(6, 19), Fraction(14, 19)], [1, 1]]
    assert (exact.dtype, rounded.dtype, rounded.shape) == (object, float, (2, 2))
    assert d.quantile(["1/4", 0.5]).tolist() == [0, Fraction(1, 2)]


def test_values_and_counts_cannot_be_changed():
    d = cm.distribution(cm.Tables(4, 2, 2), "rd")
    for array in (d.values, d.counts):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    assert dict(zip(d.values, d.counts)) == dict(d)
    assert sum(d.probabilities) == 1
    assert len(d) == 3


def test_a_distribution_of_no_values():
    d = cm.distribution(cm.Tables(2, 3, 3), "rd")
    assert not d
    assert (len(d), d.values.tolist(), d.probabilities.tolist()) == (0, [], [])
    assert np.isnan(d.quantile(0.5))
    assert np.isnan(d.mode())
    numbers = [
        d.mean(),
        d.var(exact=True),
        d.std(),
        d.min(),
        d.median(),
        d.entropy(),
        d.moment(2),
        d.expect(),
    ]
    numbers += [d.pmf(0), d.cdf(0), d.sf(0), d.pvalue(0), d.pvalue(0, "less"), *d.support(), *d.interval(0.5)]
    assert all(map(np.isnan, numbers))
    with pytest.raises(ValueError, match="has no values, so that nothing can be drawn"):
        d.rvs(2)
    with pytest.raises(ValueError, match="has no values, so that nothing can be drawn"):
        d.plot()


def test_a_huge_weight_is_drawn_exactly():
    d = Distribution.from_counts({Fraction(0): 10**40, Fraction(1): 3 * 10**40})
    drawn = d.rvs(4000, rng=11)
    observed = [int((drawn == x).sum()) for x in (0, 1)]
    assert chisquare(observed, [1000, 3000]).pvalue > 1e-3


def test_draws_have_the_probabilities_and_begin_alike():
    d = cm.distribution(cm.Tables(9, 3, 3), "ard")
    drawn = d.rvs(20000, rng=5)
    places = [bisect_right(d.values.tolist(), x) - 1 for x in drawn]
    expected = 20000 * d.probabilities.astype(float)
    often = expected > 5
    observed = np.bincount(places, minlength=len(d))
    rest = [observed[~often].sum()], [expected[~often].sum()]
    assert chisquare([*observed[often], *rest[0]], [*expected[often], *rest[1]]).pvalue > 1e-3
    assert d.rvs(30, rng=5).tolist() == drawn[:30].tolist()
    assert d.rvs(rng=5) == drawn[0]


def test_a_function_of_no_exact_values_is_refused_if_exact():
    d = cm.distribution(cm.Tables(4, 2, 2), "rd")
    assert d.expect(float) == pytest.approx(d.mean())
    with pytest.raises(TypeError, match="function must return integers or Fractions if exact=True"):
        d.expect(float, exact=True)
    for ask in (d.quantile, d.isf):
        with pytest.raises(ValueError, match="q must be from 0 to 1, got 2"):
            ask(2)
    with pytest.raises(ValueError, match="order must be at least 0, got -1"):
        d.moment(-1)
