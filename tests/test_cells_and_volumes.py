"""Laws of cells and volume tests, against all tables with the margins and published figures."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from confmat.chance import volume_test
from confmat.classes import FixedMargins
from confmat.errors import TooLarge, Unsupported


@pytest.mark.parametrize(
    "margins", [((3, 2, 2), (3, 2, 2)), ((4, 0, 3), (2, 5)), ((5,), (2, 3)), ((0,), (0,))]
)
def test_laws_of_cells(margins):
    tables = FixedMargins(*margins)
    listed = list(map(np.array, tables))
    for i, j in np.ndindex(*tables.shape):
        found = Counter(int(table[i, j]) for table in listed)
        law = tables.cell_law(i, j)
        assert {x: count for x, count in enumerate(law.counts) if count} == found
        assert law.mean == Fraction(sum(int(table[i, j]) for table in listed), len(listed))
        assert law.var == sum(Fraction(int(table[i, j])) ** 2 for table in listed) / len(listed) - law.mean**2
        assert law.at_least(1) == Fraction(sum(table[i, j] >= 1 for table in listed).item(), len(listed))


def test_cells_of_equal_margins_have_their_share_as_mean():
    law = FixedMargins([10] * 4, [10] * 4).cell_law(2, 3)
    assert law.mean == Fraction(10, 4)
    assert law.at_least(-1) == 1
    assert law.at_least(11) == 0


def test_refused_cells():
    with pytest.raises(IndexError, match=r"got 3 and 0"):
        FixedMargins([2, 1], [2, 1]).cell_law(3, 0)
    with pytest.raises(Unsupported, match="without bounds"):
        FixedMargins([2, 1], [2, 1], cells=(0, 1)).cell_law(0, 0)


def chi_squared(table):
    table = np.array(table)
    rows, cols = table.sum(axis=1).tolist(), table.sum(axis=0).tolist()
    return sum(Fraction(int(x) ** 2, rows[i] * cols[j]) for (i, j), x in np.ndenumerate(table))


@pytest.mark.parametrize(
    "table",
    [[[3, 1], [1, 4]], [[2, 2, 0], [1, 0, 3], [1, 2, 2]], [[7]], [[1, 0], [0, 0], [0, 1]], [[0, 5], [4, 0]]],
)
def test_volumes(table):
    filled = np.array(table)
    filled = filled[filled.sum(axis=1) > 0][:, filled.sum(axis=0) > 0]
    observed = chi_squared(filled)
    values = [chi_squared(x) for x in FixedMargins(filled.sum(axis=1).tolist(), filled.sum(axis=0).tolist())]
    p = volume_test(table)
    assert p.value == Fraction(sum(x <= observed for x in values), len(values))
    assert p.mid == p.value - Fraction(sum(x == observed for x in values), 2 * len(values))


def test_volumes_by_draws():
    table = [[4, 2, 2], [3, 5, 1], [1, 2, 4]]
    exact, drawn = volume_test(table), volume_test(table, exact=False, draws=999, rng=1)
    low, high = drawn.interval
    assert low < exact.value < high


def test_chi_squared_beyond_64_bits():
    """2 x 2 tables are as far as their first cell from its expectation."""
    a, b, c = 10_007, 10_009, 9_973  # n = a + b, the first column c
    x, expected = 5_100, Fraction(a * c, a + b)
    near = [y for y in range(min(a, c) + 1) if abs(y - expected) <= abs(x - expected)]
    p = volume_test([[x, a - x], [c - x, b - c + x]])
    assert p.value == Fraction(len(near), min(a, c) + 1)


@pytest.mark.slow
def test_hair_and_eyes():
    """592 students (Diaconis and Efron 1985), a chi-squared of 138 at 9 degrees of freedom: 10^5 draws give 0.1534."""
    table = [[68, 119, 26, 7], [20, 84, 17, 94], [15, 54, 14, 10], [5, 29, 14, 16]]
    p = volume_test(table, draws=9_999, rng=1)
    assert p.interval[0] < 0.1534 < p.interval[1]


@pytest.mark.parametrize("bad", [{"draws": 0}, {"confidence": 1.0}])
def test_refused_options(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        volume_test([[1, 2], [3, 4]], **bad)
    for mistaken in ({"exact": "no"}, {"rng": "a"}, {"confidence": "a"}):
        with pytest.raises(TypeError, match=f"^{next(iter(mistaken))} must be"):
            volume_test([[1, 2], [3, 4]], **mistaken)
    with pytest.raises(TooLarge, match="exact=True visits at most 1,000,000,000 tables"):
        volume_test([[50] * 6] * 6, exact=True)
    with pytest.raises(ValueError, match="at least one object"):
        volume_test([[0]])
