"""Contracts: all broken claims are found, degenerate cases told apart, every kind of input taken."""

import math
from fractions import Fraction

import numpy as np
import pytest

import confmat as cm
from confmat.errors import ContractError
from confmat.indices.partition import adjusted_rand_distance, fowlkes_mallows
from confmat.testing import check_metric

# --- what used to pass ---


def squared(index):
    return lambda table: 1 - index(table) ** 2


@pytest.mark.parametrize(
    ("index", "n"),
    [
        (lambda t: 1 - cm.nmi(t), 3),
        (adjusted_rand_distance, 4),
        (lambda t: cm.nrd(t, exact=True), 4),
        (lambda t: 1 - dice(t), 4),
        (lambda t: cm.nmed(t, exact=True), 5),
        (squared(lambda t: fowlkes_mallows(t, undefined=int(t.shape[0] == t.shape[1] == t.sum()))), 5),
    ],
    ids=["1-nmi", "ard", "nrd", "1-dice", "nmed", "1-fm2"],
)
def test_six_that_are_no_metrics(index, n):
    found = check_metric(index, metric=True, every=2, n=n, examples=1, symmetric=False)
    assert found["triangle inequality"].counterexample.n <= n
    assert found["triangle inequality"].status == "broken"


def dice(table):
    pairs = cm.indices.pair_counts(table)
    total = 2 * pairs.both + pairs.only_a + pairs.only_b
    return Fraction(2 * pairs.both, total) if total else Fraction(1)


@pytest.mark.parametrize(
    ("index", "undefined"),
    [(lambda t: 1 / 0, ZeroDivisionError), (lambda t: math.nan, math.nan)],
    ids=["error", "nan"],
)
def test_an_index_defined_nowhere_is_broken(index, undefined):
    found = check_metric(index, undefined=undefined, bounds=(0, 1), identity=1, n=3, every=2, examples=5)
    assert [finding.status for finding in found.findings] == [
        "kept",
        "undefined",
    ]  # of claim zero, and of a value
    assert not found
    with pytest.raises(ContractError, match="nothing is defined on"):
        found.check()


@pytest.mark.parametrize("most", [1, 2])
def test_an_index_defined_on_degenerate_cases_only_is_broken(most):
    """All tables of up to two objects are degenerate."""
    claims = {"undefined": math.nan, "metric": True, "bounds": (0, 1), "n": 3, "every": 3, "examples": 2}
    found = check_metric(lambda t: cm.rd(t) if t.sum() <= most else math.nan, **claims)
    assert found.kept == ("deterministic",)
    assert {finding.status for finding in found.findings} <= {"undefined", "kept"}
    assert "but degenerate ones" in found.broken["bounds"].found
    assert check_metric(cm.rd, **{**claims, "n": most, "max_n": most})  # where nothing else was asked for


def pairs_in_16_bits(a, b):
    table = cm.contingency_matrix(a, b)
    n, squares = (
        np.int16(len(a)),
        [
            np.int16(int((x**2).sum() % 2**16 - 2**16 * ((x**2).sum() % 2**16 >= 2**15)))
            for x in (table.sum(axis=1), table.sum(axis=0), table)
        ],
    )
    with np.errstate(over="ignore"):
        return float(squares[0] + squares[1] - np.int16(2) * squares[2]) / max(
            1, float(n * (n - np.int16(1)))
        )


def of_four_clusters(table):
    return cm.rd(table[np.argsort(-table.sum(axis=1))[:4]][:, np.argsort(-table.sum(axis=0))[:4]])


def test_sixteen_bits_and_four_clusters_are_found_at_default_settings():
    found = check_metric(pairs_in_16_bits, takes="labels", bounds=(0, 1), n=2, every=2, symmetric=False)
    assert "bounds" in found.broken
    found = check_metric(of_four_clusters, identity=0, every=2, symmetric=False)
    assert found.broken["identity"].n <= 9


# --- degenerate cases, traces, tables ---


def undefined_at_one_object(table):
    return (table.any(axis=1).sum() - 1) / (table.sum() - 1) if table.sum() > 1 else [][0]


def test_a_degenerate_case_hides_nothing():
    found = check_metric(undefined_at_one_object, n=3, every=3, examples=10)
    assert found["value"].status == "degenerate"
    assert found.broken["value"].degenerate == "one object"
    assert found["symmetry"].status == "broken"
    assert found["symmetry"].beyond.n == 3
    assert check_metric(
        undefined_at_one_object, symmetric=False, undefined="one object", n=3, every=3, examples=10
    )
    assert not check_metric(undefined_at_one_object, symmetric=False, n=3, every=3, examples=10)
    assert check_metric(
        undefined_at_one_object, symmetric=False, undefined=IndexError, n=3, every=3, examples=10
    )


def test_the_trace_of_the_author_is_kept():
    with pytest.raises(ContractError) as caught:
        check_metric(undefined_at_one_object, symmetric=False, n=2, every=2, examples=1).check()
    assert isinstance(caught.value.__cause__, IndexError)
    assert caught.value.__cause__.__traceback__.tb_next.tb_frame.f_code.co_name in (
        "call",
        "undefined_at_one_object",
    )


def test_a_contract_prints_as_a_table():
    found = check_metric(undefined_at_one_object, n=3, every=3, examples=10)
    assert "value          degenerate" in str(found)
    assert "[[1]] raises IndexError" in str(found)
    assert found.to_frame().set_index("claim")["is"]["symmetry"] == "broken"
    with pytest.raises(KeyError, match="claim must be one of deterministic, value, order, symmetry, got 'x'"):
        found["x"]


# --- kinds of input ---


def kappa(table):
    n, agree = int(table.sum()), int(table.trace())
    chance = int(table.sum(axis=0) @ table.sum(axis=1))
    return Fraction(n * agree - chance, n * n - chance)


def test_classifiers_are_relabeled_alike():
    found = check_metric(
        kappa,
        classifier=True,
        symmetric=True,
        bounds=(-1, 1),
        identity=1,
        undefined=ZeroDivisionError,
        n=4,
        every=3,
        examples=5,
    )
    assert found, found
    assert "order" in check_metric(kappa, n=3, every=3, undefined=ZeroDivisionError, examples=1).broken
    assert check_metric("bcr", n=3, every=2, examples=1)
    first_class = check_metric(lambda t: t[0, 0] / t.sum(), classifier=True, n=3, every=3, examples=1)
    assert list(first_class.broken) == ["order"]
    assert check_metric(
        lambda a, b: sum(x == y for x, y in zip(a, b)) / len(a),
        takes="labels",
        classifier=True,
        identity=1,
        symmetric=True,
        n=3,
        every=3,
        examples=5,
    )


def test_labels_may_be_numbers_only():
    def of_numbers(a, b):
        return cm.rd(np.array(a) + 0, np.array(b) + 0)

    options = {"takes": "labels", "n": 3, "every": 3, "examples": 2, "symmetric": False}
    assert check_metric(of_numbers, labels="ints", **options)
    assert list(check_metric(of_numbers, **options).broken) == ["names"]


@pytest.mark.parametrize("narrow", [lambda x: max(x, 0), lambda x: max(x, -7)], ids=["noise", "magnitude"])
def test_labels_of_any_kind_are_negative_and_far_apart_too(narrow):
    """One takes noise, -1, for the cluster 0, the other puts all below -7 together: small numbers show neither."""

    def index(a, b):
        return cm.rd(*([x if isinstance(x, str) else narrow(x) for x in side] for side in (a, b)))

    options = {"takes": "labels", "n": 4, "every": 3, "examples": 1, "symmetric": False}
    assert not check_metric(index, labels="ints", **options).broken
    assert list(check_metric(index, **options).broken) == ["names"]


def test_memberships():
    options = {"takes": "memberships", "n": 2, "examples": 5}
    soft = cm.indices.soft
    found = check_metric(soft.campello_rand, identity=1, other_input=cm.ri, **options)
    assert list(found.broken) == ["identity"]  # it is no 1 for equal memberships that are not crisp
    assert "order" in check_metric(lambda U, V: float(U[0, 0]), **options | {"n": 3}).broken


def test_memberships_where_nothing_can_be_moved():
    """One object has one order, one cluster one name: claims of these are kept, and no search for others fails."""
    found = check_metric(
        cm.indices.soft.fari,
        takes="memberships",
        undefined=cm.errors.UndefinedIndexError,
        n=2,
        examples=10,
        max_n=1,
    )
    assert {"order", "names"} <= set(found.kept)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"takes": "memberships", "metric": True},
            'takes must be "table" or "labels" for metric, got',
        ),
        (
            {"takes": "memberships", "classifier": True},
            'takes must be "table" or "labels" for classifier',
        ),
        ({"labels": "ints"}, 'takes must be "labels" for labels='),
        (
            {"labels": "bytes", "takes": "labels"},
            "labels must be one of any, ints, got 'bytes'",
        ),
        (
            {"classifier": True, "refinement": True, "identity": 1},
            "classifier must be False for refinement=True",
        ),
        ({"n": 0}, "n must be at least 1, got 0"),
        ({"undefined": "nan"}, "undefined must be exceptions or numbers"),
        ({"examples": 0}, "examples must be at least 1, got 0"),
    ],
)
def test_wrong_arguments_are_named_before_any_call(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        check_metric(lambda *_: 1 / 0, **options)


def at_three_lines(table):
    """Breaks bounds on drawn tables alone: no small one and no corner has so many objects on three lines."""
    return 2.0 if min(table.shape) == 3 and table.sum() > 20 else 0.5


def without_a_value(table):
    return 1 / (len(table) % 2)


@pytest.mark.parametrize(
    ("index", "options"),
    [
        (at_three_lines, {"bounds": (0, 1)}),
        (lambda table: 0.5, {"bounds": (0, 1)}),
        (without_a_value, {"bounds": (0, 0.5), "undefined": ZeroDivisionError}),
        (lambda a, b: float(a[0] + (len(set(a)) > 3)), {"takes": "labels"}),
    ],
)
def test_examples_that_claims_share_are_drawn_again_alike(index, options):
    options = {"n": 3, "every": 3, "examples": 30, **options}
    shared = check_metric(index, **options)
    again = check_metric(index, **options)
    assert shared.to_json() == again.to_json()
    assert str(shared) == str(again)
    if index is at_three_lines:
        broken = shared.broken["bounds"]
        assert list(shared.broken) == ["bounds"]
        assert (broken.shrunk, broken.n, broken.example.shape) == (True, 21, (3, 3))
