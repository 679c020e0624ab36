"""The measure of wording finds each kind of violation, and the project keeps its limits."""

import tomllib
from pathlib import Path

import pytest
import wording

CONFIG = tomllib.loads(wording.CONFIG.read_text())

MODULE = '''"""Of tables."""


def counted(table):
    """What the octets are, said where it is known; a long one: {long}."""
    raise ValueError("rows are no sums; give others")


def totals(table: int) -> int:
    """Return the totals.

    Parameters
    ----------
    table : int
    """


class Table:
    pass
'''


@pytest.fixture
def found(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(MODULE.format(long=" ".join(["word"] * 26)))
    measured = wording.Wording(CONFIG)
    measured.read_module(path, {"totals", "Table"})
    return measured


def test_each_kind_of_violation_is_found(found):
    kinds = {(place.rule, place.line) for place in found.places}
    assert kinds == {
        ("first word", 1),
        ("first word", 4),
        ("long sentence", 4),
        ("term in docstring", 4),
        ("term in message", 6),
        ("semicolon in message", 6),
        ("no section Returns", 9),
        ("no section Examples", 9),
        ("no docstring", 18),
    }


def test_rates_are_per_1000_words_of_prose(found):
    assert found.words["semicolon"] == found.words["what"] == found.words["where"] == 1
    assert found.numbers()["what per 1000 words"] == round(1000 / found.words["all"], 2)


def test_examples_and_literals_are_not_prose():
    text = "Return it.\n\n>>> octets\n1\n\nSee ``law`` and `law`."
    assert "octets" not in wording.without(text, wording.NOT_PROSE)
    assert "law" not in wording.without(text, wording.NOT_PROSE)


def test_names_of_tests_are_read(tmp_path):
    path = tmp_path / "test_module.py"
    path.write_text("def test_what_is_drawn():\n    pass\n\n\ndef test_whatsoever():\n    pass\n")
    measured = wording.Wording(CONFIG)
    measured.read_tests(path)
    assert [place.line for place in measured.places] == [1]


def test_public_names_are_those_of_stubs_and_lists():
    names = set().union(*wording.public_names(Path(wording.ROOT, "confmat")).values())
    assert {"ari", "maximize", "JointDistribution", "check_metric", "sample", "parse"} <= names
    assert not [name for name in names if name.startswith("_")]


def test_no_number_rises():
    numbers = wording.measured(CONFIG).numbers()
    limits = CONFIG["limits"]
    for name, number in numbers.items():
        if name in CONFIG["at_least"]:
            assert number >= limits[name], name
        else:
            assert number <= limits.get(name, 0), f"{name}: python tests/wording.py --list"
