"""Counts of classes and confusion matrices of labels: values, empty groups, and what is refused."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from confmat.indices import ClassCounts
from confmat.indices.classification import TwoClass, accuracy, confusion_matrix


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 1, 1), "no object is in the class"),
        ((0, 1, 0, 1), "none is predicted in it"),
        ((1, 1, 0, 0), "none is outside it"),
        ((0, 0, 0, 2), "no object is in the class, none is predicted in it"),
        ((2, 2, 2, 2), ""),
    ],
)
def test_empty_groups_in_words(counts, words):
    assert TwoClass(*counts).empty == words


def test_counts_are_a_value_of_their_own():
    counts = ClassCounts.of([[3, 1], [0, 2]])
    assert ClassCounts.of(counts) is counts
    assert counts != ClassCounts.of([[3, 1], [0, 2]])  # arrays inside: compared by identity
    with pytest.raises(AttributeError):
        counts.rows = (1, 1)
    for bad in ([[1, 2, 3]], [[1], [2]]):
        with pytest.raises(ValueError, match="matrix must be square"):
            ClassCounts.of(bad)
    for label in (2, 5):
        with pytest.raises(ValueError, match=f"below the number of classes, 2, got {label}"):
            counts.class_number(label)


def test_labels_that_do_not_name_the_classes():
    for shorter, longer in ((["x"], ["x", "y"]), (["x", "y"], ["x"])):
        with pytest.raises(ValueError, match="y_true and y_pred must have the same length"):
            confusion_matrix(shorter, longer)
    with pytest.raises(ValueError, match="distinct, got 'y' more than once"):
        confusion_matrix(["x"], ["y"], labels=["z", "x", "y", "u", "y"])
    with pytest.raises(ValueError, match="every class that occurs, got labels without 'x'"):
        confusion_matrix(["x", "y"], ["z", "z"], labels=["u"])


@pytest.mark.parametrize("k", [1, 2, 5])
def test_counts_of_classes(k):
    table = np.random.default_rng(k).integers(0, 3, (k, k)) + np.eye(k, dtype=int)
    for matrix in (table, csr_array(table), table.astype(object) * 2**70):
        counts, scale = ClassCounts.of(matrix), 2**70 if matrix.dtype == object else 1
        assert counts.n == int(table.sum()) * scale
        for i in range(k):
            tp, row, col = table[i, i], table[i].sum(), table[:, i].sum()
            parts = (tp, row - tp, col - tp, table.sum() - row - col + tp)
            assert counts.rest(i) == tuple(int(x) * scale for x in parts)
            for j in range(k):
                cells = (table[i, i], table[i, j], table[j, i], table[j, j])
                assert i == j or counts.pair(i, j) == tuple(int(x) * scale for x in cells)


def test_confusion_of_many_classes_is_sparse():
    many = list(range(2000))
    matrix = confusion_matrix(many, [*many[1:], "other"], labels=[*many, "other"])
    assert matrix.shape == (2001, 2001)
    assert not isinstance(matrix, np.ndarray)
    assert accuracy(matrix) == 0
    assert matrix[0, 1] == matrix[1999, 2000] == 1


@pytest.mark.parametrize(
    ("truth", "predicted", "labels", "message"),
    [
        ([1, 2], [1], None, "y_true and y_pred must have the same length, got 2 and 1"),
        ([1, math.nan], [1, 2], None, r"y_true must not have missing labels, got nan at position 1"),
        ([1, 2], [math.nan, 2], None, r"y_pred must not have missing labels, got nan at position 0"),
        ([], [], None, "y_true must not be empty"),
        ([1], [1], [1, 1], "labels must be distinct, got 1 more than once"),
    ],
)
def test_bad_labels(truth, predicted, labels, message):
    with pytest.raises(ValueError, match=message):
        confusion_matrix(truth, predicted, labels=labels)
