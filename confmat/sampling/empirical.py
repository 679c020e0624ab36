"""The law of draws: the same type as the exact one, with what draws lack said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from confmat.classes import MatrixClass, RandomModel, Tables
from confmat.engine.tablewise import Chunk, values_of
from confmat.laws.evaluation import gathered
from confmat.laws.law import Drawn, Law, Points
from confmat.laws.over_class import statistics_over
from confmat.statistics.record import Statistic


def empirical(
    matrices: MatrixClass | RandomModel,
    statistics: Iterable[object],
    weighed: Iterable[Chunk],
    weight: str = "tables",
    dependent: str = "",
) -> Law:
    """The law of statistics over draws (chunks k x r x s, and the whole number that each of them weighs).

    ``dependent``: by what they were drawn, if not independently.

    >>> tables = np.array([[[2, 1], [0, 1]], [[2, 0], [1, 1]], [[4, 0], [0, 0]]])
    >>> law = empirical(Tables(4, 2, 2, empty=True), ["med"], [(tables, np.array([1, 1, 1]))])
    >>> law.support, law.draws, round(law["med"].error("mean"), 3)
    ([((Fraction(0, 1),), 1), ((Fraction(1, 4),), 2)], 3, 0.068)
    """
    chosen = statistics_over(matrices, statistics)
    sums = [0, 0, 0]

    def counted() -> Iterator[Chunk]:
        for tables, weights in weighed:
            whole = weights.astype(object)
            for i, x in enumerate((len(weights), whole.sum(), (whole * whole).sum())):
                sums[i] += int(x)
            yield tables, weights

    points = _points(matrices, chosen, counted())
    number, total, squares = sums
    drawn = Drawn(number, total / squares if squares else 1.0, dependent)
    return Law(matrices, chosen, weight, points=points, drawn=drawn)


def _points(
    matrices: MatrixClass | RandomModel, statistics: tuple[Statistic, ...], weighed: Iterable[Chunk]
) -> Points:
    """Values and weights; of tables of many shapes each among the tables of its own."""
    if isinstance(matrices, RandomModel) and matrices.matrices is not None:
        matrices = matrices.matrices
    if isinstance(matrices, MatrixClass):
        return values_of(matrices, statistics, weighed)
    by_shape: dict[tuple[int, int], list[Chunk]] = {}
    for tables, weights in weighed:
        shapes = np.column_stack([(tables.sum(axis=axis) > 0).sum(axis=1) for axis in (2, 1)])
        for r, s in set(map(tuple, shapes.tolist())):
            same = (shapes == (r, s)).all(axis=1)
            by_shape.setdefault((r, s), []).append((tables[same, :r, :s], weights[same]))
    return gathered(
        item
        for (r, s), parts in by_shape.items()
        for item in values_of(Tables(matrices.n, r, s), statistics, parts)
    )
