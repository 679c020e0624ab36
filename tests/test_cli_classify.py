"""The command ``classify``."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from command_line import run

from confmat.indices.classification import all_metrics
from confmat.matrices import matrix_text

MATRIX = "5,1,0;2,3,1;0,1,7"


@pytest.fixture
def classify(capsys):
    def call(*arguments):
        code = run(["classify", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_json_has_the_metrics(classify):
    code, out, _ = classify("--matrix", MATRIX, "--json")
    assert code == 0
    numbers = json.loads(out)
    found = all_metrics([[5, 1, 0], [2, 3, 1], [0, 1, 7]], exact=True)
    assert numbers["classes"] == [1, 2, 3]
    for name in ("cor", "bcr", "ari"):
        assert Fraction(numbers[name]["exact"]) == getattr(found, name)
    for name in ("sens", "spec", "prec", "f", "gsp", "gss", "auc"):
        metric = getattr(found, name)
        for number, value in zip(
            [*numbers[name]["classes"], numbers[name]["rest"], numbers[name]["pairs"]],
            [*metric.classes, metric.rest, metric.pairs],
        ):
            assert number["value"] == float(value)
            assert number["exact"] is None or Fraction(number["exact"]) == value
    assert numbers["gsp"]["rest"]["exact"] is None  # a sum of square roots


def test_text_fits_and_shows_both_strategies(classify):
    code, out, _ = classify("--matrix", MATRIX)
    assert code == 0
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "20 objects, 3 classes" in out
    assert ["accuracy", "cor", "0.7500", "3/4"] in [line.split() for line in out.splitlines()]
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
    assert rows["1"][1:5] == ["0.7143", "0.8333", "0.7692", "6"]
    assert rows["pairs"][-1] == f"{607 / 720:.4f}"


def test_of_many_classes_a_page_shows_the_worst_and_files_all(classify):
    rng = np.random.default_rng(1)
    matrix = rng.poisson(0.5, (40, 40)) + np.diag(rng.integers(5, 60, 40))
    given = ("--matrix", matrix_text(matrix))
    _, out, _ = classify(*given)
    lines = out.splitlines()
    assert len(lines) <= 60
    assert "and 24 more" in lines
    start = lines.index("Classes, the worst first") + 3
    scores = [float(line.split()[3]) for line in lines[start : start + 16]]
    by_class = sorted(map(float, all_metrics(matrix).f.classes))
    assert scores == [round(score, 4) for score in by_class[:16]]
    errors = matrix - np.diag(np.diag(matrix))
    assert int(lines[lines.index("Most frequent errors") + 3].split()[-1]) == errors.max()
    _, out, _ = classify(*given, "--format", "csv")
    rows = [line.split(",") for line in out.splitlines()]
    assert [list(map(int, row[1:])) for row in rows[1:41]] == matrix.tolist()
    assert sum(int(row[2]) for row in rows if len(row) == 3 and row[2].isdecimal()) == errors.sum()
    assert len({row[0] for row in rows if len(row) == 9}) == 40 + 4
    _, out, _ = classify("--matrix", MATRIX)
    assert len(out.splitlines()) <= 25


def test_labels_on_one_side_only(classify, tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("id,truth,guess\n1,yes,no\n2,no,no\n3,yes,maybe\n")
    code, out, _ = classify(str(file), "--columns", "truth,guess")
    assert code == 0
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
    assert rows["maybe"][1:5] == ["0.0000", "0/0", "0.0000", "0"]
    code, out, _ = classify(str(file), "--columns", "truth,guess", "--undefined", "0", "--json")
    numbers = json.loads(out)
    assert numbers["classes"] == ["maybe", "no", "yes"]
    assert numbers["sens"]["classes"][0] == {"exact": "0", "value": 0.0}
    code, out, _ = classify(str(file), "--columns", "truth,guess", "--json")
    assert json.loads(out)["sens"]["classes"][0] == {"exact": None, "value": None}


def test_spaces_and_blank_lines_do_not_matter(classify, tmp_path):
    tight, loose = tmp_path / "tight.csv", tmp_path / "loose.csv"
    tight.write_text("truth,guess\nyes,no\nno,no\n")
    loose.write_text("truth , guess\n yes, no\n\nno ,no\n\n")
    answers = [classify(str(file), "--columns", "truth,guess") for file in (tight, loose)]
    assert answers[0] == answers[1]
    assert answers[0][0] == 0


@pytest.mark.parametrize("header", ["truth,guess,guess", "truth,other"])
def test_a_column_is_named_once(classify, tmp_path, header):
    file = tmp_path / "labels.csv"
    file.write_text(header + "\n" + ",".join("abc"[: header.count(",") + 1]) + "\n")
    code, out, err = classify(str(file), "--columns", "truth,guess")
    assert (code, out) == (2, "")
    assert ("has 2 columns 'guess'" if header.count("guess") else "has no column 'guess'") in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give either FILE or --matrix"),
        (["--matrix", "1,2"], "matrix must be square (rows: true classes, columns: predicted ones)"),
        (["--matrix", "0,0;0,0"], "matrix must count at least one object"),
        (["--matrix", "1,0;0,-1"], "matrix[1, 1] must be at least 0, got -1"),
        (["--matrix", "1", "--columns", "a,b"], "--columns belongs to FILE"),
        (["--matrix", "1", "--undefined", "inf"], "--undefined must be finite or nan, got inf"),
        (["--matrix", "1", "--beta", "two"], "--beta must be a number, such as 2 or 1/2, got 'two'"),
        (["--matrix", "1", "--beta", "1/0"], "--beta must be a number, such as 2 or 1/2, got '1/0'"),
        (["--matrix", "1", "--beta", "-1"], "beta must be at least 0, got -1"),
        (["none.csv"], "none.csv cannot be read"),
    ],
)
def test_bad_input_is_one_line(classify, arguments, says):
    code, out, err = classify(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_beta_weighs_sensitivity(classify):
    code, out, _ = classify("--matrix", MATRIX, "--beta", "1/2", "--json")
    assert code == 0
    found = all_metrics([[5, 1, 0], [2, 3, 1], [0, 1, 7]], beta=Fraction(1, 2), exact=True)
    assert [Fraction(x["exact"]) for x in json.loads(out)["f"]["classes"]] == list(found.f.classes)
    assert found.f != all_metrics([[5, 1, 0], [2, 3, 1], [0, 1, 7]], exact=True).f


def test_a_single_class(classify):
    code, out, _ = classify("--matrix", "5")
    assert code == 0
    assert out.startswith("5 objects, 1 class (rows: truth).")
    first_words = [line.split()[0] for line in out.splitlines() if line.strip()]
    assert "weighted" in first_words
    assert "pairs" not in first_words


def test_help_shows_examples(classify):
    code, out, _ = classify("-h")
    assert code == 0
    assert "confmat classify labels.csv --columns truth,prediction" in out
