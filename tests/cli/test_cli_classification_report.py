"""The command ``classification_report``."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from command_line import run

from confmat.indices.classification import all_metrics

MATRIX = "5,1,0;2,3,1;0,1,7"


@pytest.fixture
def classification_report(capsys):
    def call(*arguments):
        code = run(["classification-report", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_json_has_the_metrics(classification_report):
    code, out, _ = classification_report("--matrix", MATRIX, "--json")
    assert code == 0
    numbers = json.loads(out)
    found = all_metrics([[5, 1, 0], [2, 3, 1], [0, 1, 7]], exact=True)
    assert numbers["classes"] == [1, 2, 3]
    for name in ("accuracy", "balanced_accuracy", "ari"):
        assert Fraction(numbers[name]["exact"]) == getattr(found, name)
    for name in ("recall", "specificity", "precision", "f", "gsp", "gss", "auc"):
        metric = getattr(found, name)
        for number, value in zip(
            [*numbers[name]["classes"], numbers[name]["rest"], numbers[name]["pairs"]],
            [*metric.classes, metric.rest, metric.pairs],
        ):
            assert number["value"] == float(value)
            assert number["exact"] is None or Fraction(number["exact"]) == value
    assert numbers["gsp"]["rest"]["exact"] is None  # a sum of square roots


def test_text_fits_and_shows_both_strategies(classification_report):
    code, out, _ = classification_report("--matrix", MATRIX)
    assert code == 0
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "20 objects, 3 classes" in out
    assert ["accuracy", "accuracy", "0.7500"] in [line.split() for line in out.splitlines()]
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
    assert rows["1"][1:5] == ["0.7143", "0.8333", "0.7692", "6"]
    assert rows["pairs"][-1] == f"{607 / 720:.4f}"


def test_labels_on_one_side_only(classification_report, tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("id,truth,guess\n1,yes,no\n2,no,no\n3,yes,maybe\n")
    code, out, _ = classification_report(str(file), "--columns", "truth,guess")
    assert code == 0
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()}
    assert rows["maybe"][1:5] == ["0.0000", "0/0", "0.0000", "0"]
    code, out, _ = classification_report(str(file), "--columns", "truth,guess", "--json")
    numbers = json.loads(out)
    assert numbers["classes"] == ["maybe", "no", "yes"]
    assert numbers["recall"]["classes"][0] == {"exact": None, "value": None}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give either FILE or --matrix"),
        (["--matrix", "1,2"], "matrix must be square (rows: true classes, columns: predicted classes)"),
        (["--matrix", "0,0;0,0"], "matrix must count at least one object"),
        (["--matrix", "1,0;0,-1"], "matrix[1, 1] must be at least 0, got -1"),
        (["--matrix", "1", "--columns", "a,b"], "--columns belongs to FILE"),
        (["none.csv"], "none.csv cannot be read"),
    ],
)
def test_bad_input_is_one_line(classification_report, arguments, says):
    code, out, err = classification_report(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_single_class(classification_report):
    code, out, _ = classification_report("--matrix", "5")
    assert code == 0
    assert out.startswith("5 objects, 1 class (rows: truth).")
    first_words = [line.split()[0] for line in out.splitlines() if line.strip()]
    assert "weighted" in first_words
    assert "pairs" not in first_words


def test_help_shows_examples(classification_report):
    code, out, _ = classification_report("-h")
    assert code == 0
    assert "confmat classification-report labels.csv --columns truth,prediction" in out
