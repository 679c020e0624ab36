"""The package gets no harder to read: what ``readability`` measures may fall, never rise."""

import ast

import pytest
from readability import (
    excesses,
    inner_names_imported,
    measures,
    says_no_thing,
    sizes_of_thoughts,
    written_down,
)

DENSE = """
def dense(rows):
    x = 0
    y = 0
    x += 1
    return [[(a + b) * (a - b) for a in row if a > 0] for row in rows if any(b < 0 for b in row)]
"""


def test_no_measure_rises():
    limits = written_down()
    values = measures()
    assert set(values) == set(limits)
    risen = {name: (value, limits[name]) for name, value in values.items() if value > limits[name]}
    assert not risen, "python tests/readability.py --gate lists functions"


@pytest.mark.parametrize(
    ("source", "sizes"),
    [
        ("x = a + b", [6]),
        ("x = f(a, b)", [6]),
        ("x = f(\n    a + 1,\n    b,\n)", [4, 4, 1]),
        ("if a:\n    b = c", [2]),
    ],
)
def test_a_thought_is_an_expression_and_an_element_on_its_line_one_of_its_own(source, sizes):
    assert sorted(sizes_of_thoughts(ast.parse(source).body[0]), reverse=True) == sizes


def test_the_gate_finds_dense_functions_only():
    assert excesses(ast.parse(DENSE).body[0])
    plain = (
        "def area(rows):\n    total = 0\n    for row in rows:\n        total += sum(row)\n    return total\n"
    )
    assert not excesses(ast.parse(plain).body[0])


@pytest.mark.parametrize("name", ["found", "left", "asked", "_most"])
def test_words_without_a_thing(name):
    assert says_no_thing(name)
    assert not says_no_thing(f"{name.strip('_')}_rows")


def test_names_that_no_door_exports_are_counted(tmp_path):
    package, tests = tmp_path / "confmat", tmp_path / "tests"
    stubbed, listed = package / "stubbed", package / "listed"
    for folder in (stubbed, listed, tests):
        folder.mkdir(parents=True)
    (package / "__init__.py").touch()
    (stubbed / "__init__.py").touch()
    (stubbed / "__init__.pyi").write_text(
        "from . import public as public\nfrom confmat.stubbed.inside import door as door\n"
    )
    (stubbed / "public.py").write_text("def named():\n    pass\n\ndef _hidden():\n    pass\n")
    (listed / "__init__.py").write_text('from confmat.listed.inside import door\n__all__ = ["door"]\n')
    (tests / "test_it.py").write_text(
        "from confmat.stubbed import door, hidden\n"
        "from confmat.stubbed.inside import door\n"
        "from confmat.stubbed.public import named, _hidden\n"
        "from confmat.listed import door, inside\n"
    )
    assert inner_names_imported(tests, package) == {
        ("confmat.stubbed", "hidden"),
        ("confmat.stubbed.inside", "door"),
        ("confmat.stubbed.public", "_hidden"),
        ("confmat.listed", "inside"),
    }
