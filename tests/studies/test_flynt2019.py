"""The study of Flynt et al. (2019): the example, separated mixtures, the diabetes data, the figures."""

import numpy as np
import pandas as pd
import pytest

from confmat.indices import soft
from confmat.studies import flynt2019 as study
from confmat.studies import flynt2019_designs as designs
from confmat.studies import flynt2019_figures as figures

ITEMS = {item.id: item for item in study.ITEMS}


@pytest.mark.parametrize("name", ["table-2", "table-8", "table-9", "table-10"])
def test_printed_digits(name):
    frame = ITEMS[name].table()
    assert set(frame.index) == set(ITEMS[name].printed)
    digits = {"table-9": 0, "table-10": 2}.get(name, 3)
    difference = (frame["ours"] - frame["printed"]).abs()
    if name == "table-8":  # .564665 is printed .564
        assert difference.pop(("EEI hard", "diagnosis")) < 1e-3
    if name == "table-10":  # 0.048 is printed 0.48
        assert difference.pop(("Normal", 3)) == pytest.approx(0.432, abs=1e-3)
    assert difference.max() <= 0.5 * 10.0**-digits


def test_diabetes_data_are_clusterings_of_145_patients():
    frame = study.diabetes()
    assert len(frame) == 145
    assert frame["diagnosis"].value_counts().to_dict() == {"Normal": 76, "Chemical": 36, "Overt": 33}
    # Ranges as R prints them: summary(mclust::diabetes).
    ranges = frame[list(figures.MEASUREMENTS)].agg(["min", "max"])
    assert ranges.to_dict("list") == {"glucose": [70, 353], "insulin": [45, 1568], "sspg": [10, 748]}
    assert frame["insulin"][103] == 45  # as in mclust, whose help says so
    assert study.figure_11()["ours"].xs("patients", level=1).to_dict() == {
        "Normal": 76,
        "Chemical": 36,
        "Overt": 33,
    }
    for model in ("vvv", "eei"):
        z = soft.as_memberships(model, frame.filter(regex=f"^{model}_"))
        assert (z.argmax(axis=1) + 1 == frame[model]).all()


def test_example_at_small_size():
    frame = study.example(replications=3)
    assert set(frame.index) == set(study.EXAMPLE)
    ours = frame["ours"].unstack()
    assert (ours["sARI"] < ours["ARI"]).all()
    assert ours.loc["closer", "ARI"] < ours.loc["apart", "ARI"]


def test_ten_objects_have_about_the_printed_posteriors():
    frame = ITEMS["table-6"].table()
    assert len(frame) == len(study.TABLE_6) == 30
    original = frame.loc["original"]
    assert (original["ours"] - original["printed"]).abs().max() < 0.05
    # Apart, the classes are surer: class 1 rises, class 2 falls.
    means = frame["ours"].groupby(level=["groups", "class"]).mean().unstack("class")
    means = means.loc[["closer", "original", "apart"]]
    assert means["class 1"].is_monotonic_increasing
    assert means["class 2"].is_monotonic_decreasing
    apart = frame["ours"]["apart"] - original["ours"]
    closer = frame["ours"]["closer"] - original["ours"]
    assert (apart["class 1"].iloc[1:] > 0).all()
    assert (closer["class 1"] < 0).all()
    assert (apart["class 2"] < 0).all()
    assert (frame["ours"] - frame["printed"]).abs().max() < 0.1
    seed = designs.example_seed()
    chosen = designs.example_objects(seed)
    assert len(set(chosen)) == 10
    _, y, z = designs.example_fit(seed)
    assert y[chosen].tolist() == [0] * 5 + [1] * 5
    assert float(soft.sari(y, designs.hard(z))) == pytest.approx(designs.EXAMPLE_ARI, abs=0.01)
    assert float(soft.sari(y, z)) == pytest.approx(designs.EXAMPLE_SARI, abs=0.01)


def test_a_seed_without_such_data_is_an_error(monkeypatch):
    monkeypatch.setattr(designs, "_MOST_EXAMPLES", 2)
    with pytest.raises(ValueError, match="seed 7: none of 2 data sets"):
        designs.example_seed(7)


def test_contributions_are_the_printed_ones():
    assert (ITEMS["section-3.4-masses"].table()["difference"].abs() < 1e-9).all()


@pytest.mark.parametrize("setting", [(2, 3), (8, 5)])
def test_recorded_draws_come_again(setting):
    """One data set of each of three levels, drawn anew; the last digits depend on the libraries."""
    recorded = designs.HARD_SOFT[setting].rows()
    levels = (-0.6, 0.1, 0.9)
    again = designs.hard_against_soft(setting, 1, levels=levels)
    first = recorded.groupby("level").head(1).set_index("level").loc[list(levels)]
    assert again.set_index("level")[["ari", "sari"]].to_numpy() == pytest.approx(
        first[["ari", "sari"]].to_numpy(), abs=1e-4
    )


def test_recorded_simulations_have_every_level_and_the_trends_of_the_paper():
    for design in study.SIMULATIONS:
        rows = design.rows()
        sizes = rows.groupby("level").size()
        assert sizes.index.to_list() == list(designs.LEVELS)
        assert set(sizes) == {design.replications}
        assert rows[["ari", "sari"]].max(axis=None) <= 1 + 1e-9
    for design in designs.HARD_SOFT.values():
        means = design.rows().groupby("level")[["ari", "sari"]].mean()
        overlapping = means.loc[-0.6:0.05]
        assert (overlapping["ari"] > overlapping["sari"]).mean() > 0.8
        assert means["ari"].iloc[-5:].mean() > 0.9
    shares = ITEMS["table-7"].table().xs("share", level="statistic")
    assert shares["ours"].between(0.005, 0.08).all()
    assert shares["formula"].between(0.01, 0.05).all()


def test_example_clusters_are_named_after_their_classes():
    for seed in range(6):
        _, y, z = designs.example_fit(seed)
        assert (designs.hard(z) == y).mean() > 0.5


def test_shift_moves_the_second_group_only():
    X, y = designs.example_data(3)
    moved, _ = designs.example_data(3, 0.25)
    assert moved - X == pytest.approx(np.outer(y, [0.25, 0]))


@pytest.fixture(scope="module")
def hard_soft():
    return designs.hard_against_soft((2, 3), 2, levels=(-0.9, -0.2, 0.9), seed=1)


def test_hard_against_soft(hard_soft):
    frame = hard_soft
    assert len(frame) == 6
    means = frame.groupby("level")[["ari", "sari"]].mean()
    assert (means["sari"] <= means["ari"] + 1e-9).all()
    assert means.loc[0.9, "ari"] == pytest.approx(1)
    again = designs.hard_against_soft((2, 3), 2, levels=(-0.2,), seed=1)
    assert again["sari"].tolist() == frame.loc[frame["level"] == -0.2, "sari"].tolist()


def test_soft_against_soft():
    frame = designs.soft_against_soft(2, 3, levels=(0.2,))
    means = frame.mean()
    assert means["ari"] > means["sari_hard_soft"] > means["sari"]
    small = ITEMS["figure-10"].compute(replications=1)
    assert len(small) == 3 * len(designs.LEVELS)
    assert small["ours"].between(-0.2, 1 + 1e-9).all()


def test_negative_differences():
    frame = pd.DataFrame({"ari": [0.5, 0.5, 0.5, 0.5, 0.5], "sari": [0.6, 0.7, 0.4, 0.5 + 1e-12, 0.8]})
    summary = study.negative_differences(frame)
    assert summary == pytest.approx(
        {"count": 3, "min": -0.3, "q1": -0.25, "median": -0.2, "q3": -0.15, "max": -0.1, "share": 0.6}
    )
    assert np.isnan(study.negative_differences(frame[2:3])["min"])


def test_table_7_beside_the_printed_counts():
    frame = ITEMS["table-7"].table()
    assert len(frame) == 9 * 7
    assert frame["printed"]["2 clusters, 3 variables", "count"] == 130
    assert frame["formula"]["2 clusters, 3 variables", "share"] == pytest.approx(0.033, abs=5e-4)
    assert len(study.TABLE_7) == 54
    counts = frame["ours"].unstack()
    assert (counts["min"] <= counts["q1"]).all()
    rows = designs.HARD_SOFT[3, 5].rows()
    assert counts["count"]["3 clusters, 5 variables"] == (rows["sari"] > rows["ari"] + 1e-9).sum()


def test_figures(hard_soft, tmp_path):
    figure = figures.levels(hard_soft, "2 clusters, 3 variables")
    assert [axis.get_title() for axis in figure.axes] == ["means", "sARI", "ARI", "ARI − sARI"]
    assert len(figure.axes[0].lines) == 2
    figure.savefig(tmp_path / "levels.png")
    example = figures.example()
    assert len(example.axes) == 2
    assert example.axes[1].get_title().startswith("mixture: ARI ")
    objects = figures.figure_3().axes[0]
    assert [text.get_text() for text in objects.texts] == list("0123456789")
    assert sum(len(marks.get_offsets()) for marks in objects.collections) == 110
    pairs = study.draw_figure_11()
    assert [len(axis.collections) for axis in pairs.axes] == [0, 3, 3, 3, 0, 3, 3, 3, 0]
