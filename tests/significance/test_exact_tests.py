"""Exact tests at fixed margins, against sums over all tables in fractions, published numbers, and planted sizes."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain, product
from math import comb, factorial, log, prod
from pkgutil import resolve_name

import numpy as np
import pytest
from brute import partitions

import confmat as cm
from confmat.classes import FixedMargins
from confmat.errors import TooLargeError
from confmat.fixed_margins import additive
from confmat.significance import exact_test
from confmat.statistics import STATISTICS

LESIONS = [[0, 1, 0], [8, 1, 8], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [1, 0, 1], [1, 0, 1]]
# Mehta and Patel (1983), and R's help on fisher.test.
MEHTA_PATEL = [
    [1, 2, 2, 1, 1, 0, 1],
    [2, 0, 0, 2, 3, 0, 0],
    [0, 1, 1, 1, 2, 7, 3],
    [1, 1, 2, 0, 0, 0, 1],
    [0, 1, 1, 1, 1, 0, 0],
]


def chance(table):
    lines = (*table.sum(axis=1).tolist(), *table.sum(axis=0).tolist())
    cells = prod(factorial(x) for x in table.ravel().tolist())
    return Fraction(prod(map(factorial, lines)), factorial(int(table.sum())) * cells)


def powers(table):
    return prod(int(x) ** int(x) for x in table.ravel() if x)


def chi2(table):
    rows, cols = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    return sum(Fraction(int(x) ** 2, rows[i] * cols[j]) for (i, j), x in np.ndenumerate(table) if x)


# What orders tables as each statistic does, in whole numbers.
ORDER = {
    "ffh": lambda table: prod(factorial(x) for x in table.ravel().tolist()),
    "g2": powers,
    "chi2": chi2,
    "ri": lambda table: sum(x * (x - 1) for x in table.ravel().tolist()),
    "kappa": lambda table: sum(int(table[i, i]) for i in range(min(table.shape))),
}


@cache
def chances(rows, cols, key):
    """The chance of every value, by all tables with these margins."""
    found = Counter()
    for table in FixedMargins(rows, cols):
        found[key(table)] += chance(table)
    return found


def brute(observed, key, side="greater"):
    """P(as extreme) and P(more extreme) by all tables."""
    law = chances(*(tuple(observed.sum(axis=axis).tolist()) for axis in (1, 0)), key)
    reached = key(observed)
    beyond = sum(law[x] for x in law if (x > reached if side == "greater" else x < reached))
    return beyond + law[reached], Fraction(beyond)


def observed_tables(totals, sides=(2, 3)):
    """Some tables of all margins, in increasing order, of so many objects: the first, the middle, the last."""
    for n, r, s in product(totals, sides, sides):
        for rows, cols in product(partitions(n, r, minimum=1), partitions(n, s, minimum=1)):
            tables = list(FixedMargins(rows, cols))
            for k in {0, len(tables) // 2, len(tables) - 1}:
                yield tables[k]


@pytest.mark.parametrize("name", ["ffh", "g2", "chi2", "ri"])
@pytest.mark.parametrize(
    ("totals", "sides"),
    [
        (range(2, 7), (2, 3)),
        (range(2, 6), range(1, 6)),
        pytest.param((6,), range(1, 7), marks=pytest.mark.slow),
        pytest.param((7,), range(1, 8), marks=pytest.mark.slow),
    ],
    ids=["two or three lines", "up to five objects", "six", "seven"],
)
def test_all_margins_of_up_to_seven_objects(name, totals, sides):
    compared = 0
    for table in observed_tables(totals, sides):
        expected, beyond = brute(table, ORDER[name])
        found = exact_test(table, name)
        if min(table.shape) == 1:
            assert (found.method, found.pvalue, found.beyond) == ("the only table with these margins", 1, 0)
            continue
        assert found.method == "recursion over rows"
        assert abs(Fraction(found.pvalue) / expected - 1) <= Fraction(found.error), table
        assert abs(Fraction(found.beyond) - beyond) <= Fraction(found.error) * beyond, table
        compared += 1
    assert compared > 150


@pytest.mark.parametrize("name", ["ffh", "g2", "chi2", "ri"])
@pytest.mark.parametrize("side", ["greater", "less"])
def test_fractions_are_those_of_all_tables(name, side):
    for table in list(observed_tables(range(2, 7)))[::7]:
        found = exact_test(table, name, alternative=side, exact=True)
        assert (found.pvalue, found.beyond) == brute(table, ORDER[name], side)


@pytest.mark.parametrize("seed", range(10))
def test_doubles_and_whole_numbers_agree_at_larger_tables(seed):
    rng = np.random.default_rng(seed)
    r, s, n = int(rng.integers(3, 6)), int(rng.integers(3, 5)), 40
    table = np.zeros((r, s), int)
    np.add.at(table, (rng.integers(0, r, n), rng.integers(0, s, n)), 1)
    for name in ("ffh", "chi2", "ard"):
        doubles, exact = exact_test(table, name), exact_test(table, name, exact=True)
        assert abs(Fraction(doubles.pvalue) / exact.pvalue - 1) <= Fraction(doubles.error)
        assert 0 < doubles.error < 1e-9


OF_PAIRS = [name for name, record in STATISTICS.items() if record.counted and record.cell_sum is not None]


@pytest.mark.parametrize("name", ["cor", "kappa", "mcc", "bcr", "ami", "vi", "nmi", *OF_PAIRS])
@pytest.mark.parametrize("side", ["greater", "less"])
def test_indices_that_depend_on_a_sum_are_those_of_all_tables(name, side):
    table = np.array([[3, 1, 0], [1, 2, 0], [0, 2, 2]])
    record = STATISTICS[name]

    def key(other):
        value = record(other)
        return round(value, 9) if isinstance(value, float) else value

    found = exact_test(table, name, alternative=side)
    assert found.statistic == record(table)
    assert found.method == "recursion over rows"
    assert found.pvalue == pytest.approx(float(brute(table, key, side)[0]), rel=1e-9)


def test_published_and_known_values():
    assert exact_test(LESIONS, exact=True).pvalue == Fraction(28411, 2812095)
    assert exact_test(LESIONS, "chi2", exact=True).pvalue == Fraction(226969, 8436285)
    assert exact_test(MEHTA_PATEL).pvalue == pytest.approx(0.03928964365533392, rel=1e-12)
    assert exact_test(MEHTA_PATEL).pvalue_r == pytest.approx(0.03929, abs=5e-6)


def test_empty_lines_and_transposition_change_nothing():
    table = np.array(MEHTA_PATEL)
    wider = np.zeros((7, 9), int)
    wider[1:6, 2:9] = table
    for name in ("ffh", "g2", "ard"):
        expected = exact_test(table, name).pvalue
        assert exact_test(wider, name).pvalue == pytest.approx(expected, rel=1e-12)
        assert exact_test(table.T, name).pvalue == pytest.approx(expected, rel=1e-12)


def test_cells_keep_their_places():
    """The diagonal is that of the table as it was given, whatever lines are turned or put into another order."""
    table = np.array([[1, 0, 4, 2], [0, 0, 0, 0], [2, 0, 5, 1], [3, 0, 0, 9]])
    found = exact_test(table, "cor", exact=True)
    assert found.pvalue == brute(table, lambda other: int(np.trace(other)))[0]

    def cell(x, i, j):
        return x * (2 * i + 3 * j) % 5

    key = lambda other: sum(cell(int(x), i, j) for (i, j), x in np.ndenumerate(other))  # noqa: E731
    assert exact_test(table, additive(cell), exact=True).pvalue == brute(table, key)[0]


def test_one_s_own():
    table = np.array([[3, 1, 0], [1, 2, 0], [0, 2, 2]])
    found = exact_test(table, lambda other: int(other.max()))
    assert (found.pvalue, found.beyond) == brute(table, lambda other: int(other.max()))
    assert "enumeration" in found.method
    doubles = exact_test(table, additive(lambda x, i, j: log(1 + x) * (i + 1)))
    key = lambda other: round(sum(log(1 + int(x)) * (i + 1) for (i, _), x in np.ndenumerate(other)), 9)  # noqa: E731
    assert doubles.pvalue == pytest.approx(float(brute(table, key)[0]), rel=1e-12)
    drawn = exact_test(np.full((6, 6), 3), lambda other: int(other.max()), draws=99, rng=1)
    assert (drawn.method, drawn.draws, drawn.interval is not None) == ("Monte Carlo", 99, True)


def test_two_sided_and_mid():
    table = np.array([[5, 1], [1, 4]])
    greater, less = (exact_test(table, "cor", alternative=side, exact=True) for side in ("greater", "less"))
    both = exact_test(table, "cor", alternative="two-sided", exact=True)
    assert both.pvalue == 2 * min(greater.pvalue, less.pvalue)
    assert greater.mid == (greater.pvalue + greater.beyond) / 2
    assert exact_test([[1, 1], [1, 1]], "cor", alternative="two-sided").pvalue == 1


# --- what overflows, or is too large ------------------------------------------------------------------


def test_twenty_one_equal_columns():
    """21! orders of equal columns pass 64 bits."""
    table = np.zeros((21, 21), int)
    table[np.arange(21), np.arange(21)] = 1
    found = exact_test(table)
    assert found.pvalue == pytest.approx(1, rel=1e-12)  # all tables are permutation matrices
    assert exact_test(table, "cor", exact=True).pvalue == Fraction(1, factorial(21))


def test_cells_of_a_thousand():
    table = np.array([[996, 4], [4, 996]])  # comb(1000, 4) is beyond every prime that is counted with
    found = exact_test(table)
    assert isinstance(found.pvalue, Fraction)  # too deep for doubles
    assert found.pvalue == Fraction(2 * sum(comb(1000, k) ** 2 for k in range(5)), comb(2000, 1000))


def test_deep_tails():
    table = np.array([[180, 2, 1], [1, 170, 2], [2, 0, 160]])
    deep, exact = exact_test(table, "ri"), exact_test(table, "ri", exact=True)
    assert 1e-250 < deep.pvalue < 1e-200
    assert abs(Fraction(deep.pvalue) / exact.pvalue - 1) <= Fraction(deep.error)


def test_too_many_terms_give_a_proved_bracket(monkeypatch):
    table = np.array([[9, 7, 4, 11, 6, 3, 8, 5, 10, 2], [6, 8, 9, 5, 10, 7, 3, 12, 4, 6]])
    exact = exact_test(table).pvalue

    def too_many(*_):
        raise TooLargeError("planted")

    monkeypatch.setattr("confmat.significance.exact_tests._in_doubles", too_many)
    found = exact_test(table)
    low, high = found.bracket
    assert low <= exact <= high == found.pvalue
    assert 0 < low < high < 1
    assert "rounded" in found.method
    lines = [line.split(None, 1) for line in str(found).splitlines()]
    assert ["p", f"between {low:.6g} and {high:.6g}"] in lines
    assert "mid-p" not in str(found)


def test_fronts_that_would_meet_for_too_long_do_not(monkeypatch):
    """With limits at which all rows but one are added up, but what meets over the last one is too much."""
    table = np.array([[7, 3, 2, 1], [2, 6, 4, 1], [1, 2, 8, 3], [2, 3, 1, 9]])
    calls, refusals, limits = Counter(), [], [10**9]

    def counted(name):
        compiled = resolve_name(f"confmat.fixed_margins.tails:{name}")

        def call(*arguments):
            calls[name] += 1
            return compiled(*arguments)

        return call

    for name in ("laws_along", "meet"):
        monkeypatch.setattr(f"confmat.fixed_margins.tails.{name}", counted(name))
    unlimited = resolve_name("confmat.fixed_margins.tails:tail")

    def limited(margins, thresholds, most=None):
        calls.clear()
        try:
            return unlimited(margins, thresholds, most or limits[-1])
        except TooLargeError:
            refusals.append(calls.copy())
            raise

    monkeypatch.setattr("confmat.significance.exact_tests.tail", limited)
    exact = exact_test(table).pvalue
    rows_added = calls["laws_along"]
    assert (calls["meet"], refusals) == (1, [])
    for limit in np.geomspace(100, 400_000, 60):
        limits.append(limit)
        found = exact_test(table)
        assert found.bracket is None or found.bracket[0] <= exact <= found.bracket[1]
    assert any(counts["laws_along"] == rows_added for counts in refusals)
    assert not any(counts["meet"] for counts in refusals)


def test_of_whole_numbers_no_bracket_is_needed(monkeypatch):
    """A scale changes no sum that is exact: with more terms than at first the p-value itself is found."""
    table = np.array([[4, 1, 0], [1, 3, 1], [0, 1, 5]])
    exact = exact_test(table, "ri")

    def too_many(*_):
        raise TooLargeError("planted")

    monkeypatch.setattr("confmat.significance.exact_tests._in_doubles", too_many)
    found = exact_test(table, "ri")
    assert (found.pvalue, found.beyond, found.bracket) == (exact.pvalue, exact.beyond, None)
    assert found.bracket is None


def test_too_many_edges_give_draws(monkeypatch):
    monkeypatch.setattr("confmat.fixed_margins.sums.LARGEST_LINE", 4)
    found = exact_test(MEHTA_PATEL, draws=999, rng=3)
    assert found.interval[0] < 0.0393 < found.interval[1]


@pytest.mark.parametrize(
    ("arguments", "options", "error", "text"),
    [
        (([[0, 0], [0, 0]],), {}, ValueError, "table must have at least one object"),
        (([[2**60, 1], [1, 1]],), {}, ValueError, "table must have fewer than 2"),
        (
            ([[1, 2], [3, 4]], "chi"),
            {},
            ValueError,
            "statistic must be the name of a statistic, got 'chi'; did you mean chi2",
        ),
        (([[1, 2], [3, 4]], 7), {}, TypeError, "statistic must be a name"),
        (([[1, 2], [3, 4]],), {"alternative": "more"}, ValueError, "alternative must be"),
        (([[2, 0], [2, 0]], "kappa"), {"draws": 0}, ValueError, "draws must be at least 1"),
        (
            ([[1, 2], [3, 4]], additive(lambda x, i, j: float("nan"))),
            {},
            ValueError,
            "must be finite in every cell",
        ),
        (
            (np.full((6, 6), 5), lambda t: int(t.max())),
            {"exact": True},
            TooLargeError,
            "not a sum over cells",
        ),
    ],
)
def test_refused(arguments, options, error, text):
    with pytest.raises(error, match=text):
        exact_test(*arguments, **options)


def test_a_front_door():
    assert cm.exact_test is exact_test


# --- huge counts ----------------------------------------------------------------------------------

HUGE = [[[2**40, 2**39, 3], [1, 1, 1], [5, 4, 3]], [[3, 2**41, 1, 0], [2, 1, 2, 2]], [[10**9, 3], [2, 5]]]


def tables_between(rows, cols):
    """All tables with these margins, whose first row may be huge: the others are written down cell by cell."""
    for cells in product(*(range(min(row, col) + 1) for row in rows[1:] for col in cols)):
        others = [list(cells[k : k + len(cols)]) for k in range(0, len(cells), len(cols))]
        first = [col - sum(column) for col, column in zip(cols, zip(*others))]
        if [sum(row) for row in others] == list(rows[1:]) and min(first) >= 0:
            yield [first, *others]


def relative_probability(table, observed):
    """The probability of a table over that of another one with its margins: quotients of factorials."""
    chance = Fraction(1)
    for x, y in zip(chain(*table), chain(*observed)):
        chance *= prod(range(x + 1, y + 1)) if x < y else Fraction(1, prod(range(y + 1, x + 1)))
    return chance


ORDERS_OF_HUGE = {
    "fisher": lambda table, observed: -relative_probability(table, observed),
    "ari": lambda table, _: sum(comb(x, 2) for row in table for x in row),
}


@pytest.mark.parametrize("table", HUGE, ids=["3x3", "2x4", "2x2"])
@pytest.mark.parametrize("name", ORDERS_OF_HUGE)
def test_huge_counts_are_compared_as_integers(name, table):
    order = ORDERS_OF_HUGE[name]
    total = extreme = Fraction(0)
    for other in tables_between([sum(row) for row in table], [sum(column) for column in zip(*table)]):
        chance = relative_probability(other, table)
        total += chance
        extreme += chance * (order(other, table) >= order(table, table))
    assert float(exact_test(table, name).pvalue) == pytest.approx(float(extreme / total), rel=1e-9)


def test_huge_counts_of_many_tables_are_refused():
    with pytest.raises(ValueError, match="table must have at most 100,000,000 objects, got 400,000,000"):
        exact_test([[10**8, 10**8], [10**8, 10**8]], "nmi")
    with pytest.raises(ValueError, match=r"table must have fewer than 2\^60 objects"):
        exact_test([[2**60, 1], [1, 1]])
