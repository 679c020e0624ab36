"""Every index function takes one table, always, or two labelings of the same objects."""

import inspect
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat.contingency import contingency_matrix
from confmat.indices import classification, partition
from confmat.indices.classification import confusion_matrix
from confmat.reports import compare
from confmat.significance import permutation_test
from confmat.statistics import STATISTICS

PARTITION = [
    *(x.index for x in STATISTICS.values() if x.symmetry != "simultaneous"),
    partition.pair_counts,
    partition.expected_rand_distance,
    partition.adjusted_rand_index_null_moments,
    partition.PairSums.of,
    compare,
]
METRICS = [
    *(x.index for x in STATISTICS.values() if x.symmetry == "simultaneous"),
    classification.sensitivity,
    classification.specificity,
    classification.precision,
    classification.auc3,
    classification.auc_pairs,
    classification.f_pairs,
    classification.gsp_pairs,
    classification.gss_pairs,
    classification.all_metrics,
]
A = [0, 0, 1, 1, 1, 2, 2, 2, 2]
B = [0, 1, 1, 1, 0, 2, 2, 1, 2]


def names_of(function):
    return getattr(function, "__qualname__", "")


@pytest.mark.parametrize("index", [*PARTITION, *METRICS, permutation_test], ids=names_of)
def test_two_labelings_are_their_matrix(index):
    table = confusion_matrix(A, B) if index in METRICS else contingency_matrix(A, B)
    assert index(A, B) == index(table)


def test_every_public_index_takes_both():
    """Functions of populations, of matrices' sizes and of scores do not; scores of two classes have their own test."""
    others = {"confusion_matrix", "f1_score", "fbeta_score", "precision_score", "recall_score"}
    functions = {}
    for module in (partition, classification):
        exported = {name: getattr(module, name) for name in module.__all__ if name not in others}
        functions |= {name: thing for name, thing in exported.items() if inspect.isfunction(thing)}
    assert len(functions) > 60
    tried = {*PARTITION, *METRICS}
    assert [name for name, function in functions.items() if function not in tried] == []


@pytest.mark.parametrize("index", [*PARTITION, *METRICS, permutation_test], ids=names_of)
def test_everything_but_the_matrix_or_the_labelings_is_said_by_name(index):
    parameters = inspect.signature(index).parameters
    kinds = [parameter.kind for parameter in parameters.values()]
    positional = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL}
    assert set(kinds[:2]) <= positional
    assert set(kinds[2:]) <= {inspect.Parameter.KEYWORD_ONLY}
    assert "exact" not in parameters or parameters["exact"].default is not True


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 3)), min_size=1, max_size=12))
def test_labels_of_any_kind_by_position(pairs):
    a, b = map(list, zip(*pairs))
    expected = partition.rand_distance(contingency_matrix(a, b), exact=True)
    index = [7 * i % 13 for i in range(len(a))]
    kinds = [
        (tuple(a), tuple(b)),
        (np.array(a), np.array(b)),
        (np.array(a, dtype=object), iter(b)),
        (pd.Series(a), pd.Series(b)),
        (pd.Series(a, index=index), pd.Series(b, index=index)),
        (pd.Series(a, index=index), b),
        (pd.Series(a, dtype="category"), pd.Categorical(b)),
        (pd.Index(a), pd.array(b)),
    ]
    for truth, found in kinds:
        assert partition.rand_distance(truth, found, exact=True) == expected
    assert partition.rand_distance(b, a, exact=True) == expected


def test_series_of_polars():
    polars = pytest.importorskip("polars")
    assert partition.med(polars.Series(A), polars.Series("b", list("uuuuvvvvv"))) == 3 / 9
    with pytest.raises(ValueError, match=r"labels_a must be one-dimensional, got shape \(9, 1\)"):
        partition.med(polars.DataFrame({"a": A}), B)


def test_truth_comes_first():
    assert partition.wallace_ab([0, 0, 1], [0, 0, 0], exact=True) == 1
    assert partition.wallace_ab([0, 0, 0], [0, 0, 1], exact=True) == Fraction(1, 3)
    # One object of class 0 is taken for class 1, which keeps its object.
    assert classification.sensitivity([0, 0, 1], [0, 1, 1]) == (0.5, 1.0)


def test_classes_that_occur_on_one_side_only_are_classes():
    assert classification.accuracy(["x", "y"], ["x", "z"]) == 0.5
    assert partition.med(["x", "y"], ["x", "z"]) == 0


SERIES = pd.Series(A)


NO_LABELINGS = [
    (A, B[:-1], ValueError, "A and B must have the same length, got 9 and 8"),
    ("ab", ["u", "v"], TypeError, "A must be a sequence of labels, got str: 'ab'"),
    (["u", "v"], "ab", TypeError, "B must be a sequence of labels, got str: 'ab'"),
    ({0, 1}, [0, 1], TypeError, r"A must be a sequence of labels, got set: \{0, 1\}"),
    ([0, 1], {0: 1}, TypeError, r"B must be a sequence of labels, got dict: \{0: 1\}"),
    ([0, 1], 5, TypeError, "B must be a sequence of labels, got 5"),
    ([], [], ValueError, "A must not be empty"),
    ([0, math.nan], [0, 1], ValueError, r"A must not have missing labels, got nan at position 1"),
    (SERIES, SERIES[::-1], ValueError, "A and B must have equal indexes, got 0 and 8 at position 0"),
    (
        SERIES,
        SERIES.rename({4: "x"}),
        ValueError,
        "A and B must have equal indexes, got 4 and 'x' at position 4. Align them, or pass .array",
    ),
]
MEMBERSHIPS = [
    ([0, 1], np.eye(2), ValueError, r"B must be one-dimensional, got shape \(2, 2\). Pass memberships to"),
    ([[1, 0], [0, 1]], [[1, 0], [0, 1]], TypeError, r"A\[0\] must be hashable, got \[1, 0\]"),
    (pd.DataFrame({"a": [0, 1]}), [0, 1], ValueError, r"A must be one-dimensional, got shape \(2, 1\)"),
]


@pytest.mark.parametrize("index", [*PARTITION, *METRICS, permutation_test], ids=names_of)
def test_pairs_that_are_not_labelings_are_refused(index):
    names = ("y_true", "y_pred") if index in METRICS else ("labels_a", "labels_b")
    no_labelings = NO_LABELINGS + MEMBERSHIPS
    if index is compare:  # which reads the names of columns after a frame
        no_labelings = no_labelings[:-1]
        with pytest.raises(
            ValueError, match=r"columns must be at least two different ones of .*'a'.*, got .*0.*1"
        ):
            compare(pd.DataFrame({"a": [0, 1]}), [0, 1])
    for a, b, error, message in no_labelings:
        with pytest.raises(error, match=message.replace("A", names[0], 1).replace("B", names[1], 1)):
            index(a, b)


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (
            A,
            TypeError,
            r"matrix must be a list of rows .*, got \[0, 0, 1, .*. Pass two labelings as two arguments",
        ),
        (
            np.array(A),
            ValueError,
            r"matrix must be two-dimensional, got shape \(9,\). Pass two labelings as two",
        ),
        ("ab", TypeError, "matrix must be a list of rows .*, got 'ab'"),
        ({(1, 0), (0, 1)}, TypeError, "matrix must be a list of rows .*, got {"),
        ({(1, 0): 1}, TypeError, r"matrix must be a list of rows .*, got \{\(1, 0\): 1\}"),
        (["ab", "cd"], TypeError, r"matrix\[0, 0\] must be a number, got 'a'"),
        (None, TypeError, "matrix must be a list of rows .*, got None"),
        ([[1, -1]], ValueError, r"matrix\[0, 1\] must be at least 0, got -1"),
    ],
)
@pytest.mark.parametrize("index", [partition.med, classification.accuracy, permutation_test, compare])
def test_one_argument_is_a_table(index, table, error, message):
    with pytest.raises(error, match=message):
        index(table)


def test_null_moments_take_margins_alone():
    moments = partition.adjusted_rand_index_null_moments
    assert moments(margins=([2, 3, 4], [2, 4, 3])) == moments(A, B)
    for arguments in ((A, B), ([[1]],), ()):
        options = {"margins": ([1], [1])} if arguments else {}
        with pytest.raises(ValueError, match="give either a matrix, or two labelings, or margins"):
            moments(*arguments, **options)


def test_counted_classes_stand_for_a_matrix_alone():
    counts = classification.ClassCounts.of(A, B)
    assert classification.accuracy(counts) == classification.accuracy(A, B)
    with pytest.raises(TypeError, match="y_true must be a sequence of labels, got ClassCounts"):
        classification.accuracy(counts, B)


def test_many_objects_and_huge_counts():
    n = 10**5
    labels = np.arange(n)
    assert partition.adjusted_rand_index(labels, labels[::-1]) == 1
    assert partition.med(labels % 7, labels % 2, exact=True) == 1 - Fraction(2 * len(range(0, n, 14)), n)
    assert partition.med([[2**80, 1], [1, 2**80]], exact=True) == Fraction(1, 2**80 + 1)


def test_no_objects_at_all():
    assert partition.med([[0, 0]], exact=True) == 0
    assert partition.adjusted_rand_index([[0]], exact=True) == 1
    assert partition.vi([[0]]) == 0
