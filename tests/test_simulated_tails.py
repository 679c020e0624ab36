"""Simulated tails of P: against the exact ones, and what is said where a mode was missed."""

from dataclasses import replace
from math import inf, log, log10

import pytest

import confmat as cm
from confmat.chance import pair_law, simulated_tail
from confmat.errors import TooLarge


@pytest.mark.parametrize(
    ("rows", "cols", "t"),
    [
        ((15, 10, 5), (12, 10, 8), 95),
        ((5, 4, 3), (6, 6), 14),
        ((4, 1), (3, 2), 3),
        ((4, 2, 1), (4, 3), 5),
        ((4, 2, 1), (3, 2, 2), 4),
        *(((4, 3), (4, 3), t) for t in (4, 5, 6, 9)),
    ],
)
def test_both_ways_agree_with_the_exact_tail(rows, cols, t):
    found, exact = simulated_tail(rows, cols, t, rng=1), log10(pair_law(rows, cols).at_least(t))
    assert found.reliable
    for way in (found.by_rows, found.by_splitting):
        assert abs(way.log10 - exact) * log(10) < 4 * way.error + 1e-9
    assert found.at_least < exact
    assert found.to_json()["reliable"] is True


@pytest.mark.parametrize("t", [-5, 0, 1])
def test_what_always_happens(t):
    """Every table of six objects in two clusters of three has a pair."""
    found = simulated_tail((3, 3), (3, 3), t, rng=1)
    assert found.log10 == pytest.approx(0, abs=0.05)


def test_what_cannot_happen():
    found = simulated_tail((3, 3), (3, 3), 100, rng=1)
    assert (found.log10, found.reliable, str(found)) == (-inf, False, "not found: no run reached it")
    assert found.to_json()["log10"] is None


def test_a_constant_is_refused():
    with pytest.raises(ValueError, match="P is always 4"):
        simulated_tail((5,), (3, 2), 4)


def test_too_large_for_the_time():
    with pytest.raises(TooLarge, match="800 x 800 clusters of 1600 objects"):
        simulated_tail((2,) * 800, (2,) * 800, 3)


def test_seeds():
    args = (2, 2), (2, 1, 1), 1
    assert simulated_tail(*args, rng=1) == simulated_tail(*args, rng=1) != simulated_tail(*args, rng=2)


def test_words():
    found = simulated_tail((2, 2), (2, 2), 1, rng=1)
    high, low = (found.by_rows._replace(runs=(log(p), log(1.1 * p))) for p in (1e-9, 1e-11))
    apart = replace(found, by_rows=low, by_splitting=high)
    assert not apart.reliable
    assert str(apart) == "10^-8.98, unreliable: 10^-10.98 by rows, 10^-8.98 by splitting"
    assert apart.at_least == pytest.approx(log10(1.05e-11 / 20))
    assert str(replace(found, by_rows=high, by_splitting=high)).startswith("10^-8.98 (95 %: 10^-9")
    assert "not checked" in str(replace(found, by_rows=high, by_splitting=None))


def too_large(*_, **__):
    raise TooLarge("planted")


def test_draws_that_hardly_reach_the_tail_are_simulated(monkeypatch):
    monkeypatch.setattr("confmat.chance.exact_tests.tail", too_large)  # no recursion
    monkeypatch.setattr("confmat.chance.null_laws.LARGEST_EXACT", 0)  # no enumeration
    monkeypatch.setattr("confmat.chance.simulation.SIZES", (100, 500))  # a quarter of the tables of a run
    table = [[20, 2, 1], [1, 19, 2], [0, 1, 14]]
    result = cm.significance(table, draws=99, rng=1)
    exact = log10(pair_law((23, 22, 15), (21, 22, 17)).at_least(190 + 1 + 171 + 1 + 91))
    assert abs(result.simulated.log10 - exact) < 0.2
    assert cm.significance(5 * [5 * [6]], draws=99, rng=1, alternative="less").simulated is None
    assert cm.significance([[6, 6], [6, 5]], draws=99, rng=1).simulated is None


@pytest.mark.slow
def test_a_missed_mode_is_caught():
    """One cluster is found again, two are mixed: by rows it is always the first one.  Splitting finds all three."""
    found, exact = simulated_tail((100,) * 3, (100,) * 3, 13_000, rng=1), -106.16312
    assert log10(pair_law((100,) * 3, (100,) * 3).at_least(13_000)) == pytest.approx(exact, abs=1e-5)
    assert found.by_rows.log10 < exact - 0.4
    assert not found.reliable
    assert abs(found.log10 - exact) < 0.2


@pytest.mark.slow
@pytest.mark.parametrize(("sizes", "t"), [((6, 5, 4), 22), ((9, 6), 40)])
def test_coverage(sizes, t):
    """100 times: Student's interval of the runs by rows covers in some 95 %, Markov's bound nearly always."""
    exact = log10(pair_law(sizes, sizes).at_least(t))
    covered = below = 0
    for seed in range(100):
        found = simulated_tail(sizes, sizes, t, rng=seed)
        low, high = found.by_rows.interval
        covered += low <= exact <= high
        below += found.at_least <= exact
    assert 88 <= covered <= 99
    assert below >= 95


@pytest.mark.parametrize(
    ("rows", "cols", "message"),
    [
        (cm.Tables(10**9, 3, 3), None, r"rows\[0\] must be a whole number"),
        ([2, 1], [2, 2], "rows and cols must have the same total, got 3 and 4"),
        ([3, 0], [2, 1], r"rows\[1\] must be at least 1, got 0"),
    ],
)
def test_what_are_no_margins_is_refused(rows, cols, message):
    with pytest.raises((TypeError, ValueError), match=message):
        pair_law(rows, cols)
