"""The statements of the literature: counterexamples that are known, and what holds over small classes."""

from __future__ import annotations

import dataclasses
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
from literature_answers import answer

from confmat.classes import FixedRows, Tables
from confmat.conjectures import LITERATURE, Certificate, check, domain
from confmat.indices import PairSums
from confmat.indices.classification import discrete_auc, g_mean_ss
from confmat.indices.partition import adjusted_rand_index, med, rand_index
from confmat.indices.soft import sari


def test_statements_go_to_other_processes_by_name():
    assert all(pickle.loads(pickle.dumps(x)) is x for x in LITERATURE.values())


def test_largest_med_at_the_counterexample_by_brute_force():
    found = answer("med-bound-late")
    assert found.matrix.tolist() in found.matrices
    assert med(found.matrix, exact=True) == Fraction(5, 8)
    assert max(med(table, exact=True) for table in Tables(8, 2, 4)) == Fraction(6, 8)  # the bound, elsewhere


def test_exceptions_of_the_2x2_form_are_all_there_are():
    conjecture = LITERATURE["ard-2x2"]
    failing = [c.n for c in domain(conjecture, [(2, 2)], range(2, 41)) if conjecture.predicate(c).violation]
    assert failing == [4, 6]
    assert isinstance(answer("ard-2x2-exceptions", [(2, 2)], 60), Certificate)


def test_largest_hook_against_enumeration():
    """The form says that a hook with a leg of ones has the largest RD; it names the RD where it fails."""
    failures = set()
    for n, r, s in [(4, 2, 2), (5, 2, 3), (7, 3, 3), (9, 3, 4), (3, 3, 3), (4, 3, 3), (5, 3, 4)]:
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


def test_ground_truth_bias_by_hand():
    """The mean RI of 0,0,0,0,1 and all clusterings of five points into two, and into three."""
    truth, means = (0, 0, 0, 0, 1), []
    for k in (2, 3):
        found = {
            tuple(map(labels.index, labels))
            for labels in product(range(k), repeat=5)
            if len(set(labels)) == k
        }
        means.append(sum(rand_index(truth, labels, exact=True) for labels in found) / Fraction(len(found)))
    assert means == [Fraction(37, 75), Fraction(56, 125)]
    found = answer("ri-rises-with-clusters", [(2, 2)], 5)
    assert (found.matrices.rows, found.detail.split(" goes ")[1][:13]) == ((4, 1), "from 37/75 at")


def test_every_sharpened_statement_exists():
    assert {c.sharpened for c in LITERATURE.values()} - {None} <= set(LITERATURE)
    assert all(LITERATURE[c.sharpened].status != "refuted" for c in LITERATURE.values() if c.sharpened)


def test_one_against_the_rest_below_pairs_by_hand():
    found = answer("one-vs-rest-auc", [(2, 2), (3, 3)], 6)
    assert found.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 1]]
    # sens and spec by class, then by pair of classes
    one = (1 * Fraction(1) + 1 * Fraction(5, 6) + 2 * Fraction(3, 4)) / 4
    two = (Fraction(1) + Fraction(1) + Fraction(3, 4)) / 3
    assert one < two
    assert (auc_by("rest", found.matrix), auc_by("pairs", found.matrix)) == (one, two)


def auc_by(strategy, table):
    """One class against the rest, or pairs of classes; nan where a rate is 0/0."""
    return discrete_auc(table, strategy=strategy, exact=True, undefined="nan")


def test_measures_agree_for_two_classes_where_they_must():
    for table in Tables(6, 2, 2):
        for measure in (discrete_auc, g_mean_ss):
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
    assert min(np.diagonal(found.matrix)) == 0
    assert auc_by("rest", found.matrix) > auc_by("pairs", found.matrix)


def test_soft_counterexample_with_the_public_indices():
    found = answer("sari-below-ari", [(2, 2)], 4)
    assert (found.matrices.n, found.matrices.d) == (3, 3)
    U, V = ([[Fraction(x) for x in row] for row in found.witness[side]] for side in "UV")
    assert all(max(row) > Fraction(1, 2) for row in U)  # no tie to break
    table = [[0, 0], [0, 0]]
    for u, v in zip(U, V):
        table[u.index(max(u))][v.index(1)] += 1
    excess = sari(U, V, exact=True) - adjusted_rand_index(table, exact=True)
    assert excess == Fraction(2, 23)
