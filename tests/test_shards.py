"""Laws that others computed: split, put together, and every altered entry found, under a new seal too."""

import json
import shutil

import numpy as np
import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.engine.checkpoint import Checkpoint
from confmat.engine.signatures import packed_pass
from confmat.engine.sizes import shards
from confmat.errors import CheckpointError, Unsupported
from confmat.laws import compute_shards, verify_shards
from confmat.laws.shards import Verified

CLASSES = [(cm.Tables(7, 3, 3), "tables"), (cm.Tables(6, 2, 3), "labelings")]
ALL = 10**6


def in_folder(matrices, weight, folder):
    compute_shards(matrices, folder, weight=weight)
    return matrices, weight, folder, Checkpoint(folder, packed_pass(matrices, weight))


@pytest.fixture(scope="module", params=CLASSES, ids=["tables", "labelings"])
def split(request, tmp_path_factory):
    return in_folder(*request.param, tmp_path_factory.mktemp("law"))


@pytest.mark.parametrize(("matrices", "weight"), CLASSES, ids=["tables", "labelings"])
def test_parts_from_several_machines_are_one_law(tmp_path, matrices, weight):
    for i in (1, 2, 3):
        compute_shards(matrices, tmp_path / f"machine{i}", weight=weight, part=(i, 3))
    whole = shutil.copytree(tmp_path / "machine1", tmp_path / "whole")
    assert len(verify_shards(matrices, whole, weight=weight).problems) == len(shards(matrices)) - len(
        list(whole.glob("*.npz"))
    )
    for i in (2, 3):
        shutil.copytree(tmp_path / f"machine{i}", whole, dirs_exist_ok=True)
    found = verify_shards(matrices, whole, weight=weight, recompute=ALL)
    assert (found.problems, found.recomputed) == ((), found.groups)
    before = {path.name: path.stat().st_mtime_ns for path in whole.iterdir()}
    law = cm.joint(matrices, "med", "rd", "ard", weight=weight, resources=cm.Resources(checkpoint=whole))
    assert law.digest == cm.joint(matrices, "med", "rd", "ard", weight=weight).digest
    assert {
        path.name: path.stat().st_mtime_ns for path in whole.iterdir()
    } == before  # nothing was computed again


def planted(split, shard, arrays):
    """What is said of a law with a shard that somebody else wrote and sealed."""
    matrices, weight, folder, store = split
    path = folder / f"signatures-{shard:04d}.npz"
    right = path.read_bytes()
    try:
        store.save("signatures", shard, arrays)
        return verify_shards(matrices, folder, weight=weight, recompute=ALL, seed=1).problems
    finally:
        path.write_bytes(right)


def test_every_entry_that_is_altered_and_sealed_again_is_found(split):
    store, rng, tried = split[-1], np.random.default_rng(1), 0
    for shard in (0, 2):
        right = store.load("signatures", shard)
        for name, array in right.items():
            for at in rng.permutation(array.size)[:1]:
                wrong = array.copy()
                wrong.flat[at] ^= 1 << int(rng.integers(8 * array.itemsize - 1))
                assert planted(split, shard, right | {name: wrong}), (shard, name, at)
                tried += 1
            for other in (array[:-1], array.astype(float), np.full(array.shape, np.inf)):
                if other.size or array.size:
                    assert planted(split, shard, right | {name: other}), (shard, name)
            without = {key: x for key, x in right.items() if key != name}
            assert planted(split, shard, without), (shard, name)
    assert tried > 15


# Every bit of laws with weights of one byte, of two, and of residues; of larger ones, with four bytes too, every few.
BITS = [
    (cm.Tables(5, 2, 3), "tables", 1),
    (cm.Tables(6, 5, 5), "tables", 1),
    (cm.Tables(4, 2, 3), "labelings", 1),
    (cm.Tables(8, 7, 7), "tables", 9),
    *((matrices, weight, 31) for matrices, weight in CLASSES),
]


@pytest.mark.slow
@pytest.mark.parametrize(("matrices", "weight", "step"), BITS)
def test_every_bit_that_is_altered_and_sealed_again_is_found(tmp_path, matrices, weight, step):
    split, tried = in_folder(matrices, weight, tmp_path), 0
    for shard in range(len(shards(matrices))):
        right = split[-1].load("signatures", shard)
        for name, array in right.items():
            octets = np.ascontiguousarray(array).tobytes()
            for bit in range(0, 8 * len(octets), step):
                wrong = bytearray(octets)
                wrong[bit // 8] ^= 1 << bit % 8
                altered = np.frombuffer(bytes(wrong), array.dtype).reshape(array.shape)
                assert planted(split, shard, right | {name: altered}), (shard, name, bit)
                tried += 1
    assert tried > 200


def test_mass_that_is_moved_where_all_sums_stay_is_found_by_computing_again(split):
    """Between two weights of one byte each: the packing and the total stay what they are."""
    store, matrices, weight = split[-1], *split[:2]
    of_1 = "residues" if weight == "labelings" else "of_1"
    shard, name, array = next(
        (shard, name, array)
        for shard in range(len(shards(matrices)))
        for name, array in store.load("signatures", shard).items()
        if name.endswith(f".{of_1}") and len(array) > 1 and array.flat[0] > 1
    )
    moved = array.copy()
    moved[0] -= 1
    moved[1] += 1
    problems = planted(split, shard, store.load("signatures", shard) | {name: moved})
    assert any("has other weights at A = " in problem for problem in problems)


def test_altered_bytes_and_foreign_folders_are_found(split, tmp_path):
    matrices, weight, folder, _ = split
    copy = shutil.copytree(folder, tmp_path / "copy")
    path = copy / "signatures-0000.npz"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    assert "does not have the digest" in verify_shards(matrices, copy, weight=weight).problems[0]
    with pytest.raises(CheckpointError, match="belongs to another"):
        verify_shards(cm.Tables(8, 3, 3), copy)
    with pytest.raises(CheckpointError, match="nothing was computed there"):
        verify_shards(matrices, tmp_path / "none", weight=weight)
    assert not (tmp_path / "none").exists()


def test_a_shard_in_the_place_of_another_is_found(split):
    for place, other in ((0, 2), (2, 0)):
        (problem,) = planted(split, place, split[-1].load("signatures", other))
        assert "holds the margins of another shard" in problem


def test_weights_of_more_than_32_bits_are_added(tmp_path):
    matrices, weight, folder, _ = in_folder(cm.Tables(14, 3, 3), "labelings", tmp_path)
    assert verify_shards(matrices, folder, weight=weight, recompute=0).problems == ()


def test_a_sealed_file_that_is_none(split, tmp_path):
    matrices, weight, folder, store = split
    copy = shutil.copytree(folder, tmp_path / "copy")
    path = copy / "signatures-0000.npz"
    body = b"not a zip file at all"
    path.write_bytes(body + (64).to_bytes(2, "little") + store._digest(path, body))
    assert "is damaged" in verify_shards(matrices, copy, weight=weight).problems[0]


def test_classes_and_parts_that_cannot_be_split(tmp_path):
    with pytest.raises(Unsupported, match="matrices must be enumerated by their margins to be split"):
        compute_shards(cm.Tables(6, 2, 2, cells=(0, 2)), tmp_path)
    with pytest.raises(ValueError, match="part must be one of 1/2 to 2/2, got 3/2"):
        compute_shards(cm.Tables(6, 3, 3), tmp_path, part=(3, 2))
    assert not list(tmp_path.iterdir())


def test_the_command_splits_computes_and_checks(confmat, tmp_path):
    command = ("shards", 8, 3, 3, "--folder", tmp_path / "law")
    assert "nothing was computed there" in fail(confmat(*command))
    assert succeed(confmat(*command, "--part", "1/2")) == f"Part 1/2 is in {tmp_path / 'law'}.\n"
    code, out, err = confmat(*command)
    assert (code, out.count("is missing"), err.count("\n")) == (1, 2, 1)
    succeed(confmat(*command, "--part", "2/2"))
    assert "4 shards are all right" in succeed(confmat(*command))
    found = json.loads(succeed(confmat(*command, "--recompute", 5, "--seed", 1, "--json")))
    assert found["verdict"] == "right"
    assert (found["shards"], found["recomputed"], found["problems"]) == (4, 5, [])
    assert "--part must read like 3/8" in fail(confmat(*command, "--part", "3"))
    assert "--part must be left out" in fail(confmat(*command, "--part", "1/2", "--recompute", 3))
    assert "must be enumerated by their margins" in fail(
        confmat("shards", 6, 2, 2, "--cells", "0..2", "--folder", tmp_path / "x")
    )


def test_a_class_without_members_has_no_shards(tmp_path):
    compute_shards(cm.Tables(2, 3, 3), tmp_path)
    assert verify_shards(cm.Tables(2, 3, 3), tmp_path, seed=1) == Verified(0, 0, 0, ())


@pytest.mark.parametrize(
    ("ask", "error", "match"),
    [
        (
            lambda at: compute_shards(cm.Tables(10, 3, 3), at, weight="foo"),
            ValueError,
            "weight must be one of",
        ),
        (
            lambda at: verify_shards(cm.Tables(10, 3, 3), at, weight="foo"),
            ValueError,
            "weight must be one of",
        ),
        (lambda at: compute_shards("foo", at), TypeError, "matrices must be a class"),
        (lambda at: compute_shards(cm.Tables(10, 3, 3), at, part=3), TypeError, "part must be a sequence"),
        (lambda at: compute_shards(cm.Tables(10, 3, 3), at, part=(1,)), ValueError, "part must be"),
        (lambda at: compute_shards(cm.Tables(10, 3, 3), at, part=(3, 2)), ValueError, "part must be"),
        (lambda at: verify_shards(cm.Tables(10, 3, 3), at, seed="x"), TypeError, "seed must be"),
        (lambda at: cm.open_law(5), TypeError, "path must be"),
    ],
)
def test_what_is_no_argument_is_refused_before_any_work(tmp_path, ask, error, match):
    with pytest.raises(error, match=match):
        ask(tmp_path / "law")
    assert not (tmp_path / "law").exists()
