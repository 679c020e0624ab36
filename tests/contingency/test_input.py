"""What is read as something else than it was meant: refused by name, or taken as it was said."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import confmat as cm
from confmat.statistics import Statistic, as_condition

TABLE = [[3, 1, 0], [0, 2, 2]]


def statistic(formula, **options):
    return Statistic("own", formula=formula, depends="ABP", symmetry="transposition", **options)


# --- tables with margins ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["All", "total", "Alles"])
@pytest.mark.parametrize("levels", [1, 2])
def test_a_crosstab_with_margins_is_refused(name, levels):
    a, b = ["x", "x", "y", "y", "y"], ["u", "v", "v", "u", "u"]
    rows = [pd.Series(a, name="a")] if levels == 1 else [pd.Series(a, name="a"), pd.Series(b, name="c")]
    frame = pd.crosstab(rows, pd.Series(b, name="b"), margins=True, margins_name=name)
    for ask in (cm.ari, cm.med, cm.compare, cm.permutation_test):
        with pytest.raises(ValueError, match=f"matrix must not contain row or column sums, got .* '{name}'"):
            ask(frame)
    assert cm.ari(pd.crosstab(rows, pd.Series(b, name="b"))) == cm.ari(frame.to_numpy()[:-1, :-1])


def test_tables_that_only_look_like_it_are_answered():
    sums = pd.DataFrame([[1, 0, 1], [0, 1, 1], [1, 1, 2]])  # numbered, not named
    assert cm.ari(sums) == cm.ari(sums.to_numpy())
    other = pd.DataFrame([[3, 1], [0, 2]], index=["x", "Alles"], columns=["y", "Alles"])
    assert cm.ari(other) == cm.ari(other.to_numpy())


# --- formulas -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        lambda n, m, a, b, p: (a**2 + b**2 - 2 * p**2, n**4),
        lambda n, m, a, b, p: ((a + b) % 5, 5),
        lambda n, m, a, b, p: (2 * p + (a == b), n * n),
        lambda n, m, a, b, p: (np.maximum(a, b) - p, 1 + np.minimum(a, b)),
    ],
)
def test_integer_types_and_arrays_are_accepted_everywhere(formula):
    own, matrices = statistic(formula), cm.Tables(5, 2, 2)
    members = [np.array(x) for x in matrices]
    values = [own(x) for x in members]
    law = cm.joint_distribution(matrices, own)
    assert law["own"].mean(exact=True) == sum(values, Fraction(0)) / len(values)
    assert law["own"].max() == max(values) == cm.maximize(matrices, own).value
    assert law.probability(f"own <= {values[0]}") == Fraction(
        sum(x <= values[0] for x in values), len(values)
    )


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        (lambda n, m, a, b, p: (int(p), 1), "formula must return two integers .* 'own'"),
        (lambda n, m, a, b, p: (p if isinstance(p, int) else p + (p > 99), 1), None),
        (
            lambda n, m, a, b, p: (p if isinstance(p, (int, float, np.ndarray)) else p + 1, 1),
            "formula must return the same value for integers and for arrays of integers",
        ),
    ],
)
def test_a_formula_that_the_exact_kinds_do_not_take_is_refused_where_it_is_stated(formula, says):
    if says is None:
        assert statistic(formula)(TABLE) == 5
        return
    with pytest.raises((TypeError, ValueError), match=says):
        statistic(formula)


@pytest.mark.parametrize(
    ("said", "meant"),
    [(0.1, Fraction(1, 10)), (Fraction(1, 3), Fraction(1, 3)), (1, 1), (np.float64(0.2), Fraction(1, 5))],
)
def test_a_value_where_a_formula_is_undefined_is_the_decimal_that_was_typed(said, meant):
    own = statistic(lambda n, m, a, b, p: (p, a + b), undefined=said)
    assert own([[1, 0], [0, 1]]) == meant
    law = cm.joint_distribution(cm.Tables(2, 2, 2), own)
    assert law["own"].max() == law["own"].min() == meant
    assert as_condition({own: meant})([[1, 0], [0, 1]])


@pytest.mark.parametrize("wrong", ["0.1", True, None, float("inf")])
def test_a_value_that_is_none_is_refused(wrong):
    with pytest.raises((TypeError, ValueError), match="undefined must be"):
        statistic(lambda n, m, a, b, p: (p, a + b), undefined=wrong)


# --- exact, or in doubles ---------------------------------------------------------------------------


def test_a_law_of_roots_and_logarithms_is_exact():
    for names in (("fm",), ("med", "fm"), ("med", "ard"), ("vi",), ("gsp",)):
        law = cm.joint_distribution(cm.Tables(5, 2, 2), *names)
        assert law._exact
        assert not any(isinstance(x, float) and x == x for values, _ in list(law) for x in values)
    assert cm.joint_distribution(cm.Tables(5, 2, 2), "fm").digest


# --- functions that change ----------------------------------------------------------------------------


class Corner:
    """A statistic of what ``cell`` says, which its author changes."""

    def __init__(self):
        self.cell = None

    def __call__(self, table):
        return int(table.max() if self.cell is None else table[self.cell])


def test_a_predicate_that_changes_is_tried_again():
    corner = Corner()
    claim = cm.Conjecture("own", "own", predicate=lambda t: corner(t) < 5, symmetry="transposition")
    assert cm.check(claim, cm.Tables(5, 2, 2)).entries
    corner.cell = (0, 1)
    with pytest.raises(cm.errors.SymmetryError, match="is declared for the predicate"):
        cm.check(
            cm.Conjecture("own", "own", predicate=lambda t: corner(t) < 1, symmetry="transposition"),
            cm.Tables(5, 2, 2),
        )


def test_a_check_evaluates_each_table_once():
    asked = []

    def predicate(table):
        asked.append(table.sum())
        return True

    claim = cm.Conjecture("own", "own", predicate=predicate, symmetry="transposition")
    cm.check(claim, [cm.Tables(n, 3, 3) for n in (11, 12, 13)])
    assert asked.count(10) < 1.5 * cm.Tables(10, 3, 3, allow_empty=True).count()
