import itertools
from fractions import Fraction

import numpy as np
import pytest

from confmat.indices.extremes import (
    max_adjusted_rand_distance_2x2,
    max_adjusted_rand_matrix_2x2,
    max_med,
    max_med_matrix,
    max_rand_distance,
    max_rand_matrix,
    med_2x2,
    rand_distance_2x2,
)
from confmat.indices.partition import adjusted_rand_distance, med, rand_distance

SIZES = [(1, 1, 8), (1, 2, 8), (1, 4, 8), (2, 2, 14), (2, 3, 10), (2, 4, 8), (3, 3, 8), (3, 4, 7), (4, 4, 5)]
CASES = [(n, r, s) for r, s, largest in SIZES for n in range(largest + 1)]


def all_tables(n, r, s):
    """Every r x s table of total n, as an array of shape (number, r, s): stars and bars."""
    bars = np.array(list(itertools.combinations(range(n + r * s - 1), r * s - 1)), dtype=int)
    bars = bars.reshape(-1, r * s - 1) if r * s > 1 else np.empty((1, 0), dtype=int)
    edges = np.pad(bars, ((0, 0), (1, 0)), constant_values=-1)
    edges = np.hstack([edges, np.full((len(bars), 1), n + r * s - 1)])
    return (np.diff(edges, axis=1) - 1).reshape(-1, r, s)


def largest_distances(tables):
    """Largest MED (times n) and largest F = n(n - 1) RD, for r <= s, from their definitions."""
    n, r, s = tables[0].sum(), *tables[0].shape
    matched = np.max(
        [tables[:, range(r), list(cols)].sum(axis=1) for cols in itertools.permutations(range(s), r)], axis=0
    )
    squares = (tables.sum(axis=1) ** 2).sum(axis=1) + (tables.sum(axis=2) ** 2).sum(axis=1)
    F = squares - 2 * (tables**2).sum(axis=(1, 2))
    return int(n - matched.min()), int(F.max())


@pytest.mark.parametrize(("n", "r", "s"), CASES)
def test_closed_forms_against_every_table(n, r, s):
    tables = all_tables(n, r, s)
    full = tables[tables.any(axis=1).all(axis=1) & tables.any(axis=2).all(axis=1)]
    pairs = max(1, n * (n - 1))
    for allow_empty, members in ((True, tables), (False, full)):
        if not len(members):
            with pytest.raises(ValueError, match="n must be at least"):
                max_med(n, r, s)
            continue
        most_moved, largest_F = largest_distances(members)
        for shape in ((r, s), (s, r)):
            assert max_med(n, *shape, allow_empty=allow_empty) == Fraction(most_moved, max(1, n))
            assert max_rand_distance(n, *shape, allow_empty=allow_empty) == Fraction(largest_F, pairs)


@pytest.mark.parametrize("r", range(1, 7))
@pytest.mark.parametrize("s", range(1, 7))
def test_matrices_attain_the_maxima(r, s):
    for n in range(max(r, s), 45):
        for matrix, index, largest in (
            (max_med_matrix(n, r, s), med, max_med(n, r, s)),
            (max_rand_matrix(n, r, s), rand_distance, max_rand_distance(n, r, s)),
        ):
            assert matrix.shape == (r, s)
            assert matrix.sum() == n
            assert matrix.any(axis=0).all()
            assert matrix.any(axis=1).all()
            assert matrix.min() >= 0
            assert index(matrix, exact=True) == largest


@pytest.mark.parametrize("r", range(1, 6))
def test_square_matrices_have_the_documented_form_and_not_its_transpose(r):
    for n in range(r, 30):
        spread, matched = max_med_matrix(n, r, r), n - n * max_med(n, r, r)
        if matched >= r:
            assert (spread[1:] <= 1).all()
        else:
            assert not spread[int(matched) - 1 :, 1:].any()
        if n >= 2 * r - 2:
            hook = max_rand_matrix(n, r, r)
            assert hook[1:].tolist() == [[1] + [0] * (r - 1)] * (r - 1)


def test_where_the_bound_of_the_literature_is_not_attained():
    assert max_med(2, 2, 2) == 0
    assert 8 * max_med(8, 3, 4) == 5
    assert 8 * max_med(8, 3, 4, allow_empty=True) == 6
    assert 9 * max_med(9, 3, 5) == 6


def test_printed_value_of_the_largest_rand_distance():
    for n, r, s in itertools.product(range(2, 30), range(1, 6), range(1, 6)):
        if n < max(r, s) or r == s == 1:
            continue
        printed = max_rand_distance(n, r, s, as_printed=True)
        assert printed > 0
        if n >= max(r, s) + 2 * (min(r, s) - 1):
            assert printed == max_rand_distance(n, r, s)
    assert max_rand_distance(4, 3, 3, as_printed=True) != max_rand_distance(4, 3, 3)


def test_maxima_of_any_size():
    n = 10**30
    assert max_med(n, 5, 7) == Fraction(n - -(-n // 7), n)
    assert max_rand_matrix(n, 3, 4).sum() == n
    assert rand_distance(max_rand_matrix(n, 3, 4), exact=True) == max_rand_distance(n, 3, 4)
    assert med(max_med_matrix(n, 4, 3), exact=True) == max_med(n, 3, 4)
    assert max_adjusted_rand_matrix_2x2(n, 5).tolist() == [[n - 5, 3], [2, 0]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: max_med(3, 4, 2), "no 2 x 4 table|n must be at least 4"),
        (lambda: max_med(-1, 2, 2), "n must be at least 0, got -1"),
        (lambda: max_rand_distance(5, 0, 2), "r must be at least 1, got 0"),
        (lambda: max_rand_matrix(1, 1, 2), "n must be at least 2"),
        (lambda: max_med_matrix(3, 4, 2), "n must be at least 4"),
        (lambda: max_med(5, 2, 0), "s must be at least 1, got 0"),
        (lambda: max_adjusted_rand_matrix_2x2(1, 0), "n must be at least 2, got 1"),
        (lambda: max_rand_distance(5, 2, 2, allow_empty=True, as_printed=True), "exclude each other"),
        (lambda: med_2x2(5, 6), "d must be at most n = 5, got 6"),
        (lambda: max_adjusted_rand_matrix_2x2(10, 6), "Choose d <= n/2"),
        (lambda: max_adjusted_rand_matrix_2x2(2, 1), "no 2 x 2 table"),
    ],
)
def test_bad_sizes(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- 2 x 2 ---


@pytest.mark.parametrize("n", range(2, 16))
def test_2x2_closed_forms(n):
    largest = {}
    for table in all_tables(n, 2, 2):
        on = int(table[0, 0] + table[1, 1])
        assert med(table, exact=True) == med_2x2(n, on) == med_2x2(n, n - on)
        assert rand_distance(table, exact=True) == rand_distance_2x2(n, on)
        if table.any(axis=0).all() and table.any(axis=1).all():
            d = min(on, n - on)
            largest[d] = max(largest.get(d, 0), adjusted_rand_distance(table, exact=True))
    for d in range(n // 2 + 1):
        if d not in largest:
            assert (n, d) == (2, 1)
            continue
        assert max_adjusted_rand_distance_2x2(n, d) == largest[d]
        attained = max_adjusted_rand_matrix_2x2(n, d)
        assert (attained.sum(), med(attained, exact=True)) == (n, Fraction(d, n))
        assert attained.any(axis=0).all()
        assert attained.any(axis=1).all()
        assert adjusted_rand_distance(attained, exact=True) == largest[d]
        conjectured = [[n - d, d - d // 2], [d // 2, 0]]
        fails = d >= 2 and adjusted_rand_distance(conjectured, exact=True) != largest[d]
        assert fails == ((n, d) in {(4, 2), (6, 3)})
        if d >= 2 and not fails:
            assert max_adjusted_rand_matrix_2x2(n, d).tolist() == conjectured


def test_2x2_without_objects():
    assert med_2x2(0, 0) == rand_distance_2x2(0, 0) == rand_distance_2x2(1, 1) == 0
