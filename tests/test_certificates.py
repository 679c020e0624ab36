"""Certificates: files, forgeries, checks that were killed."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from literature_answers import answer

from confmat.classes import Tables
from confmat.conjectures import LITERATURE, checking, read
from confmat.conjectures.checking import Certificate, Conjecture, Finding, check, domain, examine, verify
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
    forged = Certificate.of(
        certificate.conjecture, certificate.statement, certificate.symmetry, certificate.basis, entries, 0.0
    )
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
        forged = Certificate.of(
            certificate.conjecture, certificate.statement, "none", certificate.basis, entries, 0.0
        )
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


def test_a_check_that_was_killed_resumes(tmp_path: Path, monkeypatch):
    seen: list[int] = []
    holds = checking._holds

    def killed(predicate, matrices, batch):
        seen.append(len(batch))
        if len(seen) == stop_at:
            raise KeyboardInterrupt
        return holds(predicate, matrices, batch)

    monkeypatch.setattr(checking, "_holds", killed)
    conjecture = Conjecture("long", "takes long", predicate=lambda matrix: True, symmetry="none")
    classes = domain(conjecture, [(2, 2), (2, 3)], range(2, 7))
    stop_at = 0
    whole = check(conjecture, classes)
    visits = len(seen)

    folder = tmp_path / "kept"
    for limit in (3, 4, 2):
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
