"""Audits of printed scores, against every matrix of small classes, true reports, and forged certificates."""

import json
import tracemalloc
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest

import confmat as cm
from confmat.auditing import Report, audit, audits, boxes, folds_possible, power
from confmat.auditing.boxes import fitting, forecast, members, proof, size
from confmat.auditing.folds import attainable
from confmat.auditing.scores import _QUICK, SCORES, Score
from confmat.certificates import check
from confmat.certificates.ranges import OF_CLUSTERINGS, Box, misses, score, window
from confmat.certificates.seals import CHECKS
from confmat.certificates.verdict import Unreadable, Wrong, seal
from confmat.certificates.verdict import check as check_alone
from confmat.errors import ConsistencyError, TooLarge

MODES = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN, "truncation": ROUND_DOWN}


def shown(x, places, rounding="half-up"):
    """A number as it is printed; of the doubles that stand for roots and logarithms none is near an end."""
    with localcontext(prec=60):
        exact = Fraction(x) if isinstance(x, Fraction) else Fraction(float(x))
        value = Decimal(exact.numerator) / exact.denominator
        return str(value.quantize(Decimal(1).scaleb(-places), rounding=MODES[rounding]))


def table(rng, r, s, n, diagonal=0.0):
    """A random table without empty rows, with more on the diagonal."""
    weights = (rng.random((r, s)) + diagonal * np.eye(r, s)).ravel()
    found = rng.multinomial(n, weights / weights.sum()).reshape(r, s)
    return found if found.sum(axis=1).all() else table(rng, r, s, n, diagonal)


# --- what is printed --------------------------------------------------------------------------------


@pytest.mark.parametrize("rounding", MODES)
def test_a_window_holds_what_is_printed_so_and_nothing_else(rounding):
    for k, places in product(range(-240, 241), (0, 1, 2)):
        x = Fraction(k, 160)  # many are ties
        for step in (-1, 0, 1):
            other = shown(x + Fraction(step, 10**places), places, rounding)
            other = other.lstrip("-") if Decimal(other) == 0 else other  # zero is printed without a sign
            same = Decimal(other) == Decimal(shown(x, places, rounding))
            assert misses((x, x), window(other, rounding)) is not same, (x, other)
            assert not (same and misses((x, x), window(other, "any"))), (x, other)


def test_digits_are_texts_and_percents_are_hundredths():
    assert window("89.3%", "half-up") == window("0.893", "half-up") == window(".893", "half-up")
    assert window("0.90", "any") != window("0.9", "any")
    assert window("0", "any") == (-1, 1, False, False)
    assert window("1.", "truncation") == (1, 2, True, False)


# --- ranges over boxes ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_ranges_hold_every_score_and_are_exact_at_a_matrix(seed):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        k = int(rng.integers(2, 5))
        m = table(rng, k, k, int(rng.integers(k, 25)), diagonal=1)
        spread = int(rng.integers(0, 4))
        rows = m.sum(axis=1).tolist()
        undefined = Fraction(int(rng.integers(0, 2)))
        low = np.maximum(0, m - rng.integers(0, spread + 1, m.shape)).tolist()
        high = np.minimum(m.sum(axis=1)[:, None], m + rng.integers(0, spread + 1, m.shape)).tolist()
        for name in [*SCORES, f"f1_{k}", "precision_1"]:
            value = Score.of(name, k, undefined).of_table(m)
            box = Box(rows, low, high, undefined)
            if spread == 2:
                box.least = box.most = m.sum(axis=0).tolist()
            a, b = score(name, box)
            assert a <= value <= b or (name == "gmean" and a - 1e-12 <= value <= b + 1e-12), (
                name,
                m,
                low,
                high,
            )
            a, b = score(name, Box(rows, m.tolist(), m.tolist(), undefined))
            assert b - a < Fraction(1, 10**20), (name, m)


def test_many_matrices_have_the_scores_that_each_has():
    rng = np.random.default_rng(5)
    for k, undefined in product((2, 3), (Fraction(0), Fraction(1))):
        tables = np.array([table(rng, k, k, 7, diagonal=1) for _ in range(30)])
        rows = tables[0].sum(axis=1)
        tables = tables[(tables.sum(axis=2) == rows).all(axis=1)]
        for name in [*SCORES, "recall_2"]:
            one = Score.of(name, k, undefined)
            keys, which = one.keys(tables)
            for m, i in zip(tables, which):
                assert one.value(keys[i]) == one.of_table(m)
                if one.statistic.batch is not None and one.statistic.function is not None:
                    alone = one.statistic.function(m)
                    assert keys[i] == (undefined if alone != alone else alone), (name, m)


# --- against every matrix ---------------------------------------------------------------------------


def reports(seed, count):
    """Reports of random matrices, some of them forged, of few objects: their fields."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        k, n, places = int(rng.integers(2, 4)), int(rng.integers(4, 9)), int(rng.integers(1, 4))
        paired = bool(rng.integers(0, 2))
        s = k if paired else int(rng.integers(2, 4))
        m = table(rng, k, s, n, diagonal=2 * paired)
        empty = not paired and not m.sum(axis=0).all()
        names = rng.permutation([*(SCORES if paired else OF_CLUSTERINGS)])[: rng.integers(1, 4)]
        rounding = str(rng.choice([*MODES]))
        scores = {
            str(x): shown(Score.of(str(x), k, Fraction(0)).of_table(m), places, rounding) for x in names
        }
        if rng.integers(0, 2):  # one changed digit
            name = str(rng.choice(names))
            scores[name] = scores[name][:-1] + str(rng.integers(0, 10))
        known = {"classes": m.sum(axis=1).tolist()} if rng.integers(0, 2) else {"n": n}
        if paired:
            known.setdefault("classes", k)
        else:
            known |= {"clusters": s if "classes" in known else (k, s), "empty": bool(empty)}
        if m[0, 0] % 3 == 0:
            known["columns"] = m.sum(axis=0).tolist()
        yield known | scores | {"rounding": rounding if rng.integers(0, 2) else "any"}


def every_matrix(report):
    """All matrices that a report may be of."""
    r, s = report.shape
    for m in cm.Tables(report.n, r, s, empty=True):
        rows, cols = m.sum(axis=1), m.sum(axis=0)
        if report.rows is None:
            if (report.paired or not report.empty) and not rows.all():
                continue
        elif tuple(rows) != report.rows:
            continue
        if report.columns is not None:
            if tuple(cols) == report.columns:
                yield m
        elif report.paired or report.empty or cols.all():
            yield m


def fits(report, m):
    """Whether a matrix has all scores as they were printed."""
    values = (one.of_table(m) for one in report.judged)
    return not any(misses((x, x), w) for x, w in zip(values, report.question.windows))


@pytest.mark.parametrize("seed", [0, *(pytest.param(x, marks=pytest.mark.slow) for x in range(1, 9))])
def test_audits_find_what_trying_every_matrix_finds(seed):
    possible = 0
    for fields in reports(seed, 10):
        report = Report.of(**fields)
        expected = [m for m in every_matrix(report) if fits(report, m)]
        found = audit(report)
        possible += found.possible
        assert (found.possible, found.matrices) == (bool(expected), len(expected)), fields
        assert check(found.certificate())
        if expected:
            for name, (a, b) in found.ranges.items():
                values = [Score.of(name, report.shape[0], Fraction(0)).of_table(m) for m in expected]
                assert (a, b) == (min(values), max(values)), (fields, name)
    assert 1 < possible < 10


def test_a_true_report_is_possible_and_the_truth_is_among_the_answers():
    rng = np.random.default_rng(8)
    for classes, places in (((50, 50, 50), 3), ((20, 60), 4), ((15, 20, 25, 30), 4)):
        m = np.array(
            [
                rng.multinomial(c, 0.06 * np.ones(len(classes)) / len(classes) + 0.94 * e)
                for c, e in zip(classes, np.eye(len(classes)))
            ]
        )
        scores = {
            x: shown(Score.of(x, len(classes), Fraction(0)).of_table(m), places)
            for x in ("acc", "ari", "f1", "mcc")
        }
        found = audit(classes=classes, **scores)
        assert found.complete
        assert m.tolist() in found.some.tolist()
        for name, (a, b) in found.ranges.items():
            assert a <= Score.of(name, len(classes), Fraction(0)).of_table(m) <= b


# --- the example of the relaxation, and degenerate reports ------------------------------------------


def test_scores_that_fit_one_by_one_need_not_fit_together():
    """Intervals of tp and tn that fit each score do not make a matrix: checks by relaxation call this consistent."""
    scores = {"acc": ".7700", "kappa": ".5401", "mcc": ".5625"}
    found = audit(classes=(100, 100), **scores)
    assert not found.possible
    assert found.culprits == ("kappa",)
    assert audit(classes=(100, 100), acc=".7700", kappa=".5400", mcc=".5625").possible
    report = Report.of(classes=(100, 100), **scores)
    tables = np.array([[[tp, 100 - tp], [tp - 54, 154 - tp]] for tp in range(54, 101)])  # accuracy .77
    assert not np.all(
        [x.fits(tables, w) for x, w in zip(report.judged, report.question.windows)], axis=0
    ).any()


def test_what_is_possible_another_check_calls_consistent_and_where_it_does_so_wrongly_no_matrix_is():
    """Sixty reports of binary classifiers, half of them with a changed digit, as mlscorecheck judged them."""
    recorded = json.loads((Path(__file__).parent / "oracles" / "mlscorecheck.json").read_text())["reports"]
    relaxed = 0
    for one in recorded:
        p, n = one["classes"]
        kinds = [Report.of(classes=(p, n), rounding=x, **one["scores"]) for x in ("half-up", "half-even")]
        possible = any(audit(report).possible for report in kinds)
        assert one["consistent"] or not possible, one
        if one["consistent"] and not possible:
            relaxed += 1
            tables = np.array([[[x, p - x], [n - y, y]] for x, y in product(range(p + 1), range(n + 1))])
            for report in kinds:
                for score, printed in zip(report.judged, report.question.windows):
                    tables = tables[score.fits(tables, printed)] if len(tables) else tables
            assert len(tables) == 0, one
    assert len(recorded) == 60
    assert relaxed == 6


@pytest.mark.parametrize(
    ("fields", "matrices"),
    [
        ({"classes": (1,), "acc": "1.0"}, 1),
        ({"classes": (1,), "acc": "0.5"}, 0),
        ({"classes": (3, 0), "acc": "1.00", "recall": "0.50"}, 1),  # an empty class counts 0 in macro recall
        ({"classes": (3, 0), "acc": "1.00", "recall": "1.00", "undefined": 1}, 1),
        ({"classes": (3, 0), "bacc": "1.00"}, 1),
        ({"classes": (2, 2), "kappa": "0.00", "mcc": "0.00", "acc": "0.50", "precision": "0.25"}, 2),
        ({"n": 1, "clusters": (1, 1), "ari": "1.00", "nmi": "1.00", "med": "0.00"}, 1),
        ({"n": 3, "clusters": (3, 3), "ari": "1.00", "jaccard": "0"}, 6),
        ({"n": 3, "clusters": (3, 1), "ari": "0.00"}, 1),
        ({"classes": (10**12,), "acc": "1"}, 1),
    ],
)
def test_degenerate_reports_have_an_answer(fields, matrices):
    assert audit(**fields).matrices == matrices


ENDS = [  # a report whose only candidate is at an end of a window, or next to one, and whether it is printed so
    ({"classes": (1, 1), "nmi": "0.9"}, False),  # NMI 1, or 0
    ({"classes": (1, 1), "nmi": "1", "rounding": "truncation"}, True),
    ({"n": 4, "clusters": (3, 2), "empty": True, "fm": "1.0", "nmi": "0.9"}, False),
    ({"classes": (5, 5), "med": "0.00", "nmi": "0.99"}, False),
    ({"classes": (2, 0, 0), "acc": "1.0"}, True),
]
for digits in ("61237243569579452454932101", "6123724356957945245493210186764728479914868701641675"):
    for step in (-1, 0, 1):  # MCC sqrt(3/8), to more places than any box begins with
        fields = {"classes": (3, 2), "mcc": f"0.{int(digits) + step}", "rounding": "truncation"}
        ENDS.append((fields, step == 0))


@pytest.mark.parametrize(("fields", "possible"), ENDS)
def test_a_score_at_an_end_of_its_window_is_decided_exactly(fields, possible):
    found = audit(**fields)
    assert found.possible is possible
    check(found.certificate())


@pytest.mark.parametrize(
    ("classes", "columns", "ari"),
    [
        ((99999998, 2), (99999999, 1), "0.666666655"),
        ((999999993, 7), (999999996, 4), "0.36363635"),
        ((5 * 10**9 - 7, 7), (5 * 10**9 - 4, 4), "0.36363636"),  # pairs beyond 2^63
        ((5 * 10**9,), (5 * 10**9,), "1.0"),  # 0/0
    ],
)
def test_doubles_leave_out_no_matrix_of_many_objects(classes, columns, ari):
    found = audit(classes=classes, clusters=len(columns), columns=columns, ari=ari, rounding="truncation")
    assert found.possible


@pytest.mark.parametrize("name", _QUICK)
@pytest.mark.parametrize("n", [10**6, 10**8, 2**32])
def test_doubles_are_nearer_to_exact_values_than_the_guard(name, n):
    rng = np.random.default_rng(0)
    score = Score.of(name, 2, Fraction(0))
    for others in [
        [0, 0, 1],
        [0, 0, 2],
        [1, 1, 0],
        *rng.integers(0, 5, (10, 3)),
        *rng.integers(0, n // 3, (5, 3)),
    ]:
        tables = rng.permutation([n - sum(others), *others]).reshape(1, 2, 2)
        exact = Fraction(float(score.keys(tables)[0][0]))
        assert score.near(tables, (exact, exact, True, True)).all(), tables.tolist()
        assert abs(score.rough(tables)[0] - float(exact)) < 2e-16 * n  # the guard is 4e-15 * n


def test_rows_are_listed_without_more_than_they_are():
    for low, high, total in [
        ([0, 1, 0], [3, 2, 4], 5),
        ([0, 0], [2, 2], 5),
        ([2], [4], 3),
        ([1, 1], [1, 1], 1),
    ]:
        every = [x for x in product(*(range(a, b + 1) for a, b in zip(low, high))) if sum(x) == total]
        assert list(map(tuple, boxes._rows(low, high, total).tolist())) == every
    tracemalloc.start()
    boxes._rows([0, 0], [10**5, 10**5], 10**5)
    assert tracemalloc.get_traced_memory()[1] < 10**8  # 10^10 values were formed for 10^5 + 1 rows
    tracemalloc.stop()


def test_the_nmi_of_a_matrix_is_a_fraction_where_it_is_one():
    def nmi(table):
        return Box([*map(sum, table)], table, table, 0).nmi()

    singles = [[1] * 4 + [0] * 4, [0] * 4 + [1] * 4]
    assert nmi(singles) == (Fraction(1, 2), Fraction(1, 2))
    for digits, missed in (("0.4", True), ("0.5", False)):
        asked = Report.of(classes=(4, 4), clusters=8, nmi=digits, rounding="truncation").question
        assert asked.missed(asked.box((4, 4), singles, singles), 0) is missed
    assert nmi([[10**30, 0], [0, 10**30]]) == nmi([[5, 0], [0, 7]]) == (1, 1)
    assert nmi([[3, 3], [3, 3]]) == (0, 0)
    a, b = nmi([[2, 1], [0, 2]])
    assert 0 < b - a <= Fraction(2, 10**25)


@pytest.mark.parametrize("columns", [None, (2, 2, 2), (3, 2, 1), (4, 1, 1)])
def test_row_sums_that_may_change_places_stand_for_all(columns):
    """All matrices are counted; a class that is named, and columns that differ, stay in their places."""
    for fields in ({"acc": "0.5"}, {"recall_2": "0.5"}, {"f1_1": "0.5", "recall_3": "0.5"}):
        report = Report.of(n=6, classes=3, columns=columns, **fields)
        every = [m for m in every_matrix(report) if fits(report, m)]
        assert audit(report).matrices == len(every)
    twelve = Report.of(n=14, classes=12, recall_1="0.5").question
    assert len([*twelve.margins()]) == 4  # 3 for the first class, 2 and one more, 1 and two more in 2 ways


def test_known_sizes_of_columns_are_kept():
    fields = {"classes": (6, 5, 4), "acc": "0.80", "columns": (7, 3, 5)}
    question = Report.of(**fields).question
    whole = question.box((6, 5, 4))
    found = members(question, whole)
    fitting_ = [m for m in cm.FixedMargins((6, 5, 4), (7, 3, 5)) if np.trace(m) == 12]
    assert sorted(map(np.ndarray.tolist, found)) == sorted(map(np.ndarray.tolist, fitting_))
    assert len(found) <= size(question, whole)
    printed = audit(**fields)
    assert printed.matrices == len(fitting_)
    assert "in rows of 6, 5, 4 in columns of 7, 3, 5" in check(printed.certificate())
    said = json.loads(printed.certificate())
    said.pop("digest")
    rejected(said | {"columns": [7, 4, 4]})
    with pytest.raises(ValueError, match=r"columns must be 3 numbers with the sum 15, not \[7, 8\]"):
        audit(classes=(6, 5, 4), acc="0.80", columns=(7, 8))
    with pytest.raises(ValueError, match="folds need classes of known sizes alone"):
        folds_possible(Report.of(**fields), 1)


def test_large_clusterings_of_a_printed_nmi_are_decided():
    found = audit(classes=(2000,) * 4, clusters=4, nmi="0.9123")
    assert abs(float(cm.nmi(found.some[0])) - 0.9123) <= 1e-4
    assert not audit(classes=(2000,) * 4, acc="0.900", nmi="0.9123").possible


def test_means_of_recalls_are_as_narrow_as_the_accuracy():
    """With classes of one size they are one number, however many matrices there are."""
    found = audit(classes=(1000,) * 3, acc="96.47%", bacc="96.17%")
    assert not found.possible
    assert "(1 boxes)" in check(found.certificate())


def test_ten_classes_are_decided():
    found = audit(classes=(100,) * 10, acc="0.950", kappa="0.944")
    assert found.possible
    assert found.matrices is None
    assert not found.complete
    assert not audit(classes=(100,) * 10, acc="0.950", kappa="0.940").possible


def test_beyond_reach_is_refused_with_a_forecast():
    with pytest.raises(TooLarge, match="ways to divide the rows"):
        audit(n=10**6, clusters=(3, 3), ari="0.5")
    assert cm.plan(cm.audit, classes=(50, 50, 50), acc="0.893", ari="0.7302").method == "listing"
    assert cm.plan(cm.audit, classes=(10**4,) * 5, acc="0.893", ari="0.7302").method == "deciding"


def test_boxes_hold_no_more_matrices_than_is_said():
    question = Report.of(classes=(6, 5, 4), acc="0.80").question
    whole = question.box((6, 5, 4))
    found = members(question, whole)
    assert len(np.unique(found, axis=0)) == len(found) <= size(question, whole)
    correct = [m for m in cm.classes.FixedRows((6, 5, 4), 3) if np.trace(m) == 12]
    assert sorted(map(np.ndarray.tolist, found)) == sorted(map(np.ndarray.tolist, correct))
    assert forecast(question, (6, 5, 4)) >= sum(map(len, fitting(question, (6, 5, 4), ()))) == len(correct)
    assert proof(question, (6, 5, 4), 1) is None


def test_a_culprit_that_stays_open_is_none_that_is_known(monkeypatch):
    asked = []

    def another(report, resources):
        asked.append(resources)
        if "acc" not in report.scores:
            raise TooLarge("open")
        return audit(report)

    resources = cm.Resources(seconds=60)
    found = audit(Report.of(classes=(50, 50, 50), acc="0.893", ari="0.7301"), resources=resources)
    monkeypatch.setattr(audits, "audit", another)
    assert found.culprits == ("ari",)
    assert asked == [resources, resources]


def test_boxes_of_a_proof_are_counted_over_all_row_sums():
    report = Report.of(n=7, clusters=(3, 3), ari="0.987")
    proofs = [proof(report.question, rows) for rows in report.question.margins()]
    boxes = sum(map(len, proofs))
    assert max(map(len, proofs)) < boxes - 1
    assert audits._proof(report, boxes).shape == (0, 3, 3)
    assert audits._proof(report, boxes - 1) is None


def test_a_forecast_stops_where_it_is_beyond_the_limit(monkeypatch):
    calls = []

    def counted(*args):
        calls.append(args)
        return forecast(*args)

    monkeypatch.setattr(audits, "forecast", counted)
    plan = cm.plan(audit, n=150, clusters=(3, 4), ari="0.5", ri="0.8")
    assert plan.method == "deciding"
    assert len(calls) < 20
    one = audits._cost_of_deciding(audits.Auditing(Report.of(classes=(50, 50, 50), clusters=4, ari="0.5")))
    assert plan.seconds > 10 * one.seconds  # a search for each of the row sums
    calls.clear()
    cm.plan(audit, n=9, clusters=(20, 20), empty=True, ari=".9")
    assert max(most for _, _, most in calls) < 10


@pytest.mark.parametrize(
    "fields",
    [
        {"n": 2**40, "clusters": (2, 2), "ari": "0.5"},
        {"n": 3000, "clusters": (2000, 2), "ari": "0.5"},
        {"n": 60, "classes": 8, "recall_1": "0.5"},
    ],
)
def test_too_many_ways_to_divide_the_rows_are_refused_before_they_are_counted(fields):
    with pytest.raises(TooLarge, match="more than 20,000 ways to divide the rows"):
        audit(**fields)


@pytest.mark.parametrize("n", [3, 5, 30])
def test_ways_to_divide_the_rows_are_all_counted(n, monkeypatch):
    """In the orders that count: a limit of as many is kept, of one less not."""
    for fields in ({"clusters": (3, 3), "ari": "0.5"}, {"classes": 3, "recall_1": "0.5"}):
        asked = audits.Auditing(Report.of(n=n, **fields))
        many = len([*asked.report.question.margins()])
        monkeypatch.setattr(audits, "_MOST_MARGINS", many)
        assert audits._too_many_margins(asked) is None
        monkeypatch.setattr(audits, "_MOST_MARGINS", many - 1)
        assert audits._too_many_margins(asked) is not None


def test_a_question_reads_as_a_sentence():
    assert "accuracy 0.9 of confusion matrices of classes of 5, 5" in str(
        audits.Auditing(Report.of(classes=(5, 5), acc="0.9"))
    )


@pytest.mark.parametrize("folds", [None, "4", True, 2.5, [(4, 4), 4], [(4, "x"), (4, 4)]])
def test_folds_are_whole_numbers(folds):
    with pytest.raises(TypeError, match="folds"):
        folds_possible(Report.of(classes=(8, 8), acc="0.9375"), folds)


def test_one_fold_is_the_audit_itself(confmat):
    report = Report.of(classes=(1000, 1000), acc="0.9990", ari="0.9970")  # too many to list
    assert folds_possible(report, 1) is audit(report).possible
    words = ("audit", "--classes", "9,9", "--acc", "0.94")
    assert confmat(*words, "--folds", "1") == confmat(*words)


def test_a_plan_computes_no_folds_and_no_files(confmat, tmp_path):
    file = tmp_path / "f.csv"
    file.write_text("classes,acc\n9;9,0.94\n")
    words = ("plan", "audit", "--classes", "9,9", "--acc", "0.94")
    for name, *rest in (("--folds", *words[1:], "--folds", "3"), ("--from", "audit", "--from", str(file))):
        code, out, err = confmat("plan", *rest)
        assert (code, out) == (2, "")
        assert f"plan knows no {name}" in err
    assert confmat(*words, "--folds", "1")[0] == 0


# --- folds, and what audits detect ------------------------------------------------------------------


def test_means_of_folds_are_what_trying_all_folds_finds():
    rng, possible = np.random.default_rng(1), 0
    for _ in range(25):
        rows, k = rng.integers(1, 4, 2).tolist(), int(rng.integers(2, 4))
        names = list(map(str, rng.permutation(["acc", "ari", "f1", "mcc"])[: rng.integers(1, 3)]))
        whole = {"classes": [x * k for x in rows]}
        one = attainable(Report.of(**whole, **dict.fromkeys(names, "0")), tuple(rows))
        means = {tuple(sum(x) / k for x in zip(*some)) for some in combinations_with_replacement(one, k)}
        digits = [shown(x, 3) for x in list(means)[rng.integers(len(means))]]
        digits[0] = digits[0][:-1] + str(rng.integers(10)) if rng.integers(2) else digits[0]
        report = Report.of(**whole, **{name: x.replace("-0.000", "0.000") for name, x in zip(names, digits)})
        windows = report.question.windows
        expected = any(not any(misses((x, x), w) for x, w in zip(some, windows)) for some in means)
        possible += expected
        assert folds_possible(report, k) is expected, (rows, k, report)
    assert 5 < possible < 25


def test_folds_of_other_sizes_and_those_that_are_refused():
    report = Report.of(classes=(5, 4), acc="0.90")
    assert folds_possible(report, [(3, 2), (2, 2)])  # (1 + 3/4)/2 = .875, (4/5 + 1)/2 = .9
    assert not folds_possible(Report.of(classes=(5, 4), acc="0.95"), [(3, 2), (2, 2)])
    with pytest.raises(ValueError, match="folds must divide every class"):
        folds_possible(report, 2)
    with pytest.raises(ValueError, match="folds must add up to the classes"):
        folds_possible(report, [(5, 5)])
    with pytest.raises(ValueError, match="folds need classes of known sizes"):
        folds_possible(Report.of(n=9, clusters=(2, 2), ari="0.5"), 3)
    with pytest.raises(TooLarge, match="a fold with classes of"):
        folds_possible(Report.of(classes=(1000, 1000, 1000), acc="0.5"), 2)


def test_power_is_the_share_of_changed_digits_that_audits_call_impossible():
    classes, errors, decimals = (4, 6), 3, 2
    share = Fraction(7, 10)
    tables = [m for m in cm.classes.FixedRows(classes, 2) if np.trace(m) == 7]
    detected = []
    for m in tables:
        digits = shown(cm.ari(m, exact=True), decimals)
        for x in set("0123456789") - {digits[-1]}:
            changed = digits[:-1] + x
            report = Report.of(classes=classes, acc=f"{float(share):.6f}", ari=changed, rounding="half-up")
            detected.append(not audit(report).possible)
    assert power(classes, errors, decimals) == Fraction(sum(detected), len(detected))
    assert power((50, 50, 50), 10, 3, ("f1", "ari")) > power((50, 50, 50), 10, 3)
    # Negative scores, rounded away from zero: as every digit of every matrix says.
    assert power((6, 6), 6, 2, ("ari",)) == Fraction(55, 63)
    assert power((3, 3, 3), 6, 2, ("ari",)) == Fraction(509, 657)
    with pytest.raises(ValueError, match="errors must be from 0 to 10, got 11"):
        power(classes, 11, 2)
    with pytest.raises(TooLarge):
        power((500, 500, 500), 300, 2)


def test_matrices_are_listed_some_at_a_time(monkeypatch):
    report = Report.of(classes=(6, 5), clusters=3, empty=True, ari="0.1")
    whole = np.concatenate([*fitting(report.question, (6, 5), report.judged)])
    monkeypatch.setattr(boxes, "_LISTED", 4)
    parts = [*fitting(report.question, (6, 5), report.judged)]
    assert max(map(len, parts)) <= 4
    assert sorted(np.concatenate(parts).tolist()) == sorted(whole.tolist())
    one = Report.of(classes=(3,), clusters=3, ari="0")  # most boxes have a column of zeros in all matrices
    assert [x.tolist() for x in fitting(one.question, (3,), one.judged)] == [[[[1, 1, 1]]]]


# --- certificates -----------------------------------------------------------------------------------

IMPOSSIBLE = {"classes": (20, 20), "acc": "0.900", "mcc": "0.809"}
POSSIBLE = {"classes": (20, 20), "acc": "0.900", "mcc": "0.800"}


def rejected(content):
    with pytest.raises((Wrong, Unreadable)):
        check_alone(json.dumps({**content, "digest": seal(content)}), CHECKS)


def test_forged_certificates_are_wrong():
    said = json.loads(audit(**IMPOSSIBLE).certificate())
    about = "2 x 2 confusion matrix of 40 objects in rows of 20, 20 (rounding any, 0/0 counts 0)"
    assert f"no {about} has acc 0.900, mcc 0.809" in check(json.dumps(said))
    (whole,) = said["proof"]
    for forged in ("", whole[:-1], whole + "a", whole.replace("b", "a", 1), "a", "b", whole[1:]):
        if forged != whole:
            rejected(said | {"proof": [forged]})
    rejected(said | {"proof": []})
    rejected(said | {"scores": {"acc": "0.900", "mcc": "0.800"}})
    rejected(said | {"possible": True})
    rejected(said | {"more": 1})
    for fields in (
        *({"rows": x} for x in ([40], [20, 21], [-1, 41], [20.0, 20], [True, 39], "ab", [])),
        *({"undefined": x} for x in ("1/0", "-1", "2", "3/2", "", "1e0", 0)),
        *({"n": x} for x in (True, 40.0, "40")),
    ):
        with pytest.raises(Unreadable):
            check_alone(json.dumps((changed := said | fields) | {"digest": seal(changed)}), CHECKS)
    right = json.loads(audit(**POSSIBLE).certificate())
    assert f"is possible in a {about}: " in check(json.dumps(right))
    for matrix in ([[18, 2], [3, 17]], [[17, 2], [2, 19]], [[18, 2], [2, 18, 0]], [[-18, 38], [2, 18]], []):
        rejected(right | {"matrix": matrix})
    rejected(right | {"possible": False, "proof": ["a"]})


def test_a_matrix_where_none_was_listed_is_a_fault(monkeypatch):
    found = audit(**POSSIBLE)
    lost = cm.auditing.Audit(found.report, False, 0, found.some[:0])
    with pytest.raises(ConsistencyError, match="but there is"):
        lost.certificate()
    monkeypatch.setattr("confmat.auditing.audits._MOST_BOXES", 3)
    with pytest.raises(TooLarge, match="more than 3 boxes"):
        audit(**IMPOSSIBLE).certificate()
    assert "certificate" not in audit(**IMPOSSIBLE).sentence()


# --- errors, and the command ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "give a report"),
        ({"classes": (3, 3)}, "scores must be 1 to 26"),
        ({"classes": (3, 3), "acc": 0.9}, "'0.90' and not 0.9, got 0.9"),
        ({"classes": (3, 3), "acc": "x"}, "acc must be a printed number such as 0.893 or 89.3%, got 'x'"),
        ({"classes": (3, 3), "acc": "٠.٩"}, "acc must be a printed number"),
        ({"classes": (3, 3), "arii": "0.9"}, "got 'arii'; did you mean ari?"),
        ({"classes": (3, 3), "f1_3": "0.9"}, "f1_3 must be of one of 2 classes"),
        ({"classes": 3, "acc": "0.9"}, "n must be given"),
        ({"classes": (3, 3), "n": 7, "acc": "1"}, "n must be the sum of classes, 6, got 7"),
        ({"n": 5, "clusters": (2, 2), "acc": "0.9"}, "acc needs classes in rows and columns"),
        ({"n": 5, "clusters": (2, 2, 2), "ari": "0.9"}, "clusters must be one number or two, got 3"),
        ({"n": 2, "clusters": (3, 3), "ari": "0.9"}, "n must be at least 3"),
        ({"classes": (3, 3), "acc": "1", "columns": 3}, "columns must be"),
        ({"classes": (3, 3), "acc": "1", "columns": (-1, 7)}, "columns"),
        ({"n": 5, "clusters": 2, "ari": "0.9"}, "give classes, or clusters as two numbers"),
        ({"classes": (0, 0), "acc": "1"}, "n must be at least 1, got 0"),
        ({"classes": (3, 3), "acc": "1", "rounding": "up"}, "rounding must be one of"),
        ({"classes": (3, 3), "acc": "1", "undefined": "x"}, "undefined must be a number, got 'x'"),
        ({"classes": (3, 3), "acc": "1", "undefined": -1}, "undefined must be from 0 to 1, got -1"),
        ({"classes": (3, 3), "acc": "1", "undefined": 1.5}, "undefined must be from 0 to 1, got 3/2"),
        ({"classes": (3, 3), "acc": "1", "empty": 2}, "empty must be True or False"),
    ],
)
def test_bad_reports_are_refused_by_name(fields, says):
    with pytest.raises((TypeError, ValueError)) as caught:
        audit(**fields)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_command_has_the_exit_codes_and_the_json_of_its_answer(confmat, tmp_path):
    code, out, _ = confmat("audit", "--classes", "50,50,50", "--acc", "0.893", "--ari", "0.7302", "--json")
    said = json.loads(out)
    assert (code, said["possible"], said["matrices"], said["report"]["scores"]) == (
        *(0, True, 6),
        {"acc": "0.893", "ari": "0.7302"},
    )
    assert said["ranges"]["kappa"]["least"] == {"exact": "21/25", "value": 0.84}
    assert len(said["some"]) == 6
    assert said["complete"]
    path = tmp_path / "impossible.json"
    code, out, _ = confmat(
        *(
            "audit",
            "--classes",
            "100,100",
            "--acc=.7700",
            "--kappa",
            ".5401",
            "--mcc",
            ".5625",
            "--certificate",
            path,
        )
    )
    assert code == 1
    assert "without kappa  possible" in out
    assert "None of the confusion matrices" in out
    assert confmat("verify", path)[0] == 0
    assert confmat("audit", "--classes", "50,50", "--kappa", "-0.9")[0] == 0
    code, out, _ = confmat("audit", "--classes", "50,50,50", "--columns", "50,49,51", "--ard", "0.0589877")
    assert code == 0
    assert "and columns of 50, 49, 51" in out
    code, out, _ = confmat("audit", "--classes", "9,9", "--acc", "0.94", "--folds", "3", "--json")
    assert (code, json.loads(out)["folds"]) == (0, 3)
    assert confmat("audit", "--classes", "9,9", "--acc", "0.95", "--folds", "3")[0] == 1
    code, out, _ = confmat("plan", "audit", "--classes", "50,50,50", "--acc", "0.893")
    assert code == 0
    assert "listing" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--classes", "50,50", "--acc"), "scores must be given as --acc 0.893"),
        (("--classes", "50,x", "--acc", "0.9"), "classes must be a whole number, got 'x'"),
        (("--classes", "50,50", "0.9"), "scores must be given as --acc 0.893"),
        (("--classes", "50,50", "--acc", "0.9", "--acc", "0.8"), "--acc must be given once"),
        (
            ("--classes", "50,50", "--json", "--format", "md"),
            "no option or score --format; scores are --acc, ",
        ),
        (("--classes", "50,50", "--f1-weigthed", ".9"), "--f1-weigthed; scores are"),
        (("--classes", "50,50", "--arii", "0.9"), "did you mean --ari?"),
        (("--acc", "0.9"), "give classes"),
        (("--from", "x.csv", "--acc", "0.9"), "--from stands for the report"),
        (("--from", "missing.csv"), "missing.csv cannot be read"),
    ],
)
def test_the_command_refuses(confmat, arguments, says):
    code, _, err = confmat("audit", *arguments)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


def test_many_reports_from_a_file(confmat, tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(
        "report,classes,acc,ari\niris,50;50;50,0.893,0.7302\nforged,50;50;50,0.893,0.9302\nsmall,5 7 4,,0.7\n"
    )
    code, out, _ = confmat("audit", "--from", path, "--json")
    assert code == 1
    assert [x["possible"] for x in json.loads(out)] == [True, False, True]
    assert [x["line"] for x in json.loads(out)] == [2, 3, 4]
    code, out, _ = confmat("audit", "--from", path)
    assert code == 1
    assert "no               0  ari" in out
    path.write_text("classes,acc\n50;50,0.9\n50;50,zero\n")
    code, _, err = confmat("audit", "--from", path)
    assert code == 2
    assert "line 3: acc must be a printed number" in err
