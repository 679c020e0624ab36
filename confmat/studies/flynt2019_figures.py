"""The figures of Flynt et al. (2019): scatterplots of data sets, and ARI and sARI by level of separation."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from confmat.indices import soft
from confmat.pictures import BLUE, GREEN, ORANGE, VERMILLION, panels
from confmat.studies.flynt2019_designs import (
    SEED,
    example_fit,
    example_objects,
    example_seed,
    hard,
)
from confmat.studies.mixtures import fit_mixture, separated_mixture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_DRAWS = 2000
_FEWEST_IN_BOX = 5
_CLUSTERS = ((BLUE, "o"), (ORANGE, "D"), (GREEN, "s"))
MEASUREMENTS = {
    "glucose": "glucose (fasting plasma glucose)",
    "insulin": "insulin (area under glucose curve)",
    "sspg": "sspg (area under insulin curve)",
}
"""Columns of mclust's data, and what its help (6.0.0) says that they are, against their names; it has no units."""
FIGURE_4_LEVELS = (-0.5, 0.0, 0.5)
FIGURE_8_LEVELS = (0.15, -0.3)


def figure_4_data(separation: float, seed: int = SEED) -> tuple[np.ndarray, np.ndarray]:
    """Three clusters of four variables: (X, y).

    >>> X, y = figure_4_data(0.5)
    >>> X.shape[1], sorted(set(y.tolist()))
    (4, [0, 1, 2])
    """
    return separated_mixture(3, 4, separation, np.random.default_rng(seed))


def figure_4(seed: int = SEED) -> Figure:
    """Figure 4: three clusters of four variables at separation -0.5, 0 and 0.5, on two principal axes.

    >>> [axis.get_title() for axis in figure_4().axes]
    ['separation -0.5', 'separation 0.0', 'separation 0.5']
    """
    figure, axes = panels(12, 4, columns=3)
    for axis, separation in zip(axes, FIGURE_4_LEVELS):
        X, y = figure_4_data(separation, seed)
        for label, (colour, marker) in enumerate(_CLUSTERS):
            name = f"class {label + 1}"
            axis.scatter(*_plane(X)[y == label].T, color=colour, marker=marker, s=12, label=name)
        axis.set(
            title=f"separation {separation}", xlabel="first principal axis", ylabel="second principal axis"
        )
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.suptitle(f"Three clusters, four variables: one simulated data set each (seed {seed})")
    return figure


def figure_8(seed: int = SEED) -> Figure:
    """Figure 8: two classes of three variables whose sARI exceeds their ARI, at separation 0.15 and -0.3.

    >>> [axis.get_title().partition(":")[0] for axis in figure_8().axes]
    ['separation 0.15', 'separation -0.3']
    """
    figure, axes = panels(10, 4.5, columns=2)
    for axis, separation in zip(axes, FIGURE_8_LEVELS):
        X, y, z = sari_above_ari(separation, seed)
        _draw_classified(axis, X, y, z)
        ari, sari = soft.sari(y, z.argmax(axis=1)), soft.sari(y, z)
        axis.set(title=f"separation {separation}: ARI {ari:.3f}, sARI {sari:.3f}")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.suptitle(f"Large: uncertainty above 0.4; simulated (seed {seed})")
    return figure


@lru_cache(maxsize=4)
def sari_above_ari(separation: float, seed: int = SEED) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first data set drawn (X, classes, posteriors of two components) whose sARI exceeds its ARI.

    Raises ValueError when 2000 data sets show none.

    >>> X, y, z = sari_above_ari(-0.3)
    >>> soft.sari(y, z) > soft.sari(y, hard(z))
    True
    """
    for number in range(_MOST_DRAWS):
        X, y = separated_mixture(2, 3, separation, np.random.default_rng([seed, number]))
        z = fit_mixture(X, 2, covariances=("full",), seed=number)
        if (z.argmax(axis=1) == y).mean() < 0.5:
            z = z[:, ::-1]
        if soft.sari(y, z) > soft.sari(y, z.argmax(axis=1)):
            return X, y, z
    raise ValueError(f"separation {separation}: no sARI above ARI in {_MOST_DRAWS} data sets")


def _draw_classified(axis: Axes, X: np.ndarray, y: np.ndarray, z: np.ndarray) -> None:
    """Marker by class, colour by right or wrong, large where the uncertainty exceeds 0.4 (as printed)."""
    plane, wrong = _plane(X), z.argmax(axis=1) != y
    size = np.where(1 - z.max(axis=1) > 0.4, 60, 12)
    for label, marker in ((0, "o"), (1, "D")):
        for missed, colour in ((False, "black"), (True, VERMILLION)):
            chosen = (y == label) & (wrong == missed)
            x1, x2 = plane[chosen].T
            style: dict[str, Any] = {"marker": marker, "facecolors": "none", "edgecolors": colour}
            axis.scatter(x1, x2, s=size[chosen], **style)
            # The mark in the legend, of one size.
            name = f"class {label + 1}, {'misclassified' if missed else 'right'}"
            axis.scatter([], [], s=30, label=name, **style)
    axis.set(xlabel="first principal axis", ylabel="second principal axis")


def _plane(X: np.ndarray) -> np.ndarray:
    """Coordinates on the two principal axes."""
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T


def example(seed: int = SEED) -> Figure:
    """Figures 1 and 2: the example by class; by cluster, with uncertainty and what is misclassified.

    >>> [axis.get_xlabel() for axis in example().axes]
    ['first variable', 'first variable']
    """
    seed = example_seed(seed)
    X, y, z = example_fit(seed)
    found = hard(z)
    uncertainty = 1 - z.max(axis=1)
    figure, (left, right) = panels(10, 5.2, columns=2, sharey=True)
    for label, (colour, marker) in enumerate(_CLUSTERS[:2]):
        left.scatter(*X[y == label].T, color=colour, marker=marker, s=25, label=f"class {label + 1}")
        inside = found == label
        size = 10 + 200 * uncertainty[inside]
        right.scatter(*X[inside].T, color=colour, marker=marker, s=size, label=f"cluster {label + 1}")
    right.scatter(*X[found != y].T, marker="x", color="black", s=25, label="misclassified")
    left.set(title="true classes", xlabel="first variable", ylabel="second variable")
    right.set(
        title=f"mixture: ARI {soft.sari(y, found):.3f}, sARI {soft.sari(y, z):.3f}; size: uncertainty",
        xlabel="first variable",
    )
    for axis in (left, right):
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, frameon=False)
    figure.suptitle(f"Two groups of 50, simulated (seed {seed})")
    return figure


def figure_3(seed: int = SEED) -> Figure:
    """Figure 3: the ten objects of ``table_6`` with their posteriors, all others small, by cluster.

    >>> [text.get_text() for text in figure_3().axes[0].texts]
    ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']
    """
    seed = example_seed(seed)
    X, _, z = example_fit(seed)
    found, chosen = hard(z), example_objects(seed)
    figure, (axis,) = panels(8, 6.4)
    for label, (colour, marker) in enumerate(_CLUSTERS[:2]):
        others, named = np.flatnonzero(found == label), [i for i in chosen if found[i] == label]
        for inside, size, edge, what in ((others, 12, colour, ""), (named, 70, "black", ", in the table")):
            x1, x2 = X[inside].T
            name = f"cluster {label + 1}{what}"
            axis.scatter(x1, x2, s=size, color=colour, marker=marker, edgecolors=edge, label=name)
    for number, i in enumerate(chosen):
        offset = (-14 if number < 5 else 6, 6)
        axis.annotate(str(number), X[i], xytext=offset, textcoords="offset points", fontweight="bold")
    axis.set(
        title=f"Objects 0-4 are of class 1, 5-9 of class 2; simulated (seed {seed})",
        xlabel="first variable",
        ylabel="second variable",
    )
    figure.legend(loc="outside lower center", ncols=4)
    return figure


def figure_11(patients: pd.DataFrame) -> Figure:
    """Figure 11: every pair of the measurements of the diabetes data, by diagnosis.

    >>> from confmat.studies.flynt2019 import diabetes
    >>> figure_11(diabetes()).axes[0].get_ylabel()
    'patients'
    """
    figure, axes = panels(9, 9, 3, 3, sharex="col")
    groups = dict(tuple(patients.groupby("diagnosis", sort=False)))
    for row, column in np.ndindex(3, 3):
        axis, of_row, of_column = axes[3 * row + column], list(MEASUREMENTS)[row], list(MEASUREMENTS)[column]
        bins = np.histogram_bin_edges(patients[of_column], 20)
        for (diagnosis, group), (colour, marker) in zip(groups.items(), _CLUSTERS):
            if row == column:
                axis.hist(group[of_column], bins, histtype="step", color=colour, linewidth=1.5)
            else:
                x1, x2 = group[of_column], group[of_row]
                axis.scatter(x1, x2, color=colour, marker=marker, s=14, alpha=0.7, label=diagnosis)
        axis.set_ylabel("patients" if row == column else MEASUREMENTS[of_row])
        if row == 2:
            axis.set_xlabel(MEASUREMENTS[of_column])
    figure.legend(*axes[1].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.suptitle(
        f"Diabetes data: {len(patients)} patients; columns and values as in R's mclust, which states no units"
    )
    return figure


# ARI and sARI by level of separation.


def levels(frame: pd.DataFrame, title: str = "") -> Figure:
    """The four panels of Figures 5-7, 9 and 10, from the frame of a simulation.

    Mean indices a level; all data sets, and boxes where there are five or more, of sARI, ARI and ARI - sARI.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"level": [0.0, 0.5], "ari": [0.4, 0.9], "sari": [0.3, 0.8]})
    >>> [axis.get_title() for axis in levels(frame).axes]
    ['means', 'sARI', 'ARI', 'ARI − sARI']
    """
    figure, axes = panels(11, 8, 2, 2)
    groups = frame.groupby("level")
    names = {"ari": "ARI", "sari_hard_soft": "sARI, hard and soft", "sari": "sARI"}
    for (column, name), colour, marker in zip(names.items(), (BLUE, GREEN, VERMILLION), "osD"):
        if column in frame:
            axes[0].plot(groups[column].mean(), color=colour, marker=marker, markersize=4, label=name)
    axes[0].set(title="means", xlabel="separation", ylabel="ARI, sARI")
    values_of = {"sARI": frame["sari"], "ARI": frame["ari"], "ARI − sARI": frame["ari"] - frame["sari"]}
    at = sorted(frame["level"].unique())
    width = 0.7 * min(np.diff(at), default=0.1)
    for axis, (name, values) in zip(axes[1:], values_of.items()):
        axis.plot(frame["level"], values, ".", color="grey", alpha=0.5, label="one data set")
        boxes = [values[frame["level"] == level].to_numpy() for level in at]
        if max(map(len, boxes)) >= _FEWEST_IN_BOX:
            style: dict[str, Any] = {"widths": width, "medianprops": {"color": "black", "linewidth": 2.5}}
            axis.boxplot(boxes, positions=at, manage_ticks=False, showfliers=False, **style)
            axis.plot([], [], color="black", linewidth=2.5, label="median, box of quartiles")
        axis.set(title=name, xlabel="separation", ylabel=name)
    for axis in axes:
        axis.grid(axis="y", color="#DDDDDD")
        axis.set_axisbelow(True)
    # Lines of the first panel, marks of the others.
    (lines, names_of_lines), (dots, names_of_dots) = (ax.get_legend_handles_labels() for ax in axes[:2])
    figure.legend(lines + dots, names_of_lines + names_of_dots, loc="outside lower center", ncols=5)
    figure.suptitle(title, fontsize=14)
    return figure
