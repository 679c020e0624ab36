"""Search for extremes by enumeration of a class of matrices.

A margin class is the set of all matrices with the same row sums and column sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from confmat._engine.pieces import STEP
from confmat._engine.run import SECONDS_OF_TABLE, Enumeration, visit
from confmat._engine.walks import chunks, exact_values, meets, pair_sums, tables_under
from confmat._limits import Run, listening, look, method
from confmat.classes.orbits import Generators
from confmat.distributions.sources import Pass, Source
from confmat.indices.pairs import pairs_within
from confmat.search import pruning
from confmat.search.problem import Best, Found, Problem
from confmat.statistics.record import sort_key

# Enumerations with more steps are left to the method "bound-and-prune" if it applies.
_STEPS_BEFORE_A_BOUND = 10**9

# Steps of the evaluation at (m, A, B, P).  They are not counted for longer runs.
_STEPS_OF_A_SUM = 50
_MOST_STEPS_COUNTED = 10**15


@method("exhaustive", "all matrices are compared", STEP, in_parts=True)
def by_sums(problem: Problem) -> Run | str:
    """Return a computation that compares the statistic at all distinct (m, A, B, P) of the class.

    m = n MED is the number of objects outside the best matching. A, B and P are the numbers of pairs of objects in
    a common row, column and cell. If a statistic has no formula in these numbers, or a faster method exists, return
    this reason as text.
    """
    if not problem.counted:
        return "is for statistics with formulas"
    enumeration = Enumeration(problem.matrices, "tables", problem.limits)
    run = enumeration.planned(partial(extreme_tables, problem))
    if problem.asked is None and run.steps > _STEPS_BEFORE_A_BOUND and pruning.applies(problem):
        return "takes longer than the method bound-and-prune"
    if problem.matrices and run.steps < _MOST_STEPS_COUNTED:
        return replace(run, steps=run.steps + _STEPS_OF_A_SUM * enumeration.work.signatures)
    return run


@method("exhaustive", "all matrices are compared", SECONDS_OF_TABLE)
def by_tables(problem: Problem) -> Run | str:
    """Return a computation that evaluates a user-defined function, or a metric of a classifier, at all tables.

    Return the reason as text if the method does not apply.
    """
    if problem.counted:
        return "is for statistics that are functions of a table"
    return visit(problem, partial(extreme_tables, problem), problem.statistics)


def extreme_tables(problem: Problem) -> Found:
    """Return all tables with the extreme value, one or more of each orbit.

    A statistic with a formula is first evaluated at all distinct (m, A, B, P) of the class: n MED, and the numbers
    of pairs of objects in common rows, columns and cells. Only margins that attain the extreme are then enumerated.
    Any other function is called on every table.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> problem = Problem(Tables(6, 2, 2), as_statistic("ard"), None, 1)
    >>> extreme_tables(problem).tables
    [array([[2, 2],
           [1, 1]])]
    """
    if not problem.counted:
        return _by_table(problem)
    cells, examined_cells = _extreme_sums(problem)
    tables = list(_tables_with(problem, set(map(tuple, cells.tolist()))))
    examined = {"matrices": problem.matrices.count(), "distinct_sums": examined_cells}
    return Found(tables, examined, complete=True)


def _extreme_sums(problem: Problem) -> tuple[np.ndarray, int]:
    """Return the tuples (m, A, B, P) with the extreme value as an array (N x 4), and the number of tuples compared.

    m = n MED is the number of objects outside the best matching. A, B and P are the numbers of pairs of objects in
    a common row, column and cell.
    """
    conditions = () if problem.condition is None else (problem.condition,)
    signatures = Source(Pass(problem.matrices, "tables", problem.limits), conditions, oriented=True)
    best = -np.inf
    candidates = np.zeros((0, 4), np.int64)
    examined_cells = 0
    with listening(lambda plan: None):  # the plan of the search was reported
        for cells, _ in signatures.blocks():
            examined_cells += len(cells)
            candidates = np.concatenate([candidates, cells])
            rough = problem.direction * problem.statistic._approximate_keys(problem.matrices.n, candidates)
            best = max(best, np.nanmax(rough, initial=-np.inf))
            near = rough >= best - 1e-9 * max(1, abs(best))
            candidates = np.unique(candidates[near], axis=0)
    keys = []
    for sums in candidates.tolist():
        keys.append(problem.direction * problem.statistic.key(problem.matrices.n, *sums))
    best_key = max(keys, default=None)
    return candidates[[key == best_key for key in keys]], examined_cells


def _tables_with(problem: Problem, sums_wanted: set[tuple[int, int, int, int]]) -> Iterator[np.ndarray]:
    """Yield the tables of the class, up to symmetry, whose (m, A, B, P) is one of ``sums_wanted``.

    m = n MED. A, B and P are the numbers of pairs of objects in common rows, columns and cells.
    """
    pairs_of_margins = {(a, b) for _, a, b, _ in sums_wanted}
    pairs_of_cells = list({p for *_, p in sums_wanted})
    margins_wanted = []
    for margins in problem.matrices.margins(_shared_symmetry(problem)):
        if (pairs_within(margins.rows), pairs_within(margins.cols)) in pairs_of_margins:
            margins_wanted.append(margins)
    for tables, _ in tables_under(margins_wanted):
        look("the search")
        hits = np.isin((tables * (tables - 1) // 2).sum(axis=(1, 2)), pairs_of_cells)
        for sums, table in zip(pair_sums(tables[hits]).tolist(), tables[hits]):
            if tuple(sums) in sums_wanted:
                yield table


def _shared_symmetry(problem: Problem) -> Generators:
    """Return the symmetries of both the statistic and the class, as generators.

    They map tables of the class to its tables.
    """
    return problem.symmetry & problem.matrices.symmetry


def _by_table(problem: Problem) -> Found:
    """Return the tables with the extreme value of a function that is evaluated on all tables up to symmetry."""
    best = Best()
    tables_visited = 0
    for batch, _ in chunks(problem.matrices, _shared_symmetry(problem)):
        look("the search")
        tables_visited += len(batch)
        if problem.condition is not None:
            batch = batch[meets(problem.condition, problem.matrices, batch)]
        if not len(batch):
            continue
        values, places = exact_values(problem.statistic, problem.matrices, batch)
        defined = sorted((x for x in values if x == x), key=sort_key)
        if not defined:
            continue
        extreme = defined[-1 if problem.sign > 0 else 0]
        are_extreme = np.array([x == extreme for x in values])
        best.offer(problem.sign * extreme, batch[are_extreme[places]])
    examined = {"matrices": problem.matrices.count(), "tables_visited": tables_visited}
    return Found(best.holders, examined, complete=True)
