"""Multilevel splitting against exact laws: probabilities, conditional laws, and a chain that is not symmetric."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from brute import matched_points, pair_sums
from late import stats
from numba import njit

from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables
from confmat.errors import TooRare
from confmat.laws import joint
from confmat.plans import Resources
from confmat.sampling import MedProbability, med_probability, sample, splitting, splitting_kernels, stream
from confmat.sampling.choice import sampler_of
from confmat.sampling.methods import Wanted
from confmat.sampling.random_bits import below
from confmat.sampling.splitting import _build_ladder, _probability

LARGE = FixedMargins([20] * 4, [20] * 4)


def z_score(estimate, exact):
    assert estimate.error > 0
    return (estimate.value - exact) / estimate.error


def exact_law(matrices):
    """Number of members with each best matching, member by member."""
    found = Counter(matched_points(np.array(list(matrices))).tolist())
    return {matrices.n - k: v for k, v in found.items()}


@pytest.mark.parametrize(
    ("n", "m"),
    [(20, 0), (20, 4), (20, 13)]
    + [
        pytest.param(*case, marks=pytest.mark.slow)
        for case in [(20, 1), (20, 9), (30, 1), (30, 17), (30, 20)]
    ],
)
def test_probabilities_against_the_exact_law(n, m):
    matrices = Tables(n, 3, 3)
    exact = {row.value: row.weight for row in joint(matrices, "med").given_each("med").rows}
    estimate = med_probability(matrices, Fraction(m, n), rng=10 * n + m, population=300)
    assert abs(z_score(estimate, exact[Fraction(m, n)] / matrices.count())) < 4.5
    assert estimate.error < estimate.value / 3  # not a vacuous comparison


@pytest.mark.parametrize(
    ("matrices", "distances"),
    [
        (FixedMargins([7, 6, 5], [8, 6, 4]), (2, 4, 9)),
        (FixedRows([6, 5, 4], 3), (0, 2, 8)),
        (Tables(9, 2, 3), (1, 5)),
        (Tables(9, 3, 2, empty=True), (0, 5)),
    ],
)
def test_probabilities_against_a_full_list(matrices, distances):
    law = exact_law(matrices)
    for m in distances:
        estimate = med_probability(matrices, Fraction(m, matrices.n), rng=m, population=200)
        assert abs(z_score(estimate, law[m] / sum(law.values()))) < 4.5


# Members near a matching of equal margins: it alone; two points swapped; three in a cycle.  24 matchings.
@pytest.mark.parametrize(("m", "members"), [(0, 24), (2, 24 * 6), (3, 24 * 8)])
@pytest.mark.slow
def test_a_rare_distance_of_a_large_class_is_counted_by_hand(m, members):
    exact = members / LARGE.count()
    assert exact < 2e-7
    assert abs(z_score(med_probability(LARGE, Fraction(m, 80), rng=m), exact)) < 4.5


def conditional_p_value(matrices, condition, rng):
    """Pairs within cells, rows and columns (which give RD) of draws given a distance, against all members."""
    wanted = Wanted.of(matrices, condition)
    members = np.array(list(matrices))
    members = members[wanted.each(members)]
    kinds = Counter(map(tuple, pair_sums(members).tolist()))
    law = {kind: count / len(members) for kind, count in kinds.items()}
    draws = np.asarray(sample(matrices, 1000, rng=rng, given=condition, method="splitting"))
    assert wanted.each(draws).all()
    thinned = np.ascontiguousarray(draws[::2])
    seen = Counter(map(tuple, pair_sums(thinned).tolist()))
    assert set(seen) <= set(law)
    common = [kind for kind in law if law[kind] * len(thinned) >= 5]
    observed = np.array([seen[kind] for kind in common] + [0.0])
    expected = np.array([law[kind] for kind in common] + [0.0]) * len(thinned)
    observed[-1] = len(thinned) - observed.sum()  # the rare kinds together
    expected[-1] = len(thinned) - expected.sum()
    used = expected > 1e-6
    statistic = ((observed - expected)[used] ** 2 / expected[used]).sum()
    return float(stats.chi2.sf(statistic, used.sum() - 1))


CONDITIONAL = [
    (Tables(8, 3, 3), "med=1/8"),
    (FixedMargins([7, 6, 5], [8, 6, 4]), "med=3/18"),
    (FixedRows([6, 5, 4], 3), "med=2/15"),
    (FixedColumns(3, [6, 5, 4]), "rd<1/5"),
    (Tables(9, 3, 2), "med>=4/9"),
    (Tables(8, 3, 3), "rd<1/4"),
    (FixedRows([6, 5, 4], 3), "ard>=1.1"),
    (FixedMargins([7, 6, 5], [8, 6, 4]), "1/2<ari"),
]


@pytest.mark.parametrize(("matrices", "condition"), CONDITIONAL)
def test_draws_follow_the_exact_conditional_law(matrices, condition):
    assert conditional_p_value(matrices, condition, rng=1) > 0.001


@pytest.mark.parametrize(
    "condition", ["med<=2/20", "ri>11/12", "rd=10/190", "ari<-0.2", "ard<=1/8", "nmed<=1/8"]
)
def test_probabilities_of_sides_against_the_exact_law(condition):
    """Each stage before the last is one of several, so that levels are climbed."""
    matrices = Tables(20, 3, 3)
    exact = float(joint(matrices, "nmed", "rd", "ard").probability(condition))
    assert exact < 1e-2
    ladder = _build_ladder(Wanted.of(matrices, condition), sampler_of(matrices), 200)
    assert len(ladder.levels) > 2
    values = [_probability(ladder, 200, seeds) for seeds in np.random.SeedSequence(1).spawn(20)]
    error = np.std(values, ddof=1) / np.sqrt(20)
    assert abs(np.mean(values) - exact) < 4.5 * error < 4.5 * exact / 3


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_intervals_cover():
    """At every MED of (15,3,3), over 200 seeds, 20 repetitions of 128 tables each; some 5 processor minutes.

    Seen once, from MED = 0 to 10/15: 191, 189, 187, 183, 191, 189, 185, 195, 188, 190, 195 of 200, 94.7 % together.
    One of these shares has a standard error of 1.5 %: at the two lowest more seeds, from 1000 on, covered
    194 of 200 (MED = 3/15) and 863 of 900 (6/15).
    """
    matrices, population, seeds = Tables(15, 3, 3), 128, 200
    covered = []
    for row in joint(matrices, "med").given_each("med").rows:
        ladder = _build_ladder(Wanted.of(matrices, {"med": row.value}), sampler_of(matrices), population)
        found = 0
        for seed in range(seeds):
            children = np.random.SeedSequence(seed).spawn(20)
            values = [_probability(ladder, population, child) for child in children]
            error = float(np.std(values, ddof=1)) / np.sqrt(len(values))
            low, high = MedProbability(float(np.mean(values)), error, tuple(values)).interval
            found += low <= row.weight / matrices.count() <= high
        covered.append(found)
    assert 0.93 <= sum(covered) / (seeds * len(covered)) <= 0.97
    assert stats.binom.cdf(min(covered), seeds, 0.95) > 1e-4


def test_what_cannot_be_climbed_to_is_refused_before_a_draw():
    tables = Tables(50, 4, 4)
    with pytest.raises(TooRare, match=r"given med <= 1/25 and ard > 1 by filtering would take more than"):
        stream(tables, 10, rng=1, given="med<=2/50, ard>1")
    with pytest.raises(ValueError, match="one value or to one side of med, rd or ard"):
        stream(tables, 10, rng=1, given="med<=2/50, ard>1", method="splitting")
    with pytest.raises(ValueError, match=r"needs n < 2\^31"):
        stream(Tables(2**31, 2, 2), 10, rng=1, given="rd<1/100", method="splitting")


@njit
def _downhill(state, table, fixed):
    """One unit, but only towards a cell that is not larger: there is no way back."""
    i, j, k, l, _ = _symmetric(state, table, fixed)
    t = 1 if table[i, j] <= table[k, l] and table[k, l] > 0 else 0
    return i, j, k, l, t


@njit
def _symmetric(state, table, fixed):
    r, s = table.shape
    cell, step = below(state, r * s), 1 + below(state, r * s - 1)
    other = (cell + step) % (r * s)
    least, most = -table[cell // s, cell % s], table[other // s, other % s]
    return cell // s, cell % s, other // s, other % s, least + below(state, most - least + 1)


@pytest.mark.parametrize(
    ("moves", "accepted"),
    [
        pytest.param(_symmetric, True, marks=pytest.mark.slow),  # the package's own are accepted above
        (_downhill, False),
    ],
)
def test_the_same_test_rejects_moves_that_are_not_symmetric(monkeypatch, moves, accepted):
    """``walk_within`` compiled anew around other moves."""
    compiled = {name: getattr(x, "compiled", x) for name, x in vars(splitting_kernels).items()}
    kernel = dict(compiled, _propose=moves)
    source = splitting_kernels.walk_within.py_func
    walk = njit(type(source)(source.__code__, kernel))
    monkeypatch.setattr(splitting, "walk_within", walk)
    assert (conditional_p_value(Tables(8, 3, 3), "med=1/8", rng=1) > 0.001) == accepted


def test_takes_over_where_nothing_exact_is_feasible_and_says_so(small_populations):
    draws = stream(LARGE, 30, rng=1, given={"med": Fraction(3, 80)})
    assert (draws.method.name, draws.method.exact) == ("splitting", False)
    assert draws.method.why.startswith("approximate: exact draws would take more than 20000 draws")
    tables = draws.array()
    assert all(table in LARGE for table in tables)
    assert (matched_points(tables) == 77).all()


def test_takes_over_where_the_whole_class_is_unranked(small_populations):
    matrices = FixedMargins([40] * 5, [40] * 5)
    draws = stream(matrices, 10, rng=1, given={"med": Fraction(100, 200)})
    assert draws.method.name == "splitting"
    assert "too slow to filter" in draws.method.why
    tables = draws.array()
    assert all(table in matrices for table in tables)
    assert (matched_points(tables) == 100).all()


def test_the_same_seed_gives_the_same_draws(small_populations):
    one, two, other = (
        np.asarray(
            sample(
                Tables(20, 3, 3),
                150,
                rng=seed,
                given={"med": 0.65},
                method="splitting",
                resources=Resources(threads=threads),
            )
        )
        for seed, threads in ((1, 1), (1, 2), (2, 1))
    )
    assert one.shape == (150, 3, 3)
    assert (one == two).all()
    assert (one != other).any()
    first, second = (
        med_probability(Tables(12, 3, 3), 0, rng=3, population=50, resources=Resources(threads=t))
        for t in (1, 2)
    )
    assert first == second


def test_errors(small_populations):
    with pytest.raises(ValueError, match=r"no member of Tables.* has MED = 14/20"):
        med_probability(Tables(20, 3, 3), Fraction(14, 20))
    with pytest.raises(ValueError, match="multiple of 1/20"):
        med_probability(Tables(20, 3, 3), Fraction(1, 3))
    with pytest.raises(ValueError, match="repetitions must be at least 2"):
        med_probability(Tables(20, 3, 3), 0, repetitions=1)
    with pytest.raises(ValueError, match="at most 8"):
        med_probability(Tables(20, 9, 9), 0)
    with pytest.raises(ValueError, match="needs given"):
        np.asarray(sample(Tables(20, 3, 3), 5, method="splitting"))
    # At equal margins a point off the matching forces another one.
    odd = FixedMargins([4] * 3, [4] * 3)
    with pytest.raises(TooRare, match="perhaps no member"):
        med_probability(odd, Fraction(1, 12), population=50, repetitions=3)
    with pytest.raises(ValueError, match="no member of FixedMargins"):
        np.asarray(sample(odd, 5, rng=1, given={"med": Fraction(1, 12)}, method="splitting"))
