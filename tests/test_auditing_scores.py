"""What is printed, and the scores behind it: windows, ranges over boxes, exact values and doubles."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from forgeries import AUDITOR
from printed import MODES, score_of, scored, shown, table

import confmat as cm
from confmat.auditing import SCORES, Report
from confmat.certificates import misses, window

MatrixBox = AUDITOR.MatrixBox

# --- what is printed --------------------------------------------------------------------------------


@pytest.mark.parametrize("rounding", MODES)
def test_a_window_holds_what_is_printed_so_and_nothing_else(rounding):
    for k, places in product(range(-240, 241), (0, 1, 2)):
        x = Fraction(k, 160)  # many are ties
        for step in (-1, 0, 1):
            other = shown(x + Fraction(step, 10**places), places, rounding)
            other = other.lstrip("-") if Decimal(other) == 0 else other  # zero is printed without a sign
            same = Decimal(other) == Decimal(shown(x, places, rounding))
            assert misses((x, x), window(other, rounding)) is not same, (x, other)
            assert not (same and misses((x, x), window(other, "any"))), (x, other)


def test_digits_are_texts_and_percents_are_hundredths():
    assert window("89.3%", "half-up") == window("0.893", "half-up") == window(".893", "half-up")
    assert window("0.90", "any") != window("0.9", "any")
    assert window("0", "any") == (-1, 1, False, False)
    assert window("1.", "truncation") == (1, 2, True, False)


# --- ranges over boxes ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_ranges_hold_every_score_and_are_exact_at_a_matrix(seed):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        k = int(rng.integers(2, 5))
        m = table(rng, k, k, int(rng.integers(k, 25)), diagonal=1)
        spread = int(rng.integers(0, 4))
        rows = m.sum(axis=1).tolist()
        undefined = Fraction(int(rng.integers(0, 2)))
        low = np.maximum(0, m - rng.integers(0, spread + 1, m.shape)).tolist()
        high = np.minimum(m.sum(axis=1)[:, None], m + rng.integers(0, spread + 1, m.shape)).tolist()
        for name in [*SCORES, f"f1_{k}", "precision_1"]:
            value = score_of(scored(name, k, undefined), m)
            box = MatrixBox(rows, low, high, undefined)
            if spread == 2:
                box.least = box.most = m.sum(axis=0).tolist()
            a, b = AUDITOR.score(name, box)
            assert a <= value <= b or (name == "gmean" and a - 1e-12 <= value <= b + 1e-12), (
                name,
                m,
                low,
                high,
            )
            a, b = AUDITOR.score(name, MatrixBox(rows, m.tolist(), m.tolist(), undefined))
            assert b - a < Fraction(1, 10**20), (name, m)


def test_linear_sums_have_their_exact_ends_at_a_given_accuracy():
    rng, tight = np.random.default_rng(3), 0
    for _ in range(60):
        rows, s = rng.integers(1, 5, int(rng.integers(1, 4))).tolist(), int(rng.integers(1, 4))
        every = np.array([*cm.classes.FixedRows(rows, s)])
        low = np.maximum(0, every[rng.integers(len(every))] - rng.integers(0, 3, (len(rows), s)))
        high = low + rng.integers(0, 5, low.shape)
        within = every[((every >= low) & (every <= high)).all(axis=(1, 2))]
        if not len(within):
            continue
        weights = rng.integers(-5, 6, low.shape)
        sums = (within * weights).sum(axis=(1, 2))
        ends = MatrixBox(rows, low.tolist(), high.tolist(), 0).linear(weights.tolist())
        assert ends == [sums.min(), sums.max()]
        correct = np.trace(within, axis1=1, axis2=2)
        few, many = sorted(rng.choice(correct, 2).tolist())
        if s == len(rows):
            of = sums[(correct >= few) & (correct <= many)]
            box = MatrixBox(rows, low.tolist(), high.tolist(), 0, (few, many))
            assert box.linear(weights.tolist()) == [of.min(), of.max()]
            tight += ends != [of.min(), of.max()]
    assert tight > 5


def test_many_matrices_have_the_scores_that_each_has():
    rng = np.random.default_rng(5)
    for k, undefined in product((2, 3), (Fraction(0), Fraction(1))):
        tables = np.array([table(rng, k, k, 7, diagonal=1) for _ in range(30)])
        rows = tables[0].sum(axis=1)
        tables = tables[(tables.sum(axis=2) == rows).all(axis=1)]
        for name in [*SCORES, "recall_2"]:
            one = scored(name, k, undefined)
            keys, which = one.keys(tables)
            for m, i in zip(tables, which):
                assert one.value(keys[i]) == score_of(one, m)
                if one.statistic.batch is not None and one.statistic.function is not None:
                    alone = one.statistic.function(m)
                    assert keys[i] == (undefined if alone != alone else alone), (name, m)


@pytest.mark.parametrize("name", [name for name in SCORES if scored(name, 2).quick])
@pytest.mark.parametrize("n", [10**6, 10**8, 2**32])
def test_doubles_are_nearer_to_exact_values_than_the_guard(name, n):
    rng = np.random.default_rng(0)
    score = scored(name, 2)
    for others in [
        [0, 0, 1],
        [0, 0, 2],
        [1, 1, 0],
        *rng.integers(0, 5, (10, 3)),
        *rng.integers(0, n // 3, (5, 3)),
    ]:
        tables = rng.permutation([n - sum(others), *others]).reshape(1, 2, 2)
        exact = Fraction(float(score.keys(tables)[0][0]))
        assert score.near(tables, (exact, exact, True, True)).all(), tables.tolist()
        assert abs(score.rough(tables)[0] - float(exact)) < 2e-16 * n  # the guard is 4e-15 * n


def test_the_nmi_of_a_matrix_is_a_fraction_where_it_is_one():
    def nmi(table):
        return MatrixBox([*map(sum, table)], table, table, 0).nmi()

    singles = [[1] * 4 + [0] * 4, [0] * 4 + [1] * 4]
    assert nmi(singles) == (Fraction(1, 2), Fraction(1, 2))
    for digits, missed in (("0.4", True), ("0.5", False)):
        asked = Report.of(classes=(4, 4), clusters=8, nmi=digits, rounding="truncation").question
        assert asked.missed(asked.box((4, 4), singles, singles), 0) is missed
    assert nmi([[10**30, 0], [0, 10**30]]) == nmi([[5, 0], [0, 7]]) == (1, 1)
    assert nmi([[3, 3], [3, 3]]) == (0, 0)
    a, b = nmi([[2, 1], [0, 2]])
    assert 0 < b - a <= Fraction(2, 10**25)
