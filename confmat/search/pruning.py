"""Method "bound-and-prune": the largest RD or ARD of a class by bounds over margin classes.

A margin class is the set of all tables with the same row sums and column sums. In a margin class A, B and the
denominator of the ARD are constant. Both distances are therefore largest if the sum of squares of the cells is
least, which is a convex transportation problem. A closed-form bound excludes most margin classes. The others are
solved exactly. In those that attain the largest value, all optimal tables are listed.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from math import comb

import numpy as np

from confmat._engine.margins import ard_denominator, pairs_of_sides, stand_for_both
from confmat._integers.compositions import Side
from confmat._limits import Run, look, method
from confmat.classes import MatrixClass
from confmat.classes.tables import as_fixed_margins
from confmat.search.local import SECONDS_PER_STEP, climb, expected_steps
from confmat.search.problem import Found, Problem, largest_of, sums_of
from confmat.search.transport import least_squares_tables, scan
from confmat.statistics.clusterings import ARD, RD

# Distances that are largest if the sum of squares is least. Multiples and complements of them are searched too.
DISTANCES = (RD, ARD)

LARGEST_N_SCANNED = 1500  # the scan multiplies numbers up to n^2 and n^4/4 in 64 bits
LARGEST_FIXED_TOTAL = 10**9  # of fixed margins, where nothing is multiplied: squares fit 64 bits
MOST_MARGIN_CLASSES_SEARCHED = 2 * 10**9  # minutes
MOST_PARTITIONS = 10**7  # listed in memory
_ROWS_AT_A_TIME = 64


def margin_classes_to_search(matrices: MatrixClass) -> int:
    """Return the number of pairs of sorted margins. If r = s, a pair and its transpose count once.

    >>> from confmat.classes import Tables
    >>> margin_classes_to_search(Tables(100, 4, 4))
    25586281
    """
    return pairs_of_sides(matrices.possible_sums, Side.count)


def applies(problem: Problem) -> bool:
    """Return whether the method of this module can solve ``problem``, and its class is not too large.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> [applies(Problem(Tables(100, 4, 4), as_statistic("rd"), None, sign)) for sign in (1, -1)]
    [True, False]
    """
    matrices = problem.matrices
    if problem.condition is not None or problem.statistic.base not in DISTANCES or problem.direction <= 0:
        return False
    if as_fixed_margins(matrices) is not None:
        return matrices.n <= LARGEST_FIXED_TOTAL
    if matrices.n > LARGEST_N_SCANNED:
        return False
    margins = max(side.count() for side in matrices.possible_sums)
    return margins <= MOST_PARTITIONS and margin_classes_to_search(matrices) <= MOST_MARGIN_CLASSES_SEARCHED


def extreme_tables(problem: Problem) -> Found:
    """Return one or more tables of each orbit with the largest RD or ARD, and the numbers of margin classes examined.

    A local search finds a first value. A better first value excludes more margin classes.

    >>> from confmat.classes import Tables
    >>> from confmat.statistics import as_statistic
    >>> found = extreme_tables(Problem(Tables(20, 3, 3), as_statistic("ard"), None, 1, restarts=5))
    >>> found.tables[0].tolist(), found.examined["margin_classes"]
    ([[10, 3, 2], [3, 0, 0], [2, 0, 0]], 561)
    """
    matrices = problem.matrices
    sides = problem.matrices.possible_sums
    if as_fixed_margins(matrices) is not None:  # one class, where RD and ARD are largest together
        margins = (next(side.sorted())[0] for side in sides)
        return _by_bounds(list(least_squares_tables(*margins)))
    if matrices.n < 2:  # no pairs: RD and ARD are 0 at every table, and these are one orbit
        return _by_bounds([np.array(next(iter(matrices)))])
    rows, cols = map(_sums_in_order, sides)
    seen = number_solved = 0
    attaining = np.zeros((0, 4), np.int64)
    for_ard = problem.statistic.base == ARD
    best = _numerator_and_divisor(climb(problem)[0], for_ard)
    for classes_seen, classes_solved in _scanned(rows, cols, stand_for_both(*sides), for_ard, best):
        seen += classes_seen
        number_solved += len(classes_solved)
        candidates = np.concatenate([attaining, classes_solved[:, :4]])
        attaining = candidates[candidates[:, 2] * best[1] == candidates[:, 3] * best[0]]
    tables: list[np.ndarray] = []
    for i, j, _, _ in attaining.tolist():
        tables += least_squares_tables(
            tuple(rows[i].tolist()),
            tuple(cols[j].tolist()),
        )
    return _by_bounds(tables, seen, number_solved, len(attaining))


def _by_bounds(tables: list[np.ndarray], seen: int = 1, solved: int = 1, attaining: int = 1) -> Found:
    """Return the result of a search, given the ``tables`` that attain the extreme.

    The other arguments are numbers of margin classes: those ``seen``, those ``solved`` exactly, and those
    ``attaining`` the extreme. By statement `least-squares` the solutions are exact.
    """
    examined = {"margin_classes": seen, "solved": solved, "attaining": attaining}
    return Found(tables, examined, complete=True)


def open_potentials(matrices: MatrixClass, for_ard: bool, table: np.ndarray) -> np.ndarray:
    """Return dual potentials, one row for each margin class that the closed-form bounds do not exclude.

    A row has the potentials u of the rows and v of the columns, as in `scan`. ``table`` has the largest ARD (if
    ``for_ard``) or RD of the class. Sums of a margin decrease. The margin classes are in the order of the row sums,
    and then of the column sums. If the class contains the transposes of its tables, only one of the margins (a, b)
    and (b, a) is used.

    >>> from confmat.classes import Tables
    >>> open_potentials(Tables(20, 3, 3), True, np.array([[10, 3, 2], [3, 0, 0], [2, 0, 0]])).shape
    (1, 6)
    """
    sides = matrices.possible_sums
    rows, cols = map(_sums_in_order, sides)
    best = _numerator_and_divisor(table, for_ard)
    potentials = []
    for _, solved in _scanned(rows, cols, stand_for_both(*sides), for_ard, best):
        potentials.append(solved[:, 4:])
    return np.concatenate(potentials)


def _scanned(
    rows: np.ndarray, cols: np.ndarray, pairs_once: bool, for_ard: bool, best: np.ndarray
) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the results of `scan` for consecutive chunks of row sums, between which the search can be interrupted.

    The arguments are those of `scan`. ``best`` is updated when a larger value is found.
    """
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        look("the search")
        end = min(start + _ROWS_AT_A_TIME, len(rows))
        found = scan(rows, cols, start, end, pairs_once, for_ard, best)
        yield found


def _sums_in_order(side: Side) -> np.ndarray:
    """Return all possible decreasing sums of a margin as rows of an array (K x number of sums).

    ``side`` describes the rows, or the columns, of the class.
    """
    entries = chain.from_iterable(sums for sums, _ in side.sorted())
    return np.fromiter(entries, np.int64, side.count() * side.lines).reshape(-1, side.lines)


def _numerator_and_divisor(table: np.ndarray, for_ard: bool) -> np.ndarray:
    """Return F = A + B - 2P of a table and the number by which it is divided, as an array of two integers.

    The divisor is the denominator of the ARD if ``for_ard`` is True, and 1 for the RD.
    """
    _, a, b, p = sums_of(table)
    best = np.array([a + b - 2 * p, 1])
    if for_ard:
        pairs = comb(int(table.sum()), 2)
        best[1] = max(1, ard_denominator(a, b, pairs))
    return best


# Steps that a margin class takes.
_STEPS_PER_MARGIN_CLASS = 4


@method(
    "bound-and-prune",
    "a bound excludes most pairs of margins, and the others are solved exactly",
    SECONDS_PER_STEP,
)
def bound_and_prune(problem: Problem) -> Run | str:
    """Return the computation by the method of this module. Return the reason as text if the method does not apply."""
    if not applies(problem):
        return (
            f"finds the {largest_of(lambda base: base in DISTANCES)}, without given, for "
            f"n <= {LARGEST_N_SCANNED} and at most {MOST_MARGIN_CLASSES_SEARCHED:.0e} pairs of margins"
        )
    margins = margin_classes_to_search(problem.matrices)
    steps = expected_steps(problem) + _STEPS_PER_MARGIN_CLASS * margins
    return Run(partial(extreme_tables, problem), steps)
