"""Choices of matrices whose means over folds are as printed: how many there are, and the ranges of their means."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import compress, product

import pytest
from printed import HALF_UP, score_of, scored

import confmat as cm
from confmat.auditing import SCORES, Report, audit
from confmat.certificates import misses
from confmat.errors import TooLarge


@pytest.mark.parametrize(
    ("sizes", "scores"),
    [
        ([(2, 2)] * 3, {"acc": "0.83"}),
        ([(2, 2)] * 3, {"mcc": "0.6", "f1": "0.8"}),
        ([(3, 1), (2, 2)], {"gmean": "0.85"}),
        ([(3, 1), (2, 2)], {"nmi": "0.2"}),
        ([(1, 1), (2, 1), (1, 1)], {"mcc": "0.00"}),
        ([(1, 3), (2, 2)], {"ari": "-0.2", "precision_2": "0.5"}),
        ([(2, 1, 1), (1, 1, 0)], {"gmean": "0.3"}),
        ([(3, 2)] * 2, {"acc": "0.7", "rounding": "truncation"}),  # 0.7 is printed so, 0.8 is not
        ([(4, 5), (5, 6)], {"jaccard": "0.8", "kappa": "0.90"}),  # sums of 63 bits and more
        ([(1, 2, 1), (1, 1, 1)], {"acc": "0.7", "ari": "0.1", "undefined": 1}),
    ],
)
def test_choices_of_matrices_are_counted_with_the_ranges_of_their_means(sizes, scores):
    report = Report.of(classes=[*map(sum, zip(*sizes))], folds=sizes, **scores)
    r, windows = report.shape[0], report.question.windows

    def means(score):
        of_folds = ([score_of(score, m) for m in cm.classes.FixedRows(rows, r)] for rows in sizes)
        return [_simplest(sum(x)) / len(sizes) for x in product(*of_folds)]

    fits = [[not misses((x, x), w) for x in means(score)] for score, w in zip(report.judged, windows)]
    inside = [*map(all, zip(*fits))]
    found = audit(report)
    assert found.matrices == sum(inside) > 0
    for some in (found.some[0], found.choices.one()):
        assert [tuple(m.sum(axis=1)) for m in some] == sizes
        totals = [_simplest(sum(score_of(score, m) for m in some)) for score in report.judged]
        assert not any(misses((x / len(sizes),) * 2, w) for x, w in zip(totals, windows))
    assert [*found.ranges] == [*dict.fromkeys([*SCORES, *report.scores])]
    for name, (least, largest) in found.ranges.items():
        every = [*compress(means(scored(name, r, report.undefined)), inside)]
        if name in ("gmean", "mcc", "fm", "nmi"):
            assert min(every) - 1e-12 < least <= min(every), name
            assert max(every) <= largest < max(every) + 1e-12, name
        else:
            assert (least, largest) == (min(every), max(every)), name
    said = found.to_json()["ranges"]
    assert said["acc"]["least"]["exact"] == str(found.ranges["acc"][0])
    lines = dict(found.lines())
    assert {*lines} >= {*found.ranges, "choices of matrices"}
    assert "listed" not in lines["acc"]


def _simplest(total):
    """A Fraction where roots cancel."""
    rational = getattr(total, "rational", None)
    return total if rational is None else rational


@pytest.mark.parametrize(("first", "second"), [(14, 40), (39, 1), (20, 21), (0, 33)])
def test_sums_of_two_scores_are_told_apart(first, second):
    """Of eight folds with five objects in each class, so many of which are found."""
    found_in_folds = Counter(map(sum, product(range(6), repeat=8)))
    recalls = {f"recall_{k}": f"{x / 40:.3f}" for k, x in ((1, first), (2, second))}
    found = audit(classes=(40, 40), folds=8, **recalls)
    assert found.matrices == found_in_folds[first] * found_in_folds[second]


def test_choices_with_too_many_sums_are_not_counted(monkeypatch):
    report = Report.of(**HALF_UP, acc="0.917")
    assert audit(report).matrices == 6
    for seconds in (
        1e-9,
        1e-7,
        1e-6,
    ):  # refused by their denominator, before sums are tried, and before they are kept
        monkeypatch.setattr("confmat.auditing.folds.PATIENCE_OF_CHOICES", seconds)
        found = audit(report)
        assert (found.matrices, found.ranges) == (None, {})
    assert dict(found.lines())["choices of matrices"] == "not counted"
    assert dict(found.lines())["ranges"] == "not given, as choices are not counted"
    assert found.sentence().startswith("At least one of the choices of 3 confusion matrices")
    with cm.budget(seconds=5):
        assert audit(report).matrices == 6


def test_choices_whose_roots_of_three_recalls_may_be_at_an_end_are_not_counted(monkeypatch):
    """Cube roots are doubles: at an end of what is printed they tell nothing."""
    fields = {"classes": (4, 4, 2), "folds": 2, "gmean": "0.62"}
    assert audit(**fields).matrices > 0
    monkeypatch.setattr("confmat.auditing.choices._GUARD", 1)
    assert audit(**fields).matrices is None


@pytest.mark.parametrize(
    ("sizes", "scores", "many"),
    [
        ([(4, 3, 3)] * 2, {"acc": "0.8", "gmean": "0.8"}, 1241),
        (
            [(1, 0, 1), (0, 2, 1)],
            {"ari": "1", "gmean": "0", "undefined": 0.5, "rounding": "truncation"},
            36,
        ),
        ([(0, 2, 2), (0, 1, 1)], {"mcc": "1", "gmean": "0", "undefined": 0.5, "rounding": "half-even"}, 34),
    ],
)
def test_choices_are_counted_where_doubles_stand_beside_a_score_at_its_end(sizes, scores, many):
    """As tried one by one: roots of three recalls are nowhere near what is printed, or the other score decides."""
    assert audit(classes=[*map(sum, zip(*sizes))], folds=sizes, **scores).matrices == many


def test_ranges_of_means_look_exactly_at_the_ends_of_groups_alone(monkeypatch):
    """Of 10 201 matrices in 201 groups; each value of G-mean took 0.2 ms."""
    found, seen, gmean = audit(classes=(200, 200), acc="0.8", folds=2), [], scored("gmean", 2)
    value = type(gmean).value
    monkeypatch.setattr(type(gmean), "value", lambda score, key: seen.append(key) or value(score, key))
    least, largest = found.choices.range(gmean)
    assert 201 < len(seen) < 2000
    # Of each number of hits; 0.8 is printed of 300 to 359 of 400.
    lowest, highest = (
        [(a * (x - a)) ** 0.5 / 200 for x in range(201) for a in [some(x)]]
        for some in (lambda x: min(x, 100), lambda x: x // 2)
    )
    pairs = [(x, y) for x, y in product(range(201), repeat=2) if 300 <= x + y < 360]
    assert least == pytest.approx(min(lowest[x] + lowest[y] for x, y in pairs), abs=1e-12)
    assert largest == pytest.approx(max(highest[x] + highest[y] for x, y in pairs), abs=1e-12)


def test_ranges_of_means_are_given_where_they_are_allowed_to_take_as_long():
    found = audit(**HALF_UP, acc="0.917")
    hasty = replace(found, resources=cm.Resources(seconds=1e-6))
    assert found.ranges
    assert not hasty.ranges
    assert re.match("not given, as they take about 0.* seconds .limit 1e-06", dict(hasty.lines())["ranges"])


def test_ranges_with_long_common_denominators_are_doubles_around_them(monkeypatch):
    found = audit(classes=(12, 12), folds=3, acc="0.8", mcc="0.6")
    score = scored("f1", 2)
    least, largest = found.choices.range(score)
    assert isinstance(least, Fraction)
    monkeypatch.setattr("confmat.auditing.choices._MOST_BITS", 1)
    below, above = found.choices.range(score)
    assert least - Fraction(1, 10**12) < below < least < largest < above < largest + Fraction(1, 10**12)


def test_choices_are_counted_where_roots_cancel():
    """Some means are 1/2, which is printed 0.5; as tried one by one."""
    assert audit(classes=(4, 12), folds=4, mcc="0.4", rounding="truncation").matrices == 134


@pytest.mark.parametrize(("mcc", "many"), [("0.500000000", 12), ("0.499999999", 0), ("50.0000000%", 12)])
def test_roots_that_cancel_at_an_end_of_what_is_printed_are_decided(mcc, many, monkeypatch):
    """Two MCCs are 1 and two cancel, where the other scores leave nothing else: no steps tell 1/2 from what is near."""
    scores = {"acc": "0.75", "f1": "0.733333", "precision": "0.75", "ari": "0.5", "mcc": mcc}
    found = audit(classes=(4, 12), folds=4, rounding="truncation", **scores)
    assert (found.possible, found.matrices) == (many > 0, many)
    assert "certificate" not in found.sentence()
    with pytest.raises(
        TooLarge, match=r"no steps of the scores tell whether mean accuracy 0.75, .* is possible"
    ):
        found.certificate()
    if many:
        assert sum(score_of(found.report.judged[-1], m) for m in found.some[0]) == 2
        assert found.ranges["acc"] == (Fraction(3, 4), Fraction(3, 4))
    monkeypatch.setattr("confmat.auditing.folds.PATIENCE_OF_CHOICES", 1e-9)
    with pytest.raises(TooLarge, match="beyond reach: it stays open to 7 decimals"):
        audit(found.report)


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [  # as measured, on one core
        ({"classes": (60, 60), "folds": 3, "mcc": "0.5", "nmi": "0.3"}, 3),
        ({"classes": (50, 50), "folds": 5, "nmi": "0.5", "f1": "0.8"}, 2.5),
        ({"classes": (100, 100), "folds": 10, "acc": "0.9", "f1": "0.9"}, 1.5),
        ({"classes": (1600, 1600), "folds": 2, "acc": "0.8"}, 24),
        ({"classes": (24, 24, 24), "folds": 2, "acc": "0.8"}, 13),
        ({"classes": (300, 300), "folds": 2, "mcc": "0.80"}, 13),
    ],
)
def test_means_counts_and_ranges_take_about_what_is_planned(fields, seconds):
    assert seconds / 2 < cm.plan(audit, **fields).seconds < 4 * seconds


def test_counts_and_ranges_are_planned_to_take_what_is_left():
    with cm.budget(seconds=3, memory=2**28):
        planned = cm.plan(audit, classes=(1600, 1600), folds=2, acc="0.8")
        assert 2.9 < planned.seconds <= 3
        assert cm.plan(audit, classes=(100, 100), folds=10, acc="0.9", f1="0.9").bytes <= 2**28
