"""Random models, two-sided and one-sided, against all labelings and against the definitions of uniform clusterings."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from brute import labelings as number_of_labelings
from goodness import p_value
from sympy import bell

import confmat as cm
from confmat.chance import null_law
from confmat.classes import FixedColumns, FixedMargins, FixedRows, RandomModel, Tables, random_model
from confmat.errors import ConsistencyError, TooLarge
from confmat.laws import joint
from confmat.matrices import contingency
from confmat.sampling import stream
from confmat.statistics import STATISTICS, Statistic


def labelings(n, k, used):
    """All labelings of n points with k labels; ``used``: every label occurs."""
    return [x for x in product(range(k), repeat=n) if not used or len(set(x)) == k]


def clusterings(n):
    """All clusterings of n points, each once: labels in the order in which they occur."""
    return [
        x for x in product(range(n), repeat=n) if all(c <= max((-1, *x[:i])) + 1 for i, c in enumerate(x))
    ]


def with_sizes(sizes):
    return [
        x
        for x in product(range(len(sizes)), repeat=sum(sizes))
        if tuple(map(x.count, range(len(sizes)))) == sizes
    ]


def given(sizes):
    """One labeling with these sizes: by symmetry any will do."""
    return [tuple(np.repeat(range(len(sizes)), sizes).tolist())]


CASES = [
    (random_model("labels", 4, 2, 3), labelings(4, 2, False), labelings(4, 3, False)),
    (random_model("labels", rows=(3, 2), s=3), given((3, 2)), labelings(5, 3, False)),
    (random_model("labels", r=2, cols=(2, 1, 1)), labelings(4, 2, False), given((2, 1, 1))),
    (random_model("clusters", 5, 2, 3), labelings(5, 2, True), labelings(5, 3, True)),
    (random_model("clusters", 4, 3, 2), labelings(4, 3, True), labelings(4, 2, True)),
    (random_model("clusters", 4, 2, 2), labelings(4, 2, True), labelings(4, 2, True)),
    (random_model("clusters", rows=(3, 2, 1), s=2), given((3, 2, 1)), labelings(6, 2, True)),
    (random_model("clusters", r=3, cols=(2, 2)), labelings(4, 3, True), given((2, 2))),
    (random_model("sizes", rows=(3, 2), cols=(2, 2, 1)), given((3, 2)), with_sizes((2, 2, 1))),
    (random_model("partitions", 4), clusterings(4), clusterings(4)),
    (random_model("partitions", rows=(2, 1, 1)), given((2, 1, 1)), clusterings(4)),
    (random_model("partitions", cols=(3, 2)), clusterings(5), given((3, 2))),
]
COUNTED = [name for name, x in STATISTICS.items() if x.counted and name not in ("nmed", "nrd")]


@cache
def tables_behind(case):
    """The tables of all pairs of labelings of a case, each with how many pairs have it."""
    _, first, second = CASES[case]
    tables = Counter(str(contingency(a, b, sparse=False).tolist()) for a in first for b in second)
    return [(json.loads(table), number) for table, number in tables.items()]


def shares(case, *names):
    """How often each value of some statistics occurs in all pairs of labelings of a case, the nan as a text."""
    found = Counter()
    for table, number in tables_behind(case):
        found[tuple(str(STATISTICS[name](table)) for name in names)] += number
    return {values: Fraction(number, found.total()) for values, number in found.items()}


@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda k: repr(CASES[k][0]))
def test_laws_against_all_pairs(case):
    for name in COUNTED:
        found = null_law(CASES[case][0], name, exact=True)
        assert {(str(x),): Fraction(w, found.total) for (x,), w in found.support} == shares(case, name)


def test_joint_takes_a_model():
    for case, (model, _, _) in enumerate(CASES):
        law = joint(model, "ari", "med")
        found = {tuple(map(str, x)): Fraction(w, law.total) for x, w in law.support}
        assert found == shares(case, "ari", "med")
    with pytest.raises(ValueError, match="statistic 'corner' depends on the names of clusters"):
        joint(random_model("clusters", 4, 2, 2), Statistic("corner", lambda t: int(t[0, 0])))
    with pytest.raises(
        ValueError, match="weight belongs to a class; the model 'labels' has its own, got 'tables'"
    ):
        joint(random_model("labels", 4, 2, 2), "ri", weight="tables")


def test_the_printed_mean_of_gates_and_ahn():
    assert joint(random_model("clusters", rows=(3, 2, 1), s=2), "ri")["ri"].mean == Fraction(236, 465)
    assert joint(random_model("labels", rows=(3, 2, 1), s=2), "ri")["ri"].mean == Fraction(1, 2)


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (random_model("labels", 4, 2, 2), Tables),
        (random_model("labels", rows=(3, 1), s=2), FixedRows),
        (random_model("clusters", r=2, cols=(3, 1)), FixedColumns),
        (random_model("sizes", rows=(3, 1), cols=(2, 2)), FixedMargins),
    ],
)
def test_each_part_counts_pairs_of_labelings(model, kind):
    ((matrices, coefficient),) = model.parts
    assert coefficient == 1
    assert type(matrices) is kind
    assert matrices.may_be_empty == (model.name == "labels")


def test_partitions_count_as_bell_numbers():
    for model in (
        *(random_model("partitions", n) for n in range(1, 9)),
        random_model("partitions", cols=(3, 2, 2)),
    ):
        assert model.count() == sum(
            part.coefficient * part.matrices.labelings_count() for part in model.parts
        )
    assert random_model("partitions", 6).count() == 203**2


@pytest.mark.parametrize("n", [*range(2, 7), pytest.param(7, marks=pytest.mark.slow)])
def test_the_mean_rand_index_of_partitions(n):
    """Two points are together with probability p = B(n-1)/B(n) in each of two independent partitions."""
    p = Fraction(int(bell(n - 1)), int(bell(n)))
    assert joint(random_model("partitions", n), "ri")["ri"].mean == p**2 + (1 - p) ** 2
    sizes = (2,) + (1,) * (n - 2)
    q = Fraction(1, n * (n - 1) // 2)
    assert joint(random_model("partitions", rows=sizes), "ri")["ri"].mean == q * p + (1 - q) * (1 - p)


def test_models_of_too_many_shapes_are_refused():
    with pytest.raises(TooLarge, match=r"would take classes of 441 shapes \(at most 400\)"):
        joint(random_model("partitions", 21), "ri")["ri"]


def test_a_sum_of_classes_is_a_law():
    law = joint(random_model("partitions", 5), "med", "ard", "nrd")
    assert (law.total, law.basis, law.exact) == (52**2, "guarded", True)
    assert law.probability("ard > 1") == 1 - law["ard"].cdf(1)
    assert law.given("med <= 2/5")["med"].max == Fraction(2, 5)
    assert sum(w for _, w, _ in law.given_each("med")) == law.total
    assert cm.ard(law["ard"].argmax(), exact=True) == law["ard"].max
    assert law.digest != joint(random_model("partitions", rows=(2, 2, 1)), "med", "ard", "nrd").digest
    with pytest.raises(
        ValueError, match="condition must not name r or s over tables of many shapes, got 'med < 1 / r'"
    ):
        law.probability("med<1/r")
    with pytest.raises(ValueError, match="condition must be on statistics of the law"):
        law.probability("rd<1/2")


def test_a_mixture_that_misses_a_class_is_noticed(monkeypatch):
    whole = type(random_model("partitions", 4)).parts.fget
    monkeypatch.setattr(RandomModel, "parts", property(lambda self: list(whole(self))[1:]))
    with pytest.raises(ConsistencyError, match="the sum of its classes over RandomModel"):
        joint(random_model("partitions", 4), "ri")


@pytest.mark.parametrize(
    "model",
    [
        random_model("labels", rows=(3, 2), s=2),
        random_model("labels", r=3, cols=(2, 2)),
        random_model("clusters", rows=(3, 2), s=2),
        random_model("clusters", r=2, cols=(2, 1, 2)),
    ],
    ids=repr,
)
def test_one_sided_draws(model):
    weights = {np.ascontiguousarray(x, np.int64).tobytes(): number_of_labelings(x) for x in model.matrices}
    law = {key: weight / sum(weights.values()) for key, weight in weights.items()}
    assert p_value(law, stream(model, 20_000, rng=3).array()) > 1e-3


def test_one_sided_partitions_are_drawn_uniformly():
    model = random_model("partitions", rows=(2, 1))
    draws = null_law(model, "ri", exact=False, draws=5000, rng=4)
    drawn = {value: weight for (value,), weight in draws.support}
    exact = null_law(model, "ri", exact=True)
    for (value,), weight in exact.support:
        assert abs(drawn[value] / 5000 - weight / exact.total) < 0.03


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "urn"}, "name must be one of labels, clusters, sizes, partitions, got 'urn'"),
        (
            {"name": "labels", "n": 4},
            "the model 'labels' needs n, r, s or rows, s or r, cols and nothing else, got n",
        ),
        ({"name": "partitions", "n": 4, "rows": (2, 2)}, "the model 'partitions' needs n or rows or cols"),
        ({"name": "clusters", "rows": (2, 0), "s": 1}, r"rows\[1\] must be at least 1, got 0"),
        ({"name": "sizes", "rows": (2, -1), "cols": (1,)}, r"rows\[1\] must be at least 0, got -1"),
        ({"name": "sizes", "rows": (1,), "cols": (2, -1)}, r"cols\[1\] must be at least 0, got -1"),
        ({"name": "labels", "r": 1, "cols": (2, 0)}, r"cols\[1\] must be at least 1, got 0"),
        ({"name": "labels", "n": -1, "r": 1, "s": 1}, "n must be at least 0, got -1"),
        ({"name": "partitions", "n": 0}, "n must be at least 1, got 0"),
        ({"name": "clusters", "n": 2, "r": 3, "s": 1}, "2 points cannot fill the clusters of"),
        ({"name": "clusters", "rows": (1, 1), "s": 3}, "2 points cannot fill the clusters of"),
    ],
)
def test_bad_sizes_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        random_model(**arguments)


def test_sizes_that_are_allowed():
    assert random_model("sizes", rows=(2, 0), cols=(0, 2)).matrices.rows == (2, 0)
    assert random_model("labels", 0, 1, 1).n == 0
    assert random_model("partitions", 1).shape == (1, 1)


@pytest.mark.parametrize(
    ("model", "first", "second"), [case for case in CASES if case[0].name == "partitions"], ids=repr
)
def test_membership_of_many(model, first, second):
    members = np.zeros((len(first) * len(second), *model.shape), np.int64)
    for table, (a, b) in zip(members, ((a, b) for a in first for b in second)):
        np.add.at(table, (a, b), 1)
    assert model.contains_each(members).all()
    more, fewer, below, rows, cols = (members.copy() for _ in range(5))
    more[:, 0, 0] += 1
    fewer[members > 0] -= 1
    for table in below:
        table[0, 0], table[1, 1] = table[0, 0] + table[1, 1] + 1, -1
    rows[:, 1] += rows[:, 0]
    rows[:, 0] = 0
    cols[:, :, 1] += cols[:, :, 0]
    cols[:, :, 0] = 0
    for wrong in (more, fewer, below):
        assert not model.contains_each(wrong).any()
    assert model.contains_each(rows).all() == (model.rows is None)
    assert model.contains_each(cols).all() == (model.cols is None)
    assert not (isinstance(model.rows, tuple) and model.contains_each(rows).any())
