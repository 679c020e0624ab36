"""Matrices with sums from two sides, read in row-major order: which rows may follow, and how many ways there are.

A side is fixed or free; a free one may ask for a point in every line.  With a free side the number of completions has a
closed form: inclusion and exclusion over the lines that stay empty.  Points are then shared among the free cells of
their row, where rows are fixed, of their column, where columns are, else of all lines: each time by stars and bars.

>>> from confmat.integers.compositions import Side
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

from confmat.integers.compositions import Composition, Side, bounded_compositions, compositions_count

Tail = Callable[[int], int]


def rows_after(rows_above: list[Composition], rows: Side, cols: Side) -> Iterator[Composition]:
    """Rows that may follow ``rows_above`` in a matrix with sums from these sides, in lexicographic order.

    >>> list(rows_after([(2, 0)], Side(3, 2), Side(3, 2, minimum=1)))
    [(0, 1)]
    """
    if rows_above:
        column_sums = [sum(column) for column in zip(*rows_above)]
    else:
        column_sums = [0] * cols.lines
    points_left = rows.n - sum(column_sums)
    rows_below = rows.lines - len(rows_above) - 1
    is_missing = [cols.asks_for_points and not x for x in column_sums]
    candidates = _candidates(column_sums, len(rows_above), rows, cols)
    if not rows.asks_for_points and not any(is_missing):
        yield from candidates
        return
    rows_to_fill = rows_below if rows.asks_for_points else 0
    for row in candidates:
        still_missing = sum(missing and not x for missing, x in zip(is_missing, row))
        # Points below can fill a row and a missing column each: enough for both suffices.
        enough_below = points_left - sum(row) >= max(rows_to_fill, still_missing)
        if enough_below and (any(row) or not rows.asks_for_points):
            yield row


def _candidates(column_sums: list[int], i: int, rows: Side, cols: Side) -> Iterator[Composition]:
    """Rows that may stand in place i below others with these column sums, lines that must be filled apart."""
    points_left = rows.n - sum(column_sums)
    is_last = i == rows.lines - 1
    if rows.sums is None:
        total = points_left
    else:
        total = rows.sums[i]
    if cols.sums is not None:
        caps = tuple(map(sub, cols.sums, column_sums))
        if is_last:
            return iter([caps])
        if rows.sums is None:
            return product(*(range(cap + 1) for cap in caps))
        return bounded_compositions(total, caps)
    caps = (total,) * cols.lines
    if is_last and cols.asks_for_points:  # it fills every column that is still empty
        least_cells = [int(not x) for x in column_sums]
        over = bounded_compositions(total - sum(least_cells), caps)
        return (tuple(map(add, cells, least_cells)) for cells in over)
    if is_last or rows.sums is not None:
        return bounded_compositions(total, caps)
    # A spare cell holds what is left for the rows below.
    return (cells[:-1] for cells in bounded_compositions(total, (*caps, total)))


# Some rows below, so many free cells in each of them, and so many in the current row.
FreeCells = tuple[int, int, int]


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
    row_is_missing = rows.asks_for_points and not any(row)
    # Columns without conditions may be more than can be listed.
    columns_matter = cols.asks_for_points or cols.sums is not None
    if columns_matter:
        column_sums = [sum(prefix[k::s]) for k in range(s)]
    else:
        column_sums = []
    if cols.asks_for_points:
        is_missing = [not x for x in column_sums]
    else:
        is_missing = []
    sides_are_free = rows.sums is None and cols.sums is None

    points_left = rows.n - sum(prefix)
    left_in_row = 0 if rows.sums is None else rows.sums[i] - sum(row)

    def ways(x: int, free_cells: FreeCells) -> int:
        """Ways to share what is left, x taken off the next cell, among the free cells."""
        free_rows, cells_below, cells_here = free_cells
        if rows.sums is not None:
            ways_below = (compositions_count(a, cells_below) for a in rows.sums[i + 1 :])
            return prod(ways_below) * compositions_count(left_in_row - x, cells_here)
        if cols.sums is None:
            return compositions_count(points_left - x, cells_here)
        number = 1
        for k, points in enumerate(map(sub, cols.sums, column_sums)):
            cells = free_rows + (k >= j and cells_here > 0)
            number *= compositions_count(points - x if k == j else points, cells)
        return number

    def at_least(x: int) -> int:
        # A positive x fills its row and its column.
        missing_from_here = sum(is_missing[j + (x > 0) :])
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
    signed_choices = []
    for number in (rows_to_fill, missing_left, missing_right):
        signed_choices.append([(-1) ** k * comb(number, k) for k in range(number + 1)])
    for (a, of_rows), (p, of_left), (q, of_right) in product(*map(enumerate, signed_choices)):
        choices = of_rows * of_left * of_right
        free_rows = rows_below - a
        cells_below = s - p - q
        cells_elsewhere = 0
        if points_go_anywhere:
            free_rows, cells_below, cells_elsewhere = 0, 0, free_rows * cells_below
        terms[free_rows, cells_below, cells_elsewhere + right - q] += choices
        if row_to_fill:
            terms[free_rows, cells_below, cells_elsewhere] -= choices
    return tuple((free_cells, sign) for free_cells, sign in terms.items() if sign)
