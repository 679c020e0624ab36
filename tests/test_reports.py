"""Reports: ranks and p-values against counting every table, several labelings, and what is refused."""

import json
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import confmat as cm
from confmat.matrices import contingency
from confmat.reports import comparison

TABLE = [[3, 1], [0, 2]]


def agrees(name, table):
    value, observed = (getattr(cm, name)(x, exact=True) for x in (table, TABLE))
    return value >= observed if name == "ari" else value <= observed


@pytest.mark.parametrize("name", ["ari", "rd", "med"])
def test_ranks_are_those_of_counting_every_table_and_permutation(name):
    tables = list(cm.Tables(6, 2, 2))
    first, second = [0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]
    permuted = [contingency(first, b) for b in permutations(second)]
    rank = cm.compare(TABLE).ranks[name]
    assert rank.share == Fraction(sum(agrees(name, table) for table in tables), len(tables))
    assert rank.pvalue.value == Fraction(sum(agrees(name, table) for table in permuted), len(permuted))


def test_what_takes_longer_than_the_limit_is_a_dash(monkeypatch):
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
            "must be one-dimensional, .* memberships go to confmat.indices.soft",
        ),
        (
            (pd.DataFrame({"a": ["x"], "b": ["y"]}), "a", "c"),
            {},
            ValueError,
            "columns must be at least two of",
        ),
        (([1, 1], [1, 2], [1, 2]), {"index": "arii"}, ValueError, "index must be one of"),
        (([1, 2], [1]), {}, ValueError, "must have the same length"),
        (([1, None], [1, 2]), {}, ValueError, "is missing"),
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
    report = cm.classify(truth, found)
    matrix = cm.confusion(truth, found)
    assert report.classes == ("a", "b", "c")
    assert report.overall["kappa"] == cm.kappa(matrix, exact=True)
    assert report.metrics.sens.classes == (Fraction(1, 2), Fraction(2, 3), Fraction(1))
    assert report.to_json()["matrix"] == matrix.tolist()
    assert cm.classify(matrix).overall == report.overall
    assert cm.classify([[0, 0], [1, 2]], undefined=0).metrics.sens.classes[0] == 0
    many = cm.classify(np.diag(range(1, 31)))
    assert "The first 16 classes" in str(many)
    assert len(many.to_json()["sens"]["classes"]) == 30
