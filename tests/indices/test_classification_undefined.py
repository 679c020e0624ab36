"""What the metrics of a confusion matrix answer where a ratio is 0/0."""

import inspect
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from classification_cases import BY_CLASS

from confmat.indices import classification as c


def test_default_is_zero_with_a_warning():
    with pytest.warns(
        c.UndefinedIndexWarning,
        match="precision of class 1 is 0/0 here, 0 is returned: none is predicted in it",
    ):
        assert c.precision([[2, 0], [1, 0]], exact=True) == (Fraction(2, 3), 0)
    with pytest.warns(c.UndefinedIndexWarning, match="sensitivity of class 0 against class 2"):
        c.sensitivity([[0, 1, 0], [0, 1, 0], [0, 0, 1]], strategy="pairs")


@pytest.mark.parametrize(
    ("metric", "says"),
    [
        (lambda m: c.precision(m), "precision of class 1 (and of 2 more) is 0/0 here"),
        (lambda m: c.g_mean_sp(m), "g_mean_sp of class 1 (and of 2 more) is 0/0 here"),
        (
            lambda m: c.precision(m, strategy="pairs"),
            "precision of class 1 against class 0 (and of 8 more) is",
        ),
        (lambda m: c.precision(m, label=2), "precision of class 2 is 0/0 here"),
    ],
)
def test_one_warning_at_the_line_of_the_user(metric, says):
    never = [[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        metric(never)
    assert [warning.filename for warning in caught] == [__file__]
    assert str(caught[0].message).startswith(says)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        line = inspect.currentframe().f_lineno + 1
        c.precision(never)
    assert [warning.lineno for warning in caught] == [line]
    with pytest.raises(c.UndefinedIndexError, match="is 0/0 here"):
        c.precision(never, undefined="raise")


def test_numbers_of_undefined_classes_in_the_warning():
    with pytest.warns(c.UndefinedIndexWarning, match=r"precision of class 1 \(and of 1 more\) is"):
        c.precision([[2, 0, 0], [1, 0, 0], [1, 0, 0]], strategy="rest")


def test_other_policies():
    matrix = [[2, 0], [1, 0]]
    with pytest.raises(c.UndefinedIndexError, match="g_mean_sp of class 1 is 0/0"):
        c.g_mean_sp(matrix, undefined="raise")
    assert c.precision(matrix, exact=True, undefined=0.5) == (Fraction(2, 3), Fraction(1, 2))
    assert c.precision(matrix, strategy="rest", undefined=math.inf) == math.inf
    assert math.isnan(c.precision(matrix, strategy="rest", undefined=math.nan, exact=True))
    assert c.precision(matrix, strategy="rest", undefined=-1) == float(
        Fraction(2, 3) * Fraction(2, 3) - Fraction(1, 3)
    )
    large = [[2**80, 0], [2**80, 0]]
    assert c.precision(large, strategy="rest", undefined=np.int64(1), exact=True) == Fraction(3, 4)
    with pytest.raises(ValueError, match='undefined must be "raise", "warn", "nan" or a number'):
        c.precision([[1, 0], [0, 1]], undefined="skip")


def test_the_value_of_an_undefined_class_has_its_weight():
    """Class 2 is never predicted: its precision is the caller's number, weighted by its frequency 1/4."""
    matrix = [[2, 1, 0], [0, 3, 0], [1, 1, 0]]
    others = Fraction(3, 8) * Fraction(2, 3) + Fraction(3, 8) * Fraction(3, 5)
    assert c.precision(matrix, strategy="rest", undefined=Fraction(1, 2), exact=True) == others + Fraction(
        1, 8
    )
    assert c.precision(matrix, strategy="rest", undefined=math.inf) == math.inf
    with pytest.warns(c.UndefinedIndexWarning, match=r"precision of class 2 is 0/0"):
        assert c.precision(matrix, strategy="rest", exact=True) == others


def test_the_value_of_an_undefined_class_among_irrational_values():
    """Class 2 holds half of the objects and none is predicted in it; class 0 has sqrt(1 * 1/3), class 1 is missed."""
    matrix = [[1, 0, 0], [1, 0, 0], [1, 1, 0]]
    mean = c.RootSum.sqrt(Fraction(1, 3)) / 4 + Fraction(3, 2)
    options = {"strategy": "rest", "undefined": 3}
    assert c.g_mean_sp(matrix, **options, exact=True) == mean
    assert c.g_mean_sp(matrix, **options) == float(mean)


def test_a_mean_of_undefined_classes_only_is_their_value():
    for number in (-1, Fraction(1, 2), 2**200, -math.inf):
        assert c.precision([[0, 1], [0, 0]], strategy="rest", undefined=number) == number


def test_a_class_without_objects_has_no_weight_against_the_rest():
    matrix = [[2, 1, 0], [0, 3, 0], [0, 0, 0]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for metric in BY_CLASS.values():
            metric(matrix, strategy="rest")
        assert c.balanced_accuracy(matrix, exact=True) == Fraction(5, 6)


def test_all_objects_in_one_class():
    with pytest.warns(c.UndefinedIndexWarning, match="none is outside it"):
        assert c.auc([[3, 0], [0, 0]], label=0) == 0
    single = c.all_metrics([[3]], exact=True, undefined="nan")
    assert (
        single.accuracy,
        single.balanced_accuracy,
        single.ari,
        single.precision.rest,
        single.precision.pairs,
    ) == (1, 1, 1, 1, None)
    assert math.isnan(single.specificity.rest)
    with pytest.raises(ValueError, match="at least two classes"):
        c.f_beta([[3]], strategy="pairs")
