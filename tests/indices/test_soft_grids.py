"""The exhaustive angle: enumeration, vectorised indices against the plain functions, recorded extremes."""

from fractions import Fraction as F
from itertools import combinations_with_replacement, product

import pytest

import soft_grids as grids
from confmat.errors import UndefinedIndexError
from confmat.indices import soft
from flynt2019 import largest_excess, smallest_excess_example


def all_pairs(n, q, K, L):
    """Pairs as plain functions take them, by another enumeration."""
    rows_u = [[F(x, q) for x in row] for row in product(range(q + 1), repeat=K) if sum(row) == q]
    rows_v = [[F(x, q) for x in row] for row in product(range(q + 1), repeat=L) if sum(row) == q]
    joint = list(product(rows_u, rows_v))
    for chosen in combinations_with_replacement(joint, n):
        yield [u for u, _ in chosen], [v for _, v in chosen]


def hard(W):
    labels = [max(range(len(row)), key=row.__getitem__) for row in W]
    tied = any(row.count(max(row)) > 1 for row in W)
    return None if tied else labels


@pytest.mark.parametrize(("n", "q"), [(2, 3), (3, 2), (3, 3)])
def test_extremes_by_the_plain_functions(n, q):
    excess, ndcs, same = [], [], []
    for U, V in all_pairs(n, q, 2, 2):
        try:
            value = soft.sari(U, V, exact=True)
        except UndefinedIndexError:
            value = None
        pairs = soft.anderson_pairs(U, V, exact=True)
        positive = (pairs.a + pairs.b) * (pairs.b + pairs.d) + (pairs.a + pairs.c) * (pairs.c + pairs.d) > 0
        ndcs.append(soft.ndc(U, V, exact=True))
        if hard(U) is not None and hard(U) == hard(V):
            same.append(ndcs[-1])
        if (
            hard(U) is not None
            and hard(V) is not None
            and positive
            and len(set(hard(V))) + len(set(hard(U))) > 2
        ):
            excess.append((value - soft.sari(hard(U), hard(V), exact=True), all(max(v) == 1 for v in V)))
    assert grids.smallest_ndc(n, q).value == min(ndcs)
    assert grids.smallest_ndc(n, q, same_hard=True).value == min(same)
    if n > 2:  # two objects in two clusters on both sides have ARI 0/0
        assert largest_excess(n, q, soft_v=True).value == max(value for value, _ in excess)
        assert largest_excess(n, q).value == max(value for value, crisp in excess if crisp)


def test_smallest_example_of_a_soft_index_above_the_hard_one():
    n, q, witness = smallest_excess_example()
    assert (n, q, witness.value) == (3, 3, F(9, 34))
    assert ((0, 1), (F(1, 3), F(2, 3)), (1, 0)) == witness.U
    assert witness.V == ((0, 1), (1, 0), (1, 0))
    ari = soft.sari([1, 1, 0], [0, 1, 1], exact=True)
    assert soft.sari(witness.U, witness.V, exact=True) - ari == F(9, 34)
    for q in range(2, 7):
        witness_of_two = largest_excess(2, q)
        assert witness_of_two.value == 0
    assert largest_excess(3, 2).value == 0
    assert smallest_excess_example(soft_v=True)[:2] == (3, 3)


@pytest.mark.parametrize(
    ("n", "q", "value"),
    [
        (3, 5, F(33, 94)),
        (4, 5, F(8, 25)),
        pytest.param(5, 5, F(36, 91), marks=pytest.mark.slow),
        pytest.param(5, 6, F(32, 97), marks=pytest.mark.slow),
    ],
)
def test_largest_excess(n, q, value):
    witness = largest_excess(n, q)
    assert witness.value == value
    U, V = witness.U, witness.V
    assert soft.sari(U, V, exact=True) - soft.sari(hard(U), hard(V), exact=True) == value


def test_two_fuzzy_clusterings_with_one_hard_partition_can_be_far_apart():
    witness = grids.smallest_ndc(3, 3, same_hard=True)
    assert witness.value == F(5, 9) == soft.ndc(witness.U, witness.V, exact=True)
    assert hard(list(map(list, witness.U))) == hard(list(map(list, witness.V)))
    assert grids.smallest_ndc(3, 2, same_hard=True).value == 1  # halves are tied: only hard rows are left


def test_more_clusters():
    witness = largest_excess(3, 3, clusters=3, classes=2)
    assert witness.value == soft.sari(witness.U, witness.V, exact=True) - soft.sari(
        hard(list(map(list, witness.U))), hard(list(map(list, witness.V))), exact=True
    )
    assert largest_excess(1, 3) is None  # one object has no pairs, both indices are 0/0


@pytest.mark.slow
def test_whole_grid_of_five_objects_and_sixths():
    assert grids.smallest_ndc(5, 6).value == F(2, 5)
    assert largest_excess(5, 6, soft_v=True).value == F(85, 243)


def test_bad_input():
    with pytest.raises(ValueError, match="q must be at least 1, got 0"):
        grids.smallest_ndc(3, 0)
    with pytest.raises(ValueError, match="n must be at least 2, got 1"):
        grids.smallest_ndc(1, 2)
