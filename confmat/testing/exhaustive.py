"""Decorators: a test of every small table, pair of labelings or confusion matrix, and then of some that are drawn."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

from confmat.matrices.arguments import as_amount, as_count
from confmat.testing.claims import Wishes, shown
from confmat.testing.kinds import random_pairs, random_tables, small_tables
from confmat.testing.small import MOST_LISTED, admit_small, set_partitions

_MOST_DRAWN = 10**6
_MOST_LABELS = 60
_SIZES = ("small", "small sparse", "ones sparse", "large")

Test = Callable[..., None]


class _Drawn:
    """Stands for the examples that Hypothesis draws, among those that are listed."""

    def __repr__(self) -> str:
        return "drawn"


_DRAWN = _Drawn()


def every_table(*, n: int = 6, examples: int = 100) -> Callable[[Test], Test]:
    """Run a test of one table for each orbit of up to n objects (437 for 6), and then for ``examples`` that are drawn.

    Under pytest each is a case of its own, named by its table; called without arguments the test runs all of them.
    ValueError for n beyond 11.

    >>> from confmat import ari
    >>> @every_table(n=4, examples=20)
    ... def test_ari_is_at_most_one(table):
    ...     assert ari(table) <= 1
    >>> test_ari_is_at_most_one()
    """
    return _every_matrix(n, False, examples)


def every_classifier_matrix(*, n: int = 5, examples: int = 100) -> Callable[[Test], Test]:
    """The same of confusion matrices of up to 3 classes, one for each orbit under exchanges of classes (341 for 5).

    >>> from confmat.indices import accuracy
    >>> @every_classifier_matrix(n=3, examples=20)
    ... def test_accuracy_is_at_most_one(matrix):
    ...     assert accuracy(matrix) <= 1
    >>> test_accuracy_is_at_most_one()
    """
    return _every_matrix(n, True, examples)


def every_labeling_pair(*, n: int = 4, examples: int = 100) -> Callable[[Test], Test]:
    """The same of two labelings, all pairs of partitions of up to n objects (255 for 4, 2959 for 5).

    >>> from confmat import rd
    >>> @every_labeling_pair(n=3, examples=20)
    ... def test_rd_is_symmetric(a, b):
    ...     assert rd(a, b) == rd(b, a)
    >>> test_rd_is_symmetric()
    """
    wishes = _wishes(n, every=MOST_LISTED)
    sides = [set_partitions(total) for total in range(1, wishes.n + 1)]
    pairs = [(list(a), list(b)) for same in sides for a in same for b in same]
    return _every(pairs, random_pairs(wishes, False, _MOST_LABELS), examples)


def _wishes(n: Any, every: int = 0, classifier: bool = False) -> Wishes:
    n = as_count("n", n, 1, MOST_LISTED)
    admit_small("a test", n, every, classifier=classifier)
    return Wishes(n, 0, 1, _MOST_DRAWN, 8, False)


def _every_matrix(n: Any, classifier: bool, examples: int) -> Callable[[Test], Test]:
    wishes = _wishes(n, classifier=classifier)
    drawn = random_tables(wishes, classifier, _SIZES, _MOST_DRAWN).map(lambda table: (table,))
    return _every([(table,) for table in small_tables(wishes, classifier, True)], drawn, examples)


def _every(
    cases: Iterable[tuple[Any, ...]], strategy: SearchStrategy[Any], examples: int
) -> Callable[[Test], Test]:
    examples = as_amount("examples", examples, 1)
    listed, options = list(cases), settings(max_examples=examples, deadline=None)

    def decorate(test: Test) -> Test:
        names = list(inspect.signature(test).parameters)[: len(listed[0])]

        def run(case: tuple[Any, ...], fixtures: dict[str, Any]) -> None:
            try:
                test(**dict(zip(names, case)), **fixtures)
            except Exception as error:
                error.add_note(f"at {', '.join(f'{name} = {shown(x)}' for name, x in zip(names, case))}")
                raise

        def run_drawn(fixtures: dict[str, Any]) -> None:
            options(given(strategy)(lambda case: test(**dict(zip(names, case)), **fixtures)))()

        @wraps(test)
        def wrapper(**arguments: Any) -> None:
            fixtures = {name: value for name, value in arguments.items() if name not in names}
            case = tuple(arguments[name] for name in names if name in arguments)
            for one in [case] if case else listed:
                if one[0] is not _DRAWN:
                    run(one, fixtures)
            if not case or case[0] is _DRAWN:
                run_drawn(fixtures)

        return _parametrized(wrapper, names, [*listed, (_DRAWN,) * len(names)])

    return decorate


def _parametrized(test: Test, names: list[str], cases: list[tuple[Any, ...]]) -> Test:
    """The test with its cases for pytest, which need not be there."""
    try:
        import pytest
    except ImportError:
        return test
    ids = ["-".join(dict.fromkeys(shown(x).replace(" ", "") for x in case)) for case in cases]
    return pytest.mark.parametrize(names, [pytest.param(*case, id=key) for case, key in zip(cases, ids)])(
        test
    )
