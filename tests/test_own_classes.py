"""Classes that the package does not know, defined by the public interface alone, asked of every public function.

Each answer equals brute force over the members, or is a refusal that names what is missing; never a wrong number.
"""

import inspect
import itertools
from collections import Counter
from fractions import Fraction
from functools import cache

import brute
import numpy as np
import pytest
from goodness import key, p_value, uniform

import confmat as cm
from confmat.classes import Margins, MatrixClass, Tables
from confmat.classes.sides import Side
from confmat.conjectures import failures, forecast
from confmat.laws import compute_shards, verify_shards
from confmat.plans import Resources
from confmat.sampling import med_probability
from confmat.statistics import STATISTICS, Statistic
from confmat.testing import check_class, members, transfers


class Symmetric(MatrixClass):
    """Symmetric k x k tables with total n, lines may be empty: (3,2,1), (3,2,1) has 12 tables, 8 of them symmetric."""

    def __init__(self, n, k):
        self.n, self.shape = n, (k, k)

    def __repr__(self):
        return f"Symmetric({self.n}, {self.shape[0]})"

    def __iter__(self):
        return (x for x in cm.Tables(self.n, *self.shape, empty=True) if (x == x.T).all())

    def __contains__(self, matrix):
        inside = matrix in cm.Tables(self.n, *self.shape, empty=True)
        return inside and bool((np.asarray(matrix) == np.asarray(matrix).T).all())

    symmetry = frozenset({"simultaneous", "transposition"})


class GivenTrace(MatrixClass):
    """k x k tables with total n and trace t: a classifier with t hits.  Nothing is declared."""

    def __init__(self, n, k, t):
        self.n, self.shape, self.t = n, (k, k), t

    def __repr__(self):
        return f"GivenTrace({self.n}, {self.shape[0]}, {self.t})"

    def __iter__(self):
        return (x for x in cm.Tables(self.n, *self.shape) if np.trace(x) == self.t)

    def __contains__(self, matrix):
        return matrix in cm.Tables(self.n, *self.shape) and np.trace(np.asarray(matrix)) == self.t


class EvenRows(MatrixClass):
    """r x s tables with total n whose row sums are even: known by its margins, and says so."""

    def __init__(self, n, r, s):
        self.n, self.shape = n, (r, s)

    def __repr__(self):
        return f"EvenRows({self.n}, {self.shape[0]}, {self.shape[1]})"

    def __iter__(self):
        return (x for x in cm.Tables(self.n, *self.shape, empty=True) if not (x.sum(axis=1) % 2).any())

    def __contains__(self, matrix):
        return matrix in cm.Tables(self.n, *self.shape, empty=True) and not (np.sum(matrix, axis=1) % 2).any()

    symmetry = frozenset({"rows", "columns"})

    def margins(self, symmetry="none"):
        for rows in itertools.product(range(0, self.n + 1, 2), repeat=self.shape[0]):
            for cols in itertools.product(range(self.n + 1), repeat=self.shape[1]):
                if sum(rows) == sum(cols) == self.n:
                    yield Margins(rows, cols, 1)


OWN = [
    Symmetric(5, 3),
    Symmetric(6, 2),
    GivenTrace(6, 3, 3),
    GivenTrace(5, 2, 2),
    EvenRows(4, 2, 3),
    EvenRows(4, 2, 2),
]
BOUNDED = [
    cm.Tables(5, 3, 3, cells=(0, 2)),
    cm.Tables(6, 2, 3, cells=(1, None)),
    cm.Tables(4, 3, 3, cells=(0, [[0, None, None], [None, 0, None], [None, None, 0]])),
    cm.FixedMargins((3, 2, 1), (2, 2, 2), cells=(0, 1)),
    cm.FixedMargins((3, 2, 2), (3, 2, 2), cells=(0, 2)),
    cm.FixedColumns(3, (4, 2)),
    cm.FixedColumns(2, (2, 2, 1), empty=False),
    cm.FixedRows((3, 2), 2, empty=False),
]
ALL = [*OWN, *BOUNDED]
COUNTED = [name for name, x in STATISTICS.items() if x.symmetry != "simultaneous"]


def corner(table):
    """A statistic that nothing leaves unchanged."""
    return int(table[0, 0])


BY_SUMS = tuple(name for name in COUNTED if STATISTICS[name].counted)
BY_TABLE = (*(name for name in COUNTED if not STATISTICS[name].counted), corner)


@cache
def values(matrices, name):
    """The values of a statistic over the members, by the function of one matrix; normalised ones as laws do."""
    if callable(name):
        return [Fraction(name(x)) for x in matrices]
    if name in ("nmed", "nrd"):
        r, s, empty = matrices.clusters
        largest = (cm.indices.max_med if name == "nmed" else cm.indices.max_rand_distance)(
            matrices.n, r, s, empty=empty
        )
        return [x / largest if largest else Fraction(0) for x in brute.values(name[1:], matrices)]
    return brute.values(name, matrices)


def answered(call):
    """The answer of a call, or what its refusal says."""
    try:
        return call(), None
    except ValueError as error:
        return None, str(error)


def are_uniform(members, draws):
    """Every draw is a member; the frequencies pass a chi-square test where there is more than one member."""
    assert {key(x) for x in draws} <= {key(x) for x in members}
    return len(members) == 1 or p_value(uniform(members), draws) > 1e-6


def defined(numbers):
    return [x for x in numbers if x == x]


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_what_they_declare_is_so(matrices):
    check_class(matrices)


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_counts_order_and_orbits(matrices):
    members = [x.tolist() for x in matrices]
    assert matrices.count() == len(members)
    assert [matrices.unrank(i).tolist() for i in range(len(members))] == members
    assert [matrices.rank(x) for x in members] == list(range(len(members)))
    orbits = list(matrices.orbits())
    assert sum(size for _, size in orbits) == len(members)
    assert all(x in matrices for x, _ in orbits)
    assert matrices.labelings_count() == sum(brute.weights(matrices, "labelings"))


@pytest.mark.parametrize("matrices", ALL, ids=repr)
@pytest.mark.parametrize("weight", ["tables", "labelings"])
@pytest.mark.parametrize("names", [("med",), ("rd",), BY_SUMS, BY_TABLE], ids=["med", "rd", "sums", "tables"])
def test_laws(matrices, weight, names):
    """By a recursion where there is one, by the pair sums, and table by table."""
    law = cm.joint(matrices, *names, weight=weight)
    expected = Counter()
    for *found, amount in zip(*(values(matrices, name) for name in names), brute.weights(matrices, weight)):
        expected[tuple(map(str, found))] += amount
    assert {tuple(map(str, found)): amount for found, amount in law.support} == expected
    assert law.total == sum(expected.values())


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_conditional_laws_and_their_witnesses(matrices):
    rows = cm.joint(matrices, "med", "rd", "ard").given_each("med").rows
    med, ard = values(matrices, "med"), values(matrices, "ard")
    assert [row.value for row in rows] == sorted(set(med))
    for row in rows:
        inside = [x for m, x in zip(med, ard) if m == row.value]
        law = row.law["ard"]
        assert (row.weight, law.min, law.max) == (len(inside), min(inside), max(inside))
        assert law.mean == pytest.approx(float(sum(inside) / len(inside)), rel=1e-14)
        for witness, value in ((law.argmin(), law.min), (law.argmax(), law.max)):
            assert witness in matrices
            assert (cm.med(witness, exact=True), cm.ard(witness, exact=True)) == (row.value, value)


@pytest.mark.parametrize("matrices", ALL, ids=repr)
@pytest.mark.parametrize("name", [*COUNTED, corner])
def test_extremes_are_those_of_the_members(matrices, name):
    numbers = values(matrices, name)
    for best, search in ((max, cm.maximize), (min, cm.minimize)):
        found = search(matrices, name)
        assert found.proved
        assert found.value == best(defined(numbers), default=None)
        assert all(x in matrices for x in found.maximizers)
        assert bool(found.maximizers) == bool(defined(numbers))


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_extremes_under_a_condition(matrices):
    med, rd = values(matrices, "med"), values(matrices, "rd")
    for m in sorted(set(med)):
        found = cm.maximize(matrices, "rd", given={"med": m})
        assert found.value == max(x for y, x in zip(med, rd) if y == m)
        assert all(x in matrices and cm.med(x, exact=True) == m for x in found.maximizers)


@pytest.mark.parametrize("matrices", ALL, ids=repr)
@pytest.mark.parametrize("method", ["bound-and-prune", "streamed", "theorem", "local"])
def test_methods_serve_or_refuse_by_name(matrices, method):
    name = "rd" if method == "theorem" else "ard"
    found, refusal = answered(lambda: cm.maximize(matrices, name, method=method))
    if found is None:
        assert f'method "{method}"' in refusal
        return
    best = max(values(matrices, name))
    assert found.value == best if found.proved else found.value <= best
    assert all(x in matrices for x in found.maximizers)


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_draws_are_members_and_uniform(matrices):
    members = list(matrices)
    assert are_uniform(members, np.asarray(cm.sample(matrices, 40 * len(members), rng=1)))


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_draws_given_the_med(matrices):
    for m in sorted(set(values(matrices, "med"))):
        inside = [x for x in matrices if cm.med(x, exact=True) == m]
        assert are_uniform(inside, np.asarray(cm.sample(matrices, 40 * len(inside), rng=2, given={"med": m})))


@pytest.mark.parametrize("matrices", ALL, ids=repr)
@pytest.mark.parametrize("method", ["rejection", "counting", "unranking", "chain"])
def test_draws_by_a_method_or_a_refusal(matrices, method):
    members = list(matrices)
    draws, refusal = answered(
        lambda: np.asarray(cm.sample(matrices, 40 * len(members), rng=1, method=method))
    )
    if draws is None:
        assert method in refusal
        assert repr(matrices) in refusal
    else:
        assert are_uniform(members, draws)


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_probabilities_by_splitting_or_a_refusal(matrices):
    m = min(values(matrices, "med"))
    estimate, refusal = answered(lambda: med_probability(matrices, m, rng=1, population=64, repetitions=8))
    if estimate is None:
        assert "is not known by its margins" in refusal
        return
    exact = sum(x == m for x in values(matrices, "med")) / matrices.count()
    assert abs(estimate.value - exact) < 5 * estimate.error + 0.01


@pytest.mark.parametrize("matrices", ALL, ids=repr)
@pytest.mark.parametrize("symmetry", ["transposition", "simultaneous", "none"])
def test_conjectures_are_decided_on_every_member(matrices, symmetry):
    if symmetry == "simultaneous" and matrices.shape[0] != matrices.shape[1]:
        return
    worst = max(values(matrices, "rd"))
    kept = cm.Conjecture(
        "kept", "", predicate=lambda t: bool(cm.rd(t, exact=True) <= worst), symmetry=symmetry
    )
    certificate = cm.check(kept, [matrices])
    assert certificate.entries[0].covered == matrices.count()
    broken = cm.Conjecture(
        "broken", "", predicate=lambda t: bool(cm.rd(t, exact=True) < worst), symmetry=symmetry
    )
    found = cm.check(broken, [matrices])
    at_worst = sorted(x.tolist() for x in matrices if cm.rd(x, exact=True) == worst)
    assert found.matrix.tolist() == at_worst[0]
    assert failures(broken, matrices).members == len(at_worst)
    assert forecast(kept, [matrices]).members == matrices.count()


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_strategies_draw_members(matrices):
    from hypothesis import find

    assert find(members(matrices), lambda x: True).tolist() == matrices.unrank(0).tolist()


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_plans_say_how(matrices):
    plan = cm.plan(cm.joint, matrices, "ard")
    assert plan.facts["matrices"] == matrices.count()
    assert ("table by table" in plan.method) == (not matrices.has_margins)


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_transfers_stay_inside(matrices):
    from hypothesis import given, settings

    start = next(iter(matrices))
    moves = transfers(start, within=matrices)
    if moves.is_empty:
        return

    @settings(max_examples=20, database=None)
    @given(moves)
    def inside(move):
        assert move(start) in matrices

    inside()


@pytest.mark.parametrize("matrices", ALL, ids=repr)
def test_shards_are_the_law_or_refused(matrices, tmp_path):
    _, refusal = answered(lambda: compute_shards(matrices, tmp_path))
    if refusal is not None:
        assert "must be enumerated by their margins to be split" in refusal
        return
    found = verify_shards(matrices, tmp_path, recompute=10**6, seed=1)
    assert (found.problems, found.recomputed) == ((), found.groups)
    names = ("med", "rd", "ard")
    stored = cm.joint(matrices, *names, resources=Resources(checkpoint=tmp_path))
    assert stored.support == cm.joint(matrices, *names).support


def test_every_public_function_of_a_class_is_asked_here():
    """A new public function that takes a class must be asked about these classes too."""
    asked = {
        "joint",
        "maximize",
        "minimize",
        "sample",
        "stream",
        "med_probability",
        "check",
        "plan",
        "failures",
        "forecast",
        "members",
        "compute_shards",
        "verify_shards",
    }
    asked |= {"check_class", "transfers"}
    asked |= {"power"}  # of classes of objects, which are sizes
    rooms = [thing for thing in (getattr(cm, name) for name in cm.__all__) if inspect.ismodule(thing)]
    functions = [getattr(room, name) for room in rooms for name in getattr(room, "__all__", ())]
    found = {
        x.__name__
        for x in functions
        if inspect.isfunction(x) and {"matrices", "classes", "within"} & set(inspect.signature(x).parameters)
    }
    assert found >= {"joint", "maximize", "check"}
    assert found <= asked


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
        (ValueError, cm.errors.ConsistencyError), match=r"visited 2 members of .*, which has 19"
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
    sides = tuple(Side(4, 2, minimum=x) for x in least)
    assert not type("Own", (Nothing,), {"sides": sides})().unrestricted
