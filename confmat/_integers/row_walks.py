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
    candidates = _candidates(column_sums, is_missing, rows_below, rows, cols)
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


def _candidates(
    column_sums: list[int], is_missing: list[bool], rows_below: int, rows: Side, cols: Side
) -> Iterator[Composition]:
    """Return the rows that can follow rows above with the column sums ``column_sums``, in lexicographic order.

    ``rows_below`` is the number of rows after this one. The condition that no row or column is empty is applied in
    the last row only: it must have objects in the columns that are marked in ``is_missing``.
    """
    total = rows.n - sum(column_sums)
    if rows.sums is not None:
        total = rows.sums[-rows_below - 1]
    if cols.sums is not None:
        caps = tuple(map(sub, cols.sums, column_sums))
    else:
        caps = (total,) * cols.lines
    if rows_below and rows.sums is None:  # an additional cell has the sum of the rows below
        return (cells[:-1] for cells in bounded_compositions(total, (*caps, total)))
    if not any(is_missing) or rows_below:
        return bounded_compositions(total, caps)
    # The last row fills every column that is still empty.
    over_least = bounded_compositions(total - sum(is_missing), caps)
    return (tuple(map(add, cells, is_missing)) for cells in over_least)


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
