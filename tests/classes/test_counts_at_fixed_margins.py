"""Counts at fixed margins by the recursion over rows against arrays and against published values."""

from math import comb, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat._integers.compositions import tables_at_most
from confmat.classes import FixedMargins
from confmat.classes.fibers import _count_by_halves, way_to_count
from confmat.errors import TooLargeError
from confmat.fixed_margins.distributions import number_of_tables


@st.composite
def margins(draw):
    """Two sides of 3 to 5 positive lines and one total."""
    sides = [draw(st.lists(st.integers(1, 7), min_size=3, max_size=5)) for _ in range(2)]
    low, high = sorted(sides, key=sum)
    low[draw(st.integers(0, len(low) - 1))] += sum(high) - sum(low)
    return tuple(sorted(low)), tuple(sorted(high))


@settings(max_examples=60)
@given(margins())
def test_equals_arrays(sides):
    rows, cols = sides
    assert number_of_tables(rows, cols) == number_of_tables(cols, rows) == _count_by_halves(rows, cols)


@pytest.mark.parametrize("n", [5, 100, 10**5])
def test_a_count_that_attains_its_bound(n):
    """Rows that hold all columns but one leave these free."""
    rows, cols = (n,) * 4, (2, 4 * n - 5, 3)
    assert tables_at_most(rows, cols) >= FixedMargins(rows, cols).count() == comb(5, 2) * comb(6, 3)


# Stanley, Enumerative Combinatorics 1, 4.6; OEIS A000681, A001500, A003438, A003439.
@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        (dict.fromkeys(range(3, 9), 2), [21, 282, 6210, 202410, 9135630, 545007960]),
        (dict.fromkeys(range(3, 8), 3), [55, 2008, 153040, 20933840, 4662857360]),
    ],
)
def test_semi_magic_squares(lines, counts):
    assert [number_of_tables((a,) * n, (a,) * n) for n, a in lines.items()] == counts
    assert [FixedMargins((a,) * n, (a,) * n).count() for n, a in lines.items()] == counts


# LattE (De Loera et al. 2004).
@pytest.mark.parametrize(("a", "lines", "count"), [(10, 5, 79315936751), (50, 4, 2697649164626)])
def test_published_counts(a, lines, count):
    assert FixedMargins((a,) * lines, (a,) * lines).count() == count


def test_steps_order_the_methods():
    """Long lines are left to arrays, many equal lines to the recursion, and what takes long to neither."""

    def fastest(a, lines):
        return way_to_count((a,) * lines, (a,) * lines).name

    assert [fastest(2000, 3), fastest(5, 10), fastest(2, 30)] == ["arrays", "recursion", "recursion"]
    with pytest.raises(TooLargeError, match=r"arrays would take \S+ states .* a recursion over rows \S+"):
        FixedMargins(range(20, 32), range(20, 32)).count()


@pytest.mark.parametrize("lines", [(3, 3, 3), (4, 2, 2), (10, 5, 10), (8, 6, 6), (4, 50, 4), (3, 40, 4)])
def test_within_the_bounds_of_canfield_and_mckay(lines):
    """m rows of s and n columns: 0 < Delta < 2, Conjecture 1 of Canfield and McKay (2010)."""
    m, s, n = lines
    t, total = m * s // n, m * s
    logarithm = log(FixedMargins([s] * m, [t] * n).count()) + log(comb(m * n + total - 1, total))
    logarithm -= m * log(comb(n + s - 1, s)) + n * log(comb(m + t - 1, t))
    logarithm -= (m - 1) / 2 * log(1 + 1 / m) + (n - 1) / 2 * log(1 + 1 / n)
    assert 0 < (logarithm + 1 / 2) * (m + n) < 2
