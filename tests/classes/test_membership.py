"""Membership of many tables at once is that of each."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables

CLASSES = [
    Tables(6, 2, 3),
    Tables(5, 2, 2, allow_empty=True),
    FixedRows([3, 2], 2),
    FixedRows([3, 0], 2),
    FixedColumns([3, 2], 2),
    FixedMargins([3, 2], [4, 1]),
    Tables(0, 2, 2, allow_empty=True),
    Tables(2**62, 2, 2),
    Tables(2**70, 2, 2),
    Tables(10**30, 2, 2),
]

SMALL = [x for x in CLASSES if x.shape == (2, 2) and x.n < 9]


def test_sums_that_would_wrap_around_are_no_members():
    matrices = Tables(2**62, 1, 5)
    assert not matrices.contains_each(np.full((1, 1, 5), 2**62))  # 5 * 2^62 is 2^62 modulo 2^64


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_membership_of_many_is_that_of_each(matrices):
    r, s = matrices.shape
    rng = np.random.default_rng(1)
    member = matrices.unrank(matrices.count() // 2)
    tables = np.stack([member] * 400)
    for i, table in enumerate(tables[1:]):
        for _ in range(i % 3 + 1):
            x = [-1, 1, matrices.n, -matrices.n, 2**62][rng.integers(5 if i % 2 else 2)]
            with np.errstate(over="ignore"):  # what wraps around is no member either
                table[rng.integers(r), rng.integers(s)] += x
                table[rng.integers(r), rng.integers(s)] -= x
    found = matrices.contains_each(tables)
    assert found.tolist() == [table in matrices for table in tables]
    assert found[0]
    assert 0 < found.sum() < len(found)


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64])
def test_fixed_sums_of_one_side(kind):
    """Fixed sums of rows and of columns, each while the other side is free."""
    tables = np.array([*product(range(4), repeat=4)], kind).reshape(-1, 2, 2)
    rows, cols = tables.sum(axis=2), tables.sum(axis=1)
    for sums, kept in (((3, 2), rows), ((1, 4), cols)):
        matrices = FixedRows(sums, 2) if kept is rows else FixedColumns(sums, 2)
        assert matrices.contains_each(tables).tolist() == (kept == sums).all(axis=1).tolist()


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64])
def test_membership_of_narrow_tables(kind):
    """One cell of one table at a time, from the least to the largest number that the type holds."""
    matrices, largest = Tables(100, 2, 3), np.iinfo(kind).max
    members = np.array([matrices.unrank(i) for i in range(0, matrices.count(), matrices.count() // 18)], kind)
    assert matrices.contains_each(members).all()
    for x in {-1, 0, 101, 127, largest, -largest - 1, largest - 99}:
        for i, j in ((0, 0), (0, 1), (1, 2)):
            tables = members.copy()
            tables[11, i, j] = x
            if x > 100:
                tables[11, 0, 2] = largest  # a sum that the type cannot hold
            with np.errstate(over="ignore"):
                tables[11, 1, 1] += 100 - tables[11].sum(dtype=kind)
            assert matrices.contains_each(tables).tolist() == [table in matrices for table in tables]


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.integers(-2, 4), min_size=4, max_size=4), max_size=20),
    st.sampled_from(SMALL),
)
def test_membership_of_any_tables(cells, matrices):
    tables = np.array(cells, np.int64).reshape(-1, 2, 2)
    assert matrices.contains_each(tables).tolist() == [table in matrices for table in tables]


def test_totals_of_many():
    matrices = Tables(4, 1, 4, allow_empty=True)
    tables = np.array([[[2, 1, 0, 1]], [[4, 0, 0, 0]]])
    assert matrices.contains_each(tables).all()
    for i, column, x in [(0, 0, 3), (1, 3, 1), (1, 0, 3), (0, 2, -1), (1, 0, 2**62)]:
        wrong = tables.copy()
        wrong[i, 0, column] = x
        assert matrices.contains_each(wrong).tolist() == [i != 0, i != 1]
    assert not matrices.contains_each(np.array([[[5, -1, 0, 0]]])).any()
