"""A class as text, as JSON and on the command line is the same class."""

import json
from dataclasses import FrozenInstanceError

import pytest
from command_line import succeed

from confmat import classes
from confmat.classes import FixedColumns, FixedMargins, FixedRows, Tables, class_from_json, parse

EVERY = [
    Tables(5, 2, 3),
    Tables(5, 2, 3, allow_empty=True),
    FixedMargins((3, 2), (4, 1)),
    FixedRows((3, 2), 2),
    FixedRows((3, 2), 2, allow_empty=False),
    FixedColumns((3, 2), 2),
    FixedColumns((3, 2), 2, allow_empty=False),
]


@pytest.mark.parametrize("matrices", EVERY, ids=repr)
def test_texts(matrices, confmat):
    assert class_from_json(json.loads(json.dumps(matrices.to_json()))) == matrices
    same = eval(repr(matrices), vars(classes))
    assert same == matrices
    assert hash(same) == hash(matrices)
    with pytest.raises(FrozenInstanceError):
        matrices.n = 3
    assert parse(matrices.text()) == matrices
    told = json.loads(succeed(confmat("count", matrices.text(), "--json")))
    assert class_from_json(told["class"]) == matrices
    assert told["count"] == matrices.count()
    assert [other for other in EVERY if other.words() == matrices.words()] == [matrices]


FULL, NO_ROW, NO_COLUMN = ((2, 1), (1, 0)), ((0, 0), (3, 1)), ((0, 3), (0, 1))


def test_unrestricted_are_the_tables_of_both_kinds():
    assert Tables(4, 2, 2).unrestricted
    assert Tables(4, 2, 2, allow_empty=True).unrestricted
    for matrices in (FixedRows((3, 1), 2), FixedColumns((3, 1), 2)):
        assert not matrices.unrestricted


@pytest.mark.parametrize("make", [lambda: FixedColumns((3, 2), 0), lambda: FixedRows((3, 2), 0)])
def test_no_line_is_refused(make):
    with pytest.raises(ValueError, match="must be at least 1, got 0"):
        make()
