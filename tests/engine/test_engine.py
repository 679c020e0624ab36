"""The kernels against one table after another, on every small class and on random margins of larger ones."""

from collections import Counter
from fractions import Fraction
from math import comb, factorial, prod

import numpy as np
import pytest
from brute import WEIGHTS, labelings, pairs_within

from confmat import Limits
from confmat._engine import fold, margins, pieces, tables
from confmat._engine.run import Enumeration
from confmat._engine.signatures import enumerated, summed_up
from confmat._engine.tables import tables_of_margins
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.contingency import best_matching
from confmat.contingency.matching import heaviest_totals
from confmat.distributions import joint_distribution

pytestmark = pytest.mark.usefixtures("histograms")


def slow_law(matrices, weight):
    """(m, A, B, P) -> weight, matrix by matrix; A <= B where the engine does not tell them apart."""
    law = Counter()
    for matrix in matrices:
        table = np.array(
            matrix if matrix.shape[0] >= matrix.shape[1] else matrix.T, dtype=np.int64, order="C"
        )
        a, b = pairs_within(table.sum(axis=1)), pairs_within(table.sum(axis=0))
        if isinstance(matrices, Tables) and matrices.r == matrices.s:
            a, b = sorted((a, b))
        m = matrices.n - int(heaviest_totals(table[None])[0])
        law[m, a, b, pairs_within(table)] += 1 if weight == "tables" else labelings(matrix)
    return law


def fast_law(matrices, weight):
    law = Counter()
    kept = enumerated(Enumeration(matrices, weight, Limits()))
    for cells, weights in kept.blocks():
        for (m, a, b, p), count in zip(cells.tolist(), weights.tolist()):
            if isinstance(matrices, Tables) and matrices.r == matrices.s:
                a, b = sorted((a, b))
            law[m, a, b, p] += count
    return law


@pytest.fixture(autouse=True)
def fresh_pieces():
    """No pieces of another setting."""
    pieces.pieces_of.cache_clear()
    yield
    pieces.pieces_of.cache_clear()


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
        Tables(4, 3, 3, allow_empty=True),
        Tables(5, 3, 2, allow_empty=True),
        Tables(1, 1, 1),
        Tables(0, 2, 2, allow_empty=True),
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
    assert sum(summed_up(Enumeration(matrices, "tables", Limits())).weights) == 0


@pytest.mark.parametrize(
    "matrices", [Tables(9, 2, 3), Tables(6, 3, 3, allow_empty=True), FixedRows((3, 2), 3)], ids=repr
)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_enumeration_table_by_table_agrees_with_histograms(matrices, weight, monkeypatch):
    """Also a few tables at a time, merged again and again."""
    dense = fast_law(matrices, weight)
    monkeypatch.setattr(pieces, "FEW_STEPS", 10**9)
    monkeypatch.setattr(tables, "TABLES_AT_ONCE", 5)
    monkeypatch.setattr("confmat._integers.arrays.ROWS_WAITING", 7)
    pieces.pieces_of.cache_clear()
    assert fast_law(matrices, weight) == dense


@pytest.mark.parametrize(("matrices", "dimensions"), [(Tables(30, 2, 2), 1), (Tables(7, 3, 3), 2)])
@pytest.mark.parametrize("weight", WEIGHTS)
def test_lines_are_listed_where_that_is_less_than_bits(matrices, dimensions, weight):
    kept = enumerated(Enumeration(matrices, weight, Limits())).kept
    assert {block.places.ndim for block in kept} == {dimensions}
    assert fast_law(matrices, weight) == slow_law(matrices, weight)


@pytest.mark.parametrize(
    ("rows", "cols"),
    [
        ((11, 7, 5, 3), (9, 8, 6, 3)),
        pytest.param((6, 4, 3, 2, 1), (5, 4, 3, 2, 2), marks=pytest.mark.slow),
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
        unmatched, pairs_in_cells = n - heaviest_totals(batch), (batch * (batch - 1)).sum(axis=(1, 2)) // 2
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
    assert sum(summed_up(Enumeration(Tables(n, r, s), "tables", Limits())).weights) == Tables(n, r, s).count()


def stirling2(n, k):
    return sum((-1) ** (k - i) * comb(k, i) * i**n for i in range(k + 1)) // factorial(k)


@pytest.mark.parametrize(("n", "r", "s"), [(20, 2, 3), (15, 3, 3), (8, 4, 4)])
def test_totals_of_labelings(n, r, s):
    """r! S(n,r) s! S(n,s); with empty lines (rs)^n; at fixed margins two multinomials."""
    total = factorial(r) * stirling2(n, r) * factorial(s) * stirling2(n, s)
    assert sum(summed_up(Enumeration(Tables(n, r, s), "labelings", Limits())).weights) == total
    assert (
        sum(summed_up(Enumeration(Tables(n, r, s, allow_empty=True), "labelings", Limits())).weights)
        == (r * s) ** n
    )


def test_totals_of_labelings_at_fixed_margins():
    rows, cols = (10, 6, 4), (9, 7, 4)

    def multinomial(x):
        return factorial(sum(x)) // prod(map(factorial, x))

    law = summed_up(Enumeration(FixedMargins(rows, cols), "labelings", Limits()))
    assert sum(law.weights) == multinomial(rows) * multinomial(cols)


def test_windows_hold_every_table_of_their_margins():
    cols = np.array([[4, 2, 1], [3, 3, 1], [3, 2, 2], [7, 0, 0]])
    for rows in ((5, 2), (4, 3), (3, 2, 2)):
        for c, window in zip(cols, margins.RowJob(rows, cols, np.ones(len(cols), np.int64)).windows.T):
            tables = [t for batch in tables_of_margins(rows, tuple(c.tolist())) for t in batch]
            pairs = [int((t * (t - 1) // 2).sum()) for t in tables]
            matched = [best_matching(t).total for t in tables]
            assert window[0] <= min(pairs) <= max(pairs) <= window[1]
            assert max(matched) <= window[2]


# --- pieces ---------------------------------------------------------------------------------------

CUT = [
    Tables(11, 3, 3),
    Tables(9, 2, 4, allow_empty=True),
    Tables(9, 4, 3),
    FixedRows((5, 4), 3),
    Tables(7, 1, 3),
]


@pytest.mark.parametrize("matrices", CUT, ids=repr)
@pytest.mark.parametrize("weight", WEIGHTS)
def test_a_law_does_not_depend_on_how_its_work_is_cut(matrices, weight, monkeypatch):
    expected = fast_law(matrices, weight)
    numbers = []
    for most in (2, 10**3):
        monkeypatch.setattr(pieces, "_TABLES_PER_PIECE", most)
        monkeypatch.setattr(pieces, "_TABLES_PER_WALK", most)
        monkeypatch.setattr(pieces, "_MOST_PIECES", 10**9)
        monkeypatch.setattr(pieces, "_TABLES_PER_STATE", 0.01)
        monkeypatch.setattr(pieces, "_TOGETHER", most)
        pieces.pieces_of.cache_clear()
        assert fast_law(matrices, weight) == expected
        numbers.append(len(pieces.pieces_of(matrices, 1)))
    assert numbers[0] > 1


def test_places_are_cut_where_a_block_would_be_larger(monkeypatch):
    matrices = Tables(20, 3, 3)
    expected = fast_law(matrices, "tables")
    monkeypatch.setattr(pieces, "MOST_PLACES", 2000)
    monkeypatch.setattr(pieces, "_TOGETHER", 2000)
    pieces.pieces_of.cache_clear()
    cut = pieces.pieces_of(matrices, 1)
    assert len(cut) > pieces.work_of(matrices).places / 4000
    assert fast_law(matrices, "tables") == expected


def test_tables_of_one_line_are_visited_however_many(monkeypatch):
    """With half tables paired up they would take 1.7 GiB."""
    monkeypatch.setattr("confmat._engine.pieces.FEW_STEPS", 0)
    n, s = 40, 7
    law = joint_distribution(Tables(n, 1, s), "med", "rd", "ard", limits=Limits(memory=2**29))
    together = s * Fraction(sum(comb(x, 2) * comb(n - x - 1, s - 2) for x in range(n)), comb(n - 1, s - 1))
    assert law["rd"].mean(exact=True) == 1 - together / comb(n, 2)


# --- sums -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize(
    "matrices",
    [
        Tables(13, 3, 4),
        Tables(9, 2, 3, allow_empty=True),
        FixedRows((5, 4), 3),
        Tables(2, 2, 2, allow_empty=True),  # D = 1
        # Of labelings, sums of F^2 exceed the primes that hold the weights; bounds with F for F^2 do not.
        FixedMargins((8, 7), (8, 7)),
        FixedMargins((22,), (11, 11)),
    ],
)
def test_sums_are_those_of_the_signatures(matrices, weight):
    """Law, bins and moments, from every signature by Fractions; weights as residues too."""
    sums, n = summed_up(Enumeration(matrices, weight, Limits())), matrices.n
    pairs = comb(n, 2)
    law, bins, quotients = Counter(), Counter(), Counter()
    for cells, weights in enumerated(Enumeration(matrices, weight, Limits())).blocks():
        for (m, a, b, p), w in zip(cells.tolist(), weights.tolist()):
            f, d = a + b - 2 * p, a * (pairs - b) + b * (pairs - a)
            ratio = Fraction(f, max(d, 1))
            law[m, f] += w
            bins[m, min(fold.BINS - 1, int(ratio * pairs * (fold.BINS // 2)))] += w
            quotients[m, 1] += w * ratio
            quotients[m, 2] += w * ratio**2
    assert law == {k: v for k, v in np.ndenumerate(sums.law) if v}
    assert bins == {k: v for k, v in np.ndenumerate(sums.bins) if v}
    for (m, power), exact in quotients.items():
        low, error = sums.quotient(m, power)
        assert low <= exact * 2**fold.PLACES <= low + error


@pytest.mark.parametrize("weights", [(1, 2, 3, 4), (2**40, 2**41, 3, 2**58)])
def test_sums_are_exact_beyond_64_bits_and_quotients_rounded_down(weights):
    """Two signatures of one m, A and B; another B; another m, where D = 0."""
    matrices, pairs = Tables(130, 3, 3), comb(130, 2)
    cells = np.array([[3, 5000, 4000, 1000], [3, 5000, 4000, 500], [3, 5000, 4001, 900], [7, 0, 0, 0]])
    sums = fold.Sums(matrices, fold.Moduli((), plain=True))
    sums.add([(cells, np.array(weights))])
    exact = Counter()
    for (m, a, b, p), weight in zip(cells.tolist(), weights):
        f, d = a + b - 2 * p, max(1, a * (pairs - b) + b * (pairs - a))
        assert sums.law[m, f] == weight
        for power in (1, 2):
            exact[m, power] += weight * Fraction(f, d) ** power
    for (m, power), expected in exact.items():
        low, error = sums.quotient(m, power)
        assert low <= expected * 2**fold.PLACES <= low + error <= low + 3
