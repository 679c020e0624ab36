"""The law of the RD by adding rows, against enumeration, the closed-form maximum and the number of tables."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from confmat.classes import Tables
from confmat.engine.run import Resources
from confmat.engine.summary import summarize
from confmat.indices.extremes import max_rand_distance
from confmat.rdlaw import rand_distance_counts


def twice_disagreements(table):
    squares = sum(x * x for line in (*table, *zip(*table)) for x in [sum(line)])
    return squares - 2 * sum(x * x for row in table for x in row)


@pytest.mark.parametrize("empty", [False, True])
@pytest.mark.parametrize(
    ("r", "s", "largest"), [(1, 1, 4), (1, 3, 6), (2, 2, 8), (2, 3, 6), (3, 3, 5), (4, 2, 5)]
)
def test_by_definition(r, s, largest, empty):
    for n in range(largest + 1):
        law = Counter(twice_disagreements(t.tolist()) // 2 for t in Tables(n, r, s, empty))
        assert Counter(dict(enumerate(rand_distance_counts(n, r, s, empty=empty)))) == law


@pytest.mark.parametrize(("n", "r", "s"), [(20, 3, 3), (12, 4, 4), (9, 5, 5), (14, 3, 5), (40, 2, 3)])
def test_against_the_engine(n, r, s):
    law = summarize(Tables(n, r, s), "tables", Resources()).law.sum(axis=0).tolist()
    counts = rand_distance_counts(n, r, s)
    assert counts == law[: len(counts)]
    assert not any(law[len(counts) :])
    assert counts == rand_distance_counts(n, s, r)


@pytest.mark.parametrize(("n", "r", "s"), [(60, 3, 3), (30, 4, 4), (100, 2, 2), (25, 2, 5)])
def test_total_and_maximum(n, r, s):
    counts = rand_distance_counts(n, r, s)
    assert sum(counts) == Tables(n, r, s).count()
    assert len(counts) - 1 == comb(n, 2) * max_rand_distance(n, r, s)


@pytest.mark.slow
def test_larger():
    counts = rand_distance_counts(100, 3, 3)
    assert sum(counts) == Tables(100, 3, 3).count()
    law = summarize(Tables(30, 4, 4), "tables", Resources()).law.sum(axis=0).tolist()
    counts = rand_distance_counts(30, 4, 4)
    assert counts == law[: len(counts)]
    assert not any(law[len(counts) :])


def test_no_members_and_one():
    assert rand_distance_counts(2, 3, 3) == []
    assert rand_distance_counts(0, 2, 2) == []
    assert rand_distance_counts(0, 2, 2, empty=True) == [1]
    assert rand_distance_counts(1, 1, 1) == [1]


def test_errors():
    with pytest.raises(OverflowError, match=r"n=200, r=4, s=4: \d+ tables"):
        rand_distance_counts(200, 4, 4)
    with pytest.raises(ValueError, match="n must be at least 0, got -1"):
        rand_distance_counts(-1, 2, 2)
