"""The card as a picture: the table, and the ARI among all tables, among labelings, and under chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from confmat.cards.places import populations_of
from confmat.laws import Marginal, joint
from confmat.plots.laws import BLUE, ORANGE, VERMILLION, axis_label, matrix_map
from confmat.sampling import stream

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from confmat.cards.comparisons import Comparison


def figure_of(card: Comparison) -> Figure:
    """Left the contingency table, right the distribution functions of the ARI and its value here.

    >>> from confmat.cards import compare
    >>> card = compare([[9, 1], [2, 8]])
    >>> [line.get_label() for line in figure_of(card).axes[1].lines][:2]
    ['all 2 x 2 tables', 'all pairs of labelings']
    """
    from confmat.pictures import Picture

    figure = Picture(10, 4.2)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.4))
    matrix_map(left, card.matrix, names=card.names)
    for axis, labels in ((left.xaxis, card.labels[1]), (left.yaxis, card.labels[0])):
        axis.set_ticks(range(len(labels)), [str(x) for x in labels])
    styles = ((BLUE, "-"), (ORANGE, "--"), ("black", ":"))
    for (population, source), style in zip(populations_of(card.table), styles):
        drawn = population.draws and stream(source, population.draws, rng=card.seed)
        law = drawn.law("ari") if drawn else joint(source, "ari")
        values, heights = _steps(law["ari"])
        right.step(values, heights, where="post", color=style[0], linestyle=style[1], label=population.words)
    right.axvline(float(card["ari"] or 0), color=VERMILLION, label="observed")
    right.set_xlabel(axis_label("ari"))
    right.set_ylabel("share with at most this value")
    right.set_ylim(0, 1.02)
    right.legend(frameon=False, fontsize=8)
    return figure


def _steps(law: Marginal) -> tuple[list[float], np.ndarray]:
    """Values and the exact distribution function after each."""
    points = [(float(x), weight) for x, weight in law]
    return [x for x, _ in points], np.cumsum([weight / law.total for _, weight in points])
