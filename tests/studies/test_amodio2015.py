"""The study of Amodio et al. (2015): designs, tables beside the printed values."""

import numpy as np
import pytest

from confmat.studies import amodio2015 as study
from confmat.studies.amodio2015_designs import CENTRES

ITEMS = {item.id: item for item in study.ITEMS}
SIMULATED = ["table-2", "table-3", "table-5", "table-6", "table-7", "table-8", "table-9", "table-10"]


def test_every_table_of_numbers_is_there():
    assert set(ITEMS) == {"toy", "toy-crisp", "bias", "table-1", "table-4", *SIMULATED, "table-11"}
    assert len(study.ITEMS) == len(ITEMS)


def test_designs():
    first = study.first_design(np.random.default_rng(0))
    assert len(first) == 12
    for name, (X, y) in first.items():
        assert X.shape == (100, 2)
        sizes = np.bincount(y)
        assert max(sizes) - min(sizes) <= 1
        if "S1" in name:
            means = np.array([X[y == k].mean(axis=0) for k in range(len(sizes))])
            assert means == pytest.approx(CENTRES[: len(sizes)], abs=0.1)
    second = study.second_design(np.random.default_rng(0))
    assert [X.shape for X in second] == [(120, 2)] * 7


@pytest.mark.parametrize("name", SIMULATED)
def test_simulated_tables_have_every_printed_entry_and_repeat(name):
    item = ITEMS[name]
    frame = item.table(replications=1, seed=5)
    assert list(frame.columns) == ["ours", "sd", "printed", "difference"]
    assert set(frame.index) == set(item.printed)
    assert frame["printed"].to_dict() == item.printed
    assert frame["ours"].between(-1, 1 + 1e-12).all()
    if name == "table-8":
        assert frame["ours"].equals(item.table(replications=1, seed=5)["ours"])


def test_order_of_magnitude_of_tables_2_and_3():
    """All rows but "3 centers" S2 and S3, where the printed values belong to better separated data."""
    for name in ("table-2", "table-3"):
        frame = ITEMS[name].table()
        rows = frame.index.get_level_values("row")
        frame = frame[~rows.isin(["3 centers S2", "3 centers S3"])]
        z = (frame["ours"] - frame["printed"]).abs() / (frame["sd"] + 1e-3)
        assert len(frame) == 40
        assert z.max() < 6
        assert z.mean() < 1.5


def test_true_partitions_agree_with_themselves_by_ndc_and_aci_only():
    frame = ITEMS["table-10"].table()["ours"].unstack()
    assert (frame[["NDC", "ACI"]] == 1).all(axis=None)
    assert (frame[["Brouwer", "Campello", "Anderson"]] < 1).all(axis=None)
    assert (frame["Anderson adj."] < 0).all()


def test_toy_and_iris_reproduce_the_printed_digits():
    toy = ITEMS["toy"].table()
    assert toy["difference"].abs().max() < 5e-5
    assert (ITEMS["toy-crisp"].table()["difference"] == 0).all()
    real = ITEMS["table-11"].table()
    assert len(real) == 6 * 16
    assert real["ours"].notna().groupby(level=0).sum().to_dict() == {
        "Iris": 16,
        **dict.fromkeys(("Vehicle", "Sonar", "Pima", "Ionosphere", "Flags"), 0),
    }
    # Against PD-clustering the last digit depends on when the iteration stops.
    iris = real.loc["Iris"]
    tolerance = [5e-5 if compared == "true" else 5e-4 for _, compared in iris.index]
    assert (iris["difference"].abs() < tolerance).all()


def test_bias_is_exactly_zero():
    assert ITEMS["bias"].table(replications=8)["ours"].item() == 0
    assert ITEMS["bias"].table()["ours"].item() == 0
    assert ITEMS["bias"].simulation.provenance().replications == 1000


def test_table_11_of_any_data():
    rng = np.random.default_rng(2)
    y = np.repeat(["a", "b"], 15)
    frame = study.table_11(rng.normal(size=(30, 3)) + 3 * (y == "b")[:, None], y)
    assert frame["ours"]["NDC", "true"] == 1
    with pytest.raises(ValueError, match="one row a class label"):
        study.table_11(np.zeros((4, 2)), [0, 1])
    with pytest.raises(ValueError, match="replications must be at least 1, got 0"):
        ITEMS["table-2"].table(replications=0)
