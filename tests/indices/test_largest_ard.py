"""The largest ARD of a shape: against all tables, against the slow search over hooks, and where it is not proved."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from confmat.classes import Tables
from confmat.conjectures.claims.distances import INDEPENDENT_IS_LARGEST
from confmat.conjectures.claims.hooks import largest_hook_ard
from confmat.errors import NotProved
from confmat.indices.extremes import (
    max_adjusted_rand_distance,
    max_adjusted_rand_distance_2x2,
    max_adjusted_rand_matrix,
    min_adjusted_rand_index,
)
from confmat.indices.hooks import Hook, _possible_legs, best_hook
from confmat.indices.pairs import PairSums
from confmat.search import maximize
from proofs._two_rows import largest_ard
from proofs.max_ard_three_rows import OTHERS as THREE_ROWS
from proofs.max_ard_two_rows import OTHERS


def by_definition(n, r, s):
    """The largest ARD over all tables, one by one."""
    return max(PairSums.of(table).adjusted_rand_distance for table in Tables(n, r, s))


@pytest.mark.parametrize(
    ("r", "s", "most"), [(1, 1, 3), (1, 3, 7), (2, 2, 15), (2, 3, 11), (2, 4, 10), (2, 5, 9), (2, 6, 9)]
)
def test_two_rows_against_all_tables(r, s, most):
    for n in range(s, most + 1):
        assert max_adjusted_rand_distance(n, r, s) == by_definition(n, r, s), n


def test_two_rows_against_the_search_over_column_sums():
    for s in range(2, 41):
        for n in range(s + 1, s + 14):
            assert max_adjusted_rand_distance(n, 2, s) == largest_ard(n, s).value, (n, s)


def test_three_rows_against_certified_maxima():
    for (r, s), others in THREE_ROWS.items():
        for n in range(s, max(others) + 4):
            assert max_adjusted_rand_distance(n, r, s) == maximize(Tables(n, r, s), "ard").value, (n, r, s)


@pytest.mark.parametrize(("r", "s", "most"), [(3, 5, 7), (4, 4, 7)])
def test_conjectured_values_against_all_tables(r, s, most):
    for n in range(r + s - 2, most + 1):
        assert max_adjusted_rand_distance(n, r, s, conjectured=True) == by_definition(n, r, s), n


def test_equal_cells_are_largest_where_the_registry_says():
    """2 x s, 3 x 3, 3 x 4: only where other tables than hooks are largest can the table of equal cells be."""
    candidates = {(n, 2, s) for s, ns in OTHERS.items() for n in ns} | {(s + 2, 2, s) for s in range(7, 30)}
    candidates |= {(n, *shape) for shape, ns in THREE_ROWS.items() for n in ns}
    found = {
        (n, r, s)
        for n, r, s in candidates
        if n % (r * s) == 0
        and PairSums.of([[n // (r * s)] * s] * r).adjusted_rand_distance
        == max_adjusted_rand_distance(n, r, s)
    }
    assert found == {size for size in INDEPENDENT_IS_LARGEST if size[1] == 2 or size[1:] in THREE_ROWS}


def test_best_hook_against_all_hooks():
    for r in range(2, 7):
        for s in range(2, 7):
            for n in (*range(r + s - 2, 40), 77, 140):
                hook = best_hook(n, r, s)
                assert hook.exists
                assert hook.ard == largest_hook_ard(n, r, s), (n, r, s)
                assert PairSums.of(hook.matrix()).adjusted_rand_distance == hook.ard
                assert np.sum(hook.matrix()) == n


def hooks_of(n, r, s):
    """All hooks, with their ARD."""
    legs = ((arm, leg) for arm in range(s - 1, n) for leg in range(r - 1, n - arm + 1))
    return {hook: hook.ard for hook in (Hook(n, r, s, arm, leg) for arm, leg in legs)}


def test_best_hook_is_the_first_among_equals():
    """So that both orders of the shape have a fixed table: at (7,2,3) and many more several hooks tie."""
    for n, r, s in [(7, 2, 3), (9, 3, 3), (11, 4, 3), (8, 4, 4), (13, 2, 2), (26, 3, 3)]:
        assert best_hook(n, r, s) == min((-ard, hook) for hook, ard in hooks_of(n, r, s).items())[1]


def test_no_leg_that_reaches_a_value_is_left_out():
    n, r, s = 14, 4, 3
    every = hooks_of(n, r, s)
    assert {*every} == {
        hook for ends in product(range(n + 1), repeat=2) if (hook := Hook(n, r, s, *ends)).exists
    }
    for value, arm in product({*every.values(), Fraction(1, 2)}, range(s - 1, n - r + 2)):
        reaching = {hook.leg for hook, ard in every.items() if hook.arm == arm and ard >= value}
        assert reaching <= {*_possible_legs(n, r, s, arm, value)} <= {*range(r - 1, n - arm + 1)}


@pytest.mark.parametrize(
    ("n", "r", "s"),
    [(10, 2, 7), (8, 2, 6), (6, 2, 2), (6, 6, 2), (30, 5, 2), (12, 1, 4), (5, 5, 5)],
)
def test_matrix_attains_the_value_in_either_order(n, r, s):
    for shape in ((r, s), (s, r)):
        matrix = max_adjusted_rand_matrix(n, *shape)
        assert matrix.shape == shape
        assert matrix in Tables(n, *shape)
        assert PairSums.of(matrix).adjusted_rand_distance == max_adjusted_rand_distance(n, r, s)
        assert 1 - PairSums.of(matrix).adjusted_rand_distance == min_adjusted_rand_index(n, *shape)


def test_two_by_two_is_the_best_of_all_diagonals():
    for n in range(4, 40):
        assert max_adjusted_rand_distance(n, 2, 2) == max(
            max_adjusted_rand_distance_2x2(n, d) for d in range(1, n // 2 + 1)
        )


def test_many_points_at_once():
    """A few hundredths of a second, and the limit of populations (proofs/max_ard_populations.py) from above."""
    value = max_adjusted_rand_distance(100_000, 2, 50)
    assert 0 < value - Fraction("1.169584") < Fraction(1, 10_000)


def test_what_is_not_proved_is_said():
    with pytest.raises(
        NotProved, match=r"not proved at n = 30, r = 4, s = 5: conjectured=True gives the best hook"
    ):
        max_adjusted_rand_distance(30, 4, 5)
    with pytest.raises(NotProved, match="there is no hook with n < r \\+ s - 2"):
        min_adjusted_rand_index(6, 4, 5, conjectured=True)
    with pytest.raises(ValueError, match="n must be at least 5"):
        max_adjusted_rand_matrix(4, 5, 2)
    with pytest.raises(ValueError, match="a hook needs"):
        best_hook(3, 1, 3)


def test_a_hook_asked_for_by_another_type_is_not_kept_for_this_one():
    assert best_hook(np.int64(25), 2, 4) == best_hook(25, 2, 4)
    assert type(best_hook(25, 2, 4).n) is int
