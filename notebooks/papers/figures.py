"""Figures of the notebooks: distributions as mirrored histograms, and the distribution of the MED beside its limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from confmat._figures import BLACK, ORANGE, canvas, finish, masses
from confmat.distributions import JointDistribution
from confmat.distributions.med_distribution import limit_density, med_counts
from confmat.plots import BLUE, GREEN, SKY, VERMILLION, axis_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TAIL = 1 / 2000
_COLOURS = {"med": BLUE, "rd": VERMILLION, "ard": GREEN, "nmed": SKY, "nrd": ORANGE}


def mirrored_histograms(
    laws: Sequence[JointDistribution], name: str, labels: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw the law of one statistic under each null law as a histogram mirrored at a vertical line.

    The longest bar of each has the same length.  Bars show probabilities of equal classes of values, or of single
    values where there are few; the tick says whether a law is exact.  Tails of 1/2000 on either side are left out.

    >>> from confmat.classes import Tables
    >>> from confmat.distributions import joint_distribution
    >>> laws = [joint_distribution(Tables(6, 2, 2, allow_empty=True), "med", weight="labelings")]
    >>> len(mirrored_histograms(laws, "med", ["2"]).patches)  # MED 0, 1/6, 2/6, 3/6
    4
    """
    ax = canvas(ax)
    for position, law in enumerate(laws):
        heights, step, probabilities = masses(*_middle(law, name))
        half = 0.45 * probabilities / probabilities.max()
        colour = _COLOURS.get(name, "#999999")
        # Edges of the same colour: no white lines between neighbours.
        ax.barh(
            heights,
            2 * half,
            left=position - half,
            height=step,
            color=colour,
            edgecolor=colour,
            linewidth=0.3,
        )
    marks = ["sampled" if law.sample_size else "exact" for law in laws]
    finish(ax, "", axis_label(name, laws[0]._statistics))
    ax.set_xticks(
        range(len(laws)),
        [f"{label}\n{mark}" for label, mark in zip(labels, marks)],
        fontsize=10,
    )
    ax.set_xlim(-0.6, len(laws) - 0.4)
    return ax


def _middle(law: JointDistribution, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Values and probabilities of a law, without the tails."""
    values = law[name].values.astype(float)
    probabilities = law[name].probabilities.astype(float)
    below = probabilities.cumsum()
    kept = (below > _TAIL) & (below - probabilities < 1 - _TAIL)
    return values[kept], probabilities[kept]


def plot_limit(r: int, s: int, *, ax: Axes | None = None) -> Axes:
    """Draw the exact distributions of the MED over ``Tables(n, r, s)``, scaled by n, and their limit density.

    >>> [line.get_label() for line in plot_limit(2, 2).lines]
    ['limit', 'n = 20', 'n = 100', 'n = 1000']
    """
    ax = canvas(ax)
    density = limit_density(r, s)
    mu = np.linspace(0, 1 - 1 / max(r, s), 500)
    limit = sp.lambdify(sp.Symbol("mu", real=True), density)(mu)
    ax.plot(mu, limit, color="0.75", linewidth=4, label="limit")
    for n, colour in ((20, VERMILLION), (100, BLUE), (1000, BLACK)):
        counts = med_counts(n, r, s)
        total = sum(counts)
        heights = [n * count / total for count in counts]
        size = max(1.5, 7 - len(counts) / 40)
        ax.plot(
            np.arange(len(counts)) / n,
            heights,
            ".",
            color=colour,
            markersize=size,
            label=f"n = {n}",
        )
    finish(ax, "MED", "n P(MED)", f"MED of {r} x {s} tables, exact")
    ax.set_ylim(bottom=0)
    for line in ax.legend(frameon=False).get_lines():
        line.set_markersize(6)
    return ax
