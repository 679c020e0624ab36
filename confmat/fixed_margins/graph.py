"""Graph of all tables with given margins, constructed row by row: states and edges, with pruning for tails.

A table is a path from the column sums to the empty state. ``lay`` makes the edges of each row in turn. If only a
tail of a statistic is requested, a state is not expanded when every path through it reaches the tail, or none does.
Bounds of the rows that follow decide this (``column_bounds``). This is the pruning of the network algorithm (Mehta
and Patel 1983), with one bound for every sum over cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np

from confmat._integers.arrays import read_only
from confmat._numba import clock, stoppable
from confmat.errors import TooLargeError
from confmat.fixed_margins.kernels import FAR, Ahead, Edges, RowToAdd, row_edges, turned

LARGEST_VALUE = 2**56
"""Sums of the values of a table stay below it, so that bounds and keys never overflow 64 bits."""

MOST_EDGES = 60_000_000
"""Edges of one row: 24 bytes each, and 24 more if the edges are reversed."""

LARGEST_LINE = 5_000
"""Largest column sum: the weights of a row are a square array of this size, 200 MB."""

MOST_BYTES = 2**31
"""Memory of the states after one row, in bytes."""


class TooManyEdges(TooLargeError):
    """Error for a graph in which a row has more edges than the limit.

    Rounding the values more coarsely does not help.
    """


@dataclass(frozen=True)
class OrderedMargins:
    """Margins in the order in which rows are added, and the values of cells.

    ``values[i][j, x]`` is the integer that x objects in cell (i, j) add to the sum.

    >>> squares = np.arange(3) ** 2
    >>> margins = OrderedMargins((1, 2), (2, 1), (np.array([squares, squares]),) * 2)
    >>> margins.kinds  # from each row on, which columns are alike
    [array([0, 0]), array([0, 0]), array([0, 0])]
    """

    rows: tuple[int, ...]
    cols: tuple[int, ...]
    values: tuple[np.ndarray, ...]

    @cached_property
    def left(self) -> list[int]:
        """Number of objects in each row and all later rows together. The last entry is 0."""
        objects_taken = np.cumsum([0, *self.rows])
        return (objects_taken[-1] - objects_taken).tolist()

    @cached_property
    def order(self) -> list[int]:
        """Order of the columns in states.

        Columns with the same values in the last rows are adjacent, for as many last rows as possible. Among columns
        with the same values, larger column sums come first.
        """

        def latest_first(j: int) -> tuple[Any, ...]:
            return *(values[j].tobytes() for values in reversed(self.values)), -self.cols[j]

        return sorted(range(len(self.cols)), key=latest_first)

    @cached_property
    def kinds(self) -> list[np.ndarray]:
        """Kinds of the columns in their ``order``, an array per row and one after the last row.

        Columns with equal ``kinds[i]`` have equal values in row i and in all later rows.
        """
        kinds = []
        for i in range(len(self.rows) + 1):
            texts = [b"".join(values[j].tobytes() for values in self.values[i:]) for j in self.order]
            changes = [text != text_before for text_before, text in pairwise(texts)]
            kinds.append(np.cumsum([0, *changes]))
        return kinds

    @cached_property
    def least_ahead(self) -> list[tuple[np.ndarray, int]]:
        """Lower bounds of the sum over each row and all later rows, the result of ``column_bounds``."""
        return column_bounds(self, np.minimum)

    @cached_property
    def largest_ahead(self) -> list[tuple[np.ndarray, int]]:
        """Upper bounds of the sum over each row and all later rows, the result of ``column_bounds``."""
        return column_bounds(self, np.maximum)

    def ordered(self, i: int) -> np.ndarray:
        """Return the values of the cells of row ``i``, an array (columns x counts). Columns are in their ``order``."""
        return np.ascontiguousarray(self.values[i][self.order])


@dataclass(frozen=True)
class Arithmetic:
    """Arithmetic of weights: probabilities in floats, or integers modulo a prime ``modulus``.

    In floats the weight of a row is its probability given the remaining column sums. The weights of the paths from
    a state then have sum 1. As an integer, the weight is the number of ways to choose the objects of the row from
    the columns. With ``labels=False`` each table counts once.
    """

    modulus: int = 0
    labels: bool = True

    @property
    def one(self) -> np.ndarray:
        """The number 1 as an array of length 1, of the type of the weights."""
        return np.ones(1, np.int64 if self.modulus else float)

    def shares(self, most: int, row: int, left: int) -> np.ndarray:
        """Return the weights of taking x of c objects from a column, an array indexed by [c, x] up to ``most``.

        ``row`` is the row sum and ``left`` the number of objects that remain. Probabilities are those of binomial
        columns, which are not yet conditioned on the row sum (``comb_chance``).
        """
        if not self.modulus:
            return binomial_shares(most, row, left)
        if not self.labels:
            return np.tri(most + 1, dtype=np.int64)
        return binomials_modulo(most, self.modulus)

    def inverses(self, most: int) -> np.ndarray:
        """Return an array of 1/k for k = 1, ..., ``most``, with 0 at index 0."""
        numbers = np.arange(1, most + 1)
        inverses: Any = 1 / numbers
        if self.modulus:
            inverses = [pow(k, -1, self.modulus) for k in numbers.tolist()]
        return np.array([0, *inverses])

    def whole(self, row: int, left: int) -> float:
        """Return the sum of the weights of all ways to fill a row with the sum ``row`` from the remaining objects.

        ``left`` is their number before the row. The sum is 1 in floats, and C(left, row) modulo a prime.
        """
        if self.modulus:
            return comb(left, row) % self.modulus
        return 1.0


def binomial_shares(most: int, row: int, left: int) -> np.ndarray:
    """Return the probabilities of x under Binomial(c, row/left), an array indexed by [c, x] up to ``most``.

    The probability of the mode is computed in integers and rounded once. The others follow from ratios of
    neighbors. At distance x from the mode a probability has at most 3 x + 1 roundings.

    >>> binomial_shares(2, 1, 2)
    array([[1.  , 0.  , 0.  ],
           [0.5 , 0.5 , 0.  ],
           [0.25, 0.5 , 0.25]])
    """
    shares = np.eye(most + 1)  # row 0 is final, the other rows are set below
    if not left:
        return shares
    rest = left - row
    mode, ways, all_ways = 0, 1, 1
    for c in range(1, most + 1):
        # The probability of the mode is C(c, mode) row^mode rest^(c - mode) / left^c, updated from c - 1.
        all_ways *= left
        if mode < (c + 1) * row // left:
            mode += 1
            ways = ways * c * row // mode
        else:
            ways = ways * c * rest // (c - mode)
        of_mode = ways / all_ways
        shares[c, mode] = of_mode
        # If rest is 0, the mode is c and the range of x is empty.
        x = np.arange(mode, c)
        upwards = ((c - x) * row) / ((x + 1) * rest)
        shares[c, x + 1] = of_mode * np.cumprod(upwards)
        x = np.arange(mode, 0, -1)
        downwards = (x * rest) / ((c - x + 1) * row)
        shares[c, x - 1] = of_mode * np.cumprod(downwards)
    return shares


@lru_cache(maxsize=1)
def binomials_modulo(most: int, modulus: int) -> np.ndarray:
    """Return C(c, x) modulo a prime below 2^31, by Pascal's triangle, an array indexed by [c, x] up to ``most``.

    >>> binomials_modulo(4, 5)[4]
    array([1, 4, 1, 4, 1])
    """
    rows = np.zeros((most + 1, most + 1), np.int64)
    rows[:, 0] = 1
    for c in range(1, most + 1):
        rows[c, 1:] = (rows[c - 1, 1:] + rows[c - 1, :-1]) % modulus
    return read_only(rows)


def multipliers(margins: OrderedMargins) -> list[int]:
    """Return a number u_i for each row: the mean increase of the sum over cells if row i has one more object.

    The increases are those near the table of independence, with cells rows[i] cols[j] / n. With these numbers
    ``column_bounds`` gives close bounds. With any others its bounds would be valid, too.
    """
    n = sum(margins.rows)
    multipliers_of_rows = []
    for row, values in zip(margins.rows, margins.values):
        steps = []
        for j, col in enumerate(margins.cols):
            expected_count = min(
                row * col // n,
                values.shape[1] - 2,
            )
            steps.append(int(values[j, expected_count + 1] - values[j, expected_count]))
        multipliers_of_rows.append(sum(steps) // len(steps))
    return multipliers_of_rows


def column_bounds(
    margins: OrderedMargins, pick: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> list[tuple[np.ndarray, int]]:
    """Return bounds of the sum over all rows from row i on, for each i.

    Let f_ij(x) be the value of x objects in cell (i, j), r_i the row sums, and u_i any numbers. The sum of
    f_ij(x_ij) is sum u_i r_i + sum (f_ij(x_ij) - u_i x_ij). The first part is constant. In the second part each
    column is bounded by its own optimum, regardless of the row sums.

    Parameters
    ----------
    pick : callable
        `numpy.minimum` for lower bounds, `numpy.maximum` for upper bounds.

    Returns
    -------
    list of (array, int)
        For each row, and after the last one: bounds indexed by [column, remaining column sum], and the constant.
    """
    u = multipliers(margins)
    largest_column = max(margins.cols)
    worst = FAR // 4
    if pick is np.maximum:
        worst = -worst
    size = (len(margins.cols), largest_column + 1)
    bounds_after = np.full(size, worst)
    bounds_after[:, 0] = 0
    bounds = [(bounds_after, 0)]
    fixed_part = 0
    for i in reversed(range(len(margins.rows))):
        clock.look()
        values = margins.ordered(i)
        best = np.full(size, worst)
        for x in range(min(margins.rows[i], largest_column) + 1):
            cost = (values[:, x] - u[i] * x)[:, None]
            best[:, x:] = pick(
                best[:, x:],
                cost + bounds[-1][0][:, : largest_column + 1 - x],
            )
        fixed_part += u[i] * margins.rows[i]
        bounds.append((best, fixed_part))
    return bounds[::-1]


@dataclass(frozen=True)
class Graph:
    """Directed graph whose paths are the tables with given margins, for a recursion over rows.

    Before each row, and after the last row, there are *states*: possible vectors of the column sums that remain. An
    *edge* leads from a state before a row to a state after it. It is a way to fill the row, up to the order of
    interchangeable columns. A table is a path from the first state (all column sums) to the last state (zeros).

    If only a tail of a statistic is requested, a state "certain" may follow the other states before a row. It
    stands for all states from which every path reaches the tail.

    Attributes
    ----------
    margins, arithmetic : OrderedMargins, Arithmetic
        The tables, and the weights of edges.
    levels : list of Edges
        Edges of each row.
    sizes : list of int
        Number of states before each row and after the last one.
    terms : list of int
        For each row the largest number of weights of ways to fill it that were added to the weight of one edge.
    states, cells : list of arrays
        Remaining column sums of the states before each row, and cells of the edges of each row. They are empty
        unless `lay` was called with ``keep=True``.
    """

    margins: OrderedMargins
    arithmetic: Arithmetic
    levels: list[Edges]
    sizes: list[int]
    terms: list[int]
    states: list[np.ndarray] = field(default_factory=list)
    cells: list[np.ndarray] = field(default_factory=list)

    @cached_property
    def kinds(self) -> np.ndarray:
        """Kinds of the columns before each row and after the last one, an array ((rows + 1) x columns).

        Columns of the same kind are interchangeable: equal cells add equal values in this row and in all later
        rows.
        """
        return np.array(self.margins.kinds)

    @cached_property
    def back(self) -> list[Edges]:
        """Edges of each row in the opposite direction."""
        return [turned(edges, size) for edges, size in zip(self.levels, self.sizes[1:])]


def lay(
    margins: OrderedMargins,
    arithmetic: Arithmetic,
    low: int = -FAR,
    high: int = FAR,
    most: int = MOST_EDGES,
    keep: bool = False,
) -> Graph:
    """Build the graph of the tables with these margins.

    The sum of a table is that of the values of its cells (``margins.values``). Tables whose sum is certain to be
    below ``low`` are left out. Paths whose sum is certain to be at least ``high`` are merged. ``keep=True`` stores
    the states, and the cells of each edge. Raise TooManyEdges if a row has more than ``most`` edges.

    >>> squares = np.arange(3) ** 2
    >>> margins = OrderedMargins((2, 2, 2), (2, 2, 2), (np.array([squares] * 3),) * 3)
    >>> graph = lay(margins, Arithmetic())
    >>> graph.sizes  # (2, 2, 2); (2, 2, 0) and (2, 1, 1); (2, 0, 0) and (1, 1, 0); nothing
    [1, 2, 2, 1]
    """
    most = min(most, MOST_BYTES // (4 * len(margins.cols)))
    states = np.array([[margins.cols[j] for j in margins.order]], np.int32)
    bounds = np.zeros((1, 2), np.int64)
    certain = False
    cells_kept = len(margins.cols) if keep else 0
    graph = Graph(margins, arithmetic, [], [1], [])
    for i, total in enumerate(margins.rows):
        objects_left = margins.left[i]
        row = RowToAdd(
            total,
            margins.kinds[i],
            margins.kinds[i + 1],
            arithmetic.shares(max(margins.cols), total, objects_left),
            arithmetic.inverses(len(margins.cols)),
            margins.ordered(i),
            arithmetic.modulus,
        )
        least, fixed_least = margins.least_ahead[i + 1]
        largest, fixed_largest = margins.largest_ahead[i + 1]
        ahead = Ahead(least, largest, fixed_least, fixed_largest, low, high)
        if keep:
            graph.states.append(states)
        level = stoppable(row_edges, states, bounds, row, ahead, most, cells_kept)
        edges, states, bounds, certain_terms, cells = level
        if certain_terms < 0:
            shape = f"{len(margins.rows)} x {len(margins.cols)} tables of {sum(margins.rows)} objects"
            raise TooManyEdges(
                f"rows and cols are too large: the recursion over rows of {shape} needs more than {most:,} edges "
                f"(ways to fill a row) in row {i + 1}"
            )
        if not arithmetic.modulus:
            edges.weight[:] /= comb_chance(total, objects_left)
        edges, certain = _with_certain(
            edges,
            len(states),
            certain,
            arithmetic.whole(total, objects_left),
        )
        graph.levels.append(edges)
        graph.sizes.append(len(states) + certain)
        graph.terms.append(certain_terms)
        graph.cells.append(cells)
    return graph


def comb_chance(row: int, objects_left: int) -> float:
    """Return the probability that Binomial(objects_left, row/objects_left) equals ``row``.

    Independent binomial cells have the distribution of a row with this sum, if they are conditioned on their sum.
    This is the probability of that condition.

    >>> comb_chance(1, 2)
    0.5
    """
    ways = comb(objects_left, row) * row**row * (objects_left - row) ** (objects_left - row)
    return ways / objects_left**objects_left


def _with_certain(edges: Edges, states: int, was_certain: bool, whole_weight: float) -> tuple[Edges, bool]:
    """Replace edges with target -1 by edges to a state "certain", which gets the number ``states``.

    Every path through this state reaches the tail. If the level before has such a state (``was_certain``), an edge
    with weight ``whole_weight`` is added from it to the new one.

    Returns
    -------
    tuple
        The edges, and whether this level has the state "certain".
    """
    target = edges.target
    start = edges.start
    leads_there = target < 0
    certain = was_certain or bool(leads_there.any())
    target[leads_there] = states
    if not was_certain:
        return edges, certain
    weight = np.append(edges.weight, np.array([whole_weight], edges.weight.dtype))
    stays = Edges(
        np.append(start, start[-1] + 1),
        np.append(target, states),
        weight,
        np.append(edges.value, 0),
    )
    return stays, certain
