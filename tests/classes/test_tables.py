import itertools
import pickle
from math import comb

import numpy as np
import pytest
from brute_classes import all_matrices, check_against_members, has_no_empty_line, nested
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.classes import FixedMargins, Tables

SMALL = [
    *itertools.product(range(7), range(1, 4), range(1, 3)),
    *itertools.product(range(6), range(1, 3), [3]),
    *itertools.product(range(5), [3], [3]),
    *[(n, 1, 4) for n in range(6)],
    *[(4, 4, 1), (5, 2, 4), (4, 4, 2)],
]


@pytest.mark.parametrize(("n", "r", "s"), SMALL)
@pytest.mark.parametrize("allow_empty", [False, True])
def test_small_classes_against_all_compositions(n, r, s, allow_empty):
    members = [matrix for matrix in all_matrices(n, r, s) if allow_empty or has_no_empty_line(matrix)]
    check_against_members(Tables(n, r, s, allow_empty=allow_empty), members)


@pytest.mark.parametrize(("n", "r", "s"), [(6, 3, 3), (5, 3, 4), (5, 4, 4)])
@pytest.mark.parametrize("allow_empty", [False, True])
def test_order_and_ranks_of_larger_classes(n, r, s, allow_empty):
    members = [matrix for matrix in all_matrices(n, r, s) if allow_empty or has_no_empty_line(matrix)]
    tables = Tables(n, r, s, allow_empty=allow_empty)
    assert [nested(matrix) for matrix in tables] == members
    assert tables.count() == len(members)
    for index in range(0, len(members), 1 + len(members) // 200):
        assert tables.rank(members[index]) == index
        assert nested(tables.unrank(index)) == members[index]


def test_count_with_empty_lines_is_one_binomial():
    assert Tables(37, 5, 6, allow_empty=True).count() == comb(37 + 29, 29)
    assert Tables(0, 2, 3, allow_empty=True).count() == 1
    assert [nested(matrix) for matrix in Tables(0, 2, 2, allow_empty=True)] == [((0, 0), (0, 0))]


def test_a_class_is_the_sum_of_its_shapes_without_empty_lines():
    # Choose the lines that are not empty.
    for n, r, s in [(7, 4, 5), (30, 3, 6), (2, 5, 5)]:
        chosen = sum(
            comb(r, i) * comb(s, j) * Tables(n, i, j).count()
            for i in range(1, r + 1)
            for j in range(1, s + 1)
        )
        assert Tables(n, r, s, allow_empty=True).count() == chosen + (n == 0)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (1, 3), (3, 2), (4, 1)])
@pytest.mark.parametrize("n", [0, 1, 3, 4, 9])
@pytest.mark.parametrize("allow_empty", [False, True])
def test_margin_classes_partition_the_class(n, shape, allow_empty):
    tables = Tables(n, *shape, allow_empty=allow_empty)
    classes = list(tables.margins("transposition"))
    assert sum(c.weight * FixedMargins(c.rows, c.cols).count() for c in classes) == tables.count()
    assert len({(c.rows, c.cols) for c in classes}) == len(classes)
    for c in classes:
        assert list(c.rows) == sorted(c.rows, reverse=True)
        assert list(c.cols) == sorted(c.cols, reverse=True)
        assert shape[0] != shape[1] or c.rows >= c.cols
        assert allow_empty or min(c.rows + c.cols) >= 1


def test_classes_too_small_to_have_a_member():
    for tables in (Tables(2, 3, 2), Tables(0, 1, 1), Tables(3, 2, 4)):
        assert tables.count() == len(tables) == 0
        assert not tables
        assert list(tables) == list(tables.orbits()) == list(tables.margins("transposition")) == []
        with pytest.raises(IndexError, match="less than 0, the number of members"):
            tables.unrank(0)


def test_membership():
    tables = Tables(4, 2, 2)
    assert [[1, 1], [1, 1]] in tables
    assert np.array([[2.0, 1.0], [0.0, 1.0]]) in tables
    for other in (
        [[2, 2], [0, 0]],  # an empty row
        [[2, 0], [2, 0]],  # an empty column
        [[1, 1], [1, 2]],  # another total
        [[1, 1], [1, 0]],
        [[1, 1, 1], [1, 0, 0]],  # another shape
        [[4]],
        [[5, -1], [0, 0]],
        [[1.5, 0.5], [1, 1]],
        [[float("nan"), 1], [1, 1]],
        [["a", "b"], ["c", "d"]],
        [[1, 1], [2]],
        [4],
        None,
        "matrix",
    ):
        assert other not in tables
    assert [[2, 2], [0, 0]] in Tables(4, 2, 2, allow_empty=True)
    assert np.array([[2**62, 2**62], [2**62, 1]], dtype=object) in Tables(3 * 2**62 + 1, 2, 2)


def test_values_compare_hash_pickle_and_print():
    tables = Tables(20, 3, 4)
    assert tables == Tables(np.int64(20), 3, 4, allow_empty=False) != Tables(20, 4, 3)
    assert len({tables, Tables(20, 3, 4), Tables(20, 3, 4, allow_empty=True)}) == 2
    assert pickle.loads(pickle.dumps(tables)) == tables
    assert repr(tables) == "Tables(n=20, r=3, s=4, allow_empty=False)"
    assert eval(repr(tables)) == tables
    assert tables.shape == (3, 4)
    with pytest.raises(AttributeError):
        tables.n = 3


def test_len_beyond_sys_maxsize_is_refused():
    assert len(Tables(20, 3, 3)) == 2806281
    with pytest.raises(OverflowError, match="count"):
        len(Tables(10**6, 5, 7))
    assert Tables(10**6, 5, 7)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((-1, 2, 2), ValueError, "n must be at least 0, got -1"),
        ((5, 0, 2), ValueError, "r must be at least 1, got 0"),
        ((5, 2, -2), ValueError, "s must be at least 1, got -2"),
        ((5.5, 2, 2), TypeError, "n must be an integer, got 5.5"),
        ((5, "2", 2), TypeError, "r must be an integer"),
        ((5, 2, 2, "no"), TypeError, "empty must be True or False, got 'no'"),
    ],
)
def test_bad_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        Tables(*arguments)


def test_bad_ranks():
    tables = Tables(4, 2, 2)
    with pytest.raises(ValueError, match=r"matrix must be a member of Tables\(n=4"):
        tables.rank([[2, 2], [0, 0]])
    with pytest.raises(IndexError, match=f"less than {tables.count()}, the .* got {tables.count()}"):
        tables.unrank(tables.count())
    with pytest.raises(IndexError, match="got 1000"):
        tables.unrank(1000)
    with pytest.raises(ValueError, match="index must be at least 0, got -1"):
        tables.unrank(-1)


def test_ends_of_the_order_of_a_huge_class():
    tables = Tables(10**6, 2, 3)
    first, last = tables.unrank(0), tables.unrank(tables.count() - 1)
    assert first.tolist() == [[0, 0, 1], [1, 1, 10**6 - 3]]
    assert last.tolist() == [[10**6 - 2, 1, 0], [0, 0, 1]]
    # Two middle neighbours differ by moving along the order: no member lies between them.
    index = tables.count() // 3
    here, after = (tables.unrank(k).ravel().tolist() for k in (index, index + 1))
    assert here < after


@settings(max_examples=60)
@given(st.data())
def test_unrank_inverts_rank_at_any_size(data):
    r, s = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    n = data.draw(st.integers(max(r, s), 10**6) | st.integers(10**18, 10**30))
    tables = Tables(n, r, s, allow_empty=data.draw(st.booleans()))
    index = data.draw(st.integers(0, tables.count() - 1))
    matrix = tables.unrank(index)
    assert matrix in tables
    assert tables.rank(matrix) == index
    assert matrix.dtype == (np.int64 if n < 2**63 else object)


@pytest.mark.slow
def test_a_rank_in_the_middle_of_the_paper_class():
    tables = Tables(20, 3, 3)
    assert nested(next(itertools.islice(tables, 1_000_000, None))) == nested(tables.unrank(1_000_000))


@pytest.mark.parametrize(
    ("n", "dtype"), [(2**62, np.int64), (2**63 - 1, np.int64), (2**63, object), (2**70, object)]
)
def test_members_are_of_64_bits_as_long_as_their_total_is(n, dtype):
    assert Tables(n, 1, 2).unrank(0).dtype == dtype


def test_the_length_has_63_bits():
    assert len(Tables(2**63 - 2, 1, 2, allow_empty=True)) == 2**63 - 1
    with pytest.raises(OverflowError, match="Use count"):
        len(Tables(2**63 - 1, 1, 2, allow_empty=True))
