"""Grids of memberships: rows, pairs and their number, against other enumerations."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement, product

import pytest

from confmat.classes import memberships
from confmat.classes.memberships import grid_rows
from confmat.conjectures.claims.membership_grids import MembershipPairs, pairs_of_memberships


@pytest.mark.parametrize(("clusters", "q"), [(1, 3), (2, 6), (3, 4)])
def test_grid_rows(clusters, q):
    rows = [tuple(row) for row in grid_rows(clusters, q).tolist()]
    expected = [row for row in product(range(q + 1), repeat=clusters) if sum(row) == q]
    assert sorted(rows) == expected


def test_pairs_are_each_multiset_of_joint_rows_once(monkeypatch):
    monkeypatch.setattr(memberships, "CHUNK", 7)
    rows_u, rows_v = grid_rows(2, 2), grid_rows(2, 1)
    seen = [
        tuple(sorted((tuple(u), tuple(v)) for u, v in zip(U, V)))
        for chunk in pairs_of_memberships(rows_u, rows_v, 3)
        for U, V in zip(chunk[0].tolist(), chunk[1].tolist())
    ]
    assert len(seen) == len(set(seen)) == math.comb(6 + 3 - 1, 3)


def test_count_of_membership_pairs_against_enumeration():
    for n, q, clusters, classes in [(1, 1, 2, 2), (2, 3, 2, 2), (2, 4, 3, 2), (3, 2, 3, 1), (2, 6, 4, 1)]:
        untied = [
            row
            for row in product(range(q + 1), repeat=clusters)
            if sum(row) == q and sorted(row)[-1] > sorted(row)[-2]
        ]
        expected = sum(1 for _ in combinations_with_replacement(range(len(untied) * classes), n))
        pairs = MembershipPairs(n, q, clusters, classes)
        assert pairs.count() == expected == sum(len(U) for U, _ in pairs.blocks())
