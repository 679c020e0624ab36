"""The kernels against one table after another, on every small class and on random margins of larger ones."""

from collections import Counter
from fractions import Fraction
from math import comb, factorial, prod

import numpy as np
import pytest

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.engine import halves, kernels, numbers, reduce, sizes, visits, work
from confmat.engine.jobs import RowJob, row_jobs
from confmat.engine.matchings import matched_points
from confmat.engine.reference import tables_of_margins
from confmat.engine.run import Resources
from confmat.engine.sizes import is_sparse
from confmat.engine.summary import collect, summarize
from confmat.engine.work import WEIGHTS
from confmat.indices.pairs import pairs_within
from confmat.matrices.matrix import best_matching
from confmat.statistics.table import labelings

pytestmark = pytest.mark.usefixtures("histograms")


def slow_law(matrices, weight):
    """(m, A, B, P) -> weight, matrix by matrix; A <= B where the engine does not tell them apart."""
    law = Counter()
    for matrix in matrices:
        table = np.array(
            matrix if matrix.shape[0] <= matrix.shape[1] else matrix.T, dtype=np.int64, order="C"
        )
        a, b = pairs_within(table.sum(axis=1).tolist()), pairs_within(table.sum(axis=0).tolist())
        if isinstance(matrices, Tables) and matrices.r == matrices.s:
            a, b = sorted((a, b))
        m = matrices.n - int(matched_points(table[None])[0])
        law[m, a, b, pairs_within(table.ravel().tolist())] += 1 if weight == "tables" else labelings(matrix)
    return law


def fast_law(matrices, weight):
    law = Counter()
    for (m, a, b, p), count in zip(*map(np.ndarray.tolist, collect(matrices, weight, Resources()))):
        if isinstance(matrices, Tables) and matrices.r == matrices.s:
            a, b = sorted((a, b))
        law[m, a, b, p] += count
    return law


SMALL = [(n, r, s) for r in range(1, 5) for s in range(1, 5) for n in range(max(r, s), 10) if n + r * s <= 17]


@pytest.mark.parametrize(("n", "r", "s"), SMALL)
def test_tables_against_brute_force(n, r, s):
    assert fast_law(Tables(n, r, s), "tables") == slow_law(Tables(n, r, s), "tables")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "r", "s"),
    [(n, r, s) for r in range(1, 5) for s in range(1, 5) for n in range(10) if n + r * s > 17],
)
def test_the_rest_of_tables_against_brute_force(n, r, s):
    assert fast_law(Tables(n, r, s), "tables") == slow_law(Tables(n, r, s), "tables")


@pytest.mark.parametrize(
    "matrices",
    [
        Tables(6, 3, 3),
        Tables(5, 2, 4),
        Tables(4, 3, 3, empty=True),
        Tables(5, 3, 2, empty=True),
        Tables(1, 1, 1),
        Tables(0, 2, 2, empty=True),
        Tables(4, 1, 3),
        FixedMargins((4, 3, 1), (3, 3, 2)),
        FixedMargins((2, 5), (3, 0, 4)),
        FixedMargins((1, 2, 4), (6, 1)),
        FixedMargins((0,), (0, 0)),
        FixedRows((3, 2), 3),
        FixedRows((1, 4, 2), 2),
    ],
    ids=repr,
)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_class_and_weight(matrices, weight):
    assert fast_law(matrices, weight) == slow_law(matrices, weight)


@pytest.mark.parametrize("matrices", [Tables(2, 3, 3), Tables(0, 1, 1), Tables(1, 2, 1)], ids=repr)
def test_a_class_without_members(matrices):
    assert fast_law(matrices, "tables") == {}
    assert summarize(matrices, "tables", Resources()) is None


@pytest.mark.parametrize(
    "matrices", [Tables(9, 2, 3), Tables(6, 3, 3, empty=True), FixedRows((3, 2), 3)], ids=repr
)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_walking_table_by_table_gives_what_the_histograms_give(matrices, weight, monkeypatch):
    """Also with so little room that classes are done one at a time, and a few tables."""
    dense = fast_law(matrices, weight)
    monkeypatch.setattr(work, "_ROOM", 1)
    assert fast_law(matrices, weight) == dense
    monkeypatch.setattr(sizes, "FEW_STEPS", 10**9)
    monkeypatch.setattr(visits, "AT_ONCE", 5)
    assert fast_law(matrices, weight) == dense


@pytest.mark.parametrize(
    "matrices",
    [Tables(9, 2, 3), Tables(7, 3, 3), Tables(6, 3, 3, empty=True), FixedRows((3, 2), 3)],
    ids=repr,
)
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("in_residues", [False, True])
def test_walking_table_by_table_gives_the_same_sums(matrices, weight, in_residues, monkeypatch):
    if in_residues:
        monkeypatch.setattr(numbers, "fits_64_bits", lambda *_: False)
    dense = summarize(matrices, weight, Resources(threads=1))
    monkeypatch.setattr(sizes, "FEW_STEPS", 10**9)
    monkeypatch.setattr(visits, "AT_ONCE", 5)
    walked = summarize(matrices, weight, Resources(threads=1))
    for field in ("law", "bins", "keys", "residues_of_moments", "extremes", "tables"):
        assert np.array_equal(getattr(dense, field), getattr(walked, field)), field


def test_which_classes_are_sparse():
    assert is_sparse(Tables(400, 2, 2))
    assert is_sparse(Tables(2000, 1, 2))
    assert not is_sparse(Tables(50, 3, 3))
    assert not is_sparse(Tables(20, 2, 2))


@pytest.mark.parametrize(
    ("rows", "cols"),
    [
        ((11, 7, 5, 3), (9, 8, 6, 3)),
        ((6, 4, 3, 2, 1), (5, 4, 3, 2, 2)),
        pytest.param((4, 3, 2, 1, 1, 1), (3, 3, 2, 2, 1, 1), marks=pytest.mark.slow),
        pytest.param((3, 2, 1, 1, 1, 1, 1), (2, 2, 2, 1, 1, 1, 1), marks=pytest.mark.slow),
        pytest.param((8, 5), (3, 3, 2, 2, 1, 1, 1), marks=pytest.mark.slow),
        ((60, 25), (50, 35)),
        ((20, 14, 3), (16, 12, 9)),
    ],
)
def test_one_margin_class_against_its_tables(rows, cols):
    assert_margin_class(rows, cols)


@pytest.mark.parametrize("largest", [4, pytest.param(7, marks=pytest.mark.slow)])
def test_random_margin_classes_against_their_tables(largest):
    """Some lines empty, with as many points as give at most 10^5 tables or so.

    Every number of sets of columns, C(s, r // 2), is a kernel of its own, compiled in some three seconds.
    """
    rng = np.random.default_rng(2019)
    drawn = 0
    while drawn < 60:
        r, s = rng.integers(1, largest + 1, size=2)
        n = int(rng.integers(1, 60))
        rows, cols = (tuple(rng.multinomial(n, rng.dirichlet(np.full(k, 2))).tolist()) for k in (r, s))
        if FixedMargins(rows, cols).count() <= 10**5:
            assert_margin_class(rows, cols)
            drawn += 1


def assert_margin_class(rows, cols):
    law = Counter()
    n = sum(rows)
    for batch in tables_of_margins(rows, cols):
        unmatched, pairs_in_cells = n - matched_points(batch), (batch * (batch - 1)).sum(axis=(1, 2)) // 2
        law.update(zip(unmatched.tolist(), pairs_in_cells.tolist()))
    got = Counter(
        {(m, p): count for (m, _, _, p), count in fast_law(FixedMargins(rows, cols), "tables").items()}
    )
    assert got == law


@pytest.mark.parametrize(
    ("n", "r", "s"),
    [(20, 2, 2), (20, 3, 3), (12, 4, 4), (9, 3, 6), (30, 1, 7)]
    + [pytest.param(*size, marks=pytest.mark.slow) for size in [(10, 5, 5), (9, 7, 7)]],
)
def test_totals_are_the_closed_form(n, r, s):
    assert summarize(Tables(n, r, s), "tables", Resources()).total == Tables(n, r, s).count()


def stirling2(n, k):
    return sum((-1) ** (k - i) * comb(k, i) * i**n for i in range(k + 1)) // factorial(k)


@pytest.mark.parametrize(("n", "r", "s"), [(20, 2, 3), (15, 3, 3), (8, 4, 4)])
def test_totals_of_labelings(n, r, s):
    """r! S(n,r) s! S(n,s); with empty lines (rs)^n; at fixed margins two multinomials."""
    total = factorial(r) * stirling2(n, r) * factorial(s) * stirling2(n, s)
    assert summarize(Tables(n, r, s), "labelings", Resources()).total == total
    assert summarize(Tables(n, r, s, empty=True), "labelings", Resources()).total == (r * s) ** n


def test_totals_of_labelings_at_fixed_margins():
    rows, cols = (10, 6, 4), (9, 7, 4)

    def multinomial(x):
        return factorial(sum(x)) // prod(map(factorial, x))

    law = summarize(FixedMargins(rows, cols), "labelings", Resources())
    assert law.total == multinomial(rows) * multinomial(cols)


@pytest.mark.parametrize("weight", WEIGHTS)
def test_the_summary_is_the_sum_of_the_cells(weight):
    """Law, bins, moments and extremes of the streamed pass, recomputed from the collected cells."""
    matrices = Tables(13, 3, 4)
    summary = summarize(matrices, weight, Resources())
    cells, counts = collect(matrices, weight, Resources())
    pairs = comb(13, 2)
    law, bins, moments, f_range, ard_range = Counter(), Counter(), Counter(), {}, {}
    for (m, a, b, p), w in zip(cells.tolist(), counts.tolist()):
        f, d = a + b - 2 * p, a * (pairs - b) + b * (pairs - a)
        law[m, f] += w
        bins[m, min(reduce.BINS - 1, f * pairs * (reduce.BINS // 2) // d)] += w
        moments[min(a, b), max(a, b), m, 1] += w * f
        moments[min(a, b), max(a, b), m, 2] += w * f * f
        f_range.setdefault(m, set()).add(f)
        ard_range.setdefault(m, set()).add((f * pairs / d, f, d))
    assert law == {k: v for k, v in np.ndenumerate(summary.law) if v}
    assert bins == {k: v for k, v in np.ndenumerate(summary.bins) if v}
    for m in range(len(summary.law)):
        sums = summary.moments(m)
        for (a, b), (first, second) in zip(summary.keys.tolist(), sums.tolist()):
            assert (first, second) == (moments[a, b, m, 1], moments[a, b, m, 2])
        if m in f_range:
            assert [int(x) for x in summary.extremes[:2, m, 0]] == [min(f_range[m]), max(f_range[m])]
            for kind, best in ((2, min), (3, max)):
                value, _, _ = best(ard_range[m])
                f, d = summary.extremes[kind, m, :2].tolist()
                assert f * pairs / d == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize(
    "matrices", [Tables(12, 3, 3), Tables(9, 2, 4, empty=True), FixedMargins((9, 8), (6, 6, 5))]
)
def test_residues_give_what_64_bits_give(matrices, monkeypatch):
    """Where sums could pass 64 bits the weighing kernel counts instead; here both can."""
    plain, plain_sums = fast_law(matrices, "tables"), summarize(matrices, "tables", Resources())
    monkeypatch.setattr(numbers, "fits_64_bits", lambda *_: False)
    assert fast_law(matrices, "tables") == plain
    sums = summarize(matrices, "tables", Resources())
    assert np.array_equal(sums.law, plain_sums.law)
    assert np.array_equal(sums.bins, plain_sums.bins)
    assert all(np.array_equal(sums.moments(m), plain_sums.moments(m)) for m in range(len(sums.law)))


def test_which_classes_need_residues():
    """Second moments could pass 2^62 with four columns; the rows but the first bound the number of tables."""
    large, small = (
        FixedMargins((160, 130, 30), (160, 130, 20, 10)),
        FixedMargins((150, 140, 10), (150, 130, 20)),
    )
    assert [numbers.fits_64_bits(x, row_jobs(x)[0]) for x in (large, small)] == [False, True]
    assert summarize(small, "tables", Resources()).total == small.count()
    for rows in ((5, 2, 1), (3, 3, 2)):
        most = comb(rows[1] + 2, 2) * comb(rows[2] + 2, 2)
        (job,) = row_jobs(FixedRows(rows, 3))
        assert max(FixedMargins(rows, cols).count() for cols in job.cols.tolist()) <= most


@pytest.mark.parametrize("matrices", [Tables(2000, 2, 2), Tables(200, 3, 3), Tables(3, 2, 2)], ids=repr)
def test_quotients_are_rounded_down(matrices):
    """Digits of sums over margin classes against Fractions: below by less than a unit of the last for each class."""
    digits, bits = numbers.digits_of_quotients(matrices)
    pairs, rng = comb(matrices.n, 2), np.random.default_rng(7)
    moments = rng.integers(0, 2**55, (5, 2, 3))
    moments[2] = 0
    weights, d = np.array([1, 3, 9, 72, 2]), np.array([1, 2, 0, pairs**2, pairs])
    sums = np.zeros((2, digits + 1, 3), np.int64)
    reduce.add_quotients(moments, weights, d, bits, sums)
    assert sums.min() >= 0
    for j, i in np.ndindex(2, 3):
        found = sum(Fraction(int(x), 2 ** (bits * place)) for place, x in enumerate(sums[j, :, i]))
        exact = sum(
            Fraction(int(w * x), int(y) ** (j + 1))
            for w, x, y in zip(weights.astype(object), moments[:, j, i], d)
            if x
        )
        assert 0 <= exact - found < Fraction(int(weights.sum()), 2 ** (bits * digits))


def test_histogram_is_spilled_before_it_overflows(monkeypatch):
    """With a tiny capacity (pure-Python kernels), the counts stay right."""
    both = halves.list_halves((4, 3, 3), 3, None, np.zeros(1, np.uint8))
    job = RowJob((4, 3, 3), np.array([[4, 4, 2]]), np.ones(1, np.int64))
    ready = work._prepare(job, both, (), False)
    histogram, _, counts = ready.scratch
    monkeypatch.setattr(kernels, "HISTOGRAM_CAPACITY", 5)
    number = getattr(kernels.enumerate_class, "py_func", kernels.enumerate_class)(
        job.cols[0], job.windows[:, 0], ready.halves, ready.scratch, None, np.zeros(1, np.uint8)
    )
    assert counts.any()
    assert number == (counts + histogram).sum() == FixedMargins(job.rows, (4, 4, 2)).count()


def test_windows_hold_every_table_of_their_margins():
    cols = np.array([[4, 2, 1], [3, 3, 1], [3, 2, 2], [7, 0, 0]])
    for rows in ((5, 2), (4, 3), (3, 2, 2)):
        for c, window in zip(cols, reduce.class_windows(np.array(rows), cols).T):
            tables = [t for batch in tables_of_margins(rows, tuple(c.tolist())) for t in batch]
            pairs = [int((t * (t - 1) // 2).sum()) for t in tables]
            matched = [best_matching(t).total for t in tables]
            assert window[0] <= min(pairs) <= max(pairs) <= window[1]
            assert max(matched) <= window[2]
