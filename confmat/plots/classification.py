"""Measures of a classifier in pictures, from exact laws."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat.pictures import (
    BLACK,
    BLUE,
    GRID,
    PALE,
    SKY,
    VERMILLION,
    canvas,
    finish,
    legend_outside,
    matrix_map,
    panels,
    shorten,
)
from confmat.plots.laws import axis_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from confmat.laws import Family


def classifier(
    matrix: Any,
    labels: tuple[Sequence[Any], Sequence[Any]] | None = None,
    names: tuple[str, str] = ("true class", "predicted class"),
) -> Figure:
    """A confusion matrix, shaded by shares of its rows, and four measures of every class against the rest.

    >>> left, right = classifier([[50, 0, 0], [0, 48, 2], [0, 1, 49]]).axes
    >>> [line.get_label() for line in right.lines]
    ['sensitivity', 'specificity', 'precision', 'F']
    """
    from confmat.indices.classification import ClassCounts, all_metrics

    metrics = all_metrics(ClassCounts.of(matrix))
    size = len(metrics.sens.classes)
    side = float(np.clip(0.5 * size, 2.5, 9))
    named = 0.09 * max((len(shorten(str(x))) for x in (labels or ([], []))[0]), default=1)
    figure, (left, right) = panels(
        side + 2 * named + 6, side + named + 1.4, columns=2, width_ratios=(side + named, 4.5 + named)
    )
    matrix_map(matrix, f"accuracy {float(metrics.cor):.4g}", names=names, labels=labels, by_row=True, ax=left)
    styles = zip(("sens", "spec", "prec", "f"), (BLUE, SKY, VERMILLION, BLACK), "osD^")
    for (name, colour, marker), title in zip(styles, ("sensitivity", "specificity", "precision", "F")):
        values = [float(x) for x in getattr(metrics, name).classes]
        style = {"color": colour, "marker": marker, "markerfacecolor": "none", "linestyle": ""}
        right.plot(values, range(size), label=title, **style)
    right.set_yticks(left.get_yticks(), [text.get_text() for text in left.get_yticklabels()])
    right.set_ylim(left.get_ylim())
    right.grid(axis="x", color=GRID, linewidth=0.7)
    finish(right, "each class against the rest", "", f"balanced rate {float(metrics.bcr):.4g}")
    right.set_xlim(-0.02, 1.02)
    legend_outside(figure, right)
    return figure


def given_ari(pairs: Sequence[tuple[Family, Family]], names: Sequence[str] = ("cor", "bcr")) -> Figure:
    """Measures given the ARI: a row of panels for each class, a column for each measure.

    ``pairs``: for each class the laws given every single value of the ARI, and given its rounded values, as from
    ``confmat.studies.ari_and_accuracy``.

    >>> from confmat.classes import Tables
    >>> from confmat.studies.ari_and_accuracy import accuracy_given_ari
    >>> exact, bins = (accuracy_given_ari(Tables(8, 2, 2), width) for width in (None, "1/10"))
    >>> [ax.get_ylabel() for ax in given_ari([(exact, bins)]).axes]
    ['COR (accuracy)', 'BCR (balanced rate)']
    """
    figure, axes = panels(6 * len(names), 4.2 * len(pairs) + 0.6, len(pairs), len(names))
    for ax, ((exact, bins), name) in zip(axes, product(pairs, names)):
        measure_given_ari(exact, bins, name, ax=ax)
    legend_outside(figure, axes[0])
    return figure


def measure_given_ari(exact: Family, bins: Family, name: str, *, ax: Axes | None = None) -> Axes:
    """One measure given the ARI: its range at every value of the ARI, quartiles and mean at rounded ones.

    ``exact`` and ``bins`` as in `given_ari`.  Raises ValueError for laws that are not those of ``name`` given the ARI.

    >>> from confmat.classes import Tables
    >>> from confmat.laws import joint
    >>> family = joint(Tables(8, 2, 2), "ari", "gss").given_each("ari")
    >>> measure_given_ari(family, family, "gss").get_title()
    '2 classes, n = 8: 133 matrices, equally likely; exact'
    """
    for family in (exact, bins):
        if family.name != "ari" or name not in family.others:
            raise ValueError(f'laws must be those of {name!r} given "ari", got {family!r}')
    ax = canvas(ax)
    at = [float(row.value) for row in exact.rows]
    low, high = ([float(getattr(row.law[name], end)) for row in exact.rows] for end in ("min", "max"))
    ax.vlines(at, low, high, color=SKY, linewidth=0.5, alpha=0.6)
    ax.plot([*at, *at], [*low, *high], ".", color=SKY, markersize=2.5)
    ax.plot([], [], ".-", color=SKY, label="range at each ARI")
    middles = [float(row.value) for row in bins.rows]
    laws = [row.law[name] for row in bins.rows]
    step = min((b - a for a, b in pairwise(middles)), default=0.1)
    ends = {"whislo": "q1", "q1": "q1", "med": "median", "q3": "q3", "whishi": "q3"}
    ax.bxp(
        [{key: float(getattr(law, end)) for key, end in ends.items()} | {"fliers": []} for law in laws],
        positions=middles,
        widths=0.55 * step,
        showfliers=False,
        showcaps=False,
        manage_ticks=False,
        patch_artist=True,
        boxprops={"facecolor": PALE, "edgecolor": BLUE},
        medianprops={"color": BLUE, "linewidth": 2},
    )
    ax.plot([], [], color=BLUE, linewidth=6, alpha=0.5, label="quartiles and median, ARI rounded")
    means = [float(law.mean) for law in laws]
    ax.plot(middles, means, "o", color=VERMILLION, markersize=4, zorder=3, label="mean")
    matrices = exact.law.matrices
    k, _ = matrices.shape
    weight = "matrices" if exact.law.weight == "tables" else "pairs of labelings"
    total = sum(row.weight for row in exact.rows)
    title = f"{k} classes, n = {matrices.n}: {total:,} {weight}, equally likely; exact"
    finish(ax, axis_label("ari"), axis_label(name, exact.law.statistics), title)
    return ax
