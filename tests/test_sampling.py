"""Every sampler against full supports (chi-square, fixed seeds, Bonferroni), and a biased one that must fail."""

from fractions import Fraction
from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from goodness import p_value, uniform
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.indices.pairs import PairSums
from confmat.indices.partition import med
from confmat.laws import joint
from confmat.null import table_cells
from confmat.sampling import METHODS, TooRare, chain_report, sample, stream
from confmat.sampling.distance import matched_points
from confmat.sampling.fixed import countable
from confmat.sampling.given import _filtered, _listed
from confmat.sampling.kernels import (
    composition,
    full,
    matchings_of_weight,
    pair_sums_and_matching,
    scratch,
)
from confmat.sampling.methods import acceptance, matched_proposals, rejection, unranking
from confmat.sampling.potentials import number_of_potentials, running_proposals, tight_matching
from confmat.sampling.random_bits import below, state_of
from confmat.strategies import tables

FIBERS = [
    FixedMargins([4, 3, 2], [3, 3, 3]),
    FixedMargins([1, 5, 0, 2], [2, 4, 2]),
    FixedMargins([5, 6], [3, 4, 4]),
]

# (class, method, given): the whole audit, one family of tests.
AUDIT = [
    (Tables(5, 2, 3), "rejection", None),
    (Tables(6, 3, 2), "rejection", None),
    (Tables(4, 2, 2, empty=True), "rejection", None),
    (Tables(5, 3, 3), "unranking", None),
    (Tables(4, 4, 4), "auto", None),
    (FixedRows([3, 2], 3), "auto", None),
    (FixedRows([2, 0, 2], 3), "unranking", None),
    *(
        (fiber, method, None)
        for fiber in FIBERS
        for method in ("rejection", "counting", "unranking", "chain")
    ),
    (FixedMargins([2, 3, 2, 3], [4, 3, 3]), "counting", None),
    *((Tables(7, 3, 3), "auto", m) for m in range(5)),
    *((Tables(6, 3, 3, empty=True), "auto", m) for m in range(5)),
    *((Tables(7, 2, 3), "auto", m) for m in range(1, 5)),
    *((Tables(8, 4, 2), "auto", m) for m in range(2, 6)),
    *((Tables(6, 2, 4, empty=True), "auto", m) for m in range(5)),
    *((Tables(5, 1, 3), "auto", m) for m in (2, 3)),
    *((FixedRows([4, 3], 3), "auto", m) for m in (2, 3)),
    *((FIBERS[0], "auto", m) for m in (3, 4)),
]
LEVEL = 0.01 / len(AUDIT)


def given_of(matrices, m):
    return None if m is None else {"med": Fraction(m, matrices.n)}


def support(matrices, m):
    return [x for x in matrices if m is None or med(x, exact=True) == Fraction(m, matrices.n)]


@pytest.mark.parametrize(("matrices", "method", "m"), AUDIT)
def test_uniform(matrices, method, m):
    law = uniform(support(matrices, m))
    draws = sample(matrices, 12 * len(law) + 3000, rng=20190101, given=given_of(matrices, m), method=method)
    assert draws.dtype == np.int64
    assert p_value(law, draws) > LEVEL


def test_the_audit_rejects_a_biased_sampler():
    """Compositions by uniform cells one after another: a classical mistake."""
    rng = np.random.default_rng(1)
    matrices = Tables(5, 2, 2, empty=True)
    draws = np.zeros((20_000, 2, 2), np.int64)
    for draw in draws:
        left = 5
        for k in range(3):
            draw.flat[k] = rng.integers(0, left + 1)
            left -= draw.flat[k]
        draw.flat[3] = left
    assert p_value(uniform(matrices), draws) < LEVEL
    assert p_value(uniform(matrices), sample(matrices, 20_000, rng=1)) > LEVEL


def test_the_audit_rejects_matched_proposals_that_forget_their_multiplicity():
    """Keeping every proposal counts a table once for each of its best matchings."""
    matrices, m = Tables(6, 3, 3), 3
    kept = [x for x in matrices if n_unmatched(x) == m]
    ways = np.array([matchings_of_weight(x, 3) for x in kept])
    rng = np.random.default_rng(1)
    biased = np.array(kept)[rng.choice(len(kept), 40_000, p=ways / ways.sum())]
    assert p_value(uniform(kept), biased) < LEVEL


def n_unmatched(matrix):
    return int(med(matrix, exact=True) * matrix.sum())


def test_the_audit_covers_every_way_to_draw():
    names = {
        stream(matrices, 1, rng=1, given=given_of(matrices, m), method=method).method.name
        for matrices, method, m in AUDIT
    }
    assert set(METHODS) - {"auto", "splitting"} < names  # splitting is approximate: audited on its own
    assert {"matched", "potentials", "diagonal", "listing"} < names


@given(tables(n=st.integers(0, 10**9), shape=st.tuples(st.integers(1, 4), st.integers(1, 5)), nonempty=False))
def test_sums_and_matchings_of_draws_are_those_of_the_indices(table):
    """The kernels that condition and weigh draws, against the exact functions and all matchings."""
    narrow = table if table.shape[0] <= table.shape[1] else table.T.copy()
    r, s = narrow.shape
    weights = [int(narrow[range(r), columns].sum()) for columns in permutations(range(s), r)]
    sums = PairSums.of(narrow)
    found = pair_sums_and_matching(np.stack([narrow, narrow]))
    assert found.tolist() == [[max(weights), sums.A, sums.B, sums.P]] * 2
    assert matched_points(table[None]).tolist() == [max(weights)]
    # Ways to match with a total that no matching exceeds; 0 when some total is larger.
    assert matchings_of_weight(narrow, max(weights)) == weights.count(max(weights))
    assert matchings_of_weight(narrow, max(weights) + 1) == 0
    assert max(weights) == 0 or matchings_of_weight(narrow, max(weights) - 1) == 0
    assert full(table) == bool(table.any(axis=0).all() and table.any(axis=1).all())


@pytest.mark.parametrize(("places", "cells"), [(3, 4), (70, 3), (5000, 3)])
def test_both_ways_to_place_bars_are_uniform(places, cells):
    """Below and above the length of the bitset: the first gap has the law of stars and bars."""
    state = state_of(np.random.SeedSequence(5))
    out = np.empty((20_000, cells), np.int64)
    for row in out:
        composition(state, places, row, scratch())
    assert (out.sum(axis=1) == places).all()
    assert (out >= 0).all()
    # Mean n/c and variance of a part, Bose-Einstein: n (n + c)(c - 1)/(c^2 (c + 1)).
    mean = places / cells
    sd = (places * (places + cells) * (cells - 1) / (cells**2 * (cells + 1))) ** 0.5
    assert np.abs(out.mean(axis=0) - mean).max() < 4.5 * sd / len(out) ** 0.5
    assert np.abs(out.std(axis=0) / sd - 1).max() < 0.03


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 2**32 - 1, 2**32, 3 * 2**61])
def test_bounded_integers(bound):
    state = state_of(np.random.SeedSequence(3))
    values = np.array([below(state, bound) for _ in range(4000)], float)
    assert values.min() >= 0
    assert values.max() < bound
    # 16 equal classes of the unit interval (fewer for small bounds), chi-square with a wide margin.
    classes = min(bound, 16)
    if bound % classes == 0 or bound > 10**6:
        counts = np.bincount((values / bound * classes).astype(int), minlength=classes)
        assert ((counts - 4000 / classes) ** 2 / (4000 / classes)).sum() < 45


def test_rejection_rate_and_count_of_the_literature():
    """Chacon (2019): rejection rate 0.01597 for (50,4,4), 2.04e14 matrices."""
    matrices = Tables(50, 4, 4)
    draws = stream(matrices, 200_000, rng=7)
    assert draws.array().shape == (200_000, 4, 4)
    assert abs(float(draws.rejection_rate) - float(1 - acceptance(matrices))) < 0.0015
    estimate = draws.estimated_count()
    assert abs(estimate.value - matrices.count()) < 4 * estimate.error


def test_means_against_the_exact_law():
    """MED, RD and ARD of a million draws, within five standard errors."""
    matrices = Tables(20, 3, 3)
    draws = sample(matrices, 10**6, rng=11)
    rows = joint(matrices, "med", "rd", "ard").given("med").rows
    matched, a, b, p = pair_sums_and_matching(draws).T
    rd = (a + b - 2 * p) / 190
    ard = rd * 190**2 / (a * (190 - b) + b * (190 - a))
    means = [float(sum(row.value * row.probability for row in rows))]
    means += [
        float(sum(Fraction(row.laws[name].mean) * row.probability for row in rows)) for name in ("rd", "ard")
    ]
    for values, mean in zip((1 - matched / 20, rd, ard), means):
        assert abs(values.mean() - mean) < 5 * values.std() / 1000


@pytest.mark.parametrize(
    "matrices", [Tables(6, 3, 3), Tables(7, 2, 3), Tables(6, 4, 2), FixedRows([3, 2, 3], 3)]
)
def test_listing_is_uniform_up_to_relabeling(matrices):
    """The last resort for rare distances, at every distance of a small class."""
    for m in range(matrices.n):
        members = support(matrices, m)
        if len(members) > 1:
            method = _listed(matrices, m)
            assert f"all {len(members)} members" in method.why
            tables = method.draw(np.random.SeedSequence(m), 12 * len(members)).tables
            assert p_value(uniform(members), tables) > 0.001 / matrices.n
        elif not members:
            with pytest.raises(ValueError, match="no member"):
                _listed(matrices, m)


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
    for (value, rd, ard), weight in joint(matrices, "med", "rd", "ard").support:
        exact.setdefault(value, {})[float(rd), float(ard)] = weight
    for value, law in exact.items():
        tables = sample(matrices, size, rng=5, given={"med": value})
        seen = {}
        for (_, *sums), count in table_cells(tables).items():
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
        assert classes == 1 or chi2.sf(statistic, classes - 1) > 0.01 / len(exact), value


GIVEN = [
    Tables(8, 3, 3),
    Tables(20, 3, 3),
    Tables(8, 2, 4),
    Tables(12, 2, 5, empty=True),
    pytest.param(Tables(20, 4, 3), marks=pytest.mark.slow),
    pytest.param(Tables(30, 2, 5), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("matrices", GIVEN)
def test_counts_given_the_med(matrices):
    """The acceptance of both proposals estimates the number of matrices at every MED, within five standard errors."""
    for row in joint(matrices, "med").given("med").rows:
        if row.value == 0 and matrices.r == matrices.s:
            continue  # built directly
        draws = stream(matrices, 8000, rng=2, given={"med": row.value})
        tables = draws.array()
        assert (matched_points(tables) == matrices.n * (1 - row.value)).all()
        estimate = draws.estimated_count()
        assert abs(estimate.value - row.total) <= 5 * estimate.error, (row.value, draws.method.name)


def test_every_med_of_50_4_4_is_reached():
    """The parts that uniform sampling never sees: MED = 0 has probability 2e-9, MED = 37/50 3e-8."""
    matrices = Tables(50, 4, 4)
    for m in range(38):
        draws = stream(matrices, 20, rng=1, given={"med": Fraction(m, 50)})
        tables = draws.array()
        assert (matched_points(tables) == 50 - m).all()
        assert all(table in matrices for table in tables)
    with pytest.raises(ValueError, match="no member"):
        stream(matrices, 1, given={"med": Fraction(38, 50)})


def test_proposals_are_as_many_as_counted():
    """Sum over the matrices at each distance of their representations, by brute force."""
    n, s = 6, 3
    by_distance = {}
    for x in Tables(n, s, s, empty=True):
        m = n_unmatched(x)
        by_distance[m] = by_distance.get(m, 0) + matchings_of_weight(x, n - m)
    for m, ways in by_distance.items():
        proposed = matched_proposals(n, s, s, m)
        assert ways <= proposed
        assert ways == proposed if m == 0 else True
        assert running_proposals(n, s, s, n - m)[-1] > 0


def test_number_of_potentials_by_brute_force():
    from itertools import product

    column_of = np.zeros(3, np.int64)
    checked = 0
    for x in list(Tables(5, 3, 3, empty=True))[::23]:
        k = 5 - n_unmatched(x)
        covers = set()
        for potentials in product(range(k + 1), repeat=6):
            u, v = np.array(potentials[:3]), np.array(potentials[3:])
            cover = u[:, None] + v
            if sum(potentials) == k and (cover >= x).all():
                covers.add(cover.tobytes())
                slack = cover - x
        assert tight_matching(slack, column_of)
        assert number_of_potentials(slack, column_of) == len(covers)
        checked += 1
    assert checked > 50


def test_threads_and_generators_do_not_change_the_draws():
    for matrices, distance in ((Tables(50, 4, 4), None), (Tables(12, 3, 3), {"med": Fraction(5, 12)})):
        one = sample(matrices, 9000, rng=3, given=distance, threads=1)
        assert (one == sample(matrices, 9000, rng=3, given=distance, threads=3)).all()
        assert (one != sample(matrices, 9000, rng=4, given=distance)).any()
        assert (
            sample(matrices, 9, rng=np.random.default_rng(3))
            == sample(matrices, 9, rng=np.random.default_rng(3))
        ).all()
    rng = np.random.default_rng(3)
    assert (sample(Tables(50, 4, 4), 9, rng=rng) != sample(Tables(50, 4, 4), 9, rng=rng)).any()


def test_streams_in_chunks_with_progress():
    seen = []
    draws = stream(Tables(20, 3, 3), 40_000, rng=1, progress=lambda done, size: seen.append((done, size)))
    chunks = list(draws)
    assert max(map(len, chunks)) <= draws.method.block
    assert sum(map(len, chunks)) == 40_000 == draws.accepted
    assert seen[-1] == (40_000, 40_000)
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
        draws = sample(matrices, 3, rng=1)
        assert draws.dtype == object
        assert all(table in matrices for table in draws)
    assert sample(FixedMargins([2**40] * 3, [2**40] * 3), 3, rng=1).sum() == 9 * 2**40


def test_counting_reaches_five_by_five():
    fiber = FixedMargins([10] * 5, [10] * 5)
    assert fiber.count() == 79_315_936_751
    assert countable(fiber)
    draws = stream(fiber, 4000, rng=1)
    tables = draws.array()
    assert draws.method.name == "counting"
    assert all(table in fiber for table in tables[:50])
    # Every cell has the same law by symmetry: mean 2.
    assert np.abs(tables.mean(axis=0) - 2).max() < 4.5 * tables.std() / 4000**0.5


@pytest.mark.slow
def test_counting_reaches_the_eye_hair_table():
    fiber = FixedMargins([220, 215, 93, 64], [108, 286, 71, 127])
    tables = stream(fiber, 2000, rng=1).array()
    by_rank = sample(fiber, 300, rng=2, method="unranking")
    gap = tables.mean(axis=0) - by_rank.mean(axis=0)
    assert (np.abs(gap) < 4.5 * by_rank.std(axis=0) / 300**0.5 * 1.1).all()


def test_chain_is_used_where_counting_ends_and_is_judged():
    fiber = FixedMargins([100] * 8, [100] * 8)
    draws = stream(fiber, 4096, rng=1)
    assert draws.method.name == "chain"
    assert not draws.method.exact
    tables = draws.array()
    assert (tables.sum(axis=1) == 100).all()
    assert (tables.sum(axis=2) == 100).all()
    report = chain_report(tables[:, 0, 0])
    assert report.chains == 4
    assert report.r_hat < 1.02
    assert report.ess > 400


def test_chain_report_notices_chains_that_disagree():
    rng = np.random.default_rng(1)
    assert chain_report(np.concatenate([rng.normal(k, 1, 1024) for k in range(4)])).r_hat > 1.3
    drift = np.cumsum(rng.normal(size=4096))
    assert chain_report(drift).ess < 100
    assert chain_report(np.ones(64)).r_hat == 1
    with pytest.raises(ValueError, match="at least 8"):
        chain_report(np.ones(3))


@pytest.mark.parametrize(
    "fiber", [FixedMargins([4, 3, 2], [3, 3, 3]), FixedMargins([1, 2, 2], [3, 2]), FixedMargins([5], [2, 3])]
)
def test_moves_connect_the_fiber(fiber):
    """NetworkX: the graph of the tables under +-1 moves is connected, and the chain reaches all of it."""
    tables = {table.tobytes(): table for table in fiber}
    graph = nx.Graph()
    graph.add_nodes_from(tables)
    r, s = fiber.shape
    for name, table in tables.items():
        for i in range(r):
            for k in set(range(r)) - {i}:
                for j in range(s):
                    for l in set(range(s)) - {j}:
                        moved = table.copy()
                        moved[[i, k], [j, l]] += 1
                        moved[[i, k], [l, j]] -= 1
                        if moved.min() >= 0:
                            assert moved in fiber
                            graph.add_edge(name, moved.tobytes())
    assert nx.is_connected(graph)
    assert nx.diameter(graph) <= fiber.n  # every move that helps brings two points home
    reached = {x.tobytes() for x in sample(fiber, 5000, rng=1, method="chain")}
    assert reached == set(tables)


def test_rare_distances_are_listed_when_a_pilot_finds_too_few(monkeypatch):
    monkeypatch.setattr("confmat.sampling.given.LISTED", 0)
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
    common = stream(FixedMargins([6] * 4, [6] * 4), 50, rng=1, given={"med": Fraction(10, 24)})
    assert common.method.name == "counting, filtered"
    assert (matched_points(common.array()) == 14).all()


def test_filtering_says_when_it_gives_up(monkeypatch):
    monkeypatch.setattr("confmat.sampling.given.FILTER_BLOCK", 500)
    fiber = FixedMargins([4, 3, 2], [3, 3, 3])
    law = uniform(support(fiber, 4))
    filtered = _filtered(fiber, unranking(fiber, ""), 4, 10**5)
    tables = filtered.draw(np.random.SeedSequence(1), 400).tables
    assert p_value(law, tables) > 0.001
    with pytest.raises(TooRare, match="needed"):
        _filtered(fiber, unranking(fiber, ""), 8, 1000).draw(np.random.SeedSequence(1), 1)


def test_rejection_gives_up_within_its_budget():
    with pytest.raises(TooRare, match="0 of 1000 proposals"):
        rejection(Tables(12, 10, 10), "", limit=1000).draw(np.random.SeedSequence(1), 5)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((Tables(2, 3, 3), 1), {}, "no members"),
        ((Tables(9, 3, 3), -1), {}, "size must be at least 0"),
        ((Tables(9, 3, 3), 1), {"method": "magic"}, "method must be one of"),
        ((Tables(9, 3, 3), 1), {"method": "chain"}, "is for FixedMargins"),
        ((Tables(9, 3, 3), 1), {"given": {"rd": 0}}, "given must be"),
        ((Tables(9, 3, 3), 1), {"given": {"med": Fraction(1, 7)}}, "multiple of 1/9"),
        ((Tables(9, 3, 3), 1), {"given": {"med": 2}}, "multiple of 1/9"),
        ((Tables(9, 3, 2), 1), {"given": {"med": 0}}, "no member"),
        ((Tables(30, 2, 5), 1), {"given": {"med": Fraction(2, 30)}}, "no member"),
        ((FixedMargins([3, 1], [2, 2]), 1), {"given": {"med": 0}}, "no member"),
        ((Tables(20, 13, 13), 1), {"given": {"med": 0}}, "at most 12"),
    ],
)
def test_bad_requests(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        stream(*arguments, **options)


def test_wrong_types():
    with pytest.raises(TypeError, match="rng must be"):
        sample(Tables(9, 3, 3), 1, rng="seed")
    with pytest.raises(TypeError, match="matrices must be"):
        sample((9, 3, 3), 1)
    with pytest.raises(TypeError, match="must be a number"):
        sample(Tables(9, 3, 3), 1, given={"med": "few"})


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
    assert len(sample(Tables(9, 3, 3), 0)) == 0
