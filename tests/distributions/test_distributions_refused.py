"""What laws refuse, and the faults that they find in themselves."""

import inspect
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from confmat._engine import blocks
from confmat.classes import Tables
from confmat.distributions import joint_distribution, ways
from confmat.errors import ConsistencyError, TooLargeError


def test_what_a_law_that_is_not_held_refuses():
    law = joint_distribution(Tables(60, 4, 4), "med", "rd", "ard")
    assert not law.held
    for refused in (lambda: law.support, law.to_frame, lambda: list(law), lambda: law.groupby("rd").rows):
        with pytest.raises(TooLargeError, match=r"need no support|law.ask"):
            refused()


def test_weights_are_compared_with_the_count_of_the_class(monkeypatch):
    matrices = Tables(8, 3, 3)
    assert joint_distribution(matrices, "ard").basis == "guarded"
    monkeypatch.setattr(Tables, "count", lambda self: 7)
    with pytest.raises(
        ConsistencyError, match=r"one pass over Tables\(n=8.* finds tables of weight 1038|finds"
    ):
        _ = joint_distribution(Tables(8, 3, 3), "ard").support


def _with_a_lost_table(right, question):
    """What the right method says, but for its answer."""
    run = right(question)
    return run if isinstance(run, str) else replace(run, answer=lambda: [((Fraction(0),), 3)])


@pytest.mark.parametrize(
    ("names", "kind"), [(("ard",), "a pass"), (("med",), "a list"), ((np.trace,), "a list")]
)
def test_a_lost_table_is_an_error(names, kind, monkeypatch, replace_method):
    if kind == "a pass":
        whole = ways.enumerated
        monkeypatch.setattr(ways, "enumerated", lambda *of: replace(found := whole(*of), kept=found.kept[1:]))
    else:
        for name in ("generating function", "table by table"):
            replace_method(name, _with_a_lost_table)
    with pytest.raises(ConsistencyError, match=r"Tables\(n=9, r=3, s=3.* not 14437"):
        _ = joint_distribution(Tables(9, 3, 3), *names).support


@pytest.mark.slow  # the same fault is planted in a search by tests/engine/test_guard.py, which takes half as long
def test_a_histogram_index_that_overflows_is_an_error(monkeypatch):
    """The planted fault: 16-bit indices for histograms of up to 2^17 cells."""
    planted = inspect.getsource(blocks._prepared).replace("2**16", "2**17")
    namespace = dict(vars(blocks))
    exec(planted, namespace)
    monkeypatch.setattr("confmat._engine.blocks._prepared", namespace["_prepared"])
    monkeypatch.setattr("confmat._engine.pieces._PLACES_PER_TABLE", 10**9)  # nothing is walked
    with pytest.raises(ConsistencyError, match=r"one pass over Tables\(n=62, .* not 9382809123"):
        _ = joint_distribution(Tables(62, 3, 3), "med", "rd", "ard").groupby("med").rows


def test_bad_questions_are_named():
    law = joint_distribution(Tables(5, 2, 2), "med", "rd")
    for ask, message in [
        (lambda: law["ard"], "name must be one of med, rd, got 'ard'"),
        (lambda: law["med"].quantile(2), "p must be from 0 to 1, got 2"),
        (lambda: law["med"].cdf("x"), "x must be a number, .* got 'x'"),
        (lambda: law["med"].probability("rd>0"), "condition must be on med alone"),
        (lambda: law.given("med"), "condition"),
        (lambda: law.groupby("ard"), "name must be one of med, rd, got 'ard'"),
    ]:
        with pytest.raises(ValueError, match=message):
            ask()


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        (
            (Tables(5, 2, 2), "mde"),
            {},
            "statistic must be the name of a statistic, got 'mde'; did you mean med",
        ),
        ((Tables(5, 2, 2),), {}, "statistics must name at least one"),
        ((Tables(5, 2, 2), "med", "med"), {}, "different names"),
        ((Tables(5, 2, 2), "med"), {"weight": "uniform"}, "weight must be .* got 'uniform'"),
        (("20,3,3", "med"), {}, "matrices must be a class of matrices"),
        ((Tables(5, 2, 2), 3), {}, "statistic must be a short name or a function"),
    ],
)
def test_bad_arguments_are_named(arguments, keywords, message):
    with pytest.raises((TypeError, ValueError), match=message):
        joint_distribution(*arguments, **keywords)


def test_conditioning_on_an_absent_statistic():
    with pytest.raises(ValueError, match="name must be one of med, rd, got 'ard'"):
        joint_distribution(Tables(5, 2, 2), "med", "rd").groupby("ard")
