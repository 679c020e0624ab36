"""Extremes over a class the obvious way: every index at every matrix."""

from __future__ import annotations

import math
from functools import cache
from itertools import permutations

import numpy as np

from confmat.indices import partition

INDICES = {
    "med": partition.med,
    "rd": partition.rand_distance,
    "ri": partition.rand_index,
    "ard": partition.adjusted_rand_distance,
    "ari": partition.adjusted_rand_index,
    "mirkin": partition.mirkin_distance,
}


@cache
def members(matrices):
    return list(matrices)


@cache
def values(name, matrices):
    """The statistic of every member, in the order of ``members``."""
    return [value(name, table) for table in members(matrices)]


def value(name, table):
    if name == "jaccard":
        return partition.jaccard(table, exact=True, undefined="nan")
    if name.startswith("wallace"):
        return partition.wallace(table, exact=True, undefined="nan", direction=name[-2:])
    return INDICES[name](table, exact=True)


def rearrangements(matrices, table, transpose):
    """All members that are ``table`` with rows and columns permuted, and transposed where that is allowed."""
    r, s = table.shape
    turned = [table, table.T] if transpose and r == s else [table]
    return {
        tuple(map(tuple, x[np.ix_(rows, cols)].tolist()))
        for x in turned
        for rows in permutations(range(r))
        for cols in permutations(range(s))
        if x[np.ix_(rows, cols)] in matrices
    }


def brute(matrices, name, sign, condition=None):
    """The extreme value and the set of all members that attain it, one matrix after another."""
    best, tables = None, set()
    conditioned = values(condition[0] if condition else name, matrices)
    for table, x, y in zip(members(matrices), values(name, matrices), conditioned):
        if condition is not None and y != condition[1]:
            continue
        if isinstance(x, float) and math.isnan(x):
            continue
        if best is None or sign * x > sign * best:
            best, tables = x, set()
        if x == best:
            tables.add(tuple(map(tuple, table.tolist())))
    return best, tables


def assert_agrees(result, matrices, name, sign, condition=None):
    best, tables = brute(matrices, name, sign, condition)
    assert result.value == best
    assert result.proved
    assert result.complete
    transpose = not name.startswith("wallace")
    orbits = [rearrangements(matrices, table, transpose) for table in result.maximizers]
    assert set().union(*orbits) == tables
    assert sum(map(len, orbits)) == len(tables)  # one representative an orbit
    for table, orbit in zip(result.maximizers, orbits):
        assert tuple(map(tuple, table.tolist())) == max(orbit)
