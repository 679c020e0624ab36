"""One record is all that a statistic needs: every question of the package reads it."""

import json
import math
import pickle
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import permutations

import brute
import numpy as np
import pytest
from brute import rearrangements
from command_line import fail, succeed
from matplotlib.figure import Figure

from confmat.chance.null_laws import null_law
from confmat.classes import FixedMargins, FixedRows, Tables, random_model
from confmat.errors import ConsistencyError, ContractError, SymmetryError
from confmat.indices import classification, partition
from confmat.indices.pairs import PairSums
from confmat.laws import joint
from confmat.plots import axis_label, given_med
from confmat.search import maximize, minimize
from confmat.search.problem import sums_of
from confmat.statistics import STATISTICS, Statistic, as_statistic, register, unregister
from confmat.statistics.clusterings import RD
from confmat.statistics.record import sort_key
from confmat.statistics.table import labelings
from confmat.testing import check_index

SMALL = [
    Tables(6, 2, 3),
    Tables(5, 3, 3),
    Tables(4, 2, 2, empty=True),
    Tables(1, 1, 1),
    FixedRows((3, 2), 2),
    FixedMargins((3, 2, 1), (2, 2, 2)),
    Tables(6, 3, 3, cells=(0, 2)),  # not known by its margins: member by member
]
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


@pytest.mark.parametrize("statistic", STATISTICS.values(), ids=by_name)
def test_a_record_is_its_index_function_on_every_matrix_none_passes_its_bounds_and_some_come_near(statistic):
    low, high = statistic.bounds
    asked = [matrices for matrices in SMALL if statistic in CLUSTERINGS or of_classifiers(matrices)]
    seen = [statistic(matrix) for matrix in FAR if statistic in CLUSTERINGS]
    for matrices in asked:
        for matrix, expected in zip(brute.members(matrices), brute.values(statistic.name, matrices)):
            found = statistic(matrix)
            assert same(found, expected)
            assert type(found) is type(expected)
            seen += [found] if found == found else []
    assert len(seen) > 50
    assert low is None or low <= min(seen) <= low + 1 / 8
    assert high is None or high - 1 / 8 <= max(seen) <= high


@pytest.mark.parametrize("statistic", [x for x in CLUSTERINGS if x.counted], ids=by_name)
def test_a_formula_over_a_class_counts_the_clusters_of_the_class(statistic):
    for matrices in SMALL:
        options = {}
        if statistic.factor is not None and not (isinstance(matrices, Tables) and not matrices.empty):
            options["shape"] = matrices.shape
        over = statistic.over(matrices)
        for matrix in matrices:
            sums = PairSums.of(matrix)
            m = round(sums.n * partition.med(matrix))
            shaped = options if statistic.name in ("nmed", "nrd") else {}
            if isinstance(matrices, FixedMargins):
                shaped = {}
            assert same(over(m, sums.A, sums.B, sums.P), brute.value(statistic.name, matrix, **shaped))


@pytest.mark.parametrize("statistic", [x for x in CLUSTERINGS if x.counted], ids=by_name)
def test_a_formula_without_points(statistic):
    over = statistic.over(Tables(0, 2, 2, empty=True))
    assert same(over(0, 0, 0, 0), brute.value(statistic.name, np.zeros((2, 2), int)))


@pytest.mark.parametrize("statistic", STATISTICS.values(), ids=by_name)
def test_functions_are_names(statistic):
    matrices = Tables(5, 3, 3)
    assert as_statistic(statistic.index) is as_statistic(statistic.name) is statistic
    law = joint(matrices, statistic.index)
    assert law == joint(matrices, statistic.name)
    assert [list(map(str, values)) for values, _ in law.support] == [
        list(map(str, values)) for values, _ in joint(matrices, statistic).support
    ]
    one, other = (maximize(matrices, x, "med=1/5") for x in (statistic.index, statistic.name))
    assert (one.statistic, one.to_json()) == (statistic.name, other.to_json())


def test_a_function_with_other_options_is_another_statistic():
    named = {
        partition.wallace_ba: "wallace_ba",
        partition.ari: "ari",
        partial(partition.med, exact=True): "med",
        classification.f_pairs: "f_pairs",
        partial(classification.f_measure, strategy="rest", beta=1): "f",
    }
    for function, name in named.items():
        assert as_statistic(function) is STATISTICS[name]
    for function in (
        partial(partition.jaccard, undefined=0),
        partial(partition.normalized_med, as_printed=True),
        partial(classification.f_measure, 2),
        partition.fowlkes_mallows_squared,
        max,
    ):
        assert as_statistic(function) not in STATISTICS.values()


def test_a_function_of_a_known_name_is_not_that_statistic():
    def med(table):
        return int(table.max())

    law = joint(Tables(4, 2, 2), med, "rd")
    assert {values[0] for values, _ in law.support} == {1, 2, 3}
    assert [row.value for row in law.given_each("med").rows] == [1, 2, 3]
    with pytest.raises(ValueError, match="given must be on statistics with names of their own, got 'med'"):
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
    law = joint(Tables(5, 2, 2), "nmed", "ri", "cor")
    assert pickle.loads(pickle.dumps(law)).support == law.support


# --- one more statistic, registered while the program runs ----------------------------------------


def by_formula(n, m, a, b, p):
    return 2 * p, a + b


def by_table(table):
    sums = PairSums.of(table)
    return 2 * sums.P, sums.A + sums.B


KNOWN = {"symmetry": "transposition", "title": "Dice coefficient", "bounds": (0, 1)}


@pytest.fixture(params=["formula", "function"])
def dice(request):
    """2P/(A + B): what a formula says, and what a function says of which nothing else is known."""
    if request.param == "formula":
        statistic = Statistic("dice", formula=by_formula, depends="ABP", **KNOWN)
    else:
        statistic = Statistic("dice", by_table, **KNOWN)
    yield register(statistic)
    unregister("dice")


def plain(table):
    numerator, denominator = by_table(np.asarray(table))
    return Fraction(numerator, denominator) if denominator else math.nan


@pytest.mark.parametrize("matrices", SMALL, ids=repr)
@pytest.mark.parametrize("weight", ["tables", "labelings"])
def test_laws_of_one_more(dice, matrices, weight):
    expected = Counter()
    for matrix in matrices:
        values = str(plain(matrix)), str(partition.med(matrix, exact=True))
        expected[values] += 1 if weight == "tables" else labelings(matrix)
    law = joint(matrices, "dice", "med", weight=weight)
    assert {tuple(map(str, values)): amount for values, amount in law.support} == expected
    assert sum(row.weight for row in law.given_each("dice").rows) == sum(expected.values())


@pytest.mark.parametrize("matrices", SMALL, ids=repr)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("method", [None, "local"])
def test_extremes_of_one_more(dice, matrices, sign, method):
    values = {str(matrix.tolist()): plain(matrix) for matrix in matrices}
    best = max((sign * x for x in values.values() if x == x), default=None)
    if method == "local" and matrices.sides is None:
        with pytest.raises(ValueError, match="knows no moves within this one"):
            maximize(matrices, "dice", method=method)
        return
    result = (maximize if sign > 0 else minimize)(matrices, "dice", method=method, restarts=5)
    if best is None:
        assert (result.value, result.maximizers) == (None, ())
        return
    assert result.value == sign * best
    assert result.proved == (method is None)  # one's own bounds are declared, not proved
    assert result.basis.endswith("as it is declared") == (
        method is not None and result.value == (1 if sign > 0 else 0)
    )
    attaining = {where for where, x in values.items() if sign * x == best}
    orbits = [rearrangements(matrices, table, True) for table in result.maximizers]
    found = {str([list(row) for row in table]) for orbit in orbits for table in orbit}
    assert found == attaining if method is None else found <= attaining


@pytest.mark.parametrize("matrices", [Tables(6, 2, 3), Tables(6, 3, 3), FixedRows((3, 2), 2)], ids=repr)
def test_extremes_given_one_more(dice, matrices):
    for value in {plain(matrix) for matrix in matrices}:
        members = [matrix for matrix in matrices if plain(matrix) == value]
        largest = max(partition.rand_distance(matrix, exact=True) for matrix in members)
        for given in (f"dice={value}", {"dice": value}):
            assert maximize(matrices, "rd", given).value == largest
    assert maximize(matrices, "rd", "dice=1/1000").maximizers == ()


@pytest.mark.parametrize("name", ["wallace_ab", "cor"])
def test_extremes_given_what_has_fewer_symmetries(name):
    matrices = Tables(6, 2, 2)
    for value in {as_statistic(name)(matrix) for matrix in matrices}:
        members = [matrix for matrix in matrices if as_statistic(name)(matrix) == value]
        found = {partition.rand_distance(matrix, exact=True): [] for matrix in members}
        for matrix in members:
            found[partition.rand_distance(matrix, exact=True)].append(matrix.tolist())
        result = maximize(matrices, "rd", {name: value})
        assert result.value == max(found)
        assert {str(x.tolist()) for x in result.maximizers} <= set(map(str, found[max(found)]))
        if name == "wallace_ab":
            orbits = [rearrangements(matrices, table, False) for table in result.maximizers]
            assert sum(map(len, orbits)) == len(found[max(found)])


def test_metrics_of_classifiers_need_square_matrices():
    with pytest.raises(ValueError, match="statistic 'cor' needs square matrices"):
        maximize(Tables(4, 2, 3), "rd", "cor=1/2")


def test_command_lines_know_one_more(dice, confmat):
    matrix = "2,1;0,2"
    numbers = json.loads(succeed(confmat("compare", "--matrix", matrix, "--json")))
    assert numbers["dice"] == {"exact": "1/2", "value": 0.5}
    lines = [line.split() for line in succeed(confmat("compare", "--matrix", matrix)).splitlines()]
    assert ["Dice", "coefficient", "dice", "0.5000000", "1/2"] in lines
    assert "undefined 0/0" in " ".join(succeed(confmat("compare", "--matrix", "1,0;0,1")).split())
    law = json.loads(succeed(confmat("table", 5, 2, 2, "--only", "dice", "--json")))
    assert sum(row["total"] for row in law["law"]) == Tables(5, 2, 2).count()
    found = json.loads(succeed(confmat("search", "dice", 6, 2, 3, "--minimize", "--json")))
    assert found["value"]["exact"] == str(minimize(Tables(6, 2, 3), "dice").value)
    found = json.loads(succeed(confmat("search", "rd", 5, 2, 2, "--given", "dice=1/2", "--json")))
    assert found["given"] == "dice = 1/2"
    listed = json.loads(succeed(confmat("statistics", "--json")))
    assert list(listed) == [*STATISTICS]
    assert listed["dice"] == {
        "title": "Dice coefficient",
        "label": "Dice coefficient",
        "bounds": [{"exact": "0", "value": 0.0}, {"exact": "1", "value": 1.0}],
        "symmetry": ["columns", "rows", "simultaneous", "transposition"],
        "exact": True,
        "depends": "ABP" if dice.counted else None,
        "theorem": None,
    }
    assert "Dice coefficient" in succeed(confmat("statistics"))
    for arguments in (("table", 5, 2, 2, "--only", "dicee"), ("search", "dicee", 5, 2, 2)):
        assert "did you mean dice?" in fail(confmat(*arguments))


def test_plots_label_one_more(dice):
    assert axis_label("dice") == "Dice coefficient"
    ax = Figure().subplots()
    given_med(joint(Tables(6, 2, 2), "med", "dice").given_each("med"), "dice", ax=ax)
    assert ax.get_ylabel() == "Dice coefficient"


def test_plots_label_what_is_not_registered():
    ax = Figure().subplots()
    spread = Statistic("spread", np.ptp, symmetry="transposition", label="spread of the cells")
    given_med(joint(Tables(6, 2, 2), "med", spread).given_each("med"), "spread", ax=ax)
    assert ax.get_ylabel() == "spread of the cells"


def test_contracts_hold_for_one_more(dice):
    few = {"n": 3, "every": 3, "max_examples": 10}
    assert check_index("dice", **few) == check_index(dice, **few) == ("order", "symmetry", "bounds")
    assert check_index("dice", identity=1, **few)[-1] == "identity"
    with pytest.raises(ContractError, match="identity fails"):
        check_index("dice", identity=Fraction(1, 2), **few)


def test_contracts_take_symmetry_and_bounds_from_the_record():
    few = {"n": 3, "every": 3, "max_examples": 10}
    assert check_index("wallace_ab", **few) == ("order", "bounds")
    with pytest.raises(ContractError, match="symmetry fails"):
        check_index("wallace_ab", symmetric=True, **few)
    of_size = Statistic("sum", lambda table: int(table.sum()), symmetry="transposition", bounds=(0, 3))
    with pytest.raises(ContractError, match="bounds fails"):
        check_index(of_size, **few)


def test_null_laws_of_one_more(dice):
    model = random_model("labels", 4, 2, 2)
    expected = Counter()
    for matrix in Tables(4, 2, 2, empty=True):
        expected[str(plain(matrix))] += labelings(matrix)
    law = null_law(model, "dice", partition.med)
    assert law.names == ("dice", "med")
    assert {str(value): weight for value, weight in law["dice"]} == expected


# --- registering ----------------------------------------------------------------------------------


def test_what_is_registered_is_the_function_too(dice):
    if not dice.counted:
        assert as_statistic(by_table) is dice
    assert list(STATISTICS)[-1] == "dice"


def test_registering_refuses():
    with pytest.raises(ValueError, match="name that is free, got 'med'"):
        register(Statistic("med", np.max))
    with pytest.raises(ValueError, match="identifier for a name, got 'two words'"):
        register(Statistic("two words", np.max))
    with pytest.raises(TypeError, match="statistic must be a Statistic, got 'dice'"):
        register("dice")
    with pytest.raises(ValueError, match="name must be one that was registered, got 'ard'"):
        unregister("ard")
    with pytest.raises(ValueError, match=r"statistic must be a short name, got 'dice'"):
        joint(Tables(4, 2, 2), "dice")
    with pytest.raises(TypeError):
        STATISTICS["dice"] = RD


def of_numbers(n, m, a, b, p):
    return p + (not isinstance(p, int)), n


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "function or formula must say how to compute 'x', got None"),
        ({"function": np.max, "symmetry": "rows"}, "symmetry must be one of transposition, .* got 'rows'"),
        (
            {"formula": by_formula},
            "symmetry must be 'transposition' or 'permutations' for a formula, got 'none'",
        ),
        ({"formula": by_formula, "depends": "n"}, "depends must be one of m, F, .* got 'n'"),
        ({"formula": by_formula, "depends": "F"}, "depends must name all that 'x' depends on, got 'F'"),
        ({"formula": by_formula, "depends": "m"}, "depends must name all that 'x' depends on, got 'm'"),
        ({"formula": lambda n, m, a, b, p: (m, n), "depends": "F"}, "depends must name all"),
        ({"formula": lambda n, m, a, b, p: (p, a)}, "symmetry must be 'permutations' for 'x'"),
        ({"formula": lambda n, m, a, b, p: (p / n, a + b)}, "formula must give two whole numbers"),
        ({"formula": lambda n, m, a, b, p: (p if p > 4 else 0, n)}, "formula must give two whole numbers"),
        (
            {"formula": lambda n, m, a, b, p: (p + (not isinstance(p, int)), n)},
            "formula must be the same for numbers and arrays",
        ),
        ({"formula": by_formula, "root": True}, "exact must be False for 'x'"),
        ({"of": Statistic("y", np.max)}, "of must be a statistic with a formula"),
        ({"of": STATISTICS["ri"]}, "of must be a statistic with a formula"),
    ],
)
def test_fields_that_cannot_be(fields, message):
    if fields.get("formula", by_formula) is not by_formula or "depends" in fields or "root" in fields:
        fields = {"symmetry": "transposition", **fields}
    with pytest.raises((TypeError, ValueError), match=message):
        Statistic("x", **fields)


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
    assert [(x, weight) for (x,), weight in joint(matrices, declared).support] == sorted(expected.items())
    assert maximize(matrices, declared).value == max(expected)
    support = joint(matrices, declared, "wallace_ab").support
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
    support = joint(matrices, mixed).support
    assert [(value, weight) for (value,), weight in support] == sorted(expected.items())
    assert maximize(matrices, mixed).value == max(expected)


def test_multiples_and_complements_inherit_theorems_and_bounds():
    half = Statistic("half", of=RD, factor=lambda _: Fraction(1, 2), symmetry="transposition")
    rest = Statistic("rest", of=RD, complement=True, symmetry="transposition")
    far = Tables(10**6, 20, 30)
    assert maximize(far, half).value * 2 == maximize(far, "rd").value == 1 - minimize(far, rest).value
    assert maximize(far, half).method == minimize(far, rest).method == "theorem"
    near = Tables(7, 3, 3)
    for method in ("exhaustive", "bound-and-prune", "theorem"):
        assert (
            minimize(near, rest, method=method).value == 1 - maximize(near, "rd", method="exhaustive").value
        )
    for method in ("exhaustive", "streamed"):
        for ends in ((maximize, minimize), (minimize, maximize)):
            one, other = (end(near, x, "med=3/7", method).value for end, x in zip(ends, ("rd", rest)))
            assert one == 1 - other


def test_declared_bounds_are_not_believed():
    wrong = Statistic("wrong", np.max, symmetry="transposition", bounds=(0, 2))
    with pytest.raises(ConsistencyError, match="statistic 'wrong' has the value 3, beyond its bounds 0 to 2"):
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
    assert [x.tolist() for x in one.maximizers] == [x.tolist() for x in other.maximizers]
    roughs = scaled.rough_keys(9, np.array([sums_of(x) for x in one.maximizers]))
    assert max(roughs) - min(roughs) > 1


def test_values_at_all_images():
    """Doubles may differ by rounding and undefined ones are alike; exact values are compared exactly."""
    table = np.array([[1, 2, 3], [4, 5, 7], [6, 8, 9]])

    def rounded(x):
        return sum(float(cell) ** 1.5 * 0.1 for cell in x.flat)

    assert len({rounded(table[list(order)]) for order in permutations(range(3))}) > 1
    for function in (rounded, lambda x: float("nan")):
        value = Statistic("own", function, symmetry="transposition").at_all_images(table)
        assert value == rounded(table) or value != value
    close = Statistic("close", lambda x: Fraction(10**12 + int(x[0, 0])), symmetry="transposition")
    with pytest.raises(SymmetryError, match=r"is 1000000000001 at .* and 1000000000004 at"):
        close.at_all_images(table)


def test_order_of_fractions_beyond_doubles():
    values = [Fraction(-(10**400)), Fraction(-1), Fraction(0), Fraction(10**400), Fraction(10**400 + 1)]
    assert sorted((values[i] for i in (3, 1, 4, 0, 2)), key=sort_key) == values


def test_exact_statistics_of_classifiers_are_no_doubles():
    doubles = {x.name for x in CLASSIFIERS if isinstance(x(np.array([[2, 1], [1, 4]])), float)}
    assert doubles == {x.name for x in CLASSIFIERS if not x.exact}
