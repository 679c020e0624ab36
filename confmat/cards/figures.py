"""The card as a picture: the table, and the ARI among all tables and under chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confmat.cards.places import populations_of
from confmat.laws import joint
from confmat.matrices.matrix import best_matching
from confmat.pictures import (
    BLACK,
    BLUE,
    VERMILLION,
    distribution_steps,
    finish,
    legend_outside,
    matrix_map,
    panels,
)
from confmat.plots.laws import axis_label
from confmat.sampling import stream

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from confmat.cards.comparisons import Comparison


def figure_of(card: Comparison) -> Figure:
    """Left the contingency table, right the distribution functions of the ARI and its value here.

    >>> from confmat.cards import compare
    >>> card = compare([[9, 1], [2, 8]])
    >>> [line.get_label() for line in figure_of(card).axes[1].lines][:2]
    ['all 2 x 2 tables', 'chance (p-value)']
    """
    side = min(max(4.4, 0.22 * max(card.matrix.shape)), 11)
    figure, (left, right) = panels(
        side + 6,
        side,
        columns=2,
        width_ratios=(side, 6),
    )
    matching = best_matching(card.matrix)
    matrix_map(
        card.matrix,
        f"{matching.total:,} of {card.n:,} matched (framed)",
        names=card.names,
        labels=card.labels,
        marked=matching.pairs,
        ax=left,
    )
    styles = ((BLUE, "-"), (BLACK, ":"))
    for (population, source), (colour, line) in zip(populations_of(card.table), styles):
        if population.refused:
            continue
        if population.draws:
            law = stream(source.matrices, population.draws, rng=card.seed, weight=source.weight).law("ari")
        else:
            law = joint(source.matrices, "ari", weight=source.weight)
        distribution_steps(right, *law["ari"].atoms(), color=colour, linestyle=line, label=population.words)
    right.axvline(float(card["ari"] or 0), color=VERMILLION, linestyle="-.", linewidth=2, label="observed")
    finish(right, axis_label("ari"), "share with at most this value", "Where the ARI stands")
    legend_outside(figure, right)
    return figure
