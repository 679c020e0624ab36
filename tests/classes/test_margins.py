import itertools
import pickle
import random
from math import factorial

import numpy as np
import pytest
from brute_classes import all_matrices, check_against_members, col_sums, nested, row_sums
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.classes import FixedMargins, Margins, completions


def random_margins(count, largest_n, largest_side, seed):
    rng = random.Random(seed)
    for _ in range(count):
        n, r, s = rng.randint(0, largest_n), rng.randint(1, largest_side), rng.randint(1, largest_side)
        cells = [(rng.randrange(r), rng.randrange(s)) for _ in range(n)]
        rows = tuple(sum(i == k for i, _ in cells) for k in range(r))
        cols = tuple(sum(j == k for _, j in cells) for k in range(s))
        yield rows, cols


SMALL = [
    ((0,), (0,)),
    ((0, 0), (0, 0, 0)),
    ((4,), (1, 0, 3)),
    ((2, 2), (2, 2)),
    ((3, 1), (1, 3)),
    ((2, 1, 2), (2, 2, 1)),
    ((2, 0, 2), (0, 2, 2)),
    ((2, 2, 2), (3, 3)),
    ((1, 2, 2), (1, 2, 1, 1)),
    *random_margins(25, 6, 3, seed=1),
]


@pytest.mark.parametrize(("rows", "cols"), SMALL)
def test_small_classes_against_all_compositions(rows, cols):
    members = [
        matrix
        for matrix in all_matrices(sum(rows), len(rows), len(cols))
        if (row_sums(matrix), col_sums(matrix)) == (rows, cols)
    ]
    check_against_members(FixedMargins(rows, cols), members)


@pytest.mark.parametrize(("rows", "cols"), list(random_margins(20, 9, 5, seed=2)))
def test_ranks_follow_the_iteration(rows, cols):
    fiber = FixedMargins(rows, cols)
    members = [nested(matrix) for matrix in fiber] if fiber.count() < 2000 else []
    assert members == sorted(set(members))
    assert not members or len(members) == fiber.count()
    for index in range(0, len(members), 1 + len(members) // 100):
        assert fiber.rank(members[index]) == index
        assert nested(fiber.unrank(index)) == members[index]


@pytest.mark.parametrize(("rows", "cols"), [((2, 3, 2, 1), (3, 1, 2, 2)), ((3, 1, 2, 1), (4, 0, 3))])
def test_ranks_where_the_arrays_would_be_too_large(rows, cols, monkeypatch):
    """Completions are then counted one by one, as for long margins; here both ways can."""
    fiber = FixedMargins(rows, cols)
    members = [nested(matrix) for matrix in fiber]
    monkeypatch.setattr(completions, "MAX_STATES", 0)
    completions._at_fixed_margins.cache_clear()
    for index, matrix in enumerate(members):
        assert fiber.rank(matrix) == index
        assert nested(fiber.unrank(index)) == matrix
    monkeypatch.setattr(completions, "MAX_MULTISETS", 1)
    completions._at_fixed_margins.cache_clear()
    with pytest.raises(ValueError, match="too large to count"):
        fiber.unrank(0)
    completions._at_fixed_margins.cache_clear()


def test_ranks_by_arrays_need_no_list_of_rows(monkeypatch):
    fiber = FixedMargins((2, 3, 2, 1), (3, 1, 2, 2))
    monkeypatch.setattr(completions, "MAX_MULTISETS", 1)
    completions._at_fixed_margins.cache_clear()
    assert [fiber.rank(matrix) for matrix in fiber] == list(range(fiber.count()))


@pytest.mark.parametrize(("n", "order"), [(10**9, [0, 1, 2]), (10**9, [2, 1, 0]), (10**25, [1, 0, 2])])
def test_ranks_where_few_columns_are_free(n, order):
    # Three rows that hold all of the short columns; the long one has no choice, wherever it stands.
    cols = [(2, 1, 3 * n - 3)[j] for j in order]
    fiber = FixedMargins([n] * 3, cols)
    members = [nested(matrix) for matrix in fiber]
    assert members == sorted(members)
    assert len(members) == fiber.count() == 6 * 3
    for index, matrix in enumerate(members):
        assert fiber.rank(matrix) == index
        assert nested(fiber.unrank(index)) == matrix


def test_two_columns_of_any_size():
    n = 10**12
    fiber = FixedMargins([n] * 4, [2 * n, 2 * n])
    first, last = [[0, n], [0, n], [n, 0], [n, 0]], [[n, 0], [n, 0], [0, n], [0, n]]
    assert (fiber.rank(first), fiber.rank(last)) == (0, fiber.count() - 1)
    assert fiber.unrank(fiber.count() - 1).tolist() == last


def test_sorted_margins_are_the_only_margin_class():
    assert list(FixedMargins([1, 3, 2], [2, 4]).margins("transposition")) == [Margins((3, 2, 1), (4, 2), 1)]


def test_different_totals_are_an_error_that_names_both():
    with pytest.raises(ValueError, match=r"got 5 \(rows\) and 7 \(cols\)"):
        FixedMargins([2, 3], [3, 4])
    with pytest.raises(ValueError, match=r"got 7 \(rows\) and 5 \(cols\)"):
        FixedMargins([3, 4], [2, 3])
    with pytest.raises(ValueError, match=r"cols\[0\] must be at least 0, got -1"):
        FixedMargins([2, 3], [-1, 6])
    with pytest.raises(ValueError, match="rows must not be empty"):
        FixedMargins([], [])


def test_value():
    fiber = FixedMargins([10, 6, 4], np.array([9, 7, 4]))
    assert fiber == pickle.loads(pickle.dumps(fiber)) == FixedMargins((10, 6, 4), (9, 7, 4))
    assert len({fiber, FixedMargins((10, 6, 4), (9, 7, 4)), FixedMargins((9, 7, 4), (10, 6, 4))}) == 2
    assert repr(fiber) == "FixedMargins(rows=(10, 6, 4), cols=(9, 7, 4))"
    assert (fiber.n, fiber.shape) == (20, (3, 3))
    assert [[9, 1, 0], [0, 6, 0], [0, 0, 4]] in fiber
    for rows_differ in ([[9, 0, 0], [0, 7, 0], [0, 0, 4]], [[9, 2, 0], [0, 5, 0], [0, 0, 4]]):
        assert rows_differ not in fiber
    for cols_differ in ([[9, 0, 1], [0, 6, 0], [0, 0, 4]], [[10, 0, 0], [0, 6, 0], [0, 0, 4]]):
        assert cols_differ not in fiber
    with pytest.raises(ValueError, match="matrix must be a member"):
        fiber.rank([[9, 0, 1], [0, 6, 0], [0, 0, 4]])


def test_len_beyond_sys_maxsize_is_refused():
    with pytest.raises(OverflowError, match="count"):
        len(FixedMargins([1] * 25, [1] * 25))


@pytest.mark.parametrize("size", [12, 30])
def test_permutation_matrices_are_ranked_like_permutations(size):
    fiber = FixedMargins([1] * size, [1] * size)
    assert fiber.count() == factorial(size)
    # The identity comes last: every row puts its point as far left as it can.
    assert fiber.rank(np.eye(size, dtype=int)) == factorial(size) - 1
    assert fiber.unrank(0).tolist() == np.eye(size, dtype=int)[::-1].tolist()
    # In general the rank is the Lehmer code, counted from the right.
    permutation = random.Random(3).sample(range(size), size)
    lehmer = sum(
        sum(later > here for later in permutation[i + 1 :]) * factorial(size - 1 - i)
        for i, here in enumerate(permutation)
    )
    assert fiber.rank(np.eye(size, dtype=int)[permutation]) == lehmer


@settings(max_examples=40)
@given(st.data())
def test_unrank_inverts_rank(data):
    r, s = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    largest = 10**12 if 2 in (r, s) else 12
    cells = data.draw(st.lists(st.integers(0, largest), min_size=r * s, max_size=r * s))
    matrix = np.array(cells).reshape(r, s)
    fiber = FixedMargins(matrix.sum(axis=1).tolist(), matrix.sum(axis=0).tolist())
    assert matrix in fiber
    assert (fiber.unrank(fiber.rank(matrix)) == matrix).all()
    index = data.draw(st.integers(0, fiber.count() - 1))
    assert fiber.rank(fiber.unrank(index)) == index


def test_ranks_of_neighbours_in_a_larger_fiber():
    fiber = FixedMargins([10] * 5, [10] * 5)
    start = 12345678901
    cells = [tuple(fiber.unrank(start + k).ravel().tolist()) for k in range(50)]
    assert cells == sorted(set(cells))
    # Between two neighbours that differ in the last rows only, iteration finds nothing else.
    top = nested(fiber.unrank(start))[:3]
    rest = FixedMargins([10, 10], [10 - sum(column) for column in zip(*top)])
    below = [nested(matrix) for matrix in rest]
    first = below.index(nested(fiber.unrank(start))[3:])
    for k, matrix in enumerate(below[first : first + 50]):
        assert nested(fiber.unrank(start + k)) == (*top, *matrix)


def test_margins_out_of_reach_are_refused_at_once():
    diagonal = np.diag([10**5, 10**5, 10**5])
    fiber = FixedMargins([10**5] * 3, [10**5] * 3)
    assert next(iter(fiber)).tolist() == diagonal[::-1].tolist()
    for question in (fiber.count, lambda: fiber.rank(diagonal), lambda: fiber.unrank(0)):
        with pytest.raises(ValueError, match="too large to count"):
            question()


@pytest.mark.slow
def test_ranks_in_the_hair_and_eye_table():
    table = np.array([[68, 119, 26, 7], [20, 84, 17, 94], [15, 54, 14, 10], [5, 29, 14, 16]])
    fiber = FixedMargins([220, 215, 93, 64], [108, 286, 71, 127])
    assert (fiber.unrank(fiber.rank(table)) == table).all()
    rng = random.Random(5)
    for index in [0, fiber.count() - 1, *(rng.randrange(fiber.count()) for _ in range(10))]:
        assert fiber.rank(fiber.unrank(index)) == index


def test_iteration_starts_at_once_in_a_huge_fiber():
    fiber = FixedMargins([250] * 4, [250] * 4)
    first = list(itertools.islice(fiber, 3))
    assert first[0].tolist() == np.diag([250] * 4)[::-1].tolist()
