"""Grids of memberships: rows, pairs and their number, against other enumerations."""

from __future__ import annotations

import math
from itertools import product

import pytest

from confmat.classes import memberships
from confmat.classes.memberships import grid_rows
from membership_grids import pairs_of_memberships


@pytest.mark.parametrize(("clusters", "q"), [(1, 3), (2, 6), (3, 4)])
def test_grid_rows(clusters, q):
    rows = [tuple(row) for row in grid_rows(clusters, q).tolist()]
    expected = [row for row in product(range(q + 1), repeat=clusters) if sum(row) == q]
    assert sorted(rows) == expected


def test_pairs_are_each_multiset_of_joint_rows_once(monkeypatch):
    monkeypatch.setattr(memberships, "PAIRS_OF_CHUNK", 7)
    rows_u, rows_v = grid_rows(2, 2), grid_rows(2, 1)
    seen = [
        tuple(sorted((tuple(u), tuple(v)) for u, v in zip(U, V)))
        for chunk in pairs_of_memberships(rows_u, rows_v, 3)
        for U, V in zip(chunk[0].tolist(), chunk[1].tolist())
    ]
    assert len(seen) == len(set(seen)) == math.comb(6 + 3 - 1, 3)
