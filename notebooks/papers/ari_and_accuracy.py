"""What an ARI of 0.3 says of a classifier's accuracy: exact laws of COR and BCR given the ARI.

Santos & Embrechts (2009) use the ARI as a measure of classifiers.  It does not know which predicted class is which
true class: renaming the predicted classes keeps it, so at every ARI the mean of COR over all K x K matrices is 1/K,
and so is that of BCR.  With ``best_labels`` only matrices count whose diagonal is a best matching, COR = 1 - MED.
K = 2, n <= 30 and K = 3, n <= 16 take seconds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pandas as pd

from confmat import Tables, joint_distribution
from confmat.classes import MatrixClass
from confmat.distributions import JointDistribution

if TYPE_CHECKING:
    pass

CLASSES = (Tables(30, 2, 2), Tables(16, 3, 3))

Width = Fraction | str | None


def accuracy_given_ari(
    matrices: MatrixClass, width: Width = "1/10", *, best_labels: bool = False, weight: str = "tables"
) -> list[tuple[Any, JointDistribution]]:
    """The laws of COR and BCR given the ARI over a class of square matrices (rows = truth), all exact.

    ``width``: the ARI is rounded to a multiple of it, half-way values up (with 1/10, the row of 3/10 holds
    1/4 <= ARI < 7/20); None keeps every value apart.  Raises ValueError for a width that is not positive, and as
    ``joint_distribution`` does.

    >>> def at_three_tenths(**options):
    ...     law = dict(accuracy_given_ari(Tables(30, 2, 2), **options))[Fraction(3, 10)]["cor"]
    ...     return str(law.min()), str(law.max())
    >>> at_three_tenths(), at_three_tenths(best_labels=True)
    (('1/10', '9/10'), ('23/30', '9/10'))
    """
    return _given_ari(_law(matrices, weight), _as_width(width), best_labels)


def table(
    matrices: MatrixClass, width: Width = "1/10", *, best_labels: bool = False, weight: str = "tables"
) -> pd.DataFrame:
    """``accuracy_given_ari`` as a frame of rounded numbers.

    >>> table(Tables(6, 2, 2))[["ari", "total", "accuracy_min", "accuracy_max"]].round(2).tail(2)
       ari  total  accuracy_min  accuracy_max
    3  0.3     16          0.17          0.83
    4  1.0     10          0.00          1.00
    """
    rows = accuracy_given_ari(matrices, width, best_labels=best_labels, weight=weight)
    total = sum(given.total for _, given in rows)
    records = []
    for ari, given in rows:
        record: dict[str, Any] = {"ari": float(ari), "total": given.total, "probability": given.total / total}
        for name in given.names[1:]:
            for key, number in given[name]._numbers().items():
                record[f"{name}_{key}"] = float(number)
        records.append(record)
    return pd.DataFrame(records)


def at_ari(
    ari: Fraction | str,
    classes: Iterable[MatrixClass],
    width: Fraction | str = "1/10",
    *,
    best_labels: bool = False,
    weight: str = "tables",
) -> pd.DataFrame:
    """What one (rounded) value of the ARI says: a row of ``table`` for each class that has it, with n and k.

    ``ari`` must be a multiple of ``width``, else ValueError.

    >>> found = at_ari("3/10", [Tables(n, 2, 2) for n in (10, 20, 30)], best_labels=True)
    >>> found[["n", "total", "accuracy_min", "accuracy_max"]].round(2)
        n  total  accuracy_min  accuracy_max
    0  10     19          0.80          0.80
    1  20     67          0.80          0.85
    2  30    271          0.77          0.90
    >>> found[["balanced_accuracy_min", "balanced_accuracy_max"]].round(2).values.tolist()
    [[0.67, 0.89], [0.62, 0.92], [0.62, 0.95]]
    """
    wanted, step = Fraction(ari), Fraction(width)
    if wanted % step:
        raise ValueError(f"ari must be a multiple of width {width}, got {ari}")
    frames = []
    for matrices in classes:
        frame = table(matrices, step, best_labels=best_labels, weight=weight)
        found = frame[frame["ari"] == float(wanted)].drop(columns="ari")
        found.insert(0, "k", matrices.shape[0])
        found.insert(0, "n", matrices.n)
        frames.append(found)
    return pd.concat(frames, ignore_index=True)


def _as_width(width: Width) -> Fraction | None:
    exact = None if width is None else Fraction(width)
    if exact is not None and exact <= 0:
        raise ValueError(f"width must be positive, got {width}")
    return exact


def _law(matrices: MatrixClass, weight: str) -> JointDistribution:
    return joint_distribution(matrices, "ari", "cor", "bcr", "med", weight=weight)


def _given_ari(law: JointDistribution, width: Fraction | None, best_labels: bool) -> list[Any]:
    """The laws given the ARI, rounded; with ``best_labels`` of the matrices whose diagonal is a best matching."""
    points: dict[tuple[Any, ...], int] = defaultdict(int)
    for (ari, cor, bcr, med), amount in law:
        if not best_labels or cor == 1 - med:
            exact = Fraction(ari)
            middle = exact if width is None else (exact / width + Fraction(1, 2)) // 1 * width
            points[middle, cor, bcr] += amount
    rounded = replace(law, _statistics=law._statistics[:3], _given_points=sorted(points.items()))
    return list(rounded.groupby("ari"))
