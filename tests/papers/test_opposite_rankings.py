"""Opposite rankings against all pairs of matrices, compared exactly (sums of square roots)."""

from functools import cache
from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from confmat.classes import Tables
from confmat.indices import classification
from confmat.indices.partition import adjusted_rand_index, med
from confmat.statistics import STATISTICS
from opposite_rankings import MEASURES, opposites, opposites_frame, smallest_opposite

BY_NAME = {
    "auc": classification.auc,
    "f": classification.f_beta,
    "gsp": classification.g_mean_sp,
    "gss": classification.g_mean_ss,
}


@cache
def exact(name, rows):
    """The exact value of a measure; None where it is undefined."""
    if name in ("cor", "bcr", "ari"):
        function = {
            "cor": classification.accuracy,
            "bcr": classification.balanced_accuracy,
            "ari": adjusted_rand_index,
        }[name]
        return function(rows, exact=True)
    measure, _, pairs = name.partition("_")
    strategy = "pairs" if pairs else "rest"
    value = BY_NAME[measure](rows, strategy=strategy, exact=True, undefined="nan")
    return None if value != value else value


def opposed(first, second, a, b):
    values = [exact(name, matrix) for name in (first, second) for matrix in (a, b)]
    return None not in values and values[0] > values[1] and values[2] < values[3]


def classifiers(n, k, best_labels):
    """All confusion matrices by true class sizes, none of them 0."""
    by_rows = {}
    for table in Tables(n, k, k, allow_empty=True):
        rows = tuple(map(tuple, table.tolist()))
        if all(map(any, rows)) and (not best_labels or exact("cor", rows) == 1 - med(table, exact=True)):
            by_rows.setdefault(tuple(map(sum, rows)), []).append(rows)
    return by_rows.values()


@pytest.mark.parametrize(
    ("k", "most"),
    [(2, 5), (3, 4), pytest.param(2, 9, marks=pytest.mark.slow), pytest.param(3, 5, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("best_labels", [False, True])
def test_smallest_examples_by_comparing_all_pairs(k, most, best_labels):
    pairs = list(combinations(MEASURES, 2))
    found = opposites(pairs, k, most=most, best_labels=best_labels)
    classes = {n: list(classifiers(n, k, best_labels)) for n in range(k, most + 1)}
    for first, second in pairs:
        expected = next(
            (
                n
                for n, groups in classes.items()
                if any(opposed(first, second, a, b) for group in groups for a in group for b in group)
            ),
            None,
        )
        example = found[first, second]
        assert (example.n if example else None) == expected
        if example:
            assert opposed(first, second, example.a, example.b)
            assert any({example.a, example.b} <= set(group) for group in classes[example.n])
            for name, values in ((first, example.first_values), (second, example.second_values)):
                assert [float(exact(name, m)) for m in (example.a, example.b)] == pytest.approx(
                    [float(x) for x in values], rel=1e-14
                )


@pytest.mark.parametrize(
    ("first", "second", "k"),
    [("cor", "bcr", 2), ("bcr", "gsp", 2), ("f", "gsp_pairs", 2), ("ari", "gsp", 2), ("bcr", "f", 3)],
)
def test_the_example_is_the_clearest_of_its_size(first, second, k):
    """Among several of the same class sizes, and of other ones."""

    def clarity(a, b):
        (x, lower), (y, higher) = ([float(exact(name, m)) for m in (a, b)] for name in (first, second))
        return x - lower + higher - y

    example = smallest_opposite(first, second, k)
    found = [
        clarity(a, b)
        for group in classifiers(example.n, k, best_labels=False)
        for a, b in permutations(group, 2)
        if opposed(first, second, a, b)
    ]
    assert clarity(example.a, example.b) == pytest.approx(max(found), abs=1e-12)


def test_measures_of_two_classes_that_are_one():
    """With two classes AUC is BCR, and a pair of classes is all there is for AUC and GSS."""
    none = [("bcr", "auc"), ("bcr", "auc_pairs"), ("auc", "auc_pairs"), ("gss", "gss_pairs")]
    found = opposites(list(combinations(MEASURES, 2)), 2, most=9)
    assert [pair for pair, example in found.items() if example is None] == none
    assert found["cor", "gsp"].n == 9


def test_frame():
    frame = opposites_frame(3, most=4)
    assert len(frame) == len(MEASURES) * (len(MEASURES) - 1) // 2
    first = frame.iloc[0]
    assert (first["first"], first["second"], first["n"]) == ("ari", "cor", 3)
    assert (first["a"], first["first_a"], first["second_a"]) == ("0 1 0; 0 0 1; 1 0 0", 1, 0)
    assert frame["n"].isna().any()  # more objects are needed


def test_errors():
    with pytest.raises(ValueError, match="k must be at least 2, got 1"):
        smallest_opposite("cor", "bcr", 1)
    with pytest.raises(ValueError, match=r"measures must be among ari, cor, .*, got 'rd'"):
        smallest_opposite("cor", "rd")


@pytest.mark.slow
@pytest.mark.parametrize(("n", "k"), [(9, 2), (7, 3), (8, 3)])
@pytest.mark.parametrize("name", ["gsp", "gss", "gsp_pairs", "gss_pairs"])
def test_doubles_rank_the_g_means_exactly(n, k, name):
    """Equal doubles come from equal sums of roots, and distinct ones are much further apart than their errors."""
    exact_at = {}
    for group in classifiers(n, k, best_labels=False):
        for rows, double in zip(group, STATISTICS[name].batch(np.array(group)).tolist()):
            if double == double:
                assert exact_at.setdefault(double, exact(name, rows)) == exact(name, rows)
    assert min(b - a for a, b in pairwise(sorted(exact_at))) > 1e-9
