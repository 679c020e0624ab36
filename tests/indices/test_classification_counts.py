"""Counts of classes: what they say of empty groups, and what is refused."""

import pytest

from confmat.indices.classification.counts import ClassCounts, TwoClass, confusion


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((0, 0, 1, 1), "no object is in the class"),
        ((0, 1, 0, 1), "none is predicted in it"),
        ((1, 1, 0, 0), "none is outside it"),
        ((0, 0, 0, 2), "no object is in the class, none is predicted in it"),
        ((2, 2, 2, 2), ""),
    ],
)
def test_empty_groups_in_words(counts, words):
    assert TwoClass(*counts).empty == words


def test_counts_are_a_value_of_their_own():
    counts = ClassCounts.of([[3, 1], [0, 2]])
    assert ClassCounts.of(counts) is counts
    assert counts != ClassCounts.of([[3, 1], [0, 2]])  # arrays inside: compared by identity
    with pytest.raises(AttributeError):
        counts.rows = (1, 1)
    for bad in ([[1, 2, 3]], [[1], [2]]):
        with pytest.raises(ValueError, match="matrix must be square"):
            ClassCounts.of(bad)
    for label in (2, 5):
        with pytest.raises(ValueError, match=f"below the number of classes, 2, got {label}"):
            counts.class_number(label)


def test_labels_that_do_not_name_the_classes():
    for shorter, longer in ((["x"], ["x", "y"]), (["x", "y"], ["x"])):
        with pytest.raises(ValueError, match="must have the same length"):
            confusion(shorter, longer)
    with pytest.raises(ValueError, match="distinct, got 'y' more than once"):
        confusion(["x"], ["y"], labels=["z", "x", "y", "u", "y"])
    with pytest.raises(ValueError, match="every class that occurs, but 'x' is not among them"):
        confusion(["x", "y"], ["z", "z"], labels=["u"])
