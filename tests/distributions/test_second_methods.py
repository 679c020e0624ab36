"""One pass over a class gives the laws that a generating function, a recursion and every member give."""

from math import factorial

import pytest
from brute import obvious_law

import confmat as cm
from confmat.classes import FixedMargins, FixedRows, Tables


def values(law, name):
    return dict(iter(law[name]))


@pytest.mark.parametrize(
    "matrices",
    [Tables(20, 3, 3), Tables(9, 3, 3), Tables(7, 3, 2, allow_empty=True), Tables(7, 2, 5)],
    ids=repr,
)
def test_one_pass_agrees_with_the_generating_function_and_the_recursion(matrices, fold):
    one_pass = cm.joint_distribution(matrices, "med", "rd", "ard")
    med, rd = cm.joint_distribution(matrices, "med"), cm.joint_distribution(matrices, "rd")
    assert values(one_pass, "med") == values(med, "med")
    assert values(one_pass, "rd") == values(rd, "rd")
    both = cm.joint_distribution(matrices, "med", "rd")
    fold()
    assert dict(list(cm.joint_distribution(matrices, "med", "rd"))) == dict(list(both))


@pytest.mark.parametrize(
    ("matrices", "names", "weight"),
    [
        (Tables(6, 3, 3), ("med", "wallace_ab"), "labelings"),
        (FixedRows([4, 2], 3), ("ri", "wallace_ba"), "tables"),
        (FixedMargins([4, 2], [3, 3]), ("med", "ari"), "labelings"),
        (Tables(7, 2, 3), ("med", "rd", "ard"), "tables"),
    ],
    ids=repr,
)
def test_a_law_is_that_of_its_members_one_by_one(matrices, names, weight):
    law = {tuple(map(str, x)): k for x, k in list(cm.joint_distribution(matrices, *names, weight=weight))}
    assert law == {tuple(map(str, x)): k for x, k in obvious_law(matrices, names, weight).items()}


@pytest.mark.parametrize("name", ["chi2", "g2", "ffh"])
def test_the_recursion_over_rows_weighs_tables_as_requested(name):
    tables = cm.FixedMargins((10, 10, 10), (10, 10, 10))
    assert cm.plan(cm.joint_distribution, tables, name).method == "rows"
    assert sum(weight for _, weight in cm.joint_distribution(tables, name)) == sum(1 for _ in tables)
    by_labelings = cm.joint_distribution(tables, name, weight="labelings")
    assert sum(weight for _, weight in by_labelings) == by_labelings.total
    assert by_labelings.total == (factorial(30) // factorial(10) ** 3) ** 2
