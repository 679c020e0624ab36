"""How many matchings are best: against every set of cells, and where `compare` says it."""

from itertools import combinations

import numpy as np
import pytest
from command_line import succeed

from confmat.contingency import best_matching, count_best_matchings


def by_all_sets(table):
    """Best matchings among all sets of positive cells, each row and column at most once."""
    cells = [cell for cell in np.ndindex(table.shape) if table[cell]]
    best, count = best_matching(table).total, 0
    for k in range(min(table.shape) + 1):
        for chosen in combinations(cells, k):
            rows, columns = {i for i, _ in chosen}, {j for _, j in chosen}
            apart = len(rows) == len(columns) == k
            count += apart and sum(table[cell] for cell in chosen) == best
    return count


@pytest.mark.parametrize("shape", [(1, 3), (2, 2), (3, 2), (3, 3), (2, 4)])
def test_counts_are_those_of_all_sets_of_cells(shape):
    rng = np.random.default_rng(5)
    for _ in range(60):
        table = rng.integers(0, 3, shape)
        if table.any():
            assert count_best_matchings(table) == by_all_sets(table)


def test_counts_beyond_64_bits_and_beyond_reach():
    assert count_best_matchings([[2**70, 1], [1, 2**70]]) == 1
    assert count_best_matchings(np.ones((12, 12), int)) == 479001600
    assert count_best_matchings(np.ones((40, 40), int)) is None


def test_compare_says_that_the_matching_is_not_unique(confmat):
    shown = succeed(confmat("compare", "--matrix", "1,1,1;1,1,1;1,1,1"))
    assert "Best matching, one of 6: 3 of 9 objects" in shown
    assert "one of" not in succeed(confmat("compare", "--matrix", "8,2;1,9"))
