"""The means over pairs of classes (``strategy="pairs"``) as functions of their own, under their short names."""

from fractions import Fraction
from typing import Any

from confmat.indices.classification.measures import (
    MeasureValues,
    discrete_auc,
    f_measure,
    g_mean_sp,
    g_mean_ss,
)
from confmat.indices.undefined import Undefined


def auc_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Mean of (sensitivity + specificity)/2 over ordered pairs of classes (`discrete_auc`).

    >>> auc_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(37, 40)
    """
    return discrete_auc(matrix_or_y_true, y_pred, strategy="pairs", exact=exact, undefined=undefined)


def auc3(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Mean of (sensitivity + specificity)/2 over pairs of classes with all their objects (Hand & Till 2001).

    >>> auc3([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(71, 80)
    """
    return discrete_auc(matrix_or_y_true, y_pred, strategy="ovo", exact=exact, undefined=undefined)


def f_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction = 1,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Mean F-measure over ordered pairs of classes (`f_measure`).

    >>> f_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(851, 945)
    """
    return f_measure(matrix_or_y_true, y_pred, beta=beta, strategy="pairs", exact=exact, undefined=undefined)


def gsp_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Mean of sqrt(sensitivity * precision) over ordered pairs of classes (`g_mean_sp`).

    >>> gsp_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    0.9071624299160865
    """
    return g_mean_sp(matrix_or_y_true, y_pred, strategy="pairs", exact=exact, undefined=undefined)


def gss_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> MeasureValues:
    """Mean of sqrt(sensitivity * specificity) over ordered pairs of classes (`g_mean_ss`).

    >>> gss_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    0.9201508649281182
    """
    return g_mean_ss(matrix_or_y_true, y_pred, strategy="pairs", exact=exact, undefined=undefined)
