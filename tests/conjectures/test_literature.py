"""The statements of the literature: counterexamples that are known, and what holds over small classes."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from itertools import product
from math import ceil, comb

import numpy as np
import pytest
from literature_answers import answer

from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.conjectures import LITERATURE, Certificate, check, domain
from confmat.indices import PairSums
from confmat.indices.classification import auc, g_mean_ss
from confmat.indices.partition import med


def test_largest_med_at_the_counterexample_by_brute_force():
    found = answer("med-bound-late")
    assert found.counterexample.tolist() in found.matrices
    assert med(found.counterexample, exact=True) == Fraction(5, 8)
    assert max(med(table, exact=True) for table in Tables(8, 2, 4)) == Fraction(6, 8)  # the bound, elsewhere


def test_exceptions_of_the_2x2_form_are_all_there_are():
    conjecture = LITERATURE["ard-2x2"]
    failing = [c.n for c in domain(conjecture, [(2, 2)], range(2, 25)) if conjecture.predicate(c).violation]
    assert failing == [4, 6]
    assert isinstance(answer("ard-2x2-exceptions", [(2, 2)], 30), Certificate)


def test_largest_hook_against_enumeration():
    """The form says that a hook with a leg of ones has the largest RD; it names the RD where it fails."""
    failures = set()
    for n, r, s in [(4, 2, 2), (5, 2, 3), (7, 3, 3), (7, 3, 4), (8, 2, 4), (3, 3, 3), (4, 3, 3), (5, 3, 4)]:
        distances = {False: [], True: []}
        for t in Tables(n, r, s):
            is_hook = (t[1:, 0] == 1).all() and not t[1:, 1:].any() and (t[0, 1:] >= 1).all()
            distances[bool(is_hook)].append(PairSums.of(t).rand_distance)
        of_hooks = max(distances[True], default="that of the form (there is no such table)")
        largest = max(distances[False] + distances[True])
        violation = LITERATURE["rd-max-form"].predicate(Tables(n, r, s)).violation
        if of_hooks == largest:
            assert violation is None
        else:
            assert violation.detail == f"the largest RD is {largest}, not {of_hooks}"
            failures.add((n, r, s))
    assert (3, 3, 3) in failures


def test_every_sharpened_statement_exists():
    assert {c.sharpened for c in LITERATURE.values()} - {None} <= set(LITERATURE)
    assert all(LITERATURE[c.sharpened].status != "refuted" for c in LITERATURE.values() if c.sharpened)


def test_one_against_the_rest_below_pairs_by_hand():
    found = answer("one-vs-rest-auc", [(2, 2), (3, 3)], 6)
    assert found.counterexample.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 1]]
    # sens and spec by class, then by pair of classes
    one = (1 * Fraction(1) + 1 * Fraction(5, 6) + 2 * Fraction(3, 4)) / 4
    two = (Fraction(1) + Fraction(1) + Fraction(3, 4)) / 3
    assert one < two
    assert (auc_by("rest", found.counterexample), auc_by("pairs", found.counterexample)) == (one, two)


def auc_by(strategy, table):
    """One class against the rest, or pairs of classes; nan where a rate is 0/0."""
    return auc(table, strategy=strategy, exact=True, undefined="nan")


def test_measures_agree_for_two_classes_where_they_must():
    for table in Tables(6, 2, 2):
        for measure in (auc, g_mean_ss):
            rest, pairs = (measure(table, strategy=way, exact=True) for way in ("rest", "pairs"))
            assert rest == pairs


def test_chance_bounds_the_auc_of_equal_classes():
    """Worse than chance, the statement fails: its condition is needed."""
    bounded = LITERATURE["equal-classes-auc"]
    free = dataclasses.replace(bounded, predicate=lambda t: not auc_by("rest", t) > auc_by("pairs", t))
    classes = domain(bounded, [(3, 3)], [6])
    assert classes == (FixedRows((2, 2, 2), 3),)
    assert isinstance(check(bounded, classes), Certificate)
    found = check(free, classes)
    assert min(np.diagonal(found.counterexample)) == 0
    assert auc_by("rest", found.counterexample) > auc_by("pairs", found.counterexample)


# --- what is proved, or is no class, would be told ------------------------------------------------


def balanced(total, parts):
    """The least sum of so many squares with this sum."""
    return min(
        sum(x * x for x in sizes) for sizes in product(range(total + 1), repeat=parts) if sum(sizes) == total
    )


def attained(n, r, s, m):
    k, a = n - m, m - r + 1
    if m < r + s - 2 or k < ceil(Fraction(a, s - 1)) + 1:
        return None
    return 2 * k * m + a * a - balanced(a, s - 1) + (r - 1) * (r - 2)


def equal_cells(r, s):
    return Fraction(s * (r + s - 2), r * (s - 1) * (s - 1))


BOUNDS = {  # as they are stated
    "rd-given-med-upper": lambda n, r, s, m: 2 * (n - m) * m + m**2 - balanced(m, s - 1),
    "rd-given-med-upper-attained": attained,
    "rd-given-med-lower": lambda n, r, s, m: Fraction(s * m**2, r * (s - 1)),
    "rd-given-med-lower-sharp": lambda n, r, s, m: equal_cells(r, s) * m**2,
    "rd-given-med-lower-wide": lambda n, r, s, m: equal_cells(r, max(s, r + 2)) * m**2,
}


class OfPoints(list):
    """Joint distribution over a class, given as points."""

    def __init__(self, points, matrices):
        super().__init__(points)
        self.matrices = matrices


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_of_the_rd_at_given_med_are_those_that_are_stated(name):
    claim = LITERATURE[name].predicate.wrong
    for n, (r, s) in product((6, 9, 12), ((2, 2), (2, 3), (2, 4), (3, 3), (3, 4))):
        pairs = comb(n, 2)
        for m in range(1, n - 2):
            bound = BOUNDS[name](n, r, s, m)
            assert claim.bound(n, r, s, m) == bound
            for F, size in product(range(pairs + 1), ((r, s), (s, r))):
                points = [((Fraction(m, n), Fraction(F, pairs)), 1)]
                wrong = claim(OfPoints(points, Tables(n, *size)))
                allowed = (
                    bound is None
                    or {
                        "<=": bound >= 2 * F,
                        "=": bound == 2 * F,
                        ">=": bound <= 2 * F,
                    }[claim.relation]
                )
                assert (wrong is None) == allowed


@pytest.mark.parametrize(
    ("name", "matrices", "is_meant"),
    [
        ("svm-ari-lower", FixedRows((357, 212), 2), True),
        ("svm-ari-lower", FixedRows((212, 357), 2), False),
        ("svm-ari-lower", FixedRows((358, 212), 2), False),
        ("equal-classes-f", FixedRows((2, 2), 2), True),
        ("equal-classes-f", FixedRows((3, 1), 2), False),
        ("equal-classes-f", FixedMargins((2, 2), (2, 2)), False),
        ("equal-classes-f", Tables(4, 2, 2), False),
        ("balanced-similar", FixedRows((2, 2), 2), True),
        ("balanced-similar", FixedRows((2, 2, 2), 3), False),
        ("ard-independent", Tables(4, 2, 2), True),
        ("ard-independent", Tables(4, 2, 2, allow_empty=True), False),
        ("ard-independent", Tables(6, 2, 2), False),
        ("ard-independent-exceptions", Tables(4, 2, 2), False),
        ("ard-independent-exceptions", Tables(12, 2, 2), True),
        ("ard-independent-exceptions", Tables(12, 4, 3), False),
        ("rd-max", FixedRows((2, 2), 2), False),
    ],
    ids=str,
)
def test_of_which_classes_a_statement_is(name, matrices, is_meant):
    assert LITERATURE[name].applies(matrices) is is_meant


@pytest.mark.parametrize("n", range(1, 7))
def test_families_have_the_classes_that_statements_are_of(n):
    equal = LITERATURE["equal-classes-f"].family
    for shape in ((1, 1), (2, 2), (3, 3), (2, 3)):
        k = shape[0]
        expected = [FixedRows((n // k,) * k, k)] if shape in ((2, 2), (3, 3)) and n % k == 0 else []
        assert list(equal(n, shape)) == expected
    assert LITERATURE["svm-ari-lower"].family(n, (2, 2)) == []
    assert LITERATURE["svm-ari-lower"].family(569, (2, 2)) == [FixedRows((357, 212), 2)]
    assert LITERATURE["svm-ari-lower"].family(569, (2, 3)) == []


def test_a_class_without_an_object_is_no_matter_to_the_mean_of_pairs():
    assert LITERATURE["ovo-auc-value"].predicate(np.array([[1, 1], [0, 0]])) is True
    chance = LITERATURE["equal-classes-auc"].predicate
    assert chance(np.array([[0, 3], [2, 1]])) is True  # no better than chance
