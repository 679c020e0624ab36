"""Indices that are 0/0 and not distances; `test_partition` has the distances, which are 0 there."""

import math
from fractions import Fraction

import pytest

from confmat.errors import UndefinedIndexError, UndefinedIndexWarning
from confmat.indices.partition import (
    adjusted_rand_index,
    fowlkes_mallows,
    jaccard,
    rand_distance,
    wallace_ab,
    wallace_ba,
)


def test_one_cluster_against_singletons():
    table = [[1, 1, 1]]
    assert rand_distance(table) == 1
    assert adjusted_rand_index(table) == 0
    assert wallace_ab(table) == 0
    assert jaccard(table) == 0
    with pytest.raises(UndefinedIndexError, match=r"wallace_ba is 0/0 here: .* clustering b"):
        wallace_ba(table)
    with pytest.raises(UndefinedIndexError, match=r"fowlkes_mallows is 0/0 here: .* clustering b$"):
        fowlkes_mallows(table)
    with pytest.raises(UndefinedIndexError, match=r"fowlkes_mallows is 0/0 here: .* clustering a$"):
        fowlkes_mallows([[1], [1]])


def test_other_quotients_0_over_0_follow_the_policy():
    table = [[1, 0], [0, 1]]
    for index in (wallace_ab, wallace_ba, jaccard, fowlkes_mallows):
        with pytest.raises(UndefinedIndexError):
            index(table)
        assert math.isnan(index(table, undefined="nan"))
        assert index(table, undefined=1) == 1.0
        assert index(table, undefined=Fraction(1, 3), exact=True) == Fraction(1, 3)
        with pytest.raises(ValueError, match="undefined must be"):
            index([[2, 1], [0, 2]], undefined="zero")
    for only_one in ([[1, 1]], [[1], [1]]):  # the caller's number, not its root
        assert fowlkes_mallows(only_one, undefined=Fraction(1, 3), exact=True) == Fraction(1, 3)
        assert fowlkes_mallows(only_one, undefined=0.25) == 0.25


def test_exact_fowlkes_mallows_is_a_root_where_it_is_irrational():
    assert repr(fowlkes_mallows([[2, 1], [0, 2]], exact=True)) == "Fraction(1, 2)"
    assert str(fowlkes_mallows([[3, 0], [1, 1]], exact=True)) == "1/4*sqrt(6)"
    assert fowlkes_mallows([[2, 0, 0], [0, 1, 1]], exact=True) ** 2 == Fraction(1, 2)


@pytest.mark.parametrize("module", ["__main__", "analysis", "confmat_tools", "confusion"])
def test_a_warning_names_the_line_of_a_user_in_any_module(module):
    user = compile("\nwallace_ab([[1]], undefined='warn')", "analysis.py", "exec")
    with pytest.warns(UndefinedIndexWarning) as caught:
        exec(user, {"__name__": module, "wallace_ab": wallace_ab})
    assert [(warning.filename, warning.lineno) for warning in caught] == [("analysis.py", 2)]
