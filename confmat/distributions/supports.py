"""Values of statistics at the sufficient statistics of a class, merged and sorted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import nan

import numpy as np

from confmat._engine.blocks import WeightedSignatures
from confmat._engine.fold import Sums, disagreements
from confmat._engine.pieces import work_of
from confmat._engine.signatures import joined
from confmat._integers.arrays import MergedChunks, summed
from confmat.classes import MatrixClass
from confmat.distributions.files import ExactColumns, columns_of_law
from confmat.distributions.signed import Signed
from confmat.errors import TooLargeError
from confmat.statistics.record import Number, Statistic, sort_key

# Largest number of points of a joint distribution that is written to a file.
MOST_WRITTEN = 2 * 10**8

PointsOfSupport = list[tuple[tuple[Number, ...], int]]


def check_size(matrices: MatrixClass, most: int) -> None:
    """Raise TooLargeError, before any work, if the joint distribution can have more than ``most`` points.

    >>> from confmat.classes import Tables
    >>> check_size(Tables(4, 2, 2), 1000)
    >>> check_size(Tables(20, 3, 3), 1000)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    confmat.errors.TooLargeError: matrices must have a joint distribution that fits in memory, got ...
    """
    if matrices and (points := work_of(matrices).signatures) > most:
        raise TooLargeError(
            f"matrices must have a joint distribution that fits in memory, got {matrices!r} with up to {points} "
            f'points (limit {most}). Use d[name], d.probability(...) or d.groupby("med").'
        )


def points_at(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], blocks: Iterable[WeightedSignatures]
) -> PointsOfSupport:
    """Return the points (tuples of values of the statistics) at sufficient statistics, with their weights.

    ``blocks`` yields sufficient statistics with weights. Points are distinct and in increasing order.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> block = np.array([[1, 3, 2, 1], [1, 2, 3, 1]]), np.array([3, 4])
    >>> points_at(Tables(4, 2, 2), (as_statistic("med"),), [block])
    [((Fraction(1, 4),), 7)]
    """
    cells, weights = _signatures_that_tell(statistics, blocks)
    lines = _lines(matrices, statistics)
    if lines is None:
        functions = [statistic.over(matrices) for statistic in statistics]
        found = []
        for sums, weight in zip(cells.tolist(), weights.tolist()):
            found.append((tuple(function(*sums) for function in functions), weight))
        return gathered(found)
    terms, places, weights = _points_placed(lines, cells, weights)
    columns = []
    for (p, q), of_points in zip(terms, places):
        # 0/0 is always the same object, so that equal distributions have equal lists.
        values = [Fraction(x, y) if y else nan for x, y in zip(p.tolist(), q.tolist())]
        columns.append([values[place] for place in of_points.tolist()])
    return list(zip(zip(*columns), weights.tolist()))


def exact_columns(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], blocks: Iterable[WeightedSignatures]
) -> ExactColumns:
    """Return the distinct tuples of values of the statistics, with their weights, as arrays.

    The arrays have the numerators and denominators of the values. These are the values at the sufficient statistics
    that ``blocks`` yields with weights. Equal tuples are merged. The result is that of `points_at`, which returns
    Fractions.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> block = np.array([[1, 3, 2, 1], [1, 2, 3, 1]]), np.array([3, 4])
    >>> exact_columns(Tables(4, 2, 2), (as_statistic("med"),), [block]).columns
    {'med': (array([1]), array([4]))}
    """
    names = [statistic.name for statistic in statistics]
    lines = _lines(matrices, statistics)
    if lines is None:  # the values of a statistic are not quotients of integers, or not distinct ones
        return columns_of_law(names, points_at(matrices, statistics, blocks))
    # The distinct values of each statistic, and for each point the index of its value.
    values, places, weights = _points_placed(lines, *_signatures_that_tell(statistics, blocks))
    columns = {}
    for name, (numerators, denominators), places_of_points in zip(names, values, places):
        columns[name] = numerators[places_of_points], denominators[places_of_points]
    return ExactColumns(columns, weights)


def _signatures_that_tell(
    statistics: tuple[Statistic, ...], blocks: Iterable[WeightedSignatures]
) -> WeightedSignatures:
    """Return sufficient statistics and weights, merged if n MED and F = C(n, 2) RD determine the statistics.

    They are then replaced by (n MED, F, 0, 0), with the weights of equal ones added up.
    """
    letters = {letter for statistic in statistics for letter in statistic.base.depends}
    if not letters or not letters <= {"m", "F"}:
        return joined(blocks)
    pairs = MergedChunks(2)
    for cells, weights in blocks:
        pairs.add(np.stack([cells[:, 0], disagreements(cells)], axis=1), weights)
    distances, weights = pairs.together()
    return np.pad(distances, ((0, 0), (0, 2))), weights


def _lines(matrices: MatrixClass, statistics: tuple[Statistic, ...]) -> list[Signed] | None:
    """Return a `Signed` for each statistic, which computes its values from sufficient statistics.

    Return None if the values of a statistic are square roots, or if a factor makes all of them 0.
    """
    lines = []
    for statistic in statistics:
        line = Signed(matrices, statistic, list[WeightedSignatures]().__iter__, 0)
        if statistic.base.root or not line.factor:
            return None
        lines.append(line)
    return lines


def _points_placed(
    lines: list[Signed], cells: np.ndarray, weights: np.ndarray
) -> tuple[list[tuple[np.ndarray, np.ndarray]], np.ndarray, np.ndarray]:
    """Return the distinct values of each statistic, the distinct points, and the weights of the points.

    Values are arrays of numerators and denominators. A point (a column of the second result) has, for each
    statistic, the index of its value. ``lines`` compute the values at the sufficient statistics ``cells``, which
    have ``weights``.
    """
    terms = []
    places = []
    for line in lines:
        p, q, places_of_line = line.placed(cells)
        terms.append((p, q))
        places.append(places_of_line)
    rows, weights = summed(np.stack(places, axis=1), weights)
    return terms, rows.T, weights


def gathered(found: Iterable[tuple[tuple[Number, ...], int]]) -> list[tuple[tuple[Number, ...], int]]:
    """Add up the weights of equal points, and return the distinct points in increasing order with these weights.

    >>> from fractions import Fraction
    >>> gathered([((Fraction(1),), 2), ((Fraction(0),), 1), ((Fraction(1),), 3)])
    [((Fraction(0, 1),), 1), ((Fraction(1, 1),), 5)]
    """
    law: dict[tuple[Number, ...], int] = {}
    for values, amount in found:
        law[values] = law.get(values, 0) + amount
    return sorted(
        law.items(),
        key=lambda item: tuple(sort_key(x) for x in item[0]),
    )


def distances_of_counts(counts: Sequence[int], column: int) -> WeightedSignatures:
    """Return sufficient statistics with weights, given the weight of each n MED (column 0) or each F (column 1).

    F is C(n, 2) times the Rand distance. Statistics of MED and RD have the same value at all A, B and P with
    A + B - 2P = F. The result has (n MED, F, 0, 0), of which one number is not known and 0.

    >>> [part.tolist() for part in distances_of_counts([6, 0, 5], 1)]
    [[[0, 0, 0, 0], [0, 2, 0, 0]], [6, 5]]
    """
    weights = np.array(counts, object)
    places = np.flatnonzero(weights)
    cells = np.zeros((len(places), 4), np.int64)
    cells[:, column] = places
    return cells, weights[places]


def distances_of_sums(sums: Sums) -> WeightedSignatures:
    """Return (n MED, F, 0, 0) with their weights, as `distances_of_counts`, from sums over a class."""
    pairs = np.argwhere(sums.law)
    return np.pad(pairs, ((0, 0), (0, 2))), sums.law[sums.law != 0]
