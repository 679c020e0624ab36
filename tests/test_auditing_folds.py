"""Whether means over folds are possible, against all choices of matrices, and their certificates."""

import json
import time
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
from forgeries import AUDITOR
from printed import HALF_UP, rejected, score_of, shown

import confmat as cm
from confmat.auditing import Report, audit
from confmat.certificates import check, misses, sealed
from confmat.errors import TooLarge

steps = AUDITOR.steps


@pytest.mark.parametrize("folds", ["4", True, 2.5, [(4, 4), 4], [(4, "x"), (4, 4)]])
def test_folds_are_whole_numbers(folds):
    with pytest.raises(TypeError, match="folds"):
        Report.of(classes=(8, 8), acc="0.9375", folds=folds)


def test_one_fold_is_the_audit_itself(confmat):
    assert Report.of(classes=(9, 9), acc="0.94", folds=1) == Report.of(classes=(9, 9), acc="0.94")
    assert Report.of(classes=(9, 9), acc="0.94", folds=[(9, 9)]).folds is None
    words = ("audit", "--classes", "9,9", "--acc", "0.94")
    assert confmat(*words, "--folds", "1") == confmat(*words)


def test_folds_are_planned_and_refused_with_a_forecast(confmat, tmp_path, monkeypatch):
    file = tmp_path / "f.csv"
    file.write_text("classes,acc\n9;9,0.94\n")
    code, out, err = confmat("audit", "--reports", str(file), "--plan")
    assert (code, out) == (2, "")
    assert "--plan is of one report, not of --reports" in err
    assert cm.plan(audit, classes=(9, 9), acc="0.94", folds=3).method == "means of folds"
    with pytest.raises(
        TooLarge, match="a listing of 1,988,540,048,939,751 matrices of a fold with classes of 500"
    ):
        audit(classes=(1000, 1000, 1000), acc="0.5", folds=2)
    # What is added grows with sums times matrices, what is kept with sums: the first is too much a fold earlier.
    for limit, sums in (("MOST_ADDED", "15 sums of 1"), ("MOST_BITS", "120 sums of 2")):
        with monkeypatch.context() as patched:
            patched.setattr(f"confmat.certificates.means.{limit}", 10**7)
            patched.setattr("confmat.auditing.folds.PATIENCE_OF_CHOICES", 1e-9)
            with pytest.raises(
                TooLarge, match=f"reach: {sums} of 5 folds, and those of one more, are too many"
            ):
                audit(classes=(30, 30), f1="0.9", ari="0.6", folds=5)


def test_sums_of_folds_are_part_of_the_forecast_and_of_the_budget():
    large = {"classes": (100, 100), "mcc": "0.81234567", "f1": "0.90123456", "nmi": "0.61234567", "folds": 10}
    planned = cm.plan(audit, classes=(100, 100), mcc="0.8123", nmi="0.6123", folds=10)
    assert 10 < planned.seconds < 60  # 27 s, 1.7 GB
    assert 2**30 < planned.bytes < 2**32
    with cm.budget(seconds=5, memory=1), pytest.raises(TooLarge):
        audit(**large)
    fields = {"classes": (30, 30), "mcc": "0.79", "nmi": "0.56", "folds": 3}
    report = Report.of(**fields)
    folds = [{*map(tuple, np.random.default_rng(1).integers(0, 20000, (120, 2)).tolist())}] * 3
    folds = [{(*x, 1) for x in fold} for fold in folds]
    kept = AUDITOR.SumsOfFolds(folds, report.question.windows, (10**4, 10**4), [1, 1]).kept / 8
    assert kept / 4 < cm.plan(audit, **fields).bytes < 8 * kept


def test_a_short_certificate_with_a_long_grid_is_refused_at_once():
    said = json.loads(audit(**HALF_UP, mcc="0.81", f1="0.9").certificate())
    said |= {"n": 4000, "rows": [2000] * 2, "folds": [[2, 2]] * 1000, "grid": [10**7] * 2}
    for key in ("format", "version", "kind", "digest"):
        del said[key]
    hostile = sealed("audit", said)
    start = time.process_time()
    with pytest.raises(TooLarge, match="are too many"):
        check(hostile)
    assert time.process_time() - start < 5


# --- folds, and what audits detect ------------------------------------------------------------------


def test_means_of_folds_are_what_trying_all_folds_finds():
    rng, possible = np.random.default_rng(1), 0
    for _ in range(25):
        rows, k = rng.integers(1, 4, 2).tolist(), int(rng.integers(2, 4))
        names = list(map(str, rng.permutation(["acc", "ari", "f1", "mcc"])[: rng.integers(1, 3)]))
        whole = {"classes": [x * k for x in rows]}
        judged = Report.of(**whole, **dict.fromkeys(names, "0")).judged
        members = cm.classes.FixedRows(rows, len(rows))
        one = {tuple(score_of(score, member) for score in judged) for member in members}
        means = {tuple(sum(x) / k for x in zip(*some)) for some in combinations_with_replacement(one, k)}
        digits = [shown(x, 3) for x in list(means)[rng.integers(len(means))]]
        digits[0] = (
            digits[0][:-1] + str(rng.integers(10)) if rng.integers(2) and digits[0] < "1" else digits[0]
        )
        fields = whole | {name: x.replace("-0.000", "0.000") for name, x in zip(names, digits)} | {"folds": k}
        windows = Report.of(**fields).question.windows
        expected = any(not any(misses((x, x), w) for x, w in zip(some, windows)) for some in means)
        possible += expected
        found = audit(**fields)
        assert found.possible is expected, (rows, k, fields)
        check(found.certificate())
        if expected:
            values = [[score_of(x, m) for x in found.report.judged] for m in found.some[0]]
            some = [sum(x) / k for x in zip(*values)]
            assert not any(misses((x, x), w) for x, w in zip(some, windows))
    assert 5 < possible < 25


def test_folds_of_other_sizes_and_those_that_are_refused():
    some = {"classes": (5, 4), "folds": [(3, 2), (2, 2)]}
    assert audit(acc="0.90", **some).possible  # (1 + 3/4)/2 = .875, (4/5 + 1)/2 = .9
    assert not audit(acc="0.95", **some).possible
    for fields, says in (
        ({"folds": 2}, r"sizes of the classes in each, such as \[\(3, 2\), \(2, 2\)\], got 2"),
        ({"folds": [(5, 5)]}, "folds must add up to the classes"),
        ({"folds": [(5, 4), (0, 0)]}, "folds must hold an object each"),
        ({"folds": 0}, "folds must be at least 1"),
        ({"folds": 3, "columns": (5, 4)}, "folds need classes of known sizes alone"),
        ({"folds": 3, "clusters": 2}, "folds need classes of known sizes alone"),
    ):
        with pytest.raises(ValueError, match=says):
            Report.of(classes=(5, 4), ri="0.90", **fields)


@pytest.mark.parametrize("folds", [((2, 2), (0,)), ((2, 2), (0, 0)), ((2, 1),), ((1, 1), (1, 1, 0))])
def test_folds_of_a_report_are_checked_however_it_is_made(folds):
    fields = {"scores": {"acc": "0.9"}, "n": 4, "shape": (2, 2), "rows": (2, 2)}
    with pytest.raises(ValueError, match="folds must"):
        Report(**fields, folds=folds)
    assert Report(**fields, folds=((2, 2),)) == Report(**fields)
    with pytest.raises(ValueError, match="folds need classes of known sizes alone"):
        Report(**fields, columns=(2, 2), folds=((1, 1), (1, 1)))


def test_words_say_how_many_folds_have_a_size_or_a_matrix():
    report = Report.of(classes=(8, 8), acc="1.00", folds=[(4, 4), (2, 2), (2, 2)])
    sizes = "4, 4 (1 fold); 2, 2 (2 folds)"
    assert report.matrices() == f"choices of 3 confusion matrices of classes of {sizes}, one a fold"
    found = audit(report)
    assert f"{sizes}, one a fold, has mean accuracy 1.00" in found.sentence()
    assert dict(found.lines())["one of them"] == "4,0;0,4 in 1 fold, 2,0;0,2 in 2 folds"
    assert "rows of 8, 8, in folds of 4, 4 (1 fold); 2, 2 (2 folds) (" in check(found.certificate())


# --- certificates -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scores",
    [
        {"acc": "0.875"},
        {"acc": "0.900", "ari": "0.650"},
        {"mcc": "0.81", "f1": "0.9"},
        {"nmi": "0.7", "gmean": "0.1"},
    ],
)
def test_certificates_of_means_are_right_and_forged_ones_are_not(scores):
    found = audit(**HALF_UP, **scores)
    said = json.loads(found.certificate())
    about = "choice of 2 x 2 confusion matrices of 12 objects in rows of 6, 6, in folds of 2, 2 (3 folds)"
    means = ", ".join(f"{name} {digits}" for name, digits in scores.items())
    assert not found.possible
    assert f"no {about} (rounding half-up, 0/0 counts 0) has means {means} (9 matrices tried)" in check(
        json.dumps(said)
    )
    rejected(said | {"possible": True})
    rejected(said | {"possible": True, "matrices": [[[2, 0], [0, 2]]] * 3})
    for grid in (
        [],
        said["grid"] * 2,
        [0] * len(scores),
        [10**8] * len(scores),
        [1.5] * len(scores),
        [True] * 2,
    ):
        rejected(said | {"grid": grid})
    for folds in (
        [[2, 2]] * 2,
        [[2, 2, 0]] * 3,
        [[-1, 2], [7, 4]],
        [[0, 0], [2, 2], [4, 4]],
        "folds",
        [[2, 2], 4],
        [[2.0, 2]] * 3,
        [[6, 6], [0, 0]],
        [[6, 6]],
    ):
        rejected(said | {"folds": folds})
    rejected({key: x for key, x in said.items() if key != "folds"})
    rejected(said | {"scores": {next(iter(scores)): "1.00"}, "grid": said["grid"][:1]})


def test_rational_roots_are_counted_as_the_checker_counts_them():
    """27/125 has the cube root 3/5; as a double it was a step less, and the checker rejected what was right."""
    found = audit(
        classes=(6, 6, 6),
        folds=[(5, 5, 5), (1, 1, 1)],
        gmean="0.8001",
        rounding="truncation",
    )
    assert not found.possible
    assert "gmean 0.8001" in check(found.certificate())


def test_matrices_of_folds_are_compared_with_what_was_printed():
    found = audit(**HALF_UP, acc="0.917", ari="0.667")
    assert found.possible
    assert (found.matrices, found.complete) == (6, False)
    assert found.sentence().startswith("6 of the choices of 3 confusion matrices")
    assert dict(found.lines())["choices of matrices"] == "6"
    assert dict(found.lines())["ari"] == "0.666667 .. 0.666667"
    said = json.loads(found.certificate())
    assert "means acc 0.917, ari 0.667 are possible in a choice of 2 x 2 confusion matrices" in check(
        json.dumps(said)
    )
    (tables,) = found.some.tolist()
    for matrices in (
        tables[:2],
        [[[2, 0], [0, 2]]] * 3,
        [[[2, 0], [2, 0]]] * 3,
        [[[3, -1], [0, 2]], *tables[1:]],
        [],
    ):
        rejected(said | {"matrices": matrices})
    rejected(said | {"possible": False})
    for folds in ([[2, 2], [2, 1], [2, 3]], [[2, 2]] * 2):
        rejected(said | {"folds": folds})


def test_a_certificate_of_folds_too_large_for_the_checker_is_refused(monkeypatch):
    found = audit(**HALF_UP, acc="0.875")
    with monkeypatch.context() as patched:
        patched.setattr("confmat.auditing.audits.MOST_MATRICES", 8)
        with pytest.raises(TooLarge, match="impossible tries 9 matrices of folds"):
            found.certificate()
        assert "certificate" not in found.sentence()
    monkeypatch.setattr("confmat.certificates.reports.MOST_MATRICES", 8)
    with pytest.raises(TooLarge, match="9 matrices of folds are too many for this file, which takes 8"):
        check(found.certificate())


@pytest.mark.parametrize("rows", [(3,), (2, 1), (0, 2), (1, 2, 1)])
def test_the_checker_lists_every_matrix_of_a_fold(rows):
    found = [*AUDITOR.every_matrix(rows)]
    assert len({*found}) == len(found) == AUDITOR.matrices_of(rows)
    assert {*found} == {tuple(map(tuple, m.tolist())) for m in cm.classes.FixedRows(rows, len(rows))}


def test_scores_of_folds_are_counted_in_whole_steps():
    """Rounded down, and said where there is more; of roots and logarithms too, at a step or next to one."""
    assert steps(["acc", "ari"], ((1, 1), (0, 2)), 0, (4, 10)) == ((7, 10), [False, False])
    assert steps(["mcc"], ((3, 0), (0, 2)), 0, (7,)) == ((14,), [False])
    assert steps(["mcc"], ((2, 1), (0, 2)), 0, (10**7,)) == ((16666666,), [True])  # 2/3
    root = 8**0.5 / 3  # recalls 1, 8/9: sqrt(8)/3, 0.942809041582063...
    assert steps(["gmean"], ((1, 0), (1, 8)), 0, (10**7,)) == ((10**7 + int(root * 10**7),), [True])


def test_scores_next_to_a_step_are_computed_to_more_places(monkeypatch):
    class Coarse(AUDITOR.MatrixBox):
        def __init__(self, *args):
            super().__init__(*args)
            self.places = 1

    tables = [m.tolist() for m in cm.classes.FixedRows((3, 4), 2)]
    fine = [steps(["mcc", "gmean", "nmi"], m, 0, (10, 100, 7)) for m in tables]
    monkeypatch.setattr(AUDITOR, "MatrixBox", Coarse)
    assert [steps(["mcc", "gmean", "nmi"], m, 0, (10, 100, 7)) for m in tables] == fine


@pytest.mark.parametrize(
    ("acc", "possible"), [("0.2", True), ("0.3", False), ("0.5", True), ("0.7", False), ("0.8", True)]
)
def test_means_at_the_ends_of_a_window_belong_to_it_or_not(acc, possible):
    """Half to even 1/4 is 0.2 and 3/4 is 0.8: the means of two folds are multiples of 1/4."""
    found = audit(classes=(2, 2), folds=2, acc=acc, rounding="half-even")
    assert found.possible is possible
    check(found.certificate())


def test_sums_of_steps_are_those_of_all_choices():
    """Surely as printed are sums that are so whatever was rounded down, up to a step a fold; perhaps for some of it."""
    rng, answers = np.random.default_rng(2), Counter()
    for _ in range(150):
        scores, k, q = (int(x) for x in rng.integers(1, 4, 3))
        sizes = rng.integers(1, 4, k)
        folds = [
            {(*x, int(rng.integers(2))) for x in rng.integers(0, 5, (int(size), scores)).tolist()}
            for size in sizes
        ]
        more = rng.integers(0, 2, scores).tolist()
        lows, widths = rng.integers(-1, 6 * k, scores).tolist(), rng.integers(1, 9, scores).tolist()
        closed = rng.integers(0, 2, (scores, 2)).astype(bool).tolist()
        units = [
            (Fraction(a, 2), Fraction(a + b, 2)) for a, b in zip(lows, widths)
        ]  # in steps, over all folds
        windows = [(a / q / k - 1, b / q / k - 1, *x) for (a, b), x in zip(units, closed)]
        sums = AUDITOR.SumsOfFolds(folds, windows, [q] * scores, more)
        every = {tuple(map(sum, zip(*x))) for x in product(*folds)}

        def within(x, unit, ends):
            return not misses((x, x), (*unit, *ends))

        surely = {
            (*total, rounded)
            for *total, rounded in every
            if all(
                all(within(x + y, *z) for y in {0, rounded * m})
                for x, m, *z in zip(total, more, units, closed)
            )
        }
        perhaps = {
            (*total, rounded)
            for *total, rounded in every
            if all(
                any(within(x + Fraction(y, 4), *z) for y in range(4 * rounded * m + 1))
                for x, m, *z in zip(total, more, units, closed)
            )
        }
        for sure, expected in ((True, surely), (False, perhaps)):
            found = sums.met(sure)
            assert (found is not None) is bool(expected)
            assert found is None or tuple(x for _, x in sorted(zip(sums.order, found))) in expected
            answers[sure, bool(expected)] += 1
    assert min(answers.values()) > 20


def test_means_of_rational_scores_at_an_end_of_what_is_printed_are_told_from_irrational_ones():
    """MCCs of 1, 2/3 and -1/6, cut to 0.50 on average: no decimal grid has steps for all of them."""
    found = audit(classes=(9, 6), folds=3, rounding="truncation", mcc="0.50")
    assert found.possible
    assert found.matrices == 9  # as tried one by one
    assert sum(score_of(found.report.judged[0], m) for m in found.some[0]) >= Fraction(3, 2)
    check(found.certificate())
