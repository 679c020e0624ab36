"""Macro means over the classes: recall, precision and F1 as tables of results print them, every class alike.

``undefined`` is the value of a class whose measure is 0/0, as for the measures: "warn" takes 0 (scikit-learn's
reading), "nan" makes the mean NaN.
"""

from typing import Any

from confmat.indices.classification.counts import ClassCounts
from confmat.indices.classification.measures import MEASURES_OF_CLASS, MeasureNumber, f_beta, mean_by
from confmat.indices.undefined import Undefined, check_undefined


def recall(
    matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False, undefined: Undefined = "warn"
) -> MeasureNumber:
    """Macro recall: the mean of the classes' shares of objects that are found, from 0 to 1.

    >>> recall([[8, 2], [1, 4]], exact=True)
    Fraction(4, 5)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred)
    return mean_by(
        "macro",
        MEASURES_OF_CLASS["sensitivity"],
        counts,
        check_undefined(undefined),
        exact,
    )


def precision(
    matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False, undefined: Undefined = "warn"
) -> MeasureNumber:
    """Macro precision: the mean of the shares of each predicted class that are right, from 0 to 1.

    >>> precision([[8, 2], [1, 4]], exact=True)
    Fraction(7, 9)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred)
    return mean_by(
        "macro",
        MEASURES_OF_CLASS["precision"],
        counts,
        check_undefined(undefined),
        exact,
    )


def f1(
    matrix_or_y_true: Any, y_pred: Any = None, /, *, exact: bool = False, undefined: Undefined = "warn"
) -> MeasureNumber:
    """Macro F1: the mean of the classes' F1, from 0 to 1; scikit-learn's ``f1_score(average="macro")``.

    >>> f1([[8, 2], [1, 4]], exact=True)
    Fraction(164, 209)
    """
    counts = ClassCounts.of(matrix_or_y_true, y_pred)
    return mean_by(
        "macro",
        f_beta(1),
        counts,
        check_undefined(undefined),
        exact,
    )
