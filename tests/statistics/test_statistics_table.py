"""The table of statistics: records are their functions, and what follows from a record."""

import pickle
from collections import Counter
from fractions import Fraction
from functools import partial

import brute
import numpy as np
import pytest
from brute import SMALL, rearrangements

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.errors import ConsistencyError
from confmat.indices import PairSums, classification, partition
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.search import maximize, minimize
from confmat.statistics import STATISTICS, Statistic, as_statistic

CLUSTERINGS = [x for x in STATISTICS.values() if x.symmetry != "simultaneous"]
CLASSIFIERS = [x for x in STATISTICS.values() if x.symmetry == "simultaneous"]


def by_name(statistic):
    return statistic.name


def same(x, y):
    return x == y or (x != x and y != y)


def of_classifiers(matrices):
    return matrices.shape[0] == matrices.shape[1] > 1


# --- the table ------------------------------------------------------------------------------------


# Some bounds are only approached, by many clusters.
FAR = [np.ones((9, 9), int), np.ones((1, 9), int)]
# A record asks no class: bounded cells, and five points, say nothing more of clusterings.
OF_CLUSTERINGS = [Tables(6, 2, 3), Tables(4, 3, 3), *SMALL[2:-1]]


@pytest.mark.parametrize("statistic", STATISTICS.values(), ids=by_name)
def test_a_record_is_its_index_function_on_every_matrix_none_passes_its_bounds_and_some_come_near(statistic):
    low, high = statistic.bounds
    asked = OF_CLUSTERINGS if statistic in CLUSTERINGS else filter(of_classifiers, SMALL[:-1])
    seen = [statistic(matrix) for matrix in FAR if statistic in CLUSTERINGS]
    for matrices in asked:
        for matrix, expected in zip(brute.members(matrices), brute.values(statistic.name, matrices)):
            found = statistic(matrix)
            assert same(found, expected)
            assert isinstance(found, float) == isinstance(expected, float)
            seen += [found] if found == found else []
    assert len(seen) > 50
    assert low is None or low <= min(seen) <= low + 1 / 8
    assert high is None or high - 1 / 8 <= max(seen) <= high


@pytest.mark.parametrize("statistic", [x for x in CLUSTERINGS if x.counted], ids=by_name)
def test_a_formula_over_a_class_counts_the_clusters_of_the_class(statistic):
    largest = {"nmed": ("med", max_med), "nrd": ("rd", max_rand_distance)}.get(statistic.name)
    for matrices in SMALL:
        of_class = largest is not None and not isinstance(matrices, FixedMargins)
        over = statistic.over(matrices)
        for matrix in matrices:
            sums = PairSums.of(matrix)
            m = round(sums.n * partition.med(matrix))
            if of_class:  # divided by the largest value over the class, whose clusters may be empty
                name, largest_over = largest
                may_be_empty = not isinstance(matrices, Tables) or matrices.allow_empty
                most = largest_over(matrices.n, *matrices.shape, allow_empty=may_be_empty)
                expected = brute.value(name, matrix) / most if most else 0
            else:
                expected = brute.value(statistic.name, matrix)
            assert same(over(m, sums.A, sums.B, sums.P), expected)


@pytest.mark.parametrize("statistic", [x for x in CLUSTERINGS if x.counted], ids=by_name)
def test_a_formula_without_points(statistic):
    over = statistic.over(Tables(0, 2, 2, allow_empty=True))
    assert same(over(0, 0, 0, 0), brute.value(statistic.name, np.zeros((2, 2), int)))


@pytest.mark.parametrize("statistic", STATISTICS.values(), ids=by_name)
def test_functions_are_names(statistic):
    matrices = Tables(5, 3, 3)
    assert as_statistic(statistic.index) is as_statistic(statistic.name) is statistic
    law = joint_distribution(matrices, statistic.index)
    assert law == joint_distribution(matrices, statistic.name)
    assert [list(map(str, values)) for values, _ in list(law)] == [
        list(map(str, values)) for values, _ in list(joint_distribution(matrices, statistic))
    ]
    one, other = (maximize(matrices, x, "med=1/5") for x in (statistic.index, statistic.name))
    assert (one.statistic, one.to_json()) == (statistic.name, other.to_json())


def test_a_function_with_other_options_is_another_statistic():
    named = {
        partition.wallace_ba: "wallace_ba",
        partition.ari: "ari",
        partial(partition.med, exact=True): "med",
        classification.f_pairs: "f_pairs",
        partial(classification.f_beta, strategy="rest", beta=1): "f",
    }
    for function, name in named.items():
        assert as_statistic(function) is STATISTICS[name]
    for function in (
        partial(partition.jaccard, undefined=0),
        partial(classification.f_beta, 2),
        max,
    ):
        assert as_statistic(function) not in STATISTICS.values()


def test_a_function_of_a_known_name_is_not_that_statistic():
    def med(table):
        return int(table.max())

    law = joint_distribution(Tables(4, 2, 2), med, "rd")
    assert {values[0] for values, _ in list(law)} == {1, 2, 3}
    assert [value for value, _ in law.groupby("med")] == [1, 2, 3]
    with pytest.raises(ValueError, match="given must have different statistics, got 'med' twice"):
        maximize(Tables(4, 2, 2), "rd", {med: 1})


def test_conditions_take_functions_too():
    matrices = Tables(6, 2, 3)
    one = maximize(matrices, partition.rand_distance, {partition.med: Fraction(2, 6)})
    assert one.to_json() == maximize(matrices, "rd", "med=2/6").to_json()


@pytest.mark.parametrize("statistic", STATISTICS.values(), ids=by_name)
def test_records_can_be_pickled(statistic):
    copy = pickle.loads(pickle.dumps(statistic))
    assert copy([[2, 1], [0, 2]]) == statistic([[2, 1], [0, 2]])


def test_a_law_can_be_pickled():
    law = joint_distribution(Tables(5, 2, 2), "nmed", "ri", "cor")
    assert list(pickle.loads(pickle.dumps(law))) == list(law)


@pytest.mark.parametrize("name", ["wallace_ab", "cor"])
def test_extremes_under_conditions_with_fewer_symmetries(name):
    matrices = Tables(6, 2, 2)
    for value in {as_statistic(name)(matrix) for matrix in matrices}:
        members = [matrix for matrix in matrices if as_statistic(name)(matrix) == value]
        found = {partition.rand_distance(matrix, exact=True): [] for matrix in members}
        for matrix in members:
            found[partition.rand_distance(matrix, exact=True)].append(matrix.tolist())
        result = maximize(matrices, "rd", {name: value})
        assert result.value == max(found)
        assert {str(x.tolist()) for x in result.tables} <= set(map(str, found[max(found)]))
        if name == "wallace_ab":
            orbits = [rearrangements(matrices, table, False) for table in result.tables]
            assert sum(map(len, orbits)) == len(found[max(found)])


def test_metrics_of_classifiers_need_square_matrices():
    with pytest.raises(ValueError, match="statistic 'accuracy' needs square matrices"):
        maximize(Tables(4, 2, 3), "rd", "cor=1/2")
    unchanged = {"simultaneous", "transposition"}
    with pytest.raises(ValueError, match="statistic 'trace' needs square matrices"):
        joint_distribution(
            Tables(4, 2, 3), Statistic("trace", UNCHANGED[frozenset(unchanged)], symmetry=unchanged)
        )


UNCHANGED = {
    frozenset({"rows"}): lambda table: int(table.sum(axis=0) @ np.arange(3)),
    frozenset({"columns"}): lambda table: int(table.sum(axis=1) @ np.arange(3)),
    frozenset({"transposition"}): lambda table: int(table[0, 0] + 2 * abs(table[0, 1] - table[1, 0])),
    frozenset({"simultaneous", "transposition"}): lambda table: int(table.trace()),
}


@pytest.mark.parametrize("symmetry", UNCHANGED, ids=sorted)
def test_symmetries_may_be_sets(symmetry):
    function = UNCHANGED[symmetry]
    declared, matrices = Statistic("declared", function, symmetry=set(symmetry)), Tables(6, 3, 3)
    expected = Counter(function(matrix) for matrix in matrices)
    assert [(x, weight) for (x,), weight in list(joint_distribution(matrices, declared))] == sorted(
        expected.items()
    )
    assert maximize(matrices, declared).value == max(expected)
    support = list(joint_distribution(matrices, declared, "wallace_ab"))
    assert {tuple(map(str, values)): weight for values, weight in support} == Counter(
        (str(function(matrix)), str(STATISTICS["wallace_ab"](matrix))) for matrix in matrices
    )


# --- what follows from a record -------------------------------------------------------------------


@pytest.mark.parametrize("matrices", [Tables(6, 2, 3), Tables(6, 3, 3), FixedRows((3, 2), 2)], ids=repr)
def test_a_formula_that_is_not_monotone_in_the_disagreements(matrices):
    """Several F have one value, of two numbers far apart: laws from recursions must put them together."""

    def formula(n, m, a, b, p):
        pairs, f = n * (n - 1) // 2, a + b - 2 * p
        return f * (pairs - f), pairs * pairs

    mixed = Statistic("mixed", formula=formula, depends="F", symmetry="transposition")
    expected = Counter()
    for matrix in matrices:
        x = partition.rand_distance(matrix, exact=True)
        expected[x * (1 - x)] += 1
    support = list(joint_distribution(matrices, mixed))
    assert [(value, weight) for (value,), weight in support] == sorted(expected.items())
    assert maximize(matrices, mixed).value == max(expected)


def test_multiples_and_complements_inherit_theorems_and_bounds():
    half = Statistic("half", of=STATISTICS["rd"], factor=lambda _: Fraction(1, 2), symmetry="transposition")
    rest = Statistic("rest", of=STATISTICS["rd"], complement=True, symmetry="transposition")
    far = Tables(10**6, 20, 30)
    assert maximize(far, half).value * 2 == maximize(far, "rd").value == 1 - minimize(far, rest).value
    assert maximize(far, half).method == minimize(far, rest).method == "theorem"
    near = Tables(7, 3, 3)
    for method in ("exhaustive", "bound-and-prune", "theorem"):
        assert (
            minimize(near, rest, method=method).value == 1 - maximize(near, "rd", method="exhaustive").value
        )
    for ends in ((maximize, minimize), (minimize, maximize)):
        one, other = (end(near, x, "med=3/7").value for end, x in zip(ends, ("rd", rest)))
        assert one == 1 - other


def test_declared_bounds_are_not_believed():
    wrong = Statistic("wrong", np.max, symmetry="transposition", bounds=(0, 2))
    with pytest.raises(
        ConsistencyError, match="statistic 'wrong' has the value 3, outside its bounds 0 to 2"
    ):
        maximize(Tables(4, 2, 2), wrong)


def test_large_values_are_compared_exactly():
    """Doubles of equal values may differ by their last digit, here far more than 1: none may be discarded."""
    size = 13**16  # where the doubles of the largest value differ

    def formula(n, m, a, b, p):
        return size * m * (n * n + p), n * n + p

    scaled = Statistic("scaled", formula=formula, symmetry="transposition")
    matrices = Tables(9, 2, 4)
    one, other = maximize(matrices, scaled), maximize(matrices, "med")
    assert one.value == size * 9 * other.value
    assert [x.tolist() for x in one.tables] == [x.tolist() for x in other.tables]
    roughs = scaled._approximate_keys(9, brute.pair_sums(one.tables))
    assert max(roughs) - min(roughs) > 1


def test_order_of_fractions_beyond_doubles():
    values = [Fraction(-(10**400)), Fraction(-1), Fraction(0), Fraction(10**400), Fraction(10**400 + 1)]
    own = Statistic("own", lambda table: values[(2 * int(table[0, 0])) % 5])
    assert [value for (value,), _ in list(joint_distribution(Tables(6, 1, 2), own))] == values


def test_exact_statistics_of_classifiers_are_no_doubles():
    doubles = {x.name for x in CLASSIFIERS if isinstance(x(np.array([[2, 1], [1, 4]])), float)}
    assert doubles == {x.name for x in CLASSIFIERS if not x.exact}
