"""check_class: right classes pass, planted false declarations are found."""

from collections import Counter
from itertools import islice, product
from math import comb, prod

import numpy as np
import pytest
from late import stats

from confmat.classes import FixedColumns, FixedMargins, FixedRows, Margins, MatrixClass, Tables
from confmat.errors import ContractError
from confmat.testing import check_class
from confmat.testing.classes import _strangers

RIGHT = [
    Tables(5, 2, 3), Tables(4, 2, 2, empty=True), Tables(2, 3, 3), Tables(0, 2, 1, empty=True),
    Tables(5, 3, 3, cells=(0, 2)), Tables(4, 3, 3, cells=(0, [[0, None, None]] * 3)), Tables(40, 2, 2),
    FixedMargins((3, 2), (2, 2, 1)), FixedMargins((2, 2), (2, 2)), FixedMargins((2, 2, 2), (3, 2, 1), cells=(0, 1)),
    FixedRows((3, 1), 2), FixedRows((2, 2), 2, empty=False),
    FixedColumns(3, (2, 1)), FixedColumns(2, (2, 2), empty=False), FixedColumns(3, (20, 12)),
]  # fmt: skip


@pytest.mark.parametrize("matrices", RIGHT, ids=repr)
def test_what_this_package_declares_is_so(matrices):
    assert check_class(matrices)[:5] == ("form", "members", "count", "rank", "symmetry")


def test_of_many_members_that_are_listed_some_positions_are_looked_at(monkeypatch):
    looked_at = []
    monkeypatch.setattr("confmat.testing.classes.MEMBERS_DRAWN", 30)
    monkeypatch.setattr(
        Tables,
        "rank",
        lambda self, matrix, rank=Tables.rank: looked_at.append(rank(self, matrix)) or looked_at[-1],
    )
    check_class(Tables(8, 2, 2))
    assert looked_at == list(range(0, Tables(8, 2, 2).count(), 3))


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
    tried = ("form", "members", "count", "rank", "symmetry", "orbits", "clusters", "margins", "labelings")
    assert check_class(Squares()) == tried


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


class Big(MatrixClass):
    """2 x 3 tables of 15 points, by what Tables says: too many to be listed; faults are planted in subclasses."""

    n, shape = 15, (2, 3)
    symmetry = frozenset({"rows", "columns"})
    tables = Tables(15, 2, 3)

    def __iter__(self):
        return iter(self.tables)

    def __contains__(self, matrix):
        return matrix in self.tables

    def count(self):
        return self.tables.count()

    def rank(self, matrix):
        return self.tables.rank(matrix)

    def unrank(self, index):
        return self.tables.unrank(index)

    def margins(self, symmetry="none"):
        return self.tables.margins(symmetry)


def test_a_right_large_class_of_ones_own():
    assert check_class(Big()) == ("form", "members", "count", "rank", "symmetry", "orbits", "margins")


class Unhashable(Squares):
    __hash__ = None


class FloatTotal(Squares):
    n = property(lambda self: 4.0, lambda self, n: None)


class ListedShape(Squares):
    shape = [2, 2]  # noqa: RUF012


class FloatCount(Squares):
    def count(self):
        return 35.0


class NamedSymmetry(Squares):
    symmetry = "transposition"


class StrangeSymmetry(Squares):
    symmetry = frozenset({"row"})


class WrongOnlyUnderRows(Squares):
    """The total is right, the distribution wrong, and under {rows} alone."""

    def margins(self, symmetry="none"):
        if set(symmetry) == {"rows"}:
            return iter([Margins((4, 0), (4, 0), self.count())])
        return super().margins(symmetry)


class WrongOnlyUnderTransposition(Squares):
    def margins(self, symmetry="none"):
        if set(symmetry) == {"transposition"}:
            return iter([Margins((4, 0), (4, 0), self.count())])
        return super().margins(symmetry)


class NeverEmpty(Squares):
    may_be_empty = False


class TwoFilledClusters(Squares):
    clusters = (2, 2, False)


class Unrestricted(WrongSymmetry):
    unrestricted, symmetry = True, frozenset()


class WrongRepresentative(Squares):
    def representative(self, table, symmetry="transposition"):
        return np.array([[4, 0], [0, 0]])


class WrongRepresentativeOfOne(Squares):
    """Each member of a small class is turned in every way, not only some of them, and as orbits are listed."""

    def representative(self, table, symmetry="transposition"):
        if set(symmetry) == {"rows"} and np.array_equal(table, [[0, 0], [1, 3]]):
            return np.array([[4, 0], [0, 0]])
        return super().representative(table, symmetry)


class WrongMemberLike(Squares):
    def member_like(self, table):
        return np.array([[4, 0], [0, 0]])


class WrongOrbits(Squares):
    def orbits(self):
        yield np.array([[4, 0], [0, 0]]), self.count()


class ContainsRaises(Squares):
    def __contains__(self, matrix):
        return np.sum(matrix) == self.n and np.shape(matrix) == (2, 2) and np.min(matrix) >= 0


class ContainsFractions(Squares):
    def __contains__(self, matrix):
        if np.shape(matrix) != (2, 2) or not np.issubdtype(np.asarray(matrix).dtype, np.number):
            return False
        return np.sum(matrix) == self.n and np.min(matrix) >= 0


class RankOfAStranger(Squares):
    def rank(self, matrix):
        return super().rank(matrix) if matrix in self else 0


class UnrankFromTheEnd(Squares):
    def unrank(self, index):
        return list(self)[index]


class UnrankWithoutTheFirst(Squares):
    def unrank(self, index):
        return super().unrank(index or 1)


class FewProposals(Squares):
    def propose(self, rng, size):
        return np.array([self.unrank(int(rng.integers(35)))])


class FirstHalfProposed(Squares):
    """455 members: more than are told apart one by one."""

    def __init__(self):
        super().__init__(12)

    def propose(self, rng, size):
        return np.array(list(self))[rng.integers(0, 228, size)]


class CountedTwice(Big):
    """unrank takes every member from two positions, and rank says the first."""

    def count(self):
        return 2 * self.tables.count()

    def rank(self, matrix):
        return 2 * self.tables.rank(matrix)

    def unrank(self, index):
        return self.tables.unrank(index // 2)

    has_margins = False


class LargeUnrankWithoutTheFirst(Big):
    def unrank(self, index):
        return super().unrank(index or 1)


class ContainsEmptyLines(Big):
    def __contains__(self, matrix):
        return matrix in Tables(15, 2, 3, empty=True)

    def rank(self, matrix):
        return super().rank(matrix) if matrix in self.tables else 0


class IteratesAStranger(Big):
    def __iter__(self):
        return iter([np.array([[15, 0, 0], [0, 0, 0]])])


class IteratesBackwards(Big):
    def __iter__(self):
        return (self.unrank(i) for i in range(self.count() - 1, -1, -1))


class WeightMoved(Big):
    """From rows (6, 9), (9, 6) to rows (5, 10), (10, 5), where there are as many tables: the total stays right."""

    def margins(self, symmetry="none"):
        for rows, cols, weight in super().margins(symmetry):
            if sorted(cols) == [1, 1, 13] and sorted(rows) in ([5, 10], [6, 9]):
                yield Margins(rows, cols, 2 * weight if sorted(rows) == [5, 10] else 0)
            else:
                yield Margins(rows, cols, weight)


class WeightMovedUnderRows(Big):
    """Less than all of it, so that every margin is still visited."""

    def margins(self, symmetry="none"):
        for rows, cols, weight in super().margins(symmetry):
            moved = weight > 1 and sorted(cols) == [1, 1, 13] and {5: 1, 6: -1}.get(min(rows), 0)
            yield Margins(rows, cols, weight + moved)


class SidesTooWide(Big):
    def __contains__(self, matrix):
        return super().__contains__(matrix) and np.asarray(matrix)[0, 0] <= np.asarray(matrix)[1, 0]

    has_margins, sides, symmetry = False, Tables(15, 2, 3).sides, frozenset()


class FirstProposed(Big):
    def propose(self, rng, size):
        return np.array([*islice(self, 1000)])[rng.integers(0, 1000, size)]


PLANTED = {
    "form": [Unhashable, FloatTotal, ListedShape, FloatCount, NamedSymmetry, StrangeSymmetry],
    "count": [WrongCount],
    "margins": [
        WrongWeight, WrongPromise, WrongOnlyUnderRows, WrongOnlyUnderTransposition, WeightMoved, WeightMovedUnderRows,
    ],
    "symmetry": [WrongSymmetry],
    "orbits": [WrongRepresentative, WrongRepresentativeOfOne, WrongMemberLike, WrongOrbits],
    "clusters": [NeverEmpty, TwoFilledClusters],
    "rank": [
        WrongRank, RankOfAStranger, UnrankFromTheEnd, UnrankWithoutTheFirst, LargeUnrankWithoutTheFirst, CountedTwice,
        IteratesBackwards,
    ],
    "members": [
        Repeats, ForgetsOne, WrongTotal, ContainsRaises, ContainsFractions, ContainsEmptyLines, IteratesAStranger,
        SidesTooWide,
    ],
    "sides": [Unrestricted],
    "labelings": [WrongLabelings],
    "proposals": [LopsidedProposals, FewProposals, FirstHalfProposed, FirstProposed],
}  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "kind"), [(claim, kind) for claim, kinds in PLANTED.items() for kind in kinds]
)
def test_planted_faults_are_found(claim, kind, monkeypatch):
    """Among the first few that are drawn already, so that many more find them all the more."""
    monkeypatch.setattr("confmat.testing.classes.MEMBERS_DRAWN", 200)
    monkeypatch.setattr("confmat.testing.classes._STRANGERS", 600)
    monkeypatch.setattr("confmat.testing.class_margins._LOOKED_AT", 200)
    with pytest.raises(ContractError) as found:
        check_class(kind())
    assert found.value.claim == claim


def test_only_classes_are_checked():
    with pytest.raises(TypeError, match="matrices must be a class of matrices"):
        check_class([[1, 2]])


@pytest.mark.parametrize(("n", "shape"), [(3, (4, 6)), (9, (2, 3))])
def test_strangers_of_few_points_and_of_few_cells_are_uniform(n, shape):
    """As many nonzero cells as a table of this total, drawn uniformly, has."""
    drawn = list(_strangers(Tables(n, *shape)))
    assert {x.shape for x in drawn} == {shape}
    assert {int(x.sum()) for x in drawn} == {n}
    cells = prod(shape)
    ways = {k: comb(cells, k) * comb(n - 1, k - 1) for k in range(1, min(n, cells) + 1)}
    seen = Counter(int(np.count_nonzero(x)) for x in drawn)
    expected = [ways[k] / sum(ways.values()) * len(drawn) for k in ways]
    assert stats.chisquare([seen[k] for k in ways], expected).pvalue > 0.001


def test_strangers_of_more_points_than_64_bits():
    assert {sum(x.ravel().tolist()) for x in islice(_strangers(Tables(2**64, 2, 2)), 20)} == {2**64}
