"""Decorators that make a Hypothesis test of all small cases, and then of random ones.

Cases are tables, confusion matrices or pairs of labelings. The result is a test by ``hypothesis.given`` with all
small cases as explicit examples. Decorators such as ``@settings`` and ``@example``, methods, unittest classes,
profiles, fixtures and the example database work as for any other Hypothesis test.

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
from functools import wraps
from operator import itemgetter
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat._arguments import as_amount, as_count
from confmat.testing.claims import Wishes
from confmat.testing.kinds import random_pairs, random_tables, small_tables
from confmat.testing.small import MOST_LISTED, admit_small, set_partitions

_MOST_DRAWN = 10**6
_MOST_LABELS = 60

Test = Callable[..., Any]
ExampleCase = tuple[Any, ...]


def every_table(
    *,
    n: int = 6,
    examples: int | None = None,
) -> Callable[[Test], Callable[..., None]]:
    """Run a test for one table of each orbit of up to ``n`` objects, and then for random tables.

    The table is the first argument after ``self``. Other arguments are pytest fixtures.

    Parameters
    ----------
    n : int
        Largest number of objects of the enumerated tables, at most 11. Default: 6, which is 437 tables.
    examples : int, optional
        Number of random tables, of up to 10^6 objects. Default: the number of ``@settings`` or of the profile.

    Returns
    -------
    callable
        Decorator of a test function.

    Raises
    ------
    ValueError
        If ``n`` exceeds 11.

    See Also
    --------
    check_metric : Check an index for the properties that it should have.

    Examples
    --------
    >>> from confmat import rand_distance
    >>> from confmat.testing import every_table
    >>> @every_table(n=3, examples=5)
    ... def test_range(table):
    ...     assert table.sum() < 2 or 0 <= rand_distance(table) <= 1
    >>> test_range()
    """
    return _every_matrix(n, False, examples)


def every_classifier_matrix(
    *,
    n: int = 5,
    examples: int | None = None,
) -> Callable[[Test], Callable[..., None]]:
    """Run a test for one confusion matrix of each orbit under exchanges of classes, and then for random ones.

    The matrices have up to 3 classes. The matrix is the first argument after ``self``.

    Parameters
    ----------
    n : int
        Largest number of objects of the enumerated matrices. Default: 5, which is 341 matrices.
    examples : int, optional
        Number of random matrices, of up to 10^6 objects. Default: the number of ``@settings`` or of the profile.

    Returns
    -------
    callable
        Decorator of a test function.

    Examples
    --------
    >>> from confmat.testing import every_classifier_matrix
    >>> @every_classifier_matrix(n=2, examples=5)
    ... def test_square(matrix):
    ...     assert matrix.shape[0] == matrix.shape[1]
    >>> test_square()
    """
    return _every_matrix(n, True, examples)


def every_labeling_pair(
    *,
    n: int = 4,
    examples: int | None = None,
) -> Callable[[Test], Callable[..., None]]:
    """Run a test for all pairs of partitions of up to ``n`` objects, and then for random pairs of labelings.

    The two lists of labels are the first arguments after ``self``.

    Parameters
    ----------
    n : int
        Largest number of objects of the enumerated pairs. Default: 4, which is 255 pairs (2959 for 5).
    examples : int, optional
        Number of random pairs, of up to 60 labels. Default: the number of ``@settings`` or of the profile.

    Returns
    -------
    callable
        Decorator of a test function.

    Examples
    --------
    >>> from confmat.testing import every_labeling_pair
    >>> @every_labeling_pair(n=3, examples=5)
    ... def test_length(a, b):
    ...     assert len(a) == len(b)
    >>> test_length()
    """
    wishes = _wishes(n, _MOST_LABELS, every_n=MOST_LISTED)
    pairs = []
    for total in range(1, wishes.n + 1):
        for a in set_partitions(total):
            for b in set_partitions(total):
                pairs.append((list(a), list(b)))
    pair_strategy = st.shared(random_pairs(False, _MOST_LABELS), key=object())
    side_strategies = tuple(pair_strategy.map(itemgetter(side)) for side in (0, 1))
    return _every(pairs, side_strategies, examples)


def _wishes(n: Any, max_n: int, every_n: int = 0, classifier: bool = False) -> Wishes:
    """Return the numbers of objects of the test cases as `Wishes`, after checking ``n``.

    Raise TooLargeError if the enumeration takes too long. It consists of all cases of up to ``every_n`` objects,
    and of one of each orbit of up to ``n`` objects. Random cases have up to ``max_n`` objects. ``classifier`` is
    True for confusion matrices.
    """
    n = as_count("n", n, 1, MOST_LISTED)
    admit_small("a test", n, every_n, classifier=classifier)
    return Wishes(n, 0, max_n)


def _every_matrix(n: Any, classifier: bool, examples: int | None) -> Callable[[Test], Callable[..., None]]:
    """Return the decorator of ``every_table``, or of ``every_classifier_matrix`` if ``classifier``."""
    wishes = _wishes(n, _MOST_DRAWN, classifier=classifier)
    tables_listed = zip(small_tables(wishes, classifier, True))
    strategies = (random_tables(classifier, _MOST_DRAWN),)
    return _every(tables_listed, strategies, examples)


def _every(
    cases_listed: Iterable[ExampleCase], strategies: tuple[SearchStrategy[Any], ...], examples: int | None
) -> Callable[[Test], Callable[..., None]]:
    """Return the decorator that makes a Hypothesis test of explicit examples (``cases_listed``) and of strategies.

    The explicit examples precede those that the author of the test adds.
    """
    cases = list(cases_listed)
    if examples is not None:
        as_amount("examples", examples, 1)

    def decorate(test: Test) -> Callable[..., None]:
        names = _names_of_arguments(test, len(strategies))
        run = test
        # Hypothesis runs the example that was added last first.
        for case in reversed(cases):
            run = example(**dict(zip(names, case)))(run)
        hypothesis_test: Callable[..., None] = given(**dict(zip(names, strategies)))(run)
        if examples is not None:
            hypothesis_test = settings(max_examples=examples, deadline=None)(hypothesis_test)
        return _with_short_errors(hypothesis_test, test)

    return decorate


def _with_short_errors(hypothesis_test: Test, test: Test) -> Test:
    """Return a Hypothesis test whose errors have the traceback of the user's function ``test``, and a short note.

    A failure is then displayed in a few lines, which begin with the line of the user.
    """

    @wraps(hypothesis_test)
    def run(*arguments: Any, **named: Any) -> None:
        __tracebackhide__ = True
        # Decorators such as settings() set attributes of this function.
        attributes = {name: x for name, x in vars(run).items() if name != "__wrapped__"}
        vars(hypothesis_test).update(attributes)
        try:
            hypothesis_test(*arguments, **named)
        except Exception as error:
            if notes := " ".join(" ".join(getattr(error, "__notes__", ())).split()):
                error.__notes__ = [notes.replace("( ", "(").replace(", )", ")")]
            entry = error.__traceback__
            while entry is not None and entry.tb_frame.f_code is not getattr(test, "__code__", None):
                entry = entry.tb_next
            error.__traceback__ = entry or error.__traceback__
            raise

    return run


def _names_of_arguments(test: Test, count: int) -> list[str]:
    """Return the names of the first ``count`` arguments of a test after ``self``. These arguments are drawn.

    >>> _names_of_arguments(lambda self, table, fixture: None, 1)
    ['table']
    """
    parameters = [name for name in inspect.signature(test).parameters if name not in ("self", "cls")]
    if len(parameters) < count:
        raise TypeError(f"test must have at least {count} arguments, got {parameters}")
    return parameters[:count]
