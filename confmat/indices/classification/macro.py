"""Scores of the whole matrix in which every class counts alike, or every object: accuracies and macro means.

``undefined`` is the value of a class whose measure is 0/0, as for the measures: "warn" takes 0 (scikit-learn's
reading), "nan" makes the mean NaN.

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
    """Share of objects predicted in their class, sum n_ii / n (correct rate, COR), from 0 to 1.

    >>> accuracy([[50, 0, 0], [0, 48, 2], [0, 1, 49]], exact=True)
    Fraction(49, 50)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
    return answer(Fraction(sum(counts.hits.values()), counts.n), exact)


@recorded_score(
    "balanced_accuracy",
    "sensitivity",
    "balanced",
    names=("bacc", "bcr", "balanced_accuracy_score", "balanced_rate"),
    title="balanced accuracy",
    rises_with=SHARES,
)
def balanced_rate(
    matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False, rows: str | None = None
) -> MeasureNumber:
    """Balanced correct rate (BCR): the mean sensitivity of the classes that hold an object, from 0 to 1.

    For two classes the mean of sensitivity and specificity (Santos & Embrechts 2009).  scikit-learn's
    ``balanced_accuracy_score``: classes without an object are left out there too, with a warning.

    >>> balanced_rate([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred, rows)
    return mean_by("balanced", MEASURES_OF_CLASS["sensitivity"], counts, "raise", exact)


@mean_over("recall", "sensitivity", "macro", names=("macro_recall",), title="macro recall")
def recall() -> None:
    """Macro recall: the mean of the classes' shares of objects that are found, from 0 to 1.

    >>> recall([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """


@mean_over("precision", "precision", "macro", names=("macro_precision",), title="macro precision")
def precision() -> None:
    """Macro precision: the mean of the shares of each predicted class that are right, from 0 to 1.

    >>> precision([[8, 2], [1, 4]], exact=True)
    Fraction(7, 9)
    """


@mean_over("f1", "f_measure", "macro", names=("macro_f1",), title="macro F1", symmetric=True)
def f1() -> None:
    """Macro F1: the mean of the classes' F1, from 0 to 1; scikit-learn's ``f1_score(average="macro")``.

    >>> f1([[8, 2], [1, 4]], exact=True)
    Fraction(164, 209)
    """


# Short names.
cor = accuracy
balanced_accuracy = balanced_rate
bcr = balanced_rate
