"""Values printed in Flynt, Dean & Nugent (2019)."""

from collections.abc import Mapping, Sequence

from confmat.studies.flynt2019_designs import EXAMPLE_POSTERIORS

TABLE_2_AND_5 = {"RI": 0.715, "ARI": 0.430, "sARI": 0.301}

EXAMPLE = {
    ("closer", "ARI"): 0.404,
    ("closer", "sARI"): 0.212,
    ("original", "ARI"): 0.430,
    ("original", "sARI"): 0.301,
    ("apart", "ARI"): 0.513,
    ("apart", "sARI"): 0.388,
}

TABLE_6 = {
    (groups, f"class {number // 5 + 1}", number): value
    for groups, values in EXAMPLE_POSTERIORS.items()
    for number, value in enumerate(values)
}

COLUMNS = ("count", "min", "q1", "median", "q3", "max")


def _table_7_printed() -> dict[tuple[str, str], float]:
    lines = {
        (2, 3): (130, -0.0295, -0.0076, -0.0042, -0.0019, -1.479e-5),
        (2, 4): (174, -0.0275, -0.0072, -0.0031, -0.0012, -1.377e-7),
        (2, 5): (143, -0.0279, -0.0079, -0.0035, -0.0013, -2.092e-6),
        (3, 3): (126, -0.0287, -0.0038, -0.0021, -0.0009, -3.883e-6),
        (3, 4): (126, -0.0169, -0.0036, -0.0020, -0.0007, -4.014e-6),
        (3, 5): (97, -0.0145, -0.0041, -0.0022, -0.0012, -3.882e-6),
        (8, 3): (67, -0.0058, -0.0019, -0.0011, -0.0005, -4.202e-5),
        (8, 4): (75, -0.0042, -0.0014, -0.0009, -0.0004, -1.391e-5),
        (8, 5): (141, -0.0049, -0.0014, -0.0006, -0.0002, -1.462e-6),
    }
    table: dict[tuple[str, str], float] = {}
    for (clusters, variables), numbers in lines.items():
        row = f"{clusters} clusters, {variables} variables"
        table |= {(row, column): float(number) for column, number in zip(COLUMNS, numbers)}
    return table


TABLE_7 = _table_7_printed()
SHARES = {(row, "share"): count / 3900 for (row, column), count in TABLE_7.items() if column == "count"}
"""Not printed, but for the first, "approximately 3.3%"; our counts are of fewer data sets, the shares compare."""

FIGURE_8 = {
    (0.15, "ARI"): 0.960,
    (0.15, "sARI"): 0.970,
    (0.15, "misclassified"): 2.0,
    (0.15, "softly misclassified"): 1.486,
    (-0.3, "ARI"): 0.173,
    (-0.3, "sARI"): 0.195,
    (-0.3, "misclassified"): 99.0,
    (-0.3, "softly misclassified"): 94.823,
}

CONTRIBUTIONS = {
    ("ten objects", "right, soft"): 4.5,
    ("ten objects", "wrong, soft"): 2.647,
    ("ten objects", "net loss"): 0.147,
    ("all objects", "net loss"): 5.256,
}

TABLE_8: Mapping[tuple[str, str], float] = {
    ("diagnosis", "VVV hard"): 0.664,
    ("diagnosis", "VVV soft"): 0.602,
    ("EEI hard", "diagnosis"): 0.564,
    ("EEI hard", "VVV hard"): 0.799,
    ("EEI hard", "VVV soft"): 0.695,
    ("EEI soft", "diagnosis"): 0.381,
    ("EEI soft", "VVV hard"): 0.514,
    ("EEI soft", "VVV soft"): 0.459,
}


def _by_diagnosis(*rows: Sequence[float]) -> dict[tuple[str, int], float]:
    names = ("Normal", "Chemical", "Overt")
    return {(name, k): value for name, row in zip(names, rows) for k, value in enumerate(row, start=1)}


TABLE_9 = _by_diagnosis((72, 4, 0), (9, 26, 1), (0, 6, 27))
TABLE_10 = _by_diagnosis((68.89, 7.06, 0.48), (8.96, 25.36, 1.67), (0, 6, 27))
