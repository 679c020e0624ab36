"""Figures of Chacon (2019), drawn from exact distributions.

Nothing is sampled or smoothed. Values are rounded only for drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_rgba

from confmat._arguments import as_instance
from confmat._figures import (
    BLUE,
    PALE,
    SKY,
    VERMILLION,
    canvas,
    finish,
    legend_below,
    legend_outside,
    panels,
)
from confmat._figures import GREEN as GREEN
from confmat._figures import PURPLE as PURPLE
from confmat._figures import matrix_map as matrix_map
from confmat.errors import TooLargeError
from confmat.statistics import as_statistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from confmat.distributions import Distribution, JointDistribution
    from confmat.distributions.conditional import GivenValue
    from confmat.statistics import Statistic


# Largest number of values of the MED for which separate boxes are drawn. For more values they are joined to ribbons.
_MOST_BOXES = 32
_OUTLIERS = 200  # heights of outliers that are drawn separately


def axis_label(name: str, statistics: Iterable[Statistic] = ()) -> str:
    """Return the label of a statistic on an axis.

    Parameters
    ----------
    name : str
        Short name.
    statistics : iterable of Statistic
        Statistics of the distribution, which can be user-defined. Default: none.

    Returns
    -------
    str

    Examples
    --------
    >>> axis_label("ard")
    'ARD (adjusted Rand distance)'
    """
    return next((own.label for own in statistics if own.name == name), None) or as_statistic(name).label


def overview(joint: JointDistribution) -> Figure:
    """Draw RD and ARD given the MED above the distribution of the MED, as Chacon (2019).

    Parameters
    ----------
    joint : JointDistribution
        Joint distribution of "med", "rd" and "ard".

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> from confmat.distributions import joint_distribution
    >>> figure = overview(joint_distribution(Tables(6, 2, 2), "med", "rd", "ard"))
    >>> [ax.get_ylabel() for ax in figure.axes]
    ['RD (Rand distance)', 'ARD (adjusted Rand distance)', 'probability']
    """
    rows = list(joint.groupby("med"))
    figure, (rd, ard, med) = panels(8, 9, 3, sharex=True, height_ratios=(3, 3, 2))
    _given_med(joint, rows, "rd", rd)
    _given_med(joint, rows, "ard", ard)
    _plot_med(joint, rows, med)
    for ax in (rd, ard):
        ax.set_xlabel("")
        ax.get_legend().remove()
    # The legend of the ARD has all entries of the RD too.
    legend_outside(figure, ard)
    figure.suptitle(f"{joint.matrices.words()}:\n{_size(joint)}", fontsize=13)
    return figure


def given_med(joint: JointDistribution, name: str, *, ax: Axes | None = None) -> Axes:
    """Draw boxplots of a statistic given each MED, with the curve of its conditional means, as Chacon (2019).

    Boxes are from the first to the third quartile, with the median as a bar. Whiskers end at the last values within
    1.5 times the length of the box (Tukey's fences), and dots are values beyond. Rare values of the MED are faint:
    the opacity grows with the square root of their probability. If the MED has many values, boxes and whiskers are
    joined to ribbons. If a distribution is too large for memory, whiskers end at the smallest and the largest
    value.

    Parameters
    ----------
    joint : JointDistribution
        Joint distribution of "med" and the statistic.
    name : str
        Name of the statistic.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. Default: new Axes.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> from confmat.distributions import joint_distribution
    >>> ax = given_med(joint_distribution(Tables(6, 2, 2), "med", "rd"), "rd")
    >>> ax.get_xlabel() == axis_label("med")
    True
    """
    others = [other for other in joint.names if other != "med"]
    if name not in others:
        raise ValueError(f"name must be one of {', '.join(others)}, got {name!r}")
    return _given_med(joint, list(joint.groupby("med")), name, canvas(ax))


def _given_med(joint: JointDistribution, rows: list[GivenValue], name: str, ax: Axes) -> Axes:
    """Draw boxplots of the statistic ``name`` given each value of the MED, into ``ax``.

    ``rows`` are pairs of a value of the MED and the conditional distribution of ``joint`` given this value.
    """
    step = 1 / max(1, joint.matrices.n)
    ribbons = len(rows) > _MOST_BOXES
    at = [float(value) for value, _ in rows]
    boxes = [_Box.of(given[name]) for _, given in rows]
    largest = max((given.total for _, given in rows), default=1)
    opacity = []
    for _, given in rows:
        relative_weight = float(Fraction(given.total, largest))
        opacity.append(0.15 + 0.85 * relative_weight**0.5)
    dark = [to_rgba(BLUE, alpha) for alpha in opacity]
    palest = 0.35 if ribbons else 0.6
    pale = [to_rgba(SKY, palest * alpha) for alpha in opacity]
    for low, high, width, colours, edges in (
        ("low", "high", 1 if ribbons else 0.06, pale if ribbons else dark, "none"),
        ("q1", "q3", 1 if ribbons else 0.6, pale, "none" if ribbons else dark),
    ):
        bottoms, tops = ([getattr(box, end) for box in boxes] for end in (low, high))
        ax.bar(
            at,
            np.subtract(tops, bottoms),
            width * step,
            bottoms,
            color=colours,
            edgecolor=edges,
        )
    half = (0.5 if ribbons else 0.3) * step
    ax.hlines(
        [box.median for box in boxes],
        np.subtract(at, half),
        np.add(at, half),
        colors=dark,
        linewidth=2,
        zorder=4,
    )
    if ribbons:
        for end in ("low", "high"):
            ax.plot(at, [getattr(box, end) for box in boxes], color=BLUE, linewidth=0.8)
    beyond = []
    for value, box, colour in zip(at, boxes, dark):
        beyond += [(value, y, colour) for y in box.beyond]
    if beyond:
        values, heights, colours = map(list, zip(*beyond))
        ax.scatter(
            values,
            heights,
            s=2 if ribbons else 9,
            facecolors=colours if ribbons else "none",
            edgecolors=colours,
            linewidths=0.8,
        )
    means = [float(given[name].mean()) for _, given in rows]
    style: dict[str, Any] = {
        "marker": "" if ribbons else "o",
        "markersize": 4 if len(rows) <= _MOST_BOXES / 2 else 2.5,
        "markeredgecolor": "white",
        "markeredgewidth": 0.4,
    }
    ax.plot(at, means, color=VERMILLION, zorder=3, label="mean", **style)
    ax.plot([], [], color=SKY, linewidth=7, alpha=0.6, label="quartiles")
    ax.plot([], [], color=BLUE, linewidth=2, label="median")
    fenced = all(box.fenced for box in boxes)
    ends = "within 1.5 quartile ranges" if fenced else "smallest to largest"
    ax.plot(
        [],
        [],
        color=SKY if ribbons else BLUE,
        linewidth=3 if ribbons else 1,
        alpha=0.5,
        label=ends,
    )
    if fenced:
        ax.plot([], [], "o", color=BLUE, markerfacecolor="none", markersize=3, label="beyond")
    if name == "ard":
        ax.axhline(1, color="grey", linestyle=":", linewidth=1.2, label="1, the mean under chance")
    ax.use_sticky_edges = False
    finish(
        ax,
        axis_label("med"),
        axis_label(name, joint._statistics),
        f"{name.upper()} given the MED, exact",
    )
    legend_below(ax, columns=3)
    return ax


@dataclass(frozen=True)
class _Box:
    """Numbers of a box plot: quartiles, ends of the whiskers (``low``, ``high``), and outliers (``beyond``).

    ``fenced`` is False if whiskers end at the smallest and largest value, because the distribution is too large.
    """

    q1: float
    median: float
    q3: float
    low: float
    high: float
    beyond: tuple[float, ...] = ()
    fenced: bool = True

    @classmethod
    def of(cls, law: Distribution) -> _Box:
        """Return the numbers of the box plot of the distribution ``law``."""
        q1, median, q3, least, largest = map(
            float, (law.quantile("1/4"), law.median(), law.quantile("3/4"), law.min(), law.max())
        )
        try:
            values = law.values.astype(float)
        except TooLargeError:
            return cls(q1, median, q3, least, largest, fenced=False)
        reach = 1.5 * (q3 - q1)
        inside = (values >= q1 - reach) & (values <= q3 + reach)
        beyond = values[~inside]
        # Outliers with nearly the same height are drawn once.
        span = max(largest - least, 1e-300)
        places = ((beyond - least) / span * _OUTLIERS).round()
        _, first = np.unique(places, return_index=True)
        ends = values[inside]
        kept = {
            *beyond[first].tolist(),
            *({least, largest} & {*beyond.tolist()}),
        }
        return cls(
            q1,
            median,
            q3,
            float(ends[0]),
            float(ends[-1]),
            tuple(sorted(kept)),
        )


def plot_med(joint: JointDistribution, *, ax: Axes | None = None) -> Axes:
    """Draw the distribution of the MED, a bar for each value, as Chacon (2019).

    Parameters
    ----------
    joint : JointDistribution
        Joint distribution of "med" and other statistics.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. Default: new Axes.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> from confmat.distributions import joint_distribution
    >>> len(plot_med(joint_distribution(Tables(6, 2, 2), "med", "rd")).patches)
    4
    """
    return _plot_med(joint, list(joint.groupby("med")), ax)


def _plot_med(joint: JointDistribution, rows: list[GivenValue], ax: Axes | None) -> Axes:
    """Draw the distribution of the MED into ``ax``, or into a new figure if it is None.

    ``rows`` are pairs of a value of the MED and the conditional distribution of ``joint`` given this value.
    """
    probabilities = {}
    for value, given in rows:
        probabilities[float(value)] = float(Fraction(given.total, joint.total))
    return med_bars(probabilities, joint.matrices.n, ax=ax)


def med_bars(probabilities: Mapping[float, float], n: int, *, ax: Axes | None = None) -> Axes:
    """Draw probabilities of values of the MED as bars.

    Parameters
    ----------
    probabilities : dict of float to float
        Probability of each value.
    n : int
        Number of objects.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. Default: new Axes.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> [float(bar.get_height()) for bar in med_bars({0.0: 0.25, 0.25: 0.75}, 4).patches]
    [0.25, 0.75]
    """
    as_instance(
        "probabilities", probabilities, Mapping, "a dictionary of values of the MED and probabilities"
    )
    ax = canvas(ax)
    ax.bar(
        list(probabilities),
        list(probabilities.values()),
        width=0.8 / max(1, n),
        color=PALE,
        edgecolor=BLUE,
    )
    finish(ax, axis_label("med"), "probability", "Distribution of the MED, exact")
    ax.set_ylim(bottom=0)
    return ax


def _size(joint: JointDistribution) -> str:
    """Return the total weight of a distribution as text, such as "38 matrices, equally likely"."""
    what = "matrices, equally likely" if joint.weight == "tables" else "pairs of labelings, equally likely"
    if joint.total < 10**18:
        total = f"{joint.total:,}"
    else:
        total = f"{joint.total:.3e}"
    return f"{total} {what}"
