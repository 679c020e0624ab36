"""The compiled parts of the samplers: bars, bounded integers, matchings and potentials, against brute force."""

import os
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from goodness import n_unmatched

from confmat.classes import Tables
from confmat.sampling import kernels, lanes, random_bits, stream
from confmat.sampling.methods import matched_proposals
from confmat.sampling.potentials import number_of_potentials, running_proposals, tight_matching


def test_the_same_draws_without_compilation():
    """What NUMBA_DISABLE_JIT=1 is for: kernels under a debugger; of few points and of many, more than a byte counts."""
    code = """
from confmat.classes import Tables
from confmat.sampling import stream
print([stream(Tables(n, 2, 2), size, rng=1).array().tolist() for n, size in ((10, 300), (200, 3))])
"""
    command = [sys.executable, "-W", "ignore", "-c", code]  # words overflow, as they are meant to
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    drawn = [stream(Tables(n, 2, 2), size, rng=1).array().tolist() for n, size in ((10, 300), (200, 3))]
    assert shown == f"{drawn}\n"


@pytest.mark.parametrize(("total", "shape"), [(3, (2, 2)), (70, (1, 3)), (200, (2, 2)), (5000, (1, 3))])
@pytest.mark.parametrize("many", [True, False])
def test_compositions_are_uniform(total, shape, many):
    """Of bytes and of integers, many at once and one by one: parts have the law of stars and bars."""
    state, cells = random_bits.state_of(np.random.SeedSequence(5)), shape[0] * shape[1]
    out = np.empty((20_000, *shape), np.int64)
    if many:
        bounds = np.array([[0], [total]]).repeat(sum(shape), axis=1)
        lines = bounds.astype(np.uint8 if total < 128 else np.int64)
        assert lanes.reject(state, np.array([total]), lines, 2**40, out) == (20_000, 20_000)
    else:
        for row in out.reshape(-1, cells):
            kernels.propose_composition(state, total, row)
    out = out.reshape(-1, cells)
    assert (out.sum(axis=1) == total).all()
    assert (out >= 0).all()
    # Mean n/c and variance of a part, Bose-Einstein: n (n + c)(c - 1)/(c^2 (c + 1)).
    mean = total / cells
    sd = (total * (total + cells) * (cells - 1) / (cells**2 * (cells + 1))) ** 0.5
    assert np.abs(out.mean(axis=0) - mean).max() < 4.5 * sd / len(out) ** 0.5
    assert np.abs(out.std(axis=0) / sd - 1).max() < 0.03


def test_of_many_points_those_within_bounds_are_kept():
    """Of rows, then of columns: the least, and the largest."""

    def drawn(lines, limit):
        out = np.empty((limit, 2, 2), np.int64)
        state = random_bits.state_of(np.random.SeedSequence(1))
        proposals, kept = lanes.reject(state, np.array([200]), np.array(lines), limit, out)
        assert proposals == limit
        return out[:kept]

    proposed = drawn([[0] * 4, [200] * 4], 64)
    assert len(proposed) == 64
    lines = [[40, 0, 0, 60], [200, 150, 130, 200]]
    sums = np.hstack([proposed.sum(axis=2), proposed.sum(axis=1)])
    inside = (lines[0] <= sums) & (sums <= lines[1])
    assert not inside.all(axis=0).any()  # each line decides
    assert sorted(drawn(lines, 64).tolist()) == sorted(proposed[inside.all(axis=1)].tolist())


@pytest.mark.parametrize(("r", "s"), [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3)])
def test_best_matchings_are_weighed_and_counted(r, s):
    best, ways = np.zeros((2, 1 << s), np.int64)
    for table in list(Tables(5, r, s, allow_empty=True))[::3]:
        weights = [table[range(r), columns].sum() for columns in permutations(range(s), r)]
        weight = kernels.heaviest(table, best)
        assert weight == max(weights)
        assert kernels.number_of_best(table, weight, best, ways) == weights.count(weight)


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 2**32 - 1, 2**32, 3 * 2**61])
def test_bounded_integers(bound):
    state = random_bits.state_of(np.random.SeedSequence(3))
    values = np.array([random_bits.below(state, bound) for _ in range(4000)], float)
    assert values.min() >= 0
    assert values.max() < bound
    # 16 equal classes of the unit interval (fewer for small bounds), chi-square with a wide margin.
    classes = min(bound, 16)
    if bound % classes == 0 or bound > 10**6:
        counts = np.bincount((values / bound * classes).astype(int), minlength=classes)
        assert ((counts - 4000 / classes) ** 2 / (4000 / classes)).sum() < 45


def test_proposals_are_as_many_as_counted():
    """Sum over the matrices at each distance of their representations, by brute force."""
    n, s = 6, 3
    by_distance = {}
    for x in Tables(n, s, s, allow_empty=True):
        m = n_unmatched(x)
        weights = [x[range(s), columns].sum() for columns in permutations(range(s))]
        by_distance[m] = by_distance.get(m, 0) + weights.count(n - m)
    for m, ways in by_distance.items():
        proposed = matched_proposals(n, s, s, m)
        assert ways <= proposed
        assert ways == proposed if m == 0 else True
        assert running_proposals(n, s, s, n - m)[-1] > 0


def test_number_of_potentials_by_brute_force():
    from itertools import product

    column_of = np.zeros(3, np.int64)
    checked = 0
    for x in list(Tables(5, 3, 3, allow_empty=True))[::23]:
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
