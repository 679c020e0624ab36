"""Metrics of many matrices at once against the scalar functions, on every matrix of small classes."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from classification_cases import THREE
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from confmat.classes import FixedRows, Tables
from confmat.indices import classification
from confmat.statistics import STATISTICS

CLASSES = [
    Tables(7, 2, 2, allow_empty=True),
    Tables(4, 3, 3, allow_empty=True),
    Tables(2, 4, 4, allow_empty=True),
    FixedRows((4, 2, 1), 3),
    FixedRows((2, 1, 1, 1), 4),
]
RATIONAL = ("cor", "bcr", "auc", "f", "auc_pairs", "f_pairs")
ROOTS = ("gsp", "gss", "gsp_pairs", "gss_pairs")
MEASURES = {
    "auc": classification.auc,
    "f": classification.f_beta,
    "gsp": classification.g_mean_sp,
    "gss": classification.g_mean_ss,
}


def one_by_one(name, matrix):
    """The scalar function's exact value, nan where it is undefined."""
    if name == "cor":
        return classification.accuracy(matrix, exact=True)
    if name == "bcr":
        return classification.balanced_accuracy(matrix, exact=True)
    measure, _, pairs = name.partition("_")
    strategy = "pairs" if pairs else "rest"
    return MEASURES[measure](matrix, strategy=strategy, exact=True, undefined="nan")


def fractions(numerators, denominators):
    return [Fraction(int(p), int(q)) if q else math.nan for p, q in zip(numerators, denominators)]


def roots(tables, name):
    """The values of a mean of roots at tables."""
    values, places = STATISTICS[name].batch(tables)
    return [values[place] for place in places]


def same(x, y):
    return x == y or (x != x and y != y)


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("name", RATIONAL)
def test_rational_metrics_on_every_matrix(matrices, name):
    tables = np.array(list(matrices))
    found = fractions(*STATISTICS[name].batch(tables))
    assert all(map(same, found, (one_by_one(name, table) for table in tables)))


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("name", ROOTS)
def test_root_means_on_every_matrix(matrices, name):
    """Equal values are one object, and found equal; their doubles are correctly rounded."""
    tables = np.array(list(matrices))
    found = roots(tables, name)
    exact_at: dict[float, object] = {}
    for value, exact in zip(found, (one_by_one(name, table) for table in tables)):
        assert same(value, exact)
        if exact == exact:
            assert float(value) == float(exact)
            assert exact_at.setdefault(float(value), value) is value
    values = sorted(exact_at)
    assert all(exact_at[low] < exact_at[high] for low, high in pairwise(values))


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [
        ("gsp", [[0, 1, 2], [0, 1, 0], [2, 1, 1]], [[0, 0, 1], [0, 1, 2], [4, 0, 0]]),
        ("gss", [[0, 0, 1], [1, 1, 0], [2, 1, 2]], [[0, 0, 1], [0, 3, 2], [2, 0, 0]]),
    ],
)
def test_common_denominators_do_not_decide_the_double(name, a, b):
    """The same number from terms with other denominators, which would be rounded in another way."""
    assert one_by_one(name, a) == one_by_one(name, b)
    first, second = roots(np.array([a, b]), name)
    assert first is second


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("k", [2, 3])
def test_no_object_at_all(k):
    tables = np.array([np.zeros((k, k)), np.eye(k)], np.int64)
    for name in RATIONAL:
        assert [d for _, d in zip(*STATISTICS[name].batch(tables))] == [0, 1]
    for name in ROOTS:
        assert [x != x for x in roots(tables, name)] == [True, False]


def test_no_table_at_all():
    none = np.zeros((0, 3, 3), np.int64)
    for name in RATIONAL:
        assert [part.tolist() for part in STATISTICS[name].batch(none)] == [[], []]
    for name in ROOTS:
        assert roots(none, name) == []


def test_a_single_class_is_found_with_certainty():
    table = np.array([[[3]]])
    for name in ("cor", "bcr", "f"):
        assert fractions(*STATISTICS[name].batch(table)) == [1]
    assert roots(table, "gsp") == [1]
    assert math.isnan(*roots(table, "gss"))  # no object is outside the class


@pytest.mark.filterwarnings("error")
def test_root_means_by_their_formulas():
    tables = np.random.default_rng(1).integers(1, 60, (200, 3, 3))
    tables[:20] *= 1 - np.eye(3, dtype=int)  # nothing right
    hits, rows, cols = np.diagonal(tables, axis1=1, axis2=2), tables.sum(axis=2), tables.sum(axis=1)
    n = tables.sum(axis=(1, 2))
    sens, prec = hits / rows, hits / cols
    spec = 1 - (cols - hits) / (n[:, None] - rows)
    for name, other in (("gsp", prec), ("gss", spec)):
        expected = (rows * np.sqrt(sens * other)).sum(axis=1) / n
        assert [*map(float, roots(tables, name))] == pytest.approx(expected, rel=1e-12)


@given(arrays(np.int64, (5, 3, 3), elements=st.integers(0, 40)), st.permutations(range(3)))
def test_simultaneous_relabeling_changes_nothing(tables, order):
    relabeled = tables[:, order][:, :, order]
    for name in RATIONAL:
        assert np.array_equal(STATISTICS[name].batch(tables), STATISTICS[name].batch(relabeled))
    for name in ROOTS:
        assert all(map(same, roots(tables, name), roots(relabeled, name)))


@pytest.mark.parametrize("largest", [2000, 10**5])
@settings(max_examples=40)
@given(st.data())
def test_large_counts_take_python_ints(largest, data):
    """Where products of counts fit 64 bits but common denominators do not, and where neither do."""
    tables = data.draw(arrays(np.int64, (3, 4, 4), elements=st.integers(1, largest)))
    for name in RATIONAL:
        found = fractions(*STATISTICS[name].batch(tables))
        assert found == [one_by_one(name, table) for table in tables]
    for name in ROOTS:
        assert roots(tables, name) == [one_by_one(name, table) for table in tables]


@pytest.mark.parametrize(
    "table",
    [
        [[2**62, 2**62], [2**62, 2**62]],  # the total alone exceeds 64 bits
        [[4001, 4, 1, 2], [1, 4003, 3, 2], [5, 2, 4007, 3], [2, 1, 4, 4013]],  # the common denominators do
        [[500009, 2], [2, 499979]],  # the product of the four counts of "gss"
        [
            [38898, 5, 6, 8],
            [3, 38925, 4, 8],
            [1, 4, 38851, 3],
            [8, 5, 3, 38886],
        ],  # with small entries and rows
    ],
)
def test_counts_beyond_64_bits(table):
    tables = np.array([table])
    for name in RATIONAL:
        assert fractions(*STATISTICS[name].batch(tables)) == [one_by_one(name, table)]
    for name in ROOTS if tables.max() < 10**6 else ():
        assert roots(tables, name) == [one_by_one(name, table)]


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int16, np.uint64, object])
def test_any_type_of_whole_numbers(dtype):
    tables = np.array([[[200, 100, 7], [0, 130, 9], [50, 60, 254]]]).astype(dtype)
    plain = tables.astype(np.int64)
    for name in RATIONAL:
        assert np.array_equal(STATISTICS[name].batch(tables), STATISTICS[name].batch(plain))
    for name in ROOTS:
        assert roots(tables, name) == roots(plain, name)


def test_fractions_of_objects_are_refused():
    with pytest.raises(TypeError, match="float64"):
        STATISTICS["cor"].batch(np.full((1, 2, 2), 0.5))


def test_a_metric_of_one_table():
    table = np.array([[3, 1], [0, 2]])
    assert STATISTICS["bcr"](table) == Fraction(7, 8)
    assert STATISTICS["auc"](THREE) == classification.auc(THREE, exact=True)
    assert STATISTICS["auc_pairs"](THREE) == Fraction(607, 720)
    assert STATISTICS["gss"](table) ** 2 == Fraction(3, 4)
    assert math.isnan(STATISTICS["auc_pairs"](np.array([[3, 1], [0, 0]])))


def test_errors():
    for shape, says in (
        ((5, 2, 3), "2 x 3"),
        ((5, 3, 2), "3 x 2"),
        ((2, 2), "2"),
        ((1, 2, 2, 2), "2 x 2 x 2"),
    ):
        with pytest.raises(
            ValueError, match=rf"'sensitivity' needs square confusion matrices .* got {says}$"
        ):
            STATISTICS["bcr"].batch(np.zeros(shape, np.int64))
    with pytest.raises(ValueError, match="at least two classes"):
        STATISTICS["f_pairs"].batch(np.ones((5, 1, 1), np.int64))


def test_roots_of_large_classes():
    assert roots(np.full((1, 2, 2), 10**7), "gsp") == [Fraction(1, 2)]
    assert roots(np.array([[[10**12, 1], [1, 10**12]]]), "gss") == [Fraction(10**12, 10**12 + 1)]
