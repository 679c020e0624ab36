"""Figure of the metrics of a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from confmat._figures import (
    BLACK,
    BLUE,
    GRID,
    SKY,
    VERMILLION,
    finish,
    legend_outside,
    matrix_map,
    panels,
    shorten,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def classifier(
    matrix: Any,
    labels: tuple[Sequence[Any], Sequence[Any]] | None = None,
    names: tuple[str, str] = ("true class", "predicted class"),
) -> Figure:
    """Draw a confusion matrix, shaded by the fractions of its rows, and four measures of each class against the rest.

    Parameters
    ----------
    matrix : array_like
        Confusion matrix, rows are true classes.
    labels : (sequence, sequence), optional
        Labels of the rows and of the columns. Default: numbers.
    names : (str, str)
        Names of the axes. Default: ("true class", "predicted class").

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> left, right = classifier([[50, 0, 0], [0, 48, 2], [0, 1, 49]]).axes
    >>> [line.get_label() for line in right.lines]
    ['sensitivity', 'specificity', 'precision', 'F']
    """
    from confmat.indices.classification import ClassCounts, all_metrics

    metrics = all_metrics(ClassCounts.of(matrix), undefined="nan")
    size = len(metrics.recall.classes)
    side = float(np.clip(0.5 * size, 2.5, 9))
    row_labels = labels[0] if labels else []
    lengths = [len(shorten(str(x))) for x in row_labels]
    named = 0.09 * max(lengths, default=1)
    figure, (left, right) = panels(
        side + 2 * named + 6,
        side + named + 1.4,
        columns=2,
        width_ratios=(side + named, 4.5 + named),
    )
    matrix_map(
        matrix, f"accuracy {float(metrics.accuracy):.4g}", names=names, labels=labels, by_row=True, ax=left
    )
    styles = zip(
        ("recall", "specificity", "precision", "f"),
        (BLUE, SKY, VERMILLION, BLACK),
        "osD^",
    )
    for (name, colour, marker), title in zip(styles, ("sensitivity", "specificity", "precision", "F")):
        values = [float(x) for x in getattr(metrics, name).classes]
        style = {"color": colour, "marker": marker, "markerfacecolor": "none", "linestyle": ""}
        right.plot(values, range(size), label=title, **style)
    right.set_yticks(
        left.get_yticks(),
        [text.get_text() for text in left.get_yticklabels()],
        parse_math=False,
    )
    right.set_ylim(left.get_ylim())
    right.grid(axis="x", color=GRID, linewidth=0.7)
    finish(
        right, "each class against the rest", "", f"balanced accuracy {float(metrics.balanced_accuracy):.4g}"
    )
    right.set_xlim(-0.02, 1.02)
    legend_outside(figure, right)
    return figure
