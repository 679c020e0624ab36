"""Worst cases against brute force over every matrix of a class, and recorded values."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from brute import assert_agrees, members, pair_sums, rearrangements, value, values

from confmat.certificates import check
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.errors import UnsupportedError
from confmat.indices.extremes import max_adjusted_rand_distance, max_rand_distance, min_adjusted_rand_index
from confmat.search import maximize, minimize
from confmat.search.result import representatives
from confmat.statistics import STATISTICS, Statistic, as_condition, as_statistic

SMALL = [
    Tables(5, 2, 2),
    Tables(8, 2, 3),
    Tables(8, 3, 2),
    Tables(7, 3, 3),
    Tables(4, 3, 3),
    Tables(5, 2, 3, allow_empty=True),
    Tables(3, 3, 3, allow_empty=True),
    FixedRows([4, 2, 2], 3),
    FixedRows([2, 4], 3),
    FixedRows([3, 0, 2], 2),
    FixedMargins([4, 4, 2], [5, 3, 2]),
    FixedMargins([2, 3, 3], [3, 3, 2]),
    FixedMargins([3, 0, 3], [2, 2, 2]),
]


@pytest.mark.parametrize("matrices", SMALL, ids=repr)
@pytest.mark.parametrize("name", ["rd", "ard"])
def test_bound_and_prune_finds_every_maximizer(matrices, name):
    assert_agrees(maximize(matrices, name, method="bound-and-prune", restarts=2), matrices, name, 1)


@pytest.mark.parametrize("matrices", SMALL, ids=repr)
@pytest.mark.parametrize(
    "name", ["med", "rd", "ri", "ard", "ari", "mirkin", "jaccard", "wallace_ab", "wallace_ba"]
)
def test_exhaustive_search_finds_every_extreme(matrices, name):
    assert_agrees(maximize(matrices, name), matrices, name, 1)
    assert_agrees(minimize(matrices, name), matrices, name, -1)


@pytest.mark.parametrize("matrices", SMALL, ids=repr)
def test_smallest_similarity_is_largest_distance(matrices):
    for similarity, distance in (("ri", "rd"), ("ari", "ard")):
        smallest = minimize(matrices, similarity, method="bound-and-prune", restarts=2)
        largest = maximize(matrices, distance, method="exhaustive")
        assert smallest.value == 1 - largest.value
        assert [x.tolist() for x in smallest.tables] == [x.tolist() for x in largest.tables]


@pytest.mark.parametrize("matrices", [Tables(7, 3, 3), Tables(8, 3, 2), FixedRows([4, 2, 2], 3)], ids=repr)
def test_conditions(matrices):
    n = matrices.n
    for m in range(n + 1):
        med = ("med", Fraction(m, n))
        for name in ("rd", "ard", "jaccard"):
            assert_agrees(maximize(matrices, name, dict([med])), matrices, name, 1, med)
            assert_agrees(minimize(matrices, name, f"med={m}/{n}"), matrices, name, -1, med)
    far = ("rd", Fraction(10, math.comb(n, 2)))
    assert_agrees(maximize(matrices, "med", dict([far])), matrices, "med", 1, far)


@pytest.mark.parametrize("matrices", [Tables(8, 3, 3), Tables(9, 3, 2), FixedRows([4, 2, 3], 3)], ids=repr)
def test_extremes_given_the_med_are_those_of_conditional_laws(matrices):
    found = list(joint_distribution(matrices, "med", "rd", "ard").groupby("med"))
    assert [med for med, _ in found] == sorted(set(values("med", matrices)))
    for med, law in found:
        given = {"med": med}
        for name, bounds in (("rd", law["rd"]), ("ard", law["ard"])):
            for search, bound, witness in (
                (minimize, bounds.min(), bounds.argmin),
                (maximize, bounds.max(), bounds.argmax),
            ):
                result = search(matrices, name, given, method="exhaustive")
                assert result.value == bound
                assert {value("med", table) for table in result.tables} == {med}
                assert result.proved
                assert result.complete
                assert witness() in matrices
                assert (value("med", witness()), value(name, witness())) == (med, bound)


def test_known_worst_cases():
    expected = [
        (Tables(20, 2, 2), Fraction(95, 84), [[[12, 4], [4, 0]]]),
        (Tables(20, 3, 3), None, [[[10, 3, 2], [3, 0, 0], [2, 0, 0]]]),
        (Tables(6, 2, 2), Fraction(45, 37), [[[2, 2], [1, 1]]]),
        (Tables(9, 3, 3), Fraction(4, 3), [[[1, 1, 1]] * 3]),
    ]
    for matrices, largest, maximizers in expected:
        for method in ("exhaustive", "bound-and-prune"):
            result = maximize(matrices, "ard", method=method)
            assert largest is None or result.value == largest
            assert [x.tolist() for x in result.tables] == maximizers


@pytest.mark.parametrize("size", [(30, 2, 2), (25, 2, 4), (24, 3, 3), (19, 4, 3), (15, 4, 4), (11, 5, 5)])
@pytest.mark.parametrize("name", ["rd", "ard"])
def test_pruning_agrees_with_enumeration(size, name):
    methods = "bound-and-prune", "exhaustive"
    pruned, full = (maximize(Tables(*size), name, method=m, restarts=2) for m in methods)
    assert pruned.value == full.value
    assert [x.tolist() for x in pruned.tables] == [x.tolist() for x in full.tables]


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (3, 5), (4, 4)])
def test_largest_rand_distance_is_the_closed_form(shape):
    for n in (max(shape), sum(shape) - 2, sum(shape), 17, 40):
        result = maximize(Tables(n, *shape), "rd", method="bound-and-prune", restarts=3)
        assert result.value == max_rand_distance(n, *shape)


@pytest.mark.slow  # 14 million pairs of margins; smaller certified maxima are in tests/indices/test_largest_ard.py
def test_hooks_maximise_the_ard_of_the_sizes_beyond_enumeration():
    result = maximize(Tables(60, 5, 5), "ard", method="bound-and-prune")
    assert (result.method, result.proved, result.value) == ("bound-and-prune", True, Fraction(489405, 391192))
    assert result.examined["margin_classes"] == 5260 * 5261 // 2  # partitions of 60 into 5 parts
    hook = [[22, 5, 5, 5, 4], [5, 0, 0, 0, 0], [5, 0, 0, 0, 0], [5, 0, 0, 0, 0], [4, 0, 0, 0, 0]]
    assert [x.tolist() for x in result.tables] == [hook]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(200, 3, 3), (100, 4, 4), (40, 6, 6)])
def test_largest_ard_where_it_was_out_of_reach(size):
    result = maximize(Tables(*size), "ard")
    assert result.proved
    (table,) = result.tables
    assert not table[1:, 1:].any()
    for name, best in (("ard", result.value), ("rd", maximize(Tables(*size), "rd").value)):
        assert maximize(Tables(*size), name, method="local", rng=1).value <= best


# --- statistics of one's own ----------------------------------------------------------------------


def corner(table):
    return int(table[0, 0])


def spread_of_cells(table):
    return Fraction(int(table.max() - table.min()), 1 + int(table.min()))


def test_function_without_symmetry():
    result = maximize(Tables(6, 2, 2), corner)
    assert result.value == 5
    assert [x.tolist() for x in result.tables] == [[[5, 0], [0, 1]]]
    result = minimize(Tables(6, 2, 2), corner)  # no symmetry to go by: all of them
    assert [x.tolist() for x in result.tables] == [x.tolist() for x in Tables(6, 2, 2) if x[0, 0] == 0][::-1]


def test_function_with_declared_symmetry():
    matrices = Tables(7, 3, 3)
    for symmetry in ("transposition", "permutations", "simultaneous", "none"):
        result = minimize(matrices, Statistic("spread", spread_of_cells, symmetry=symmetry))
        assert result.value == min(map(spread_of_cells, matrices))
        best = {tuple(map(tuple, x.tolist())) for x in matrices if spread_of_cells(x) == result.value}
        found = {tuple(map(tuple, x.tolist())) for x in result.tables}
        assert found <= best
        orders = [np.array(o) for o in permutations(range(3))]
        if symmetry == "simultaneous":
            moved = {tuple(map(tuple, x[np.ix_(o, o)].tolist())) for x in result.tables for o in orders}
        elif symmetry == "none":
            moved = found
        else:
            moved = set().union(
                *(rearrangements(matrices, x, symmetry == "transposition") for x in result.tables)
            )
        assert moved == best


def test_function_given_med_and_locally():
    cell = Statistic("largest cell", lambda table: int(table.max()), symmetry="transposition")
    assert minimize(Tables(9, 3, 3), cell, "med=6/9").value == 1
    result = minimize(Tables(9, 3, 3), cell, method="local")
    assert (result.value, result.proved) == (1, False)


# --- conditions -----------------------------------------------------------------------------------

SPREAD = Statistic("spread", lambda table: int(table.max() - table.min()), symmetry="transposition")
CORNER = Statistic("corner", lambda table: int(table[0, 0]))


@cache
def seen(function, matrices):
    """What a statistic or a condition says of every member."""
    return list(map(function, members(matrices)))


@pytest.mark.parametrize("matrices", [Tables(7, 2, 3), Tables(5, 3, 3), FixedRows([3, 2, 1], 3)], ids=repr)
@pytest.mark.parametrize(
    "given",
    [
        "med<=2/7, ard>1/2",
        "1/5<med<=2/5",
        "med=2/n or rd=1/3",
        "fm>1/2 -> jaccard<1/3",
        {"med": "2/6", "wallace_ab": Fraction(1, 4)},
        {SPREAD: 3},
        {CORNER: 2, "med": Fraction(1, 3)},
        lambda table: table[0, 0] > table[-1, -1],
        "vi > 1, nmi < 1/2",
        "n > 100",
    ],
    ids=lambda given: "a function" if callable(given) else str(given),
)
@pytest.mark.parametrize("statistic", ["rd", SPREAD, "fm"], ids=str)
def test_any_condition_against_every_member(matrices, given, statistic):
    condition, of = as_condition(given), as_statistic(statistic)
    found = [x for x, met in zip(seen(of, matrices), seen(condition, matrices)) if met and x == x]
    for search, best in ((maximize, max), (minimize, min)):
        result = search(matrices, statistic, given)
        assert result.value == (best(found) if found else None)
        assert result.proved == (SPREAD not in (of, *condition.statistics))  # its symmetry is declared
        assert all(condition(table) and of(table) == result.value for table in result.tables)


def test_a_condition_may_name_the_statistic_that_is_searched():
    found = maximize(Tables(6, 2, 2), SPREAD, "spread < 3, med > 0")
    assert (found.value, str(found.given)) == (2, "spread < 3 and med > 0")


# --- comparisons ----------------------------------------------------------------------------------


COUNTED = sorted(name for name, statistic in STATISTICS.items() if statistic.counted)


@pytest.mark.parametrize("name", COUNTED)
def test_keys_are_ordered_as_the_statistic(name):
    matrices, statistic = Tables(7, 2, 3), STATISTICS[name]
    value, pairs = statistic.over(matrices), set()
    for table in matrices:
        sums = pair_sums([table])[0].tolist()
        exact, key = value(*sums), statistic.key(7, *sums)
        rough = statistic._approximate_keys(7, np.array([sums]))[0]
        if exact != exact:
            assert math.isnan(key)
            assert math.isnan(rough)
            continue
        pairs.add((exact, statistic.direction * key))
        assert abs(Fraction(rough) - key) < Fraction(1, 10**12)
    ordered = sorted(pairs)
    assert len({x for x, _ in ordered}) == len({y for _, y in ordered}) == len(ordered)
    assert [y for _, y in ordered] == sorted(y for _, y in ordered)


# --- degenerate classes and errors ----------------------------------------------------------------


def test_classes_without_members_or_with_one():
    for matrices in (Tables(1, 2, 2), Tables(0, 1, 1), Tables(2, 2, 3)):
        for name in ("ard", corner):
            result = maximize(matrices, name)
            assert (result.value, result.tables, result.proved) == (None, (), True)
        assert maximize(matrices, "ard", method="bound-and-prune").value is None
    for matrices in (Tables(1, 1, 1), Tables(0, 2, 2, allow_empty=True), FixedMargins([0], [0])):
        for method in ("exhaustive", "bound-and-prune", "local"):
            result = maximize(matrices, "ard", method=method, restarts=1)
            assert (result.value, len(result.tables)) == (0, 1)
    result = maximize(Tables(3, 3, 3), "jaccard")  # all singletons: nothing lies together, 0/0
    assert (result.value, result.tables) == (None, ())


def test_json():
    answer = maximize(Tables(20, 2, 2), "ard", "med=8/20").to_json()
    assert json.loads(json.dumps(answer)) == answer
    assert answer["value"] == {"exact": "95/84", "value": 95 / 84}
    assert (answer["tables"], answer["proved"]) == ([[[12, 4], [4, 0]]], True)
    assert "tables" in minimize(Tables(5, 2, 2), "rd").to_json()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[1, 2]], "ard"), TypeError, "matrices must be a class of matrices"),
        (
            (Tables(5, 2, 2), "adr"),
            ValueError,
            "got 'adr'; did you mean ard",
        ),
        ((Tables(5, 2, 2), 3), TypeError, "statistic must be the short name"),
        ((Tables(5, 2, 2), "ard", "med"), ValueError, "given must read like"),
        (
            (Tables(5, 2, 2), "ard", "med=1/0"),
            ValueError,
            "given .* 'med=1/0': position 6 is a division by 0",
        ),
        ((Tables(5, 2, 2), "ard", 3), TypeError, "given must be a string .* got 3"),
        ((Tables(5, 2, 3), "ard", "cor<1"), ValueError, "'accuracy' needs square matrices"),
        ((Tables(5, 2, 2), "ard", None, "magic"), ValueError, "method must be one of .*'magic'"),
        (
            (Tables(5, 2, 2), "med", None, "bound-and-prune"),
            ValueError,
            'does not apply to "maximize med over Tables',
        ),
        ((Tables(5, 2, 2), "rd", "med=1/5", "bound-and-prune"), ValueError, "given med = 1/5"),
        ((Tables(5, 2, 2), "ard", None, "streamed"), ValueError, "method must be one of .*'streamed'"),
        ((Tables(5, 2, 2), "jaccard", None, "theorem"), ValueError, "finds the largest"),
        (
            (Tables(10**30, 3, 3), "rd", "med=1/2"),
            ValueError,
            "pairs of margins, the limit is 30,000,000",
        ),
        ((Tables(5, 2, 2), lambda table: "x"), TypeError, "must return an int"),
    ],
)
def test_errors_name_the_argument(arguments, error, message):
    with pytest.raises(error, match=message):
        maximize(*arguments)


def test_bad_seed_and_restarts():
    with pytest.raises(ValueError, match="restarts must be at least 1, got 0"):
        maximize(Tables(5, 2, 2), "ard", restarts=0)
    with pytest.raises(ValueError, match="rng must be at least 0, got -1"):
        minimize(Tables(5, 2, 2), "ard", rng=-1)


@pytest.mark.parametrize(
    ("shape", "n"), [((3, 3), 100_000), ((2, 50), 100_000), ((40, 30), 10**9), ((1, 7), 10**6)]
)
def test_largest_ard_of_many_points_by_the_theorem(shape, n):
    ends = (maximize, "ard", max_adjusted_rand_distance), (minimize, "ari", min_adjusted_rand_index)
    for search, name, end in ends:
        found = search(Tables(n, *shape), name)
        assert (found.value, found.proved, found.method) == (end(n, *shape), True, "theorem")
        assert found.tables[0] in Tables(n, *shape)


@pytest.mark.parametrize("shape", [(2, 3), (2, 5), (3, 3), (3, 4)])
def test_the_theorem_and_the_certified_search_agree(shape):
    for n in range(max(shape), 26):
        by_theorem, pruned = (
            maximize(Tables(n, *shape), "ard", method=m, restarts=2) for m in ("theorem", "bound-and-prune")
        )
        assert by_theorem.value == pruned.value
        assert by_theorem.tables[0].tolist() in [x.tolist() for x in pruned.tables]


def test_no_theorem_where_none_is_proved():
    with pytest.raises(ValueError, match="if it is proved"):
        maximize(Tables(23, 12, 12), "ard", method="theorem")
    found = maximize(Tables(23, 12, 12), "ard", method="local", restarts=1)
    assert (found.proved, found.assumptions) == (False, ())


def test_all_best_hooks_are_certified_with_potentials():
    found = maximize(Tables(30, 3, 4), "ard")
    assert (found.method, found.proved, found.complete) == ("theorem", True, True)
    assert check(found.certificate()).endswith(f"matrices with it, up to symmetry: {len(found.tables)}")
    with pytest.raises(UnsupportedError, match="requires n <= 1500"):
        maximize(Tables(1501, 3, 4), "ard").certificate()


def test_tables_that_are_alike_are_not_each_brought_to_their_largest_form(monkeypatch):
    """An extreme may be attained by thousands of arrangements of one table; each took milliseconds."""
    asked, own = [], Tables.representative
    monkeypatch.setattr(Tables, "representative", lambda *given: asked.append(given) or own(*given))
    alike = [np.eye(5, dtype=int)[list(order)] for order in permutations(range(5))]
    (found,) = representatives(Tables(5, 5, 5), "permutations", alike)
    assert (found == np.eye(5)).all()
    assert len(asked) == 1
    fixed = [np.array([[1, 2], [0, 1]]), np.array([[2, 1], [1, 0]])]  # rows keep their places
    assert len(representatives(FixedMargins([3, 1], [1, 3]), "permutations", fixed)) == 1


def test_the_text_names_the_condition_if_there_is_one():
    tables = Tables(12, 3, 3)
    assert "med <= 1/6" in str(maximize(tables, "ard", "med <= 1/6")).splitlines()[0]
    first, second, *_ = str(maximize(tables, "ard")).splitlines()
    assert first == "3 x 3 tables with total 12, no empty row or column."
    assert second.startswith("Largest ard: ")


def test_a_result_cannot_be_changed():
    with pytest.raises(AttributeError):
        maximize(Tables(4, 2, 2), "ard").value = 0
