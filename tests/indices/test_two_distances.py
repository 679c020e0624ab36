"""The law of (MED, RD) against brute force, a program over rows, closed forms and an independent enumeration."""

from collections import Counter
from functools import cache
from itertools import combinations, permutations, product
from math import comb

import numpy as np
import pytest

from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.distributions.med_distribution import med_counts
from confmat.distributions.rand_distribution import rand_distance_counts
from confmat.indices.extremes import max_med


def law_of(matrices):
    """(n MED, C(n, 2) RD) -> number of tables."""
    n, pairs = matrices.n, comb(matrices.n, 2)
    law = {}
    for (med, rd), count in joint_distribution(matrices, "med", "rd"):
        law[int(med * n), int(rd * pairs)] = count
    return law


def summed_over(law, place):
    sums = Counter()
    for key, count in law.items():
        sums[key[place]] += count
    return sums


@cache
def compositions(n, parts):
    """All vectors of ``parts`` whole numbers >= 0 with sum n (stars and bars)."""
    chosen = list(combinations(range(n + parts - 1), parts - 1))
    bars = np.array(chosen, int).reshape(len(chosen), parts - 1)
    return np.diff(bars, axis=1, prepend=-1, append=n + parts - 1) - 1


def pairs_of(x):
    return x * (x - 1) // 2


def brute_force(n, r, s, allow_empty):
    """Every r x s matrix (r <= s) of total n, every assignment of rows to columns."""
    matrices = compositions(n, r * s).reshape(-1, r, s)
    rows, columns = matrices.sum(2), matrices.sum(1)
    if not allow_empty:
        proper = (rows.min(1) > 0) & (columns.min(1) > 0)
        matrices, rows, columns = matrices[proper], rows[proper], columns[proper]
    k = np.zeros(len(matrices), int)
    for chosen in permutations(range(s), r):
        np.maximum(k, sum(matrices[:, i, j] for i, j in enumerate(chosen)), out=k)
    f = pairs_of(rows).sum(1) + pairs_of(columns).sum(1) - 2 * pairs_of(matrices).sum((1, 2))
    return Counter(zip((n - k).tolist(), f.tolist()))


@pytest.mark.parametrize(("r", "s"), [(r, s) for r in range(1, 5) for s in range(r, 5)])
@pytest.mark.parametrize("allow_empty", [False, True])
def test_every_small_class_against_brute_force(r, s, allow_empty):
    largest = 7 if r * s == 16 else 8
    for n in range(1, largest + 1):
        if n >= s or allow_empty:
            assert law_of(Tables(n, r, s, allow_empty=allow_empty)) == brute_force(n, r, s, allow_empty)


@pytest.mark.parametrize(("n", "r", "s"), [(14, 2, 3), (5, 5, 5), (3, 5, 6), (3, 6, 6), (2, 7, 7), (4, 3, 7)])
def test_other_shapes_against_brute_force(n, r, s):
    assert law_of(Tables(n, r, s, allow_empty=True)) == brute_force(n, r, s, allow_empty=True)


def test_against_an_independent_enumeration(oracles):
    for shape, expected in oracles("two_distances")["laws"].items():
        matrices = Tables(*map(int, shape.split(",")))
        law = law_of(matrices)
        by_med = summed_over(law, 0)
        assert sum(law.values()) == expected["total"] == matrices.count()
        assert len(law) == expected["support"]
        assert [by_med[m] for m in range(matrices.n + 1)] == expected["by_med"]
        sums = Counter()
        for (m, f), count in law.items():
            values = {"med": m, "rd": f, "med_med": m * m, "med_rd": m * f, "rd_rd": f * f}
            for name, value in values.items():
                sums[name] += count * value
        assert sums == {name: expected[name] for name in sums}


@pytest.mark.parametrize(("n", "r", "s"), [(14, 3, 3), (7, 3, 6), (7, 4, 4)])
def test_law_of_rd_against_a_program_over_rows(n, r, s):
    """A + B - 2P needs no assignment: add row after row, keeping the column sums and the sum of C(a,2) - 2P."""
    counts = {((0,) * s, 0): 1}
    rows = [tuple(map(int, x)) for a in range(1, n + 1) for x in compositions(a, s)]
    value = {x: sum(x) * (sum(x) - 1) // 2 - sum(v * (v - 1) for v in x) for x in rows}
    for _ in range(r - 1):
        added = Counter()
        for ((c, f), number), x in product(counts.items(), rows):
            if sum(c) + sum(x) < n:
                added[tuple(a + b for a, b in zip(c, x)), f + value[x]] += number
        counts = added
    expected = Counter()
    for (c, f), number in counts.items():
        last = compositions(n - sum(c), s)
        columns = last + np.array(c)
        total = f + pairs_of(last.sum(1)) - 2 * pairs_of(last).sum(1) + pairs_of(columns).sum(1)
        for of_table in total[columns.min(1) > 0].tolist():
            expected[of_table] += number
    assert summed_over(law_of(Tables(n, r, s)), 1) == expected


@pytest.mark.parametrize("n", [2, 3, 10, 41, 60])
def test_two_by_two_counts_by_med_have_a_closed_form(n):
    expected = {m: 2 * ((n - m + 1) * (m + 1) - 4) for m in range(1, (n + 1) // 2)}
    expected[0] = 2 * (n - 1)
    if n % 2 == 0:
        expected[n // 2] = (n // 2 + 1) ** 2 - 4
    assert summed_over(law_of(Tables(n, 2, 2)), 0) == {m: count for m, count in expected.items() if count}


@pytest.mark.parametrize("n", [12, 27])
def test_three_by_three_counts_by_small_med_have_a_closed_form(n):
    by_med = summed_over(law_of(Tables(n, 3, 3)), 0)
    assert [by_med[m] for m in range(4)] == [
        3 * (n - 1) * (n - 2),
        18 * (n - 2) * (n - 3),
        9 * (7 * n * n - 41 * n + 47),
        12 * (14 * n * n - 96 * n + 85),
    ]


@pytest.mark.parametrize(("n", "r", "s"), [(30, 2, 4), (30, 3, 3), (18, 3, 4), (24, 4, 4)])
def test_both_distances_against_their_own_laws(n, r, s):
    """The generating function gives the MED, the recursion the RD: neither visits a table."""
    law = law_of(Tables(n, r, s))
    if (r, s) != (4, 4):
        by_generating_function = {m: count for m, count in enumerate(med_counts(n, r, s)) if count}
        assert summed_over(law, 0) == by_generating_function
    by_recursion = {f: count for f, count in enumerate(rand_distance_counts(n, r, s)) if count}
    assert summed_over(law, 1) == by_recursion


@pytest.mark.parametrize(
    ("n", "r", "s", "largest"), [(8, 3, 4, 5), (18, 4, 4, 13), (13, 2, 3, 8), (9, 3, 5, 6)]
)
def test_largest_med(n, r, s, largest):
    law = law_of(Tables(n, r, s))
    assert max(m for m, _ in law) == largest == n * max_med(n, r, s)


def test_transposed_matrices_have_the_same_law():
    assert law_of(Tables(9, 5, 3)) == law_of(Tables(9, 3, 5))
