"""Metrics of a classifier, from its confusion matrix: rows true classes, columns predicted ones.

Each function takes a square matrix (a list of rows, a NumPy array, a pandas DataFrame, a SciPy sparse matrix) of
whole numbers of any size, not all zero, or true and predicted labels (`confusion_matrix`), truth first.  Arithmetic is
in integers; the result is the correctly rounded float, with ``exact=True`` a Fraction, or where that is irrational
(G-means, `mcc`) a `RootSum`, which adds and compares exactly.  Bad input raises ValueError or TypeError.  O(non-zero
cells + K), over pairs O(K^2); the exact sum of m unlike roots O(m^2).

All measures but `accuracy`, `balanced_rate`, `kappa` and `mcc` look at one class against others:

==================== =================================================================================
``label=i``          class i against the rest
``strategy=None``    a tuple of those, one for each class
``strategy="rest"``  their mean, weighted by the frequency of the class in the truth
``strategy="pairs"`` the mean over ordered pairs (i, j) of the measure of [[n_ii, n_ij], [n_ji, n_jj]]
``strategy="ovo"``   the same with all objects of the two classes, predicted in i or not (Hand & Till 2001)
==================== =================================================================================

``"rest"`` is strategy 1 of Espindola & Ebecken (2005), the others are readings of their strategy 2.  A class of
weight 0 plays no part in ``"rest"``.

A value of a class or a pair of classes that is 0/0 follows ``undefined=``: "warn" (the default, scikit-learn's
reading) takes 0 and gives one `UndefinedIndexWarning` a metric; "raise" raises `UndefinedIndexError`; a number stands
in its place; "nan" makes it NaN, and so the mean (scikit-learn's ``zero_division=nan`` leaves it out of the mean).
It is the measure that is 0/0, not a ratio inside it: where a class holds all objects its specificity is 0/0,
hence so are `g_mean_ss` and `discrete_auc`.
"""

from confmat.errors import UndefinedIndexError, UndefinedIndexWarning
from confmat.indices.classification.agreement import kappa, mcc
from confmat.indices.classification.counts import ClassCounts, TwoClass, confusion_matrix
from confmat.indices.classification.macro import accuracy, balanced_accuracy, balanced_rate, bcr, cor
from confmat.indices.classification.measures import MeasureNumber
from confmat.indices.classification.metrics import (
    auc,
    auc3,
    auc_pairs,
    discrete_auc,
    f,
    f1_weighted,
    f_measure,
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
    "balanced_rate",
    "bcr",
    "confusion_matrix",
    "cor",
    "discrete_auc",
    "f",
    "f1_weighted",
    "f_measure",
    "f_pairs",
    "g_mean_sp",
    "g_mean_ss",
    "gsp",
    "gsp_pairs",
    "gss",
    "gss_pairs",
    "kappa",
    "mcc",
    "precision",
    "sensitivity",
    "specificity",
]
