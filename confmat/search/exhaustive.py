"""Every matrix of a class, one margin class after another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import inf

import numpy as np

from confmat.classes import FixedMargins, Tables
from confmat.describe import Witness
from confmat.engine.halves import number_of_states, split_rows
from confmat.engine.jobs import expected_tables, is_transposed, row_jobs
from confmat.engine.reference import tables_of_margins
from confmat.engine.run import Resources
from confmat.engine.summary import LEAST_ARD, LEAST_RD, MOST_ARD, MOST_RD, collect, summarize
from confmat.indices.pairs import PairSums, pairs_within
from confmat.search.problem import Problem, exact_ratio, rough_ratios, sums_of
from confmat.search.pruning import number_of_margin_classes
from confmat.statistics import Number, visited_margins

# The streamed extreme of (statistic, largest?): smallest similarity is largest distance.
STREAMED = {
    ("rd", False): LEAST_RD,
    ("nrd", False): LEAST_RD,
    ("mirkin", False): LEAST_RD,
    ("ri", True): LEAST_RD,
    ("rd", True): MOST_RD,
    ("nrd", True): MOST_RD,
    ("mirkin", True): MOST_RD,
    ("ri", False): MOST_RD,
    ("ard", False): LEAST_ARD,
    ("ari", True): LEAST_ARD,
    ("ard", True): MOST_ARD,
    ("ari", False): MOST_ARD,
}


# Classes with more margin classes are not even listed to estimate the work.
_MOST_MARGIN_CLASSES = 10**6


def tables_to_visit(problem: Problem) -> float:
    """About how many tables are visited (with the kernels' preparations, counted as tables); inf for too many."""
    matrices = problem.matrices
    ordered = problem.statistic.symmetry in ("simultaneous", "none") and not isinstance(
        matrices, FixedMargins
    )
    if ordered and not problem.named:
        return matrices.count()
    if number_of_margin_classes(matrices) > _MOST_MARGIN_CLASSES:
        return inf
    jobs = row_jobs(matrices)
    tables = sum(float(expected_tables(job).sum()) for job in jobs)
    if problem.named:
        s = max(matrices.shape)
        tables += sum(number_of_states(half, s) for job in jobs for half in split_rows(job.rows, s))
    return tables


def extreme_tables(problem: Problem, resources: Resources) -> tuple[list[np.ndarray], dict[str, int]]:
    """All tables with the extreme value, one or more of each orbit.

    Also returns what was examined.  A named statistic is found from the distinct (m, A, B, P) of the class, counted
    by the fast kernels, and only margin classes that attain it are walked; a function is called on every table.
    """
    if not problem.named:
        return _by_table(problem)
    cells = _oriented_cells(problem, resources)
    tables = list(_tables_with(problem, _extreme_cells(problem, cells)))
    return tables, {"matrices": problem.matrices.count(), "distinct_sums": len(cells)}


def one_extreme_table(problem: Problem, resources: Resources) -> tuple[list[np.ndarray], dict[str, int]]:
    """A table with an extreme in ``STREAMED`` at one MED, from sums of the class that are streamed: little memory."""
    matrices = problem.matrices
    summary = summarize(matrices, "tables", resources)
    assert summary is not None
    assert problem.given_med is not None
    examined = {"matrices": matrices.count()}
    m = matrices.n * problem.given_med
    if m.denominator > 1 or not 0 <= m < len(summary.totals) or not summary.totals[int(m)]:
        return [], examined
    f, _, *margins = summary.extremes[STREAMED[problem.goal], int(m)].tolist()
    r = min(matrices.shape)
    rows, cols = tuple(margins[:r]), tuple(margins[r:])
    pairs = (pairs_within(rows) + pairs_within(cols) - f) // 2
    return [Witness(matrices, rows, cols, matrices.n - int(m), pairs).matrix()], examined


def _oriented_cells(problem: Problem, resources: Resources) -> np.ndarray:
    """Distinct (m, A, B, P), A of the rows.  The kernels enumerate r <= s, and for r = s rows >= columns only."""
    matrices = problem.matrices
    cells, _ = collect(matrices, "tables", resources)
    swapped = cells[:, [0, 2, 1, 3]]
    if is_transposed(matrices):
        return swapped
    square = isinstance(matrices, Tables) and matrices.r == matrices.s
    if square and problem.statistic.symmetry == "permutations":
        return np.unique(np.concatenate([cells, swapped]), axis=0)
    return cells


def _extreme_cells(problem: Problem, cells: np.ndarray) -> list[tuple[int, int, int, int]]:
    n, sign, name = problem.matrices.n, problem.sign, problem.statistic.name
    for condition, value in problem.conditions:
        if condition == "med":  # the common one, without a Fraction for every cell
            cells = cells[cells[:, 0] * value.denominator == n * value.numerator]
    if problem.conditions and problem.given_med is None:
        admitted = [problem.admits(m, PairSums(n, *rest)) for m, *rest in cells.tolist()]
        cells = cells[np.array(admitted, bool)]
    rough = sign * rough_ratios(name, n, cells)
    if np.isnan(rough).all():
        return []
    # Doubles only discard what is far from the extreme; what remains is compared exactly.
    near = [tuple(cell) for cell in cells[rough >= np.nanmax(rough) - 1e-9].tolist()]
    ratios = {cell: sign * exact_ratio(name, n, *cell) for cell in near}
    return [cell for cell in near if ratios[cell] == max(ratios.values())]


def _tables_with(problem: Problem, wanted: list[tuple[int, int, int, int]]) -> Iterator[np.ndarray]:
    """The tables of the visited margin classes whose (m, A, B, P) is one of ``wanted``."""
    by_margins = defaultdict(set)
    for m, a, b, p in wanted:
        by_margins[a, b].add((m, p))
    for rows, cols, _ in visited_margins(problem.matrices, problem.statistic.symmetry):
        inside = by_margins.get((pairs_within(rows), pairs_within(cols)))
        if inside is None:
            continue
        pairs = list({p for _, p in inside})
        for batch in tables_of_margins(rows, cols):
            hits = np.isin((batch * (batch - 1) // 2).sum(axis=(1, 2)), pairs)
            for table in batch[hits]:
                m, sums = sums_of(table)
                if (m, sums.P) in inside:
                    yield table


def _by_table(problem: Problem) -> tuple[list[np.ndarray], dict[str, int]]:
    best: Number | None = None
    tables: list[np.ndarray] = []
    visited = 0
    for rows, cols, _ in visited_margins(problem.matrices, problem.statistic.symmetry):
        for batch in tables_of_margins(rows, cols):
            visited += len(batch)
            for table in batch:
                if problem.conditions and not problem.admits(*sums_of(table)):
                    continue
                value = problem.sign * problem.value(table)
                if value != value:
                    continue
                if best is None or value > best:
                    best, tables = value, []
                if value == best:
                    tables.append(table)
    return tables, {"matrices": problem.matrices.count(), "tables_visited": visited}
