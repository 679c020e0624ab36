"""Laws table by table against plain loops over every matrix, and the totals of classes and weights."""

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from brute import labelings
from goodness import p_value, uniform
from late import stats
from numba import njit

import confmat as cm
from confmat import Limits
from confmat._engine import walks
from confmat._limits import Progress
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.errors import ConsistencyError, TooLargeError
from confmat.indices import classification
from confmat.indices.classification import kappa, mcc
from confmat.indices.partition import adjusted_rand_index, med
from confmat.sampling import sample
from confmat.statistics import STATISTICS, Statistic

CLASSES = [
    Tables(5, 3, 3),
    Tables(3, 3, 3, allow_empty=True),
    Tables(7, 2, 2),
    Tables(6, 2, 2, allow_empty=True),
    FixedMargins((3, 2, 1), (1, 2, 3)),
    FixedMargins((2, 4), (5, 1)),
    FixedRows((3, 1, 2), 3),
    FixedRows((4, 0), 2),
]
SCALAR = {
    "accuracy": lambda m: classification.accuracy(m, exact=True),
    "balanced_accuracy": lambda m: classification.balanced_accuracy(m, exact=True),
    "recall": lambda m: cm.recall(m, exact=True, undefined="nan"),
    "precision": lambda m: cm.precision(m, exact=True, undefined="nan"),
    "f1": lambda m: cm.f1(m, exact=True, undefined="nan"),
    "ari": lambda m: adjusted_rand_index(m, exact=True),
    "med": lambda m: med(m, exact=True),
} | {
    {"f": "f_beta"}.get(name + suffix, name + suffix): lambda m, measure=measure, strategy=strategy: measure(
        m, strategy=strategy, exact=True, undefined="nan"
    )
    for name, measure in (
        ("auc", classification.auc),
        ("f", classification.f_beta),
        ("gsp", classification.g_mean_sp),
        ("gss", classification.g_mean_ss),
    )
    for suffix, strategy in (("", "rest"), ("_pairs", "pairs"))
}
SCALAR["auc3"] = lambda m: classification.auc(m, strategy="ovo", exact=True, undefined="nan")
SCALAR |= {
    name: lambda m, function=function: function(m, exact=True, undefined="nan")
    for name, function in (("kappa", kappa), ("mcc", mcc))
}


def plain_law(matrices, names, weight):
    """The law by calling the scalar functions on every member; nan becomes None, G-means rounded doubles."""
    law = Counter()
    for matrix in matrices:
        values = (SCALAR[name](matrix) for name in names)
        key = tuple(comparable(name, x) for name, x in zip(names, values))
        law[key] += 1 if weight == "tables" else labelings(matrix)
    return law


def comparable(name, value):
    if value != value:
        return None
    return round(float(value), 12) if name == "mcc" or name.startswith("gs") else Fraction(value)


CLASSIFICATION = {name: x for name, x in STATISTICS.items() if x.symmetry == "simultaneous"}


@pytest.mark.parametrize("name", CLASSIFICATION)
def test_function_and_batch_of_a_named_metric_agree(name):
    statistic = CLASSIFICATION[name]
    slow = Statistic(name, statistic.function, symmetry="simultaneous")
    for matrices in (Tables(5, 3, 3), FixedRows((3, 2), 2)):
        one, other = (list(joint_distribution(matrices, s)) for s in (slow, statistic))
        assert [w for _, w in one] == [w for _, w in other]
        values = ([float(x) for (x,), _ in support] for support in (one, other))
        assert next(values) == pytest.approx(next(values), rel=1e-14, nan_ok=True)


def test_every_named_metric_has_a_slow_counterpart():
    assert set(CLASSIFICATION) == set(SCALAR) - {"ari", "med"}


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("weight", ["tables", "labelings"])
def test_laws_are_those_of_a_plain_loop(matrices, weight):
    for names in [("ari", "accuracy", "balanced_accuracy"), tuple(CLASSIFICATION), ("gss_pairs", "med")]:
        support = list(joint_distribution(matrices, *names, weight=weight))
        law = {tuple(map(comparable, names, values)): w for values, w in support}
        assert len(law) == len(support)
        assert law == plain_law(matrices, names, weight)
        keys = [[math.inf if x != x else x for x in values] for values, _ in support]
        assert keys == sorted(keys)  # undefined values last


@pytest.mark.parametrize(
    ("matrices", "labelings_in_all"),
    [
        (Tables(30, 2, 2, allow_empty=True), 4**30),
        (Tables(12, 3, 3, allow_empty=True), 9**12),
        (Tables(7, 4, 4, allow_empty=True), 16**7),
        (FixedRows((20, 10), 2), comb(30, 10) * 2**30),
        (FixedRows((40, 40), 2), comb(80, 40) * 2**80),
        (Tables(9, 2, 2), (2**9 - 2) ** 2),
    ],
    ids=repr,
)
def test_totals(matrices, labelings_in_all):
    for weight, total in (("tables", matrices.count()), ("labelings", labelings_in_all)):
        law = joint_distribution(matrices, "ari", "cor", "gsp", weight=weight)
        assert sum(w for _, w in list(law)) == law.total == total


@njit
def spread(table):
    return table.max() - table.min()


@njit
def trace_share(table):
    return table[0, 0] + table[1, 1], table.sum()


@njit
def root_of_corner(table):
    return np.sqrt(table[0, 0]) if table[0, 0] else np.nan


def corner_wins(table):
    return table[0, 0] > table[1, 1]


# Compiled for its arguments before it is called.
with_signature = cache(njit("boolean(int64[:,:])"))


@njit
def three(table):
    return table[0, 0], table[0, 1], table[1, 0]


@njit
def half(table):
    return table[0, 0], 0


COMPILED = [spread, trace_share, root_of_corner, corner_wins]


@pytest.mark.parametrize("function", COMPILED, ids=lambda f: f.__name__)
@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
def test_a_compiled_function_has_the_law_of_the_same_function_in_python(function, weight, matrices):
    if function is corner_wins:
        function = with_signature(function)
    law = list(joint_distribution(matrices, "med", function, weight=weight))
    plain = Counter()
    for matrix in matrices:
        value = function.py_func(np.asarray(matrix))
        value = Fraction(*map(int, value)) if isinstance(value, tuple) else value
        key = med(matrix, exact=True), None if value != value else float(value)
        plain[key] += 1 if weight == "tables" else labelings(matrix)
    assert {(m, None if x != x else float(x)): w for (m, x), w in law} == plain


def test_symmetry_that_a_statistic_declares_changes_nothing_but_the_work(monkeypatch):
    laws = {}
    visited, looked_at = [], []
    unwatched = walks.exact_values
    monkeypatch.setattr(
        walks,
        "exact_values",
        lambda x, matrices, tables: visited.append(len(tables)) or unwatched(x, matrices, tables),
    )
    for symmetry in ("none", "permutations", "transposition"):
        laws[symmetry] = list(
            joint_distribution(Tables(9, 3, 3), "med", Statistic("spread", spread, symmetry=symmetry))
        )
        looked_at.append(visited[-1])  # after the tables on which the symmetry is tried
    assert laws["none"] == laws["permutations"] == laws["transposition"]
    assert sum(w for _, w in laws["none"]) == looked_at[0] == Tables(9, 3, 3).count()
    assert looked_at[2] < looked_at[1] < looked_at[0] / 10


def test_functions_must_return_numbers():
    with pytest.raises(TypeError, match="statistic 'three' must return"):
        _ = list(joint_distribution(Tables(4, 2, 2), three))
    with pytest.raises(ValueError, match="denominator 0"):
        _ = list(joint_distribution(Tables(4, 2, 2), half))


def test_table_by_table_reports_progress_and_refuses_other_options(tmp_path):
    seen = []
    matrices = Tables(14, 3, 3)
    _ = list(joint_distribution(matrices, spread, limits=Limits(progress=seen.append)))
    assert [at.stage for at in seen] == ["tables"] * len(seen)
    assert len(seen) > 1
    assert replace(seen[-1], seconds_left=None) == Progress("tables", matrices.count(), matrices.count(), 1.0)
    assert sorted(at.done for at in seen) == [at.done for at in seen]
    for limits in (Limits(checkpoint=tmp_path / "run"), Limits(executor=ThreadPoolExecutor(1))):
        with pytest.raises(
            ValueError,
            match=r"^(checkpoint|executor) does nothing for the distribution of med, spread over .* in one piece$",
        ):
            _ = list(joint_distribution(Tables(4, 2, 2), "med", spread, limits=limits))
    assert not list(tmp_path.iterdir())


def test_draws_at_fixed_rows_are_uniform():
    matrices = FixedRows((3, 1, 2), 3)
    assert p_value(uniform(matrices), np.asarray(sample(matrices, 20_000, rng=1))) > 0.001
    matrices = FixedRows((5, 4), 2)
    members = [m for m in matrices if med(m, exact=True) == Fraction(3, 9)]
    draws = np.asarray(sample(matrices, 20_000, rng=1, given={"med": Fraction(3, 9)}))
    assert p_value(uniform(members), draws) > 0.001


@pytest.mark.parametrize("name", ["accuracy", "f_pairs"])
def test_draws_at_fixed_rows_have_the_law(name):
    """The exact law of a metric against draws, with values in order grouped to 20 cells or fewer."""
    matrices = FixedRows((14, 9, 4), 3)
    support = list(joint_distribution(matrices, name))
    expected = np.array([weight for _, weight in support]) / matrices.count()
    numerators, denominators = CLASSIFICATION[name].batch(np.asarray(sample(matrices, 20_000, rng=1)))
    place = {value: i for i, ((value,), _) in enumerate(support) if value == value}
    drawn = [place[Fraction(int(p), int(q))] if q else -1 for p, q in zip(numerators, denominators)]
    seen = np.bincount(np.array(drawn) % len(support), minlength=len(support))
    _, cell = np.unique(((np.cumsum(expected) - expected) * 20).astype(int), return_inverse=True)
    observed, wanted = np.bincount(cell, seen), np.bincount(cell, expected) * 20_000
    assert min(wanted) >= 5
    assert stats.chisquare(observed, wanted).pvalue > 0.001


@pytest.mark.parametrize("matrices", [Tables(7, 3, 3), FixedRows((6, 5, 4), 3)], ids=repr)
def test_small_chunks_give_the_same_law(matrices, monkeypatch):
    law = list(joint_distribution(matrices, "ari", "f", weight="labelings"))
    monkeypatch.setattr(walks, "CHUNK", 7)
    monkeypatch.setattr("confmat._integers.arrays.ROWS_WAITING", 7)
    assert list(joint_distribution(matrices, "ari", "f", weight="labelings")) == law


def test_given_counts_undefined_mass_apart():
    """Precision of a class in which nothing is predicted is 0/0, and so is GSP then."""
    rows = list(joint_distribution(FixedRows((3, 2), 2), "cor", "gsp").groupby("cor"))
    assert {value: each["gsp"].undefined for value, each in rows if each["gsp"].undefined} == {
        Fraction(3, 5): 1,
        Fraction(2, 5): 1,
    }
    assert sum(each.total for _, each in rows) == 12
    *rows, (last, undefined) = joint_distribution(FixedRows((3, 2), 2), "gsp", "cor").groupby("gsp")
    assert math.isnan(last)
    assert (undefined.total, undefined["cor"].mean(exact=True)) == (2, Fraction(1, 2))
    values = [value for value, _ in rows]
    assert values == sorted(set(values))


@pytest.mark.parametrize("matrices", [Tables(16, 3, 3, allow_empty=True), Tables(2, 3, 3)], ids=repr)
def test_chunks_are_bounded_and_complete(matrices):
    sizes = []

    def corners(tables):
        sizes.append(len(tables))
        return tables[:, 0, 0], np.ones(len(tables), np.int64)

    law = joint_distribution(matrices, Statistic("corner", lambda table: int(table[0, 0]), batch=corners))
    assert law.total == matrices.count() == sum(weight for _, weight in list(law)) == sum(sizes)
    assert max(sizes, default=0) <= 2**17


@pytest.mark.parametrize(
    "table",
    [[[100]], *([[x, x], [x, x]] for x in (7, 10, 20)), [[80, 0], [0, 0]], [[30, 1], [2, 40]]],
    ids=str,
)
def test_numbers_of_labelings_beyond_64_bits(table):
    """Of a class of one table, with one row: below 2^63, between it and 2^80, beyond."""
    cells = np.ravel(table).tolist()
    alone = FixedMargins([sum(cells)], cells)
    law = joint_distribution(alone, Statistic("largest", lambda x: int(x.max())), weight="labelings")
    assert list(law) == [((np.max(table),), labelings(np.array(table)))]


def test_a_batch_of_ones_own_is_used():
    def trace(tables):
        return np.trace(tables, axis1=1, axis2=2).astype(float)

    fast = Statistic("trace", lambda table: float(np.trace(table)), symmetry="simultaneous", batch=trace)
    slow = Statistic("trace", lambda table: float(np.trace(table)), symmetry="simultaneous")
    assert list(joint_distribution(Tables(6, 3, 3), fast)) == list(joint_distribution(Tables(6, 3, 3), slow))


def test_errors_before_any_work():
    with pytest.raises(
        ValueError, match=r"statistic 'accuracy' needs square matrices .* got Tables\(n=5, r=2, s=3"
    ):
        joint_distribution(Tables(5, 2, 3), "ari", "cor")
    with pytest.raises(
        TooLargeError,
        match=r"ari, accuracy over Tables\(n=50, r=4, s=4.* would take about .* days",
    ):
        _ = list(joint_distribution(Tables(50, 4, 4), "ari", "cor"))


def test_values_beyond_doubles_are_in_order():
    def tower(matrix):
        return (-1) ** int(matrix[0, 1]) * 10 ** (200 * int(matrix[0, 0]))

    values = [value for (value,), _ in list(joint_distribution(FixedRows((4,), 2), tower))]
    assert values == sorted([-(10**600), -(10**200), 1, 10**400, 10**800])


def test_pairs_of_2_40_points_do_not_overflow():
    """A class of four members: pairs of its cells take 79 bits."""
    n = 2**40
    huge = cm.FixedMargins([n - 4, 4], [n - 3, 3])
    for name in ("ard", "rd", "jaccard", "nmi"):
        values = [getattr(cm, name)(table) for table in huge]
        assert float(cm.maximize(huge, name).value) == max(values)
    draws = cm.sample(cm.Tables(n, 2, 2), 20, rng=1)
    assert draws.distribution("ard")["ard"].max() == max(cm.ard(table, exact=True) for table in draws)
    fixed = cm.FixedMargins([n, 1], [n, 1])
    assert cm.sample(fixed, 2, given="ard>0", rng=1).tables.tolist() == [[[n - 1, 1], [1, 0]]] * 2
    assert cm.joint_distribution(fixed, "nmi")["nmi"].max() == 1


@pytest.mark.parametrize("name", ["accuracy", "purity", "ami"])
@pytest.mark.parametrize("matrices", [Tables(14, 3, 3), FixedRows((6, 5, 4), 3)], ids=repr)
def test_a_plan_says_how_many_tables_are_visited(matrices, name):
    told = cm.plan(cm.joint_distribution, matrices, name).steps
    visited = sum(
        len(tables)
        for tables, _ in walks.tables_under(matrices.margins(cm.statistics.STATISTICS[name].generators))
    )
    assert told / 2.5 <= visited <= told * 2.5


def test_a_batch_must_agree_with_its_function():
    wrong = Statistic(
        "top", lambda x: int(x.max()), batch=lambda t: (t.max(axis=(1, 2)) + 1, np.ones(len(t), int))
    )
    with pytest.raises(ConsistencyError, match="got 4 from batch and 3 from function"):
        _ = list(joint_distribution(Tables(4, 2, 2), wrong))


def test_a_function_may_not_write_into_the_table():
    def writes(table):
        table[0, 0] = 9
        return 9

    with pytest.raises(ValueError, match="read-only"):
        _ = list(joint_distribution(Tables(5, 2, 2), writes))
