"""Flynt, Dean & Nugent (2019), sARI: the example, the simulations and the diabetes data.

Their mixtures are fitted with R's mclust (14 covariance models); ours with scikit-learn (4), both choosing
by BIC among 1 to 9 components.  The simulations therefore repeat the designs, not the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from confmat.indices import soft
from confmat.indices.soft.pairs import tracked
from confmat.matrices.arguments import as_count
from confmat.studies import PaperItem, without_numbers
from confmat.studies import flynt2019_figures as figures
from confmat.studies.flynt2019_designs import (
    LEVELS,
    PRINTED_REPLICATIONS,
    SEED,
    SHIFTS,
    example_fit,
    example_objects,
    example_seed,
    hard,
    hard_against_soft,
    hard_soft_draws,
    size_of,
    soft_soft_draws,
)
from confmat.studies.flynt2019_printed import (
    COLUMNS,
    EXAMPLE,
    TABLE_2_AND_5,
    TABLE_6,
    TABLE_7,
    TABLE_8,
    TABLE_9,
    TABLE_10,
)
from confmat.studies.mixtures import fit_mixture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The illustrative example (Figures 1-3, Tables 2, 3, 5, 6).


def table_2_and_5() -> pd.DataFrame:
    """RI, ARI and sARI of the printed tables 2 and 5.

    >>> table_2_and_5()["ours"].round(3).to_dict()
    {'RI': 0.715, 'ARI': 0.43, 'sARI': 0.301}
    """
    pairs = soft.table_pairs([[42, 8], [9, 41]])
    ours = {
        "RI": pairs.rand(),
        "ARI": pairs.adjusted_rand(),
        "sARI": soft.table_pairs([[39.569, 10.431], [11.825, 38.175]]).adjusted_rand(),
    }
    return pd.DataFrame({"ours": ours, "printed": TABLE_2_AND_5})


def example(replications: int = 50, seed: int = SEED, progress: bool = False) -> pd.DataFrame:
    """ARI and sARI of the example and of its two shifted versions (Section 3.4), means over draws.

    The two-component mixture is fitted anew to the shifted data, as in the paper, from the posteriors of the
    original ones.

    >>> list(example(replications=1).loc["closer"].index)
    ['ARI', 'sARI']
    """
    replications = as_count("replications", replications, 1)
    values: dict[tuple[str, str], list[float]] = {}
    for number in tracked(range(replications), "data sets", progress):
        for name, shift in SHIFTS.items():
            _, y, z = example_fit(seed + number, shift)
            values.setdefault((name, "ARI"), []).append(float(soft.sari(y, hard(z))))
            values.setdefault((name, "sARI"), []).append(float(soft.sari(y, z)))
    return pd.DataFrame(
        {
            "ours": [np.mean(v) for v in values.values()],
            "sd": [np.std(v, ddof=1) if replications > 1 else np.nan for v in values.values()],
            "printed": [EXAMPLE[key] for key in values],
        },
        index=pd.MultiIndex.from_tuples(values, names=["groups", "index"]),
    )


def table_6(seed: int = SEED) -> pd.DataFrame:
    """Tables 3 and 6: posteriors of the first cluster for ten objects, and when the groups are shifted.

    The paper does not print its data.  Ours are the first drawn data set with about the printed ARI and sARI
    (`example_seed`); the objects are those whose original posteriors are nearest to the printed ones, so that
    it is the effect of the shifts that compares.

    >>> frame = table_6()
    >>> len(frame), bool((abs(frame["ours"] - frame["printed"]) < 0.15).all())
    (30, True)
    """
    seed = example_seed(seed)
    chosen = example_objects(seed)
    first = {groups: example_fit(seed, shift)[2][chosen, 0] for groups, shift in SHIFTS.items()}
    ours = {key: float(first[key[0]][key[2]]) for key in TABLE_6}
    return pd.DataFrame({"ours": ours, "printed": TABLE_6}).rename_axis(["groups", "class", "object"])


# The simulations (Figures 5-10, Table 7).

SETTINGS = tuple((clusters, variables) for clusters in (2, 3, 8) for variables in (3, 4, 5))


def negative_differences(frame: pd.DataFrame) -> dict[str, float]:
    """Summary of ARI - sARI where it is negative: count, minimum, quartiles, maximum, and their share.

    >>> import pandas as pd
    >>> negative_differences(pd.DataFrame({"ari": [0.5, 0.2], "sari": [0.25, 0.45]}))["share"]
    0.5
    """
    difference = frame["ari"] - frame["sari"]
    # Equal indices may differ by roundoff.
    negative = difference[difference < -1e-9]
    quantiles = negative.quantile([0, 0.25, 0.5, 0.75, 1]).to_list() if len(negative) else [np.nan] * 5
    return dict(zip(COLUMNS, (float(len(negative)), *quantiles))) | {"share": len(negative) / len(frame)}


def table_7(
    *,
    settings: Sequence[tuple[int, int]] = SETTINGS,
    levels: Sequence[float] = LEVELS,
    replications: int | None = None,
    full: bool = False,
    seed: int = SEED,
    progress: bool = False,
) -> pd.DataFrame:
    """Table 7: how often and by how much sARI exceeds ARI, with the share of such data sets.

    The paper draws 100 data sets at each level of each setting: ``full``, some four hours.  With fewer (one, unless
    ``replications`` are given) the counts compare through the shares.

    >>> table_7(settings=[(2, 3)], levels=[0.0]).loc["2 clusters, 3 variables"].index.to_list()
    ['count', 'min', 'q1', 'median', 'q3', 'max', 'share']
    """
    if replications is None:
        replications = PRINTED_REPLICATIONS if full else 1
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


def _level_means(
    draws: Callable[..., pd.DataFrame],
    *,
    replications: int | None = None,
    full: bool = False,
    seed: int = SEED,
    progress: bool = False,
) -> pd.DataFrame:
    """Mean and standard deviation of each index at each level; the paper draws them and prints no numbers."""
    frame = draws(*size_of(replications, full), seed, progress)
    groups = frame.drop(columns="components", errors="ignore").groupby("level")
    means = {"ours": groups.mean().stack(), "sd": groups.std().stack(), "printed": np.nan}
    return pd.DataFrame(means).rename_axis(["level", "index"])


def figure_4(seed: int = SEED) -> pd.DataFrame:
    """ARI and sARI of a mixture with three components for the data of Figure 4; no numbers are printed.

    >>> figure_4().index.unique("separation").to_list()
    [-0.5, 0.0, 0.5]
    """
    ours = {}
    for separation in figures.FIGURE_4_LEVELS:
        X, y = figures.figure_4_data(separation, seed)
        z = fit_mixture(X, 3)
        ours[separation, "ARI"] = float(soft.sari(y, hard(z)))
        ours[separation, "sARI"] = float(soft.sari(y, z))
    return pd.DataFrame({"ours": ours, "printed": np.nan}).rename_axis(["separation", "index"])


def figure_8(seed: int = SEED) -> pd.DataFrame:
    """ARI and sARI of the two data sets of Figure 8, whose sARI exceeds their ARI; no numbers are printed.

    >>> values = figure_8()["ours"].unstack()
    >>> (values["sARI"] > values["ARI"]).to_dict()
    {-0.3: True, 0.15: True}
    """
    ours = {}
    for separation in figures.FIGURE_8_LEVELS:
        _, y, z = figures.sari_above_ari(separation, seed)
        ours[separation, "ARI"] = float(soft.sari(y, hard(z)))
        ours[separation, "sARI"] = float(soft.sari(y, z))
    return pd.DataFrame({"ours": ours, "printed": np.nan}).rename_axis(["separation", "index"])


# The diabetes data (Figure 11, Tables 8-10).


def diabetes() -> pd.DataFrame:
    """145 patients: diagnosis, three measurements, labels and posteriors of two mixtures (see the file).

    >>> diabetes()["diagnosis"].value_counts(sort=False).to_dict()
    {'Normal': 76, 'Chemical': 36, 'Overt': 33}
    """
    with (files("confmat.studies") / "data" / "diabetes.csv").open() as file:
        return pd.read_csv(file, comment="#")


def figure_11() -> pd.DataFrame:
    """Means of the measurements of Figure 11 by diagnosis, and the numbers of patients; none are printed.

    >>> figure_11().loc["Normal", "ours"].round(1).to_dict()
    {'glucose': 91.2, 'insulin': 350.0, 'sspg': 172.6, 'patients': 76.0}
    """
    groups = diabetes().groupby("diagnosis", sort=False)
    ours = groups[list(figures.MEASUREMENTS)].mean().assign(patients=groups.size()).stack()
    return pd.DataFrame({"ours": ours, "printed": np.nan}).rename_axis(["diagnosis", "mean of"])


def draw_figure_11() -> Figure:
    """Figure 11.

    >>> len(draw_figure_11().axes)
    9
    """
    return figures.figure_11(diabetes())


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
    """ARI (hard against hard) and sARI between diagnosis, three components (VVV) and nine (EEI).

    >>> table_8().loc["diagnosis", "ours"].round(3).to_dict()
    {'VVV hard': 0.664, 'VVV soft': 0.602}
    """
    partitions = _partitions()
    ours = {(a, b): float(soft.sari(partitions[a], partitions[b])) for a, b in TABLE_8}
    return pd.DataFrame({"ours": ours, "printed": TABLE_8}).rename_axis(["first", "second"])


def diagnosis_table(clustering: str) -> pd.DataFrame:
    """Tables 9 ("VVV hard") and 10 ("VVV soft"): the masses of diagnosis against cluster.

    The printed 0.48 of Table 10 is a misprint of 0.048: the row must sum to 76.

    >>> diagnosis_table("VVV hard").loc["Normal", "ours"].to_list()
    [72.0, 4.0, 0.0]
    """
    partitions = _partitions()
    diagnosis = soft.one_hot("diagnosis", partitions["diagnosis"])
    table = diagnosis.T @ soft.as_memberships("clustering", partitions[clustering])
    rows = sorted(set(partitions["diagnosis"]))
    ours = {(row, k + 1): float(table[i, k]) for i, row in enumerate(rows) for k in range(table.shape[1])}
    printed = TABLE_9 if clustering == "VVV hard" else TABLE_10
    return pd.DataFrame({"ours": ours, "printed": printed}).rename_axis(["diagnosis", "cluster"])


def _by_level(number: int, description: str, title: str, draws: Callable[..., pd.DataFrame]) -> PaperItem:
    """A figure of indices by level of separation."""
    means, draw = partial(_level_means, draws), partial(figures.by_level, draws, title)
    return PaperItem(f"figure-{number}", description, means, {}, draw)


def _hard_soft(number: int, clusters: int, variables: int) -> PaperItem:
    what = f"{clusters} clusters, {variables} variables"
    draws = partial(hard_soft_draws, clusters, variables)
    return _by_level(number, f"hard against soft, {what}", what, draws)


ITEMS: tuple[PaperItem, ...] = (
    without_numbers("table-1", "notation: contingency table of hard partitions"),
    PaperItem(
        "table-2",
        "RI, ARI and sARI of the printed tables 2 and 5",
        table_2_and_5,
        TABLE_2_AND_5,
        also=("table-5",),
    ),
    PaperItem(
        "section-3.4",
        "the example (Figures 1, 2), shifted",
        example,
        EXAMPLE,
        figures.example,
        also=("figure-1", "figure-2"),
    ),
    without_numbers("table-4", "notation: contingency table of soft partitions"),
    PaperItem(
        "table-6",
        "posteriors of ten objects, shifted (Table 3)",
        table_6,
        TABLE_6,
        figures.figure_3,
        also=("table-3", "figure-3"),
    ),
    PaperItem("figure-4", "three separations of three clusters", figure_4, {}, figures.figure_4),
    _hard_soft(5, 2, 3),
    _hard_soft(6, 3, 4),
    _hard_soft(7, 8, 5),
    PaperItem("table-7", "how often and by how much sARI exceeds ARI", table_7, TABLE_7),
    PaperItem("figure-8", "data sets whose sARI exceeds their ARI", figure_8, {}, figures.figure_8),
    _by_level(
        9,
        "soft against soft, components by BIC",
        "2 clusters, components chosen by BIC",
        partial(soft_soft_draws, None),
    ),
    _by_level(10, "soft against soft, 2 components", "2 clusters, 2 components", partial(soft_soft_draws, 2)),
    PaperItem("figure-11", "diabetes: the measurements by diagnosis", figure_11, {}, draw_figure_11),
    PaperItem("table-8", "diabetes: diagnosis and two mixtures", table_8, TABLE_8),
    PaperItem("table-9", "diabetes: diagnosis, hard VVV", partial(diagnosis_table, "VVV hard"), TABLE_9),
    PaperItem("table-10", "diabetes: diagnosis, soft VVV", partial(diagnosis_table, "VVV soft"), TABLE_10),
)
