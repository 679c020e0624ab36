"""Classes of classifiers from the command line: fixed true classes, free predictions."""

import json
from fractions import Fraction

import pytest

from confmat.classes import FixedRows
from confmat.distributions import joint_distribution


def test_count_and_plan(confmat):
    assert confmat("count", "rows=50,50", "cols=free")[1] == "2601\n"
    assert confmat("count", "rows=4,2", "cols=free:3")[1] == "90\n"
    plan = confmat("table", "rows=9,5,4", "cols=free", "--plan")[1]
    assert "the distribution of med, rd, ard over FixedRows(rows=(9, 5, 4), s=3)" in plan
    assert "confmat table rows=9,5,4 cols=free:3 --scheduler" in plan


@pytest.mark.parametrize("name", ["cor", "bcr", "auc", "f_pairs"])
def test_law_of_a_metric(confmat, name):
    found = json.loads(confmat("table", "rows=5,3", "cols=free", "--only", name, "--json")[1])
    assert found["class"] == {"kind": "fixed_rows", "n": 8, "rows": [5, 3], "s": 2}
    law = [(Fraction(row["value"]["exact"]), row["total"]) for row in found["distribution"] if row["value"]]
    undefined = [((row["value"],), row["total"]) for row in found["distribution"] if not row["value"]]
    support = list(joint_distribution(FixedRows([5, 3], 2), name))
    assert law == [(value, weight) for (value,), weight in support if value == value]
    assert [weight for _, weight in undefined] == [w for (value,), w in support if value != value]


def test_sample(confmat):
    out = confmat("sample", "rows=5,3", "cols=free", "--size", "20", "--seed", "1")[1]
    for line in out.splitlines()[1:]:
        a, b, c, d = map(int, line.split(","))
        assert (a + b, c + d) == (5, 3)


def test_search_takes_metrics(confmat):
    out = confmat("search", "f", "rows=5,3", "cols=free", "--minimize", "--given", "med=2/8", "--json")[1]
    found = json.loads(out)
    rows = joint_distribution(FixedRows([5, 3], 2), "med", "f").groupby("med")
    least = next(given["f"].min() for value, given in rows if value == Fraction(2, 8))
    assert Fraction(found["value"]["exact"]) == least


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rows=5,3", "cols=free:x"], "S in cols=free:S must be an integer, got 'x'"),
        (["rows=5,3", "cols=free:0"], "s must be at least 1, got 0"),
        (["rows=5,3", "cols=freely"], "cols[0] must be an integer, got 'freely'"),
        (["rows=5,3", "cols=free:3", "--only", "cor"], "'accuracy' needs square matrices"),
        (
            ["5", "2", "2", "--only", "accu"],
            "--only must be the name of a statistic, got 'accu'; did you mean accuracy?",
        ),
    ],
)
def test_errors(confmat, arguments, message):
    code, _, errors = confmat("table", *arguments)
    assert code == 2
    assert message in errors
