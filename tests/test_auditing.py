"""Audits of printed scores, against every matrix of small classes, true reports, and forged certificates."""

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from forgeries import AUDITOR, alone, resealed
from printed import MODES, every_matrix, fits, rejected, score_of, scored, shown, table

import confmat as cm
from confmat.auditing import SCORES, Report, audit, audits
from confmat.certificates import check, misses
from confmat.errors import ConsistencyError, TooLarge

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
        names = rng.permutation([*(SCORES if paired else AUDITOR.OF_CLUSTERINGS)])[: rng.integers(1, 4)]
        rounding = str(rng.choice([*MODES]))
        scores = {str(x): shown(score_of(scored(str(x), k), m), places, rounding) for x in names}
        if rng.integers(0, 2):  # one changed digit
            name = str(rng.choice(names))
            if scores[name] < "1":  # beyond 1 few scores are
                scores[name] = scores[name][:-1] + str(rng.integers(0, 10))
        known = {"classes": m.sum(axis=1).tolist()} if rng.integers(0, 2) else {"n": n}
        if paired:
            known.setdefault("classes", k)
        else:
            known |= {"clusters": s if "classes" in known else (k, s), "empty": bool(empty)}
        if m[0, 0] % 3 == 0:
            known["columns"] = m.sum(axis=0).tolist()
        yield known | scores | {"rounding": rounding if rng.integers(0, 2) else "any"}


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
                values = [score_of(scored(name, report.shape[0]), m) for m in expected]
                assert (a, b) == (min(values), max(values)), (fields, name)
    assert 1 < possible < 10


@pytest.mark.parametrize("name", [*SCORES, "recall_1", "precision_2", "f1_2"])
def test_every_score_is_printed_of_as_many_matrices_as_have_it(name):
    undefined = 0.5
    for rows in ((3, 2), (2, 0, 1)):
        score = scored(name, len(rows), undefined)
        values = [score_of(score, m) for m in cm.classes.FixedRows(rows, len(rows))]
        for digits in ("-0.2", "0.0", "0.50", "0.7", "1.0"):
            try:
                report = Report.of(classes=rows, undefined=undefined, rounding="half-up", **{name: digits})
            except ValueError:
                assert max(values) < Fraction(digits) + Fraction(1, 20) or min(values) >= 0 > Fraction(digits)
                continue
            (printed,) = report.question.windows
            found = audit(report)
            assert found.matrices == sum(not misses((x, x), printed) for x in values), (rows, digits)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"classes": (5, 5)}, r"scores must be 1 to 26 printed numbers, such as acc='0.893', got 0"),
        ({"classes": (1,) * 27} | {f"recall_{k}": "1" for k in range(1, 28)}, "scores must be 1 to 26 .* got 27"),
        ({"classes": (5, 5), "acc": "0.9", "accuracy": "0.9"}, "scores must be named once each, got acc, accuracy"),
        ({"classes": (5, 5), "acc": "0.9", "undefined": 1.5}, "undefined must be from 0 to 1, got 3/2"),
        ({"classes": (5, 5), "acc": "0.9", "undefined": -1}, "undefined must be from 0 to 1, got -1"),
        ({"classes": (5, 5), "acc": "0.9", "rounding": "up"}, "rounding must be one of"),
        ({"classes": (5, 5), "recall_3": "0.9"}, "recall_3 must be of one of 2 classes"),
        ({"classes": (5, 5), "clusters": 4, "recall_3": "0.9"}, "recall_3 must be of one of 2 classes"),
        ({"classes": (5, 5), "acc": "nine"}, r"acc must be a printed number such as 0.893 or 89.3%, got 'nine'"),
        ({"classes": (5, 5), "acc": "1.1"}, r"acc must be from 0 to 1, or with its sign as 89.3%, got '1.1'"),
        ({"classes": (5, 5), "acc": "101%"}, "acc must be from 0 to 1, got '101%'"),
        ({"classes": (5, 5), "ari": "-0.7"}, "ari must be from -1/2 to 1, or"),
        ({"n": 0, "classes": 2, "acc": "1"}, "n must be at least 1, got 0"),
        ({"classes": 2, "acc": "1"}, "n must be given where the sizes of the classes are not"),
        ({"classes": (5, 5), "n": 11, "acc": "1"}, "n must be the sum of classes, 10, got 11"),
        ({"n": 2, "classes": 3, "acc": "1"}, "n must be at least 3, the number of lines that are not empty, got 2"),
        ({"n": 2, "clusters": (1, 3), "ri": "1"}, "n must be at least 3, the number of lines that are not"),
        ({"n": 2, "clusters": (3, 1), "ri": "1"}, "n must be at least 3, the number of lines that are not"),
        ({"classes": (1, 1), "clusters": 3, "ri": "1"}, "n must be at least 3"),
        ({"classes": (5, 5), "clusters": (2, 2), "ri": "1"}, "give classes, or clusters as two numbers"),
        ({"n": 5, "ri": "1"}, "give classes, or clusters as two numbers"),
        ({"n": 5, "clusters": 3, "ri": "1"}, "give classes, or clusters as two numbers"),
        ({"n": 5, "clusters": (2, 2, 2), "ri": "1"}, "clusters must be one number or two, got 3"),
        ({"n": 5, "clusters": (0, 2), "ri": "1"}, "clusters.* must be at least 1, got 0"),
        ({"n": 5, "classes": 0, "ri": "1"}, "must be at least 1, got 0"),
        ({"classes": (5, 5), "acc": "1", "empty": True}, "empty is about clusters, of which there are none"),
        ({"classes": (5, 5), "clusters": 2, "acc": "1"}, "acc needs classes in rows and columns, not clusters"),
        ({"classes": (10001, 10001), "acc": "1", "folds": 10001}, "folds must be at most 10000, got 10001"),
        (
            {"classes": (4, 6), "acc": "1", "folds": 3},
            r"such as \[\(2, 2\), \(1, 2\), \(1, 2\)\], got 3",
        ),
    ],
)  # fmt: skip
def test_reports_that_make_no_sense_are_refused(fields, says):
    with pytest.raises(ValueError, match=says):
        Report.of(**fields)


@pytest.mark.parametrize(
    ("fields", "words", "text"),
    [
        ({"classes": (5, 0), "acc": "90%"}, "confusion matrices of classes of 5, 0", "accuracy 90%"),
        ({"n": 3, "classes": 3, "acc": "1.0"}, "confusion matrices of 3 objects in 3 classes", "accuracy 1.0"),
        (
            {"n": 2, "clusters": (3, 1), "empty": True, "ri": "1"},
            "tables of 2 objects in at most 3 x 1 clusters",
            "Rand index 1",
        ),
        ({"classes": (1, 2), "clusters": 3, "ri": "1"}, "tables of classes of 1, 2 and 3 clusters", "Rand index 1"),
        (
            {"classes": (1, 2), "clusters": 4, "empty": True, "ri": "1", "ari": "-.50"},
            "tables of classes of 1, 2 and at most 4 clusters",
            "Rand index 1, adjusted Rand index -.50",
        ),
        (
            {"classes": (1, 2), "columns": (3, 0), "f1_1": "1"},
            "confusion matrices of classes of 1, 2 and columns of 3, 0",
            "F1 of class 1 1",
        ),
        (
            {"classes": (2, 2), "acc": "1", "recall_2": "1", "folds": 2},
            "choices of 2 confusion matrices of classes of 1, 1 (2 folds), one a fold",
            "mean accuracy 1, mean recall of class 2 1",
        ),
        ({"classes": (1,) * 26} | {f"recall_{k}": "1" for k in range(1, 27)}, None, None),
        ({"classes": (10**4,) * 2, "acc": "1", "folds": 10**4}, None, None),
    ],
)  # fmt: skip
def test_reports_say_of_what_they_are(fields, words, text):
    report = Report.of(**fields)
    if words is not None:
        assert (report.matrices(), report.text()) == (words, text)


@pytest.mark.parametrize(
    "known",
    [
        {"classes": (2, 2, 1), "clusters": 3},
        {"classes": (2, 2, 2), "clusters": 2},
        {"n": 6, "clusters": (2, 3)},
    ],
)
def test_a_printed_med_is_looked_for_where_rows_match_clusters(known):
    """With more rows than clusters no exchange of clusters brings all matched cells to the diagonal."""
    every = [
        [cm.med(m, exact=True), cm.ari(m, exact=True)] for m in every_matrix(Report.of(**known, med="0"))
    ]
    printed = {tuple(shown(x, 1, "truncation").replace("-0.0", "0.0") for x in scores) for scores in every}
    possible = {}
    for med, ari in product(*({x[k] for x in printed} for k in (0, 1))):
        report = Report.of(**known, med=med, ari=ari, rounding="truncation")
        found = audit(report)
        possible[med, ari] = found.possible
        assert found.possible is ((med, ari) in printed)
        check(found.certificate())  # boxes, where none is possible
    assert {*possible.values()} == {True, False}


def test_clusters_may_be_more_than_objects():
    found = audit(n=1, clusters=(3, 2), empty=True, ari="1")
    assert found.matrices == 6
    assert {tuple(sorted(m.ravel().tolist())) for m in found.some} == {(0, 0, 0, 0, 0, 1)}


def test_a_true_report_is_possible_and_the_truth_is_among_the_answers():
    rng = np.random.default_rng(8)
    for classes, places in (((50, 50, 50), 3), ((20, 60), 4), ((15, 20, 25, 30), 4)):
        m = np.array(
            [
                rng.multinomial(c, 0.06 * np.ones(len(classes)) / len(classes) + 0.94 * e)
                for c, e in zip(classes, np.eye(len(classes)))
            ]
        )
        scores = {x: shown(score_of(scored(x, len(classes)), m), places) for x in ("acc", "ari", "f1", "mcc")}
        found = audit(classes=classes, **scores)
        assert found.complete
        assert m.tolist() in found.some.tolist()
        for name, (a, b) in found.ranges.items():
            assert a <= score_of(scored(name, len(classes)), m) <= b


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
    fitting = [m.tolist() for m in cm.FixedMargins((6, 5, 4), (7, 3, 5)) if np.trace(m) == 12]
    printed = audit(**fields)
    assert printed.matrices == len(fitting)
    assert printed.complete
    assert sorted(printed.some.tolist()) == sorted(fitting)
    assert "in rows of 6, 5, 4 in columns of 7, 3, 5" in check(printed.certificate())
    said = json.loads(printed.certificate())
    said.pop("digest")
    rejected(said | {"columns": [7, 4, 4]})
    with pytest.raises(ValueError, match=r"columns must be 3 numbers with the sum 15, not \[7, 8\]"):
        audit(classes=(6, 5, 4), acc="0.80", columns=(7, 8))


def test_large_clusterings_of_a_printed_nmi_are_decided():
    found = audit(classes=(2000,) * 4, clusters=4, nmi="0.9123")
    assert abs(float(cm.nmi(found.some[0])) - 0.9123) <= 1e-4
    assert not audit(classes=(2000,) * 4, acc="0.900", nmi="0.9123").possible


def test_means_of_recalls_are_as_narrow_as_the_accuracy():
    """With classes of one size they are one number, however many matrices there are."""
    found = audit(classes=(1000,) * 3, acc="96.47%", bacc="96.17%")
    assert not found.possible
    assert found in {found}  # it is itself, and its arrays are not compared
    assert "(1 box)" in check(found.certificate())


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


# --- certificates -----------------------------------------------------------------------------------

IMPOSSIBLE = {"classes": (20, 20), "acc": "0.900", "mcc": "0.809"}
POSSIBLE = {"classes": (20, 20), "acc": "0.900", "mcc": "0.800"}


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
        *({"empty": x} for x in (0, None, "False", True)),
        *({"paired": x} for x in (1, "true", None)),
        *({"possible": x} for x in (0, None, "")),
        *({"undefined": x} for x in ("0/2", "2/4", "00")),
    ):
        with pytest.raises(AUDITOR.Unreadable):
            alone(resealed(said | fields))
    right = json.loads(audit(**POSSIBLE).certificate())
    assert f"is possible in a {about}: " in check(json.dumps(right))
    for matrix in ([[18, 2], [3, 17]], [[17, 2], [2, 19]], [[18, 2], [2, 18, 0]], [[-18, 38], [2, 18]], []):
        rejected(right | {"matrix": matrix})
    rejected(right | {"possible": False, "proof": ["a"]})
    with pytest.raises(AUDITOR.Unreadable, match="there must be scores, objects"):
        alone(resealed(right | {"n": 0, "rows": None}))


def test_a_matrix_where_none_was_listed_is_a_fault(monkeypatch):
    found = audit(**POSSIBLE)
    lost = cm.auditing.Audit(found.report, False, 0, found.some[:0])
    with pytest.raises(ConsistencyError, match="but there is"):
        lost.certificate()
    monkeypatch.setattr("confmat.auditing.audits._MOST_BOXES", 3)
    with pytest.raises(TooLarge, match="more than 3 boxes"):
        audit(**IMPOSSIBLE).certificate()
    assert "certificate" not in audit(**IMPOSSIBLE).sentence()
