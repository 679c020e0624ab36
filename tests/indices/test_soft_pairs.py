"""The four pair counts and their indices, and the walk over all pairs."""

import math
from fractions import Fraction

import numpy as np
import pytest

from confmat.errors import UndefinedIndexError
from confmat.indices import soft


def test_indices_of_four_pair_counts():
    pairs = soft.FuzzyPairCounts(*map(Fraction, (3, 1, 2, 4)), pairs=10)
    assert (pairs.rand(), pairs.jaccard(), pairs.dice()) == (Fraction(7, 10), Fraction(1, 2), Fraction(2, 3))
    assert pairs.adjusted_rand() == Fraction(2, 5)
    assert pairs.fowlkes_mallows() == pytest.approx(3 / math.sqrt(20), rel=1e-15)
    assert soft.FuzzyPairCounts(0.25, 0.25, 0.25, 0.25, 1).fowlkes_mallows() == 0.5
    assert soft.FuzzyPairCounts(0.0, 1.0, 0.0, 0.0, 1).rand() == 0
    with pytest.raises(AttributeError):
        pairs.a = 1


def test_indices_of_four_pair_counts_at_the_edge():
    for zero in (0.0, Fraction(0)):
        nothing = soft.FuzzyPairCounts(zero, zero, zero, zero, pairs=0)
        assert nothing.rand() == nothing.adjusted_rand() == 1
        assert type(nothing.rand()) is type(nothing.adjusted_rand()) is type(zero)
    for a, d in ((1.0, 0.0), (0.0, 1.0), (-0.25, 0.0)):
        assert soft.FuzzyPairCounts(a, 0.0, 0.0, d, 1).adjusted_rand() == 1
    for b, c in ((1.0, 0.0), (0.0, 1.0)):  # a < 0 where masses are thin
        with pytest.raises(UndefinedIndexError, match="adjusted Rand index"):
            soft.FuzzyPairCounts(-1.0, b, c, 0.0, 1).adjusted_rand()
        for a in (0.0, -0.25):
            with pytest.raises(UndefinedIndexError, match="a clustering puts no pair together"):
                soft.FuzzyPairCounts(a, b, c, 1.0, 2).fowlkes_mallows()


@pytest.mark.parametrize("kind", [float, Fraction])
@pytest.mark.parametrize("index", ["rand", "adjusted_rand", "jaccard", "dice"])
def test_the_number_for_0_over_0_is_of_the_kind_of_the_counts(index, kind):
    nothing = soft.FuzzyPairCounts(*[kind(0)] * 4, pairs=1)
    for undefined in (0, 0.5, Fraction(1, 2)):
        value = getattr(nothing, index)(undefined)
        assert value == undefined
        assert type(value) is kind


def test_blocks_do_not_change_the_result(monkeypatch):
    rng = np.random.default_rng(8)
    U, V = rng.dirichlet(np.ones(3), 53), rng.dirichlet(np.ones(4), 53)
    whole = soft.all_indices(U, V)
    for block in (1, 60, 500):
        monkeypatch.setattr("confmat.indices.soft.memberships.CELLS_OF_BLOCK", block)
        assert soft.all_indices(U, V) == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 10])
@pytest.mark.parametrize("block", [1, 7, 30, 10**6])
def test_pair_blocks_cover_each_pair_once(monkeypatch, n, block):
    monkeypatch.setattr("confmat.indices.soft.memberships.CELLS_OF_BLOCK", block)
    blocks = [list(np.broadcast(i, j)) for i, j in soft.memberships.pair_blocks(n)]
    assert all(0 < len(found) <= max(block, n) for found in blocks)
    pairs = [(int(a), int(b)) for found in blocks for a, b in found]
    assert sorted(pairs) == [(i, j) for i in range(n) for j in range(i + 1, n)]
