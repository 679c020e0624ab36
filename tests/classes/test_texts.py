"""A class as text, as JSON and on the command line is the same class; what a class of one's own is asked for."""

import json
from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest
from command_line import succeed

import confmat as cm
from confmat import classes
from confmat.classes import FixedColumns, FixedMargins, FixedRows, MatrixClass, Tables, class_from_json, parse
from confmat.classes import matrix_class as module
from confmat.errors import TooLarge

EVERY = [
    Tables(5, 2, 3),
    Tables(5, 2, 3, empty=True),
    Tables(5, 2, 2, cells=(0, 3)),
    Tables(5, 2, 2, empty=True, cells=(1, None)),
    Tables(5, 2, 2, cells=(0, [[2, 3], [0, 5]])),
    FixedMargins((3, 2), (4, 1)),
    FixedMargins((3, 2), (4, 1), cells=(0, 2)),
    FixedRows((3, 2), 2),
    FixedRows((3, 2), 2, empty=False),
    FixedColumns(2, (3, 2)),
    FixedColumns(2, (3, 2), empty=False),
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


@dataclass(frozen=True)
class Listed(MatrixClass):
    """Some 2 x 2 matrices with total 4, one after another."""

    members: tuple
    n = 4
    shape = (2, 2)

    def __iter__(self):
        return map(np.array, self.members)

    def __contains__(self, matrix):
        return np.asarray(matrix).tolist() in [list(map(list, x)) for x in self.members]


FULL, NO_ROW, NO_COLUMN = ((2, 1), (1, 0)), ((0, 0), (3, 1)), ((0, 3), (0, 1))


@pytest.mark.parametrize(
    ("members", "empty"),
    [((FULL,), False), ((FULL, NO_ROW), True), ((FULL, NO_COLUMN), True), ((NO_ROW, FULL), True)],
)
def test_empty_lines_are_found_by_iteration(members, empty):
    own = Listed(members)
    assert own.may_be_empty is empty
    assert own.clusters == (2, 2, empty)
    assert not own.unrestricted
    assert not any((own.says_clusters, own.counts_itself, own.counts_labelings_itself))


def test_what_a_class_says_itself():
    class Said(Listed):
        may_be_empty = True

    class Sized(Listed):
        clusters = (2, 2, False)

    class Counted(Listed):
        def count(self):
            return 1

        def labelings_count(self):
            return 12

    assert Said((FULL,)).says_clusters
    assert Sized((FULL,)).says_clusters
    assert Counted((FULL,)).counts_itself
    assert Counted((FULL,)).counts_labelings_itself
    assert FixedRows((3, 1), 2).says_clusters


def test_unrestricted_are_the_tables_of_both_kinds():
    assert Tables(4, 2, 2).unrestricted
    assert Tables(4, 2, 2, empty=True).unrestricted
    for matrices in (FixedRows((3, 1), 2), FixedColumns(2, (3, 1)), Tables(4, 2, 2, cells=(0, 3))):
        assert not matrices.unrestricted


def test_iteration_has_an_end(monkeypatch):
    monkeypatch.setattr(module, "MOST_ITERATED", 2)
    assert Listed((FULL, NO_ROW)).count() == 2
    with pytest.raises(TooLarge):
        Listed((FULL, NO_ROW, NO_COLUMN)).count()


def test_a_class_that_cannot_be_told_from_others_is_refused():
    class Unhashable(Listed):
        __hash__ = None

    class Broken(Listed):
        def __iter__(self):
            raise TypeError("this iteration fails")

    with pytest.raises(
        TypeError, match="matrices must be hashable, such as a frozen dataclass, got a Unhashable"
    ):
        Unhashable((FULL,)).count()
    with pytest.raises(TypeError, match=r"got a Unhashable: unhashable type"):
        cm.joint(Unhashable((FULL,)), "med")
    with pytest.raises(TypeError, match="this iteration fails"):
        Broken((FULL,)).count()


@pytest.mark.parametrize("make", [lambda: FixedColumns(0, (3, 2)), lambda: FixedRows((3, 2), 0)])
def test_no_line_is_refused(make):
    with pytest.raises(ValueError, match="must be at least 1, got 0"):
        make()
