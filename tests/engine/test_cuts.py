"""Jobs and shards: the margin classes, each once, and laws that do not depend on the cuts."""

from collections import Counter
from contextlib import contextmanager

import numpy as np
import pytest

from confmat.classes import FixedRows, Tables
from confmat.engine import sizes
from confmat.engine.jobs import expected_tables, row_jobs
from confmat.engine.reduce import pairs_of_margin
from confmat.engine.run import Resources
from confmat.engine.signatures import hold, read
from confmat.engine.sizes import jobs_of, shards
from confmat.engine.summary import collect, summarize
from confmat.engine.work import WEIGHTS
from confmat.laws import compute_shards, verify_shards

pytestmark = pytest.mark.usefixtures("histograms")


def test_expected_tables_add_up_over_all_columns():
    """Good's approximation is exact in sum over column margins (empty columns allowed)."""
    for job in row_jobs(FixedRows((7, 5, 4), 3)):
        expected = float(expected_tables(job) @ job.weights)
        assert expected == pytest.approx(FixedRows((7, 5, 4), 3).count(), rel=1e-9)


@pytest.mark.parametrize(
    "matrices", [Tables(9, 3, 3), Tables(8, 2, 4, empty=True), Tables(7, 4, 2), Tables(2, 3, 3)]
)
def test_jobs_are_the_margin_classes(matrices):
    jobs = [
        (job.rows, tuple(cols), weight)
        for job in row_jobs(matrices)
        for cols, weight in zip(job.cols.tolist(), job.weights.tolist())
    ]
    turned = matrices.r > matrices.s
    classes = [
        (c.cols, c.rows, c.weight) if turned else (c.rows, c.cols, c.weight)
        for c in matrices.margins("transposition")
    ]
    assert sorted(jobs) == sorted(classes)


def test_shards_cover_every_row_margin_once():
    matrices = Tables(40, 4, 4)
    plan = shards(matrices)
    assert sorted(i for shard in plan for i, *_ in shard.pieces) == list(range(len(row_jobs(matrices))))


@contextmanager
def cut():
    """Shards of few tables, which cut row margins."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sizes, "_TABLES_PER_SHARD", (20, 20))
        patch.setattr(sizes, "_TABLES_PER_STATE", 1e-3)
        sizes.shards.cache_clear()
        yield
    sizes.shards.cache_clear()


CUT = [Tables(12, 3, 3), FixedRows((5, 4, 3), 3), FixedRows((7, 3), 4)]


@pytest.mark.parametrize("matrices", CUT, ids=repr)
def test_row_margins_are_cut_into_shards(matrices):
    with cut():
        plan = [jobs_of(matrices, shard.pieces) for shard in shards(matrices)]
    listed = Counter(
        (job.rows, cols) for jobs in plan for job in jobs for cols in map(tuple, job.cols.tolist())
    )
    assert listed == Counter(
        (job.rows, cols) for job in row_jobs(matrices) for cols in map(tuple, job.cols.tolist())
    )
    together = [{(job.a, b) for job in jobs for b in pairs_of_margin(job.cols).tolist()} for jobs in plan]
    assert sum(map(len, together)) == len(set().union(*together))
    assert len({job.a for jobs in plan for job in jobs}) < sum(len({job.a for job in jobs}) for jobs in plan)


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("matrices", CUT, ids=repr)
def test_laws_do_not_depend_on_the_shards(matrices, weight, tmp_path, monkeypatch):
    monkeypatch.setattr(sizes, "FEW_STEPS", 0)

    def found():
        summary, held = summarize(matrices, weight, Resources()), hold(matrices, weight, Resources())
        again = read(matrices, weight, held.arrays())
        assert (len(again), again.total) == (len(held), held.total)
        listed = [np.concatenate(x).tolist() for x in zip(*held.blocks())]
        arrays = (summary.law, summary.bins, summary.keys, summary.residues_of_moments, summary.extremes)
        return (
            listed,
            [x.tolist() for x in arrays],
            [x.tolist() for x in collect(matrices, weight, Resources())],
        )

    whole = found()
    with cut():
        assert found() == whole
        assert hold(matrices, weight, Resources()).parts
        compute_shards(matrices, tmp_path, weight=weight)
        checked = verify_shards(matrices, tmp_path, weight=weight)
        assert (checked.shards, checked.problems) == (len(shards(matrices)), ())
