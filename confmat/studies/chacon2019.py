"""Chacon (2019), A close-up comparison of MED and ARD: its tables, its figures and the examples between them.

Everything is exact but for half of the null case (Figures 3 and 4, see `chacon2019_null`); Figure 8, sampled in the
paper, stands on all 2 * 10^14 matrices.  What is ours, chosen, or a formula of the paper, the items' notes say.

All printed values come out to their last digit, but for value (8), which is not the largest RD of (4, 3, 3), and
two ratios of standard deviations: at r = s = 2 MED/RD (n = 100) and MED/ARD (n = 400) are 4.26, printed 4.2.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from confmat.classes import Tables
from confmat.indices import extremes, partition
from confmat.indices.classification import cor
from confmat.studies import PaperItem
from confmat.studies import chacon2019_figures as figures
from confmat.studies.audited import CHACON, VERDICTS, audited
from confmat.studies.chacon2019_laws import (
    N,
    class_law,
    given_med,
    large_class,
    overlap_law,
    recorded,
)
from confmat.studies.chacon2019_null import NULL_CASES, null_case
from confmat.studies.chacon2019_printed import (
    FIGURE_1,
    FIGURE_2,
    FIGURE_3,
    FIGURE_4,
    FIGURE_5,
    FIGURE_7,
    FIGURE_8,
    FORMULAS_1,
    HOOK_SIZE,
    LARGEST_MED,
    MATRICES,
    OUTLIER,
    OVERLAP,
    SEARCHED_SIZES,
    SECTION_3_3,
    SECTION_3_4,
    TABLE_1,
    TABLE_2,
    TABLE_3,
    Key,
)

Number = Fraction | float

DISTANCES: dict[str, Callable[..., Any]] = {
    "MED": partition.med,
    "RD": partition.rand_distance,
    "ARD": partition.adjusted_rand_distance,
}


def _frame(values: Mapping[Key, Number], *names: str) -> pd.DataFrame:
    """Columns ``ours`` and ``exact`` (the fraction as text, empty for a rounded number)."""
    return pd.DataFrame(
        {
            "ours": [float(x) for x in values.values()],
            "exact": ["" if isinstance(x, float) else str(x) for x in values.values()],
        },
        index=pd.MultiIndex.from_tuples(values, names=names),
    )


def _over(med: Number, n: int = N) -> str:
    return f"{Fraction(med) * n}/{n}"


# Section 3.2: the examples.


def table(number: str) -> pd.DataFrame:
    """MED, RD and ARD of the matrices of Table 1, 2 or 3 or of Section 3.3 (``number`` is "table-1", ...).

    >>> table("table-1")["exact"].to_list()
    ['1/50', '97/3725', '14453/245017']
    """
    values = {
        (name, distance): function(matrix, exact=True)
        for name, matrix in MATRICES[number].items()
        for distance, function in DISTANCES.items()
    }
    return _frame(values, "clusters", "distance")


# Section 3.3: two clusters on each side.


def figure_1() -> pd.DataFrame:
    """MED, RD and the range of the ARD by the number d of objects on the diagonal (n = 20); what is largest.

    >>> figure_1().loc["any d", "exact"].to_dict()
    {'largest MED': '1/2', 'largest RD': '10/19', 'largest ARD': '95/84', 'MED at the largest ARD': '2/5'}
    """
    from confmat.plots.laws import ard_values_2x2

    values: dict[Key, Number] = {}
    for d in range(N + 1):
        ard = ard_values_2x2(N, d)
        values[f"d = {d}", "MED"] = extremes.med_2x2(N, d)
        values[f"d = {d}", "RD"] = extremes.rand_distance_2x2(N, d)
        values[f"d = {d}", "least ARD"], values[f"d = {d}", "largest ARD"] = min(ard), max(ard)
    for distance, name in (("MED", "MED"), ("RD", "RD"), ("ARD", "largest ARD")):
        values["any d", f"largest {distance}"] = max(x for (_, key), x in values.items() if key == name)
    largest = values["any d", "largest ARD"]
    at = next(d for d in range(N + 1) if values[f"d = {d}", "largest ARD"] == largest)
    values["any d", "MED at the largest ARD"] = extremes.med_2x2(N, at)
    return _frame(values, "d", "quantity")


# Section 3.4: any number of clusters.

SHAPES = ((2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5))


def figure_2() -> pd.DataFrame:
    """NRD of perfectly independent clusterings: all cells n/(rs), for every such n up to 300.

    >>> figure_2().loc[[("2 x 2", "n = 100"), ("5 x 5", "n = 100")], "exact"].to_list()
    ['1', '64/151']
    """
    values = {
        (f"{r} x {s}", f"n = {n}"): partition.normalized_rand_distance(
            np.full((r, s), n // (r * s)), exact=True
        )
        for r, s in SHAPES
        for n in range(r * s, 301, r * s)
    }
    return _frame(values, "shape", "objects")


def section_3_4() -> pd.DataFrame:
    """The largest RD, found by search, against value (8); the RD of form (7); the largest ARD over (20, 3, 3).

    Value (8) is the largest RD from n = s + 2(r - 1) on, but not below: (4, 3, 3) is an exception.

    >>> section_3_4().loc[("largest RD", "(4, 3, 3)"), "exact"], round(SECTION_3_4["largest RD", "(4, 3, 3)"], 3)
    ('1/3', 0.833)
    """
    from confmat.search import maximize

    values: dict[Key, Any] = {}
    for size in SEARCHED_SIZES:
        values["largest RD", str(size)] = maximize(Tables(*size), "rd", method="bound-and-prune").value
    hook = extremes.max_rand_matrix(*HOOK_SIZE)
    values["RD of form (7)", str(HOOK_SIZE)] = partition.rand_distance(hook, exact=True)
    values["largest ARD", "(20, 3, 3)"] = maximize(Tables(N, 3, 3), "ard").value
    return _frame(values, "quantity", "(n, r, s)")


# Section 4.2: diverging clusterings.

DIVERGING = {
    "diagonal": [[7, 0, 0], [0, 7, 0], [0, 0, 6]],
    "13 moved": [[3, 2, 2], [3, 2, 2], [2, 2, 2]],
    "18 moved": [[1, 2, 4], [5, 0, 2], [2, 3, 1]],
}


def overlap() -> pd.DataFrame:
    """Degree of overlap (DO) and MED of three matrices; mean MED at each DO from cluster sizes 7, 7, 6.

    >>> overlap().loc["13 moved", "exact"].to_dict()
    {'degree of overlap': '13/20', 'MED': '13/20'}
    """
    values: dict[Key, Number] = {}
    for name, matrix in DIVERGING.items():
        values[name, "degree of overlap"] = 1 - cor(matrix, exact=True)
        values[name, "MED"] = partition.med(matrix, exact=True)
    for moved, law in overlap_law((7, 7, 6)).items():
        ways = sum(law.values())
        mean = sum(m * weight for m, weight in law.items())
        values[f"{moved} of 20 moved", "mean MED"] = Fraction(mean, N * ways)
    return _frame(values, "matrices", "quantity")


def figure_5() -> pd.DataFrame:
    """RD and ARD given the MED over (20, 3, 3): moments, quartiles, extremes; where the ARD is largest.

    >>> figure_5().loc["all", "exact"].to_dict()
    {'matrices': '2806281', 'MED at the largest ARD': '1/2', 'MED at the largest mean ARD': '13/20'}
    """
    rows = given_med().rows
    values: dict[Key, Number] = {}
    for row in rows:
        for name in given_med().others:
            for key, x in row.law[name].numbers().items():
                values[f"MED {_over(row.value)}", f"{name.upper()} {key}"] = x
    values["all", "matrices"] = Fraction(given_med().law.total)
    values["all", "MED at the largest ARD"] = max(rows, key=lambda row: row.law["ard"].max).value
    values["all", "MED at the largest mean ARD"] = max(rows, key=lambda row: row.law["ard"].mean).value
    return _frame(values, "given", "quantity")


def outlier() -> pd.DataFrame:
    """The matrix of (20, 3, 3) with the largest ARD at MED = 4/20, cell by cell.

    >>> outlier().loc["distance", "exact"].to_dict()
    {'MED': '1/5', 'RD': '33/95', 'ARD': '2090/1887'}
    """
    matrix = figures.outlier_matrix()
    values: dict[Key, Number] = {
        ("cell", f"({i + 1}, {j + 1})"): Fraction(int(x)) for (i, j), x in np.ndenumerate(matrix)
    }
    values |= {("distance", name): function(matrix, exact=True) for name, function in DISTANCES.items()}
    return _frame(values, "of", "quantity")


def figure_6() -> pd.DataFrame:
    """The law of the RD over (20, 3, 3) at MED = 1/20 and 13/20: probabilities, moments, skewness.

    >>> figure_6().loc[("MED 1/20", ["mean RD", "variance of RD"]), "exact"].to_list()
    ['1/15', '2/4275']
    """
    values: dict[Key, Number] = {}
    for med in figures.FIGURE_6_MEDS:
        law: dict[Number, int] = {}
        for (value, rd, _), weight in class_law().support:
            if value == med:
                law[rd] = law.get(rd, 0) + weight
        total = sum(law.values())
        mean = sum(x * weight for x, weight in law.items()) / total
        second, third = (sum((x - mean) ** k * weight for x, weight in law.items()) / total for k in (2, 3))
        given = f"MED {_over(med)}"
        values |= {(given, f"P(RD = {x})"): Fraction(weight, total) for x, weight in sorted(law.items())}
        values |= {(given, "mean RD"): mean, (given, "variance of RD"): second}
        values[given, "skewness of RD"] = float(third) / float(second) ** 1.5
    return _frame(values, "given", "quantity")


def figure_7() -> pd.DataFrame:
    """The law of the MED over (20, 3, 3): how many matrices have each value.

    >>> figure_7().loc["MED 0/20", "exact"].to_dict()
    {'matrices': '1026', 'probability': '6/16411'}
    """
    rows = given_med().rows
    values: dict[Key, Number] = {
        (f"MED {_over(row.value)}", "matrices"): Fraction(row.weight) for row in rows
    }
    values |= {(f"MED {_over(row.value)}", "probability"): row.probability for row in rows}
    values["all", "matrices"] = Fraction(given_med().law.total)
    return _frame(values, "value", "quantity")


def figure_8(recompute: bool = False, progress: bool = False) -> pd.DataFrame:
    """Means of RD and ARD given the MED and the law of the MED, over all of (50, 4, 4).

    From the recorded enumeration; ``recompute=True`` enumerates again, six minutes on two cores.

    >>> figure_8().loc["MED 0/50", "exact"].to_dict()
    {'matrices': '442176', 'mean RD': '0', 'mean ARD': ''}
    """
    law = large_class(recompute, progress)
    values: dict[Key, Number] = {}
    for m, (count, rd, ard) in enumerate(zip(law.counts, law.mean_rd, law.mean_ard)):
        given = f"MED {m}/50"
        values |= {(given, "matrices"): Fraction(count), (given, "mean RD"): rd, (given, "mean ARD"): ard}
    values["all", "matrices"] = Fraction(law.total)
    values["all", "rejection rate"] = 1 - Fraction(law.total, comb(65, 15))
    return _frame(values, "given", "quantity")


LABELS = (
    "MED for r = s = 2, 3, all of RD and P(largest MED) are exact; the rest is of 100 000 recorded draws."
)


def _matrices_item(
    number: str, description: str, printed: Mapping[Key, float], note: str, names: tuple[str, str]
) -> PaperItem:
    draw = partial(figures.matrices, MATRICES[number], names)
    return PaperItem(number, description, "exact", note, partial(table, number), printed, draw=draw)


def _null_item(figure: str, n: int, printed: Mapping[Key, float]) -> PaperItem:
    return PaperItem(
        figure,
        f"random labels, n = {n}",
        "same design",
        LABELS,
        partial(NULL_CASES[n].summary, partial(null_case, n)),
        printed,
        LARGEST_MED[n],
        draw=partial(figures.null_case, n),
        simulation=NULL_CASES[n],
    )


FOUND_AND_TRUE = ("true clusters", "clusters found")
ENUMERATED = "All 2 806 281 matrices, as in the paper"

ITEMS: tuple[PaperItem, ...] = (
    _matrices_item(
        "table-1",
        "iris, three mixture components: MED, RD, ARD",
        TABLE_1,
        "From the printed matrix.",
        FOUND_AND_TRUE,
    ),
    _matrices_item(
        "table-2",
        "DLBCL, modclust and entmerge: MED, RD, ARD",
        TABLE_2,
        "From the printed matrices.",
        FOUND_AND_TRUE,
    ),
    _matrices_item(
        "table-3",
        "two distant clusterings: MED, RD, ARD",
        TABLE_3,
        "From the printed matrix.",
        figures.TWO_CLUSTERINGS,
    ),
    _matrices_item(
        "section-3.3",
        "two pairs of clusterings with MED = 4/20",
        SECTION_3_3,
        "The matrices are lost in our copy; these are the ones of the sizes that the text gives, 4 objects moved.",
        figures.TWO_CLUSTERINGS,
    ),
    PaperItem(
        "audit",
        "matrices that have the printed MED and ARD",
        "exact",
        "Of rows with known sizes; Table 2 prints seven digits of 8183 objects, which is beyond reach.",
        partial(audited, CHACON),
        beside=VERDICTS,
    ),
    PaperItem(
        "figure-1",
        "2 x 2 tables, n = 20: all values",
        "exact",
        "All tables; the largest MED and RD are beside the paper's formulas.",
        figure_1,
        FIGURE_1,
        FORMULAS_1,
        draw=figures.figure_1,
    ),
    PaperItem(
        "figure-2",
        "NRD of independent clusterings",
        "exact",
        "At every n for which all cells are equal.",
        figure_2,
        FIGURE_2,
        draw=figures.figure_2,
    ),
    PaperItem(
        "section-3.4",
        "largest RD and ARD",
        "formula",
        "Value (8) evaluated here; at (4, 3, 3) it is not the largest RD, below n = s + 2r - 2 it need not be.",
        section_3_4,
        formula=SECTION_3_4,
        draw=figures.section_3_4,
    ),
    _null_item("figure-3", 100, FIGURE_3),
    _null_item("figure-4", 400, FIGURE_4),
    PaperItem(
        "section-4.2",
        "degree of overlap against the MED",
        "selected",
        "The paper's matrices are lost in our copy; ours were chosen to move 13 and 18 objects, 13 with MED 13/20.",
        overlap,
        OVERLAP,
        draw=figures.overlap,
    ),
    PaperItem(
        "figure-5",
        "RD and ARD given the MED, (20, 3, 3)",
        "exact",
        f"{ENUMERATED}.",
        figure_5,
        FIGURE_5,
        draw=figures.figure_5,
    ),
    PaperItem(
        "outlier",
        "largest ARD at MED = 4/20, (20, 3, 3)",
        "exact",
        f"{ENUMERATED}; ours is the one found.",
        outlier,
        OUTLIER,
        draw=figures.outlier,
    ),
    PaperItem(
        "figure-6",
        "RD at the lowest and highest MED, (20, 3, 3)",
        "exact",
        "The two values of the MED are lost in our copy: these are the least above 0 and the largest.",
        figure_6,
        draw=figures.figure_6,
    ),
    PaperItem(
        "figure-7",
        "law of the MED, (20, 3, 3)",
        "exact",
        f"{ENUMERATED}.",
        figure_7,
        FIGURE_7,
        draw=figures.figure_7,
    ),
    PaperItem(
        "figure-8",
        "given the MED, and its law, (50, 4, 4)",
        "recorded",
        f"All matrices (the paper samples), 3 min on 2 cores on 21 November 2026, digest {recorded().digest[:12]}.",
        figure_8,
        FIGURE_8,
        draw=figures.figure_8,
    ),
)

SIMULATIONS = tuple(NULL_CASES.values())
