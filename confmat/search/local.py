"""Local search: steepest ascent from random matrices of a class.  What it finds is attained; nothing is proved."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from confmat.classes import MatrixClass
from confmat.classes.compositions import Side
from confmat.engine.tables import matched_points, random_table
from confmat.engine.walks import exact_values
from confmat.plans import Run, method
from confmat.search.problem import Problem
from confmat.statistics.record import Statistic
from confmat.statistics.shortfall import shortfall

LARGEST_N = 2**53  # tables are int64, their scores doubles

# Below all values that are compared: what does not meet the condition.
_FAR = 1e12

# A step looks at tables with so many cells in all: all moves up to 8 x 8, else a random choice of them.
_CELLS = 2**18

Score = Callable[[np.ndarray], np.ndarray]


def extreme_tables(problem: Problem) -> tuple[list[np.ndarray], dict[str, int]]:
    """The best tables met that satisfy the condition, compared exactly; none if no start led to one.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> problem = Problem(Tables(6, 2, 2), as_statistic("ard"), None, 1, restarts=5)
    >>> {str(problem.value(table)) for table in extreme_tables(problem)[0]}
    {'45/37'}
    """
    ends = [(problem.value(x), x) for x in climb(problem) if problem.admits(x)]
    defined = [(problem.sign * value, table) for value, table in ends if value == value]
    best = max((value for value, _ in defined), default=None)
    return [table for value, table in defined if value == best], {"restarts": problem.restarts}


def climb(problem: Problem) -> list[np.ndarray]:
    """The best tables met from so many random starts; for a given seed always the same.

    A condition is a penalty, so tables returned need not meet it.  The first start is that of the problem, if any.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> problem = Problem(Tables(6, 2, 2), as_statistic("rd"), None, 1, restarts=5)
    >>> {str(problem.value(table)) for table in climb(problem)}
    {'3/5'}
    """
    rng = np.random.default_rng(problem.rng)
    matrices, score = problem.matrices, _scores(problem)
    starts = [] if problem.start is None else [problem.start]
    starts += [random_table(matrices, rng) for _ in range(problem.restarts - len(starts))]
    ends = [_ascend(start, matrices, score, rng) for start in starts]
    values = score(np.array(ends))
    return [table for table, value in zip(ends, values) if value >= values.max() - 1e-9]


def _scores(problem: Problem) -> Score:
    """Scores of a batch of tables (K x r x s) in doubles; -inf for an undefined value.

    Where the condition is not met they are far below all values, the lower the farther from it.
    """
    matrices, condition = problem.matrices, problem.condition

    def score(batch: np.ndarray) -> np.ndarray:
        sums = _sums(problem, batch)
        values = problem.sign * _rough(problem.statistic, matrices, batch, sums)
        result = np.where(np.isnan(values), -np.inf, values)
        if condition is None:
            return result
        of = {x.name: _rough(x, matrices, batch, sums) for x in condition.statistics}
        missing = np.broadcast_to(shortfall(condition.at(matrices).formula, of), len(batch))
        return np.where(missing > 0, -_FAR * (1 + missing), result)

    return score


def _rough(statistic: Statistic, matrices: MatrixClass, batch: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Values of a statistic in doubles."""
    if statistic.counted:
        return statistic.rough_values(matrices, sums)
    values, which = exact_values(statistic, matrices, batch)
    return np.array(list(map(float, values)))[which]


def _sums(problem: Problem, batch: np.ndarray) -> np.ndarray:
    """m, A, B and P of tables whose pairs may exceed 64 bits; m only where it is looked at."""
    sums = np.zeros((len(batch), 4))
    if _matches(problem):
        sums[:, 0] = problem.matrices.n - matched_points(batch)
    sizes = (batch.sum(axis=2), batch.sum(axis=1), batch.reshape(len(batch), -1))
    sums[:, 1:] = np.stack([(x * (x - 1.0) / 2).sum(axis=1) for x in sizes], axis=1)
    return sums


def _matches(problem: Problem) -> bool:
    """Whether best matchings are looked at."""
    return any(x.counted and "m" in x.base.depends for x in problem.members)


def _moves(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    """Differences (K x r x s) to the nearest matrices: a point moved as far as the class allows.

    Rows i, k and columns j, l make one: all of them if they are few, else a random choice.
    """
    r, s = matrices.shape
    ways, most = r * r * s * s, max(1, _CELLS // (r * s))
    chosen = np.arange(ways) if ways <= most else rng.integers(ways, size=most)
    i, k, j, l = np.unravel_index(chosen, (r, r, s, s))
    in_rows, in_cols = (side.sums is not None for side in _sides(matrices))
    if in_rows and in_cols:
        changes = [(i, j, -1), (k, l, -1), (i, l, 1), (k, j, 1)]
    else:
        changes = [(i, j, -1), (i if in_rows else k, j if in_cols else l, 1)]
    moves = np.zeros((len(chosen), r, s), np.int64)
    for row, col, units in changes:
        np.add.at(moves, (np.arange(len(chosen)), row, col), units)
    return moves


def _ascend(table: np.ndarray, matrices: MatrixClass, score: Score, rng: np.random.Generator) -> np.ndarray:
    """Best neighbour after best neighbour, first by large steps, then by halves of them down to one point.

    A neighbour is one move or the sum of two away.  A second step of the same length in a row doubles it: a long ridge
    is not walked point by point.
    """
    largest = units = max(1, matrices.n // 8)
    again = False
    value = score(table[None])[0]
    while units:
        moves = _moves(matrices, rng)
        first, second = rng.integers(len(moves), size=(2, len(moves)))
        near = table + units * np.concatenate([np.zeros_like(moves[:1]), moves, moves[first] + moves[second]])
        near = near[_members(matrices, near)]
        scores = score(near)
        best = int(scores.argmax())
        if scores[best] > value + 1e-12:
            table, value = near[best], scores[best]
            units, again = (min(2 * units, largest), False) if again else (units, True)
        else:
            units, again = units // 2, False
    return table


def _members(matrices: MatrixClass, batch: np.ndarray) -> np.ndarray:
    """Which tables, changed by moves of the class, are still members."""
    inside = np.asarray((batch >= 0).all(axis=(1, 2)))
    for side, axis in zip(_sides(matrices), (2, 1)):
        if side.minimum:
            inside &= (batch.sum(axis=axis) > 0).all(axis=1)
    return inside


def _sides(matrices: MatrixClass) -> tuple[Side, Side]:
    assert matrices.sides is not None
    return matrices.sides


# Seconds of a core: of a cell of a table that is looked at, of a best matching, of a call of a function.
_SECONDS_OF_CELL, _SECONDS_OF_MATCHING, _SECONDS_OF_CALL = 6e-8, 5e-6, 3e-5


def expected_seconds(problem: Problem) -> float:
    """About how long all starts take, within a factor of 3.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> [expected_seconds(Problem(Tables(60, k, k), as_statistic("ari"), None, -1)) > 60 for k in (3, 9)]
    [False, True]
    """
    r, s = problem.matrices.shape
    called = sum(not x.counted for x in problem.members)
    each = _SECONDS_OF_CELL * r * s + _SECONDS_OF_CALL * called + _SECONDS_OF_MATCHING * _matches(problem)
    steps = 30 + 15 * problem.matrices.n.bit_length()
    return problem.restarts * steps * 2 * min(r * r * s * s, max(1, _CELLS // (r * s))) * each


@method(
    "local",
    "steepest ascent from random matrices",
    "a bound, attained; proved only where no matrix can pass it",
)
def local(problem: Problem) -> Run | str:
    if problem.matrices.n >= LARGEST_N:
        return f"takes n < {LARGEST_N}"
    if problem.matrices.sides is None:
        return (
            "moves points within classes whose margins are fixed or free, and knows no moves within this one"
        )
    return Run(lambda: extreme_tables(problem), expected_seconds(problem), 2**28)
