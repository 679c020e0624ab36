"""Worst cases: the largest and smallest values of a statistic over a class of matrices, with a certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isclose
from typing import Any

import numpy as np

from confmat.classes import MatrixClass
from confmat.engine.sizes import support_bound
from confmat.errors import ConsistencyError, NotProved, TooLarge
from confmat.laws.marginal import Marginal
from confmat.laws.over_class import joint
from confmat.matrices.arguments import as_count
from confmat.plans.resources import Resources
from confmat.search import exhaustive, local, pruning
from confmat.search.problem import Problem
from confmat.search.result import Result, representatives
from confmat.statistics.conditions import AnyCondition, as_condition
from confmat.statistics.record import Number, Statistic
from confmat.statistics.table import STATISTICS, as_statistic, check_square

__all__ = ["METHODS", "Envelope", "Result", "envelopes", "maximize", "minimize"]

METHODS = ("exhaustive", "bound-and-prune", "streamed", "theorem", "local")

# Chosen without asking: so many tables are visited at most, by a Python function, by the kernels with their distinct
# sums listed, by the kernels with their sums added up (minutes each).
_SMALL = 10**5
_MOST_CALLS = 10**7
_MOST_TABLES = 10**10
_MOST_POINTS = 10**8  # distinct sums, in memory a part at a time
_MOST_STREAMED = 10**12


def maximize(
    matrices: MatrixClass,
    statistic: str | Statistic | Callable[[np.ndarray], Any],
    given: AnyCondition | None = None,
    method: str | None = None,
    *,
    restarts: int = 20,
    seed: int = 0,
    resources: Resources | None = None,
) -> Result:
    """Largest value of a statistic over a class of matrices, and all matrices up to symmetry that attain it.

    ``statistic``: a short name of the table ``confmat.statistics.STATISTICS``, or a function of a matrix (see
    ``Statistic``).  ``given``: a condition, such as "med=4/20" or "med<=1/5, ard>1" (see ``as_condition``).
    ``method``, chosen by size unless said:

    - "exhaustive": all matrices, for statistics with a formula up to about 10^10 tables after symmetry (minutes), for
      functions 10^7 calls.
    - "bound-and-prune": largest "rd" or "ard", or a multiple, or the smallest complement ("ri", "ari"), n <= 1500, no
      ``given``.  Time grows with the number of margin classes (2.6e7 at (100,4,4): seconds), not of matrices.
    - "streamed": these statistics, both extremes, given "med" alone, up to about 10^12 tables after symmetry
      ((50,4,4): minutes); one matrix, others not listed.
    - "theorem": largest "med" or "rd", or a multiple, or the smallest complement, of ``Tables``; one matrix, others not
      listed.
    - "local": ascent from ``restarts`` random matrices, drawn with ``seed``: a bound.  ``proved`` is False, unless
      it is a value that no matrix can pass (distance 0, similarity 1).

    ``resources``: threads, progress and checkpoints of the enumerations ("exhaustive" and "streamed").

    A class without member (or none that meets ``given``) has value None.  Undefined values (0/0) are passed over.
    Raises ValueError or TypeError naming the argument, also for a method that does not apply.

    >>> from confmat.classes import Tables
    >>> result = maximize(Tables(20, 3, 3), "ard")
    >>> result.value, result.maximizers[0].tolist(), result.proved
    (Fraction(10640, 8829), [[10, 3, 2], [3, 0, 0], [2, 0, 0]], True)
    """
    return _search(matrices, statistic, given, method, 1, restarts, seed, resources)


def minimize(
    matrices: MatrixClass,
    statistic: str | Statistic | Callable[[np.ndarray], Any],
    given: AnyCondition | None = None,
    method: str | None = None,
    *,
    restarts: int = 20,
    seed: int = 0,
    resources: Resources | None = None,
) -> Result:
    """Smallest value of a statistic over a class of matrices, and where it is; arguments as in ``maximize``.

    >>> from confmat.classes import Tables
    >>> result = minimize(Tables(6, 2, 3), "rd")
    >>> result.value, [table.tolist() for table in result.minimizers]
    (Fraction(1, 15), [[[4, 0, 0], [0, 1, 1]]])
    """
    return _search(matrices, statistic, given, method, -1, restarts, seed, resources)


def _search(
    matrices: MatrixClass,
    statistic: str | Statistic | Callable[[np.ndarray], Any],
    given: AnyCondition | None,
    method: str | None,
    sign: int,
    restarts: int,
    seed: int,
    resources: Resources | None,
) -> Result:
    if not isinstance(matrices, MatrixClass):
        raise TypeError(f"matrices must be a class of matrices such as Tables(20, 3, 3), got {matrices!r}")
    if method is not None and method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    restarts, seed = as_count("restarts", restarts, 1), as_count("seed", seed)
    wanted = as_statistic(statistic)
    condition = None if given is None else as_condition(given, "given", known=[wanted])
    problem = Problem(matrices, wanted, condition, sign)
    check_square(matrices, problem.members)
    if not matrices:
        method = "exhaustive"
    elif method is None:
        method = _method(problem)
    elif (refusal := _refusal(method, problem)) is not None:
        raise ValueError(f'method "{method}" {refusal}; it cannot {problem}')
    elif method in ("exhaustive", "streamed") and not _has_room(method, problem, 0):
        raise ValueError(f'method "{method}" has no memory for {matrices!r}; leave method out to choose one')
    if method in ("exhaustive", "streamed"):
        enumerate_ = exhaustive.extreme_tables if method == "exhaustive" else exhaustive.one_extreme_table
        tables, examined = enumerate_(problem, resources or Resources())
    elif method == "bound-and-prune":
        tables, examined = pruning.extreme_tables(problem, restarts, seed)
    elif method == "theorem":
        tables, examined = _by_theorem(problem), {}
    else:
        tables, examined = local.extreme_tables(problem, restarts, seed), {"restarts": restarts}
    value = problem.value(tables[0]) if tables else None
    _check_bounds(problem.statistic, value)
    at_the_end = bool(tables) and _is_at_the_end(problem, tables[0])
    witnesses = representatives(matrices, problem.symmetry, tables)
    _check_witnesses(problem, method, value, witnesses)
    return Result(
        matrices,
        problem.statistic.name,
        sign > 0,
        condition,
        value,
        witnesses,
        proved=method != "local" or at_the_end,
        basis=_basis(method, problem, at_the_end),
        complete=method in ("exhaustive", "bound-and-prune"),
        method=method,
        examined=examined,
    )


def _method(problem: Problem) -> str:
    tables = exhaustive.tables_to_visit(problem)
    in_order_of_preference = (
        ("exhaustive", _SMALL),
        ("bound-and-prune", inf),
        ("exhaustive", _MOST_TABLES if problem.counted else _MOST_CALLS),
        ("streamed", _MOST_STREAMED),
        ("theorem", inf),
        ("local", inf),
    )
    for method, most in in_order_of_preference:
        if tables <= most and _refusal(method, problem) is None and _has_room(method, problem, tables):
            return method
    raise ValueError(f"matrices must be fewer: cannot {problem}; local search {_refusal('local', problem)}")


def _has_room(method: str, problem: Problem, tables: float) -> bool:
    if method not in ("exhaustive", "streamed") or not problem.counted:
        return True
    if method == "exhaustive" and tables > _MOST_POINTS and support_bound(problem.matrices) > _MOST_POINTS:
        return False
    return exhaustive.has_room(problem, streamed=method == "streamed")


def _refusal(method: str, problem: Problem) -> str | None:
    """Why a method does not apply, None if it does."""
    med = problem.counted and problem.given_med is not None
    if method == "bound-and-prune" and not pruning.applies(problem):
        return (
            f"finds the {_largest_of(lambda base: base in pruning.DISTANCES)}, without given, for "
            f"n <= {pruning.LARGEST_N} and at most {pruning.MOST_MARGIN_CLASSES} margin classes"
        )
    streamed = problem.statistic.base, problem.direction
    if method == "streamed" and not (med and streamed in exhaustive.STREAMED):
        return f"finds both extremes of {_names(lambda x: (x.base, 1) in exhaustive.STREAMED)} given med"
    if method == "theorem" and not _by_theorem(problem):
        known = _largest_of(lambda base: base.largest is not None)
        return f"knows the {known} over Tables without empty lines, without given, where it is proved"
    if method == "local" and (
        problem.matrices.n >= local.LARGEST_N or (problem.condition is not None and not med)
    ):
        return f"takes n < {local.LARGEST_N} and no given but med=value, and that for statistics with a formula only"
    if method == "local" and problem.matrices.sides is None:
        return (
            "moves points within classes whose margins are fixed or free, and knows no moves within this one"
        )
    return None


def _largest_of(chosen: Callable[[Statistic], bool]) -> str:
    """Names of the statistics that are largest, or smallest, where a chosen base is largest."""
    largest = _names(lambda x: chosen(x.base) and x.direction > 0)
    return f"largest {largest} or the smallest {_names(lambda x: chosen(x.base) and x.direction < 0)}"


def _names(chosen: Callable[[Statistic], bool]) -> str:
    return ", ".join(name for name, statistic in STATISTICS.items() if chosen(statistic))


def _is_at_the_end(problem: Problem, table: np.ndarray) -> bool:
    """Whether no matrix can pass the value of this one; doubles are not compared."""
    statistic, end = problem.statistic, problem.statistic.bounds[problem.sign > 0]
    if statistic.root:
        return end is not None and statistic.square(table) == end**2
    return statistic.exact and problem.value(table) == end


def _check_bounds(statistic: Statistic, value: Number | None) -> None:
    """What is declared of one's own statistic is not believed against a value that was found."""
    low, high = statistic.bounds
    if value is None or not statistic.exact:
        return
    if (low is not None and value < low) or (high is not None and value > high):
        raise ConsistencyError(
            f"statistic {statistic.name!r} has the value {value}, beyond its bounds {low} to {high}"
        )


def _by_theorem(problem: Problem) -> list[np.ndarray]:
    """A matrix with the extreme, where a theorem covers this class; else none."""
    theorem, matrices = problem.statistic.base.largest, problem.matrices
    tables = matrices.unrestricted and not matrices.may_be_empty
    if theorem is None or problem.direction < 0 or problem.condition is not None or not tables:
        return []
    try:
        return [theorem.matrix(matrices.n, *matrices.shape)]
    except (NotProved, TooLarge):
        return []


def _basis(method: str, problem: Problem, at_the_end: bool) -> str:
    """What the answer rests on, in words."""
    theorem = problem.statistic.base.largest
    if method == "theorem" and theorem is not None:
        return f"theorem {theorem.name}"
    if method == "local":
        return "no matrix can pass this value" if at_the_end else "the best matrix found; a bound"
    if method == "bound-and-prune":
        return "a bound for every margin class, exact solutions where it leaves one open (certified_search)"
    return "all matrices compared"


def _check_witnesses(
    problem: Problem, method: str, value: Number | None, witnesses: tuple[np.ndarray, ...]
) -> None:
    """No method is believed: what it found must be members that meet the condition and have the value.

    Doubles may differ in their last digits where the lines of a table are in another order.
    """
    for table in witnesses:
        if table not in problem.matrices:
            fault = "which is no member"
        elif problem.condition is not None and problem.condition.exact and not problem.admits(table):
            fault = f"which does not meet {problem.condition}"
        elif (found := problem.value(table)) != value and not _nearly(found, value):
            fault = f"where {problem.statistic.name} is {found}, not {value}"
        else:
            continue
        raise ConsistencyError(f'method "{method}" found {table.tolist()} over {problem.matrices!r}, {fault}')


def _nearly(found: Number, value: Number | None) -> bool:
    return (
        isinstance(found, float) and value is not None and isclose(found, value, rel_tol=1e-9, abs_tol=1e-9)
    )


# --- envelopes ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Envelope:
    """The laws of RD and ARD among the matrices of a class with one value of the MED: their ``min``, ``max``, where."""

    med: Fraction
    rd: Marginal
    ard: Marginal


def envelopes(matrices: MatrixClass) -> tuple[Envelope, ...]:
    """Smallest and largest RD and ARD at every MED that occurs in the class, in increasing order of the MED.

    Exact, by enumeration: (20,3,3) takes a second, (50,4,4) minutes.  Empty for a class without member.

    >>> from confmat.classes import Tables
    >>> last = envelopes(Tables(6, 2, 3))[-1]
    >>> last.med, last.ard.max, last.ard.argmax().tolist()
    (Fraction(2, 3), Fraction(15, 11), [[1, 1, 1], [1, 1, 1]])
    """
    return tuple(
        Envelope(Fraction(med), law["rd"], law["ard"])
        for med, _, law in joint(matrices, "med", "rd", "ard").given_each("med")
    )
