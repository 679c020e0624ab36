"""Draws at fixed margins: by counting as far as it reaches, by a Markov chain beyond, and its diagnostics."""

import numpy as np
import pytest
from goodness import p_value, uniform
from late import networkx

from confmat.classes import FixedMargins
from confmat.sampling import chain_report, sample, stream


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


def test_chain_is_used_where_counting_ends_and_is_judged():
    fiber = FixedMargins([100] * 8, [100] * 8)
    draws = stream(fiber, 4096, rng=1)
    assert draws.method.name == "chain"
    assert not draws.method.exact
    tables = draws.array()
    assert (tables.sum(axis=1) == 100).all()
    assert (tables.sum(axis=2) == 100).all()
    report = chain_report(tables[:, 0, 0])
    assert report.chains == 4
    assert report.r_hat < 1.02
    assert report.ess > 400


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
        (FixedMargins([2] + [1] * 148, [2] + [1] * 148), "counting"),
        (FixedMargins([2] * 60, [3] * 40), "counting"),
        (FixedMargins([3] * 200, [3] * 200), "chain"),
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


def test_unranking_that_would_fill_memory_leaves_to_the_chain(monkeypatch):
    fiber = FixedMargins([40] * 5, [40] * 5)
    assert stream(fiber, 1).method.name == "unranking"
    monkeypatch.setattr("confmat.sampling.choice.MOST_UNRANKED_ENTRIES", 10**6)
    assert stream(fiber, 1).method.name == "chain"


def test_chain_report_notices_chains_that_disagree():
    rng = np.random.default_rng(1)
    assert chain_report(np.concatenate([rng.normal(k, 1, 1024) for k in range(4)])).r_hat > 1.3
    drift = np.cumsum(rng.normal(size=4096))
    assert chain_report(drift).ess < 100
    assert chain_report(np.ones(64)).r_hat == 1
    with pytest.raises(ValueError, match="at least 8"):
        chain_report(np.ones(3))


@pytest.mark.parametrize(
    "fiber", [FixedMargins([4, 3, 2], [3, 3, 3]), FixedMargins([1, 2, 2], [3, 2]), FixedMargins([5], [2, 3])]
)
def test_moves_connect_the_fiber(fiber):
    """NetworkX: the graph of the tables under +-1 moves is connected, and the chain reaches all of it."""
    tables = {table.tobytes(): table for table in fiber}
    graph = networkx.Graph()
    graph.add_nodes_from(tables)
    r, s = fiber.shape
    for name, table in tables.items():
        for i in range(r):
            for k in set(range(r)) - {i}:
                for j in range(s):
                    for l in set(range(s)) - {j}:
                        moved = table.copy()
                        moved[[i, k], [j, l]] += 1
                        moved[[i, k], [l, j]] -= 1
                        if moved.min() >= 0:
                            assert moved in fiber
                            graph.add_edge(name, moved.tobytes())
    assert networkx.is_connected(graph)
    assert networkx.diameter(graph) <= fiber.n  # every move that helps brings two points home
    reached = {x.tobytes() for x in np.asarray(sample(fiber, 5000, rng=1, method="chain"))}
    assert reached == set(tables)
