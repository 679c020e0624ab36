"""Certificates of every kind, changed in every place: none is taken for right."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from forgeries import CERTIFICATES, REJECTED, alone, forged, mutations, resealed

import confmat as cm
from confmat._engine import walks
from confmat.certificates import check
from confmat.classes import Tables
from confmat.conjectures import LITERATURE, Certificate, Conjecture, Counterexample, verify
from confmat.errors import CertificateError, TooLargeError

LIMIT = 5


def corner(matrix):
    return matrix[0, 0] < LIMIT


def own(test, **options):
    return Conjecture("own", "an entry is small", predicate=test, **options)


SMALL = [Tables(n, 2, 2) for n in range(2, 5)]
SOURCE = {
    "predicate": (own(corner), SMALL),
    "symmetric": (own(lambda matrix: matrix.max() < LIMIT, symmetry="permutations"), SMALL),
    "found": (own(lambda matrix: matrix[1, 1] < 2), SMALL),
    "claim": (LITERATURE["rd-max"], [*SMALL, Tables(5, 2, 3)]),
    "refuted": (LITERATURE["rd-max-value"], [Tables(n, 2, 3) for n in range(3, 8)]),
}


def accepted(text, checker, rejected):
    """Whether a checker takes a file for right; any error but a rejection is its own fault."""
    try:
        checker(text)
    except rejected:
        return False
    return True


@pytest.mark.parametrize("kind", CERTIFICATES)
def test_every_change_is_found_by_the_checker_alone(kind):
    text = CERTIFICATES[kind]()
    assert check(text)
    held = json.loads(text)
    assert [path for path, tree in mutations(held) if accepted(json.dumps(tree), alone, REJECTED)] == []
    taken = [(path, other) for path, other in forged(text) if accepted(other, alone, REJECTED)]
    # Other numbers may prove the same bound: what is said of the class, its value and matrices is unchanged.
    assert all("potentials" in path and alone(other) == check(text) for path, other in taken), taken


@pytest.mark.parametrize("kind", [*SOURCE, "certificate", "counterexample"])
def test_every_change_is_found_by_the_package(kind):
    if kind in SOURCE:
        conjecture, classes = SOURCE[kind]
        text = cm.check(conjecture, classes).to_json()
    else:
        text = CERTIFICATES[kind]()
    false = kind in ("found", "refuted", "counterexample")
    assert json.loads(text)["kind"] == ("counterexample" if false else "certificate")

    is_formula = "formula" in json.loads(text)["test"]
    own_statement = SOURCE[kind][:1] if kind in SOURCE and not is_formula else ()

    def verified(file):
        return cm.verify(file, *own_statement)

    verified(text)
    assert [path for path, other in forged(text) if accepted(other, verified, ValueError)] == []


def test_a_forged_value_is_named():
    held = json.loads(CERTIFICATES["extreme"]()) | {"value": "2"}
    with pytest.raises(CertificateError, match=r"field 'value' should be .*, got .2"):
        check(resealed(held))


@pytest.mark.parametrize("matrices", [Tables(6, 2, 3), cm.FixedColumns((4, 1), 2)])
def test_no_potentials_hide_a_matrix(matrices):
    """Weaker bounds, which a forger may write, do not make the list of the matrices shorter."""
    result = cm.maximize(matrices, "rd", method="bound-and-prune")
    held = json.loads(result.certificate())
    assert len(held["matrices"]) > 1
    potentials = held["proof"]["potentials"]
    hidden = [held["matrices"][:i] + held["matrices"][i + 1 :] for i in range(len(held["matrices"]))]
    for i, line in enumerate(potentials):
        for j, number in enumerate(line):
            for other in range(number - 3, number + 4):
                weaker = [*potentials[:i], [*line[:j], other, *line[j + 1 :]], *potentials[i + 1 :]]
                for fewer in hidden:
                    tree = {**held, "matrices": fewer, "proof": {**held["proof"], "potentials": weaker}}
                    text = resealed(tree)
                    assert not accepted(text, alone, REJECTED)


# --- forgeries from public constructors -----------------------------------------------------------


NOT_BOUND = "that its functions are those of the certificate, which is not bound to them"


def test_a_certificate_shows_its_test_and_is_not_bound_to_it():
    """A predicate that is always true under the name of another one has another certificate; a helper is not seen."""
    real = cm.check(own(corner), SMALL)
    easy = cm.check(own(lambda matrix: True), SMALL)
    assert easy.digest != real.digest
    with pytest.raises(CertificateError, match=r"field 'source' of the test .* not that of conjecture 'own'"):
        verify(easy, own(corner))
    assert verify(real, own(corner)).unchecked == (NOT_BOUND,)


def test_a_forged_certificate_of_a_refuted_statement_is_never_right():
    bound = LITERATURE["med-bound"]
    (right,) = cm.check(LITERATURE["med-max"], [Tables(2, 2, 2)]).entries
    entries = tuple(
        replace(right, matrices=x, covered=x.count(), digest="5e1f")
        for x in (Tables(2, 2, 2), Tables(50, 4, 4))
    )
    with pytest.raises(TooLargeError, match=r"a second enumeration: about 3.5e\+11 tables"):
        verify(Certificate(bound.about, entries[1:]), bound)
    with pytest.raises(
        CertificateError, match="has no counterexample, but it has one: the largest MED is 0, not 1/2"
    ):
        verify(Certificate(bound.about, entries[:1]), bound)


def test_a_table_in_the_place_of_another_is_found(monkeypatch):
    """The enumerator of the check is made to repeat a table in the place of the one where a claim is false."""
    claim = own(lambda matrix: not (matrix[0, 0] == 3 and matrix[1, 1] == 1))
    right = walks.tables_with

    def wrong(rows, cols, promising=None):
        for lines, cells in right(rows, cols, promising):
            cells[:, :, (cells[0, 0] == 3) & (cells[1, 1] == 1)] = np.array([[3, 1], [0, 0]])[..., None]
            yield lines, cells

    monkeypatch.setattr(walks, "tables_with", wrong)
    forged_by_accident = cm.check(claim, SMALL)
    assert isinstance(forged_by_accident, Certificate)
    with pytest.raises(
        CertificateError, match="has no counterexample, but it has one: the predicate is False here"
    ):
        verify(forged_by_accident, claim)
    always = own(lambda matrix: True)
    with pytest.raises(
        CertificateError, match=r"digest of .* in the certificate, but .* in a second enumeration"
    ):
        verify(cm.check(always, SMALL), always)


def test_counterexamples_of_others_and_later_ones_are_not_right():
    claim, other = own(lambda matrix: matrix.max() < 3), own(lambda matrix: matrix.max() < 4)
    found = cm.check(claim, SMALL)
    assert isinstance(found, Counterexample)
    assert found.matrices.n == 4
    assert verify(found, claim).unchecked == (NOT_BOUND,)
    with pytest.raises(
        CertificateError, match="counterexample of the certificate is not that of"
    ):  # the line shows both
        verify(found, other)
    late = cm.check(claim, [Tables(6, 2, 2)])
    report = verify(late, claim)
    assert not report.right
    assert report.unchecked == (
        NOT_BOUND,
        "that none is smaller: Tables(n=2, r=2, s=2, allow_empty=False) and 3 more are not listed",
    )
    second = Counterexample(
        claim.about, found.matrices, found.detail, {"matrix": ((3, 0), (0, 1))}, found.entries
    )
    with pytest.raises(CertificateError, match="counterexample of the certificate is not that of"):
        verify(second, claim)


def test_declared_properties_are_listed_as_unchecked():
    claim = own(lambda matrix: matrix.max() < LIMIT, symmetry="permutations")
    answer = cm.check(claim, SMALL)
    assert answer.assumptions == ("declared symmetry (permutations)",)
    assert verify(answer, claim).unchecked == (
        NOT_BOUND,
        "that the symmetry 'permutations' holds: it is declared, and was tried",
    )
