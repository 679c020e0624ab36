"""`MembershipGrids`: counted, gone through up to symmetry, drawn, searched and checked, against plain enumeration."""

import json
from collections import Counter
from fractions import Fraction as F
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest
from command_line import fail
from late import stats

import confmat as cm
from confmat.conjectures import Counterexample, read, verify
from confmat.errors import TooLarge
from confmat.indices import soft

SMALL = [(1, 2, 2, 2), (2, 2, 2, 2), (3, 2, 2, 2), (2, 3, 2, 2), (2, 3, 3, 2), (3, 2, 3, 1), (2, 1, 3, 4)]


def rows(clusters, d):
    return [tuple(F(x, d) for x in row) for row in product(range(d + 1), repeat=clusters) if sum(row) == d]


def members(n, r, s, d):
    return list(combinations_with_replacement(sorted(product(rows(r, d), rows(s, d))), n))


def canonical(pairs, r, s):
    images = product(permutations(range(r)), permutations(range(s)))
    return min(
        tuple(sorted((tuple(u[i] for i in p), tuple(v[j] for j in q)) for u, v in pairs)) for p, q in images
    )


@pytest.mark.parametrize("sizes", SMALL)
def test_counts_and_orbits_are_those_of_plain_enumeration(sizes):
    n, r, s, d = sizes
    grids = cm.MembershipGrids(n, r, s, d)
    every = members(*sizes)
    orbits = Counter(canonical(pairs, r, s) for pairs in every)
    found = {tuple(sorted(zip(U, V))): weight for U, V, weight in grids.representatives()}
    assert grids.count() == len(every)
    assert grids.orbits_count() == len(orbits) == len(found)
    assert {canonical(pairs, r, s): weight for pairs, weight in found.items()} == orbits


def test_with_whole_memberships_they_are_tables():
    for n, r, s in [(4, 2, 2), (3, 2, 3), (9, 3, 4)]:
        assert cm.MembershipGrids(n, r, s, 1).count() == cm.Tables(n, r, s, empty=True).count()


def test_draws_are_uniform():
    grids = cm.MembershipGrids(2, 2, 2, 1)
    U, V = grids.sample(4000, rng=3)
    drawn = Counter(tuple(sorted(zip(map(tuple, u), map(tuple, v)))) for u, v in zip(U.tolist(), V.tolist()))
    assert len(drawn) == grids.count() == 10
    assert stats.chisquare(list(drawn.values())).pvalue > 1e-4
    assert all(np.array_equal(x, y) for x, y in zip((U, V), grids.sample(4000, rng=3)))


def plain(name, U, V):
    if name == "ari":
        if any(sorted(row)[-1] == sorted(row)[-2] for row in [*U, *V]):
            return None
        U, V = ([row.index(max(row)) for row in side] for side in (U, V))
        return soft.sari(U, V, exact=True)
    value = soft.ndc(U, V, exact=True) if name == "ndc" else soft.sari(U, V, exact=True, undefined="nan")
    return value if value == value else None


@pytest.mark.parametrize("name", ["sari", "ndc", "ari"])
@pytest.mark.parametrize("sizes", [(2, 2, 2, 3), (3, 2, 2, 2), (2, 3, 2, 2)])
def test_extremes_are_those_of_plain_enumeration(name, sizes):
    values = [plain(name, *map(list, zip(*pairs))) for pairs in members(*sizes)]
    defined = [value for value in values if value is not None]
    grids = cm.MembershipGrids(*sizes)
    for extreme, search in ((max, cm.maximize), (min, cm.minimize)):
        found = search(grids, name)
        assert found.value == extreme(defined)
        assert found.proved
        assert found.complete
        assert all(plain(name, U, V) == found.value for U, V in found.maximizers)
        assert found.examined == grids.count()


@pytest.mark.parametrize("d", [1, 2, 3, 4, 7])
def test_the_least_sari_of_two_objects(d):
    grids = cm.MembershipGrids(2, 2, 2, d)
    assert cm.minimize(grids, "sari").value == 1 - d * d
    theorem = cm.minimize(grids, "sari", method="theorem")
    (U, V), *_ = theorem.minimizers
    assert theorem.value == 1 - d * d == soft.sari(U, V, exact=True)
    assert theorem.proved


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7])
def test_the_least_sari_of_up_to_seven_objects(n):
    theorem = cm.minimize(cm.MembershipGrids(n, 2, 2, 100), "sari", method="theorem")
    (U, V), *_ = theorem.minimizers
    assert theorem.value == F(-1, n - 2) == soft.sari(U, V, exact=True)
    found = cm.minimize(cm.MembershipGrids(n, 2, 2, 3), "sari", method="local", restarts=2).value
    assert found >= theorem.value
    if n < 6:
        assert cm.minimize(cm.MembershipGrids(n, 2, 2, 4), "sari", method="exhaustive").value == theorem.value
    with pytest.raises(ValueError, match='"theorem" knows none here; it cannot minimize sari over'):
        cm.minimize(cm.MembershipGrids(n, 2, 2, 3), "sari", method="theorem")


def test_a_large_class_is_searched_by_theorem_or_by_ascent():
    grids = cm.MembershipGrids(30, 3, 3, 10)
    best = cm.maximize(grids, "sari")
    assert (best.value, best.proved, best.method) == (1, True, "theorem")
    least = cm.minimize(cm.MembershipGrids(5, 2, 2, 4), "sari", method="local")
    assert least.value == cm.minimize(cm.MembershipGrids(5, 2, 2, 4), "sari").value
    assert not least.proved
    with pytest.raises(ValueError, match='"theorem" knows none here; it cannot minimize ndc over'):
        cm.minimize(grids, "ndc", method="theorem")
    with pytest.raises(TooLarge, match="more members than 64 bits number"):
        cm.maximize(grids, "sari", method="exhaustive")


def test_sari_is_not_below_ari():
    answer = cm.check("sari <= ari", [cm.MembershipGrids(n, 2, 2, d) for n in (1, 2, 3) for d in (1, 2, 3)])
    assert isinstance(answer, Counterexample)
    assert answer.matrices == cm.MembershipGrids(3, 2, 2, 3)
    U, V = ([[F(x) for x in row] for row in answer.witness[name]] for name in "UV")
    assert soft.sari(U, V, exact=True) == F(4, 37)
    assert plain("ari", U, V) == 0
    smaller = [cm.MembershipGrids(n, 2, 2, d) for n in (1, 2, 3) for d in (1, 2)]
    holds = cm.check("sari <= ari", smaller)
    undefined = sum(
        None in (plain("sari", *zip(*pairs)), plain("ari", *zip(*pairs)))
        for grids in smaller
        for pairs in members(grids.n, 2, 2, grids.d)
    )
    assert holds.cases == holds.covered - undefined
    verify(read(holds.to_json()), cm.Conjecture("", "sari <= ari"))


def test_statements_about_tables_do_not_know_soft_names_and_grids_no_classifier():
    with pytest.raises(ValueError, match=r"must be on two clusterings .* kappa"):
        cm.Conjecture("", "sari <= kappa")
    with pytest.raises(TypeError, match="classes must be such as MembershipGrids"):
        cm.check("sari <= ari", cm.Tables(4, 2, 2))
    with pytest.raises(ValueError, match="r must be at least 1, got 0"):
        cm.MembershipGrids(3, 0, 2, 2)
    with pytest.raises(ValueError, match="given and start must be left out"):
        cm.maximize(cm.MembershipGrids(2, 2, 2, 2), "sari", given="ndc = 1")


def test_the_command_refutes_it_in_one_line(confmat):
    code, out, _ = confmat("check", "sari <= ari")
    assert code == 1
    assert "MembershipGrids(n=3, r=2, s=2, d=3)" in out
    assert "sari = 4/37, ari = 0" in out


def test_a_search_is_planned():
    plan = cm.plan(cm.minimize, cm.MembershipGrids(3, 2, 2, 3), "sari")
    assert (plan.method, plan.facts["pairs"]) == ("exhaustive", 816)
    large = cm.MembershipGrids(30, 3, 3, 10)
    assert cm.plan(cm.maximize, large, "sari").method == "theorem"
    assert cm.plan(cm.minimize, large, "sari").method == "local"
    assert "64 bits" in cm.plan(cm.minimize, large, "sari", method="exhaustive").excess
    with cm.budget(seconds=1e-3), pytest.raises(TooLarge, match="limit"):
        cm.minimize(cm.MembershipGrids(4, 2, 2, 4), "sari", method="exhaustive")
    with pytest.raises(ValueError, match="given and start must be left out over pairs of memberships"):
        cm.plan(cm.minimize, large, "sari", "med=0")


# --- the class as text ---


@pytest.mark.parametrize("grids", [cm.MembershipGrids(4, 2, 3, 2), cm.MembershipGrids(1, 1, 1, 1)])
def test_the_text_of_a_class_names_it(grids):
    assert cm.classes.parse(grids.text()) == grids


def test_ranges_are_lists_by_total_shape_and_denominator():
    found = cm.classes.parse("2x2..2x3 n=2..3 d=1,4")
    assert [x.text() for x in found[:5]] == [
        "2x2 n=2 d=1",
        "2x2 n=2 d=4",
        "2x3 n=2 d=1",
        "2x3 n=2 d=4",
        "2x2 n=3 d=1",
    ]
    assert len(found) == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2x2 n=3 d=2 empty", "d goes with a shape and n alone"),
        ("rows=2,1 cols=2,1 d=2", "d goes with a shape and n alone"),
        ("2x2 n=3 d=x", "d must look like 8, 4..14 or ..14, got 'x'"),
        ("2x2 n=3 d=0", "d must be at least 1, got 0"),
        ("2x2 d=3", "a class must read"),
    ],
)
def test_texts_that_name_no_class(text, message):
    with pytest.raises(ValueError, match=message):
        cm.classes.parse(text)


def test_commands_take_the_text(confmat):
    assert "4/37" in confmat("check", "sari <= ari", "2x2 n=2..3 d=..3")[1]
    code, out, _ = confmat("search", "sari", "2x2", "n=3", "d=3", "--minimize", "--json")
    assert (code, json.loads(out)["value"]["exact"]) == (0, "-19/20")
    code, out, _ = confmat("search", "sari", "2x2 n=3 d=3", "--plan")
    assert (code, "exhaustive" in out) == (0, True)
    said = "CLASS must be of matrices here, without d, got '2x2 n=3 d=2'"
    assert said in fail(confmat("table", "2x2 n=3 d=2"))
    assert "--certificate" in fail(confmat("search", "sari", "2x2 n=3 d=3", "--certificate", "sari.json"))
