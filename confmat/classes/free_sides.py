"""Matrices with sums from two sides, read in row-major order: how many ways there are to go on.

A side is fixed or free; a free one may ask for a point in every line.  With a free side the number of completions has a
closed form: inclusion and exclusion over the lines that stay empty.  Points are then shared among the free cells of
their row, where rows are fixed, of their column, where columns are, else of all lines: each time by stars and bars.

>>> from confmat._integers.compositions import Side
>>> free, fixed = Side(3, 2, minimum=1), Side(3, 2, sums=(2, 1))
>>> [completions([], free, fixed)(x) for x in (0, 1, 2)]
[4, 3, 1]
"""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import chain, product, repeat
from math import comb, prod
from operator import itemgetter, sub

from confmat._integers.compositions import Side, compositions_count

Tail = Callable[[int], int]


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
    # Columns without conditions may be more than can be listed.
    column_sums = []
    if cols.asks_for_points or cols.sums is not None:
        for k in range(s):
            column_sums.append(sum(prefix[k::s]))
    to_fill = column_sums if cols.asks_for_points else []
    # Points to be shared among free cells, first those that the next cell takes from.
    if rows.sums is not None:
        first, *others = [rows.sums[i] - sum(row), *rows.sums[i + 1 :]]
    elif cols.sums is not None:
        columns_left = [*map(sub, cols.sums, column_sums)]
        first, *others = columns_left[j:] + columns_left[:j]
    else:
        first, *others = [rows.n - sum(prefix)]

    def at_least(x: int) -> int:
        # A positive x fills its row and its column.
        terms = _lines_left_empty(
            rows_below,
            rows_below if rows.asks_for_points else 0,
            s,
            s - j,
            rows.asks_for_points and not any((*row, x)),
            to_fill[:j].count(0),
            to_fill[j + (x > 0) :].count(0),
            rows.sums is None and cols.sums is None,
        )
        total = 0
        for (free_rows, cells_below, cells_here), sign in terms:
            if cols.sums is not None:
                cells_here = free_rows + (cells_here > 0)
                cells = chain(repeat(cells_here, s - j - 1), repeat(free_rows))
                sign *= prod(map(compositions_count, others, cells))
            elif others:
                sign *= prod(map(compositions_count, others, repeat(cells_below)))
            total += sign * compositions_count(first - x, cells_here)
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
        choices_of_some = []
        for k in range(number + 1):
            choices_of_some.append((-1) ** k * comb(number, k))
        signed_choices.append(choices_of_some)
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
    return tuple(filter(itemgetter(1), terms.items()))
