"""Tests of every small table under pytest, what a function is inferred to keep, and the command."""

import json
import subprocess
import sys

import numpy as np
import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.testing import every_classifier_matrix, every_labeling_pair, every_table, infer, inference

SEEN = []


@pytest.fixture
def start():
    return 0


@every_table(n=2, examples=5)
def test_each_table_is_a_case_with_fixtures(table, start):
    SEEN.append(table.tolist())
    assert start <= cm.med(table) < 1


def test_all_orbits_came_and_then_drawn_ones():
    assert SEEN[:4] == [[[1]], [[2]], [[1, 1]], [[1], [1]]]
    assert len(SEEN) == 5 + 5


def test_cases_are_named_by_what_they_are(tmp_path):
    file = tmp_path / "test_it.py"
    file.write_text(
        "from confmat.testing import every_table\n"
        "@every_table(n=2, examples=3)\ndef test_it(table):\n    assert table.shape != (2, 2) or table.sum() > 2\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rA", str(file)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert "FAILED test_it.py::test_it[[[1,0],[0,1]]]" in ran.stdout
    assert "PASSED test_it.py::test_it[[[1,1]]]" in ran.stdout
    assert (
        "PASSED test_it.py::test_it[drawn]" in ran.stdout or "FAILED test_it.py::test_it[drawn]" in ran.stdout
    )
    assert "at table = [[1, 0], [0, 1]]" in ran.stdout


def test_without_pytest_a_test_runs_all_its_cases():
    pairs, matrices = [], []

    @every_labeling_pair(n=3, examples=4)
    def of_pairs(a, b):
        pairs.append((a, b))

    @every_classifier_matrix(n=2, examples=4)
    def of_matrices(matrix):
        matrices.append(matrix)

    of_pairs()
    of_matrices()
    assert len(pairs) == 1 + 4 + 25 + 4
    assert all(len(a) == len(b) for a, b in pairs)
    assert all(x.shape[0] == x.shape[1] and (x.any(axis=0) | x.any(axis=1)).all() for x in matrices)


# --- inference ---


def test_what_is_inferred():
    found = infer(lambda t: 1 - cm.ri(t), n=3)
    kept = {"symmetric": True, "identity": 0, "metric": True, "refinement": True, "bounds": (0, 1)}
    assert found.claims == kept
    assert found.of_pairs
    assert "rd" in found.equals
    assert not infer(cm.med, n=4).of_pairs
    accuracy = infer(lambda t: np.trace(t) / t.sum() if t.shape[0] == t.shape[1] else 1 / 0, n=3)
    assert accuracy.claims["classifier"]
    assert accuracy.claims["identity"] == 1
    with pytest.raises(ValueError, match="index must have a value on some table"):
        infer(lambda t: 1 / 0, n=2)


def two_thirds(table):
    """A double, of equal clusterings of more than one object."""
    equal = np.count_nonzero(table) == table.shape[0] == table.shape[1]
    return (np.float64(2 / 3) if equal else 0.5) if table.sum() > 1 else 1 / 0


@pytest.mark.parametrize(
    ("function", "written"),
    [
        (cm.rd, "identity=0, metric=True"),
        (cm.jaccard, "undefined=(ZeroDivisionError,), symmetric=True, bounds=(0, 1), identity=1"),
        (cm.wallace_ab, "symmetric=False"),
        (two_thirds, "bounds=(Fraction(1, 2), Fraction(2, 3)), identity=Fraction(2, 3)"),
        (
            lambda t: t.max() * (1 / 0 if t.sum() < 2 else np.nan if t.size > 6 else 1),
            "(ZeroDivisionError, nan)",
        ),
    ],
    ids=["rd", "jaccard", "wallace", "fraction", "nan"],
)
def test_what_is_inferred_is_a_test_that_passes(function, written, monkeypatch):
    space = {}
    monkeypatch.setattr(cm, "own", function, raising=False)
    monkeypatch.setattr(inference, "_effort", lambda n: {"n": n, "every": n, "examples": 3})
    text = infer(function, n=3).as_test("confmat", "own")
    assert written in " ".join(text.split())
    exec(text, space)
    space["test_own_keeps_its_contract"]()


def test_no_test_is_written_of_what_is_no_index():
    found = infer(lambda t: t[0, 0] / t.sum(), n=3)
    assert found.broken == ("order",)
    assert "breaks order" in str(found)
    with pytest.raises(ValueError, match="own must keep order for a test of its contract"):
        found.as_test("confmat", "own")


# --- the command ---


def test_the_command_says_what_is_broken(confmat):
    code, out, _ = confmat("contract", "wallace_ab", "--symmetric", "--n", 3, "--examples", 5)
    assert code == 1
    assert "symmetry   broken" in out
    assert "triangle inequality   kept" in succeed(
        confmat("contract", "rd", "--metric", "--n", 3, "--examples", 5)
    )


def test_the_command_takes_functions_and_prints_json(confmat, tmp_path, monkeypatch):
    (tmp_path / "own_index.py").write_text("def largest(table):\n    return table.max() / table.sum()\n")
    monkeypatch.chdir(tmp_path)
    options = ("own_index:largest", "--bounds", "0,1", "--n", 3, "--examples", 5)
    answer = json.loads(succeed(confmat("contract", *options, "--json")))
    assert answer["kept"]
    assert answer["claims"]["bounds"]["status"] == "kept"
    file = tmp_path / "test_largest.py"
    assert "keeps symmetric=True" in succeed(
        confmat("contract", *options[:1], "--infer", "--n", 3, "--out", file)
    )
    assert "symmetric=True,\n" in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing",), "FUNCTION must be MODULE:FUNCTION or a name of confmat statistics, got 'nothing'"),
        (("nowhere:f",), "nowhere:f cannot be imported: ModuleNotFoundError"),
        (("math:pi",), "math:pi must be a function"),
        (("rd", "--bounds", "1"), "--bounds must look like 0,1 or 0, got '1'"),
        (("rd", "--undefined", "never"), "--undefined must be exceptions of Python or numbers, got 'never'"),
        (("rd", "--takes", "numbers"), "takes must be one of table"),
        (("rd", "--out", "x.py"), "--out needs --infer"),
    ],
)
def test_wrong_arguments_of_the_command(confmat, arguments, message):
    assert message in fail(confmat("contract", *arguments))
