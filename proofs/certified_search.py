"""Least sums of squares of tables with fixed margins, which prove a largest RD or ARD.

Statement `least-squares`: a table x has the least sum of squares at its margins if and only if there are integers u_i
    and v_j with v_j - u_i <= 2 x_ij + 1 for all cells and v_j - u_i >= 2 x_ij - 1 for all cells with x_ij > 0.

At fixed margins a_i, b_j the RD and the ARD are largest for tables with the least Q(x) = sum x_ij^2.
`confmat.search.transport` finds this least sum and all tables that attain it.  Statement `least-pairs` gives its lower
bound from the sums of squares of the margins.

(1) Weak duality.  For any u_i, v_j and l_ij = v_j - u_i: sum l_ij x_ij = sum v_j b_j - sum u_i a_i =: c is the same
    for all tables with these margins, so
        Q(x) = c + sum (x_ij^2 - l_ij x_ij) >= c + sum_ij min_(y >= 0) (y^2 - l_ij y).
(2) Optimal tables.  Over the integers y >= 0, y^2 - l y is least at y = l/2 for even l >= 0, at both neighbours of
    l/2 for odd l > 0, and at 0 for l <= 0: y is optimal if and only if 2y - 1 <= l (for y > 0) and l <= 2y + 1.  So
    if some x has
        v_j - u_i <= 2 x_ij + 1 for all cells, and v_j - u_i >= 2 x_ij - 1 where x_ij > 0,
    then x attains (1), and the tables that attain it are exactly those in which every cell is optimal for its l_ij:
    `least_squares_tables` fills these cells.  Consider exchanges of neighbouring rows, or columns, with equal sums.
    In each orbit the lexicographically largest table has them in decreasing order, so every orbit is found.
(3) Cancelling.  `spread` stops when shortest paths in the network of unit changes (row to column: one more, cost 2x +
    1; column to row, if x > 0: one less, cost 1 - 2x) are stable: their lengths are potentials u, v with the
    inequalities of (2).  So what it returns is optimal however it came about.  It does stop: a simple path has at
    most 2 min(r, s) steps, so distances that still change in round min(r, s) + 2 betray a negative cycle.  With t
    units around a cycle of length L the sum changes by L t^2 + S t, L + S < 0 the cost of the cycle; the integer t
    nearest to -S/(2L), or fewer, at least 1, lowers it.  The sum is an integer >= 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from confmat.classes import FixedMargins
from confmat.classes.orbits import largest_image, nested
from confmat.search.transport import least_squares, least_squares_tables, spread
from proofs import Margin, Table, require, require_equal, small_margins


def check_algebra() -> None:
    """Check symbolically by how much the sum changes along a cycle."""
    x, y, L, S, t = sp.symbols("x y L S t")
    require_equal(
        (x + t) ** 2 + (y - t) ** 2 - x**2 - y**2, 2 * t**2 + 2 * (x - y) * t, "(3): two cells of a cycle"
    )
    require_equal(L * t**2 + S * t, L * (t + S / (2 * L)) ** 2 - S**2 / (4 * L), "(3): nearest to -S/(2L)")


def optimal(l: int) -> set[int]:
    """Return the integers y >= 0 with the least y^2 - l y, by comparing all."""
    values = {y: y * y - l * y for y in range(abs(l) + 2)}
    return {y for y, value in values.items() if value == min(values.values())}


def check_margins(rows: Margin, cols: Margin) -> int:
    """Check (1) to (3) for all tables with given margins, and return their number."""
    r, s = len(rows), len(cols)
    tables = [table.tolist() for table in FixedMargins(rows, cols)]
    sums = [sum(x * x for row in table for x in row) for table in tables]
    least = min(sums)
    found, potentials = np.empty((r, s), np.int64), np.empty(r + s, np.int64)
    solved = spread(np.array(rows), np.array(cols), found, potentials, np.empty(r + s, np.int64))
    require(solved == least == least_squares(rows, cols), f"the least sum at {rows}, {cols}")
    slopes = (potentials[r:] - potentials[:r, None]).tolist()
    for table, value in zip(tables, sums):
        cells = [(x, l) for row, of_row in zip(table, slopes) for x, l in zip(row, of_row)]
        every = all(x in optimal(l) for x, l in cells)
        inequalities = all(l <= 2 * x + 1 and (not x or 2 * x - 1 <= l) for x, l in cells)
        require(every == inequalities == (value == least), f"(2) for {table}")
    listed = {orbit(table.tolist()) for table in least_squares_tables(rows, cols)}
    attaining = {orbit(table) for table, value in zip(tables, sums) if value == least}
    require(listed == attaining, f"least_squares_tables{rows, cols}")
    return len(tables)


def orbit(table: Table) -> Any:
    """Return one table of the orbit of a table under permutations of rows and of columns."""
    return nested(largest_image(np.array(table), frozenset({"rows", "columns"})))


def verify() -> str:
    """Check the algebra, all margins of small classes, and the optimum of a cell in (2) by comparison."""
    check_algebra()
    for l in range(-6, 20):
        claimed = {l // 2, -(-l // 2)} if l > 0 else {0}
        require(optimal(l) == claimed, f"(2): the optimum for l = {l}")
    both = [(rows, cols) for rows, cols in small_margins(range(2, 9), (2, 3, 4)) if len(rows) <= len(cols)]
    both = [
        (rows, cols) for rows, cols in both if len(rows) < 4 and sum(rows) <= (7 if len(cols) == 4 else 8)
    ]
    tables = sum(check_margins(rows, cols) for rows, cols in both)
    return f"algebra; {len(both)} pairs of margins, {tables} tables"
