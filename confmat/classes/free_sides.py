"""Matrices with sums from two sides, read in row-major order: which rows may follow, and how many ways there are.

A side is fixed or free; a free one may ask for a point in every line.  With a free side the number of completions has a
closed form: inclusion and exclusion over the lines that stay empty.  Points are then shared among the free cells of
their row, where rows are fixed, of their column, where columns are, else of all lines: each time by stars and bars.

>>> from confmat.classes.compositions import Side
>>> free, fixed = Side(3, 2, minimum=1), Side(3, 2, sums=(2, 1))
>>> list(rows_after([], free, fixed)), [completions([], free, fixed)(x) for x in (0, 1, 2)]
([(0, 1), (1, 0), (1, 1), (2, 0)], [4, 3, 1])
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from math import comb, prod
from operator import add, sub
from typing import NamedTuple

from confmat.classes.compositions import Composition, Side, bounded_compositions, compositions_count

Tail = Callable[[int], int]


def rows_after(rows_above: list[Composition], rows: Side, cols: Side) -> Iterator[Composition]:
    """Rows that may follow ``rows_above`` in a matrix with sums from these sides, in lexicographic order.

    >>> list(rows_after([(2, 0)], Side(3, 2), Side(3, 2, minimum=1)))
    [(0, 1)]
    """
    column_sums = [sum(column) for column in zip(*rows_above)] if rows_above else [0] * cols.lines
    points_left = rows.n - sum(column_sums)
    rows_below = rows.lines - len(rows_above) - 1
    total = points_left if rows.sums is None else rows.sums[len(rows_above)]
    caps = [total] * cols.lines if cols.sums is None else [*map(sub, cols.sums, column_sums)]
    if rows.sums is None and rows_below:
        caps.append(total)  # a spare cell holds what is left for the rows below
    is_missing = [cols.asks_for_points and not x for x in column_sums]
    # The last row fills every column that is still empty.
    least_cells = [int(missing and not rows_below) for missing in is_missing]
    all_may_follow = not rows.asks_for_points and not any(is_missing)
    for cells in bounded_compositions(total - sum(least_cells), tuple(caps)):
        row = tuple(map(add, cells, least_cells))
        if all_may_follow:
            yield row
            continue
        still_missing = sum(missing and not x for missing, x in zip(is_missing, row))
        # Points below can fill a row and a missing column each: enough for both suffices.
        rows_to_fill = rows_below if rows.asks_for_points else 0
        enough_below = points_left - sum(row) >= max(rows_to_fill, still_missing)
        if enough_below and (any(row) or not rows.asks_for_points):
            yield row


class FreeCells(NamedTuple):
    """So many cells in each of some rows below, and so many in the current row."""

    rows_below: int
    cells_below: int
    cells_here: int


def completions(prefix: list[int], rows: Side, cols: Side) -> Tail:
    """x -> number of matrices that start with the cells ``prefix`` and have x or more in the next; a side is free.

    Some matrix starts with ``prefix``.

    >>> [completions([1], Side(3, 2, minimum=1), Side(3, 2, minimum=1))(x) for x in range(3)]
    [4, 2, 0]
    """
    s = cols.lines
    i, j = divmod(len(prefix), s)
    rows_below = rows.lines - i - 1
    row = prefix[i * s :]
    column_sums = [sum(prefix[k::s]) for k in range(s)]
    row_is_missing = rows.asks_for_points and not any(row)
    is_missing = [cols.asks_for_points and not x for x in column_sums]
    sides_are_free = rows.sums is None and cols.sums is None

    def ways(x: int, free_cells: FreeCells) -> int:
        """Ways to share what is left, x taken off the next cell, among the free cells."""
        if rows.sums is not None:
            ways_below = (compositions_count(a, free_cells.cells_below) for a in rows.sums[i + 1 :])
            return prod(ways_below) * compositions_count(rows.sums[i] - sum(row) - x, free_cells.cells_here)
        if cols.sums is None:
            return compositions_count(rows.n - sum(prefix) - x, free_cells.cells_here)
        number = 1
        for k, points in enumerate(map(sub, cols.sums, column_sums)):
            cells = free_cells.rows_below + (k >= j and free_cells.cells_here > 0)
            number *= compositions_count(points - x if k == j else points, cells)
        return number

    def at_least(x: int) -> int:
        # A positive x fills its row and its column.
        missing_from_here = sum(is_missing[j:]) - (x > 0 and is_missing[j])
        terms = _lines_left_empty(
            rows_below,
            rows_below if rows.asks_for_points else 0,
            s,
            s - j,
            row_is_missing and x <= 0,
            sum(is_missing[:j]),
            missing_from_here,
            sides_are_free,
        )
        total = 0
        for free_cells, sign in terms:
            total += sign * ways(x, free_cells)
        return total

    return at_least


@lru_cache(maxsize=1 << 16)
def _lines_left_empty(
    rows_below: int,
    rows_to_fill: int,
    s: int,
    right: int,
    row_to_fill: bool,
    missing_left: int,
    missing_right: int,
    points_go_anywhere: bool,
) -> tuple[tuple[FreeCells, int], ...]:
    """Inclusion-exclusion over lines left empty: free cells, and signed numbers of choices.

    With no cell filled it is the number of all tables (statement `count-tables`).
    Free are the last ``right`` cells of the current row and ``rows_below`` full rows.  To be filled are
    ``rows_to_fill`` of the rows below, the current row if ``row_to_fill``, and columns that are still empty, some left
    of the current cell.
    ``points_go_anywhere``: where points may lie in any free cell, only their number counts.
    """
    terms: Counter[FreeCells] = Counter()
    numbers = rows_to_fill, missing_left, missing_right, int(row_to_fill)
    for lost in product(*(range(number + 1) for number in numbers)):
        rows_lost, lost_left, lost_right, row_is_lost = lost
        cells_here = 0 if row_is_lost else right - lost_right
        free_cells = FreeCells(rows_below - rows_lost, s - lost_left - lost_right, cells_here)
        if points_go_anywhere:
            cells = free_cells.rows_below * free_cells.cells_below + cells_here
            free_cells = FreeCells(0, 0, cells)
        choices = prod(map(comb, numbers, lost))
        if sum(lost) % 2:
            choices = -choices
        terms[free_cells] += choices
    return tuple((free_cells, sign) for free_cells, sign in terms.items() if sign)
