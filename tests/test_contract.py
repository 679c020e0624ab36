"""The contract of an index, run on ours and on scikit-learn's, and on indices that break it."""

import pytest
import sklearn.metrics as sk

from confmat.indices.partition import (
    adjusted_rand_distance,
    adjusted_rand_index,
    distance_in_measure,
    hamming_distance,
    jaccard,
    med,
    mirkin_distance,
    rand_distance,
    rand_index,
    variation_of_information,
    wallace,
)
from confmat.indices.soft import sari
from confmat.indices.undefined import UndefinedIndexError
from confmat.labels import contingency
from confmat.testing import ContractError, check_index


def of_masses(population_distance):
    return lambda table: population_distance(table / table.sum())


@pytest.mark.parametrize(
    ("index", "claims"),
    [
        (
            med,
            {"metric": True, "bounds": (0, 1), "refinement": True, "limit": of_masses(distance_in_measure)},
        ),
        (
            rand_distance,
            {"metric": True, "bounds": (0, 1), "refinement": True, "limit": of_masses(hamming_distance)},
        ),
        (mirkin_distance, {"metric": True, "bounds": (0, 1), "limit": mirkin_distance}),
        (variation_of_information, {"metric": True, "bounds": (0, None), "refinement": True}),
        (rand_index, {"identity": 1, "bounds": (0, 1), "other_input": sk.rand_score}),
        (
            adjusted_rand_index,
            {"identity": 1, "refinement": True, "soft": sari, "undefined": (ZeroDivisionError,)},
        ),
        (adjusted_rand_index, {"bounds": (-0.5, 1), "other_input": sk.adjusted_rand_score}),
        (jaccard, {"bounds": (0, 1), "undefined": (UndefinedIndexError,)}),
        (wallace, {"symmetric": False, "bounds": (0, 1), "undefined": (UndefinedIndexError,)}),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_our_indices_keep_their_claims(index, claims):
    names = check_index(index, max_examples=30, **claims)
    assert "order" in names
    assert ("triangle inequality" in names) == claims.get("metric", False)


@pytest.mark.parametrize(
    ("index", "claims"),
    [
        (sk.adjusted_rand_score, {"bounds": (-0.5, 1), "identity": 1, "other_input": adjusted_rand_index}),
        (sk.rand_score, {"bounds": (0, 1), "identity": 1, "other_input": rand_index}),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_indices_of_scikit_learn_keep_theirs(index, claims):
    check_index(index, takes="labels", max_examples=30, **claims)


def broken(index, examples=200, **claims):
    with pytest.raises(ContractError) as caught:
        check_index(index, max_examples=examples, **claims)
    return caught.value


def test_the_adjusted_rand_distance_is_not_a_metric():
    error = broken(adjusted_rand_distance, metric=True)
    a, b, c = error.example
    ac, ab, bc = (adjusted_rand_distance(contingency(*pair), exact=True) for pair in ((a, c), (a, b), (b, c)))
    assert error.claim == "triangle inequality"
    assert ac > ab + bc
    assert len(a) <= 6  # exhaustively: none with three objects, six triples with four


def test_accuracy_depends_on_the_order_of_the_clusters():
    error = broken(lambda table: table.trace() / table.sum())
    assert error.claim == "order"
    table, symmetry = error.example
    assert table.tolist() == [[1, 0], [0, 1]]
    assert symmetry(table).tolist() == [[0, 1], [1, 0]]


def test_accuracy_of_labels_depends_on_their_names():
    def accuracy(a, b):
        return sum(x == y for x, y in zip(a, b)) / len(a)

    error = broken(accuracy, takes="labels")
    assert error.claim == "names"
    assert len(error.example[0][0]) <= 3


def changes_its_input(table):
    table[0, 0] += 1
    return 0


@pytest.mark.parametrize(
    ("index", "claims", "claim", "message"),
    [
        (wallace, {"undefined": (UndefinedIndexError,)}, "symmetry", "has"),
        (jaccard, {}, "order", "raises UndefinedIndexError: jaccard is 0/0"),
        (rand_distance, {"identity": 1}, "identity", r"\[\[1\]\], equal clusterings, has 0.0"),
        (lambda t: 0, {"identity": 0}, "identity", r"different clusterings, has 0"),
        (adjusted_rand_distance, {"bounds": (0, 1)}, "bounds", "has 1.5, which is not between 0 and 1"),
        (rand_distance, {"limit": lambda t: 0}, "limit", r"but the limit from \[\[1, 1\]\] is 0"),
        (rand_distance, {"other_input": lambda a, b: 0}, "other input", "but that of the labels"),
        (rand_distance, {"soft": lambda U, V: 0}, "soft", "but its soft version is 0"),
        (lambda t: float("nan"), {"bounds": (0, 1)}, "bounds", "has nan"),
        (lambda t: 1 / t.size, {"identity": 1, "refinement": True, "symmetric": False}, "identity", "equal"),
        (changes_its_input, {}, "order", "the index changed"),
    ],
)
def test_each_claim_can_fail(index, claims, claim, message):
    error = broken(index, 50, **claims)
    assert error.claim == claim
    with pytest.raises(ContractError, match=message):
        raise error


def test_refinement_can_fail():
    def number_of_clusters_is_odd(table):
        return 0 if table.shape == (1, 1) else table.shape[1] % 2

    def away(table):
        equal = (table > 0).sum() == max(table.shape) == min(table.shape)
        return 0 if equal else 2 - number_of_clusters_is_odd(table)

    assert broken(away, symmetric=False, identity=0, refinement=True).claim == "refinement"


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"takes": "matrix"}, 'takes must be "table" or "labels", got \'matrix\''),
        ({"refinement": True}, "refinement needs identity"),
        ({"limit": med, "takes": "labels"}, 'limit needs an index that takes="table"'),
    ],
)
def test_arguments_are_checked(claims, message):
    with pytest.raises(ValueError, match=message):
        check_index(med, **claims)
