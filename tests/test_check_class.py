"""check_class: right classes pass, planted false declarations are found."""

from itertools import product

import numpy as np
import pytest

from confmat.classes import FixedColumns, FixedMargins, FixedRows, Margins, MatrixClass, Tables
from confmat.errors import ContractError
from confmat.testing import check_class

RIGHT = [
    Tables(5, 2, 3), Tables(4, 2, 2, empty=True), Tables(2, 3, 3), Tables(0, 2, 1, empty=True),
    Tables(5, 3, 3, cells=(0, 2)), Tables(4, 3, 3, cells=(0, [[0, None, None]] * 3)), Tables(30, 3, 3),
    FixedMargins((3, 2), (2, 2, 1)), FixedMargins((2, 2), (2, 2)), FixedMargins((2, 2, 2), (3, 2, 1), cells=(0, 1)),
    FixedRows((3, 1), 2), FixedRows((2, 2), 2, empty=False),
    FixedColumns(3, (2, 1)), FixedColumns(2, (2, 2), empty=False), FixedColumns(3, (200, 100)),
]  # fmt: skip


@pytest.mark.parametrize("matrices", RIGHT, ids=repr)
def test_what_this_package_declares_is_so(matrices):
    assert check_class(matrices)[:4] == ("members", "count", "rank", "symmetry")


class Squares(MatrixClass):
    """All 2 x 2 matrices with total n, in no particular order; faults are planted in subclasses."""

    def __init__(self, n=4):
        self.n = n

    shape = (2, 2)

    def __iter__(self):
        for a, b, c in product(range(self.n + 1), repeat=3):
            if a + b + c <= self.n:
                yield np.array([[a, b], [c, self.n - a - b - c]])

    def __contains__(self, matrix):
        return Tables(self.n, 2, 2, empty=True).__contains__(matrix)

    @property
    def symmetry(self):
        return frozenset({"rows", "columns", "simultaneous", "transposition"})

    def margins(self, symmetry="none"):
        return Tables(self.n, 2, 2, empty=True).margins(symmetry)


def test_a_right_class_of_ones_own():
    assert check_class(Squares()) == ("members", "count", "rank", "symmetry", "margins", "labelings")


class WrongCount(Squares):
    def count(self):
        return 34


class WrongWeight(Squares):
    def margins(self, symmetry="none"):
        return (Margins(rows, cols, 1) for rows, cols, _ in super().margins(symmetry))


class WrongSymmetry(Squares):
    """The first cell is even."""

    def __iter__(self):
        return (x for x in super().__iter__() if x[0, 0] % 2 == 0)

    def __contains__(self, matrix):
        return super().__contains__(matrix) and np.asarray(matrix)[0, 0] % 2 == 0

    has_margins = False


class WrongPromise(Squares):
    """Symmetric matrices, whose margins belong to others too; the weights make the total right."""

    def __iter__(self):
        return (x for x in super().__iter__() if x[0, 1] == x[1, 0])

    def __contains__(self, matrix):
        return super().__contains__(matrix) and np.asarray(matrix)[0, 1] == np.asarray(matrix)[1, 0]

    @property
    def symmetry(self):
        return frozenset({"transposition"})

    def margins(self, symmetry="none"):
        yield Margins((4, 0), (0, 4), self.count())


class WrongRank(Squares):
    def rank(self, matrix):
        return super().rank(matrix) ^ 1


class Repeats(Squares):
    def __iter__(self):
        yield from super().__iter__()
        yield np.array([[4, 0], [0, 0]])


class ForgetsOne(Squares):
    def __iter__(self):
        return (x for x in super().__iter__() if x[0, 0] < 4)

    has_margins = False


class WrongTotal(Squares):
    def __contains__(self, matrix):
        return np.shape(matrix) == (2, 2)

    def __iter__(self):
        yield np.array([[1, 0], [0, 0]])


class WrongLabelings(Squares):
    def labelings_count(self):
        return 255


class LopsidedProposals(Squares):
    def propose(self, rng, size):
        return np.array([self.unrank(min(int(i), 30)) for i in rng.integers(0, 35, size)])


PLANTED = {
    "count": [WrongCount],
    "margins": [WrongWeight, WrongPromise],
    "symmetry": [WrongSymmetry],
    "rank": [WrongRank],
    "members": [Repeats, ForgetsOne, WrongTotal],
    "labelings": [WrongLabelings],
    "proposals": [LopsidedProposals],
}


@pytest.mark.parametrize(
    ("claim", "kind"), [(claim, kind) for claim, kinds in PLANTED.items() for kind in kinds]
)
def test_planted_faults_are_found(claim, kind):
    with pytest.raises(ContractError) as found:
        check_class(kind())
    assert found.value.claim == claim


def test_only_classes_are_checked():
    with pytest.raises(TypeError, match="matrices must be a class of matrices"):
        check_class([[1, 2]])
