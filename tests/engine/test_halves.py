"""Half tables against all tables with the same row sums, listed with itertools."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial, prod

import numpy as np
import pytest

from confmat._engine import blocks, halves, pieces
from confmat.classes import FixedMargins

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


LARGEST = 20


@pytest.mark.parametrize("own_sets", [True, False])
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
def test_states_are_those_of_the_definition(rows, s, own_sets):
    """Each composition has the half tables with these column sums: equal ones once, with number and weight."""
    chosen = [columns for size in range(s + 1) for columns in combinations(range(s), size)]
    sets = tuple(sum(1 << j for j in columns) for columns in chosen)
    factors = blocks._factors("labelings", sum(rows), (PRIME,))
    half = halves.list_half(rows, np.full(s, LARGEST), own_sets, sets, 7, factors, RUNNING)
    others = [tuple({*range(s)} - {*columns}) for columns in chosen]
    expected = states_by_definition(rows, s, chosen if own_sets else others)
    best = half.best.reshape(len(sets), -1)
    assert half.total == sum(rows)
    assert len(half.buckets) == len(expected)
    for rank, sums in enumerate(sorted(compositions(half.total, s))):
        places = half.places[half.orders[rank]]
        assert (places[half.sets_there[half.orders[rank]]] == np.arange(len(sets))).all()
        found, weights = Counter(), Counter()
        bucket = half.buckets[rank]
        for i in range(half.offsets[bucket], half.offsets[bucket + 1]):
            state = tuple(best[places, i].tolist()), int(half.pairs[i]) // 7
            assert state not in found
            found[state] = int(half.multiplicities[i])
            weights[state] = int(half.weights[i, 0])
        assert found == Counter(state[:2] for state in expected[sums])
        for state in found:
            assert weights[state] == sum(x for *of, x in expected[sums] if tuple(of) == state) % PRIME


def test_common_multiplicities_come_first():
    half = halves.list_half((3, 3, 2), np.full(4, LARGEST), True, (1, 2, 4, 8), 1, None, RUNNING)
    common = np.bincount(half.multiplicities).argmax()
    assert len(set(half.multiplicities.tolist())) > 1
    for first, end, after in zip(half.offsets, half.ends_of_common, half.offsets[1:]):
        assert (half.multiplicities[first:end] == common).all()
        assert (half.multiplicities[end:after] != common).all()


def test_column_sums_that_no_table_has_are_not_listed():
    half = halves.list_half((4, 2), np.array([3, 2, 1]), True, (1, 2, 4), 1, None, RUNNING)
    assert half.multiplicities.sum() == FixedMargins((4, 2), (3, 2, 1)).count()


def test_tables_of_several_batches(monkeypatch):
    """Equal states are merged wherever they were listed."""
    arguments = (4, 3, 3), np.full(4, LARGEST), True, (3, 6, 12), 2, None, RUNNING
    whole = halves.list_half(*arguments)
    monkeypatch.setattr("confmat._engine.tables.TABLES_AT_ONCE", 7)
    monkeypatch.setattr("confmat._engine.halves._BLOCK", 5)
    in_batches = halves.list_half(*arguments)
    for name, array in whole._asdict().items():
        assert np.array_equal(array, getattr(in_batches, name)), name


@pytest.mark.parametrize(
    ("rows", "s", "expected"),
    [
        ((9, 9, 9, 4, 4), 5, ((4, 4), (9, 9, 9))),
        ((3, 2, 2, 1), 4, ((2, 2), (3, 1))),
        ((12, 12, 12, 1, 1, 1), 6, ((12, 1, 1), (12, 12, 1))),
        ((3, 3, 3, 3), 4, ((3, 3), (3, 3))),
    ],
)
def test_equal_rows_are_together_unless_these_have_too_many_states(rows, s, expected):
    found = halves.split_rows(rows, s)
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@pytest.mark.parametrize("rows", [(1,) * 40, tuple(range(60, 0, -1)), (3, 2, 1) + (0,) * 60])
def test_halves_of_many_rows_are_chosen_at_once(rows):
    """Of all C(r, r // 2) choices, 10^11 and more, none would be the last."""
    assert sorted(sum(halves.split_rows(rows, len(rows)), ())) == sorted(rows)


@pytest.mark.parametrize("s", range(1, 7))
def test_number_of_sets_is_that_of_the_list(s):
    for upper, lower in product(range(1, 6), repeat=2):
        if upper + lower < s:
            continue  # more columns than rows: the engine transposes
        assert halves.number_of_sets(upper, lower, s) == len(halves.competing_sets(upper, lower, s))


def test_the_work_on_thirty_columns_lists_no_sets(monkeypatch):
    monkeypatch.setattr(halves, "competing_sets", None)
    assert np.isfinite(pieces.work_of(FixedMargins([1] * 30, [1] * 30)).pairing).all()
