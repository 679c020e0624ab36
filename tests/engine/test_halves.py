"""Half tables against all tables with the same row sums, listed with itertools."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial, prod

import numpy as np
import pytest

from confmat._engine.blocks import _factors
from confmat._engine.halves import list_half, number_of_states, split_rows

RUNNING = np.zeros(1, np.uint8)
PRIME = 2147483647


def compositions(total, parts):
    return [x for x in product(range(total + 1), repeat=parts) if sum(x) == total]


def matching(table, columns):
    """Weight of the best matching of rows to some columns: empty rows match what is left."""
    rows = [*table, *[(0,) * len(table[0])] * len(columns)]
    return max(sum(row[j] for row, j in zip(chosen, columns)) for chosen in permutations(rows, len(columns)))


def states_by_definition(rows, s, sets):
    """Column sums -> the states of their bucket: (best of each entry, pairs, product of 1/x! modulo the prime)."""
    buckets = defaultdict(list)
    for table in product(*(compositions(row, s) for row in rows)):
        best = tuple(matching(table, columns) for columns in sets)
        pairs = sum(comb(x, 2) for row in table for x in row)
        weight = Fraction(1, prod(factorial(x) for row in table for x in row))
        residue = pow(weight.denominator, -1, PRIME)
        buckets[tuple(map(sum, zip(*table)))].append((best, pairs, residue))
    return {sums: sorted(states) for sums, states in buckets.items()}


@pytest.mark.parametrize(
    ("rows", "s"),
    [
        ((0,), 1),
        ((3,), 3),
        ((0, 2), 2),
        ((4, 1), 3),
        ((2, 2), 4),
        ((3, 0, 2), 3),
        ((1, 2, 1), 4),
        ((1, 1, 1, 2), 4),
    ],
)
def test_states_are_those_of_the_definition(rows, s):
    """Every bucket holds exactly the half tables with its column sums, and their best matchings."""
    sets = [columns for size in range(s + 1) for columns in combinations(range(s), size)]
    masks = np.array([sum(1 << j for j in columns) for columns in sets], np.int64)
    factors = _factors("labelings", sum(rows), (PRIME,))
    half = list_half(rows, s, masks, 7, np.uint32, factors, RUNNING)
    states = number_of_states(rows, s)
    best = half.best.reshape(len(sets), -1)[:, :states]
    expected = states_by_definition(rows, s, sets)
    assert half.total == sum(rows)
    assert len(half.offsets) == len(expected) + 1
    for bucket, sums in enumerate(sorted(compositions(half.total, s))):
        found = [
            (tuple(best[:, i].tolist()), int(half.pairs[i]) // 7, int(half.weights[i, 0]))
            for i in range(half.offsets[bucket], half.offsets[bucket + 1])
        ]
        assert sorted(found) == expected[sums]


def test_more_states_than_a_block():
    """States are evaluated in blocks: the last one of many is as right as the first."""
    sets = np.array([0b0011, 0b0110, 0b1100], np.int64)
    half = list_half((9, 8), 4, sets, 1, np.uint32, None, RUNNING)
    states = number_of_states((9, 8), 4)
    assert states > 10_000
    expected = states_by_definition((9, 8), 4, [(0, 1), (1, 2), (2, 3)])
    bucket = len(half.offsets) - 3  # the last but one
    sums = sorted(expected)[bucket]
    best = half.best.reshape(3, -1)[:, half.offsets[bucket] : half.offsets[bucket + 1]]
    assert sorted(map(tuple, best.T.tolist())) == [b for b, _, _ in expected[sums]]
    assert int(half.pairs.sum()) == sum(p for found in expected.values() for _, p, _ in found)
    assert int(half.best.astype(np.int64).sum()) == sum(
        sum(b) for found in expected.values() for b, _, _ in found
    )


@pytest.mark.parametrize(
    "rows", [(), (3,), (2, 2, 1, 1), (5, 4, 3, 2, 1), (7, 1, 1, 1, 1, 0, 0), (3, 3, 3, 3, 2, 2, 2)]
)
def test_halves_have_the_fewest_states_of_all_choices(rows):
    r, s = len(rows), max(2, len(rows))
    halves = split_rows(rows, s)
    states = [
        sum(number_of_states([rows[i] for i in some], s) for some in (chosen, {*range(r)} - {*chosen}))
        for chosen in combinations(range(r), r // 2)
    ]
    assert sum(number_of_states(half, s) for half in halves) == min(states)
    assert (len(halves[0]), sorted(sum(halves, ()))) == (len(rows) // 2, sorted(rows))


@pytest.mark.parametrize("rows", [(1,) * 40, tuple(range(60, 0, -1)), (3, 2, 1) + (0,) * 60])
def test_halves_of_many_rows_are_chosen_at_once(rows):
    """Of all C(r, r // 2) choices, 10^11 and more, none would be the last."""
    assert sorted(sum(split_rows(rows, len(rows)), ())) == sorted(rows)
