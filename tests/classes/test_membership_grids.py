"""Grids of memberships: rows, pairs and their number, against other enumerations."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest

from confmat.classes import MembershipGrids, memberships
from membership_grids import pairs_of_memberships


@pytest.mark.parametrize(("clusters", "q"), [(1, 3), (2, 6), (3, 4)])
def test_grid_rows(clusters, q):
    """Of one object in one cluster, and memberships of any: up to the order of these."""
    expected = Counter()
    for row in product(range(q + 1), repeat=clusters):
        if sum(row) == q:
            expected[tuple(sorted(row))] += 1
    seen = {}
    for _, ((*row,),), weight in MembershipGrids(1, 1, clusters, q).representatives():
        seen[tuple(sorted(q * x for x in row))] = weight
    assert seen == expected


def test_pairs_are_each_multiset_of_joint_rows_once(monkeypatch):
    monkeypatch.setattr(memberships, "PAIRS_OF_CHUNK", 7)
    rows_u, rows_v = np.array([[2, 0], [1, 1], [0, 2]]), np.array([[1, 0], [0, 1]])
    seen = [
        tuple(sorted((tuple(u), tuple(v)) for u, v in zip(U, V)))
        for chunk in pairs_of_memberships(rows_u, rows_v, 3)
        for U, V in zip(chunk[0].tolist(), chunk[1].tolist())
    ]
    assert len(seen) == len(set(seen)) == math.comb(6 + 3 - 1, 3)
