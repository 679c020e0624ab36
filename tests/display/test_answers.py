"""Every answer shows itself: at forty sizes, within seconds, in every form; its repr computes nothing."""

import json
import sys
import time
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confmat as cm
from confmat._display import Shown, Told, as_json
from confmat.cli.given_med import GivenMed

SIZES = [
    *((n, r, s) for n in (1, 2, 3) for r in range(1, n + 1) for s in range(1, n + 1)),
    *((n, n, n) for n in (4, 5, 7, 12, 20, 30, 50)),
    *((n, 1, n) for n in (4, 20)),
    *((20, r, s) for r, s in ((2, 2), (3, 3), (2, 10), (1, 1), (20, 3))),
    *((40, 12, 12), (100, 40, 40), (100, 30, 30), (300, 30, 39), (50, 50, 25)),
    *((10**4, 3, 3), (10**6, 4, 2), (2 * 10**8, 2, 2), (2600, 50, 50), (3000, 60, 60), (10**5, 8, 9)),
]


def a_table(n, r, s):
    """Some table of n objects without empty lines, most of them near the diagonal."""
    rng = np.random.default_rng(n + r + s)
    longest = max(r, s)
    table = np.zeros((r, s), np.int64)
    np.add.at(table, (np.arange(longest) % r, np.arange(longest) % s), 1)
    rest = n - longest
    if rest:
        table += rng.multinomial(rest, (table / table.sum()).ravel() * 0.8 + 0.2 / (r * s)).reshape(r, s)
    return table


def show(answer, seconds=5.0):
    """In every form, in so many seconds of the processor; the repr in a moment."""
    assert isinstance(answer, Shown)
    start = time.process_time()
    shown = repr(answer)
    assert time.process_time() - start < 0.5
    assert shown
    assert len(shown.splitlines()) <= 20
    assert str(answer)
    assert time.process_time() - start < seconds
    assert answer._repr_html_()
    assert answer._published("md")
    json.dumps(as_json(answer), allow_nan=False)


@pytest.fixture(autouse=True)
def digits_as_in_a_notebook():
    """Python writes integers of at most 4300 digits, unless a command was run before in the same process."""
    allowed = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    yield
    sys.set_int_max_str_digits(allowed)


def with_less_patience(patched):
    """A tenth of the time for ranks and p-values of a report, and fewer draws."""
    patched.setattr("confmat.reports.comparison._SECONDS", 0.5)
    patched.setattr("confmat.reports.comparison._DRAWS", 99)


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Kernels are compiled once, not in front of a clock."""
    with pytest.MonkeyPatch.context() as patched:
        with_less_patience(patched)
        for n, r, s in ((40, 12, 12), (20, 3, 3), (7, 7, 7), (12, 12, 12)):
            str(cm.compare(a_table(n, r, s)))


# Drawn from as patiently as for a user, from many points, single objects and many cells.
PATIENT = [(10**4, 3, 3), (12, 12, 12), (40, 12, 12)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_cards_show_themselves_at_every_size(size, monkeypatch):
    if size not in PATIENT:
        with_less_patience(monkeypatch)
    show(cm.compare(a_table(*size)))


def answers_of(n, r, s):
    """One of every kind that a small class has."""
    tables = cm.Tables(n, r, s)
    table = a_table(n, r, s)
    claim = cm.Conjecture("half", "med <= 1/2")
    law = cm.joint_distribution(tables, "med", "rd", "ard")
    yield from (law, law["ard"], GivenMed(law), law.given("med<=1/5"), law.given("med<0"))
    yield from (cm.maximize(tables, "ard"), cm.minimize(tables, "rd", "med=0"), cm.check(claim, [tables]))
    yield from (cm.plan(cm.joint_distribution, tables, "ard"), cm.sample(tables, 5, rng=1))
    yield from (cm.permutation_test(table), cm.permutation_test(table, exact=False, draws=99, rng=1))
    yield from (
        cm.permutation_test(table).p_ari,
        cm.exact_test(table),
    )
    if r == s:
        yield cm.classification_report(table)


small_sizes = st.integers(1, 9).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(1, min(n, 4)), st.integers(1, min(n, 4)))
)


@pytest.mark.parametrize("examples", [6, pytest.param(40, marks=pytest.mark.slow)])
def test_every_answer_shows_itself(examples):
    @settings(max_examples=examples)
    @given(small_sizes)
    def at(size):
        for answer in answers_of(*size):
            if isinstance(answer, cm.conjectures.Certificate | cm.conjectures.Counterexample):
                assert repr(answer)
                assert answer._repr_html_()
                assert json.loads(answer.to_json())
            else:
                show(answer)

    at()


def one_of_every_kind():
    """An answer of every kind that there is."""
    tables, table = cm.Tables(6, 2, 2), [[3, 1], [0, 2]]
    law = cm.joint_distribution(tables, "med", "rd", "ard")
    yield from (law, law["ard"], GivenMed(law), cm.plan(cm.joint_distribution, tables, "ard"))
    yield cm.maximize(tables, "ard")
    yield from (cm.sample(tables, 5, rng=1), cm.exact_test(table))
    yield from (cm.permutation_test(table), cm.permutation_test(table).p_ari)
    yield from (cm.compare(table), cm.classification_report(table))
    memberships = [[0.5, 0.5], [1, 0]], [1, 2]
    yield cm.significance.soft_test(*memberships)
    holds, fails = (cm.check(cm.Conjecture("", claim), tables) for claim in ("med < 1", "ari >= 0"))
    yield from (holds, fails, cm.verify(holds.to_json()), cm.conjectures.STATEMENTS["rd-max"])
    yield cm.check_metric("rd", n=3, examples=5)
    yield Told(["Counted."], {"count": 3})


def kinds_of_answers(kind=Shown):
    """All that are, and are no mere base of others."""
    for subclass in kind.__subclasses__():
        yield from kinds_of_answers(subclass)
        if subclass.__module__.startswith("confmat.") and not isabstract(subclass):
            yield subclass


def test_an_answer_of_every_kind_shows_itself(monkeypatch):
    for module in walk_packages(cm.__path__, "confmat."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    shown = set()
    for answer in one_of_every_kind():
        show(answer)
        shown.add(type(answer))
    assert shown == set(kinds_of_answers())


def test_a_repr_that_raises_or_takes_long_is_found():
    class Slow(Shown):
        def _parts(self):
            start = time.process_time()
            while time.process_time() - start < 0.6:
                pass
            yield "late"

        def _facts(self):
            return {}

    class Broken(Slow):
        def _parts(self):
            raise ValueError("no")

    for planted in (Slow(), Broken()):
        with pytest.raises((AssertionError, ValueError)):
            show(planted)


def test_an_index_that_is_none_is_suggested():
    with pytest.raises(KeyError, match="did you mean ari"):
        cm.compare([[3, 1], [0, 4]])["arii"]
