"""Checks of conjectures: smallest counterexamples, certificates, symmetry, resuming, the command line."""

from __future__ import annotations

import dataclasses
import json
import operator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from confmat.certificates import CertificateError, CheckpointError, read
from confmat.claims.classification import ALL_MEASURES, always, multiclass_measures
from confmat.claims.distances import largest_hook, least_expectations_2x2
from confmat.claims.soft import MembershipPairs
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.cli.app import run
from confmat.conjectures import (
    Certificate,
    Conjecture,
    Counterexample,
    Finding,
    SymmetryError,
    check,
    domain,
    examine,
    smallest_image,
    verify,
)
from confmat.indices.pairs import PairSums
from confmat.indices.partition import adjusted_rand_index, med
from confmat.indices.soft import sari
from confmat.literature import LITERATURE

SHAPES = [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4)]


def answer(name, shapes=SHAPES, most=9):
    conjecture = LITERATURE[name]
    return check(conjecture, domain(conjecture, shapes, range(1, most + 1)))


# --- the literature -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("med-bound", (2, 2, 2)),
        ("med-bound-late", (8, 3, 4)),
        ("rd-max-form", (3, 3, 3)),
        ("rd-max-value", (2, 2, 2)),
        ("ard-2x2", (4, 2, 2)),
        ("ard-form", (3, 3, 3)),
        ("ard-independent", (4, 2, 2)),
    ],
)
def test_known_counterexamples_are_found(name, where):
    found = answer(name)
    assert isinstance(found, Counterexample)
    assert found.matrices == Tables(*where)


def test_largest_med_at_the_counterexample_by_brute_force():
    found = answer("med-bound-late")
    assert found.matrix.tolist() in found.matrices
    assert med(found.matrix, exact=True) == Fraction(5, 8)
    assert max(med(table, exact=True) for table in Tables(8, 2, 4)) == Fraction(6, 8)  # the bound, elsewhere


def test_exceptions_of_the_2x2_form_are_all_there_are():
    conjecture = LITERATURE["ard-2x2"]
    failing = [c.n for c in domain(conjecture, [(2, 2)], range(2, 41)) if conjecture.claim(c).violation]
    assert failing == [4, 6]
    assert isinstance(answer("ard-2x2-exceptions", [(2, 2)], 200), Certificate)


def test_least_expectation_against_enumeration():
    for n in range(4, 12):
        covered, least = least_expectations_2x2(n)
        tables = list(Tables(n, 2, 2))
        assert covered == len(tables)
        for d, smallest, form in least:
            values = [PairSums.of(t).adjusted_rand_distance for t in tables if t[0, 1] + t[1, 0] == d]
            M = n * (n - 1) // 2
            assert max(values) == Fraction(M * d * (n - d), smallest)
            shown = PairSums.of([[n - d, d - d // 2], [d // 2, 0]]).adjusted_rand_distance
            assert shown == Fraction(M * d * (n - d), form)


def test_largest_hook_against_enumeration():
    for n, r, s in [(4, 2, 2), (5, 2, 3), (7, 3, 3), (9, 3, 4)]:
        hooks = [
            t
            for t in Tables(n, r, s)
            if (t[1:, 0] == 1).all() and not t[1:, 1:].any() and (t[0, 1:] >= 1).all()
        ]
        assert largest_hook(n, r, s) == max(PairSums.of(t).disagreements for t in hooks)
    assert largest_hook(3, 3, 3) is None


@pytest.mark.parametrize("name", [n for n, c in LITERATURE.items() if c.status != "refuted"])
def test_statements_that_are_not_refuted_hold(name):
    most = {"ndc-crisp": 5, "aci-crisp": 5, "ard-independent-exceptions": 16}.get(name, 9)
    if LITERATURE[name].symmetry == "simultaneous":
        most = 6  # Python, matrix by matrix
    certificate = answer(name, most=most)
    assert isinstance(certificate, Certificate), certificate
    assert certificate.covered == sum(entry.matrices.count() for entry in certificate.entries)


@pytest.mark.parametrize("name", [n for n, c in LITERATURE.items() if c.status == "refuted"])
def test_refuted_statements_are_refuted(name):
    shapes = [(2, 2)] if name == "sari-below-ari" else [(2, 2), (3, 3), (3, 4)]
    found = answer(name, shapes, 8 if name == "med-bound-late" else 6)
    assert isinstance(found, Counterexample)
    verify(found, LITERATURE[name])


def test_every_sharpened_statement_exists():
    assert {c.sharpened for c in LITERATURE.values()} - {None} <= set(LITERATURE)
    assert all(LITERATURE[c.sharpened].status != "refuted" for c in LITERATURE.values() if c.sharpened)


def test_one_against_the_rest_below_pairs_by_hand():
    found = answer("one-vs-rest-auc", [(2, 2), (3, 3)], 6)
    assert found.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 1]]
    # sens and spec by class, then by pair of classes
    one = (1 * Fraction(1) + 1 * Fraction(5, 6) + 2 * Fraction(3, 4)) / 4
    two = (Fraction(1) + Fraction(1) + Fraction(3, 4)) / 3
    values = multiclass_measures(found.matrix)
    assert one < two
    assert (values["auc1"], values["auc2"]) == pytest.approx((float(one), float(two)))


def test_measures_agree_for_two_classes_where_they_must():
    for table in Tables(6, 2, 2):
        values = multiclass_measures(table)
        assert values["auc1"] == pytest.approx(values["auc2"])
        assert values["gss1"] == pytest.approx(values["gss2"])
    assert set(multiclass_measures(np.ones((3, 3), int))) == set(ALL_MEASURES)


def test_chance_bounds_the_auc_of_equal_classes():
    """Worse than chance, the statement fails: its condition is needed."""
    bounded = LITERATURE["equal-classes-auc"]
    free = dataclasses.replace(bounded, predicate=always("auc1", operator.le, "auc2"))
    classes = domain(bounded, [(3, 3)], [6])
    assert classes == (FixedRows((2, 2, 2), 3),)
    assert isinstance(check(bounded, classes), Certificate)
    found = check(free, classes)
    assert min(np.diagonal(found.matrix)) == 0
    values = multiclass_measures(found.matrix)
    assert values["auc1"] > values["auc2"]


def test_soft_counterexample_with_the_public_indices():
    found = answer("sari-below-ari", [(2, 2)], 4)
    assert (found.matrices.n, found.matrices.q) == (3, 3)
    U, V = ([[Fraction(x) for x in row] for row in found.witness[side]] for side in "UV")
    assert all(max(row) > Fraction(1, 2) for row in U)  # no tie to break
    table = [[0, 0], [0, 0]]
    for u, v in zip(U, V):
        table[u.index(max(u))][v.index(1)] += 1
    excess = sari(U, V, exact=True) - adjusted_rand_index(table, exact=True)
    assert excess == Fraction(9, 34)


def test_count_of_membership_pairs_against_enumeration():
    for n, q, clusters, classes in [(1, 1, 2, 2), (2, 3, 2, 2), (2, 4, 3, 2), (3, 2, 3, 1), (2, 6, 4, 1)]:
        untied = [
            row
            for row in product(range(q + 1), repeat=clusters)
            if sum(row) == q and sorted(row)[-1] > sorted(row)[-2]
        ]
        expected = sum(1 for _ in combinations_with_replacement(range(len(untied) * classes), n))
        pairs = MembershipPairs(n, q, clusters, classes)
        assert pairs.count() == expected == sum(len(U) for U, _ in pairs.blocks())


@pytest.mark.slow
def test_largest_distances_over_the_full_ranges():
    shapes = [(r, s) for r in range(2, 6) for s in range(r, 6)]
    for name in ("med-max", "rd-max"):
        assert answer(name, shapes, 14).covered == 6_192_937_034
        assert answer(name, [(6, 6)], 10).covered == sum(Tables(n, 6, 6).count() for n in range(6, 11))


# --- one's own conjectures ------------------------------------------------------------------------


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
    assert (found.matrices, found.matrix.tolist()) == expected
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
                bad.add(smallest_image(matrices.unrank(int(rng.integers(matrices.count()))), symmetry))
            conjecture = Conjecture(
                "random",
                "not in the set",
                predicate=lambda m, bad=bad, symmetry=symmetry: smallest_image(m, symmetry) not in bad,
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
        ("permutations", lambda m: bool(m[0, 0] < 4)),
        ("transposition", lambda m: bool(m.sum(axis=1).max() < 5)),
    ]:
        conjecture = Conjecture("skew", "not symmetric", predicate=predicate, symmetry=symmetry)
        with pytest.raises(SymmetryError, match="is declared, but the predicate is"):
            check(conjecture, [Tables(8, 3, 3)])


def test_smallest_image():
    table = np.array([[0, 5, 1], [2, 2, 2], [3, 0, 1]])
    assert smallest_image(table, "none") == ((0, 5, 1), (2, 2, 2), (3, 0, 1))
    assert smallest_image(table, "permutations") == ((0, 1, 3), (2, 2, 2), (5, 1, 0))
    assert smallest_image(table, "transposition") == min(
        smallest_image(table, "permutations"), smallest_image(table.T, "permutations")
    )
    assert smallest_image(table, "simultaneous")[0] == (0, 1, 5)


def test_bad_conjectures_are_refused():
    with pytest.raises(ValueError, match="either a predicate or a claim"):
        Conjecture("empty", "nothing")
    with pytest.raises(ValueError, match="symmetry must be one of"):
        Conjecture("odd", "odd", predicate=bool, symmetry="mirror")
    with pytest.raises(TypeError, match="must answer True or False, got 3"):
        check(Conjecture("three", "3", predicate=lambda m: 3), [Tables(3, 2, 2)])
    with pytest.raises(ValueError, match="read-only"):
        check(Conjecture("writes", "writes", predicate=lambda m: m.fill(0) is None), [Tables(3, 2, 2)])
    with pytest.raises(ValueError, match="classes must not be empty"):
        check(LITERATURE["rd-max"], [])
    with pytest.raises(ValueError, match="says nothing about"):
        check(LITERATURE["rd-max"], [Tables(3, 1, 2)])


# --- certificates ---------------------------------------------------------------------------------


@pytest.fixture
def certificate():
    return answer("med-max", [(2, 2), (2, 3)], 6)


def test_certificate_survives_a_file(certificate):
    again = read(certificate.to_json())
    assert again.digest == certificate.digest
    verify(again, LITERATURE["med-max"])
    assert answer("med-max", [(2, 3), (2, 2)], 6).digest == certificate.digest


def test_counts_and_digests_that_were_altered_are_rejected(certificate):
    conjecture = LITERATURE["med-max"]
    content = json.loads(certificate.to_json())

    def altered(**changes):
        changed = json.loads(json.dumps(content))
        changed["classes"][2].update(changes)
        return read(json.dumps(changed))

    count = content["classes"][2]["covered"]
    with pytest.raises(CertificateError, match=f"has {count} members, {count + 1} were covered"):
        verify(altered(covered=count + 1), conjecture, walk=False)
    with pytest.raises(CertificateError, match="the digest should be"):
        verify(altered(digest="0" * 64), conjecture, walk=False)
    # A forger who seals again is found by the walk.
    entries = list(certificate.entries)
    entries[2] = dataclasses.replace(entries[2], digest="0" * 64)
    forged = Certificate.of(certificate.conjecture, certificate.statement, certificate.symmetry, entries, 0.0)
    verify(forged, conjecture, walk=False)
    with pytest.raises(CertificateError, match="the visit has digest"):
        verify(forged, conjecture)
    with pytest.raises(CertificateError, match="about another statement"):
        verify(certificate, LITERATURE["rd-max"])


def test_classes_that_are_repeated_or_foreign_are_rejected(certificate):
    conjecture = LITERATURE["med-max"]
    twice = answer("med-max", [(2, 2)], 4).entries * 2
    for entries, message in [
        (twice, "repeated or not in increasing size"),
        (certificate.entries[::-1], "repeated or not in increasing size"),
        ((), "classes must not be empty"),
        ((dataclasses.replace(certificate.entries[0], matrices=Tables(2, 1, 2), covered=1),), "says nothing"),
    ]:
        forged = Certificate.of(certificate.conjecture, certificate.statement, "none", entries, 0.0)
        with pytest.raises(CertificateError, match=message):
            verify(forged, conjecture, walk=False)
    assert check(conjecture, [Tables(4, 2, 2)] * 3).covered == Tables(4, 2, 2).count()


def test_certificate_of_a_false_statement_is_rejected():
    true = Conjecture("claim", "fits", predicate=lambda m: True)
    false = Conjecture("claim", "fits", predicate=lambda m: bool(m[0, 0] < 2))
    with pytest.raises(CertificateError, match="has a counterexample"):
        verify(check(true, [Tables(4, 2, 2)]), false)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', '{"format": "confmat certificate"}'])
def test_other_texts_are_no_certificates(text):
    with pytest.raises(CertificateError, match="not a certificate"):
        read(text)


def test_a_claim_that_skips_members_is_no_certificate():
    lazy = Conjecture("lazy", "skips", claim=lambda matrices: Finding(1, ""))
    with pytest.raises(CertificateError, match="1 were covered"):
        check(lazy, [Tables(5, 2, 2)])


def test_a_check_that_was_killed_resumes(tmp_path: Path):
    seen: list[int] = []

    def predicate(matrix):
        seen.append(int(matrix.sum()))
        if len(seen) == stop_at:
            raise KeyboardInterrupt
        return True

    conjecture = Conjecture("long", "takes long", predicate=predicate, symmetry="none")
    classes = domain(conjecture, [(2, 2), (2, 3)], range(2, 7))
    stop_at = 0
    whole = check(conjecture, classes)
    visits = len(seen)

    folder = tmp_path / "kept"
    for limit in (40, 60, 80):
        seen.clear()
        stop_at = limit
        with pytest.raises(KeyboardInterrupt):
            check(conjecture, classes, checkpoint=folder)
    seen.clear()
    stop_at = 0
    resumed = check(conjecture, classes, checkpoint=folder)
    assert 0 < len(seen) < visits
    assert resumed.digest == whole.digest
    seen.clear()
    assert check(conjecture, classes, checkpoint=folder).digest == whole.digest
    assert not seen

    with pytest.raises(CheckpointError, match="belongs to another check"):
        check(conjecture, classes[:-1], checkpoint=folder)
    (folder / "class-00001.json").write_text('{"covered": 1, "digest": "", "seconds": 0}')
    with pytest.raises(CheckpointError, match="is damaged"):
        check(conjecture, classes, checkpoint=folder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(CheckpointError, match=r"has no manifest\.json"):
        check(conjecture, classes, checkpoint=tmp_path / "other")


def test_examine_visits_each_table_once():
    import hashlib

    matrices = Tables(5, 2, 3)
    finding = examine(Conjecture("true", "always", predicate=lambda m: True), matrices)
    assert finding.covered == matrices.count()
    assert finding.digest != hashlib.sha256().hexdigest()
    assert finding.digest != examine(LITERATURE["ndc-crisp"], matrices).digest  # one table of each orbit only


# --- command line ---------------------------------------------------------------------------------


def test_commands(tmp_path: Path, capsys):
    file = tmp_path / "cert.json"
    assert run(["check", "rd-max", "--shapes", "2x2..3x3", "--n", "..7", "--out", str(file)]) == 0
    total = sum(Tables(n, r, s).count() for n in range(2, 8) for r, s in [(2, 2), (2, 3), (3, 3)])
    assert f"True for all {total:,} members" in capsys.readouterr().out
    assert run(["verify", str(file)]) == 0
    assert "this certificate for rd-max is right" in capsys.readouterr().out

    content = json.loads(file.read_text())
    content["classes"][0]["covered"] += 1
    file.write_text(json.dumps(content))
    assert run(["verify", str(file), "--quick"]) == 1
    assert "is rejected: Tables(n=2, r=2, s=2, empty=False) has 2 members, 3" in capsys.readouterr().err

    assert run(["check", "med-bound", "--out", str(file)]) == 1
    assert "smallest counterexample is in Tables(n=2, r=2, s=2" in capsys.readouterr().out
    assert run(["verify", str(file)]) == 0
    assert run(["conjectures"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in LITERATURE)


def test_own_conjecture_on_the_command_line(tmp_path: Path, capsys):
    source = tmp_path / "my.py"
    source.write_text(
        "from confmat.conjectures import Conjecture\n"
        "mine = Conjecture('mine', 'no 4', predicate=lambda m: bool(m.max() < 4), symmetry='transposition')\n"
    )
    assert run(["check", "mine", "--from", str(source), "--shapes", "2x2"]) == 1
    assert "matrix 0,1;4,0" in capsys.readouterr().out
    assert run(["check", "yours", "--from", str(source)]) == 2
    assert "defines no conjecture 'yours'; it defines mine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rdmax"], "did you mean rd-max?"),
        (["rd-max", "--shapes", "2y2"], "--shapes must look like"),
        (["rd-max", "--shapes", "3x3..2x2"], "--shapes must be at least 1x1 and increasing"),
        (["rd-max", "--n", "x"], "--n must look like"),
        (["rd-max", "--n", ".."], "--n must look like"),
        (["rd-max", "--n", "5..2"], "--n must be at least 1 and increasing"),
        (["rd-max", "--n", "1"], "classes must not be empty"),
        (["rd-max", "--from", "nowhere.py"], "cannot be read"),
    ],
)
def test_bad_arguments(arguments, message, capsys):
    assert run(["check", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_class_without_members_is_covered():
    """The statement holds there for want of a counterexample."""
    answer = check(
        Conjecture("none", "", predicate=lambda table: False, symmetry="transposition"), [Tables(2, 3, 3)]
    )
    assert isinstance(answer, Certificate)
    assert str(answer) == "none is true for all 0 members of 1 classes"


def test_a_counterexample_reads_as_a_sentence():
    answer = check(Conjecture("flat", "", predicate=lambda table: table.max() < 3), [Tables(4, 2, 2)])
    assert str(answer) == (
        "flat is false in Tables(n=4, r=2, s=2, empty=False): the predicate is False here\nmatrix: ((0, 1), (3, 0))"
    )
