"""Values of statistics at the signatures of a class, put together and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.blocks import Weighted
from confmat.engine.fold import Sums
from confmat.engine.integers import groups, summed
from confmat.engine.margins import ard_denominator
from confmat.engine.pieces import support_bound
from confmat.errors import TooLarge
from confmat.indices.numbers import lowest_terms
from confmat.laws.files import ExactColumns
from confmat.laws.signed import Signed
from confmat.statistics.clusterings import ARD
from confmat.statistics.record import Number, Statistic, sort_key

# Bounds on the size of a joint law: as Python objects, and as arrays on the way to a file.
MOST_POINTS = 6 * 10**7
MOST_WRITTEN = 2 * 10**8

Points = list[tuple[tuple[Number, ...], int]]


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


def values_of_cells(
    matrices: MatrixClass, statistics: tuple[Statistic, ...], blocks: Iterable[Weighted]
) -> Points:
    """The values of statistics with formulas at signatures, with their weights, in increasing order.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> block = np.array([[1, 3, 2, 1], [1, 2, 3, 1]]), np.array([3, 4])
    >>> values_of_cells(Tables(4, 2, 2), (as_statistic("med"),), [block])
    [((Fraction(1, 4),), 7)]
    """
    if depend_on_distances(statistics):
        blocks = (summed(_distances(cells), weights) for cells, weights in blocks)
    cells, weights = joined(blocks)
    lines = [Signed(matrices, statistic, lambda: iter(()), 0) for statistic in statistics]
    if any(statistic.base.root for statistic in statistics) or not all(line.factor for line in lines):
        # Different quotients may have one value.
        value = values_at(matrices, statistics)
        return gathered((value(*sums), weight) for sums, weight in zip(cells.tolist(), weights.tolist()))
    values, places = zip(*(line.placed(cells) for line in lines))
    rows, weights = summed(np.stack(places, axis=1), weights)
    columns = ([of[i] for i in column] for of, column in zip(values, rows.T.tolist()))
    return list(zip(zip(*columns), weights.tolist()))


def joined(blocks: Iterable[Weighted]) -> Weighted:
    """Some signatures and their weights in one array each.

    >>> cells, weights = joined([(np.array([[1, 3, 2, 1]]), np.array([8])), (np.array([[0, 2, 2, 2]]), np.array([2]))])
    >>> cells.tolist(), weights.tolist()
    ([[1, 3, 2, 1], [0, 2, 2, 2]], [8, 2])
    """
    found = [(np.zeros((0, 4), np.int64), np.zeros(0, np.int64)), *blocks]
    cells, weights = map(np.concatenate, zip(*found))
    return cells, weights


def depend_on_distances(statistics: Iterable[Statistic]) -> bool:
    """Whether m and F = A + B - 2P tell all statistics.

    >>> from confmat.statistics import as_statistic
    >>> [depend_on_distances([as_statistic(name)]) for name in ("rd", "ard")]
    [True, False]
    """
    needed = set("".join(statistic.base.depends for statistic in statistics))
    return bool(needed) and needed <= {"m", "F"}


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


def points_of_sums(matrices: MatrixClass, statistics: tuple[Statistic, ...], sums: Sums) -> Points:
    """The values of statistics of m and F alone, from sums over a class, in increasing order."""
    values = values_at(matrices, statistics)
    # Any A, B and P with A + B - 2P = F give these statistics their values.
    return gathered((values(m, f, 0, 0), int(sums.law[m, f])) for m, f in np.argwhere(sums.law).tolist())


def exact_columns(matrices: MatrixClass, names: tuple[str, ...], blocks: Iterable[Weighted]) -> ExactColumns:
    """The joint law of some of "med", "rd", "ard", in this order, as arrays: 10^7 points fit.

    >>> from confmat.classes import Tables
    >>> from confmat.engine.signatures import enumerated
    >>> from confmat.plans import Resources
    >>> kept = enumerated(Tables(4, 2, 2), "tables", Resources())
    >>> law = exact_columns(Tables(4, 2, 2), ("med", "rd"), kept.blocks())
    >>> [part.tolist() for part in law.columns["rd"]], law.weights.tolist()
    ([[0, 1, 2], [1, 2, 3]], [6, 8, 5])
    """
    cells, counts = joined(blocks)
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
        keys = [m, Signed(matrices, ARD, lambda: iter(()), 0).placed(cells)[1]]
        keys = keys if "med" in names else keys[1:]
    else:
        keys = [values[name][2] for name in names if name != "ard"] + ([-d] if "ard" in names else [])
    _, order, starts = groups(np.column_stack(keys))
    first = order[starts]
    columns = {name: lowest_terms(values[name][0][first], values[name][1][first]) for name in names}
    return ExactColumns(columns, np.add.reduceat(counts[order], starts))
