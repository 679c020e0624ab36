"""`MembershipGrids`: counted, gone through up to symmetry, drawn, searched and checked, against plain enumeration."""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations_with_replacement, permutations, product

import pytest

import confmat as cm

SMALL = [(1, 2, 2, 2), (2, 2, 2, 2), (3, 2, 2, 2), (2, 3, 2, 2), (2, 3, 3, 2), (3, 2, 3, 1), (2, 1, 3, 4)]


def rows(clusters, d):
    return [tuple(F(x, d) for x in row) for row in product(range(d + 1), repeat=clusters) if sum(row) == d]


def members(n, r, s, d):
    return list(combinations_with_replacement(sorted(product(rows(r, d), rows(s, d))), n))


def canonical(pairs, r, s):
    images = product(permutations(range(r)), permutations(range(s)))
    return min(
        tuple(sorted((tuple(u[i] for i in p), tuple(v[j] for j in q)) for u, v in pairs)) for p, q in images
    )


@pytest.mark.parametrize("sizes", SMALL)
def test_counts_and_orbits_are_those_of_plain_enumeration(sizes):
    n, r, s, d = sizes
    grids = cm.MembershipGrids(n, r, s, d)
    every = members(*sizes)
    orbits = Counter(canonical(pairs, r, s) for pairs in every)
    found = {tuple(sorted(zip(U, V))): weight for U, V, weight in grids.representatives()}
    assert grids.count() == len(every)
    assert grids.orbits_count() == len(orbits) == len(found)
    assert {canonical(pairs, r, s): weight for pairs, weight in found.items()} == orbits


def test_with_whole_memberships_they_are_tables():
    for n, r, s in [(4, 2, 2), (3, 2, 3), (9, 3, 4)]:
        assert cm.MembershipGrids(n, r, s, 1).count() == cm.Tables(n, r, s, allow_empty=True).count()


# --- the class as text ---
