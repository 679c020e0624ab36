"""Indices with logarithms: exact numbers, equal where they are equal and in their order."""

import math
from collections import Counter
from fractions import Fraction
from math import prod

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.errors import UndecidedError, UndefinedIndexError
from confmat.indices import LogRatio, RootSum, partition
from confmat.search import maximize
from confmat.statistics import STATISTICS

LOGARITHMS = [x for x in STATISTICS.values() if x.index.__module__.endswith("information")]
QUOTIENTS = ("nmi", "nmi_geometric", "nmi_max", "nmi_min", "nmi_joint", "homogeneity", "completeness")


def product(table):
    """exp(n VI), a rational number: equal products are equal distances."""
    rows, cols = [*map(sum, table)], [*map(sum, zip(*table))]
    powers = (prod(x**x for x in side) for side in (rows, cols))
    return Fraction(prod(powers), prod(x ** (2 * x) for row in table for x in row))


def in_digits(x):
    """A LogRatio in 60 digits, by mpmath."""
    with mpmath.workdps(60):
        above, below = (
            sum(w * mpmath.fprod(mpmath.log(p) for p in primes) for primes, w in terms)
            for terms in (x.numerator, x.denominator)
        )
        value = above / below
        return mpmath.sign(value) * mpmath.sqrt(abs(value)) if x.root else +value


# --- the numbers ----------------------------------------------------------------------------------

numbers = st.builds(
    LogRatio.of, st.dictionaries(st.integers(1, 12), st.integers(-9, 9), max_size=4), st.integers(1, 9)
)


@given(numbers, numbers, numbers)
def test_arithmetic_is_that_of_the_numbers(x, y, z):
    with mpmath.workdps(60):
        a, b, c = map(in_digits, (x, y, z))
        found = [(x + y, a + b), (x - y, a - b), (x * y, a * b), (2 - x, 2 - a), (x / 3, a / 3)]
        found += [((x + y) / z, (a + b) / c), (1 / z, 1 / c)] if z else []
        assert all(abs(in_digits(value) - expected) < mpmath.mpf(10) ** -45 for value, expected in found)
    for value, expected in found:
        assert math.isclose(float(value), float(expected), rel_tol=1e-15, abs_tol=1e-40)


@given(numbers, numbers, st.fractions(max_denominator=9))
def test_order_and_equality(x, y, q):
    for a, b in ((x, y), (x * y, y * x), (x, LogRatio.of({}) + q), (x * x, y * q)):
        with mpmath.workdps(60):
            apart = in_digits(a) - in_digits(b)
        order = 0 if abs(apart) < mpmath.mpf(10) ** -40 else int(mpmath.sign(apart))
        assert (a < b, a == b, a > b) == (order < 0, order == 0, order > 0)
        assert a != b or hash(a) == hash(b)
    assert (x < q) == (in_digits(x) < q.numerator / mpmath.mpf(q.denominator))


def test_numbers_whose_doubles_agree_are_told_apart():
    near = LogRatio.of({3: 190537, 2: -301994})  # a convergent of log 3/log 2
    assert 0 < abs(near) < Fraction(1, 10**5)
    large = LogRatio.of({2: 10**15})
    assert float(large + near) == float(large)
    assert (large + near == large, large + near < large) == (False, near < 0)
    assert len({large + near, large, LogRatio.of({4: 5 * 10**14})}) == 2


def test_equal_quotients_of_unlike_forms_are_equal():
    # (log 2 + log 3)/log 2 = 1 + log 3/log 2, by cross products
    one = LogRatio.of({6: 1}) / LogRatio.of({2: 1})
    other = 1 + LogRatio.of({3: 1}) / LogRatio.of({2: 1})
    squares = LogRatio.of({6: 1}) * LogRatio.of({5: 1}) / (LogRatio.of({2: 1}) * LogRatio.of({5: 1}))
    assert one == other == squares
    assert len({one, other, squares}) == 1
    assert str(1 / one) == "log(2)/(log(2) + log(3))"


def test_roots():
    two, three = LogRatio.of({2: 1}), LogRatio.of({3: 1})
    assert two.sqrt() * two.sqrt() == two < three.sqrt() * two.sqrt() < three
    assert (two.sqrt() / LogRatio.of({4: 1}).sqrt()) == RootSum.sqrt(Fraction(1, 2)) > Fraction(7, 10)
    assert -two.sqrt() < 0 < two.sqrt() < 1
    assert (-(two / two).sqrt(), -(two / LogRatio.of({16: 1})).sqrt()) == (-1, Fraction(-1, 2))
    assert two.sqrt() + three > 1 > two.sqrt() + three - 1


@pytest.mark.parametrize(("x", "y"), [(83, 69), (101, 24), (127, 108)])
def test_quotients_next_to_the_middle_of_two_doubles(x, y):
    """64 binary digits of both logarithms do not tell the nearer one."""
    quotient = LogRatio.of({x: 1}) / LogRatio.of({y: 1})
    assert float(quotient) == float(in_digits(quotient))
    assert float(-quotient) == -float(quotient)


@pytest.mark.parametrize("number", [LogRatio.of({2: 1}), RootSum.sqrt(2)])
def test_integers_of_numpy_do_not_overflow(number):
    many = np.uint8(200)
    assert LogRatio.of({many: many, 2: many}, many) * many == LogRatio.of({400: 200})
    assert number + many + many == number + 400
    assert number * many * many == number * 200**2
    assert (number - many, many - number, number / many) == (number - 200, 200 - number, number / 200)


def test_impossible_arguments_are_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"must be from 1 to 1000000000000 .*, got 0"):
        LogRatio.of({0: 1})
    with pytest.raises(ZeroDivisionError, match=r"division of log\(2\) by 0"):
        LogRatio.of({2: 1}) / 0
    with mpmath.workdps(60):
        near = int(10**30 * (mpmath.log(3) / mpmath.log(2)) ** 2)
    below = LogRatio.of({2: near}) / LogRatio.of({3: 1})
    above = LogRatio.of({3: 10**30}) / LogRatio.of({2: 1})
    assert below < above
    monkeypatch.setattr(LogRatio, "most_bits", 64)
    with pytest.raises(UndecidedError, match="is 0: its first 64 binary digits are 0"):
        _ = below < above


@pytest.mark.parametrize("number", [1, 2, 97, 360, 2**39, 999983**2, 10**12])
def test_factors(number):
    """Told by the logarithms of primes, which no sum of others is."""
    primes, rest, p = Counter(), number, 2
    while p * p <= rest:
        while rest % p == 0:
            primes[p] += 1
            rest //= p
        p += 1
    primes[rest] += rest > 1
    assert LogRatio.of({number: 1}) == LogRatio.of(+primes)


# --- laws -----------------------------------------------------------------------------------------


def test_the_law_of_the_variation_of_information_by_unique_factorization():
    law = joint_distribution(Tables(12, 3, 3), "vi")
    assert len(list(law)) == 644
    assert law["vi"].pmf(0) > 0
    assert all(x < y for ((x,), _), ((y,), _) in zip(list(law), list(law)[1:]))


@pytest.mark.parametrize("weight", ["tables", "labelings"])
def test_the_law_of_the_variation_of_information_is_that_of_the_products(weight):
    by_product = Counter()
    for table in Tables(7, 2, 3):
        copies = math.factorial(7) // prod(map(math.factorial, table.ravel().tolist()))
        by_product[product(table.tolist())] += 1 if weight == "tables" else copies
    law = joint_distribution(Tables(7, 2, 3), "vi", weight=weight)
    assert [amount for _, amount in list(law)] == [amount for _, amount in sorted(by_product.items())]
    for ((value,), _), key in zip(list(law), sorted(by_product)):
        assert float(value) == pytest.approx(math.log(key) / 7)


@pytest.mark.parametrize("statistic", LOGARITHMS, ids=lambda x: x.name)
def test_laws_are_those_of_the_index(statistic):
    found = Counter()
    for table in Tables(6, 3, 2):
        value = statistic(table)
        found["nan" if value != value else value] += 1
        if value == value:
            assert float(value) == pytest.approx(statistic.index(table), abs=1e-14)
    law = joint_distribution(Tables(6, 3, 2), statistic)
    assert {"nan" if x != x else x: amount for (x,), amount in list(law)} == found


@pytest.mark.parametrize(
    "matrices",
    [Tables(4, 2, 2, allow_empty=True), Tables(3, 1, 2), Tables(0, 1, 2, allow_empty=True)],
    ids=repr,
)
def test_values_of_many_tables_are_those_of_each(matrices):
    tables = list(matrices)
    assert "ami" in {statistic.name for statistic in LOGARITHMS}
    for statistic in LOGARITHMS:
        values, which = statistic.batch(np.array(tables))
        alone = [statistic.batch(table[None])[0][0] for table in tables]
        for value, one, table in zip((values[i] for i in which), alone, tables):
            expected = statistic(table)
            assert value == one == expected or (value != value and one != one and expected != expected)


def test_conditions_and_searches_compare_exactly():
    law = joint_distribution(Tables(6, 3, 3), "mi", "entropy_a", "nmi", "v_measure", "fm")
    refined = sum(1 for table in Tables(6, 3, 3) if all(sum(x > 0 for x in col) == 1 for col in table.T))
    assert law.probability("mi = entropy_a") == Fraction(refined, Tables(6, 3, 3).count())
    assert law.probability("nmi = v_measure") == 1
    assert law.given("fm <= nmi").total + law.given("fm > nmi").total == Tables(6, 3, 3).count()
    best = maximize(Tables(7, 3, 3), "vi", "nmi > 0")
    brute = max(
        (partition.vi(t, exact=True) for t in Tables(7, 3, 3) if partition.mi(t, exact=True) > 0), key=float
    )
    assert (best.value, best.proved) == (brute, True)
    assert maximize(Tables(6, 2, 3), "homogeneity").value == 1


# --- one matrix -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUOTIENTS)
def test_where_quotients_are_not_defined(name):
    index = getattr(partition, name)
    for alike in ([[5]], [[0]], [[1]]):
        assert index(alike) == index(alike, exact=True) == 1
    one_cluster = [[2, 3]]
    if name in ("nmi_geometric", "nmi_min"):
        with pytest.raises(UndefinedIndexError):
            index(one_cluster)
        assert math.isnan(STATISTICS[name](one_cluster))
        assert index(one_cluster, undefined=0) == 0
    else:
        assert index(one_cluster) == index(one_cluster, exact=True) == (name == "homogeneity")


def test_large_numbers_are_doubles():
    table = [[10**20, 1], [3, 10**20]]
    assert isinstance(STATISTICS["nmi"](table), float)
    assert partition.nmi(table) == pytest.approx(1)
    with pytest.raises(ValueError, match=r"matrix must have at most 1e\+12 objects, got 2"):
        partition.vi(table, exact=True)


def test_the_mean_of_the_adjusted_mutual_information_is_zero():
    # Over all pairs of labelings with margins (3, 2, 1) and (2, 2, 2), by the class of these tables.
    from confmat.classes import FixedMargins

    margins = FixedMargins((3, 2, 1), (2, 2, 2))
    law = joint_distribution(margins, "mi", "ami", weight="labelings")
    mean = sum((value * weight for (_, value), weight in list(law)), LogRatio.of({}))
    assert mean == 0


def test_indices_are_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    for _ in range(20):
        n, r, s = rng.integers(2, 40), *rng.integers(2, 6, 2)
        a, b = rng.integers(r, size=n).tolist(), rng.integers(s, size=n).tolist()
        pairs = {
            "homogeneity": metrics.homogeneity_score(a, b),
            "completeness": metrics.completeness_score(a, b),
            "v_measure": metrics.v_measure_score(a, b),
            "mi": metrics.mutual_info_score(a, b),
            "ami": metrics.adjusted_mutual_info_score(a, b),
        }
        for average, index in (("arithmetic", partition.nmi), ("max", partition.nmi_max)):
            expected = metrics.normalized_mutual_info_score(a, b, average_method=average)
            assert index(a, b) == pytest.approx(expected, abs=1e-12)
        for average, index in (("geometric", partition.nmi_geometric), ("min", partition.nmi_min)):
            expected = metrics.normalized_mutual_info_score(a, b, average_method=average)
            assert index(a, b, undefined=0) == pytest.approx(expected, abs=1e-12)
        for name, value in pairs.items():
            index = getattr(partition, name)
            assert index(a, b) == pytest.approx(value, abs=1e-12)
            assert float(index(a, b, exact=True)) == pytest.approx(value, abs=1e-12)
