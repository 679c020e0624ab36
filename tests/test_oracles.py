"""Values that other packages compute: the same here, and where not, the difference is known."""

import math

import numpy as np
import pytest
from late import sk_metrics as sk

from confmat.contingency import best_matching
from confmat.errors import UndefinedIndexError
from confmat.indices.partition import med
from confmat.statistics import STATISTICS


def ours(name, table):
    try:
        return STATISTICS[name].index(table)
    except UndefinedIndexError:
        return None


def test_values_of_the_r_packages(oracles):
    recorded = oracles("packages")
    known = {(str(case["table"]), case["ours"]) for case in recorded["disagreements"]}
    compared = 0
    for case in recorded["cases"]:
        table = case["table"]
        assert best_matching(table).total == case["matched"]
        for name in ("ri", "ari", "fm", "jaccard", "vi"):
            if case[name] is None:
                # No value there: none here either, or a recorded disagreement.
                assert ours(name, table) is None or (str(table), name) in known, (table, name)
            else:
                assert ours(name, table) == pytest.approx(case[name], rel=1e-12, abs=1e-14), (table, name)
                compared += 1
    assert compared >= 50


def test_disagreements_are_still_there(oracles):
    for case in oracles("packages")["disagreements"]:
        value = ours(case["ours"], case["table"])
        assert value is None or case["value"] is None or value != pytest.approx(case["value"], abs=1e-9)
        assert case["why"]
        if case["function"] == "classError":
            assert case["value"] < med(case["table"])


def test_scikit_learn_still_says_zero_for_singletons():
    assert sk.fowlkes_mallows_score([0, 1, 2], [0, 1, 2]) == 0
    assert not math.isnan(sk.adjusted_rand_score([0, 1, 2], [0, 1, 2]))


def test_where_64_bits_overflow(oracles):
    """The recorded overflow of a package, and that of the textbook formula of the ARI, near n = 10^5."""
    [case] = [c for c in oracles("packages")["disagreements"] if c["function"].startswith("mutual_info")]
    small = [[3, 1], [1, 2]]
    assert case["table"] == [[x * 2**31 for x in row] for row in small]
    assert ours("nmi", case["table"]) == pytest.approx(ours("nmi", small), rel=1e-12)

    table = np.array(small) * 20_000
    pairs = table.sum() * (table.sum() - 1) // 2
    a, b, p = ((x * (x - 1) // 2).sum() for x in (table.sum(axis=1), table.sum(axis=0), table))
    with np.errstate(over="ignore"):
        naive = (p * pairs - a * b) / ((a + b) * pairs // 2 - a * b)
    assert naive < 0 < ours("ari", table) < 1
    assert ours("ari", table) == pytest.approx(ours("ari", small * np.array(10**9)), rel=1e-4)
