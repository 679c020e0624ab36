"""Statements on record that are not about a class of tables: refused by ``check``, tested here on small cases."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product

import numpy as np
import pytest
from command_line import fail

import confmat as cm
from confmat._integers.compositions import set_partitions
from confmat.conjectures import LITERATURE, STATEMENTS
from confmat.errors import UndefinedIndexError, UnsupportedError
from confmat.indices import soft

NOT_CHECKED = {name: statement for name, statement in STATEMENTS.items() if statement.on}
PROVED = {name for name, statement in NOT_CHECKED.items() if statement.status == "proved"}


@cache
def value(name, a, b):
    """Return the exact value of an index at two labelings, of fm its square; nan if it is undefined there."""
    value = defined_value(getattr(cm, name), list(a), list(b))
    return value**2 if name == "fm" else value


def defined_value(index, *sides):
    try:
        return index(*sides, exact=True)
    except UndefinedIndexError:
        return math.nan


def refines(a, b):
    return len(set(zip(a, b))) == len(set(a))


def test_check_refuses_them_by_name(confmat):
    assert not NOT_CHECKED.keys() & LITERATURE.keys()
    for name, statement in NOT_CHECKED.items():
        with pytest.raises(UnsupportedError, match=f"statement '{name}' is about {statement.on}, .* See its"):
            cm.check(name, cm.Tables(4, 2, 2))
    assert "is about triples of clusterings, which check does not enumerate" in fail(
        confmat("check", "ard-metric")
    )


@pytest.mark.parametrize("name", [name for name, x in NOT_CHECKED.items() if x.status == "refuted"])
def test_stored_counterexamples_refute(name):
    shown = NOT_CHECKED[name].counterexample
    if {"a", "b", "c"} <= shown.keys():
        index = name.partition("-")[0]
        a, b, c = (tuple(shown[key]) for key in "abc")
        d = {x: value(index, *pair) for x, pair in {"ab": (a, b), "bc": (b, c), "ac": (a, c)}.items()}
        distances = d if index == "ard" else {pair: 1 - x for pair, x in d.items()}
        assert distances["ac"] > distances["ab"] + distances["bc"]
    elif "after" in shown:
        before, after = shown["matrix"], shown["after"]
        if name == "monotone-nmed":
            assert cm.nmed(after, exact=True) > cm.nmed(before, exact=True)
        else:
            assert cm.med(after, exact=True) < cm.med(before, exact=True)
            assert cm.ari(after, exact=True) < cm.ari(before, exact=True)
    else:
        assert fails_for_memberships(name, *([[*map(Fraction, row)] for row in shown[key]] for key in "UV"))


def test_every_counterexample_is_of_a_known_statement():
    refuted = {name for name, statement in NOT_CHECKED.items() if statement.status == "refuted"}
    assert len(refuted) == 9
    assert len(PROVED) == 22
    assert all(NOT_CHECKED[name].counterexample for name in refuted)


# --- three clusterings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "n"),
    [("rd", 5), ("med", 5), ("van_dongen", 5), ("jaccard", 5), ("vi", 4), ("nmi_joint", 4), ("nmi_max", 4)],
)
def test_distances_satisfy_the_triangle_inequality(name, n):
    is_distance = name in ("rd", "med", "van_dongen", "vi")
    assert f"{name}-metric" in PROVED or f"{name}-complement-metric" in PROVED
    every = [*map(tuple, set_partitions(n))]
    d = {}
    for pair in product(every, repeat=2):
        x = value(name, *pair)
        d[pair] = x if is_distance else 1 - x
    for a, b, c in product(every, repeat=3):
        x, y, z = d[a, c], d[a, b], d[b, c]
        is_defined = x == x and y == y and z == z
        assert not is_defined or x <= y + z


def test_information_distances_add_up_along_refinements():
    every = [*map(tuple, set_partitions(4))]
    chains = [(a, b, c) for a, b, c in product(every, repeat=3) if refines(a, b) and refines(b, c)]
    assert len(chains) == 154
    assert "vi-along-refinements" in PROVED
    for a, b, c in chains:
        assert value("vi", a, c) == value("vi", a, b) + value("vi", b, c)


# --- a clustering and its change ------------------------------------------------------------------


def improvements(a: tuple[int, ...], b: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield b after each split that parts no pair together in a, and after each merge within one cluster of a."""
    for x, y in combinations(set(b), 2):
        if len({p for p, q in zip(a, b) if q in (x, y)}) == 1:
            yield tuple(x if q == y else q for q in b)
    for x in set(b):
        of_a = sorted({p for p, q in zip(a, b) if q == x})
        for size in range(1, len(of_a)):
            for moved in combinations(of_a, size):
                yield tuple(max(b) + 1 if q == x and p in moved else q for p, q in zip(a, b))


@pytest.mark.parametrize("name", ["ari", "ri", "jaccard", "fm", "nmi", "med", "vi"])
def test_improvements_never_make_an_index_worse(name):
    is_distance = name in ("med", "vi")
    assert {f"monotone-{name}", f"monotone-distance-{name}"} & PROVED
    n = 4 if name in ("nmi", "vi") else 5
    changes = 0
    for a, b in product(map(tuple, set_partitions(n)), repeat=2):
        before = value(name, a, b)
        for better in improvements(a, b):
            after = value(name, a, better)
            changes += 1
            is_defined = before == before and after == after
            assert not is_defined or (after <= before if is_distance else after >= before)
    assert changes > 100


def test_the_ari_does_not_fall_when_objects_are_replicated():
    assert "ari-replicated" in PROVED
    for a, b in product(map(tuple, set_partitions(5)), repeat=2):
        before = value("ari", a, b)
        for t in (2, 3):
            after = value("ari", a * t, b * t)
            assert before != before or after >= before
            is_constant = len(set(a)) == 1 or len(set(b)) == 1 or a == b
            assert before != before or (after == before) == is_constant


# --- pairs of memberships -------------------------------------------------------------------------


def memberships(n, d):
    rows = [[Fraction(x, d), Fraction(d - x, d)] for x in range(d + 1)]
    return [*combinations_with_replacement(rows, n)], [*product(rows, repeat=n)]


def is_hard(side):
    return all(max(row) == 1 for row in side)


def fails_for_memberships(name, U, V):
    """Whether the statement on record is false for U and V, by its own definition."""
    if name == "sari-below-ari":
        modal = [[row.index(max(row)) for row in side] for side in (U, V)]
        return is_hard(V) and soft.sari(U, V, exact=True) > cm.ari(*modal, exact=True)
    if name == "sari-baseline":
        values = [soft.sari(U, list(order), exact=True) for order in permutations(V)]
        return set(values) != {1} and sum(values) != 0
    if name.startswith("reflexive-"):
        rand = {"ndc": "ndc"}.get(name.removeprefix("reflexive-"), name.removeprefix("reflexive-") + "_rand")
        index = getattr(soft, rand)
        return (is_hard(V) or rand == "ndc") and index(U, U, exact=True) < index(U, V, exact=True)
    if name == "ndc-triangle":
        thirds = [*product([[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]], repeat=len(U)), U[::-1]]
        distances = [[1 - soft.ndc(x, y, exact=True) for x, y in ((U, V), (V, W), (U, W))] for W in thirds]
        return any(2 * max(three) > sum(three) for three in distances)
    assert name == "frigui-of-campello"
    together = [[sum(map(Fraction.__mul__, x, y)) for x, y in combinations(side, 2)] for side in (U, V)]
    apart = [
        [sum(x[k] * y[m] for k, m in permutations(range(len(x)), 2)) for x, y in combinations(side, 2)]
        for side in (U, V)
    ]
    sides = [(together[0], apart[0]), (together[1], apart[1])]
    totals = [sum(map(Fraction.__mul__, x, y)) for x, y in product(*sides)]
    pairs = soft.frigui_pairs(U, V, exact=True)
    return totals != [pairs.a, pairs.b, pairs.c, pairs.d]


@pytest.mark.parametrize("name", ["reflexive-ndc", "ndc-triangle", "frigui-of-campello"])
def test_statements_on_memberships_hold_on_small_grids(name):
    assert name in PROVED
    for n, d in ((2, 3), (3, 2)):
        for U, V in product(*memberships(n, d)):
            assert not fails_for_memberships(name, list(U), list(V))


@pytest.mark.parametrize(("soft_index", "index"), [("ndc", "ri"), ("sari", "ari"), ("aci", "ari")])
def test_soft_indices_of_labels_are_the_ordinary_ones(soft_index, index):
    assert f"{soft_index}-crisp" in PROVED
    for n in range(2, 5):
        for a, b in product(map(tuple, set_partitions(n)), repeat=2):
            expected = value(index, a, b)
            found = defined_value(getattr(soft, soft_index), *(np.eye(n, dtype=int)[list(x)] for x in (a, b)))
            assert found == expected or expected != expected
