"""COR and BCR given the ARI against plain loops over all matrices; the picture."""

import math
from collections import defaultdict
from fractions import Fraction

import pytest
from brute import labelings

from ari_and_accuracy import accuracy_given_ari, at_ari, table
from confmat.classes import FixedRows, Tables
from confmat.distributions import Distribution
from confmat.indices.classification import accuracy, balanced_accuracy
from confmat.indices.partition import adjusted_rand_index, med

CLASSES = [Tables(7, 2, 2), Tables(5, 3, 3), FixedRows((3, 2), 2), Tables(6, 2, 2, allow_empty=True)]


def rounded_to(width, value):
    """The nearest multiple, the upper one of two."""
    below = math.floor(value / width) * width
    return below if value - below < width / 2 else below + width


@pytest.mark.parametrize("matrices", CLASSES, ids=repr)
@pytest.mark.parametrize("width", [None, "1/10", Fraction(1, 4)])
@pytest.mark.parametrize("best_labels", [False, True])
@pytest.mark.parametrize("weight", ["tables", "labelings"])
def test_laws_against_a_plain_loop(matrices, width, best_labels, weight):
    laws = defaultdict(lambda: (defaultdict(int), defaultdict(int)))
    for matrix in matrices:
        ari, cor, bcr, distance = (
            f(matrix, exact=True) for f in (adjusted_rand_index, accuracy, balanced_accuracy, med)
        )
        if best_labels and cor + distance != 1:
            continue
        at = ari if width is None else rounded_to(Fraction(width), ari)
        amount = 1 if weight == "tables" else labelings(matrix)
        laws[at][0][cor] += amount
        laws[at][1][bcr] += amount
    rows = accuracy_given_ari(matrices, width, best_labels=best_labels, weight=weight)
    assert [ari for ari, _ in rows] == sorted(laws)
    for ari, each in rows:
        cor, bcr = laws[ari]
        assert each.total == sum(cor.values()) == sum(bcr.values())
        for name, expected in (
            ("cor", Distribution.from_counts(cor)),
            ("bcr", Distribution.from_counts(bcr)),
        ):
            assert list(each[name]) == list(expected)
            assert each[name].describe() == expected.describe()


@pytest.mark.parametrize("matrices", [Tables(30, 2, 2), Tables(9, 3, 3), Tables(6, 4, 4)], ids=repr)
@pytest.mark.parametrize("weight", ["tables", "labelings"])
def test_every_ari_has_mean_accuracy_one_over_k(matrices, weight):
    """Renaming the predicted classes keeps the ARI."""
    k = matrices.shape[0]
    for _, each in accuracy_given_ari(matrices, None, weight=weight):
        assert each["cor"].mean(exact=True) == each["bcr"].mean(exact=True) == Fraction(1, k)


def test_the_perfect_lying_machine_is_there():
    """At ARI 1 two classes are all right or all wrong."""
    ari, last = accuracy_given_ari(Tables(30, 2, 2), None)[-1]
    assert (ari, last.total) == (1, 58)
    assert (last["cor"].min(), last["cor"].max()) == (0, 1)
    _, best = accuracy_given_ari(Tables(30, 2, 2), None, best_labels=True)[-1]
    assert (best.total, best["bcr"].min()) == (29, 1)


def test_table_and_errors():
    frame = table(Tables(8, 3, 3))
    assert frame["total"].sum() == Tables(8, 3, 3).count()
    assert {"ari", "accuracy_min", "balanced_accuracy_max"} < set(frame.columns)
    with pytest.raises(ValueError, match="width must be positive, got 0"):
        table(Tables(8, 3, 3), "0")
    with pytest.raises(ValueError, match="'accuracy' needs square matrices"):
        table(Tables(8, 2, 3))


def test_one_ari_over_several_classes():
    classes = [Tables(9, 2, 2), Tables(2, 2, 2), Tables(7, 3, 3)]
    found = at_ari("1/2", classes, "1/4", best_labels=True)
    assert found[["n", "k"]].to_numpy().tolist() == [[9, 2], [7, 3]]  # two objects never have this ARI
    for i, matrices in enumerate(classes[::2]):
        frame = table(matrices, "1/4", best_labels=True)
        (row,) = frame[frame["ari"] == 0.5].drop(columns="ari").to_dict("records")
        assert row == found.drop(columns=["n", "k"]).to_dict("records")[i]
    with pytest.raises(ValueError, match="ari must be a multiple of width 1/4, got 1/3"):
        at_ari("1/3", classes, "1/4")
