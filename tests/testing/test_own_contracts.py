"""What the indices of the package claim (`confmat.testing.INVARIANTS`) is kept; what is broken is found."""

import inspect
import math
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat import indices
from confmat.errors import UndefinedIndexError
from confmat.statistics import STATISTICS, as_statistic
from confmat.testing import INVARIANTS, RELATIONS, check_metric, tables

SOFT = {"takes": "memberships", "undefined": (UndefinedIndexError, math.nan)}

# Claims of indices in `confmat.indices` that are no statistics; what crisp memberships have is a statistic.
OF_FUNCTIONS = {
    "soft.ndc": {**SOFT, "bounds": (0, 1), "identity": 1, "other_input": cm.ri},
    "soft.aci": {**SOFT, "bounds": (None, 1), "identity": 1, "other_input": cm.ari},
    "soft.fari": {**SOFT, "bounds": (None, 1), "identity": 1, "other_input": cm.ari},
    # With more clusters than a few these are not at most 1.
    "soft.sari": {**SOFT, "other_input": cm.ari},
    "soft.anderson_rand": {**SOFT, "other_input": cm.ri},
    "soft.anderson_adjusted_rand": {**SOFT, "other_input": cm.ari},
}
for author in ("brouwer", "campello", "frigui"):
    OF_FUNCTIONS[f"soft.{author}_rand"] = {**SOFT, "bounds": (0, 1), "other_input": cm.ri}
    OF_FUNCTIONS[f"soft.{author}_adjusted_rand"] = {**SOFT, "bounds": (-1, 1), "other_input": cm.ari}


def value_of(text, table):
    """What an expression of statistics, n, r and s is at a table: exact where it goes, or in doubles."""
    n = sum(table.ravel().tolist())
    values = {"n": Fraction(n), "r": table.shape[0], "s": table.shape[1]}
    values |= {name: STATISTICS[name](table) for name in re.findall(r"[a-z]\w+", text)}
    try:
        return eval(text, values)
    except ZeroDivisionError:
        return math.nan
    except (TypeError, ValueError, NotImplementedError):
        return eval(text, {name: float(value) for name, value in values.items() if name != "__builtins__"})


def holds(relation, table):
    """Whether a relation holds at a table, in doubles up to rounding; None where a side is undefined."""
    left_text, sign, right_text = re.split(" (=|<=) ", relation)
    left, right = value_of(left_text, table), value_of(right_text, table)
    if left != left or right != right:
        return None
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        is_same = left == right
    else:
        is_same = math.isclose(float(left), float(right), rel_tol=1e-9, abs_tol=1e-9)
    return is_same or (sign == "<=" and bool(left <= right))


# What the modules of `confmat.indices` export and is no index: counts, tables, bounds, values of each class, means.
NO_INDICES = {
    "confusion_matrix",
    "all_metrics",
    "sensitivity",
    "specificity",
    "precision",
    "adjusted_rand_index_null_moments",
    "expected_rand_distance",
    "pair_counts",
    # By default of one class of two: tests/indices/test_classification_packages.py.
    "f1_score",
    "fbeta_score",
    "precision_score",
    "recall_score",
    "all_indices",
    "adjusted",
    "anderson_pairs",
    "as_memberships",
    "brouwer_pairs",
    "campello_pairs",
    "expected_ndc",
    "normalised",
    "null_moments",
    "frigui_pairs",
    "huellermeier_pairs",
    "one_hot",
    "read_memberships",
    "table_pairs",
}


def without_an_entry(named):
    """Of functions by name, the indices that have no claims."""
    own = {name.rpartition(".")[2] for name in OF_FUNCTIONS}
    for name, function in named.items():
        record = as_statistic(function)
        is_claimed = STATISTICS.get(record.name) is record and record.name in INVARIANTS
        if not (name in NO_INDICES or name in own or is_claimed):
            yield name


def public_functions():
    found = {}
    for module in (cm, indices, indices.partition, indices.classification, indices.soft):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isfunction(thing) and thing.__module__.startswith("confmat.indices"):
                found[name] = thing
    return found


def test_every_index_has_an_entry():
    assert set(STATISTICS) <= set(INVARIANTS)
    assert {name for name in INVARIANTS if name.isidentifier()} <= set(STATISTICS)
    assert len(public_functions()) > 60
    assert list(without_an_entry(public_functions())) == []


def test_an_index_without_an_entry_is_found():
    assert list(without_an_entry({"new_index": lambda table: 0})) == ["new_index"]


# --- claims ---

SIZES = [
    pytest.param({"n": 3, "every": 2, "examples": 10}, id="small"),
    pytest.param({"n": 6, "every": 5, "examples": 300}, id="all", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", STATISTICS)
def test_a_statistic_keeps_the_claims_of_its_record(name, size):
    found = check_metric(name, **size)
    assert found, str(found)
    claimed = INVARIANTS[name]
    assert ("identity" in found.kept) == ("identity" in claimed or "metric" in claimed)
    assert ("triangle inequality" in found.kept) == ("metric" in claimed)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", [text for text in INVARIANTS if text not in STATISTICS])
def test_combined_statistics_keep_their_claims(text, size):
    found = check_metric(
        lambda table: float(value_of(text, table)), undefined=math.nan, **size, **INVARIANTS[text]
    )
    assert found, str(found)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", OF_FUNCTIONS)
def test_other_indices_keep_their_claims(name, size):
    module, _, function = name.partition(".")
    claims = OF_FUNCTIONS[name]
    soft = claims.get("takes") == "memberships"
    found = check_metric(
        getattr(getattr(indices, module), function), **{**size, "n": size["n"] - 2 * soft}, **claims
    )
    assert found, str(found)


# Broken, with the smallest number of objects: nothing claims these.
BROKEN = {
    ("ard", "triangle inequality"): ({"metric": True}, 4),
    ("nmed", "triangle inequality"): ({"metric": True}, 5),
    ("nrd", "triangle inequality"): ({"metric": True}, 4),
    ("jaccard", "identity"): ({"identity": 0}, 3),
    ("nmi_min", "identity"): ({"identity": 1}, 3),
    ("wallace_ab", "symmetry"): ({"symmetric": True}, 3),
}


@pytest.mark.parametrize(("name", "claim"), BROKEN)
def test_known_counterexamples_break_their_claims(name, claim):
    claims, n = BROKEN[name, claim]
    found = check_metric(name, n=5, every=2, examples=1, **claims)
    assert found[claim].status == "broken"
    assert found[claim].beyond.n == n


# --- relations ---

huge = tables(n=st.integers(2, 10**30))


@pytest.fixture(scope="module")
def tables_drawn():
    """Small, large and huge ones, for all relations."""
    found = []

    @settings(max_examples=100)
    @given(tables(n=st.integers(1, 60)) | tables() | huge)
    def draw(table):
        found.append(table)

    draw()
    return found


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_relation_holds_at_any_size(relation, tables_drawn):
    assert len(tables_drawn) >= 100
    told = []
    for table in tables_drawn:
        found = holds(relation, table)
        told.append(found)
        assert found is not False, table.tolist()
    assert told.count(True) >= 50


@pytest.mark.parametrize(
    "wrong", ["mirkin = rd*n/(n-1)", "vi = entropy_a + entropy_b - mi", "fm <= jaccard", "med <= van_dongen"]
)
def test_a_relation_that_is_wrong_is_found(wrong, tables_drawn):
    assert any(holds(wrong, table) is False for table in tables_drawn)
