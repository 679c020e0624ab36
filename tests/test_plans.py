"""Plans, limits and budgets: what a call would cost, and what is refused before any work."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import inf

import pytest

import confmat as cm
from confmat import Limits, limits
from confmat._limits import (
    _METHODS,
    _QUESTIONS,
    PLANNED,
    Method,
    Run,
    Watch,
    admit,
    answered,
    choose,
    deadline,
    look,
    register,
)
from confmat.errors import TooLargeError, UnsupportedError
from confmat.indices.extremes import max_med_matrix
from confmat.significance.null_distributions import NullQuestion

# --- limits ------------------------------------------------------------------------------------


class NotYetOne:
    """As Dask's ``Client``: its ``submit`` gives futures of another kind."""

    def submit(self):
        raise NotImplementedError

    get_executor = submit

    def __repr__(self):
        return "<client>"


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"threads": -3}, ValueError, "threads must be at least 1, got -3"),
        ({"threads": 1.5}, TypeError, "threads must be an integer, got 1.5"),
        ({"executor": 4}, TypeError, "executor must be a concurrent.futures.Executor, got 4"),
        ({"executor": NotYetOne()}, TypeError, r"got .*; did you mean client.get_executor\(\)\?"),
        ({"checkpoint": 7}, TypeError, "checkpoint must be the path of a directory, got 7"),
        ({"progress": "yes"}, TypeError, "progress must be a function, got 'yes'"),
        ({"seconds": 0}, ValueError, "seconds must be positive, got 0"),
        ({"seconds": float("nan")}, ValueError, "seconds must be positive, got nan"),
        ({"seconds": "10"}, TypeError, "seconds must be a number, got '10'"),
        ({"memory": -1}, ValueError, "memory must be positive, got -1"),
        ({"memory": True}, TypeError, "memory must be a number, got True"),
    ],
)
def test_limits_are_checked_when_they_are_made(options, error, says):
    with pytest.raises(error, match=says):
        Limits(**options)


def test_limits_of_every_kind(tmp_path):
    with ThreadPoolExecutor(1) as executor:
        made = Limits(
            threads=2.0, executor=executor, checkpoint=tmp_path, progress=print, seconds=inf, memory=1e9
        )
    assert (made.threads, made.cores, made.most()) == (2, 2, (inf, 1e9))


@pytest.mark.parametrize("options", [{"seconds": -1}, {"memory": 0}])
def test_a_budget_is_checked(options):
    with pytest.raises(ValueError, match="must be positive"), limits(**options):
        pass


def test_budgets_are_nested_and_end():
    default = Limits().most()
    with limits(seconds=10):
        with limits(memory=100):
            assert Limits().most() == (10, 100)
            assert Limits(seconds=3).most() == (3, 100)
        assert Limits().most() == (10, default[1])
    assert Limits().most() == default
    assert default[0] == 3600


def test_work_beyond_the_limit_is_refused():
    with limits(seconds=30):
        admit("it", 30)
        with pytest.raises(TooLargeError, match=r"it would take about 31 seconds \(limit 30 seconds\)"):
            admit("it", 31)
    admit("it", 3600)
    with pytest.raises(TooLargeError, match=r"it would take about 1.0 hours \(limit 1.0 hours\)"):
        admit("it", 3601)


def test_every_field_is_set_for_a_block(tmp_path):
    with limits(seconds=5, threads=2, checkpoint=tmp_path, progress=print), limits(memory=100):
        inner = Limits(threads=1).in_force()
    assert inner == Limits(5, 100, 1, None, tmp_path, print)


def test_limits_of_a_block_reach_a_run(tmp_path):
    seen = []
    with limits(threads=1, checkpoint=tmp_path, progress=seen.append):
        assert cm.joint_distribution(cm.Tables(9, 3, 3), "ard")["ard"].max() > 1
    assert seen[-1].fraction == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_the_first_deadline_counts():
    with deadline(Limits(seconds=1e-9)), deadline(Limits(seconds=100)), pytest.raises(TooLargeError):
        look()
    with deadline(Limits()):
        assert look() is None
    with deadline(Limits(seconds=100)), deadline(Limits()):
        assert 99 < look() <= 100


def test_bytes_that_are_about_to_be_laid_out_have_room_or_not():
    with limits(memory=10**9):
        admit("it", memory=10**9)
        with pytest.raises(TooLargeError, match=r"it would take about 954 MiB of memory \(limit 954 MiB\)"):
            admit("it", memory=10**9 + 1)


# --- the choice -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sum:
    """A question to try the choice on."""

    asked: str | None = None
    limits: Limits = field(default_factory=Limits)
    patience: float = 3600.0

    def __str__(self):
        return "the sum"


def method(name, seconds=1, **options):
    return Method(name, lambda question: Run(lambda: name, seconds, **options), "it is tried", rate=1.0)


def refused(name, reason):
    return Method(name, lambda question: reason)


@pytest.fixture
def known(monkeypatch):
    def put(*methods):
        monkeypatch.setitem(_METHODS, Sum, [])
        register(Sum, *methods)

    return put


def test_the_first_that_applies_is_taken(known):
    known(refused("odd", "is for odd ones"), method("slow", 5), method("quick", 2))
    plan = choose(Sum())
    assert (plan.method, plan.run()) == ("slow", "slow")
    assert plan.rejected == {"odd": "is for odd ones", "quick": "is not needed"}


def test_the_first_within_the_limit_is_taken_otherwise_the_quickest(known):
    known(method("exact", 3000), method("rough", 2))
    assert choose(Sum()).method == "exact"
    plan = choose(Sum(patience=5.0))
    assert (plan.method, plan.rejected) == (
        "rough",
        {"exact": "would take about 50 minutes (limit 5.0 seconds)"},
    )
    assert choose(Sum(asked="exact", patience=5.0)).run() == "exact"
    with limits(seconds=100):
        assert choose(Sum()).method == "rough"
    with limits(seconds=inf):
        assert choose(Sum(patience=5.0)).method == "exact"
    known(method("longer", 7201), method("long", 7200))
    assert choose(Sum()).method == "long"


def test_methods_that_do_not_apply_have_a_reason(known):
    known(refused("odd", "is for odd ones"), method("any", 2))
    assert choose(Sum()).rejected == {"odd": "is for odd ones"}
    with pytest.raises(ValueError, match='method "odd" does not apply to "the sum": it is for odd ones'):
        choose(Sum(asked="odd"))
    with pytest.raises(ValueError, match="method must be one of odd, any, got 'none'"):
        choose(Sum(asked="none"))
    known(refused("odd", "is for odd ones"))
    with pytest.raises(UnsupportedError, match="no method is known for the sum: odd is for odd ones"):
        choose(Sum())


def test_a_method_may_apply_before_others_or_after_them(known):
    known(refused("theorem", "lists some"), method("every", 2), method("theorem", 1))
    assert choose(Sum()).rejected == {"theorem": "is not needed"}
    assert choose(Sum(asked="theorem")).run() == "theorem"


def test_runs_beyond_the_limits_are_refused_before_they_begin(known):
    known(method("only", 3601))
    plan = choose(Sum())
    with pytest.raises(
        TooLargeError, match=r"the sum by only would take about 1.0 hours \(limit 1.0 hours\)"
    ):
        plan.run()
    assert choose(Sum(limits=Limits(seconds=3601))).run() == "only"


def test_the_time_on_an_executor_is_not_limited(known):
    known(method("long", 10**9))
    with ThreadPoolExecutor(1) as executor:
        assert choose(Sum(limits=Limits(executor=executor))).excess is None
    assert choose(Sum()).excess is not None


def too_many():
    raise TooLargeError("more than 7 states")


def far(question):
    too_many()


def test_a_class_too_large_for_a_method_is_so_under_all_limits(known):
    known(Method("far", far), method("near", 7200))
    assert choose(Sum()).method == "near"  # what a larger limit would allow
    assert choose(Sum()).rejected == {"far": "exceeds a limit: more than 7 states"}
    known(Method("far", far))
    with (
        limits(seconds=inf),
        pytest.raises(TooLargeError, match="the sum by far exceeds a limit: more than 7 states"),
    ):
        choose(Sum()).run()


def test_no_other_method_is_tried_when_the_time_is_over(known):
    def stopped():
        time.sleep(0.01)
        Watch("adding", Limits(), 1, 1).look()

    known(Method("first", lambda question: Run(too_many)), method("next"))
    assert answered(Sum())[1] == "next"
    known(Method("first", lambda question: Run(stopped)), method("next", 0))
    with pytest.raises(TooLargeError, match=r"adding was stopped after 0\.005 seconds"):
        answered(Sum(limits=Limits(seconds=0.005)))


@pytest.mark.parametrize(("threads", "shown"), [(1, "6.0 seconds"), (2, "3.0 seconds on 2 threads")])
def test_a_plan_shows_its_threads(known, threads, shown):
    known(method("sum", 6, threads=threads))
    assert dict(choose(Sum()).lines())["time"] == shown


def test_a_plan_shows_itself(known):
    known(refused("slow", "is <slow>"), method("quick", 2))
    plan = choose(Sum())
    assert repr(plan) == "<plan: the sum by quick, 2.0 seconds>"
    assert "&lt;slow&gt;" in plan._repr_html_()
    assert plan.to_json()["rejected"] == {"slow": "is <slow>"}
    assert (plan.threads, plan.steps, plan.seconds) == (1, 2, 2.0)


# --- calls ----------------------------------------------------------------------------------------

CALLS = [
    (cm.joint_distribution, (cm.Tables(20, 3, 3), "med", "rd", "ard"), {}, "one pass"),
    (cm.joint_distribution, (cm.Tables(60, 3, 3), "ard"), {}, "one pass"),
    (cm.joint_distribution, (cm.Tables(100, 3, 3), "ard"), {}, "one pass"),
    (cm.joint_distribution, (cm.Tables(10**6, 3, 3), "med"), {}, "generating function"),
    (cm.joint_distribution, (cm.Tables(100, 4, 4), "rd"), {}, "recursion"),
    (cm.joint_distribution, (cm.Tables(25, 5, 5), "rd"), {}, "one pass"),
    (cm.joint_distribution, (cm.Tables(8, 3, 3), "cor"), {}, "table by table"),
    (cm.sample, (cm.Tables(20, 3, 3, allow_empty=True), 5), {"weight": "labelings"}, "labelings"),
    (cm.maximize, (cm.Tables(100, 3, 3), "ard"), {}, "theorem"),
    (cm.maximize, (cm.Tables(100, 3, 3), "rd"), {}, "bound-and-prune"),
    (cm.maximize, (cm.Tables(100, 3, 3), "ard"), {"method": "local"}, "local"),
    (cm.maximize, (cm.Tables(50, 4, 4), "rd", "med=1/5"), {}, "exhaustive"),
    (cm.minimize, (cm.Tables(6, 3, 3), "jaccard"), {}, "exhaustive"),
]


@pytest.mark.parametrize(("function", "args", "options", "expected"), CALLS)
def test_a_call_is_planned(function, args, options, expected):
    plan = cm.plan(function, *args, **options)
    assert plan.method == expected
    assert plan.seconds >= 0
    assert plan.excess is None
    assert expected not in plan.rejected


def test_the_plan_of_something_else_is_refused():
    with pytest.raises(TypeError, match=r"function must be one of check, .*, sampling\.stream, got Tables"):
        cm.plan(cm.Tables(20, 3, 3))
    with pytest.raises(ValueError, match="statistics must name at least one"):
        cm.plan(cm.joint_distribution, cm.Tables(20, 3, 3))


def test_the_functions_that_plan_takes_are_listed_before_they_are_imported():
    for name in PLANNED.split(", "):
        assert eval(f"cm.{name}") in _QUESTIONS
    assert len(PLANNED.split(", ")) == len(_QUESTIONS)


@pytest.mark.parametrize("weight", ["tables", "labelings"])
def test_the_plan_of_a_stream_holds_no_draws(weight):
    matrices = cm.Tables(20, 3, 3, allow_empty=True)
    held, streamed = (
        cm.plan(call, matrices, 10**11, weight=weight) for call in (cm.sample, cm.sampling.stream)
    )
    assert "of memory" in held.excess
    assert streamed.limit is None


# What runs took: processor seconds of one thread, on 29 November 2026, a busy machine.
LABELINGS = {"weight": "labelings"}
TAKEN = [
    pytest.param(cm.Tables(50, 2, 6), ("med", "rd"), {}, "one pass", 5.8, marks=pytest.mark.slow),
    pytest.param(cm.Tables(60, 2, 6), ("med", "rd"), {}, "one pass", 18.7, marks=pytest.mark.slow),
    (cm.Tables(60, 2, 4), ("med", "rd"), {}, "one pass", 2.2),
    (cm.Tables(20, 3, 3), ("ard",), {}, "one pass", 0.026),
    (cm.Tables(50, 3, 3), ("ard",), {}, "one pass", 1.6),
    (cm.Tables(60, 3, 3), ("ard",), {}, "one pass", 4.1),
    (cm.Tables(100, 3, 3), ("ard",), {}, "one pass", 148),
    (cm.Tables(30, 4, 4), ("ard",), {}, "one pass", 1.4),
    (cm.Tables(40, 4, 4), ("ard",), {}, "one pass", 17.0),
    (cm.Tables(25, 5, 5), ("ard",), {}, "one pass", 5.2),
    (cm.Tables(20, 6, 6), ("ard",), {}, "one pass", 2.3),
    (cm.Tables(40, 2, 8), ("ard",), {}, "one pass", 4.6),
    (cm.Tables(800, 2, 2), ("ard",), {}, "one pass", 3.6),
    (cm.Tables(30, 4, 5), ("ard",), {}, "one pass", 13),
    (cm.Tables(30, 3, 3), ("ard",), LABELINGS, "one pass", 0.46),
    (cm.Tables(24, 4, 4), ("ard",), LABELINGS, "one pass", 0.75),
    (cm.FixedMargins([20] * 4, [20] * 4), ("ard",), {}, "one pass", 0.061),
    (cm.FixedRows((40, 30, 20), 3), ("ard",), {}, "one pass", 0.12),
    (cm.Tables(25, 4, 4), ("ard",), {}, "one pass", 0.42),
    (cm.Tables(14, 3, 3), (lambda table: int(table.max()),), {}, "table by table", 0.45),
    (cm.Tables(20, 3, 3), ("kappa",), {}, "table by table", 0.33),
    (cm.Tables(20, 3, 3), ("nmi",), {}, "table by table", 2.8),
    (cm.Tables(20, 3, 3), ("chi2",), {}, "table by table", 1.8),
]


@pytest.mark.parametrize(("matrices", "statistics", "options", "method", "taken"), TAKEN)
def test_steps_times_the_rate_are_the_seconds_within_a_factor_of_two_and_a_half(
    matrices, statistics, options, method, taken
):
    plan = cm.plan(cm.joint_distribution, matrices, *statistics, limits=Limits(threads=1), **options)
    assert plan.method == method
    assert taken / 2.5 < plan.seconds < 2.5 * taken


def test_a_search_under_a_condition_on_accuracy_is_planned_by_its_time():
    """It takes 10 seconds, and was planned as 14 minutes: within a limit of a minute it gave no proof."""
    plan = cm.plan(
        cm.minimize, cm.Tables(36, 3, 3), "ari", given="accuracy >= 0.9", limits=Limits(seconds=60)
    )
    assert plan.method == "exhaustive"
    assert plan.excess is None


def test_a_budget_in_memory_is_kept_before_anything_is_laid_out():
    with cm.limits(memory=10 * 2**20), pytest.raises(TooLargeError, match=r"of memory .*limit 10 MiB"):
        _ = cm.joint_distribution(cm.Tables(20, 6, 6), "ard")["ard"].mean()


# --- refusals -------------------------------------------------------------------------------------

REFUSED = {
    "values of a law": (
        lambda: list(cm.joint_distribution(cm.Tables(10**9, 3, 3), "med")),
        r"326 GiB of memory \(limit",
    ),
    "an extreme matrix": (lambda: max_med_matrix(10**18, 10**6, 10**6), r"GiB of memory \(limit"),
    "many draws": (lambda: cm.sample(cm.Tables(10, 3, 3), 10**12), r"67,055 GiB of memory \(limit"),
    "a member by its position": (
        lambda: cm.Tables(10**5, 100, 100).unrank(10**30),
        r"days \(limit 1.0 hours\)",
    ),
    "draws that must be counted": (
        lambda: cm.sample(cm.Tables(10**5, 200, 200), 2),
        r"minutes \(limit 1.0 minutes\)",
    ),
    "a search": (lambda: cm.minimize(cm.Tables(120, 40, 40), "ari", restarts=10**4), r"hours \(limit"),
    "a count": (lambda: cm.Tables(10**8, 2000, 2000).count(), r"21 years \(limit 1.0 hours\)"),
    "a pass": (
        lambda: cm.joint_distribution(cm.Tables(60, 5, 5), "ard")["ard"].mean(),
        r"about .* days \(limit 1.0 hours\)",
    ),
    "distances": (
        lambda: cm.joint_distribution(cm.Tables(60, 5, 5), "rd")["rd"].mean(),
        r"days \(limit 1.0 hours\)",
    ),
    "margins": (
        lambda: cm.joint_distribution(cm.Tables(400, 4, 4), "ard")["ard"].max(),
        "pairs of margins, the limit is 30,000,000",
    ),
    "functions": (
        lambda: list(cm.joint_distribution(cm.Tables(60, 4, 4), lambda table: int(table.max()))),
        r"years \(limit 1.0 hours\)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_library_refuses_with_a_number_before_any_work(name):
    call, says = REFUSED[name]
    start = time.process_time()
    with pytest.raises(TooLargeError, match=says):
        call()
    assert time.process_time() - start < 5  # processor time; alone, each takes less than one second


def test_a_plan_of_unknown_cost_shows_its_refusal_alone():
    plan = cm.plan(cm.joint_distribution, cm.Tables(10**17, 4, 10**17), "rd")
    assert re.search(
        r"^<plan: the distribution of rd over \S+, .* by one pass; too much: more than", repr(plan)
    )
    assert "Infinity" not in repr(plan)
    assert not {"time", "memory"} & dict(plan.lines()).keys()


def test_the_first_member_of_a_huge_class_comes_at_once():
    assert next(iter(cm.Tables(10**9, 3, 3))).sum() == 10**9


def test_a_small_budget_refuses_a_small_law_and_inf_lifts_it():
    law = cm.joint_distribution(cm.Tables(12, 3, 3), "ard")
    with cm.limits(seconds=1e-6), pytest.raises(TooLargeError, match="the distribution of"):
        _ = list(law)
    with cm.limits(seconds=inf):
        assert law["ard"].min() == 0


@pytest.mark.parametrize(("n", "way"), [(40, "enumeration"), (60, "draws")])
def test_draws_only_stand_in_for_distributions_that_take_long(n, way):
    question = NullQuestion(cm.Tables(n, 3, 3, allow_empty=True), ("med", "rd", "ard"), 100)
    assert choose(question).method == way
