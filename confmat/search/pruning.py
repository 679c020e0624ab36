"""Bound and prune over margin classes: the largest RD or ARD of a class, certified.

At fixed margins A, B and the ARD's denominator are constants, so both distances are largest where the sum of
squares of the cells is least, a convex transportation problem.  A closed-form bound passes over most margin
classes, the rest are solved exactly, and in those that attain the best value all optimal tables are listed.
"""

from __future__ import annotations

import numpy as np

from confmat.classes import FixedMargins, FixedRows, MatrixClass, Tables
from confmat.classes.partitions import partitions
from confmat.engine.plan import number_of_margin_classes
from confmat.engine.transport import least_squares_tables, scan
from confmat.search.local import climb
from confmat.search.problem import Problem, sums_of

# (statistic, largest?) whose extreme is where the RD (False) or the ARD (True) is largest.
ADJUSTED = {
    ("rd", True): False,
    ("nrd", True): False,
    ("mirkin", True): False,
    ("ri", False): False,
    ("ard", True): True,
    ("ari", False): True,
}

LARGEST_N = 1500  # the scan multiplies numbers up to n^2 and n^4/4 in 64 bits
LARGEST_TOTAL = 10**9  # of fixed margins, where nothing is multiplied: squares fit 64 bits
MOST_MARGIN_CLASSES = 2 * 10**9  # minutes
_ROWS_AT_A_TIME = 64


def applies(problem: Problem) -> bool:
    """Whether this extreme is one that the method finds, at a size it can reach."""
    matrices = problem.matrices
    if not problem.named or problem.conditions or problem.goal not in ADJUSTED:
        return False
    if isinstance(matrices, FixedMargins):
        return matrices.n <= LARGEST_TOTAL
    return matrices.n <= LARGEST_N and number_of_margin_classes(matrices) <= MOST_MARGIN_CLASSES


def extreme_tables(problem: Problem, restarts: int, seed: int) -> tuple[list[np.ndarray], dict[str, int]]:
    """One or more tables of each orbit with the largest RD or ARD, and numbers of margin classes examined.

    A local search finds a first value; the better it is, the more classes are passed over.
    """
    matrices = problem.matrices
    if isinstance(matrices, FixedMargins):  # one class, where RD and ARD are largest together
        margins = (tuple(sorted(margin, reverse=True)) for margin in (matrices.rows, matrices.cols))
        return list(least_squares_tables(*margins)), {"margin_classes": 1, "solved": 1, "attaining": 1}
    known = climb(problem, restarts, seed)[0]
    adjusted = ADJUSTED[problem.goal]
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
    r, s = matrices.shape
    n = matrices.n
    minimum = 1 if isinstance(matrices, Tables) and not matrices.empty else 0
    cols = list(partitions(n, s, minimum=minimum))
    if isinstance(matrices, FixedRows):
        rows = [tuple(sorted(matrices.rows, reverse=True))]
    else:
        rows = cols if r == s else list(partitions(n, r, minimum=minimum))
    return np.array(rows, np.int64), np.array(cols, np.int64)


def _fraction(table: np.ndarray, adjusted: bool) -> tuple[int, int]:
    _, sums = sums_of(table)
    denominator = sums.A * (sums.pairs - sums.B) + sums.B * (sums.pairs - sums.A)
    return sums.disagreements, max(1, denominator) if adjusted else 1
