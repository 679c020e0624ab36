"""The labels of a data frame are used: classes are brought into one order, names of dimensions are respected."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import confmat as cm
from confmat.statistics import STATISTICS, as_condition

TRUTH = ["a", "a", "b", "c", "c", "c"]
FOUND = ["a", "b", "b", "b", "c", "d"]
SCORES = [
    "accuracy",
    "balanced_accuracy",
    "recall",
    "precision",
    "f1",
    "kappa",
    "mcc",
    "gsp",
    "auc_pairs",
    "f_pairs",
]


def of_labels(name):
    return getattr(cm, name)(TRUTH, FOUND, exact=True, **options(name))


def options(name):
    return {} if name in ("accuracy", "balanced_accuracy") else {"undefined": "nan"}


def same(x, y):
    return x == y or (x != x and y != y)


def frame(truth=TRUTH, found=FOUND, names=("t", "p")):
    return pd.crosstab(pd.Series(truth, name=names[0]), pd.Series(found, name=names[1]))


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.filterwarnings("ignore")
def test_a_frame_has_the_scores_of_its_labels(name):
    index = getattr(cm, name)
    union = frame()
    shuffled = union.reindex(index=["c", "a", "b"], columns=["d", "b", "a", "c"])
    turned = frame(FOUND, TRUTH, ("Predicted", "Actual"))
    for given in (union, shuffled, turned):
        assert same(index(given, exact=True, **options(name)), of_labels(name))
    transposed = frame(FOUND, TRUTH, ("one", "other"))
    assert same(index(transposed, exact=True, rows="predicted", **options(name)), of_labels(name))
    array = [[1, 1], [0, 2]]
    assert same(
        index(array, rows="predicted", exact=True, **options(name)),
        index(np.transpose(array), exact=True, **options(name)),
    )


def test_rows_and_columns_of_other_classes_or_another_order():
    assert cm.accuracy(pd.DataFrame([[1, 0], [0, 1]], index=["a", "b"], columns=["b", "c"])) == 0
    swapped = pd.DataFrame([[0, 1], [2, 0]], index=["x", "y"], columns=["y", "x"])
    assert cm.accuracy(swapped) == cm.accuracy([[1, 0], [0, 2]]) == 1
    assert cm.classification_report(swapped).overall["accuracy"] == 1
    assert STATISTICS["accuracy"](swapped) == 1
    assert as_condition("accuracy = 1")(swapped)
    assert cm.exact_test(swapped, "accuracy", exact=True).statistic == 1
    assert cm.exact_test(swapped, "accuracy", exact=True).pvalue == Fraction(1, 3)
    assert cm.permutation_test(swapped, statistic="accuracy").statistic == 1
    assert cm.ari(swapped) == 1  # a clustering's labels need not agree


def test_numbers_without_names_are_read_as_they_stand():
    assert cm.accuracy(pd.DataFrame([[1, 2], [3, 4]])) == 0.5
    with pytest.raises(ValueError, match="matrix must be square"):
        cm.accuracy(pd.DataFrame([[1, 2, 3], [3, 4, 5]]))


@pytest.mark.parametrize(
    ("index", "columns", "says"),
    [
        (["a", "b"], ["x", "y"], "the same classes in rows and columns"),
        ([0, 1], ["0", "1"], "the same classes in rows and columns"),
        (["a", "a"], ["a", "b"], "rows and columns, each of them once"),
        (["a", "Total"], ["a", "b"], "contain row or column sums, got a last row named 'Total'"),
        (["a", "b"], ["a", "All"], "contain row or column sums, got a last column named 'All'"),
        (["a", " sum "], ["a", "b"], "not contain row or column sums"),
    ],
)
def test_ambiguous_labels_are_refused(index, columns, says):
    table = pd.DataFrame([[1, 2], [3, 4]], index=index, columns=columns)
    with pytest.raises(ValueError, match=says):
        cm.accuracy(table)


@pytest.mark.parametrize("read", [cm.ari, cm.accuracy, cm.classification_report, cm.exact_test, cm.compare])
def test_totals_are_refused_by_every_reader(read):
    for options_ in ({}, {"margins_name": "Sum"}, {"margins_name": "Alles"}):
        table = pd.crosstab(np.array(TRUTH), np.array(FOUND), margins=True, **options_)
        with pytest.raises(ValueError, match="must not contain row or column sums"):
            read(table)


@pytest.mark.parametrize("names", [("Predicted", "pred"), ("Reference", "Actual"), (None, None)])
def test_names_that_contradict_each_other_are_refused(names):
    table = frame(names=("t", "p")).rename_axis(index=names[0], columns=names[1])
    if names[0] is None:
        assert cm.accuracy(table) == 0.5
        return
    with pytest.raises(ValueError, match="true classes on one axis and predicted classes on the other"):
        cm.accuracy(table)


def test_rows_must_not_contradict_the_names():
    table = frame(names=("Prediction", "Truth"))
    assert cm.accuracy(table, rows="predicted") == cm.accuracy(table)
    with pytest.raises(ValueError, match=r"and rows='truth'"):
        cm.accuracy(table, rows="truth")
    with pytest.raises(ValueError, match="rows must be one of truth, predicted, got 'x'"):
        cm.accuracy([[1, 0], [0, 1]], rows="x")
    with pytest.raises(ValueError, match="rows must be None for two sequences"):
        cm.accuracy(TRUTH, FOUND, rows="truth")


def test_labels_of_two_types_are_refused():
    with pytest.raises(ValueError, match="labels of one type, got 1 and '1'"):
        cm.accuracy([1, 2, 2], ["1", "2", "1"])
    assert cm.accuracy([0, 0], [1, 1]) == 0


def test_the_command_line_reads_rows(confmat):
    code, out, _ = confmat("classification-report", "--matrix", "3,1;0,2", "--rows", "predicted", "--json")
    _, expected, _ = confmat("classification-report", "--matrix", "3,0;1,2", "--json")
    assert (code, out) == (0, expected)
