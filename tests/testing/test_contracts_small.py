"""Contracts try everything small: lists against closed forms, and a bug on any orbit is found."""

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import factorial, gcd, lcm, prod

import numpy as np
import pytest
from brute import partitions
from small_tables import all_tables, classifier_matrices, classifier_orbits, orbits, spelled_out

import confmat as cm
from confmat.testing import check_metric

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


def tables_given(**options):
    """What a contract gives to an index, by the number of objects; of those drawn at random none is larger."""
    given = {}

    def index(table):
        if (table.any(axis=0).all() and table.any(axis=1).all()) or options.get("classifier"):
            given.setdefault(int(table.sum()), []).append(np.array(table))
        return 0

    check_metric(index, symmetric=False, examples=1, max_n=options["n"], **options)
    return given


def nested(table):
    return tuple(map(tuple, table.tolist()))


def test_orbits_are_as_many_as_burnside_says():
    given = tables_given(n=6, every=0)
    orbits_given = {n: {str(image(table)) for table in tables} for n, tables in given.items()}
    counts = [len(orbits_given[n]) for n in range(1, 7)]
    assert counts == [burnside(n) for n in range(1, 7)] == [1, 4, 10, 33, 91, 298]
    for n in range(1, 6):
        assert {str(image(table)) for table in orbits(n)} == orbits_given[n]
        assert len(orbits(n)) == counts[n - 1]


def test_every_table_is_given():
    given = tables_given(n=4, every=4)
    for n in range(1, 5):
        tables = list(map(nested, all_tables(n)))
        assert len(set(tables)) == len(tables)
        assert set(tables) == set(map(nested, given[n]))


def test_every_confusion_matrix_is_given():
    given = tables_given(n=3, every=3, classifier=True)
    for n, classes in product((1, 2, 3), repeat=2):
        assert set(map(nested, classifier_matrices(n, classes))) <= set(map(nested, given[n]))
    # No matrix of three objects is its own image.
    assert 2 * len(classifier_orbits(3, 2)) == len(classifier_matrices(3, 2))


# --- a bug on any orbit ---


def image(table):
    table = np.ascontiguousarray(table[table.any(axis=1)][:, table.any(axis=0)])
    return _image(table.shape, table.tobytes())


@lru_cache(10**5)
def _image(shape, cells):
    table = np.frombuffer(cells, np.int64).reshape(shape)
    return cm.Tables(int(table.sum()), *shape).representative(table, "permutations").tolist()


@pytest.mark.parametrize("n", range(1, 5))
def test_a_bug_on_any_orbit_is_found_with_its_n(n):
    for table in orbits(n):
        bad = image(table)

        def index(t, bad=bad, n=n):
            return 2 if t.sum() == n and image(t) == bad else 0

        found = check_metric(index, symmetric=False, bounds=(0, 1), n=n, every=0, examples=1, max_n=n)
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
        found = check_metric(
            lambda t, bad=bad: int(t.tolist() == bad), symmetric=False, n=3, every=3, examples=5
        )
        assert found.broken["order"].n == 3


def homogeneity_of_so_many_clusters(a, b):
    """Of the clusters of b only those are looked at whose numbers a has, too: a bug of permetrics."""
    table = cm.contingency_matrix(a, b, sparse=False)
    seen = [table[:, j] for j in range(table.shape[1]) if j < len(set(a))]
    return Fraction(sum(int(max(column)) for column in seen), sum(int(sum(column)) for column in seen))


def test_names_in_every_order_are_tried():
    """The smallest counterexample has its mixed cluster last: two exchanges away from the listed table."""
    found = check_metric(
        homogeneity_of_so_many_clusters, takes="labels", symmetric=False, n=4, every=4, examples=1
    )
    assert found.broken["names"].n == 4
    pair, renamed = found["names"].beyond.example
    assert homogeneity_of_so_many_clusters(*pair) != homogeneity_of_so_many_clusters(*renamed)


@pytest.mark.parametrize("classifier", [False, True])
def test_names_are_tried_on_every_table(classifier):
    """Of two labelings up to their order: all tables of up to 3 objects, one by one, as labels."""
    seen = set()

    def index(a, b):
        seen.add(tuple(sorted(zip(a, b))))
        return 0

    check_metric(
        index, takes="labels", labels="ints", classifier=classifier, n=3, every=3, examples=1, max_n=1
    )
    tables = [x for n in (1, 2, 3) for x in all_tables(n)]
    if classifier:
        tables = [x for n in (1, 2, 3) for k in (1, 2, 3) for x in classifier_matrices(n, k)]
    assert {tuple(sorted(zip(*spelled_out(table)))) for table in tables} <= seen


def test_an_array_that_is_held_by_columns_is_the_same_table():
    def buffer_as_it_lies(table):
        table = np.frombuffer(table.tobytes(order="A"), table.dtype).reshape(table.shape)
        return cm.rd(table)

    found = check_metric(buffer_as_it_lies, n=4, every=4, examples=5)
    assert list(found.broken) == ["value"]
    assert "held by columns" in found.broken["value"].found
    assert found["value"].beyond.n == 4  # of three objects one side are singletons
