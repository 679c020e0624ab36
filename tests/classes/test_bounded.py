"""Bounds on cells against the members that keep them: Tables and FixedMargins, one bound for all cells or one each."""

import numpy as np
import pytest
from brute_classes import all_matrices, check_against_members, col_sums, has_no_empty_line, nested, row_sums

from confmat.classes import FixedMargins, Tables, class_from_json, parse
from confmat.errors import TooLarge, Unsupported

BOUNDS = [(0, 1), (1, None), (0, 2), (1, 2)]
STRUCTURAL = (0, [[0, None, None], [None, 0, None], [None, None, 0]])


def keeps(matrix, cells):
    low, high = (np.broadcast_to(b if b is not None else 10**9, np.shape(matrix)) for b in uniform(cells))
    return bool((low <= np.array(matrix)).all() and (np.array(matrix) <= high).all())


def uniform(cells):
    low, high = cells
    return low, high if high is None or np.ndim(high) == 0 else [
        [10**9 if x is None else x for x in r] for r in high
    ]


@pytest.mark.parametrize("empty", [True, False])
@pytest.mark.parametrize("cells", BOUNDS)
@pytest.mark.parametrize(
    ("n", "shape"), [(0, (1, 2)), (3, (2, 2)), (4, (2, 3)), (5, (3, 2)), (5, (3, 3)), (4, (1, 3))]
)
def test_tables_with_uniform_bounds(n, shape, cells, empty):
    members = [x for x in all_matrices(n, *shape) if keeps(x, cells) and (empty or has_no_empty_line(x))]
    check_against_members(Tables(n, *shape, empty=empty, cells=cells), members)


@pytest.mark.parametrize("cells", BOUNDS)
@pytest.mark.parametrize(
    ("rows", "cols"),
    [((2, 2), (2, 2)), ((3, 1), (2, 2)), ((2, 2, 1), (3, 2)), ((2, 2, 2), (2, 2, 2)), ((3,), (1, 2))],
)
def test_fixed_margins_with_uniform_bounds(rows, cols, cells):
    members = [
        x
        for x in all_matrices(sum(rows), len(rows), len(cols))
        if row_sums(x) == rows and col_sums(x) == cols and keeps(x, cells)
    ]
    check_against_members(FixedMargins(rows, cols, cells=cells), members)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_structural_zeros(n):
    members = [x for x in all_matrices(n, 3, 3) if keeps(x, STRUCTURAL) and has_no_empty_line(x)]
    matrices = Tables(n, 3, 3, cells=STRUCTURAL)
    assert [nested(x) for x in matrices] == members
    assert matrices.count() == len(members)
    assert [matrices.rank(x) for x in members] == list(range(len(members)))
    # Lines have bounds of their own, so none may be exchanged alone; transposition keeps this class.
    assert matrices.symmetry == {"transposition"}
    assert sum(size for _, size in matrices.orbits()) == len(members)
    assert nested(matrices.representative(np.array(members[0]))) == max(members[0], tuple(zip(*members[0])))


def test_derangements_and_permutations_are_counted():
    ones = [1] * 8
    assert FixedMargins(ones, ones, cells=(0, 1)).count() == 40320
    no_fixed_point = np.ones((8, 8), int) - np.eye(8, dtype=int)
    assert FixedMargins(ones, ones, cells=(0, no_fixed_point)).count() == 14833  # OEIS A000166
    # Latin-like: 6 x 6 matrices of zeros and ones with two in each line, OEIS A001499.
    assert FixedMargins([2] * 6, [2] * 6, cells=(0, 1)).count() == 67950


def test_sizes_that_iteration_does_not_reach():
    matrices = Tables(50, 4, 4, cells=(1, 6))
    assert matrices.rank(matrices.unrank(10**9)) == 10**9
    assert Tables(50, 3, 3, cells=(1, None)).count() == Tables(41, 3, 3, empty=True).count()


def test_such_classes_are_not_known_by_their_margins():
    matrices = FixedMargins((3, 2, 1), (3, 2, 1), cells=(0, 2))
    assert matrices.sides is None
    assert not matrices.has_margins
    assert not matrices.unrestricted
    with pytest.raises(Unsupported, match="is not known by its margins"):
        list(matrices.margins())


def test_words_and_json():
    matrices = Tables(5, 2, 2, cells=(0, 3))
    assert matrices.words().endswith("no empty row or column, cells from 0 to 3")
    assert matrices.text() == "2x2 n=5 cells=0..3"
    assert class_from_json(matrices.to_json()) == matrices
    assert Tables(5, 2, 2, cells=(None, 3)) == Tables(5, 2, 2, cells=([[0, None]] * 2, 3)) == matrices
    assert repr(matrices) == "Tables(n=5, r=2, s=2, empty=False, cells=(0, 3))"
    assert repr(Tables(5, 2, 2)) == "Tables(n=5, r=2, s=2, empty=False)"
    structural = Tables(5, 3, 3, cells=STRUCTURAL)
    assert class_from_json(structural.to_json()) == structural
    assert parse(structural.text()) == structural


@pytest.mark.parametrize(
    ("cells", "error", "message"),
    [
        (3, TypeError, r"cells must be \(low, high\), each a number or a matrix of numbers, got 3"),
        (
            (0, 1, 2),
            TypeError,
            r"cells must be \(low, high\), each a number or a matrix of numbers, got \(0, 1, 2\)",
        ),
        ((2, 1), ValueError, "cells must have low <= high everywhere, got 2 and 1 in row 0, column 0"),
        ((0, [[1]]), ValueError, r"cells must have a high bound of shape \(2, 2\), got \[\[1\]\]"),
        ((-1, 3), ValueError, r"cells low\[0\]\[0\] must be at least 0, got -1"),
        (("a", 3), TypeError, r"cells low\[0\]\[0\] must be a whole number, got 'a'"),
    ],
)
def test_bad_bounds_are_named(cells, error, message):
    with pytest.raises(error, match=message):
        Tables(5, 2, 2, cells=cells)


def test_too_many_cells_are_refused_with_a_number():
    with pytest.raises(TooLarge, match="must be at most 400, got 900"):
        Tables(50, 30, 30, cells=(0, 1)).count()
