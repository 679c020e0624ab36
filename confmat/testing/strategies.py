"""Hypothesis strategies for contingency tables, labelings and memberships.

An argument is a value or a strategy that draws the value. An invalid value raises ValueError or TypeError with the
name of the argument, at the call or when it is drawn. Every draw is a valid example, and every valid example can be
drawn. After about 256 integers an example is completed at random, from a drawn seed. Values of missing arguments
are mostly small, and rarely very large.

Examples shrink to few clusters and small cells. A table without a given total shrinks to few objects. A table with
a given total or margins shrinks to the lexicographically largest one. Labels shrink to 0.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

import numpy as np
from hypothesis.strategies import SearchStrategy

from confmat._arguments import as_flag
from confmat._integers.compositions import Composition
from confmat.classes import MatrixClass, as_class
from confmat.statistics.conditions import AnyCondition, as_condition
from confmat.testing.arguments import (
    as_pair,
    as_table,
    fixed,
    settle_margins,
    settle_sizes,
)
from confmat.testing.draws import (
    draw_labeling,
    draw_labeling_pair,
    draw_margins,
    draw_member,
    draw_memberships,
    draw_near,
    draw_partition,
    draw_table,
    draw_worst,
)
from confmat.testing.types import register

__all__ = [
    "labeling_pairs",
    "labelings",
    "margins",
    "members",
    "memberships",
    "near",
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
    """Draw contingency tables: two-dimensional arrays of non-negative integers.

    Parameters
    ----------
    n : int or strategy, optional
        Total. Default: not fixed. Most tables then have cells up to 60, and 4 of 13 have a total up to 2^63 - 1. A
        larger total gives an array of Python integers. Pass ``n`` if the time of the test grows with it.
    shape : (int, int) or strategy, optional
        Numbers of rows and columns. Default: up to 6 each.
    rows, cols : sequence of int or strategy, optional
        Row sums and column sums.
    square : bool
        Draw square tables. Default: False.
    nonempty : bool
        Draw no table with an empty row or column. Default: True.
    given : str or condition, optional
        Condition on statistics, such as "med <= 1/5". Tables that do not satisfy it are drawn again.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of numpy.ndarray
        Tables of dtype int64, or object if the total exceeds int64.

    Raises
    ------
    ValueError
        For margins with different totals, or a total too small for the shape.

    Notes
    -----
    If ``n``, ``rows`` or ``cols`` is given, the missing margins are drawn first, and then each cell within the
    bounds that the margins leave. Otherwise 2 of 13 tables have one row or column. 5 of 13 are sparse, close to a
    hook, or a pair of clusterings in which one nearly refines the other.

    A violated inequality shrinks to the smallest total in most cases. A fault at some totals only, such as 17
    modulo 23, shrinks to one of these, as Hypothesis lowers a number by halves or by one. `check_metric` enumerates
    totals up to 64 in order.

    Examples
    --------
    >>> tables(n=5, shape=(2, 3))
    tables(n=5, shape=(2, 3))
    >>> from hypothesis import find
    >>> int(find(tables(), lambda table: table.max() >= 10).max())
    10
    >>> from confmat import med
    >>> med(find(tables(n=9, shape=(2, 3), given="0 < med <= 1/5"), lambda table: True))
    0.1111111111111111
    >>> tables(n=2, shape=(2, 3))
    Traceback (most recent call last):
    ...
    ValueError: n must be at least 3 for shape (2, 3) without empty rows and columns, got 2
    """
    nonempty = as_flag("nonempty", nonempty)
    square = as_flag("square", square)
    settle_margins(*fixed(n, shape, rows, cols), nonempty=nonempty, square=square)
    strategy = draw_table(
        n=n,
        shape=shape,
        rows=rows,
        cols=cols,
        square=square,
        nonempty=nonempty,
    )
    if given is None:
        return strategy
    if rows is None and cols is None:
        strategy = strategy | strategy.flatmap(_near_a_match)
    return strategy.filter(as_condition(given, "given"))


def _near_a_match(table: np.ndarray) -> SearchStrategy[np.ndarray]:
    """Draw tables with the total and shape of ``table`` that are close to the table of two equal partitions."""
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
    """Draw row sums and column sums of a table: two tuples with the same total.

    Parameters
    ----------
    n : int or strategy, optional
        Total. Default: at most 46, and in one of four draws less than 2^63.
    shape : (int, int) or strategy, optional
        Numbers of rows and columns. Default: up to 6 each.
    nonempty : bool
        Draw no sum of 0. Default: True.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of (tuple of int, tuple of int)

    Examples
    --------
    >>> from hypothesis import find
    >>> find(margins(n=7, shape=(2, 3)), lambda sides: True)
    ((6, 1), (5, 1, 1))
    """
    nonempty = as_flag("nonempty", nonempty)
    settle_margins(*fixed(n, shape), nonempty=nonempty)
    return draw_margins(n=n, shape=shape, nonempty=nonempty)


def partitions(
    *,
    n: OrStrategy[int] | None = None,
    parts: OrStrategy[int] | None = None,
    nonempty: bool = True,
) -> SearchStrategy[Composition]:
    """Draw partitions of an integer, with parts in decreasing order, such as sorted row sums.

    Parameters
    ----------
    n : int or strategy, optional
        Sum of the parts. Default: as for `margins`.
    parts : int or strategy, optional
        Number of parts. Default: up to 6.
    nonempty : bool
        Draw no part 0. Default: True.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of tuple of int

    Examples
    --------
    >>> from hypothesis import find
    >>> find(partitions(n=7, parts=3), lambda sizes: sizes[0] > sizes[1] > sizes[2])
    (4, 2, 1)
    """
    nonempty = as_flag("nonempty", nonempty)
    settle_sizes(*fixed(n, parts), name="parts", nonempty=nonempty)
    return draw_partition(n=n, parts=parts, nonempty=nonempty)


def members(matrices: MatrixClass) -> SearchStrategy[np.ndarray]:
    """Draw members of a class of matrices.

    Hypothesis draws the rank of a member if there are at most 10^6 members. Examples then shrink to the first
    member. From a larger class members are drawn uniformly at random.

    Parameters
    ----------
    matrices : MatrixClass
        Class of matrices, such as ``Tables(20, 3, 3)``.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of numpy.ndarray

    Raises
    ------
    ValueError
        If the class is empty.

    Examples
    --------
    >>> from confmat.classes import Tables
    >>> from hypothesis import find
    >>> find(members(Tables(4, 2, 2)), lambda table: table[0, 0] == 2)
    array([[2, 0],
           [0, 2]])
    """
    matrices = as_class(matrices)
    if not matrices:
        raise ValueError(f"matrices must have at least one member, got {matrices!r}")
    return draw_member(matrices)


def worst_tables(*, n: OrStrategy[int], shape: OrStrategy[tuple[int, int]]) -> SearchStrategy[np.ndarray]:
    """Draw tables with the largest MED, RD or ARD of their size, and tables close to these.

    Use it to look for a violation of an upper bound. For sizes for which the largest ARD is not proved, the table
    is the largest known one. Tables close to it result from moves of at most a quarter of its objects.

    Parameters
    ----------
    n : int or strategy
        Total, at least the larger of the numbers of rows and columns.
    shape : (int, int) or strategy
        Numbers of rows and columns.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of numpy.ndarray

    Examples
    --------
    >>> from hypothesis import find
    >>> find(worst_tables(n=20, shape=(3, 3)), lambda table: True)
    array([[5, 5, 5],
           [1, 1, 1],
           [1, 0, 1]])
    """
    settle_margins(*fixed(n, shape), nonempty=True)
    return draw_worst(n=n, shape=shape)


def near(matrix: Any, *, med: Any) -> SearchStrategy[np.ndarray]:
    """Draw tables that result from ``matrix`` if at most the fraction ``med`` of its objects moves to other cells.

    The tables have the total and shape of ``matrix``, and their MED differs from that of ``matrix`` by at most
    ``med``. They have no empty row or column if ``matrix`` has none. They shrink to ``matrix``.

    Parameters
    ----------
    matrix : array_like
        Contingency table.
    med : int, float or Fraction
        Number from 0 to 1. A float means the decimal number that is printed for it.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of numpy.ndarray

    Examples
    --------
    >>> from hypothesis import find
    >>> find(near([[5, 0], [0, 5]], med=0.3), lambda table: table[1, 0] == 3)
    array([[2, 0],
           [3, 5]])
    """
    cells = as_table(matrix)
    try:
        share = Fraction(str(med) if isinstance(med, float) else med)
    except (TypeError, ValueError):
        raise TypeError(f"med must be a number from 0 to 1, got {med!r}") from None
    if not 0 <= share <= 1:
        raise ValueError(f"med must be a number from 0 to 1, got {med!r}")
    return draw_near(cells.tolist(), med=share)


# --- labelings ------------------------------------------------------------------------------------


def labelings(
    *,
    n: OrStrategy[int] | None = None,
    clusters: OrStrategy[int] | None = None,
    nonempty: bool = True,
) -> SearchStrategy[list[int]]:
    """Draw labels 0, ..., clusters - 1 of n objects, as a list.

    Parameters
    ----------
    n : int or strategy, optional
        Number of objects. Default: at most 46. More than 256 labels are drawn as cluster sizes and a random order.
    clusters : int or strategy, optional
        Number of labels. Default: up to 6.
    nonempty : bool
        Use each label at least once. Default: True.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of list of int

    Examples
    --------
    >>> from hypothesis import find
    >>> find(labelings(clusters=2), lambda labels: labels[0] == 1)
    [1, 0]
    """
    nonempty = as_flag("nonempty", nonempty)
    settle_sizes(*fixed(n, clusters), name="clusters", nonempty=nonempty)
    return draw_labeling(n=n, clusters=clusters, nonempty=nonempty)


def labeling_pairs(
    *,
    n: OrStrategy[int] | None = None,
    clusters: OrStrategy[int] | tuple[OrStrategy[int], OrStrategy[int]] | None = None,
    nonempty: bool = True,
) -> SearchStrategy[tuple[list[int], list[int]]]:
    """Draw two labelings of the same objects, as a tuple of two lists.

    Parameters
    ----------
    n : int or strategy, optional
        Number of objects. Default: at most 46.
    clusters : int, strategy or pair of these, optional
        Number of labels of both labelings, or one number for each. A strategy is drawn twice. Default: up to 6.
    nonempty : bool
        Use each label at least once. Default: True.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of (list of int, list of int)

    Examples
    --------
    >>> from hypothesis import find
    >>> find(labeling_pairs(), lambda pair: pair[0] != pair[1])
    ([0, 0], [0, 1])
    """
    nonempty = as_flag("nonempty", nonempty)
    for side in as_pair(clusters):
        settle_sizes(*fixed(n, side), name="clusters", nonempty=nonempty)
    return draw_labeling_pair(n=n, clusters=clusters, nonempty=nonempty)


def memberships(
    *,
    n: OrStrategy[int] | None = None,
    clusters: OrStrategy[int] | None = None,
    exact: bool = False,
) -> SearchStrategy[np.ndarray]:
    """Draw membership matrices whose rows sum to exactly 1.

    Clusters may be empty. Rows shrink to full members of the first cluster.

    Parameters
    ----------
    n : int or strategy, optional
        Number of objects. Default: at most 46.
    clusters : int or strategy, optional
        Number of clusters. Default: up to 6.
    exact : bool
        Draw Fractions with denominators up to 12 instead of floats. Default: False. Floats are multiples of a power of
        2 down to 2**-10, so that no sum is rounded.

    Returns
    -------
    hypothesis.strategies.SearchStrategy of numpy.ndarray
        Arrays of shape (n, clusters), of dtype float64, or object for Fractions.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(memberships(n=1, clusters=2), lambda U: (U > 0).all()).tolist()
    [[0.5, 0.5]]
    """
    exact = as_flag("exact", exact)
    settle_sizes(*fixed(n, clusters), name="clusters", nonempty=False, least=1)
    return draw_memberships(n=n, clusters=clusters, exact=exact)


register()  # in case Hypothesis did not run the entry point
