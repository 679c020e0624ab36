"""FixedRows and FixedColumns, with and without empty lines, against all compositions and against each other."""

import numpy as np
import pytest
from brute_classes import all_matrices, check_tails, col_sums, has_no_empty_line, nested, row_sums

from confmat.classes import FixedColumns, FixedMargins, FixedRows

SUMS = [(0,), (3,), (0, 0), (2, 0), (2, 1, 2), (1, 1, 1), (3, 2), (2, 2), (1, 4)]
KINDS = [(FixedRows, row_sums, col_sums), (FixedColumns, col_sums, row_sums)]


def made(kind, sums, lines, allow_empty):
    return kind(sums, lines, allow_empty=allow_empty)


@pytest.mark.parametrize("allow_empty", [True, False])
@pytest.mark.parametrize("lines", [1, 2, 3])
@pytest.mark.parametrize("sums", SUMS)
@pytest.mark.parametrize(("kind", "fixed", "free"), KINDS)
def test_against_all_compositions(kind, fixed, free, sums, lines, allow_empty):
    matrices = made(kind, sums, lines, allow_empty)
    members = [
        x
        for x in all_matrices(sum(sums), *matrices.shape)
        if fixed(x) == sums and (allow_empty or min(free(x)) > 0)
    ]
    assert [nested(x) for x in matrices] == members
    assert matrices.count() == len(matrices) == len(members)
    assert bool(matrices) == bool(members)
    assert [matrices.rank(x) for x in members] == list(range(len(members)))
    assert [nested(matrices.unrank(i)) for i in range(len(members))] == members
    assert sum(size for _, size in matrices.orbits()) == len(members)
    check_tails(matrices, members)
    for group in ("none", "permutations", "transposition", {"rows"}, {"columns"}):
        found = sum(m.weight * FixedMargins(m.rows, m.cols).count() for m in matrices.margins(group))
        assert found == len(members)


@pytest.mark.parametrize("sums", SUMS)
@pytest.mark.parametrize("allow_empty", [True, False])
def test_columns_are_transposed_rows(sums, allow_empty):
    rows, cols = FixedRows(sums, 3, allow_empty=allow_empty), FixedColumns(sums, 3, allow_empty=allow_empty)
    assert sorted(nested(x.T) for x in rows) == [nested(x) for x in cols]
    assert rows.labelings_count() == cols.labelings_count()
    assert rows.may_be_empty == cols.may_be_empty


def test_large_classes_count_and_rank_without_iterating():
    cls = FixedColumns((200, 100), 3)
    assert cls.count() == 20301 * 5151
    for position in (0, 12_345_678, cls.count() - 1):
        assert cls.rank(cls.unrank(position)) == position
    cls = FixedRows((2**40, 2**40), 3, allow_empty=False)
    assert cls.rank(cls.unrank(10**40 % cls.count())) == 10**40 % cls.count()


def test_values_and_their_names():
    assert repr(FixedRows((5, 7), 3)) == "FixedRows(rows=(5, 7), s=3)"
    assert (
        repr(FixedColumns((5, 7), 3, allow_empty=False))
        == "FixedColumns(cols=(5, 7), r=3, allow_empty=False)"
    )
    assert FixedColumns([5, 7], 3) == FixedColumns((5, 7), np.int64(3))
    assert FixedColumns((5, 7), 3).words() == "tables with 3 free rows and column sums 5,7"
    assert FixedColumns((5, 7), 3).text() == "rows=free:3 cols=5,7"
    with pytest.raises(TypeError, match="empty must be True or False, got 'no'"):
        FixedColumns((5, 7), 3, allow_empty="no")
    assert has_no_empty_line(nested(next(iter(FixedColumns((5, 7), 3, allow_empty=False)))))
