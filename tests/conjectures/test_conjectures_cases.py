"""At how many members the premise of a statement holds, and verdicts that are vacuous."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from command_line import succeed

from confmat.certificates import check as check_alone
from confmat.classes import Tables
from confmat.conjectures import Conjecture, check, read, verify
from confmat.errors import CertificateError
from confmat.statistics import as_condition

CLASSES = [Tables(4, 2, 2), Tables(5, 2, 3)]


def members(premise):
    condition = as_condition(premise)
    return sum(condition(table) for c in CLASSES for table in c)


@pytest.mark.parametrize(
    ("text", "premise"),
    [
        ("med <= 1/5 -> ard <= 1", "med <= 1/5"),
        ("med > 0 -> rd < 1/2 -> ard < 2", "med > 0 and rd < 1/2"),
        ("n > 4 -> med < 1", "n > 4"),
        ("(rd < 1/2 -> med = 0) -> med < 1", "rd >= 1/2 or med = 0"),
        ("vi > 1 -> nmi < 1", "vi > 1"),
        ("n > 4 -> nmi < 2", "n > 4"),
    ],
)
def test_members_at_which_the_premise_holds(text, premise):
    conjecture = Conjecture(text, text)
    answer = check(conjecture, CLASSES)
    assert answer.cases == members(premise) > 0
    assert f"({answer.cases} cases)" in str(answer)
    assert read(answer.to_json()) == answer
    assert verify(answer, conjecture).right
    if conjecture.on == "signatures":
        check_alone(answer.to_json())


@pytest.mark.parametrize(
    ("text", "classes", "cases"),
    [
        ("n > 4 -> med_max < 1", CLASSES, CLASSES[1].count()),
        ("med_max > 1 -> med_mean < 0", CLASSES, 0),
    ],
)
def test_cases_of_other_kinds(text, classes, cases):
    conjecture = Conjecture(text, text)
    answer = check(conjecture, classes)
    assert (answer.cases, answer.vacuous) == (cases, cases == 0)
    assert verify(answer, conjecture)
    assert check(Conjecture("", "rd <= 1"), CLASSES).cases is None


def test_a_verdict_about_nothing_says_so(confmat):
    arguments = ["check", "med > 1/2 -> ard > 5", "2x2", "n=..6"]
    assert "Vacuous: nothing satisfies the premise." in succeed(confmat(*arguments))
    facts = json.loads(succeed(confmat(*arguments, "--json")))
    assert (facts["answer"], facts["vacuous"], facts["cases"]) == ("true", True, 0)
    arguments[1] = "med > 0 -> ard > 0"
    assert "It says something in 95 cases." in succeed(confmat(*arguments))
    facts = json.loads(succeed(confmat(*arguments, "--json")))
    assert (facts["vacuous"], facts["cases"]) == (False, 95)


def test_the_checker_alone_says_so_too():
    answer = check(Conjecture("", "med > 1/2 -> ard > 5"), CLASSES[0])
    said = check_alone(answer.to_json())
    assert said.endswith("for all 19 members, of whom 0 satisfy the premises")
    assert str(answer).endswith(
        "is true for all 19 members of 1 class; vacuous: nothing satisfies the premise"
    )


def test_other_numbers_of_cases_are_wrong():
    answer = check(Conjecture("", "med <= 1/5 -> ard <= 1"), CLASSES[0])
    forged = replace(answer, entries=(replace(answer.entries[0], cases=5),))
    with pytest.raises(
        CertificateError, match=r"cases of .* is 5 in the certificate, but 6 in a second enumeration"
    ):
        verify(forged, Conjecture("", "med <= 1/5 -> ard <= 1"))
