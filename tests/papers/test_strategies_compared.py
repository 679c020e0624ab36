"""The two strategies at all confusion matrices, against a walk matrix by matrix, proofs and the record."""

import hashlib
import json
import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
from brute import labelings
from sympy.functions.combinatorial.numbers import stirling

import strategies_compared as study
from confmat.classes import Tables
from confmat.conjectures import LITERATURE, check, domain
from strategies_compared import Tally, compared, evaluation, true_classes_filled

MEASURES = ("auc", "f", "gsp", "gss")
SMALL = {2: range(2, 10), 3: range(3, 7), 4: range(4, 6)}


def all_matrices(n, k):
    """Every k x k matrix with total n and no empty row."""
    return [m for m in Tables(n, k, k, allow_empty=True) if m.sum(axis=1).all()]


def is_below(x, y):
    """False where one is nan."""
    return x == x and y == y and x < y


@pytest.mark.parametrize("undefined", ["nan", 0, 1])
@pytest.mark.parametrize(
    ("n", "k", "pairs"),
    [(2, 2, "2"), (5, 2, "2"), (4, 3, "2"), (4, 2, "3"), (4, 3, "3")],
)
def test_tallies_agree_with_a_walk_matrix_by_matrix(n, k, pairs, undefined):
    ours = compared(n, k, undefined, pairs)
    names = ours.names
    assert sorted(names) == sorted(name + way for name in MEASURES for way in ("1", pairs))
    counts = {(*pair, weight): [0, 0, 0, 0] for pair in combinations(names, 2) for weight in (0, 1)}
    for matrix in all_matrices(n, k):
        values = {name: evaluation(name, matrix, undefined) for name in names}
        for first, second in combinations(names, 2):
            x, y = values[first], values[second]
            case = 3 if x != x or y != y else 0 if x > y else 2 if x < y else 1
            counts[first, second, 0][case] += 1
            counts[first, second, 1][case] += labelings(matrix)
    for (first, second, weight), expected in counts.items():
        assert ours.tally(first, second, study.WEIGHTS[weight]) == Tally(*expected), (first, second)


@pytest.mark.parametrize("undefined", ["nan", 0])
@pytest.mark.parametrize(("n", "k"), [(6, 2), (5, 3)])
def test_doubles_and_exact_numbers_decide_alike(n, k, undefined, monkeypatch):
    fast = compared(n, k, undefined).signs
    monkeypatch.setattr(study, "ROUNDOFF", 1)
    exact = compared.__wrapped__(n, k, undefined).signs
    assert (fast == exact).all()
    assert {-1, 0, 1} <= set(exact.ravel().tolist())


def test_signs_are_antisymmetric():
    signs = compared(7, 3).signs
    defined = signs != study.UNDEFINED
    assert (defined == defined.transpose(1, 0, 2)).all()
    assert (signs == -signs.transpose(1, 0, 2))[defined].all()


@pytest.mark.parametrize(("n", "k"), [(9, 2), (8, 3), (6, 4)])
def test_every_matrix_is_counted(n, k):
    here = compared(n, k)
    assert sum(here.tally("f1", "f2", "labelings")) == math.factorial(k) * stirling(n, k) * k**n
    sizes = [rows for rows in product(range(1, n + 1), repeat=k) if sum(rows) == n]
    tables = sum(math.prod(math.comb(a + k - 1, k - 1) for a in rows) for rows in sizes)
    assert sum(here.tally("f1", "f2")) == tables


@pytest.mark.parametrize("k", [2, 3, 5, 10])
@pytest.mark.parametrize("undefined", ["nan", 0])
def test_doubles_are_within_the_bound(k, undefined):
    rng = np.random.default_rng(k)
    tables = rng.integers(0, [2, 4, 10, 1000], size=(k, k, 8, 4)).reshape(k, k, 32).transpose(2, 0, 1)
    tables = tables[tables.sum(axis=2).all(axis=1)]
    values = study.approximate(tables, math.nan if undefined == "nan" else undefined)
    bound = Fraction(study.ROUNDOFF) / 100
    defined = 0
    for table, column in zip(tables, values.T):
        for name, value in zip(study.NAMES, column):
            exact = evaluation(name, table, undefined)
            assert math.isnan(value) == (exact != exact)
            if exact == exact:
                assert -bound < exact - Fraction(value) < bound
                defined += 1
    assert defined > 100


def test_equality_is_decided_exactly_where_doubles_are_not():
    here = compared(12, 2)
    values = study.approximate(here.tables)
    first, second = (here.names.index(name) for name in ("gss1", "gss2"))
    assert (values[first] != values[second]).any()
    assert (here.sign("gss1", "gss2") == 0).all()


# What the module says is true.


@pytest.mark.parametrize("undefined", ["nan", 0])
def test_two_classes_auc_and_gss_are_equal_and_the_weights_decide_the_rest(undefined):
    here = compared(9, 2, undefined)
    assert not here.sign("auc1", "auc2").any()
    assert not here.sign("gss1", "gss2").any()
    for table, sign in zip(here.tables, here.sign("f1", "f2")):
        value = study.MEASURES_OF_WAYS["f"].of
        counts = study.ClassCounts.of(table)
        more = (counts.rows[0] - counts.rows[1]) * (value(counts.rest(0)) - value(counts.rest(1)))
        assert sign == (more > 0) - (more < 0)


@pytest.mark.parametrize(
    ("n", "k", "undefined"), [(8, 2, "nan"), (6, 3, "nan"), (9, 3, "nan"), (6, 3, 0), (8, 4, "nan")]
)
def test_equal_class_sizes(n, k, undefined):
    here = compared(n, k, undefined)
    hits = np.diagonal(here.tables, axis1=1, axis2=2)
    equal = (here.tables.sum(axis=2) == n // k).all(axis=1)
    above_chance = equal & (hits * k >= n // k).all(axis=1)
    assert above_chance.sum() > 1
    for measure in ("f", "gsp"):
        assert not (here.sign(f"{measure}1", f"{measure}2")[equal] == 1).any()
    for measure in ("auc", "gss"):
        signs = here.sign(f"{measure}1", f"{measure}2")
        assert not (signs[above_chance] == 1).any()
    if k == 3:  # below chance it can be above: the condition is needed
        assert (here.sign("auc1", "auc2")[equal] == 1).any()


@pytest.mark.parametrize(("n", "k"), [(6, 3), (9, 3), (4, 4)])
def test_equal_class_sizes_counting_all_objects_of_a_pair(n, k):
    here = compared(n, k, "nan", "3")
    equal = (here.tables.sum(axis=2) == n // k).all(axis=1)
    assert equal.sum() > 1
    assert not here.sign("auc1", "auc3")[equal].any()
    for smaller, larger in (("f1", "f3"), ("gsp1", "gsp3"), ("gss3", "gss1")):
        assert not (here.sign(smaller, larger)[equal] == 1).any()
    assert n == k or here.sign("auc1", "auc3")[~equal].any()


@pytest.mark.slow
@pytest.mark.parametrize(("k", "most"), [(3, 13), (4, 5)])
def test_gss_at_equal_class_sizes_and_sensitivities_above_chance(k, most):
    for size in range(1, most + 1):
        rows = [row for row in product(range(size + 1), repeat=k) if sum(row) == size]
        sides = [np.array([row for row in rows if row[i] * k >= size]) for i in range(k)]
        grid = np.indices([len(side) for side in sides]).reshape(k, -1)
        tables = np.stack([side[chosen] for side, chosen in zip(sides, grid)], axis=1)
        values = dict(zip(study.NAMES, study.approximate(tables)))
        wrong = np.trace(tables, axis1=1, axis2=2) < k * size
        assert (values["gss2"] - values["gss1"] > study.ROUNDOFF)[wrong].all()
        assert wrong.sum() == len(tables) - 1


@pytest.mark.parametrize("k", range(2, 9))
def test_one_error_of_one_object(k):
    matrix = np.eye(k, dtype=int)
    matrix[0, 1] = 1
    assert 1 - evaluation("auc1", matrix) == Fraction(1, 2 * k)
    assert 1 - evaluation("auc2", matrix) == Fraction(1, 2 * k * (k - 1))
    if k > 2:
        for measure in MEASURES:
            assert evaluation(f"{measure}1", matrix) < evaluation(f"{measure}2", matrix)


# Counterexamples.


@pytest.mark.parametrize("undefined", ["nan", 0])
def test_counterexamples_are_the_smallest(undefined):
    frame = study.counterexamples({2: range(2, 6), 3: range(3, 5)}, undefined)
    for (k, measure), row in frame.iterrows():
        one, two = f"{measure}1", f"{measure}2"
        below = [
            tuple(map(tuple, m.tolist()))
            for n in range(k, row["upto"] + 1)
            for m in all_matrices(n, k)
            if is_below(evaluation(one, m, undefined), evaluation(two, m, undefined))
        ]
        if not below:
            assert row[["n", "matrix"]].isna().all()
            continue
        fewest = min(sum(map(sum, m)) for m in below)
        assert row["n"] == fewest
        assert row["matrix"] == max(m for m in below if sum(map(sum, m)) == fewest)
        values = [str(evaluation(name, row["matrix"], undefined)) for name in (one, two)]
        assert row[["strategy 1", "strategy 2"]].tolist() == values


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("k", [2, 3])
def test_the_conjectures_of_the_literature_fail_first_at_the_same_size(measure, k):
    """Those speak about tables without an empty predicted class."""
    conjecture = LITERATURE[f"one-vs-rest-{measure}"]
    sizes = range(2, 8 if k == 2 else 5)
    answer = check(conjecture, domain(conjecture, [(k, k)], sizes))
    failing = {}
    for n in (n for n in sizes if n >= k):
        here = compared(n, k)
        full = here.tables.sum(axis=1).all(axis=1)
        failing[n] = here.tables[full & (here.sign(f"{measure}1", f"{measure}2") == -1)]
    smallest = min((n for n, tables in failing.items() if len(tables)), default=None)
    if smallest is None:
        assert hasattr(answer, "entries")
    else:
        assert answer.matrices.n == smallest
        images = {str(t[np.ix_(o, o)].tolist()) for t in failing[smallest] for o in _orders(k)}
        assert str(answer.counterexample.tolist()) in images


def _orders(k):
    return [order for order in product(range(k), repeat=k) if len(set(order)) == k]


def test_means_of_the_same_rates_are_the_only_ones_in_order():
    frame = study.relations({3: range(3, 9)})
    in_order = frame[frame["relation"] != ""]
    assert in_order["relation"].loc[3].to_dict() == {
        ("auc1", "gss1"): ">=",
        ("f1", "gsp1"): "<=",
        ("auc2", "gss2"): ">=",
        ("f2", "gsp2"): "<=",
    }
    assert (in_order["above"] + in_order["below"] > 0).all()


def test_nothing_is_always_largest_or_smallest():
    frame = study.extremes({3: [5, 6]})
    for column in ("largest", "smallest"):
        assert (frame[column] < frame["defined"]).all()
    diagonal = sum(m.sum() == np.trace(m) for n in (5, 6) for m in all_matrices(n, 3))
    assert (frame[["largest", "smallest"]] >= diagonal).all(axis=None)  # there all are 1


def test_by_accuracy_counts_matrices():
    frame = study.by_accuracy({3: [4, 5]}, accuracies=[0, 0.75])
    good = [m for n in (4, 5) for m in all_matrices(n, 3) if 4 * np.trace(m) >= 3 * n]
    values = [(evaluation("auc1", m, "nan"), evaluation("auc2", m, "nan")) for m in good]
    row = frame.loc[(3, "auc", 0.75)]
    assert row["below"] == sum(is_below(x, y) for x, y in values)
    assert row["above":"undefined"].sum() == len(good)
    assert row["share"] == row["below"] / sum(x == x and y == y for x, y in values)
    weighted = study.by_accuracy({3: [4, 5]}, weight="labelings", accuracies=[0.75]).loc[(3, "auc", 0.75)]
    assert weighted["below"] == sum(labelings(m) for m, (x, y) in zip(good, values) if is_below(x, y))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 4), "n must be at least k .* n = 3, k = 4"),
        ((5, 1), "k must be at least 2, got 1"),
        ((5, 2, "warn"), "undefined must be .* got 'warn'"),
        ((5, 2, 2), "undefined must be .* got 2"),
        ((5, 2, 0, "4"), "pairs must be one of 2, 3, got '4'"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        compared(*arguments)


def test_unknown_evaluation():
    with pytest.raises(ValueError, match=r"name must be one of auc1, .* got 'auc4'"):
        evaluation("auc4", [[1]])


# The record.


@pytest.mark.parametrize("undefined", ["nan", 0])
def test_small_sizes_agree_with_the_record(oracles, undefined):
    recorded = oracles("espindola_strategies")["findings"][str(undefined)]
    found = study.findings(SMALL, undefined)
    rows = {tuple(row[:4]): row for row in recorded["strategies"]}
    assert len(found["strategies"]) == 8 * sum(map(len, SMALL.values()))
    for row in found["strategies"]:
        assert row == rows[tuple(row[:4])]
    for ours, theirs in zip(found["counterexamples"], recorded["counterexamples"], strict=True):
        assert (ours[:2], ours[3:]) == (theirs[:2], theirs[3:])


@pytest.mark.slow
def test_record(oracles):
    recorded = oracles("espindola_strategies")
    findings = {str(undefined): study.findings(undefined=undefined) for undefined in ("nan", 0)}
    assert findings == recorded["findings"]
    text = json.dumps(findings, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == recorded["digest"]


@pytest.mark.parametrize(("n", "k"), [(6, 2), (5, 3), (4, 4)])
def test_true_classes_filled_is_the_class_up_to_simultaneous_relabeling(n, k):
    def orbit(matrix):
        return max(
            tuple(map(tuple, np.array(matrix)[np.ix_(o, o)].tolist()))
            for o in map(list, permutations(range(k)))
        )

    found = Counter()
    for table, copies in zip(*true_classes_filled(n, k)):
        found[orbit(table)] += int(copies)
    assert found == Counter(map(orbit, all_matrices(n, k)))


@pytest.mark.parametrize(("n", "k"), [(30, 2), (12, 3), (8, 4)])
def test_true_classes_filled_has_the_size_of_inclusion_and_exclusion(n, k):
    tables, copies = true_classes_filled(n, k)
    assert set(tables.sum(axis=(1, 2)).tolist()) == {n}
    assert tables.sum(axis=2).min() > 0
    signed = [((-1) ** e * math.comb(k, e), k - e) for e in range(k)]
    assert copies.sum() == sum(sign * math.comb(n + rows * k - 1, rows * k - 1) for sign, rows in signed)
    pairs = sum(number * labelings(table) for table, number in zip(tables, copies.tolist()))
    assert pairs == sum(sign * rows**n for sign, rows in signed) * k**n
