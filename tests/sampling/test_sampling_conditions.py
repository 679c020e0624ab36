"""Draws under any condition: each way against the members listed (chi-square), and methods that are named are taken."""

from fractions import Fraction

import numpy as np
import pytest
from goodness import p_value, uniform

from confmat import Limits
from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables
from confmat.errors import TooLargeError, TooRareError
from confmat.indices.partition import chi_squared
from confmat.sampling import given, sample, stream
from confmat.statistics import STATISTICS, as_condition

CASES = [
    (Tables(6, 3, 3), "ard>1"),
    (Tables(7, 2, 3), "med<=2/7"),
    (Tables(6, 2, 2), "cor>=1/2, rd<1/2"),
    (FixedRows([4, 3], 3), "rd<1/2"),
    (FixedMargins([4, 3, 2], [3, 3, 3]), "ari<0"),
]


def members(matrices, condition):
    return [np.array(x) for x in matrices if as_condition(condition)(x)]


@pytest.mark.parametrize("listed", [True, False], ids=["listed", "filtered"])
@pytest.mark.parametrize(("matrices", "condition"), CASES, ids=str)
def test_uniform_under_conditions(monkeypatch, listed, matrices, condition):
    if not listed:
        monkeypatch.setattr(given, "MOST_TABLES_LISTED", -1)
    law = uniform(members(matrices, condition))
    draws = sample(matrices, 8 * len(law) + 1000, rng=1, given=condition)
    assert draws.method.name.endswith("listing" if listed else (", filtered", "counting"))
    assert draws.given == str(as_condition(condition))
    assert p_value(law, np.asarray(draws)) > 1e-4


PARTS = [
    (Tables(7, 3, 3), "ard>1"),
    (
        Tables(6, 3, 3),
        "wallace_ab<wallace_ba, med<=1/2",
    ),  # not symmetric: a table is drawn, its transpose is not
    (Tables(6, 2, 3), "wallace_ab=1/3"),
    (Tables(6, 3, 2), "wallace_ab=1/3"),
    (Tables(5, 2, 2, allow_empty=True), "rd<=2/5"),
    (FixedRows([3, 2, 2], 3), "rd<1/2"),
    (FixedRows([2, 2, 3], 3), "wallace_ba=0"),
    (FixedColumns([4, 1, 2], 2), "ri>1/2"),
    (FixedColumns([2, 2, 2], 3, allow_empty=False), "med=1/2"),
]


@pytest.mark.parametrize(("matrices", "condition"), PARTS, ids=str)
def test_uniform_from_lists_of_parts(monkeypatch, matrices, condition):
    """Classes too large to list are counted by the engine and listed margin by margin; here brute force lists them."""
    monkeypatch.setattr(given, "MOST_TABLES_LISTED", -1)
    monkeypatch.setattr(given, "_is_rare", lambda target: True)
    kept = members(matrices, condition)
    draws = sample(matrices, 8 * len(kept) + 1000, rng=1, given=condition)
    assert draws.method.name == "listing"
    assert draws.method.why.startswith(f"all {len(kept)} members")
    assert p_value(uniform(kept), np.asarray(draws)) > 1e-4
    few = np.asarray(sample(matrices, 5, rng=1, given=condition, limits=Limits(threads=2)))
    assert (few == np.asarray(draws)[:5]).all()


def test_rare_values_of_a_class_beyond_lists_and_filtering():
    matrices = Tables(25, 4, 4)  # 3.6e10 members, of which 288 meet the condition
    condition = "rd=1/3, med=1/5"
    draws = sample(matrices, 50, rng=1, given=condition)
    assert draws.method.why.startswith("all 288 members")
    assert all(table in matrices and as_condition(condition)(table) for table in draws)
    with pytest.raises(ValueError, match="no member of"):
        sample(matrices, 1, given="ard=9/1000")
    assert sample(matrices, 1, rng=1, given="ard>1").method.name == "rejection, filtered"


def test_an_enumeration_before_the_first_draw_is_within_the_time_limit():
    with pytest.raises(TooLargeError, match=r"was stopped after 0\.01 seconds"):
        sample(Tables(40, 4, 4), 10, rng=1, given="ard=9/10", limits=Limits(seconds=0.01))


@pytest.mark.parametrize(
    "margins", [((4, 3, 2), (3, 3, 3)), ((1, 2, 2, 2), (5, 2)), ((1, 1, 2), (2, 1, 1)), ((3, 3), (4, 2))]
)
@pytest.mark.parametrize("name", ["chi2", "ri", "g2", "ffh", "kappa"])
def test_the_recursion_over_rows(margins, name, monkeypatch):
    """Draws with each value of a statistic, and of its tail."""
    tables = FixedMargins(*margins)
    if name == "kappa" and len(margins[0]) != len(margins[1]):
        return
    statistic = STATISTICS[name]
    by_value = {}
    for table in tables:
        by_value.setdefault(statistic(table), []).append(table)
    values = sorted(by_value)
    conditions = [f"{name} = {value}" for value in values if isinstance(value, Fraction)]
    median = values[len(values) // 2]
    if isinstance(median, Fraction):
        conditions.append(f"{name} >= {median}")
    monkeypatch.setattr(given, "MOST_TABLES_LISTED", -1)
    for condition in conditions:
        kept = [table for table in tables if as_condition(condition)(table)]
        draws = sample(tables, 5 * len(kept) + 300, rng=1, given=condition)
        assert draws.method.why.startswith("numbers of completions by")
        drawn = np.asarray(draws)
        assert (drawn == kept[0]).all() if len(kept) == 1 else p_value(uniform(kept), drawn) > 1e-4
    with pytest.raises(TooRareError, match="no member of"):
        np.asarray(sample(tables, 1, given=f"{name} > 1000"))


@pytest.mark.slow  # the recursion draws given tails of chi2 above, at margins that brute force lists
def test_draws_given_a_tail_of_chi_squared_by_the_front_door():
    tables = FixedMargins([15, 12, 12, 9], [14, 13, 11, 10])
    draws = sample(tables, 300, given="chi2>=90", rng=1)
    assert min(chi_squared(table, exact=True) for table in draws) >= 90
    assert "squares over the product of the margins" in draws.method.why


def test_a_rare_value_at_fixed_margins_is_exact():
    tables = FixedMargins([9] * 4, [9] * 4)  # 5 * 10^6
    draws = sample(tables, 20, rng=1, given="rd=0")
    assert draws.method.name == "counting"
    assert (np.sort(np.asarray(draws), axis=1)[:, :3] == 0).all()


@pytest.mark.parametrize(
    ("matrices", "condition", "method", "name"),
    [
        (FixedMargins([4, 3, 2], [3, 3, 3]), "med=4/9", "counting", "counting, filtered"),
        (Tables(7, 3, 3), "med=2/7", "rejection", "matched"),
        (Tables(7, 3, 3), "med=2/7", "unranking", "unranking, filtered"),
        (Tables(7, 3, 3), "rd<1/2", "rejection", "rejection, filtered"),
        (FixedRows([4, 3], 3), "med=2/7", "rejection", "rejection, filtered"),
    ],
)
def test_a_named_method_is_taken(matrices, condition, method, name):
    drawn = stream(matrices, 20, rng=1, given=condition, method=method)
    assert drawn.method.name == name
    assert all(as_condition(condition)(table) for table in drawn.array())
