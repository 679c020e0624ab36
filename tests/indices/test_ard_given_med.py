"""The largest ARD at a given MED: against all pairs of clusterings, and against the search over shapes."""

from __future__ import annotations

import runpy
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import chain, combinations, pairwise, permutations, product
from math import comb, sqrt
from pathlib import Path
from random import Random

import pytest

from confmat._integers.compositions import set_partitions
from confmat.classes import Tables
from confmat.indices.extremes import ard_bound, max_ard_given_med, min_adjusted_rand_index
from confmat.search import maximize, minimize
from proofs import ard, ard_given_few, ard_given_many, ard_given_med, margins


def by_definition(n):
    """The largest ARD at each n MED, from pairs of objects and relabelings; the first clustering up to order."""
    pairs = list(combinations(range(n), 2))
    largest = {}
    clusterings = list(set_partitions(n))
    firsts = {tuple(sorted(Counter(labels).values())): labels for labels in clusterings}
    for x in firsts.values():
        together_x = [x[i] == x[j] for i, j in pairs]
        for y in clusterings:
            together_y = [y[i] == y[j] for i, j in pairs]
            A, B, M = sum(together_x), sum(together_y), len(pairs)
            P = sum(map(min, together_x, together_y))
            if D := A * (M - B) + B * (M - A):
                m = n - matched(x, y)
                value = Fraction(M * (A + B - 2 * P), D)
                largest[m] = max(largest.get(m, value), value)
    return largest


def matched(x, y):
    """Objects on which the labels agree, after the best injective relabeling."""
    count = Counter(zip(x, y))
    rows, cols = sorted(set(x)), sorted(set(y))
    if len(rows) > len(cols):
        rows, cols = cols, rows
        count = Counter({(j, i): number for (i, j), number in count.items()})
    return max(sum(count[pair] for pair in zip(rows, some)) for some in permutations(cols, len(rows)))


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_every_pair_of_clusterings(n):
    largest = by_definition(n)
    assert largest.keys() - {0} == set(range(1, n))
    for m in range(1, n):
        answer = max_ard_given_med(n, m)
        assert answer.exact
        assert answer.value == answer.attained == largest[m], m


@pytest.mark.slow
@pytest.mark.parametrize("n", [9, 10, 11])
def test_every_table_above_one(n):
    """What the package answers for up to 12 objects, which take a minute."""
    for table in ard_given_med.above_one(n):
        ard_given_med.check_corner_hooks(n, table, ard(table))
    largest = ard_given_med.largest(n).ard
    assert {m: largest.get(m, 1) for m in range(1, n)} == {
        m: max_ard_given_med(n, m).value for m in range(1, n)
    }


LARGER_SHAPES = [(2, 5, 20), (3, 4, 17), (3, 5, 14), (4, 4, 13), (4, 5, 11)]


@pytest.mark.parametrize(
    ("r", "s", "most"),
    [(2, 2, 12), (2, 3, 12), (3, 3, 10), (2, 4, 9)]
    + [pytest.param(*size, marks=pytest.mark.slow) for size in LARGER_SHAPES],
)
def test_shapes_have_at_most_this(r, s, most):
    for n in range(s + 1, most + 1):
        for m in range(1, n - (n - 1) // s):
            found = maximize(Tables(n, r, s), "ard", given=f"med={m}/{n}").value
            if found is not None:
                assert found <= max_ard_given_med(n, m).value


@pytest.mark.parametrize(("n", "r", "s"), [(36, 2, 2), (49, 2, 3), (25, 2, 2), (70, 2, 3)])
def test_large_tables(n, r, s):
    """The hook of ones of this shape has n MED = r + s - 2, the least with ARD > 1."""
    m = r + s - 2
    least = Tables(n, r, s)
    found = maximize(least, "ard", given=f"med={m}/{n}").value
    answer = max_ard_given_med(n, m)
    assert found == answer.attained > 1
    assert answer.exact
    assert found <= answer.value
    assert maximize(least, "ard", given=f"med<{m}/{n}").value <= 1


def tables_of(n):
    """The contingency tables of all pairs of clusterings, the first clustering up to order."""
    clusterings = list(set_partitions(n))
    firsts = {tuple(sorted(Counter(labels).values())): labels for labels in clusterings}
    for x, y in product(firsts.values(), clusterings):
        count = Counter(zip(x, y))
        yield [[count[i, j] for j in range(max(y) + 1)] for i in range(max(x) + 1)]


@pytest.mark.parametrize("n", [4, 5, 6, pytest.param(7, marks=pytest.mark.slow)])
def test_conjectures_on_every_pair_of_clusterings(n):
    """`ard-given-corner-hooks` fails below six objects only, `pairs-in-cells` for a 2 x 2 table of ones only."""
    above_the_hook, too_few_in_cells = set(), set()
    for table in tables_of(n):
        misplaced = n - ard_given_med.corner(table)
        if misplaced and ard(table) > ard(ard_given_med.hook_of_ones(n, misplaced)):
            above_the_hook.add(str(table))
        A, B, P = (sum(comb(x, 2) for x in part) for part in (*margins(table), chain(*table)))
        with localcontext(prec=50):
            a, b, m, p = (Decimal(8 * x + 1).sqrt() for x in (A, B, comb(n, 2), P))
            if a + b > m + p + Decimal("1e-40"):
                too_few_in_cells.add(str(table))
    ones = {"[[1, 1], [1, 1]]"} if n == 4 else set()
    assert too_few_in_cells == ones
    if n == 5:
        assert above_the_hook
        assert all("2" not in table for table in above_the_hook)
    else:
        assert above_the_hook == ones


def near_matchings(n, r, s, m):
    """All r x s matrices without empty rows or columns with n - m objects on one diagonal and m elsewhere."""
    elsewhere = [(i, j) for i in range(r) for j in range(s) if i != j]
    for diagonal, others in product(ard_given_med.splits(n - m, r), ard_given_med.splits(m, len(elsewhere))):
        table = [[diagonal[i] if i == j else 0 for j in range(s)] for i in range(r)]
        for (i, j), x in zip(elsewhere, others):
            table[i][j] = x
        if all(map(any, table)) and all(map(any, zip(*table))):
            yield table


@pytest.mark.parametrize("n", [10, 11, pytest.param(12, marks=pytest.mark.slow)])
def test_few_misplaced_against_all_pairs_of_clusterings(n):
    """The comparison of tables that can reach the hook of ones, where all tables were compared."""
    for m in range(2, 7):
        assert ard_given_few.compare(n, m)
        assert max_ard_given_med(n, m).value == ard(ard_given_med.hook_of_ones(n, m))


def test_a_table_better_than_the_hook_of_ones_is_found():
    """At n = 9 and n MED = 7, and at n = 8 and n MED = 5, other tables have the largest ARD."""
    for n, m in ((8, 5), (9, 7)):
        with pytest.raises(AssertionError, match="this step of the proof fails"):
            ard_given_few.compare(n, m)


@pytest.mark.slow
@pytest.mark.parametrize("m", [7, 8, 9, 10, 11, 12])
def test_more_misplaced(m):
    for n, misplaced in ard_given_few.sizes_compared(m):
        if misplaced == m:
            ard_given_few.compare(n, m)


@pytest.mark.parametrize(
    ("n", "r", "s", "m"),
    [
        (36, 2, 2, 2),
        (64, 2, 2, 4),
        (49, 2, 3, 3),
        pytest.param(64, 2, 4, 4, marks=pytest.mark.slow),
        pytest.param(64, 3, 3, 4, marks=pytest.mark.slow),
    ],
)
def test_the_largest_given_at_most_this_med(n, r, s, m):
    """Against all matrices with at most m objects off a diagonal: the value, and all matrices that have it."""
    values = {}
    for table in near_matchings(n, r, s, m):
        values.setdefault(ard(table), []).append(table)
    largest = max(values)
    found = maximize(Tables(n, r, s), "ard", given=f"med<={m}/{n}")
    assert (found.method, found.proved, found.complete) == ("theorem", True, True)
    assert found.value == largest > 1
    assert {sorted_lines(x) for x in found.tables} == {sorted_lines(x) for x in values[largest]}
    assert minimize(Tables(n, s, r), "ari", given=f"{m + 1}/{n} > med").value == 1 - largest


def near_hooks(n, rng):
    """Sparse tables: a corner, a row and a column of cells of up to three objects, and some objects elsewhere."""
    for _ in range(200):
        m = rng.randrange(2, n + 1)
        arm = rng.randrange(m // 2, m // 2 + 9) if rng.random() < 0.8 else rng.randrange(m + 1)
        off = rng.choice((0, 1, 2, 5, 40))
        cells = Counter({(0, 0): n - m})
        for i in range(m):
            size = rng.choice((1, 1, 1, 1, 2, 3))
            if i < off:
                place = (rng.randrange(1, m + 1), rng.randrange(1, m + 1))
            elif i < arm:
                place = (0, 1 + i // size)
            else:
                place = (1 + i // size, 0)
            cells[place] += 1
        yield cells


@pytest.mark.parametrize("n", [2000, 2500, 10_000])
def test_many_objects_at_their_corner(n):
    """Tables near hooks have at most the ARD of the hook of ones with their corner."""
    seen = 0
    for cells in near_hooks(n, Random(n)):
        rows, columns = Counter(), Counter()
        for (i, j), x in cells.items():
            rows[i] += x
            columns[j] += x
        corner = cells[max(rows, key=rows.get), max(columns, key=columns.get)]
        if corner > n - 2:
            continue
        counts = [sum(comb(x, 2) for x in part.values()) for part in (rows, columns, cells)]
        level = ard_given_many.ard_of(n, ard_given_many.pairs_of(n, n - corner, 0))
        assert ard_given_many.ard_of(n, counts) <= level
        seen += 1
    assert seen > 150


def test_2000_objects():
    """The hook of ones from 2000 objects on, at each number of misplaced objects."""
    for n, m in ((2000, 41), (2000, 1000), (2000, 1691), (2000, 1998), (10**9, 10**9 - 2)):
        answer = max_ard_given_med(n, m)
        assert answer.exact
        assert answer.value == answer.attained
        assert "ard-given-med-many" in answer.basis
        assert answer.value == ard_given_many.ard_of(n, ard_given_many.pairs_of(n, m, 0))
    assert not max_ard_given_med(1999, 1000).exact
    assert max_ard_given_med(2000, 1999).value == 1


@pytest.mark.parametrize("n", [1000, 1500])
def test_fewer_objects_are_not_covered(n):
    """The intervals show nothing for fewer objects, and no interval is left out."""
    with pytest.raises(AssertionError, match="this step of the proof fails"):
        ard_given_many.check_intervals(n)
    parts = ard_given_many.grid(Fraction(0), Fraction(1, 2), 7)
    assert parts[0][0] == 0
    assert parts[-1][1] == Fraction(1, 2)
    assert all(x[1] == y[0] for x, y in pairwise(parts))


def sorted_lines(table):
    """The sizes of rows and columns and all entries, in order, of the table or its transpose."""
    rows, columns = sorted(map(sum, table)), sorted(map(sum, zip(*table)))
    entries = sorted(x for row in table for x in row)
    return tuple(map(tuple, (*sorted((rows, columns)), entries)))


@pytest.mark.parametrize(("r", "s", "m"), [(3, 3, 4), (3, 4, 996), (20, 30, 500)])
def test_a_million_objects_at_once(r, s, m):
    n = 10**6
    found = maximize(Tables(n, r, s), "ard", given=f"med<={m}/{n}")
    assert (found.method, found.complete) == ("theorem", True)
    assert "theorem ard-given-med-tables" in str(found).replace("\n", " ")
    assert 1 < found.value <= max_ard_given_med(n, m).value
    exactly = maximize(Tables(n, r, s), "ard", given=f"med={m}/{n}", method="theorem")
    assert exactly.value == found.value


@pytest.mark.parametrize(
    ("n", "r", "s", "given"),
    [
        (35, 2, 2, "med<=2/35"),  # too few objects
        (100, 2, 2, "med<=1/100"),  # no hook
        (100, 2, 2, "med>=2/100"),
        (100, 2, 2, "rd<=2/100"),
        (100, 2, 2, "med<=2/100, rd>0"),
        (100, 1, 3, "med<=2/100"),
    ],
)
def test_no_theorem_on_these(n, r, s, given):
    with pytest.raises(ValueError, match="finds the largest"):
        maximize(Tables(n, r, s), "ard", given=given, method="theorem")


def test_one_point_misplaced():
    assert max_ard_given_med(2, 1).value == 1
    assert max_ard_given_med(3, 1).value == Fraction(3, 2) == 1 - min_adjusted_rand_index(3, 2, 2)
    assert max_ard_given_med(10**6, 1).value == 1 + Fraction(1, 10**6 * (10**6 - 1) // 2 - 1)


@pytest.mark.parametrize(("n", "m"), [(15, 9), (20, 10), (50, 20), (200, 100), (1000, 990), (1999, 100)])
def test_bound(n, m):
    """Beside the bound stands an attained value, and both tend to the bound for populations."""
    answer = max_ard_given_med(n, m)
    assert not answer.exact
    assert 1 < answer.attained < answer.value <= Fraction(3, 2)
    if n < 1000:
        assert ard(ard_given_med.hook_of_ones(n, m)) == answer.attained
    table_of_many = max_ard_given_med(10**4 * n, 10**4 * m)
    assert table_of_many.exact
    assert abs(ard_bound(Fraction(m, n)) - table_of_many.value) < Fraction(1, 10**4)
    assert table_of_many.value < answer.value


def test_the_mean_ard_decreases_once():
    """The counterexample of statement `mean-ard-given-med`: 2 x 3 tables of 32 objects, n MED = 20 and 21."""
    n, most = 32, 12
    values = {20: [], 21: []}
    for a, b, c in product(range(most + 1), repeat=3):
        for d, e in product(range(min(most, n - a - b - c) + 1), repeat=2):
            f = n - a - b - c - d - e
            misplaced = n - max(a + e, a + f, b + d, b + f, c + d, c + e)
            if f >= 0 and 0 < a + b + c < n and misplaced in values:
                values[misplaced].append(ard([[a, b, c], [d, e, f]]))
    assert (len(values[20]), len(values[21])) == (2040, 93)
    assert sum(values[20]) / 2040 > sum(values[21]) / 93


def test_populations():
    """The supremum of populations increases up to 2 - 2/sqrt(3) and decreases from there on, to 4/3."""
    values = [ard_bound(Fraction(i, 1000)) for i in range(1000)]
    assert values[0] == 1
    assert values[:846] == sorted(values[:846])
    assert values[845:] == sorted(values[845:], reverse=True)
    assert 0 < 6 * sqrt(3) - 9 - float(values[845]) < 1e-6
    assert Fraction(4, 3) < values[999] < Fraction(4, 3) + Fraction(1, 1000)
    with pytest.raises(ValueError, match="med must be at least 0 and less than 1, got 1"):
        ard_bound(1)
    with pytest.raises(ValueError, match="med must be at least 0"):
        ard_bound(-0.1)


@pytest.mark.parametrize("med", [Fraction(1, 10), Fraction(1, 2), Fraction(84, 100), Fraction(9, 10)])
def test_populations_come_near(med):
    """A corner, a row and a column of many equal cells have this MED, and nearly the supremum."""
    l = 1000
    cells = med / (2 * l)
    A = B = (1 - med / 2) ** 2 + l * cells**2
    P = (1 - med) ** 2 + 2 * l * cells**2
    value = (A + B - 2 * P) / (A + B - 2 * A * B)
    assert ard_bound(med) - Fraction(1, 100) < value < ard_bound(med)


def test_a_table_can_exceed_the_bound_for_populations():
    assert max_ard_given_med(11, 2).value == Fraction(11, 10) > ard_bound(Fraction(2, 11))
    assert max_ard_given_med(20, 4).attained > ard_bound(Fraction(1, 5))


def test_the_page_shows_the_values():
    page = Path(__file__).parents[2] / "notebooks" / "pages" / "negative_ari.md"
    builder = runpy.run_path(str(page.parents[1] / "build_negative_ari.py"))
    assert builder["with_table"](page.read_text(encoding="utf-8")) == page.read_text(encoding="utf-8")


def test_too_many_misplaced():
    with pytest.raises(ValueError, match="m must be at most n - 1 = 4, got 5"):
        max_ard_given_med(5, 5)
    assert max_ard_given_med(1, 0).value == 0
