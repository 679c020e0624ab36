"""Triples and chains of clusterings: counted, visited, and kinds of pairs, against all of them one by one."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

from confmat.conjectures import Chains, Conjecture, Counterexample, Triples, check, domain, triangle_constant
from confmat.errors import TooLarge
from confmat.indices.partition import ard, med, vi
from confmat.matrices import contingency


def named(labels):
    """Labels in order of first appearance."""
    names = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)


def all_clusterings(n):
    return sorted({named(labels) for labels in product(range(n), repeat=n)})


def finer(a, b):
    return len(set(zip(a, b))) == len(set(a))


def up_to_names(triples, n):
    return {
        min(tuple(named([x[i] for i in order]) for x in triple) for order in permutations(range(n)))
        for triple in triples
    }


def canonical(table):
    orders = (
        table[np.ix_(rows, cols)]
        for rows in permutations(range(len(table)))
        for cols in permutations(range(table.shape[1]))
    )
    return min(tuple(map(tuple, x.tolist())) for x in map(np.asarray, orders))


@cache
def table_up_to_order(x, y):
    return canonical(contingency(x, y) if x else np.zeros((1, 1), int))


@pytest.mark.parametrize("n", range(5))
def test_all_triples(n):
    every = all_clusterings(n)
    triples = list(product(every, repeat=3))
    assert Triples(n).count() == len(triples)
    assert Triples(n).orbits_count() == len(up_to_names(triples, n))
    some = [x for x in triples if len(set(x[0])) == 2 and len(set(x[2])) == 1]
    assert Triples(n, 2, None, 1).count() == len(some)
    assert Triples(n, 2, None, 1).orbits_count() == len(up_to_names(some, n))
    chains = [x for x in triples if finer(x[0], x[1]) and finer(x[1], x[2])]
    assert Chains(n).count() == len(chains)
    assert Chains(n).orbits_count() == len(up_to_names(chains, n))
    assert Chains(n, None, 2).count() == sum(len(set(b)) == 2 for _, b, _ in chains)


def margins_of(n, r, s):
    """The pairs of margins that a statement about them is asked of."""
    (margins,) = domain(Conjecture("", "r = r", on="margins"), [(r, s)], [n])
    return margins


@pytest.mark.parametrize(
    ("kind", "sizes", "error", "says"),
    [
        (Triples, (-1,), ValueError, "n must be at least 0, got -1"),
        (Chains, (3, 0), ValueError, "r must be at least 1, got 0"),
        (Triples, (3, None, None, 0), ValueError, "t must be at least 1, got 0"),
        (Triples, (None,), TypeError, "n must be a whole number, got None"),
        (margins_of, (0, 1, 1), ValueError, "n must be at least 1, got 0"),
        (margins_of, (2, 0, 1), ValueError, "r must be at least 1, got 0"),
        (margins_of, (2, 1, None), TypeError, r"shapes\[1\] must be a whole number, got None"),
    ],
)
def test_sizes_out_of_bounds_are_named(kind, sizes, error, says):
    with pytest.raises(error, match=says):
        kind(*sizes)


def test_the_least_sizes():
    assert margins_of(1, 1, 1).count() == Triples(0).count() == Triples(1, 1, 1, 1).count() == 1


def test_orbits_of_six_points():
    assert Triples(6).orbits_count() == 21205


@pytest.mark.parametrize(
    "members",
    [
        *map(Triples, (0, 1, 4)),
        Triples(4, 2, 3),
        Triples(4, None, 2, 2),
        *map(Chains, (0, 1, 4)),
        Chains(4, 3),
    ],
)
def test_kinds_are_those_of_the_triples_one_by_one(members):
    kinds, expected = members.kinds(), Counter()
    for triple in product(all_clusterings(members.n), repeat=3):
        a, b, c = triple
        if any(k not in (None, len(set(x))) for k, x in zip(members.numbers, triple)):
            continue
        if isinstance(members, Chains) and not (finer(a, b) and finer(b, c)):
            continue
        expected[tuple(table_up_to_order(x, y) for x, y in ((a, b), (b, c), (a, c)))] += 1
    found = Counter()
    for row, weight in zip(kinds.kinds.tolist(), kinds.weights.tolist()):
        found[tuple(canonical(kinds.tables[kind]) for kind in row)] += weight
    assert found == expected
    for row, of in enumerate(kinds.kinds.tolist()):
        a, b, c = kinds.triple(row)
        shown = [table_up_to_order(x, y) for x, y in ((a, b), (b, c), (a, c))]
        assert shown == [canonical(kinds.tables[kind]) for kind in of]


def test_every_pair_has_one_kind():
    kinds = Triples(5).kinds()
    assert len(set(map(canonical, kinds.tables))) == len(kinds.tables)
    assert kinds.weights.sum() == Triples(5).count()
    for row in range(0, len(kinds.kinds), 7):
        a, b, c = kinds.triple(row)
        shown = [table_up_to_order(x, y) for x, y in ((a, b), (b, c), (a, c))]
        assert shown == [canonical(kinds.tables[kind]) for kind in kinds.kinds[row].tolist()]


@pytest.mark.parametrize(
    ("n", "constant"), [(4, Fraction(7, 5)), (5, Fraction(13, 9)), (6, Fraction(41, 28))]
)
def test_how_far_the_adjusted_rand_distance_is_from_a_metric(n, constant):
    found = triangle_constant("ard", n)
    assert found.value == constant == Fraction(3, 2) - Fraction(1, (n - 2) * (n + 1))
    a, b, c = found.triple
    assert ard(a, c, exact=True) == constant * (ard(a, b, exact=True) + ard(b, c, exact=True))
    assert not found.metric


@pytest.mark.parametrize("name", ["med", "rd", "vi", "van_dongen", "mirkin"])
def test_metrics(name):
    assert triangle_constant(name, 5).metric
    assert triangle_constant(name, 5, 2, 2, 2).metric


def test_what_is_no_distance():
    for name in ("ari", "wallace_ab", "fm", "mi"):
        with pytest.raises(ValueError, match=f"distance must be .*, got {name}"):
            triangle_constant(name, 4)
    assert triangle_constant("rd", 0).value == triangle_constant("rd", 1).value == 0
    with pytest.raises(TooLarge, match="n must be at most 9"):
        triangle_constant("rd", 10)


def holds_of(text, members):
    """Whether a statement is true of all triples; where it is not, it is false of the one that is shown."""
    found = check(Conjecture("", text), [members])
    if isinstance(found, Counterexample):
        return found.witness
    return found.covered == members.count()


def test_statements_on_triples_and_chains():
    triples, chains = Triples(4), Chains(4)
    shown = holds_of("ard_ac <= ard_ab + ard_bc", triples)
    a, b, c = (shown[name] for name in "abc")
    assert ard(a, c, exact=True) > ard(a, b, exact=True) + ard(b, c, exact=True)
    # Along refinements the variation of information adds up.
    assert holds_of("vi_ac = vi_ab + vi_bc", chains) is True
    a, b, c = chains.kinds().triple(9)
    assert vi(a, c, exact=True) == vi(a, b, exact=True) + vi(b, c, exact=True)
    assert holds_of("med_ac < n * med_ab", triples) is not True
    assert holds_of("med_ac <= med_ab + med_bc", triples) is True
    assert med(a, c) <= med(a, b) + med(b, c)


@pytest.mark.parametrize("text", ["ard <= 1", "ard_ab <= med", "cor_ab < 1", "ard_cd < 1"])
def test_other_statements_are_refused(text):
    with pytest.raises(ValueError, match="statement of '', which has no predicate, must"):
        Conjecture("", text, on="triples")
