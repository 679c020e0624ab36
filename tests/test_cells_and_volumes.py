"""Distributions of cells, against all tables with the margins."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from confmat.classes import FixedMargins


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
