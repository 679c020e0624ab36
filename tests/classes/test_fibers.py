import json
import random
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from confmat._integers.compositions import tables_at_most
from confmat.classes import FixedMargins, Tables, fibers
from confmat.fixed_margins.distributions import whole_laws
from confmat.fixed_margins.sums import NOTHING, of_cells

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "class_counts.json").read_text())


def count_by_rows(rows, cols):
    """By the recursion over rows."""
    return whole_laws(of_cells(NOTHING, rows, cols), labels=False).law[0]


@pytest.mark.parametrize("entry", ORACLES["tables"], ids=lambda e: f"{e['n']}-{e['r']}-{e['s']}")
def test_recorded_counts_of_tables(entry):
    assert Tables(entry["n"], entry["r"], entry["s"]).count() == entry["count"]


@pytest.mark.parametrize("entry", ORACLES["fixed_margins"], ids=lambda e: str(e["rows"]))
def test_recorded_counts_at_fixed_margins(entry):
    assert FixedMargins(entry["rows"], entry["cols"]).count() == entry["count"]
    assert FixedMargins(entry["cols"][::-1], entry["rows"][::-1]).count() == entry["count"]


@pytest.mark.slow
@pytest.mark.parametrize("entry", ORACLES["fixed_margins_slow"], ids=lambda e: str(e["rows"]))
def test_recorded_counts_at_large_margins(entry):
    assert FixedMargins(entry["rows"], entry["cols"]).count() == entry["count"]


@pytest.mark.parametrize("a", [0, 1, 2, 7, 40, 300])
def test_semi_magic_squares_of_order_three(a):
    # MacMahon 1916; Stanley, Enumerative Combinatorics 1, 4.6.
    assert FixedMargins([a] * 3, [a] * 3).count() == comb(a + 4, 4) + comb(a + 3, 4) + comb(a + 2, 4)


def test_two_rows_beyond_64_bits():
    n = 10**25
    assert FixedMargins([n, n], [n, n]).count() == n + 1
    assert FixedMargins([n] * 2, [n // 5] * 10).count() == FixedMargins([n // 5] * 10, [n] * 2).count() > n


def rows_below(caps, total):
    """The rows with a total and entries up to the caps, in order."""
    return [x for x in product(*(range(c + 1) for c in caps)) if sum(x) == total]


def test_two_rows_against_all_first_rows():
    for caps in [(0,), (3,), (2, 0, 1), (1, 2, 3), (2, 2, 2, 1)]:
        for total in range(sum(caps) + 1):
            fiber = FixedMargins((total, sum(caps) - total), caps)
            expected = rows_below(caps, total)
            assert [tuple(table[0].tolist()) for table in fiber] == expected
            assert fiber.count() == len(expected)


def test_one_line_of_any_size_has_one_table():
    one, many = (10**30,), (10**29,) * 10
    assert FixedMargins(one, many).count() == FixedMargins(many, one).count() == 1


@pytest.mark.parametrize("n", [10**4, 10**9, 10**25])
@pytest.mark.parametrize("r", [3, 4, 6])
def test_rows_that_hold_all_columns_but_one_leave_these_free(n, r):
    assert FixedMargins((n,) * r, (2, r * n - 5, 3)).count() == comb(r + 1, 2) * comb(r + 2, 3)


def random_margins(count, seed):
    """Positive sorted margins with few states up to order."""
    rng = random.Random(seed)
    while count:
        r, s = rng.randint(1, 5), rng.randint(1, 5)
        top = rng.choice([1, 2, 5])
        cells = [[rng.randint(0, top) for _ in range(s)] for _ in range(r)]
        rows, cols = (tuple(sorted(map(sum, lines))) for lines in (cells, zip(*cells)))
        if min(rows + cols) > 0 and fibers.multisets(cols) <= 5000:
            count -= 1
            yield rows, cols


@pytest.mark.parametrize(("rows", "cols"), list(random_margins(40, seed=4)))
def test_the_two_methods_agree(rows, cols):
    by_array = fibers._count_by_halves(rows, cols)
    assert by_array == count_by_rows(rows, cols) == FixedMargins(cols[::-1], rows).count()


@pytest.mark.parametrize(
    ("rows", "caps"),
    [
        ((), (2, 1)),
        ((3,), (2, 2, 2)),
        ((3, 2), (2, 3, 1)),
        ((1, 1, 1), (3,)),
        ((2, 2, 1), (3, 2)),
        ((2, 1, 3, 1), (2, 2, 2, 1)),
    ],
)
@pytest.mark.parametrize("entries_at_a_time", [1, fibers.CACHED])
def test_column_sum_counts_against_enumeration(rows, caps, entries_at_a_time, monkeypatch):
    monkeypatch.setattr(fibers, "CACHED", entries_at_a_time)
    expected = np.zeros([c + 1 for c in caps[:-1]], dtype=int)
    choices = [rows_below((a,) * len(caps), a) for a in rows]
    for table in product(*choices):
        sums = tuple(map(sum, zip(*table))) if table else (0,) * len(caps)
        if all(v <= c for v, c in zip(sums[:-1], caps)):
            expected[sums[:-1]] += 1
    assert np.array_equal(fibers.column_sum_counts(rows, caps), expected)
    assert fibers.states(caps) == expected.size


@pytest.mark.parametrize(
    ("rows", "caps"),
    [
        ((50, 50, 50), (20, 10, 9)),  # no row binds: the columns but the last are free
        ((1, 1, 20), (5, 5, 5)),  # no column binds: the rows but the largest are free
    ],
)
def test_the_bound_of_the_entries_is_attained(rows, caps):
    counts = fibers.column_sum_counts(rows, caps)
    assert counts.max() == tables_at_most(rows, caps)
    assert counts.dtype == np.int64


def test_the_first_entry_of_64_bits():
    # 63 rows put their point into either column, the last row fills up.
    counts = fibers.column_sum_counts((1,) * 63 + (100,), (80, 80))
    assert counts.tolist() == [sum(comb(63, k) for k in range(v + 1)) for v in range(81)]
    assert counts[-1] == 2**63


def test_entries_beyond_64_bits_are_exact():
    # The arrays turn to Python ints; states up to order never leave them.
    rows, cols = (6,) * 14, (21,) * 4
    assert tables_at_most(rows, cols) > 2**63
    assert fibers.column_sum_counts(rows, cols).dtype == object
    by_array = int(fibers.column_sum_counts(rows, cols)[-1, -1, -1])
    assert by_array == fibers._count_by_halves(rows, cols) == count_by_rows(rows, cols) > 2**63


def test_sums_and_dots_are_exact():
    x = np.array([2**62 + 1, 2**61 + 3, 5] * 1000)
    y = np.array([2**62 + 7, 11, 2**40 + 1] * 1000)
    assert fibers._exact_dot(x, y) == sum(a * b for a, b in zip(x.tolist(), y.tolist()))
    assert fibers._exact_dot(x.astype(object), y) == fibers._exact_dot(x, y)
    assert fibers._exact_dot(np.array([2**64, 3], dtype=object), np.array([5, 7])) == 5 * 2**64 + 21
    long = np.full(fibers.CACHED + 3, 2**62)
    assert fibers._exact_dot(long, long) == (fibers.CACHED + 3) * 2**124
    assert fibers.exact_sums(x.reshape(3, 1000)) == [sum(row) for row in x.reshape(3, 1000).tolist()]
    assert fibers.exact_sums(np.array([[2**70, 1]], dtype=object)) == [2**70 + 1]
