"""The law of (MED, RD) by merging states, against brute force, closed forms and an independent enumeration."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations, permutations, product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from confmat.engine import merging
from confmat.engine.merging import Group, med_rd_law_by_merging, merge_groups, merging_groups, row_lists
from confmat.errors import TooLarge

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "merging.json").read_text())["laws"]


def slow(*case: int) -> object:
    """A case that compiles loops of its own: for these numbers of columns and of their sets alone."""
    return pytest.param(*case, marks=pytest.mark.slow)


@cache
def compositions(n: int, parts: int) -> np.ndarray:
    """All vectors of ``parts`` whole numbers >= 0 with sum n (stars and bars)."""
    chosen = list(combinations(range(n + parts - 1), parts - 1))
    bars = np.array(chosen, int).reshape(len(chosen), parts - 1)
    return np.diff(bars, axis=1, prepend=-1, append=n + parts - 1) - 1


def pairs(x: np.ndarray) -> np.ndarray:
    return x * (x - 1) // 2


def brute_force_law(n: int, r: int, s: int, empty: bool) -> np.ndarray:
    """Every r x s matrix (r <= s) of total n, every assignment of rows to columns."""
    matrices = compositions(n, r * s).reshape(-1, r, s)
    rows, columns = matrices.sum(2), matrices.sum(1)
    if not empty:
        proper = (rows.min(1) > 0) & (columns.min(1) > 0)
        matrices, rows, columns = matrices[proper], rows[proper], columns[proper]
    k = np.zeros(len(matrices), int)
    for chosen in permutations(range(s), r):
        np.maximum(k, sum(matrices[:, i, j] for i, j in enumerate(chosen)), out=k)
    f = pairs(rows).sum(1) + pairs(columns).sum(1) - 2 * pairs(matrices).sum((1, 2))
    law = np.zeros((n + 1, comb(n, 2) + 1), np.int64)
    np.add.at(law, (n - k, f), 1)
    return law


def count(n: int, r: int, s: int) -> int:
    """|Tables(n, r, s)| by inclusion and exclusion over the empty rows and columns."""
    return sum(
        (-1) ** (i + j) * comb(r, i) * comb(s, j) * comb(n + (r - i) * (s - j) - 1, n)
        for i, j in product(range(r), range(s))
    )


@pytest.mark.parametrize(("r", "s"), [(r, s) for r in range(1, 5) for s in range(r, 5)])
@pytest.mark.parametrize("empty", [False, True])
def test_every_small_class_against_brute_force(r: int, s: int, empty: bool) -> None:
    for n in range(9):
        law = med_rd_law_by_merging(n, r, s, empty=empty, threads=1)
        np.testing.assert_array_equal(law, brute_force_law(n, r, s, empty), err_msg=f"n = {n}")


@pytest.mark.parametrize(
    ("n", "r", "s"), [(14, 2, 3), (5, 5, 5), (3, 5, 6), (3, 6, 6), (2, 7, 7), slow(4, 3, 7)]
)
def test_other_shapes_against_brute_force(n: int, r: int, s: int) -> None:
    law = med_rd_law_by_merging(n, r, s, empty=True, threads=1)
    np.testing.assert_array_equal(law, brute_force_law(n, r, s, empty=True))


@pytest.mark.parametrize("key", ORACLE)
def test_against_an_independent_enumeration(key: str) -> None:
    n, r, s = map(int, key.split(","))
    law = med_rd_law_by_merging(n, r, s)
    m, f = law.nonzero()
    weight = law[m, f].astype(object)
    m, f = m.astype(object), f.astype(object)
    expected = ORACLE[key]
    assert law.sum() == expected["total"] == count(n, r, s)
    assert len(weight) == expected["support"]
    assert law.sum(1).tolist() == expected["by_med"]
    for name, values in [("med", m), ("rd", f), ("med_med", m * m), ("med_rd", m * f), ("rd_rd", f * f)]:
        assert (weight * values).sum() == expected[name], name


@pytest.mark.parametrize(("n", "r", "s"), [(20, 3, 3), (7, 3, 6), (7, 4, 4)])
def test_law_of_rd_against_a_program_over_rows(n: int, r: int, s: int) -> None:
    """A + B - 2P needs no assignment: add row after row, keeping the column sums and the sum of C(a,2) - 2P."""
    counts = {((0,) * s, 0): 1}
    rows = [tuple(map(int, x)) for a in range(1, n + 1) for x in compositions(a, s)]
    value = {x: sum(x) * (sum(x) - 1) // 2 - sum(v * (v - 1) for v in x) for x in rows}
    for _ in range(r - 1):
        added: dict[tuple[tuple[int, ...], int], int] = {}
        for ((c, f), number), x in product(counts.items(), rows):
            if sum(c) + sum(x) < n:
                state = tuple(a + b for a, b in zip(c, x)), f + value[x]
                added[state] = added.get(state, 0) + number
        counts = added
    expected = np.zeros(comb(n, 2) + 1, np.int64)
    for (c, f), number in counts.items():
        last = compositions(n - sum(c), s)
        columns = last + np.array(c)
        proper = columns.min(1) > 0
        total = f + pairs(last.sum(1)) - 2 * pairs(last).sum(1) + pairs(columns).sum(1)
        np.add.at(expected, total[proper], number)
    np.testing.assert_array_equal(med_rd_law_by_merging(n, r, s).sum(0), expected)


@pytest.mark.parametrize("n", [2, 3, 10, 41, 60])
def test_two_by_two_counts_by_med_have_a_closed_form(n: int) -> None:
    by_med = med_rd_law_by_merging(n, 2, 2).sum(1)
    expected = [2 * (n - 1) if m == 0 else 2 * ((n - m + 1) * (m + 1) - 4) for m in range((n + 1) // 2)]
    if n % 2 == 0:
        expected.append((n // 2 + 1) ** 2 - 4)
    assert by_med[: len(expected)].tolist() == expected
    assert not by_med[len(expected) :].any()


@pytest.mark.parametrize("n", [12, 27])
def test_three_by_three_counts_by_small_med_have_a_closed_form(n: int) -> None:
    by_med = med_rd_law_by_merging(n, 3, 3).sum(1).tolist()
    assert by_med[:4] == [
        3 * (n - 1) * (n - 2),
        18 * (n - 2) * (n - 3),
        9 * (7 * n * n - 41 * n + 47),
        12 * (14 * n * n - 96 * n + 85),
    ]


@pytest.mark.parametrize(
    ("n", "r", "s"), [(30, 3, 4), (14, 4, 6), (16, 5, 5), (12, 6, 6), (10, 7, 7), slow(9, 5, 7)]
)
def test_totals(n: int, r: int, s: int) -> None:
    assert med_rd_law_by_merging(n, r, s).sum() == count(n, r, s)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "r", "s"), [(50, 3, 3), (30, 4, 4), (25, 5, 5), (20, 6, 6), (14, 7, 7), (50, 4, 4)]
)
def test_totals_of_large_classes(n: int, r: int, s: int) -> None:
    assert med_rd_law_by_merging(n, r, s).sum() == count(n, r, s)


@pytest.mark.parametrize(
    ("n", "r", "s", "largest"), [(8, 3, 4, 5), (18, 4, 4, 13), (13, 2, 3, 8), slow(9, 3, 5, 6)]
)
def test_largest_med(n: int, r: int, s: int, largest: int) -> None:
    assert med_rd_law_by_merging(n, r, s).sum(1).nonzero()[0].max() == largest


def test_transposed_matrices_have_the_same_law() -> None:
    np.testing.assert_array_equal(med_rd_law_by_merging(9, 5, 3), med_rd_law_by_merging(9, 3, 5))


def test_a_class_without_matrices_is_all_zeros() -> None:
    law = med_rd_law_by_merging(3, 2, 4)
    assert law.shape == (4, 4)
    assert not law.any()
    assert med_rd_law_by_merging(0, 2, 2).tolist() == [[0]]
    assert med_rd_law_by_merging(0, 2, 2, empty=True).tolist() == [[1]]


@pytest.mark.parametrize("empty", [False, True])
def test_shards_and_threads_give_the_same_law(empty: bool) -> None:
    lists, groups = row_lists(11, 4, 4, empty=empty), merging_groups(11, 4, 4, empty=empty)
    law = merge_groups(lists, groups)
    assert law.dtype == np.int64
    np.testing.assert_array_equal(sum(merge_groups(lists, groups[i::5]) for i in range(5)), law)
    np.testing.assert_array_equal(merge_groups(lists, reversed(groups), threads=3), law)


def test_python_integers_give_the_same_law(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = med_rd_law_by_merging(10, 3, 4)
    monkeypatch.setattr(merging, "_empty_law", lambda n, r, s: np.zeros((n + 1, comb(n, 2) + 1), object))
    law = med_rd_law_by_merging(10, 3, 4)
    assert isinstance(law[3, 20], int)
    np.testing.assert_array_equal(law, expected)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((-1, 2, 2), ValueError, "n must be at least 0, got -1"),
        ((5, 0, 2), ValueError, "r must be at least 1, got 0"),
        ((5, 2, 8), ValueError, "s must be at most 7, got 8"),
        ((5.5, 2, 2), TypeError, "n must be a whole number, got 5.5"),
        ((100, 6, 6), TooLarge, r"\(100, 6, 6\) needs lists of .* GiB, the limit is 2.0 GiB"),
        ((60, 5, 5), TooLarge, r"\(60, 5, 5\) needs lists of .* GiB, the limit is 2.0 GiB"),
        ((40, 6, 6), TooLarge, r"\(40, 6, 6\) needs lists of .* GiB, the limit is 2.0 GiB"),
        ((2000, 2, 2), TooLarge, "n = 2000"),
    ],
)
def test_bad_arguments_and_sizes_are_refused(arguments: tuple, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        med_rd_law_by_merging(*arguments)


def test_bad_number_of_threads_is_refused() -> None:
    with pytest.raises(ValueError, match="threads must be at least 1, got 0"):
        med_rd_law_by_merging(5, 2, 2, threads=0)


def test_limits_met_during_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    lists, groups = row_lists(12, 4, 4), merging_groups(12, 4, 4)
    law = np.zeros((13, 67), np.int64)
    [space] = merging._workspaces(lists, groups, 1)
    with pytest.raises(TooLarge, match=r"2\^53"):
        merging._add_group(law, lists, Group(4, (10**6, 10**6, 10**6, 10**6)), space)
    space.most_entries = 100
    with pytest.raises(TooLarge, match="profiles"):
        merging._add_group(law, lists, groups[0], space)
    assert not law.any()
    monkeypatch.setattr(merging, "MEMORY_LIMIT", 10**4)
    with pytest.raises(TooLarge, match="grid of"):
        merge_groups(lists, groups)


# the kernels one by one


def test_compositions_and_their_ranks() -> None:
    binomial = np.array([[comb(m, k) for k in range(5)] for m in range(12)])
    for columns in range(1, 5):
        out = np.empty((comb(6 + columns, columns), columns), np.int16)
        merging.fill_compositions(6, columns, out)
        expected = sorted(x for x in product(range(7), repeat=columns) if sum(x) <= 6)
        expected.sort(key=sum)
        assert [tuple(map(int, x)) for x in out] == expected
        for total in range(7):
            block = [x for x in expected if sum(x) == total]
            assert [merging.composition_rank(np.array(x), total, binomial) for x in block] == [
                *range(len(block))
            ]


@pytest.mark.parametrize("shape", [(2, 2), (2, 4), (3, 4), (4, 4), (5, 5), (3, 6)])
def test_row_lists_hold_every_half_with_its_best_matchings(shape: tuple[int, int]) -> None:
    """Of each bucket of equal column sums every matrix, with the best into each set of columns that it may get."""
    r, s = shape
    lists = row_lists(7, r, s)
    top_rows = (r - 1) // 2
    slots = s * lists.choices
    left_out = [(j, c) for j in range(s) for c in combinations([i for i in range(s) if i != j], top_rows)]
    seen = set()
    for last, choices in merging.row_choices(7, r, 1).items():
        lines = iter(sorted(lists.splits[last].tolist()))
        cuts = sorted(
            (sum(top), top, bottom) for top, bottom in (merging.split_rows(rows, s) for rows in choices)
        )
        assert len(cuts) == len(lists.splits[last])
        by_total = [(line[0], line[1], line[2]) for line in lines]
        assert [total for total, *_ in cuts] == [total for total, *_ in by_total]
        for total, first_top, first_bottom in by_total:
            for rows_of, first, is_top in ((total, first_top, True), (7 - last - total, first_bottom, False)):
                halves = {cut[1] if is_top else cut[2] for cut in cuts}
                sizes = {half: _states_by_sums(half, s) for half in halves if sum(half) == rows_of}
                if (rows_of, first, is_top) in seen:
                    continue
                seen.add((rows_of, first, is_top))
                found = [
                    _listed(lists, first + rank, slots, is_top)
                    for rank in range(comb(rows_of + s - 1, s - 1))
                ]
                assert found in [
                    [_expected(states.get(sums, []), left_out, s, is_top) for sums in _sums(rows_of, s)]
                    for states in sizes.values()
                ]


def _sums(total: int, s: int) -> list[tuple[int, ...]]:
    return [tuple(x) for x in compositions(total, s).tolist()]


def _states_by_sums(rows: tuple[int, ...], s: int) -> dict[tuple[int, ...], list[tuple]]:
    states: dict[tuple[int, ...], list[tuple]] = {}
    for matrix in product(*(_sums(row, s) for row in rows)):
        sums = tuple(sum(row[j] for row in matrix) for j in range(s))
        states.setdefault(sums, []).append(matrix)
    return states


def _listed(lists, bucket: int, slots: int, is_top: bool) -> list[tuple[int, ...]]:
    begin, end = lists.bucket[bucket], lists.bucket[bucket + 1]
    block = lists.best[slots * begin : slots * end]
    values = block.reshape(-1, slots) if is_top else block.reshape(slots, -1).T
    return sorted((int(p), *map(int, v)) for p, v in zip(lists.pairs[begin:end], values))


def _expected(matrices: list[tuple], left_out: list, s: int, is_top: bool) -> list[tuple[int, ...]]:
    found = []
    for matrix in matrices:
        best = []
        for j, chosen in left_out:
            got = chosen if is_top else [i for i in range(s) if i != j and i not in chosen]
            ways = permutations(got, len(matrix))
            best.append(max(sum(row[i] for row, i in zip(matrix, way)) for way in ways))
        found.append((sum(v * (v - 1) // 2 for row in matrix for v in row), *best))
    return sorted(found)


_LENGTHS = sorted({comb(s, k) for s in range(merging.LARGEST_SIDE) for k in range(s + 1)})


@pytest.mark.parametrize("choices", _LENGTHS)
def test_cells_are_those_of_the_best_of_all_choices(choices: int) -> None:
    columns, width, slots = 3, 21, 3 * choices
    best = np.random.default_rng(choices).integers(0, 99, 2 * slots + slots * width + merging.LANES)
    stride, cell = np.array([100, 10, 1], np.int32), np.zeros(width + merging.LANES, np.int32)
    where = map(np.uint64, (slots, 2 * slots, width, choices))
    merging.cells_of(best.astype(np.int16), *where, stride, cell)
    above, below = best[slots : 2 * slots], best[2 * slots :][: slots * width].reshape(slots, width)
    values = (above[:, None] + below).reshape(columns, choices, width).max(axis=1)
    assert cell[:width].tolist() == (stride @ values).tolist()


@pytest.mark.parametrize("sums", [(5, 5, 5, 5), (6, 6, 4, 4), (7, 4, 4, 4), (8, 6, 4, 2)])
def test_orbit_sizes(sums: tuple[int, ...]) -> None:
    """The orbit of x: its rearrangements that, with the column sums, use the same pairs; its largest one counts."""
    for x in product(range(4), repeat=4):
        orbit = {y for y in permutations(x) if sorted(zip(sums, y)) == sorted(zip(sums, x))}
        expected = len(orbit) if x == max(orbit) else 0
        assert merging.orbit_size(np.array(x), np.array(sums)) == expected


def test_convolution() -> None:
    rng = np.random.default_rng(1)
    for width in (1, 5, 30):
        histogram = rng.integers(0, 5, width).astype(np.int32)
        profile = rng.integers(0, 9, 3 * merging.BLOCK).astype(float)
        expected = np.convolve(histogram, profile)
        law = np.zeros(width + len(profile) + 2 * merging.BLOCK)
        merging.convolve(histogram, profile, np.full(width + 3 * merging.BLOCK, 7.0), law)
        np.testing.assert_array_equal(law[: len(expected)], expected)
        assert not law[len(expected) :].any()
        assert not histogram.any()
