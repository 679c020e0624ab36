"""The transportation problem: least sums of squares against a flow algorithm and every table of a fiber."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from brute import rearrangements
from late import networkx

from confmat.classes import FixedMargins
from confmat.search import maximize
from confmat.search.transport import least_squares, least_squares_tables


def flow_oracle(rows, cols):
    """Least sum of squares by NetworkX's network simplex: the k-th unit of a cell costs 2k - 1."""
    graph = networkx.MultiDiGraph()
    for i, a in enumerate(rows):
        graph.add_node(("row", i), demand=-a)
    for j, b in enumerate(cols):
        graph.add_node(("col", j), demand=b)
    for i, a in enumerate(rows):
        for j, b in enumerate(cols):
            for k in range(1, min(a, b) + 1):
                graph.add_edge(("row", i), ("col", j), capacity=1, weight=2 * k - 1)
    return networkx.network_simplex(graph)[0]


def random_margins(rng, n, parts):
    return tuple(np.diff([0, *sorted(rng.integers(0, n + 1, parts - 1).tolist()), n]).tolist())


def test_least_squares_is_the_minimum_cost_flow():
    rng = np.random.default_rng(5)
    for _ in range(60):
        n, r, s = rng.integers([1, 1, 1], [40, 6, 6]).tolist()
        rows, cols = random_margins(rng, n, r), random_margins(rng, n, s)
        least = least_squares(rows, cols)
        assert least == flow_oracle(rows, cols)
        for table in least_squares_tables(rows, cols):
            assert (table * table).sum() == least
            assert (tuple(table.sum(axis=1).tolist()), tuple(table.sum(axis=0).tolist())) == (rows, cols)


def test_every_optimal_table_is_listed():
    rng = np.random.default_rng(6)
    for _ in range(80):
        n, r, s = rng.integers([1, 1, 1], [14, 4, 5]).tolist()
        rows, cols = random_margins(rng, n, r), random_margins(rng, n, s)
        fiber = FixedMargins(rows, cols)
        every = list(fiber)
        least = min((table * table).sum() for table in every)
        expected = {tuple(map(tuple, t.tolist())) for t in every if (t * t).sum() == least}
        listed = list(least_squares_tables(rows, cols))
        assert set().union(*(rearrangements(fiber, table, False) for table in listed)) == expected


def test_large_margins():
    rows, cols = (220_000_000, 215_000_000, 93_000_000), (108_000_001, 286_000_000, 133_999_999)
    result = maximize(FixedMargins(rows, cols), "rd")
    assert result.proved
    for table in result.tables:
        # Optimal exactly when no unit can be moved around a rectangle or a hexagon with profit.
        for i, k in permutations(range(3), 2):
            for j, l in permutations(range(3), 2):
                change = table[i, j] + table[k, l] - table[i, l] - table[k, j] + 2
                assert change >= 0 or min(table[i, l], table[k, j]) == 0
