"""What plans say beforehand: no class is counted for long, and costs are about those that were measured."""

import pytest
from own_classes import Symmetric

import confmat as cm
from confmat.classes import tables
from confmat.conjectures import Conjecture
from confmat.conjectures.checking import seconds_per_table
from confmat.conjectures.stated import has_members
from confmat.conjectures.triples import MarginPairs
from confmat.engine.costs import Enumeration, rough
from confmat.engine.timing import measured
from confmat.errors import TooLarge


@pytest.fixture
def uncounted(monkeypatch):
    """A class that takes long to be counted; to count it without a limit fails."""
    counted = tables.fiber_count

    def refused(rows, cols, seconds=None):
        assert seconds is not None or len(rows) < 6, "counted without a limit"
        return counted(rows, cols, *[seconds] * (seconds is not None))

    monkeypatch.setattr(tables, "fiber_count", refused)
    return cm.FixedMargins([100] * 6, [100] * 6)


@pytest.mark.parametrize("statistic", ["rd", len])
def test_a_plan_counts_no_class_that_takes_long_to_count(uncounted, statistic):
    plan = cm.plan(cm.joint, uncounted, statistic)
    assert 10**37 < plan.facts["matrices, about"] < 10**40
    assert "there are" not in plan.refusal


def test_a_plan_counts_a_class_that_is_soon_counted():
    assert cm.plan(cm.joint, cm.FixedMargins([9, 6, 5], [8, 8, 4]), "rd").facts["matrices"] == 355


def test_signatures_that_a_search_lists_are_in_its_cost():
    # 26 s were measured, with a bound 0.1 s; a pass for a law packs them and takes 5.
    asked = cm.maximize, cm.Tables(36, 4, 4), "ard"
    assert 13 < cm.plan(*asked, method="exhaustive").seconds < 52
    assert cm.plan(*asked).method == "theorem"
    assert cm.plan(cm.maximize, cm.Tables(36, 4, 4), "rd").method == "bound-and-prune"


@pytest.mark.parametrize("condition", ["med=1/2", "ari>1/2"])
def test_draws_under_a_condition_are_planned_without_a_count(uncounted, condition):
    plan = cm.plan(cm.sample, uncounted, 10, given=condition)
    assert "walk through" in plan.rejected["listing"]


@pytest.mark.parametrize(
    ("matrices", "method", "facts"),
    [
        (cm.Tables(5, 2, 3), "closed form", []),
        (cm.FixedRows([3, 2], 3), "closed form", []),
        (cm.Tables(2, 3, 3), "closed form", []),
        (cm.FixedMargins([4, 3, 2], [3, 3, 3]), "recursion", ["by"]),
        (cm.Tables(5, 2, 2, cells=(0, 3)), "recursion", ["states at most"]),
        (Symmetric(4, 2), "iteration", ["members at most"]),
    ],
)
def test_counts_are_planned(matrices, method, facts):
    plan = cm.plan(matrices.count)
    assert (plan.method, [*plan.facts], plan.excess) == (method, facts, None)
    assert plan.seconds >= 0
    assert plan.rejected.keys() == {"closed form", "recursion", "iteration"} - {method}
    assert plan.run() == sum(1 for _ in matrices)


def test_searches_are_planned_without_a_count(uncounted):
    for statistic in ("ard", "ami"):
        plan = cm.plan(cm.maximize, uncounted, statistic)
        assert "years" in str(plan.rejected.get("exhaustive", plan.refusal))


def test_a_law_is_shown_without_a_count(uncounted):
    assert repr(cm.joint(uncounted, "rd")).endswith("guarded>")


@pytest.mark.parametrize("statement", ["rd <= 1", "med<=1/10 -> ari>=0", "ami >= 0"])
def test_checks_are_planned_without_a_count(uncounted, statement):
    plan = cm.plan(cm.check, statement, [uncounted, cm.Tables(4, 2, 2)])
    assert plan.excess
    assert 10**37 < plan.facts["members, about"] < 10**40
    assert cm.plan(cm.check, statement, [cm.Tables(4, 2, 2)]).facts["members"] == 19


def test_predicates_are_timed_on_the_first_members_of_a_class_that_is_not_counted(uncounted):
    slow = Conjecture("slow", "takes a while", predicate=lambda table: len([*range(10**5)]) > 0)
    assert seconds_per_table(slow, uncounted) > 1e-4


def test_a_law_too_large_is_refused_without_a_count(uncounted, tmp_path):
    with pytest.raises(TooLarge, match="the law of"):
        cm.joint(uncounted, "rd").to_csv(tmp_path / "law.csv")


def test_an_empty_class_has_nothing_to_be_checked():
    assert not has_members(MarginPairs(2, 3, 3))
    with pytest.raises(ValueError, match="classes must have members"):
        cm.check("rd <= 1", [cm.Tables(2, 3, 3)])


def test_the_memory_of_two_passes_is_about_what_they_took():
    """2186 MiB: the larger of two passes beside the moments, not both, nor moments twice."""
    cost = rough(Enumeration(cm.Tables(100, 3, 3), "tables", held=False, passes=2), 2, 1)
    assert 0.8 * 2186 * 2**20 < cost.bytes < 1.2 * 2186 * 2**20


def test_sorting_and_describing_listed_signatures_are_most_of_what_they_cost():
    """12 s with two statistics, of which the pass takes 2."""
    sorted_alone, described = (
        rough(Enumeration(cm.Tables(800, 2, 2), "tables", held=True), many, 1) for many in (0, 2)
    )
    assert 6 < described.seconds + described.serial < 24
    assert described.seconds < sorted_alone.serial < 0.75 * described.serial


def test_a_clock_that_does_not_tick_while_a_sample_is_taken(monkeypatch):
    monkeypatch.setattr("confmat.engine.timing.time.thread_time", lambda: 1.0)
    asked = Enumeration(cm.Tables(40, 3, 3), "tables", held=True)
    assert 0 <= measured(asked, 2, 1).seconds < 1
