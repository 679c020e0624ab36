"""Local search: steepest ascent from random matrices. Its values are attained but not proved to be extreme."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from confmat._engine.tables import random_table
from confmat._engine.walks import exact_values
from confmat._limits import Run, look, method
from confmat.classes import MatrixClass
from confmat.contingency.matching import heaviest_totals
from confmat.search.problem import Best, Found, Problem
from confmat.statistics.record import Statistic
from confmat.statistics.shortfall import shortfall
from confmat.statistics.table import is_known

LARGEST_N = 2**53  # tables are int64, scores are floats

# Scores of tables that fail the condition are below minus this number.
_FAR = 1e12

# Largest number of cells of the tables in a step: all moves up to 8 x 8, otherwise a random sample.
_CELLS = 2**18

ScoreOfTables = Callable[[np.ndarray], np.ndarray]


def extreme_tables(problem: Problem) -> Found:
    """Return the best tables found that satisfy the condition, compared exactly.

    The list is empty if no start leads to a table that satisfies the condition.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> problem = Problem(Tables(6, 2, 2), as_statistic("ard"), None, 1, restarts=5)
    >>> {str(problem.value(table)) for table in extreme_tables(problem).tables}
    {'45/37'}
    """
    best = Best()
    for table in climb(problem):
        if problem.admits(table):
            best.offer(problem.sign * problem.value(table), [table])
    tables = best.holders
    is_at_the_end = bool(tables) and _is_at_the_end(problem, tables[0])
    assumptions = []
    if is_at_the_end and not is_known(problem.statistic):
        assumptions.append(f"declared bounds of {problem.statistic.name}")
    restarts = {"restarts": problem.restarts}
    return Found(tables, restarts, complete=False, proved=is_at_the_end, assumptions=tuple(assumptions))


def climb(problem: Problem) -> list[np.ndarray]:
    """Return the best tables reached from the random starts. The result is the same for the same seed.

    The first start is ``problem.start`` if there is one. A table that fails the condition gets a penalty in its
    score, but may be returned.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> problem = Problem(Tables(6, 2, 2), as_statistic("rd"), None, 1, restarts=5)
    >>> {str(problem.value(table)) for table in climb(problem)}
    {'3/5'}
    """
    rng = np.random.default_rng(problem.rng)
    matrices = problem.matrices
    score = _scores_of_batch(problem)
    if problem.start is None:
        starts = []
    else:
        starts = [problem.start]
    starts += [random_table(matrices, rng) for _ in range(problem.restarts - len(starts))]
    ends = [_ascend(start, matrices, score, rng) for start in starts]
    values = score(np.array(ends))
    return [table for table, value in zip(ends, values) if value >= values.max() - 1e-9]


def _scores_of_batch(problem: Problem) -> ScoreOfTables:
    """Return the function that scores an array of tables (K x r x s) in floating point.

    The score is the value, with its sign changed for a minimum, or -inf if it is undefined. If the condition is not
    satisfied, the score is far below all values and decreases with the distance from the condition.
    """
    matrices = problem.matrices
    condition = problem.condition

    def score(batch: np.ndarray) -> np.ndarray:
        sums = _sums(problem, batch)
        values = problem.sign * _rough(problem.statistic, matrices, batch, sums)
        result = np.where(
            np.isnan(values),
            -np.inf,
            values,
        )
        if condition is None:
            return result
        values_by_name = {x.name: _rough(x, matrices, batch, sums) for x in condition.statistics}
        missing = shortfall(condition.at(matrices).formula, values_by_name)
        return np.where(
            missing > 0,
            -_FAR * (1 + missing),
            result,
        )

    return score


def _rough(statistic: Statistic, matrices: MatrixClass, batch: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Return the values of a statistic in floating point at the tables in ``batch`` (K x r x s).

    ``sums`` (K x 4) are the sufficient statistics of the tables, from which statistics with formulas are computed.
    """
    if statistic.counted:
        return statistic._approximate_values(matrices, sums)
    values, places = exact_values(statistic, matrices, batch)
    return np.array(list(map(float, values)))[places]


def _sums(problem: Problem, batch: np.ndarray) -> np.ndarray:
    """Return m = n MED, and the pairs A, B and P in common rows, columns and cells, of each table as floats (K x 4).

    Floats are used since pairs may exceed 64 bits. m is 0 if no statistic uses it.
    """
    sums = np.zeros((len(batch), 4))
    if _matches(problem):
        sums[:, 0] = problem.matrices.n - heaviest_totals(batch)
    sizes = (
        batch.sum(axis=2),
        batch.sum(axis=1),
        batch.reshape(len(batch), -1),
    )
    for column, x in enumerate(sizes, start=1):
        pairs = x * (x - 1.0) / 2
        sums[:, column] = pairs.sum(axis=1)
    return sums


def _matches(problem: Problem) -> bool:
    """Return whether a statistic of the problem depends on the best matching."""
    return any(x.counted and "m" in x.base.depends for x in problem.statistics)


def _moves(matrices: MatrixClass, rng: np.random.Generator) -> np.ndarray:
    """Return differences (K x r x s) between a matrix and its nearest neighbours in the class.

    If margins are free, one object moves from cell (i, j) to another cell. If they are fixed, a second object moves
    back between the same rows and columns. All differences are returned if they are few, otherwise a random sample
    of them.
    """
    r, s = matrices.shape
    number = _number_of_moves(r, s)
    places = np.arange(number)
    if number < r * r * s * s:
        places = rng.integers(r * r * s * s, size=number)
    i, k, j, l = np.unravel_index(places, (r, r, s, s))
    in_rows, in_cols = (side.sums is not None for side in matrices.possible_sums)
    changes = [(i, j, -1)]
    if in_rows and in_cols:
        changes += [(k, l, -1), (i, l, 1), (k, j, 1)]
    else:
        changes += [
            (
                i if in_rows else k,
                j if in_cols else l,
                1,
            )
        ]
    moves = np.zeros((number, r, s), np.int64)
    for row, col, units in changes:
        np.add.at(moves, (np.arange(number), row, col), units)
    return moves


def _number_of_moves(r: int, s: int) -> int:
    """Return the number of moves that one step of the search examines.

    A move is the difference between a table and a neighboring one.
    """
    return min(r * r * s * s, max(1, _CELLS // (r * s)))


def _ascend(
    table: np.ndarray, matrices: MatrixClass, score: ScoreOfTables, rng: np.random.Generator
) -> np.ndarray:
    """Return the table reached from ``table`` by moving to the best neighbour until none has a higher ``score``.

    A neighbour differs by one or two of the `_moves`, times the step length. The step length begins at n/8. It is
    halved if no neighbour is better, and doubled after two successful steps. The search ends when no neighbour at
    length 1 is better. ``rng`` draws the moves if they are too many.
    """
    largest_step = units = max(1, matrices.n // 8)
    stepped_before = False
    value = score(table[None])[0]
    while units:
        look("the search")
        moves = _moves(matrices, rng)
        first_moves, second_moves = rng.integers(len(moves), size=(2, len(moves)))
        stay = np.zeros_like(moves[:1])
        steps = np.concatenate([stay, moves, moves[first_moves] + moves[second_moves]])
        neighbours = table + units * steps
        neighbours = neighbours[matrices.contains_each(neighbours)]
        scores = score(neighbours)
        best = int(scores.argmax())
        if scores[best] > value + 1e-12:
            table = neighbours[best]
            value = scores[best]
            if stepped_before:
                units = min(2 * units, largest_step)
            stepped_before = not stepped_before
        else:
            units = units // 2
            stepped_before = False
    return table


# A step is an examined cell. Steps that a best matching, and a call of a function, take.
_STEPS_OF_MATCHING, _STEPS_OF_CALL = 80, 500

SECONDS_PER_STEP = 6e-8


def expected_steps(problem: Problem) -> int:
    """Return the approximate number of cells that are examined from all starts together.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> expected_steps(Problem(Tables(60, 3, 3), as_statistic("ari"), None, -1))
    3499200
    """
    r, s = problem.matrices.shape
    steps_of_table = r * s
    if _matches(problem):
        steps_of_table += _STEPS_OF_MATCHING
    steps_of_table += _STEPS_OF_CALL * sum(not statistic.counted for statistic in problem.statistics)
    moves = problem.restarts * (30 + 15 * problem.matrices.n.bit_length())
    return moves * 2 * _number_of_moves(r, s) * steps_of_table


@method("local", "steepest ascent from random matrices", SECONDS_PER_STEP)
def local(problem: Problem) -> Run | str:
    """Return the computation by local search. Return the reason as text if the method does not apply."""
    if problem.matrices.n >= LARGEST_N:
        return f"is for n < {LARGEST_N}"
    return Run(partial(extreme_tables, problem), expected_steps(problem))


def _is_at_the_end(problem: Problem, table: np.ndarray) -> bool:
    """Return whether a table has the largest (or smallest) value that the declared bounds of the statistic admit.

    No table exceeds these bounds (statement `statistic-ranges`).
    """
    end = problem.statistic.bounds[problem.sign > 0]
    return problem.statistic.exact and problem.value(table) == end
