"""Empty rows and columns, counts beyond float32, and what a broken contract says."""

import subprocess
import sys

import numpy as np
import pytest

import confmat as cm
from confmat.errors import ContractError
from confmat.testing import check_metric
from confmat.testing.corners import corner_tables


def ari_by_the_shape(table):
    """The adjusted Rand index, which takes an empty row for a cluster and fails."""
    if not table.sum(axis=1).all():
        raise ZeroDivisionError
    return cm.ari(table)


def rows(table):
    """Right but for an empty column, which it counts."""
    return float(table.shape[1])


@pytest.mark.parametrize(
    ("index", "words"), [(ari_by_the_shape, "with an empty row"), (rows, "with an empty column")]
)
def test_an_index_that_fails_at_empty_rows_or_columns_is_told(index, words):
    found = check_metric(index, symmetric=False, n=4, examples=5)
    assert words in str(found.broken["value"])
    classified = check_metric(lambda t: float(t.shape[1]), classifier=True, n=2, every=2, examples=1)
    assert "empty" not in str(classified)


@pytest.mark.parametrize("name", ["ari", "vi", "fm", "med", "purity", "nmi", "chi2"])
def test_the_indices_of_the_package_take_empty_rows_and_columns(name):
    assert "value" in check_metric(name, n=4, every=4, examples=5).kept


def test_counts_that_float32_does_not_hold_are_tried():
    assert any((table.astype(np.float32) != table).any() and table.max() < 2**25 for table in corner_tables())

    def in_short_doubles(table):
        return cm.rd(table.astype(np.float32).astype(np.int64), exact=True)

    found = check_metric(in_short_doubles, reference="rd", n=3, every=3, examples=5)
    assert "16777217" in str(found.broken["reference"])


def test_a_contract_raises_with_its_report():
    def purity(table):
        return table.max(axis=0).sum() / table.sum()

    found = check_metric(purity, identity=1, n=4, every=4, examples=10)
    with pytest.raises(ContractError) as caught:
        found.check()
    message = str(caught.value)
    assert str(found) in message
    assert {f"{claim}: " in message for claim in found.broken} == {True}
    assert message.startswith(f"symmetry fails: {found['symmetry'].beyond.found}")
    assert np.array_equal(caught.value.example, found["symmetry"].beyond.example)
    lines = str(found).splitlines()
    of_symmetry = [line for line in lines if line.startswith("symmetry: ")]
    assert "(one cluster)" not in of_symmetry[0]
    assert "(one cluster)" in of_symmetry[1]
    assert lines[-1] == "degenerate cases may be declared: undefined=('one cluster',)"


def test_declared_cases_are_not_degenerate():
    def undefined_at_one_object(table):
        return 1 / (table.sum() - 1)

    found = check_metric(undefined_at_one_object, n=3, every=3, examples=5)
    assert "undefined=('one object',)" in str(found)
    assert check_metric(undefined_at_one_object, n=3, every=3, examples=5, undefined=("one object",))


FAILING = """
from confmat.testing import check_metric, every_table

def test_of_a_contract():
    check_metric(lambda table: table.trace() / table.sum(), n=2, every=2, examples=1).check()

@every_table(n=2, examples=1)
def test_of_every_table(table):
    assert table.sum() < 2
"""


def test_pytest_shows_none_of_our_frames(tmp_path):
    path = tmp_path / "test_failing.py"
    path.write_text(FAILING)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(path)]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120).stdout
    assert "2 failed" in shown
    assert "confmat/testing/findings.py" not in shown
    assert "confmat/testing/contracts.py" not in shown
    assert "confmat/testing/exhaustive.py" not in shown


def test_an_index_is_checked_in_one_call():
    assert "bounds" in check_metric("ari", n=3, every=3, examples=5).kept
