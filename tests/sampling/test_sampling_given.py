"""Draws at a given MED: listing, laws and counts against exact ones, and when a way gives up."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from brute import matched_points, pair_sums
from goodness import p_value, support, uniform
from late import stats

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.distributions import joint_distribution
from confmat.errors import TooRareError
from confmat.indices import PairSums
from confmat.sampling import sample, stream


@pytest.mark.parametrize(
    "matrices", [Tables(6, 3, 3), Tables(7, 2, 3), Tables(6, 4, 2), FixedRows([3, 2, 3], 3)]
)
def test_listing_is_uniform_up_to_relabeling(matrices):
    """The last resort for rare distances, at every distance of a small class."""
    for m in range(matrices.n):
        members = support(matrices, m)
        wanted = f"med = {m}/{matrices.n}, ri <= 1"  # a list, as proposals know the MED alone
        if len(members) > 1:
            draws = sample(matrices, 12 * len(members), rng=m, given=wanted)
            assert f"all {len(members)} members" in draws.method.why
            assert p_value(uniform(members), np.asarray(draws)) > 0.001 / matrices.n
        elif not members:
            with pytest.raises(ValueError, match="no member"):
                np.asarray(sample(matrices, 1, given=wanted))


LAWS_GIVEN_THE_MED = [
    Tables(8, 3, 3),
    Tables(10, 2, 4),
    pytest.param(Tables(20, 3, 3), marks=pytest.mark.slow),
    pytest.param(Tables(30, 3, 3), marks=pytest.mark.slow),
    pytest.param(Tables(20, 3, 4), marks=pytest.mark.slow),
    pytest.param(Tables(30, 2, 5), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("matrices", LAWS_GIVEN_THE_MED)
def test_law_of_the_other_distances_given_each_med(matrices):
    """(RD, ARD) of draws at every MED, the rarest too, by chi-square against the exact law."""
    size = 10_000
    exact = {}
    for (value, rd, ard), weight in list(joint_distribution(matrices, "med", "rd", "ard")):
        exact.setdefault(value, {})[float(rd), float(ard)] = weight
    for value, law in exact.items():
        tables = np.asarray(sample(matrices, size, rng=5, given={"med": value}))
        seen = {}
        for (_, *sums), count in Counter(map(tuple, pair_sums(tables).tolist())).items():
            sums = PairSums(matrices.n, *sums)
            point = float(sums.rand_distance), float(sums.adjusted_rand_distance)
            seen[point] = seen.get(point, 0) + count
        assert set(seen) <= set(law)
        # Points expected fewer than 5 times share classes, in order.
        statistic, classes, waiting = 0.0, 0, np.zeros(2)
        total = sum(law.values())
        for i, (point, weight) in enumerate(sorted(law.items(), key=lambda item: item[1])):
            waiting += seen.get(point, 0), size * weight / total
            if waiting[1] >= 5 or i == len(law) - 1:
                statistic += (waiting[0] - waiting[1]) ** 2 / waiting[1]
                classes += 1
                waiting[:] = 0
        assert classes == 1 or stats.chi2.sf(statistic, classes - 1) > 0.01 / len(exact), value


GIVEN = [
    Tables(8, 3, 3),
    Tables(20, 3, 3),
    Tables(8, 2, 4),
    Tables(12, 2, 5, allow_empty=True),
    pytest.param(Tables(20, 4, 3), marks=pytest.mark.slow),
    pytest.param(Tables(30, 2, 5), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("matrices", GIVEN)
def test_counts_given_the_med(matrices):
    """The acceptance of both proposals estimates the number of matrices at every MED, within five standard errors."""
    for med, members in joint_distribution(matrices, "med")["med"]:
        if med == 0 and matrices.r == matrices.s:
            continue  # built directly
        draws = stream(matrices, 8000, rng=2, given={"med": med})
        tables = draws.array()
        assert (matched_points(tables) == matrices.n * (1 - med)).all()
        estimate = draws.estimated_count()
        assert abs(estimate.value - members) <= 5 * estimate.error, (med, draws.method.name)


def test_the_smallest_and_the_largest_med_of_50_4_4_are_reached():
    """The parts that uniform sampling never sees: MED = 0 has probability 2e-9, MED = 37/50 3e-8."""
    matrices = Tables(50, 4, 4)
    for m in (0, 1, 2, 5, 10, 20, 30, 35, 36, 37):
        draws = stream(matrices, 20, rng=1, given={"med": Fraction(m, 50)})
        tables = draws.array()
        assert (matched_points(tables) == 50 - m).all()
        assert all(table in matrices for table in tables)
    with pytest.raises(ValueError, match="no member"):
        stream(matrices, 1, given={"med": Fraction(38, 50)})


def test_rare_distances_are_listed_when_a_pilot_finds_too_few(monkeypatch):
    monkeypatch.setattr("confmat.sampling.given.seconds_a_draw", lambda *_: np.inf)
    for matrices, m in (
        (FixedMargins([6] * 4, [6] * 4), 0),
        (FixedRows([6] * 3, 4), 0),
        (Tables(9, 3, 8), 5),
    ):
        draws = stream(matrices, 50, rng=1, given={"med": Fraction(m, matrices.n)})
        assert draws.method.name == "listing"
        tables = draws.array()
        assert all(table in matrices for table in tables)
        assert (matched_points(tables) == matrices.n - m).all()
    common = stream(FixedMargins([9] * 4, [9] * 4), 50, rng=1, given={"med": Fraction(15, 36)})
    assert common.method.name == "counting, filtered"
    assert (matched_points(common.array()) == 21).all()


def test_filtering_says_when_it_gives_up(monkeypatch):
    monkeypatch.setattr("confmat.sampling.given.FILTER_BLOCK", 500)
    monkeypatch.setattr("confmat.sampling.given.MOST_TABLES_LISTED", -1)
    fiber = FixedMargins([4, 3, 2], [3, 3, 3])
    draws = sample(fiber, 400, rng=1, given="med=4/9", method="unranking")
    assert draws.method.name == "unranking, filtered"
    assert p_value(uniform(support(fiber, 4)), np.asarray(draws)) > 0.001
    monkeypatch.setattr("confmat.sampling.given.FILTERED", 1000)
    with pytest.raises(TooRareError, match=r"only 0 of 1000 draws .* 1 are needed"):
        np.asarray(sample(fiber, 1, rng=1, given="med=8/9", method="unranking"))


def test_a_med_of_1_is_a_question_that_no_member_answers():
    with pytest.raises(ValueError, match=r"no member of .* has MED = 4/4"):
        sample(Tables(4, 2, 2), 2, given="med = 1")
