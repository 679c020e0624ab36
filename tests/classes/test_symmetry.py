"""Symmetries as sets of generators, and the sides of a class, by themselves."""

import dataclasses
from itertools import permutations, product

import numpy as np
import pytest
from brute import partitions
from brute_classes import nested

from confmat.classes import FixedRows, Tables
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


@pytest.mark.parametrize("symmetry", [frozenset(x) for x in USED.values()], ids=list(USED))
@pytest.mark.parametrize("table", TABLES, ids=lambda x: str(x.shape))
def test_generators_generate_the_group(table, symmetry):
    whole = group(table, symmetry)
    every = Tables(int(table.sum()), *table.shape)
    assert {nested(every.representative(np.array(image), symmetry)) for image in whole} == {max(whole)}


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
    with pytest.raises(ValueError, match=r"symmetry must be a set of rows, .*, got \['diagonal', 'lines'\]"):
        generators({"lines", "rows", "diagonal"})


def of_rows(matrices, symmetry="none"):
    """The row sums that are visited, with their weights."""
    return [(margins.rows, margins.weight) for margins in matrices.margins(symmetry)]


@pytest.mark.parametrize("allow_empty", [False, True])
@pytest.mark.parametrize("lines", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [1, 2, 5, 7])
def test_a_free_side(n, lines, allow_empty):
    least = 0 if allow_empty else 1
    matrices = Tables(n, lines, 1, allow_empty=allow_empty)
    every = [x for x in product(range(n + 1), repeat=lines) if sum(x) == n and min(x) >= least]
    assert sorted(of_rows(matrices)) == [(sums, 1) for sums in every]
    assert dict(of_rows(matrices, "permutations")) == {
        x: len(set(permutations(x))) for x in partitions(n, lines, minimum=least)
    }
    columns = np.array([*product(range(n + 2), repeat=lines)])[..., None]
    assert [tuple(x.ravel().tolist()) for x in columns[matrices.contains_each(columns)]] == every


@pytest.mark.parametrize("sums", [(2, 1), (2, 2), (3,), (0, 2, 0)])
def test_a_fixed_side(sums):
    matrices = FixedRows(sums, 1)
    assert of_rows(matrices) == [(sums, 1)]
    columns = np.array([*product(range(4), repeat=len(sums))])[..., None]
    assert [tuple(x.ravel().tolist()) for x in columns[matrices.contains_each(columns)]] == [sums]
    with pytest.raises(dataclasses.FrozenInstanceError):
        matrices.s = 3
