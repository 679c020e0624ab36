"""The pictures of the null case hold the numbers they claim to."""

import numpy as np
import pytest

from confmat.plots import mirrored_histograms, null_case, overlap_against_med


def test_null_case_marks_exact_and_sampled_laws():
    figure = null_case(12, (2, 4), exact=None, draws=500, rng=1)
    assert [ax.get_ylabel().split()[0] for ax in figure.axes if ax.axison] == [
        "MED",
        "RD",
        "ARD",
        "NMED",
        "NRD",
    ]
    assert "draws" not in figure.axes[-1].texts[0].get_text()
    figure_sampled = null_case(12, (2,), exact=False, draws=500, rng=1)
    assert figure_sampled.axes[0].get_xticklabels()[0].get_text() == "2\nsampled"
    assert "500 draws" in figure_sampled.axes[-1].texts[0].get_text()


def test_bars_are_mirrored_and_the_longest_are_equal():
    from confmat.chance import null_law
    from confmat.classes import random_model

    law = null_law(random_model("labels", 20, 2, 2), "med")
    ax = mirrored_histograms([law, law], "med", ["a", "b"])
    bars = ax.patches
    half = len(bars) // 2
    for position, part in enumerate((bars[:half], bars[half:])):
        centres = [bar.get_x() + bar.get_width() / 2 for bar in part]
        assert np.allclose(centres, position)
        assert max(bar.get_width() for bar in part) == pytest.approx(0.9)
    # Heights of the bars are the values of the MED, lengths their probabilities.
    longest = max(bars[:half], key=lambda bar: bar.get_width())
    value = longest.get_y() + longest.get_height() / 2
    mode = max(law["med"], key=lambda item: item[1])[0]
    assert value == pytest.approx(float(mode))


def test_overlap_meets_the_med_at_first_and_never_stays_below():
    ax = overlap_against_med([8, 6, 6], paths=30, rng=1)
    mean = ax.get_lines()[-2]
    overlap, med = mean.get_xdata(), mean.get_ydata()
    assert np.allclose(overlap, np.arange(21) / 20)
    assert np.allclose(med[:4], overlap[:4])
    assert (med <= overlap + 1e-12).all()
    assert med[-1] < 0.8
    with pytest.raises(ValueError, match="at least 2 clusters"):
        overlap_against_med([5])
