"""Decorators: a Hypothesis test of every small table, pair of labelings or confusion matrix, and then of drawn ones.

One test underneath, made by ``hypothesis.given``, with everything small as explicit examples: what Hypothesis does with
a test it does with these.  ``@settings`` and ``@example`` stand above or below; methods, classes of unittest, profiles,
fixtures, the database, ``-m hypothesis`` and the statistics are as ever.

>>> from confmat.testing import every_table
>>> from hypothesis import settings
>>> @settings(max_examples=10)
... @every_table(n=3)
... def test_something(table):
...     assert table.sum() > 0
>>> test_something.hypothesis.inner_test.__name__, test_something()
('test_something', None)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat._arguments import as_amount, as_count, as_count_if_said
from confmat.testing.claims import Wishes
from confmat.testing.kinds import random_pairs, random_tables, small_tables
from confmat.testing.small import MOST_LISTED, admit_small, set_partitions

_MOST_DRAWN = 10**6
_MOST_LABELS = 60
_TOLERANCE_OF_DOUBLES = 1e-9

Test = Callable[..., Any]
ExampleCase = tuple[Any, ...]


def every_table(
    *,
    n: int = 6,
    examples: int | None = None,
    max_n: int | None = None,
) -> Callable[[Test], Callable[..., None]]:
    """Run a test of one table for each orbit of up to n objects (437 for 6), and then of tables that are drawn.

    The table is the first argument but ``self``; others are fixtures.  As many are drawn as ``@settings`` or the
    profile say, or ``examples``; they have at most ``max_n`` objects (default: 10^6).  `check_metric` compares an index
    with a reference.  ValueError for n beyond 11.

    >>> from confmat import ari
    >>> @every_table(n=4, examples=20)
    ... def test_ari_is_at_most_one(table):
    ...     assert ari(table) <= 1
    >>> test_ari_is_at_most_one()
    """
    return _every_matrix(n, False, examples, max_n)


def every_classifier_matrix(
    *,
    n: int = 5,
    examples: int | None = None,
    max_n: int | None = None,
) -> Callable[[Test], Callable[..., None]]:
    """The same of confusion matrices of up to 3 classes, one for each orbit under exchanges of classes (341 for 5).

    >>> from confmat import accuracy
    >>> @every_classifier_matrix(n=3, examples=20)
    ... def test_accuracy_is_at_most_one(matrix):
    ...     assert accuracy(matrix) <= 1
    >>> test_accuracy_is_at_most_one()
    """
    return _every_matrix(n, True, examples, max_n)


def every_labeling_pair(
    *,
    n: int = 4,
    examples: int | None = None,
    max_n: int | None = None,
) -> Callable[[Test], Callable[..., None]]:
    """The same of two labelings, all pairs of partitions of up to n objects (255 for 4, 2959 for 5).

    There are at most ``max_n`` labels (default: 60): say 70000 for what goes wrong in machine integers and
    short doubles.

    >>> from confmat import rd
    >>> @every_labeling_pair(n=3, examples=20)
    ... def test_rd_is_symmetric(a, b):
    ...     assert rd(a, b) == rd(b, a)
    >>> test_rd_is_symmetric()
    """
    max_labels = as_count_if_said("max_n", max_n, _MOST_LABELS, 1)
    wishes = _wishes(n, max_labels, every_n=MOST_LISTED)
    pairs = []
    for total in range(1, wishes.n + 1):
        for a in set_partitions(total):
            for b in set_partitions(total):
                pairs.append((list(a), list(b)))
    pair_strategy = st.shared(random_pairs(False, min(max_labels, _MOST_LABELS), max_labels), key=object())
    side_strategies = tuple(pair_strategy.map(itemgetter(side)) for side in (0, 1))
    return _every(pairs, side_strategies, examples)


def _wishes(n: Any, max_n: int, every_n: int = 0, classifier: bool = False) -> Wishes:
    n = as_count("n", n, 1, MOST_LISTED)
    admit_small("a test", n, every_n, classifier=classifier)
    return Wishes(n, 0, max_n)


def _every_matrix(
    n: Any, classifier: bool, examples: int | None, max_n: int | None
) -> Callable[[Test], Callable[..., None]]:
    max_total = as_count_if_said("max_n", max_n, _MOST_DRAWN, 1)
    wishes = _wishes(n, max_total, classifier=classifier)
    tables_listed = zip(small_tables(wishes, classifier, True))
    strategies = (random_tables(classifier, max_total),)
    return _every(tables_listed, strategies, examples)


def _every(
    cases_listed: Iterable[ExampleCase], strategies: tuple[SearchStrategy[Any], ...], examples: int | None
) -> Callable[[Test], Callable[..., None]]:
    """A Hypothesis test with these explicit examples, before those that its author adds."""
    cases = list(cases_listed)
    if examples is not None:
        as_amount("examples", examples, 1)

    def decorate(test: Test) -> Callable[..., None]:
        names = _names_of_arguments(test, len(strategies))
        run = test
        # Hypothesis begins with the example that was added last.
        for case in reversed(cases):
            run = example(**dict(zip(names, case)))(run)
        hypothesis_test: Callable[..., None] = given(**dict(zip(names, strategies)))(run)
        if examples is None:
            return hypothesis_test
        return settings(max_examples=examples, deadline=None)(hypothesis_test)

    return decorate


def _names_of_arguments(test: Test, count: int) -> list[str]:
    """The arguments that are drawn: the first but ``self``.

    >>> _names_of_arguments(lambda self, table, fixture: None, 1)
    ['table']
    """
    parameters = [name for name in inspect.signature(test).parameters if name not in ("self", "cls")]
    if len(parameters) < count:
        raise TypeError(f"test must take {count} arguments to be drawn, got {parameters}")
    return parameters[:count]
