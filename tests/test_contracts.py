"""Contracts: everything small, in order of size, then at random; all broken claims, degenerate ones told apart."""

import doctest
import math
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import factorial, gcd, lcm, prod
from pathlib import Path

import numpy as np
import pytest

import confmat as cm
from confmat.classes.orbits import largest_image
from confmat.classes.partitions import partitions
from confmat.classes.symmetry import PERMUTATIONS
from confmat.errors import ContractError
from confmat.indices.partition import adjusted_rand_distance, fowlkes_mallows
from confmat.testing import contract
from confmat.testing.small import (
    all_tables,
    chains,
    classifier_matrices,
    classifier_orbits,
    orbits,
    score_tables,
    set_partitions,
    spelled_out,
    triples,
)

# --- everything small ---


def cycle_types(k):
    """(cycle lengths, number of permutations of k things with these)."""
    for parts in range(1, k + 1):
        for lengths in partitions(k, parts):
            same = Counter(lengths)
            yield lengths, factorial(k) // prod(c**m * factorial(m) for c, m in same.items())


def burnside(n):
    """Tables of n objects up to permutations, by counting those that each pair of permutations fixes.

    A table without empty lines has at most n of them each: n x n tables, with empty lines.
    """
    fixed = 0
    for (rows, many), (cols, more) in product(list(cycle_types(n)), repeat=2):
        series = [1] + [0] * n
        for a, b in product(rows, cols):
            for _ in range(gcd(a, b)):
                step = lcm(a, b)
                for total in range(step, n + 1):
                    series[total] += series[total - step]
        fixed += many * more * series[n]
    return fixed // factorial(n) ** 2


def test_orbits_are_as_many_as_burnside_says():
    counts = [len(list(orbits(n))) for n in range(1, 8)]
    assert counts == [burnside(n) for n in range(1, 8)] == [1, 4, 10, 33, 91, 298, 910]
    assert sum(counts[:6]) == 437
    assert sum(counts) == 1347


def test_all_tables_are_those_of_the_orbits():
    for n in range(1, 5):
        tables = [tuple(map(tuple, table.tolist())) for table in all_tables(n)]
        assert len(set(tables)) == len(tables) == sum(1 for _ in all_tables(n))
        assert len(tables) == sum(
            cm.Tables(n, r, s).count() for r in range(1, n + 1) for s in range(1, n + 1)
        )
        assert {tuple(map(tuple, table.tolist())) for table in orbits(n)} <= set(tables)


def test_other_lists_have_their_numbers():
    assert [len(set_partitions(n)) for n in range(1, 7)] == [1, 2, 5, 15, 52, 203]
    assert [len(list(triples(n))) for n in range(1, 4)] == [
        parts * bell**2 for parts, bell in [(1, 1), (2, 2), (3, 5)]
    ]
    assert [len(list(chains(n))) for n in range(1, 6)] == [1, 4, 22, 154, 1304]
    assert [len(list(score_tables(n))) for n in range(1, 6)] == [2, 7, 24, 82, 280]
    seen = [x for x in cm.Tables(3, 2, 2, empty=True) if (x.any(axis=0) | x.any(axis=1)).all()]
    assert len(list(classifier_matrices(3, 2))) == len(seen)
    assert 2 * len(list(classifier_orbits(3, 2))) == len(seen)  # no matrix of three objects is its own image


# --- a bug on any orbit ---


def image(table):
    return _image(table.shape, table.tobytes())


@lru_cache(10**5)
def _image(shape, cells):
    return largest_image(np.frombuffer(cells, np.int64).reshape(shape), PERMUTATIONS).tolist()


@pytest.mark.parametrize("n", range(1, 5))
def test_a_bug_on_any_orbit_is_found_with_its_n(n):
    for table in orbits(n):
        bad = image(table)

        def index(t, bad=bad, n=n):
            return 2 if t.sum() == n and image(t) == bad else 0

        found = contract(index, symmetric=False, bounds=(0, 1), n=n, every=0, examples=1, max_objects=n)
        assert list(found.broken) == ["bounds"]
        assert found.broken["bounds"].n == n
        assert image(found.broken["bounds"].example) == bad


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 6])
def test_a_bug_on_any_orbit_of_more_objects_is_found(n):
    test_a_bug_on_any_orbit_is_found_with_its_n(n)


def test_a_bug_on_a_single_table_breaks_the_order():
    for table in [t for t in all_tables(3) if t.size > 3 and len(np.unique(t)) > 1]:
        bad = table.tolist()
        found = contract(lambda t, bad=bad: int(t.tolist() == bad), symmetric=False, n=3, every=3, examples=5)
        assert found.broken["order"].n == 3


def homogeneity_of_so_many_clusters(a, b):
    """Of the clusters of b only those are looked at whose numbers a has, too: a bug of permetrics."""
    table = cm.contingency(a, b, sparse=False)
    seen = [table[:, j] for j in range(table.shape[1]) if j < len(set(a))]
    return Fraction(sum(int(max(column)) for column in seen), sum(int(sum(column)) for column in seen))


def test_names_in_every_order_are_tried():
    """The smallest counterexample has its mixed cluster last: two exchanges away from the listed table."""
    found = contract(
        homogeneity_of_so_many_clusters, takes="labels", symmetric=False, n=4, every=4, examples=1
    )
    assert found.broken["names"].n == 4
    pair, *names = found["names"].beyond.example
    renamed = [[new[x] for x in labels] for labels, new in zip(pair, names)]
    assert homogeneity_of_so_many_clusters(*pair) != homogeneity_of_so_many_clusters(*renamed)


@pytest.mark.parametrize("classifier", [False, True])
def test_names_are_tried_on_every_table(classifier):
    """Of two labelings up to their order: all tables of up to 3 objects, one by one, as labels."""
    seen = set()

    def index(a, b):
        seen.add(tuple(sorted(zip(a, b))))
        return 0

    contract(
        index, takes="labels", labels="ints", classifier=classifier, n=3, every=3, examples=1, max_objects=1
    )
    tables = [x for n in (1, 2, 3) for x in all_tables(n)]
    if classifier:
        tables = [x for n in (1, 2, 3) for k in (1, 2, 3) for x in classifier_matrices(n, k)]
    assert {tuple(sorted(zip(*spelled_out(table)))) for table in tables} <= seen


def test_an_array_that_is_held_by_columns_is_the_same_table():
    def buffer_as_it_lies(table):
        table = np.frombuffer(table.tobytes(order="A"), table.dtype).reshape(table.shape)
        return cm.rd(table)

    found = contract(buffer_as_it_lies, n=4, every=4, examples=5)
    assert list(found.broken) == ["value"]
    assert "held by columns" in found.broken["value"].found
    assert found["value"].beyond.n == 3


# --- what used to pass ---


def squared(index):
    return lambda table: 1 - index(table) ** 2


@pytest.mark.parametrize(
    ("index", "n"),
    [
        (lambda t: 1 - cm.nmi(t), 3),
        (adjusted_rand_distance, 4),
        (lambda t: cm.nrd(t, exact=True), 4),
        (lambda t: 1 - dice(t), 4),
        (lambda t: cm.nmed(t, exact=True), 5),
        (squared(lambda t: fowlkes_mallows(t, undefined=int(t.shape[0] == t.shape[1] == t.sum()))), 5),
    ],
    ids=["1-nmi", "ard", "nrd", "1-dice", "nmed", "1-fm2"],
)
def test_six_that_are_no_metrics(index, n):
    found = contract(index, metric=True, every=2, n=5, examples=1)
    assert found["triangle inequality"].counterexample.n <= n
    assert found["triangle inequality"].status == "broken"


def dice(table):
    pairs = cm.indices.pair_counts(table)
    total = 2 * pairs.both + pairs.only_a + pairs.only_b
    return Fraction(2 * pairs.both, total) if total else Fraction(1)


@pytest.mark.parametrize(
    ("index", "undefined"),
    [(lambda t: 1 / 0, ZeroDivisionError), (lambda t: math.nan, math.nan)],
    ids=["error", "nan"],
)
def test_what_is_defined_nowhere_is_broken(index, undefined):
    found = contract(index, undefined=undefined, bounds=(0, 1), identity=1, n=3, every=2, examples=5)
    assert {finding.status for finding in found.findings} == {"undefined"}
    assert not found
    with pytest.raises(ContractError, match="nothing is defined on"):
        found.check()


@pytest.mark.parametrize("most", [1, 2])
def test_what_is_defined_on_degenerate_cases_only_is_broken(most):
    """All tables of up to two objects are degenerate, but [[1, 0], [0, 1]] tells something of the identity."""
    claims = {"undefined": math.nan, "metric": True, "bounds": (0, 1), "n": 4, "every": 3, "examples": 5}
    found = contract(lambda t: cm.rd(t) if t.sum() <= most else math.nan, **claims)
    assert found.kept == ("identity",) * (most - 1)
    assert {finding.status for finding in found.findings} <= {"undefined", "kept"}
    assert "but degenerate ones" in found.broken["bounds"].found
    assert contract(cm.rd, **{**claims, "n": most, "max_objects": most})  # where nothing else was asked for


def pairs_in_16_bits(a, b):
    table = cm.contingency(a, b)
    n, squares = (
        np.int16(len(a)),
        [
            np.int16(int((x**2).sum() % 2**16 - 2**16 * ((x**2).sum() % 2**16 >= 2**15)))
            for x in (table.sum(axis=1), table.sum(axis=0), table)
        ],
    )
    with np.errstate(over="ignore"):
        return float(squares[0] + squares[1] - np.int16(2) * squares[2]) / max(
            1, float(n * (n - np.int16(1)))
        )


def of_four_clusters(table):
    return cm.rd(table[np.argsort(-table.sum(axis=1))[:4]][:, np.argsort(-table.sum(axis=0))[:4]])


def test_sixteen_bits_and_four_clusters_are_found_at_default_settings():
    assert "bounds" in contract(pairs_in_16_bits, takes="labels", bounds=(0, 1), n=2, every=2).broken
    found = contract(of_four_clusters, identity=0, n=6, every=2)
    assert found.broken["identity"].n == 5


# --- degenerate cases, traces, tables ---


def undefined_at_one_object(table):
    return (table.shape[0] - 1) / (table.sum() - 1) if table.sum() > 1 else [][0]


def test_a_degenerate_case_hides_nothing():
    found = contract(undefined_at_one_object, n=3, every=3, examples=10)
    assert found["value"].status == "degenerate"
    assert found.broken["value"].degenerate == "one object"
    assert found["symmetry"].status == "broken"
    assert found["symmetry"].beyond.n == 3
    assert contract(undefined_at_one_object, symmetric=False, min_objects=2, n=3, every=3, examples=10)
    assert not contract(undefined_at_one_object, symmetric=False, n=3, every=3, examples=10)
    assert contract(undefined_at_one_object, symmetric=False, undefined=IndexError, n=3, every=3, examples=10)


def test_the_trace_of_the_author_is_kept():
    with pytest.raises(ContractError) as caught:
        contract(undefined_at_one_object, n=2, every=2, examples=1).check()
    assert isinstance(caught.value.__cause__, IndexError)
    assert caught.value.__cause__.__traceback__.tb_next.tb_frame.f_code.co_name in (
        "call",
        "undefined_at_one_object",
    )


def test_a_contract_prints_as_a_table_and_has_a_digest():
    found = contract(undefined_at_one_object, n=3, every=3, examples=10)
    assert "value      degenerate" in str(found)
    assert "[[1]] raises IndexError" in str(found)
    assert "<td>symmetry</td><td>broken</td>" in found._repr_html_()
    again = contract(undefined_at_one_object, n=3, every=3, examples=10)
    other = contract(lambda t: 0, n=3, every=3, examples=10)
    assert found.digest == again.digest != other.digest
    assert found.covered == other.covered == 39
    with pytest.raises(KeyError, match="claim must be one of value, order, symmetry, got 'x'"):
        found["x"]


def test_the_page_on_contracts_runs():
    page = Path(__file__).parents[1] / "notebooks" / "pages" / "contracts.md"
    ran = doctest.testfile(str(page), module_relative=False)
    assert ran.attempted > 0
    assert ran.failed == 0


# --- kinds of input ---


def kappa(table):
    n, agree = int(table.sum()), int(table.trace())
    chance = int(table.sum(axis=0) @ table.sum(axis=1))
    return Fraction(n * agree - chance, n * n - chance)


def test_classifiers_are_relabeled_alike():
    found = contract(
        kappa,
        classifier=True,
        symmetric=True,
        bounds=(-1, 1),
        identity=1,
        undefined=ZeroDivisionError,
        n=4,
        every=3,
        examples=20,
    )
    assert found, found
    assert "order" in contract(kappa, n=3, every=3, undefined=ZeroDivisionError, examples=5).broken
    assert contract("bcr", n=4, every=3, examples=20)
    first_class = contract(lambda t: t[0, 0] / t.sum(), classifier=True, n=3, every=3, examples=5)
    assert list(first_class.broken) == ["order"]
    assert contract(
        lambda a, b: sum(x == y for x, y in zip(a, b)) / len(a),
        takes="labels",
        classifier=True,
        identity=1,
        symmetric=True,
        n=3,
        every=3,
        examples=20,
    )


def test_labels_may_be_numbers_only():
    def of_numbers(a, b):
        return cm.rd(np.array(a) + 0, np.array(b) + 0)

    options = {"takes": "labels", "n": 3, "every": 3, "examples": 10}
    assert contract(of_numbers, labels="ints", **options)
    assert list(contract(of_numbers, **options).broken) == ["names"]
    assert contract(
        lambda a, b: cm.rd([x.upper() for x in a], [x.upper() for x in b]), labels="strings", **options
    )


@pytest.mark.parametrize("narrow", [lambda x: max(x, 0), lambda x: max(x, -7)], ids=["noise", "magnitude"])
def test_labels_of_any_kind_are_negative_and_far_apart_too(narrow):
    """One takes noise, -1, for the cluster 0, the other puts all below -7 together: small numbers show neither."""

    def index(a, b):
        return cm.rd(*([x if isinstance(x, str) else narrow(x) for x in side] for side in (a, b)))

    options = {"takes": "labels", "n": 4, "every": 3, "examples": 5}
    assert not contract(index, labels="ints", **options).broken
    assert list(contract(index, **options).broken) == ["names"]


def test_memberships():
    options = {"takes": "memberships", "n": 2, "examples": 5}
    soft = cm.indices.soft
    found = contract(soft.campello_rand, identity=1, other_input=cm.ri, **options)
    assert list(found.broken) == ["identity"]  # it is no 1 for equal memberships that are not crisp
    assert "order" in contract(lambda U, V: float(U[0, 0]), **options).broken


def auc(truth, scores):
    up, down = ([x for y, x in zip(truth, scores) if y == kind] for kind in (1, 0))
    return Fraction(sum((a > b) * 2 + (a == b) for a in up for b in down), 2 * len(up) * len(down))


def test_scores():
    options = {"takes": "scores", "undefined": ZeroDivisionError, "n": 4, "examples": 20}
    assert contract(auc, identity=1, bounds=(0, 1), symmetric=True, **options)
    brier = contract(
        lambda truth, scores: sum((y - x) ** 2 for y, x in zip(truth, scores)) / len(truth), **options
    )
    assert list(brier.broken) == ["monotone"]


def test_square_tables_and_few_clusters():
    shapes = set()

    def index(table):
        shapes.add(table.shape)
        return 0

    contract(index, square=True, max_clusters=3, n=4, every=3, examples=20)
    assert shapes == {(1, 1), (2, 2), (3, 3)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"takes": "scores", "metric": True}, 'metric needs an index that takes="table" or "labels", got'),
        (
            {"takes": "memberships", "classifier": True},
            'classifier needs an index that takes="table" or "labels"',
        ),
        ({"labels": "ints"}, "labels needs an index that takes=\"labels\", got takes='table'"),
        ({"labels": "bytes", "takes": "labels"}, "labels must be one of any, ints, strings, got 'bytes'"),
        (
            {"classifier": True, "refinement": True, "identity": 1},
            "need an index of two clusterings, got classifier=True",
        ),
        ({"n": 0}, "n must be at least 1, got 0"),
        ({"min_objects": 5, "max_objects": 4}, "max_objects must be at least min_objects=5 .*, got 4"),
        ({"square": "no"}, "square must be True or False, got 'no'"),
        ({"undefined": "nan"}, "undefined must be exceptions or numbers"),
        ({"examples": 0}, "examples must be at least 1, got 0"),
    ],
)
def test_wrong_arguments_are_named_before_any_call(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        contract(lambda *_: 1 / 0, **options)
