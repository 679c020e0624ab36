"""What is no statement, no class, or a statement about nothing is refused by name."""

from __future__ import annotations

from contextlib import suppress

import pytest

from confmat import plan
from confmat.classes import FixedRows, Tables
from confmat.conjectures import LITERATURE, Conjecture, check, domain


@pytest.mark.parametrize(
    ("statement", "matrices"),
    [("kappa_mean <= 1", Tables(1, 1, 1)), ("jaccard_min >= 0", Tables(2, 2, 2))],
)
def test_a_number_of_a_law_without_values_is_refused(statement, matrices):
    with pytest.raises(ValueError, match=rf"{statement.split()[0]} is undefined over Tables.* all members"):
        check(Conjecture("", statement), [matrices])


def test_a_statement_about_nothing_is_refused():
    with pytest.raises(
        ValueError,
        match="classes must have a class with at least one matrix to check conjecture 'low', got only",
    ):
        check(Conjecture("low", "med > 1"), [Tables(1, 2, 2)])
    assert check(Conjecture("low", "med < 1"), [Tables(1, 2, 2), Tables(4, 2, 2)]).covered == 19


def test_kinds_that_contradict_each_other_are_refused():
    for wrong, words in (
        (
            {"statement": "med_max <= 1", "on": "tables"},
            "on must be 'distributions' or left out .*, such as 'med_max <= 1', got 'tables'",
        ),
        (
            {"statement": "exists ard > 1", "on": "tables"},
            "on must be 'distributions' or left out .* got 'tables'",
        ),
    ):
        with pytest.raises(ValueError, match=words):
            Conjecture("x", **wrong)


def test_other_objects_are_refused_and_one_class_is_accepted():
    low = Conjecture("low", "med < 1")
    assert check(low, Tables(4, 2, 2)) == check(low, [Tables(4, 2, 2)])
    assert check("med < 1", Tables(4, 2, 2)).entries == check(low, Tables(4, 2, 2)).entries
    for ask, words in (
        (lambda: check(low, [5]), r"classes must be classes of matrices, such as Tables\(4, 2, 2\), got 5"),
        (lambda: check(low, 5), "classes must be .* got 5"),
        (lambda: check(5, [Tables(4, 2, 2)]), "conjecture must be a Conjecture, got 5"),
        (lambda: domain("med < 1", [(2, 2)], [3]), "conjecture must be a Conjecture"),
        (lambda: domain(low, [(2, 2)], 3), "sizes must be a list of integers, got 3"),
        (lambda: domain(low, (2, 2), [3]), r"shapes must be a list of pairs \(r, s\), got 2"),
        (lambda: Conjecture("x", "med < 1", family="labels"), "family must be a function .* got 'labels'"),
        (lambda: Conjecture("x", "", predicate=5), "predicate must be a function .* got 5"),
        (lambda: Conjecture("x", "", predicate="med < 1"), "predicate must be .* got 'med < 1'"),
    ):
        with pytest.raises(TypeError, match=f"^{words}"):
            ask()


def test_a_check_is_planned_and_keeps_its_time():
    low, classes = Conjecture("low", "med < 1"), [Tables(n, 2, 2) for n in (3, 4)]
    assert plan(check, low, classes).method == "every class"
    answer = check(low, classes)
    assert (answer.left, len(answer.entries)) == (0, 2)
    assert 0 <= sum(entry.seconds for entry in answer.entries) <= answer.seconds


@pytest.mark.parametrize(
    "matrices",
    [
        Tables(5, 2, 2, allow_empty=True),
        Tables(0, 2, 2),
        Tables(4, 1, 2),
        FixedRows([3, 2], 2),
    ],
    ids=repr,
)
def test_every_statement_knows_whether_it_is_about_a_class(matrices):
    """None ends in an error of Python's, as that a class has no attribute of that name."""
    for conjecture in LITERATURE.values():
        with suppress(ValueError, TypeError):
            check(conjecture, [matrices])


def test_a_statement_about_larger_classes_is_not_about_the_smallest():
    for name, matrices in (
        ("ard-max", Tables(2, 2, 3)),
        ("ovo-auc-value", Tables(5, 1, 1)),
    ):
        with pytest.raises(ValueError, match=f"'{name}' is about .* got"):
            check(LITERATURE[name], [matrices])
