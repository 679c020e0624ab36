"""One table under every random model: against all pairs of clusterings, closed forms, and draws."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from command_line import run

from confmat.chance import expected_rand_index, null_laws, under_models
from confmat.classes import random_model
from confmat.errors import TooLarge
from confmat.indices import PairSums
from confmat.indices.partition import med
from confmat.laws import joint
from confmat.plans import budget
from confmat.sampling.models import labels_of


def clusterings(name, side, n):
    """All equally likely labelings of a side, as tuples; those of unnamed clusters in order of first occurrence."""
    labels = side if isinstance(side, int) else n if side is None else len(side)
    for found in product(range(labels), repeat=n):
        sizes = tuple(found.count(k) for k in range(labels))
        first = [found.index(k) for k in range(labels) if k in found]
        in_order = first == sorted(first) and sizes[: len(first)].count(0) == 0
        if isinstance(side, tuple):
            if sizes == side:
                yield found
        elif name == "labels" or (in_order and (side is None or len(first) == side)):
            yield found


def by_all_pairs(model, table):
    pairs = list(
        product(*(list(clusterings(model.name, side, model.n)) for side in (model.rows, model.cols)))
    )
    counted = [(PairSums.of(a, b).rand_distance, med(list(a), list(b), exact=True)) for a, b in pairs]
    distance, unmatched = PairSums.of(table).rand_distance, med(table, exact=True)
    return (
        1 - sum(rd for rd, _ in counted) / len(counted),
        Fraction(sum(rd <= distance for rd, _ in counted), len(counted)),
        Fraction(sum(m for _, m in counted)) / len(counted),
        Fraction(sum(m <= unmatched for _, m in counted), len(counted)),
    )


@pytest.mark.parametrize(
    "table",
    [[[2, 0], [1, 1]], [[2, 1], [0, 1]], [[3]], pytest.param([[2, 0], [1, 2]], marks=pytest.mark.slow)],
)
def test_against_all_pairs_of_clusterings(table):
    found = under_models(table)
    assert len(found) == 10
    for one in found:
        assert by_all_pairs(one.model, table) == (
            one.expected_ri,
            one.p_ri.value,
            one.expected_med,
            one.p_med.value,
        )
        rand = 1 - PairSums.of(table).rand_distance
        assert one.adjusted == (
            1 if one.expected_ri == 1 else (rand - one.expected_ri) / (1 - one.expected_ri)
        )


@pytest.mark.parametrize(
    "n", [pytest.param(6, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.slow)]
)
def test_chances_that_two_objects_share_a_cluster(n):
    """The sides are independent: E[RI] from the shares of pairs together in all clusterings of each side."""
    for name, side in (("partitions", None), *(("clusters", k) for k in range(1, n + 1))):
        together = [a[0] == a[1] for a in clusterings(name, side, n)]
        p = Fraction(sum(together), len(together))
        model = random_model(name, n) if side is None else random_model(name, n, side, side)
        assert expected_rand_index(model) == p**2 + (1 - p) ** 2


def test_sizes_are_what_significance_adjusts_by():
    table = [[5, 1], [2, 6]]
    (one,) = under_models(table, model="sizes")
    assert one.adjusted == 1 - PairSums.of(table).adjusted_rand_distance
    assert one.given == "both"


# The models of another package (clusim, whose one-sided ones give the columns) and which of ours they are.
OTHER_NAMES = {
    "perm": ("sizes", "both"),
    "num": ("clusters", "neither"),
    "num1": ("clusters", "columns"),
    "all": ("partitions", "neither"),
    "all1": ("partitions", "columns"),
}


def test_as_another_package_adjusts(oracles, monkeypatch):
    """Where one value alone can occur, E[RI] = 1 and nothing is left to adjust: 0 there, 1 here."""
    monkeypatch.setattr(null_laws, "LARGEST_EXACT", 0)  # no laws: they are not looked at
    monkeypatch.setattr(null_laws, "MOST_DRAWN_CELLS", 0)
    constant = 0
    for case in oracles("random_models")["cases"]:
        found = {(one.model.name, one.given): one for one in under_models(case["table"], draws=1)}
        for theirs, ours in OTHER_NAMES.items():
            expected, adjusted = case[theirs]
            assert float(found[ours].expected_ri) == pytest.approx(expected, rel=1e-13), (case, theirs)
            if expected == 1:
                assert (found[ours].adjusted, adjusted) == (1, 0)
                constant += 1
            else:
                assert float(found[ours].adjusted) == pytest.approx(adjusted, rel=1e-12, abs=1e-14)
    assert constant == 6


def test_bell_numbers_by_urns(monkeypatch):
    models = [random_model("partitions", n) for n in (12, 300)]
    exact = [expected_rand_index(model) for model in models]
    monkeypatch.setattr(null_laws, "LARGEST_BELL", 10)
    for model, expected in zip(models, exact):
        assert expected_rand_index(model) == pytest.approx(float(expected), rel=1e-12)


def test_a_million_objects():
    first, second = labels_of(random_model("partitions", 10**6), np.random.default_rng(1))
    assert len(first) == len(second) == 10**6
    assert set(np.unique(first)) == set(range(first.max() + 1))


@pytest.mark.parametrize("cells", [400, 0])
def test_draws_cover_the_exact_values(monkeypatch, cells):
    """Both ways to draw: tables, and pairs alone."""
    table = [[2, 1], [0, 2]]
    exact = under_models(table)
    monkeypatch.setattr(null_laws, "PATIENCE_WITH_EACH", 0)
    monkeypatch.setattr(null_laws, "MOST_DRAWN_CELLS", cells)
    for one, drawn in zip(exact[:7], under_models(table, rng=1, draws=199)):
        assert (one.model, one.expected_ri, one.adjusted) == (drawn.model, drawn.expected_ri, drawn.adjusted)
        low, high = drawn.p_ri.interval
        assert low <= one.p_ri.value <= high
        assert (drawn.p_med is None) == (drawn.expected_med is None) == (cells == 0)
        if cells:
            assert drawn.expected_med == pytest.approx(float(one.expected_med), abs=0.06)


def test_p_values_are_shares_of_ten_thousand_unless_draws_are_given(monkeypatch):
    monkeypatch.setattr(null_laws, "_under", lambda plan, *rest: plan.question.draws + 1)
    assert set(under_models([[2, 1], [0, 2]])) == {10_000}


def test_all_models_are_refused_together_before_the_first(monkeypatch):
    monkeypatch.setattr(null_laws, "_seconds", lambda plan: 1.2)
    monkeypatch.setattr(null_laws, "_under", None)
    with budget(seconds=1), pytest.raises(TooLarge, match=r"^4 models .* would take about 4.8 seconds"):
        under_models([[2, 1], [0, 2]])


def test_models_of_a_table_stand_for_its_shape():
    table = np.array([[2, 0, 1], [0, 3, 1]])
    found = under_models(table, draws=1)
    assert [one.model.shape for one in found if one.model.name == "clusters"] == [(2, 3)] * 3
    assert [one.model.rows for one in found if one.model.name == "partitions"] == [None, (3, 4), None]


@pytest.mark.parametrize(
    ("bad", "message"),
    [({"model": "any"}, "model"), ({"draws": 0}, "draws"), ({"confidence": 0}, "confidence")],
)
def test_refused(bad, message):
    with pytest.raises(ValueError, match=message):
        under_models([[1, 0], [0, 1]], **bad)
    with pytest.raises(ValueError, match="at least one object"):
        under_models([[0]])


def test_the_command(capsys):
    assert run(["test", "--matrix", "2,0;1,2", "--model", "all", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = under_models([[2, 0], [1, 2]])
    assert [x["model"] for x in found] == [one.model.name for one in expected]
    assert [Fraction(x["adjusted"]["exact"]) for x in found] == [one.adjusted for one in expected]
    assert run(["test", "--matrix", "2,0;1,2", "--model", "labels", "--mid"]) == 0
    assert "neither" in capsys.readouterr().out
    assert run(["test", "--matrix", "2,0;1,2", "--model", "labels", "--exact"]) == 2


def test_given_sides_have_words():
    assert [one.given for one in under_models([[1, 1]], model="labels")] == ["neither", "rows", "columns"]


def test_every_draw_counts_once():
    model = random_model("labels", n=4, r=2, s=2)
    found = null_laws._drawn_distances(model, 50, np.random.SeedSequence(1))
    assert sum(times for _, times in found) == 50
    assert {distance for distance, _ in found} <= {x for (x,), _ in joint(model, "rd").support}
