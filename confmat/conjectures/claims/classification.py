"""Exact comparison of multi-class extensions of two-class measures (Espindola & Ebecken 2005).

A measure such as the AUC is extended to K classes in three ways. "auc1" is the mean over classes of one class
against the rest. "auc2" and "auc3" are means over pairs of classes. Of the objects of a pair, "auc2" counts those
that are predicted in one of both classes, and "auc3" all (Hand & Till).

As in the paper, measures are functions of sensitivities, specificities and precisions. An extension is undefined if
one of these is 0/0.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np

from confmat.indices.classification import ClassCounts, MeasureNumber, TwoClass
from confmat.indices.classification.measures import PAIR_STRATEGIES, mean_by
from confmat.indices.classification.metrics import MEASURES_OF_CLASS

MEASURES_OF_WAYS = {
    "auc": MEASURES_OF_CLASS["auc"],
    "f": MEASURES_OF_CLASS["f_measure"],
    "gsp": MEASURES_OF_CLASS["g_mean_sp"],
    "gss": MEASURES_OF_CLASS["g_mean_ss"],
}
STRATEGIES = {"1": "rest", "2": "pairs", "3": "ovo"}
READINGS = {
    way: tuple(f"{name}{which}" for which in ("1", way) for name in MEASURES_OF_WAYS) for way in ("2", "3")
}
"""Names of the eight extended measures, for both definitions of a pair of classes."""

ALL_MEASURES = READINGS["2"]


def multiclass_measures(matrix: Any, names: tuple[str, ...] = ALL_MEASURES) -> dict[str, MeasureNumber]:
    """Return a dictionary from names such as "auc1" to the exact values of these measures, without the undefined ones.

    >>> values = multiclass_measures([[8, 2], [1, 9]])
    >>> values["auc1"], str(values["gss2"])
    (Fraction(17, 20), '3/5*sqrt(2)')
    """
    counts = ClassCounts.of(matrix)
    values = {}
    for way, strategy in STRATEGIES.items():
        of_way = [name for name in names if name.endswith(way)]
        if not of_way or any(case.empty for case in _cases(counts, way)):
            continue
        for name in of_way:
            values[name] = mean_by(strategy, MEASURES_OF_WAYS[name.removesuffix(way)], counts, "raise")
    return {name: values[name] for name in names if name in values}


def _cases(counts: ClassCounts, way: str) -> Iterator[TwoClass]:
    """Return the two-class counts over which an extension ("1", "2" or "3") averages."""
    classes = range(counts.size)
    if way == "1":
        return map(counts.rest, classes)
    return (PAIR_STRATEGIES[STRATEGIES[way]](counts, i, j) for i, j in permutations(classes, 2))


def always(first: str, relation: Callable[[Any, Any], bool], *others: str) -> Callable[[np.ndarray], bool]:
    """Return a predicate that is true if ``relation(first, other)`` is true for the values of all ``others``.

    ``first`` and ``others`` are names of extended measures, such as "auc1". Undefined measures are not compared.

    >>> from operator import le
    >>> always("gss1", le, "auc1")(np.array([[8, 2], [1, 9]]))
    True
    """

    def predicate(matrix: np.ndarray) -> bool:
        values = multiclass_measures(matrix, (first, *others))
        value = values.pop(first, None)
        return value is None or all(relation(value, other_value) for other_value in values.values())

    return predicate


def similar(width: Fraction) -> Callable[[np.ndarray], bool]:
    """Return a predicate: whether the accuracy and the measures "auc1", "f1", .. differ by at most ``width``.

    These measures are means of one class against the rest. The predicate is also true if a sensitivity is below
    1/2, because the statement is not about such matrices.

    >>> similar(Fraction(1, 10))(np.array([[10, 0], [5, 5]])), similar(Fraction(1, 10))(np.array([[18, 0], [1, 1]]))
    (True, False)
    """

    def predicate(matrix: np.ndarray) -> bool:
        if (2 * np.diagonal(matrix) < matrix.sum(axis=1)).any():
            return True
        values = multiclass_measures(matrix, READINGS["2"][: len(MEASURES_OF_WAYS)])
        accuracy = Fraction(
            int(np.trace(matrix)),
            int(matrix.sum()),
        )
        numbers = [accuracy, *values.values()]
        return max(numbers) - min(numbers) <= width

    return predicate


def ovo_auc_follows_bcr(matrix: np.ndarray) -> bool:
    """Return whether "auc3" equals 1/2 + (K BCR - 1)/(2(K - 1)) or some true class is empty.

    K is the number of classes, and BCR is the balanced accuracy.

    >>> ovo_auc_follows_bcr(np.array([[5, 1, 1], [0, 6, 2], [1, 0, 3]]))
    True
    """
    counts = ClassCounts.of(matrix)
    if 0 in counts.rows:
        return True
    value = mean_by("ovo", MEASURES_OF_WAYS["auc"], counts, "raise")
    hits = sum(Fraction(counts.correct(i), size) for i, size in enumerate(counts.rows))
    return value == Fraction(1, 2) + (hits - 1) / (2 * (counts.size - 1))


def better_than_chance(predicate: Callable[[np.ndarray], bool]) -> Callable[[np.ndarray], bool]:
    """Return a predicate that is true if ``predicate`` is true, or if one of the K sensitivities is below 1/K.

    >>> never = better_than_chance(lambda matrix: False)
    >>> never(np.array([[1, 9], [0, 5]])), never(np.array([[8, 2], [1, 9]]))
    (True, False)
    """

    def of_good_ones(matrix: np.ndarray) -> bool:
        good = len(matrix) * np.diagonal(matrix) >= matrix.sum(axis=1)
        return not good.all() or predicate(matrix)

    return of_good_ones
