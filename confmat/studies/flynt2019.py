"""Flynt, Dean & Nugent (2019), sARI: the example, the simulations and the diabetes data.

Their mixtures are fitted with R's mclust (14 covariance models); ours with scikit-learn (4), both choosing
by BIC among 1 to 9 components.  The simulations therefore repeat the designs, not the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from confmat.indices import soft
from confmat.indices.soft.pairs import tracked
from confmat.studies import PaperItem
from confmat.studies.mixtures import fit_mixture, separated_mixture
from confmat.validation import as_count

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

LEVELS = tuple(round(-0.95 + 0.05 * i, 2) for i in range(39))
"""The 39 levels of separation."""


def _hard(z: np.ndarray) -> np.ndarray:
    return z.argmax(axis=1)


# The illustrative example (Figures 1-3, Tables 2, 5, 6).

EXAMPLE_COVARIANCE = np.array([[1.20, 0.15], [0.15, 1.20]])
SHIFTS = {"closer": -0.25, "original": 0.0, "apart": 0.25}


def example_data(seed: int, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Fifty points of N((3,2), S) and fifty of N((5,2), S), the second group moved by ``shift``: (X, y)."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 50)
    X = rng.multivariate_normal([3, 2], EXAMPLE_COVARIANCE, size=100)
    return X + np.outer(y, [2 + shift, 0]), y


def table_2_and_5() -> pd.DataFrame:
    """RI, ARI and sARI of the printed tables 2 and 5."""
    import pandas as pd

    hard = soft.table_pairs([[42, 8], [9, 41]])
    ours = {
        "RI": hard.rand(),
        "ARI": hard.adjusted_rand(),
        "sARI": soft.table_pairs([[39.569, 10.431], [11.825, 38.175]]).adjusted_rand(),
    }
    return pd.DataFrame({"ours": ours, "printed": TABLE_2_AND_5})


TABLE_2_AND_5 = {"RI": 0.715, "ARI": 0.430, "sARI": 0.301}


def example(replications: int = 50, seed: int = 2019) -> pd.DataFrame:
    """ARI and sARI of the example and of its two shifted versions (Section 3.4), means over draws.

    The two-component mixture is fitted anew to the shifted data, as in the paper.
    """
    import pandas as pd

    replications = as_count("replications", replications, 1)
    values: dict[tuple[str, str], list[float]] = {}
    for number in range(replications):
        for name, shift in SHIFTS.items():
            X, y = example_data(seed + number, shift)
            z = fit_mixture(X, 2, covariances=("full",))
            values.setdefault((name, "ARI"), []).append(float(soft.sari(y, _hard(z))))
            values.setdefault((name, "sARI"), []).append(float(soft.sari(y, z)))
    return pd.DataFrame(
        {
            "ours": [np.mean(v) for v in values.values()],
            "sd": [np.std(v, ddof=1) if replications > 1 else np.nan for v in values.values()],
            "printed": [EXAMPLE[key] for key in values],
        },
        index=pd.MultiIndex.from_tuples(values, names=["groups", "index"]),
    )


EXAMPLE = {
    ("closer", "ARI"): 0.404,
    ("closer", "sARI"): 0.212,
    ("original", "ARI"): 0.430,
    ("original", "sARI"): 0.301,
    ("apart", "ARI"): 0.513,
    ("apart", "sARI"): 0.388,
}


# The simulations (Figures 5-10, Table 7).


def hard_against_soft(
    clusters: int,
    variables: int,
    *,
    levels: Sequence[float] = LEVELS,
    replications: int = 100,
    seed: int = 2019,
    progress: bool = False,
) -> pd.DataFrame:
    """Section 4.1: the true classes against the mixture of best BIC, for each level of separation.

    One row a data set: ``level``, ``components`` found, ``ari`` (classes against hard labels), ``sari``
    (classes against posteriors).
    """
    import pandas as pd

    rows = []
    for level, rng, number in _draws(levels, replications, seed, progress):
        X, y = separated_mixture(clusters, variables, level, rng)
        z = fit_mixture(X, seed=number)
        rows.append(
            {
                "level": level,
                "components": z.shape[1],
                "ari": float(soft.sari(y, _hard(z))),
                "sari": float(soft.sari(y, z)),
            }
        )
    return pd.DataFrame(rows)


def soft_against_soft(
    *,
    components: int | None = None,
    clusters: int = 2,
    variables: int = 8,
    levels: Sequence[float] = LEVELS,
    replications: int = 100,
    seed: int = 2019,
    progress: bool = False,
) -> pd.DataFrame:
    """Section 4.2: two mixtures, each fitted to a random half of the variables, against each other.

    ``components=None`` chooses their number by BIC (Figure 9), 2 fixes it (Figure 10).  One row a data set:
    ``level``, ``ari`` (both hard), ``sari_hard_soft`` (first hard), ``sari`` (both soft).
    """
    import pandas as pd

    rows = []
    for level, rng, number in _draws(levels, replications, seed, progress):
        X, _ = separated_mixture(clusters, variables, level, rng)
        order = rng.permutation(variables)
        choice = range(1, 10) if components is None else components
        first, second = (
            fit_mixture(X[:, half], choice, seed=number)
            for half in (order[: variables // 2], order[variables // 2 :])
        )
        rows.append(
            {
                "level": level,
                "ari": float(soft.sari(_hard(first), _hard(second))),
                "sari_hard_soft": float(soft.sari(_hard(first), second)),
                "sari": float(soft.sari(first, second)),
            }
        )
    return pd.DataFrame(rows)


def _draws(
    levels: Sequence[float], replications: int, seed: int, progress: bool
) -> Iterator[tuple[float, np.random.Generator, int]]:
    """(level, generator, number) of every data set of a simulation."""
    replications = as_count("replications", replications, 1)
    jobs = [(level, number) for level in levels for number in range(replications)]
    for level, number in tracked(jobs, "data sets", progress):
        yield level, np.random.default_rng([seed, round(1000 * (level + 1)), number]), number


SETTINGS = tuple((clusters, variables) for clusters in (2, 3, 8) for variables in (3, 4, 5))
_COLUMNS = ("count", "min", "q1", "median", "q3", "max")


def negative_differences(frame: pd.DataFrame) -> dict[str, float]:
    """Summary of ARI - sARI where it is negative: count, minimum, quartiles, maximum, and their share."""
    difference = frame["ari"] - frame["sari"]
    # Equal indices may differ by roundoff.
    negative = difference[difference < -1e-9]
    quantiles = negative.quantile([0, 0.25, 0.5, 0.75, 1]).to_list() if len(negative) else [np.nan] * 5
    return dict(zip(_COLUMNS, (float(len(negative)), *quantiles))) | {"share": len(negative) / len(frame)}


def table_7(
    *,
    settings: Sequence[tuple[int, int]] = SETTINGS[:1],
    levels: Sequence[float] = LEVELS[::3],
    replications: int = 2,
    seed: int = 2019,
    progress: bool = False,
) -> pd.DataFrame:
    """Table 7: how often and by how much sARI exceeds ARI, with the share of such data sets.

    The paper draws 100 data sets at each level of each setting: ``settings=SETTINGS, levels=LEVELS,
    replications=100``, an hour or more.  The counts compare through the shares.
    """
    import pandas as pd

    values: dict[tuple[str, str], float] = {}
    for clusters, variables in settings:
        frame = hard_against_soft(
            clusters, variables, levels=levels, replications=replications, seed=seed, progress=progress
        )
        row = f"{clusters} clusters, {variables} variables"
        values |= {(row, column): value for column, value in negative_differences(frame).items()}
    return pd.DataFrame(
        {"ours": list(values.values()), "printed": [TABLE_7.get(key, np.nan) for key in values]},
        index=pd.MultiIndex.from_tuples(values, names=["setting", "statistic"]),
    )


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
        table |= {(row, column): float(number) for column, number in zip(_COLUMNS, numbers)}
        table[row, "share"] = numbers[0] / 3900
    return table


TABLE_7 = _table_7_printed()


def soft_soft_means(
    *,
    components: int | None = None,
    levels: Sequence[float] = LEVELS[::6],
    replications: int = 2,
    seed: int = 2019,
) -> pd.DataFrame:
    """The lines of Figure 9 (``components=None``) or 10 (2): mean indices a level; no numbers are printed."""
    import pandas as pd

    frame = soft_against_soft(components=components, levels=levels, replications=replications, seed=seed)
    means = frame.groupby("level").mean().stack()
    return pd.DataFrame({"ours": means, "printed": np.nan}).rename_axis(["level", "index"])


# Figures.


def figure_levels(frame: pd.DataFrame, title: str = "") -> Figure:
    """The four panels of Figures 5-7, 9 and 10, from the frame of a simulation.

    Mean indices a level; boxes of sARI, of ARI, and of ARI - sARI.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 7), layout="constrained")
    axes = figure.subplots(2, 2)
    groups = frame.groupby("level")
    names = {"ari": "ARI", "sari_hard_soft": "sARI, hard and soft", "sari": "sARI"}
    for column, name in names.items():
        if column in frame:
            axes[0, 0].plot(groups[column].mean(), label=name)
    axes[0, 0].legend()
    axes[0, 0].set(title="means", xlabel="separation", ylabel="ARI, sARI")
    panels = {"sARI": frame["sari"], "ARI": frame["ari"], "ARI - sARI": frame["ari"] - frame["sari"]}
    levels = sorted(frame["level"].unique())
    width = 0.7 * min(np.diff(levels), default=0.1)
    for axis, (name, values) in zip(axes.flat[1:], panels.items()):
        boxes = [values[frame["level"] == level].to_numpy() for level in levels]
        axis.boxplot(boxes, positions=levels, widths=width, manage_ticks=False, flierprops={"markersize": 3})
        axis.set(title=name, xlabel="separation", ylabel=name)
    figure.suptitle(title)
    return figure


def figure_example(seed: int = 2019) -> Figure:
    """Figures 1 and 2: the example by class; by cluster, with uncertainty and what is misclassified."""
    from matplotlib.figure import Figure

    X, y = example_data(seed)
    z = fit_mixture(X, 2, covariances=("full",))
    found = _hard(z)
    if (found == y).mean() < 0.5:
        found, z = 1 - found, z[:, ::-1]
    uncertainty = 1 - z.max(axis=1)
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for label, marker in ((0, "o"), (1, "D")):
        left.scatter(*X[y == label].T, marker=marker, s=25, label=f"class {label + 1}")
        inside = found == label
        right.scatter(
            *X[inside].T, marker=marker, s=10 + 200 * uncertainty[inside], label=f"cluster {label + 1}"
        )
    right.scatter(*X[found != y].T, marker="x", color="black", s=25, label="misclassified")
    left.set(title="true classes")
    right.set(title=f"mixture: ARI {soft.sari(y, found):.3f}, sARI {soft.sari(y, z):.3f}; size: uncertainty")
    left.legend()
    right.legend()
    return figure


# The diabetes data (Tables 8-10).


def diabetes() -> pd.DataFrame:
    """Diagnoses of 145 patients, hard labels and posteriors of two Gaussian mixtures (see the file)."""
    import pandas as pd

    with (files("confmat.studies") / "data" / "diabetes.csv").open() as file:
        return pd.read_csv(file, comment="#")


def _partitions() -> dict[str, np.ndarray]:
    frame = diabetes()
    return {
        "diagnosis": frame["diagnosis"].to_numpy(),
        "VVV hard": frame["vvv"].to_numpy(),
        "VVV soft": frame.filter(regex="^vvv_").to_numpy(),
        "EEI hard": frame["eei"].to_numpy(),
        "EEI soft": frame.filter(regex="^eei_").to_numpy(),
    }


def table_8() -> pd.DataFrame:
    """ARI (hard against hard) and sARI between diagnosis, three components (VVV) and nine (EEI)."""
    import pandas as pd

    partitions = _partitions()
    ours = {(a, b): float(soft.sari(partitions[a], partitions[b])) for a, b in TABLE_8}
    return pd.DataFrame({"ours": ours, "printed": TABLE_8}).rename_axis(["first", "second"])


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


def diagnosis_table(clustering: str) -> pd.DataFrame:
    """Tables 9 ("VVV hard") and 10 ("VVV soft"): the masses of diagnosis against cluster.

    The printed 0.48 of Table 10 is a misprint of 0.048: the row must sum to 76.
    """
    import pandas as pd

    partitions = _partitions()
    diagnosis = soft.one_hot("diagnosis", partitions["diagnosis"])
    table = diagnosis.T @ soft.as_memberships("clustering", partitions[clustering])
    rows = sorted(set(partitions["diagnosis"]))
    ours = {(row, k + 1): float(table[i, k]) for i, row in enumerate(rows) for k in range(table.shape[1])}
    printed = TABLE_9 if clustering == "VVV hard" else TABLE_10
    return pd.DataFrame({"ours": ours, "printed": printed}).rename_axis(["diagnosis", "cluster"])


def _by_diagnosis(*rows: Sequence[float]) -> dict[tuple[str, int], float]:
    names = ("Normal", "Chemical", "Overt")
    return {(name, k): value for name, row in zip(names, rows) for k, value in enumerate(row, start=1)}


TABLE_9 = _by_diagnosis((72, 4, 0), (9, 26, 1), (0, 6, 27))
TABLE_10 = _by_diagnosis((68.89, 7.06, 0.48), (8.96, 25.36, 1.67), (0, 6, 27))

ITEMS: tuple[PaperItem, ...] = (
    PaperItem("table-2", "RI, ARI and sARI of the printed tables 2 and 5", table_2_and_5, TABLE_2_AND_5),
    PaperItem("section-3.4", "the example and its shifted versions, ARI and sARI", example, EXAMPLE),
    PaperItem("table-7", "how often and by how much sARI exceeds ARI", table_7, TABLE_7),
    PaperItem("table-8", "diabetes: ARI and sARI between diagnosis and two mixtures", table_8, TABLE_8),
    PaperItem("table-9", "diabetes: diagnosis, hard VVV", partial(diagnosis_table, "VVV hard"), TABLE_9),
    PaperItem("table-10", "diabetes: diagnosis, soft VVV", partial(diagnosis_table, "VVV soft"), TABLE_10),
    PaperItem("figure-9", "soft against soft, components by BIC", soft_soft_means, {}),
    PaperItem("figure-10", "soft against soft, 2 components", partial(soft_soft_means, components=2), {}),
)
