"""The means over pairs of classes (``strategy="pairs"``) as functions of their own, under their short names."""

from fractions import Fraction
from typing import Any

from confmat.indices.classification.counts import ClassCounts
from confmat.indices.classification.measures import (
    DISCRETE_AUC,
    G_MEAN_SP,
    G_MEAN_SS,
    Values,
    evaluate,
    f_beta,
)
from confmat.indices.undefined import Undefined


def auc_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Mean of (sensitivity + specificity)/2 over ordered pairs of classes (`discrete_auc`).

    >>> auc_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(37, 40)
    """
    return evaluate(DISCRETE_AUC, ClassCounts.of(matrix_or_y_true, y_pred), "pairs", None, exact, undefined)


def auc3(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Mean of (sensitivity + specificity)/2 over pairs of classes with all their objects (Hand & Till 2001).

    >>> auc3([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(71, 80)
    """
    return evaluate(DISCRETE_AUC, ClassCounts.of(matrix_or_y_true, y_pred), "ovo", None, exact, undefined)


def f_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    beta: float | Fraction = 1,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Mean F-measure over ordered pairs of classes (`f_measure`).

    >>> f_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]], exact=True)
    Fraction(851, 945)
    """
    return evaluate(f_beta(beta), ClassCounts.of(matrix_or_y_true, y_pred), "pairs", None, exact, undefined)


def gsp_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Mean of sqrt(sensitivity * precision) over ordered pairs of classes (`g_mean_sp`).

    >>> gsp_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    0.9071624299160865
    """
    return evaluate(G_MEAN_SP, ClassCounts.of(matrix_or_y_true, y_pred), "pairs", None, exact, undefined)


def gss_pairs(
    matrix_or_y_true: Any,
    y_pred: Any = None,
    /,
    *,
    exact: bool = False,
    undefined: Undefined = "warn",
) -> Values:
    """Mean of sqrt(sensitivity * specificity) over ordered pairs of classes (`g_mean_ss`).

    >>> gss_pairs([[3, 1, 0], [0, 2, 0], [1, 0, 4]])
    0.9201508649281182
    """
    return evaluate(G_MEAN_SS, ClassCounts.of(matrix_or_y_true, y_pred), "pairs", None, exact, undefined)
