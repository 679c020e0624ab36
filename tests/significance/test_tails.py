"""The recursion for the law of P against listed laws, exact moments, and permutation tests at any depth."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np
import pytest
from brute import labelings, partitions

import confmat as cm
from confmat.classes import FixedMargins
from confmat.errors import TooLargeError
from confmat.significance import pair_distribution


def listed_law(rows, cols):
    """P(P = t), exactly, from every table with its number of labelings."""
    weights = Counter()
    for table in FixedMargins(rows, cols):
        weights[int((table * (table - 1)).sum()) // 2] += labelings(table)
    total = sum(weights.values())
    return {t: Fraction(weight, total) for t, weight in weights.items()}


def agrees(rows, cols):
    law, expected = pair_distribution(rows, cols), listed_law(rows, cols)
    assert set(np.flatnonzero(law.chances)) == set(expected)
    return all(abs(Fraction(law.chances[t]) / p - 1) <= law.error for t, p in expected.items())


def sides(n):
    return [margin for parts in range(1, n + 1) for margin in partitions(n, parts, minimum=1)]


@pytest.mark.parametrize(
    "n", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.slow)]
)
def test_all_margins(n):
    assert all(agrees(rows, cols) for rows, cols in product(sides(n), repeat=2))


@pytest.mark.parametrize(
    ("rows", "cols"), [((5, 4, 3), (6, 4, 2)), ((9, 1), (4, 3, 2, 1)), ((4, 4, 4), (3, 3, 3, 3))]
)
def test_larger_margins(rows, cols):
    assert agrees(rows, cols)
    assert agrees(cols, rows)


def test_a_tail_far_below_any_number_of_draws():
    """All three clusters found again: of (90)!/(30!)^3 relabelings 3! agree."""
    law = pair_distribution((30,) * 3, (30,) * 3)
    p = Fraction(6 * factorial(30) ** 3, factorial(90))
    assert abs(Fraction(law.at_least(3 * 435)) / p - 1) <= law.error < 1e-11
    assert law.chances[: 3 * 435 + 1].sum() == pytest.approx(1, abs=1e-12)


def test_margins_that_are_too_large_are_refused(monkeypatch):
    monkeypatch.setattr("confmat.significance.tails.MOST_EDGES", 20_000)
    with pytest.raises(TooLargeError, match="10 x 10 tables of 1000 objects needs more than 20,000 edges"):
        pair_distribution((100,) * 10, (100,) * 10)
    with pytest.raises(TooLargeError, match="40 x 40 tables"):
        pair_distribution((40,) * 40, (40,) * 40)
    with pytest.raises(TooLargeError, match="must be at most 5000, got"):
        pair_distribution((10**5,) * 2, (10**5, 5 * 10**4, 5 * 10**4))
    monkeypatch.setattr("confmat.significance.tails.MOST_EDGES", 10**8)
    monkeypatch.setattr("confmat.significance.tails.MOST_TERMS", 10_000)
    with pytest.raises(TooLargeError, match="their distribution needs"):
        pair_distribution((40, 30, 20), (30, 30, 30))


def test_many_small_lines_and_a_large_one():
    """Keys of states that no whole number of 64 bits holds; more than twenty equal columns."""
    law = pair_distribution((1,) * 39 + (60,), (1,) * 40 + (59,))
    assert law.chances.sum() == pytest.approx(1, abs=1e-11)
    assert agrees((1,) * 22, (20, 1, 1))


def test_recursion_and_enumeration_agree_on_p_values_and_critical_values():
    matrix = [[9, 2, 1], [1, 8, 2], [2, 1, 7]]
    for alternative in ("greater", "less", "two-sided"):
        exact = cm.permutation_test(matrix, alternative=alternative)
        assert exact.method == "exact"
        by_rows = _by_recursion(matrix, alternative)
        assert by_rows.method == "recursion"
        assert float(by_rows.p_ari.pvalue) == pytest.approx(float(exact.p_ari.pvalue), rel=1e-11)
        assert float(by_rows.p_ari.mid) == pytest.approx(float(exact.p_ari.mid), rel=1e-11)
        assert [c.ari for c in by_rows.critical] == [c.ari for c in exact.critical]


def _by_recursion(matrix, alternative):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("confmat.significance.null_distributions.LARGEST_EXACT", 0)
        return cm.permutation_test(matrix, alternative=alternative, draws=99)


def test_two_sides_add_up():
    matrix = [[5, 2], [1, 6]]
    more, less = (cm.permutation_test(matrix, alternative=side).p_ari for side in ("greater", "less"))
    both = cm.permutation_test(matrix, alternative="two-sided").p_ari
    assert more.mid + less.mid == 1
    assert both.pvalue == min(1, 2 * min(more.pvalue, less.pvalue))
    with pytest.raises(ValueError, match="alternative must be one of greater, less, two-sided, got 'both'"):
        cm.permutation_test(matrix, alternative="both")
