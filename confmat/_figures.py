"""Common functions of all figures: layout, style, and marks of distributions and matrices.

A plot function has the data as first argument and ``ax`` as last. It returns the Axes if they were given, otherwise
the Figure. A notebook shows both. Colours are those of Okabe and Ito, for colour-blind readers. Different colours
have different line styles, markers or hatches too, for prints in grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, PowerNorm
from matplotlib.figure import Figure

from confmat._display.sheets import printable
from confmat.contingency.matrix import as_matrix, dense

BLUE, VERMILLION, GREEN, ORANGE, SKY, PURPLE, BLACK = (
    "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "#000000",
)  # fmt: skip
PALE = "#CFE3F1"
GRID = "#DDDDDD"

_DPI = 110  # resolution in a notebook, which gets twice as many pixels
_BINS_OF_BARS = 40
_READABLE = 5  # smallest size of a number in a cell, in points
_MOST_NAMES = 40
_LONGEST_NAME = 24
_MOST_MAPS = 6


class Picture(Figure):
    """Matplotlib figure with a sharp PNG for notebooks. It is not registered with pyplot, so that it is shown once.

    >>> png, size = Picture(2, 1)._repr_png_()
    >>> png[:4], size
    (b'\\x89PNG', {'width': 220, 'height': 110})
    """

    def __init__(self, width: float, height: float, **options: Any) -> None:
        super().__init__(figsize=(width, height), layout="constrained", **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        image = BytesIO()
        self.savefig(image, format="png", dpi=2 * _DPI)
        width, height = (round(_DPI * inches) for inches in self.get_size_inches())
        return image.getvalue(), {"width": width, "height": height}


class Panel(Axes):
    """Axes of a `Picture`. A notebook shows them with their figure."""

    def _repr_png_(self) -> Any:
        return self.figure._repr_png_()  # type: ignore[union-attr]


def panels(
    width: float, height: float, rows: int = 1, columns: int = 1, **shared: Any
) -> tuple[Picture, list[Any]]:
    """Return a figure of ``width`` x ``height`` inches, and a list of its Axes row by row.

    ``shared`` are further arguments of ``subplots`` of Matplotlib.

    >>> figure, axes = panels(8, 4, columns=3, sharey=True)
    >>> len(axes)
    3
    """
    figure = Picture(width, height)
    axes = figure.subplots(rows, columns, squeeze=False, subplot_kw={"axes_class": Panel}, **shared)
    return figure, list(axes.flat)


def canvas(ax: Axes | None, width: float = 7, height: float = 4.4) -> Axes:
    """Return ``ax``, or the Axes of a new figure of ``width`` x ``height`` inches if it is None.

    >>> ax = canvas(None)
    >>> canvas(ax) is ax
    True
    """
    if ax is None:
        return panels(width, height)[1][0]
    return ax


def finish(ax: Axes, xlabel: str, ylabel: str, title: str = "") -> None:
    """Set the labels of both axes and the title of ``ax``, and draw its grid and frame.

    >>> ax = canvas(None)
    >>> finish(ax, "MED", "probability", "Law")
    >>> ax.get_title(), ax.spines["top"].get_visible()
    ('Law', False)
    """
    scale = _scale(ax)
    ax.set_xlabel(xlabel, fontsize=11 * scale, parse_math=False)
    ax.set_ylabel(ylabel, fontsize=11 * scale, parse_math=False)
    ax.set_title(title, fontsize=12 * scale, parse_math=False)
    ax.tick_params(labelsize=10 * scale)
    ax.set_axisbelow(True)
    ax.grid(axis="y", color=GRID, linewidth=0.7)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _scale(ax: Axes) -> float:
    """Return a factor for the font size: 1, or less for Axes smaller than about four by three inches."""
    box = ax.get_window_extent()
    inch = ax.figure.dpi
    scale = min(
        box.width / (4 * inch),
        box.height / (2.6 * inch),
    )
    return float(np.clip(scale, 0.6, 1))


def legend_below(ax: Axes, columns: int = 1) -> None:
    """Draw a legend of ``ax`` below the label of the x axis, with a number of columns.

    >>> ax = canvas(None)
    >>> _ = ax.plot([0, 1], label="a line")
    >>> legend_below(ax)
    >>> len(ax.get_legend().get_texts())
    1
    """
    scale = _scale(ax)
    ax.legend(
        ncols=columns if scale == 1 else 2,
        frameon=False,
        fontsize=10 * scale,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.14 / scale),
    )


def legend_outside(figure: Figure, ax: Axes) -> None:
    """Draw the legend of ``ax`` below the figure.

    >>> ax = canvas(None)
    >>> _ = ax.plot([0, 1], label="a line")
    >>> legend_outside(ax.figure, ax)
    >>> len(ax.figure.legends)
    1
    """
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=4,
        frameon=False,
        fontsize=10,
    )


def distribution_steps(ax: Axes, values: Any, shares: Any, **style: Any) -> None:
    """Draw a distribution function as steps into ``ax``.

    ``values`` are increasing, and ``shares`` are their probabilities. ``style`` are arguments of the line.

    >>> ax = canvas(None)
    >>> distribution_steps(ax, [0, 1], [0.25, 0.75])
    >>> ax.lines[0].get_xydata().tolist()
    [[0.0, 0.0], [0.0, 0.25], [1.0, 1.0]]
    """
    ax.step(
        [*values[:1], *values],
        [0, *np.cumsum(shares)],
        where="post",
        **style,
    )
    ax.set_ylim(0, 1.02)


def masses(values: Any, shares: Any) -> tuple[np.ndarray, float, np.ndarray]:
    """Return the centres of bars, their common width, and their probabilities.

    A bar is one value if the values lie on a grid with few points (multiples of 1/n), otherwise one of 40 intervals
    of equal width. ``shares`` are the probabilities of the values.

    >>> [np.round(x, 9).tolist() for x in masses([0, 0.25, 1], [0.5, 0.3, 0.2])]
    [[0.0, 0.25, 1.0], 0.25, [0.5, 0.3, 0.2]]
    """
    x, place = np.unique(np.asarray(values, float), return_inverse=True)
    p = np.bincount(place, np.asarray(shares, float))
    if len(x) < 2:
        return x, 0.01, p
    gaps = np.diff(x)
    least_gap = float(gaps.min())
    grid_steps = gaps / least_gap
    lies_on_grid = np.allclose(grid_steps, grid_steps.round(), atol=1e-6)
    if lies_on_grid and grid_steps.sum() <= 4 * _BINS_OF_BARS:
        return x, least_gap, p
    counts, edges = np.histogram(x, bins=_BINS_OF_BARS, weights=p)
    middles = (edges[:-1] + edges[1:]) / 2
    return middles, float(edges[1] - edges[0]), counts


_LEVELS = (0.05, 0.01, 0.001)
_DEEPEST_TAIL = 1e-6  # smallest drawn probability as a fraction of the observed tail


def survival(ax: Axes, values: Any, shares: Any, observed: float, less: bool = False) -> None:
    """Draw P(X >= x), or P(X <= x) if ``less``, on a log scale into ``ax``.

    ``shares`` are the probabilities of ``values``. The ``observed`` value is a point, and the tail beyond it is
    filled.

    >>> ax = canvas(None)
    >>> survival(ax, [0, 1], [0.25, 0.75], 1)
    >>> ax.lines[0].get_xydata().tolist(), ax.lines[1].get_xydata().tolist()
    ([[0.0, 1.0], [1.0, 0.75]], [[1.0, 0.75]])
    """
    x, place = np.unique(np.asarray(values, float), return_inverse=True)
    p = np.bincount(place, np.asarray(shares, float))
    if less:
        tails = np.cumsum(p)
    else:
        tails = np.cumsum(p[::-1])[::-1]
    side: Literal["pre", "post"] = "post" if less else "pre"
    if less:
        in_tail = x <= observed + _SAME
    else:
        in_tail = x >= observed - _SAME
    tail = float(p[in_tail].sum())
    ax.step(x, tails, where=side, color=BLUE, linewidth=1.6)
    ax.set_yscale("log")
    lowest = float(min(tails[tails > 0].min(), tail or 1))
    bottom = max(lowest / 4, tail * _DEEPEST_TAIL)
    ax.set_ylim(bottom, 2)
    ax.fill_between(
        x,
        tails,
        bottom,
        where=in_tail,
        step=side,
        color=VERMILLION,
        alpha=0.25,
        linewidth=0,
    )
    if tail:
        ax.plot([observed], [tail], "o", color=VERMILLION, markersize=7, zorder=5)
    else:  # no draw is as extreme
        ax.axvline(observed, color=VERMILLION, linewidth=1.2)
    for level in _LEVELS:
        if level > bottom:
            ax.axhline(level, color="#9AA4AE", linewidth=0.8, linestyle=":")
            ax.annotate(
                f" {level:g}",
                (1, level),
                xycoords=("axes fraction", "data"),
                fontsize=8,
                va="center",
            )
    if tail:
        frequency = f"\none in {1 / tail:,.0f}"
    else:
        frequency = ""
    ax.annotate(
        f"observed {observed:.4g}{frequency}",
        (observed, tail or lowest),
        xytext=(-10 if less else 10, 12),
        textcoords="offset points",
        ha="right" if less else "left",
        fontsize=9,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
    )


_SAME = 1e-12  # floats of the same value differ by less


def heat(ax: Axes, x: Any, y: Any, weights: Any) -> Any:
    """Draw a heat map of ``weights`` at the points (``x``, ``y``) on a log scale into ``ax``.

    Cells are single values if an axis has few values, otherwise intervals.

    >>> ax = canvas(None)
    >>> heat(ax, [0, 0, 1], [0, 1, 1], [1, 2, 3]).get_array().tolist()
    [[1.0, None], [2.0, 3.0]]
    """
    weights = np.asarray(weights, float)
    edges = [_edges(np.asarray(side, float)) for side in (x, y)]
    counts, *_ = np.histogram2d(x, y, edges, weights=weights)
    colours = np.ma.masked_equal(counts, 0).T
    least_count = counts[counts > 0].min()
    norm = LogNorm(least_count, max(2 * least_count, counts.max()))
    return ax.pcolormesh(*edges, colours, cmap="cividis_r", norm=norm, rasterized=True)


_CLASSES = 80  # largest number of intervals of an axis of a heat map


def _edges(values: np.ndarray) -> np.ndarray:
    """Return the ends of the intervals of an axis of a heat map, for points with these ``values``."""
    distinct = np.unique(values)
    if len(distinct) == 1:
        return np.array(
            [
                distinct[0] - 0.5,
                distinct[0] + 0.5,
            ]
        )
    if len(distinct) > _CLASSES:
        edges = np.linspace(
            distinct[0],
            distinct[-1],
            _CLASSES + 1,
        )
        edges[-1] += _SAME
        return edges
    middles = (distinct[1:] + distinct[:-1]) / 2
    begin = 2 * distinct[0] - middles[0]
    end = 2 * distinct[-1] - middles[-1]
    return np.array([begin, *middles, end])


def shorten(name: str) -> str:
    """Return a name of at most 24 characters, without control characters.

    >>> shorten("a name that is much longer than others")
    'a name that is much lon…'
    """
    name = printable(name)
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[: _LONGEST_NAME - 1]}…"


def _inches_of(names: Sequence[str]) -> float:
    """Return the approximate width of the longest name in inches."""
    return 0.09 * max(map(len, names)) + 1


def _entry_text(x: float) -> str:
    """Return an entry of a matrix as text in a cell of a heat map."""
    if isinstance(x, float):
        return f"{x:g}"
    return str(x)


def matrix_map(
    matrix: Any,
    title: str = "",
    *,
    names: tuple[str, str] = ("cluster", "cluster"),
    labels: tuple[Sequence[Any], Sequence[Any]] | None = None,
    by_row: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw a matrix as a heat map, with the entries in the cells if they are large enough.

    Larger entries are darker, and zeros are written in grey.

    Parameters
    ----------
    matrix : array_like
    title : str
        Title of the Axes. Default: none.
    names : (str, str)
        Labels of the axes of the rows and of the columns. Default: "cluster" for both.
    labels : (sequence, sequence), optional
        Labels of the rows and of the columns. Default: numbers from 1.
    by_row : bool
        True if the shade of a cell is its fraction of the row sum. Default: False.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on. Default: new Axes.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError or ValueError
        If it is not a matrix of integers that are at least 0.

    Examples
    --------
    >>> [text.get_text() for text in matrix_map([[12, 4], [4, 0]]).texts]
    ['12', '4', '4', '0']
    """
    cells = dense(as_matrix(matrix))
    r, s = cells.shape
    shades = cells.astype(float)
    if by_row:
        shades /= np.maximum(shades.sum(axis=1, keepdims=True), 1)
    row_labels, column_labels = labels or (
        range(1, r + 1),
        range(1, s + 1),
    )
    row_names = [shorten(str(x)) for x in row_labels]
    column_names = [shorten(str(x)) for x in column_labels]
    if ax is None:
        inches = float(np.clip(9 / max(r, s), 0.1, 0.75))
        width = inches * s + _inches_of(row_names)
        height = inches * r + _inches_of(column_names)
        ax = canvas(
            None,
            max(2.4, width),
            max(2.2, height),
        )
    # Shades by square roots, so that small entries differ visibly from zero.
    norm = PowerNorm(0.5, 0, 1.3 * max(shades.max(), 1e-9))
    image = ax.imshow(shades, cmap="Blues", norm=norm, aspect="equal")
    texts = np.array([list(map(_entry_text, row)) for row in cells.tolist()])
    box = ax.get_window_extent()
    cell = 72 / ax.figure.dpi * min(box.width / s, box.height / r)
    longest_text = max(map(len, texts.flat))
    size = min(13, cell / 1.6, 1.4 * cell / longest_text)
    is_readable = size >= _READABLE
    if is_readable:
        for i, j in np.ndindex(r, s):
            # White text has the higher contrast on dark cells, black text on light cells.
            is_dark = norm(shades[i, j]) > 0.7
            if is_dark:
                colour = "white"
            elif cells[i, j]:
                colour = "black"
            else:
                colour = "#707070"
            ax.text(j, i, str(texts[i, j]), ha="center", va="center", color=colour, fontsize=size)
    else:
        ax.figure.colorbar(image, ax=ax, shrink=0.7, label="share of the row" if by_row else "objects")
    for axis, line_names in ((ax.xaxis, column_names), (ax.yaxis, row_names)):
        step = -(-len(line_names) // _MOST_NAMES)
        axis.set_ticks(
            range(0, len(line_names), step),
            line_names[::step],
            parse_math=False,
        )
        axis.set_ticks(np.arange(1, len(line_names)) - 0.5, minor=True)
    label_size = float(np.clip(0.8 * cell * step, _READABLE, 10))
    ax.tick_params(which="both", length=0, labelsize=label_size)
    longest_name = max(map(len, column_names))
    if longest_name * label_size * 0.6 > 0.9 * cell:
        ax.tick_params(axis="x", rotation=90)
    ax.grid(which="minor", color="white", linewidth=min(2, cell / 8))
    for spine in ax.spines.values():
        spine.set_color(GRID)
    ax.set_ylabel(shorten(names[0]), fontsize=11, parse_math=False)
    ax.set_xlabel(shorten(names[1]), fontsize=11, parse_math=False)
    ax.set_title(title, fontsize=12, parse_math=False)
    return ax


def matrix_maps(
    shown: Iterable[tuple[str, Any]], title: str = "", names: tuple[str, str] = ("cluster", "cluster")
) -> Picture:
    """Draw up to six matrices with their titles in one figure.

    ``shown`` are pairs (title, matrix), and ``title`` is the title of the figure. ``names`` are the labels of the
    axes of rows and of columns.

    >>> len(matrix_maps([("first", [[1, 0]]), ("second", [[0], [1]])]).axes)
    2
    """
    maps = list(shown)[:_MOST_MAPS]
    if len(maps) < 4:
        columns = len(maps)
    else:
        columns = -(-len(maps) // 2)
    rows = -(-len(maps) // columns)
    figure, axes = panels(
        3.6 * max(columns, 1.3),
        3.4 * rows,
        rows,
        columns,
    )
    for ax, (name, matrix) in zip(axes, maps):
        matrix_map(matrix, name, names=names, ax=ax)
    for ax in axes[len(maps) :]:
        ax.remove()
    figure.suptitle(title, fontsize=11, wrap=True)
    return figure
