"""Classes of one's own, statistics and arguments that are wrong or odd: refused by name, or answered all the same."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from own_classes import COUNTED, EvenRows, GivenTrace, Symmetric

import confmat as cm
from confmat.classes import Margins, MatrixClass, Tables
from confmat.statistics import Statistic


def test_a_wrong_class_is_refused_by_check_class_and_a_statistic_by_its_square():
    with pytest.raises(ValueError, match="needs square matrices"):
        cm.joint(EvenRows(4, 2, 3), "cor")
    hits = cm.joint(GivenTrace(6, 3, 3), "cor").support
    assert hits == [((Fraction(1, 2),), GivenTrace(6, 3, 3).count())]
    own = Statistic("largest", lambda table: int(table.max()), symmetry="transposition")
    assert sum(w for _, w in cm.joint(Symmetric(5, 3), own).support) == Symmetric(5, 3).count()


class FalsePromise(EvenRows):
    """Margins that belong to no member."""

    def margins(self, symmetry="none"):
        yield Margins((3, 1), (3, 1), 1)


class OneArray(GivenTrace):
    """Writes every member into the same array."""

    def __iter__(self):
        held = np.zeros(self.shape, np.int64)
        for table in super().__iter__():
            held[:] = table
            yield held


def test_a_search_checks_that_what_it_found_are_members():
    with pytest.raises(
        cm.errors.ConsistencyError, match=r"declares that all tables with margins .3, 1., .3, 1. are"
    ):
        cm.maximize(FalsePromise(4, 2, 2), "ard")


def test_a_class_that_writes_into_one_array_has_all_its_members():
    one, each = OneArray(5, 2, 2), GivenTrace(5, 2, 2)
    assert cm.joint(one, "ari").support == cm.joint(each, "ari").support
    assert [one.unrank(i).tolist() for i in range(one.count())] == [x.tolist() for x in each]


def test_bad_arguments_of_classes_are_named():
    for sums in ({2, 1}, {2: 1}):
        with pytest.raises(TypeError, match="rows must be a sequence of whole numbers"):
            cm.FixedRows(sums, 2)
    for high in ([1, 2], [[1, 2], [1]]):
        with pytest.raises(ValueError, match="cells must have a high bound of shape"):
            cm.Tables(5, 2, 2, cells=(0, high))
    with pytest.raises(ValueError, match="given must have a MED that is a multiple"):
        np.asarray(cm.sample(cm.Tables(0, 2, 2, empty=True), 1, given={"med": Fraction(1, 7)}))


def test_the_first_member_of_a_huge_class_and_the_largest_of_an_orbit():
    n = 2**40
    assert next(iter(cm.Tables(n, 3, 3))).tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, n - 4]]
    assert next(iter(cm.FixedRows([1, n], 3, empty=False))).tolist() == [[0, 0, 1], [1, 1, n - 2]]
    for symmetry in ({"simultaneous", "transposition"}, {"rows", "transposition"}):
        tables = [np.array([[1, 0, 0], [3, 0, 0], [0, 0, 1]]), np.array([[1, 3, 0], [0, 0, 0], [0, 0, 1]])]
        images = [cm.Tables(5, 3, 3, empty=True).representative(x, symmetry).tolist() for x in tables]
        assert images[0] == images[1]


class Unfolded(EvenRows):
    """All 3 x 3 tables with total 2: each pair of margins once, its transpose beside it."""

    symmetry = frozenset({"rows", "columns", "simultaneous", "transposition"})

    def __iter__(self):
        return iter(cm.Tables(self.n, *self.shape, empty=True))

    def __contains__(self, matrix):
        return matrix in cm.Tables(self.n, *self.shape, empty=True)

    def margins(self, symmetry="none"):
        sums = [x for x in itertools.product(range(self.n + 1), repeat=self.shape[0]) if sum(x) == self.n]
        return (Margins(rows, cols, 1) for rows in sums for cols in sums)


@pytest.mark.parametrize("name", COUNTED)
def test_margins_that_do_not_stand_for_their_transposes(name):
    """Tables counted once were halved to nothing where rows are told from columns."""
    same = cm.Tables(2, 3, 3, empty=True)
    assert cm.joint(Unfolded(2, 3, 3), name).support == cm.joint(same, name).support


def test_a_function_may_not_write_into_the_table():
    def writes(table):
        table[0, 0] = 9
        return 9

    with pytest.raises(ValueError, match="read-only"):
        cm.joint(cm.Tables(5, 2, 2), writes).support  # noqa: B018


def test_a_batch_must_agree_with_its_function():
    wrong = Statistic(
        "top", lambda x: int(x.max()), batch=lambda t: (t.max(axis=(1, 2)) + 1, np.ones(len(t), int))
    )
    with pytest.raises(
        cm.errors.ConsistencyError, match="statistic 'top' is 4 by its batch and 3 by its function"
    ):
        cm.joint(cm.Tables(4, 2, 2), wrong).support  # noqa: B018


class Nothing(MatrixClass):
    """A class without members."""

    n, shape = 4, (2, 2)

    def __iter__(self):
        return iter(())

    def __contains__(self, matrix):
        return False


@pytest.mark.parametrize("module", ["aaa.classes", "zzz"])
def test_whose_class_it_is(module):
    assert Tables(2, 1, 1).of_package
    assert not type("Own", (Nothing,), {"__module__": module})().of_package


@pytest.mark.parametrize("least", [(0, 1), (1, 0)])
def test_sides_of_which_one_may_be_empty_are_a_restriction(least):
    sides = tuple(Tables(4, 2, 2, empty=not x).sides[0] for x in least)
    assert not type("Own", (Nothing,), {"sides": sides})().unrestricted
