"""Discover: the blind test, certificates, folders, reports."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from math import comb
from pkgutil import resolve_name

import numpy as np
import pytest
import sympy as sp
from brute import pair_sums
from command_line import run

import confmat as cm
from confmat.conjectures import LITERATURE, STATEMENTS, check, read, verify
from confmat.discovery import discovering, facts
from confmat.discovery.discovering import certified
from confmat.discovery.facts import facts_of
from confmat.errors import CheckpointError, ConsistencyError
from confmat.indices.extremes import max_med, max_rand_distance
from confmat.statistics import Condition, as_statistic

KEYS = {"statement", "sentence", "kind", "range", "evidence", "extremal", "formula"}


@pytest.fixture(scope="module", autouse=True)
def facts_once():
    """What a class shows is found once for all tests, which ask others of it; and nobody changes it.

    So are the closed forms of the same values, which do not depend on what is known.
    """
    facts_found, texts_before = {}, {}
    forms_found = {}

    def form_once(find, values):
        key = find, tuple(values.items())
        if key not in forms_found:
            forms_found[key] = find(values)
        return forms_found[key]

    def found_once(matrices, names):
        key = matrices, names, facts.MOST_SIGNATURES_ASKED
        if key not in facts_found:
            facts_found[key] = facts_of(matrices, names)
            texts_before[key] = json.dumps(facts_found[key])
        return facts_found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discovering, "facts_of", found_once)
        for name in ("confmat.discovery.bounds.fitted", "confmat.discovery.bounds.surface"):
            patch.setattr(name, partial(form_once, resolve_name(name)))
        yield facts_found
    assert all(json.dumps(facts_found[key]) == text for key, text in texts_before.items())


def test_what_holds_because_each_law_has_one_point_is_not_proposed(small):
    # Of 2 x 2 tables the MED fixes the RD: each law is skewed to the left, and to the right.
    assert not [x for x in small.proposals if x.sentence.startswith("each law of rd given the MED")]
    assert small.tried["claims about laws that all have one point"] == 5
    other = cm.discover([(2, 3)], range(3, 10), ["med", "rd"], known=[])
    assert other.tried["claims about laws that all have one point"] == 0


# --- what is on record in another form ------------------------------------------------------------


def test_what_follows_from_an_identity_given_the_med_is_not_proposed():
    """Of 2 x 2 tables the MED fixes the RD, which is on record as `two-by-two`; the blind find it."""
    blind, knowing = (
        cm.discover([(2, 2)], range(2, 11), ["med", "rd"], known=x) for x in ([], tuple(STATEMENTS))
    )
    assert {"bound", "given the MED"} <= {x.kind for x in blind.proposals}
    assert {x.kind for x in knowing.proposals} == {"law"}
    without = cm.discover([(2, 2)], range(2, 11), ["med", "rd"], known=set(STATEMENTS) - {"two-by-two"})
    assert "given the MED" in {x.kind for x in without.proposals}


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        (["ard", "1 - ari"], ("ard",)),
        (["1 - ari"], ("ard",)),
        (["1 - (1 - ard)"], ("ard",)),
        (["rd", "2*rd", "rd + med - med"], ("rd",)),
        (["3*med"], ("med",)),
        (["ari*0 + 1/2", "rd"], ("rd",)),
        (["med - med", "med"], ("med",)),
        (["ari", "ard", "1 - jaccard", "jaccard"], ("ari", "1 - jaccard")),
    ],
)
def test_one_statistic_in_several_forms_is_asked_once(asked, left):
    found = cm.discover([(2, 2)], range(2, 6), asked)
    assert found.statistics == left
    said = [words for words in found.tried if words.startswith("statistics left out, as")]
    assert len(said) == len(set(asked) - set(left))


@pytest.mark.parametrize("name", ["ard", "1 - ari", "ari", "pair_kappa"])
def test_what_is_on_record_of_the_ard_is_not_proposed_of_what_it_is_made_of(name):
    """`mean-ard-given-med`, in words of the ARD, of the ARI, and of what equals it."""
    knowing, blind = (cm.discover([(3, 3)], range(3, 10), [name], known=x) for x in (tuple(STATEMENTS), []))
    assert not [x for x in knowing.proposals if "the mean of" in x.sentence and "given the MED" in x.sentence]
    assert [x for x in blind.proposals if "the mean of" in x.sentence and "given the MED" in x.sentence]


def test_only_constants_are_no_question():
    assert cm.discover([(2, 2)], range(2, 8), ["med - med"]).proposals == ()


def test_a_bound_attained_by_identical_clusterings_alone_is_not_sharp():
    """1 - Jaccard is at most the ARD of 2 x 2 tables: 0 = 0, and less everywhere else."""
    found = cm.discover([(2, 2)], range(2, 13), ["ard", "1 - jaccard"], known=[])
    (bound,) = [x for x in found.proposals if x.sentence.startswith("1 - jaccard is at most ard")]
    assert (bound.sharpness, bound.score) == (0, 0)


def bounds_alone(patch):
    """Without laws and certificates, which have tests of their own."""
    patch.setattr(facts, "MOST_SIGNATURES_ASKED", 0)
    patch.setattr(discovering, "certified", lambda found, progress: found)


# What a statement says of a shape, in other words: shape, totals, statistics, words of the proposal, the statements.
IN_OTHER_WORDS = [
    # a condition, of the complement
    ((3, 3), 10, ["1 - ri", "1 - (1 - med)"], "the largest rd/med is", ["rd-over-med-3x3"]),
    # a condition, of ratios of products
    ((3, 3), 10, ["rd*rd", "rd*med"], "the largest (rd*rd)/(rd*med) is", ["rd-over-med-3x3"]),
    ((3, 3), 10, ["rd", "1 - jaccard"], "the largest rd/(1 - jaccard) is", ["rd-over-jaccard", "rd-over-jaccard-3x3"]),
    # closed extremes: the least of a distance is the largest of a similarity
    ((2, 4), 10, ["1 - med"], "the largest 1 - med is", ["med-min"]),
    ((2, 4), 12, ["ri"], "the largest ri is", ["rd-min"]),
    ((2, 2), 13, ["rd"], "the largest rd is", ["rd-max", "two-by-two", "rd-given-med-upper"]),
    # an identity given the MED: of a product, and of laws
    ((2, 2), 13, ["rd"], "the largest rd of 2 x 2, 2 <= n <= 12 at a MED", ["two-by-two"]),
    ((2, 2), 9, ["med*rd"], "the mean of med*rd given the MED", ["two-by-two"]),
    # refuted, elsewhere
    ((2, 2), 10, ["ard", "1 - jaccard"], "1 - jaccard is at most ard", ["ari-below-jaccard"]),
    ((2, 2), 10, ["jaccard", "ari"], "ari is at most jaccard", ["ari-below-jaccard"]),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "end", "statistics", "words", "names"), IN_OTHER_WORDS)
def test_what_is_on_record_in_other_words_is_not_proposed(shape, end, statistics, words, names, monkeypatch):
    if shape != (2, 2):
        bounds_alone(monkeypatch)

    def proposed(known):
        found = cm.discover([shape], range(2, end), statistics, known=known)
        return [x.sentence for x in found.proposals if x.sentence.startswith(words)]

    assert proposed([])
    assert not proposed(names)
    assert not proposed(list(STATEMENTS))


@pytest.mark.parametrize(("shape", "n"), [((2, 2), 9), ((3, 3), 10)])
def test_no_proposal_has_the_slack_of_a_statement_on_record(shape, n, monkeypatch):
    """Compared by the values at all (m, A, B, P); what the blind propose has those of some."""
    bounds_alone(monkeypatch)
    matrices = cm.Tables(n, *shape)
    sums = np.unique(pair_sums(list(matrices)), axis=0)
    stated = []
    for conjecture in LITERATURE.values():
        condition = isinstance(conjecture.predicate, Condition) and conjecture.on == "signatures"
        if condition and conjecture.applies(matrices) and "fm" not in str(conjecture.predicate):
            stated += slacks(conjecture.predicate, matrices, sums)

    def on_record(known):
        found = cm.discover([shape], range(2, n + 1), ["med", "ri", "ard", "jaccard"], known=known)
        bounds = [x.claims for x in found.proposals if x.kind == "bound"]
        conditions = [test.predicate for claims in bounds for test, where in claims if where(matrices)]
        proposed = [x for condition in conditions for x in slacks(condition, matrices, sums)]
        return [x for x in proposed if any(proportional(x, y) for y in stated)]

    assert on_record([])
    assert not on_record(list(STATEMENTS))


def slacks(condition, matrices, sums):
    """Left less right of each comparison of a condition, at every table."""
    text = str(condition.at(matrices)).split("->")[-1]
    for comparison in text.split(" and "):
        left, sign, right = re.split(r" (<=|>=|=) ", comparison)[:3]
        slack = as_statistic(f"({left}) - ({right})")
        values = slack.rough_values(matrices, sums)
        yield -values if sign == ">=" else values


def proportional(one, other):
    both = ~np.isnan(one) & ~np.isnan(other)
    x, y = one[both], other[both]
    return bool(np.abs(x * np.abs(y).max() - y * np.abs(x).max()).max() < 1e-9)


def test_the_command_does_not_propose_what_is_on_record(tmp_path, capsys):
    asked = ["discover", "--shapes", "2x2", "--n", "..10", "--statistics", "ard,1 - jaccard", "--json"]
    assert run([*asked, "--out", str(tmp_path)]) == 0
    knowing = json.loads(capsys.readouterr().out)
    assert run([*asked, "--blind"]) == 0
    blind = json.loads(capsys.readouterr().out)
    assert "1 - jaccard <= ard" in [x["statement"] for x in blind]
    assert "1 - jaccard <= ard" not in [x["statement"] for x in knowing]
    for proposal in knowing + blind:
        assert {"statement", "evidence", "extremal"} <= set(proposal)
    page = (tmp_path / "report.md").read_text()
    assert "on record as ari-below-jaccard, which is false in other classes" in page


def test_what_is_on_record_of_a_random_model_is_not_of_tables():
    """`jaccard-falls-with-clusters` is about clusterings drawn beside a given one."""
    found = cm.discover([(2, 2)], range(2, 13), ["1 - jaccard"])
    assert [x for x in found.proposals if x.sentence.startswith("the mean of 1 - jaccard rises with s")]


def test_a_function_of_the_med_is_not_asked_at_given_med():
    found = cm.discover([(3, 3)], range(3, 12), ["1 - med"], known=[])
    assert found.proposals
    assert not [x for x in found.proposals if "given the MED" in x.sentence or x.kind == "given the MED"]


def test_classes_with_nothing_to_compare_are_not_tried():
    """No 2 x 3 table has two points: of 2 x 2 tables the laws along s begin at n = 3."""
    found = cm.discover([(2, 2)], range(2, 13), ["med"], known=[])
    (law,) = [x for x in found.proposals if x.sentence.startswith("the law of med rises with s")]
    assert [entry.matrices.n for entry in law.certificates[0].entries] == list(range(3, 13))
    assert law.tried == 10


# --- the blind test -------------------------------------------------------------------------------


END = 21  # of the sizes of the blind test


@pytest.fixture(scope="module")
def blind(tmp_path_factory):
    """What is found of 2 x 2 and 3 x 3 tables by one who knows nothing, and by one who knows the registry."""
    folder = tmp_path_factory.mktemp("blind")
    with pytest.MonkeyPatch.context() as patch:
        bounds_alone(patch)
        return [
            [
                cm.discover(
                    [shape], range(2, END), ["med", "rd", third], known=known, checkpoint=folder / third
                )
                for shape, third in (((2, 2), "ard"), ((3, 3), "1 - jaccard"))
            ]
            for known in ([], tuple(STATEMENTS))
        ]


def told(found, text, shape):
    """The closed forms of the largest value of an expression over tables of a shape, by n."""
    return {
        n: x.shown["form"].part(n)(n)
        for each in found
        for x in each.proposals
        for _, where in x.claims
        if x.kind == "bound" and x.shown["text"] == text and where.shape == shape
        for n in range(where.first, where.last + 1)
    }


KNOWN = [
    ("rd/med", (3, 3), 4, lambda n: Fraction(2 * (n - 2), n - 1)),
    ("ard/med", (2, 2), 7, lambda n: Fraction(n * n, 2 * (n - 1))),
    ("rd/(1 - jaccard)", (3, 3), 4, lambda n: Fraction(n * n - n - 8, n * (n - 1))),
    ("rd", (2, 2), 2, lambda n: max_rand_distance(n, 2, 2)),
    ("rd", (3, 3), 4, lambda n: max_rand_distance(n, 3, 3)),
    ("med", (2, 2), 3, lambda n: max_med(n, 2, 2)),
    ("med", (3, 3), 4, lambda n: max_med(n, 3, 3)),
]


@pytest.mark.parametrize(("text", "shape", "first", "value"), KNOWN)
def test_the_blind_find_what_is_known(blind, text, shape, first, value):
    forms = told(blind[0], text, shape)
    assert sorted(forms) == list(range(first, END))
    assert all(form == value(n) for n, form in forms.items())
    assert not told(blind[1], text, shape)


def test_the_blind_find_the_rd_given_the_med_from_above(blind):
    for seen, number in zip(blind, (1, 0)):
        found = [
            x for x in seen[0].proposals if x.kind == "given the MED" and x.shown["text"] == "largest rd"
        ]
        assert len([x for x in found if x.claims[0][1].shape == (2, 2)]) == number
    # 2 x 2: k = n - m on a best matching, m off it
    form = next(
        x for x in blind[0][0].proposals if x.kind == "given the MED" and x.shown["text"] == "largest rd"
    )
    for n in range(4, END):
        for m in range(1, n // 2 + 1):
            at = {"n": n, "med": sp.Rational(m, n)}
            assert form.shown["surface"].parts[0].subs(at) == sp.Rational(2 * (n - m) * m, 2 * comb(n, 2))


def test_the_blind_find_that_the_mean_rd_is_not_monotone():
    words = "the mean of rd given the MED rises with it"
    shapes, sizes = [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4)], range(2, 9)
    for known in ([], tuple(STATEMENTS)):
        found = cm.discover(shapes, sizes, ["med", "rd"], known=known)
        failing = [x for x in found.proposals if x.kind == "first failure" and x.sentence.startswith(words)]
        assert len(failing) == (not known)
        for x in failing:
            assert x.certificates[0].matrices == cm.Tables(8, 2, 4)
            assert "353/609" in x.sentence
    # What both see has the certificates that a check gives.
    law = next(x for x in found.proposals if x.kind == "law")
    (conjecture, where), certificate = law.claims[0], law.certificates[0]
    assert check(conjecture, where.classes).digest == certificate.digest


@pytest.mark.slow
def test_the_blind_find_all_that_is_known(tmp_path):
    """The ranges of the issue that began it: 2x2..3x4, n <= 30; some ten minutes on one core."""
    shapes = [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4)]
    seen = cm.discover(shapes, range(1, 31), known=[], checkpoint=tmp_path)
    informed = cm.discover(shapes, range(1, 31), checkpoint=tmp_path)
    extremes = [
        (name, (r, s), s + 2 * (r - 1), value(r, s))
        for r, s in shapes
        for name, value in (
            ("rd", lambda r, s: lambda n: max_rand_distance(n, r, s)),
            ("med", lambda r, s: lambda n: max_med(n, r, s)),
        )
    ]
    for text, shape, first, value in [*KNOWN, *extremes]:
        forms = told([seen], text, shape)
        assert set(range(first, 31)) <= set(forms), (text, shape)
        assert all(form == value(n) for n, form in forms.items())
        assert not told([informed], text, shape), (text, shape)
    for shape in shapes:
        name = f"largest rd given the MED, {shape[0]} x {shape[1]}"
        surfaces = [
            any(c.name == name for x in found.proposals for c in x.conjectures) for found in (seen, informed)
        ]
        assert surfaces == [True, False], shape
    words = "the mean of rd given the MED rises with it is false, first at (n, r, s) = (8, 2, 4)"
    assert [sum(x.sentence.startswith(words) for x in found.proposals) for found in (seen, informed)] == [
        1,
        0,
    ]


# --- certificates, folders, reports ---------------------------------------------------------------


@pytest.fixture(scope="module")
def small():
    return cm.discover([(2, 2)], range(2, 13), ["med", "rd"], known=[])


WIDE = [(2, 2), (2, 3)], range(2, 13), ("med", "rd")


@pytest.fixture(scope="module")
def wide():
    return cm.discover(*WIDE, known=[])


@cache
def points_of(matrices):
    """MED and RD, with the number of tables that have them."""
    return [(dict(zip(WIDE[2], values)), weight) for values, weight in cm.joint(matrices, *WIDE[2]).support]


def values_of(text, matrices):
    """Of an expression, such as rd/med, where it is defined, with numbers of tables; and those where MED is not 0."""
    of, sign, by = re.fullmatch(r"(\w+)(?:( - |/)(\w+))?", text).groups()
    for at, weight in points_of(matrices):
        if sign != "/" or at[by]:
            value = at[of] / at[by] if sign == "/" else at[of] - (at[by] if sign else 0)
            yield value, weight, at["med"] != 0


def test_every_bound_is_the_largest_value_and_holds_no_longer(wide):
    for x in (x for x in wide.proposals if x.kind == "bound"):
        form, text, classes = x.shown["form"], x.shown["text"], 0
        for _, where in x.claims:
            classes += len(where.classes)
            for matrices in where.classes:
                best = max(value for value, *_ in values_of(text, matrices))
                assert form.part(matrices.n)(matrices.n) == best
        assert x.fitted + x.tried == classes
        last = cm.Tables(form.last, *max((where.shape for _, where in x.claims if where.last == form.last)))
        attaining = [x for x in values_of(text, last) if x[0] == form.part(form.last)(form.last)]
        assert x.extremal.endswith(
            f" ({sum(weight for _, weight, _ in attaining)} tables at n = {form.last})"
        )
        assert (x.sharpness == 0) >= (not any(differ for *_, differ in attaining))
        for n, wrong in ((form.first - 1, form.first > 2), (form.last + 1, form.last < 12)):
            beyond = cm.Tables(n, *last.shape)
            if wrong and beyond.count():
                best = max((value for value, *_ in values_of(text, beyond)), default=None)
                assert best != form.part(n)(n)


def test_families_attain_bounds_from_the_first_n_that_is_said(wide):
    """Each is said with its kind, from when on, and one for each residue of n."""
    seen = set()
    for x in (x for x in wide.proposals if x.kind == "bound"):
        form, text = x.shown["form"], as_statistic(x.shown["text"])
        shape, _, families = x.extremal.rpartition(" (")[0].partition(": ")
        r, s = map(int, shape.split(" x "))
        for family in families.split("; or "):
            if "no family in n was found" in family:
                seen.add("none")
                continue
            kind, lines, first = re.fullmatch(r"(hook|table) (.*) for n >= (\d+)", family).groups()
            lines = [line.partition(" for n = ")[0] for line in lines.split("; ")]
            seen.add((kind, len(lines)))
            hooks = []
            for n in range(int(first), form.last + 1):
                table = np.array(eval(lines[n % len(lines)], {"n": Fraction(n)}))
                assert (table.shape, table.sum(), table.min() >= 0) == ((r, s), n, True)
                table = table.astype(int)
                assert text(table) == form.part(n)(n)
                outside = (np.delete(np.delete(table, i, 0), j, 1) for i, j in np.ndindex(r, s))
                hooks.append(not all(map(np.any, outside)))
            assert all(hooks) == (kind == "hook")
    assert seen >= {"none", ("hook", 1), ("table", 1), ("table", 2), ("table", 3)}


def test_every_form_at_given_med_is_the_extreme_and_holds_no_longer(wide):
    titles = {"largest rd": max, "smallest rd": min}
    found = [x for x in wide.proposals if x.kind == "given the MED"]
    assert {x.shown["text"] for x in found} == {*titles}
    for x in found:
        form, ((_, where),) = x.shown["surface"], x.claims
        many = 0
        for matrices in where.classes:
            n = matrices.n
            for m in range(form.first, n // 2 + 1):
                values = [at["rd"] for at, _ in points_of(matrices) if at["med"] == Fraction(m, n)]
                if not values:
                    continue
                many += 1
                shown = form.parts[m % form.period].subs({"n": n, "med": sp.Rational(m, n)})
                assert shown == titles[x.shown["text"]](values)
        assert (x.fitted + x.tried, form.fitted, where.last) == (many, x.fitted, 12)
        assert x.statement.startswith(f"{form.first}/n <= med and med <= 1/2 -> rd ")


def test_claims_about_laws_are_those_that_hold_in_late_classes(wide, facts_once):
    """All that hold at five n or more to the end, and at half of all, unless a stronger one does; first failures."""
    verdicts = {}
    for matrices in sorted(wide.classes, key=lambda x: (x.n, x.shape)):
        for words, verdict in facts_once[matrices, WIDE[2], facts.MOST_SIGNATURES_ASKED]["laws"].items():
            verdicts.setdefault(words, {})[matrices] = verdict
    told, ranges, expected, dropped = {}, {}, {}, 0
    for words, of_classes in verdicts.items():
        told[words] = [(m, x["wrong"]) for m, x in of_classes.items() if not x["says nothing"]]
        ranges[words] = {}
        for shape in WIDE[0]:
            answers = [(m.n, wrong) for m, wrong in told[words] if m.shape == shape]
            failing = [i for i, (_, wrong) in enumerate(answers) if wrong]
            late = answers[max(failing, default=-1) + 1 :]
            if len(late) >= max(5, len(answers) / 2):
                ranges[words][shape] = late[0][0], late[-1][0]
    for words, of_shapes in ranges.items():
        stronger = {words.replace("the mean of", "the law of")} - {words}
        if words.startswith("the law of") and words.endswith(" is unimodal"):
            name = words.split()[3]
            stronger = {f"the weights of {name} rise", f"the weights of {name} fall"}
        left = {}
        for shape, (first, last) in of_shapes.items():
            wider = [ranges[x][shape][0] for x in stronger if shape in ranges[x]]
            if not any(n <= first for n in wider):
                left[shape] = first, last
        dropped += len(of_shapes) - len(left)
        if left:
            said = "; ".join(f"{r} x {s}, {a} <= n <= {b}" for (r, s), (a, b) in left.items())
            classes = [m for m, _ in told[words] if m.shape in left and m.n >= left[m.shape][0]]
            expected[f"{words} in every class of these ranges: {said}"] = len(classes)
        failing = [i for i, (_, wrong) in enumerate(told[words]) if wrong]
        if failing and failing[0] >= 10:
            first, wrong = told[words][failing[0]]
            where = (first.n, *first.shape)
            said = f"{words} is false, first at (n, r, s) = {where}, after {failing[0]} classes: {wrong}"
            expected[said] = failing[0]
    found = [x for x in wide.proposals if x.kind in ("law", "first failure")]
    assert {x.sentence: x.tried for x in found} == expected
    assert {x.sharpness for x in found} == {0.5}
    tried = [
        wide.tried[f"claims about laws{x}"]
        for x in ("", " that all have one point", " that fail in every shape")
    ]
    nothing = sum(not x for x in told.values())
    assert tried == [len(verdicts), nothing, sum(not x for x in ranges.values()) - nothing]
    assert wide.tried["claims about laws of a shape that follow from stronger ones"] == dropped > 0


def test_the_page_says_what_speaks_for_each_proposal(wide):
    scores = [x.score for x in wide.proposals]
    assert scores == sorted(scores, reverse=True)
    page = wide.markdown(True)
    assert page.index("## Bounds\n") < page.index("## Bounds at given MED\n") < page.index("## Laws\n")
    for i, x in enumerate(wide.proposals, 1):
        assert x.score == x.sharpness * x.tried / (x.tried + 10)
        lines = [f"### {i}. {x.sentence[0].upper()}{x.sentence[1:]}", ""]
        if x.kind in ("bound", "given the MED"):
            lines += [*(f"    {statement}" for statement in x.statement.split("; ")), ""]
        if x.kind != "first failure":
            for _, where in x.claims:
                ns = [matrices.n for matrices in where.classes]
                members = f"{sum(matrices.count() for matrices in where.classes):,}"
                lines.append(
                    f"- True of all {members} members of {len(ns)} classes, n = {ns[0]} to {ns[-1]}."
                )
        if x.kind in ("bound", "given the MED"):
            values = "1 value" if x.fitted == 1 else f"{x.fitted} values"
            lines.append(f"- Found from {values}, right at {x.tried} others.")
        lines += [f"- Attained: {x.extremal}."] if x.kind == "bound" else []
        lines += [
            f"- Score {x.score:.2f}; sharpness {x.sharpness:.2f}.",
            "",
            f"![proposal {i}](picture-{i:02d}.svg)",
            "",
        ]
        assert "\n".join(lines) in page
        evidence = x.to_json()["evidence"]
        covered = sum(entry.covered for certificate in x.certificates for entry in certificate.entries)
        assert (evidence["fitted"], evidence["tried"], evidence["members"]) == (x.fitted, x.tried, covered)
        assert evidence["sharpness"] == pytest.approx(x.sharpness, abs=5e-5)
    assert f"- {wide.tried['claims about laws']} claims about laws\n" in page
    said = " ".join(wide.text().split())
    last = f"12. {wide.proposals[11].sentence}."
    assert said.endswith(f" {last} and {len(wide.proposals) - 12} more: --json, or --out DIR")
    twelve = replace(wide, proposals=wide.proposals[:12]).text()
    assert " ".join(twelve.split()).endswith(last)
    assert "Nothing new was found" in replace(wide, proposals=()).text()


def test_pictures_show_values_where_they_are(wide):
    def axes_of(kind):
        x = next(x for x in wide.proposals if x.kind == kind)
        axes = replace(wide, proposals=(x,)).plot().axes
        drawn = {line.get_label(): dict(zip(line.get_xdata(), line.get_ydata())) for line in axes[0].lines}
        return x.shown, drawn, axes

    shown, drawn, axes = axes_of("bound")
    form = shown["form"]
    for label, ns in (("found from", form.fitted), ("tried at", set(shown["values"]) - set(form.fitted))):
        assert drawn[label] == {n: float(shown["values"][n]) for n in ns}
    curve = next(at for label, at in drawn.items() if label not in ("found from", "tried at"))
    assert (min(curve), max(curve), len(curve)) == (form.first, form.last, 200)
    assert all(
        y == pytest.approx(float(form.part(0).__call__(sp.Rational(x)))) for x, y in [*curve.items()][::50]
    )
    assert axes[0].get_ylabel() == f"largest {shown['text']}"
    shown, drawn, axes = axes_of("given the MED")
    values = {m: y for (n, m), y in shown["values"].items() if n == 12}
    assert drawn[shown["text"]] == {m / 12: pytest.approx(float(y)) for m, y in values.items()}
    assert drawn["closed form"] == {m / 12: pytest.approx(float(values[m])) for m in range(1, 7)}
    assert axes[0].get_title() == "n = 12"
    shown, drawn, axes = axes_of("first failure")
    for label, holds in (("holds", True), ("fails", False)):
        places = [(x.n, WIDE[0].index(x.shape)) for x, answer in shown["verdicts"].items() if answer is holds]
        line = next(line for line in axes[0].lines if line.get_label() == label)
        assert sorted(zip(line.get_xdata(), line.get_ydata())) == sorted(places)
    assert [x.get_text() for x in axes[0].get_yticklabels()] == ["2 × 2", "2 × 3"]


def test_every_proposal_has_certificates_that_can_be_checked_again(small):
    for proposal in small.proposals:
        if proposal.kind == "first failure":
            assert proposal.certificates[0].matrices == proposal.claims[0][1].classes[0]
            continue
        assert len(proposal.certificates) == len(proposal.conjectures) > 0
        for (_, where), certificate in zip(proposal.claims, proposal.certificates):
            assert [entry.matrices for entry in certificate.entries] == where.classes
            assert certificate.covered == sum(matrices.count() for matrices in where.classes)
    for proposal in (x for x in small.proposals if x.kind == "given the MED"):
        assert ("m = n MED" in proposal.sentence) == (re.search(r"\bm\b", proposal.formula) is not None)
    for kind in ("bound", "given the MED"):
        proposal = next(x for x in small.proposals if x.kind == kind)
        assert verify(read(proposal.certificates[0].to_json()), proposal.conjectures[0]).right


def test_what_is_said_of_laws_is_verified_from_its_words(tmp_path, capsys):
    found = cm.discover([(2, 2), (2, 3)], range(2, 9), ["rd"], known=[])
    chosen = [x for x in found.proposals if x.kind in ("law", "first failure")]
    assert {x.kind for x in chosen} == {"law", "first failure"}
    for i, proposal in enumerate(chosen):
        (tmp_path / f"{i}.json").write_text(proposal.certificates[0].to_json())
        assert run(["verify", str(tmp_path / f"{i}.json")]) == 0, proposal.sentence
    assert capsys.readouterr().out.count("by another enumerator") >= len(chosen)
    other = replace(proposal.certificates[0].about, text="the law of med is bimodal")
    (tmp_path / "other.json").write_text(replace(proposal.certificates[0], about=other).to_json())
    assert run(["verify", str(tmp_path / "other.json")]) == 2


def test_a_bound_that_is_false_is_an_error(small):
    proposal = next(x for x in small.proposals if x.kind == "bound")
    where = replace(proposal.claims[0][1], first=5, last=6)
    false = cm.Conjecture("false", "rd <= 1/9", applies=where)
    with pytest.raises(ConsistencyError, match=r"rd <= 1/9 was found over Tables\(n=5"):
        certified([replace(proposal, claims=((false, where),), certificates=())])


def test_a_bound_with_a_power_alone_below_is_told_as_it_is():
    found = cm.discover([(2, 3)], range(3, 11), ["rd", "med*rd"], known=[])
    (bound,) = [x for x in found.proposals if x.statement == "med*rd - rd <= -2/(n*n)"]
    assert bound.certificates[0].covered == sum(cm.Tables(n, 2, 3).count() for n in range(3, 11))


@pytest.mark.parametrize("several", [5, 6])
def test_a_bound_is_found_from_six_values_or_more(several):
    found = cm.discover([(1, 2)], range(3, 3 + several), ["ard"], known=[])
    assert [x.statement for x in found.proposals if x.kind == "bound"] == (
        ["ard <= 1"] if several == 6 else []
    )


def test_a_run_that_was_stopped_goes_on(tmp_path, monkeypatch):
    asked = [(2, 2), (2, 3)], range(2, 8), ["rd"]
    whole = cm.discover(*asked, known=[])

    def stop(line):
        if "(6 of" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cm.discover(*asked, known=[], checkpoint=tmp_path, progress=stop)
    assert len(list(tmp_path.glob("0*.json"))) == 5
    looked_at = []
    monkeypatch.setattr(discovering, "SECONDS_AGAIN", 0)  # one class is looked at again
    monkeypatch.setattr(discovering, "facts_of", lambda m, names: looked_at.append(m) or facts_of(m, names))
    again = cm.discover(*asked, known=[], checkpoint=tmp_path)
    assert len(looked_at) == len(whole.classes) - 5 + 1
    assert again.to_json() == whole.to_json()
    with pytest.raises(CheckpointError, match="belongs to another run"):
        cm.discover(*asked[:2], ["med"], checkpoint=tmp_path)
    kept = next(tmp_path.glob("0*.json"))
    kept.write_text(kept.read_text().replace("1", "2", 1))
    with pytest.raises(CheckpointError, match="damaged"):
        cm.discover(*asked, checkpoint=tmp_path)


def test_a_report_that_one_would_read(small, tmp_path):
    kinds = {x.kind: x for x in small.proposals}
    found = replace(small, proposals=tuple(kinds.values()))
    assert len(kinds) > 2
    assert "; 2 x 2, n <= 12, " in repr(found)
    assert "and 1 more: --json" in replace(small, proposals=small.proposals[:1] * 13).text()
    found.write(tmp_path)
    listed = json.loads((tmp_path / "report.json").read_text())
    assert listed == found.to_json()
    assert all(set(x) == KEYS for x in listed)
    page = (tmp_path / "report.md").read_text()
    for i, x in enumerate(found.proposals, 1):
        assert f"![proposal {i}](picture-{i:02d}.svg)" in page
        assert (tmp_path / f"picture-{i:02d}.svg").read_text().startswith("<?xml")
        assert x.sentence[1:] in page
        for k, certificate in enumerate(x.certificates, 1):
            assert read((tmp_path / "certificates" / f"{i:02d}-{k}.json").read_text()) == certificate
    assert "## What was tried" in page
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.svg")}
    for kept in ("picture-mine.svg", "certificates/mine.json"):
        (tmp_path / kept).write_text("of the reader")
    found.write(tmp_path)
    assert before.items() <= {path.name: path.read_bytes() for path in tmp_path.glob("*.svg")}.items()
    replace(found, proposals=()).write(tmp_path)
    kept = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert kept == {"certificates/mine.json", "picture-mine.svg", "report.json", "report.md"}


@pytest.mark.parametrize(
    ("asked", "error", "match"),
    [
        (([(2, 2)], []), ValueError, "shapes and sizes must have members"),
        ((5, [4]), TypeError, "shapes must be a list of pairs .*got 5"),
        (([(2, 2)], 4), TypeError, "sizes must be a list of whole numbers, got 4"),
        (([(2, 0)], [4]), ValueError, "s must be at least 1, got 0"),
        (([(2, 2)], [1]), ValueError, "shapes and sizes must have members"),
        (([(2, 2)], [4], "rd"), TypeError, "statistics must be a list, got 'rd'"),
        (([(2, 2)], [4], []), ValueError, "statistics must name at least one"),
        (([(2, 2)], [4], ["vi"]), ValueError, "statistics must have formulas .*'vi'"),
        (([(2, 2)], [4], ["fm"]), ValueError, "statistics must have formulas .*'fm'"),
        (([(2, 2)], [4], ["wallace_ab"]), ValueError, "statistics must have formulas .*'wallace_ab'"),
        (([(2, 2)], [4], ["rdd"]), ValueError, "'rdd'"),
    ],
)
def test_what_cannot_be_discovered_is_refused(asked, error, match):
    with pytest.raises(error, match=match):
        cm.discover(*asked)


def test_functions_are_the_names_that_they_have():
    asked = [(2, 2)], [5]
    assert (
        cm.discover(*asked, [cm.med, as_statistic("rd")]).to_json()
        == cm.discover(*asked, ["med", "rd"]).to_json()
    )
    assert cm.discover(*asked, [cm.med]).statistics == ("med",)


def test_statements_that_do_not_exist_cannot_be_known():
    with pytest.raises(ValueError, match="known must be names of statements of the registry, got 'all'"):
        cm.discover([(2, 2)], [4], known=["all"])
    with pytest.raises(TypeError, match="known must be a list, got 'rd-max-value'"):
        cm.discover([(2, 2)], [4], known="rd-max-value")
    with pytest.raises(TypeError, match="known must be a list, got 5"):
        cm.discover([(2, 2)], [4], known=5)
    with pytest.raises(ValueError, match="known must be names of statements of the registry, got 'nothing'"):
        cm.discover([(2, 2)], [4], known=["nothing"])


def test_one_class_and_classes_of_one_table_are_answered():
    assert cm.discover([(1, 1)], range(1, 4)).proposals == ()
    assert "0 proposals" in repr(cm.discover([(3, 3)], [3], ["rd"]))


def test_an_interrupted_command_says_how_to_resume(tmp_path, capsys, monkeypatch):
    def interrupt(*_asked, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(cm, "discover", interrupt)
    assert run(["discover", "--out", str(tmp_path)]) == 130
    where = tmp_path / "classes"
    assert f"finished classes are in {where}: run the same command again" in capsys.readouterr().err
    assert run(["discover"]) == 130
    assert "nothing was kept: with --out DIR" in capsys.readouterr().err


def test_the_command(tmp_path, capsys):
    asked = ["discover", "--shapes", "2x2", "--n", "..7", "--statistics", "med,rd", "--blind"]
    assert run([*asked, "--out", str(tmp_path / "new")]) == 0
    printed = capsys.readouterr()
    assert "med is at most rd, of 2 x 2" in printed.out
    assert "report.md" in printed.err
    assert len(list((tmp_path / "new" / "classes").glob("0*.json"))) == 6
    assert run([*asked, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed == json.loads((tmp_path / "new" / "report.json").read_text())
    assert run(["discover", "--shapes", "2x2", "--n", "..4", "--statistics", "vi"]) == 2
    assert "'vi'" in capsys.readouterr().err
    assert set(STATEMENTS) >= set(LITERATURE)
