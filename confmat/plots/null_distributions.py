"""The null case in pictures: mirrored histograms of the distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from confmat._figures import (
    BLUE,
    GREEN,
    ORANGE,
    SKY,
    VERMILLION,
    canvas,
    finish,
    masses,
)
from confmat.distributions import JointDistribution
from confmat.plots.distributions import axis_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TAIL = 1 / 2000
_COLOURS = {"med": BLUE, "rd": VERMILLION, "ard": GREEN, "nmed": SKY, "nrd": ORANGE}
_OTHER = "#999999"


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
        colour = _COLOURS.get(name, _OTHER)
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
