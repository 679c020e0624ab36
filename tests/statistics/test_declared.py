"""A declared symmetry is tested once on small tables; a result that relies on it says so and is not called proved."""

from dataclasses import replace
from fractions import Fraction

import pytest
from numba import njit

import confmat as cm
from confmat import Statistic
from confmat.classes import Tables
from confmat.conjectures import LITERATURE
from confmat.errors import SymmetryError
from confmat.statistics import STATISTICS, as_statistic, register, unregister
from confmat.statistics.declarations import check_symmetry
from confmat.statistics.record import same_value

GOOD = Statistic("good", lambda table: int(table.max()), symmetry="transposition")
SMALL, LARGE = Tables(6, 2, 2), Tables(60, 2, 2)


def corner(table):
    return int(table[1, 1])


@njit
def compiled_corner(table):
    return table[0, 0]


@pytest.mark.parametrize(
    "fields",
    [
        {"function": corner, "symmetry": "transposition"},
        {"function": corner, "symmetry": {"columns"}},
        {"function": corner, "symmetry": "simultaneous"},
        {"function": lambda t: int(t[0, 1]) if t.shape == (2, 2) else 0, "symmetry": {"transposition"}},
        {"function": lambda t: int(t[1, 2]) if t.shape == (2, 3) else 0, "symmetry": {"columns"}},
        {"function": lambda t: int(t[1, 2]) if t.shape == (3, 3) else 0, "symmetry": {"rows"}},
        {"function": compiled_corner, "symmetry": {"rows"}},
        {"function": lambda t: float(t[0, 0]) / 3, "exact": False, "symmetry": {"rows"}},
        {"function": lambda t: (int(t[0, 0]), int(t[0].sum())), "symmetry": {"columns"}},
    ],
)
def test_false_symmetry_is_refused_with_an_example_when_the_statistic_is_made(fields):
    words = (
        r"symmetry '\w+' is declared for 'bad', but its value is [^ ]+ at \d+[,;]\d.* and [^ ]+ at \d+[,;]\d"
    )
    with pytest.raises(SymmetryError, match=words):
        Statistic("bad", **fields)


def test_functions_that_keep_their_symmetry_are_accepted():
    def powers(table):
        return sum(float(x) ** 1.5 * 0.1 for x in table.flat)  # rounded differently in another order

    def smallest_sum(table):
        return min(table.sum(axis=0).min(), table.sum(axis=1).min())

    Statistic("rounded", powers, symmetry="transposition")
    Statistic("undefined", lambda t: (0, 0), symmetry="transposition")
    fails = Statistic("fails", lambda t: 1 // int(smallest_sum(t) > 0), symmetry="transposition")
    assert cm.joint_distribution(SMALL, fails)["fails"].mean() == 1


def test_false_symmetry_of_a_predicate_is_refused_when_the_conjecture_is_made():
    with pytest.raises(SymmetryError, match="is declared for the predicate, but its value is True at"):
        cm.Conjecture("c", "", predicate=lambda t: bool(t[0, 0] < 2), symmetry="permutations")
    with pytest.raises(SymmetryError, match="declared for the predicate"):
        cm.Conjecture("c", "", predicate=lambda t: (bool(t[0, 1] < 2), "why"), symmetry="transposition")
    cm.Conjecture("c", "", predicate=lambda t: bool(t[0, 0] < 2))


# --- formulas -------------------------------------------------------------------------------------


def test_formula_that_depends_on_more_than_it_declares_is_refused():
    with pytest.raises(ValueError, match="depends must include all arguments that 'more' uses, got 'ABP'"):
        Statistic(
            "more", formula=lambda n, m, a, b, p: (p + (m == 2), 1), depends="ABP", symmetry="permutations"
        )


def test_formula_that_transposition_changes_is_refused():
    def formula(n, m, a, b, p):
        return p + (a == 6) * (b == 3), 1

    with pytest.raises(ValueError, match="symmetry must be 'permutations' for 'turned'"):
        Statistic("turned", formula=formula, symmetry="transposition")
    assert cm.maximize(Tables(5, 2, 2), Statistic("kept", formula=formula, symmetry="permutations")).proved


# --- what results say -------------------------------------------------------------------------------


def test_a_result_says_that_it_assumes_the_declared_symmetry():
    large = Tables(40, 2, 2)
    found = cm.maximize(large, GOOD)
    assert (found.value, found.proved) == (39, False)
    assert found.assumptions == ("declared symmetry of good",)
    assert found.to_json()["assumptions"] == ["declared symmetry of good"]
    assert found.to_json()["proved"] is False
    none = cm.maximize(large, Statistic("none", GOOD.function))
    assert (none.value, none.proved, none.assumptions) == (39, True, ())
    assert cm.joint_distribution(large, "med", GOOD).assumptions == found.assumptions
    assert cm.joint_distribution(large, "med").given("med=1/4").assumptions == ()
    derived = cm.joint_distribution(large, "med", as_statistic("1 - med"), as_statistic("ard/med"))
    assert derived.assumptions == ()


def test_a_derived_statistic_has_the_assumptions_of_its_parts():
    def formula(n, m, a, b, p):
        return a + b - p, 1

    register(Statistic("union", formula=formula, symmetry="transposition"))
    register(Statistic("same", formula=formula, symmetry="permutations"))
    try:
        assert cm.joint_distribution(SMALL, "1 + union").assumptions == ("declared symmetry of union",)
        assert cm.joint_distribution(SMALL, "1 + same").assumptions == ()
    finally:
        unregister("union")
        unregister("same")


def test_bounds_and_theorems_of_ones_own_are_declared():
    low = Statistic("low", GOOD.function, symmetry="transposition", bounds=(0, 40))
    with pytest.raises(cm.errors.ConsistencyError, match="outside its bounds"):
        cm.maximize(LARGE, low, method="local")
    high = Statistic("high", GOOD.function, bounds=(0, 59))
    found = cm.maximize(LARGE, high, method="local")
    assert (found.value, found.proved, found.assumptions) == (59, False, ("declared bounds of high",))
    half = Statistic("half", of=STATISTICS["rd"], factor=lambda _: Fraction(-1, 2), symmetry="transposition")
    with pytest.raises(ValueError, match="factor of 'half' must not be negative, got -1/2"):
        cm.maximize(SMALL, half)


def test_a_certificate_says_that_it_assumes_the_declared_symmetry():
    claim = cm.Conjecture(
        "c", "at most n", predicate=lambda t: bool(t.max() <= t.sum()), symmetry="transposition"
    )
    found = cm.check(claim, [Tables(11, 3, 3)])
    assert (found.proved, found.assumptions) == (False, ("declared symmetry (transposition)",))
    assert found._facts()["assumptions"] == found.assumptions
    assert not found.about.bound
    every = cm.check(cm.Conjecture("c", "", predicate=claim.predicate), [Tables(11, 2, 2)])
    assert (every.proved, every.assumptions) == (True, ())


# --- the package's own ------------------------------------------------------------------------------


def keeps_its_symmetry(name, symmetry, function):
    """Whether check_symmetry finds nothing wrong; floats are compared up to rounding."""
    check_symmetry(name, symmetry, function, same_value)
    return True


@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_have_their_declared_properties(name):
    statistic = STATISTICS[name]

    def value(table):
        if not statistic.of_clusterings and table.shape[0] != table.shape[1]:
            raise ValueError("a statistic of a classifier")
        return statistic(table)

    assert keeps_its_symmetry(name, statistic.generators, value)


@pytest.mark.parametrize("name", STATISTICS)
def test_formulas_have_their_declared_properties(name):
    base = STATISTICS[name].base
    if base.formula is not None:
        replace(base, name="like_it", names=(), tested=False)


def is_of_tables(conjecture):
    return conjecture.on in ("tables", "signatures") and conjecture.predicate is not None


@pytest.mark.parametrize("name", [name for name, x in LITERATURE.items() if is_of_tables(x)])
def test_statements_have_their_declared_properties(name):
    from confmat.classes.orbits import as_symmetry
    from confmat.conjectures.outcomes import explained

    ours = LITERATURE[name]
    symmetry = as_symmetry(ours.symmetry)
    assert keeps_its_symmetry(name, symmetry, lambda table: explained(ours.predicate(table))[0])


# --- refused when they are made -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((3, len), {}, "name must be a string, got 3"),
        (("", len), {}, "name must not be empty, got ''"),
        (("x", 3), {}, "function must be a function, got 3"),
        (("x", len), {"batch": 3}, "batch must be a function, got 3"),
        (("x", len), {"of": Statistic}, "of= must be a statistic, got <class"),
        (("x", len), {"bounds": 3}, "bounds must be a pair of numbers or None, got 3"),
        (("x", len), {"bounds": (0, 1, 2)}, r"bounds must be a pair .*, got \(0, 1, 2\)"),
        (("x", len), {"bounds": (1, 0)}, r"bounds must not decrease, got \(1, 0\)"),
        (("x", len), {"bounds": (0, float("nan"))}, r"bounds\[1\] must be finite, got nan"),
        (("x", len), {"bounds": (0, "1")}, r"bounds\[1\] must be a number, got '1'"),
    ],
)
def test_objects_that_are_not_statistics_are_refused(arguments, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        Statistic(*arguments, **options)
