"""Statements about changes, laws, existence and margins, against the obvious way; their certificates."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise, product

import pytest
from command_line import succeed

import confmat as cm
from confmat.classes import FixedMargins, Tables
from confmat.conjectures import (
    Certificate,
    Conjecture,
    check,
    domain,
    falls,
    monotone,
    read,
    rises,
    skewed,
    unimodal,
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


def at_most(law, x):
    return Fraction(sum(k for y, k in law.items() if y <= x), sum(law.values()))


@pytest.mark.parametrize("matrices", [Tables(5, 2, 4), Tables(5, 3, 3), Tables(8, 2, 2)])
@pytest.mark.parametrize("name", ["rd", "ard", "med"])
def test_shapes_of_laws_by_hand(matrices, name):
    (law,) = by_hand(matrices, name)
    weights = list(law.values())
    peak = weights.index(max(weights))
    modal = (
        weights[: peak + 1] == sorted(weights[: peak + 1]) and weights[peak:] == sorted(weights[peak:])[::-1]
    )
    third = sum(k * (x - mean(law)) ** 3 for x, k in law.items())
    given = by_hand(matrices, "rd", name)
    ordered = all(at_most(one, x) >= at_most(two, x) for one, two in pairwise(given) for x in {*one, *two})
    expected = {
        unimodal(name): modal,
        monotone(name): weights == sorted(weights),
        monotone(name, rising=False): weights == sorted(weights)[::-1],
        skewed(name): third < 0,
    }
    if name != "rd":
        expected |= {
            rises("rd", given=name): all(mean(one) <= mean(two) for one, two in pairwise(given)),
            rises("rd", "law", given=name): ordered,
            falls("rd", "max", given=name): all(max(one) >= max(two) for one, two in pairwise(given)),
        }
    for claim, holds in expected.items():
        conjecture = Conjecture("law", "", predicate=claim, on="laws")
        answer = check(conjecture, [matrices])
        assert isinstance(answer, Certificate) == holds
        assert "by another enumerator: the same" in str(verify(answer, conjecture)) or not holds


def test_laws_along_classes():
    grows = Conjecture("grows", "", predicate=rises("med", along="n"), on="laws")
    means = [mean(by_hand(Tables(n, 2, 3), "med")[0]) for n in range(3, 9)]
    answers = [witness(grows, Tables(n, 2, 3)) is None for n in range(3, 8)]
    assert answers == [one <= two for one, two in pairwise(means)]
    shrinks = Conjecture("shrinks", "", predicate=falls("med", along="n"), on="laws")
    found = check(shrinks, [Tables(n, 2, 3) for n in range(3, 8)])
    assert found.detail.startswith("the mean of med goes from")
    assert verify(read(found.to_json()), shrinks).checked
    with pytest.raises(ValueError, match="along must be a size that"):
        rises("rd", along="n")(FixedMargins((2, 1), (2, 1)))
    with pytest.raises(ValueError, match="given or along must say what grows"):
        rises("rd")


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
        "share-of-min": Fraction(every.count(every[0]), n),
        "share-of-max": Fraction(every.count(every[-1]), n),
    }


def first_wrong_step(name, of, sign, laws, places):
    """What the first step that goes the wrong way is, in words; None where there is none."""
    for (law, place), (larger, next_place) in pairwise(zip(laws, places)):
        if of == "law":
            for x in sorted({*law, *larger}):
                share, next_share = at_most(law, x), at_most(larger, x)
                if sign * share < sign * next_share:
                    return f"P({name} <= {x}) goes from {share} at {place} to {next_share} at {next_place}"
            continue
        number, next_number = numbers(law)[of], numbers(larger)[of]
        if sign * next_number < sign * number:
            return f"the {of} of {name} goes from {number} at {place} to {next_number} at {next_place}"
    return None


def said_of(claim, matrices):
    violation = claim(matrices).violation
    return violation and violation.detail


@pytest.mark.parametrize("of", ["law", *numbers({Fraction(0): 1})])
def test_every_number_of_a_law_rises_or_falls_as_by_hand(of):
    for matrices in (Tables(6, 2, 3), Tables(8, 2, 2)):
        laws = by_hand(matrices, "ard", "med")
        levels = sorted(by_hand(matrices, "med")[0])
        places = [f"med = {level}" for level in levels]
        for moves, sign in ((rises, 1), (falls, -1)):
            expected = first_wrong_step("ard", of, sign, laws, places)
            assert said_of(moves("ard", of, given="med"), matrices) == expected
    grown = {"n": (6, 2, 3), "r": (5, 3, 3), "s": (5, 2, 4), "rs": (5, 3, 4)}
    (law,) = by_hand(Tables(5, 2, 3), "rd")
    for along, size in grown.items():
        (larger,) = by_hand(Tables(*size), "rd")
        sizes = [dict(zip("nrs", x)) for x in ((5, 2, 3), size)]
        places = [f"{', '.join(along)} = {', '.join(str(x[k]) for k in along)}" for x in sizes]
        for moves, sign in ((rises, 1), (falls, -1)):
            expected = first_wrong_step("rd", of, sign, [law, larger], places)
            assert said_of(moves("rd", of, along=along), Tables(5, 2, 3)) == expected


def test_shapes_of_laws_in_words_by_hand():
    for matrices, name in product([Tables(8, 2, 2), Tables(6, 2, 3), Tables(1, 1, 1)], ["med", "rd", "ard"]):
        (law,) = by_hand(matrices, name)
        points = list(law.items())
        weights = list(law.values())
        steps = [f"{k} at {name} = {x} to {l} at {name} = {y}" for (x, k), (y, l) in pairwise(points)]
        ups = [i for i, (k, l) in enumerate(pairwise(weights)) if l > k]
        downs = [i for i, (k, l) in enumerate(pairwise(weights)) if l < k]
        dip = next((i for i in downs if ups and i < ups[-1]), None)
        third = sum(k * (x - mean(law)) ** 3 for x, k in points) / sum(weights)
        expected = {
            unimodal(name): None if dip is None else f"the weight falls from {steps[dip]}, and rises later",
            monotone(name): f"the weight goes from {steps[downs[0]]}" if downs else None,
            monotone(name, rising=False): f"the weight goes from {steps[ups[0]]}" if ups else None,
            skewed(name): None if third < 0 or len(law) == 1 else f"the third central moment is {third}",
            skewed(name, left=False): None
            if third > 0 or len(law) == 1
            else f"the third central moment is {third}",
        }
        for claim, said in expected.items():
            assert said_of(claim, matrices) == said


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
    claim = Conjecture("own", "", predicate=rises(own, given="med"), on="laws")
    found = check(claim, [Tables(6, 2, 2)])
    assert found.detail.startswith("the mean of spread goes from")
    assert "spread" in str(found.about.test["source"])
    assert isinstance(
        check(Conjecture("u", "", predicate=unimodal(spread), on="laws"), [Tables(4, 2, 2)]), Certificate
    )
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
        (["exists ard > 1", "--shapes", "2x2", "--n", "4..6"], 0, {"answer": "true"}),
        (["med_max <= 1 - 1/s", "--shapes", "2x2", "--n", "..6"], 0, {"n": 6}),
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
    _, out, _ = confmat("check", "gss <= 1", "--n", "3")
    assert "gss <= 1." in out.splitlines()
    assert "doubles" not in out


def test_kinds_are_refused_by_name():
    with pytest.raises(ValueError, match="must compare numbers of laws, such as med_mean"):
        Conjecture("", "med < 1", on="laws")


def test_each_number_is_of_the_members_where_its_own_statistic_is_defined():
    """The Wallace index is 0/0 where all rows are single: the mean of the MED counts these tables all the same."""
    tables = Tables(3, 3, 3, allow_empty=True)
    mean = sum(cm.med(table, exact=True) for table in tables) / tables.count()
    claim = cm.Conjecture("", f"med_mean <= {mean}, med_mean >= {mean}, wallace_ab_min >= 0")
    assert isinstance(cm.check(claim, [tables]), Certificate)
