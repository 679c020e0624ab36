"""Metrics of a confusion matrix against scikit-learn and imbalanced-learn, and where they differ."""

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from classification_cases import THREE, labels_of, matrices
from hypothesis import given, settings
from hypothesis import strategies as st
from late import sk_metrics

import confmat as cm
from confmat.indices import classification as c

metrics = sk_metrics


@settings(max_examples=20)
@given(matrices(), st.sampled_from([0, 1]))
@pytest.mark.filterwarnings("ignore")
def test_against_scikit_learn(matrix, zero):
    truth, predicted = labels_of(matrix)
    options = {"labels": list(range(len(matrix))), "zero_division": zero}
    assert c.accuracy(matrix) == pytest.approx(metrics.accuracy_score(truth, predicted))
    assert c.balanced_accuracy(matrix) == pytest.approx(metrics.balanced_accuracy_score(truth, predicted))
    for ours, theirs in (
        (c.sensitivity, metrics.recall_score),
        (c.precision, metrics.precision_score),
        (c.f_beta, metrics.f1_score),
    ):
        for strategy, average in ((None, None), ("rest", "weighted")):
            expected = theirs(truth, predicted, average=average, **options)
            assert ours(matrix, strategy=strategy, undefined=zero) == pytest.approx(expected)
    for beta in (0, 0.5, 2):
        for strategy, average in ((None, None), ("rest", "weighted")):
            expected = metrics.fbeta_score(truth, predicted, beta=beta, average=average, **options)
            assert c.f_beta(matrix, beta=beta, strategy=strategy, undefined=zero) == pytest.approx(expected)


def result_of(score, *arguments, **options):
    try:
        return score(*arguments, **options)
    except ValueError:
        return "refused"


@pytest.mark.parametrize("average", ["binary", "macro", "micro", "weighted", None])
@pytest.mark.parametrize("name", ["f1_score", "fbeta_score", "precision_score", "recall_score"])
@settings(max_examples=30)
@given(matrix=matrices(least=2, most=3))
@pytest.mark.filterwarnings("ignore")
def test_scores_with_the_names_of_scikit_learn(name, average, matrix):
    options = {"average": average} | ({"beta": 2} if name == "fbeta_score" else {})
    theirs, ours = getattr(metrics, name), getattr(cm, name)
    truth, predicted = labels_of(matrix)
    present = {*truth, *predicted}
    if len(present) == len(matrix):  # otherwise the labels are of fewer classes than the matrix
        expected = result_of(theirs, truth, predicted, zero_division=0, **options)
        for arguments in ((truth, predicted), (matrix,)):
            found = result_of(ours, *arguments, **options)
            if isinstance(found, str) or isinstance(expected, str):
                assert found == expected
            else:
                assert found == pytest.approx(expected)


def test_the_positive_class_is_a_label_or_a_position():
    truth, predicted = ["no", "yes", "yes"], ["yes", "yes", "no"]
    assert cm.f1_score(truth, predicted, pos_label="yes", exact=True) == Fraction(1, 2)
    assert cm.f1_score([[0, 1], [1, 1]], exact=True) == Fraction(1, 2)
    assert cm.f1_score(pd.DataFrame([[1, 1], [1, 0]], [1, 0], [1, 0]), exact=True) == Fraction(1, 2)
    with pytest.raises(ValueError, match=r"pos_label must be one of the classes \['no', 'yes'\], got 1"):
        cm.f1_score(truth, predicted)
    with pytest.raises(ValueError, match="average='binary' must have two classes, got 3"):
        cm.minimize("3x3 n=5", "f1_score")
    law = cm.joint_distribution("2x2 n=6", "f1_score")["f1_score"]
    tables = cm.Tables(6, 2, 2)
    assert law.mean(exact=True) == sum(
        Fraction(2 * int(t[1, 1]), int(t[1].sum() + t[:, 1].sum())) for t in tables
    ) / len(tables)


@settings(max_examples=40)
@given(matrices(least=2))
@pytest.mark.filterwarnings("ignore")
def test_discrete_auc_against_scikit_learn(matrix):
    truth, predicted = (np.array(side) for side in labels_of(matrix))
    for i in range(len(matrix)):
        value = c.auc(matrix, label=i, undefined="nan")
        expected = metrics.roc_auc_score(truth == i, predicted == i)  # NaN with a single class
        assert value == pytest.approx(expected, nan_ok=True)
    if len(matrix) > 2 and all(map(sum, matrix)):
        hot = np.eye(len(matrix))[predicted]
        expected = metrics.roc_auc_score(truth, hot, multi_class="ovr", average="weighted")
        assert c.auc(matrix) == pytest.approx(expected)


@settings(max_examples=40)
@given(matrices(least=2))
@pytest.mark.filterwarnings("ignore")
def test_against_imbalanced_learn(matrix):
    theirs = pytest.importorskip("imblearn.metrics")
    truth, predicted = labels_of(matrix)
    options = {"labels": list(range(len(matrix)))}
    for strategy, average in ((None, None), ("rest", "weighted")):
        for ours, name in ((c.sensitivity, "sensitivity_score"), (c.specificity, "specificity_score")):
            expected = getattr(theirs, name)(truth, predicted, average=average, **options)
            assert ours(matrix, strategy=strategy, undefined=0) == pytest.approx(expected)
    expected = theirs.geometric_mean_score(truth, predicted, average=None, **options)
    assert c.g_mean_ss(matrix, strategy=None, undefined=0) == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore")
def test_where_we_differ_from_scikit_learn():
    truth, predicted = labels_of(THREE)
    # One-vs-one counts the objects of two classes that are predicted in a third: of class 0 against 1 the scores
    # of class 0 have sensitivity 5/6 and specificity 4/6, in [[5, 1], [2, 3]] they are 5/6 and 3/5.
    ovo = metrics.roc_auc_score(truth, np.eye(3)[predicted], multi_class="ovo")
    assert ovo == pytest.approx(77 / 96)
    ours = (Fraction(43, 60) + 1 + Fraction(13, 16)) / 3
    assert c.auc(THREE, strategy="pairs", exact=True) == ours == Fraction(607, 720)
    # A NaN stays in the mean; scikit-learn leaves it out.
    never = [[2, 1, 0], [1, 2, 0], [1, 0, 0]]
    assert math.isnan(c.precision(never, strategy="rest", undefined="nan"))
    theirs = metrics.precision_score(*labels_of(never), average="weighted", zero_division=np.nan)
    assert theirs == pytest.approx(float((3 * Fraction(1, 2) + 3 * Fraction(2, 3)) / 6))
    # scikit-learn drops objects of labels that are not named.
    assert metrics.confusion_matrix([0, 1], [0, 1], labels=[0]).tolist() == [[1]]
    with pytest.raises(ValueError, match="labels must include every class that occurs, got labels without 1"):
        c.confusion_matrix([0, 1], [0, 1], labels=[0])


def test_where_we_differ_from_imbalanced_learn():
    score = pytest.importorskip("imblearn.metrics").geometric_mean_score
    truth, predicted = labels_of(THREE)
    sens, spec = (metric(THREE, strategy="rest") for metric in (c.sensitivity, c.specificity))
    assert score(truth, predicted, average="weighted") == pytest.approx(math.sqrt(sens * spec))
    assert c.g_mean_ss(THREE) < math.sqrt(sens * spec)
    assert score(truth, predicted) == pytest.approx(math.prod(c.sensitivity(THREE)) ** (1 / 3))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=20))
@pytest.mark.filterwarnings("ignore")
def test_confusion_against_scikit_learn(pairs):
    truth, predicted = [t for t, _ in pairs], [p for _, p in pairs]
    assert (
        c.confusion_matrix(truth, predicted).tolist() == metrics.confusion_matrix(truth, predicted).tolist()
    )
    order = [4, 2, 0, 1, 3]
    expected = metrics.confusion_matrix(truth, predicted, labels=order).tolist()
    assert c.confusion_matrix(truth, predicted, labels=order).tolist() == expected
