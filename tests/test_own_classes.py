"""Classes that the package does not know, defined by the public interface alone, asked of every public function.

Each answer equals brute force over the members, or is a refusal that names what is missing; never a wrong number.
"""

import inspect
from collections import Counter
from fractions import Fraction
from functools import cache

import brute
import numpy as np
import pytest
from goodness import key, p_value, uniform
from own_classes import COUNTED, EvenRows, GivenTrace, Symmetric

import confmat as cm
from confmat.conjectures import failures
from confmat.statistics import STATISTICS
from confmat.testing import check_class, members
from confmat.testing.moves import transfers

OWN = [
    Symmetric(5, 3),
    Symmetric(6, 2),
    GivenTrace(5, 3, 2),
    GivenTrace(5, 2, 2),
    EvenRows(4, 2, 3),
    EvenRows(4, 2, 2),
]
BOUNDED = [
    cm.Tables(4, 3, 3, cells=(0, 2)),
    cm.Tables(6, 2, 3, cells=(1, None)),
    cm.Tables(4, 3, 3, cells=(0, [[0, None, None], [None, 0, None], [None, None, 0]])),
    cm.FixedMargins((3, 2, 1), (2, 2, 2), cells=(0, 1)),
    cm.FixedMargins((3, 2, 2), (3, 2, 2), cells=(0, 2)),
    cm.FixedColumns(3, (4, 2)),
    cm.FixedColumns(2, (2, 2, 1), empty=False),
    cm.FixedRows((3, 2), 2, empty=False),
]
ALL = [*OWN, *BOUNDED]


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
        largest = (cm.indices.extremes.max_med if name == "nmed" else cm.indices.extremes.max_rand_distance)(
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


# Everything is asked of a class of each kind, and of the others what is found in different ways.
KINDS = [OWN[0], OWN[2], BOUNDED[0]]
DIFFERENT = ["med", "rd", "ard", "nmed", "nrd", "wallace_ab", "fm", "vi", "ami", corner]


@pytest.mark.parametrize(
    ("matrices", "name"),
    [(x, name) for x in ALL for name in ([*COUNTED, corner] if x in KINDS else DIFFERENT)],
    ids=lambda x: getattr(x, "__name__", str(x)),
)
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
@pytest.mark.parametrize("method", ["rejection", "counting", "unranking"])
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
    assert cm.plan(cm.check, kept, [matrices]).facts["members"] == matrices.count()


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


def test_every_public_function_of_a_class_is_asked_here():
    """A new public function that takes a class must be asked about these classes too."""
    asked = {
        "joint",
        "maximize",
        "minimize",
        "sample",
        "stream",
        "check",
        "plan",
        "failures",
        "members",
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
