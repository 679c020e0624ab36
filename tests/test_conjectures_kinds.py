"""Statements about changes, laws, existence and margins, against the obvious way; their certificates."""

from __future__ import annotations

import json
from contextlib import nullcontext
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import prod

import numpy as np
import pytest
from command_line import fail, succeed

import confmat as cm
from confmat.classes import Tables, canonical, random_model
from confmat.conjectures import (
    Certificate,
    Conjecture,
    check,
    domain,
    failures,
    falls,
    monotone,
    read,
    rises,
    skewed,
    unimodal,
    verify,
)
from confmat.conjectures.changes import CHANGES
from confmat.errors import SymmetryError
from confmat.indices.extremes import max_med
from confmat.statistics import Statistic

SMALL = [Tables(4, 2, 2), Tables(4, 2, 3), Tables(5, 3, 3)]


def witness(conjecture, matrices):
    """Of the smallest counterexample in a class; None where there is none."""
    found = check(conjecture, [matrices])
    return None if isinstance(found, Certificate) else found.witness


# --- changes, by the labels of points -------------------------------------------------------------


def labelings(table):
    cells = [place for place, x in np.ndenumerate(table) for _ in range(x)]
    return tuple(map(tuple, zip(*cells)))


def others(labels, kind, truth):
    """The clusterings that a change of this kind makes of one, by what is said of pairs of points."""
    k, points = max(labels) + 1, range(len(labels))
    pairs = list(combinations(points, 2))
    for new in product(range(k + 1), repeat=len(labels)):
        if sorted(set(new)) != list(range(len(set(new)))):
            continue
        apart = [p for p in pairs if labels[p[0]] == labels[p[1]] and new[p[0]] != new[p[1]]]
        joined = [p for p in pairs if labels[p[0]] != labels[p[1]] and new[p[0]] == new[p[1]]]
        good = all(truth[i] != truth[j] for i, j in apart) and all(truth[i] == truth[j] for i, j in joined)
        split, merged = len(set(new)) == k + 1 and not joined, len(set(new)) == k - 1 and not apart
        found = {
            "transfers": len(set(new)) == k and sum(x != y for x, y in zip(labels, new)) == 1,
            "splits": split,
            "merges": merged,
            "perfect-splits": split and good,
            "perfect-merges": merged and good,
            "improvements": (split or merged) and good,
        }
        if found[kind]:
            yield new


@pytest.mark.parametrize("kind", [kind for kind in CHANGES if kind not in ("replications", "additions")])
def test_changes_are_those_of_labels(kind):
    for matrices in SMALL[:2]:
        for table in matrices:
            a, b = labelings(table)
            expected = {str(canonical(cm.contingency(a, new)).tolist()) for new in others(b, kind, a)}
            expected |= {str(canonical(cm.contingency(new, b)).tolist()) for new in others(a, kind, b)}
            assert {str(canonical(x).tolist()) for x in CHANGES[kind](table)} == expected


@cache
def value(name, table):
    at = np.array(table)
    if name == "nmed":
        return cm.med(at, exact=True) / max_med(int(at.sum()), *at.shape)
    return getattr(cm, name)(at, exact=name != "fm")


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("ari_after >= ari_before", "improvements"),
        ("med_after < med_before -> ari_after >= ari_before", "transfers"),
        ("nmi_after <= nmi_before", "merges"),
        ("med_after = med_before and rd_after < rd_before + 1", "replications"),
        ("fm_after > fm_before - 1/2", "additions"),
        ("nmed_after <= nmed_before + 1/n", "splits"),
    ],
)
def test_changes_are_decided_as_values_are(statement, kind):
    conjecture = Conjecture("", statement, related_by=kind)
    for matrices in SMALL:
        bad = []
        for table in matrices:
            known = {"n": matrices.n}
            for after in CHANGES[kind](table):
                for x in conjecture.predicate.test.statistics:
                    name, when = x.name.rsplit("_", 1)
                    at = table if when == "before" else after
                    known[x.name] = value(name, tuple(map(tuple, at.tolist())))
                if not conjecture.predicate.test.holds(known):
                    bad.append(tuple(map(tuple, table.tolist())))
                    break
        found = witness(conjecture, matrices)
        assert (found and found["matrix"]) == min(bad, default=None)
        assert failures(conjecture, matrices).members == len(bad)


def test_a_change_that_breaks_a_statement_is_shown_and_verified():
    moves = Conjecture("", "med_after < med_before -> ari_after >= ari_before", related_by="transfers")
    found = check(moves, domain(moves, [(2, 2), (2, 3)], range(2, 9)))
    assert (found.matrices, found.matrix.tolist()) == (Tables(6, 2, 2), [[0, 1], [2, 3]])
    assert found.witness["after"] == ((0, 1), (1, 4))
    assert verify(read(found.to_json()), moves).right


def test_functions_and_own_changes():
    def swapped(table):
        return [table[::-1]]

    same = Conjecture("same", "", predicate=lambda x, y: x.max() == y.max(), related_by=swapped)
    assert check(same, SMALL).covered == sum(x.count() for x in SMALL)
    first = Conjecture(
        "first", "", predicate=lambda x, y: x[0, 0] >= y[0, 0], related_by=swapped, symmetry="permutations"
    )
    with pytest.raises(SymmetryError, match="predicate"):
        check(first, [Tables(6, 2, 2)])


def test_only_tables_and_truths_come_out_of_functions():
    """What related_by gives is checked as tables are, and what a predicate of two answers as a truth is."""
    for change, wrong, words in (
        (
            lambda t: [t - t.max()],
            ValueError,
            r"of 0,1;0,3: matrix\[0, 0\] must be at least 0, got -3",
        ),
        (lambda t: [t * 1.5], ValueError, r"of 0,1;0,3: matrix\[0, 1\] must be"),
        (lambda t: [7], TypeError, r"of 0,1;0,3: matrix must be a table"),
        (lambda t: None, TypeError, r"got None of 0,1;0,3"),
    ):
        with pytest.raises(wrong, match=f"^related_by must give tables, {words}"):
            Conjecture("", "", predicate=lambda x, y: True, related_by=change).predicate(
                np.array([[0, 1], [0, 3]])
            )
    listed = Conjecture(
        "", "", predicate=lambda x, y: bool(x[0, 0] == y[0, 0]), related_by=lambda t: [t.tolist()]
    )
    assert check(listed, SMALL[:1]).covered == 19
    with pytest.raises(TypeError, match=r"must answer True or False, got None for \d[,;]\d"):
        check(Conjecture("", "", predicate=lambda x, y: None, related_by="merges"), SMALL[:1])
    assert check(Conjecture("", "", predicate=lambda x, y: (True, "ok"), related_by="merges"), SMALL[:1])
    told = check(Conjecture("", "", predicate=lambda x, y: (False, "so"), related_by="merges"), SMALL[:1])
    assert told.detail == "so"


@pytest.mark.parametrize("kind", CHANGES)
def test_lines_without_a_point_are_no_clusters(kind):
    def clusters(table):
        return table[table.any(axis=1)][:, table.any(axis=0)]

    for table in (np.array([[2, 0, 1], [1, 0, 0]]), np.array([[3, 0], [0, 0]])):
        found = {str(canonical(clusters(x)).tolist()) for x in CHANGES[kind](table)}
        assert found == {str(canonical(x).tolist()) for x in CHANGES[kind](clusters(table))}
        assert len([*CHANGES[kind](table)]) == len([*CHANGES[kind](clusters(table))])


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


def test_laws_along_classes_and_models():
    grows = Conjecture("grows", "", predicate=rises("med", along="n"), on="laws")
    means = [mean(by_hand(Tables(n, 2, 3), "med")[0]) for n in range(3, 9)]
    answers = [witness(grows, Tables(n, 2, 3)) is None for n in range(3, 8)]
    assert answers == [one <= two for one, two in pairwise(means)]
    fewer = Conjecture(
        "fewer", "", predicate=falls("med", "share-of-max", along="rs"), family="labels", on="laws"
    )
    found = check(fewer, [random_model("labels", n=6, r=k, s=k) for k in (2, 3)])
    assert "from 100/6561 at r, s = 3, 3 to 3285/131072 at r, s = 4, 4" in found.detail
    assert verify(read(found.to_json()), fewer).checked
    with pytest.raises(ValueError, match="along must be a size that"):
        rises("rd", along="n")(random_model("sizes", rows=(2, 1), cols=(2, 1)))
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


@pytest.mark.parametrize("name", ["labels", "clusters", "sizes", "partitions"])
def test_numbers_of_laws_under_random_models(name):
    zero = Conjecture("", "ari_mean = 0", family=name)
    answer = check(zero, domain(zero, [(2, 2)], [4]))
    assert isinstance(answer, Certificate) == (name in ("clusters", "sizes"))
    assert read(answer.to_json()) == answer


# --- existence and margins ------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["ard > 13/10", "nmi = 1/2", "cor > 4/5", "ari < -1/5 and med > 1/3"])
def test_existence_is_that_some_member_is_found(text):
    claim, condition = Conjecture("", f"exists {text}"), cm.statistics.as_condition(text)
    for matrices in domain(claim, [(2, 2), (2, 3), (3, 3)], [4, 5]):
        assert isinstance(check(claim, [matrices]), Certificate) == any(map(condition, matrices))
    answer = check(claim, domain(claim, [(2, 2), (3, 3)], range(2, 6)))
    assert verify(read(answer.to_json()), claim).right


def test_margins_alone():
    def near(rows, cols):
        return max(rows) - min(cols) < 4 or (False, f"{max(rows)} - {min(cols)}")

    claim = Conjecture("near", "", predicate=near, on="margins", symmetry="permutations")
    sums = [x for x in product(range(1, 7), repeat=2) if sum(x) == 6]
    (six,) = domain(claim, [(2, 2)], [6])
    assert six.count() == len(sums) ** 2
    found = check(claim, domain(claim, [(2, 2)], range(2, 8)))
    first = min(((x, y) for x, y in product(sums, sums) if near(x, y) is not True), default=None)
    assert (found.witness["rows"], found.witness["cols"]) == first
    assert found.detail == "5 - 1"
    assert read(found.to_json()) == found
    turned = Conjecture("turned", "", predicate=near, on="margins", symmetry="transposition")
    with pytest.raises(SymmetryError, match="declared of the predicate"):
        check(turned, domain(turned, [(3, 3)], [9]))


def test_margins_in_a_text():
    by_text = Conjecture("", "entropy_a <= entropy_b -> r <= s", on="margins")
    assert by_text.symmetry == "permutations"

    def obvious(rows, cols):
        return len(rows) <= len(cols) or not prod(x**x for x in rows) >= prod(x**x for x in cols)

    by_function = Conjecture("", "obvious", predicate=obvious, on="margins", symmetry="permutations")
    for matrices in domain(by_text, [(2, 2), (2, 3), (3, 2)], range(3, 7)):
        assert witness(by_text, matrices) == witness(by_function, matrices)


def test_the_margins_tell_these_statistics_of_the_table_alone():
    differ = dict.fromkeys(cm.statistics.STATISTICS, 0)
    for margins in cm.Tables(5, 2, 2).margins():
        tables = list(cm.FixedMargins(margins.rows, margins.cols))
        for name in differ:
            differ[name] += len({str(cm.statistics.STATISTICS[name](table)) for table in tables}) > 1
    for name, times in differ.items():
        refused = pytest.raises(ValueError, match="all else that margins tell") if times else nullcontext()
        with refused:
            Conjecture("", f"{name} <= 1", on="margins")


# --- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "shown"),
    [
        (["ari_after >= ari_before", "--related-by", "perfect-splits", "--n", "..6"], 0, {}),
        (["ari_after >= ari_before", "--related-by", "merges"], 1, {"n": 2}),
        (["exists ard > 1", "--shapes", "2x2", "--n", "4..6"], 0, {"answer": "true"}),
        (["med_max <= 1 - 1/s", "--model", "labels", "--shapes", "2x2", "--n", "..6"], 0, {"n": 6}),
        (["vi_ac = vi_ab + vi_bc", "--on", "chains", "--n", "..4"], 0, {"classes": 4}),
        (["entropy_a < entropy_b", "--on", "margins", "--n", "4"], 1, {"rows": [1, 3], "cols": [1, 3]}),
    ],
)
def test_kinds_on_the_command_line(arguments, code, shown, tmp_path, confmat):
    path = tmp_path / "answer.json"
    result, out, _ = confmat("check", *arguments, "--json", "--out", path)
    assert result == code
    assert {key: json.loads(out)[key] for key in shown} == shown
    succeed(confmat("verify", path))


def test_answers_in_words(confmat):
    """A witness is no matrix always; a formula is printed once, also with how it is compared."""
    for arguments, lines in (
        (["ard_ac <= ard_ab + ard_bc", "--n", "4"], ["  a 0,0,1,2", "  b 0,0,1,1", "  c 0,1,2,2"]),
        (["entropy_a < entropy_b", "--on", "margins", "--n", "4"], ["  rows 1,3", "  cols 1,3"]),
        (["gss <= 1", "--n", "3"], ["gss <= 1.", "Compared in doubles, up to rounding."]),
    ):
        _, out, _ = confmat("check", *arguments)
        assert set(lines) <= set(out.splitlines())


def test_kinds_are_refused_by_name(confmat):
    with pytest.raises(ValueError, match="got med in 'med < 1'; all else that margins tell"):
        Conjecture("", "med < 1", on="margins")
    with pytest.raises(ValueError, match="must compare numbers of laws, such as med_mean"):
        Conjecture("", "med < 1", on="laws")
    with pytest.raises(ValueError, match="related_by must be one of transfers, merges"):
        Conjecture("", "ari_after >= ari_before", related_by="magic")
    with pytest.raises(ValueError, match="needs related_by, the kind of change"):
        Conjecture("", "ari_after >= ari_before")
    with pytest.raises(ValueError, match="must be on changed tables, such as ard_before, got ari"):
        Conjecture("", "ari >= ari_before", related_by="merges")
    with pytest.raises(ValueError, match="family must be one of labels"):
        Conjecture("", "ari_mean = 0", family="magic")
    assert "--model must go with a formula" in fail(confmat("check", "rd-max", "--model", "labels"))


def test_each_number_is_of_the_members_where_its_own_statistic_is_defined():
    """The Wallace index is 0/0 where all rows are single: the mean of the MED counts these tables all the same."""
    tables = Tables(3, 3, 3, empty=True)
    mean = sum(cm.med(table, exact=True) for table in tables) / tables.count()
    claim = cm.Conjecture("", f"med_mean <= {mean}, med_mean >= {mean}, wallace_ab_min >= 0")
    assert isinstance(cm.check(claim, [tables]), Certificate)
