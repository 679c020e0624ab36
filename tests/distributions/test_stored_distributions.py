"""Laws on disk answer as those that are enumerated, and enumerate nothing; what was altered is refused."""

import json
from hashlib import sha256
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest

import confmat as cm
from confmat._engine import run
from confmat._engine.checkpoint import Checkpoint
from confmat.classes import FixedRows, Tables
from confmat.errors import CheckpointError
from confmat.plans import Resources

CLASSES = [Tables(12, 3, 3), Tables(7, 4, 2), FixedRows((3, 1, 4), 2), Tables(1, 1, 1)]
LARGE = Tables(24, 3, 3)


@pytest.fixture
def nothing_runs(monkeypatch):
    """Call it, and no part is computed any more."""

    def refuse(*_):
        raise AssertionError("a part is computed")

    return lambda: monkeypatch.setattr(run, "block_of", refuse)


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_stored_laws_are_the_laws(matrices, weight, tmp_path, nothing_runs):
    where = Resources(threads=1, checkpoint=tmp_path / "law")
    law = cm.joint(matrices, "med", "rd", "ard", weight=weight, resources=where)
    law.save(tmp_path / "file")
    other = cm.joint(matrices, "wallace_ab", weight=weight).digest
    nothing_runs()
    for path in (tmp_path / "law", tmp_path / "file"):
        opened = cm.open_law(str(path))
        assert opened.held
        assert (opened.weight, opened.matrices) == (weight, matrices)
        assert opened.digest == law.digest
        assert cm.open_law(path, "wallace_ab").digest == other
        assert opened.given_each("med").exact_rows() == law.given_each("med").exact_rows()
    opened.save(tmp_path / "again")
    assert cm.open_law(tmp_path / "again").digest == law.digest


def test_signatures_that_are_listed_are_stored(tmp_path, nothing_runs):
    """Of few tables of many points."""
    where = Resources(threads=1, checkpoint=tmp_path / "law")
    law = cm.joint(Tables(260, 2, 2), "ard", resources=where)
    law.save(tmp_path / "file")
    expected = [np.column_stack(block) for block in law.source.blocks()]
    nothing_runs()
    for path in (tmp_path / "law", tmp_path / "file"):
        found = [np.column_stack(block) for block in cm.open_law(path).source.blocks()]
        assert all(map(np.array_equal, found, expected))
        assert len(found) == len(expected)


def test_a_finished_checkpoint_answers_search_check_and_table(tmp_path, nothing_runs):
    where = Resources(threads=1, checkpoint=tmp_path)
    law = cm.joint(LARGE, "ard", resources=where)
    expected = [
        law["ard"].max,
        cm.minimize(LARGE, "ari", given="med<=1/5").value,
        cm.check(cm.Conjecture("near", "med<=1/10 -> ari>=0"), LARGE).digest,
    ]
    nothing_runs()
    found = cm.maximize(LARGE, "ard", method="exhaustive", resources=where)
    assert (found.proved, found.value) == (True, expected[0])
    assert cm.minimize(LARGE, "ari", given="med<=1/5", resources=where).value == expected[1]
    assert (
        cm.check(cm.Conjecture("near", "med<=1/10 -> ari>=0"), LARGE, checkpoint=tmp_path).digest
        == expected[2]
    )
    assert cm.joint(LARGE, "jaccard", resources=where)["jaccard"].max == 1
    with pytest.raises(CheckpointError, match=r"another run: Tables\(n=24"):
        cm.check(cm.Conjecture("near", "med<=1/10 -> ari>=0"), Tables(20, 3, 3), checkpoint=tmp_path)
    on_tables = cm.Conjecture("few", "cor <= 1")
    with pytest.raises(CheckpointError, match="another"):
        cm.check(on_tables, LARGE, checkpoint=tmp_path)


def test_a_check_costs_what_is_left(tmp_path):
    claim, matrices = cm.Conjecture("near", "med<=1/10 -> ari>=0"), Tables(30, 4, 4)
    whole = cm.plan(cm.check, claim, matrices).seconds
    (tmp_path / "manifest.json").write_text("{}")
    for part in range(128):
        (tmp_path / f"signatures-{part:04d}.npz").touch()
    assert 0 < cm.plan(cm.check, claim, matrices, checkpoint=tmp_path).seconds < 0.7 * whole


def test_a_plan_costs_what_is_left(tmp_path):
    matrices = Tables(40, 4, 4)
    whole = cm.plan(cm.joint, matrices, "ard").seconds
    (tmp_path / "manifest.json").write_text("{}")
    for part in range(0, 128, 2):
        (tmp_path / f"signatures-{part:04d}.npz").touch()
    half = cm.plan(cm.joint, matrices, "ard", resources=Resources(checkpoint=tmp_path)).seconds
    assert 0.3 * whole < half < 0.8 * whole


def test_a_law_that_is_not_finished_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"path must be a file of law\.save"):
        cm.open_law(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(CheckpointError, match="is not one of a law"):
        cm.open_law(tmp_path / "empty")
    mine = {"format": "confmat checkpoint 2", "of": {"json": {"kind": "Mine"}, "weight": "tables"}}
    (tmp_path / "empty" / "manifest.json").write_text(json.dumps(mine))
    with pytest.raises(CheckpointError, match="of a class that cannot be read"):
        cm.open_law(tmp_path / "empty")
    law = cm.joint(LARGE, "ard", resources=Resources(threads=1, checkpoint=tmp_path / "law"))
    assert law["ard"].max > 1
    first = min((tmp_path / "law").glob("signatures-*.npz"))
    first.unlink()
    with pytest.raises(CheckpointError, match=r"no finished law: .*% of the signatures of Tables\(n=24"):
        cm.open_law(tmp_path / "law")
    law.save(tmp_path / "file")
    with pytest.raises(ValueError, match=r"must have formulas in m, A, B and P, got \['vi'\]"):
        cm.open_law(tmp_path / "file", "ard", "vi")
    for part in (law.given("med<1/4"), cm.joint(Tables(9, 2, 2), "vi"), cm.joint(Tables(100, 3, 3), "ard")):
        with pytest.raises(ValueError, match="whole and held as signatures"):
            part.save(tmp_path / "part")
    assert not (tmp_path / "part").exists()


def test_an_altered_byte_is_refused(tmp_path):
    law = cm.joint(Tables(8, 2, 3), "ard")
    law.save(tmp_path / "law")
    content = (tmp_path / "law").read_bytes()
    with ZipFile(tmp_path / "law") as file:
        assert file.comment == content[-64:]
    for i in (*range(0, len(content), 37), *range(len(content) - 90, len(content))):
        (tmp_path / "altered").write_bytes(content[:i] + bytes([content[i] ^ 1 << i % 8]) + content[i + 1 :])
        with pytest.raises(CheckpointError, match="altered"):
            cm.open_law(tmp_path / "altered")
    for wrong in (b"", content[:-1], content[:100], content + b"\n", b"med,count\n0,6\n"):
        (tmp_path / "altered").write_bytes(wrong)
        with pytest.raises(CheckpointError, match="altered"):
            cm.open_law(tmp_path / "altered")


def sealed(path, arrays):
    """The arrays as a file with a digest that is right."""
    file = BytesIO()
    np.savez_compressed(file, **arrays)
    content = file.getvalue()[:-2] + (64).to_bytes(2, "little")
    path.write_bytes(content + sha256(content).hexdigest().encode())


def test_a_forged_law_does_not_add_up(tmp_path):
    """A file with a right digest of wrong weights, of another class, of another format, without a part."""
    cm.joint(Tables(20, 3, 3), "ard").save(tmp_path / "law")
    with np.load(tmp_path / "law") as file:
        arrays = {name: file[name] for name in file.files}
    head = json.loads(arrays["law"].tobytes())

    def law(**changes):
        return {"law": np.frombuffer(json.dumps(head | changes).encode(), np.uint8)}

    sealed(tmp_path / "same", arrays)
    assert cm.open_law(tmp_path / "same", "rd")["rd"].max == cm.indices.extremes.max_rand_distance(20, 3, 3)
    name = next(name for name in arrays if name.endswith(".weights"))
    weights = arrays[name].copy()
    weights[0] += 1
    for forged in ({name: weights}, law(**{"class": Tables(21, 3, 3).to_json()})):
        sealed(tmp_path / "forged", arrays | forged)
        with pytest.raises(cm.errors.ConsistencyError, match="finds tables of weight"):
            cm.open_law(tmp_path / "forged")
    for forged in (
        law(format="confmat law 9"),
        law(**{"class": {"kind": "mine"}}),
        {"law": np.zeros(3, np.uint8)},
    ):
        sealed(tmp_path / "forged", arrays | forged)
        with pytest.raises(CheckpointError, match=r"is no file of law\.save"):
            cm.open_law(tmp_path / "forged")
    sealed(tmp_path / "forged", {x: array for x, array in arrays.items() if x != name})
    with pytest.raises(CheckpointError, match=r"is no file of law\.save"):
        cm.open_law(tmp_path / "forged")


@pytest.mark.parametrize(
    ("matrices", "weight"),
    [
        (Tables(8, 2, 3), "tables"),
        (Tables(8, 2, 3), "labelings"),
        (FixedRows((4, 3, 2), 3), "tables"),
        (Tables(20, 3, 3), "tables"),
    ],
)
def test_a_law_that_adds_up_and_is_none_is_caught(matrices, weight, tmp_path):
    """A weight moved from one signature to another, or a signature elsewhere, under a digest that is right."""
    cm.joint(matrices, "ard", weight=weight).save(tmp_path / "law")
    with np.load(tmp_path / "law") as file:
        arrays = {name: file[name] for name in file.files}
    assert cm.open_law(tmp_path / "law", "ard").basis == "guarded, read from a file"

    def altered(name, change):
        array = arrays[name].copy()
        change(array)
        sealed(tmp_path / "altered", arrays | {name: array})
        with pytest.raises(CheckpointError, match="computed again, have other weights"):
            cm.open_law(tmp_path / "altered")

    if (matrices, weight) == (Tables(8, 2, 3), "tables"):  # a byte each
        altered("0.weights", lambda array: array[-2:].__iadd__(np.array([1, 255], np.uint8)))
    altered("0.bottoms", lambda array: array.__iadd__(1))
    altered("0.b", lambda array: array.__setitem__(0, array[0] + 1))


def test_a_block_that_is_sealed_and_none_is_refused(tmp_path):
    """Who can write seals can write anything: what is no archive of arrays is refused in a line."""
    where = Resources(threads=1, checkpoint=tmp_path)
    assert cm.joint(Tables(8, 2, 3), "ard", resources=where)["ard"].max > 1
    store = Checkpoint(tmp_path, Tables(8, 2, 3))
    path = min(tmp_path.glob("signatures-*.npz"))
    path.write_bytes(b"letters" + (64).to_bytes(2, "little") + store._digest(path, b"letters").encode())
    with pytest.raises(CheckpointError, match="is damaged"):
        _ = cm.joint(Tables(8, 2, 3), "ard", resources=where)["ard"].max
