"""Pictures: what is drawn is what the laws say, and nothing else."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.figure import Figure

import confmat._figures as _figures
from confmat import plots
from confmat.classes import FixedMargins, Tables
from confmat.distributions import Distribution, joint_distribution
from confmat.errors import TooLargeError


@pytest.fixture
def ax():
    return Figure().subplots()


@pytest.fixture(scope="module")
def conditional():
    return joint_distribution(Tables(9, 3, 3), "med", "rd", "ard")


def curve(ax, label):
    (line,) = (line for line in ax.lines if line.get_label() == label)
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


def legend_is_outside(ax):
    ax.figure.canvas.draw()
    return not ax.get_legend().get_window_extent().overlaps(ax.get_window_extent())


def fences(law):
    """Smallest and largest value within 1.5 quartile ranges of the quartiles, and the values beyond, by definition."""
    reach = Fraction(3, 2) * (law.quantile("3/4") - law.quantile("1/4"))
    inside = [x for x, _ in law if law.quantile("1/4") - reach <= x <= law.quantile("3/4") + reach]
    return min(inside), max(inside), {x for x, _ in law} - {*inside}


@pytest.mark.parametrize("name", ["rd", "ard"])
def test_boxes_fences_outliers_and_means(ax, conditional, name):
    assert plots.given_med(conditional, name, ax=ax) is ax
    rows = list(conditional.groupby("med"))
    meds, means = curve(ax, "mean")
    assert meds.tolist() == [float(med) for med, _ in rows]
    assert means.tolist() == [float(each[name].mean()) for _, each in rows]
    bars = [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches]
    whiskers, boxes = bars[: len(rows)], bars[len(rows) :]
    assert boxes == [
        pytest.approx((float(each[name].quantile("1/4")), float(each[name].quantile("3/4"))))
        for _, each in rows
    ]
    drawn = {tuple(point) for point in ax.collections[-1].get_offsets().tolist()}
    some = 0
    for (med, each), ends in zip(rows, whiskers):
        low, high, beyond = fences(each[name])
        assert ends == pytest.approx((float(low), float(high)))
        dots = {y for x, y in drawn if x == float(med)}
        assert dots <= set(map(float, beyond))
        assert {float(each[name].min()), float(each[name].max())} & set(map(float, beyond)) <= dots
        # What is left out lies under another dot.
        spread = float(each[name].max() - each[name].min())
        assert all(min(abs(float(x) - y) for y in dots) <= spread / 100 for x in beyond)
        some += len(beyond)
    assert some
    assert "exact" in ax.get_title()
    assert name.upper() in ax.get_ylabel()
    assert ("1, the mean under chance" in [line.get_label() for line in ax.lines]) == (name == "ard")
    assert legend_is_outside(ax)


def test_rare_values_are_faint(ax, conditional):
    plots.given_med(conditional, "rd", ax=ax)
    rows = [each for _, each in conditional.groupby("med")]
    ordered = sorted(zip(rows, ax.patches[len(rows) :]), key=lambda pair: pair[0].total)
    opacities = [box.get_facecolor()[3] for _, box in ordered]
    assert opacities == sorted(opacities)
    assert opacities[0] < opacities[-1] / 3


def test_boxes_of_a_law_that_is_not_held_end_at_its_extremes(ax, conditional, monkeypatch):
    def refuse(law):
        raise TooLargeError("not held")

    monkeypatch.setattr(Distribution, "values", property(refuse))
    plots.given_med(conditional, "ard", ax=ax)
    rows = [each["ard"] for _, each in conditional.groupby("med")]
    whiskers = ax.patches[: len(rows)]
    ends = [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in whiskers]
    assert ends == [pytest.approx((float(ard.min()), float(ard.max()))) for ard in rows]
    assert "smallest to largest" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_boxes_join_to_ribbons_where_they_are_many(ax):
    family = joint_distribution(Tables(70, 2, 2), "med", "rd")
    plots.given_med(family, "rd", ax=ax)
    widths = {round(bar.get_width() * 70, 9) for bar in ax.patches}
    assert widths == {1.0}
    assert len(list(family.groupby("med"))) == 36


def test_overview_shares_the_axis_of_the_med(conditional):
    figure = plots.overview(conditional)
    assert len({ax.get_xlim() for ax in figure.axes}) == 1
    assert [bool(ax.get_xlabel()) for ax in figure.axes] == [False, False, True]
    assert figure.get_suptitle().endswith(f"\n{conditional.total:,} matrices, equally likely")


def test_law_of_med(ax, conditional):
    plots.plot_med(conditional, ax=ax)
    rows = list(conditional.groupby("med"))
    expected = [float(Fraction(each.total, conditional.total)) for _, each in rows]
    assert [bar.get_height() for bar in ax.patches] == expected
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1)
    centres = [bar.get_x() + bar.get_width() / 2 for bar in ax.patches]
    assert centres == pytest.approx([float(med) for med, _ in rows])
    assert [bar.get_width() for bar in ax.patches] == pytest.approx([0.8 / 9] * len(centres))  # apart


def test_distribution_function_has_every_step():
    law = joint_distribution(Tables(9, 3, 3), "rd")["rd"]
    (line,) = law.plot().lines
    x, y = line.get_xydata()[1:].T
    assert x.tolist() == [float(value) for value, _ in law]
    assert y == pytest.approx([float(law.cdf(value)) for value, _ in law])
    with pytest.raises(ValueError, match="kind must be 'cdf' or 'pmf', got 'pie'"):
        law.plot("pie")


def test_masses_of_many_values_add_up_in_classes():
    values, shares = np.linspace(0, 1, 1000) ** 2, np.full(1000, 1e-3)
    middles, width, heights = _figures.masses(values, shares)
    assert len(middles) == 40
    assert heights.sum() == pytest.approx(1)
    for middle, height in zip(middles[:-1], heights):
        inside = (middle - width / 2 <= values) & (values < middle + width / 2)
        assert height == pytest.approx(shares[inside].sum())


def test_tails_under_chance_are_sums():
    values = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    shares = np.array([0.1, 0.4, 0.3, 0.15, 0.05])
    for less, tails, at in ((False, [1, 0.9, 0.5, 0.2, 0.05], 0.2), (True, [0.1, 0.5, 0.8, 0.95, 1], 0.8)):
        ax = _figures.canvas(None)
        _figures.survival(ax, values, shares, 0.6, less)
        assert ax.lines[0].get_ydata() == pytest.approx(tails)
        assert ax.lines[1].get_xydata().tolist() == [[0.6, pytest.approx(at)]]
        assert "one in" in ax.texts[-1].get_text()


def test_matrix_as_heat_map(ax):
    matrix = np.array([[12, 4, 0], [4, 0, 0]])
    plots.matrix_map(matrix, "title", names=("rows", "columns"), ax=ax)
    written = {text.get_position(): text.get_text() for text in ax.texts}
    assert written == {(j, i): str(x) for (i, j), x in np.ndenumerate(matrix)}
    shades = ax.images[0].get_array()
    assert (np.argsort(shades, axis=None)[-1], shades.min()) == (0, 0)
    assert (ax.get_ylabel(), ax.get_xlabel(), ax.get_title()) == ("rows", "columns", "title")
    colours = {text.get_text(): text.get_color() for text in ax.texts}
    assert colours["12"] == "white"  # on the darkest cell
    assert colours["4"] == "black"
    with pytest.raises(TypeError, match=r"matrix must be a list of rows or a 2-d array, got \[1, 2, 3\]"):
        plots.matrix_map([1, 2, 3])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("width", "height"), [(3.2, 2.4), (12, 8)])
def test_letters_leave_room_for_the_data(conditional, width, height):
    figure, (ax,) = _figures.panels(width, height)
    plots.given_med(conditional, "ard", ax=ax)
    figure.canvas.draw()
    box = ax.get_window_extent()
    assert box.height > 0.4 * height * figure.dpi
    assert box.width > 0.7 * width * figure.dpi


@pytest.mark.parametrize("size", [2, 12, 30, 120])
def test_matrix_has_its_names_at_any_size(size):
    matrix = np.arange(size * size).reshape(size, size)
    rows, cols = ([f"{side} number {k}" for k in range(size)] for side in ("truth", "cluster"))
    ax = _figures.matrix_map(matrix, labels=(rows, cols))
    ax.figure.canvas.draw()
    assert len(ax.texts) == (size * size if size <= 30 else 0)
    assert len(ax.figure.axes) == (1 if size <= 30 else 2)  # a scale in place of numbers
    shown = [text.get_text() for text in ax.get_yticklabels()]
    assert shown == rows[:: -(-size // 40)]
    for texts in (ax.get_xticklabels(), ax.get_yticklabels(), ax.texts[:size]):  # none covers the next
        boxes = [text.get_window_extent() for text in texts]
        assert not any(a.overlaps(b) for a, b in itertools.pairwise(boxes))


def test_shades_by_row_are_shares():
    ax = _figures.matrix_map([[1, 3], [0, 50]], by_row=True)
    assert ax.images[0].get_array().tolist() == [[0.25, 0.75], [0, 1]]
    assert [text.get_text() for text in ax.texts] == ["1", "3", "0", "50"]


@pytest.mark.parametrize(
    ("matrices", "weight"),
    [
        (Tables(2, 3, 3), "tables"),
        (Tables(0, 2, 2, allow_empty=True), "tables"),
        (Tables(5, 1, 1), "tables"),
        (FixedMargins((5, 4), (6, 3)), "labelings"),
    ],
)
def test_overview_of_degenerate_classes(matrices, weight, tmp_path):
    figure = plots.overview(joint_distribution(matrices, "med", "rd", "ard", weight=weight))
    figure.savefig(tmp_path / "figure.png")
    assert len(figure.axes) == 3


def test_errors_name_the_argument(conditional):
    with pytest.raises(ValueError, match="name must be one of rd, ard, got 'ari'"):
        plots.given_med(conditional, "ari")
    with pytest.raises(ValueError, match="name must be one of rd, got 'med'"):
        plots.plot_med(joint_distribution(Tables(4, 2, 2), "rd"))
