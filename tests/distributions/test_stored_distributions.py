"""Laws on disk answer as those that are enumerated, and enumerate nothing; what was altered is refused."""

import json

import numpy as np
import pytest

import confmat as cm
from confmat import Limits
from confmat._engine import checkpoint, run
from confmat.classes import FixedRows, Tables
from confmat.errors import CheckpointError

CLASSES = [Tables(12, 3, 3), Tables(7, 4, 2), FixedRows((3, 1, 4), 2), Tables(1, 1, 1)]
LARGE = Tables(24, 3, 3)
NAMES = ("med", "rd", "ard")


@pytest.fixture
def nothing_runs(monkeypatch):
    """Call it, and no part is computed any more."""

    def refuse(*_):
        raise AssertionError("a part is computed")

    return lambda: monkeypatch.setattr(run, "block_of", refuse)


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_stored_laws_are_the_laws(matrices, weight, tmp_path, nothing_runs):
    where = Limits(threads=1, checkpoint=tmp_path / "law")
    law = cm.joint_distribution(matrices, *NAMES, weight=weight, limits=where)
    law.save(tmp_path / "file")
    other = cm.joint_distribution(matrices, "wallace_ab", weight=weight).digest
    nothing_runs()
    path = tmp_path / "file"
    opened = cm.JointDistribution.load(str(path))
    assert opened._held
    assert (opened.weight, opened.matrices) == (weight, matrices)
    assert (
        opened.digest
        == law.digest
        == cm.joint_distribution(matrices, *NAMES, weight=weight, limits=where).digest
    )
    assert cm.JointDistribution.load(path, "wallace_ab").digest == other
    for (value, given), (expected, again) in zip(opened.groupby("med"), law.groupby("med"), strict=True):
        assert (value, list(given)) == (expected, list(again))
    opened.save(tmp_path / "again")
    assert cm.JointDistribution.load(tmp_path / "again").digest == law.digest


def test_signatures_that_are_listed_are_stored(tmp_path, nothing_runs):
    """Of few tables of many points."""
    where = Limits(threads=1, checkpoint=tmp_path / "law")
    law = cm.joint_distribution(Tables(260, 2, 2), "ard", limits=where)
    law.save(tmp_path / "file")
    expected = [np.column_stack(block) for block in law._source.blocks()]
    nothing_runs()
    for stored in (
        cm.joint_distribution(Tables(260, 2, 2), "ard", limits=where),
        cm.JointDistribution.load(tmp_path / "file"),
    ):
        found = [np.column_stack(block) for block in stored._source.blocks()]
        assert all(map(np.array_equal, found, expected))
        assert len(found) == len(expected)


def test_a_finished_checkpoint_answers_search_check_and_table(tmp_path, nothing_runs):
    where = Limits(threads=1, checkpoint=tmp_path)
    law = cm.joint_distribution(LARGE, "ard", limits=where)
    expected = [
        law["ard"].max(),
        cm.minimize(LARGE, "ari", given="med<=1/5").value,
        cm.check(cm.Conjecture("near", "med<=1/10 -> ari>=0"), LARGE).digest,
    ]
    nothing_runs()
    found = cm.maximize(LARGE, "ard", method="exhaustive", limits=where)
    assert (found.proved, found.value) == (True, expected[0])
    assert cm.minimize(LARGE, "ari", given="med<=1/5", limits=where).value == expected[1]
    assert (
        cm.check(
            cm.Conjecture("near", "med<=1/10 -> ari>=0"), LARGE, limits=cm.Limits(checkpoint=tmp_path)
        ).digest
        == expected[2]
    )
    assert cm.joint_distribution(LARGE, "jaccard", limits=where)["jaccard"].max() == 1


@pytest.mark.usefixtures("many_pieces")
def test_a_plan_counts_unfinished_chunks_only(tmp_path):
    matrices = Tables(24, 4, 4)
    whole = cm.plan(cm.joint_distribution, matrices, "ard").seconds
    limits = Limits(checkpoint=tmp_path)
    assert cm.joint_distribution(matrices, "ard", limits=limits)["ard"].max() > 1
    assert cm.plan(cm.joint_distribution, matrices, "ard", limits=limits).seconds < whole / 100
    for path in sorted(tmp_path.iterdir())[::2]:
        path.unlink()
    assert whole / 10 < cm.plan(cm.joint_distribution, matrices, "ard", limits=limits).seconds < whole


def test_a_law_that_is_not_finished_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"path must be a file of JointDistribution\.save"):
        cm.JointDistribution.load(tmp_path / "nothing")
    with pytest.raises(ValueError, match=r"path must be a file of JointDistribution\.save"):
        cm.JointDistribution.load(tmp_path)
    law = cm.joint_distribution(LARGE, "ard")
    law.save(tmp_path / "file")
    with pytest.raises(ValueError, match=r"must have formulas in m, A, B and P, got \['vi'\]"):
        cm.JointDistribution.load(tmp_path / "file", "ard", "vi")
    for part in (
        law.given("med<1/4"),
        cm.joint_distribution(Tables(9, 2, 2), "vi"),
        cm.joint_distribution(Tables(100, 3, 3), "ard"),
    ):
        with pytest.raises(ValueError, match="over a whole class and have sufficient statistics"):
            part.save(tmp_path / "part")
    assert not (tmp_path / "part").exists()


def test_an_altered_byte_is_refused(tmp_path):
    law = cm.joint_distribution(Tables(8, 2, 3), "ard")
    law.save(tmp_path / "law")
    content = (tmp_path / "law").read_bytes()
    for i in (*range(0, len(content), 37), *range(len(content) - 90, len(content))):
        (tmp_path / "altered").write_bytes(content[:i] + bytes([content[i] ^ 1 << i % 8]) + content[i + 1 :])
        with pytest.raises(CheckpointError, match="altered"):
            cm.JointDistribution.load(tmp_path / "altered")
    for wrong in (b"", content[:-1], content[:100], content + b"\n", b"med,count\n0,6\n"):
        (tmp_path / "altered").write_bytes(wrong)
        with pytest.raises(CheckpointError, match="altered"):
            cm.JointDistribution.load(tmp_path / "altered")


def write_sealed(path, arrays):
    """The arrays as a file with a digest that is right."""
    path.write_bytes(checkpoint.sealed_arrays(arrays, "confmat distribution 4"))


def test_a_forged_law_does_not_add_up(tmp_path):
    """A file with a right digest of wrong weights, of another class, of another format, without a part."""
    cm.joint_distribution(Tables(20, 3, 3), "ard").save(tmp_path / "law")
    with np.load(tmp_path / "law") as file:
        arrays = {name: file[name] for name in file.files}
    head = json.loads(arrays["distribution"].tobytes())

    def law(**changes):
        return {"distribution": np.frombuffer(json.dumps(head | changes).encode(), np.uint8)}

    write_sealed(tmp_path / "same", arrays)
    assert cm.JointDistribution.load(tmp_path / "same", "rd")[
        "rd"
    ].max() == cm.indices.extremes.max_rand_distance(20, 3, 3)
    name = next(name for name in arrays if name.endswith(".weights"))
    weights = arrays[name].copy()
    weights[0] += 1
    for forged in ({name: weights}, law(**{"class": Tables(21, 3, 3).to_json()})):
        write_sealed(tmp_path / "forged", arrays | forged)
        with pytest.raises(cm.errors.CheckpointError, match="the weights in the file add up to"):
            cm.JointDistribution.load(tmp_path / "forged")
    for forged in (
        law(format="confmat distribution 9"),
        law(**{"class": {"kind": "mine"}}),
        {"distribution": np.zeros(3, np.uint8)},
    ):
        write_sealed(tmp_path / "forged", arrays | forged)
        with pytest.raises(CheckpointError, match=r"must be a file of JointDistribution\.save"):
            cm.JointDistribution.load(tmp_path / "forged")
    write_sealed(tmp_path / "forged", {x: array for x, array in arrays.items() if x != name})
    with pytest.raises(CheckpointError, match=r"must be a file of JointDistribution\.save"):
        cm.JointDistribution.load(tmp_path / "forged")
