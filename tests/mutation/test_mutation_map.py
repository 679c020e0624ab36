"""The mutation check names modules and tests that exist: it would say "all killed" of nothing."""

import json

from check import EXPLAINED, FOLDERS, ROOT, TESTS, tests_of


def test_modules_and_tests_of_the_map_exist():
    named = {*FOLDERS, *TESTS, *json.loads(EXPLAINED.read_text())}
    tests = {path for module in TESTS for path in tests_of(module)}
    assert sorted(path for path in named | tests if not (ROOT / path).exists()) == []
