"""Chacon (2019), A close-up comparison of the misclassification error distance and the adjusted Rand index.

    python notebooks/papers/compare.py chacon2019                  what is printed, beside ours
    python notebooks/papers/chacon2019.py --n 50 --r 3 --s 4       the same questions at sizes of your own

Everything is exact but for half of the null case (Figures 3 and 4); Figure 8, sampled in the paper, stands on all
2 * 10^14 matrices.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from math import comb, factorial, prod, sqrt
from typing import Any

import numpy as np
import pandas as pd

import confmat as cm
from confmat.contingency import count_best_matchings
from confmat.indices.extremes import (
    ard_range_given_med_2x2,
    max_med,
    max_rand_distance,
    max_rand_matrix,
    med_2x2,
    rand_distance_2x2,
)
from digits import Drawn, Key, Value
from records import FOLDER, Simulation, tracked

N = 20
DISTANCES = {"MED": cm.med, "RD": cm.rd, "ARD": cm.ard}
SHAPES = ((2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5))

IRIS = {"iris": [[50, 0, 0], [0, 48, 2], [0, 1, 49]]}
DLBCL = {
    "modclust": [[47, 197, 7], [0, 1408, 153], [0, 278, 1216], [0, 62, 0], [4813, 2, 0]],
    "entmerge": [
        [16, 7, 0, 14, 214],
        [0, 146, 929, 417, 69],
        [0, 1191, 81, 63, 159],
        [0, 0, 0, 0, 62],
        [4809, 0, 0, 1, 5],
    ],
}
STEINLEY = {"Steinley": [[1, 0, 1, 1, 0], [0, 1, 0, 0, 1], [1, 0, 1, 0, 1], [0, 1, 0, 1, 0], [1, 0, 1, 0, 1]]}
TWO_BY_TWO = {"18 + 2, 18 + 2": [[16, 2], [2, 0]], "11 + 9, 15 + 5": [[11, 0], [4, 5]]}
DIVERGING = {
    "diagonal": [[7, 0, 0], [0, 7, 0], [0, 0, 6]],
    "13 moved": [[3, 2, 2], [3, 2, 2], [2, 2, 2]],
    "18 moved": [[1, 2, 4], [5, 0, 2], [2, 3, 1]],
}


def distances(matrices: dict[str, Any]) -> dict[Key, Value]:
    """MED, RD and ARD of matrices.

    >>> distances(IRIS)["iris", "MED"]
    Fraction(1, 50)
    """
    return {
        (name, d): f(matrix, exact=True) for name, matrix in matrices.items() for d, f in DISTANCES.items()
    }


def over(med: Fraction | int, n: int = N) -> str:
    """A MED as the number of misplaced objects over all.

    >>> over(Fraction(1, 5))
    'MED 4/20'
    """
    return f"MED {Fraction(med) * n}/{n}"


# --- Section 3: the examples -----------------------------------------------------------------------


def table_1() -> dict[Key, Value]:
    """Iris, three mixture components: from the printed matrix."""
    return distances(IRIS)


def table_2() -> dict[Key, Value]:
    """DLBCL, modclust and entmerge: from the printed matrices."""
    return distances(DLBCL)


def table_3() -> dict[Key, Value]:
    """Two distant clusterings, and how many matchings of their clusters are optimal."""
    return distances(STEINLEY) | {
        ("Steinley", "optimal matchings"): count_best_matchings(STEINLEY["Steinley"])
    }


def section_3_3() -> dict[Key, Value]:
    """Two pairs with MED = 4/20."""
    return distances(TWO_BY_TWO)


def tables_2x2(n: int, d: int) -> list[list[list[int]]]:
    """The 2 x 2 tables of n objects, d of them on the diagonal, without an empty row or column.

    >>> tables_2x2(3, 2)
    [[[1, 0], [1, 1]], [[1, 1], [0, 1]]]
    """
    tables = [[[a, b], [n - d - b, d - a]] for a in range(d + 1) for b in range(n - d + 1)]
    return [table for table in tables if all(map(any, table)) and all(map(any, zip(*table)))]


def figure_1() -> dict[Key, Value]:
    """2 x 2 tables, n = 20, by the number d of objects on the diagonal: MED, RD, ends of the ARD."""
    ours: dict[Key, Value] = {}
    ends: dict[int, tuple[Fraction, Fraction]] = {}
    for d in range(N + 1):
        ards = [cm.ard(table, exact=True) for table in tables_2x2(N, d)]
        ends[d] = min(ards), max(ards)
        ours[f"d = {d}", "MED"] = med_2x2(N, d)
        ours[f"d = {d}", "RD"] = rand_distance_2x2(N, d)
        ours[f"d = {d}", "least ARD"], ours[f"d = {d}", "largest ARD"] = ends[d]
    largest = max(high for _, high in ends.values())
    first = next(d for d, (_, high) in ends.items() if high == largest)
    ours["any d", "largest MED"] = max(med_2x2(N, d) for d in range(N + 1))
    ours["any d", "largest RD"] = max(rand_distance_2x2(N, d) for d in range(N + 1))
    ours["any d", "largest ARD"] = largest
    ours["any d", "MED at the largest ARD"] = med_2x2(N, first)
    return ours


def ard_from_differences(n: int, d1: int, u: int, w: int) -> Fraction:
    """ARD of a 2 x 2 table from d1 and the differences u, w of its two row sums and its two column sums.

    8 times the denominator of the ARD is n^2 (n - 1)^2 - (u^2 - n)(w^2 - n), so that at given d1 the largest and the
    least ARD are those of (u^2 - n)(w^2 - n) on |u + w| <= 2 d1, |u - w| <= 2 d2.

    >>> ard_from_differences(20, 16, 16, 16), cm.ard([[16, 2], [2, 0]], exact=True)
    (Fraction(760, 693), Fraction(760, 693))
    """
    return Fraction(4 * n * (n - 1) * d1 * (n - d1), n**2 * (n - 1) ** 2 - (u**2 - n) * (w**2 - n))


def section_3_3_1() -> dict[Key, Value]:
    """Largest and least ARD at given d1 >= d2, from the differences of cluster sizes, beside all tables."""
    ours: dict[Key, Value] = {}
    for d1 in range(N // 2, N):
        d2 = N - d1
        differences = [
            (t + x, t - x)
            for t in range(-d1, d1 + 1, 2)
            for x in range(-d2, d2 + 1, 2)
            if max(abs(t + x), abs(t - x)) < N
        ]
        values = [ard_from_differences(N, d1, *pair) for pair in differences]
        nested = [cm.ard([[a, d2], [0, d1 - a]], exact=True) for a in range(1, d1)]
        all_tables = [cm.ard(table, exact=True) for table in tables_2x2(N, d1)]
        least, largest = ard_range_given_med_2x2(N, d2)
        ours |= {
            (f"d1 = {d1}", "least ARD by theorem"): least,
            (f"d1 = {d1}", "largest ARD by theorem"): largest,
            (f"d1 = {d1}", "largest ARD"): max(values),
            (f"d1 = {d1}", "least ARD"): min(values),
            (f"d1 = {d1}", "least ARD of a nested table"): min(nested, default=None),
            (f"d1 = {d1}", "least ARD of all tables"): min(all_tables),
            (f"d1 = {d1}", "largest ARD of all tables"): max(all_tables),
        }
    return ours


def figure_2() -> dict[Key, Value]:
    """NRD of perfectly independent clusterings, at every n up to 300 for which all cells are equal."""
    return {
        (f"{r} x {s}", f"n = {n}"): cm.nrd(np.full((r, s), n // (r * s)), exact=True)
        for r, s in SHAPES
        for n in range(r * s, 301, r * s)
    }


def section_3_4() -> dict[Key, Value]:
    """The largest RD, by a search that knows no formula; the RD of form (7); the largest ARD of (20, 3, 3)."""
    ours: dict[Key, Value] = {}
    for size in ((20, 2, 2), (20, 3, 3), (4, 3, 3)):
        found = cm.maximize(cm.Tables(*size), "rd", method="bound-and-prune")
        ours["largest RD", str(size)] = found.value
    ours["RD of form (7)", "(100, 5, 5)"] = cm.rd(max_rand_matrix(100, 5, 5), exact=True)
    ours["largest ARD", "(20, 3, 3)"] = cm.maximize(cm.Tables(N, 3, 3), "ard").value
    return ours


# --- Section 4.1: the null case --------------------------------------------------------------------
#
# Exact, where a formula or a short sum gives it:
# - RD: two objects disagree with probability q = 2 (k - 1)/k^2, independently for any two pairs of objects, also
#   where they share one (given its labels); so RD has mean q and variance q(1 - q)/C(n, 2).
# - MED for k = 2: a folded binomial.  For k = 3 the six matchings are three with a constant difference and three with
#   a constant sum of both labels modulo 3; difference and sum are independent and uniform, so the largest matching is
#   the larger of two independent largest counts of n objects in three classes.
# - The chance of the largest MED, where k divides n: all matchings are equal, so cell (i, j) is a_i + b_j.
# - ARD for k = 2, by enumeration.
# Standard deviations of the MED for k = 4, 5 and all of the ARD for k = 3, 4, 5 are of draws, and recorded.

CLUSTERS = (2, 3, 4, 5)


def null_med_law(n: int, k: int) -> dict[int, int]:
    """n MED -> number of the k^(2n) pairs of labelings, for k = 2 or 3.  O(n^2).

    >>> null_med_law(2, 2), null_med_law(3, 3)
    ({0: 8, 1: 8}, {0: 153, 1: 540, 2: 36})
    """
    law: Counter[int] = Counter()
    if k == 2:
        for d in range(n + 1):
            law[min(d, n - d)] += 2**n * comb(n, d)
        return dict(sorted(law.items()))
    largest: Counter[int] = Counter()
    for x in range(n + 1):
        for y in range(n - x + 1):
            largest[max(x, y, n - x - y)] += comb(n, x) * comb(n - x, y)
    below = 0
    for matched, ways in sorted(largest.items()):
        law[n - matched] = (below + ways) ** 2 - below**2
        below += ways
    return dict(sorted(law.items()))


def _partitions(total: int, parts: int, most: int) -> list[tuple[int, ...]]:
    """Ways to write a total as so many parts in falling order, 0 allowed.

    >>> _partitions(3, 2, 3)
    [(3, 0), (2, 1)]
    """
    if parts == 0:
        return [()] if total == 0 else []
    first = range(min(total, most), -1, -1)
    return [(x, *rest) for x in first if x * parts >= total for rest in _partitions(total - x, parts - 1, x)]


def chance_of_largest_med(n: int, k: int) -> float:
    """P(MED = 1 - 1/k) for labels drawn uniformly, to some 1e-12 of it; k must divide n, else ValueError.

    The sum over all tables a_i + b_j, min b = 0, of the multinomial probability, a product of Poisson ones over that
    of the total.  Partitions of up to n/k into k - 1 parts: seconds for n = 400, k = 5.

    >>> from math import isclose
    >>> isclose(chance_of_largest_med(100, 2), comb(100, 50) / 2**100), round(chance_of_largest_med(4, 4), 12)
    (True, 0.0029296875)
    """
    from scipy.stats import poisson

    share, rest = divmod(n, k)
    if rest:
        raise ValueError(f"k must divide n, got n = {n}, k = {k}")
    cells = poisson.pmf(np.arange(share + 1), n / k**2)
    total = 0.0
    for moved in range(share + 1):
        left = share - moved
        for parts in _partitions(moved, k - 1, moved):
            b = (*parts, 0)
            power = row = np.prod([cells[x : x + left + 1] for x in b], axis=0)
            for _ in range(k - 1):
                power = np.convolve(power, row)[: left + 1]
            orders = factorial(k) // prod(map(factorial, Counter(b).values()))
            total += orders * power[left]
    return float(total / poisson.pmf(n, n))


def null_draws(n: int, replications: int, seed: int) -> pd.DataFrame:
    """Mean and standard deviation of MED and ARD for each k, of draws (for k = 2 exact), and P(largest MED).

    >>> null_draws(12, 100, 1).loc[:2, ["clusters", "quantity", "method"]].to_numpy().tolist()
    [[2, 'med', 'exact'], [2, 'ard', 'exact'], [2, 'P(largest MED)', 'exact']]
    """
    if replications < 100:
        raise ValueError(f"replications must be at least 100 for standard deviations, got {replications}")
    rows: list[tuple[int, str, float, float, str]] = []
    for k in tracked(CLUSTERS, "numbers of clusters"):
        tables = cm.Tables(n, k, k, allow_empty=True)
        if k == 2:
            law = cm.joint_distribution(tables, "med", "ard", weight="labelings")
        else:
            draws = cm.sample(tables, replications, rng=seed, weight="labelings")
            law = draws.distribution("med", "ard")
        how = "sampled" if law.sample_size else "exact"
        rows += [(k, name, float(law[name].mean()), law[name].std(), how) for name in ("med", "ard")]
        if n % k == 0:
            rows.append((k, "P(largest MED)", chance_of_largest_med(n, k), np.nan, "exact"))
    return pd.DataFrame(rows, columns=["clusters", "quantity", "ours", "sd", "method"])


NULL_CASES = {
    n: Simulation("chacon2019", figure, partial(null_draws, n), 100_000, 2019)
    for n, figure in ((100, "figure-3"), (400, "figure-4"))
}
SIMULATIONS = tuple(NULL_CASES.values())


def null_case(n: int, drawn: pd.DataFrame, draws: int) -> dict[Key, Value]:
    """Means, standard deviations and their ratios, from what is drawn and what is exact."""
    found = drawn.set_index(["clusters", "quantity"])
    ours: dict[Key, Value] = {}
    ratios: dict[str, list[float]] = {"ARD": [], "RD": []}
    for k in CLUSTERS:
        row = f"r = s = {k}"
        largest_med, largest_rd = (
            max_med(n, k, k, allow_empty=True),
            max_rand_distance(n, k, k, allow_empty=True),
        )
        disagree = Fraction(2 * (k - 1), k**2)
        rd_sd = sqrt(disagree * (1 - disagree) / comb(n, 2))
        ard_mean, ard_sd = found.loc[(k, "ard"), ["ours", "sd"]]
        ard: Value = float(ard_mean) if k == 2 else Drawn(ard_mean, ard_sd, draws)
        if k < 4:
            law, ways = null_med_law(n, k), k ** (2 * n)
            mean = Fraction(sum(m * w for m, w in law.items()), ways * n)
            square = Fraction(sum(m**2 * w for m, w in law.items()), ways * n**2)
            med: Value = mean
            nmed: Value = mean / largest_med
            med_sd = sqrt(square - mean**2)
            top: Value = Fraction(law[int(largest_med * n)], ways)
        else:
            med_mean, med_sd = found.loc[(k, "med"), ["ours", "sd"]]
            med = Drawn(med_mean, med_sd, draws)
            unit = float(largest_med)
            nmed = Drawn(med_mean / unit, med_sd / unit, draws)
            top = float(found["ours"].get((k, "P(largest MED)"), np.nan))
        ours |= {
            (row, "mean MED"): med,
            (row, "mean NMED"): nmed,
            (row, "sd MED"): float(med_sd),
            (row, "mean RD"): disagree,
            (row, "mean NRD"): disagree / largest_rd,
            (row, "sd RD"): rd_sd,
            (row, "mean ARD"): ard,
            (row, "sd ARD"): float(ard_sd),
            (row, "largest MED"): largest_med,
            (row, "P(largest MED)"): top,
        }
        ratios["ARD"].append(float(med_sd / ard_sd))
        ratios["RD"].append(float(med_sd / rd_sd))
    for name, several in ratios.items():
        ours["all", f"least sd MED / sd {name}"] = min(several)
        ours["all", f"most sd MED / sd {name}"] = max(several)
    return ours


def figure_3() -> dict[Key, Value]:
    """Random labels, n = 100: the printed ratios are ranges over r = s = 2 .. 5."""
    return null_case(100, NULL_CASES[100].rows(), NULL_CASES[100].draws)


def figure_4() -> dict[Key, Value]:
    """Random labels, n = 400: the printed ratios are ranges over r = s = 2 .. 5."""
    return null_case(400, NULL_CASES[400].rows(), NULL_CASES[400].draws)


UNEQUAL = ((2, 3), (2, 5), (3, 4), (3, 5))


def null_unequal(
    n: int = 100, shapes: Sequence[tuple[int, int]] = UNEQUAL, draws: int = 10_000
) -> dict[Key, Value]:
    """Random labels of r and s clusters, r < s: means and standard deviations, as in Figures 3 and 4.

    Two objects disagree with probability q = 1/r + 1/s - 2/(rs), the same argument as for r = s.
    """
    ours: dict[Key, Value] = {}
    for r, s in shapes:
        tables = cm.Tables(n, r, s, allow_empty=True)
        law = cm.sample(tables, draws, rng=2019, weight="labelings").distribution("med", "rd", "ard")
        disagree = Fraction(r + s - 2, r * s)
        row = f"r = {r}, s = {s}"
        for name in ("med", "ard"):
            mean, sd = float(law[name].mean()), law[name].std()
            ours[row, f"mean {name.upper()}"] = Drawn(mean, sd, draws)
            ours[row, f"sd {name.upper()}"] = sd
        ours[row, "mean RD"] = disagree
        ours[row, "sd RD"] = sqrt(disagree * (1 - disagree) / comb(n, 2))
        ours[row, "mean RD of the draws"] = Drawn(float(law["rd"].mean()), law["rd"].std(), draws)
        ours[row, "largest MED"] = max_med(n, r, s, allow_empty=True)
    return ours


# --- Section 4.2: all matrices ---------------------------------------------------------------------


def section_4_2() -> dict[Key, Value]:
    """Degree of overlap against the MED: three matrices, and all ways to move objects of clusters of 7, 7, 6."""
    ours: dict[Key, Value] = {}
    for name, matrix in DIVERGING.items():
        ours[name, "degree of overlap"] = 1 - cm.accuracy(matrix, exact=True)
        ours[name, "MED"] = cm.med(matrix, exact=True)
    for overlap, given in overlap_law().groupby("cor"):
        moved = int(N * (1 - overlap))
        ours[f"{moved} of 20 moved", "mean MED"] = given["med"].mean(exact=True)
    return ours


@cache
def overlap_law(sizes: tuple[int, ...] = (7, 7, 6)) -> Any:
    """The MED given the share of objects on the diagonal, over all labelings of clusters of these sizes.

    >>> [(str(value), given.total) for value, given in overlap_law((2, 1)).groupby("cor")]
    [('0', 3), ('1/3', 9), ('2/3', 9), ('1', 3)]
    """
    return cm.joint_distribution(cm.FixedRows(sizes, len(sizes)), "cor", "med", weight="labelings")


@cache
def all_matrices(n: int = N, r: int = 3, s: int = 3) -> Any:
    """MED, RD and ARD, over all matrices of a size."""
    return cm.joint_distribution(cm.Tables(n, r, s), "med", "rd", "ard")


@cache
def given_med(n: int = N, r: int = 3, s: int = 3) -> Any:
    """RD and ARD given the MED, over all matrices of a size.

    >>> [(str(value), given.total) for value, given in given_med()[:2]]
    [('0', 1026), ('1/20', 5508)]
    """
    return list(all_matrices(n, r, s).groupby("med"))


def figure_5() -> dict[Key, Value]:
    """RD and ARD given the MED over (20, 3, 3): moments, quartiles, extremes."""
    ours: dict[Key, Value] = {}
    for med, given in given_med():
        for name in ("rd", "ard"):
            for key, x in given[name]._numbers().items():
                ours[over(med), f"{name.upper()} {key}"] = x
    rows = dict(given_med())
    ours["all", "matrices"] = all_matrices().total
    ours["all", "MED at the largest ARD"] = max(rows, key=lambda med: rows[med]["ard"].max())
    ours["all", "MED at the largest mean ARD"] = max(rows, key=lambda med: rows[med]["ard"].mean())
    return ours


def figure_5_vi() -> dict[Key, Value]:
    """Meila's variation of information (nats) given the MED, beside RD and ARD of Figure 5."""
    ours: dict[Key, Value] = {}
    for med, given in cm.joint_distribution(cm.Tables(N, 3, 3), "med", "vi").groupby("med"):
        law = given["vi"]
        ours |= {
            (over(med), "VI min"): float(law.min()),
            (over(med), "VI mean"): float(law.mean()),
            (over(med), "VI max"): float(law.max()),
        }
    return ours


def outlier() -> dict[Key, Value]:
    """The matrix of (20, 3, 3) with the largest ARD at MED = 4/20."""
    matrix = all_matrices().given("med=4/20")["ard"].argmax()
    cells: dict[Key, Value] = {
        ("cell", f"({i + 1}, {j + 1})"): int(x) for (i, j), x in np.ndenumerate(matrix)
    }
    return cells | distances({"distance": matrix})


FIGURE_6_MEDS = ("1/20", "13/20")


def figure_6() -> dict[Key, Value]:
    """RD at the lowest positive and the highest MED of (20, 3, 3)."""
    ours: dict[Key, Value] = {}
    for med in FIGURE_6_MEDS:
        law, given = all_matrices().given(f"med={med}")["rd"], f"MED {med}"
        ours |= {(given, f"P(RD = {x})"): Fraction(weight, law.total) for x, weight in law}
        mean = law.mean(exact=True)
        third = sum((x - mean) ** 3 * weight for x, weight in law) / law.total
        ours[given, "mean RD"], ours[given, "variance of RD"] = mean, law.var(exact=True)
        ours[given, "skewness of RD"] = float(third) / law.std() ** 3
    return ours


def figure_7() -> dict[Key, Value]:
    """The law of the MED over (20, 3, 3)."""
    ours: dict[Key, Value] = {}
    total = all_matrices().total
    for med, given in given_med():
        ours[over(med), "matrices"] = given.total
        ours[over(med), "probability"] = Fraction(given.total, total)
    return ours | {("all", "matrices"): total}


@cache
def large_record() -> dict[str, Any]:
    """The recorded enumeration of (50, 4, 4).

    >>> large_record()["total"], large_record()["med_counts"][:2]
    (204063621701016, [442176, 4981248])
    """
    return dict(json.loads((FOLDER / "tables_50_4_4.json").read_text()))


def figure_8() -> dict[Key, Value]:
    """Means given the MED, and its law, over all of (50, 4, 4): recorded."""
    record = large_record()
    columns = record["med_counts"], record["conditional_mean_rd"], record["conditional_mean_ard"]
    ours: dict[Key, Value] = {}
    for m, (count, rd, ard) in enumerate(zip(*columns)):
        ours[f"MED {m}/50", "matrices"] = count
        ours[f"MED {m}/50", "mean RD"] = Fraction(rd)
        ours[f"MED {m}/50", "mean ARD"] = ard
    ours["all", "matrices"] = record["total"]
    ours["all", "rejection rate"] = 1 - Fraction(record["total"], comb(65, 15))
    return ours


# --- Appendix A: the printed R function ------------------------------------------------------------

R_FUNCTION = """
med <- function(labels1, labels2){
n <- length(labels1)
N <- table(labels1, labels2)
r <- nrow(N)
s <- ncol(N)
if (r>s) N <- t(N); r <- nrow(N); s <- ncol(N)
if (r<s) N <- rbind(N, matrix(0, nrow = s-r, ncol = s))
M <- matrix(rowSums(N), nrow = s, ncol = s) + matrix(colSums(N), nrow = s, ncol = s, byrow = TRUE) - 2 * N
optimal.permutation <- solve_LSAP(M)
result <- sum(M[cbind(seq_along(optimal.permutation), optimal.permutation)]) / (2 * n)
return(result)
}
"""


def med_as_in_r(N: np.ndarray) -> Fraction:
    """The lines of `R_FUNCTION` from the table on: solve_LSAP is SciPy's linear_sum_assignment.

    >>> med_as_in_r(np.array(STEINLEY["Steinley"]))
    Fraction(8, 13)
    """
    from scipy.optimize import linear_sum_assignment

    n = int(N.sum())
    r, s = N.shape
    if r > s:
        N = N.T
    r, s = N.shape
    if r < s:
        N = np.vstack([N, np.zeros((s - r, s), int)])
    M = N.sum(axis=1)[:, None] + N.sum(axis=0)[None, :] - 2 * N
    optimal_permutation = linear_sum_assignment(M)
    return Fraction(int(M[optimal_permutation].sum()), 2 * n)


def appendix_a() -> dict[Key, Value]:
    """The printed R function, line by line, and `confmat.med` on every table of some classes."""
    ours: dict[Key, Value] = {}
    for size in ((7, 2, 2), (7, 2, 3), (7, 3, 2), (6, 3, 3), (5, 3, 4)):
        tables = list(cm.Tables(*size))
        different = [table for table in tables if med_as_in_r(table) != cm.med(table, exact=True)]
        ours[str(size), "tables"] = len(tables)
        ours[str(size), "tables where they differ"] = len(different)
    return ours


# --- the paper's questions at sizes of one's own ---------------------------------------------------


def at_sizes(n: int, r: int, s: int, draws: int = 10_000) -> dict[Key, Value]:
    """What the paper asks of (20, 3, 3) and (50, 4, 4), and of random labels, at other sizes.

    >>> ours = at_sizes(8, 2, 3, draws=100)
    >>> ours["all", "matrices"], ours["MED 1/8", "matrices"]
    (777, 66)
    """
    rows = given_med(n, r, s)
    total = all_matrices(n, r, s).total
    ours: dict[Key, Value] = {("all", "matrices"): total}
    ours["all", "largest MED"] = max_med(n, r, s)
    ours["all", "largest RD"] = max_rand_distance(n, r, s)
    ours["all", "largest ARD"] = max(given["ard"].max() for _, given in rows)
    if n % (r * s) == 0:
        ours["all", "NRD of independent clusterings"] = cm.nrd(np.full((r, s), n // (r * s)), exact=True)
    for med, given in rows:
        at = over(med, n)
        ours[at, "matrices"], ours[at, "probability"] = given.total, Fraction(given.total, total)
        for name in ("rd", "ard"):
            law = given[name]
            ours[at, f"mean {name.upper()}"] = law.mean(exact=True)
            ours[at, f"{name.upper()} from"], ours[at, f"{name.upper()} to"] = law.min(), law.max()
    return ours | null_unequal(n, [(r, s)], draws)


def main(arguments: list[str] | None = None) -> int:
    from protocols import positive, print_table

    parser = argparse.ArgumentParser(prog="chacon2019.py", description=main_text())
    parser.add_argument("--n", type=positive, required=True, help="objects")
    parser.add_argument("--r", type=positive, required=True, help="clusters of the first clustering")
    parser.add_argument("--s", type=positive, required=True, help="clusters of the second clustering")
    parser.add_argument("--draws", type=positive, default=10_000, help="of random labels (default 10000)")
    chosen = parser.parse_args(arguments)
    if min(chosen.r, chosen.s) < 2 or chosen.n < max(chosen.r, chosen.s):
        parser.error(f"--r and --s must be from 2 to n, got n = {chosen.n}, r = {chosen.r}, s = {chosen.s}")
    print_table(at_sizes(chosen.n, chosen.r, chosen.s, chosen.draws))
    return 0


def main_text() -> str:
    return "MED, RD and ARD over all r x s matrices of n objects, and of random labels."


if __name__ == "__main__":
    sys.exit(main())
