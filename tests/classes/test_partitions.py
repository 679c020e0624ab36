"""Partitions of an integer, as the row sums of a class whose rows may be exchanged, against all sequences."""

from itertools import permutations, product

import pytest

from confmat.classes import Tables


def sorted_rows(n, parts, *, allow_empty):
    """The row sums of tables with one column, in order, with the number of their orderings."""
    margins = Tables(n, parts, 1, allow_empty).margins("permutations")
    return [(rows, weight) for rows, _, weight in margins]


@pytest.mark.parametrize("parts", range(1, 5))
@pytest.mark.parametrize("allow_empty", [False, True])
def test_partitions_against_all_sequences(parts, allow_empty):
    for n in range(8):
        sequences = product(range(n, -1 if allow_empty else 0, -1), repeat=parts)
        expected = [x for x in sequences if sum(x) == n and list(x) == sorted(x, reverse=True)]
        orderings = [len(set(permutations(x))) for x in expected]
        assert sorted_rows(n, parts, allow_empty=allow_empty) == list(zip(expected, orderings))
