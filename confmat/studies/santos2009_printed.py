"""Values printed in Santos & Embrechts (2009): Section 3, Table 3, Figure 1, class sizes and Table 5."""

from collections.abc import Sequence

MEASURES = ("AUC", "COR", "BCR", "ARI")

LYING_MACHINE = {"COR": 0.0, "ARI": 1.0}

_GROUPS = {"feat1": ("abce", "dfhl", "gijk"), "feat2": ("eijkl", "fgh", "abcd")}
TABLE_3 = {
    (name, element): float(number)
    for name, groups in _GROUPS.items()
    for element in "abcdefghijkl"
    for number, group in enumerate(groups)
    if element in group
}
"""The interval of each element, printed as partitions of the elements."""

FIGURE_1 = {"points": 400.0, "minority": 100.0, "cells": 16.0}

CHECKERBOARDS = {
    f"Check{cells}x{cells}({total},{percent})": (cells, total, percent)
    for cells in (2, 4)
    for total, percent in ((1000, 10), (400, 25), (200, 50))
}
"""Cells a side, points, percentage of the minority."""

CLASS_SIZES = {
    "Cleveland HD 2": (160, 137),
    "Diabetes": (500, 268),
    "Ionosphere": (225, 126),
    "Liver": (200, 145),
    "Sonar": (111, 97),
    "Wdbc": (357, 212),
} | {
    name: (total - total * percent // 100, total * percent // 100)
    for name, (_, total, percent) in CHECKERBOARDS.items()
}
"""Of the two-class data sets (Table 4)."""


def sizes_of(name: str, n: int, features: int, sizes: Sequence[int]) -> dict[tuple[str, str], float]:
    """What Table 4 says of a data set, its class sizes from large to small.

    >>> list(sizes_of("Iris", 150, 4, [50, 50, 50]).values())
    [150.0, 4.0, 3.0, 50.0, 50.0, 50.0]
    """
    row = {"elements": n, "features": features, "classes": len(sizes)}
    row |= {f"class {k}": size for k, size in enumerate(sorted(sizes, reverse=True), start=1)}
    return {(name, quantity): float(value) for quantity, value in row.items()}


TABLE_4 = {
    key: value
    for name, n, features, *sizes in (
        ("Cleveland HD 2", 297, 13, 160, 137),
        ("Diabetes", 768, 8, 500, 268),
        ("Ionosphere", 351, 34, 225, 126),
        ("Liver", 345, 6, 200, 145),
        ("Sonar", 208, 60, 111, 97),
        ("Wdbc", 569, 30, 357, 212),
        ("Breast Tissue", 106, 9, 21, 15, 18, 16, 14, 22),
        ("Cleveland HD 5", 297, 13, 160, 54, 35, 35, 13),
        ("Glass", 214, 9, 70, 76, 17, 13, 9, 29),
        ("Iris", 150, 4, 50, 50, 50),
        ("Wine", 178, 13, 59, 71, 48),
        ("Leukemia", 72, 7129, 47, 25),
        ("Arcene", 100, 10_000, 44, 56),
    )
    for key, value in sizes_of(name, n, features, sizes).items()
}
"""Olive and Thyroid, of Table 5, are missing from the copy used here."""

# AUC, its standard deviation, then COR, BCR, ARI likewise.
TWO_CLASS = {
    ("Cleveland HD 2", "MLP"): (0.89, 0.01, 82.42, 1.08, 82.12, 1.03, 0.36, 0.03),
    ("Cleveland HD 2", "SVM"): (0.90, 0.01, 83.31, 0.97, 82.90, 0.96, 0.18, 0.02),
    ("Diabetes", "MLP"): (0.83, 0.01, 76.58, 0.88, 72.44, 0.92, 0.20, 0.01),
    ("Diabetes", "SVM"): (0.82, 0.01, 75.34, 2.01, 67.85, 2.91, 0.15, 0.01),
    ("Ionosphere", "MLP"): (0.90, 0.02, 87.81, 1.21, 84.05, 1.58, 0.56, 0.04),
    ("Ionosphere", "SVM"): (0.98, 0.01, 94.26, 0.75, 93.11, 0.85, 0.45, 0.03),
    ("Liver", "MLP"): (0.72, 0.02, 68.52, 1.97, 67.00, 1.98, 0.07, 0.01),
    ("Liver", "SVM"): (0.73, 0.02, 70.23, 2.49, 67.61, 2.76, 0.05, 0.02),
    ("Sonar", "MLP"): (0.89, 0.03, 78.82, 2.51, 78.59, 2.56, 0.33, 0.06),
    ("Sonar", "SVM"): (0.93, 0.02, 84.71, 2.01, 84.34, 2.05, 0.23, 0.03),
    ("Wdbc", "MLP"): (0.99, 0.001, 97.39, 0.67, 97.04, 0.71, 0.87, 0.02),
    ("Wdbc", "SVM"): (0.99, 0.002, 96.79, 0.62, 96.43, 0.66, 0.28, 0.02),
    ("Check2x2(1000,10)", "MLP"): (0.63, 0.16, 95.32, 1.26, 76.97, 6.51, 0.61, 0.10),
    ("Check2x2(1000,10)", "SVM"): (0.99, 0.01, 98.39, 0.49, 92.55, 2.43, 0.53, 0.03),
    ("Check2x2(400,25)", "MLP"): (0.96, 0.08, 95.57, 2.53, 92.47, 4.73, 0.75, 0.09),
    ("Check2x2(400,25)", "SVM"): (0.99, 0.004, 95.11, 1.13, 92.22, 1.83, 0.65, 0.03),
    ("Check2x2(200,50)", "MLP"): (0.98, 0.01, 92.85, 2.48, 92.87, 2.48, 0.67, 0.06),
    ("Check2x2(200,50)", "SVM"): (0.98, 0.01, 92.40, 2.09, 92.42, 2.10, 0.45, 0.05),
    ("Check4x4(1000,10)", "MLP"): (0.71, 0.05, 93.66, 0.76, 70.77, 3.63, 0.48, 0.06),
    ("Check4x4(1000,10)", "SVM"): (0.98, 0.01, 96.04, 0.55, 82.04, 2.60, 0.27, 0.02),
    ("Check4x4(400,25)", "MLP"): (0.88, 0.03, 86.22, 1.61, 77.96, 3.80, 0.48, 0.06),
    ("Check4x4(400,25)", "SVM"): (0.96, 0.01, 89.70, 1.37, 84.06, 2.07, 0.35, 0.02),
    ("Check4x4(200,50)", "MLP"): (0.83, 0.05, 78.54, 3.80, 78.51, 3.79, 0.30, 0.07),
    ("Check4x4(200,50)", "SVM"): (0.91, 0.02, 83.18, 2.56, 83.12, 2.54, 0.24, 0.04),
}
# COR, its standard deviation, then BCR, ARI likewise.
MULTI_CLASS = {
    ("Breast Tissue", "MLP"): (64.01, 3.47, 62.40, 3.47, 0.46, 0.04),
    ("Cleveland HD 5", "MLP"): (58.55, 1.43, 58.55, 1.43, 0.42, 0.03),
    ("Glass", "MLP"): (63.13, 3.56, 53.02, 3.56, 0.29, 0.04),
    ("Iris", "MLP"): (96.47, 1.17, 96.17, 1.47, 0.90, 0.03),
    ("Olive", "MLP"): (94.19, 0.73, 94.19, 0.72, 0.90, 0.01),
    ("Thyroid", "MLP"): (95.19, 3.09, 92.64, 3.09, 0.84, 0.09),
    ("Wine", "MLP"): (97.42, 1.31, 97.42, 1.30, 0.92, 0.04),
}
_SELECTED = {
    ("Arcene", "naive Bayes"): (0.76, 74.00, 74.00, 0.22),
    ("Leukemia", "naive Bayes"): (0.98, 91.18, 92.50, 0.67),
}
_ROWS = (
    *((key, MEASURES, values[::2], values[1::2]) for key, values in TWO_CLASS.items()),
    *((key, MEASURES[1:], values[::2], values[1::2]) for key, values in MULTI_CLASS.items()),
    *((key, MEASURES, values, ()) for key, values in _SELECTED.items()),
)
TABLE_5 = {(*key, m): value for key, measures, values, _ in _ROWS for m, value in zip(measures, values)}
TABLE_5_SD = {(*key, m): value for key, measures, _, values in _ROWS for m, value in zip(measures, values)}
"""COR and BCR in percent, by (data set, classifier, measure)."""
