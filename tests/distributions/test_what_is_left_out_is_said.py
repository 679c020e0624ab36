"""How many tables a number is not about is printed in every format; a plot names its condition."""

import json

import pytest

import confmat as cm
from confmat._display import as_json

TABLES = cm.Tables(3, 2, 2, allow_empty=True)  # GSP is 0/0 at 6 of 20, ARI nowhere


@pytest.fixture
def joint():
    return cm.joint_distribution(TABLES, "ari", "gsp", "fm")


def test_a_joint_distribution_says_how_many_tables_are_undefined(joint):
    assert {name: joint[name].undefined for name in joint.names} == {"ari": 0, "gsp": 6, "fm": 0}
    lines = {line.split()[0]: line.split()[-1] for line in str(joint).splitlines() if line.strip()}
    assert (lines["mean"], lines["ari"], lines["gsp"]) == ("undefined", "0", "6")
    assert "| 6 |" in joint._published("md")
    assert "gsp & 0.63347 & 0.33851 & 0 & 1/3 & 1/2{*}sqrt(2) & 1 & 1 & 6" in joint.to_latex()
    assert joint._published("csv").splitlines()[2].endswith(",6")
    assert ">6</td>" in joint._repr_html_()
    facts = json.loads(json.dumps(as_json(joint)))["statistics"]
    assert facts["gsp"]["undefined"] == 6
    assert "undefined" not in str(cm.joint_distribution(TABLES, "ari", "rd"))


def test_a_distribution_says_so_in_every_format(joint):
    line = joint["gsp"]
    for text in (str(line), line._published("md"), line._published("csv"), repr(line)):
        assert "undefined" in text
        assert "6" in text.partition("undefined")[2]
    assert as_json(line)["undefined"] == 6


def test_distributions_given_each_value_say_so_in_every_format(joint):
    parts = [given for _, given in joint.groupby("ari")]
    assert [given["gsp"].undefined for given in parts] == [0, 4, 2]
    assert [str(given).count("undefined") for given in parts] == [0, 1, 1]
    assert [as_json(given["gsp"]).get("undefined", 0) for given in parts] == [0, 4, 2]


def test_a_plot_of_a_conditional_distribution_names_its_condition(joint):
    conditional = joint.given("ari < 1")
    assert conditional["fm"].plot().get_title() == "Distribution of FM given ari < 1"
    assert conditional.plot().get_suptitle().endswith("given ari < 1")
    assert joint["fm"].plot().get_title() == "Distribution of FM"
    sliced = dict(joint.groupby("ari"))[0]
    assert sliced["fm"].plot("pmf").get_title() == "Distribution of FM given ari = 0"
