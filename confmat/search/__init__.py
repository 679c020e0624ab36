"""Worst cases: the largest and smallest values of a statistic over a class of matrices, with a certificate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from confmat._arguments import as_amount, as_choice, as_count
from confmat._limits import Limits, Run, as_limits, choose, method, plannable, register
from confmat.classes import MatrixClass, as_class
from confmat.contingency.matrix import as_matrix, dense
from confmat.contingency.texts import matrix_text
from confmat.errors import ConsistencyError, NotProvedError, TooLargeError
from confmat.search import exhaustive, local, pruning
from confmat.search.problem import Found, Problem, largest_of
from confmat.search.result import Result, representatives
from confmat.statistics.conditions import AnyCondition, as_condition
from confmat.statistics.record import Number, Statistic
from confmat.statistics.table import as_statistic, assumptions_of, check_square, is_known

__all__ = ["SEARCH_METHODS", "Result", "maximize", "minimize"]

SEARCH_METHODS = ("exhaustive", "bound-and-prune", "streamed", "theorem", "local")


def _problem(
    sign: int,
    matrices: MatrixClass | str,
    statistic: str | Statistic | Callable[[np.ndarray], Any],
    given: AnyCondition | None = None,
    method: str | None = None,
    *,
    restarts: int = 20,
    rng: int = 0,
    start: Any = None,
    limits: Limits | None = None,
) -> Problem:
    """What a call of ``maximize`` (``sign`` 1) or ``minimize`` (-1) asks, its arguments checked."""
    restarts = as_amount("restarts", restarts, 1)
    rng = as_count("rng", rng)
    where = as_limits(limits)
    matrices = as_class(matrices)
    if method is not None:
        as_choice("method", method, SEARCH_METHODS)
    record = as_statistic(statistic)
    if given is None:
        condition = None
    else:
        condition = as_condition(given, "given", known=[record])
    if start is None:
        table = None
    else:
        table = _start(matrices, start, method)
    method = method if matrices else "exhaustive"
    problem = Problem(matrices, record, condition, sign, restarts, rng, method, where, table)
    check_square(matrices, problem.members)
    return problem


def _start(matrices: MatrixClass, start: Any, method: str | None) -> np.ndarray:
    """Where a local search begins, as an array."""
    table = dense(as_matrix(start))
    if table not in matrices:
        raise ValueError(f"start must be a member of {matrices!r}, got {matrix_text(table)}")
    if method not in (None, "local"):
        raise ValueError(f'start belongs to method "local", got method {method!r}')
    return np.array(table, np.int64)


@plannable(partial(_problem, 1))
def maximize(
    matrices: MatrixClass | str,
    statistic: str | Statistic | Callable[[np.ndarray], Any],
    given: AnyCondition | None = None,
    method: str | None = None,
    *,
    restarts: int = 20,
    rng: int = 0,
    start: Any = None,
    limits: Limits | None = None,
) -> Result:
    """Largest value of a statistic over a class of matrices, and all up to symmetry that attain it: a `Result`.

    ``confmat search`` is this on the command line.

    ``statistic``: a short name of the table ``confmat.statistics.STATISTICS``, or a function of a matrix (see
    ``Statistic``).  ``given``: a condition, such as "med=4/20" or "med<=1/5, ard>1" (see ``as_condition``).
    ``method``, by default the first that answers within the limits (``confmat.plan(maximize, ...)`` tells which):

    - "exhaustive": all matrices.
    - "bound-and-prune": largest "rd" or "ard", or a multiple, or the smallest complement ("ri", "ari"), n <= 1500, no
      ``given``.  Time grows with the number of margin classes (2.6e7 at (100,4,4): seconds), not of matrices.
    - "streamed": these statistics, both extremes, given "med" alone; one matrix, others not listed.
    - "theorem": largest "med", "rd" or "ard", or a multiple, or the smallest complement, of ``Tables``, where it is
      proved; one matrix, others not listed.  Largest "ard" where only hooks have it: all matrices, in milliseconds,
      also given an upper bound of the MED or its value, such as "med<=4/50".
    - "local": ascent from ``restarts`` random matrices, drawn with ``rng``, or first from ``start``: a bound.
      ``proved`` is False, unless it is a value that no matrix can pass (distance 0, similarity 1).

    ``limits``: threads, progress and checkpoints of the enumerations ("exhaustive" and "streamed").

    ``proved`` is False if the answer assumes a symmetry or bounds that were declared of a user-defined statistic, which
    ``assumptions`` lists.

    A class without member (or none that meets ``given``) has value None.  Undefined values (0/0) are passed over.
    Raises ValueError or TypeError naming the argument, also for a method that does not apply.

    >>> from confmat.classes import Tables
    >>> result = maximize(Tables(20, 3, 3), "ard")
    >>> result.value, result.tables[0].tolist(), result.proved
    (Fraction(10640, 8829), [[10, 3, 2], [3, 0, 0], [2, 0, 0]], True)
    """
    return _search(
        _problem(
            1,
            matrices,
            statistic,
            given,
            method,
            restarts=restarts,
            rng=rng,
            start=start,
            limits=limits,
        )
    )


@plannable(partial(_problem, -1))
def minimize(
    matrices: MatrixClass | str,
    statistic: str | Statistic | Callable[[np.ndarray], Any],
    given: AnyCondition | None = None,
    method: str | None = None,
    *,
    restarts: int = 20,
    rng: int = 0,
    start: Any = None,
    limits: Limits | None = None,
) -> Result:
    """Smallest value of a statistic over a class of matrices, and where it is; arguments as in ``maximize``.

    ``confmat search --minimize`` is this on the command line.

    >>> from confmat.classes import Tables
    >>> result = minimize(Tables(6, 2, 3), "rd")
    >>> result.value, [table.tolist() for table in result.tables]
    (Fraction(1, 15), [[[4, 0, 0], [0, 1, 1]]])
    """
    return _search(
        _problem(
            -1,
            matrices,
            statistic,
            given,
            method,
            restarts=restarts,
            rng=rng,
            start=start,
            limits=limits,
        )
    )


def _search(problem: Problem) -> Result:
    plan = choose(problem)
    findings: Found = plan.run()
    assumptions = assumptions_of(problem.members) + findings.assumptions
    value = problem.value(findings.tables[0]) if findings.tables else None
    _check_bounds(problem.statistic, value)
    witnesses = np.array(representatives(problem.matrices, problem.symmetry, findings.tables))
    return Result(
        problem.matrices,
        problem.statistic,
        problem.sign > 0,
        problem.condition,
        value,
        tuple(witnesses),
        proved=findings.proved and not assumptions,
        assumptions=assumptions,
        complete=findings.complete and not any(x.is_rounded for x in problem.members),
        method=plan.method,
        examined=findings.examined,
    )


def _check_bounds(statistic: Statistic, value: Number | None) -> None:
    """What is declared of one's own statistic is not believed against a value that was found."""
    lower, upper = statistic.bounds
    if value is None or not statistic.exact:
        return
    if (lower is not None and value < lower) or (upper is not None and value > upper):
        raise ConsistencyError(
            f"statistic {statistic.name!r} has the value {value}, beyond its bounds {lower} to {upper}"
        )


def _by_theorem(problem: Problem, every: bool) -> Found | None:
    """All matrices with the extreme, or one, where a theorem says which of this class; None where it does not."""
    theorem = problem.statistic.base.largest
    matrices = problem.matrices
    is_of_tables = matrices.unrestricted and not matrices.may_be_empty
    if theorem is None or problem.direction <= 0 or not is_of_tables:
        return None
    if not is_known(problem.statistic.base):
        return None
    size = [matrices.n, *matrices.shape]
    if problem.condition is not None:
        theorem = theorem.given_most_med
        most = problem.condition.most_misplaced(matrices)
        if theorem is None or most is None:
            return None
        size.append(most)
    tables = []
    try:
        if every and theorem.matrices:
            tables = [table for table in theorem.matrices(*size) if problem.admits(table)]
        elif not every and theorem.matrix:
            tables = [theorem.matrix(*size)]
    except (NotProvedError, TooLargeError):
        return None
    return Found(tables, {}, complete=every) if tables else None


# --- theorems -------------------------------------------------------------------------------------


@method("theorem", "a theorem says where it is")
def _theorem_of_all(problem: Problem) -> Run | str:
    """Before every other method: all matrices that attain it are listed."""
    findings = _by_theorem(problem, every=True)
    return Run(lambda: findings) if findings else "lists all only where hooks alone have it"


@method("theorem", "a theorem says where it is")
def _theorem_of_one(problem: Problem) -> Run | str:
    """After the methods that list all matrices."""
    findings = _by_theorem(problem, every=False)
    names = largest_of(lambda base: base.largest is not None)
    refusal = f"knows the {names} over Tables without empty lines, where it is proved, given at most a bound of the MED"
    return Run(lambda: findings) if findings else refusal


register(
    Problem,
    _theorem_of_all,
    exhaustive.by_sums,
    exhaustive.by_tables,
    pruning.bound_and_prune,
    exhaustive.streamed,
    _theorem_of_one,
    local.local,
)
