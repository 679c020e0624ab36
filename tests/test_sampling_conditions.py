"""Draws under any condition: each way against the members listed (chi-square), and methods that are named are taken."""

import numpy as np
import pytest
from goodness import p_value, uniform

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.classes.short_lines import completions, state
from confmat.errors import TooRare
from confmat.sampling import given, sample, stream
from confmat.sampling.short_lines import from_short_lines
from confmat.statistics import as_condition

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
        monkeypatch.setattr(given, "LISTED", 0)
    law = uniform(members(matrices, condition))
    draws = sample(matrices, 8 * len(law) + 1000, rng=1, given=condition)
    assert draws.method.name.endswith("listing" if listed else ", filtered")
    assert draws.method.exact
    assert draws.given == str(as_condition(condition))
    assert p_value(law, np.asarray(draws)) > 1e-4


@pytest.mark.parametrize(
    "margins", [((4, 3, 2), (3, 3, 3)), ((1, 2, 2, 2), (5, 2)), ((1, 1, 2), (2, 1, 1)), ((3, 3), (4, 2))]
)
def test_the_recursion_over_pairs(margins):
    """Numbers by pairs, and draws with each of them."""
    tables = FixedMargins(*margins)
    pairs = np.array([int((x * (x - 1)).sum()) // 2 for x in tables])
    values, counts = np.unique(pairs, return_counts=True)
    found = completions(*margins, pairs=True)[0][state(margins[1])]
    assert found == dict(zip(values.tolist(), counts.tolist()))
    for value in values.tolist():
        kept = [x for x, p in zip(map(np.array, tables), pairs) if p == value]
        drawn = from_short_lines(tables, {value}).draw(np.random.SeedSequence(1), 5 * len(kept) + 300).tables
        assert (drawn == kept[0]).all() if len(kept) == 1 else p_value(uniform(kept), drawn) > 1e-4
    with pytest.raises(TooRare, match="pairs as asked for"):
        from_short_lines(tables, {99})


def test_a_rare_value_at_fixed_margins_is_exact():
    tables = FixedMargins([9] * 4, [9] * 4)  # 5 * 10^6
    draws = sample(tables, 20, rng=1, given="rd=0")
    assert (draws.method.name, draws.method.exact) == ("counting", True)
    assert (np.sort(np.asarray(draws), axis=1)[:, :3] == 0).all()


@pytest.mark.parametrize(
    ("matrices", "condition", "method", "name"),
    [
        (FixedMargins([4, 3, 2], [3, 3, 3]), "med=4/9", "counting", "counting, filtered"),
        (FixedMargins([4, 3, 2], [3, 3, 3]), "ari<0", "chain", "chain, filtered"),
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
