"""Worst cases against brute force over every matrix of a class, recorded values, and a flow algorithm."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from itertools import permutations

import networkx as nx
import numpy as np
import pytest

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.cli.app import run
from confmat.engine.reference import tables_of_margins
from confmat.engine.transport import least_squares, least_squares_tables
from confmat.indices import partition
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.indices.pairs import PairSums
from confmat.search import envelopes, maximize, minimize
from confmat.search.problem import RATIOS, exact_ratio, rough_ratios
from confmat.statistics import NAMED, Statistic

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


SMALL = [
    Tables(5, 2, 2),
    Tables(8, 2, 3),
    Tables(8, 3, 2),
    Tables(7, 3, 3),
    Tables(4, 3, 3),
    Tables(5, 2, 3, empty=True),
    Tables(3, 3, 3, empty=True),
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
@pytest.mark.parametrize("name", [*INDICES, "jaccard", "wallace_ab", "wallace_ba"])
def test_exhaustive_search_finds_every_extreme(matrices, name):
    assert_agrees(maximize(matrices, name), matrices, name, 1)
    assert_agrees(minimize(matrices, name), matrices, name, -1)


@pytest.mark.parametrize("matrices", SMALL, ids=repr)
def test_smallest_similarity_is_largest_distance(matrices):
    for similarity, distance in (("ri", "rd"), ("ari", "ard")):
        smallest = minimize(matrices, similarity, method="bound-and-prune", restarts=2)
        largest = maximize(matrices, distance, method="exhaustive")
        assert smallest.value == 1 - largest.value
        assert [x.tolist() for x in smallest.minimizers] == [x.tolist() for x in largest.maximizers]


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
def test_streamed_extremes_and_envelopes(matrices):
    found = envelopes(matrices)
    assert [x.med for x in found] == sorted({value("med", table) for table in matrices})
    for envelope in found:
        given = {"med": envelope.med}
        for name, bounds in (("rd", envelope.rd), ("ard", envelope.ard)):
            for search, bound, witness in (
                (minimize, bounds.least, bounds.least_at),
                (maximize, bounds.most, bounds.most_at),
            ):
                result = search(matrices, name, given, method="streamed")
                assert result.value == bound == search(matrices, name, given).value
                assert value("med", result.maximizers[0]) == envelope.med
                assert result.proved
                assert not result.complete
                assert witness.matrix() in matrices
                assert (value("med", witness.matrix()), value(name, witness.matrix())) == (
                    envelope.med,
                    bound,
                )


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
            assert [x.tolist() for x in result.maximizers] == maximizers


@pytest.mark.parametrize("size", [(30, 2, 2), (25, 2, 4), (24, 3, 3), (19, 4, 3), (15, 4, 4), (11, 5, 5)])
@pytest.mark.parametrize("name", ["rd", "ard"])
def test_pruning_agrees_with_enumeration(size, name):
    pruned, full = (maximize(Tables(*size), name, method=m) for m in ("bound-and-prune", "exhaustive"))
    assert pruned.value == full.value
    assert [x.tolist() for x in pruned.maximizers] == [x.tolist() for x in full.maximizers]


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (3, 5), (4, 4)])
def test_largest_rand_distance_is_the_closed_form(shape):
    for n in (max(shape), sum(shape) - 2, sum(shape), 17, 40):
        result = maximize(Tables(n, *shape), "rd", method="bound-and-prune", restarts=3)
        assert result.value == max_rand_distance(n, *shape)


def test_hooks_maximise_the_ard_of_the_sizes_beyond_enumeration():
    result = maximize(Tables(60, 5, 5), "ard")
    assert (result.method, result.proved, result.value) == ("bound-and-prune", True, Fraction(489405, 391192))
    assert result.examined["margin_classes"] == 5260 * 5261 // 2  # partitions of 60 into 5 parts
    hook = [[22, 5, 5, 5, 4], [5, 0, 0, 0, 0], [5, 0, 0, 0, 0], [5, 0, 0, 0, 0], [4, 0, 0, 0, 0]]
    assert [x.tolist() for x in result.maximizers] == [hook]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(200, 3, 3), (100, 4, 4), (40, 6, 6)])
def test_largest_ard_where_it_was_out_of_reach(size):
    result = maximize(Tables(*size), "ard")
    assert result.proved
    (table,) = result.maximizers
    assert not table[1:, 1:].any()
    for name, best in (("ard", result.value), ("rd", maximize(Tables(*size), "rd").value)):
        assert maximize(Tables(*size), name, method="local", seed=1).value <= best


# --- the transportation problem -------------------------------------------------------------------


def flow_oracle(rows, cols):
    """Least sum of squares by NetworkX's network simplex: the k-th unit of a cell costs 2k - 1."""
    graph = nx.MultiDiGraph()
    for i, a in enumerate(rows):
        graph.add_node(("row", i), demand=-a)
    for j, b in enumerate(cols):
        graph.add_node(("col", j), demand=b)
    for i, a in enumerate(rows):
        for j, b in enumerate(cols):
            for k in range(1, min(a, b) + 1):
                graph.add_edge(("row", i), ("col", j), capacity=1, weight=2 * k - 1)
    return nx.network_simplex(graph)[0]


def random_margins(rng, n, parts):
    return tuple(np.diff([0, *sorted(rng.integers(0, n + 1, parts - 1).tolist()), n]).tolist())


def test_least_squares_is_the_minimum_cost_flow():
    rng = np.random.default_rng(5)
    for _ in range(60):
        n, r, s = rng.integers([1, 1, 1], [40, 6, 6]).tolist()
        rows, cols = random_margins(rng, n, r), random_margins(rng, n, s)
        least = least_squares(rows, cols)
        assert least == flow_oracle(rows, cols)
        for table in least_squares_tables(rows, cols):
            assert (table * table).sum() == least
            assert (tuple(table.sum(axis=1).tolist()), tuple(table.sum(axis=0).tolist())) == (rows, cols)


def test_every_optimal_table_is_listed():
    rng = np.random.default_rng(6)
    for _ in range(80):
        n, r, s = rng.integers([1, 1, 1], [14, 4, 5]).tolist()
        rows, cols = random_margins(rng, n, r), random_margins(rng, n, s)
        every = [table for batch in tables_of_margins(rows, cols) for table in batch]
        least = min((table * table).sum() for table in every)
        expected = {tuple(map(tuple, t.tolist())) for t in every if (t * t).sum() == least}
        fiber = FixedMargins(rows, cols)
        listed = list(least_squares_tables(rows, cols))
        assert set().union(*(rearrangements(fiber, table, False) for table in listed)) == expected


def test_large_margins():
    rows, cols = (220_000_000, 215_000_000, 93_000_000), (108_000_001, 286_000_000, 133_999_999)
    result = maximize(FixedMargins(rows, cols), "rd")
    assert result.proved
    for table in result.maximizers:
        # Optimal exactly when no unit can be moved around a rectangle or a hexagon with profit.
        for i, k in permutations(range(3), 2):
            for j, l in permutations(range(3), 2):
                change = table[i, j] + table[k, l] - table[i, l] - table[k, j] + 2
                assert change >= 0 or min(table[i, l], table[k, j]) == 0


# --- local search ---------------------------------------------------------------------------------


def test_work_is_chosen_by_size_and_memory():
    given = "med=1/10"
    for matrices, name, condition, method in (
        (Tables(20, 3, 3), "ard", None, "exhaustive"),
        (Tables(60, 3, 3), "ard", None, "bound-and-prune"),
        (FixedMargins([300, 300, 400], [300, 300, 400]), "ard", None, "bound-and-prune"),
        (Tables(10**9, 3, 3), "rd", None, "theorem"),
        (FixedMargins([300, 300, 400], [300, 300, 400]), "ard", given, "local"),  # 77 GiB of histograms
        (Tables(2000, 2, 2), "ard", given, "local"),
    ):
        assert maximize(matrices, name, condition, restarts=1).method == method


def test_local_search_is_labelled_and_reproducible():
    results = [maximize(Tables(30, 4, 4), "ard", method="local", seed=7, restarts=5) for _ in range(2)]
    assert results[0].value == results[1].value
    assert not results[0].proved
    assert not results[0].complete
    assert results[0].value <= maximize(Tables(30, 4, 4), "ard").value
    assert maximize(Tables(20, 3, 3), "ard", method="local").value == maximize(Tables(20, 3, 3), "ard").value


def test_local_search_reaches_conditions_and_ends_that_nothing_passes():
    result = maximize(Tables(60, 4, 4), "ard", "med=12/60")
    assert (result.method, result.proved) == ("local", False)
    assert value("med", result.maximizers[0]) == Fraction(12, 60)
    assert result.value == value("ard", result.maximizers[0])
    smallest = minimize(Tables(60, 4, 4), "rd", method="local")
    assert (smallest.value, smallest.proved, smallest.complete) == (0, True, False)
    nothing = maximize(Tables(6, 2, 2), "rd", "med=1/7", method="local", restarts=2)
    assert (nothing.value, nothing.proved) == (None, False)


@pytest.mark.parametrize("matrices", [FixedMargins([6, 5, 4], [5, 5, 5]), FixedRows([6, 5, 4], 3)], ids=repr)
def test_local_search_keeps_margins(matrices):
    result = maximize(matrices, "ard", method="local")
    assert result.value == maximize(matrices, "ard", method="exhaustive").value
    assert all(table in matrices for table in result.maximizers)


def test_theorem():
    result = maximize(Tables(10**6, 4, 5), "med")
    assert (result.method, result.proved, result.complete) == ("theorem", True, False)
    assert result.value == max_med(10**6, 4, 5)
    assert maximize(Tables(10**30, 3, 3), "nmed").value == 1


# --- statistics of one's own ----------------------------------------------------------------------


def corner(table):
    return int(table[0, 0])


def spread_of_cells(table):
    return Fraction(int(table.max() - table.min()), 1 + int(table.min()))


def test_function_without_symmetry():
    result = maximize(Tables(6, 2, 2), corner)
    assert result.value == 5
    assert [x.tolist() for x in result.maximizers] == [[[5, 0], [0, 1]]]
    result = minimize(Tables(6, 2, 2), corner)  # no symmetry to go by: all of them
    assert [x.tolist() for x in result.minimizers] == [x.tolist() for x in Tables(6, 2, 2) if x[0, 0] == 0][
        ::-1
    ]


def test_function_with_declared_symmetry():
    matrices = Tables(7, 3, 3)
    for symmetry in ("transposition", "permutations", "simultaneous", "none"):
        result = minimize(matrices, Statistic("spread", spread_of_cells, symmetry))
        assert result.value == min(map(spread_of_cells, matrices))
        best = {tuple(map(tuple, x.tolist())) for x in matrices if spread_of_cells(x) == result.value}
        found = {tuple(map(tuple, x.tolist())) for x in result.minimizers}
        assert found <= best
        orders = [np.array(o) for o in permutations(range(3))]
        if symmetry == "simultaneous":
            moved = {tuple(map(tuple, x[np.ix_(o, o)].tolist())) for x in result.minimizers for o in orders}
        elif symmetry == "none":
            moved = found
        else:
            moved = set().union(
                *(rearrangements(matrices, x, symmetry == "transposition") for x in result.minimizers)
            )
        assert moved == best


def test_function_given_med_and_locally():
    cell = Statistic("largest cell", lambda table: int(table.max()), "transposition")
    assert minimize(Tables(9, 3, 3), cell, "med=6/9").value == 1
    result = minimize(Tables(9, 3, 3), cell, method="local")
    assert (result.value, result.proved) == (1, False)


# --- command line ---------------------------------------------------------------------------------


def printed(capsys, *arguments):
    code = run(["search", *arguments])
    return code, *capsys.readouterr()


def test_command_line_json(capsys):
    code, out, err = printed(capsys, "ard", "20", "2", "2", "--given", "med=8/20", "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert answer["class"] == {"kind": "tables", "n": 20, "r": 2, "s": 2, "empty": False}
    assert answer["value"] == {"exact": "95/84", "value": 95 / 84}
    assert answer["given"] == {"med": {"exact": "2/5", "value": 0.4}}
    assert (answer["maximizers"], answer["proved"], answer["method"]) == (
        [[[12, 4], [4, 0]]],
        True,
        "exhaustive",
    )
    _, out, _ = printed(capsys, "rd", "--rows", "3,3", "--cols", "4,2", "--minimize", "--json")
    answer = json.loads(out)
    assert answer["minimizers"] == [[[3, 0], [1, 2]]]
    assert answer["value"]["exact"] == str(minimize(FixedMargins([3, 3], [4, 2]), "rd").value)


def test_command_line_text(capsys):
    code, out, _ = printed(capsys, "ard", "20", "2", "2")
    assert code == 0
    assert "Largest ard: 95/84 = 1.13095238095  (proved, exhaustive)" in out
    assert "12,4;4,0" in out
    _, out, _ = printed(capsys, "ard", "12", "3", "3", "--method", "local", "--restarts", "2", "--seed", "3")
    assert "not proved: a lower bound, local" in out
    _, out, _ = printed(capsys, "med", "30", "3", "3")
    assert "70 matrices" in out
    assert "and 50 more" in out
    assert "no such matrix" in printed(capsys, "ard", "1", "2", "2")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["adr", "5", "2", "2"], "got 'adr'"),
        (["ard", "5", "2"], "give N R S"),
        (["ard", "5", "2", "2", "--given", "med"], "given must read like"),
        (["ard", "5", "2", "2", "--method", "streamed"], "given med"),
        (["ard", "5", "2", "2", "--method", "magic"], "magic"),
    ],
)
def test_command_line_errors(capsys, arguments, message):
    code, out, err = printed(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err


# --- comparisons ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(NAMED))
def test_ratios_are_ordered_as_the_statistic(name):
    matrices = Tables(7, 2, 3)
    pairs = []
    for table in matrices:
        sums = PairSums.of(table)
        m = 7 - round(7 * (1 - partition.med(table)))
        exact = NAMED[name](matrices, m, sums)
        if exact != exact:
            with pytest.raises(ZeroDivisionError):
                exact_ratio(name, 7, m, sums.A, sums.B, sums.P)
            continue
        pairs.append((exact, exact_ratio(name, 7, m, sums.A, sums.B, sums.P)))
        rough = rough_ratios(name, 7, np.array([[m, sums.A, sums.B, sums.P]]))[0]
        assert abs(Fraction(rough) - pairs[-1][1]) < Fraction(1, 10**12)
    ordered = sorted(set(pairs))
    assert len({x for x, _ in ordered}) == len({y for _, y in ordered}) == len(ordered)
    assert [y for _, y in ordered] == sorted(y for _, y in ordered)


def test_every_named_statistic_has_a_ratio():
    assert set(RATIOS) == set(NAMED)


# --- degenerate classes and errors ----------------------------------------------------------------


def test_classes_without_members_or_with_one():
    for matrices in (Tables(1, 2, 2), Tables(0, 1, 1), Tables(2, 2, 3)):
        for name in ("ard", corner):
            result = maximize(matrices, name)
            assert (result.value, result.maximizers, result.proved) == (None, (), True)
        assert envelopes(matrices) == ()
        assert maximize(matrices, "ard", method="bound-and-prune").value is None
    for matrices in (Tables(1, 1, 1), Tables(0, 2, 2, empty=True), FixedMargins([0], [0])):
        for method in ("exhaustive", "bound-and-prune", "local"):
            result = maximize(matrices, "ard", method=method, restarts=1)
            assert (result.value, len(result.maximizers)) == (0, 1)
    result = maximize(Tables(3, 3, 3), "jaccard")  # all singletons: nothing lies together, 0/0
    assert (result.value, result.maximizers) == (None, ())


def test_json():
    answer = maximize(Tables(20, 2, 2), "ard", "med=8/20").to_json()
    assert json.loads(json.dumps(answer)) == answer
    assert answer["value"] == {"exact": "95/84", "value": 95 / 84}
    assert (answer["maximizers"], answer["proved"]) == ([[[12, 4], [4, 0]]], True)
    assert "minimizers" in minimize(Tables(5, 2, 2), "rd").to_json()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([[1, 2]], "ard"), TypeError, "matrices must be a class"),
        ((Tables(5, 2, 2), "adr"), ValueError, "statistic must be one of .*'adr'"),
        ((Tables(5, 2, 2), 3), TypeError, "statistic must be a short name"),
        ((Tables(5, 2, 2), "ard", "med"), ValueError, "given must read like"),
        ((Tables(5, 2, 2), "ard", {"fm": 1}), ValueError, "given must condition on one of .*'fm'"),
        ((Tables(5, 2, 2), "ard", {"med": 0.2}), TypeError, "exact values .*med=0.2"),
        ((Tables(5, 2, 2), "ard", "med=1/0"), ValueError, "med='1/0'"),
        ((Tables(5, 2, 2), "ard", 3), TypeError, "given must be a mapping"),
        ((Tables(5, 2, 2), "ard", None, "magic"), ValueError, "method must be one of .*'magic'"),
        ((Tables(5, 2, 2), "med", None, "bound-and-prune"), ValueError, "cannot maximize med over Tables"),
        ((Tables(5, 2, 2), "rd", "med=1/5", "bound-and-prune"), ValueError, "given med=1/5"),
        ((Tables(5, 2, 2), "ard", None, "streamed"), ValueError, "given med"),
        ((Tables(5, 2, 2), "ard", None, "theorem"), ValueError, "knows the largest"),
        ((Tables(5, 2, 2), "ard", "rd=1/5", "local"), ValueError, "no given but med"),
        (
            (Tables(200, 5, 5), "med", "rd=1/5"),
            ValueError,
            "matrices must be fewer: cannot maximize med .* given rd=1/5",
        ),
        ((Tables(10**30, 3, 3), "ard"), ValueError, "takes n < 9007199254740992"),
        ((Tables(5, 2, 2), lambda table: "x"), TypeError, "must return an int"),
    ],
)
def test_errors_name_the_argument(arguments, error, message):
    with pytest.raises(error, match=message):
        maximize(*arguments)


def test_bad_seed_and_restarts():
    with pytest.raises(ValueError, match="restarts must be at least 1, got 0"):
        maximize(Tables(5, 2, 2), "ard", restarts=0)
    with pytest.raises(ValueError, match="seed must be at least 0, got -1"):
        minimize(Tables(5, 2, 2), "ard", seed=-1)
