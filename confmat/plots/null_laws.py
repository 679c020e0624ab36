"""The null case in pictures: mirrored histograms of the distances, and the degree of overlap against the MED."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from confmat.chance.null_laws import DISTANCES, null_law
from confmat.classes import random_model
from confmat.engine.matchings import matched_points
from confmat.indices.classification import cor
from confmat.laws import Law
from confmat.matrices.arguments import as_count, as_counts
from confmat.pictures import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    SKY,
    VERMILLION,
    canvas,
    finish,
    legend_below,
    masses,
    panels,
)
from confmat.plots.laws import axis_label
from confmat.sampling.streams import Seed, seed_sequence

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TAIL = 1 / 2000
_COLOURS = {"med": BLUE, "rd": VERMILLION, "ard": GREEN, "nmed": SKY, "nrd": ORANGE}
_OTHER = "#999999"


def null_case(
    n: int,
    clusters: Iterable[int] = (2, 3, 4, 5),
    *,
    exact: bool | None = None,
    draws: int = 100_000,
    rng: Seed = None,
) -> Figure:
    """Figures 3 (n = 100) and 4 (n = 400) of Chacon (2019): five distances of labels drawn at random, r = s.

    Laws are exact where ``null_law`` enumerates (r = s = 2), else sampled, which the axis says.  n = 400 with its
    exact law takes half a minute; ``exact=False`` samples everything.

    >>> figure = null_case(8, (2,))
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['2\\nexact']
    """
    laws = [
        null_law(random_model("labels", n, k, k), *DISTANCES, exact=exact, draws=draws, rng=rng)
        for k in clusters
    ]
    return null_figure(laws)


def null_figure(laws: Sequence[Law]) -> Figure:
    """The panels of ``null_case`` for laws of the five distances that are already there, r = s in each.

    >>> from confmat.classes import random_model
    >>> figure = null_figure([null_law(random_model("labels", 6, 2, 2), *DISTANCES)])
    >>> len(figure.axes)
    6
    """
    labels = [str(law.matrices.shape[0]) for law in laws]
    figure, axes = panels(13, 9, 2, 3)
    figure.suptitle(
        f"Labels drawn uniformly and independently: n = {laws[0].matrices.n}, r = s = {', '.join(labels)}",
        fontsize=14,
    )
    for ax, name in zip(axes, DISTANCES):
        mirrored_histograms(laws, name, labels, ax=ax)
        ax.set_xlabel("clusters, r = s", fontsize=11)
    axes[-1].axis("off")
    notes = ["bar length: probability,\nover the largest of its law"]
    notes += [f"sampled: {draws:,} draws" for draws in {law.draws for law in laws} - {None}]
    axes[-1].text(0, 0.95, "\n".join(notes), va="top", fontsize=11)
    return figure


def mirrored_histograms(
    laws: Sequence[Law], name: str, labels: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw the law of one statistic under each null law as a histogram mirrored at a vertical line.

    The longest bar of each has the same length.  Bars show probabilities of equal classes of values, or of single
    values where there are few; the tick says whether a law is exact.  Tails of 1/2000 on either side are left out.

    >>> from confmat.classes import random_model
    >>> laws = [null_law(random_model("labels", 6, 2, 2), "med")]
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
    marks = ["sampled" if law.draws else "exact" for law in laws]
    finish(ax, "", axis_label(name, laws[0].statistics))
    ax.set_xticks(range(len(laws)), [f"{label}\n{mark}" for label, mark in zip(labels, marks)], fontsize=10)
    ax.set_xlim(-0.6, len(laws) - 0.4)
    return ax


def _middle(law: Law, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Values and probabilities of a law, without the tails."""
    values, probabilities = law[name].atoms()
    below = probabilities.cumsum()
    kept = (below > _TAIL) & (below - probabilities < 1 - _TAIL)
    return values[kept], probabilities[kept]


def overlap_against_med(
    sizes: Iterable[int], *, paths: int = 200, rng: Seed = None, ax: Axes | None = None
) -> Axes:
    """Degree of overlap and MED while points leave the diagonal one by one (Chacon 2019, Section 4.2).

    Each of ``paths`` paths starts at the diagonal table with these cluster sizes and moves its points, in random
    order, to a random other column.  The two agree at first; from the point where a better matching appears
    the MED stays behind.

    >>> overlap_against_med([5, 5], paths=10, rng=1).get_ylabel() == axis_label("med")
    True
    """
    clusters = as_counts("sizes", sizes, minimum=1)
    k, n = len(clusters), sum(clusters)
    if k < 2:
        raise ValueError(f"sizes must name at least 2 clusters, got {clusters}")
    generator = np.random.Generator(np.random.PCG64(seed_sequence(rng)))
    distances = np.zeros((as_count("paths", paths, 1), n + 1))
    for path in distances:
        tables = _path(clusters, generator)
        path[:] = 1 - matched_points(tables) / n
    ax = canvas(ax)
    overlap = [1 - float(cor(table)) for table in tables]
    ax.plot(overlap, distances.T, color=_COLOURS["med"], alpha=max(0.02, 1 / len(distances)), linewidth=1)
    ax.plot([], [], color=_COLOURS["med"], linewidth=1, label="MED of a path")
    ax.plot(overlap, distances.mean(axis=0), color=_COLOURS["rd"], label="mean MED")
    overlap_axes(ax, f"cluster sizes {', '.join(map(str, clusters))}: {len(distances)} sampled paths")
    return ax


def overlap_axes(ax: Axes, title: str) -> None:
    """Names, title and legend of a picture of the MED against the degree of overlap.

    >>> ax = canvas(None)
    >>> overlap_axes(ax, "20 objects")
    >>> ax.get_title(), ax.get_ylabel() == axis_label("med")
    ('20 objects', True)
    """
    ax.plot([0, 1], [0, 1], color=BLACK, linewidth=0.8, linestyle="--", label="MED = degree of overlap")
    finish(ax, "degree of overlap (share of objects off the diagonal)", axis_label("med"), title)
    legend_below(ax, columns=3)


def _path(clusters: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    """Tables (n + 1 x k x k) after 0, 1, ..., n points of a diagonal table have moved to another column."""
    k = len(clusters)
    rows = rng.permutation(np.repeat(np.arange(k), clusters))
    cols = (rows + rng.integers(1, k, len(rows))) % k
    moves = np.zeros((len(rows) + 1, k, k), np.int64)
    steps = np.arange(1, len(rows) + 1)
    moves[0] = np.diag(clusters)
    moves[steps, rows, rows] -= 1
    moves[steps, rows, cols] += 1
    return moves.cumsum(axis=0)
