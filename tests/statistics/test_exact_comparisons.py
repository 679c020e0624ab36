"""Values that may be irrational are compared exactly, wherever a comparison happens.

The oracle knows the statistics by their definitions, in 60 digits: values that agree in 50 are equal.
"""

from bisect import bisect_left, bisect_right
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

import mpmath
import numpy as np
import pytest

import confmat as cm
from confmat.conjectures import Certificate
from confmat.errors import UndecidedError
from confmat.indices import LogRatio, RootSum
from confmat.statistics import STATISTICS, as_condition

mp = mpmath.mp.clone()
mp.dps = 60
SAME = mp.mpf(10) ** -50
SHAPES = [(2, 2, n) for n in range(1, 9)] + [(3, 3, n) for n in (3, 4)]
LARGER_SHAPES = [pytest.param((3, 3, n), marks=pytest.mark.slow) for n in range(5, 9)]


def entropy(sizes, n):
    return -sum(mp.mpf(x) / n * mp.log(mp.mpf(x) / n) for x in sizes if x)


def entropies(t):
    n = t.sum()
    return tuple(entropy(x.ravel().tolist(), n) for x in (t.sum(1), t.sum(0), t))


def normalized(mean):
    def value(t):
        a, b, both = entropies(t)
        divisor = mean(a, b, both)
        if abs(divisor) > SAME:
            return (a + b - both) / divisor
        return mp.mpf(1) if abs(2 * both - a - b) < SAME else None

    return value


def geometric_mean(cases, kind):
    """The mean over (weight, tp, fn, fp, tn) of the roots of sensitivity times precision or specificity."""

    def value(t):
        total = weights = mp.mpf(0)
        for weight, tp, fn, fp, tn in (map(int, case) for case in cases(t)):
            right, all_of_it = (tp, tp + fp) if kind == "precision" else (tn, tn + fp)
            if not weight:
                continue
            if not (tp + fn and all_of_it):
                return None
            total += weight * mp.sqrt(mp.mpf(tp * right) / ((tp + fn) * all_of_it))
            weights += weight
        return total / weights if weights else None

    return value


def against_the_rest(t):
    n = t.sum()
    for i in range(len(t)):
        tp, row, col = t[i, i], t[i].sum(), t[:, i].sum()
        yield row, tp, row - tp, col - tp, n - row - col + tp


def in_pairs(t):
    for i, j in permutations(range(len(t)), 2):
        yield 1, t[i, i], t[i, j], t[j, i], t[j, j]


def pairs(x):
    return int((x * (x - 1) // 2).sum())


def fowlkes_mallows(t):
    divisor = pairs(t.sum(1)) * pairs(t.sum(0))
    return pairs(t) / mp.sqrt(divisor) if divisor else None


def matthews(t):
    n, a, b = int(t.sum()), t.sum(1), t.sum(0)
    product_ = (n * n - int((a * a).sum())) * (n * n - int((b * b).sum()))
    return (n * int(np.trace(t)) - int((a * b).sum())) / mp.sqrt(product_) if product_ else None


ORACLE = {
    "fm": fowlkes_mallows,
    "mcc": matthews,
    "gsp": geometric_mean(against_the_rest, "precision"),
    "gss": geometric_mean(against_the_rest, "specificity"),
    "gsp_pairs": geometric_mean(in_pairs, "precision"),
    "gss_pairs": geometric_mean(in_pairs, "specificity"),
    "vi": lambda t: 2 * entropies(t)[2] - entropies(t)[0] - entropies(t)[1],
    "mi": lambda t: entropies(t)[0] + entropies(t)[1] - entropies(t)[2],
    "g2": lambda t: 2 * int(t.sum()) * (entropies(t)[0] + entropies(t)[1] - entropies(t)[2]),
    "nmi": normalized(lambda a, b, both: (a + b) / 2),
    "nmi_joint": normalized(lambda a, b, both: both),
    "nmi_geometric": normalized(lambda a, b, both: mp.sqrt(a * b)),
}
IRRATIONAL = sorted(ORACLE)


@cache
def tables(r, s, n):
    found = []
    for bars in combinations(range(n + r * s - 1), r * s - 1):
        table = np.diff([-1, *bars, n + r * s - 1]).reshape(r, s) - 1
        if table.sum(1).all() and table.sum(0).all():
            found.append(table)
    return found


@cache
def oracle(name, size):
    return [ORACLE[name](table) for table in tables(*size)]


@cache
def in_order(name, size):
    return sorted(x for x in oracle(name, size) if x is not None)


def below(name, size, threshold):
    """How many values are below a threshold, and how many equal to it; both of all that are defined."""
    values = in_order(name, size)
    less = bisect_left(values, threshold - SAME)
    return less, bisect_right(values, threshold + SAME) - less


def in_digits(value):
    low, high = (value, value) if isinstance(value, Fraction) else value.bounds(256)
    assert high - low < Fraction(1, 2**200)
    return mp.mpf(low.numerator) / low.denominator


@pytest.mark.parametrize("size", [*SHAPES, *LARGER_SHAPES], ids=str)
@pytest.mark.parametrize("name", IRRATIONAL)
def test_every_value_is_a_threshold_that_is_decided_exactly(name, size):
    r, s, n = size
    law = cm.joint_distribution(cm.Tables(n, r, s), name) if tables(*size) else None
    defined = sum(x is not None for x in oracle(name, size))
    if not defined:
        return
    for value, weight in law[name]:
        less, equal = below(name, size, in_digits(value))
        assert weight == equal > 0
        assert law[name].cdf(value) * defined == less + equal
        rational = value if isinstance(value, Fraction) else value.rational
        if rational is not None:
            assert law[name].cdf(str(rational)) * defined == less + equal
            for relation, number in (("<", less), ("<=", less + equal), ("=", equal)):
                condition = f"{name} {relation} {rational}"
                assert law.probability(condition) * len(tables(*size)) == number


@pytest.mark.parametrize("other", IRRATIONAL)
@pytest.mark.parametrize("name", IRRATIONAL)
def test_irrational_values_of_two_statistics_are_compared_exactly(name, other):
    condition = as_condition(f"{name} <= {other}")
    for size in SHAPES[:5]:
        for table, x, y in zip(tables(*size), oracle(name, size), oracle(other, size)):
            assert condition(table) == (x is not None and y is not None and x <= y + SAME)


def test_the_conditions_on_a_mean_of_roots_that_doubles_decided_wrongly():
    small, nine = cm.Tables(6, 2, 2), cm.Tables(9, 2, 2)
    assert cm.joint_distribution(small, "gsp").probability("gsp<1/3") == Fraction(1, 4)
    assert cm.distribution(nine, "gsp").cdf("5/9") == Fraction(98, 184)
    found = cm.maximize(small, "gsp", given="gsp<1/3")
    assert round(float(found.value), 6) == 0.263523
    assert all(cm.gsp(table, exact=True) < Fraction(1, 3) for table in found.tables)
    assert isinstance(cm.check("not gsp < 1/3 or gsp < 33/100", small), Certificate)
    witness = cm.check("gsp < 1/3 -> accuracy < 1/3", small).counterexample
    assert cm.gsp(witness, exact=True) < Fraction(1, 3)
    assert cm.joint_distribution(nine, "gsp").given("gsp>5/9")["gsp"].min() > Fraction(5, 9)
    for table in cm.sample(small, 200, given="gsp<1/3", rng=1):
        assert cm.gsp(table, exact=True) < Fraction(1, 3)


def test_divisors_may_be_irrational():
    table = [[3, 0], [1, 1]]
    for text in ("1/fm = 8*fm/3", "fm/gsp < 1", "gsp/gsp = 1", "(gsp+gss)/(gsp-gss) < 30", "1/gsp*gsp = 1"):
        assert as_condition(text)(table), text
    assert not as_condition("1/gss < 1/gsp")([[2, 0], [0, 2]])


def test_numbers_of_two_kinds():
    root, entropy_ = RootSum.sqrt(2) + RootSum.sqrt(3), LogRatio.of({2: 1})
    assert 3 < root + entropy_ < 4
    assert root * entropy_ > entropy_ > root / 5
    assert (root + entropy_) / (1 + root) < 1 < 1 + entropy_ - root * 0
    assert RootSum.sqrt(4) + entropy_ == 2 + entropy_ != root
    assert hash(root / (1 + RootSum.sqrt(6))) == hash(float(root / (1 + RootSum.sqrt(6))))


def test_an_undecided_comparison_is_reported_with_its_table():
    """Equal sums of roots of products of logarithms: no theorem says that they are."""
    condition = as_condition("nmi_geometric + nmi_geometric <= 2*nmi_geometric")
    message = r"its first 4096 binary digits are 0, at 2,1;1,3"
    with pytest.raises(UndecidedError, match=message):
        condition([[2, 1], [1, 3]])
    with pytest.raises(UndecidedError, match="at 3,1;1,0"):
        cm.check("nmi_geometric + nmi_geometric <= 2*nmi_geometric", cm.Tables(5, 2, 2))


@pytest.mark.parametrize("name", sorted(STATISTICS))
def test_no_statistic_of_the_package_is_known_in_doubles_only(name):
    statistic = STATISTICS[name]
    assert statistic.exact
    assert not isinstance(statistic(np.array([[3, 1], [1, 2]])), float)
