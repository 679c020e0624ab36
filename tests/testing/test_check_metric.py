"""The contract of an index, run on ours and on scikit-learn's, and on indices that break it."""

import numpy as np
import pytest
from late import sk_metrics

from confmat.contingency import contingency_matrix
from confmat.errors import ContractError, UndefinedIndexError
from confmat.indices.partition import (
    adjusted_rand_distance,
    adjusted_rand_index,
    jaccard,
    med,
    mirkin_distance,
    rand_distance,
    rand_index,
    wallace_ab,
)
from confmat.testing import check_metric


def rand_score(a, b):
    return sk_metrics.rand_score(a, b)


def adjusted_rand_score(a, b):
    return sk_metrics.adjusted_rand_score(a, b)


@pytest.mark.parametrize(
    ("index", "claims"),
    [
        (med, {"metric": True}),
        (rand_distance, {}),
        (mirkin_distance, {}),
        (rand_index, {"other_input": rand_score}),
        (adjusted_rand_index, {"bounds": (-0.5, 1), "other_input": adjusted_rand_score}),
        (jaccard, {"bounds": (0, 1), "undefined": (UndefinedIndexError,)}),
        (wallace_ab, {"symmetric": False, "bounds": (0, 1), "undefined": (UndefinedIndexError,)}),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_our_indices_keep_their_claims(index, claims):
    """What tests/testing/test_own_contracts.py does not ask of the records."""
    found = check_metric(index, examples=5, every=3, n=4, **claims)
    found.check()
    names = found.kept
    assert "order" in names
    assert ("triangle inequality" in names) == claims.get("metric", False)


@pytest.mark.parametrize(
    ("index", "claims"),
    [
        (adjusted_rand_score, {"bounds": (-0.5, 1), "identity": 1, "other_input": adjusted_rand_index}),
        (rand_score, {"bounds": (0, 1), "identity": 1, "other_input": rand_index}),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_indices_of_scikit_learn_keep_theirs(index, claims):
    check_metric(index, takes="labels", examples=5, every=3, n=3, **claims).check()


def broken(index, examples=5, every=3, n=4, **claims):
    with pytest.raises(ContractError) as caught:
        check_metric(index, examples=examples, every=every, n=n, **claims).check()
    return caught.value


def test_the_adjusted_rand_distance_is_not_a_metric():
    error = broken(adjusted_rand_distance, metric=True)
    a, b, c = error.example
    ac, ab, bc = (
        adjusted_rand_distance(contingency_matrix(*pair), exact=True) for pair in ((a, c), (a, b), (b, c))
    )
    assert error.claim == "triangle inequality"
    assert ac > ab + bc
    assert len(a) == 4  # exhaustively: none with three objects, six triples with four


def test_accuracy_depends_on_the_order_of_the_clusters():
    error = broken(lambda table: table.trace() / table.sum())
    assert error.claim == "order"
    table, image = error.example
    assert table.tolist() == [[0, 1], [1, 1]]  # the smallest that is not degenerate
    assert image.trace() != table.trace()


def test_accuracy_of_labels_depends_on_their_names():
    def accuracy(a, b):
        return sum(x == y for x, y in zip(a, b)) / len(a)

    error = broken(accuracy, takes="labels")
    assert error.claim == "names"
    assert len(error.example[0][0]) == 3


def rand_distance_in_32_bits(table):
    """Right up to n = 46341, where n (n - 1) is beyond 2^31."""

    def squares(counts):
        return (counts * counts).sum(dtype=np.int32)

    small = table.astype(np.int32)
    n = small.sum(dtype=np.int32)
    rows, cols = (small.sum(axis=axis, dtype=np.int32) for axis in (1, 0))
    with np.errstate(over="ignore"):
        return float(squares(rows) + squares(cols) - 2 * squares(small)) / max(1, n * (n - np.int32(1)))


def test_counts_that_wrap_around_in_32_bits():
    error = broken(rand_distance_in_32_bits, 40, 2, n=2, bounds=(0, 1), symmetric=False)
    assert error.claim == "bounds"
    assert error.example.size <= 4  # as [[65534, 1], [1, 0]]
    assert 46342 <= error.example.sum() < 100_000


@pytest.mark.parametrize("largest", [1, 10, 10**6, 2**62])
def test_tables_of_the_contract_are_as_large_as_was_said(largest):
    totals = []

    def index(table):
        totals.append(int(table.sum()))
        return rand_distance(table, exact=True)

    check_metric(index, examples=20, max_n=largest, n=3, every=2, identity=0, bounds=(0, 1)).check()
    assert largest // 16 <= max(totals) <= max(3, largest)  # all tables of up to 3 objects are looked at


def test_different_clusterings_of_many_objects_may_be_as_close_as_the_tolerance():
    # Fewer examples, or the adjusted Rand index, have no such clusterings.
    check_metric(rand_distance, identity=0, symmetric=False, max_n=2**60, n=2, every=2, examples=50).check()


@pytest.mark.parametrize("value", [None, "x", [0.5], 1j, True, float("inf")], ids=str)
def test_a_value_must_be_a_real_number(value):
    # Even where every exception means that the index is undefined.
    error = broken(lambda table: value, 1, 2, n=2, undefined=(Exception,), symmetric=False)
    assert error.claim == "value"
    assert f"[[1]] has {value!r}, which is not a real number" in str(error)


def changes_its_input(table):
    table[0, 0] += 1
    return 0


@pytest.mark.parametrize(
    ("index", "claims", "claim", "message"),
    [
        (wallace_ab, {"undefined": (UndefinedIndexError,)}, "symmetry", "has"),
        (jaccard, {}, "value", "raises UndefinedIndexError: jaccard is 0/0"),
        (
            rand_distance,
            {"identity": 1},
            "identity",
            r"\[\[1\]\], equal clusterings, has 0.0, and should have 1",
        ),
        (lambda t: 0, {"identity": 0}, "identity", r"different clusterings, has 0"),
        (adjusted_rand_distance, {"bounds": (0, 1)}, "bounds", "has 1.5, which is not between 0 and 1"),
        (rand_distance, {"other_input": lambda a, b: 0}, "other input", "but that of the labels"),
        (lambda t: float("nan"), {"bounds": (0, 1)}, "value", "has nan"),
        (
            lambda t: 1 / (t.any(0).sum() * t.any(1).sum()),
            {"identity": 1, "refinement": True, "symmetric": False},
            "identity",
            "equal",
        ),
        (changes_its_input, {}, "deterministic", "is changed to"),
    ],
)
def test_each_claim_can_fail(index, claims, claim, message):
    error = broken(index, **claims)
    assert error.claim == claim
    with pytest.raises(ContractError, match=message):
        raise error


def test_refinement_can_fail():
    def number_of_clusters_is_odd(table):
        return 0 if np.count_nonzero(table) == 1 else np.count_nonzero(table.sum(axis=0)) % 2

    def away(table):
        sides = [np.count_nonzero(table.sum(axis=axis)) for axis in (0, 1)]
        equal = (table > 0).sum() == max(sides) == min(sides)
        return 0 if equal else 2 - number_of_clusters_is_odd(table)

    assert broken(away, symmetric=False, identity=0, refinement=True).claim == "refinement"


def never_called(*_):
    raise AssertionError("arguments are checked first")


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        (
            {"takes": "matrix"},
            "takes must be one of table, labels, memberships, got 'matrix'",
        ),
        ({"refinement": True}, "identity must be the value of equal clusterings"),
        ({"index": 3}, "index must be a function, got 3"),
        ({"other_input": "sari"}, "other_input must be a function, got 'sari'"),
        ({"metric": 1}, "metric must be True or False, got 1"),
        ({"bounds": 3}, r"bounds must be a pair \(low, high\) of numbers or None, got 3"),
        ({"bounds": (0, "x")}, r"bounds must be a pair \(low, high\) of numbers or None, got \(0, 'x'\)"),
        ({"bounds": (1, 0)}, r"bounds must be \(low, high\) with low <= high, got \(1, 0\)"),
        ({"identity": "x"}, "identity must be a number, got 'x'"),
        ({"metric": True, "identity": 1}, "identity must be 0 or None for metric=True, got 1"),
        ({"max_n": 0}, "max_n must be at least 1, got 0"),
        (
            {"max_n": 2**63},
            f"max_n must be at most {2**63 - 1}, the limit of int64 tables, got {2**63}",
        ),
        ({"examples": 0}, "examples must be at least 1, got 0"),
        ({"rng": None}, "rng must be an integer, got None"),
        (
            {"undefined": "ZeroDivisionError"},
            "undefined must be exceptions or numbers in place of a value, such as",
        ),
    ],
)
def test_arguments_are_checked_before_any_call(claims, message):
    with pytest.raises((TypeError, ValueError), match=message):
        check_metric(**{"index": never_called, **claims})


def test_one_exception_may_stand_for_a_tuple_of_them():
    found = check_metric(jaccard, undefined=UndefinedIndexError, examples=1, n=3, every=3)
    assert found.kept == ("deterministic", "value", "order", "symmetry")
