"""Metrics of a classifier, from its confusion matrix: rows are true classes, columns are predicted ones.

Each function takes a square matrix of integers, or true and predicted labels, the true ones first. Matrices are
lists of rows, NumPy arrays, pandas DataFrames or SciPy sparse matrices. Arithmetic is in integers, and the result
is the nearest float. With ``exact=True`` it is a Fraction, or a `RootSum` if it is irrational (G-means, `mcc`). If
an argument is not valid, ValueError or TypeError is raised. The time is O(non-zero cells + K) for K classes, and
O(K^2) for a mean over pairs of classes. An exact sum of m different roots takes O(m^2).

All measures except `accuracy`, `balanced_accuracy`, `kappa` and `mcc` compare one class with others:

==================== =================================================================================
``label=i``          class i against the rest
``strategy=None``    a tuple of these values, one for each class
``strategy="rest"``  their mean, weighted by the frequency of the class in the truth
``strategy="pairs"`` the mean over ordered pairs (i, j) of the measure of [[n_ii, n_ij], [n_ji, n_jj]]
``strategy="ovo"``   the same with all objects of the two classes, predicted in i or not (Hand & Till 2001)
==================== =================================================================================

``"rest"`` is strategy 1 of Espindola and Ebecken (2005), and the others are readings of their strategy 2. A class
without objects is not used in ``"rest"``.

If the value of a class or of a pair of classes is 0/0, ``undefined`` specifies the result. The default "warn" means
0 and one `UndefinedIndexWarning` for each metric, as in scikit-learn. "raise" raises `UndefinedIndexError`. A number
is used as the value. "nan" makes the value and the mean NaN, whereas scikit-learn's ``zero_division=nan`` leaves the
class out of the mean. If a class has all objects, its specificity is 0/0, and so are `g_mean_ss` and `auc`.
"""

from confmat.errors import UndefinedIndexError, UndefinedIndexWarning
from confmat.indices.classification.agreement import kappa, mcc
from confmat.indices.classification.counts import ClassCounts, TwoClass, confusion_matrix
from confmat.indices.classification.macro import accuracy, balanced_accuracy
from confmat.indices.classification.measures import MeasureNumber
from confmat.indices.classification.metrics import (
    auc,
    auc3,
    auc_pairs,
    f_beta,
    f_pairs,
    g_mean_sp,
    g_mean_ss,
    gsp,
    gsp_pairs,
    gss,
    gss_pairs,
    precision,
    sensitivity,
    specificity,
)
from confmat.indices.classification.report import ByClass, Metrics, all_metrics
from confmat.indices.classification.roots import RootSum
from confmat.indices.classification.scores import f1_score, fbeta_score, precision_score, recall_score

__all__ = [
    "ByClass",
    "ClassCounts",
    "MeasureNumber",
    "Metrics",
    "RootSum",
    "TwoClass",
    "UndefinedIndexError",
    "UndefinedIndexWarning",
    "accuracy",
    "all_metrics",
    "auc",
    "auc3",
    "auc_pairs",
    "balanced_accuracy",
    "confusion_matrix",
    "f1_score",
    "f_beta",
    "f_pairs",
    "fbeta_score",
    "g_mean_sp",
    "g_mean_ss",
    "gsp",
    "gsp_pairs",
    "gss",
    "gss_pairs",
    "kappa",
    "mcc",
    "precision",
    "precision_score",
    "recall_score",
    "sensitivity",
    "specificity",
]
