"""The law of the MED as the number of objects grows, beside its limit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING

from confmat.laws.medlaw import limit_density, med_counts
from confmat.pictures import BLACK, BLUE, VERMILLION, canvas, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_limit_law(r: int, s: int, ns: Sequence[int] = (20, 100, 1000), *, ax: Axes | None = None) -> Axes:
    """The exact laws of the MED over ``Tables(n, r, s)``, scaled by n, and their limit density.

    >>> [line.get_label() for line in plot_limit_law(2, 2, (20, 100)).lines]
    ['limit', 'n = 20', 'n = 100']
    """
    import numpy as np
    import sympy as sp

    ax = canvas(ax)
    density = limit_density(r, s)
    mu = np.linspace(0, 1 - 1 / max(r, s), 500)
    limit = sp.lambdify(sp.Symbol("mu", real=True), density)(mu)
    ax.plot(mu, limit, color="0.75", linewidth=4, label="limit")
    for n, colour in zip(ns, cycle((VERMILLION, BLUE, BLACK))):
        counts = med_counts(n, r, s)
        total = sum(counts)
        heights = [n * count / total for count in counts]
        size = max(1.5, 7 - len(counts) / 40)
        ax.plot(np.arange(len(counts)) / n, heights, ".", color=colour, markersize=size, label=f"n = {n}")
    finish(ax, "MED", "n P(MED)", f"MED of {r} x {s} tables, exact")
    ax.set_ylim(bottom=0)
    for line in ax.legend(frameon=False).get_lines():
        line.set_markersize(6)
    return ax
