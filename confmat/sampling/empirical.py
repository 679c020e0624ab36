"""The law of draws: the same type as the exact one, with what draws lack said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from confmat.classes import MatrixClass, RandomModel, Tables
from confmat.engine.walks import MOST_POINTS, Chunk, merged, pair_sums, values_of, weighted
from confmat.engine.work import WEIGHTS
from confmat.laws.held import Points
from confmat.laws.law import Law
from confmat.laws.lines import Drawn
from confmat.laws.over_class import statistics_over
from confmat.laws.sources import Pass, Source
from confmat.laws.supports import gathered
from confmat.matrices.arguments import as_choice
from confmat.plans.methods import Resources
from confmat.sampling.methods import Block, Method
from confmat.statistics.record import Statistic


def empirical(
    matrices: MatrixClass | RandomModel,
    statistics: Iterable[object],
    blocks: Iterable[Block],
    method: Method,
    weight: str = "tables",
) -> Law:
    """The law of statistics over blocks of draws; ``weight`` "labelings" weighs each by its pairs of labelings.

    >>> from confmat.sampling.choice import choose
    >>> block = Block(np.array([[[2, 1], [0, 1]], [[2, 0], [1, 1]], [[4, 0], [0, 0]]]), 3)
    >>> law = empirical(Tables(4, 2, 2, empty=True), ["med"], [block], choose(Tables(4, 2, 2)))
    >>> law.support, law.draws, round(law["med"].error("mean"), 3)
    ([((Fraction(0, 1),), 1), ((Fraction(1, 4),), 2)], 3, 0.068)
    """
    as_choice("weight", weight, WEIGHTS)
    chosen = statistics_over(matrices, statistics)
    sums = [0, 0, 0]

    def counted() -> Iterator[Chunk]:
        for block in blocks:
            # Products of cells overflow in a smaller type.
            tables = (
                block.tables if block.tables.dtype == object else block.tables.astype(np.int64, copy=False)
            )
            each = np.full(len(tables), block.weight, object if block.weight >= 2**62 else np.int64)
            weights = weighted((tables, each), weight)
            whole = weights.astype(object)
            for i, x in enumerate((len(weights), whole.sum(), (whole * whole).sum())):
                sums[i] += int(x)
            yield tables, weights

    found: Any
    if isinstance(matrices, MatrixClass) and all(x.counted for x in chosen) and matrices.n < MOST_POINTS:
        found = {"of": _signatures(matrices, weight, counted())}
    else:
        found = {"points": _points(matrices, chosen, counted())}
    number, total, squares = sums
    drawn = Drawn(number, total / squares if squares else 1.0, "" if method.exact else method.name)
    return Law(matrices, chosen, weight, drawn=drawn, **found)


def _signatures(matrices: MatrixClass, weight: str, weighed: Iterable[Chunk]) -> Source:
    """The distinct (m, A, B, P) of draws and their weights, which a law answers from as from those of a class."""
    found = merged(4, ((pair_sums(tables), weights) for tables, weights in weighed))
    return Source(Pass(matrices, weight, Resources()), listed=found, turned=True)


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
