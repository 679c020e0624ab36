"""``confmat compare U.csv V.csv``: soft indices beside the crisp ones of the hardened memberships."""

import json

import numpy as np
import pandas as pd
import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.indices import partition
from confmat.indices.soft import all_indices
from confmat.matrices import contingency

U = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.0, 1.0]]
V = ["x", "x", "y", "x"]


@pytest.fixture
def files(tmp_path):
    soft, hard = tmp_path / "u.csv", tmp_path / "v.csv"
    soft.write_text("a,b\n" + "".join(f"{x},{y}\n" for x, y in U))
    hard.write_text("cluster\n" + "".join(f"{label}\n" for label in V))
    return str(soft), str(hard)


def test_json(confmat, files):
    code, out, _ = confmat("compare", *files, "--json")
    assert code == 0
    answer = json.loads(out)
    expected = all_indices(U, V)
    assert {name: number["value"] for name, number in answer["soft"].items()} == pytest.approx(expected)
    matrix = contingency([1, 1, 2, 2], V)
    assert answer["hardened"]["ari"]["exact"] == str(partition.adjusted_rand_index(matrix, exact=True))


def test_either_side_and_text(confmat, files):
    code, out, _ = confmat("compare", files[1], files[0])
    assert code == 0
    assert "sari" in out
    assert "largest membership" in out
    assert "Rand distance" in out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad.csv is empty"),
        (b"a,b\n", "bad.csv must not be empty"),
        (b"a\n", "bad.csv has no line under its header"),
        (b"a,b\nx,y\n", "bad.csv must hold numbers, got 'x'"),
        (b"a,b\n\xff,1\n", "bad.csv is not UTF-8 text"),
    ],
)
def test_files_without_memberships_are_one_line(confmat, files, tmp_path, content, message):
    bad = tmp_path / "bad.csv"
    bad.write_bytes(content)
    assert message in fail(confmat("compare", files[0], bad))
    assert "none.csv cannot be read: No such file" in fail(
        confmat("compare", files[0], tmp_path / "none.csv")
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [("0.9,0.3\n", "bad.csv[0]"), ("0.9,nan\n", "bad.csv[0]"), ("0.9\n", "bad.csv, line 2: 1 fields")],
)
def test_bad_memberships_are_one_line(confmat, files, tmp_path, change, message):
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n" + change + "1,0\n1,0\n0,1\n")
    code, _, err = confmat("compare", str(bad), files[1])
    assert code == 2
    assert err.startswith("confmat: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_missing_file(confmat, files):
    code, _, err = confmat("compare", files[0], "missing.csv")
    assert code == 2
    assert "missing.csv" in err


def test_columns_need_a_single_file(confmat, files):
    assert confmat("compare", *files, "--columns", "a,b")[0] == 2


def test_rows_that_do_not_sum_to_one_name_the_tolerance(confmat, tmp_path):
    path = tmp_path / "U.csv"
    path.write_text("a,b,c\n1,0,0\n0.333334,0.333334,0.333334\n")
    code, _, err = confmat("compare", path, path)
    assert code == 2
    assert "not 1 within 1e-06: write more decimals or divide rows by their sum" in err


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


def test_the_card_says_range_and_chance_and_marks_what_is_below_0(confmat, files):
    code, out, _ = confmat("compare", *files)
    assert code == 0
    line = next(line.split() for line in out.splitlines() if line.startswith("sari"))
    assert line == ["sari", "-0.3033333", "below", "0", "at", "most", "1", "-0.1633", "-0.1203"]
    line = next(line.split() for line in out.splitlines() if line.startswith("aci"))
    assert line[-4:-1] == ["most", "1", "0.0000"]  # the mean by chance is exact
    code, out, _ = confmat("compare", *files, "--json")
    said = json.loads(out)["soft"]["sari"]
    assert (said["range"], said["mark"], round(said["chance"], 4)) == ("at most 1", "below 0", -0.1633)


def test_hard_memberships_have_the_card_of_labels(confmat, tmp_path, files):
    hard = tmp_path / "hard.csv"
    hard.write_text("a,b\n1,0\n1,0\n0,1\n0,1\n")
    code, out, _ = confmat("compare", hard, files[1])
    assert code == 0
    assert out.startswith("All memberships are 0 or 1: this is the card of two labelings.")
    assert "campello" not in out


def test_rows_are_normalised_on_request(confmat, tmp_path, files):
    rounded = tmp_path / "rounded.csv"
    rounded.write_text("a,b,c\n.333,.333,.333\n1,0,0\n1,0,1\n0,1,0\n")
    assert "memberships sum to 0.999" in fail(confmat("compare", rounded, files[1]))
    rounded.write_text("a,b,c\n.333,.333,.333\n1,0,0\n1,0,1\n0,1,0\n")
    assert confmat("compare", rounded, files[1], "--normalise")[0] == 0
    assert confmat("test", rounded, files[1], "--normalise")[0] == 0
    rounded.write_text("a,b,c\n0,0,0\n1,0,0\n1,0,1\n0,1,0\n")
    assert "rounded.csv[0]: the memberships sum to 0" in fail(
        confmat("test", rounded, files[1], "--normalise")
    )


@pytest.mark.parametrize("options", [["--columns", "a,b"], ["--na", "drop"]])
def test_options_of_a_single_file_are_refused_with_two(confmat, files, options):
    assert f"{options[0]} does not go with FILE and OTHER" in fail(confmat("test", *files, *options))
    assert "(it belongs to FILE and OTHER)" in fail(confmat("test", files[1], "--normalise"))


def test_an_option_of_another_question_is_refused_and_says_of_which(confmat, files):
    said = fail(confmat("test", "--matrix", "3,1;0,4", "--statistic", "chi2", "--mid"))
    assert "--mid does not go with --statistic (it belongs to the test of ARI, RI and MED)" in said
    said = fail(confmat("test", *files, "--mid"))
    assert "--mid does not go with FILE and OTHER" in said


def test_every_card_and_test_has_every_form(confmat, files):
    assert succeed(confmat("compare", *files, "--format", "csv")).startswith("soft index,value,")
    assert "| " in succeed(confmat("test", *files, "--format", "md"))
    assert "|" in succeed(confmat("test", "--matrix", "3,1;0,4", "--statistic", "chi2", "--format", "md"))


def test_another_statistic_than_a_soft_index_is_refused(confmat, files):
    assert "index must be one of ndc, aci, sari" in fail(confmat("test", *files, "--statistic", "kappa"))


# --- the same card in Python: `cm.compare` takes memberships ---


@pytest.mark.parametrize("kind", [np.array, list, pd.DataFrame])
def test_compare_takes_memberships_of_any_kind(kind, confmat, files):
    card = cm.compare(kind(U), V)
    code, out, _ = confmat("compare", *files, "--json")
    assert code == 0
    assert json.loads(out)["soft"] == json.loads(json.dumps(card.to_json()))["soft"]
    assert cm.compare(V, kind(U))["ndc"].value == card["ndc"].value
    with pytest.raises(KeyError, match="index must be one of ndc, aci, sari"):
        card["rand"]


def test_values_of_few_objects_are_not_rounded_and_0_over_0_is_a_dash():
    near, others = (
        [[0.5, 0.5], [0.5 + 1e-8, 0.5 - 1e-8], [1, 0], [0, 1]],
        [[0.25, 0.75], [0.5, 0.5], [0, 1], [1, 0]],
    )
    card = cm.compare(near, others)
    assert {line.name: line.value for line in card.lines} == all_indices(near, others)
    line = next(line for line in str(cm.compare([[0.5, 0.5]], [[0.5, 0.5]])).splitlines() if "_dice" in line)
    assert line.split() == ["huellermeier_dice", "-", "0/0", "0", "to", "1", "-", "-"]


def test_labels_and_matrices_are_compared_as_ever():
    frame = pd.DataFrame({"truth": [1, 1, 2], "found": [1, 2, 2]})
    pairs = [("a", 1), ("a", 1), ("b", 2)]
    assert cm.compare(frame, "truth", "found")["ri"] == cm.compare([1, 1, 2], [1, 2, 2])["ri"]
    assert cm.compare(pairs, [1, 2, 2])["ri"] == cm.compare([1, 1, 2], [1, 2, 2])["ri"]
    assert cm.compare([[1, 1], [0, 1]])["ri"] == cm.compare([1, 1, 2], [1, 2, 2])["ri"]


@pytest.mark.parametrize(
    ("sides", "options", "message"),
    [
        ((U, U, U), {}, "memberships must be compared with one other clustering, got 2"),
        ((U, V), {"na": "drop"}, "na must be 'refuse' for memberships, got 'drop'"),
        ((U, V[:2]), {}, "U and V must describe the same objects"),
        (([[0.5, 0.1]], ["x"]), {}, "the memberships sum to 0.6, not 1"),
    ],
)
def test_what_is_no_pair_of_memberships_is_refused(sides, options, message):
    with pytest.raises(ValueError, match=message):
        cm.compare(*sides, **options)
