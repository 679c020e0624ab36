"""Precision, recall and F-measures with the names, the arguments and the results of scikit-learn's functions.

>>> truth, predicted = [0, 0, 1, 1, 1], [0, 1, 1, 1, 0]
>>> f1_score(truth, predicted, exact=True), f1_score(truth, predicted, average="macro", exact=True)
(Fraction(2, 3), Fraction(7, 12))
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

from confmat._arguments import as_choice
from confmat.contingency.labels import as_paired_labels, label_values
from confmat.indices.classification.counts import ClassCounts, as_confusion_table
from confmat.indices.classification.macro import accuracy
from confmat.indices.classification.measures import (
    Measure,
    MeasureValues,
    evaluate_measure,
    mean_by,
    measure_f,
)
from confmat.indices.classification.metrics import MEASURES_OF_CLASS
from confmat.indices.undefined import Undefined, check_undefined

AVERAGES = ("binary", "macro", "micro", "weighted")

# The strategies of `mean_by` for the averages over all classes.
_STRATEGIES = {"macro": "macro", "weighted": "rest"}


def _average(
    measure: Measure,
    matrix_or_y_true: Any,
    y_pred: Any,
    average: str | None,
    pos_label: Hashable,
    exact: bool,
    rows: str | None,
    undefined: Undefined,
) -> MeasureValues:
    """Return a measure of the positive class, of each class, or averaged over the classes, as scikit-learn does.

    ``average`` is "binary" for the class ``pos_label``, None for a tuple of the values of all classes, and
    otherwise the kind of mean. The other arguments are those of ``f1_score``.
    """
    if average is not None:
        as_choice("average", average, AVERAGES)
    check_undefined(undefined)
    table = as_confusion_table(matrix_or_y_true, y_pred, rows)
    counts = ClassCounts.of(table)
    if average == "micro":
        return accuracy(counts, exact=exact)
    if average in _STRATEGIES:
        return mean_by(_STRATEGIES[average], measure, counts, undefined, exact)
    if average is None:
        return evaluate_measure(measure, counts, None, None, exact, undefined)
    if counts.size != 2:
        raise ValueError(
            f"average='binary' must have two classes, got {counts.size}. Choose 'macro', 'micro', 'weighted' or None. "
            "The statistics precision, recall and f1 are the macro means."
        )
    classes: list[Any] = [0, 1]
    if y_pred is not None:
        a, b = as_paired_labels(y_true=matrix_or_y_true, y_pred=y_pred)
        classes = list(label_values([*a, *b]))
    elif hasattr(table, "columns"):
        classes = list(table.columns)
    if pos_label not in classes:
        raise ValueError(f"pos_label must be one of the classes {classes}, got {pos_label!r}")
    return evaluate_measure(measure, counts, None, classes.index(pos_label), exact, undefined)


def precision_score(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    average: str | None = "binary",
    pos_label: Hashable = 1,
    exact: bool = False,
    rows: str | None = None,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Return the precision tp/(tp + fp), by default of the positive class, as scikit-learn's ``precision_score``.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    average : {"binary", "macro", "micro", "weighted"} or None
        "binary" is the value of the class ``pos_label`` of two classes. "macro" is the mean over the classes,
        "weighted" their mean weighted by the frequency of the class in the truth. "micro" is the accuracy. None: a
        tuple of all classes. Default: "binary".
    pos_label : hashable
        The positive class: a label, or its position in a matrix without names. Default: 1.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: as its dimensions are named, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the precision is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1.

    Raises
    ------
    ValueError
        If ``average`` is "binary" and there are not two classes, or ``pos_label`` is not one of them.

    Examples
    --------
    >>> precision_score([[8, 2], [1, 4]], exact=True), precision_score([[8, 2], [1, 4]], average="macro", exact=True)
    (Fraction(2, 3), Fraction(7, 9))
    """
    return _average(
        MEASURES_OF_CLASS["precision"], matrix_or_y_true, y_pred, average, pos_label, exact, rows, undefined
    )


def recall_score(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    average: str | None = "binary",
    pos_label: Hashable = 1,
    exact: bool = False,
    rows: str | None = None,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Return the recall tp/(tp + fn), by default of the positive class, as scikit-learn's ``recall_score``.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    average : {"binary", "macro", "micro", "weighted"} or None
        "binary" is the value of the class ``pos_label`` of two classes. "macro" is the mean over the classes,
        "weighted" their mean weighted by the frequency of the class in the truth. "micro" is the accuracy. None: a
        tuple of all classes. Default: "binary".
    pos_label : hashable
        The positive class: a label, or its position in a matrix without names. Default: 1.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: as its dimensions are named, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the recall is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1.

    Raises
    ------
    ValueError
        If ``average`` is "binary" and there are not two classes, or ``pos_label`` is not one of them.

    Examples
    --------
    >>> recall_score([[8, 2], [1, 4]], exact=True), recall_score([[8, 2], [1, 4]], average="macro", exact=True)
    (Fraction(4, 5), Fraction(4, 5))
    """
    return _average(
        MEASURES_OF_CLASS["sensitivity"], matrix_or_y_true, y_pred, average, pos_label, exact, rows, undefined
    )


def f1_score(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    average: str | None = "binary",
    pos_label: Hashable = 1,
    exact: bool = False,
    rows: str | None = None,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Return F1 = 2 tp/(2 tp + fn + fp), by default of the positive class, as scikit-learn's ``f1_score``.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    average : {"binary", "macro", "micro", "weighted"} or None
        "binary" is the value of the class ``pos_label`` of two classes. "macro" is the mean over the classes,
        "weighted" their mean weighted by the frequency of the class in the truth. "micro" is the accuracy. None: a
        tuple of all classes. Default: "binary".
    pos_label : hashable
        The positive class: a label, or its position in a matrix without names. Default: 1.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: as its dimensions are named, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the F1 is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1.

    Raises
    ------
    ValueError
        If ``average`` is "binary" and there are not two classes, or ``pos_label`` is not one of them.

    Examples
    --------
    >>> f1_score([[8, 2], [1, 4]], exact=True), f1_score([[8, 2], [1, 4]], average="macro", exact=True)
    (Fraction(8, 11), Fraction(164, 209))
    """
    return _average(measure_f(1), matrix_or_y_true, y_pred, average, pos_label, exact, rows, undefined)


def fbeta_score(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction,
    average: str | None = "binary",
    pos_label: Hashable = 1,
    exact: bool = False,
    rows: str | None = None,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Return the F-measure, by default of the positive class, as scikit-learn's ``fbeta_score``.

    With b = ``beta`` the F-measure of a class is (1 + b^2) tp/((1 + b^2) tp + b^2 fn + fp).

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    beta : float or Fraction
        Weight of the recall, at least 0.
    average : {"binary", "macro", "micro", "weighted"} or None
        "binary" is the value of the class ``pos_label`` of two classes. "macro" is the mean over the classes,
        "weighted" their mean weighted by the frequency of the class in the truth. "micro" is the accuracy. None: a
        tuple of all classes. Default: "binary".
    pos_label : hashable
        The positive class: a label, or its position in a matrix without names. Default: 1.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: as its dimensions are named, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the F-measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`.

    Returns
    -------
    float, Fraction or tuple
        From 0 to 1.

    Raises
    ------
    ValueError
        If ``average`` is "binary" and there are not two classes, or ``pos_label`` is not one of them.

    Examples
    --------
    >>> fbeta_score([[8, 2], [1, 4]], beta=2, exact=True)
    Fraction(10, 13)
    """
    return _average(measure_f(beta), matrix_or_y_true, y_pred, average, pos_label, exact, rows, undefined)
