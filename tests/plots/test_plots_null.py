"""The pictures of the null case hold the numbers they claim to."""

import numpy as np
import pytest

from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.plots import mirrored_histograms


@pytest.mark.parametrize("name", ["med", "1 - med"])  # a long tail below, and above
def test_bars_are_mirrored_and_the_longest_are_equal(name):
    law = joint_distribution(Tables(20, 2, 2, allow_empty=True), name, weight="labelings")
    ax = mirrored_histograms([law, law], name, ["a", "b"])
    bars = ax.patches
    half = len(bars) // 2
    for position, part in enumerate((bars[:half], bars[half:])):
        centres = [bar.get_x() + bar.get_width() / 2 for bar in part]
        assert np.allclose(centres, position)
        assert max(bar.get_width() for bar in part) == pytest.approx(0.9)
    # Heights of the bars are the values of the MED, lengths their probabilities.
    longest = max(bars[:half], key=lambda bar: bar.get_width())
    value = longest.get_y() + longest.get_height() / 2
    mode = max(law[name], key=lambda item: item[1])[0]
    assert value == pytest.approx(float(mode))
    # Tails are left out on both sides.
    tail = 1 / 2000
    drawn = sorted(bar.get_y() + bar.get_height() / 2 for bar in bars[:half])
    shares = [weight / law.total for _, weight in law[name]]
    kept = [x for i, (x, _) in enumerate(law[name]) if sum(shares[: i + 1]) > tail and sum(shares[i:]) > tail]
    assert len(kept) < len(shares)
    assert drawn == pytest.approx(list(map(float, kept)))
