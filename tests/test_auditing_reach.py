"""How far audits reach: what is listed, forecasts, refusals, and what share of changed digits they detect."""

import tracemalloc
from itertools import product

import numpy as np
import pytest

import confmat as cm
from confmat.auditing import Report, audit, audits, boxes, costs
from confmat.auditing.boxes import fitting, forecast, proof
from confmat.errors import TooLarge


def test_rows_are_listed_without_more_than_they_are():
    for low, high, total in [
        ([0, 1, 0], [3, 2, 4], 5),
        ([0, 0], [2, 2], 5),
        ([2], [4], 3),
        ([1, 1], [1, 1], 1),
    ]:
        every = [x for x in product(*(range(a, b + 1) for a, b in zip(low, high))) if sum(x) == total]
        assert list(map(tuple, boxes._rows_between(low, high, total).tolist())) == every
    tracemalloc.start()
    boxes._rows_between([0, 0], [10**5, 10**5], 10**5)
    assert tracemalloc.get_traced_memory()[1] < 10**8  # 10^10 values were formed for 10^5 + 1 rows
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("known", "digits"),
    [
        ({"classes": (3333, 3333, 3334), "acc": "0.9200"}, {"0.75": False, "0.76": True, "0.80": False}),
        ({"classes": (333, 333, 334), "clusters": 3, "med": "0.0800"}, {"0.7302": False, "0.78": True}),
        ({"classes": (3333, 3333, 3334), "clusters": 3, "med": "0.2000"}, {"0.60": True, "0.7302": False}),
        ({"classes": (300,) * 4, "acc": "0.9200"}, {"0.75": False, "0.80": True}),
    ],
)
def test_many_errors_of_many_objects_are_decided(known, digits):
    """The accuracy, or the MED, narrows what is linear in the cells: without it 20 000 boxes left these open."""
    for ari, possible in digits.items():
        report = Report.of(**known, ari=ari)
        found = proof(report.ordered, report.rows, 1000)
        assert found is not None
        assert (not isinstance(found, str)) is possible


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


PLANS = [
    ({"classes": (50, 50, 50), "acc": "0.893"}, "listing"),
    ({"n": 30, "classes": 3, "recall_1": "0.5"}, "listing"),
    ({"classes": (50, 50, 50), "clusters": 4, "ari": "0.5"}, "deciding"),
    ({"classes": (200,) * 4, "acc": "0.9", "ari": "0.7"}, "deciding"),
    ({"classes": (8, 8), "acc": "0.9375", "ari": "0.7429", "folds": 4}, "means of folds"),
    ({"classes": (1998, 1998), "acc": "0.5", "folds": 2}, "means of folds"),  # a million of one fold
]


@pytest.mark.parametrize(("fields", "method"), PLANS)
def test_each_kind_of_report_has_its_method(fields, method):
    assert cm.plan(audit, **fields).method == method


def test_matrices_that_are_kept_and_shown_are_some_of_all(monkeypatch):
    fields = {"classes": (50, 50, 50), "acc": "0.893", "ari": "0.7302"}
    for most, complete in ((4, False), (6, False), (7, True)):
        monkeypatch.setattr(audits, "MOST_MATRICES_KEPT", most)
        monkeypatch.setattr(audits, "_MOST_SHOWN", most - 1)
        found = audit(**fields)
        assert (found.matrices, len(found.some), found.complete) == (6, min(6, most), complete)
        assert len(found.to_json()["some"]) == min(6, most - 1)
        assert dict(found.lines())["ari"].endswith(f" (of the {most} listed)") is not complete
        assert found.sentence().startswith(
            "6 of the confusion matrices of classes of 50, 50, 50 have accuracy 0.893, "
        )


@pytest.mark.parametrize(
    ("fields", "begins"),
    [
        ({"classes": (1, 1), "acc": "1.0"}, "1 of the confusion matrices of classes of 1, 1 has accuracy 1.0 (r"),
        ({"classes": (1, 1), "acc": "0.5"}, "2 of the confusion matrices of classes of 1, 1 have accuracy 0.5 (r"),
        ({"classes": (1, 1), "acc": "0.7"}, "None of the confusion matrices of classes of 1, 1 has accuracy 0.7 (r"),
        (
            {"classes": (2, 2), "folds": 2, "acc": "0.75"},
            "4 of the choices of 2 confusion matrices of classes of 1, 1 (2 folds), one a fold, have mean accuracy 0.7",
        ),
        ({"n": 2, "clusters": (2, 1), "ri": "0"}, "1 of the tables of 2 objects in 2 x 1 clusters has Rand index 0 (r"),
    ],
)  # fmt: skip
def test_an_answer_is_a_sentence(fields, begins):
    assert audit(**fields).sentence().startswith(begins)


def test_boxes_hold_no_more_matrices_than_is_said():
    report = Report.of(classes=(6, 5, 4), acc="0.80")
    question = report.question
    correct = [m.tolist() for m in cm.classes.FixedRows((6, 5, 4), 3) if np.trace(m) == 12]
    found = audit(report)
    assert found.matrices == len(correct)
    assert all(m in correct for m in found.some.tolist())
    assert forecast(question, (6, 5, 4)) >= sum(map(len, fitting(question, (6, 5, 4), ()))) == len(correct)
    assert proof(question, (6, 5, 4), 1) is None


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

    monkeypatch.setattr(costs, "forecast", counted)
    plan = cm.plan(audit, n=150, clusters=(3, 4), ari="0.5", ri="0.8")
    assert plan.method == "deciding"
    assert len(calls) < 20
    one = costs.seconds_of_deciding(costs.Auditing(Report.of(classes=(50, 50, 50), clusters=4, ari="0.5")))
    assert plan.seconds > 10 * one  # a search for each of the row sums
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
        asked = costs.Auditing(Report.of(n=n, **fields))
        many = len([*asked.report.question.margins()])
        monkeypatch.setattr(costs, "_MOST_MARGINS", many)
        assert costs.too_many_margins(asked) is None
        monkeypatch.setattr(costs, "_MOST_MARGINS", many - 1)
        assert costs.too_many_margins(asked) is not None


def test_a_question_reads_as_a_sentence():
    assert "accuracy 0.9 of confusion matrices of classes of 5, 5" in str(
        costs.Auditing(Report.of(classes=(5, 5), acc="0.9"))
    )


def test_matrices_are_listed_some_at_a_time(monkeypatch):
    report = Report.of(classes=(6, 5), clusters=3, empty=True, ari="0.1")
    whole = np.concatenate([*fitting(report.question, (6, 5), report.judged)])
    monkeypatch.setattr(boxes, "_MOST_LISTED_OF_BOX", 4)
    parts = [*fitting(report.question, (6, 5), report.judged)]
    assert max(map(len, parts)) <= 4
    assert sorted(np.concatenate(parts).tolist()) == sorted(whole.tolist())
    one = Report.of(classes=(3,), clusters=3, ari="0")  # most boxes have a column of zeros in all matrices
    assert [x.tolist() for x in fitting(one.question, (3,), one.judged)] == [[[[1, 1, 1]]]]
