"""What is declared is tried before it is used: a false declaration is an error with an example, never an answer."""

import json
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from numba import njit

import confmat as cm
from confmat import Statistic
from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables
from confmat.conjectures import LITERATURE
from confmat.errors import SymmetryError
from confmat.statistics import STATISTICS, as_condition, as_statistic, register, unregister

BAD = Statistic("bad", lambda table: int(table[1, 1]), symmetry="transposition")
GOOD = Statistic("good", lambda table: int(table.max()), symmetry="transposition")
SMALL, LARGE = Tables(6, 2, 2), Tables(60, 2, 2)


def is_certain(matrices, *statistics):
    """Whether a law rests on nothing that is only declared: what is declared was found right at all tables."""
    return "given the declared symmetry" not in cm.joint(matrices, "med", *statistics).basis


USES = {
    "maximize": lambda matrices, bad: cm.maximize(matrices, bad),
    "minimize": lambda matrices, bad: cm.minimize(matrices, bad, method="exhaustive"),
    "local": lambda matrices, bad: cm.maximize(matrices, bad, method="local", restarts=1),
    "search given": lambda matrices, bad: cm.maximize(matrices, "rd", {bad: 1}),
    "joint": lambda matrices, bad: cm.joint(matrices, "med", bad)["med"].mean,
    "given": lambda matrices, bad: cm.joint(matrices, "rd", lambda table: 1).given({bad: 1}),
    "check": lambda matrices, bad: cm.check(
        cm.Conjecture("c", "", predicate=as_condition({bad: 1}), symmetry="permutations"), [matrices]
    ),
    "sample": lambda matrices, bad: cm.sample(matrices, 1, rng=1, given={bad: 1}),
    "labelings": lambda matrices, bad: cm.joint(matrices, bad, weight="labelings"),
    "model": lambda matrices, bad: cm.joint(cm.random_model("clusters", matrices.n, r=2, s=2), bad),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("matrices", [SMALL, LARGE], ids=repr)
def test_a_false_symmetry_is_an_error_wherever_it_would_be_used(use, matrices):
    with pytest.raises(
        SymmetryError, match=r"symmetry 'rows' is declared of 'bad', which is \d+ at \d+[,;]\d"
    ):
        USES[use](matrices, BAD)


def test_a_false_symmetry_in_a_comparison():
    register(BAD)
    try:
        with pytest.raises(SymmetryError, match=r"declared of 'bad', which is 3 at .* and 0 at"):
            cm.compare([[1, 0], [2, 3]])
    finally:
        unregister("bad")
    register(GOOD)
    try:
        assert cm.compare([[1, 1], [1, 1]])["good"] == 1
    finally:
        unregister("good")


def planted(total, symmetry):
    """1 at one table of this total, the least for its symmetry that is not its own image, else 0."""
    table = np.zeros((3, 3), np.int64)
    table[0], table[2, 1] = (0, 1, 1), total - 2

    def function(other):
        return int(np.array_equal(other, table))

    return Statistic("planted", function, symmetry=symmetry)


@pytest.mark.parametrize("symmetry", [{"rows"}, {"columns"}, "simultaneous", {"transposition"}])
def test_one_table_of_small_total_is_found(symmetry):
    with pytest.raises(SymmetryError):
        is_certain(Tables(30, 3, 3), planted(9, symmetry))


@pytest.mark.parametrize("symmetry", [{"rows"}, {"columns"}, "simultaneous", {"transposition"}])
def test_totals_are_tried_up_to_a_largest_one(symmetry):
    with pytest.raises(SymmetryError):
        is_certain(Tables(10, 3, 3), planted(10, symmetry))


def test_not_all_larger_totals_are_tried_and_that_is_not_called_certain():
    assert not is_certain(Tables(30, 3, 3), planted(11, {"rows"}))
    assert is_certain(Tables(10, 3, 3), planted(11, {"rows"}))


@pytest.mark.parametrize(
    "matrices",
    [LARGE, FixedRows([30, 30], 3), FixedColumns(2, [40, 30]), FixedMargins([30, 20, 10], [30, 15, 15])],
    ids=repr,
)
def test_members_of_the_class_are_tried(matrices, monkeypatch):
    monkeypatch.setattr("confmat.engine.symmetry_checks.MOST_TABLES_TRIED", 1000)
    large = Statistic("large", lambda table: int(table[0, 0] > 8 and table.sum() > 50), symmetry={"columns"})
    with pytest.raises(SymmetryError):
        is_certain(matrices, large)
    assert not is_certain(matrices, Statistic("most", np.max, symmetry="permutations"))


def test_functions_of_every_kind():
    @njit
    def corner(table):
        return table[0, 0]

    kinds = [
        Statistic("jitted", corner, symmetry={"rows"}),
        Statistic(
            "batch",
            lambda t: int(t[0, 0]),
            batch=lambda t: (t[:, 0, 0], 0 * t[:, 0, 0] + 1),
            symmetry={"rows"},
        ),
        Statistic("doubles", lambda table: float(table[0, 0]) / 3, exact=False, symmetry={"rows"}),
        Statistic("pairs", lambda table: (int(table[0, 0]), int(table[0].sum())), symmetry={"columns"}),
    ]
    for statistic in kinds:
        with pytest.raises(SymmetryError):
            cm.joint(SMALL, statistic)

    # Rounded differently in another order, undefined, and errors where the class has no member.
    def lines(table):
        return min(table.sum(axis=0).min(), table.sum(axis=1).min())

    def powers(table):
        return sum(float(x) ** 1.5 * 0.1 for x in table.flat)

    rounded = Statistic("rounded", powers, symmetry="transposition")
    undefined = Statistic("undefined", lambda t: (0, 0), symmetry="transposition")
    fails = Statistic("fails", lambda t: 1 // int(lines(t) > 0), symmetry="transposition")
    assert is_certain(SMALL, rounded, undefined, fails)
    assert cm.joint(SMALL, fails)["fails"].mean == 1


# --- formulas -------------------------------------------------------------------------------------


def test_a_formula_that_depends_on_more_than_it_says():
    more = Statistic(
        "more", formula=lambda n, m, a, b, p: (p + (m == 4), 1), depends="ABP", symmetry="permutations"
    )
    with pytest.raises(
        ValueError, match=r"depends must name all that 'more' depends on, got 'ABP': it is .* at \(n, m, A"
    ):
        cm.joint(Tables(20, 3, 3), more)
    assert is_certain(Tables(4, 2, 2), more)  # where the MED is at most 2/4


def test_a_formula_that_transposition_changes():
    def formula(n, m, a, b, p):
        return p + (a == 6) * (b == 3), 1

    with pytest.raises(SymmetryError, match=r"declared of 'turned', .* A and B exchanged"):
        cm.maximize(Tables(20, 3, 3), Statistic("turned", formula=formula, symmetry="transposition"))
    assert cm.maximize(Tables(5, 2, 2), Statistic("kept", formula=formula, symmetry="permutations")).proved


def test_a_derived_statistic_is_as_certain_as_what_it_combines():
    assert is_certain(Tables(60, 3, 3), as_statistic("1 - med"), as_statistic("ard/med"))

    def formula(n, m, a, b, p):
        return p + (a == 6) * (b == 3), 1

    register(Statistic("turned", formula=formula, symmetry="transposition"))
    try:
        assert is_certain(Tables(5, 2, 2), as_statistic("1 + turned"))
        with pytest.raises(SymmetryError, match=r"declared of 'turned', .* A and B exchanged"):
            cm.maximize(Tables(20, 3, 3), "1 - turned")
    finally:
        unregister("turned")


# --- what is proved ---------------------------------------------------------------------------------


def test_a_result_says_what_it_takes_as_declared():
    large = Tables(40, 2, 2)
    found = cm.maximize(large, GOOD)
    assert (found.value, found.proved) == (39, False)
    assert found.to_json()["basis"] == "all matrices compared, given the declared symmetry"
    assert found.to_json()["proved"] is False
    none = cm.maximize(large, Statistic("none", GOOD.function))
    assert (none.value, none.proved, none.basis) == (39, True, "all matrices compared")
    assert cm.maximize(SMALL, GOOD).proved  # all tables were tried
    assert cm.joint(large, "med", GOOD).basis == "guarded, given the declared symmetry"
    assert cm.joint(large, "med").given("med=1/4").basis == "guarded"


def test_bounds_and_theorems_of_ones_own_are_declared():
    low = Statistic("low", GOOD.function, symmetry="transposition", bounds=(0, 40))
    with pytest.raises(cm.errors.ConsistencyError, match="beyond its bounds"):
        cm.maximize(LARGE, low, method="local")
    high = Statistic("high", GOOD.function, bounds=(0, 59))
    found = cm.maximize(LARGE, high, method="local")
    assert (found.value, found.proved, found.basis) == (
        59,
        False,
        "no matrix can pass this value, as it is declared",
    )
    half = Statistic("half", of=STATISTICS["rd"], factor=lambda _: Fraction(-1, 2), symmetry="transposition")
    with pytest.raises(ValueError, match="factor of 'half' must not be negative, got -1/2"):
        cm.maximize(SMALL, half)


def test_a_certificate_says_what_it_takes_as_declared():
    claim = cm.Conjecture(
        "c", "at most n", predicate=lambda t: bool(t.max() <= t.sum()), symmetry="transposition"
    )
    found = cm.check(claim, [Tables(11, 3, 3)])
    declared = "all members, given the declared symmetry (transposition), not bound to its functions"
    assert (found.proved, found.basis) == (False, declared)
    assert json.loads(found.to_json())["basis"] == found.basis
    every = cm.check(cm.Conjecture("c", "", predicate=claim.predicate), [Tables(11, 2, 2)])
    assert (every.proved, every.basis) == (True, "all members, not bound to its functions")
    # A condition of which more is declared than its statistics say.
    wider = cm.Conjecture("w", "wallace_ab <= 1", symmetry="transposition")
    assert isinstance(cm.check(wider, [SMALL]), cm.conjectures.Certificate)
    with pytest.raises(SymmetryError, match="is declared of the predicate"):
        cm.check(cm.Conjecture("w", "wallace_ab <= 1/2", symmetry="transposition"), [SMALL])


# --- classes ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lopsided(FixedRows):
    """Rows of different sums, which may not be exchanged."""

    @property
    def symmetry(self):
        return frozenset({"rows", "columns", "simultaneous"})


@pytest.mark.parametrize("rows", [(3, 1), (60, 41, 20)])
def test_a_class_with_a_false_symmetry(rows):
    for ask in (
        lambda matrices: cm.joint(matrices, "med"),
        lambda matrices: cm.maximize(matrices, "rd"),
        lambda matrices: cm.check(cm.Conjecture("fine", "med<=1", symmetry="permutations"), [matrices]),
    ):
        with pytest.raises(
            SymmetryError, match=r"symmetry 'rows' is declared of Lopsided.*is a member and .* is not"
        ):
            ask(Lopsided(rows, 3))
    assert is_certain(FixedRows(rows, 3))


# --- ours ---------------------------------------------------------------------------------------------


# All tables of these totals are tried: 35 to 495.
ALL_TRIED = [Tables(4, 2, 2), Tables(5, 2, 2), Tables(4, 2, 3), Tables(4, 3, 3)]


def like_it(statistic):
    """One of the package as one of one's own, which is tried."""
    return replace(statistic.base if statistic.counted else statistic, name="like_it", names=())


@pytest.mark.parametrize("name", STATISTICS)
def test_our_statistics_keep_what_they_declare(name):
    statistic = like_it(STATISTICS[name])
    for matrices in ALL_TRIED:
        if matrices.r == matrices.s or statistic.of_clusterings:
            assert is_certain(matrices, statistic)


def is_symmetric_statement(conjecture):
    return conjecture.on in ("tables", "signatures") and conjecture.predicate is not None


@pytest.mark.parametrize("name", [name for name, x in LITERATURE.items() if is_symmetric_statement(x)])
def test_our_statements_keep_what_they_declare(name):
    ours = LITERATURE[name]
    like_ours = cm.Conjecture("like it", "", predicate=ours.predicate, symmetry=ours.symmetry)
    for matrices in (Tables(4, 2, 2), Tables(4, 3, 3)):
        cm.check(like_ours, [matrices])


# --- refused when they are made -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((3, len), {}, "name must be a text, got 3"),
        (("", len), {}, "name must not be empty, got ''"),
        (("x", 3), {}, "function must be a function, got 3"),
        (("x", len), {"batch": 3}, "batch must be a function, got 3"),
        (("x", len), {"of": Statistic}, "of must be a statistic, got <class"),
        (("x", len), {"bounds": 3}, "bounds must be a pair of numbers or None, got 3"),
        (("x", len), {"bounds": (0, 1, 2)}, r"bounds must be a pair .*, got \(0, 1, 2\)"),
        (("x", len), {"bounds": (1, 0)}, r"bounds must be in order, got \(1, 0\)"),
        (("x", len), {"bounds": (0, float("nan"))}, r"bounds\[1\] must be finite, got nan"),
        (("x", len), {"bounds": (0, "1")}, r"bounds\[1\] must be a number, got '1'"),
    ],
)
def test_what_is_no_statistic_is_refused(arguments, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Statistic(*arguments, **options)
