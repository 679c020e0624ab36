"""Reports: ranks and p-values against counting every table, several labelings, and what is refused."""

import json
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import confmat as cm
from confmat.contingency import contingency_matrix
from confmat.reports import comparison

TABLE = [[3, 1], [0, 2]]


def agrees(name, table):
    value, observed = (getattr(cm, name)(x, exact=True) for x in (table, TABLE))
    return value >= observed if name == "ari" else value <= observed


@pytest.mark.parametrize("name", ["ari", "rd", "med"])
def test_ranks_are_those_of_counting_every_table_and_permutation(name):
    tables = list(cm.Tables(6, 2, 2))
    first, second = [0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]
    permuted = [contingency_matrix(first, b) for b in permutations(second)]
    rank = cm.compare(TABLE).ranks[name]
    assert rank.share == Fraction(sum(agrees(name, table) for table in tables), len(tables))
    assert rank.pvalue.pvalue == Fraction(sum(agrees(name, table) for table in permuted), len(permuted))


def test_ranks_beyond_the_limit_are_a_dash(monkeypatch):
    monkeypatch.setattr(comparison, "_SECONDS", 1e-9)
    found = cm.compare([[40, 1, 9], [0, 50, 7], [3, 3, 60]])
    assert {name: (rank.share, rank.pvalue) for name, rank in found.ranks.items()} == {
        "ari": (None, None),
        "rd": (None, None),
        "med": (None, None),
    }
    line = next(line.split() for line in str(found).splitlines() if line.startswith("ARI"))
    assert line[2:] == ["-", "-"]
    assert found.to_json()["ranks"]["ari"] == {"share": None, "pvalue": None}


@pytest.mark.parametrize("table", [[[0, 0]], [[1]], [[9, 0]], [[1, 0], [0, 1]], np.eye(4, dtype=int)])
def test_degenerate_tables_have_a_report(table):
    found = cm.compare(table)
    assert str(found)
    json.dumps(found.to_json())
    assert all(rank.share is None or 0 < rank.share <= 1 for rank in found.ranks.values())


def test_several_labelings_give_the_matrix_of_one_index():
    frame = pd.DataFrame({"ward": [1, 1, 2, 2], "em": [1, 1, 2, 3], "doctor": [5, 5, 6, 6]})
    found = cm.compare(frame, index="wallace_ab")
    assert list(found.index) == list(found.columns) == ["ward", "em", "doctor"]
    for a in frame:
        for b in frame:
            assert found.loc[a, b] == cm.wallace_ab(frame[a], frame[b])
    assert cm.compare(frame["ward"], frame["em"], frame["doctor"]).equals(cm.compare(frame))
    assert cm.compare(frame, "ward", "em") == cm.compare(frame["ward"], frame["em"])


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (
            (np.eye(2), [1, 2]),
            {},
            ValueError,
            "must be one-dimensional, .* Pass memberships to functions of confmat.indices.soft",
        ),
        (
            (pd.DataFrame({"a": ["x"], "b": ["y"]}), "a", "c"),
            {},
            ValueError,
            "columns must be at least two different ones of",
        ),
        (([1, 1], [1, 2], [1, 2]), {"index": "arii"}, ValueError, "index must be one of"),
        (([1, 1], [1, 2]), {"index": "arii"}, ValueError, "index must be one of"),
        (
            ([[1, 1], [1, 2]],),
            {"na": "omit"},
            ValueError,
            "na must be one of refuse, drop, label, got 'omit'",
        ),
        (([1, 1], [1, 2], [1, None]), {}, ValueError, r"c must not have missing labels, got"),
        ((pd.DataFrame({"a": ["x"], "b": ["y"]}), "a", "a"), {}, ValueError, "at least two different ones"),
        ((pd.DataFrame([["x", "y"]], columns=["a", "a"]),), {}, ValueError, "at least two different ones"),
        ((pd.DataFrame([["x", "y"]], columns=[1, "1"]),), {}, ValueError, "at least two different ones"),
        (([1, 2], [1]), {}, ValueError, "must have the same length"),
        (([1, None], [1, 2]), {}, ValueError, "must not have missing labels"),
    ],
)
def test_wrong_arguments_of_compare_are_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        cm.compare(*arguments, **options)


def test_missing_labels_are_dropped_or_a_cluster_on_request():
    a, b = ["x", None, "y"], ["x", "x", "y"]
    assert cm.compare(a, b, na="drop").n == 2
    assert cm.compare(a, b, na="label").clusters == (3, 2)


def test_a_frame_is_a_matrix_or_labels():
    labels = pd.DataFrame({"a": [1, 1, 1, 1, 2, 2, 2, 2], "b": [1, 1, 1, 2, 2, 2, 2, 2]})
    counts = pd.crosstab(labels["a"], labels["b"])
    assert cm.compare(labels) == cm.compare(counts) == cm.compare(labels["a"], labels["b"])
    assert cm.compare(pd.DataFrame([[3, 1], [0, 4]])).n == 8
    assert cm.compare(counts).labels == ((1, 2), (1, 2))


def test_a_classification_has_the_metrics_of_its_functions():
    truth, found = list("aabbbc"), list("abbbcc")
    report = cm.classification_report(truth, found)
    matrix = cm.confusion_matrix(truth, found)
    assert report.classes == ("a", "b", "c")
    assert report.overall["kappa"] == cm.kappa(matrix, exact=True)
    assert report.metrics.recall.classes == (Fraction(1, 2), Fraction(2, 3), Fraction(1))
    assert report.to_json()["matrix"] == matrix.tolist()
    assert cm.classification_report(matrix).overall == report.overall
    many = cm.classification_report(np.diag(range(1, 31)))
    assert "and 14 more" in str(many)
    assert len(many.to_json()["recall"]["classes"]) == 30


def test_no_labeling_takes_the_place_of_another_with_its_name():
    series = pd.Series([1, 1, 2, 2], name="b")
    assert cm.compare(series, [1, 2, 2, 2]).names == ("b", "b2")
    assert list(cm.compare(series, [1, 2, 2, 2], [1, 2, 3, 4])) == ["b", "b2", "c"]
    assert list(cm.compare(iter([1, 2]), iter([1, 1]), iter([2, 1]))) == ["a", "b", "c"]


def test_columns_of_a_multi_index_are_compared():
    frame = pd.DataFrame([["x", 1], ["y", 2]], columns=pd.MultiIndex.from_tuples([("m", 1), ("m", 2)]))
    assert cm.compare(frame, ("m", 1), ("m", 2)).names == ("('m', 1)", "('m', 2)")


def test_many_clusters_have_values_without_ranks():
    found = cm.compare(range(5000), range(5000))
    assert found["ari"] == 1
    assert "-" in next(line.split() for line in str(found).splitlines() if line.startswith("ARI"))
    assert cm.compare([0] * 50_000, range(50_000)).ranks["med"].share is None


def test_classes_are_named_as_the_matrix_lays_them_out():
    report = cm.classification_report([2, 1], ["x", 1])
    assert report.classes == (1, 2, "x")
    assert report.matrix.tolist() == cm.confusion_matrix([2, 1], ["x", 1]).tolist()
    counts = pd.crosstab(pd.Series(list("aab")), pd.Series(list("abb")))
    assert cm.classification_report(counts).classes == ("a", "b")
    swapped, renamed = counts[["b", "a"]], counts.rename(columns={"b": "c"})
    assert cm.classification_report(swapped).overall == cm.classification_report(counts).overall
    assert cm.classification_report(renamed).classes == ("a", "b", "c")
    with pytest.raises(ValueError, match=r"must have the same classes in rows and columns, .* got"):
        cm.classification_report(counts.rename(columns={"a": "x", "b": "y"}))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (3, "y_true must be a sequence"),
        ([None, 1], r"y_true must not have missing labels, got .* at position 0"),
        (np.eye(2), "y_true must be one-"),
    ],
)
def test_wrong_labels_of_a_classifier_are_refused_by_name(labels, message):
    with pytest.raises((TypeError, ValueError), match=message):
        cm.classification_report(labels, [1, 2])


def test_many_classes_have_no_means_over_pairs():
    report = cm.classification_report(range(2000), range(2000))
    assert report.overall["accuracy"] == 1
    assert "at most 100 classes" in str(report)
    found = report.to_json()
    assert found["matrix"] is None
    assert found["recall"]["pairs"] == {"exact": None, "value": None}


def test_labels_are_drawn_as_text_not_as_mathematics(tmp_path):
    labels = ["$\\frac$", "$x_{$"]
    names = [pd.Series(labels, name="$\\frac$"), pd.Series(labels, name="b")]
    for report in (cm.compare(*names), cm.classification_report(*names)):
        report.plot().get_figure().savefig(tmp_path / "plot.png")


def test_unknown_names_are_not_in_a_comparison():
    assert 3 not in cm.compare(TABLE)
