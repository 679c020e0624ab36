"""Bound and prune over margin classes: the largest RD or ARD of a class, certified.

At fixed margins A, B and the ARD's denominator are constants, so both distances are largest where the sum of
squares of the cells is least, a convex transportation problem.  A closed-form bound passes over most margin
classes, the rest are solved exactly, and in those that attain the best value all optimal tables are listed.
"""

from __future__ import annotations

from itertools import chain
from math import comb

import numpy as np

from confmat.classes import FixedMargins, FixedRows, MatrixClass, Tables
from confmat.classes.partitions import partitions, partitions_count
from confmat.engine.reduce import ard_denominator
from confmat.engine.transport import least_squares_tables, scan
from confmat.search.local import climb
from confmat.search.problem import Problem, sums_of
from confmat.statistics.table import ARD, RD

# The distances that are largest where the sum of squares is least: of what is a multiple or the complement of one.
DISTANCES = (RD, ARD)

LARGEST_N = 1500  # the scan multiplies numbers up to n^2 and n^4/4 in 64 bits
LARGEST_TOTAL = 10**9  # of fixed margins, where nothing is multiplied: squares fit 64 bits
MOST_MARGIN_CLASSES = 2 * 10**9  # minutes
MOST_PARTITIONS = 10**7  # listed in memory
_ROWS_AT_A_TIME = 64


def number_of_margin_classes(matrices: MatrixClass) -> int:
    """How many pairs of sorted margins there are; for r = s one of each pair and its transpose.

    >>> number_of_margin_classes(Tables(100, 4, 4))
    25586281
    """
    r, s = matrices.shape
    if isinstance(matrices, FixedMargins):
        return 1
    rows, cols = (partitions_count(matrices.n, parts, minimum=_smallest_part(matrices)) for parts in (r, s))
    if isinstance(matrices, FixedRows):
        return cols
    return rows * (rows + 1) // 2 if r == s else rows * cols


def applies(problem: Problem) -> bool:
    """Whether this extreme is one that the method finds, at a size it can reach.

    >>> from confmat.statistics import as_statistic
    >>> [applies(Problem(Tables(100, 4, 4), as_statistic("rd"), (), sign)) for sign in (1, -1)]
    [True, False]
    """
    matrices = problem.matrices
    if problem.conditions or problem.statistic.base not in DISTANCES or problem.direction < 0:
        return False
    if isinstance(matrices, FixedMargins):
        return matrices.n <= LARGEST_TOTAL
    if matrices.n > LARGEST_N:
        return False
    margins = partitions_count(matrices.n, max(matrices.shape), minimum=_smallest_part(matrices))
    return margins <= MOST_PARTITIONS and number_of_margin_classes(matrices) <= MOST_MARGIN_CLASSES


def extreme_tables(problem: Problem, restarts: int, seed: int) -> tuple[list[np.ndarray], dict[str, int]]:
    """One or more tables of each orbit with the largest RD or ARD, and numbers of margin classes examined.

    A local search finds a first value; the better it is, the more classes are passed over.

    >>> from confmat.statistics import as_statistic
    >>> tables, examined = extreme_tables(Problem(Tables(20, 3, 3), as_statistic("ard"), (), 1), 5, seed=0)
    >>> tables[0].tolist(), examined["margin_classes"]
    ([[10, 3, 2], [3, 0, 0], [2, 0, 0]], 561)
    """
    matrices = problem.matrices
    if isinstance(matrices, FixedMargins):  # one class, where RD and ARD are largest together
        margins = (tuple(sorted(margin, reverse=True)) for margin in (matrices.rows, matrices.cols))
        return list(least_squares_tables(*margins)), {"margin_classes": 1, "solved": 1, "attaining": 1}
    known = climb(problem, restarts, seed)[0]
    adjusted = problem.statistic.base == ARD
    rows, cols = _margins(matrices)
    half = isinstance(matrices, Tables) and matrices.r == matrices.s
    best = np.array(_fraction(known, adjusted), np.int64)
    counts = np.zeros(3, np.int64)
    attained: list[tuple[tuple[int, int], np.ndarray]] = []
    for first in range(0, len(rows), _ROWS_AT_A_TIME):  # so that Ctrl-C is heard
        last = min(first + _ROWS_AT_A_TIME, len(rows))
        found, seen = scan(rows, cols, first, last, half, adjusted, best)
        counts += seen
        attained += [((int(best[0]), int(best[1])), positions) for positions in found]
    if counts[0] != number_of_margin_classes(matrices):
        raise AssertionError(f"{counts[0]} margin classes of {matrices!r} were scanned, not all")
    f, d = best.tolist()
    tied = [positions for (x, y), positions in attained if x * d == f * y]
    tables = [
        table
        for i, j in tied
        for table in least_squares_tables(tuple(rows[i].tolist()), tuple(cols[j].tolist()))
    ]
    examined = {"margin_classes": counts[0], "solved": counts[2], "attaining": len(tied)}
    return tables, {key: int(value) for key, value in examined.items()}


def _margins(matrices: MatrixClass) -> tuple[np.ndarray, np.ndarray]:
    """The sorted row margins and column margins of a class that is the product of both."""
    if isinstance(matrices, FixedRows):
        return np.array([sorted(matrices.rows, reverse=True)], np.int64), _partitions(
            matrices.n, matrices.s, 0
        )
    r, s = matrices.shape
    cols = _partitions(matrices.n, s, _smallest_part(matrices))
    return cols if r == s else _partitions(matrices.n, r, _smallest_part(matrices)), cols


def _partitions(n: int, parts: int, minimum: int) -> np.ndarray:
    """The partitions of n into so many parts, one a row."""
    count = partitions_count(n, parts, minimum=minimum)
    entries = chain.from_iterable(partitions(n, parts, minimum=minimum))
    return np.fromiter(entries, np.int64, count * parts).reshape(count, parts)


def _smallest_part(matrices: MatrixClass) -> int:
    return 1 if isinstance(matrices, Tables) and not matrices.empty else 0


def _fraction(table: np.ndarray, adjusted: bool) -> tuple[int, int]:
    _, a, b, p = sums_of(table)
    pairs = comb(int(table.sum()), 2)
    return a + b - 2 * p, max(1, ard_denominator(a, b, pairs)) if adjusted else 1
