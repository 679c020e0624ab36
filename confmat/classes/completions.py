"""Number of matrices of a class that begin with given cells in row-major order (`completions`).

If row sums or column sums are free, the number has a closed form. If rows or columns must not be empty, it is an
inclusion and exclusion over sets of empty ones. The objects that are not in the given cells are distributed by stars
and bars. If row sums are fixed, they go to the free cells of their row. If column sums are fixed, they go to the free
cells of their column. Otherwise they go to any free cell.

If both are fixed, the number is a sum over the possible rests of the current row. The rows below it are counted as in
``confmat.classes.fibers``.

>>> from confmat._integers.compositions import Side
>>> free, fixed = Side(3, 2, minimum=1), Side(3, 2, sums=(2, 1))
>>> [completions([], free, fixed)(x) for x in (0, 1, 2)]
[4, 3, 1]
>>> [completions([], fixed, fixed)(x) for x in (0, 1, 2)]
[2, 2, 1]
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate, chain, product, repeat
from math import comb, prod
from operator import itemgetter, sub
from typing import Any

import numpy as np

from confmat._integers.compositions import (
    Composition,
    Side,
    bounded_compositions,
    bounded_compositions_count,
    compositions_count,
)
from confmat.classes.fibers import (
    MAX_MULTISETS,
    MAX_STATES,
    degrees,
    exact_sums,
    fiber_count,
    sorted_margins,
    states,
    suffix_counts,
    too_large,
)

Tail = Callable[[int], int]


# Number of rows below, of free cells in each of them, and of free cells in the current row.
FreeCells = tuple[int, int, int]


def completions(prefix: list[int], rows: Side, cols: Side) -> Tail:
    """Return a function of x: the number of matrices that begin with ``prefix`` and have at least x in the next cell.

    ``prefix`` has cells in row-major order, and at least one matrix begins with it. ``rows`` and ``cols`` are the
    possible row sums and column sums of the class. Raise TooLargeError for fixed margins that are too large to count.

    >>> [completions([1], Side(3, 2, minimum=1), Side(3, 2, minimum=1))(x) for x in range(3)]
    [4, 2, 0]
    """
    s = cols.lines
    i, j = divmod(len(prefix), s)
    rows_below = rows.lines - i - 1
    row = prefix[i * s :]
    # The number of columns without conditions can be too large for a list.
    column_sums = []
    if cols.asks_for_points or cols.sums is not None:
        for k in range(s):
            column_sums.append(sum(prefix[k::s]))
    columns_left = tuple(map(sub, cols.sums or (), column_sums))
    if rows.sums is not None and cols.sums is not None:
        return _at_fixed_margins(rows.sums, cols.sums, i, j, rows.sums[i] - sum(row), columns_left)
    to_fill = column_sums if cols.asks_for_points else []
    # Numbers of objects to distribute among free cells, first the one that includes the next cell.
    if rows.sums is not None:
        first, *others = [rows.sums[i] - sum(row), *rows.sums[i + 1 :]]
    elif cols.sums is not None:
        first, *others = columns_left[j:] + columns_left[:j]
    else:
        first, *others = [rows.n - sum(prefix)]

    def at_least(x: int) -> int:
        # If x is positive, its row and its column are not empty.
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
    """Return the terms of the inclusion and exclusion that counts the completions of the first cells of a table.

    A term has the numbers of free cells and a coefficient, which is a signed number of choices of empty rows and
    columns. Without first cells the terms give the number of all tables (statement `count-tables`).

    Parameters
    ----------
    rows_below, rows_to_fill : int
        Number of rows below the current one, and the number of these that must not be empty.
    s, right : int
        Number of columns, and number of free cells in the current row (its last cells).
    row_to_fill : bool
        True if the current row must not be empty but is so far.
    missing_left, missing_right : int
        Numbers of columns that must not be empty but are so far: left of the current cell, and from it on.
    points_go_anywhere : bool
        True if objects can be in any free cell, so that only the number of free cells matters.
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


@lru_cache(maxsize=4096)
def _at_fixed_margins(
    rows: Composition, cols: Composition, i: int, j: int, rest: int, columns_left: Composition
) -> Tail:
    """Return a function of x: the number of ways to complete a table with at least x objects in cell (i, j).

    ``rest`` is the remaining sum of row i, ``columns_left`` the remaining column sums. There is at least one way.
    """
    rows_below = rows[i + 1 :]
    columns_before = columns_left[:j]
    columns_from_here = columns_left[j:]
    is_last = len(columns_from_here) == 1  # the last cell of a row is the rest of the row sum
    if len(rows_below) <= 1 and not is_last:
        return lambda x: bounded_compositions_count(rest - x, (columns_left[j] - x, *columns_left[j + 1 :]))
    if len(cols) == 2 and not is_last:
        return lambda x: bounded_compositions_count(columns_left[0] - x, (rest - x, *rows_below))
    by_value: Counter[int] = Counter()
    if states(cols) <= MAX_STATES and not is_last:
        # Numbers of completions by what this row leaves in the columns, with the cells from column j on increasing.
        increasing_cells = [slice(c, None, -1) for c in columns_from_here[:-1]]
        index: Any = (*columns_before, *increasing_cells)
        counts = suffix_counts(rows, cols)[len(rows_below)][index]
        counts = np.where(degrees(counts.shape) <= rest, counts, 0)
        by_value = Counter(dict(enumerate(exact_sums(counts))))
    elif bounded_compositions_count(rest, columns_from_here) > MAX_MULTISETS:
        raise too_large(
            *sorted_margins(rows, cols),
            f"a row has more than {MAX_MULTISETS} completions",
        )
    else:
        for cells in bounded_compositions(rest, columns_from_here):
            columns_after = map(sub, columns_from_here, cells)
            by_value[cells[0]] += fiber_count(rows_below, (*columns_before, *columns_after))
    values = [*by_value]  # in increasing order
    tails = [*accumulate(reversed(by_value.values()), initial=0)][::-1]
    return lambda x: tails[bisect_left(values, x)]
