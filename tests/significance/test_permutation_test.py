"""Significance: p-values against all tables with the margins, their bounds and critical values."""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from brute import labelings
from late import stats

from confmat.classes import FixedMargins
from confmat.contingency import contingency_matrix
from confmat.distributions import joint_distribution
from confmat.errors import TooLargeError
from confmat.indices.partition import adjusted_rand_index, med
from confmat.significance import exact_test, permutation_test


def test_tables_with_many_clusters():
    rng = np.random.default_rng(1)
    labels = (rng.integers(0, 20, 100), rng.integers(0, 3, 100))
    result = permutation_test(*labels, draws=200, rng=1)
    assert (result.p_ari.method, result.p_med.method) == ("recursion", "Monte Carlo")
    assert result.med == med(contingency_matrix(*labels), exact=True)


def test_beyond_the_recursion_draws_have_an_interval(monkeypatch):
    def too_large(*_, **__):
        raise TooLargeError("planted")

    table = [[20, 2, 1], [1, 19, 2], [0, 1, 14]]
    monkeypatch.setattr("confmat.significance.exact_tests.tail", too_large)  # no recursion
    monkeypatch.setattr("confmat.significance.exact_tests.MOST_ENUMERATED", 0)
    monkeypatch.setattr("confmat.significance.null_distributions.LARGEST_EXACT", 0)  # no enumeration
    for found in (permutation_test(table, draws=99, rng=1).p_ari, exact_test(table, "ari", draws=99, rng=1)):
        assert found.method == "Monte Carlo"
        assert found.interval == pytest.approx((0, stats.beta.ppf(0.995, 1, 99)))


def test_one_tail_has_one_answer():
    """What is not enumerated is what ``exact_test`` finds, on every side."""
    table = [[20, 3, 1, 0], [2, 19, 0, 4], [1, 2, 22, 3], [0, 5, 1, 17]]
    for side in ("greater", "less", "two-sided"):
        found, tested = (
            permutation_test(table, draws=9, rng=1, alternative=side),
            exact_test(table, "ari", alternative=side),
        )
        assert found.method == "recursion"
        assert (found.p_ari.pvalue, found.p_ari.error) == (tested.pvalue, tested.error)
        assert found.p_ari.mid == tested.mid


def test_a_tail_too_deep_for_doubles_is_a_fraction():
    found = permutation_test([[600, 0], [0, 600]], draws=9, rng=1)
    assert found.p_ari.pvalue == Fraction(2 * factorial(600) ** 2, factorial(1200))
    assert [critical.ari for critical in found.critical] == sorted(
        critical.ari for critical in found.critical
    )


def by_permutations(table):
    """P-values over all tables with these margins, weighted, without the engine."""
    from confmat.classes import FixedMargins

    fiber = FixedMargins(table.sum(axis=1), table.sum(axis=0))
    observed = adjusted_rand_index(table, exact=True), med(table, exact=True)
    total = ari = equal = distance = 0
    for x in fiber:
        w = labelings(x)
        total += w
        ari += w * (adjusted_rand_index(x, exact=True) >= observed[0])
        equal += w * (adjusted_rand_index(x, exact=True) == observed[0])
        distance += w * (med(x, exact=True) <= observed[1])
    return Fraction(ari, total), Fraction(2 * ari - equal, 2 * total), Fraction(distance, total)


@pytest.mark.parametrize(
    "table", [[[3, 1], [0, 4]], [[2, 1, 0], [0, 2, 2], [1, 0, 3]], [[1, 2], [2, 1], [3, 0]], [[4, 1, 0]]]
)
def test_exact_p_values(table):
    result = permutation_test(table)
    assert result.method == "exact"
    p_ari, mid, p_med = by_permutations(np.array(table))
    assert (result.p_ari.pvalue, result.p_ari.mid, result.p_med.pvalue) == (p_ari, mid, p_med)
    assert result.p_ari.interval is None


def test_monte_carlo_covers_the_exact_value():
    table = [[9, 4, 2], [3, 8, 4], [2, 5, 8]]
    exact, drawn = permutation_test(table), permutation_test(table, exact=False, draws=9999, rng=1)
    assert drawn.method == "Monte Carlo"
    for name in ("p_ari", "p_med"):
        p, estimate = getattr(exact, name), getattr(drawn, name)
        low, high = estimate.interval
        assert low <= p.pvalue <= high
        assert low < estimate.pvalue < high
        assert (estimate.pvalue * 10_000).denominator == 1  # (b + 1)/(m + 1)
    assert (exact.ari, exact.z) == (drawn.ari, drawn.z)


@pytest.mark.parametrize("name", ["ari", "med"])
def test_a_level_that_is_attained_rejects(name):
    """At the level that is the tail of the observed value this value is rejected, at no smaller level."""
    table = [[4, 1], [1, 3]]
    seen = permutation_test(table)
    level = getattr(seen, f"p_{name}").pvalue
    critical = permutation_test(table, levels=[level, level - Fraction(1, 10**9)]).critical
    at, below = (getattr(x, name) for x in critical)
    assert at == getattr(seen, name)
    assert below != at


def sides_drawn(table, alternative):
    """On which side of the observed ARI and MED the plot fills what is as extreme."""
    axes = permutation_test(table, alternative=alternative).plot().axes
    return [ax.get_ylabel().removeprefix("probability of this or ") for ax in axes]


def test_which_values_are_as_extreme():
    for table, smaller in (([[4, 1], [1, 3]], "greater"), ([[2, 2], [2, 2]], "less")):
        assert sides_drawn(table, "greater") == ["more", "less"]
        assert sides_drawn(table, "less") == ["less", "more"]
        assert sides_drawn(table, "two-sided") == sides_drawn(table, smaller)


def test_two_sided_ties_are_marked_on_the_side_of_the_p_value():
    """Of two tails that weigh the same: that of large values, whose bounds the answer tells."""
    table = [[0, 0, 1], [0, 1, 1], [1, 2, 0]]
    p = [permutation_test(table, alternative=side).p_ari.pvalue for side in ("greater", "less")]
    assert p[0] == p[1] < 1
    assert sides_drawn(table, "two-sided")[0] == "more"


def test_critical_values_keep_their_level():
    table = np.array([[9, 4, 2], [3, 8, 4], [2, 5, 8]])
    result = permutation_test(table, levels=["0.05", Fraction(1, 100), Fraction(1, 10**30)])
    law = joint_distribution(FixedMargins(result.rows, result.cols), "ari", "med", weight="labelings")
    ari = dict(law["ari"])
    for critical in result.critical[:2]:
        tail = Fraction(sum(w for x, w in ari.items() if x >= critical.ari), law.total)
        assert tail <= critical.level
        next_lower = max(x for x in ari if x < critical.ari)
        assert tail + Fraction(ari[next_lower], law.total) > critical.level
        assert Fraction(sum(w for x, w in law["med"] if x <= critical.med), law.total) <= critical.level
    assert result.critical[0].level == Fraction(1, 20)
    assert result.critical[2].med is None


def test_moments_are_those_of_the_law():
    table = [[4, 1, 0], [1, 3, 2]]
    result = permutation_test(table)
    law = joint_distribution(FixedMargins(result.rows, result.cols), "ari", weight="labelings")["ari"]
    assert (law.mean(exact=True), law.var(exact=True)) == (result.mean, result.variance)


def test_labels_and_degenerate_tables():
    assert permutation_test(list("aabb"), list("xxyy")).ari == 1
    constant = permutation_test([[5]])
    assert (constant.ari, constant.z, constant.p_ari.pvalue) == (1, None, 1)
    assert permutation_test([[0, 0], [3, 2]]).rows == (5,)
    for matrix, options, message in (
        ([[0]], {}, "at least one object"),
        ([[1]], {"levels": [2]}, "levels must be between"),
        ([[1]], {"levels": ["few"]}, "levels must be numbers"),
        ([[1]], {"levels": ["1/0"]}, "levels must be numbers"),
        ([[1]], {"draws": 0}, "draws must be at least 1"),
        ([[10**9, 1], [1, 10**9]], {}, "at most 2000 objects for exact=True and 100000000 otherwise"),
    ):
        with pytest.raises(ValueError, match=message):
            permutation_test(matrix, **options)


@pytest.mark.parametrize("mistaken", [{"levels": 0.05}, {"exact": "no"}, {"rng": "a"}], ids=str)
def test_mistaken_options_are_named(mistaken):
    with pytest.raises(TypeError, match=f"^{next(iter(mistaken))} must be"):
        permutation_test([[3, 1], [0, 3]], **mistaken)


@pytest.mark.slow
def test_iris():
    """k-means and a Gaussian mixture on iris agree with the species far beyond chance, exactly."""
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_iris
    from sklearn.mixture import GaussianMixture

    data = load_iris()
    for method in (KMeans(3, n_init=10, random_state=0), GaussianMixture(3, n_init=5, random_state=0)):
        result = permutation_test(data.target, method.fit_predict(data.data))
        assert result.method == "exact"
        assert result.ari > Fraction(7, 10)
        assert 0 < result.p_ari.pvalue < Fraction(1, 10**40)


def test_intervals_and_tails_are_those_of_scipy_stats():
    numbers = set()
    for n in (1, 10, 999):
        for table in ([[9, 1], [2, 8]], [[6, 4], [4, 6]], [[5, 5], [5, 5]], [[20, 0], [0, 20]]):
            p = permutation_test(table, draws=n, rng=3, exact=False).p_med
            k = (p.pvalue * (n + 1) - 1).numerator  # draws as extreme
            wanted = stats.binomtest(k, n).proportion_ci(0.99, method="exact")
            assert p.interval == pytest.approx((wanted.low, wanted.high), abs=1e-9)
            numbers.add(k)
    assert {0, 1, 10, 999} < numbers


def test_a_two_sided_mid_p_value_is_twice_the_smaller_one():
    tests = [
        permutation_test([[2, 1], [1, 2]], alternative=x).p_ari for x in ("greater", "less", "two-sided")
    ]
    greater, less, both = tests
    assert (greater.mid, less.mid) == (Fraction(11, 20), Fraction(9, 20))
    assert (both.pvalue, both.mid) == (1, Fraction(9, 10))
