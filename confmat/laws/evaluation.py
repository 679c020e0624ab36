"""All values of some statistics over a class of matrices, with their weights, by the shortest way there is.

A generating function or a recursion where one is known, else the sums or the cells of one enumeration; table by
table where no fast kernel counts the statistics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import comb
from operator import gt, lt

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.grouping import groups
from confmat.engine.merging import med_rd_law_by_merging
from confmat.engine.merging_rows import LARGEST_SIDE
from confmat.engine.reduce import ard_denominator
from confmat.engine.run import Progress, Resources, cores
from confmat.engine.sizes import support_bound
from confmat.engine.summary import collect, streams, summarize
from confmat.engine.tablewise import walk as table_by_table
from confmat.errors import TooLarge
from confmat.laws.files import ExactColumns, lowest_terms
from confmat.statistics.record import Number, Statistic
from confmat.statistics.table import (
    sort_key,
)

# Bounds on the size of a joint law: as Python objects, and as arrays on the way to a file.
MOST_POINTS = 3 * 10**8
MOST_WRITTEN = 10**9

Block = tuple[np.ndarray, np.ndarray]
Points = list[tuple[tuple[Number, ...], int]]


def has_med_law(matrices: MatrixClass) -> bool:
    """Whether the law of the MED over the class is known for every n, see ``confmat.laws.medlaw``.

    >>> from confmat.classes import FixedRows, Tables
    >>> has_med_law(Tables(10**9, 2, 3)), has_med_law(FixedRows([2, 3], 2))
    (True, False)
    """
    from confmat.laws.medlaw import LARGEST_COLUMNS

    few, many = sorted(matrices.shape)
    return matrices.unrestricted and many <= LARGEST_COLUMNS.get(few, 0)


def has_rd_law(matrices: MatrixClass) -> bool:
    """Whether the law of the RD over the class comes from the recursion of ``confmat.laws.rdlaw``.

    >>> from confmat.classes import Tables
    >>> has_rd_law(Tables(100, 3, 3)), has_rd_law(Tables(100, 9, 9))
    (True, False)
    """
    from confmat.laws.rdlaw import MOST_MEMORY, has_recursion, memory_of

    if not matrices.unrestricted or not has_recursion(*matrices.shape):
        return False
    return memory_of(matrices.n, *matrices.shape) <= MOST_MEMORY


def check_size(matrices: MatrixClass, most: int) -> None:
    """Raise TooLarge, before any work, when the joint law could have more than ``most`` points.

    >>> from confmat.classes import Tables
    >>> check_size(Tables(4, 2, 2), 1000)
    >>> check_size(Tables(20, 3, 3), 1000)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLarge: matrices must have a joint law that can be held: ...
    """
    if matrices.count() and (points := support_bound(matrices)) > most:
        raise TooLarge(
            f"matrices must have a joint law that can be held: that of {matrices!r} has up to {points} points "
            f'(limit {most}); law[name], law.ask(...) and law.given_each("med") need no support'
        )


def lists_values(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources, held: bool
) -> bool:
    """Whether a law is best held as values: table by table, or where a way is shorter than to all signatures.

    ``held``: whether these can be held.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> names = ("med", "cor", "ard")
    >>> [lists_values(Tables(9, 3, 3), (as_statistic(x),), "tables", Resources(), True) for x in names]
    [True, True, False]
    """
    return _way(matrices, statistics, weight, resources, held) is not None


def listed(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources, held: bool
) -> Points:
    """All values of the statistics over the class with their weights, in increasing order, where they are listed.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> law = listed(Tables(4, 2, 2), (as_statistic("rd"),), "tables", Resources(), True)
    >>> [(str(value), weight) for (value,), weight in law]
    [('0', 6), ('1/2', 8), ('2/3', 5)]
    """
    way = _way(matrices, statistics, weight, resources, held)
    assert way is not None
    return way(matrices, statistics, weight, resources)


def _way(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources, held: bool
) -> Callable[[MatrixClass, tuple[Statistic, ...], str, Resources], Points] | None:
    if not all(s.counted for s in statistics) or not matrices.has_margins:
        return table_by_table
    needed = set("".join(s.base.depends for s in statistics))
    if needed == {"m"} and weight == "tables" and has_med_law(matrices):
        return lambda cls, chosen, *_: _in_order(_from_generating_function(cls, chosen))
    if needed == {"F"} and weight == "tables" and has_rd_law(matrices):
        return lambda cls, chosen, _, where: _in_order(_from_recursion(cls, chosen, where))
    if needed <= {"m", "F"} and weight == "tables" and _can_merge(matrices, resources):
        return lambda *law: gathered(_from_merging(*law))
    if needed <= {"m", "F"} and not held and streams(matrices, weight):
        return lambda *law: gathered(_from_summary(*law))
    return None


def values_of_cells(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], blocks: Iterable[Block]
) -> Points:
    """The values of statistics with formulas at signatures, with their weights, in increasing order.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> block = np.array([[1, 3, 2, 1], [1, 2, 3, 1]]), np.array([3, 4])
    >>> values_of_cells(Tables(4, 2, 2), (as_statistic("med"),), [block])
    [((Fraction(1, 4),), 7)]
    """
    value = _values(matrices, statistics)
    return gathered(
        (value(*sums), weight)
        for cells, weights in blocks
        for sums, weight in zip(cells.tolist(), weights.tolist())
    )


def gathered(found: Iterable[tuple[tuple[Number, ...], int]]) -> list[tuple[tuple[Number, ...], int]]:
    """Equal values put together, in increasing order.

    >>> gathered([((Fraction(1),), 2), ((Fraction(0),), 1), ((Fraction(1),), 3)])
    [((Fraction(0, 1),), 1), ((Fraction(1, 1),), 5)]
    """
    law: dict[tuple[Number, ...], int] = {}
    for values, amount in found:
        law[values] = law.get(values, 0) + amount
    return sorted(law.items(), key=lambda item: tuple(sort_key(x) for x in item[0]))


def _in_order(
    law: Iterator[tuple[tuple[Number, ...], int]],
) -> list[tuple[tuple[Number, ...], int]]:
    """Of functions of one number, listed by it: where they are strictly monotone, nothing is to merge or to sort."""
    support = list(law)
    values = [value for value, _ in support]
    if all(map(lt, values, values[1:])):
        return support
    return support[::-1] if all(map(gt, values, values[1:])) else gathered(support)


def _from_generating_function(
    matrices: MatrixClass, statistics: tuple[Statistic, ...]
) -> Iterator[tuple[tuple[Number, ...], int]]:
    """Statistics of the MED alone, without enumeration."""
    from confmat.laws.medlaw import med_counts

    counts = med_counts(matrices.n, *matrices.shape, empty=matrices.may_be_empty) if matrices else []
    values = _values(matrices, statistics)
    for m, amount in enumerate(counts):
        if amount:
            yield values(m, 0, 0, 0), amount


def _from_recursion(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], resources: Resources
) -> Iterator[tuple[tuple[Number, ...], int]]:
    """Statistics of F alone, without visiting tables."""
    from confmat.laws.rdlaw import rand_distance_counts

    n, (r, s) = matrices.n, matrices.shape
    counts = rand_distance_counts(n, r, s, empty=matrices.may_be_empty, threads=resources.threads)
    values = _values(matrices, statistics)
    for f, amount in enumerate(counts):
        if amount:
            yield values(0, f, 0, 0), amount


def _can_merge(matrices: MatrixClass, resources: Resources) -> bool:
    """Whether merging states gives the law of MED and RD sooner than a pass over the class: from four columns on.

    A checkpoint and an executor are served by the pass alone.
    """
    if not matrices.unrestricted or resources.checkpoint is not None or resources.executor is not None:
        return False
    return 4 <= max(matrices.shape) <= LARGEST_SIDE and matrices.count() > 0


def _from_merging(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources
) -> Iterator[tuple[tuple[Number, ...], int]]:
    """Statistics of m and F alone, where equal states of all rows but the largest are merged."""
    n, r, s = matrices.n, *matrices.shape

    def report(share: float) -> None:
        if resources.progress is not None:
            resources.progress(Progress("merging", round(100 * share), 100, share))

    try:
        law = med_rd_law_by_merging(
            n, r, s, empty=matrices.may_be_empty, threads=resources.threads or cores(), progress=report
        )
    except (MemoryError, OverflowError):  # a larger class than the states can be held of
        walk = _from_summary if streams(matrices, weight) else _from_cells
        yield from walk(matrices, statistics, weight, resources)
        return
    values = _values(matrices, statistics)
    for m, f in np.argwhere(law).tolist():
        yield values(m, f, 0, 0), int(law[m, f])


def _from_summary(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources
) -> Iterator[tuple[tuple[Number, ...], int]]:
    """Statistics of m and F alone, from the law of a summary."""
    summary, values = summarize(matrices, weight, resources), _values(matrices, statistics)
    for (m, f), amount in np.ndenumerate(summary.law) if summary is not None else ():
        if amount:
            # Any A, B and P with A + B - 2P = F give these statistics their values.
            yield values(m, f, 0, 0), amount


def _from_cells(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], weight: str, resources: Resources
) -> Iterator[tuple[tuple[Number, ...], int]]:
    """Statistics that do not tell rows from columns, from the signatures of the class."""
    cells, counts = collect(matrices, weight, resources)
    values = _values(matrices, statistics)
    for sums, count in zip(cells.tolist(), counts.tolist()):
        yield values(*sums), count


def _values(
    matrices: MatrixClass, statistics: tuple[Statistic, ...]
) -> Callable[[int, int, int, int], tuple[Number, ...]]:
    """The values of the statistics over a class, as a function of m, A, B and P."""
    functions = [statistic.over(matrices) for statistic in statistics]
    return lambda *sums: tuple(function(*sums) for function in functions)


def exact_columns(matrices: MatrixClass, names: tuple[str, ...], blocks: Iterable[Block]) -> ExactColumns:
    """The joint law of some of "med", "rd", "ard", in this order, as arrays: 10^7 points fit.

    >>> from confmat.classes import Tables
    >>> from confmat.engine.signatures import hold
    >>> law = exact_columns(Tables(4, 2, 2), ("med", "rd"), hold(Tables(4, 2, 2), "tables", Resources()).blocks())
    >>> [part.tolist() for part in law.columns["rd"]], law.weights.tolist()
    ([[0, 1, 2], [1, 2, 3]], [6, 8, 5])
    """
    found = [(np.zeros((0, 4), np.int64), np.zeros(0, np.int64)), *blocks]
    cells, counts = (np.concatenate(arrays) for arrays in zip(*found))
    n = matrices.n
    pairs = comb(n, 2)
    m, a, b, p = cells.T
    f = a + b - 2 * p
    d = np.where(f > 0, ard_denominator(a, b, pairs), 1)
    values = {
        "med": (m, np.full_like(m, max(n, 1)), m),
        "rd": (f, np.full_like(f, max(pairs, 1)), f),
        "ard": (f * pairs, d, f),
    }
    # At one F a larger D is a smaller ARD; without "rd" the values themselves must be compared.
    if "ard" in names and "rd" not in names:
        place = {x: i for i, x in enumerate(sorted({Fraction(int(x), int(y)) for x, y in zip(f * pairs, d)}))}
        keys = [m, np.array([place[Fraction(int(x), int(y))] for x, y in zip(f * pairs, d)], np.int64)]
        keys = keys if "med" in names else keys[1:]
    else:
        keys = [values[name][2] for name in names if name != "ard"] + ([-d] if "ard" in names else [])
    _, order, starts = groups(np.column_stack(keys))
    first = order[starts]
    columns = {name: lowest_terms(values[name][0][first], values[name][1][first]) for name in names}
    return ExactColumns(columns, np.add.reduceat(counts[order], starts))
