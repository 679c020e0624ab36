"""Matrices and values printed in Chacon (2019), and values of the formulas that its text states."""

from math import comb
from typing import Any

from confmat.indices import extremes
from confmat.studies.chacon2019_laws import N

Key = tuple[Any, str]

MATRICES: dict[str, dict[str, list[list[int]]]] = {
    "table-1": {"iris": [[50, 0, 0], [0, 48, 2], [0, 1, 49]]},
    "table-2": {
        "modclust": [[47, 197, 7], [0, 1408, 153], [0, 278, 1216], [0, 62, 0], [4813, 2, 0]],
        "entmerge": [
            [16, 7, 0, 14, 214],
            [0, 146, 929, 417, 69],
            [0, 1191, 81, 63, 159],
            [0, 0, 0, 0, 62],
            [4809, 0, 0, 1, 5],
        ],
    },
    "section-3.3": {
        "18 + 2, 18 + 2": [[16, 2], [2, 0]],
        "11 + 9, 15 + 5": [[11, 0], [4, 5]],
    },
    "table-3": {
        "Steinley": [[1, 0, 1, 1, 0], [0, 1, 0, 0, 1], [1, 0, 1, 0, 1], [0, 1, 0, 1, 0], [1, 0, 1, 0, 1]]
    },
}

TABLE_1: dict[Key, float] = {("iris", "MED"): 3 / 150, ("iris", "RD"): 97 / 3725, ("iris", "ARD"): 0.0589877}
TABLE_2: dict[Key, float] = {
    ("modclust", "MED"): 746 / 8183,
    ("modclust", "RD"): 0.0549669,
    ("modclust", "ARD"): 0.1122647,
    ("entmerge", "MED"): 1040 / 8183,
    ("entmerge", "RD"): 0.0469447,
    ("entmerge", "ARD"): 0.0972073,
}
TABLE_3: dict[Key, float] = {
    ("Steinley", "MED"): 8 / 13,
    ("Steinley", "RD"): 22 / 78,
    ("Steinley", "ARD"): 78 / 67,
}

SECTION_3_3: dict[Key, float] = {
    ("18 + 2, 18 + 2", "MED"): 4 / 20,
    ("18 + 2, 18 + 2", "ARD"): 1.0967,
    ("11 + 9, 15 + 5", "MED"): 4 / 20,
    ("11 + 9, 15 + 5", "ARD"): 0.6678,
}

FIGURE_1: dict[Key, float] = {
    ("any d", "largest ARD"): 95 / 84,
    ("any d", "MED at the largest ARD"): 8 / 20,
}
FORMULAS_1: dict[Key, float] = {
    ("any d", "largest MED"): 1 / 2,
    ("any d", "largest RD"): N / (2 * (N - 1)),
}

FIGURE_2: dict[Key, float] = {("2 x 2", "n = 100"): 1.0, ("5 x 5", "n = 100"): 0.424}

SEARCHED_SIZES = ((20, 2, 2), (20, 3, 3), (4, 3, 3))
HOOK_SIZE = (100, 5, 5)


def _value_8(n: int, r: int, s: int) -> float:
    return float(extremes.max_rand_distance(n, r, s, as_printed=True))


SECTION_3_4: dict[Key, float] = {("largest RD", str(size)): _value_8(*size) for size in SEARCHED_SIZES}
SECTION_3_4["RD of form (7)", str(HOOK_SIZE)] = _value_8(*HOOK_SIZE)


def _null_printed(ard: tuple[float, float], rd: tuple[float, float]) -> dict[Key, float]:
    return {
        ("all", f"{end} sd MED / sd {name}"): x
        for name, ends in (("ARD", ard), ("RD", rd))
        for end, x in zip(("least", "most"), ends)
    }


FIGURE_3 = _null_printed((1.6, 2.1), (3.5, 4.2)) | {
    (f"r = s = {k}", "largest MED"): x for k, x in ((2, 0.5), (3, 0.66), (4, 0.75), (5, 0.8))
}
FIGURE_4 = _null_printed((3.1, 4.2), (6.7, 8.5))
LARGEST_MED = {n: {("r = s = 2", "P(largest MED)"): comb(n, n // 2) / 2**n} for n in (100, 400)}

OVERLAP: dict[Key, float] = {
    ("13 moved", "degree of overlap"): 13 / 20,
    ("13 moved", "MED"): 13 / 20,
    ("18 moved", "degree of overlap"): 18 / 20,
}

FIGURE_5: dict[Key, float] = {
    ("MED 4/20", "ARD max"): 1.10758,
    ("all", "matrices"): 2806281,
    ("all", "MED at the largest ARD"): 10 / 20,
    ("all", "MED at the largest mean ARD"): 13 / 20,
}

OUTLIER: dict[Key, float] = {
    ("cell", f"({i + 1}, {j + 1})"): x
    for i, row in enumerate([[16, 1, 1], [1, 0, 0], [1, 0, 0]])
    for j, x in enumerate(row)
} | {("distance", "MED"): 4 / 20, ("distance", "ARD"): 1.10758}

FIGURE_7: dict[Key, float] = {
    ("MED 0/20", "matrices"): 1026,
    ("all", "matrices"): 2806281,
}

FIGURE_8: dict[Key, float] = {("all", "matrices"): 2.04e14, ("all", "rejection rate"): 0.01597}
