"""Draws at fixed margins: by counting as far as it reaches, refused beyond."""

import numpy as np
import pytest
from goodness import p_value, uniform

from confmat.classes import FixedMargins
from confmat.errors import TooLargeError
from confmat.sampling import sample, stream


def test_counting_reaches_five_by_five():
    fiber = FixedMargins([10] * 5, [10] * 5)
    assert fiber.count() == 79_315_936_751
    draws = stream(fiber, 4000, rng=1)
    tables = draws.array()
    assert draws.method.name == "counting"
    assert all(table in fiber for table in tables[:50])
    # Every cell has the same law by symmetry: mean 2.
    assert np.abs(tables.mean(axis=0) - 2).max() < 4.5 * tables.std() / 4000**0.5


@pytest.mark.slow
def test_counting_reaches_the_eye_hair_table():
    fiber = FixedMargins([220, 215, 93, 64], [108, 286, 71, 127])
    tables = stream(fiber, 2000, rng=1).array()
    by_rank = np.asarray(sample(fiber, 300, rng=2, method="unranking"))
    gap = tables.mean(axis=0) - by_rank.mean(axis=0)
    assert (np.abs(gap) < 4.5 * by_rank.std(axis=0) / 300**0.5 * 1.1).all()


SHORT = [
    (FixedMargins([1] * 4, [2, 1, 1]), "arrangement"),
    (FixedMargins([2, 0, 1, 1], [1, 0, 1, 1, 1]), "arrangement"),
    (FixedMargins([2, 1, 2, 1], [3, 2, 1]), "counting"),
    (FixedMargins([3, 3], [1, 2, 2, 1]), "counting"),
]


@pytest.mark.parametrize(("fiber", "name"), SHORT)
def test_draws_from_short_lines_are_uniform(fiber, name):
    draws = stream(fiber, 30 * fiber.count(), rng=3, method="counting")
    assert draws.method.name == name
    assert p_value(uniform(fiber), draws.array()) > 0.001


@pytest.mark.parametrize(
    ("fiber", "name"),
    [
        (FixedMargins([1] * 100, [1] * 100), "arrangement"),
        (FixedMargins([1] * 1000, [1] * 1000), "arrangement"),
        (FixedMargins([2] + [1] * 98, [2] + [1] * 98), "counting"),
        (FixedMargins([2] * 60, [3] * 40), "counting"),
    ],
)
def test_many_short_lines_are_drawn_from_at_once(fiber, name):
    draws = stream(fiber, 2, rng=1)
    tables = draws.array()
    assert draws.method.name == name
    assert all(table in fiber for table in tables)


def test_counting_that_was_asked_for_reaches_short_lines():
    draws = stream(FixedMargins([2] * 60, [3] * 40), 400, rng=2, method="counting")
    tables = draws.array()
    # By symmetry the mean of every cell is 1/20.
    assert abs(tables[:, 0, 0].mean() - 0.05) < 4.5 * tables.std() / 20
    assert np.abs(tables.mean(axis=0) - 0.05).max() < 6 * tables.std() / 20


def test_unranking_that_would_fill_memory_is_refused(monkeypatch):
    fiber = FixedMargins([40] * 5, [40] * 5)
    assert stream(fiber, 1).method.name == "unranking"
    monkeypatch.setattr("confmat.sampling.choice.MOST_UNRANKED_ENTRIES", 10**6)
    with pytest.raises(TooLargeError, match="the margins are too large to count"):
        stream(fiber, 1)


@pytest.mark.parametrize("fiber", [FixedMargins([100] * 8, [100] * 8), FixedMargins([3] * 200, [3] * 200)])
def test_margins_too_large_to_count_are_refused(fiber):
    with pytest.raises(TooLargeError, match="too large to count"):
        stream(fiber, 1)
