"""Hypothesis strategies for contingency tables, labelings, memberships and moves between tables.

Arguments are values, or strategies of values.  A wrong value raises ValueError or TypeError with the name of the
argument: at once where it is given, when it is drawn where it comes from a strategy.  Nothing is filtered: every
draw is a valid example, and every member of the class named can be drawn (of long labelings and large tables, from
some 256 numbers on, the rest is random, from a seed that is drawn).  What is left free is small, and now and then huge.

Examples shrink to few clusters and small cells: a table of free total to few ones, one of given total
or margins towards the lexicographically largest; labels shrink to 0, symmetries to the identity.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from confmat._arguments import as_flag
from confmat._integers.compositions import Composition
from confmat.classes import MatrixClass, as_class
from confmat.sampling import stream
from confmat.statistics.conditions import AnyCondition, as_condition
from confmat.testing.arguments import (
    as_denominator,
    as_pair,
    fixed,
    said,
    settle_margins,
    settle_sizes,
    unless,
)
from confmat.testing.draws import (
    draw_labeling,
    draw_labeling_pair,
    draw_margins,
    draw_memberships,
    draw_partition,
    draw_table,
    draw_worst,
    shown_as,
)
from confmat.testing.moves import Symmetry, near, symmetries
from confmat.testing.types import register

__all__ = [
    "labeling_pairs",
    "labelings",
    "margins",
    "members",
    "memberships",
    "partitions",
    "tables",
    "worst_tables",
]

T = TypeVar("T")
OrStrategy: TypeAlias = T | SearchStrategy[T]


# --- tables ---------------------------------------------------------------------------------------


def tables(
    *,
    n: OrStrategy[int] | None = None,
    shape: OrStrategy[tuple[int, int]] | None = None,
    rows: OrStrategy[Sequence[int]] | None = None,
    cols: OrStrategy[Sequence[int]] | None = None,
    square: bool = False,
    nonempty: bool = True,
    given: AnyCondition | None = None,
) -> SearchStrategy[np.ndarray]:
    """Contingency tables: two-dimensional arrays of non-negative whole numbers.

    ``n`` is the total, ``shape`` the numbers of rows and columns, ``rows`` and ``cols`` the row and the column
    sums. What is left out is free: up to 6 rows and columns, as many rows as columns if ``square``, and cells up to 60,
    in one table of four as large as int64 lets the total be. A larger ``n`` gives Python integers. Give ``n`` where
    the time of a test grows with it. No row or column is empty unless ``nonempty=False``. Of free tables two in
    thirteen have one line, five are sparse, near a hook, or two clusterings of which one nearly refines the other.
    Given a total or margins, margins are drawn first and then cell after cell within the bounds that they leave.
    ``given`` is a condition on statistics, such as "med <= 1/5": tables that do not meet it are drawn again.
    Nothing else is ever rejected, and little is drawn twice.
    A bound that is broken shrinks to the least total as a rule; a
    fault at some totals only, such as 17 modulo 23, to one of them: Hypothesis lowers a number by halves or by one.
    `check_metric` tries totals up to 64 in order.

    Raises ValueError for margins of different totals and for a total too small for the shape.

    >>> tables(n=5, shape=(2, 3))
    tables(n=5, shape=(2, 3))
    >>> from hypothesis import find
    >>> int(find(tables(), lambda table: table.max() >= 10).max())
    10
    >>> from confmat import med
    >>> med(find(tables(n=9, given="0 < med <= 1/5"), lambda table: True))
    0.1111111111111111
    >>> tables(n=2, shape=(2, 3))
    Traceback (most recent call last):
    ...
    ValueError: n must be at least 3 for shape (2, 3) without empty lines, got 2
    """
    nonempty = as_flag("nonempty", nonempty)
    square = as_flag("square", square)
    settle_margins(*fixed(n, shape, rows, cols), nonempty=nonempty, square=square)
    choices = said(n=n, shape=shape, rows=rows, cols=cols)
    strategy = draw_table(**choices, **unless(False, square=square), **unless(True, nonempty=nonempty))
    if given is None:
        return strategy
    if rows is None and cols is None:
        strategy = strategy | strategy.flatmap(_near_a_match)
    return strategy.filter(as_condition(given, "given"))


def _near_a_match(table: np.ndarray) -> SearchStrategy[np.ndarray]:
    """Draw tables with the total and the shape of a table that differ in few objects from two equal partitions."""
    r, s = table.shape
    matched = np.zeros((r, s), object)
    size, left = divmod(int(table.sum()), max(r, s))
    for i in range(max(r, s)):
        matched[min(i, r - 1), min(i, s - 1)] += size + (i < left)
    return near(matched, med=Fraction(1, 5))


def margins(
    *,
    n: OrStrategy[int] | None = None,
    shape: OrStrategy[tuple[int, int]] | None = None,
    nonempty: bool = True,
) -> SearchStrategy[tuple[Composition, Composition]]:
    """Row sums and column sums of a table: two tuples with one total, of 46 at most or, one in four, below 2^63.

    Arguments as for `tables`.

    >>> from hypothesis import find
    >>> find(margins(n=7, shape=(2, 3)), lambda sides: True)
    ((6, 1), (5, 1, 1))
    """
    nonempty = as_flag("nonempty", nonempty)
    settle_margins(*fixed(n, shape), nonempty=nonempty)
    choices = said(n=n, shape=shape)
    return draw_margins(**choices, **unless(True, nonempty=nonempty))


def partitions(
    *,
    n: OrStrategy[int] | None = None,
    parts: OrStrategy[int] | None = None,
    nonempty: bool = True,
) -> SearchStrategy[Composition]:
    """Partitions of the whole number ``n`` into ``parts`` parts, in decreasing order: margins up to order.

    Parts may be 0 with ``nonempty=False``.  A free ``n`` is as that of `margins`.

    >>> from hypothesis import find
    >>> find(partitions(n=7, parts=3), lambda sizes: sizes[0] > sizes[1] > sizes[2])
    (4, 2, 1)
    """
    nonempty = as_flag("nonempty", nonempty)
    settle_sizes(*fixed(n, parts), name="parts", nonempty=nonempty)
    return draw_partition(
        **said(n=n, parts=parts),
        **unless(True, nonempty=nonempty),
    )


def members(matrices: MatrixClass) -> SearchStrategy[np.ndarray]:
    """Members of a class of matrices, by rank; of more than a million uniform draws.  ValueError for an empty class.

    By rank they shrink to the first.

    ``from_type(Tables)`` draws classes, too, and so do FixedMargins, FixedRows, FixedColumns and Symmetry: small ones.

    >>> from confmat.classes import Tables
    >>> from hypothesis import find
    >>> find(members(Tables(4, 2, 2)), lambda table: table[0, 0] == 2)
    array([[2, 0],
           [0, 2]])
    """
    matrices = as_class(matrices)
    if not matrices:
        raise ValueError(f"matrices must have members, got {matrices!r}, which has none")
    count = matrices.count_at_once()
    if count is not None and count <= _MOST_RANKED:
        strategy = st.integers(0, count - 1).map(lambda rank: np.array(matrices.unrank(rank)))
    else:
        strategy = st.integers(0, 2**63).map(lambda seed: stream(matrices, 1, rng=seed).array()[0])
    return shown_as("members", strategy)(matrices)


# Of a class of more members a rank says as little as the seed of a draw, and takes longer to find.
_MOST_RANKED = 10**6


def worst_tables(*, n: OrStrategy[int], shape: OrStrategy[tuple[int, int]]) -> SearchStrategy[np.ndarray]:
    """Tables with the largest MED, RD or ARD of their size (of the ARD, as far as is known), and tables near these.

    Seeds for ``hypothesis.target``: where an index that is bounded by less than it should be is likely to show it.
    ``n`` must be at least the longer side; a share of at most 1/4 of the objects is moved.

    >>> from hypothesis import find
    >>> find(worst_tables(n=20, shape=(3, 3)), lambda table: True)
    array([[5, 5, 5],
           [1, 1, 1],
           [1, 0, 1]])
    """
    settle_margins(*fixed(n, shape), nonempty=True)
    return draw_worst(n=n, shape=shape)


# --- labelings ------------------------------------------------------------------------------------


def labelings(
    *,
    n: OrStrategy[int] | None = None,
    clusters: OrStrategy[int] | None = None,
    nonempty: bool = True,
) -> SearchStrategy[list[int]]:
    """Labels 0, ..., clusters - 1 of n objects, as a list; each label is used unless ``nonempty=False``.

    There are at most 46 objects and 6 clusters unless their numbers are given.  More than 16384 objects repeat
    a random part of some 4000.

    >>> from hypothesis import find
    >>> find(labelings(clusters=2), lambda labels: labels[0] == 1)
    [1, 0]
    """
    nonempty = as_flag("nonempty", nonempty)
    settle_sizes(*fixed(n, clusters), name="clusters", nonempty=nonempty)
    choices = said(n=n, clusters=clusters)
    wishes = unless(True, nonempty=nonempty)
    return draw_labeling(**choices, **wishes)


def labeling_pairs(
    *,
    n: OrStrategy[int] | None = None,
    clusters: OrStrategy[int] | tuple[OrStrategy[int], OrStrategy[int]] | None = None,
    nonempty: bool = True,
) -> SearchStrategy[tuple[list[int], list[int]]]:
    """Two labelings of the same objects, a tuple of two lists.

    ``clusters`` is the number of labels on both sides, or a pair of numbers; a strategy is drawn from twice.

    >>> from hypothesis import find
    >>> find(labeling_pairs(), lambda pair: pair[0] != pair[1])
    ([0, 0], [0, 1])
    """
    nonempty = as_flag("nonempty", nonempty)
    for side in as_pair(clusters):
        settle_sizes(*fixed(n, side), name="clusters", nonempty=nonempty)
    return draw_labeling_pair(
        **said(n=n, clusters=clusters),
        **unless(True, nonempty=nonempty),
    )


def memberships(
    *,
    n: OrStrategy[int] | None = None,
    clusters: OrStrategy[int] | None = None,
    exact: bool = False,
    denominator: OrStrategy[int] | None = None,
) -> SearchStrategy[np.ndarray]:
    """Membership matrices: (n, clusters) arrays; a row is a composition of ``denominator`` divided by it.

    Rows sum to exactly 1: Fractions with ``exact=True`` (denominators up to 12 by default), otherwise floats
    whose denominators are powers of 2 up to 2**52 (up to 2**10 by default), so that no sum is rounded.
    Clusters may be empty.  Rows shrink to crisp ones, full members of the first cluster.

    >>> from hypothesis import find
    >>> find(memberships(n=1, clusters=2), lambda U: (U > 0).all()).tolist()
    [[0.5, 0.5]]
    """
    exact = as_flag("exact", exact)
    settle_sizes(*fixed(n, clusters), name="clusters", nonempty=False, least=1)
    for number in fixed(denominator):
        if number is not None:
            as_denominator(number, exact)
    choices = said(n=n, clusters=clusters, denominator=denominator)
    return draw_memberships(**choices, **unless(False, exact=exact))


# Whatever Hypothesis did when it was imported.
register()
st.register_type_strategy(Symmetry, st.tuples(st.integers(1, 3), st.integers(1, 3)).flatmap(symmetries))
