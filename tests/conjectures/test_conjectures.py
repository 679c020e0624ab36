"""Checks of conjectures: smallest counterexamples, symmetry, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from brute import images_of
from numba import njit

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.conjectures import LITERATURE, Certificate, Conjecture, check, domain, read, verify
from confmat.errors import SymmetryError
from confmat.indices.partition import ari, jaccard, med, wallace_ab


def at_most_seven_together(matrix):
    """False for some matrices with n = 5 already: a planted conjecture."""
    return bool((matrix * (matrix - 1)).sum() <= 7)


@njit
def at_most_seven_together_compiled(matrix):
    total = 0
    for x in matrix.flat:
        total += x * (x - 1)
    return total <= 7


@pytest.mark.parametrize("symmetry", ["none", "simultaneous", "permutations", "transposition"])
@pytest.mark.parametrize("predicate", [at_most_seven_together, at_most_seven_together_compiled])
def test_planted_conjecture_has_its_smallest_counterexample(symmetry, predicate):
    conjecture = Conjecture("planted", "few together", predicate=predicate, symmetry=symmetry)
    classes = domain(conjecture, [(2, 2), (3, 3), (2, 3)], range(1, 8))
    found = check(conjecture, reversed(classes))  # the order given does not matter
    expected = next(
        (cls, table.tolist()) for cls in classes for table in cls if not at_most_seven_together(table)
    )
    assert (found.matrices, found.counterexample.tolist()) == expected
    verify(read(found.to_json()), conjecture)


def test_smallest_counterexample_at_random_against_brute_force():
    """Predicates that are false on a random set of orbits."""
    rng = np.random.default_rng(5)
    for symmetry in ("none", "simultaneous", "permutations", "transposition"):
        for matrices in (Tables(6, 3, 3), Tables(6, 2, 3), Tables(5, 3, 2)):
            if symmetry == "simultaneous" and matrices.r != matrices.s:
                continue
            bad = set()
            while len(bad) < 3:
                drawn = matrices.unrank(int(rng.integers(matrices.count())))
                bad.add(min(images_of(drawn, symmetry)))
            conjecture = Conjecture(
                "random",
                "not in the set",
                predicate=lambda m, bad=bad, symmetry=symmetry: min(images_of(m, symmetry)) not in bad,
                symmetry=symmetry,
            )
            assert check(conjecture, [matrices]).witness["matrix"] == min(bad)


@pytest.mark.parametrize("symmetry", ["none", "simultaneous", "permutations", "transposition"])
def test_every_member_is_covered(symmetry):
    true = Conjecture("true", "always", predicate=lambda m: True, symmetry=symmetry)
    classes = [Tables(6, 3, 3), FixedMargins((4, 2, 1), (3, 3, 1)), FixedRows((3, 2), 2)]
    if symmetry != "simultaneous":
        classes += [Tables(6, 2, 3), Tables(5, 3, 2)]
    for entry in check(true, classes).entries:
        assert entry.covered == entry.matrices.count() == sum(1 for _ in entry.matrices)


def test_false_symmetry_is_noticed():
    for symmetry, predicate in [
        ("permutations", lambda m: bool(m[0, 0] < 3)),
        ("transposition", lambda m: bool(m.sum(axis=1).max() < 3)),
    ]:
        with pytest.raises(SymmetryError, match="is declared for the predicate, but its value is"):
            Conjecture("skew", "not symmetric", predicate=predicate, symmetry=symmetry)


def test_a_statement_is_its_own_predicate():
    classes = [Tables(n, r, s) for n in range(2, 9) for r, s in ((2, 2), (2, 3))]
    for text, symmetry, slow in (
        ("med<=1/4 -> ari>=0", "transposition", lambda t: med(t, exact=True) > 1 / 4 or ari(t) >= 0),
        ("jaccard > 0, n < 7", "transposition", lambda t: jaccard(t, undefined="nan") > 0 and t.sum() < 7),
        (
            "wallace_ab <= r/s or n=2",
            "permutations",
            lambda t: not wallace_ab(t, undefined="nan") > 2 / t.shape[1],
        ),
    ):
        conjecture = Conjecture("formula", text)
        assert conjecture.symmetry == symmetry
        found = check(conjecture, classes)
        for matrices in filter(Tables.count, classes):
            false = [table.tolist() for table in matrices if not slow(table)]
            of_one = check(conjecture, [matrices])
            if false:
                assert of_one.counterexample.tolist() == min(false)
            else:
                assert of_one.covered == matrices.count()
        if isinstance(found, Certificate):
            verify(read(found.to_json()), Conjecture("formula", text))
        assert Conjecture("formula", text + ", 0=0").identity != conjecture.identity


def test_statements_about_classifiers_and_in_doubles():
    conjecture = Conjecture("square", "cor <= 1")
    assert conjecture.symmetry == "simultaneous"
    assert [x.shape for x in domain(conjecture, [(2, 2), (2, 3)], [4])] == [(2, 2)]
    assert Conjecture("exact", "gsp <= 3").statement == "gsp <= 3"
    answer = check(Conjecture("low", "med <= 1/3, rd < 2"), [Tables(n, 2, 2) for n in range(2, 5)])
    assert (answer.detail, answer.counterexample.tolist()) == ("med = 1/2, rd = 2/3", [[0, 1], [1, 2]])


def test_bad_conjectures_are_refused():
    with pytest.raises(
        ValueError, match=r"statement of 'empty', which has no predicate, .* unknown name 'nothing'"
    ):
        Conjecture("empty", "nothing")
    with pytest.raises(ValueError, match="symmetry must be one of"):
        Conjecture("odd", "odd", predicate=bool, symmetry="mirror")
    with pytest.raises(TypeError, match="must return True or False, got 3"):
        check(Conjecture("three", "3", predicate=lambda m: 3), [Tables(3, 2, 2)])
    with pytest.raises(ValueError, match="read-only"):
        check(Conjecture("writes", "writes", predicate=lambda m: m.fill(0) is None), [Tables(3, 2, 2)])
    with pytest.raises(ValueError, match="classes must not be empty"):
        check(LITERATURE["rd-max"], [])
    with pytest.raises(ValueError, match=r"is about .* got"):
        check(LITERATURE["rd-max"], [Tables(3, 1, 2)])


def test_a_class_without_members_is_covered():
    """The statement holds there for want of a counterexample; alone it is refused, as no class is."""
    low = Conjecture("low", "", predicate=lambda table: table.max() < 3, symmetry="transposition")
    answer = check(low, [Tables(2, 3, 3), Tables(3, 2, 2)])
    assert isinstance(answer, Certificate)
    assert str(answer) == "low is true for all 8 members of 2 classes"


def test_a_counterexample_reads_as_a_sentence():
    answer = check(Conjecture("flat", "", predicate=lambda table: table.max() < 3), [Tables(4, 2, 2)])
    assert str(answer) == (
        "flat is false in Tables(n=4, r=2, s=2, allow_empty=False): the predicate is False here\nmatrix: 0,1;3,0"
    )
