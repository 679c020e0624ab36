"""Checks on signatures, on three clusterings and on laws; forecasts, partial answers."""

import json
from fractions import Fraction

import numpy as np
import pytest
from command_line import succeed

import confmat as cm
from confmat import Limits, plan
from confmat._limits import deadline
from confmat.classes import FixedMargins, FixedRows, Tables
from confmat.conjectures import (
    Certificate,
    Conjecture,
    check,
    checking,
    read,
    verify,
)
from confmat.errors import UndefinedIndexError

NEAR = Conjecture("near", "med<=1/10 -> ari>=0")


def on_tables(conjecture):
    """The same statement, decided table by table."""
    return Conjecture(conjecture.name, conjecture.statement, on="tables")


@pytest.mark.parametrize(
    "statement",
    [
        "ari >= 0",
        "med <= 1/2",
        "wallace_ab > 1/5 or n < 6",
        "nmed <= 1 -> fm < 9/10",
        "rd <= r/4",
        "jaccard != 1/3",
    ],
)
def test_sufficient_statistics_and_tables_give_equal_answers(statement):
    conjecture = Conjecture("", statement)
    assert conjecture.on == "signatures"
    for matrices in (
        Tables(7, 2, 3),
        Tables(7, 3, 3),
        Tables(5, 2, 2, allow_empty=True),
        FixedRows((3, 2, 1), 3),
    ):
        one, other = (checking.examine(x, matrices) for x in (conjecture, on_tables(conjecture)))
        assert one == other


def test_outcomes_of_large_classes_are_summed_up(monkeypatch):
    monkeypatch.setattr("confmat.certificates.standalone.FINE", 500)
    conjecture = Conjecture("", "ari >= -1/3")
    for matrices in (Tables(7, 3, 3), Tables(5, 2, 2)):
        one, other = (checking.examine(x, matrices) for x in (conjecture, on_tables(conjecture)))
        assert one == other
    beyond_words = FixedMargins((16, 30000), (29968, 16, 16, 16))  # sums of A B over 2^63
    held = check(Conjecture("", "med < 1"), [Tables(7, 3, 3), beyond_words])
    assert verify(read(held.to_json()), Conjecture("", "med < 1")).right
    assert "for all" in cm.certificates.check(held.to_json())
    script = cm.certificates.script().replace("FINE = 10**7", "FINE = 500")
    names = {"__name__": "checker"}
    exec(compile(script, "checker", "exec"), names)
    assert "for all" in names["check"](held.to_json(), names["CHECKS_OF_CLAIMS"])
    head = ("format", "version", "kind", "digest")
    content = {key: x for key, x in names["read"](held.to_json()).items() if key not in head}
    content["classes"][0]["digest"] = "0" * 64
    with pytest.raises(names["Wrong"], match="field 'classes' should be"):
        names["check"](cm.certificates.write_certificate("certificate", content), names["CHECKS_OF_CLAIMS"])


@pytest.mark.slow
def test_a_statement_that_is_first_false_at_forty(confmat):
    out = confmat("check", NEAR.statement, "3x3", "n=..60", "--json")
    assert out[0] == 1
    found = json.loads(out[1])
    assert (found["answer"], found["n"], found["matrix"]) == ("false", 40, [[0, 0, 1], [0, 0, 1], [1, 1, 36]])


def test_answers_in_json(confmat):
    code, out, _ = confmat("check", "ari >= 0", "2x2", "n=..10", "--json")
    found = json.loads(out)
    assert (code, found["answer"], found["n"], found["matrix"]) == (1, "false", 3, [[0, 1], [1, 1]])
    found = json.loads(succeed(confmat("check", "med < 1", "2x2", "n=..6", "--json")))
    assert (found["answer"], found["members"], found["classes_left"]) == (
        "true",
        sum(Tables(n, 2, 2).count() for n in range(1, 7)),
        0,
    )


def test_forecasts():
    classes = [Tables(n, 3, 3) for n in range(4, 50)]
    expected = plan(check, NEAR, classes)
    assert plan(check, NEAR, classes[:20]).seconds < expected.seconds


def test_a_stopped_check_keeps_the_classes_that_were_covered(tmp_path):
    steps = []

    def show(step):
        steps.append(f"{step.done} of {step.total}")
        if len(steps) == 4:
            raise KeyboardInterrupt

    classes = [Tables(n, 2, 2) for n in range(2, 9)]
    partial = check(Conjecture("", "med < 1"), classes, limits=Limits(progress=show, checkpoint=tmp_path))
    assert (len(partial.entries), partial.left, partial._facts()["answer"]) == (3, 4, "open")
    assert "4 classes are left" in str(partial)
    assert steps[-1] == "3 of 7"
    assert verify(read(partial.to_json()), Conjecture("", "med < 1")).right
    whole = check(
        Conjecture("", "med < 1"), classes, limits=Limits(progress=steps.append, checkpoint=tmp_path)
    )
    assert (len(whole.entries), whole.left, len(steps)) == (7, 0, 11)


def test_time_is_up_within_a_class():
    calls = []

    def slow(table):
        calls.append(table)
        return True

    with (
        deadline(Limits(seconds=0.02)),
        pytest.raises(cm.errors.TooLargeError, match="the check was stopped"),
    ):
        checking.examine(Conjecture("slow", "slow", predicate=slow), Tables(16, 3, 3))
    assert len(calls) < Tables(16, 3, 3).count()


def test_predicates_explain():
    def reason(table):
        return True if table[0, 1] < 2 else (False, f"the cell [0, 1] is {table[0, 1]}")

    found = check(Conjecture("small", "small", predicate=reason), [Tables(n, 2, 2) for n in range(2, 7)])
    assert (found.matrices.n, found.detail) == (3, "the cell [0, 1] is 2")
    with pytest.raises(TypeError, match=r"must return True or False, got \(3, ''\) for \d[,;]\d"):
        check(Conjecture("odd", "odd", predicate=lambda table: (3, "")), [Tables(2, 2, 2)])
    jaccard = Conjecture("", "", predicate=lambda table: cm.jaccard(table) >= 0)
    with pytest.raises(UndefinedIndexError, match=r"jaccard is 0/0 .*, in the predicate at 1,0;0,1"):
        check(jaccard, [Tables(2, 2, 2)])


def test_functions_of_whole_classes():
    def small_mean(matrices):
        mean = cm.joint_distribution(matrices, "rd")["rd"].mean(exact=True)
        return mean < Fraction(1, 2) or (False, f"the mean RD is {mean}")

    conjecture = Conjecture(
        "small mean", "the mean RD is below 1/2", on="distributions", predicate=small_mean
    )
    classes = [Tables(n, 2, 2) for n in range(2, 9)]
    assert check(conjecture, classes).covered == sum(matrices.count() for matrices in classes)


@pytest.mark.parametrize("points", [2**15, 2**31, 2**40, 2**62])
def test_few_members_of_many_points_are_looked_at_one_by_one(points):
    matrices = FixedMargins((points, 1, 1), (points, 2))
    below = [table.tolist() for table in matrices if cm.ari(table, exact=True) < 0]
    assert below == [[[points - 2, 2], [1, 0], [1, 0]]]
    assert np.array(check("ari >= 0", matrices).witness["matrix"]).tolist() == below[0]
    assert isinstance(check("ari < 1", matrices), Certificate)


def test_classes_with_more_members_than_a_float_are_planned():
    assert plan(check, "ari >= 0", Tables(10**9, 50, 50)).excess.startswith("about ")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            {"on": "planets"},
            "on must be one of tables, distributions, got 'planets'",
        ),
    ],
)
def test_other_kinds_are_refused(options, error):
    with pytest.raises((TypeError, ValueError), match=error):
        Conjecture("x", "ari >= 0", **options)
