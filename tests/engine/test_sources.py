"""The texts behind a function: whatever of one's own it reaches, and what comes from packages by name."""

from __future__ import annotations

import linecache
import sys
from dataclasses import dataclass
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from unittest.mock import patch

import pytest
from numba import njit

from confmat.engine.sources import UNKNOWN, sources

MODULE = """
import math
import numpy as np

LIMIT = {limit}
WEIGHTS = {{"a": [1, {weight}]}}


class Scale:
    factor = 2

    def __init__(self, by):
        self.by = by

    def of(self, x):
        return self.by * x + SHIFT


SHIFT = {shift}
SCALE = Scale({by})


def helper(x, power={power}):
    return x ** power


def outer(bound):
    def predicate(table):
        inner = lambda x: helper(x) + math.floor(x) < LIMIT
        return inner(np.max(table)) and SCALE.of(bound) < WEIGHTS["a"][1]

    return predicate


test = outer({bound})
"""

VALUES = {"limit": 10, "weight": 4, "shift": 1, "by": 3, "power": 2, "bound": 5}


def made(tmp_path, **changed):
    file = tmp_path / "own.py"
    file.write_text(MODULE.format(**(VALUES | changed)))
    spec = spec_from_file_location(f"own_{len(list(tmp_path.iterdir()))}_{sorted(changed.items())}", file)
    module = module_from_spec(spec)
    with patch.object(
        sys, "dont_write_bytecode", True
    ):  # another text of one length, within a second, is not seen
        spec.loader.exec_module(module)
    linecache.clearcache()
    return module


def test_all_that_is_reached_is_shown(tmp_path):
    module = made(tmp_path)
    found = sources(module.test)
    assert next(iter(found)) == "outer.predicate"
    assert "return x ** power" in found["helper"]
    assert found["LIMIT of outer.predicate"] == "10"
    assert found["bound of outer.predicate"] == "5"
    assert found["math of outer.predicate"] == "math"
    assert found["np of outer.predicate"] == "numpy"
    assert any("self.by * x" in text for text in found.values())
    assert found == sources(made(tmp_path).test)


@pytest.mark.parametrize("name", VALUES)
def test_a_change_anywhere_is_seen(tmp_path, name):
    assert sources(made(tmp_path).test) != sources(made(tmp_path, **{name: 77}).test)


def test_compiled_partial_and_objects():
    def corner(table, most):
        return table[0, 0] < most

    @dataclass(frozen=True)
    class Below:
        most: int

        def __call__(self, table):
            return corner(table, self.most)

    assert "table[0, 0] < most" in sources(njit(corner))["test_compiled_partial_and_objects.corner"]
    two, three = (sources(partial(corner, most=most)) for most in (2, 3))
    assert two != three
    assert sources(Below(2)) != sources(Below(3))
    assert "return table[0, 0]" in " ".join(sources(Below(2)).values())
    # Those that refer to themselves, and what no text says.
    again = []
    again.append(lambda: again)
    assert sources(again[0])
    assert sources(lambda: opaque)
    assert UNKNOWN in str(sources(Below(object())))


opaque = object()


def test_lambdas_of_one_line_are_told_apart():
    first, second = (lambda x: x < 3), (lambda x, bound=4: (lambda y: y <= bound)(x))
    name = "test_lambdas_of_one_line_are_told_apart.<lambda>"
    assert sources(first) == {name: "lambda x: x < 3"}
    assert sources(second) == {
        name: "lambda x, bound=4: (lambda y: y <= bound)(x)",
        f"bound of {name}": "4",
    }


def test_without_a_source():
    space = {}
    exec("limit = 3\ndef f(x):\n    return x < limit", space)
    found = sources(space["f"])
    assert found["f"].startswith("bytecode ")
    assert found["limit of f"] == "3"
