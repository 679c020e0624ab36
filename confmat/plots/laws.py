"""The pictures of Chacon (2019), each drawn on a Matplotlib Axes from exact laws, and matrices as heat maps.

Nothing is sampled, smoothed or binned: every mark stands at an exact value, rounded only to be drawn.  Colours
are those of Okabe and Ito, which colour-blind readers tell apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from confmat.indices.extremes import max_rand_distance, med_2x2, rand_distance_2x2
from confmat.indices.pairs import PairSums
from confmat.matrices.arguments import as_count
from confmat.statistics import as_statistic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from confmat.laws import Family, Law
    from confmat.statistics import Statistic

__all__ = [
    "distances_2x2",
    "given_med",
    "independent_nrd",
    "law_at",
    "matrix_map",
    "means_given_med",
    "med_bars",
    "med_law",
    "overview",
]

BLUE, VERMILLION, GREEN, ORANGE, SKY, PURPLE, BLACK = (
    "#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "#000000",
)  # fmt: skip
_PALE = "#CFE3F1"
_GRID = "#DDDDDD"


def axis_label(name: str, statistics: Iterable[Statistic] = ()) -> str:
    """The name of a statistic on an axis; ``statistics``: those of a law, which may hold one's own.

    >>> axis_label("ard")
    'ARD (adjusted Rand distance)'
    """
    return next((own.label for own in statistics if own.name == name), None) or as_statistic(name).label


def overview(family: Family) -> Figure:
    """RD and ARD given the MED (Figure 5) above the law of the MED (Figure 7), as one Figure to be saved.

    ``family`` is ``joint(matrices, "med", "rd", "ard").given_each("med")``.

    >>> from confmat.classes import Tables
    >>> from confmat.laws import joint
    >>> figure = overview(joint(Tables(6, 2, 2), "med", "rd", "ard").given_each("med"))
    >>> [ax.get_xlabel() == axis_label("med") for ax in figure.axes]
    [True, True, True]
    """
    from confmat.pictures import Picture

    figure = Picture(11, 9)
    axes = figure.subplot_mosaic([["rd", "ard"], ["med", "med"]], height_ratios=[3, 2])
    given_med(axes["rd"], family, "rd")
    given_med(axes["ard"], family, "ard")
    med_law(axes["med"], family)
    figure.suptitle(f"{family.law.matrices.words()}: {_size(family.law)}", fontsize=14)
    return figure


def given_med(ax: Axes, family: Family, name: str) -> None:
    """Boxplots of one statistic given each MED, with the curve of its conditional means (Figure 5).

    Boxes run from the first to the third quartile with the median as a bar, whiskers to the smallest and
    largest value that occur, so no value is left out as an outlier.

    >>> from confmat.classes import Tables
    >>> from confmat.laws import joint
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> given_med(ax, joint(Tables(6, 2, 2), "med", "rd").given_each("med"), "rd")
    >>> ax.get_xlabel() == axis_label("med")
    True
    """
    _check_given_med(family)
    rows = family.rows
    if name not in family.others:
        raise ValueError(f"name must be one of {', '.join(family.others)}, got {name!r}")
    positions = [float(row.value) for row in rows]
    step = 1 / max(1, family.law.matrices.n)
    if rows:
        ax.bxp(
            [_box(row.law[name]) for row in rows],
            positions=positions,
            widths=0.6 * step,
            showfliers=False,
            manage_ticks=False,
            patch_artist=True,
            boxprops={"facecolor": _PALE, "edgecolor": BLUE},
            medianprops={"color": BLUE, "linewidth": 2},
            whiskerprops={"color": BLUE},
            capprops={"color": BLUE},
        )
        means = [float(row.law[name].mean) for row in rows]
        ax.plot(positions, means, color=VERMILLION, marker="o", markersize=4, zorder=3, label="mean")
    ax.plot([], [], color=BLUE, linewidth=6, alpha=0.4, label="quartiles and median")
    ax.plot([], [], color=BLUE, marker="_", label="smallest and largest")
    if name == "ard":
        ax.axhline(1, color="grey", linestyle=":", linewidth=1.2, label="1, the mean under chance")
    _finish(
        ax,
        axis_label("med"),
        axis_label(name, family.law.statistics),
        f"{name.upper()} given the MED, exact",
    )
    _legend_below(ax, columns=2)


def med_law(ax: Axes, family: Family) -> None:
    """The law of the MED as bars, one for each value (Figure 7).

    >>> from confmat.classes import Tables
    >>> from confmat.laws import joint
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> med_law(ax, joint(Tables(6, 2, 2), "med", "rd").given_each("med"))
    >>> len(ax.patches)
    4
    """
    _check_given_med(family)
    law = {float(row.value): float(row.probability) for row in family.rows}
    med_bars(ax, law, family.law.matrices.n)


def med_bars(ax: Axes, law: Mapping[float, float], n: int) -> None:
    """The law of the MED of ``n`` objects, given as value -> probability, as bars.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> med_bars(ax, {0.0: 0.25, 0.25: 0.75}, 4)
    >>> [float(bar.get_height()) for bar in ax.patches]
    [0.25, 0.75]
    """
    ax.bar(list(law), list(law.values()), width=0.8 / max(1, n), color=_PALE, edgecolor=BLUE)
    _finish(ax, axis_label("med"), "probability", "Law of the MED, exact")
    ax.set_ylim(bottom=0)


def means_given_med(ax: Axes, med: Sequence[float], means: Mapping[str, Sequence[float]]) -> None:
    """Conditional means of statistics (by short name) at values of the MED, as curves (Figure 8, left).

    At most four statistics.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> means_given_med(ax, [0, 0.25], {"rd": [0, 0.5], "ard": [0, 1.125]})
    >>> [line.get_label() for line in ax.lines]
    ['mean RD', 'mean ARD']
    """
    for (name, values), colour, marker in zip(means.items(), (VERMILLION, BLUE, GREEN, PURPLE), "soD^"):
        ax.plot(med, values, color=colour, marker=marker, markersize=4, label=f"mean {name.upper()}")
    _finish(ax, axis_label("med"), "mean distance", "Means given the MED, exact")
    _legend_below(ax, columns=4)


def matrix_map(
    ax: Axes, matrix: Any, title: str = "", *, names: tuple[str, str] = ("cluster", "cluster")
) -> None:
    """A matrix as a heat map with its entries written in the cells: the darker, the larger.

    ``names``: what rows and columns are.  Zeros are grey, so that the shape of the others shows.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> matrix_map(ax, [[12, 4], [4, 0]])
    >>> [text.get_text() for text in ax.texts]
    ['12', '4', '4', '0']
    """
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import Normalize

    cells = np.asarray(matrix)
    if cells.ndim != 2 or not cells.size:
        raise ValueError(f"matrix must have rows and columns, got shape {cells.shape}")
    # Square roots, so that small entries beside large ones are still told from zero.
    shade = np.sqrt(np.clip(cells.astype(float), 0, None))
    largest = max(shade.max(), 1.0)
    ax.imshow(shade, cmap=colormaps["Blues"], norm=Normalize(0, 1.15 * largest), aspect="equal")
    size = 13 if max(cells.shape) <= 6 else 8
    for (i, j), x in np.ndenumerate(cells):
        # Above 0.8 white has the higher contrast, below black.
        colour = "white" if shade[i, j] > 0.8 * largest else "black" if x else "#707070"
        ax.text(
            j,
            i,
            f"{x:g}" if isinstance(x, float) else str(x),
            ha="center",
            va="center",
            color=colour,
            fontsize=size,
        )
    for axis, length in ((ax.xaxis, cells.shape[1]), (ax.yaxis, cells.shape[0])):
        axis.set_ticks(range(length), [str(k + 1) for k in range(length)])
        axis.set_ticks([k - 0.5 for k in range(1, length)], minor=True)
    ax.tick_params(which="both", length=0, labelsize=10)
    ax.grid(which="minor", color="white", linewidth=2)
    for spine in ax.spines.values():
        spine.set_color(_GRID)
    ax.set_ylabel(names[0], fontsize=11)
    ax.set_xlabel(names[1], fontsize=11)
    ax.set_title(title, fontsize=12)


def law_at(ax: Axes, joint: Law, name: str, med: Fraction | str) -> None:
    """The law of one statistic at one value of the MED, a bar at every value it takes (Figure 6).

    ``joint`` must hold "med" and ``name``; ``med`` is a Fraction or its text, such as "1/20".

    Raises ValueError when no matrix of the class has this MED.

    >>> from confmat.classes import Tables
    >>> from confmat.laws import joint
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> law_at(ax, joint(Tables(6, 2, 2), "med", "ard"), "ard", "1/3")
    >>> ax.get_ylabel()
    'probability'
    """
    med = Fraction(med)
    for needed in ("med", name):
        if needed not in joint.names:
            raise ValueError(f"joint must hold {needed!r}, its statistics are {', '.join(joint.names)}")
    given = joint.given({"med": med})
    if not given.total:
        raise ValueError(f"med must be a value that occurs, got {med}")
    weights: dict[float, int] = {}
    for value, weight in given[name]:
        weights[float(value)] = weights.get(float(value), 0) + weight
    total = sum(weights.values())
    ax.vlines(list(weights), 0, [weight / total for weight in weights.values()], color=BLUE, linewidth=2)
    mean = sum(x * (weight / total) for x, weight in weights.items())
    ax.axvline(mean, color=VERMILLION, linestyle="--", label=f"mean {mean:.4f}")
    _finish(
        ax,
        axis_label(name, joint.statistics),
        "probability",
        f"{name.upper()} given MED = {_over(med, joint)}, exact",
    )
    ax.set_ylim(bottom=0)
    _legend_below(ax)


def distances_2x2(ax: Axes, n: int = 20) -> None:
    """MED, RD and all values of the ARD over the 2 x 2 tables with total ``n``, none empty (Figure 1).

    The number d of objects on the main diagonal fixes MED and RD; the ARD still varies: each of its values is
    a tick on the line of its range.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> distances_2x2(ax, 6)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['ARD, every value', 'RD', 'MED']
    """
    from matplotlib.ticker import MaxNLocator

    n = as_count("n", n, 2)
    ard = {d: sorted(map(float, ard_values_2x2(n, d))) for d in range(n + 1)}
    reached = [d for d, values in ard.items() if values]
    for d in reached:
        ax.vlines(d, ard[d][0], ard[d][-1], color=SKY, linewidth=1)
        ax.plot([d] * len(ard[d]), ard[d], "_", color=BLUE, markersize=9, markeredgewidth=1.2)
    ax.plot([], [], "_", color=BLUE, markersize=9, label="ARD, every value")
    rd = [float(rand_distance_2x2(n, d)) for d in reached]
    med = [float(med_2x2(n, d)) for d in reached]
    ax.plot(reached, rd, "s-", color=VERMILLION, markersize=4, label="RD")
    ax.plot(reached, med, "o-", color=GREEN, markersize=4, label="MED")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    _finish(ax, "objects on the main diagonal, d", "distance", f"2 × 2 tables with n = {n}, exact")
    _legend_below(ax, columns=3)


def independent_nrd(
    ax: Axes,
    shapes: Iterable[tuple[int, int]] = ((2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5)),
    n: int = 300,
) -> None:
    """RD of perfectly independent clusterings over the largest RD of their size (Figure 2).

    For each shape (r, s): all cells equal to n'/(rs), for every multiple n' of rs up to ``n``.  At most six
    shapes.

    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> independent_nrd(ax, [(2, 2)], 100)
    >>> [len(line.get_xdata()) for line in ax.lines]  # 4, 8, ..., 100
    [25]
    """
    n = as_count("n", n, 1)
    shapes = list(shapes)
    colours = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, BLACK)
    if len(shapes) > len(colours):
        raise ValueError(f"shapes must be at most {len(colours)}, got {len(shapes)}")
    for (r, s), colour, marker in zip(shapes, colours, "osD^vX"):
        totals = range(r * s, n + 1, r * s)
        shares = [float(_independent_nrd(total, r, s)) for total in totals]
        ax.plot(list(totals), shares, color=colour, marker=marker, markersize=4, label=f"{r} × {s}")
    _finish(ax, "objects, n", axis_label("nrd"), "Perfectly independent clusterings, exact")
    ax.set_ylim(top=1.02)
    _legend_below(ax, columns=6)


def _independent_nrd(n: int, r: int, s: int) -> Fraction:
    largest = max_rand_distance(n, r, s)
    distance = PairSums.of([[n // (r * s)] * s] * r).rand_distance
    return distance / largest if largest else Fraction(0)


def ard_values_2x2(n: int, d: int) -> set[Fraction]:
    """All values of the ARD over 2 x 2 tables with total n, d objects on the diagonal and no empty line.

    >>> sorted(map(str, ard_values_2x2(6, 5)))
    ['15/23', '25/37']
    """
    tables = ([[a, b], [n - d - b, d - a]] for a in range(d + 1) for b in range(n - d + 1))
    return {
        PairSums.of(table).adjusted_rand_distance
        for table in tables
        if all(map(any, table)) and all(map(any, zip(*table)))
    }


def _box(law: Any) -> dict[str, Any]:
    names = {"whislo": law.min, "q1": law.q1, "med": law.median, "q3": law.q3, "whishi": law.max}
    return {key: float(value) for key, value in names.items()} | {"fliers": []}


def _check_given_med(family: Family) -> None:
    if family.name != "med":
        raise ValueError(f'family must be given each "med", it is given each {family.name!r}')


def _finish(ax: Axes, xlabel: str, ylabel: str, title: str) -> None:
    ax.set_xlabel(xlabel, fontsize=11)
    ax.set_ylabel(ylabel, fontsize=11)
    ax.set_title(title, fontsize=12)
    ax.tick_params(labelsize=10)
    ax.set_axisbelow(True)
    ax.grid(axis="y", color=_GRID)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _legend_below(ax: Axes, columns: int = 1) -> None:
    """A legend outside the data, under the name of the x axis."""
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=columns, frameon=False, fontsize=10)


def _over(med: Fraction, joint: Law) -> str:
    """A MED as the number of misplaced objects over n."""
    n = joint.matrices.n
    return f"{med * n}/{n}" if n else "0"


def _size(joint: Law) -> str:
    what = "matrices, equally likely" if joint.weight == "tables" else "pairs of labelings, equally likely"
    total = f"{joint.total:,}" if joint.total < 10**18 else f"{joint.total:.3e}"
    return f"{total} {what}"
