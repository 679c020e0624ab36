"""The expected NDC: against all permutations, by sorting, by Monte Carlo; memory at size."""

import itertools
import subprocess
import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import soft_by_definition as slow
from hypothesis import given, settings
from hypothesis import strategies as st
from soft_cases import EVERY, TOY, label_pairs, membership_pairs

from confmat.contingency import contingency_matrix
from confmat.indices import soft
from confmat.indices.partition import expected_rand_distance


def brute_force(U, V):
    e, f = slow.equivalences(U), slow.equivalences(V)
    values = [slow.concordance(e, permuted) for permuted in itertools.permutations(f)]
    return Fraction(sum(values)) / len(values)


def test_toy_example_over_its_720_permutations():
    U, V = TOY
    expected = brute_force(U, V)
    assert soft.expected_ndc(U, V, exact=True) == expected
    assert soft.ndc(U, V, exact=True) == Fraction(191, 300)
    assert soft.aci(U, V, exact=True) == (Fraction(191, 300) - expected) / (1 - expected)


@pytest.mark.parametrize(("exact", "kind"), [(True, Fraction), (False, float)])
@pytest.mark.parametrize("labels", [[0], [0, 0, 0]])
def test_where_everything_agrees(labels, exact, kind):
    for index in (soft.ndc, soft.expected_ndc, soft.aci):
        value = index(labels, labels, exact=exact)
        assert value == 1
        assert type(value) is kind


def test_no_relabeling_matters_where_a_clustering_judges_all_pairs_alike():
    alike, soft_alike = [0, 0, 0], [[0.25, 0.75]] * 3
    for U, V in ((alike, [0, 1, 1]), ([0, 1, 1], alike), (alike, soft_alike), ([0, 1], [0, 0])):
        assert soft.expected_ndc(U, V, exact=True) == soft.ndc(U, V, exact=True)


@settings(max_examples=40)
@given(st.integers(2, 3).flatmap(lambda n: membership_pairs(min_n=n)).filter(lambda UV: len(UV[0]) <= 3))
def test_mean_over_all_permutations(UV):
    assert soft.expected_ndc(*UV, exact=True) == brute_force(*UV)


@EVERY
@given(label_pairs)
def test_hard_labels_have_the_expected_rand_index(labels):
    exact = 1 - expected_rand_distance(contingency_matrix(*labels), exact=True)
    assert soft.expected_ndc(*labels, exact=True) == exact
    assert soft.expected_ndc(*labels) == pytest.approx(float(exact), abs=1e-13)


def test_row_sums_within_the_tolerance_stay_in_range():
    """These two rows differ by more than any two rows with sum 1."""
    U = [[1, 0, 0.99e-6, 0], [0, 1, 0, 0.99e-6]]
    for V, value in (([0, 0], 0), ([0, 1], 1)):
        assert soft.ndc(U, V) == soft.expected_ndc(U, V) == value


def test_equal_judgements_up_to_roundoff_are_equal():
    """Any two rows have the distance 0.65, which in floats differs in the last digit; the ACI would be -0.5."""
    U = [[0.1, 0.15, 0.75], [0.15, 0.75, 0.1], [0.75, 0.1, 0.15]]
    V = [U[1], U[2], U[0]]
    assert 0 < 1 - soft.ndc(U, V) < 1e-15
    assert soft.aci(U, V) == 1


def test_aci_does_not_change_where_memberships_shrink_to_one_point():
    U, V = [[1, 0], [1, 0], [0, 1], [0, 1]], [[1, 0], [0, 1], [0, 1], [0, 1]]
    for share in (1, Fraction(1, 7), Fraction(1, 10**16)):
        near = [[[share * x + (1 - share) / 2 for x in row] for row in side] for side in (U, V)]
        assert soft.aci(*near, exact=True) == soft.aci(U, V, exact=True)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=7))
def test_the_mean_over_all_pairs_of_pairs_is_found_by_a_merge(rows):
    """Of two clusters each: two objects are as far apart as their first memberships."""
    first, second = ([x / 9 for x in side] for side in zip(*rows))
    apart = [[abs(x - y) for x, y in combinations(side, 2)] for side in (first, second)]
    expected = 1 - np.mean([abs(x - y) for x in apart[0] for y in apart[1]])
    memberships = ([[x, 1 - x] for x in side] for side in (first, second))
    assert soft.expected_ndc(*memberships) == pytest.approx(expected)


@pytest.mark.parametrize("n", [100, 200, 300])
def test_the_merge_loses_next_to_nothing(n):
    """Compensated: a unit in the last place, where plain sums of thousands of terms lose several."""
    rng = np.random.default_rng(n)
    shares = rng.integers(0, 2**20, (2, n)) / 2**20
    U, V = (np.column_stack([side, 1 - side]) for side in shares)
    apart = 1 - soft.expected_ndc(U, V, exact=True)
    error = (1 - Fraction(float(soft.expected_ndc(U, V)))) / apart - 1
    assert abs(error) < Fraction(1, 2**51)


# Memory.  A fresh process each, since the peak of a process never falls; not from getrusage, which counts what the
# process that started this one held at that moment.

SCRIPT = """
import numpy as np
from confmat.indices import soft
rng = np.random.default_rng(0)
U, V = rng.dirichlet(np.ones({clusters}), {n}), rng.dirichlet(np.ones({clusters}), {n})
print({call})
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(int(status["VmHWM"].split()[0]) / 2**20)
"""


def peak(call, n, clusters=5):
    """What the call prints, and the peak memory of its process in GiB."""
    script = SCRIPT.format(call=call, n=n, clusters=clusters)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    *values, gib = done.stdout.split()
    return [float(value.strip("(),")) for value in values], float(gib)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux")
@pytest.mark.parametrize(
    "name", ["ndc", "campello_rand", "brouwer_rand", "frigui_rand", "anderson_rand", "aci"]
)
def test_5000_objects_under_one_gigabyte(name):
    (value,), gib = peak(f"soft.{name}(U, V)", 5000)
    assert 0 < abs(value) < 1
    assert gib < 1e9 / 2**30


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_20000_objects_under_four_gigabytes():
    (mean,), gib = peak("soft.expected_ndc(U, V)", 20000)
    assert 0 < mean < 1
    assert gib < 4


def test_one_object_agrees_with_itself():
    """There is no pair of objects: every degree of concordance is 1, and so is its mean over relabelings."""
    one, other = [[0.5, 0.5]], [[1.0, 0.0]]
    assert soft.ndc(one, other) == soft.expected_ndc(one, other) == 1.0
    assert soft.ndc(one, other, exact=True) == soft.expected_ndc(one, other, exact=True) == Fraction(1)
