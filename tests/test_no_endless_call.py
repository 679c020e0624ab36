"""What nothing meets is said at once, whatever the method; a limit is of seconds."""

import time
from operator import attrgetter

import numpy as np
import pytest

import confmat as cm
from confmat import Limits
from confmat.errors import TooRareError


@pytest.mark.parametrize("method", ["unranking", "rejection", "auto"])
@pytest.mark.parametrize("matrices", [cm.Tables(4, 2, 2), cm.Tables(5, 2, 3)])
def test_no_member_is_said_at_once(method, matrices):
    begun = time.process_time()
    if method == "rejection" and matrices.possible_sums is None:
        return
    with pytest.raises(ValueError, match=r"no member of Tables\(.* has ri > 2"):
        cm.sample(matrices, 2, method=method, given="ri>2", rng=1)
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("method", ["unranking", "rejection"])
def test_one_member_among_many_is_drawn_from_a_list(method):
    begun = time.process_time()
    only = cm.sample(
        cm.Tables(40, 2, 2), 50, rng=1, method=method, given=lambda t: bool((t == [[37, 1], [1, 1]]).all())
    )
    assert np.unique(only.tables, axis=0).tolist() == [[[37, 1], [1, 1]]]
    assert time.process_time() - begun < 20


def test_a_method_that_is_named_is_taken_where_it_finds_members():
    draws = cm.sample(cm.Tables(10, 2, 2), 50, rng=1, method="unranking", given="ari>0")
    assert draws.method.name == "unranking, filtered"


def test_the_limit_of_filtering_is_of_seconds(monkeypatch):
    monkeypatch.setattr("confmat.sampling.given.MOST_FILTERED", 0.5)
    begun = time.process_time()
    with pytest.raises(TooRareError, match="draws from Tables"):
        cm.sample(
            cm.Tables(40, 4, 4),
            5,
            rng=1,
            method="unranking",
            given="ari>99/100, vi<1/1000",
            limits=Limits(threads=1),
        )
    assert time.process_time() - begun < 60


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param([0, *range(13)], marks=pytest.mark.slow),
        pytest.param([0, 0, *range(12)], marks=pytest.mark.slow),
        pytest.param(range(20), marks=pytest.mark.slow),
        pytest.param([0, *range(19)], marks=pytest.mark.slow),
        pytest.param([0, 0, *range(20)], marks=pytest.mark.slow),
    ],
)
def test_a_card_of_single_objects_answers(labels):
    """Tables whose lines hold hardly more than one object are drawn by position, a tenth of a second each."""
    begun = time.process_time()
    card = cm.compare(list(labels), list(labels))
    assert all(rank.pvalue.pvalue <= 1 for rank in card.ranks.values())
    assert f"{len(labels)} objects" in str(card)
    assert time.process_time() - begun < 60


TAKES_A_MATRIX = (
    [name for name in dir(cm) if name in cm.statistics.STATISTICS]
    + ["compare", "exact_test", "permutation_test", "classification_report"]
    + ["plots.matrix_map", "plots.classifier", "indices.pair_counts"]
)


@pytest.mark.parametrize("name", TAKES_A_MATRIX)
def test_a_class_is_not_read_as_a_matrix(name):
    """Its members would be read as rows, and a large class never ends."""
    function = attrgetter(name)(cm)
    with pytest.raises(TypeError, match=r"must be a .* got FixedMargins\(rows=\(1, 1\)"):
        function(cm.FixedMargins([1, 1], [1, 1]))


def test_a_class_is_no_distribution_to_draw():
    with pytest.raises(TypeError, match="probabilities must be a dictionary"):
        cm.plots.med_bars(cm.Tables(3, 2, 2), 3)
