"""``confmat table ... --only NAME``: one law alone, for any number of points where it is known."""

import json

import pytest

from confmat._display import as_json
from confmat.classes import Tables
from confmat.contingency.texts import matrix_text
from confmat.distributions import joint_distribution
from confmat.statistics import STATISTICS


@pytest.mark.parametrize("name", ["med", "rd", "ard", "wallace_ab"])
def test_json_is_the_law(confmat, name):
    code, out, _ = confmat("table", "6", "3", "3", "--only", name, "--json")
    assert code == 0
    answer = json.loads(out)
    law = list(joint_distribution(Tables(6, 3, 3), name))
    assert answer["total"] == Tables(6, 3, 3).count() == sum(weight for _, weight in law)
    assert [(row["value"]["exact"], row["total"]) for row in answer["distribution"]] == [
        (str(v[0]), w) for v, w in law
    ]


def test_a_large_n_is_not_enumerated(confmat):
    code, out, _ = confmat("table", "3000", "3", "3", "--only", "med")
    assert code == 0
    assert "2001 values" in out.replace(",", "")
    assert "1999/3000" not in out  # long laws are described, not listed


def test_unknown_name(confmat):
    code, _, err = confmat("table", "6", "3", "3", "--only", "mde")
    assert code == 2
    assert err.startswith("confmat: --only must be the name of a statistic, got")


def test_a_law_of_too_many_values_is_described(fold):
    """Where neither signatures nor values can be held: mean, sd, quartiles and extremes, from passes over the class."""
    held = joint_distribution(Tables(12, 3, 3), "ard")
    listed = as_json(held)
    fold()
    law = joint_distribution(Tables(12, 3, 3), "ard")
    assert not law._held
    assert "values" not in (shown := str(law))
    assert f"{float(held['ard'].mean()):.9g}" in shown
    described = as_json(law)
    assert list(listed)[-1] == "distribution"
    assert described["total"] == listed["total"]
    assert described["numbers"]["max"] == listed["distribution"][-1]["value"]


def test_several_statistics_given_a_condition_on_another(confmat):
    code, out, _ = confmat(
        "table", "2x2 n=9", "--only", "kappa,F1_score", "--given", "accuracy >= 0.7", "--json"
    )
    assert code == 0
    answer = json.loads(out)
    law = joint_distribution(Tables(9, 2, 2), "kappa", "f1_score", "accuracy").given("accuracy >= 7/10")
    assert (answer["total"], [*answer["statistics"]]) == (law.total, ["kappa", "f1_score"])
    for name, numbers in answer["statistics"].items():
        assert numbers["max"]["exact"] == str(law[name].max())
        assert numbers["mean"]["value"] == law[name].mean()


def test_the_table_given_a_condition(confmat, tmp_path):
    code, out, _ = confmat("table", "3x3 n=9", "--given", "ard > 1", "--joint", tmp_path / "law.csv")
    assert code == 0
    assert "given ard > 1" in out
    law = joint_distribution(Tables(9, 3, 3), "med", "rd", "ard").given("ard > 1")
    assert f"{law.total:,} matrices" in out
    assert len((tmp_path / "law.csv").read_text().splitlines()) == 1 + len(law)


def test_example_tables_have_the_extreme_values(confmat):
    code, out, _ = confmat("table", "3x4 n=9", "--only", "ard,med", "--json")
    assert code == 0
    examples = json.loads(out)["examples"]
    law = joint_distribution(Tables(9, 3, 4), "ard", "med")
    for name in ("ard", "med"):
        at = [STATISTICS[name](examples[name][end]) for end in ("argmin", "argmax")]
        assert at == [law[name].min(), law[name].max()]
    _, text, _ = confmat("table", "3x4 n=9", "--only", "ard,med")
    assert matrix_text(examples["ard"]["argmax"]) in text.partition("Example tables")[2]


@pytest.mark.parametrize("options", [["--given", "med > 1"], ["--given", "med <= 1/3"], ["--format", "csv"]])
def test_no_example_tables_with_a_condition_or_a_format(confmat, options):
    code, out, _ = confmat("table", "2x2 n=5", "--only", "ard", *options)
    assert code == 0
    assert "Example tables" not in out
