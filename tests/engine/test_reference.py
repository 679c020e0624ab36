"""The slow enumeration against product(range(...)), and its best matching against all permutations."""

from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from confmat._engine import tables
from confmat._engine.tables import find_table, tables_of_margins
from confmat.classes import FixedMargins
from confmat.contingency.matching import heaviest_totals

MARGINS = [
    ((3, 2, 1), (2, 2, 2)),
    ((4, 0), (1, 3)),
    ((3,), (1, 1, 1)),
    ((1, 2), (3,)),
    ((0,), (0,)),
    ((2, 2, 1), (5, 0, 0)),
    ((3, 3), (2, 2, 2)),
]


@cache
def all_with(rows, cols):
    """All tables with these margins, found by trying all cells, in decreasing order."""
    shape = len(rows), len(cols)
    cells = product(range(max(rows) + 1), repeat=shape[0] * shape[1])
    filled = [np.array(x).reshape(shape) for x in cells]
    return [t for t in filled if tuple(t.sum(1)) == rows and tuple(t.sum(0)) == cols][::-1]


@pytest.mark.parametrize(("rows", "cols"), MARGINS)
@pytest.mark.parametrize("at_once", [1, 3, 4096])
def test_all_tables_in_decreasing_order(rows, cols, at_once, monkeypatch):
    monkeypatch.setattr(tables, "TABLES_AT_ONCE", at_once)
    got = [t for batch in tables_of_margins(rows, cols) for t in batch]
    assert np.array_equal(got, all_with(rows, cols))


@pytest.mark.parametrize(
    ("rows", "cols"), [((9, 7, 5), (8, 8, 5)), ((5, 4, 3, 2), (6, 5, 3)), ((12, 9), (8, 7, 4, 2))]
)
def test_number_of_tables(rows, cols):
    assert sum(len(batch) for batch in tables_of_margins(rows, cols)) == FixedMargins(rows, cols).count()


@given(arrays(np.int64, st.tuples(st.integers(1, 4), st.integers(4, 5)), elements=st.integers(0, 2**40)))
def test_best_matching_against_all_permutations(table):
    r, s = table.shape
    best = max(sum(int(table[i, p[i]]) for i in range(r)) for p in permutations(range(s), r))
    assert heaviest_totals(np.stack([table, np.roll(table, 1, axis=1)])).tolist() == [best, best]


@pytest.mark.parametrize("points", [2**40, 2**60])
@pytest.mark.parametrize("one_more", [(0, 0), (0, 1)])
@pytest.mark.parametrize("shape", [(3, 3), (13, 13), (2, 14)])
def test_best_matchings_of_many_points_or_lines_are_exact(points, one_more, shape):
    """The best by one point: a solver in doubles does not see it beyond 2^53 points."""
    diagonal, side = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    diagonal[[0, 1], [0, 1]] = side[[0, 1], [1, 0]] = points // 4
    side[one_more] += 1
    (best,) = heaviest_totals((diagonal + side)[None]).tolist()
    assert best == points // 2 + 1
    (same,) = heaviest_totals((diagonal + side).astype(object)[None]).tolist()
    assert same == best


@pytest.mark.parametrize(
    ("rows", "cols"),
    [*MARGINS, ((4, 3, 2), (5, 2, 2)), ((6,), (3, 2, 1)), ((3, 2, 2, 1), (4, 4)), ((2, 2, 2), (3, 2, 1))],
)
def test_find_table_is_the_first_of_its_kind(rows, cols):
    """And nothing is found where nothing is: the beginnings that are left have no such table behind them."""
    first = {}
    for batch in tables_of_margins(rows, cols):
        pairs_in_cells = (batch * (batch - 1)).sum(axis=(1, 2)) // 2
        for *key, table in zip(heaviest_totals(batch).tolist(), pairs_in_cells.tolist(), batch):
            first.setdefault(tuple(key), table.copy())
    for matched, pairs in product(range(sum(rows) + 1), range(sum(x * x for x in rows))):
        found, table = find_table(rows, cols, matched, pairs), first.get((matched, pairs))
        assert (found is None and table is None) or np.array_equal(found, table)
