"""The largest Rand distance at fixed margins: minimise the sum of x_ij^2, a convex transportation problem.

A sum of squares is convex and separable and the constraints are totally unimodular, so a table is optimal exactly
when no cycle of unit changes lowers the sum (Ahuja, Magnanti & Orlin 1993, Section 14), and integer potentials
then say what every optimal table looks like (statement `least-squares`).  All arithmetic is in 64-bit integers;
n^2 must fit.

>>> least_squares((3, 3), (3, 3)), [table.tolist() for table in least_squares_tables((3, 3), (3, 3))]
(10, [[[2, 1], [1, 2]]])
"""

from collections.abc import Iterator

import numpy as np

from confmat._numba import copy, njit


@njit
def round_projection(rows: np.ndarray, cols: np.ndarray, table: np.ndarray) -> None:
    """Fill ``table`` with these margins, near the real minimiser a_i/s + b_j/r - n/(rs) of the sum of squares."""
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
    """Bellman-Ford from everywhere in the network of unit changes; a vertex behind a negative cycle, or -1.

    Vertices: rows 0..r-1, columns r..r+s-1.  Row to column: one more in the cell, cost 2x + 1.  Back: one less,
    cost 1 - 2x, if x > 0.  A path changes sides at every step, so min(r, s) + 1 double rounds settle it.
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
    """Move as many units around the negative cycle behind ``vertex`` as lowers the sum of squares most.

    With t units round a cycle of length L the sum changes by L t^2 + S t, S = twice (raised - lowered cells).
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
    """Fill ``table`` (r x s) with a least sum of squares at these margins and return that sum.

    ``distance`` and ``parent`` (r + s) are scratch space; afterwards ``distance`` holds optimal potentials.
    """
    round_projection(rows, cols, table)
    while True:
        vertex = _shortest_paths(table, distance, parent)
        if vertex < 0:
            return (table * table).sum()
        _cancel(table, parent, vertex)


def least_squares(rows: tuple[int, ...], cols: tuple[int, ...]) -> int:
    """Least sum of x_ij^2 over the tables with these margins.

    >>> least_squares((3, 3), (3, 3))
    10
    """
    return _solved(rows, cols)[0]


def _solved(rows: tuple[int, ...], cols: tuple[int, ...]) -> tuple[int, np.ndarray]:
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
    """Yield the tables with these margins and the least sum of squares, one or more of each orbit.

    With optimal potentials, l = v_j - u_i, a table is optimal exactly when each cell minimises x^2 - l x over
    x >= 0: x = l/2 for even l, either neighbour of l/2 for odd l > 0, else 0.  What remains is to fill 0/1 cells
    to given margins.  Neighbouring lines with equal margins are interchangeable: only tables in which they decrease
    lexicographically are yielded.  There may be very many all the same, as 0/1 tables with given margins are.

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
    """The sum of the cells after each one along an axis."""
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
    """Solve, among margin classes, those whose F/D may be the largest: F the largest A + B - 2P of the class.

    D = A(M - B) + B(M - A) if ``for_ard`` (so that F/D is the ARD over M; 0/0 counts as 0), else 1.
    ``rows`` (R x r) and ``cols`` (C x s) list the margins; rows first .. last - 1 are paired with all columns,
    with ``pairs_once`` only from the same position on.  ``best`` (F, D) is known to be attained: classes whose
    bound is below it are passed over; on return it holds the best value met.  Returns the number of classes seen and
    a row for each that was solved: its two positions, F, D, and optimal potentials u and v.  For any integers u and v
    the sum of squares of a table with margins a, b is at least sum v b - sum u a + sum over the cells of the least
    x^2 - (v_j - u_i) x; at these it attains that.  n <= 1500 keeps the cross products in 64 bits.

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
    """Half the sums of squares of the margins, from which F is the sum of squares of the cells less; and D."""
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
    """Whether no table with these margins has a sum of squares <= most: 1 by rs sum x^2 >= r sum a^2 + s sum b^2 - n^2.

    2 by what else the sums of squares of the margins say (statement `least-pairs`): with R = r - 1, S = s - 1,
    a = r sum a^2 - n^2, b = s sum b^2 - n^2 and e the difference of the two sides above, sqrt(aS) + sqrt(bR) <= n
    sqrt(RS) + sqrt(e).  0 where these bounds do not say.  sum x^2 has the parity of n.
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
    """The square root, rounded down, of a number below 2^62."""
    root = int(np.sqrt(x))
    while root * root > x:
        root -= 1
    while (root + 1) * (root + 1) <= x:
        root += 1
    return root
