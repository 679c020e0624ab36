"""Multi-class extensions of two-class measures (Espindola & Ebecken 2005), and comparisons of them.

Each measure is extended by one class against the rest ("auc1") and over pairs of classes ("auc2").
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np

MEASURES = ("auc", "f", "gsp", "gss")


def _two_class(tp: float, fn: float, fp: float, tn: float) -> tuple[float, ...]:
    """AUC of one operating point, F (beta = 1), sqrt(sens prec), sqrt(sens spec); nan where one is 0/0."""
    if 0 in (tp + fn, fp + tn, tp + fp):
        return (math.nan,) * 4
    sens, spec, prec = tp / (tp + fn), tn / (fp + tn), tp / (tp + fp)
    return (sens + spec) / 2, 2 * tp / (2 * tp + fn + fp), math.sqrt(sens * prec), math.sqrt(sens * spec)


def multiclass_measures(matrix: np.ndarray) -> dict[str, float]:
    """The four measures extended in two ways: "auc1" one against the rest, "auc2" over pairs of classes.

    Rows are true classes.  (1) is weighted by class frequency, (2) the mean over ordered pairs.

    >>> values = multiclass_measures(np.array([[8, 2], [1, 9]]))
    >>> round(values["auc1"], 3), round(values["gss2"], 3)
    (0.85, 0.849)
    """
    n, k = int(matrix.sum()), len(matrix)
    rows, cols = matrix.sum(axis=1), matrix.sum(axis=0)
    rest = [
        _two_class(x, rows[i] - x, cols[i] - x, n - rows[i] - cols[i] + x)
        for i, x in enumerate(matrix.diagonal())
    ]
    pairs = [
        (_two_class(*matrix[[i, i, j, j], [i, j, i, j]]), _two_class(*matrix[[j, j, i, i], [j, i, j, i]]))
        for i, j in combinations(range(k), 2)
    ]
    one = np.average(np.array(rest), axis=0, weights=rows)
    two = np.mean(np.array(pairs), axis=(0, 1))
    names = [f"{name}{way}" for way in (1, 2) for name in MEASURES]
    return dict(zip(names, map(float, [*one, *two])))


_ROUNDOFF = 1e-9


def never_below(first: str, *others: str) -> Callable[[np.ndarray], bool]:
    """Whether one measure is at least the others, wherever all are defined (up to rounding)."""

    def predicate(matrix: np.ndarray) -> bool:
        values = multiclass_measures(matrix)
        return not any(values[first] < values[other] - _ROUNDOFF for other in others)

    return predicate


def never_above(first: str, *others: str) -> Callable[[np.ndarray], bool]:
    """Whether one measure is at most the others, wherever all are defined (up to rounding)."""

    def predicate(matrix: np.ndarray) -> bool:
        values = multiclass_measures(matrix)
        return not any(values[first] > values[other] + _ROUNDOFF for other in others)

    return predicate


ALL_MEASURES = tuple(f"{name}{way}" for way in (1, 2) for name in MEASURES)
