"""Kappa, Matthews' correlation, purity and van Dongen's distance, by their definitions."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from confmat._engine.walks import exact_values
from confmat.classes import Tables
from confmat.distributions import joint_distribution
from confmat.errors import UndefinedIndexError, UndefinedIndexWarning
from confmat.indices import classification, partition
from confmat.statistics import STATISTICS

NAMES = ("kappa", "mcc", "purity", "van_dongen", "pair_kappa")


@pytest.mark.parametrize("name", NAMES)
def test_laws_are_those_of_the_index(name):
    statistic = STATISTICS[name]
    for matrices in (
        Tables(6, 3, 3),
        Tables(4, 2, 2, allow_empty=True),
        Tables(1, 2, 2, allow_empty=True),
        Tables(0, 1, 1),
    ):
        if name in ("kappa", "mcc") and not matrices.n:
            continue
        values = ["nan" if (x := statistic(table)) != x else x for table in matrices]
        law = joint_distribution(matrices, name)
        assert {"nan" if x != x else x: weight for (x,), weight in list(law)} == Counter(values)


@pytest.mark.parametrize("name", ["kappa", "mcc", "cor", "bcr", "auc", "f", "purity", "van_dongen"])
def test_batches_of_huge_tables_do_not_overflow(name):
    tables = np.array([[[2**40, 3], [5, 7]], [[2**40, 3], [6, 2**41]], [[2**33, 0], [0, 2**33]]])
    statistic = STATISTICS[name]
    values, places = exact_values(statistic, Tables(4, 2, 2), tables)
    assert [values[i] for i in places] == [statistic(table) for table in tables]


def test_kappa_of_pairs_is_the_adjusted_rand_index():
    for n in range(1, 8):
        for matrices in (Tables(n, 2, 3), Tables(n, 3, 3)):
            assert all(partition.pair_kappa(t, exact=True) == partition.ari(t, exact=True) for t in matrices)


def test_the_correlation_of_two_classes_is_that_of_their_indicators():
    for table in Tables(7, 2, 2):
        a = np.repeat([0, 0, 1, 1], table.ravel())
        b = np.repeat([0, 1, 0, 1], table.ravel())
        assert classification.mcc(table) == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-12)


def test_van_dongen_is_a_metric_of_clusterings_and_the_mean_of_two_purities():
    for table in Tables(6, 3, 2):
        both = partition.purity(table, exact=True) + partition.purity(table.T, exact=True)
        assert partition.van_dongen(table, exact=True) == 1 - both / 2
    assert (partition.purity([[0]]), partition.van_dongen([[0]])) == (1, 0)


@pytest.mark.parametrize("index", [classification.kappa, classification.mcc])
def test_where_they_are_not_defined(index):
    with pytest.warns(UndefinedIndexWarning):
        assert index([[4, 0], [0, 0]]) == 0
    with pytest.raises(UndefinedIndexError):
        index([[4, 0], [0, 0]], undefined="raise")
    assert math.isnan(index([[4, 0], [0, 0]], undefined="nan"))
    assert index([[4, 0], [0, 0]], undefined=1, exact=True) == Fraction(1)


def test_they_are_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(1)
    for _ in range(20):
        table = rng.integers(0, 9, (3, 3))
        truth, predicted = (np.repeat(x.ravel(), table.ravel()) for x in np.indices((3, 3)))
        assert classification.kappa(table) == pytest.approx(metrics.cohen_kappa_score(truth, predicted))
        assert classification.mcc(table) == pytest.approx(metrics.matthews_corrcoef(truth, predicted))
