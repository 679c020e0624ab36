"""One more statistic, registered while the program runs: every question of the package takes it."""

import json
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from brute import SMALL, labelings, rearrangements
from command_line import fail, succeed
from matplotlib.figure import Figure

from confmat.classes import FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.errors import ContractError
from confmat.indices import PairSums, partition
from confmat.plots import axis_label, given_med
from confmat.search import maximize, minimize
from confmat.statistics import STATISTICS, Statistic, as_statistic, register, unregister
from confmat.testing import check_metric


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
    law = joint_distribution(matrices, "dice", "med", weight=weight)
    assert {tuple(map(str, values)): amount for values, amount in list(law)} == expected
    assert sum(each.total for _, each in law.groupby("dice")) == sum(expected.values())


@pytest.mark.parametrize("matrices", SMALL, ids=repr)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("method", [None, "local"])
def test_extremes_of_one_more(dice, matrices, sign, method):
    values = {str(matrix.tolist()): plain(matrix) for matrix in matrices}
    best = max((sign * x for x in values.values() if x == x), default=None)
    result = (maximize if sign > 0 else minimize)(matrices, "dice", method=method, restarts=5)
    if best is None:
        assert (result.value, result.tables) == (None, ())
        return
    assert result.value == sign * best
    assert not result.proved  # the symmetry of one's own statistic is declared
    at_a_bound = method is not None and result.value == (1 if sign > 0 else 0)
    assert result.assumptions == ("declared symmetry of dice", "declared bounds of dice")[: 1 + at_a_bound]
    attaining = {where for where, x in values.items() if sign * x == best}
    orbits = [rearrangements(matrices, table, True) for table in result.tables]
    found = {str([list(row) for row in table]) for orbit in orbits for table in orbit}
    assert found == attaining if method is None else found <= attaining


@pytest.mark.parametrize("matrices", [Tables(6, 2, 3), Tables(6, 3, 3), FixedRows((3, 2), 2)], ids=repr)
def test_extremes_given_one_more(dice, matrices):
    for value in {plain(matrix) for matrix in matrices}:
        members = [matrix for matrix in matrices if plain(matrix) == value]
        largest = max(partition.rand_distance(matrix, exact=True) for matrix in members)
        for given in (f"dice={value}", {"dice": value}):
            assert maximize(matrices, "rd", given).value == largest
    assert maximize(matrices, "rd", "dice=1/1000").tables == ()


def test_command_lines_know_one_more(dice, confmat):
    matrix = "2,1;0,2"
    numbers = json.loads(succeed(confmat("compare", "--matrix", matrix, "--json")))
    assert numbers["dice"] == {"exact": "1/2", "value": 0.5}
    lines = [line.split() for line in succeed(confmat("compare", "--matrix", matrix)).splitlines()]
    assert ["Dice", "coefficient", "dice", "0.5000000", "1/2"] in lines
    assert "undefined 0/0" in " ".join(succeed(confmat("compare", "--matrix", "1,0;0,1")).split())
    law = json.loads(succeed(confmat("table", 5, 2, 2, "--only", "dice", "--json")))
    assert sum(row["total"] for row in law["distribution"]) == Tables(5, 2, 2).count()
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
        "depends": "ABP" if dice.counted else None,
        "theorem": None,
    }
    assert "Dice coefficient" in succeed(confmat("statistics"))
    for arguments in (("table", 5, 2, 2, "--only", "dicee"), ("search", "dicee", 5, 2, 2)):
        assert "did you mean dice?" in fail(confmat(*arguments))


def test_plots_label_one_more(dice):
    assert axis_label("dice") == "Dice coefficient"
    ax = Figure().subplots()
    given_med(joint_distribution(Tables(6, 2, 2), "med", "dice"), "dice", ax=ax)
    assert ax.get_ylabel() == "Dice coefficient"


def test_plots_label_unregistered_statistics():
    ax = Figure().subplots()
    spread = Statistic("spread", np.ptp, symmetry="transposition", label="spread of the cells")
    given_med(joint_distribution(Tables(6, 2, 2), "med", spread), "spread", ax=ax)
    assert ax.get_ylabel() == "spread of the cells"


def test_contracts_hold_for_one_more(dice):
    few = {"n": 3, "every": 2, "examples": 1}
    kept = ("deterministic", "value", "order", "symmetry", "bounds")
    assert check_metric("dice", **few).kept == check_metric(dice, **few).kept == kept
    assert check_metric("dice", identity=1, **few).kept[-1] == "identity"
    with pytest.raises(ContractError, match="identity fails"):
        check_metric("dice", identity=Fraction(1, 2), **few).check()


def test_contracts_take_symmetry_and_bounds_from_the_record():
    few = {"n": 3, "every": 3, "examples": 1}
    assert check_metric("wallace_ab", **few).kept == ("deterministic", "value", "order", "bounds")
    with pytest.raises(ContractError, match="symmetry fails"):
        check_metric("wallace_ab", symmetric=True, **few).check()
    of_size = Statistic("sum", lambda table: int(table.sum()), symmetry="transposition", bounds=(0, 3))
    with pytest.raises(ContractError, match="bounds fails"):
        check_metric(of_size, **few).check()


def test_distributions_over_labelings_of_one_more(dice):
    matrices = Tables(4, 2, 2, allow_empty=True)
    expected = Counter()
    for matrix in matrices:
        expected[str(plain(matrix))] += labelings(matrix)
    law = joint_distribution(matrices, "dice", partition.med, weight="labelings")
    assert law.names == ("dice", "med")
    assert {str(value): weight for value, weight in law["dice"]} == expected


# --- registering ----------------------------------------------------------------------------------


def test_registration_returns_the_function(dice):
    if not dice.counted:
        assert as_statistic(by_table) is dice
    assert list(STATISTICS)[-1] == "dice"


def test_registering_refuses():
    with pytest.raises(ValueError, match="unused name, got 'med'"):
        register(Statistic("med", np.max))
    with pytest.raises(ValueError, match="identifier as name, got 'two words'"):
        register(Statistic("two words", np.max))
    with pytest.raises(TypeError, match="statistic must be a Statistic, got 'dice'"):
        register("dice")
    with pytest.raises(ValueError, match="name must be that of a registered statistic, got 'ard'"):
        unregister("ard")
    with pytest.raises(ValueError, match=r"statistic must be the name of a statistic, got 'dice'"):
        joint_distribution(Tables(4, 2, 2), "dice")
    with pytest.raises(TypeError):
        STATISTICS["dice"] = STATISTICS["rd"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "function or formula must be given for statistic 'x', got neither"),
        ({"function": np.max, "symmetry": "rows"}, "symmetry must be one of transposition, .* got 'rows'"),
        (
            {"formula": by_formula},
            "symmetry must be 'transposition' or 'permutations' for a formula, got 'none'",
        ),
        ({"formula": by_formula, "depends": "n"}, "depends must be one of m, F, .* got 'n'"),
        (
            {"formula": by_formula, "depends": "F"},
            "depends must include all arguments that 'x' uses, got 'F'",
        ),
        (
            {"formula": by_formula, "depends": "m"},
            "depends must include all arguments that 'x' uses, got 'm'",
        ),
        ({"formula": lambda n, m, a, b, p: (m, n), "depends": "F"}, "depends must include all arguments"),
        ({"formula": lambda n, m, a, b, p: (p, a)}, "symmetry must be 'permutations' for 'x'"),
        ({"formula": lambda n, m, a, b, p: (p / n, a + b)}, "formula must return two integers"),
        ({"formula": lambda n, m, a, b, p: (p if p > 4 else 0, n)}, "formula must return two integers"),
        (
            {"formula": lambda n, m, a, b, p: (p + (not isinstance(p, int)), n)},
            "formula must return the same value for integers and for arrays of integers",
        ),
        ({"of": Statistic("y", np.max)}, "of= must be a statistic with a formula"),
        ({"of": STATISTICS["ri"]}, "of= must be a statistic with a formula"),
    ],
)
def test_fields_that_cannot_be(fields, message):
    if fields.get("formula", by_formula) is not by_formula or "depends" in fields or "root" in fields:
        fields = {"symmetry": "transposition", **fields}
    with pytest.raises((TypeError, ValueError), match=message):
        Statistic("x", **fields)
