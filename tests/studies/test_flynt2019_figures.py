"""Scatterplots: panels and legends as stated, and data sets that show what they are drawn for."""

import numpy as np
import pytest

from confmat.indices import soft
from confmat.indices.partition import adjusted_rand_index
from confmat.matrices import contingency
from confmat.studies import flynt2019
from confmat.studies.flynt2019_figures import figure_4, figure_8, sari_above_ari

pytest.importorskip("sklearn")


@pytest.mark.parametrize("separation", [0.15, -0.3])
def test_data_sets_of_figure_8(separation):
    X, y, z = sari_above_ari(separation)
    assert len(X) == len(y) == len(z)
    assert np.allclose(z.sum(axis=1), 1)
    assert soft.sari(y, z) > adjusted_rand_index(contingency(y, z.argmax(axis=1)))


def test_figures_have_their_panels():
    four, eight = figure_4(), figure_8()
    assert [axis.get_title() for axis in four.axes] == ["separation -0.5", "separation 0.0", "separation 0.5"]
    assert len(eight.axes) == 2
    assert {text.get_text() for text in eight.legends[0].get_texts()} == {
        f"class {k}, {word}" for k in (1, 2) for word in ("right", "misclassified")
    }


def test_numbers_beside_the_figures():
    eight = flynt2019.figure_8()["ours"].unstack()
    assert (eight["sARI"] > eight["ARI"]).all()
    four = flynt2019.figure_4()["ours"].unstack()
    assert four["ARI"].is_monotonic_increasing  # with the separation
    assert four["sARI"][0.5] == pytest.approx(1, abs=1e-3)
