"""Hard calls end with the limits: each returns, or raises an error of the package, about when the seconds are over."""

import time
from contextlib import suppress

import numpy as np
import pytest

import confmat as cm
from confmat.errors import TooLargeError, TooRareError

SECONDS = 2


def a_table(r, s, n):
    return np.random.default_rng(3).multinomial(n, np.ones(r * s) / (r * s)).reshape(r, s)


def memberships(n, clusters):
    return np.random.default_rng(clusters).dirichlet(np.ones(clusters), n)


def mean(matrices, statistic, **options):
    law = cm.joint_distribution(matrices, statistic, **options)
    return law[law.names[0]].mean()


def a_function(table):
    return int((table * table).sum())


MARGINS = cm.FixedMargins
TABLES = cm.Tables
CALLS = {
    # ten that did not end, or not by far
    "exact test of 5 x 5": lambda: cm.exact_test(a_table(5, 5, 11814), "ari"),
    "exact test of 60 x 60": lambda: cm.exact_test(np.full((60, 60), 5), "ari"),
    "exact test of 2 x 16": lambda: cm.exact_test(a_table(2, 16, 13771)),
    "exact fraction of 8 x 8": lambda: cm.exact_test(a_table(8, 8, 400), exact=True),
    "exact test by draws": lambda: cm.exact_test(a_table(4, 4, 3000), "med"),
    "permutation test of 3 x 3": lambda: cm.permutation_test(a_table(3, 3, 10**4)),
    "pairs": lambda: cm.significance.pair_distribution([200] * 8, [200] * 8),
    "draws given a condition": lambda: cm.sample(MARGINS([20] * 6, [20] * 6), 1000, given="med=1/2", rng=1),
    "classes of a check": lambda: cm.check("med<=1/10 -> ari>=0", [TABLES(n, 5, 5) for n in range(5, 45)]),
    "report of a classifier": lambda: cm.classification_report(np.arange(50_000), np.arange(50_000)),
    # others
    "exact test of 3 x 20": lambda: cm.exact_test(a_table(3, 20, 5000), "chi2"),
    "exact test of 10 x 10": lambda: cm.exact_test(a_table(10, 10, 2000), "g2"),
    "exact test of 12 x 12": lambda: cm.exact_test(a_table(12, 12, 150), "nmi"),
    "exact test of a function": lambda: cm.exact_test(a_table(5, 5, 900), a_function),
    "permutation test of 5 x 5": lambda: cm.permutation_test(a_table(5, 5, 11814)),
    "permutation test, draws": lambda: cm.permutation_test(a_table(10, 10, 10**5), exact=False, draws=10**7),
    "permutation test, exact": lambda: cm.permutation_test(a_table(4, 4, 200), exact=True),
    "soft clusterings": lambda: cm.permutation_test(
        memberships(900, 5), memberships(900, 6), statistic="sari"
    ),
    "soft pairs": lambda: cm.significance.soft_test(
        memberships(400, 3), memberships(400, 4), "campello_rand"
    ),
    "comparison of 5 x 5": lambda: str(cm.compare(a_table(5, 5, 11814))),
    "comparison of 30 x 30": lambda: cm.compare(a_table(30, 30, 20000)),
    "distribution at margins": lambda: mean(MARGINS((7, 15, 47, 41), (20, 22, 33, 21, 14)), "ari"),
    "distribution of kappa": lambda: mean(MARGINS((60, 70, 80, 90), (75,) * 4), "kappa"),
    "distribution of rd": lambda: mean(TABLES(60, 5, 5), "rd"),
    "distribution of rd, 3 x 4": lambda: mean(TABLES(400, 3, 4), "rd"),
    "distribution of med": lambda: mean(TABLES(3 * 10**5, 6, 6), "med"),
    "distribution of nmi": lambda: mean(TABLES(16, 4, 4), "nmi"),
    "distribution of a function": lambda: mean(TABLES(25, 3, 3), a_function),
    "distribution of labelings": lambda: mean(TABLES(45, 4, 4), "ari", weight="labelings"),
    "smallest ari, condition": lambda: cm.minimize(TABLES(46, 3, 3), "ari", given="accuracy>=0.9"),
    "smallest ari, 10 x 10": lambda: cm.minimize(TABLES(1000, 10, 10), "ari"),
    "largest rd at margins": lambda: cm.maximize(MARGINS([100] * 10, [100] * 10), "rd"),
    "largest value of a function": lambda: cm.maximize(TABLES(30, 4, 4), a_function, method="exhaustive"),
    "local search": lambda: cm.maximize(TABLES(10**6, 20, 20), "ard", method="local", restarts=10**6),
    "check of nmi": lambda: cm.check("nmi >= ari/4", [TABLES(n, 4, 4) for n in range(4, 25)]),
    "draws": lambda: cm.sample(TABLES(5000, 6, 6), 10**6, rng=1),
    "draws at margins": lambda: cm.sample(MARGINS([100] * 30, [100] * 30), 10**5, rng=1),
    "count at margins": lambda: MARGINS([30] * 8, [30] * 8).count(),
    "table at a position": lambda: MARGINS([30] * 8, [30] * 8).unrank(10**40),
    "position of a table": lambda: MARGINS([30] * 6, [30] * 6).rank([[5] * 6] * 6),
    "count of labelings": lambda: TABLES(10**6, 300, 300).labelings_count(),
    "count": lambda: TABLES(10**6, 300, 300).count(),
    "claims of a metric": lambda: cm.check_metric(cm.ari, n=9),
}


def ends(name, seconds):
    try:
        with cm.limits(seconds=seconds, threads=1):
            CALLS[name]()
    except (TooLargeError, TooRareError):
        pass


@pytest.mark.timeout(120)  # without limits they take longer, whatever the machine
@pytest.mark.parametrize("name", list(CALLS)[:10])
def test_ten_hard_calls_end(name):
    ends(name, 0.5)


@pytest.mark.parametrize(
    "question",
    [
        lambda: MARGINS([31] * 8, [31] * 8).count(),
        lambda: MARGINS([31] * 6, [31] * 6).unrank(10**9),
        lambda: MARGINS([31] * 6, [31] * 6).rank([[31 * (i == j) for j in range(6)] for i in range(6)]),
        lambda: TABLES(10**6, 300, 300).labelings_count(),
    ],
)
def test_a_class_is_not_counted_beyond_the_limit(question):
    with cm.limits(seconds=0.05), pytest.raises(TooLargeError, match="limit"):
        question()


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_hard_calls_end_with_the_limits(name):
    ends(name, SECONDS)  # compiles the kernels
    begun = time.monotonic()
    ends(name, SECONDS)
    assert time.monotonic() - begun < SECONDS + 1


def slow(table):
    time.sleep(0.01)
    return 0.0


OF_A_CALL = {
    "compare": lambda **options: cm.compare(a_table(8, 8, 400), **options).ranks["ari"].share,
    "classification_report": lambda **options: cm.classification_report(*[np.arange(50_000)] * 2, **options),
    "exact_test": lambda **options: cm.exact_test(a_table(8, 8, 400), exact=True, **options),
    "permutation_test": lambda **options: cm.permutation_test(a_table(4, 4, 200), exact=True, **options),
    "soft_test": lambda **options: cm.significance.soft_test(*[memberships(400, 3)] * 2, **options),
    "pair_distribution": lambda **options: cm.significance.pair_distribution(*[[200] * 8] * 2, **options),
    "check_metric": lambda **options: cm.check_metric(slow, **options),
    "verify": lambda **options: cm.verify(cm.check("med <= 3/4", cm.Tables(14, 4, 4)), **options),
}


@pytest.mark.timeout(100)
@pytest.mark.parametrize("name", OF_A_CALL)
def test_limits_are_an_argument_of_each_call_that_may_run_long(name):
    seconds = (
        1 if name == "compare" else 0.02
    )  # a comparison gives what it has computed: its values come before its ranks
    answer = "stopped"
    with suppress(TooLargeError):
        answer = OF_A_CALL[name](limits=cm.Limits(seconds=seconds))
    assert answer == (None if name == "compare" else "stopped")


def test_an_index_that_never_ends_is_not_asked_again():
    """Without limits 2,700 calls of a slow index are made; a claim that breaks at the first is not what stopped it."""
    calls = []

    def counted(table):
        calls.append(1)
        time.sleep(0.005)
        return 0.5

    with pytest.raises(TooLargeError, match=r"check of the claims was stopped after 0\.5 seconds"):
        cm.check_metric(counted, bounds=(0, 1), n=4, examples=1, limits=cm.Limits(seconds=0.5))
    assert len(calls) < 200


def test_a_compiled_loop_is_stopped(monkeypatch):
    """Without a clock: the time is over as soon as a kernel has begun."""
    asked = []

    def look():
        asked.append(1)
        if len(asked) > 1:
            raise TooLargeError("over")
        return 0.0

    monkeypatch.setattr("confmat._numba.clock.look", look)
    with pytest.raises(TooLargeError, match="over"):
        cm.fixed_margins.graph.lay(
            cm.fixed_margins.sums.of_cells(cm.fixed_margins.cell_sums.PAIRS, (200,) * 8, (200,) * 8).margins,
            cm.fixed_margins.graph.Arithmetic(),
        )
