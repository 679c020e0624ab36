"""Statements about changes, laws, existence and margins, against the obvious way; their certificates."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest
from command_line import succeed

import confmat as cm
from confmat.classes import Tables
from confmat.conjectures import (
    Certificate,
    Conjecture,
    check,
    domain,
    read,
    rises,
    verify,
)
from confmat.statistics import Statistic

SMALL = [Tables(4, 2, 2), Tables(4, 2, 3), Tables(5, 3, 3)]


def witness(conjecture, matrices):
    """Of the smallest counterexample in a class; None where there is none."""
    found = check(conjecture, [matrices])
    return None if isinstance(found, Certificate) else found.witness


# --- changes, by the labels of points -------------------------------------------------------------


# --- laws -----------------------------------------------------------------------------------------


@cache
def by_hand(matrices, name, given=None):
    """The values of a statistic with their numbers, by values of another one."""
    laws = {}
    for table in matrices:
        at = None if given is None else getattr(cm, given)(table, exact=True)
        law = laws.setdefault(at, {})
        x = getattr(cm, name)(table, exact=True)
        law[x] = law.get(x, 0) + 1
    return [dict(sorted(law.items())) for _, law in sorted(laws.items(), key=lambda item: item[0] or 0)]


def mean(law):
    return sum(x * k for x, k in law.items()) / Fraction(sum(law.values()))


@pytest.mark.parametrize("matrices", [Tables(5, 2, 4), Tables(5, 3, 3), Tables(8, 2, 2), Tables(8, 2, 4)])
@pytest.mark.parametrize(("name", "given"), [("rd", "ard"), ("rd", "med"), ("ard", "med"), ("med", "rd")])
def test_means_that_rise_by_hand(matrices, name, given):
    levels = sorted(by_hand(matrices, given)[0])
    means = [mean(law) for law in by_hand(matrices, name, given)]
    conjecture = Conjecture("law", "", predicate=rises(name, given=given), on="distributions")
    answer = check(conjecture, [matrices])
    for (level, one), (next_level, two) in pairwise(zip(levels, means)):
        if one > two:
            places = f"{one} at {given} = {level} to {two} at {given} = {next_level}"
            assert answer.detail == f"the mean of {name} goes from {places}"
            assert verify(read(answer.to_json()), conjecture).checked
            return
    assert "by another enumerator: the same" in str(verify(answer, conjecture))


def numbers(law):
    """Of a law value -> weight: from the list of all values in order."""
    every = [x for x, k in sorted(law.items()) for _ in range(k)]
    n, m = len(every), mean(law)
    return {
        "mean": m,
        "var": sum((x - m) ** 2 for x in every) / n,
        "min": every[0],
        "q1": every[-(-n // 4) - 1],
        "median": every[-(-n // 2) - 1],
        "q3": every[-(-3 * n // 4) - 1],
        "max": every[-1],
    }


def test_numbers_of_laws_in_a_text_are_those_by_hand():
    matrices = Tables(6, 2, 3)
    laws = {name: numbers(by_hand(matrices, name)[0]) for name in ("rd", "ard")}
    for name, of in product(laws, ("mean", "var", "min", "q1", "median", "q3", "max")):
        exact = laws[name][of]
        claim = Conjecture("", f"{name}_{of} > {exact} or {name}_{of} < {exact}")
        assert check(claim, [matrices]).detail == f"{name}_{of} = {exact}"
    claim = Conjecture("", "rd_max > 2 or n > r + s, ard_min < 0")
    assert check(claim, [matrices]).detail == f"rd_max = {laws['rd']['max']}, ard_min = {laws['ard']['min']}"


def test_laws_of_statistics_of_ones_own():
    def spread(table):
        return int(table.max() - table.min())

    own = Statistic("spread", spread, symmetry="transposition")
    claim = Conjecture("own", "", predicate=rises(own, given="med"), on="distributions")
    found = check(claim, [Tables(6, 2, 2)])
    assert found.detail.startswith("the mean of spread goes from")
    assert "spread" in str(found.about.test["source"])
    with pytest.raises(ValueError, match="did you mean"):
        rises("adr", given="med")


# --- existence and margins ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["ard > 13/10", "nmi = 1/2", "cor > 4/5", "ari < -1/5 and med > 1/3"])
def test_existence_is_that_some_member_is_found(text):
    claim, condition = Conjecture("", f"exists {text}"), cm.statistics.as_condition(text)
    for matrices in domain(claim, [(2, 2), (2, 3), (3, 3)], [4, 5]):
        assert isinstance(check(claim, [matrices]), Certificate) == any(map(condition, matrices))
    answer = check(claim, domain(claim, [(2, 2), (3, 3)], range(2, 6)))
    assert verify(read(answer.to_json()), claim).right


# --- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "shown"),
    [
        (["exists ard > 1", "2x2", "n=4..6"], 0, {"answer": "true"}),
        (["med_max <= 1 - 1/s", "2x2", "n=..6"], 0, {"n": 6}),
    ],
)
def test_kinds_on_the_command_line(arguments, code, shown, tmp_path, confmat):
    path = tmp_path / "answer.json"
    result, out, _ = confmat("check", *arguments, "--json", "--out", path)
    assert result == code
    assert {key: json.loads(out)[key] for key in shown} == shown
    succeed(confmat("verify", path))


def test_answers_in_words(confmat):
    """A formula is printed once, and roots are compared exactly."""
    _, out, _ = confmat("check", "gss <= 1", "2x2..3x3", "n=3")
    assert "gss <= 1." in out.splitlines()
    assert "doubles" not in out


def test_kinds_are_refused_by_name():
    with pytest.raises(
        ValueError, match="must compare moments or quantiles of distributions, such as med_mean"
    ):
        Conjecture("", "med < 1", on="distributions")


def test_each_number_is_of_the_members_where_its_own_statistic_is_defined():
    """The Wallace index is 0/0 where all rows are single: the mean of the MED counts these tables all the same."""
    tables = Tables(3, 3, 3, allow_empty=True)
    mean = sum(cm.med(table, exact=True) for table in tables) / tables.count()
    claim = cm.Conjecture("", f"med_mean <= {mean}, med_mean >= {mean}, wallace_ab_min >= 0")
    assert isinstance(cm.check(claim, [tables]), Certificate)
