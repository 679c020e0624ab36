"""Every sampler against full supports (chi-square, fixed seeds, Bonferroni), and a biased one that must fail."""

from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
import pytest
from brute import pair_sums
from goodness import given_of, n_unmatched, p_value, support, uniform

from confmat import Limits, plan
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.errors import TooLargeError, TooRareError
from confmat.sampling import METHODS, sample, stream
from confmat.sampling.methods import rejection

FIBERS = [
    FixedMargins([4, 3, 2], [3, 3, 3]),
    FixedMargins([1, 5, 0, 2], [2, 4, 2]),
    FixedMargins([5, 6], [3, 4, 4]),
]


# (class, method, given): the whole audit, one family of tests.
AUDIT = [
    (Tables(5, 2, 3), "rejection", None),
    (Tables(6, 3, 2), "rejection", None),
    (Tables(4, 2, 2, allow_empty=True), "rejection", None),
    (Tables(5, 3, 3), "unranking", None),
    (Tables(4, 4, 4), "auto", None),
    (FixedRows([3, 2], 3), "auto", None),
    (FixedRows([2, 0, 2], 3), "unranking", None),
    *((fiber, method, None) for fiber in FIBERS for method in ("rejection", "counting", "unranking")),
    # Two rows ahead and the last two; and with rows between, of which one is empty.
    (FixedMargins([2, 3, 2, 3], [4, 3, 3]), "counting", None),
    (FixedMargins([2, 0, 1, 3, 1, 1], [3, 2, 3]), "counting", None),
    *((Tables(7, 3, 3), "auto", m) for m in range(5)),
    *((Tables(6, 3, 3, allow_empty=True), "auto", m) for m in range(5)),
    *((Tables(7, 2, 3), "auto", m) for m in range(1, 5)),
    *((Tables(8, 4, 2), "auto", m) for m in range(2, 6)),
    *((Tables(6, 2, 4, allow_empty=True), "auto", m) for m in range(5)),
    *((Tables(5, 1, 3), "auto", m) for m in (2, 3)),
    *((FixedRows([4, 3], 3), "auto", m) for m in (2, 3)),
    *((FIBERS[0], "auto", m) for m in (3, 4)),
]


LEVEL = 0.01 / len(AUDIT)


@pytest.mark.parametrize(("matrices", "method", "m"), AUDIT)
def test_uniform(matrices, method, m):
    law = uniform(support(matrices, m))
    draws = np.asarray(
        sample(matrices, 12 * len(law) + 3000, rng=20190101, given=given_of(matrices, m), method=method)
    )
    assert draws.dtype == np.int64
    assert p_value(law, draws) > LEVEL


def test_the_audit_rejects_a_biased_sampler():
    """Compositions by uniform cells one after another: a classical mistake."""
    rng = np.random.default_rng(1)
    matrices = Tables(5, 2, 2, allow_empty=True)
    draws = np.zeros((20_000, 2, 2), np.int64)
    for draw in draws:
        left = 5
        for k in range(3):
            draw.flat[k] = rng.integers(0, left + 1)
            left -= draw.flat[k]
        draw.flat[3] = left
    assert p_value(uniform(matrices), draws) < LEVEL
    assert p_value(uniform(matrices), np.asarray(sample(matrices, 20_000, rng=1))) > LEVEL


def matchings_with(total, table):
    """How many matchings of all lines of a square table have this total."""
    orders = permutations(range(len(table)))
    return sum(table[range(len(table)), order].sum() == total for order in map(list, orders))


def test_the_audit_rejects_matched_proposals_that_forget_their_multiplicity():
    """Keeping every proposal counts a table once for each of its best matchings."""
    matrices, m = Tables(6, 3, 3), 3
    kept = [x for x in matrices if n_unmatched(x) == m]
    ways = np.array([matchings_with(3, x) for x in kept])
    rng = np.random.default_rng(1)
    biased = np.array(kept)[rng.choice(len(kept), 40_000, p=ways / ways.sum())]
    assert p_value(uniform(kept), biased) < LEVEL


def test_the_audit_covers_every_way_to_draw():
    names = {
        stream(matrices, 1, rng=1, given=given_of(matrices, m), method=method).method.name
        for matrices, method, m in AUDIT
    }
    assert set(METHODS) - {"auto"} < names
    # Filtering, for larger classes, is audited in test_sampling_given_tables.
    assert {"matched", "potentials", "listing"} < names


def test_rejection_rate_and_count_of_the_literature():
    """Chacon (2019): rejection rate 0.01597 for (50,4,4), 2.04e14 matrices."""
    matrices = Tables(50, 4, 4)
    draws = stream(matrices, 200_000, rng=7)
    assert draws.array().shape == (200_000, 4, 4)
    assert abs(draws.rejection_rate - (1 - matrices.count() / comb(65, 15))) < 0.0015
    estimate = draws.estimated_count()
    assert abs(estimate.value - matrices.count()) < 4 * estimate.error


def test_means_against_the_exact_law():
    """MED, RD and ARD of many draws, within four standard errors."""
    matrices = Tables(20, 3, 3)
    draws = np.asarray(sample(matrices, 250_000, rng=11))
    law = joint_distribution(matrices, "med", "rd", "ard")
    m, a, b, p = pair_sums(draws).T
    rd = (a + b - 2 * p) / 190
    ard = rd * 190**2 / (a * (190 - b) + b * (190 - a))
    means = [float(law[name].mean()) for name in ("med", "rd", "ard")]
    for values, mean in zip((m / 20, rd, ard), means):
        assert abs(values.mean() - mean) < 4 * values.std() / 500


def test_threads_and_generators_do_not_change_the_draws():
    for matrices, distance in ((Tables(50, 4, 4), None), (Tables(12, 3, 3), {"med": Fraction(5, 12)})):
        one = np.asarray(sample(matrices, 9000, rng=3, given=distance, limits=Limits(threads=1)))
        assert (
            one == np.asarray(sample(matrices, 9000, rng=3, given=distance, limits=Limits(threads=3)))
        ).all()
        assert (one != np.asarray(sample(matrices, 9000, rng=4, given=distance))).any()
        assert (
            np.asarray(sample(matrices, 9, rng=np.random.default_rng(3)))
            == np.asarray(sample(matrices, 9, rng=np.random.default_rng(3)))
        ).all()
    rng = np.random.default_rng(3)
    assert (
        np.asarray(sample(Tables(50, 4, 4), 9, rng=rng)) != np.asarray(sample(Tables(50, 4, 4), 9, rng=rng))
    ).any()


def test_streams_in_chunks_with_progress():
    seen = []
    draws = stream(Tables(20, 3, 3), 40_000, rng=1, limits=Limits(progress=seen.append))
    chunks = list(draws)
    assert max(map(len, chunks)) <= draws.method.block
    assert sum(map(len, chunks)) == 40_000 == draws.accepted
    assert (seen[-1].done, seen[-1].total, seen[-1].fraction) == (40_000, 40_000, 1)
    for chunk in stream(Tables(20, 3, 3), 10**8, rng=1):  # left early: nothing else is drawn
        assert len(chunk) == draws.method.block
        break


@pytest.mark.parametrize("size", [(6, 6, 6), (12, 10, 10)])
def test_unranking_takes_over_and_says_so(size, caplog):
    with caplog.at_level("INFO", logger="confmat.sampling"):
        draws = stream(Tables(*size), 3, rng=1)
    assert draws.method.name == "unranking"
    assert "rejection would accept" in draws.method.why
    assert "unranking" in caplog.text
    assert all(table in Tables(*size) for table in draws.array())


def test_sizes_beyond_64_bits():
    for matrices in (Tables(2**70, 2, 3), FixedMargins([2**64, 5], [2**64, 5])):
        draws = np.asarray(sample(matrices, 3, rng=1))
        assert draws.dtype == object
        assert all(table in matrices for table in draws)
    with pytest.raises(TooLargeError, match="too large to count"):
        sample(FixedMargins([2**40] * 3, [2**40] * 3), 3, rng=1)


@pytest.mark.parametrize(
    "matrices",
    [
        Tables(0, 1, 1, allow_empty=True),
        FixedRows((2, 0), 1, allow_empty=True),
        FixedRows((0, 0), 1, allow_empty=True),
    ],
    ids=repr,
)
def test_one_column_has_one_way(matrices):
    assert np.asarray(sample(matrices, 3, rng=1)).tolist() == [np.asarray(x).tolist() for x in matrices] * 3


def test_rejection_gives_up_within_its_budget():
    with pytest.raises(TooRareError, match="0 of 1000 proposals"):
        rejection(Tables(12, 10, 10), "", limit=1000).draw(np.random.SeedSequence(1), 5)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((Tables(2, 3, 3), 1), {}, "at least one member"),
        ((Tables(9, 3, 3), -1), {}, "size must be at least 0"),
        ((Tables(60, 60, 51), 1), {}, "at most 2500 cells .* 3060 cells"),
        ((Tables(9, 3, 3), 1), {"method": "magic"}, "method must be one of"),
        ((Tables(9, 3, 3), 1), {"method": "counting"}, "is for FixedMargins"),
        ((Tables(9, 3, 3), 1), {"given": {"med": Fraction(1, 7)}}, "multiple of 1/9"),
        ((Tables(9, 3, 3), 1), {"given": {"med": 2}}, "multiple of 1/9"),
        ((Tables(9, 3, 3), 1), {"given": {"med": "few"}}, r"given\['med'\] must read like .* name 'few'"),
        ((Tables(9, 3, 3), 1), {"given": "rd>2"}, "no member of .* has rd > 2"),
        ((Tables(9, 2, 3), 1), {"given": "cor>1/2"}, "square"),
        ((Tables(9, 3, 2), 1), {"given": {"med": 0}}, "no member"),
        ((Tables(30, 2, 5), 1), {"given": {"med": Fraction(2, 30)}}, "no member"),
        ((FixedMargins([3, 1], [2, 2]), 1), {"given": {"med": 0}}, "no member"),
        ((Tables(20, 13, 13), 1), {"given": {"med": 0}}, "at most 12"),
    ],
)
def test_bad_requests(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        stream(*arguments, **options)


def test_every_way_to_ask_for_one_med_draws_the_same():
    drawn = [
        np.asarray(sample(Tables(20, 3, 3), 20, rng=1, given=given))
        for given in (
            "med=4/20",
            "0.2 = med",
            "med = 4/n",
            {"med": Fraction(1, 5)},
            {"med": 0.2},
            {"med": "4/20"},
        )
    ]
    assert all(np.array_equal(drawn[0], other) for other in drawn[1:])


def test_wrong_types():
    with pytest.raises(TypeError, match="rng must be"):
        np.asarray(sample(Tables(9, 3, 3), 1, rng="seed"))
    with pytest.raises(TypeError, match="matrices must be"):
        np.asarray(sample((9, 3, 3), 1))
    with pytest.raises(TypeError, match="must be a number"):
        np.asarray(sample(Tables(9, 3, 3), 1, given={"med": None}))


def test_margins_are_checked_before_any_work():
    for rows, cols, message in (
        ([3, 1], [2, 1], "same total"),
        ([3, -1], [2], r"rows\[1\] must be at least 0"),
        ([], [2], "must not be empty"),
    ):
        with pytest.raises(ValueError, match=message):
            FixedMargins(rows, cols)
    with pytest.raises(ValueError, match="too large to count"):
        stream(FixedMargins([200] * 8, [200] * 8), 1, method="counting")
    assert len(np.asarray(sample(Tables(9, 3, 3), 0))) == 0


def test_a_users_seed_sequence_shares_no_stream_with_ours():
    sequence = np.random.SeedSequence(1)
    drawn = sample(Tables(20, 3, 3), 50, rng=sequence)
    own = [sample(Tables(20, 3, 3), 50, rng=child) for child in (*sequence.spawn(2), sequence)]
    assert [np.array_equal(drawn, other) for other in own] == [False, False, True]


def test_a_plan_of_draws_names_the_ways_that_could_answer_alone():
    """Ways under a condition are not named for a whole class; those after the first that applies are not needed."""
    whole = plan(sample, Tables(20, 3, 3), 10)
    assert (whole.method, set(whole.rejected)) == ("rejection", {"counting", "unranking"})
    given = plan(sample, Tables(20, 3, 3), 10, given="med=4/20")
    assert (given.method, set(given.rejected)) == (
        "proposals",
        {"filtering", "recursion", "listing"},
    )
    assert given.rejected["listing"] == "is not needed"
