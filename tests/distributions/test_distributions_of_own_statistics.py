"""Laws of statistics of one's own, against plain loops."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from brute import WEIGHTS, labelings

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution, signed
from confmat.indices import partition
from confmat.statistics import Statistic


def test_conditions_on_other_statistics_are_refused_for_functions():
    law = joint_distribution(Tables(5, 2, 2), "med", trace)
    assert law._held
    assert np.trace(law["trace"].argmax()) == law["trace"].max()
    most = joint_distribution(Tables(5, 2, 2), "med", Statistic("most", np.max))["most"]
    assert most.argmin().max() == most.min() == 2  # not where the MED is least
    assert law.given("trace > 2")["med"].total == sum(np.trace(x) > 2 for x in Tables(5, 2, 2))
    with pytest.raises(
        ValueError, match=r"condition must be on statistics of the distribution \(med, trace\)"
    ):
        law.given("ard>1")
    with pytest.raises(ValueError, match="mde"):
        law.given("mde>1")


def test_squares_of_large_numerators_do_not_overflow():
    """Of C(140, 2)^3 + P, which has 40 bits."""
    large = Statistic(
        "large",
        formula=lambda n, m, a, b, p: (a * (n * (n - 1) // 2) * (n * (n - 1) // 2) + p, 1),
        symmetry="permutations",
    )
    line = joint_distribution(Tables(140, 1, 2), large)["large"]
    values = [comb(140, 2) ** 3 + comb(k, 2) + comb(140 - k, 2) for k in range(1, 140)]
    mean = Fraction(sum(values), 139)
    assert (line.mean(exact=True), line.var(exact=True)) == (
        mean,
        Fraction(sum(x * x for x in values), 139) - mean**2,
    )


def quotient(table, formula):
    sums = [int((x * (x - 1) // 2).sum()) for x in (table.sum(axis=1), table.sum(axis=0), table)]
    return Fraction(*formula(0, 0, *sums))


@cache
def quotients(matrices, formula):
    """The law of a formula of A, B and P by Fractions of every table."""
    law = defaultdict(int)
    for table in matrices:
        law[quotient(table, formula)] += 1
    return sorted(law.items())


def sixth_powers(n, m, a, b, p):
    return p * p * p * p * p * p, a * a * a * b * b * b


def beyond_doubles(n, m, a, b, p):
    """Equal quotients, and nearly equal ones, whose two sides have 63 bits."""
    return (2**54 - 1) * (p + 1), (2**54 - 3) * (a + b + 1)


def nearly_equal(n, m, a, b, p):
    return 2**60 + 37 * p, 2**61 + 53 * (a + b)


def far_beyond_doubles(n, m, a, b, p):
    """Sides that no double holds."""
    p, q = p + 1, a + b + 1
    for _ in range(7):
        p, q = p * p, q * q
    return p, q


@pytest.mark.parametrize("formula", [sixth_powers, beyond_doubles, nearly_equal, far_beyond_doubles])
@pytest.mark.parametrize("limits", ["kept", "held", "passes"])
def test_sides_beyond_64_bits_and_beyond_doubles(monkeypatch, fold, formula, limits):
    """Kept in order, looked for in bins of what is held, and in bins of passes."""
    if limits != "kept":
        monkeypatch.setattr("confmat._integers.arrays.ROWS_WAITING", 2)
        monkeypatch.setattr(signed, "_MOST_SORTED", 20)
        monkeypatch.setattr(signed, "_BINS", 8)
    if limits == "passes":
        fold()
    matrices = Tables(26, 2, 2)
    law = joint_distribution(
        matrices, Statistic("big", formula=formula, depends="ABP", symmetry="transposition", bounds=(0, 4))
    )
    line, expected = law["big"], quotients(matrices, formula)
    total = sum(weight for _, weight in expected)
    mean, square = (sum(x**k * weight for x, weight in expected) / total for k in (1, 2))
    assert (line.mean(exact=True), line.var(exact=True)) == (mean, square - mean**2)
    assert line.mean() == float(mean)
    ordered = [x for x, weight in expected for _ in range(weight)]
    assert [line.quantile(Fraction(k, 12)) for k in range(13)] == [
        ordered[max(0, -(-k * total // 12) - 1)] for k in range(13)
    ]
    assert (line.min(), line.max()) == (ordered[0], ordered[-1])
    assert line.cdf(ordered[99]) == Fraction(sum(x <= ordered[99] for x in ordered), total)
    if limits != "passes":
        assert list(line) == expected
    assert quotient(line.argmax(), formula) == line.max()


@pytest.mark.parametrize(("n", "name"), [(26, "ard"), (30, "rd")])
def test_sums_of_many_labelings_do_not_overflow(n, name):
    """Weights within 64 bits whose products with squares are beyond: of all denominators, of one."""
    matrices = Tables(n, 2, 2)
    line = joint_distribution(matrices, name, weight="labelings")[name]
    law = list(line)
    mean, square = (sum(x**k * weight for x, weight in law) / line.total for k in (1, 2))
    assert (line.mean(exact=True), line.var(exact=True)) == (mean, square - mean**2)
    assert line.total == matrices.labelings_count()


def trace(matrix):
    return int(np.trace(matrix))


def zeros(matrix):
    return int((matrix == 0).sum())


def largest_share(matrix):
    return int(matrix.max()), int(matrix.sum())


def corner(matrix):
    return float(matrix[0, -1])


@pytest.mark.parametrize(
    "matrices", [Tables(6, 3, 3), Tables(6, 2, 3), FixedMargins((4, 3), (5, 2)), FixedRows((3, 2), 2)]
)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize(
    "statistic",
    [
        Statistic("zeros", zeros, symmetry="transposition"),
        Statistic("zeros", zeros, symmetry="permutations"),
        Statistic("share", largest_share, symmetry="permutations"),
        trace,
        corner,
    ],
    ids=["transposition", "permutations", "pair", "none", "float"],
)
def test_own_statistic_against_a_plain_loop(matrices, weight, statistic):
    function = statistic.function if isinstance(statistic, Statistic) else statistic
    law = defaultdict(int)
    for matrix in matrices:
        value = function(matrix)
        value = Fraction(*value) if isinstance(value, tuple) else value
        law[partition.med(matrix, exact=True), value] += 1 if weight == "tables" else labelings(matrix)
    assert dict(list(joint_distribution(matrices, "med", statistic, weight=weight))) == law


@pytest.mark.parametrize(
    "matrices", [Tables(6, 3, 3), Tables(5, 2, 2, allow_empty=True), FixedMargins((4, 3), (5, 2))]
)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_simultaneous_relabeling_visits_fewer_matrices(matrices, weight):
    declared = joint_distribution(
        matrices, "med", Statistic("trace", trace, symmetry="simultaneous"), weight=weight
    )
    assert list(declared) == list(joint_distribution(matrices, "med", trace, weight=weight))


def test_a_statistic_that_returns_nonsense():
    with pytest.raises(TypeError, match="statistic 'text' must return"):
        _ = list(joint_distribution(Tables(3, 2, 2), Statistic("text", lambda _: "no")))


def test_a_pair_of_zeros_is_undefined():
    """Precision of the first class: its column may be empty."""

    def precision(table):
        return table[0, 0], table[:, 0].sum()

    law = joint_distribution(FixedRows((2, 1), 2), precision)
    assert sum(weight for (value,), weight in list(law) if value != value) == 1
    assert law.total == FixedRows((2, 1), 2).count()


def test_a_denominator_of_zero_alone_is_an_error():
    def odds(table):
        return table[0, 0], table[0, 1]

    law = joint_distribution(FixedRows((2, 1), 2), odds)
    with pytest.raises(ValueError, match="statistic 'odds' returned"):
        list(law)
