"""The one oracle of laws and extremes: the index function at every matrix of a class, kept for the next test."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import permutations, product

import numpy as np
from late import optimize

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.errors import UndefinedIndexError
from confmat.statistics import STATISTICS

WEIGHTS = ("tables", "labelings")

# One of each kind.
SMALL = [
    Tables(6, 2, 3),
    Tables(5, 3, 3),
    Tables(4, 2, 2, allow_empty=True),
    Tables(1, 1, 1),
    FixedRows((3, 2), 2),
    FixedMargins((3, 2, 1), (2, 2, 2)),
]


def labelings(table):
    """Pairs of labelings with this contingency matrix, n!/prod x!."""
    cells = np.ravel(table).tolist()
    return math.factorial(sum(cells)) // math.prod(map(math.factorial, cells))


def pairs_within(numbers):
    """Pairs of points that lie in one of several places."""
    return sum(x * (x - 1) // 2 for x in np.ravel(numbers).tolist())


def matched_points(tables):
    """The most points that a matching of rows and columns covers, of every table (N x r x s), by trying all."""
    tables = np.asarray(tables)
    if tables.shape[1] > tables.shape[2]:
        tables = tables.transpose(0, 2, 1)
    _, r, s = tables.shape
    if math.perm(s, r) > 5040:
        return np.array(
            [int(table[optimize.linear_sum_assignment(-table)].sum()) for table in tables], np.int64
        )
    best = np.zeros(len(tables), np.int64)
    for columns in permutations(range(s), r):
        best = np.maximum(best, tables[:, range(r), columns].sum(axis=1))
    return best


def pair_sums(tables):
    """n MED and the pairs of points within rows, columns and cells of every table, N x 4."""
    tables = np.asarray(tables)
    m = tables.sum(axis=(1, 2)) - matched_points(tables)
    lines = (tables.sum(axis=2), tables.sum(axis=1), tables.reshape(len(tables), -1))
    return np.column_stack([m, *((x * (x - 1) // 2).sum(axis=1) for x in lines)])


def partitions(n, parts, minimum=1):
    """Decreasing tuples of so many numbers of at least the minimum that add up to n."""
    if parts == 0:
        return [()] if n == 0 else []
    found = []
    for first in range(n, minimum - 1, -1):
        found += [
            (first, *rest)
            for rest in partitions(n - first, parts - 1, minimum)
            if not rest or rest[0] <= first
        ]
    return found


@cache
def members(matrices):
    """All of them, in the order of the class."""
    return list(matrices)


@cache
def weights(matrices, weight):
    """What each member counts, in the order of ``members``."""
    return [1 if weight == "tables" else labelings(matrix) for matrix in members(matrices)]


def value(name, matrix):
    """The index function of a named statistic, asked for its most exact answer; nan where it says that it has none."""
    statistic = STATISTICS[name]
    if statistic.symmetry == "simultaneous":
        options = {} if statistic.name in ("accuracy", "balanced_accuracy") else {"undefined": "nan"}
        found = statistic.index(matrix, exact=True, **options)
        return found if statistic.exact else float(found)
    try:
        return statistic.index(matrix, exact=True) if statistic.exact else statistic.index(matrix)
    except UndefinedIndexError:
        return math.nan


@cache
def values(name, matrices):
    """The statistic of every member, in the order of ``members``."""
    return [value(name, matrix) for matrix in members(matrices)]


def obvious_law(matrices, names, weight):
    """Values of named indices -> weight, over all matrices of a class."""
    law = Counter()
    for *found, amount in zip(*(values(name, matrices) for name in names), weights(matrices, weight)):
        law[tuple(found)] += amount
    return law


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


def images_of(table, symmetry):
    """What a symmetry of a name makes of a table: "none", "permutations", "simultaneous", "transposition"."""
    r, s = np.shape(table)
    orders = [(range(r), range(s))]
    if symmetry in ("permutations", "transposition"):
        orders = product(permutations(range(r)), permutations(range(s)))
    elif symmetry == "simultaneous" and r == s:
        orders = [(order, order) for order in permutations(range(r))]
    images = {tuple(map(tuple, table[np.ix_(*lines)].tolist())) for lines in orders}
    if symmetry == "transposition" and r == s:
        images |= {tuple(zip(*image)) for image in images}
    return images


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
    orbits = [rearrangements(matrices, table, transpose) for table in result.tables]
    assert set().union(*orbits) == tables
    assert sum(map(len, orbits)) == len(tables)  # one representative an orbit
    for table, orbit in zip(result.tables, orbits):
        assert tuple(map(tuple, table.tolist())) == max(orbit)
