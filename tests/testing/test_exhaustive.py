"""Tests of every small table under pytest, what a function is inferred to keep, and the command."""

import json
import subprocess
import sys
import unittest

import numpy as np
import pytest
from command_line import fail, succeed
from hypothesis import Phase, example, settings
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import InvalidArgument

import confmat as cm
from confmat.testing import every_classifier_matrix, every_labeling_pair, every_table


@pytest.fixture(scope="module")
def start():
    return 0


@every_table(n=2, examples=5)
def test_each_table_comes_with_fixtures(table, start):
    assert start <= cm.med(table) < 1


def test_all_orbits_came_and_then_drawn_ones():
    seen = []

    @every_table(n=2, examples=5)
    def test(table):
        seen.append(table.tolist())

    test()
    assert seen[:4] == [[[1]], [[2]], [[1, 1]], [[1], [1]]]
    assert len(seen) == 5 + 5


class TestMethods:
    @every_table(n=2, examples=5)
    def test_a_method(self, table):
        assert table.sum() > 0

    @every_labeling_pair(n=2, examples=5)
    def test_another_with_a_fixture(self, a, b, start):
        assert len(a) == len(b) > start


class TestOfUnittest(unittest.TestCase):
    @every_classifier_matrix(n=2, examples=5)
    def test_a_method(self, matrix):
        assert matrix.shape[0] == matrix.shape[1]


def test_settings_and_examples_may_stand_above_and_below():
    seen = []

    @settings(max_examples=3, database=None)
    @every_table(n=2)
    @example(table=np.array([[7, 7]]))
    def below(table):
        seen.append(table.tolist())

    @every_table(n=2)
    @settings(max_examples=4, database=None)
    def above(table):
        seen.append(table.tolist())

    @example(table=np.array([[8, 8]]))
    @every_table(n=2, examples=2)
    def alone(table):
        seen.append(table.tolist())

    for test, count in ((below, 5 + 1 + 3), (above, 5 + 4), (alone, 5 + 1 + 2)):
        seen.clear()
        test()
        assert len(seen) == count
        assert seen[0] in ([[1]], [[8, 8]])
    assert [[8, 8]] in seen
    with pytest.raises(InvalidArgument, match="already been decorated with a settings object"):
        settings(max_examples=9)(alone)


def test_a_profile_says_how_many_are_drawn():
    seen = []
    settings.register_profile("three", settings(max_examples=3, database=None, deadline=None))
    before = settings.get_current_profile_name()
    settings.load_profile("three")
    try:

        @every_table(n=1)
        def of_profile(table):
            seen.append(table)

        of_profile()
    finally:
        settings.load_profile(before)
    assert len(seen) == 1 + 3


def test_each_test_has_its_own_key_of_the_database():
    """What one test fails at is not tried again in another."""
    kept = InMemoryExampleDatabase()
    drawn = {"one": [], "two": []}

    @settings(database=kept, max_examples=50, derandomize=False)
    @every_table(n=1)
    def one(table):
        drawn["one"].append(table.tolist())
        assert table.sum() < 500

    @settings(database=kept, max_examples=50, derandomize=False, phases=[Phase.reuse])
    @every_table(n=1)
    def two(table):
        drawn["two"].append(table.tolist())

    with pytest.raises(AssertionError):
        one()
    two()
    assert drawn["two"] == []
    drawn["one"].clear()
    with pytest.raises(AssertionError):
        one()
    assert [[500]] in drawn["one"][:3]  # the listed table, then what is kept


FILE = """
import unittest
from confmat.testing import every_labeling_pair, every_table

@every_table(n=2, examples=3)
def test_it(table):
    assert table.shape != (2, 2) or table.sum() > 2

class TestIt(unittest.TestCase):
    @every_labeling_pair(n=2, examples=3)
    def test_pairs(self, first, second):
        assert first != [0, 1]

@every_table(n=1, examples=3)
def test_fine(table):
    pass
"""


def test_failures_name_the_test_and_its_arguments(tmp_path):
    (tmp_path / "test_it.py").write_text(FILE)
    options = ["-q", "-p", "no:cacheprovider", "-m", "hypothesis", "--hypothesis-show-statistics"]
    command = [sys.executable, "-m", "pytest", *options, "test_it.py"]
    said = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout
    assert "2 failed, 1 passed" in said
    assert "Failing explicit example: test_it(table=array([[1, 0], [0, 1]]))" in said
    assert "first=[0, 1]" in said
    assert "test_it.py::test_fine:" in said  # of the statistics
    failures = said.split("___ test_it ___")[1].split("AssertionError\n")[0].splitlines()[1:]
    assert len([line for line in failures if line.strip("_")]) <= 12
    assert not any("hypothesis/core.py" in line for line in failures)


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


# --- the command ---


def test_the_command_reports_broken_claims(confmat):
    code, out, _ = confmat("check-metric", "wallace_ab", "--identity", 1, "--n", 3, "--examples", 5)
    assert code == 1
    assert any(line.split()[:2] == ["identity", "broken"] for line in out.splitlines())
    kept = succeed(confmat("check-metric", "rd", "--metric", "--n", 3, "--examples", 5))
    assert "triangle inequality kept" in " ".join(kept.split())


def test_the_command_takes_functions_and_prints_json(confmat, tmp_path, monkeypatch):
    (tmp_path / "own_index.py").write_text("def largest(table):\n    return table.max() / table.sum()\n")
    monkeypatch.chdir(tmp_path)
    options = ("own_index:largest", "--bounds", "0,1", "--n", 3, "--examples", 5)
    answer = json.loads(succeed(confmat("check-metric", *options, "--json")))
    assert answer["kept"]
    assert answer["claims"]["bounds"]["status"] == "kept"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("nothing",),
            "statistic must be the name of a statistic, got 'nothing'. Run `confmat statistics` for the list",
        ),
        (("nowhere:f",), "nowhere:f cannot be imported: ModuleNotFoundError"),
        (("math:pi",), "math:pi must be a function"),
        (
            ("rd", "--bounds", "1"),
            "--bounds must be two numbers with a comma, such as '0,1', '0,' or ',1', got '1'",
        ),
        (("rd", "--takes", "numbers"), "takes must be one of table"),
    ],
)
def test_wrong_arguments_of_the_command(confmat, arguments, message):
    assert message in fail(confmat("check-metric", *arguments))
