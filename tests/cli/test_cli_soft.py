"""``confmat test U.csv V.csv``: is the agreement of two soft clusterings more than chance?"""

import json

import pytest
from command_line import fail, succeed

from confmat.indices.soft import all_indices

U = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.0, 1.0]]
V = ["x", "x", "y", "x"]


@pytest.fixture
def files(tmp_path):
    soft, hard = tmp_path / "u.csv", tmp_path / "v.csv"
    soft.write_text("a,b\n" + "".join(f"{x},{y}\n" for x, y in U))
    hard.write_text("cluster\n" + "".join(f"{label}\n" for label in V))
    return str(soft), str(hard)


def test_significance_of_two_files(confmat, files):
    code, out, _ = confmat("test", *files, "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["p"] == {"exact": "1", "value": 1.0}
    assert answer["value"]["value"] == pytest.approx(all_indices(U, V)["sari"])
    assert answer["mean"]["value"] == pytest.approx(-0.49 / 3)
    code, out, _ = confmat("test", *files, "--statistic", "ndc", "--alternative", "two-sided")
    assert code == 0
    assert "test of ndc, two-sided" in out


@pytest.mark.parametrize("options", [["--columns", "a,b"], ["--na", "drop"]])
def test_options_of_a_single_file_are_refused_with_two(confmat, files, options):
    message = "OTHER must be used with FILE alone, without --matrix, --columns and --na"
    assert message in fail(confmat("test", *files, *options))


def test_every_card_and_test_has_every_form(confmat, files):
    assert "| " in succeed(confmat("test", *files, "--format", "md"))
    assert "|" in succeed(confmat("test", "--matrix", "3,1;0,4", "--statistic", "chi2", "--format", "md"))


def test_another_statistic_than_a_soft_index_is_refused(confmat, files):
    assert "index must be one of ndc, aci, sari" in fail(confmat("test", *files, "--statistic", "kappa"))
