"""Histograms of 32 and of 64 bits count the same, and no count is above the bound that chooses between them."""

from collections import Counter
from math import comb

import numpy as np
import pytest

from confmat._engine import blocks, halves, kernels, margins
from confmat.classes import FixedMargins
from confmat.contingency.matrix import best_matching

MARGINS = [
    ((3, 3, 3, 3), (3, 3, 3, 3)),
    ((4, 3, 3, 2), (4, 3, 3, 2)),
    ((5, 4, 4, 2, 1), (6, 6, 4)),
    ((3, 3, 2, 2, 2, 1, 1), (8, 6)),
    ((1,) * 7, (1,) * 7),  # all tables in one cell
]


@pytest.mark.parametrize(("rows", "cols"), MARGINS)
def test_both_widths_count_every_table(monkeypatch, rows, cols):
    job = margins.RowJob(rows, np.array([cols]), np.ones(1, np.int64))
    both = halves.list_halves(rows, job.cols, None, np.zeros(1, np.uint8))
    counts = []
    for most, kind in ((2**31 - 1, np.int32), (0, np.int64)):
        monkeypatch.setattr(blocks, "LARGEST_COUNT", most)
        machine, scratch, _ = blocks._prepared(job, both, ())
        assert scratch[0].dtype == kind
        kernels.enumerate_class(job.cols[0], machine, scratch, None, np.zeros(1, np.uint8))
        counts.append(scratch[0])
    assert (counts[0] == counts[1]).all()
    assert counts[1].sum() == FixedMargins(rows, cols).count()
    assert counts[1].sum() <= halves.number_of_states(rows[1:], len(cols))


def test_more_sets_of_columns_than_registers_need_no_other_code():
    """Of 7 and of 8 single objects there are 35 and 70 sets: each was compiled for itself, for a second and more."""
    kernel = getattr(kernels.enumerate_class, "compiled", kernels.enumerate_class)
    if not hasattr(kernel, "signatures"):  # without compilation
        return
    signatures = set()
    for n in (7, 8):
        job = margins.RowJob((1,) * n, np.ones((1, n), np.int64), np.ones(1, np.int64))
        both = halves.list_halves(job.rows, job.cols, None, np.zeros(1, np.uint8))
        machine, scratch, _ = blocks._prepared(job, both, ())
        kernel(job.cols[0], machine, scratch, None, np.zeros(1, np.uint8))
        assert scratch[0].sum() == FixedMargins(job.rows, job.rows).count()
        signatures.add(len(kernel.signatures))
    assert len(signatures) == 1


@pytest.mark.parametrize(
    ("largest", "kind"), [(57, np.uint16), (58, np.uint32), (70, np.uint32), (71, np.uint32)]
)
def test_indices_of_16_and_of_32_bits_place_every_table(largest, kind):
    """The histogram has more than 2^16 places from 60 objects, and more than 2^17 from 73."""
    rows = (largest, 1, 1)
    job = margins.RowJob(rows, np.array([rows]), np.ones(1, np.int64))
    both = halves.list_halves(rows, job.cols, None, np.zeros(1, np.uint8))
    machine, scratch, _ = blocks._prepared(job, both, ())
    assert scratch[1][0].dtype == kind
    kernels.enumerate_class(job.cols[0], machine, scratch, None, np.zeros(1, np.uint8))
    expected = Counter()
    for table in FixedMargins(rows, rows):
        pairs = sum(comb(x, 2) for x in table.ravel().tolist())
        expected[both.stride * pairs + best_matching(table).total] += 1
    assert dict(enumerate(scratch[0].tolist())) | expected == dict(enumerate(scratch[0].tolist()))
    assert sum(expected.values()) == scratch[0].sum()
