import itertools
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from brute import matched_points
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.contingency import (
    as_matrix,
    best_matching,
    contingency_matrix,
    drop_empty,
    margins,
)

labels = st.sampled_from(["x", "y", 1, 2.5, "", ("t", 1), frozenset({3})])
small_tables = st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 6), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


# --- labels ---


def rows_of_points(labels):
    """In which row of a table every point stands, by its label."""
    labels = list(labels)
    return contingency_matrix(labels, range(len(labels))).argmax(axis=0).tolist()


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=30))
def test_contingency_counts_pairs_of_labels_of_any_type(pairs):
    a, b = zip(*pairs)
    table = contingency_matrix(a, b)
    counted = Counter(pairs)
    assert table.shape == (len(set(a)), len(set(b)))
    assert table.sum() == len(pairs)
    for pair, row, column in zip(pairs, rows_of_points(a), rows_of_points(b)):
        assert table[row, column] == counted[pair]
    assert (contingency_matrix(a, b, sparse=True).toarray() == table).all()


@pytest.mark.parametrize(
    ("given_labels", "rows"),
    [
        ([3, 1, 2], [2, 0, 1]),
        (["b", "a"], [1, 0]),
        (["b", 1, "a"], [0, 1, 2]),
        ([(), 0], [0, 1]),
        (np.array([2.5, -1.0]), [1, 0]),
        (np.array(["u", "t"]), [1, 0]),
        (pd.Series(["v", "u"], index=[7, 3]), [1, 0]),
        (pd.Categorical(["v", "u"]), [1, 0]),
        ((x for x in "ba"), [1, 0]),
        (np.array([1, True, 1.0], dtype=object), [0, 0, 0]),
        (np.array(["2020-01-02", "2020-01-01"], dtype="datetime64[ns]"), [1, 0]),
    ],
)
def test_label_order_is_sorted_where_possible(given_labels, rows):
    points = range(len(rows))
    assert contingency_matrix(given_labels, points).argmax(axis=0).tolist() == rows


MISSING = [None, float("nan"), np.datetime64("NaT"), pd.NaT, pd.NA, Decimal("nan")]


@pytest.mark.parametrize("missing", MISSING)
def test_missing_labels_are_refused_dropped_or_a_cluster(missing):
    a, b = [1, 2, 3, missing], [1, 2, missing, missing]
    with pytest.raises(
        ValueError, match=r"labels_b must not have missing labels, got .* at position 2 \(2 of 4\). Remove"
    ):
        contingency_matrix([1, 2, 3, 4], b)
    assert contingency_matrix(a, b, na="drop").tolist() == [[1, 0], [0, 1]]
    assert contingency_matrix(a, b, na="label").tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1]]
    with pytest.raises(ValueError, match="an object with both labels, got none among 1"):
        contingency_matrix([1], [missing], na="drop")
    with pytest.raises(ValueError, match="na must be one of refuse, drop, label, got 'omit'"):
        contingency_matrix([1], [1], na="omit")


@pytest.mark.parametrize(
    "column",
    [
        lambda x: x,
        lambda x: np.array(x, dtype=object),
        lambda x: np.ma.array(["z" if i is None else i for i in x], mask=[i is None for i in x]),
        pd.Series,
        lambda x: pd.Series(x, dtype="string"),
        lambda x: pd.Series(x, dtype="category"),
        pd.Categorical,
        lambda x: pytest.importorskip("polars").Series(x),
        lambda x: pytest.importorskip("polars").Series(x, dtype=pytest.importorskip("polars").Categorical),
        lambda x: pytest.importorskip("pyarrow").array(x),
        lambda x: pytest.importorskip("pyarrow").chunked_array([x]),
    ],
)
def test_one_policy_for_missing_labels_in_every_library(column):
    complete, lacking = column(["b", "a", "b"]), column(["a", None, "b"])
    assert contingency_matrix(complete, complete).tolist() == [[1, 0], [0, 2]]
    with pytest.raises(
        ValueError, match=r"labels_b must not have missing labels, got .* at position 1 \(1 of 3\)"
    ):
        contingency_matrix(complete, lacking)
    assert contingency_matrix(complete, lacking, na="drop").tolist() == [[1, 1]]
    assert contingency_matrix(complete, lacking, na="label").tolist() == [[0, 0, 1], [1, 1, 0]]


def test_missing_labels_come_last_and_are_one():
    table = contingency_matrix([2, None, float("nan"), 1], ["x", "x", "y", None], na="label")
    assert table.tolist() == [[0, 0, 1], [1, 0, 0], [1, 1, 0]]
    assert contingency_matrix([None, None], [1, 2], na="label").tolist() == [[1, 1]]
    assert contingency_matrix([None, 1, None], [1, None, 2], na="label").tolist() == [[0, 0, 1], [1, 1, 0]]


@pytest.mark.parametrize("n", [250_500, 250_499])
def test_tables_beyond_a_million_cells_are_dense_where_a_quarter_can_be_filled(n):
    lines = np.arange(n) % 1002
    table = contingency_matrix(lines, np.minimum(lines, 999))
    assert table.shape == (1002, 1000)
    assert sp.issparse(table) == (n < 250_500)


def test_a_million_cells_are_dense():
    lines = np.arange(1000)
    assert not sp.issparse(contingency_matrix(lines, lines))
    assert sp.issparse(contingency_matrix(np.append(lines, 1000), np.append(lines, 0)))


def test_iterators_without_length_are_reported_briefly(monkeypatch):
    monkeypatch.setattr("confmat.contingency.labels._MOST_WITHOUT_LENGTH", 3)
    assert contingency_matrix(iter("aba"), (x for x in "xyy")).tolist() == [[1, 1], [0, 1]]
    assert contingency_matrix([*"abab"], np.arange(4)).shape == (2, 4)
    with pytest.raises(
        ValueError, match=r"labels_b must have at most 3 labels .*, got more, beginning with 'x'"
    ):
        contingency_matrix([*"abab"], iter("xyyx"))


@pytest.mark.parametrize(
    ("a", "b", "error", "message"),
    [
        ([1, 2], [1, [2]], TypeError, r"labels_b\[1\] must be hashable, got \[2\]"),
        ([1, np.array([1, 2])], [1, 2], TypeError, r"labels_a\[1\] must be hashable, got array"),
        ([None, 2], [[1], 2], ValueError, r"labels_a must not have missing labels, got None at position 0"),
        ({}, [1, 2], TypeError, "labels_a must be a sequence of labels, got dict"),
        (np.ones((1, 1, 1)), [1], ValueError, r"labels_a must be one-dimensional, got shape \(1, 1, 1\)$"),
        (
            np.ones((1, 1)),
            [1],
            ValueError,
            r"got shape \(1, 1\). Pass memberships to functions of confmat.indices.soft",
        ),
        (
            pd.Series([1, 2]),
            pd.Series([1, 2], [0, 2]),
            ValueError,
            "equal indexes, got .*1.* and .*2.* at position 1. Al",
        ),
        ([1, 2], [1], ValueError, "same length, got 2 and 1"),
        ([], [], ValueError, "labels_a must not be empty"),
        ([1], [[2]], TypeError, r"labels_b\[0\] must be hashable, got \[2\]"),
        ("ab", [1, 2], TypeError, "labels_a must be a sequence of labels, got str: 'ab'"),
        ({1, 2}, [1, 2], TypeError, "labels_a must be a sequence of labels, got set"),
        (5, [1], TypeError, "labels_a must be a sequence of labels, got 5"),
        ([1], np.ones((2, 2)), ValueError, r"labels_b must be one-dimensional, got shape \(2, 2\)"),
        ([1], np.float64(3), ValueError, r"labels_b must be one-dimensional, got shape \(\)"),
        (
            [1, 1],
            np.ma.array([1, 2], mask=[0, 1]),
            ValueError,
            r"labels_b must not have missing labels, got None at position 1 \(1 of 2",
        ),
    ],
)
def test_bad_labels(a, b, error, message):
    with pytest.raises(error, match=message):
        contingency_matrix(a, b)


def test_large_tables_are_sparse_and_quick():
    n = 10**5
    rng = np.random.default_rng(5)
    a = rng.permutation(n)
    b = np.where(rng.random(n) < 0.1, rng.integers(n, size=n), a)
    table = contingency_matrix(a, b)
    assert sp.issparse(table)
    assert table.sum() == n
    assert sum(margins(table)[1]) == n
    # Every cell counts one object and every row has one cell: one match for each non-empty column.
    assert best_matching(table).total == len(set(b.tolist()))
    assert isinstance(contingency_matrix([1, 2], [3, 4]), np.ndarray)


# --- given tables ---


@pytest.mark.parametrize(
    "table",
    [
        [[1, 2], [0, 3]],
        ((1, 2), (0, 3)),
        [np.array([1, 2]), [0, 3.0]],
        np.array([[1, 2], [0, 3]], dtype=np.uint8),
        np.array([[1, 2], [0, 3]], dtype=np.float32),
        np.array([[1, Fraction(2)], [Decimal(0), np.int8(3)]], dtype=object),
        pd.DataFrame({"p": [1, 0], "q": [2.0, 3.0]}),
        pd.crosstab([0, 0, 0, 1, 1, 1], [0, 1, 1, 1, 1, 1]),
        sp.csr_matrix([[1, 2], [0, 3]]),
        sp.coo_array(([1, 1, 1, 3], ([0, 0, 0, 1], [0, 1, 1, 1])), dtype=np.int8),
    ],
)
def test_as_matrix_reads_every_kind_of_table(table):
    checked = as_matrix(table)
    assert checked.dtype == np.int64
    assert (checked.toarray() if sp.issparse(checked) else checked).tolist() == [[1, 2], [0, 3]]
    assert margins(table) == ((3, 3), (1, 5))
    assert best_matching(table) == (((0, 0), (1, 1)), 4)


def test_as_matrix_keeps_integers_of_any_size_and_its_argument():
    for big in (2**53 + 1, 2**62, 2**63, 2**64 - 1, 10**30 + 1):
        frame = pd.DataFrame([[big, 0.0], [1.0, 1.0]], dtype=object)
        for table in ([[big, 0.0], [1, 1]], frame, np.array([[big, 0], [1, 1]], dtype=object)):
            assert as_matrix(table)[0, 0] == big
    assert as_matrix(np.array([[2**64 - 1]], dtype=np.uint64))[0, 0] == 2**64 - 1
    assert as_matrix(pd.DataFrame({"p": [2**62 + 1], "q": [0.0]}))[0, 0] == 2**62 + 1
    assert as_matrix([[1e300]])[0, 0] == int(1e300)
    mine = np.array([[1, 2]])
    as_matrix(mine)[0, 0] = 9
    assert mine[0, 0] == 1


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        ([[1, 2], [3]], ValueError, "rows must have equal lengths, got 2 in row 0 and 1 in row 1"),
        ([[1, -2]], ValueError, r"matrix\[0, 1\] must be at least 0, got -2"),
        ([[1], [0.5]], ValueError, r"matrix\[1, 0\] must be an integer, got 0.5"),
        ([[1, float("nan")]], ValueError, r"matrix\[0, 1\] must be finite, got nan"),
        (np.array([[1, np.inf]]), ValueError, r"matrix\[0, 1\] must be finite, got inf"),
        (np.array([[1.0], [0.5]]), ValueError, r"matrix\[1, 0\] must be an integer, got 0.5"),
        (np.array([[1, 2], [-3, 4]]), ValueError, r"matrix\[1, 0\] must be at least 0, got -3"),
        (sp.csr_array([[0, 2], [0, -4]]), ValueError, r"matrix\[1, 1\] must be at least 0, got -4"),
        (sp.csr_array([[0, 2], [0, 0.5]]), ValueError, r"matrix\[1, 1\] must be an integer, got 0.5"),
        (pd.DataFrame({"p": [1, None]}), ValueError, r"matrix\[1, 0\] must be finite, got nan"),
        (pd.DataFrame({"p": [1, pd.NA]}), TypeError, r"matrix\[1, 0\] must be a number, got <NA>"),
        ([["3", 4]], TypeError, r"matrix\[0, 0\] must be a number, got '3'"),
        ([[True, 4]], TypeError, r"matrix\[0, 0\] must be a number, got True"),
        (np.array([[True]]), TypeError, "matrix must hold numbers, got dtype bool"),
        (np.array([["a"]]), TypeError, "matrix must hold numbers"),
        ([1, 2], TypeError, r"matrix must be a list of rows .* got \[1, 2\]"),
        (np.array([1, 2]), ValueError, r"two-dimensional, got shape \(2,\)"),
        (np.ones((2, 2, 2)), ValueError, r"two-dimensional, got shape \(2, 2, 2\)"),
        ([], ValueError, "must not be empty"),
        ([[]], ValueError, "must not be empty"),
        (np.zeros((0, 3)), ValueError, r"must not be empty, got shape \(0, 3\)"),
        (7, TypeError, "matrix must be a list of rows"),
        (np.ma.array([[1, 2]], mask=[[0, 1]]), ValueError, r"matrix\[0, 1\] must not be masked"),
        (
            sp.csr_array(np.array([[2**64 - 1]], dtype=np.uint64)),
            ValueError,
            "sparse matrix must have entries below",
        ),
        (
            sp.coo_array(([2**62, 2**62], ([0, 0], [0, 0]))),
            ValueError,
            "sparse matrix must have entries below",
        ),
    ],
)
def test_bad_tables(table, error, message):
    with pytest.raises(error, match=message):
        as_matrix(table)


def with_margins(cells, label="Alles", columns=1):
    """A pandas table with the sums of its lines, ``label`` beside those of rows, the columns in so many levels."""
    whole = np.block(
        [[cells, cells.sum(1, keepdims=True)], [cells.sum(0, keepdims=True), cells.sum(keepdims=True)]]
    )
    r, s = cells.shape
    names = [*"abc"[:s], "Alles"]
    labels = names if columns == 1 else pd.MultiIndex.from_tuples([(name, "") for name in names])
    return pd.DataFrame(whole, index=[*"xyz"[:r], label], columns=labels)


@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 3)])
def test_margins_are_told_by_their_name_and_by_each_of_their_sums(shape):
    cells = np.arange(1, 7)[: shape[0] * shape[1]].reshape(shape)
    for frame in (with_margins(cells), with_margins(cells, columns=2)):
        with pytest.raises(
            ValueError, match="contain row or column sums, got a last row and column named 'Alles'"
        ):
            as_matrix(frame)
        for place in [(0, -1), (-1, 0), (-1, -1), (0, 0)]:
            other = frame.copy()
            other.iloc[place] += 1
            assert as_matrix(other).shape == (shape[0] + 1, shape[1] + 1)
    assert as_matrix(with_margins(cells, label="Beide")).shape == (shape[0] + 1, shape[1] + 1)
    assert as_matrix(with_margins(cells).iloc[-1:, -1:]).tolist() == [[cells.sum()]]
    for label in ("All", "TOTAL", " Sum "):
        with pytest.raises(ValueError, match=f"contain row or column sums, got a last row named '{label}'"):
            as_matrix(with_margins(cells, label=label))
    frame = with_margins(cells).astype(object)
    frame.iloc[0, 0] = "text"
    with pytest.raises(TypeError, match=r"matrix\[0, 0\] must be a number, got 'text'"):
        as_matrix(frame)


@pytest.mark.parametrize(
    ("table", "kind", "entries"),
    [
        ([[2**63 - 1, 1]], np.int64, [2**63 - 1, 1]),
        ([[2**63, 1]], object, [2**63, 1]),
        (np.array([[2**63 - 1, 1]], np.uint64), np.int64, [2**63 - 1, 1]),
        (np.array([[2**63, 1]], np.uint64), object, [2**63, 1]),
        (np.array([[2.0**62, 1]]), np.int64, [2**62, 1]),
        (np.array([[2.0**63, 1]]), object, [2**63, 1]),
        (np.array([[2, 1]]), np.int64, [2, 1]),
        ([[2.0, Fraction(4, 2)]], np.int64, [2, 2]),
        ([[Decimal("2"), np.float32(0)]], np.int64, [2, 0]),
        ([[0, 0]], np.int64, [0, 0]),
    ],
)
def test_entries_are_64_bits_wide_where_they_fit_and_exact(table, kind, entries):
    checked = as_matrix(table)
    assert (checked.dtype, checked.shape, checked.ravel().tolist()) == (kind, (1, 2), entries)
    assert best_matching(table).total == max(entries)


@pytest.mark.parametrize(
    ("table", "error", "says"),
    [
        (np.array([[1, 2, 3], [4, 5, -6]]), ValueError, r"matrix\[1, 2\] must be at least 0, got -6"),
        (np.array([[1, 2, 0.5], [-1, 5, 6]]), ValueError, r"matrix\[1, 0\] must be at least 0, got -1.0"),
        ([[0, 1], [2, 3], [4, -5]], ValueError, r"matrix\[2, 1\] must be at least 0, got -5"),
        ([[0, True]], TypeError, r"matrix\[0, 1\] must be a number, got True"),
        ([[0, np.True_]], TypeError, r"matrix\[0, 1\] must be a number, got "),
        ([[1], []], ValueError, "equal lengths, got 1 in row 0 and 0 in row 1"),
        ([[1, 2], [3, 4], [5]], ValueError, "equal lengths, got 2 in row 0 and 1 in row 2"),
        ({(1, 2)}, TypeError, "matrix must be a list of rows"),
        (np.array(5), ValueError, r"two-dimensional, got shape \(\)$"),
        (np.array([1, 2]), ValueError, r"got shape \(2,\). Pass two labelings as two arguments$"),
        (np.ma.array([[1, 2], [3, 4]], mask=[[0, 0], [1, 1]]), ValueError, r"matrix\[1, 0\] must not be masked"),
        (sp.coo_array([1, 2]), ValueError, r"two-dimensional, got shape \(2,\)"),
        (sp.csr_array((0, 3)), ValueError, r"must not be empty, got shape \(0, 3\)"),
        (sp.csr_array([[True]]), TypeError, "matrix must hold numbers, got dtype bool"),
        (sp.coo_array(([2**62, 2**62 - 1, 1], ([0, 0, 0], [0, 0, 1])), (1, 2)), ValueError, "must have entries below"),
    ],
)  # fmt: skip
def test_more_bad_tables(table, error, says):
    with pytest.raises(error, match=says):
        as_matrix(table)


def test_sparse_tables_are_added_up_put_in_order_and_without_zeros():
    stored = sp.coo_array(([1, 0, 3, 2, 4], ([1, 1, 0, 0, 0], [0, 1, 2, 0, 2])), (2, 3))
    checked = as_matrix(stored)
    assert (checked.data.tolist(), checked.indices.tolist(), checked.indptr.tolist()) == (
        [2, 7, 1],
        [0, 2, 0],
        [0, 2, 3],
    )
    for most in ([2**62, 2**62 - 1], [2**63 - 1]):  # of one cell, and of two
        table = sp.coo_array((most, ([0] * len(most), [0] * len(most))), (1, 2))
        assert as_matrix(table)[0, 0] == 2**63 - 1
    two = sp.coo_array(([2**63 - 1, 2**63 - 1], ([0, 0], [0, 1])), (1, 2))
    assert margins(two) == ((2**64 - 2,), (2**63 - 1, 2**63 - 1))


@pytest.mark.parametrize("make", [np.array, sp.csr_array])
def test_dropping_keeps_the_order_of_the_other_labels(make):
    def same(table, rows):
        assert (table.toarray() if sp.issparse(table) else table).tolist() == rows

    same(drop_empty(make([[0, 2, 0, 1], [0, 0, 0, 0], [0, 3, 0, 0]])), [[2, 1], [3, 0]])
    same(drop_empty(make([[0, 0], [0, 0]])), [[0]])


def test_margins_do_not_overflow():
    assert margins(np.full((2, 2), 2**62)) == ((2**63, 2**63), (2**63, 2**63))
    assert margins(sp.csr_array(np.full((2, 2), 2**62))) == ((2**63, 2**63), (2**63, 2**63))


@pytest.mark.parametrize("make", [np.array, sp.csr_array])
def test_dropping_leaves_one_cell_at_least(make):
    table = make([[0, 0, 0], [1, 0, 2]])
    assert drop_empty(table).shape == (1, 2)
    assert drop_empty(make([[0, 0]])).shape == (1, 1)


# --- matching ---


def brute_force_matching(table):
    """Largest total over all ways to match rows to columns, by trying them all."""
    if len(table) > len(table[0]):
        table = list(zip(*table))
    return max(
        sum(row[j] for row, j in zip(table, columns))
        for columns in itertools.permutations(range(len(table[0])), len(table))
    )


@given(small_tables, st.sampled_from([1, 2**49, 2**60, 10**30]))
def test_best_matching_is_best(table, scale):
    # + 1 in positive cells: totals then differ in the last bit, which doubles lose beyond 2^53.
    table = [[value * scale + (value > 3) for value in row] for row in table]
    pairs, total = best_matching(table)
    assert total == sum(table[i][j] for i, j in pairs) == brute_force_matching(table)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert all(table[i][j] for i, j in pairs)


# Few lines are matched in plain Python, more by SciPy's dense solver, more than 10^6 cells by its sparse one.
MORE_LINES, MANY_LINES = 13, 1001


def assert_matched(table, most):
    """A best matching of a table, its lines alone or among empty ones, covers so many points."""
    for size in (MORE_LINES, MANY_LINES):
        lines = [max(size, side) for side in np.shape(table)]
        padded = sp.csr_array(table)
        padded.resize(lines)
        pairs, total = best_matching(padded)
        assert total == sum(table[i][j] for i, j in pairs) == most
        assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


@settings(max_examples=80)
@given(small_tables)
def test_every_solver_finds_the_best(table):
    assert_matched(table, brute_force_matching(table))


@pytest.mark.parametrize("shape", [(1, 60), (2, 50), (3, 33), (6, 6), (6, 16), (16, 6), (50, 2)])
@pytest.mark.parametrize("filled", [0.3, 1])
def test_small_matrices_are_matched_as_scipy_does(shape, filled):
    rng = np.random.default_rng(shape[0])
    for most in (2, 5, 1000):
        for _ in range(2):
            table = rng.integers(0, most, size=shape) * (rng.random(shape) < filled)
            pairs, total = best_matching(table)
            assert total == sum(table[pair] for pair in pairs) == matched_points(table[None])[0]
            assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


@pytest.mark.parametrize("largest", [1, 3, 50])
def test_sparse_solver_against_the_dense_one_where_no_cell_dominates(largest):
    rng = np.random.default_rng(largest)
    table = rng.integers(1, largest + 1, size=(120, 150)) * (rng.random((120, 150)) < 0.05)
    assert_matched(table, matched_points(table[None])[0])


def test_matching_beyond_doubles():
    table = [[2**60, 2**60 + 1], [2**60, 2**60]]
    assert float(table[0][0]) == float(table[0][1])
    assert best_matching(table) == (((0, 1), (1, 0)), 2**61 + 1)
    large = [[*row, *[0] * 60] for row in table] + [[0] * 62] * 60
    assert best_matching(large) == (((0, 1), (1, 0)), 2**61 + 1)


def test_matching_of_nothing():
    assert best_matching([[0, 0]]) == ((), 0)
