"""Partitions of an integer against all sequences."""

from itertools import permutations, product

import pytest

from confmat.classes.compositions import distinct_orderings, partitions, partitions_count


@pytest.mark.parametrize("parts", range(5))
@pytest.mark.parametrize("minimum", [0, 1])
def test_partitions_against_all_sequences(parts, minimum):
    for n in range(-2, 8):
        sequences = product(range(n, minimum - 1, -1), repeat=parts)
        expected = [x for x in sequences if sum(x) == n and list(x) == sorted(x, reverse=True)]
        assert list(partitions(n, parts, minimum=minimum)) == expected
        assert partitions_count(n, parts, minimum=minimum) == len(expected)


def test_the_defaults_are_positive_parts():
    assert list(partitions(3, 2)) == [(2, 1)]
    assert partitions_count(3, 2) == 1


@pytest.mark.parametrize("parts", [(), (3,), (2, 2), (2, 1, 1), (3, 2, 1), (1, 1, 1, 1), (3, 3, 0, 0, 0)])
def test_orderings_against_all_permutations(parts):
    assert distinct_orderings(parts) == len(set(permutations(parts)))
