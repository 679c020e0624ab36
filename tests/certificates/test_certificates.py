"""Certificates: files, forgeries, checks that were killed."""

from __future__ import annotations

import dataclasses
import json
import time
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from brute import pair_sums
from literature_answers import answer

from confmat import Limits
from confmat.classes import FixedRows, Tables
from confmat.conjectures import (
    LITERATURE,
    Certificate,
    Conjecture,
    Finding,
    check,
    checking,
    domain,
    read,
    verify,
)
from confmat.conjectures.outcomes import Outcomes
from confmat.errors import CertificateError, CheckpointError


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
    with pytest.raises(CertificateError, match="its digest should be"):
        read(json.dumps(content | {"statement": "all is well"}))

    def altered(**changes):
        entries = list(certificate.entries)
        entries[2] = dataclasses.replace(entries[2], **changes)
        return Certificate(certificate.about, tuple(entries))

    count = certificate.entries[2].covered
    for file in (altered(covered=count + 1), read):
        with pytest.raises(
            CertificateError, match=f"has {count} members, but the certificate says {count + 1}"
        ):
            verify(file, conjecture) if file is not read else read(altered(covered=count + 1).to_json())
    # A forger who seals again is found by the walk.
    forged = altered(digest="0" * 64)
    for found in (forged, read(forged.to_json())):
        with pytest.raises(
            CertificateError, match=r"digest of .* in the certificate, but .* in a second enumeration"
        ):
            verify(found, conjecture)
    with pytest.raises(CertificateError, match="about another statement"):
        verify(certificate, LITERATURE["rd-max"])


def test_classes_that_are_repeated_or_foreign_are_rejected(certificate):
    conjecture = LITERATURE["med-max"]
    twice = answer("med-max", [(2, 2)], 4).entries * 2
    for entries, message in [
        (twice, "repeated or not in increasing size"),
        (certificate.entries[::-1], "repeated or not in increasing size"),
        ((), "classes must not be empty"),
        (
            (dataclasses.replace(certificate.entries[0], matrices=Tables(2, 1, 2), covered=1),),
            "is about .* got",
        ),
    ]:
        with pytest.raises(CertificateError, match=message):
            verify(Certificate(certificate.about, tuple(entries)), conjecture)
    assert check(conjecture, [Tables(4, 2, 2)] * 3).covered == Tables(4, 2, 2).count()


def test_certificate_of_a_false_statement_is_rejected():
    true = Conjecture("claim", "fits", predicate=lambda m: True)
    false = Conjecture("claim", "fits", predicate=lambda m: bool(m[0, 0] < 2))
    with pytest.raises(CertificateError, match="has no counterexample, but it has one"):
        verify(dataclasses.replace(check(true, [Tables(4, 2, 2)]), about=false.about), false)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', '{"format": "confmat certificate"}'])
def test_other_texts_are_no_certificates(text):
    with pytest.raises(CertificateError, match="not a certificate"):
        read(text)


def test_a_claim_that_skips_members_is_no_certificate():
    lazy = Conjecture("lazy", "skips", on="distributions", predicate=lambda matrices: Finding(1, ""))
    with pytest.raises(CertificateError, match="the certificate says 1"):
        check(lazy, [Tables(5, 2, 2)])


def test_a_check_that_was_killed_resumes(tmp_path: Path, monkeypatch):
    seen: list[int] = []
    examine = checking.examine

    def killed(conjecture, matrices, where=None):
        seen.append(matrices.n)
        if len(seen) == stop_at:
            raise KeyboardInterrupt
        return examine(conjecture, matrices, where)

    monkeypatch.setattr(checking, "examine", killed)
    conjecture = Conjecture("long", "nmi <= 1")
    classes = domain(conjecture, [(2, 2), (2, 3)], range(2, 7))
    stop_at = 0
    whole = check(conjecture, classes)
    visits = len(seen)

    folder = tmp_path / "kept"
    for limit in (3, 4, 3):
        seen.clear()
        stop_at = limit
        assert check(conjecture, classes, limits=Limits(checkpoint=folder)).left > 0
    seen.clear()
    stop_at = 0
    finished = len(list(folder.iterdir()))
    begun = time.perf_counter()
    resumed = check(conjecture, classes, limits=Limits(checkpoint=folder))
    assert 0 < resumed.seconds < time.perf_counter() - begun
    assert resumed.resumed == finished < len(classes)
    assert 0 < len(seen) < visits
    assert resumed.digest == whole.digest
    seen.clear()
    again = check(conjecture, classes, limits=Limits(checkpoint=folder))
    assert again.digest == whole.digest
    assert seen == []
    assert (again.assumptions, again.resumed) == ((), 9)
    assert again.proved

    assert check(conjecture, classes[:-1], limits=Limits(checkpoint=folder)).resumed == len(classes) - 1
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(CheckpointError, match=r"contains file, which is not a chunk"):
        check(conjecture, classes, limits=Limits(checkpoint=tmp_path / "other"))


def test_outcomes_do_not_depend_on_the_walk():
    """Every member, or one for each set that a symmetry makes of it; in either order, by either enumerator."""
    for matrices in (Tables(5, 2, 3), Tables(6, 3, 4), FixedRows((3, 2), 2)):
        found = set()
        for symmetry in ("none", "permutations", "transposition", "simultaneous"):
            claim = Conjecture("small", "", predicate=at_most_three, symmetry=symmetry)
            answer = check(claim, [matrices])
            found.add(answer.entries[0].digest)
            assert "by another enumerator: the same" in str(verify(answer, claim))
        assert len(found) == 1
        every = Outcomes()
        members = np.array(list(matrices))
        every.add(
            pair_sums(members), np.ones(len(members), int), np.array([at_most_three(x) for x in members])
        )
        assert {every.digest} == found


def test_sums_of_a_large_class_are_exact_modulo_words():
    """Weights on both sides of 2^63 in one block: no array of doubles is made of them."""
    cells, weights = [[1, 6, 3, 2], [1, 3, 6, 0], [1, 2, 2, 1]], [2**63 + 1, 3, 2**70 + 5]
    write_certificate = Outcomes(10**30)
    write_certificate.add(np.array(cells), np.array(weights, object), np.array([1, 1, 0]))
    lines = []
    for outcome, places in ((0, [2]), (1, [0, 1])):
        sums = [0] * 5
        for i in places:
            _, A, B, P = cells[i]
            for k, factor in enumerate((1, A + B, A * B, P, P * P)):
                sums[k] += weights[i] * factor
        lines.append(" ".join(map(str, (1, outcome, *(x % 2**64 for x in sums)))) + "\n")
    assert write_certificate.digest == sha256("".join(lines).encode()).hexdigest()


def at_most_three(table):
    return table.max() <= 3
