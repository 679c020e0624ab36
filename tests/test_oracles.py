"""Values that other packages compute: the same here, and where not, the difference is known."""

import math

import pytest
import sklearn.metrics as sk

from confmat.indices.partition import SHORT_NAMES, med
from confmat.indices.undefined import UndefinedIndexError
from confmat.matrix import best_matching


def ours(name, table):
    try:
        return SHORT_NAMES[name](table)
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
