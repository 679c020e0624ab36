"""Largest and smallest values of a statistic over a class of matrices, with a certificate."""

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

SEARCH_METHODS = ("exhaustive", "bound-and-prune", "theorem", "local")


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
    """Return the checked arguments of `maximize` (``sign`` 1) or `minimize` (-1) as a `Problem`."""
    restarts = as_amount("restarts", restarts, 1)
    rng = as_count("rng", rng)
    limits = as_limits(limits)
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
    method = method if matrices else "exhaustive"  # without members every method has the same answer
    problem = Problem(matrices, record, condition, sign, restarts, rng, method, limits, table)
    check_square(matrices, problem.statistics)
    return problem


def _start(matrices: MatrixClass, start: Any, method: str | None) -> np.ndarray:
    """Return ``start``, the first matrix of a local search, as an array.

    Raise ValueError if it is not a member of ``matrices``, or if ``method`` is neither "local" nor None.
    """
    table = dense(as_matrix(start))
    if table not in matrices:
        raise ValueError(f"start must be a member of {matrices!r}, got {matrix_text(table)}")
    if method not in (None, "local"):
        raise ValueError(f'start requires method "local", got method {method!r}')
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
    """Return the largest value of a statistic over a class of matrices, and the matrices that attain it.

    On the command line this is ``confmat search``.

    Parameters
    ----------
    matrices : MatrixClass or str
        Class of matrices, such as ``Tables(20, 3, 3)``, or its text "3x3 n=20".
    statistic : str, Statistic or callable
        Short name in ``confmat.statistics.STATISTICS``, or a function of a matrix. A ``Statistic`` declares the
        symmetry of a function.
    given : str or condition, optional
        Condition on statistics, such as "med=4/20" or "med<=1/5, ard>1".
    method : str, optional
        Method, see Notes. Default: the first one that applies and does not exceed the limits. The function
        ``confmat.plan`` returns it.
    restarts : int
        Number of random matrices from which the method "local" ascends. Default: 20.
    rng : int
        Seed of the method "local". Default: 0.
    start : array_like, optional
        First matrix of the method "local".
    limits : Limits, optional
        Time, memory, threads, progress and checkpoint. Default: those of the enclosing ``with`` statement.

    Returns
    -------
    Result
        The value, one matrix of each orbit that attains it, and whether it is proved. The value is None if no
        matrix satisfies ``given``. Undefined values (0/0) are skipped. ``proved`` is False if the result depends on
        a declared symmetry or bound of a user-defined statistic, which ``assumptions`` lists.

    Raises
    ------
    TypeError, ValueError
        For an argument that is not valid, or a method that does not apply.
    TooLargeError
        If every method would exceed the limits, before any work.

    Notes
    -----
    - "exhaustive" enumerates all matrices.
    - "bound-and-prune" finds the largest RD or ARD (or a multiple), or the smallest RI or ARI.
      It requires n <= 1500 and no ``given``. The time grows with the number of pairs of margins up to order. For 4
      x 4 tables with n = 100 these are 2.6*10^7 and take seconds.
    - "theorem" returns the largest MED, RD or ARD, or the smallest complement, of ``Tables``, if it is proved.
      The MED may be bounded or fixed by ``given``, such as "med<=4/50".
      It returns one matrix, or all matrices if the theorem describes them all.
    - "local" ascends from random matrices. The value is a bound and not proved.
      The exception is a value that no matrix can exceed (distance 0, similarity 1).

    Examples
    --------
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
    """Return the smallest value of a statistic over a class of matrices, and the matrices that attain it.

    On the command line this is ``confmat search --minimize``.

    Parameters
    ----------
    matrices, statistic, given, method, restarts, rng, start, limits : as for `maximize`

    Returns
    -------
    Result

    Raises
    ------
    TypeError, ValueError, TooLargeError
        As from `maximize`.

    Examples
    --------
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
    """Return the result of ``problem`` by the method that the planner chooses."""
    plan = choose(problem)
    findings: Found = plan.run()
    assumptions = assumptions_of(problem.statistics) + findings.assumptions
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
        complete=findings.complete and not any(x.is_rounded for x in problem.statistics),
        method=plan.method,
        examined=findings.examined,
    )


def _check_bounds(statistic: Statistic, value: Number | None) -> None:
    """Raise ConsistencyError if a value lies outside the declared bounds of a statistic."""
    lower, upper = statistic.bounds
    if value is None or not statistic.exact:
        return
    if (lower is not None and value < lower) or (upper is not None and value > upper):
        raise ConsistencyError(
            f"statistic {statistic.name!r} has the value {value}, outside its bounds {lower} to {upper}"
        )


def _by_theorem(problem: Problem, every: bool) -> Found | None:
    """Return the matrices with the extreme value by a theorem, or None if no theorem covers the class of ``problem``.

    Return all of them if ``every`` is True, otherwise one.
    """
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


@method("theorem", "a theorem gives the matrices")
def _theorem_of_all(problem: Problem) -> Run | str:
    """Return a computation that gives all matrices with the extreme value by a theorem, without a search.

    If no theorem applies to the problem, return the reason as text. This method is preferred to all others.
    """
    findings = _by_theorem(problem, every=True)
    return (
        Run(lambda: findings) if findings else "gives all matrices only if it is proved that they are hooks"
    )


@method("theorem", "a theorem gives the matrices")
def _theorem_of_one(problem: Problem) -> Run | str:
    """Return a computation that gives one matrix with the extreme value by a theorem, without a search.

    If no theorem applies to the problem, return the reason as text. This method is chosen only if no method that
    lists all matrices is possible.
    """
    findings = _by_theorem(problem, every=False)
    names = largest_of(lambda base: base.largest is not None)
    refusal = (
        f"finds the {names} over Tables without empty rows and columns if it is proved, and accepts only a bound of "
        "the MED as given"
    )
    return Run(lambda: findings) if findings else refusal


register(
    Problem,
    _theorem_of_all,
    exhaustive.by_sums,
    exhaustive.by_tables,
    pruning.bound_and_prune,
    _theorem_of_one,
    local.local,
)
