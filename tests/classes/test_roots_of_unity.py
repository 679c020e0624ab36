"""Counts by roots of unity against arrays, against states of equal columns, and against published values."""

from math import comb, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confmat._integers.compositions import tables_at_most
from confmat.classes import FixedMargins, fibers
from confmat.classes import roots_of_unity as roots
from confmat.errors import TooLargeError
from confmat.fixed_margins.distributions import whole_laws
from confmat.fixed_margins.sums import NOTHING, of_cells


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
    assert (
        roots.count_by_roots(rows, cols)
        == roots.count_by_roots(cols, rows)
        == fibers._count_by_halves(rows, cols)
    )


@pytest.mark.parametrize("rows", [(1, 2, 8), (1, 1, 3, 6), (1, 5, 5)])
def test_few_roots(rows):
    """Lines of unequal sums, whose roots differ in order; quick without compilation as well."""
    assert roots.count_by_roots(rows, (1, 2, 8)) == fibers._count_by_halves(rows, (1, 2, 8))


# Stanley, Enumerative Combinatorics 1, 4.6; OEIS A000681, A001500, A003438, A003439.
@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        (dict.fromkeys(range(3, 9), 2), [21, 282, 6210, 202410, 9135630, 545007960]),
        (dict.fromkeys(range(3, 8), 3), [55, 2008, 153040, 20933840, 4662857360]),
    ],
)
def test_semi_magic_squares(lines, counts):
    assert [roots.count_by_roots((a,) * n, (a,) * n) for n, a in lines.items()] == counts


# LattE (De Loera et al. 2004) for the first two; the third agrees with another implementation of the method.
PUBLISHED = [
    (10, 5, 79315936751),
    (50, 4, 2697649164626),
    (10, 10, 66880713903767740581650957184096513655153),
]


@pytest.mark.parametrize(("a", "lines", "count"), PUBLISHED)
def test_published_counts(a, lines, count):
    assert roots.count_by_roots((a,) * lines, (a,) * lines) == count


def test_many_primes_are_combined():
    # More than eight primes: several batches; equal columns are counted by their states instead.
    rows = (3,) * 24
    assert roots.by_roots(rows, rows).batches > 1
    assert roots.count_by_roots(rows, rows) == whole_laws(of_cells(NOTHING, rows, rows), labels=False).law[0]


@pytest.mark.slow
def test_a_count_of_four_seconds():
    assert (
        roots.count_by_roots((20,) * 10, (20,) * 10)
        == 109747013267158785094707802642987987584407810644214477122435
    )


@given(st.lists(st.integers(1, 60), min_size=3, max_size=8))
def test_orders_leave_nothing_aliased(sums):
    """The line without a root cannot make up for a multiple of another line's order."""
    for modulus, lines in roots._orders(tuple(sums)):
        used = [order for order, copies in zip(lines.orders, lines.free) if copies]
        assert all(modulus % order == 0 and order > a for a, order in zip(lines.sums, lines.orders))
        assert min(used) > lines.sums[0]


def test_primes_fit_the_lazy_reductions():
    for modulus in (3, 1001, 720720):
        primes = roots.primes_beside(modulus, 16)
        assert len(set(primes)) == 16
        assert all(2**28 < p < roots.LARGEST_PRIME and p % modulus == 1 for p in primes)


def test_forecasts_order_the_methods():
    """Long lines are left to arrays, many equal lines to roots, and what takes long to neither."""

    def fastest(a, lines):
        return fibers.way_to_count((a,) * lines, (a,) * lines).name

    assert [fastest(2000, 3), fastest(10, 8), fastest(2, 30)] == [
        "arrays",
        "roots of unity",
        "roots of unity",
    ]
    with pytest.raises(TooLargeError, match=r"roots of unity would take about \S+ \w+ \(limit 10 minutes\)"):
        FixedMargins(range(20, 32), range(20, 32)).count()


@pytest.mark.parametrize("n", [5, 100, 10**5])
def test_a_count_that_attains_its_bound(n):
    """Rows that hold all columns but one leave these free."""
    rows, cols = (n,) * 4, (2, 4 * n - 5, 3)
    assert tables_at_most(rows, cols) >= FixedMargins(rows, cols).count() == comb(5, 2) * comb(6, 3)


@pytest.mark.parametrize(
    "lines", [(3, 3, 3), (4, 2, 2), (10, 5, 10), (8, 6, 6), (12, 10, 10), (4, 50, 4), (3, 40, 4)]
)
def test_within_the_bounds_of_canfield_and_mckay(lines):
    """m rows of s and n columns: 0 < Delta < 2, Conjecture 1 of Canfield and McKay (2010)."""
    m, s, n = lines
    t, total = m * s // n, m * s
    logarithm = log(FixedMargins([s] * m, [t] * n).count()) + log(comb(m * n + total - 1, total))
    logarithm -= m * log(comb(n + s - 1, s)) + n * log(comb(m + t - 1, t))
    logarithm -= (m - 1) / 2 * log(1 + 1 / m) + (n - 1) / 2 * log(1 + 1 / n)
    assert 0 < (logarithm + 1 / 2) * (m + n) < 2
