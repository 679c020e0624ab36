"""Amodio, D'Ambrosio, Iorio & Siciliano (2015), the adjusted concordance index (ACI) of fuzzy partitions.

    python notebooks/papers/compare.py amodio2015
    python notebooks/papers/amodio2015.py --k 3,5 --data mine.csv [--class y]     the same comparisons on your own data

The tables of simulations are single random draws; ours are means over many draws of the same designs, with the standard
deviation of one draw, recorded.  Not stated in the paper and chosen here: clusters as equal as n allows, fuzzifier 2,
one covariance matrix a data set in Table 4, the best of five starts of each clustering.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import data_sets
from confmat.indices import soft
from digits import Drawn, Key, Value
from fuzzy_clusterings import fuzzy_c_means, pd_clustering, pd_of_classes
from records import Simulation, tracked

Index = Callable[[Any, Any], Any]
Draw = Callable[[np.random.Generator], dict[Key, float]]

RANDS: dict[str, Index] = {
    "NDC": soft.ndc,
    "Brouwer": soft.brouwer_rand,
    "Campello": soft.campello_rand,
    "Anderson": soft.anderson_rand,
}
ADJUSTED: dict[str, Index] = {
    "ACI": soft.aci,
    "Brouwer adj.": soft.brouwer_adjusted_rand,
    "Campello adj.": soft.campello_adjusted_rand,
    "Anderson adj.": soft.anderson_adjusted_rand,
}
INDICES = RANDS | ADJUSTED

SEED, DRAWS, PRINTED_DATA_SETS = 2015, 100, 1000


# --- the designs ----------------------------------------------------------------------------------

CENTRES = np.array([[-2, -2], [2, 2], [0, 0], [-2, 2], [2, -2], [-4, 4], [4, -4], [9, 9]], dtype=float)
"""mu_1 .. mu_8: data set c of Tables 1 and 4 takes the first c + 1."""

VARIANCES = {"S1": 0.01, "S2": 0.25, "S3": 1.0}
"""The covariance matrices of Table 1 are these multiples of the identity."""


def gaussian_mixture(
    centres: np.ndarray, covariance: np.ndarray, n: int, rng: np.random.Generator
) -> data_sets.Data:
    """n points in turn from the normal distributions around the centres: (X, y), X of shape (n, 2).

    >>> X, y = gaussian_mixture(CENTRES[:2], 1e-6 * np.eye(2), 4, np.random.default_rng(0))
    >>> abs(X.round(2)).tolist(), y.tolist()
    ([[2.0, 2.0], [2.0, 2.0], [2.0, 2.0], [2.0, 2.0]], [0, 1, 0, 1])
    """
    y = np.arange(n) % len(centres)
    noise = rng.multivariate_normal(np.zeros(centres.shape[1]), covariance, size=n)
    return centres[y] + noise, y


def first_design(rng: np.random.Generator, n: int = 100) -> dict[str, data_sets.Data]:
    """The twelve data sets of Table 1 and of the random case: name -> (X, y).

    >>> data = first_design(np.random.default_rng(0))
    >>> list(data)[::4], data["random 2"][0].shape
    (['2 centers S1', '3 centers S2', '4 centers S3'], (100, 2))
    """
    data = {}
    for c in (2, 3, 4):
        for name, variance in VARIANCES.items():
            data[f"{c} centers {name}"] = gaussian_mixture(CENTRES[:c], variance * np.eye(2), n, rng)
    for c in (2, 3, 4):
        data[f"random {c}"] = gaussian_mixture(np.zeros((c, 2)), 0.8 * np.eye(2), n, rng)
    return data


def second_design(rng: np.random.Generator, n: int = 120) -> list[np.ndarray]:
    """The seven data sets of Table 4: 2 to 8 clusters, covariance diag(alpha), alpha uniform on (0.1, 1).

    >>> [X.shape for X in second_design(np.random.default_rng(0))][:2]
    [(120, 2), (120, 2)]
    """
    return [
        gaussian_mixture(CENTRES[:c], np.diag(rng.uniform(0.1, 1, size=2)), n, rng)[0] for c in range(2, 9)
    ]


# --- one draw of each table -----------------------------------------------------------------------


def indices(row: str, U: Any, V: Any, functions: Mapping[str, Index]) -> dict[Key, float]:
    """Indices of two partitions, as a row.

    >>> indices("crisp", [0, 0, 1], [0, 0, 1], {"NDC": soft.ndc})
    {('crisp', 'NDC'): 1.0}
    """
    return {(row, name): float(function(U, V)) for name, function in functions.items()}


def draw_crisp(functions: Mapping[str, Index], rng: np.random.Generator) -> dict[Key, float]:
    """Tables 2 and 3: the known classes against fuzzy c-means."""
    values: dict[Key, float] = {}
    for name, (X, y) in first_design(rng).items():
        values |= indices(name, y, fuzzy_c_means(X, len(np.unique(y)), rng=rng), functions)
    return values


def draw_numbers_of_clusters(index: Index, rng: np.random.Generator) -> dict[Key, float]:
    """Tables 5 and 6: fuzzy c-means with the true number of clusters against 2 to 8 clusters."""
    values: dict[Key, float] = {}
    for number, X in enumerate(second_design(rng), start=1):
        solutions = {c: fuzzy_c_means(X, c, rng=rng) for c in range(2, 9)}
        for c, solution in solutions.items():
            values[f"data set {number}", f"C={c}"] = float(index(solutions[number + 1], solution))
    return values


def draw_true(random: bool, estimated: bool, rng: np.random.Generator) -> dict[Key, float]:
    """Tables 7-10: the PD memberships of the classes against PD-clustering, or against themselves."""
    values: dict[Key, float] = {}
    for name, (X, y) in first_design(rng).items():
        if name.startswith("random") == random:
            true = pd_of_classes(X, y)
            other = pd_clustering(X, true.shape[1], rng=rng) if estimated else true
            values |= indices(name, true, other, INDICES)
    return values


def replicated(draw: Draw, replications: int, seed: int) -> pd.DataFrame:
    """Mean and standard deviation of every entry of a table over seeded draws."""
    draws = [draw(np.random.default_rng([seed, number])) for number in tracked(range(replications), "draws")]
    values = pd.DataFrame(draws)
    index = pd.MultiIndex.from_tuples(draws[0], names=["row", "column"])
    columns = {"ours": values.mean().to_numpy(), "sd": values.std().to_numpy()}
    return pd.DataFrame(columns, index).reset_index()


DRAWS_OF = {
    "table-2": partial(draw_crisp, RANDS),
    "table-3": partial(draw_crisp, ADJUSTED),
    "table-5": partial(draw_numbers_of_clusters, soft.ndc),
    "table-6": partial(draw_numbers_of_clusters, soft.aci),
    "table-7": partial(draw_true, False, True),
    "table-8": partial(draw_true, False, False),
    "table-9": partial(draw_true, True, True),
    "table-10": partial(draw_true, True, False),
}
TABLES = {
    name: Simulation("amodio2015", name, partial(replicated, draw), DRAWS, SEED)
    for name, draw in DRAWS_OF.items()
}


def simulated(name: str) -> dict[Key, Value]:
    """The recorded means of a table, with the standard deviation of one draw."""
    design = TABLES[name]
    return {
        (row, column): Drawn(mean, sd, design.draws)
        for row, column, mean, sd in design.rows().itertuples(index=False)
    }


def table_2() -> dict[Key, Value]:
    """Fuzzy Rand indices of the classes against fuzzy c-means."""
    return simulated("table-2")


def table_3() -> dict[Key, Value]:
    """Adjusted indices of the classes against fuzzy c-means."""
    return simulated("table-3")


def table_5() -> dict[Key, Value]:
    """NDC between numbers of clusters."""
    return simulated("table-5")


def table_6() -> dict[Key, Value]:
    """ACI between numbers of clusters."""
    return simulated("table-6")


def table_7() -> dict[Key, Value]:
    """PD memberships of the classes against PD-clustering."""
    return simulated("table-7")


def table_8() -> dict[Key, Value]:
    """PD memberships of the classes against themselves."""
    return simulated("table-8")


def table_9() -> dict[Key, Value]:
    """Random data: PD memberships of the classes against PD-clustering."""
    return simulated("table-9")


def table_10() -> dict[Key, Value]:
    """Random data: PD memberships of the classes against themselves."""
    return simulated("table-10")


# --- Section 4: examples and the bias -------------------------------------------------------------


def toy() -> dict[Key, Value]:
    """NDC, its mean over the 720 relabelings of the pairs, and the ACI of four objects."""
    P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    ours = {"NDC": soft.ndc(P, Q), "expected NDC": soft.expected_ndc(P, Q), "ACI": soft.aci(P, Q)}
    return {("four objects", name): float(x) for name, x in ours.items()}


def toy_crisp() -> dict[Key, Value]:
    """The four kinds of pairs, RI and ARI, from the similarities of pairs."""
    pairs = soft.huellermeier_pairs([0, 0, 1, 0], [0, 1, 1, 0], exact=True)
    values = (pairs.a, pairs.b, pairs.c, pairs.d, pairs.rand(), pairs.adjusted_rand())
    names = ("a", "b", "c", "d", "RI", "ARI")
    return {("four objects", name): Fraction(x) for name, x in zip(names, values)}


def bias_experiment(replications: int, seed: int) -> pd.DataFrame:
    """Mean of ACI - ARI over classes against k-means (Section 4): exactly 0, as the expectation is exact.

    n in 100..1200, 2 to 10 clusters in 2 to 10 dimensions, covariance alpha I with alpha in (0.1, 3); both
    indices are Fractions.  The design leaves the centres open: here uniform on [-3, 3] in each coordinate.

    >>> bias_experiment(1, 2015)["ours"].to_list()
    [0.0]
    """
    from scipy.cluster.vq import kmeans2

    differences = []
    for number in tracked(range(replications), "data sets"):
        rng = np.random.default_rng([seed, number])
        n, c, p = (int(rng.integers(low, high)) for low, high in ((100, 1201), (2, 11), (2, 11)))
        centres = rng.uniform(-3, 3, size=(c, p))
        X, y = gaussian_mixture(centres, rng.uniform(0.1, 3) * np.eye(p), n, rng)
        _, found = kmeans2(X, c, minit="++", rng=rng)
        differences.append(soft.aci(y, found, exact=True) - soft.sari(y, found, exact=True))
    mean = float(Fraction(sum(differences)) / replications)
    return pd.DataFrame({"row": ["mean"], "column": ["ACI - ARI"], "ours": [mean]})


BIAS = Simulation("amodio2015", "bias", bias_experiment, PRINTED_DATA_SETS, SEED)


def bias() -> dict[Key, Value]:
    """ACI against ARI on hard partitions: a thousand data sets, both exact, recorded."""
    return {("mean", "ACI - ARI"): float(BIAS.rows()["ours"].item())}


# --- Table 11: real data --------------------------------------------------------------------------

REAL = {
    "Vehicle": "vehicle",
    "Sonar": "sonar",
    "Pima": "pima",
    "Iris": "iris",
    "Ionosphere": "ionosphere",
    "Flags": "flags",
}
PAIRED = [name for pair in zip(RANDS, ADJUSTED) for name in pair]


def load(name: str) -> data_sets.Data:
    """A data set of Table 11; that of irises comes with scikit-learn."""
    if name != "iris":
        return data_sets.load(name)
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    return X, y


def true_and_found(X: np.ndarray, y: np.ndarray, seed: int = SEED) -> dict[Key, float]:
    """Indices of the PD memberships of the classes against themselves ("true") and PD-clustering ("PD").

    >>> ours = true_and_found(np.array([[0.0], [1.0], [9.0], [10.0]]), np.array([0, 0, 1, 1]))
    >>> ours["NDC", "true"], round(ours["NDC", "PD"], 2)
    (1.0, 0.93)
    """
    true = pd_of_classes(X, y)
    found = pd_clustering(X, true.shape[1], starts=20, rng=seed)
    return {
        (name, compared): float(INDICES[name](true, other))
        for name in PAIRED
        for compared, other in (("true", true), ("PD", found))
    }


def draw_pima(replications: int, seed: int) -> pd.DataFrame:
    """The rows of Pima, whose data are not kept here."""
    rows = [(*key, x) for key, x in true_and_found(*load("pima"), seed=seed).items()]
    return pd.DataFrame(rows, columns=["index", "compared with", "ours"])


PIMA = Simulation("amodio2015", "table-11-pima", draw_pima, 1, SEED)
SIMULATIONS = (*TABLES.values(), BIAS, PIMA)


def table_11() -> dict[Key, Value]:
    """Real data: PD memberships of the classes against themselves and PD-clustering, the best of 20 starts."""
    ours: dict[Key, Value] = {}
    for title, name in REAL.items():
        try:
            values = true_and_found(*load(name))
        except data_sets.NotHere:
            values = {}
            if name == "pima":
                values = {(index, compared): x for index, compared, x in PIMA.rows().itertuples(index=False)}
        ours |= {(f"{title}, {index}", compared): x for (index, compared), x in values.items()}
    return ours


def table_11_sizes() -> dict[Key, Value]:
    """Objects, variables and classes of the data sets found; the paper prints the numbers of classes alone."""
    ours: dict[Key, Value] = {}
    for title, name in REAL.items():
        if name == "iris":
            X, _ = load(name)
            sizes = X.shape[0], X.shape[1], [50, 50, 50]
        else:
            found = data_sets.sizes(name)
            if found is None:
                continue
            sizes = found
        ours[title, "objects"], ours[title, "variables"] = sizes[0], sizes[1]
        ours[title, "classes"] = len(sizes[2])
        ours[title, "class sizes"] = "-".join(map(str, sizes[2]))
    return ours


# --- data of one's own ----------------------------------------------------------------------------


def on_own_data(
    X: np.ndarray, y: np.ndarray | None, ks: list[int], fuzzifier: float, seed: int
) -> dict[Key, Value]:
    """Fuzzy c-means with each number of clusters against each other, and against the PD memberships of the classes.

    >>> X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])
    >>> ours = on_own_data(X, None, [2, 3], 2.0, 1)
    >>> list(dict.fromkeys(row for row, _ in ours))
    ['k = 2 against k = 3']
    """
    rng = np.random.default_rng(seed)
    found = {f"k = {k}": fuzzy_c_means(X, k, fuzzifier=fuzzifier, rng=rng) for k in ks}
    if y is not None:
        found = {"classes": pd_of_classes(X, y)} | found
    ours: dict[Key, Value] = {}
    for first, second in combinations(found, 2):
        ours |= indices(f"{first} against {second}", found[first], found[second], INDICES)
    return ours


def main(arguments: list[str] | None = None) -> int:
    from protocols import numbers, print_table, read_features

    parser = argparse.ArgumentParser(
        prog="amodio2015.py",
        description="Soft indices between fuzzy c-means with several numbers of clusters.",
    )
    parser.add_argument("--data", type=Path, required=True, help="a CSV file of numbers, an object a row")
    parser.add_argument("--k", type=numbers, required=True, help="numbers of clusters, apart by commas")
    parser.add_argument("--class", dest="label", help="the column of known classes")
    parser.add_argument("--fuzzifier", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args(arguments)
    if len(set(chosen.k)) + (chosen.label is not None) < 2:
        parser.error(f"--k must name two numbers of clusters where there is no --class, got {chosen.k[0]}")
    try:
        frame, y = read_features(chosen.data, chosen.label)
        ours = on_own_data(frame.to_numpy(float), y, chosen.k, chosen.fuzzifier, chosen.seed)
    except ValueError as error:
        parser.error(str(error))
    print_table(ours)
    return 0


if __name__ == "__main__":
    sys.exit(main())
