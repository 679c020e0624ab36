"""The mutation check names modules, tests and lines that exist: it would say "all killed" of nothing."""

import json
from itertools import pairwise
from pathlib import Path

import check

from confmat.certificates import script

EXPLAINED = json.loads(check.EXPLAINED.read_text())


def test_modules_and_tests_of_the_map_exist():
    named = {*check.FOLDERS, *check.TESTS, *EXPLAINED}
    explained = [check.explained(module) for module in EXPLAINED]
    assert {kind for kinds in explained for kind in kinds.values()} == {"equivalent", "cost"}
    tests = {path for module in check.TESTS for path in check.tests_of(module)}
    assert sorted(path for path in named | tests if not (check.ROOT / path).exists()) == []


def test_lines_explained_are_in_their_modules():
    """A line, or two that a mutation makes one."""
    gone = []
    for module in EXPLAINED:
        lines = [line.strip() for line in (check.ROOT / module).read_text().splitlines()]
        told = {*lines, *map(" ".join, pairwise(lines))}
        mutants = check.explained(module)
        gone += [(module, x) for x in mutants if x.partition("  ->  ")[0].strip() not in told]
    assert gone == []


def test_mutants_of_the_checker_are_printed(monkeypatch):
    module = "confmat/certificates/standalone.py"
    mutant = (check.ROOT / module).read_text().replace("MOST_LINES_OF_SIDE = 6", "MOST_LINES_OF_SIDE = 7")
    monkeypatch.setattr(Path, "read_text", check.reading(check.ROOT / module, mutant))
    assert "MOST_LINES_OF_SIDE = 7" in script()
