"""The command compare: every index of labels in a file or of a matrix."""

import json
from fractions import Fraction

import pytest
from command_line import succeed

from confmat.contingency import contingency_matrix
from confmat.indices import partition
from confmat.statistics import STATISTICS

IRIS = "50,0,0;0,48,2;0,1,49"
MODCLUST = "47,197,7,0,0;0,1408,153,0,0;0,278,1216,0,0;0,62,0,0,0;4813,2,0,0,0"
ENTMERGE = "16,7,0,14,214;0,146,929,417,69;0,1191,81,63,159;0,0,0,0,62;4809,0,0,1,5"
STEINLEY = "1,0,1,1,0;0,1,0,0,1;1,0,1,0,1;0,1,0,1,0;1,0,1,0,1"


def exact(number):
    return Fraction(number["exact"])


@pytest.mark.parametrize(
    ("matrix", "med", "rd", "ard"),
    [
        (IRIS, Fraction(1, 50), 0.0260403, 0.0589877),
        # Ranks and p-values take seconds; the page below shows values of the second.
        pytest.param(MODCLUST, Fraction(746, 8183), 0.0549669, 0.1122647, marks=pytest.mark.slow),
        pytest.param(ENTMERGE, Fraction(1040, 8183), 0.0469447, 0.0972073, marks=pytest.mark.slow),
        # Ranks are counted over 5 x 5 tables, by kernels that no other test compiles.
        pytest.param(STEINLEY, Fraction(8, 13), 22 / 78, 78 / 67, marks=pytest.mark.slow),
    ],
)
def test_compare_gives_the_printed_values(confmat, matrix, med, rd, ard):
    numbers = json.loads(succeed(confmat("compare", "--matrix", matrix, "--json")))
    compared = {name for name, x in STATISTICS.items() if x.symmetry != "simultaneous"}
    assert {"med", "ari", "fm", "wallace_ba", "vi"} <= compared <= set(numbers)
    beside = {name: numbers.pop(name) for name in ("table", "ranks")}
    assert all(set(number) == {"exact", "value"} for number in numbers.values())
    assert set(beside["ranks"]) == {"ari", "rd", "med"}
    assert exact(numbers["med"]) == med
    assert numbers["rd"]["value"] == pytest.approx(rd, abs=5e-8)
    assert numbers["ard"]["value"] == pytest.approx(ard, abs=5e-8)


def test_the_page_has_the_same_values_and_fits_a_terminal(confmat):
    out = succeed(confmat("compare", "--matrix", ENTMERGE))
    assert "0.0972073" in out
    assert max(map(len, out.splitlines())) <= 80


def test_compare_reads_labels(confmat, tmp_path):
    a, b = ["x", "x", "y", "y", "z z"], ["1", "1", "1", "2", "3"]
    path = tmp_path / "labels.csv"
    path.write_text(
        "\ufeffid,truth,cluster\n" + "".join(f'{i},"{x}",{y}\n' for i, (x, y) in enumerate(zip(a, b)))
    )
    numbers = json.loads(succeed(confmat("compare", path, "--columns", "truth,cluster", "--json")))
    matrix = contingency_matrix(a, b)
    for name, statistic in STATISTICS.items():
        if statistic.symmetry != "simultaneous":
            assert numbers[name]["value"] == pytest.approx(float(statistic.index(matrix)), rel=1e-15)
    assert exact(numbers["ari"]) == partition.adjusted_rand_index(matrix, exact=True)
    out = succeed(confmat("compare", path, "--columns", "truth,cluster"))
    table = [line.split() for line in out.splitlines() if line.startswith(("x ", "y ", "z z "))]
    assert table == [["x", "2", "0", "0", "2"], ["y", "1", "1", "0", "2"], ["z", "z", "0", "0", "1", "1"]]


@pytest.mark.parametrize("matrix", ["0,0", "1", "1,0;0,1", "5", f"{2**62},{2**62};1,{2**70}"])
def test_compare_degenerate_and_huge(confmat, matrix):
    assert "index" in succeed(confmat("compare", "--matrix", matrix))
    json.loads(succeed(confmat("compare", "--matrix", matrix, "--json")))


def test_undefined_indices_are_null(confmat):
    numbers = json.loads(succeed(confmat("compare", "--matrix", "1,0;0,1", "--json")))
    assert numbers["jaccard"] == {"exact": None, "value": None}
    assert exact(numbers["ari"]) == 1
