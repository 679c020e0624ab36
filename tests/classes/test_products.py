"""What classes of sides declare, and representatives, against all images."""

from itertools import permutations, product

import numpy as np
import pytest
from brute import labelings

from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables
from confmat.statistics import Statistic

LINES = {"rows", "columns"}


ALL = {"rows", "columns", "simultaneous", "transposition"}


@pytest.mark.parametrize(
    ("matrices", "symmetry"),
    [
        (Tables(4, 2, 2), ALL),
        (Tables(5, 2, 3), LINES),
        (FixedMargins((2, 2), (2, 2)), ALL),
        (FixedMargins((2, 2), (3, 1)), {"rows"}),
        (FixedMargins((2, 1), (1, 1, 1)), {"columns"}),
        (FixedMargins((3, 1), (3, 1)), {"transposition"}),
        (FixedMargins((3, 1), (1, 3)), set()),
        (FixedRows((2, 2), 2), LINES | {"simultaneous"}),
        (FixedRows((2, 2), 3), LINES),
        (FixedRows((3, 1), 2), {"columns"}),
        (FixedColumns((3, 1), 2), {"rows"}),
    ],
    ids=lambda value: "+".join(sorted(value)) or "none" if isinstance(value, set) else repr(value),
)
def test_symmetry(matrices, symmetry):
    assert matrices.symmetry <= symmetry
    for name in matrices.symmetry:
        for member in matrices:
            assert all(image in matrices for image in images(member, {name}))
    assert matrices.symmetry == symmetry


def images(table, group):
    """All images of a table under some generators that have its shape."""
    r, s = table.shape
    rows = list(permutations(range(r))) if "rows" in group else [tuple(range(r))]
    cols = list(permutations(range(s))) if "columns" in group else [tuple(range(s))]
    orders = set(product(rows, cols))
    if "simultaneous" in group and r == s:
        orders |= {(order, order) for order in permutations(range(r))}
    for x in (table, table.T) if "transposition" in group and r == s else (table,):
        yield from (x[np.ix_(*order)] for order in orders)


@pytest.mark.parametrize("symmetry", ["none", "simultaneous", "permutations", "transposition"])
@pytest.mark.parametrize(
    "matrices", [Tables(5, 3, 3), Tables(4, 2, 2, allow_empty=True), FixedRows((2, 2), 2)], ids=repr
)
def test_weights_of_margins_add_up(matrices, symmetry):
    visited = (FixedMargins(x.rows, x.cols).count() * x.weight for x in matrices.margins(symmetry))
    assert sum(visited) == matrices.count() == len(list(matrices))


@pytest.mark.parametrize("matrices", [Tables(5, 2, 2), FixedRows((2, 1), 2)], ids=repr)
def test_labelings_are_counted(matrices):
    assert matrices.labelings_count() == sum(labelings(table) for table in matrices)


@pytest.mark.parametrize("matrices", [Tables(5, 3, 2), Tables(5, 2, 3, allow_empty=True)], ids=repr)
def test_lines_of_different_number_are_not_exchanged_together(matrices):
    assert list(matrices.margins("simultaneous")) == list(matrices.margins())


@pytest.mark.parametrize(
    "symmetry", ["transposition", "permutations", "simultaneous", {"rows"}, {"columns"}, "none"]
)
@pytest.mark.parametrize(
    "matrices",
    [
        Tables(4, 2, 2),
        Tables(4, 2, 3),
        FixedMargins((2, 2), (2, 2)),
        FixedMargins((3, 1), (3, 1)),
        FixedRows((2, 2), 2),
    ],
    ids=repr,
)
def test_a_representative_is_the_largest_image_that_is_a_member(matrices, symmetry):
    generators = Statistic("largest", np.max, symmetry=symmetry).generators
    for member in matrices:
        inside = [image.tolist() for image in images(member, generators) if image in matrices]
        assert matrices.representative(member, symmetry).tolist() == max(inside)


@pytest.mark.parametrize(
    ("matrices", "clusters"),
    [
        (FixedMargins((3, 1, 0), (2, 2)), (2, 2, False)),
        (FixedMargins((1, 1), (0, 2)), (2, 1, False)),
        (FixedRows((3, 1, 0), 3), (2, 3, True)),
        (FixedRows((3, 1, 0), 3, allow_empty=False), (2, 3, False)),
        (Tables(4, 2, 3), (2, 3, False)),
        (Tables(4, 2, 3, allow_empty=True), (2, 3, True)),
    ],
    ids=repr,
)
def test_clusters(matrices, clusters):
    assert matrices.clusters == clusters


@pytest.mark.parametrize("shape", [(1, 2), (2, 1), (3, 2), (2, 3), (1, 4)])
def test_tables_of_another_shape_are_no_members(shape):
    matrices = Tables(4, 2, 2, allow_empty=True)
    tables = np.zeros((3, *shape), np.int64)
    tables[:, 0, 0] = 4
    assert matrices.contains_each(tables).tolist() == [table in matrices for table in tables] == [False] * 3


def test_sums_that_are_no_sequence_are_refused():
    for sums in ({2, 1}, {2: 1}):
        with pytest.raises(TypeError, match="rows must be a sequence of integers"):
            FixedRows(sums, 2)


def test_first_member_of_a_huge_class():
    n = 2**40
    assert next(iter(Tables(n, 3, 3))).tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, n - 4]]
    assert next(iter(FixedRows([1, n], 3, allow_empty=False))).tolist() == [[0, 0, 1], [1, 1, n - 2]]


@pytest.mark.parametrize("symmetry", [{"simultaneous", "transposition"}, {"rows", "transposition"}])
def test_representative_of_an_orbit_does_not_depend_on_the_member(symmetry):
    tables = [np.array([[1, 0, 0], [3, 0, 0], [0, 0, 1]]), np.array([[1, 3, 0], [0, 0, 0], [0, 0, 1]])]
    images = [Tables(5, 3, 3, allow_empty=True).representative(x, symmetry).tolist() for x in tables]
    assert images[0] == images[1]
