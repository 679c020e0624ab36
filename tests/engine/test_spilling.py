"""Histograms that are emptied before they overflow, with cells so narrow that they would."""

import numpy as np
import pytest

from confmat._engine import blocks, halves, kernels
from confmat._engine.margins import RowJob
from confmat.classes import FixedMargins

CAPACITY = 127  # of eight bits

# Buckets of many tables, of few, and of one: sums of many small products overflow as a large one does.
MARGINS = [
    ((3, 3, 3, 3), (3, 3, 3, 3)),
    ((4, 3, 3, 2), (4, 3, 3, 2)),
    ((5, 4, 4, 2, 1), (6, 6, 4)),
    ((4, 4, 3, 2, 1), (6, 5, 3)),
    ((3, 3, 2, 2, 2, 2, 1, 1, 1), (10, 7)),
    ((3, 3, 3, 2, 2, 2, 1, 1, 1), (12, 6)),
    ((1,) * 8, (1,) * 8),  # 576 tables of one bucket in one cell
]


@pytest.mark.parametrize(("rows", "cols"), MARGINS)
def test_a_histogram_is_emptied_before_its_cells_overflow(monkeypatch, rows, cols):
    """Of 8 bits and of 32: the same counts, no negative one, that of the class."""
    both = halves.list_halves(rows, len(cols), None, np.zeros(1, np.uint8))
    job = RowJob(rows, np.array([cols]), np.ones(1, np.int64))
    counts = []
    for narrow in (False, True):
        machine, scratch, _ = blocks._prepared(job, both, ())
        histogram, index, found = scratch
        if narrow:
            monkeypatch.setattr(kernels, "HISTOGRAM_CAPACITY", CAPACITY)
            histogram = histogram.astype(np.int8)
        number = getattr(kernels.enumerate_class, "py_func", kernels.enumerate_class)(
            job.cols[0],
            job.windows[:, 0],
            machine,
            (histogram, index, found),
            None,
            np.zeros(1, np.uint8),
        )
        assert (histogram >= 0).all()
        counts.append(found + histogram)
        assert number == counts[-1].sum() == FixedMargins(rows, cols).count()
    assert (counts[0] == counts[1]).all()
    assert counts[0].sum() > 4 * CAPACITY
