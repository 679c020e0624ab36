"""What the metrics of a confusion matrix take, refuse and answer by default."""

import math

import numpy as np
import pytest
from classification_cases import SKEWED, THREE
from scipy.sparse import csr_array

from confmat.indices import classification as c

METRICS = (c.accuracy, c.balanced_accuracy, c.f_beta, c.g_mean_sp, c.g_mean_ss, c.auc)


@pytest.mark.parametrize("metric", [*METRICS, c.sensitivity, c.all_metrics])
@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, 2, 3], [4, 5, 6]], "must be square .* got shape 2 x 3"),
        ([[0, 0], [0, 0]], "at least one object, got 2 x 2 zeros"),
        ([[1, -2], [0, 1]], r"matrix\[0, 1\] must be at least 0, got -2"),
        ([[1, 0.5], [0, 1]], r"matrix\[0, 1\] must be an integer, got 0.5"),
        ([[1, math.nan], [0, 1]], r"matrix\[0, 1\] must be finite"),
        ([[1, 2], [3]], "equal lengths"),
        ([], "must not be empty"),
    ],
)
def test_bad_matrices(metric, matrix, message):
    with pytest.raises(ValueError, match=message):
        metric(matrix)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"label": 2}, ValueError, "label must be below the number of classes, 2, got 2"),
        ({"label": -1}, ValueError, "label must be at least 0, got -1"),
        ({"label": "a"}, TypeError, "label must be an integer, got 'a'"),
        ({"strategy": "ovr"}, ValueError, "strategy must be .* got 'ovr'"),
        (
            {"strategy": "pairs", "label": 0},
            ValueError,
            "label must be None for strategy=.pairs., which is a mean over pairs of classes, got 0",
        ),
        ({"beta": -1}, ValueError, "beta must be at least 0, got -1"),
        ({"beta": math.inf}, ValueError, "beta must be finite, got inf"),
        ({"beta": "1"}, TypeError, "beta must be a number, got '1'"),
    ],
)
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        c.f_beta([[1, 0], [0, 1]], **options)


def test_any_kind_of_table():
    import pandas as pd

    expected = c.all_metrics(THREE, exact=True)
    for matrix in (np.array(THREE), csr_array(np.array(THREE)), pd.DataFrame(THREE), c.ClassCounts.of(THREE)):
        assert c.all_metrics(matrix, exact=True) == expected


def test_doubles_unless_exact_is_asked_for():
    metrics = (
        c.accuracy,
        c.balanced_accuracy,
        c.sensitivity,
        c.specificity,
        c.precision,
        c.f_beta,
        c.auc,
    )
    for metric in metrics:
        assert isinstance(metric(SKEWED, **({} if metric in metrics[:2] else {"label": 1})), float)
    for metric in (c.f_beta, c.g_mean_sp, c.g_mean_ss, c.auc):
        assert isinstance(metric(SKEWED, strategy="rest"), float)
        assert isinstance(metric(SKEWED, strategy="pairs"), float)
    report = c.all_metrics(SKEWED)
    assert isinstance(report.ari, float)
    assert isinstance(report.f.rest, float)


def test_pairs_need_two_classes():
    assert c.all_metrics([[3]], undefined=0).auc.pairs is None
    two = c.all_metrics([[3, 1], [2, 4]], exact=True).auc
    assert two.pairs == two.rest
    with pytest.raises(AttributeError):
        two.pairs = 0
    with pytest.raises(AttributeError):
        c.all_metrics([[3, 1], [2, 4]]).accuracy = 0
