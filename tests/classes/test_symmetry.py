"""Symmetries as sets of generators, and the sides of a class, by themselves."""

import dataclasses
from itertools import permutations, product

import numpy as np
import pytest
from brute import partitions
from brute_classes import nested

from confmat.classes import Tables
from confmat.classes.orbits import images
from confmat.integers.compositions import Side
from confmat.statistics import Statistic

PERMUTATIONS = frozenset({"rows", "columns", "simultaneous"})
ALL = PERMUTATIONS | {"transposition"}
NAMED = {"transposition": ALL, "permutations": PERMUTATIONS, "simultaneous": {"simultaneous"}, "none": set()}

TABLES = [np.arange(1, 1 + r * s).reshape(r, s) ** 2 for r, s in product(range(1, 4), repeat=2)]
# Those of statistics, and of lines of one side alone: rows, columns, transposition generate simultaneous ones as well.
USED = {"rows": {"rows"}, "columns": {"columns"}, "turned": {"transposition"}, **NAMED}


def group(table, symmetry):
    """Every image of a table under a symmetry, written out: permutations of lines, then the transpose."""
    r, s = table.shape
    rows = list(permutations(range(r))) if "rows" in symmetry else [tuple(range(r))]
    cols = list(permutations(range(s))) if "columns" in symmetry else [tuple(range(s))]
    both = list(permutations(range(r))) if "simultaneous" in symmetry and r == s else [tuple(range(r))]
    found = set()
    for p, q, o in product(rows, cols, both):
        x = table[np.ix_(p, q)]
        x = x[np.ix_(o, o)] if r == s else x
        found |= {nested(x)} | ({nested(x.T)} if "transposition" in symmetry and r == s else set())
    return found


def closure(table, symmetry):
    """What the generators make of a table when they are applied again and again."""
    found, new = set(), {nested(table)}
    while new:
        found |= new
        new = {nested(image) for x in new for _, image in images(np.array(x), symmetry)} - found
    return found


@pytest.mark.parametrize("symmetry", [frozenset(x) for x in USED.values()], ids=list(USED))
@pytest.mark.parametrize("table", TABLES, ids=lambda x: str(x.shape))
def test_generators_generate_the_group(table, symmetry):
    whole = closure(table, symmetry)
    assert whole == group(table, symmetry)
    every = Tables(int(table.sum()), *table.shape)
    assert nested(every.representative(table, symmetry)) == max(whole)


def generators(symmetry):
    return Statistic("largest", np.max, symmetry=symmetry).generators


def test_names_and_sets():
    assert all(generators(name) == symmetry for name, symmetry in NAMED.items())
    assert generators(()) == frozenset()
    assert generators({"rows", "columns"}) == PERMUTATIONS
    assert generators({"rows", "columns", "transposition"}) == ALL
    assert generators({"columns"}) == {"columns"}
    assert generators(ALL) == ALL
    with pytest.raises(ValueError, match="symmetry must be one of transposition, permutations, "):
        generators("rows")
    with pytest.raises(ValueError, match=r"symmetry must be made of rows, .*, got \['diagonal', 'lines'\]"):
        generators({"lines", "rows", "diagonal"})


@pytest.mark.parametrize("minimum", [0, 1])
@pytest.mark.parametrize("lines", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [0, 1, 2, 5, 7])
def test_a_free_side(n, lines, minimum):
    side = Side(n, lines, minimum=minimum)
    every = [x for x in product(range(n + 1), repeat=lines) if sum(x) == n and min(x) >= minimum]
    assert sorted(sums for sums, _ in side.every()) == every
    assert all(weight == 1 for _, weight in side.every())
    assert dict(side.sorted()) == {
        x: len(set(permutations(x))) for x in partitions(n, lines, minimum=minimum)
    }
    assert side.count() == len(dict(side.sorted())) <= side.bound()
    assert [x for x in product(range(n + 2), repeat=lines) if side.admits(x)] == every
    assert side.exchangeable
    assert side.labels == (0,) * lines


@pytest.mark.parametrize(
    ("sums", "alike"), [((2, 1), False), ((2, 2), True), ((3,), True), ((0, 2, 0), False)]
)
def test_a_fixed_side(sums, alike):
    side = Side(sum(sums), len(sums), sums)
    assert list(side.every()) == [(sums, 1)]
    assert list(side.sorted()) == [(tuple(sorted(sums, reverse=True)), 1)]
    assert (side.count(), side.bound(), side.exchangeable, side.labels) == (1, 1, alike, sums)
    assert [x for x in product(range(4), repeat=len(sums)) if side.admits(x)] == [sums]
    with pytest.raises(dataclasses.FrozenInstanceError):
        side.n = 3


def test_the_bound_of_one_line_is_one_and_that_of_many_lines_stays():
    assert Side(7, 1).bound() == Side(0, 4).bound() == 1
    assert Side(10**6, 300).bound() == Side(10**6, 100).bound() > Side(10**6, 99).bound()
