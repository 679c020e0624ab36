"""The commands count and plan."""

import json
from math import comb

import pytest
from command_line import succeed

from confmat.classes import Tables


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ((50, 4, 4), 204063621701016),
        ((9, 3, 4, "empty"), comb(9 + 11, 11)),
        (("rows=10,62,13,11,39", "cols=65,25,45"), 239382173),
        ((2, 3, 3), 0),
    ],
)
def test_count(confmat, arguments, count):
    assert succeed(confmat("count", *arguments)) == f"{count}\n"


def test_count_may_have_thousands_of_digits(confmat):
    assert int(succeed(confmat("count", 10**6, 50, 30))) == Tables(10**6, 50, 30).count()


def test_plan(confmat):
    plan = json.loads(succeed(confmat("table", 20, 3, 3, "--json", "--plan")))
    assert plan["steps"] > 10**6
    assert plan["seconds"] >= 0
    assert plan["on a cluster"] == "confmat table 3x3 n=20 --scheduler tcp://HOST:8786 --checkpoint DIR"
    beyond = json.loads(succeed(confmat("table", 10**6, 5, 7, "--json", "--plan")))
    assert beyond["on a cluster"] is None
    assert beyond["excess"].endswith(
        "an enumeration of up to 9.570e+49 pairs of margins, the limit is 30,000,000"
    )
    out = succeed(confmat("table", "rows=10,6,4", "cols=9,7,4", "--weight", "labelings", "--plan"))
    assert "confmat table rows=10,6,4 cols=9,7,4 --weight labelings\n" in out
    assert "--scheduler tcp://HOST:8786 --checkpoint DIR" in out
    out = succeed(confmat("table", 60000, 2, 2, "--plan"))
    assert "too much" in out
    assert "pairs of margins, the limit is" in " ".join(out.split())
