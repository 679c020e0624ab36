"""The figures of Chacon (2019), drawn from the laws of ``chacon2019_laws``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from confmat.indices import extremes, partition
from confmat.pictures import PALE, panels
from confmat.plots import laws as plots
from confmat.studies.chacon2019_laws import (
    LARGE,
    REPLICATIONS,
    SEED,
    N,
    class_law,
    given_med,
    large_class,
    null_laws,
    overlap_law,
)

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

TWO_CLUSTERINGS = ("first clustering", "second clustering")
FIGURE_6_MEDS = (Fraction(1, N), Fraction(13, N))


def _over_class(figure: Figure) -> Figure:
    """The class of Figures 5 to 7 as the title of the whole."""
    figure.suptitle(
        f"3 × 3 tables with n = {N}: all {class_law().total:,} matrices, equally likely", fontsize=14
    )
    return figure


def _with_distances(matrix: Any) -> str:
    """MED, RD and ARD of a matrix as a line of text."""
    med, rd, ard = (
        f(matrix) for f in (partition.med, partition.rand_distance, partition.adjusted_rand_distance)
    )
    return f"MED {med:.4f}, RD {rd:.4f}, ARD {ard:.4f}"


def matrices(shown: Mapping[str, Any], names: tuple[str, str]) -> Figure:
    """Matrices as heat maps with their distances; four of them in two rows, which a page can hold.

    >>> figure = matrices({"iris": [[50, 0, 0], [0, 48, 2], [0, 1, 49]]}, ("species", "cluster"))
    >>> figure.axes[0].get_title().splitlines()
    ['iris', 'MED 0.0200, RD 0.0260, ARD 0.0590']
    """
    rows = 2 if len(shown) == 4 else 1
    columns = len(shown) // rows
    figure, axes = panels(5 * columns, 5 * rows, rows, columns)
    for ax, (name, matrix) in zip(axes, shown.items()):
        plots.matrix_map(matrix, f"{name}\n{_with_distances(matrix)}", names=names, ax=ax)
    return figure


def figure_1() -> Figure:
    """2 x 2 tables, n = 20.

    >>> figure_1().axes[0].get_title()
    '2 × 2 tables with n = 20, exact'
    """
    figure, (ax,) = panels(8, 6)
    plots.distances_2x2(N, ax=ax)
    return figure


def figure_2() -> Figure:
    """NRD of perfectly independent clusterings.

    >>> figure_2().axes[0].get_xlabel()
    'objects, n'
    """
    figure, (ax,) = panels(8, 5.5)
    plots.independent_nrd(ax=ax)
    return figure


def section_3_4() -> Figure:
    """Matrices with the largest RD and the largest ARD.

    >>> [axis.get_title().splitlines()[0] for axis in section_3_4().axes[:2]]
    ['largest RD (proved), (100, 5, 5)', 'largest RD (proved), (20, 3, 3)']
    """
    from confmat.classes import Tables
    from confmat.search import maximize

    return matrices(
        {
            "largest RD (proved), (100, 5, 5)": extremes.max_rand_matrix(100, 5, 5),
            "largest RD (proved), (20, 3, 3)": extremes.max_rand_matrix(N, 3, 3),
            "largest ARD (proved), (20, 3, 3)": maximize(Tables(N, 3, 3), "ard").maximizers[0],
            "largest ARD (proved), (20, 2, 2)": maximize(Tables(N, 2, 2), "ard").maximizers[0],
        },
        TWO_CLUSTERINGS,
    )


def null_case(n: int, replications: int = REPLICATIONS, seed: int = SEED) -> Figure:
    """Mirrored histograms of the distances of random labels, r = s in 2..5.

    >>> null_case(8, replications=100).axes[0].get_xlabel()
    'clusters, r = s'
    """
    from confmat.plots.null_laws import null_figure

    return null_figure(null_laws(n, replications, seed))


def overlap(sizes: Sequence[int] = (7, 7, 6)) -> Figure:
    """Least, mean and largest MED at each degree of overlap, over all ways to move the objects.

    >>> overlap((2, 1)).axes[0].get_title()
    'Objects moved off the diagonal 2, 1: all ways, exact'
    """
    from confmat.plots.null_laws import overlap_axes

    laws, n = overlap_law(tuple(sizes)), sum(sizes)
    x = [moved / n for moved in laws]
    means = [sum(m * w for m, w in law.items()) / (n * sum(law.values())) for law in laws.values()]
    figure, (ax,) = panels(8, 6)
    ax.fill_between(
        x,
        [min(law) / n for law in laws.values()],
        [max(law) / n for law in laws.values()],
        color=PALE,
        label="least to largest MED",
    )
    ax.plot(x, means, color=plots.BLUE, marker="o", markersize=4, label="mean MED")
    overlap_axes(ax, f"Objects moved off the diagonal {', '.join(map(str, sizes))}: all ways, exact")
    return figure


def figure_5() -> Figure:
    """RD and ARD given the MED, over (20, 3, 3).

    >>> [axis.get_xlabel() for axis in figure_5().axes]
    ['MED (misclassification error distance)', 'MED (misclassification error distance)']
    """
    figure, axes = panels(13, 5, columns=2)
    for ax, name in zip(axes, ("rd", "ard")):
        plots.given_med(given_med(), name, ax=ax)
    return _over_class(figure)


def outlier_matrix() -> np.ndarray:
    """The matrix with the largest ARD at MED = 4/20, in its canonical order.

    >>> outlier_matrix().tolist()
    [[16, 1, 1], [1, 0, 0], [1, 0, 0]]
    """
    (row,) = (row for row in given_med().rows if row.value == Fraction(4, N))
    matrix = row.law["ard"].argmax()
    assert matrix is not None
    return matrix


def outlier() -> Figure:
    """The outlier of Figure 5 as a heat map.

    >>> outlier().axes[0].get_title().splitlines()[1]
    'MED 0.2000, RD 0.3474, ARD 1.1076'
    """
    return matrices({"largest ARD at MED = 4/20": outlier_matrix()}, TWO_CLUSTERINGS)


def figure_6() -> Figure:
    """The law of the RD at the lowest and the highest MED of (20, 3, 3).

    >>> [axis.get_title() for axis in figure_6().axes]
    ['RD given MED = 1/20, exact', 'RD given MED = 13/20, exact']
    """
    figure, axes = panels(13, 5, columns=2)
    for ax, med in zip(axes, FIGURE_6_MEDS):
        plots.law_at(class_law(), "rd", med, ax=ax)
    return _over_class(figure)


def figure_7() -> Figure:
    """The law of the MED over (20, 3, 3).

    >>> figure_7().axes[0].get_title()
    'Law of the MED, exact'
    """
    figure, (ax,) = panels(8, 5)
    plots.med_law(given_med(), ax=ax)
    return _over_class(figure)


def figure_8(recompute: bool = False, progress: bool = False) -> Figure:
    """Means of RD and ARD given the MED, and the law of the MED, over (50, 4, 4).

    >>> [axis.get_ylabel() for axis in figure_8().axes]
    ['mean distance', 'probability']
    """
    law = large_class(recompute, progress)
    meds = [m / LARGE.n for m in range(len(law.counts))]
    figure, (left, right) = panels(13, 5, columns=2)
    plots.means_given_med(meds, {"rd": list(map(float, law.mean_rd)), "ard": law.mean_ard}, ax=left)
    plots.med_bars({m: count / law.total for m, count in zip(meds, law.counts)}, LARGE.n, ax=right)
    figure.suptitle(
        f"4 × 4 tables with n = {LARGE.n}: all {law.total:,} matrices, equally likely", fontsize=14
    )
    return figure
