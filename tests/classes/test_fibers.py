import json
import random
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from confmat.classes import FixedMargins, Tables, fibers
from confmat.classes.compositions import bounded_compositions, bounded_compositions_count
from confmat.classes.fibers import column_sum_counts, exact_sums, fiber_count

ORACLES = json.loads((Path(__file__).parents[1] / "oracles" / "class_counts.json").read_text())


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


def test_bounded_compositions_against_product():
    for caps in [(), (0,), (3,), (2, 0, 1), (1, 2, 3), (2, 2, 2, 1)]:
        for total in range(-1, sum(caps) + 2):
            expected = [x for x in product(*(range(c + 1) for c in caps)) if sum(x) == total]
            assert list(bounded_compositions(total, caps)) == expected
            assert bounded_compositions_count(total, caps) == len(expected)
    assert bounded_compositions_count(1, (2, -1)) == 0


def random_margins(count, seed):
    """Positive sorted margins for which the memo is small."""
    rng = random.Random(seed)
    while count:
        r, s = rng.randint(1, 5), rng.randint(1, 5)
        top = rng.choice([1, 2, 5])
        cells = [[rng.randint(0, top) for _ in range(s)] for _ in range(r)]
        rows, cols = (tuple(sorted(map(sum, lines))) for lines in (cells, zip(*cells)))
        if min(rows + cols) > 0 and fibers._multisets(cols) <= 5000:
            count -= 1
            yield rows, cols


@pytest.mark.parametrize(("rows", "cols"), list(random_margins(40, seed=4)))
def test_the_two_methods_agree(rows, cols):
    by_array = fibers._count_by_halves(rows, cols)
    assert by_array == fibers._count_by_memo(rows, cols) == fiber_count(cols[::-1], rows)


@pytest.mark.parametrize(
    ("rows", "caps"),
    [((), (2, 1)), ((3,), (2, 2, 2)), ((3, 2), (2, 3, 1)), ((2, 2, 1), (3, 2)), ((2, 1, 3, 1), (2, 2, 2, 1))],
)
def test_column_sum_counts_against_enumeration(rows, caps):
    expected = np.zeros([c + 1 for c in caps[:-1]], dtype=int)
    choices = [list(bounded_compositions(a, (a,) * len(caps))) for a in rows]
    for table in product(*choices):
        sums = tuple(map(sum, zip(*table))) if table else (0,) * len(caps)
        if all(v <= c for v, c in zip(sums[:-1], caps)):
            expected[sums[:-1]] += 1
    assert (column_sum_counts(rows, caps) == expected).all()


def test_entries_beyond_64_bits_are_exact():
    # The arrays turn to Python ints; the memo never leaves them.
    rows, cols = (6,) * 14, (21,) * 4
    assert fibers._bound(rows, cols) > 2**63
    assert column_sum_counts(rows, cols).dtype == object
    by_array = int(column_sum_counts(rows, cols)[-1, -1, -1])
    assert by_array == fibers._count_by_halves(rows, cols) == fibers._count_by_memo(rows, cols) > 2**63


def test_sums_and_dots_are_exact():
    x = np.array([2**62 + 1, 2**61 + 3, 5] * 1000)
    y = np.array([2**62 + 7, 11, 2**40 + 1] * 1000)
    assert fibers._exact_dot(x, y) == sum(a * b for a, b in zip(x.tolist(), y.tolist()))
    assert fibers._exact_dot(x.astype(object), y) == fibers._exact_dot(x, y)
    assert exact_sums(x.reshape(3, 1000)) == [sum(row) for row in x.reshape(3, 1000).tolist()]
    assert exact_sums(np.array([[2**70, 1]], dtype=object)) == [2**70 + 1]
