"""What a class of one's own iterates and declares enters by one gate: what is wrong is named, with class and member."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

import confmat as cm
from confmat.classes import Margins, MatrixClass, random_model
from confmat.errors import CertificateError, ConsistencyError, TooLarge, Unsupported
from confmat.statistics import STATISTICS, Statistic
from confmat.testing import check_class

RIGHT = [[[2, 0], [0, 2]], [[1, 1], [1, 1]], [[0, 2], [2, 0]]]


class Own(MatrixClass):
    """Some 2 x 2 tables with total 4; ``shown``: what is iterated."""

    n, shape = 4, (2, 2)

    def __init__(self, *shown):
        self.shown = shown

    def __repr__(self):
        return "Own()"

    def __iter__(self):
        return iter(self.shown)

    def __contains__(self, matrix):
        return np.shape(matrix) == (2, 2) and np.asarray(matrix).tolist() in RIGHT


DOORS = {
    "joint": lambda matrices: cm.joint(matrices, "med").support,
    "function": lambda matrices: cm.joint(matrices, lambda table: int(table[0, 0])).support,
    "maximize": lambda matrices: cm.maximize(matrices, "ard"),
    "check": lambda matrices: cm.check("med <= 1", matrices),
    "count": lambda matrices: matrices.count(),
    "unrank": lambda matrices: matrices.unrank(0),
    "labelings": lambda matrices: matrices.labelings_count(),
    "sample": lambda matrices: cm.sample(matrices, 1, rng=1),
    "sample given": lambda matrices: cm.sample(matrices, 1, rng=1, given="med >= 0"),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("member", "fault"),
    [
        (np.array([[1.5, 0], [0, 2.5]]), "whole number"),
        (np.array([[1, 0], [0, np.nan]]), "whole number"),
        (np.array([["1", "1"], ["1", "1"]]), "whole number"),
        (np.array([[5, 0], [0, -1]]), "a cell below 0"),
        (np.array([[1, 1], [1, 2]]), "does not add up to n = 4"),
        (np.array([[3, 0], [0, 1]]), "is no member by its own account"),
        (np.array([[1, 1, 1, 1]]), "shape"),
    ],
)
def test_a_member_that_is_none_is_named_at_every_door(door, member, fault):
    with pytest.raises(ConsistencyError, match=rf"Own\(\) iterates .*{fault}"):
        DOORS[door](Own(np.array(RIGHT[0]), member))


@pytest.mark.parametrize("kind", [int, np.int8, np.uint16, float, object])
def test_whole_numbers_of_any_kind_enter(kind):
    own = Own(*(np.array(x, kind) for x in RIGHT))
    assert cm.joint(own, "ari")["ari"].max == 1
    assert own.count() == 3
    assert cm.maximize(own, "ard").proved


def test_a_member_that_is_iterated_twice_is_named():
    for door in ("joint", "maximize", "check", "sample"):
        with pytest.raises(ConsistencyError, match=r"iterates 2,0;0,2 2 times"):
            DOORS[door](Own(*map(np.array, [RIGHT[0], RIGHT[1], RIGHT[0]])))


# --- what is declared ---------------------------------------------------------------------------------


class Counted(Own):
    """One that counts wrongly."""

    def count(self):
        return 4


class Consumed(Own):
    """One that iterates each member once in its life."""

    def __init__(self, *shown):
        self.left = iter(shown)

    def __iter__(self):
        yield from self.left


class Symmetric(MatrixClass):
    """Symmetric tables that promise the margins of all tables: 16 members, 84 promised."""

    n, shape = 6, (2, 2)

    def __iter__(self):
        return (x for x in cm.Tables(6, 2, 2, empty=True) if x[0, 1] == x[1, 0])

    def __contains__(self, matrix):
        return matrix in cm.Tables(6, 2, 2, empty=True) and matrix[0][1] == matrix[1][0]

    def margins(self, symmetry="none"):
        return cm.Tables(6, 2, 2, empty=True).margins(symmetry)


class Twice(Symmetric):
    """All tables, but one pair of margins promised twice."""

    def __iter__(self):
        return iter(cm.Tables(6, 2, 2, empty=True))

    def __contains__(self, matrix):
        return matrix in cm.Tables(6, 2, 2, empty=True)

    def margins(self, symmetry="none"):
        yield from super().margins(symmetry)
        yield Margins((3, 3), (3, 3), 1)


class Elsewhere(Twice):
    """Margins of tables with another total."""

    def margins(self, symmetry="none"):
        yield Margins((3, 3), (3, 2), 1)


class Large(Symmetric):
    """The same with too many members to be listed."""

    n = 300

    def __iter__(self):
        return (np.array([[a, b], [b, 300 - a - 2 * b]]) for b in range(151) for a in range(301 - 2 * b))

    def __contains__(self, matrix):
        return matrix in cm.Tables(300, 2, 2, empty=True) and matrix[0][1] == matrix[1][0]

    def margins(self, symmetry="none"):
        return cm.Tables(300, 2, 2, empty=True).margins(symmetry)


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        (lambda: Counted(*map(np.array, RIGHT)), "counts 4 members and iterates 3"),
        (Symmetric, "declares that all tables with margins .* are members, and .* is none"),
        (Twice, "declares margins of 88 members and iterates 84"),
        (Elsewhere, "declares the margins .3, 3., .3, 2., which are of other tables"),
        (Large, "declares that all tables with margins .* are members, and .* is none"),
    ],
)
@pytest.mark.parametrize("door", ["joint", "maximize", "check", "sample", "sample given"])
def test_a_class_that_promises_wrongly_is_named(kind, fault, door):
    with pytest.raises(ConsistencyError, match=fault):
        DOORS[door](kind())


@pytest.mark.parametrize("door", ["joint", "maximize", "check", "sample"])
def test_a_class_that_can_be_iterated_once_only_is_named(door):
    with pytest.raises((ConsistencyError, CertificateError), match=r"Own\(\) (iterates|has) \d members"):
        DOORS[door](Consumed(*map(np.array, RIGHT)))


class Uncounted(Twice):
    """All tables, with their margins and without a count."""

    def margins(self, symmetry="none"):
        return cm.Tables(6, 2, 2, empty=True).margins(symmetry)


def test_a_law_says_that_its_total_was_compared_with_iteration():
    """Or that it was not: where there are no margins there is nothing but the members."""
    law = cm.joint(Uncounted(), "med")
    assert law.total == 84
    assert law.basis.startswith("guarded by iteration")
    assert "guarded by iteration" in repr(law)
    assert cm.joint(Own(*map(np.array, RIGHT)), "med").basis.startswith("not independently counted")
    assert cm.joint(cm.Tables(6, 2, 2), "med").basis == "guarded"


class Promising(Symmetric):
    """As many as it says in each pair of margins that is asked; one more pair beyond these."""

    n = 60

    def __contains__(self, matrix):
        return matrix in cm.Tables(60, 2, 2, empty=True)

    def __iter__(self):
        return iter(cm.Tables(60, 2, 2, empty=True))

    def margins(self, symmetry="none"):
        yield from cm.Tables(60, 2, 2, empty=True).margins(symmetry)
        yield Margins((30, 30), (30, 30), 1)


def test_the_total_of_a_law_is_compared_with_what_is_iterated():
    assert sum(1 for _ in Promising()) == comb(63, 3) > 10**4
    with pytest.raises(
        ConsistencyError, match=f"finds tables of weight {comb(63, 3) + 31}, not {comb(63, 3)}"
    ):
        _ = cm.joint(Promising(), "rd")["rd"].mean


def test_the_contract_of_a_class_names_the_member():
    with pytest.raises(cm.errors.ContractError, match=r"members fails: .* a cell below 0"):
        check_class(Own(np.array([[5, 0], [0, -1]])))


# --- beyond 64 bits -----------------------------------------------------------------------------------


class Huge(MatrixClass):
    """Three diagonal tables with more points than 64 bits count."""

    n, shape = 2**70, (2, 2)

    def __iter__(self):
        return (np.array([[k, 0], [0, 2**70 - k]], object) for k in range(1, 4))

    def __contains__(self, matrix):
        return any(np.array_equal(matrix, member) for member in self)


def test_members_beyond_64_bits_are_answered_or_refused():
    huge = Huge()
    assert cm.joint(huge, "med")["med"].max == 0
    assert cm.joint(huge, lambda table: int(table[1, 1]))["<lambda>"].max == 2**70 - 1
    assert cm.maximize(huge, "ard").value == 0
    assert cm.check("ari = 1", huge).covered == 3
    assert {int(x.sum()) for x in cm.sample(huge, 5, rng=1).tables} == {2**70}
    assert cm.joint(huge, "kappa")["kappa"].max == 1
    with pytest.raises((TooLarge, Unsupported), match=r"labelings of .*Huge.* up to 1000000 objects"):
        _ = cm.joint(huge, "med", weight="labelings").support


# --- all that attain an extreme; what a model counts --------------------------------------------------


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("base", ["med", "rd", "ard"])
def test_where_all_are_alike_all_are_listed(base, largest):
    alike = Statistic(
        "alike", of=STATISTICS[base], factor=lambda matrices: Fraction(0), symmetry="transposition"
    )
    matrices = cm.Tables(5, 2, 3)
    found = (cm.maximize if largest else cm.minimize)(matrices, alike)
    orbits = {tuple(map(tuple, matrices.representative(np.array(x)).tolist())) for x in matrices}
    assert (found.value, found.complete) == (0, True)
    assert {tuple(map(tuple, x.tolist())) for x in found.maximizers} == orbits


def test_a_model_counts_what_it_says():
    def onto(n, k):
        return sum((-1) ** i * comb(k, i) * (k - i) ** n for i in range(k + 1))

    assert random_model("clusters", n=5, r=3, s=2).count() == onto(5, 3) * onto(5, 2) == 4500
    assert random_model("partitions", rows=(1, 1, 1, 1)).count() == 24 * 15
    assert random_model("partitions", n=4).count() == 15 * 15
