"""Simulated tails of P: against the exact ones, and what is said where a mode was missed."""

from math import inf, lgamma, log, log10

import numpy as np
import pytest

import confmat as cm
from confmat.chance import SimulatedTail, pair_law, simulated_tail, simulation
from confmat.chance.simulation import Estimate
from confmat.chance.simulation_kernels import add_rows, move_within
from confmat.errors import TooLarge
from confmat.sampling.random_bits import state_of


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(simulation, "SECONDS", 0.5)


@pytest.mark.parametrize("cols", [(4, 3), (3, 2, 2)])
def test_a_few_tables_by_rows(cols):
    """Without a tilt weights are 1; with one the mean of a few runs is the tail."""
    rows, logs = np.array((4, 2, 1)), np.array([lgamma(k + 1) for k in range(8)])
    state, law = state_of(np.random.SeedSequence(1)), pair_law((4, 2, 1), cols)
    assert add_rows(state, rows, np.array(cols), 0, 0.7, 9, logs) == pytest.approx((0, 1), abs=1e-9)
    runs = [add_rows(state, rows, np.array(cols), 5, 0.4, 30, logs)[0] for _ in range(12)]
    assert np.mean(np.exp(runs)) == pytest.approx(law.at_least(5), abs=4 * np.std(np.exp(runs)) / 12**0.5)


@pytest.mark.parametrize(("number", "moves"), [(150, 15), (4000, 60)])
def test_moves_keep_margins_levels_and_the_law(number, moves):
    """The shares of P within P >= 4 at margins (4, 3), (4, 3), after many moves of tables from one corner."""
    law, logs = pair_law((4, 3), (4, 3)).chances, np.array([lgamma(k + 1) for k in range(8)])
    tables = np.array([[[4, 0], [0, 3]]] * number)
    pairs = np.full(number, 9)
    move_within(state_of(np.random.SeedSequence(1)), tables, pairs, 4, moves, 2, logs)
    assert (pairs == (tables * (tables - 1)).sum(axis=(1, 2)) // 2).all()
    assert (tables.sum(axis=1) == (4, 3)).all()
    assert pairs.min() >= 4
    for t in np.flatnonzero(law[4:]) + 4:
        share = law[t] / law[4:].sum()
        assert abs((pairs == t).mean() - share) < 4 * (share * (1 - share) / number) ** 0.5


@pytest.mark.parametrize(
    ("rows", "cols", "t"),
    [((15, 10, 5), (12, 10, 8), 95), ((5, 4, 3), (6, 6), 14), ((4, 1), (3, 2), 3)],
)
def test_both_ways_agree_with_the_exact_tail(quick, rows, cols, t):
    found, exact = simulated_tail(rows, cols, t, rng=1), log10(pair_law(rows, cols).at_least(t))
    assert found.reliable
    for way in (found.by_rows, found.by_splitting):
        assert abs(way.log10 - exact) * log(10) < 4 * way.error + 1e-9
    assert found.at_least < exact
    assert found.to_json()["reliable"] is True


@pytest.mark.parametrize("t", [-5, 0, 1])
def test_what_always_happens(quick, t):
    """Every table of six objects in two clusters of three has a pair."""
    found = simulated_tail((3, 3), (3, 3), t, rng=1)
    assert found.log10 == pytest.approx(0, abs=0.05)


def test_what_cannot_happen(quick):
    found = simulated_tail((3, 3), (3, 3), 100, rng=1)
    assert (found.log10, found.reliable, str(found)) == (-inf, False, "not found: no run reached it")
    assert found.to_json()["log10"] is None


def test_a_constant_is_refused():
    with pytest.raises(ValueError, match="P is always 4"):
        simulated_tail((5,), (3, 2), 4)


def test_too_large_for_the_time(monkeypatch):
    monkeypatch.setattr(simulation, "SECONDS", 1e-6)
    with pytest.raises(TooLarge, match="2 x 2 clusters of 200 objects"):
        simulated_tail((100, 100), (100, 100), 9000)


def test_seeds(quick):
    args = (2, 2), (2, 1, 1), 1
    assert simulated_tail(*args, rng=1) == simulated_tail(*args, rng=1) != simulated_tail(*args, rng=2)


def test_words():
    high, low = Estimate((log(1e-9), log(1.1e-9))), Estimate((log(1e-11), log(1.1e-11)))
    apart = SimulatedTail(low, high)
    assert not apart.reliable
    assert str(apart) == "10^-8.98, unreliable: 10^-10.98 by rows, 10^-8.98 by splitting"
    assert apart.at_least == pytest.approx(log10(1.05e-11 / 20))
    assert str(SimulatedTail(high, high)).startswith("10^-8.98 (95 %: 10^-9")
    assert "not checked" in str(SimulatedTail(high, None))


def too_large(*_, **__):
    raise TooLarge("planted")


def test_draws_that_hardly_reach_the_tail_are_simulated(quick, monkeypatch):
    monkeypatch.setattr("confmat.chance.exact_tests.tail", too_large)  # no recursion
    monkeypatch.setattr("confmat.chance.null_laws.LARGEST_EXACT", 0)  # no enumeration
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
@pytest.mark.parametrize(
    ("sizes", "t", "theta"), [((25,) * 4, 700, 0.142), ((30, 20, 10), 500, 0.139), ((6,) * 10, 45, 0.69)]
)
def test_coverage(sizes, t, theta):
    """200 times ten runs by rows: Student's interval covers in some 95 %, Markov's bound nearly always."""
    rows, logs = np.array(sizes), np.array([0.0, *np.log(np.arange(1, sum(sizes) + 1)).cumsum()])
    exact = log10(pair_law(sizes, sizes).at_least(t))
    covered = below = 0
    for seeds in np.random.SeedSequence(1).spawn(200):
        state = state_of(seeds)
        found = Estimate(tuple(add_rows(state, rows, rows, t, theta, 1000, logs)[0] for _ in range(10)))
        low, high = found.interval
        covered += low <= exact <= high
        below += found.log10 - log10(20) <= exact
    assert 180 <= covered <= 198
    assert below >= 190


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
