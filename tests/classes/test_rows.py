import itertools
import pickle

import numpy as np
import pytest
from brute_classes import all_matrices, check_against_members, row_sums
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.classes import FixedMargins, FixedRows

SMALL = [
    ((0,), 1),
    ((3,), 3),
    ((0, 0), 2),
    ((2, 0), 2),
    ((2, 1, 2), 2),
    ((1, 1, 1), 3),
    ((3, 2), 3),
    ((2, 2), 3),
]


@pytest.mark.parametrize(("rows", "s"), SMALL)
def test_small_classes_against_all_compositions(rows, s):
    members = [matrix for matrix in all_matrices(sum(rows), len(rows), s) if row_sums(matrix) == rows]
    if len(rows) == s:  # transposition does not keep the class, unlike the checker's group
        listed = [tuple(map(tuple, matrix.tolist())) for matrix in FixedRows(rows, s)]
        assert listed == members
        assert [FixedRows(rows, s).rank(matrix) for matrix in members] == list(range(len(members)))
        assert sum(multiplicity for _, multiplicity in FixedRows(rows, s).orbits()) == len(members)
    else:
        check_against_members(FixedRows(rows, s), members)


@pytest.mark.parametrize("rows", [(0,), (2, 3), (3, 2, 2), (1, 0, 4)])
@pytest.mark.parametrize("s", [1, 2, 3, 4])
def test_margin_classes_partition_the_class(rows, s):
    cls = FixedRows(rows, s)
    classes = list(cls.margins("transposition"))
    assert sum(c.weight * FixedMargins(c.rows, c.cols).count() for c in classes) == cls.count()
    assert {c.rows for c in classes} == {tuple(sorted(rows, reverse=True))}


def test_the_class_is_the_union_over_column_margins():
    rows, s = (3, 1, 2), 3
    cols = [c for c in itertools.product(range(7), repeat=s) if sum(c) == 6]
    assert FixedRows(rows, s).count() == sum(FixedMargins(rows, c).count() for c in cols)


def test_value():
    cls = FixedRows([5, 7], 3)
    assert cls == pickle.loads(pickle.dumps(cls)) == FixedRows((5, 7), 3)
    assert hash(cls) == hash(FixedRows((5, 7), 3))
    assert repr(cls) == "FixedRows(rows=(5, 7), s=3)"
    assert (cls.n, cls.shape) == (12, (2, 3))
    assert [[5, 0, 0], [7, 0, 0]] in cls
    for other in ([[7, 0, 0], [5, 0, 0]], [[4, 0, 0], [7, 0, 0]], [[5, 0, 0], [8, 0, 0]]):
        assert other not in cls
    with pytest.raises(ValueError, match=r"rows\[1\] must be at least 0, got -7"):
        FixedRows([5, -7], 3)
    with pytest.raises(ValueError, match="s must be at least 1, got 0"):
        FixedRows([5, 7], 0)
    with pytest.raises(ValueError, match="rows must not be empty"):
        FixedRows([], 2)


def test_where_64_bits_end():
    assert len(FixedRows([2**63 - 2], 2)) == 2**63 - 1
    with pytest.raises(OverflowError, match=f"{2**63} members"):
        len(FixedRows([2**63 - 1], 2))
    for total, dtype in ((2**63 - 1, np.int64), (2**63, object), (2**64, object)):
        [matrix] = FixedRows([total], 1)
        assert (matrix.dtype, matrix.tolist()) == (dtype, [[total]])


@settings(derandomize=True, max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 10**20), min_size=1, max_size=5), st.integers(1, 6), st.data())
def test_unrank_inverts_rank(rows, s, data):
    cls = FixedRows(rows, s)
    index = data.draw(st.integers(0, cls.count() - 1))
    assert cls.rank(cls.unrank(index)) == index
