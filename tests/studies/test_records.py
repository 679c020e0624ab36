"""Records: every simulation has one, of its size and seed, with the digest of its rows; none is left over."""

import json
from importlib import import_module

import pandas as pd
import pytest

from confmat.studies import records
from confmat.studies.papers import PAPERS
from confmat.studies.records import Simulation, recorded, write

DESIGNS = [design for paper in PAPERS for design in import_module(f"confmat.studies.{paper}").SIMULATIONS]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: f"{design.paper}-{design.part}")
def test_a_record_is_of_its_design(design):
    found = design.provenance()
    assert (found.replications, found.seed) == (design.replications, design.seed)
    assert len(design.rows()) > 0
    assert len(found.digest) == 64
    assert found.cost
    assert found.date > "2026-11-21"


def test_no_part_is_left_over():
    for paper in PAPERS:
        assert set(records._parts(paper)) == {design.part for design in DESIGNS if design.paper == paper}


def test_rows_come_back_and_a_changed_number_is_noticed(tmp_path, monkeypatch):
    design = Simulation("nobody2026", "part", lambda *_: pd.DataFrame(), 3, 7)
    frame = pd.DataFrame({"name": ["a", "b"], "count": [1, 2], "x": [1 / 3, float("nan")]})
    write(tmp_path, design, frame, "1 s")
    monkeypatch.setattr(records, "_folder", lambda: tmp_path)
    read = design.rows()
    assert read["name"].tolist() == ["a", "b"]
    assert read["count"].tolist() == [1, 2]
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
    records._parts.cache_clear()
