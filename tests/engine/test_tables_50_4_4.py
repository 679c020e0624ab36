"""The class that the literature samples: 204 063 621 701 016 matrices, (n, r, s) = (50, 4, 4), enumerated once.

The record was made by the command in its "source"; the tests compare it with closed forms, with the recursion for the
RD, which visits no table, and with a sample.
"""

import json
from fractions import Fraction
from itertools import permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest

from confmat.classes import Tables
from confmat.distributions.rand_distribution import rand_distance_counts
from confmat.indices.extremes import max_med
from confmat.sampling import sample

ROOT = Path(__file__).parents[2]
CLASS = Tables(50, 4, 4)


@pytest.fixture(scope="module")
def record():
    return json.loads((ROOT / "notebooks" / "papers" / "records" / "tables_50_4_4.json").read_text())


def test_record_against_closed_forms(record):
    assert record["total"] == sum(record["med_counts"]) == CLASS.count() == 204063621701016
    assert record["med_counts"][0] == 24 * comb(49, 3)  # a permutation of four positive diagonal entries
    assert len(record["med_counts"]) == 50 * max_med(50, 4, 4) + 1
    mean = sum(Fraction(m, 50) * count for m, count in enumerate(record["med_counts"])) / record["total"]
    assert mean == Fraction(record["mean_med"])
    for name in ("rd", "ard"):
        means = list(map(Fraction, record[f"conditional_mean_{name}"]))
        weighted = sum(x * count for x, count in zip(means, record["med_counts"])) / record["total"]
        assert float(weighted) == pytest.approx(float(Fraction(record[f"mean_{name}"])), abs=1e-12)


def test_means_of_draws(record):
    x = np.asarray(sample(CLASS, 250_000, rng=1))
    matched = np.max([sum(x[:, i, p[i]] for i in range(4)) for p in permutations(range(4))], axis=0)
    a, b, p = (comb2(x.sum(2)).sum(1), comb2(x.sum(1)).sum(1), comb2(x).sum((1, 2)))
    pairs = comb(50, 2)
    rd = (a + b - 2 * p) / pairs
    ard = rd * pairs**2 / (a * (pairs - b) + b * (pairs - a))
    exact = Fraction(record["mean_med"]), Fraction(record["mean_rd"]), record["mean_ard"]
    for draws, mean in zip((1 - matched / 50, rd, ard), exact):
        assert abs(draws.mean() - float(mean)) < 4 * draws.std() / 500


def comb2(x):
    return x * (x - 1) // 2


def test_record_against_the_recursion(record):
    counts = rand_distance_counts(50, 4, 4)
    assert sum(counts) == record["total"]
    mean = Fraction(sum(f * count for f, count in enumerate(counts)), comb(50, 2) * record["total"])
    assert mean == Fraction(record["mean_rd"])
    means = map(Fraction, record["conditional_mean_rd"])
    assert sum(x * count for x, count in zip(means, record["med_counts"])) / record["total"] == mean
