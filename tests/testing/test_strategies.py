"""The strategies: what they can draw, what they refuse, and what a planted bug shrinks to."""

import os
import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from brute import partitions as all_partitions
from drawn import has_no_empty_line, hashable, seen, smallest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables
from confmat.contingency import margins as margins_of
from confmat.errors import TooLargeError
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.indices.partition import med, rand_distance
from confmat.testing import (
    labeling_pairs,
    labelings,
    margins,
    members,
    memberships,
    near,
    partitions,
    tables,
    worst_tables,
)

# --- what can be drawn: all of a class, nothing else ---


@pytest.mark.parametrize(
    ("arguments", "members"),
    [
        ({"n": 4, "shape": (2, 2)}, Tables(4, 2, 2)),
        ({"n": 4, "shape": (2, 3)}, Tables(4, 2, 3)),
        ({"n": 3, "shape": (2, 2), "nonempty": False}, Tables(3, 2, 2, allow_empty=True)),
        ({"n": 0, "shape": (2, 1), "nonempty": False}, Tables(0, 2, 1, allow_empty=True)),
        ({"rows": (3, 2), "cols": (2, 2, 1)}, FixedMargins((3, 2), (2, 2, 1))),
        ({"rows": (2, 0, 2), "cols": (1, 3), "nonempty": False}, FixedMargins((2, 0, 2), (1, 3))),
        ({"rows": (2, 2), "shape": (2, 2), "nonempty": False}, FixedRows((2, 2), 2)),
        ({"n": 1, "shape": (1, 1)}, Tables(1, 1, 1)),
    ],
)
def test_tables_are_the_members_of_the_class(arguments, members):
    assert seen(tables(**arguments)) == {hashable(table) for table in members}


def test_partitions_labelings_and_margins_are_complete():
    assert seen(partitions(n=8, parts=3)) == set(all_partitions(8, 3))
    assert seen(partitions(n=5, parts=3, nonempty=False)) == set(all_partitions(5, 3, minimum=0))
    assert len(seen(labelings(n=4, clusters=3))) == 36  # 3! S(4, 3)
    assert len(seen(labelings(n=4, clusters=2, nonempty=False))) == 16
    assert len(seen(margins(n=5, shape=(2, 3)))) == 4 * 6
    drawn = {row[0] for (row,) in seen(memberships(n=1, clusters=2, exact=True))}
    assert drawn == {Fraction(a, b) for b in range(1, 13) for a in range(b + 1)}


@given(tables())
def test_free_tables_have_no_empty_line_and_the_default_type(table):
    assert table.dtype == np.int64
    assert has_no_empty_line(table)
    assert max(table.shape) <= 6


def drawn_from(strategy, examples):
    """So many examples, in the order in which they are drawn."""
    found = []

    @seed(0)
    @settings(max_examples=examples, database=None, derandomize=False)
    @given(strategy)
    def collect(example):
        found.append(example)

    collect()
    return found


DISTINCT = {
    "tables": tables(),
    "tables 2 x 2": tables(shape=(2, 2)),
    "tables 3 x 3": tables(shape=(3, 3)),
    "tables of 12": tables(n=12),
    "tables of some": tables(n=st.integers(8, 30)),
    "classifiers": tables(square=True, nonempty=False),
    "margins": margins(),
    "partitions": partitions(),
    "labelings": labelings(),
    "pairs": labeling_pairs(),
    "long pairs": labeling_pairs(n=300),
    "memberships": memberships(),
    "exact memberships": memberships(exact=True),
    "members": members(Tables(20, 4, 4)),
    "many members": members(Tables(1000, 10, 10)),
    "worst tables": worst_tables(n=st.integers(12, 24), shape=(3, 3)),
    "near": near([[9, 1, 4], [2, 8, 7]], med=0.5),
    "near a diagonal": near([[50, 0], [0, 50]], med=0.3),
}


@pytest.mark.parametrize("name", DISTINCT)
def test_hardly_anything_is_drawn_twice(name):
    drawn = [hashable(example) for example in drawn_from(DISTINCT[name], 100)]
    assert len(set(map(repr, drawn))) >= 0.85 * len(drawn)


def is_sparse(table):
    """A tree at most between rows and columns, as hooks, chains and refinements are."""
    return np.count_nonzero(table) < sum(table.shape)


def test_few_tables_have_one_line_and_many_are_sparse():
    drawn = drawn_from(tables(), 400)
    one_line = [table for table in drawn if min(table.shape) == 1]
    sparse = [table for table in drawn if min(table.shape) > 1 and is_sparse(table)]
    assert len(one_line) <= 100
    assert len(sparse) >= 100
    assert sum(int(table.sum()) > 2**31 for table in drawn) >= 20
    assert max(max(table.shape) for table in drawn) == 6


@pytest.mark.parametrize(
    "strategy",
    [
        memberships(n=500, clusters=10),
        members(Tables(1000, 10, 10)),
        labelings(n=10**5, clusters=1000),
    ],
    ids=repr,
)
def test_large_examples_are_drawn_in_ten_milliseconds(strategy):
    """Of CPU time, at best of five runs: others use the machine, too."""

    @settings(max_examples=20, database=None)
    @given(strategy)
    def draw(example):
        pass

    seconds = []
    for _ in range(5):
        begun = process_time()
        draw()
        seconds.append(process_time() - begun)
    assert min(seconds) / 20 < 0.01


def test_members_beyond_counting_are_refused():
    matrices = FixedMargins((100,) * 8, (100,) * 8)
    assert matrices.count_at_once() is None
    with pytest.raises(TooLargeError, match="the margins are too large to count"):
        smallest(members(matrices), lambda table: True)


@given(
    tables(n=st.integers(3, 9)),
    labelings(n=st.integers(4, 6), clusters=st.integers(1, 2)),
    labeling_pairs(n=st.integers(3, 9), clusters=st.integers(2, 3)),
    memberships(n=st.integers(2, 3), clusters=st.integers(2, 4)),
    partitions(n=st.integers(3, 9), parts=st.integers(2, 3)),
)
def test_sizes_may_be_strategies(few, named, pair, memberships, sizes):
    assert 3 <= few.sum() <= 9
    assert 4 <= len(named) <= 6
    assert max(named) <= 1
    assert 3 <= len(pair[0]) == len(pair[1]) <= 9
    assert {len(set(side)) for side in pair} <= {2, 3}
    assert len(memberships) in (2, 3)
    assert memberships.shape[1] in (2, 3, 4)
    assert 3 <= sum(sizes) <= 9
    assert len(sizes) in (2, 3)


@given(tables(square=True), st.data())
def test_sides_are_as_was_said(square, data):
    assert 1 <= square.shape[0] == square.shape[1] <= 6
    assert has_no_empty_line(square)
    rows = data.draw(tables(rows=(3, 2, 1), square=True))
    assert rows.shape == (3, 3)
    assert data.draw(tables(shape=(1, 12))).shape == (1, 12)  # bounds are for what is free


def test_classes_of_matrices_are_types_to_draw_from():
    @settings(max_examples=30)
    @given(st.data())
    def draw(data):
        for kind in (Tables, FixedRows, FixedColumns, FixedMargins):
            matrices = data.draw(st.from_type(kind))
            assert matrices.count() > 0
        assert data.draw(members(Tables(5, 2, 3))) in Tables(5, 2, 3)

    draw()


def test_hypothesis_knows_the_types_by_itself(tmp_path):
    """By the entry point of pyproject.toml, in a process that imports no strategies of this package."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    points = project["project"]["entry-points"]["hypothesis"]
    assert list(points.values()) == ["confmat.testing.types:register"]
    about = tmp_path / "confmat_hook-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: confmat-hook\nVersion: 1\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (about / "entry_points.txt").write_text("\n".join(["[hypothesis]", *lines]))
    code = "import confmat as cm; from hypothesis import find, strategies as st; "
    code += "print(find(st.from_type(cm.Tables), bool))"
    for first in ("", "import confmat.testing.strategies; ", "import hypothesis; "):
        ran = subprocess.run(
            [sys.executable, "-c", first + code],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}"},
        )
        assert ran.stdout == "Tables(n=3, r=1, s=1, allow_empty=False)\n", ran.stderr


@given(st.data())
def test_arguments_may_be_strategies(data):
    shape = data.draw(st.tuples(st.integers(1, 5), st.integers(1, 5)))
    rows = data.draw(st.lists(st.integers(0, 9), min_size=shape[0], max_size=shape[0]))
    table = data.draw(tables(rows=st.just(rows), shape=st.just(shape), nonempty=False))
    assert margins_of(table)[0] == tuple(rows)
    assert table.shape == shape
    assert data.draw(tables(n=st.just(7))).sum() == 7


@given(tables(n=10**30, shape=(3, 3)))
def test_totals_beyond_64_bits_are_python_ints(table):
    assert sum(table.ravel().tolist()) == 10**30
    assert all(type(x) is int for x in table.ravel().tolist())


@given(memberships(exact=True), memberships())
def test_memberships_sum_to_exactly_one(fractions, floats):
    assert all(isinstance(x, Fraction) for x in fractions.ravel())
    assert set(fractions.sum(axis=1).tolist()) == {1}
    assert floats.dtype == np.float64
    for row in floats:
        assert sum(row) == sum(row[::-1]) == 1.0


@given(labeling_pairs(clusters=(st.integers(1, 5), 3)))
def test_labeling_pairs_use_every_label(pair):
    a, b = pair
    assert len(a) == len(b)
    assert set(a) == set(range(max(a) + 1))
    assert set(b) == {0, 1, 2}


@given(tables(), tables(shape=(2, 9)), tables(shape=(16, 16)))
def test_free_totals_fit_into_64_bits(free, low, wide):
    for table in (free, low, wide):
        assert table.dtype == np.int64
        assert has_no_empty_line(table)
        assert sum(map(int, table.ravel())) < 2**63


@settings(max_examples=30)
@given(
    tables(rows=[1] * 50, cols=[1] * 50),
    tables(rows=[100] * 50, cols=[100] * 50),
    tables(shape=(40, 40)),
    tables(shape=(20, 20), n=2**62),
)
def test_large_tables_trip_no_health_check(permutation, fixed, free, huge):
    assert (permutation.sum(axis=0) == 1).all()
    assert (fixed.sum(axis=1) == 100).all()
    assert has_no_empty_line(free)
    assert huge.sum() == 2**62


@settings(max_examples=20)
@given(
    labelings(n=3000, clusters=5),
    labeling_pairs(n=400, clusters=(2, 300)),
    memberships(n=300, clusters=5),
    partitions(n=10**4, parts=2000),
    near(np.diag([3] * 30), med=1),
)
def test_long_examples_trip_no_health_check(labels, pair, U, sizes, table):
    assert len(labels) == 3000
    assert set(labels) == set(range(5))
    assert [len(set(side)) for side in pair] == [2, 300]
    assert U.shape == (300, 5)
    assert set(U.sum(axis=1)) == {1.0}
    assert sum(sizes) == 10**4
    assert sorted(sizes, reverse=True) == list(sizes)
    assert has_no_empty_line(table)


# --- moves ---


@given(tables(n=20), st.fractions(0, 1), st.data())
def test_near_tables_are_near(table, share, data):
    other = data.draw(near(table, med=share))
    assert other in Tables(20, *table.shape)
    assert abs(other - table).sum() <= 2 * share * 20
    assert abs(med(other, exact=True) - med(table, exact=True)) <= share


@given(worst_tables(n=st.integers(4, 20), shape=st.tuples(st.integers(1, 4), st.integers(1, 4))))
def test_worst_tables_have_no_empty_line(table):
    assert table in Tables(int(table.sum()), *table.shape)


def values_of(statistic, strategy):
    return max(statistic(np.array(t), exact=True) for t in seen(strategy, 60))


@pytest.mark.parametrize(
    ("index", "largest"), [(med, max_med), (rand_distance, max_rand_distance)], ids=["med", "rd"]
)
def test_worst_tables_have_the_largest_values(index, largest):
    assert values_of(index, worst_tables(n=15, shape=(3, 4))) == largest(15, 3, 4)


def test_a_worst_table_is_a_target_that_random_tables_miss():
    bound = max_rand_distance(20, 4, 4)
    assert smallest(
        worst_tables(n=20, shape=(4, 4)), lambda t: rand_distance(t, exact=True) == bound
    ).shape == (4, 4)
    with pytest.raises(NoSuchExample):
        smallest(tables(n=20, shape=(4, 4)), lambda t: rand_distance(t, exact=True) == bound, 200)


def test_near_reads_a_float_as_its_decimal():
    moved = [abs(np.array(t) - [[5, 0], [0, 5]]).sum() for t in seen(near([[5, 0], [0, 5]], med=0.3))]
    assert max(moved) == 6  # three objects, though 0.3 * 10 is below 3 in binary
    assert seen(near([[5, 0], [0, 5]], med=0)) == {((5, 0), (0, 5))}


@pytest.mark.parametrize(
    ("matrix", "share"),
    [
        ([[2, 0], [0, 2]], 1),
        ([[2, 0], [0, 2]], Fraction(1, 2)),
        ([[1, 0], [0, 1]], 1),
        ([[2, 1, 0], [0, 0, 1]], Fraction(3, 4)),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 1),
        ([[2, 0], [1, 0]], Fraction(2, 3)),
        ([[0, 0]], 1),
    ],
)
def test_near_tables_are_all_that_are_near(matrix, share):
    start = np.array(matrix)
    n = int(start.sum())
    allow_empty = not has_no_empty_line(start)
    moved = 2 * share * n  # a moved object changes two cells
    expected = {
        hashable(t)
        for t in Tables(n, *start.shape, allow_empty=allow_empty)
        if abs(np.array(t) - start).sum() <= moved
    }
    assert seen(near(matrix, med=share)) == expected
    assert matrix != [[2, 0], [0, 2]] or share < 1 or ((0, 2), (2, 0)) in expected


# --- errors ---


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tables(n=-1), "n must be at least 0, got -1"),
        (lambda: tables(n=2.5), "n must be an integer, got 2.5"),
        (
            lambda: tables(n=0),
            r"n must be at least 1 for shape \(any, any\) without empty rows and columns, got 0",
        ),
        (
            lambda: tables(n=2, shape=(2, 3)),
            r"at least 3 for shape \(2, 3\) without empty rows and columns, got 2",
        ),
        (lambda: tables(shape=3), "shape must be a pair of integers, got 3"),
        (lambda: tables(shape=(2, 0)), r"shape\[1\] must be at least 1, got 0"),
        (lambda: tables(rows=(1, 0)), r"rows\[1\] must be at least 1, got 0"),
        (lambda: tables(rows=(1, 2), cols=(4,)), "rows, cols must have the same total, got rows: 3, cols: 4"),
        (lambda: tables(rows=(1, 2), shape=(3, 1)), r"shape must agree with rows, got \(3, 1\) and 2 rows"),
        (
            lambda: tables(shape=(2, 3), square=True),
            "square must be False for 2 rows and 3 columns, got True",
        ),
        (lambda: members(Tables(1, 2, 2)), "matrices must have at least one member, got Tables"),
        (lambda: members([[1]]), "matrices must be a class of matrices"),
        (lambda: worst_tables(n=2, shape=(3, 3)), r"n must be at least 3 for shape \(3, 3\)"),
        (lambda: tables(nonempty="no"), "nonempty must be True or False, got 'no'"),
        (lambda: labelings(nonempty=2), "nonempty must be True or False, got 2"),
        (lambda: memberships(exact="no"), "exact must be True or False, got 'no'"),
        (lambda: labelings(n=2, clusters=3), "n must be at least 3 for clusters=3 and nonempty=True, got 2"),
        (lambda: labeling_pairs(clusters=(1, 2, 3)), "clusters must be a number or a pair of numbers"),
        (lambda: labeling_pairs(n=2, clusters=(1, 3)), "n must be at least 3 for clusters=3"),
        (lambda: partitions(parts=0), "parts must be at least 1, got 0"),
        (lambda: memberships(n=0), "n must be at least 1, got 0"),
        (lambda: tables(shape=(1,)), r"shape must be a pair of integers, got \(1,\)"),
        (
            lambda: near([[-1]], med=0),
            r"matrix must be a table of non-negative integers, got \[\[-1\]\]",
        ),
        (lambda: near([[1]], med=2), "med must be a number from 0 to 1, got 2"),
        (lambda: near([[1]], med="x"), "med must be a number from 0 to 1, got 'x'"),
    ],
)
def test_errors_come_early_and_name_argument_and_value(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_drawn_arguments_are_checked_too():
    with pytest.raises(ValueError, match=r"n must be at least 3 for shape \(3, 2\)"):
        smallest(tables(n=st.just(2), shape=st.just((3, 2))), lambda t: True)
    with pytest.raises(NoSuchExample):
        smallest(tables(n=3, shape=(1, 1)), lambda t: t[0, 0] != 3)


def test_reprs_show_the_arguments():
    assert repr(tables()) == "tables()"
    assert repr(tables(rows=(2, 1), nonempty=False)) == "tables(rows=(2, 1), nonempty=False)"
    assert repr(tables(n=st.integers(1, 9))) == "tables(n=integers(min_value=1, max_value=9))"
    assert repr(labeling_pairs(n=5, clusters=(2, 3))) == "labeling_pairs(n=5, clusters=(2, 3))"
    assert repr(memberships(exact=True)) == "memberships(exact=True)"
    assert repr(labeling_pairs(clusters=[2, 3])) == "labeling_pairs(clusters=[2, 3])"
    assert repr(near([[2, 1]], med=Fraction(1, 3))) == "near([[2, 1]], med=Fraction(1, 3))"
