"""Values of statistics at the signatures of a class, put together and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.blocks import WeightedSignatures
from confmat.engine.integers import summed
from confmat.engine.pieces import support_bound
from confmat.errors import TooLarge
from confmat.laws.files import ExactColumns, columns_of
from confmat.laws.signed import Signed
from confmat.statistics.record import Number, Statistic, sort_key

# Bounds on the size of a joint law: as Python objects, and as arrays on the way to a file.
MOST_WRITTEN = 2 * 10**8

PointsOfSupport = list[tuple[tuple[Number, ...], int]]


def check_size(matrices: MatrixClass, most: int) -> None:
    """Raise TooLarge, before any work, when the joint law could have more than ``most`` points.

    >>> from confmat.classes import Tables
    >>> check_size(Tables(4, 2, 2), 1000)
    >>> check_size(Tables(20, 3, 3), 1000)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLarge: matrices must have a joint law that can be held: ...
    """
    if matrices and (points := support_bound(matrices)) > most:
        raise TooLarge(
            f"matrices must have a joint law that can be held: that of {matrices!r} has up to {points} points "
            f'(limit {most}); law[name], law.ask(...) and law.given_each("med") need no support'
        )


def exact_columns(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], blocks: Iterable[WeightedSignatures]
) -> ExactColumns:
    """The values of statistics with formulas at signatures, with their weights, in increasing order.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> block = np.array([[1, 3, 2, 1], [1, 2, 3, 1]]), np.array([3, 4])
    >>> list(exact_columns(Tables(4, 2, 2), (as_statistic("med"),), [block]).points())
    [((Fraction(1, 4),), 7)]
    """
    if depend_on_distances(statistics):
        blocks = (summed(_distances(cells), weights) for cells, weights in blocks)
    cells, weights = joined(blocks)
    quotients = []
    places = np.zeros((len(cells), len(statistics)), np.int64)
    for i, statistic in enumerate(statistics):
        line = Signed(matrices, statistic, list[WeightedSignatures]().__iter__, 0)
        if statistic.base.root or not line.factor:
            return _columns_by_value(matrices, statistics, cells, weights)
        *terms, places[:, i] = line.placed(cells)
        quotients.append(terms)
    rows, weights = summed(places, weights)
    columns = {}
    for statistic, terms, which in zip(statistics, quotients, rows.T):
        columns[statistic.name] = tuple(term[which] for term in terms)
    return ExactColumns(columns, weights)


def _columns_by_value(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], cells: np.ndarray, weights: np.ndarray
) -> ExactColumns:
    """The same where different quotients may have one value."""
    value = values_at(matrices, statistics)
    points = []
    for sums, weight in zip(cells.tolist(), weights.tolist()):
        points.append((value(*sums), weight))
    return columns_of([statistic.name for statistic in statistics], gathered(points))


def joined(blocks: Iterable[WeightedSignatures]) -> WeightedSignatures:
    """Some signatures and their weights in one array each.

    >>> cells, weights = joined([(np.array([[1, 3, 2, 1]]), np.array([8])), (np.array([[0, 2, 2, 2]]), np.array([2]))])
    >>> cells.tolist(), weights.tolist()
    ([[1, 3, 2, 1], [0, 2, 2, 2]], [8, 2])
    """
    parts = [(np.zeros((0, 4), np.int64), np.zeros(0, np.int64)), *blocks]
    cells, weights = map(np.concatenate, zip(*parts))
    return cells, weights


def depend_on_distances(statistics: Iterable[Statistic]) -> bool:
    """Whether m and F = A + B - 2P tell all statistics.

    >>> from confmat.statistics import as_statistic
    >>> [depend_on_distances([as_statistic(name)]) for name in ("rd", "ard")]
    [True, False]
    """
    letters = set("".join(statistic.base.depends for statistic in statistics))
    return bool(letters) and letters <= {"m", "F"}


def _distances(cells: np.ndarray) -> np.ndarray:
    """Signatures (m, F, 0, 0) with the same m and F."""
    m, a, b, p = cells.T
    return np.stack([m, a + b - 2 * p, np.zeros_like(m), np.zeros_like(m)], axis=1)


def gathered(found: Iterable[tuple[tuple[Number, ...], int]]) -> list[tuple[tuple[Number, ...], int]]:
    """Equal values put together, in increasing order.

    >>> from fractions import Fraction
    >>> gathered([((Fraction(1),), 2), ((Fraction(0),), 1), ((Fraction(1),), 3)])
    [((Fraction(0, 1),), 1), ((Fraction(1, 1),), 5)]
    """
    law: dict[tuple[Number, ...], int] = {}
    for values, amount in found:
        law[values] = law.get(values, 0) + amount
    return sorted(law.items(), key=lambda item: tuple(sort_key(x) for x in item[0]))


def values_at(
    matrices: MatrixClass, statistics: tuple[Statistic, ...]
) -> Callable[[int, int, int, int], tuple[Number, ...]]:
    """The values of the statistics over a class, as a function of m, A, B and P.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> values_at(Tables(4, 2, 2), (as_statistic("med"), as_statistic("rd")))(1, 3, 2, 1)
    (Fraction(1, 4), Fraction(1, 2))
    """
    functions = [statistic.over(matrices) for statistic in statistics]
    return lambda *sums: tuple(function(*sums) for function in functions)


def points_of_distances(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], law: Mapping[tuple[int, int], int]
) -> PointsOfSupport:
    """The values of statistics of m and F alone from the weights of (m, F), in increasing order.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> points_of_distances(Tables(4, 2, 2), (as_statistic("ri"),), {(0, 0): 6, (1, 3): 8, (2, 4): 5})
    [((Fraction(1, 3),), 5), ((Fraction(1, 2),), 8), ((Fraction(1, 1),), 6)]
    """
    # Any A, B and P with A + B - 2P = F give these statistics their values.
    cells = np.zeros((len(law), 4), np.int64)
    cells[:, :2] = np.array([*law]).reshape(-1, 2)
    weights = np.array([*law.values()], object)
    return list(exact_columns(matrices, statistics, [(cells, weights)]).points())
