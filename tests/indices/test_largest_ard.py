"""The largest ARD of a shape: against all tables, against the slow search over hooks, and where it is not proved."""

from __future__ import annotations

import runpy
from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from confmat.classes import Tables
from confmat.conjectures import LITERATURE
from confmat.errors import NotProvedError
from confmat.indices import PairSums
from confmat.indices.extremes import (
    equal_cells_are_best,
    max_adjusted_rand_distance,
    max_adjusted_rand_distance_2x2,
    max_adjusted_rand_matrices,
    max_adjusted_rand_matrix,
    min_adjusted_rand_index,
)
from confmat.indices.integer_polynomials import nonnegative
from confmat.indices.only_hooks import only_hooks
from confmat.search import maximize
from proofs._two_rows import largest_ard
from proofs.max_ard_only_hooks import NO_HOOK
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


@pytest.mark.parametrize(("r", "s", "most"), [(3, 3, 9), (3, 4, 8), (3, 5, 7), (4, 4, 7)])
def test_small_shapes_against_all_tables(r, s, most):
    for n in range(s, most + 1):
        assert max_adjusted_rand_distance(n, r, s) == by_definition(n, r, s), n


@pytest.mark.parametrize(("r", "s"), [(2, 3), (2, 7), (3, 3), (3, 4), (4, 5), (5, 5)])
def test_all_matrices_of_the_theorem_are_those_of_the_certified_search(r, s):
    listed = 0
    for n in range(s + 1, 22):
        found = maximize(Tables(n, r, s), "ard", method="bound-and-prune", restarts=2)
        attaining = [table.tolist() for table in found.tables]
        answer = maximize(Tables(n, r, s), "ard", method="theorem")
        assert (answer.value, answer.proved) == (found.value, True), n
        if answer.complete:
            assert [table.tolist() for table in answer.tables] == attaining, n
            listed += 1
        else:
            assert answer.tables[0].tolist() in attaining, n
    assert listed > 8


def test_where_only_hooks_are_proved_to_be_best_they_are():
    """At (12, 3, 3) no certificate is found, at (10, 3, 3) and (12, 3, 4) there is none: no hook is best."""
    certain = [
        (n, r, s) for r, s in [(3, 3), (3, 4), (4, 4)] for n in range(s + 1, 21) if only_hooks(n, r, s)
    ]
    assert (13, 3, 3) in certain
    assert not {(10, 3, 3), (12, 3, 4), (5, 4, 4)} & set(certain)
    for n, r, s in certain:
        for table in maximize(Tables(n, r, s), "ard", method="bound-and-prune", restarts=2).tables:
            first_row, first_column = (table.sum(axis=k).argmax() for k in (1, 0))
            cross = table[first_row].sum() + table[:, first_column].sum() - table[first_row, first_column]
            assert cross == n, (n, r, s)


def test_equal_cells_are_largest_where_the_registry_says():
    """2 x s, 3 x 3, 3 x 4: only where other tables than hooks are largest can the table of equal cells be."""
    candidates = {(n, 2, s) for s, ns in OTHERS.items() for n in ns} | {(s + 2, 2, s) for s in range(7, 30)}
    candidates |= {(n, *shape) for shape, ns in NO_HOOK.items() for n in ns}
    found = {
        (n, r, s)
        for n, r, s in candidates
        if n % (r * s) == 0
        and PairSums.of([[n // (r * s)] * s] * r).adjusted_rand_distance
        == max_adjusted_rand_distance(n, r, s)
    }
    excepted = LITERATURE["ard-independent-exceptions"].applies
    assert found == {size for size in candidates if _is_divisible(*size) and not excepted(Tables(*size))}


def _is_divisible(n, r, s):
    return n % (r * s) == 0


def largest_ard_of_hooks(n, r, s):
    """Largest ARD of all balanced hooks, compared one with the other."""
    arm = np.arange(s - 1, n - (r - 1) + 1)[:, None]
    leg = np.arange(r - 1, n - (s - 1) + 1)[None, :]
    corner = np.maximum(n - arm - leg, 0)

    def pairs(x):
        return x * (x - 1) // 2

    def pairs_of_balanced(total, parts):
        q, k = np.divmod(total, parts)
        return parts * pairs(q) + k * q

    M = comb(n, 2)
    in_arm, in_leg = pairs_of_balanced(arm, s - 1), pairs_of_balanced(leg, r - 1)
    A, B = pairs(corner + arm) + in_leg, pairs(corner + leg) + in_arm
    F, D = A + B - 2 * (pairs(corner) + in_arm + in_leg), A * (M - B) + B * (M - A)
    # Doubles find the candidates, fractions decide.
    ratio = np.where((arm + leg <= n) & (D > 0), F / np.maximum(D, 1), 0.0)
    candidates = np.argwhere((arm + leg <= n) & (ratio >= ratio.max() * (1 - 1e-12)))
    return max(Fraction(M * int(F[i, j]), int(D[i, j]) or 1) for i, j in candidates)


def test_best_hook_against_all_hooks():
    """But where equal cells are larger."""
    for r, s in product(range(2, 7), repeat=2):
        for n in (*range(r + s - 2, 40), 77, 140):
            largest = max_adjusted_rand_distance(n, r, s)
            of_hooks = largest_ard_of_hooks(n, r, s)
            assert largest >= of_hooks, (n, r, s)
            assert (largest > of_hooks) <= equal_cells_are_best(n, *sorted((r, s))), (n, r, s)


def balanced(total, parts):
    """The total in parts that differ by one at most, the larger ones first."""
    return [(total + parts - 1 - i) // parts for i in range(parts)]


def hook_table(n, r, s, arm, leg):
    table = np.zeros((r, s), int)
    table[0] = [n - arm - leg, *balanced(arm, s - 1)]
    table[1:, 0] = balanced(leg, r - 1)
    return table.tolist()


def best_hooks_one_by_one(n, r, s):
    """All balanced hooks with the largest ARD, by arm, then leg."""
    sizes = [(arm, leg) for arm in range(s - 1, n) for leg in range(r - 1, n - arm + 1)]
    every = [hook_table(n, r, s, *size) for size in sizes]
    distances = [PairSums.of(table).adjusted_rand_distance for table in every]
    return [table for table, distance in zip(every, distances) if distance == max(distances)]


def test_best_hook_is_the_first_among_equals():
    """So that both orders of the shape have a fixed table: at (7,2,3) and many more several hooks tie."""
    ties = 0
    for n, r, s in [(7, 2, 3), (8, 4, 4), (13, 2, 2), (26, 3, 3), (11, 3, 3), (14, 3, 4)]:
        best = best_hooks_one_by_one(n, r, s)
        assert max_adjusted_rand_matrix(n, r, s).tolist() == best[0]
        assert max_adjusted_rand_matrix(n, s, r).tolist() in (np.transpose(best[0]).tolist(), best[0])
        ties += len(best) > 1
    assert ties > 1


def test_no_best_hook_is_left_out():
    for n, r, s in [(14, 3, 4), (26, 3, 3), (8, 4, 4), (12, 2, 7), (9, 2, 4), (30, 2, 5)]:
        found = [table.tolist() for table in max_adjusted_rand_matrices(n, r, s)]
        assert found == best_hooks_one_by_one(n, r, s)


@pytest.mark.parametrize("degree", range(5))
def test_integers_where_a_polynomial_is_not_negative(degree):
    rng = np.random.default_rng(degree)
    for _ in range(300):
        p = rng.integers(-9, 10, degree + 1).tolist()
        p[0] *= int(rng.integers(1, 200))
        low, high = sorted(rng.integers(-12, 13, 2).tolist())
        found = {x for begin, end in nonnegative(p, low, high) for x in range(begin, end + 1)}
        at = {x: sum(c * x**k for k, c in enumerate(p)) for x in range(low, high + 1)}
        assert found == {x for x, value in at.items() if value >= 0}, (p, low, high)


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
    """Milliseconds, and the limit of populations (proofs/max_ard_populations.py) from above."""
    value = max_adjusted_rand_distance(10**9, 2, 50)
    assert 0 < value - Fraction("1.1695868414") < Fraction(1, 10**8)
    assert 0 < max_adjusted_rand_distance(10**9, 40, 50) - Fraction("1.3672060467") < Fraction(1, 10**8)


def test_the_page_shows_the_values():
    page = Path(__file__).parents[2] / "notebooks" / "pages" / "largest_ard.md"
    builder = runpy.run_path(str(page.parents[1] / "build_largest_ard.py"))
    assert builder["with_table"](page.read_text(encoding="utf-8")) == page.read_text(encoding="utf-8")


def test_an_unproved_maximum_is_reported():
    with pytest.raises(
        NotProvedError, match=r"not proved at n = 23, r = 12, s = 12: conjectured=True gives the best hook"
    ):
        max_adjusted_rand_distance(23, 12, 12)
    with pytest.raises(NotProvedError, match="there is no hook with n < r \\+ s - 2"):
        min_adjusted_rand_index(13, 12, 12, conjectured=True)
    with pytest.raises(
        NotProvedError, match="matrices with the largest ARD are not all known at n = 6, r = 4, s = 5"
    ):
        max_adjusted_rand_matrices(6, 4, 5)
    with pytest.raises(ValueError, match="n must be at least 5"):
        max_adjusted_rand_matrix(4, 5, 2)
    with pytest.raises(ValueError, match="a hook needs"):
        LITERATURE["ard-form"].predicate(Tables(3, 1, 3))


def test_a_hook_asked_for_by_another_type_is_not_kept_for_this_one():
    """NumPy's integers would overflow."""
    small, large = np.int64(25), np.int64(10**9)
    assert max_adjusted_rand_distance(small, 2, 4) == max_adjusted_rand_distance(25, 2, 4)
    assert max_adjusted_rand_distance(large, 2, 50) == max_adjusted_rand_distance(10**9, 2, 50)
