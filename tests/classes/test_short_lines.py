"""Many short lines: closed forms, the recursion over rows, and the other ways to count."""

import inspect
import sys
from math import comb, factorial, prod

import pytest

from confmat.classes import FixedMargins, fibers
from confmat.errors import TooLargeError
from confmat.fixed_margins import distributions
from confmat.fixed_margins.distributions import whole_laws
from confmat.fixed_margins.sums import NOTHING, of_cells
from confmat.sampling import stream


@pytest.mark.parametrize("n", [1, 2, 40, 300, 1000])
def test_permutation_matrices(n):
    assert FixedMargins([1] * n, [1] * n).count() == factorial(n)


@pytest.mark.parametrize("cols", [(3, 2, 2), (100, 100, 100), (1,) * 299 + (5,), (0, 7, 0, 1, 1)])
def test_rows_of_one_point_are_counted_by_a_multinomial(cols):
    expected = factorial(sum(cols)) // prod(map(factorial, cols))
    rows = [1] * sum(cols)
    assert FixedMargins(rows, cols).count() == FixedMargins(cols, [0, *rows]).count() == expected


def two_in_each_line(n):
    """Matrices of order n with all line sums 2 (Stanley, Enumerative Combinatorics 2, Corollary 5.5.11)."""
    a = [1, 1]
    for k in range(2, n + 1):
        a.append(k * k * a[k - 1] - k * (k - 1) ** 2 * a[k - 2] // 2)
    return a[n]


@pytest.mark.parametrize("n", [2, 3, 6, 30, pytest.param(150, marks=pytest.mark.slow)])
def test_two_points_in_each_line(n):
    assert FixedMargins([2] * n, [2] * n).count() == two_in_each_line(n)


def with_one_line_of_two_points(n):
    # The row of two takes the column of two, one point of it, or two other columns.
    return factorial(n) * (1 + n) + comb(n, 2) * factorial(n) // 2


@pytest.mark.parametrize("n", [3, 10, pytest.param(998, marks=pytest.mark.slow)])
def test_one_line_of_two_points(n):
    rows = [2] + [1] * n
    assert FixedMargins(rows, rows).count() == with_one_line_of_two_points(n)


def test_lines_are_not_as_many_calls_inside_one_another():
    """250 lines are counted where Python allows 200 calls more; 998, above, with those that it allows at first."""
    rows = [2] + [1] * 250
    assert FixedMargins(rows[:9], rows[:9]).count() == with_one_line_of_two_points(8)  # imports and compiles
    allowed = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 200)
    try:
        found = FixedMargins(rows, rows).count()
    finally:
        sys.setrecursionlimit(allowed)
    assert found == with_one_line_of_two_points(250)


@pytest.mark.parametrize(
    ("rows", "cols"),
    [((2, 2, 3, 3), (5, 5)), ((1, 4, 4), (2, 3, 4)), ((3,) * 5, (5,) * 3), ((2,) * 6, (3,) * 4)],
)
def test_agrees_with_arrays_from_both_ends(rows, cols):
    expected = fibers._count_by_halves(rows, cols)
    assert whole_laws(of_cells(NOTHING, rows, cols), labels=False).law == {0: expected}
    assert whole_laws(of_cells(NOTHING, cols, rows), labels=False).law == {0: expected}


def test_long_work_is_refused_in_one_short_line(monkeypatch):
    with pytest.raises(
        ValueError, match=r"1000 x 1000 tables with total 3000 are too large to count"
    ) as error:
        FixedMargins([3] * 1000, [3] * 1000).count()
    assert len(str(error.value)) < 260
    monkeypatch.setattr(distributions, "MOST_WHOLE_TERMS", 100)
    with pytest.raises(TooLargeError, match=r"needs more than .* edges"):
        whole_laws(of_cells(NOTHING, (4,) * 13, (4,) * 13), labels=False)


@pytest.mark.parametrize("size", [10**4, 2**60])
def test_sampling_refuses_classes_too_large_to_count(size):
    matrices = FixedMargins([size] * 4, [size] * 4)
    for ask in (matrices.count, lambda: stream(matrices, 1)):
        with pytest.raises(TooLargeError, match="too large to count"):
            ask()
