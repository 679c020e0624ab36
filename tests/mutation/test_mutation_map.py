"""The mutation check names modules and tests that exist: it would say "all killed" of nothing."""

import json

import check


def test_modules_and_tests_of_the_map_exist():
    named = {*check.FOLDERS, *check.TESTS, *json.loads(check.EXPLAINED.read_text())}
    explained = [check.explained(module) for module in json.loads(check.EXPLAINED.read_text())]
    assert {kind for kinds in explained for kind in kinds.values()} == {"equivalent", "cost"}
    tests = {path for module in check.TESTS for path in check.tests_of(module)}
    assert sorted(path for path in named | tests if not (check.ROOT / path).exists()) == []
