"""Tables with fixed margins and the least sum of squares of cells, which have the largest Rand distance.

This is a convex transportation problem with totally unimodular constraints. A cycle of unit changes adds and
subtracts 1 alternately in cells, such that the margins do not change. A table is optimal if and only if no such
cycle lowers the sum (Ahuja, Magnanti & Orlin 1993, Section 14). Integer potentials then describe all optimal tables
(statement `least-squares`). Arithmetic is in 64-bit integers, so n^2 must be below 2^63.

>>> least_squares((3, 3), (3, 3)), [table.tolist() for table in least_squares_tables((3, 3), (3, 3))]
(10, [[[2, 1], [1, 2]]])
"""

from collections.abc import Iterator

import numpy as np

from confmat._numba import copy, njit


@njit
def round_projection(rows: np.ndarray, cols: np.ndarray, table: np.ndarray) -> None:
    """Fill ``table`` with integers that have the given margins and are near the real minimiser of the sum of squares.

    The real minimiser is a_i/s + b_j/r - n/(rs) for row sums a and column sums b.
    """
    r, s = table.shape
    left_rows = rows.copy()
    left_cols = cols.copy()
    n = rows.sum()
    for rounds_down in (True, False):  # rounded down first, then whatever still has to go somewhere
        for i in range(r):
            for j in range(s):
                x = min(left_rows[i], left_cols[j])
                if rounds_down:
                    share = (r * rows[i] + s * cols[j] - n) // (r * s)
                    x = min(x, max(0, share))
                    table[i, j] = x
                else:
                    table[i, j] += x
                left_rows[i] -= x
                left_cols[j] -= x


@njit
def _shortest_paths(table: np.ndarray, distance: np.ndarray, parent: np.ndarray) -> int:
    """Compute shortest paths in the network of unit changes by the algorithm of Bellman and Ford.

    Vertices are the rows 0, ..., r - 1 and the columns r, ..., r + s - 1. An edge from row i to column j raises
    cell x = x_ij by 1 at the cost 2x + 1. The reverse edge lowers it at the cost 1 - 2x if x > 0. Distances start
    at 0 at every vertex. Paths alternate between rows and columns, so min(r, s) + 1 double rounds are sufficient.

    Return -1 if there is no negative cycle. Otherwise return a vertex from which the predecessors ``parent`` lead
    back into a negative cycle.
    """
    r, s = table.shape
    distance[:] = 0
    parent[:] = -1
    last_vertex = -1
    for _ in range(min(r, s) + 2):
        last_vertex = -1
        for i in range(r):
            for j in range(s):
                length_through = distance[i] + 2 * table[i, j] + 1
                if length_through < distance[r + j]:
                    distance[r + j] = length_through
                    parent[r + j] = i
                    last_vertex = r + j
        for i in range(r):
            for j in range(s):
                cost = 1 - 2 * table[i, j]
                length_through = distance[r + j] + cost
                if table[i, j] > 0 and length_through < distance[i]:
                    distance[i] = length_through
                    parent[i] = r + j
                    last_vertex = i
        if last_vertex < 0:
            break
    return last_vertex


@njit
def _cancel(table: np.ndarray, parent: np.ndarray, vertex: int) -> None:
    """Move units along a negative cycle of a table, in the number that lowers the sum of squares most.

    The cycle is found from ``vertex`` by the predecessors ``parent``. Its edges raise and lower cells alternately.
    If t units move around a cycle of length L, the sum changes by L t^2 + S t. S is twice the sum of the raised
    cells minus the sum of the lowered cells.
    """
    r, s = table.shape
    for _ in range(r + s):
        vertex = parent[vertex]
    length = 0
    slope = 0
    largest_units = np.int64(2**62)
    place = vertex
    while True:
        previous = parent[place]
        length += 1
        if previous < r:
            slope += 2 * table[previous, place - r]
        else:
            slope -= 2 * table[place, previous - r]
            largest_units = min(largest_units, table[place, previous - r])
        place = previous
        if place == vertex:
            break
    units = min(largest_units, (length - slope) // (2 * length))
    while True:
        previous = parent[place]
        if previous < r:
            table[previous, place - r] += units
        else:
            table[place, previous - r] -= units
        place = previous
        if place == vertex:
            break


@njit
def spread(
    rows: np.ndarray, cols: np.ndarray, table: np.ndarray, distance: np.ndarray, parent: np.ndarray
) -> int:
    """Fill ``table`` (r x s) with the given margins and the least sum of squares, and return this sum.

    ``distance`` and ``parent`` (r + s) are work arrays. On return ``distance`` contains optimal dual potentials.
    """
    round_projection(rows, cols, table)
    while True:
        vertex = _shortest_paths(table, distance, parent)
        if vertex < 0:
            return (table * table).sum()
        _cancel(table, parent, vertex)


def least_squares(rows: tuple[int, ...], cols: tuple[int, ...]) -> int:
    """Return the least sum of x_ij^2 over the tables with the given margins.

    >>> least_squares((3, 3), (3, 3))
    10
    """
    return _solved(rows, cols)[0]


def _solved(rows: tuple[int, ...], cols: tuple[int, ...]) -> tuple[int, np.ndarray]:
    """Return the least sum of squares, and the differences v_j - u_i of optimal potentials as an array (r x s)."""
    r = len(rows)
    s = len(cols)
    distance, parent = np.empty((2, r + s), np.int64)
    table = np.empty((r, s), np.int64)
    least_sum = spread(
        np.array(rows, np.int64),
        np.array(cols, np.int64),
        table,
        distance,
        parent,
    )
    return int(least_sum), distance[r:] - distance[:r, None]


def least_squares_tables(rows: tuple[int, ...], cols: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Yield the tables with the given margins and the least sum of squares, one or more of each orbit.

    Let l = v_j - u_i for optimal potentials u and v. A table is optimal if and only if each cell x >= 0 minimises
    x^2 - l x. Hence x = l/2 if l is even, x is l/2 rounded up or down if l > 0 is odd, and x = 0 if l < 0. The
    margins determine the numbers of cells to round up in each row and column. Neighbouring rows (or columns) with
    equal sums can be exchanged. Only tables in which they decrease lexicographically are yielded. Their number may
    be very large.

    >>> [table.tolist() for table in least_squares_tables((3, 3), (3, 3))]
    [[[2, 1], [1, 2]]]
    """
    r = len(rows)
    s = len(cols)
    slopes = np.maximum(_solved(rows, cols)[1], 0)
    low, high = slopes // 2, (slopes + 1) // 2
    least_right, most_right = _sums_after(low, 1), _sums_after(high, 1)
    least_below, most_below = _sums_after(low, 0), _sums_after(high, 0)
    beginnings: list[tuple[int, ...]] = [()]
    while beginnings:
        begun = beginnings.pop()
        k = len(begun)
        if k == r * s:
            yield np.array(begun, np.int64).reshape(r, s)
            continue
        i, j = divmod(k, s)
        of_row = rows[i] - sum(begun[k - j :])
        of_column = cols[j] - sum(begun[j::s])
        cell = i, j
        least = max(low[cell], of_row - most_right[cell], of_column - most_below[cell])
        largest = min(high[cell], of_row - least_right[cell], of_column - least_below[cell])
        if i and rows[i - 1] == rows[i] and begun[k - j - s : k - s] == begun[k - j :]:
            largest = min(largest, begun[k - s])
        if j and cols[j - 1] == cols[j] and begun[j - 1 : k - j : s] == begun[j : k - j : s]:
            largest = min(largest, begun[-1])
        # The largest is the next to be taken.
        end = int(largest) + 1
        beginnings += [(*begun, x) for x in range(int(least), end)]


def _sums_after(cells: np.ndarray, axis: int) -> np.ndarray:
    """Return, for each cell, the sum of the cells after it in its row or column (``axis``)."""
    return np.flip(np.flip(cells, axis).cumsum(axis=axis), axis) - cells


@njit
def scan(
    rows: np.ndarray,
    cols: np.ndarray,
    start: int,
    end: int,
    pairs_once: bool,
    for_ard: bool,
    best: np.ndarray,
) -> tuple[int, np.ndarray]:
    """Search the margin classes for the largest F/D, where F = A + B - 2P of an optimal table.

    D is A(M - B) + B(M - A) if ``for_ard`` is True, so that the ARD is M F/D (0/0 counts as 0). Otherwise D is 1.

    ``rows`` (R x r) and ``cols`` (C x s) list the possible margins. Row sums with the indices ``start``, ...,
    ``end`` - 1 are combined with all column sums. If ``pairs_once`` is True, only column sums with the same or a
    larger index are used. ``best`` is a pair (F, D) that some table attains. Margin classes whose bound is below
    F/D are not solved. ``best`` is updated when a larger value is found. n <= 1500 is required for 64-bit products.

    Return the number of margin classes seen, and an array with a row for each class that was solved. A row contains
    both indices, F, D, and optimal potentials u and v. They satisfy, for all tables with margins a and b:

        sum x^2 >= sum v b - sum u a + sum over cells of min_x (x^2 - (v_j - u_i) x)

    This is an inequality for all integers u and v, and an equality for optimal potentials and tables.

    >>> margins, best = np.array([[3, 1], [2, 2]]), np.array([4, 1])
    >>> seen, solved = scan(margins, margins, 0, 2, True, False, best)
    >>> seen, solved.tolist()
    (3, [[0, 0, 4, 1, -3, -1, 0, 0], [1, 1, 4, 1, -1, -1, 0, 0]])
    """
    r = rows.shape[1]
    s = cols.shape[1]
    table = np.empty((r, s), np.int64)
    distance = np.empty(r + s, np.int64)
    parent = np.empty(r + s, np.int64)
    solved_classes = np.empty((64, 4 + r + s), np.int64)
    classes_seen = size = 0
    for i in range(start, end):
        for j in range(i if pairs_once else 0, len(cols)):
            classes_seen += 1
            half_squares, d = _margins(rows[i], cols[j], for_ard)
            bound = half_squares + -best[0] * d // best[1]
            if _excluded(rows[i], cols[j], bound):
                continue
            f = half_squares - spread(rows[i], cols[j], table, distance, parent)
            if f * best[1] > best[0] * d:
                best[0], best[1] = f, d
            if size == len(solved_classes):
                solved_classes = np.concatenate((solved_classes, solved_classes))
            row = solved_classes[size]
            row[0] = i
            row[1] = j
            row[2] = f
            row[3] = d
            copy(distance, row[4:])
            size += 1
    return classes_seen, solved_classes[:size].copy()


@njit
def _margins(row: np.ndarray, col: np.ndarray, for_ard: bool) -> tuple[int, int]:
    """Return half the sum of squares of all row sums and column sums, and the denominator D as in `scan`.

    The first number minus the sum of squares of the cells is F = A + B - 2P.
    """
    n = row.sum()
    row_squares = (row * row).sum()
    col_squares = (col * col).sum()
    half_squares = (row_squares + col_squares) // 2
    if not for_ard:
        return half_squares, 1
    pairs = n * (n - 1) // 2
    a = (row_squares - n) // 2
    b = (col_squares - n) // 2
    denominator = a * (pairs - b) + b * (pairs - a)
    return half_squares, max(1, denominator)


@njit
def _excluded(row: np.ndarray, col: np.ndarray, largest_squares: int) -> int:
    """Return the number of the bound (1 or 2) that excludes all tables with these margins, 0 if neither does.

    Tables are excluded if their sum of squares q must exceed ``largest_squares``. Let a and b be the row sums and
    column sums. Define e = rs q + n^2 - r sum a^2 - s sum b^2, a' = r sum a^2 - n^2 and b' = s sum b^2 - n^2. Every
    table satisfies bound 1, e >= 0. It satisfies bound 2, sqrt(a' (s - 1)) + sqrt(b' (r - 1)) <= n sqrt((r - 1)(s -
    1)) + sqrt(e) (statement `least-pairs`). As q has the parity of n, both are evaluated at the largest such q that
    is at most ``largest_squares``.
    """
    r = len(row)
    s = len(col)
    n = row.sum()
    n_squared = n * n
    a = r * (row * row).sum() - n_squared
    b = s * (col * col).sum() - n_squared
    largest_sum = largest_squares - (largest_squares - n) % 2
    excess = r * s * largest_sum - (a + b + n_squared)
    if excess < 0:
        return 1
    scale = 1  # a square, so large that all below stays in 64 bits
    size = max(1, n_squared) * r * s
    while scale * size < 2**60:
        scale *= 4
    root_of_rows = _integer_root(scale * a * (s - 1))
    margins_apart = root_of_rows + _integer_root(scale * b * (r - 1))
    root_of_total = _integer_root(scale * n_squared * (r - 1) * (s - 1))
    margins_at_most = root_of_total + _integer_root(scale * excess)
    return 2 if margins_apart > margins_at_most + 2 else 0


@njit
def _integer_root(x: int) -> int:
    """Return the square root of x < 2^62, rounded down."""
    root = int(np.sqrt(x))
    while root * root > x:
        root -= 1
    while (root + 1) * (root + 1) <= x:
        root += 1
    return root
