"""Enumeration of tables row by row, in lexicographic order, with possible row sums and column sums given.

>>> from confmat._integers.compositions import Side
>>> fixed = Side(3, 2, sums=(2, 1))
>>> [rows.copy() for rows in tables_by_rows(2, lambda rows_above: rows_after(rows_above, fixed, fixed))]
[[(1, 1), (1, 0)], [(2, 0), (0, 1)]]
"""

from collections.abc import Callable, Iterator
from operator import add, sub

from confmat._integers.compositions import Composition, Side, bounded_compositions


def rows_after(rows_above: list[Composition], rows: Side, cols: Side) -> Iterator[Composition]:
    """Yield the rows that can follow ``rows_above`` in a table with margins from ``rows`` and ``cols``.

    ``rows_above`` are the first rows of the table. A row is yielded only if the table can be completed. The order
    is lexicographic.

    >>> list(rows_after([(2, 0)], Side(3, 2), Side(3, 2, minimum=1)))
    [(0, 1)]
    """
    column_sums = [sum(column) for column in zip(*rows_above)] or [0] * cols.lines
    points_left = rows.n - sum(column_sums)
    rows_below = rows.lines - len(rows_above) - 1
    is_missing = [cols.asks_for_points and not x for x in column_sums]
    # An additional cell has the sum of the rows below, if the sum of this row is free.
    total = points_left
    most_below = points_left
    if rows.sums is not None:
        total = rows.sums[len(rows_above)]
        most_below = 0
    caps = (total,) * cols.lines
    if cols.sums is not None:
        caps = tuple(map(sub, cols.sums, column_sums))
    if not rows_below:  # the last row fills every column that is still empty
        for cells in bounded_compositions(total - sum(is_missing), caps):
            yield tuple(map(add, cells, is_missing))
        return
    rows_to_fill = rows_below if rows.asks_for_points else 0
    for cells in bounded_compositions(total, (*caps, most_below)):
        row = cells[:-1]
        is_empty = not any(row)
        if is_empty and rows.asks_for_points:
            continue
        still_missing = sum(missing and not x for missing, x in zip(is_missing, row))
        # Points below can fill a row and a missing column each: enough for both suffices.
        needed = max(rows_to_fill, still_missing)
        if points_left - sum(row) >= needed:
            yield row


def tables_by_rows(
    lines: int,
    next_rows: Callable[[list[Composition]], Iterator[Composition]],
    keep: Callable[[list[Composition]], bool] = bool,
) -> Iterator[list[Composition]]:
    """Yield the tables with ``lines`` rows that can be built row by row, depth first.

    ``next_rows`` returns the candidates for the next row of a partial table. ``keep`` returns whether a partial
    table is extended. The list that is yielded changes afterwards: copy it to store a table.

    >>> [rows.copy() for rows in tables_by_rows(2, lambda rows_above: iter([(0,), (1,)]), lambda rows: rows[0] == (1,))]
    [[(1,), (0,)], [(1,), (1,)]]
    """
    rows: list[Composition] = []
    choices = [next_rows([])]
    while choices:
        del rows[len(choices) - 1 :]
        row = next(choices[-1], None)
        if row is None:
            choices.pop()
            continue
        rows.append(row)
        if not keep(rows):
            continue
        if len(rows) == lines:
            yield rows
        else:
            choices.append(next_rows(list(rows)))
