"""Local search: steepest ascent from random matrices of a class.  What it finds is attained; nothing is proved."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import numpy as np

from confmat.classes import FixedMargins, FixedRows, MatrixClass
from confmat.engine.reference import best_matching_weight, largest_table
from confmat.search.problem import Problem, rough_ratios, sums_of

# A step looks at so many neighbours at most (all, or a random choice), and at as many pairs of moves.
_NEIGHBOURS = 2000

Score = Callable[[np.ndarray], np.ndarray]


def extreme_tables(problem: Problem, restarts: int, seed: int) -> list[np.ndarray]:
    """The best tables met that satisfy the condition, compared exactly; none if no start led to one."""
    ends = [(problem.value(x), x) for x in climb(problem, restarts, seed) if problem.admits(*sums_of(x))]
    defined = [(problem.sign * value, table) for value, table in ends if value == value]
    return [table for value, table in defined if value == max(v for v, _ in defined)]


def climb(problem: Problem, restarts: int, seed: int) -> list[np.ndarray]:
    """The best tables met from ``restarts`` random starts; for a given seed always the same.

    A condition on the MED is a penalty, so tables returned need not meet it.
    """
    rng = np.random.default_rng(seed)
    matrices, score = problem.matrices, _scores(problem)
    moves = _moves(matrices)
    ends = [_ascend(_random_table(matrices, rng), moves, matrices, score, rng) for _ in range(restarts)]
    values = score(np.array(ends))
    return [table for table, value in zip(ends, values) if value >= values.max() - 1e-9]


def _scores(problem: Problem) -> Score:
    """Scores of a batch of tables (K x r x s) in doubles; -inf for an undefined value."""
    n, name = problem.matrices.n, problem.statistic.name
    needs_matching = problem.given_med is not None or name in ("med", "nmed")

    def score(batch: np.ndarray) -> np.ndarray:
        sums = np.zeros((len(batch), 4))
        if needs_matching:
            narrow = batch if batch.shape[1] <= batch.shape[2] else batch.transpose(0, 2, 1).copy()
            sums[:, 0] = [n - best_matching_weight(table) for table in narrow]
        if problem.named:
            sizes = (batch.sum(axis=2), batch.sum(axis=1), batch.reshape(len(batch), -1))
            sums[:, 1:] = np.stack([(x * (x - 1) // 2).sum(axis=1) for x in sizes], axis=1)
            values = rough_ratios(name, n, sums)
        else:
            values = np.array([float(problem.value(table)) for table in batch])
        result = np.where(np.isnan(values), -np.inf, problem.sign * values)
        if problem.given_med is not None:  # outweighs every difference of two ratios
            result = result - 10 * np.abs(sums[:, 0] - float(n * problem.given_med))
        return result

    return score


def _moves(matrices: MatrixClass) -> np.ndarray:
    """Differences (K x r x s) between a matrix and its neighbours: one point moved as far as the class allows."""
    r, s = matrices.shape
    cells = list(product(range(r), range(s)))
    if isinstance(matrices, FixedMargins):
        changes = [
            {(i, j): -1, (i, l): 1, (k, j): 1, (k, l): -1}
            for (i, k), (j, l) in product(permutations(range(r), 2), permutations(range(s), 2))
            if i < k
        ]
    else:
        fixed = isinstance(matrices, FixedRows)
        changes = [{p: -1, q: 1} for p, q in permutations(cells, 2) if not fixed or p[0] == q[0]]
    moves = np.zeros((len(changes), r, s), np.int64)
    for move, change in zip(moves, changes):
        for cell, x in change.items():
            move[cell] = x
    return moves


def _ascend(
    table: np.ndarray, moves: np.ndarray, matrices: MatrixClass, score: Score, rng: np.random.Generator
) -> np.ndarray:
    """Best neighbour after best neighbour, first by large steps, then by halves of them down to one point."""
    units = max(1, matrices.n // 8)
    value = score(table[None])[0]
    while units and len(moves):
        single = moves if len(moves) <= _NEIGHBOURS else moves[rng.permutation(len(moves))[:_NEIGHBOURS]]
        pairs = (
            single[rng.integers(len(single), size=_NEIGHBOURS)]
            + moves[rng.integers(len(moves), size=_NEIGHBOURS)]
        )
        near = table + units * np.concatenate([single, pairs])
        near = near[_members(matrices, near)]
        scores = score(near) if len(near) else np.array([-np.inf])
        best = int(scores.argmax())
        if scores[best] > value + 1e-12:
            table, value = near[best], scores[best]
        else:
            units //= 2
    return table


def _members(matrices: MatrixClass, batch: np.ndarray) -> np.ndarray:
    """Which tables, changed by moves of the class, are still members."""
    inside = np.asarray((batch >= 0).all(axis=(1, 2)))
    if isinstance(matrices, (FixedMargins, FixedRows)) or getattr(matrices, "empty", False):
        return inside
    return inside & (batch.sum(axis=1) > 0).all(axis=1) & (batch.sum(axis=2) > 0).all(axis=1)


def _random_table(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    """A random start: uniform over the class, or at fixed margins a vertex (lines filled in random order)."""
    if isinstance(matrices, FixedMargins):
        rows, cols = np.array(matrices.rows, np.int64), np.array(matrices.cols, np.int64)
        by_row, by_col = rng.permutation(len(rows)), rng.permutation(len(cols))
        table = np.zeros((len(rows), len(cols)), np.int64)
        table[np.ix_(by_row, by_col)] = largest_table(rows[by_row], cols[by_col])
        return table
    count = matrices.count()
    return matrices.unrank(int.from_bytes(rng.bytes(count.bit_length() // 8 + 8), "little") % count)
