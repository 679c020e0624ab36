"""Amodio, D'Ambrosio, Iorio & Siciliano (2015), Adjusted Concordance Index: its simulations and tables.

The tables are single random draws; ours are means over many draws of the same designs, with their standard
deviations, recorded.  Not stated in the paper and chosen here: clusters as equal as n allows, fuzzifier 2, one
covariance matrix a data set in Table 4, the best of five starts of each clustering.

The printed values lie within three of our standard deviations but for: "3 centers" at S2 and S3 (Tables 2,
3, 7, 8), where less overlap was drawn than the design gives (S1 agrees); some entries of data sets 1, 4 and
5 of Tables 5 and 6; and "4 centers S1" of Table 7, a poor local optimum of the clustering.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from operator import methodcaller

import numpy as np
import pandas as pd

from confmat.indices import soft
from confmat.indices.soft.memberships import tracked
from confmat.studies import PaperItem, without_numbers
from confmat.studies.amodio2015_designs import (
    VARIANCES,
    first_design,
    gaussian_mixture,
    second_design,
)
from confmat.studies.fuzzy_clustering import fuzzy_c_means, pd_clustering, pd_of_classes
from confmat.studies.records import Simulation

Key = tuple[str, str]
Draw = Callable[[np.random.Generator], Mapping[Key, float]]

RANDS: dict[str, Callable[..., soft.Number]] = {
    "NDC": soft.ndc,
    "Brouwer": soft.brouwer_rand,
    "Campello": soft.campello_rand,
    "Anderson": soft.anderson_rand,
}
ADJUSTED: dict[str, Callable[..., soft.Number]] = {
    "ACI": soft.aci,
    "Brouwer adj.": soft.brouwer_adjusted_rand,
    "Campello adj.": soft.campello_adjusted_rand,
    "Anderson adj.": soft.anderson_adjusted_rand,
}


RECORDED_DRAWS, PRINTED_DATA_SETS = 100, 1000
ONE_DRAW = (
    f"The paper prints one draw, ours are means over {RECORDED_DRAWS}; cluster sizes and fuzzifier are ours."
)

# One draw of each table: (row, column) -> value.


def _indices(
    row: str, U: object, V: object, functions: Mapping[str, Callable[..., soft.Number]]
) -> dict[Key, float]:
    return {(row, name): float(function(U, V)) for name, function in functions.items()}


def _draw_crisp(
    functions: Mapping[str, Callable[..., soft.Number]], rng: np.random.Generator
) -> dict[Key, float]:
    """Tables 2 and 3: the known classes against fuzzy c-means."""
    values: dict[Key, float] = {}
    for name, (X, y) in first_design(rng).items():
        values |= _indices(name, y, fuzzy_c_means(X, len(np.unique(y)), rng=rng), functions)
    return values


def _draw_numbers_of_clusters(
    index: Callable[..., soft.Number], rng: np.random.Generator
) -> dict[Key, float]:
    """Tables 5 and 6: fuzzy c-means with the true number of clusters against 2 to 8 clusters."""
    values: dict[Key, float] = {}
    for number, X in enumerate(second_design(rng), start=1):
        solutions = {c: fuzzy_c_means(X, c, rng=rng) for c in range(2, 9)}
        for c, solution in solutions.items():
            values[f"data set {number}", f"C={c}"] = float(index(solutions[number + 1], solution))
    return values


def _draw_true(random: bool, estimated: bool, rng: np.random.Generator) -> dict[Key, float]:
    """Tables 7-10: the PD memberships of the classes against PD-clustering, or against themselves."""
    values: dict[Key, float] = {}
    for name, (X, y) in first_design(rng).items():
        if name.startswith("random") == random:
            true = pd_of_classes(X, y)
            other = pd_clustering(X, true.shape[1], rng=rng) if estimated else true
            values |= _indices(name, true, other, RANDS | ADJUSTED)
    return values


def _replicated(draw: Draw, replications: int, seed: int, progress: bool) -> pd.DataFrame:
    """Mean and standard deviation of every entry of a table over seeded draws."""
    draws = [
        draw(np.random.default_rng([seed, number]))
        for number in tracked(range(replications), "replications", progress)
    ]
    values = pd.DataFrame(draws)
    index = pd.MultiIndex.from_tuples(draws[0], names=["row", "column"])
    columns = {"ours": values.mean().to_numpy(), "sd": values.std().to_numpy()}
    return pd.DataFrame(columns, index).reset_index()


# Printed values.


def _printed(columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> dict[Key, float]:
    return {(row, column): value for row, values in rows.items() for column, value in zip(columns, values)}


_ROWS = [f"{c} centers {s}" for c in (2, 3, 4) for s in VARIANCES] + [f"random {c}" for c in (2, 3, 4)]
_C = [f"C={c}" for c in range(2, 9)]


def _grid(columns: Sequence[str], rows: Sequence[str], numbers: str) -> dict[Key, float]:
    values = [float(number) for number in numbers.split()]
    width = len(columns)
    return _printed(columns, {row: values[i * width : (i + 1) * width] for i, row in enumerate(rows)})


TABLE_2 = _grid(
    list(RANDS),
    _ROWS,
    """0.9992 0.9995 0.9992 0.9989
       0.9777 0.9846 0.9779 0.9709
       0.9097 0.9280 0.9101 0.8857
       0.9961 0.9977 0.9970 0.9955
       0.9487 0.9630 0.9511 0.9417
       0.8545 0.8617 0.8486 0.8393
       0.9947 0.9972 0.9968 0.9944
       0.8820 0.9125 0.9154 0.8888
       0.7187 0.7350 0.7639 0.7598
       0.4963 0.4954 0.4979 0.4953
       0.4982 0.4720 0.5318 0.5527
       0.5231 0.4910 0.5721 0.6207""",
)
TABLE_3 = _grid(
    list(ADJUSTED),
    _ROWS,
    """0.9984 0.9989 0.9984 0.9978
       0.9555 0.9693 0.9557 0.9419
       0.8196 0.8561 0.8202 0.7714
       0.9912 0.9948 0.9932 0.9897
       0.8852 0.9181 0.8906 0.8676
       0.6848 0.7104 0.6714 0.6391
       0.9855 0.9923 0.9913 0.9848
       0.7025 0.7844 0.7824 0.6974
       0.3607 0.4282 0.4311 0.3491
       -0.0047 -0.0043 -0.0042 -0.0094
       -0.0055 -0.0062 -0.0076 -0.0167
       0.0005 0.0011 0.0008 -0.0188""",
)
_SETS = [f"data set {number}" for number in range(1, 8)]
TABLE_5 = _grid(
    _C,
    _SETS,
    """1.0000 0.9012 0.8423 0.7895 0.7607 0.7558 0.7236
       0.8125 1.0000 0.8945 0.8853 0.8610 0.8252 0.8182
       0.7027 0.8681 1.0000 0.9304 0.9083 0.8925 0.8687
       0.7024 0.8346 0.9201 1.0000 0.9668 0.9291 0.9157
       0.6850 0.8231 0.8820 0.9275 1.0000 0.9511 0.9286
       0.6173 0.7582 0.8438 0.8944 0.9513 1.0000 0.9728
       0.4540 0.6973 0.8084 0.8776 0.9177 0.9551 1.0000""",
)
TABLE_6 = _grid(
    _C,
    _SETS,
    """1.0000 0.7895 0.6606 0.5484 0.4879 0.4768 0.4093
       0.5550 1.0000 0.7196 0.6889 0.6188 0.5092 0.4870
       0.2743 0.6221 1.0000 0.7774 0.7000 0.6416 0.5539
       0.3319 0.5603 0.7685 1.0000 0.8964 0.7652 0.7188
       0.2624 0.4906 0.6230 0.7530 1.0000 0.8235 0.7318
       0.1755 0.3461 0.5082 0.6399 0.8201 1.0000 0.8927
       0.1002 0.2751 0.4457 0.5863 0.6985 0.8254 1.0000""",
)


def _blocks(rows: Sequence[str], numbers: str) -> dict[Key, float]:
    """Tables 7 and 8: a line per number of centers; three values of an index, three of its adjusted form."""
    values = iter(float(number) for number in numbers.split())
    table: dict[Key, float] = {}
    for plain, adjusted in zip(RANDS, ADJUSTED):
        for line in range(0, len(rows), 3):
            for index in (plain, adjusted):
                table |= {(row, index): next(values) for row in rows[line : line + 3]}
    return table


TABLE_7 = _blocks(
    _ROWS[:9],
    """0.9988 0.9922 0.9808 0.9975 0.9810 0.9413
       0.9963 0.9834 0.9812 0.9908 0.9524 0.9405
       0.8557 0.9639 0.8915 0.6201 0.8639 0.5038
       0.959507 0.834307 0.760977 0.918929 0.654738 0.429033
       0.913283 0.762435 0.697006 0.814727 0.524424 0.37679
       0.712589 0.669445 0.652062 0.423158 0.337953 0.191748
       0.950726 0.804091 0.686992 0.901445 0.608165 0.373974
       0.91354 0.757514 0.665499 0.811207 0.499784 0.325355
       0.73316 0.701056 0.584516 0.424566 0.370523 0.156312
       0.922612 0.718153 0.592507 0.845209 0.436248 0.184937
       0.854373 0.69217 0.63614 0.668937 0.307852 0.203322
       0.732508 0.667434 0.632849 0.289444 0.095834 0.002191""",
)
TABLE_8 = _blocks(
    _ROWS[:9],
    """1 1 1 1 1 1
       1 1 1 1 1 1
       1 1 1 1 1 1
       0.9595 0.8344 0.7610 0.9189 0.6550 0.4287
       0.9132 0.7619 0.6971 0.8146 0.5233 0.3768
       0.8947 0.6681 0.6623 0.7493 0.3349 0.2127
       0.9508 0.8055 0.6913 0.9016 0.6109 0.3826
       0.9138 0.7597 0.6692 0.8119 0.5044 0.3329
       0.9112 0.7056 0.6124 0.7830 0.3801 0.2112
       0.9225 0.7182 0.5919 0.8451 0.4363 0.1837
       0.8542 0.6912 0.6357 0.6685 0.3057 0.2024
       0.8419 0.6658 0.6331 0.5696 0.0913 0.0018""",
)
_PAIRED = [name for pair in zip(RANDS, ADJUSTED) for name in pair]
TABLE_9 = _grid(
    _PAIRED,
    _ROWS[9:],
    """0.8125 -0.0055 0.8789 -0.0017 0.4999 -0.0002 0.4949 -0.0102
       0.7836 0.0478 0.7867 0.0130 0.5106 0.0206 0.5514 -0.0195
       0.8250 0.1242 0.7685 0.0450 0.5152 0.0283 0.6218 -0.0290""",
)
TABLE_10 = _grid(
    _PAIRED,
    _ROWS[9:],
    """1 1 0.9886 0.0141 0.5086 0.0173 0.4950 -0.0102
       1 1 0.9493 0.0599 0.5147 0.0293 0.5512 -0.0202
       1 1 0.8661 0.1352 0.5271 0.0532 0.6216 -0.0294""",
)
_COMPARED = ["true", "PD"]
_REAL = {
    "Vehicle": """1.0000 0.8085 1.0000 0.3008 0.7670 0.6526 0.2159 0.1639
                  0.5699 0.5325 0.1397 0.0656 0.6227 0.6261 0.0223 0.0272""",
    "Sonar": """1.0000 0.9647 1.0000 -0.0001 0.9924 0.9962 0.0070 0.0000
                0.5072 0.5000 0.0144 0.0000 0.4976 0.4976 -0.0048 -0.0049""",
    "Pima": """1.0000 0.8125 1.0000 0.1431 0.9365 0.8039 0.0648 0.0407
               0.5333 0.5265 0.0665 0.0528 0.5003 0.5025 0.0007 0.0050""",
    "Iris": """1.0000 0.9780 1.0000 0.9298 0.7211 0.7229 0.4096 0.4107
               0.6552 0.6477 0.3005 0.2860 0.6167 0.6160 0.1321 0.1305""",
    "Ionosphere": """1.0000 0.8979 1.0000 0.2488 0.9596 0.9028 0.0390 0.0440
                     0.5185 0.5168 0.0371 0.0336 0.4989 0.4997 -0.0022 -0.0005""",
    "Flags": """1.0000 0.6828 1.0000 0.1448 0.7300 0.5301 0.3437 0.1202
                0.5823 0.5573 0.1575 0.0938 0.7333 0.7317 0.0103 0.0108""",
}
TABLE_11 = {
    (name, *key): value
    for name, numbers in _REAL.items()
    for key, value in _grid(_COMPARED, _PAIRED, numbers).items()
}


# Tables.


def toy_example() -> pd.DataFrame:
    """The example of Section 4: NDC, its mean over the 720 relabelings of the pairs, and the ACI.

    >>> toy_example()["ours"].astype(float).round(4).to_dict()
    {'NDC': 0.6367, 'expected NDC': 0.6972, 'ACI': -0.2}
    """
    P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    ours = {"NDC": soft.ndc(P, Q), "expected NDC": soft.expected_ndc(P, Q), "ACI": soft.aci(P, Q)}
    return pd.DataFrame({"ours": ours})


def crisp_example() -> pd.DataFrame:
    """The crisp example of Section 4: its four kinds of pairs, RI and ARI, from the similarities of pairs.

    >>> crisp_example()["ours"].to_list()
    [1.0, 2.0, 1.0, 2.0, 0.5, 0.0]
    """
    pairs = soft.huellermeier_pairs([0, 0, 1, 0], [0, 1, 1, 0], exact=True)
    values = (pairs.a, pairs.b, pairs.c, pairs.d, pairs.rand(), pairs.adjusted_rand())
    return pd.DataFrame({"ours": dict(zip(CRISP, map(float, values)))})


CRISP = {"a": 1, "b": 2, "c": 1, "d": 2, "RI": 0.5, "ARI": 0}
TOY = {"NDC": 0.6367, "expected NDC": 0.6972, "ACI": -0.200}


def table_11(X: np.ndarray, y: np.ndarray, *, seed: int = 2015) -> pd.DataFrame:
    """Table 11 for any labelled data: PD memberships of the classes against themselves and PD-clustering.

    ``X`` is an (n, p) matrix of quantitative variables, ``y`` the n classes.  Rows: (index, "true") and
    (index, "PD"), PD-clustering.

    >>> X = np.array([[0.0], [1.0], [9.0], [10.0]])
    >>> table_11(X, [0, 0, 1, 1]).loc["NDC", "ours"].round(2).to_dict()
    {'true': 1.0, 'PD': 0.93}
    """
    X, y = np.asarray(X, float), np.asarray(y)
    if X.ndim != 2 or len(X) != len(y):
        raise ValueError(f"X must be a matrix with one row a class label, got {X.shape} and {y.shape}")
    true = pd_of_classes(X, y)
    found = pd_clustering(X, true.shape[1], starts=20, rng=seed)
    values = {
        (name, compared): float((RANDS | ADJUSTED)[name](true, other))
        for name in _PAIRED
        for compared, other in zip(_COMPARED, (true, found))
    }
    return pd.DataFrame({"ours": values}).rename_axis(["index", "compared with"])


def table_11_at_hand(seed: int = 2015) -> pd.DataFrame:
    """Table 11 for the iris data (needs scikit-learn: the extra ``ml``), the one data set of six at hand.

    >>> table_11_at_hand().loc["Iris"].loc["NDC", "ours"].round(2).to_dict()
    {'true': 1.0, 'PD': 0.98}
    """
    try:
        from sklearn.datasets import load_iris
    except ImportError:
        raise ImportError("the iris data come with scikit-learn: pip install 'confmat[ml]'") from None
    return pd.concat({"Iris": table_11(*load_iris(return_X_y=True), seed=seed)}, names=["data set"])


def bias_experiment(replications: int, seed: int = 2015, progress: bool = False) -> pd.DataFrame:
    """Mean of ACI - ARI over classes against k-means (Section 4): exactly 0, as the expectation is exact.

    n in 100..1200, 2 to 10 clusters in 2 to 10 dimensions, covariance alpha I with alpha in (0.1, 3); both
    indices are Fractions.  The design leaves the centres open: here uniform on [-3, 3] in each coordinate.

    >>> bias_experiment(1)["ours"].to_list()
    [0.0]
    """
    from scipy.cluster.vq import kmeans2

    differences = []
    for number in tracked(range(replications), "data sets", progress):
        rng = np.random.default_rng([seed, number])
        n, c, p = (int(rng.integers(low, high)) for low, high in ((100, 1201), (2, 11), (2, 11)))
        centres = rng.uniform(-3, 3, size=(c, p))
        X, y = gaussian_mixture(centres, rng.uniform(0.1, 3) * np.eye(p), n, rng)
        _, found = kmeans2(X, c, minit="++", rng=rng)
        differences.append(soft.aci(y, found, exact=True) - soft.sari(y, found, exact=True))
    mean = float(Fraction(sum(differences)) / replications)
    return pd.DataFrame({"row": ["mean"], "column": ["ACI - ARI"], "ours": [mean]})


BIAS = {("mean", "ACI - ARI"): -4.5602e-7}


def _simulated(
    id: str,
    title: str,
    note: str,
    draw: Callable[[int, int, bool], pd.DataFrame],
    printed: Mapping[Key, float],
) -> PaperItem:
    size = PRINTED_DATA_SETS if id == "bias" else RECORDED_DRAWS
    design = Simulation("amodio2015", id, draw, size, 2015)
    compute = partial(design.summary, methodcaller("set_index", ["row", "column"]))
    return PaperItem(id, title, "same design", note, compute, printed, simulation=design)


def _table(
    number: int, title: str, draw: Draw, printed: Mapping[Key, float], note: str = ONE_DRAW
) -> PaperItem:
    return _simulated(f"table-{number}", title, note, partial(_replicated, draw), printed)


ITEMS: tuple[PaperItem, ...] = (
    PaperItem(
        "toy",
        "NDC, its expectation and ACI of four objects (Section 4)",
        "exact",
        "Over all 720 relabelings of the pairs, as in the paper.",
        toy_example,
        TOY,
    ),
    PaperItem(
        "toy-crisp",
        "pairs, RI and ARI of a crisp example (Section 4)",
        "exact",
        "From the similarities of pairs, as the paper counts; the contingency table gives the same.",
        crisp_example,
        CRISP,
    ),
    _simulated(
        "bias",
        "ACI against ARI on hard partitions (Section 4)",
        "Both indices are exact here, their difference is 0; the paper estimated the expectation by permutations.",
        bias_experiment,
        BIAS,
    ),
    without_numbers("table-1", "centres of three data sets, see first_design"),
    _table(2, "fuzzy Rand indices, classes against fuzzy c-means", partial(_draw_crisp, RANDS), TABLE_2),
    _table(3, "adjusted indices, classes against fuzzy c-means", partial(_draw_crisp, ADJUSTED), TABLE_3),
    without_numbers("table-4", "centres of seven data sets, see second_design"),
    _table(5, "NDC between numbers of clusters", partial(_draw_numbers_of_clusters, soft.ndc), TABLE_5),
    _table(6, "ACI between numbers of clusters", partial(_draw_numbers_of_clusters, soft.aci), TABLE_6),
    _table(7, "true memberships against PD-clustering", partial(_draw_true, False, True), TABLE_7),
    _table(8, "true memberships against themselves", partial(_draw_true, False, False), TABLE_8),
    _table(9, "random data: true against PD-clustering", partial(_draw_true, True, True), TABLE_9),
    _table(10, "random data: true against themselves", partial(_draw_true, True, False), TABLE_10),
    PaperItem(
        "table-11",
        "real data: true against themselves and PD-clustering",
        "same design",
        "Iris as scikit-learn ships it, 20 random starts; Vehicle, Sonar, Pima, Ionosphere and Flags are missing.",
        table_11_at_hand,
        TABLE_11,
    ),
)

SIMULATIONS = tuple(item.simulation for item in ITEMS if item.simulation is not None)
