"""Exact tests over few tables: against all tables in fractions, and counts beyond every other method."""

import time
from fractions import Fraction
from math import comb, log10

import numpy as np
import pytest

from confmat.errors import TooLargeError, UndecidedError
from confmat.fixed_margins.cell_sums import FACTORIALS, POWERS
from confmat.significance import exact_test, exact_tests, few_tables, permutation_test
from confmat.significance.few_tables import compare_sums

NAMES = ["ffh", "chi2", "g2", "ri", "kappa", "mcc", "bcr", "ari", "ami"]


def tables_of_two_rows(largest):
    for n in range(4, largest + 1):
        for row in range(1, n):
            for col in range(1, n):
                for x in range(max(0, row + col - n), min(row, col) + 1):
                    yield np.array([[x, row - x], [col - x, n - row - col + x]])


@pytest.mark.parametrize("name", NAMES)
def test_all_tables_of_two_rows_are_those_of_the_recursion(name, monkeypatch):
    compared = 0
    for table in list(tables_of_two_rows(12))[:: 31 + len(name)]:
        for side in ("greater", "less", "two-sided"):
            expected = exact_test(table, name, alternative=side, exact=True)
            with monkeypatch.context() as patched:
                patched.setattr(exact_tests, "MOST_BY_ROWS", 0)
                exact = exact_test(table, name, alternative=side, exact=True)
                rounded = exact_test(table, name, alternative=side)
            assert exact.method.startswith(("all", "the only"))
            assert (exact.pvalue, exact.beyond) == (expected.pvalue, expected.beyond), (table, side)
            error = Fraction(rounded.error or 0)
            assert abs(Fraction(rounded.pvalue) / expected.pvalue - 1) <= error, (table, side)
            compared += 1
    assert compared > 100


def test_empty_rows_and_columns_of_large_tables_change_nothing():
    table = np.zeros((3, 4), int)
    table[np.ix_([0, 2], [1, 3])] = [[900, 300], [222, 333]]
    for name in ("ffh", "chi2", "ri"):
        assert exact_test(table, name).pvalue == exact_test([[900, 300], [222, 333]], name).pvalue


def fisher(table):
    """Fisher's p-value by integers."""
    (a, b), (c, d) = table
    members = range(max(0, a - d), min(a + b, a + c) + 1)
    ways = {x: comb(a + c, x) * comb(b + d, a + b - x) for x in members}
    return Fraction(sum(w for w in ways.values() if w <= ways[a]), sum(ways.values()))


@pytest.mark.parametrize(
    "table",
    [
        [[333, 381], [801722, 7664285]],
        pytest.param([[2550, 2550], [2610, 2490]], marks=pytest.mark.slow),
    ],
)
def test_large_counts_are_those_of_integers(table):
    found = exact_test(table)
    assert abs(Fraction(found.pvalue) / fisher(table) - 1) <= Fraction(found.error) < Fraction(1, 10**9)
    assert exact_test(table, exact=True).pvalue == fisher(table)


def test_probabilities_below_the_range_of_floats_are_printed():
    found = exact_test([[4155, 4903], [805463, 8507517]])
    assert log10(found.pvalue.numerator) - log10(found.pvalue.denominator) == pytest.approx(
        -1894.936, abs=1e-3
    )
    lines = dict(line.split(None, 1) for line in str(found).splitlines()[1:])
    assert lines["p"] == "1.15778e-1895"
    assert lines["statistic"] == "1.02847e-1895"
    assert found.to_json()["p"]["log10"] == pytest.approx(-1894.936, abs=1e-3)


@pytest.mark.parametrize("name", ["ffh", "chi2", "g2", "ari"])
def test_twenty_million_tables_take_seconds(name):
    start = time.process_time()
    found = exact_test([[10_000_000, 9_999_990], [10_001_000, 9_998_990]], name)
    assert time.process_time() - start < 20
    assert found.method == "all 19,998,981 tables"
    assert 0.7 < found.pvalue < 0.8
    assert found.error < 1e-7


def test_more_tables_of_two_rows_are_not_added_up(monkeypatch):
    monkeypatch.setattr(exact_tests, "MOST_MEMBERS", 1000)
    table = [[2_000, 2_100], [2_200, 2_300]]
    monkeypatch.setattr(
        exact_tests, "by_recursion", lambda _: (_ for _ in ()).throw(TooLargeError("planted"))
    )
    assert exact_test(table, draws=99, rng=1).method == "enumeration of 4,101 tables"
    monkeypatch.setattr(exact_tests, "MOST_ENUMERATED", 1000)
    assert exact_test(table, draws=99, rng=1).method == "Monte Carlo"


def test_few_tables_of_more_rows_are_enumerated():
    table = [[5, 800_000], [3, 700_000], [2, 900_000]]
    totals = [800_005, 700_003, 900_002]
    ways = {}
    for x in range(11):
        for y in range(11 - x):
            ways[x, y] = comb(totals[0], x) * comb(totals[1], y) * comb(totals[2], 10 - x - y)
    total = comb(sum(totals), 10)
    expected = Fraction(sum(w for w in ways.values() if w <= ways[5, 3]), total)
    found = exact_test(table)
    assert (found.method, found.pvalue) == ("enumeration of 66 tables", expected)


def test_sums_of_logarithms_are_compared_exactly():
    for cell_sum, table, other in (
        (FACTORIALS, [[6, 1], [0, 7]], [[5, 2], [1, 6]]),
        (FACTORIALS, [[1, 2], [2, 1]], [[2, 1], [1, 2]]),
        (POWERS, [[1, 2], [2, 1]], [[2, 1], [1, 2]]),
    ):
        cells = [np.array(x) for x in (table, other)]
        sign = compare_sums(cell_sum, *cells)
        assert sign == -compare_sums(cell_sum, *cells[::-1])
    equal = np.array([[1, 4], [3, 5]]), np.array([[2, 3], [2, 6]])  # 4 * 3 = 2 * 6
    assert few_tables.ratio(*equal) == 1
    assert compare_sums(FACTORIALS, *equal) == 0


def test_sums_that_cannot_be_told_apart_are_refused(monkeypatch):
    monkeypatch.setattr(few_tables, "_logarithm_of_product", lambda *_: 0)
    monkeypatch.setattr(few_tables, "_is_equal", lambda *_: False)
    with pytest.raises(
        UndecidedError, match=r"log x! is equal for 3,1;0,2 and 2,2;1,1: the values agree in 4096 bits"
    ):
        compare_sums(FACTORIALS, np.array([[3, 1], [0, 2]]), np.array([[2, 2], [1, 1]]))


def test_the_permutation_test_takes_few_tables():
    table = [[333, 381], [801722, 7664285]]
    found, expected = permutation_test(table, rng=1).p_ari, exact_test(table, "ri")
    assert found.pvalue == expected.pvalue < 1e-140
    assert found.interval is None
