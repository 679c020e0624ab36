"""Packed signatures against those of every table; what is held, and in how much memory."""

from collections import Counter

import numpy as np
import pytest

import confmat as cm
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.engine import sizes
from confmat.engine.run import Resources
from confmat.engine.signatures import bytes_to_hold, hold, packed_pass, why_not_held
from confmat.engine.summary import collect, streams
from confmat.errors import TooLarge
from confmat.indices.pairs import PairSums
from confmat.matrices.matrix import best_matching
from confmat.statistics.table import labelings

CLASSES = [
    Tables(8, 3, 3),
    Tables(7, 2, 4),
    Tables(6, 4, 2),
    Tables(6, 2, 2, empty=True),
    FixedMargins((5, 4, 2), (6, 3, 2)),
    FixedRows((3, 1, 4), 2),
    Tables(2, 3, 3),
    Tables(1, 1, 1),
    Tables(0, 2, 2, empty=True),
]


def by_signature(signatures, level=None):
    found = Counter()
    for cells, weights in signatures.blocks(level):
        assert len(cells) == len(weights) > 0
        found.update(dict(zip(map(tuple, cells.tolist()), weights.tolist(), strict=True)))
    return found


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("weight", ["tables", "labelings"])
def test_signatures_are_those_of_every_table(matrices, weight):
    """A and B are put into order: which of them is A depends on the orientation that is enumerated."""
    expected, found = Counter(), Counter()
    for table in matrices:
        sums = PairSums.of(table)
        m = sums.n - best_matching(table).total
        expected[m, *sorted((sums.A, sums.B)), sums.P] += 1 if weight == "tables" else labelings(table)
    held = hold(matrices, weight, Resources(threads=1))
    for (m, a, b, p), amount in by_signature(held).items():
        found[m, *sorted((a, b)), p] += amount
    assert found == expected
    assert held.levels == sorted({m for m, *_ in expected})
    assert sum(sum(by_signature(held, m).values()) for m in held.levels) == sum(expected.values())
    assert [held.count(m) for m in held.levels] == [len(by_signature(held, m)) for m in held.levels]
    assert all(weights.dtype == np.int64 for _, weights in held.blocks())


@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize("matrices", [Tables(20, 3, 3), Tables(13, 4, 4), Tables(9, 3, 6)], ids=repr)
def test_packed_is_what_is_collected(matrices, weight, monkeypatch):
    """From histograms, and where tables are walked."""
    assert streams(matrices, weight)
    walked = hold(matrices, weight, Resources(threads=2)).arrays()
    monkeypatch.setattr(sizes, "FEW_STEPS", 0)
    cells, weights = collect(matrices, weight, Resources())
    held = hold(matrices, weight, Resources(threads=2))
    assert walked.keys() == held.arrays().keys()
    assert all(np.array_equal(walked[name], array) for name, array in held.arrays().items())
    assert by_signature(held) == dict(zip(map(tuple, cells.tolist()), weights.tolist()))
    assert len(held) == len(cells)
    at = {m: sum(weights[cells[:, 0] == m].tolist()) for m in set(cells[:, 0].tolist())}
    assert {m: held.weight(m) for m in held.levels} == at


def test_weights_of_every_size_are_kept(monkeypatch):
    """Of 1, 2, 4 and 8 bytes, in blocks of a few signatures."""
    assert not hold(Tables(25, 3, 3, empty=True), "labelings", Resources()).plain
    matrices = FixedMargins((40, 40, 40), (40, 40, 40))
    few = hold(matrices, "tables", Resources())
    assert sum(few.parts[0].before[-1] > 0) >= 2
    large = hold(Tables(20, 4, 4), "tables", Resources())
    widths = np.array([part.before[-1] for part in large.parts]).sum(axis=0)
    assert (widths > 0).sum() >= 3
    expected = by_signature(few)
    monkeypatch.setattr("confmat.engine.signatures.BLOCK", 10)
    assert by_signature(few) == expected
    assert sum(expected.values()) == matrices.count()
    assert sum(sum(weights.tolist()) for _, weights in large.blocks()) == Tables(20, 4, 4).count()


def test_small_levels_come_together_and_no_level_is_copied(monkeypatch):
    held = hold(Tables(12, 4, 4), "tables", Resources())
    monkeypatch.setattr("confmat.engine.signatures.BLOCK", 100)
    alone = [block for m in held.levels for block in held.blocks(m)]
    together = list(held.blocks())
    assert len(held.levels) < len(alone) > len(together)
    assert max(len(cells) for cells, _ in together) <= max(100, *(len(cells) for cells, _ in alone))
    for one, other in zip(map(np.concatenate, zip(*alone)), map(np.concatenate, zip(*together))):
        np.testing.assert_array_equal(one, other)
    (m,) = {m for m in held.levels if held.count(m) == max(map(held.count, held.levels))}
    assert all(one is other for one, other in zip(held.blocks(m), held.blocks(m)))


def test_what_is_held():
    assert not why_not_held(Tables(50, 4, 4), "tables")
    assert why_not_held(Tables(50, 4, 4), "labelings")
    assert why_not_held(Tables(80, 4, 4), "tables")
    assert not why_not_held(Tables(300, 2, 2), "tables")  # few tables, as arrays
    held = hold(Tables(24, 4, 4), "tables", Resources())
    assert held.bytes < 2 * bytes_to_hold(Tables(24, 4, 4), "tables")


def test_a_checkpoint_is_resumed(tmp_path):
    seen = []
    first = hold(Tables(12, 4, 4), "tables", Resources(checkpoint=tmp_path))
    again = hold(Tables(12, 4, 4), "tables", Resources(checkpoint=tmp_path, progress=seen.append))
    assert {at.stage for at in seen} == {"signatures"}
    assert by_signature(first) == by_signature(again)
    assert len(list(tmp_path.glob("signatures-*.npz"))) == len(seen)


@pytest.mark.parametrize(
    "matrices",
    [Tables(12, 3, 4), Tables(14, 4, 4), Tables(8, 5, 5), Tables(9, 2, 3), Tables(15, 3, 3, empty=True)],
    ids=repr,
)
def test_signatures_are_no_more_than_their_bound(matrices):
    """At each A and B, and altogether: what is left out by a bound is not there."""
    number = len(hold(matrices, "tables", Resources(threads=1)))
    assert number <= sizes._places(matrices) < sizes.window_cells(matrices)
    for rows, cols, _ in matrices.margins("transposition"):
        one = FixedMargins(rows, cols)
        assert len(hold(one, "tables", Resources(threads=1))) <= sizes._places(one)


def test_a_class_of_twenty_million_signatures_is_within_bounds():
    assert 21_582_197 < sizes.support_bound(Tables(40, 4, 4)) < 12 * 10**7
    assert cm.plan(cm.maximize, Tables(40, 4, 4), "jaccard", "med=1/4").method == "exhaustive"


def test_what_one_number_of_pairs_needs_is_said_with_the_limit(monkeypatch):
    monkeypatch.setattr("confmat.engine.signatures.places_by_a", lambda matrices: [2**30])
    monkeypatch.setattr("confmat.engine.signatures.MOST_MEMORY", 2**32)
    with pytest.raises(TooLarge, match=r"need 8 GiB \(limit 4 GiB\)"):
        packed_pass(Tables(20, 3, 3), "tables")
