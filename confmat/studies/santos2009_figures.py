"""Pictures of Santos & Embrechts (2009): what the printed ARIs can and cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from confmat.pictures import VERMILLION, panels
from confmat.studies.santos2009_printed import CLASS_SIZES, TABLE_5
from confmat.studies.santos2009_ranges import ari_extremes, lower_hull

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure_ranges(names: Sequence[str] = tuple(CLASS_SIZES)) -> Figure:
    """ARI against COR from 50% on, a panel a data set: all matrices, the hull of means, the printed rows.

    Shaded: every ARI of one matrix of all objects.  Line: the least mean ARI over several such matrices.
    Points below the line are impossible for means over them.

    >>> [axis.get_title() for axis in figure_ranges(["Sonar", "Wdbc"]).axes]
    ['Sonar: 111, 97', 'Wdbc: 357, 212']
    """
    if not names or not set(names) <= set(CLASS_SIZES):
        raise ValueError(f"names must be some of {', '.join(CLASS_SIZES)}, got {names!r}")
    columns = min(4, len(names))
    lines = -(-len(names) // columns)
    figure, axes = panels(3 * columns, 2.7 * lines + 0.5, lines, columns, sharex=True, sharey=True)
    for axis, name in zip(axes, names):
        sizes = CLASS_SIZES[name]
        n, (low, high) = sum(sizes), zip(*ari_extremes(sizes))
        cor = [100 * (1 - Fraction(errors, n)) for errors in range(n + 1)]
        x, lowest, highest = (list(map(float, values)) for values in (cor, low, high))
        axis.fill_between(x, lowest, highest, color="0.8", label="every ARI of one matrix, exact")
        hull = [(float(rate), float(ari)) for rate, ari in lower_hull(zip(cor, low))]
        axis.plot(*zip(*hull), color="black", lw=1, label="least mean over matrices")
        for classifier, marker in (("MLP", "o"), ("SVM", "x")):
            point = (TABLE_5[name, classifier, "COR"], TABLE_5[name, classifier, "ARI"])
            axis.plot(*point, marker, color=VERMILLION, ms=5, label=f"printed, {classifier}")
        axis.set(title=f"{name}: {sizes[0]}, {sizes[1]}", xlim=(50, 100), ylim=(-0.13, 1.02))
        axis.title.set_fontsize(9)
    for axis in axes[len(names) :]:
        axis.remove()
    figure.suptitle("What one matrix and means over matrices can have, exact; printed values, two decimals")
    for axis in axes[-columns:]:
        axis.set_xlabel("COR in percent")
    figure.supylabel("ARI")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=min(4, 2 * columns))
    return figure
