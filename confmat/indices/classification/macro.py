"""Scores of a whole confusion matrix: accuracy, balanced accuracy and means over classes with equal weights (macro).

``undefined`` specifies the value of a class whose measure is 0/0. "warn" means 0 and a warning, as in scikit-learn.
"nan" makes the mean NaN.

>>> accuracy([[8, 2], [1, 4]], exact=True), recall([[8, 2], [1, 4]], exact=True)
(Fraction(4, 5), Fraction(4, 5))
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from confmat.fixed_margins.cell_sums import DIAGONAL, SHARES
from confmat.indices.classification.batch import accuracies
from confmat.indices.classification.counts import ClassCounts
from confmat.indices.classification.measures import MeasureNumber, mean_by
from confmat.indices.classification.metrics import MEASURES_OF_CLASS, mean_over, recorded_score
from confmat.indices.pairs import answer
from confmat.indices.records import recorded


@recorded(
    "accuracy",
    names=("acc", "cor", "accuracy_score", "correct_rate"),
    batch=accuracies,
    symmetry="simultaneous",
    bounds=(0, 1),
    rises_with=DIAGONAL,
    claims={"identity": 1, "symmetric": True},
)
def accuracy(
    matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False, rows: str | None = None
) -> Fraction | float:
    """Return the accuracy sum n_ii / n.

    The accuracy is the fraction of objects that are predicted in their class (correct rate).

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Examples
    --------
    >>> accuracy([[50, 0, 0], [0, 48, 2], [0, 1, 49]], exact=True)
    Fraction(49, 50)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
    return answer(Fraction(sum(counts.hits.values()), counts.n), exact)


@recorded_score(
    "balanced_accuracy",
    "sensitivity",
    "balanced",
    names=("bacc", "bcr", "balanced_accuracy_score"),
    title="balanced accuracy",
    rises_with=SHARES,
)
def balanced_accuracy(
    matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False, rows: str | None = None
) -> MeasureNumber:
    """Return the balanced accuracy, the mean sensitivity of the classes.

    Classes without objects are left out, as in scikit-learn's ``balanced_accuracy_score``. For two classes it is
    the mean of sensitivity and specificity.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".

    Returns
    -------
    float or Fraction
        From 0 to 1.

    References
    ----------
    Santos and Embrechts (2009).

    Examples
    --------
    >>> balanced_accuracy([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
    return mean_by("balanced", MEASURES_OF_CLASS["sensitivity"], counts, "raise", exact)


@mean_over(
    "recall",
    "sensitivity",
    "macro",
    names=("sensitivity", "macro_recall"),
    title="macro recall",
)
def recall() -> None:
    """Return the macro recall, the mean over classes of the fraction of their objects that are found.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Examples
    --------
    >>> recall([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """


@mean_over("precision", "precision", "macro", names=("macro_precision",), title="macro precision")
def precision() -> None:
    """Return the macro precision, the mean over classes of the fraction of their predictions that are right.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Examples
    --------
    >>> precision([[8, 2], [1, 4]], exact=True)
    Fraction(7, 9)
    """


@mean_over("f1", "f_measure", "macro", names=("macro_f1",), title="macro F1", symmetric=True)
def f1() -> None:
    """Return the macro F1, the mean of the F1 of the classes, as scikit-learn's ``f1_score(average="macro")``.

    Parameters
    ----------
    matrix_or_y_true : array_like
        Confusion matrix, or the true labels.
    y_pred : array_like, optional
        The predicted labels.
    exact : bool
        Return the Fraction, not the nearest float. Default: False.
    rows : {"truth", "predicted"}, optional
        Meaning of the rows of a matrix. Default: by the names of its dimensions, otherwise "truth".
    undefined : {"warn", "raise", "nan"} or number
        Result for a class if the measure is 0/0. Default: "warn", 0 and an `UndefinedIndexWarning`, as in
        scikit-learn.

    Returns
    -------
    float or Fraction
        From 0 to 1.

    Examples
    --------
    >>> f1([[8, 2], [1, 4]], exact=True)
    Fraction(164, 209)
    """


# Short names.
