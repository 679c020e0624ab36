"""Records: every simulation has one, of its size and seed, with the digest of its rows; none is left over."""

import json
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import records
from amodio2015 import CENTRES, first_design, second_design
from compare import PAPERS
from records import Simulation, recorded, write

DESIGNS = [design for paper in PAPERS for design in import_module(paper).SIMULATIONS]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: f"{design.paper}-{design.part}")
def test_a_record_is_of_its_design(design):
    found = records._part(design.paper, design.part)
    assert (found["replications"], found["seed"]) == (design.replications, design.seed)
    assert len(design.rows()) > 0
    assert len(found["digest"]) == 64
    assert found["cost"]
    assert found["date"] >= "2026-11-21"


def test_no_part_is_left_over():
    for paper in PAPERS:
        assert set(records._parts(paper)) == {design.part for design in DESIGNS if design.paper == paper}


def test_rows_come_back_and_a_changed_number_is_noticed(tmp_path, monkeypatch):
    design = Simulation("nobody2026", "part", lambda *_: pd.DataFrame(), 3, 7)
    frame = pd.DataFrame({"name": ["a", "b"], "count": [1, 2], "x": [1 / 3, float("nan")]})
    write(design, frame, "1 s", tmp_path)
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    read = design.rows()
    assert read["name"].tolist() == ["a", "b"]
    assert read["x"].tolist()[0] == pytest.approx(1 / 3, abs=1e-9)
    assert pd.isna(read["x"][1])
    path = tmp_path / "nobody2026.json"
    content = json.loads(path.read_text())
    content["part"]["rows"][1][1] = 3
    path.write_text(json.dumps(content))
    records._parts.cache_clear()
    with pytest.raises(ValueError, match="record part of nobody2026 does not have the digest"):
        recorded("nobody2026", "part")
    with pytest.raises(ValueError, match="part of nobody2026 must be one of part, got 'other'"):
        recorded("nobody2026", "other")
    with pytest.raises(ValueError, match="replications must be at least 1, got 0"):
        design.rows(replications=0)
    records._parts.cache_clear()


def test_the_designs_of_amodio():
    for name, (X, y) in first_design(np.random.default_rng(0)).items():
        sizes = np.bincount(y)
        assert X.shape == (100, 2)
        assert max(sizes) - min(sizes) <= 1
        if "S1" in name:
            means = np.array([X[y == k].mean(axis=0) for k in range(len(sizes))])
            assert means == pytest.approx(CENTRES[: len(sizes)], abs=0.1)
    assert [X.shape for X in second_design(np.random.default_rng(0))] == [(120, 2)] * 7
