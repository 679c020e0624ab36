"""The scatterplots of Flynt et al. (2019): what a separation looks like, and data sets where sARI exceeds ARI."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from confmat.indices import soft
from confmat.studies.mixtures import fit_mixture, separated_mixture

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_DRAWS = 2000


def figure_4(seed: int = 2019) -> Figure:
    """Figure 4: three clusters of four variables at separation -0.5, 0 and 0.5, on two principal axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4), layout="constrained")
    for axis, separation in zip(figure.subplots(1, 3), (-0.5, 0.0, 0.5)):
        X, y = separated_mixture(3, 4, separation, np.random.default_rng(seed))
        for label, marker in enumerate("oDs"):
            axis.scatter(*_plane(X)[y == label].T, marker=marker, s=10, label=f"class {label + 1}")
        axis.set(title=f"separation {separation}", xlabel="first principal axis", ylabel="second")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def figure_8(seed: int = 2019) -> Figure:
    """Figure 8: two classes of three variables whose sARI exceeds their ARI, at separation 0.15 and -0.3."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4.5), layout="constrained")
    for axis, separation in zip(figure.subplots(1, 2), (0.15, -0.3)):
        X, y, z = sari_above_ari(separation, seed)
        _draw_classified(axis, X, y, z)
        ari, sari = soft.sari(y, z.argmax(axis=1)), soft.sari(y, z)
        axis.set(title=f"separation {separation}: ARI {ari:.3f}, sARI {sari:.3f}")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def sari_above_ari(separation: float, seed: int = 2019) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first data set drawn (X, classes, posteriors of two components) whose sARI exceeds its ARI.

    Raises ValueError when 2000 data sets show none.
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
        for missed, colour in ((False, "black"), (True, "tab:red")):
            chosen = (y == label) & (wrong == missed)
            x1, x2 = plane[chosen].T
            name = f"class {label + 1}, {'misclassified' if missed else 'right'}"
            axis.scatter(
                x1,
                x2,
                marker=marker,
                s=size[chosen],
                facecolors="none",
                edgecolors=colour,
                label=name,
            )
    axis.set(xlabel="first principal axis", ylabel="second")


def _plane(X: np.ndarray) -> np.ndarray:
    """Coordinates on the two principal axes."""
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
