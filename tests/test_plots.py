"""Pictures: what is drawn is what the laws say, and nothing else."""

from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

from confmat.classes import FixedMargins, Tables
from confmat.indices import partition
from confmat.laws import joint
from confmat.plots import laws as plots


@pytest.fixture
def ax():
    return Figure().subplots()


@pytest.fixture(scope="module")
def conditional():
    return joint(Tables(9, 3, 3), "med", "rd", "ard").given_each("med")


def curve(ax, label):
    (line,) = (line for line in ax.lines if line.get_label() == label)
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


def legend_is_outside(ax):
    ax.figure.canvas.draw()
    return not ax.get_legend().get_window_extent().overlaps(ax.get_window_extent())


@pytest.mark.parametrize("name", ["rd", "ard"])
def test_boxplots_and_their_means(ax, conditional, name):
    plots.given_med(ax, conditional, name)
    meds, means = curve(ax, "mean")
    assert meds.tolist() == [float(row.value) for row in conditional.rows]
    assert means.tolist() == [float(row.law[name].mean) for row in conditional.rows]
    assert len(ax.patches) == len(conditional.rows)
    for patch, row in zip(ax.patches, conditional.rows):
        heights = patch.get_path().vertices[:, 1]
        assert (heights.min(), heights.max()) == (float(row.law[name].q1), float(row.law[name].q3))
        drawn = {float(y) for line in ax.lines for y in np.atleast_1d(line.get_ydata())}
        assert {float(row.law[name].min), float(row.law[name].median), float(row.law[name].max)} <= drawn
    assert "exact" in ax.get_title()
    assert name.upper() in ax.get_ylabel()
    assert legend_is_outside(ax)


def test_law_of_med(ax, conditional):
    plots.med_law(ax, conditional)
    assert [bar.get_height() for bar in ax.patches] == [float(row.probability) for row in conditional.rows]
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1)
    centres = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    assert centres == pytest.approx([float(row.value) for row in conditional.rows])


def test_law_at_one_med(ax):
    law = joint(Tables(9, 3, 3), "med", "rd")
    plots.law_at(ax, law, "rd", "1/9")
    expected = {}
    for matrix in Tables(9, 3, 3):
        if partition.med(matrix, exact=True) == Fraction(1, 9):
            x = partition.rand_distance(matrix)
            expected[x] = expected.get(x, 0) + 1
    total = sum(expected.values())
    (bars,) = ax.collections
    drawn = {segment[0, 0]: segment[1, 1] for segment in bars.get_segments()}
    assert drawn == pytest.approx({x: count / total for x, count in expected.items()})
    assert legend_is_outside(ax)


def test_distances_of_2x2_tables(ax):
    plots.distances_2x2(ax, 10)
    d, rd = curve(ax, "RD")
    _, med = curve(ax, "MED")
    ticks = {}
    for line in ax.lines:
        if line.get_marker() == "_":
            for x, y in zip(line.get_xdata(), line.get_ydata()):
                ticks.setdefault(x, set()).add(y)
    expected = {}
    for matrix in Tables(10, 2, 2):
        diagonal = int(matrix[0, 0] + matrix[1, 1])
        expected.setdefault(diagonal, set()).add(partition.adjusted_rand_distance(matrix))
        position = d.tolist().index(diagonal)
        assert rd[position] == pytest.approx(partition.rand_distance(matrix))
        assert med[position] == pytest.approx(partition.med(matrix))
    assert ticks == expected
    assert legend_is_outside(ax)


def test_nrd_of_independent_clusterings(ax):
    plots.independent_nrd(ax, [(2, 2), (2, 3), (5, 5)], n=100)
    totals, shares = curve(ax, "5 × 5")
    assert dict(zip(totals, shares))[100] == pytest.approx(0.424, abs=5e-4)
    assert curve(ax, "2 × 2")[1] == pytest.approx(1)
    totals, shares = curve(ax, "2 × 3")
    for n, share in zip(totals.astype(int), shares):
        table = np.full((2, 3), n // 6)
        assert share == pytest.approx(partition.normalized_rand_distance(table))
    assert legend_is_outside(ax)


def test_matrix_as_heat_map(ax):
    matrix = np.array([[12, 4, 0], [4, 0, 0]])
    plots.matrix_map(ax, matrix, "title", names=("rows", "columns"))
    written = {text.get_position(): text.get_text() for text in ax.texts}
    assert written == {(j, i): str(x) for (i, j), x in np.ndenumerate(matrix)}
    shades = ax.images[0].get_array()
    assert (np.argsort(shades, axis=None)[-1], shades.min()) == (0, 0)
    assert (ax.get_ylabel(), ax.get_xlabel(), ax.get_title()) == ("rows", "columns", "title")
    colours = {text.get_text(): text.get_color() for text in ax.texts}
    assert colours["12"] == "white"  # on the darkest cell
    assert colours["4"] == "black"
    with pytest.raises(ValueError, match=r"matrix must have rows and columns, got shape \(3,\)"):
        plots.matrix_map(ax, [1, 2, 3])


def test_means_given_med(ax):
    plots.means_given_med(ax, [0, 0.5], {"rd": [0, 0.4], "ard": [0, 1.1]})
    assert curve(ax, "mean RD")[1].tolist() == [0, 0.4]
    assert curve(ax, "mean ARD")[0].tolist() == [0, 0.5]
    assert legend_is_outside(ax)


@pytest.mark.parametrize(
    ("matrices", "weight"),
    [
        (Tables(2, 3, 3), "tables"),
        (Tables(0, 2, 2, empty=True), "tables"),
        (Tables(5, 1, 1), "tables"),
        (FixedMargins((5, 4), (6, 3)), "labelings"),
    ],
)
def test_overview_of_degenerate_classes(matrices, weight, tmp_path):
    figure = plots.overview(joint(matrices, "med", "rd", "ard", weight=weight).given_each("med"))
    figure.savefig(tmp_path / "figure.png")
    assert len(figure.axes) == 3


def test_errors_name_the_argument(ax, conditional):
    with pytest.raises(ValueError, match="name must be one of rd, ard, got 'ari'"):
        plots.given_med(ax, conditional, "ari")
    with pytest.raises(ValueError, match="med must be a value that occurs, got 8/9"):
        plots.law_at(ax, joint(Tables(9, 3, 3), "med", "rd"), "rd", "8/9")
    with pytest.raises(ValueError, match="joint must hold 'rd'"):
        plots.law_at(ax, joint(Tables(9, 3, 3), "med"), "rd", 0)
    with pytest.raises(ValueError, match='family must be given each "med"'):
        plots.med_law(ax, joint(Tables(4, 2, 2), "med", "rd").given_each("rd"))
    with pytest.raises(ValueError, match="n must be at least 2, got 1"):
        plots.distances_2x2(ax, 1)
    with pytest.raises(ValueError, match="shapes must be at most 6, got 7"):
        plots.independent_nrd(ax, [(2, 2)] * 7)
